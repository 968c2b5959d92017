"""`load_counts`: two columns as a dict: header, sums (cells: rows.py; names to concepts: analysis/name_lists.py)."""

from __future__ import annotations

import math
from contextlib import closing

from ontoeval.errors import LoadError, number_of
from ontoeval.load.input import DEFAULT_LIMIT, open_input
from ontoeval.load.tables.headings import heading_word
from ontoeval.load.tables.rows import Row, decimal_comma, number, read_rows, separator_advice

KINDS = "two columns, concept and count"
_CONCEPT = {"concept", "class", "term", "word", "lemma", "label", "iri", "uri", "id", "name", "synset"}
_COUNT = {"count", "counts", "frequency", "freq", "occurrences", "number", "n"}


def load_counts(source: object, *, max_size: int = DEFAULT_LIMIT) -> dict[str, float]:
    """Read lines of a concept and its count; the counts of a concept that comes twice add up.

    `source` is a path, '-' for stdin, bytes or an open file, compressed or not. The columns are separated by a TAB,
    else by a comma, else by a semicolon, else by blanks. A header line may name them, in either order.
    """
    with closing(open_input(source, limit=max_size)) as file:
        format, rows = read_rows(file, KINDS, columns=2)
        path = file.name
    for line, cells in rows:
        if len(cells) != 2:
            raise LoadError(
                f"found {number_of(len(cells), 'cell', 'cells')}, expected {KINDS}",
                advice=separator_advice(format),
                path=path,
                format=format,
                line=line,
            )
    concept, rows = _without_header(rows)
    if not rows:
        raise LoadError("no counts found, only a header line", advice=f"Use {KINDS}.", path=path)
    result: dict[str, float] = {}
    for line, cells in rows:
        name, text = cells[concept], cells[1 - concept]
        value = number(text)
        if value is None or not (math.isfinite(value) and value >= 0):
            raise LoadError(
                f"the count {text!r} of {name!r} is not a finite number >= 0",
                advice=f"Correct it{decimal_comma(text)}.",
                path=path,
                format=format,
                line=line,
            )
        if not name:
            raise LoadError(
                f"cell {concept + 1} is empty", advice="Add a concept.", path=path, format=format, line=line
            )
        result[name] = result.get(name, 0.0) + value
    return result


def _without_header(rows: list[Row]) -> tuple[int, list[Row]]:
    """The column of the concepts, and the rows without a header line."""
    first = [heading_word(cell) for cell in rows[0][1]]
    for concept in (0, 1):
        known = (first[concept] in _CONCEPT) + (first[1 - concept] in _COUNT)
        if known == 2 or (known and _has_counts(rows, 1 - concept)):
            return concept, rows[1:]
    return 0, rows[1:] if _has_counts(rows, 1) else rows


def _has_counts(rows: list[Row], column: int) -> bool:
    """True if a column has numbers below a word."""
    first, *others = (number(cells[column]) for _, cells in rows)
    return first is None and bool(others) and None not in others
