"""`RootPaths`: in a forest, paths from the root to places of instances, as arrays, for the other files here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ontoeval.model.arrays import FloatArray, IntArray, LongArray, runs
from ontoeval.model.placement import Placement, TooLargeError

MAX_STEPS = 250_000_000  # places x levels: 1 GB
_PIECE = 20_000  # cells that fit into a processor's cache with what is counted of them


@dataclass(frozen=True, eq=False)
class RootPaths:
    """The paths from the root to the places of a forest, in a line where what is at or below a node is a run.

    Nodes are the concepts at or above a place, numbered along the line, parents before children: what is near in the
    hierarchy is near in memory. A hierarchy without a root gets one here, so that any two paths start at one node.
    """

    path: IntArray  # levels x places in the line; -1 below the place itself
    level: LongArray  # of each place in the line: path[level[k], k] is its own node
    line: LongArray  # where each place stands in the line
    rootless: bool  # level 0 is no concept of the hierarchy
    size: int  # nodes

    @classmethod
    def of(cls, placement: Placement) -> RootPaths:
        """The paths to the places of a forest, computed once."""
        return placement.cached("paths", lambda: cls._build(placement))

    @classmethod
    def _build(cls, placement: Placement) -> RootPaths:
        rootless = not placement.hierarchy.has_root
        level = placement.hierarchy.closure.depth[placement.concepts].astype(np.int64) + rootless
        levels = int(level.max(initial=0)) + 1
        if levels * len(placement) > MAX_STEPS:
            raise TooLargeError(
                f"too many concepts have instances: {len(placement):,}, in a hierarchy of {levels:,} levels"
            )
        path = _concepts(placement, level, levels)
        order = np.lexsort(path[::-1])  # -1 is less than any concept, so that a place comes before what is below it
        line = np.empty(len(order), dtype=np.int64)
        line[order] = np.arange(len(order))
        path = path[:, order]
        size = _number(path)
        return cls(path, level[order], line, rootless, size)

    def __len__(self) -> int:
        """The number of levels."""
        return len(self.path)

    @cached_property
    def end(self) -> LongArray:
        """Of each place in the line: where the run of what is at or below it ends."""
        places = np.arange(len(self.level))
        return places + np.bincount(self.path[self.path >= 0], minlength=self.size)[self.path[self.level, places]]

    @property
    def above(self) -> FloatArray:
        """Nodes x places in the line: 1 where the place is at or below the node."""
        result = np.zeros((self.size, len(self.level)))
        level, place = np.nonzero(self.path >= 0)
        result[self.path[level, place], place] = 1.0
        return result

    def count(self, placement: Placement) -> FloatArray:
        """Instances of each place in the line."""
        result = np.empty(len(self.line))
        result[self.line] = placement.count
        return result


def pieces(node: IntArray) -> Iterator[slice]:
    """Cut sorted nodes into pieces of whole nodes: what is below different nodes can be counted separately."""
    first = runs(node)[1:]
    at = np.searchsorted(first, np.arange(_PIECE, len(node) - _PIECE // 2, _PIECE))
    cuts = np.unique(first[at[at < len(first)]]).tolist()
    for start, stop in pairwise([0, *cuts, len(node)]):
        yield slice(start, stop)


def _concepts(placement: Placement, level: LongArray, levels: int) -> IntArray:
    """The concepts of each path, one row per level."""
    hierarchy = placement.hierarchy
    parent = np.full(len(hierarchy), len(hierarchy), dtype=np.int32)
    parent[hierarchy.parents.degree == 1] = hierarchy.parents.indices
    path = np.full((levels, len(placement)), -1, dtype=np.int32)
    concept = placement.concepts.copy()
    for depth in range(levels - 1, -1, -1):
        reached = level >= depth
        path[depth, reached] = concept[reached]
        if depth:
            concept[reached] = parent[concept[reached]]
    return path


def _number(path: IntArray) -> int:
    """Number the nodes along the line, in place; the number of nodes."""
    new = path >= 0
    new[:, 1:] &= path[:, 1:] != path[:, :-1]
    number = np.cumsum(new.T.ravel(), dtype=np.int32).reshape(new.T.shape).T - 1  # place by place, from the top down
    for row, first, numbers in zip(path, new, number, strict=True):
        starts = np.flatnonzero(first)
        occupied = row >= 0
        row[occupied] = numbers[starts][np.cumsum(first)[occupied] - 1]
    return int(new.sum())
