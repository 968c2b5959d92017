"""Kernel of OntoRand, EOR: δ of two instances, sum of differences, mean by chance; limits (adjusted=: instances.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from ontoeval.measures.instances._root_paths import RootPaths
from ontoeval.model.arrays import FloatArray, IntArray, LongArray, spans
from ontoeval.model.placement import Placement, SharedInstances, TooLargeError
from ontoeval.tasks.comparison import Comparison

Delta = Literal["overlap", "tree"]
ALPHA, BETA = 0.3, 0.2  # of δ = e^(-α l) tanh(β h); the paper's text says β = 0.4, its digits are those of 0.2
FEW_CELLS = 1_000  # of which each meets each in less time than the levels take
MAX_CELLS = 60_000  # where each pair of places meets each
MAX_ROOM = 50_000_000  # gold levels x pairs of profiles: 0.8 GB
MAX_COMPARED = 5e10  # nodes on the paths to two places: some minutes
MAX_VALUES = 20_000_000  # different values of δ
_BLOCK = 4_000_000  # values held at a time
_ROUNDING = 1e-12  # differences of δ that are none


def total_difference(task: Comparison, delta: Delta) -> float:
    """The sum of |δ_l - δ_g| over the pairs of shared instances."""
    if task.is_swapped:
        return total_difference(task.swapped, delta)
    return task.cached(("δ", delta), lambda: difference(task.shared, delta))


def chance_difference(task: Comparison, delta: Delta) -> float:
    """What |δ_l - δ_g| is on average if the instances of one side are permuted."""
    if task.is_swapped:
        return chance_difference(task.swapped, delta)
    return task.cached(("δ by chance", delta), lambda: expected_difference(task.shared, delta))


def difference(shared: SharedInstances, delta: Delta) -> float:
    """The sum of |δ_l - δ_g| over all unordered pairs of shared instances."""
    if len(shared.count) > FEW_CELLS and shared.learned.forest and shared.gold.forest:
        learned, gold = RootPaths.of(shared.learned), RootPaths.of(shared.gold)
        if len(gold) > len(learned):  # the inner levels are held together
            return difference(shared.swapped, delta)
        profiles = _Profiles.of(shared, learned, gold)
        room = len(gold) * float(len(profiles)) ** 2
        if room <= MAX_ROOM and len(learned) * room <= float(len(shared.count)) ** 2:
            return profiles.difference(delta)
    return _difference_in_general(shared, delta)


def closeness(depth: FloatArray, other: FloatArray, common: FloatArray, delta: Delta) -> FloatArray:
    """δ of two nodes of a forest by their depths and that of their last common ancestor (-1: there is none).

    overlap: |A(u) ∩ A(v)| / |A(u) ∪ A(v)| = (h + 1) / (h + l + 1);   tree: e^(-α l) tanh(β h), 1 for l = 0
    """
    length = depth + other - 2.0 * common
    if delta == "overlap":
        overlap: FloatArray = (common + 1.0) / np.maximum(
            common + length + 1.0, 1.0
        )  # there is nothing above all roots
        return overlap
    return _tree_delta(length, common)


def _tree_delta(length: FloatArray, depth: FloatArray) -> FloatArray:
    close = np.exp(-ALPHA * length) * np.tanh(BETA * np.maximum(depth, 0.0))
    result: FloatArray = np.where(length == 0, 1.0, close)
    return result


# forests


@dataclass(frozen=True, eq=False)
class _Profiles:
    """Cells by the depths of their two places: δ depends on these and on the depth of the last common ancestor alone.

    For nodes (u, v) on levels (x, y) the histogram over profiles of what is below both, times itself, counts the pairs
    of cells whose last common ancestors are at least as deep as (x, y).
    """

    learned: RootPaths
    gold: RootPaths
    depths: LongArray  # of each profile: levels on the learned and on the gold side
    profile: LongArray  # of each cell, along the gold line
    count: FloatArray
    learned_place: LongArray  # where its places stand in the lines
    gold_place: LongArray

    @classmethod
    def of(cls, shared: SharedInstances, learned: RootPaths, gold: RootPaths) -> _Profiles:
        learned_place, gold_place = learned.line[shared.cell_learned], gold.line[shared.cell_gold]
        order = np.argsort(gold_place, kind="stable")
        learned_place, gold_place, count = (
            learned_place[order],
            gold_place[order],
            shared.count[order].astype(np.float64),
        )
        keys, profile = np.unique(
            learned.level[learned_place] * len(gold) + gold.level[gold_place], return_inverse=True
        )
        depths = np.column_stack([keys // len(gold), keys % len(gold)])
        return cls(learned, gold, depths, profile, count, learned_place, gold_place)

    def __len__(self) -> int:
        return len(self.depths)

    def difference(self, delta: Delta) -> float:
        """Over the pairs of different cells; in one cell δ is 1 on both sides."""
        nothing = np.zeros((len(self), len(self)))
        deeper = [nothing] * (len(self.gold) + 1)
        total = 0.0
        learned_delta = self._close(self.learned, 0, delta)
        gold_delta = self._close(self.gold, 1, delta)
        for x in range(len(self.learned) - 1, -1, -1):
            row = [*self._pairs(x), nothing]
            for y in range(len(self.gold)):
                exactly = row[y] - row[y + 1] - deeper[y] + deeper[y + 1]
                if exactly.any():
                    total += float(np.sum(exactly * np.abs(learned_delta(x) - gold_delta(y))))
            deeper = row
        return total / 2.0

    def _close(self, paths: RootPaths, side: int, delta: Delta) -> Callable[[int], FloatArray]:
        """δ between profiles, of cells whose last common ancestor is on a given level."""
        depth = self.depths[:, side].astype(np.float64) - paths.rootless

        def at(level: int) -> FloatArray:
            common = np.minimum(float(level - paths.rootless), np.minimum.outer(depth, depth))
            return closeness(depth[:, None], depth[None, :], common, delta)

        return at

    def _pairs(self, x: int) -> Iterator[FloatArray]:
        """For each gold level y: profiles x profiles, the ordered pairs of instances below the same (u_x, v_y)."""
        at = self.learned.path[x].take(self.learned_place)
        order = np.argsort(at, kind="stable")
        # by u, and as before along the line of the gold places, where what is below any v is side by side
        cells = order[np.searchsorted(at, 0, sorter=order) :]  # -1: sits higher
        for y in range(len(self.gold)):
            v = self.gold.path[y].take(self.gold_place.take(cells))
            if v.min(initial=0) < 0:
                inside = np.flatnonzero(v >= 0)
                cells, v = cells.take(inside), v.take(inside)
            u = at.take(cells)
            alike = (u[1:] == u[:-1]) & (v[1:] == v[:-1])
            alone = np.ones(len(cells), dtype=bool)
            alone[1:] &= ~alike
            first = alone.copy()
            alone[:-1] &= ~alike
            several = np.flatnonzero(~alone)  # a cell alone stays alone further down
            cells = cells.take(several)
            yield self._products(cells, np.cumsum(first.take(several)) - 1)

    def _products(self, cells: LongArray, group: LongArray) -> FloatArray:
        if not len(cells):
            return np.zeros((len(self), len(self)))
        count, profile = self.count.take(cells), self.profile.take(cells)
        histogram = csr_array((count, (group, profile)), shape=(int(group[-1]) + 1, len(self)))
        products: FloatArray = (histogram.T.tocsr() @ histogram).toarray()
        products[np.arange(len(self)), np.arange(len(self))] -= np.bincount(
            profile, weights=count * count, minlength=len(self)
        )
        return products


# any hierarchy


def _difference_in_general(shared: SharedInstances, delta: Delta) -> float:
    """Cell by cell: Σ n n' |δ_l - δ_g| over pairs of cells, and n (n - 1) / 2 times it inside each."""
    if len(shared.count) > MAX_CELLS:
        raise TooLargeError(
            f"too many pairs of concepts share instances: {len(shared.count):,}; the limit is {MAX_CELLS:,} where "
            "concepts have several parents, instances several concepts, or hierarchies very many levels"
        )
    learned, gold = nearness(shared.learned, delta), nearness(shared.gold, delta)
    count = shared.count.astype(np.float64)
    total = 0.0
    step = max(1, _BLOCK // len(count))
    for start in range(0, len(count), step):
        block = np.arange(start, min(start + step, len(count)))
        learned_delta = learned.rows(shared.cell_learned[block])[:, shared.cell_learned]
        gold_delta = gold.rows(shared.cell_gold[block])[:, shared.cell_gold]
        gap = np.abs(learned_delta - gold_delta)
        gap[gap < _ROUNDING] = 0.0  # means of the same values in another order
        total += float(count[block] @ (gap @ count)) - float(count[block] @ gap[np.arange(len(block)), block])
    return total / 2.0


def nearness(placement: Placement, delta: Delta) -> Nearness | ForestNearness:
    """δ between the places of any hierarchy."""
    if not placement.forest:
        return Nearness.of(placement, delta)
    levels = len(RootPaths.of(placement))
    if levels * float(len(placement)) ** 2 > MAX_COMPARED:
        raise TooLargeError(
            f"too many concepts have instances: {len(placement):,}, in a hierarchy of {levels:,} levels"
        )
    return ForestNearness(RootPaths.of(placement), delta)


@dataclass(frozen=True, eq=False)
class ForestNearness:
    """δ between places that are nodes of a forest."""

    paths: RootPaths
    delta: Delta

    def rows(self, places: LongArray) -> FloatArray:
        """δ of some places with every place."""
        rows = self.paths.line[places]
        common = np.full((len(rows), len(self.paths.line)), -1, dtype=np.int32)
        for nodes in self.paths.path:
            row_nodes = nodes[rows]
            common += (row_nodes[:, None] == nodes[None, :]) & (row_nodes >= 0)[:, None]
        depth = self.paths.level.astype(np.float64)
        away = float(self.paths.rootless)  # from a root that is none of the concepts
        delta = closeness(
            depth[rows][:, None] - away, depth[None, :] - away, common.astype(np.float64) - away, self.delta
        )
        return delta[:, self.paths.line]


@dataclass(frozen=True, eq=False)
class Nearness:
    """δ between places: the mean over their pairs of concepts."""

    placement: Placement
    delta: Delta
    used: IntArray  # concepts with instances
    members: csr_array  # places x used concepts, each row with the sum 1
    reach: csr_array  # used concepts x concepts at or above them: 1 (overlap), or edges upwards + 1 (tree)
    columns: csr_array  # `reach` transposed
    depth: FloatArray  # of all concepts; fewest edges from the root

    @classmethod
    def of(cls, placement: Placement, delta: Delta) -> Nearness:
        used, place = np.unique(placement.concepts, return_inverse=True)
        width = np.diff(placement.indptr)
        shares = np.repeat(1.0 / width, width)
        members = csr_array((shares, place, placement.indptr), shape=(len(placement), len(used)))
        hierarchy = placement.hierarchy
        if delta == "overlap":
            itself = csr_array(
                (np.ones(len(used)), used.astype(np.int64), np.arange(len(used) + 1)), shape=(len(used), len(hierarchy))
            )
            reach = (itself + hierarchy.closure.ancestors[used].astype(np.float64)).tocsr()
            return cls(placement, delta, used, members, reach, reach.T.tocsr(), np.zeros(0))
        reach = _upwards(placement, used)
        return cls(placement, delta, used, members, reach, reach.T.tocsr(), hierarchy.steps_down.astype(np.float64))

    def rows(self, places: LongArray) -> FloatArray:
        """δ of some places with every place."""
        distinct, row = np.unique(places, return_inverse=True)
        members = self.members[distinct]
        concepts = np.unique(members.indices).astype(np.int64)
        delta = self._concepts(concepts)
        if self.placement.strict:  # each place is a concept, in the same order
            return delta[row]
        means: FloatArray = members[:, concepts] @ (self.members @ delta.T).T
        return means[row]

    def _concepts(self, concepts: LongArray) -> FloatArray:
        """δ of some of the used concepts with every used one."""
        reach = self.reach[concepts]
        if self.delta == "overlap":
            both = (reach @ self.columns).toarray()
            size = np.diff(self.reach.indptr).astype(np.float64)
            overlap: FloatArray = both / (size[concepts][:, None] + size[None, :] - both)
            return overlap
        shape = len(concepts), len(self.used)
        distance, depth = np.full(shape, np.inf), np.full(shape, -1.0)
        row = np.repeat(np.arange(shape[0]), np.diff(reach.indptr))
        start, length = self.columns.indptr[reach.indices], np.diff(self.columns.indptr)[reach.indices]
        cuts = np.flatnonzero(np.diff(np.cumsum(length) // _BLOCK)) + 1
        for block in np.split(np.arange(len(row)), cuts):
            entries = spans(start[block], length[block])
            cell = np.repeat(row[block] * shape[1], length[block]) + self.columns.indices[entries]
            up = np.repeat(reach.data[block], length[block])
            np.minimum.at(distance.reshape(-1), cell, up + self.columns.data[entries] - 2.0)  # both are 1 too many
            np.maximum.at(depth.reshape(-1), cell, np.repeat(self.depth[reach.indices[block]], length[block]))
        return _tree_delta(distance, depth)


def _upwards(placement: Placement, used: IntArray) -> csr_array:
    """Used concepts x concepts: one more than the fewest edges upwards, on the edges as they are."""
    parents = placement.hierarchy.parents
    size = parents.size
    front = np.arange(len(used), dtype=np.int64) * size + used
    known, steps = front, np.ones(len(front))
    step = 1.0
    while len(front):
        step += 1.0
        concept = front % size
        degree = parents.degree[concept]
        above = np.repeat(front - concept, degree) + parents.indices[spans(parents.indptr[concept], degree)]
        front = np.setdiff1d(above, known)
        known = np.concatenate([known, front])
        steps = np.concatenate([steps, np.full(len(front), step)])
        order = np.argsort(known, kind="stable")
        known, steps = known[order], steps[order]
    return csr_array((steps, (known // size, known % size)), shape=(len(used), size))


# expected difference by chance


def expected_difference(shared: SharedInstances, delta: Delta) -> float:
    """The mean of |δ_l(pair) - δ_g(pair')| over all pairs of instances and all pairs of instances."""
    values, weights = zip(*(_distribution(side, delta) for side in (shared.learned, shared.gold)), strict=True)
    everything = np.concatenate(values)
    order = np.argsort(everything, kind="stable")
    shares = [
        np.cumsum(np.concatenate([weights[0] / weights[0].sum(), np.zeros(len(weights[1]))])[order]),
        np.cumsum(np.concatenate([np.zeros(len(weights[0])), weights[1] / weights[1].sum()])[order]),
    ]
    gaps = np.diff(everything[order])
    gaps[gaps < _ROUNDING] = 0.0
    # E |X - Y| = ∫ F (1 - G) + G (1 - F), which two constant distributions make exactly 0
    first, second = (np.minimum(share[:-1], 1.0) for share in shares)
    return float(np.sum(gaps * (first * (1.0 - second) + second * (1.0 - first))))


def _distribution(placement: Placement, delta: Delta) -> tuple[FloatArray, FloatArray]:
    """The values of δ over the pairs of different instances, and how many pairs have each."""
    if placement.forest:
        paths = RootPaths.of(placement)
        return _distribution_in_forest(paths, paths.count(placement), delta)
    deltas = Nearness.of(placement, delta)
    count = placement.count
    values, weights = np.zeros(0), np.zeros(0)
    step = max(1, _BLOCK // len(placement))
    for start in range(0, len(placement), step):
        block = np.arange(start, min(start + step, len(placement)))
        pairs = np.outer(count[block], count)
        pairs[np.arange(len(block)), block] -= count[block]
        values, weights = _merge_equal(
            np.concatenate([values, deltas.rows(block).ravel()]), np.concatenate([weights, pairs.ravel()])
        )
        if len(values) > MAX_VALUES:
            raise TooLargeError(f"too many different values of δ: more than {MAX_VALUES:,}")
    return values, weights


def _merge_equal(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    distinct, place = np.unique(values, return_inverse=True)
    return distinct, np.bincount(place, weights, len(distinct)).astype(np.float64)


def _distribution_in_forest(paths: RootPaths, count: FloatArray, delta: Delta) -> tuple[FloatArray, FloatArray]:
    levels = len(paths)
    depth = np.arange(levels, dtype=np.float64) - paths.rootless
    deeper = np.zeros((levels, levels))
    values, weights = np.zeros(0), np.zeros(0)
    for level in range(levels - 1, -1, -1):
        occupied = np.flatnonzero(paths.path[level] >= 0)
        node = np.unique(paths.path[level, occupied], return_inverse=True)[1]
        shape = (int(node.max(initial=-1)) + 1, levels)
        histogram = csr_array((count[occupied], (node, paths.level[occupied])), shape=shape)
        pairs = (histogram.T.tocsr() @ histogram).toarray()
        exactly = pairs - deeper
        exactly[level, level] -= float(count[paths.level == level].sum())  # exclude pairs of an instance and itself
        low, high = np.nonzero(exactly > 0)
        common = np.full(len(low), float(level - paths.rootless))
        close = closeness(depth[low], depth[high], common, delta)
        values, weights = _merge_equal(np.concatenate([values, close]), np.concatenate([weights, exactly[low, high]]))
        deeper = pairs
    return values, weights
