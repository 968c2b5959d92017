"""`built_in` shapes: files, messages; `own_shapes`: refuses queries that fetch (rules: shapes/*.ttl, native.py)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from ontoeval.errors import LoadError, OntoevalError, ParameterError, did_you_mean
from ontoeval.load import terms
from ontoeval.load.input import open_input
from ontoeval.rdf.validate.data_graph import key, open_graph, triples_in
from ontoeval.rdf.validate.report import Severity
from ontoeval.rdf.vocabulary import NS

BUILT_IN = ("scores", "ontology", "corpus")
SHACL = "http://www.w3.org/ns/shacl#"
_SEVERITIES: dict[str, Severity] = {"Violation": "violation", "Warning": "warning", "Info": "info"}
_QUERIES = {f"{SHACL}{word}" for word in ("select", "ask", "construct", "update")}
_TARGETS = {f"{SHACL}{word}" for word in ("targetClass", "targetNode", "targetObjectsOf", "targetSubjectsOf", "target")}
_SHAPES = {f"{SHACL}NodeShape", f"{SHACL}PropertyShape"}
_NOT_WORDS = re.compile(r"""<[^<>\s]*>|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\#[^\n]*|[?$]\w+|\w*:\w*""")
_FETCHES = re.compile(r"\b(?:service|from|load)\b", re.IGNORECASE)


class Rule(NamedTuple):
    """How bad it is to break a shape, and what to say about it."""

    severity: Severity
    message: str


def shapes_path(name: str) -> Path:
    """The file of built-in shapes: inside the installed package, beside it in the sources."""
    package = Path(__file__).resolve().parents[2]
    for folder in (package / "shapes", package.parent / "shapes"):
        if (folder / f"{name}.ttl").is_file():
            return folder / f"{name}.ttl"
    raise OntoevalError(f"the shapes {name!r} are not installed", advice="Reinstall ontoeval-toolkit.")


def built_in(name: str) -> tuple[dict[str, Rule], list[Any]]:
    """The rules of the built-in shapes by name, and all their triples."""
    graph = list(triples_in(open_input(shapes_path(name)), "turtle"))
    namespace = f"{NS}shapes/{name}#"
    messages = {key(t.subject): t.object.value for t in graph if t.predicate.value == f"{SHACL}message"}
    severities = {key(t.subject): severity_of(t.object.value) for t in graph if t.predicate.value == f"{SHACL}severity"}
    queries = {key(t.subject): key(t.object) for t in graph if t.predicate.value == f"{SHACL}sparql"}
    rules = {}
    for shape in {key(t.subject) for t in graph}:
        message = messages.get(shape) or messages.get(queries.get(shape, ""))
        if shape.startswith(namespace) and message:
            rules[shape.removeprefix(namespace)] = Rule(severities.get(shape, "violation"), message)
    return rules, graph


def severity_of(iri: str) -> Severity:
    """The severity by its IRI in SHACL; an unknown one is a violation."""
    return _SEVERITIES.get(iri.removeprefix(SHACL), "violation")


def own_shapes(source: object) -> tuple[str, list[Any]]:
    """The name and the triples of shapes that are not built in."""
    if isinstance(source, str) and source != "-" and not re.search(r"[/.]", source) and not Path(source).is_file():
        raise ParameterError(
            f"unknown shapes {source!r}",
            advice=f"{did_you_mean(source, BUILT_IN)} Use a file, or one of: {', '.join(BUILT_IN)}.".strip(),
            parameter="shapes",
        )
    with open_graph(source) as data:
        graph = list(data.triples())
        has_shapes = any(
            t.predicate.value in _TARGETS or (t.predicate.value == terms.TYPE and key(t.object) in _SHAPES)
            for t in graph
        )
        if not has_shapes:
            raise LoadError("no SHACL shapes found", advice="Use a file of shapes.", path=data.name)
        for triple in graph:
            word = (
                _FETCHES.search(_NOT_WORDS.sub(" ", triple.object.value))
                if triple.predicate.value in _QUERIES
                else None
            )
            if word is not None:
                raise LoadError(
                    f"a query in the shapes uses {word[0].upper()}, but nothing is downloaded",
                    advice="Remove it.",
                    path=data.name,
                )
        return data.name, graph
