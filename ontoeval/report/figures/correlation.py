"""Figure of `ontoeval agree`: scatter plots, lines, places of labels (settings, point colours: style.py)."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.analysis.human_agreement import HumanAgreement, MeasureAgreement
from ontoeval.errors import printable
from ontoeval.model.arrays import FloatArray
from ontoeval.report.figures.style import FRAME, LINE, POINT, WORD, empty_figure, remove_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELLED = 60  # pairs whose words can be read
_RASTER = 2_000  # points of a panel that make a vector graphic too heavy
_WIDTH, _HEIGHT = 4.4, 3.7  # inches of a panel


def figure_of_points(agreement: HumanAgreement) -> Figure:
    """See `write_plot`."""
    count = len(agreement)
    across = min(count, 3 if count not in (2, 4) else 2)
    down = math.ceil(count / across)
    scale = 1.6 if count == 1 else 1.0
    figure, panels = empty_figure(across, down, _WIDTH * scale, _HEIGHT * scale)
    for number, (measure, panel) in enumerate(zip(agreement, panels, strict=False)):
        panel.set_gid(f"panel-{number}")
        _draw(panel, agreement, measure, scale)
    for panel in panels[count:]:
        panel.set_axis_off()
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # what is measured now stays where it is
    if len(agreement.task) <= LABELLED:
        for measure, panel in zip(agreement, panels, strict=False):
            _Labels(panel, 6.5 * math.sqrt(scale)).place(agreement, measure)
    return figure


def _draw(panel: Axes, agreement: HumanAgreement, measure: MeasureAgreement, scale: float) -> None:
    used = np.isfinite(measure.values)
    x, y = agreement.ratings[used], measure.values[used]
    size, alpha = (22.0 * scale, 0.85) if len(x) <= 200 else (8.0, max(0.12, min(0.6, 300 / len(x))))
    if measure.undefined is None:
        slope, start = np.polyfit(x, y, 1)
        ends = np.array([x.min(), x.max()])
        panel.plot(ends, start + slope * ends, color=LINE, linewidth=1.0, linestyle=(0, (5, 3)), zorder=1)
    panel.scatter(
        x, y, s=size, color=POINT, alpha=alpha, linewidths=0, zorder=2, rasterized=len(x) > _RASTER, clip_on=False
    )
    r = "undefined" if measure.undefined is not None else f"{measure.pearson.value:.3f}"
    pairs = "1 pair" if measure.pairs == 1 else f"{measure.pairs:,} pairs"
    panel.set_title(f"{_wrap(measure.name)}\nr = {r}, {pairs}", fontsize=10, parse_math=False)
    panel.set_xlabel("rating")
    panel.set_ylabel("distance (axis inverted)" if measure.distance else "similarity")
    panel.margins(*((0.2, 0.1) if len(agreement.task) <= LABELLED else (0.05, 0.07)))  # words need room
    if measure.distance:
        panel.invert_yaxis()
    remove_frame(panel)


def _wrap(name: str) -> str:
    """A name in as many lines as it takes."""
    return "\n".join(textwrap.wrap(printable(name), 46, break_on_hyphens=False)) or name


class _Labels:
    """Labels beside points that do not cover each other: those furthest from the line are placed first."""

    def __init__(self, panel: Axes, size: float) -> None:
        self.panel, self.size = panel, size
        self.unit = panel.figure.dpi / 72.0  # dots of a typographic point
        box = panel.get_window_extent()
        self.frame = (box.x0 + 2 * self.unit, box.y0 + 2 * self.unit, box.x1, box.y1 + 4 * self.unit)
        self.occupied: list[tuple[float, float, float, float]] = []

    def place(self, agreement: HumanAgreement, measure: MeasureAgreement) -> None:
        used = np.flatnonzero(np.isfinite(measure.values))
        if not len(used):
            return
        x, y = agreement.ratings[used], measure.values[used]
        dots = self.panel.transData.transform(np.column_stack([x, y]))
        around = 2.6 * self.unit
        self.occupied = [(a - around, b - around, a + around, b + around) for a, b in dots.tolist()]
        far = np.round(_residuals(dots), 6).tolist()
        order = sorted(range(len(used)), key=lambda n: (-far[n], agreement.task.written(int(used[n]))))
        for place in order:
            text = "–".join(agreement.task.written(int(used[place])))
            self._put_label(printable(text), *dots[place].tolist())

    def _put_label(self, label: str, x: float, y: float) -> None:
        text = self.panel.text(
            0, 0, label, fontsize=self.size, color=WORD, parse_math=False, transform=None, va="bottom", ha="left",
            zorder=1.8, bbox={"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 0.3},
        )  # fmt: skip
        box = text.get_window_extent()
        wide, high, gap = box.width, box.height, 2.5 * self.unit
        for left, low, distance in self._candidates(x, y, wide, high):
            spot = (left, low, left + wide, low + high)
            if self._free(spot):
                text.set_position((left, low))
                self.occupied.append((spot[0] - gap, spot[1], spot[2] + gap, spot[3]))  # else two look like one
                if distance > 7 * self.unit:
                    self._lead(x, y, spot)
                return
        text.remove()  # there is no free place

    def _candidates(self, x: float, y: float, wide: float, high: float) -> list[tuple[float, float, float]]:
        """Lower left corners around a point, the nearest first, right before left."""
        places = []
        for ring, gap in enumerate((4, 8, 13, 19, 26, 34, 43, 53)):
            reach = gap * self.unit
            for step in range(16):
                angle = math.pi / 8 * step
                cos, sin = math.cos(angle), math.sin(angle)
                left = x + cos * reach + (0 if cos > 0.1 else -wide if cos < -0.1 else -wide / 2)
                low = y + sin * reach - high / 2 + (high / 2 * sin)
                places.append((ring, min(step, 16 - step) / 8 + (step > 8) * 0.05, left, low, reach))
        places.sort(key=lambda one: one[:2])
        return [(left, low, reach) for _, _, left, low, reach in places]

    def _free(self, spot: tuple[float, float, float, float]) -> bool:
        inside = spot[0] >= self.frame[0] and spot[1] >= self.frame[1]
        inside = inside and spot[2] <= self.frame[2] and spot[3] <= self.frame[3]
        return inside and not any(
            spot[0] < other[2] and other[0] < spot[2] and spot[1] < other[3] and other[1] < spot[3]
            for other in self.occupied
        )

    def _lead(self, x: float, y: float, spot: tuple[float, float, float, float]) -> None:
        """A thin line from the point to its label."""
        from matplotlib.lines import Line2D

        end = (min(max(x, spot[0]), spot[2]), min(max(y, spot[1]), spot[3]))
        self.panel.add_artist(
            Line2D([x, end[0]], [y, end[1]], color=FRAME, linewidth=0.5, transform=None, zorder=1.5, clip_on=False)
        )


def _residuals(dots: FloatArray) -> FloatArray:
    """How far from the line of least squares."""
    x, y = dots[:, 0], dots[:, 1]
    if len(dots) < 2 or not np.ptp(x):
        slope, start = 0.0, float(y.mean())
    else:
        slope, start = np.polyfit(x, y, 1).tolist()
    result: FloatArray = np.abs(y - start - slope * x)
    return result
