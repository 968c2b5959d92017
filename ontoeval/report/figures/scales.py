"""Axes for values: from 0 to 1, by the range of a measure, by the data."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ontoeval.measures import Measure
from ontoeval.report.figures.marks import Axis, Tick

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_MINUS = "\N{MINUS SIGN}"


def unit_axis(label: str = "", *, grid: bool = False, line: bool = True) -> Axis:
    """From 0 to 1."""
    return Axis(0.0, 1.0, tuple(Tick(value, f"{value:g}") for value in _QUARTERS), label, grid, line)


def value_axis(
    values: Iterable[float], measures: Iterable[Measure], label: str = "", *, grid: bool = False, line: bool = True
) -> Axis:
    """From 0 to 1, further down to -1 for negative values; by the data where the measures have no such range."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    if all(measure.range[0] >= -1 and measure.range[1] <= 1 for measure in measures) and low >= -1 and high <= 1:
        if low >= 0:
            return unit_axis(label, grid=grid, line=line)
        low, high = -1.0, 1.0
    else:
        low, high = with_room(min(low, 0.0), high, 0.0)
    ticks = nice_ticks(low, high)
    return Axis(low, high, ticks, label, grid, line)


def with_room(low: float, high: float, share: float) -> tuple[float, float]:
    """A range that is `share` longer at both ends, and never empty."""
    if low == high:
        half = abs(low) / 10 or 0.5
        return low - half, high + half
    return low - share * (high - low), high + share * (high - low)


def nice_ticks(low: float, high: float, most: int = 5, *, whole: bool = False) -> tuple[Tick, ...]:
    """At most about `most` multiples of 1, 2 or 5 times a power of ten within a range; `whole`: no fractions."""
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= 0.8 * rough)
    if whole:
        step = max(step, 1.0)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(Tick(n * step, number_text(n * step, decimals)) for n in range(first, last + 1))


def number_text(value: float, decimals: int) -> str:
    """A number with a proper minus sign, and 0 without one."""
    text = f"{value + 0.0:,.{decimals}f}"
    return text.replace("-", _MINUS) if float(text.replace(",", "")) else text.removeprefix("-")
