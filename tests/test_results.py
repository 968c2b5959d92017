"""What an evaluation says: one task, several side by side, and in which forms."""

from __future__ import annotations

import csv
import io
import json
import math
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.errors import UnknownMeasureError
from ontoeval.evaluation import evaluate
from ontoeval.measures import parse
from ontoeval.model.ontology import Ontology, Source
from ontoeval.results import (
    EvaluationResult,
    LocalScores,
    MeasureResult,
    NamedScore,
    NamedScores,
    Names,
    ResultTable,
    Score,
    harmonic,
    plain,
    ratio,
)
from ontoeval.tables import Layout
from ontoeval.tasks.comparison import Comparison


class Judge:
    """Stands where a measure stands, for its `best` alone."""

    def __init__(self, best: float | None) -> None:
        self.best = best

    def __str__(self) -> str:
        return "Judge"


HIGH, LOW, NEITHER, ENDLESS = Judge(1.0), Judge(0.0), Judge(None), Judge(math.inf)


def score(name: str, value: float, judge: Judge = HIGH, **more: Any) -> MeasureResult:
    if math.isnan(value):
        return MeasureResult(name, judge, Score.impossible("there is nothing to divide by"), **more)
    return MeasureResult(name, judge, Score(value, counts={"common": 4}), **more)


def result(path: str, *scores: MeasureResult) -> EvaluationResult:
    inputs = {"learned": Source(path=path), "gold": Source(path="gold.ttl")}
    return EvaluationResult("comparison", inputs, {"matching": {"by": "iri"}}, scores, parse)


def marked(table: ResultTable) -> list[list[bool]]:
    """Which values are in bold, row by row, as Markdown says it."""
    lines = table.to_markdown().splitlines()[2:]
    return [["**" in cell for cell in line.split("|")[2:-1]] for line in lines]


# scores


@pytest.mark.parametrize(("part", "whole", "other", "expected"), [(1, 2, 0, 0.5), (0, 0, 0, 1.0), (0, 0, 3, 0.0)])
def test_nothing_of_nothing_is_right_only_if_the_other_side_has_nothing_either(
    part: int, whole: int, other: int, expected: float
) -> None:
    assert ratio(part, whole, other=other) == expected


SHARES = st.just(0.0) | st.floats(1e-9, 1)


@given(SHARES, SHARES)
def test_the_harmonic_mean_is_between_its_two_values(left: float, right: float) -> None:
    found = float(harmonic(left, right))
    assert min(left, right) * (1 - 1e-9) <= found <= max(left, right) * (1 + 1e-9)
    assert found == float(harmonic(right, left))
    assert math.isclose(found, 0.0 if left + right == 0 else 2 * left * right / (left + right))


def test_the_harmonic_mean_works_number_by_number() -> None:
    assert harmonic(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.5])).tolist() == [0.0, 0.5, 2 / 3]


def test_a_score_of_scores_is_undefined_if_one_of_them_is() -> None:
    good, bad = Score(0.5, counts={"a": 1}), Score.impossible("no label", b=2)
    made = Score.of(harmonic, good, bad)
    assert math.isnan(made.value)
    assert made.undefined == "no label"
    assert made.counts == {"a": 1, "b": 2}
    fine = Score.of(harmonic, good, Score(1.0, counts={"c": 3}))
    assert fine.value == pytest.approx(2 / 3)
    assert fine.counts == {"a": 1, "c": 3}
    assert fine.combine is harmonic
    assert [part.value for part in fine.parts] == [0.5, 1.0]


def test_the_mean_of_no_values_is_what_was_agreed() -> None:
    nothing = LocalScores("learned", np.array([], dtype=np.int32), np.array([]))
    assert Score.mean(nothing).value == 0.0
    assert Score.mean(nothing, empty=1.0, common=0).value == 1.0
    some = LocalScores("learned", np.array([0, 1]), np.array([0.25, 0.5]))
    assert Score.mean(some, common=2).value == 0.375
    assert Score.mean(some, common=2).counts == {"common": 2}
    with pytest.raises(ValueError, match="read-only"):
        some.values[0] = 1.0


# local scores


def named(**values: float) -> NamedScores:
    """Concepts x1, x2, ... whose ids run against their names, so that IRI and id order differ."""
    iris = sorted(values, reverse=True)
    return NamedScores(
        "learned", Names(iris, lambda c: iris[c].upper()), np.arange(len(iris)), np.array([values[iri] for iri in iris])
    )


def test_the_worst_come_first_and_ties_go_by_iri() -> None:
    scores = named(a=1.0, b=0.0, c=0.5, d=0.0, e=0.5, f=0.5)
    assert scores.worst(3) == [NamedScore("b", "B", 0.0), NamedScore("d", "D", 0.0), NamedScore("c", "C", 0.5)]
    assert [s.iri for s in scores.worst()] == ["b", "d", "c", "e", "f", "a"]
    assert scores.worst(0) == scores.worst(-1) == []
    assert [s.iri for s in replace(scores, best=0.0).worst(1)] == ["a"]
    assert [s.iri for s in replace(scores, best=0.5).worst(2)] == ["a", "b"]
    assert [s.iri for s in replace(scores, best=math.inf).worst(1)] == ["b"]


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=9), st.integers(-1, 10))
def test_the_worst_are_the_first_of_all_in_order(values: list[float], count: int) -> None:
    scores = named(**{f"x{n}": value for n, value in enumerate(values)})
    everything = sorted((value, f"x{n}") for n, value in enumerate(values))
    assert [(s.value, s.iri) for s in scores.worst(count)] == everything[: max(count, 0)]


def test_local_scores_come_by_id_or_by_iri() -> None:
    scores = named(a=1.0, b=0.25)
    assert scores.all() == [NamedScore("b", "B", 0.25), NamedScore("a", "A", 1.0)]
    assert scores.to_dict() == {"a": 1.0, "b": 0.25}
    assert len(scores) == 2


# one evaluation


def test_a_score_is_found_by_any_spelling_of_its_name() -> None:
    ontology = Ontology.from_edges([("a", "b"), ("c", "b")])
    found = evaluate(Comparison(ontology, ontology), ["TP", "TP (extract = sc)", "LF"])
    for name in ("TP", "TP_csc", "TP(over=common, extract=csc)", " TP_csc ", "TP()"):
        assert found[name].name == "TP"
    for name in ("TP(extract=sc)", "TP (extract = sc)", "TP(over=common,extract=sc)"):
        assert found[name].name == "TP (extract = sc)"
    assert [score.name for score in found] == ["TP", "TP (extract = sc)", "LF"]


def test_a_score_that_was_not_computed_is_refused() -> None:
    found = result("a.ttl", score("TP_csc", 0.5), score("LF", 1.0))
    with pytest.raises(UnknownMeasureError) as caught:
        found["TP_sc"]
    assert str(caught.value) == "'TP_sc' was not computed. Did you mean 'TP_csc'? Computed: TP_csc, LF."
    with pytest.raises(UnknownMeasureError) as caught:
        found["SM"]
    assert str(caught.value) == "'SM' was not computed. Computed: TP_csc, LF."
    with pytest.raises(UnknownMeasureError) as caught:
        found["TP_cs"]
    assert str(caught.value) == ("unknown measure 'TP_cs'. Did you mean 'TP_csc' or 'TP_sc'? See `ontoeval measures`.")


def test_json_has_null_with_a_reason_apart_and_says_infinite_in_words() -> None:
    found = result(
        "a.ttl", score("A", 2 / 3), score("B", math.nan), score("C", math.inf), score("D", -math.inf)
    ).to_dict()
    assert found == {
        "system": "",
        "learned": "a.ttl",
        "gold": "gold.ttl",
        "sha256": {},
        "matching": {"by": "iri"},
        "scores": {"A": 2 / 3, "B": None, "C": "inf", "D": "-inf"},
        "canonical_names": dict.fromkeys("ABCD", "Judge"),
        "undefined": {"B": "there is nothing to divide by"},
        "counts": {"A": {"common": 4}, "B": {}, "C": {"common": 4}, "D": {"common": 4}},
    }
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_json_has_intervals_where_there_are_some() -> None:
    found = result("a.ttl", score("A", 0.5, interval=(0.25, 0.75)), score("B", 0.5)).to_dict()
    assert found["intervals"] == {"A": [0.25, 0.75]}


def test_json_can_say_an_interval_without_an_end() -> None:
    found = result("a.ttl", score("A", 0.5, interval=(0.25, math.inf))).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False))["intervals"] == {"A": [0.25, "inf"]}


def test_every_default_score_can_be_said_in_json() -> None:
    learned, gold = Ontology.from_edges([("a", "b"), ("c", "d")]), Ontology.from_edges([("a", "b"), ("c", "b")])
    found = evaluate(Comparison(learned, gold)).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize(
    ("value", "expected"), [(math.nan, None), (math.inf, "inf"), (-math.inf, "-inf"), (0.5, 0.5), (3, 3)]
)
def test_a_number_is_said_as_json_can(value: float, expected: float | str | None) -> None:
    assert plain(value) == expected


def test_a_score_shows_its_value_or_the_reason() -> None:
    assert repr(score("A", 0.5)) == "<A: 0.5000>"
    assert repr(score("A", math.nan)) == "<A: there is nothing to divide by>"
    assert (score("A", 0.5).counts, score("A", 0.5).undefined) == ({"common": 4}, None)


def test_a_notebook_shows_an_evaluation_as_a_table() -> None:
    html = result("<a>.ttl", score("A", 0.5), score("B", math.nan))._repr_html_()
    assert "<caption>&lt;a&gt;.ttl against gold.ttl</caption>" in html
    assert "<tr><th>A</th><td>0.500</td></tr>\n<tr><th>B</th><td>–</td></tr>" in html


# several side by side

TABLE = ResultTable(
    [
        result(
            "x/one.ttl", score("TP_csc", 0.75, interval=(0.5, 1.0)), score("Err", 0.25, LOW), score("N", 7.0, NEITHER)
        ),
        result(
            "x/two.ttl", score("TP_csc", 0.5, interval=(0.25, 0.75)), score("Err", 0.125, LOW), score("N", 9.0, NEITHER)
        ),
        result("x/six.ttl", score("TP_csc", math.nan), score("Err", 0.5, LOW), score("Late", 0.5)),
    ]
)


def test_rows_are_files_and_columns_are_measures_in_the_order_they_came() -> None:
    assert TABLE.rows == ("one", "two", "six")
    assert TABLE.paths == ("x/one.ttl", "x/two.ttl", "x/six.ttl")
    assert ResultTable(TABLE.results, ["A", "B", "C"]).rows == ("A", "B", "C")
    assert TABLE.measures == ("TP_csc", "Err", "N", "Late")


def test_markdown_has_the_best_of_each_column_in_bold() -> None:
    assert TABLE.to_markdown() == (
        "|  | TP_csc | Err | N | Late |\n"
        "| --- | ---: | ---: | ---: | ---: |\n"
        "| one | **0.750 [0.500, 1.000]** | 0.250 | 7 | – |\n"
        "| two | 0.500 [0.250, 0.750] | **0.125** | 9 | – |\n"
        "| six | – | 0.500 | – | 0.500 |\n"
    )


def test_latex_has_the_best_of_each_column_in_bold() -> None:
    assert TABLE.to_latex() == (
        "\\begin{tabular}{lrrrr}\n\\toprule\n"
        " & TP\\_csc & Err & N & Late \\\\\n\\midrule\n"
        "one & \\textbf{0.750 [0.500, 1.000]} & 0.250 & 7 & -- \\\\\n"
        "two & 0.500 [0.250, 0.750] & \\textbf{0.125} & 9 & -- \\\\\n"
        "six & -- & 0.500 & -- & 0.500 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    )


def test_html_has_the_best_of_each_column_in_bold() -> None:
    html = TABLE.render("html", title="Scores")
    assert html == TABLE._repr_html_().replace("<table>", "<table><caption>Scores</caption>")
    assert "<tr><th>two</th><td>0.500 [0.250, 0.750]</td><td><b>0.125</b></td><td>9</td><td>–</td></tr>" in html


def test_a_terminal_has_a_star_at_the_best_and_measures_as_rows_where_it_is_narrow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"Measure{n}" for n in range(5)]
    table = ResultTable(
        [result(path, *(score(name, value) for name in names)) for path, value in (("a", 0.5), ("b", 1.0))]
    )
    assert [line.split() for line in table.to_text().splitlines()] == [
        names, ["a", *["0.500"] * 5], ["b", *["1.000*"] * 5],
    ]  # fmt: skip
    monkeypatch.setenv("COLUMNS", "50")
    assert [line.split() for line in table.to_text().splitlines()] == [
        ["a", "b"], *([name, "0.500", "1.000*"] for name in names),
    ]  # fmt: skip


@pytest.mark.parametrize(("layout", "delimiter"), [("tsv", "\t"), ("csv", ",")])
def test_a_spreadsheet_gets_exact_numbers_and_intervals_in_columns_of_their_own(layout: Any, delimiter: str) -> None:
    lines = list(csv.reader(io.StringIO(TABLE.render(layout)), delimiter=delimiter))
    assert lines == [
        ["", "TP_csc", "TP_csc low", "TP_csc high", "Err", "N", "Late"],
        ["x/one.ttl", "0.75", "0.5", "1.0", "0.25", "7.0", ""],
        ["x/two.ttl", "0.5", "0.25", "0.75", "0.125", "9.0", ""],
        ["x/six.ttl", "", "", "", "0.5", "", "0.5"],
    ]
    assert TABLE.render(layout) == (TABLE.to_tsv() if layout == "tsv" else TABLE.to_csv())


def test_a_measure_name_with_commas_is_one_column_of_a_csv() -> None:
    text = ResultTable([result("a", score("TP(extract=sc, over=common)", 1 / 3))]).to_csv()
    assert list(csv.reader(io.StringIO(text))) == [["", "TP(extract=sc, over=common)"], ["a", repr(1 / 3)]]


def test_all_that_are_equally_good_are_marked() -> None:
    table = ResultTable([result(name, score("A", value)) for name, value in (("a", 0.5), ("b", 0.25), ("c", 0.5))])
    assert marked(table) == [[True], [False], [True]]


def test_better_is_nearer_to_the_best_value() -> None:
    rows = [("a", 0.5, 3.0), ("b", 1.25, 8.0), ("c", 2.0, 4.0)]
    table = ResultTable([result(n, score("A", v), score("B", w, ENDLESS), score("C", v, LOW)) for n, v, w in rows])
    assert marked(table) == [[False, False, True], [True, True, False], [False, False, False]]


def test_an_infinite_value_is_the_best_where_more_is_better() -> None:
    table = ResultTable([result("a", score("A", 5.0, ENDLESS)), result("b", score("A", math.inf, ENDLESS))])
    assert marked(table) == [[False], [True]]


def test_a_single_row_has_nothing_to_be_better_than() -> None:
    assert marked(ResultTable([result("a", score("A", 1.0), score("B", 0.0, LOW))])) == [[False, False]]


def test_undefined_scores_are_never_the_best() -> None:
    table = ResultTable([result("a", score("A", math.nan)), result("b", score("A", math.nan))])
    assert marked(table) == [[False], [False]]


def test_precision_and_title_can_be_chosen() -> None:
    table = ResultTable([result("a", score("A", 2 / 3))])
    assert "0.66667" in table.render("markdown", precision=5)
    assert table.render("table", title="My title").startswith("My title\n")


def test_a_table_of_nothing_can_be_rendered() -> None:
    for layout in Layout:
        assert ".ttl" not in ResultTable([]).render(layout)


# pandas


def test_a_frame_of_one_evaluation_has_a_row_for_each_measure() -> None:
    pd = pytest.importorskip("pandas")
    frame = result("a.ttl", score("A", 0.5), score("B", math.nan)).to_frame()
    assert list(frame.index) == ["A", "B"]
    assert frame.index.name == "measure"
    assert list(frame.columns) == ["value", "undefined", "common"]
    assert frame.loc["A", "value"] == 0.5
    assert frame.loc["A", "common"] == 4
    assert pd.isna(frame.loc["A", "undefined"])
    assert pd.isna(frame.loc["B", "value"])
    assert frame.loc["B", "undefined"] == "there is nothing to divide by"


def test_a_frame_of_a_table_has_a_row_for_each_file() -> None:
    pd = pytest.importorskip("pandas")
    frame = TABLE.to_frame()
    assert list(frame.index) == ["x/one.ttl", "x/two.ttl", "x/six.ttl"]
    assert frame.index.name == "comparison"
    assert list(frame.columns) == ["TP_csc", "Err", "N", "Late"]
    assert frame["Err"].tolist() == [0.25, 0.125, 0.5]
    assert pd.isna(frame.loc["x/six.ttl", "TP_csc"])
    assert pd.isna(frame.loc["x/one.ttl", "Late"])
    assert len(ResultTable([]).to_frame()) == 0


def test_without_pandas_one_is_told_what_to_install() -> None:
    code = (
        "import sys; sys.modules['pandas'] = None\n"
        "from ontoeval.errors import MissingInputError\n"
        "from ontoeval.evaluation import evaluate\n"
        "from ontoeval.model.ontology import Ontology\n"
        "from ontoeval.tasks.comparison import Comparison\n"
        "from ontoeval.results import ResultTable\n"
        "o = Ontology.from_edges([('a', 'b')])\n"
        "found = evaluate(Comparison(o, o), 'LP')\n"
        "for thing in (found, ResultTable([found])):\n"
        "    try:\n        thing.to_frame()\n"
        "    except MissingInputError as error:\n        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "to_frame() needs pandas. Run `pip install pandas`.\n" * 2
