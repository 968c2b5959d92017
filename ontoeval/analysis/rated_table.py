"""`rated_table`: checks rows of rated pairs given in Python; files go to `load_pairs` (load/tables/); `ratings_of`."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.load.tables.rated_pairs import PairTable, load_pairs
from ontoeval.model.arrays import FloatArray
from ontoeval.model.ontology import Source


def rated_table(pairs: object) -> PairTable:
    """Rated pairs: a table, rows (left, right, rating), or a file of them."""
    if isinstance(pairs, (list, tuple)):
        pairs = _table(pairs)
    table = pairs if isinstance(pairs, PairTable) else load_pairs(pairs)
    if table.ratings is None:
        raise MissingInputError(
            "no ratings found",
            place=table.source.path,
            advice="Add a third column of numbers.",
            parameter="pairs",
        )
    return table


def ratings_of(table: PairTable) -> FloatArray:
    """The ratings of a table that has some; else no number."""
    return np.zeros(0) if table.ratings is None else table.ratings


def _table(rows: Sequence[Any]) -> PairTable:
    """A table of rows (left, right, rating); lines stand for their places, from 1 on."""
    for row in rows:
        names = isinstance(row, (list, tuple)) and len(row) == 3 and all(isinstance(name, str) for name in row[:2])
        if not names or not isinstance(row[2], int | float | np.number) or not math.isfinite(row[2]):
            raise ParameterError(
                f"{row!r} is not a rated pair",
                advice="Use (left, right, rating), with a finite number as the rating.",
                parameter="pairs",
            )
    if not rows:
        raise MissingInputError("no pairs", advice="Use rows of (left, right, rating).", parameter="pairs")
    ratings = np.array([row[2] for row in rows], dtype=np.float64)
    left, right = (tuple(row[side] for row in rows) for side in (0, 1))
    text = "\x1e".join(map("\x1f".join, zip(left, right, map(repr, ratings.tolist()), strict=True)))
    source = Source(sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
    return PairTable(left, right, ratings, tuple(range(1, len(rows) + 1)), source)
