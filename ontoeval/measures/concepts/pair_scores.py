"""Calls measures between concepts: `pair_values`, `PairScores`, `mean_score` (best sense: tasks/concept_pairs.py)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ontoeval.concepts.pairs import PairGrid, Pairing, PairList
from ontoeval.measures.registry import Measure
from ontoeval.model.arrays import FloatArray
from ontoeval.results import LocalScores, Score
from ontoeval.tasks.concept_pairs import ConceptPairs


def pair_values(measure: Measure, pairs: Pairing) -> FloatArray:
    """The values of a measure for a list or a grid of pairs."""
    if not (pairs.left.size and pairs.right.size):
        return np.zeros(np.broadcast(pairs.left, pairs.right).shape)
    function = getattr(measure.definition.function, "values", None)
    if function is not None:
        values: FloatArray = function(pairs, **measure.parameters)
        return values
    if isinstance(pairs, PairGrid):
        return pairs.listed(lambda some: pair_values(measure, some))
    return _values_by_task(measure, pairs)


def _values_by_task(measure: Measure, pairs: Pairing) -> FloatArray:
    """The values of a measure that is written for the task alone."""
    iris = pairs.space.hierarchy.iris
    left, right = ([iris[concept] for concept in side.tolist()] for side in (pairs.left, pairs.right))
    local = measure(ConceptPairs(pairs.space.ontology, left, right)).local
    return np.full(len(pairs.left), np.nan) if local is None else local.values


def value_parts(measure: Measure, pairs: PairList) -> list[dict[str, Any]]:
    """What each value is made of; nothing for a measure that does not say."""
    why = getattr(measure.definition.function, "why", None)
    return [{} for _ in range(len(pairs))] if why is None else why(pairs, **measure.parameters)


def mean_score(values: FloatArray) -> Score:
    """The values of pairs as local scores, with their mean; undefined if one of them is."""
    local = LocalScores("pair", np.arange(len(values)), values)
    if not len(values):
        return Score(np.nan, local, undefined="no pairs")
    counts = {"pairs": len(values)}
    undefined = int(np.count_nonzero(np.isnan(values)))
    if undefined:
        return Score(np.nan, local, counts, undefined=f"undefined for {undefined:,} of {len(values):,} pairs")
    return Score(float(values.mean()), local, counts)


@dataclass(frozen=True, eq=False)
class PairScores:
    """What a measure gives to the pairs of a task: of several senses of a word the best pair counts."""

    task: ConceptPairs
    measure: Measure
    sense_values: FloatArray  # of all pairs of senses, those of one pair side by side

    @classmethod
    def of(cls, task: ConceptPairs, measure: Measure) -> PairScores:
        """Compute the values."""
        return cls(task, measure, pair_values(measure, task.pairs))

    @property
    def distance(self) -> bool:
        """True if the least value is the best."""
        return self.measure.best == 0.0

    @cached_property
    def values(self) -> FloatArray:
        """One for each pair; inf where infinite, nan where undefined."""
        return self.task.best(self.sense_values, least=self.distance)

    @cached_property
    def senses(self) -> PairList:
        """The concepts that each value is from; of equally good ones the first."""
        return self.task.pairs[self.task.best_senses(self.sense_values, least=self.distance)]

    def parts(self) -> list[dict[str, Any]]:
        """What each value is made of."""
        return value_parts(self.measure, self.senses)

    @property
    def score(self) -> Score:
        """The score of the task, as the measure itself gives it."""
        by_task = not hasattr(self.measure.definition.function, "values")
        return self.measure(self.task) if by_task else mean_score(self.values)
