"""Populated ontologies as a corpus: individuals, told classes, IRIs or labels, owl:sameAs, and what is refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from helpers import refusal

import ontoeval as oe
from ontoeval.errors import ParameterError
from ontoeval.load.corpora.population import DOCUMENT

HEAD = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""
GOLD = (
    HEAD
    + """
:Place a owl:Class . :City a owl:Class ; rdfs:subClassOf :Place . :Person a owl:Class . :near a owl:ObjectProperty .
:london a owl:NamedIndividual, :City, :Place ; rdfs:label "London"@en, "Londres"@fr ; :near :paris .
:paris a :City ; skos:prefLabel "Paris" . :ada a :Person . [] a :Person . :thing a owl:Thing .
:concept a skos:Concept .
"""
)

refused = partial(refusal, oe.OntoevalError, oe.load_corpus)


def rows(corpus: oe.Corpus) -> list[tuple[str, str, str]]:
    """What each annotation is about, its class, its individual."""
    columns = zip(corpus.start.tolist(), corpus.concept.tolist(), corpus.instance.tolist(), strict=True)
    return sorted((corpus.things[thing], corpus.concepts[kind], corpus.instances[who]) for thing, kind, who in columns)


def ex(*names: str) -> tuple[str, ...]:
    return tuple(f"http://ex.org/{name}" for name in names)


def test_every_individual_is_an_annotation_with_each_told_class() -> None:
    corpus = oe.load_corpus(GOLD.encode())
    assert corpus.source.format == "population"
    assert corpus.documents == (DOCUMENT,)
    assert rows(corpus) == [
        ex("ada", "Person", "ada"), ex("london", "City", "london"), ex("london", "Place", "london"),
        ex("paris", "City", "paris"),
    ]  # fmt: skip


def test_labels_can_stand_in_for_iris() -> None:
    things = [row[0] for row in rows(oe.load_corpus(GOLD.encode(), individuals="label"))]
    assert things == ["London", "London", "Paris", "ada"]
    french = [row[0] for row in rows(oe.load_corpus(GOLD.encode(), individuals="label", language="fr"))]
    assert french == ["Londres", "Londres", "Paris", "ada"]


def test_a_vocabulary_can_be_chosen() -> None:
    more = GOLD + "\n:london a <http://schema.org/City> ."
    assert len(oe.load_corpus(more.encode())) == 5
    assert oe.load_corpus(more.encode(), class_feature="http://schema.org/").concepts == ("http://schema.org/City",)


@pytest.mark.parametrize("suffix", ["rdf", "nt", "owx", "ofn", "jsonld"])
def test_every_syntax_of_rdf_and_owl_is_read(suffix: str, tmp_path: Path) -> None:
    texts = {
        "rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://ex.org/">'
               '<City rdf:about="http://ex.org/x"/></rdf:RDF>',
        "nt": "<http://ex.org/x> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://ex.org/City> .",
        "owx": '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://ex.org/"><ClassAssertion>'
               '<Class IRI="http://ex.org/City"/><NamedIndividual IRI="http://ex.org/x"/></ClassAssertion></Ontology>',
        "ofn": "Ontology(<http://ex.org/>\nClassAssertion(<http://ex.org/City> <http://ex.org/x>)\n)",
        "jsonld": '{"@id": "http://ex.org/x", "@type": "http://ex.org/City"}',
    }  # fmt: skip
    file = tmp_path / f"gold.{suffix}"
    file.write_text(texts[suffix])
    assert rows(oe.load_corpus(file)) == [ex("x", "City", "x")]


def test_several_files_are_one_population(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(GOLD)
    (tmp_path / "b.ttl").write_text(HEAD + ":paris a :City . :bob a :Person .")
    whole = oe.load_corpus(tmp_path)
    task = oe.Extraction(whole, oe.load_corpus(GOLD.encode()))
    assert len(task.response_side) == 5  # Paris is a city once
    scores = oe.evaluate(task, ["P", "R"])
    assert (scores["P"].value, scores["R"].value) == (4 / 5, 1)


def test_individuals_that_same_as_joins_are_one() -> None:
    response = oe.load_corpus((HEAD + ":londres a :City . :lutetia a :City .").encode())
    key = oe.load_corpus((GOLD + "\n:londres owl:sameAs :london . :london a :City . :londres a :City .").encode())
    scores = oe.evaluate(oe.Extraction(response, key), ["P", "R"])
    assert (scores["P"].value, scores["R"].value) == (1 / 2, 1 / 4)


def test_individuals_are_found_or_not() -> None:
    response = oe.load_corpus((HEAD + ":london a :Person . :bob a :Person .").encode())
    scores = oe.evaluate(oe.Extraction(response, oe.load_corpus(GOLD.encode()), by="instance"), ["P", "R"])
    assert (scores["P"].value, scores["R"].value) == (1 / 2, 1 / 3)


def test_refused(tmp_path: Path) -> None:
    empty = tmp_path / "classes.ttl"
    empty.write_text(HEAD + ":City a owl:Class .")
    assert refused(empty) == (f"{empty}: no individuals with a class found. Use RDF with individuals that have a type.")
    assert refused(GOLD.encode(), individuals="name") == ("individuals must be 'iri' or 'label', not 'name'.")
    broken = tmp_path / "broken.ttl"
    broken.write_text(GOLD + ":x a ")
    assert refused(broken) == f"{broken}, line 8: not valid turtle: Unexpected end. Correct the file."
    table = tmp_path / "edges.tsv"
    table.write_text("a\tb\nb\tc\n")
    assert refused(table, format="population").endswith("a population must be RDF or OWL, not tsv. Convert it.")
    for file in (empty, broken, table):
        file.unlink()
    (tmp_path / "d.jsonl").write_text('{"document": "d", "start": 0, "end": 1, "concept": "C"}\n')
    (tmp_path / "gold.ttl").write_text(GOLD)
    assert "and others annotated texts" in refused(tmp_path)
    assert oe.load_corpus(tmp_path, format="population").documents == (DOCUMENT,)


def test_a_population_is_not_compared_with_annotated_text() -> None:
    text = oe.Corpus.from_spans({"d": [(0, 1, "http://ex.org/City")]})
    with pytest.raises(ParameterError, match="one side is a populated ontology"):
        oe.Extraction(text, oe.load_corpus(GOLD.encode()))


def test_a_population_has_a_digest_of_its_own() -> None:
    digests = {oe.load_corpus((HEAD + f":{who} a :City .").encode()).digest for who in ("a", "b")}
    assert len(digests) == 2
