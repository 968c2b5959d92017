"""What stands below the panels: the legend, what numbers stand for, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ontoeval.report.figures.drawing import Outline, Shape, Words, point_shapes
from ontoeval.report.figures.marks import INK, SECOND, Line, Panel, Points
from ontoeval.report.figures.text_width import cut_to, lines_within, text_width

_SAMPLE = 22.0  # length of the sample of a line
_BETWEEN = 12.0  # columns

Entry = Callable[[float, float], Iterator[Shape]]  # shapes by left end and baseline


@dataclass(frozen=True)
class Rows:
    """Entries in columns of equal width."""

    entries: Sequence[Entry]
    columns: int
    column_width: float
    line: float  # height of a row

    @property
    def height(self) -> float:
        return -(-len(self.entries) // self.columns) * self.line

    def __bool__(self) -> bool:
        return bool(self.entries)

    def shapes(self, left: float, top: float) -> Iterator[Shape]:
        """All shapes, row by row."""
        for number, entry in enumerate(self.entries):
            row, column = divmod(number, self.columns)
            yield from entry(left + column * self.column_width, top + (row + 0.75) * self.line)


def _rows(entries: Sequence[Entry], widest: float, room: float, size: float) -> Rows:
    most = max(1, int((room + _BETWEEN) // (widest + _BETWEEN)))
    columns = max(1, -(-len(entries) // max(1, -(-len(entries) // most))))  # rows of about the same length
    return Rows(entries, columns, widest + _BETWEEN, 1.35 * size)


def legend_rows(panels: Sequence[Panel], room: float, size: float) -> Rows:
    """A sample of the line and the point of each name, once for all panels."""
    samples: dict[str, list[Line | Points]] = {}
    for mark in (mark for panel in panels for mark in panel.marks):
        if isinstance(mark, Line | Points) and mark.name:
            parts = samples.setdefault(mark.name, [])
            if not any(type(part) is type(mark) for part in parts):
                parts.append(mark)
    before = _SAMPLE if any(isinstance(part, Line) for parts in samples.values() for part in parts) else 6.0
    texts = {name: cut_to(name, room - before - 4, size) for name in samples}
    widest = max((before + 4 + text_width(text, size) for text in texts.values()), default=0.0)
    return _rows([_legend_entry(texts[name], samples[name], before, size) for name in samples], widest, room, size)


def _legend_entry(text: str, parts: Sequence[Line | Points], before: float, size: float) -> Entry:
    def shapes(left: float, baseline: float) -> Iterator[Shape]:
        middle = baseline - 0.36 * size
        for part in parts:
            if isinstance(part, Line):
                yield Outline(((left, middle), (left + before, middle)), part.stroke)
            else:
                yield from point_shapes(part, [(left + before / 2, middle)])
        yield Words((left + before + 4, baseline), text, size, colour=INK)

    return shapes


def key_rows(names: Mapping[str, str], room: float, size: float) -> Rows:
    """Numbers and what they stand for."""
    before = max((text_width(number, size) for number in names), default=0.0) + 4
    texts = {number: cut_to(name, room - before, size) for number, name in names.items()}
    widest = max((before + text_width(text, size) for text in texts.values()), default=0.0)

    def entry(number: str) -> Entry:
        def shapes(left: float, baseline: float) -> Iterator[Shape]:
            yield Words((left + before - 4, baseline), number, size, "end", SECOND)
            yield Words((left + before, baseline), texts[number], size, colour=INK)

        return shapes

    return _rows([entry(number) for number in names], widest, room, size)


def note_rows(notes: Sequence[str], room: float, size: float) -> Rows:
    """Notes, each in as many lines as it takes."""
    lines = [line for note in notes for line in lines_within(note, room, size)]

    def entry(text: str) -> Entry:
        return lambda left, baseline: iter([Words((left, baseline), text, size, colour=SECOND)])

    return Rows([entry(line) for line in lines], 1, room, 1.3 * size)
