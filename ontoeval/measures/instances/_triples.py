"""Kernel of H_s, H_a: `triples` counts closer pairs and weights w2, in forests or in general, within limits of work.

T(H) = {(i1, i2, i3) pairwise different: CA(i1, i2) ⊋ CA(i1, i3)}, where CA(i, j) are the common ancestors of the
concepts of i and j, these concepts included. In a forest CA is a node: the deepest common one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from ontoeval.measures.instances._root_paths import MAX_STEPS, RootPaths
from ontoeval.model.arrays import BoolArray, FloatArray, IntArray, LongArray, runs
from ontoeval.model.placement import Placement, SharedInstances, TooLargeError
from ontoeval.tasks.comparison import Comparison

FEW_PAIRS = 50_000  # of nodes, which are looked at together in less time than the levels take
MOST_AT_ONCE = 20_000_000  # numbers in one array: 160 MB
MAX_WORK = 20_000_000_000  # pairs of ancestors that are looked at: some minutes
MAX_GENERAL_WORK = 1.2e11  # estimated billionths of a second, where any place meets any
MAX_HELD = 2e9  # bytes of classes
_SAMPLE = 12  # places that an estimate is made of


@dataclass(frozen=True)
class Triples:
    """|T| of both sides, and how much of it they have in common.

    With w2 a triple weighs 1 / (triples of its hierarchy with the same CA(i1, i3)), so that every node where instances
    part weighs 1: `learned_splits` and `gold_splits` are the sums of w2, `both_*` its sums over what is common.
    """

    instances: int
    learned: float
    gold: float
    both: float
    learned_splits: float
    gold_splits: float
    both_learned: float
    both_gold: float

    @property
    def swapped(self) -> Triples:
        """The same, seen from the gold side."""
        return Triples(
            self.instances, self.gold, self.learned, self.both,
            self.gold_splits, self.learned_splits, self.both_gold, self.both_learned,
        )  # fmt: skip

    @property
    def possible(self) -> float:
        """All triples of pairwise different instances."""
        n = float(self.instances)
        return n * (n - 1) * (n - 2)


def triples(task: Comparison) -> Triples:
    """T(H) of both sides."""
    if task.is_swapped:
        return triples(task.swapped).swapped
    return task.cached("triples", lambda: count_triples(task.shared))


def count_triples(shared: SharedInstances) -> Triples:
    """Of the shared instances, each on one concept."""
    if len(shared) < 3:
        return Triples(len(shared), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if shared.learned.forest and shared.gold.forest:
        return _in_forests(shared)
    return _in_general(shared)


# forests


def _in_forests(shared: SharedInstances) -> Triples:
    """Sum up over pairs (c, d) of nodes that have a parent.

    With S(u, v) = instances at or below u on the learned side and v on the gold side, u and v the parents of c and d,
    the triples of both sides that part at u and v and have i1 and i2 below c and d are
    S(c, d) (S(c, d) - 1) (S(u, v) - S(c, v) - S(u, d) + S(c, d)).
    """
    learned, gold = RootPaths.of(shared.learned), RootPaths.of(shared.gold)
    if len(gold) > len(learned):  # the inner levels are held together
        return _in_forests(shared.swapped).swapped
    count = _at_once if _few(learned, gold) else _level_by_level
    at_learned, at_gold = count(shared, learned, gold)
    own_learned = _parting(learned, learned.count(shared.learned))
    own_gold = _parting(gold, gold.count(shared.gold))
    return Triples(
        len(shared), float(own_learned.sum()), float(own_gold.sum()), float(at_learned.sum()),
        float(np.count_nonzero(own_learned)), float(np.count_nonzero(own_gold)),
        _shares(at_learned, own_learned), _shares(at_gold, own_gold),
    )  # fmt: skip


def _few(learned: RootPaths, gold: RootPaths) -> bool:
    """All pairs of nodes together take less time than level by level, which costs some 100 µs for a pair of levels."""
    pairs = learned.size * gold.size
    room = max(pairs, learned.size * len(learned.line), gold.size * len(gold.line))
    return pairs <= max(FEW_PAIRS, 100 * len(learned) * len(gold)) and room <= MOST_AT_ONCE


def _at_once(shared: SharedInstances, learned: RootPaths, gold: RootPaths) -> tuple[FloatArray, FloatArray]:
    """The common triples that part at each learned and at each gold node; S of all pairs of nodes as one array."""
    table = np.zeros((len(learned.line), len(gold.line)))
    table[learned.line[shared.cell_learned], gold.line[shared.cell_gold]] = shared.count
    below = learned.above @ table @ gold.above.T
    parents = _parents(learned), _parents(gold)
    c, d = (np.flatnonzero(parent >= 0) for parent in parents)
    u, v = parents[0][c], parents[1][d]
    beside = below[:, d] - below[:, v]
    pairs_below = below[c][:, d]
    triples = pairs_below * (pairs_below - 1.0) * (beside[c] - beside[u])
    return (
        np.bincount(u, triples.sum(axis=1), learned.size).astype(np.float64),
        np.bincount(v, triples.sum(axis=0), gold.size).astype(np.float64),
    )


def _level_by_level(shared: SharedInstances, learned: RootPaths, gold: RootPaths) -> tuple[FloatArray, FloatArray]:
    """The same for many nodes; S is held for one level of the learned side and the one above it."""
    places = learned.line[shared.cell_learned], gold.line[shared.cell_gold]
    work = float(np.sum((learned.level[places[0]] + 1.0) * (gold.level[places[1]] + 1.0)))
    if max(work, 1e4 * len(learned) * len(gold)) > MAX_WORK or len(gold) * len(shared.count) > MAX_STEPS:
        raise TooLargeError(f"the hierarchies are too deep: {work:.2g} pairs of ancestors to examine")
    at_learned, at_gold = np.zeros(learned.size), np.zeros(gold.size)
    # along the gold line what is below any v is side by side; sorted by u it still is so inside each u
    cells = np.argsort(places[1], kind="stable")
    learned_place, gold_place, count = places[0][cells], places[1][cells], shared.count[cells].astype(np.int32)
    above: list[IntArray] = []  # by gold level: S of each cell's nodes, the learned one a level higher
    for x in range(len(learned)):
        node = learned.path[x].take(learned_place)
        order = np.argsort(node, kind="stable")
        order = order[np.searchsorted(node, 0, sorter=order) :]  # -1: sits higher
        node, learned_place, gold_place, count = node[order], learned_place[order], gold_place[order], count[order]
        above = [counts[order] for counts in above]
        here: list[IntArray] = []
        for y, (lead, counts) in enumerate(_below_both(node, gold_place, count, gold)):
            here.append(counts)
            if x and y and len(lead):
                size = counts[lead].astype(np.float64)
                triples = size * (size - 1.0) * (above[y - 1][lead] - here[y - 1][lead] - above[y][lead] + size)
                np.add.at(at_learned, learned.path[x - 1, learned_place[lead]], triples)
                np.add.at(at_gold, gold.path[y - 1, gold_place[lead]], triples)
        several = np.flatnonzero(here[0] > 1) if here else np.arange(0)
        learned_place, gold_place, count = learned_place[several], gold_place[several], count[several]
        above = [counts[several] for counts in here]
    return at_learned, at_gold


def _below_both(
    node: IntArray, place: LongArray, count: IntArray, gold: RootPaths
) -> Iterator[tuple[LongArray, IntArray]]:
    """For each gold level: a cell of each pair (u, v) with S(u, v) > 1, and S of the nodes of every cell.

    Of each cell there is u, the gold place and the number of instances; cells come by u, then along the gold line.
    Where S is 1 nothing can part further down, so S is not counted there (0).
    """
    here = np.arange(len(node))
    for nodes in gold.path:
        v = nodes.take(place.take(here))
        if v.min(initial=0) < 0:
            inside = np.flatnonzero(v >= 0)
            here, v = here.take(inside), v.take(inside)
        if not len(here):
            return
        start = runs(node.take(here), v)
        size = np.add.reduceat(count.take(here), start, dtype=np.int32)
        each = np.repeat(size, np.diff(start, append=len(here)))
        counts = np.zeros(len(node), dtype=np.int32)
        counts[here] = each
        yield here[start[size > 1]], counts
        here = here.take(np.flatnonzero(each > 1))


def _parents(paths: RootPaths) -> LongArray:
    """The parent of each node; -1 for the root."""
    parent = np.full(paths.size, -1, dtype=np.int64)
    for level in range(1, len(paths)):
        occupied = paths.path[level] >= 0
        parent[paths.path[level, occupied]] = paths.path[level - 1, occupied]
    return parent


def _parting(paths: RootPaths, count: FloatArray) -> FloatArray:
    """The triples that part at each node u: Σ over its children c of S(c) (S(c) - 1) (S(u) - S(c))."""
    below = np.zeros(paths.size)
    for nodes in paths.path:
        occupied = nodes >= 0
        below += np.bincount(nodes[occupied], weights=count[occupied], minlength=paths.size)
    parent = _parents(paths)
    child = np.flatnonzero(parent >= 0)
    size, whole = below[child], below[parent[child]]
    triples = size * (size - 1.0) * (whole - size)
    return np.bincount(parent[child], triples, paths.size).astype(np.float64)


def _shares(common: FloatArray, whole: FloatArray) -> float:
    """The sum over nodes of the common part of what parts there."""
    parting = whole > 0
    return float(np.sum(np.minimum(common[parting] / whole[parting], 1.0)))


# any hierarchy


def _in_general(shared: SharedInstances) -> Triples:
    """For each pair of places: class the other instances by (CA_l, CA_g), and look which classes include which."""
    learned, gold = _ClassTable(shared.learned), _ClassTable(shared.gold)
    _refuse_too_large(shared, learned, gold)
    # cells run by learned place: of that side the last one is enough
    learned_classes_of, gold_classes_of = lru_cache(maxsize=1)(learned.classes), cache(gold.classes)
    total = 0.0
    weights = shared.count.astype(np.float64)
    for a, b, size in zip(shared.cell_learned.tolist(), shared.cell_gold.tolist(), weights.tolist(), strict=True):
        learned_classes, gold_classes = learned_classes_of(a), gold_classes_of(b)
        shape = len(learned_classes.includes), len(gold_classes.includes)
        key = learned_classes.place[shared.cell_learned] * np.int64(shape[1]) + gold_classes.place[shared.cell_gold]
        table = np.bincount(key, weights, shape[0] * shape[1]).astype(np.float64).reshape(shape)
        table[learned_classes.place[a], gold_classes.place[b]] -= 1.0  # i1 itself
        common = size * table * _closer_counts(table, learned_classes.includes, gold_classes.includes)
        total += float(common.sum())
        learned.add(learned_classes, size, table.sum(axis=1), common.sum(axis=1))
        gold.add(gold_classes, size, table.sum(axis=0), common.sum(axis=0))
    return Triples(
        len(shared), float(learned.triples.sum()), float(gold.triples.sum()), total,
        float(np.count_nonzero(learned.triples)), float(np.count_nonzero(gold.triples)),
        _shares(learned.common, learned.triples), _shares(gold.common, gold.triples),
    )  # fmt: skip


def _closer_counts(table: FloatArray, learned: BoolArray, gold: BoolArray) -> FloatArray:
    """For each pair of classes the instances whose CA strictly include those of both: they can be i2 to an i3 there."""
    q, s = np.nonzero(table)
    if _dense(*table.shape) <= _sparse(len(q)):
        closer: FloatArray = learned.T.astype(np.float64) @ table @ gold.astype(np.float64)
        return closer
    closer = np.zeros(table.shape)
    closer[q, s] = table[q, s] @ (learned[np.ix_(q, q)] & gold[np.ix_(s, s)])
    return closer


def _dense(learned: float, gold: float) -> float:
    """What a product with the inclusions of classes costs, in some billionths of a second."""
    return learned * gold * (learned + gold) / 5.0


def _sparse(pairs: float) -> float:
    """The same, for looking at all pairs of pairs of classes that have instances."""
    return 5.0 * pairs * pairs


def _refuse_too_large(shared: SharedInstances, *sides: _ClassTable) -> None:
    """TooLargeError if time or memory, estimated from a sample of places, would be too much."""
    cells = len(shared.count)
    kinds, work, held = [], 0.0, 0.0
    for side in sides:
        places = len(side)
        sample = np.unique(np.linspace(0, places - 1, _SAMPLE).astype(np.int64)).tolist()
        sizes = np.array([side.sizes(place) for place in sample], dtype=np.float64)
        ancestors, classes = sizes[:, 0], sizes[:, 1]
        work += places * float(np.mean(25.0 * places * ancestors + classes * classes * ancestors / 5.0))
        held = places * (4.0 * places + float(np.mean(classes * classes)))  # of the gold side, which comes last
        kinds.append(float(np.sqrt(np.mean(classes * classes))))
    work += cells * (2e5 + 10.0 * cells + min(_dense(*kinds), _sparse(min(cells, kinds[0] * kinds[1]))))
    if work > MAX_GENERAL_WORK or held > MAX_HELD:
        raise TooLargeError(
            f"too many pairs of concepts share instances: {cells:,}, with too many different sets of common ancestors "
            f"(several parents or cycles; estimated: {work / 1e9:,.0f} s, {held / 1e9:,.1f} GB)"
        )


@dataclass(frozen=True, eq=False)
class _Classes:
    """All places in classes, by the ancestors that they have in common with one place."""

    place: IntArray  # the class of each place
    includes: BoolArray  # classes x classes: the one set of ancestors strictly includes the other
    split: LongArray  # the number of each class's set among all sets of the hierarchy


class _ClassTable:
    """The classes that each place makes, and the triples that part at each set of ancestors."""

    def __init__(self, placement: Placement) -> None:
        self.above = placement.above.tocsc()
        self.rows = placement.above
        self.number: dict[bytes, int] = {}
        self.triples: FloatArray = np.zeros(0)
        self.common: FloatArray = np.zeros(0)

    def __len__(self) -> int:
        return len(self.rows.indptr) - 1

    def sizes(self, place: int) -> tuple[int, int]:
        """The number of its ancestors, and of its classes."""
        ancestors, sets, _ = self._sets(place)
        return len(ancestors), len(sets)

    def _sets(self, place: int) -> tuple[IntArray, BoolArray, LongArray]:
        """The ancestors, the different sets of them that places have in common with it, and the set of each place."""
        ancestors = self.rows.indices[self.rows.indptr[place] : self.rows.indptr[place + 1]]
        shared = self.above[:, ancestors].toarray() > 0
        packed = np.ascontiguousarray(np.packbits(shared, axis=1))
        _, first, kind = np.unique(
            packed.view(np.dtype((np.void, packed.shape[1]))).ravel(), return_index=True, return_inverse=True
        )
        return ancestors, shared[first], kind

    def classes(self, place: int) -> _Classes:
        ancestors, sets, kind = self._sets(place)
        split = [self.number.setdefault(np.sort(ancestors[members]).tobytes(), len(self.number)) for members in sets]
        if len(self.number) > len(self.triples):
            more = np.zeros(2 * len(self.number) - len(self.triples))
            self.triples, self.common = np.concatenate([self.triples, more]), np.concatenate([self.common, more])
        return _Classes(kind.astype(np.int32), _strictly_includes(sets), np.array(split, dtype=np.int64))

    def add(self, classes: _Classes, size: float, others: FloatArray, common: FloatArray) -> None:
        """The triples whose i1 is one of `size` instances of a place, by the class of i3."""
        np.add.at(self.triples, classes.split, size * others * (others @ classes.includes))
        np.add.at(self.common, classes.split, common)


def _strictly_includes(sets: BoolArray) -> BoolArray:
    members = sets.astype(np.float32)  # exact up to 16 million ancestors
    both, size = members @ members.T, members.sum(axis=1)
    result: BoolArray = (both == size[None, :]) & (size[:, None] > size[None, :])
    return result
