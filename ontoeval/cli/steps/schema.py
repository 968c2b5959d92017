"""Steps of `ontoeval schema`: our RDF terms and measures as Turtle, or the JSON Schema of what a command prints."""

from __future__ import annotations

import json

from ontoeval.cli.steps.printing import echo
from ontoeval.files import check_writable
from ontoeval.output import write_text
from ontoeval.rdf.vocabulary import vocabulary
from ontoeval.report.json_schemas import json_schema
from ontoeval.tables import Layout


def schema(name: str, output: str | None) -> None:
    """Print a schema, or write it to a file."""
    text = vocabulary() if name == "rdf" else json.dumps(json_schema(name), indent=2) + "\n"
    if output is None:
        echo(text, Layout.TSV)
        return
    check_writable(output)
    write_text(output, text)
