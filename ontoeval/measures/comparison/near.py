"""The measures NearP, NearR, NearF: concepts without a partner get credit for the nearest one (edit/merge.py)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ontoeval.edit.merge import MergedOntology
from ontoeval.errors import number_of
from ontoeval.measures.registry import Measure, measure
from ontoeval.measures.similarity_parameter import (
    BDM,
    Similarity,
    SimilarityFunction,
    UndefinedSimilarityError,
    check_similarity,
)
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.results import LocalScores, Score, harmonic
from ontoeval.tasks.comparison import Comparison

_MOST_PAIRS = 2_000_000_000
_PURPOSE = (
    "Near asks how much of an ontology the other one has, at least nearly: a concept that has no partner on the other "
    "side earns the similarity of the nearest concept there. "
    "A learned concept below the right gold concept is worth more than one below a wrong one, whereas LF "
    "counts both as wrong. "
    "Use it where a learner finds concepts that the gold standard does not name, or leaves some out."
)
_near = partial(
    measure,
    dimension="lexical",
    source="lexical precision and recall of Dellschaft & Staab 2006 with graded credit; Flat gives these",
    check=check_similarity,
    sets={"between": 0},
    purpose=_PURPOSE,
    example=("dellschaft2006/oc3.ttl", "dellschaft2006/or2.ttl"),
)


@_near("NearP")
def near_precision(task: Comparison, *, similarity: Measure | SimilarityFunction = BDM) -> Score:
    """Lexical precision with credit for near misses.

    NearP = mean over the learned concepts c of near(c): 1 if c has a partner, else the greatest Sim(c, r) over the gold
    concepts r. Sim is computed in the merged hierarchy M: the gold concepts and the learned ones without a partner, a
    matched concept being its partner, with the edges of both files. Added roots take no part. With Flat it is LP if
    neither side has an added root. `similarity`: a measure between concepts from 0 to 1, or a function of two IRIs
    (predicted, key).
    """
    return _score(task, similarity, recall=False)


@_near("NearR")
def near_recall(task: Comparison, *, similarity: Measure | SimilarityFunction = BDM) -> Score:
    """Lexical recall with credit for near misses.

    NearR = mean over the gold concepts r of near(r): 1 if r has a partner, else the greatest Sim(c, r) over the learned
    concepts c, those with a partner included; see NearP.
    """
    return _score(task, similarity, recall=True)


@_near("NearF")
def near_f(task: Comparison, *, similarity: Measure | SimilarityFunction = BDM) -> Score:
    """Lexical F-measure with credit for near misses.

    NearF = 2 NearP NearR / (NearP + NearR); 0 if both are 0.
    """
    return Score.of(harmonic, *(_score(task, similarity, recall=recall) for recall in (False, True)))


@dataclass(frozen=True, eq=False)
class NearestConcepts:
    """The concepts of one side, an added root left out, the greatest similarity with the other side, and with which."""

    ids: LongArray
    values: FloatArray
    nearest: LongArray  # beside `ids`: the nearest concept as an id of M; -1 for one that has a partner, or no other


def merged_ontology(task: Comparison) -> MergedOntology:
    """The merged hierarchy of a comparison, made once."""
    return task.cached("merged", lambda: MergedOntology.of(task.learned, task.gold, task.matching))


def merged_names(task: Comparison) -> list[str]:
    """The IRIs of the concepts of M in their own files."""
    both = merged_ontology(task)
    names = list(both.ontology.hierarchy.iris)
    for concept in task.novel.tolist():
        if both.of_learned[concept] >= 0:
            names[both.of_learned[concept]] = task.learned.hierarchy.iris[concept]
    return names


def nearest_concepts(task: Comparison, similarity: Measure | SimilarityFunction, *, recall: bool) -> NearestConcepts:
    """For each learned concept (`recall`: gold concept) the nearest on the other side."""
    return task.cached(("near", similarity, recall), lambda: _nearest_concepts(task, similarity, recall=recall))


def _nearest_concepts(task: Comparison, similarity: Measure | SimilarityFunction, *, recall: bool) -> NearestConcepts:
    both = merged_ontology(task)
    new, other = (both.of_gold, both.of_learned) if recall else (both.of_learned, both.of_gold)
    partner = task.matching.to_learned if recall else task.matching.to_gold
    ids = np.flatnonzero(new >= 0)
    alone = partner[ids] < 0
    others = other[other >= 0]
    if int(alone.sum()) * len(others) > _MOST_PAIRS:
        without = number_of(int(alone.sum()), "concept", "concepts")
        raise UndefinedSimilarityError(
            f"too many pairs: {without} without a partner and {len(others):,} on the other side; "
            f"the limit is {_MOST_PAIRS:,} pairs"
        )
    values, nearest = np.ones(len(ids)), np.full(len(ids), -1, dtype=np.int64)
    if not len(others):  # nothing is near
        return NearestConcepts(ids, np.zeros(len(ids)), nearest)
    names = None if isinstance(similarity, Measure) else merged_names(task)
    sim = Similarity(similarity, both.ontology, names)
    best = sim.best_of_predicted(others, new[ids[alone]]) if recall else sim.best_of_keys(new[ids[alone]], others)
    values[alone], nearest[alone] = best
    return NearestConcepts(ids, values, nearest)


def _score(task: Comparison, similarity: Measure | SimilarityFunction, *, recall: bool) -> Score:
    try:
        near = nearest_concepts(task, similarity, recall=recall)
    except UndefinedSimilarityError as error:
        return Score.impossible(str(error))
    side = "gold" if recall else "learned"
    partner = task.matching.to_learned if recall else task.matching.to_gold
    counts = {"common": int(np.count_nonzero(partner[near.ids] >= 0)), side: len(near.ids)}
    return Score.mean(LocalScores(side, near.ids, near.values), **counts)
