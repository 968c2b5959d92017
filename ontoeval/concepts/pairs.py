"""`PairList`, `PairGrid`: best value, sum, fewest edges, WP over common ancestors (other formulas: measures/concepts/).

A measure is written once, for arrays `left` and `right` that broadcast against each other: of equal length for a list,
a column and a row for a grid. What runs over common ancestors is implemented once for lists and once for grids.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ontoeval.concepts.ancestor_paths import level_bounds
from ontoeval.concepts.individual_paths import IndividualPaths
from ontoeval.concepts.path_lengths import PathGraph
from ontoeval.concepts.space import Space
from ontoeval.model.arrays import BoolArray, FloatArray, IntArray, LongArray, blocks, runs, starts

BLOCK = 1 << 18  # entries looked at in one step
LINES = 256  # left concepts held at a time
CELLS = 1 << 23  # numbers in one block of a grid: 64 MB


class Pairing(ABC):
    """Pairs of concepts as ids that broadcast against each other."""

    space: Space
    left: LongArray
    right: LongArray
    term_lengths: FloatArray | None  # added to path lengths, because of the terms that were looked up

    @property
    def same(self) -> BoolArray:
        """True where both are one concept, or members of one cycle."""
        part = self.space.closure.part
        return np.asarray(part[self.left] == part[self.right])

    @abstractmethod
    def highest(self, values: FloatArray) -> FloatArray:
        """The greatest value of a common ancestor, -inf without one; `values` stand beside the left concepts' rows."""

    @abstractmethod
    def total(self, values: FloatArray) -> FloatArray:
        """The sum of `values`, one for each part, over the common ancestors."""

    @abstractmethod
    def fewest(self, *, added_root: bool) -> FloatArray:
        """The least up(a, m) + up(b, m) over the common ancestors m, an added root among them or not; inf without."""

    @abstractmethod
    def wu_palmer(self) -> FloatArray:
        """The greatest 2 (depth(m) + 1) / (up(a, m) + up(b, m) + 2 (depth(m) + 1)); 0 without a common ancestor."""

    @abstractmethod
    def lengths(self, graph: PathGraph | IndividualPaths) -> FloatArray:
        """Path lengths; inf without a path."""


@dataclass(frozen=True, eq=False)
class AncestorLookup:
    """Some pairs of a list, and the rows of their right concepts one after the other."""

    pairs: LongArray  # positions in the list
    values: npt.NDArray[Any]  # of the left concept at each ancestor of the right one
    entries: LongArray  # positions in the rows of the right concepts
    start: LongArray  # where the row of each pair begins


@dataclass(frozen=True, eq=False)
class Common:
    """Common ancestors of some pairs of a list: pair k (ascending) has rows.tops[left] = rows.tops[right]."""

    pairs: LongArray  # positions in the list
    pair: LongArray  # positions in `pairs`
    left: LongArray  # positions in the rows of the left and of the right concepts
    right: LongArray

    @property
    def first(self) -> LongArray:
        """Where each pair's entries begin."""
        return runs(self.pair)


@dataclass(frozen=True, eq=False)
class PairList(Pairing):
    """The pairs (left[i], right[i])."""

    space: Space
    left: LongArray
    right: LongArray
    term_lengths: FloatArray | None = None

    def __getitem__(self, places: LongArray) -> PairList:
        """Some of the pairs."""
        lengths = None if self.term_lengths is None else self.term_lengths[places]
        return PairList(self.space, self.left[places], self.right[places], lengths)

    def __len__(self) -> int:
        return len(self.left)

    def look_up(self, values: npt.NDArray[Any], empty: Any) -> Iterator[AncestorLookup]:
        """For each ancestor of the right concepts the left concept's value there, `empty` if it is no ancestor of left.

        `values` stand beside the rows. Those of some left concepts are put into a table, a line for each and a column
        for each of their ancestors, small enough to stay in the processor's cache; there the rows of their right
        concepts are looked up. So it goes block by block.
        """
        rows, part = self.space.rows, self.space.closure.part
        left, right, width = part[self.left], part[self.right], rows.width
        order = np.argsort(left)
        column = np.zeros(len(rows), dtype=np.int64)  # 0: of all that no left concept of the block is below
        table = np.empty(0, dtype=values.dtype)
        for pairs in _blocks(order, left[order], width[right[order]]):
            a, b = left[pairs], right[pairs]
            first = runs(a)
            marked = rows.positions(a[first])
            tops = np.unique(rows.tops[marked])
            column[tops] = np.arange(1, len(tops) + 1)
            line = np.arange(len(first)) * (len(tops) + 1)
            if len(line) * (len(tops) + 1) > len(table):
                table = np.full(2 * len(line) * (len(tops) + 1), empty, dtype=values.dtype)
            keys = np.repeat(line, width[a[first]]) + column[rows.tops[marked]]
            table[keys] = values[marked]
            entries, lengths = rows.positions(b), width[b]
            line_of_pair = np.repeat(line, np.diff(first, append=len(a)))
            left_values = table[np.repeat(line_of_pair, lengths) + column[rows.tops[entries]]]
            table[keys] = empty
            column[tops] = 0
            yield AncestorLookup(pairs, left_values, entries, starts(lengths))

    def common(self) -> Iterator[Common]:
        """The common ancestors of all pairs, in blocks."""
        positions = np.arange(1, len(self.space.rows.tops) + 1)
        for block in self.look_up(positions, 0):
            hit = np.flatnonzero(block.values)
            pair = np.searchsorted(block.start, hit, side="right") - 1
            yield Common(block.pairs, pair, block.values[hit] - 1, block.entries[hit])

    def highest(self, values: FloatArray) -> FloatArray:
        result = np.empty(len(self))
        for block in self.look_up(values, -np.inf):
            result[block.pairs] = np.maximum.reduceat(block.values, block.start)
        return result

    def total(self, values: FloatArray) -> FloatArray:
        result = np.empty(len(self))
        for block in self.look_up(values[self.space.rows.tops], 0.0):
            result[block.pairs] = np.add.reduceat(block.values, block.start)
        return result

    def fewest(self, *, added_root: bool) -> FloatArray:
        result, up = np.empty(len(self)), self.space.up_without_added_root if not added_root else self.space.up
        for block in self.look_up(up.astype(np.float64), np.inf):
            result[block.pairs] = np.minimum.reduceat(block.values + up[block.entries], block.start)
        return result

    def wu_palmer(self) -> FloatArray:
        result, up = np.empty(len(self)), self.space.up
        height = 2.0 * (self.space.closure.part_depth + 1)
        for block in self.look_up(up.astype(np.float64), np.inf):
            above = height[self.space.rows.tops[block.entries]]
            values = above / (block.values + up[block.entries] + above)
            result[block.pairs] = np.maximum.reduceat(values, block.start)
        return result

    def lengths(self, graph: PathGraph | IndividualPaths) -> FloatArray:
        return graph.between(self.left, self.right)


def _blocks(order: LongArray, left: IntArray, work: LongArray) -> Iterator[LongArray]:
    """Cut pairs in the order of their left concepts into pieces of bounded work and few different left concepts."""
    cuts = {stop for _, stop in blocks(work, BLOCK)}.union(runs(left)[LINES::LINES].tolist())
    for low, high in pairwise([0, *sorted(cuts)]):
        yield order[low:high]


@dataclass(frozen=True, eq=False)
class PairGrid(Pairing):
    """All pairs (row, column)."""

    space: Space
    rows: LongArray
    columns: LongArray
    term_lengths: FloatArray | None = None  # that broadcast against the grid
    left: LongArray = field(init=False)
    right: LongArray = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", self.rows[:, None])
        object.__setattr__(self, "right", self.columns[None, :])

    @property
    def parts(self) -> tuple[LongArray, LongArray]:
        """The parts of the rows, and of the columns."""
        part = self.space.closure.part
        return part[self.rows].astype(np.int64), part[self.columns].astype(np.int64)

    def listed(self, values: Callable[[PairList], FloatArray]) -> FloatArray:
        """The values of a function that is written for lists only: a list of pairs at a time."""
        result = np.empty((len(self.rows), len(self.columns)))
        width = max(len(self.columns), 1)
        for low, high in pieces(len(self.rows), max(BLOCK // width, 1)):
            left = np.repeat(self.rows[low:high], width)
            right = np.tile(self.columns, high - low)
            result[low:high] = values(PairList(self.space, left, right)).reshape(high - low, width)
        return result

    @cached_property
    def _above(self) -> tuple[LongArray, LongArray]:
        """The columns' parts and all their ancestors, and the position of each part among them (-1: none)."""
        rows = self.space.rows
        is_needed = np.zeros(len(rows), dtype=bool)
        is_needed[rows.tops[rows.positions(self.parts[1])]] = True
        needed = np.flatnonzero(is_needed)
        place = np.full(len(rows), -1, dtype=np.int64)
        place[needed] = np.arange(len(needed))
        return needed, place

    @cached_property
    def _levels(self) -> list[tuple[int, int, list[tuple[LongArray, LongArray]]]]:
        """The columns' ancestors level by level: (low, high, [(children, parents)]), no child twice in one step.

        The first step of a level has all its children low ... high - 1.
        """
        needed, place = self._above
        edges = self.space.closure.parents
        result = []
        for low, high in pairwise(level_bounds(self.space.closure.level[needed]).tolist()):
            children = needed[low:high]
            degree = edges.degree[children]
            steps = []
            for parent in range(int(degree.max(initial=0))):
                some = np.flatnonzero(degree > parent)
                steps.append((low + some, place[edges.indices[edges.indptr[children[some]] + parent]]))
            result.append((low, high, steps))
        return result

    def _best_over_ancestors(self, values: FloatArray, empty: float, better: np.ufunc, step: float) -> FloatArray:
        """The best, over the common ancestors m, of the left value at m and `step` for each edge from right to m.

        The best of a concept is the best of a parent, a step further, or the left value at the concept itself: from the
        top downwards, for many left concepts at a time.
        """
        rows, (needed, place) = self.space.rows, self._above
        lefts, columns = self.parts
        result = np.empty((len(columns), len(lefts)))  # transposed at the end, without copying
        for begin, end in pieces(len(lefts), max(CELLS // len(needed), 1)):
            entries = rows.positions(lefts[begin:end])
            column = np.repeat(np.arange(end - begin), rows.width[lefts[begin:end]])
            line = place[rows.tops[entries]]
            order = np.argsort(line, kind="stable")  # ancestors of no column, -1, come first
            line, column, entries = line[order], column[order], entries[order]
            best = np.empty((len(needed), end - begin))
            for low, high, steps in self._levels:
                if not steps:
                    best[low:high] = empty
                for number, (children, parents) in enumerate(steps):
                    if not number:
                        np.take(best, parents, axis=0, out=best[low:high], mode="clip")
                    else:
                        best[children] = better(best[children], best[parents])
                if step and steps:
                    best[low:high] += step
                some = slice(*np.searchsorted(line, [low, high]))
                cells = line[some], column[some]
                best[cells] = better(best[cells], values[entries[some]])
            result[:, begin:end] = best[place[columns]]
        return result.T

    def highest(self, values: FloatArray) -> FloatArray:
        return self._best_over_ancestors(values, -np.inf, np.maximum, 0.0)

    def fewest(self, *, added_root: bool) -> FloatArray:
        up = self.space.up if added_root else self.space.up_without_added_root
        return self._best_over_ancestors(up.astype(np.float64), np.inf, np.minimum, 1.0)

    def total(self, values: FloatArray) -> FloatArray:
        rows, (needed, place) = self.space.rows, self._above
        lefts, columns = self.parts
        entries = rows.positions(columns)
        start = np.concatenate([[0], np.cumsum(rows.width[columns])])
        above = csr_array((np.ones(len(entries)), place[rows.tops[entries]], start), shape=(len(columns), len(needed)))
        result = np.empty((len(lefts), len(columns)))
        for low, high in pieces(len(lefts), max(CELLS // len(needed), 1)):
            tops = rows.tops[rows.positions(lefts[low:high])]
            column = np.repeat(np.arange(high - low), rows.width[lefts[low:high]])
            shared = place[tops] >= 0
            left_values = np.zeros((len(needed), high - low))
            left_values[place[tops[shared]], column[shared]] = values[tops[shared]]
            result[low:high] = (above @ left_values).T
        return result

    def wu_palmer(self) -> FloatArray:
        rows, up = self.space.rows, self.space.up
        (needed, place), (lefts, columns) = self._above, self.parts
        entries = rows.positions(columns)
        start = starts(rows.width[columns])
        above = 2.0 * (self.space.closure.part_depth[rows.tops[entries]] + 1)
        beside, tops = above + up[entries], place[rows.tops[entries]]
        result = np.zeros((len(lefts), len(columns)))
        far = np.full(len(needed) + 1, np.inf)  # no ancestor: infinitely far up; the last is none of the columns'
        for number, left in enumerate(lefts.tolist()):
            row = slice(rows.start[left], rows.start[left + 1])
            positions = place[rows.tops[row]]
            far[positions], far[-1] = up[row], np.inf
            lengths = far[tops]
            lengths += beside
            np.divide(above, lengths, out=lengths)
            result[number] = np.maximum.reduceat(lengths, start) if len(start) else 0.0
            far[positions] = np.inf
        return result

    def lengths(self, graph: PathGraph | IndividualPaths) -> FloatArray:
        return graph.matrix(self.rows, self.columns)


def pieces(count: int, size: int) -> Iterator[tuple[int, int]]:
    """0 ... count in pieces of at most `size`: (low, high)."""
    for low in range(0, count, size):
        yield low, min(low + size, count)
