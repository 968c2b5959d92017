"""Concepts whose labels differ only in case or punctuation, merged on loading; an independent twin on random tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import HierarchyError, ParameterError
from ontoeval.model.ontology import Ontology

EX = "http://ex.org/"
HEAD = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


def edges(ontology: Ontology) -> set[tuple[str, str]]:
    iris = ontology.hierarchy.iris
    return {(iris[child], iris[parent]) for child, parent in zip(*ontology.hierarchy.stated_edges, strict=True)}


def load(text: str, **options: Any) -> Ontology:
    return oe.load_ontology(text.encode(), **options)


def test_links_are_combined_labels_kept_and_a_note_says_so() -> None:
    text = "Plant Life\tlife\nplant life\tbiology\nfern\tPlant Life\nmoss\tplant life\nplant life\tPlant Life\n"
    assert len(load(text).hierarchy) == 7  # life, biology, two kinds of plant life, fern, moss; an added root
    ontology = load(text, merge_labels="case")
    assert edges(ontology) == {
        ("Plant Life", "life"), ("Plant Life", "biology"), ("fern", "Plant Life"), ("moss", "Plant Life"),
    }  # fmt: skip
    concept = ontology.hierarchy.id("Plant Life")
    assert ontology.label_of(concept) == "Plant Life"
    assert set(ontology.lexicon.labels(concept)) == {"Plant Life", "plant life"}
    assert ontology.names.find("plant life") == (concept,)
    assert ontology.source.notes == (
        'merged: 1 concept with the same label as another (merge_labels="case"); '
        "left out: 1 link between merged concepts",
    )  # fmt: skip


def test_case_leaves_what_differs_in_more_than_case() -> None:
    text = "plant life\tlife\nplant_life\tlife\nPlant Life\tlife\n"
    names = set(load(text, merge_labels="case").hierarchy.iris)
    assert names == {"life", "Plant Life", "plant_life"}
    assert set(load(text, merge_labels="normalized").hierarchy.iris) == {"life", "Plant Life"}


def test_cycles_that_merging_makes_are_kept_or_refused_like_others() -> None:
    text = "dog\tanimal\nanimal\tDog\n"
    assert load(text).hierarchy.has_root
    ontology = load(text, merge_labels="case")
    assert edges(ontology) == {("Dog", "animal"), ("animal", "Dog")}
    assert ontology.describe()["cycle_count"] == 1
    with pytest.raises(HierarchyError):
        load(text, merge_labels="case", on_cycle="error")


def test_a_self_link_of_the_file_stays_and_one_that_merging_makes_does_not() -> None:
    ontology = load("dog\tDog\ncat\tcat\ndog\tanimal\n", merge_labels="case")
    assert ontology.describe()["self_edges"] == 1
    assert edges(ontology) == {("Dog", "animal")}


OWL = (
    HEAD
    + """
:b a owl:Class ; rdfs:label "House Dog"@en ; rdfs:subClassOf :animal . :fido a :b .
:a a owl:Class ; rdfs:label "house dog"@en ; rdfs:subClassOf :pet . :rex a :a .
:c a owl:Class ; rdfs:label "House Dog"@de . :old a owl:Class ; owl:deprecated true ; rdfs:label "HOUSE DOG"@en .
:poodle a owl:Class ; rdfs:subClassOf :a .
"""
)


def test_labels_of_another_language_and_deprecated_classes_are_left() -> None:
    ontology = load(OWL, merge_labels="case")
    assert {iri.removeprefix(EX) for iri in ontology.hierarchy.iris} - {"http://www.w3.org/2002/07/owl#Thing"} == {
        "a", "c", "animal", "pet", "poodle",
    }  # fmt: skip
    assert edges(ontology) == {(EX + "a", EX + "animal"), (EX + "a", EX + "pet"), (EX + "poodle", EX + "a")}
    assert ontology.names.find(EX + "b") == (ontology.hierarchy.id(EX + "a"),)
    assert ontology.instances is not None
    assert ontology.instances.iris == (EX + "fido", EX + "rex")
    assert ontology.label_of(ontology.hierarchy.id(EX + "a")) == "house dog"


def test_instances_of_a_table_go_to_the_merged_concept_by_any_of_its_names() -> None:
    ontology = load(OWL, merge_labels="case", instances={"x": "House Dog", "y": EX + "b", "z": "house dog"}, below="b")
    assert ontology.instances is not None
    assert ontology.instances.iris == ("y", "z")  # House Dog is also a label of c
    assert set(ontology.hierarchy.iris) == {EX + "a", EX + "poodle"}


def test_where_several_concepts_have_the_same_label_none_is_merged() -> None:
    text = HEAD + "".join(f':c{n} a owl:Class ; rdfs:label "{label}" . ' for n, label in enumerate(["b", "b", "B"]))
    ontology = load(text, merge_labels="case", root="none")
    assert len(ontology.hierarchy) == 3
    assert ontology.source.notes == ("not merged: 1 group of labels in which several concepts have the same label",)


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"unknown merge_labels 'cases'\. Did you mean 'case'"):
        load("a\tb\n", merge_labels="cases")


NAME = st.sampled_from(["a", "A", "a b", "A b", "a_b", "a-B", "c", "d"])


@given(st.lists(st.tuples(NAME, NAME), min_size=1, max_size=10), st.sampled_from(["case", "normalized"]))
def test_merging_is_as_in_the_twin(rows: list[tuple[str, str]], alike: str) -> None:
    """Plain sets: every name is replaced by the smallest that is alike; links to itself that this makes go."""

    def fold(name: str) -> str:
        return name.lower() if alike == "case" else "".join(c for c in name.lower() if c.isalnum())

    names = {name for row in rows for name in row}
    new = {name: min(other for other in names if fold(other) == fold(name)) for name in names}
    expected = {(new[a], new[b]) for a, b in rows if new[a] != new[b]}
    ontology = load("".join(f"{a}\t{b}\n" for a, b in rows), merge_labels=alike, columns="child,parent", root="none")
    assert set(ontology.hierarchy.iris) == set(new.values())
    assert edges(ontology) == expected
    for name in names:
        assert name in ontology.lexicon.labels(ontology.hierarchy.id(new[name]))
        assert ontology.names.find(name) == (ontology.hierarchy.id(new[name]),)
    self_links = {a for a, b in rows if a == b}
    assert {ontology.hierarchy.iris[c] for c in ontology.hierarchy.self_edges.tolist()} == {new[a] for a in self_links}


def test_the_order_of_the_file_does_not_matter(tmp_path: Path) -> None:
    rows = ["Plant\tlife", "plant\tLife", "fern\tplant", "Fern\tplants"]
    digests = {load("\n".join(order) + "\n", merge_labels="case").digest for order in (rows, rows[::-1])}
    assert len(digests) == 1
