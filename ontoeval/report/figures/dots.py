"""Dot plot: a row for each run, a panel for each measure, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ontoeval.measures import Measure
from ontoeval.report.figures.marks import Axis, Figure, Label, Mark, Panel, Points, Tick
from ontoeval.report.figures.scales import value_axis
from ontoeval.report.figures.scores import Estimate, ScoreRows, interval_marks

_ROW = 11.0  # points of the page
_MOST_ACROSS = 4

Row = tuple[str, Estimate | None]


def dots_figure(rows: ScoreRows) -> Figure:
    """Rows are ordered by the first measure, the best first; of one run each measure is a row."""
    if len(rows.names) == 1:
        values = [(name, column[0]) for name, column in rows.columns.items()]
        panels = [_panel(values, list(rows.measures.values()), "", first=True)]
    else:
        order = _best_first(rows)
        panels = []
        across = _across(len(rows.shown))
        for place, name in enumerate(rows.shown):
            values = [(rows.names[row], rows.columns[name][row]) for row in order]
            panels.append(_panel(values, [rows.measures[name]], name, first=place % across == 0))
    across = _across(len(panels))
    return Figure(
        title=f"Scores: {rows.title}",
        description=" ".join(_values(rows)),
        panels=tuple(panels),
        across=across,
        width=85.0 if across <= 2 else 175.0,
        plot_height=_ROW * len(values),
        notes=rows.notes(),
    )


def _across(panels: int) -> int:
    rows = math.ceil(panels / _MOST_ACROSS)
    return math.ceil(panels / rows)


def _best_first(rows: ScoreRows) -> list[int]:
    name = rows.shown[0]
    best = rows.measures[name].best

    def distance(row: int) -> float:
        estimate = rows.columns[name][row]
        if estimate is None or best is None:
            return math.inf
        return -estimate.value if math.isinf(best) else abs(estimate.value - best)

    return sorted(range(len(rows.names)), key=distance)


def _panel(values: Sequence[Row], measures: Sequence[Measure], title: str, *, first: bool) -> Panel:
    names = tuple(Tick(float(row), name if first else "") for row, (name, _) in enumerate(values))
    ends = [end for _, e in values if e is not None for end in e if end is not None]
    x = value_axis(ends, measures, grid=True)
    at = [(e, Estimate(float(row))) for row, (_, e) in enumerate(values) if e is not None and e.is_finite]
    marks: list[Mark] = [interval_marks(at)]
    descriptions = [f"{name}: {e.text()}" for name, e in values if e is not None and e.is_finite]
    marks.append(Points(tuple((e.value, row.value) for e, row in at), descriptions=tuple(descriptions)))
    for row, (_, e) in enumerate(values):
        if e is None or not e.is_finite:
            marks.append(Label((x.low, float(row)), "undefined" if e is None or math.isnan(e.value) else "infinite"))
    family = measures[0].family if title else None
    y = Axis(len(values) - 0.5, -0.5, names, grid=True, line=False, are_names=True)
    return Panel(x, y, tuple(marks), family.word if family else title, title if family else "")


def _values(rows: ScoreRows) -> list[str]:
    names = rows.shown if len(rows.names) > 1 else rows.columns
    texts = []
    for measure in names:
        values = zip(rows.names, rows.columns[measure], strict=True)
        parts = [f"{name} {'undefined' if estimate is None else estimate.text()}" for name, estimate in values]
        texts.append(f"{measure}: {'; '.join(parts)}.")
    return texts
