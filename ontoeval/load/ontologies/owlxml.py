"""OWL/XML and functional syntax by py-horned-owl: `is_...`, axioms as triples (what they mean: owl.py), errors."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, pairwise
from typing import Any

import pyoxigraph as ox

from ontoeval.errors import LoadError
from ontoeval.load import terms
from ontoeval.load.input import Input
from ontoeval.load.ontologies.columns import Columns, Properties, collect, confidence_name
from ontoeval.load.ontologies.format import Fit, Head
from ontoeval.load.ontologies.rdf import worded_errors
from ontoeval.load.options import LoadOptions
from ontoeval.load.safety import MAX_DEPTH, check_brackets, check_xml_depth, read_xml

_FUNCTIONAL = re.compile(r"(?:Prefix|Ontology)\s*+\(")
_SERIALIZATIONS = {"owlxml": "owx", "ofn": "ofn"}  # a format as py-horned-owl calls it
_DECLARED_PROPERTIES = {"DeclareObjectProperty", "DeclareDataProperty", "DeclareAnnotationProperty"}
_EXPECTED = re.compile(r'positives: \[([^\]]*)\].*?line_col: Pos\(\((\d+), (\d+)\)\).*?line: "((?:[^"\\]|\\.)*)"')
_AT_BYTE = re.compile(r'\w+Error\("(.*)", BytePosition\((\d+)\)\)')
_ONE_AT_A_TIME = threading.Lock()  # stderr is that of the whole process


Node = ox.NamedNode | ox.BlankNode
Triples = Iterator[ox.Triple]


def is_owl_xml(head: Head) -> Fit:
    root = head.root
    return Fit.SURELY if root is not None and root[:2] == (terms.OWL, "Ontology") else Fit.NO


def is_functional(head: Head) -> Fit:
    return Fit.SURELY if _FUNCTIONAL.match(head.first_line("#")) else Fit.NO


def _open(source: Input, format: str) -> Any:
    """The ontology as py-horned-owl reads it."""
    import pyhornedowl

    if format == "owlxml":
        text = read_xml(source)
        check_xml_depth(source, MAX_DEPTH)
    else:
        text = source.read_text(lenient_helps=False)
        check_brackets(text.encode(), source.name, functional=True)
    try:
        with _without_panic_text():
            return pyhornedowl.open_ontology_from_string(text, _SERIALIZATIONS[format])  # type: ignore[arg-type]
    except ValueError as error:
        problem, line = _reword_error(str(error), text)
        raise LoadError(
            f"not valid {format}: {problem}",
            advice="Correct the file.",
            path=source.name,
            format=format,
            line=line,
        ) from None


@contextmanager
def _without_panic_text() -> Iterator[None]:
    """Hide what a panic in Rust writes to stderr before it becomes an exception: the message and a backtrace."""
    with _ONE_AT_A_TIME:
        try:
            stderr = os.dup(2)
        except OSError:  # it is closed
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        try:
            yield
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
            os.close(nowhere)


def _reword_error(error: str, text: str) -> tuple[str, int | None]:
    """The error of py-horned-owl without the internals of its parser, and its line."""
    if match := _EXPECTED.search(error):
        expected, line, column, content = match.groups()
        return f"expected {expected.replace(', ', ' or ')} at column {column} of {content!r}", int(line)
    if match := _AT_BYTE.search(error):
        return match[1], text.encode()[: int(match[2])].count(b"\n") + 1
    return error.removeprefix("Failed to open ontology: "), None


def read_owl_syntax(
    source: Input, options: LoadOptions, columns: Columns, properties: Properties, *, format: str
) -> None:
    """Add what the file says about classes: declarations, order, labels, individuals, imports."""
    annotations: list[ox.Triple] = []  # filled while the axioms are read
    with worded_errors(source.name, format):
        ontology = _open(source, format)
        triples = _triples(ontology, _COMPONENTS, annotations if properties.confidences else None)
        collect(chain(triples, annotations), columns, properties)  # in one go: they share blank nodes
        read = columns.triples - len(annotations)  # the number of triples does not depend on what is looked for
        if properties.others:
            more: list[ox.Triple] = []
            triples = _triples(ontology, _RELATION_COMPONENTS, more if properties.confidences else None)
            collect(chain(triples, more), columns, properties)
        columns.triples = read
        components = [entry.component for entry in ontology.get_components()]
        declared = [one for one in components if type(one).__name__ in _DECLARED_PROPERTIES]
        columns.facts.property_names.update(str(one.first.first) for one in declared)


def _triples(
    ontology: Any, handlers: Mapping[str, Callable[[Any], Triples]], annotations: list[ox.Triple] | None = None
) -> Triples:
    """The axioms; those that say how sure a learner is of another go into `annotations`."""
    for entry in ontology.get_components():
        handle = handlers.get(type(entry.component).__name__)
        if handle is not None:
            triples = list(handle(entry.component))
            yield from triples
            if annotations is not None:
                values = [note for note in entry.ann if confidence_name(str(note.ap.first)) is not None]
                annotations += _axiom_annotations(triples, values)


def _axiom_annotations(triples: Sequence[Any], values: Sequence[Any]) -> Iterator[ox.Triple]:
    """Each triple of an axiom as the source, property and target of an owl:Axiom with these annotations."""
    for triple in triples if values else ():
        axiom = ox.BlankNode()
        yield _triple(axiom, terms.ANNOTATED_SOURCE, triple.subject)
        yield _triple(axiom, terms.ANNOTATED_PROPERTY, triple.predicate)
        yield _triple(axiom, terms.ANNOTATED_TARGET, triple.object)
        for value in values:
            if type(value.av).__name__.endswith("Literal"):
                yield _triple(axiom, str(value.ap.first), _literal(value.av))


@contextmanager
def owl_quads(source: Input, options: LoadOptions, *, format: str) -> Iterator[Iterable[Any]]:
    """Every axiom as RDF."""
    with worded_errors(source.name, format):
        text = _open(source, format).save_to_string("rdf")
    yield ox.parse(text.encode(), format=ox.RdfFormat.RDF_XML)


def _iri(value: Any) -> ox.NamedNode:
    return ox.NamedNode(str(value))


def _triple(subject: Node, predicate: str, value: Node | ox.Literal) -> ox.Triple:
    return ox.Triple(subject, ox.NamedNode(predicate), value)


def _declaration(component: Any) -> Triples:
    yield _triple(_iri(component.first.first), terms.TYPE, ox.NamedNode(terms.CLASS))


def _ontology(component: Any) -> Triples:
    if component.iri is not None:
        yield _triple(_iri(component.iri), terms.TYPE, ox.NamedNode(terms.ONTOLOGY))
        if component.viri is not None:
            yield _triple(_iri(component.iri), terms.VERSION_IRI, _iri(component.viri))


def _import(component: Any) -> Triples:
    yield _triple(ox.BlankNode(), terms.IMPORTS, _iri(component.first))


def _subclass(component: Any) -> Triples:
    triples: list[ox.Triple] = []
    child, parent = _expression(component.sub, triples), _expression(component.sup, triples)
    yield _triple(child, terms.SUBCLASS, parent)
    yield from triples


def _equivalent(component: Any) -> Triples:
    """EquivalentClasses(A B C): A with each of the others, but an expression with every named class."""
    triples: list[ox.Triple] = []
    nodes = [_expression(part, triples) for part in component.first]
    named = [node for node in nodes if isinstance(node, ox.NamedNode)]
    for one, other in pairwise(named):
        yield _triple(one, terms.EQUIVALENT, other)
    for one in named:
        for expression in nodes:
            if not isinstance(expression, ox.NamedNode):
                yield _triple(one, terms.EQUIVALENT, expression)
    yield from triples


def _disjoint_union(component: Any) -> Triples:
    triples: list[ox.Triple] = []
    members = _list([_expression(part, triples) for part in component.second], triples)
    yield _triple(_iri(component.first.first), terms.DISJOINT_UNION, members)
    yield from triples


def _individual(component: Any) -> Triples:
    if type(component.i).__name__ == "NamedIndividual" and type(component.ce).__name__ == "Class":
        yield _triple(_iri(component.i.first), terms.TYPE, _iri(component.ce.first))


def _same(component: Any) -> Triples:
    named = [_iri(i.first) for i in component.first if type(i).__name__ == "NamedIndividual"]
    for one, other in pairwise(named):
        yield _triple(one, terms.SAME_AS, other)


def _annotation(component: Any) -> Triples:
    kind = type(component.ann.av).__name__
    if type(component.subject).__name__ != "IRI":
        return
    subject, predicate, value = _iri(component.subject), str(component.ann.ap.first), component.ann.av
    if kind == "IRI":
        yield _triple(subject, predicate, _iri(value))
    elif kind.endswith("Literal"):
        yield _triple(subject, predicate, _literal(value))


def _literal(value: Any) -> ox.Literal:
    kind = type(value).__name__
    if kind == "LanguageLiteral":
        return ox.Literal(value.literal, language=value.lang)
    return ox.Literal(value.literal, datatype=_iri(value.datatype_iri) if kind == "DatatypeLiteral" else None)


def _link(component: Any) -> Triples:
    """ObjectPropertyAssertion(p a b): SKOS as OWL says broader in this way."""
    if type(component.ope).__name__ == "ObjectProperty":
        yield _triple(_individual_node(component.source), str(component.ope.first), _individual_node(component.target))


def _value(component: Any) -> Triples:
    yield _triple(_individual_node(component.source), str(component.dp.first), _literal(component.target))


def _individual_node(individual: Any) -> Node:
    if type(individual).__name__ == "NamedIndividual":
        return _iri(individual.first)
    return ox.BlankNode(str(individual.first).removeprefix("_:"))


_COMPONENTS: dict[str, Callable[[Any], Triples]] = {
    "DeclareClass": _declaration,
    "OntologyID": _ontology,
    "Import": _import,
    "SubClassOf": _subclass,
    "EquivalentClasses": _equivalent,
    "DisjointUnion": _disjoint_union,
    "ClassAssertion": _individual,
    "SameIndividual": _same,
    "AnnotationAssertion": _annotation,
    "ObjectPropertyAssertion": _link,
    "DataPropertyAssertion": _value,
}
_LISTS = {"ObjectIntersectionOf": terms.INTERSECTION, "ObjectUnionOf": terms.UNION}


def _expression(expression: Any, triples: list[ox.Triple]) -> Node:
    """The node of a class expression; the triples that describe it, and what is nested in it, go into `triples`."""
    pending: list[tuple[Any, Node]] = []

    def node_of(part: Any) -> Node:
        if type(part).__name__ == "Class":
            return _iri(part.first)
        pending.append((part, ox.BlankNode()))
        return pending[-1][1]

    result = node_of(expression)
    while pending:
        part, node = pending.pop()
        kind = type(part).__name__
        if kind in _LISTS:
            triples.append(_triple(node, _LISTS[kind], _list([node_of(member) for member in part.first], triples)))
        elif kind == "ObjectSomeValuesFrom" and type(part.ope).__name__ == "ObjectProperty":
            triples.append(_triple(node, terms.ON_PROPERTY, _iri(part.ope.first)))
            triples.append(_triple(node, terms.SOME_VALUES, node_of(part.bce)))
    return result


def _list(members: Sequence[Node], triples: list[ox.Triple]) -> Node:
    rest: Node = ox.NamedNode(terms.NIL)
    for member in reversed(members):
        cell = ox.BlankNode()
        triples += [_triple(cell, terms.FIRST, member), _triple(cell, terms.REST, rest)]
        rest = cell
    return rest


# Relations other than is-a: what the axioms above leave out


def _declared_as(kind: str) -> Callable[[Any], Triples]:
    def handle(component: Any) -> Triples:
        named = component.first
        if hasattr(named, "first"):  # no inverse of a property
            yield _triple(_iri(named.first), terms.TYPE, ox.NamedNode(kind))

    return handle


def _inverse_properties(component: Any) -> Triples:
    yield _triple(_iri(component.first.first), terms.INVERSE, _iri(component.second.first))


def _domain_or_range(predicate: str) -> Callable[[Any], Triples]:
    def handle(component: Any) -> Triples:
        of = getattr(component, "ope", None) or component.dp
        if type(of).__name__ in ("ObjectProperty", "DataProperty"):
            triples: list[ox.Triple] = []
            yield _triple(_iri(of.first), predicate, _expression(component.ce, triples))
            yield from triples

    return handle


def _inverted_link(component: Any) -> Triples:
    """ObjectPropertyAssertion(ObjectInverseOf(p) a b): b p a."""
    if type(component.ope).__name__ == "InverseObjectProperty":
        name = str(component.ope.first.first)
        yield _triple(_individual_node(component.target), name, _individual_node(component.source))


def _restricted_subclass(component: Any) -> Triples:
    yield from _restrictions(component.sub, component.sup)


def _restricted_equivalent(component: Any) -> Triples:
    for part in component.first:
        for other in component.first:
            yield from _restrictions(part, other)


def _restrictions(child: Any, parent: Any) -> Triples:
    """The restrictions that a named class is below, each as a superclass of its own."""
    if type(child).__name__ != "Class":
        return
    pending = [parent]
    while pending:
        part = pending.pop()
        kind = type(part).__name__
        if kind == "ObjectIntersectionOf":
            pending.extend(part.first)
        elif kind in _RESTRICTIONS:
            node, triples = ox.BlankNode(), list[ox.Triple]()
            yield _triple(_iri(child.first), terms.SUBCLASS, node)
            if type(part.ope).__name__ == "ObjectProperty":
                yield _triple(node, terms.ON_PROPERTY, _iri(part.ope.first))
            else:
                inverse = ox.BlankNode()
                yield _triple(node, terms.ON_PROPERTY, inverse)
                yield _triple(inverse, terms.INVERSE, _iri(part.ope.first.first))
            is_value = kind == "ObjectHasValue"
            yield _triple(
                node, _RESTRICTIONS[kind], _individual_node(part.i) if is_value else _expression(part.bce, triples)
            )
            yield from triples


_RESTRICTIONS = {
    "ObjectSomeValuesFrom": terms.SOME_VALUES,
    "ObjectAllValuesFrom": terms.ALL_VALUES,
    "ObjectHasValue": terms.HAS_VALUE,
}
_RELATION_COMPONENTS: dict[str, Callable[[Any], Triples]] = {
    "DeclareObjectProperty": _declared_as(terms.OBJECT_PROPERTIES[0]),
    "DeclareDataProperty": _declared_as(terms.DATA_PROPERTIES[0]),
    "DeclareAnnotationProperty": _declared_as(terms.ANNOTATION_PROPERTIES[0]),
    "DeclareNamedIndividual": _declared_as(terms.INDIVIDUAL),
    "SymmetricObjectProperty": _declared_as(terms.SYMMETRIC),
    "InverseObjectProperties": _inverse_properties,
    "ObjectPropertyDomain": _domain_or_range(terms.DOMAIN),
    "ObjectPropertyRange": _domain_or_range(terms.RANGE),
    "DataPropertyDomain": _domain_or_range(terms.DOMAIN),
    "ObjectPropertyAssertion": _inverted_link,
    "SubClassOf": _restricted_subclass,
    "EquivalentClasses": _restricted_equivalent,
}
