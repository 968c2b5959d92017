"""`ontoeval vocabulary`: prints our RDF terms and measures as Turtle (the terms: rdf/vocabulary.py)."""

from __future__ import annotations

import click

from ontoeval.rdf import vocabulary as rdf_vocabulary


@click.command()
def vocabulary() -> None:
    """Print the vocabulary of our RDF: an OWL file of the terms and of every measure.

    \b
    Example:
      ontoeval vocabulary > ontoeval.ttl
    """
    click.echo(rdf_vocabulary.vocabulary(), nl=False)
