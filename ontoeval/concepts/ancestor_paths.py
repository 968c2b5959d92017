"""`AncestorRows`, `fewest_edges`; `DirectEdges`: branching, chains, all paths up (BDM: measures/concepts/bdm.py).

All of it is about the parts of a `Closure`, each cycle one part. Parts are numbered level by level, so the parts of one
level, and their rows in any compressed matrix, stand side by side. Individuals come last, on a level of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ontoeval.errors import HierarchyError
from ontoeval.model.arrays import Adjacency, FloatArray, IntArray, LongArray, freeze, runs, spans, starts
from ontoeval.model.closure import Closure
from ontoeval.model.digraph import distances

MAX_PATHS = 50_000_000  # (concept, ancestor, first step, length): 4 GB while they are made


@dataclass(frozen=True, eq=False)
class AncestorRows:
    """Each part with all its ancestors and itself: row c is tops[start[c]:start[c + 1]], ascending, c last."""

    start: LongArray
    tops: IntArray

    @classmethod
    def of(cls, closure: Closure) -> AncestorRows:
        """The rows of a closure, each part added to its own."""
        indptr, indices = closure.part_ancestors
        size = len(indptr) - 1
        start = indptr + np.arange(size + 1)
        tops = np.empty(len(indices) + size, dtype=np.int32)
        is_itself = np.zeros(len(tops), dtype=bool)
        is_itself[start[1:] - 1] = True
        tops[is_itself] = np.arange(size, dtype=np.int32)
        tops[~is_itself] = indices
        return cls(freeze(start), freeze(tops))

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def width(self) -> LongArray:
        """The length of each row."""
        return np.diff(self.start)

    def positions(self, parts: npt.NDArray[np.integer]) -> LongArray:
        """The positions of the rows of some parts in `tops`, one row after the other."""
        return spans(self.start[parts], self.start[parts + 1] - self.start[parts])


def level_bounds(level: IntArray) -> LongArray:
    """Where each level begins among the parts."""
    return np.searchsorted(level, np.arange(int(level.max(initial=0)) + 2))


def fewest_edges(rows: AncestorRows, parents: Adjacency, level: IntArray) -> IntArray:
    """Beside `rows.tops`: up(c, m), the fewest edges from c upwards to m."""
    result = np.full(len(rows.tops), np.iinfo(np.int32).max, dtype=np.int32)
    result[rows.start[1:] - 1] = 0
    for low, high in pairwise(level_bounds(level)[1:].tolist()):
        above = parents.indices[parents.indptr[low] : parents.indptr[high]]
        below = np.repeat(np.arange(low, high), parents.degree[low:high])
        width = rows.start[above + 1] - rows.start[above]
        source = spans(rows.start[above], width)
        # every entry of a parent's row is in its child's row, too
        target = _positions(rows, low, high, np.repeat(below, width), rows.tops[source])
        np.minimum.at(result, target, result[source] + 1)
    return freeze(result)


def _positions(rows: AncestorRows, low: int, high: int, below: LongArray, tops: IntArray) -> LongArray:
    """The positions of (part, ancestor) pairs in the rows of the parts low ... high - 1."""
    first, last = int(rows.start[low]), int(rows.start[high])
    keys = np.repeat(np.arange(high - low, dtype=np.int64), np.diff(rows.start[low : high + 1])) * len(rows)
    keys += rows.tops[first:last]
    return first + np.searchsorted(keys, (below - low) * len(rows) + tops)


@dataclass(frozen=True, eq=False)
class AncestorPaths:
    """The paths from concepts up to their ancestors, by first step and length; of equal ones that with most children.

    Of each length only the two with most children are kept: two paths that meet at m differ in their first step below
    it, and whichever the other path takes, one of the two is left. The paths from c to m = rows.tops[i], for i in row
    c, are the entries at[i] ... at[i + 1] - 1: `first` is the child of m on the path (-1: c is m itself), `length` its
    edges, `inner` the children of the concepts strictly between. Paths of an individual are kept for each of its
    classes: `via` is the class, -1 for paths of a class and the empty path; None where there are no individuals.
    """

    at: LongArray
    first: IntArray
    length: IntArray
    inner: LongArray
    via: IntArray | None = None

    def __post_init__(self) -> None:
        for array in (self.at, self.first, self.length, self.inner):
            freeze(array)


@dataclass(frozen=True, eq=False)
class DirectEdges:
    """The direct edges between parts (those that others imply left out), with branching and chains (BDM, LA).

    Individuals count neither as children nor in chains: where there are some, `classes` are the edges without them.
    """

    rows: AncestorRows
    parents: Adjacency
    level: IntArray  # edges of the longest path from a part without parents: the CP of the longest root path
    classes: DirectEdges | None = None

    @classmethod
    def of(cls, closure: Closure, rows: AncestorRows, classes: DirectEdges | None = None) -> DirectEdges:
        """The direct edges of a closure."""
        edges, keep = closure.parents, ~closure.redundant
        parents = Adjacency.from_pairs(edges.size, edges.tails[keep], edges.indices[keep], edges.weights[keep])
        return cls(rows, parents, closure.level, classes)

    @cached_property
    def children(self) -> Adjacency:
        """The same edges downwards."""
        return self.parents.reversed()

    @cached_property
    def branching(self) -> LongArray:
        """br(c): the number of direct subconcepts."""
        if self.classes is not None:
            individuals = len(self.rows) - len(self.classes.rows)
            return freeze(np.concatenate([self.classes.branching, np.zeros(individuals, dtype=np.int64)]))
        return freeze(self.children.degree)

    @property
    def mean_branching(self) -> float:
        """avg: the mean of br over the concepts that have subconcepts."""
        if self.classes is not None:
            return self.classes.mean_branching
        inner = int(np.count_nonzero(self.branching))
        return len(self.parents) / inner if inner else 0.0

    @cached_property
    def depth(self) -> IntArray:
        """Fewest direct edges from a part without parents."""
        tops = np.flatnonzero(self.parents.degree == 0)
        return freeze(distances(self.parents.size, self.parents.indices, self.parents.tails, tops))

    @cached_property
    def up(self) -> IntArray:
        """Beside `rows.tops`: the fewest direct edges upwards."""
        return fewest_edges(self.rows, self.parents, self.level)

    def branching_between(self, rank: LongArray) -> LongArray:
        """Beside `rows.tops`: the children of the concepts strictly between, on a shortest path.

        Of several paths that whose concepts, from the top downwards, come first by `rank`. A path of n edges is that of
        n - 1 edges to the child that comes first, and the edge above it.
        """
        result = np.zeros(len(self.up), dtype=np.int64)
        for upper, lower in self._shortest_steps(rank):
            result[upper] = result[lower] + self.branching[self.rows.tops[lower]]
        return freeze(result)

    def class_between(self, rank: LongArray) -> IntArray:
        """Beside `rows.tops`: the class of an individual on the same path; -1 for classes and the individual itself."""
        rows, first = self.rows, len(self.rows) if self.classes is None else len(self.classes.rows)
        individual = np.repeat(np.arange(len(rows)), rows.width) >= first
        result = np.where(individual & (self.up == 1), rows.tops, -1).astype(np.int32)
        for upper, lower in self._shortest_steps(rank):
            result[upper] = result[lower]
        return freeze(result)

    def _shortest_steps(self, rank: LongArray) -> Iterator[tuple[LongArray, LongArray]]:
        """Entries of rows at 2, 3, ... edges, and those of the child on the shortest path that is first by `rank`."""
        rows, up = self.rows, self.up
        keys = np.repeat(np.arange(len(rows)) * len(rows), rows.width) + rows.tops
        for length in range(2, int(up.max(initial=0)) + 1):
            lower = np.flatnonzero(up == length - 1)
            degree = self.parents.degree[rows.tops[lower]]
            above = self.parents.indices[spans(self.parents.indptr[rows.tops[lower]], degree)]
            lower = np.repeat(lower, degree)
            upper = np.searchsorted(keys, keys[lower] - rows.tops[lower] + above)
            shortest = up[upper] == length
            lower, upper = lower[shortest], upper[shortest]
            order = np.lexsort((rank[rows.tops[lower]], upper))
            order = order[runs(upper[order])]
            yield upper[order], lower[order]

    @cached_property
    def chains(self) -> tuple[FloatArray, float]:
        """n(c) of every part, and n0: the mean length of the chains that contain c, and of all chains.

        With u paths from a root to c of mean length a, and d paths from c to a leaf of mean length b, u d chains
        contain c and n(c) = a + b. The numbers of paths grow beyond all bounds and are kept as logarithms. An
        individual is in no chain: see `chain_length`.
        """
        if self.classes is not None:
            lengths, mean = self.classes.chains
            return freeze(np.concatenate([lengths, np.full(len(self.rows) - len(lengths), np.nan)])), mean
        _, above = self._mean_lengths(self.parents, downwards=True)
        count, below = self._mean_lengths(self.children, downwards=False)
        roots = np.flatnonzero(self.parents.degree == 0)
        share = np.exp(count[roots] - count[roots].max())
        return freeze(above + below), float(np.dot(share, below[roots]) / share.sum())

    def chain_length(self, parts: npt.NDArray[np.integer], via: IntArray | None) -> FloatArray:
        """Of the lower ends of paths n(c), of an individual n of its class on the path + 1."""
        lengths = self.chains[0][parts]
        return lengths if via is None else np.where(via >= 0, self.chains[0][via] + 1.0, lengths)

    def _mean_lengths(self, edges: Adjacency, *, downwards: bool) -> tuple[FloatArray, FloatArray]:
        """For every part the logarithm of the number of paths along `edges` to an end, and their mean length."""
        count, mean = np.zeros(edges.size), np.zeros(edges.size)
        bounds = list(pairwise(level_bounds(self.level).tolist()))
        for low, high in bounds if downwards else bounds[::-1]:
            parts = low + np.flatnonzero(edges.degree[low:high])
            if not len(parts):
                continue
            width = edges.degree[parts]
            following = edges.indices[spans(edges.indptr[parts], width)]
            begin = starts(width)
            most = np.maximum.reduceat(count[following], begin)
            share = np.exp(count[following] - np.repeat(most, width))
            total = np.add.reduceat(share, begin)
            count[parts] = most + np.log(total)
            mean[parts] = np.add.reduceat(share * (mean[following] + 1), begin) / total
        return count, mean

    @cached_property
    def paths(self) -> AncestorPaths:
        """All paths upwards; a path of n edges from c is an edge to a parent and a path of n - 1 edges from there."""
        return _all_paths(self) if self.classes is None else _with_individuals(self, self.classes)


def _all_paths(direct: DirectEdges) -> AncestorPaths:
    """Level by level: the paths of each part are those of its parents, one edge longer, and the edges to them."""
    parents = direct.parents
    number = np.empty(len(parents), dtype=np.int64)  # edges by the upper concept, then the lower one, as in `children`
    number[np.lexsort((parents.tails, parents.indices))] = np.arange(len(parents))
    reach = int(direct.level.max(initial=0)) + 1
    tops = direct.children.tails
    start, count = np.zeros(parents.size, dtype=np.int64), np.zeros(parents.size, dtype=np.int64)
    heap = np.empty((2, 4 * parents.size), dtype=np.int64)  # last edge and length as one number; inner
    used = 0
    for low, high in pairwise(level_bounds(direct.level)[1:].tolist()):
        edges = slice(parents.indptr[low], parents.indptr[high])
        above = parents.indices[edges]
        below = np.repeat(np.arange(low, high), parents.degree[low:high])
        source = spans(start[above], count[above])
        passed = np.repeat(direct.branching[above], count[above])
        owner, key, inner = _two_best(
            np.concatenate([below, np.repeat(below, count[above])]),
            np.concatenate([number[edges] * reach, heap[0, source]]) + 1,
            np.concatenate([np.zeros(len(above), dtype=np.int64), heap[1, source] + passed]),
            tops,
            reach,
        )
        need = used + len(key)
        if need > MAX_PATHS:
            raise HierarchyError(
                f"too many paths to ancestors for BDM: more than {MAX_PATHS:.2g}",
                advice="Select a part of the ontology with {below} or {namespaces}, or use BDM(msca=deepest).",
            )
        if need > heap.shape[1]:
            heap = np.concatenate(
                [heap, np.empty((2, max(need - heap.shape[1], heap.shape[1] // 2)), np.int64)], axis=1
            )
        heap[:, used:need] = key, inner
        count[low:high] = np.bincount(owner - low, minlength=high - low)
        start[low:high] = used + starts(count[low:high])
        used = need
    edge, length = np.divmod(heap[0, :used], reach)
    return _by_ancestor(direct, count, edge, length, heap[1, :used])


def _two_best(
    owner: LongArray, key: LongArray, inner: LongArray, tops: IntArray, reach: int
) -> tuple[LongArray, LongArray, LongArray]:
    """Of each owner's paths to one ancestor in one length the two of the greatest `inner`, by different first steps.

    `key` is the edge below the ancestor times `reach`, and the length. Sorted by owner and ancestor.
    """
    order = np.lexsort((-inner, key, owner))
    order = order[runs(owner[order], key[order])]
    edge, length = np.divmod(key[order], reach)
    top = tops[edge]
    order = order[np.lexsort((edge, -inner[order], length, top, owner[order]))]
    edge, length = np.divmod(key[order], reach)
    first = runs(owner[order], tops[edge], length)
    rank = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    order = order[rank < 2]
    return owner[order], key[order], inner[order]


def _by_ancestor(
    direct: DirectEdges, count: LongArray, edge: LongArray, length: LongArray, inner: LongArray
) -> AncestorPaths:
    """The paths beside the ancestors they lead to, and the empty path from each part to itself."""
    rows, children = direct.rows, direct.children
    owner = np.repeat(np.arange(len(rows)), count)
    empty = np.cumsum(count + 1) - 1  # positions of the empty paths
    position = np.arange(len(edge)) + owner  # behind the empty paths of the parts before
    total = len(edge) + len(rows)
    first, lengths, inners = np.full(total, -1, np.int32), np.zeros(total, np.int32), np.zeros(total, np.int64)
    first[position], lengths[position], inners[position] = children.indices[edge], length, inner
    top = np.empty(total, dtype=np.int64)
    top[position], top[empty] = children.tails[edge], np.arange(len(rows))
    # every ancestor has a path to it, in the order of the rows
    at = np.append(runs(np.repeat(np.arange(len(rows)), count + 1), top), total)
    return AncestorPaths(at, first, lengths, inners)


def _with_individuals(direct: DirectEdges, classes: DirectEdges) -> AncestorPaths:
    """The paths of the classes, and behind them those of individuals: of each of their classes, one edge longer."""
    rows, below, paths = direct.rows, classes.rows, classes.paths
    size = len(below)
    edges = slice(direct.parents.indptr[size], None)
    via, owner = direct.parents.indices[edges], direct.parents.tails[edges]
    begin = paths.at[below.start[via]]
    count = paths.at[below.start[via + 1]] - begin
    source = spans(begin, count)
    via, owner = np.repeat(via, count), np.repeat(owner, count)
    top = below.tops[np.searchsorted(paths.at, source, side="right") - 1]
    length = paths.length[source]
    itself = np.arange(size, len(rows), dtype=np.int32)  # with its empty path
    nothing = np.zeros(len(itself), dtype=np.int64)
    columns: dict[str, list[npt.NDArray[np.integer]]] = {
        "first": [np.where(length == 0, owner, paths.first[source]), nothing - 1],
        "length": [length + 1, nothing],
        "inner": [paths.inner[source] + np.where(length > 0, direct.branching[via], 0), nothing],
        "via": [via, nothing - 1],
    }
    owner, top = np.concatenate([owner, itself]), np.concatenate([top, itself])
    order = np.lexsort((top, owner))
    sorted_columns = {name: np.concatenate(column)[order] for name, column in columns.items()}
    at = runs(owner[order], top[order])  # every ancestor has a path to it, in the order of the rows
    total = len(paths.first)
    return AncestorPaths(
        np.concatenate([paths.at[:-1], total + at, [total + len(order)]]),
        np.concatenate([paths.first, sorted_columns["first"]]).astype(np.int32),
        np.concatenate([paths.length, sorted_columns["length"]]).astype(np.int32),
        np.concatenate([paths.inner, sorted_columns["inner"]]),
        freeze(np.concatenate([np.full(total, -1), sorted_columns["via"]]).astype(np.int32)),
    )
