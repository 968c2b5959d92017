"""Layout JSON of a table: an object for each row, numbers in full (commands print other JSON: cli/printing.py)."""

from __future__ import annotations

import json

from ontoeval.errors import json_escaped
from ontoeval.tables.table import Table, Value


def json_text(table: Table) -> str:
    """A list with an object for each row."""
    rows = [[cell.number if isinstance(cell, Value) else cell for cell in row] for row in table.rows]
    document = [dict(zip(table.header, row, strict=True)) for row in rows]
    return json_escaped(json.dumps(document, indent=1, ensure_ascii=False)) + "\n"
