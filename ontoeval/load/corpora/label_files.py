"""Readers of labels of documents and their recognition: Annif, TREC runs and qrels, HEMKit, CAFA, plain tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ontoeval.errors import LoadError, number_of
from ontoeval.load.corpora.format import CorpusOptions, document_name, is_empty
from ontoeval.load.input import HEAD, Input
from ontoeval.load.tables.rows import number
from ontoeval.model.corpus import NOWHERE, AnnotatedDocument, Annotation

_DOCUMENT = {
    "document",
    "doc",
    "document_id",
    "doc_id",
    "docid",
    "id",
    "target",
    "topic",
    "query",
    "instance",
    "entryid",
}
_LABEL = {"subject", "label", "concept", "class", "term", "category", "subject_uri", "uri", "iri", "topic", "goterm"}
_SCORE = {"score", "confidence", "probability", "weight"}
_URI = r"<[^<>\s]+>"
_KEY = re.compile(rf"{_URI}(?:\t[^\t]*)*+")  # a line of an Annif .tsv or .annif file
_SHORT = re.compile(rf"[^\t]*\t\s*{_URI}(?:\s+{_URI})*\s*")  # a text and its subjects
_URIS = re.compile(_URI)
_QRELS = re.compile(r"\s*\S+\s+\S+\s+\S+\s+-?\d+\s*")
_RUN = re.compile(r"\s*\S+\s+\S+\s+\S+\s+-?\d+\s+[-+]?[\d.][\d.eE+\-]*\s+\S+\s*")
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
    """`topic Q0 document rank score tag`."""
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
        cells = text.split()
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
    """`document TAB label [TAB score]`, with a header line that says so or without one."""
    lines = [line for line in _first_lines(head) if not _is_cafa_word(line)]
    if not lines or len({line.count("\t") for line in lines}) > 1 or not 1 <= lines[0].count("\t") <= 2:
        return False
    rows = [[cell.strip() for cell in line.split("\t")] for line in lines]
    if _header(rows[0]) is not None:
        return True
    return all(all(row[:2]) and (len(row) < 3 or number(row[2]) is not None) for row in rows)


def read_label_table(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """A document for each name in the first column; CAFA's files have no header line, but may name their author."""
    yield from _group_rows(_table_rows(file))


def _table_rows(file: Input) -> Iterator[Row]:
    order: Sequence[int | None] | None = None
    for line, text in _full_lines(file):
        if _is_cafa_word(text):
            continue
        cells = [cell.strip() for cell in text.split("\t")]
        if order is None:
            header = _header(cells)
            order = header or (0, 1, 2)
            if header is not None:
                continue
        document, label, score = (cells[n] if n is not None and n < len(cells) else "" for n in order)
        if not document or not label or len(cells) > 3:
            raise _cells_error(file, "labels", line, sum(map(bool, cells)), "`document TAB label [TAB score]`")
        yield Row(document, label, _score(score, file, "labels", line) if score else None)


def _is_cafa_word(line: str) -> bool:
    return "\t" not in line and line.split()[0] in _CAFA_WORDS


def _header(cells: Sequence[str]) -> tuple[int, int, int | None] | None:
    """Which column is which, if these are names of columns."""
    headings = [cell.strip().casefold().replace(" ", "_") for cell in cells]
    document, score = _column(headings, _DOCUMENT), _column(headings, _SCORE)
    label = next((n for n, heading in enumerate(headings) if heading in _LABEL and n != document), None)
    if document is None or label is None or (len(cells) > 2 and score is None):
        return None
    return document, label, score


def _column(headings: Sequence[str], names: set[str]) -> int | None:
    return next((n for n, heading in enumerate(headings) if heading in names), None)
