"""`PairTest`: the test of two rows by one measure; `holm`, `with_holm`; `better_than`, `with_letters`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_letters
from typing import Any, NamedTuple, TypeVar

from ontoeval.results import ResultTable

LEVEL = 0.05  # of significance
PAIRED_ROUNDS = 10_000
MOST_LETTERED = len(ascii_letters)  # rows that letters can name
_T = TypeVar("_T", bound=ResultTable)


class PairTest(NamedTuple):
    """The difference of two results or systems by one measure; p_adjusted: corrected for all pairs that were tested."""

    measure: str
    left: int  # place of the row
    right: int
    difference: float | None  # left - right, of systems the difference of means; None if one of them is undefined
    p: float | None  # two-sided; None if there is no test
    p_adjusted: float | None
    n: int | None  # units, or runs of both systems
    test: str = "paired randomisation"
    unit: str = ""  # "concept", "instance", "relation", "document" or "run"; "" without a p
    rounds: int = PAIRED_ROUNDS
    interval: tuple[float, float] | None = None  # of the difference, 95 %; infinite where so few runs bound nothing
    smallest: float | None = None  # the smallest p that so many runs can have
    no_p: str | None = None  # why two systems with scores have no p


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: the k-th smallest of m p-values times m - k + 1.

    It is at least as great as the one before it, and at most 1. The chance of a false difference among all of them
    stays below the level (Holm 1979).
    """
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = adjusted[place] = min(1.0, max(least, (len(p_values) - rank) * p_values[place]))
    return adjusted


def with_holm(tests: Sequence[PairTest]) -> list[PairTest]:
    """The tests of one measure with Holm's correction; what has no p does not count."""
    adjusted = iter(holm([test.p for test in tests if test.p is not None]))
    return [test if test.p is None else test._replace(p_adjusted=next(adjusted)) for test in tests]


def pairs_of(count: int, baseline: int | None) -> list[tuple[int, int]]:
    """Every two of so many places, or each and the baseline."""
    places = range(count)
    if baseline is not None:
        return [(place, baseline) for place in places if place != baseline]
    return [(left, right) for left in places for right in places if left < right]


def better_than(
    tests: Iterable[PairTest], rows: Sequence[Any], *, level: float = LEVEL
) -> dict[tuple[int, str], list[int]]:
    """(place of a row, measure) -> places of the rows that it is significantly better than.

    Of a row, [measure] gives a score with its `distance_to_best`.
    """
    better: dict[tuple[int, str], list[int]] = {}
    for test in tests:
        if test.p_adjusted is None or test.p_adjusted >= level:
            continue
        distances = [rows[place][test.measure].distance_to_best for place in (test.left, test.right)]
        if distances[0] is None or distances[1] is None or distances[0] == distances[1]:
            continue
        winner, loser = (test.left, test.right) if distances[0] < distances[1] else (test.right, test.left)
        better.setdefault((winner, test.measure), []).append(loser)
    return {key: sorted(places) for key, places in better.items()}


def with_letters(table: _T, rows: Sequence[Any]) -> _T:
    """The tested table with letters of what is better than what, unless it has more rows than there are letters."""
    return table if len(rows) > MOST_LETTERED else replace(table, better=better_than(table.tests or (), rows))
