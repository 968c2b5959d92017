"""Texts on a terminal: `terminal_width`, `display_width`, `fold`, `fold_names`, `cut`, `names_within` a line."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Sequence

from ontoeval.errors import printable

ELLIPSIS = "…"
_JOINT = re.compile(r"(?<=[,(/=;:_.\-])(?=[^\W\d])")  # where a word that is too long is broken first


def terminal_width() -> int:
    """The columns of the terminal: COLUMNS, else what the terminal says, else 80."""
    return shutil.get_terminal_size((80, 24)).columns


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes: two for each wide character, none for combining ones."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") and character != "\u00ad":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def on_one_line(text: str) -> str:
    """The text as it may be printed, with one blank for each run of blanks and line breaks; blanks before it stay."""
    text = printable(text)
    return text[: len(text) - len(text.lstrip(" "))] + " ".join(text.split())


def fold(text: str, width: int, *, indent: int = 0, most: int | None = None) -> list[str]:
    """The lines of a text, none wider than `width`: broken at blanks; a longer word at a joint or where it must be.

    `indent`: further blanks before all lines but the first; blanks before the text stand before each. `most`: the
    greatest number of lines; what is cut off is an ellipsis.
    """
    text = printable(text)
    lines: list[str] = []
    blanks = text[: len(text) - len(text.lstrip(" "))]
    below = blanks + " " * indent
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else blanks + word
        if display_width(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
            blanks = below
        while display_width(blanks + word) > width:
            head, word = _split(word, width - len(blanks))
            lines.append(blanks + head)
            blanks = below
        line = blanks + word
    lines.append(line)
    if most is not None and len(lines) > most:
        lines[most - 1 :] = [cut(f"{lines[most - 1]}{ELLIPSIS}", width)]
    return lines


def _split(word: str, width: int) -> tuple[str, str]:
    """The start of a word that fits into the width, and the rest; the start has one character at least."""
    end = 0
    for joint in _JOINT.finditer(word):
        if display_width(word[: joint.start()]) <= width:
            end = joint.start()
    if not end:
        taken = 0
        while end < len(word) and taken + _character_width(word[end]) <= width:
            taken += _character_width(word[end])
            end += 1
    end = max(end, 1)
    return word[:end], word[end:]


def cut(text: str, width: int) -> str:
    """The text, or as much of it as fits into the width before an ellipsis."""
    if display_width(text) <= width:
        return text
    return _split(text.rstrip(ELLIPSIS), width - 1)[0].rstrip() + ELLIPSIS


def fold_names(names: Sequence[str], width: int) -> list[str]:
    """Lines of names with commas between them, broken between names as long as they fit into the width."""
    lines = [""]
    names = [*map(printable, names)]
    for place, name in enumerate(names):
        entry = name if place == len(names) - 1 else f"{name},"
        longer = f"{lines[-1]} {entry}" if lines[-1] else entry
        if display_width(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(entry)
    return [part for line in lines for part in fold(line, width)]


def names_within(names: Sequence[str], width: int) -> str:
    """The names with commas between them, as many as fit into the width; an ellipsis stands for the others."""
    names = [*map(printable, names)]
    for count in range(len(names), 0, -1):
        text = ", ".join(names[:count]) + ("" if count == len(names) else f", {ELLIPSIS}")
        if display_width(text) <= width:
            return text
    return cut(names[0] if len(names) == 1 else f"{names[0]}, {ELLIPSIS}", width) if names else ""
