"""`ontoeval measures`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.options import layout_options

if TYPE_CHECKING:
    from ontoeval.measures import Definition


@click.command()
@click.argument("name", required=False)
@layout_options
def measures(name: str | None, layout: Any, as_json: bool) -> None:
    """List the measures, or say what one of them means.

    \b
    Examples:
      ontoeval measures
      ontoeval measures TP_csc
      ontoeval measures --format markdown > measures.md
    """
    from ontoeval.measures import all_measures, parse
    from ontoeval.measures._catalogue import describe_measure, entries, markdown_page
    from ontoeval.render import render

    found = all_measures()
    if name is not None:
        measure = parse(name)
        found = tuple(d for d in found if d is measure.preset) or (measure.definition,)
    if as_json or layout == "json":
        click.echo(
            json.dumps({"measures": [entries(definition) for definition in found]}, indent=2, ensure_ascii=False)
        )
        return
    if name is not None:
        click.echo(describe_measure(found[0]), nl=False)
        return
    if layout == "markdown":
        click.echo(markdown_page(found), nl=False)
        return
    rows = [[_call(definition), definition.label, definition.source] for definition in found]
    click.echo(render("Measures", ["name", "what it is", "source"], rows, layout), nl=False)


def _call(definition: Definition) -> str:
    return definition.name + ("*" if definition.default else "")
