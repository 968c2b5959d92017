"""What `ontoeval correlate` prints: title, remarks, file of pairs (table, JSON: analysis/human_agreement.py)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from ontoeval.analysis.human_agreement import HumanAgreement
from ontoeval.analysis.pair_lookup import LeftOut
from ontoeval.errors import Spelling, json_escaped, listed, number_of, text_for
from ontoeval.report.concept_pairs import json_value, without_nan
from ontoeval.tables import Cell, Layout, render

_MOST_LEFT_OUT = 5  # pairs that are listed


def table(agreement: HumanAgreement, layout: Layout, digits: int) -> str:
    """A row for each measure."""
    files = f"{Path(agreement.source.path).name} on {Path(agreement.task.ontology.source.path).name}"
    best = " (* best)" if len(agreement) > 1 else ""
    return agreement.render(layout, title=f"Correlation with human ratings: {files}{best}", precision=digits)


def remarks(agreement: HumanAgreement, spelling: Spelling) -> Iterator[str]:
    """What a reader of the table should know."""
    yield from _intervals(agreement)
    senses = "the best pair of senses is used" if agreement.senses == "max" else "the first sense is used"
    several = f", {agreement.several:,} with several senses ({senses})" if agreement.several else ""
    yield f"{number_of(agreement.words, 'word', 'words')} looked up{several}"
    if agreement.left_out:
        yield f"left out: {len(agreement.left_out):,} of {agreement.given:,} pairs"
        yield from _some_left_out(agreement.left_out, spelling)
    yield from _left_out_by_measure(agreement, spelling)
    yield from _undefined_remarks(agreement, spelling)
    if any(measure.distance for measure in agreement):
        yield f"distances are negated: {listed(measure.name for measure in agreement if measure.distance)}"


def _intervals(agreement: HumanAgreement) -> Iterator[str]:
    draws = [measure.draws for measure in agreement if measure.draws]
    if agreement.confidence is not None and draws:
        constant = agreement.rounds - min(draws)
        left_out = f" (up to {constant:,} left out: constant values or ratings)" if constant else ""
        yield (
            f"intervals: {100 * agreement.confidence:g} % percentile bootstrap over pairs, {agreement.rounds:,} draws"
            f"{left_out}, seed {agreement.seed}"
        )


def _left_out_by_measure(agreement: HumanAgreement, spelling: Spelling) -> Iterator[str]:
    """Pairs without a finite value; measures that leave out the same pairs for the same reason are told together."""
    groups: dict[tuple[LeftOut, ...], list[str]] = {}
    for measure in agreement:
        if measure.left_out:
            groups.setdefault(measure.left_out, []).append(measure.name)
    for pairs, names in groups.items():
        yield f"left out for {listed(names)}: {len(pairs):,} of {len(agreement.task):,} pairs"
        yield from _some_left_out(pairs, spelling)


def _some_left_out(pairs: Sequence[LeftOut], spelling: Spelling) -> Iterator[str]:
    for pair in pairs[:_MOST_LEFT_OUT]:
        line = "" if pair.line is None else f", line {pair.line}"
        yield f"left out{line}: {pair.left} – {pair.right} ({text_for(pair.reason, spelling)})"
    if len(pairs) > _MOST_LEFT_OUT:
        yield f"left out: {len(pairs) - _MOST_LEFT_OUT:,} more ({spelling('json', None)} lists all)"


def _undefined_remarks(agreement: HumanAgreement, spelling: Spelling) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for measure in agreement:
        if measure.undefined is not None:
            reasons.setdefault(text_for(measure.undefined, spelling), []).append(measure.name)
    for reason, names in reasons.items():
        which = "all coefficients" if len(names) == len(agreement) else f"the coefficients of {listed(names)}"
        yield f"{which} are undefined: {reason}"


def pair_values(agreement: HumanAgreement, layout: Layout) -> str:
    """A row for each pair of the file, those that were left out with the reason."""
    rows = [{**row, "left_out": None} for row in agreement.pairs()]
    rows += [{**pair._asdict(), "values": {}, "senses": {}, "left_out": pair.reason} for pair in agreement.left_out]
    rows.sort(key=lambda row: row["line"] or 0)
    if layout is Layout.JSON:
        entries = [
            {
                **{key: row[key] for key in ("left", "right", "rating", "line")},
                "values": {name: json_value(value) for name, value in row["values"].items()},
                "senses": row["senses"],
                "left_out": row["left_out"],
            }
            for row in rows
        ]
        return json_escaped(json.dumps(entries, indent=1, ensure_ascii=False)) + "\n"
    names = [measure.name for measure in agreement]
    cells: list[list[Cell]] = [
        [
            row["left"],
            row["right"],
            row["rating"],
            *(without_nan(row["values"].get(name)) for name in names),
            row["left_out"],
        ]
        for row in rows
    ]
    return render("", ["left", "right", "rating", *names, "left_out"], cells, layout)
