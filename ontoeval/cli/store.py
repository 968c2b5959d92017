"""`ontoeval store`: what is in a store, out of it and into it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.options import check_place, layout_options
from ontoeval.errors import ParameterError
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.results import EvaluationResult
    from ontoeval.tables import Cell

_SCORES = re.compile(r"\.(?:trig|nq)(?:\.(?:gz|bz2|xz|zip))?$", re.IGNORECASE)  # what may hold named graphs


@click.group()
def store() -> None:
    """List, show, delete, export and import stored evaluations.

    STORE is the folder of a store or the URL of a SPARQL endpoint; to list and show also a file that -o wrote. RUN is
    the id of an evaluation, or the beginning of it.
    """


@store.command("list", no_args_is_help=True)
@click.argument("place", metavar="STORE")
@layout_options()
def list_(place: str, layout: Layout) -> None:
    """List the evaluations, the oldest first."""
    from ontoeval.rdf.store.queries import open_store
    from ontoeval.tables import render

    runs = open_store(place).runs()
    if layout is Layout.JSON:
        document = {"runs": [{"id": info.id, **info._asdict()} for info in runs]}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    rows = [[info.id, info.started, info.system, info.task, info.scores, info.matched_by or None] for info in runs]
    click.echo(render("", ["run", "started", "system", "task", "scores", "matched by"], rows, layout), nl=False)


@store.command(no_args_is_help=True)
@click.argument("place", metavar="STORE")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--worst", type=click.IntRange(min=1), metavar="N", help="List the N worst concepts of each measure.")
@layout_options()
@click.option(
    "--digits", type=click.IntRange(0, 15), default=3, show_default=True, help="Decimals in tables for people."
)
def show(place: str, runs: tuple[str, ...], worst: int | None, layout: Layout, digits: int) -> None:
    """Show the scores of evaluations as `compare` does; without a RUN of all.

    \b
    Examples:
      ontoeval store show scores
      ontoeval store show scores 1bfd33c9 --worst 5
    """
    from ontoeval.rdf.store.queries import open_store
    from ontoeval.results import ResultTable

    opened = open_store(place)
    results = [result for run in runs for result in opened.read(run)] if runs else opened.read()
    if layout is Layout.JSON:
        entries = [_entry(result, worst) for result in results]
        click.echo(json.dumps({"results": entries}, indent=2, ensure_ascii=False))
        return
    table = ResultTable(results)
    texts = [table.render(layout, title=_title(results), precision=digits)]
    if worst:
        texts += [_worst(r, name, worst, layout, digits) for name, r in zip(table.rows, results, strict=True)]
    click.echo("\n".join(texts), nl=False)


def _title(results: Sequence[EvaluationResult]) -> str:
    """What they were compared with, if it is the same for all."""
    others = {", ".join(source.path for source in result.against) for result in results}
    best = " (* is best)" if len(results) > 1 else ""
    return f"Compared with {others.pop()}{best}" if len(others) == 1 and all(others) else f"Scores{best}"


def _entry(result: EvaluationResult, worst: int | None) -> dict[str, Any]:
    entry = {"system": result.system, "started": result.started, **result.to_dict()}
    if worst:
        entry["worst"] = {
            s.name: [n._asdict() for n in s.local.worst(worst)] for s in result.scores if s.local is not None
        }
    return entry


def _worst(result: EvaluationResult, name: str, count: int, layout: Layout, digits: int) -> str:
    from ontoeval.tables import render

    rows: list[list[Cell]] = [
        [score.name, named.label, named.value]
        for score in result.scores
        if score.local is not None
        for named in score.local.worst(count)
    ]
    if layout is Layout.TABLE:
        return render(f"{name}: worst concepts", ["measure", "concept", "value"], rows, layout, precision=digits)
    named_rows: list[list[Cell]] = [[name, *row] for row in rows]
    return render("", ["", "measure", "concept", "value"], named_rows, layout, precision=digits)


@store.command(no_args_is_help=True)
@click.argument("place", metavar="STORE")
@click.argument("run", metavar="RUN")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
def delete(place: str, run: str, yes: bool) -> None:
    """Delete an evaluation."""
    from ontoeval.rdf.store import Store

    opened = Store(_no_file(place))
    info = opened.find(run)
    if not yes:
        if not sys.stdin.isatty():
            raise ParameterError(f"nobody can be asked whether to delete {info.id}. Give --yes.")
        click.confirm(f"Delete {info.id} ({info.system}, {info.started})?", abort=True)
    opened.delete(info.run)
    click.echo(f"deleted {info.id} ({info.system}, {info.started})", err=True)


@store.command(no_args_is_help=True)
@click.argument("place", metavar="STORE")
@click.argument("file", metavar="FILE.trig|nq")
def export(place: str, file: str) -> None:
    """Write all evaluations into a file."""
    from ontoeval.rdf.store import Store

    check_place(file)
    count = Store(_no_file(place)).export(file)
    click.echo(f"{file}: {_evaluations(count)}", err=True)


@store.command("import", no_args_is_help=True)
@click.argument("place", metavar="STORE")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--ontology", is_flag=True, help="The files are ontologies, also .trig and .nq.")
def import_(place: str, files: tuple[str, ...], ontology: bool) -> None:
    """Add the evaluations of .trig and .nq files; one that is there already is replaced.

    Other files are ontologies (RDF in any syntax): queries such as `below` then find the parents of their concepts. An
    ontology must be the very file that was evaluated.
    """
    from ontoeval.rdf.store import Store

    opened = Store(_no_file(place))
    for file in files:
        if _SCORES.search(file) and not ontology:
            click.echo(f"{file}: {_evaluations(opened.load(file))}", err=True)
        else:
            click.echo(f"{file}: the ontology is in the graph {opened.add_ontology(file).value}", err=True)


def _evaluations(count: int) -> str:
    return f"{count} evaluation{'' if count == 1 else 's'}"


def _no_file(place: str) -> str:
    if Path(place).is_file():
        raise ParameterError(f"{place}: this is a file and no store. Give a folder or a URL.")
    return place
