"""Remarks of `ontoeval sensitivity`: runs, undefined measures (tables, JSON: analysis/sensitivity.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ontoeval.analysis.sensitivity import MATCH, Sensitivity
from ontoeval.errors import Spelling, listed, text_for


def remarks(sensitivity: Sensitivity, spelling: Spelling) -> Iterator[str]:
    """How many runs there were, how concepts were matched, and where measures are undefined."""
    if any(not row.certain for row in sensitivity.rows):
        runs, seed = sensitivity.runs, sensitivity.seed
        several = (
            f"means of {runs:,} runs, seeds {seed} to {seed + runs - 1}; damage without a random choice was done once"
        )
        yield several if runs > 1 else f"1 run, seed {seed}"
    if sensitivity.match != MATCH:
        yield f"concepts matched by {sensitivity.match}"
    reasons = Counter(
        (str(row.perturbation), text_for(reason, spelling), row.measure)
        for row in sensitivity.rows
        for reason in row.undefined
    )
    groups: dict[tuple[str, str, int], list[str]] = {}
    for (perturbation, reason, measure), count in reasons.items():
        groups.setdefault((perturbation, reason, count), []).append(measure)
    for (perturbation, reason, count), measures in groups.items():
        verb, comparisons = "is" if len(measures) == 1 else "are", "comparison" if count == 1 else "comparisons"
        yield f"{listed(measures)} {verb} undefined in {count:,} {comparisons} under {perturbation}: {reason}"
