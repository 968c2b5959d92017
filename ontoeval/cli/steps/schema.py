"""Steps of `ontoeval schema`: prints our RDF terms and measures as Turtle (the terms: rdf/vocabulary.py)."""

from __future__ import annotations

from ontoeval.cli.steps.printing import echo
from ontoeval.files import check_writable
from ontoeval.output import write_text
from ontoeval.rdf.vocabulary import vocabulary
from ontoeval.tables import Layout


def schema(name: str, output: str | None) -> None:
    """Print the vocabulary, or write it to a file."""
    if output is None:
        echo(vocabulary(), Layout.TSV)
        return
    check_writable(output)
    write_text(output, vocabulary())
