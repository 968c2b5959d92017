"""Tests of the means of systems: against scipy, against a brute force in fractions, and by their properties."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ontoeval.analysis.group_tests import group_tests
from ontoeval.analysis.groups import SystemScore
from ontoeval.analysis.pair_tests import PairTest
from ontoeval.analysis.sample_sizes import FewRuns, few_runs
from ontoeval.errors import ParameterError

EIGHTHS = st.integers(0, 8).map(lambda n: n / 8)  # whose sums are exact
RUNS = st.lists(EIGHTHS, min_size=1, max_size=5)
FEW = settings(max_examples=50, deadline=None)


def pair_tests(*systems: list[float], **options: Any) -> list[PairTest]:
    scores = [{"F": SystemScore(None, tuple(values), 0)} for values in systems]
    return group_tests(scores, measures=["F"], **options)


def brute_force(left: list[float], right: list[float], shift: Fraction = Fraction(0)) -> Fraction:
    """The p of left - shift against right: all ways to choose, in fractions, twice the smaller tail."""
    pooled = [Fraction(value) - shift for value in left] + [Fraction(value) for value in right]

    def difference(chosen: tuple[int, ...]) -> Fraction:
        other = [value for place, value in enumerate(pooled) if place not in chosen]
        return sum((pooled[place] for place in chosen), Fraction(0)) / len(left) - sum(other, Fraction(0)) / len(right)

    observed = difference(tuple(range(len(left))))
    every = [difference(chosen) for chosen in combinations(range(len(pooled)), len(left))]
    tails = sum(value >= observed for value in every), sum(value <= observed for value in every)
    return min(Fraction(1), Fraction(2 * min(tails), len(every)))


def scipy_p(left: list[float], right: list[float], **options: Any) -> float:
    def statistic(a: Any, b: Any, axis: int) -> Any:
        return np.mean(a, axis=axis) - np.mean(b, axis=axis)

    return float(stats.permutation_test((left, right), statistic, n_resamples=np.inf, vectorized=True).pvalue)


@FEW
@given(RUNS, RUNS)
def test_the_exact_p_is_that_of_a_brute_force(left: list[float], right: list[float]) -> None:
    (test,) = pair_tests(left, right)
    assert test.p == pytest.approx(float(brute_force(left, right)), abs=1e-12)
    assert test.test == "exact permutation"
    assert test.n == len(left) + len(right)


@FEW
@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(2, 6))
def test_the_exact_p_is_that_of_scipy(seed: int, left: int, right: int) -> None:
    random = np.random.default_rng(seed)
    runs = random.random(left).tolist(), (random.random(right) + 0.3).tolist()
    assert pair_tests(*runs)[0].p == pytest.approx(scipy_p(*runs), abs=1e-12)


@FEW
@given(RUNS, RUNS, st.randoms(use_true_random=False))
def test_p_has_the_properties_of_a_test(left: list[float], right: list[float], random: Any) -> None:
    (test,), (swapped,) = pair_tests(left, right), pair_tests(right, left)
    assert test.p is not None
    assert test.p == swapped.p
    assert test.difference == -(swapped.difference or 0.0)
    low, high = test.interval or (1, 0)
    assert swapped.interval == (-high, -low)
    assert low <= (test.difference or 0.0) + 1e-12
    assert (test.difference or 0.0) <= high + 1e-12
    assert 1 / math.comb(len(left) + len(right), len(left)) <= (test.smallest or 0) <= test.p <= 1
    mixed = left[:], right[:]
    for runs in mixed:
        random.shuffle(runs)
    assert pair_tests(*mixed)[0].p == pytest.approx(test.p)


@settings(max_examples=20, deadline=None)
@given(st.lists(EIGHTHS, min_size=4, max_size=5), st.lists(EIGHTHS, min_size=4, max_size=4))
def test_the_interval_has_the_shifts_that_are_not_rejected(left: list[float], right: list[float]) -> None:
    """At its ends and on both sides of each, by the brute force; p = .05 exactly does not occur with 70 or 126 ways."""
    (test,) = pair_tests(left, right)
    ends = [Fraction(end).limit_denominator(1000) for end in test.interval or () if math.isfinite(end)]
    for end, outwards in zip(test.interval or (), (-1, 1), strict=True):
        far = Fraction(outwards * 9)  # beyond all differences
        limit = far if math.isinf(end) else Fraction(end).limit_denominator(1000)
        assert brute_force(left, right, limit) >= Fraction(1, 20)
        assert limit == far or brute_force(left, right, limit + Fraction(outwards, 10**6)) < Fraction(1, 20)
    if len(ends) == 2:
        assert brute_force(left, right, sum(ends, Fraction(0)) / 2) >= Fraction(1, 20)
    low, high = test.interval or (1, 0)
    assert (low - 1e-9 <= 0 <= high + 1e-9) == ((test.p or 0) >= 0.05)


def test_two_systems_of_five_apart_have_the_smallest_p() -> None:
    """By hand: of C(10, 5) = 252 ways two are as far apart."""
    (test,) = pair_tests([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])
    assert test.p == pytest.approx(2 / 252)
    assert test.difference == -5
    assert test.smallest == test.p


def test_a_sample_is_drawn_beyond_200000_ways_and_says_so() -> None:
    random = np.random.default_rng(1)
    left, right = random.random(6).tolist(), (random.random(20) + 0.25).tolist()  # C(26, 6) = 230,230
    (test,) = pair_tests(left, right, seed=5)
    assert test.test == "permutation, 10,000 samples"
    pooled = np.array(left + right)
    sums = pooled[np.array(list(combinations(range(26), 6)))].sum(axis=1)
    exact = 2 * min(np.mean(sums <= sum(left) + 1e-9), np.mean(sums >= sum(left) - 1e-9))
    assert 0.01 < exact < 0.5
    assert test.p == pytest.approx(exact, abs=4 * math.sqrt(2 * exact / 10_000))
    assert pair_tests(left, right, seed=5) == [test]
    assert pair_tests(left, right, seed=6)[0].p != test.p
    assert pair_tests(left, right, rounds=99)[0].smallest == 2 / 100
    low, high = test.interval or (1, 0)
    assert low < (test.difference or 0) < high


@pytest.mark.slow
def test_ten_and_ten_runs_are_tested_exactly() -> None:
    random = np.random.default_rng(1)
    left, right = random.random(10).tolist(), (random.random(10) + 0.25).tolist()  # C(20, 10) = 184,756
    (ten,) = pair_tests(left, right)
    assert (ten.test, ten.p) == ("exact permutation", pytest.approx(scipy_p(left, right)))


@FEW
@given(st.integers(0, 2**32), st.integers(2, 9), st.integers(2, 9))
def test_welch_is_that_of_scipy(seed: int, left: int, right: int) -> None:
    random = np.random.default_rng(seed)
    runs = random.normal(0, 1, left).tolist(), random.normal(0.5, 3, right).tolist()
    (test,) = pair_tests(*runs, test="welch")
    expected = stats.ttest_ind(*runs, equal_var=False)
    assert test.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert test.interval == pytest.approx(tuple(expected.confidence_interval(0.95)), rel=1e-9)
    assert (test.test, test.n) == ("Welch's t", left + right)


def test_welch_with_a_deviation_on_one_side_is_a_test_against_a_number() -> None:
    """By hand: t = (2 - 4) / sqrt(1 / 3) with 2 degrees of freedom."""
    (test,) = pair_tests([1, 2, 3], [4, 4, 4], test="welch")
    assert test.p == pytest.approx(2 * stats.t.sf(2 * math.sqrt(3), 2))


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        ([0.5, 0.5], [0.25, 0.25, 0.25], 'Welch\'s t needs runs that differ. Use test="permutation".'),
        ([0.5, 0.5], [0.5, 0.5], 'Welch\'s t needs runs that differ. Use test="permutation".'),
        ([0.1 + 0.2, 0.3, 0.3], [0.7, 0.7], 'Welch\'s t needs runs that differ. Use test="permutation".'),
        ([0.5], [0.25, 0.5], 'Welch\'s t needs two runs of each system. Use test="permutation".'),
        ([0.5, math.inf], [0.25, 0.5], "infinite scores cannot be tested."),
    ],
)
def test_what_welch_cannot_test_has_no_p_and_a_reason(left: list[float], right: list[float], reason: str) -> None:
    (test,) = pair_tests(left, right, test="welch")
    assert (test.p, test.p_adjusted, test.interval, test.no_p) == (None, None, None, reason)


def test_corner_cases_of_the_permutation_test() -> None:
    assert pair_tests([0.5, 0.5], [0.5, 0.5, 0.5])[0].p == 1
    assert pair_tests([0.1 + 0.2] * 5, [0.3] * 5)[0].p == 1  # 0.30000000000000004: rounding is no difference
    assert pair_tests([0.5] * 5, [0.25] * 5)[0].p == pytest.approx(2 / 252)  # no deviation on either side
    (one,) = pair_tests([0.5], [0.25, 0.3])
    assert (one.p, one.interval) == (pytest.approx(2 / 3), (-math.inf, math.inf))
    (nothing,) = pair_tests([], [0.25])
    assert (nothing.difference, nothing.p, nothing.interval) == (None, None, None)
    assert pair_tests([0.5, math.inf], [0.25])[0].p is None


def test_holm_is_over_the_pairs_of_a_measure_that_have_a_p() -> None:
    """By hand: 2/252 for a and b against c, times 3; a against b is next, times 1."""
    tests = pair_tests([1, 2, 3, 4, 5], [1.5, 2.5, 3.5, 4.5, 5.5], [10, 11, 12, 13, 14], [])
    by_pair = {(test.left, test.right): test for test in tests}
    assert by_pair[0, 2].p_adjusted == by_pair[1, 2].p_adjusted == pytest.approx(3 * 2 / 252)
    assert by_pair[0, 1].p_adjusted == by_pair[0, 1].p
    assert all(by_pair[left, 3].p_adjusted is None for left in range(3))
    against = pair_tests([1, 2, 3, 4, 5], [1.5, 2.5, 3.5, 4.5, 5.5], [10, 11, 12, 13, 14], baseline=2)
    assert [(test.left, test.right, test.p_adjusted) for test in against] == [
        (0, 2, pytest.approx(2 * 2 / 252)), (1, 2, pytest.approx(2 * 2 / 252)),
    ]  # fmt: skip


@FEW
@given(st.lists(RUNS, min_size=2, max_size=4))
def test_a_corrected_p_is_never_smaller(systems: list[list[float]]) -> None:
    tests = pair_tests(*systems)
    assert all((test.p or 0) <= (test.p_adjusted or 0) <= 1 for test in tests)
    for first in tests:
        for second in tests:
            assert (first.p or 0) > (second.p or 0) or (first.p_adjusted or 0) <= (second.p_adjusted or 0)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([5] * 5, [FewRuns(("F",), 10, 10, pytest.approx(20 / 252))]),  # surface.md: smallest 0.079
        ([5] * 4, []),  # 6 x 2/252
        ([1, 5, 5], [FewRuns(("F",), 2, 3, pytest.approx(6 / 252))]),  # 2/6 for each pair with the single run
        ([1, 1], [FewRuns(("F",), 1, 1, 1.0)]),
    ],
)
def test_too_few_runs_are_noticed(sizes: list[int], expected: list[FewRuns]) -> None:
    assert few_runs(pair_tests(*([n / 8 for n in range(size)] for size in sizes))) == expected


def test_an_unknown_test_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"^unknown test 'welsh'\. Did you mean 'welch'\? Use 'permutation' or"):
        pair_tests([1.0], [2.0], test="welsh")
    with pytest.raises(ParameterError, match=r"^rounds must be a whole number >= 1, not 0\. Use e\.g\. 10000\."):
        pair_tests([1.0], [2.0], rounds=0)
