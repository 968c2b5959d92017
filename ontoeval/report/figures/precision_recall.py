"""Precision against recall, with curves of equal F."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ontoeval.errors import listed
from ontoeval.report.figures.marks import STRONG_LINE, Figure, Line, Mark, Panel, Point, Points, Stroke, Tick
from ontoeval.report.figures.scales import unit_axis
from ontoeval.report.figures.scores import Estimate, PrecisionRecall, ScoreRows, interval_marks, precisions_and_recalls

F_VALUES = (0.2, 0.4, 0.6, 0.8)
_STEPS = 40
_SAME_F = 0.0005  # half a unit of the last digit that tables show
_FEW = 6  # runs whose names fit into panels of half a column


def precision_recall_figure(rows: ScoreRows) -> Figure:
    """A panel for each family of measures with a point for each row; of one row a point for each family."""
    pairs = precisions_and_recalls(rows.measures)
    if len(rows.names) == 1:
        points = [(pair.title, rows.columns[pair.precision][0], rows.columns[pair.recall][0]) for pair in pairs]
        across, panels = 1, [_panel("", "", points)]
    else:
        across = min(len(pairs), 3 if len(pairs) in (3, 5, 6, 9) else 2)
        panels = [_family_panel(pair, rows, place, across) for place, pair in enumerate(pairs)]
    few = len(panels) == 1 or (len(rows.names) <= _FEW and across == 2)
    return Figure(
        title=f"Precision and recall: {rows.title}",
        description="Recall to the right, precision upwards; lines join points of equal F. " + _values(rows, pairs),
        panels=tuple(panels),
        across=across,
        width=85.0 if few else 175.0,
        every_label=True,
        notes=(*_undefined_notes(rows, pairs), *_mean_notes(rows, pairs), *rows.notes()),
    )


def equal_f_curve(f: float) -> tuple[Point, ...]:
    """Points (r, p) with 2pr / (p + r) = f, so that p = fr / (2r - f), from p = 1 to r = 1."""
    least = f / (2 - f)  # the recall that goes with a precision of 1, and the other way round
    recalls = [least * (1 / least) ** (step / _STEPS) for step in range(_STEPS + 1)]
    recalls[-1] = 1.0
    return tuple((r, min(1.0, f * r / (2 * r - f))) for r in recalls)


def _family_panel(pair: PrecisionRecall, rows: ScoreRows, place: int, across: int) -> Panel:
    points = list(zip(rows.names, rows.columns[pair.precision], rows.columns[pair.recall], strict=True))
    names = f"{pair.precision}, {pair.recall}"
    is_first, is_last = place % across == 0, place % across == across - 1
    title, subtitle = (pair.title, names) if pair.title != names else (names, "")
    return _panel(title, subtitle, points, is_first=is_first, is_last=is_last)


def _panel(
    title: str,
    subtitle: str,
    points: Sequence[tuple[str, Estimate | None, Estimate | None]],
    *,
    is_first: bool = True,
    is_last: bool = True,
) -> Panel:
    """The first one of a row has the texts of the vertical axis, the last one those of the curves."""
    known = [(name, p, r) for name, p, r in points if p is not None and r is not None]
    marks: list[Mark] = [Line(equal_f_curve(f), Stroke(STRONG_LINE, 0.6, (1.5, 1.5))) for f in F_VALUES]
    marks.append(interval_marks([(r, p) for _, p, r in known]))
    marks.append(
        Points(
            tuple((r.value, p.value) for _, p, r in known),
            descriptions=tuple(f"{name}: precision {p.text()}, recall {r.text()}" for name, p, r in known),
            labels=tuple(name for name, _, _ in known),
        )
    )
    right = tuple(Tick(f / (2 - f), f"F {f:g}" if f == F_VALUES[-1] else f"{f:g}") for f in F_VALUES)
    y = unit_axis("precision") if is_first else replace(unit_axis(), ticks=())
    return Panel(unit_axis("recall"), y, tuple(marks), title, subtitle, right if is_last else ())


def _undefined_notes(rows: ScoreRows, pairs: Sequence[PrecisionRecall]) -> list[str]:
    """What has no point."""
    notes = []
    for pair in pairs:
        columns = rows.columns[pair.precision], rows.columns[pair.recall]
        names = [name for name, p, r in zip(rows.names, *columns, strict=True) if p is None or r is None]
        if names:
            notes.append(f"{pair.title} undefined{f': {listed(names)}' if len(rows.names) > 1 else ''}.")
    return notes


def _mean_notes(rows: ScoreRows, pairs: Sequence[PrecisionRecall]) -> list[str]:
    """Where an F-measure is a mean over documents (or runs), it is not the F of the mean precision and recall."""
    other = []
    for pair in pairs:
        if pair.f is None:
            continue
        columns = (rows.columns[name] for name in (pair.precision, pair.recall, pair.f))
        for p, r, f in zip(*columns, strict=True):
            if p is None or r is None or f is None or not p.value + r.value > 0:
                continue
            if abs(f.value - 2 * p.value * r.value / (p.value + r.value)) > _SAME_F:
                other.append(pair.f)
    if not other:
        return []
    return [f"Curves: F of the precision and recall shown; {listed(dict.fromkeys(other))} is a mean of F."]


def _values(rows: ScoreRows, pairs: Sequence[PrecisionRecall]) -> str:
    """The numbers, for those who cannot see the points."""
    texts = []
    for pair in pairs:
        columns = rows.columns[pair.precision], rows.columns[pair.recall]
        points = [
            f"{name} {'undefined' if p is None or r is None else f'{p.text()}, {r.text()}'}"
            for name, p, r in zip(rows.names, *columns, strict=True)
        ]
        texts.append(f"{pair.title} (precision, recall): {'; '.join(points)}.")
    return " ".join(texts)
