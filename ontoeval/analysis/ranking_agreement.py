"""`rankings_agree`: ranks of systems; tau of graded with binary credit (formula: measures/concepts/coefficients.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.measures import Measure
from ontoeval.measures.concepts.coefficients import COEFFICIENTS, Correlation
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.results import EvaluationResult

_DECIMALS = 12  # to which values of systems are compared


@dataclass(frozen=True, eq=False)
class RankingAgreement:
    """Several systems by several measures, and how the rankings with credit for near misses go with the binary one."""

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    values: FloatArray  # systems x measures, nan where undefined
    ranks: LongArray  # 1 is best, equal systems share a rank, 0 where undefined
    tau: Mapping[str, float | None]  # Kendall's tau-b of a measure with its binary form, None where undefined

    @property
    def header(self) -> list[str]:
        """The names of the columns of `rows`."""
        return ["measure", *self.systems, "tau"]

    @property
    def rows(self) -> list[list[Any]]:
        """As a table: for each measure the rank of each system and tau, None where undefined."""
        return [
            [measure, *(rank or None for rank in ranks), self.tau.get(measure)]
            for measure, ranks in zip(self.measures, self.ranks.T.tolist(), strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "systems": {
                system: {
                    measure: {"value": value, "rank": rank} if rank else None
                    for measure, value, rank in zip(self.measures, values.tolist(), ranks.tolist(), strict=True)
                }
                for system, values, ranks in zip(self.systems, self.values, self.ranks, strict=True)
            },
            "kendall": dict(self.tau),
        }


def rankings_agree(results: Sequence[EvaluationResult]) -> RankingAgreement:
    """Systems that were evaluated with the same measures, side by side.

    For each measure with `credit=high` or `low` Kendall's tau-b with the same measure of `credit=binary`, if that was
    computed, too (whatever its `similarity`, which plays no part there). Values are compared rounded to 12 decimals.
    """
    if not results:
        raise ParameterError("no results", advice="Add one for each system.", parameter="results")
    names = [score.name for score in results[0].scores]
    for result in results:
        if [score.name for score in result.scores] != names:
            raise ParameterError(
                f"{result.system!r} was evaluated with other measures", advice="Use the same for all systems."
            )
    values = np.array([[score.value for score in result.scores] for result in results]).reshape(len(results), -1)
    measures = [score.measure for score in results[0].scores]
    tau: dict[str, float | None] = {}
    for column, graded in enumerate(measures):
        binary = [other for other, base in enumerate(measures) if _is_binary_of(base, graded)]
        if binary:
            tau[names[column]] = _kendall(values[:, binary[0]], values[:, column])
    return RankingAgreement(tuple(result.system for result in results), tuple(names), values, _ranks(values), tau)


def _is_binary_of(base: Measure, graded: Measure) -> bool:
    if graded.parameters.get("credit", "binary") == "binary" or base.parameters.get("credit") != "binary":
        return False
    free = {"credit", "similarity"}
    return base.definition.function is graded.definition.function and all(
        base.parameters[name] == value for name, value in graded.parameters.items() if name not in free
    )


def _ranks(values: FloatArray) -> LongArray:
    """For each column the rank of its values, the greatest first."""
    rounded = np.round(values, _DECIMALS)
    greater = np.sum(rounded[None, :, :] > rounded[:, None, :], axis=1)
    return np.where(np.isnan(values), 0, greater + 1).astype(np.int64)


def _kendall(left: FloatArray, right: FloatArray) -> float | None:
    defined = np.isfinite(left) & np.isfinite(right)
    if np.count_nonzero(defined) < 2:
        return None
    pair = Correlation(np.round(left[defined], _DECIMALS), np.round(right[defined], _DECIMALS))
    tau = pair.coefficients(np.ones((int(defined.sum()), 1)))[COEFFICIENTS.index("Kendall"), 0]
    return None if np.isnan(tau) else float(tau)
