"""Damaged files: whatever happens to the bytes of a file, it loads or it is refused in words.

Every mutation has its own seed, so that a failure can be repeated: `mutated(data, seed)` gives the same bytes again.
"""

from __future__ import annotations

import bz2
import faulthandler
import gzip
import io
import json
import lzma
import os
import signal
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest
from tiny_files import FILES, FOLDER

import ontoeval as oe

IN_CI = bool(os.environ.get("CI"))
PLAIN = 150 if IN_CI else 24  # mutations of each file
PACKED = 60 if IN_CI else 12  # of each kind of compression
SECONDS = 20  # one mutation; far more than any takes, even on a busy machine
TOKENS = (
    b'"', b"'", b"<", b">", b"&", b";", b"{", b"}", b"[", b"]", b"(", b")", b"\\", b"#", b":", b"\t", b"\n", b" ", b".",
    b"\x00", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xff\xfe", b"<!--", b"-->", b"]]>", b"<![CDATA[", b"<?xml ?>", b"<<(",
    b")>>", b'"""', b"@en", b"^^", b"\\u00", b"\\ud800", b"&#0;", b"&#xFFFFFFFF;", b"&amp;", b"null", b"1e999", b"-1",
    b"true", b"NaN", b"_:b", b"http://", b"%zz", b"is_a: ", b"[Term]\n", b"id: ", b"Ontology(", b"=>",
)  # fmt: skip


def gzipped(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def zipped(data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("tiny.ttl"), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzipped, "bzip2": bz2.compress, "xz": lzma.compress, "zip": zipped,
}  # fmt: skip


def mutated(data: bytes, seed: str) -> bytes:
    """One to three small accidents."""
    random = Random(seed)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        start = random.randrange(len(data) + 1)
        end = min(len(data), start + random.choice((1, 1, 2, 5, 20, 100)))
        accident = random.choice(("flip", "delete", "insert", "token", "token", "duplicate", "move", "truncate"))
        if accident == "flip" and start < len(data):
            data = data[:start] + bytes([data[start] ^ 1 << random.randrange(8)]) + data[start + 1 :]
        elif accident == "delete":
            data = data[:start] + data[end:]
        elif accident == "insert":
            data = data[:start] + random.randbytes(random.choice((1, 2, 8))) + data[start:]
        elif accident == "token":
            data = data[:start] + random.choice(TOKENS) * random.choice((1, 1, 1, 2, 40)) + data[start:]
        elif accident == "duplicate":
            data = data[:end] + data[start:end] * random.choice((1, 1, 3)) + data[end:]
        elif accident == "move":
            part, data = data[start:end], data[:start] + data[end:]
            target = random.randrange(len(data) + 1)
            data = data[:target] + part + data[target:]
        elif accident == "truncate":
            data = data[:start]
    return data


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop a load that hangs: by a signal, and if a parser does not let it through, by ending the process."""

    def stop(number: int, frame: object) -> None:
        raise TimeoutError(f"no answer within {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    faulthandler.dump_traceback_later(3 * seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def check(data: bytes, *, lenient: bool, format: str | None = None) -> bool:
    """Load `data`; True if it is an ontology, False if it was refused in words; anything else fails."""
    try:
        with time_limit(SECONDS):
            ontology = oe.load_ontology(data, lenient=lenient, format=format)
            described = json.dumps(ontology.describe(), allow_nan=False)
    except oe.OntoevalError as error:
        if not str(error).endswith((".", "?")):
            pytest.fail(f"no sentence: {error}")
        return False
    hierarchy = ontology.hierarchy
    assert isinstance(ontology, oe.Ontology)
    assert described
    assert len(set(hierarchy.iris)) == len(hierarchy) > 0
    assert all(0 <= parent < len(hierarchy) for parent in hierarchy.parents.indices.tolist())
    return True


def check_all(data: bytes, name: str, count: int, format: str | None = None) -> tuple[int, int]:
    """How many of `count` mutations loaded, and how many were refused. Each fourth is loaded leniently, too."""
    loaded = refused = 0
    for number in range(count):
        seed = f"{name} {number}"
        broken = mutated(data, seed)
        for lenient in (False, True) if number % 4 == 0 else (False,):
            try:
                good = check(broken, lenient=lenient, format=format)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                pytest.fail(f"mutation {seed!r}, {lenient=}: {type(error).__name__}: {error}\n{broken!r}")
            loaded += good
            refused += not good
    return loaded, refused


def test_there_are_enough_mutations() -> None:
    assert PLAIN * len(FILES) + PACKED * len(PACKERS) >= (2000 if IN_CI else 300)


def test_a_mutation_can_be_repeated() -> None:
    data = (FOLDER / "tiny.ttl").read_bytes()
    first = [mutated(data, f"again {number}") for number in range(50)]
    assert first == [mutated(data, f"again {number}") for number in range(50)]
    assert len(set(first)) > 45
    assert sum(broken != data for broken in first) > 45


@pytest.mark.parametrize("name", FILES)
def test_damaged_bytes_load_or_are_refused(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    assert check(data, lenient=False)
    loaded, refused = check_all(data, name, PLAIN)
    assert loaded + refused >= PLAIN


@pytest.mark.parametrize(("name", "format"), FILES.items())
def test_damaged_bytes_of_a_named_format_load_or_are_refused(name: str, format: str) -> None:
    """The user names the format, so that the damage goes to that format's parser and not to another one."""
    loaded, refused = check_all((FOLDER / name).read_bytes(), f"{name} as {format}", PLAIN // 3, format)
    assert loaded + refused >= PLAIN // 3


@pytest.mark.parametrize("kind", PACKERS)
def test_damaged_compressed_bytes_load_or_are_refused(kind: str) -> None:
    data = PACKERS[kind]((FOLDER / "tiny.ttl").read_bytes())
    assert check(data, lenient=False)
    loaded, refused = check_all(data, kind, PACKED)
    assert refused > 0
    assert loaded + refused >= PACKED
