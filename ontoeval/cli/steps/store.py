"""Steps of `ontoeval store` list, show, delete, export and import: tables (the store itself: rdf/store/)."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ontoeval.cli.state import note
from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import json_text, status_on_stderr
from ontoeval.cli.steps.storing import store_and_others
from ontoeval.errors import ParameterError, printable
from ontoeval.files import check_writable
from ontoeval.rdf.store import Store
from ontoeval.rdf.store.store import open_store, short_ids
from ontoeval.report.local_scores import worst_document, worst_table
from ontoeval.report.stored_runs import minute, run_table
from ontoeval.results import EvaluationResult, ResultTable
from ontoeval.tables import Layout, render

_SCORES = re.compile(r"\.(?:trig|nq)(?:\.(?:gz|bz2|xz|zip))?$", re.IGNORECASE)  # what may hold named graphs


def list_runs(place: str | None, output: tuple[str, ...], layout: Layout) -> None:
    """List the runs, the oldest first."""
    outputs = Outputs(output)
    place, _ = store_and_others([place])
    runs = open_store(place).runs()

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text({"runs": [{"id": info.id, **info._asdict()} for info in runs]})
        header = ["run", "started", "system", "task", "scores", "matched by"]
        rows = [[info.id, info.started, info.system, info.task, info.scores, info.matched_by or None] for info in runs]
        if layout is not Layout.TABLE:
            return render("", header, rows, layout)
        short = short_ids(info.id for info in runs)
        shown = [[short[info.id], minute(info.started), *row[2:]] for info, row in zip(runs, rows, strict=True)]
        return run_table(f"{_runs(len(runs))} in {place}", header, shown)

    outputs.write(text, layout)


def show(place: str | None, runs: tuple[str, ...], worst: int | None, output: tuple[str, ...], layout: Layout,
         digits: int) -> None:  # fmt: skip
    """Show the scores of some runs, or of all."""
    outputs = Outputs(output)
    place, names = store_and_others([place, *runs], is_store=_exists)
    opened = open_store(place)
    results = [result for name in names for result in opened.read(name)] if names else opened.read()

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text({"results": [_document(result, worst) for result in results]})
        table = ResultTable(results)
        texts = [table.render(layout, title=_title(results), precision=digits)]
        if worst:
            named = zip(results, table.rows, strict=True)
            texts += [worst_table(result, name, worst, layout, digits) for result, name in named]
        return "\n".join(texts)

    outputs.write(text, layout)


def _document(result: EvaluationResult, worst: int | None) -> dict[str, Any]:
    document = {"system": result.system, "started": result.started, **result.to_dict()}
    return {**document, "worst": worst_document(result, worst)} if worst else document


def _title(results: Sequence[EvaluationResult]) -> str:
    """What they were compared with, if it is the same for all."""
    others = {", ".join(source.path for source in result.against) for result in results}
    best = " (* best)" if len(results) > 1 else ""
    against = f" against {others.pop()}" if len(others) == 1 and all(others) else ""
    return f"{_runs(len(results))}{against}{best}"


def delete(place: str | None, run: str | None, yes: bool) -> None:
    """Delete an evaluation."""
    place, (run,) = store_and_others([place, run], "a run")
    opened = Store(_no_file(place))
    info = opened.find(run, damaged=True)
    if not yes:
        if not sys.stdin.isatty():
            raise ParameterError(f"stdin is not a terminal: pass --yes to delete {info.id}.")
        click.confirm(printable(f"Delete {info.id} ({info.system}, {info.started})?"), abort=True)
    opened.delete(info.run)
    note(f"deleted {info.id} ({info.system}, {info.started})")


def export(place: str | None, file: str | None) -> None:
    """Write all evaluations into a file."""
    place, (file,) = store_and_others([place, file], "a file")
    check_writable(file)
    with status_on_stderr(f"writing {file}"):
        count = Store(_no_file(place)).export(file)
    note(f"{file}: {_runs(count)}")


def import_files(place: str | None, files: tuple[str, ...], ontology: bool) -> None:
    """Add the evaluations of .trig and .nq files; one that is there already is replaced.

    Other files are ontologies (RDF in any syntax): queries such as `below` then find the parents of their concepts. An
    ontology must be the very file that was evaluated.
    """
    place, paths = store_and_others([place, *files], "a file", is_store=lambda name: not Path(name).is_file())
    opened = Store(_no_file(place))
    for file in paths:
        scores = _SCORES.search(file) and not ontology
        with status_on_stderr(f"adding {file}"):
            added = _runs(opened.load(file)) if scores else f"ontology added as graph {opened.add_ontology(file).value}"
        note(f"{file}: {added}")


def _runs(count: int) -> str:
    return f"{count} run{'' if count == 1 else 's'}"


def _exists(name: str) -> bool:
    """True if it may be a store; else it is the name of a run."""
    return name.startswith(("http://", "https://")) or Path(name).exists()


def _no_file(place: str) -> str:
    if Path(place).is_file():
        raise ParameterError(
            "is a file, not a store", place=place, advice="Use a directory or the URL of a SPARQL endpoint."
        )
    return place
