"""Values of pairs: `relate`, `relate_all`, `nearest`, `why`, `evaluate_pairs` (formulas: measures/concepts/)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ontoeval.concepts.pairs import PairGrid
from ontoeval.concepts.space import Space
from ontoeval.edit.individuals import with_individuals
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.evaluation import NamedMeasure, Progress, collect_result
from ontoeval.measures import Measure, parse
from ontoeval.measures.concepts.pair_scores import PairScores, pair_values
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.model.lookup import is_alternative_label
from ontoeval.model.ontology import Ontology
from ontoeval.results import EvaluationResult, NamedScore
from ontoeval.tasks.concept_pairs import ConceptPairs, Concepts, concept_ids, with_named_individuals

Among = Literal["classes", "individuals"]
LARGEST = 1 << 28  # numbers of a matrix in memory: 2 GB


def concept_measure(measure: str | Measure) -> Measure:
    """A measure between concepts; MissingInputError for any other."""
    measure = parse(measure) if isinstance(measure, str) else measure
    if measure.definition.task is not ConceptPairs or "ratings" in measure.definition.needs:
        raise MissingInputError(
            f"{measure} does not score pairs of concepts",
            advice="Use a measure such as BDM or Lin; see `ontoeval measures`.",
            parameter="measure",
        )
    return measure


def relate(ontology: Ontology, left: Concepts, right: Concepts, measure: str | Measure = "BDM") -> FloatArray:
    """The values of the pairs (left[i], right[i]); inf where infinite, nan where undefined.

    Concepts are given by IRI, or as an array of ids from `ontology.hierarchy.ids`. In place of one there may be a list,
    the senses of a word: the best of all their pairs counts. Individuals (the instances of the ontology) are given by
    IRI, too: they are leaves, one edge below each of their classes, and those that owl:sameAs joins are one. Where a
    measure is not symmetric the left concept is the one that is judged: LA has its prediction left and its key right.
    """
    measure = concept_measure(measure)
    return PairScores.of(ConceptPairs(ontology, left, right), measure).values


def relate_all(
    ontology: Ontology, concepts: Sequence[str] | npt.NDArray[Any] | None = None, measure: str | Measure = "BDM"
) -> FloatArray:
    """The values of all pairs of some concepts (or of all) as a matrix: rows left, columns right."""
    measure = concept_measure(measure)
    if concepts is not None:
        ontology = with_named_individuals(ontology, concepts)
    ids = every_concept(ontology) if concepts is None else concept_ids(ontology, concepts)
    if len(ids) ** 2 > LARGEST:
        raise ParameterError(
            f"all pairs of {len(ids):,} concepts do not fit in memory",
            advice="Write them to a file with write_matrix.",
            parameter="concepts",
        )
    return pair_values(measure, PairGrid(Space.of(ontology), ids, ids))


def nearest(
    ontology: Ontology,
    concept: str,
    measure: str | Measure = "BDM",
    top: int = 10,
    *,
    among: Among | None = None,
    term: str | None = None,
) -> list[NamedScore]:
    """The `top` concepts nearest to one, the best first, ties by IRI; not the concept itself.

    `among`: of "classes" or of "individuals"; None: of classes to a class, of individuals to an individual.
    `term` is the word by which the concept was looked up: if it is an altLabel alone, paths are longer by its weight.
    """
    measure = concept_measure(measure)
    if not isinstance(top, int | np.integer) or top < 1:
        raise ParameterError(f"top must be a whole number >= 1, not {top!r}", parameter="top")
    if among not in (None, "classes", "individuals"):
        raise ParameterError(f"among must be 'classes' or 'individuals', not {among!r}", parameter="among")
    populated = with_individuals(ontology) if among == "individuals" else with_named_individuals(ontology, [concept])
    row = concept_ids(populated, [concept])
    first = len(populated.hierarchy) - populated.hierarchy.individuals
    if row[0] >= first and among is None:
        return nearest(ontology, concept, measure, top, among="individuals")
    if among == "individuals":
        refuse_no_individuals(ontology, populated)
        others = np.arange(first, len(populated.hierarchy))
    else:
        others = every_concept(ontology)
    others = others[others != row[0]]
    weighs = term is not None and row[0] < first and is_alternative_label(ontology, term, int(row[0]))
    longer = np.array([[ontology.weights.label]]) if weighs and ontology.weights.label else None
    ontology = populated
    values = pair_values(measure, PairGrid(Space.of(ontology), row, others, longer))[0]
    distance = values if measure.best == 0.0 else -values
    candidates = np.flatnonzero(~np.isnan(distance))
    if top < len(candidates):  # those that tie with the last one, too, so that the IRI decides
        limit = np.partition(distance[candidates], top - 1)[top - 1]
        candidates = candidates[distance[candidates] <= limit]
    iris = ontology.hierarchy.iris
    ordered = sorted(candidates.tolist(), key=lambda place: (distance[place], iris[others[place]]))
    return [
        NamedScore(iris[others[place]], ontology.label_of(int(others[place])), float(values[place]))
        for place in ordered[:top]
    ]


def why(ontology: Ontology, left: Concepts, right: Concepts, measure: str | Measure = "BDM") -> list[dict[str, Any]]:
    """For each pair its value and what that is made of: the common ancestor (MSCA, MICA) or the path."""
    scores = PairScores.of(ConceptPairs(ontology, left, right), concept_measure(measure))
    iris, senses = scores.task.ontology.hierarchy.iris, scores.senses
    rows = zip(senses.left.tolist(), senses.right.tolist(), scores.values.tolist(), scores.parts(), strict=True)
    return [{"left": iris[a], "right": iris[b], "value": value, **parts} for a, b, value, parts in rows]


def evaluate_pairs(
    task: ConceptPairs,
    measures: Iterable[NamedMeasure],
    *,
    system: str | None = None,
    progress: Progress | None = None,
) -> tuple[EvaluationResult, dict[str, PairScores]]:
    """The same result as `evaluate`, and by name the values, senses and parts of the single pairs, computed once."""
    started = datetime.now(UTC)
    scores: dict[str, PairScores] = {}
    for name, measure in measures:
        if progress is not None:
            progress(name)
        scores[name] = PairScores.of(task, concept_measure(measure))
    rows = [(name, pairs.measure, pairs.score) for name, pairs in scores.items()]
    return collect_result(task, rows, started=started, system=system), scores


def refuse_no_individuals(ontology: Ontology, populated: Ontology) -> None:
    """Refuse an ontology without individuals."""
    if populated.classes is None:
        raise MissingInputError(
            f"{ontology.source.path} has no individuals",
            advice="Use an ontology with instances of its classes, or set {instances=FILE}.",
        )


def every_concept(ontology: Ontology) -> LongArray:
    """The ids of all concepts, an added root and individuals left out, by IRI."""
    hierarchy = ontology.hierarchy
    ids = range(int(hierarchy.root_added), len(hierarchy) - hierarchy.individuals)
    return np.array(sorted(ids, key=hierarchy.iris.__getitem__), dtype=np.int64)
