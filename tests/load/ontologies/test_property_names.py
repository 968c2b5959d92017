"""Declared properties are not concepts; their names are known in every format that declares them."""

from __future__ import annotations

import json

import pytest

import ontoeval as oe

X = "http://x.org/"
TURTLE = f"""@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<{X}A> a owl:Class ; rdfs:subClassOf <{X}B> . <{X}p> a owl:ObjectProperty . <{X}q> a owl:DatatypeProperty .
<{X}r> a owl:AnnotationProperty . <{X}i> a <{X}A> ."""
FUNCTIONAL = f"""Ontology(<{X}o> Declaration(Class(<{X}A>)) SubClassOf(<{X}A> <{X}B>)
Declaration(ObjectProperty(<{X}p>)) Declaration(DataProperty(<{X}q>)) Declaration(AnnotationProperty(<{X}r>)))"""
OBO = "format-version: 1.2\n\n[Term]\nid: X:1\nis_a: X:2\n\n[Typedef]\nid: part_of\n\n[Typedef]\nid: RO:7\n"
NODES = [("A", "CLASS"), ("B", "CLASS"), ("p", "PROPERTY")]
OBOGRAPH = {
    "graphs": [
        {
            "nodes": [{"id": X + name, "type": kind} for name, kind in NODES],
            "edges": [{"sub": f"{X}A", "pred": "is_a", "obj": f"{X}B"}],
        }
    ]
}


@pytest.mark.parametrize("other_relations", [False, True])
@pytest.mark.parametrize(
    ("text", "local_names"),
    [
        (TURTLE, {"p", "q", "r"}),
        (FUNCTIONAL, {"p", "q", "r"}),
        (OBO, {"part_of", "RO_7"}),
        (json.dumps(OBOGRAPH), {"p"}),
    ],
    ids=["turtle", "ofn", "obo", "obograph"],
)
def test_the_names_of_properties(text: str, local_names: set[str], other_relations: bool) -> None:
    ontology = oe.load_ontology(text.encode(), other_relations=other_relations)
    assert set(ontology.properties_by_local_name) == local_names
    assert set(ontology.properties_by_local_name.values()) == ontology.property_names
    assert not ontology.property_names & set(ontology.hierarchy.iris)
