"""`ontoeval vocabulary`."""

from __future__ import annotations

import click


@click.command()
def vocabulary() -> None:
    """Print the vocabulary of our RDF: an OWL file of the terms and of every measure.

    \b
    Example:
      ontoeval vocabulary > ontoeval.ttl
    """
    from ontoeval.rdf.vocabulary import vocabulary as written

    click.echo(written(), nl=False)
