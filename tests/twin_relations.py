"""Relations of two ontologies compared again in plain sets, straight from the definitions: slow and obvious.

A triple is the set of all its readings: (s, p, o), and whatever follows from symmetric and inverse properties. Two
triples are the same if they have the same readings. Names are tagged: ("both", gold name) is known on both sides,
("learned", name) and ("gold", name) on one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

RELATED = "http://www.w3.org/2004/02/skos/core#related"
SYNONYM = "http://www.w3.org/2004/02/skos/core#exactMatch"
DOMAIN = "http://www.w3.org/2000/01/rdf-schema#domain"
RANGE = "http://www.w3.org/2000/01/rdf-schema#range"

Tagged = tuple[str, str, str]  # kind of thing, side, name
Reading = tuple[Tagged, Tagged, Tagged]
Triple = frozenset[Reading]
Similarity = Callable[[str, str], float]  # of two gold concepts or individuals, the first of the learned side
COMMON_PROPERTIES = {"p": "p", "q": "q", "r": "r", "http://l.org/x": "http://g.org/x"}  # the last by its label
LEARNED_PROPERTIES = (*COMMON_PROPERTIES, "t")
GOLD_PROPERTIES = (*COMMON_PROPERTIES.values(), "u")
INDIVIDUALS = ("i1", "i2", "i3", "i4")
NOWHERE = "i5"  # in owl:sameAs alone


@dataclass
class RelationSide:
    """What one ontology says besides its hierarchy."""

    concepts: set[str]  # without an added root
    relations: list[tuple[str, str, str]] = field(default_factory=list)
    related: list[tuple[str, str]] = field(default_factory=list)
    synonyms: list[tuple[str, str]] = field(default_factory=list)
    symmetric: list[str] = field(default_factory=list)
    inverse: list[tuple[str, str]] = field(default_factory=list)
    types: dict[str, set[str]] = field(default_factory=dict)  # individual -> its classes
    same: list[tuple[str, str]] = field(default_factory=list)  # owl:sameAs

    @property
    def arguments(self) -> dict[str, Any]:
        """Of Ontology.from_edges."""
        return {
            "relations": self.relations, "related": self.related, "synonyms": self.synonyms,
            "symmetric": self.symmetric, "inverse": self.inverse, "instances": self.types,
        }  # fmt: skip

    @property
    def statements(self) -> list[tuple[str, str, str]]:
        """All triples; links of a concept to itself say nothing."""
        links = [(a, RELATED, b) for a, b in self.related if a != b] + [
            (a, SYNONYM, b) for a, b in self.synonyms if a != b
        ]
        return [*self.relations, *links]

    @property
    def properties(self) -> set[str]:
        used = {p for _, p, _ in self.relations} | {s for s, p, _ in self.relations if p in (DOMAIN, RANGE)}
        return used | set(self.symmetric) | {p for pair in self.inverse for p in pair} | {RELATED, SYNONYM}

    @property
    def known_individuals(self) -> set[str]:
        ends = {o for _, _, o in self.relations} | {s for s, p, _ in self.relations if p not in (DOMAIN, RANGE)}
        return (ends | set(self.types)) - self.concepts


@dataclass
class RelationPair:
    """Two sides, and which concepts are the same."""

    learned: RelationSide
    gold: RelationSide
    mapping: Mapping[str, str]

    def tag_property(self, side: str, name: str) -> Tagged:
        same = {RELATED: RELATED, SYNONYM: SYNONYM, DOMAIN: DOMAIN, RANGE: RANGE, **COMMON_PROPERTIES}
        same = {a: b for a, b in same.items() if a in self.learned.properties and b in self.gold.properties}
        partners = same if side == "learned" else {b: b for b in same.values()}
        return ("property", "both", partners[name]) if name in partners else ("property", side, name)

    def tag_end(self, side: str, name: str) -> Tagged:
        here = self.learned if side == "learned" else self.gold
        if name in here.concepts:
            partners = self.mapping if side == "learned" else {b: b for b in self.mapping.values()}
            return ("concept", "both", partners[name]) if name in partners else ("concept", side, name)
        iris = self.joined(name)
        shared = iris & self.learned.known_individuals and iris & self.gold.known_individuals
        return ("individual", "both" if shared else side, min(iris))

    def joined(self, name: str) -> set[str]:
        """All names that owl:sameAs joins with one, on either side."""
        found = {name}
        while True:
            more = {end for pair in (*self.learned.same, *self.gold.same) if found & set(pair) for end in pair} - found
            if not more:
                return found
            found |= more

    @cached_property
    def told(self) -> dict[str, set[str]]:
        """The gold classes of the individuals that have one."""
        found: dict[str, set[str]] = {}
        for name, classes in self.gold.types.items():
            found.setdefault(min(self.joined(name)), set()).update(classes)
        return found

    @cached_property
    def rules(self) -> list[tuple[Tagged, Tagged]]:
        """(p, q): x p y means y q x."""
        found = []
        for name, side in (("learned", self.learned), ("gold", self.gold)):
            found += [
                (self.tag_property(name, p), self.tag_property(name, p)) for p in (*side.symmetric, RELATED, SYNONYM)
            ]
            for p, q in side.inverse:
                found += [(self.tag_property(name, p), self.tag_property(name, q))]
                found += [(self.tag_property(name, q), self.tag_property(name, p))]
        return found

    def triple(self, side: str, statement: tuple[str, str, str]) -> Triple:
        s, p, o = statement
        subject = self.tag_property(side, s) if p in (DOMAIN, RANGE) else self.tag_end(side, s)
        readings = {(subject, self.tag_property(side, p), self.tag_end(side, o))}
        while True:
            more = {(b, q, a) for a, p, b in readings for left, q in self.rules if left == p} - readings
            if not more:
                return frozenset(readings)
            readings |= more

    def triples(self, side: str, over: str, kind: str) -> dict[Triple, set[str]]:
        """Each triple that counts, with the concepts of its side that take part in it."""
        here = self.learned if side == "learned" else self.gold
        found: dict[Triple, set[str]] = {}
        for statement in here.statements:
            triple = self.triple(side, statement)
            if self.of_kind(triple, kind) and (over == "all" or self.is_common(triple)):
                s, p, o = statement
                ends = {o} if p in (DOMAIN, RANGE) else {s, o}
                found.setdefault(triple, set()).update(ends & here.concepts)
        return found

    def group(self, triple: Triple) -> frozenset[Tagged]:
        """The properties of a triple, and those that are joined with them."""
        found = {p for _, p, _ in triple}
        while True:
            more = {q for p, q in self.rules if p in found} - found
            if not more:
                return frozenset(found)
            found |= more

    def is_common(self, triple: Triple) -> bool:
        ends = {end for s, _, o in triple for end in (s, o)}
        return all(side == "both" for _, side, _ in ends) and any(side == "both" for _, side, _ in self.group(triple))

    def of_kind(self, triple: Triple, kind: str) -> bool:
        names = {name for _, _, name in self.group(triple)}
        return kind == "all" or {"related": RELATED, "synonym": SYNONYM}.get(kind, kind) in names

    def weight(self, one: Triple, other: Triple, similarity: Similarity) -> float:
        """The best product over readings by the same property."""

        def placed(end: Tagged) -> bool:
            return end[0] == "concept" or (end[0] == "individual" and end[2] in self.told)

        def of_ends(a: Tagged, b: Tagged) -> float:
            in_gold = a[1] == "both" and placed(a) and placed(b)
            return similarity(a[2], b[2]) if in_gold else float(a == b)

        products = [of_ends(a, c) * of_ends(b, d) for a, p, b in one for c, q, d in other if p == q]
        return max(products, default=0.0)

    def total(self, learned: Iterable[Triple], gold: Iterable[Triple], similarity: Similarity) -> float:
        """The greatest sum over one-to-one pairings."""
        rows, columns = list(learned), tuple(gold)

        def best(place: int, free: tuple[Triple, ...]) -> float:
            if place == len(rows):
                return 0.0
            values = [best(place + 1, free)]
            for other in free:
                weight = self.weight(rows[place], other, similarity)
                if weight > 0:
                    values.append(weight + best(place + 1, tuple(t for t in free if t != other)))
            return max(values)

        return best(0, columns)


def share(part: float, whole: int, other: int) -> float | None:
    """None where it is undefined: of `whole` and `other`, the triples of both sides that count, there are none."""
    return part / whole if whole else 0.0 if other else None


def scores(pair: RelationPair, over: str, kind: str, similarity: Similarity | None = None) -> dict[str, float | None]:
    learned, gold = (set(pair.triples(side, over, kind)) for side in ("learned", "gold"))
    credit = float(len(learned & gold)) if similarity is None else pair.total(learned, gold, similarity)
    precision, recall = share(credit, len(learned), len(gold)), share(credit, len(gold), len(learned))
    f = None
    if precision is not None and recall is not None:
        f = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"RelP": precision, "RelR": recall, "RelF": f}


def local_scores(pair: RelationPair, side: str, over: str, kind: str) -> dict[str, float]:
    """Of each concept that takes part in a triple."""
    mine = pair.triples(side, over, kind)
    theirs = set(pair.triples("gold" if side == "learned" else "learned", over, kind))
    parts: dict[str, list[float]] = {}
    for triple, concepts in mine.items():
        for concept in concepts:
            parts.setdefault(concept, []).append(float(triple in theirs))
    return {concept: sum(values) / len(values) for concept, values in parts.items()}


# random relations


def random_side(concepts: list[str], properties: tuple[str, ...], random: Random, most: int) -> RelationSide:
    """Relations among concepts, individuals and properties; some are stated twice, some have no direction."""
    pool = [*concepts, *concepts, *INDIVIDUALS]
    relations = []
    for _ in range(random.randint(0, most)):
        if random.random() < 0.2:
            relations.append((random.choice(properties), random.choice((DOMAIN, RANGE)), random.choice(concepts)))
        else:
            relations.append((random.choice(pool), random.choice(properties), random.choice(pool)))
    links = [
        [(random.choice(concepts), random.choice(concepts)) for _ in range(random.randint(0, most // 3))] for _ in "ab"
    ]
    typed = random.sample(INDIVIDUALS, random.randint(0, len(INDIVIDUALS)))
    return RelationSide(
        set(concepts),
        relations + random.sample(relations, len(relations) // 3),
        links[0] + [(b, a) for a, b in links[0][:1]],
        links[1],
        random.sample(properties, random.choice((0, 0, 1))),
        [(random.choice(properties), random.choice(properties)) for _ in range(random.choice((0, 1, 1, 2)))],
        {name: {random.choice(concepts) for _ in range(random.randint(1, 3))} for name in typed},
        [(random.choice(INDIVIDUALS), random.choice((*INDIVIDUALS, NOWHERE))) for _ in range(random.choice((0, 1, 2)))],
    )  # fmt: skip
