"""`TextTable`, `Value`; texts of cells: `rounded_text`, `spread_text`, `exact_text`; numeric columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ontoeval.errors import printable


@dataclass(frozen=True)
class Value:
    """A number with what else is known of it."""

    number: float
    best: bool = False  # of its column
    interval: tuple[float, float] | None = None
    letters: str = ""  # of the rows that it is significantly better than
    sd: float | None = None  # of the values that the number is the mean of


Cell = str | int | float | bool | Value | None


@dataclass(frozen=True)
class TextTable:
    """A table as its writers need it."""

    title: str  # some layouts have none
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    precision: int = 3  # decimals for people

    @property
    def heads(self) -> list[str]:
        """The header as people read it."""
        return [printable(head) for head in self.header]

    @property
    def texts(self) -> list[list[str]]:
        """The cells of each row as people read them."""
        return [[rounded_text(cell, self.precision) for cell in row] for row in self.rows]

    @property
    def spreads(self) -> list[list[str]]:
        """The standard deviations beside the numbers of each row, as people read them; empty where there is none."""
        return [[spread_text(cell, self.precision) for cell in row] for row in self.rows]

    @property
    def exact_texts(self) -> list[list[str]]:
        """The cells of each row as programs read them, the header first."""
        return [[exact_text(cell) for cell in row] for row in (self.header, *self.rows)]

    @property
    def best(self) -> list[list[bool]]:
        """Which cells of each row have the best value of their column."""
        return [[isinstance(cell, Value) and cell.best for cell in row] for row in self.rows]

    @property
    def letters(self) -> list[list[str]]:
        """The letters of each row's cells: of the rows that a value is significantly better than."""
        return [[cell.letters if isinstance(cell, Value) else "" for cell in row] for row in self.rows]

    @property
    def marked_texts(self) -> Iterator[tuple[Sequence[str], Sequence[bool], Sequence[str], Sequence[str]]]:
        """For each row the texts, which are best, the deviations and the letters of its cells."""
        return zip(self.texts, self.best, self.spreads, self.letters, strict=True)

    @property
    def numeric(self) -> list[bool]:
        """Which columns hold no words; they stand to the right."""
        return [all(not isinstance(row[i], str) or not row[i] for row in self.rows) for i in range(len(self.header))]


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
        whole = cell.number.is_integer() and abs(cell.number) > 1 and cell.sd is None  # a count
        return (f"{int(cell.number):,}" if whole else f"{cell.number:.{precision}f}") + low_high
    if isinstance(cell, str):
        return printable(cell)
    return f"{cell:.{precision}f}" if isinstance(cell, float) else f"{cell:,}"


def spread_text(cell: Cell, precision: int = 3) -> str:
    """The standard deviation of a mean, without the 0 before its point: `±.020`."""
    if not isinstance(cell, Value) or cell.sd is None:
        return ""
    digits = f"{cell.sd:.{precision}f}"
    return f"±{digits[1:] if digits.startswith('0.') else digits}"
