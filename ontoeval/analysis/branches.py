"""`branches`: of concepts above or below another one the nearest, with the size of each (all: model/relatives.py)."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ontoeval.model.arrays import LongArray, search, spans
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.ontology import Ontology
from ontoeval.model.relatives import Place


def parents_by_label(ontology: Ontology, concept: int) -> list[tuple[str, str]]:
    """(label, IRI) of the parents of a concept, sorted."""
    hierarchy = ontology.hierarchy
    return sorted((ontology.label_of(c), hierarchy.iris[c]) for c in hierarchy.parents[concept].tolist())


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
