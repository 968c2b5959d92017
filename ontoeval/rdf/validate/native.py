"""The engine `native`: the rules of the built-in shapes for scores and ontologies as Python code, for big graphs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyoxigraph as ox

from ontoeval.errors import LoadError
from ontoeval.load import terms
from ontoeval.model.digraph import components
from ontoeval.rdf.validate.data_graph import LABEL, Data, key
from ontoeval.rdf.validate.report import Breach
from ontoeval.rdf.vocabulary import NS, SCORE_CLASSES, node

_PREFERRED, _ALTERNATIVE, _HIDDEN = (
    f"{terms.SKOS}prefLabel", f"{terms.SKOS}altLabel", f"{terms.SKOS}hiddenLabel"
)  # fmt: skip
_NAMES = (
    LABEL, _PREFERRED, f"{terms.SKOS_XL}prefLabel", f"{terms.DCT}title", "http://schema.org/name", "https://schema.org/name"
)  # fmt: skip
_METRIC, _TARGET, _VALUE = (node(f"dqv:{name}").value for name in ("isMeasurementOf", "computedOn", "value"))
_USED, _SOFTWARE, _STARTED = (node(f"prov:{name}").value for name in ("used", "wasAssociatedWith", "startedAtTime"))
_UNDEFINED, _SPEC, _AGAINST, _STATUS, _COUNT, _VERSION, _SHA256, _MINIMUM, _MAXIMUM = (
    NS + name
    for name in (
        "undefined", "spec", "against", "status", "measurementCount", "version", "sha256", "minimum", "maximum"
    )
)  # fmt: skip
_READ = (
    terms.TYPE, terms.SUBCLASS, terms.BROADER, terms.NARROWER, terms.BROADER_TRANSITIVE, terms.NARROWER_TRANSITIVE,
    terms.RELATED, terms.DEPRECATED, *_NAMES, _ALTERNATIVE, _HIDDEN, _METRIC, _TARGET, _VALUE, _USED, _SOFTWARE,
    _STARTED, _UNDEFINED, _SPEC, _AGAINST, _STATUS, _COUNT, _VERSION, _SHA256, _MINIMUM, _MAXIMUM,
)  # fmt: skip


class _Several:
    """The values of a subject that has more than one."""

    __slots__ = ("terms",)

    def __init__(self, *terms: Any) -> None:
        self.terms = dict.fromkeys(terms)  # a set that keeps the order


_Column = dict[str, Any]  # subject -> its value, or _Several


class PropertyTable:
    """The triples of a graph whose properties the rules are about, by property and subject."""

    def __init__(self, data: Data) -> None:
        self.columns: dict[str, _Column] = {name: {} for name in _READ}
        columns, shared = self.columns, {}.setdefault  # type: ignore[var-annotated]
        count, last, subject = 0, None, ""
        for count, triple in enumerate(data.triples(), 1):  # noqa: B007 - the number of triples
            column = columns.get(triple.predicate.value)
            if column is None:
                continue
            term, value = triple.subject, triple.object
            if term != last:
                last, subject = term, key(term)
            value = shared(value, value)  # one object for equal values, of which there are few
            before = column.setdefault(subject, value)
            if before is not value:
                if type(before) is _Several:
                    before.terms[value] = None
                else:
                    column[subject] = _Several(before, value)
        if not count:
            raise LoadError("there is no statement in it", advice="Give an RDF file.", path=data.name)

    def values(self, subject: str, predicate: str) -> list[Any]:
        """The values of a property."""
        value = self.columns[predicate].get(subject)
        return [] if value is None else list(value.terms) if type(value) is _Several else [value]

    def pairs(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Subject and object of each triple."""
        for subject, value in self.columns[predicate].items():
            for term in value.terms if type(value) is _Several else (value,):
                yield subject, key(term)

    def objects(self, predicate: str) -> list[str]:
        """The values of a property over all subjects, each once."""
        return list({value for _, value in self.pairs(predicate)})

    def of_class(self, *classes: str) -> list[str]:
        """The instances of classes and of their subclasses."""
        children: dict[str, list[str]] = defaultdict(list)
        for child, parent in self.pairs(terms.SUBCLASS):
            children[parent].append(child)
        subclasses = _reachable(classes, children) | set(classes)
        types = {term for term in self._types if key(term) in subclasses}
        return [
            subject
            for subject, value in self.columns[terms.TYPE].items()
            if (not types.isdisjoint(value.terms) if type(value) is _Several else value in types)
        ]

    @cached_property
    def _types(self) -> set[Any]:
        values = self.columns[terms.TYPE].values()
        several = (term for value in values if type(value) is _Several for term in value.terms)
        return {value for value in values if type(value) is not _Several}.union(several)

    @cached_property
    def scores(self) -> list[str]:
        """The scores of all kinds."""
        return self.of_class(*(NS + kind for kind in SCORE_CLASSES))

    def work(self, shapes: str) -> int:
        """How much work the shapes are for SHACL, in the units of `check.LIMITS`."""
        if shapes == "scores":
            return len(self.scores) * (4 + len(self.of_class(f"{NS}Evaluation")))
        targets = (terms.TYPE, terms.SUBCLASS, terms.BROADER, terms.NARROWER, terms.RELATED, _PREFERRED, _ALTERNATIVE)
        return len(set().union(*(self.columns[name] for name in targets)))

    def label(self, subject: str) -> str | None:
        """A label, if possible in English or without a language."""
        labels = [term for name in _NAMES[:2] for term in self.values(subject, name) if type(term) is ox.Literal]
        best = min(labels, key=lambda term: (term.language not in ("en", None), term.value), default=None)
        return None if best is None else str(best.value)

    def parents(self, up: Iterable[str], down: Iterable[str]) -> dict[str, list[str]]:
        """Each child with its parents, by properties from child to parent (up) and from parent to child (down)."""
        parents: dict[str, list[str]] = defaultdict(list)
        for name in up:
            for child, parent in self.pairs(name):
                parents[child].append(parent)
        for name in down:
            for parent, child in self.pairs(name):
                parents[child].append(parent)
        return parents


def _reachable(starts: Iterable[str], neighbours: Mapping[str, list[str]]) -> set[str]:
    """The nodes that one or more steps lead to."""
    seen: set[str] = set()
    waiting = list(starts)
    while waiting:
        for name in neighbours.get(waiting.pop(), ()):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


class _Property(NamedTuple):
    """A rule about the values of one property."""

    rule: str
    predicate: str
    good: Callable[[Any], bool]
    minimum: int = 1
    maximum: float = 1


def _is_iri(term: Any) -> bool:
    return type(term) is ox.NamedNode


def _is_literal(datatype: str, pattern: str = "", parse: Callable[[str], object] = str) -> Callable[[Any], bool]:
    """The check of a literal: its datatype, its form, and whether it can be parsed."""
    kind, form = ox.NamedNode(terms.XSD + datatype), re.compile(pattern)

    def good(term: Any) -> bool:
        if type(term) is not ox.Literal or term.datatype != kind or (pattern and not form.fullmatch(term.value)):
            return False
        try:
            parse(term.value)
        except ValueError:
            return False
        return True

    return good


_is_string = _is_literal("string")
_is_double = _is_literal("double", r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?|[+-]?INF|NaN")
_is_integer = _is_literal("integer", r"[+-]?[0-9]+")
_is_time = _is_literal(
    "dateTime",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?",
    datetime.fromisoformat,
)
_is_hash = _is_literal("string", r"[0-9a-f]{64}")
_NAN = ox.Literal("NaN", datatype=node("xsd:double"))

_OF_SCORES = (
    _Property("one-metric", _METRIC, _is_iri),
    _Property("one-target", _TARGET, _is_iri),
    _Property("one-value", _VALUE, _is_double, minimum=0),
    _Property("not-nan", _VALUE, lambda term: bool(term != _NAN), minimum=0, maximum=np.inf),
    _Property("one-reason", _UNDEFINED, _is_string, minimum=0),
)
_OF_RUN_SCORES = (
    _Property("one-spec", _SPEC, _is_string),
    _Property("against-iri", _AGAINST, _is_iri, minimum=0, maximum=np.inf),
)
_OF_EVALUATIONS = (
    _Property("one-start", _STARTED, _is_time),
    _Property("one-software", _SOFTWARE, _is_iri),
    _Property("has-inputs", _USED, _is_iri, maximum=np.inf),
    _Property("one-count", _COUNT, _is_integer),
)


def _property_breaches(table: PropertyTable, nodes: list[str], properties: Iterable[_Property]) -> Iterator[Breach]:
    for prop in properties:
        column = table.columns[prop.predicate]
        # values repeat: each is checked once, then the nodes that have none, several or a bad one
        good: set[Any] = {term for term in set(column.values()) if type(term) is not _Several and prop.good(term)}
        if not prop.minimum:
            good.add(None)
        for subject in [name for name in nodes if column.get(name) not in good]:
            values = table.values(subject, prop.predicate)
            if not prop.minimum <= len(values) <= prop.maximum:
                yield Breach(prop.rule, subject, None)
            for term in values:
                if not prop.good(term):
                    yield Breach(prop.rule, subject, key(term))


def _score_breaches(table: PropertyTable) -> Iterator[Breach]:
    scores = table.scores
    value, undefined = table.columns[_VALUE], table.columns[_UNDEFINED]
    for rule, nodes in (("score-has-iri", scores), ("evaluation-has-iri", table.of_class(f"{NS}Evaluation"))):
        yield from (Breach(rule, name, None) for name in nodes if name.startswith("_:"))
    yield from _property_breaches(table, scores, _OF_SCORES)
    yield from (Breach("value-or-reason", name, None) for name in scores if (name in value) == (name in undefined))
    yield from _beyond_range(table)
    yield from _property_breaches(table, table.of_class(f"{NS}RunScore"), _OF_RUN_SCORES)
    yield from _evaluation_breaches(table)


def _beyond_range(table: PropertyTable) -> Iterator[Breach]:
    bounds = {}
    for metric in table.objects(_METRIC):
        low, high = (
            [float(term.value) for term in table.values(metric, name) if _is_double(term)]
            for name in (_MINIMUM, _MAXIMUM)
        )
        bounds[metric] = (max(low, default=-np.inf), min(high, default=np.inf))
    metrics, values = table.columns[_METRIC], table.columns[_VALUE]
    pairs = set(zip(metrics.values(), map(values.get, metrics), strict=True))
    fine = {
        (metric, value)
        for metric, value in pairs
        if type(metric) is not _Several and type(value) is not _Several and not _outside(value, bounds[key(metric)])
    }
    for score, metric in metrics.items():
        if (metric, values.get(score)) not in fine:
            for term in table.values(score, _METRIC):
                if any(_outside(value, bounds[key(term)]) for value in table.values(score, _VALUE)):
                    yield Breach("within-range", key(term), score)


def _outside(value: Any, bounds: tuple[float, float]) -> bool:
    if value is None or not _is_double(value):
        return False
    number = float(value.value)
    return number < bounds[0] or number > bounds[1]


def _evaluation_breaches(table: PropertyTable) -> Iterator[Breach]:
    evaluations = table.of_class(f"{NS}Evaluation")
    yield from _property_breaches(table, evaluations, _OF_EVALUATIONS)
    complete = node("oe:Complete")
    yield from (Breach("complete", name, None) for name in evaluations if complete not in table.values(name, _STATUS))
    counts = _score_counts(table, evaluations)
    for name in evaluations:
        for term in table.values(name, _COUNT):
            if _is_integer(term) and int(term.value) != counts[name] and not name.startswith("_:"):
                yield Breach("all-scores", name, key(term))
    agents, agent = table.objects(_SOFTWARE), node("prov:SoftwareAgent")
    yield from (Breach("software-agent", name, None) for name in agents if agent not in table.values(name, terms.TYPE))
    yield from _property_breaches(table, agents, [_Property("software-version", _VERSION, _is_string)])
    yield from _property_breaches(table, table.objects(_USED), [_Property("input-hash", _SHA256, _is_hash)])


def _score_counts(table: PropertyTable, evaluations: list[str]) -> Counter[str]:
    """The number of scores whose IRI begins with that of an evaluation and a slash, by evaluation."""
    classes = {node(f"oe:{name}") for name in SCORE_CLASSES}
    counts: Counter[str] = Counter()
    prefixes = set(evaluations)
    for length in {len(name) for name in evaluations}:
        for score, value in table.columns[terms.TYPE].items():
            if (
                score[length : length + 1] == "/"
                and score[:length] in prefixes
                and (not classes.isdisjoint(value.terms) if type(value) is _Several else value in classes)
            ):
                counts[score[:length]] += 1
    return counts


def _ontology_breaches(table: PropertyTable) -> Iterator[Breach]:
    yield from _label_breaches(table)
    yield from _related_breaches(table)
    broader = table.parents([terms.BROADER], [terms.NARROWER])
    yield from (Breach("broader-cycle", name, None) for name in _in_cycles(broader, loops=True))
    classes = table.parents([terms.SUBCLASS], [])
    yield from (Breach("subclass-cycle", name, None) for name in _in_cycles(classes, loops=False))
    named = set().union(*(table.columns[name] for name in _NAMES), (terms.THING, terms.NOTHING))
    for name in table.of_class(terms.CLASS, terms.RDFS_CLASS, terms.CONCEPT):
        if name not in named and not name.startswith("_:"):
            yield Breach("has-label", name, None)
    yield from _deprecated_breaches(table)


def _label_breaches(table: PropertyTable) -> Iterator[Breach]:
    preferred, alternative, hidden = (table.columns[name] for name in (_PREFERRED, _ALTERNATIVE, _HIDDEN))
    for name in preferred:
        labels = table.values(name, _PREFERRED)
        if name in alternative or name in hidden:
            others = {*table.values(name, _ALTERNATIVE), *table.values(name, _HIDDEN)}
            yield from (Breach("S13", name, key(term)) for term in labels if term in others)
        if len(labels) > 1:
            languages = [term.language for term in labels if type(term) is ox.Literal and term.language]
            if len(set(languages)) < len(languages):
                yield Breach("S14", name, None)
    for name in hidden:
        others = set(table.values(name, _HIDDEN))
        yield from (
            Breach("S13-hidden", name, key(term)) for term in table.values(name, _ALTERNATIVE) if term in others
        )


def _related_breaches(table: PropertyTable) -> Iterator[Breach]:
    related: dict[str, set[str]] = defaultdict(set)
    for one, other in table.pairs(terms.RELATED):
        related[one].add(other)
        related[other].add(one)
    parents = table.parents([terms.BROADER, terms.BROADER_TRANSITIVE], [terms.NARROWER, terms.NARROWER_TRANSITIVE])
    for name, others in related.items():
        yield from (Breach("S27", name, other) for other in others & _reachable([name], parents))


def _in_cycles(parents: Mapping[str, list[str]], *, loops: bool) -> Iterator[str]:
    """The nodes of cycles; `loops`: also those that are their own parents."""
    numbers: dict[str, int] = {}
    tails, heads = [], []
    for child, its_parents in parents.items():
        tail = numbers.setdefault(child, len(numbers))
        for parent in its_parents:
            tails.append(tail)
            heads.append(numbers.setdefault(parent, len(numbers)))
    _, component = components(len(numbers), np.array(tails, dtype=np.int64), np.array(heads, dtype=np.int64))
    in_cycle = np.bincount(component, minlength=1)[component] > 1
    for name, number in numbers.items():
        if in_cycle[number] or (loops and name in parents.get(name, ())):
            yield name


def _deprecated_breaches(table: PropertyTable) -> Iterator[Breach]:
    true, kind = ox.Literal(True), ox.NamedNode(terms.DEPRECATED_CLASS)
    deprecated = {name for name in table.columns[terms.DEPRECATED] if true in table.values(name, terms.DEPRECATED)}
    deprecated.update(name for name in table.of_class(terms.DEPRECATED_CLASS) if kind in table.values(name, terms.TYPE))
    if deprecated:
        for child, parents in table.parents([terms.SUBCLASS, terms.BROADER], [terms.NARROWER]).items():
            if child not in deprecated:
                yield from (Breach("deprecated-parent", parent, child) for parent in parents if parent in deprecated)


_Check = Callable[[PropertyTable], Iterator[Breach]]
NATIVE: dict[str, _Check] = {"scores": _score_breaches, "ontology": _ontology_breaches}
