"""Layout Markdown: bold best values, deviations, letters, alignment, escapes (rounding: table.py)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ontoeval.tables.text_table import TextTable


def markdown_text(table: TextTable) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |\n"

    def escaped(text: str) -> str:
        return re.sub(r"\s+", " ", text).replace("|", "\\|")

    def cell(text: str, best: bool, spread: str, letters: str) -> str:
        number = f"**{escaped(text)}**" if best else escaped(text)
        return " ".join(part for part in (number, spread, letters) if part)

    rule = "| " + " | ".join("---:" if number else "---" for number in table.numeric) + " |\n"
    body = "".join(line(list(map(cell, *row))) for row in table.marked_texts)
    return line(list(map(escaped, table.heads))) + rule + body
