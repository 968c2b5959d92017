"""Measures FuzzyP/R/F, ContinuousP/R/F, GraphP/R/F: edges, concepts by text (similarity: _label_similarity.py)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from ontoeval.errors import ParameterError, number_of
from ontoeval.measures.comparison._label_similarity import (
    MOST_ALIKE,
    Similarity,
    Vectors,
    alike,
    concept_texts,
    label_vectors,
    similarities,
)
from ontoeval.measures.registry import measure, spelled
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray, blocks
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score, harmonic, ratio
from ontoeval.tasks.comparison import Comparison

Labels = Literal["sm", "tokens"] | Similarity
LabelVectors = Literal["letters"] | Vectors

MOST_CELLS = 50_000_000  # of a matrix to assign in; it is held three times over, and the time grows faster than it
MOST_ROUNDS = 1_000
_SHORTEST = 1e-280  # of a vector: shorter ones lose digits, then become zero
_BLOCK = 4_000_000  # similar concepts of the edges looked at together


def _check(parameters: Mapping[str, Any]) -> None:
    threshold, rounds = parameters.get("threshold", 0.0), parameters.get("rounds", 0)
    if not 0 <= threshold <= 1:
        raise ParameterError(
            f"threshold must be a number from 0 to 1, not {spelled(threshold)}",
            parameter="threshold",
        )
    if not 0 <= rounds <= MOST_ROUNDS:
        raise ParameterError(f"rounds must be a whole number from 0 to {MOST_ROUNDS}, not {rounds}", parameter="rounds")


_structural = partial(measure, dimension="structural", check=_check)
_OLLM = "Lo, Jiang, Li & Jamnik 2024 (OLLM)"


@dataclass(frozen=True, eq=False)
class _Edges:
    """The given edges of one side between texts; an edge comes as often as concepts have it."""

    texts: list[str]  # of the concepts with an edge, each once
    children: LongArray  # places in `texts`
    parents: LongArray

    def __len__(self) -> int:
        return len(self.children)


def _edges(ontology: Ontology, languages: tuple[str, ...]) -> _Edges:
    tails, heads = ontology.hierarchy.stated_edges
    ends, place = np.unique(np.concatenate([tails, heads]), return_inverse=True)
    texts, number = _distinct(concept_texts(ontology, ends.tolist(), languages))
    return _Edges(texts, number[place[: len(tails)]], number[place[len(tails) :]])


def _distinct(texts: list[str]) -> tuple[list[str], LongArray]:
    """The texts sorted, each once, and where each one went."""
    distinct = sorted(set(texts))
    number = {text: place for place, text in enumerate(distinct)}
    return distinct, np.array([number[text] for text in texts], dtype=np.int64)


def _once(compute: Callable[..., tuple[Score, Score]]) -> Callable[..., tuple[Score, Score]]:
    """Compute precision and recall once for P, R and F of one comparison."""

    def compute_once(task: Comparison, *parameters: Any) -> tuple[Score, Score]:
        key = tuple(id(value) if callable(value) else value for value in parameters)  # not every function has a hash
        return task.cached((compute.__name__, *key), lambda: (parameters, compute(task, *parameters)))[1]

    return compute_once


@_structural("FuzzyP", source=f"{_OLLM}, Fuzzy F1")
def fuzzy_precision(task: Comparison, *, threshold: float = 0.436, labels: Labels = "sm") -> Score:
    """Precision of the subclass links, with labels that need only be similar.

    FuzzyP = |{(c, p) ∈ E_C : some (c', p') ∈ E_R has s(c, c') >= threshold and s(p, p') >= threshold}| / |E_C|,
    E as in EdgeP; one gold link may serve several learned ones. s compares one text of each concept: its label in the
    first language of the matching, else what it is called. `labels=sm`: SM(a, b) = max(0, (min(|a|, |b|) - ed(a, b)) /
    min(|a|, |b|)), an empty text is like an empty text alone; `tokens`: |A ∩ B| / sqrt(|A| |B|) of the sets of words
    without regard to case, two empty sets 1. In Python also a function of two lists of texts that gives a matrix, a row
    for each text of the first; large inputs are handed to it in parts. Both sets of links empty: 1, one empty: 0.
    """
    return _fuzzy(task, threshold, labels)[0]


@_structural("FuzzyR", source=f"{_OLLM}, Fuzzy F1")
def fuzzy_recall(task: Comparison, *, threshold: float = 0.436, labels: Labels = "sm") -> Score:
    """Recall of the subclass links, with labels that need only be similar.

    FuzzyR = |{(c', p') ∈ E_R : some (c, p) ∈ E_C has s(c, c') >= threshold and s(p, p') >= threshold}| / |E_R|.
    """
    return _fuzzy(task, threshold, labels)[1]


@_structural("FuzzyF", source=f"{_OLLM}, Fuzzy F1", symmetric=True)
def fuzzy_f(task: Comparison, *, threshold: float = 0.436, labels: Labels = "sm") -> Score:
    """F-measure of the subclass links, with labels that need only be similar.

    FuzzyF = 2 FuzzyP FuzzyR / (FuzzyP + FuzzyR); 0 if both are 0.
    """
    return Score.of(harmonic, *_fuzzy(task, threshold, labels))


@_once
def _fuzzy(task: Comparison, threshold: float, labels: Labels) -> tuple[Score, Score]:
    """Precision and recall; the similarities are those of a learned with a gold text for both."""
    learned, gold = (_edges(o, task.matching.languages) for o in (task.learned, task.gold))
    similar = alike(learned.texts, gold.texts, labels, threshold)
    if similar is None:
        score = Score.impossible(
            f"too many pairs of {len(learned.texts):,} learned and {len(gold.texts):,} gold labels are similar: more "
            f"than {MOST_ALIKE:,}. Increase threshold",
            learned_edges=len(learned),
            gold_edges=len(gold),
        )
        return score, score
    matched_learned, matched_gold = (
        _count_matched(learned, gold, similar),
        _count_matched(gold, learned, similar.T.tocsr()),
    )
    return (
        Score(
            ratio(matched_learned, len(learned), other=len(gold)),
            counts={"matched_learned": matched_learned, "learned_edges": len(learned)},
        ),
        Score(
            ratio(matched_gold, len(gold), other=len(learned)),
            counts={"matched_gold": matched_gold, "gold_edges": len(gold)},
        ),
    )


def _count_matched(edges: _Edges, others: _Edges, similar: csr_array) -> int:
    """How many of the edges have one of the others with both ends similar."""
    width = len(edges.texts)
    pairs, counts = np.unique(edges.children * width + edges.parents, return_counts=True)
    children, parents = np.divmod(pairs, max(width, 1))
    upwards = csr_array(
        (np.ones(len(others), dtype=bool), (others.children, others.parents)), shape=(len(others.texts),) * 2
    )
    matched = np.zeros(len(pairs), dtype=bool)
    degree = np.diff(similar.indptr).astype(np.int64)
    for start, stop in blocks(degree[children] + degree[parents], _BLOCK):
        distinct_children, place = np.unique(children[start:stop], return_inverse=True)
        above = similar[distinct_children] @ upwards  # the parents of what is similar to a child
        matched[start:stop] = _meet(above[place], similar[parents[start:stop]])
    return int(counts[matched].sum())


def _meet(left: csr_array, right: csr_array) -> BoolArray:
    """In which rows both have something."""
    both = csr_array(left.multiply(right))
    return np.diff(both.indptr) > 0


@_structural("ContinuousP", source=f"{_OLLM}, Continuous F1")
def continuous_precision(task: Comparison, *, labels: Labels = "sm") -> Score:
    """Precision of the subclass links, with credit for similar labels.

    ContinuousP = max over one-to-one assignments A ⊆ E_C x E_R of Σ_A min(s(c, c'), s(p, p')) / |E_C|, E and s as in
    FuzzyP: the graded form without a threshold. With a function for `labels` values below 0 and above 1 count as they
    are. Both sets of links empty: 1, one empty: 0. Undefined where the sides are too large to assign.
    """
    return _continuous(task, labels)[0]


@_structural("ContinuousR", source=f"{_OLLM}, Continuous F1")
def continuous_recall(task: Comparison, *, labels: Labels = "sm") -> Score:
    """Recall of the subclass links, with credit for similar labels.

    ContinuousR = max over one-to-one assignments A ⊆ E_C x E_R of Σ_A min(s(c, c'), s(p, p')) / |E_R|.
    """
    return _continuous(task, labels)[1]


@_structural("ContinuousF", source=f"{_OLLM}, Continuous F1", symmetric=True)
def continuous_f(task: Comparison, *, labels: Labels = "sm") -> Score:
    """F-measure of the subclass links, with credit for similar labels.

    ContinuousF = 2 ContinuousP ContinuousR / (ContinuousP + ContinuousR); 0 if both are 0.
    """
    return Score.of(harmonic, *_continuous(task, labels))


@_once
def _continuous(task: Comparison, labels: Labels) -> tuple[Score, Score]:
    learned, gold = (_edges(o, task.matching.languages) for o in (task.learned, task.gold))
    if len(learned) * len(gold) > MOST_CELLS:
        return _too_large("edges", len(learned), len(gold))
    ends = similarities(learned.texts, gold.texts, labels)  # in a tree as large as what follows, at worst four times
    pairs = ends[np.ix_(learned.children, gold.children)]
    for start, stop in blocks(np.full(len(learned), len(gold)), _BLOCK):
        block = slice(start, stop)
        np.minimum(pairs[block], ends[np.ix_(learned.parents[block], gold.parents)], out=pairs[block])
    del ends
    return _shares("edges", _best_total(pairs), len(learned), len(gold))


@_structural("GraphP", source=f"{_OLLM}, Graph F1")
def graph_precision(task: Comparison, *, rounds: int = 2, labels: LabelVectors = "letters") -> Score:
    """Precision of the concepts, with credit for similar labels and ancestors' labels.

    x(c) ← Σ x(p) / sqrt(D(p) D(c)) over p ∈ {c} ∪ parents of c, `rounds` times, D = number of parents + 1;
    GraphP = max over one-to-one assignments A ⊆ C x R of Σ_A cos(x(c), x(c')) / |C|.
    C and R are the concepts of the files (no added root) with the edges of the files. x starts as the counts of the
    characters of the concept's text (see FuzzyP) without regard to case; in Python `labels` can also be a function of a
    list of texts that gives a matrix, a row for each text, and cosines below 0 then count as they are. Two zero
    vectors: 1, one: 0. Undefined where the sides are too large to assign.
    """
    return _graph(task, rounds, labels)[0]


@_structural("GraphR", source=f"{_OLLM}, Graph F1")
def graph_recall(task: Comparison, *, rounds: int = 2, labels: LabelVectors = "letters") -> Score:
    """Recall of the concepts, with credit for similar labels and ancestors' labels.

    GraphR = max over one-to-one assignments A ⊆ C x R of Σ_A cos(x(c), x(c')) / |R|.
    """
    return _graph(task, rounds, labels)[1]


@_structural("GraphF", source=f"{_OLLM}, Graph F1", symmetric=True)
def graph_f(task: Comparison, *, rounds: int = 2, labels: LabelVectors = "letters") -> Score:
    """F-measure of the concepts, with credit for similar labels and ancestors' labels.

    GraphF = 2 GraphP GraphR / (GraphP + GraphR); 0 if both are 0.
    """
    return Score.of(harmonic, *_graph(task, rounds, labels))


@_once
def _graph(task: Comparison, rounds: int, labels: LabelVectors) -> tuple[Score, Score]:
    sides = task.learned, task.gold
    nodes = [np.arange(int(o.hierarchy.root_added), len(o.hierarchy)) for o in sides]
    sizes = [len(concepts) for concepts in nodes]
    if sizes[0] * sizes[1] > MOST_CELLS:
        return _too_large("concepts", *sizes)
    named = [
        concept_texts(o, concepts.tolist(), task.matching.languages) for o, concepts in zip(sides, nodes, strict=True)
    ]
    texts, number = _distinct(named[0] + named[1])
    vectors = label_vectors(texts, labels)
    try:
        learned, gold = (
            _directions(_smooth(o, vectors[concepts], rounds))
            for o, concepts in zip(sides, np.split(number, [sizes[0]]), strict=True)
        )
    except _VanishingVectorError as error:
        score = Score.impossible(str(error), learned_concepts=sizes[0], gold_concepts=sizes[1])
        return score, score
    cosines = np.clip(learned @ gold.T, -1.0, 1.0)
    cosines[np.ix_(~learned.any(axis=1), ~gold.any(axis=1))] = 1.0
    return _shares("concepts", _best_total(cosines), *sizes)


class _VanishingVectorError(Exception):
    """A vector is too short for floating-point numbers; the text is the reason why a score is undefined."""


def _smooth(ontology: Ontology, vectors: FloatArray, rounds: int) -> FloatArray:
    """Each vector mixed with those of the concept's parents."""
    hierarchy = ontology.hierarchy
    tails, heads = (ends.astype(np.int64) - int(hierarchy.root_added) for ends in hierarchy.stated_edges)
    itself = np.arange(len(vectors))
    rows, columns = np.concatenate([tails, itself]), np.concatenate([heads, itself])
    degree = np.bincount(rows, minlength=len(vectors)).astype(np.float64)
    mix = csr_array((1.0 / np.sqrt(degree[rows] * degree[columns]), (rows, columns)), shape=(len(vectors),) * 2)
    result: FloatArray = vectors
    for number in range(rounds):
        result = mix @ result
        length = np.abs(result).max(axis=1, initial=0.0)
        if np.any((length > 0) & (length < _SHORTEST)):
            raise _VanishingVectorError(
                f"the vectors of some concepts vanish after {number_of(number + 1, 'round', 'rounds')}. Decrease rounds"
            )
    return result


def _directions(vectors: FloatArray) -> FloatArray:
    """Vectors of length 1; zero stays zero."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)  # first, because tiny squares vanish
    even = np.divide(vectors, largest, out=np.zeros_like(vectors), where=largest > 0)
    length = np.sqrt(np.square(even).sum(axis=1, keepdims=True))
    result: FloatArray = np.divide(even, length, out=np.zeros_like(even), where=length > 0)
    return result


def _best_total(values: FloatArray) -> float:
    """The largest total of a one-to-one assignment of the smaller side. The matrix is overwritten."""
    if not values.size:
        return 0.0
    costs = np.negative(values, out=values)  # in place: asked for the largest total, scipy would make a copy
    rows, columns = linear_sum_assignment(costs)
    return -math.fsum(costs[rows, columns].tolist())


def _shares(units: str, total: float, learned: int, gold: int) -> tuple[Score, Score]:
    return (
        Score(ratio(total, learned, other=gold), counts={"similarity": total, f"learned_{units}": learned}),
        Score(ratio(total, gold, other=learned), counts={"similarity": total, f"gold_{units}": gold}),
    )


def _too_large(units: str, learned: int, gold: int) -> tuple[Score, Score]:
    what = "links" if units == "edges" else units
    score = Score.impossible(
        f"too many {what} for an optimal assignment: {learned:,} learned and {gold:,} gold; the limit is "
        f"{MOST_CELLS:,} pairs",
        **{f"learned_{units}": learned, f"gold_{units}": gold},
    )
    return score, score
