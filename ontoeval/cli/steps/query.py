"""Steps of `ontoeval query`: how answers and the list of queries are printed (SPARQL: rdf/store/queries.py)."""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from ontoeval.cli.state import note
from ontoeval.cli.steps.checks import CHECK_FAILED
from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import echo, json_text, status_on_stderr, write_text
from ontoeval.errors import ParameterError
from ontoeval.rdf.store.queries import Answer, answer, find_query, named_queries, value_of
from ontoeval.rdf.store.result_graph import RUN
from ontoeval.rdf.store.store import open_store
from ontoeval.rdf.vocabulary import PREFIXES
from ontoeval.results import plain
from ontoeval.tables import Layout, render, rounded_text

_TURTLE = "ttl"  # a format of this command alone
_LOCAL_NAME = re.compile(r"[\w\-]+")


def query(place: str | None, query: str | None, parameters: dict[str, str], layout: Layout | str | None, timeout: float,
          digits: int, listing: bool, output: tuple[str, ...], exit_code: bool) -> None:  # fmt: skip
    """Ask a store, or list the named queries."""
    outputs = Outputs(output, own=(f".{_TURTLE}",))
    if listing:
        outputs.write(_list, _layout_of_list(layout))
        return
    if place is None or query is None:
        raise click.UsageError("Name a store or a file, and a query; or use --list.")
    question = find_query(sys.stdin.read() if query == "-" else query)  # refused before a big file is read
    with status_on_stderr() as status:
        if status is not None:
            status("querying")
        answered = answer(open_store(place), question, parameters, timeout=timeout)
    for path in outputs.of(f".{_TURTLE}"):
        write_text(path, answered.to_turtle())
    layout = layout or (_TURTLE if answered.triples is not None else Layout.TABLE)
    if isinstance(layout, Layout):
        outputs.write(lambda layout: _answer_text(answered, layout, digits), layout)
    else:
        echo(answered.to_turtle(), Layout.TSV)
    if not len(answered) and answered.yes is None:
        note("no rows")
    if exit_code and (len(answered) or answered.yes):
        raise click.exceptions.Exit(CHECK_FAILED)


def _answer_text(answered: Answer, layout: Layout, digits: int = 3) -> str:
    """An answer as text."""
    if layout is Layout.JSON:
        return _json(answered)
    if answered.yes is not None:
        return f"{rounded_text(answered.yes) if layout.for_people else str(answered.yes).lower()}\n"
    if not layout.for_people:
        return render("", answered.columns, [list(row.values()) for row in answered], layout)
    rows = [[_short(term) for term in terms] for terms in answered.terms]
    return render("", answered.columns, rows, layout, precision=digits)


def _json(answered: Answer) -> str:
    if answered.yes is not None:
        document: dict[str, Any] = {"answer": answered.yes}
    else:
        rows = [{k: plain(v) if isinstance(v, float) else v for k, v in row.items()} for row in answered]
        document = {"columns": list(answered.columns), "rows": rows}
    return json_text(document)


def _short(term: Any) -> Any:
    """A value as people read it: a run by its id, other IRIs with a common prefix if they have one."""

    value = value_of(term)
    if type(term).__name__ != "NamedNode":
        return value
    if value.startswith(RUN) and "/" not in value[len(RUN) :]:
        return value[len(RUN) :]
    for name, start in PREFIXES.items():
        if value.startswith(start) and _LOCAL_NAME.fullmatch(value[len(start) :]):
            return f"{name}:{value[len(start) :]}"
    return value


def _layout_of_list(layout: Layout | str | None) -> Layout:
    if isinstance(layout, str):
        raise ParameterError("--list has no triples", advice="Use another format than ttl.")
    return layout or Layout.TABLE


def _list(layout: Layout) -> str:
    queries = named_queries()
    if layout is Layout.JSON:
        document = {
            "queries": [
                {"name": q.name, "help": q.help, "parameters": [p._asdict() for p in q.parameters], "text": q.text}
                for q in queries.values()
            ]
        }
        return json_text(document)
    if layout is not Layout.TABLE:
        rows = [
            [q.name, q.help, " ".join(p.name if p.default is None else f"{p.name}={p.default}" for p in q.parameters)]
            for q in queries.values()
        ]
        return render("", ["name", "what it answers", "parameters"], rows, layout)
    lines = []
    for q in queries.values():
        lines.append(f"{q.name}: {q.help}")
        lines += [
            f"    {p.name}{' (required)' if p.default is None else f'={p.default}'}: {p.help}" for p in q.parameters
        ]
    return "\n".join(lines) + "\n"
