"""Layout HTML: caption, bold best values, deviations, raised letters, escapes (rounding: table.py)."""

from __future__ import annotations

from html import escape

from ontoeval.errors import printable
from ontoeval.tables.text_table import TextTable


def html_text(table: TextTable) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.heads)
    caption = f"<caption>{escape(printable(table.title))}</caption>" if table.title else ""
    lines = [f"<table>{caption}", f"<thead><tr>{head}</tr></thead>"]
    for row in table.marked_texts:
        texts = list(map(_cell, *row))
        lines.append(f"<tr><th>{texts[0]}</th>" + "".join(f"<td>{text}</td>" for text in texts[1:]) + "</tr>")
    return "\n".join([*lines, "</table>"]) + "\n"


def _cell(text: str, best: bool, spread: str, letters: str) -> str:
    number = f"<b>{escape(text)}</b>" if best else escape(text)
    return number + (f" <small>{spread}</small>" if spread else "") + (f"<sup>{letters}</sup>" if letters else "")
