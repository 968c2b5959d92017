"""`local_table`: the file of all local scores; `worst_table` for `ontoeval store show` (order: `worst`, results.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ontoeval.results import EvaluationResult
from ontoeval.tables import Cell, Layout, render


def local_table(results: Sequence[EvaluationResult], layout: Layout, role: str = "learned") -> str:
    """A row for each thing judged (its role is the first column), measure and concept or document."""
    return render("", [role, "measure", "of", "iri", "label", "value"], list(_local_rows(results)), layout)


def _local_rows(results: Sequence[EvaluationResult]) -> Iterator[list[Cell]]:
    for result in results:
        for score in result.scores:
            if score.local is not None:
                for named in score.local.all():
                    yield [result.judged.name, score.name, score.local.of, *named]


def worst_document(result: EvaluationResult, count: int) -> dict[str, list[dict[str, Any]]]:
    """For each measure the concepts with the worst values, for JSON."""
    return {
        score.name: [named._asdict() for named in score.local.worst(count)]
        for score in result.scores
        if score.local is not None
    }


def worst_table(result: EvaluationResult, name: str, count: int, layout: Layout, digits: int) -> str:
    """For each measure the concepts with the worst values; `name` is that of the result."""
    rows: list[list[Cell]] = [
        [score.name, named.label, named.value]
        for score in result.scores
        if score.local is not None
        for named in score.local.worst(count)
    ]
    header = ["measure", "concept", "value"]
    if layout is Layout.TABLE:
        return render(f"{name}: worst concepts", header, rows, layout, precision=digits)
    return render("", ["", *header], [[name, *row] for row in rows], layout, precision=digits)
