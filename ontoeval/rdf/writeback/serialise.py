"""Triples and scores as text, read again before they count as written."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any
from xml.parsers import expat

import pyoxigraph as ox

from ontoeval.errors import LoadError, OntoevalError
from ontoeval.files import replacing
from ontoeval.rdf.vocabulary import NS, PREFIXES
from ontoeval.rdf.writeback.iris import SCORE
from ontoeval.rdf.writeback.original import Original, Scored
from ontoeval.rdf.writeback.target import SUFFIXES

_SYNTAX = {"turtle": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES, "xml": ox.RdfFormat.RDF_XML}
_PREFIXES = {**{name: PREFIXES[name] for name in ("oe", "owl", "rdf", "rdfs", "xsd")}, "score": SCORE}
_XML_NAME = re.compile(r"[^\W\d][\w.\-]*\Z")
_ROUND = 1 << 64
Triples = Iterable[ox.Triple]
Lines = Callable[[bool, Mapping[str, str]], Iterable[str]]  # Turtle or N-Triples, and the prefixes


def write(target: Path, original: Original | None, added: Lines | None = None) -> int:
    """Write all triples of the original, check that they can be read again, and add lines.

    The number of triples that were left out.
    """
    syntax = SUFFIXES[target.suffix.lower()]
    with replacing(target) as place:
        if original is None:
            _serialise(place, target, syntax, iter(()), dict(_PREFIXES), added)
            return 0
        for lenient, scored in product(original.tries, (False, True)):
            if not scored and (added is None or NS.encode() in original.source.head):
                continue  # it has scores, as a rule
            original.prefixes.update({} if added is None else _PREFIXES)
            try:
                with original.triples(lenient=lenient, scored=scored) as triples:
                    _serialise(place, target, syntax, triples, original.prefixes, added)
            except Scored:
                continue
            except LoadError as error:
                if lenient is original.tries[-1] or error.format is None:
                    raise
            else:
                break
        return original.removed


class _Sum:
    """Adds up triples, so that two lots can be compared whatever their order."""

    def __init__(self) -> None:
        self.count = self.total = 0

    def passing(self, triples: Triples) -> Iterator[ox.Triple]:
        """Pass on the triples, counted."""
        count = total = 0
        for triple in triples:
            count += 1
            total += hash(triple)
            yield triple
        self.count += count
        self.total = (self.total + total) % _ROUND

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Sum) and (self.count, self.total) == (other.count, other.total)


def _serialise(
    place: Path, target: Path, syntax: str, triples: Iterator[ox.Triple], prefixes: dict[str, str], added: Lines | None
) -> None:
    written = _Sum()
    if syntax == "xml":
        text = "".join(added(False, {})) if added else ""
        ours = (quad.triple for quad in ox.parse(text, format=ox.RdfFormat.N_TRIPLES))
        _rdf_xml(place, target, _then(triples, ours), prefixes, written)
        _check(place, target, syntax, written)
        return
    first = next(triples, None)  # the prefixes of the original are known with it
    prefixes = _one_each(prefixes)
    with place.open("wb") as stream:
        if first is not None:
            known = prefixes if syntax == "turtle" else None
            every = written.passing(_then([first], triples))
            ox.serialize(every, stream, format=_SYNTAX[syntax], prefixes=known)
        elif syntax == "turtle" and added:
            stream.writelines(f"@prefix {name}: <{iri}> .\n".encode() for name, iri in prefixes.items())
    _check(place, target, syntax, written)
    if added:
        with place.open("a", encoding="utf-8", newline="\n") as more:
            more.writelines(added(syntax == "turtle", prefixes))


def _then(triples: Triples, others: Triples) -> Iterator[ox.Triple]:
    yield from triples
    yield from others


def _one_each(prefixes: Mapping[str, str]) -> dict[str, str]:
    """One prefix for each namespace, as only one of several would be declared."""
    names = {iri: name for name, iri in prefixes.items()}
    return {name: iri for iri, name in names.items()}


def _check(place: Path, target: Path, syntax: str, written: _Sum) -> None:
    """Read again what was written: not a triple of the original may be lost."""
    read = _Sum()
    try:
        if syntax == "xml":  # pyoxigraph also reads characters that XML does not allow
            with place.open("rb") as stream:
                expat.ParserCreate().ParseFile(stream)
        for _ in read.passing(quad.triple for quad in ox.parse(path=str(place), format=_SYNTAX[syntax], lenient=True)):
            pass
        problem = "" if read == written else f"{written.count:,} triples were written, {read.count:,} others read again"
    except (SyntaxError, ValueError, expat.ExpatError) as error:
        problem = str(error).rstrip(".")
    if problem:
        other = "Give a name that ends in .ttl or .nt." if syntax == "xml" else "Try another syntax."
        raise OntoevalError(f"{target}: what was written is not what should be there ({problem}). {other}")


def _rdf_xml(place: Path, target: Path, triples: Triples, prefixes: dict[str, str], written: _Sum) -> None:
    """Through rdflib: owlready2 takes pyoxigraph's RDF/XML for OWL/XML."""
    import rdflib

    numbers: dict[str, str] = {}

    def term(given: Any) -> Any:
        if isinstance(given, ox.NamedNode):
            return rdflib.URIRef(given.value)
        if isinstance(given, ox.BlankNode):
            return rdflib.BNode(numbers[given.value])
        if isinstance(given, ox.Literal) and given.direction is None:
            if given.language:
                return rdflib.Literal(given.value, lang=given.language)
            plain = given.datatype.value == PREFIXES["xsd"] + "string"
            datatype = None if plain else rdflib.URIRef(given.datatype.value)
            return rdflib.Literal(given.value, datatype=datatype, normalize=False)
        raise OntoevalError(f"{target}: RDF/XML cannot say {given}. Give a name that ends in .ttl or .nt.")

    def numbered(given: Any) -> Any:
        """Blank nodes of any name as b0, b1, ...: in RDF/XML they are XML names."""
        if isinstance(given, ox.BlankNode):
            return ox.BlankNode(numbers.setdefault(given.value, f"b{len(numbers)}"))
        return given

    graph = rdflib.Graph(bind_namespaces="none")
    chatter = logging.getLogger("rdflib.term")
    was_silent, chatter.disabled = chatter.disabled, True  # it complains of literals that are none of our business
    try:
        unique = dict.fromkeys(
            (ox.Triple(numbered(t.subject), t.predicate, numbered(t.object)), (t.subject, t.predicate, t.object))
            for t in triples
        )
        for _, (subject, predicate, value) in unique:
            graph.add((term(subject), term(predicate), term(value)))
        for _ in written.passing(triple for triple, _ in unique):
            pass
        graph.namespace_manager = _strict(graph)
        for name, iri in _one_each(prefixes).items():
            graph.bind(name, iri)
        text = graph.serialize(format="xml", encoding="utf-8")
        place.write_bytes(text.replace(b"\r", b"&#13;"))  # a bare one reads as the end of a line
    except ValueError as error:
        property = str(error).rpartition(" ")[2]
        raise OntoevalError(
            f"{target}: RDF/XML cannot say the property {property}, which does not end in a name. "
            "Give a name that ends in .ttl or .nt."
        ) from None
    finally:
        chatter.disabled = was_silent


def _strict(graph: Any) -> Any:
    """A namespace manager that cuts IRIs where XML can: rdflib's own takes `(` and `%` for letters."""
    from rdflib import URIRef
    from rdflib.namespace import NamespaceManager

    known: dict[str, tuple[str, URIRef, str]] = {}

    class Strict(NamespaceManager):
        def compute_qname_strict(self, uri: str, generate: bool = True) -> tuple[str, str, str]:
            if uri not in known:
                found = _XML_NAME.search(uri)
                if found is None:
                    raise ValueError(f"no name at the end of {uri}")
                namespace = URIRef(uri[: found.start()])
                prefix = self.store.prefix(namespace)
                number = 1
                while prefix is None:
                    if self.store.namespace(f"ns{number}") is None:
                        self.bind(prefix := f"ns{number}", namespace)
                    number += 1
                known[uri] = prefix, namespace, found[0]
            return known[uri]

    return Strict(graph, bind_namespaces="none")
