"""Measures of ranked labels: APrec, RPrec, P_at, `precision_at_recall` (order, ties, near misses: _label_sets.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.measures.annotations._label_sets import NEAR_MISSES, Credit, Labels, LabelTable
from ontoeval.measures.registry import Measure, measure
from ontoeval.measures.similarity_parameter import BDM, check_similarity
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.results import LocalScores, Score
from ontoeval.tasks.extraction import Extraction, Ties

_CELLS = 1 << 22  # running sums held at a time


class _RankedLabels:
    """The ranked labels of documents that have true ones, and what the first k of them earn."""

    def __init__(self, task: Extraction, credit: Credit, similarity: Measure, ties: Ties, depth: int) -> None:
        self.labels = LabelTable.of(task)
        self.ranking: Labels = self.labels.ranking(ties, depth)
        self.true = self.labels.true.count
        self.documents = np.flatnonzero(self.true)  # without true labels: undefined
        self.hit = self.labels.places(self.ranking, self.labels.true) >= 0
        self.credit, self.similarity = credit, similarity

    def total_credit(self, document: LongArray, first: LongArray) -> FloatArray:
        """The numerator of eq. 4 or 5 for the first labels of documents, which ascend."""
        first = np.minimum(first, self.ranking.count[document])
        if self.credit == "binary":
            return self.running_sums(self.hit.astype(np.float64), document, first)
        table = self.labels.similarities(self.similarity, self.ranking)
        if self.credit == "high":
            return self.running_sums(table.best(self.ranking), document, first)
        return self.running_sums(self.hit.astype(np.float64), document, first) + table.credit_of_picks(
            self.ranking, document, first
        )

    def running_sums(self, values: FloatArray, document: LongArray, first: LongArray) -> FloatArray:
        """The sums of the first values of documents: running sums within each, so that no other one rounds them."""
        ranking, result = self.ranking, np.zeros(len(document))
        width = int(ranking.count.max(initial=0)) + 1
        step = max(_CELLS // width, 1)
        for low in range(0, ranking.size, step):
            high = min(low + step, ranking.size)
            labels = slice(*np.searchsorted(ranking.document, [low, high]).tolist())
            grid = np.zeros((high - low, width))
            grid[ranking.document[labels] - low, ranking.place[labels] + 1] = values[labels]
            np.cumsum(grid, axis=1, out=grid)
            some = slice(*np.searchsorted(document, [low, high]).tolist())
            result[some] = grid[document[some] - low, first[some]]
        return result

    def score(self, values: FloatArray) -> Score:
        """The mean of the values beside `documents`."""
        counts: dict[str, float] = {
            "documents": len(self.documents),
            "left_out": self.labels.size - len(self.documents),
            "unknown": int(self.labels.unknown(self.ranking).sum() + self.labels.unknown(self.labels.true).sum()),
        }
        if not self.labels.scored:
            return Score.impossible("the predicted labels have no scores to rank them by", **counts)
        if not len(self.documents):
            return Score.impossible("no document has a true label", **counts)
        return Score.mean(LocalScores("document", self.documents, values), **counts)


def _check(parameters: Mapping[str, Any]) -> None:
    check_similarity(parameters)
    for name in ("depth", "k"):
        if name in parameters and parameters[name] < 1:
            raise ParameterError(
                f"{name} must be a whole number >= 1, not {parameters[name]}",
                parameter=name,
            )
    if parameters.get("recall_levels", 0) < 0 or parameters.get("recall_levels") == 1:
        raise ParameterError(
            f"recall_levels must be 0 or a whole number >= 2, not {parameters['recall_levels']}",
            advice="Use e.g. 11 for 0, 0.1, ... 1.",
            parameter="recall_levels",
        )


_ranking = partial(
    measure, dimension="labelling", source="Li, Bontcheva & Maynard 2007 (NTCIR-6)", check=_check, identity=False,
    meanings={"credit": NEAR_MISSES},
)  # fmt: skip


@_ranking("APrec", sets={"ranking": 1})
def average_precision(
    task: Extraction,
    *,
    credit: Credit = "binary",
    similarity: Measure = BDM,
    depth: int = 200,
    ties: Ties = "label",
) -> Score:
    """Average precision of ranked labels.

    (1 / |G|) times the sum of P@k over the ranks k whose label is true, G the true labels; P@k is what the first k
    labels earn over k. `credit=binary`: 1 for a true label; `high`: the greatest similarity of a label with a true one;
    `low`: correct labels earn 1, and each true label that the first k lack gives credit to one wrong label, the most
    similar to it (LabelP). Labels are ranked by score downwards, ties by
    label upwards, a repeated label keeps its best place, and `depth` labels count. `ties=trec_eval` keeps scores in
    single precision and ranks ties by label downwards: with binary credit this is map. The mean over documents;
    one without true labels is left out, one without a ranking has 0.
    """
    ranked = _RankedLabels(task, credit, similarity, ties, depth)
    hits = np.flatnonzero(ranked.hit)
    document, k = ranked.ranking.document[hits], ranked.ranking.place[hits] + 1
    total = np.bincount(document, weights=ranked.total_credit(document, k) / k, minlength=ranked.labels.size)
    return ranked.score(total[ranked.documents] / ranked.true[ranked.documents])


@_ranking("RPrec", sets={"ranking": 2})
def r_precision(
    task: Extraction,
    *,
    credit: Credit = "binary",
    similarity: Measure = BDM,
    depth: int = 200,
    ties: Ties = "label",
    recall_levels: int = 0,
) -> Score:
    """R-Precision of ranked labels: the precision after as many labels as there are true ones.

    P@|G|; all else as for APrec. `recall_levels=n`: instead the mean over n levels from 0 to 1, evenly apart, of the
    greatest P@k over the ranks k whose first k labels hold at least that share of the true ones; 0 if there are none.
    """
    ranked = _RankedLabels(task, credit, similarity, ties, depth)
    if recall_levels:
        return _at_levels(ranked, [Fraction(level, recall_levels - 1) for level in range(recall_levels)])
    k = ranked.true[ranked.documents]
    return ranked.score(ranked.total_credit(ranked.documents, k) / k)


@_ranking("P_at", sets={"ranking": 3})
def precision_at(
    task: Extraction,
    *,
    k: int = 10,
    credit: Credit = "binary",
    similarity: Measure = BDM,
    depth: int = 200,
    ties: Ties = "label",
) -> Score:
    """Precision of the first k ranked labels.

    P@k: what the first k labels earn over k, also when there are fewer; all else as for APrec.
    """
    ranked = _RankedLabels(task, credit, similarity, ties, depth)
    return ranked.score(ranked.total_credit(ranked.documents, np.full(len(ranked.documents), k)) / k)


def precision_at_recall(
    task: Extraction,
    levels: Sequence[float],
    *,
    credit: Credit = "binary",
    similarity: Measure = BDM,
    depth: int = 200,
    ties: Ties = "label",
) -> Score:
    """The mean over any levels of recall of the greatest precision at ranks that reach them, as RPrec has it.

    A level is the nearest fraction whose denominator is 10^9 at most: 0.1 is a tenth, the floating-point number 5/6
    five sixths.
    """
    _check({"similarity": similarity, "depth": depth})
    for level in levels:
        if not 0 <= level <= 1:
            raise ParameterError(f"a level of recall must be a number from 0 to 1, not {level!r}", parameter="levels")
    if not levels:
        raise ParameterError("no levels of recall", advice="Use e.g. [0.25, 0.5, 0.75].", parameter="levels")
    exact = [Fraction(str(level)).limit_denominator(10**9) for level in levels]
    return _at_levels(_RankedLabels(task, credit, similarity, ties, depth), exact)


def _at_levels(ranked: _RankedLabels, levels: Sequence[Fraction]) -> Score:
    ranking, size = ranked.ranking, ranked.labels.size
    document, k = ranking.document, ranking.place + 1
    precision = ranked.total_credit(document, k) / k
    hits = ranked.running_sums(ranked.hit.astype(np.float64), document, k).astype(np.int64)
    total = np.zeros(size)
    for level in levels:
        enough = hits * level.denominator >= level.numerator * ranked.true[document]
        best = np.zeros(size)
        np.maximum.at(best, document[enough], precision[enough])
        total += best
    return ranked.score(total[ranked.documents] / len(levels))
