"""`ontoeval query`: its options, and how answers and the list of queries are printed (SPARQL: rdf/store/queries.py)."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

import click

from ontoeval.cli.options import LAYOUTS, digits_option, layout_options
from ontoeval.cli.printing import json_text
from ontoeval.errors import ParameterError
from ontoeval.rdf.store.queries import Answer, answer, find_query, named_queries, value_of
from ontoeval.rdf.store.result_graph import RUN
from ontoeval.rdf.store.store import open_store
from ontoeval.rdf.vocabulary import PREFIXES
from ontoeval.results import plain
from ontoeval.tables import Layout, render, rounded_text

_TURTLE = "ttl"  # a format of this command alone
_FIRST = ("table", "json", "csv")
_LAYOUTS = [*_FIRST, *(name for name in LAYOUTS if name not in (*_FIRST, "latex")), _TURTLE]
_LOCAL_NAME = re.compile(r"[\w\-]+")


def _parameters(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{text!r} is no NAME=VALUE. For instance: measure=TF_csc.")
        parameters[name.strip()] = value
    return parameters


@click.command(no_args_is_help=True)
@click.argument("place", required=False, metavar="STORE_OR_FILE")
@click.argument("query", required=False, metavar="QUERY|NAME")
@click.option("-p", "--param", "parameters", multiple=True, metavar="NAME=VALUE", callback=_parameters,
              help="A value for a parameter of the query.")  # fmt: skip
@layout_options(_LAYOUTS, default=None, help="How to print the answer: table, or ttl for triples.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=60, show_default=True,
              metavar="SECONDS", help="End the query after this time.")  # fmt: skip
@digits_option
@click.option("--list", "listing", is_flag=True, help="List the named queries and their parameters.")
def query(place: str | None, query: str | None, parameters: dict[str, str], layout: Layout | str | None, timeout: float,
          digits: int, listing: bool) -> None:  # fmt: skip
    """Ask stored scores in SPARQL.

    STORE_OR_FILE is the folder of a store, a file that -o wrote (or any RDF file), or the URL of a SPARQL endpoint.
    QUERY is a name that --list shows, a file that ends in .rq, the text of a query, or - for stdin. The prefixes oe,
    dqv, prov, skos, rdfs, owl, dct, xsd and rdf need not be declared.

    \b
    Examples:
      ontoeval query --list
      ontoeval query scores trend --param measure=LF
      ontoeval query scores.trig worst-concepts --param run=1bfd33c9 --format csv
      ontoeval query scores 'SELECT ?run WHERE { GRAPH ?run { ?run a oe:Evaluation } }'
      ontoeval query http://localhost:7878 pareto --param second=TR_csc --timeout 10
    """
    if listing:
        click.echo(_list(layout or Layout.TABLE), nl=False)
        return
    if place is None or query is None:
        raise click.UsageError("Give a store or a file, and a query; or --list.")

    question = find_query(sys.stdin.read() if query == "-" else query)  # refused before a big file is read
    answered = answer(open_store(place), question, parameters, timeout=timeout)
    click.echo(_answer_text(answered, layout, digits), nl=False)
    if (
        not len(answered)
        and answered.yes is None
        and (layout is None or (isinstance(layout, Layout) and layout.for_people))
    ):
        click.echo("no rows", err=True)


def _answer_text(answered: Answer, layout: Layout | str | None, digits: int = 3) -> str:
    """An answer as text."""
    layout = layout or (_TURTLE if answered.triples is not None else Layout.TABLE)
    if layout is Layout.JSON:
        return _json(answered)
    if not isinstance(layout, Layout):
        return answered.to_turtle()
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


def _list(layout: Layout | str) -> str:

    queries = named_queries()
    if not isinstance(layout, Layout):
        raise ParameterError("--list has no triples", advice="Take another format than ttl.")
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
            f"    {p.name}{' (must be given)' if p.default is None else f'={p.default}'}: {p.help}"
            for p in q.parameters
        ]
    return "\n".join(lines) + "\n"
