"""Two ontologies as one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers import edges, refusal
from hypothesis import given
from hypothesis import strategies as st
from strategies import shuffles
from twin_between import Between, MergedThesauri, Thesaurus
from twin_compare import Case, cases, one_to_one

import ontoeval as oe
from ontoeval.edit.merge import MergedOntology, merge
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
    merged = merge(one, two, by_label)
    assert sorted(merged.label_of(c) for c in range(len(merged.hierarchy))) == ["cat", "jaguar", "r"]
    assert set(merge(one, two, oe.match(one, two, by="iri")).hierarchy.iris) == {"a", "r"}


def test_names_of_either_file_lead_to_a_matched_concept() -> None:
    learned = oe.Ontology.from_edges([("l:car", "r")], labels={"l:car": "automobile"}, instances={"herbie": "l:car"})
    gold = oe.Ontology.from_edges([("g:car", "r")], labels={"g:car": "car"}, instances={"kitt": "g:car"})
    merged = merge(learned, gold, oe.match(learned, gold, by=lambda *_: [("l:car", "g:car"), ("r", "r")]))
    car = merged.hierarchy.id("g:car")
    assert merged.aliases["l:car"] == "g:car"
    assert merged.label_of(car) == "car"
    assert merged.concepts_named("automobile") == (car,)
    assert merged.instances is not None
    assert merged.instances.iris == ("herbie", "kitt")


def test_a_matching_of_other_ontologies_is_refused() -> None:
    one, two = oe.Ontology.from_edges([("a", "r")]), oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    assert "between other ontologies" in refusal(ParameterError, merge, one, one, oe.match(one, two))


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
    merged = merge(one, two, oe.match(one, two, by="iri"))
    measure = "Rada(scale=distance, edges=relatedness, root_paths=false)"
    assert oe.relate(merged, ["http://a.org/van"], ["http://b.org/vehicle"], measure).tolist() == [length]
    swapped = merge(two, one, oe.match(two, one, by="iri"))
    assert oe.relate(swapped, ["http://a.org/van"], ["http://b.org/vehicle"], measure).tolist() == [length]


@pytest.mark.parametrize("by", ["iri", "label", "name", "fuzzy:0.5", "iri,label"])
@pytest.mark.parametrize(
    ("link", "length"),
    [("exactMatch", 1.0), ("closeMatch", 1.0), ("relatedMatch", 2.0), ("broadMatch", 2.0), ("narrowMatch", 2.0)],
)
def test_mapping_links_are_edges_however_concepts_are_matched(link: str, length: float, by: str) -> None:
    """b:17 is called car, and b:18 is called 17: neither the label nor the name leads from a mapping link to it."""
    options = {"mappings": True, "close_match": True}
    one = thesaurus(f"a:van a skos:Concept ; skos:{link} b:17 .", **options)
    two = thesaurus(
        "b:vehicle a skos:Concept . b:17 a skos:Concept ; skos:prefLabel 'car' ; skos:broader b:vehicle . "
        "b:18 a skos:Concept ; skos:prefLabel '17' .",
        **options,
    )
    measure = "Rada(scale=distance, edges=relatedness, root_paths=false)"
    for first, second in ((one, two), (two, one)):
        merged = merge(first, second, oe.match(first, second, by=by))
        assert oe.relate(merged, ["http://a.org/van"], ["http://b.org/vehicle"], measure).tolist() == [length]
        assert not any(iri.endswith("-2") for iri in merged.hierarchy.iris)
        assert merged.source.notes == ()
        assert merged.label_of(merged.hierarchy.id("http://b.org/17")) == "car"


def test_a_concept_that_a_file_only_maps_to_is_in_the_other_file_alone() -> None:
    one = thesaurus("a:van a skos:Concept ; skos:broadMatch b:17 .", mappings=True)
    two = thesaurus("b:17 a skos:Concept ; skos:prefLabel 'car' .", mappings=True)
    merged = merge(one, two, oe.match(one, two, by="label"))
    assert merged.merged is not None
    iri = "http://b.org/17"
    assert merged.merged.side(merged.hierarchy.id(iri), iri) == "gold"
    assert merged.merged.matched == 0


@pytest.mark.parametrize("known", ["a skos:Concept", "skos:prefLabel 'mine'", "skos:broader a:top"])
def test_a_mapped_concept_of_which_the_file_says_more_is_its_own_unless_matched(known: str) -> None:
    one = thesaurus(f"a:van a skos:Concept ; skos:broadMatch b:17 . b:17 {known} .", mappings=True)
    two = thesaurus("b:17 a skos:Concept ; skos:prefLabel 'car' .", mappings=True)
    assert "http://b.org/17-2" in merge(one, two, oe.match(one, two, by="label")).hierarchy


@pytest.mark.parametrize("link", ["broadMatch", "narrowMatch", "relatedMatch", "exactMatch"])
def test_links_to_concepts_that_a_selection_dropped_are_edges_of_merged_files(link: str) -> None:
    one = thesaurus(f"a:van a skos:Concept ; skos:{link} b:car .", mappings=True, namespaces="http://a.org/")
    two = thesaurus("b:car a skos:Concept .")
    assert one.hierarchy.iris == ("http://a.org/van",)
    merged = merge(one, two, oe.match(one, two, by="label"))
    kind = {"relatedMatch": merged.hierarchy.related, "exactMatch": merged.hierarchy.synonyms}
    if link in kind:
        assert len(kind[link])
    else:
        pair = ("http://a.org/van", "http://b.org/car")
        assert edges(merged) == {pair if link == "broadMatch" else pair[::-1]}


POOL = [f"http://x.org/{name}" for name in "abcdef"]
LINKS = ("broadMatch", "narrowMatch", "relatedMatch", "exactMatch")


def turtle(file: Thesaurus) -> oe.Ontology:
    lines = [f"<{name}> a skos:Concept ." for name in file.declared]
    lines += [f"<{a}> skos:broader <{b}> ." for a, b in file.broader]
    lines += [f"<{a}> skos:{name} <{b}> ." for a, name, b in file.mappings]
    return thesaurus("\n".join(sorted(lines)), profile="skos", mappings=True, root="new")


@st.composite
def thesauri(draw: st.DrawFn) -> Thesaurus:
    names = st.sampled_from(POOL)
    declared = draw(st.sets(names, min_size=1, max_size=3))
    broader = draw(st.sets(st.tuples(st.sampled_from(sorted(declared)), names), max_size=2))
    mappings = draw(st.sets(st.tuples(names, st.sampled_from(LINKS), names), max_size=5))
    return Thesaurus(declared, broader, mappings)


@given(thesauri(), thesauri(), st.integers(0, 5), shuffles())
def test_merged_thesauri_are_the_twins(learned: Thesaurus, gold: Thesaurus, count: int, random: Any) -> None:
    partner = one_to_one(sorted(learned.concepts), sorted(gold.concepts), count, random)
    if random.random() < 0.3:
        partner = {name: name for name in learned.concepts & gold.concepts}
    one, two = turtle(learned), turtle(gold)
    both = MergedOntology.of(one, two, oe.match(one, two, by=lambda *_: list(partner.items())), mapped=True)
    twin, merged = MergedThesauri(learned, gold, partner), both.ontology.hierarchy
    found = [(merged.iris[both.of_learned[one.hierarchy.id(name)]], twin.of_learned(name)) for name in learned.concepts]
    found += [(merged.iris[both.of_gold[two.hierarchy.id(name)]], twin.of_gold(name)) for name in gold.concepts]
    node = dict(found)
    assert set(node.items()) == set(found)
    assert len(set(node.values())) == len(node) == len(merged) - 1  # one to one; and the added root
    assert set(node.values()) == twin.nodes
    assert {(node[a], node[b]) for a, b in edges(both.ontology)} == twin.edges
    assert not len(merged.self_edges)
    for adjacency, links in ((merged.related, twin.related), (merged.synonyms, twin.synonyms)):
        rows = zip(adjacency.tails.tolist(), adjacency.indices.tolist(), strict=True)
        assert {(node[merged.iris[a]], node[merged.iris[b]]) for a, b in rows} == links


def test_a_matched_concept_is_found_by_its_local_name_in_either_file() -> None:
    learned = oe.Ontology.from_edges([("http://l.org/Author", "http://l.org/Person")])
    gold = oe.Ontology.from_edges([("http://g.org/Paper_Author", "http://g.org/Person")])
    pairs = [("http://l.org/Author", "http://g.org/Paper_Author"), ("http://l.org/Person", "http://g.org/Person")]
    merged = merge(learned, gold, oe.match(learned, gold, by=lambda *_: pairs))
    author = merged.hierarchy.id("http://g.org/Paper_Author")
    assert merged.concepts_named("Author") == merged.concepts_named("Paper_Author") == (author,)
    assert merged.label_of(author) == "Paper Author"
