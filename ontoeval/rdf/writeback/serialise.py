"""`write`: triples and scores to a file; RDF/XML by rdflib; read again, compared; `SUFFIXES`; prefixes."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, product
from pathlib import Path
from typing import Any
from xml.parsers import expat

import pyoxigraph as ox

from ontoeval.errors import LoadError, OntoevalError
from ontoeval.files import replacing
from ontoeval.rdf.vocabulary import NS, PREFIXES
from ontoeval.rdf.writeback.iris import SCORE
from ontoeval.rdf.writeback.original import HasScores, Original

SUFFIXES = {".ttl": "turtle", ".nt": "nt", ".owl": "xml", ".rdf": "xml"}
_SYNTAX = {"turtle": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES, "xml": ox.RdfFormat.RDF_XML}
_PREFIXES = {**{name: PREFIXES[name] for name in ("oe", "owl", "rdf", "rdfs", "xsd")}, "score": SCORE}
_XML_NAME = re.compile(r"[^\W\d][\w.\-]*\Z")
_HASH_RANGE = 1 << 64
_NOT_XML = "Use a name that ends in .ttl or .nt."
Triples = Iterable[ox.Triple]
Lines = Callable[[bool, Mapping[str, str]], Iterable[str]]  # Turtle or N-Triples, and the prefixes


def write(target: Path, original: Original | None, added: Lines | None = None) -> int:
    """Write all triples of the original, check that they can be read again, and add lines.

    Returns the number of triples that were left out.
    """
    syntax = SUFFIXES[target.suffix.lower()]
    with replacing(target) as place:
        if original is None:
            _serialise(place, target, syntax, iter(()), dict(_PREFIXES), added)
            return 0
        for lenient, scored in product(original.tries, (False, True)):
            if not scored and (added is None or NS.encode() in original.source.head):
                continue  # it probably has scores, which the second reading leaves out
            original.prefixes.update({} if added is None else _PREFIXES)
            try:
                with original.triples(lenient=lenient, scored=scored) as triples:
                    _serialise(place, target, syntax, triples, original.prefixes, added)
            except HasScores:
                continue
            except LoadError as error:
                if lenient is original.tries[-1] or error.format is None:
                    raise
            else:
                break
        return original.removed


class _Checksum:
    """The number of triples and the sum of their hashes, which do not depend on their order."""

    def __init__(self) -> None:
        self.count = self.total = 0

    def passing(self, triples: Triples) -> Iterator[ox.Triple]:
        """Pass on the triples and add them."""
        count = total = 0
        for triple in triples:
            count += 1
            total += hash(triple)
            yield triple
        self.count += count
        self.total = (self.total + total) % _HASH_RANGE

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Checksum) and (self.count, self.total) == (other.count, other.total)


def _serialise(
    place: Path, target: Path, syntax: str, triples: Iterator[ox.Triple], prefixes: dict[str, str], added: Lines | None
) -> None:
    written = _Checksum()
    if syntax == "xml":
        text = "".join(added(False, {})) if added else ""
        scores = (quad.triple for quad in ox.parse(text, format=ox.RdfFormat.N_TRIPLES))
        _write_xml(place, target, chain(triples, scores), prefixes, written)
        _check(place, target, syntax, written)
        return
    first = next(triples, None)  # the prefixes of the original are known with it
    prefixes = _one_each(prefixes)
    with place.open("wb") as stream:
        if first is not None:
            known = prefixes if syntax == "turtle" else None
            every = written.passing(chain([first], triples))
            ox.serialize(every, stream, format=_SYNTAX[syntax], prefixes=known)
        elif syntax == "turtle" and added:
            stream.writelines(f"@prefix {name}: <{iri}> .\n".encode() for name, iri in prefixes.items())
    _check(place, target, syntax, written)
    if added:
        with place.open("a", encoding="utf-8", newline="\n") as more:
            more.writelines(added(syntax == "turtle", prefixes))


def _one_each(prefixes: Mapping[str, str]) -> dict[str, str]:
    """One prefix for each namespace, since serialisers declare only one of several."""
    names = {iri: name for name, iri in prefixes.items()}
    return {name: iri for iri, name in names.items()}


def _check(place: Path, target: Path, syntax: str, written: _Checksum) -> None:
    """Read again what was written: no triple of the original may be lost."""
    read = _Checksum()
    try:
        if syntax == "xml":  # pyoxigraph also reads characters that XML does not allow
            with place.open("rb") as stream:
                expat.ParserCreate().ParseFile(stream)
        for _ in read.passing(quad.triple for quad in ox.parse(path=str(place), format=_SYNTAX[syntax], lenient=True)):
            pass
        problem = "" if read == written else f"{written.count:,} triples written, {read.count:,} others read"
    except (SyntaxError, ValueError, expat.ExpatError) as error:
        problem = str(error).rstrip(".")
    if problem:
        raise OntoevalError(
            f"the written file differs from the data ({problem})",
            place=str(target),
            advice=_NOT_XML if syntax == "xml" else "Use another syntax.",
        )


def _write_xml(place: Path, target: Path, triples: Triples, prefixes: dict[str, str], written: _Checksum) -> None:
    """RDF/XML by rdflib: owlready2 takes pyoxigraph's RDF/XML for OWL/XML."""
    import rdflib

    def rdflib_term(term: Any) -> Any:
        if isinstance(term, ox.NamedNode):
            return rdflib.URIRef(term.value)
        if isinstance(term, ox.BlankNode):
            return rdflib.BNode(term.value)
        if isinstance(term, ox.Literal) and term.direction is None:
            if term.language:
                return rdflib.Literal(term.value, lang=term.language)
            plain = term.datatype.value == PREFIXES["xsd"] + "string"
            datatype = None if plain else rdflib.URIRef(term.datatype.value)
            return rdflib.Literal(term.value, datatype=datatype, normalize=False)
        raise OntoevalError(f"RDF/XML cannot hold {term}", place=str(target), advice=_NOT_XML)

    class OrderedGraph(rdflib.Graph):
        """Subjects come in the order in which they were added, not in that of their hashes."""

        def subjects(self, *pattern: Any, **options: Any) -> Any:
            return iter(subjects)

    subjects: dict[Any, None] = {}
    predicates: dict[str, None] = {}
    graph = OrderedGraph(bind_namespaces="none")
    logger = logging.getLogger("rdflib.term")
    was_disabled, logger.disabled = logger.disabled, True  # it complains about literals that are only copied
    try:
        for triple in written.passing(dict.fromkeys(_number_blank_nodes(triples))):
            row = rdflib_term(triple.subject), rdflib_term(triple.predicate), rdflib_term(triple.object)
            graph.add(row)
            subjects[row[0]] = predicates[row[1]] = None
        graph.namespace_manager = _xml_namespaces(graph)
        for name, iri in _one_each(prefixes).items():
            graph.bind(name, iri)
        for predicate in predicates:  # new prefixes are numbered
            graph.namespace_manager.compute_qname_strict(predicate)
        text = graph.serialize(format="xml", encoding="utf-8")
        place.write_bytes(text.replace(b"\r", b"&#13;"))  # a bare one reads as the end of a line
    except _NoXmlNameError as error:
        raise OntoevalError(
            f"RDF/XML cannot hold the property {error.iri}, which does not end in an XML name",
            place=str(target),
            advice=_NOT_XML,
        ) from None
    except ValueError as error:  # for instance a language that rdflib does not take
        raise OntoevalError(f"RDF/XML cannot hold all triples ({error})", place=str(target), advice=_NOT_XML) from None
    finally:
        logger.disabled = was_disabled


def _number_blank_nodes(triples: Triples) -> Iterator[ox.Triple]:
    """The triples with blank nodes called b0, b1, ...: in RDF/XML they are XML names."""
    names: dict[str, str] = {}

    def numbered(term: Any) -> Any:
        if isinstance(term, ox.BlankNode):
            return ox.BlankNode(names.setdefault(term.value, f"b{len(names)}"))
        return term

    for triple in triples:
        yield ox.Triple(numbered(triple.subject), triple.predicate, numbered(triple.object))


class _NoXmlNameError(ValueError):
    """The IRI of a property does not end in an XML name."""

    def __init__(self, iri: str) -> None:
        self.iri = iri
        super().__init__(iri)


def _xml_namespaces(graph: Any) -> Any:
    """A namespace manager that cuts IRIs where XML can: rdflib's own takes `(` and `%` for letters."""
    from rdflib import URIRef
    from rdflib.namespace import NamespaceManager

    known: dict[str, tuple[str, URIRef, str]] = {}

    class XmlNamespaces(NamespaceManager):
        def compute_qname_strict(self, uri: str, generate: bool = True) -> tuple[str, str, str]:
            if uri not in known:
                name = _XML_NAME.search(uri)
                if name is None:
                    raise _NoXmlNameError(uri)
                namespace = URIRef(uri[: name.start()])
                prefix = self.store.prefix(namespace)
                number = 1
                while prefix is None:
                    if self.store.namespace(f"ns{number}") is None:
                        self.bind(prefix := f"ns{number}", namespace)
                    number += 1
                known[uri] = prefix, namespace, name[0]
            return known[uri]

    return XmlNamespaces(graph, bind_namespaces="none")
