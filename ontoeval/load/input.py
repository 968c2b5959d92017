"""`open_input`, `Input`: bytes of a path, stdin, stream; unpacked (gz, bz2, xz, zip) up to a limit, as UTF-8; hash."""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import os
import re
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from ontoeval.errors import EmptyFileError, LoadError, ParameterError, listed

Progress = Callable[[int, int | None], None]  # bytes read of the file so far, and in all

DEFAULT_LIMIT = 4 << 30  # unpacked bytes
HEAD = 1 << 16
_CHUNK = 1 << 18
_ENCRYPTED = 1  # flag of a zip member
_IN_MEMORY = 32 << 20  # a stream beyond this is kept in a temporary file
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._\-]+)["']""")
_NO_ENCODINGS = {"unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined"}
_WORDNET = ("data.adj", "data.adv", "data.noun", "data.verb")
PACKED = (".gz", ".bz2", ".xz", ".zip")  # suffixes of compressed files
_UNPACK_ERRORS = (zlib.error, lzma.LZMAError, EOFError, zipfile.BadZipFile, gzip.BadGzipFile)


def _nothing_to_close() -> None:
    """A file is opened and closed with each reading."""


@dataclass(frozen=True, eq=False)
class Input:
    """Bytes that can be opened again and again, and their name for messages."""

    name: str
    opener: Callable[[], IO[bytes]]
    limit: int = DEFAULT_LIMIT
    progress: Progress | None = None
    decoded: bool = False  # it came as text, so that its bytes are UTF-8 whatever they say of themselves
    close: Callable[[], None] = _nothing_to_close
    path: Path | None = None  # of a file that was given by its path

    def open(self) -> io.BufferedReader:
        """The unpacked bytes as UTF-8 without a byte order mark; an XML declaration is changed accordingly."""
        encoding, skip, declared = self._encoding
        stream = self._unpack()
        stream.read(skip)
        if encoding == "utf-8" and declared:
            return stream
        return io.BufferedReader(_Utf8Reader(stream, encoding, self.name), _CHUNK)

    def read_text(self, *, lenient: bool = False, lenient_helps: bool = True) -> str:
        """All of it, decoded; `lenient` replaces bytes that are not UTF-8."""
        with self.open() as stream:
            data = stream.read()
        try:
            return data.decode("utf-8", "replace" if lenient else "strict")
        except UnicodeDecodeError as error:
            raise self._not_utf8_error(
                data, error, ", or set {lenient=True} to replace such bytes" * lenient_helps
            ) from None

    def check_utf8(self) -> None:
        """Raise the LoadError that `read_text` would, if there is a byte that is not UTF-8."""
        self.read_text(lenient_helps=False)

    def replaced_bytes(self) -> int:
        """How many sequences of bytes are not UTF-8."""
        with self.open() as stream:
            data = stream.read()
        return data.decode("utf-8", "replace").count("\ufffd") - data.count("\ufffd".encode())

    def _not_utf8_error(self, data: bytes, error: UnicodeDecodeError, more: str) -> LoadError:
        return LoadError(
            f"byte {data[error.start]:#04x} is not UTF-8",
            advice=f"Convert the file to UTF-8, e.g. with `iconv -f latin1 -t utf-8`{more}.",
            path=self.name,
            line=data.count(b"\n", 0, error.start) + 1,
        )

    @cached_property
    def head(self) -> bytes:
        """The first bytes of what `open` gives."""
        with self.open() as stream:
            return stream.read(HEAD)

    @cached_property
    def sha256(self) -> str:
        """Of the bytes as they were given, compressed or not."""
        digest = hashlib.sha256()
        with self.opener() as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    @cached_property
    def suffix(self) -> str:
        """The file name's suffix without that of the compression, lower case."""
        return Path(unpacked_name(self.name)).suffix

    @cached_property
    def _encoding(self) -> tuple[str, int, bool]:
        """The encoding of the unpacked bytes, how many are a mark to skip, and False if XML declares another."""
        with self._unpack() as stream:
            head = stream.read(HEAD)
        if not head:
            raise EmptyFileError("the file is empty", advice="Use an ontology file.", path=self.name)
        mark = next(((m, encoding) for m, encoding in _BOMS if head.startswith(m)), None)
        if mark and mark[1] != "utf-8":
            return mark[1], 0, False
        skip = len(mark[0]) if mark else 0
        declared = _XML_ENCODING.match(head[skip:])
        if not declared:
            return "utf-8", skip, True
        if mark or self.decoded:
            return "utf-8", skip, False
        name = self._known_encoding(declared[1].decode("ascii"))
        return name, 0, declared[1].lower() == b"utf-8"

    def _known_encoding(self, declared: str) -> str:
        try:
            codec = codecs.lookup(declared)
        except LookupError:
            codec = None
        if codec is None or not codec._is_text_encoding or codec.name.replace("-", "_") in _NO_ENCODINGS:
            raise LoadError(
                f"the XML declaration names the unknown encoding {declared!r}",
                advice="Convert the file to UTF-8.",
                path=self.name,
            )
        return codec.name

    def _unpack(self) -> io.BufferedReader:
        raw = self.opener()
        try:
            start = raw.read(6)
            raw.seek(0)
            stream: Any = _ProgressReader(raw, self.progress)
            if start.startswith(b"\x1f\x8b"):
                stream = gzip.GzipFile(fileobj=stream)
            elif start.startswith(b"BZh"):
                stream = bz2.BZ2File(stream)
            elif start.startswith(b"\xfd7zXZ\x00"):
                stream = lzma.LZMAFile(stream)  # noqa: SIM115 - closed with the stream around it
            elif start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
                stream = self._only_member(stream)
        except BaseException:
            raw.close()
            raise
        return io.BufferedReader(_LimitReader(stream, raw, self.name, self.limit), _CHUNK)

    def _only_member(self, raw: IO[bytes]) -> IO[bytes]:
        try:
            archive = zipfile.ZipFile(raw)
            members = [m for m in archive.infolist() if not m.is_dir() and not m.filename.startswith("__MACOSX/")]
            if len(members) == 1 and not members[0].flag_bits & _ENCRYPTED:
                return archive.open(members[0])
        except (*_UNPACK_ERRORS, OSError, ValueError, RuntimeError, NotImplementedError) as error:
            raise LoadError(
                f"cannot be unpacked ({error})", advice="Pack it again, or unpack it first.", path=self.name
            ) from None
        if not members:
            problem, advice = "the archive is empty", "Pack the ontology file again."
        else:
            advice = "Unpack it and use the ontology file."
            problem = (
                f"the file {members[0].filename!r} in the archive is encrypted"
                if len(members) == 1
                else f"the archive has {len(members)} files ({listed(m.filename for m in members)}) instead of one"
            )
        raise LoadError(problem, advice=advice, path=self.name)


def unpacked_name(name: str) -> str:
    """A file's name without the suffix of the compression, lower case."""
    name = name.lower()
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    return name


def open_input(
    source: object, *, limit: int = DEFAULT_LIMIT, progress: Progress | None = None, suffixes: Collection[str] = ()
) -> Input:
    """A path, `-` for stdin, bytes, or an open file; `suffixes`: what to look for in a directory given by mistake."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        return Input("(bytes)", lambda: io.BytesIO(data), limit, progress)
    if isinstance(source, str) and source == "-":
        if sys.stdin is None:
            raise LoadError("stdin is closed", advice="Use a file.", path="(stdin)")
        return _spool(sys.stdin.buffer, "(stdin)", limit, progress)
    if isinstance(source, (str, os.PathLike)):
        path = str(os.fspath(source))
        if _is_regular(path, suffixes):
            return Input(path, lambda: open(path, "rb"), limit, progress, path=Path(path))
        with open(path, "rb") as pipe:  # it can be read only once
            return _spool(pipe, path, limit, progress)
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        return _spool(source, name if isinstance(name, str) else "(stream)", limit, progress)
    raise ParameterError(
        f"cannot load an ontology from a {type(source).__name__}",
        advice="Use a path, '-', bytes, an open file, an rdflib.Graph, an owlready2 ontology, a networkx.DiGraph or a "
        "data frame; for a list of links use Ontology.from_edges.",
        parameter="source",
    )


def _is_regular(path: str, suffixes: Collection[str] = ()) -> bool:
    """True for a file, False for a pipe and the like; LoadError if it cannot be read."""
    try:
        kind = os.stat(path).st_mode  # noqa: PTH116 - Path("") is a directory
        if stat.S_ISDIR(kind):
            raise _directory_error(path, suffixes)
        if stat.S_ISREG(kind):
            with open(path, "rb"):
                return True
    except FileNotFoundError:
        raise LoadError("no such file", advice="Check the path.", path=path) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise LoadError(
            f"cannot be opened ({reason})", advice="Check the path and its permissions.", path=path
        ) from None
    return False


def _directory_error(path: str, suffixes: Collection[str]) -> LoadError:
    """The error for a directory, with the files in it that may be meant; that of WordNet is recognised."""
    names = [name for name in _WORDNET if (Path(path) / name).exists()]
    if not names:
        files = sorted(file.name for file in Path(path).iterdir() if _may_be_meant(file, suffixes))
        which = "its file" if len(files) == 1 else "one of its files:"
        advice = f"Use {which} {listed(files)}." if files else "Use a file in it."
        return LoadError("is a directory", advice=advice, path=path)
    example = Path(path) / ("data.noun" if "data.noun" in names else names[0])
    return LoadError(
        f"is a directory with {listed(names)} of WordNet",
        advice=f"Use one of them, e.g. {example}.",
        path=path,
    )


def _may_be_meant(file: Path, suffixes: Collection[str]) -> bool:
    visible = not file.name.startswith(".")
    return visible and Path(unpacked_name(file.name)).suffix in suffixes and file.is_file()


def _spool(stream: Any, name: str, limit: int, progress: Progress | None) -> Input:
    """Keep a stream that can be read once, so that it can be opened again."""
    kept = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - it lives as long as the Input
    size = 0
    decoded = False
    try:
        while chunk := stream.read(_CHUNK):
            decoded = isinstance(chunk, str)
            data = chunk.encode() if isinstance(chunk, str) else chunk
            size += len(data)
            if size > limit:
                raise _too_large(name, limit)
            kept.write(data)
    except (UnicodeDecodeError, UnicodeEncodeError) as error:
        kept.close()
        raise LoadError(
            f"cannot be read as text ({error.reason})", advice="Open the file in binary mode.", path=name
        ) from None
    except (OSError, ValueError) as error:
        kept.close()
        raise LoadError(
            f"cannot be read ({str(error).rstrip('.')})", advice="Use a file that is open for reading.", path=name
        ) from None
    except BaseException:
        kept.close()
        raise

    def reopen() -> IO[bytes]:
        kept.seek(0)
        return _StreamView(kept)

    return Input(name, reopen, limit, progress, decoded, kept.close)


def _too_large(name: str, limit: int) -> LoadError:
    return LoadError(
        f"larger than {limit:,} bytes when unpacked",
        advice="Increase {max_size} if you trust the file.",
        parameter="max_size",
        path=name,
    )


class _StreamView(io.BytesIO):
    """A view of a kept stream; closing the view leaves the stream open."""

    def __init__(self, kept: Any) -> None:
        super().__init__()
        self._kept = kept

    def read(self, size: int | None = -1, /) -> bytes:
        data: bytes = self._kept.read(-1 if size is None else size)
        return data

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return int(self._kept.seek(offset, whence))

    def tell(self) -> int:
        return int(self._kept.tell())


class _ProgressReader:
    """Reports how far the file as given has been read."""

    def __init__(self, inner: IO[bytes], progress: Progress | None) -> None:
        self._inner = inner
        self._progress = progress
        self._total: int | None = None
        if progress is not None:
            self._total = inner.seek(0, io.SEEK_END)
            inner.seek(0)

    def read(self, size: int = -1) -> bytes:
        data = self._inner.read(size)
        if self._progress is not None:
            self._progress(self._inner.tell(), self._total)
        return data

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._inner.seek(offset, whence)

    def tell(self) -> int:
        return self._inner.tell()

    def close(self) -> None:
        self._inner.close()


class _LimitReader(io.RawIOBase):
    """Stops a file that unpacks to more than the limit, and turns an unpacker's errors into LoadErrors."""

    def __init__(self, inner: Any, raw: IO[bytes], name: str, limit: int) -> None:
        super().__init__()
        self._inner = inner
        self._raw = raw  # an unpacker does not close what it reads from
        self._name = name
        self._limit = limit
        self._done = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        try:
            data = self._inner.read(len(buffer))
        except (*_UNPACK_ERRORS, OSError, ValueError, RuntimeError) as error:
            raise LoadError(
                f"cannot be unpacked ({error})",
                advice="The file is damaged or truncated: download or pack it again.",
                path=self._name,
            ) from None
        self._done += len(data)
        if self._done > self._limit:
            raise _too_large(self._name, self._limit)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        self._raw.close()
        super().close()


class _Utf8Reader(io.RawIOBase):
    """Bytes of another encoding as UTF-8; an XML declaration is changed accordingly."""

    def __init__(self, inner: IO[bytes], encoding: str, name: str) -> None:
        super().__init__()
        self._inner = inner
        self._name = name
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._ready = b""
        self._started = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._ready:
            chunk = self._inner.read(len(buffer))
            self._ready = self._recode(chunk)
            if not chunk:
                break
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def _recode(self, chunk: bytes) -> bytes:
        try:
            data = self._decoder.decode(chunk, final=not chunk).encode("utf-8")
        except UnicodeError:
            raise LoadError(
                f"declared as {self._encoding}, but some bytes are not",
                advice="Correct the declaration or the file.",
                path=self._name,
            ) from None
        if data and not self._started:
            self._started = True
            declared = _XML_ENCODING.match(data)
            if declared:
                data = data[: declared.start(1)] + b"UTF-8" + data[declared.end(1) :]
        return data

    def close(self) -> None:
        self._inner.close()
        super().close()
