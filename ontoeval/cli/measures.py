"""`ontoeval measures`."""

from __future__ import annotations

import json

import click

from ontoeval.cli.options import layout_options
from ontoeval.tables import Layout


@click.command()
@click.argument("name", required=False)
@layout_options()
def measures(name: str | None, layout: Layout) -> None:
    """List the measures, or say what one of them means.

    \b
    Examples:
      ontoeval measures
      ontoeval measures TP_csc
      ontoeval measures --format markdown > measures.md
    """
    from ontoeval.measures import all_measures, parse
    from ontoeval.measures.catalogue import describe_measure, entries, markdown_page
    from ontoeval.tables import render

    found = all_measures()
    if name is not None:
        measure = parse(name)
        found = (next((d for d in found if d.name == name), measure.preset),)
    if layout is Layout.JSON:
        click.echo(
            json.dumps({"measures": [entries(definition) for definition in found]}, indent=2, ensure_ascii=False)
        )
        return
    if name is not None:
        click.echo(describe_measure(found[0]), nl=False)
        return
    if layout is Layout.MARKDOWN:
        click.echo(markdown_page(found), nl=False)
        return
    mark = "*" if layout is Layout.TABLE else ""
    rows = [[d.name + (mark if d.default else ""), d.label, d.source] for d in found]
    title = "Measures (* are computed by default; `ontoeval measures NAME` says more)"
    click.echo(render(title, ["name", "what it is", "source"], rows, layout), nl=False)
