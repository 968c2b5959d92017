"""Ontologies out, and in again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from strategies import ontologies, picks, root_of

import ontoeval as oe
from ontoeval.errors import ParameterError
from ontoeval.rdf.ontology_writer import SUFFIXES, write_ontology

OWL = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> . @prefix dct: <http://purl.org/dc/terms/> .
:thing a owl:Class ; rdfs:label "thing", "Ding"@de ; rdfs:subClassOf :thing .
:animal a owl:Class ; rdfs:label "animal <&> \\"quoted\\" \\\\ "@en-gb ; rdfs:subClassOf :thing .
:animal skos:altLabel "beast" .
:dog a owl:Class ; rdfs:subClassOf :animal ; owl:equivalentClass :hound ; oio:hasExactSynonym "bow-wow" .
:hound a owl:Class ; dct:title "Hound" ; skos:hiddenLabel "hund" ; oio:hasRelatedSynonym "wolf" .
:cat a owl:Class ; rdfs:subClassOf :animal, :pet ; skos:related :dog .
:pet a owl:Class ; rdfs:subClassOf :thing .
:rex a :dog, :pet . :tom a :cat . <http://ex.org/t#Ontology> a :cat .
"""
SKOS = """@prefix : <http://ex.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
:a a skos:Concept ; skos:prefLabel "A"@en, "Ä"@de ; skos:altLabel "first" .
:b a skos:Concept ; skos:broader :a ; skos:exactMatch :c . :c a skos:Concept ; skos:broader :a ; skos:related :b .
:d a skos:Concept ; skos:broader :d2 . :d2 a skos:Concept ; skos:broader :d .
:document dct:subject :b, :c .
"""
RDF = [suffix for suffix in SUFFIXES if suffix != ".tsv"]


def again(ontology: oe.Ontology, path: Path, **more: Any) -> oe.Ontology:
    hierarchy = ontology.hierarchy
    root = "none" if not hierarchy.has_root else "new" if hierarchy.root_added else hierarchy.iris[0]
    return oe.load_ontology(path, root=root, **more)


@pytest.mark.parametrize("suffix", RDF)
@pytest.mark.parametrize("text", [OWL, SKOS], ids=["owl", "skos"])
def test_rdf_gives_the_same_ontology_again(tmp_path: Path, text: str, suffix: str) -> None:
    ontology = oe.load_ontology(text.encode())
    assert write_ontology(ontology, tmp_path / f"out{suffix}") == ()
    loaded = again(ontology, tmp_path / f"out{suffix}")
    assert loaded.digest == ontology.digest
    assert loaded.source.profile == ontology.source.profile
    assert [path.name for path in tmp_path.iterdir()] == [f"out{suffix}"]


@pytest.mark.parametrize("root", ["auto", "new", "none", "http://ex.org/animal"])
def test_whatever_the_root_is(tmp_path: Path, root: str) -> None:
    ontology = oe.load_ontology(OWL.encode(), root=root)
    write_ontology(ontology, tmp_path / "out.nt")
    assert again(ontology, tmp_path / "out.nt").digest == ontology.digest


def test_turtle_has_prefixes_and_one_block_for_each_concept(tmp_path: Path) -> None:
    write_ontology(oe.load_ontology(SKOS.encode()), tmp_path / "out.ttl")
    text = (tmp_path / "out.ttl").read_text(encoding="utf-8")
    assert "@prefix : <http://ex.org/> ." in text
    assert text.count(":a a skos:Concept") == 1
    assert "owl:" not in text


def test_the_xml_is_read_by_others(tmp_path: Path) -> None:
    import rdflib

    ontology = oe.load_ontology(OWL.encode())
    write_ontology(ontology, tmp_path / "out.owl")
    assert oe.load_ontology(rdflib.Graph().parse(tmp_path / "out.owl", format="xml")).digest == ontology.digest
    owlready2 = pytest.importorskip("owlready2")
    read = owlready2.World().get_ontology((tmp_path / "out.owl").as_uri()).load()
    assert {one.name for one in read.classes()} == {"thing", "animal", "dog", "hound", "cat", "pet"}
    assert {one.name for one in read.individuals()} == {"rex", "tom", "Ontology"}


def plain(**more: Any) -> oe.Ontology:
    return oe.Ontology.from_edges([("two words", "b"), ("c", "b"), ("c", "two words")], concepts=["alone"], **more)


def test_a_table_of_edges_gives_the_same_ontology_again(tmp_path: Path) -> None:
    ontology = plain(instances={"i": {"c": 0.1, "b": 1 / 3}, "doc 1": "two words"})
    assert write_ontology(ontology, tmp_path / "out.tsv", instances=tmp_path / "who.tsv") == ()
    assert again(ontology, tmp_path / "out.tsv", instances=tmp_path / "who.tsv").digest == ontology.digest
    assert (tmp_path / "out.tsv").read_text() == ("child\tparent\nalone\t\nb\t\ntwo words\tb\nc\tb\nc\ttwo words\n")
    assert (tmp_path / "who.tsv").read_text().splitlines()[:2] == [
        "instance\tconcept\tstrength",
        "doc 1\ttwo words\t1.0",
    ]


def test_weights_self_edges_and_labels_stand_in_the_table_if_there_are_any(tmp_path: Path) -> None:
    ontology = oe.Ontology.from_edges([("a", "r", 0.1), ("b", "r"), ("b", "b")], labels={"a": "first"})
    assert write_ontology(ontology, tmp_path / "out.tsv") == ()
    assert (tmp_path / "out.tsv").read_text() == (
        "child\tparent\tweight\tlabel\nr\t\t\t\na\tr\t0.1\tfirst\nb\tr\t1.0\t\nb\tb\t1.0\t\n"
    )
    assert again(ontology, tmp_path / "out.tsv").digest == ontology.digest


def test_a_table_says_what_it_does_not_hold(tmp_path: Path) -> None:
    ontology = oe.load_ontology(OWL.encode())
    assert write_ontology(ontology, tmp_path / "out.tsv", instances=tmp_path / "who.tsv") == (
        "left out: 4 labels (a table holds one for each concept)",
        "left out: language of 2 labels",
        "1 label changed: a cell holds no TABs, line breaks, leading or trailing spaces",
        "left out: 2 related or synonym links",
    )
    loaded = oe.load_ontology(tmp_path / "out.tsv", instances=tmp_path / "who.tsv")
    assert set(loaded.hierarchy.iris) == set(ontology.hierarchy.iris)
    assert loaded.instances is not None
    assert ontology.instances is not None
    assert loaded.instances.iris == ontology.instances.iris


def test_instances_may_stand_beside_rdf(tmp_path: Path) -> None:
    ontology = oe.Ontology.from_edges(
        [("http://ex.org/a", "http://ex.org/b")], instances={"doc 1": {"http://ex.org/a": 0.25}}
    )
    write_ontology(ontology, tmp_path / "out.ttl", instances=tmp_path / "who.tsv")
    assert "doc" not in (tmp_path / "out.ttl").read_text()
    assert again(ontology, tmp_path / "out.ttl", instances=tmp_path / "who.tsv").digest == ontology.digest


IRIS = [("http://ex.org/a", "http://ex.org/b")]


@pytest.mark.parametrize(
    ("made", "name", "said"),
    [
        ({"edges": IRIS}, "out.csv",
         f"unknown suffix '.csv'. Use one of: {' '.join(SUFFIXES)}."),
        ({"edges": [("two words", "b")]}, "out.ttl",
         "RDF needs IRIs, but the concept 'b' has none. Use a name that ends in .tsv."),
        ({"edges": IRIS, "instances": {"doc 1": "http://ex.org/a"}}, "out.ttl",
         "RDF needs IRIs, but the instance 'doc 1' has none. Set instances=\"FILE\"."),
        ({"edges": IRIS, "instances": {"http://ex.org/i": {"http://ex.org/a": 0.5}}}, "out.nt",
         'RDF cannot hold the strengths of instances. Set instances="FILE".'),
        ({"edges": [(*IRIS[0], 2.0)]}, "out.owl",
         "RDF cannot hold the weights of links. Use a name that ends in .tsv."),
        ({"edges": IRIS, "labels": {"http://ex.org/a": [("x", "no language")]}}, "out.nt",
         "the language 'no language' of the label 'x' is not valid in RDF. Correct it in the ontology."),
        ({"edges": IRIS, "labels": {"http://ex.org/a": "a\x0bb"}}, "out.rdf",
         "XML cannot hold some characters of the labels. Use a name that ends in .ttl or .nt."),
        ({"edges": [("a", "b")], "instances": {"i": "a", "j": "a"}}, "out.tsv",
         'a table of links cannot hold the 2 instances. Set instances="FILE".'),
        ({"edges": [("a\tb", "c")]}, "out.tsv",
         "a table cannot hold the name 'a\\tb': "
         "cells have no TABs, line breaks, leading or trailing spaces. Change the name."),
        ({"edges": [("a ", "c")]}, "out.tsv",
         "a table cannot hold the name 'a ': "
         "cells have no TABs, line breaks, leading or trailing spaces. Change the name."),
    ],
)  # fmt: skip
def test_what_would_be_lost_is_refused_and_the_old_file_stays(
    tmp_path: Path, made: dict[str, Any], name: str, said: str
) -> None:
    (tmp_path / name).write_text("old")
    with pytest.raises(oe.OntoevalError) as error:
        write_ontology(oe.Ontology.from_edges(**made), tmp_path / name)
    assert str(error.value) == f"{tmp_path / name}: {said}"
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "old")]


def test_instances_that_are_not_there_need_no_file(tmp_path: Path) -> None:
    with pytest.raises(ParameterError) as error:
        write_ontology(plain(), tmp_path / "out.tsv", instances=tmp_path / "who.tsv")
    assert str(error.value) == f"{tmp_path / 'who.tsv'}: no instances to write. Remove instances=."


def test_instances_on_an_added_root_have_no_place_in_a_file(tmp_path: Path) -> None:
    forest = oe.Ontology.from_edges([("x", "a"), ("y", "b")], instances={"i": "a", "j": "x"})
    above = oe.perturb(forest, "remove-level:1", 2)
    with pytest.raises(oe.OntoevalError) as error:
        write_ontology(above, tmp_path / "out.tsv", instances=tmp_path / "who.tsv")
    assert str(error.value) == (
        f"{tmp_path / 'out.tsv'}: 1 instance belongs to the added root, which is not written. Set root= to a "
        "concept, or use a smaller amount of damage."
    )
    assert list(tmp_path.iterdir()) == []


def test_neither_file_is_written_if_the_other_cannot_be(tmp_path: Path) -> None:
    ontology = plain(instances={"i": "b"})
    with pytest.raises(oe.OntoevalError, match="RDF needs IRIs"):
        write_ontology(ontology, tmp_path / "out.ttl", instances=tmp_path / "who.tsv")
    with pytest.raises(oe.OntoevalError, match="cannot be written"):
        write_ontology(ontology, tmp_path / "nowhere" / "out.tsv", instances=tmp_path / "who.tsv")
    assert list(tmp_path.iterdir()) == []


@settings(
    max_examples=max(6, settings.default.max_examples // 3),  # type: ignore[union-attr]
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(made=ontologies(), pick=picks())
def test_any_hierarchy_of_plain_names_survives_as_tables(tmp_path: Path, made: dict[str, Any], pick: int) -> None:
    bare = {key: value for key, value in made.items() if key in ("edges", "concepts", "instances", "weights")}
    ontology = oe.Ontology.from_edges(root=root_of(bare, pick), **bare)
    who = None if ontology.instances is None else tmp_path / "who.tsv"
    assert write_ontology(ontology, tmp_path / "out.tsv", instances=who) == ()
    loaded = again(ontology, tmp_path / "out.tsv", instances=who, weights=made["weights"])
    assert loaded.digest == ontology.digest


def test_what_no_format_holds_is_named(tmp_path: Path) -> None:
    ontology = oe.load_ontology(OWL.encode()).with_counts({"http://ex.org/dog": 3})
    assert write_ontology(ontology, tmp_path / "o.ttl") == ("left out: counts of concepts",)
