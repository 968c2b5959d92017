"""An ontology as an rdflib graph."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from ontoeval.load import terms
from ontoeval.model.lexicon import is_iri
from ontoeval.model.ontology import Ontology

if TYPE_CHECKING:
    import rdflib

_LABEL_OF_ROLE = {role: iri for iri, role in reversed(terms.LABELS.items())}


def to_graph(ontology: Ontology) -> rdflib.Graph:
    """The ontology as an rdflib graph: SKOS if that is where it came from, else OWL.

    What the hierarchy holds is written: concepts, edges, labels, instances; no added root. A name that is no IRI
    becomes `urn:name:` and the name, percent-encoded, with the name as its label. Loading the graph gives the same
    ontology, own weights of single edges apart.
    """
    import rdflib
    from rdflib import Literal, URIRef

    graph = rdflib.Graph()
    skos = ontology.source.profile == "skos"
    hierarchy = ontology.hierarchy
    nodes = [URIRef(name if is_iri(name) else "urn:name:" + quote(name, safe="")) for name in hierarchy.iris]
    kind = URIRef(terms.CONCEPT if skos else terms.CLASS)
    for concept in range(int(hierarchy.root_added), len(nodes)):
        graph.add((nodes[concept], URIRef(terms.TYPE), kind))
        for label in ontology.lexicon.entries(concept):
            if label.role != "name" or not is_iri(hierarchy.iris[concept]):
                prop = (
                    terms.RDFS + "label"
                    if not skos and label.role in ("preferred", "name")
                    else _LABEL_OF_ROLE.get(label.role, terms.SKOS + "prefLabel")
                )
                graph.add((nodes[concept], URIRef(prop), Literal(label.text, lang=label.language or None)))
    above, given = hierarchy.parents, hierarchy.given
    upwards = URIRef(terms.BROADER if skos else terms.SUBCLASS)
    for tail, head in zip(above.tails[given].tolist(), above.indices[given].tolist(), strict=True):
        graph.add((nodes[tail], upwards, nodes[head]))
    for concept in hierarchy.self_edges.tolist():
        graph.add((nodes[concept], upwards, nodes[concept]))
    for adjacency, prop in (
        (hierarchy.related, terms.RELATED),
        (hierarchy.synonyms, terms.EXACT_MATCH if skos else terms.SAME_AS),
    ):
        for tail, head in zip(adjacency.tails.tolist(), adjacency.indices.tolist(), strict=True):
            graph.add((nodes[tail], URIRef(prop), nodes[head]))
    if ontology.instances is not None:
        placed = ontology.instances.strength.tocoo()
        for row, concept in zip(placed.row.tolist(), placed.col.tolist(), strict=True):
            name = ontology.instances.iris[row]
            instance = URIRef(name if is_iri(name) else "urn:name:" + quote(name, safe=""))
            graph.add((instance, URIRef(terms.SUBJECT if skos else terms.TYPE), nodes[concept]))
    return graph
