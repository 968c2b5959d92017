"""Layout LaTeX: tabular, bold best values, raised letters, escapes (rounding: table.py)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ontoeval.tables.text_table import TextTable

_SPECIAL = re.compile(r"[\\{}$&#_%~^<>]")
_NAMES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
          "<": r"\textless{}", ">": r"\textgreater{}"}  # fmt: skip


def latex_text(table: TextTable) -> str:
    def line(cells: Sequence[str], marks: Sequence[bool], letters: Sequence[str]) -> str:
        texts = (_SPECIAL.sub(lambda m: _NAMES.get(m[0], "\\" + m[0]), cell) for cell in cells)
        marked = (f"\\textbf{{{text}}}" if mark else text for text, mark in zip(texts, marks, strict=True))
        raised = (text + (f"$^{{{small}}}$" if small else "") for text, small in zip(marked, letters, strict=True))
        return " & ".join(raised) + " \\\\\n"

    body = "".join(map(line, table.texts, table.best, table.letters))
    columns = "".join("r" if number else "l" for number in table.numeric)
    rule = "\\hline\n"
    top = line(table.heads, [False] * len(table.header), [""] * len(table.header))
    return f"\\begin{{tabular}}{{{columns}}}\n{rule}{top}{rule}{body}{rule}\\end{{tabular}}\n"
