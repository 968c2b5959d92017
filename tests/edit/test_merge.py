"""Two ontologies as one."""

from __future__ import annotations

from helpers import edges, refusal
from hypothesis import given
from twin_between import Between
from twin_compare import Case, cases

import ontoeval as oe
from ontoeval.edit.merge import MergedOntology
from ontoeval.errors import ParameterError


@given(cases())
def test_the_merged_ontology_is_the_twins(case: Case) -> None:
    learned, gold = oe.Ontology.from_edges(**case.learned), oe.Ontology.from_edges(**case.gold)
    matching = oe.match(learned, gold, by=case.pairs)
    both, twin = MergedOntology.of(learned, gold, matching), Between(case, "BDM")
    merged = both.ontology.hierarchy
    name = {merged.iris[both.of_gold[gold.hierarchy.id(iri)]]: iri for iri in twin.gold.given}
    name |= {merged.iris[both.of_learned[learned.hierarchy.id(iri)]]: twin.in_merged(iri) for iri in twin.learned.given}
    assert set(name.values()) == set(twin.merged.given)
    assert merged.root_added == (twin.merged.added is not None)
    stated = {(name[a], name[b]) for a, b in edges(both.ontology)}
    assert stated == {
        *Between.edges(case.gold),
        *((twin.in_merged(a), twin.in_merged(b)) for a, b in Between.edges(case.learned)),
    }


def test_an_iri_of_both_is_one_concept_only_if_it_is_matched() -> None:
    one, two = (oe.Ontology.from_edges([("a", "r")], labels={"a": label}) for label in ("jaguar", "cat"))
    by_label = oe.match(one, two, by="label")
    merged = oe.merge(one, two, by_label)
    assert sorted(merged.label(c) for c in range(len(merged.hierarchy))) == ["cat", "jaguar", "r"]
    assert set(oe.merge(one, two, oe.match(one, two, by="iri")).hierarchy.iris) == {"a", "r"}


def test_names_of_either_file_lead_to_a_matched_concept() -> None:
    learned = oe.Ontology.from_edges([("l:car", "r")], labels={"l:car": "automobile"}, instances={"herbie": "l:car"})
    gold = oe.Ontology.from_edges([("g:car", "r")], labels={"g:car": "car"}, instances={"kitt": "g:car"})
    merged = oe.merge(learned, gold, oe.match(learned, gold, by=lambda *_: [("l:car", "g:car"), ("r", "r")]))
    car = merged.hierarchy.id("g:car")
    assert merged.aliases["l:car"] == "g:car"
    assert merged.label(car) == "car"
    assert merged.concepts_named("automobile") == (car,)
    assert merged.instances is not None
    assert merged.instances.iris == ("herbie", "kitt")


def test_a_matching_of_other_ontologies_is_refused() -> None:
    one, two = oe.Ontology.from_edges([("a", "r")]), oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    assert "not between these two" in refusal(ParameterError, oe.merge, one, one, oe.match(one, two))
