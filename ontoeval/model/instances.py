"""Which instances sit on which concepts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from ontoeval.errors import ParameterError
from ontoeval.model.arrays import freeze

Assigned = Mapping[str, str | Iterable[str] | Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class InstanceAssignment:
    """I = (I, A): instances x concepts, strengths in (0, 1]. Instances are sorted by IRI."""

    iris: tuple[str, ...]
    strength: csr_array

    def __post_init__(self) -> None:
        self.strength.sum_duplicates()
        for array in (self.strength.data, self.strength.indices, self.strength.indptr):
            freeze(array)

    @classmethod
    def build(cls, rows: Iterable[tuple[str, int, float]], concepts: int) -> InstanceAssignment | None:
        """(instance, concept, strength) rows; of repeated ones the strongest counts. None without any."""
        strongest: dict[tuple[str, int], float] = {}
        for instance, concept, strength in rows:
            key = (instance, concept)
            strongest[key] = max(strength, strongest.get(key, 0.0))
        if not strongest:
            return None
        iris = sorted({instance for instance, _ in strongest})
        number = {iri: i for i, iri in enumerate(iris)}
        keys = sorted((number[instance], concept, s) for (instance, concept), s in strongest.items())
        return cls(
            tuple(iris),
            csr_array(
                (
                    np.array([s for _, _, s in keys]),
                    (np.array([i for i, _, _ in keys]), np.array([c for _, c, _ in keys])),
                ),
                shape=(len(iris), concepts),
            ),
        )

    def __len__(self) -> int:
        return len(self.iris)

    @cached_property
    def strict(self) -> bool:
        """True if every instance sits on exactly one concept."""
        return bool(np.all(np.diff(self.strength.indptr) == 1))


def assigned_rows(instances: Assigned) -> Iterable[tuple[str, str, float]]:
    """(instance, concept, strength) of a mapping to a concept, a list of concepts or {concept: strength}."""
    for instance, target in instances.items():
        if isinstance(target, str):
            yield instance, target, 1.0
        elif isinstance(target, Mapping):
            for concept, strength in target.items():
                yield instance, concept, checked_strength(strength, f"instance {instance!r}")
        else:
            for concept in target:
                yield instance, concept, 1.0


def checked_strength(value: float, of: str) -> float:
    try:
        inside = 0 < float(value) <= 1
    except (TypeError, ValueError):
        inside = False
    if not inside:
        raise ParameterError(f"the strength {value!r} of {of} is not in (0, 1]. Give a number above 0, at most 1.")
    return float(value)
