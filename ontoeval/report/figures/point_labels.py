"""`LabelPlaces`: texts beside points that cover neither points nor each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from ontoeval.report.figures.drawing import Outline, Shape, Words
from ontoeval.report.figures.marks import GROUND, INK, THIRD, Point, Stroke
from ontoeval.report.figures.text_width import text_width

Box = tuple[float, float, float, float]  # left, top, right, bottom

_RINGS = (4, 8, 13, 19, 26, 34, 43, 53, 64, 76)  # distances from the point
_DIRECTIONS = 16
_LEAD = 7  # a label that is further away gets a line to its point
_ASCENT, _DESCENT = 0.76, 0.22  # of the size of a text


class LabelPlaces:
    """The free places of a panel."""

    def __init__(self, frame: Box, size: float, occupied: Iterable[Box] = ()) -> None:
        self.frame, self.size, self.occupied = frame, size, list(occupied)

    def box(self, text: str, at: Point) -> Box:
        """What a text with its baseline's start at a point takes."""
        x, y = at
        return x, y - _ASCENT * self.size, x + text_width(text, self.size), y + _DESCENT * self.size

    def place(self, text: str, point: Point, *, always: bool = False) -> list[Shape] | None:
        """The shapes of a label; None without a free place, unless it is `always` put somewhere."""
        best: tuple[float, Box, float] | None = None
        for left, top, distance in self._candidates(point, text):
            spot = self._spot(left, top, text)
            overlap = self._overlap(spot)
            if not overlap:
                return self._shapes(text, point, spot, distance)
            if best is None or overlap < best[0]:
                best = (overlap, spot, distance)
        if always and best is not None and math.isfinite(best[0]):
            return self._shapes(text, point, *best[1:])
        return None

    def _spot(self, left: float, top: float, text: str) -> Box:
        return left, top, left + text_width(text, self.size), top + (_ASCENT + _DESCENT) * self.size

    def _candidates(self, point: Point, text: str) -> Iterator[tuple[float, float, float]]:
        """Upper left corners around a point, the nearest first, right before left, above before below."""
        wide, high = text_width(text, self.size), (_ASCENT + _DESCENT) * self.size
        for reach in _RINGS:
            for step in sorted(range(_DIRECTIONS), key=lambda n: (min(n, _DIRECTIONS - n), n)):
                angle = 2 * math.pi / _DIRECTIONS * step
                cos, sin = math.cos(angle), math.sin(angle)
                left = point[0] + cos * reach + (0 if cos > 0.1 else -wide if cos < -0.1 else -wide / 2)
                yield left, point[1] - sin * reach - high / 2 - high / 2 * sin, reach

    def _overlap(self, spot: Box) -> float:
        """How much of the spot is taken; infinite outside the frame."""
        left, top, right, bottom = self.frame
        if spot[0] < left or spot[1] < top or spot[2] > right or spot[3] > bottom:
            return math.inf
        return sum(_common_area(spot, box) for box in self.occupied)

    def _shapes(self, text: str, point: Point, spot: Box, distance: float) -> list[Shape]:
        gap = 0.35 * self.size
        self.occupied.append((spot[0] - gap, spot[1], spot[2] + gap, spot[3]))  # else two labels look like one
        corners = ((spot[0], spot[1]), (spot[2], spot[1]), (spot[2], spot[3]), (spot[0], spot[3]))
        shapes: list[Shape] = [Outline(corners, fill=GROUND, opacity=0.8)]
        if distance > _LEAD:
            nearest = (min(max(point[0], spot[0]), spot[2]), min(max(point[1], spot[1]), spot[3]))
            shapes.append(Outline((point, nearest), Stroke(THIRD, 0.4)))
        return [*shapes, Words((spot[0], spot[3] - _DESCENT * self.size), text, self.size, colour=INK)]


def _common_area(one: Box, other: Box) -> float:
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def merge_near(points: Sequence[Point], within: float) -> list[list[int]]:
    """Places of points that lie so close that they look like one, by the first of them."""
    groups: list[list[int]] = []
    for place, (x, y) in enumerate(points):
        near = next((g for g in groups if math.dist(points[g[0]], (x, y)) <= within), None)
        if near is None:
            groups.append([place])
        else:
            near.append(place)
    return groups
