"""Accidents that happen to files, each by a seeded generator so that it can be repeated; a limit of time."""

from __future__ import annotations

import bz2
import faulthandler
import gzip
import io
import lzma
import re
import signal
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random

TOKENS = (
    b'"', b"'", b"<", b">", b"&", b";", b"{", b"}", b"[", b"]", b"(", b")", b"\\", b"#", b":", b"\t", b"\n", b" ", b".",
    b"\x00", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xff\xfe", b"<!--", b"-->", b"]]>", b"<![CDATA[", b"<?xml ?>", b"<<(",
    b")>>", b'"""', b"@en", b"^^", b"\\u00", b"\\ud800", b"&#0;", b"&#xFFFFFFFF;", b"&amp;", b"null", b"1e999", b"-1",
    b"true", b"NaN", b"_:b", b"http://", b"%zz", b"is_a: ", b"[Term]\n", b"id: ", b"Ontology(", b"=>",
)  # fmt: skip
# what a terminal obeys: colours, a title (OSC), C1, other lines, other directions of writing
CONTROLS = (
    "\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\x7f", "\x08", "\r", "\u2028", "\u202e", "\u2066", "\u200f", "\u061c",
    "\ufeff", "\x85",
)  # fmt: skip
# what must not be printed: controls but the line break, directions of writing, halves of characters
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
NUMBERS = (
    b"0", b"-1", b"1", b"99999999999999999999", b"-99999999999999999999", b"2147483648", b"NaN", b"inf", b"-Infinity",
    b"1e308", b"1e-320", b"1e999", b"0.1", b"1,5", b"0x10", b"\xd9\xa3", b"",
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_WORD = re.compile(rb"[\w:#/.]+")
_BRACKETS = tuple(b"()[]{}<>\"'`")


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
    """One to three small accidents with bytes."""
    random = Random(seed)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = with_other_bytes(data, random)
    return data


def with_other_bytes(data: bytes, random: Random) -> bytes:
    """Bytes flipped, deleted, inserted, repeated or moved, or the file cut off."""
    start = random.randrange(len(data) + 1)
    end = min(len(data), start + random.choice((1, 1, 2, 5, 20, 100)))
    accident = random.choice(("flip", "delete", "insert", "token", "token", "duplicate", "move", "truncate"))
    if accident == "flip" and start < len(data):
        return data[:start] + bytes([data[start] ^ 1 << random.randrange(8)]) + data[start + 1 :]
    if accident == "insert":
        return data[:start] + random.randbytes(random.choice((1, 2, 8))) + data[start:]
    if accident == "token":
        return data[:start] + random.choice(TOKENS) * random.choice((1, 1, 1, 2, 40)) + data[start:]
    if accident == "duplicate":
        return data[:end] + data[start:end] * random.choice((1, 1, 3)) + data[end:]
    if accident == "truncate":
        return data[:start]
    part, rest = data[start:end], data[:start] + data[end:]
    if accident == "move":
        target = random.randrange(len(rest) + 1)
        return rest[:target] + part + rest[target:]
    return rest


def with_other_lines(data: bytes, random: Random) -> bytes:
    """Lines deleted, repeated, swapped, joined or broken in two."""
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    accident = random.choice(("delete", "repeat", "swap", "join", "break", "empty"))
    if accident == "delete":
        del lines[min(one, other) : min(max(one, other), min(one, other) + 3) + 1]
    elif accident == "repeat":
        lines[other:other] = [lines[one]] * random.choice((1, 1, 2, 50))
    elif accident == "swap":
        lines[one], lines[other] = lines[other], lines[one]
    elif accident == "join":
        lines[one : one + 2] = [b"".join(lines[one : one + 2])]
    elif accident == "break":
        place = random.randrange(len(lines[one]) + 1)
        lines[one : one + 1] = [lines[one][:place], lines[one][place:]]
    else:
        lines[one] = b""
    return b"\n".join(lines)


def with_other_tokens(data: bytes, random: Random) -> bytes:
    """A number replaced by an odd one, a word by another or by one that controls a terminal, a bracket by another."""
    accident = random.choice(("number", "number", "word", "control", "control", "quote"))
    if accident == "quote":
        places = [place for place, byte in enumerate(data) if byte in _BRACKETS]
        if not places:
            return data
        place = random.choice(places)
        return data[:place] + bytes([random.choice(_BRACKETS)]) + data[place + 1 :]
    found = [*(_NUMBER if accident == "number" else _WORD).finditer(data)]
    if not found:
        return data
    match = random.choice(found)
    if accident == "number":
        word = random.choice(NUMBERS)
    elif accident == "word":
        word = random.choice(found)[0]
    else:
        place = random.randrange(len(match[0]) + 1)
        word = match[0][:place] + random.choice(CONTROLS).encode() + match[0][place:]
    return data[: match.start()] + word + data[match.end() :]


def with_other_structure(data: bytes, random: Random) -> bytes:
    """A stretch nested deeply, another encoding, other ends of lines, marks of byte order, NUL."""
    accident = random.choice(("nest", "nest", "encoding", "crlf", "cr", "mark", "nul", "blanks", "empty"))
    if accident == "nest":
        start = random.randrange(len(data) + 1)
        end = min(len(data), start + random.choice((0, 1, 20, 200)))
        before, after = random.choice(
            ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<a>", b"</a>"), (b'{"a":', b"}"), (b"-", b""))
        )
        depth = random.choice((2, 40, 1000, 20_000))
        return data[:start] + before * depth + data[start:end] + after * depth + data[end:]
    if accident == "encoding":
        encoding = random.choice(("utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig", "utf-7"))
        return data.decode("utf-8", "replace").encode(encoding, "replace")
    changes: dict[str, Callable[[bytes], bytes]] = {
        "crlf": lambda data: data.replace(b"\n", b"\r\n"),
        "cr": lambda data: data.replace(b"\n", b"\r"),
        "mark": lambda data: b"\xef\xbb\xbf" + data,
        "nul": lambda data: data.replace(random.choice((b" ", b"\n", b"a")), b"\x00"),
        "blanks": lambda data: data.replace(b"\t", b"    "),
        "empty": lambda data: data[: random.choice((0, 1, 2))],
    }
    return changes[accident](data)


def spliced(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """The beginning of a file and the end of another one."""
    other = random.choice(others)
    lines, more = data.split(b"\n"), other.split(b"\n")
    return b"\n".join([*lines[: random.randrange(len(lines) + 1)], *more[random.randrange(len(more)) :]])


def slightly_damaged(data: bytes, random: Random) -> bytes:
    """One or two accidents after which a file can often still be read."""
    for _ in range(random.choice((1, 1, 2))):
        data = random.choice((with_other_lines, with_other_tokens, with_other_tokens))(data, random)
    return data


def damaged(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """One to three accidents of any kind; `others`: files of the same kind."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        kinds = (with_other_bytes, with_other_lines, with_other_tokens, with_other_tokens, with_other_structure)
        number = random.randrange(len(kinds) + 1)
        data = kinds[number](data, random) if number < len(kinds) else spliced(data, random, others)
    return data


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop what hangs: by a signal, and if a parser does not let it through, by ending the process."""

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
