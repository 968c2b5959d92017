"""Engine `native`: Python code of the rules for scores and ontologies (their messages, severity: shapes/*.ttl)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import pyoxigraph as ox

from ontoeval.load import terms
from ontoeval.model.digraph import components
from ontoeval.rdf.validate.data_graph import key
from ontoeval.rdf.validate.property_table import (
    AGAINST,
    ALTERNATIVE,
    COUNT,
    HIDDEN,
    MAXIMUM,
    METRIC,
    MINIMUM,
    NAMES,
    PREFERRED,
    PROPERTY,
    RELATIONS,
    SHA256,
    SOFTWARE,
    SPEC,
    STARTED,
    STATUS,
    TARGET,
    UNDEFINED,
    USED,
    VALUE,
    VERSION,
    WARNING,
    WEIGHT,
    PropertyTable,
    Several,
    reachable,
)
from ontoeval.rdf.validate.report import Breach
from ontoeval.rdf.vocabulary import NS, SCORE_CLASSES, node


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
_is_weight = _is_literal("double", r"[+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?")
_is_integer = _is_literal("integer", r"[+-]?[0-9]+")
_is_time = _is_literal(
    "dateTime",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?",
    datetime.fromisoformat,
)
_is_hash = _is_literal("string", r"[0-9a-f]{64}")
_NAN = ox.Literal("NaN", datatype=node("xsd:double"))

_OF_SCORES = (
    _Property("one-metric", METRIC, _is_iri),
    _Property("one-target", TARGET, _is_iri),
    _Property("one-value", VALUE, _is_double, minimum=0),
    _Property("not-nan", VALUE, lambda term: bool(term != _NAN), minimum=0, maximum=np.inf),
    _Property("one-reason", UNDEFINED, _is_string, minimum=0),
)
_OF_RUN_SCORES = (
    _Property("one-spec", SPEC, _is_string),
    _Property("against-iri", AGAINST, _is_iri, minimum=0, maximum=np.inf),
)
_OF_WEIGHTS = (_Property("one-property", PROPERTY, _is_iri), _Property("one-weight", WEIGHT, _is_weight))
_OF_PROPERTY_SCORES = (
    _Property("one-property-spec", SPEC, _is_string),
    _Property("one-number-of-relations", RELATIONS, _is_literal("integer", r"[+]?[0-9]+")),
)
_OF_EVALUATIONS = (
    _Property("one-start", STARTED, _is_time),
    _Property("one-software", SOFTWARE, _is_iri),
    _Property("has-inputs", USED, _is_iri, maximum=np.inf),
    _Property("one-count", COUNT, _is_integer),
    _Property("warning-text", WARNING, _is_string, minimum=0, maximum=np.inf),
)


def _property_breaches(table: PropertyTable, nodes: list[str], properties: Iterable[_Property]) -> Iterator[Breach]:
    for prop in properties:
        column = table.columns[prop.predicate]
        # values repeat: each is checked once, then the nodes that have none, several or a bad one
        good: set[Any] = {term for term in set(column.values()) if type(term) is not Several and prop.good(term)}
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
    value, undefined = table.columns[VALUE], table.columns[UNDEFINED]
    for rule, nodes in (("score-has-iri", scores), ("evaluation-has-iri", table.of_class(f"{NS}Evaluation"))):
        yield from (Breach(rule, name, None) for name in nodes if name.startswith("_:"))
    yield from _property_breaches(table, scores, _OF_SCORES)
    yield from (Breach("value-or-reason", name, None) for name in scores if (name in value) == (name in undefined))
    yield from _beyond_range(table)
    yield from _property_breaches(table, table.of_class(f"{NS}RunScore"), _OF_RUN_SCORES)
    yield from _property_breaches(table, table.of_class(f"{NS}PropertyScore"), _OF_PROPERTY_SCORES)
    yield from _evaluation_breaches(table)
    yield from _property_breaches(table, table.of_class(f"{NS}EdgeWeight"), _OF_WEIGHTS)


def _beyond_range(table: PropertyTable) -> Iterator[Breach]:
    bounds = {}
    for metric in table.objects(METRIC):
        low, high = (
            [float(term.value) for term in table.values(metric, name) if _is_double(term)]
            for name in (MINIMUM, MAXIMUM)
        )
        bounds[metric] = (max(low, default=-np.inf), min(high, default=np.inf))
    metrics, values = table.columns[METRIC], table.columns[VALUE]
    pairs = set(zip(metrics.values(), map(values.get, metrics), strict=True))
    fine = {
        (metric, value)
        for metric, value in pairs
        if type(metric) is not Several and type(value) is not Several and not _outside(value, bounds[key(metric)])
    }
    for score, metric in metrics.items():
        if (metric, values.get(score)) not in fine:
            for term in table.values(score, METRIC):
                if any(_outside(value, bounds[key(term)]) for value in table.values(score, VALUE)):
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
    yield from (Breach("complete", name, None) for name in evaluations if complete not in table.values(name, STATUS))
    counts = _score_counts(table, evaluations)
    for name in evaluations:
        for term in table.values(name, COUNT):
            if _is_integer(term) and int(term.value) != counts[name] and not name.startswith("_:"):
                yield Breach("all-scores", name, key(term))
    agents, agent = table.objects(SOFTWARE), node("prov:SoftwareAgent")
    yield from (Breach("software-agent", name, None) for name in agents if agent not in table.values(name, terms.TYPE))
    yield from _property_breaches(table, agents, [_Property("software-version", VERSION, _is_string)])
    yield from _property_breaches(table, table.objects(USED), [_Property("input-hash", SHA256, _is_hash)])


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
                and (not classes.isdisjoint(value.terms) if type(value) is Several else value in classes)
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
    named = set().union(*(table.columns[name] for name in NAMES), (terms.THING, terms.NOTHING))
    for name in table.of_class(terms.CLASS, terms.RDFS_CLASS, terms.CONCEPT):
        if name not in named and not name.startswith("_:"):
            yield Breach("has-label", name, None)
    yield from _deprecated_breaches(table)


def _label_breaches(table: PropertyTable) -> Iterator[Breach]:
    preferred, alternative, hidden = (table.columns[name] for name in (PREFERRED, ALTERNATIVE, HIDDEN))
    for name in preferred:
        labels = table.values(name, PREFERRED)
        if name in alternative or name in hidden:
            others = {*table.values(name, ALTERNATIVE), *table.values(name, HIDDEN)}
            yield from (Breach("S13", name, key(term)) for term in labels if term in others)
        if len(labels) > 1:
            languages = [term.language for term in labels if type(term) is ox.Literal and term.language]
            if len(set(languages)) < len(languages):
                yield Breach("S14", name, None)
    for name in hidden:
        others = set(table.values(name, HIDDEN))
        yield from (Breach("S13-hidden", name, key(term)) for term in table.values(name, ALTERNATIVE) if term in others)


def _related_breaches(table: PropertyTable) -> Iterator[Breach]:
    related: dict[str, set[str]] = defaultdict(set)
    for one, other in table.pairs(terms.RELATED):
        related[one].add(other)
        related[other].add(one)
    parents = table.parents([terms.BROADER, terms.BROADER_TRANSITIVE], [terms.NARROWER, terms.NARROWER_TRANSITIVE])
    for name, others in related.items():
        yield from (Breach("S27", name, other) for other in others & reachable([name], parents))


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
