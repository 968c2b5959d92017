"""`list_kind`, `text_kind`: what text that is not a table looks like: bulleted list, Markdown, outline ..."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_LINES = 200  # that are looked at
_FENCE = re.compile(r"^\s*+(?:```|~~~)")
_TREE = re.compile(r"[├└│┌]")
_BULLET = re.compile(r"\s*+[-*+•·‣◦▪–—]\s++\S")
_HEADING = re.compile(r"#{1,6} ++\S")
_NUMBER = r"\(?+(?:\d++(?:\.\d++)*+[.)]|\d++(?:\.\d++)++|[A-Za-z][.)])"
# TABs separate columns: 'E. coli TAB bacterium' and '1.1 Dogs TAB 1 Animals' are links, '1. TAB Dogs' is not
_NUMBERED = re.compile(rf"\s*+{_NUMBER}(?:[^\S\t]*+\t\s*+[^\W\d][^\t]*+|[^\S\t]++[^\W\d][^\t]*+)$")
_COLON = re.compile(r"[^\t:]++:(?:[^\S\t]*+\t|[^\S\t]++[^\t]*+$|$)")
_ARROW = re.compile(r"\s(?:[-=]+>|<[-=]+|→|←|⇒|>)\s")
_SEPARATOR = re.compile("[,;]")
_SENTENCE_END = (".", "!", "?", ":", ",", ";")
_CODE = set("{}<>@=")
_NAME_WORDS = 8  # a line of more is not a name

Lines = Sequence[str]


def list_kind(lines: Lines) -> str | None:
    """What lines look like that have the marks of a list, an outline or Markdown; None if they may be a table.

    `lines`: with their indentation, without empty ones.
    """
    lines = lines[:_LINES]
    tabs = any("\t" in line.strip() for line in lines)
    kinds = _KINDS if tabs else _KINDS + _KINDS_WITHOUT_TABS
    return next((kind for kind, fits in kinds if lines and fits(lines)), None)


def text_kind(lines: Lines) -> str | None:
    """What text that is known not to be a table looks like; None if nothing tells."""
    names = bool(lines) and all(line.strip()[0].isalpha() and not set(line) & (_CODE | {"\t"}) for line in lines)
    return list_kind(lines) or ("a list of names" if names else None)


def _any(pattern: re.Pattern[str]) -> Callable[[Lines], bool]:
    return lambda lines: any(map(pattern.search, lines))


def _most(fits: Callable[[str], object]) -> Callable[[Lines], bool]:
    return lambda lines: 2 * sum(1 for line in lines if fits(line)) > len(lines)


def _counts_up(lines: Lines) -> bool:
    """True for `0 TAB leek`, `1 TAB bus`, ...: numbers in order, each before one name that is not a number."""
    rows = [line.strip().split("\t") if "\t" in line.strip() else line.split() for line in lines]
    if len(rows) < 2 or any(len(row) != 2 or not row[0].strip().isdecimal() or row[1].isdecimal() for row in rows):
        return False
    numbers = [int(row[0]) for row in rows]
    return numbers == list(range(numbers[0], numbers[0] + len(rows)))


def _is_indented(lines: Lines) -> bool:
    """True if half of the lines, but not the first one, begin with a blank; single ones may be slips."""
    return 2 * sum(line[0].isspace() for line in lines) >= len(lines) > 1 and not lines[0][0].isspace()


def _has_separators(lines: Lines) -> bool:
    numbers = {len(_SEPARATOR.findall(line)) for line in lines}
    return len(numbers) == 1 and 0 not in numbers


# The first that fits counts.
_KINDS: list[tuple[str, Callable[[Lines], bool]]] = [
    ("Markdown with a code block", _any(_FENCE)),
    ("a tree drawing", _any(_TREE)),
    ("a bulleted list", _most(_BULLET.match)),
    ("a numbered list", _most(_NUMBERED.match)),
    ("a numbered list", _counts_up),
    ("lines of the form 'name: value'", _most(_COLON.match)),
]
_KINDS_WITHOUT_TABS: list[tuple[str, Callable[[Lines], bool]]] = [
    ("Markdown", lambda lines: any(map(_HEADING.match, lines))),
    ("running text", _most(lambda line: len(line.split()) > _NAME_WORDS)),
    ("columns separated by '|'", _most(lambda line: "|" in line)),
    ("lines with arrows", _most(_ARROW.search)),
    ("an indented outline", _is_indented),
    ("running text", _most(lambda line: line.rstrip().endswith(_SENTENCE_END))),
    ("comma-separated values", _has_separators),
]
