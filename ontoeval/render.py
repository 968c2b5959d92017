"""A table of results as text: for a terminal, a spreadsheet or a paper."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Literal

Layout = Literal["table", "tsv", "markdown", "latex"]
Cell = str | int | float | bool | None

_LATEX = re.compile(r"[\\{}$&#_%~^]")
_LATEX_WORDS = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def render(title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]], layout: Layout) -> str:
    """The table in one of the layouts; a missing value is empty in a TSV and a dash elsewhere."""
    if layout == "tsv":
        lines = [header, *([exact(cell) for cell in row] for row in rows)]
        return "".join("\t".join(line) + "\n" for line in lines)
    texts = [[rounded(cell) for cell in row] for row in rows]
    if layout == "markdown":
        return _markdown(header, texts)
    return _latex(header, texts) if layout == "latex" else _terminal(title, header, texts)


def exact(cell: Cell) -> str:
    """The value at full precision."""
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else re.sub(r"[\t\r\n]+", " ", str(cell))


def rounded(cell: Cell) -> str:
    """The value as people read it."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.3f}" if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else str(cell)


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(re.sub(r"\s+", " ", cell).replace("|", "\\|") for cell in cells) + " |\n"

    rule = "| --- |" + " ---: |" * (len(header) - 1) + "\n"
    return line(header) + rule + "".join(line(row) for row in rows)


def _latex(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str]) -> str:
        words = (_LATEX.sub(lambda m: _LATEX_WORDS.get(m[0], "\\" + m[0]), cell) for cell in cells)
        return " & ".join(words) + " \\\\\n"

    body = "".join(line(row) for row in rows)
    columns = "l" + "r" * (len(header) - 1)
    rule = "\\hline\n"
    return f"\\begin{{tabular}}{{{columns}}}\n{rule}{line(header)}{rule}{body}{rule}\\end{{tabular}}\n"


def _terminal(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for number, name in enumerate(header):
        table.add_column(Text(name), justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    target = io.StringIO()
    Console(file=target, width=_width(header, rows), highlight=False).print(table)
    return "\n".join(line.rstrip() for line in target.getvalue().splitlines()) + "\n"


def _width(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """As wide as the terminal, or as a page; never so narrow that numbers break."""
    import shutil

    least = sum(min(28, max(len(line[i]) for line in [header, *rows])) + 3 for i in range(len(header)))
    return max(shutil.get_terminal_size((110, 40)).columns, least)
