"""`local_table`: the file of all local scores; `worst_table` for `ontoeval store show` (order: `NamedScores.worst`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ontoeval.errors import ParameterError, UnknownMeasureError
from ontoeval.evaluation import evaluate
from ontoeval.results import EvaluationResult, MeasureResult
from ontoeval.tables import Cell, Layout, render

_F = re.compile("F(?=$|_)")  # in the name of an F-measure


def local_table(results: Sequence[EvaluationResult], layout: Layout, role: str = "learned") -> str:
    """A row for each thing judged (its role is the first column), measure and concept or document."""
    return render("", [role, "measure", "of", "iri", "label", "value"], list(_local_rows(results)), layout)


def _local_rows(results: Sequence[EvaluationResult]) -> Iterator[list[Cell]]:
    for result in results:
        for score in with_precision_and_recall(result):
            if score.local is not None:
                for named in score.local.all():
                    yield [result.judged.name, score.name, score.local.of, *named]


def with_precision_and_recall(result: EvaluationResult) -> Iterator[MeasureResult]:
    """The scores; behind an F-measure its precision and recall, if nobody asked for them."""
    asked = {str(score.measure) for score in result.scores}
    for score in result.scores:
        yield score
        try:
            measures = [result.parse(part) for part in _parts(str(score.measure))]
        except (UnknownMeasureError, ParameterError):  # of another package, which names them otherwise
            continue
        named = zip(_parts(score.name), measures, strict=True)
        parts = [(name, measure) for name, measure in named if str(measure) not in asked]
        if parts and result.subject is not None:
            asked |= {str(measure) for _, measure in parts}
            yield from evaluate(result.subject, parts).scores


def _parts(name: str) -> list[str]:
    """Precision and recall of an F-measure: TP_csc and TR_csc of TF_csc, and of TFprime_csc; none of others."""
    base, bracket, parameters = name.partition("(")
    base = base.replace("prime", "")
    return [f"{_F.sub(letter, base)}{bracket}{parameters}" for letter in "PR"] if _F.search(base) else []


def worst_document(result: EvaluationResult, count: int) -> dict[str, list[dict[str, Any]]]:
    """For each measure the units (concepts, documents, pairs) with the worst values, for JSON."""
    return {
        score.name: [named._asdict() for named in score.local.worst(count)]
        for score in result.scores
        if score.local is not None
    }


def worst_table(result: EvaluationResult, name: str, count: int, layout: Layout, digits: int) -> str:
    """For each measure the units with the worst values; `name` is that of the result."""
    rows: list[list[Cell]] = [
        [score.name, named.label, named.value]
        for score in result.scores
        if score.local is not None
        for named in score.local.worst(count)
    ]
    header = ["measure", "unit" if layout.for_people else "concept", "value"]
    if layout is Layout.TABLE:
        return render(f"{name}: lowest scores", header, rows, layout, precision=digits)
    return render("", ["", *header], [[name, *row] for row in rows], layout, precision=digits)
