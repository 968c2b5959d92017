"""Tables 8 and 10 of Dellschaft & Staab 2006: every TF and TF' follows from the TP, TR and LR printed beside it.

The ontologies behind them (a tourism ontology, and those learned for it with a confidence of at least theta) are not
public, so the tables cannot be computed again; what the columns say about each other can be.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from helpers import comparison, data_folder, near, tsv_rows
from hypothesis import given
from twin_compare import Case, cases

from ontoeval.measures import parse
from ontoeval.results import harmonic

HALF_A_UNIT = 0.005  # of the last printed digit, in percent
GOLD_CONCEPTS = 294  # of the reference ontology, Table 9
# table, theta: LP, LR, TP, TR, TF, TF', in percent as printed; Table 8 by csc, Table 10 by sc
PRINTED = {
    (8, "0.0"): (1.00, 49.66, 22.26, 83.81, 35.18, 41.18),
    (8, "0.3"): (7.27, 22.79, 81.01, 59.60, 68.67, 34.22),
    (8, "0.6"): (12.09, 11.22, 83.08, 62.11, 71.08, 19.39),
    (8, "0.9"): (17.04, 7.82, 84.06, 73.85, 78.62, 14.23),
    (10, "0.0"): (1.00, 49.66, 0.10, 27.84, 0.21, 0.41),
    (10, "0.3"): (7.27, 22.79, 3.23, 8.67, 4.71, 7.80),
    (10, "0.6"): (12.09, 11.22, 6.44, 3.61, 4.63, 6.55),
    (10, "0.9"): (17.04, 7.82, 10.40, 2.53, 4.07, 5.35),
}
# (table, theta, result): the two columns that it is the harmonic mean of, and its own
RELATIONS = {
    (*row, name): pair
    for row, (_, lr, tp, tr, tf, prime) in PRINTED.items()
    for name, pair in (("TF", ((tp, tr), tf)), ("TF'", ((lr, tf), prime)))
}


def rounded(value: float) -> float:
    """To two digits, as a paper rounds."""
    return float(Decimal(str(round(value, 9))).quantize(Decimal("0.01"), ROUND_HALF_UP))


@pytest.mark.parametrize("row", RELATIONS, ids=lambda row: f"table {row[0]}, theta {row[1]}, {row[2]}")
def test_a_printed_mean_is_the_harmonic_mean_of_the_columns_beside_it(row: tuple[int, str, str]) -> None:
    """H grows with both arguments: the least and the greatest value that round to what is printed bound it."""
    (left, right), printed = RELATIONS[row]
    least, greatest = (float(harmonic(left + step, right + step)) for step in (-HALF_A_UNIT, HALF_A_UNIT))
    assert least <= printed + HALF_A_UNIT
    assert printed - HALF_A_UNIT <= greatest


def test_lexical_precision_or_f_in_place_of_recall_does_not_give_the_printed_values() -> None:
    """TF' is made of LR, not of LP or LF: with these none of the eight rows comes out."""
    for (table, theta), (lp, lr, _, _, tf, prime) in PRINTED.items():
        for other in (lp, float(harmonic(lp, lr))):
            spread = float(harmonic(other + HALF_A_UNIT, tf + HALF_A_UNIT) - harmonic(other, tf))
            assert abs(float(harmonic(other, tf)) - prime) > spread + HALF_A_UNIT, (table, theta)


def test_six_of_the_sixteen_differ_in_the_last_digit_from_the_printed_inputs() -> None:
    """So the paper rounded at the end, and the test above needs its interval."""
    differing = [row for row, ((a, b), printed) in RELATIONS.items() if rounded(float(harmonic(a, b))) != printed]
    assert len(RELATIONS) == 16
    assert len(differing) == 6


@pytest.mark.parametrize(("theta", "common"), [("0.0", 146), ("0.3", 67), ("0.6", 33), ("0.9", 23)])
def test_both_tables_have_the_lexical_recall_of_the_same_common_concepts(theta: str, common: int) -> None:
    assert PRINTED[8, theta][:2] == PRINTED[10, theta][:2]
    assert rounded(100 * common / GOLD_CONCEPTS) == PRINTED[8, theta][1]


def test_the_cells_are_those_of_the_shared_data(shared_data: Path) -> None:
    rows = tsv_rows(data_folder(shared_data, "ds2006-figures") / "tables-8-10.tsv")
    cells: dict[tuple[int, str], tuple[float, ...]] = {}
    for row in rows:
        key = int(row["table"]), row["theta"]
        cells[key] = (*cells.get(key, ()), float(row["printed"]))
    assert len(rows) == 48
    assert cells == PRINTED


@pytest.mark.parametrize("extract", ["csc", "sc"])
@given(case=cases())
def test_the_measures_are_these_means_of_the_others_of_their_tables(extract: str, case: Case) -> None:
    """What the printed columns are tested with is what TF and TFprime compute from TP, TR and LR."""
    task = comparison(case)
    lr, tp, tr, tf, prime = (
        parse(name)(task).value for name in ("LR", *(f"{name}_{extract}" for name in ("TP", "TR", "TF", "TFprime")))
    )
    assert tf == near(float(harmonic(tp, tr)), 1e-12)
    assert tf == near(2 * tp * tr / (tp + tr) if tp + tr else 0.0, 1e-12)
    assert prime == near(float(harmonic(lr, tf)), 1e-12)
    assert prime == near(2 * lr * tf / (lr + tf) if lr + tf else 0.0, 1e-12)
