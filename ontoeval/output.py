"""`save_results`: results in a file, as what its suffix says; `TABLES`, `RDF`, `suffix_of`, `write_text`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ontoeval.errors import ParameterError, json_escaped
from ontoeval.files import check_writable, replacing
from ontoeval.rdf.store import write_scores
from ontoeval.results import EvaluationResult, ResultTable
from ontoeval.tables import Layout

TABLES = {
    ".json": Layout.JSON, ".csv": Layout.CSV, ".tsv": Layout.TSV, ".md": Layout.MARKDOWN, ".tex": Layout.LATEX,
}  # fmt: skip
RDF = (".trig", ".nq")


def save_results(results: Sequence[EvaluationResult], path: str | Path) -> None:
    """Write results to a file: as a table or JSON in place of what is there, as RDF in addition to it."""
    suffix = suffix_of(path, (*RDF, *TABLES))
    check_writable(path)
    if suffix in RDF:
        write_scores(results, str(path))
    elif suffix == ".json":
        write_text(path, json_text({"results": [result.to_dict() for result in results]}))
    else:
        write_text(path, ResultTable(results).render(TABLES[suffix]))


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
