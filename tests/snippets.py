"""A few lines of Turtle to an ontology, and what is in it in short names."""

from __future__ import annotations

import ontoeval as oe

EX = "http://ex.org/"
PREFIXES = """
@prefix : <http://ex.org/> .
@prefix n: <http://ex.org/n#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix schema: <http://schema.org/> .
"""


def load(turtle: str, **options: object) -> oe.Ontology:
    return oe.load_ontology((PREFIXES + turtle).encode(), **options)


def short(iri: str) -> str:
    return iri.removeprefix(EX)


def concepts(ontology: oe.Ontology) -> set[str]:
    """The concepts of the file, without an added root."""
    hierarchy = ontology.hierarchy
    return {short(iri) for iri in hierarchy.iris[int(hierarchy.root_added) :]}


def edges(ontology: oe.Ontology) -> set[str]:
    """The edges of the file as `child < parent`."""
    hierarchy = ontology.hierarchy
    given = hierarchy.given
    rows = zip(hierarchy.parents.tails[given], hierarchy.parents.indices[given], strict=True)
    return {f"{short(hierarchy.iris[child])} < {short(hierarchy.iris[parent])}" for child, parent in rows}


def instances(ontology: oe.Ontology) -> set[str]:
    """Who is on what, as `instance: concept`."""
    if ontology.instances is None:
        return set()
    rows = ontology.instances.strength.tocoo()
    names = ontology.instances.iris
    return {f"{short(names[i])}: {short(ontology.hierarchy.iris[c])}" for i, c in zip(rows.row, rows.col, strict=True)}


def pairs(ontology: oe.Ontology, kind: str) -> set[frozenset[str]]:
    hierarchy = ontology.hierarchy
    adjacency = getattr(hierarchy, kind)
    rows = zip(adjacency.tails, adjacency.indices, strict=True)
    return {frozenset((short(hierarchy.iris[a]), short(hierarchy.iris[b]))) for a, b in rows}
