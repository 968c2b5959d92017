"""Readers of labels of documents and their recognition: Annif, TREC runs and qrels, HEMKit, CAFA, plain tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ontoeval.errors import LoadError, number_of
from ontoeval.load.corpora.format import CorpusOptions, document_name, is_empty, note_unread
from ontoeval.load.input import HEAD, Input
from ontoeval.load.tables.headings import corpus_columns
from ontoeval.load.tables.rows import cut, number
from ontoeval.model.corpus import NOWHERE, AnnotatedDocument, Annotation

_URI = r"<[^<>\s]+>"
_KEY = re.compile(rf"{_URI}(?:\t[^\t]*)*+")  # a line of an Annif .tsv or .annif file
_SHORT = re.compile(rf"[^\t]*\t\s*{_URI}(?:\s+{_URI})*\s*")  # a text and its subjects
_URIS = re.compile(_URI)
_QRELS = re.compile(r"\s*\S+\s+\S+\s+\S+\s+-?\d+\s*")
_RUN = re.compile(r"\s*\S+\s+\S+\s+\S+\s+-?\d+\s+[-+]?[\d.][\d.eE+\-]*\s+\S.*")
_NUMBERS = re.compile(r"\s*(?:\d+\s*)*")
_CAFA_WORDS = ("AUTHOR", "MODEL", "KEYWORDS", "ACCURACY", "END")
_NOTE = "topics are read as documents, and the documents retrieved for a topic as its labels"


class Row(NamedTuple):
    """One label of a document; None: it has none."""

    document: str
    label: str | None
    score: float | None = None


def _group_rows(rows: Iterable[Row]) -> Iterator[AnnotatedDocument]:
    """Rows that follow each other as documents; one may come again later."""
    for document, group in groupby(rows, key=lambda row: row.document):
        labels = [_label(row.label, row.score) for row in group if row.label is not None]
        yield AnnotatedDocument(document, labels)


def _label(label: str, score: float | None = None) -> Annotation:
    return Annotation(NOWHERE, NOWHERE, label, None, score)


def _lines(file: Input) -> Iterator[tuple[int, str]]:
    """Number and text of every line, without its end."""
    try:
        with file.open() as stream:
            for line, data in enumerate(stream, 1):
                yield line, data.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        file.check_utf8()
        raise


def _full_lines(file: Input) -> Iterator[tuple[int, str]]:
    return ((line, text) for line, text in _lines(file) if text.strip())


def _first_lines(head: bytes, most: int = 50) -> list[str]:
    """The first lines that are not empty; one that the head cuts off is not among them."""
    lines = head.decode("utf-8", "replace").splitlines()
    whole = lines[:-1] if len(lines) > 1 and len(head) >= HEAD else lines
    return [line for line in whole if line.strip()][:most]


def _all_fit(head: bytes, pattern: re.Pattern[str]) -> bool:
    lines = _first_lines(head)
    return bool(lines) and all(pattern.fullmatch(line) for line in lines)


def _score(text: str, file: Input, format: str, line: int) -> float:
    score = number(text)
    if score is None or not math.isfinite(score):
        raise LoadError(
            f"the score {text!r} is not a finite number",
            advice="Correct it.",
            path=file.name,
            format=format,
            line=line,
        )
    return score


def _cells_error(file: Input, format: str, line: int, count: int, expected: str) -> LoadError:
    return LoadError(
        f"found {number_of(count, 'cell', 'cells')}, expected {expected}",
        advice="Correct the line.",
        path=file.name,
        format=format,
        line=line,
    )


# Annif


def is_annif(head: bytes, name: str) -> bool:
    """The subjects of one document: `<uri> TAB label` in .tsv files, with scores in .annif files, labels in .key."""
    return name.lower().endswith((".key", ".annif")) or _all_fit(head, _KEY)


def read_annif(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """The subjects of one document of an Annif folder; its name is the file's without suffix."""
    labels = []
    for line, text in () if is_empty(file) else _full_lines(file):  # a document may have no subject
        cells = [cell.strip() for cell in text.split("\t")]
        if not _URIS.fullmatch(cells[0]):
            if file.name.lower().endswith(".key"):  # labels, one a line
                labels.append(_label(text.strip()))
                continue
            raise LoadError(
                f"{cells[0]!r} is not a URI in angle brackets",
                advice="Use `<uri> TAB label` in every line.",
                path=file.name,
                format="annif",
                line=line,
            )
        # `<uri> TAB label [TAB notation]` by people, `<uri> TAB label TAB score` from `annif index`
        last = cells[-1] if len(cells) > 2 and file.name.lower().endswith(".annif") else None
        labels.append(_label(cells[0][1:-1], None if last is None else _score(last, file, "annif", line)))
    yield AnnotatedDocument(document_name(file.name), labels)


def is_annif_short(head: bytes, name: str) -> bool:
    """Texts with their subjects: `text TAB <uri> <uri> ...`."""
    return _all_fit(head, _SHORT)


def read_annif_short(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """A document for each line of an Annif short-text file; its name is the number of the line."""
    for line, text in _full_lines(file):
        if not _SHORT.fullmatch(text):
            raise _cells_error(file, "annif-short", line, len(text.split("\t")), "`text TAB <uri> <uri> ...`")
        document_text, _, subjects = text.rpartition("\t")
        yield AnnotatedDocument(str(line), [_label(uri[1:-1]) for uri in _URIS.findall(subjects)], len(document_text))


# TREC


def is_qrels(head: bytes, name: str) -> bool:
    """`topic iteration document relevance`."""
    return _all_fit(head, _QRELS) and all(line.split()[1] in ("0", "Q0") for line in _first_lines(head))


def read_qrels(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """A document for each topic; its labels are the relevant documents."""
    options.findings.note(_NOTE)
    rows = _trec_rows(file, "qrels", ("topic", "iteration", "document", "relevance"))
    yield from _group_rows(
        Row(topic, document if _score(relevance, file, "qrels", line) > 0 else None)
        for line, (topic, _, document, relevance) in rows
    )


def is_run(head: bytes, name: str) -> bool:
    """`topic Q0 document rank score tag`, perhaps with a text after the tag."""
    return _all_fit(head, _RUN)


def read_run(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """A document for each topic; its labels are the documents that were found, with their scores."""
    options.findings.note(_NOTE)
    rows = _trec_rows(file, "run", ("topic", "Q0", "document", "rank", "score", "tag"))
    yield from _group_rows(
        Row(topic, document, _score(score, file, "run", line)) for line, (topic, _, document, _, score, _) in rows
    )


def _trec_rows(file: Input, format: str, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each row."""
    for line, text in _full_lines(file):
        cells = text.split(None, len(columns))
        if format == "run":
            del cells[len(columns) :]  # a text after the tag
        if len(cells) != len(columns):
            raise _cells_error(file, format, line, len(cells), f"{len(columns)} ({', '.join(columns)})")
        yield line, cells


# HEMKit


def is_hemkit(head: bytes, name: str) -> bool:
    """Lines of category numbers."""
    return _all_fit(head, _NUMBERS)


def read_hemkit(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """A document for each line, also an empty one; its name is the number of the line."""
    for line, text in _lines(file):
        yield AnnotatedDocument(str(line), [_label(category) for category in text.split()])


# tables of documents and labels, CAFA's among them


def is_label_table(head: bytes, name: str) -> bool:
    """`document TAB label [TAB score]`, or as a header line says."""
    lines = [line for line in _first_lines(head) if not _is_cafa_word(line)]
    rows = [_cells(line) for line in lines]
    if not rows or "\t" not in lines[0] or not all("\t" in line for line in lines):
        return False
    columns = corpus_columns(rows[0])
    width = len(cut(rows[0], 2))
    if len({len(cut(row, width)) for row in rows}) > 1:
        return False
    if columns is not None:
        return "start" not in columns
    return width <= 3 and all(all(row[:2]) and (len(row) < 3 or number(row[2] or "0") is not None) for row in rows)


def read_label_table(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """A document for each name in the first column; CAFA's files have no header line, but may name their author."""
    yield from _group_rows(_table_rows(file, options))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("\t")]


def _table_rows(file: Input, options: CorpusOptions) -> Iterator[Row]:
    columns: Mapping[str, int] | None = None
    header: list[str] = []
    width = 3
    for line, text in _full_lines(file):
        if _is_cafa_word(text):
            continue
        cells = _cells(text)
        if columns is None:
            columns = corpus_columns(cells)
            if columns is not None:
                header, width = cells, len(cut(cells, 2))
                note_unread(cells, columns, options)
                continue
            columns = {"document": 0, "concept": 1, "score": 2}
        cells = cut(cells, width)
        if header and "score" not in columns:
            _refuse_scores(file, header, columns, cells)
        header = []
        document, label, score = (
            cells[place] if (place := columns.get(name, width)) < len(cells) else ""
            for name in ("document", "concept", "score")
        )
        if not document or not label or len(cells) > width:
            expected = "`document TAB label [TAB score]`" if width <= 3 else f"{width}, as in the header line"
            raise _cells_error(file, "labels", line, sum(map(bool, cells)), expected)
        yield Row(document, label, _score(score, file, "labels", line) if score else None)


def _refuse_scores(file: Input, header: Sequence[str], columns: Mapping[str, int], cells: Sequence[str]) -> None:
    """Refuse numbers in the first row that may be scores, under a name that does not say so."""
    for place, (name, cell) in enumerate(zip(header, cells, strict=False)):
        if place not in columns.values() and number(cell) is not None:
            raise LoadError(
                f"unknown column {name!r} with numbers",
                advice="Call it score if it has the scores of labels, or remove it.",
                path=file.name,
                format="labels",
            )


def _is_cafa_word(line: str) -> bool:
    return "\t" not in line and line.split()[0] in _CAFA_WORDS
