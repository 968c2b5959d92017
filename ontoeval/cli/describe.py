"""`ontoeval describe`: options, steps (numbers: model/statistics.py; printed rows, remarks: report/ontology.py)."""

from __future__ import annotations

from typing import Any

import click

from ontoeval.cli.inputs import read_ontology
from ontoeval.cli.options import LAYOUTS, layout_options, ontology_options
from ontoeval.cli.printing import echo_json, note
from ontoeval.cli.spelling import option_spelling
from ontoeval.report.ontology import description_table, remarks
from ontoeval.tables import Layout


@click.command(no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@ontology_options
@layout_options([name for name in LAYOUTS if name != Layout.CSV.value])
def describe(files: tuple[str, ...], layout: Layout, **options: Any) -> None:
    """Say what is in each ontology: size, shape, labels, oddities.

    FILE is OWL, RDFS, SKOS, OBO or a table of edges in any common syntax, plain or compressed; - is stdin.

    \b
    Examples:
      ontoeval describe gold.owl learned.ttl
      ontoeval describe thesaurus.rdf.gz --lang en --json
      ontoeval describe go.obo --relation part_of --below GO:0008150
      ontoeval describe edges.tsv --columns parent,child
    """
    descriptions = [read_ontology(file, options).describe() for file in files]
    if layout is Layout.JSON:
        echo_json({"ontologies": descriptions})
        return
    click.echo(description_table(descriptions, layout), nl=False)
    for line in remarks(descriptions, option_spelling):
        note(line, layout)
