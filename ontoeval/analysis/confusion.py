"""Errors by class: `per_class` (AP, AR), `confusions`, `examples`, `cost_precision` (pairs: measures/annotations/)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ontoeval.errors import ParameterError, UnknownConceptError
from ontoeval.measures import Measure, parse
from ontoeval.measures.annotations.extraction import pair_annotations
from ontoeval.measures.annotations.span_pairing import Match
from ontoeval.measures.similarity_parameter import check_similarity
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.results import EvaluationResult, Score, harmonic, ratio
from ontoeval.tables import Table
from ontoeval.tasks.extraction import Extraction, Side

NO_CLASS = "(no class)"  # of an annotation that has none
_MILLION = 1e6


class ClassScore(NamedTuple):
    """One class: an IRI of the ontology, or the name of an unknown class as it was written."""

    name: str
    precision: float  # AP: credit of the pairs with this response class / responses of it
    recall: float  # AR: credit of the pairs with this key class / keys of it
    f: float
    keys: int
    responses: int
    key_credit: float
    response_credit: float


class Confusion(NamedTuple):
    """How often annotations of a key class were paired with a response class; None: missing, or spurious."""

    key: str | None
    response: str | None
    count: int  # type: ignore[assignment]  # a tuple's own count is not needed
    similarity: float  # of the two classes, 0 for missing and spurious
    lost: float  # count (1 - similarity)


def per_class(task: Extraction, similarity: str | Measure = "BDM", match: Match = "strict") -> Table[ClassScore]:
    """AP and AR of each class that occurs, by name.

    A class that was never assigned has AP 0, and one that is never true has AR 0, as a whole response or key has.
    """
    measure = _checked_similarity(similarity)
    pairs, classes = pair_annotations(task, measure, match), _Classes(task)
    size = len(classes.names)
    keys, responses = (np.bincount(side, minlength=size) for side in (classes.key, classes.response))
    credits = [
        np.bincount(side[positions], weights=pairs.similarity, minlength=size)
        for side, positions in ((classes.key, pairs.key), (classes.response, pairs.response))
    ]
    rows = []
    for name, many_keys, many_responses, key_credit, response_credit in zip(
        classes.names, keys.tolist(), responses.tolist(), credits[0].tolist(), credits[1].tolist(), strict=True
    ):
        precision = ratio(response_credit, many_responses, other=many_keys)
        recall = ratio(key_credit, many_keys, other=many_responses)
        f = float(harmonic(precision, recall))
        rows.append(ClassScore(name, precision, recall, f, many_keys, many_responses, key_credit, response_credit))
    return Table(rows, ClassScore, title=f"Classes by {measure}")


def near_misses_of(result: EvaluationResult) -> tuple[str | Measure, Match]:
    """By which similarity and which spans a result counts near misses."""
    task: Extraction = result.task_of("extraction")
    parameters = [score.measure.parameters for score in result]
    spans: Match = next((entry["spans"] for entry in parameters if "spans" in entry), "strict")
    if task.flat or task.by == "instance":
        return "Flat", spans
    similarities = (entry["similarity"] for entry in parameters if "similarity" in entry)
    return next((similarity for similarity in similarities if str(similarity) != "Flat"), "BDM"), spans


def confusions(task: Extraction, similarity: str | Measure = "BDM", match: Match = "strict") -> Table[Confusion]:
    """Every key class with every response class it was paired with, the most lost credit first, then by names.

    Missing and spurious annotations come with None on the other side, which stands before every name.
    """
    measure = _checked_similarity(similarity)
    items, classes = examples(task, measure, match), _Classes(task)
    # one more class, the last, for what is missing or spurious
    key, response = np.append(classes.key, -1)[items.key], np.append(classes.response, -1)[items.response]
    size = len(classes.names) + 1
    code, first, counts = np.unique((key + 1) * size + response + 1, return_index=True, return_counts=True)
    names = [None, *classes.names]
    rows = []
    for pair, place, count in zip(code.tolist(), first.tolist(), counts.tolist(), strict=True):
        left, right = divmod(pair, size)
        sim = float(items.similarity[place])
        rows.append(Confusion(names[left], names[right], count, sim, count * (1 - sim)))
    rows.sort(key=lambda row: (-round(row.lost * _MILLION), row.key or "", row.response or ""))
    return Table(rows, Confusion, title=f"Confusions by {measure}")


@dataclass(frozen=True, eq=False)
class Examples:
    """All items that were classified: the pairs, then missing keys, then spurious responses.

    key and response are positions in the sides of the task, -1 for none.
    """

    key: LongArray
    response: LongArray
    similarity: FloatArray  # of pairs; else 0

    def __len__(self) -> int:
        return len(self.key)


def examples(task: Extraction, similarity: str | Measure = "BDM", match: Match = "strict") -> Examples:
    """The annotations of both sides, two that are paired as one."""
    pairs = pair_annotations(task, _checked_similarity(similarity), match)
    missing = np.setdiff1d(np.arange(len(task.key_side)), pairs.key)
    spurious = np.setdiff1d(np.arange(len(task.response_side)), pairs.response)
    key = np.concatenate([pairs.key, missing, np.full(len(spurious), -1)])
    response = np.concatenate([pairs.response, np.full(len(missing), -1), spurious])
    return Examples(key, response, np.concatenate([pairs.similarity, np.zeros(len(missing) + len(spurious))]))


def cost_precision(
    task: Extraction,
    concept: str,
    chosen: Sequence[int] | LongArray | None = None,
    similarity: str | Measure = "BDM",
    match: Match = "strict",
) -> Score:
    """Cost-based precision of one class X (Li, Bontcheva & Maynard 2007, eq. 3).

    P = sum over the examples e in S whose true class is X of (1 - cost(X, Y_e)) / |S|, Y_e the predicted class and
    cost = 1 - sim. S is the caller's choice: `chosen` are positions in `examples(task, similarity, match)`, each
    counted once; None: all of them. An example without a true class only adds to |S|, one without a predicted class
    costs 1. S empty: undefined.
    """
    measure = _checked_similarity(similarity)
    items, classes = examples(task, measure, match), _Classes(task)
    if concept not in classes.number and (task.ontology is None or concept not in task.ontology.hierarchy):
        raise UnknownConceptError(
            f"no annotation has the class {concept!r}", advice="Use the IRI of another class.", parameter="concept"
        )
    selected = np.arange(len(items)) if chosen is None else np.unique(np.asarray(chosen, dtype=np.int64))
    if len(selected) and (selected[0] < 0 or selected[-1] >= len(items)):
        raise ParameterError(
            f"some positions are not from 0 to {len(items) - 1}",
            advice="Use positions in examples(task).",
            parameter="chosen",
        )
    if not len(selected):
        return Score.impossible("no examples were chosen", examples=0)
    key = np.append(classes.key, -1)[items.key[selected]]
    true = key == classes.number.get(concept, -2)
    credit = float(items.similarity[selected][true].sum())
    return Score(credit / len(selected), counts={"examples": len(selected), "true": int(true.sum()), "credit": credit})


def _checked_similarity(similarity: str | Measure) -> Measure:
    measure = parse(similarity) if isinstance(similarity, str) else similarity
    check_similarity({"similarity": measure})
    return measure


class _Classes:
    """The classes of both sides by name: names that mean one concept are one class."""

    def __init__(self, task: Extraction) -> None:
        names = [self._class_name(task, place) for place in range(len(task.names))]
        used = {
            names[n] if n >= 0 else NO_CLASS
            for side in (task.key_side, task.response_side)
            for n in _names_in_use(side)
        }
        self.names = sorted(used)
        self.number = {name: place for place, name in enumerate(self.names)}
        numbers = np.array([*(self.number.get(name, -1) for name in names), self.number.get(NO_CLASS, -1)])
        self.key: LongArray = numbers[task.key_side.name]
        self.response: LongArray = numbers[task.response_side.name]

    @staticmethod
    def _class_name(task: Extraction, place: int) -> str:
        concept = int(task.concept_of[place])
        if task.flat or concept < 0 or task.ontology is None:
            return task.names[place]
        return task.ontology.hierarchy.iris[concept]


def _names_in_use(side: Side) -> list[int]:
    names: list[int] = np.unique(side.name).tolist()
    return names
