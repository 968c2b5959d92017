"""The graph to validate: files, rdflib graphs and triples in; formats without triples become classes."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from ontoeval.errors import ParameterError
from ontoeval.load import terms
from ontoeval.load.formats import Format, detect, named_format
from ontoeval.load.input import Input, open_input
from ontoeval.load.ontologies.edge_table import read_edges, read_json, read_pairs
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.obo import read_obo
from ontoeval.load.ontologies.obograph import read_obograph
from ontoeval.load.ontologies.owlxml import HORNED_FORMATS, full_rdf
from ontoeval.load.ontologies.rdf import RDF_FORMATS, quads_of, quads_of_graph, worded_errors
from ontoeval.load.ontologies.wordnet import read_wordnet
from ontoeval.load.safety import check_xml
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
                "an iterable to validate must hold triples or quads of pyoxigraph",
                advice="Give a file or a graph.",
                parameter="source",
            )
        yield Data("(triples)", lambda: iter(triples))
    else:
        with closing(open_input(source)) as file:
            file_format = _file_format(file, format)
            yield Data(file.name, lambda: triples_in(file, file_format))


def _file_format(file: Input, name: str | None) -> Format:
    if name is None:
        return detect(file)
    format = named_format(name)
    if format in ("xml", "owlxml"):
        check_xml(file)  # the entity check, which detection would have done
    return format


def triples_in(file: Input, format: Format) -> Iterator[Any]:
    """The triples of a file; the concepts of a format without triples become classes."""
    if format in RDF_FORMATS:
        with worded_errors(file.name, format, source=file), quads_of(file, format) as quads:
            yield from quads
    elif format in HORNED_FORMATS:
        with worded_errors(file.name, format):
            yield from full_rdf(file, format)
    else:
        yield from _triples_of(_facts(file, format))


def _facts(file: Input, format: Format) -> Facts:
    if format == "obo":
        return read_obo(io.StringIO(file.read_text()), path=file.name)
    if format == "wordnet":
        return read_wordnet(file)
    if format == "obograph":
        return read_obograph(read_json(file), path=file.name)
    return read_pairs(file) if format == "pairs" else read_edges(file)


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
    for concept in facts.deprecated:
        yield ox.Triple(nodes[concept], ox.NamedNode(terms.DEPRECATED), ox.Literal(True))


def key(term: Any) -> str:
    """A term as text: an IRI without brackets, anything else as in N-Triples."""
    if type(term) is ox.NamedNode:
        return str(term.value)
    return str(term)
