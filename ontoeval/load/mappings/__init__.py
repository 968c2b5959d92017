"""`load_mapping`: detects SSSOM (sssom.py), Alignment XML (oaei.py), two columns (read here); joins repeated pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ontoeval.errors import EmptyFileError, LoadError, ParameterError, UnknownFormatError, listed, number_of
from ontoeval.load.input import DEFAULT_LIMIT, Input, open_input
from ontoeval.load.mappings.mapping_rows import KINDS, Pairs, confidence
from ontoeval.load.mappings.oaei import alignment_cells
from ontoeval.load.mappings.sssom import sssom_rows
from ontoeval.load.tables.headings import heading_word
from ontoeval.load.tables.rows import cut
from ontoeval.matching.alignment import Alignment

_PLAIN_HEADERS = {
    "learned": "left", "source": "left", "subject": "left", "left": "left", "entity1": "left", "candidate": "left",
    "concept1": "left", "term1": "left", "class1": "left", "from": "left",
    "gold": "right", "target": "right", "object": "right", "right": "right", "entity2": "right", "reference": "right",
    "concept2": "right", "term2": "right", "class2": "right", "to": "right",
    "confidence": "confidence", "score": "confidence", "measure": "confidence", "probability": "confidence",
}  # fmt: skip
_PLAIN_COLUMNS = ["left", "right", "confidence"]
_XML = re.compile(rb"<(?:\?xml|!|[A-Za-z_][\w.\-]*+(?::[\w.\-]++)?+(?:\s[^<>]*=|>\s*+<))")
_HTML = re.compile(rb"<(?:!doctype\s++)?+html\b", re.I)
_NO_NAMES = tuple('@{[(<"')  # a line of two words that begins so is Turtle, JSON and the like


def load_mapping(source: object, *, min_confidence: float | None = None, max_size: int = DEFAULT_LIMIT) -> Alignment:
    r"""Read pairs of names that are the same: SSSOM TSV, the Alignment format (XML), or `left TAB right [TAB number]`.

    `source` is a path, '-' for stdin, bytes or an open file, compressed or not. Rows that claim something other than
    equivalence are counted in `skipped`. Of a pair that comes twice the higher confidence counts. `min_confidence`
    leaves out pairs with a lower one (`left_out`); a pair without a confidence has 1.

    Examples
    --------
    >>> import ontoeval as oe
    >>> mapping = oe.load_mapping(b"cat\tkatze\t0.9\ndog\thund\t0.4\n", min_confidence=0.5)
    >>> mapping.pairs
    (('cat', 'katze', 0.9),)
    """
    file = open_input(source, limit=max_size)
    try:
        alignment = _alignment(file, _read(file))
        return alignment if min_confidence is None else _at_least(alignment, min_confidence)
    finally:
        file.close()


def _at_least(alignment: Alignment, least: float) -> Alignment:
    if not 0.0 <= least <= 1.0:
        raise ParameterError(f"min_confidence must be a number from 0 to 1, not {least!r}", parameter="min_confidence")
    pairs = tuple(pair for pair in alignment.pairs if pair[2] >= least)
    if not pairs:
        raise LoadError(
            f"no pair has a confidence >= {least:g}",
            advice="Decrease the confidence.",
            parameter="min_confidence",
            path=alignment.path,
        )
    left_out = len(alignment.pairs) - len(pairs)
    return replace(alignment, pairs=pairs, min_confidence=least, left_out=left_out)


def _alignment(source: Input, rows: Pairs) -> Alignment:
    best: dict[tuple[str, str], float] = {}
    skipped = 0
    for row in rows:
        if row is None:
            skipped += 1
        else:
            left, right, score = row
            best[left, right] = max(score, best.get((left, right), 0.0))
    if not best:
        others = f" ({number_of(skipped, 'row of another relation', 'rows of other relations')})" if skipped else ""
        raise LoadError(f"no pairs of equivalent names found{others}", advice=f"Use {KINDS}.", path=source.name)
    pairs = tuple((left, right, best[left, right]) for left, right in sorted(best))
    return Alignment(pairs, source.name, skipped)


def _read(source: Input) -> Pairs:
    """The rows, in the format that the content has."""
    try:
        start = source.head.lstrip()
    except EmptyFileError:
        start = b""
    if not start:
        raise EmptyFileError("the file is empty", advice=f"Use a mapping: {KINDS}.", path=source.name)
    if _HTML.match(start):
        raise _unknown_format(source)
    text = source.read_text(lenient_helps=False)
    if _XML.match(start):
        return alignment_cells(source, text)
    lines = text.split("\n")
    rows = sssom_rows(source, lines)
    if rows is not None:
        return rows
    if not _is_table(next(line for line in lines if line.strip())):
        raise _unknown_format(source)
    return _plain_rows(source, lines)


def _unknown_format(source: Input) -> LoadError:
    start = source.head[:24].decode("utf-8", "replace")
    return UnknownFormatError(
        f"unknown format of a mapping (starts {start!r})", advice=f"Use {KINDS}.", path=source.name
    )


def _is_table(first: str) -> bool:
    """Whether the first line is one of a table: it has a TAB, or is two words."""
    if "\t" in first:
        line = first.strip()
        return not (line.startswith("<") and line.endswith("."))  # N-Triples may have TABs between its terms
    words = first.split()
    if len(words) != 2 or words[0].startswith(_NO_NAMES) or words[1].startswith("<"):
        return False
    return not words[0].endswith((":", ",", ";"))


def _plain_rows(source: Input, lines: Iterable[str]) -> Pairs:
    order: list[str] = []
    for line, content in enumerate(lines, 1):
        if not content.strip():
            continue
        words = content.split()
        cells = [cell.strip() for cell in content.split("\t")]
        if "\t" not in content and len(words) == 2 and words[0] != "#":
            cells = words
        if not order:
            columns = [_PLAIN_HEADERS.get(heading_word(cell), "") for cell in cut(cells, 2)]
            if {"left", "right"} <= set(columns):
                if "" in columns or len(set(columns)) < len(columns):
                    raise _odd_header(source, cells, columns, line)
                order = columns
                continue
            order = _PLAIN_COLUMNS
        cells = cut(cells, 2)
        row = dict(zip(order, cells, strict=False))
        if len(cells) > len(order) or "" in cells or not {"left", "right"} <= row.keys():
            empty = f", {cells.count('')} of them empty" if "" in cells else ""
            raise LoadError(
                f"found {number_of(len(cells), 'cell', 'cells')}{empty}, expected {_expected_cells(order)}",
                advice="Separate the columns by TAB; leave no cell empty.",
                path=source.name,
                format="tsv",
                line=line,
            )
        yield row["left"], row["right"], confidence(row.get("confidence", ""), "confidence", source, "tsv", line)


def _odd_header(source: Input, cells: Sequence[str], columns: Sequence[str], line: int) -> LoadError:
    """The error about a header line with an unknown column, or with a column named twice."""
    odd = [cell for place, cell in enumerate(cells) if cell and columns[place] in ("", *columns[:place])]
    return LoadError(
        f"unknown or repeated columns: {listed(map(repr, odd))}",
        advice="Remove them; use learned, gold and optionally confidence.",
        path=source.name,
        format="tsv",
        line=line,
    )


def _expected_cells(order: Sequence[str]) -> str:
    return f"{'2 or 3' if order[2:] == ['confidence'] else len(order)} ({', '.join(order)})"
