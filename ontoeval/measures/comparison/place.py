"""The measures PlaceP, PlaceR, PlaceF: links with credit for near misses (parents: common_parents.py)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from ontoeval.measures.comparison.common_parents import Parents, parent_sets
from ontoeval.measures.registry import Measure, measure
from ontoeval.measures.similarity_parameter import (
    BDM,
    Similarity,
    SimilarityFunction,
    UndefinedSimilarityError,
    check_similarity,
)
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.results import LocalScores, Score, harmonic, ratio
from ontoeval.tasks.comparison import Comparison

Average = Literal["macro", "micro"]
_PURPOSE = (
    "Place asks whether the concepts that both ontologies have sit below the right parents. "
    "A link to a wrong parent earns the similarity of that parent to the right one, so that a near miss (van below "
    "car instead of vehicle) costs less than a far one (van below animal), whereas EdgeF counts both as wrong. "
    "Use it to compare learners that put concepts in roughly the right place."
)
_place = partial(
    measure,
    dimension="structural",
    source="augmented precision of Maynard, Peters & Li 2008, with the class of an annotation read as the parent of a "
    "concept; learning accuracy of Hahn & Schnattinger 1998 is a special case",
    check=check_similarity,
    sets={"between": 0},
    purpose=_PURPOSE,
    example=("dellschaft2006/oc5.ttl", "dellschaft2006/or2.ttl"),
)


@_place("PlaceP")
def place_precision(
    task: Comparison,
    *,
    similarity: Measure | SimilarityFunction = BDM,
    parents: Parents = "common",
    average: Average = "macro",
) -> Score:
    """Precision of the places of common concepts.

    PlaceP = mean over the common concepts c of w(c) / |A(c)|. A(c) are the learned parents of c as gold concepts, B(c)
    the gold parents of its partner; w(c) is the greatest sum of Sim(a, b) over one-to-one pairings of A with B, Sim in
    the whole gold standard. Both empty: 1; one empty: 0. No common concept: 0.
    `parents=common`: the common concepts that a path leads up to over concepts that are not common. `direct`: direct
    parents; a learned one without a partner counts in |A| and earns nothing. Roots that were added are no parents.
    `average=micro`: sum of w / sum of |A|; with Flat and direct parents this is EdgeP over the links whose child is
    common. `similarity`: a measure between concepts from 0 to 1, or a function of two IRIs (predicted, key).
    """
    return _score(task, similarity, parents, average, recall=False)


@_place("PlaceR")
def place_recall(
    task: Comparison,
    *,
    similarity: Measure | SimilarityFunction = BDM,
    parents: Parents = "common",
    average: Average = "macro",
) -> Score:
    """Recall of the places of common concepts.

    PlaceR = mean over the common concepts c of w(c) / |B(c)|; see PlaceP. `average=micro`: sum of w / sum of |B|.
    """
    return _score(task, similarity, parents, average, recall=True)


@_place("PlaceF")
def place_f(
    task: Comparison,
    *,
    similarity: Measure | SimilarityFunction = BDM,
    parents: Parents = "common",
    average: Average = "macro",
) -> Score:
    """F-measure of the places of common concepts.

    PlaceF = 2 PlaceP PlaceR / (PlaceP + PlaceR); 0 if both are 0.
    """
    parts = (_score(task, similarity, parents, average, recall=recall) for recall in (False, True))
    return Score.of(harmonic, *parts)


@dataclass(frozen=True, eq=False)
class _Credit:
    """Of each common concept w, |A| and |B|."""

    learned: LongArray
    gold: LongArray
    sum: FloatArray
    a_size: FloatArray
    b_size: FloatArray


def _credit(task: Comparison, similarity: Measure | SimilarityFunction, parents: Parents) -> _Credit:
    sets = parent_sets(task, parents)
    credit = sets.credit(Similarity(similarity, task.gold))
    return _Credit(sets.learned, sets.gold, credit, sets.a_size.astype(np.float64), sets.b_size.astype(np.float64))


def _score(
    task: Comparison, similarity: Measure | SimilarityFunction, parents: Parents, average: Average, *, recall: bool
) -> Score:
    try:
        credit = task.cached(("place", similarity, parents), lambda: _credit(task, similarity, parents))
    except UndefinedSimilarityError as error:
        return Score.impossible(str(error))
    side, concepts = ("gold", credit.gold) if recall else ("learned", credit.learned)
    size, other = (credit.b_size, credit.a_size) if recall else (credit.a_size, credit.b_size)
    counts = {"common": len(concepts), f"{side}_parents": int(size.sum()), "credit": float(credit.sum.sum())}
    local = np.divide(credit.sum, size, out=np.where(other > 0, 0.0, 1.0), where=size > 0)
    if average == "macro":
        return Score.mean(LocalScores(side, concepts, local), **counts)
    value = ratio(float(credit.sum.sum()), float(size.sum()), other=float(other.sum())) if len(concepts) else 0.0
    weighted = size > 0
    return Score(value, LocalScores(side, concepts[weighted], local[weighted], size[weighted]), counts)
