"""`reasons`: why a concept has its values of Place, Near and Preserved, by similarity (in words: report/reasons.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ontoeval.concepts.pairs import PairList
from ontoeval.concepts.space import Space
from ontoeval.measures import Measure
from ontoeval.measures.comparison.common_parents import parent_sets
from ontoeval.measures.comparison.near import merged_ontology, nearest_concepts
from ontoeval.measures.comparison.preserved import concept_pairs
from ontoeval.measures.concepts.pair_scores import value_parts
from ontoeval.measures.registry import precision_and_recall, spelled
from ontoeval.measures.similarity_parameter import Similarity, UndefinedSimilarityError
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison

MOST_PAIRS = 3  # of a concept with others, those whose similarities differ most

Question = Literal["Place", "Near", "Preserved"]


@dataclass(frozen=True)
class Reason:
    """A part of the value of one concept: two concepts that were compared, and what their similarity is made of.

    Place: a learned parent and the gold parent that it is paired with; None: one that is paired with nothing.
    Near: the concept and the nearest one of the other side. Preserved: another common concept, with both similarities.
    """

    question: Question
    similarity: str
    learned: str | None  # labels
    gold: str | None
    value: float
    gold_value: float | None = None  # of Preserved; `value` is then that of the learned side
    parts: dict[str, Any] = field(default_factory=dict)  # as `why` gives them
    ontology: Ontology | None = field(default=None, repr=False, compare=False)  # that the parts are from

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        facts = {"question": self.question, "similarity": self.similarity, "learned": self.learned, "gold": self.gold}
        values = {"value": self.value} if self.gold_value is None else {"value": self.value, "gold": self.gold_value}
        return {**facts, **values, "parts": self.parts}


def reasons(task: Comparison, learned: int | None, gold: int | None, measures: Iterable[Measure]) -> list[Reason]:
    """Why a concept (its ids on both sides) has its values of those of the measures that compare by a similarity."""
    result: dict[tuple[Any, ...], list[Reason]] = {}
    for measure in measures:
        if "between" not in measure.definition.sets:
            continue
        parameters = {
            name: measure.parameters[name] for name in ("similarity", "parents") if name in measure.parameters
        }
        question = measure.definition.name.rstrip("PRF")
        key = question, *map(spelled, parameters.values())
        if key not in result:  # P, R and F have the same reasons
            result[key] = _reasons_of(task, learned, gold, question, parameters)
    return [reason for entries in result.values() for reason in entries]


def with_local_scores(measures: Iterable[Measure]) -> list[Measure]:
    """Those of the set "between" and of relations; in place of an F-measure its precision and recall."""
    result: dict[str, Measure] = {}
    for measure in measures:
        if "between" not in measure.definition.sets and "relations" not in measure.definition.needs:
            continue
        for part in precision_and_recall(measure):
            result.setdefault(str(part), part)
    return list(result.values())


def _reasons_of(
    task: Comparison, learned: int | None, gold: int | None, question: str, parameters: dict[str, Any]
) -> list[Reason]:
    similarity = parameters["similarity"]
    try:
        if question == "Near":
            return list(_near(task, learned, gold, similarity))
        if learned is None or gold is None:
            return []
        if question == "Place":
            return list(_place(task, learned, similarity, parameters["parents"]))
        return list(_preservation(task, learned, similarity))
    except UndefinedSimilarityError:  # the score itself says so
        return []


def _place(task: Comparison, learned: int, similarity: Any, parents: Any) -> Iterator[Reason]:
    sets = parent_sets(task, parents)
    place = int(np.searchsorted(sets.learned, learned))
    if place == len(sets.learned) or sets.learned[place] != learned:
        return
    sim = Similarity(similarity, task.gold)
    for ours, theirs, value in sets.pairing(place, sim):
        partner = -1 if ours is None else int(task.matching.to_gold[ours])
        yield Reason(
            "Place",
            spelled(similarity),
            None if ours is None else task.learned.label_of(ours),
            None if theirs is None else task.gold.label_of(theirs),
            value,
            parts=_parts(task.gold, similarity, partner, theirs),
            ontology=task.gold,
        )


def _near(task: Comparison, learned: int | None, gold: int | None, similarity: Any) -> Iterator[Reason]:
    concept = gold if learned is None else learned
    if concept is None or (learned is not None and gold is not None):
        return
    near = nearest_concepts(task, similarity, recall=learned is None)
    place = int(np.searchsorted(near.ids, concept))
    both = merged_ontology(task)
    nearest = int(near.nearest[place])
    if nearest < 0:  # the other side has no concept
        return
    other, numbers = (task.learned, both.of_learned) if learned is None else (task.gold, both.of_gold)
    label = other.label_of(int(np.flatnonzero(numbers == nearest)[0]))
    own = (task.gold if learned is None else task.learned).label_of(concept)
    position = int((both.of_gold if learned is None else both.of_learned)[concept])
    ends = (nearest, position) if learned is None else (position, nearest)
    yield Reason(
        "Near",
        spelled(similarity),
        label if learned is None else own,
        own if learned is None else label,
        float(near.values[place]),
        parts=_parts(both.ontology, similarity, *ends),
        ontology=both.ontology,
    )


def _preservation(task: Comparison, learned: int, similarity: Any) -> Iterator[Reason]:
    pairs = concept_pairs(task, learned, similarity)
    order = np.argsort(-np.abs(pairs.learned - pairs.gold), kind="stable")[:MOST_PAIRS]
    for place in order.tolist():
        if abs(pairs.learned[place] - pairs.gold[place]) < 1e-12:
            return
        other = int(pairs.others[place])
        yield Reason(
            "Preserved",
            spelled(similarity),
            task.learned.label_of(other),
            task.gold.label_of(int(task.matching.to_gold[other])),
            float(pairs.learned[place]),
            float(pairs.gold[place]),
        )


def _parts(ontology: Ontology, similarity: Any, predicted: int, key: int | None) -> dict[str, Any]:
    if not isinstance(similarity, Measure) or predicted < 0 or key is None or predicted == key:
        return {}
    return value_parts(similarity, PairList(Space.of(ontology), np.array([predicted]), np.array([key])))[0]
