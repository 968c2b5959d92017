"""`Score`, `LocalScores`, `DrawnUnits`: what a measure gives; `ratio`, `harmonic`, `plain`, how near to the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ontoeval.model.arrays import FloatArray, freeze

if TYPE_CHECKING:
    pass

Combine = Callable[..., Any]  # from the values of the parts, as numbers or arrays, to that of the score


@dataclass(frozen=True, eq=False)
class LocalScores:
    """A value for each of some concepts (instances, documents, pairs), by id; the score is their (weighted) mean."""

    of: str  # "learned", "gold", "instance", "document", "pair"
    ids: npt.NDArray[Any]
    values: FloatArray
    weights: FloatArray | None = None  # each counts once without them

    def __post_init__(self) -> None:
        freeze(self.ids)
        freeze(self.values)
        if self.weights is not None:
            freeze(self.weights)


@dataclass(frozen=True, eq=False)
class DrawnUnits:
    """What a score is the plain mean over, where that is not what its local scores are about: relations.

    Intervals and tests draw these. The parts of one score count a unit that both sides have under one id.
    """

    of: str  # "relation"
    ids: npt.NDArray[Any]
    values: FloatArray
    names: Callable[[], Sequence[Any]]  # beside `ids`: the same in every comparison with one gold standard

    def __post_init__(self) -> None:
        freeze(self.ids)
        freeze(self.values)


@dataclass(frozen=True, eq=False)
class Score:
    """The value of a measure, with local values and counts.

    `value` is nan when undefined, and `undefined` is the reason. A score that is a mean over concepts has the concepts'
    values as `local`; one that is computed from other scores has them as `parts`, and `combine` computes its value.
    """

    value: float
    local: LocalScores | None = None
    counts: Mapping[str, float] = field(default_factory=dict)
    undefined: str | None = None
    parts: tuple[Score, ...] = ()
    combine: Combine | None = None
    empty: float = 0.0  # what the mean of no local value is
    by_property: LocalScores | None = None  # weights: the number of relations
    units: DrawnUnits | None = None  # what is drawn for intervals, if not the units of `local`

    @classmethod
    def impossible(cls, reason: str, **counts: float) -> Score:
        """A score that is not defined here."""
        return cls(math.nan, undefined=reason, counts=counts)

    @classmethod
    def mean(cls, local: LocalScores, *, empty: float = 0.0, **counts: float) -> Score:
        """The average of the local values; `empty` if there are none."""
        return cls(float(local.values.mean()) if len(local.values) else empty, local, counts, empty=empty)

    @classmethod
    def of(cls, combine: Combine, *parts: Score) -> Score:
        """A score computed from others; undefined if one of them is."""
        counts = {name: count for part in parts for name, count in part.counts.items()}
        for part in parts:
            if part.undefined is not None:
                return cls.impossible(part.undefined, **counts)
        value = float(combine(*(part.value for part in parts)))
        return cls(value, counts=counts, parts=parts, combine=combine)


def ratio(part: float, whole: float, *, other: float) -> float:
    """Divide part by whole; without a whole 1 if there is nothing on the other side either, else 0 (C5)."""
    if whole:
        return part / whole
    return 0.0 if other else 1.0


def harmonic(left: Any, right: Any) -> Any:
    """H(a, b) = 2ab / (a + b), number by number; 0 of 0 and 0."""
    total = np.asarray(left, dtype=np.float64) + right
    product = 2.0 * np.asarray(left, dtype=np.float64) * right
    return np.divide(product, total, out=np.zeros_like(total), where=total > 0)


def distance_to_best(measure: Any, value: float) -> float | None:
    """How far a value is from the best one, less being better; None where there is no better and worse."""
    best: float | None = getattr(measure, "best", None)
    if best is None:
        return None
    return -value if math.isinf(best) else abs(value - best)


def are_best(distances: Sequence[float | None]) -> list[bool]:
    """Which values are nearest to the best one: none if all are equally near, or have no distance."""
    defined = [distance for distance in distances if distance is not None]
    least = min(defined) if len(set(defined)) > 1 else None
    return [least is not None and distance == least for distance in distances]


def plain(value: float) -> float | str | None:
    """A number as JSON can write it."""
    if isinstance(value, np.generic):
        value = value.item()
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value
