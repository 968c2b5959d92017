"""`Layout`: table of layouts and their writers; `render` (texts of cells: text_table.py; names of rows: names.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Literal

from ontoeval.errors import ParameterError, did_you_mean
from ontoeval.tables.html import html_text
from ontoeval.tables.json_rows import json_text
from ontoeval.tables.latex import latex_text
from ontoeval.tables.markdown import markdown_text
from ontoeval.tables.separated import csv_text, tsv_text
from ontoeval.tables.terminal import terminal_text
from ontoeval.tables.text_table import Cell, TextTable


class Layout(Enum):
    """How results are written, by its name on the command line and in Python.

    For people: numbers are rounded, concepts stand with their labels, the best values are marked. For programs: full
    precision and IRIs. TABLE is for a terminal: several tables under titles, with notes below them; in other layouts
    what a title says is a column.
    """

    TABLE = "table", terminal_text, "people"
    JSON = "json", json_text, "programs"  # commands print a document with more than the table
    TSV = "tsv", tsv_text, "programs"
    CSV = "csv", csv_text, "programs"
    MARKDOWN = "markdown", markdown_text, "people"
    LATEX = "latex", latex_text, "people"
    HTML = "html", html_text, "people", "notebook"  # no option of a command

    write: Callable[[TextTable], str]
    for_people: bool
    on_command_line: bool

    def __new__(
        cls,
        name: str,
        write: Callable[[TextTable], str],
        reader: Literal["people", "programs"],
        place: Literal["command line", "notebook"] = "command line",
    ) -> Layout:
        layout = object.__new__(cls)
        layout._value_ = name
        layout.write, layout.for_people, layout.on_command_line = write, reader == "people", place == "command line"
        return layout

    @classmethod
    def named(cls, name: Layout | str) -> Layout:
        """The layout of a name such as "latex"; a layout is itself."""
        if isinstance(name, cls):
            return name
        names = {layout.value: layout for layout in cls}
        if name not in names:
            advice = f"{did_you_mean(str(name), names)} Use one of: {', '.join(names)}."
            raise ParameterError(f"unknown layout {name!r}", advice=advice.strip(), parameter="layout")
        return names[name]


def render(
    title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]], layout: Layout | str, *, precision: int = 3
) -> str:
    """The table in one of the layouts; a missing value is empty in TSV and CSV and a dash elsewhere.

    Columns of numbers stand to the right, columns with words to the left.
    """
    return Layout.named(layout).write(TextTable(title, header, rows, precision))
