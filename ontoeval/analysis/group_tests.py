"""`group_tests` of the means of systems over their runs: permutation of runs, Welch's t."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import chain, combinations
from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from ontoeval.analysis.pair_tests import LEVEL, PAIRED_ROUNDS, PairTest, pairs_of, with_holm
from ontoeval.analysis.significance import check_rounds
from ontoeval.errors import ParameterError, did_you_mean, sentence
from ontoeval.model.arrays import FloatArray

TestName = Literal["permutation", "welch"]
MOST_EXACT = 200_000  # divisions of runs: 10 and 10 have 184,756
_Places = npt.NDArray[np.int32]
_ROUNDING = 1e-12  # of the greatest value: what is below it is no difference
_NO_DEVIATION = sentence("Welch's t needs runs that differ", advice="Use {test=permutation}.")
_ONE_RUN = sentence("Welch's t needs two runs of each system", advice="Use {test=permutation}.")
_INFINITE = sentence("infinite scores cannot be tested")


class _Scores(Protocol):
    @property
    def values(self) -> tuple[float, ...]: ...
    @property
    def mean(self) -> float | None: ...


class Inference(NamedTuple):
    """The p of a difference, its interval, and the smallest p that so many values can have."""

    p: float
    interval: tuple[float, float]
    smallest: float


def group_tests(
    systems: Sequence[Mapping[str, _Scores]],
    *,
    baseline: int | None = None,
    test: TestName = "permutation",
    measures: Collection[str],
    rounds: int = PAIRED_ROUNDS,
    seed: int = 0,
) -> list[PairTest]:
    """Every two systems, or each and `baseline` (its place), tested by each measure; undefined scores are left out.

    By measure and pair. p_adjusted is Holm's correction for the pairs of a measure; an interval is of one pair alone.
    """
    if test not in ("permutation", "welch"):
        hint = did_you_mean(str(test), ("permutation", "welch"))
        advice = f"{hint} Use 'permutation' or 'welch'.".strip()
        raise ParameterError(f"unknown test {test!r}", advice=advice, parameter="test")
    check_rounds(rounds, seed, usual=PAIRED_ROUNDS)
    divisions = _Divisions(rounds, seed)
    compute = _welch if test == "welch" else partial(_permutation, divisions)
    tests: list[PairTest] = []
    for measure in measures:
        pairs = [
            compute(_no_test(measure, place, systems), *(np.array(systems[one][measure].values) for one in place))
            for place in pairs_of(len(systems), baseline)
        ]
        tests += with_holm(pairs)
    return tests


def _no_test(measure: str, places: tuple[int, int], systems: Sequence[Mapping[str, _Scores]]) -> PairTest:
    """The difference of two systems without a p."""
    left, right = (systems[place][measure] for place in places)
    if left.mean is None or right.mean is None:
        return PairTest(measure, *places, None, None, None, None, "")
    n = len(left.values) + len(right.values)
    if math.isinf(left.mean) or math.isinf(right.mean):
        return PairTest(measure, *places, None, None, None, n, "", no_p=_INFINITE)
    return PairTest(measure, *places, left.mean - right.mean, None, None, n, "", "run")


# permutation


class _Divisions:
    """The ways to divide the runs of two systems anew, those of equal sizes made once."""

    def __init__(self, rounds: int, seed: int) -> None:
        self.rounds, self.seed = rounds, seed
        self._by_sizes: dict[tuple[int, int], _Places] = {}

    def exact(self, left: int, right: int) -> bool:
        return math.comb(left + right, left) <= MOST_EXACT

    def of(self, left: int, right: int) -> _Places:
        """The places of the runs on the left side: all ways, or a sample."""
        divisions = self._by_sizes.get((left, right))
        if divisions is None:
            every = left + right
            if self.exact(left, right):
                places = chain.from_iterable(combinations(range(every), left))
                divisions = np.fromiter(places, dtype=np.int32).reshape(-1, left)
            else:
                random = np.random.default_rng(self.seed)
                places_of_rounds = np.tile(np.arange(every, dtype=np.int32), (self.rounds, 1))
                divisions = random.permuted(places_of_rounds, axis=1)[:, :left]
            self._by_sizes[left, right] = divisions
        return divisions


def _permutation(divisions: _Divisions, test: PairTest, left: FloatArray, right: FloatArray) -> PairTest:
    if test.difference is None:
        return test
    exact = divisions.exact(len(left), len(right))
    name = "exact permutation" if exact else f"permutation, {divisions.rounds:,} samples"
    p, interval, smallest = permutation_test(left, right, divisions.of(len(left), len(right)), exact=exact)
    return test._replace(p=p, interval=interval, smallest=smallest, test=name, rounds=divisions.rounds)


def permutation_test(left: FloatArray, right: FloatArray, divisions: _Places, *, exact: bool) -> Inference:
    """Could the runs of two systems be divided so by chance? Each division has the places of as many as `left` has.

    p is twice the smaller share of the divisions whose difference of means is at least (at most) the one observed, but
    at most 1, as in scipy. A sample counts the division observed, too: (1 + k) / (1 + rounds). The interval has all d
    for which left - d and right are no different (p >= .05): a division is as great as the one observed if and only if
    the runs that it moves from the left are on average no more than d above those that it moves there.
    """
    pooled = np.concatenate([left, right])
    moved = np.count_nonzero(divisions >= len(left), axis=1)
    lost = pooled[: len(left)].sum() - pooled[divisions].sum(axis=1)  # by the sum of the left side
    noise = _ROUNDING * float(np.abs(pooled).max()) * len(pooled)
    own = 0 if exact else 1
    total = len(divisions) + own
    tails = np.count_nonzero(lost <= noise) + own, np.count_nonzero(lost >= -noise) + own
    p = min(1.0, 2 * int(min(tails)) / total)
    shifts = np.sort(lost[moved > 0] / moved[moved > 0])
    always = total - len(shifts)  # divisions that are the one observed
    rank = math.ceil(LEVEL / 2 * total - 1e-9) - always  # so many shifts must not be beyond the limit
    if rank < 1:
        return Inference(p, (-math.inf, math.inf), min(1.0, 2 / total))
    return Inference(p, (float(shifts[rank - 1]), float(shifts[-rank])), min(1.0, 2 / total))


# Welch


def _welch(test: PairTest, left: FloatArray, right: FloatArray) -> PairTest:
    if test.difference is None:
        return test
    if len(left) < 2 or len(right) < 2:
        return test._replace(test="Welch's t", no_p=_ONE_RUN)
    result = welch_test(left, right, test.difference)
    if result is None:
        return test._replace(test="Welch's t", no_p=_NO_DEVIATION)
    return test._replace(p=result.p, interval=result.interval, smallest=0.0, test="Welch's t")


def welch_test(left: FloatArray, right: FloatArray, difference: float) -> Inference | None:
    """Welch's t-test (Welch 1947): t = (m1 - m2) / sqrt(s1² / n1 + s2² / n2), by Satterthwaite's degrees of freedom.

    None if the values of neither side differ by more than rounding.
    """
    spread = max(np.ptp(left), np.ptp(right))
    if spread <= _ROUNDING * max(np.abs(left).max(), np.abs(right).max()):
        return None
    errors = [float(side.var(ddof=1)) / len(side) for side in (left, right)]
    error = math.sqrt(sum(errors))
    freedom = sum(errors) ** 2 / sum(e**2 / (len(s) - 1) for e, s in zip(errors, (left, right), strict=True))
    half = float(stdtrit(freedom, 1 - LEVEL / 2)) * error
    return Inference(2 * float(stdtr(freedom, -abs(difference) / error)), (difference - half, difference + half), 0.0)
