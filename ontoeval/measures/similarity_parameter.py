"""The parameter `similarity` of other measures: `check_similarity`, usual values (BDM, LA, FLAT), values of pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import ontoeval.measures.concepts.distance  # noqa: F401 - registers BDM, LA and Flat
from ontoeval.concepts.pairs import PairGrid, PairList, pieces
from ontoeval.concepts.space import Space
from ontoeval.errors import ParameterError, number_of
from ontoeval.measures.concepts.pair_scores import pair_values
from ontoeval.measures.registry import REGISTRY, Measure, spelled
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.concept_pairs import ConceptPairs

SimilarityFunction = Callable[[str, str], float]  # of the IRIs of the predicted concept and of the key
BDM, LA, FLAT = (REGISTRY.parse(name) for name in ("BDM", "LA", "Flat"))
_CELLS = 1 << 23  # similarities held at a time: 64 MB
_MOST_CALLS = 5_000_000  # of a Python function


def check_similarity(parameters: Mapping[str, Any]) -> None:
    """ParameterError unless the similarity is a measure between concepts from 0 to 1, 1 the best, or a function."""
    similarity = parameters["similarity"]
    if not isinstance(similarity, Measure):
        return
    if similarity.definition.task is not ConceptPairs or similarity.definition.needs:
        raise ParameterError(
            f"{similarity} does not score pairs of concepts",
            advice="Use a similarity such as BDM, LA or Flat.",
            parameter="similarity",
        )
    if not is_similarity(similarity):
        raise ParameterError(
            f"{similarity} is not a similarity from 0 to 1",
            advice="Use one such as BDM, LA or Flat, or another scale: Rada(scale=similarity).",
            parameter="similarity",
        )


def is_similarity(measure: Measure) -> bool:
    """True for a measure between concepts from 0 to 1, 1 the best."""
    is_between_concepts = measure.definition.task is ConceptPairs and not measure.definition.needs
    return is_between_concepts and measure.range == (0.0, 1.0) and measure.best == 1.0


class UndefinedSimilarityError(Exception):
    """A pair of concepts has no similarity; the text is the reason why a score is undefined."""


@dataclass(frozen=True, eq=False)
class Similarity:
    """Sim(predicted, key) of concepts of one ontology, by a measure or a function of two IRIs; Sim(x, x) = 1.

    `names` are the IRIs that a function gets, where they are not those of the ontology.
    """

    measure: Measure | SimilarityFunction
    ontology: Ontology
    names: Sequence[str] | None = None

    def __str__(self) -> str:
        return spelled(self.measure)

    def of_pairs(self, predicted: LongArray, key: LongArray) -> FloatArray:
        """Sim(predicted[i], key[i])."""
        if isinstance(self.measure, Measure):
            values = pair_values(self.measure, PairList(Space.of(self.ontology), predicted, key))
        else:
            self._refuse_calls(len(predicted))
            values = np.array([self._call(a, b) for a, b in zip(predicted.tolist(), key.tolist(), strict=True)])
        return self._checked(values, predicted == key)

    def grid(self, predicted: LongArray, key: LongArray) -> FloatArray:
        """Sim of each predicted concept (a line each) with each key."""
        if isinstance(self.measure, Measure):
            values = pair_values(self.measure, PairGrid(Space.of(self.ontology), predicted, key))
        else:
            self._refuse_calls(len(predicted) * len(key))
            lines = [[self._call(a, b) for b in key.tolist()] for a in predicted.tolist()]
            values = np.array(lines, dtype=np.float64).reshape(len(predicted), len(key))
        return self._checked(values, predicted[:, None] == key[None, :])

    def best_of_keys(self, predicted: LongArray, key: LongArray) -> tuple[FloatArray, LongArray]:
        """For each predicted concept the greatest Sim with a key, and that key (the first of several)."""
        best, which = np.zeros(len(predicted)), np.zeros(len(predicted), dtype=np.int64)
        for low, high in pieces(len(predicted), max(_CELLS // max(len(key), 1), 1)):
            values = self.grid(predicted[low:high], key)
            which[low:high] = values.argmax(axis=1)
            best[low:high] = values[np.arange(high - low), which[low:high]]
        return best, key[which]

    def best_of_predicted(self, predicted: LongArray, key: LongArray) -> tuple[FloatArray, LongArray]:
        """For each key the greatest Sim with a predicted concept, and that concept (the first of several)."""
        if isinstance(self.measure, Measure) and self.measure.definition.symmetric:
            return self.best_of_keys(key, predicted)
        best, which = np.zeros(len(key)), np.zeros(len(key), dtype=np.int64)
        for low, high in pieces(len(key), max(_CELLS // max(len(predicted), 1), 1)):
            values = self.grid(predicted, key[low:high])
            which[low:high] = values.argmax(axis=0)
            best[low:high] = values[which[low:high], np.arange(high - low)]
        return best, predicted[which]

    def _checked(self, values: FloatArray, same: Any) -> FloatArray:
        """The values with 1 for equal concepts."""
        result = np.where(same, 1.0, values)
        undefined = int(np.count_nonzero(np.isnan(result)))
        if undefined:
            raise UndefinedSimilarityError(
                f"{self} is undefined for {number_of(undefined, 'pair', 'pairs')} of concepts"
            )
        return result

    def _refuse_calls(self, count: int) -> None:
        if count > _MOST_CALLS:
            raise UndefinedSimilarityError(
                f"too many calls of the function {self}: {count:,}; the limit is {_MOST_CALLS:,}"
            )

    def _call(self, predicted: int, key: int) -> float:
        assert not isinstance(self.measure, Measure)  # noqa: S101
        if predicted == key:
            return 1.0
        names = self.ontology.hierarchy.iris if self.names is None else self.names
        output = self.measure(names[predicted], names[key])
        try:
            value = float(output)
        except (TypeError, ValueError):
            value = math.nan
        if not 0.0 <= value <= 1.0:
            raise ParameterError(
                f"the function {self} returned {output!r} for {names[predicted]!r} and {names[key]!r}",
                advice="Return a number from 0 to 1 for every pair of IRIs.",
                parameter="similarity",
            )
        return value
