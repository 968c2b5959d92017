"""Tests of two runs for people: `difference_table`; `sample_remarks` on small samples (letters: score_tables.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_letters

from ontoeval.analysis.sample_sizes import FEWEST, rough_intervals, unreachable_tests
from ontoeval.analysis.significance import LEVEL, PairedTest
from ontoeval.errors import Spelling, number_of
from ontoeval.report.names import first_few
from ontoeval.report.score_tables import MOST_LETTERED
from ontoeval.results import EvaluationResult
from ontoeval.tables import Cell, Layout, render

_DIGITS = 4  # of a p; the smallest of 10,000 rounds is 0.0001


def difference_table(
    tests: Sequence[PairedTest],
    measures: Mapping[str, str],
    names: Sequence[str],
    *,
    digits: int,
    top: int,
    spelling: Spelling,
) -> str:
    """A row for each pair: by each of the `measures` (with the names to show) the difference and its corrected p."""
    shown = [test for test in tests if test.measure in measures]
    pairs: dict[tuple[int, int], dict[str, PairedTest]] = {}
    for test in shown:
        pairs.setdefault((test.left, test.right), {})[test.measure] = test
    if not pairs:
        return ""
    letters = ascii_letters if len(names) <= MOST_LETTERED else names
    rows: list[list[Cell]] = []
    for (left, right), by_measure in list(pairs.items())[: top or None]:
        row: list[Cell] = [f"{letters[left]} - {letters[right]}"]
        for measure in measures:
            one = by_measure.get(measure)
            row += [None, None] if one is None else [one.difference, one.p_adjusted]
        rows.append(row)
    header = ["difference", *(head for name in measures.values() for head in (name, "p"))]
    text = render(_title(shown, len(pairs)), header, rows, Layout.TABLE, precision=max(_DIGITS, digits))
    more = len(pairs) - len(rows)
    return text + (f"  … {more:,} more ({spelling('top', '0')})\n" if more else "")


def _title(tests: Sequence[PairedTest], pairs: int) -> str:
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
    results: Sequence[EvaluationResult], tests: Sequence[PairedTest], measures: Mapping[str, str]
) -> Iterator[tuple[str, bool]]:
    """What is to be said of intervals and tests of small samples, and whether numbers may mislead without it.

    measures: those of the tests that are shown, with the names to show.
    """
    for rough in rough_intervals(results):
        with_interval = {score.name for result in results for score in result.scores if score.interval is not None}
        names = [measures.get(name, name) for name in rough.measures]
        units = _units(rough.least, rough.most, rough.unit)
        text = f"intervals from {units} are unreliable (fewer than {FEWEST})"
        yield _about(names, text, every=len(names) == len(with_interval)), True
    shown = [test for test in tests if test.measure in measures]
    tested = {test.measure for test in shown if test.p is not None}
    for few in unreachable_tests(shown):
        what = f"{few.rounds:,} rounds" if few.n is None else _units(few.n, few.n, few.unit)
        pairs = f" with {few.pairs:,} pairs" if few.pairs > 1 else ""
        text = f"{what} cannot reach p < {LEVEL:g}{pairs} (smallest exact p {few.smallest:.3g})"
        yield _about([measures[name] for name in few.measures], text, every=len(few.measures) == len(tested)), False


def _about(measures: Sequence[str], text: str, *, every: bool) -> str:
    return text if every else f"{first_few(measures)}: {text}"
