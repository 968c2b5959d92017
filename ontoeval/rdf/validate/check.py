"""The check of a graph: which shapes, by which engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from ontoeval.errors import OntoevalError, ParameterError, did_you_mean
from ontoeval.rdf.validate.data_graph import open_graph
from ontoeval.rdf.validate.native import NATIVE, Known
from ontoeval.rdf.validate.report import ORDER, Finding, Found, Report
from ontoeval.rdf.validate.shacl import shacl_findings
from ontoeval.rdf.validate.shapes import BUILT_IN, Rule, built_in, own_shapes
from ontoeval.rdf.vocabulary import NS

Engine = Literal["auto", "shacl", "native"]
_NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
_DOCUMENTS = (f"{_NIF}Context", "http://www.w3.org/ns/oa#Annotation")

# Work beyond which `auto` takes the native check, so that nobody waits for more than some ten seconds: SHACL needs 2 ms
# for a score, and again for each evaluation that may be its own, and 10 ms for a concept of an ontology (a rule about
# cycles is a query, and is parsed anew for each concept).
LIMITS = {"scores": 20_000, "ontology": 1_000}


def validate(source: object, shapes: object = None, *, engine: Engine = "auto", format: str | None = None) -> Report:
    """Check a graph against shapes.

    `source` is a path, '-' for stdin, bytes, an open file, an rdflib graph, or an iterable of pyoxigraph triples or
    quads; named graphs are checked together. shapes: "scores", "ontology", "corpus" (annotated documents: NIF and Web
    Annotation), a file of your own or an rdflib graph; by default "scores" if there is an oe:Evaluation, "corpus" if
    there are annotated documents, else "ontology". engine: "shacl" (pyshacl), "native" (the same rules of scores and
    ontologies, fast), or "auto", which is native for big graphs of these. Nothing is fetched, imports neither.
    """
    if engine not in get_args(Engine):
        raise ParameterError(
            f"unknown engine {engine!r}.{did_you_mean(str(engine), get_args(Engine))} "
            f"Choose from: {', '.join(get_args(Engine))}."
        )
    with open_graph(source, format) as data:
        known = Known(data)
        chosen = _fitting(known) if shapes is None else shapes
        if not isinstance(chosen, str) or chosen not in BUILT_IN:
            if engine == "native":
                raise ParameterError("the native engine knows the built-in shapes alone. Take the engine shacl.")
            name, graph = own_shapes(chosen)
            return _report(data.name, name, "shacl", shacl_findings(data, graph, name), {}, known)
        if engine == "native" and chosen not in NATIVE:
            raise ParameterError(f"the native engine does not know the shapes {chosen!r}. Take the engine shacl.")
        rules, graph = built_in(chosen)
        if engine == "shacl" or (engine == "auto" and (chosen not in NATIVE or known.work(chosen) <= LIMITS[chosen])):
            try:
                return _report(data.name, chosen, "shacl", shacl_findings(data, graph, chosen), rules, known)
            except RecursionError:  # rdflib follows a path by recursion
                if engine == "shacl" or chosen not in NATIVE:
                    raise OntoevalError(
                        f"{data.name}: the hierarchy is too deep for the engine shacl. Take the engine native."
                    ) from None
        return _report(data.name, chosen, "native", NATIVE[chosen](known), rules, known)


def _fitting(known: Known) -> str:
    """The built-in shapes that a graph is to be checked against if nobody says which."""
    if known.of_class(f"{NS}Evaluation"):
        return "scores"
    return "corpus" if known.of_class(*_DOCUMENTS) else "ontology"


def _report(
    source: str,
    shapes: str,
    engine: Literal["shacl", "native"],
    found: Iterable[Found],
    rules: Mapping[str, Rule],
    known: Known,
) -> Report:
    findings = set()
    for one in found:
        severity, message = rules.get(one.rule) or Rule(one.severity, one.message)
        value = None if one.value == one.focus else one.value  # SHACL's way to say that the node itself is wrong
        findings.add(Finding(one.rule, severity, one.focus, value, message))
    ordered = sorted(findings, key=lambda f: (ORDER.index(f.severity), f.rule, f.focus, f.value or "", f.message))
    named = {name for f in findings for name in (f.focus, f.value) if name is not None}
    labels = {name: label for name in sorted(named) if (label := known.label(name)) is not None}
    return Report(source, shapes, engine, tuple(ordered), labels)
