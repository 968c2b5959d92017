"""Our JSON Lines (also written: `write_lines`) and TSV of spans (tables of document and label: label_files.py)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

from ontoeval.errors import LoadError, number_of
from ontoeval.load.corpora.format import CorpusOptions, check_span, join_same, note_unread, refuse_empty
from ontoeval.load.corpora.json_values import Place, json_text
from ontoeval.load.input import Input
from ontoeval.load.tables.headings import corpus_columns
from ontoeval.load.tables.rows import cut
from ontoeval.model.corpus import NOWHERE, AnnotatedDocument, Annotation, Corpus

_FIRST_LINE = re.compile(rb'\s*+\{[^\n]*?"(?:document|same)"\s*+:')
_SPAN_COLUMNS = ("document", "start", "end", "concept", "instance", "score")
_LABEL_COLUMNS = ("document", "concept", "score")
_DOCUMENT_KEYS = frozenset({"document", "text", "length", "annotations", "labels"})
_ANNOTATION_KEYS = frozenset({"start", "end", "concept", "class", "instance", "score", "features"})
_NUMBER = re.compile(r"[0-9]{1,18}")


def is_json_lines(head: bytes, name: str) -> bool:
    """Whether the first line is an object with a document."""
    return _FIRST_LINE.match(head) is not None


def is_tsv(head: bytes, name: str) -> bool:
    """Whether the first line is `document start end concept`, in words or with numbers; labels are another format's."""
    first = next((line for line in head.decode("utf-8", "replace").split("\n") if line.strip()), "").removesuffix("\r")
    cells = _cells(first)
    if len(cells) < 4 or "\x00" in first:
        return False
    return "start" in (corpus_columns(cells) or _columns_without_header(cells) or ())


def read_json_lines(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """Documents of lines that are JSON objects of one of these kinds; offsets count code points.

    - `{"document": "d", "start": 0, "end": 5, "concept": "C", "instance": "I", "score": 0.5}`: an annotation; concept
      or instance, and score, may be missing or null
    - `{"document": "d", "text": "...", "annotations": [{"start": 0, ...}, ...]}`: all of a document; `"length": 99`
      (characters) may stand for the text
    - `{"document": "d", "labels": ["C", {"concept": "D", "score": 0.5}]}`: labels of the document
    - `{"document": "d", "concept": "C", "score": 0.5}`: one label
    - `{"same": ["I", "J"]}`: two names of one individual

    `"class"` is another name of `"concept"`. A file has annotations or labels, not both.
    """
    yield from _join_parts(_JsonLines(file, options).documents())


def read_tsv(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """Documents of a table: `document start end concept [instance [score]]`, or of labels `document concept [score]`.

    Columns are separated by TAB; a header may name them in another order. An empty cell of concept, instance or score
    is none. Nothing is quoted.
    """
    yield from _join_parts(_table(file, options))


def write_lines(corpus: Corpus) -> Iterator[str]:
    """A corpus as JSON Lines, one document a line (without the end of the line); `read_json_lines` gives it back."""
    bounds = corpus.document.searchsorted(range(len(corpus.documents) + 1)).tolist()
    for number, name in enumerate(corpus.documents):
        row: dict[str, Any] = {"document": name}
        if corpus.lengths[number] >= 0:
            row["length"] = int(corpus.lengths[number])
        indices = range(bounds[number], bounds[number + 1])
        row["labels" if corpus.labels else "annotations"] = [_json_row(corpus, index) for index in indices]
        yield json.dumps(row, ensure_ascii=False)
    for pair in sorted(corpus.same.items()):
        yield json.dumps({"same": pair}, ensure_ascii=False)


def _json_row(corpus: Corpus, index: int) -> dict[str, Any]:
    concept, instance, score = int(corpus.concept[index]), int(corpus.instance[index]), float(corpus.score[index])
    row: dict[str, Any] = {}
    if not corpus.labels:
        row |= {"start": int(corpus.start[index]), "end": int(corpus.end[index])}
    row["concept"] = None if concept < 0 else corpus.concepts[concept]
    if instance >= 0:
        row["instance"] = corpus.instances[instance]
    if not math.isnan(score):
        row["score"] = score
    return row


def _join_parts(documents: Iterable[AnnotatedDocument]) -> Iterator[AnnotatedDocument]:
    """Neighbouring parts of one document as one."""
    name: str | None = None
    length: int | None = None
    annotations: list[Annotation] = []
    for document in documents:
        if name is not None and (document.name != name or document.length is not None):
            yield AnnotatedDocument(name, annotations, length)
            annotations, length = [], None
        name, length = document.name, document.length if document.length is not None else length
        annotations.extend(document.annotations)
    if name is not None:
        yield AnnotatedDocument(name, annotations, length)


class _JsonLines:
    def __init__(self, file: Input, options: CorpusOptions) -> None:
        self.file = file
        self.options = options
        self.place = Place(file.name, "jsonl")
        self.labels: tuple[bool, int] | None = None  # whether the file has labels, and the line of the first

    def documents(self) -> Iterator[AnnotatedDocument]:
        for number, line in enumerate(_lines(self.file), 1):
            if not line.strip():
                continue
            self.place.line = number
            row = self._parse(line)
            if "same" in row:
                self._same(row)
            else:
                yield self._document(row)

    def _parse(self, line: str) -> Mapping[str, object]:
        try:
            row = json.loads(line, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            self.place.fail(f"not valid JSON: {error.msg} (column {error.colno})", "Write one JSON object per line.")
        except ValueError as error:
            self.place.fail(f"not valid JSON: {error}", "Write one JSON object per line.")
        except RecursionError:
            self.place.fail("brackets are nested too deep", "Write one JSON object per line.")
        if not isinstance(row, dict):
            self.place.fail(f"expected a JSON object, found {json_text(row)}", "Write one JSON object per line.")
        return row

    def _same(self, row: Mapping[str, object]) -> None:
        pair = row["same"]
        if not isinstance(pair, list) or len(pair) != 2:
            self.place.fail(f'"same" must be a list of two names, not {json_text(pair)}', "Correct it.")
        left, right = (self.place.text(name, 'a name in "same"') for name in pair)
        join_same(self.options.findings.same, [(left, right)])

    def _document(self, row: Mapping[str, object]) -> AnnotatedDocument:
        if "document" not in row:
            self.place.fail('no "document"', "Add the name of the document.")
        name = self.place.text(row["document"], '"document"')
        length = self._length(row)
        kinds = [key for key in ("annotations", "labels") if key in row]
        if len(kinds) > 1:
            self.place.fail('both "annotations" and "labels"', "Remove one of them.")
        if not kinds:
            self._count_unknown(row, _DOCUMENT_KEYS | _ANNOTATION_KEYS)
            return AnnotatedDocument(name, [self._annotation(row, length)], length)
        self._count_unknown(row, _DOCUMENT_KEYS)
        items = row[kinds[0]]
        if not isinstance(items, list):
            self.place.fail(f'"{kinds[0]}" must be a list, not {json_text(items)}', "Correct it.")
        entries = []
        for item in items:
            entry = {"concept": item} if kinds[0] == "labels" and isinstance(item, str) else item
            if not isinstance(entry, dict):
                self.place.fail(f'"{kinds[0]}" must contain JSON objects, not {json_text(item)}', "Correct it.")
            self._count_unknown(entry, _ANNOTATION_KEYS)
            if kinds[0] == "labels" and ("start" in entry or "end" in entry):
                self.place.fail('a label has "start" or "end"', 'Put annotations of text into "annotations".')
            if kinds[0] == "annotations" and "start" not in entry and "end" not in entry:
                self.place.fail('an annotation has neither "start" nor "end"', 'Put labels of documents into "labels".')
            entries.append(self._annotation(entry, length))
        return AnnotatedDocument(name, entries, length)

    def _length(self, row: Mapping[str, object]) -> int | None:
        length = None if row.get("length") is None else self.place.offset(row["length"], '"length"')
        if row.get("text") is None:
            return length
        text = self.place.text(row["text"], '"text"')
        if length is not None and length != len(text):
            self.place.fail(
                f'"length" is {length}, but the text has {number_of(len(text), "character", "characters")}',
                "Remove the length.",
            )
        return len(text)

    def _count_unknown(self, row: Mapping[str, object], known: frozenset[str]) -> None:
        """Count the keys that are not read."""
        for key in () if row.keys() <= known else row.keys() - known:
            self.options.findings.counts[f"keys {key!r}; not read"] += 1

    def _annotation(self, row: Mapping[str, object], length: int | None) -> Annotation:
        place = self.place
        if "concept" in row and "class" in row:
            place.fail('both "concept" and "class", which mean the same', "Remove one of them.")
        class_key = "class" if "class" in row else "concept"
        concept, instance = (
            None if row.get(key) is None else place.text(row[key], f'"{key}"') for key in (class_key, "instance")
        )
        score, label = place.score(row.get("score")), "start" not in row and "end" not in row
        if label and concept is None:
            place.fail('a label has no "concept"', "Add it.")
        self._check_kind(label)
        if label:
            return Annotation(NOWHERE, NOWHERE, concept, instance, score)
        if class_key not in row and instance is None:
            place.fail('the annotation has neither "concept" nor "instance"', 'Add one ("concept": null for none).')
        for key in ("start", "end"):
            if key not in row:
                place.fail(f'the annotation has no "{key}"', "Add it.")
        start, end = (place.offset(row[key], f'"{key}"') for key in ("start", "end"))
        check_span(start, end, length, what="the annotation", path=place.path, format=place.format, line=place.line)
        features = row.get("features", "")
        return Annotation(
            start, end, concept, instance, score, features if isinstance(features, str) else repr(features)
        )

    def _check_kind(self, label: bool) -> None:
        """Refuse labels among annotations, and the other way round."""
        assert self.place.line is not None  # noqa: S101 - set with each line
        first = self.labels = self.labels or (label, self.place.line)
        if first[0] != label:
            kind, first_kind = ("a label", "an annotation") if label else ("an annotation", "a label")
            self.place.fail(f"found {kind}, but line {first[1]} has {first_kind}", "Use one kind per file.")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _lines(file: Input) -> Iterator[str]:
    """The lines, one at a time."""
    refuse_empty(file)
    with file.open() as stream:
        for number, data in enumerate(stream, 1):
            try:
                yield data.decode("utf-8").removesuffix("\n").removesuffix("\r")
            except UnicodeDecodeError as error:
                raise LoadError(
                    f"byte {data[error.start]:#04x} is not UTF-8",
                    advice="Convert the file to UTF-8, e.g. with `iconv -f latin1 -t utf-8`.",
                    path=file.name,
                    line=number,
                ) from None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("\t")]


def _columns_without_header(cells: list[str]) -> tuple[str, ...] | None:
    """The columns of a first line that is no header."""
    if len(cut(cells, 2)) == 2 or (len(cells) == 3 and _is_number(cells[2])):
        return _LABEL_COLUMNS
    cells = cut(cells, 4)
    if 4 <= len(cells) <= 6 and _NUMBER.fullmatch(cells[1].strip()) and _NUMBER.fullmatch(cells[2].strip()):
        return _SPAN_COLUMNS
    return None


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) or not text.strip()
    except ValueError:
        return not text.strip()


def _table(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    columns: tuple[str, ...] | None = None
    place = Place(file.name, "tsv")
    for number, line in enumerate(_lines(file), 1):
        if not line.strip():
            continue
        place.line = number
        cells = _cells(line)
        if columns is None:
            header = corpus_columns(cells)
            if header is not None:
                note_unread(cells, header, options)
                names = {position: name for name, position in header.items()}
                columns = tuple(names.get(position, "") for position in range(len(cut(cells, 2))))
                continue
            columns = _columns_without_header(cells) or _SPAN_COLUMNS
        yield _row(cut(cells, len(columns)), columns, place)


def _row(cells: list[str], columns: tuple[str, ...], place: Place) -> AnnotatedDocument:
    row = dict(zip(columns, cells, strict=False))
    required = [name for name in columns if name not in ("instance", "score", "")]
    if len(cells) > len(columns) or any(name not in row for name in required):
        expected = str(len(columns)) if len(required) == len(columns) else f"{len(required)} to {len(columns)}"
        place.fail(
            f"found {number_of(len(cells), 'cell', 'cells')}, expected {expected} "
            f"({', '.join(name or '(not read)' for name in columns)})",
            "Separate the columns by TAB.",
        )
    if not row["document"]:
        place.fail("the cell of the document is empty", "Add the name of the document.")
    concept, instance = row.get("concept") or None, row.get("instance") or None
    score = _score(row.get("score", ""), place)
    if "start" not in row:
        if concept is None:
            place.fail("the cell of the concept is empty", "Add a concept.")
        return AnnotatedDocument(row["document"], [Annotation(NOWHERE, NOWHERE, concept, instance, score)])
    start, end = (_offset(row[name], f"the {name}", place) for name in ("start", "end"))
    check_span(start, end, None, what="the annotation", path=place.path, format=place.format, line=place.line)
    return AnnotatedDocument(row["document"], [Annotation(start, end, concept, instance, score)])


def _offset(text: str, what: str, place: Place) -> int:
    if not _NUMBER.fullmatch(text.strip()):
        place.fail(f"{what} must be a whole number >= 0, not {text!r}", "Correct it.")
    return place.offset(int(text), what)


def _score(text: str, place: Place) -> float | None:
    if not text.strip():
        return None
    if not _is_number(text):
        place.fail(f"the score must be a number, not {text!r}", "Correct or remove it.")
    return float(text)
