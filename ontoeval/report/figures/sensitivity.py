"""Figure of `ontoeval sensitivity`: curves, bands, their colours and dashes, scales, legend (settings: style.py)."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from ontoeval.analysis.sensitivity import Curve, Sensitivity, title_with_letter
from ontoeval.model.arrays import FloatArray
from ontoeval.report.figures.style import FRAME, LINE, empty_figure, remove_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 3.5, 2.9  # inches of a panel
_UPPER = 0.5  # a panel with nothing below shows the upper part of the scale
_LETTERS = 12  # of an inch
_ROOM = 0.04  # beyond the ends of a scale
# A line is known by colour, dash and marker; the colours are safe for the colour-blind and differ in grey.
_COLOURS = ("#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#B8860B", "#56B4E9")
_DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 2)),
    (0, (1, 1.3)),
    (0, (6, 1.5, 1, 1.5)),
    (0, (3, 1.5)),
    (0, (9, 1.5, 1, 1.5, 1, 1.5)),
)
_MARKERS = ("o", "s", "^", "v", "D", "X", "P", "<", ">")


def figure_of_curves(result: Sensitivity) -> Figure:
    """See `write_plot`."""
    count = len(result.curves)
    across = min(count, 3 if count not in (2, 4) else 2)
    down = math.ceil(count / across)
    scale = 1.5 if count == 1 else 1.0
    figure, panels = empty_figure(across, down, _WIDTH * scale, _HEIGHT * scale)
    whole, upper = _scales(result)
    for place, (curve, panel) in enumerate(zip(result.curves, panels, strict=False)):
        panel.set_gid(f"panel-{place}")
        _draw(panel, result, curve)
        panel.set_title(
            title_with_letter(place, curve) if count > 1 else curve.title, fontsize=10, loc="left", parse_math=False
        )
        panel.set_xlabel(curve.axis)
        low, high = whole if _least(result, curve) < _UPPER else upper
        panel.set_ylim(low - _ROOM * (high - low), high + _ROOM * (high - low))
        if low > 0:
            panel.text(0.02, 0.06, f"scale starts at {low:.1f}", transform=panel.transAxes, color=LINE, fontsize=8)
        if not place % across:
            panel.set_ylabel("mean ± 1 sd")
    for panel in panels[count:]:
        panel.set_axis_off()
    _legend(figure, panels[0], across)
    return figure


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


def _draw(panel: Axes, result: Sensitivity, curve: Curve) -> None:
    amounts = np.array(curve.amounts, dtype=np.float64)
    for number, name in enumerate(result.measures):
        colour, marker = _COLOURS[number % len(_COLOURS)], _MARKERS[number % len(_MARKERS)]
        mean, low, high = _band(curve, name)
        panel.fill_between(amounts, low, high, color=colour, alpha=0.14, linewidth=0, zorder=1)
        panel.plot(
            amounts, mean, color=colour, linestyle=_DASHES[number % len(_DASHES)], linewidth=1.5, marker=marker,
            markersize=4.6, markerfacecolor="white" if number % 2 else colour, markeredgewidth=1.1, label=name,
            zorder=3 + 0.01 * number, clip_on=False,
        )  # fmt: skip
    panel.grid(axis="y", color=FRAME, alpha=0.35, linewidth=0.6)
    panel.set_axisbelow(True)
    _ticks(panel, curve)
    remove_frame(panel)


def _ticks(panel: Axes, curve: Curve) -> None:
    """At the amounts themselves, as far as there is room; a cut gets worse to the right, too."""
    shown = curve.amounts if len(curve.amounts) <= 8 else curve.amounts[:: math.ceil(len(curve.amounts) / 8)]
    panel.set_xticks(list(shown), labels=[f"{amount:,}" for amount in shown])
    panel.margins(x=0.05)
    if curve.perturbation.kind == "cut-depth":
        panel.invert_xaxis()


def _legend(figure: Figure, panel: Axes, across: int) -> None:
    """As many columns as fit; a name that is too long by itself goes over several lines."""
    handles, names = panel.get_legend_handles_labels()
    letters = int(figure.get_figwidth() * _LETTERS)
    wrapped = ["\n".join(textwrap.wrap(name, letters, break_on_hyphens=False)) for name in names]
    for columns in range(min(len(names), 2 * across), 0, -1):
        legend = figure.legend(
            handles, wrapped, loc="outside lower center", ncols=columns, frameon=False, handlelength=3.4,
            labelcolor=LINE, columnspacing=1.8,
        )  # fmt: skip
        for text in legend.get_texts():
            text.set_parse_math(False)
        figure.draw_without_rendering()
        if columns == 1 or legend.get_window_extent().width <= figure.bbox.width:
            return
        legend.remove()
