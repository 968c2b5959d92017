"""Tables of results as text, and the layouts they can have: a new layout is a writer function and a row of `Layout`."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape
from typing import Literal

from ontoeval.errors import ParameterError, did_you_mean


@dataclass(frozen=True)
class Value:
    """A number with what else is known of it."""

    number: float
    best: bool = False  # of its column
    interval: tuple[float, float] | None = None


Cell = str | int | float | bool | Value | None

_HARD_SPACE = "\ue000"  # stands for a blank that rich would cut off; no text has it
_LATEX = re.compile(r"[\\{}$&#_%~^]")
_LATEX_NAMES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


@dataclass(frozen=True)
class Table:
    """A table as its writers need it."""

    title: str  # some layouts have none
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    precision: int = 3  # decimals for people

    @property
    def texts(self) -> list[list[str]]:
        """The cells of each row as people read them."""
        return [[rounded_text(cell, self.precision) for cell in row] for row in self.rows]

    @property
    def exact_texts(self) -> list[list[str]]:
        """The cells of each row as programs read them, the header first."""
        return [[exact_text(cell) for cell in row] for row in (self.header, *self.rows)]

    @property
    def best(self) -> list[list[bool]]:
        """Which cells of each row have the best value of their column."""
        return [[isinstance(cell, Value) and cell.best for cell in row] for row in self.rows]

    @property
    def numeric(self) -> list[bool]:
        """Which columns hold no words; they stand to the right."""
        return [all(not isinstance(row[i], str) for row in self.rows) for i in range(len(self.header))]


def exact_text(cell: Cell) -> str:
    """The value at full precision."""
    if isinstance(cell, Value):
        cell = cell.number
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else re.sub(r"[\t\r\n]+", " ", str(cell))


def rounded_text(cell: Cell, precision: int = 3) -> str:
    """The value as people read it."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Value):
        low_high = "" if cell.interval is None else " [{}, {}]".format(*(f"{v:.{precision}f}" for v in cell.interval))
        whole = cell.number.is_integer() and abs(cell.number) > 1  # a count
        return (f"{int(cell.number):,}" if whole else f"{cell.number:.{precision}f}") + low_high
    return f"{cell:.{precision}f}" if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else str(cell)


def short_names(paths: Sequence[str]) -> list[str]:
    """File names; as much of the path as it takes to tell them apart."""
    for depth in range(1, 20):
        names = ["/".join(path.split("/")[-depth:]) for path in paths]
        if len(set(names)) == len(set(paths)):
            return names
    return list(paths)


def _tsv(table: Table) -> str:
    return "".join("\t".join(line) + "\n" for line in table.exact_texts)


def _csv(table: Table) -> str:
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows(table.exact_texts)
    return target.getvalue()


def _json(table: Table) -> str:
    """A list with an object for each row."""
    rows = [[cell.number if isinstance(cell, Value) else cell for cell in row] for row in table.rows]
    return json.dumps([dict(zip(table.header, row, strict=True)) for row in rows], indent=1, ensure_ascii=False) + "\n"


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str], marks: Sequence[bool]) -> str:
        texts = (re.sub(r"\s+", " ", cell).replace("|", "\\|") for cell in cells)
        return (
            "| " + " | ".join(f"**{text}**" if mark else text for text, mark in zip(texts, marks, strict=True)) + " |\n"
        )

    rule = "| " + " | ".join("---:" if number else "---" for number in table.numeric) + " |\n"
    body = "".join(line(row, marks) for row, marks in zip(table.texts, table.best, strict=True))
    return line(table.header, [False] * len(table.header)) + rule + body


def _latex(table: Table) -> str:
    def line(cells: Sequence[str], marks: Sequence[bool]) -> str:
        texts = (_LATEX.sub(lambda m: _LATEX_NAMES.get(m[0], "\\" + m[0]), cell) for cell in cells)
        marked = (f"\\textbf{{{text}}}" if mark else text for text, mark in zip(texts, marks, strict=True))
        return " & ".join(marked) + " \\\\\n"

    body = "".join(line(row, marks) for row, marks in zip(table.texts, table.best, strict=True))
    columns = "".join("r" if number else "l" for number in table.numeric)
    rule = "\\hline\n"
    top = line(table.header, [False] * len(table.header))
    return f"\\begin{{tabular}}{{{columns}}}\n{rule}{top}{rule}{body}{rule}\\end{{tabular}}\n"


def _html(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.header)
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    lines = [f"<table>{caption}", f"<thead><tr>{head}</tr></thead>"]
    for row, marks in zip(table.texts, table.best, strict=True):
        texts = [f"<b>{escape(text)}</b>" if mark else escape(text) for text, mark in zip(row, marks, strict=True)]
        lines.append(f"<tr><th>{texts[0]}</th>" + "".join(f"<td>{text}</td>" for text in texts[1:]) + "</tr>")
    return "\n".join([*lines, "</table>"]) + "\n"


def _terminal(table: Table) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    header, rows, best, numeric = table.header, table.texts, table.best, table.numeric
    if any(any(marks) for marks in best):  # bold is lost in a pipe, a star is not
        rows = [
            [text + ("*" if mark else _HARD_SPACE if number else "") for text, mark, number in line]
            for line in (zip(row, marks, numeric, strict=True) for row, marks in zip(rows, best, strict=True))
        ]
        header = [name + _HARD_SPACE if number else name for name, number in zip(header, numeric, strict=True)]
    grid = RichTable(box=box.SIMPLE_HEAD)
    for name, number in zip(header, numeric, strict=True):
        grid.add_column(Text(name), justify="right" if number else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(cell) for cell in row))
    target = io.StringIO()
    Console(file=target, width=_width(header, rows), highlight=False).print(grid)
    lines = target.getvalue().replace(_HARD_SPACE, " ").splitlines()
    return (f"{table.title}\n" if table.title else "") + "\n".join(line.rstrip() for line in lines) + "\n"


def _width(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """As wide as the terminal, or as a page; never so narrow that numbers break."""
    columns = [[line[i] for line in [header, *rows]] for i in range(len(header))]
    words = [max((len(word) for cell in column for word in cell.split()), default=0) for column in columns]
    least = 2 + sum(
        max(min(60, word), min(28, max(map(len, column)))) + 3 for word, column in zip(words, columns, strict=True)
    )
    return max(terminal_width(), least)


def terminal_width() -> int:
    """The columns of the terminal, or of a page if there is none."""
    return shutil.get_terminal_size((110, 40)).columns


class Layout(Enum):
    """How results are written, by its name on the command line and in Python.

    For people: numbers are rounded, concepts stand with their labels, the best values are marked. For programs: full
    precision and IRIs. TABLE is for a terminal: several tables under titles, with notes below them; in other layouts
    what a title says is a column.
    """

    TABLE = "table", _terminal, "people"
    JSON = "json", _json, "programs"  # commands print a document with more than the table
    TSV = "tsv", _tsv, "programs"
    CSV = "csv", _csv, "programs"
    MARKDOWN = "markdown", _markdown, "people"
    LATEX = "latex", _latex, "people"
    HTML = "html", _html, "people", "notebook"  # no option of a command

    write: Callable[[Table], str]
    for_people: bool
    on_command_line: bool

    def __new__(
        cls,
        name: str,
        write: Callable[[Table], str],
        reader: Literal["people", "programs"],
        place: Literal["command line", "notebook"] = "command line",
    ) -> Layout:
        layout = object.__new__(cls)
        layout._value_ = name
        layout.write, layout.for_people, layout.on_command_line = write, reader == "people", place == "command line"
        return layout

    @classmethod
    def named(cls, name: Layout | str) -> Layout:
        """The layout of a name such as "latex"; a layout is itself."""
        if isinstance(name, cls):
            return name
        names = {layout.value: layout for layout in cls}
        if name not in names:
            advice = f"{did_you_mean(str(name), names)} Choose from: {', '.join(names)}."
            raise ParameterError(f"{name!r} is no layout", advice=advice.strip(), parameter="layout")
        return names[name]


def render(
    title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]], layout: Layout | str, *, precision: int = 3
) -> str:
    """The table in one of the layouts; a missing value is empty in TSV and CSV and a dash elsewhere.

    Columns of numbers stand to the right, columns with words to the left.
    """
    return Layout.named(layout).write(Table(title, header, rows, precision))
