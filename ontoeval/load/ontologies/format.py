"""`OntologyFormat`: fields of a row (rows: load/formats.py); `Head`: first bytes as XML root, text, lines; `Fit`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

from ontoeval.load.input import HEAD, Input
from ontoeval.load.ontologies.columns import Columns, Properties
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.options import LoadOptions
from ontoeval.load.safety import check_xml

# Every pattern runs over the first bytes once: no quantifier gives back what it took.
_TAG = re.compile(rb"<([A-Za-z_][\w.\-]*+(?::[\w.\-]++)?+)(\s[^<>]*+)?+/?>")
_NOT_CODE = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|$)|"(?:[^"\\\n]|\\.)*+"?|<[^<>\s]*+>|#[^\n]*+', re.DOTALL)


class Fit(IntEnum):
    """How sure it is, by its first bytes, that a file has a format; the surest row counts, of equals the last."""

    NO = 0
    PERHAPS = 1  # other formats may look like this
    SURELY = 2


class Root(NamedTuple):
    """The first element of an XML file."""

    namespace: str
    name: str
    declared: set[str]  # namespaces


@dataclass(frozen=True, eq=False)
class Head:
    """The first bytes of a file, and views of them that several formats need."""

    source: Input
    by_suffix: str | None = None  # the format whose files have the suffix of this one

    @cached_property
    def start(self) -> bytes:
        """The bytes from the first one that is not blank."""
        return self.source.head.lstrip()

    @cached_property
    def root(self) -> Root | None:
        """The root element, if this is XML; LoadError if it declares what is unsafe."""
        if not _is_xml(self.start):
            return None
        root, declared = check_xml(self.source)
        namespace, _, name = root.rpartition(" ")
        return Root(namespace, name, declared)

    @cached_property
    def text(self) -> str:
        """The start as text; "" if this is XML or binary."""
        is_text = self.root is None and b"\x00" not in self.source.head
        return self.source.head.decode("utf-8", "replace").lstrip() if is_text else ""

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, without outer blanks, empty lines and a last one that may be cut off."""
        lines = [line.strip() for line in self.text.splitlines()]
        if len(self.source.head) >= HEAD and len(lines) > 1:
            lines.pop()
        return [line for line in lines if line]

    @cached_property
    def code(self) -> str:
        """The text of Turtle and its relatives without strings, IRIs and comments."""
        return _NOT_CODE.sub(" ", self.text)

    @cached_property
    def raw_lines(self) -> list[str]:
        """The same with outer blanks."""
        text = self.source.head.decode("utf-8", "replace") if self.text else ""
        return [line for line in text.splitlines() if line.strip()][: len(self.lines)]

    @cached_property
    def is_table(self) -> bool:
        """True if every line has a TAB (the first one may be two words), or every line is two words."""
        rows = self.raw_lines[:20]
        tabs = ["\t" in line for line in rows]
        words = [len(line.split()) == 2 and "\t" not in line.strip() for line in rows]
        return bool(rows) and (all(words) or (all(tabs[1:]) and (tabs[0] or words[0])))

    def first_line(self, comment: str) -> str:
        """The first line that is no comment; "" if there is none."""
        return next((line for line in self.lines if not line.startswith(comment)), "")


def _is_xml(start: bytes) -> bool:
    """True for markup; `<urn:a>` at the start of a line of N-Triples looks like a tag, too."""
    if start.startswith((b"<?xml", b"<!DOCTYPE", b"<!ENTITY", b"<!--")):
        return True
    tag = _TAG.match(start)
    if tag is not None and _is_table_of_elements(start):
        return False
    return tag is not None and (b"=" in (tag[2] or b"") or (b":" not in tag[1] and b"</" + tag[1] + b">" in start))


def _is_table_of_elements(start: bytes) -> bool:
    """True for lines such as `<b>x</b> TAB y`: equally many TABs on each, every element closed in its cell."""
    rows = [line.strip().split(b"\t") for line in start.splitlines()[:20] if line.strip()]
    if len(rows[0]) < 2 or len({len(row) for row in rows}) > 1:
        return False
    return all(cell.count(b"<") == 2 * cell.count(b"</") for row in rows for cell in row)


Sniff = Callable[[Head], int]  # gives a `Fit`
Quads = AbstractContextManager[Iterable[Any]]  # pyoxigraph's quads, while the file is open


class FilesReader(Protocol):
    """Reads several files as one ontology."""

    @property
    def imports(self) -> Sequence[str]:
        """What the files read so far import."""

    def read(self, source: Input) -> set[str]:
        """Read a file; the IRIs by which it can be imported."""

    def facts(self) -> Facts:
        """All that was read."""


def _no_facts(source: Input, options: LoadOptions) -> Facts:
    raise NotImplementedError("a format with triples is read through them")


class OntologyFormat(NamedTuple):
    """A row of the table of formats.

    It has `read`, which gives the facts of a file, or `rdf`, which gives all its triples: a file with triples can
    import others, be reasoned over and be written back with scores.
    """

    name: str
    suffixes: tuple[str, ...]
    sniff: Sniff
    read: Callable[[Input, LoadOptions], Facts] = _no_facts
    rdf: Callable[[Input, LoadOptions], Quads] | None = None
    # Adds the triples that the OWL and SKOS readers look for, if there is a better way to them than through `rdf`.
    collect: Callable[[Input, LoadOptions, Columns, Properties], None] | None = None
    aliases: tuple[str, ...] = ()  # other names by which a user may choose it
    written_in: Literal["text", "xml", "json"] = "text"  # XML and JSON are recognised; their suffix alone says nothing
    owl_imports: bool = False  # OWL tools can import it, though it has no `rdf` here
    # Reads a file without triples and those that it imports, one after the other, into the same facts.
    reader: Callable[[LoadOptions], FilesReader] | None = None

    def quads(self, source: Input, options: LoadOptions) -> Quads:
        """All triples of a file, in a format that has them."""
        if self.rdf is None:
            raise NotImplementedError(f"the format {self.name} has no triples")
        return self.rdf(source, options)
