"""`near_duplicates`: concepts whose labels differ only in case, spacing or punctuation (merged: load/ontologies/)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ontoeval.errors import number_of
from ontoeval.model.lexicon import LABEL_TO_SHOW, Lexicon

Alike = Literal["case", "normalized"]
_SHOWN = 2  # groups in a message
_MEANINGFUL = "#%&*@()"  # C is not C#, NAD(P) not NADP


class _Removed(dict[int, int | None]):
    """For `str.translate`: blanks, control characters and punctuation are removed."""

    def __missing__(self, code: int) -> int | None:
        character = chr(code)
        removed = unicodedata.category(character)[0] in "PZC" and character not in _MEANINGFUL
        self[code] = None if removed else code
        return self[code]


_REMOVED = _Removed()
# what tells names apart although it is punctuation: 3' and 3, 1,2 and 12, (+-) and (+); the signs are not removed
_DISTINCT = (
    (re.compile(r"(?<=\d)['′]"), "\u241e"),
    (re.compile(r"(?<=[\d\u241e])[\s_.,:;/-]+(?=\d)"), "\u241f"),
    (re.compile(r"\+/?-"), "±"),
)


class LabelRow(NamedTuple):
    """A concept, a label to show of it, and its language."""

    concept: int
    text: str
    language: str


def near_duplicates(rows: Iterable[LabelRow], alike: Alike = "normalized") -> list[list[LabelRow]]:
    """Labels of several concepts in one language that differ, but only in case (or spacing and punctuation, too).

    Each group has at least two texts; identical labels alone are none. Groups and their labels are sorted by text.
    """
    groups: dict[tuple[str, str], list[LabelRow]] = {}
    for row in rows:
        groups.setdefault((row.language, row.text.translate(_REMOVED).casefold()), []).append(row)
    result = []
    for group in groups.values():
        if len({row.text for row in group}) > 1:
            result += _split(group, alike)
    return sorted(result, key=lambda group: [(row.text, row.concept) for row in group])


def _split(group: Sequence[LabelRow], alike: Alike) -> list[list[LabelRow]]:
    """The parts of a group that are alike in the end."""
    parts: dict[str, list[LabelRow]] = {}
    for row in set(group):
        parts.setdefault(_folded(row.text, alike), []).append(row)
    return [
        sorted(part, key=lambda row: (row.text, row.concept))
        for folded, part in parts.items()
        if folded and len({row.text for row in part}) > 1 and len({row.concept for row in part}) > 1
    ]


def _folded(text: str, alike: Alike) -> str:
    if alike == "case":
        return text.casefold()
    for pattern, sign in _DISTINCT:
        text = pattern.sub(sign, text)
    return text.translate(_REMOVED).casefold()


def shown_labels(lexicon: Lexicon) -> list[LabelRow]:
    """The labels to show of each concept: preferred ones, else titles, else its name."""
    return [
        LabelRow(int(lexicon.concepts[row]), lexicon.texts[row], lexicon.languages[row])
        for row in lexicon.rows_of(LABEL_TO_SHOW)
    ]


def near_duplicate_problem(lexicon: Lexicon) -> tuple[str, str] | None:
    """What to warn of, and what to do; None if there are no such labels."""
    groups = near_duplicates(shown_labels(lexicon))
    if not groups:
        return None
    concepts = {row.concept for group in groups for row in group}
    shortest = sorted(groups, key=lambda group: len(group[0].text))[:_SHOWN]
    examples = "; ".join(", ".join(dict.fromkeys(repr(row.text) for row in group)) for group in shortest)
    more = f" and {len(groups) - _SHOWN:,} more" if len(groups) > _SHOWN else ""
    case_only = all(len({row.text.casefold() for row in group}) == 1 for group in groups)
    what = "case" if case_only else "case, spacing or punctuation"
    have = number_of(len(concepts), "concept has a label", "concepts have labels")
    return f"{have} that differ only in {what}: {examples}{more}", (
        f"If they are the same, set {{merge_labels={'case' if case_only else 'normalized'}}}."
    )
