"""Ways down from the root to the places of instances, in a forest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ontoeval.model.arrays import IntArray, LongArray
from ontoeval.model.shared import Placement, TooLargeError

MAX_STEPS = 250_000_000  # places x levels: 1 GB


@dataclass(frozen=True, eq=False)
class Descents:
    """The way from the root to each place of a forest, one row per level; -1 below the place itself.

    A hierarchy without a root gets one here, so that any two ways have their beginning in common.
    """

    way: IntArray  # levels x places
    level: LongArray  # of each place: way[level[k], k] is its concept
    rootless: bool  # level 0 is no concept of the hierarchy
    size: int  # concepts, the root that was added here included

    @classmethod
    def of(cls, placement: Placement) -> Descents:
        """Of the places of a forest."""
        hierarchy = placement.hierarchy
        rootless = not hierarchy.has_root
        level = hierarchy.closure.depth[placement.concepts].astype(np.int64) + rootless
        levels = int(level.max(initial=0)) + 1
        if levels * len(placement) > MAX_STEPS:
            raise TooLargeError(
                f"{len(placement):,} concepts with instances in a hierarchy of {levels:,} levels are too many"
            )
        parent = np.full(len(hierarchy), len(hierarchy), dtype=np.int32)
        parent[hierarchy.parents.degree == 1] = hierarchy.parents.indices
        way = np.full((levels, len(placement)), -1, dtype=np.int32)
        here = placement.concepts.copy()
        for depth in range(levels - 1, -1, -1):
            there = level >= depth
            way[depth, there] = here[there]
            if depth:
                here[there] = parent[here[there]]
        return cls(way, level, rootless, len(hierarchy) + rootless)

    def __len__(self) -> int:
        """The number of levels."""
        return len(self.way)

    @cached_property
    def runs(self) -> tuple[LongArray, LongArray]:
        """The places lined up so that what is at or below a place is a run of them: its start, and its end.

        The start of a run is the place itself, so that it also is its number in the line.
        """
        order = np.lexsort(self.way[::-1])  # -1 is less than any concept, so that a place comes before what is below it
        start = np.empty(len(order), dtype=np.int64)
        start[order] = np.arange(len(order))
        below = np.zeros(self.size, dtype=np.int64)
        for concepts in self.way:
            below += np.bincount(concepts[concepts >= 0], minlength=self.size)
        own = self.way[self.level, np.arange(len(order))]
        return start, start + below[own]
