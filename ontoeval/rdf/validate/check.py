"""`validate`: default shapes, engine by work (`LIMITS`; counted: property_table.py), order and labels of findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Literal, get_args

from ontoeval.errors import Message, OntoevalError, ParameterError, did_you_mean, listed, sentence, warn
from ontoeval.load import terms
from ontoeval.load.ontologies.imports import missing_imports
from ontoeval.rdf.validate.data_graph import open_graph
from ontoeval.rdf.validate.native import NATIVE
from ontoeval.rdf.validate.property_table import PropertyTable
from ontoeval.rdf.validate.report import SEVERITIES, Breach, Finding, Report
from ontoeval.rdf.validate.shacl import shacl_findings
from ontoeval.rdf.validate.shapes import BUILT_IN, Rule, built_in, own_shapes
from ontoeval.rdf.vocabulary import NS

Engine = Literal["auto", "shacl", "native"]
_NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
_DOCUMENTS = (f"{_NIF}Context", "http://www.w3.org/ns/oa#Annotation")

# Work beyond which `auto` takes the native check, so that the check takes some ten seconds at most: SHACL needs 2 ms
# for a score, and again for each evaluation that it may belong to, and 10 ms for a concept of an ontology (a rule about
# cycles is a query, and is parsed anew for each concept).
LIMITS = {"scores": 20_000, "ontology": 1_000}


def validate(source: object, shapes: object = None, *, engine: Engine = "auto", format: str | None = None) -> Report:
    """Check a graph against shapes.

    source: a path, '-' for stdin, bytes, an open file, an rdflib graph, or an iterable of pyoxigraph triples or
    quads; named graphs are checked together. shapes: "scores", "ontology", "corpus" (annotated documents: NIF and Web
    Annotation), a file of your own or an rdflib graph; by default "scores" if there is an oe:Evaluation, "corpus" if
    there are annotated documents, else "ontology". engine: "shacl" (pyshacl), "native" (the same rules of scores and
    ontologies, fast), or "auto", which is native for big graphs of these. Nothing is fetched, not even imports.
    """
    engines = get_args(Engine)
    if engine not in engines:
        raise ParameterError(
            f"unknown engine {engine!r}",
            advice=f"{did_you_mean(str(engine), engines)} Use one of: {', '.join(engines)}.".strip(),
            parameter="engine",
        )
    with open_graph(source, format) as data:
        table = PropertyTable(data)
        shapes = _default_shapes(table) if shapes is None else shapes
        if shapes == "ontology":
            warn(_import_warnings(table, data.name))
        if not isinstance(shapes, str) or shapes not in BUILT_IN:
            if engine == "native":
                raise _not_native("the native engine supports built-in shapes only")
            name, graph = own_shapes(shapes)
            return _report(data.name, name, "shacl", shacl_findings(data, graph, name), {}, table)
        if engine == "native" and shapes not in NATIVE:
            raise _not_native(f"the native engine does not support the shapes {shapes!r}")
        rules, graph = built_in(shapes)
        if engine == "shacl" or (engine == "auto" and (shapes not in NATIVE or table.work(shapes) <= LIMITS[shapes])):
            try:
                return _report(data.name, shapes, "shacl", shacl_findings(data, graph, shapes), rules, table)
            except RecursionError:  # rdflib follows a path by recursion
                if engine == "shacl" or shapes not in NATIVE:
                    raise OntoevalError(
                        "the hierarchy is too deep for the engine shacl",
                        place=data.name,
                        advice="Use {engine=native}.",
                        parameter="engine",
                    ) from None
        return _report(data.name, shapes, "native", NATIVE[shapes](table), rules, table)


def _import_warnings(table: PropertyTable, path: str) -> Iterator[Message]:
    """That what is imported is not checked."""
    if not (missing := table.missing_imports):
        return
    classes = table.of_class(terms.CLASS, terms.RDFS_CLASS, terms.CONCEPT)
    ends = (end for pair in table.pairs(terms.SUBCLASS) for end in pair)
    offers, _ = missing_imports(missing, chain(classes, ends), path)
    if offers:
        one = len(offers) == 1
        problem = f"import{'s' * (not one)} not found: {listed(offers)}; what {'it says' if one else 'they say'} is"
        files = [str(offer) for offer in offers.values() if offer is not None]
        advice = f"Join the files to check them together{': ' if files else ''}{listed(files)}."
        yield sentence(f"{problem} not checked", place=path, advice=advice.replace("{", "{{"))


def _not_native(problem: str) -> ParameterError:
    return ParameterError(problem, advice="Use {engine=shacl}.", parameter="engine")


def _default_shapes(table: PropertyTable) -> str:
    """The built-in shapes that fit what is in a graph."""
    if table.of_class(f"{NS}Evaluation"):
        return "scores"
    return "corpus" if table.of_class(*_DOCUMENTS) else "ontology"


def _report(
    source: str,
    shapes: str,
    engine: Literal["shacl", "native"],
    breaches: Iterable[Breach],
    rules: Mapping[str, Rule],
    table: PropertyTable,
) -> Report:
    findings = set()
    for breach in breaches:
        severity, message = rules.get(breach.rule) or Rule(breach.severity, breach.message)
        value = None if breach.value == breach.focus else breach.value  # in SHACL: the node itself is wrong
        findings.add(Finding(breach.rule, severity, breach.focus, value, message))
    ordered = sorted(findings, key=lambda f: (SEVERITIES.index(f.severity), f.rule, f.focus, f.value or "", f.message))
    named = {name for f in findings for name in (f.focus, f.value) if name is not None}
    labels = {name: label for name in sorted(named) if (label := table.label(name)) is not None}
    return Report(source, shapes, engine, tuple(ordered), labels)
