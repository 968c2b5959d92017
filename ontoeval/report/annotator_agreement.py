"""Table of agreement of annotators in `ontoeval annotations` (values, means, JSON: analysis/annotator_agreement.py)."""

from __future__ import annotations

from ontoeval.analysis.annotator_agreement import COEFFICIENTS, AnnotatorAgreement
from ontoeval.errors import Spelling, text_for
from ontoeval.results import Score
from ontoeval.tables import Cell, Layout, render


def table(agreement: AnnotatorAgreement, layout: Layout, digits: int, spelling: Spelling) -> str:
    """A row for each two annotators, and the means; on a terminal alpha of all below."""
    rows: list[list[Cell]] = []
    for (left, right), scores in agreement.pairs.items():
        items = scores["Kappa"].counts
        rows.append([left, right, *map(_cell, scores.values()), int(items["items"]), int(items.get("agreed", 0))])
    if len(agreement.pairs) > 1:
        means = agreement.means
        rows.append(["mean", "", means["F"], None, *(means[name] for name in COEFFICIENTS[1:]), None, None])
    header = ["", "", agreement.measure, "reversed", *COEFFICIENTS[1:], "items", "agreed"]
    text = render("Inter-annotator agreement", header, rows, layout, precision=digits)
    return text + (f"{_alpha(agreement, digits, spelling)}\n" if layout is Layout.TABLE else "")


def _alpha(agreement: AnnotatorAgreement, digits: int, spelling: Spelling) -> str:
    score = agreement.alpha
    annotators = "both" if len(agreement.annotators) == 2 else f"all {len(agreement.annotators)}"
    value = text_for(score.undefined, spelling) if score.undefined else f"{score.value:.{digits}f}"
    counts = [f"{int(count):,} {name.replace('_', ' ')}" for name, count in score.counts.items()]
    return f"alpha of {annotators}: {value} ({', '.join(counts)})"


def _cell(score: Score) -> float | None:
    return None if score.undefined is not None else score.value
