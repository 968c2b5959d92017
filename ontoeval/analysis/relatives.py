"""`relatives`: what is above and below a concept; `branches`: the nearest of some of them, with the size of each."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

import numpy as np

from ontoeval.model.arrays import LongArray, search, spans
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.ontology import Ontology

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


def parents_by_label(ontology: Ontology, concept: int) -> list[tuple[str, str]]:
    """(label, IRI) of the parents of a concept, sorted."""
    hierarchy = ontology.hierarchy
    return sorted((ontology.label(c), hierarchy.iris[c]) for c in hierarchy.parents[concept].tolist())


def branches(hierarchy: Hierarchy, concepts: Collection[int], place: Place) -> list[tuple[int, int]]:
    """Of concepts above or below another one those next to it, with the number that each brings along, itself included.

    Below it: those that are below none of the others. Above it: those that are above none of the others. A concept with
    several of them above it (below it) is counted with each. Of a cycle one stands for all.
    """
    closure = hierarchy.closure
    ids = np.array(sorted(concepts), dtype=np.int64)
    parts, first, sizes = np.unique(closure.part[ids].astype(np.int64), return_index=True, return_counts=True)
    low, high = _pairs_among(hierarchy, parts)
    near, far = (low, high) if place == "above" else (high, low)
    is_next = np.ones(len(parts), dtype=bool)
    is_next[far] = False
    counts = sizes + np.bincount(near, weights=sizes[far], minlength=len(parts)).astype(np.int64)
    return list(zip(ids[first[is_next]].tolist(), counts[is_next].tolist(), strict=True))


def _pairs_among(hierarchy: Hierarchy, parts: LongArray) -> tuple[LongArray, LongArray]:
    """(part, its ancestor) of some sorted parts, as places in their list."""
    indptr, indices = hierarchy.closure.part_ancestors
    width = indptr[parts + 1] - indptr[parts]
    place, inside = search(parts, indices[spans(indptr[parts], width)].astype(np.int64))
    return np.repeat(np.arange(len(parts)), width)[inside], place[inside]
