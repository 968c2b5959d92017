"""Writes ../completion.json, what TAB offers: `python -m ontoeval.cli.steps.completion_file` (a test compares it)."""

from __future__ import annotations

from typing import Any

from ontoeval.cli.completion import FILE
from ontoeval.cli.steps.printing import json_text
from ontoeval.measures import all_measures
from ontoeval.output import write_text
from ontoeval.rdf.store.queries import named_queries

SETS = {"ranking": "measures of rankings"}


def document() -> dict[str, Any]:
    """Measures, sets of measures, and named queries with their parameters."""
    definitions = all_measures()
    groups = {name for d in definitions for name in d.sets}
    return {
        "measures": {d.name: d.label for d in definitions},
        "sets": {**{group: f"set of measures: {group}" for group in sorted(groups)}, **SETS},
        "queries": {
            q.name: {"help": q.help, "parameters": {p.name: p.help for p in q.parameters}}
            for q in named_queries().values()
        },
    }


if __name__ == "__main__":
    write_text(str(FILE), json_text(document()))
