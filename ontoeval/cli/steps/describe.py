"""Steps of `ontoeval describe` (numbers: model/statistics.py; printed rows, remarks: report/ontology.py)."""

from __future__ import annotations

from typing import Any

from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import note
from ontoeval.cli.steps.inputs import read_ontology
from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import json_text
from ontoeval.report.ontology import description_table, fact_sheet, remarks
from ontoeval.tables import Layout


def describe(files: tuple[str, ...], output: tuple[str, ...], layout: Layout, **options: Any) -> None:
    """Load each file and print what is in it."""
    outputs = Outputs(output)
    descriptions = [read_ontology(file, options).describe() for file in files]

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text({"ontologies": descriptions})
        if layout is Layout.TABLE and len(descriptions) == 1:
            return fact_sheet(descriptions[0])
        return description_table(descriptions, layout)

    outputs.write(text, layout)
    for line in remarks(descriptions, option_spelling):
        note(line)
