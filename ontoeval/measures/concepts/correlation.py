"""Measures Pearson, Spearman, Kendall; `RatedValues`: pairs that count, distance as -d (formulas: coefficients.py)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np

import ontoeval.measures.concepts.distance  # noqa: F401 - registers BDM, the default similarity
from ontoeval.errors import ParameterError
from ontoeval.measures.concepts.coefficients import COEFFICIENTS, Correlation
from ontoeval.measures.concepts.pair_scores import PairScores
from ontoeval.measures.registry import REGISTRY, Measure, measure
from ontoeval.model.arrays import BoolArray, FloatArray
from ontoeval.results import Score
from ontoeval.tasks.concept_pairs import ConceptPairs

_BDM = REGISTRY.parse("BDM")


class RatedValues:
    """The values that a measure gives to rated pairs, beside the ratings."""

    def __init__(self, task: ConceptPairs, similarity: Measure, ratings: FloatArray) -> None:
        self.similarity = similarity
        self.scores = PairScores.of(task, similarity)
        self.values = self.scores.values
        self.used: BoolArray = np.isfinite(self.values)
        self.ratings = ratings

    @property
    def count(self) -> int:
        """How many pairs have a finite value."""
        return int(np.count_nonzero(self.used))

    def correlation(self, order: Any = slice(None)) -> Correlation:
        """What the coefficients are made of: the finite values, a distance d as -d, and the ratings."""
        used = self.used[order]
        values = self.values[order][used]
        return Correlation(-values if self.scores.distance else values, self.ratings[order][used])

    @cached_property
    def undefined(self) -> str | None:
        """Why there is no coefficient; None if there is one."""
        if self.count < 2:
            finite = "" if self.used.all() else " with a finite value"
            return f"{self.count or 'no'} {'pair' if self.count else 'pairs'}{finite}; a correlation needs at least two"
        values, ratings = self.correlation().sides
        if len(ratings) == 1:
            return f"all ratings are the same ({self.ratings[self.used][0]:g})"
        if len(values) == 1:
            return f"all values of {self.similarity} are the same ({self.values[self.used][0]:g})"
        return None

    def score(self, coefficient: str) -> Score:
        """One of the coefficients."""
        counts = {"pairs": self.count, "left_out": len(self.used) - self.count}
        if self.undefined is not None:
            return Score.impossible(self.undefined, **counts)
        once = np.ones((self.count, 1))
        value = self.correlation().coefficients(once)[COEFFICIENTS.index(coefficient), 0]
        return Score(float(value), counts=counts)


def _score(task: ConceptPairs, similarity: Measure, coefficient: str) -> Score:
    if task.ratings is None:
        return Score.impossible("the pairs have no ratings")
    return RatedValues(task, similarity, task.ratings).score(coefficient)


def _check_similarity(parameters: Mapping[str, Any]) -> None:
    similarity = parameters["similarity"]
    if similarity.definition.task is not ConceptPairs or similarity.definition.needs:
        raise ParameterError(
            f"{similarity} does not score pairs of concepts",
            advice="Use a measure such as BDM or Lin; see `ontoeval measures`.",
            parameter="similarity",
        )


_agreement = partial(
    measure,
    dimension="agreement",
    range=(-1.0, 1.0),
    best=1.0,
    identity=False,
    needs=("ratings",),
    check=_check_similarity,
)


@_agreement("Pearson", source="Pearson 1895; Deloo & Hauff 2013")
def pearson(task: ConceptPairs, *, similarity: Measure = _BDM) -> Score:
    """Pearson's correlation r of a similarity measure with human ratings.

    r = cov(s, h) / sqrt(var(s) var(h)), s the values of the measure `similarity` and h the ratings. A distance d counts
    as -d. Of the senses of words the best pair counts: the most similar, the least distant.
    Pairs with an infinite or undefined value are left out. Fewer than 2 pairs, or a constant column: undefined.
    """
    return _score(task, similarity, "Pearson")


@_agreement("Spearman", source="Spearman 1904; Deloo & Hauff 2013")
def spearman(task: ConceptPairs, *, similarity: Measure = _BDM) -> Score:
    """Spearman's rank correlation rho of a similarity measure with human ratings.

    Pearson's r of the ranks; equal values (to twelve digits) share the mean of their ranks. All else as for Pearson.
    """
    return _score(task, similarity, "Spearman")


@_agreement("Kendall", source="Kendall 1945; Deloo & Hauff 2013")
def kendall(task: ConceptPairs, *, similarity: Measure = _BDM) -> Score:
    """Kendall's rank correlation tau-b of a similarity measure with human ratings.

    tau_b = (P - Q) / sqrt((P + Q + S) (P + Q + H)): P twos of pairs stand in the same order by value and by rating, Q
    in opposite order, S differ in value alone, H in rating alone; equal values (to twelve digits) are ties.
    All else as for Pearson.
    """
    return _score(task, similarity, "Kendall")
