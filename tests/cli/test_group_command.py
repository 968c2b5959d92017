"""`--group` of compare, annotations and labels: screens, files, RDF, what is refused; the example of the docs."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path

import pytest
from helpers import printed, refused, run, work_in

import ontoeval as oe

ROOT = Path(__file__).resolve().parents[2]
GOLD = "".join(f"c{n:02}\troot\n" for n in range(20))


def kept(count: int, start: int = 0) -> str:
    """Some of the concepts of the gold standard."""
    return "".join(f"c{n:02}\troot\n" for n in range(start, start + count))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Big has 17 to 20 of the 21 concepts, small 9 to 12; LR is (count + 1) / 21."""
    monkeypatch.setenv("COLUMNS", "80")
    files = {f"{name}_seed{n}.tsv": kept(size + n) for name, size in (("big", 15), ("small", 7)) for n in (1, 2, 3, 4)}
    return work_in(tmp_path, monkeypatch, {"gold.tsv": GOLD, **files})


RUNS = [f"{name}_seed{n}.tsv" for name in ("big", "small") for n in (1, 2, 3, 4)]
COMPARE = ("compare", *RUNS, "--gold", "gold.tsv", "-m", "LR", "--group", r"_seed\d+")


@pytest.mark.usefixtures("here")
def test_a_row_is_a_system() -> None:
    """Mean of 17..20 of 21, deviation of four numbers in a row: sqrt(5 / 3)."""
    assert printed(*COMPARE) == (
        "2 systems of 4 runs against gold.tsv (mean ±sd, * best)\n"
        "          LR\n"
        "  big     0.881 ±.061*\n"
        "  small   0.500 ±.061\n"
    )
    assert printed(*COMPARE[:-1], "auto") == printed(*COMPARE)
    assert pytest.approx(0.061, abs=5e-4) == (5 / 3) ** 0.5 / 21


@pytest.mark.usefixtures("here")
def test_tests_are_shown_by_letters_and_in_a_table_below() -> None:
    """8 runs, four and four apart: 2 of 70."""
    assert printed(*COMPARE, "--significance") == (
        "2 systems of 4 runs against gold.tsv (mean ±sd, * best; letters: better than, p\n"
        "< .05)\n"
        "            LR\n"
        "  a big     0.881 ±.061*b\n"
        "  b small   0.500 ±.061\n"
        "\n"
        "Exact permutation: 4 runs of each system\n"
        "  difference      LR       p\n"
        "  a - b       0.3810  0.0286\n"
    )
    assert "\na big & \\textbf{0.881} {\\scriptsize$\\pm$.061}$^{b}$ \\\\\n" in printed(
        *COMPARE, "--significance", "-f", "latex"
    )
    welch = printed(*COMPARE, "--test", "welch")
    assert "Welch's t: 4 runs of each system" in welch
    few = run("compare", *RUNS[:3], *RUNS[4:7], *COMPARE[9:], "--significance")
    assert few.stderr == "note: 2 systems of 3 runs cannot reach p < 0.05 (smallest 0.1)\n"


@pytest.mark.usefixtures("here")
def test_programs_get_every_number() -> None:
    document = json.loads(printed(*COMPARE, "--significance", "--json"))
    big, small = document["systems"]
    assert big["system"] == "big"
    assert big["runs"] == RUNS[:4]
    assert big["scores"]["LR"]["values"] == pytest.approx([count / 21 for count in (17, 18, 19, 20)])
    assert [entry["run"] for entry in document["results"]][::4] == ["big_seed1", "small_seed1"]
    (test,) = document["significance"]
    assert list(test) == ["measure", "left", "right", "difference", "interval", "p", "p_adjusted", "n", "test"]
    assert test["difference"] == pytest.approx(8 / 21)
    assert (test["p"], test["n"], test["test"]) == (pytest.approx(2 / 70), 8, "exact permutation")
    # 0.025 * 70 = 1.75 of 70 ways may be beyond: that of the runs themselves, and the one that swaps 17 with 12
    assert test["interval"] == pytest.approx([5 / 21, 11 / 21])
    assert small["scores"]["LR"]["mean"] == pytest.approx(10.5 / 21)
    rows = list(csv.DictReader(io.StringIO(printed(*COMPARE, "-f", "csv"))))
    assert [(row["system"], row["n"], row["undefined"]) for row in rows] == [("big", "4", "0"), ("small", "4", "0")]
    (row,) = csv.DictReader(io.StringIO(printed(*COMPARE, "--significance", "-f", "csv")))
    assert [float(row[name]) for name in ("difference", "p", "n")] == pytest.approx([8 / 21, 2 / 70, 8])


@pytest.mark.usefixtures("here")
def test_a_baseline_is_a_system() -> None:
    Path("mid_seed1.tsv").write_text(kept(14))
    Path("mid_seed2.tsv").write_text(kept(13))
    arguments = (*COMPARE[:9], "mid_seed1.tsv", "mid_seed2.tsv", *COMPARE[9:])
    result = run(*arguments, "--baseline", "mid")
    assert result.stdout.startswith("3 systems of 2 to 4 runs against gold.tsv")
    assert "\ntests against mid only\n" in result.stdout
    pairs = [line.split()[:3] for line in result.stdout.splitlines() if " - " in line]
    assert pairs == [["a", "-", "c"], ["b", "-", "c"]]
    assert "3 systems of 2 to 4 runs cannot reach p < 0.05" in result.stderr  # 2 x 2/15
    assert refused(*arguments, "--baseline", "mit") == ("'mit' is not one of the systems. Use one of: big, small, mid.")


@pytest.mark.usefixtures("here")
def test_the_system_and_the_name_of_the_run_are_stored() -> None:
    Path("big_seed2.tsv").write_text(Path("big_seed1.tsv").read_text())  # two equal runs stay two
    printed(*COMPARE, "-o", "s.trig")
    stored = oe.read_scores("s.trig")
    assert sorted(result.system for result in stored) == ["big"] * 4 + ["small"] * 4
    assert {result.settings["run"] for result in stored} == {Path(path).stem for path in RUNS}
    assert {Path(result.judged.path).name for result in stored} == set(RUNS)
    assert oe.ResultTable(stored).group().systems[0]["LR"].n == 4


@pytest.mark.usefixtures("here")
def test_a_failed_check_names_the_run() -> None:
    result = run(*COMPARE, "--fail-under", "LR=0.45")
    assert (result.exit_code, result.stderr) == (3, "failed: small_seed1: LR 0.429 < 0.450\n")


@pytest.mark.usefixtures("here")
def test_undefined_scores_are_a_warning() -> None:
    """Without two common concepts there is no Preserved."""
    Path("big_seed4.tsv").write_text("x\ty\n")
    result = run(*COMPARE[:-4], "-m", "LR,Preserved", *COMPARE[-2:], "--json")
    scores = json.loads(result.stdout)["systems"][0]["scores"]
    undefined = scores["Preserved"]["undefined"]
    assert (undefined, scores["Preserved"]["n"], scores["Preserved"]["values"][3]) == (1, 3, None)
    text = "big: Preserved is undefined in 1 of 4 runs, left out of mean and sd"
    assert text in json.loads(result.stdout)["warnings"]
    assert f"warning: {text}\n" in result.stderr


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--group", "["], 1, "'[' is not a regular expression"),
        (["--group", "_sead"], 1, "no run name matches '_sead': no_seed1, no_seed2."),
        (["--group", "seed"], 1, "each of the 2 runs is a system of its own: no_1, no_2."),
        (["--group", "runs.csv:model"], 1, "runs.csv: no such file."),
        (["--group", "auto", "--intervals"], 2, "--intervals is for single runs. Remove it, or --group."),
        (["--test", "welch"], 2, "--test needs --group."),
    ],
)
@pytest.mark.parametrize("command", ["compare", "annotations", "labels"])
def test_what_cannot_be_grouped_is_refused_before_anything_is_loaded(
    command: str, options: list[str], code: int, message: str
) -> None:
    found = refused(command, "no_seed1.x", "no_seed2.x", "--gold", "nowhere.x", *options, code=code)
    assert message in found


@pytest.mark.usefixtures("here")
def test_one_system_is_a_row_and_has_nothing_to_be_tested_against() -> None:
    one = ("compare", *RUNS[:4], *COMPARE[9:])
    assert printed(*one).startswith("1 system of 4 runs against gold.tsv (mean ±sd)\n")
    assert refused(*one, "--significance") == "--significance needs at least two systems, and there is one: big."


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.usefixtures("here")
def test_numbers_are_whole_however_narrow_the_terminal_is(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = printed(*COMPARE[:-4], "-m", "classic", *COMPARE[-2:], "--significance")
    assert max(map(len, text.splitlines())) <= columns
    numbers = re.findall(r"\d\.\d{3} ±\.\d{3}", text)
    assert len(numbers) == 2 * 12


@pytest.mark.usefixtures("here")
def test_a_file_names_the_systems() -> None:
    lines = [f"{path},{'A & B' if path.startswith('big') else 'C_1'}" for path in RUNS]
    Path("runs.csv").write_text("\n".join(["run,model", *lines]))
    rows = printed(*COMPARE[:-1], "runs.csv:model", "-f", "latex").splitlines()[5:7]
    assert [row.split(" & \\")[0].split(" & 0")[0] for row in rows] == ["A \\& B", "C\\_1"]


def test_responses_and_predictions_are_grouped_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """near and far have 4 of 16 right, whatever the copy; of the labels 3 and 2, or 1 and 0, of 4."""
    monkeypatch.chdir(tmp_path)
    fixtures = ROOT / "fixtures/annotations"
    for name in ("near", "far"):
        for copy in (1, 2):
            shutil.copytree(fixtures / name, f"{name}-run{copy}")
    arguments = ("near-run1", "near-run2", "far-run1", "far-run2", "--gold", fixtures / "key", "--group", "auto")
    lines = run("annotations", *arguments, "-m", "F", "--significance").stdout.splitlines()
    assert lines[0].startswith("2 systems of 2 responses against key (mean ±sd, * best; letters")
    assert [line.split()[:4] for line in lines if "±." in line] == [
        ["a", "near", "0.258", "±.000"], ["b", "far", "0.258", "±.000"],
    ]  # fmt: skip
    assert lines[-1].split() == ["a", "-", "b", "0.0000", "1.0000"]
    Path("gold.tsv").write_text("".join(f"d{n}\tx\n" for n in range(4)))
    for name, right in (("good.1", 3), ("good.2", 2), ("bad.1", 1), ("bad.2", 0)):
        Path(f"{name}.tsv").write_text("".join(f"d{n}\t{'x' if n < right else 'y'}\n" for n in range(4)))
    files = ("good.1.tsv", "good.2.tsv", "bad.1.tsv", "bad.2.tsv", "--gold", "gold.tsv", "--group", "auto")
    text = printed("labels", *files, "-m", "LabelF")
    assert text.startswith("2 systems of 2 predictions against gold.tsv (mean ±sd, * best)\n")
    assert [line.split() for line in text.splitlines()[2:]] == [["good", "0.625", "±.177*"], ["bad", "0.125", "±.177"]]
    for path in Path().glob("*d.?.tsv"):
        path.write_text("".join(f"{line}\t0.5\n" for line in path.read_text().splitlines()))
    ranks = printed("labels", *files, "-m", "APrec,RPrec", remarks=True)
    assert [line.split()[:3] for line in ranks.splitlines()[-3:]] == [
        ["good", "bad", "tau"], ["APrec", "1", "2"], ["RPrec", "1", "2"],
    ]  # fmt: skip


def test_sets_of_annotations_are_runs_by_their_names() -> None:
    sides = ("a", "--gold", "key", "--set", "A1", "--set", "A2", "--ontology", "news.ttl")
    found = refused("annotations", *sides, "--variant", "link-1", "--group", "auto", code=2)
    assert found.splitlines()[0] == "--group cannot be used with --variant. Keep one."
