"""`ontoeval match`: options, steps (--match: options.py; matches: matching/matcher.py; prints: report/matching.py)."""

from __future__ import annotations

from typing import Any

import click

from ontoeval.cli.inputs import TwoSides
from ontoeval.cli.options import LAYOUTS, layout_options, matching_options, two_sided_options
from ontoeval.cli.printing import echo_json, echo_notes, note, write_text
from ontoeval.cli.spelling import option_spelling
from ontoeval.files import check_writable
from ontoeval.load import load_mapping
from ontoeval.load.mappings.sssom import sssom
from ontoeval.matching.alignment import agreement
from ontoeval.report import matching as report
from ontoeval.tables import Layout


@click.command(no_args_is_help=True)
@click.argument("learned", metavar="LEARNED")
@click.option("--gold", required=True, metavar="FILE", help="The gold standard.")
@matching_options
@click.option("--reference", metavar="FILE", help="A right alignment: gives precision, recall and F of the matching.")
@click.option("-o", "--output", metavar="FILE", help="Write the matching as SSSOM TSV.")
@layout_options([*LAYOUTS, "sssom"])
@two_sided_options
def match(learned: str, gold: str, reference: str | None, output: str | None, layout: Layout | str,
          **options: Any) -> None:  # fmt: skip
    """Say which learned concept is which gold concept.

    \b
    Examples:
      ontoeval match learned.owl --gold gold.ttl
      ontoeval match learned.owl --gold gold.ttl --match label,fuzzy:0.9 --normalize all -o mapping.sssom.tsv
      ontoeval match cmt.owl --gold ekaw.owl --match name --normalize case --reference cmt-ekaw.rdf
      ontoeval match clusters.tsv --gold topics.tsv --match instances --instances a.tsv --gold-instances b.tsv
    """
    sides = TwoSides(options, [learned], gold)
    if output is not None:
        check_writable(output)
    right = None if reference is None else load_mapping(reference)
    learned_ontology, gold_ontology = sides.read_learned(), sides.read_gold()
    matching, notes = sides.match(learned_ontology, gold_ontology)
    scores = None if right is None else agreement(matching, right, learned_ontology, gold_ontology)
    pairs = report.matched_pairs(matching, learned_ontology, gold_ontology)
    mapping = sssom(pairs, learned=learned_ontology.source.iri, gold=gold_ontology.source.iri)
    if output is not None:
        write_text(output, mapping)
    if layout is Layout.JSON:
        echo_json(report.document(matching, learned_ontology, gold_ontology, scores))
    elif not isinstance(layout, Layout):
        click.echo(mapping, nl=False)
    else:
        click.echo(report.pair_table(matching, learned_ontology, gold_ontology, layout), nl=False)
        for line in report.remarks(matching, learned_ontology, gold_ontology, option_spelling):
            note(line, layout)
        if scores is not None:
            click.echo("\n" + report.reference_table(scores, layout), nl=False)
    echo_notes(learned, [*learned_ontology.source.notes, *notes])
    echo_notes(gold, gold_ontology.source.notes)
