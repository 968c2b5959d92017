"""Triples of instances of which two are closer to each other than to the third, counted and not listed.

T(H) = {(i1, i2, i3) pairwise different: CA(i1, i2) ⊋ CA(i1, i3)}, where CA(i, j) are the common ancestors of the
concepts of i and j, these concepts included. In a forest CA is a node: the deepest common one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from ontoeval.model.arrays import BoolArray, FloatArray, IntArray, LongArray, search
from ontoeval.model.descents import Descents
from ontoeval.model.shared import Placement, SharedInstances, TooLargeError

MAX_WORK = 20_000_000_000  # pairs of ancestors that are looked at: about ten minutes
MAX_CELLS = 20_000  # pairs of places, where each meets each: 1.6 GB of classes


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
    def turned(self) -> Triples:
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


def count_triples(shared: SharedInstances) -> Triples:
    """Of the shared instances, each on one concept."""
    if len(shared) < 3:
        return Triples(len(shared), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if shared.learned.forest and shared.gold.forest:
        return _in_forests(shared)
    return _in_general(shared)


# forests


def _in_forests(shared: SharedInstances) -> Triples:
    r"""Sum up over pairs (c, d) of nodes that have a parent.

    With S(u, v) = instances at or below u on the learned side and v on the gold side, u and v the parents of c and d,
    the triples of both sides that part at u and v and have i1 and i2 below c and d are
    S(c, d) (S(c, d) - 1) (S(u, v) - S(c, v) - S(u, d) + S(c, d)).
    """
    learned, gold = Descents.of(shared.learned), Descents.of(shared.gold)
    work = float(np.sum((learned.level[shared.cell_learned] + 1.0) * (gold.level[shared.cell_gold] + 1.0)))
    if work > MAX_WORK:
        raise TooLargeError(f"the hierarchies are too deep: {work:.2g} pairs of superconcepts would be looked at")
    parent = _parents(gold)
    at_learned, at_gold = np.zeros(learned.size), np.zeros(gold.size)
    upward = _ways(gold)
    rows = (_below_both(shared, learned, level, upward) for level in range(len(learned)))
    total = 0.0
    for level, (above, below) in enumerate(pairwise(rows), 1):
        child, own = below.pairs
        inner = np.flatnonzero(parent[own] >= 0)
        child, own, count = child[inner], own[inner], below.counts[inner]
        mother, up = _mothers(learned, level)[child], parent[own]
        apart = above.at(mother, up) - below.at(child, up) - above.at(mother, own) + count
        triples = count * (count - 1.0) * apart
        total += float(triples.sum())
        at_learned += np.bincount(mother, weights=triples, minlength=learned.size)
        at_gold += np.bincount(up, weights=triples, minlength=gold.size)
    own_learned, own_gold = _parting(learned, shared.learned), _parting(gold, shared.gold)
    return Triples(
        len(shared), float(own_learned.sum()), float(own_gold.sum()), total,
        float(np.count_nonzero(own_learned)), float(np.count_nonzero(own_gold)),
        _shares(at_learned, own_learned), _shares(at_gold, own_gold),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Row:
    """S(u, v) > 1 for the learned concepts u of one level; fewer make no triple, neither do those below them."""

    keys: LongArray  # u * width + v, ascending
    counts: FloatArray
    width: int

    def at(self, learned: LongArray, gold: LongArray) -> FloatArray:
        return self.counts[search(self.keys, learned * self.width + gold)[0]]

    @property
    def pairs(self) -> tuple[LongArray, LongArray]:
        """The concepts u, and the concepts v beside them."""
        return self.keys // self.width, self.keys % self.width


def _below_both(shared: SharedInstances, learned: Descents, level: int, upward: csr_array) -> _Row:
    at = learned.way[level, shared.cell_learned].astype(np.int64)
    here = np.flatnonzero(at >= 0)
    used, row = np.unique(at[here], return_inverse=True)
    places = csr_array(
        (shared.count[here].astype(np.float64), (row, shared.cell_gold[here])), shape=(len(used), len(shared.gold))
    )
    found = places @ upward
    several = np.flatnonzero(found.data > 1)
    row = np.searchsorted(found.indptr, several, side="right") - 1
    width = upward.shape[1]
    keys = used[row] * width + found.indices[several]
    order = np.argsort(keys)
    return _Row(keys[order], found.data[several][order], width)


def _ways(descents: Descents) -> csr_array:
    """Places x concepts: 1 for the concepts on the way to the place."""
    concepts = descents.way.T.ravel()
    there = concepts >= 0
    indptr = np.concatenate([[0], np.cumsum(descents.level + 1)])
    return csr_array(
        (np.ones(int(there.sum())), concepts[there].astype(np.int64), indptr),
        shape=(descents.way.shape[1], descents.size),
    )


def _mothers(descents: Descents, level: int) -> LongArray:
    """The parent of each concept of one level on which or below which instances sit; -1 for others."""
    return _parent_table(descents, [level])


def _parents(descents: Descents) -> LongArray:
    return _parent_table(descents, range(1, len(descents)))


def _parent_table(descents: Descents, levels: range | list[int]) -> LongArray:
    parent = np.full(descents.size, -1, dtype=np.int64)
    for level in levels:
        there = descents.way[level] >= 0
        parent[descents.way[level, there]] = descents.way[level - 1, there]
    return parent


def _parting(descents: Descents, placement: Placement) -> FloatArray:
    """The triples that part at each node u: Σ over its children c of S(c) (S(c) - 1) (S(u) - S(c))."""
    below = np.zeros(descents.size)
    for concepts in descents.way:
        there = concepts >= 0
        below += np.bincount(concepts[there], weights=placement.count[there], minlength=descents.size)
    parent = _parents(descents)
    child = np.flatnonzero(parent >= 0)
    own, whole = below[child], below[parent[child]]
    triples = own * (own - 1.0) * (whole - own)
    return np.bincount(parent[child], triples, descents.size).astype(np.float64)


def _shares(common: FloatArray, own: FloatArray) -> float:
    """The sum over nodes of the common part of what parts there."""
    parting = own > 0
    return float(np.sum(np.minimum(common[parting] / own[parting], 1.0)))


# any hierarchy


def _in_general(shared: SharedInstances) -> Triples:
    """For each pair of places: class the other instances by (CA_l, CA_g), and look which classes include which."""
    if len(shared.count) > MAX_CELLS:
        raise TooLargeError(
            f"with several parents or cycles at most {MAX_CELLS:,} pairs of concepts can hold the instances; "
            f"there are {len(shared.count):,}"
        )
    learned, gold = (
        _Kinships(shared.learned, keep=False),
        _Kinships(shared.gold, keep=True),
    )  # cells run by learned place
    total = 0.0
    weights = shared.count.astype(np.float64)
    for a, b, size in zip(shared.cell_learned.tolist(), shared.cell_gold.tolist(), weights.tolist(), strict=True):
        mine, theirs = learned.of(a), gold.of(b)
        shape = len(mine.includes), len(theirs.includes)
        key = mine.place[shared.cell_learned] * np.int64(shape[1]) + theirs.place[shared.cell_gold]
        table = np.bincount(key, weights=weights, minlength=shape[0] * shape[1]).reshape(shape)
        table[mine.place[a], theirs.place[b]] -= 1.0  # i1 itself
        closer = mine.includes.T @ table @ theirs.includes  # i2: both CA include those of the class
        common = size * table * closer
        total += float(common.sum())
        learned.add(mine, size, table.sum(axis=1), common.sum(axis=1))
        gold.add(theirs, size, table.sum(axis=0), common.sum(axis=0))
    return Triples(
        len(shared), float(learned.own.sum()), float(gold.own.sum()), total,
        float(np.count_nonzero(learned.own)), float(np.count_nonzero(gold.own)),
        _shares(learned.common, learned.own), _shares(gold.common, gold.own),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Kin:
    """The places as one place sees them: classed by the ancestors that they have in common with it."""

    place: IntArray  # the class of each place
    includes: FloatArray  # classes x classes: 1 where the one set of ancestors strictly includes the other
    split: LongArray  # the number of each class's set among all sets of the hierarchy


class _Kinships:
    """The classes of every place, made when they are first asked for, and the triples that part at each set."""

    def __init__(self, placement: Placement, *, keep: bool) -> None:
        self.keep = keep
        self.above = placement.above.tocsc()
        self.rows = placement.above
        self.known: dict[int, _Kin] = {}
        self.number: dict[bytes, int] = {}
        self.own: FloatArray = np.zeros(0)
        self.common: FloatArray = np.zeros(0)

    def of(self, place: int) -> _Kin:
        if place not in self.known:
            if not self.keep:
                self.known.clear()
            self.known[place] = self._classed(place)
        return self.known[place]

    def _classed(self, place: int) -> _Kin:
        ancestors = self.rows.indices[self.rows.indptr[place] : self.rows.indptr[place + 1]]
        shared = self.above[:, ancestors].toarray() > 0
        packed = np.ascontiguousarray(np.packbits(shared, axis=1))
        _, first, kind = np.unique(
            packed.view(np.dtype((np.void, packed.shape[1]))).ravel(), return_index=True, return_inverse=True
        )
        sets = shared[first]
        split = [self.number.setdefault(np.sort(ancestors[members]).tobytes(), len(self.number)) for members in sets]
        if len(self.number) > len(self.own):
            more = np.zeros(2 * len(self.number) - len(self.own))
            self.own, self.common = np.concatenate([self.own, more]), np.concatenate([self.common, more])
        return _Kin(kind.astype(np.int32), _strictly_includes(sets), np.array(split, dtype=np.int64))

    def add(self, kin: _Kin, size: float, others: FloatArray, common: FloatArray) -> None:
        """The triples whose i1 is one of `size` instances of a place, by the class of i3."""
        np.add.at(self.own, kin.split, size * others * (kin.includes.T @ others))
        np.add.at(self.common, kin.split, common)


def _strictly_includes(sets: BoolArray) -> FloatArray:
    members = sets.astype(np.float64)
    both, size = members @ members.T, members.sum(axis=1)
    result: FloatArray = ((both == size[None, :]) & (size[:, None] > size[None, :])).astype(np.float64)
    return result
