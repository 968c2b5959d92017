"""Layout Markdown: bold best values, alignment, escapes (rounding: table.py; which are best: results.py, callers)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ontoeval.tables.table import Table


def markdown_text(table: Table) -> str:
    def line(cells: Sequence[str], marks: Sequence[bool]) -> str:
        texts = (re.sub(r"\s+", " ", cell).replace("|", "\\|") for cell in cells)
        return (
            "| " + " | ".join(f"**{text}**" if mark else text for text, mark in zip(texts, marks, strict=True)) + " |\n"
        )

    rule = "| " + " | ".join("---:" if number else "---" for number in table.numeric) + " |\n"
    body = "".join(line(row, marks) for row, marks in zip(table.texts, table.best, strict=True))
    return line(table.header, [False] * len(table.header)) + rule + body
