"""`Columns`, `collect`: which properties and types of triples are kept, by property (meaning: owl.py, skos.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode

from ontoeval.load import terms
from ontoeval.load.ontologies.facts import Facts, Link
from ontoeval.model.lexicon import local_name

Pair = tuple[int, int]
PairColumns = tuple[list[int], list[int]]  # subjects, objects
Batch = list[Any]  # quads of one property
Handler = Callable[[Batch], None]

_BATCH = 1024  # quads looked at before those that matter go into columns; more leave the processor cache

_NODE_PROPERTIES = (
    terms.SUBCLASS, terms.EQUIVALENT, terms.SAME_AS, terms.INTERSECTION, terms.UNION, terms.DISJOINT_UNION,
    terms.FIRST, terms.REST, terms.IMPORTS, terms.VERSION_IRI, terms.BROADER, terms.NARROWER, terms.BROADER_TRANSITIVE,
    terms.NARROWER_TRANSITIVE, terms.BROAD_MATCH, terms.NARROW_MATCH, terms.RELATED, terms.RELATED_MATCH,
    terms.EXACT_MATCH, terms.CLOSE_MATCH, terms.IN_SCHEME, terms.TOP_CONCEPT_OF, terms.HAS_TOP_CONCEPT, terms.SUBJECT,
    *terms.XL_LABELS,
)  # fmt: skip
_LITERAL_PROPERTIES = (terms.LITERAL_FORM, terms.DEPRECATED, terms.OBO_NAMESPACE, terms.ALTERNATIVE_ID)
_RELATION_PROPERTIES = (
    terms.ON_PROPERTY, terms.SOME_VALUES, terms.ALL_VALUES, terms.HAS_VALUE, terms.DOMAIN, terms.RANGE, terms.INVERSE,
)  # fmt: skip
_PROPERTY_TYPES = {*terms.OBJECT_PROPERTIES, *terms.DATA_PROPERTIES, *terms.ANNOTATION_PROPERTIES}
_RELATION_TYPES = {*_PROPERTY_TYPES, terms.INDIVIDUAL}
_TYPES_KEPT = {  # types that say what a node is; others of these vocabularies say nothing here
    terms.CLASS, terms.RDFS_CLASS, terms.DEPRECATED_CLASS, terms.ONTOLOGY,
    terms.CONCEPT, terms.SCHEME, terms.COLLECTION, terms.ORDERED_COLLECTION,
}  # fmt: skip
_VOCABULARIES = (*terms.BUILT_IN, terms.SKOS)
# what a learner's confidence is called, whatever the vocabulary; of several that a file has the first counts
CONFIDENCE_NAMES = ("confidence", "probability", "score")
_ABOUT_TERMS = (*_VOCABULARIES, terms.SHACL)  # properties of these relate terms, not what they mean


@dataclass
class Columns:
    """The triples that matter, one column per property, nodes as numbers.

    Blank nodes are numbered like IRIs, under `_:` names. Labels go straight into `facts`, which shares the numbers.
    """

    facts: Facts = field(default_factory=Facts)
    pairs: dict[str, PairColumns] = field(default_factory=dict)
    literals: dict[str, list[tuple[int, str, str]]] = field(default_factory=dict)  # node, text, language
    types: dict[str, list[int]] = field(default_factory=dict)  # class IRI -> its members
    values: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # property -> node, IRI or text
    other_links: tuple[list[int], list[int], list[int]] = field(default_factory=lambda: ([], [], []))  # s, p, o
    triples: int = 0
    files: int = 0  # blank nodes of two files are never the same

    def pairs_of(self, *properties: str) -> Iterator[Pair]:
        for name in properties:
            if name in self.pairs:
                yield from zip(*self.pairs[name], strict=True)

    def links_of(self, *properties: str) -> Iterator[Link]:
        """The pairs of some properties, each with its property."""
        for name in properties:
            yield from (Link(a, b, name) for a, b in self.pairs_of(name))

    def members(self, *classes: str) -> Iterator[int]:
        for name in classes:
            yield from self.types.get(name, ())

    def add(self, other: Columns) -> None:
        """Take in the columns of another, finished reading, renumbering its names."""
        facts, added = self.facts, other.facts
        new = [facts.number(name) for name in added.names]
        for name, rows in other.pairs.items():
            for column, extended in zip(rows, self.pairs.setdefault(name, ([], [])), strict=True):
                extended.extend(new[a] for a in column)
        for name, values in other.literals.items():
            self.literals.setdefault(name, []).extend((new[a], text, language) for a, text, language in values)
        for name, texts in other.values.items():
            self.values.setdefault(name, []).extend((new[a], text) for a, text in texts)
        for column, extended in zip(other.other_links, self.other_links, strict=True):
            extended.extend(new[a] for a in column)
        for name, members in other.types.items():
            self.types.setdefault(name, []).extend(new[a] for a in members)
        for concept, text, language, role in zip(
            added.labelled, added.texts, added.languages, added.roles, strict=True
        ):
            facts.label(new[concept], text, language, role)
        facts.property_names |= added.property_names
        facts.notes.extend(added.notes)
        self.triples += other.triples
        self.files = other.files


class Properties(NamedTuple):
    """The properties whose triples are kept."""

    links: tuple[str, ...]  # between nodes
    values: tuple[str, ...]  # IRIs or texts
    confidences: bool = False  # also axioms with an annotation that says how sure a learner is of them
    others: bool = False  # all other links between named nodes, too, and what says which of them are relations


def confidence_name(property: str) -> str | None:
    """Which of `CONFIDENCE_NAMES` the local name of a property is, in any case, perhaps with `has` in front."""
    name = local_name(property).casefold().removeprefix("has")
    return name if name in CONFIDENCE_NAMES else None


def properties_to_read(
    relations: Iterable[str] = (),
    instance_property: str | None = None,
    instance_keys: Iterable[str] = (),
    *,
    confidences: bool = False,
    others: bool = False,
) -> Properties:
    """What every file is asked for, and what the user wants."""
    more = [*relations]
    if more:
        more += [terms.ON_PROPERTY, terms.SOME_VALUES]
    if others:
        more += _RELATION_PROPERTIES
    if instance_property:
        more.append(instance_property)
    if confidences:
        more += [terms.ANNOTATED_SOURCE, terms.ANNOTATED_PROPERTY, terms.ANNOTATED_TARGET]
    return Properties((*_NODE_PROPERTIES, *more), tuple(instance_keys), confidences, others)


def collect(quads: Iterable[Any], columns: Columns, properties: Properties) -> None:
    """Read every triple once and keep those that matter. Named graphs are merged.

    Quads are sorted by property a batch at a time, and each batch goes into its columns by list comprehensions: that
    takes two thirds of the time of a call per triple, and only the quads of one batch are alive.
    """
    handlers = _handlers(columns, properties)
    queues: dict[NamedNode, Batch] = {name: [] for name in handlers}
    others: Batch | None = [] if properties.others else None
    handle_others = _other_links_into(columns.other_links, columns.facts.names)
    stream = iter(quads)
    if properties.confidences:
        stream = _with_confidence_columns(stream, columns, handlers, queues)
    while read := _distribute(islice(stream, _BATCH), queues, others):
        for name, queue in queues.items():
            if queue:
                handlers[name](queue)
                queue.clear()
        if others:
            handle_others(others)
            others.clear()
        columns.triples += read
    columns.files += 1


def _with_confidence_columns(
    quads: Iterable[Any], columns: Columns, handlers: dict[NamedNode, Handler], queues: dict[NamedNode, Batch]
) -> Iterator[Any]:
    """The same quads; a property of any vocabulary that is called confidence gets a column when it is first seen."""
    names, scope = columns.facts.names, _scope(columns)
    seen: set[NamedNode] = set()
    for quad in quads:
        name = quad.predicate
        if name not in seen:
            seen.add(name)
            if confidence_name(name.value) is not None:
                handler = _literals_into(columns.literals.setdefault(name.value, []), names, scope)
                handlers[name] = _both(handler, handlers[name]) if name in handlers else handler
                queues.setdefault(name, [])
        yield quad


def _scope(columns: Columns) -> str:
    """What the names of the blank nodes of the next file begin with."""
    return f"_:{columns.files}."


def _distribute(batch: Iterable[Any], queues: dict[NamedNode, Batch], others: Batch | None) -> int:
    """Put the quads that matter into their queues; the others into theirs, or they are let go. The number of quads."""
    queue_of = queues.get
    count = 0
    for count, quad in enumerate(batch, 1):  # noqa: B007 - the last one is the result
        queue = queue_of(quad.predicate, others)
        if queue is not None:
            queue.append(quad)
    return count


def _handlers(columns: Columns, properties: Properties) -> dict[NamedNode, Handler]:
    """What to do with the triples of each property."""
    facts = columns.facts
    scope = _scope(columns)
    types = _types_into(columns, _RELATION_TYPES if properties.others else set())
    result: dict[NamedNode, Handler] = {NamedNode(terms.TYPE): types}
    for name in properties.links:
        result[NamedNode(name)] = _pairs_into(columns.pairs.setdefault(name, ([], [])), facts.names, scope)
    for name in _LITERAL_PROPERTIES:
        result[NamedNode(name)] = _literals_into(columns.literals.setdefault(name, []), facts.names, scope)
    for name, role in terms.LABELS.items():
        result[NamedNode(name)] = _labels_into(facts, role)
    for name in properties.values:  # one that is also something else is both
        handler, other = _values_into(columns.values.setdefault(name, []), facts.names), result.get(NamedNode(name))
        result[NamedNode(name)] = handler if other is None else _both(handler, other)
    return result


def _both(one: Handler, other: Handler) -> Handler:
    def handle(batch: Batch) -> None:
        one(batch)
        other(batch)

    return handle


def _pairs_into(column: PairColumns, names: dict[str, int], scope: str) -> Handler:
    nodes = (NamedNode, BlankNode)

    def handle(batch: Batch) -> None:
        links = [(quad.subject, quad.object) for quad in batch]
        links = [(s, o) for s, o in links if type(s) in nodes and type(o) in nodes]
        column[0].extend([names[s.value if type(s) is NamedNode else scope + s.value] for s, _ in links])
        column[1].extend([names[o.value if type(o) is NamedNode else scope + o.value] for _, o in links])

    return handle


def _literals_into(column: list[tuple[int, str, str]], names: dict[str, int], scope: str) -> Handler:
    def handle(batch: Batch) -> None:
        for quad in batch:
            subject, value = quad.subject, quad.object
            if type(value) is Literal and type(subject) in (NamedNode, BlankNode):
                name = subject.value if type(subject) is NamedNode else scope + subject.value
                column.append((names[name], value.value, (value.language or "").lower()))

    return handle


def _values_into(column: list[tuple[int, str]], names: dict[str, int]) -> Handler:
    def handle(batch: Batch) -> None:
        links = [(quad.subject, quad.object) for quad in batch]
        links = [(s, o) for s, o in links if type(s) is NamedNode and type(o) in (NamedNode, Literal)]
        column.extend([(names[s.value], o.value) for s, o in links])

    return handle


def _labels_into(facts: Facts, role: str) -> Handler:
    names = facts.names

    def handle(batch: Batch) -> None:
        links = [(quad.subject, quad.object) for quad in batch]
        links = [(s, o) for s, o in links if type(o) is Literal and type(s) is NamedNode]
        facts.labelled.extend([names[s.value] for s, _ in links])
        facts.texts.extend([o.value for _, o in links])
        facts.languages.extend([(o.language or "").lower() for _, o in links])
        facts.roles.extend([role] * len(links))

    return handle


def _other_links_into(column: tuple[list[int], list[int], list[int]], names: dict[str, int]) -> Handler:
    def handle(batch: Batch) -> None:
        links = [(quad.subject, quad.predicate.value, quad.object) for quad in batch]
        links = [(s, p, o) for s, p, o in links if type(s) is NamedNode and type(o) is NamedNode]
        links = [(s, p, o) for s, p, o in links if not p.startswith(_ABOUT_TERMS)]
        column[0].extend([names[s.value] for s, _, _ in links])
        column[1].extend([names[p] for _, p, _ in links])
        column[2].extend([names[o.value] for _, _, o in links])

    return handle


def _types_into(columns: Columns, more: set[str]) -> Handler:
    """`more`: further types of known vocabularies that are kept; of properties the names are in any case."""
    types, names, property_names = columns.types, columns.facts.names, columns.facts.property_names
    kept = _TYPES_KEPT | more
    ignored = {NamedNode(terms.OWL + name) for name in ("Axiom", "Restriction", "NamedIndividual")}
    ignored -= {NamedNode(name) for name in more}

    def handle(batch: Batch) -> None:
        links = [(quad.subject, quad.object) for quad in batch if type(quad.subject) is NamedNode]
        for subject, value in links:
            if type(value) is NamedNode and value not in ignored:
                iri = value.value
                if iri in kept or not iri.startswith(_VOCABULARIES):
                    types.setdefault(iri, []).append(names[subject.value])
                if iri in _PROPERTY_TYPES:
                    property_names.add(subject.value)

    return handle
