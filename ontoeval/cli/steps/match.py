"""Steps of `ontoeval match` (matches: matching/matcher.py; prints: report/matching.py)."""

from __future__ import annotations

from typing import Any

from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import note
from ontoeval.cli.steps.inputs import TwoSides
from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import echo, echo_notes, json_text
from ontoeval.errors import warn
from ontoeval.load import load_mapping
from ontoeval.load.mappings.sssom import sssom
from ontoeval.matching.alignment import agreement
from ontoeval.matching.matching import matched_pairs
from ontoeval.matching.suggestions import match_warnings
from ontoeval.output import write_text
from ontoeval.report import matching as report
from ontoeval.tables import Layout

SSSOM = ".sssom.tsv"


def match(learned: str, gold: str, reference: str | None, output: tuple[str, ...], layout: Layout | str, top: int,
          **options: Any) -> None:  # fmt: skip
    """Load, match, and print the pairs."""
    outputs = Outputs(output, own=(SSSOM,))
    sides = TwoSides(options, [learned], gold)
    right = None if reference is None else load_mapping(reference)
    learned_ontology, gold_ontology = sides.read_learned(), sides.read_gold()
    matching, notes = sides.match(learned_ontology, gold_ontology)
    warn(match_warnings(learned_ontology, gold_ontology, matching))
    scores = None if right is None else agreement(matching, right, learned_ontology, gold_ontology)
    if right is not None and scores is not None and not scores["reference"]:
        warn([right.unused(learned_ontology, gold_ontology)])
    pairs = matched_pairs(matching, learned_ontology, gold_ontology)
    mapping = sssom(pairs, learned=learned_ontology.source.iri, gold=gold_ontology.source.iri)

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text(report.document(matching, learned_ontology, gold_ontology, scores))
        table = report.pair_table(matching, learned_ontology, gold_ontology, layout, top or None)
        if layout is Layout.TABLE and 0 < top < len(pairs):
            table += f"  … {len(pairs) - top:,} more (--top 0, or -o pairs.csv)\n"
        return table if scores is None else f"{table}\n{report.reference_table(scores, layout)}"

    def write_mapping() -> None:
        for path in outputs.of(SSSOM):
            write_text(path, mapping)

    if isinstance(layout, Layout):
        outputs.write(text, layout, write_mapping)
        for line in report.remarks(matching, learned_ontology, gold_ontology, option_spelling, top):
            note(line)
    else:
        write_mapping()
        echo(mapping, Layout.TSV)
    echo_notes(learned, [*learned_ontology.source.notes, *notes])
    echo_notes(gold, gold_ontology.source.notes)
