"""Tests of two rows: `difference_table`, rows and documents for programs; `sample_remarks` (letters: results/)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_letters

from ontoeval.analysis.groups import GroupedTable
from ontoeval.analysis.pair_tests import LEVEL, PairTest
from ontoeval.analysis.sample_sizes import FEWEST, rough_intervals, unreachable_tests
from ontoeval.errors import Spelling, number_of
from ontoeval.report.groups import group_remarks, title_of_tests
from ontoeval.report.names import first_few
from ontoeval.results import ResultTable, plain
from ontoeval.tables import Cell, Layout, render

TEST_HEADER = ["measure", "left", "right", "difference", "low", "high", "p", "p_adjusted", "n", "test"]
_DIGITS = 4  # of a p; the smallest of 10,000 rounds is 0.0001


def difference_table(
    table: ResultTable, measures: Sequence[str], *, digits: int, top: int, spelling: Spelling, unit: str = "run"
) -> str:
    """A row for each pair: by each of the `measures` the difference and its corrected p; `unit`: what a system has."""
    shown = [test for test in table.tests or () if test.measure in measures]
    pairs: dict[tuple[int, int], dict[str, PairTest]] = {}
    for test in shown:
        pairs.setdefault((test.left, test.right), {})[test.measure] = test
    if not pairs:
        return ""
    letters = table.rows if table.better is None else ascii_letters
    rows: list[list[Cell]] = []
    for (left, right), by_measure in list(pairs.items())[: top or None]:
        row: list[Cell] = [f"{letters[left]} - {letters[right]}"]
        for measure in measures:
            one = by_measure.get(measure)
            row += [None, None] if one is None else [one.difference, one.p_adjusted]
        rows.append(row)
    header = ["difference", *(head for name in measures for head in (name, "p"))]
    if isinstance(table, GroupedTable):
        title = title_of_tests(shown, table, unit, len(pairs))
    else:
        title = _title(shown, len(pairs))
    text = render(title, header, rows, Layout.TABLE, precision=max(_DIGITS, digits))
    more = len(pairs) - len(rows)
    return text + (f"  … {more:,} more ({spelling('top', '0')})\n" if more else "")


def rows_of_tests(tests: Sequence[PairTest], names: Sequence[str]) -> list[list[Cell]]:
    """The tests for spreadsheets, under `TEST_HEADER`."""
    rows: list[list[Cell]] = []
    for test in tests:
        low, high = test.interval or (None, None)
        pair = names[test.left], names[test.right]
        rows.append([test.measure, *pair, test.difference, low, high, test.p, test.p_adjusted, test.n, test.test])
    return rows


def documents_of_tests(tests: Sequence[PairTest], names: Sequence[str]) -> list[dict[str, object]]:
    """The tests for JSON."""
    return [
        {
            "measure": test.measure,
            "left": names[test.left],
            "right": names[test.right],
            "difference": test.difference,
            "interval": test.interval and [plain(end) for end in test.interval],
            "p": test.p,
            "p_adjusted": test.p_adjusted,
            "n": test.n,
            "test": test.test,
        }
        for test in tests
    ]


def _title(tests: Sequence[PairTest], pairs: int) -> str:
    """What was tested: `Paired randomisation: 2 documents, 10,000 rounds`."""
    sizes: dict[str, list[int]] = {}
    for test in tests:
        if test.n is not None:
            sizes.setdefault(test.unit, []).append(test.n)
    over = [_units(min(n), max(n), unit) for unit, n in sizes.items()]
    corrected = ["Holm-corrected p"] if pairs > 1 else []
    name = tests[0].test
    return f"{name[0].upper()}{name[1:]}: {', '.join([*over, f'{tests[0].rounds:,} rounds', *corrected])}"


def _units(least: int, most: int, unit: str) -> str:
    """`2 documents`, `57 to 262 concepts`."""
    return number_of(most, unit, f"{unit}s") if least == most else f"{least:,} to {most:,} {unit}s"


def sample_remarks(
    table: ResultTable, measures: Sequence[str], spelling: Spelling, unit: str = "run"
) -> Iterator[tuple[str, bool]]:
    """What is to be said of intervals and tests of small samples, and whether numbers may mislead without it.

    measures: those that are shown. unit: what a system has several of.
    """
    if isinstance(table, GroupedTable):
        yield from group_remarks(table, measures, unit, spelling)
        return
    for rough in rough_intervals(table.results):
        scores = [score for result in table.results for score in result.scores]
        every = len(rough.measures) == len({score.name for score in scores if score.interval is not None})
        units = _units(rough.least, rough.most, rough.unit)
        yield _about(rough.measures, f"intervals from {units} are unreliable (fewer than {FEWEST})", every=every), True
    shown = [test for test in table.tests or () if test.measure in measures]
    tested = {test.measure for test in shown if test.p is not None}
    for few in unreachable_tests(shown):
        what = f"{few.rounds:,} rounds" if few.n is None else _units(few.n, few.n, few.unit)
        pairs = f" with {few.pairs:,} pairs" if few.pairs > 1 else ""
        text = f"{what} cannot reach p < {LEVEL:g}{pairs} (smallest exact p {few.smallest:.3g})"
        yield _about(few.measures, text, every=len(few.measures) == len(tested)), False


def _about(measures: Sequence[str], text: str, *, every: bool) -> str:
    return text if every else f"{first_few(measures)}: {text}"
