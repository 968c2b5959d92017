"""The vocabulary says all that our graphs use."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
import rdflib
from helpers import run

import ontoeval as oe
from ontoeval.analysis.significance import confidence
from ontoeval.measures import Definition, all_measures
from ontoeval.rdf.store.result_graph import result_triples
from ontoeval.rdf.vocabulary import NS, PREFIXES, dimension, vocabulary

GRAPH = ox.Store()
GRAPH.load(vocabulary().encode(), format=ox.RdfFormat.TURTLE)
DEFINITIONS = all_measures()


def values(subject: str, predicate: str) -> list[str]:
    prefix, _, local = predicate.partition(":")
    found = GRAPH.quads_for_pattern(ox.NamedNode(subject), ox.NamedNode(PREFIXES[prefix] + local), None)
    return sorted(quad.object.value for quad in found)


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: d.name)
def test_every_measure_is_a_metric_with_all_that_is_known_of_it(definition: Definition) -> None:
    iri = NS + definition.name
    assert f"{PREFIXES['dqv']}Metric" in values(iri, "rdf:type")
    assert values(iri, "skos:prefLabel") == [definition.label]
    assert values(iri, "skos:notation") == [definition.name]
    assert values(iri, "dct:source") == [definition.source]
    assert values(iri, "dqv:inDimension") == [dimension(definition.dimension).value]
    assert values(iri, "oe:symmetric") == [str(definition.symmetric).lower()]
    assert [float(v) for v in values(iri, "oe:best")] == ([] if definition.best is None else [definition.best])
    fixed_ends = definition.scale is None  # else a parameter moves them
    assert [float(v) for v in values(iri, "oe:minimum")] == [low for low in definition.range[:1] if fixed_ends]
    if definition.fixed:
        (bare,) = values(iri, "oe:presetOf")
        (spec,) = values(iri, "oe:spec")
        assert oe.parse(spec) == oe.parse(definition.name)
        assert spec.startswith(bare.removeprefix(NS) + "(")
    else:
        names = {value for own in values(iri, "oe:parameter") for value in values(own, "rdfs:label")}
        assert names == set(definition.parameters)


def test_the_dimensions_are_those_of_bade_and_benz_and_ours() -> None:
    found = {q.subject.value for q in GRAPH.quads_for_pattern(None, None, ox.NamedNode(f"{PREFIXES['dqv']}Dimension"))}
    names = ("lexical", "structural", "instanceAssignment", "conceptSimilarity", "extraction", "labelling", "agreement")
    assert found == {NS + name for name in (*names, "relational")}


def test_every_term_of_a_result_is_declared() -> None:
    one, two = oe.Ontology.from_edges([("a", "r"), ("b", "a")]), oe.Ontology.from_edges([("a", "r"), ("c", "r")])
    result = confidence(oe.evaluate(oe.Comparison(one, two), ["LP", "TP_csc", "AvgSub"]), rounds=2)
    empty = oe.Ontology.from_edges([], concepts=["a"])
    undefined = oe.evaluate(oe.Comparison(empty, empty), ["AvgSub"])
    used = set()
    for triple in [*result_triples(result), *result_triples(undefined)]:
        used.add(triple.predicate.value)
        if triple.predicate.value.endswith("#type"):
            used.add(triple.object.value)
    ours = {term for term in used if term.startswith(NS)}
    assert {f"{NS}RunScore", f"{NS}ConceptScore", f"{NS}spec", f"{NS}undefined", f"{NS}low"} <= ours
    kinds = {"Class", "ObjectProperty", "DatatypeProperty"}
    for term in ours:
        assert {kind.rpartition("#")[2] for kind in values(term, "rdf:type")} & kinds, term
        assert values(term, "rdfs:comment"), term


def test_the_command_prints_turtle_that_others_read() -> None:
    result = run("schema", "rdf")
    assert result.exit_code == 0
    assert len(rdflib.Graph().parse(data=result.stdout, format="turtle")) == len(GRAPH)
