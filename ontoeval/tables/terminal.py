"""Layout for a terminal: widths, star at best values (which: results.py; rounding: table.py); `terminal_width`."""

from __future__ import annotations

import io
import shutil
from collections.abc import Sequence

from ontoeval.tables.table import Table

_HARD_SPACE = "\ue000"  # stands for a blank that rich would cut off; no text has it


def terminal_text(table: Table) -> str:
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
