"""Triples of both sides in the numbers of the gold standard, and the credit of each: exact, or by similar ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from ontoeval.edit.individuals import populate
from ontoeval.matching.properties import SharedProperties
from ontoeval.measures.registry import Measure
from ontoeval.measures.similarity_parameter import Similarity, SimilarityFunction
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray, freeze, row_codes
from ontoeval.model.instances import joined_names
from ontoeval.model.ontology import Ontology
from ontoeval.model.relations import Relations, distinct_rows
from ontoeval.tasks.comparison import Comparison

MOST_PAIRS = 60_000_000  # of a learned and a gold triple of one property: half a gigabyte of similarities
_BLOCK = 1 << 21  # similarities computed at a time


class TooLargeError(Exception):
    """A property has too many triples for the best assignment."""

    def __init__(self, iri: str, learned: int, gold: int) -> None:
        self.iri, self.learned, self.gold = iri, learned, gold


@dataclass(frozen=True, eq=False)
class Triples:
    """Some triples of one side: its own ends, the shared property, and the ends in numbers of the gold standard."""

    concepts: int  # on this side; greater ends are individuals and properties
    subjects: LongArray
    properties: LongArray
    objects: LongArray
    gold_subjects: LongArray  # -1: not matched
    gold_objects: LongArray
    subject_matched: BoolArray
    property_matched: BoolArray
    object_matched: BoolArray

    def __post_init__(self) -> None:
        for array in self._columns:
            freeze(array)

    @property
    def _columns(self) -> tuple[Any, ...]:
        own = (self.subjects, self.properties, self.objects)
        matched = (self.subject_matched, self.property_matched, self.object_matched)
        return (*own, self.gold_subjects, self.gold_objects, *matched)

    @property
    def ends_matched(self) -> BoolArray:
        """Both ends are."""
        return self.subject_matched & self.object_matched

    @property
    def common(self) -> BoolArray:
        """Both ends and the property are matched."""
        return self.ends_matched & self.property_matched

    def __len__(self) -> int:
        return len(self.properties)

    def __getitem__(self, rows: BoolArray | slice) -> Triples:
        return Triples(self.concepts, *(column[rows] for column in self._columns))


@dataclass(frozen=True, eq=False)
class Credit:
    """The triples of one side that count, and the credit of each: the similarity to its partner, 0 without one."""

    triples: Triples
    values: FloatArray
    units: LongArray  # a number for each that it has in common with its partner on the other side
    left_out: Triples  # those of the kind that do not count, because an end or the property is not matched


def relation_credits(
    task: Comparison, over: str, kind: str, similarity: Measure | SimilarityFunction
) -> tuple[Credit, Credit]:
    """Of the learned and of the gold triples; TooLargeError where the best assignment is out of reach."""
    key = "credits of relations", over, kind, similarity
    return task.cached(key, lambda: _credits(task, over, kind, similarity))


def _credits(task: Comparison, over: str, kind: str, similarity: Measure | SimilarityFunction) -> tuple[Credit, Credit]:
    sides = []
    wanted = task.properties.find(kind)
    for triples in task.cached("relation triples", lambda: _both_sides(task)):
        of_kind = np.isin(triples.properties, wanted)
        counted = of_kind & triples.common if over == "common" else of_kind
        sides.append((triples[counted], triples[of_kind & ~counted]))
    (learned, learned_out), (gold, gold_out) = sides
    exact = isinstance(similarity, Measure) and str(similarity) == "Flat"
    one, other, credit = _equal(learned, gold) if exact else _assign(task, learned, gold, similarity)
    values = np.zeros(len(learned)), np.zeros(len(gold))
    values[0][one] = values[1][other] = credit
    units = len(gold) + np.arange(len(learned))  # gold triples come first
    units[one] = other
    return (
        Credit(learned, freeze(values[0]), freeze(units), learned_out),
        Credit(gold, freeze(values[1]), freeze(np.arange(len(gold))), gold_out),
    )


def unit_names(task: Comparison, learned: Credit, gold: Credit) -> list[tuple[str, ...]]:
    """Of all units by number: property and ends as their side calls them.

    The ends are sorted: which is the subject may depend on what the learned side says about the property.
    """
    names = []
    sides = ("gold", task.gold, gold.triples), ("learned", task.learned, learned.triples)
    for side, ontology, triples in sides:
        iris, properties = ontology.all_relations.ends(ontology.hierarchy), task.properties.iris
        columns = (column.tolist() for column in (triples.subjects, triples.properties, triples.objects))
        names += [(side, properties[p], *sorted((iris[s], iris[o]))) for s, p, o in zip(*columns, strict=True)]
    return names


# triples of both sides


def _both_sides(task: Comparison) -> tuple[Triples, Triples]:
    shared = task.properties
    learned, gold = task.learned.all_relations, task.gold.all_relations
    individuals = _shared_individuals(task)
    size, after = gold.concepts, gold.concepts + len(individuals.gold)

    def renumber(side: Relations, concepts: LongArray, properties: LongArray) -> LongArray:
        """Ends of a side in numbers of the gold standard."""
        places = [individuals.place(name, -1 - size) for name in side.individuals]
        return np.concatenate(
            [concepts, size + np.array(places, dtype=np.int64), np.where(properties >= 0, after + properties, -1)]
        )

    matching = shared.matching
    learned_ends = renumber(learned, task.matching.to_gold.astype(np.int64), matching.to_gold.astype(np.int64))
    gold_ends = renumber(gold, np.arange(gold.concepts), np.arange(len(gold.properties)))
    in_both = np.array([individuals.is_learned(name) for name in gold.individuals], dtype=bool)
    matched = np.concatenate([task.matching.to_learned >= 0, in_both, matching.to_learned >= 0])
    one = [_one_of_same(side, individuals) for side in (learned, gold)]
    return (
        _side(learned, shared.learned, shared.learned_turned, shared, one[0], learned_ends, learned_ends >= 0),
        _side(gold, shared.gold, shared.gold_turned, shared, one[1], gold_ends, matched),
    )


@dataclass(frozen=True, eq=False)
class _SharedIndividuals:
    """The individuals of both sides by IRI; those that owl:sameAs joins, on either side, are one."""

    least: Mapping[str, str]  # IRI -> the least IRI of the individual, if it has several
    learned: frozenset[str]  # an IRI for each individual: `name`
    gold: Mapping[str, int]  # the same -> its number
    iris: Mapping[str, Sequence[str]]  # by number: what the gold standard calls it -> all its IRIs

    def name(self, iri: str) -> str:
        """The IRI that stands for an individual."""
        return self.least.get(iri, iri)

    def place(self, iri: str, missing: int) -> int:
        return self.gold.get(self.name(iri), missing)

    def is_learned(self, iri: str) -> bool:
        return self.name(iri) in self.learned


def _shared_individuals(task: Comparison) -> _SharedIndividuals:
    return task.cached("individuals of relations", lambda: _join_individuals(task))


def _join_individuals(task: Comparison) -> _SharedIndividuals:
    same = joined_names([*task.learned.individual_names.same, *task.gold.individual_names.same])
    groups = {id(group): group for group in same.values()}.values()
    least = {iri: smallest for group in groups for smallest in (min(group),) for iri in group}
    called: dict[str, str] = {}
    for iri in sorted(_individuals(task.gold)):
        called.setdefault(least.get(iri, iri), iri)
    names = sorted(called)
    return _SharedIndividuals(
        least,
        frozenset(least.get(iri, iri) for iri in _individuals(task.learned)),
        {name: place for place, name in enumerate(names)},
        {called[name]: same.get(name, (name,)) for name in names},
    )


def _individuals(ontology: Ontology) -> set[str]:
    """The IRIs of all individuals; one that is a concept, too, is the concept."""
    instances = () if ontology.instances is None else ontology.instances.iris
    return {*ontology.all_relations.individuals, *(iri for iri in instances if iri not in ontology.hierarchy)}


def _one_of_same(side: Relations, individuals: _SharedIndividuals) -> LongArray:
    """Each end of a side; of the individuals that are one the first."""
    ends = np.arange(side.concepts + len(side.individuals) + len(side.properties))
    first: dict[str, int] = {}
    for end, iri in enumerate(side.individuals, side.concepts):
        ends[end] = first.setdefault(individuals.name(iri), end)
    return ends


def _side(
    relations: Relations,
    number: LongArray,
    turned: BoolArray,
    shared: SharedProperties,
    one: LongArray,
    gold_ends: LongArray,
    matched: BoolArray,
) -> Triples:
    """The triples in one direction, each once."""
    swap = turned[relations.predicates]
    subjects = one[np.where(swap, relations.objects, relations.subjects)]
    objects = one[np.where(swap, relations.subjects, relations.objects)]
    properties = number[relations.predicates]
    subjects, objects = _in_order(subjects, objects, shared.symmetric[properties])
    subjects, properties, objects = distinct_rows(subjects, properties, objects)
    ends = _in_order(gold_ends[subjects], gold_ends[objects], shared.symmetric[properties])
    parts_matched = matched[subjects], shared.common[properties], matched[objects]
    return Triples(relations.concepts, subjects, properties, objects, *ends, *parts_matched)


def _in_order(subjects: LongArray, objects: LongArray, symmetric: BoolArray) -> tuple[LongArray, LongArray]:
    """Where there is no direction, the smaller end first."""
    swap = symmetric & (subjects > objects)
    return np.where(swap, objects, subjects), np.where(swap, subjects, objects)


# credit


Pairs = tuple[LongArray, LongArray, FloatArray]  # rows of learned and of gold triples that are paired, similarities


def _equal(learned: Triples, gold: Triples) -> Pairs:
    """The triples that both sides have; one with an end that is not matched (-1) is like none of the gold ones."""
    columns = [
        np.concatenate([getattr(learned, name), getattr(gold, name)])
        for name in ("properties", "gold_subjects", "gold_objects")
    ]
    codes = row_codes(columns) if len(columns[0]) else columns[0]
    _, one, other = np.intersect1d(codes[: len(learned)], codes[len(learned) :], return_indices=True)
    return one, other, np.ones(len(one))


def _assign(task: Comparison, learned: Triples, gold: Triples, similarity: Measure | SimilarityFunction) -> Pairs:
    """The assignment with the greatest sum of Sim(s, s') Sim(o, o') among triples of the same property."""
    shared = task.properties
    pairs = [_equal(learned[:0], gold[:0])]
    _refuse_too_large(shared, learned, gold)
    ends_of_gold = task.cached("ends of relations", lambda: _gold_ends(task))
    of_ends = _EndSimilarity(Similarity(similarity, ends_of_gold[0]), ends_of_gold[1])
    for number in np.intersect1d(learned.properties, gold.properties).tolist():
        rows, columns = (np.flatnonzero(side.properties == number) for side in (learned, gold))
        left = learned.gold_subjects[rows], learned.gold_objects[rows]
        right = gold.gold_subjects[columns], gold.gold_objects[columns]
        costs = np.empty((len(rows), len(columns)))
        step = max(1, _BLOCK // len(columns))
        for start in range(0, len(rows), step):
            block = slice(start, start + step)
            ends = left[0][block], left[1][block]
            weights = of_ends.of_triples(ends, right)
            if shared.symmetric[number]:
                np.maximum(weights, of_ends.of_triples(ends, right[::-1]), out=weights)
            np.negative(weights, out=costs[block])
        one, other = linear_sum_assignment(costs)
        similar = costs[one, other] < 0
        one, other = one[similar], other[similar]
        pairs.append((rows[one], columns[other], -costs[one, other]))
    return tuple(np.concatenate(column) for column in zip(*pairs, strict=True))  # type: ignore[return-value]


def _refuse_too_large(shared: SharedProperties, learned: Triples, gold: Triples) -> None:
    size = len(shared)
    sizes = [np.bincount(side.properties, minlength=size) for side in (learned, gold)]
    most = int(np.argmax(sizes[0] * sizes[1]))
    if sizes[0][most] * sizes[1][most] > MOST_PAIRS:
        raise TooLargeError(shared.iris[most], int(sizes[0][most]), int(sizes[1][most]))


def _gold_ends(task: Comparison) -> tuple[Ontology, LongArray]:
    """The gold standard with the individuals that are ends as leaves below their classes, and the id of each end.

    -1: one that is not in that hierarchy: a property, an individual without a class; the last one is for ends that are
    not matched, whose number is -1.
    """
    size = task.gold.all_relations.concepts
    individuals = _shared_individuals(task).iris
    sides = task.cached("relation triples", lambda: _both_sides(task))
    is_end = np.zeros(size + len(individuals) + len(task.gold.all_relations.properties) + 1, dtype=bool)
    for side in sides:
        is_end[side.gold_subjects] = is_end[side.gold_objects] = True
    ends = np.flatnonzero(is_end[size : size + len(individuals)])
    names = list(individuals)
    populated, ids = populate(task.gold, {names[end]: individuals[names[end]] for end in ends.tolist()})
    result = np.full(len(is_end), -1, dtype=np.int64)
    result[:size] = np.arange(size)
    result[size + ends] = ids
    return populated, result


@dataclass(frozen=True, eq=False)
class _EndSimilarity:
    """Sim of ends by their numbers: in the hierarchy of the gold standard, 1 or 0 of what is not in it."""

    similarity: Similarity
    ids: LongArray  # in that hierarchy

    def of_triples(self, left: tuple[LongArray, LongArray], right: tuple[LongArray, LongArray]) -> FloatArray:
        """Sim(s, s') Sim(o, o')."""
        weights = self._grid(left[0], right[0])
        weights *= self._grid(left[1], right[1])
        return weights

    def _grid(self, left: LongArray, right: LongArray) -> FloatArray:
        """Sim of each left end (-1: not matched) with each right one."""
        result: FloatArray = (left[:, None] == right[None, :]).astype(np.float64)
        left, right = self.ids[left], self.ids[right]
        rows, columns = np.flatnonzero(left >= 0), np.flatnonzero(right >= 0)
        if len(rows) and len(columns):
            (lefts, of_row), (rights, of_column) = (
                np.unique(ends, return_inverse=True) for ends in (left[rows], right[columns])
            )
            values = self.similarity.grid(lefts, rights)
            result[np.ix_(rows, columns)] = values[np.ix_(of_row, of_column)]
        return result
