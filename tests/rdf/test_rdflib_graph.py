"""to_graph: an ontology as an rdflib graph, and back."""

from __future__ import annotations

import pytest
import rdflib
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, Literal, URIRef
from snippets import EX, PREFIXES, load

import ontoeval as oe
from ontoeval.rdf.ontology_writer import to_graph

OWL_FILE = """
:o a owl:Ontology . :b rdfs:subClassOf :a . :c rdfs:subClassOf :b, :a, :c .
:d rdfs:subClassOf :e . :e rdfs:subClassOf :d .
:f a owl:Class ; owl:equivalentClass :a ; skos:related :b . :g a owl:Class ; owl:sameAs :b .
:old a owl:Class ; owl:deprecated true ; rdfs:label "gone" .
:a rdfs:label "A"@en, "a" ; skos:altLabel "Ah"@de ; skos:hiddenLabel "h" ; oio:hasExactSynonym "x" ;
   oio:hasNarrowSynonym "n" ; oio:hasBroadSynonym "w" ; oio:hasRelatedSynonym "r" ; dct:title "T"@en .
:i a :b . :j a :b, :c .
"""
SKOS_FILE = """
:s a skos:ConceptScheme ; skos:hasTopConcept :a . :b a skos:Concept ; skos:broader :a . :c skos:broader :b, :c .
:d a skos:Concept ; skos:exactMatch :c ; skos:related :b ; skos:prefLabel "D"@en, "De"@de ; skos:altLabel "d" .
:a skos:hiddenLabel "aa" . :doc dct:subject :b, :c .
"""


def picture(ontology: oe.Ontology) -> dict[str, object]:
    """Everything that measures can see, weights and aliases apart."""
    hierarchy, lexicon, placed = ontology.hierarchy, ontology.lexicon, ontology.instances
    contents: dict[str, object] = {
        "iris": hierarchy.iris,
        "root": (hierarchy.has_root, hierarchy.root_added, hierarchy.attached.tolist()),
        "self_edges": hierarchy.self_edges.tolist(),
        "labels": (lexicon.concepts.tolist(), lexicon.texts, lexicon.languages, lexicon.roles.tolist()),
        "instances": None,
        "profile": ontology.source.profile,
    }
    for kind in ("parents", "children", "related", "synonyms"):
        adjacency = getattr(hierarchy, kind)
        contents[kind] = (adjacency.indptr.tolist(), adjacency.indices.tolist(), adjacency.weights.tolist())
    if placed is not None:
        rows = placed.strength.tocoo()
        contents["instances"] = (placed.iris, sorted(zip(rows.row.tolist(), rows.col.tolist(), strict=True)))
    return contents


@pytest.mark.parametrize("text", [OWL_FILE, SKOS_FILE])
@pytest.mark.parametrize("way", ["graph", "turtle", "xml"])
def test_a_graph_read_back_is_the_same_ontology(text: str, way: str) -> None:
    first = load(text)
    graph = to_graph(first)
    assert isinstance(graph, rdflib.Graph)
    source = graph if way == "graph" else graph.serialize(format=way, encoding="utf-8")
    assert picture(oe.load_ontology(source)) == picture(first)


@pytest.mark.parametrize("text", [OWL_FILE, SKOS_FILE])
def test_an_ontology_that_came_from_a_graph_goes_back_to_one_of_the_same_kind(text: str) -> None:
    graph = rdflib.Graph().parse(data=PREFIXES + text, format="turtle")
    first = oe.load_ontology(graph)
    assert picture(oe.load_ontology(to_graph(first))) == picture(first)


@pytest.mark.parametrize("text", [OWL_FILE, SKOS_FILE])
def test_a_graph_of_a_graph_is_the_same_graph(text: str) -> None:
    once = to_graph(load(text))
    twice = to_graph(oe.load_ontology(once.serialize(format="turtle", encoding="utf-8")))
    assert set(once) == set(twice)


def test_an_owl_ontology_has_classes_and_subclass_links() -> None:
    graph = to_graph(load(OWL_FILE))
    named = {node: URIRef(EX + node) for node in "abcdefgij"}
    assert set(graph.subjects(RDF.type, OWL.Class)) == {named[node] for node in "abcdefg"}
    expected = {"ba", "cb", "ca", "cc", "de", "ed", "fa", "af"}
    assert {(s, o) for s, o in graph.subject_objects(RDFS.subClassOf)} == {(named[a], named[b]) for a, b in expected}
    assert (named["i"], RDF.type, named["b"]) in graph
    assert (named["a"], RDFS.label, Literal("A", lang="en")) in graph
    assert not set(graph.subjects(RDF.type, SKOS.Concept))


def test_a_skos_ontology_has_concepts_and_broader_links() -> None:
    graph = to_graph(load(SKOS_FILE))
    named = {node: URIRef(EX + node) for node in "abcd"}
    assert set(graph.subjects(RDF.type, SKOS.Concept)) == set(named.values())
    assert {(s, o) for s, o in graph.subject_objects(SKOS.broader)} == {
        (named["b"], named["a"]),
        (named["c"], named["b"]),
        (named["c"], named["c"]),
    }
    assert (named["d"], SKOS.prefLabel, Literal("De", lang="de")) in graph
    assert (URIRef(EX + "doc"), DCTERMS.subject, named["b"]) in graph
    assert not set(graph.subjects(RDF.type, OWL.Class))


def test_an_added_root_and_its_edges_are_not_written() -> None:
    graph = to_graph(load(":a a owl:Class . :b a owl:Class ."))
    assert set(graph) == {(URIRef(EX + name), RDF.type, OWL.Class) for name in "ab"}


def test_a_chosen_root_with_parents_keeps_only_the_files_edges() -> None:
    graph = to_graph(load(":b rdfs:subClassOf :a . :c a owl:Class .", root=EX + "b"))
    assert set(graph.subject_objects(RDFS.subClassOf)) == {(URIRef(EX + "b"), URIRef(EX + "a"))}


def test_names_that_stand_in_for_labels_are_not_written() -> None:
    graph = to_graph(load(":ConferenceMember a owl:Class ."))
    assert set(graph) == {(URIRef(EX + "ConferenceMember"), RDF.type, OWL.Class)}


@pytest.mark.parametrize(
    ("role", "prop"),
    [
        ("exact", "hasExactSynonym"),
        ("narrow", "hasNarrowSynonym"),
        ("broad", "hasBroadSynonym"),
        ("related", "hasRelatedSynonym"),
    ],
)
def test_synonyms_keep_their_scope(role: str, prop: str) -> None:
    graph = to_graph(load(f':a a owl:Class ; oio:{prop} "x"@en .'))
    oio = "http://www.geneontology.org/formats/oboInOwl#"
    assert set(graph.objects(URIRef(EX + "a"), URIRef(oio + prop))) == {Literal("x", lang="en")}
    ontology = oe.load_ontology(graph)
    assert [tuple(label) for label in ontology.lexicon.entries(0)] == [("x", "en", role)]


def test_an_obo_file_goes_through_a_graph() -> None:
    data = b"""format-version: 1.4
ontology: x

[Term]
id: X:1
name: one
synonym: "uno" EXACT []

[Term]
id: X:2
is_a: X:1
"""
    first = oe.load_ontology(data)
    assert picture(oe.load_ontology(to_graph(first))) == picture(first)


# Plain names


def test_plain_names_become_urns_with_the_name_as_label() -> None:
    ontology = oe.Ontology.from_edges([("motor bike", "véhicule/à roues"), ("50%", "véhicule/à roues")])
    graph = to_graph(ontology)
    bike, vehicle, half = (
        URIRef("urn:name:" + name) for name in ("motor%20bike", "v%C3%A9hicule%2F%C3%A0%20roues", "50%25")
    )
    assert set(graph) == {
        (bike, RDF.type, OWL.Class),
        (vehicle, RDF.type, OWL.Class),
        (half, RDF.type, OWL.Class),
        (bike, RDFS.subClassOf, vehicle),
        (half, RDFS.subClassOf, vehicle),
        (bike, RDFS.label, Literal("motor bike")),
        (vehicle, RDFS.label, Literal("véhicule/à roues")),
        (half, RDFS.label, Literal("50%")),
    }


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)


@settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(names, names), min_size=1, max_size=6))
def test_plain_names_come_back_as_labels_on_the_same_hierarchy(edges: list[tuple[str, str]]) -> None:
    first = oe.Ontology.from_edges(edges)
    second = oe.load_ontology(to_graph(first))

    def named(ontology: oe.Ontology) -> tuple[set[tuple[str, str]], set[str], set[str]]:
        """Edges between labels, loops, and concepts under the root."""
        hierarchy = ontology.hierarchy
        text = [ontology.label_of(concept) for concept in range(len(hierarchy))]
        stated = hierarchy.given
        rows = zip(hierarchy.parents.tails[stated], hierarchy.parents.indices[stated], strict=True)
        return (
            {(text[a], text[b]) for a, b in rows},
            {text[c] for c in hierarchy.self_edges.tolist()},
            {text[c] for c in hierarchy.attached.tolist()},
        )

    assert named(second) == named(first)
    assert second.describe()["concepts"] == first.describe()["concepts"]


def test_labels_of_plain_names_are_written_as_well() -> None:
    ontology = oe.Ontology.from_edges([("c1", "c0")], labels={"c1": ["car", ("Auto", "de")], "c0": "vehicle"})
    graph = to_graph(ontology)
    car = URIRef("urn:name:c1")
    assert set(graph.objects(car, RDFS.label)) == {Literal("car")}
    assert set(graph.objects(car, SKOS.altLabel)) == {Literal("Auto", lang="de")}
    assert set(graph.objects(URIRef("urn:name:c0"), RDFS.label)) == {Literal("vehicle")}


def test_instances_of_plain_names_are_urns() -> None:
    ontology = oe.Ontology.from_edges([("car", "vehicle")], instances={"my car": "car", EX + "i": ["car", "vehicle"]})
    graph = to_graph(ontology)
    car, vehicle = URIRef("urn:name:car"), URIRef("urn:name:vehicle")
    assert set(graph.subject_objects(RDF.type)) - {(car, OWL.Class), (vehicle, OWL.Class)} == {
        (URIRef("urn:name:my%20car"), car),
        (URIRef(EX + "i"), car),
        (URIRef(EX + "i"), vehicle),
    }
    again = oe.load_ontology(graph)
    assert again.instances is not None
    assert again.instances.iris == (EX + "i", "urn:name:my%20car")
    assert again.instances.strength.toarray().tolist() == [[1.0, 1.0], [0.0, 1.0]]  # vehicle is 0, car is 1


def test_a_table_goes_through_a_graph() -> None:
    graph = to_graph(oe.load_ontology(b"car\tvehicle\n"))
    assert (URIRef("urn:name:car"), RDFS.subClassOf, URIRef("urn:name:vehicle")) in graph


def test_the_ontology_is_not_changed() -> None:
    ontology = load(OWL_FILE)
    before = picture(ontology)
    to_graph(ontology)
    assert picture(ontology) == before


@pytest.mark.parametrize(
    "name", ["urn:a<b>", 'http://ex.org/a"b', "http://ex.org/{x}", "http://ex.org/a|b", "http://ex.org/a^`b"]
)
def test_a_name_that_only_looks_like_an_iri_makes_no_broken_graph(name: str) -> None:
    """A table may hold such names; RDF has no IRI with these characters."""
    graph = to_graph(oe.Ontology.from_edges([(name, "top")]))
    again = oe.load_ontology(graph.serialize(format="turtle", encoding="utf-8"))
    assert again.hierarchy.iris[0] == "urn:name:top"
    assert len(again.hierarchy) == 2
    assert again.label_of(1) == name
