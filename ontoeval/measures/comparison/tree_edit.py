"""Measure TED: which parent is preferred, order of children, limits (tree: _spanning_tree.py; distance: apted)."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ontoeval.measures.comparison._spanning_tree import SpanningTree, shapes
from ontoeval.measures.registry import Scale, UnmetNeedError, measure
from ontoeval.model.arrays import LongArray
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

MAX_CONCEPTS = 2_000  # of a side: memory grows with its square
MAX_PAIRS = 500_000  # of a learned and a gold concept: 20 to 30 seconds, for a few odd shapes minutes

Ranks = tuple[Mapping[int, int], ...]  # the place of each common concept in their order, by learned and by gold id


def _scale(parameters: Mapping[str, Any]) -> Scale | None:
    return ((0.0, 1.0), 0.0) if parameters["normalized"] else None


@measure(
    "TED",
    source="Zhang & Shasha 1989; by the algorithm of Pawlik & Augsten 2016 (APTED)",
    dimension="structural",
    symmetric=True,
    range=(0.0, float("inf")),
    best=0.0,
    scale=_scale,
)
def tree_edit_distance(task: Comparison, *, normalized: bool = False) -> Score:
    """Tree edit distance.

    TED = the least number of concepts to delete, insert or rename that turns the learned tree into the gold one. The
    children of a deleted concept go to its parent; an inserted one may take some neighbouring children of its parent.
    Two concepts that are matched with each other are the same; to turn any other into one another is one renaming.
    With `normalized=true` TED / (|C| + |R|).
    A tree has one parent for each concept: the one nearest to the root, by fewest edges, those to the root that were
    added included (C4); of several such parents a common concept, and the first by label. Other edges do not count, and
    `left_out` of the counts says how many they are. Without a root on one side, the tops of both sides hang under a
    root that is the same and costs nothing.
    The order of the children is part of a tree, because without one the distance is NP-hard. A common concept comes by
    its labels, the smaller of the two first, any other by the first common concept below it, and those with none below
    come last, by their shape. TED is therefore an upper bound of the distance without order. 0 if and only if the trees
    are the same and all concepts are matched.
    Undefined where |C| |R| is above 500,000, or one of the two above 2,000. Needs the package apted.
    """
    sizes = len(task.learned.hierarchy), len(task.gold.hierarchy)
    if max(sizes) > MAX_CONCEPTS or sizes[0] * sizes[1] > MAX_PAIRS:
        return Score.impossible(
            f"too many concepts: {sizes[0]:,} learned and {sizes[1]:,} gold; the limit is {MAX_CONCEPTS:,} on each "
            f"side and {MAX_PAIRS:,} pairs"
        )
    trees = [_ordered_trees(task, ranks) for ranks in _orders(task)]
    edits = min(_distance(*pair) for pair in trees)
    counts = {
        "edits": edits,
        "learned_concepts": sizes[0],
        "gold_concepts": sizes[1],
        "learned_left_out": trees[0][0].left_out,
        "gold_left_out": trees[0][1].left_out,
    }
    return Score(edits / sum(sizes) if normalized else float(edits), counts=counts)


# which tree, in which order


@dataclass(frozen=True, eq=False)
class _OrderedTree:
    """A tree with its children in order, ready to be compared."""

    root: _Node
    depth: int
    left_out: int  # edges of the hierarchy that are not in it


class _Node:
    """As apted wants it: two nodes are the same if their names are."""

    __slots__ = ("children", "name")

    def __init__(self, name: int) -> None:
        self.name = name
        self.children: list[_Node] = []


def _orders(task: Comparison) -> list[Ranks]:
    """The places of the common concepts in their order: of one order, or of two if they are matched crosswise.

    Neither side may decide: a pair is known by its labels, the smaller one first, then by its IRIs likewise. Where a is
    matched with b and b with a, these are the same, and the names of either side have to decide in turn.
    """
    learned, gold = (ids.tolist() for ids in task.common)
    learned_names, gold_names = _names(task.learned, learned), _names(task.gold, gold)
    keys = [(sorted((a[0], b[0])), sorted((a[1], b[1]))) for a, b in zip(learned_names, gold_names, strict=True)]
    places = sorted(range(len(keys)), key=keys.__getitem__)
    tied = any(keys[a] == keys[b] for a, b in pairwise(places))
    result: list[Ranks] = []
    for names in (learned_names, gold_names) if tied else (learned_names,):
        order = sorted(places, key=lambda place, names=names: (keys[place], names[place]))  # type: ignore[misc]
        result.append(tuple({ids[place]: rank for rank, place in enumerate(order)} for ids in (learned, gold)))
    return result


def _names(ontology: Ontology, concepts: Iterable[int]) -> list[tuple[str, str]]:
    """Labels and IRIs of concepts."""
    return [(ontology.label_of(concept), ontology.hierarchy.iris[concept]) for concept in concepts]


def _ordered_trees(task: Comparison, ranks: Ranks) -> tuple[_OrderedTree, _OrderedTree]:
    """Both trees."""
    sides = task.learned, task.gold
    trees = [
        SpanningTree.of(o.hierarchy, _preference(o, side_ranks)) for o, side_ranks in zip(sides, ranks, strict=True)
    ]
    virtual = not all(ontology.hierarchy.has_root for ontology in sides)
    node_names = task.matching.to_gold.tolist(), list(range(len(trees[1])))  # -1 equals no gold name
    ordered = []
    for tree, shape, side_ranks, names, ontology in zip(trees, shapes(trees), ranks, node_names, sides, strict=True):
        tops, below = tree.children(_order(tree, shape, side_ranks))
        nodes = [_Node(name) for name in names]
        for node, children in zip(nodes, below, strict=True):
            node.children = [nodes[child] for child in children]
        if virtual:
            root = _Node(len(trees[1]))  # no concept's name, and the same on both sides
            root.children = [nodes[top] for top in tops]
        else:
            root = nodes[tops[0]]
        edges = len(tree) - len(tops)
        ordered.append(_OrderedTree(root, int(tree.depth.max(initial=-1)) + 1, len(ontology.hierarchy.parents) - edges))
    return ordered[0], ordered[1]


def _preference(ontology: Ontology, ranks: Mapping[int, int]) -> LongArray:
    """Which of several parents is taken: common concepts in their order, then the others by name."""
    rest = [concept for concept in range(len(ontology.hierarchy)) if concept not in ranks]
    names = dict(zip(rest, _names(ontology, rest), strict=True))
    result = np.empty(len(ontology.hierarchy), dtype=np.int64)
    result[list(ranks)] = list(ranks.values())
    result[sorted(rest, key=names.__getitem__)] = len(ranks) + np.arange(len(rest))
    return result


def _order(tree: SpanningTree, shape: Sequence[int], ranks: Mapping[int, int]) -> list[tuple[float, int]]:
    """The keys by which concepts are sorted among their siblings."""
    ranks_or_inf = [ranks.get(concept, math.inf) for concept in range(len(tree))]
    below = tree.least_below(ranks_or_inf)
    return [(b if a == math.inf else a, s) for a, b, s in zip(ranks_or_inf, below, shape, strict=True)]


# the distance


def _distance(learned: _OrderedTree, gold: _OrderedTree) -> int:
    try:
        from apted import APTED
    except ImportError:
        raise UnmetNeedError("needs apted", advice="Run `pip install 'ontoeval-toolkit[tree]'`.") from None
    shallow, deep = sorted((learned, gold), key=lambda tree: tree.depth)
    with _recursion(deep.depth):  # from the deep one to the shallow one is quicker, and the distance is the same
        return int(APTED(deep.root, shallow.root).compute_edit_distance())


@contextmanager
def _recursion(depth: int) -> Iterator[None]:
    """Raise the recursion limit: apted calls itself twice for each level of a tree.

    Calls from Python to Python take no room on the stack of the process.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 3 * depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
