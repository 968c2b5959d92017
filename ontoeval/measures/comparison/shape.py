"""Measures Motif (counted here), Concepts, Edges, Leaves, AvgDepth, ... (computed in model/statistics.py)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ontoeval.measures.registry import measure
from ontoeval.model.arrays import IntArray, LongArray, blocks, spans
from ontoeval.model.ontology import Ontology
from ontoeval.model.statistics import describe
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

Side = Literal["learned", "gold"]

_BLOCK = 4_000_000  # candidates for a triangle looked at together

# Davis & Leinhardt's names say how many links are mutual, single and absent. Edges are (from, to) of nodes 0, 1, 2.
_TRIADS: dict[str, tuple[tuple[int, int], ...]] = {
    "021D": ((1, 0), (1, 2)),
    "021U": ((0, 1), (2, 1)),
    "021C": ((0, 1), (1, 2)),
    "111D": ((0, 1), (1, 0), (2, 1)),
    "111U": ((0, 1), (1, 0), (1, 2)),
    "201": ((0, 1), (1, 0), (1, 2), (2, 1)),
    "030T": ((0, 1), (1, 2), (0, 2)),
    "030C": ((0, 1), (1, 2), (2, 0)),
    "120D": ((1, 0), (1, 2), (0, 2), (2, 0)),
    "120U": ((0, 1), (2, 1), (0, 2), (2, 0)),
    "120C": ((0, 1), (1, 2), (0, 2), (2, 0)),
    "210": ((0, 1), (1, 2), (2, 1), (0, 2), (2, 0)),
    "300": ((0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)),
}
MOTIFS = tuple(_TRIADS)
_OUT, _IN, _BOTH = 1, 2, 3  # how a link looks from one of its ends: bit 1 leaves it, bit 2 comes to it

_structural = partial(measure, dimension="structural")
_statistic = partial(measure, dimension="structural", range=(0.0, float("inf")), best=None, identity=False)
_TABLE = "Dellschaft & Staab 2006, Table 9"


@_structural("Motif", source="Lo, Jiang, Li & Jamnik 2024 (OLLM), motif distance", symmetric=True, best=0.0)
def motif_distance(task: Comparison) -> Score:
    """Motif distance.

    Motif = ½ Σ |p_i - q_i| over the 13 classes i of connected directed graphs with three nodes, p_i and q_i the share
    of i among all connected triples of concepts of the learned and the gold side, with all edges of the file (E as in
    EdgeP) among the three. 0 is best: the same local shapes, whatever the labels. No such triple on both sides: 0, on
    one side: 1.
    """
    learned, gold = (motif_counts(len(o.hierarchy), *o.hierarchy.stated_edges) for o in (task.learned, task.gold))
    sizes = int(learned.sum()), int(gold.sum())
    counts = {"learned_triples": sizes[0], "gold_triples": sizes[1]}
    if not all(sizes):
        return Score(1.0 if any(sizes) else 0.0, counts=counts)
    distance = float(np.abs(learned / sizes[0] - gold / sizes[1]).sum()) / 2
    return Score(min(distance, 1.0), counts=counts)


def motif_counts(size: int, tails: npt.NDArray[Any], heads: npt.NDArray[Any]) -> LongArray:
    """How many connected triples of nodes there are of each class, in the order of MOTIFS.

    Two links that meet in a node are counted by the node's numbers of outgoing, incoming and mutual links; then each
    triangle is found once and takes back the three such pairs that it has.
    """
    nodes, others, look = _links(size, tails, heads)
    outgoing, incoming, mutual = (np.bincount(nodes[look == kind], minlength=size) for kind in (_OUT, _IN, _BOTH))
    result = np.zeros(len(MOTIFS), dtype=np.int64)
    result[_pair_class(_OUT, _OUT)] = (outgoing * (outgoing - 1) // 2).sum()
    result[_pair_class(_IN, _IN)] = (incoming * (incoming - 1) // 2).sum()
    result[_pair_class(_BOTH, _BOTH)] = (mutual * (mutual - 1) // 2).sum()
    result[_pair_class(_OUT, _IN)] = (outgoing * incoming).sum()
    result[_pair_class(_OUT, _BOTH)] = (outgoing * mutual).sum()
    result[_pair_class(_IN, _BOTH)] = (incoming * mutual).sum()
    for first, second, third in _triangles(size, nodes, others, look):
        counts = np.bincount(np.ravel_multi_index((first, second, third), (4, 4, 4)), minlength=64).reshape(4, 4, 4)
        for looks in np.argwhere(counts).tolist():
            number = int(counts[tuple(looks)])
            result[_triangle_class(*looks)] += number
            for place in _pair_classes(*looks):
                result[place] -= number
    return result


def _links(size: int, tails: npt.NDArray[Any], heads: npt.NDArray[Any]) -> tuple[LongArray, LongArray, IntArray]:
    """Each pair of linked nodes twice, once from either end, sorted; and how the link looks from the first."""
    tail, head = tails.astype(np.int64), heads.astype(np.int64)
    ways = np.concatenate([tail * size + head, head * size + tail])
    keys, place = np.unique(ways, return_inverse=True)
    look = np.zeros(len(keys), dtype=np.int32)
    look[place[: len(tail)]] |= _OUT
    look[place[len(tail) :]] |= _IN
    nodes, others = np.divmod(keys, max(size, 1))
    return nodes, others, look


def _triangles(
    size: int, nodes: LongArray, others: LongArray, look: IntArray
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """All triangles a, b, c, each once, in blocks: how the links a-b, b-c and a-c look from their first ends.

    Links are followed from the node with fewer links to the one with more, so that no node has many to follow: m links
    take O(m^1.5) steps, and a node with thousands of children none at all.
    """
    rank = np.empty(size, dtype=np.int64)
    rank[np.argsort(np.bincount(nodes, minlength=size), kind="stable")] = np.arange(size)
    up = rank[nodes] < rank[others]
    first, second, look = rank[nodes[up]], rank[others[up]], look[up]
    keys = first * size + second
    order = np.argsort(keys)
    first, second, look, keys = first[order], second[order], look[order], keys[order]
    start = np.searchsorted(first, np.arange(size + 1))
    follow = np.diff(start)[second]
    for begin, end in blocks(follow, _BLOCK):
        links = np.repeat(np.arange(begin, end), follow[begin:end])
        onward = spans(start[second[begin:end]], follow[begin:end])
        closing_keys = first[links] * size + second[onward]
        closing = np.minimum(np.searchsorted(keys, closing_keys), len(keys) - 1)
        exists = keys[closing] == closing_keys
        yield look[links[exists]], look[onward[exists]], look[closing[exists]]


def _canonical(edges: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The same for all numberings of the three nodes."""
    return min(tuple(sorted((p[a], p[b]) for a, b in edges)) for p in permutations(range(3)))


_PLACE = {_canonical(edges): place for place, edges in enumerate(_TRIADS.values())}


def _edges_between(left: int, right: int, look: int) -> tuple[tuple[int, int], ...]:
    """The edges between two nodes, of how they look from the first."""
    return ((left, right),) * (look & _OUT) + ((right, left),) * (look >> 1)


def _from_other_end(look: int) -> int:
    """The same link from its other end."""
    return {_OUT: _IN, _IN: _OUT, _BOTH: _BOTH}[look]


def _pair_class(left: int, right: int) -> int:
    """Of two links that meet in a node, as they look from there."""
    return _PLACE[_canonical(_edges_between(0, 1, left) + _edges_between(0, 2, right))]


def _triangle_class(first: int, second: int, third: int) -> int:
    """Of links a-b, b-c and a-c."""
    return _PLACE[_canonical(_edges_between(0, 1, first) + _edges_between(1, 2, second) + _edges_between(0, 2, third))]


def _pair_classes(first: int, second: int, third: int) -> tuple[int, int, int]:
    """The three pairs of links of such a triangle, as they would be without the third link."""
    return (
        _pair_class(first, third),
        _pair_class(_from_other_end(first), second),
        _pair_class(_from_other_end(second), _from_other_end(third)),
    )


@_statistic("Concepts", source=_TABLE)
def concepts(task: Comparison, *, side: Side = "learned") -> Score:
    """Number of concepts.

    |C| of the learned side (`side=gold`: of the gold side), an added root included.
    """
    return _statistic_score(task, side, "concepts")


@_statistic("Edges", source=_TABLE)
def edges(task: Comparison, *, side: Side = "learned") -> Score:
    """Number of subclass links.

    Those of the file, self-edges included, and those added so that every concept reaches the root (C4).
    """
    return _statistic_score(task, side, "edges")


@_statistic("Leaves", source=_TABLE)
def leaves(task: Comparison, *, side: Side = "learned") -> Score:
    """Number of leaves.

    Concepts without a subconcept other than themselves.
    """
    return _statistic_score(task, side, "leaves")


@_statistic("Loops", source=_TABLE)
def loops(task: Comparison, *, side: Side = "learned") -> Score:
    """Number of concepts on cycles.

    Concepts that reach themselves over one or more edges; a self-edge is enough.
    """
    return _statistic_score(task, side, "loops")


@_statistic("AvgDepth", source=_TABLE)
def average_depth(task: Comparison, *, side: Side = "learned") -> Score:
    """Average depth of the leaves.

    Mean over the leaves of the number of distinct strict superconcepts; in a tree the depth, the root at 0. Undefined
    without leaves.
    """
    return _statistic_score(task, side, "avg_depth")


@_statistic("MaxDepth", source="descriptive statistic")
def largest_depth(task: Comparison, *, side: Side = "learned") -> Score:
    """Largest depth.

    Maximum over the concepts of the fewest edges from the root, each cycle taken as one node.
    """
    return _statistic_score(task, side, "max_depth")


@_statistic("AvgSub", source=_TABLE)
def average_sub(task: Comparison, *, side: Side = "learned") -> Score:
    """Average number of direct subconcepts.

    Mean over the concepts with at least one, self-edges included. Undefined without such a concept.
    """
    return _statistic_score(task, side, "avg_sub")


@_statistic("DevSub", source=_TABLE)
def deviation_sub(task: Comparison, *, side: Side = "learned") -> Score:
    """Standard deviation of the number of direct subconcepts.

    Of the population of concepts with at least one. Undefined without such a concept.
    """
    return _statistic_score(task, side, "sub_dev")


@_statistic("AvgSuper", source=_TABLE)
def average_super(task: Comparison, *, side: Side = "learned") -> Score:
    """Average number of direct superconcepts.

    Mean over the concepts with at least one, self-edges included. Undefined without such a concept.
    """
    return _statistic_score(task, side, "avg_super")


@_statistic("DevSuper", source=_TABLE)
def deviation_super(task: Comparison, *, side: Side = "learned") -> Score:
    """Standard deviation of the number of direct superconcepts.

    Of the population of concepts with at least one. Undefined without such a concept.
    """
    return _statistic_score(task, side, "super_dev")


@_statistic("Components", source="descriptive statistic")
def connected_parts(task: Comparison, *, side: Side = "learned") -> Score:
    """Number of connected parts.

    Weakly connected components of the concepts and edges of the file, without an added root.
    """
    return _statistic_score(task, side, "components")


def _statistic_score(task: Comparison, side: Side, name: str) -> Score:
    ontology = task.learned if side == "learned" else task.gold
    statistics = describe(ontology.hierarchy, ontology.lexicon, ontology.instances)
    value = statistics[name]
    return Score.impossible(_reason_undefined(ontology, statistics, name)) if value is None else Score(float(value))


def _reason_undefined(ontology: Ontology, statistics: dict[str, Any], name: str) -> str:
    path = ontology.source.path
    if name != "avg_depth":
        return f"no concept of {path} has a {'sub' if 'sub' in name else 'super'}concept"
    if statistics["leaves"]:
        return f"{path} has too many pairs of a concept and an ancestor"
    return f"{path} has no leaves"
