"""`Matching`: pairs of concepts, one to one, by id; `matched_pairs`, `ambiguous_matches` by IRI (found: matcher.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ontoeval.errors import Message, MissingInputError, number_of
from ontoeval.matching.alignment import Alignment
from ontoeval.model.arrays import FloatArray, IntArray, LongArray, freeze
from ontoeval.model.ontology import Ontology
from ontoeval.tables import Table

if TYPE_CHECKING:
    import pandas as pd

ADDED_ROOT = "added root"


class Candidate(NamedTuple):
    """A learned and a gold concept that could be the same; `rank` decides between equal scores."""

    learned: int
    gold: int
    score: float
    rank: int = 0


class MatchedPair(NamedTuple):
    """Two concepts that are the same, or could be, and why."""

    learned: str  # IRI
    gold: str
    learned_label: str
    gold_label: str
    score: float
    by: str  # the step of the matching


@dataclass(frozen=True, eq=False)
class Matching:
    """A partial one-to-one mapping between the concepts of two ontologies.

    Examples
    --------
    >>> import ontoeval as oe
    >>> learned = oe.Ontology.from_edges([("cat", "animal"), ("cow", "animal")])
    >>> gold = oe.Ontology.from_edges([("cat", "animal"), ("dog", "animal")])
    >>> matching = oe.match(learned, gold)
    >>> len(matching), [pair.gold for pair in matching.table]
    (2, ['animal', 'cat'])
    """

    to_gold: IntArray  # learned id -> gold id, or -1
    to_learned: IntArray
    scores: FloatArray  # beside to_gold; nan where there is no partner
    steps: IntArray  # beside to_gold: which of `by` found it, -1 for none, len(by) for two added roots
    by: tuple[str, ...]
    normalize: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    dropped: tuple[tuple[Candidate, str], ...] = ()  # candidates that lost to another pair, and the step
    ambiguous: int = 0  # how many were dropped
    notes: tuple[str, ...] = ()
    mappings: tuple[Alignment, ...] = ()  # those among the steps, which may name properties, too
    warnings: tuple[Message, ...] = ()  # why numbers may mislead; `suggestions.match_warnings` adds others
    sides: tuple[Ontology, Ontology] | None = field(default=None, repr=False)  # whose concepts have these ids

    def __post_init__(self) -> None:
        for array in (self.to_gold, self.to_learned, self.scores, self.steps):
            freeze(array)

    def __repr__(self) -> str:
        return f"<Matching by {','.join(self.by)}: {len(self):,} pairs, {self.ambiguous:,} ambiguous>"

    def __len__(self) -> int:
        """|K|: the number of pairs, two added roots included."""
        return int(np.count_nonzero(self.to_gold >= 0))

    @cached_property
    def swapped(self) -> Matching:
        """The same pairs, seen from the gold side."""
        partner = self.to_learned
        matched = partner >= 0
        scores, steps = np.full(len(partner), np.nan), np.full(len(partner), -1, dtype=np.int32)
        scores[matched], steps[matched] = self.scores[partner[matched]], self.steps[partner[matched]]
        dropped = tuple((Candidate(c.gold, c.learned, c.score, c.rank), step) for c, step in self.dropped)
        return Matching(
            self.to_learned.copy(), self.to_gold.copy(), scores, steps, self.by, self.normalize, self.languages,
            dropped, self.ambiguous, self.notes, self.mappings, self.warnings,
            None if self.sides is None else self.sides[::-1],
        )  # fmt: skip

    def renumbered(self, concepts: LongArray, new: LongArray, size: int, *, roots: bool) -> Matching:
        """The pairs of some learned concepts, which now have other ids among `size`; `roots`: both roots are added."""
        to_gold = np.full(size, -1, dtype=np.int32)
        to_learned = np.full(len(self.to_learned), -1, dtype=np.int32)
        scores, steps = np.full(size, np.nan), np.full(size, -1, dtype=np.int32)
        to_gold[new], scores[new], steps[new] = self.to_gold[concepts], self.scores[concepts], self.steps[concepts]
        to_learned[self.to_gold[concepts]] = new
        if roots:
            to_gold[0], to_learned[0], scores[0], steps[0] = 0, 0, 1.0, len(self.by)
        return Matching(
            to_gold, to_learned, scores, steps, self.by, self.normalize, self.languages,
            ambiguous=self.ambiguous, notes=self.notes, mappings=self.mappings, warnings=self.warnings,
        )  # fmt: skip

    @property
    def found(self) -> dict[str, int]:
        """The number of pairs by step."""
        counts = np.bincount(self.steps[self.steps >= 0], minlength=len(self.by) + 1).tolist()
        result = dict.fromkeys((*self.by, ADDED_ROOT), 0)
        for step, count in zip((*self.by, ADDED_ROOT), counts, strict=True):  # a chain may have a name twice
            result[step] += count
        return result

    @property
    def pairs(self) -> Iterator[Candidate]:
        """The matched concepts by learned id, two added roots left out."""
        for learned in np.flatnonzero((self.to_gold >= 0) & (self.steps < len(self.by))).tolist():
            yield Candidate(learned, int(self.to_gold[learned]), float(self.scores[learned]))

    @property
    def table(self) -> Table[MatchedPair]:
        """The pairs by IRI and label, two added roots left out."""
        if self.sides is None:
            raise MissingInputError("the ontologies of this matching are not known", advice="Use match(learned, gold).")
        title = f"{number_of(len(list(self.pairs)), 'pair', 'pairs')} by {','.join(self.by)}"
        rows = matched_pairs(self, *self.sides)
        return Table(rows, MatchedPair, title=title, only_programs=["learned", "gold"])

    def to_frame(self) -> pd.DataFrame:
        """The pairs as a pandas DataFrame."""
        return self.table.to_frame()

    def __str__(self) -> str:
        return f"{self!r}\n" if self.sides is None else str(self.table)

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>" if self.sides is None else self.table._repr_html_()

    def summary(self) -> dict[str, Any]:
        """What was matched, in numbers."""
        return {
            "by": ",".join(self.by),
            "normalize": list(self.normalize),
            "languages": list(self.languages),
            "matched": len(self),
            "learned": len(self.to_gold),
            "gold": len(self.to_learned),
            "novel": len(self.to_gold) - len(self),
            "missing": len(self.to_learned) - len(self),
            "ambiguous": self.ambiguous,
            "found": self.found,
            "notes": list(self.notes),
        }


def matched_pairs(matching: Matching, learned: Ontology, gold: Ontology) -> list[MatchedPair]:
    """The pairs of a matching by IRI."""
    return sorted(
        MatchedPair(
            learned.hierarchy.iris[pair.learned],
            gold.hierarchy.iris[pair.gold],
            learned.label_of(pair.learned),
            gold.label_of(pair.gold),
            pair.score,
            matching.by[int(matching.steps[pair.learned])],
        )
        for pair in matching.pairs
    )


def ambiguous_matches(matching: Matching, learned: Ontology, gold: Ontology) -> list[MatchedPair]:
    """Candidates that lost to another pair with one of their concepts."""
    return [
        MatchedPair(
            learned.hierarchy.iris[candidate.learned],
            gold.hierarchy.iris[candidate.gold],
            learned.label_of(candidate.learned),
            gold.label_of(candidate.gold),
            candidate.score,
            step,
        )
        for candidate, step in matching.dropped
    ]
