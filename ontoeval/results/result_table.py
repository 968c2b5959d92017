"""`ResultTable`: several evaluations side by side, the best marked; tested, grouped, saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from string import ascii_letters
from typing import TYPE_CHECKING

from ontoeval.errors import (
    ParameterError,
    did_you_mean,
    listed,
    number_of,
)
from ontoeval.tables import Cell, Layout, TextTable, Value, frame, in_notebook, render, short_names

if TYPE_CHECKING:
    import pandas as pd

    from ontoeval.analysis.groups import GroupedTable
    from ontoeval.analysis.pair_tests import PairTest

from ontoeval.results.evaluation_result import EvaluationResult, MeasureResult
from ontoeval.results.scores import are_best


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
        """Join the runs of a system into one row with mean and standard deviation.

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
        """Test the differences of each pair of rows by paired randomisation over concepts, instances or documents.

        Parameters
        ----------
        baseline
            The row that each other one is tested against, by its name; None: each pair of rows.
        measures
            Only these.
        rounds
            Randomisations of a test, by default 10,000, and draws of an interval, by default 1,000.
        seed
            Of the random numbers.

        Returns
        -------
        ResultTable
            With `tests` (p corrected by Holm's method within a measure); the text layouts show the letters of the
            rows that a value is significantly better than (p < .05).

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
