"""Engine `shacl`: runs pyshacl, its results as `Breach`es, names of rules (the shapes: shapes.py, shapes/*.ttl)."""

from __future__ import annotations

import logging
import re
import warnings
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from ontoeval.errors import OntoevalError
from ontoeval.rdf.validate.data_graph import Data, Triples
from ontoeval.rdf.validate.report import Breach
from ontoeval.rdf.validate.shapes import SHACL, severity_of

if TYPE_CHECKING:
    import rdflib


def shacl_findings(data: Data, shapes: Triples, name: str) -> list[Breach]:
    """The findings of pyshacl."""
    import pyshacl

    shacl_graph = _rdflib(shapes)
    loggers = [logging.getLogger("rdflib.term"), logging.getLogger("pyshacl-validate")]
    were_disabled = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True  # the findings say what is wrong with the graph
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
        raise _unusable(name, reason[0].rstrip(".")) from None
    finally:
        for logger, disabled in zip(loggers, were_disabled, strict=True):
            logger.disabled = disabled
    if not hasattr(results, "subject_objects"):
        raise _unusable(name, str(text).strip())
    return _breaches(results, shacl_graph)


def _unusable(name: str, reason: str) -> OntoevalError:
    return OntoevalError(f"cannot be used as shapes ({reason})", place=name, advice="Correct the file.")


def _rdflib(triples: Triples) -> rdflib.Graph:
    import rdflib

    graph = rdflib.Graph()
    terms: dict[Any, Any] = {}

    def converted(term: Any) -> Any:
        rdflib_term = terms.get(term)
        if rdflib_term is None:
            if isinstance(term, ox.NamedNode):
                rdflib_term = rdflib.URIRef(term.value)
            elif isinstance(term, ox.BlankNode):
                rdflib_term = rdflib.BNode(term.value)
            elif term.language:
                rdflib_term = rdflib.Literal(term.value, lang=term.language)
            else:
                datatype = rdflib.URIRef(term.datatype.value)
                rdflib_term = rdflib.Literal(term.value, datatype=datatype, normalize=False)
            terms[term] = rdflib_term
        return rdflib_term

    for triple in triples:
        if type(triple.object) is not ox.Triple:  # SHACL knows no statements about statements
            graph.add((converted(triple.subject), converted(triple.predicate), converted(triple.object)))
    return graph


def _breaches(results: Any, shapes: rdflib.Graph) -> list[Breach]:
    import rdflib

    sh = rdflib.Namespace(SHACL)
    breaches = []
    for result in results.objects(None, sh.result):
        value = results.value(result, sh.value)
        messages = sorted(str(message) for message in results.objects(result, sh.resultMessage))
        breaches.append(
            Breach(
                rule=_rule_name(results, result, shapes),
                focus=_text(results.value(result, sh.focusNode)),
                value=None if value is None else _text(value),
                severity=severity_of(str(results.value(result, sh.resultSeverity))),
                message="; ".join(messages),
            )
        )
    return breaches


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


def _text(term: Any) -> str:
    """A term of rdflib as `data_graph.key` writes it."""
    import rdflib

    if isinstance(term, rdflib.BNode):
        return f"_:{term}"
    if isinstance(term, rdflib.Literal):
        kind = ox.NamedNode(str(term.datatype)) if term.datatype and not term.language else None
        return str(ox.Literal(str(term), language=term.language, datatype=kind))
    return str(term)
