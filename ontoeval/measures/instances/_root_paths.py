"""Ways down from the root to the places of instances, in a forest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ontoeval.model.arrays import FloatArray, IntArray, LongArray
from ontoeval.model.placement import Placement, TooLargeError

MAX_STEPS = 250_000_000  # places x levels: 1 GB
_PIECE = 20_000  # cells that fit into a processor's cache with what is counted of them


@dataclass(frozen=True, eq=False)
class Descents:
    """The ways from the root to the places of a forest, in a line where what is at or below a node is a run.

    Nodes are the concepts at or above a place, numbered along the line, parents before children: what is near in the
    hierarchy is near in memory. A hierarchy without a root gets one here, so that any two ways begin alike.
    """

    way: IntArray  # levels x places in the line; -1 below the place itself
    level: LongArray  # of each place in the line: way[level[k], k] is its own node
    line: LongArray  # where each place stands in the line
    rootless: bool  # level 0 is no concept of the hierarchy
    size: int  # nodes

    @classmethod
    def of(cls, placement: Placement) -> Descents:
        """To the places of a forest, made once."""
        return placement.cached("descents", lambda: cls._build(placement))

    @classmethod
    def _build(cls, placement: Placement) -> Descents:
        rootless = not placement.hierarchy.has_root
        level = placement.hierarchy.closure.depth[placement.concepts].astype(np.int64) + rootless
        levels = int(level.max(initial=0)) + 1
        if levels * len(placement) > MAX_STEPS:
            raise TooLargeError(
                f"{len(placement):,} concepts with instances in a hierarchy of {levels:,} levels are too many"
            )
        way = _concepts(placement, level, levels)
        order = np.lexsort(way[::-1])  # -1 is less than any concept, so that a place comes before what is below it
        line = np.empty(len(order), dtype=np.int64)
        line[order] = np.arange(len(order))
        way = way[:, order]
        size = _number(way)
        return cls(way, level[order], line, rootless, size)

    def __len__(self) -> int:
        """The number of levels."""
        return len(self.way)

    @cached_property
    def end(self) -> LongArray:
        """Of each place in the line: where the run of what is at or below it ends."""
        places = np.arange(len(self.level))
        return places + np.bincount(self.way[self.way >= 0], minlength=self.size)[self.way[self.level, places]]

    @property
    def above(self) -> FloatArray:
        """Nodes x places in the line: 1 where the place is at or below the node."""
        result = np.zeros((self.size, len(self.level)))
        level, place = np.nonzero(self.way >= 0)
        result[self.way[level, place], place] = 1.0
        return result

    def count(self, placement: Placement) -> FloatArray:
        """Instances of each place in the line."""
        result = np.empty(len(self.line))
        result[self.line] = placement.count
        return result


def pieces(node: IntArray) -> Iterator[slice]:
    """Cut sorted nodes into pieces of whole nodes: what is below different nodes can be counted apart."""
    starts = np.flatnonzero(node[1:] != node[:-1]) + 1
    wanted = np.searchsorted(starts, np.arange(_PIECE, len(node) - _PIECE // 2, _PIECE))
    cuts = np.unique(starts[wanted[wanted < len(starts)]]).tolist()
    for start, stop in pairwise([0, *cuts, len(node)]):
        yield slice(start, stop)


def _concepts(placement: Placement, level: LongArray, levels: int) -> IntArray:
    """The concepts of each way, one row per level."""
    hierarchy = placement.hierarchy
    parent = np.full(len(hierarchy), len(hierarchy), dtype=np.int32)
    parent[hierarchy.parents.degree == 1] = hierarchy.parents.indices
    way = np.full((levels, len(placement)), -1, dtype=np.int32)
    here = placement.concepts.copy()
    for depth in range(levels - 1, -1, -1):
        there = level >= depth
        way[depth, there] = here[there]
        if depth:
            here[there] = parent[here[there]]
    return way


def _number(way: IntArray) -> int:
    """Number the nodes along the line, in place; the number of nodes."""
    new = way >= 0
    new[:, 1:] &= way[:, 1:] != way[:, :-1]
    number = np.cumsum(new.T.ravel(), dtype=np.int32).reshape(new.T.shape).T - 1  # place by place, from the top down
    for row, first, own in zip(way, new, number, strict=True):
        starts = np.flatnonzero(first)
        there = row >= 0
        row[there] = own[starts][np.cumsum(first)[there] - 1]
    return int(new.sum())
