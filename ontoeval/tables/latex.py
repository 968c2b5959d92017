r"""Layout LaTeX: tabular by booktabs, bold best values, deviations, raised letters, escapes (rounding: table.py)."""

from __future__ import annotations

import re
import unicodedata

from ontoeval.tables.text_table import TextTable

_SPECIAL = re.compile(r"[\\{}$&#_%~^<>|]")
_NAMES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
          "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}  # fmt: skip
_MISSING = "–"
# Letters with accents as commands: all engines and encodings of fonts know these.
_ACCENTS = dict(zip("\u0300\u0301\u0302\u0303\u0308\u030a\u0304\u0306\u0307\u030c\u030b\u0327\u0328\u0323\u0331",
                    [*"`'^~\"r=u.vHckdb"], strict=True))  # fmt: skip
_ACCENTED = re.compile(f"([A-Za-z])([{''.join(_ACCENTS)}]+)")
_NAMED_LETTERS = zip("ßæÆœŒøØłŁı", ["ss", "ae", "AE", "oe", "OE", "o", "O", "l", "L", "i"], strict=True)
_LETTERS = {letter: f"\\{name}{{}}" for letter, name in _NAMED_LETTERS}


def latex_text(table: TextTable) -> str:
    """The table; whoever includes it loads the package booktabs. What a title says is a comment."""

    def line(cells: list[str]) -> str:
        return " & ".join(cells) + " \\\\\n"

    body = "".join(line(list(map(_cell, *row))) for row in table.marked_texts)
    columns = "".join("r" if number else "l" for number in table.numeric)
    head = line(list(map(_escape, table.heads)))
    about = re.sub(r"\s+", " ", table.title).replace("* best", "bold: best")
    comment = f"% {about}\n" if about else ""
    begin = f"{comment}\\begin{{tabular}}{{{columns}}}\n"
    return f"{begin}\\toprule\n{head}\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"


def _cell(text: str, best: bool, spread: str, letters: str) -> str:
    number = f"\\textbf{{{_escape(text)}}}" if best else _escape(text)
    deviation = f" {{\\scriptsize$\\pm${spread.removeprefix('±')}}}" if spread else ""
    return number + deviation + (f"$^{{{letters}}}$" if letters else "")


def _escape(text: str) -> str:
    if text == _MISSING:
        return "--"
    plain = _SPECIAL.sub(lambda match: _NAMES.get(match[0], "\\" + match[0]), text)
    if plain.startswith(("[", "*")):  # which \\\\ of the row before would take for its argument
        plain = f"{{{plain[0]}}}{plain[1:]}"
    parts = unicodedata.normalize("NFD", "".join(_LETTERS.get(character, character) for character in plain))
    return unicodedata.normalize("NFC", _ACCENTED.sub(_with_accents, parts))


def _with_accents(letter: re.Match[str]) -> str:
    text = letter[1]
    for accent in letter[2]:
        text = f"\\{_ACCENTS[accent]}{{{text}}}"
    return text
