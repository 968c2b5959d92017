"""`Lexicon`: labels by language, role; `is_iri`, `local_name`, `split_words` (concepts of a label: ontology.py)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from ontoeval.model.arrays import BoolArray, IntArray, LongArray, freeze, runs

# In order of preference. "name": no label at all, so the concept's own name stands in.
ROLES = (
    "preferred", "title", "alternative", "exact", "hidden", "narrow", "broad", "related", "name",
)  # fmt: skip
NAME = ROLES.index("name")
# A narrower, broader or merely related synonym does not say what a concept is.
MEANING = tuple(ROLES.index(role) for role in ("preferred", "title", "alternative", "exact", "hidden", "name"))
LABEL_TO_SHOW = tuple(ROLES.index(role) for role in ("preferred", "title", "name"))
SEPARATORS = re.compile(r"[\s_\-]+")  # between the words of a name
_SCHEME = re.compile(r'[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>"{}|^`\\\x00-\x20]+')


class Label(NamedTuple):
    """A label of a concept."""

    text: str
    language: str  # lower case, "" without one
    role: str


@dataclass(frozen=True, eq=False)
class Lexicon:
    """L = (L, F): labels as columns, sorted by concept, then role, language and text."""

    concepts: IntArray
    texts: tuple[str, ...]
    languages: tuple[str, ...]  # beside texts
    roles: IntArray  # positions in ROLES
    size: int  # number of concepts

    def __post_init__(self) -> None:
        freeze(self.concepts)
        freeze(self.roles)

    @classmethod
    def build(
        cls,
        size: int,
        concepts: npt.NDArray[np.int64],
        texts: Sequence[str],
        languages: Sequence[str],
        roles: Sequence[int],
    ) -> Lexicon:
        """Sort the columns and drop repeated labels."""
        rank = {language: number for number, language in enumerate(sorted(set(languages)))}
        language_rank = np.fromiter(map(rank.__getitem__, languages), dtype=np.int64, count=len(languages))
        # one number for everything but the text; only where it repeats have texts to be compared
        key = (concepts * len(ROLES) + np.array(roles, dtype=np.int64)) * max(len(rank), 1) + language_rank
        order = _sorted_by_text(key, np.argsort(key, kind="stable"), texts)
        rows = list(zip(key[order].tolist(), [texts[i] for i in order], strict=True))
        kept = [order[n] for n in range(len(order)) if not n or rows[n] != rows[n - 1]]
        return cls(
            concepts[kept].astype(np.int32),
            tuple([texts[i] for i in kept]),
            tuple([languages[i] for i in kept]),
            np.array(roles, dtype=np.int32)[kept],
            size,
        )

    def __repr__(self) -> str:
        return f"<Lexicon of {len(self):,} labels>"

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def _start(self) -> LongArray:
        return np.searchsorted(self.concepts, np.arange(self.size + 1))

    def entries(self, concept: int) -> Iterator[Label]:
        """All labels of a concept with language and role, preferred first."""
        for row in range(self._start[concept], self._start[concept + 1]):
            yield Label(self.texts[row], self.languages[row], ROLES[self.roles[row]])

    def labels(self, concept: int, language: str | None = None) -> tuple[str, ...]:
        """The distinct texts of a concept, preferred first; with a language those that `in_language` would keep."""
        entries = list(self.entries(concept))
        if language is not None:
            entries = _best_for(entries, language.lower())
        return tuple(dict.fromkeys(entry.text for entry in entries))

    def label(self, concept: int, language: str | None = None) -> str | None:
        """The label to show for a concept."""
        return next(iter(self.labels(concept, language)), None)

    def in_language(self, language: str) -> Lexicon:
        """The labels in one language.

        `en` takes en, then en-GB and the like; where a concept has neither, its labels without a language.
        """
        wanted = language.lower()
        tier = np.array([language_rank(tag, wanted) for tag in self.languages], dtype=np.int32)
        has_label = np.zeros(self.size, dtype=bool)
        has_label[self.concepts[tier < 2]] = True
        kept = np.flatnonzero((tier < 2) | ((tier == 2) & ~has_label[self.concepts]))
        return Lexicon(
            self.concepts[kept],
            tuple([self.texts[i] for i in kept.tolist()]),
            tuple([self.languages[i] for i in kept.tolist()]),
            self.roles[kept],
            self.size,
        )

    def rows_of(self, roles: Sequence[int], concepts: BoolArray | None = None) -> list[int]:
        """The rows of these roles, of some concepts; of those to show a title where there is no preferred label."""
        selected = np.isin(self.roles, roles)
        rows = np.flatnonzero(selected if concepts is None else selected & concepts[self.concepts])
        if roles is LABEL_TO_SHOW and len(rows):
            first = runs(self.concepts[rows])  # rows are sorted by concept, then role
            first_role = np.repeat(self.roles[rows][first], np.diff(np.append(first, len(rows))))
            rows = rows[self.roles[rows] == first_role]
        result: list[int] = rows.tolist()
        return result

    @cached_property
    def unlabelled(self) -> BoolArray:
        """True for concepts that have no label of their own (at most their name)."""
        result = np.ones(self.size, dtype=bool)
        result[self.concepts[self.roles != NAME]] = False
        return freeze(result)

    @property
    def language_counts(self) -> dict[str, int]:
        """Labels per language, names that stand in for labels left out."""
        counts = Counter(
            language for language, role in zip(self.languages, self.roles.tolist(), strict=True) if role != NAME
        )
        return dict(sorted(counts.items()))


def _sorted_by_text(key: npt.NDArray[np.int64], order: npt.NDArray[np.intp], texts: Sequence[str]) -> list[int]:
    """`order` with the texts ascending inside each run of equal keys."""
    bounds = np.append(runs(key[order]), len(order))
    result: list[int] = order.tolist()
    for run in np.flatnonzero(np.diff(bounds) > 1).tolist():
        start, stop = int(bounds[run]), int(bounds[run + 1])
        result[start:stop] = sorted(result[start:stop], key=texts.__getitem__)
    return result


def language_rank(language: str, wanted: str) -> int:
    """0: the language itself, 1: a variety of it, 2: no language, 3: another."""
    if language == wanted:
        return 0
    return 1 if language.startswith(wanted + "-") else 3 if language else 2


def _best_for(entries: Iterable[Label], wanted: str) -> list[Label]:
    ranked = sorted(
        ((language_rank(e.language, wanted), e) for e in entries),
        key=lambda pair: (ROLES.index(pair[1].role), pair[0]),
    )
    in_language = [e for tier, e in ranked if tier < 2]
    return in_language or [e for tier, e in ranked if tier == 2]


def is_iri(name: str) -> bool:
    """True if `name` is an absolute IRI rather than a plain name."""
    return bool(_SCHEME.fullmatch(name)) and ("://" in name or name.startswith(("urn:", "file:", "tag:")))


def name_as_label(name: str) -> str:
    """What stands in for a missing label: a plain name unchanged, of an IRI the words of its local name."""
    return split_words(local_name(name)) if is_iri(name) else name


def local_name(iri: str) -> str:
    """The part of an IRI behind its last # or / (or : in a URN)."""
    trimmed = iri.rstrip("/#")
    for separator in "#/:":
        if separator in trimmed:
            return unquote(trimmed.rsplit(separator, 1)[1])
    return trimmed


def split_words(name: str) -> str:
    """`ConferenceMember`, `Conference_Member` and `conference%20member` to words between blanks."""
    return " ".join(word for word in SEPARATORS.split(split_camel_case(name)) if word) or name


def split_camel_case(text: str) -> str:
    """A blank before each capital that begins a word, in any script: `café Bar`, `OWL Class`."""
    words, start = [], 0
    for place in [place for place, capital in enumerate(map(str.isupper, text)) if capital and place]:
        before, after = text[place - 1], text[place + 1 : place + 2]
        if before.islower() or before.isdigit() or (before.isupper() and after.islower()):
            words.append(text[start:place])
            start = place
    return " ".join([*words, text[start:]])
