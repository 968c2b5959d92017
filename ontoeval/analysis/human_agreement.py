"""`agree` with human ratings: measures, bootstrap; `HumanAgreement`: tables, JSON (r, rho, tau: measures/concepts/)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ontoeval.analysis.pair_definition import definition
from ontoeval.analysis.pair_lookup import LeftOut, PairLookup, Senses
from ontoeval.analysis.rated_table import rated_table, ratings_of
from ontoeval.analysis.relate import concept_measure
from ontoeval.analysis.significance import check_level, check_rounds
from ontoeval.concepts.pairs import PairList
from ontoeval.errors import ParameterError
from ontoeval.evaluation import Measures, NamedMeasure, Progress, collect_result, named_measures
from ontoeval.load.tables.rated_pairs import PairTable
from ontoeval.measures import Measure, default_measures, parse
from ontoeval.measures.concepts.coefficients import COEFFICIENTS
from ontoeval.measures.concepts.correlation import RatedValues
from ontoeval.measures.concepts.pair_scores import mean_score
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.model.ontology import Ontology, Source
from ontoeval.results import EvaluationResult, MeasureResult, Score, plain
from ontoeval.tables import Cell, Layout, Value, frame, render
from ontoeval.tasks.concept_pairs import ConceptPairs

if TYPE_CHECKING:
    import pandas as pd

Interval = tuple[float, float]
RatedRows = Sequence[tuple[str, str, float]]

ROUNDS = 2_000
HEADINGS = {"Pearson": "Pearson r", "Spearman": "Spearman rho", "Kendall": "Kendall tau-b"}
_BLOCK = 1 << 19  # drawn numbers at a time: they stay in the processor's cache
_TOLERANCE = 1e-12  # coefficients that differ by less are equal


@dataclass(frozen=True, eq=False)
class MeasureAgreement:
    """How one measure agrees with people."""

    name: str  # as the user wrote it
    measure: Measure
    values: FloatArray  # of the pairs that were looked up; distances as they are
    senses: PairList  # the concepts that each value is from
    coefficients: Mapping[str, MeasureResult]  # "Pearson", "Spearman", "Kendall"
    left_out: tuple[LeftOut, ...]  # pairs that were looked up and have no finite value
    draws: int  # how many the intervals are made of

    @property
    def pairs(self) -> int:
        """How many pairs the coefficients are made of."""
        return len(self.values) - len(self.left_out)

    @property
    def distance(self) -> bool:
        """True if less is more alike: the coefficients are those of -d."""
        return self.measure.best == 0.0

    @property
    def pearson(self) -> MeasureResult:
        return self.coefficients["Pearson"]

    @property
    def spearman(self) -> MeasureResult:
        return self.coefficients["Spearman"]

    @property
    def kendall(self) -> MeasureResult:
        return self.coefficients["Kendall"]

    @property
    def undefined(self) -> str | None:
        """Why there are no coefficients."""
        return self.pearson.undefined

    def __repr__(self) -> str:
        return f"<{self.name}: {self.undefined or f'r = {self.pearson.value:.4f}'} ({self.pairs:,} pairs)>"


@dataclass(frozen=True, eq=False)
class HumanAgreement:
    """How measures agree with people, which pairs were left out, and all that is needed to repeat it."""

    task: ConceptPairs  # the pairs that were looked up
    lines: tuple[int | None, ...]  # of these pairs in the file
    measures: tuple[MeasureAgreement, ...]
    left_out: tuple[LeftOut, ...]  # pairs with an unknown word
    source: Source  # of the ratings
    senses: Senses
    words: int  # how many different ones were looked up
    several: int  # how many of them have several senses
    confidence: float | None
    rounds: int
    seed: int
    result: EvaluationResult  # for `write_scores`

    def __getitem__(self, name: str | Measure) -> MeasureAgreement:
        measure = self.result[name].measure
        return next(agreement for agreement in self.measures if agreement.measure == measure)

    def __iter__(self) -> Iterator[MeasureAgreement]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __repr__(self) -> str:
        return f"<HumanAgreement: {len(self):,} measures on {len(self.task):,} pairs of {self.source.path}>"

    @property
    def given(self) -> int:
        """How many pairs there were."""
        return len(self.task) + len(self.left_out)

    @property
    def ratings(self) -> FloatArray:
        """Of the pairs that were looked up."""
        return np.zeros(0) if self.task.ratings is None else self.task.ratings

    def definition(self, agreement: MeasureAgreement) -> dict[str, Any]:
        """All that is needed to get the same numbers."""
        rules = {"max": "the best pair of senses is used", "first": "the first sense of each word is used"}
        return {
            **definition(self.task.ontology, agreement.measure),
            "senses": rules[self.senses],
            "enters_as": "-d" if agreement.distance else "its value",
        }

    def to_dict(self) -> dict[str, Any]:
        """For JSON: full precision, undefined coefficients null with the reason."""
        return {
            "ratings": self.source.path,
            "ontology": self.task.ontology.source.path,
            "given": self.given,
            "pairs": len(self.task),
            "senses": self.senses,
            "words": self.words,
            "words_with_several_senses": self.several,
            "confidence": None
            if self.confidence is None
            else {"level": self.confidence, "method": "percentile bootstrap over pairs", "rounds": self.rounds,
                  "seed": self.seed},
            "measures": {agreement.name: self._entry(agreement) for agreement in self.measures},
            "left_out": [pair.to_dict() for pair in self.left_out],
        }  # fmt: skip

    def _entry(self, agreement: MeasureAgreement) -> dict[str, Any]:
        entry: dict[str, Any] = {"pairs": agreement.pairs}
        entry |= {kind: plain(score.value) for kind, score in agreement.coefficients.items()}
        if self.confidence is not None:
            intervals = {kind: score.interval for kind, score in agreement.coefficients.items()}
            entry["intervals"] = {kind: list(ends) if ends else None for kind, ends in intervals.items()}
            entry["draws"] = agreement.draws
        if agreement.undefined is not None:
            entry["undefined"] = agreement.undefined
        entry["left_out"] = [pair.to_dict() for pair in agreement.left_out]
        return {**entry, "definition": self.definition(agreement)}

    def pairs(self) -> list[dict[str, Any]]:
        """Each pair that was looked up: its words, rating and line, the value and the senses of every measure."""
        iris = self.task.ontology.hierarchy.iris
        return [
            {
                "left": self.task.written(pair)[0],
                "right": self.task.written(pair)[1],
                "rating": float(self.ratings[pair]),
                "line": self.lines[pair],
                "values": {agreement.name: float(agreement.values[pair]) for agreement in self.measures},
                "senses": {
                    agreement.name: [iris[agreement.senses.left[pair]], iris[agreement.senses.right[pair]]]
                    for agreement in self.measures
                },
            }
            for pair in range(len(self.task))
        ]

    def render(self, layout: Layout | str = Layout.TABLE, *, title: str = "", precision: int = 3) -> str:
        """A table with a row for each measure; the greatest coefficients are marked."""
        layout = Layout.named(layout)
        if not layout.for_people:
            return render("", *self._exact(), layout)
        columns = [self._column(name) for name in COEFFICIENTS]
        rows: list[list[Cell]] = [
            [agreement.name, agreement.pairs, *(column[place] for column in columns)]
            for place, agreement in enumerate(self.measures)
        ]
        return render(title, ["measure", "pairs", *HEADINGS.values()], rows, layout, precision=precision)

    def _column(self, name: str) -> list[Cell]:
        scores = [agreement.coefficients[name] for agreement in self.measures]
        defined = [score.value for score in scores if score.undefined is None]
        differ = bool(defined) and max(defined) - min(defined) > _TOLERANCE  # else none is better
        return [
            None
            if score.undefined is not None
            else Value(score.value, differ and score.value >= max(defined) - _TOLERANCE, score.interval)
            for score in scores
        ]

    def _exact(self) -> tuple[list[str], list[list[Cell]]]:
        """Full precision; intervals get two columns of their own."""
        header = ["measure", "pairs"]
        cells: list[list[Cell]] = [[agreement.name, agreement.pairs] for agreement in self.measures]
        for name in COEFFICIENTS:
            header += [name] if self.confidence is None else [name, f"{name} low", f"{name} high"]
            for row, agreement in zip(cells, self.measures, strict=True):
                score = agreement.coefficients[name]
                row.append(None if score.undefined is not None else score.value)
                if self.confidence is not None:
                    row += score.interval or (None, None)
        return header, cells

    def to_frame(self) -> pd.DataFrame:
        """One row per measure as a pandas DataFrame: pairs, coefficients, the ends of their intervals."""
        header, rows = self._exact()
        records = [dict(zip(header[1:], row[1:], strict=True)) for row in rows]
        return frame(records, [agreement.name for agreement in self.measures], "measure")

    def pairs_frame(self) -> pd.DataFrame:
        """One row per pair that was looked up: words, rating, and a column for each measure."""
        rows = [
            {**{key: row[key] for key in ("left", "right", "rating")}, **row["values"]} for row in self.pairs()
        ]  # fmt: skip
        return frame(rows, [str(place) for place in range(len(rows))], "pair")

    def _repr_html_(self) -> str:
        return self.render(Layout.HTML)


def default_agreement_measures() -> tuple[Measure, ...]:
    """The default measures between concepts, Rada as the distance that studies with people use.

    Both have the same ranks, but the r of 1 / (1 + d) is another than that of -d.
    """
    distance = parse("Rada(scale=distance)")
    rada = parse("Rada")
    return tuple(distance if measure == rada else measure for measure in default_measures(ConceptPairs))


def agree(
    ontology: Ontology,
    pairs: PairTable | RatedRows | object,
    measures: Measures | None = None,
    *,
    senses: Senses = "max",
    confidence: float | None = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
    system: str | None = None,
    progress: Progress | None = None,
) -> HumanAgreement:
    """Pearson's r, Spearman's rho and Kendall's tau-b of measures between concepts with the ratings of people.

    `pairs` are rows (left, right, rating), or a file of them. Words are looked up as labels; of several senses the best
    pair counts ("max": the most similar, the least distant) or the "first" one of each word, in the order of use if the
    ontology tells it. Distances count as -d. Pairs with an unknown word are left out, and for each measure those whose
    value is infinite or undefined. `confidence` is the level of percentile bootstrap intervals over the pairs, from
    `rounds` draws (those in which a column is constant are left out); None: no intervals. The default measures are
    those between concepts, but Rada as a distance.
    """
    started = datetime.now(UTC)
    selected = _measures(measures)
    _check(senses, confidence, rounds, seed)
    table = rated_table(pairs)
    lookup = PairLookup(ontology, table, senses)
    lookup.refuse_nothing()
    task = lookup.task()
    scores: list[tuple[str, Measure, Score]] = []
    estimates: list[_Estimate] = []
    order = _order(task)
    for name, measure in selected:
        if progress is not None:
            progress(name)
        rated = RatedValues(task, measure, ratings_of(table)[lookup.places])
        estimates.append(_Estimate(name, rated, *_intervals(rated, order, confidence, rounds, seed)))
        scores.append((name, measure, mean_score(rated.values)))
        for kind in COEFFICIENTS:
            coefficient = parse(kind, similarity=measure)
            scores.append((str(coefficient), coefficient, rated.score(kind)))
    settings = {"given": len(table), "senses": senses}
    result = collect_result(
        task, scores, started=started, system=system, sources={"ratings": table.source}, settings=settings
    )
    result, rows = _with_intervals(result, estimates, task, lookup.lines)
    return HumanAgreement(
        task, lookup.lines, rows, lookup.left_out, table.source, senses, lookup.words, lookup.several, confidence,
        rounds, seed, result,
    )  # fmt: skip


def _measures(measures: Measures | None) -> Sequence[NamedMeasure]:
    if measures is None:
        measures = default_agreement_measures()
    entries = [measures] if isinstance(measures, str | Measure) else list(measures)
    checked = [(str(entry), concept_measure(entry)) if isinstance(entry, str | Measure) else entry for entry in entries]
    selected = named_measures(checked, ConceptPairs)
    if not selected:
        raise ParameterError(
            "no measures",
            advice="Name one such as 'Lin', or remove {measures} for the default ones.",
            parameter="measures",
        )
    return selected


def _check(senses: str, confidence: float | None, rounds: int, seed: int) -> None:
    if senses not in ("max", "first"):
        raise ParameterError(
            f"senses must be 'max' or 'first', not {senses!r}",
            parameter="senses",
        )
    if confidence is not None:
        check_level(confidence, "confidence")
    check_rounds(rounds, seed, usual=ROUNDS)


def _order(task: ConceptPairs) -> LongArray:
    """The pairs by words and rating: bootstrap draws do not depend on the order of the file."""
    ratings = np.zeros(len(task)) if task.ratings is None else task.ratings
    return np.array(sorted(range(len(task)), key=lambda pair: (*task.written(pair), ratings[pair])), dtype=np.int64)


def _intervals(
    rated: RatedValues, order: LongArray, level: float | None, rounds: int, seed: int
) -> tuple[list[Interval | None], int]:
    """Percentile bootstrap intervals of all coefficients, and how many draws they are made of."""
    if level is None or rated.undefined is not None:
        return [None] * len(COEFFICIENTS), 0
    columns, size = rated.correlation(order), rated.count
    random = np.random.default_rng(seed)  # anew for each measure: all get the same draws
    step = max(1, _BLOCK // size)
    draws = []
    for start in range(0, rounds, step):
        count = min(step, rounds - start)
        places = random.integers(0, size, size=(count, size)) + np.arange(count)[:, None] * size
        weights = np.bincount(places.ravel(), minlength=count * size).reshape(count, size).T
        draws.append(columns.coefficients(np.ascontiguousarray(weights, dtype=np.float64)))
    values = np.concatenate(draws, axis=1)
    values = values[:, ~np.isnan(values).any(axis=0)]
    if not values.shape[1]:
        return [None] * len(COEFFICIENTS), 0
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return list(zip(low.tolist(), high.tolist(), strict=True)), values.shape[1]


class _Estimate(NamedTuple):
    """The values of one measure, and the intervals of their coefficients."""

    name: str
    rated: RatedValues
    intervals: list[Interval | None]  # of the coefficients
    draws: int


def _with_intervals(
    result: EvaluationResult, estimates: Sequence[_Estimate], task: ConceptPairs, lines: Sequence[int | None]
) -> tuple[EvaluationResult, tuple[MeasureAgreement, ...]]:
    each = 1 + len(COEFFICIENTS)
    scores, rows = [], []
    for place, (name, rated, intervals, draws) in enumerate(estimates):
        mean, *bare = result.scores[place * each : (place + 1) * each]
        coefficients = [replace(score, interval=interval) for score, interval in zip(bare, intervals, strict=True)]
        scores += [mean, *coefficients]
        by_kind = dict(zip(COEFFICIENTS, coefficients, strict=True))
        left_out = _infinite(rated, task, lines)
        rows.append(MeasureAgreement(name, mean.measure, rated.values, rated.scores.senses, by_kind, left_out, draws))
    return replace(result, scores=tuple(scores)), tuple(rows)


def _infinite(rated: RatedValues, task: ConceptPairs, lines: Sequence[int | None]) -> tuple[LeftOut, ...]:
    return tuple(
        LeftOut(
            *task.written(pair),
            float(rated.ratings[pair]),
            lines[pair],
            "no value" if math.isnan(rated.values[pair]) else "the value is infinite",
        )
        for pair in np.flatnonzero(~rated.used).tolist()
    )
