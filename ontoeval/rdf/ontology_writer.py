"""Ontologies out: as RDF, or as a table of edges with the instances in another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np
import pyoxigraph as ox

from ontoeval.errors import OntoevalError, ParameterError
from ontoeval.files import replacing
from ontoeval.load import terms
from ontoeval.model.arrays import Adjacency
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import NAME, ROLES, is_iri
from ontoeval.model.ontology import Ontology

_RDF = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".owl": ox.RdfFormat.RDF_XML,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".xml": ox.RdfFormat.RDF_XML,
}
SUFFIXES = (*_RDF, ".tsv")
_PROPERTY = {role: iri for iri, role in reversed(terms.LABELS.items())}  # of a label
_PREFIXES = {
    "owl": terms.OWL, "rdf": terms.RDF, "rdfs": terms.RDFS, "skos": terms.SKOS, "dct": terms.DCT,
    "oboInOwl": terms.OBO_IN_OWL,
}  # fmt: skip


def check_output(path: str | Path) -> None:
    """Refuse a name of which the format cannot be told."""
    if Path(path).suffix.lower() not in SUFFIXES:
        *others, last = SUFFIXES
        raise ParameterError(f"{path}: cannot tell the format. Give a name that ends in {', '.join(others)} or {last}.")


def write_ontology(ontology: Ontology, path: str | Path, *, instances: str | Path | None = None) -> tuple[str, ...]:
    """Write concepts, edges, labels and instances: as RDF, or as a table of edges, by the suffix of `path`.

    .ttl, .nt, .owl, .rdf and .xml (RDF/XML) hold all of them, if every name is an IRI; SKOS stays SKOS, all else
    becomes OWL. .tsv holds child, parent, the weights if they differ, and the first label of each concept. `instances`
    is a table of its own for the instances (instance, concept, strength), which .tsv needs. An added root is not
    written. What would be lost without being named is an error; the result says what else is left out.

    Loading the files with the same choice of root gives the same ontology.
    """
    check_output(path)
    path = Path(path)
    assigned = _checked_instances(ontology, path, instances)
    with ExitStack() as both:  # neither file is touched if the other cannot be made
        if assigned is not None and instances is not None:
            place = both.enter_context(replacing(instances))
            with place.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(_instance_lines(ontology, assigned, Path(instances)))
            assigned = None
        place = both.enter_context(replacing(path))
        if path.suffix.lower() == ".tsv":
            with place.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(_edge_lines(ontology, path))
            return (*_left_out(ontology), *_in_no_file(ontology))
        _write_rdf(ontology, assigned, place, path)
    return tuple(_in_no_file(ontology))


def _checked_instances(ontology: Ontology, path: Path, separate: str | Path | None) -> InstanceAssignment | None:
    """The instances, if all of them can be written."""
    found = ontology.instances
    if found is None:
        if separate is not None:
            raise ParameterError(f"{separate}: there are no instances to write. Leave --instances-output out.")
        return None
    bare = int(np.count_nonzero(found.strength.indices == 0)) if ontology.hierarchy.root_added else 0
    if bare:
        raise OntoevalError(
            f"{path}: the added root is in no file, and instances sit on it ({bare:,}). "
            "Choose a concept as the root with --root, or change less."
        )
    if separate is not None:
        return found
    if path.suffix.lower() == ".tsv":
        raise ParameterError(
            f"{path}: a table of edges holds no instances, and there are {len(found):,}. Give --instances-output FILE."
        )
    for name in found.iris:
        if _node(name) is None:
            raise ParameterError(
                f"{path}: RDF needs IRIs, and {name!r} is the plain name of an instance. "
                "Write the instances to a table with --instances-output FILE."
            )
    if np.any(found.strength.data != 1):
        raise ParameterError(
            f"{path}: RDF cannot say how strongly an instance belongs to a concept. "
            "Write the instances to a table with --instances-output FILE."
        )
    return found


def _node(name: str) -> ox.NamedNode | None:
    """The IRI, or nothing if it is a plain name."""
    try:
        return ox.NamedNode(name) if is_iri(name) else None
    except ValueError:
        return None


def _write_rdf(ontology: Ontology, instances: InstanceAssignment | None, place: Path, path: Path) -> None:
    syntax = _RDF[path.suffix.lower()]
    nodes = _nodes(ontology, path)
    given = ontology.hierarchy.given
    if np.any(ontology.hierarchy.parents.weights[given] != ontology.hierarchy.weight):
        raise ParameterError(f"{path}: RDF cannot say the weights of edges. Give a name that ends in .tsv.")
    triples = _triples(ontology, nodes, instances, path)
    if syntax is ox.RdfFormat.RDF_XML:
        every = list(triples)  # counted again below
        ox.serialize(every, str(place), format=syntax, prefixes=_PREFIXES)
        _check_xml(place, path, every)
    else:
        ox.serialize(triples, str(place), format=syntax, prefixes=_prefixes(ontology, instances))


def _nodes(ontology: Ontology, path: Path) -> list[Any]:
    """The IRI of each concept; none for an added root."""
    nodes = [_node(name) for name in ontology.hierarchy.iris]
    for concept in range(int(ontology.hierarchy.root_added), len(nodes)):
        if nodes[concept] is None:
            raise ParameterError(
                f"{path}: RDF needs IRIs, and {ontology.hierarchy.iris[concept]!r} is the plain name of a concept. "
                "Give a name that ends in .tsv."
            )
    return nodes


def _triples(
    ontology: Ontology, nodes: list[Any], instances: InstanceAssignment | None, path: Path
) -> Iterator[ox.Triple]:
    skos, hierarchy = ontology.source.profile == "skos", ontology.hierarchy
    kind, a = ox.NamedNode(terms.CONCEPT if skos else terms.CLASS), ox.NamedNode(terms.TYPE)
    up = ox.NamedNode(terms.BROADER if skos else terms.SUBCLASS)
    beside = (
        (hierarchy.related, ox.NamedNode(terms.RELATED)),
        (hierarchy.synonyms, ox.NamedNode(terms.EXACT_MATCH if skos else terms.SAME_AS)),
    )
    loops = set(hierarchy.self_edges.tolist())
    given = _given(ontology)
    for concept in range(int(hierarchy.root_added), len(nodes)):
        node = nodes[concept]
        yield ox.Triple(node, a, kind)
        for prop, literal in _labels(ontology, concept, skos, path):
            yield ox.Triple(node, prop, literal)
        for parent in [*given[concept].tolist(), *([concept] if concept in loops else [])]:
            yield ox.Triple(node, up, nodes[parent])
        for links, prop in beside:
            for other in links[concept].tolist():
                yield ox.Triple(node, prop, nodes[other])
    if instances is None:
        return
    subject, individual = ox.NamedNode(terms.SUBJECT), ox.NamedNode(terms.OWL + "NamedIndividual")
    placed = instances.strength
    for row, name in enumerate(instances.iris):
        one = ox.NamedNode(name)
        if not skos:
            yield ox.Triple(one, a, individual)
        for concept in placed.indices[placed.indptr[row] : placed.indptr[row + 1]].tolist():
            yield ox.Triple(one, subject if skos else a, nodes[concept])


def _given(ontology: Ontology) -> Adjacency:
    """The edges of the file."""
    above, given = ontology.hierarchy.parents, ontology.hierarchy.given
    return Adjacency.from_pairs(above.size, above.tails[given], above.indices[given], above.weights[given])


def _labels(ontology: Ontology, concept: int, skos: bool, path: Path) -> Iterator[tuple[ox.NamedNode, ox.Literal]]:
    for label in ontology.lexicon.entries(concept):
        if label.role == "name":
            continue  # read off the IRI again
        plain = not skos and label.role == "preferred"
        prop = ox.NamedNode(terms.RDFS + "label" if plain else _PROPERTY[label.role])
        try:
            yield prop, ox.Literal(label.text, language=label.language or None)
        except ValueError:
            raise OntoevalError(
                f"{path}: the language {label.language!r} of the label {label.text!r} is none that RDF knows. "
                "Correct it in the ontology."
            ) from None


def _prefixes(ontology: Ontology, instances: InstanceAssignment | None) -> dict[str, str]:
    """Those that are used, and the empty one for most concepts."""
    skos = ontology.source.profile == "skos"
    roles = {ROLES[role] for role in np.unique(ontology.lexicon.roles).tolist()}
    labels = {_PROPERTY.get(role, "") for role in (roles if skos else roles - {"preferred"})}
    used = {"skos"} if skos else {"owl", "rdfs"}
    used |= {name for name, space in _PREFIXES.items() if any(iri.startswith(space) for iri in labels)}
    used |= {"dct"} if skos and instances is not None else set()
    spaces = Counter(iri[: max(iri.rfind("#"), iri.rfind("/")) + 1] for iri in ontology.hierarchy.iris)
    own = min(spaces.items(), key=lambda found: (-found[1], found[0]))[0]
    chosen = {"": own} if _node(own) is not None and own not in _PREFIXES.values() else {}
    return chosen | {name: space for name, space in _PREFIXES.items() if name in used}


def _check_xml(place: Path, path: Path, triples: Iterable[ox.Triple]) -> None:
    """XML has no way to say some characters: what was written is read again."""
    try:
        with place.open("rb") as stream:
            expat.ParserCreate().ParseFile(stream)
        read = {quad.triple for quad in ox.parse(path=str(place), format=ox.RdfFormat.RDF_XML)}
        whole = read == set(triples)
    except (SyntaxError, ValueError, expat.ExpatError):
        whole = False
    if not whole:
        raise OntoevalError(
            f"{path}: XML cannot say some characters of the labels. Give a name that ends in .ttl or .nt."
        )


def _edge_lines(ontology: Ontology, path: Path) -> Iterator[str]:
    hierarchy = ontology.hierarchy
    weighted = bool(np.any(hierarchy.parents.weights[hierarchy.given] != hierarchy.weight))
    labelled = bool(np.any(ontology.lexicon.roles != NAME))
    yield "child\tparent" + "\tweight" * weighted + "\tlabel" * labelled + "\n"
    given, loops = _given(ontology), set(hierarchy.self_edges.tolist())
    for concept in range(int(hierarchy.root_added), len(hierarchy)):
        name = _cell(hierarchy.iris[concept], path)
        label = f"\t{_on_a_line(_first_label(ontology, concept))}" * labelled
        start, stop = given.indptr[concept], given.indptr[concept + 1]
        edges = list(zip(given.indices[start:stop].tolist(), given.weights[start:stop].tolist(), strict=True))
        edges += [(concept, hierarchy.weight)] * (concept in loops)
        for parent, weight in edges:
            yield f"{name}\t{hierarchy.iris[parent]}" + f"\t{weight!r}" * weighted + label + "\n"
        if not edges:
            yield f"{name}\t" + "\t" * weighted + label + "\n"


def _instance_lines(ontology: Ontology, instances: InstanceAssignment, path: Path) -> Iterator[str]:
    yield "instance\tconcept\tstrength\n"
    placed, iris = instances.strength, ontology.hierarchy.iris
    for row, name in enumerate(instances.iris):
        written = _cell(name, path)
        here = slice(placed.indptr[row], placed.indptr[row + 1])
        for concept, strength in zip(placed.indices[here].tolist(), placed.data[here].tolist(), strict=True):
            yield f"{written}\t{_cell(iris[concept], path)}\t{strength!r}\n"


def _first_label(ontology: Ontology, concept: int) -> str:
    return next((entry.text for entry in ontology.lexicon.entries(concept) if entry.role != "name"), "")


def _on_a_line(text: str) -> str:
    return re.sub(r"[\t\r\n]+", " ", text).strip()


def _cell(text: str, path: Path) -> str:
    if not text or text != text.strip() or any(letter in text for letter in "\t\r\n"):
        raise ParameterError(
            f"{path}: the name {text!r} cannot stand in a table, where cells have no tabs, line breaks or outer "
            "blanks. Change the name."
        )
    return text


def _in_no_file(ontology: Ontology) -> Iterator[str]:
    """What no format here holds."""
    if ontology.counts is not None:
        yield "how often concepts occur was left out"
    if ontology.aliases:
        yield f"former names of concepts left out: {len(ontology.aliases):,}"
    if ontology.senses:
        yield f"orders of the senses of words left out: {len(ontology.senses):,}"


def _left_out(ontology: Ontology) -> Iterator[str]:
    """What a table of edges does not hold."""
    lexicon, hierarchy = ontology.lexicon, ontology.hierarchy
    own = np.flatnonzero(lexicon.roles != NAME).tolist()
    more = len(own) - int(np.count_nonzero(~lexicon.unlabelled))
    if more:
        yield f"labels left out, as a table holds one of each concept: {more:,}"
    tagged = sum(bool(lexicon.languages[row]) for row in own)
    if tagged:
        yield f"languages of labels left out: {tagged:,}"
    first = [_first_label(ontology, concept) for concept in np.flatnonzero(~lexicon.unlabelled).tolist()]
    changed = sum(text != _on_a_line(text) for text in first)
    if changed:
        yield f"labels changed, as a cell holds no tabs, line breaks or outer blanks: {changed:,}"
    links = (len(hierarchy.related) + len(hierarchy.synonyms)) // 2
    if links:
        yield f"related and synonym links left out: {links:,}"
