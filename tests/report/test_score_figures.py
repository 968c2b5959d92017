"""Figures of scores: every point is where linear scaling puts its value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from svg_figures import SvgFigure

import ontoeval as oe
from ontoeval.cli import options
from ontoeval.report.figures import FIGURES, figure_of, write_figure
from ontoeval.report.figures.histogram import BINS, counts_of
from ontoeval.report.figures.layout import lay_out
from ontoeval.report.figures.precision_recall import F_VALUES, equal_f_curve
from ontoeval.report.figures.scores import Estimate, ScoreRows
from ontoeval.report.figures.svg import svg_text
from ontoeval.results import EvaluationResult

GOLD = [(f"c{n}", f"c{(n - 1) // 2}") for n in range(1, 40)]


def learned(seed: int, *, least: float | None = None) -> oe.Ontology:
    """The gold standard with some concepts moved and left out, others added."""
    draw = np.random.default_rng(seed)
    edges = [(child, parent if draw.random() < 0.7 else "c0") for child, parent in GOLD if draw.random() < 0.8]
    ontology = oe.Ontology.from_edges([*edges, (f"new{seed}", "c0")])
    source = replace(ontology.source, path=f"run{seed}.tsv" if least is None else "run.tsv", min_confidence=least)
    return replace(ontology, source=source)


def results_of(seeds: Sequence[int], measures: str | None = None, *, intervals: bool = False) -> list[EvaluationResult]:
    gold = oe.Ontology.from_edges(GOLD)
    gold = replace(gold, source=replace(gold.source, path="gold.tsv"))
    return [evaluated(learned(seed), gold, measures, intervals=intervals) for seed in seeds]


def evaluated(
    ontology: oe.Ontology, gold: oe.Ontology, measures: str | None, *, intervals: bool = False
) -> EvaluationResult:
    result = oe.evaluate(oe.Comparison(ontology, gold, oe.match(ontology, gold)), measures and measures.split(","))
    return result.with_intervals(rounds=50) if intervals else result


def over_thresholds(thresholds: Sequence[float], measures: str | None = None) -> list[EvaluationResult]:
    gold = oe.Ontology.from_edges(GOLD)
    return [evaluated(learned(n, least=least), gold, measures) for n, least in enumerate(thresholds)]


def drawn(results: Sequence[EvaluationResult], figure: str | None = None) -> SvgFigure:
    return SvgFigure(svg_text(lay_out(figure_of(list(results), figure))))


FAMILIES = (("LP", "LR"), ("EdgeP", "EdgeR"), ("TP_csc", "TR_csc"), ("TP_sc", "TR_sc"))


@pytest.mark.parametrize("intervals", [False, True])
def test_a_run_is_a_point_at_its_recall_and_precision(intervals: bool) -> None:
    results = results_of([1, 2, 3], intervals=intervals)
    found = drawn(results, "pr")
    assert found.groups()[:4] == ["panel-0", "panel-1", "panel-2", "panel-3"]
    for number, (precision, recall) in enumerate(FAMILIES):
        panel = f"panel-{number}"
        (left, right), (low, high) = found.horizontal(panel), found.vertical(panel)
        assert right - left == pytest.approx(low - high, abs=0.02)  # a square
        dots = found.dots(panel)
        for result, dot in zip(results, dots, strict=True):
            p, r = result[precision].value, result[recall].value
            assert dot.x == pytest.approx(left + r * (right - left), abs=0.02)
            assert dot.y == pytest.approx(low + p * (high - low), abs=0.02)
            assert f"precision {p:.3f}" in dot.description
        bars = found.paths(panel, stroke="#6b6963", stroke_width="0.8")
        expected: list[list[float]] = []
        for dot, result in zip(dots, results, strict=True):
            if intervals:
                ends = [left + end * (right - left) for end in result[recall].interval or ()]
                expected.append([ends[0], dot.y, ends[1], dot.y])
                ends = [low + end * (high - low) for end in result[precision].interval or ()]
                expected.append([dot.x, ends[0], dot.x, ends[1]])
        lines = [[x for point in bar for x in point] for bar in bars]
        assert lines == [pytest.approx(ends, abs=0.02) for ends in expected]
    assert ("Bars: 95% bootstrap intervals." in found.words()) == intervals


def test_of_one_run_the_families_are_points_with_their_words() -> None:
    (result,) = results_of([1])
    found = drawn([result])
    (left, right), (low, high) = found.horizontal("panel-0"), found.vertical("panel-0")
    for dot, (precision, recall) in zip(found.dots("panel-0"), FAMILIES, strict=True):
        assert dot.x == pytest.approx(left + result[recall].value * (right - left), abs=0.02)
        assert dot.y == pytest.approx(low + result[precision].value * (high - low), abs=0.02)
    assert {"Concepts", "Links", "Hierarchy", "Overall"} <= set(found.words("panel-0"))


@given(st.floats(0.01, 0.99))
def test_each_point_of_a_curve_of_equal_f_has_that_f(f: float) -> None:
    points = equal_f_curve(f)
    assert [2 * p * r / (p + r) for r, p in points] == [pytest.approx(f, abs=1e-12)] * len(points)
    assert points[0][1] == pytest.approx(1.0)
    assert points[-1][0] == 1.0
    assert points[-1][1] == pytest.approx(f / (2 - f))


def test_the_curves_in_the_file_are_those_of_equal_f() -> None:
    found = drawn(results_of([1]), "pr")
    (left, right), (low, high) = found.horizontal("panel-0"), found.vertical("panel-0")
    curves = found.paths("panel-0", stroke_dasharray="1.5 1.5")
    assert len(curves) == len(F_VALUES)
    for f, curve in zip(F_VALUES, curves, strict=True):
        for x, y in curve:
            r, p = (x - left) / (right - left), (y - low) / (high - low)
            assert 2 * p * r / (p + r) == pytest.approx(f, abs=0.001)
        label = next(text for text in found.texts("panel-0") if text.text.removeprefix("F ") == f"{f:g}")
        assert label.x > right
        assert label.y == pytest.approx(curve[-1][1], abs=4)


def test_precision_and_recall_need_no_family_and_no_f() -> None:
    found = drawn(results_of([1, 2], "LP,LR,PlaceP,PlaceR,PlaceF,TO_csc"), "pr")
    titles = [text.text for text in found.texts() if text.bold]
    assert titles == ["PlaceF", "LP, LR"]


def test_rows_of_a_dot_plot_are_ordered_by_the_first_measure() -> None:
    results = results_of([1, 2, 3, 4], intervals=True)
    found = drawn(results, "dots")
    names = [text.text for text in found.texts("panel-0") if text.anchor == "end"]
    expected = sorted(results, key=lambda result: -result["LF"].value)
    assert names == [result.judged.path.removesuffix(".tsv") for result in expected]
    for number, measure in enumerate(("LF", "EdgeF", "TF_csc", "TF_sc")):
        panel = f"panel-{number}"
        left, right = found.horizontal(panel)
        dots = found.dots(panel)
        assert [dot.x for dot in dots] == [
            pytest.approx(left + result[measure].value * (right - left), abs=0.02) for result in expected
        ]
        rows = [text.y for text in found.texts("panel-0") if text.anchor == "end"]
        assert [dot.y - dots[0].y for dot in dots] == [pytest.approx(row - rows[0], abs=0.02) for row in rows]
        bars = found.paths(panel, stroke="#6b6963", stroke_width="0.8")
        intervals = [result[measure].interval or () for result in expected]
        assert all(intervals)
        assert [[x for x, _ in bar] for bar in bars] == [
            pytest.approx([left + end * (right - left) for end in interval], abs=0.02) for interval in intervals
        ]


def test_a_dot_plot_says_what_is_undefined_or_infinite_and_shows_other_ranges() -> None:
    measures = {name: oe.parse(name) for name in ("TF_csc", "Rada(scale=distance)")}
    columns = {
        "TF_csc": (Estimate(0.5), None, Estimate(1.0), Estimate(0.0)),
        "Rada(scale=distance)": (Estimate(7.0), Estimate(math.inf), Estimate(3.0, 2.5, 3.5), None),
    }
    from ontoeval.report.figures.dots import dots_figure

    rows = ScoreRows(("a", "b", "c", "d"), columns, measures, tuple(measures), "gold", "± 1 sd")
    found = SvgFigure(svg_text(lay_out(dots_figure(rows))))
    assert [t.text for t in found.texts("panel-0") if t.anchor == "end"] == ["c", "a", "d", "b"]
    assert found.words("panel-0").count("undefined") == 1
    assert found.words("panel-1").count("undefined") == found.words("panel-1").count("infinite") == 1
    left, right = found.horizontal("panel-1")
    assert [dot.x for dot in found.dots("panel-1")] == pytest.approx(
        [left + v / 7 * (right - left) for v in (3, 7)], abs=0.02
    )
    assert "Bars: ± 1 sd." in found.words()


def test_undefined_precision_has_no_point_but_a_note() -> None:
    empty = oe.Ontology.from_edges([("x", "y")])
    gold = oe.Ontology.from_edges(GOLD)
    results = [*results_of([1]), evaluated(replace(empty, source=replace(empty.source, path="none.tsv")), gold, None)]
    undefined = [score.name for score in results[1] if score.undefined is not None]
    found = drawn(results, "pr")
    for number, (precision, recall) in enumerate(FAMILIES):
        missing = precision in undefined or recall in undefined
        assert len(found.dots(f"panel-{number}")) == 2 - missing
    notes = [word for word in found.words("notes") if "undefined" in word] if "notes" in found.groups() else []
    assert len(notes) == sum(p in undefined or r in undefined for p, r in FAMILIES)


@settings(deadline=None)
@given(st.lists(st.fractions(0, 1, max_denominator=60), min_size=1, max_size=60))
def test_a_bin_has_the_values_from_its_lower_end_on(values: list[Fraction]) -> None:
    counts = counts_of(np.array([float(value) for value in values]), 0.0, 1.0)
    exact = [0] * BINS
    for value in values:
        exact[min(BINS - 1, math.floor(value * BINS))] += 1
    assert counts == exact


def test_bars_are_as_high_as_their_counts_and_count_every_concept() -> None:
    (result,) = results_of([5])
    found = drawn([result], "hist")
    for panel, name in (("panel-0", "TP_csc"), ("panel-1", "TR_csc")):
        local = result[name].local
        assert local is not None
        ticks = [text for text in found.texts(panel) if text.anchor == "end"]
        a_concept = (ticks[0].y - ticks[-1].y) / (float(ticks[-1].text) - float(ticks[0].text))
        left, right = found.horizontal(panel)
        boxes = found.paths(panel, fill="#b9b6ae")
        exact = np.bincount(np.minimum(np.floor(np.round(local.values * 20, 9)), 19).astype(int), minlength=20)
        shown = [
            (round((box[0][0] - left) / (right - left) * 20 - 0.05), round((box[0][1] - box[2][1]) / a_concept, 1))
            for box in boxes
        ]
        assert shown == [(number, count) for number, count in enumerate(exact.tolist()) if count]
        assert f"n = {len(local)}, mean {result[name].value:.3f}" in found.words(panel)
        (mean,) = found.paths(panel, stroke_dasharray="3 2")
        assert mean[0][0] == pytest.approx(left + result[name].value * (right - left), abs=0.02)


def test_a_histogram_of_f_without_local_scores_is_that_of_its_parts() -> None:
    found = drawn(results_of([1], "PlaceF"), "hist")
    assert [text.text for text in found.texts() if text.text.startswith("Place")] == ["PlaceP", "PlaceR"]


def test_a_curve_goes_through_the_scores_at_their_thresholds() -> None:
    thresholds = [0.0, 0.25, 0.5, 1.0]
    results = over_thresholds(thresholds)
    found = drawn(results)
    assert {"minimum confidence", "precision", "recall", "F"} <= set(found.words())
    left, right = found.horizontal("panel-0")
    ticks = [text for text in found.texts("panel-0") if text.anchor == "middle" and not text.turned][:2]
    scale = (ticks[1].x - ticks[0].x) / (float(ticks[1].text) - float(ticks[0].text))
    heights = [text.y for text in found.texts("panel-0") if text.anchor == "end"]
    low, high = heights[0], heights[-1]
    dots = found.dots("panel-0")
    for threshold, result, dot in zip(thresholds, results, dots, strict=True):
        assert left < dot.x < right
        assert dot.x == pytest.approx(ticks[0].x + (threshold - float(ticks[0].text)) * scale, abs=0.06)
        value = result["LF"].value
        assert dot.y == pytest.approx(dots[0].y + (value - results[0]["LF"].value) * (high - low), abs=0.03)
        assert dot.description == f"F at {threshold:g}: {value:.3f}"


def test_an_undefined_score_interrupts_the_curve() -> None:
    results = over_thresholds([0.1, 0.2, 0.3, 0.4, 0.5], "LF")
    scores = [result.scores[0] for result in results]
    gap = replace(scores[2], score=replace(scores[2].score, value=math.nan, undefined="nothing left"))
    results[2] = replace(results[2], scores=(gap,))
    found = drawn(results, "curve")
    assert len(found.dots("panel-0")) == 4
    assert [len(line) for line in found.paths("panel-0", stroke_width="1.2")] == [2, 2]


def test_several_learners_have_a_line_each() -> None:
    results = over_thresholds([0.1, 0.9])
    other = [
        replace(result, inputs={**result.inputs, "learned": replace(result.judged, path="other.tsv")})
        for result in results
    ]
    found = drawn([*results, *other])
    assert found.words("legend") == ["run", "other"]


@pytest.mark.parametrize(
    ("measures", "expected"), [(None, "Precision and recall"), ("TO_csc", "Scores"), ("LP,LR", "Precision and recall")]
)
def test_without_a_name_there_is_a_sensible_figure(measures: str | None, expected: str, tmp_path: Path) -> None:
    write_figure(results_of([1, 2], measures), tmp_path / "x.svg")
    assert SvgFigure(tmp_path / "x.svg").title == f"{expected}: 2 runs against gold.tsv"


@pytest.mark.parametrize(
    ("figure", "measures", "message"),
    [
        ("pr", "TF_csc", "no figure 'pr': it needs precision and recall among the measures. Use one of: dots, hist."),
        ("hist", "Motif", "no figure 'hist': no measure has local scores. Use one of: dots."),
        ("curve", None, "no figure 'curve': it needs several thresholds of confidence. Use one of: pr, dots, hist."),
        ("pie", None, "'pie' is not a figure. Use one of: pr, dots, hist, curve."),
    ],
)  # fmt: skip
def test_a_figure_that_the_scores_do_not_have_is_refused(figure: str, measures: str | None, message: str) -> None:
    with pytest.raises(oe.OntoevalError) as error:
        figure_of(results_of([1], measures), figure)
    assert str(error.value) == message


def test_no_results_are_refused() -> None:
    with pytest.raises(oe.OntoevalError, match="no results to draw"):
        figure_of([])


@pytest.mark.parametrize("figure", ["pr", "dots", "hist"])
@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_the_same_scores_give_the_same_bytes(figure: str, suffix: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_figure(results_of([1, 2]), tmp_path / f"{name}{suffix}", figure)
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_the_command_line_has_the_same_figures() -> None:
    assert options.FIGURES == FIGURES


def test_curves_that_are_not_those_of_a_mean_f_say_so() -> None:
    """Documents with P, R of 1, 1/2 and 1/2, 1: both F are 2/3, but the F of the means 3/4 and 3/4 is 3/4."""
    response = oe.Corpus.from_labels({"d1": ["x"], "d2": ["x", "y"]})
    key = oe.Corpus.from_labels({"d1": ["x", "y"], "d2": ["x"]})
    result = oe.evaluate(oe.Extraction(response, key), ["LabelP", "LabelR", "LabelF"])
    assert figure_of(result, "pr").notes == ("Curves: F of the precision and recall shown; LabelF is a mean of F.",)
    gold = oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    assert figure_of(oe.compare(gold, gold, "LP,LR,LF"), "pr").notes == ()
