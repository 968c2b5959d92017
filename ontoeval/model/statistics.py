"""`describe`: numbers of one ontology: edges, leaves, depth, cycles, labels (rows printed: report/ontology.py)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ontoeval.errors import HierarchyError
from ontoeval.model.digraph import components
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import Lexicon

SHOWN_CYCLES = 5


def describe(hierarchy: Hierarchy, lexicon: Lexicon, instances: InstanceAssignment | None) -> dict[str, Any]:
    """The statistics of Dellschaft & Staab 2006, Table 9, and what else a reader wants to know first.

    edges = given + self-edges + edges added so that every concept reaches the root. A leaf has no subconcept other than
    itself. avg_depth is the mean number of distinct strict superconcepts of a leaf; avg_sub and avg_super run over
    concepts with at least one, deviations are those of the population. `roots` counts the tops of the given edges (a
    cycle is one), `intermediate` the concepts of the file that are a superconcept there, if only their own: the
    distinct hypernyms of TExEval.
    """
    self_edge = np.zeros(len(hierarchy), dtype=np.int64)
    self_edge[hierarchy.self_edges] = 1
    subconcepts, superconcepts = hierarchy.children.degree + self_edge, hierarchy.parents.degree + self_edge
    leaves = hierarchy.children.degree == 0
    avg_sub, sub_dev = _mean_and_deviation(subconcepts[subconcepts > 0])
    avg_super, super_dev = _mean_and_deviation(superconcepts[superconcepts > 0])
    added = len(hierarchy.attached)
    return {
        "concepts": len(hierarchy),
        "root": hierarchy.iris[0] if hierarchy.has_root else None,
        "root_added": hierarchy.root_added,
        **_stated_shape(hierarchy),
        "leaves": int(leaves.sum()),
        "edges": len(hierarchy.parents) + len(hierarchy.self_edges),
        "given_edges": len(hierarchy.parents) - added + len(hierarchy.self_edges),
        "added_edges": added,
        "self_edges": len(hierarchy.self_edges),
        "loops": len(np.union1d(hierarchy.self_edges, _on_cycles(hierarchy))),
        "avg_depth": _average_depth(hierarchy, leaves),
        "max_depth": int(hierarchy.closure.depth.max()) if len(hierarchy) else None,
        "avg_sub": avg_sub,
        "sub_dev": sub_dev,
        "avg_super": avg_super,
        "super_dev": super_dev,
        "related": len(hierarchy.related) // 2,
        "synonyms": len(hierarchy.synonyms) // 2,
        "labels": sum(lexicon.language_counts.values()),
        "languages": lexicon.language_counts,
        "unlabelled": int(lexicon.unlabelled.sum()) - int(hierarchy.root_added),
        "instances": len(instances) if instances else 0,
        "cycle_count": len(hierarchy.cycles),
        "cycles": [
            [hierarchy.iris[c] for c in hierarchy.cycle_path(members)] for members in hierarchy.cycles[:SHOWN_CYCLES]
        ],
    }


def _stated_shape(hierarchy: Hierarchy) -> dict[str, Any]:
    """The shape of the edges of the file, without those that were added to reach a root."""
    size = len(hierarchy)
    offset = int(hierarchy.root_added)  # an added root is id 0 and not a concept of the file
    tails, heads = hierarchy.stated_edges
    parents, children = (
        np.bincount(tails, minlength=size)[offset:],
        np.bincount(heads, minlength=size)[offset:],
    )
    several = int((parents > 1).sum())
    self_edge = np.zeros(size, dtype=bool)
    self_edge[hierarchy.self_edges] = True
    return {
        "roots": _tops(hierarchy, tails, heads),
        "intermediate": int(((children > 0) | self_edge[offset:]).sum()),
        "isolated": int(((parents == 0) & (children == 0)).sum()),
        "components": components(size, tails, heads, strong=False)[0] - offset,
        "multi_parent": several,
        "multi_parent_share": several / (size - offset) if size > offset else None,
    }


def _tops(hierarchy: Hierarchy, tails: npt.NDArray[Any], heads: npt.NDArray[Any]) -> int:
    count, part = components(len(hierarchy), tails, heads)
    has_parent = np.zeros(count, dtype=bool)
    has_parent[part[tails[part[tails] != part[heads]]]] = True
    return count - int(has_parent.sum()) - int(hierarchy.root_added)


def _on_cycles(hierarchy: Hierarchy) -> npt.NDArray[Any]:
    closure = hierarchy.closure
    return np.flatnonzero(closure.part_size[closure.part] > 1)


def _average_depth(hierarchy: Hierarchy, leaves: npt.NDArray[np.bool_]) -> float | None:
    if not leaves.any():
        return None
    try:
        return float(hierarchy.closure.ancestor_count[leaves].mean())
    except HierarchyError:  # more ancestors than fit into memory: only this value is missing
        return None


def _mean_and_deviation(values: npt.NDArray[Any]) -> tuple[float | None, float | None]:
    if not len(values):
        return None, None
    return float(values.mean()), float(values.std())
