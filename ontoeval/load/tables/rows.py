"""`read_rows` of plain tables: which separator (TAB, comma, semicolon, blanks), comments; `number` in a cell."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from ontoeval.errors import EmptyFileError, LoadError
from ontoeval.load.input import Input

Row = tuple[int, list[str]]  # line number, cells


def read_rows(source: Input, expected: str, *, columns: int) -> tuple[str, list[Row]]:
    """How the columns are separated ("tsv", "csv" or "words"), and the rows, without comments and empty lines.

    `columns` is how many there are at most in such tables.
    """
    lines = [
        (line, content)
        for line, content in enumerate(_text(source, expected).replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1)
        if content.strip() and not content.startswith("#")
    ]
    if not lines:
        raise LoadError("the file has only comments", advice=f"Use {expected}.", path=source.name)
    separator = _separator([content for _, content in lines], columns)
    if separator is None:
        return "words", [(line, content.split()) for line, content in lines]
    if separator != "\t":
        return "csv", list(_cells(lines, separator, source.name, "csv"))
    rows = list(_cells(lines, separator, source.name, "tsv"))
    width = len(cut(rows[0][1], 2))
    return "tsv", [(line, cut(cells, width)) for line, cells in rows]


def cut(cells: list[str], width: int) -> list[str]:
    """The cells without empty ones at the end beyond so many: a TAB at the end of a line begins no column."""
    end = len(cells)
    while end > width and not cells[end - 1]:
        end -= 1
    return cells[:end]


def number(text: str) -> float | None:
    """The number that a text is, if it is one."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def separator_advice(format: str) -> str:
    """What to do about a wrong number of cells."""
    if format == "words":
        return "Separate the columns by TAB if cells contain spaces."
    return "Put cells with a comma or semicolon into double quotes." if format == "csv" else "Correct the line."


def decimal_comma(text: str) -> str:
    """A hint for numbers such as `3,92`."""
    return " (use a decimal point, not a comma)" if re.fullmatch(r"[+-]?\d+,\d+", text) else ""


def _text(source: Input, expected: str) -> str:
    try:
        text = source.read_text(lenient_helps=False)
    except EmptyFileError:
        text = ""
    if not text.strip():
        raise EmptyFileError("the file is empty", advice=f"Use {expected}.", path=source.name)
    return text


def _separator(lines: Sequence[str], columns: int) -> str | None:
    """TAB, comma or semicolon, whichever comes first here and in the file; None: blanks."""
    if any("\t" in line for line in lines):
        return "\t"
    # commas may be those of numbers: 'a;b;3,9'
    if any("," in line for line in lines) and not all(line.count(";") >= columns - 1 for line in lines):
        return ","
    return ";" if any(";" in line for line in lines) else None


def _cells(lines: Sequence[tuple[int, str]], separator: str, path: str, format: str) -> Iterator[Row]:
    lines_read = 0

    def contents() -> Iterator[str]:
        nonlocal lines_read
        for _, content in lines:
            lines_read += 1
            yield content + "\n"

    # strict: else a quote too many would swallow the rows after it without an error
    reader = csv.reader(contents(), delimiter=separator, strict=True)
    begin = 0
    try:
        for cells in reader:
            yield lines[begin][0], [cell.strip() for cell in cells]
            begin = lines_read
    except csv.Error as error:
        raise LoadError(
            f"not valid {format.upper()}: {error}",
            advice="Put cells with quotes into double quotes, and double the quotes in them.",
            path=path,
            format=format,
            line=lines[begin][0],
        ) from None
