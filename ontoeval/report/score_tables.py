"""Scores for people: `one_run_table`, `runs_table`; `shown_measures`, `legend`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ontoeval.measures import Measure, default_measures, parse
from ontoeval.measures.registry import Family
from ontoeval.results import EvaluationResult, MeasureResult, ResultTable
from ontoeval.tables import Cell, Layout, TextTable, Value, file_names, in_notebook, render


class ScoredFamily(NamedTuple):
    """The scores of one row: precision, recall and F-measure."""

    family: Family
    precision: MeasureResult
    recall: MeasureResult
    f: MeasureResult


def scored_families(result: EvaluationResult) -> list[ScoredFamily]:
    """The rows of a result in which every score belongs to an F-measure with its precision and recall; else none."""
    rows = []
    for score in result.scores:
        family = score.measure.family
        if family is not None:
            parts = [_part(result, name, score.measure) for name in (family.precision, family.recall)]
            if parts[0] is not None and parts[1] is not None:
                rows.append(ScoredFamily(family, parts[0], parts[1], score))
    whole = {id(score) for row in rows for score in row[1:]} == {id(score) for score in result.scores}
    return rows if whole else []


def _part(result: EvaluationResult, name: str, whole: Measure) -> MeasureResult | None:
    """The score of the measure `name` with the parameters of the whole F-measure."""
    function = parse(name).definition.function
    for score in result.scores:
        parameters = score.measure.parameters
        shared = parameters.keys() & whole.parameters.keys()
        if score.measure.definition.function is function and all(
            parameters[key] == whole.parameters[key] for key in shared
        ):
            return score
    return None


def is_default_set(result: EvaluationResult) -> bool:
    """Whether the measures are those that are computed if none is named."""
    measures = [score.measure for score in result.scores]
    return bool(measures) and measures == list(default_measures(measures[0].definition.task))


def shown_measures(results: Sequence[EvaluationResult], *, default: bool) -> list[str]:
    """The measures that a table of several runs has as columns: by default the F-measure of each family.

    Measures that the user named (`default` is false) are all shown.
    """
    families = [row.f.name for row in scored_families(results[0])] if default else []
    return families or list(ResultTable(results).measures)


def legend(result: EvaluationResult) -> str:
    """What the F-measures are about: `LF concepts, EdgeF links`; empty for other measures."""
    return ", ".join(f"{row.f.name} {row.family.word.lower()}" for row in scored_families(result))


def one_run_table(result: EvaluationResult, title: str, digits: int) -> str:
    """A row for each family of measures with precision, recall and F-measure; of other lists a row for each measure."""
    return Layout.TABLE.write(_one_run(result, title, digits))


def result_text(result: EvaluationResult) -> str:
    """The scores of a result for a terminal."""
    return one_run_table(result, _title(result), 3)


def result_html(result: EvaluationResult) -> str:
    """The scores of a result for a notebook."""
    return in_notebook(_one_run(result, _title(result), 3))


def _title(result: EvaluationResult) -> str:
    against = file_names([source.path for source in result.against])[:1]
    return " against ".join([result.title, *against])


def _one_run(result: EvaluationResult, title: str, digits: int) -> TextTable:
    if not all(
        isinstance(score.measure, Measure) for score in result.scores
    ):  # read back, of a plug-in that is not here
        return TextTable(title, ["", ""], [[score.name, _value(score)] for score in result.scores], digits)
    rows = scored_families(result)
    cells: list[list[Cell]]
    if not rows:
        cells = [[score.name, _value(score), score.measure.label] for score in result.scores]
        return TextTable(title, ["", "", ""], cells, digits)
    header = ["", "precision", "recall", "F"]
    cells = [[row.family.word, *map(_value, row[1:])] for row in rows]
    if not any(score.interval for score in result.scores):  # with intervals the table is as wide as a terminal
        header += ["", ""]
        for line, row in zip(cells, rows, strict=True):
            line += [row.f.name, row.family.meaning]
    return TextTable(title, header, cells, digits)


def _value(score: MeasureResult) -> Value | None:
    return None if score.undefined is not None else Value(score.value, interval=score.interval)


def runs_table(
    table: ResultTable,
    title: str,
    layout: Layout,
    digits: int,
    *,
    measures: Sequence[str],
    counts: Mapping[str, Sequence[int]],
) -> str:
    """A row for each run or system, a column for each of the `measures` and of the `counts`."""
    columns: list[Sequence[Cell]] = [*map(table.column, measures), *counts.values()]
    cells = [[name, *row] for name, *row in zip(table.heads, *columns, strict=True)]
    return render(title, ["", *measures, *counts], cells, layout, precision=digits)
