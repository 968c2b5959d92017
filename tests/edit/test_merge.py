"""Two ontologies as one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
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
    assert "between other ontologies" in refusal(ParameterError, oe.merge, one, one, oe.match(one, two))


SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix a: <http://a.org/> . @prefix b: <http://b.org/> .
"""


def thesaurus(text: str, **options: Any) -> oe.Ontology:
    return oe.load_ontology((SKOS + text).encode(), format="turtle", **options)


@pytest.mark.parametrize(
    ("link", "options", "length"),
    [
        ("skos:exactMatch", {}, 1.0),  # 0, and a step up
        ("skos:closeMatch", {}, np.inf),
        ("skos:closeMatch", {"close_match": True}, 1.0),
        ("skos:relatedMatch", {}, 2.0),
        ("skos:relatedMatch", {"weights": {"relatedMatch": 0.25}}, 1.25),
        ("skos:broadMatch", {}, np.inf),
        ("skos:broadMatch", {"mappings": True}, 2.0),
    ],
)
def test_mapping_links_between_thesauri_are_edges(link: str, options: dict[str, Any], length: float) -> None:
    """van (a) is mapped to car (b), which is below vehicle (b): the length from van to vehicle."""
    one = thesaurus(f"a:van a skos:Concept ; {link} b:car .", **options)
    two = thesaurus("b:vehicle a skos:Concept . b:car a skos:Concept ; skos:broader b:vehicle .", **options)
    merged = oe.merge(one, two, oe.match(one, two, by="iri"))
    measure = "Rada(scale=distance, edges=relatedness, root_paths=false)"
    assert oe.relate(merged, ["http://a.org/van"], ["http://b.org/vehicle"], measure).tolist() == [length]
    swapped = oe.merge(two, one, oe.match(two, one, by="iri"))
    assert oe.relate(swapped, ["http://a.org/van"], ["http://b.org/vehicle"], measure).tolist() == [length]


def test_a_matched_concept_is_found_by_its_local_name_in_either_file() -> None:
    learned = oe.Ontology.from_edges([("http://l.org/Author", "http://l.org/Person")])
    gold = oe.Ontology.from_edges([("http://g.org/Paper_Author", "http://g.org/Person")])
    pairs = [("http://l.org/Author", "http://g.org/Paper_Author"), ("http://l.org/Person", "http://g.org/Person")]
    merged = oe.merge(learned, gold, oe.match(learned, gold, by=lambda *_: pairs))
    author = merged.hierarchy.id("http://g.org/Paper_Author")
    assert merged.concepts_named("Author") == merged.concepts_named("Paper_Author") == (author,)
    assert merged.label(author) == "Paper Author"
