"""`by_instances`, step `instances` of matching: one to one by F1 of shared instances, ties (counts: placement.py)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ontoeval.model.arrays import BoolArray, FloatArray, IntArray, LongArray, search
from ontoeval.model.placement import Placement, SharedInstances

LISTED = 10_000  # tied candidates; more are counted
_BAND = 4_000_000  # candidates that are put into an order at a time
_ROUNDS = 12  # of taking all pairs that are best for both; what is left then goes one by one


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of concepts beside each other, and 2 S(u, v) / (S(u) + S(v)) of each."""

    learned: IntArray
    gold: IntArray
    f1: FloatArray

    def __len__(self) -> int:
        return len(self.f1)

    def __getitem__(self, rows: LongArray | BoolArray) -> Candidates:
        return Candidates(self.learned[rows], self.gold[rows], self.f1[rows])


@dataclass(frozen=True, eq=False)
class InstanceMatches:
    """The pairs, and the candidates that were as good as a pair with one of their concepts."""

    pairs: Candidates
    tied: Candidates  # at most LISTED of them, the best first
    ambiguous: int


def by_instances(shared: SharedInstances, learned: BoolArray, gold: BoolArray, least: float = 0.0) -> InstanceMatches:
    """Pair the concepts that are True in `learned` and in `gold`, one to one: the pair with the highest F1 first.

    F1(u, v) = 2 S(u, v) / (S(u) + S(v)), where S counts the shared instances at or below a concept, and at or below
    both; pairs with nothing in common, or with less than `least`, are left out. Of equal pairs the one with the higher
    F1 of the instances on the two concepts themselves goes first, then that with the smaller difference of depth, then
    the lower IRIs. A candidate counts as ambiguous if both its concepts were free until a pair of the same F1 took one.
    """
    return _Pairing(shared, learned.copy(), gold.copy()).run(least)


class _Pairing:
    """Candidates go in bands of falling F1, so that only those that are still free are ever put into an order."""

    def __init__(self, shared: SharedInstances, learned: BoolArray, gold: BoolArray) -> None:
        self.shared, self.free_learned, self.free_gold = shared, learned, gold
        self.scores = np.full(len(learned), -1.0), np.full(len(gold), -1.0)  # F1 of the partner; -1: none

    def run(self, least: float) -> InstanceMatches:
        """The pairs of at least this F1."""
        remaining = self._candidates(least)
        pairs: list[Candidates] = []
        tied: list[Candidates] = []
        ambiguous = 0
        while len(remaining):
            last = max(len(remaining) - _BAND, 0)
            inside = remaining.f1 >= np.partition(remaining.f1, last)[last]  # all that tie with the last one, too
            band = remaining[inside]
            band = band[self._order(band)]
            taken = self._greedy(band)
            pairs.append(band[taken])
            for scores, ends in zip(self.scores, (pairs[-1].learned, pairs[-1].gold), strict=True):
                scores[ends] = pairs[-1].f1
            # whatever was not taken lost to the better of the two pairs that its concepts are in
            winner = np.maximum(self.scores[0][band.learned], self.scores[1][band.gold])
            equal = np.flatnonzero((winner == band.f1) & ~taken)
            ambiguous += len(equal)
            tied.append(band[equal[: max(LISTED - sum(map(len, tied)), 0)]])
            remaining = remaining[~inside & self._free(remaining)]
        return InstanceMatches(_concatenate(pairs), _concatenate(tied), ambiguous)

    def _candidates(self, least: float) -> Candidates:
        overlap = self.shared.overlap
        sizes = [_extension(placement) for placement in self._sides]
        rows = np.repeat(np.arange(len(sizes[0]), dtype=np.int32), np.diff(overlap.indptr))
        columns = overlap.indices.astype(np.int32, copy=False)
        free = self.free_learned[rows] & self.free_gold[columns]
        rows, columns = rows[free], columns[free]
        f1 = 2 * overlap.data[free] / (sizes[0][rows] + sizes[1][columns])
        candidates = Candidates(rows, columns, f1)
        return candidates if least <= 0 else candidates[f1 >= least]

    @property
    def _sides(self) -> tuple[Placement, Placement]:
        return self.shared.learned, self.shared.gold

    def _free(self, some: Candidates) -> BoolArray:
        return self.free_learned[some.learned] & self.free_gold[some.gold]

    def _order(self, some: Candidates) -> LongArray:
        """The candidates in the order in which they are taken."""
        learned, gold = (placement.hierarchy for placement in self._sides)
        depth_difference = np.abs(learned.closure.depth[some.learned] - gold.closure.depth[some.gold])
        names = learned.iri_rank[some.learned] * len(gold) + gold.iri_rank[some.gold]
        return np.lexsort((names, depth_difference, -self._direct(some), -some.f1))

    def _direct(self, some: Candidates) -> FloatArray:
        """F1 of the instances that sit on the two concepts themselves."""
        keys, both, sizes = self._on_both
        position, known = search(keys, some.learned.astype(np.int64) * len(sizes[1]) + some.gold)
        common = np.zeros(len(some))
        common[known] = both[position[known]]
        total = sizes[0][some.learned] + sizes[1][some.gold]
        return np.divide(2 * common, total, out=np.zeros(len(some)), where=total > 0)

    @cached_property
    def _on_both(self) -> tuple[LongArray, FloatArray, tuple[FloatArray, FloatArray]]:
        """Instances on both concepts of a pair, the pairs as sorted numbers, and instances on each concept."""
        learned, gold = self._sides
        both = (learned.members.T.tocsr() @ self.shared.table @ gold.members).tocsr()
        both.sort_indices()
        rows = np.repeat(np.arange(both.shape[0], dtype=np.int64), np.diff(both.indptr))
        sizes = (learned.members.T @ learned.count, gold.members.T @ gold.count)
        return rows * both.shape[1] + both.indices, both.data, sizes

    def _greedy(self, ordered: Candidates) -> BoolArray:
        """Which candidates are taken if each that is still free is, in their order.

        A pair that comes before all others of either of its concepts is taken whatever else happens, so that all such
        pairs can be taken at once; those that remain have their own such pairs.
        """
        taken = np.zeros(len(ordered), dtype=bool)
        first_learned = np.zeros(len(self.free_learned), dtype=np.int64)
        first_gold = np.zeros(len(self.free_gold), dtype=np.int64)
        remaining = np.arange(len(ordered))
        for _ in range(_ROUNDS):
            some = ordered[remaining]
            positions = np.arange(len(remaining))
            first_learned[some.learned[::-1]] = positions[::-1]  # of a concept given twice the last entry stays
            first_gold[some.gold[::-1]] = positions[::-1]
            best = (first_learned[some.learned] == positions) & (first_gold[some.gold] == positions)
            self._take(some[best])
            taken[remaining[best]] = True
            remaining = remaining[self._free(some)]
            if not len(remaining):
                return taken
        taken[self._one_by_one(ordered, remaining)] = True
        self._take(ordered[taken])
        return taken

    def _take(self, pairs: Candidates) -> None:
        self.free_learned[pairs.learned] = False
        self.free_gold[pairs.gold] = False

    def _one_by_one(self, ordered: Candidates, remaining: LongArray) -> list[int]:
        learned, gold, taken = set[int](), set[int](), []
        some = ordered[remaining]
        for position, u, v in zip(remaining.tolist(), some.learned.tolist(), some.gold.tolist(), strict=True):
            if u not in learned and v not in gold:
                learned.add(u)
                gold.add(v)
                taken.append(position)
        return taken


def _extension(placement: Placement) -> FloatArray:
    """S(u): the shared instances at or below each concept."""
    sizes: FloatArray = placement.above.T @ placement.count
    return sizes


def _concatenate(parts: list[Candidates]) -> Candidates:
    empty = np.zeros(0, dtype=np.int32)
    return Candidates(
        np.concatenate([empty, *(part.learned for part in parts)]),
        np.concatenate([empty, *(part.gold for part in parts)]),
        np.concatenate([np.zeros(0), *(part.f1 for part in parts)]),
    )
