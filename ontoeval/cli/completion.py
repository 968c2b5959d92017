"""What TAB offers: measures, sets of measures, named queries; from completion.json, so that nothing heavy is imported.

The file is written by `python -m ontoeval.cli.steps.completion_file`; a test compares it with what it is made of.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

FILE = Path(__file__).with_name("completion.json")


@cache
def names() -> dict[str, Any]:
    """Names and help by kind: measures, sets, queries (with their parameters)."""
    document: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return document


def measures(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Measures and sets; behind a comma the next one."""
    before, comma, last = incomplete.rpartition(",")
    known = {**names()["measures"], **names()["sets"]}
    return [
        CompletionItem(f"{before}{comma}{name}", help=text) for name, text in known.items() if name.startswith(last)
    ]


def queries(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    rows = names()["queries"].items()
    return [CompletionItem(name, help=query["help"]) for name, query in rows if name.startswith(incomplete)]


def queries_of_set_store(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Queries in the place of STORE, which may be left out if the environment names it."""
    return queries(context, parameter, incomplete) if os.environ.get("ONTOEVAL_STORE") else []


def query_parameters(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """NAME= for each parameter of the query on the command line."""
    words = [context.params.get("query"), context.params.get("place"), *context.args]
    # while a value is missing, arguments are not parsed
    rows = next((names()["queries"][word]["parameters"].items() for word in words if word in names()["queries"]), ())
    return [CompletionItem(f"{name}=", help=text) for name, text in rows if name.startswith(incomplete)]
