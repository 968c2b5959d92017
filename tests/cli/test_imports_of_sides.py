"""`--import`, `--gold-import`, `--with-import`: modules of two releases, and that no side reads those of the other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import data_folder, printed_json, refused, run, work_in

import ontoeval as oe

PREFIXES = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://ex.org/> .
"""


def release(number: int) -> dict[str, str]:
    """A module below a base, which has one class more in release 2; files have the same names in both releases."""
    iri = f"http://ex.org/{number}"
    base = f"<{iri}/base> a owl:Ontology . :a rdfs:subClassOf :top . " + (":x rdfs:subClassOf :top ." * (number - 1))
    main = f"<{iri}/main> a owl:Ontology ; owl:imports <{iri}/base> . :b rdfs:subClassOf :a ."
    return {f"v{number}/base.ttl": PREFIXES + base, f"v{number}/main.ttl": PREFIXES + main}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        (tmp_path / f"v{number}").mkdir()
    work_in(tmp_path, monkeypatch, {**release(1), **release(2)})


SIDES = ("v1/main.ttl", "--gold", "v2/main.ttl")
RIGHT = (3, 4)  # concepts of both sides: top, a, b; and x


def sizes(*arguments: object, command: str = "compare") -> tuple[int, int]:
    document = printed_json(command, *SIDES, *arguments, remarks=True)
    matching = document["results"][0]["matching"] if command == "compare" else document["matching"]
    return matching["learned"], matching["gold"]


@pytest.mark.parametrize("command", ["compare", "match"])
def test_each_side_has_its_own_imports(command: str) -> None:
    assert sizes("--import", "v1", "--gold-import", "v2", command=command) == RIGHT
    files = ("--import", "v1/base.ttl", "--gold-import", "v2/base.ttl")
    assert sizes(*files, command=command) == RIGHT


def test_imports_of_the_gold_standard_alone() -> None:
    """The import of the learned file is not found then, and --import is not taken from --gold-import."""
    result = run("compare", *SIDES, "--gold-import", "v2", "--json")
    assert result.exit_code == 0
    assert sizes("--gold-import", "v2") == (2, 4)


def test_without_imports_of_the_gold_standard_those_of_the_command_are_for_both() -> None:
    Path("v3").mkdir()
    Path("v3/base.ttl").write_text(
        PREFIXES + ":a rdfs:subClassOf :top . :more rdfs:subClassOf :top .", encoding="utf-8"
    )
    assert sizes("--import", "v3/base.ttl") == (4, 4)


@pytest.mark.parametrize("folders", [("v1", "v2"), ("v2", "v1")])
def test_of_several_folders_that_of_the_importing_file_goes_first(folders: tuple[str, str]) -> None:
    arguments = ("--import", folders[0], "--import", folders[1])
    assert sizes(*arguments) == RIGHT
    assert run("compare", *SIDES, *arguments).stderr == ""


def test_a_module_of_the_other_release_is_never_read_silently() -> None:
    result = run("compare", *SIDES, "--import", "v1")
    assert result.stderr == (
        "note: v2/main.ttl: import http://ex.org/2/base: v1/base.ttl is read for it, but its own IRI is "
        "http://ex.org/1/base (--gold-import)\n"
    )


def advised(stderr: str) -> list[str]:
    """The options of all warnings."""
    lines = [line for line in stderr.splitlines() if line.startswith("warning: ")]
    return [word for line in lines for word in line.partition(" Set ")[2].removesuffix(".").split(" ")]


@pytest.mark.parametrize("command", ["compare", "match"])
def test_the_advice_of_each_side_names_its_own_option(command: str) -> None:
    options = advised(run(command, *SIDES).stderr)
    assert sorted(options) == ["--gold-import", "--import", "v1/base.ttl", "v2/base.ttl"]
    assert sizes(*options, command=command) == RIGHT
    assert "warning" not in run(command, *SIDES, *options, "--json").stderr
    warnings = json.loads(run(command, *SIDES, "--json").stdout)["warnings"]
    assert [text.rpartition("Set ")[2] for text in warnings] in (
        ["--gold-import v2/base.ttl.", "--import v1/base.ttl."], ["--import v1/base.ttl.", "--gold-import v2/base.ttl."]
    )  # fmt: skip


def test_the_advice_of_the_second_file_names_its_own_option() -> None:
    two = ("relate", "b", "x", "--ontology", "v1/main.ttl", "--with", "v2/main.ttl", "-m", "Rada(scale=distance)")
    options = advised(run(*two[:2], "a", *two[3:]).stderr)
    assert sorted(options) == ["--import", "--with-import", "v1/base.ttl", "v2/base.ttl"]
    result = run(*two, *options, "--json")
    assert "warning" not in result.stderr
    assert list(json.loads(result.stdout)["results"][0]["scores"].values()) == [3.0]  # b < a < top > x


def test_a_file_that_only_the_learned_side_imports_is_not_added_to_the_gold_standard() -> None:
    Path("whole.ttl").write_text(PREFIXES + ":b rdfs:subClassOf :a .", encoding="utf-8")
    result = run("compare", "v1/main.ttl", "--gold", "whole.ttl", "--import", "v1/base.ttl", "-m", "Concepts,LR")
    assert result.stderr == ""
    told = run(
        "compare", "v1/main.ttl", "--gold", "whole.ttl", "--import", "v1/base.ttl", "--gold-import", "v1/base.ttl"
    )
    assert told.stderr == ("note: whole.ttl: v1/base.ttl is added, though nothing imports it (--gold-import)\n")


def test_an_error_of_the_gold_standard_names_its_own_option() -> None:
    Path("gold.tsv").write_text("a\tb\t1\n")
    assert "Set --gold-columns child,parent,confidence or" in refused("compare", "v1/main.ttl", "--gold", "gold.tsv")


def test_files_of_both_releases_for_one_import_are_noted() -> None:
    result = run("compare", *SIDES, "--import", "v1/base.ttl", "--import", "v2/base.ttl")
    assert (
        "v1/main.ttl: import http://ex.org/1/base: several files are read for it: v1/base.ttl, v2/base.ttl (--import)\n"
    ) in result.stderr


def test_a_choice_between_folders_that_nothing_decides_is_noted() -> None:
    Path("own.ttl").write_text(PREFIXES + ":own a owl:Ontology ; owl:imports :base . :c rdfs:subClassOf :a .")
    ontology = oe.load_ontology("own.ttl", imports=["v2", "v1"])
    assert ontology.source.notes[0] == "import http://ex.org/base: v2/base.ttl is read, not v1/base.ttl (imports=)"
    Path("v1/base.ttl").write_bytes(Path("v2/base.ttl").read_bytes())  # the same file twice is no choice
    assert "is read, not" not in " ".join(oe.load_ontology("own.ttl", imports=["v2", "v1"]).source.notes)


def test_write_back_has_imports_of_the_gold_standard() -> None:
    arguments = ("write-back", *SIDES, "-m", "TP_csc", "-o", "out.ttl", "--import", "v1", "--gold-import")
    assert "is read for it" not in run(*arguments, "v2").stderr
    assert "v1/base.ttl is read for it" in run(*arguments, "v1").stderr


def test_relate_and_nearest_have_imports_of_the_second_file() -> None:
    two = ("--ontology", "v1/main.ttl", "--with", "v2/main.ttl", "--import", "v1", "--with-import", "v2")
    (pair,) = printed_json("relate", "b", "x", *two, "-m", "Rada(scale=distance)")["results"]
    assert list(pair["scores"].values()) == [3.0]  # b < a < top > x
    found = printed_json("nearest", "b", *two, "-m", "Rada")["nearest"]["Rada"]
    assert {entry["iri"]: entry["file"] for entry in found} == {
        "http://ex.org/a": "both", "http://ex.org/top": "both", "http://ex.org/x": "gold",
    }  # fmt: skip
    assert "--with-import needs --with" in refused("relate", "a", "b", *two[:2], "--with-import", "v2", code=2)


def test_proton_releases_are_compared_in_one_command(shared_data: Path) -> None:
    """SOURCE.md: 266 classes of 0.1 and 267 of 0.2, in files of the same names; an added root each."""
    proton = data_folder(shared_data, "proton")
    old, new = proton / "v0.1", proton / "v0.2"
    files = ("compare", old / "protonu.owl", "--gold", new / "protonu.owl", "--lenient", "--match", "name", "-m", "LP")
    modules = [f"{option}={folder / name}" for option, folder in (("--import", old), ("--gold-import", new))
               for name in ("protons.owl", "protont.owl")]  # fmt: skip
    right = (
        ("--import", old, "--gold-import", new), modules,
        ("--import", old, "--import", new), ("--import", new, "--import", old),
    )  # fmt: skip
    for imports in right:
        result = run(*files, *imports, "--json")
        assert "import http" not in result.stderr
        matching = json.loads(result.stdout)["results"][0]["matching"]
        assert (matching["learned"], matching["gold"]) == (267, 268)
    assert (
        "protons.owl is read for it, but its own IRI is http://proton.semanticweb.org/2005/04/protons"
        in run(*files, "--import", old).stderr
    )


def test_following_the_advice_on_proton_mixes_no_releases(shared_data: Path) -> None:
    """29 concepts with the added root are common: each side has its own protons, and one class of its own."""
    proton = data_folder(shared_data, "proton")
    files = (
        "compare",
        proton / "v0.1/protont.owl",
        "--gold",
        proton / "v0.2/protont.owl",
        "--lenient",
        "--match",
        "name",
    )
    options = advised(run(*files).stderr)
    assert options == ["--gold-import", f"{proton}/v0.2/protons.owl", "--import", f"{proton}/v0.1/protons.owl"]
    result = run(*files, *options, "--json")
    assert "warning" not in result.stderr
    assert "import" not in result.stderr
    matching = json.loads(result.stdout)["results"][0]["matching"]
    assert (matching["matched"], matching["novel"], matching["missing"]) == (29, 1, 1)


def test_an_error_about_columns_names_the_option_that_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work_in(tmp_path, monkeypatch, {"t.tsv": "parent\tchild\na\tb\n"})
    for typed, named in (
        (["--columns", "child,parent"], "--columns"),
        (["--columns", "parent,child", "--gold-columns", "child,parent"], "--gold-columns"),
    ):
        assert f"remove {named}, or correct the header line" in refused("compare", "t.tsv", "--gold", "t.tsv", *typed)
