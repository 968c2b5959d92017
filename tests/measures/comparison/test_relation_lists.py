"""Relations by name, on both sides or on one: against plain sets, with individuals and properties as ends."""

from __future__ import annotations

from collections import Counter
from random import Random

import twin_relations as twin
from hypothesis import given
from strategies import shuffles
from test_relations import drawn, task_of
from twin_compare import Case, cases
from twin_relations import RELATED, SYNONYM, RelationPair, Triple

import ontoeval as oe
from ontoeval.analysis.explain import Errors, explain
from ontoeval.measures.comparison.relation_lists import NamedRelation, RelationLists


def is_link(pair: RelationPair, triple: Triple) -> bool:
    return bool({RELATED, SYNONYM} & {name for _, _, name in pair.group(triple)})


def marks(pair: RelationPair, triple: Triple) -> tuple[int, bool]:
    """How many ends the other side has, and whether it has the property; in any reading."""
    subject, _, value = min(triple)
    return sum(side == "both" for _, side, _ in (subject, value)), any(s == "both" for _, s, _ in pair.group(triple))


def marks_of(relation: NamedRelation) -> tuple[int, bool]:
    return relation.subject.common + relation.object.common, relation.property.common


@given(case=cases(), random=shuffles())
def test_relations_of_one_side_and_of_a_concept_are_those_of_plain_sets(case: Case, random: Random) -> None:
    pair, task = drawn(case, random, 10)
    lists = RelationLists(task)
    sides = {side: pair.triples(side, "all", "all") for side in ("learned", "gold")}
    counts = Errors(task).counts()
    for side, other in (("learned", "gold"), ("gold", "learned")):
        alone = {triple for triple in sides[side] if triple not in sides[other]}
        wanted = [triple for triple in alone if not is_link(pair, triple)]
        found = lists.of_one_side(learned=side == "learned")
        assert Counter(map(marks_of, found)) == Counter(marks(pair, triple) for triple in wanted)
        assert counts[f"relations_only_{side}"] == len(found) == len(wanted)
        here = task.learned if side == "learned" else task.gold
        for concept in sorted(pair.learned.concepts if side == "learned" else pair.gold.concepts):
            number = here.hierarchy.id(concept)
            both, *rest = lists.of_concept(*((number, None) if side == "learned" else (None, number)))
            of_concept = rest[0 if side == "learned" else 1]
            mine = {triple for triple, concepts in sides[side].items() if concept in concepts}
            assert len(of_concept) == len(mine & alone)
            assert all(concept in (relation.subject.iri, relation.object.iri) for relation in (*of_concept, *both))
            if side == "gold":
                assert len(both) == len(mine - alone)


def test_ends_are_called_by_their_labels_and_marked_if_the_other_side_does_not_have_them() -> None:
    task = task_of(
        {"relations": [("herbie", "hasPart", "wheel"), ("hasPart", "domain", "car"), ("car", "new", "van")]},
        {"relations": [("kitt", "hasPart", "wheel"), ("hasPart", "domain", "vehicle"), ("car", "hasPart", "door")]},
    )
    lists = RelationLists(task)
    names = [tuple((part.label, part.common) for part in row) for row in lists.of_one_side(learned=True)]
    assert names == [
        (("hasPart", True), ("domain", True), ("car", True)),  # what could be right goes first
        (("herbie", False), ("hasPart", True), ("wheel", True)),
        (("car", True), ("new", False), ("van", True)),
    ]
    found = explain(task, "car", ["RelF"])
    assert found.values["RelP"] == 0  # over the triples whose parts are all common: the domain
    assert found.relations is not None
    assert [row.object.iri for row in found.relations["only_gold"]] == ["door"]
    assert found.to_dict()["relations"]["only_gold"][0]["property"] == {
        "iri": "hasPart", "label": "hasPart", "common": True
    }  # fmt: skip


def test_relations_that_were_not_read_are_neither_listed_nor_counted() -> None:
    turtle = b"@prefix skos: <http://www.w3.org/2004/02/skos/core#> . <x:a> skos:broader <x:b> ; skos:related <x:c> ."
    ontology = oe.load_ontology(turtle)
    task = oe.Comparison(ontology, ontology)
    assert not any(kind.startswith("relations") for kind in (*Errors(task).to_dict(), *Errors(task).counts()))
    assert explain(task, "x:a").relations is None
    assert twin.RELATED in ontology.all_relations.properties
