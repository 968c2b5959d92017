"""Runs of one system: which run is whose, means and deviations, and the forms of their table."""

from __future__ import annotations

import doctest
import json
import math
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers import refusal
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.analysis import groups as groups_module
from ontoeval.analysis.groups import SystemScore, system_names
from ontoeval.errors import LoadError, ParameterError
from ontoeval.evaluation import evaluate
from ontoeval.load import load_ontology
from ontoeval.measures import parse
from ontoeval.model.ontology import Ontology, Source
from ontoeval.results import EvaluationResult, MeasureResult, ResultTable, Score
from ontoeval.results import result_table as results_module
from ontoeval.tables import Layout
from ontoeval.tasks.comparison import Comparison

LF, TED = parse("LF"), parse("TED")  # TED: a distance, 0 is best


def run(path: str, *values: float, gold: str = "gold.ttl") -> EvaluationResult:
    """A run with LF and TED; nan is undefined."""
    scores = [
        MeasureResult(name, measure, Score.impossible("nothing to compare") if math.isnan(value) else Score(value))
        for name, measure, value in zip(("LF", "TED"), (LF, TED), values, strict=False)
    ]
    inputs = {"learned": Source(path=path), "gold": Source(path=gold)}
    return EvaluationResult("comparison", inputs, {}, tuple(scores), parse, key=path, system=Path(path).stem)


# which run is whose


@pytest.mark.parametrize(
    ("by", "paths", "systems"),
    [
        ("auto", ["a_seed1.ttl", "a_seed2.ttl", "b_seed1.ttl"], ["a", "a", "b"]),
        ("auto", ["a1.ttl", "a2.ttl", "b-run-01.obo.gz", "b-run-02.obo.gz"], ["a", "a", "b", "b"]),
        ("auto", ["x/a.1.tsv", "x/a.2.tsv", "x/b.Fold_3.tsv"], ["a", "a", "b"]),
        ("auto", ["a/run1.ttl", "a/run2.ttl", "b/run1.ttl"], ["a", "a", "b"]),
        ("auto", ["a_seed1/", "a_seed2/", "b_seed1/"], ["a", "a", "b"]),  # directories of annotations
        ("auto", ["bert4_seed1.ttl", "bert4_seed2.ttl", "bert8_seed1.ttl"], ["bert4", "bert4", "bert8"]),
        (r"_seed\d+", ["env.a_seed1.taxo", "env.a_seed22.taxo", "env.b.taxo"], ["a", "a", "b"]),
        (r"seed\d+", ["seed1-a.ttl", "seed2-a.ttl", "seed1-b.ttl"], ["a", "a", "b"]),
        (r"\d+/", ["1/a.ttl", "2/a.ttl", "1/b.ttl"], ["a", "a", "b"]),
        (r"_s\d", ["a_s1_x.ttl", "a_s2_x.ttl", "b_s1_x.ttl"], ["a", "a", "b"]),
    ],
)
def test_the_match_is_removed_from_the_names_of_runs(by: str, paths: list[str], systems: list[str]) -> None:
    assert system_names(paths, by) == systems


def test_given_names_are_taken_as_they_are() -> None:
    assert system_names(["1.ttl", "2.ttl", "3.ttl"], "auto", ["GPT 4.1", "GPT 4.2", "T5"]) == ["GPT 4", "GPT 4", "T"]
    assert system_names(["x", "y"], "_.$", ["the_a", "the_b"]) == ["the", "the"]


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("[", r"'[' is not a regular expression: unterminated character set at position 0. Use e.g. '_seed\d+'."),
        ("_x", "no run name matches '_x': a_s1, a_s2. Use e.g. '_seed\\d+', or a file: runs.csv:COLUMN."),
        (".*", "nothing is left of the name 'a_s1' without '.*'. Use a pattern that leaves the name of the system."),
        ("_s", "each of the 2 runs is a system of its own: a1, a2. Use a pattern or a file that gives runs one name."),
    ],
)
def test_a_pattern_that_makes_no_systems_is_refused(by: str, message: str) -> None:
    table = ResultTable([run("a_s1.ttl", 1.0), run("a_s2.ttl", 1.0)])
    assert refusal(ParameterError, table.group, by) == message


def test_words_without_a_final_number_are_refused_by_auto() -> None:
    message = refusal(ParameterError, system_names, ["b.ttl", "c.ttl"], "auto")
    assert message.startswith("no run name ends in a number: b, c.")


def test_one_run_and_several_gold_standards_are_refused() -> None:
    assert refusal(ParameterError, ResultTable([run("a1.ttl", 1.0)]).group, "auto") == (
        "there is only one run: a. Give several runs of a system."
    )
    mixed = ResultTable([run("a1.ttl", 1.0), run("a2.ttl", 1.0, gold="other.ttl")])
    assert "different gold standards" in refusal(ParameterError, mixed.group, "auto")


def test_a_file_says_which_run_is_of_which_system(tmp_path: Path) -> None:
    file = tmp_path / "runs.csv"
    file.write_text("run,seed,model\nx/a.ttl,1,Big\nb.ttl,2,Big\nc,3,Small one\nother,4,X\n")
    paths = ["x/a.ttl", "x/b.ttl", "x/c.ttl"]
    assert system_names(paths, f"{file}:model") == ["Big", "Big", "Small one"]
    assert system_names(paths, f"{file}:seed") == ["1", "2", "3"]
    assert refusal(ParameterError, system_names, [*paths, "x/d.ttl", "e.ttl"], f"{file}:model") == (
        f"{file}: 2 runs have no system: x/d.ttl, e.ttl. "
        "Add each run by its path, its file's name or the name of its row."
    )
    assert refusal(LoadError, system_names, paths, f"{file}:modle") == (
        f"{file}: no column 'modle' after the run column. Did you mean 'model'? Use one of: seed, model."
    )
    file.write_text("run\tmodel\na\tBig\na\tSmall\n")
    assert refusal(LoadError, system_names, paths, f"{file}:model") == (
        f"{file}, line 3: run 'a' belongs to both 'Big' and 'Small'. Keep one."
    )
    file.write_text("run\tmodel\nx/a.ttl\t\n")
    assert "line 2: 'x/a.ttl' has no model." in refusal(LoadError, system_names, paths, f"{file}:model")
    assert "no such file" in refusal(LoadError, system_names, paths, f"{tmp_path}/none.csv:model")


def test_a_mapping_or_the_systems_of_the_results_group_them_too() -> None:
    results = [run("a.ttl", 0.5), run("b.ttl", 1.0), run("c.ttl", 0.0)]
    assert ResultTable(results).group({"a": "X", "b.ttl": "X", "c": "Y"}).rows == ("X", "Y")
    of_one = [replace(result, system=system) for result, system in zip(results, "XXY", strict=True)]
    assert ResultTable(of_one).group().rows == ("X", "Y")


def test_rows_and_groups_take_the_names_that_comparisons_were_given() -> None:
    """Ontologies that were made in memory have no file, and damaged copies all have that of the original."""
    gold = Ontology.from_edges([("van", "car"), ("car", "vehicle"), ("bike", "vehicle")])
    task = Comparison(gold, gold)
    names = ("a_seed1", "a_seed2", "b_seed1", "b_seed2")
    table = ResultTable([evaluate(task, "LF", system=name) for name in names])
    assert (table.rows, table.group("auto").rows) == (names, ("a", "b"))
    assert table.group({"a_seed1": "X", "a_seed2": "Y", "b_seed1": "Y", "b_seed2": "Y"}).rows == ("X", "Y")
    assert ResultTable(table.results, ["1", "2", "3", "4"]).rows == ("1", "2", "3", "4")  # a table's own go before


def test_a_name_that_is_that_of_the_file_is_not_a_given_one() -> None:
    folder = Path(__file__).resolve().parents[2] / "fixtures" / "dellschaft2006"
    gold = load_ontology(folder / "or2.ttl")
    task = Comparison(load_ontology(folder / "oc4.ttl"), gold)
    assert (evaluate(task, "LF").given_name, evaluate(task, "LF", system="mine").given_name) == (None, "mine")


def test_runs_keep_their_names_and_get_the_system() -> None:
    twins = [run("a_1.ttl", 0.5), run("a_2.ttl", 0.5), run("b_1.ttl", 0.5)]
    found = ResultTable(twins).group("auto").results
    assert [(result.system, result.settings["run"]) for result in found] == [("a", "a_1"), ("a", "a_2"), ("b", "b_1")]
    assert [result.judged.path for result in found] == ["a_1.ttl", "a_2.ttl", "b_1.ttl"]
    assert len({result.key for result in found} | {result.key for result in twins}) == 6


# means and deviations


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8))
def test_mean_and_deviation_are_those_of_the_definition(values: list[float]) -> None:
    score = SystemScore(LF, tuple(values), 0)
    mean = math.fsum(values) / len(values)
    assert score.mean == pytest.approx(mean)
    assert score.sd == pytest.approx(
        math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)), abs=1e-9
    )
    assert SystemScore(LF, tuple(reversed(values)), 0).mean == score.mean


def test_what_has_no_mean_or_deviation_has_none() -> None:
    assert (SystemScore(LF, (), 3).mean, SystemScore(LF, (), 3).sd, SystemScore(LF, (), 3).n) == (None, None, 0)
    assert (SystemScore(LF, (0.5,), 0).mean, SystemScore(LF, (0.5,), 0).sd) == (0.5, None)
    assert SystemScore(LF, (0.1, 0.1, 0.1), 0).mean == SystemScore(LF, (0.1,) * 7, 0).mean == 0.1
    assert SystemScore(LF, (0.1, 0.1, 0.1), 0).sd == 0.0
    assert (SystemScore(LF, (0.5, math.inf), 0).mean, SystemScore(LF, (0.5, math.inf), 0).sd) == (math.inf, None)
    assert SystemScore(LF, (-math.inf, math.inf), 0).mean is None


NAN = math.nan
TABLE = ResultTable(
    [run("a_1.ttl", 0.25, 2.0), run("a_2.ttl", 0.75, 4.0), run("b_1.ttl", 0.5, 9.0), run("b_2.ttl", NAN, 9.0)]
).group("auto")


def test_undefined_scores_are_left_out_and_counted() -> None:
    score = TABLE.systems[1]["LF"]
    assert (score.mean, score.sd, score.n, score.undefined) == (0.5, None, 1, 1)


def test_the_best_mean_is_marked_by_the_measure() -> None:
    """LF: both 0.5; TED: 3 is nearer to 0 than 9."""
    rows = TABLE.to_markdown().splitlines()[2:]
    assert rows == ["| a | 0.500 ±.354 | **3.000** ±1.414 |", "| b | 0.500 | 9.000 ±.000 |"]


def test_spreadsheets_have_a_row_for_each_system_and_measure() -> None:
    lines = TABLE.to_csv().splitlines()
    assert lines == [
        "system,measure,mean,sd,n,undefined,values",
        f"a,LF,0.5,{statistics.stdev([0.25, 0.75])!r},2,0,0.25 0.75",
        f"a,TED,3.0,{statistics.stdev([2.0, 4.0])!r},2,0,2.0 4.0",
        "b,LF,0.5,,1,1,0.5",
        "b,TED,9.0,0.0,2,0,9.0 9.0",
    ]
    assert TABLE.to_tsv().replace("\t", ",") == TABLE.to_csv()
    assert json.loads(TABLE.render("json"))[2] == {
        "system": "b", "measure": "LF", "mean": 0.5, "sd": None, "n": 1, "undefined": 1, "values": "0.5",
    }  # fmt: skip


def test_json_has_the_values_of_the_runs_in_their_order() -> None:
    system = TABLE.to_dict()[1]
    assert (system["system"], system["runs"]) == ("b", ["b_1.ttl", "b_2.ttl"])
    assert system["scores"]["LF"] == {"mean": 0.5, "sd": None, "n": 1, "undefined": 1, "values": [0.5, None]}
    infinite = ResultTable([run("a_1.ttl", math.inf), run("a_2.ttl", 1.0)]).group("auto").to_dict()
    assert json.loads(json.dumps(infinite, allow_nan=False))[0]["scores"]["LF"]["mean"] == "inf"


def test_a_table_of_systems_is_one_line_in_a_session() -> None:
    assert repr(TABLE) == "<GroupedTable of 2 systems, 4 runs: LF, TED>"


def test_a_frame_has_systems_and_measures_as_index() -> None:
    pytest.importorskip("pandas")
    frame = TABLE.to_frame()
    assert frame.loc[("a", "LF"), "mean"] == 0.5
    assert frame["mean"].unstack().loc["b", "TED"] == 9.0
    assert frame.loc[("b", "LF"), "undefined"] == 1
    assert frame.loc[("a", "TED"), "values"] == (2.0, 4.0)


def test_tests_are_those_of_the_runs_and_letters_name_the_worse() -> None:
    """2 and 4 against 9 and 9: 6 ways, so p is 2/6 at least, and nothing is significant; five and five apart are."""
    (lf, ted) = (TABLE.test().tests or ())[:2]
    assert (ted.measure, ted.p) == ("TED", pytest.approx(2 / 6))
    assert (lf.n, lf.difference) == (3, 0.0)
    runs = [run(f"{name}_{n}.ttl", start + n / 100) for name, start in (("a", 0.1), ("b", 0.5)) for n in range(5)]
    tested = ResultTable(runs).group("auto").test()
    assert tested.to_markdown().splitlines()[2:] == ["| a a | 0.120 ±.016 |", "| b b | **0.520** ±.016 a |"]
    assert "b b & \\textbf{0.520} {\\scriptsize$\\pm$.016}$^{a}$ \\\\" in tested.to_latex()
    assert tested.test(baseline="a").better == {(1, "LF"): [0]}
    assert [test.test for test in tested.test(test="welch").tests or ()] == ["Welch's t"]
    assert refusal(ParameterError, tested.test, "c") == "'c' is not one of the systems. Use one of: a, b."


def test_the_letters_of_a_distance_name_what_is_farther_from_the_best() -> None:
    runs = [run(f"{name}_{n}.ttl", 0.5, start + n) for name, start in (("a", 10.0), ("b", 50.0)) for n in range(5)]
    assert ResultTable(runs).group("auto").test().better == {(0, "TED"): [1]}


def test_every_layout_has_each_system() -> None:
    for layout in Layout:
        text = TABLE.test().render(layout)
        assert "nan" not in text
        assert all(name in text for name in ("a", "b", "LF", "TED"))
    assert "<td>0.500 <small>±.354</small></td>" in TABLE._repr_html_()


def test_single_runs_are_tested_by_paired_randomisation() -> None:
    gold = Ontology.from_edges([(f"c{n:02}", "root") for n in range(20)])
    small = Ontology.from_edges([(f"c{n:02}", "root") for n in range(4)])
    table = ResultTable([evaluate(Comparison(side, gold), ["LR", "LF"]) for side in (small, gold)], ["small", "gold"])
    tested = table.test(measures=["LR"], rounds=999)
    (test,) = tested.tests or ()
    assert (test.measure, test.test, test.difference) == ("LR", "paired randomisation", pytest.approx(5 / 21 - 1))
    assert (test.p or 0) < 0.05
    low, high = test.interval or (0, 0)
    assert low <= (test.difference or 0) <= high < 0
    rows = [row.split(" & ") for row in tested.to_latex().splitlines()[4:6]]
    assert [row[:2] for row in rows] == [["a small", "0.238"], ["b gold", "\\textbf{1.000}$^{a}$"]]


@pytest.mark.parametrize("module", [groups_module, results_module])
def test_examples_of_docstrings_show_what_they_print(module: Any) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
