"""Two hierarchies compared again in plain sets and fractions, straight from the definitions: slow and obvious.

A concept is a pair (side, name); a common one has the gold name on both sides, so that sets can be intersected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

import oracle
from hypothesis import strategies as st
from strategies import hierarchies, picks, root_of, shuffles

EXTRACTS = ("sc", "csc", "uc", "cuc", "ds", "cds")
BLOCKS = (  # (over, estimate, average): all that are defined
    ("common", "zero", "macro"),
    ("common", "optimistic", "macro"),
    ("common", "zero", "micro"),
    ("common", "optimistic", "micro"),
    ("learned", "zero", "macro"),
    ("learned", "optimistic", "macro"),
    ("novel", "optimistic", "macro"),
)
ONE, ZERO = Fraction(1), Fraction(0)

Concept = tuple[str, str]
Values = dict[str, Fraction]  # by the name on the side that is averaged


@dataclass
class Side:
    """One ontology: who is above whom, and who is directly below whom."""

    twin: oracle.Twin
    key: dict[str, Concept]  # of each name

    @cached_property
    def concepts(self) -> set[Concept]:
        return {self.key[name] for name in self.twin.concepts}

    @cached_property
    def above(self) -> dict[Concept, set[Concept]]:
        return {self.key[low]: {self.key[high] for high in highs} for low, highs in self.twin.below.items()}

    @cached_property
    def beneath(self) -> dict[Concept, set[Concept]]:
        return {c: {low for low in self.concepts if c in self.above[low]} for c in self.concepts}

    @cached_property
    def children(self) -> dict[Concept, set[Concept]]:
        ends = [(self.key[low], self.key[high]) for low, high in self.twin.edges]
        return {c: {low for low, high in ends if high == c} for c in self.concepts}

    @cached_property
    def given(self) -> set[tuple[Concept, Concept]]:
        return {(self.key[low], self.key[high]) for low, high in self.twin.given}

    @cached_property
    def closed(self) -> set[tuple[Concept, Concept]]:
        """(concept, strict superconcept) by the given edges alone."""
        pairs = {(x, y) for x in self.twin.concepts for y in oracle.reachable(self.twin.given, x) if x != y}
        return {(self.key[low], self.key[high]) for low, high in pairs}

    def extract(self, kind: str, c: Concept, common: set[Concept]) -> set[Concept]:
        """ce(c) by its name."""
        whole = {
            "sc": self.above[c] | self.beneath[c] | {c},
            "csc": self.above[c] | self.beneath[c],
            "uc": self.above[c] | {c},
            "cuc": self.above[c],
            "ds": self.children[c],
            "cds": self.children[c],
        }[kind]
        return whole & common if kind.startswith("c") else whole


@dataclass
class Pair:
    """Learned and gold side with the same keys for common concepts."""

    learned: Side
    gold: Side

    @cached_property
    def common(self) -> set[Concept]:
        return self.learned.concepts & self.gold.concepts

    @cached_property
    def swapped(self) -> Pair:
        return Pair(self.gold, self.learned)

    def extracts(self, kind: str) -> dict[Concept, set[Concept]]:
        """Of all learned concepts."""
        return {c: self.learned.extract(kind, c, self.common) for c in self.learned.concepts}


def compared(learned: oracle.Twin, gold: oracle.Twin, mapping: Mapping[str, str]) -> Pair:
    """Two twins and who is who, learned name -> gold name; two added roots are the same, one is nobody else."""
    partners = {a: b for a, b in mapping.items() if not (learned.root_added and a == learned.root)}
    partners = {a: b for a, b in partners.items() if not (gold.root_added and b == gold.root)}
    if learned.root_added and gold.root_added:
        partners[str(learned.root)] = str(gold.root)
    keys = {name: ("gold", partners[name]) if name in partners else ("learned", name) for name in learned.concepts}
    return Pair(Side(learned, keys), Side(gold, {name: ("gold", name) for name in gold.concepts}))


# local values


def local(kind: str, mine: set[Concept], theirs: set[Concept], *, same: bool) -> Fraction:
    """The share of `mine` ("precision") or of both ("overlap"); 0/0 is 1 for the same concept if both are empty."""
    whole = mine if kind == "precision" else mine | theirs
    if whole:
        return Fraction(len(mine & theirs), len(whole))
    return ONE if same and not theirs else ZERO


def local_values(pair: Pair, kind: str, extract: str, over: str, estimate: str) -> Values:
    """The local value of each concept that is averaged over."""
    mine, theirs, common = pair.extracts(extract), pair.swapped.extracts(extract), pair.common
    values: Values = {}
    for name, c in pair.learned.key.items():
        if c in common and over != "novel":
            values[name] = local(kind, mine[c], theirs[c], same=True)
        elif c not in common and over != "common":
            best = max(local(kind, mine[c], other, same=False) for other in theirs.values())
            values[name] = best if estimate == "optimistic" else ZERO
    return values


# global values


def mean(values: Iterable[Fraction], *, empty: Fraction) -> Fraction:
    listed = list(values)
    return sum(listed, ZERO) / len(listed) if listed else empty


def share(part: int, whole: int, other: int) -> Fraction:
    """part / whole; nothing in either: 1, only in the other: 0."""
    return Fraction(part, whole) if whole else ZERO if other else ONE


def harmonic(left: Fraction, right: Fraction) -> Fraction:
    return 2 * left * right / (left + right) if left + right else ZERO


def sums(pair: Pair, extract: str) -> tuple[int, int, int]:
    """Over the common concepts: sizes of what both extracts have, of the learned and of the gold ones."""
    mine, theirs = pair.extracts(extract), pair.swapped.extracts(extract)
    return (
        sum(len(mine[c] & theirs[c]) for c in pair.common),
        sum(len(mine[c]) for c in pair.common),
        sum(len(theirs[c]) for c in pair.common),
    )


def averaged(pair: Pair, kind: str, extract: str, over: str, estimate: str, average: str) -> Fraction:
    """TP ("precision") or TO ("overlap")."""
    if average == "micro":
        both, learned, gold = sums(pair, extract)
        whole = learned if kind == "precision" else learned + gold - both
        return share(both, whole, gold) if pair.common else ZERO
    values = local_values(pair, kind, extract, over, estimate)
    return mean(values.values(), empty=ONE if over == "novel" else ZERO)


def taxonomic(pair: Pair, extract: str, over: str, estimate: str, average: str) -> dict[str, Fraction]:
    """TP, TR, TF, TFprime, TO of one block."""
    block = (extract, over, estimate, average)
    precision = averaged(pair, "precision", *block)
    recall = averaged(pair.swapped, "precision", *block)
    both = harmonic(precision, recall)
    return {
        "TP": precision,
        "TR": recall,
        "TF": both,
        "TFprime": harmonic(lexical(pair)["LR"], both),
        "TO": averaged(pair, "overlap", *block),
    }


def lexical(pair: Pair) -> dict[str, Fraction]:
    precision = Fraction(len(pair.common), len(pair.learned.concepts))
    recall = Fraction(len(pair.common), len(pair.gold.concepts))
    return {"LP": precision, "LR": recall, "LF": harmonic(precision, recall)}


def set_scores(learned: set[Any], gold: set[Any]) -> tuple[Fraction, Fraction, Fraction]:
    """Precision, recall and F of sets; both empty: 1, one empty: 0."""
    precision = share(len(learned & gold), len(learned), len(gold))
    recall = share(len(learned & gold), len(gold), len(learned))
    return precision, recall, harmonic(precision, recall)


# strings


def edit_distance(a: str, b: str) -> int:
    """Levenshtein, a row at a time."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
    return row[-1]


def string_matching(a: str, b: str) -> Fraction:
    shorter = min(len(a), len(b))
    if not shorter:
        return ONE if a == b else ZERO
    return max(ZERO, Fraction(shorter - edit_distance(a, b), shorter))


def average_string_matching(ours: Iterable[str], theirs: Iterable[str]) -> Fraction:
    """SM(L1, L2) of two sets of labels, the first not empty."""
    others = set(theirs)
    best = [max((string_matching(a, b) for b in others), default=ZERO) for a in set(ours)]
    return mean(best, empty=ZERO)


# random pairs


@dataclass
class Case:
    """Keyword arguments for two ontologies, and who is who by name."""

    learned: dict[str, Any]
    gold: dict[str, Any]
    mapping: dict[str, str]

    def pairs(self, *_: Any) -> list[tuple[str, str]]:
        """The mapping as a matching function gives it."""
        return list(self.mapping.items())

    @property
    def twins(self) -> tuple[oracle.Twin, oracle.Twin]:
        return oracle.twin(**self.learned), oracle.twin(**self.gold)

    @property
    def pair(self) -> Pair:
        return compared(*self.twins, self.mapping)

    @property
    def swapped(self) -> Case:
        return Case(self.gold, self.learned, {b: a for a, b in self.mapping.items()})


def named(made: Mapping[str, Any]) -> list[str]:
    """The concepts of the arguments, sorted, an added root left out."""
    found = oracle.twin(**{key: value for key, value in made.items() if key != "relations"})
    return sorted(found.concepts - ({found.root} if found.root_added else set()))


def one_to_one(learned: Sequence[str], gold: Sequence[str], count: int, random: Random) -> dict[str, str]:
    """A random partial matching of at most `count` pairs."""
    size = min(count, len(learned), len(gold))
    return dict(zip(random.sample(learned, size), random.sample(gold, size), strict=True))


def _case(
    mine: tuple[list[Any], list[str]],
    theirs: tuple[list[Any], list[str]],
    roots: tuple[int, int],
    kind: int,
    random: Random,
) -> Case:
    """By name, by any partial matching, or an ontology against itself with some edges turned, dropped or added."""
    if kind == 2:
        edges = [edge if chance < 0.8 else edge[::-1] for edge in mine[0] if (chance := random.random()) > 0.1]
        theirs = (edges + random.sample(theirs[0], min(2, len(theirs[0]))), mine[1])
    sides = []
    for (edges, concepts), pick in zip((mine, theirs), roots, strict=True):
        made: dict[str, Any] = {"edges": edges, "concepts": concepts}
        sides.append({**made, "root": root_of(made, pick)})
    ours, others = named(sides[0]), named(sides[1])
    mapping = {name: name for name in ours if name in others}
    if kind == 1:
        mapping = one_to_one(ours, others, random.choice([0, 1, 2, 4, 6, 12]), random)
    return Case(sides[0], sides[1], mapping)


def cases() -> st.SearchStrategy[Case]:
    """Pairs of hierarchies below every kind of root, and every kind of matching."""
    return st.builds(_case, hierarchies(), hierarchies(), st.tuples(picks(), picks()), st.integers(0, 2), shuffles())
