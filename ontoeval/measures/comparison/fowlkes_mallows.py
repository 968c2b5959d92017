"""Measure CFM: its formula, paths and clusters of each level, also in cycles (pairs: _cluster_pairs.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ontoeval.errors import Message
from ontoeval.measures.comparison._cluster_pairs import Incidence, pairs_together
from ontoeval.measures.registry import measure
from ontoeval.model.arrays import Adjacency, BoolArray, LongArray, spans
from ontoeval.model.closure import Closure
from ontoeval.model.digraph import components, distances, levels
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

Weights = Literal["tool", "paper"]
Floating = Literal["attached", "ignored"]
SelfEdges = Literal["ignored", "inner"]

_SEVERAL_TOPS = Message(
    "the gold standard has several top concepts, and floating=ignored starts from one: use floating=attached, or set "
    "{root} to the IRI of one"
)
MAX_STEPS = 1_000_000  # steps along the paths of a hierarchy with cycles, where they must be listed


class _TooManyPathsError(Exception):
    """The paths of a hierarchy with cycles are more than can be listed."""


@measure("CFM", source="Bordea, Lefever & Buitelaar 2016 (TExEval-2)", dimension="structural", identity=False)
def cumulative_fowlkes_mallows(
    task: Comparison,
    *,
    weights: Weights = "tool",
    floating: Floating = "attached",
    self_edges: SelfEdges = "ignored",
) -> Score:
    """Cumulative Fowlkes & Mallows measure.

    B_i = n11 / sqrt((n11 + n10) (n11 + n01)),   CFM = Σ w_i B_i / Σ w_i   over the levels i = 0 ... k - 1
    Paths run from the root to a leaf and visit no concept twice; k is the number of edges of the longest gold one. At
    level i two objects are together if a path to the one and a path to the other have the same concept at depth i,
    above both; n11, n10 and n01 count the pairs of objects that are together on both sides, on one and on the other,
    each pair once. Objects are the leaves; on the learned side also the inner concepts whose gold partner is a leaf.
    `weights` is w_i: 1 / (i + 1) as in the released tool, which stresses the top, or (i + 1) / k as in the paper, which
    stresses the bottom. With `floating=attached` each side starts from its root, and floating parts hang under it.
    `floating=ignored` is the released tool: they do not, and both sides start from the gold standard's root (not in the
    learned ontology: 0). Self-edges say nothing; with `self_edges=inner` a concept that is its own child is no leaf,
    as in the released tool, whose paths go back into it and never end.
    A level without a pair on one side scores 0, so that equal inputs need not give 1. No path on the gold side: 1 if
    there is none on the learned side, else 0. With `floating=ignored` it is undefined if the gold standard's root was
    added, since it has several top concepts then.
    """
    sides = _sides(task, floating, self_edges)
    if isinstance(sides, Score):
        return sides
    try:
        gold = _levels(sides[1])
        learned = _levels(sides[0], gold.height)
    except _TooManyPathsError:
        return Score.impossible(f"too many paths through cycles: listing them takes more than {MAX_STEPS:,} steps")
    counts = {
        "levels": gold.height,
        "learned_levels": learned.height,
        "learned_objects": len(learned.objects),
        "gold_objects": len(gold.objects),
        "common_objects": int(np.isin(task.matching.to_gold[learned.objects], gold.objects).sum()),
    }
    if not gold.height:
        return Score(0.0 if learned.height else 1.0, counts=counts)
    level = np.arange(gold.height, dtype=np.float64)
    weight = 1.0 / (level + 1.0) if weights == "tool" else (level + 1.0) / gold.height
    values = _level_values(learned, gold, _columns(task, learned.objects, gold.objects))
    return Score(min(1.0, math.fsum(weight * values) / math.fsum(weight)), counts=counts)


# where the paths start, and what they run through


@dataclass(frozen=True, eq=False)
class _Side:
    """The concepts and edges on some path from the start down to a leaf, renumbered in the same order."""

    concepts: LongArray
    start: int
    parents: LongArray  # of each edge
    children: LongArray
    leaf: BoolArray
    object: BoolArray

    @cached_property
    def on_cycle(self) -> BoolArray:
        part = components(len(self.concepts), self.parents, self.children)[1]
        result: BoolArray = np.bincount(part)[part] > 1
        return result

    @property
    def acyclic(self) -> bool:
        return not self.on_cycle.any()


def _sides(task: Comparison, floating: Floating, self_edges: SelfEdges) -> tuple[_Side, _Side] | Score:
    learned, gold = task.learned.hierarchy, task.gold.hierarchy
    if not gold.has_root or (floating == "attached" and not learned.has_root):
        which = "learned ontology" if gold.has_root else "gold standard"
        return Score.impossible(f"the {which} has no root for paths to start from")
    starts = 0, 0
    if floating == "ignored":
        if gold.root_added:
            return Score.impossible(_SEVERAL_TOPS)
        starts = int(task.matching.to_learned[0]), 0
        if starts[0] < 0:
            return Score(0.0, counts={"learned_objects": 0})
    gold_leaf = _leaves(gold, floating, self_edges)
    partner = task.matching.to_gold
    gold_leaf_partner = (partner >= 0) & gold_leaf[partner]
    leaf = _leaves(learned, floating, self_edges)
    return _side(learned, floating, starts[0], leaf, leaf | gold_leaf_partner), _side(
        gold, floating, starts[1], gold_leaf, gold_leaf
    )


def _edges(hierarchy: Hierarchy, floating: Floating) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    selected = hierarchy.given if floating == "ignored" else slice(None)
    return hierarchy.parents.indices[selected], hierarchy.parents.tails[selected]


def _leaves(hierarchy: Hierarchy, floating: Floating, self_edges: SelfEdges) -> BoolArray:
    leaf = np.ones(len(hierarchy), dtype=bool)
    leaf[_edges(hierarchy, floating)[0]] = False
    if self_edges == "inner":
        leaf[hierarchy.self_edges] = False
    if floating == "ignored" and hierarchy.root_added:
        leaf[0] = False
    return leaf


def _side(hierarchy: Hierarchy, floating: Floating, start: int, leaf: BoolArray, objects: BoolArray) -> _Side:
    parents, children = _edges(hierarchy, floating)
    size = len(hierarchy)
    on_path = distances(size, parents, children, np.array([start])) >= 0
    on_path &= distances(size, children, parents, np.flatnonzero(leaf)) >= 0
    concepts = np.flatnonzero(on_path)
    number = np.cumsum(on_path) - 1
    kept = on_path[parents] & on_path[children]
    return _Side(
        concepts,
        int(number[start]) if on_path[start] else -1,
        number[parents[kept]],
        number[children[kept]],
        leaf[concepts],
        objects[concepts],
    )


# the clusters of each level


@dataclass(frozen=True, eq=False)
class _Levels:
    """The clusters of more than one object, level by level."""

    height: int  # edges of the longest path
    objects: LongArray  # ids of the objects that have a path
    first: LongArray  # level i has the clusters cluster_ids[first[i]:first[i + 1]]
    cluster_ids: LongArray  # cluster c holds members[indptr[c]:indptr[c + 1]], places in `objects`
    indptr: LongArray
    members: LongArray
    nested: bool  # objects that are together at a level are so at every level above it

    def clusters(self, level: int) -> LongArray:
        """The clusters of a level."""
        return self.cluster_ids[self.first[level] : self.first[level + 1]]

    def incidence(self, clusters: LongArray) -> Incidence:
        lengths = self.indptr[clusters + 1] - self.indptr[clusters]
        return np.repeat(clusters, lengths), self.members[spans(self.indptr[clusters], lengths)]


def _clusters_by_level(
    height: int, level: LongArray, cluster: LongArray, indptr: LongArray
) -> tuple[LongArray, LongArray]:
    """`first` and `cluster_ids` of _Levels from pairs of level and cluster."""
    large = np.diff(indptr)[cluster] > 1
    pairs = np.unique(level[large] * len(indptr) + cluster[large])
    first = np.searchsorted(pairs, np.arange(height + 1, dtype=np.int64) * len(indptr))
    return first, pairs % len(indptr)


def _levels(side: _Side, limit: int | None = None) -> _Levels:
    """The levels of one side, only those above `limit` if the paths have to be listed."""
    return _acyclic_levels(side) if side.acyclic else _cyclic_levels(side, limit)


def _acyclic_levels(side: _Side) -> _Levels:
    """The clusters without listing a path.

    Let d(v) be the longest path from the start to v. The concepts with d(v) = i are enough for level i: the i-th
    concept u on a path to x has d(u) >= i, and the i-th concept on the longest path to u has all below it that u has.
    So every concept is needed at one level only.
    """
    depth = levels(len(side.concepts), side.children, side.parents).astype(np.int64)
    height = int(depth.max(initial=0))
    below = _objects_below(side, side.parents, side.children)
    first, clusters = _clusters_by_level(height, depth, below.cluster, below.indptr)
    reached = np.flatnonzero(side.object & (np.arange(len(side.concepts)) != side.start))
    members = np.searchsorted(reached, below.members)
    return _Levels(height, side.concepts[reached], first, clusters, below.indptr, members, nested=True)


@dataclass(frozen=True, eq=False)
class _Below:
    """The objects strictly below each concept: concept c has the members of cluster[c] as compressed rows."""

    cluster: LongArray
    indptr: LongArray
    members: LongArray


def _objects_below(side: _Side, parents: LongArray, children: LongArray) -> _Below:
    """Along edges without a cycle, which lead from smaller to greater numbers.

    A concept whose only child is no object has the same objects below it as this child, which stands for it; without
    that a chain of n concepts would have n²/2 ancestors.
    """
    stand_in = _stand_ins(side.object, parents, children)
    kept = stand_in == np.arange(len(stand_in))
    number = np.cumsum(kept) - 1
    kept_edges = kept[parents]  # edges from concepts that stand for themselves
    tails, heads = number[stand_in[children[kept_edges]]], number[parents[kept_edges]]
    count = int(kept.sum())
    upwards = Adjacency.from_pairs(count, tails, heads, np.ones(len(tails)))
    tops = np.flatnonzero(upwards.degree == 0).astype(np.int32)
    ptr, ancestors = Closure(np.arange(count + 1, dtype=np.int64), upwards, tops).part_ancestors
    objects = np.flatnonzero(side.object)
    rows = number[objects]
    lengths = ptr[rows + 1] - ptr[rows]
    above = ancestors[spans(ptr[rows], lengths)]
    order = np.argsort(above, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(above, minlength=count))])
    return _Below(number[stand_in], indptr, np.repeat(objects, lengths)[order])


def _stand_ins(is_object: BoolArray, parents: LongArray, children: LongArray) -> LongArray:
    """Of each concept the nearest one below it (or itself) that does not just have a single child, no object."""
    size = len(is_object)
    single = np.bincount(parents, minlength=size) == 1
    passing = single[parents] & ~is_object[parents] & ~is_object[children]
    jump = np.arange(size)
    jump[parents[passing]] = children[passing]
    while True:
        further = jump[jump]
        if np.array_equal(further, jump):
            return jump
        jump = further


def _cyclic_levels(side: _Side, limit: int | None) -> _Levels:
    """The clusters of a hierarchy with cycles, of the levels above `limit`.

    Paths are listed only as long as they can still come to a cycle, through the core. Once they have left it nothing
    limits them, and the concepts at each depth are enough.
    """
    size = len(side.concepts)
    core = distances(size, side.children, side.parents, np.flatnonzero(side.on_cycle)) >= 0
    out = ~core[side.children]
    parents, children = side.parents[out], side.children[out]
    below = _objects_below(side, parents, children)
    walk = _Walk(side, core, size if limit is None else max(limit, 1))
    left = np.array(sorted(walk.left), dtype=np.int64).reshape(-1, 2)
    longest = levels(size, parents, children)
    height = int((left[:, 0] + longest[left[:, 1]]).max(initial=0))
    level, concept = _depths(left, Adjacency.from_pairs(size, parents, children, np.ones(len(parents))), walk)
    keys, indptr, members = _core_clusters(walk, below, size)
    reached = np.flatnonzero(side.object & ~core)
    reached = np.union1d(reached, np.array(sorted(walk.objects), dtype=np.int64))
    first, clusters = _clusters_by_level(
        height,
        np.concatenate([level, keys // size]),
        np.concatenate([below.cluster[concept], len(below.indptr) - 1 + np.arange(len(keys))]),
        np.concatenate([below.indptr, below.indptr[-1] + indptr[1:]]),
    )
    return _Levels(
        height,
        side.concepts[reached],
        first,
        clusters,
        np.concatenate([below.indptr, below.indptr[-1] + indptr[1:]]),
        np.searchsorted(reached, np.concatenate([below.members, members])),
        nested=False,
    )


class _Walk:
    """Every path through the core, as far as it leads out of it in the end."""

    def __init__(self, side: _Side, core: BoolArray, limit: int) -> None:
        inside = core[side.children]
        order = np.argsort(side.parents[inside], kind="stable")
        self._below = side.children[inside][order]
        self._first = np.searchsorted(side.parents[inside][order], np.arange(len(core) + 1)).tolist()
        leaves_core = np.zeros(len(core), dtype=bool)
        leaves_core[side.parents[~inside]] = True
        self._door = leaves_core.tolist()
        self._object = side.object.tolist()
        self.limit = limit
        self.steps = 0
        self.left: set[tuple[int, int]] = set()  # depth and concept from which a path leaves the core
        self.objects: set[int] = set()  # of the core
        # (level, concept, concept from which a path leaves the core) and (level, concept, object of the core)
        self.through: set[tuple[int, int, int]] = set()
        self.above: set[tuple[int, int, int]] = set()
        self._go(side.start)

    def count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise _TooManyPathsError

    def _go(self, start: int) -> None:
        path: list[int] = []
        on_path: set[int] = set()
        waiting: list[Iterator[int]] = []
        noted = 0  # the objects on the path so far up to here are known
        following: int | None = start
        while True:
            self.count(1)
            if following is not None:
                path.append(following)
                on_path.add(following)
                waiting.append(iter(self._below[self._first[following] : self._first[following + 1]].tolist()))
                if self._door[following]:
                    self._note(path, noted)
                    noted = len(path)
            else:
                waiting.pop()
                on_path.remove(path.pop())
                noted = min(noted, len(path))
                if not path:
                    return
            following = next((child for child in waiting[-1] if child not in on_path), None)

    def _note(self, path: Sequence[int], noted: int) -> None:
        last = path[-1]
        self.left.add((len(path) - 1, last))
        shown = path[: self.limit]
        self.count(len(shown))
        self.through.update((level, concept, last) for level, concept in enumerate(shown))
        for end in range(max(noted, 1), len(path)):
            if self._object[path[end]]:
                self.objects.add(path[end])
                self.count(min(end, self.limit))
                self.above.update((level, concept, path[end]) for level, concept in enumerate(shown[:end]))


def _depths(left: LongArray, below: Adjacency, walk: _Walk) -> tuple[LongArray, LongArray]:
    """The depths and the concepts outside the core that some path has at this depth."""
    depths: list[LongArray] = []
    concepts: list[LongArray] = []
    front: npt.NDArray[Any] = np.zeros(0, dtype=np.int64)
    ends = int(left[:, 0].max(initial=-1))
    depth = 0
    while depth < walk.limit and (depth <= ends or len(front)):
        doors = left[slice(*np.searchsorted(left[:, 0], [depth, depth + 1])), 1]
        walk.count(len(front))
        depths.append(np.full(len(front), depth, dtype=np.int64))
        concepts.append(front)
        above = np.concatenate([front, doors])
        front = np.unique(below.indices[spans(below.indptr[above], below.degree[above])])
        depth += 1
    return np.concatenate([front[:0], *depths]), np.concatenate([front[:0], *concepts])


def _core_clusters(walk: _Walk, below: _Below, size: int) -> tuple[LongArray, LongArray, LongArray]:
    """The clusters of core concepts: level * size + concept of each, and their members as compressed rows."""
    through = np.array(sorted(walk.through), dtype=np.int64).reshape(-1, 3)
    above = np.array(sorted(walk.above), dtype=np.int64).reshape(-1, 3)
    keys = np.unique(through[:, 0] * size + through[:, 1])  # every path leads out of the core
    lengths = np.diff(below.indptr)[below.cluster]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    members = below.members[spans(below.indptr[below.cluster], lengths)]
    under = csr_array((np.ones(len(members), dtype=np.int32), members, indptr), shape=(size, size))
    made = [
        csr_array(
            (np.ones(len(rows), dtype=np.int32), (np.searchsorted(keys, rows[:, 0] * size + rows[:, 1]), rows[:, 2])),
            shape=(len(keys), size),
        )
        for rows in (through, above)
    ]
    clusters = csr_array(made[0] @ under + made[1])
    clusters.sort_indices()
    return keys, clusters.indptr.astype(np.int64), clusters.indices.astype(np.int64)


# the pairs of each level


def _columns(task: Comparison, learned: LongArray, gold: LongArray) -> tuple[LongArray, LongArray]:
    """A number for each object of the two sides, the same one for partners."""
    known = np.full(len(task.learned.hierarchy) + 1, -1, dtype=np.int64)  # the last one for "no partner"
    known[learned] = np.arange(len(learned))
    shared = known[task.matching.to_learned[gold]]
    return np.arange(len(learned)), np.where(shared >= 0, shared, len(learned) + np.arange(len(gold)))


def _level_values(learned: _Levels, gold: _Levels, columns: tuple[LongArray, LongArray]) -> npt.NDArray[np.float64]:
    """B_0 ... B_(k-1); a level with the clusters of the one before has its value, too."""
    values = np.zeros(gold.height)
    sides = tuple(zip((learned, gold), columns, strict=True))
    before: list[LongArray | None] = [None, None]
    counts = [0, 0]
    both = 0
    # below the last level of the learned side there is nothing together
    for level in range(min(gold.height, learned.height)):
        clusters = [side.clusters(level) for side, _ in sides]
        changed = [old is None or not np.array_equal(old, new) for old, new in zip(before, clusters, strict=True)]
        incidences = (
            [_incidence(*side, level_clusters) for side, level_clusters in zip(sides, clusters, strict=True)]
            if any(changed)
            else []
        )
        if incidences:
            both = pairs_together(incidences)
        for place in np.flatnonzero(changed).tolist():
            counts[place] = pairs_together([incidences[place]])
            before[place] = clusters[place]
        if not both and learned.nested and gold.nested:
            break
        values[level] = both / math.sqrt(counts[0] * counts[1]) if both else 0.0
    return values


def _incidence(side: _Levels, columns: LongArray, clusters: LongArray) -> Incidence:
    cluster, member = side.incidence(clusters)
    return cluster, columns[member]
