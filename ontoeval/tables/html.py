"""Layout HTML: caption, bold best values, raised letters, escapes (rounding: table.py)."""

from __future__ import annotations

from html import escape

from ontoeval.errors import printable
from ontoeval.tables.text_table import TextTable


def html_text(table: TextTable) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.heads)
    caption = f"<caption>{escape(printable(table.title))}</caption>" if table.title else ""
    lines = [f"<table>{caption}", f"<thead><tr>{head}</tr></thead>"]
    for row, marks, letters in zip(table.texts, table.best, table.letters, strict=True):
        texts = [f"<b>{escape(text)}</b>" if mark else escape(text) for text, mark in zip(row, marks, strict=True)]
        texts = [text + (f"<sup>{small}</sup>" if small else "") for text, small in zip(texts, letters, strict=True)]
        lines.append(f"<tr><th>{texts[0]}</th>" + "".join(f"<td>{text}</td>" for text in texts[1:]) + "</tr>")
    return "\n".join([*lines, "</table>"]) + "\n"
