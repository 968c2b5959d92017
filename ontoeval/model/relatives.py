"""`relatives`: what is above and below a concept (the nearest of some of them: analysis/branches.py)."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from ontoeval.model.hierarchy import Hierarchy

Place = Literal["above", "below", "above and below"]  # the last one: in a cycle with it


class Relatives(NamedTuple):
    """The superconcepts and subconcepts of a concept, itself apart; the others of a cycle are both."""

    above: frozenset[int] = frozenset()
    below: frozenset[int] = frozenset()

    @property
    def all(self) -> frozenset[int]:
        return self.above | self.below

    def place(self, concept: int) -> Place | None:
        """Where a concept is; None if it is none of them."""
        if concept in self.above:
            return "above and below" if concept in self.below else "above"
        return "below" if concept in self.below else None


def relatives(hierarchy: Hierarchy, concept: int | None) -> Relatives:
    """Those of a concept; none if there is no such concept."""
    if concept is None:
        return Relatives()
    closure = hierarchy.closure
    indptr, indices = closure.part_ancestors
    part = int(closure.part[concept])
    above = indices[indptr[part] : indptr[part + 1]].tolist()
    below = (np.searchsorted(indptr, np.flatnonzero(indices == part), side="right") - 1).tolist()

    def members(parts: list[int]) -> frozenset[int]:
        return frozenset(c for p in (*parts, part) for c in range(closure.first[p], closure.first[p + 1])) - {concept}

    return Relatives(members(above), members(below))
