"""`check_similarity` of the parameter similarity=; its values BDM, LA, FLAT (formulas: measures/concepts/)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ontoeval.measures.concepts.distance  # noqa: F401 - registers BDM, LA and Flat
from ontoeval.errors import ParameterError
from ontoeval.measures.registry import REGISTRY
from ontoeval.tasks.concept_pairs import ConceptPairs

BDM, LA, FLAT = (REGISTRY.parse(name) for name in ("BDM", "LA", "Flat"))


def check_similarity(parameters: Mapping[str, Any]) -> None:
    """ParameterError unless the similarity is a measure between concepts from 0 to 1, 1 the best."""
    similarity = parameters["similarity"]
    if similarity.definition.task is not ConceptPairs or similarity.definition.needs:
        raise ParameterError(
            f"similarity={similarity} is no measure between concepts",
            advice="Take one such as BDM, LA or Flat.",
            parameter="similarity",
        )
    if similarity.range != (0.0, 1.0) or similarity.best != 1.0:
        raise ParameterError(
            f"similarity={similarity} is no similarity from 0 to 1",
            advice="Take one such as BDM, LA or Flat, or another scale: Rada(scale=similarity).",
            parameter="similarity",
        )
