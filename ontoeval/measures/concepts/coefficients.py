"""`Correlation`: formulas of Pearson, Spearman, Kendall; ties; weighted rows (which pairs count: correlation.py).

A weighting says how often each row counts: once each, or as often as a bootstrap draw took it. Values that are equal to
twelve digits are equal: sums in another order differ in the last digit, and ties would be lost.
"""

from __future__ import annotations

import numpy as np

from ontoeval.model.arrays import FloatArray, LongArray, runs

COEFFICIENTS = ("Pearson", "Spearman", "Kendall")
_DIGITS = 12


class Correlation:
    """Two columns of finite numbers."""

    def __init__(self, left: FloatArray, right: FloatArray) -> None:
        self.sides = _Column(left), _Column(right)
        joint = self.sides[0].codes * len(self.sides[1]) + self.sides[1].codes
        self._both = _Groups(np.unique(joint, return_inverse=True)[1])

    def coefficients(self, weights: FloatArray) -> FloatArray:
        """Pearson's r, Spearman's rho and Kendall's tau-b, a line each, for the weightings that are the columns.

        All three are nan for a weighting in which one of the two columns of numbers is constant.
        """
        totals = [side.groups.totals(weights) for side in self.sides]
        sound = np.logical_and(*(np.count_nonzero(total, axis=0) > 1 for total in totals))
        fractions = self._pearson(weights), self._spearman(weights, totals), self._kendall(weights, totals)
        return np.stack([_ratio(part, np.where(sound, spread, 0.0)) for part, spread in fractions])

    def _pearson(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        x, y = (side.centred for side in self.sides)
        total = weights.sum(axis=0)
        sum_x, sum_y, sum_xx, sum_yy, sum_xy = np.stack([x, y, x * x, y * y, x * y]) @ weights
        spread = (sum_xx - sum_x**2 / total) * (sum_yy - sum_y**2 / total)
        return sum_xy - sum_x * sum_y / total, spread

    def _spearman(self, weights: FloatArray, totals: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
        """The same of the ranks; equal values share the mean of theirs."""
        middle = (weights.sum(axis=0) + 1) / 2
        product, spread = weights.copy(), np.ones(weights.shape[1])
        for side, total in zip(self.sides, totals, strict=True):
            rank = np.cumsum(total, axis=0) - (total - 1) / 2 - middle
            spread *= np.einsum("rd,rd,rd->d", total, rank, rank)
            product *= rank[side.codes]
        return product.sum(axis=0), spread

    def _kendall(self, weights: FloatArray, totals: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
        """Twos in the same order less those in opposite order (Knight 1966: sort, then count inversions)."""
        total = weights.sum(axis=0)
        every = total * (total - 1) / 2
        tied = [_twos(total) for total in totals]
        difference = every - tied[0] - tied[1] + _twos(self._both.totals(weights)) - 2 * self._discordant(weights)
        return difference, (every - tied[0]) * (every - tied[1])

    def _discordant(self, weights: FloatArray) -> FloatArray:
        """How many twos of rows stand in opposite order, by the highest bit in which their right codes differ."""
        left, right = (side.codes for side in self.sides)
        order = np.lexsort((right, left))
        before = np.zeros((len(right) + 1, weights.shape[1]))
        discordant = np.zeros(weights.shape[1])
        for bit in range(int(right.max(initial=0)).bit_length()):
            within = order[np.argsort(right[order] >> (bit + 1), kind="stable")]
            group, high = right[within] >> (bit + 1), (right[within] >> bit) & 1 == 1
            row_weights = weights[within]
            np.cumsum(row_weights * high[:, None], axis=0, out=before[1:])
            low = np.flatnonzero(~high)
            discordant += np.einsum(
                "rd,rd->d", row_weights[low], before[low] - before[np.searchsorted(group, group[low])]
            )
        return discordant


def _ratio(part: FloatArray, spread: FloatArray) -> FloatArray:
    sound = spread > 0
    result: FloatArray = np.where(sound, np.clip(part / np.sqrt(np.where(sound, spread, 1.0)), -1.0, 1.0), np.nan)
    return result


class _Column:
    def __init__(self, values: FloatArray) -> None:
        scale = float(np.abs(values).max(initial=0.0)) or 1.0
        distinct, codes = np.unique(np.round(values / scale, _DIGITS) + 0.0, return_inverse=True)
        self.codes: LongArray = codes.astype(np.int64)
        self.groups = _Groups(self.codes)
        self.distinct = len(distinct)
        shifted = values / scale - (float(np.mean(values / scale)) if len(values) else 0.0)
        self.centred: FloatArray = shifted / (float(np.abs(shifted).max(initial=0.0)) or 1.0)

    def __len__(self) -> int:
        return self.distinct


class _Groups:
    """Rows with the same code."""

    def __init__(self, codes: LongArray) -> None:
        self.order = np.argsort(codes, kind="stable")
        self.starts = runs(codes[self.order])

    def totals(self, weights: FloatArray) -> FloatArray:
        """How often each code counts."""
        result: FloatArray = np.add.reduceat(weights[self.order], self.starts, axis=0)
        return result


def _twos(count: FloatArray) -> FloatArray:
    result: FloatArray = (count * (count - 1) / 2).sum(axis=0)
    return result
