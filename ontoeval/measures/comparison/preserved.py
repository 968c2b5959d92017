"""The measure Preserved: do both sides relate the common concepts alike? All pairs, or a sample of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.measures.concepts.coefficients import Correlation
from ontoeval.measures.registry import Measure, measure
from ontoeval.measures.similarity_parameter import (
    BDM,
    Similarity,
    SimilarityFunction,
    UndefinedSimilarityError,
    check_similarity,
)
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.results import LocalScores, Score
from ontoeval.tasks.comparison import Comparison

By = Literal["difference", "pearson", "spearman"]
ALL_PAIRS = 5_000_000  # up to so many pairs all are taken


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of common concepts, by their positions among these, and their similarity on both sides."""

    left: LongArray
    right: LongArray
    learned: FloatArray  # x
    gold: FloatArray  # y
    total: int  # how many pairs there are; more than here if these are a sample

    @property
    def sampled(self) -> bool:
        return len(self.left) < self.total


def _check(parameters: Mapping[str, Any]) -> None:
    check_similarity(parameters)
    for name, least in (("sample", 2), ("seed", 0)):
        if parameters[name] < least:
            raise ParameterError(f"{name} must be a whole number >= {least}, not {parameters[name]}", parameter=name)


@measure(
    "Preserved",
    dimension="structural",
    source="the concept counterpart of OntoRand and EOR (Bade & Benz 2008): Sim in place of delta",
    check=_check,
    symmetric=True,
    scale=lambda parameters: None if parameters["by"] == "difference" else ((-1.0, 1.0), 1.0),
    sets={"between": 0},
    purpose=(
        "Preserved asks whether two concepts that are similar in one ontology are similar in the other, whatever "
        "stands between them. "
        "It looks at all pairs of common concepts, not only at links, so that it also tells whether siblings stayed "
        "together when a whole branch moved. "
        "Use it to see whether a learned hierarchy can replace the gold standard where only similarities are used, as "
        "in search or clustering."
    ),
    example=("dellschaft2006/oc5.ttl", "dellschaft2006/or2.ttl"),
    identity=False,  # undefined with one concept, or where all pairs are alike
)
def similarity_preservation(
    task: Comparison,
    *,
    similarity: Measure | SimilarityFunction = BDM,
    by: By = "difference",
    sample: int = 1_000_000,
    seed: int = 0,
) -> Score:
    """Preservation of the similarities of common concepts.

    Over the unordered pairs {c, d} of different common concepts, x = Sim(c, d) in the learned ontology and y = Sim of
    their partners in the gold standard (of a Sim that is not symmetric the mean of both directions):
    `by=difference`: 1 - mean |x - y|; `pearson`, `spearman`: the coefficient of x and y over the pairs. Added roots
    take no part. Undefined with fewer than two common concepts, and for a coefficient if one side is constant. Local
    score of a concept (by difference): 1 - mean |x - y| over its pairs. Above 5,000,000 pairs `sample` pairs are drawn
    with `seed`, with replacement, and the counts have the standard error.
    """
    try:
        pairs = task.cached(("preserved", similarity, sample, seed), lambda: _pairs(task, similarity, sample, seed))
    except UndefinedSimilarityError as error:
        return Score.impossible(str(error))
    if pairs is None:
        return Score.impossible("fewer than two common concepts")
    counts: dict[str, float] = {"pairs": pairs.total}
    value = _value(pairs, by)
    if pairs.sampled:
        counts |= {"sampled_pairs": len(pairs.left), "standard_error": _standard_error(pairs, value, by)}
    if math.isnan(value):
        return Score.impossible("all pairs of common concepts have the same similarity on one side", **counts)
    return Score(value, _local(task, pairs) if by == "difference" else None, counts)


def _pairs(task: Comparison, similarity: Measure | SimilarityFunction, sample: int, seed: int) -> _Pairs | None:
    learned, gold = _common(task)
    total = len(learned) * (len(learned) - 1) // 2
    if not total:
        return None
    if total <= ALL_PAIRS or total <= sample:
        left, right = (ends.astype(np.int64) for ends in np.triu_indices(len(learned), 1))
        x, y = (
            _symmetric_grid(Similarity(similarity, ontology), concepts)[left, right]
            for ontology, concepts in ((task.learned, learned), (task.gold, gold))
        )
        return _Pairs(left, right, x, y, total)
    random = np.random.default_rng(seed)
    left = random.integers(0, len(learned), size=sample)
    right = random.integers(0, len(learned) - 1, size=sample)
    right += right >= left  # any other concept
    x, y = (
        _symmetric_list(Similarity(similarity, ontology), concepts[left], concepts[right])
        for ontology, concepts in ((task.learned, learned), (task.gold, gold))
    )
    return _Pairs(left, right, x, y, total)


@dataclass(frozen=True, eq=False)
class PairsOfConcept:
    """A common concept with each other one: their learned ids, and the similarity on both sides."""

    others: LongArray
    learned: FloatArray
    gold: FloatArray


def concept_pairs(task: Comparison, concept: int, similarity: Measure | SimilarityFunction) -> PairsOfConcept:
    """The pairs of one common concept, given by its learned id."""
    learned, gold = _common(task)
    others = learned != concept
    x, y = (
        _symmetric_list(Similarity(similarity, ontology), np.full(int(others.sum()), own), concepts[others])
        for ontology, own, concepts in (
            (task.learned, concept, learned),
            (task.gold, int(task.matching.to_gold[concept]), gold),
        )
    )
    return PairsOfConcept(learned[others], x, y)


def _common(task: Comparison) -> tuple[LongArray, LongArray]:
    """The common concepts, added roots left out."""
    real = task.common[0] >= int(task.learned.hierarchy.root_added)
    learned, gold = (side[real].astype(np.int64) for side in task.common)
    return learned, gold


def _symmetric_grid(similarity: Similarity, concepts: LongArray) -> FloatArray:
    values = similarity.grid(concepts, concepts)
    return values if _is_symmetric(similarity) else (values + values.T) / 2


def _symmetric_list(similarity: Similarity, left: LongArray, right: LongArray) -> FloatArray:
    values = similarity.of_pairs(left, right)
    return values if _is_symmetric(similarity) else (values + similarity.of_pairs(right, left)) / 2


def _is_symmetric(similarity: Similarity) -> bool:
    return isinstance(similarity.measure, Measure) and similarity.measure.definition.symmetric


def _value(pairs: _Pairs, by: By) -> float:
    if by == "difference":
        return 1.0 - float(np.abs(pairs.learned - pairs.gold).mean())
    pearson, spearman, _ = Correlation(pairs.learned, pairs.gold).coefficients(np.ones((len(pairs.left), 1)))
    return float(pearson[0] if by == "pearson" else spearman[0])


def _standard_error(pairs: _Pairs, value: float, by: By) -> float:
    """Of a mean s / sqrt(n); of a coefficient by Fisher's z, for ranks with the factor of Bonett & Wright 2000."""
    count = len(pairs.left)
    if by == "difference":
        return float(np.abs(pairs.learned - pairs.gold).std(ddof=1) / math.sqrt(count))
    factor = 1.0 + value**2 / 2 if by == "spearman" else 1.0
    return float((1 - value**2) * math.sqrt(factor / max(count - 3, 1)))


def _local(task: Comparison, pairs: _Pairs) -> LocalScores:
    learned = _common(task)[0]
    difference = np.abs(pairs.learned - pairs.gold)
    ends = np.concatenate([pairs.left, pairs.right])
    count = np.bincount(ends, minlength=len(learned)).astype(np.float64)
    total = np.bincount(ends, weights=np.concatenate([difference, difference]), minlength=len(learned))
    seen = count > 0  # a sample need not have every concept
    return LocalScores("learned", learned[seen], 1.0 - total[seen] / count[seen], count[seen])
