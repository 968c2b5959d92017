"""Scatter plots of measures against ratings by people."""

from __future__ import annotations

import numpy as np

from ontoeval.analysis.human_agreement import HumanAgreement, MeasureAgreement
from ontoeval.errors import printable
from ontoeval.report.figures.marks import SECOND, Axis, Figure, Line, Mark, Panel, Points, Stroke
from ontoeval.report.figures.scales import nice_ticks, with_room

LABELLED = 60  # pairs whose words can be read
_MANY = 200  # points that are drawn small and translucent


def correlation_figure(agreement: HumanAgreement) -> Figure:
    """A panel for each measure with Pearson's r and the line of least squares; up is always more alike.

    So the axis of a distance is inverted. If they are few, the points are labelled with their words.
    """
    labelled = len(agreement.task) <= LABELLED
    panels = tuple(_panel(agreement, measure, labelled=labelled) for measure in agreement)
    across = 1 if len(panels) == 1 else 2 if labelled or len(panels) in (2, 4) else 3
    return Figure(
        title=f"Similarity measures and ratings: {agreement.source.path.rpartition('/')[2]}",
        description=" ".join(f"{panel.title}: {panel.subtitle}." for panel in panels),
        panels=panels,
        across=across,
        width=175.0 if labelled or across > 1 else 85.0,
        aspect=0.7 if len(panels) == 1 else 0.85,
        label_size=6.5,
    )


def _panel(agreement: HumanAgreement, measure: MeasureAgreement, *, labelled: bool) -> Panel:
    used = np.flatnonzero(np.isfinite(measure.values))
    x, y = agreement.ratings[used], measure.values[used]
    marks: list[Mark] = []
    if measure.undefined is None:
        slope, start = np.polyfit(x, y, 1).tolist()
        ends = tuple((end, start + slope * end) for end in (float(x.min()), float(x.max())))
        marks.append(Line(ends, Stroke(SECOND, 0.8, (4, 2.5))))
    words = ["–".join(map(printable, agreement.task.written(int(pair)))) for pair in used] if labelled else []
    at = tuple(zip(x.tolist(), y.tolist(), strict=True))
    size, opacity = (1.7, 0.9) if len(at) <= _MANY else (0.9, max(0.15, min(0.6, 300 / len(at))))
    marks.append(Points(at, size=size, opacity=opacity, descriptions=tuple(words), labels=tuple(words)))
    r = "undefined" if measure.undefined is not None else f"{measure.pearson.value:.3f}"
    pairs = "1 pair" if measure.pairs == 1 else f"{measure.pairs:,} pairs"
    label = "distance (axis inverted)" if measure.distance else "similarity"
    room = (0.15, 0.1) if labelled else (0.05, 0.07)  # words need room
    axes = _axis(x, room[0], "rating"), _axis(y, room[1], label, inverted=measure.distance)
    return Panel(*axes, tuple(marks), printable(measure.name), f"r = {r}, {pairs}")


def _axis(values: np.ndarray, room: float, label: str, *, inverted: bool = False) -> Axis:
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    low, high = with_room(low, high, room)
    ticks = nice_ticks(low, high)
    return Axis(high, low, ticks, label) if inverted else Axis(low, high, ticks, label)
