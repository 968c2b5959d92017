"""`open_graph`: triples to validate (formats: load/formats.py); OBO and tables as classes; `key` of a term."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from ontoeval.errors import ParameterError
from ontoeval.load import terms
from ontoeval.load.formats import FORMATS, format_of, suffixes
from ontoeval.load.input import Input, open_input
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.rdf import quads_of_graph, worded_errors
from ontoeval.load.options import LoadOptions
from ontoeval.rdf.vocabulary import concept_node

Triples = Iterable[Any]  # of ox.Triple or ox.Quad

LABEL = f"{terms.RDFS}label"


@dataclass(frozen=True)
class Data:
    """A graph that can be read again and again."""

    name: str
    triples: Callable[[], Iterator[Any]]


@contextmanager
def open_graph(source: object, format: str | None = None) -> Iterator[Data]:
    """The graph of a file, of an rdflib graph or of an iterable of triples."""
    if type(source).__module__.split(".")[0] == "rdflib":
        triples = list(quads_of_graph(source))  # type: ignore[arg-type]
        yield Data("(rdflib)", lambda: iter(triples))
    elif (
        isinstance(source, Iterable) and not isinstance(source, str | bytes | bytearray) and not hasattr(source, "read")
    ):
        triples = list(source)
        if not all(isinstance(triple, ox.Triple | ox.Quad) for triple in triples):
            raise ParameterError(
                "an iterable must contain pyoxigraph triples or quads",
                advice="Use a file or a graph.",
                parameter="source",
            )
        yield Data("(triples)", lambda: iter(triples))
    else:
        with closing(open_input(source, suffixes=suffixes())) as file:
            name, options = format_of(file, format), LoadOptions(format=format)
            yield Data(file.name, lambda: triples_in(file, name, options))


def triples_in(file: Input, format: str, options: LoadOptions | None = None) -> Iterator[Any]:
    """The triples of a file; the concepts of a format without triples become classes."""
    row = FORMATS[format]
    if row.rdf is None:
        yield from _triples_of(row.read(file, options or LoadOptions()))
        return
    with worded_errors(file.name, format, source=file), row.rdf(file, LoadOptions()) as quads:
        yield from quads


def _triples_of(facts: Facts) -> Iterator[ox.Triple]:
    names = list(facts.names)
    nodes = [concept_node(name, "urn:name:") for name in names]
    for concept in {*facts.concepts, *facts.children, *facts.parents}:
        yield ox.Triple(nodes[concept], ox.NamedNode(terms.TYPE), ox.NamedNode(terms.CLASS))
        if facts.profile == "names":
            yield ox.Triple(nodes[concept], ox.NamedNode(LABEL), ox.Literal(names[concept]))
    for child, parent in zip(facts.children, facts.parents, strict=True):
        yield ox.Triple(nodes[child], ox.NamedNode(terms.SUBCLASS), nodes[parent])
    for concept, text, role in zip(facts.labelled, facts.texts, facts.roles, strict=True):
        if role == "preferred":
            yield ox.Triple(nodes[concept], ox.NamedNode(LABEL), ox.Literal(text))
    for name in facts.imports:
        yield ox.Triple(ox.NamedNode("urn:ontology"), ox.NamedNode(terms.IMPORTS), ox.Literal(name))
    for concept in facts.deprecated:
        yield ox.Triple(nodes[concept], ox.NamedNode(terms.DEPRECATED), ox.Literal(True))


def key(term: Any) -> str:
    """A term as text: an IRI without brackets, anything else as in N-Triples."""
    if type(term) is ox.NamedNode:
        return str(term.value)
    return str(term)
