"""Runs of one system: `with_systems` (which run is whose), `GroupedTable` (mean, deviation; tests: group_tests.py)."""

from __future__ import annotations

import hashlib
import math
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.analysis.group_tests import TestName, group_tests
from ontoeval.analysis.pair_tests import PAIRED_ROUNDS, with_letters
from ontoeval.errors import MissingInputError, ParameterError, listed, number_of
from ontoeval.load.input import PACKED
from ontoeval.load.tables.run_systems import load_run_systems
from ontoeval.results import EvaluationResult, MeasureResult, ResultTable, Score, are_best, distance_to_best, plain
from ontoeval.tables import Cell, Layout, Value, render, short_names

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = ("system", "measure", "mean", "sd", "n", "undefined", "values")
_SIGNS = "/._-# ="  # what stands between the words of a name
_AUTO = re.compile(rf"[{re.escape(_SIGNS)}]*(?:seed|run|fold)?[{re.escape(_SIGNS)}]*\d+$", re.IGNORECASE)
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]*$")  # `.5` is a part of the name
_FILE = re.compile(r"(.+\.(?:csv|tsv|txt)):(.*)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class SystemScore:
    """A measure over the runs of a system."""

    measure: Any
    values: tuple[float, ...]  # of the runs in which it is defined
    undefined: int  # runs in which it is not

    @property
    def n(self) -> int:
        return len(self.values)

    @cached_property
    def mean(self) -> float | None:
        """None without values; correctly rounded, so that equal runs have equal means however many they are."""
        infinite = {value for value in self.values if math.isinf(value)}
        if infinite:
            return infinite.pop() if len(infinite) == 1 else None
        return statistics.mean(self.values) if self.values else None

    @cached_property
    def sd(self) -> float | None:
        """The standard deviation with n - 1; None of fewer than two values, or of infinite ones."""
        return statistics.stdev(self.values) if self.n > 1 and all(map(math.isfinite, self.values)) else None

    @property
    def distance_to_best(self) -> float | None:
        """How far the mean is from the best value, less being better."""
        return None if self.mean is None else distance_to_best(self.measure, self.mean)


@dataclass(frozen=True, eq=False, repr=False)
class GroupedTable(ResultTable):
    """Systems as rows: of each measure the mean and the standard deviation (n - 1) over the runs of a system.

    Undefined scores are left out and counted. `results` are those of the runs; their `system` says whose they are.
    """

    def __repr__(self) -> str:
        return f"<GroupedTable of {len(self.runs)} systems, {len(self.results)} runs: {listed(self.measures)}>"

    @cached_property
    def runs(self) -> dict[str, list[EvaluationResult]]:
        """The runs of each system."""
        systems: dict[str, list[EvaluationResult]] = {}
        for result in self.results:
            systems.setdefault(result.system, []).append(result)
        return systems

    @property
    def rows(self) -> tuple[str, ...]:
        """The systems."""
        return tuple(self.runs)

    @property
    def paths(self) -> tuple[str, ...]:
        """The systems, which have no path."""
        return self.rows

    @cached_property
    def systems(self) -> list[dict[str, SystemScore]]:
        """The scores of each system by measure."""
        return [
            {name: _system_score([_score(run, name) for run in runs]) for name in self.measures}
            for runs in self.runs.values()
        ]

    @property
    def means(self) -> list[EvaluationResult]:
        """A result for each system, with the means as scores."""
        return [
            replace(runs[0], system=system, scores=tuple(_mean_result(*score) for score in scores.items()))
            for (system, runs), scores in zip(self.runs.items(), self.systems, strict=True)
        ]

    def test(
        self,
        baseline: str | None = None,
        *,
        test: TestName = "permutation",
        measures: Sequence[str] | None = None,
        rounds: int | None = None,
        seed: int = 0,
    ) -> GroupedTable:
        r"""Test the differences of the means of each pair of systems; the runs are the sample.

        Parameters
        ----------
        baseline
            The system that each other one is tested against; None: each pair of systems.
        test
            "permutation": all ways to divide the runs of two systems anew, or a sample of `rounds` of them where there
            are more than 200,000. "welch": Welch's t-test.
        measures
            Only these.
        rounds
            Size of a sample, by default 10,000.
        seed
            Of the random numbers.

        Returns
        -------
        GroupedTable
            With `tests` (p corrected by Holm's method within a measure); the text layouts show the letters of the
            systems that a mean is significantly better than (p < .05).

        Examples
        --------
        >>> import ontoeval as oe
        >>> gold = oe.Ontology.from_edges([(f"c{n}", "root") for n in range(20)])
        >>> sizes = [17, 18, 19, 20, 3, 4, 5, 6]
        >>> runs = [oe.Ontology.from_edges([(f"c{n}", "root") for n in range(size)]) for size in sizes]
        >>> results = [oe.evaluate(oe.Comparison(run, gold, oe.match(run, gold)), "LR") for run in runs]
        >>> table = oe.ResultTable(results, [f"{system}{run}" for system in ("good", "bad") for run in range(4)])
        >>> print(table.group("auto").test().to_latex(), end="")
        \begin{tabular}{lr}
        \toprule
         & LR \\
        \midrule
        a good & \textbf{0.929} {\scriptsize$\pm$.061}$^{b}$ \\
        b bad & 0.262 {\scriptsize$\pm$.061} \\
        \bottomrule
        \end{tabular}
        """
        tests = group_tests(
            self.systems,
            baseline=None if baseline is None else self.place_of(baseline, "systems"),
            test=test,
            measures=self.measures if measures is None else measures,
            rounds=PAIRED_ROUNDS if rounds is None else rounds,
            seed=seed,
        )
        return with_letters(replace(self, tests=tests), self.systems)

    def column(self, name: str) -> list[Value | None]:
        """The means of a measure with their deviations, the best marked; None where no run has a score."""
        scores = [system[name] for system in self.systems]
        best = are_best([score.distance_to_best for score in scores])
        return [
            None if score.mean is None else Value(score.mean, best[row], letters=self.letters(row, name), sd=score.sd)
            for row, score in enumerate(scores)
        ]

    def render(self, layout: Layout | str = Layout.TABLE, *, title: str = "", precision: int = 3) -> str:
        """The table as text; for programs a row for each system and measure, at full precision."""
        layout = Layout.named(layout)
        if layout.for_people:
            return super().render(layout, title=title, precision=precision)
        rows: list[list[Cell]] = [[*row[:-1], " ".join(map(repr, row[-1]))] for row in self._exact_rows()]
        return render(title, _COLUMNS, rows, layout, precision=precision)

    def to_dict(self) -> list[dict[str, Any]]:
        """For JSON: each system with its runs, and its scores by measure."""
        return [
            {
                "system": system,
                "runs": [run.judged.name for run in runs],
                "scores": {
                    name: {
                        "mean": None if score.mean is None else plain(score.mean),
                        "sd": score.sd,
                        "n": score.n,
                        "undefined": score.undefined,
                        "values": [_plain_value(_score(run, name)) for run in runs],
                    }
                    for name, score in scores.items()
                },
            }
            for (system, runs), scores in zip(self.runs.items(), self.systems, strict=True)
        ]

    def to_frame(self) -> pd.DataFrame:
        """A pandas DataFrame: a row for each system and measure with mean, sd, n, undefined and the values."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingInputError("to_frame() needs pandas", advice="Run `pip install pandas`.") from None
        return pd.DataFrame(self._exact_rows(), columns=list(_COLUMNS)).set_index(list(_COLUMNS[:2]))

    def _exact_rows(self) -> list[list[Any]]:
        return [
            [system, name, score.mean, score.sd, score.n, score.undefined, score.values]
            for system, scores in zip(self.rows, self.systems, strict=True)
            for name, score in scores.items()
        ]


def _mean_result(name: str, score: SystemScore) -> MeasureResult:
    value = Score.impossible("no run has a score") if score.mean is None else Score(score.mean)
    return MeasureResult(name, score.measure, value)


def _score(run: EvaluationResult, name: str) -> MeasureResult | None:
    return next((score for score in run.scores if score.name == name), None)


def _plain_value(score: MeasureResult | None) -> float | str | None:
    return None if score is None or score.undefined is not None else plain(score.value)


def _system_score(scores: Sequence[MeasureResult | None]) -> SystemScore:
    values = [score.value for score in scores if score is not None and score.undefined is None]
    defined = tuple(value for value in values if not math.isnan(value))
    measure = next((score.measure for score in scores if score is not None), None)
    return SystemScore(measure, defined, len(scores) - len(defined))


def with_systems(table: ResultTable, by: str | Mapping[str, str] | None) -> GroupedTable:
    """The table of the systems (`ResultTable.group` says how `by` names them).

    The runs have the system in place of their own name, which their settings keep.
    """
    if len({tuple(source.sha256 or source.path for source in result.against) for result in table.results}) > 1:
        problem = "the runs were scored against different gold standards"
        raise ParameterError(problem, advice="Group the runs of one gold standard.", parameter="group")
    if by is None:
        _refuse_single_runs([result.system for result in table.results])
        return GroupedTable(table.results)
    sources = [result.judged for result in table.results]
    names = system_names([source.path for source in sources], by, table.run_names)
    if not table.run_names:
        names = [source.with_confidence(name) for source, name in zip(sources, names, strict=True)]
    _refuse_single_runs(names)
    return GroupedTable([_of_system(*row) for row in zip(table.results, names, table.rows, strict=True)])


def check_systems(paths: Sequence[str], by: str, names: Sequence[str] = ()) -> None:
    """ParameterError or LoadError unless runs of these paths, or names, can be joined to systems."""
    _refuse_single_runs(system_names(paths, by, names))


def system_names(paths: Sequence[str], by: str | Mapping[str, str], names: Sequence[str] = ()) -> list[str]:
    """The name of the system of each run, from the names of the runs; without those from their paths."""
    if isinstance(by, Mapping):
        return _systems_of(by, paths, names)
    file = _FILE.fullmatch(by)
    if file is None:
        return _names_without(names or list(map(_without_suffix, paths)), by, short=not names)
    return _systems_of(load_run_systems(file[1], file[2]), paths, names, place=file[1])


def _systems_of(
    systems: Mapping[str, str], paths: Sequence[str], names: Sequence[str], place: str | None = None
) -> list[str]:
    """The system of each run; ParameterError if one has none."""
    found = [_system_of(systems, *run) for run in zip(names or short_names(paths), paths, strict=True)]
    missing = [path for path, system in zip(paths, found, strict=True) if system is None]
    if missing:
        raise ParameterError(
            f"{number_of(len(missing), 'run has', 'runs have')} no system: {listed(missing)}",
            place=place,
            advice="Add each run by its path, its file's name or the name of its row.",
            parameter="group",
        )
    return [str(system) for system in found]


def _refuse_single_runs(systems: Sequence[str]) -> None:
    if len(systems) == 1:
        raise ParameterError(
            f"there is only one run: {systems[0]}", advice="Give several runs of a system.", parameter="group"
        )
    if systems and len(set(systems)) == len(systems):
        problem = f"each of the {len(systems):,} runs is a system of its own: {listed(systems)}"
        raise ParameterError(problem, advice="Use a pattern or a file that gives runs one name.", parameter="group")


def _of_system(result: EvaluationResult, system: str, run: str) -> EvaluationResult:
    """The result as one of a system; two equal runs of it stay two, for they are told apart by their own names."""
    key = hashlib.sha256(f"{result.key} {system} {run}".encode()).hexdigest()
    return replace(result, system=system, settings={**result.settings, "run": run}, key=key)


def _system_of(systems: Mapping[str, str], row: str, path: str) -> str | None:
    """The system of a run that is called as its row, its path or its file, with or without its suffix."""
    file = Path(path).name
    names = (row, path, _without_suffix(path), file, _without_suffix(file))
    return next((systems[name] for name in names if name in systems), None)


def _pattern(text: str) -> re.Pattern[str]:
    if text == "auto":
        return _AUTO
    try:
        return re.compile(text)
    except re.error as error:
        problem = f"'{text}' is not a regular expression: {error}"
        raise ParameterError(problem, advice=r"Use e.g. '_seed\d+'.", parameter="group") from None


def _names_without(runs: Sequence[str], by: str, *, short: bool) -> list[str]:
    """The names of the runs without the match, and without the signs that stood beside it."""
    pattern = _pattern(by)
    remaining = [_without_match(pattern, run) for run in runs]
    if remaining == list(runs):
        problem = "no run name ends in a number" if by == "auto" else f"no run name matches '{by}'"
        problem = f"{problem}: {listed(runs)}"
        raise ParameterError(problem, advice=r"Use e.g. '_seed\d+', or a file: runs.csv:COLUMN.", parameter="group")
    empty = [run for run, rest in zip(runs, remaining, strict=True) if not rest]
    if empty:
        problem = f"nothing is left of the name {empty[0]!r} without '{by}'"
        raise ParameterError(problem, advice="Use a pattern that leaves the name of the system.", parameter="group")
    return short_names(remaining) if short else remaining


def _without_match(pattern: re.Pattern[str], run: str) -> str:
    """The name without the match; at its ends also without the signs that stood beside the match."""
    remaining = pattern.sub("", run)
    if remaining == run:
        return run
    if run.startswith(remaining):
        return remaining.rstrip(_SIGNS)
    return remaining.lstrip(_SIGNS) if run.endswith(remaining) else remaining


def _without_suffix(path: str) -> str:
    """The path without the ending that tells the format, also below that of a compressed file."""
    path = path.rstrip("/")
    for packed in PACKED:
        path = path.removesuffix(packed)
    return _SUFFIX.sub("", path)
