"""A figure as it is drawn: shapes and texts at places on the page, in typographic points from the upper left corner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ontoeval.report.figures.marks import GROUND, OUTLINES, Point, Points, Stroke

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Outline:
    """Lines from point to point; closed if there is something inside."""

    points: tuple[Point, ...]
    stroke: Stroke | None = None
    fill: str | None = None
    opacity: float = 1.0
    description: str = ""

    @property
    def closed(self) -> bool:
        return self.fill is not None


@dataclass(frozen=True)
class Circles:
    """Circles of one kind."""

    centres: tuple[Point, ...]
    radius: float
    stroke: Stroke
    fill: str
    opacity: float = 1.0
    descriptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Words:
    """A text on one line; `at` is on its baseline."""

    at: Point
    text: str
    size: float
    anchor: Anchor = "start"
    colour: str = ""
    bold: bool = False
    upwards: bool = False  # read from below


Shape = Outline | Circles | Words


@dataclass(frozen=True)
class Group:
    """Shapes that belong together, in the order in which they are drawn."""

    name: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Drawing:
    width: float
    height: float
    title: str
    description: str
    groups: tuple[Group, ...]


def point_shapes(points: Points, places: Sequence[Point]) -> Iterator[Shape]:
    """The points of a mark at places of the page."""
    stroke, fill = Stroke(points.colour, 0.9), points.colour if points.filled else GROUND
    if points.shape == "circle":
        yield Circles(tuple(places), points.size, stroke, fill, points.opacity, points.descriptions)
        return
    for number, (x, y) in enumerate(places):
        outline = tuple((x + points.size * dx, y + points.size * dy) for dx, dy in OUTLINES[points.shape])
        description = points.descriptions[number] if points.descriptions else ""
        yield Outline(outline, stroke, fill, points.opacity, description)
