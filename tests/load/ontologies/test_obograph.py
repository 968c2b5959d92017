"""OBO Graphs JSON: every behaviour on a few nodes, then a whole ontology as fastobo converts it."""

from __future__ import annotations

import gzip
import io
import json
import math
from pathlib import Path

import fastobo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontoeval.errors import LoadError
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.obograph import parse_obograph

OBO = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
OWL = "http://www.w3.org/2002/07/owl#"
RDFS_SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
PART_OF = OBO + "BFO_0000050"
DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


def graph(**parts: object) -> dict[str, object]:
    return {"graphs": [parts]}


def read(document: object, *, relations: tuple[str, ...] = ()) -> Facts:
    return parse_obograph(document, path="x.json", relations=relations)


def node(local: str, type: str | None = "CLASS", lbl: str | None = None, **meta: object) -> dict[str, object]:
    whole = {"id": OBO + local, "type": type, "lbl": lbl, "meta": meta}
    return {key: value for key, value in whole.items() if value}


def edge(sub: str, pred: str, obj: str) -> dict[str, object]:
    return {"sub": OBO + sub, "pred": pred, "obj": OBO + obj}


def concepts(facts: Facts) -> set[str]:
    """Those that are declared and those that stand in an edge."""
    same = (number for pair in facts.equivalent for number in pair)
    names = list(facts.names)
    return {names[number] for number in (*facts.concepts, *facts.children, *facts.parents, *same)}


def edges(facts: Facts) -> list[tuple[str, str]]:
    names = list(facts.names)
    return [(names[c], names[p]) for c, p in zip(facts.children, facts.parents, strict=True)]


def labels(facts: Facts) -> list[tuple[str, str, str]]:
    names = list(facts.names)
    return [(names[c], text, role) for c, text, role in zip(facts.labelled, facts.texts, facts.roles, strict=True)]


# Nodes


def test_a_class_is_a_concept_with_a_label_without_a_language() -> None:
    facts = read(graph(nodes=[node("X_1", lbl="one"), node("X_2")]))
    assert facts.profile == "owl"
    assert concepts(facts) == {OBO + "X_1", OBO + "X_2"}
    assert labels(facts) == [(OBO + "X_1", "one", "preferred")]
    assert facts.languages == [""]


def test_properties_and_individuals_are_no_concepts() -> None:
    facts = read(graph(nodes=[node("p", "PROPERTY", "p"), node("i", "INDIVIDUAL", "i")]))
    assert (facts.names, facts.texts) == ({}, [])


def test_a_node_without_a_type_is_a_concept_only_if_it_stands_in_the_hierarchy() -> None:
    nodes = [node(f"X_{i}", None, str(i)) for i in (1, 2, 3)]
    facts = read(graph(nodes=nodes, edges=[edge("X_1", "is_a", "X_2")]))
    assert concepts(facts) == {OBO + "X_1", OBO + "X_2"}
    assert labels(facts) == [(OBO + "X_1", "1", "preferred"), (OBO + "X_2", "2", "preferred")]


def test_what_only_occurs_in_an_is_a_edge_is_a_concept() -> None:
    assert concepts(read(graph(edges=[edge("X_1", "is_a", "X_2")]))) == {OBO + "X_1", OBO + "X_2"}


def test_a_node_of_two_graphs_is_a_class_if_one_says_so() -> None:
    document = {"graphs": [{"nodes": [node("X_1", "PROPERTY")]}, {"nodes": [node("X_1", lbl="one")]}]}
    facts = read(document)
    assert concepts(facts) == {OBO + "X_1"}
    assert labels(facts) == [(OBO + "X_1", "one", "preferred")]


def test_ids_may_be_curies() -> None:
    nodes = [{"id": "X:1", "type": "CLASS", "lbl": "one"}]
    facts = read(graph(nodes=nodes, edges=[{"sub": "X:1", "pred": "is_a", "obj": OBO + "X_2"}]))
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2")]
    assert labels(facts) == [(OBO + "X_1", "one", "preferred")]


def test_blank_nodes_are_no_concepts() -> None:
    blank = {"id": "_:b0", "type": "CLASS", "lbl": "b"}
    rest = [
        {"sub": OBO + "X_1", "pred": "is_a", "obj": "_:b0"},
        {"sub": "_:i", "pred": "type", "obj": OBO + "X_1"},
    ]
    facts = read(graph(nodes=[blank, node("X_1")], edges=rest))
    assert concepts(facts) == {OBO + "X_1"}
    assert (facts.children, facts.instances, facts.texts) == ([], [], [])


@pytest.mark.parametrize("name", ["Thing", "Nothing"])
def test_owl_thing_and_nothing_are_no_concepts_and_links_to_them_are_dropped(name: str) -> None:
    thing = {"id": OWL + name, "type": "CLASS", "lbl": "thing"}
    facts = read(
        graph(
            nodes=[thing, node("X_1", None, "one")],
            edges=[
                {"sub": OBO + "X_1", "pred": "is_a", "obj": OWL + name},
                {"sub": OWL + name, "pred": "is_a", "obj": OBO + "X_2"},
            ],
            equivalentNodesSets=[{"nodeIds": [OBO + "X_1", OWL + name]}],
            logicalDefinitionAxioms=[{"definedClassId": OBO + "X_1", "genusIds": [OWL + name]}],
        )
    )
    assert OWL + name not in facts.names
    assert (facts.children, facts.equivalent) == ([], [])
    assert concepts(facts) == {OBO + "X_1"}
    assert labels(facts) == [(OBO + "X_1", "one", "preferred")]


def test_synonyms_have_the_role_of_their_predicate() -> None:
    synonyms = [
        {"pred": "hasExactSynonym", "val": "a"},
        {"pred": OBO_IN_OWL + "hasNarrowSynonym", "val": "b"},
        {"pred": "oboInOwl:hasBroadSynonym", "val": "c"},
        {"pred": "hasRelatedSynonym", "val": "d", "xrefs": ["X:1"]},
        {"pred": "hasAbbreviation", "val": "e"},
        {"pred": "hasExactSynonym", "val": ""},
    ]
    facts = read(graph(nodes=[node("X_1", synonyms=synonyms)]))
    roles = [("a", "exact"), ("b", "narrow"), ("c", "broad"), ("d", "related"), ("e", "related")]
    assert labels(facts) == [(OBO + "X_1", text, role) for text, role in roles]


def test_a_deprecated_class_is_a_concept_and_deprecated() -> None:
    facts = read(graph(nodes=[node("X_1", deprecated=True), {**node("X_2"), "meta": {"deprecated": False}}]))
    assert concepts(facts) == {OBO + "X_1", OBO + "X_2"}
    assert facts.deprecated == {facts.names[OBO + "X_1"]}


def test_alternative_ids_and_the_namespace_come_from_the_property_values() -> None:
    values = [
        {"pred": OBO_IN_OWL + "hasAlternativeId", "val": "X:9"},
        {"pred": OBO_IN_OWL + "hasOBONamespace", "val": "b"},
        {"pred": OBO_IN_OWL + "hasOBONamespace", "val": "a"},
        {"pred": OBO + "IAO_0100001", "val": "X:8"},
    ]
    nodes = [node("X_9", deprecated=True), node("X_1", basicPropertyValues=values)]
    facts = read(graph(nodes=nodes, edges=[edge("X_2", "is_a", "X_9")]))
    assert facts.aliases == {OBO + "X_9": OBO + "X_1"}
    assert facts.namespaces == {facts.names[OBO + "X_1"]: "a"}
    assert edges(facts) == [(OBO + "X_2", OBO + "X_1")]


def test_an_alternative_id_that_is_a_live_class_stays_that_class() -> None:
    values = [{"pred": OBO_IN_OWL + "hasAlternativeId", "val": "X:9"}]
    facts = read(graph(nodes=[node("X_9"), node("X_1", basicPropertyValues=values)]))
    assert facts.aliases == {}
    assert [note.partition(" (")[0] for note in facts.notes] == ["1 alt_id is also a live term; kept"]


# Edges


@pytest.mark.parametrize("pred", ["is_a", "subClassOf", "rdfs:subClassOf", RDFS_SUBCLASS])
def test_a_subclass_edge_is_hierarchical_with_the_weight_of_its_kind(pred: str) -> None:
    facts = read(graph(edges=[edge("X_1", pred, "X_2")]))
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2")]
    assert [math.isnan(weight) for weight in facts.weights] == [True]


def test_the_subject_of_an_edge_may_have_its_older_key() -> None:
    facts = read(graph(edges=[{"subj": OBO + "X_1", "pred": "is_a", "obj": OBO + "X_2"}]))
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2")]


@pytest.mark.parametrize("pred", ["type", "rdf:type", RDF_TYPE])
def test_a_type_edge_makes_an_instance(pred: str) -> None:
    facts = read(graph(nodes=[node("i", "INDIVIDUAL"), node("X_1")], edges=[edge("i", pred, "X_1")]))
    assert facts.instances == [(OBO + "i", facts.names[OBO + "X_1"], 1.0)]
    assert concepts(facts) == {OBO + "X_1"}


def test_a_type_of_the_owl_vocabulary_makes_no_instance() -> None:
    rest = [{"sub": OBO + "i", "pred": "type", "obj": OWL + "NamedIndividual"}]
    facts = read(graph(edges=rest))
    assert (facts.names, facts.instances) == ({}, [])


def test_edges_of_properties_are_dropped() -> None:
    nodes = [node("p", "PROPERTY"), node("q", "PROPERTY")]
    facts = read(graph(nodes=nodes, edges=[edge("p", "is_a", "q"), edge("p", "subPropertyOf", "q")]))
    assert (facts.names, facts.children) == ({}, [])


@pytest.mark.parametrize("relation", [PART_OF, "BFO:0000050"])
def test_a_relation_asked_for_makes_edges_between_classes(relation: str) -> None:
    nodes = [node("X_1"), node("X_2"), node("i", "INDIVIDUAL"), node("j", "INDIVIDUAL")]
    for pred in (PART_OF, "BFO:0000050"):
        rest = [edge("X_1", pred, "X_2"), edge("i", pred, "j"), edge("X_1", OBO + "BFO_0000051", "X_3")]
        document = graph(nodes=nodes, edges=rest)
        assert edges(read(document, relations=(relation,))) == [(OBO + "X_1", OBO + "X_2")]
        assert edges(read(document)) == []


def test_equivalent_nodes_are_linked_one_after_the_other() -> None:
    nodes = [node("i", "INDIVIDUAL"), node("p", "PROPERTY")]
    sets = [{"nodeIds": [OBO + name for name in ("X_1", "i", "X_2", "p", "X_3")]}, {"nodeIds": [OBO + "X_4"]}]
    facts = read(graph(nodes=nodes, equivalentNodesSets=sets))
    names = list(facts.names)
    assert [(names[a], names[b]) for a, b in facts.equivalent] == [
        (OBO + "X_1", OBO + "X_2"),
        (OBO + "X_2", OBO + "X_3"),
    ]


def test_the_genus_of_a_logical_definition_is_a_superclass() -> None:
    definition = {
        "definedClassId": OBO + "X_1",
        "genusIds": [OBO + "X_2", OBO + "X_3"],
        "restrictions": [{"propertyId": PART_OF, "fillerId": OBO + "X_4"}],
    }
    facts = read(graph(logicalDefinitionAxioms=[definition, {"definedClassId": OBO + "X_5"}]))
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2"), (OBO + "X_1", OBO + "X_3")]


# Documents


def test_the_first_graph_with_an_id_names_the_ontology() -> None:
    assert read({"graphs": [{}, {"id": OBO + "a.owl"}, {"id": OBO + "b.owl"}]}).iri == OBO + "a.owl"
    assert read({"graphs": []}).iri is None


def test_lists_may_be_null_or_missing() -> None:
    parts = ["nodes", "edges", "equivalentNodesSets", "logicalDefinitionAxioms"]
    assert read(graph(**dict.fromkeys(parts))) == Facts(profile="owl") == read(graph())
    facts = read(graph(nodes=[{"id": "X:1", "type": "CLASS", "lbl": None, "meta": {"synonyms": None}}]))
    assert (concepts(facts), facts.texts) == ({OBO + "X_1"}, [])


@settings(deadline=None)
@given(st.permutations(range(4)))
def test_the_order_of_graphs_changes_nothing(order: list[int]) -> None:
    values = [{"pred": "hasAlternativeId", "val": "X:9"}]
    graphs = [
        {"nodes": [node("X_1", None, "one"), node("p", "PROPERTY")]},
        {"edges": [edge("X_1", "is_a", "X_9"), edge("p", "is_a", "X_2")]},
        {"nodes": [node("X_2", basicPropertyValues=values)]},
        {"nodes": [node("X_3", basicPropertyValues=values)]},
    ]
    facts = read({"graphs": [graphs[i] for i in order]})
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2")]
    assert labels(facts) == [(OBO + "X_1", "one", "preferred")]
    assert facts.aliases == {OBO + "X_9": OBO + "X_2"}


# Errors


@pytest.mark.parametrize(
    ("document", "wrong"),
    [
        ([], "the document has no 'graphs'"),
        ({"nodes": []}, "the document has no 'graphs'"),
        ({"graphs": {}}, "graphs is not a list"),
        ({"graphs": [{}, "a"]}, "graphs[1] is not an object"),
        (graph(id=1), "graphs[0].id is not a string"),
        (graph(nodes="a"), "graphs[0].nodes is not a list"),
        (graph(nodes=[node("X_1"), 1]), "graphs[0].nodes[1] is not an object"),
        (graph(nodes=[node("X_1"), {"lbl": "a"}]), "graphs[0].nodes[1] has no 'id'"),
        (graph(nodes=[{"id": ""}]), "graphs[0].nodes[0] has no 'id'"),
        (graph(nodes=[{"id": 1}]), "graphs[0].nodes[0].id is not a string"),
        (graph(nodes=[{"id": "X:1", "type": ["CLASS"]}]), "graphs[0].nodes[0].type is not a string"),
        (graph(nodes=[{**node("X_1"), "lbl": 1}]), "graphs[0].nodes[0].lbl is not a string"),
        (graph(nodes=[{**node("X_1"), "meta": []}]), "graphs[0].nodes[0].meta is not an object"),
        (graph(nodes=[node("X_1", synonyms="a")]), "graphs[0].nodes[0].meta.synonyms is not a list"),
        (graph(nodes=[node("X_1", synonyms=["a"])]), "graphs[0].nodes[0].meta.synonyms[0] is not an object"),
        (
            graph(nodes=[node("X_1", synonyms=[{"val": "a"}])]),
            "graphs[0].nodes[0].meta.synonyms[0] has no 'pred'",
        ),
        (
            graph(nodes=[node("X_1", synonyms=[{"pred": "hasExactSynonym"}])]),
            "graphs[0].nodes[0].meta.synonyms[0] has no 'val'",
        ),
        (
            graph(nodes=[node("X_1", basicPropertyValues=[{"pred": "hasAlternativeId", "val": 9}])]),
            "graphs[0].nodes[0].meta.basicPropertyValues[0].val is not a string",
        ),
        (graph(edges=[{"pred": "is_a", "obj": "X:1"}]), "graphs[0].edges[0] has no 'sub'"),
        (graph(edges=[{"sub": "X:1", "obj": "X:1"}]), "graphs[0].edges[0] has no 'pred'"),
        (graph(edges=[{"sub": "X:1", "pred": "is_a"}]), "graphs[0].edges[0] has no 'obj'"),
        (
            graph(equivalentNodesSets=[{"nodeIds": "X:1"}]),
            "graphs[0].equivalentNodesSets[0].nodeIds is not a list",
        ),
        (
            graph(equivalentNodesSets=[{"nodeIds": [1]}]),
            "graphs[0].equivalentNodesSets[0].nodeIds[0] is not an id",
        ),
        (
            graph(logicalDefinitionAxioms=[{"genusIds": ["X:1"]}]),
            "graphs[0].logicalDefinitionAxioms[0] has no 'definedClassId'",
        ),
    ],
)
def test_a_wrong_structure_is_an_error_that_says_where(document: object, wrong: str) -> None:
    with pytest.raises(LoadError) as caught:
        read(document)
    assert str(caught.value) == (
        f"x.json: {wrong}. Correct the file, or make it again, e.g. with `robot convert --format json`."
    )
    assert (caught.value.path, caught.value.format) == ("x.json", "obograph")


KEYS = ["graphs", "nodes", "edges", "id", "type", "lbl", "meta", "synonyms", "pred", "val", "sub", "obj"]
LEAVES = st.none() | st.booleans() | st.integers() | st.sampled_from(["", "X:1", "CLASS", "is_a"])
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner))


@settings(deadline=None)
@given(JSON)
def test_whatever_the_json_only_load_errors_come_out(value: object) -> None:
    for document in (value, {"graphs": [value]}, {"graphs": [{"nodes": [value], "edges": [value]}]}):
        try:
            profile = read(document).profile
        except LoadError:
            continue
        assert profile == "owl"


# A whole ontology


@pytest.mark.slow
def test_the_human_phenotype_ontology_has_the_hierarchy_that_its_obo_file_has() -> None:
    if not DATA.is_dir():
        pytest.skip("the shared data folder is not here")
    document = fastobo.loads(gzip.decompress((DATA / "hpo" / "hp.obo.gz").read_bytes()).decode("utf-8"))
    stream = io.BytesIO()
    fastobo.dump_graph(document, stream)
    facts = read(json.loads(stream.getvalue()))
    terms = [frame for frame in document if isinstance(frame, fastobo.term.TermFrame)]

    def iri(ident: object) -> str:
        return OBO + str(ident).replace(":", "_")

    clauses = [(iri(term.id), clause) for term in terms for clause in term]
    assert concepts(facts) == {iri(term.id) for term in terms}
    assert len(facts.children) == 23_392
    assert set(edges(facts)) == {
        (child, iri(clause.term)) for child, clause in clauses if isinstance(clause, fastobo.term.IsAClause)
    }
    assert {(concept, text) for concept, text, role in labels(facts) if role == "preferred"} == {
        (concept, clause.name) for concept, clause in clauses if isinstance(clause, fastobo.term.NameClause)
    }


def test_classes_of_obo_in_owl_are_no_concepts() -> None:
    obsolete = OBO_IN_OWL + "ObsoleteClass"
    facts = read(
        graph(
            nodes=[node("A_1"), node("A_2"), {"id": obsolete, "type": "CLASS", "lbl": "Obsolete"}],
            edges=[{"sub": OBO + "A_2", "pred": "is_a", "obj": obsolete}],
        )
    )
    assert concepts(facts) == {OBO + "A_1", OBO + "A_2"}
    assert facts.deprecated == {facts.names[OBO + "A_2"]}
