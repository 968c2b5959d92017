"""Histograms of local scores: of concepts, instances, documents."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontoeval.errors import ParameterError, printable
from ontoeval.measures.registry import precision_and_recall
from ontoeval.model.arrays import FloatArray
from ontoeval.report.figures.marks import Axis, Bars, Figure, Line, Panel, Stroke
from ontoeval.report.figures.scales import nice_ticks, unit_axis, with_room
from ontoeval.report.local_scores import with_precision_and_recall
from ontoeval.report.score_tables import is_default_set, shown_measures
from ontoeval.results import EvaluationResult, MeasureResult, ResultTable

BINS = 20
_GAP = 0.05  # of a bin, between it and its bar
_MOST_PANELS = 60
_UNITS = {"learned": "concepts", "gold": "concepts"}


def histogram_figure(table: ResultTable) -> Figure | None:
    """A panel for each run and measure with local scores; None if no measure has any."""
    found = [(name, score) for name, result in zip(table.rows, table.results, strict=True) for score in _scores(result)]
    if not found:
        return None
    if len(found) > _MOST_PANELS:
        raise ParameterError(
            f"{len(found):,} histograms (runs x measures) are too many",
            advice=f"Use at most {_MOST_PANELS}: fewer runs, or fewer {{measures}}.",
            parameter="figure",
        )
    several = len(table.results) > 1
    panels = tuple(_panel(score, name if several else "") for name, score in found)
    across = _across(len(panels), len(panels) // len(table.results) if several else 0)
    return Figure(
        title=f"Histogram of local scores: {', '.join(map(printable, table.rows))}",
        description=" ".join(f"{panel.title} {panel.x.label}: {panel.subtitle}.".strip() for panel in panels),
        panels=panels,
        across=across,
        width=85.0 if across <= 2 else 175.0,
        aspect=0.6,
    )


def _across(panels: int, of_a_run: int) -> int:
    """The measures of a run side by side, or those of two runs."""
    if of_a_run in (1, 2):
        return min(panels, 4 if panels > 2 * of_a_run else 2)
    if of_a_run:
        return min(of_a_run, 4)
    return min(panels, 2 if panels in (1, 2, 4) else 3)


def _scores(result: EvaluationResult) -> Iterator[MeasureResult]:
    """Those that a table shows and that have local scores; in place of an F-measure without them its parts.

    Of the default measures of ontologies the hierarchy alone: a concept or link is there or not.
    """
    scores = list(with_precision_and_recall(result))
    shown = shown_measures([result], default=True)
    if is_default_set(result) and result.task == "comparison":
        shown = ["TF_csc"]
    for whole in (score for score in scores if score.name in shown):
        parts = [score for score in scores if score.measure in precision_and_recall(whole.measure)]
        yield from filter(_has_values, [whole] if _has_values(whole) else parts)


def _has_values(score: MeasureResult) -> bool:
    return score.undefined is None and score.local is not None and bool(np.isfinite(score.local.values).any())


def counts_of(values: FloatArray, low: float, high: float) -> list[int]:
    """How many values are in each of the bins; a value between two belongs to the upper one, the greatest to the last.

    Rounded to nine decimals, so that 0.15 is in the bin that begins with 0.15.
    """
    places = np.floor(np.round((values - low) / (high - low) * BINS, 9)).astype(np.int64)
    counts: list[int] = np.bincount(np.clip(places, 0, BINS - 1), minlength=BINS).tolist()
    return counts


def _panel(score: MeasureResult, run: str) -> Panel:
    assert score.local is not None  # noqa: S101 - those without are not chosen
    values = score.local.values[np.isfinite(score.local.values)]
    low, high = score.measure.range
    x = unit_axis(score.name)
    if (low, high) != (0.0, 1.0) or values.min() < 0 or values.max() > 1:
        low, high = with_room(float(values.min()), float(values.max()), 0.0)
        x = Axis(low, high, nice_ticks(low, high), score.name)
    counts = counts_of(values, low, high)
    width = (high - low) / BINS
    boxes = [
        ((low + (n + _GAP) * width, 0.0), (low + (n + 1 - _GAP) * width, float(c))) for n, c in enumerate(counts) if c
    ]
    unit = _UNITS.get(score.local.of, f"{score.local.of}s")
    texts = [f"{low + n * width:.2f} to {low + (n + 1) * width:.2f}: {c:,} {unit}" for n, c in enumerate(counts) if c]
    most = max(counts)
    y = Axis(0.0, most * 1.05, nice_ticks(0.0, most, 4, whole=True), unit, grid=True, line=False)
    mean = Line(((score.value, 0.0), (score.value, y.high)), Stroke(width=0.8, dash=(3, 2)))
    marks = (Bars(tuple(boxes), tuple(texts)), mean)
    inside = min(x.low, x.high) <= score.value <= max(x.low, x.high)
    subtitle = f"n = {len(values):,}, mean {score.value:.3f}"
    return Panel(x, y, marks if inside else marks[:1], printable(run), subtitle)
