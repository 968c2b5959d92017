"""Names of files for people: `short_names` of rows, `name_beside` another file in a title, `file_names`."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SEPARATOR = re.compile(r"([/._\- ])")


def short_names(paths: Sequence[str]) -> list[str]:
    """The paths without the tokens at the start and at the end that all share; the file's name if there is one alone.

    Tokens stand between / . _ - and blanks. What is left contains a letter and tells the paths apart:
    `gold/env.TAXI.taxo`, `gold/env.USAAR.taxo` are TAXI, USAAR.
    """
    tokens = [_SEPARATOR.split(path) for path in dict.fromkeys(paths)]  # with the separators between them
    if len(tokens) < 2:
        return file_names(paths)
    shortest = min(map(len, tokens)) // 2  # tokens but one
    start, end = _common_start(tokens, shortest), _common_start([row[::-1] for row in tokens], shortest)
    for last in range(end, -1, -1):  # rather the start of a name comes back than its end
        for first in range(min(start, shortest - last), -1, -1):
            names = ["".join(row[2 * first : len(row) - 2 * last]) for row in tokens]
            if len(set(names)) == len(names) and all(map(_has_letter, names)):
                short = dict(zip(dict.fromkeys(paths), names, strict=True))
                return [short[path] for path in paths]
    return list(paths)


def _common_start(tokens: Sequence[Sequence[str]], most: int) -> int:
    """How many tokens, with the separators behind them, all begin with."""
    count = 0
    while count < most and len({tuple(row[2 * count : 2 * count + 2]) for row in tokens}) == 1:
        count += 1
    return count


def name_beside(path: str, other: str, *, suffix: bool = True) -> str:
    """A file's name without the tokens at its start that the name of the other file has there, too.

    `env.TAXI.taxo` beside `env.taxo` is TAXI.taxo, without its suffix TAXI. A name of which no letter would be left
    stays whole.
    """
    name, beside = (_SEPARATOR.split(file.rpartition("/")[2]) for file in (path, other))
    shortest = min(len(name), len(beside)) // 2
    start = _common_start([name, beside], shortest)
    end = _common_start([name[::-1], beside[::-1]], shortest)
    inner = "".join(name[2 * start : len(name) - 2 * end])
    if not _has_letter(inner):
        return "".join(name)
    return "".join(name[2 * start :]) if suffix else inner


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def file_names(paths: Sequence[str]) -> list[str]:
    """File names; as much of the path as it takes to tell them apart."""
    for depth in range(1, 20):
        names = ["/".join(path.split("/")[-depth:]) for path in paths]
        if len(set(names)) == len(set(paths)):
            return names
    return list(paths)
