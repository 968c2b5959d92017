"""Kernel of CFM: `pairs_together`: pairs that share a cluster in all clusterings (levels: fowlkes_mallows.py)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ontoeval.model.arrays import LongArray, blocks, runs, spans, starts

Incidence = tuple[LongArray, LongArray]  # clusters, and beside each an object in it

_BLOCK = 32_000_000  # bytes that one step of the pair count works on
_COLUMNS = 8192  # objects looked at together; a multiple of 64
_ONES = np.unpackbits(np.arange(65536, dtype=np.uint16).view(np.uint8)).reshape(-1, 16).sum(axis=1, dtype=np.uint8)


def pairs_together(incidences: Sequence[Incidence]) -> int:
    """The pairs of objects that share a cluster, in each of the given clusterings."""
    rows = [_Rows(*incidence) for incidence in _restrict_to_shared(incidences)]
    size = rows[0].size
    if not size:
        return 0
    if all(side.single for side in rows):
        mark = rows[0].clusters
        for side in rows[1:]:
            mark = np.unique(mark * side.count + side.clusters, return_inverse=True)[1]
        together = np.bincount(mark)
        return int(np.dot(together, together - 1)) // 2
    distinct, counts = _distinct(rows)
    return (_together(rows, distinct, counts) - size) // 2


def _restrict_to_shared(incidences: Sequence[Incidence]) -> list[Incidence]:
    """Only the objects that all clusterings have, numbered so that those of a cluster are side by side."""
    shared = np.unique(incidences[0][1])
    for _, column in incidences[1:]:
        shared = shared[np.isin(shared, column)]
    restricted = []
    for cluster, column in incidences:
        inside = np.isin(column, shared)
        restricted.append((cluster[inside], np.searchsorted(shared, column[inside])))
    least = np.full(len(shared), np.iinfo(np.int64).max)
    np.minimum.at(least, restricted[0][1], restricted[0][0])
    place = np.empty(len(shared), dtype=np.int64)
    place[np.argsort(least, kind="stable")] = np.arange(len(shared))
    return [(cluster, place[column]) for cluster, column in restricted]


class _Rows:
    """The clusters of each object as compressed rows; every object has some."""

    def __init__(self, cluster: LongArray, column: LongArray) -> None:
        self.size = int(column.max(initial=-1)) + 1
        order = np.argsort(column, kind="stable")
        names, self.clusters = np.unique(cluster[order], return_inverse=True)
        self.count = len(names)
        self.lengths = np.bincount(column, minlength=self.size)
        self.indptr = np.concatenate([[0], np.cumsum(self.lengths)])

    @property
    def single(self) -> bool:
        return len(self.clusters) == self.size

    def bits(self, low: int, high: int) -> tuple[LongArray, npt.NDArray[np.uint64]]:
        """Of each cluster its row in the second result (-1: no object in low ... high - 1); the objects as bits."""
        entries = slice(self.indptr[low], self.indptr[high])
        active, row = np.unique(self.clusters[entries], return_inverse=True)
        width = -(-(high - low) // 64) * 64
        dense = np.zeros((len(active), width), dtype=bool)
        dense[row, np.repeat(np.arange(high - low), self.lengths[low:high])] = True
        place = np.full(self.count, -1, dtype=np.int64)
        place[active] = np.arange(len(active))
        return place, np.packbits(dense, axis=1).view(np.uint64)


def _distinct(rows: Sequence[_Rows]) -> tuple[LongArray, LongArray]:
    """One object of each kind of those in the same clusters everywhere, and how many there are of the kind.

    Rows are told apart by 128 random bits per cluster, added up.
    """
    random = np.random.default_rng(0)
    mark = np.zeros((rows[0].size, 2 * len(rows)), dtype=np.uint64)
    for number, side in enumerate(rows):
        for column in (2 * number, 2 * number + 1):
            bits = random.integers(0, 2**64, size=side.count, dtype=np.uint64)
            mark[:, column] = np.add.reduceat(bits[side.clusters], side.indptr[:-1])
    order = np.lexsort(mark.T)
    first = runs(*mark[order].T)
    return order[first], np.diff(np.append(first, len(order)))


def _together(rows: Sequence[_Rows], distinct: LongArray, times_of: LongArray) -> int:
    """The ordered pairs of objects together everywhere, each object with itself included.

    The objects that share a cluster with x are the union of the clusters of x: rows of bits, joined a block of columns
    and a block of objects at a time.
    """
    total = 0
    size = rows[0].size
    most = max(side.count for side in rows)
    width = min(max(_BLOCK // most // 64 * 64, 64), _COLUMNS)
    work = np.sum([side.lengths[distinct] for side in rows], axis=0) * (width // 8)
    parts = [*blocks(work, _BLOCK)]
    for low in range(0, size, width):
        bits = [side.bits(low, min(low + width, size)) for side in rows]
        for start, stop in parts:
            objects = distinct[start:stop]
            joined = _union(rows[0], objects, *bits[0])
            for side, held in zip(rows[1:], bits[1:], strict=True):
                joined &= _union(side, objects, *held)
            ones = _ONES[joined.view(np.uint16)].sum(axis=1, dtype=np.int64)
            total += int(np.dot(ones, times_of[start:stop]))
    return total


def _union(side: _Rows, objects: LongArray, place: LongArray, bits: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """For each of `objects` the union of its clusters."""
    lengths = side.lengths[objects]
    rows = place[side.clusters[spans(side.indptr[objects], lengths)]]
    inside = rows >= 0
    per_object = np.add.reduceat(inside, starts(lengths), dtype=np.int64)
    some = per_object > 0
    result = np.zeros((len(objects), bits.shape[1]), dtype=np.uint64)
    if some.any():
        result[some] = np.bitwise_or.reduceat(bits[rows[inside]], starts(per_object[some]), axis=0)
    return result
