"""`PathGraph`: least weight of a path, edges both ways (0 allowed; checked in model/hierarchy.py); `shortest_path`.

Most of an ontology is trees that are joined to a small core by one edge each. Inside a tree there is only one path, so
that just the core has to be searched: of the 82,115 nouns of WordNet 3.0 that is one in fifteen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, dijkstra

from ontoeval.model.arrays import Adjacency, BoolArray, FloatArray, IntArray, LongArray, freeze
from ontoeval.model.digraph import components
from ontoeval.model.hierarchy import Hierarchy

BLOCK = 1 << 26  # bytes that the searches running at the same time may take
PAIRS = 1 << 18  # pairs looked at in one step
PATIENCE = 2  # a search in steps may take this many for each source, up to 64 sources; see `Core.in_steps`

BitRows = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class PathGraph:
    """The undirected weighted graph behind d(a, b).

    Concepts that edges of weight 0 join are one node, because a search must not meet a weight of 0. Lengths inside are
    counted in `unit`: if all other weights are equal, they are numbers of edges, and so are exact.
    """

    edges: Adjacency  # between concepts, each in both directions
    node: IntArray  # of each concept
    links: Adjacency  # between nodes, each in both directions, in units
    unit: float
    trees: Trees
    core: Core

    def __post_init__(self) -> None:
        freeze(self.node)

    @classmethod
    def build(cls, hierarchy: Hierarchy, *, related: bool, through_root: bool) -> PathGraph:
        """Hierarchical and synonym edges, on demand related ones; of parallel edges the lightest counts.

        Without `through_root` an added root has no edges: no path runs through it, and none leads to it.
        """
        kinds = [hierarchy.parents, hierarchy.synonyms, *([hierarchy.related] if related else [])]
        tails = np.concatenate([kind.tails for kind in kinds])
        heads = np.concatenate([kind.indices for kind in kinds])
        weights = np.concatenate([kind.weights for kind in kinds])
        if hierarchy.root_added and not through_root:
            keep = (tails != 0) & (heads != 0)
            tails, heads, weights = tails[keep], heads[keep], weights[keep]
        edges = _undirected_edges(len(hierarchy), tails, heads, weights)
        zero = edges.weights == 0
        count, node = components(len(hierarchy), edges.tails[zero], edges.indices[zero], strong=False)
        tails, heads = node[edges.tails], node[edges.indices]
        between = tails != heads
        links = Adjacency.from_pairs(count, tails[between], heads[between], edges.weights[between])
        equal = not len(links) or bool(links.weights.min() == links.weights.max())
        unit = float(links.weights[0]) if equal and len(links) else 1.0
        links = Adjacency(links.indptr, links.indices, links.weights / unit)
        trees, core = _trees_and_core(links, equal=equal)
        return cls(edges, node, links, unit, trees, core)

    def between(self, left: LongArray, right: LongArray) -> FloatArray:
        """d(left[i], right[i]) for every i; infinite where there is no path."""
        a, b = self.node[left], self.node[right]
        result = self.core.between(self.trees.anchor[a], self.trees.anchor[b])
        result += self.trees.height[a] + self.trees.height[b]
        near = np.flatnonzero(self.trees.anchor[a] == self.trees.anchor[b])
        for start in range(0, len(near), PAIRS):
            some = near[start : start + PAIRS]
            result[some] = self.trees.between(a[some], b[some])
        result *= self.unit
        return result

    def matrix(self, rows: LongArray, columns: LongArray) -> FloatArray:
        """d(rows[i], columns[j]) for every i and j; infinite where there is no path."""
        a, b = self.node[rows], self.node[columns]
        tops, row = np.unique(self.trees.anchor[a], return_inverse=True)
        others, column = np.unique(self.trees.anchor[b], return_inverse=True)
        result = self.core.matrix(tops, others)[np.ix_(row, column)]
        result += self.trees.height[a][:, None]
        result += self.trees.height[b]
        rows_at_once = max(1, PAIRS // max(1, len(b)))
        for start in range(0, len(a), rows_at_once):
            stop = start + rows_at_once
            i, j = np.nonzero(self.trees.anchor[a[start:stop], None] == self.trees.anchor[b])
            result[start + i, j] = self.trees.between(a[start + i], b[j])
        result *= self.unit
        return result

    def shortest_path(self, left: int, right: int) -> tuple[int, ...]:
        """The concepts on one shortest path, both ends included; of equal ones one of the fewest edges; () if none.

        From `right` to `left` it is the same path backwards.
        """
        start, stop = min(left, right), max(left, right)
        far: FloatArray = dijkstra(_csr(self.links), indices=self.node[[start]])[0, self.node]
        if not np.isfinite(far[stop]):
            return ()
        # An edge that adds just its weight is on a shortest path, and every walk over such edges is one. A search by
        # number of edges finds a walk that visits no node twice, also among edges of weight 0.
        tails, heads = self.edges.tails, self.edges.indices
        tight = (far[tails] + self.edges.weights / self.unit == far[heads]) & np.isfinite(far[heads])
        size = len(self.node)
        graph = csr_array((np.ones(int(tight.sum()), dtype=np.int8), (tails[tight], heads[tight])), shape=(size, size))
        previous = breadth_first_order(graph, start, directed=True)[1]
        path = [stop]
        while path[-1] != start:
            path.append(int(previous[path[-1]]))
        return tuple(path if stop == left else path[::-1])


@dataclass(frozen=True, eq=False)
class Trees:
    """The trees that are joined to the core: from each node the one path up to its anchor in the core."""

    lifts: tuple[tuple[IntArray, FloatArray], ...]  # where 1, 2, 4, ... edges up lead, and their total weight
    level: IntArray  # edges up to the anchor
    anchor: IntArray  # as numbered by the core

    def __post_init__(self) -> None:
        for array in (self.level, self.anchor, *(array for lift in self.lifts for array in lift)):
            freeze(array)

    @property
    def height(self) -> FloatArray:
        """The length of the path up to the anchor."""
        return self.lifts[-1][1]

    def between(self, left: npt.NDArray[Any], right: npt.NDArray[Any]) -> FloatArray:
        """The lengths between nodes of the same anchor: up to where both paths meet.

        Lengths are added and never subtracted, so that no digits are lost.
        """
        swap = self.level[left] < self.level[right]
        low, high = np.where(swap, right, left), np.where(swap, left, right)
        result = np.zeros(len(low))
        ahead = self.level[low] - self.level[high]
        for k, (up, weight) in enumerate(self.lifts):
            move = np.flatnonzero(ahead >> k & 1)
            result[move] += weight[low[move]]
            low[move] = up[low[move]]
        for up, weight in reversed(self.lifts):
            move = np.flatnonzero(up[low] != up[high])
            result[move] += weight[low[move]] + weight[high[move]]
            low[move], high[move] = up[low[move]], up[high[move]]
        up, weight = self.lifts[0]
        move = np.flatnonzero(low != high)
        result[move] += weight[low[move]] + weight[high[move]]
        return result


@dataclass(frozen=True, eq=False)
class Core:
    """The part of the graph that has to be searched: all nodes on cycles of edges, and the paths between these."""

    links: Adjacency
    equal: bool  # all weights are 1
    radius: int  # edges from the first node of a part to its farthest; a shortest path has at most twice as many

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """The length of each pair; searched from the side that has fewer different nodes."""
        result = np.where(left == right, 0.0, np.inf)
        pairs = np.flatnonzero(left != right)
        sources, source = np.unique(left[pairs], return_inverse=True)
        others, other = np.unique(right[pairs], return_inverse=True)
        target = right[pairs]
        if len(others) < len(sources):
            sources, source, target = others, other, left[pairs]
        order = np.argsort(source, kind="stable")
        pairs, source, target = pairs[order], source[order], target[order]
        in_steps = self.in_steps(len(sources))
        width = self._width(in_steps)
        for start in range(0, len(sources), width):
            some = sources[start : start + width]
            part = slice(*np.searchsorted(source, [start, start + width]))
            if in_steps:
                result[pairs[part]] = self._pairs_in_steps(some, source[part] - start, target[part])
            else:
                result[pairs[part]] = dijkstra(self._csr, indices=some)[source[part] - start, target[part]]
        return result

    def matrix(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The lengths between different rows and different columns."""
        if len(columns) < len(rows):
            return self.matrix(columns, rows).T
        result = np.full((len(rows), len(columns)), np.inf)
        in_steps = self.in_steps(len(rows))
        width = self._width(in_steps)
        for start in range(0, len(rows), width):
            some = rows[start : start + width]
            if in_steps:
                self._rows_in_steps(some, columns, result[start : start + width])
            else:
                result[start : start + width] = dijkstra(self._csr, indices=some)[:, columns]
        return result

    def in_steps(self, sources: int) -> bool:
        """Whether to search from all sources at once, edge by edge, rather than from each alone (Dijkstra).

        A step costs about as much for 64 sources as for one, and there are as many steps as edges on the longest
        shortest path: on a long and thin graph Dijkstra is faster.
        """
        return self.equal and self.radius <= PATIENCE * min(64, sources)

    @cached_property
    def _csr(self) -> csr_array:
        return _csr(self.links)

    def _width(self, in_steps: bool) -> int:
        """The number of sources of one block."""
        if in_steps:
            return 64 * max(1, BLOCK // (8 * (len(self.links) + 3 * self.links.size)))
        return max(1, BLOCK // (8 * self.links.size))

    def _steps(self, sources: IntArray) -> Iterator[BitRows]:
        """After 0, 1, 2, ... steps: what is reached for the first time, a row for each node and a bit for each source.

        One step is the union over the neighbours. `sources` are different.
        """
        place = np.arange(len(sources))
        front = np.zeros((self.links.size, -(-len(sources) // 64)), dtype="<u8")
        front[sources, place >> 6] = np.uint64(1) << (place & 63).astype(np.uint64)
        yield front
        linked = np.flatnonzero(self.links.degree)  # reduceat cannot have empty rows
        unseen = ~front
        neighbours = np.empty((len(self.links), front.shape[1]), dtype=front.dtype)
        while len(linked):
            np.take(front, self.links.indices, axis=0, out=neighbours, mode="clip")  # unchecked: several times as fast
            reached = np.bitwise_or.reduceat(neighbours, self.links.indptr[linked], axis=0)
            front = np.zeros_like(front)
            front[linked] = reached
            front &= unseen
            if not front.any():
                return
            unseen ^= front
            yield front

    def _pairs_in_steps(self, sources: IntArray, source: LongArray, target: IntArray) -> FloatArray:
        result = np.full(len(source), np.inf)
        word, bit = source >> 6, (source & 63).astype(np.uint64)
        waiting = np.arange(len(source))
        for step, front in enumerate(self._steps(sources)):
            reached = (front[target[waiting], word[waiting]] >> bit[waiting] & np.uint64(1)).astype(bool)
            result[waiting[reached]] = step
            waiting = waiting[~reached]
            if not len(waiting):
                break
        return result

    def _rows_in_steps(self, sources: IntArray, targets: IntArray, result: FloatArray) -> None:
        missing = result.size
        for step, front in enumerate(self._steps(sources)):
            octets = np.ascontiguousarray(front[targets]).view(np.uint8)
            reached: BoolArray = np.unpackbits(octets, axis=1, count=len(sources), bitorder="little").view(bool)
            result[reached.T] = step
            missing -= int(reached.sum())
            if not missing:
                break


def _undirected_edges(size: int, tails: IntArray, heads: IntArray, weights: FloatArray) -> Adjacency:
    return Adjacency.from_pairs(
        size, np.concatenate([tails, heads]), np.concatenate([heads, tails]), np.concatenate([weights, weights])
    )


def _csr(links: Adjacency) -> csr_array:
    return csr_array((links.weights, links.indices, links.indptr.astype(np.int32)), shape=(links.size, links.size))


def _trees_and_core(links: Adjacency, *, equal: bool) -> tuple[Trees, Core]:
    """Divide a graph into its core and the trees that are joined to it.

    In a tree of shortest paths from one node of each part, the core is all that lies above an edge that the tree does
    not use, and that one node.
    """
    tails, heads = links.tails, links.indices
    up = _spanning_tree(links)
    nodes = np.arange(links.size, dtype=np.int32)
    inner = up == nodes
    depth = (~inner).astype(np.float64)
    inner[tails[(up[tails] != heads) & (up[heads] != tails)]] = True
    for above, steps in _by_doubling(up, depth):
        inner[above[inner]] = True
        depth = steps
    upwards = (up[tails] == heads) & ~inner[tails]
    weight = np.zeros(links.size)
    weight[tails[upwards]] = links.weights[upwards]
    lifts = tuple(_by_doubling(np.where(inner, nodes, up), weight))
    anchor = lifts[-1][0]
    number = np.cumsum(inner, dtype=np.int32) - 1
    both = inner[tails] & inner[heads]
    core = Adjacency.from_pairs(int(inner.sum()), number[tails[both]], number[heads[both]], links.weights[both])
    trees = Trees(lifts, (depth - depth[anchor]).astype(np.int32), number[anchor])
    return trees, Core(core, equal, int(depth[inner].max(initial=0)))


def _spanning_tree(links: Adjacency) -> IntArray:
    """In each part of the graph a tree of fewest edges from its first node: the node above, at the top itself."""
    size = links.size
    tops = np.unique(components(size, links.tails, links.indices, strong=False)[1], return_index=True)[1]
    # one node beyond all tops makes it a single search
    indices = np.concatenate([links.indices, tops.astype(np.int32)])
    indptr = np.concatenate([links.indptr, [len(indices)]]).astype(np.int32)
    graph = csr_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=(size + 1, size + 1))
    above: IntArray = breadth_first_order(graph, size, directed=True)[1][:size].astype(np.int32)
    above[tops] = tops
    return above


def _by_doubling(up: IntArray, weight: FloatArray) -> Iterator[tuple[IntArray, FloatArray]]:
    """Where 1, 2, 4, ... steps up lead and what they weigh in total; the last lead to the top, where `up` is itself."""
    while True:
        yield up, weight
        above = up[up]
        if np.array_equal(above, up):
            return
        weight = weight + weight[up]
        up = above
