"""Curves of measures under growing damage: a panel for each perturbation, bands, one legend."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ontoeval.analysis.sensitivity import Curve, Sensitivity, title_with_letter
from ontoeval.errors import printable
from ontoeval.model.arrays import FloatArray
from ontoeval.report.figures.marks import SHAPES, Area, Axis, Figure, Line, Mark, Panel, Points, Stroke, Tick
from ontoeval.report.figures.scales import nice_ticks, with_room

_UPPER = 0.5  # a panel with nothing below shows the upper part of the scale
_MOST_AMOUNTS = 8
_ROOM = 0.04  # beyond the ends of a scale
# A line is known by colour, dash and shape; the colours are safe for the colour-blind and differ in grey.
_COLOURS = ("#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#B8860B", "#56B4E9")
_DASHES: tuple[tuple[float, ...], ...] = (
    (), (5, 2), (1, 1.3), (6, 1.5, 1, 1.5), (3, 1.5), (9, 1.5, 1, 1.5, 1, 1.5),
)  # fmt: skip


def sensitivity_figure(result: Sensitivity) -> Figure:
    """A line for each measure through its means, a standard deviation around it."""
    count = len(result.curves)
    whole, upper = _scales(result)
    panels = []
    for place, curve in enumerate(result.curves):
        low, high = whole if _least(result, curve) < _UPPER else upper
        start = f"scale starts at {low:.1f}" if low > 0 else ""
        ticks = nice_ticks(low, high)
        y = Axis(*with_room(low, high, _ROOM), ticks, "mean ± 1 sd", grid=True, line=False)
        title = title_with_letter(place, curve) if count > 1 else curve.title
        panels.append(Panel(_amounts_axis(curve), y, tuple(_marks(result, curve)), title, start))
    across = min(count, 3 if count not in (2, 4) else 2)
    measures = ", ".join(map(printable, result.measures))
    return Figure(
        title=f"Sensitivity of {measures}",
        description=f"Means over growing damage: {'; '.join(curve.title for curve in result.curves)}.",
        panels=tuple(panels),
        across=across,
        width=85.0 if count == 1 else 175.0,
        aspect=0.8,
    )


def _amounts_axis(curve: Curve) -> Axis:
    """Ticks at the amounts themselves, as far as there is room; a cut gets worse to the right, too."""
    amounts = curve.amounts
    shown = amounts if len(amounts) <= _MOST_AMOUNTS else amounts[:: math.ceil(len(amounts) / _MOST_AMOUNTS)]
    low, high = with_room(min(amounts), max(amounts), _ROOM)
    if curve.perturbation.kind == "cut-depth":
        low, high = high, low
    return Axis(low, high, tuple(Tick(amount, f"{amount:,}") for amount in shown), curve.axis)


def _values(result: Sensitivity, curve: Curve) -> list[float]:
    every = [value for name in result.measures for value in _band(curve, name).ravel().tolist()]
    return [value for value in every if math.isfinite(value)]


def _least(result: Sensitivity, curve: Curve) -> float:
    return min(_values(result, curve), default=0.0)


def _scales(result: Sensitivity) -> tuple[tuple[float, float], tuple[float, float]]:
    """0 to 1, or wider where a mean or its band is; and the upper part that does for all panels with nothing below.

    These share one scale, so that they can be compared with each other.
    """
    values = [_values(result, curve) for curve in result.curves]
    everything = [value for panel_values in values for value in panel_values]
    low, high = min([0.0, *everything]), max([1.0, *everything])
    upper = [min(panel_values) for panel_values in values if panel_values and min(panel_values) >= _UPPER]
    start = min([0.9, *upper])  # never nothing at all
    return (low, high), (math.floor(10 * start + 1e-9) / 10, high)


def _band(curve: Curve, measure: str) -> FloatArray:
    """Mean, mean - sd, mean + sd of each amount; cut at the ends of what the measure can be near 0 and 1."""
    rows = curve.of(measure)
    mean = np.array([row.mean if math.isfinite(row.mean) else math.nan for row in rows])
    spread = np.array([row.sd or 0.0 for row in rows])
    low, high = mean - spread, mean + spread
    if np.all((mean >= 0) | np.isnan(mean)):
        low = np.maximum(low, 0.0)
    if np.all((mean <= 1) | np.isnan(mean)):
        high = np.minimum(high, 1.0)
    return np.stack([mean, low, high])


def _marks(result: Sensitivity, curve: Curve) -> Iterator[Mark]:
    lines: list[Mark] = []
    for number, name in enumerate(result.measures):
        colour, label = _COLOURS[number % len(_COLOURS)], printable(name)
        mean, low, high = _band(curve, name)
        stroke = Stroke(colour, 1.1, _DASHES[number % len(_DASHES)])
        for part in _without_gaps(mean):
            amounts = curve.amounts[part]
            above, below = zip(amounts, high[part].tolist(), strict=True), zip(amounts, low[part].tolist(), strict=True)
            yield Area((*above, *reversed(list(below))), colour, 0.14)
            lines.append(Line(tuple(zip(amounts, mean[part].tolist(), strict=True)), stroke, label))
        known = np.flatnonzero(np.isfinite(mean)).tolist()
        at = tuple((curve.amounts[n], float(mean[n])) for n in known)
        descriptions = tuple(f"{label} at {amount:,}: {value:.3f}" for amount, value in at)
        shape = SHAPES[number % len(SHAPES)]
        lines.append(Points(at, shape, 1.8, colour, number % 2 == 0, name=label, descriptions=descriptions))
    yield from lines  # above all bands


def _without_gaps(values: FloatArray) -> Iterator[slice]:
    """The stretches of finite values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], np.isfinite(values), [False]]).astype(np.int8)))
    for start, end in edges.reshape(-1, 2).tolist():
        yield slice(start, end)
