"""`SharedInstances` of two sides, `Placement` on one; class `TooLargeError` (raised, limits: measures/instances/)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from ontoeval.errors import HierarchyError, MissingInputError
from ontoeval.model.arrays import FloatArray, IntArray, LongArray, freeze
from ontoeval.model.cache import Cached
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.ontology import Ontology

MAX_OVERLAPS = 5e9  # pairs of concepts above an instance, counted as often as they are: some minutes


class TooLargeError(Exception):
    """Counting would take too long or too much memory; the text is the reason of an undefined score."""


@dataclass(frozen=True, eq=False)
class Placement(Cached):
    """Where the shared instances sit in one hierarchy: place k is a set of concepts, and place[i] that of instance i.

    Places are numbered as their sets are sorted; with strict assignments each is a single concept.
    """

    hierarchy: Hierarchy
    indptr: LongArray  # the concepts of place k: concepts[indptr[k]:indptr[k + 1]], ascending
    concepts: IntArray
    place: LongArray

    def __post_init__(self) -> None:
        for array in (self.indptr, self.concepts, self.place):
            freeze(array)

    @classmethod
    def of(cls, hierarchy: Hierarchy, assignment: InstanceAssignment, rows: LongArray) -> Placement:
        """Of some instances of an assignment."""
        all_rows = len(rows) == len(assignment) and bool(np.all(np.diff(rows) == 1))
        strength = assignment.strength if all_rows else assignment.strength[rows]
        indptr, concepts = strength.indptr.astype(np.int64), strength.indices.astype(np.int32)
        if bool(np.all(np.diff(indptr) == 1)):
            is_used = np.zeros(len(hierarchy), dtype=bool)
            is_used[concepts] = True
            used = np.flatnonzero(is_used).astype(np.int32)
            place = (np.cumsum(is_used) - 1)[concepts]
            return cls(hierarchy, np.arange(len(used) + 1, dtype=np.int64), used, place)
        concept_sets = [tuple(concepts[a:b].tolist()) for a, b in pairwise(indptr.tolist())]
        sets = sorted(set(concept_sets))
        number = {concepts: n for n, concepts in enumerate(sets)}
        width = np.array([len(concepts) for concepts in sets], dtype=np.int64)
        return cls(
            hierarchy,
            np.concatenate([[0], np.cumsum(width)]),
            np.array([concept for concepts in sets for concept in concepts], dtype=np.int32),
            np.array([number[concepts] for concepts in concept_sets], dtype=np.int64),
        )

    def __len__(self) -> int:
        """The number of places."""
        return len(self.indptr) - 1

    @property
    def strict(self) -> bool:
        """Every shared instance sits on one concept."""
        return len(self.concepts) == len(self)

    @cached_property
    def forest(self) -> bool:
        """No concept has two parents and nothing is on a cycle, so that a strict place is one path from the root."""
        acyclic = len(self.hierarchy.first) == len(self.hierarchy) + 1
        return self.strict and acyclic and bool(np.all(self.hierarchy.parents.degree <= 1))

    @cached_property
    def count(self) -> FloatArray:
        """Shared instances of each place."""
        return freeze(np.bincount(self.place, minlength=len(self)).astype(np.float64))

    @cached_property
    def members(self) -> csr_array:
        """Places x concepts: 1 where the concept belongs to the place."""
        return csr_array(
            (np.ones(len(self.concepts)), self.concepts.astype(np.int64), self.indptr),
            shape=(len(self), len(self.hierarchy)),
        )

    @cached_property
    def above(self) -> csr_array:
        """Places x concepts: 1 where the place has a concept at or below it: the concepts that it is an example of."""
        used, column = np.unique(self.concepts, return_inverse=True)
        short = csr_array((np.ones(len(column)), column, self.indptr), shape=(len(self), len(used)))
        reached: csr_array = self.members + short @ self.hierarchy.closure.ancestors[used].astype(np.float64)
        reached.data = np.ones(len(reached.data))
        reached.sort_indices()
        return reached


@dataclass(frozen=True, eq=False)
class SharedInstances:
    """I_C ∩ I_R, with their places on both sides; a cell is a pair of places that some instance has."""

    names: tuple[str, ...]  # sorted
    learned: Placement
    gold: Placement
    only_learned: int  # instances that the other side does not have
    only_gold: int

    @classmethod
    def of(cls, learned: Ontology, gold: Ontology) -> SharedInstances:
        """Of two ontologies; none if one of them has no instances."""
        learned_all, gold_all = (o.instances or _no_instances(len(o.hierarchy)) for o in (learned, gold))
        learned_rows, gold_rows = _shared_names(learned_all.iris, gold_all.iris)
        every_learned, shared = len(learned_rows) == len(learned_all), len(learned_rows)
        return cls(
            learned_all.iris if every_learned else tuple(learned_all.iris[row] for row in learned_rows.tolist()),
            Placement.of(learned.hierarchy, learned_all, learned_rows),
            Placement.of(gold.hierarchy, gold_all, gold_rows),
            len(learned_all) - shared,
            len(gold_all) - shared,
        )

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def swapped(self) -> SharedInstances:
        """The two sides exchanged."""
        other = SharedInstances(self.names, self.gold, self.learned, self.only_gold, self.only_learned)
        other.__dict__["swapped"] = self
        return other

    @property
    def strict(self) -> bool:
        """Every shared instance sits on one concept on both sides."""
        return self.learned.strict and self.gold.strict

    @property
    def _key(self) -> LongArray:
        return self.learned.place * max(len(self.gold), 1) + self.gold.place

    @cached_property
    def _cells(self) -> tuple[LongArray, LongArray]:
        keys, count = np.unique(self._key, return_counts=True)
        return keys, count

    @cached_property
    def cell(self) -> LongArray:
        """The cell of each instance."""
        return np.searchsorted(self._cells[0], self._key)

    @property
    def count(self) -> LongArray:
        """Instances of each cell."""
        return self._cells[1]

    @cached_property
    def cell_learned(self) -> LongArray:
        """The learned place of each cell, ascending."""
        return self._cells[0] // max(len(self.gold), 1)

    @cached_property
    def cell_gold(self) -> LongArray:
        """The gold place of each cell, ascending within the learned place."""
        return self._cells[0] % max(len(self.gold), 1)

    @cached_property
    def table(self) -> csr_array:
        """Learned places x gold places: the number of instances."""
        shape = (len(self.learned), len(self.gold))
        return csr_array((self.count.astype(np.float64), (self.cell_learned, self.cell_gold)), shape=shape)

    @cached_property
    def overlap(self) -> csr_array:
        """Learned concepts x gold concepts: the instances at or below both.

        For (u, v): |{i: some learned concept of i is u or below, some gold concept of i is v or below}|.
        """
        if self.overlap_pairs > MAX_OVERLAPS:
            raise HierarchyError(
                f"the hierarchies are too deep to match concepts by instances: {self.overlap_pairs:.2g} pairs of "
                f"concepts to examine; the limit is {MAX_OVERLAPS:.2g}",
                advice="Select a part of them with {below} or {namespaces}.",
            )
        counts: csr_array = self.learned.above.T.tocsr() @ self.table @ self.gold.above
        counts.sort_indices()
        return counts

    @cached_property
    def overlap_pairs(self) -> float:
        """Pairs of concepts above an instance of each cell: the work to compute `overlap`."""
        learned, gold = (np.diff(side.above.indptr).astype(np.float64) for side in (self.learned, self.gold))
        return float(np.sum(learned[self.cell_learned] * gold[self.cell_gold]))


def refuse_without_instances(what: str, learned: Ontology, gold: Ontology) -> None:
    """Refuse what needs instances on both sides."""
    sides = (learned, "{instances=FILE}"), (gold, "{gold_instances=FILE}")
    missing = [(ontology.source.path, parameter) for ontology, parameter in sides if ontology.instances is None]
    if missing:
        paths, parameters = (" and ".join(texts) for texts in zip(*missing, strict=True))
        raise MissingInputError(
            f"{what} needs instances in both ontologies; {paths} {'has' if len(missing) == 1 else 'have'} none",
            advice=f"Set {parameters}.",
        )


def _shared_names(learned: tuple[str, ...], gold: tuple[str, ...]) -> tuple[LongArray, LongArray]:
    """The positions of the names that both have, in the one and in the other."""
    if learned == gold:
        every_row = np.arange(len(learned))
        return every_row, every_row
    gold_row = {name: row for row, name in enumerate(gold)}
    rows = np.fromiter((gold_row.get(name, -1) for name in learned), dtype=np.int64, count=len(learned))
    shared = np.flatnonzero(rows >= 0)
    return shared, rows[shared]


def _no_instances(concepts: int) -> InstanceAssignment:
    return InstanceAssignment((), csr_array((0, concepts), dtype=np.float64))
