"""Layout JSON of a table: an object for each row, numbers in full (commands print other JSON: cli/printing.py)."""

from __future__ import annotations

import json
import math

from ontoeval.errors import json_escaped
from ontoeval.tables.text_table import Cell, TextTable, Value


def json_text(table: TextTable) -> str:
    """A list with an object for each row."""
    rows = [[_plain(cell) for cell in row] for row in table.rows]
    document = [dict(zip(table.header, row, strict=True)) for row in rows]
    return json_escaped(json.dumps(document, indent=1, ensure_ascii=False)) + "\n"


def _plain(cell: Cell) -> str | int | float | None:
    """What JSON can hold: it has no infinite numbers."""
    value = cell.number if isinstance(cell, Value) else cell
    return str(value) if isinstance(value, float) and math.isinf(value) else value
