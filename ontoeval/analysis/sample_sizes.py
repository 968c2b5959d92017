"""Samples too small for what was asked: `rough_intervals`, `unreachable_tests`, `few_runs` (tests: significance.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ontoeval.analysis.pair_tests import LEVEL, PairTest
from ontoeval.analysis.significance import _leaves, _task, _unit, _units
from ontoeval.results import EvaluationResult

FEWEST = 10  # units; a bootstrap of fewer repeats the same few draws, and its intervals are too narrow


class RoughIntervals(NamedTuple):
    """Measures whose intervals are drawn from few units."""

    measures: tuple[str, ...]
    unit: str
    least: int
    most: int


class UnreachableTests(NamedTuple):
    """Measures whose tests cannot become significant, whatever the scores are."""

    measures: tuple[str, ...]
    unit: str
    n: int | None  # units; None: the number of rounds is what does not suffice
    rounds: int
    pairs: int  # tests that Holm's correction is for
    smallest: float  # p after the correction


class FewRuns(NamedTuple):
    """Measures by which systems have too few runs for a significant difference, all of them or some."""

    measures: tuple[str, ...]
    pairs: int  # that cannot reach the level
    tested: int
    smallest: float  # p after the correction


def rough_intervals(results: Iterable[EvaluationResult], *, fewest: int = FEWEST) -> list[RoughIntervals]:
    """For each kind of unit the measures that have intervals from fewer units than `fewest`."""
    by_unit: dict[str, list[tuple[str, int]]] = {}
    for result in results:
        for entry in result.scores:
            leaves = None if entry.interval is None else _leaves(entry.score)
            if leaves is not None:
                n = len(np.unique(np.concatenate([_units(leaf, _task(result)) for leaf in leaves])))
                if n < fewest:
                    by_unit.setdefault(_unit(leaves, _task(result)), []).append((entry.name, n))
    return [
        RoughIntervals(tuple(dict.fromkeys(name for name, _ in few)), unit, *_range([n for _, n in few]))
        for unit, few in by_unit.items()
    ]


def _range(sizes: Sequence[int]) -> tuple[int, int]:
    return min(sizes), max(sizes)


def unreachable_tests(tests: Sequence[PairTest], *, level: float = LEVEL) -> list[UnreachableTests]:
    """The measures whose tests cannot reach a p below `level`, those over equally many units together.

    Of the 2^n ways to exchange n units two, none and all, differ as much as what was observed: no p is smaller than
    2 / 2^n, nor than 1 / (1 + rounds). Holm's correction for m pairs multiplies the smallest p by m.
    """
    groups: dict[tuple[str, int | None, int, int, float], list[str]] = {}
    for measure in dict.fromkeys(test.measure for test in tests):
        tested = [test for test in tests if test.measure == measure and test.n is not None]
        if not tested:
            continue
        unit, n, rounds = tested[0].unit, max(test.n or 0 for test in tested), tested[0].rounds
        by_units, by_rounds = 2.0 ** (1 - n), 1 / (1 + rounds)
        smallest = min(1.0, len(tested) * max(by_units, by_rounds))
        if smallest >= level:
            few = n if by_units >= by_rounds else None
            groups.setdefault((unit, few, rounds, len(tested), smallest), []).append(measure)
    return [UnreachableTests(tuple(measures), *group) for group, measures in groups.items()]


def few_runs(tests: Sequence[PairTest], *, level: float = LEVEL) -> list[FewRuns]:
    """The measures by which systems have too few runs for a corrected p below `level`, those with one reason together.

    Holm's correction for m pairs multiplies the smallest p by m; if one pair can reach the level, so can each other one
    whose own smallest p is below it.
    """
    reasons: dict[tuple[int, int, float], list[str]] = {}
    for measure in dict.fromkeys(test.measure for test in tests):
        least = [test.smallest for test in tests if test.measure == measure and test.smallest is not None]
        if not least:
            continue
        smallest = min(1.0, len(least) * min(least))
        few = len(least) if smallest >= level else sum(p >= level for p in least)
        if few:
            reasons.setdefault((few, len(least), smallest), []).append(measure)
    return [FewRuns(tuple(measures), *reason) for reason, measures in reasons.items()]
