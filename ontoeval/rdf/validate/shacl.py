"""The check of any shapes, by pyshacl."""

from __future__ import annotations

import logging
import re
import warnings
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from ontoeval.errors import OntoevalError
from ontoeval.rdf.validate.data_graph import Data, Triples
from ontoeval.rdf.validate.report import Found
from ontoeval.rdf.validate.shapes import SHACL, severity_of

if TYPE_CHECKING:
    import rdflib


def shacl_findings(data: Data, shapes: Triples, name: str) -> list[Found]:
    """The findings of pyshacl."""
    import pyshacl

    shacl_graph = _rdflib(shapes)
    loud = [logging.getLogger(logger) for logger in ("rdflib.term", "pyshacl-validate")]
    were = [logger.disabled for logger in loud]
    for logger in loud:
        logger.disabled = True  # what is odd about a graph, the findings say
    try:
        graph = _rdflib(data.triples())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, results, text = pyshacl.validate(
                graph, shacl_graph=shacl_graph, inplace=True, do_owl_imports=False, advanced=False, js=False
            )
    except (OntoevalError, RecursionError, MemoryError):
        raise
    except Exception as error:  # a bad query or list of shapes makes pyshacl raise whatever its own code runs into
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise OntoevalError(f"{name}: cannot be used as shapes ({reason[0].rstrip('.')}). Correct the file.") from None
    finally:
        for logger, was in zip(loud, were, strict=True):
            logger.disabled = was
    if not hasattr(results, "subject_objects"):
        raise OntoevalError(f"{name}: cannot be used as shapes ({str(text).strip()}). Correct the file.")
    return _results(results, shacl_graph)


def _rdflib(triples: Triples) -> rdflib.Graph:
    import rdflib

    graph = rdflib.Graph()
    seen: dict[Any, Any] = {}

    def converted(term: Any) -> Any:
        found = seen.get(term)
        if found is None:
            if isinstance(term, ox.NamedNode):
                found = rdflib.URIRef(term.value)
            elif isinstance(term, ox.BlankNode):
                found = rdflib.BNode(term.value)
            elif term.language:
                found = rdflib.Literal(term.value, lang=term.language)
            else:
                found = rdflib.Literal(term.value, datatype=rdflib.URIRef(term.datatype.value), normalize=False)
            seen[term] = found
        return found

    for triple in triples:
        if type(triple.object) is not ox.Triple:  # SHACL knows no statements about statements
            graph.add((converted(triple.subject), converted(triple.predicate), converted(triple.object)))
    return graph


def _results(results: Any, shapes: rdflib.Graph) -> list[Found]:
    import rdflib

    sh = rdflib.Namespace(SHACL)
    found = []
    for result in results.objects(None, sh.result):
        value = results.value(result, sh.value)
        messages = sorted(str(message) for message in results.objects(result, sh.resultMessage))
        found.append(
            Found(
                rule=_rule_name(results, result, shapes),
                focus=_shown(results.value(result, sh.focusNode)),
                value=None if value is None else _shown(value),
                severity=severity_of(str(results.value(result, sh.resultSeverity))),
                message="; ".join(messages),
            )
        )
    return found


def _rule_name(results: Any, result: Any, shapes: rdflib.Graph) -> str:
    """The shape's name, the last part of its IRI, or what it asks of which property."""
    import rdflib

    sh = rdflib.Namespace(SHACL)
    shape = results.value(result, sh.sourceShape)
    name = shapes.value(shape, sh.name)
    if name is not None:
        return str(name)
    if isinstance(shape, rdflib.URIRef):
        return re.split(r"[#/]", shape.rstrip("#/"))[-1]
    kind = str(results.value(result, sh.sourceConstraintComponent)).removeprefix(SHACL)
    path = shapes.value(shape, sh.path)
    kind = kind.removesuffix("ConstraintComponent")
    return f"{kind} of {re.split(r'[#/]', path)[-1]}" if isinstance(path, rdflib.URIRef) else kind


def _shown(term: Any) -> str:
    """A term of rdflib as `key` has it."""
    import rdflib

    if isinstance(term, rdflib.BNode):
        return f"_:{term}"
    if isinstance(term, rdflib.Literal):
        kind = ox.NamedNode(str(term.datatype)) if term.datatype and not term.language else None
        return str(ox.Literal(str(term), language=term.language, datatype=kind))
    return str(term)
