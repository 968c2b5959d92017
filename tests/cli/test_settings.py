"""--config: settings of a TOML file as defaults; which goes before which; what is refused; --show-settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import printed_json, refused, run, work_in

LEARNED = "van\tcar\ncar\tvehicle\n"
GOLD = "Van\tvehicle\ncar\tvehicle\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("ONTOEVAL_CONFIG", raising=False)
    return work_in(tmp_path, monkeypatch, {"learned.tsv": LEARNED, "gold.tsv": GOLD})


def lf(*more: object, environment: dict[str, str] | None = None) -> tuple[float, str]:
    result = run("compare", "learned.tsv", "--gold", "gold.tsv", "-m", "LF", "--json", *more, environment=environment)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["results"][0]["scores"]["LF"], result.stderr


def test_a_setting_is_a_default_and_is_reported(folder: Path) -> None:
    (folder / "c.toml").write_text('[compare]\nnormalize = "case"\n[output]\ndigits = 5\n')
    without, _ = lf()
    assert without == pytest.approx(2 / 3)  # car and vehicle, not van
    with_settings, notes = lf("--config", "c.toml")
    assert with_settings == 1.0
    assert "warning: c.toml: normalize = 'case' is set.\n" in notes
    assert "note: c.toml: digits = 5 is set.\n" in notes


def test_the_command_line_goes_before_the_file_and_the_command_before_shared_tables(folder: Path) -> None:
    (folder / "c.toml").write_text('[compare]\nnormalize = "case"\n')
    assert lf("--config", "c.toml", "--normalize", "none")[0] == pytest.approx(2 / 3)
    (folder / "d.toml").write_text("[output]\ndigits = 1\n[compare]\ndigits = 2\n")
    shown = run("compare", "x", "--gold", "y", "--config", "d.toml", "--show-settings")
    assert [line.split() for line in shown.stdout.splitlines() if "--digits" in line] == [["--digits", "2", "file"]]


def test_settings_are_shown_as_one_types_them() -> None:
    more = ["--weight", "related=2", "--weight", "synonym=1", "--skos", "close", "--min-confidence", "0,0.50"]
    shown = run("compare", "x", "--gold", "y", "--max-size", "2G", "--errors", "--worst", *more, "--show-settings")
    assert (shown.exit_code, shown.stderr) == (0, "")
    rows = {cells[0]: " ".join(cells[1:]) for cells in map(str.split, shown.stdout.splitlines()) if cells}
    assert {name: rows[f"--{name}"] for name in (
        "format", "reason-timeout", "max-size", "errors", "intervals", "worst", "weight", "skos", "min-confidence",
        "ambiguous-instances", "explain", "min-strength", "digits",
    )} == {
        "format": "table default", "reason-timeout": "600 default", "max-size": "2G command line",
        "errors": "yes command line", "intervals": "no default", "worst": "10 command line",
        "weight": "related=2 synonym=1 command line", "skos": "close command line",
        "min-confidence": "0,0.50 command line", "ambiguous-instances": "keep default", "explain": "default",
        "min-strength": "0 default", "digits": "3 default",
    }  # fmt: skip


def test_the_environment_names_a_file_and_the_option_goes_before_it(folder: Path) -> None:
    (folder / "c.toml").write_text('[compare]\nnormalize = "case"\n')
    (folder / "none.toml").write_text("")
    environment = {"ONTOEVAL_CONFIG": "c.toml"}
    assert lf(environment=environment)[0] == 1.0
    assert lf("--config", "none.toml", environment=environment)[0] == pytest.approx(2 / 3)


def test_no_file_is_searched_for(folder: Path) -> None:
    for name in ("ontoeval.toml", ".ontoeval.toml", "pyproject.toml"):
        (folder / name).write_text('[compare]\nnormalize = "case"\n')
    assert lf()[0] == pytest.approx(2 / 3)


def test_the_settings_used_are_part_of_the_json(folder: Path) -> None:
    (folder / "c.toml").write_text('[compare]\nnormalize = "case"\n[load]\nroot = "new"\n')
    document = printed_json(
        "compare", "learned.tsv", "--gold", "gold.tsv", "-m", "LF", "--config", "c.toml", remarks=True
    )
    assert document["results"][0]["config"] == {"file": "c.toml", "settings": {"normalize": "case", "root": "new"}}


def test_loading_settings_are_for_all_commands_that_have_them(folder: Path) -> None:
    (folder / "c.toml").write_text('[load]\ncolumns = "parent,child"\nweight = ["related=2"]\n')
    found = printed_json("describe", "learned.tsv", "--config", "c.toml", remarks=True)["ontologies"][0]
    swapped = printed_json("describe", "learned.tsv", "--columns", "parent,child", remarks=True)["ontologies"][0]
    assert found["leaves"] == swapped["leaves"]
    assert run("measures", "LF", "--config", "c.toml").exit_code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[compar]\n", "c.toml: [compar] is not a table of settings. Did you mean 'compare'?"),
        ("compare = 3\n", "c.toml: compare is not a table."),
        (
            "[compare]\nnormalise = 'case'\n",
            "c.toml: [compare] 'normalise' is not an option. Did you mean 'normalize'?",
        ),
        ("[load]\nnormalize = 'case'\n", "c.toml: [load] 'normalize' is not an option."),
        ("[compare\n", "c.toml: not valid TOML"),
        ("[output]\ndigits = [2]\n", "c.toml: [output] digits is not a single value."),
        ("[output]\ndigits = inf\n", "c.toml: [output] digits is not a whole number."),
        ("[load]\nroot = 1979-05-27\n", "c.toml: [load] root is not a single value."),
        ("[compare]\nmeasure = [['LF']]\n", "c.toml: [compare] measure is not a value or a list of values."),
        ("[compare]\nmeasure = { LF = 1 }\n", "c.toml: [compare] measure is not a value or a list of values."),
        ("[compare]\n\n\xe9".encode("latin-1"), "c.toml: cannot read the settings: not UTF-8."),
    ],
)
def test_wrong_files_are_refused(folder: Path, text: str | bytes, message: str) -> None:
    (folder / "c.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert refused("compare", "learned.tsv", "--gold", "gold.tsv", "--config", "c.toml").startswith(message)


@pytest.mark.parametrize("value", ["'LF'", "['LF']"])
def test_one_value_of_an_option_that_may_be_repeated_needs_no_list(folder: Path, value: str) -> None:
    (folder / "c.toml").write_text(f"[compare]\nmeasure = {value}\n")
    result = run("compare", "learned.tsv", "--gold", "gold.tsv", "--json", "--config", "c.toml")
    assert list(json.loads(result.stdout)["results"][0]["scores"]) == ["LF"]


def test_a_file_that_is_not_there_is_refused() -> None:
    assert refused("describe", "learned.tsv", "--config", "no.toml").startswith("no.toml: cannot read the settings: ")


def test_a_wrong_value_in_a_file_is_refused(folder: Path) -> None:
    (folder / "c.toml").write_text("[output]\ndigits = 99\n")
    result = run("compare", "learned.tsv", "--gold", "gold.tsv", "--config", "c.toml")
    assert result.exit_code == 2
    assert "--digits: must be from 0 to 15, not 99." in result.stderr


def test_loading_options_that_the_help_shows_elsewhere_are_in_the_table_of_loading_too(folder: Path) -> None:
    """--root and --relation stand under Input in the help of describe."""
    (folder / "c.toml").write_text('[load]\nroot = "new"\nrelation = "part_of"\n')
    shown = run("describe", "gold.tsv", "--config", "c.toml", "--show-settings")
    rows = {cells[0]: cells[1:] for cells in map(str.split, shown.stdout.splitlines()) if cells}
    assert (rows["--root"], rows["--relation"]) == (["new", "file"], ["part_of", "file"])
    roots = [printed_json("describe", "gold.tsv", *more, remarks=True) for more in ([], ["--config", "c.toml"])]
    assert [found["ontologies"][0]["root_added"] for found in roots] == [False, True]
