"""Systems of several runs for people: words of titles, remarks on runs and tests (tables: score_tables.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ontoeval.analysis.groups import GroupedTable
from ontoeval.analysis.pair_tests import LEVEL, PairTest
from ontoeval.analysis.sample_sizes import few_runs
from ontoeval.errors import Spelling, number_of, text_for
from ontoeval.report.names import first_few


def systems_in_words(table: GroupedTable, unit: str) -> str:
    """`4 systems of 5 runs`, `4 systems of 3 to 5 runs`."""
    return f"{number_of(len(table.runs), 'system', 'systems')} of {_sizes(map(len, table.runs.values()), unit)}"


def marks_in_words(table: GroupedTable) -> str:
    """What stands beside the numbers: `mean ±sd, * best; letters: better than, p < .05`."""
    best = ", * best" if len(table.runs) > 1 else ""
    return f"mean ±sd{best}{'' if table.better is None else letters_in_words()}"


def letters_in_words() -> str:
    return f"; letters: better than, p < {f'{LEVEL:g}'.removeprefix('0')}"


def title_of_tests(tests: Sequence[PairTest], table: GroupedTable, unit: str, pairs: int) -> str:
    """`Exact permutation: 5 runs of each system, Holm-corrected p`."""
    names = " and ".join(dict.fromkeys(test.test for test in tests if test.test)) or "no test"
    corrected = ", Holm-corrected p" if pairs > 1 else ""
    return f"{names[0].upper()}{names[1:]}: {_sizes(map(len, table.runs.values()), unit)} of each system{corrected}"


def _sizes(sizes: Iterable[int], unit: str) -> str:
    few, *_, many = sorted([*sizes] * 2)
    return number_of(many, unit, f"{unit}s") if few == many else f"{few:,} to {many:,} {unit}s"


def group_remarks(
    table: GroupedTable, measures: Sequence[str], unit: str, spelling: Spelling
) -> Iterator[tuple[str, bool]]:
    """What is to be said of runs and tests, and whether numbers may mislead without it; `measures`: those shown."""
    for name in measures:
        for system, scores in zip(table.rows, table.systems, strict=True):
            if scores[name].undefined:
                runs = f"{scores[name].undefined:,} of {number_of(len(table.runs[system]), unit, f'{unit}s')}"
                yield f"{system}: {name} is undefined in {runs}, left out of mean and sd", True
    single = [system for system, runs in table.runs.items() if len(runs) == 1]
    if single:
        systems = number_of(len(single), "system", "systems")
        yield f"no standard deviation of {systems} with one {unit}: {first_few(single)}", False
    shown = [test for test in table.tests or () if test.measure in measures]
    tested = {test.measure for test in shown if test.p is not None}
    for few in few_runs(shown):
        about = "" if len(few.measures) == len(tested) else f"{first_few(few.measures)}: "
        if few.pairs == few.tested:
            what = systems_in_words(table, unit)
            yield f"{about}{what} cannot reach p < {LEVEL:g} (smallest {few.smallest:.2g})", False
        else:
            yield f"{about}{few.pairs:,} of {few.tested:,} pairs have too few {unit}s to reach p < {LEVEL:g}", False
    for reason in dict.fromkeys(test.no_p for test in shown if test.no_p is not None):
        names = list(dict.fromkeys(test.measure for test in shown if test.no_p == reason))
        pairs = sum(test.no_p == reason for test in shown)
        text = text_for(reason, spelling)
        yield f"{first_few(names)}: {number_of(pairs, 'pair has', 'pairs have')} no p: {text}", False
