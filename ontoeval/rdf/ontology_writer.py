"""`write_ontology`: RDF file, TSV of edges and instances; `to_graph` (rdflib), `link_frame`; what is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote
from xml.parsers import expat

import numpy as np
import pyoxigraph as ox

from ontoeval.errors import OntoevalError, ParameterError, number_of
from ontoeval.files import replacing
from ontoeval.load import terms
from ontoeval.model.arrays import Adjacency
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import NAME, ROLES, Label, is_iri
from ontoeval.model.ontology import Ontology
from ontoeval.rdf.vocabulary import named_node
from ontoeval.tables import Table

if TYPE_CHECKING:
    import pandas as pd
    import rdflib

_RDF = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".owl": ox.RdfFormat.RDF_XML,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".xml": ox.RdfFormat.RDF_XML,
}
SUFFIXES = (*_RDF, ".tsv")
_LABEL_PROPERTY = {role: iri for iri, role in reversed(terms.LABELS.items())}
_PREFIXES = {
    "owl": terms.OWL, "rdf": terms.RDF, "rdfs": terms.RDFS, "skos": terms.SKOS, "dct": terms.DCT,
    "oboInOwl": terms.OBO_IN_OWL,
}  # fmt: skip
_Statement = tuple[str, str, str | Label]  # subject, property, and an IRI or a label


def check_output(path: str | Path) -> None:
    """Refuse a file name whose suffix is not that of a format."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ParameterError(
            f"unknown suffix {Path(path).suffix!r}",
            place=str(path),
            advice=f"Use one of: {' '.join(SUFFIXES)}.",
            parameter="path",
        )


def write_ontology(ontology: Ontology, path: str | Path, *, instances: str | Path | None = None) -> tuple[str, ...]:
    """Write concepts, edges, labels and instances: as RDF, or as a table of edges, by the suffix of `path`.

    .ttl, .nt, .owl, .rdf and .xml (RDF/XML) hold all of them, if every name is an IRI; SKOS stays SKOS, all else
    becomes OWL. .tsv holds child, parent, the weights if they differ, and the first label of each concept. `instances`
    is a separate table of the instances (instance, concept, strength), which .tsv needs. An added root is not written.
    It is an error if concepts, edges or instances cannot be written; the result says what else is left out.

    Loading the files with the same choice of root gives the same ontology.
    """
    check_output(path)
    path = Path(path)
    assignment = _checked_instances(ontology, path, instances)
    with ExitStack() as both:  # neither file is touched if the other cannot be made
        if assignment is not None and instances is not None:
            place = both.enter_context(replacing(instances))
            with place.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(_instance_lines(ontology, assignment, Path(instances)))
            assignment = None
        place = both.enter_context(replacing(path))
        if path.suffix.lower() == ".tsv":
            with place.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(_edge_lines(ontology, path))
            return (*_not_in_a_table(ontology), *_never_written(ontology))
        _write_rdf(ontology, assignment, place, path)
    return tuple(_never_written(ontology))


def _checked_instances(ontology: Ontology, path: Path, table: str | Path | None) -> InstanceAssignment | None:
    """The instances, if all of them can be written."""
    instances = ontology.instances
    if instances is None:
        if table is not None:
            raise ParameterError(
                "no instances to write",
                place=str(table),
                advice="Remove {instances}.",
                parameter="instances",
            )
        return None
    on_root = int(np.count_nonzero(instances.strength.indices == 0)) if ontology.hierarchy.root_added else 0
    if on_root:
        raise OntoevalError(
            f"{number_of(on_root, 'instance belongs', 'instances belong')} to the added root, which is not written",
            place=str(path),
            advice="Set {root} to a concept, or use a smaller amount of damage.",
        )
    if table is None:
        _check_without_table(instances, path)
    return instances


def _check_without_table(instances: InstanceAssignment, path: Path) -> None:
    """Refuse instances that need a table of their own."""
    advice = "Set {instances=FILE}."
    plain = next((name for name in instances.iris if named_node(name) is None), None)
    if path.suffix.lower() == ".tsv":
        problem = f"a table of links cannot hold the {number_of(len(instances), 'instance', 'instances')}"
    elif plain is not None:
        problem = f"RDF needs IRIs, but the instance {plain!r} has none"
    elif np.any(instances.strength.data != 1):
        problem = "RDF cannot hold the strengths of instances"
    else:
        return
    raise ParameterError(problem, place=str(path), advice=advice, parameter="instances")


# RDF


def to_graph(ontology: Ontology) -> rdflib.Graph:
    """The ontology as an rdflib graph: SKOS if that is where it came from, else OWL.

    What the hierarchy holds is written: concepts, edges, labels, instances; no added root. A name that is no IRI
    becomes `urn:name:` and the name, percent-encoded, with the name as its label. Loading the graph gives the same
    ontology, except for weights of single edges.
    """
    import rdflib
    from rdflib import Literal, URIRef

    graph = rdflib.Graph()
    for subject, predicate, value in _statements(ontology, ontology.instances, declare=False):
        term = URIRef(value) if isinstance(value, str) else Literal(value.text, lang=value.language or None)
        graph.add((URIRef(subject), URIRef(predicate), term))
    return graph


def _statements(ontology: Ontology, instances: InstanceAssignment | None, *, declare: bool) -> Iterator[_Statement]:
    """What RDF says of an ontology, concept by concept, then instance by instance; declare: as owl:NamedIndividual."""
    skos, hierarchy = ontology.source.profile == "skos", ontology.hierarchy
    iris = [_iri(name) for name in hierarchy.iris]
    kind, parent_property = (terms.CONCEPT, terms.BROADER) if skos else (terms.CLASS, terms.SUBCLASS)
    links = (
        (hierarchy.related, terms.RELATED),
        (hierarchy.synonyms, terms.EXACT_MATCH if skos else terms.SAME_AS),
    )
    loops = set(hierarchy.self_edges.tolist())
    parents = _given_parents(ontology)
    for concept in range(int(hierarchy.root_added), len(iris)):
        iri = iris[concept]
        yield iri, terms.TYPE, kind
        for label in ontology.lexicon.entries(concept):
            if label.role != "name" or iri != hierarchy.iris[concept]:  # else the name is read from the IRI again
                yield iri, _label_property(label.role, skos), label
        for parent in [*parents[concept].tolist(), *([concept] if concept in loops else [])]:
            yield iri, parent_property, iris[parent]
        for adjacency, link_property in links:
            for other in adjacency[concept].tolist():
                yield iri, link_property, iris[other]
    if instances is None:
        return
    assigned = instances.strength
    for row, name in enumerate(instances.iris):
        iri = _iri(name)
        if declare and not skos:
            yield iri, terms.TYPE, terms.OWL + "NamedIndividual"
        for concept in assigned.indices[assigned.indptr[row] : assigned.indptr[row + 1]].tolist():
            yield iri, terms.SUBJECT if skos else terms.TYPE, iris[concept]


def _iri(name: str) -> str:
    return name if is_iri(name) else "urn:name:" + quote(name, safe="")


def _label_property(role: str, skos: bool) -> str:
    if role in ("preferred", "name"):
        return terms.SKOS + "prefLabel" if skos else terms.RDFS + "label"
    return _LABEL_PROPERTY[role]


def _given_parents(ontology: Ontology) -> Adjacency:
    """The edges of the input, without those to an added root."""
    parents, given = ontology.hierarchy.parents, ontology.hierarchy.given
    return Adjacency.from_pairs(parents.size, parents.tails[given], parents.indices[given], parents.weights[given])


def _write_rdf(ontology: Ontology, instances: InstanceAssignment | None, place: Path, path: Path) -> None:
    syntax = _RDF[path.suffix.lower()]
    _check_rdf(ontology, path)
    triples = _triples(ontology, instances, path)
    if syntax is ox.RdfFormat.RDF_XML:
        every = list(triples)  # compared below with what can be read again
        ox.serialize(every, str(place), format=syntax, prefixes=_PREFIXES)
        _check_xml(place, path, every)
    else:
        ox.serialize(triples, str(place), format=syntax, prefixes=_prefixes(ontology, instances))


def _check_rdf(ontology: Ontology, path: Path) -> None:
    """Refuse concepts without an IRI, and weights."""
    hierarchy = ontology.hierarchy
    names = hierarchy.iris[int(hierarchy.root_added) :]
    plain = next((name for name in names if named_node(name) is None), None)
    if plain is not None:
        problem = f"RDF needs IRIs, but the concept {plain!r} has none"
    elif np.any(hierarchy.parents.weights[hierarchy.given] != hierarchy.weight):
        problem = "RDF cannot hold the weights of links"
    else:
        return
    raise ParameterError(problem, place=str(path), advice="Use a name that ends in .tsv.", parameter="path")


def _triples(ontology: Ontology, instances: InstanceAssignment | None, path: Path) -> Iterator[ox.Triple]:
    nodes: dict[str, ox.NamedNode] = {}  # each is checked only once

    def node(iri: str) -> ox.NamedNode:
        return nodes.get(iri) or nodes.setdefault(iri, ox.NamedNode(iri))

    for subject, predicate, value in _statements(ontology, instances, declare=True):
        term = node(value) if isinstance(value, str) else _literal(value, path)
        yield ox.Triple(node(subject), node(predicate), term)


def _literal(label: Label, path: Path) -> ox.Literal:
    try:
        return ox.Literal(label.text, language=label.language or None)
    except ValueError:
        raise OntoevalError(
            f"the language {label.language!r} of the label {label.text!r} is not valid in RDF",
            place=str(path),
            advice="Correct it in the ontology.",
        ) from None


def _prefixes(ontology: Ontology, instances: InstanceAssignment | None) -> dict[str, str]:
    """The prefixes that are used, and the empty one for the namespace of most concepts."""
    skos = ontology.source.profile == "skos"
    roles = {ROLES[role] for role in np.unique(ontology.lexicon.roles).tolist()}
    labels = {_LABEL_PROPERTY.get(role, "") for role in (roles if skos else roles - {"preferred"})}
    used = {"skos"} if skos else {"owl", "rdfs"}
    used |= {name for name, namespace in _PREFIXES.items() if any(iri.startswith(namespace) for iri in labels)}
    used |= {"dct"} if skos and instances is not None else set()
    namespaces = Counter(iri[: max(iri.rfind("#"), iri.rfind("/")) + 1] for iri in ontology.hierarchy.iris)
    commonest = min(namespaces.items(), key=lambda item: (-item[1], item[0]))[0]
    usable = named_node(commonest) is not None and commonest not in _PREFIXES.values()
    empty = {"": commonest} if usable else {}
    return empty | {name: namespace for name, namespace in _PREFIXES.items() if name in used}


def _check_xml(place: Path, path: Path, triples: Iterable[ox.Triple]) -> None:
    """Read again what was written: XML cannot hold some characters."""
    try:
        with place.open("rb") as stream:
            expat.ParserCreate().ParseFile(stream)
        read = {quad.triple for quad in ox.parse(path=str(place), format=ox.RdfFormat.RDF_XML)}
        whole = read == set(triples)
    except (SyntaxError, ValueError, expat.ExpatError):
        whole = False
    if not whole:
        raise OntoevalError(
            "XML cannot hold some characters of the labels",
            place=str(path),
            advice="Use a name that ends in .ttl or .nt.",
        )


# tables


class LinkRow(NamedTuple):
    """A link of the file, or a concept without any."""

    child: str
    parent: str | None
    weight: float | None
    label: str  # of the child, "" without one


def link_frame(ontology: Ontology) -> pd.DataFrame:
    """The rows of a table of links as a data frame; without the columns that say nothing."""
    unused = {"weight": not _is_weighted(ontology), "label": not _is_labelled(ontology)}
    table = Table(_link_rows(ontology), LinkRow).to_frame()
    return table.drop(columns=[name for name, is_unused in unused.items() if is_unused])


def _link_rows(ontology: Ontology) -> Iterator[LinkRow]:
    """The links of the input, child by child, and the concepts that have none."""
    hierarchy = ontology.hierarchy
    parents, loops = _given_parents(ontology), set(hierarchy.self_edges.tolist())
    for concept in range(int(hierarchy.root_added), len(hierarchy)):
        name, label = hierarchy.iris[concept], _first_label(ontology, concept)
        row = slice(parents.indptr[concept], parents.indptr[concept + 1])
        edges = list(zip(parents.indices[row].tolist(), parents.weights[row].tolist(), strict=True))
        edges += [(concept, hierarchy.weight)] * (concept in loops)
        for parent, weight in edges:
            yield LinkRow(name, hierarchy.iris[parent], weight, label)
        if not edges:
            yield LinkRow(name, None, None, label)


def _is_weighted(ontology: Ontology) -> bool:
    hierarchy = ontology.hierarchy
    return bool(np.any(hierarchy.parents.weights[hierarchy.given] != hierarchy.weight))


def _is_labelled(ontology: Ontology) -> bool:
    return bool(np.any(ontology.lexicon.roles != NAME))


def _edge_lines(ontology: Ontology, path: Path) -> Iterator[str]:
    weighted, labelled = _is_weighted(ontology), _is_labelled(ontology)
    yield "child\tparent" + "\tweight" * weighted + "\tlabel" * labelled + "\n"
    for child, parent, weight, label in _link_rows(ontology):
        cells = [_cell(child, path), parent or ""]
        cells += ["" if weight is None else repr(weight)] * weighted + [_one_line(label)] * labelled
        yield "\t".join(cells) + "\n"


def _instance_lines(ontology: Ontology, instances: InstanceAssignment, path: Path) -> Iterator[str]:
    yield "instance\tconcept\tstrength\n"
    assigned, iris = instances.strength, ontology.hierarchy.iris
    for number, name in enumerate(instances.iris):
        instance = _cell(name, path)
        row = slice(assigned.indptr[number], assigned.indptr[number + 1])
        for concept, strength in zip(assigned.indices[row].tolist(), assigned.data[row].tolist(), strict=True):
            yield f"{instance}\t{_cell(iris[concept], path)}\t{strength!r}\n"


def _first_label(ontology: Ontology, concept: int) -> str:
    return next((entry.text for entry in ontology.lexicon.entries(concept) if entry.role != "name"), "")


def _one_line(text: str) -> str:
    return re.sub(r"[\t\r\n]+", " ", text).strip()


def _cell(text: str, path: Path) -> str:
    if not text or text != text.strip() or any(letter in text for letter in "\t\r\n"):
        raise ParameterError(
            f"a table cannot hold the name {text!r}: cells have no TABs, line breaks, leading or trailing spaces",
            place=str(path),
            advice="Change the name.",
        )
    return text


def _never_written(ontology: Ontology) -> Iterator[str]:
    """Notes on what none of these formats holds."""
    if ontology.counts is not None:
        yield "left out: counts of concepts"
    if ontology.aliases:
        yield f"left out: {number_of(len(ontology.aliases), 'former name', 'former names')} of concepts"
    if ontology.relations:
        yield f"left out: {number_of(len(ontology.relations), 'relation', 'relations')} other than is-a"
    if ontology.senses:
        yield f"left out: order of the senses of {number_of(len(ontology.senses), 'word', 'words')}"


def _not_in_a_table(ontology: Ontology) -> Iterator[str]:
    """Notes on what a table of edges does not hold."""
    lexicon, hierarchy = ontology.lexicon, ontology.hierarchy
    labels = np.flatnonzero(lexicon.roles != NAME).tolist()
    more = len(labels) - int(np.count_nonzero(~lexicon.unlabelled))
    if more:
        yield f"left out: {number_of(more, 'label', 'labels')} (a table holds one for each concept)"
    tagged = sum(bool(lexicon.languages[row]) for row in labels)
    if tagged:
        yield f"left out: language of {number_of(tagged, 'label', 'labels')}"
    first = [_first_label(ontology, concept) for concept in np.flatnonzero(~lexicon.unlabelled).tolist()]
    changed = sum(text != _one_line(text) for text in first)
    if changed:
        label = number_of(changed, "label", "labels")
        yield f"{label} changed: a cell holds no TABs, line breaks, leading or trailing spaces"
    links = (len(hierarchy.related) + len(hierarchy.synonyms)) // 2
    if links:
        yield f"left out: {number_of(links, 'related or synonym link', 'related or synonym links')}"
