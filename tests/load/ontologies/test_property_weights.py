"""Weights by property in SKOS, OWL, OBO and OBO Graphs files: which link has which, and lengths against plain loops."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
import pytest
from helpers import refusal
from hypothesis import given
from snippets import EX, load
from twin_weights import EQUIVALENT, KIND, OWL, PART_OF, RDFS, SKOS, Case, Link, every_length, random_links

import ontoeval as oe
from ontoeval.errors import ParameterError

DISTANCE = "Rada(scale=distance)"
RELATED = "Rada(scale=distance, edges=relatedness)"
OBO = "http://purl.obolibrary.org/obo/"


def length(ontology: oe.Ontology, left: str, right: str, measure: str = DISTANCE) -> float:
    return float(oe.relate(ontology, [left], [right], measure)[0])


def assert_lengths(ontology: oe.Ontology, case: Case) -> None:
    links, weights, root = case
    for related, measure in ((False, DISTANCE), (True, RELATED)):
        expected = every_length(links, weights, root, related=related)
        left, right = zip(*expected, strict=True)
        assert oe.relate(ontology, left, right, measure) == pytest.approx(list(expected.values()), rel=0, abs=1e-9)


def triples(links: list[Link]) -> str:
    """The links as N-Triples; narrower and narrowMatch are stated from the broader concept."""
    turned = [(b, name, a) if "narrow" in name else (a, name, b) for a, b, name in links]
    return "".join(f"<{subject}> <{name}> <{target}> .\n" for subject, name, target in turned)


def options(case: Case) -> dict[str, Any]:
    links, weights, root = case
    relations = [PART_OF] if any(name == PART_OF for _, _, name in links) else []
    return {"weights": weights, "root": root, "relations": relations}


# SKOS

IN_SKOS = [iri for iri in KIND if iri not in (EQUIVALENT, RDFS + "subClassOf")]


@given(random_links([*IN_SKOS, PART_OF]))
def test_lengths_in_skos_files_are_those_of_plain_loops(case: Case) -> None:
    types = "".join(f"<{name}> a skos:Concept .\n" for link in case[0] for name in link[:2])
    ontology = load(types + triples(case[0]), profile="skos", mappings=True, close_match=True, transitive=True,
                    **options(case))  # fmt: skip
    assert_lengths(ontology, case)


def test_broader_and_narrower_have_one_weight_from_either_end() -> None:
    for weight in ({"broader": 3}, {"narrower": 3}, {SKOS + "narrower": "3"}):
        ontology = load(":b skos:broader :a . :a skos:narrower :c .", weights=weight)
        assert length(ontology, EX + "b", EX + "c") == 6.0


def test_of_several_links_the_lightest_counts_across_kinds() -> None:
    text = ":b skos:broader :a ; skos:related :a ; skos:exactMatch :a ; skos:relatedMatch :a ."
    weights = {"broader": 4, "related": 3, "relatedMatch": 2, "exactMatch": 5}
    ontology = load(text, weights=weights)
    assert length(ontology, EX + "a", EX + "b") == 4.0
    assert length(ontology, EX + "a", EX + "b", RELATED) == 2.0
    assert length(load(text, weights={**weights, "exactMatch": 1}), EX + "a", EX + "b", RELATED) == 1.0


def test_the_weight_of_a_link_goes_before_that_of_its_kind_in_the_file_and_after_a_number_of_its_own() -> None:
    graph = nx.MultiDiGraph()
    graph.add_edge("b", "a", kind="related", weight=7)
    graph.add_edge("b", "a", kind="related", weight=5)
    graph.add_edge("b", "a", kind="synonym", weight=6)
    hierarchy = oe.load_ontology(graph, weights={"related": 2}).hierarchy
    assert hierarchy.related.weights.tolist() == [5.0, 5.0]  # the lightest, and not that of the synonym link
    assert hierarchy.synonyms.weights.tolist() == [6.0, 6.0]


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("broadMatch", " (set mappings=True to read such links)"),
        ("closeMatch", " (set close_match=True to read such links)"),
        ("narrowerTransitive", " (set transitive=True to read such links)"),
        ("subClassOf", ""),
    ],
)
def test_a_weight_that_no_link_of_the_file_has_is_noted(name: str, note: str) -> None:
    text = ":b skos:broader :a ; skos:broadMatch :a ; skos:closeMatch :a ; skos:exactMatch <http://other.org/x> ."
    shown = name.replace("narrower", "broader")
    expected = f"no {shown} link joins two concepts, so its weight has no effect{note}"
    assert load(text, weights={name: 2, "broader": 2}).source.notes == (expected,)


def test_a_weight_of_links_to_another_vocabulary_alone_is_noted() -> None:
    text = ":b skos:broader :a ; skos:exactMatch <http://other.org/x> ."
    (note,) = load(text, weights={"exactMatch": 2}).source.notes
    assert note == "all exactMatch links lead to concepts outside the file: their weight only matters in merged files"


def test_links_of_a_relation_have_its_weight() -> None:
    text = ":b skos:broader :a . :c :partOf :a ."
    ontology = load(text, relations=PART_OF, weights={PART_OF: 5, "broader": 2}, profile="skos")
    assert length(ontology, EX + "b", EX + "c") == 7.0
    assert "is not read and has no weight" in refusal(ParameterError, load, text, weights={PART_OF: 5})


def test_a_path_through_dropped_concepts_weighs_as_hierarchical_links_do() -> None:
    text = "n:c skos:broader :b . :b skos:broader n:a . n:d skos:broader n:c ."
    ontology = load(text, namespaces=EX + "n#", weights={"hierarchical": 3, "broader": 5})
    assert length(ontology, EX + "n#c", EX + "n#a") == 3.0
    assert length(ontology, EX + "n#d", EX + "n#a") == 8.0


# OWL

IN_OWL = [RDFS + "subClassOf", EQUIVALENT, OWL + "sameAs", SKOS + "exactMatch", SKOS + "related", SKOS + "relatedMatch"]


@given(random_links([*IN_OWL, PART_OF]))
def test_lengths_in_owl_files_are_those_of_plain_loops(case: Case) -> None:
    types = "".join(f"<{name}> a owl:Class .\n" for link in case[0] for name in link[:2])
    assert_lengths(load(types + triples(case[0]), profile="owl", **options(case)), case)


def test_class_expressions_have_the_weight_of_subclasses_and_restrictions_that_of_their_property() -> None:
    text = """
    :b rdfs:subClassOf [ owl:intersectionOf ( :a [ owl:onProperty :partOf ; owl:someValuesFrom :w ] ) ] .
    :c owl:equivalentClass [ owl:intersectionOf ( :a ) ] . :u owl:equivalentClass [ owl:unionOf ( :v ) ] .
    :p rdfs:subClassOf [ owl:onProperty :partOf ; owl:someValuesFrom :q ] .
    :a a owl:Class . :w a owl:Class . :q a owl:Class . :v a owl:Class .
    """
    weights = {"subClassOf": 3, PART_OF: 5, "hierarchical": 100, "equivalentClass": 50}
    ontology = load(text, relations=[PART_OF], weights=weights, root="none")
    expected = {("b", "a"): 3.0, ("b", "w"): 5.0, ("c", "a"): 3.0, ("v", "u"): 3.0, ("p", "q"): 5.0}
    assert {pair: length(ontology, EX + pair[0], EX + pair[1]) for pair in expected} == expected
    assert ontology.source.notes == ("no equivalentClass link joins two concepts, so its weight has no effect",)


# OBO

STANZAS = """format-version: 1.2
[Term]
id: X:1
[Term]
id: X:2
is_a: X:1
relationship: part_of X:3
[Term]
id: X:3
[Typedef]
id: part_of
xref: BFO:0000050
"""


@pytest.mark.parametrize("relation", ["part_of", "BFO:0000050", f"{OBO}BFO_0000050"])
def test_obo_relations_have_the_weight_of_the_name_that_the_user_gave(relation: str) -> None:
    weights = {relation: 5, "subClassOf": 3}
    ontology = oe.load_ontology(STANZAS.encode(), relations=[relation], weights=weights, root="none")
    assert length(ontology, OBO + "X_2", OBO + "X_3") == 5.0
    assert length(ontology, OBO + "X_2", OBO + "X_1") == 3.0


def test_obo_graphs_have_weights_too() -> None:
    nodes = [{"id": f"{OBO}X_{n}", "type": "CLASS"} for n in range(1, 6)]
    edges = [
        {"sub": f"{OBO}X_2", "pred": "is_a", "obj": f"{OBO}X_1"},
        {"sub": f"{OBO}X_2", "pred": f"{OBO}BFO_0000050", "obj": f"{OBO}X_3"},
    ]
    same = [{"nodeIds": [f"{OBO}X_4", f"{OBO}X_5"]}]
    document = json.dumps({"graphs": [{"nodes": nodes, "edges": edges, "equivalentNodesSets": same}]}).encode()
    weights = {"BFO:0000050": 5, "subClassOf": 3, "equivalentClass": 4}
    ontology = oe.load_ontology(document, relations=["BFO:0000050"], weights=weights, root="none")
    assert length(ontology, OBO + "X_2", OBO + "X_3") == 5.0
    assert length(ontology, OBO + "X_2", OBO + "X_1") == 3.0
    assert length(ontology, OBO + "X_4", OBO + "X_5") == 4.0
    assert ontology.source.notes == ()


def test_a_table_has_no_properties() -> None:
    table = b"child\tparent\tweight\nb\ta\t\nc\ta\t2\n"
    ontology = oe.load_ontology(table, weights={"subClassOf": 3, "hierarchical": 4})
    assert length(ontology, "b", "c") == 6.0
    assert ontology.source.notes == ("no subClassOf link joins two concepts, so its weight has no effect",)
