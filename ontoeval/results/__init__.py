"""Results: scores (scores.py, named_scores.py), one evaluation (evaluation_result.py), several (result_table.py)."""

from ontoeval.results.evaluation_result import EvaluationResult, MeasureResult, system_of_file
from ontoeval.results.named_scores import NamedScore, NamedScores, Names, PropertyScore
from ontoeval.results.result_table import ResultTable
from ontoeval.results.scores import (
    Combine,
    DrawnUnits,
    LocalScores,
    Score,
    are_best,
    distance_to_best,
    harmonic,
    plain,
    ratio,
)

__all__ = [
    "Combine", "DrawnUnits", "EvaluationResult", "LocalScores", "MeasureResult", "NamedScore", "NamedScores", "Names",
    "PropertyScore", "ResultTable", "Score", "are_best", "distance_to_best", "harmonic", "plain", "ratio",
    "system_of_file",
]  # fmt: skip
