"""Table of `ontoeval agreement` (values, means, JSON: analysis/annotator_agreement.py)."""

from __future__ import annotations

from ontoeval.analysis.annotator_agreement import COEFFICIENTS, Agreement
from ontoeval.errors import Spelling, text_for
from ontoeval.results import Score
from ontoeval.tables import Cell, Layout, fold, render, terminal_width


def table(agreement: Agreement, layout: Layout, digits: int, spelling: Spelling, settings: str = "") -> str:
    """A row for each pair of annotators, and the means; on a terminal alpha of all below, `settings` in the title.

    People see F once if it is the same in both directions.
    """
    once = layout.for_people and all(scores["F"].value == scores["F back"].value for scores in agreement.pairs.values())
    rows: list[list[Cell]] = []
    for (left, right), scores in agreement.pairs.items():
        items = scores["Kappa"].counts
        values = [_cell(score) for name, score in scores.items() if not (once and name == "F back")]
        rows.append([left, right, *values, int(items["items"]), int(items.get("agreed", 0))])
    if len(agreement.pairs) > 1:
        means = agreement.means
        back = [] if once else [None]
        rows.append(["mean", "", means["F"], *back, *(means[name] for name in COEFFICIENTS[1:]), None, None])
    measure = agreement.measure.partition("(")[0] if layout is Layout.TABLE else agreement.measure
    header = ["", "", measure, *([] if once else ["reversed"]), *COEFFICIENTS[1:], "items", "agreed"]
    text = render(f"Inter-annotator agreement{settings}", header, rows, layout, precision=digits)
    return text + (f"{_alpha(agreement, digits, spelling)}\n" if layout is Layout.TABLE else "")


def _alpha(agreement: Agreement, digits: int, spelling: Spelling) -> str:
    score = agreement.alpha
    annotators = "both" if len(agreement.annotators) == 2 else f"all {len(agreement.annotators)}"
    value = text_for(score.undefined, spelling) if score.undefined else f"{score.value:.{digits}f}"
    counts = [f"{int(count):,} {name.replace('_', ' ')}" for name, count in score.counts.items()]
    return "\n".join(fold(f"alpha of {annotators}: {value} ({', '.join(counts)})", terminal_width()))


def _cell(score: Score) -> float | None:
    return None if score.undefined is not None else score.value
