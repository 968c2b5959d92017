"""`InstanceAssignment`: instances on concepts, strengths; `IndividualNames`: labels, owl:sameAs (two: placement.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress
from operator import ne

import numpy as np
from scipy.sparse import csr_array

from ontoeval.errors import ParameterError
from ontoeval.model.arrays import FloatArray, LongArray, freeze, runs

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
        listed = list(rows)
        if not listed:
            return None
        instances, columns, strengths = zip(*listed, strict=True)
        return cls.from_columns(
            instances, np.array(columns, dtype=np.int64), np.array(strengths, dtype=np.float64), concepts
        )

    @classmethod
    def from_columns(
        cls, instances: Sequence[str], columns: LongArray, strength: FloatArray, concepts: int
    ) -> InstanceAssignment | None:
        """The same, of the columns of such rows."""
        if not len(instances):
            return None
        by_name = sorted(range(len(instances)), key=instances.__getitem__)
        names = [instances[place] for place in by_name]
        is_new = np.fromiter(chain([True], map(ne, names[1:], names)), dtype=bool, count=len(names))
        rows = np.empty(len(names), dtype=np.int64)
        rows[by_name] = np.cumsum(is_new) - 1
        iris = tuple(compress(names, is_new.tolist()))
        key = rows * concepts + columns
        order = np.lexsort((-strength, key))  # the strongest of equals first
        strongest = order[runs(key[order])]
        entries = strength[strongest], (rows[strongest], columns[strongest])
        return cls(iris, csr_array(entries, shape=(len(iris), concepts)))

    def __len__(self) -> int:
        return len(self.iris)

    def strict_part(self) -> InstanceAssignment | None:
        """Only the instances that sit on exactly one concept; None if there is none."""
        rows = np.flatnonzero(np.diff(self.strength.indptr) == 1)
        if len(rows) == len(self):
            return self
        return (
            InstanceAssignment(tuple(self.iris[row] for row in rows.tolist()), self.strength[rows])
            if len(rows)
            else None
        )

    @cached_property
    def strict(self) -> bool:
        """True if every instance sits on exactly one concept."""
        return bool(np.all(np.diff(self.strength.indptr) == 1))


@dataclass(frozen=True)
class IndividualNames:
    """What instances are called, as columns, and which of their names mean the same individual."""

    iris: tuple[str, ...] = ()  # an IRI for each label; that to show first, if there are several
    texts: tuple[str, ...] = ()  # beside the IRIs
    same: tuple[tuple[str, str], ...] = ()  # pairs of owl:sameAs


def joined_names(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """For every name of the pairs all names that they join it with, itself included."""
    group: dict[str, list[str]] = {}
    for left, right in pairs:
        left_group, right_group = group.setdefault(left, [left]), group.setdefault(right, [right])
        if left_group is right_group:
            continue
        small, large = sorted((left_group, right_group), key=len)
        large.extend(small)
        for name in small:
            group[name] = large
    return group


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
    """The strength as a number; ParameterError if it is not in (0, 1]."""
    try:
        inside = 0 < float(value) <= 1
    except (TypeError, ValueError):
        inside = False
    if not inside:
        raise ParameterError(
            f"the strength of {of} must be a number > 0 and <= 1, not {value!r}",
            parameter="instances",
        )
    return float(value)
