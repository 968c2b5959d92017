"""Names of measures: `read_name` (grammar), `split_names` (lists), `older_name`, `current_parameter` (old spellings).

name  |  name(key=value, ...)        a value is a word, a number, true, false or a measure, without quotes
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import Any

from ontoeval.errors import ParameterError

_RENAMED = {"match": "spans"}  # parameters of older releases, which stored scores have, and what they are now
WORD = r"[\w.+\-:/#%~]+"  # what is in most IRIs
_TOKEN = re.compile(rf"\s*(?:({WORD})|([(),=]))")


def read_name(text: str) -> tuple[str, dict[str, Any]]:
    """`name(key=value, ...)` to the name and the values as text; a nested measure stays text."""
    tokens: list[str] = []
    position = 0
    stripped = text.strip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise _unreadable(text)
        tokens.append(match[1] or match[2])
        position = match.end()
    if not tokens or tokens[0] in "(),=":
        raise _unreadable(text)
    if len(tokens) == 1:
        return tokens[0], {}
    if tokens[1] != "(" or tokens[-1] != ")":
        raise _unreadable(text)
    return tokens[0], _read_arguments(tokens[2:-1], text)


def _read_arguments(tokens: Sequence[str], text: str) -> dict[str, str]:
    result: dict[str, str] = {}
    position = 0
    while position < len(tokens):
        if position + 2 >= len(tokens) or tokens[position] in "(),=" or tokens[position + 1] != "=":
            raise _unreadable(text)
        key, start = tokens[position], position + 2
        depth, position = 0, start
        while position < len(tokens) and (depth or tokens[position] != ","):
            depth += {"(": 1, ")": -1}.get(tokens[position], 0)
            two_words = position > start and not {tokens[position], tokens[position - 1]} & set("(),=")
            if depth < 0 or two_words:
                raise _unreadable(text)
            position += 1
        if depth or position == start or key in result:
            raise _unreadable(text)
        result[key] = "".join(tokens[start:position])
        position += 1
    return result


def _unreadable(text: str) -> ParameterError:
    return ParameterError(
        f"{text!r} is not a measure",
        advice="Use a name, or a name with parameters: TP(extract=sc, over=common).",
    )


def split_names(values: Iterable[str]) -> list[str]:
    """Lists of measures such as `LP,LR` and `TP(extract=sc, over=common)` as single names.

    Commas inside parentheses stay.
    """
    names: list[str] = []
    for value in values:
        depth, start = 0, 0
        for place, letter in enumerate(value):
            depth += {"(": 1, ")": -1}.get(letter, 0)
            if letter == "," and depth == 0:
                names.append(value[start:place])
                start = place + 1
        names.append(value[start:])
    return [name.strip() for name in names if name.strip()]


def current_parameter(name: str, parameters: Container[str | None]) -> str:
    """The name of a parameter, whatever release it was written for."""
    return _RENAMED[name] if name not in parameters and _RENAMED.get(name) in parameters else name


def older_name(name: str) -> str | None:
    """The full name of a measure as older releases stored it; None if they called it the same."""
    _, arguments = read_name(name)
    before = {now: old for old, now in _RENAMED.items()}
    if not before.keys() & arguments:
        return None
    words = ", ".join(f"{before.get(key, key)}={value}" for key, value in arguments.items())
    return f"{read_name(name)[0]}({words})"
