"""A table of results as text: for a terminal, a spreadsheet, a paper or a notebook."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Layout = Literal["table", "tsv", "csv", "markdown", "latex", "html"]


@dataclass(frozen=True)
class Value:
    """A number with what else is known of it."""

    number: float
    best: bool = False  # of its column
    interval: tuple[float, float] | None = None


Texts = Sequence[Sequence[str]]
Cell = str | int | float | bool | Value | None

_HARD_SPACE = "\ue000"  # stands for a blank that rich would cut off; no text has it
_LATEX = re.compile(r"[\\{}$&#_%~^]")
_LATEX_WORDS = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def render(
    title: str,
    header: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    layout: Layout,
    *,
    precision: int = 3,
) -> str:
    """The table in one of the layouts; a missing value is empty in TSV and CSV and a dash elsewhere.

    Columns of numbers stand to the right, columns with words to the left.
    """
    if layout in ("tsv", "csv"):
        return _separated([[exact(name) for name in header], *([exact(cell) for cell in row] for row in rows)], layout)
    texts = [[rounded(cell, precision) for cell in row] for row in rows]
    best = [[isinstance(cell, Value) and cell.best for cell in row] for row in rows]
    numbers = [all(not isinstance(row[i], str) for row in rows) for i in range(len(header))]
    if layout == "markdown":
        return _markdown(header, texts, best, numbers)
    if layout == "latex":
        return _latex(header, texts, best, numbers)
    if layout == "html":
        return _html(title, header, texts, best)
    return _terminal(title, header, texts, best, numbers)


def exact(cell: Cell) -> str:
    """The value at full precision."""
    if isinstance(cell, Value):
        cell = cell.number
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else re.sub(r"[\t\r\n]+", " ", str(cell))


def rounded(cell: Cell, precision: int = 3) -> str:
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


def _separated(lines: Sequence[Sequence[str]], layout: Layout) -> str:
    if layout == "tsv":
        return "".join("\t".join(line) + "\n" for line in lines)
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows(lines)
    return target.getvalue()


def _markdown(header: Sequence[str], rows: Texts, best: Sequence[Sequence[bool]], numbers: Sequence[bool]) -> str:
    def line(cells: Sequence[str], marks: Sequence[bool]) -> str:
        words = (re.sub(r"\s+", " ", cell).replace("|", "\\|") for cell in cells)
        return "| " + " | ".join(f"**{w}**" if mark else w for w, mark in zip(words, marks, strict=True)) + " |\n"

    rule = "| " + " | ".join("---:" if number else "---" for number in numbers) + " |\n"
    body = "".join(line(row, marks) for row, marks in zip(rows, best, strict=True))
    return line(header, [False] * len(header)) + rule + body


def _latex(header: Sequence[str], rows: Texts, best: Sequence[Sequence[bool]], numbers: Sequence[bool]) -> str:
    def line(cells: Sequence[str], marks: Sequence[bool]) -> str:
        words = (_LATEX.sub(lambda m: _LATEX_WORDS.get(m[0], "\\" + m[0]), cell) for cell in cells)
        return " & ".join(f"\\textbf{{{w}}}" if mark else w for w, mark in zip(words, marks, strict=True)) + " \\\\\n"

    body = "".join(line(row, marks) for row, marks in zip(rows, best, strict=True))
    columns = "".join("r" if number else "l" for number in numbers)
    rule = "\\hline\n"
    top = line(header, [False] * len(header))
    return f"\\begin{{tabular}}{{{columns}}}\n{rule}{top}{rule}{body}{rule}\\end{{tabular}}\n"


def _html(title: str, header: Sequence[str], rows: Sequence[Sequence[str]], best: Sequence[Sequence[bool]]) -> str:
    from html import escape

    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    lines = [f"<table><caption>{escape(title)}</caption>" if title else "<table>", f"<thead><tr>{head}</tr></thead>"]
    for row, marks in zip(rows, best, strict=True):
        words = [f"<b>{escape(w)}</b>" if mark else escape(w) for w, mark in zip(row, marks, strict=True)]
        lines.append(f"<tr><th>{words[0]}</th>" + "".join(f"<td>{word}</td>" for word in words[1:]) + "</tr>")
    return "\n".join([*lines, "</table>"]) + "\n"


def _terminal(
    title: str, header: Sequence[str], rows: Texts, best: Sequence[Sequence[bool]], numbers: Sequence[bool]
) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if any(any(marks) for marks in best):  # bold is lost in a pipe, a star is not
        rows = [
            [word + ("*" if mark else _HARD_SPACE if number else "") for word, mark, number in line]
            for line in (zip(row, marks, numbers, strict=True) for row, marks in zip(rows, best, strict=True))
        ]
        header = [name + _HARD_SPACE if number else name for name, number in zip(header, numbers, strict=True)]
    table = Table(box=box.SIMPLE_HEAD)
    for name, number in zip(header, numbers, strict=True):
        table.add_column(Text(name), justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    target = io.StringIO()
    Console(file=target, width=_width(header, rows), highlight=False).print(table)
    lines = target.getvalue().replace(_HARD_SPACE, " ").splitlines()
    return (f"{title}\n" if title else "") + "\n".join(line.rstrip() for line in lines) + "\n"


def _width(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """As wide as the terminal, or as a page; never so narrow that numbers break."""
    import shutil

    columns = [[line[i] for line in [header, *rows]] for i in range(len(header))]
    words = [max((len(word) for cell in column for word in cell.split()), default=0) for column in columns]
    least = 2 + sum(
        max(min(60, word), min(28, max(map(len, column)))) + 3 for word, column in zip(words, columns, strict=True)
    )
    return max(shutil.get_terminal_size((110, 40)).columns, least)
