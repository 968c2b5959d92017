"""Measures of ranked labels: APrec, RPrec and P_at with credit for near misses, and rankings of several systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.measures.annotations._label_sets import Credit, Labels, LabelTable, Ties
from ontoeval.measures.annotations.extraction import check_similarity
from ontoeval.measures.annotations.labelling import BDM
from ontoeval.measures.concepts.coefficients import COEFFICIENTS, Correlation
from ontoeval.measures.registry import Measure, measure
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.results import EvaluationResult, LocalScores, Score
from ontoeval.tasks.extraction import Extraction

_CELLS = 1 << 22  # running sums held at a time
_DECIMALS = 12  # to which values of systems are compared


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
            return Score.impossible("the labels of the response have no scores, so there is no ranking", **counts)
        if not len(self.documents):
            return Score.impossible("no document has a true label", **counts)
        return Score.mean(LocalScores("document", self.documents, values), **counts)


def _check(parameters: Mapping[str, Any]) -> None:
    check_similarity(parameters)
    for name in ("depth", "k"):
        if name in parameters and parameters[name] < 1:
            raise ParameterError(
                f"{name}={parameters[name]} is no number of labels",
                advice="Give a whole number from 1 on.",
                parameter=name,
            )
    if parameters.get("recall_levels", 0) < 0 or parameters.get("recall_levels") == 1:
        raise ParameterError(
            f"recall_levels={parameters['recall_levels']} is no number of levels",
            advice="Give 2 or more (11: 0, 0.1, ... 1), or 0.",
            parameter="recall_levels",
        )


_ranking = partial(
    measure, dimension="labelling", source="Li, Bontcheva & Maynard 2007 (NTCIR-6)", check=_check, identity=False
)


@_ranking("APrec")
def average_precision(
    task: Extraction,
    *,
    credit: Credit = "binary",
    similarity: Measure = BDM,
    depth: int = 200,
    ties: Ties = "label",
) -> Score:
    """A-Precision of ranked labels: the mean precision at the true ones.

    (1 / |G|) times the sum of P@k over the ranks k whose label is true, G the true labels; P@k is what the first k
    labels earn over k, with `credit` and `similarity` as for LabelP. Labels are ranked by score downwards, ties by
    label upwards, a repeated label keeps its best place, and `depth` labels count. `ties=trec_eval` keeps scores in
    single precision and ranks ties by label downwards: with binary credit this is map. The mean over documents;
    one without true labels is left out, one without a ranking has 0.
    """
    ranked = _RankedLabels(task, credit, similarity, ties, depth)
    hits = np.flatnonzero(ranked.hit)
    document, k = ranked.ranking.document[hits], ranked.ranking.place[hits] + 1
    total = np.bincount(document, weights=ranked.total_credit(document, k) / k, minlength=ranked.labels.size)
    return ranked.score(total[ranked.documents] / ranked.true[ranked.documents])


@_ranking("RPrec")
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


@_ranking("P_at")
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
    """The mean over any levels of recall of the greatest precision at ranks that reach them, as RPrec has it."""
    _check({"similarity": similarity, "depth": depth})
    for level in levels:
        if not 0 <= level <= 1:
            raise ParameterError(
                f"{level!r} is no level of recall", advice="Give numbers from 0 to 1.", parameter="levels"
            )
    if not levels:
        raise ParameterError(
            "there is no level of recall", advice="Give some, for instance [0.25, 0.5, 0.75].", parameter="levels"
        )
    exact = [Fraction(str(level)).limit_denominator(10**9) for level in levels]  # 0.1 means a tenth
    return _at_levels(_RankedLabels(task, credit, similarity, ties, depth), exact)


def _at_levels(ranked: _RankedLabels, levels: Sequence[Fraction]) -> Score:
    ranking, size = ranked.ranking, ranked.labels.size
    judged = ranked.true[ranking.document] > 0
    document, k = ranking.document[judged], ranking.place[judged] + 1
    precision = ranked.total_credit(document, k) / k
    hits = ranked.running_sums(ranked.hit.astype(np.float64), document, k).astype(np.int64)
    total = np.zeros(size)
    for level in levels:
        enough = hits * level.denominator >= level.numerator * ranked.true[document]
        best = np.zeros(size)
        np.maximum.at(best, document[enough], precision[enough])
        total += best
    return ranked.score(total[ranked.documents] / len(levels))


# several systems


@dataclass(frozen=True, eq=False)
class RankingAgreement:
    """Several systems by several measures, and how the rankings with credit for near misses go with the binary one."""

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    values: FloatArray  # systems x measures, nan where undefined
    ranks: LongArray  # 1 is best, equal systems share a rank, 0 where undefined
    tau: Mapping[str, float | None]  # Kendall's tau-b of a measure with its binary form, None where undefined

    @property
    def header(self) -> list[str]:
        """The names of the columns of `rows`."""
        return ["measure", *self.systems, "tau"]

    @property
    def rows(self) -> list[list[Any]]:
        """As a table: for each measure the rank of each system and tau, None where undefined."""
        return [
            [measure, *(rank or None for rank in ranks), self.tau.get(measure)]
            for measure, ranks in zip(self.measures, self.ranks.T.tolist(), strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "systems": {
                system: {
                    measure: {"value": value, "rank": rank} if rank else None
                    for measure, value, rank in zip(self.measures, values.tolist(), ranks.tolist(), strict=True)
                }
                for system, values, ranks in zip(self.systems, self.values, self.ranks, strict=True)
            },
            "kendall": dict(self.tau),
        }


def rankings_agree(results: Sequence[EvaluationResult]) -> RankingAgreement:
    """Systems that were evaluated with the same measures, side by side.

    For each measure with `credit=high` or `low` Kendall's tau-b with the same measure of `credit=binary`, if that was
    computed, too (whatever its `similarity`, which plays no part there). Values are compared rounded to 12 decimals.
    """
    if not results:
        raise ParameterError("there is no result", advice="Give one for each system.", parameter="results")
    names = [score.name for score in results[0].scores]
    for result in results:
        if [score.name for score in result.scores] != names:
            raise ParameterError(
                f"{result.system!r} was evaluated with other measures", advice="Take the same for all systems."
            )
    values = np.array([[score.value for score in result.scores] for result in results]).reshape(len(results), -1)
    measures = [score.measure for score in results[0].scores]
    tau: dict[str, float | None] = {}
    for column, graded in enumerate(measures):
        binary = [other for other, base in enumerate(measures) if _is_binary_of(base, graded)]
        if binary:
            tau[names[column]] = _kendall(values[:, binary[0]], values[:, column])
    return RankingAgreement(tuple(result.system for result in results), tuple(names), values, _ranks(values), tau)


def _is_binary_of(base: Measure, graded: Measure) -> bool:
    if graded.parameters.get("credit", "binary") == "binary" or base.parameters.get("credit") != "binary":
        return False
    free = {"credit", "similarity"}
    return base.definition.function is graded.definition.function and all(
        base.parameters[name] == value for name, value in graded.parameters.items() if name not in free
    )


def _ranks(values: FloatArray) -> LongArray:
    """For each column the rank of its values, the greatest first."""
    rounded = np.round(values, _DECIMALS)
    greater = np.sum(rounded[None, :, :] > rounded[:, None, :], axis=1)
    return np.where(np.isnan(values), 0, greater + 1).astype(np.int64)


def _kendall(left: FloatArray, right: FloatArray) -> float | None:
    defined = np.isfinite(left) & np.isfinite(right)
    if np.count_nonzero(defined) < 2:
        return None
    pair = Correlation(np.round(left[defined], _DECIMALS), np.round(right[defined], _DECIMALS))
    tau = pair.coefficients(np.ones((int(defined.sum()), 1)))[COEFFICIENTS.index("Kendall"), 0]
    return None if np.isnan(tau) else float(tau)
