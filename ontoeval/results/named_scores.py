"""`NamedScores`: local scores by IRI and label; `Names`, `NamedScore`, `PropertyScore`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ontoeval.model.arrays import FloatArray

if TYPE_CHECKING:
    pass


class NamedScore(NamedTuple):
    iri: str
    label: str
    value: float


@dataclass(frozen=True, eq=False)
class Names:
    """IRIs and labels of the units (concepts, instances, pairs, documents) of local scores."""

    iris: Sequence[str]
    label: Callable[[int], str]
    ends: Callable[[int], tuple[Sequence[str], Sequence[str]]] | None = None  # of a pair: the concepts of both sides
    document: Callable[[int], str] | None = None  # of an annotation: its document


@dataclass(frozen=True, eq=False)
class NamedScores:
    """Local scores by IRI and label."""

    of: str
    names: Names
    ids: npt.NDArray[Any]
    values: FloatArray
    best: float | None = 1.0

    def __len__(self) -> int:
        return len(self.values)

    def _named_scores(self, positions: npt.NDArray[Any]) -> list[NamedScore]:
        return [
            NamedScore(self.names.iris[unit], self.names.label(unit), value)
            for unit, value in zip(self.ids[positions].tolist(), self.values[positions].tolist(), strict=True)
        ]

    def all(self) -> list[NamedScore]:
        """Every one, in the order of the ids."""
        return self._named_scores(np.arange(len(self)))

    def worst(self, count: int = 10) -> list[NamedScore]:
        """Those furthest from the best value, ties by IRI."""
        best = 1.0 if self.best is None else self.best
        distance = -self.values if math.isinf(best) else np.abs(self.values - best)
        if count < len(distance):  # those that tie with the last one, too, so that the IRI decides
            limit = np.partition(distance, len(distance) - count)[len(distance) - count] if count > 0 else np.inf
            candidates = np.flatnonzero(distance >= limit)
        else:
            candidates = np.arange(len(distance))
        ordered = sorted(
            zip((-distance[candidates]).tolist(), self._named_scores(candidates), strict=True),
            key=lambda pair: (pair[0], pair[1].iri),
        )
        return [named for _, named in ordered[: max(count, 0)]]

    def to_dict(self) -> dict[str, float]:
        """IRI to value."""
        return {
            self.names.iris[unit]: value for unit, value in zip(self.ids.tolist(), self.values.tolist(), strict=True)
        }


class PropertyScore(NamedTuple):
    """The value of a measure for the relations by one property."""

    iri: str
    label: str
    value: float
    relations: int  # how many were judged
