"""Reader of brat: T lines (type is the class), N lines (instance), text in .txt (start <= end: format.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ontoeval.errors import LoadError
from ontoeval.load.corpora.format import CorpusOptions, check_span, document_name, is_empty
from ontoeval.load.input import Input, open_input, unpacked_name
from ontoeval.model.corpus import AnnotatedDocument, Annotation

_BOUND = re.compile(rb"T[0-9]++\t\S++ [0-9]++ [0-9]++[;\t\r\n]")
_TYPE_AND_PLACES = re.compile(r"(\S++) ([0-9]{1,15} [0-9]{1,15}(?:;[0-9]{1,15} [0-9]{1,15})*+)")
_REFERENCE = re.compile(r"\S++ (\S++) (\S.*+)")
_OTHER = tuple("REAMN#*")  # relations, events, attributes, modifications, normalisations, notes, equivalences


class _Bound(NamedTuple):
    """A line `T1 TAB type start end[;start end]... TAB text`."""

    line: int
    id: str
    type: str
    places: list[tuple[int, int]]
    quote: str | None


def is_brat(head: bytes, name: str) -> bool:
    """Whether a line of the first bytes is an annotation of text, or the file is called so (it may be empty)."""
    return unpacked_name(name).endswith(".ann") or any(_BOUND.match(line + b"\n") for line in head.splitlines()[:20])


def read_brat(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """The document that a file of annotations is about; it is called like the file.

    The type is the class, and a normalisation (`N1 TAB Reference T1 db:id`) the instance, of several the smallest.
    Offsets count code points. A discontinuous annotation reaches from its first start to its last end, is counted, and
    its pieces are in `features`. Relations, events, attributes and notes are not read.
    """
    bounds: list[_Bound] = []
    first: dict[str, int] = {}
    references: dict[str, list[str]] = {}
    for number, line in enumerate(_content(file).split("\n"), 1):
        row = line.removesuffix("\r")
        if row.startswith("T"):
            bound = _bound(row, number, file.name)
            if first.setdefault(bound.id, number) != number:
                raise _error(f"line {first[bound.id]} has the same id, {bound.id!r}", file.name, number)
            bounds.append(bound)
        elif row.startswith("N"):
            target, reference = _reference(row, number, file.name)
            references.setdefault(target, []).append(reference)
        elif row.strip() and not row.startswith(_OTHER):
            raise _error(f"the line does not start with one of T{''.join(_OTHER)}: {row[:16]!r}", file.name, number)
    text = _text_beside(file, options)
    kept = [bound for bound in bounds if not options.types or bound.type in options.types]
    options.findings.types.update(bound.type for bound in bounds)
    annotations = [_annotation(bound, references.get(bound.id, []), text, file, options) for bound in kept]
    yield AnnotatedDocument(document_name(file.name), annotations, None if text is None else len(text))


def _content(file: Input) -> str:
    """The annotations; a document may have none."""
    return "" if is_empty(file) else file.read_text(lenient_helps=False)


def _text_beside(file: Input, options: CorpusOptions) -> str | None:
    """The annotated text, if its file is there."""
    path = None if file.path is None else file.path.with_name(document_name(file.name) + ".txt")
    if path is None or not path.is_file():
        options.findings.counts["documents without a text (.txt beside the .ann)"] += 1
        return None
    return _content(open_input(path, limit=file.limit))


def _bound(row: str, line: int, path: str) -> _Bound:
    cells = row.split("\t", 2)
    match = _TYPE_AND_PLACES.fullmatch(cells[1]) if len(cells) > 1 else None
    if match is None:
        raise _error(f"expected 'T1 TAB type start end TAB text', found {row[:60]!r}", path, line)
    places = [(int(start), int(end)) for start, end in (place.split(" ") for place in match[2].split(";"))]
    for start, end in places:
        check_span(start, end, None, what=f"the annotation {cells[0]!r}", path=path, format="brat", line=line)
    return _Bound(line, cells[0], match[1], places, cells[2] if len(cells) > 2 else None)


def _reference(row: str, line: int, path: str) -> tuple[str, str]:
    """The annotation that a normalisation is about, and `db:id`."""
    cells = row.split("\t")
    match = _REFERENCE.fullmatch(cells[1]) if len(cells) > 1 else None
    if match is None:
        raise _error(f"expected 'N1 TAB Reference T1 db:id TAB text', found {row[:60]!r}", path, line)
    return match[1], match[2].strip()


def _annotation(
    bound: _Bound, references: list[str], text: str | None, file: Input, options: CorpusOptions
) -> Annotation:
    counts = options.findings.counts
    start, end = min(bound.places)[0], max(end for _, end in bound.places)
    what = f"the annotation {bound.id!r}"
    length = None if text is None else len(text)
    check_span(start, end, length, what=what, path=file.name, format="brat", line=bound.line)
    if len(set(references)) > 1:
        counts["annotations with several normalisations; the first in alphabetical order was used"] += 1
    if len(bound.places) > 1:
        counts["annotations of several fragments; read from the first start to the last end"] += 1
    if text is not None and bound.quote is not None:
        pieces = " ".join(text[a:b] for a, b in bound.places)
        if _one_line(pieces) != _one_line(bound.quote):
            counts["annotations different from the text at the offsets"] += 1
    pieces = ";".join(f"{a} {b}" for a, b in bound.places)
    return Annotation(
        start,
        end,
        bound.type,
        min(references, default=None),
        None,
        f"discontinuous {pieces}" if len(bound.places) > 1 else "",
    )


def _one_line(text: str) -> str:
    """The text as it stands in a line of annotations, where an end of line is a blank."""
    return " ".join(text.split())


def _error(problem: str, path: str, line: int) -> LoadError:
    return LoadError(problem, advice="Correct the line.", path=path, format="brat", line=line)
