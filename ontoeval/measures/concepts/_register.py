"""Measures between concepts: written once for arrays of pairs, registered as measures of a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from ontoeval.concepts.pairs import PairGrid, Pairing, PairList
from ontoeval.measures.registry import Measure, measure
from ontoeval.model.arrays import FloatArray
from ontoeval.results import LocalScores, Score
from ontoeval.tasks.concept_pairs import ConceptPairs

Values = TypeVar("Values", bound=Callable[..., FloatArray])
Why = Callable[..., list[dict[str, Any]]]  # (pairs: PairList, **parameters): what each value is made of


def concept_measure(name: str, *, why: Why, **options: Any) -> Callable[[Values], Values]:
    """Register a function from `Pairing` to values as the measure `name` of `ConceptPairs`; see `measure`."""

    def register(values: Values) -> Values:
        @wraps(values)
        def scored(task: ConceptPairs, **parameters: Any) -> Score:
            made = values(task.pairs, **parameters)
            least = _best(options, parameters) == 0.0
            return _score(task.best(made, least=least))

        scored.__annotations__ = {**values.__annotations__, "pairs": ConceptPairs, "return": Score}
        scored.values, scored.why = values, why  # type: ignore[attr-defined]
        measure(name, dimension="concept similarity", **options)(scored)
        return values

    return register


def _best(options: Mapping[str, Any], parameters: Mapping[str, Any]) -> float | None:
    scale = options.get("scale")
    own = scale(parameters) if scale is not None else None
    best: float | None = own[1] if own is not None else options.get("best", 1.0)
    return best


def _score(values: FloatArray) -> Score:
    local = LocalScores("pair", np.arange(len(values)), values)
    if not len(values):
        return Score(np.nan, local, undefined="there is no pair")
    bare = int(np.count_nonzero(np.isnan(values)))
    if bare:
        return Score(
            np.nan, local, {"pairs": len(values)}, undefined=f"{bare:,} of {len(values):,} pairs have no value"
        )
    return Score(float(values.mean()), local, {"pairs": len(values)})


def related(chosen: Measure, pairs: Pairing) -> FloatArray:
    """The values of a measure for a list or a grid of pairs."""
    if not (pairs.left.size and pairs.right.size):
        return np.zeros(np.broadcast(pairs.left, pairs.right).shape)
    values = getattr(chosen.definition.function, "values", None)
    if values is not None:
        made: FloatArray = values(pairs, **chosen.parameters)
        return made
    if isinstance(pairs, PairGrid):
        return pairs.listed(lambda some: related(chosen, some))
    return _of_another(chosen, pairs)


def _of_another(chosen: Measure, pairs: Pairing) -> FloatArray:
    """The values of a measure that is written for the task alone."""
    iris = pairs.space.hierarchy.iris
    left, right = ([iris[concept] for concept in side.tolist()] for side in (pairs.left, pairs.right))
    local = chosen(ConceptPairs(pairs.space.ontology, left, right)).local
    return np.full(len(pairs.left), np.nan) if local is None else local.values


def reasons(chosen: Measure, pairs: PairList) -> list[dict[str, Any]]:
    """What each value is made of; nothing for a measure that does not say."""
    why = getattr(chosen.definition.function, "why", None)
    return [{} for _ in range(len(pairs))] if why is None else why(pairs, **chosen.parameters)
