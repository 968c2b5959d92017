"""The graph to check: files and graphs in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from ontoeval.errors import ParameterError
from ontoeval.load import terms
from ontoeval.load.formats import FORMATS, format_of
from ontoeval.load.input import Input, open_input
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.rdf import quads_of_graph, worded_errors
from ontoeval.load.options import LoadOptions
from ontoeval.model.lexicon import is_iri

Triples = Iterable[Any]  # of ox.Triple or ox.Quad

LABEL = f"{terms.RDFS}label"


@dataclass(frozen=True)
class Data:
    """A graph that can be read again and again."""

    name: str
    triples: Callable[[], Iterator[Any]]


@contextmanager
def open_graph(source: object, format: str | None = None) -> Iterator[Data]:
    if type(source).__module__.split(".")[0] == "rdflib":
        given = list(quads_of_graph(source))  # type: ignore[arg-type]
        yield Data("(rdflib)", lambda: iter(given))
    elif (
        isinstance(source, Iterable) and not isinstance(source, str | bytes | bytearray) and not hasattr(source, "read")
    ):
        given = list(source)
        if not all(isinstance(triple, ox.Triple | ox.Quad) for triple in given):
            raise ParameterError(
                "an iterable to validate must hold triples or quads of pyoxigraph. Give a file or a graph."
            )
        yield Data("(triples)", lambda: iter(given))
    else:
        with closing(open_input(source)) as opened:
            name = format_of(opened, format)
            yield Data(opened.name, lambda: triples_in(opened, name))


def triples_in(given: Input, format: str) -> Iterator[Any]:
    """The triples of a file; what stands in a format without any becomes classes."""
    row = FORMATS[format]
    if row.rdf is None:
        yield from _triples_of(row.read(given, LoadOptions()))
        return
    with worded_errors(given.name, format, source=given), row.rdf(given, LoadOptions()) as quads:
        yield from quads


def _triples_of(facts: Facts) -> Iterator[ox.Triple]:
    plain = list(facts.names)
    names = [_named(name) for name in plain]
    kind, known = ox.NamedNode(terms.TYPE), ox.NamedNode(terms.CLASS)
    for concept in {*facts.concepts, *facts.children, *facts.parents}:
        yield ox.Triple(names[concept], kind, known)
        if facts.profile == "names":
            yield ox.Triple(names[concept], ox.NamedNode(LABEL), ox.Literal(plain[concept]))
    for child, parent in zip(facts.children, facts.parents, strict=True):
        yield ox.Triple(names[child], ox.NamedNode(terms.SUBCLASS), names[parent])
    for concept, text, role in zip(facts.labelled, facts.texts, facts.roles, strict=True):
        if role == "preferred":
            yield ox.Triple(names[concept], ox.NamedNode(LABEL), ox.Literal(text))
    for concept in facts.deprecated:
        yield ox.Triple(names[concept], ox.NamedNode(terms.DEPRECATED), ox.Literal(True))


def _named(name: str) -> ox.NamedNode:
    try:
        if is_iri(name):
            return ox.NamedNode(name)
    except ValueError:  # it only looks like an IRI
        pass
    return ox.NamedNode(f"urn:name:{quote(name, safe='')}")


def key(term: Any) -> str:
    if type(term) is ox.NamedNode:
        return str(term.value)
    return str(term)
