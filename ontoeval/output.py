"""`save_table`: results in a file, as what its suffix says; `TABLES`, `RDF`, `suffix_of`, `write_text`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ontoeval.analysis.groups import GroupedTable
from ontoeval.errors import ParameterError, json_escaped
from ontoeval.files import check_writable, replacing
from ontoeval.rdf.store import write_scores
from ontoeval.report.annotation_remarks import facts
from ontoeval.report.figures import FORMATS, write_figure
from ontoeval.report.json_schemas import with_schema
from ontoeval.results import ResultTable
from ontoeval.tables import Layout
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.extraction import Extraction

TABLES = {
    ".json": Layout.JSON, ".csv": Layout.CSV, ".tsv": Layout.TSV, ".md": Layout.MARKDOWN, ".tex": Layout.LATEX,
}  # fmt: skip
RDF = (".trig", ".nq")


def save_table(table: ResultTable, path: str | Path, figure: str | None = None) -> None:
    """Write results to a file: as a table, JSON or figure in place of what is there, as RDF in addition to it."""
    suffix = suffix_of(path, (*RDF, *TABLES, *FORMATS))
    check_writable(path)
    if figure is not None and suffix not in FORMATS:
        advice = f"Use one of: {' '.join(FORMATS)}."
        raise ParameterError("not the suffix of a figure", place=str(path), advice=advice, parameter="figure")
    if suffix in RDF:
        write_scores(table.results, str(path))
    elif suffix in FORMATS:
        write_figure(table, path, figure)
    elif suffix == ".json":
        write_text(path, json_text(_document(table)))
    else:
        write_text(path, table.render(TABLES[suffix]))


def _document(table: ResultTable) -> dict[str, Any]:
    """The results as the command of their task writes them; of results read from a file what `store show` writes."""
    tasks = [result.subject for result in table.results]
    if all(isinstance(task, Comparison) for task in tasks):
        name, entries = "compare", [result.to_dict() for result in table.results]
    elif all(isinstance(task, Extraction) for task in tasks):
        name = "labels" if all(task.labels for task in tasks) else "annotations"
        entries = [{**result.to_dict(), **facts(result.subject)} for result in table.results]
    else:
        name = "store-show"
        entries = [{**result.to_dict(), "started": result.started} for result in table.results]
    systems = {"systems": table.to_dict()} if isinstance(table, GroupedTable) else {}
    return with_schema(name, {"results": entries, **systems})


def suffix_of(path: str | Path, known: Sequence[str]) -> str:
    """Which of some suffixes a path has, in any case; ParameterError if it has none of them."""
    name = Path(path).name.lower()
    for suffix in known:
        if name.endswith(suffix):
            return suffix
    ending = f"unknown suffix {Path(path).suffix!r}" if Path(path).suffix else "no suffix"
    raise ParameterError(ending, place=str(path), advice=f"Use one of: {' '.join(sorted(known))}.")


def json_text(document: object) -> str:
    """A document as JSON for a file."""
    return json_escaped(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def write_text(path: str | Path, text: str) -> None:
    """Write a file; what was there is lost only when the new one is whole."""
    with replacing(path) as place, place.open("w", encoding="utf-8", errors="replace", newline="") as stream:
        stream.write(text)
