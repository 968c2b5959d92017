"""`worst` concepts, by their relations or by a measure, `worst_instances`, as data (tables: report/comparison.py)."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, overload

import numpy as np

from ontoeval.analysis.branches import branches, parents_by_label
from ontoeval.errors import ParameterError
from ontoeval.measures import Measure, parse
from ontoeval.measures.comparison.extracts import extract_overlap
from ontoeval.measures.instances.cotopy import companions
from ontoeval.measures.registry import precision_and_recall
from ontoeval.model.ontology import Ontology
from ontoeval.model.placement import Placement
from ontoeval.model.relatives import Place, Relatives, relatives
from ontoeval.results import LocalScores, MeasureResult, Score, harmonic
from ontoeval.tables import Table
from ontoeval.tasks.comparison import Comparison

_DIGITS = 12  # of values that are compared: the rest is rounding


class Branch(NamedTuple):
    """A concept next to another one, and how many concepts it brings along, itself included."""

    iri: str
    label: str
    size: int


class Difference(NamedTuple):
    """Common concepts that are above or below a concept on one side only."""

    kind: Literal["wrong", "lost"]  # only learned, only gold
    place: Place
    size: int
    branches: tuple[Branch, ...]  # the largest first; where they overlap, their sizes add up to more

    def __str__(self) -> str:
        return f"{self.size:,} {self.kind} {self.place}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self._asdict(), "branches": [branch._asdict() for branch in self.branches]}


class Loss(NamedTuple):
    """A common concept whose superconcepts and subconcepts differ from the gold standard."""

    iri: str
    label: str
    precision: float  # tp_csc
    recall: float  # tr_csc
    wrong: int  # relations that the gold standard does not have
    lost: int  # relations that were not learned
    learned_parents: tuple[str, ...]
    gold_parents: tuple[str, ...]
    differences: tuple[Difference, ...]  # what is wrong and lost, the most first
    learned_parent_iris: tuple[str, ...] = ()  # in the order of the labels
    gold_parent_iris: tuple[str, ...] = ()

    @property
    def parents(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """On the learned and on the gold side."""
        return self.learned_parents, self.gold_parents

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**_with_lists(self), "differences": [difference.to_dict() for difference in self.differences]}


class LocalLoss(NamedTuple):
    """A concept that loses by the local scores of some measure; an F-measure has those of precision and recall."""

    iri: str  # of the gold standard, if it has the concept
    label: str
    values: dict[str, float]  # by measure
    learned: str | None  # IRI on that side
    gold: str | None
    learned_parents: tuple[str, ...]
    gold_parents: tuple[str, ...]
    learned_parent_iris: tuple[str, ...] = ()  # in the order of the labels
    gold_parent_iris: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return _with_lists(self)


def _with_lists(loss: Loss | LocalLoss) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in loss._asdict().items()}


class InstanceLoss(NamedTuple):
    """An instance whose companions (instances at, above or below its concepts) differ from the gold standard."""

    iri: str
    precision: float  # itp
    recall: float  # itr
    wrong: int  # companions that it does not have in the gold standard
    lost: int  # companions that it has in the gold standard only
    learned: tuple[str, ...]  # labels of its concepts
    gold: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self._asdict(), "learned": list(self.learned), "gold": list(self.gold)}


@overload
def worst(task: Comparison, count: int = 10, measure: None = None) -> Table[Loss]: ...
@overload
def worst(task: Comparison, count: int = 10, measure: str | Measure = ...) -> Table[LocalLoss]: ...
def worst(task: Comparison, count: int = 10, measure: str | Measure | None = None) -> Table[Loss] | Table[LocalLoss]:
    """The lowest-scoring concepts. Concepts that lose nothing are left out.

    Without a measure: the common concepts, the lowest harmonic mean of tp_csc and tr_csc first; of equals the one with
    more wrong and lost relations, then by IRI. With one: the concepts that have a local score, of either side, the one
    furthest from the best value first, then by IRI; of an F-measure by the harmonic mean of precision and recall, or by
    that of the two which the concept has. ParameterError if it has no local scores of concepts.
    """
    title = f"Lowest-scoring concepts of {task.learned.source.path}"
    if measure is None:
        return Table(_most_lost(task, count), Loss, title=title, only_programs=["iri", "differences"])
    by = parse(measure) if isinstance(measure, str) else measure
    return Table(
        _lowest(task, count, by), LocalLoss, title=f"{title} by {by}", only_programs=["iri", "learned", "gold"]
    )


def has_concept_scores(result: MeasureResult) -> bool:
    """True if concepts have local scores of a measure, or of the precision and recall of an F-measure."""
    is_f = len(precision_and_recall(result.measure)) > 1
    scores = result.score.parts if is_f else (result.score,)
    return any(_of_concepts(score) is not None for score in scores)


def _of_concepts(score: Score) -> LocalScores | None:
    return score.local if score.local is not None and score.local.of in ("learned", "gold") else None


def _lowest(task: Comparison, count: int, measure: Measure) -> list[LocalLoss]:
    parts = precision_and_recall(measure)
    scores = [(str(part), part(task.as_read)) for part in parts]
    if not any(_of_concepts(score) for _, score in scores):
        undefined = next((score.undefined for _, score in scores if score.undefined is not None), None)
        raise ParameterError(
            f"{measure} has no local scores of concepts" + ("" if undefined is None else f": {undefined}"),
            advice="Use a measure that has them, such as TF_csc, PlaceF or NearF.",
            parameter="measure",
        )
    values: dict[tuple[int | None, int | None], dict[str, float]] = {}
    for name, score in scores:
        local = _of_concepts(score)
        if local is not None:
            partners = task.matching.to_gold if local.of == "learned" else task.matching.to_learned
            for concept, value in zip(local.ids.tolist(), local.values.tolist(), strict=True):
                partner = int(partners[concept]) if partners[concept] >= 0 else None
                sides = (concept, partner) if local.of == "learned" else (partner, concept)
                values.setdefault(sides, {})[name] = value
    best = 1.0 if measure.best is None else measure.best
    losing = {sides: own for sides, own in values.items() if any(round(abs(v - best), _DIGITS) for v in own.values())}

    def order(sides: tuple[int | None, int | None]) -> tuple[float, str]:
        own = list(losing[sides].values())
        value = float(harmonic(*own)) if len(own) == 2 else own[0]
        return -round(abs(value - best), _DIGITS), _iri(task, *sides)

    return [_local_loss(task, sides, losing[sides]) for sides in sorted(losing, key=order)[: max(count, 0)]]


def _iri(task: Comparison, learned: int | None, gold: int | None) -> str:
    if gold is not None:
        return task.gold.hierarchy.iris[gold]
    assert learned is not None  # noqa: S101 - it is on some side
    return task.learned.hierarchy.iris[learned]


def _local_loss(task: Comparison, sides: tuple[int | None, int | None], values: dict[str, float]) -> LocalLoss:
    ontologies = task.learned, task.gold
    iris = [None if c is None else o.hierarchy.iris[c] for o, c in zip(ontologies, sides, strict=True)]
    labels = [o.label_of(c) for o, c in zip(ontologies, sides, strict=True) if c is not None]
    parents = [((), ()) if c is None else _parents_of(o, c) for o, c in zip(ontologies, sides, strict=True)]
    (learned, learned_iris), (gold, gold_iris) = parents
    return LocalLoss(_iri(task, *sides), labels[-1], values, iris[0], iris[1], learned, gold, learned_iris, gold_iris)


def _most_lost(task: Comparison, count: int) -> list[Loss]:
    overlap = extract_overlap(task, "csc")
    learned, gold = task.common
    wrong, lost = overlap.learned - overlap.both, overlap.gold - overlap.both
    total = overlap.learned + overlap.gold  # the harmonic mean of both/learned and both/gold
    value = np.divide(2 * overlap.both, total, out=np.ones_like(total), where=total > 0)
    losing = np.flatnonzero(wrong + lost > 0)
    iris = task.gold.hierarchy.iris
    order = sorted(losing.tolist(), key=lambda i: (value[i], -(wrong[i] + lost[i]), iris[gold[i]]))[: max(count, 0)]
    losses = []
    for i in order:
        learned_parents, learned_iris = _parents_of(task.learned, int(learned[i]))
        gold_parents, gold_iris = _parents_of(task.gold, int(gold[i]))
        losses.append(
            Loss(
                iri=iris[gold[i]],
                label=task.gold.label_of(int(gold[i])),
                precision=float(overlap.both[i] / overlap.learned[i]) if overlap.learned[i] else 0.0,
                recall=float(overlap.both[i] / overlap.gold[i]) if overlap.gold[i] else 0.0,
                wrong=int(wrong[i]),
                lost=int(lost[i]),
                learned_parents=learned_parents,
                gold_parents=gold_parents,
                differences=_differences(task, int(learned[i]), int(gold[i])),
                learned_parent_iris=learned_iris,
                gold_parent_iris=gold_iris,
            )
        )
    return losses


def _parents_of(ontology: Ontology, concept: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels of its parents, sorted, and their IRIs."""
    names = parents_by_label(ontology, concept)
    return tuple(label for label, _ in names), tuple(iri for _, iri in names)


def _differences(task: Comparison, learned: int, gold: int) -> tuple[Difference, ...]:
    ours, theirs = relatives(task.learned.hierarchy, learned), relatives(task.gold.hierarchy, gold)
    sides: tuple[tuple[Literal["wrong", "lost"], Comparison, Relatives, Relatives], ...]
    sides = ("wrong", task, ours, theirs), ("lost", task.swapped, theirs, ours)
    result = []
    for kind, side, own, other in sides:
        places: dict[Place, set[int]] = {}
        for concept in own.all:
            partner, place = int(side.matching.to_gold[concept]), own.place(concept)
            if place is not None and partner >= 0 and other.place(partner) is None:
                places.setdefault(place, set()).add(concept)
        for place, concepts in places.items():
            named = [
                Branch(side.learned.hierarchy.iris[concept], side.learned.label_of(concept), size)
                for concept, size in branches(side.learned.hierarchy, concepts, place)
            ]
            result.append(
                Difference(kind, place, len(concepts), tuple(sorted(named, key=lambda b: (-b.size, b.label))))
            )
    return tuple(sorted(result, key=lambda difference: (-difference.size, difference[:2])))


def worst_instances(task: Comparison, count: int = 10) -> Table[InstanceLoss]:
    """The shared instances that lose most.

    The lowest harmonic mean of itp(i) = |isc_l ∩ isc_g| / |isc_l| and itr(i) = |isc_l ∩ isc_g| / |isc_g| first; of
    equals the one with more wrong and lost companions, then by IRI. Instances that lose nothing are left out.
    """
    return Table(_most_lost_instances(task, count) if len(task.shared) else (), InstanceLoss)


def _most_lost_instances(task: Comparison, count: int) -> list[InstanceLoss]:
    cotopies = companions(task)
    wrong, lost = cotopies.learned - cotopies.both, cotopies.gold - cotopies.both
    value = 2 * cotopies.both / (cotopies.learned + cotopies.gold)  # i itself is in all of them
    cells = np.flatnonzero(wrong + lost > 0)
    losing = np.flatnonzero(np.isin(task.shared.cell, cells))
    cell = task.shared.cell[losing]
    order = np.lexsort((losing, -(wrong + lost)[cell], value[cell]))[: max(count, 0)]  # the names are sorted
    return [
        InstanceLoss(
            iri=task.shared.names[i],
            precision=float(cotopies.both[c] / cotopies.learned[c]),
            recall=float(cotopies.both[c] / cotopies.gold[c]),
            wrong=int(wrong[c]),
            lost=int(lost[c]),
            learned=_concepts(task.learned, task.shared.learned, i),
            gold=_concepts(task.gold, task.shared.gold, i),
        )
        for i, c in zip(losing[order].tolist(), cell[order].tolist(), strict=True)
    ]


def _concepts(ontology: Ontology, placement: Placement, instance: int) -> tuple[str, ...]:
    place = int(placement.place[instance])
    concepts = placement.concepts[placement.indptr[place] : placement.indptr[place + 1]]
    return tuple(sorted(ontology.label_of(concept) for concept in concepts.tolist()))
