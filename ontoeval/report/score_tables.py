"""Scores for people: `one_run_table`, `runs_table` with letters of significance; `shown_measures`, `legend`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_letters
from typing import NamedTuple

from ontoeval.measures import default_measures
from ontoeval.measures.registry import Family
from ontoeval.results import EvaluationResult, MeasureResult, ResultTable
from ontoeval.tables import Cell, Layout, Value, render

MOST_LETTERED = len(ascii_letters)  # runs that letters can name


class ScoredFamily(NamedTuple):
    """The scores of one row: precision, recall and F-measure."""

    family: Family
    precision: MeasureResult
    recall: MeasureResult
    f: MeasureResult


def scored_families(result: EvaluationResult) -> list[ScoredFamily]:
    """The rows of a result in which every score belongs to an F-measure with its precision and recall; else none."""
    scores = {str(score.measure): score for score in result.scores}
    rows = []
    for score in result.scores:
        preset = score.measure.preset
        family = preset.family if str(score.measure) == preset.name else None  # with parameters it is another one
        if family is not None and family.precision in scores and family.recall in scores:
            rows.append(ScoredFamily(family, scores[family.precision], scores[family.recall], score))
    whole = {id(score) for row in rows for score in row[1:]} == {id(score) for score in result.scores}
    return rows if whole else []


def shown_measures(results: Sequence[EvaluationResult]) -> list[str]:
    """The measures that a table of several runs has as columns: of whole families the F-measures, else all."""
    families = [row.f.name for row in scored_families(results[0])]
    return families or list(ResultTable(results).measures)


def legend(result: EvaluationResult) -> str | None:
    """What the measures of the default set are about: `LF concepts, EdgeF links`; None for others."""
    rows = scored_families(result)
    measures = [score.measure for score in result.scores]
    if not rows or measures != list(default_measures(measures[0].definition.task)):
        return None
    return ", ".join(f"{row.f.name} {row.family.word.lower()}" for row in rows)


def one_run_table(result: EvaluationResult, title: str, digits: int) -> str:
    """A row for each family of measures with precision, recall and F-measure; of other lists a row for each measure."""
    rows = scored_families(result)
    cells: list[list[Cell]]
    if not rows:
        cells = [[score.name, _value(score), score.measure.preset.label] for score in result.scores]
        return render(title, ["", "", ""], cells, Layout.TABLE, precision=digits)
    header = ["", "precision", "recall", "F"]
    cells = [[row.family.word, *map(_value, row[1:])] for row in rows]
    if not any(score.interval for score in result.scores):  # with intervals the table is as wide as a terminal
        header += ["", ""]
        for line, row in zip(cells, rows, strict=True):
            line += [row.f.name, row.family.meaning]
    return render(title, header, cells, Layout.TABLE, precision=digits)


def _value(score: MeasureResult) -> Value | None:
    return None if score.undefined is not None else Value(score.value, interval=score.interval)


def runs_table(
    table: ResultTable,
    title: str,
    layout: Layout,
    digits: int,
    *,
    counts: Mapping[str, Sequence[int]],
    better: Mapping[tuple[int, str], Sequence[int]] | None = None,
) -> str:
    """A row for each run, a column for each measure that is shown and for each of the `counts`.

    `better`: (place of a run, measure) -> the runs that it is significantly better than; they are named by letters.
    """
    measures = shown_measures(table.results)
    names = list(table.rows)
    columns: list[Sequence[Cell]] = []
    for measure in measures:
        values = table.column(measure)
        if better is not None:
            losers = [better.get((place, measure), ()) for place in range(len(values))]
            texts = ["".join(ascii_letters[place] for place in places) for places in losers]
            values = [value and replace(value, letters=text) for value, text in zip(values, texts, strict=True)]
        columns.append(values)
    if better is not None:
        names = [f"{letter} {name}" for letter, name in zip(ascii_letters, names, strict=False)]
    columns += counts.values()
    cells = [[name, *row] for name, *row in zip(names, *columns, strict=True)]
    return render(title, ["", *measures, *counts], cells, layout, precision=digits)
