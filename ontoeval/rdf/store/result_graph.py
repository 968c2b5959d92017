"""`result_triples`: an evaluation as triples; `read_result`: back; `run_iri`, `input_iri` (terms: vocabulary.py)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any
from urllib.parse import quote

import numpy as np
import pyoxigraph as ox

from ontoeval.errors import LoadError, OntoevalError
from ontoeval.measures import Measure, parse
from ontoeval.model.edge_weights import property_iri
from ontoeval.model.hierarchy import WEIGHTS
from ontoeval.model.lexicon import is_iri
from ontoeval.model.ontology import Source
from ontoeval.rdf.vocabulary import (
    ASSOCIATED,
    BASE,
    COMPLETE,
    COMPUTED_ON,
    DATE_TIME,
    EVALUATION,
    JSON,
    LABEL,
    METRIC,
    NS,
    PREFIXES,
    STARTED,
    TITLE,
    TYPE,
    USED,
    VALUE,
    concept_node,
    double,
    metric,
    node,
)
from ontoeval.report.names import with_prefix
from ontoeval.results import EvaluationResult, MeasureResult, NamedScores, Names, PropertyScore, Score, plain

RUN = f"{NS}run/"
_UNDEFINED, _NAME = node("oe:undefined"), node("oe:name")
_RUN_SCORE, _DIGITS = node("oe:RunScore"), 18
_PROPERTY_SCORE, _RELATIONS = node("oe:PropertyScore"), node("oe:relations")
# what local scores are about -> their type
_KINDS = {
    "learned": "ConceptScore", "gold": "ConceptScore", "concept": "ConceptScore", "document": "DocumentScore",
    "annotation": "AnnotationScore", "instance": "InstanceScore", "pair": "PairScore",
}  # fmt: skip
Triples = Iterator[ox.Triple]


def run_iri(result: EvaluationResult) -> ox.NamedNode:
    """The IRI of an evaluation and of its graph."""
    return ox.NamedNode(RUN + result.key[:32])


def input_iri(source: Source) -> ox.NamedNode:
    """The IRI of an input, by its content; in a store also the graph of its triples."""
    return ox.NamedNode(f"{NS}input/{(source.sha256 or '')[:32]}")


def result_triples(result: EvaluationResult, *, base: str = BASE, local: bool = True) -> Triples:
    """An evaluation: its scores, inputs and settings; `local=False` leaves the scores of single concepts out."""
    run = run_iri(result)
    inputs = {role: input_iri(source) for role, source in result.inputs.items()}
    count = 0
    concepts = _Concepts(base)
    written = set()
    for place, score in enumerate(result.scores):
        if score.measure in written:  # another spelling of a measure that was asked for twice
            continue
        written.add(score.measure)
        iri = ox.NamedNode(f"{run.value}/{quote(str(score.measure), safe='')}")
        yield from _score(iri, place, score)
        yield ox.Triple(iri, COMPUTED_ON, input_iri(result.judged))
        for source in result.against:
            yield ox.Triple(iri, node("oe:against"), input_iri(source))
        count += 1
        if local and score.local is not None:
            yield from _local_scores(iri.value, score, score.local, concepts)
            count += len(score.local)
        yield from _property_scores(iri.value, score, concepts)
        count += len(score.by_property)
    yield from concepts.triples()
    for role, source in result.inputs.items():
        yield from _input(inputs[role], source)
        yield ox.Triple(run, USED, inputs[role])
    yield from _run(run, result, base, count)


def _run(run: ox.NamedNode, result: EvaluationResult, base: str, count: int) -> Triples:
    agent = ox.NamedNode(f"{NS}software/{quote(result.version, safe='')}")
    yield ox.Triple(agent, TYPE, node("prov:SoftwareAgent"))
    yield ox.Triple(agent, TITLE, ox.Literal("ontoeval"))
    yield ox.Triple(agent, node("oe:version"), ox.Literal(result.version))
    yield ox.Triple(run, TYPE, EVALUATION)
    yield ox.Triple(run, TYPE, node("prov:Activity"))
    yield ox.Triple(run, ASSOCIATED, agent)
    yield ox.Triple(run, STARTED, ox.Literal(result.started, datatype=DATE_TIME))
    yield ox.Triple(run, node("oe:key"), ox.Literal(result.key))
    yield ox.Triple(run, node("oe:task"), ox.Literal(result.task))
    yield ox.Triple(run, node("oe:system"), ox.Literal(result.system))
    yield ox.Triple(run, node("oe:base"), ox.Literal(base))
    inputs = [[role, _title(source), input_iri(source).value] for role, source in result.inputs.items()]
    yield ox.Triple(run, node("oe:inputs"), ox.Literal(json.dumps(inputs, ensure_ascii=False), datatype=JSON))
    settings = json.dumps(result.settings, ensure_ascii=False)
    yield ox.Triple(run, node("oe:settings"), ox.Literal(settings, datatype=JSON))
    matching = result.settings.get("matching")
    if isinstance(matching, Mapping):
        yield ox.Triple(run, node("oe:matchedBy"), ox.Literal(str(matching["by"])))
        for key in ("matched", "ambiguous"):
            yield ox.Triple(run, node(f"oe:{key}"), ox.Literal(int(matching[key])))
    yield from _edge_weights(run, result)
    if result.judged.min_confidence is not None:
        yield ox.Triple(run, node("oe:minConfidence"), double(result.judged.min_confidence))
    for warning in result.warnings:
        yield ox.Triple(run, node("oe:warning"), ox.Literal(_without_folders(warning, result)))
    yield ox.Triple(run, node("oe:measurementCount"), ox.Literal(count))
    yield ox.Triple(run, node("oe:status"), COMPLETE)


def _edge_weights(run: ox.NamedNode, result: EvaluationResult) -> Triples:
    """The weights that are not as by default, a node for each; whole they stand in the settings."""
    for role, weights in result.settings.get("weights", {}).items():
        for name, weight in weights.items():
            subject = ox.NamedNode(f"{run.value}/weight/{role}/{quote(name, safe='')}")
            iri = property_iri(name) or (NS + name if name in WEIGHTS else concept_node(name).value)
            yield ox.Triple(run, node("oe:edgeWeight"), subject)
            yield ox.Triple(subject, TYPE, node("oe:EdgeWeight"))
            yield ox.Triple(subject, LABEL, ox.Literal(name))
            yield ox.Triple(subject, node("oe:property"), ox.NamedNode(iri))
            yield ox.Triple(subject, node("rdf:value"), double(weight))
            yield ox.Triple(subject, node("oe:edgesOf"), input_iri(result.inputs[role]))


def _input(subject: ox.NamedNode, source: Source) -> Triples:
    yield ox.Triple(subject, TYPE, node("prov:Entity"))
    yield ox.Triple(subject, TITLE, ox.Literal(_title(source)))
    for name in ("sha256", "format", "profile", "triples"):
        value = getattr(source, name)
        if value is not None:
            yield ox.Triple(subject, node(f"oe:{name}"), ox.Literal(value))
    if source.iri is not None and is_iri(source.iri):
        yield ox.Triple(subject, node("oe:ontology"), ox.NamedNode(source.iri))


def _title(source: Source) -> str:
    """The name of a file without its folder: the same run in another folder is the same run."""
    return source.path.rpartition("/")[2]


def _without_folders(text: str, result: EvaluationResult) -> str:
    """A text with the inputs named as by `_title`."""
    for source in result.inputs.values():
        text = text.replace(source.path, _title(source))
    return text


def _score(subject: ox.NamedNode, place: int, score: MeasureResult) -> Triples:
    yield ox.Triple(subject, TYPE, _RUN_SCORE)
    yield ox.Triple(subject, node("oe:place"), ox.Literal(place))
    yield ox.Triple(subject, METRIC, metric(score.measure.preset.name))
    yield ox.Triple(subject, node("oe:spec"), ox.Literal(str(score.measure)))
    yield ox.Triple(subject, LABEL, ox.Literal(score.name))
    if score.undefined is not None:
        yield ox.Triple(subject, node("oe:undefined"), ox.Literal(score.undefined))
    else:
        yield ox.Triple(subject, VALUE, double(score.value))
    counts = json.dumps({name: plain(count) for name, count in score.counts.items()})
    yield ox.Triple(subject, node("oe:counts"), ox.Literal(counts, datatype=JSON))
    for name, end in zip(("low", "high"), score.interval or (), strict=False):
        yield ox.Triple(subject, node(f"oe:{name}"), double(end))
    if score.local is not None:
        yield ox.Triple(subject, node("oe:localOf"), ox.Literal(score.local.of))


class _Concepts:
    """The concepts, documents, ... that have scores: their IRIs, each made once, and their labels."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.nodes: dict[str, ox.NamedNode] = {}
        self.labels: dict[ox.NamedNode, str] = {}
        self.ends: dict[ox.NamedNode, tuple[Sequence[str], Sequence[str]]] = {}
        self.documents: dict[ox.NamedNode, str] = {}  # of annotations

    def node(self, names: Names, number: int) -> ox.NamedNode:
        """The IRI of what a score is about, which is remembered with its label."""
        name = names.iris[number]
        iri = self.nodes.get(name)
        if iri is None:
            iri = self.nodes[name] = concept_node(name, self.base)
            self.labels[iri] = names.label(number)
            if names.ends is not None:
                self.ends[iri] = names.ends(number)
            if names.document is not None:
                self.documents[iri] = names.document(number)
        return iri

    def triples(self) -> Triples:
        """Labels, plain names, the two sides of pairs, and the documents of annotations."""
        for target, label in self.labels.items():
            yield ox.Triple(target, LABEL, ox.Literal(label))
        for name, target in self.nodes.items():
            if target.value != name:
                yield ox.Triple(target, _NAME, ox.Literal(name))
        for target, sides in self.ends.items():
            for property, concepts in zip(("oe:left", "oe:right"), sides, strict=True):
                for concept in concepts:
                    yield ox.Triple(target, node(property), concept_node(concept, self.base))
        for target, document in self.documents.items():
            yield ox.Triple(target, node("oe:inDocument"), concept_node(document, self.base))


def _local_scores(prefix: str, score: MeasureResult, local: NamedScores, concepts: _Concepts) -> Triples:
    kind = node(f"oe:{_KINDS[local.of]}")
    metric_iri = metric(score.measure.preset.name)
    spec, spec_property = ox.Literal(str(score.measure)), node("oe:spec")
    for number, (about, value) in enumerate(zip(local.ids.tolist(), local.values.tolist(), strict=True)):
        subject = ox.NamedNode(f"{prefix}/{number}")
        yield ox.Triple(subject, TYPE, kind)
        yield ox.Triple(subject, METRIC, metric_iri)
        yield ox.Triple(subject, spec_property, spec)
        yield ox.Triple(subject, COMPUTED_ON, concepts.node(local.names, about))
        if math.isnan(value):
            yield ox.Triple(subject, _UNDEFINED, ox.Literal("no value"))
        else:
            yield ox.Triple(subject, VALUE, double(value))


def _property_scores(prefix: str, score: MeasureResult, concepts: _Concepts) -> Triples:
    """The scores by property, numbered in their order."""
    rows = score.by_property
    names = Names([row.iri for row in rows], lambda place: rows[place].label)
    for place, row in enumerate(rows):
        subject = ox.NamedNode(f"{prefix}/property/{place}")
        yield ox.Triple(subject, TYPE, _PROPERTY_SCORE)
        yield ox.Triple(subject, METRIC, metric(score.measure.preset.name))
        yield ox.Triple(subject, node("oe:spec"), ox.Literal(str(score.measure)))
        yield ox.Triple(subject, COMPUTED_ON, concepts.node(names, place))
        yield ox.Triple(subject, VALUE, double(row.value))
        yield ox.Triple(subject, _RELATIONS, ox.Literal(row.relations))


# triples to a result


class Graph:
    """The triples of one evaluation, by subject and predicate; `path`: where they are from."""

    def __init__(self, triples: Iterable[ox.Triple], path: str) -> None:
        self.path = path
        self.about: dict[str, dict[str, list[Any]]] = {}
        for triple in triples:
            subject: Any = triple.subject
            values = self.about.setdefault(subject.value, {})
            values.setdefault(triple.predicate.value, []).append(triple.object)

    def one(self, subject: str, predicate: ox.NamedNode, default: Any = None) -> Any:
        """A value of a property, or the default."""
        values = self.about.get(subject, {}).get(predicate.value)
        return getattr(values[0], "value", default) if values else default  # a triple has no value

    def only(self, subject: str, predicate: ox.NamedNode, default: Any = None) -> Any:
        """The value of a property that has at most one, or the default."""
        values = self.about.get(subject, {}).get(predicate.value, ())
        if len(values) > 1:
            raise self.error(subject, predicate, f"has {len(values)} values")
        return self.one(subject, predicate, default)

    def number(self, subject: str, predicate: ox.NamedNode, kind: Callable[[str], float] = float) -> float | None:
        """The number that is the value of a property; `kind`: int or float."""
        text = self.only(subject, predicate)
        try:
            number = None if text is None else kind(text)
        except ValueError:
            number = math.nan
        if number is not None and math.isnan(number):
            raise self.error(subject, predicate, f"is {text[:50]!r}, not a {'whole ' * (kind is int)}number")
        return number

    def document(self, subject: str, predicate: ox.NamedNode, kind: type[Any]) -> Any:
        """The JSON of a property, which is a dict or a list; an empty one if there is none."""
        text = self.only(subject, predicate)
        try:
            document = kind() if text is None else json.loads(text)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, kind):
            raise self.error(subject, predicate, f"is not a JSON {'object' if kind is dict else 'array'}")
        return document

    def all(self, subject: str, predicate: ox.NamedNode) -> list[Any]:
        """The values of a property."""
        return [value.value for value in self.about.get(subject, {}).get(predicate.value, ())]

    def of_type(self, kind: ox.NamedNode) -> list[str]:
        """The subjects of a type."""
        return [subject for subject, values in self.about.items() if kind in values.get(TYPE.value, ())]

    def error(self, subject: str, predicate: ox.NamedNode, problem: str) -> LoadError:
        """The error of a property that is not as this package writes it."""
        return self.damage(f"{with_prefix(predicate.value, PREFIXES)} of {subject} {problem}")

    def damage(self, problem: str) -> LoadError:
        """The error of an evaluation that is not as this package writes it."""
        return LoadError(problem, advice="Write it again: it is damaged or not by ontoeval.", path=self.path)


def read_result(triples: Iterable[ox.Triple], *, path: str) -> EvaluationResult:
    """The evaluation of a graph."""
    graph = Graph(triples, path)
    runs = graph.of_type(EVALUATION)
    if len(runs) != 1 or graph.one(runs[0], node("oe:status")) != COMPLETE.value:
        raise graph.damage("a graph has no complete run")
    run = runs[0]
    settings = graph.document(run, node("oe:settings"), dict)
    software = graph.one(run, ASSOCIATED)
    order = sorted(graph.of_type(_RUN_SCORE), key=lambda iri: graph.number(iri, node("oe:place"), int) or 0)
    scores = [(subject, _read_score(graph, subject)) for subject in order]
    local, by_property = _read_local(graph), _read_by_property(graph)
    of_parts = [len(rows) for rows in (*local.values(), *by_property.values())]
    _check_count(graph, run, len(order) + sum(of_parts))
    return EvaluationResult(
        task=graph.only(run, node("oe:task"), ""),
        inputs=_read_inputs(graph, run, settings),
        settings=settings,
        scores=tuple(
            replace(_with_local(graph, subject, score, local), by_property=by_property.get(subject, ()))
            for subject, score in scores
        ),
        parse=parse,
        version=graph.one(software, node("oe:version"), ""),
        started=graph.only(run, STARTED, ""),
        key=graph.only(run, node("oe:key"), ""),
        system=graph.only(run, node("oe:system"), ""),
        warnings=tuple(sorted(graph.all(run, node("oe:warning")))),
    )


def _check_count(graph: Graph, run: str, count: int) -> None:
    """Scores that are missing would be missed nowhere else."""
    expected = graph.number(run, node("oe:measurementCount"), int)
    if expected is not None and expected != count:
        raise graph.damage(f"the run {run} has {count:,} of {expected:,} scores")


def _read_inputs(graph: Graph, run: str, settings: Mapping[str, Any]) -> dict[str, Source]:
    """The inputs by role; the settings have the least confidence of some."""
    inputs = {}
    min_confidence = settings.get("min_confidence")
    entries = graph.document(run, node("oe:inputs"), list)
    if not entries:
        raise graph.error(run, node("oe:inputs"), "names no input")
    for entry in entries:
        if not (isinstance(entry, list) and len(entry) == 3 and all(isinstance(part, str) for part in entry)):
            raise graph.error(run, node("oe:inputs"), "is not a list of [role, file, IRI]")
        role, title, subject = entry
        triples = graph.number(subject, node("oe:triples"), int)
        inputs[role] = Source(
            path=title,
            format=graph.one(subject, node("oe:format")),
            profile=graph.one(subject, node("oe:profile"), "names"),
            sha256=graph.one(subject, node("oe:sha256")),
            iri=graph.one(subject, node("oe:ontology")),
            triples=None if triples is None else int(triples),
            min_confidence=min_confidence.get(role) if isinstance(min_confidence, dict) else None,
        )
    if not inputs:
        raise graph.error(run, node("oe:inputs"), "is empty")
    return inputs


def _read_score(graph: Graph, subject: str) -> MeasureResult:
    spec = graph.only(subject, node("oe:spec"), "")
    low, high = (graph.number(subject, node(f"oe:{end}")) for end in ("low", "high"))
    score = Score(
        _read_value(graph, subject),
        counts=graph.document(subject, node("oe:counts"), dict),
        undefined=graph.only(subject, _UNDEFINED),
    )
    interval = None if low is None or high is None else (low, high)
    return MeasureResult(graph.one(subject, LABEL, spec), _measure(spec), score, interval=interval)


def _read_value(graph: Graph, subject: str) -> float:
    """The value of a score; NaN if it says that it is undefined."""
    value = graph.number(subject, VALUE)
    if (value is None) == (_UNDEFINED.value in graph.about[subject]):
        return math.nan if value is None else value
    raise graph.error(subject, VALUE, "is missing" if value is None else "is there, but the score is undefined, too")


def _measure(spec: str) -> Measure | UnknownMeasure:
    """The measure of a spec; by its name alone if it is not installed here or was made from a Python function."""
    try:
        return parse(spec)
    except OntoevalError:
        return UnknownMeasure(spec)


class UnknownMeasure:
    """A measure of which only the full name is known."""

    best = None

    def __init__(self, spec: str) -> None:
        self.spec = spec

    def __str__(self) -> str:
        return self.spec

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnknownMeasure) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    @property
    def preset(self) -> UnknownMeasure:
        return self

    @property
    def name(self) -> str:
        """The name without parameters."""
        return self.spec.partition("(")[0]


def _read_local(graph: Graph) -> dict[str, list[tuple[int, str, float]]]:
    """IRI of the whole score -> (place, name of the concept, value)."""
    local: dict[str, list[tuple[int, str, float]]] = {}
    for kind in set(_KINDS.values()):
        for subject in graph.of_type(node(f"oe:{kind}")):
            whole, place, target = _place_and_target(graph, subject, "/")
            local.setdefault(whole, []).append((place, target, _read_value(graph, subject)))
    return local


def _read_by_property(graph: Graph) -> dict[str, tuple[PropertyScore, ...]]:
    """IRI of the whole score -> its scores by property."""
    rows: dict[str, list[tuple[int, PropertyScore]]] = {}
    for subject in graph.of_type(_PROPERTY_SCORE):
        whole, place, target = _place_and_target(graph, subject, "/property/")
        relations = graph.number(subject, _RELATIONS, int)
        score = PropertyScore(
            graph.one(target, _NAME, target),
            graph.one(target, LABEL, target),
            _read_value(graph, subject),
            0 if relations is None else int(relations),
        )
        rows.setdefault(whole, []).append((place, score))
    in_order = {whole: sorted(scores, key=itemgetter(0)) for whole, scores in rows.items()}
    return {whole: tuple(score for _, score in scores) for whole, scores in in_order.items()}


def _place_and_target(graph: Graph, subject: str, separator: str) -> tuple[str, int, str]:
    """Of a local score: the IRI of the whole score, its place, and what it is about."""
    whole, _, place = subject.rpartition(separator)
    target = graph.only(subject, COMPUTED_ON)
    if target is None:
        raise graph.error(subject, COMPUTED_ON, "is missing")
    if not place.isascii() or not place.isdigit() or len(place) > _DIGITS:
        raise graph.damage(f"the local score {subject} has no number")
    return whole, int(place), target


def _with_local(
    graph: Graph, subject: str, score: MeasureResult, local: dict[str, list[tuple[int, str, float]]]
) -> MeasureResult:
    of = graph.one(subject, node("oe:localOf"))
    if of is None or subject not in local:
        return score
    if of not in _KINDS:
        raise graph.error(subject, node("oe:localOf"), f"is {of[:50]!r}, not one of: {', '.join(_KINDS)}")
    rows = sorted(local[subject])
    labels: list[str] = [graph.one(target, LABEL, target) for _, target, _ in rows]
    iris = [graph.one(target, _NAME, target) for _, target, _ in rows]
    at: Callable[[int], str] = labels.__getitem__
    best = getattr(score.measure, "best", None)
    values = np.array([value for _, _, value in rows], dtype=np.float64)
    named = NamedScores(of, Names(iris, at), np.arange(len(rows), dtype=np.int32), values, best)
    return MeasureResult(score.name, score.measure, score.score, named, score.interval)
