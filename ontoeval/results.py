"""`Score`, `LocalScores`, `EvaluationResult`, `ResultTable` (marks the best), JSON; `ratio`, `harmonic`, `plain`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from string import ascii_letters
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ontoeval.errors import (
    Message,
    MissingInputError,
    ParameterError,
    Spelling,
    UnknownMeasureError,
    did_you_mean,
    listed,
    number_of,
    printable,
    text_for,
)
from ontoeval.model.arrays import FloatArray, freeze
from ontoeval.model.ontology import Source
from ontoeval.tables import Cell, Layout, Table, TextTable, Value, frame, in_notebook, render, short_names
from ontoeval.tables.names import name_beside

if TYPE_CHECKING:
    import pandas as pd

    from ontoeval.analysis.confusion import ClassScore, Confusion
    from ontoeval.analysis.error_table import ErrorRow
    from ontoeval.analysis.explain import Explanation
    from ontoeval.analysis.groups import GroupedTable
    from ontoeval.analysis.pair_tests import PairTest
    from ontoeval.analysis.worst import LocalLoss, Loss
    from ontoeval.measures import Measure

_SHOWN = 4  # scores in a line
_ABOUT = {"comparison": "compared ontologies", "extraction": "annotations", "conceptpairs": "pairs of concepts"}
Combine = Callable[..., Any]  # from the values of the parts, as numbers or arrays, to that of the score


@dataclass(frozen=True, eq=False)
class LocalScores:
    """A value for each of some concepts (instances, documents, pairs), by id; the score is their (weighted) mean."""

    of: str  # "learned", "gold", "instance", "document", "pair"
    ids: npt.NDArray[Any]
    values: FloatArray
    weights: FloatArray | None = None  # each counts once without them

    def __post_init__(self) -> None:
        freeze(self.ids)
        freeze(self.values)
        if self.weights is not None:
            freeze(self.weights)


@dataclass(frozen=True, eq=False)
class DrawnUnits:
    """What a score is the plain mean over, where that is not what its local scores are about: relations.

    Intervals and tests draw these. The parts of one score count a unit that both sides have under one id.
    """

    of: str  # "relation"
    ids: npt.NDArray[Any]
    values: FloatArray
    names: Callable[[], Sequence[Any]]  # beside `ids`: the same in every comparison with one gold standard

    def __post_init__(self) -> None:
        freeze(self.ids)
        freeze(self.values)


@dataclass(frozen=True, eq=False)
class Score:
    """The value of a measure, with local values and counts.

    `value` is nan when undefined, and `undefined` is the reason. A score that is a mean over concepts has the concepts'
    values as `local`; one that is computed from other scores has them as `parts`, and `combine` computes its value.
    """

    value: float
    local: LocalScores | None = None
    counts: Mapping[str, float] = field(default_factory=dict)
    undefined: str | None = None
    parts: tuple[Score, ...] = ()
    combine: Combine | None = None
    empty: float = 0.0  # what the mean of no local value is
    by_property: LocalScores | None = None  # weights: the number of relations
    units: DrawnUnits | None = None  # what is drawn for intervals, if not the units of `local`

    @classmethod
    def impossible(cls, reason: str, **counts: float) -> Score:
        """A score that is not defined here."""
        return cls(math.nan, undefined=reason, counts=counts)

    @classmethod
    def mean(cls, local: LocalScores, *, empty: float = 0.0, **counts: float) -> Score:
        """The average of the local values; `empty` if there are none."""
        return cls(float(local.values.mean()) if len(local.values) else empty, local, counts, empty=empty)

    @classmethod
    def of(cls, combine: Combine, *parts: Score) -> Score:
        """A score computed from others; undefined if one of them is."""
        counts = {name: count for part in parts for name, count in part.counts.items()}
        for part in parts:
            if part.undefined is not None:
                return cls.impossible(part.undefined, **counts)
        value = float(combine(*(part.value for part in parts)))
        return cls(value, counts=counts, parts=parts, combine=combine)


def ratio(part: float, whole: float, *, other: float) -> float:
    """Divide part by whole; without a whole 1 if there is nothing on the other side either, else 0 (C5)."""
    if whole:
        return part / whole
    return 0.0 if other else 1.0


def harmonic(left: Any, right: Any) -> Any:
    """H(a, b) = 2ab / (a + b), number by number; 0 of 0 and 0."""
    total = np.asarray(left, dtype=np.float64) + right
    product = 2.0 * np.asarray(left, dtype=np.float64) * right
    return np.divide(product, total, out=np.zeros_like(total), where=total > 0)


class NamedScore(NamedTuple):
    iri: str
    label: str
    value: float


@dataclass(frozen=True, eq=False)
class Names:
    """IRIs and labels of the units (concepts, instances, pairs, documents) of local scores."""

    iris: Sequence[str]
    label: Callable[[int], str]
    ends: Callable[[int], tuple[Sequence[str], Sequence[str]]] | None = None  # of a pair: the concepts of both sides
    document: Callable[[int], str] | None = None  # of an annotation: its document


@dataclass(frozen=True, eq=False)
class NamedScores:
    """Local scores by IRI and label."""

    of: str
    names: Names
    ids: npt.NDArray[Any]
    values: FloatArray
    best: float | None = 1.0

    def __len__(self) -> int:
        return len(self.values)

    def _named_scores(self, positions: npt.NDArray[Any]) -> list[NamedScore]:
        return [
            NamedScore(self.names.iris[unit], self.names.label(unit), value)
            for unit, value in zip(self.ids[positions].tolist(), self.values[positions].tolist(), strict=True)
        ]

    def all(self) -> list[NamedScore]:
        """Every one, in the order of the ids."""
        return self._named_scores(np.arange(len(self)))

    def worst(self, count: int = 10) -> list[NamedScore]:
        """Those furthest from the best value, ties by IRI."""
        best = 1.0 if self.best is None else self.best
        distance = -self.values if math.isinf(best) else np.abs(self.values - best)
        if count < len(distance):  # those that tie with the last one, too, so that the IRI decides
            limit = np.partition(distance, len(distance) - count)[len(distance) - count] if count > 0 else np.inf
            candidates = np.flatnonzero(distance >= limit)
        else:
            candidates = np.arange(len(distance))
        ordered = sorted(
            zip((-distance[candidates]).tolist(), self._named_scores(candidates), strict=True),
            key=lambda pair: (pair[0], pair[1].iri),
        )
        return [named for _, named in ordered[: max(count, 0)]]

    def to_dict(self) -> dict[str, float]:
        """IRI to value."""
        return {
            self.names.iris[unit]: value for unit, value in zip(self.ids.tolist(), self.values.tolist(), strict=True)
        }


class PropertyScore(NamedTuple):
    """The value of a measure for the relations by one property."""

    iri: str
    label: str
    value: float
    relations: int  # how many were judged


@dataclass(frozen=True, eq=False)
class MeasureResult:
    """A score under the name that was asked for."""

    name: str  # as the user wrote it
    measure: Any  # measures.Measure; results stand left of measures
    score: Score
    local: NamedScores | None = None
    interval: tuple[float, float] | None = None  # bootstrap
    by_property: tuple[PropertyScore, ...] = ()
    no_interval: str | None = None  # why an interval that was asked for is not there

    @property
    def value(self) -> float:
        return self.score.value

    @property
    def counts(self) -> Mapping[str, float]:
        return self.score.counts

    @property
    def undefined(self) -> str | None:
        return self.score.undefined

    @property
    def distance_to_best(self) -> float | None:
        """How far the value is from the best one, less being better; None where there is no better and worse."""
        return None if self.undefined is not None else distance_to_best(self.measure, self.value)

    def spelled(self, spelling: Spelling) -> MeasureResult:
        """The same result, with parameters in the reason as the reader writes them."""
        reason = self.undefined
        if not isinstance(reason, Message):
            return self
        return replace(self, score=replace(self.score, undefined=reason.text(spelling)))

    def facts(self) -> tuple[Any, ...]:
        """All that equality compares: values as texts, so that nan equals nan; no local score is like None."""
        local = None if self.local is None or not len(self.local) else (self.local.of, repr(self.local.all()))
        return repr(self.value), self.undefined, dict(self.counts), self.interval, local, repr(self.by_property)

    @property
    def in_words(self) -> str:
        """`LF 0.719`."""
        return f"{self.name} {'undefined' if self.undefined is not None else format(self.value, '.3f')}"

    def __repr__(self) -> str:
        return f"<{self.name}: {self.undefined or format(self.value, '.4f')}>"


def system_of_file(judged: Source, *others: Source) -> str:
    """Who made what is judged, by the name of its file: `env.TAXI.taxo` beside `env.taxo` is TAXI."""
    name = PurePath(judged.path).name
    beside = name_beside(name, others[0].path, suffix=False) if others else name
    return judged.with_confidence(beside.partition(".")[0] or name)


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationResult:
    """The scores of one task, with what is needed to repeat them.

    Examples
    --------
    >>> import ontoeval as oe
    >>> result = oe.compare("fixtures/dellschaft2006/oc1.ttl", "fixtures/dellschaft2006/or2.ttl", "LP,LR")
    >>> result["LP"].value == result.to_dict()["scores"]["LP"]
    True
    >>> result.save("scores.json")
    >>> [row.kind for row in result.errors()][:1]
    ['missing concept']
    """

    task: str  # "comparison"
    inputs: Mapping[str, Source]  # role ("learned", "gold") -> source
    settings: Mapping[str, Any]  # how the task was set up: the matching and its counts
    scores: tuple[MeasureResult, ...]
    parse: Callable[[str], Any] = field(repr=False)  # a name to a measure, whatever its spelling
    version: str = ""
    started: str = ""
    key: str = ""  # hash of inputs, settings and measures: the same run has the same one
    system: str = ""  # who made what is judged
    warnings: tuple[str, ...] = ()  # why numbers may mislead
    subject: Any = field(default=None, repr=False)  # the task itself; not there when read back from a file

    def __getitem__(self, name: Any) -> MeasureResult:
        for score in self.scores:
            if score.name == name:
                return score
        measure = self.parse(name) if isinstance(name, str) else name
        for score in self.scores:
            if score.measure == measure:
                return score
        names = [score.name for score in self.scores]
        hint = did_you_mean(str(name), names)
        raise UnknownMeasureError(
            f"{str(name)!r} was not computed", advice=f"{hint} Computed: {listed(names)}.".strip(), parameter="name"
        )

    def __iter__(self) -> Iterator[MeasureResult]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __eq__(self, other: object) -> bool:
        """The same scores of the same inputs, however they are called and whenever they were computed."""
        return isinstance(other, EvaluationResult) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self.key)

    def _facts(self) -> tuple[Any, ...]:
        inputs = [(role, s.sha256, s.iri, s.triples, s.format, s.profile) for role, s in self.inputs.items()]
        scores = {str(score.measure): score.facts() for score in self.scores}
        return self.task, self.key, self.system, self.version, inputs, dict(self.settings), scores

    @property
    def judged(self) -> Source:
        """What was judged."""
        return next(iter(self.inputs.values()))

    @property
    def against(self) -> Sequence[Source]:
        """What it was judged against; tables of instances belong to their ontologies."""
        return [source for role, source in self.inputs.items() if not role.endswith("_instances")][1:]

    def spelled(self, spelling: Spelling) -> EvaluationResult:
        """The same result, with the parameters that undefined scores and warnings name as the reader writes them."""
        scores = tuple(score.spelled(spelling) for score in self.scores)
        return replace(self, scores=scores, warnings=tuple(text_for(text, spelling) for text in self.warnings))

    def to_dict(self) -> dict[str, Any]:
        """For JSON: full precision, undefined scores null with their reasons under a key of their own."""
        hashes = {role: source.sha256 for role, source in self.inputs.items() if source.sha256 is not None}
        return {
            "system": self.system,
            **{role: source.path for role, source in self.inputs.items()},
            "sha256": hashes,
            **self.settings,
            "scores": {score.name: plain(score.value) for score in self.scores},
            "canonical_names": {score.name: str(score.measure) for score in self.scores},
            "undefined": {score.name: score.undefined for score in self.scores if score.undefined is not None},
            **({"warnings": list(self.warnings)} if self.warnings else {}),
            "counts": {score.name: {k: plain(v) for k, v in score.counts.items()} for score in self.scores},
            **(
                {"intervals": {s.name: [plain(end) for end in s.interval] for s in self.scores if s.interval}}
                if any(score.interval is not None for score in self.scores)
                else {}
            ),
            **(
                {"no_interval": {s.name: s.no_interval for s in self.scores if s.no_interval}}
                if any(score.no_interval for score in self.scores)
                else {}
            ),
            **(
                {
                    "by_property": {
                        s.name: [row._asdict() for row in s.by_property] for s in self.scores if s.by_property
                    }
                }
                if any(score.by_property for score in self.scores)
                else {}
            ),
        }

    def to_frame(self) -> pd.DataFrame:
        """One row per measure as a pandas DataFrame."""
        rows = [{"value": s.value, "undefined": s.undefined, **dict(s.counts)} for s in self.scores]
        return frame(rows, [score.name for score in self.scores], "measure")

    # for people

    @property
    def given_name(self) -> str | None:
        """Who made what is judged, if it is not what its file is called."""
        return self.system if self.system != system_of_file(*self.inputs.values()) else None

    @property
    def title(self) -> str:
        """Who made what is judged, else its file."""
        return self.system or self.judged.name

    def __repr__(self) -> str:
        wholes = [score for score in self.scores if getattr(score.measure, "family", None)] or list(self.scores)
        texts = [score.in_words for score in wholes[:_SHOWN]] + ["..."] * (len(wholes) > _SHOWN)
        return f"<EvaluationResult {printable(self.title)}: {', '.join(texts)}>"

    def __str__(self) -> str:
        from ontoeval.report.score_tables import result_text

        return result_text(self)

    def _repr_html_(self) -> str:
        from ontoeval.report.score_tables import result_html

        return result_html(self)

    # what is said beyond the scores; not of results that were read from a file

    def task_of(self, kind: str) -> Any:
        """The task, which must be of a kind ("comparison", "extraction") and be there."""
        if self.subject is None:
            raise MissingInputError(
                "only scores were read, not what they were computed of", advice="Compare the files again."
            )
        if self.task != kind:
            raise MissingInputError(f"this says nothing about {_ABOUT[self.task]}", advice=f"Use {_ABOUT[kind]}.")
        return self.subject

    def explain(self, concept: str) -> Explanation:
        """The relations of a concept (IRI, CURIE, name or label) on both sides, and its local scores."""
        from ontoeval.analysis.explain import explain

        return explain(self.task_of("comparison"), concept, [score.measure for score in self])

    def worst(self, count: int = 10, measure: str | Measure | None = None) -> Table[Loss] | Table[LocalLoss]:
        """The concepts that lose most: by relations, as TF_csc counts them, or by the local scores of a measure."""
        from ontoeval.analysis.worst import worst

        return worst(self.task_of("comparison"), count, measure)

    def errors(self) -> Table[ErrorRow]:
        """A row for each missing, novel or moved concept, inverted link, cycle and other difference."""
        from ontoeval.analysis.error_table import error_table

        return error_table(self.task_of("comparison"))

    def per_class(self) -> Table[ClassScore]:
        """Precision, recall and F of each class of annotations, near misses counted as in this result."""
        from ontoeval.analysis.confusion import near_misses_of, per_class

        return per_class(self.task_of("extraction"), *near_misses_of(self))

    def confusions(self, count: int | None = None) -> Table[Confusion]:
        """Which classes of annotations were taken for which, the most costly first: `count` of them, or all."""
        from ontoeval.analysis.confusion import confusions, near_misses_of

        return confusions(self.task_of("extraction"), *near_misses_of(self))[:count]

    def with_intervals(self, *, level: float = 0.95, rounds: int = 1_000, seed: int = 0) -> EvaluationResult:
        """The same result with percentile bootstrap intervals, where scores are made of averages."""
        from ontoeval.analysis.significance import confidence

        return confidence(self, rounds=rounds, level=level, seed=seed)

    def save(self, path: str | Path, *, figure: str | None = None) -> None:
        """Write the scores to a file: .json .csv .tsv .md .tex .svg .pdf .png, or .trig .nq, to which they are added.

        `figure` is "pr", "dots", "hist" or "curve".
        """
        ResultTable([self]).save(path, figure=figure)


@dataclass(frozen=True, eq=False, repr=False)
class ResultTable:
    """Several evaluations side by side: what was judged as rows, measures as columns, the best value marked.

    Examples
    --------
    >>> import ontoeval as oe
    >>> gold = "fixtures/dellschaft2006/or2.ttl"
    >>> learned = ["fixtures/dellschaft2006/oc1.ttl", "fixtures/dellschaft2006/oc2.ttl"]
    >>> table = oe.ResultTable([oe.compare(path, gold, "LP,LR") for path in learned])
    >>> table.rows, table.to_frame().shape
    (('oc1', 'oc2'), (2, 2))
    """

    results: Sequence[EvaluationResult]
    names: Sequence[str] = ()  # of the rows; without them short names of the files
    tests: Sequence[PairTest] | None = None  # of `test`; left and right are places of rows
    better: Mapping[tuple[int, str], Sequence[int]] | None = None  # (row, measure) -> rows that it is better than

    def group(self, by: str | Mapping[str, str] | None = None) -> GroupedTable:
        """Join the runs of one system to one row with mean and standard deviation.

        Parameters
        ----------
        by
            A regular expression: its match is removed from the name of each run (its path without the suffix, or one of
            `names`), and runs whose remaining names are equal are one system. "auto": a final number, with or without
            `seed`, `run` or `fold`. "runs.csv:model": a file with the run in its first column and the system in the
            column `model`. A mapping of runs to systems. None: runs with the same `system` are one.

        Returns
        -------
        GroupedTable
            A row for each system; `results` have its name as `system`, and their own under `run` of the settings.

        Examples
        --------
        >>> import ontoeval as oe
        >>> gold = oe.Ontology.from_edges([("car", "vehicle"), ("bike", "vehicle")])
        >>> runs = [[("car", "vehicle")], [("car", "vehicle"), ("bike", "vehicle")], [("car", "bike")], [("car", "x")]]
        >>> tasks = [oe.Comparison(run, gold, oe.match(run, gold)) for run in map(oe.Ontology.from_edges, runs)]
        >>> table = oe.ResultTable([oe.evaluate(task, "LF") for task in tasks], ["a_1", "a_2", "b_1", "b_2"])
        >>> print(table.group("auto").to_text(), end="")
              LF
          a   0.900 ±.141*
          b   0.600 ±.283
        """
        from ontoeval.analysis.groups import with_systems

        return with_systems(self, by)

    def test(
        self,
        baseline: str | None = None,
        *,
        measures: Sequence[str] | None = None,
        rounds: int | None = None,
        seed: int = 0,
    ) -> ResultTable:
        """Test the differences of every two rows by paired randomisation over concepts, instances or documents.

        Parameters
        ----------
        baseline
            The row that each other one is tested against, by its name; None: every two rows.
        measures
            Only these.
        rounds
            Randomisations of a test, by default 10,000, and draws of an interval, by default 1,000.
        seed
            Of the random numbers.

        Returns
        -------
        ResultTable
            With `tests` (p corrected by Holm's method within a measure); texts for people have letters: of the rows
            that a value is significantly better than (p < .05).

        Examples
        --------
        >>> import ontoeval as oe
        >>> gold = oe.Ontology.from_edges([(f"c{n}", "root") for n in range(20)])
        >>> learned = [oe.Ontology.from_edges([(f"c{n}", "root") for n in range(size)]) for size in (20, 4)]
        >>> tasks = [oe.Comparison(one, gold, oe.match(one, gold)) for one in learned]
        >>> print(oe.ResultTable([oe.evaluate(task, "LR") for task in tasks], ["all", "few"]).test().to_text(), end="")
                  LR
          a all   1.000*b
          b few   0.238
        """
        from ontoeval.analysis.significance import with_paired_tests

        return with_paired_tests(self, baseline, measures=measures, rounds=rounds, seed=seed)

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the columns, in the order in which they first came."""
        return tuple(dict.fromkeys(score.name for result in self.results for score in result.scores))

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of what was judged, short and unique, each with the least confidence if there is one."""
        return self.run_names or self._names_of_files

    @property
    def run_names(self) -> tuple[str, ...]:
        """The names that were given to all runs: `names`, else `name` of each comparison; none if some are equal."""
        given = tuple(name for result in self.results if (name := result.given_name))
        differ = len(set(given)) == len(self.results) and given != self._names_of_files
        return tuple(self.names) or (given if differ else ())

    @property
    def _names_of_files(self) -> tuple[str, ...]:
        sources = [result.judged for result in self.results]
        names = short_names([source.path for source in sources])
        return tuple(source.with_confidence(name) for source, name in zip(sources, names, strict=True))

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of what was judged, for programs, each with the least confidence if there is one."""
        return tuple(result.judged.name for result in self.results)

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the rows for people, behind their letters if there are some."""
        if self.better is None:
            return self.rows
        return tuple(f"{letter} {name}" for letter, name in zip(ascii_letters, self.rows, strict=False))

    def place_of(self, name: str, what: str = "runs") -> int:
        """The place of the row of this name, path, file or system; ParameterError if there is none."""
        systems = [result.system for result in self.results]
        for known in (self.rows, self.paths, [PurePath(path).name for path in self.paths], systems):
            if list(known).count(name) == 1:
                return list(known).index(name)
        hint = did_you_mean(name, dict.fromkeys([*self.rows, *self.paths]))
        raise ParameterError(
            f"{name!r} is not one of the {what}",
            advice=f"{hint} Use one of: {listed(self.rows)}.".strip(),
            parameter="baseline",
        )

    def render(self, layout: Layout | str = Layout.TABLE, *, title: str = "", precision: int = 3) -> str:
        """The table as text; a terminal that is too narrow for it has measures as rows."""
        layout = Layout.named(layout)
        columns: list[list[Cell]] = [list(self.column(name)) for name in self.measures]
        header = ["", *self.measures]
        if not layout.for_people:
            header, columns = self._exact_columns()
        names = self.heads if layout.for_people else self.paths
        cells = [[name, *(column[i] for column in columns)] for i, name in enumerate(names)]
        return render(title, header, cells, layout, precision=precision)

    def save(self, path: str | Path, *, figure: str | None = None) -> None:
        """Write the table to a file: .json .csv .tsv .md .tex, the figure to .svg .pdf .png; .trig .nq are added to."""
        from ontoeval.output import save_table

        save_table(self, path, figure)

    def to_text(self) -> str:
        """For a terminal."""
        return self.render(Layout.TABLE)

    def to_markdown(self) -> str:
        """For a README."""
        return self.render(Layout.MARKDOWN)

    def to_latex(self) -> str:
        """For a paper."""
        return self.render(Layout.LATEX)

    def to_tsv(self) -> str:
        """For a spreadsheet, at full precision."""
        return self.render(Layout.TSV)

    def to_csv(self) -> str:
        """For a spreadsheet, at full precision."""
        return self.render(Layout.CSV)

    def to_frame(self) -> pd.DataFrame:
        """A pandas DataFrame: a row for each thing judged, a column for each measure."""
        rows = [{score.name: score.value for score in result.scores} for result in self.results]
        return frame(rows, self.paths, self.results[0].task if self.results else "")

    def __repr__(self) -> str:
        runs, measures = number_of(len(self.results), "result", "results"), listed(self.measures)
        return f"<ResultTable of {runs}: {measures}>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        columns = [self.column(name) for name in self.measures]
        cells: list[list[Cell]] = [[name, *row] for name, *row in zip(self.rows, *columns, strict=True)]
        return in_notebook(TextTable("", ["", *self.measures], cells))

    def _scores(self, name: str) -> list[MeasureResult | None]:
        return [next((score for score in result.scores if score.name == name), None) for result in self.results]

    def column(self, name: str) -> list[Value | None]:
        """The values of a measure, the best marked; None where it is undefined or was not computed."""
        scores = self._scores(name)
        best = are_best([None if score is None else score.distance_to_best for score in scores])
        return [
            None
            if score is None or score.undefined is not None
            else Value(score.value, best=best[row], interval=score.interval, letters=self.letters(row, name))
            for row, score in enumerate(scores)
        ]

    def letters(self, row: int, measure: str) -> str:
        """The letters of the rows that this one is significantly better than."""
        return "".join(ascii_letters[loser] for loser in (self.better or {}).get((row, measure), ()))

    def _exact_columns(self) -> tuple[list[str], list[list[Cell]]]:
        """Full precision; intervals get two columns of their own."""
        header: list[str] = [""]
        columns: list[list[Cell]] = []
        for name in self.measures:
            scores = self._scores(name)
            header.append(name)
            columns.append([None if s is None or s.undefined is not None else s.value for s in scores])
            if any(score is not None and score.interval is not None for score in scores):
                for end, bound in enumerate(("low", "high")):
                    header.append(f"{name} {bound}")
                    columns.append([s.interval[end] if s is not None and s.interval else None for s in scores])
        return header, columns


def distance_to_best(measure: Any, value: float) -> float | None:
    """How far a value is from the best one, less being better; None where there is no better and worse."""
    best: float | None = getattr(measure, "best", None)
    if best is None:
        return None
    return -value if math.isinf(best) else abs(value - best)


def are_best(distances: Sequence[float | None]) -> list[bool]:
    """Which values are nearest to the best one: none if all are equally near, or have no distance."""
    defined = [distance for distance in distances if distance is not None]
    least = min(defined) if len(set(defined)) > 1 else None
    return [least is not None and distance == least for distance in distances]


def plain(value: float) -> float | str | None:
    """A number as JSON can write it."""
    if isinstance(value, np.generic):
        value = value.item()
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value
