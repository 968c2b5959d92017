"""`FORMATS`: table of ontology formats (suffixes, aliases); `detect`: surest `is_...` of the readers, else suffix."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ontoeval.errors import EmptyFileError, LoadError, ParameterError, UnknownFormatError, did_you_mean
from ontoeval.load.input import Input
from ontoeval.load.ontologies import owlxml, rdf, rdf_syntax
from ontoeval.load.ontologies.edge_table import TABLE_ADVICE, is_edges, is_pairs, read_edges, read_pairs
from ontoeval.load.ontologies.format import Fit, Head, OntologyFormat, Sniff
from ontoeval.load.ontologies.obo import OboReader, is_obo, read_obo
from ontoeval.load.ontologies.obograph import is_obograph, read_obograph
from ontoeval.load.ontologies.text_kind import list_kind, text_kind
from ontoeval.load.ontologies.wordnet import is_wordnet, read_wordnet
from ontoeval.load.safety import check_xml


def _rdf(name: str, suffixes: tuple[str, ...], sniff: Sniff, **more: Any) -> OntologyFormat:
    """A syntax of RDF."""
    quads, collect = partial(rdf.rdf_quads, format=name), partial(rdf.read_rdf, format=name)
    return OntologyFormat(name, suffixes, sniff, rdf=quads, collect=collect, **more)


def _owl(name: str, suffixes: tuple[str, ...], sniff: Sniff, **more: Any) -> OntologyFormat:
    """A syntax of OWL that py-horned-owl reads."""
    quads, collect = partial(owlxml.owl_quads, format=name), partial(owlxml.read_owl_syntax, format=name)
    return OntologyFormat(name, suffixes, sniff, rdf=quads, collect=collect, **more)


_ROWS = [
    _rdf("xml", (".rdf", ".owl", ".xml", ".rdfs", ".skos", ".rdfxml"), rdf_syntax.is_rdf_xml,
         aliases=("rdfxml", "rdf/xml", "rdf"), written_in="xml"),
    _rdf("turtle", (".ttl", ".turtle"), rdf_syntax.is_turtle, aliases=("ttl",)),
    _rdf("nt", (".nt", ".ntriples"), rdf_syntax.is_ntriples, aliases=("ntriples",)),
    _rdf("nquads", (".nq", ".nquads"), rdf_syntax.is_nquads, aliases=("nq",)),
    _rdf("trig", (".trig",), rdf_syntax.is_trig),
    _rdf("n3", (".n3",), rdf_syntax.is_n3),
    _rdf("json-ld", (".jsonld",), rdf_syntax.is_json_ld, aliases=("jsonld",), written_in="json"),
    _owl("owlxml", (".owx",), owlxml.is_owl_xml, aliases=("owx",), written_in="xml"),
    _owl("ofn", (".ofn", ".fss"), owlxml.is_functional, aliases=("functional",)),
    OntologyFormat("obo", (".obo",), is_obo, read_obo, owl_imports=True, reader=OboReader),
    OntologyFormat("obograph", (), is_obograph, read_obograph, aliases=("obo-graphs", "obographs")),
    OntologyFormat("tsv", (".tsv", ".taxo", ".tab", ".edges"), is_edges, read_edges),
    OntologyFormat("pairs", (), is_pairs, read_pairs, aliases=("json",)),
    OntologyFormat("wordnet", (), is_wordnet, read_wordnet),
]  # fmt: skip
_IF_TABLE = " If it is a table of links, set {columns=child,parent}."
FORMATS: dict[str, OntologyFormat] = {row.name: row for row in _ROWS}


def suffixes() -> dict[str, str]:
    """The formats by the suffixes of their files."""
    return {suffix: row.name for row in FORMATS.values() for suffix in row.suffixes}


def named_format(name: str) -> str:
    """The format that a user calls `name`."""
    lower = name.lower()
    names = {alias: row.name for row in FORMATS.values() for alias in (row.name, *row.aliases)}
    if lower in names:
        return names[lower]
    raise ParameterError(
        f"unknown format {name!r}",
        advice=f"{did_you_mean(lower, names)} Use one of: {', '.join(FORMATS)}.".strip(),
        parameter="format",
    )


def format_of(source: Input, name: str | None = None, columns: Sequence[str] | None = None) -> str:
    """The format that the user names, or else that of the file; columns: what the user calls those of a table."""
    if name is None:
        return detect(source, columns)
    format = named_format(name)
    if FORMATS[format].written_in == "xml":
        check_xml(source)  # the entity check, which detection would have done
    return format


def detect(source: Input, columns: Sequence[str] | None = None) -> str:
    """The format of a file; UnknownFormatError if neither its content nor its suffix tells."""
    by_suffix = suffixes().get(source.suffix)
    head = Head(source, by_suffix)
    if not head.start:
        raise EmptyFileError("the file is empty", advice="Use an ontology file.", path=source.name)
    if head.start[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise _html_page(source)
    fit, name = Fit.NO, ""
    for row in FORMATS.values():
        if (row_fit := row.sniff(head)) and row_fit >= fit:
            fit, name = Fit(row_fit), row.name
    if fit:
        return name
    if head.root is not None:
        raise _unknown_xml(source, head.root.name)
    if columns is not None and head.is_table:
        return "tsv"
    kind_of = {None: text_kind, "tsv": list_kind}.get(by_suffix)
    if kind_of is not None and (kind := kind_of(head.raw_lines)) is not None:
        raise UnknownFormatError(
            f"this looks like {kind}, not an ontology",
            advice=f"{TABLE_ADVICE} Other formats: {', '.join(FORMATS)}.{_IF_TABLE * head.is_table}",
            parameter="format",
            path=source.name,
        )
    if head.text and by_suffix is not None and FORMATS[by_suffix].written_in == "text":
        return by_suffix
    raise UnknownFormatError(
        f"unknown format (starts {source.head[:24].decode('utf-8', 'replace')!r})",
        advice="Set {format}.",
        parameter="format",
        path=source.name,
    )


def _unknown_xml(source: Input, root: str) -> LoadError:
    if root.lower() == "html":
        return _html_page(source)
    return UnknownFormatError(
        f"XML with the root element <{root}> is neither RDF/XML nor OWL/XML",
        advice="Use an ontology file.",
        path=source.name,
        format="xml",
    )


def _html_page(source: Input) -> LoadError:
    return UnknownFormatError(
        "this is an HTML page, not an ontology",
        advice="Download the ontology file itself, not the web page about it.",
        path=source.name,
    )
