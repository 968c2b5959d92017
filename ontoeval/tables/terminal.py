"""Layout for a terminal: as wide as it is at most, by folding, transposing or blocks (texts: folding.py, table.py)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ontoeval.tables.folding import display_width, fold, on_one_line, terminal_width
from ontoeval.tables.text_table import TextTable, Value, rounded_text, spread_text

_NARROWEST = 40  # columns; numbers are whole on narrower terminals, too
_INDENT = 2
_GAP = 2
_SHORT_TEXT = 12  # columns that are left to a column of words at least
_MOST_LINES = 6  # of a cell
_RULE = "─"
_LONGEST_NUMBER = 30  # among words; what is longer is broken like them
_NUMBER = re.compile(r"(?=.*\d)(?:[\W\d_]|(?<=\d)[eE](?=[-+]?\d))+")  # digits and signs: also dates and ranges


@dataclass(frozen=True)
class _Cell:
    text: str
    number: bool  # right-aligned
    whole: bool  # never broken
    marks: str = ""  # behind the number: * of the best, letters of worse rows


@dataclass(frozen=True, eq=False)
class _Column:
    head: str
    cells: Sequence[_Cell]
    marked: bool = False  # values with room for marks: the head stands above the first digit

    @cached_property
    def number(self) -> bool:
        return all(cell.number or not cell.text for cell in self.cells)

    @cached_property
    def number_width(self) -> int:
        return max((display_width(cell.text) for cell in self.cells if cell.number), default=0)

    @cached_property
    def whole_width(self) -> int:
        """The columns that numbers and their marks need."""
        marks = max((len(cell.marks) for cell in self.cells), default=0)
        whole = [display_width(cell.text) for cell in self.cells if cell.whole and not cell.number]
        words = [display_width(word) for c in self.cells if not c.whole for word in c.text.split() if _is_number(word)]
        return max([self.number_width + marks, *whole, *words])

    @cached_property
    def width(self) -> int:
        """The columns that it takes without folding."""
        texts = (display_width(cell.text) for cell in self.cells if not cell.whole)
        return max([display_width(self.head), self.whole_width, *texts])

    @cached_property
    def least(self) -> int:
        """The columns that it needs at least."""
        return max(self.whole_width, min(self.width, _SHORT_TEXT))


_Block = tuple[Sequence[_Column], Sequence[int]]  # columns that stand side by side, and their widths


def terminal_text(table: TextTable) -> str:
    width = max(terminal_width(), _NARROWEST)
    columns = _columns(table)
    blocks = _side_by_side(columns, width)
    titles = [line for text in table.title.splitlines() for line in fold(on_one_line(text), width)]
    return "".join(f"{line}\n" for line in titles) + "\n".join(_block_text(block, widths) for block, widths in blocks)


def _columns(table: TextTable) -> list[_Column]:
    marked = any(isinstance(cell, Value) and (cell.best or cell.letters) for row in table.rows for cell in row)
    columns = []
    for place, head in enumerate(table.header):
        cells = [row[place] for row in table.rows]
        spreads = [spread_text(cell, table.precision) for cell in cells]
        room = max(map(len, spreads), default=0)
        texts = []
        for cell, spread in zip(cells, spreads, strict=True):
            text = on_one_line(rounded_text(cell, table.precision))
            if room and not isinstance(cell, str):  # means stand below each other, also those without a deviation
                text += f" {spread:{room}}"
            number = not isinstance(cell, str)
            marks = "" if not isinstance(cell, Value) else f"{'*' if cell.best else ' '}{cell.letters}".rstrip()
            texts.append(_Cell(text, number, number or _is_number(text), marks))
        values = any(isinstance(cell, Value) for cell in cells)
        columns.append(_Column(on_one_line(head), texts, marked and values))
    return columns


def _is_number(text: str) -> bool:
    return len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text) is not None


def _side_by_side(columns: Sequence[_Column], width: int) -> list[_Block]:
    """Blocks of columns with their widths: all columns in one block if they fit, perhaps transposed, else several.

    Where all is numbers but names and heads, these are rather not folded: it is transposed first.
    """
    arrangements = [columns]
    if columns and len(columns[0].cells) * _GAP < width and not any(cell.number for cell in columns[0].cells):
        arrangements.append(_transpose(columns))
    if len(arrangements) == 2 and all(column.number for column in columns[1:]):
        for arranged in arrangements:
            widths = [column.width for column in arranged]
            if sum(widths) + sum(_gaps(arranged)) <= width:
                return [(arranged, widths)]
    for arranged in arrangements:
        folded = _widths(arranged, width)
        if folded is not None:
            return [(arranged, folded)]
    return _blocks(columns, width) if columns else []


def _transpose(columns: Sequence[_Column]) -> list[_Column]:
    names, *others = columns
    heads = [_Cell(column.head, number=False, whole=False) for column in others]
    marked = any(column.marked for column in others)
    rows = zip(*(column.cells for column in others), strict=True) if others else [()] * len(names.cells)
    return [
        _Column(names.head, heads),
        *(_Column(name.text, list(row), marked) for name, row in zip(names.cells, rows, strict=True)),
    ]


def _blocks(columns: Sequence[_Column], width: int) -> list[_Block]:
    """As many columns as fit side by side, each time beside the first one; blocks are about equally wide."""
    number = len(_split(columns, width))
    narrowest = next(limit for limit in range(_NARROWEST, width + 1) if len(_split(columns, limit)) <= number)
    return [
        (block, _widths(block, width) or [column.least for column in block]) for block in _split(columns, narrowest)
    ]


def _split(columns: Sequence[_Column], width: int) -> list[list[_Column]]:
    first, *others = columns
    blocks: list[list[_Column]] = []
    for column in others:
        if blocks and _widths([*blocks[-1], column], width) is not None:
            blocks[-1].append(column)
        elif _widths([first, column], width) is not None:
            blocks.append([first, column])
        else:  # too wide for two: each alone
            blocks += [[first], [column]]
    return blocks or [[first]]


def _gaps(columns: Sequence[_Column]) -> list[int]:
    """Blanks before each column; names stand a little further from values that begin at the left."""
    return [_INDENT, *(_GAP + (place == 0 and column.marked) for place, column in enumerate(columns[1:]))]


def _widths(columns: Sequence[_Column], width: int) -> list[int] | None:
    """The widths of columns that fit side by side, columns of words narrower if they must; None if they do not fit."""
    room = width - sum(_gaps(columns))
    full, least = [column.width for column in columns], [column.least for column in columns]
    if sum(full) <= room:
        return full
    if sum(least) > room:
        return None
    limit = max(full)
    while sum(widths := [max(low, min(high, limit)) for low, high in zip(least, full, strict=True)]) > room:
        limit -= 1
    for place, high in enumerate(full):  # what is left, column by column
        if widths[place] < high and sum(widths) < room:
            widths[place] += 1
    return widths


def _block_text(columns: Sequence[_Column], widths: Sequence[int]) -> str:
    gaps = _gaps(columns)
    lines = _row_lines([fold(c.head, w) for c, w in zip(columns, widths, strict=True)], columns, widths, gaps)
    heads = [] if not any(column.head for column in columns) else lines
    body: list[list[str]] = []
    for row in zip(*(column.cells for column in columns), strict=True):
        texts = [
            _cell_lines(cell, column, width, first=not place)
            for place, (cell, column, width) in enumerate(zip(row, columns, widths, strict=True))
        ]
        body.append(_row_lines(texts, columns, widths, gaps))
    if heads and any(len(row) > 1 for row in body):  # else each line is a row, and the head the first one
        heads.append(" " * _INDENT + _RULE * (sum(widths) + sum(gaps) - _INDENT))
    return "".join(f"{line}\n" for row in (heads, *body) for line in row)


def _cell_lines(cell: _Cell, column: _Column, width: int, *, first: bool) -> list[str]:
    """The lines of a cell; those of a row's name are indented, so that it is seen where a row begins."""
    if not cell.whole:
        return fold(cell.text, width, indent=_INDENT if first else 0, most=_MOST_LINES)
    if not column.marked or not cell.number:
        return [cell.text]
    return [" " * (column.number_width - display_width(cell.text)) + cell.text + cell.marks]


def _row_lines(
    texts: Sequence[Sequence[str]], columns: Sequence[_Column], widths: Sequence[int], gaps: Sequence[int]
) -> list[str]:
    """The lines of a row, from the lines of its cells."""
    lines = []
    for number in range(max(map(len, texts))):
        line = ""
        for cell, column, width, gap in zip(texts, columns, widths, gaps, strict=True):
            text = cell[number] if number < len(cell) else ""
            blanks = " " * (width - display_width(text))
            line += " " * gap + (blanks + text if column.number and not column.marked else text + blanks)
        lines.append(line.rstrip())
    return lines
