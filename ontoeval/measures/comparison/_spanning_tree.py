"""Kernel of TED: `SpanningTree`: nearest parents (ties by a rank: tree_edit.py); `shapes` numbers equal subtrees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ontoeval.model.arrays import IntArray, LongArray, freeze, runs
from ontoeval.model.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class SpanningTree:
    """One parent for each concept: a tree below the root, or a forest where there is none."""

    parent: LongArray  # -1 for the tops
    depth: IntArray  # fewest edges from the root, or from the nearest top

    def __post_init__(self) -> None:
        freeze(self.parent)
        freeze(self.depth)

    @classmethod
    def of(cls, hierarchy: Hierarchy, rank: npt.NDArray[np.int64]) -> SpanningTree:
        """By fewest edges, the added ones included; of several parents at the least depth the one of lowest rank.

        The tops are the root, or without one all concepts of the parts that have no parent outside: those that an added
        root would be the parent of (C4).
        """
        children, parents = hierarchy.parents.tails, hierarchy.parents.indices
        depth = hierarchy.steps_down
        upward = np.flatnonzero(depth[parents] + 1 == depth[children])
        child, parent = children[upward], parents[upward]
        order = np.lexsort((rank[parent], child))
        child, parent = child[order], parent[order]
        first = runs(child)
        parent_of = np.full(len(hierarchy), -1, dtype=np.int64)
        parent_of[child[first]] = parent[first]
        return cls(parent_of, depth)

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def upwards(self) -> list[tuple[int, int]]:
        """(concept, parent) of all concepts, the deepest first."""
        order = np.argsort(-self.depth, kind="stable")
        return list(zip(order.tolist(), self.parent[order].tolist(), strict=True))

    def least_below(self, values: Sequence[float]) -> list[float]:
        """The smallest value at or below each concept."""
        result = list(values)
        for concept, parent in self.upwards:
            if parent >= 0:
                result[parent] = min(result[parent], result[concept])
        return result

    def children(self, key: Sequence[object]) -> tuple[list[int], list[list[int]]]:
        """The tops and the children of each concept, by ascending key."""
        tops: list[int] = []
        below: list[list[int]] = [[] for _ in range(len(self))]
        for concept in sorted(range(len(self)), key=key.__getitem__):  # type: ignore[arg-type]
            parent = int(self.parent[concept])
            (tops if parent < 0 else below[parent]).append(concept)
        return tops, below


def shapes(trees: Sequence[SpanningTree]) -> list[list[int]]:
    """A number for the shape of what is below each concept: the same if and only if it is the same without order.

    Shapes are numbered over all trees together, lower ones first and among those of one height by the numbers of their
    children: the numbers do not depend on how the concepts are called.
    """
    below: list[list[list[int]]] = [[[] for _ in range(len(tree))] for tree in trees]
    height = [[0] * len(tree) for tree in trees]
    for heights, tree in zip(height, trees, strict=True):
        for concept, parent in tree.upwards:
            if parent >= 0:
                heights[parent] = max(heights[parent], heights[concept] + 1)
    result = [[0] * len(tree) for tree in trees]
    numbered = 0
    for layer in _by_height(height):
        listed = {(side, c): tuple(sorted(below[side][c], reverse=True)) for side, c in layer}
        number = {shape: numbered + n for n, shape in enumerate(sorted(set(listed.values())))}
        numbered += len(number)
        for (side, concept), shape in listed.items():
            result[side][concept] = number[shape]
            parent = int(trees[side].parent[concept])
            if parent >= 0:
                below[side][parent].append(number[shape])
    return result


def _by_height(height: Sequence[Sequence[int]]) -> Iterable[list[tuple[int, int]]]:
    """(side, concept) of the leaves, then of what is one higher, and so on."""
    layers: list[list[tuple[int, int]]] = [[] for _ in range(1 + max(max(heights, default=0) for heights in height))]
    for side, heights in enumerate(height):
        for concept, level in enumerate(heights):
            layers[level].append((side, concept))
    return layers
