"""Kernel of Place*: common parents of common concepts on both sides, and the best one-to-one pairing of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import linear_sum_assignment

from ontoeval.edit.edges import restrict_edges
from ontoeval.measures.similarity_parameter import Similarity, UndefinedSimilarityError
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray, starts
from ontoeval.model.hierarchy import EdgeTable, Hierarchy
from ontoeval.tasks.comparison import Comparison

Parents = Literal["common", "direct"]
_MOST_PAIRS = 50_000_000  # of a learned and a gold parent of one concept


@dataclass(frozen=True, eq=False)
class ParentSets:
    """The sets A (learned, as gold ids, -1 without a partner) and B (gold) of the common concepts, as rows."""

    learned: LongArray  # the common concepts, added roots left out
    gold: LongArray
    a: LongArray  # the sets A, one after the other
    b: LongArray
    a_start: LongArray  # A of concept k is a[a_start[k] : a_start[k + 1]]
    b_start: LongArray
    a_learned: LongArray  # beside `a`: the learned ids

    @property
    def a_size(self) -> LongArray:
        return np.diff(self.a_start)

    @property
    def b_size(self) -> LongArray:
        return np.diff(self.b_start)

    def credit(self, similarity: Similarity) -> FloatArray:
        """w: of each concept the greatest sum of Sim(a, b) over one-to-one pairings of A with B."""
        result = np.zeros(len(self.learned))
        known = np.flatnonzero(self.a >= 0)  # a parent without a partner is like none of B
        concept = np.repeat(np.arange(len(self.learned)), self.a_size)[known]
        width = self.b_size[concept]
        if int(width.sum()) > _MOST_PAIRS:
            raise UndefinedSimilarityError(
                f"too many pairs of parents: {int(width.sum()):,}; the limit is {_MOST_PAIRS:,}"
            )
        owner = np.repeat(concept, width)
        within = np.arange(len(owner)) - np.repeat(starts(width), width)
        left, right = np.repeat(self.a[known], width), self.b[np.repeat(self.b_start[concept], width) + within]
        size = len(similarity.ontology.hierarchy)
        codes, place = np.unique(left * size + right, return_inverse=True)
        values = similarity.of_pairs(codes // size, codes % size)[place]
        np.maximum.at(result, owner, values)  # right where one of the two sets has one member
        rows = np.bincount(concept, minlength=len(result))
        first = np.searchsorted(owner, np.arange(len(result)))
        for k in np.flatnonzero((rows > 1) & (self.b_size > 1)).tolist():
            columns = int(self.b_size[k])
            table = values[first[k] : first[k] + rows[k] * columns].reshape(rows[k], columns)
            result[k] = table[linear_sum_assignment(table, maximize=True)].sum()
        return result

    def pairing(self, k: int, similarity: Similarity) -> list[tuple[int | None, int | None, float]]:
        """(learned parent, gold parent, Sim) of the best pairing; None beside a parent that stays alone."""
        a, b = self.a[self.a_start[k] : self.a_start[k + 1]], self.b[self.b_start[k] : self.b_start[k + 1]]
        own = self.a_learned[self.a_start[k] : self.a_start[k + 1]].tolist()
        table = np.zeros((len(a), len(b)))
        known = np.flatnonzero(a >= 0)
        if len(known) and len(b):
            table[known] = similarity.grid(a[known], b)
        rows, columns = (ends.tolist() for ends in linear_sum_assignment(table, maximize=True))
        pairs = [(r, c) for r, c in zip(rows, columns, strict=True) if a[r] >= 0]
        paired_rows, paired_columns = {r for r, _ in pairs}, {c for _, c in pairs}
        result: list[tuple[int | None, int | None, float]] = [(own[r], int(b[c]), float(table[r, c])) for r, c in pairs]
        result += [(own[r], None, 0.0) for r in range(len(a)) if r not in paired_rows]
        return result + [(None, int(b[c]), 0.0) for c in range(len(b)) if c not in paired_columns]


def parent_sets(task: Comparison, parents: Parents) -> ParentSets:
    """The parents of the common concepts on both sides, made once."""
    return task.cached(("parent sets", parents), lambda: _parent_sets(task, parents))


def _parent_sets(task: Comparison, parents: Parents) -> ParentSets:
    real = task.common[0] >= int(task.learned.hierarchy.root_added)  # an added root matches an added root alone
    learned, gold = (side[real].astype(np.int64) for side in task.common)
    child, parent = _upwards(task.learned.hierarchy, learned, parents)
    gold_child, gold_parent = _upwards(task.gold.hierarchy, gold, parents)
    order = np.argsort(_positions(gold, len(task.gold.hierarchy))[gold_child], kind="stable")
    return ParentSets(
        learned,
        gold,
        task.matching.to_gold[parent].astype(np.int64),
        gold_parent[order],
        _bounds(_positions(learned, len(task.learned.hierarchy))[child], len(learned)),
        _bounds(_positions(gold, len(task.gold.hierarchy))[gold_child], len(gold)),
        parent,
    )


def _upwards(hierarchy: Hierarchy, common: LongArray, parents: Parents) -> tuple[LongArray, LongArray]:
    """(common concept, parent) by the concept: common parents up(c, O), or direct ones.

    up(c, O): the common a != c such that a path of the file's edges leads from c up to a and no inner concept of it is
    common.
    """
    keep = np.zeros(len(hierarchy), dtype=bool)
    keep[common] = True
    edges = EdgeTable.make(*hierarchy.stated_edges)
    if parents == "common":
        edges = restrict_edges(len(hierarchy), edges, keep, 1.0)
    return _distinct(edges, keep, len(hierarchy))


def _distinct(edges: EdgeTable, keep: BoolArray, size: int) -> tuple[LongArray, LongArray]:
    codes = np.unique(edges.tails * size + edges.heads)
    codes = codes[keep[codes // size]]
    return codes // size, codes % size


def _positions(concepts: LongArray, size: int) -> LongArray:
    """Of each of some concepts its place among them; of other ones anything."""
    place = np.empty(size, dtype=np.int64)
    place[concepts] = np.arange(len(concepts))
    return place


def _bounds(owner: LongArray, count: int) -> LongArray:
    return np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=count))])
