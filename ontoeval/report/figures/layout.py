"""`lay_out`: where on the page each axis, mark and text of a figure is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ontoeval.report.figures.below import key_rows, legend_rows, note_rows
from ontoeval.report.figures.drawing import Drawing, Group, Outline, Shape, Words, point_shapes
from ontoeval.report.figures.marks import (
    INK,
    LIGHT_LINE,
    SECOND,
    STRONG_LINE,
    THIRD,
    Area,
    Axis,
    Bars,
    Figure,
    Intervals,
    Label,
    Line,
    Panel,
    Point,
    Points,
    Stroke,
    Tick,
)
from ontoeval.report.figures.point_labels import Box, LabelPlaces, merge_near
from ontoeval.report.figures.text_width import cut_to, lines_within, text_width

SIZE, SMALL = 8.0, 7.0  # points of the texts
MM = 72 / 25.4  # points of a millimetre
_LEADING = 1.25  # from line to line, in sizes
_SIDEWAYS = 1.5 * SMALL  # what the label of a vertical axis takes
_MARGIN = 3.0  # around everything
_GAP = 9.0  # between panels
_TICK_GAP = 4.0  # between an axis and its texts
_MOST_NAMES = 0.42  # of the width of a figure for the names at an axis
_MOST_LABEL = 0.62  # of the width of a panel for the label of a point
_SAME = 1.2  # distance of points that look like one
_BESIDE = 0.36  # of a size from the middle of a text down to its baseline


@dataclass(frozen=True)
class _Plot:
    """The rectangle of a panel in which its data are."""

    panel: Panel
    box: Box
    margin: float  # for the texts of the vertical axis
    head: float  # where the title begins

    def at(self, point: Point) -> Point:
        return self.x(point[0]), self.y(point[1])

    def x(self, value: float) -> float:
        axis, (left, _, right, _) = self.panel.x, self.box
        return left + (value - axis.low) / (axis.high - axis.low) * (right - left)

    def y(self, value: float) -> float:
        axis, (_, top, _, bottom) = self.panel.y, self.box
        return bottom - (value - axis.low) / (axis.high - axis.low) * (bottom - top)


def lay_out(figure: Figure) -> Drawing:
    """Place everything; the height is what the panels, the legend and the notes take."""
    plots, width, bottom = _plots(figure), figure.width * MM, 0.0
    labels, key = _all_labels(figure, plots)
    groups = []
    for number, (plot, shapes) in enumerate(zip(plots, labels, strict=True)):
        drawn = [*_axes(plot), *_marks(plot), *shapes]
        groups.append(Group(f"panel-{number}", tuple(drawn)))
        bottom = max(bottom, plot.box[3] + _axis_height(plot.panel))
    room = width - 2 * _MARGIN
    for name, rows in (
        ("legend", legend_rows(figure.panels, room, SMALL)),
        ("key", key_rows(key, room, SMALL)),
        ("notes", note_rows(figure.notes, room, SMALL)),
    ):
        if rows:
            bottom += 0.5 * SMALL
            groups.append(Group(name, tuple(rows.shapes(_MARGIN, bottom))))
            bottom += rows.height
    return Drawing(width, bottom + _MARGIN, figure.title, figure.description, tuple(groups))


# the grid of panels


def _plots(figure: Figure) -> list[_Plot]:
    panels, across, width = figure.panels, figure.across, figure.width * MM
    columns = [panels[first::across] for first in range(across)]
    lefts = [max(_left_room(panel, width) for panel in column) for column in columns]
    rights = [max(_right_room(panel) for panel in column) for column in columns]
    plot_width = (width - 2 * _MARGIN - sum(lefts) - sum(rights) - _GAP * (across - 1)) / across
    plot_height = figure.aspect * plot_width if figure.plot_height is None else figure.plot_height
    plots, top = [], _MARGIN
    for first in range(0, len(panels), across):
        row = panels[first : first + across]
        head = top
        top += max(_title_height(panel, plot_width + rights[place]) for place, panel in enumerate(row))
        left = _MARGIN
        for place, panel in enumerate(row):
            left += lefts[place]
            box = (left, top, left + plot_width, top + plot_height)
            plots.append(_Plot(panel, box, lefts[place], head))
            left += plot_width + rights[place] + _GAP
        top += plot_height + max(map(_axis_height, row)) + 0.5 * _GAP
    return plots


def _left_room(panel: Panel, width: float) -> float:
    """What the texts of the vertical axis take."""
    names = max((text_width(tick.text, SMALL) for tick in panel.y.ticks), default=0.0)
    names = min(names, _MOST_NAMES * width / (1 if panel.y.are_names else 2))
    return (names + _TICK_GAP if names else 1.0) + (_SIDEWAYS if panel.y.label else 0.0)


def _right_room(panel: Panel) -> float:
    beside = max((text_width(tick.text, SMALL) + 3 for tick in panel.right), default=0.0)
    last = max((text_width(tick.text, SMALL) / 2 for tick in panel.x.ticks if tick.text), default=0.0)
    return max(beside, last, 2.5)


def _title_lines(panel: Panel, room: float) -> list[tuple[str, bool]]:
    lines = [(line, True) for line in lines_within(panel.title, room, SIZE, bold=True)]
    return lines + [(line, False) for line in lines_within(panel.subtitle, room, SMALL)]


def _title_height(panel: Panel, room: float) -> float:
    lines = _title_lines(panel, room)
    return sum(_LEADING * (SIZE if bold else SMALL) for _, bold in lines) + (0.8 * SIZE if lines else 4.0)


def _axis_height(panel: Panel) -> float:
    ticks = _TICK_GAP + SMALL if any(tick.text for tick in panel.x.ticks) else 2.0
    return ticks + (_LEADING * SMALL + 1.0 if panel.x.label else 0.0)


# axes


def _axes(plot: _Plot) -> Iterator[Shape]:
    left, top, right, bottom = plot.box
    panel = plot.panel
    x_ticks, y_ticks = _shown_ticks(plot, panel.x), _shown_ticks(plot, panel.y, upright=True)
    for tick in x_ticks if panel.x.grid else ():
        yield Outline(((plot.x(tick.value), top), (plot.x(tick.value), bottom)), Stroke(LIGHT_LINE, 0.5))
    for tick in y_ticks if panel.y.grid else ():
        yield Outline(((left, plot.y(tick.value)), (right, plot.y(tick.value))), Stroke(LIGHT_LINE, 0.5))
    if panel.x.line:
        yield Outline(((left, bottom), (right, bottom)), Stroke(STRONG_LINE, 0.8))
    if panel.y.line:
        yield Outline(((left, bottom), (left, top)), Stroke(STRONG_LINE, 0.8))
    baseline = bottom + _TICK_GAP + 0.76 * SMALL
    for tick in x_ticks:
        yield Words((plot.x(tick.value), baseline), tick.text, SMALL, "middle", SECOND)
    room = plot.margin - _TICK_GAP - (_SIDEWAYS if panel.y.label else 0.0) + 0.01
    for tick in y_ticks:
        text = cut_to(tick.text, room, SMALL)
        colour = INK if panel.y.are_names else SECOND
        yield Words((left - _TICK_GAP, plot.y(tick.value) + _BESIDE * SMALL), text, SMALL, "end", colour)
    for tick in panel.right:
        yield Words((right + 3, plot.y(tick.value) + _BESIDE * SMALL), tick.text, SMALL, "start", THIRD)
    yield from _titles(plot)


def _titles(plot: _Plot) -> Iterator[Shape]:
    left, top, right, bottom = plot.box
    panel = plot.panel
    room = right - left + _right_room(panel)
    baseline = plot.head
    for text, bold in _title_lines(panel, room):
        size = SIZE if bold else SMALL
        baseline += _LEADING * size
        yield Words((left, baseline), text, size, "start", INK if bold else SECOND, bold)
    if panel.x.label:
        at = ((left + right) / 2, bottom + _axis_height(panel) - 0.3 * SMALL)
        yield Words(at, cut_to(panel.x.label, room, SMALL), SMALL, "middle", SECOND)
    if panel.y.label:
        x = left - plot.margin + 0.8 * SMALL
        text = cut_to(panel.y.label, bottom - top + 1.5 * SIZE, SMALL)
        yield Words((x, (top + bottom) / 2), text, SMALL, "middle", SECOND, upwards=True)


def _shown_ticks(plot: _Plot, axis: Axis, *, upright: bool = False) -> Sequence[Tick]:
    """All ticks that are names; of others every second, third ... if there is no room for all."""
    if axis.are_names or len(axis.ticks) < 2:
        return axis.ticks
    for step in range(1, len(axis.ticks) + 1):
        ticks = axis.ticks[::step]
        places = [plot.y(tick.value) if upright else plot.x(tick.value) for tick in ticks]
        sizes = [SMALL if upright else text_width(tick.text, SMALL) for tick in ticks]
        gaps = [abs(places[n + 1] - places[n]) - (sizes[n] + sizes[n + 1]) / 2 for n in range(len(ticks) - 1)]
        if all(gap >= 0.5 * SMALL for gap in gaps):
            return ticks
    return axis.ticks[:1]


# marks


def _marks(plot: _Plot) -> Iterator[Shape]:
    for mark in plot.panel.marks:
        match mark:
            case Line():
                yield Outline(tuple(map(plot.at, mark.points)), mark.stroke)
            case Area():
                yield Outline(tuple(map(plot.at, mark.outline)), fill=mark.colour, opacity=mark.opacity)
            case Bars():
                yield from _boxes(plot, mark)
            case Intervals():
                for start, end in mark.ends:
                    inside = tuple(_within(plot.box, plot.at(point)) for point in (start, end))
                    yield Outline(inside, mark.stroke)
            case Points():
                yield from point_shapes(mark, [plot.at(point) for point in mark.at])
            case Label():
                x, y = plot.at(mark.at)
                text = cut_to(mark.text, plot.box[2] - x - 3, SMALL)
                yield Words((x + 3, y + _BESIDE * SMALL), text, SMALL, "start", THIRD)


def _boxes(plot: _Plot, bars: Bars) -> Iterator[Shape]:
    for number, ((x, y), (to_x, to_y)) in enumerate(bars.boxes):
        corners = tuple(map(plot.at, ((x, y), (to_x, y), (to_x, to_y), (x, to_y))))
        description = bars.descriptions[number] if bars.descriptions else ""
        yield Outline(corners, fill=bars.colour, description=description)


def _within(box: Box, point: Point) -> Point:
    return min(max(point[0], box[0]), box[2]), min(max(point[1], box[1]), box[3])


# labels of points


def _all_labels(figure: Figure, plots: Sequence[_Plot]) -> tuple[list[list[Shape]], dict[str, str]]:
    """The shapes of the labels of each panel; and what numbers stand for, if there is no room for names."""
    labels = [_labels(plot, figure, {}) for plot in plots]
    if not figure.every_label or all(shapes is not None for shapes in labels):
        return [shapes or [] for shapes in labels], {}
    names = dict.fromkeys(name for plot in plots for mark in _points_with_labels(plot) for name in mark.labels)
    numbers = {name: str(number) for number, name in enumerate(names, 1)}
    return [_labels(plot, figure, numbers) or [] for plot in plots], {n: name for name, n in numbers.items()}


def _points_with_labels(plot: _Plot) -> list[Points]:
    return [mark for mark in plot.panel.marks if isinstance(mark, Points) and mark.labels]


def _labels(plot: _Plot, figure: Figure, numbers: dict[str, str]) -> list[Shape] | None:
    """The labels, those of the points that are furthest from the others first; None if one of them has no place."""
    left, top, right, bottom = plot.box
    points = [plot.at(point) for mark in _points_with_labels(plot) for point in mark.at]
    places = LabelPlaces((left + 1, top - 3.6, right, bottom - 1), figure.label_size, _places_of_marks(plot), points)
    room = _MOST_LABEL * (right - left)
    shapes: list[Shape] = []
    complete = True
    for mark in _points_with_labels(plot):
        at = [plot.at(point) for point in mark.at]
        groups = merge_near(at, _SAME) if figure.every_label else [[place] for place in range(len(at))]
        for group in _outermost_first(groups, at):
            text = _label_text([mark.labels[n] for n in group], numbers)
            short = cut_to(text, room, figure.label_size)
            placed = places.place(short, at[group[0]], always=bool(numbers))
            complete = complete and placed is not None and (short == text or bool(numbers))
            shapes += placed or ()
    return shapes if complete or not figure.every_label else None


def _label_text(names: Sequence[str], numbers: dict[str, str]) -> str:
    """Names with commas, or numbers: `1, 3–6`."""
    if not numbers:
        return ", ".join(names)
    runs: list[list[int]] = []
    for number in sorted(int(numbers[name]) for name in names):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def _outermost_first(groups: list[list[int]], at: Sequence[Point]) -> list[list[int]]:
    """Those furthest from the middle of all points first: they have the most room, and leave it to the others."""
    if not at:
        return groups
    middle = (sum(x for x, _ in at) / len(at), sum(y for _, y in at) / len(at))

    def distance(group: list[int]) -> float:
        x, y = at[group[0]]
        return round((x - middle[0]) ** 2 + (y - middle[1]) ** 2, 6)

    return sorted(groups, key=lambda group: (-distance(group), group))


def _places_of_marks(plot: _Plot) -> Iterator[Box]:
    """Where points and intervals are."""
    for mark in plot.panel.marks:
        if isinstance(mark, Points):
            around = mark.size + 0.5
            for x, y in map(plot.at, mark.at):
                yield x - around, y - around, x + around, y + around
        elif isinstance(mark, Intervals):
            for ends in mark.ends:
                (x, y), (to_x, to_y) = (_within(plot.box, plot.at(point)) for point in ends)
                yield min(x, to_x) - 0.5, min(y, to_y) - 0.5, max(x, to_x) + 0.5, max(y, to_y) + 0.5
