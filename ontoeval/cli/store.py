"""`ontoeval store` list, show, delete, export and import: options and tables (the store itself: rdf/store/)."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ontoeval.cli.options import digits_option, layout_options
from ontoeval.cli.printing import echo_json
from ontoeval.errors import ParameterError
from ontoeval.files import check_writable
from ontoeval.rdf.store import Store
from ontoeval.rdf.store.store import open_store
from ontoeval.report.local_scores import worst_document, worst_table
from ontoeval.results import EvaluationResult, ResultTable
from ontoeval.tables import Layout, render

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
    runs = open_store(place).runs()
    if layout is Layout.JSON:
        echo_json({"runs": [{"id": info.id, **info._asdict()} for info in runs]})
        return
    rows = [[info.id, info.started, info.system, info.task, info.scores, info.matched_by or None] for info in runs]
    click.echo(render("", ["run", "started", "system", "task", "scores", "matched by"], rows, layout), nl=False)


@store.command(no_args_is_help=True)
@click.argument("place", metavar="STORE")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--worst", type=click.IntRange(min=1), metavar="N", help="List the N worst concepts of each measure.")
@layout_options()
@digits_option
def show(place: str, runs: tuple[str, ...], worst: int | None, layout: Layout, digits: int) -> None:
    """Show the scores of evaluations as `compare` does; without a RUN of all.

    \b
    Examples:
      ontoeval store show scores
      ontoeval store show scores 1bfd33c9 --worst 5
    """

    opened = open_store(place)
    results = [result for run in runs for result in opened.read(run)] if runs else opened.read()
    if layout is Layout.JSON:
        echo_json({"results": [_document(result, worst) for result in results]})
        return
    table = ResultTable(results)
    texts = [table.render(layout, title=_title(results), precision=digits)]
    if worst:
        named = zip(results, table.rows, strict=True)
        texts += [worst_table(result, name, worst, layout, digits) for result, name in named]
    click.echo("\n".join(texts), nl=False)


def _document(result: EvaluationResult, worst: int | None) -> dict[str, Any]:
    document = {"system": result.system, "started": result.started, **result.to_dict()}
    return {**document, "worst": worst_document(result, worst)} if worst else document


def _title(results: Sequence[EvaluationResult]) -> str:
    """What they were compared with, if it is the same for all."""
    others = {", ".join(source.path for source in result.against) for result in results}
    best = " (* is best)" if len(results) > 1 else ""
    return f"Compared with {others.pop()}{best}" if len(others) == 1 and all(others) else f"Scores{best}"


@store.command(no_args_is_help=True)
@click.argument("place", metavar="STORE")
@click.argument("run", metavar="RUN")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
def delete(place: str, run: str, yes: bool) -> None:
    """Delete an evaluation."""

    opened = Store(_no_file(place))
    info = opened.find(run)
    if not yes:
        if not sys.stdin.isatty():
            raise ParameterError(f"nobody can be asked whether to delete {info.id}", advice="Give --yes.")
        click.confirm(f"Delete {info.id} ({info.system}, {info.started})?", abort=True)
    opened.delete(info.run)
    click.echo(f"deleted {info.id} ({info.system}, {info.started})", err=True)


@store.command(no_args_is_help=True)
@click.argument("place", metavar="STORE")
@click.argument("file", metavar="FILE.trig|nq")
def export(place: str, file: str) -> None:
    """Write all evaluations into a file."""

    check_writable(file)
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
        raise ParameterError("this is a file and no store", place=place, advice="Give a folder or a URL.")
    return place
