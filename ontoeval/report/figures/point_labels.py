"""`LabelPlaces`: texts beside points that cover neither points nor each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from ontoeval.report.figures.drawing import Outline, Shape, Words
from ontoeval.report.figures.marks import GROUND, INK, THIRD, Point, Stroke
from ontoeval.report.figures.text_width import text_width

Box = tuple[float, float, float, float]  # left, top, right, bottom

_RINGS = (4, 8, 13, 19, 26, 34, 43, 53, 64, 76)  # distances from the point
_DIRECTIONS = (0, 8, 4, 12, 2, 14, 6, 10, 1, 15, 3, 13, 5, 11, 7, 9)  # of 16, counter-clockwise from the right
_NEAR = 1.2  # points that look like one
_LEAD = 7  # a label that is further away gets a line to its point
_CLEAR = 4  # what such a label keeps from other points
_ASCENT, _DESCENT = 0.76, 0.22  # of the size of a text


class LabelPlaces:
    """The free places of a panel, around whose points labels are put."""

    def __init__(self, frame: Box, size: float, occupied: Iterable[Box], points: Sequence[Point]) -> None:
        self.frame, self.size, self.occupied, self.points = frame, size, list(occupied), points
        self.labels: list[Box] = []

    def place(self, text: str, point: Point, *, always: bool = False) -> list[Shape] | None:
        """The shapes of a label; None without a free place, unless it is `always` put somewhere."""
        best: tuple[float, Box, float] | None = None
        for spot, distance in self._candidates(point, text):
            overlap = self._overlap(spot) + self._misleads(spot, point, led=distance > _LEAD)
            if not overlap:
                return self._shapes(text, point, spot, led=distance > _LEAD)
            if best is None or overlap < best[0]:
                best = (overlap, spot, distance)
        if always and best is not None and math.isfinite(best[0]):
            return self._shapes(text, point, best[1], led=best[2] > _LEAD)
        return None

    def _candidates(self, point: Point, text: str) -> Iterator[tuple[Box, float]]:
        """Boxes around a point and their distances from it: the nearest first, straight beside it before obliquely."""
        wide, high = text_width(text, self.size), (_ASCENT + _DESCENT) * self.size
        for reach in _RINGS:
            for step in _DIRECTIONS:
                angle = math.pi / 8 * step
                cos, sin = math.cos(angle), math.sin(angle)
                left = point[0] + cos * reach + (0 if cos > 0.1 else -wide if cos < -0.1 else -wide / 2)
                top = point[1] - sin * reach - high / 2 - high / 2 * sin
                yield (left, top, left + wide, top + high), reach

    def _overlap(self, spot: Box) -> float:
        """How much of the spot is taken; infinite outside the frame."""
        left, top, right, bottom = self.frame
        if spot[0] < left or spot[1] < top or spot[2] > right or spot[3] > bottom:
            return math.inf
        return sum(_common_area(spot, box) for box in self.occupied)

    def _misleads(self, spot: Box, point: Point, *, led: bool) -> bool:
        """Whether the label seems to belong to another point, or its line runs through another label."""
        others = (_distance(spot, other) for other in self.points if math.dist(other, point) > _NEAR)
        nearest = min(others, default=math.inf)
        if not led:
            return nearest < 1.4 * _distance(spot, point)
        steps = _steps(point, _nearest(spot, point))
        return nearest < _CLEAR or any(_distance(box, step) == 0 for box in self.labels for step in steps)

    def _shapes(self, text: str, point: Point, spot: Box, *, led: bool) -> list[Shape]:
        gap = 0.35 * self.size
        wider = (spot[0] - gap, spot[1], spot[2] + gap, spot[3])  # else two labels look like one
        self.occupied.append(wider)
        self.labels.append(wider)
        corners = ((spot[0], spot[1]), (spot[2], spot[1]), (spot[2], spot[3]), (spot[0], spot[3]))
        shapes: list[Shape] = [Outline(corners, fill=GROUND, opacity=0.8)]
        if led:
            end = _nearest(spot, point)
            shapes.append(Outline((point, end), Stroke(THIRD, 0.4)))
            self.occupied += [(x - 0.5, y - 0.5, x + 0.5, y + 0.5) for x, y in _steps(point, end)]
        return [*shapes, Words((spot[0], spot[3] - _DESCENT * self.size), text, self.size, colour=INK)]


def _nearest(box: Box, point: Point) -> Point:
    """The point of a box that is nearest to a point."""
    return min(max(point[0], box[0]), box[2]), min(max(point[1], box[1]), box[3])


def _steps(start: Point, end: Point) -> list[Point]:
    """Points along a line, two or less from each other."""
    count = max(1, math.ceil(math.dist(start, end) / 2))
    return [
        (start[0] + (end[0] - start[0]) * n / count, start[1] + (end[1] - start[1]) * n / count) for n in range(count)
    ]


def _distance(box: Box, point: Point) -> float:
    return math.dist(_nearest(box, point), point)


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
