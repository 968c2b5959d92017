"""Steps of --group and --significance: `check_group` before the work, `table_with_tests` (computed: analysis/groups.py)."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ontoeval.analysis.group_tests import TestName
from ontoeval.analysis.groups import GroupedTable
from ontoeval.analysis.significance import with_paired_tests
from ontoeval.cli.steps.printing import progress_on_stderr
from ontoeval.errors import ParameterError
from ontoeval.results import ResultTable


def check_group(group: str | None, test: TestName | None, *, with_confidence: bool) -> None:
    """Refuse what does not go together."""
    if test is not None and group is None:
        raise click.UsageError("--test needs --group.")
    if with_confidence and group is not None:
        raise click.UsageError("--intervals is for single runs. Remove it, or --group.")


def table_with_tests(
    table: ResultTable,
    baseline: str | None,
    test: TestName | None,
    *,
    measures: Sequence[str] | None,
    rounds: int | None,
    seed: int,
    what: str = "runs",
) -> ResultTable:
    """The table with the tests of its rows."""
    if isinstance(table, GroupedTable):
        if len(table.rows) < 2:
            option = "--significance" if baseline is None else "--baseline"
            raise ParameterError(f"{option} needs at least two systems, and there is one: {table.rows[0]}")
        return table.test(baseline, test=test or "permutation", measures=measures, rounds=rounds, seed=seed)
    with progress_on_stderr("testing", counted=True, unit="pairs") as progress:
        return with_paired_tests(
            table, baseline, measures=measures, rounds=rounds, seed=seed, progress=progress, what=what
        )
