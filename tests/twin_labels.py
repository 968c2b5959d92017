"""Label sets and rankings again with Python sets and loops, straight from the definitions: slow and obvious.

Labels are names of concepts; what `known` does not have is unknown. `sim(true, assigned)` is asked for known ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import nan
from typing import Any

import numpy as np
from twin_concepts import Concepts

Sim = Callable[[str, str], float]


class Document:
    """The assigned and the true labels of one document."""

    def __init__(self, assigned: Iterable[str], true: Iterable[str], known: Iterable[str], sim: Sim) -> None:
        self.s, self.g, self.known = set(assigned), set(true), set(known)
        self._sim = sim

    def sim(self, g: str, f: str) -> float:
        if g not in self.known or f not in self.known:
            return 0.0
        return 1.0 if g == f else self._sim(g, f)

    @cached_property
    def t(self) -> set[str]:
        return self.s & self.g & self.known

    # relatedness of sets

    def set_values(self, pairing: str) -> dict[str, tuple[float, float]]:
        """Numerators and denominators of SetP, SetR and SetRel."""
        first = sum(max((self.sim(e, c) for e in self.g), default=0.0) for c in self.s)
        second = sum(max((self.sim(e, c) for c in self.s), default=0.0) for e in self.g)
        if pairing == "one-to-one":
            first = second = self.one_to_one()
        return {
            "SetP": (first, len(self.s)),
            "SetR": (second, len(self.g)),
            "SetRel": (first + second, len(self.s) + len(self.g)),
        }

    def one_to_one(self) -> float:
        few, many = sorted((sorted(self.s), sorted(self.g)), key=len)
        swap = few == sorted(self.g)
        return max(
            sum(self.sim(a, b) if swap else self.sim(b, a) for a, b in zip(few, chosen, strict=True))
            for chosen in permutations(many, len(few))
        )

    def share(self, part: float, whole: float) -> float:
        if not self.s and not self.g:
            return 1.0
        return part / whole if whole and self.s and self.g else 0.0

    # near misses

    def precision(self, credit: str, assigned: set[str] | None = None) -> float:
        """What the assigned labels earn."""
        s = self.s if assigned is None else assigned
        return self.earned(s, self.g, credit, self.sim)

    def recall(self, credit: str) -> float:
        return self.earned(self.g, self.s, credit, lambda f, g: self.sim(g, f))

    def earned(self, s: set[str], g: set[str], credit: str, sim: Sim) -> float:
        """The numerator of eq. 4 or 5; sim(term that picks, label that earns)."""
        t = s & g & self.known
        if credit == "binary":
            return len(t)
        if credit == "high":
            return sum(max((sim(term, f) for term in g), default=0.0) for f in s)
        wrong = sorted(s - t)
        picked: dict[str, list[float]] = {f: [] for f in wrong}
        for term in g - t:
            if wrong:
                best = max(round(10**6 * sim(term, f)) for f in wrong)
                chosen = next(f for f in wrong if round(10**6 * sim(term, f)) == best)
                picked[chosen].append(sim(term, chosen))
        return sum(max(those, default=0.0) for those in picked.values()) + len(t)


def harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


def averaged(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0


def pooled(pairs: Sequence[tuple[float, float]], empty: float) -> float:
    whole = sum(whole for _, whole in pairs)
    return sum(part for part, _ in pairs) / whole if whole else empty


def set_measures(documents: Sequence[Document], pairing: str, average: str) -> dict[str, float]:
    """SetP, SetR, SetF, SetRel and the mean of both halves."""
    values = [document.set_values(pairing) for document in documents]
    local = [
        {name: document.share(*value) for name, value in own.items()}
        for document, own in zip(documents, values, strict=True)
    ]
    if average == "macro":
        found = {name: averaged([own[name] for own in local]) for name in ("SetP", "SetR", "SetRel")}
        found["SetF"] = averaged([harmonic(own["SetP"], own["SetR"]) for own in local])
        found["middle"] = averaged([(own["SetP"] + own["SetR"]) / 2 for own in local])
        return found
    empty = float(not any(document.s or document.g for document in documents))
    found = {name: pooled([own[name] for own in values], empty) for name in ("SetP", "SetR", "SetRel")}
    found["SetF"] = harmonic(found["SetP"], found["SetR"])
    found["middle"] = (found["SetP"] + found["SetR"]) / 2
    return found


def label_measures(documents: Sequence[Document], credit: str) -> dict[str, float]:
    p = [document.share(document.precision(credit), len(document.s)) for document in documents]
    r = [document.share(document.recall(credit), len(document.g)) for document in documents]
    f = [harmonic(a, b) for a, b in zip(p, r, strict=True)]
    return {"LabelP": averaged(p), "LabelR": averaged(r), "LabelF": averaged(f)}


# ancestors


def augmented(labels: set[str], side: str, o: Concepts, root: str) -> set[Any]:
    found: set[Any] = set()
    for label in labels:
        found |= o.above[label] if label in o.given else {(side, label)}
    return found - ({o.root} if root == "out" and o.root is not None else set())


def hierarchical(documents: Sequence[Document], o: Concepts, root: str, average: str) -> dict[str, float]:
    sets = [(augmented(d.s, "s", o, root), augmented(d.g, "g", o, root)) for d in documents]
    if average == "micro":
        empty = float(not any(a or b for a, b in sets))
        p = pooled([(len(a & b), len(a)) for a, b in sets], empty)
        r = pooled([(len(a & b), len(b)) for a, b in sets], empty)
        return {"hP": p, "hR": r, "hF": harmonic(p, r)}
    p_each = [1.0 if not a | b else len(a & b) / len(a) if a else 0.0 for a, b in sets]
    r_each = [1.0 if not a | b else len(a & b) / len(b) if b else 0.0 for a, b in sets]
    f_each = [harmonic(p, r) for p, r in zip(p_each, r_each, strict=True)]
    return {"hP": averaged(p_each), "hR": averaged(r_each), "hF": averaged(f_each)}


def set_gic(documents: Sequence[Document], o: Concepts, average: str, **kind: Any) -> float:
    each, most = o.contents(kind.get("ic", "seco"), kind.get("smoothing", "none"), kind.get("leaf_itself", False))
    parts, values = [], []
    for document in documents:
        a, b = (augmented(labels, side, o, "in") for labels, side in ((document.s, "s"), (document.g, "g")))

        def content(elements: set[Any]) -> float:
            return sum(each[m] if isinstance(m, str) else most for m in elements)

        common, union = content(a & b), content(a | b)
        parts.append((common, union))
        values.append(common / union if union > 1e-12 else float(a == b))
    if average == "macro":
        return averaged(values)
    whole = sum(union for _, union in parts if union > 1e-12)
    return sum(common for common, _ in parts) / whole if whole else min(values, default=1.0)


# nearest common ancestors


def ways_up(o: Concepts, low: str, high: str) -> list[list[str]]:
    """Every way from a part up to another, both included."""
    if low == high:
        return [[low]]
    return [[low, *way] for parent in o.parents[low] if high in o.above[parent] for way in ways_up(o, parent, high)]


def joined(document: Document, o: Concepts) -> tuple[set[Any], set[Any]]:
    """A and B of LCAP: the labels of both sides, and their ways up to the nearest common ancestors."""

    def by_name(part: str) -> tuple[bool, str]:
        return part == o.added, part  # an added root has no name and comes last

    def shortest(low: str, high: str) -> list[str]:
        return min(ways_up(o, low, high), key=lambda way: (len(way), [by_name(part) for part in way]))

    sides = [[name for name in sorted(names) if name in o.given] for names in (document.s, document.g)]
    found: tuple[set[Any], set[Any]] = set(), set()
    for own, names, side in zip(found, (document.s, document.g), "sg", strict=True):
        own |= {o.part[name] if name in o.given else (side, name) for name in names}
    for own, other in ((0, 1), (1, 0)):
        for label in sides[own]:
            low = o.part[label]
            choices = [
                (len(shortest(low, m)) + len(shortest(o.part[name], m)), -o.depth(m), by_name(m), name)
                for name in sides[other]
                for m in {o.part[above] for above in o.above[label] & o.above[name]}
            ]
            if choices:
                *_, (_, m), name = min(choices)
                found[own].update(shortest(low, m))
                found[other].update(shortest(o.part[name], m))
    return found


def nearest_ancestors(documents: Sequence[Document], o: Concepts) -> dict[str, list[float]]:
    """The values of every document."""
    values: dict[str, list[float]] = {"LCAP": [], "LCAR": [], "LCAF": []}
    for document in documents:
        a, b = joined(document, o)
        p = len(a & b) / len(a) if a else float(not b)
        r = len(a & b) / len(b) if b else float(not a)
        for name, value in zip(values, (p, r, harmonic(p, r)), strict=True):
            values[name].append(value)
    return values


# rankings


class Ranking:
    """A document whose assigned labels have scores: [(label, score or None), ...]."""

    def __init__(self, scored: Sequence[tuple[str, float | None]], document: Document, ties: str, depth: int) -> None:
        self.document = document

        def score(value: float | None) -> float:
            if value is None:
                return -float("inf")
            return float(np.float32(value)) if ties == "trec_eval" else value

        names = sorted(scored, key=lambda pair: pair[0], reverse=ties == "trec_eval")
        names.sort(key=lambda pair: -score(pair[1]))
        self.labels = list(dict.fromkeys(name for name, _ in names))[:depth]

    def precision_at(self, k: int, credit: str) -> float:
        return self.document.precision(credit, set(self.labels[:k])) / k

    def hit(self, label: str) -> bool:
        return label in self.document.g and label in self.document.known

    def average_precision(self, credit: str) -> float:
        ranks = [k for k, label in enumerate(self.labels, 1) if self.hit(label)]
        return sum(self.precision_at(k, credit) for k in ranks) / len(self.document.g)

    def r_precision(self, credit: str) -> float:
        return self.precision_at(len(self.document.g), credit)

    def at_levels(self, levels: Sequence[Fraction], credit: str) -> float:
        total = 0.0
        for level in levels:
            hits, best = 0, 0.0
            for k, label in enumerate(self.labels, 1):
                hits += self.hit(label)
                if hits >= level * len(self.document.g):
                    best = max(best, self.precision_at(k, credit))
            total += best
        return total / len(levels)


def kendall(left: Sequence[float], right: Sequence[float]) -> float:
    """Tau-b over all twos."""
    p = q = only_left = only_right = 0
    for i in range(len(left)):
        for j in range(i):
            a, b = (round(side[i], 12) - round(side[j], 12) for side in (left, right))
            p += a * b > 0
            q += a * b < 0
            only_left += a != 0 and b == 0
            only_right += a == 0 and b != 0
    spread = (p + q + only_left) * (p + q + only_right)
    return (p - q) / spread**0.5 if spread else nan
