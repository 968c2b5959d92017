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
from ontoeval.cli.steps.printing import json_text
from ontoeval.errors import ParameterError
from ontoeval.files import check_writable
from ontoeval.rdf.store import Store
from ontoeval.rdf.store.store import open_store
from ontoeval.report.local_scores import worst_document, worst_table
from ontoeval.results import EvaluationResult, ResultTable
from ontoeval.tables import Layout, render

_SCORES = re.compile(r"\.(?:trig|nq)(?:\.(?:gz|bz2|xz|zip))?$", re.IGNORECASE)  # what may hold named graphs


def list_runs(place: str, output: tuple[str, ...], layout: Layout) -> None:
    """List the runs, the oldest first."""
    outputs = Outputs(output)
    runs = open_store(place).runs()

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text({"runs": [{"id": info.id, **info._asdict()} for info in runs]})
        rows = [[info.id, info.started, info.system, info.task, info.scores, info.matched_by or None] for info in runs]
        return render("", ["run", "started", "system", "task", "scores", "matched by"], rows, layout)

    outputs.write(text, layout)


def show(place: str, runs: tuple[str, ...], worst: int | None, output: tuple[str, ...], layout: Layout,
         digits: int) -> None:  # fmt: skip
    """Show the scores of some runs, or of all."""
    outputs = Outputs(output)
    opened = open_store(place)
    results = [result for run in runs for result in opened.read(run)] if runs else opened.read()

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
    return f"Scored against {others.pop()}{best}" if len(others) == 1 and all(others) else f"Scores{best}"


def delete(place: str, run: str, yes: bool) -> None:
    """Delete an evaluation."""

    opened = Store(_no_file(place))
    info = opened.find(run)
    if not yes:
        if not sys.stdin.isatty():
            raise ParameterError(f"stdin is not a terminal: pass --yes to delete {info.id}.")
        click.confirm(f"Delete {info.id} ({info.system}, {info.started})?", abort=True)
    opened.delete(info.run)
    note(f"deleted {info.id} ({info.system}, {info.started})")


def export(place: str, file: str) -> None:
    """Write all evaluations into a file."""

    check_writable(file)
    count = Store(_no_file(place)).export(file)
    note(f"{file}: {_runs(count)}")


def import_files(place: str, files: tuple[str, ...], ontology: bool) -> None:
    """Add the evaluations of .trig and .nq files; one that is there already is replaced.

    Other files are ontologies (RDF in any syntax): queries such as `below` then find the parents of their concepts. An
    ontology must be the very file that was evaluated.
    """

    opened = Store(_no_file(place))
    for file in files:
        if _SCORES.search(file) and not ontology:
            note(f"{file}: {_runs(opened.load(file))}")
        else:
            note(f"{file}: ontology added as graph {opened.add_ontology(file).value}")


def _runs(count: int) -> str:
    return f"{count} run{'' if count == 1 else 's'}"


def _no_file(place: str) -> str:
    if Path(place).is_file():
        raise ParameterError("this is a file and no store", place=place, advice="Give a folder or a URL.")
    return place
