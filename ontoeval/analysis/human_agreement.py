"""Agreement with people: measures between concepts against the ratings of pairs of words or concepts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from ontoeval.analysis.name_lookup import LeftOut, Looked, Senses, rated_table, ratings_of
from ontoeval.analysis.relate import concept_measure, definition
from ontoeval.errors import ParameterError
from ontoeval.evaluation import Progress, collected, named_measures
from ontoeval.load.tables.rated_pairs import PairTable
from ontoeval.measures import Measure, default_measures, parse
from ontoeval.measures.concepts._correlation import COEFFICIENTS
from ontoeval.measures.concepts.correlation import Rated
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.model.ontology import Ontology, Source
from ontoeval.results import EvaluationResult, LocalScores, MeasureResult, Score, frame, plain
from ontoeval.tables import Cell, Layout, Value, render
from ontoeval.tasks.concept_pairs import ConceptPairs

if TYPE_CHECKING:
    import pandas as pd

Interval = tuple[float, float]
Given = Sequence[tuple[str, str, float]]

ROUNDS = 2_000
HEADINGS = {"Pearson": "Pearson r", "Spearman": "Spearman rho", "Kendall": "Kendall tau-b"}
_BLOCK = 1 << 19  # drawn numbers at a time: they stay in the processor's cache


_ALIKE = 1e-12  # coefficients that differ by less are equal


@dataclass(frozen=True, eq=False)
class MeasureAgreement:
    """How one measure agrees with people."""

    name: str  # as the user wrote it
    measure: Measure
    values: FloatArray  # of the pairs that were looked up; distances as they are
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
class Agreement:
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
        wanted = self.result[name].measure
        return next(found for found in self.measures if found.measure == wanted)

    def __iter__(self) -> Iterator[MeasureAgreement]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __repr__(self) -> str:
        return f"<Agreement: {len(self):,} measures on {len(self.task):,} pairs of {self.source.path}>"

    @property
    def given(self) -> int:
        """How many pairs there were."""
        return len(self.task) + len(self.left_out)

    @property
    def ratings(self) -> FloatArray:
        """Of the pairs that were looked up."""
        return np.zeros(0) if self.task.ratings is None else self.task.ratings

    def definition(self, found: MeasureAgreement) -> dict[str, Any]:
        """All that somebody needs to get the same numbers."""
        how = {"max": "the best pair of senses counts", "first": "the first sense of each word counts"}
        return {
            **definition(self.task.ontology, found.measure),
            "senses": how[self.senses],
            "enters_as": "-d" if found.distance else "its value",
        }

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it: full precision, undefined coefficients null with the reason."""
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
            "measures": {found.name: self._entry(found) for found in self.measures},
            "left_out": [pair.to_dict() for pair in self.left_out],
        }  # fmt: skip

    def _entry(self, found: MeasureAgreement) -> dict[str, Any]:
        entry: dict[str, Any] = {"pairs": found.pairs}
        entry |= {kind: plain(score.value) for kind, score in found.coefficients.items()}
        if self.confidence is not None:
            ends = {kind: score.interval for kind, score in found.coefficients.items()}
            entry["intervals"] = {kind: list(own) if own else None for kind, own in ends.items()}
            entry["draws"] = found.draws
        if found.undefined is not None:
            entry["undefined"] = found.undefined
        entry["left_out"] = [pair.to_dict() for pair in found.left_out]
        return {**entry, "definition": self.definition(found)}

    def pairs(self) -> list[dict[str, Any]]:
        """Each pair that was looked up: its words, rating and line, the value and the senses of every measure."""
        iris = self.task.ontology.hierarchy.iris
        chosen = {found.name: self._chosen(found) for found in self.measures}
        return [
            {
                "left": self.task.written(pair)[0],
                "right": self.task.written(pair)[1],
                "rating": float(self.ratings[pair]),
                "line": self.lines[pair],
                "values": {found.name: float(found.values[pair]) for found in self.measures},
                "senses": {name: [iris[ends[0][pair]], iris[ends[1][pair]]] for name, ends in chosen.items()},
            }
            for pair in range(len(self.task))
        ]

    def _chosen(self, found: MeasureAgreement) -> tuple[LongArray, LongArray]:
        """The senses that gave each pair its value."""
        from ontoeval.measures.concepts._register import related

        pairs = self.task.pairs
        which = self.task.chosen(related(found.measure, pairs), least=found.distance)
        return pairs.left[which], pairs.right[which]

    def render(self, layout: Layout | str = Layout.TABLE, *, title: str = "", precision: int = 3) -> str:
        """A table with a row for each measure; the greatest coefficients are marked."""
        layout = Layout.named(layout)
        if not layout.for_people:
            return render("", *self._exact(), layout)
        columns = [self._column(name) for name in COEFFICIENTS]
        rows: list[list[Cell]] = [
            [found.name, found.pairs, *(column[place] for column in columns)]
            for place, found in enumerate(self.measures)
        ]
        return render(title, ["measure", "pairs", *HEADINGS.values()], rows, layout, precision=precision)

    def _column(self, name: str) -> list[Cell]:
        scores = [found.coefficients[name] for found in self.measures]
        known = [score.value for score in scores if score.undefined is None]
        differ = bool(known) and max(known) - min(known) > _ALIKE  # all alike: none is better
        return [
            None
            if score.undefined is not None
            else Value(score.value, differ and score.value >= max(known) - _ALIKE, score.interval)
            for score in scores
        ]

    def _exact(self) -> tuple[list[str], list[list[Cell]]]:
        """Full precision; intervals get two columns of their own."""
        header = ["measure", "pairs"]
        cells: list[list[Cell]] = [[found.name, found.pairs] for found in self.measures]
        for name in COEFFICIENTS:
            header += [name] if self.confidence is None else [name, f"{name} low", f"{name} high"]
            for row, found in zip(cells, self.measures, strict=True):
                score = found.coefficients[name]
                row.append(None if score.undefined is not None else score.value)
                if self.confidence is not None:
                    row += score.interval or (None, None)
        return header, cells

    def to_frame(self) -> pd.DataFrame:
        """One row per measure as a pandas DataFrame: pairs, coefficients, the ends of their intervals."""
        header, rows = self._exact()
        records = [dict(zip(header[1:], row[1:], strict=True)) for row in rows]
        return frame(records, [found.name for found in self.measures], "measure")

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
    return tuple(distance if chosen == parse("Rada") else chosen for chosen in default_measures(ConceptPairs))


def agree(
    ontology: Ontology,
    pairs: PairTable | Given | object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    senses: Senses = "max",
    confidence: float | None = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
    system: str | None = None,
    progress: Progress | None = None,
) -> Agreement:
    """Pearson's r, Spearman's rho and Kendall's tau-b of measures between concepts with the ratings of people.

    `pairs` are rows (left, right, rating), or a file of them. Words are looked up as labels; of several senses the best
    pair counts ("max": the most similar, the least distant) or the "first" one of each word, in the order of use if the
    ontology tells it. Distances count as -d. Pairs with an unknown word are left out, and for each measure those whose
    value is infinite or undefined. `confidence` is the level of percentile bootstrap intervals over the pairs, from
    `rounds` draws (those in which a column is constant are left out); None: no intervals. The default measures are
    those between concepts, but Rada as a distance.
    """
    started = datetime.now(UTC)
    chosen = _measures(measures)
    _check(senses, confidence, rounds, seed)
    table = rated_table(pairs)
    found = Looked(ontology, table, senses)
    task = found.task
    scores: list[tuple[str, Measure, Score]] = []
    computed: list[tuple[str, Rated, list[Interval | None], int]] = []
    order = _order(task)
    for name, measure in chosen:
        if progress is not None:
            progress(name)
        rated = Rated(task, measure, ratings_of(table)[found.places])
        ends, draws = _intervals(rated, order, confidence, rounds, seed)
        computed.append((name, rated, ends, draws))
        scores.append((name, measure, _mean(rated)))
        scores += [(str(own), own, rated.score(kind)) for kind, own in _coefficients(measure)]
    settings = {"given": len(table), "senses": senses}
    result = collected(
        task, scores, started=started, system=system, sources={"ratings": table.source}, settings=settings
    )
    result, rows = _with_intervals(result, computed, task, found.lines)
    return Agreement(
        task, found.lines, rows, found.left_out, table.source, senses, found.words, found.several, confidence, rounds,
        seed, result,
    )  # fmt: skip


def _measures(measures: str | Measure | Iterable[str | Measure] | None) -> Sequence[tuple[str, Measure]]:
    if measures is None:
        measures = default_agreement_measures()
    given = [measures] if isinstance(measures, str | Measure) else list(measures)
    for one in given:
        if isinstance(one, str | Measure):
            concept_measure(one)
    chosen = named_measures(given, ConceptPairs)
    if not chosen:
        raise ParameterError("there is no measure. Give one such as 'Lin', or leave the list out for the default ones.")
    return chosen


def _coefficients(measure: Measure) -> Iterator[tuple[str, Measure]]:
    for kind in COEFFICIENTS:
        yield kind, parse(kind, similarity=measure)


def _check(senses: str, confidence: float | None, rounds: int, seed: int) -> None:
    if senses not in ("max", "first"):
        raise ParameterError(
            f"senses={senses!r} is no way to choose among the senses of a word. Give 'max' or 'first'."
        )
    if confidence is not None and not 0 < confidence < 1:
        raise ParameterError(f"the level {confidence!r} is not between 0 and 1. For instance: 0.95.")
    if not isinstance(rounds, int | np.integer) or isinstance(rounds, bool) or rounds < 1:
        raise ParameterError(f"{rounds!r} is no number of rounds. Give a whole number, for instance {ROUNDS}.")
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise ParameterError(f"{seed!r} is no seed. Give a whole number from 0 on.")


def _mean(rated: Rated) -> Score:
    """The values of the pairs, for the record; their mean says little."""
    local = LocalScores("pair", np.arange(len(rated.values)), rated.values)
    bare = int(np.count_nonzero(np.isnan(rated.values)))
    counts = {"pairs": len(rated.values)}
    if bare:
        return Score(math.nan, local, counts, undefined=f"{bare:,} of {len(rated.values):,} pairs have no value")
    return Score(float(rated.values.mean()), local, counts)


def _order(task: ConceptPairs) -> LongArray:
    """The pairs by words and rating: bootstrap draws do not depend on the order of the file."""
    ratings = np.zeros(len(task)) if task.ratings is None else task.ratings
    return np.array(sorted(range(len(task)), key=lambda pair: (*task.written(pair), ratings[pair])), dtype=np.int64)


def _intervals(
    rated: Rated, order: LongArray, level: float | None, rounds: int, seed: int
) -> tuple[list[Interval | None], int]:
    """Percentile bootstrap intervals of all coefficients, and how many draws they are made of."""
    if level is None or rated.undefined is not None:
        return [None] * len(COEFFICIENTS), 0
    columns, size = rated.correlation(order), rated.count
    random = np.random.default_rng(seed)  # anew for each measure: all get the same draws
    step = max(1, _BLOCK // size)
    drawn = []
    for start in range(0, rounds, step):
        count = min(step, rounds - start)
        places = random.integers(0, size, size=(count, size)) + np.arange(count)[:, None] * size
        often = np.bincount(places.ravel(), minlength=count * size).reshape(count, size).T
        drawn.append(columns.coefficients(np.ascontiguousarray(often, dtype=np.float64)))
    values = np.concatenate(drawn, axis=1)
    values = values[:, ~np.isnan(values).any(axis=0)]
    if not values.shape[1]:
        return [None] * len(COEFFICIENTS), 0
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return list(zip(low.tolist(), high.tolist(), strict=True)), values.shape[1]


def _with_intervals(
    result: EvaluationResult,
    computed: Sequence[tuple[str, Rated, list[Interval | None], int]],
    task: ConceptPairs,
    lines: Sequence[int | None],
) -> tuple[EvaluationResult, tuple[MeasureAgreement, ...]]:
    each = 1 + len(COEFFICIENTS)
    scores, rows = [], []
    for place, (name, rated, ends, draws) in enumerate(computed):
        own, *found = result.scores[place * each : (place + 1) * each]
        named = [replace(score, interval=interval) for score, interval in zip(found, ends, strict=True)]
        scores += [own, *named]
        kinds = dict(zip(COEFFICIENTS, named, strict=True))
        rows.append(MeasureAgreement(name, own.measure, rated.values, kinds, _infinite(rated, task, lines), draws))
    return replace(result, scores=tuple(scores)), tuple(rows)


def _infinite(rated: Rated, task: ConceptPairs, lines: Sequence[int | None]) -> tuple[LeftOut, ...]:
    return tuple(
        LeftOut(
            *task.written(pair),
            float(rated.ratings[pair]),
            lines[pair],
            "there is no value" if math.isnan(rated.values[pair]) else "the value is infinite",
        )
        for pair in np.flatnonzero(~rated.used).tolist()
    )
