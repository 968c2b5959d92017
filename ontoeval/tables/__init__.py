"""No code, only imports: `Table` of rows, `Layout` of texts, `render`; texts on a terminal, names of rows."""

from __future__ import annotations

from ontoeval.tables.folding import fold, terminal_width
from ontoeval.tables.layouts import Layout, render
from ontoeval.tables.names import file_names, short_names
from ontoeval.tables.table import Table, frame, in_notebook
from ontoeval.tables.text_table import Cell, TextTable, Value, exact_text, rounded_text

__all__ = [
    "Cell", "Layout", "Table", "TextTable", "Value", "exact_text", "file_names", "fold", "frame", "in_notebook",
    "render", "rounded_text", "short_names", "terminal_width",
]  # fmt: skip
