"""RDF files, rdflib graphs as quads; `read_rdf`: lenient=; `worded_errors` (which syntax a file has: rdf_syntax.py)."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from ontoeval.errors import LoadError, OntoevalError
from ontoeval.load.input import Input
from ontoeval.load.ontologies.columns import Columns, Properties, collect
from ontoeval.load.ontologies.format import Quads
from ontoeval.load.options import LoadOptions
from ontoeval.load.safety import (
    MAX_XML_DEPTH,
    DepthGuard,
    TripleTermGuard,
    check_brackets,
    check_xml_depth,
    open_xml,
)  # fmt: skip

if TYPE_CHECKING:
    import rdflib

NOWHERE = "http://relative.invalid/"  # the base of JSON-LD that has none
# Turtle and N-Triples are read as their supersets: a named graph may begin far behind the bytes that tell the format.
RDF_FORMATS: dict[str, ox.RdfFormat] = {
    "xml": ox.RdfFormat.RDF_XML,
    "turtle": ox.RdfFormat.TRIG,
    "nt": ox.RdfFormat.N_QUADS,
    "nquads": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "n3": ox.RdfFormat.N3,
    "json-ld": ox.RdfFormat.JSON_LD,
}


def rdf_quads(source: Input, options: LoadOptions, *, format: str) -> Quads:
    """All quads of a file, read in the way that the options say."""
    return quads_of(source, format, lenient=options.lenient, base=options.base_iri)


@contextmanager
def quads_of(source: Input, format: str, *, lenient: bool = False, base: str | None = None) -> Iterator[Iterable[Any]]:
    """An iterator over the quads of a file, which is closed afterwards."""
    if format == "json-ld":
        with source.open() as stream:
            data = stream.read()
        check_brackets(data, source.name)
        yield ox.parse(data, format=RDF_FORMATS[format], base_iri=base or NOWHERE, lenient=lenient)
        return
    if format == "nt" and base is not None:
        format = "turtle"  # N-Triples knows no base
    guarded = DepthGuard(source) if format == "xml" else TripleTermGuard(source)
    with io.BufferedReader(guarded, 1 << 16) as stream:
        quads = ox.parse(stream, format=RDF_FORMATS[format], base_iri=base, lenient=lenient)
        if format == "n3":  # what is in a formula is not asserted
            yield (quad for quad in quads if type(quad.graph_name) is ox.DefaultGraph)
        else:
            yield quads


@contextmanager
def worded_errors(path: str, format: str, *, source: Input | None = None, lenient: bool = False) -> Iterator[None]:
    """Turn what a parser raises, panics included, into a LoadError."""
    try:
        yield
    except SyntaxError as error:
        raise _syntax_error(error, path, format, source, lenient) from None
    except (ValueError, OSError, RecursionError) as error:
        raise LoadError(f"not valid {format}: {error}", advice="Correct the file.", path=path, format=format) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise LoadError(
            f"the {format} parser failed: {error}", advice="Correct the file.", path=path, format=format
        ) from None


def _syntax_error(error: SyntaxError, path: str, format: str, source: Input | None, lenient: bool) -> LoadError:
    """The parser's message without its place, which stands in front, and what to do about it."""
    problem = str(error.args[0])
    if "LoadDocumentCallback" in problem:
        return LoadError(
            "the JSON-LD context is remote, and nothing is downloaded",
            advice="Copy the context into the file.",
            path=path,
        )
    if source is not None and "utf-8" in problem.lower():
        source.check_utf8()
    if source is not None and format == "xml":  # the parser does not say where
        check_xml_depth(source, MAX_XML_DEPTH)
    text = problem.split(": ", 1)[1] if problem.startswith("Parser error at line ") else problem
    text = text.strip().rstrip(".")
    if "No scheme found in an absolute IRI" in problem:
        return _relative_iri_error(text, path, format, error.lineno)
    return LoadError(
        f"not valid {format}: {text}",
        advice="Correct the file." if lenient else "Correct the file, or set {lenient=True} to read what can be read.",
        path=path,
        format=format,
        line=error.lineno,
    )


def _relative_iri_error(text: str, path: str, format: str, line: int | None = None) -> LoadError:
    return LoadError(
        f"a relative IRI without a base ({text})",
        advice="Set {base_iri=IRI}, or {lenient=True} to use the file's address.",
        parameter="base_iri",
        path=path,
        format=format,
        line=line,
    )


def read_rdf(source: Input, options: LoadOptions, columns: Columns, properties: Properties, *, format: str) -> None:
    """Add the triples of a file to `columns`: strictly, then (if allowed) leniently, last through rdflib."""
    if not options.lenient:
        quads = quads_of(source, format, base=options.base_iri)
        with worded_errors(source.name, format, source=source), quads as rows:
            collect(rows, columns, properties)
        _check_relative(source, format, columns)
        return
    base = options.base_iri or _address(source.name)
    problems: list[LoadError] = []
    for attempt in _attempts(format):
        trial = Columns(files=columns.files)
        try:
            errors = worded_errors(source.name, format, source=source, lenient=True)
            with errors, attempt(source, format, base) as rows:
                collect(rows, trial, properties)
            _check_relative(source, format, trial)
        except LoadError as error:
            if error.format is None:  # too large, too deep: no other parser may see it either
                raise
            problems.append(error)
            continue
        if problems:
            trial.facts.notes.append(f"read leniently: {_reasons(problems, source.name)}")
        columns.add(trial)
        return
    raise problems[0]


def _reasons(problems: list[LoadError], path: str) -> str:
    """What is wrong with the file, without the advice: each attempt may have stopped at another place."""
    first, *more = dict.fromkeys(f"{problem.place}: {problem.problem}" for problem in problems)
    return "; ".join([first, *(text.removeprefix(f"{path}: ") for text in more)])


def _check_relative(source: Input, format: str, columns: Columns) -> None:
    """JSON-LD drops what is relative to nothing, so it gets a base that no other IRI begins with."""
    if format == "json-ld":
        for name in columns.facts.names:
            if name.startswith(NOWHERE):
                raise _relative_iri_error(repr(name.removeprefix(NOWHERE)), source.name, format)


_Attempt = Callable[[Input, str, str], Quads]


def _attempts(format: str) -> list[_Attempt]:
    """The ways to read a file that is slightly broken, the strictest first."""
    attempts: list[_Attempt] = [_strictly, _leniently]
    if format == "xml":
        attempts.append(_without_ids)
    if format != "json-ld":  # rdflib would fetch its contexts
        attempts.append(_through_rdflib)
    return attempts


def _strictly(source: Input, format: str, base: str) -> Quads:
    return quads_of(source, format)


def _leniently(source: Input, format: str, base: str) -> Quads:
    return quads_of(source, format, lenient=True, base=base)


@contextmanager
def _without_ids(source: Input, format: str, base: str) -> Iterator[Iterable[Any]]:
    """rdf:ID takes XML names only; written as rdf:about any text will do."""
    check_xml_depth(source, MAX_XML_DEPTH)
    with open_xml(source) as stream:
        data = re.sub(rb"""\brdf:ID(\s*=\s*["'])""", rb"rdf:about\1#", stream.read())
    yield ox.parse(data, format=RDF_FORMATS[format], base_iri=base, lenient=True)


@contextmanager
def _through_rdflib(source: Input, format: str, base: str) -> Iterator[Iterable[Any]]:
    import rdflib

    graph = rdflib.Dataset(default_union=True)
    log = logging.getLogger("rdflib.term")
    was_disabled, log.disabled = log.disabled, True  # what is odd about the file, we say ourselves
    try:
        with source.open() as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph.parse(data=stream.read(), format=format, publicID=base)
            quads = quads_of_graph(graph)
    except OntoevalError:
        raise
    except Exception as error:  # rdflib's parsers raise whatever their own code runs into
        raise ValueError(str(error)) from None
    finally:
        log.disabled = was_disabled
    yield quads


def quads_of_graph(graph: rdflib.Graph) -> Iterable[Any]:
    """The triples of an rdflib graph or dataset."""
    import rdflib

    merged = graph
    if isinstance(graph, rdflib.Dataset | rdflib.ConjunctiveGraph):
        merged = rdflib.Graph()
        for subject, predicate, value, _ in graph.quads((None, None, None, None)):
            merged.add((subject, predicate, value))
    text = merged.serialize(format="nt", encoding="utf-8")
    quads: Iterable[Any] = ox.parse(text, format=ox.RdfFormat.N_TRIPLES, lenient=True)
    return quads


def _address(name: str) -> str:
    return Path(name).resolve().as_uri() if not name.startswith("(") else "file:///stdin"


def ntriples(quads: Iterable[Any]) -> bytes:
    """Triples (of all graphs) as N-Triples."""
    return ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES) or b""
