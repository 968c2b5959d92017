"""Individuals against individuals and classes again, with sets and listed paths, from section 6 of the specification.

What concerns classes alone (chains, branching, information content, path lengths) is that of `twin_concepts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import inf, log, nan
from typing import Any

from twin_concepts import Concepts, NoContentError, Path, shortest_ways


class Population:
    """The classes of one ontology, and individuals with the classes they were told to have."""

    def __init__(self, classes: Concepts, told: Mapping[str, Iterable[str]]) -> None:
        self.o = classes
        self.types = {who: self.lowest(set(where)) for who, where in told.items() if set(where)}

    def lowest(self, told: set[str]) -> set[str]:
        """T(i): without each class that is an ancestor of another one, unless they are on a cycle."""
        above = self.o.above
        return {t for t in told if not any(t in above[u] and u not in above[t] for u in told)}

    def __call__(self, measure: str, left: str, right: str) -> float:
        name, given = re.fullmatch(r"(\w+)(?:\((.*)\))?", measure).groups()  # type: ignore[union-attr]
        options = dict(re.split(r"\s*=\s*", pair) for pair in re.split(r"\s*,\s*", given)) if given else {}
        read = {key: {"true": True, "false": False}.get(value, value) for key, value in options.items()}
        return float(MEASURES[name](self, left, right, **read))

    def alike(self, a: str, b: str) -> bool:
        """One individual, or two classes of one cycle."""
        if a in self.types or b in self.types:
            return a == b
        return self.o.part[a] == self.o.part[b]

    def node(self, name: str) -> str:
        """What a name is where every cycle is one class; individuals are called so that no class is called like one."""
        return f"\ufffd{name}" if name in self.types else self.o.part[name]

    def parts(self, who: str) -> set[str]:
        return {self.o.part[t] for t in self.types[who]}

    def root_paths(self, name: str) -> list[Path]:
        if name not in self.types:
            return self.o.root_paths[self.o.part[name]]
        return [(*path, self.node(name)) for t in self.parts(name) for path in self.o.root_paths[t]]

    def up(self, name: str, *, direct: bool = False) -> dict[str, int]:
        """The fewest edges up to each node above, and to itself."""
        ups = self.o.direct_ups if direct else self.o.ups
        if name not in self.types:
            return ups[self.o.part[name]]
        found = {self.node(name): 0}
        for t in self.parts(name):
            for m, steps in ups[t].items():
                found[m] = min(steps + 1, found.get(m, steps + 1))
        return found

    def above(self, name: str) -> set[str]:
        """All ancestors by name, itself included."""
        if name not in self.types:
            return set(self.o.above[name])
        return {self.node(name)}.union(*(self.o.above[t] for t in self.types[name]))

    def n(self, name: str, last_class: str | None) -> Fraction:
        """n(c); of an individual that of its class on the path, and one more."""
        return self.o.n[last_class] + 1 if name in self.types else self.o.n[self.o.part[name]]  # type: ignore[index]


def balanced(p: Population, m: str, cp: int, ends: Iterable[tuple[str, Path]]) -> Fraction:
    """BDM of what lies below M on both paths: (name of the end, nodes strictly between M and it, from M down)."""
    ends = list(ends)
    widths = [len(p.o.children[c]) for c in (m, *(c for _, between in ends for c in between)) if p.o.children[c]]
    branching = Fraction(sum(widths), len(widths)) / p.o.avg if widths else Fraction(1)
    if not cp:
        return Fraction(0)
    x = branching * cp / p.o.n0
    way = Fraction(0)
    for name, between in ends:
        if p.node(name) != m:
            way += (len(between) + 1) / p.n(name, between[-1] if between else m)
    return x / (x + way)


def bdm(p: Population, left: str, right: str, msca: str = "best") -> Fraction:
    if p.alike(left, right):
        return Fraction(1)
    if msca == "deepest":
        return deepest_bdm(p, left, right)
    best = Fraction(0)
    for a in p.root_paths(left):
        for b in p.root_paths(right):
            shared = 0
            while shared < min(len(a), len(b)) and a[shared] == b[shared]:
                shared += 1
            if shared:
                ends = ((left, a[shared:-1]), (right, b[shared:-1]))
                best = max(best, balanced(p, a[shared - 1], shared - 1, ends))
    return best


def deepest_bdm(p: Population, left: str, right: str) -> Fraction:
    a, b = p.up(left, direct=True), p.up(right, direct=True)
    common = a.keys() & b.keys()
    if not common:
        return Fraction(0)
    m = min(common, key=lambda m: (-p.o.depth(m, direct=True), a[m] + b[m], m))
    return balanced(p, m, p.o.depth(m, direct=True), [(end, min(shortest(p, m, end))) for end in (left, right)])


def shortest(p: Population, m: str, name: str) -> Iterator[Path]:
    """What lies strictly between, on each of the shortest ways over direct links."""
    if name not in p.types:
        yield from shortest_ways(p.o, m, p.o.part[name])
        return
    steps = p.up(name, direct=True)[m]
    for t in p.parts(name):
        if p.o.direct_ups[t].get(m, inf) == steps - 1:
            for way in shortest_ways(p.o, m, t):
                yield () if t == m else (*way, t)


def la(p: Population, left: str, right: str, root_prediction: str = "0") -> Fraction:
    if p.alike(left, right):
        return Fraction(1)
    a, b = p.up(left, direct=True), p.up(right, direct=True)
    common = a.keys() & b.keys()
    if not common:
        return Fraction(0)
    m = min(common, key=lambda m: (-p.o.depth(m, direct=True), a[m], m))
    cp, dp = p.o.depth(m, direct=True), a[m]
    return Fraction(cp, cp + 2 * dp) if cp + dp else Fraction(root_prediction)


def wp(p: Population, left: str, right: str) -> Fraction:
    if p.alike(left, right):
        return Fraction(1)
    a, b = p.up(left), p.up(right)
    deep = {m: 2 * (p.o.depth(m) + 1) for m in a.keys() & b.keys()}
    return max((Fraction(deep[m], a[m] + b[m] + deep[m]) for m in deep), default=Fraction(0))


def distance(p: Population, left: str, right: str, edges: str, paths: str, root_paths: bool) -> float:
    """Over classes from a class of the one to a class of the other, and 1 for each individual at an end."""
    if left == right:
        return 0.0
    tails, heads = p.types.get(left, {left}), p.types.get(right, {right})
    ends = (left in p.types) + (right in p.types)
    if paths == "any":
        return min(p.o.distances(t, edges, root_paths).get(u, inf) for t in tails for u in heads) + ends
    found = []
    for t in tails:
        for u in heads:
            a, b = p.o.ups[p.o.part[t]], p.o.ups[p.o.part[u]]
            found += [(a[m] + b[m]) * p.o.weight + ends for m in a if m in b and (root_paths or m != p.o.added)]
    return min(found, default=inf)


def rada(p: Population, left: str, right: str, scale: str = "similarity", edges: str = "similarity",
         paths: str = "any", root_paths: bool = True) -> float:  # fmt: skip
    d = distance(p, left, right, edges, paths, root_paths)
    return d if scale == "distance" else 1 / (1 + d)


def lc(p: Population, left: str, right: str, scale: str = "unit", depth: str = "shortest", unit: str = "nodes",
       edges: str = "similarity", paths: str = "any", root_paths: bool = True) -> float:  # fmt: skip
    """D is that of the classes."""
    d = distance(p, left, right, edges, paths, root_paths)
    greatest = max(p.o.longest.values()) if depth == "longest" else max(p.o.depth(part) for part in p.o.parents)
    greatest += unit == "nodes"
    if not greatest:
        return nan if scale == "raw" else float(d == 0)
    raw = -log((d + 1) / (2 * greatest)) if d < inf else -inf
    return raw if scale == "raw" else max(0.0, raw) / log(2 * greatest)


def contents(p: Population, ic: str, smoothing: str, leaf_itself: bool) -> tuple[dict[str, float], float]:
    """The information content of classes and individuals, these by `node`; and icmax."""
    each, most = p.o.contents(ic, smoothing, leaf_itself)
    each = dict(each)
    deepest = max(p.o.longest.values()) + 1
    for who, types in p.types.items():
        known = [each[t] for t in types if t in each]
        if ic == "seco" or (ic == "zhou" and deepest == 1):
            each[p.node(who)] = 1.0
        elif ic == "zhou":
            deep = max(p.o.longest[p.o.part[t]] for t in types) + 2
            each[p.node(who)] = 0.5 + 0.5 * log(min(deep, deepest)) / log(deepest)
        elif known:
            each[p.node(who)] = max(known)
    return each, most


class Pair:
    """The information contents that a pair comes with."""

    def __init__(self, p: Population, left: str, right: str, ic: str = "seco", smoothing: str = "none",
                 leaf_itself: bool = False) -> None:  # fmt: skip
        self.each, self.most = contents(p, ic, smoothing, leaf_itself)
        names = [p.node(name) if name in p.types else name for name in (left, right)]
        for name in names:
            if name not in self.each:
                raise NoContentError(name)
        self.a, self.b = (self.each[name] for name in names)
        self.both, self.any = p.above(left) & p.above(right), p.above(left) | p.above(right)
        self.mica = max((self.each[m] for m in self.both), default=0.0)
        self.mutual = p.alike(left, right)


def resnik(p: Population, left: str, right: str, scale: str = "unit", **kind: Any) -> float:
    c = Pair(p, left, right, **kind)
    if scale == "raw":
        return c.mica
    return c.mica / c.most if c.most else float(c.mutual)


def lin(p: Population, left: str, right: str, **kind: Any) -> float:
    c = Pair(p, left, right, **kind)
    return 2 * c.mica / (c.a + c.b) if c.a + c.b else float(c.mutual)


def jc(p: Population, left: str, right: str, scale: str = "similarity", **kind: Any) -> float:
    c = Pair(p, left, right, **kind)
    far = c.a + c.b - 2 * c.mica
    if scale == "distance":
        return far
    return 1 - far / (2 * c.most) if c.most else 1.0


def simgic(p: Population, left: str, right: str, **kind: Any) -> float:
    c = Pair(p, left, right, **kind)
    union = sum(c.each[m] for m in c.any)
    return sum(c.each[m] for m in c.both) / union if union else float(p.above(left) == p.above(right))


MEASURES: dict[str, Callable[..., float | Fraction]] = {
    "BDM": bdm,
    "LA": la,
    "Flat": lambda p, left, right: float(left == right),
    "Rada": rada,
    "LC": lc,
    "WP": wp,
    "Resnik": resnik,
    "Lin": lin,
    "JC": jc,
    "simGIC": simgic,
}
