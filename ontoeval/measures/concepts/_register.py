"""`pair_measure`: registers a function of pairs for `ConceptPairs` (mean: pair_scores.py; `measure`: registry.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

from ontoeval.measures.concepts.pair_scores import mean_score
from ontoeval.measures.registry import measure
from ontoeval.model.arrays import FloatArray
from ontoeval.results import Score
from ontoeval.tasks.concept_pairs import ConceptPairs

Values = TypeVar("Values", bound=Callable[..., FloatArray])
Why = Callable[..., list[dict[str, Any]]]  # (pairs: PairList, **parameters): what each value is made of


def pair_measure(name: str, *, why: Why, **options: Any) -> Callable[[Values], Values]:
    """Register a function from `Pairing` to values as the measure `name` of `ConceptPairs`; see `measure`."""

    def register(values: Values) -> Values:
        @wraps(values)
        def score_task(task: ConceptPairs, **parameters: Any) -> Score:
            least = _is_distance(options, parameters)
            return mean_score(task.best(values(task.pairs, **parameters), least=least))

        score_task.__annotations__ = {**values.__annotations__, "pairs": ConceptPairs, "return": Score}
        score_task.values, score_task.why = values, why  # type: ignore[attr-defined]
        measure(name, dimension="concept similarity", **options)(score_task)
        return values

    return register


def _is_distance(options: Mapping[str, Any], parameters: Mapping[str, Any]) -> bool:
    """True if 0 is the best value."""
    scale = options.get("scale")
    scaled = scale(parameters) if scale is not None else None
    return (scaled[1] if scaled is not None else options.get("best")) == 0.0
