"""What a figure shows, whoever draws it: panels with axes, marks in the coordinates of the data (placed: layout.py)."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]

# The light palette of the report: ink and greys, which differ in print, too.
INK, SECOND, THIRD, FILL = "#1c1b19", "#4f4d48", "#6b6963", "#b9b6ae"
STRONG_LINE, LIGHT_LINE, GROUND = "#cfccc5", "#e4e2dd", "#ffffff"

# Outlines around (0, 0), y downwards; the circle is known to the writers.
OUTLINES: dict[str, tuple[Point, ...]] = {
    "circle": (),
    "square": ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)),
    "triangle": ((0, -1.1), (1.05, 0.8), (-1.05, 0.8)),
    "triangle down": ((0, 1.1), (1.05, -0.8), (-1.05, -0.8)),
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "cross": (
        (0, -0.4), (0.6, -1), (1, -0.6), (0.4, 0), (1, 0.6), (0.6, 1), (0, 0.4), (-0.6, 1), (-1, 0.6), (-0.4, 0),
        (-1, -0.6), (-0.6, -1),
    ),
    "plus": (
        (-0.35, -1.1), (0.35, -1.1), (0.35, -0.35), (1.1, -0.35), (1.1, 0.35), (0.35, 0.35), (0.35, 1.1), (-0.35, 1.1),
        (-0.35, 0.35), (-1.1, 0.35), (-1.1, -0.35), (-0.35, -0.35),
    ),
    "triangle left": ((-1.1, 0), (0.8, 1.05), (0.8, -1.05)),
    "triangle right": ((1.1, 0), (-0.8, 1.05), (-0.8, -1.05)),
}  # fmt: skip
SHAPES = tuple(OUTLINES)


@dataclass(frozen=True)
class Stroke:
    """How a line is drawn; lengths in typographic points."""

    colour: str = INK
    width: float = 0.8
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Tick:
    value: float
    text: str


@dataclass(frozen=True)
class Axis:
    """From `low`, at the left or lower end, to `high`; `low` is the greater one where an axis is inverted."""

    low: float
    high: float
    ticks: tuple[Tick, ...] = ()
    label: str = ""
    grid: bool = False  # a line at each tick
    line: bool = True
    are_names: bool = False  # the texts of the ticks: each is shown, and cut if it is long


@dataclass(frozen=True)
class Line:
    """Straight lines from point to point."""

    points: tuple[Point, ...]
    stroke: Stroke = Stroke()
    name: str = ""  # in the legend, with the points of the same name


@dataclass(frozen=True)
class Area:
    """What lies inside an outline."""

    outline: tuple[Point, ...]
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Bars:
    """Boxes from one corner to the opposite one, such as those of a histogram."""

    boxes: tuple[tuple[Point, Point], ...]
    descriptions: tuple[str, ...] = ()
    colour: str = FILL


@dataclass(frozen=True)
class Intervals:
    """Lines between the ends of intervals; what lies beyond an axis is cut off."""

    ends: tuple[tuple[Point, Point], ...]
    stroke: Stroke = Stroke(THIRD, 0.8)


@dataclass(frozen=True)
class Points:
    """Values. `labels` are put beside them where there is room, `descriptions` are for the reader of an SVG file."""

    at: tuple[Point, ...]
    shape: str = "circle"
    size: float = 2.2  # radius in typographic points
    colour: str = INK
    filled: bool = True
    opacity: float = 1.0
    name: str = ""  # in the legend
    descriptions: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Label:
    """A text that begins right of a point, in the middle of the height."""

    at: Point
    text: str


Mark = Line | Area | Bars | Intervals | Points | Label


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    title: str = ""
    subtitle: str = ""
    right: tuple[Tick, ...] = ()  # texts behind the right end


@dataclass(frozen=True)
class Figure:
    """Panels in rows, the legend and the notes below them."""

    title: str  # neither it nor the description is drawn: a paper has a caption
    description: str
    panels: tuple[Panel, ...]
    across: int
    width: float = 85.0  # millimetres
    plot_height: float | None = None  # of a panel without its texts, in points; without it `aspect` times its width
    aspect: float = 1.0
    label_size: float = 7.0
    every_label: bool = False  # if labels of points do not fit, numbers stand for them
    notes: tuple[str, ...] = ()
