"""`naming_warnings`, `span_warnings`: the two sides write names differently; no annotated span is on both sides."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.errors import Message, number_of, sentence
from ontoeval.matching.normalize import folder
from ontoeval.model.arrays import row_codes
from ontoeval.model.lexicon import is_iri, local_name

if TYPE_CHECKING:
    from ontoeval.tasks.extraction import Extraction, Side

_SHARE, _NAMES = 0.05, 20  # how many more names are worth a warning; whichever is less
_FEWEST = 3  # different names on both sides, if nothing tells why none is the same

_SPAN = ("document", "start", "end")
_LOOKED_AT = 100  # spans whose nearest one is looked for

Span = tuple[int, int, int]


def naming_warnings(task: Extraction) -> Iterator[Message]:
    """That the sides name the same classes differently, where no ontology says what a name means."""
    if not task.flat or task.by != "class":
        return
    response, key = (_names(task, side) for side in (task.response_side, task.key_side))
    noun = ("label", "labels") if task.labels else ("class", "classes")
    fewer, same = min(len(response), len(key)), len(response & key)
    enough = max(1, min(_NAMES, math.ceil(_SHARE * fewer)))
    if fewer - same < enough:
        return
    best, most, example = "", 0, ("", "")
    for change, key_of in _CHANGES:
        there = {key_of(name): name for name in sorted(key - response)}
        pairs = {key_of(name): (name, there[key_of(name)]) for name in sorted(response - key) if key_of(name) in there}
        if len(pairs) - most >= enough:
            best, most, example = change, len(pairs), min(pairs.values())
    path = task.key.source.path
    problem = f"{same:,} of {number_of(len(response), *noun)} {'is' if 1 in (same, len(response)) else 'are'} in {path}"
    advice = "Write them alike on both sides, or set {ontology} to look both up."
    if best:
        change = f"; {same + most:,} would be {best} ({example[0]!r} here, {example[1]!r} there)"
        yield sentence(problem + change, place=task.response.source.path, advice=advice)
    elif not same and (fewer >= _FEWEST or len({any(map(is_iri, names)) for names in (response, key)}) > 1):
        examples = f": e.g. {min(response)!r} here, {min(key)!r} there"
        yield sentence(problem + examples, place=task.response.source.path, advice=advice)


def _names(task: Extraction, side: Side) -> set[str]:
    return {task.names[number] for number in np.unique(side.name[side.name >= 0]).tolist()}


def _last_part(name: str) -> str:
    """`Dog` of `http://ex.org/Dog`, `<http://ex.org#Dog>` and `ex:Dog`."""
    return local_name(name.strip("<>")).rpartition(":")[2]


_folded = folder(("case", "nfkc", "separators", "camel"))
_CHANGES: tuple[tuple[str, Callable[[str], str]], ...] = (  # small ones first
    ("ignoring case", str.casefold),
    ("ignoring case and separators", _folded),
    ("by local name", _last_part),
    ("by local name, ignoring case and separators", lambda name: _folded(_last_part(name))),
)


def span_warnings(task: Extraction) -> Iterator[Message]:
    """That no span is on both sides, though both have some in the same documents."""
    response, key = task.response_side, task.key_side
    if task.labels or task.response.things or task.key.things or not len(response) or not len(key):
        return
    codes = row_codes([np.concatenate([getattr(side, end) for side in (response, key)]) for end in _SPAN])
    rows = np.flatnonzero(np.isin(response.document, key.document))
    if not len(rows) or np.isin(codes[: len(response)], codes[len(response) :]).any():
        return
    pairs = [_nearest(response, row, key) for row in rows[:_LOOKED_AT].tolist()]
    (shift, count), *_ = Counter(map(_shift, pairs)).most_common(1)
    regular = 2 * count > len(pairs)
    (document, *here), (_, *there) = next(pair for pair in pairs if not regular or _shift(pair) == shift)
    place = f"{task.documents[document]}: {_in_words(here)} here, {_in_words(there)} there"
    problem = f"no span is also in {task.key.source.path} (nearest, in {place}); {_cause(shift, regular)}"
    advice = "Use annotations of the same text, with offsets counted the same way."
    yield sentence(problem, place=task.response.source.path, advice=advice)


def _nearest(response: Side, row: int, key: Side) -> tuple[Span, Span]:
    """A span of the response, and of those of its document in the key that whose ends are nearest."""
    others = np.flatnonzero(key.document == response.document[row])
    away = np.abs(key.start[others] - response.start[row]) + np.abs(key.end[others] - response.end[row])
    return _span(response, row), _span(key, int(others[away.argmin()]))


def _span(side: Side, row: int) -> Span:
    return int(side.document[row]), int(side.start[row]), int(side.end[row])


def _shift(pair: tuple[Span, Span]) -> tuple[int, int]:
    return pair[0][1] - pair[1][1], pair[0][2] - pair[1][2]


def _in_words(ends: list[int]) -> str:
    return f"{ends[0]:,} to {ends[1]:,}"


def _cause(shift: tuple[int, int], regular: bool) -> str:
    start, end = shift
    if regular and start == end:
        return f"offsets may be shifted by {start:+,}"
    if regular and not start:
        return f"ends may be counted differently, by {end:+,}"
    return "the offsets may belong to another text, or count something other than characters"
