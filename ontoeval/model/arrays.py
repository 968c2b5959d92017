"""Array types; `starts`, `runs`, `spans`, `blocks`, `search`, `row_codes`; `Adjacency`: edges as rows, none twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

AnyArray = TypeVar("AnyArray", bound=npt.NDArray[Any])

_LARGEST = 1 << 62  # whole numbers, their sums and differences below it fit in 64 bits


def freeze(array: AnyArray) -> AnyArray:
    """Make `array` read-only and return it."""
    array.flags.writeable = False
    return array


def starts(lengths: npt.NDArray[Any]) -> LongArray:
    """Where each group begins if groups of these lengths stand one after the other.

    starts([2, 3, 1]) is [0, 2, 5].
    """
    sizes: LongArray = lengths.astype(np.int64)
    return np.cumsum(sizes) - sizes


def runs(*columns: npt.NDArray[Any]) -> LongArray:
    """Where each run of equal neighbours begins.

    runs([7, 7, 3, 7]) is [0, 2, 3]. With several columns of one length, rows are equal if they are so in every column.
    Of sorted rows these are the positions of the distinct ones.
    """
    differs = np.zeros(len(columns[0]), dtype=bool)
    differs[:1] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(differs)


def spans(first: npt.NDArray[Any], lengths: npt.NDArray[Any]) -> LongArray:
    """The positions first[i], first[i] + 1, ... (lengths[i] of them) for every i, one after the other.

    spans([5, 0], [2, 3]) is [5, 6, 0, 1, 2]: the index that gathers whole rows out of a compressed matrix.
    """
    lengths = lengths.astype(np.int64)
    shift = first.astype(np.int64) - starts(lengths)
    return np.repeat(shift, lengths) + np.arange(int(lengths.sum()), dtype=np.int64)


def blocks(costs: npt.NDArray[Any], most: int) -> Iterator[tuple[int, int]]:
    """Cut a sequence into (start, stop) that cost at most `most` together; what costs more by itself stands alone.

    blocks([3, 3, 3, 9, 1], 6) gives (0, 2), (2, 3), (3, 4), (4, 5).
    """
    total = np.cumsum(costs, dtype=np.int64)
    start = before = 0
    while start < len(total):
        stop = max(start + 1, int(np.searchsorted(total, before + most, side="right")))
        yield start, stop
        start, before = stop, int(total[stop - 1])


def search(keys: LongArray, wanted: LongArray) -> tuple[LongArray, BoolArray]:
    """The position of each wanted number among the sorted keys, and whether it is one of them."""
    if not len(keys):
        return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=bool)
    position = np.searchsorted(keys, wanted)
    position[position == len(keys)] = 0
    return position, keys[position] == wanted


def row_codes(columns: Sequence[LongArray]) -> LongArray:
    """One number for each row of several columns, in the order of the rows."""
    code = np.zeros(len(columns[0]), dtype=np.int64)
    room = 1
    for column in columns:
        low = int(column.min(initial=0))
        size = int(column.max(initial=0)) - low + 1
        if room * size >= _LARGEST:  # number both anew: then there are no more than there are rows
            different, code = np.unique(code, return_inverse=True)
            room = len(different) + 1
            values, column = np.unique(column, return_inverse=True)
            low, size = 0, len(values) + 1
        code = code * size + (column.astype(np.int64) - low)
        room *= size
    return code


@dataclass(frozen=True, eq=False)
class Adjacency:
    """One direction of one kind of edge: the neighbours of c are indices[indptr[c]:indptr[c + 1]], ascending.

    Weights stand beside the indices and not as the data of a sparse matrix, because a weight may be 0.
    """

    indptr: LongArray
    indices: IntArray
    weights: FloatArray

    def __post_init__(self) -> None:
        for array in (self.indptr, self.indices, self.weights):
            freeze(array)

    @classmethod
    def from_pairs(cls, size: int, tails: npt.NDArray[Any], heads: npt.NDArray[Any], weights: FloatArray) -> Adjacency:
        """Edges tails[i] -> heads[i]; of repeated edges the lightest counts."""
        order = np.lexsort((weights, heads, tails))
        lightest = order[runs(tails[order], heads[order])]
        tails, heads, weights = tails[lightest], heads[lightest], weights[lightest]
        indptr = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(np.bincount(tails, minlength=size), out=indptr[1:])
        return cls(indptr, heads.astype(np.int32), weights.astype(np.float64))

    def __len__(self) -> int:
        """The number of edges."""
        return len(self.indices)

    @property
    def size(self) -> int:
        """The number of concepts."""
        return len(self.indptr) - 1

    @property
    def degree(self) -> LongArray:
        """The number of neighbours of each concept."""
        return np.diff(self.indptr)

    @property
    def tails(self) -> IntArray:
        """Where each edge starts, beside `indices`, where it ends."""
        return np.repeat(np.arange(self.size, dtype=np.int32), self.degree)

    def __getitem__(self, concept: int) -> IntArray:
        """The neighbours of one concept."""
        return self.indices[self.indptr[concept] : self.indptr[concept + 1]]

    def reversed(self) -> Adjacency:
        """The same edges in the other direction."""
        return Adjacency.from_pairs(self.size, self.indices, self.tails, self.weights)
