"""Steps of `ontoeval compare` (loads, matches: `TwoSides`, inputs.py; prints: report/comparison.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from ontoeval.analysis.group_tests import TestName
from ontoeval.analysis.groups import check_systems
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import note, warning
from ontoeval.cli.steps.checks import Limits, fail_under, file_layout, measure_names, with_checks
from ontoeval.cli.steps.figures import FigureFiles
from ontoeval.cli.steps.grouping import check_group, table_with_tests
from ontoeval.cli.steps.inputs import TwoSides, evaluate_task
from ontoeval.cli.steps.output import FIGURES
from ontoeval.cli.steps.printing import echo_notes, json_text
from ontoeval.cli.steps.storing import Storing
from ontoeval.errors import ParameterError
from ontoeval.evaluation import RELATION_MEASURES, named_measures, needs_relations, scores_relations
from ontoeval.matching.matching import MatchedPair, ambiguous_matches
from ontoeval.output import write_text
from ontoeval.report.comparison import ComparisonReport, check_one_table
from ontoeval.report.local_scores import local_table
from ontoeval.report.score_tables import is_default_set, shown_measures
from ontoeval.results import ResultTable
from ontoeval.tables import Layout, short_names
from ontoeval.tasks.comparison import Comparison


def compare(learned: tuple[str, ...], gold: str, measures: tuple[str, ...], ignore_novel: bool, worst: int | None,
            explained: tuple[str, ...], with_errors: bool, per: str | None, with_confidence: bool, top: int,
            significance: bool, baseline: str | None, group: str | None, test: TestName | None, rounds: int | None, seed: int,
            local: str | None, limits: tuple[str, ...], figure: str | None, layout: Layout, digits: int,
            **options: Any) -> None:  # fmt: skip
    """Load, match, evaluate; then write and print."""
    storing = Storing(options, own=FIGURES)
    figures = FigureFiles(storing.outputs, figure)
    significance |= baseline is not None or test is not None
    check_group(group, test, with_confidence=with_confidence)
    details = {"significance": significance, "explain": explained, "worst": worst, "per": per, "errors": with_errors}
    _check_one_table(storing, layout, [name for name, wanted in details.items() if wanted])
    thresholds = Limits(limits)
    names = measure_names(measures) or [name for name, _ in named_measures(None, Comparison)]
    if per is not None and not any(scores_relations(measure) for _, measure in named_measures(names, Comparison)):
        names += RELATION_MEASURES
    computed = thresholds.with_saved(
        named_measures([*names, *thresholds.least], Comparison), Comparison
    )  # refused before anything is loaded
    options["other_relations"] |= needs_relations(computed)
    local_layout = None if local is None else file_layout(local, "--local")
    sides = TwoSides(options, learned, gold)
    if significance and len(sides.learned) < 2:
        option = "--baseline" if baseline is not None else "--significance"
        raise click.UsageError(f"{option} needs at least two runs.")
    thresholds_differ = sides.has_thresholds and group is None
    figures.check([m for _, m in computed], has_thresholds=thresholds_differ, is_grouped=group is not None)
    systems = storing.names_for(len(sides.learned))
    if group is not None:
        check_systems(sides.learned, group, storing.names)
    tasks, ambiguous = _tasks(sides, ignore_novel=ignore_novel)
    results = [
        evaluate_task(task, computed, system=name, with_confidence=with_confidence, rounds=rounds, seed=seed)
        for task, name in zip(tasks, _row_names(systems, tasks), strict=True)
    ]
    table: ResultTable = ResultTable(results, [name for name in systems if name is not None])
    names_of_rows, table = table.names, (table if group is None else table.group(group))
    if significance:
        shown = shown_measures(results, default=is_default_set(results[0])) if layout.for_people else None
        table = table_with_tests(table, baseline, test, measures=shown, rounds=rounds, seed=seed)
    is_default = click.get_current_context().get_parameter_source("top") is ParameterSource.DEFAULT
    report = ComparisonReport(tasks, table, explained, worst, with_errors, per is not None,
                              None if is_default else top, names_of_rows, ambiguous, bool(measures))  # fmt: skip

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text(with_checks(report.document(), checks))
        return report.text(layout, digits, option_spelling)

    def write_others() -> None:
        storing.write(table.results)
        figures.write(table)
        if local is not None and local_layout is not None:
            write_text(local, local_table(table.results, local_layout))

    checks = thresholds.check(table.results)
    remarks = list(report.remarks(option_spelling, instances_given=sides.instances_given, ignore_novel=ignore_novel))
    for line in (remark.text for remark in remarks if remark.kind == "warning"):  # before JSON, which holds them
        warning(line)
    storing.outputs.write(text, layout, write_others)
    for line in (remark.text for remark in remarks if remark.kind == "note"):
        note(line)
    fail_under(checks)


def _check_one_table(storing: Storing, layout: Layout, details: Sequence[str]) -> None:
    """Refuse two details where a file or the output holds one table."""
    for written in (layout, *(of_file for _, of_file in storing.outputs.tables)):
        try:
            check_one_table(written, details)
        except ParameterError as error:
            raise click.UsageError(error.text(option_spelling)) from None


def _row_names(names: Sequence[str | None], tasks: Sequence[Comparison]) -> Sequence[str | None]:
    """A system is named as its row: two files taxonomy.tsv are two systems."""
    sources = [task.learned.source for task in tasks]
    if len({source.path for source in sources}) == 1 or names[0] is not None:
        return names
    rows = short_names([source.path for source in sources])
    return [source.with_confidence(row) for source, row in zip(sources, rows, strict=True)]


def _tasks(sides: TwoSides, *, ignore_novel: bool) -> tuple[list[Comparison], list[list[MatchedPair]]]:
    """Load and match, and print what was noticed; with the ambiguous matches, also of concepts that are left out."""
    gold = sides.read_gold(f"gold {sides.gold}")
    tasks, ambiguous = [], []
    for place, path in enumerate(sides.learned):
        learned = sides.read_learned(place, f"{place + 1}/{len(sides.learned)} {path}")
        matching, notes = sides.match(learned, gold)
        task = Comparison(learned, gold, matching)
        echo_notes(learned.source.with_confidence(path), [*learned.source.notes, *notes])
        tasks.append(task.covered() if ignore_novel else task)
        ambiguous.append(ambiguous_matches(matching, learned, gold))
    echo_notes(sides.gold, gold.source.notes)
    return tasks, ambiguous
