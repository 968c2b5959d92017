"""`IndividualPaths`: path lengths where the last concepts are individuals; paths may end there, not lead through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ontoeval.concepts.path_lengths import PathGraph
from ontoeval.model.arrays import Adjacency, BoolArray, FloatArray, LongArray, spans, starts

TYPE_LENGTH = 1.0  # of the edge from an individual to its class, whatever an edge between classes weighs


@dataclass(frozen=True, eq=False)
class IndividualPaths:
    """d(i, b) = 1 + the least d(t, b) over the classes t of i; so that two classes have the path that they had."""

    graph: PathGraph  # of the classes
    parents: Adjacency  # of classes and, behind them, of individuals
    individuals: int

    def between(self, left: LongArray, right: LongArray) -> FloatArray:
        """d(left[i], right[i]) for every i; infinite where there is no path."""
        (lefts, left_count), (rights, right_count) = self._classes(left), self._classes(right)
        count = left_count * right_count
        pair = np.repeat(np.arange(len(left)), count)
        within = np.arange(len(pair)) - np.repeat(starts(count), count)
        lengths = self.graph.between(
            lefts[starts(left_count)[pair] + within // right_count[pair]],
            rights[starts(right_count)[pair] + within % right_count[pair]],
        )
        least = np.minimum.reduceat(lengths, starts(count))
        result: FloatArray = least + TYPE_LENGTH * (self._is_individual(left) * 1.0 + self._is_individual(right))
        result[left == right] = 0.0
        return result

    def matrix(self, rows: LongArray, columns: LongArray) -> FloatArray:
        """d(rows[i], columns[j]) for every i and j; infinite where there is no path."""
        (lefts, left_count), (rights, right_count) = self._classes(rows), self._classes(columns)
        lower, row = np.unique(lefts, return_inverse=True)  # many individuals have the same classes
        upper, column = np.unique(rights, return_inverse=True)
        lengths = self.graph.matrix(lower, upper)
        lengths = np.minimum.reduceat(lengths[row], starts(left_count), axis=0)
        lengths = np.minimum.reduceat(lengths[:, column], starts(right_count), axis=1)
        lengths = lengths + TYPE_LENGTH * self._is_individual(rows)[:, None]
        lengths += TYPE_LENGTH * self._is_individual(columns)
        lengths[rows[:, None] == columns] = 0.0
        return lengths

    def shortest_path(self, left: int, right: int) -> tuple[int, ...]:
        """The concepts on one shortest path, both ends included; () if there is none; backwards the same path."""
        if left == right:
            return (left,)
        start, stop = min(left, right), max(left, right)
        (lefts, _), (rights, _) = self._classes(np.array([start])), self._classes(np.array([stop]))
        lengths = self.graph.matrix(np.unique(lefts), np.unique(rights))
        row, column = np.unravel_index(int(lengths.argmin()), lengths.shape)
        between = self.graph.shortest_path(int(np.unique(lefts)[row]), int(np.unique(rights)[column]))
        if not between:
            return ()
        ends = self._is_individual(np.array([start, stop])).tolist()
        path = (*([start] if ends[0] else []), *between, *([stop] if ends[1] else []))
        return path if start == left else path[::-1]

    def _is_individual(self, concepts: LongArray) -> BoolArray:
        return concepts >= self.parents.size - self.individuals

    def _classes(self, concepts: LongArray) -> tuple[LongArray, LongArray]:
        """The classes of all individuals one after the other, a class itself in its place, and how many each has."""
        individual = self._is_individual(concepts)
        count = np.where(individual, self.parents.degree[concepts], 1)
        result = np.repeat(concepts.astype(np.int64), count)
        result[np.repeat(individual, count)] = self.parents.indices[
            spans(self.parents.indptr[concepts[individual]], count[individual])
        ]
        return result, count
