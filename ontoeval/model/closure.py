"""`Closure`: ancestors, depth, levels, implied edges, limit of size; a cycle is one part (made in hierarchy.py)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from ontoeval.errors import HierarchyError
from ontoeval.model.arrays import Adjacency, BoolArray, IntArray, LongArray, freeze, runs, search, spans, starts
from ontoeval.model.digraph import distances, levels

MAX_PAIRS = 1_000_000_000  # (concept, ancestor) pairs: 4 GB
MAX_KEYS = 50_000_000  # pairs that may also be held as one number each: 400 MB
BLOCK = 8_000_000  # candidates looked at in one step


@dataclass(frozen=True, eq=False)
class Closure:
    """Ancestors and depth, each cycle taken as one part.

    The concepts of part k are the ids first[k] ... first[k + 1] - 1: `Hierarchy` numbers the members of a cycle side by
    side, parents before children. `parents` are the edges between parts.
    """

    first: LongArray
    parents: Adjacency
    roots: IntArray  # parts without parents

    def __post_init__(self) -> None:
        freeze(self.roots)

    @cached_property
    def part(self) -> IntArray:
        """The part of each concept."""
        return freeze(np.repeat(np.arange(len(self.first) - 1, dtype=np.int32), self.part_size))

    @cached_property
    def part_size(self) -> LongArray:
        """The number of concepts of each part."""
        return freeze(np.diff(self.first))

    @cached_property
    def part_depth(self) -> IntArray:
        """Fewest edges from a part without parents."""
        return freeze(
            distances(self.parents.size, self.parents.indices, self.parents.tails, self.roots.astype(np.int64))
        )

    @cached_property
    def level(self) -> IntArray:
        """The edges of the longest path from a part without parents; individuals share one level below all classes."""
        return freeze(levels(self.parents.size, self.parents.tails, self.parents.indices))

    @cached_property
    def depth(self) -> IntArray:
        """Fewest hierarchical edges from the root to each concept (without a root: from the nearest top)."""
        return freeze(self.part_depth[self.part])

    @cached_property
    def part_ancestors(self) -> tuple[LongArray, IntArray]:
        """The proper ancestors of each part as compressed rows (indptr, indices), ascending."""
        self._refuse_beyond_limit()
        indptr, indices = _close(self.parents, self.level)
        return freeze(indptr), freeze(indices)

    @cached_property
    def ancestors(self) -> csr_array:
        """N x n, bool: y is set in row x iff y is reachable from x over at least one edge and x != y."""
        indptr, indices = self.part_ancestors
        if len(self.first) == len(self.part) + 1:
            return _matrix(indptr, indices)
        return self._expand(indptr, indices)

    @cached_property
    def ancestor_count(self) -> LongArray:
        """The number of proper ancestors of each concept; in a forest without listing them."""
        size = self.part_size
        if "part_ancestors" in self.__dict__ and len(size) == len(self.part):
            return freeze(np.diff(self.part_ancestors[0]))
        if np.all(self.parents.degree <= 1):
            above = _summed_upwards(self.parents, size)
        else:
            indptr, indices = self.part_ancestors
            sums = np.concatenate([[0], np.cumsum(size[indices])])
            above = sums[indptr[1:]] - sums[indptr[:-1]]
        return freeze((above + size - 1)[self.part])

    def above(self, low: LongArray, high: LongArray) -> BoolArray:
        """Beside pairs of parts: is `high` a proper ancestor of `low`."""
        indptr, indices = self.part_ancestors
        if len(indices) <= MAX_KEYS:
            return search(self._keys, low * (len(indptr) - 1) + high)[1]
        start, stop = indptr[low], indptr[low + 1]  # bisection in all rows at once
        end = stop.copy()
        while np.any(start < stop):
            middle = (start + stop) >> 1
            smaller = indices[np.minimum(middle, len(indices) - 1)] < high
            open_ = start < stop
            start = np.where(open_ & smaller, middle + 1, start)
            stop = np.where(open_ & ~smaller, middle, stop)
        result: BoolArray = (start < end) & (indices[np.minimum(start, len(indices) - 1)] == high)
        return result

    @cached_property
    def _keys(self) -> LongArray:
        """The pairs of part and ancestor as sorted numbers."""
        indptr, indices = self.part_ancestors
        size = len(indptr) - 1
        return freeze(np.repeat(np.arange(size, dtype=np.int64) * size, np.diff(indptr)) + indices)

    @property
    def redundant(self) -> BoolArray:
        """Beside `parents.indices`: the edges that other edges already imply (A < B < C and A < C)."""
        return _implied_edges(self.parents, *self.part_ancestors)

    def _refuse_beyond_limit(self) -> None:
        if float(self.level.max(initial=0)) * len(self.part) <= MAX_PAIRS:
            return
        # A concept has at least as many ancestors as edges to the root; for a deep chain that is already too much.
        least = float(np.dot(self.part_depth.clip(min=0).astype(np.float64), self.part_size))
        if least > MAX_PAIRS:
            raise _too_large(least)

    def _expand(self, indptr: LongArray, indices: IntArray) -> csr_array:
        """Rows of parts to rows of concepts: the members of each ancestor part, and the cycle mates."""
        size = self.part_size
        parts = len(size)
        every_part = np.arange(parts, dtype=np.int64)
        # each part is an ancestor of itself here; it comes last, because ids run downwards
        rows = np.concatenate([np.repeat(every_part, np.diff(indptr)), every_part])
        order = np.argsort(rows, kind="stable")
        columns = np.concatenate([indices, every_part])
        members = columns[order]
        width = np.bincount(rows, weights=size[columns], minlength=parts).astype(np.int64)
        total = float(np.dot(width.astype(np.float64) - 1, size))
        if total > MAX_PAIRS:
            raise _too_large(total)
        listed = spans(self.first[members], size[members]).astype(np.int32)
        ancestors = listed[spans(starts(width)[self.part], width[self.part])]
        concepts = np.repeat(np.arange(len(self.part), dtype=np.int32), width[self.part])
        return _matrix(np.concatenate([[0], np.cumsum(width[self.part] - 1)]), ancestors[ancestors != concepts])


def _matrix(indptr: LongArray, indices: IntArray) -> csr_array:
    """A read-only n x n bool matrix of sorted rows."""
    size = len(indptr) - 1
    # scipy widens the ids to the type of indptr
    narrow = indptr.astype(np.int32) if indptr[-1] <= np.iinfo(np.int32).max else indptr
    matrix = csr_array((np.ones(len(indices), dtype=bool), indices, narrow), shape=(size, size))
    matrix.has_canonical_format = True
    for array in (matrix.data, matrix.indices, matrix.indptr):
        freeze(array)
    return matrix


def _too_large(pairs: float) -> HierarchyError:
    return HierarchyError(
        f"the hierarchy has at least {pairs:.2g} pairs of a concept and an ancestor; the limit is {MAX_PAIRS:.2g}",
        advice="Select a part of it with {below} or {namespaces}.",
    )


def _summed_upwards(parents: Adjacency, size: LongArray) -> LongArray:
    """For every node of a forest the sum of `size` over its proper ancestors, by pointer doubling."""
    count = parents.size
    jump = np.full(count + 1, count, dtype=np.int64)
    jump[:count][parents.degree == 1] = parents.indices
    total = np.concatenate([size, [0]])[jump]
    while np.any(jump != count):
        total = total + total[jump]
        jump = jump[jump]
    return total[:count]


def _close(parents: Adjacency, level: IntArray) -> tuple[LongArray, IntArray]:
    """Ancestor rows of an acyclic graph whose ids run from parents to children, a level at a time."""
    count = parents.size
    order = np.argsort(level, kind="stable")
    bounds = np.searchsorted(level[order], np.arange(int(level.max(initial=0)) + 2))
    start = np.zeros(count, dtype=np.int64)
    length = np.zeros(count, dtype=np.int64)
    heap = np.empty(max(4 * count, 1024), dtype=np.int32)  # rows in the order in which they become known
    used = 0
    for low, high in pairwise(bounds[1:]):
        for rows in _blocks(order[low:high], parents, length):
            width, columns = _union_of_parents(rows, parents, heap, start, length)
            need = used + len(columns)
            if need > MAX_PAIRS:
                raise _too_large(need)
            if need > len(heap):
                heap.resize(max(need, len(heap) * 3 // 2), refcheck=False)
            heap[used:need] = columns
            start[rows] = used + starts(width)
            length[rows] = width
            used = need
    indptr = np.concatenate([[0], np.cumsum(length)])
    if np.array_equal(order, np.arange(count)):
        heap.resize(used, refcheck=False)
        return indptr, heap
    return indptr, heap[spans(start, length)]


def _blocks(rows: LongArray, parents: Adjacency, length: LongArray) -> list[LongArray]:
    """Cut one level into pieces of bounded work."""
    edges = spans(parents.indptr[rows], parents.degree[rows])
    work = np.concatenate([[0], np.cumsum(length[parents.indices[edges]] + 1)])
    per_row = work[np.cumsum(parents.degree[rows])]
    cuts = np.flatnonzero(np.diff(per_row // BLOCK)) + 1
    return np.split(rows, cuts)


def _union_of_parents(
    rows: LongArray, parents: Adjacency, heap: IntArray, start: LongArray, length: LongArray
) -> tuple[LongArray, IntArray]:
    """For each of `rows` the union over its parents p of {p} and the ancestors of p: widths and sorted columns."""
    degree = parents.degree[rows]
    above = parents.indices[spans(parents.indptr[rows], degree)]
    width = length[above] + 1
    columns = np.empty(int(width.sum()), dtype=np.int32)
    last = np.cumsum(width) - 1
    inner = np.ones(len(columns), dtype=bool)
    inner[last] = False
    columns[last] = above  # a parent's id is greater than those of its ancestors: the row stays sorted
    columns[inner] = heap[spans(start[above], length[above])]
    per_row = np.add.reduceat(width, starts(degree)) if len(rows) else width
    if np.all(degree == 1):
        return per_row, columns
    key = np.repeat(np.arange(len(rows), dtype=np.int64), per_row) * parents.size + columns
    key.sort()
    key = key[runs(key)]
    return np.bincount(key // parents.size, minlength=len(rows)), (key % parents.size).astype(np.int32)


def _implied_edges(parents: Adjacency, indptr: LongArray, indices: IntArray) -> BoolArray:
    tails = parents.tails
    result = np.zeros(len(parents), dtype=bool)
    several = np.flatnonzero(parents.degree[tails] > 1)
    if not len(several):
        return result
    width = np.diff(indptr)[parents.indices[several]]
    above = np.repeat(tails[several].astype(np.int64), width) * parents.size
    above += indices[spans(indptr[parents.indices[several]], width)]
    edge = tails[several].astype(np.int64) * parents.size + parents.indices[several]
    result[several] = np.isin(edge, above)
    return result
