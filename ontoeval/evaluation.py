"""`evaluate`, `collect_result`; default measures of a task (those with default=) and of rankings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from ontoeval.errors import Message, MissingInputError, ParameterError, warn
from ontoeval.measures import Measure, measure_set, parse
from ontoeval.measures.similarity_parameter import is_similarity
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology, Source
from ontoeval.model.placement import refuse_without_instances
from ontoeval.results import (
    EvaluationResult,
    LocalScores,
    MeasureResult,
    NamedScores,
    Names,
    PropertyScore,
    Score,
    system_of_file,
)
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.concept_pairs import ConceptPairs
from ontoeval.tasks.extraction import Extraction
from ontoeval.version import __version__

Task = Comparison | ConceptPairs | Extraction
NamedMeasure = tuple[str, Measure]  # under the name that was asked for
Measures = str | Measure | Iterable[str | Measure | NamedMeasure]
_SETS = ("core", "classic", "ranking", "between")  # as they are recorded; "all" would say nothing of later releases
RANKING = "ranking"  # the set of measures
_RUN = "run"  # format of a corpus: ranked labels
RELATION_MEASURES = ("RelP", "RelR", "RelF")
Progress = Callable[[str], None]  # gets the name of each measure before it is computed


def evaluate(
    task: Task,
    measures: Measures | None = None,
    *,
    system: str | None = None,
    progress: Progress | None = None,
) -> EvaluationResult:
    """The scores of a task; without a list of measures the default ones, the set "core".

    A measure is a name, a `Measure`, or both as (name, measure). A name may have parameters: "TP(extract=sc,
    over=learned)", or be that of a set: "classic", "between", "all". `system` is who made what is judged, by default
    the name of its file. None of the arguments is changed.

    Examples
    --------
    >>> import ontoeval as oe
    >>> gold = oe.Ontology.from_edges([("cat", "mammal"), ("mammal", "animal")])
    >>> learned = oe.Ontology.from_edges([("cat", "mammal"), ("cow", "mammal")])
    >>> result = oe.evaluate(oe.Comparison(learned, gold), ["LP", "LR"])
    >>> [(score.name, round(score.value, 3)) for score in result]
    [('LP', 0.667), ('LR', 0.667)]
    """
    started = datetime.now(UTC)
    selected = usual_measures(task) if measures is None else named_measures(measures, task)
    for _, measure in selected:
        _refuse_unmet(task, measure)
    scores = []
    for name, measure in selected:
        if progress is not None:
            progress(name)
        scores.append((name, measure, measure(task)))
    return collect_result(task, scores, started=started, system=system)


def collect_result(
    task: Task,
    scores: Sequence[tuple[str, Measure, Score]],
    *,
    started: datetime,
    system: str | None = None,
    sources: Mapping[str, Source] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> EvaluationResult:
    """The result of (name, measure, score), with what is needed to repeat it.

    `sources` and `settings` are what was read and set up in addition to what the task holds.
    """
    names = {of: Names(*columns) for of, columns in task.unit_names.items()}
    inputs = {role: _source_with_hash(ontology) for role, ontology in task.inputs.items()}
    for ontology in task.inputs.values():
        if isinstance(ontology, Ontology) and ontology.merged is not None:
            inputs |= {"learned": ontology.merged.learned, "gold": ontology.merged.gold}
    tables = {f"{role}_instances": source.instances for role, source in inputs.items() if source.instances is not None}
    inputs |= tables | dict(sources or {})
    made_by = system or system_of_file(*inputs.values())
    settings = {**_loading(inputs), **(settings or {})}
    measures = [measure for _, measure, _ in scores]
    of_task = _task_warnings(task, measures)
    warn(of_task)
    key = _key(task, measures, made_by, sources or {}, settings)
    return EvaluationResult(
        task=type(task).__name__.lower(),
        inputs=inputs,
        settings={**task.settings, **settings, "measures": _sets_and_names(task, measures)},
        scores=tuple(
            MeasureResult(
                name,
                measure,
                score,
                _named_scores(score.local, names, measure.best),
                by_property=_property_scores(score, task),
            )
            for name, measure, score in scores
        ),
        parse=parse,
        version=__version__,
        started=f"{started:%Y-%m-%dT%H:%M:%S.%f}".rstrip("0").rstrip(".") + "Z",  # as xsd:dateTime has it
        key=key,
        system=made_by,
        warnings=tuple(dict.fromkeys([*chain(*(source.warnings for source in inputs.values())), *of_task])),
        subject=task,
    )


def _task_warnings(task: Task, measures: Sequence[Measure]) -> Sequence[Message]:
    """Why the numbers may mislead; which concepts are common does not matter to measures on instances."""
    if isinstance(task, Comparison) and all("instances" in measure.definition.needs for measure in measures):
        return ()
    return task.warnings


def _sets_and_names(task: Task, measures: Sequence[Measure]) -> list[str]:
    """What was computed, for the settings: the name of each set that is whole, and the measures of no such set."""
    entries: list[str] = []
    covered: list[Measure] = []
    for name in _SETS:
        members = [measure for measure in measure_set(name, type(task)) if _fits(measure, task)]
        if all(member in measures for member in members) and not all(member in covered for member in members):
            entries.append(name)
            covered += members
    return [*entries, *(str(measure) for measure in measures if measure not in covered)]


def _loading(inputs: Mapping[str, Source]) -> Mapping[str, Any]:
    """How the inputs were loaded, as far as it belongs to the settings: the least confidence by role."""
    least = {role: source.min_confidence for role, source in inputs.items() if source.min_confidence is not None}
    return {"min_confidence": least} if least else {}


def _refuse_unmet(task: Task, measure: Measure) -> None:
    """Raise an error if the measure needs what the task does not have."""
    needs = measure.definition.needs
    if "ratings" in needs and getattr(task, "ratings", None) is None:
        raise MissingInputError(
            f"{measure} needs ratings, but the pairs have none",
            advice="Use ConceptPairs(ontology, left, right, ratings).",
        )
    if "instances" in needs and isinstance(task, Comparison) and not _lost_instances(task.learned):
        refuse_without_instances(str(measure), task.learned, task.gold)


def _lost_instances(ontology: Ontology) -> bool:
    """True if none of its instances is left because of a least confidence: their scores are undefined."""
    given = not len(ontology.hierarchy) or ontology.source.instances is not None
    return ontology.source.min_confidence is not None and given and ontology.instances is None


def usual_measures(task: Task) -> Sequence[NamedMeasure]:
    """The measures that are computed on a task by default.

    For annotated spans the measures of extraction, for labels of documents those of labelling. Without an ontology
    those that only ask whether names are the same, and then also the agreement of annotators.
    """
    return named_measures("core", task)


def _fits(measure: Measure, task: Task) -> bool:
    """True if a measure of a set is one for such a task: of spans or of labels, with or without an ontology."""
    if not isinstance(task, Extraction):
        return True
    dimensions = {"labelling"} if task.labels else {"extraction", "agreement"} if task.flat else {"extraction"}
    return measure.definition.dimension in dimensions and not (task.flat and _needs_concepts(measure))


def _needs_concepts(measure: Measure) -> bool:
    """True if an ontology is needed, or near misses count: a similarity other than equality is asked for."""
    if "an ontology" in measure.definition.needs:
        return True
    similarity = measure.parameters.get("similarity")
    return similarity is not None and str(similarity) != "Flat" and measure.parameters.get("credit") != "binary"


def named_measures(measures: Measures | None, task: type | Task) -> Sequence[NamedMeasure]:
    """(name as written, measure), each name once; None: the default ones.

    In place of the name of a set ("core") its measures, of a task those that fit it.
    """
    if measures is None or isinstance(measures, str | Measure):
        measures = [measures or "core"]
    kind = task if isinstance(task, type) else type(task)
    selected: dict[str, Measure] = {}
    for entry in _without_sets(measures, task, kind):
        written, measure = _named_measure(entry)
        if measure.definition.task is not kind:
            raise _wrong_task(written, measure, kind)
        name, number = written.strip(), 1
        while selected.setdefault(name, measure) != measure:  # two functions may have one name
            number += 1
            name = f"{written} #{number}"
    return list(selected.items())


def _without_sets(
    entries: Iterable[str | Measure | NamedMeasure], task: type | Task, kind: type
) -> Iterator[str | Measure | NamedMeasure]:
    for entry in entries:
        members = measure_set(entry.strip(), kind) if isinstance(entry, str) else ()
        if members:
            yield from (measure for measure in members if isinstance(task, type) or _fits(measure, task))
        else:
            yield entry


def _wrong_task(name: str, measure: Measure, task: type) -> MissingInputError:
    """The error for a measure of another task, with what to take instead."""
    if task is not Comparison or not is_similarity(measure):
        return MissingInputError(
            f"{name} scores {_subject(measure.definition.task)}, not {_subject(task)}",
            advice="See `ontoeval measures`.",
            parameter="measures",
        )
    similarity = "" if str(measure) == "BDM" else f"(similarity={measure})"
    return MissingInputError(
        f"{name} scores pairs of concepts, not two ontologies",
        advice=f"Use PlaceF{similarity} (parents of common concepts), NearF{similarity} (concepts without a partner), "
        f"Preserved{similarity} (similarities of common concepts), or {{measures=between}} for all.",
        parameter="measures",
    )


def _named_measure(entry: str | Measure | NamedMeasure) -> NamedMeasure:
    if isinstance(entry, str):
        return entry, parse(entry)
    if isinstance(entry, Measure):
        return str(entry), entry
    if isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[1], Measure):
        return entry
    raise ParameterError(
        f"{entry!r} is not a measure", advice="Use a name such as 'TF_csc', or parse('TF_csc').", parameter="measures"
    )


def with_parameters(name: str, measure: Measure, parameters: Mapping[str, Any]) -> Measure:
    """A measure with those of some parameters that it has and the name it was asked for by does not set."""
    written = name.replace(" ", "")
    free = {parameter.name for parameter in measure.definition.open if f"{parameter.name}=" not in written}
    added = ", ".join(f"{key}={value}" for key, value in parameters.items() if key in free)
    if not added:
        return measure
    return parse(f"{name[:-1]}, {added})" if name.endswith(")") else f"{name}({added})")


def fixes_similarity(measure: Measure) -> bool:
    """True for a measure whose name tells by which similarity near misses are counted: AP_LA."""
    fixed = measure.definition.fixed
    return "similarity" in fixed and str(fixed["similarity"]) != "Flat"


def credit_measures(measures: Sequence[Measure]) -> list[Measure]:
    """For each similarity and rule of matching among some measures the one that has scores of single annotations."""
    credits: dict[Measure, None] = {}
    for measure in measures:
        parameters = measure.parameters
        if "similarity" in parameters and "average" in parameters:
            credits.setdefault(parse("Credit", similarity=parameters["similarity"], spans=parameters["spans"]))
    return [credit for credit in credits if credit not in measures]


def measures_with(
    task: Task, measures: Measures | None, parameters: Mapping[str, Any], usual: Sequence[NamedMeasure] | None = None
) -> list[NamedMeasure]:
    """The measures, or the `usual` ones of the task, with parameters for all that have them and set no others.

    Where a similarity is given, usual measures that count near misses by another one are left out.
    """
    if measures is not None:
        selected = named_measures(measures, task)
    else:
        selected = usual_measures(task) if usual is None else usual
        if "similarity" in parameters:
            selected = [(name, measure) for name, measure in selected if not fixes_similarity(measure)]
    return [(name, with_parameters(name, measure, parameters)) for name, measure in selected]


def scores_rankings(name: str) -> bool:
    """True for a measure of ranked labels, which has a depth; not for a set."""
    return not measure_set(name, Extraction) and "depth" in parse(name).definition.parameters


def with_ranking_set(names: Iterable[str], usual: Sequence[NamedMeasure]) -> list[str]:
    """The names; in place of the set of rankings its measures, with credit for near misses if there is an ontology."""
    return [one for name in names for one in ([each for each, _ in usual] if name.strip() == RANKING else [name])]


def are_runs(corpora: Iterable[Corpus]) -> bool:
    """True if all are runs as TREC has them: by default measures of rankings are computed on these."""
    return all(corpus.source.format == _RUN for corpus in corpora)


def usual_ranking_measures(*, near: bool) -> list[NamedMeasure]:
    """(name, measure) of what is computed on rankings; `near`: also with high and low credit for near misses."""
    names = [
        name if credit == "binary" else f"{name}(credit={credit})"
        for name in ("APrec", "RPrec", "P_at")
        for credit in (("binary", "high", "low") if near else ("binary",))
    ]
    return list(named_measures(names, Extraction))


def _source_with_hash(data: Ontology | Corpus) -> Source:
    """The source with a hash, also of data that was made in memory."""
    source = data.source
    return source if source.sha256 is not None else replace(source, sha256=data.digest)


def _key(
    task: Task, measures: Sequence[Measure], system: str, sources: Mapping[str, Source], settings: Mapping[str, Any]
) -> str:
    """A hash of inputs, settings, measures and system, without time and paths."""
    facts = {
        "task": type(task).__name__,
        "inputs": {role: [o.source.sha256, o.digest] for role, o in task.inputs.items()}
        | {role: [source.sha256] for role, source in sources.items()},
        "settings": {**task.settings, **settings},
        "fingerprint": task.fingerprint,
        "system": system,
        "measures": sorted(str(measure) for measure in measures),
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _subject(task: type) -> str:
    """What the measures of a task score, in words."""
    words = {Comparison: "two ontologies", Extraction: "annotations", ConceptPairs: "pairs of concepts"}
    return words.get(task, f"{task.__name__}s")


def _named_scores(local: LocalScores | None, names: dict[str, Names], best: float | None) -> NamedScores | None:
    return None if local is None else NamedScores(local.of, names[local.of], local.ids, local.values, best)


def _property_scores(score: Score, task: Task) -> tuple[PropertyScore, ...]:
    """Those with most relations first, ties by IRI."""
    local = score.by_property
    if local is None or local.weights is None or not isinstance(task, Comparison):
        return ()
    shared = task.properties
    columns = (column.tolist() for column in (local.ids, local.values, local.weights))
    rows = [PropertyScore(shared.iris[p], shared.labels[p], v, int(n)) for p, v, n in zip(*columns, strict=True)]
    return tuple(sorted(rows, key=lambda row: (-row.relations, row.iri)))


def scores_relations(measure: Measure) -> bool:
    """True for a measure of relations other than is-a."""
    return "relations" in measure.definition.needs


def needs_relations(measures: Iterable[NamedMeasure]) -> bool:
    """True if a measure needs relations that are read only if asked for: not if related or synonym links are enough."""
    return any(
        scores_relations(measure) and measure.parameters.get("kind") not in ("related", "synonym")
        for _, measure in measures
    )
