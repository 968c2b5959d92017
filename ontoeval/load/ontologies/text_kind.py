"""`list_kind`, `text_kind`: what text that is not a table looks like: bulleted list, Markdown, outline ..."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ontoeval.load.tables.headings import edge_header

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
_LOWER_HEADING = re.compile(r"#{2,6} ++\S")
_MARKED = r"\*\*[^*\t]++\*\*|__[^_\t]++__|\*[^*\t]++\*|_[^_\t]++_|`[^`\t]++`|\[[^\]\t]++\]\([^)\t]++\)"
_EMPHASIS = re.compile(rf"(?:^|\t)[^\S\t]*+(?:{_MARKED})[^\S\t]*+(?:\t|$)")
_SENTENCE_END = (".", "!", "?", ":", ",", ";")
_CODE = set("{}<>@=")
_NAME_WORDS = 8  # a line of more is not a name
_SENTENCE_WORDS = 6  # of a definition; two less if it ends in a full stop

Lines = Sequence[str]


def list_kind(lines: Lines) -> str | None:
    """What lines look like that have the marks of a list, an outline or Markdown; None if they may be a table.

    `lines`: with their indentation, without empty ones.
    """
    lines = lines[:_LINES]
    tabs = any("\t" in line.strip() for line in lines)
    kinds = _KINDS + (_KINDS_WITH_TABS if tabs else _KINDS_WITHOUT_TABS)
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


def _is_glossary(lines: Lines) -> bool:
    """True for `name TAB sentence`: every second cell is another one, none is a name, and most are long."""
    rows = [line.strip().split("\t") for line in lines]
    if len(rows) < 2 or any(len(row) != 2 for row in rows) or edge_header(rows[0]) is not None:
        return False
    texts = [row[1].strip() for row in rows]
    if len(set(texts)) < len(texts) or not {row[0].strip() for row in rows}.isdisjoint(texts):
        return False
    lengths = [len(text.split()) + 2 * text.endswith(".") for text in texts]
    are_sentences = all(text.endswith((".", "!", "?")) and " " in text for text in texts)
    return are_sentences or 2 * sum(length >= _SENTENCE_WORDS for length in lengths) > len(lines)


def _has_headings(lines: Lines) -> bool:
    """True if lines with TABs have `## Heading` among them; `# child` may begin a header line."""
    first = lines[0].split("\t")
    return any(map(_LOWER_HEADING.match, lines)) or (bool(_HEADING.match(lines[0])) and edge_header(first) is None)


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
    ("Markdown", _most(_EMPHASIS.search)),
]
_KINDS_WITH_TABS: list[tuple[str, Callable[[Lines], bool]]] = [
    ("Markdown", _has_headings),
    ("a glossary of names and definitions", _is_glossary),
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
