"""Kernel of ITP/ITR/ITF: `companions`: sizes, overlaps of instances at, above or below an instance's concepts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from ontoeval.measures.instances._root_paths import RootPaths, pieces
from ontoeval.model.arrays import FloatArray, LongArray, freeze
from ontoeval.model.placement import Placement, SharedInstances, TooLargeError
from ontoeval.tasks.comparison import Comparison

MAX_WORK = 100_000_000_000  # pairs of place and cell: some minutes


@dataclass(frozen=True, eq=False)
class Companions:
    """|isc_l|, |isc_g| and |isc_l ∩ isc_g| of each cell; i itself counts."""

    shared: SharedInstances
    learned: FloatArray
    gold: FloatArray
    both: FloatArray

    def __post_init__(self) -> None:
        for array in (self.learned, self.gold, self.both):
            freeze(array)

    @cached_property
    def swapped(self) -> Companions:
        """The same, seen from the gold side: the cells there have another order."""
        other = self.shared.swapped
        place = np.lexsort((self.shared.cell_learned, self.shared.cell_gold))
        return Companions(other, self.gold[place], self.learned[place], self.both[place])

    def of_instances(self, values: FloatArray) -> FloatArray:
        """A value of each cell as a value of each instance."""
        return values[self.shared.cell]


def companions(task: Comparison) -> Companions:
    """The instance cotopies isc of both sides."""
    if task.is_swapped:
        return companions(task.swapped).swapped
    return task.cached("companions", lambda: count_companions(task.shared))


def count_companions(shared: SharedInstances) -> Companions:
    """Of all shared instances."""
    learned, gold = (sizes(side)[cells] for side, cells in _sides(shared))
    if shared.learned.forest and shared.gold.forest:
        return Companions(shared, learned, gold, _both_in_forests(shared))
    return Companions(shared, learned, gold, _both_in_general(shared))


def _sides(shared: SharedInstances) -> tuple[tuple[Placement, LongArray], tuple[Placement, LongArray]]:
    return (shared.learned, shared.cell_learned), (shared.gold, shared.cell_gold)


def sizes(placement: Placement) -> FloatArray:
    """|isc| of the instances of each place."""
    if placement.forest:
        paths = RootPaths.of(placement)
        group, line = np.zeros(len(placement), dtype=np.int64), np.arange(len(placement))
        instances = _GroupedInstances.make(group, line, paths.count(placement), paths.end)
        size: FloatArray = instances.comparable(group, line)[paths.line]
        return size
    result: FloatArray = _comparable(placement) @ placement.count
    return result


# forests


@dataclass(frozen=True, eq=False)
class _GroupedInstances:
    """Instances in groups, each at a place; counts those of a group that are comparable with a place.

    In the line of `RootPaths` v is at or below b if it stands inside b's run, and above or at b if its run holds b:
    both are differences of two counts in a sorted list.
    """

    starts: tuple[LongArray, FloatArray]  # (group, place in the line) as sorted keys, and the instances before each
    ends: tuple[LongArray, FloatArray]  # (group, end of its run)
    end: LongArray  # of each place in the line

    @classmethod
    def make(cls, group: LongArray, place: LongArray, count: FloatArray, end: LongArray) -> _GroupedInstances:
        base = group * (len(end) + 1)
        return cls(_cumulate(base + place, count), _cumulate(base + end[place], count), end)

    def comparable(self, group: LongArray, place: LongArray) -> FloatArray:
        """Pair by pair the instances of a group that sit at, above or below a place."""
        base = group * (len(self.end) + 1)
        start, end = base + place, base + self.end[place]
        at_least_here, up_to_here = _before(self.starts, start), _before(self.starts, start + 1)
        above = up_to_here - _before(self.ends, start + 1)  # has begun, has not ended; groups before have done both
        below = _before(self.starts, end) - at_least_here
        return above + below - (up_to_here - at_least_here)


def _cumulate(keys: LongArray, count: FloatArray) -> tuple[LongArray, FloatArray]:
    order = np.argsort(keys, kind="stable")
    return keys[order], np.concatenate([[0.0], np.cumsum(count[order])])


def _before(counted: tuple[LongArray, FloatArray], keys: LongArray) -> FloatArray:
    """The instances whose key is less."""
    return counted[1][np.searchsorted(counted[0], keys)]


def _both_in_forests(shared: SharedInstances) -> FloatArray:
    """Level by level of the learned side: instances exactly at u_x, above a, and at or below a on its level."""
    learned, gold = RootPaths.of(shared.learned), RootPaths.of(shared.gold)
    both = np.zeros(len(shared.count))
    # along the gold line, and level by level along the learned nodes: sorted keys are found several times as fast
    cells = np.argsort(gold.line[shared.cell_gold], kind="stable")
    learned_place, gold_place = learned.line[shared.cell_learned[cells]], gold.line[shared.cell_gold[cells]]
    count = shared.count[cells].astype(np.float64)
    waiting = [(0, cells, learned_place, gold_place, count)]
    while waiting:
        level, cells, learned_place, gold_place, count = waiting.pop()
        at = learned.path[level, learned_place]
        order = np.argsort(at, kind="stable")
        order = order[np.searchsorted(at, 0, sorter=order) :]  # -1: sits higher
        at, cells, count = at[order], cells[order], count[order]
        learned_place, gold_place = learned_place[order], gold_place[order]
        node, here = at.astype(np.int64), learned.level[learned_place] == level
        for asking, counted in ((here, slice(None)), (~here, here)):
            instances = _GroupedInstances.make(node[counted], gold_place[counted], count[counted], gold.end)
            both[cells[asking]] += instances.comparable(node[asking], gold_place[asking])
        if level + 1 < len(learned):
            for part in pieces(at):
                waiting.append((level + 1, cells[part], learned_place[part], gold_place[part], count[part]))
    return both


# any hierarchy


def _comparable(placement: Placement) -> csr_array:
    """Places x places: 1 where some concept of the one is at, above or below some concept of the other."""
    upward = placement.above @ placement.members.T
    either: csr_array = (upward + upward.T).tocsr()
    either.data = np.ones(len(either.data))
    return either


def _both_in_general(shared: SharedInstances) -> FloatArray:
    """Learned place by learned place: the instances comparable there, by gold place, and those comparable here."""
    work = float(len(shared.learned)) * len(shared.count)
    if work > MAX_WORK:
        raise TooLargeError(
            f"too many pairs of concepts share instances: {len(shared.count):,}, with {len(shared.learned):,} learned "
            "concepts, where concepts have several parents or instances several concepts"
        )
    learned, gold = _comparable(shared.learned), _comparable(shared.gold)
    count = shared.count.astype(np.float64)
    bounds = np.searchsorted(shared.cell_learned, np.arange(len(shared.learned) + 1))
    both = np.empty(len(count))
    for place in range(len(shared.learned)):
        cells = slice(bounds[place], bounds[place + 1])
        is_companion = np.zeros(len(shared.learned))
        is_companion[learned.indices[learned.indptr[place] : learned.indptr[place + 1]]] = 1.0
        weights = count * is_companion[shared.cell_learned]
        weights_by_gold = np.bincount(shared.cell_gold, weights=weights, minlength=len(shared.gold))
        both[cells] = gold[shared.cell_gold[cells]] @ weights_by_gold
    return both
