"""`load_pairs`: `PairTable`: which column is which, ratings (separators and cells: rows.py)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from ontoeval.errors import LoadError, listed
from ontoeval.load.input import DEFAULT_LIMIT, Input, open_input
from ontoeval.load.tables.headings import heading_word
from ontoeval.load.tables.rows import Row, decimal_comma, number, read_rows, separator_advice
from ontoeval.model.arrays import FloatArray, freeze
from ontoeval.model.ontology import Source

KINDS = "two columns of words or concepts, and optionally a third of ratings"
_LEFT = {"left", "word1", "term1", "concept1", "w1"}
_RIGHT = {"right", "word2", "term2", "concept2", "w2"}
_ID = {"id", "nr", "no", "index", "line", "pair", "pairid"}
_RATING = {
    "rating", "ratings", "score", "human", "mean", "humanmean", "humanrating", "humanscore", "meanrating", "meanscore",
    "similarity", "relatedness", "simlex999", "gold",
}  # fmt: skip


def _of_numbers(rows: Sequence[Row], column: int) -> bool:
    """True if all rows have a number in a column."""
    return bool(rows) and all(column < len(cells) and number(cells[column]) is not None for _, cells in rows)


@dataclass(frozen=True, eq=False)
class PairTable:
    """Pairs in the order of the file; what they name is left as it stands there."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    ratings: FloatArray | None
    lines: tuple[int, ...]  # the line of each pair
    source: Source

    def __post_init__(self) -> None:
        if self.ratings is not None:
            freeze(self.ratings)

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        return f"<PairTable {self.source.path}: {len(self):,} pairs{'' if self.ratings is None else ' with ratings'}>"


def load_pairs(source: object, *, max_size: int = DEFAULT_LIMIT) -> PairTable:
    """Read pairs: two columns, or three of which the third is a rating; further ones are ignored.

    `source` is a path, '-' for stdin, bytes or an open file, compressed or not. The columns are separated by TABs, else
    by commas, else by semicolons, else by blanks. A header line may name them, in any order.
    """
    with closing(open_input(source, limit=max_size)) as file:
        format, rows = read_rows(file, KINDS, columns=3)
        return _Pairs(file, format).table(rows)


class _Pairs:
    """The pairs of the rows of a table; header lines tell which column is which."""

    def __init__(self, source: Input, format: str) -> None:
        self.source, self.format = source, format
        self.left, self.right, self.rating = 0, 1, 2

    def table(self, rows: list[Row]) -> PairTable:
        """The pairs with their ratings; a LoadError if a row is not a pair."""
        all_rows, rows = rows, self._without_header(rows)
        if not rows:
            raise LoadError("no pairs found, only a header line", advice=f"Use {KINDS}.", path=self.source.name)
        self._check_widths(all_rows, rows[0][0])
        for line, cells in rows:
            for column in (self.left, self.right):
                if not cells[column]:
                    raise self._error(f"cell {column + 1} is empty", "Add a word or concept.", line)
        return PairTable(
            tuple([cells[self.left] for _, cells in rows]),
            tuple([cells[self.right] for _, cells in rows]),
            self._ratings(rows),
            tuple([line for line, _ in rows]),
            Source(path=self.source.name, format=self.format, sha256=self.source.sha256),
        )

    def _without_header(self, rows: list[Row]) -> list[Row]:
        """The rows of pairs; a header line tells which column is which."""
        first = [heading_word(cell) for cell in rows[0][1]]
        left, right, rating = (
            next((n for n, name in enumerate(first) if name in names), None) for names in (_LEFT, _RIGHT, _RATING)
        )
        if not any(number(cell) is not None for cell in rows[0][1]):
            if left is None and right is None and rating is not None and _of_numbers(rows[1:], rating):
                left, right = ([n for n in range(len(first)) if n != rating] + [None, None])[:2]
            if left is not None and right is not None:
                self.left, self.right = left, right
                self.rating = self._unnamed_rating(rows) if rating is None else rating
                return rows[1:]
        third = [number(cells[2]) if len(cells) > 2 else None for _, cells in rows]
        if len(rows) > 1 and rows[0][1][2:3] not in ([], [""]) and third[0] is None and None not in third[1:]:
            return rows[1:]
        return rows

    def _unnamed_rating(self, rows: list[Row]) -> int:
        """The column of the ratings below a header line that does not name it: the only other one with numbers."""
        line, cells = rows[0]
        others = [
            n for n in range(len(cells)) if n not in (self.left, self.right) and heading_word(cells[n]) not in _ID
        ]
        numbers = [n for n in others if _of_numbers(rows[1:], n)]
        if len(numbers) > 1:
            raise self._error(
                f"several columns may be the ratings: {listed(repr(cells[n]) for n in numbers)}",
                "Call one of them rating, or remove the others.",
                line,
            )
        return (numbers or others or [len(cells)])[0]

    def _check_widths(self, rows: list[Row], begin: int) -> None:
        """All rows are as wide as the first one, which may be a header line; the pairs begin in line `begin`."""
        line_of_first, first = rows[0]
        for line, cells in rows:
            if len(cells) < 2:
                raise self._error(f"found 1 cell, {cells[0]!r}, expected {KINDS}", separator_advice(self.format), line)
            if {len(cells), len(first)} == {2, 3} and line_of_first == begin:
                rated_line, unrated_line = (line, line_of_first) if len(cells) == 3 else (line_of_first, line)
                raise self._missing_rating(unrated_line, rated_line)
            if len(cells) != len(first):
                raise self._error(
                    f"found {len(cells)} cells, but {len(first)} in line {line_of_first}",
                    separator_advice(self.format),
                    line,
                )

    def _ratings(self, rows: list[Row]) -> FloatArray | None:
        texts = [cells[self.rating] if self.rating < len(cells) else "" for _, cells in rows]
        if not any(texts):
            return None
        if "" in texts:
            rated = next(n for n, text in enumerate(texts) if text)
            raise self._missing_rating(rows[texts.index("")][0], rows[rated][0])
        values = [number(text) for text in texts]
        for (line, _), text, value in zip(rows, texts, values, strict=True):
            if value is None or not math.isfinite(value):
                raise self._error(
                    f"the rating {text!r} is not a finite number",
                    f"Correct it{decimal_comma(text)}, or remove the column.",
                    line,
                )
        return np.array(values, dtype=np.float64)

    def _missing_rating(self, unrated_line: int, rated_line: int) -> LoadError:
        return self._error(
            f"no rating, but line {rated_line} has one", "Add a rating in every line, or in none.", unrated_line
        )

    def _error(self, problem: str, advice: str, line: int) -> LoadError:
        return LoadError(problem, advice=advice, path=self.source.name, format=self.format, line=line)
