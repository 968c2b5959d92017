"""How wide texts are in points, as they are printed. Fonts differ; none is wider than DejaVu Sans, measured here."""

from __future__ import annotations

from ontoeval.errors import printable
from ontoeval.tables.folding import ELLIPSIS, display_width

# Hundredths of the size, from the blank to ~.
_ASCII = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69,
    61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63,
    59, 82, 59, 59, 52, 64, 34, 64, 84,
)  # fmt: skip
_OTHER = 84  # of other letters, as wide as most; twice the columns of a terminal are as wide as high
_WIDE = 105
_BOLD = 1.17


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text on one line."""
    hundredths = sum(map(_character_width, printable(text)))
    return hundredths * size / 100 * (_BOLD if bold else 1.0)


def _character_width(character: str) -> int:
    if " " <= character <= "~":
        return _ASCII[ord(character) - 32]
    return (0, _OTHER, _WIDE)[display_width(character)]


def cut_to(text: str, width: float, size: float) -> str:
    """The text, or as much of it as fits before an ellipsis."""
    text = kept = printable(text)
    if text_width(text, size) <= width:
        return text
    while kept and text_width(kept + ELLIPSIS, size) > width:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS if kept else ""


def lines_within(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The text in lines, broken at blanks; a longer word is cut."""
    text = printable(text)
    room = width / (_BOLD if bold else 1.0)
    if text_width(text, size) <= room:
        return [text] if text else []
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(cut_to(word, room, size))
    return lines
