"""Corpus readers share: `CorpusFormat` (rows: __init__.py), `Findings`, `CLASS_FEATURES`, `check_span`, `join_same`."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Literal, NamedTuple

from ontoeval.errors import EmptyFileError, LoadError, listed
from ontoeval.load.input import PACKED, Input
from ontoeval.model.corpus import AnnotatedDocument

CLASS_FEATURES = ("class", "className", "classURI", "classUri", "classIRI", "class_uri", "class_iri")
INSTANCE_FEATURES = ("inst", "instance", "instanceURI", "instanceUri", "instURI", "instance_uri", "instance_iri")
_UTF8 = re.compile(rb"""<\?xml version=["']1\.0["'] encoding=["']UTF-8["']""", re.IGNORECASE)
_DECLARATION = 80  # bytes
GREATEST = 2**53  # an offset beyond is no longer exact among the columns of a corpus
Individuals = Literal["iri", "label"]
BY_TYPE = ""  # a class feature: the annotation's type is the class


class AnnotationContent(NamedTuple):
    """The class and the instance of an annotation, found among its features."""

    concept: str | None
    instance: str | None
    text: str  # of type and features
    holder: str  # the feature that held the class
    features: tuple[str, ...]  # their names


@dataclass
class Findings:
    """What the readers of one corpus noticed; it goes into the corpus's `source`."""

    counts: Counter[str] = field(default_factory=Counter)  # description for the user -> how many
    notes: dict[str, None] = field(default_factory=dict)  # sentences, each once
    same: dict[str, str] = field(default_factory=dict)  # IRI -> another of the same individual (owl:sameAs)
    things: dict[str, int] = field(default_factory=dict)  # what annotations are about, if not text -> their start
    has_sets: bool = False  # a format whose documents have annotation sets was read
    sets: Counter[str] = field(default_factory=Counter)  # annotation set -> its annotations, of whatever kind
    used_sets: Counter[str] = field(default_factory=Counter)  # ... that were taken
    types: Counter[str] = field(default_factory=Counter)  # annotation types in the sets that were looked at
    features: Counter[str] = field(default_factory=Counter)  # features of the annotations that were looked at
    class_features: Counter[str] = field(default_factory=Counter)  # features that held a class -> how often
    contents: dict[Hashable, AnnotationContent] = field(
        default_factory=dict, repr=False
    )  # type and features -> content

    def note(self, sentence: str) -> None:
        """Keep a sentence for the user, once."""
        self.notes.setdefault(sentence)


@dataclass(frozen=True)
class CorpusOptions:
    """Options of reading a corpus; a reader ignores what its format does not have."""

    annotation_set: str | None = None  # None: the only one with annotations; "": the one without a name
    types: tuple[str, ...] = ()  # annotation types to keep, with a class or without; (): all that have a class
    class_feature: str | None = None  # None: detected, of `CLASS_FEATURES`; `BY_TYPE`: the annotation's type
    instance_feature: str | None = None  # None: detected, of `INSTANCE_FEATURES`
    individuals: Individuals = "iri"  # what tells the individuals of a population apart
    language: str | None = None  # of their labels
    findings: Findings = field(default_factory=Findings)  # shared by all files of one corpus


class CorpusFormat(NamedTuple):
    """A row of the table of formats.

    `fits` is given the first bytes (unpacked, UTF-8 unless binary) and the file's name. `read` yields the documents of
    one file, one after the other, offsets in characters (code points), -1 for the labels of whole documents. `spread`:
    the annotations of one document may be in several files.
    """

    fits: Callable[[bytes, str], bool]
    read: Callable[[Input, CorpusOptions], Iterator[AnnotatedDocument]]
    spread: bool = False


def document_name(name: str) -> str:
    """The name of the document that is all of a file: without folder, compression and suffix."""
    last = PurePath(name).name
    for suffix in PACKED:
        if last.lower().endswith(suffix):
            last = last[: -len(suffix)]
    return PurePath(last).stem or last


def read_bytes(file: Input, size: int = -1) -> bytes:
    """What `open` gives, or its first bytes; XML that is declared as UTF-8 is read without any recoding."""
    if file.progress is None:
        with suppress(OSError), file.opener() as stream:
            if _UTF8.match(stream.read(_DECLARATION)) and stream.seek(0, os.SEEK_END) <= file.limit:
                stream.seek(0)
                return stream.read(size)
    with file.open() as stream:
        return stream.read(size)


def is_empty(file: Input) -> bool:
    """Whether there is not one byte in the file, compressed or not."""
    with file.opener() as stream:
        return not stream.read(1)


def refuse_empty(file: Input, format: str | None = None) -> None:
    """Refuse a file without a byte."""
    if is_empty(file):
        raise EmptyFileError("the file is empty", path=file.name, format=format, advice="Use annotated documents.")


def check_span(
    start: int, end: int, length: int | None, *, what: str, path: str, format: str, line: int | None = None
) -> None:
    """Refuse a span that does not fit into a text of so many characters; what: `the annotation 'T1'`."""
    if start > end:
        problem, advice = f"{what} starts at {start} but ends at {end}", "Correct its offsets."
    elif start < 0 or (length is not None and end > length):
        size = "" if length is None else f" of {length:,} characters"
        problem, advice = f"{what} ({start} to {end}) is outside the text{size}", "Use the text that was annotated."
    else:
        return
    raise LoadError(problem, advice=advice, path=path, format=format, line=line)


def note_unread(cells: Sequence[str], columns: Mapping[str, int], options: CorpusOptions) -> None:
    """Note the columns of a table that its header line names and that are not read."""
    unread = [cell.strip() for place, cell in enumerate(cells) if cell.strip() and place not in columns.values()]
    if unread:
        options.findings.note(f"columns that are not read: {listed(map(repr, unread))}")


def join_same(same: dict[str, str], pairs: Iterable[tuple[str, str]]) -> None:
    """Add pairs of the same individual so that every name leads to one other at most, and no pair is lost."""
    for left, right in sorted(set(pairs)):
        first, second = _end_of_chain(same, left), _end_of_chain(same, right)
        if first == second:
            continue
        if first == left:
            same[left] = right
        elif second == right:
            same[right] = left
        else:
            same[first] = second


def _end_of_chain(same: Mapping[str, str], name: str) -> str:
    while name in same:
        name = same[name]
    return name
