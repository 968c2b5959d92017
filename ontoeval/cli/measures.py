"""`ontoeval measures`: prints the list of measures (one measure, JSON, docs/measures.md: measures/catalogue.py)."""

from __future__ import annotations

import click

from ontoeval.cli.options import layout_options
from ontoeval.cli.printing import echo_json
from ontoeval.measures import Definition, all_measures, parse
from ontoeval.measures.catalogue import describe_measure, entries, markdown_page
from ontoeval.tables import Layout, render


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
    definitions = all_measures()
    if name is not None:
        measure = parse(name)
        definitions = (next((d for d in definitions if d.name == name), measure.preset),)
    if layout is Layout.JSON:
        echo_json({"measures": [{**entries(d), "example": _example(d)} for d in definitions]})
    elif name is not None:
        click.echo(describe_measure(definitions[0]), nl=False)
        example = _example(definitions[0])
        if example:
            click.echo(f"\nExample: {example}")
    elif layout is Layout.MARKDOWN:
        click.echo(markdown_page(definitions, "ontoeval measures --format markdown"), nl=False)
    else:
        mark = "*" if layout is Layout.TABLE else ""
        rows = [[d.name + (mark if d.default else ""), d.label, d.source] for d in definitions]
        title = "Measures (* are computed by default; `ontoeval measures NAME` says more)"
        click.echo(render(title, ["name", "what it is", "source"], rows, layout), nl=False)


def _example(definition: Definition) -> str | None:
    """A command that computes the measure."""
    if definition.example is None:
        return None
    learned, gold = (f"fixtures/{file}" for file in definition.example)
    return f"ontoeval compare {learned} --gold {gold} -m {definition.name}"
