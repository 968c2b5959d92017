"""Tables of stored runs and of answers to queries: `run_table`, `minute` (the answers: rdf/store/queries.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from ontoeval.report.names import concept_names
from ontoeval.tables import Cell, Layout, render

LABELS = {"concept": "label", "document": "label", "property": "label", "parent": "parentLabel"}  # column -> its labels
_PHRASES = {"system": "of {}", "gold": "against {}"}  # how a title says what a column has in all rows
_ALWAYS_IN_TITLE = "gold"  # also of one run
_NEVER_IN_TITLE = "started"  # runs of one minute did not start at once


def minute(time: str) -> str:
    """A time of RDF (xsd:dateTime) to the minute, in UTC; what is none stays as it is."""
    try:
        parsed = datetime.fromisoformat(time)
    except ValueError:
        return time
    return f"{parsed.astimezone(UTC) if parsed.tzinfo else parsed:%Y-%m-%d %H:%M}"


def with_labels(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> tuple[list[str], list[list[Cell]]]:
    """Concepts by label, else CURIE: a column of IRIs takes over its column of labels."""
    if not rows:
        return list(header), []
    columns = {name: list(cells) for name, cells in zip(header, zip(*rows, strict=True), strict=True)}
    for name in LABELS.keys() & columns.keys():
        iris = [cell if isinstance(cell, str) else "" for cell in columns[name]]
        labels = columns.pop(LABELS[name], [None] * len(rows))
        columns[name] = [shown or None for shown in concept_names(iris, [str(label or "") for label in labels])]
    return list(columns), [list(row) for row in zip(*columns.values(), strict=True)]


def run_table(what: str, header: Sequence[str], rows: Sequence[Sequence[Cell]], *, precision: int = 3) -> str:
    """For a terminal; empty columns are left out, and texts that are the same in all rows stand in the title."""
    if not rows:
        return render(what, header, rows, Layout.TABLE)
    everything = zip(header, zip(*rows, strict=True), strict=True)
    columns = {name: cells for name, cells in everything if any(cell is not None for cell in cells)}
    constants = {
        name: cells[0]
        for name, cells in columns.items()
        if isinstance(cells[0], str) and len(set(cells)) == 1 and name != _NEVER_IN_TITLE
        if len(rows) > 1 or name == _ALWAYS_IN_TITLE
    }
    shown = {name: cells for name, cells in columns.items() if name not in constants} or columns
    title = _title(what, {name: text for name, text in constants.items() if name not in shown})
    return render(title, list(shown), list(zip(*shown.values(), strict=True)), Layout.TABLE, precision=precision)


def _title(what: str, constants: Mapping[str, Cell]) -> str:
    phrases = [phrase.format(constants[name]) for name, phrase in _PHRASES.items() if name in constants]
    others = ", ".join(f"{name} {text}" for name, text in constants.items() if name not in _PHRASES)
    return " ".join([what, *phrases, *([f"({others})"] if others else [])])
