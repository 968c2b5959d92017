"""From rated pairs of words to pairs of concepts, and the pairs of which a word is unknown."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ontoeval.errors import MissingInputError, ParameterError, UnknownConceptError, listed
from ontoeval.load.tables.rated_pairs import PairTable, load_pairs
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.model.lookup import meanings, possible_meanings
from ontoeval.model.ontology import Ontology, Source
from ontoeval.tasks.concept_pairs import ConceptPairs

Senses = Literal["max", "first"]


class LeftOut(NamedTuple):
    """A pair that takes no part, and why."""

    left: str
    right: str
    rating: float
    line: int | None  # of the file
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON; without the line if there is no file."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def rated_table(pairs: object) -> PairTable:
    """Rated pairs, from wherever they come."""
    if isinstance(pairs, (list, tuple)):
        pairs = _made(pairs)
    table = pairs if isinstance(pairs, PairTable) else load_pairs(pairs)
    if table.ratings is None:
        raise MissingInputError(f"{table.source.path}: there are no ratings. Give a third column of numbers.")
    return table


def ratings_of(table: PairTable) -> FloatArray:
    return np.zeros(0) if table.ratings is None else table.ratings


def _made(rows: Sequence[Any]) -> PairTable:
    """A table of rows (left, right, rating); lines stand for their places, from 1 on."""
    for row in rows:
        fits = isinstance(row, (list, tuple)) and len(row) == 3 and all(isinstance(word, str) for word in row[:2])
        if not fits or not isinstance(row[2], int | float | np.number) or not math.isfinite(row[2]):
            raise ParameterError(f"{row!r} is no rated pair. Give (left, right, rating), the rating a finite number.")
    if not rows:
        raise MissingInputError("there is no pair. Give rows of (left, right, rating).")
    ratings = np.array([row[2] for row in rows], dtype=np.float64)
    left, right = (tuple(row[side] for row in rows) for side in (0, 1))
    said = "\x1e".join(map("\x1f".join, zip(left, right, map(repr, ratings.tolist()), strict=True)))
    source = Source(sha256=hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest())
    return PairTable(left, right, ratings, tuple(range(1, len(rows) + 1)), source)


class Looked:
    """Words as concepts, and the pairs of which one is unknown."""

    def __init__(self, ontology: Ontology, table: PairTable, senses: Senses) -> None:
        self.ontology, self.table = ontology, table
        self._first = senses == "first"
        self.meant: dict[str, tuple[str, ...]] = {}
        for word in dict.fromkeys((*table.left, *table.right)):
            self.meant[word] = self._iris(word)
        there = [bool(self.meant[a] and self.meant[b]) for a, b in zip(table.left, table.right, strict=True)]
        self.places: LongArray = np.flatnonzero(there)
        if not len(self.places):
            raise self._nothing()

    def _iris(self, word: str) -> tuple[str, ...]:
        hierarchy = self.ontology.hierarchy
        found = [c for c in possible_meanings(self.ontology, word) if c or not hierarchy.root_added]
        return tuple(hierarchy.iris[concept] for concept in found)

    def _nothing(self) -> UnknownConceptError:
        unknown = [word for word, found in self.meant.items() if not found]
        try:
            meanings(self.ontology, unknown[0])
            hint = ""
        except UnknownConceptError as error:
            hint = str(error).removeprefix(f"unknown concept {unknown[0]!r}.").strip()  # did you mean ...
        return UnknownConceptError(
            f"{self.table.source.path}: no pair can be looked up in {self.ontology.source.path}, it does not know "
            f"{listed(map(repr, unknown))}. {hint or 'Give labels or IRIs of its concepts.'}"
        )

    @property
    def task(self) -> ConceptPairs:
        table, places = self.table, self.places.tolist()
        return ConceptPairs(
            self.ontology,
            [self._concept(table.left[place]) for place in places],
            [self._concept(table.right[place]) for place in places],
            ratings_of(table)[self.places],
            names=[(table.left[place], table.right[place]) for place in places],
        )

    def _concept(self, word: str) -> str | tuple[str, ...]:
        found = self.meant[word]
        return found[0] if self._first or len(found) == 1 else found

    @property
    def _in_use(self) -> set[str]:
        return {side[place] for side in (self.table.left, self.table.right) for place in self.places.tolist()}

    @property
    def words(self) -> int:
        return len(self._in_use)

    @property
    def several(self) -> int:
        return sum(len(self.meant[word]) > 1 for word in self._in_use)

    @property
    def lines(self) -> tuple[int | None, ...]:
        return tuple(self._line(place) for place in self.places.tolist())

    def _line(self, place: int) -> int | None:
        return self.table.lines[place]

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        table, used = self.table, set(self.places.tolist())
        ratings = ratings_of(table).tolist()
        return tuple(
            LeftOut(
                table.left[n], table.right[n], ratings[n], self._line(n), self._reason(table.left[n], table.right[n])
            )
            for n in range(len(table))
            if n not in used
        )

    def _reason(self, *pair: str) -> str:
        unknown = [repr(word) for word in dict.fromkeys(pair) if not self.meant[word]]
        return f"{unknown[0]} is unknown" if len(unknown) == 1 else f"{' and '.join(unknown)} are unknown"
