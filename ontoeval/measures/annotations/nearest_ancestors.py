"""Measures LCAP, LCAR, LCAF of label sets: which ancestor, ties, paths (averages, 0/0: _document_averages.py)."""

from __future__ import annotations

from functools import partial

import numpy as np

from ontoeval.concepts.pairs import PairList
from ontoeval.concepts.space import Space
from ontoeval.measures.annotations._document_averages import Shares, both_empty, counts_of, f_measure
from ontoeval.measures.annotations._label_sets import LabelPairs, LabelTable, document_blocks
from ontoeval.measures.registry import UnmetNeedError, measure
from ontoeval.model.arrays import IntArray, LongArray, runs, search, spans
from ontoeval.results import Score
from ontoeval.tasks.extraction import Extraction

_NONE = -1


class _JoinedLabels:
    """For each document the labels of both sides with the paths up to their nearest common ancestors.

    A node is a part of the hierarchy: a concept, or all the members of a cycle.
    """

    def __init__(self, task: Extraction) -> None:
        if task.ontology is None:
            raise UnmetNeedError("needs an ontology with the ancestors of labels", advice="Set {ontology}.")
        self.labels = labels = LabelTable.of(task)
        self.space = Space.of(task.ontology)
        known = labels.concept >= 0
        self.part: LongArray = np.full(len(known), _NONE, dtype=np.int64)  # of each label
        self.part[known] = self.space.closure.part[labels.concept[known]]
        self.counts = counts_of(labels)
        self.precision, self.recall = self._shares()

    @classmethod
    def of(cls, task: Extraction) -> _JoinedLabels:
        return task.cached(cls, lambda: cls(task))

    def _shares(self) -> tuple[Shares, Shares]:
        """The common nodes over the assigned, and over the true ones."""
        labels, width = self.labels, len(self.space.rows)
        sides = labels.true, labels.assigned
        nodes = [[_node_codes(side.document, self.part[side.label], width)] for side in sides]
        for low, high in document_blocks(*sides):
            pairs = LabelPairs.of(*sides, low, high)
            row, column, top = self._joints(pairs)
            document = labels.true.document[row]
            for codes, side, positions in zip(nodes, sides, (row, column), strict=True):
                path, part = _shortest_paths(self.space, self.part[side.label[positions]], top)
                codes.append(np.unique(_node_codes(document[path], part, width)))
        true, assigned = (np.unique(np.concatenate(codes)) for codes in nodes)
        common = np.intersect1d(true, assigned, assume_unique=True)
        sizes = [
            np.bincount(side_nodes // width, minlength=labels.size).astype(np.float64)
            for side_nodes in (assigned, true, common)
        ]
        empty = both_empty(labels)
        return (
            Shares(sizes[2], sizes[0] + labels.unknown(labels.assigned), empty),
            Shares(sizes[2], sizes[1] + labels.unknown(labels.true), empty),
        )

    def _joints(self, pairs: LabelPairs) -> tuple[LongArray, LongArray, LongArray]:
        """(true label, assigned label, the common ancestor that joins them): what any of the labels chose."""
        true, assigned = self.labels.true, self.labels.assigned
        left, right = true.label[pairs.row], assigned.label[pairs.column]
        known = (self.part[left] >= 0) & (self.part[right] >= 0)
        row, column, left, right = pairs.row[known], pairs.column[known], left[known], right[known]
        width = np.int64(len(self.space.rows))
        keys, inverse = np.unique(self.part[left] * width + self.part[right], return_inverse=True)
        tops, edges = (values[inverse] for values in _nearest(self.space, keys // width, keys % width))
        joined = np.flatnonzero(tops >= 0)
        depth, rank = self.space.closure.part_depth[tops[joined]], self.space.rank[tops[joined]]
        nearest = [
            joined[_first(label[joined], edges[joined], -depth, rank, other[joined])]
            for label, other in ((row, right), (column, left))
        ]
        some = np.unique(np.concatenate(nearest))
        return row[some], column[some], tops[some]


def _node_codes(document: LongArray, part: LongArray, width: int) -> LongArray:
    """(document, known part) as one number."""
    known = part >= 0
    return document[known] * np.int64(width) + part[known]


def _first(group: LongArray, *order: LongArray | IntArray) -> LongArray:
    """The position of the first member of each group, in the order given; none is left out."""
    places = np.lexsort((*order[::-1], group))
    return places[runs(group[places])]


def _nearest(space: Space, left: LongArray, right: LongArray) -> tuple[LongArray, LongArray]:
    """For pairs of parts the nearest common ancestor and the edges from both up to it; -1: there is none.

    Of several that are equally near the deepest, and of these the first by IRI.
    """
    rows, first = space.rows, space.closure.first
    tops, edges = (np.full(len(left), _NONE, dtype=np.int64) for _ in range(2))
    for common in PairList(space, first[left], first[right]).common():
        top = rows.tops[common.left].astype(np.int64)
        up = space.up[common.left].astype(np.int64) + space.up[common.right]
        best = _first(common.pair, up, -space.closure.part_depth[top], space.rank[top])
        pair = common.pairs[common.pair[best]]
        tops[pair], edges[pair] = top[best], up[best]
    return tops, edges


def _shortest_paths(space: Space, low: LongArray, high: LongArray) -> tuple[LongArray, LongArray]:
    """(path, part) of one shortest path from each low part up to the high one, both ends included.

    Of several that whose parts, from the low one upwards, come first by IRI.
    """
    parents = space.closure.parents
    path = np.arange(len(low))
    paths, parts = [path], [low]
    left = _edges(space, low, high)
    while True:
        open_ = np.flatnonzero(left > 0)
        path, low, high, left = path[open_], low[open_], high[open_], left[open_] - 1
        if not len(path):
            return np.concatenate(paths), np.concatenate(parts)
        degree = parents.degree[low]
        above = parents.indices[spans(parents.indptr[low], degree)].astype(np.int64)
        step = np.repeat(np.arange(len(low)), degree)
        shorter = np.flatnonzero(_edges(space, above, high[step]) == left[step])
        low = above[shorter[_first(step[shorter], space.rank[above[shorter]])]]
        paths.append(path)
        parts.append(low)


def _edges(space: Space, low: LongArray, high: LongArray) -> LongArray:
    """The fewest edges from parts up to others; -1: the other is no ancestor."""
    rows, width = space.rows, np.int64(len(space.rows))
    parts, place = np.unique(low, return_inverse=True)
    entries = rows.positions(parts)
    keys = np.repeat(np.arange(len(parts)), rows.width[parts]) * width + rows.tops[entries]
    where, exists = search(keys, place * width + high)
    result: LongArray = np.full(len(low), _NONE, dtype=np.int64)
    result[exists] = space.up[entries[where[exists]]]
    return result


_lca_measure = partial(measure, dimension="labelling", source="Kosmopoulos et al. 2015", needs=("an ontology",))


@_lca_measure("LCAP")
def nearest_ancestor_precision(task: Extraction) -> Score:
    """Precision of the assigned labels and their paths to common ancestors with the true ones.

    LCAP = |A ∩ B| / |A|, the mean over documents. Every label, assigned or true, chooses the nearest label of the other
    side and their common ancestor m: fewest edges up from both to m; of several the deepest m (fewest edges from the
    root), then the first m and then the first label by IRI. For each chosen pair one shortest way from the assigned
    label up to m goes into A, and one from the true label into B, ends included; of several ways that whose concepts
    come first by IRI, from the label upwards. All labels are in A or B. The root counts as any concept, an added one,
    too. A label that has no common ancestor with the other side stands alone, one that is not in the ontology is an
    element that matches nothing. The members of a cycle are one concept. Labels count once. Both sets empty: 1, one: 0.

    The paper goes on to remove nodes that are not needed to join every label to a common ancestor. Here each label
    decides by itself, as above, and nothing is removed afterwards, neither an ancestor that another could replace nor a
    label above another one. HEMKit's example comes out, but it comes out under other readings, too, and does not tell
    them apart: with other labels HEMKit's values can differ.
    """
    joined = _JoinedLabels.of(task)
    return joined.precision.score("macro", joined.counts)


@_lca_measure("LCAR")
def nearest_ancestor_recall(task: Extraction) -> Score:
    """Recall of the true labels and their paths to common ancestors with the assigned ones.

    LCAR = |A ∩ B| / |B|, the mean over documents; A, B and all else as for LCAP.
    """
    joined = _JoinedLabels.of(task)
    return joined.recall.score("macro", joined.counts)


@_lca_measure("LCAF", symmetric=True)
def nearest_ancestor_f(task: Extraction) -> Score:
    """Harmonic mean of LCAP and LCAR.

    The mean over documents of 2 P R / (P + R), P and R as LCAP and LCAR have them; 0 of 0 and 0.
    """
    joined = _JoinedLabels.of(task)
    return f_measure(joined.precision, joined.recall, "macro", joined.counts)
