"""IRIs, prefixes, `node` of our RDF; its OWL vocabulary with all measures (triples of a result: result_graph.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from urllib.parse import quote

import pyoxigraph as ox

from ontoeval.measures import Definition, all_measures
from ontoeval.measures.registry import DIMENSIONS, Parameter, spelled
from ontoeval.model.lexicon import is_iri

NS = "https://w3id.org/ontoeval/"
BASE = f"{NS}name/"  # of concepts that have no IRI
DQV = "http://www.w3.org/ns/dqv#"
PROV = "http://www.w3.org/ns/prov#"
PREFIXES = {
    "oe": NS,
    "dqv": DQV,
    "prov": PROV,
    "dct": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def node(name: str) -> ox.NamedNode:
    """`prefix:local` as an IRI."""
    prefix, _, local = name.partition(":")
    return ox.NamedNode(PREFIXES[prefix] + local)


def named_node(name: str) -> ox.NamedNode | None:
    """A name as an IRI; None for plain names, blank nodes, and what only a lenient parser takes for an IRI."""
    try:
        return ox.NamedNode(name) if is_iri(name) else None
    except ValueError:
        return None


def concept_node(name: str, base: str = BASE) -> ox.NamedNode:
    """An IRI as it is; any other name percent-encoded after the base."""
    return named_node(name) or ox.NamedNode(base + quote(name, safe=""))


TYPE, LABEL, TITLE = node("rdf:type"), node("rdfs:label"), node("dct:title")
METRIC, VALUE, COMPUTED_ON = node("dqv:isMeasurementOf"), node("dqv:value"), node("dqv:computedOn")
EVALUATION, COMPLETE = node("oe:Evaluation"), node("oe:Complete")
USED, STARTED, ASSOCIATED = node("prov:used"), node("prov:startedAtTime"), node("prov:wasAssociatedWith")
DOUBLE, DATE_TIME, JSON = node("xsd:double"), node("xsd:dateTime"), node("rdf:JSON")
CATALOGUE = ox.NamedNode(f"{NS}catalogue")  # the graph of the measures themselves
SCORE_CLASSES = (
    "RunScore", "ConceptScore", "DocumentScore", "AnnotationScore", "InstanceScore", "PairScore", "PropertyScore",
)  # fmt: skip

_CLASSES = {
    "Evaluation": ("prov:Activity", "One run of measures over one task; its IRI is also that of its graph."),
    "RunScore": ("dqv:QualityMeasurement", "The value of a measure for a whole evaluation."),
    "ConceptScore": ("dqv:QualityMeasurement", "The value of a measure for one concept."),
    "DocumentScore": ("dqv:QualityMeasurement", "The value of a measure for one document."),
    "AnnotationScore": ("dqv:QualityMeasurement", "The value of a measure for one annotation."),
    "InstanceScore": ("dqv:QualityMeasurement", "The value of a measure for one instance."),
    "PairScore": ("dqv:QualityMeasurement", "The value of a measure for one pair of concepts."),
    "PropertyScore": ("dqv:QualityMeasurement", "The value of a measure for the relations by one property."),
    "Parameter": ("owl:Thing", "A choice that a measure leaves open."),
    "EdgeWeight": (
        "owl:Thing",
        "A weight of links, by kind or property, that is not the default.",
    ),
}
_OBJECT_PROPERTIES = {
    "against": "From a score to what it was scored against.",
    "parameter": "From a measure to one of its parameters.",
    "presetOf": "From a measure with fixed parameters to the one that leaves them open.",
    "status": "oe:Complete once an evaluation is written completely.",
    "left": "From a pair of concepts to the one that is scored; several are the senses of a word.",
    "right": "From a pair of concepts to the one that it is scored against.",
    "ontology": "From an input to the IRI that the file gives itself.",
    "edgeWeight": "From an evaluation to a weight of links that it used.",
    "property": "From a weight to the property of its links, or their kind: oe:hierarchical, oe:related, oe:synonym.",
    "edgesOf": "From a weight to the input whose links have it.",
    "inDocument": "From an annotation that has a score to its document.",
}
_ANNOTATION_PROPERTIES = {
    "run": "From a score that was written into an ontology to the evaluation that it comes from.",
}
_DATA_PROPERTIES = {
    "spec": "The full name of a measure, with the parameters that are not the default.",
    "undefined": "Why a score has no value.",
    "inputs": "What each input was in the task, its name and its IRI, as JSON.",
    "place": "The position of a score in the list of measures.",
    "task": "The kind of task: comparison, ...",
    "system": "Who made what is scored.",
    "key": "The hash of inputs, settings and measures that the IRI of an evaluation is made of.",
    "sha256": "Hash of an input's bytes, or of its content if it never was a file.",
    "triples": "Number of triples of an input.",
    "format": "Syntax of an input.",
    "profile": "How an input was read: owl, skos or names.",
    "version": "Version of the software.",
    "matchedBy": "How concepts were paired.",
    "matched": "Number of pairs of concepts.",
    "ambiguous": "Number of ambiguous matches: candidates that already had a partner.",
    "warning": "Why numbers of an evaluation may mislead.",
    "minConfidence": "Links of what is scored with a lower confidence were left out.",
    "settings": "How the task was set up, as JSON.",
    "counts": "What a value was made of, as JSON.",
    "low": "Lower end of the interval of a value.",
    "high": "Upper end of the interval of a value.",
    "relations": "Number of relations by a property that a score is about; of an F-measure, those of both sides.",
    "localOf": "What the local scores of a measure are about: learned, gold, document, ...",
    "measurementCount": "Number of scores of an evaluation.",
    "base": "The prefix of the names of concepts that have no IRI.",
    "name": "The plain name of a concept that has no IRI of its own.",
    "symmetric": "Exchanging what is scored and what it is scored against changes nothing.",
    "minimum": "No value is lower.",
    "maximum": "No value is higher.",
    "best": "The best value.",
    "default": "The default value of a parameter.",
    "allowed": "A value that a parameter can have.",
    "onTask": "The kind of task that a measure is computed on.",
}


def metric(name: str) -> ox.NamedNode:
    """The IRI of a measure by the name of its definition."""
    return ox.NamedNode(NS + name)


def dimension(name: str) -> ox.NamedNode:
    """`instance assignment` to oe:instanceAssignment."""
    first, *rest = name.split()
    return ox.NamedNode(NS + first + "".join(word.capitalize() for word in rest))


def text(value: str, language: str | None = "en") -> ox.Literal:
    return ox.Literal(value, language=language) if language else ox.Literal(value)


def double(value: float) -> ox.Literal:
    """A number as xsd:double, in a form that reads back to the same number."""
    return ox.Literal(
        "INF" if value == math.inf else "-INF" if value == -math.inf else repr(float(value)), datatype=DOUBLE
    )


def measure_triples() -> Iterator[ox.Triple]:
    """The dimensions and the measures, as they stand in the catalogue of every store."""
    for name in DIMENSIONS:
        yield ox.Triple(dimension(name), TYPE, node("dqv:Dimension"))
        yield ox.Triple(dimension(name), node("skos:prefLabel"), text(name))
    for definition in all_measures():
        yield from _measure_description(definition)


def _measure_description(definition: Definition) -> Iterator[ox.Triple]:
    subject = metric(definition.name)
    yield ox.Triple(subject, TYPE, node("dqv:Metric"))
    yield ox.Triple(subject, node("skos:prefLabel"), text(definition.label))
    yield ox.Triple(subject, node("skos:notation"), ox.Literal(definition.name))
    if definition.definition:
        yield ox.Triple(subject, node("skos:definition"), text(definition.definition))
    yield ox.Triple(subject, node("dct:source"), ox.Literal(definition.source))
    yield ox.Triple(subject, node("dqv:inDimension"), dimension(definition.dimension))
    yield ox.Triple(subject, node("dqv:expectedDataType"), DOUBLE)
    yield ox.Triple(subject, node("oe:onTask"), ox.Literal(definition.task.__name__.lower()))
    yield ox.Triple(subject, node("oe:symmetric"), ox.Literal(definition.symmetric))
    for name, end in zip(("minimum", "maximum"), definition.range, strict=True):
        if math.isfinite(end) and definition.scale is None:  # else a parameter moves the ends
            yield ox.Triple(subject, node(f"oe:{name}"), double(end))
    if definition.best is not None:
        yield ox.Triple(subject, node("oe:best"), double(definition.best))
    if definition.fixed:
        base = next(d for d in all_measures() if d.function is definition.function and not d.fixed)
        yield ox.Triple(subject, node("oe:presetOf"), metric(base.name))
        fixed = ", ".join(f"{name}={spelled(value)}" for name, value in definition.fixed.items())
        yield ox.Triple(subject, node("oe:spec"), ox.Literal(f"{base.name}({fixed})"))
        return
    for parameter in definition.open:
        yield from _parameter_description(subject, definition, parameter)


def _parameter_description(subject: ox.NamedNode, definition: Definition, parameter: Parameter) -> Iterator[ox.Triple]:
    iri = ox.NamedNode(f"{NS}parameter/{definition.name}/{quote(parameter.name)}")
    yield ox.Triple(subject, node("oe:parameter"), iri)
    yield ox.Triple(iri, TYPE, node("oe:Parameter"))
    yield ox.Triple(iri, LABEL, ox.Literal(parameter.name))
    yield ox.Triple(iri, node("oe:default"), ox.Literal(spelled(parameter.default)))
    for choice in parameter.choices:
        yield ox.Triple(iri, node("oe:allowed"), ox.Literal(spelled(choice)))


def vocabulary_triples() -> Iterator[ox.Triple]:
    """All terms and measures."""
    ontology = ox.NamedNode(NS)
    yield ox.Triple(ontology, TYPE, node("owl:Ontology"))
    yield ox.Triple(ontology, TITLE, text("ontoeval: scores of ontologies, annotations and classifications"))
    for vocabulary in ("http://www.w3.org/ns/dqv", "http://www.w3.org/ns/prov-o"):
        yield ox.Triple(ontology, node("rdfs:seeAlso"), ox.NamedNode(vocabulary))
    for name, (parent, comment) in _CLASSES.items():
        yield from _declaration(name, "owl:Class", comment)
        yield ox.Triple(node(f"oe:{name}"), node("rdfs:subClassOf"), node(parent))
    for name, comment in _OBJECT_PROPERTIES.items():
        yield from _declaration(name, "owl:ObjectProperty", comment)
    for name, comment in _DATA_PROPERTIES.items():
        yield from _declaration(name, "owl:DatatypeProperty", comment)
    yield ox.Triple(node("oe:Complete"), TYPE, node("owl:NamedIndividual"))
    yield ox.Triple(
        node("oe:Complete"), node("rdfs:comment"), text("The status of an evaluation that is written completely.")
    )
    for name, comment in _ANNOTATION_PROPERTIES.items():
        yield from _declaration(name, "owl:AnnotationProperty", comment)
    yield from measure_triples()


def _declaration(name: str, kind: str, comment: str) -> Iterator[ox.Triple]:
    subject = node(f"oe:{name}")
    yield ox.Triple(subject, TYPE, node(kind))
    yield ox.Triple(subject, LABEL, text(name))
    yield ox.Triple(subject, node("rdfs:comment"), text(comment))
    yield ox.Triple(subject, node("rdfs:isDefinedBy"), ox.NamedNode(NS))


def vocabulary() -> str:
    """The vocabulary as Turtle."""
    turtle = ox.serialize(vocabulary_triples(), format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)
    assert turtle is not None  # noqa: S101 - there is no file to write into
    return turtle.decode()
