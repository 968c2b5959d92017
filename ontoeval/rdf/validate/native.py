"""The fast check of the built-in rules, for big graphs."""

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
from ontoeval.rdf.validate.report import Found
from ontoeval.rdf.vocabulary import NS, SCORES, node

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
_WANTED = (
    terms.TYPE, terms.SUBCLASS, terms.BROADER, terms.NARROWER, terms.BROADER_TRANSITIVE, terms.NARROWER_TRANSITIVE,
    terms.RELATED, terms.DEPRECATED, *_NAMES, _ALTERNATIVE, _HIDDEN, _METRIC, _TARGET, _VALUE, _USED, _SOFTWARE,
    _STARTED, _UNDEFINED, _SPEC, _AGAINST, _STATUS, _COUNT, _VERSION, _SHA256, _MINIMUM, _MAXIMUM,
)  # fmt: skip


class _Several:
    """The values of a subject that has more than one."""

    __slots__ = ("terms",)

    def __init__(self, *terms: Any) -> None:
        self.terms = dict.fromkeys(terms)  # a set that keeps the order


Column = dict[str, Any]  # subject -> its value, or _Several


class Known:
    """What a graph says with the properties that rules are about, by property and subject."""

    def __init__(self, data: Data) -> None:
        self.columns: dict[str, Column] = {name: {} for name in _WANTED}
        columns, same = self.columns, {}.setdefault  # type: ignore[var-annotated]
        count, last, subject = 0, None, ""
        for count, triple in enumerate(data.triples(), 1):  # noqa: B007 - the number of triples
            column = columns.get(triple.predicate.value)
            if column is None:
                continue
            term, value = triple.subject, triple.object
            if term != last:
                last, subject = term, key(term)
            value = same(value, value)  # a million scores have a handful of types and metrics
            before = column.setdefault(subject, value)
            if before is not value:
                if type(before) is _Several:
                    before.terms[value] = None
                else:
                    column[subject] = _Several(before, value)
        if not count:
            raise LoadError("there is no statement in it. Give an RDF file.", path=data.name)

    def values(self, subject: str, predicate: str) -> list[Any]:
        """The values of a property."""
        found = self.columns[predicate].get(subject)
        return [] if found is None else list(found.terms) if type(found) is _Several else [found]

    def pairs(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Subject and object of each triple."""
        for subject, found in self.columns[predicate].items():
            for term in found.terms if type(found) is _Several else (found,):
                yield subject, key(term)

    def objects(self, predicate: str) -> list[str]:
        return list({value for _, value in self.pairs(predicate)})

    def of_class(self, *classes: str) -> list[str]:
        """The instances of classes, and of those below them."""
        below: dict[str, list[str]] = defaultdict(list)
        for child, parent in self.pairs(terms.SUBCLASS):
            below[parent].append(child)
        wanted, waiting = set(classes), list(classes)
        while waiting:
            for child in below.get(waiting.pop(), ()):
                if child not in wanted:
                    wanted.add(child)
                    waiting.append(child)
        chosen = {term for term in self._types if key(term) in wanted}
        return [
            subject
            for subject, found in self.columns[terms.TYPE].items()
            if (not chosen.isdisjoint(found.terms) if type(found) is _Several else found in chosen)
        ]

    @cached_property
    def _types(self) -> set[Any]:
        found = self.columns[terms.TYPE].values()
        several = (term for one in found if type(one) is _Several for term in one.terms)
        return {one for one in found if type(one) is not _Several}.union(several)

    @cached_property
    def scores(self) -> list[str]:
        return self.of_class(*(NS + kind for kind in SCORES))

    def work(self, shapes: str) -> int:
        """How much there is to do for SHACL."""
        if shapes == "scores":
            return len(self.scores) * (4 + len(self.of_class(f"{NS}Evaluation")))
        looked_at = (terms.TYPE, terms.SUBCLASS, terms.BROADER, terms.NARROWER, terms.RELATED, _PREFERRED, _ALTERNATIVE)
        return len(set().union(*(self.columns[name] for name in looked_at)))

    def label(self, subject: str) -> str | None:
        """A label, rather an English one or one without a language."""
        found = [term for name in _NAMES[:2] for term in self.values(subject, name) if type(term) is ox.Literal]
        best = min(found, key=lambda term: (term.language not in ("en", None), term.value), default=None)
        return None if best is None else str(best.value)

    def parents(self, up: Iterable[str], down: Iterable[str]) -> dict[str, list[str]]:
        """Each child with its parents, told from either end."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in up:
            for child, parent in self.pairs(name):
                found[child].append(parent)
        for name in down:
            for parent, child in self.pairs(name):
                found[child].append(parent)
        return found


class _Property(NamedTuple):
    """A rule about the values of one property."""

    rule: str
    predicate: str
    good: Callable[[Any], bool]
    minimum: int = 1
    maximum: float = 1


def _is_iri(term: Any) -> bool:
    return type(term) is ox.NamedNode


def _literal(datatype: str, pattern: str = "", more: Callable[[str], object] = str) -> Callable[[Any], bool]:
    kind, form = ox.NamedNode(terms.XSD + datatype), re.compile(pattern)

    def good(term: Any) -> bool:
        if type(term) is not ox.Literal or term.datatype != kind or (pattern and not form.fullmatch(term.value)):
            return False
        try:
            more(term.value)
        except ValueError:
            return False
        return True

    return good


_is_string = _literal("string")
_is_double = _literal("double", r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?|[+-]?INF|NaN")
_is_integer = _literal("integer", r"[+-]?[0-9]+")
_is_time = _literal(
    "dateTime",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?",
    datetime.fromisoformat,
)
_is_hash = _literal("string", r"[0-9a-f]{64}")
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


def _checked(known: Known, nodes: list[str], properties: Iterable[_Property]) -> Iterator[Found]:
    for prop in properties:
        column = known.columns[prop.predicate]
        # Values repeat: judge each once, then look closer at the nodes that have none, several or a bad one.
        good: set[Any] = {term for term in set(column.values()) if type(term) is not _Several and prop.good(term)}
        if not prop.minimum:
            good.add(None)
        for subject in [name for name in nodes if column.get(name) not in good]:
            values = known.values(subject, prop.predicate)
            if not prop.minimum <= len(values) <= prop.maximum:
                yield Found(prop.rule, subject, None)
            for term in values:
                if not prop.good(term):
                    yield Found(prop.rule, subject, key(term))


def _score_findings(known: Known) -> Iterator[Found]:
    scores = known.scores
    value, undefined = known.columns[_VALUE], known.columns[_UNDEFINED]
    for rule, nodes in (("score-has-iri", scores), ("evaluation-has-iri", known.of_class(f"{NS}Evaluation"))):
        yield from (Found(rule, name, None) for name in nodes if name.startswith("_:"))
    yield from _checked(known, scores, _OF_SCORES)
    yield from (Found("value-or-reason", name, None) for name in scores if (name in value) == (name in undefined))
    yield from _beyond_range(known)
    yield from _checked(known, known.of_class(f"{NS}RunScore"), _OF_RUN_SCORES)
    yield from _evaluation_findings(known)


def _beyond_range(known: Known) -> Iterator[Found]:
    bounds = {}
    for metric in known.objects(_METRIC):
        low, high = (
            [float(term.value) for term in known.values(metric, name) if _is_double(term)]
            for name in (_MINIMUM, _MAXIMUM)
        )
        bounds[metric] = (max(low, default=-np.inf), min(high, default=np.inf))
    metrics, values = known.columns[_METRIC], known.columns[_VALUE]
    pairs = set(zip(metrics.values(), map(values.get, metrics), strict=True))
    fine = {
        (metric, value)
        for metric, value in pairs
        if type(metric) is not _Several and type(value) is not _Several and not _outside(value, bounds[key(metric)])
    }
    for score, metric in metrics.items():
        if (metric, values.get(score)) not in fine:
            for one in known.values(score, _METRIC):
                if any(_outside(value, bounds[key(one)]) for value in known.values(score, _VALUE)):
                    yield Found("within-range", key(one), score)


def _outside(value: Any, bounds: tuple[float, float]) -> bool:
    if value is None or not _is_double(value):
        return False
    number = float(value.value)
    return number < bounds[0] or number > bounds[1]


def _evaluation_findings(known: Known) -> Iterator[Found]:
    evaluations = known.of_class(f"{NS}Evaluation")
    yield from _checked(known, evaluations, _OF_EVALUATIONS)
    complete = node("oe:Complete")
    yield from (Found("complete", name, None) for name in evaluations if complete not in known.values(name, _STATUS))
    count = _scores_of(known, evaluations)
    for name in evaluations:
        for told in known.values(name, _COUNT):
            if _is_integer(told) and int(told.value) != count[name] and not name.startswith("_:"):
                yield Found("all-scores", name, key(told))
    agents, agent = known.objects(_SOFTWARE), node("prov:SoftwareAgent")
    yield from (Found("software-agent", name, None) for name in agents if agent not in known.values(name, terms.TYPE))
    yield from _checked(known, agents, [_Property("software-version", _VERSION, _is_string)])
    yield from _checked(known, known.objects(_USED), [_Property("input-hash", _SHA256, _is_hash)])


def _scores_of(known: Known, evaluations: list[str]) -> Counter[str]:
    """How many scores begin with the IRI of each evaluation and a slash."""
    kinds = {node(f"oe:{kind}") for kind in SCORES}
    found: Counter[str] = Counter()
    there = set(evaluations)
    for length in {len(name) for name in evaluations}:
        for score, kind in known.columns[terms.TYPE].items():
            if (
                score[length : length + 1] == "/"
                and score[:length] in there
                and (not kinds.isdisjoint(kind.terms) if type(kind) is _Several else kind in kinds)
            ):
                found[score[:length]] += 1
    return found


def _ontology_findings(known: Known) -> Iterator[Found]:
    yield from _label_findings(known)
    yield from _related_findings(known)
    broader = known.parents([terms.BROADER], [terms.NARROWER])
    yield from (Found("broader-cycle", name, None) for name in _in_cycles(broader, alone=True))
    classes = known.parents([terms.SUBCLASS], [])
    yield from (Found("subclass-cycle", name, None) for name in _in_cycles(classes, alone=False))
    named = set().union(*(known.columns[name] for name in _NAMES), (terms.THING, terms.NOTHING))
    for name in known.of_class(terms.CLASS, terms.RDFS_CLASS, terms.CONCEPT):
        if name not in named and not name.startswith("_:"):
            yield Found("has-label", name, None)
    yield from _deprecated_findings(known)


def _label_findings(known: Known) -> Iterator[Found]:
    preferred, alternative, hidden = (known.columns[name] for name in (_PREFERRED, _ALTERNATIVE, _HIDDEN))
    for name in preferred:
        own = known.values(name, _PREFERRED)
        if name in alternative or name in hidden:
            others = {*known.values(name, _ALTERNATIVE), *known.values(name, _HIDDEN)}
            yield from (Found("S13", name, key(term)) for term in own if term in others)
        if len(own) > 1:
            languages = [term.language for term in own if type(term) is ox.Literal and term.language]
            if len(set(languages)) < len(languages):
                yield Found("S14", name, None)
    for name in hidden:
        others = set(known.values(name, _HIDDEN))
        yield from (Found("S13-hidden", name, key(term)) for term in known.values(name, _ALTERNATIVE) if term in others)


def _related_findings(known: Known) -> Iterator[Found]:
    related: dict[str, set[str]] = defaultdict(set)
    for one, other in known.pairs(terms.RELATED):
        related[one].add(other)
        related[other].add(one)
    above = known.parents([terms.BROADER, terms.BROADER_TRANSITIVE], [terms.NARROWER, terms.NARROWER_TRANSITIVE])
    for name, others in related.items():
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            for parent in above.get(waiting.pop(), ()):
                if parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
        yield from (Found("S27", name, other) for other in others & seen)


def _in_cycles(parents: Mapping[str, list[str]], *, alone: bool) -> Iterator[str]:
    """The nodes from which a way leads back; `alone`: a single step to oneself is one, too."""
    number: dict[str, int] = {}
    tails, heads = [], []
    for child, above in parents.items():
        tail = number.setdefault(child, len(number))
        for parent in above:
            tails.append(tail)
            heads.append(number.setdefault(parent, len(number)))
    _, part = components(len(number), np.array(tails, dtype=np.int64), np.array(heads, dtype=np.int64))
    together = np.bincount(part, minlength=1)[part] > 1
    for name, i in number.items():
        if together[i] or (alone and name in parents.get(name, ())):
            yield name


def _deprecated_findings(known: Known) -> Iterator[Found]:
    true, kind = ox.Literal(True), ox.NamedNode(terms.DEPRECATED_CLASS)
    gone = {name for name in known.columns[terms.DEPRECATED] if true in known.values(name, terms.DEPRECATED)}
    gone.update(name for name in known.of_class(terms.DEPRECATED_CLASS) if kind in known.values(name, terms.TYPE))
    if gone:
        for child, above in known.parents([terms.SUBCLASS, terms.BROADER], [terms.NARROWER]).items():
            if child not in gone:
                yield from (Found("deprecated-parent", parent, child) for parent in above if parent in gone)


NATIVE: dict[str, Callable[[Known], Iterator[Found]]] = {"scores": _score_findings, "ontology": _ontology_findings}
