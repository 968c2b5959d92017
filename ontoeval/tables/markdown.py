"""Layout Markdown: bold best values, letters, alignment, escapes (rounding: table.py)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ontoeval.tables.text_table import TextTable


def markdown_text(table: TextTable) -> str:
    def line(cells: Sequence[str], marks: Sequence[bool], letters: Sequence[str]) -> str:
        texts = (re.sub(r"\s+", " ", cell).replace("|", "\\|") for cell in cells)
        marked = (f"**{text}**" if mark else text for text, mark in zip(texts, marks, strict=True))
        raised = (f"{text} {small}".rstrip() for text, small in zip(marked, letters, strict=True))
        return "| " + " | ".join(raised) + " |\n"

    rule = "| " + " | ".join("---:" if number else "---" for number in table.numeric) + " |\n"
    body = "".join(map(line, table.texts, table.best, table.letters))
    return line(table.heads, [False] * len(table.header), [""] * len(table.header)) + rule + body
