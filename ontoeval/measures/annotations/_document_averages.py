"""Averages over documents of label sets: `Shares`, `mean`, `f_measure`; 0/0; `counts_of` (of spans: extraction.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from ontoeval.measures.annotations._label_sets import LabelTable
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.results import LocalScores, Score, harmonic

Average = Literal["macro", "micro"]


class Shares:
    """For each document the common part of a side (numerator), the whole side (denominator), and their ratio."""

    def __init__(self, common: FloatArray, whole: FloatArray, equal: FloatArray) -> None:
        self.common, self.whole = common, whole
        # 0/0 is 1 where both sides are the same
        self.values: FloatArray = np.divide(common, whole, out=equal.copy(), where=whole > 0)
        self.equal = equal

    def score(self, average: Average, counts: Mapping[str, float]) -> Score:
        """The mean of the documents' values, or the common parts of all over the wholes."""
        documents = np.arange(len(self.values))
        if average == "macro":
            return mean(documents, self.values, counts)
        local = LocalScores("document", documents, self.values, self.whole)
        total, nothing = float(self.whole.sum()), float(self.equal.min(initial=1.0))
        value = float(self.common.sum()) / total if total else nothing
        return Score(value, local, counts, empty=nothing)


def mean(documents: LongArray, values: FloatArray, counts: Mapping[str, float]) -> Score:
    """The mean over documents; 1 if there are none, as for one that is empty on both sides."""
    return Score.mean(LocalScores("document", documents, values), empty=1.0, **counts)


def f_measure(precision: Shares, recall: Shares, average: Average, counts: Mapping[str, float]) -> Score:
    """F: the mean of the documents' harmonic means, or the harmonic mean of the pooled shares."""
    if average == "micro":
        return Score.of(harmonic, precision.score(average, counts), recall.score(average, counts))
    values = harmonic(precision.values, recall.values)
    return mean(np.arange(len(values)), values, counts)


def counts_of(labels: LabelTable) -> dict[str, float]:
    """How many labels are right, and how many are not."""
    correct = int(np.count_nonzero(labels.places(labels.assigned, labels.true) >= 0))
    return {
        "documents": labels.size,
        "correct": correct,
        "spurious": len(labels.assigned) - correct,
        "missing": len(labels.true) - correct,
        "unknown": int(labels.unknown(labels.assigned).sum() + labels.unknown(labels.true).sum()),
    }


def both_empty(labels: LabelTable) -> FloatArray:
    """1 for each document without any label, else 0."""
    result: FloatArray = ((labels.assigned.count == 0) & (labels.true.count == 0)).astype(np.float64)
    return result
