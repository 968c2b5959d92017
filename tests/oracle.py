"""Hierarchies again in plain sets and dictionaries, straight from the definitions: slow and obvious."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from typing import Any

DEFAULT_WEIGHTS = {"hierarchical": 1.0, "related": 1.0, "synonym": 0.0}


@dataclass
class Twin:
    """N, the edges and the root of one ontology, by name."""

    concepts: set[str]  # an added root included
    given: dict[tuple[str, str], float]  # (child, parent) -> weight, self-edges apart
    self_edges: set[str]
    root: str | None
    root_added: bool
    attached: set[str]
    edges: dict[tuple[str, str], float]  # given ones and those to the root (C4)
    related: dict[tuple[str, str], float]  # both ways
    synonyms: dict[tuple[str, str], float]

    @property
    def below(self) -> dict[str, set[str]]:
        """Strict ancestors: y is in below[x] iff y is reachable from x over >= 1 edge and x != y (C3)."""
        return {x: reachable(self.edges, x) - {x} for x in self.concepts}

    def cycle_of(self, x: str) -> set[str]:
        """X and all that are below it and above it."""
        return mutual(self.edges, x)

    @property
    def cycles(self) -> set[frozenset[str]]:
        """Every cycle of two or more, and every concept with a self-edge alone."""
        longer = {frozenset(self.cycle_of(x)) for x in self.concepts}
        return {c for c in longer if len(c) > 1} | {frozenset([x]) for x in self.self_edges}

    @property
    def depth(self) -> dict[str, int]:
        """Fewest edges from the root (without one: from the nearest top), each cycle taken as one node."""
        start = {self.root} if self.root is not None else tops(self.concepts, self.edges)
        known: dict[str, int] = {}
        front, step = {y for x in start for y in self.cycle_of(x)}, 0
        while front:
            known.update(dict.fromkeys(front, step))
            children = {x for x, y in self.edges if y in front and x not in known}
            front, step = {y for x in children for y in self.cycle_of(x)} - set(known), step + 1
        return known

    def shortest_loop(self, x: str) -> int:
        """The fewest edges, self-edges apart, from x upwards and back to x."""
        front, step = {x}, 0
        while True:
            front, step = {b for a, b in self.edges if a in front}, step + 1
            if x in front:
                return step

    def statistics(self) -> dict[str, Any]:
        """Table 9 of Dellschaft & Staab 2006, and the shape of the given edges."""
        everything = [*self.edges, *((x, x) for x in self.self_edges)]
        given = [*self.given, *((x, x) for x in self.self_edges)]
        file = self.concepts - ({self.root} if self.root_added else set())
        below = self.below
        leaves = [c for c in self.concepts if not any(p == c and x != c for x, p in everything)]
        sub = [n for n in (sum(p == c for _, p in everything) for c in self.concepts) if n]
        above = [n for n in (sum(x == c for x, _ in everything) for c in self.concepts) if n]
        several = sum(sum(x == c for x, _ in self.given) > 1 for c in file)
        return {
            "concepts": len(self.concepts),
            "root": self.root,
            "root_added": self.root_added,
            "edges": len(everything),
            "given_edges": len(given),
            "added_edges": len(self.attached),
            "self_edges": len(self.self_edges),
            "leaves": len(leaves),
            "loops": sum(c in reachable(everything, c) for c in self.concepts),
            "avg_depth": mean([len(below[c]) for c in leaves]),
            "max_depth": max(self.depth.values()),
            "avg_sub": mean(sub),
            "sub_dev": deviation(sub),
            "avg_super": mean(above),
            "super_dev": deviation(above),
            "roots": len({frozenset(mutual(self.given, t)) for t in tops(file, self.given)}),
            "intermediate": len({p for _, p in given}),
            "isolated": len(file - {x for edge in self.given for x in edge}),
            "components": len(weak_components(file, self.given)),
            "multi_parent": several,
            "multi_parent_share": several / len(file),
            "related": len(self.related) // 2,
            "synonyms": len(self.synonyms) // 2,
            "cycle_count": len(self.cycles),
        }


def twin(
    edges: Iterable[Sequence[Any]],
    *,
    concepts: Iterable[str] = (),
    root: str = "auto",
    related: Iterable[Sequence[Any]] = (),
    synonyms: Iterable[Sequence[Any]] = (),
    equivalent: Iterable[Sequence[Any]] = (),
    instances: Mapping[str, Any] | None = None,
    weights: Mapping[str, float] | None = None,
) -> Twin:
    """What the arguments of Ontology.from_edges mean."""
    chosen = {**DEFAULT_WEIGHTS, **(weights or {})}
    same = list(equivalent)
    upwards = [*edges, *same, *((b, a, *own) for a, b, *own in same)]
    beside, alike = list(related), [*synonyms, *same]
    names = {name for pair in [*upwards, *beside, *alike] for name in pair[:2]} | set(concepts)
    for where in (instances or {}).values():
        names |= {where} if isinstance(where, str) else set(where)
    if root not in ("auto", "new", "none"):
        names.add(root)
    given = lightest(upwards, chosen["hierarchical"])
    self_edges = {pair[0] for pair in upwards if pair[0] == pair[1]}
    chosen_root, added, attached = root_rule(names, given, root)
    hung = {(c, chosen_root): chosen["hierarchical"] for c in attached if chosen_root is not None}
    return Twin(
        concepts=names | ({chosen_root} if chosen_root is not None else set()),
        given=given,
        self_edges=self_edges,
        root=chosen_root,
        root_added=added,
        attached=attached,
        edges={**given, **hung},
        related=both_ways(beside, chosen["related"]),
        synonyms=both_ways(alike, chosen["synonym"]),
    )


def root_rule(names: set[str], given: Iterable[tuple[str, str]], root: str) -> tuple[str | None, bool, set[str]]:
    """(root, was it added, what was hung under it)."""
    given = list(given)
    top = tops(names, given)
    if root == "none":
        return None, False, set()
    if root == "auto" and len(top) == 1:
        return next(iter(top)), False, set()
    if root in ("auto", "new"):
        name = "(root)"
        while name in names:
            name = f"({name})"
        return name, True, top
    # C4: the members of a top-most part that does not reach the root
    return root, False, {c for c in top if c != root and root not in reachable(given, c)}


def tops(names: Iterable[str], edges: Iterable[tuple[str, str]]) -> set[str]:
    """Every member of every top: a concept, or a whole cycle, with no parent outside itself."""
    edges = list(edges)
    return {c for c in names if all(c in reachable(edges, y) for y in reachable(edges, c))}


def reachable(edges: Iterable[tuple[Any, Any]], start: Any) -> set[Any]:
    """What can be reached over >= 1 edge; `start` itself only over a cycle or a self-edge."""
    ways: dict[Any, list[Any]] = {}
    for a, b in edges:
        ways.setdefault(a, []).append(b)
    found: set[Any] = set()
    waiting = [start]
    while waiting:
        for b in ways.get(waiting.pop(), ()):
            if b not in found:
                found.add(b)
                waiting.append(b)
    return found


def mutual(edges: Iterable[tuple[Any, Any]], x: Any) -> set[Any]:
    """X and all that it reaches and that reach it."""
    edges = list(edges)
    return {x} | {y for y in reachable(edges, x) if x in reachable(edges, y)}


def distances(edges: Iterable[tuple[Any, Any]], starts: Iterable[Any]) -> dict[Any, int]:
    """The fewest edges from any of `starts`, for all that can be reached."""
    edges = list(edges)
    known: dict[Any, int] = {}
    front, step = set(starts), 0
    while front:
        known.update(dict.fromkeys(front, step))
        front, step = {b for a, b in edges if a in front and b not in known}, step + 1
    return known


def longest_from_top(edges: Iterable[tuple[Any, Any]], x: Any) -> int:
    """The longest way up from x over (child, parent) edges without a cycle."""
    edges = list(edges)
    return max((longest_from_top(edges, p) + 1 for c, p in edges if c == x), default=0)


def weak_components(names: Iterable[Any], edges: Iterable[tuple[Any, Any]]) -> set[frozenset[Any]]:
    """Parts that hang together when the direction of the edges is forgotten."""
    edges = list(edges)
    ways = [*edges, *((b, a) for a, b in edges)]
    return {frozenset(reachable(ways, x) | {x}) for x in names}


def lightest(pairs: Iterable[Sequence[Any]], default: float) -> dict[tuple[str, str], float]:
    """(a, b) -> weight without self-edges; repeated edges count once, the lightest wins."""
    found: dict[tuple[str, str], float] = {}
    for a, b, *own in pairs:
        weight = own[0] if own else default
        if a != b:
            found[a, b] = min(weight, found.get((a, b), weight))
    return found


def both_ways(pairs: Iterable[Sequence[Any]], default: float) -> dict[tuple[str, str], float]:
    """The same for undirected edges: a -- b and b -- a are one edge."""
    listed = [tuple(pair) for pair in pairs]
    return lightest([*listed, *((b, a, *own) for a, b, *own in listed)], default)


def reduction(edges: Iterable[tuple[Any, Any]]) -> set[tuple[Any, Any]]:
    """The edges without those that others imply (A < B < C and A < C); inside a cycle, and self-edges, all stay."""
    edges = set(edges)
    nodes = {x for edge in edges for x in edge}

    def implied(a: Any, c: Any) -> bool:
        if a in mutual(edges, c):
            return False
        between = nodes - mutual(edges, a) - mutual(edges, c)
        return any(b in reachable(edges, a) and c in reachable(edges, b) for b in between)

    return {(a, c) for a, c in edges if not implied(a, c)}


def restriction(
    edges: Mapping[tuple[Any, Any], float], self_edges: Iterable[Any], keep: Iterable[Any], weight: float
) -> dict[tuple[Any, Any], float]:
    """Edges between kept concepts, and one of `weight` for each way through dropped ones only; the lightest wins."""
    kept = set(keep)
    result = {(a, b): w for (a, b), w in edges.items() if a in kept and b in kept}
    for a, b in product(kept, kept):
        detour = [(x, y) for x, y in edges if x not in kept]  # once on a dropped concept, go on from dropped ones
        doors = {y for x, y in edges if x == a and y not in kept}
        if a != b and any(b in reachable(detour, door) for door in doors):
            result[a, b] = min(weight, result.get((a, b), weight))
    result.update({(x, x): weight for x in self_edges if x in kept})
    return result


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def deviation(values: Sequence[float]) -> float | None:
    """Of the population."""
    middle = mean(values)
    return None if middle is None else sqrt(sum((v - middle) ** 2 for v in values) / len(values))
