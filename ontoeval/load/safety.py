"""Refuses hostile files: `check_xml` (entities), nesting limits; `read_json`, `open_xml` (limit of size: input.py).

One kilobyte of nested entities kills the process inside the RDF/XML parser; deep nesting overflows the stack of the
JSON-LD and OWL parsers and costs quadratic time in RDF/XML. So each file is checked here first.
"""

from __future__ import annotations

import io
import json
import re
import time
from collections import Counter
from typing import IO, Any
from xml.parsers import expat

import numpy as np

from ontoeval.errors import LoadError
from ontoeval.load.input import Input

MAX_XML_DEPTH = 4_000
MAX_DEPTH = 500  # of brackets, in formats whose parsers recurse
_MAX_ENTITIES = 200
_MAX_ENTITY_LENGTH = 1_024
_MAX_PROLOG = 1 << 20
_CHUNK = 1 << 16
_SUSPICIOUS = 0.25  # seconds for one chunk; a millisecond is usual
_PREDEFINED = {"amp", "lt", "gt", "quot", "apos"}
_REFERENCE = re.compile(rb"&([^\s;&#]{1,256});")
_NOT_CODE = re.compile(
    rb'''\\.|"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|$)|"(?:[^"\\\n]|\\.)*+"?|<[^<>\s]*+>|#[^\n]*+'''
    rb"""|'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|$)|'(?:[^'\\\n]|\\.)*+'?""",
    re.DOTALL,
)
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


class _Stop(Exception):  # noqa: N818 - no error
    """The first element was reached."""


class _Prolog:
    """Reads an XML file up to its first element and refuses dangerous declarations on the way."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.entities: dict[str, int] = {}
        self.values: dict[str, str] = {}
        self.doctype: tuple[int, int] | None = None  # bytes: inside its start, and its closing >
        self.root = ""
        self.namespaces: set[str] = set()
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartNamespaceDeclHandler = self._namespace
        self.parser.StartElementHandler = self._element
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EndDoctypeDeclHandler = self._doctype_end

    def _namespace(self, prefix: str | None, uri: str | None) -> None:
        self.namespaces.add(uri or "")

    def _element(self, name: str, attributes: dict[str, str]) -> None:
        self.root = name
        raise _Stop

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        self.doctype = (self.parser.CurrentByteIndex, -1)

    def _doctype_end(self) -> None:
        if self.doctype:
            self.doctype = (self.doctype[0], self.parser.CurrentByteIndex)

    def _entity(
        self,
        name: str,
        is_parameter: bool,
        value: str | None,
        base: str | None,
        system: str | None,
        public: str | None,
        notation: str | None,
    ) -> None:
        if is_parameter:
            raise self._refusal(f"declares the parameter entity '%{name};'")
        if value is None:
            raise self._refusal(f"declares the external entity '&{name};' ({system})")
        if name in _PREDEFINED:
            return
        if "&" in value or "<" in value:
            raise self._refusal(f"declares the entity '&{name};' with other entities or markup")
        if len(value) > _MAX_ENTITY_LENGTH:
            raise self._refusal(f"declares the entity '&{name};' with {len(value):,} characters")
        self.entities[name] = len(value)
        self.values[name] = value
        if len(self.entities) > _MAX_ENTITIES:
            raise self._refusal(f"declares more than {_MAX_ENTITIES} entities")

    def _refusal(self, what: str) -> LoadError:
        return LoadError(
            f"the document type {what}, which is unsafe",
            advice="Write the text in full: only short namespace entities are accepted.",
            path=self.path,
            format="xml",
            line=self.parser.CurrentLineNumber,
        )

    def read(self, stream: IO[bytes]) -> None:
        done = 0
        try:
            while chunk := stream.read(_CHUNK):
                self.parser.Parse(chunk, False)
                done += len(chunk)
                if done > _MAX_PROLOG:
                    raise LoadError(
                        "no XML element within the first megabyte",
                        advice="Use an RDF/XML or OWL/XML file.",
                        path=self.path,
                        format="xml",
                    )
            self.parser.Parse(b"", True)
        except _Stop:
            return
        except expat.ExpatError as error:
            raise not_well_formed(self.path, error) from None


def _prolog(source: Input) -> _Prolog:
    prolog = _Prolog(source.name)
    with source.open() as stream:
        prolog.read(stream)
    return prolog


def not_well_formed(path: str, error: expat.ExpatError) -> LoadError:
    return LoadError(
        f"not well-formed XML: {expat.errors.messages[error.code]}",
        advice="The file is damaged or truncated: download it again.",
        path=path,
        format="xml",
        line=error.lineno,
    )


def open_xml(source: Input) -> IO[bytes]:
    """The file with its document type declaration rewritten to the entities alone, in double quotes.

    That is the only form that the RDF/XML parser understands; external subsets and attribute lists drop out.
    """
    prolog = _prolog(source)
    if prolog.doctype is None:
        return source.open()
    return io.BufferedReader(_SplicedStream(source.open(), prolog.doctype, prolog.values), _CHUNK)


class _SplicedStream(io.RawIOBase):
    """A stream with one span replaced."""

    def __init__(self, inner: IO[bytes], span: tuple[int, int], entities: dict[str, str]) -> None:
        super().__init__()
        self._inner = inner
        head = inner.read(span[1] + 1)
        start = head.rfind(b"<!DOCTYPE", 0, span[0] + 1)
        declared = "".join(f'<!ENTITY {name} "{_escape(value)}">' for name, value in entities.items())
        self._ready = head[:start] + f"<!DOCTYPE x [{declared}]>".encode()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._ready[: len(buffer)] if self._ready else self._inner.read(len(buffer))
        self._ready = self._ready[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


def _escape(value: str) -> str:
    return value.replace("%", "&#37;").replace('"', "&#34;").replace(">", "&#62;")


def read_xml(source: Input) -> str:
    """The text of the file with its entities written out."""
    prolog = _prolog(source)
    text = source.read_text(lenient_helps=False)
    values = {name: _escape(value) for name, value in prolog.values.items()}
    return re.sub(r"&([^\s;&#]++);", lambda m: values.get(m[1], m[0]), text) if values else text


def read_json(source: Input, *, lenient: bool = False) -> object:
    """The JSON document of a file, not nested too deep for what follows."""
    text = source.read_text(lenient=lenient)
    check_brackets(text.encode(), source.name)
    try:
        document: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise LoadError(
            f"not valid JSON: {error.msg}",
            advice="The file is damaged or truncated: correct it or download it again.",
            path=source.name,
            line=error.lineno,
        ) from None
    return document


def check_xml(source: Input) -> tuple[str, set[str]]:
    """Refuse unsafe entities; return the first element as 'namespace name', and the namespaces it declares."""
    prolog = _prolog(source)
    if prolog.entities:
        _check_expansion(source, prolog.entities)
    return prolog.root, prolog.namespaces


def _check_expansion(source: Input, entities: dict[str, int]) -> None:
    """Refuse a file whose entity references together expand far beyond its own size."""
    references: Counter[bytes] = Counter()
    size = 0
    rest = b""
    with source.open() as stream:
        while chunk := stream.read(1 << 20):
            size += len(chunk)
            window = rest + chunk
            cut = window.rfind(b"&", max(0, len(window) - 300))
            # a reference may straddle two chunks: leave an unfinished one for the next
            if cut >= 0 and b";" not in window[cut:]:
                window, rest = window[:cut], window[cut:]
            else:
                rest = b""
            references.update(_REFERENCE.findall(window))
    expanded = sum(count * entities.get(name.decode("utf-8", "replace"), 0) for name, count in references.items())
    if expanded > (4 << 20) + 20 * size:
        raise LoadError(
            f"its entities expand to {expanded:,} bytes, which is unsafe",
            advice="Write the text in full.",
            path=source.name,
            format="xml",
        )


class DepthGuard(io.RawIOBase):
    """Passes XML on and stops it when elements nest too deep.

    The depth is estimated from the markup at the end of each chunk, which costs little. Comments and CDATA sections can
    mislead the estimate both ways: so a chunk that keeps the RDF parser long is suspicious, too, and before anything is
    refused the file is read once more by a real parser.
    """

    def __init__(self, source: Input) -> None:
        super().__init__()
        self._source = source
        self._inner = open_xml(source)
        self._depth = 0
        self._before = 0
        self._trusted = False
        self._since = time.thread_time()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._inner.read(min(len(buffer), _CHUNK))
        if not self._trusted:
            self._update_depth(data)
            cut_off = not data and self._depth != 0  # the RDF/XML parser does not miss closing tags
            now = time.thread_time()
            slow, self._since = now - self._since > _SUSPICIOUS, now
            if self._depth > MAX_XML_DEPTH or cut_off or slow:
                check_xml_depth(self._source, MAX_XML_DEPTH)
                self._trusted = True
        buffer[: len(data)] = data
        return len(data)

    def _update_depth(self, data: bytes) -> None:
        """Add what opens and take off what closes: `<x` +1, `</` -1, `/>` -1, `<!` and `<?` nothing."""
        text = np.frombuffer(bytes([self._before]) + data, dtype=np.uint8)
        here, following = text[:-1], text[1:]
        opens = here == ord("<")
        closing = np.count_nonzero(opens & (following == ord("/")))
        neutral = np.count_nonzero(opens & ((following == ord("!")) | (following == ord("?"))))
        empty = np.count_nonzero((here == ord("/")) & (following == ord(">")))
        self._depth += int(np.count_nonzero(opens)) - 2 * int(closing) - int(neutral) - int(empty)
        self._before = data[-1] if data else 0

    def close(self) -> None:
        self._inner.close()
        super().close()


def check_xml_depth(source: Input, limit: int) -> None:
    """Refuse elements nested deeper than `limit`, and what is not well-formed, for certain."""
    depth = 0
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > limit:
            raise _too_deep("elements", limit, source.name, parser.CurrentLineNumber)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        with source.open() as stream:
            parser.ParseFile(stream)
    except expat.ExpatError as error:
        raise not_well_formed(source.name, error) from None


def check_brackets(data: bytes, path: str, *, functional: bool = False) -> None:
    """Refuse the brackets of JSON, or of OWL functional syntax, that nest deeper than `MAX_DEPTH` outside strings."""
    step = np.zeros(256, dtype=np.int32)
    step[list(b"(" if functional else b"[{")] = 1
    step[list(b")" if functional else b"]}")] = -1
    plain = np.frombuffer((_NOT_CODE if functional else _STRING).sub(b"", data), dtype=np.uint8)
    if len(plain) and int(np.cumsum(step[plain], dtype=np.int32).max()) > MAX_DEPTH:
        raise _too_deep("brackets", MAX_DEPTH, path, None)


class TripleTermGuard(io.RawIOBase):
    """Passes Turtle and related syntaxes on and stops triple terms `<<( ... )>>` that nest too deep.

    Only a file with many such marks is looked into before the parser sees the mark that would be too many.
    """

    def __init__(self, source: Input) -> None:
        super().__init__()
        self._source = source
        self._inner: IO[bytes] = source.open()
        self._opened = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._inner.read(len(buffer))
        if self._opened <= MAX_DEPTH:
            self._opened += data.count(b"<<")
            if self._opened > MAX_DEPTH:
                _check_triple_terms(self._source)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


def _check_triple_terms(source: Input) -> None:
    """Refuse marks that nest too deep outside strings, IRIs and comments."""
    with source.open() as stream:
        plain = _NOT_CODE.sub(b" ", stream.read())
    depth = 0
    for mark in re.finditer(rb"<<|>>", plain):
        depth += 1 if mark[0] == b"<<" else -1
        if depth > MAX_DEPTH:
            raise _too_deep("triple terms", MAX_DEPTH, source.name, None)


def _too_deep(what: str, limit: int, path: str, line: int | None) -> LoadError:
    return LoadError(
        f"{what} are nested more than {limit:,} deep",
        advice="Write the statements one after another.",
        path=path,
        line=line,
    )
