"""`RelationLists`: the relations of two ontologies by name, on both sides or on one (scores: relations.py)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ontoeval.measures.comparison._relations import Credit, relation_credits
from ontoeval.measures.similarity_parameter import FLAT
from ontoeval.model.arrays import BoolArray
from ontoeval.model.individuals import Individuals
from ontoeval.model.lexicon import local_name
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison


class RelationPart(NamedTuple):
    """An end or the property of a relation."""

    iri: str
    label: str
    common: bool = True  # the other side has it, too


class NamedRelation(NamedTuple):
    subject: RelationPart
    property: RelationPart
    object: RelationPart

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: part._asdict() for name, part in self._asdict().items()}


def _order(relation: NamedRelation) -> tuple[Any, ...]:
    """Those whose parts are all common first, then by property and ends."""
    is_common = all(part.common for part in relation)
    return not is_common, relation.property.iri, relation.subject.iri, relation.object.iri


@dataclass(frozen=True, eq=False)
class RelationLists:
    """The relations of a comparison by name, equal ones once, as RelP and RelR with over=all count them."""

    task: Comparison

    @property
    def were_read(self) -> bool:
        """Files have relations other than related and synonym links only if they were asked for."""
        return self.task.learned.relations is not None and self.task.gold.relations is not None

    @cached_property
    def _sides(self) -> tuple[_Side, _Side]:
        learned, gold = relation_credits(self.task, "all", "all", FLAT)
        return _Side(self.task, self.task.learned, learned), _Side(self.task, self.task.gold, gold)

    def count_of_one_side(self, *, learned: bool) -> int:
        """How many relations other than related and synonym links the other side does not have."""
        return int(np.count_nonzero(self._rows_of_one_side(learned=learned)))

    def of_one_side(self, *, learned: bool) -> list[NamedRelation]:
        """The relations other than related and synonym links that the other side does not have."""
        return self._sides[0 if learned else 1].named(self._rows_of_one_side(learned=learned))

    def _rows_of_one_side(self, *, learned: bool) -> BoolArray:
        side = self._sides[0 if learned else 1]
        links = np.concatenate([self.task.properties.find(kind) for kind in ("related", "synonym")])
        return side.alone & ~np.isin(side.credit.triples.properties, links)

    def of_concept(
        self, learned: int | None, gold: int | None
    ) -> tuple[list[NamedRelation], list[NamedRelation], list[NamedRelation]]:
        """Those that a concept (its ids on both sides) takes part in: on both sides, only learned, only gold."""
        of_learned, of_gold = (
            side.takes_part(concept) for side, concept in zip(self._sides, (learned, gold), strict=True)
        )
        one, other = self._sides
        return (
            other.named(of_gold & ~other.alone),
            one.named(of_learned & one.alone),
            other.named(of_gold & other.alone),
        )


@dataclass(frozen=True, eq=False)
class _Side:
    task: Comparison
    ontology: Ontology
    credit: Credit

    @property
    def alone(self) -> BoolArray:
        """The triples that the other side does not have."""
        result: BoolArray = self.credit.values == 0
        return result

    def takes_part(self, concept: int | None) -> BoolArray:
        triples = self.credit.triples
        if concept is None:
            return np.zeros(len(triples), dtype=bool)
        result: BoolArray = (triples.subjects == concept) | (triples.objects == concept)
        return result

    def named(self, rows: BoolArray) -> list[NamedRelation]:
        """In order."""
        triples = self.credit.triples[rows]
        columns = (triples.subjects, triples.subject_matched, triples.properties, triples.property_matched,
                   triples.objects, triples.object_matched)  # fmt: skip
        shared = self.task.properties
        relations = [
            NamedRelation(
                self._end(s, common=has_s),
                RelationPart(shared.iris[p], shared.labels[p], has_p),
                self._end(o, common=has_o),
            )
            for s, has_s, p, has_p, o, has_o in zip(*(column.tolist() for column in columns), strict=True)
        ]
        return sorted(relations, key=_order)

    def _end(self, end: int, *, common: bool) -> RelationPart:
        """A concept, an individual or a property by its number."""
        relations = self.ontology.all_relations
        if end < relations.concepts:
            return RelationPart(self.ontology.hierarchy.iris[end], self.ontology.label_of(end), common)
        place = end - relations.concepts
        if place < len(relations.individuals):
            iri = relations.individuals[place]
            return RelationPart(iri, Individuals.of(self.ontology).labels(iri)[0], common)
        place -= len(relations.individuals)
        iri = relations.properties[place]
        return RelationPart(iri, relations.lexicon.label(place) or local_name(iri), common)
