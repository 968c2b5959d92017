"""Concept against concept again with sets and listed paths, straight from the definitions: slow and obvious.

A measure is named as everywhere else: "BDM", "Lin(ic=zhou)", "Rada(scale=distance, paths=common-ancestor)".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from heapq import heappop, heappush
from math import inf, log, nan
from typing import Any, NamedTuple

Edge = Sequence[Any]
Path = tuple[str, ...]
Ways = dict[str, dict[str, float]]

USUAL_WEIGHTS = {"hierarchical": 1.0, "related": 1.0, "synonym": 0.0}
TINY = 1e-12  # an information content smaller than this is none


class NoContentError(Exception):
    """A concept without information content: nothing was counted at it or below it."""


class Found(NamedTuple):
    """How a BDM came about; `msca` is None without a common root."""

    score: Fraction
    msca: str | None = None
    cp: int = 0
    dpk: int = 0
    dpr: int = 0
    branching: Fraction = Fraction(0)


class Concepts:
    """One ontology, by the arguments of Ontology.from_edges."""

    def __init__(
        self,
        edges: Iterable[Edge],
        *,
        root: str = "auto",
        concepts: Iterable[str] = (),
        related: Iterable[Edge] = (),
        synonyms: Iterable[Edge] = (),
        equivalent: Iterable[Edge] = (),
        instances: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        counts: Mapping[str, float] | None = None,
    ) -> None:
        usual = {**USUAL_WEIGHTS, **(weights or {})}
        same, beside = list(equivalent), list(related)
        upwards = [*edges, *same, *((b, a, *own) for a, b, *own in same)]
        alike = [*synonyms, *same]
        self.assigned = {(who, where) for who, places in (instances or {}).items() for where in listed(places)}
        self.counts = counts
        self.names = {name for edge in [*upwards, *beside, *alike] for name in edge[:2]}
        self.names |= set(concepts) | {where for _, where in self.assigned}
        self.weight = usual["hierarchical"]
        self.added: str | None = None
        self.root: str | None = None
        if root not in ("auto", "new", "none"):
            self.names.add(root)
        self.up: Ways = {name: {} for name in self.names}
        for a, b, *own in upwards:
            lay(self.up, a, b, own[0] if own else self.weight)
        self.set_root(root)
        self.related: Ways = {name: {} for name in self.names}
        self.alike: Ways = {name: {} for name in self.names}
        for ways, links, kind in ((self.related, beside, "related"), (self.alike, alike, "synonym")):
            for a, b, *own in links:
                lay(ways, a, b, own[0] if own else usual[kind])
                lay(ways, b, a, own[0] if own else usual[kind])

    def set_root(self, root: str) -> None:
        """The root of `root`, and what is hung under it."""
        above = {name: reach(self.up, name) for name in self.names}
        tops = {a for a in self.names if all(a in above[b] for b in above[a])}
        if root == "none":
            return
        if root == "auto" and len(tops) == 1:
            self.root = tops.pop()
        elif root in ("auto", "new"):
            self.added = self.root = "(root)"
            while self.root in self.names:
                self.added = self.root = f"({self.root})"
            self.names.add(self.root)
            self.up[self.root] = {}
            for name in tops:
                self.up[name][self.root] = self.weight
        else:
            self.root = root
            for name in tops:
                if root not in above[name]:
                    self.up[name][root] = self.weight

    @cached_property
    def given(self) -> list[str]:
        """The concepts that one can ask for: all but an added root."""
        return sorted(self.names - {self.added})

    def __call__(self, measure: str, left: str, right: str) -> float:
        return float(measured(measure)(self, left, right))

    # ancestors, cycles

    @cached_property
    def above(self) -> dict[str, frozenset[str]]:
        """anc(c): all that can be reached upwards, c included."""
        return {name: frozenset(reach(self.up, name)) for name in self.names}

    @cached_property
    def below(self) -> dict[str, set[str]]:
        """Everything at or under c."""
        return {name: {other for other in self.names if name in self.above[other]} for name in self.names}

    @cached_property
    def mates(self) -> dict[str, set[str]]:
        """C and the members of its cycle."""
        return {name: {other for other in self.above[name] if name in self.above[other]} for name in self.names}

    @cached_property
    def part(self) -> dict[str, str]:
        """What a concept is called when every cycle is one concept: the smallest name of its cycle."""
        return {name: min(self.mates[name]) for name in self.names}

    @cached_property
    def parents(self) -> dict[str, set[str]]:
        """Part to parts: the links between cycles, redundant ones too."""
        found: dict[str, set[str]] = {part: set() for part in self.part.values()}
        for child, ways in self.up.items():
            found[self.part[child]] |= {self.part[parent] for parent in ways} - {self.part[child]}
        return found

    @cached_property
    def direct(self) -> dict[str, set[str]]:
        """The same without each link to what another parent is already below."""
        return {
            part: {p for p in parents if not any(p in self.above[q] for q in parents - {p})}
            for part, parents in self.parents.items()
        }

    @cached_property
    def tops(self) -> set[str]:
        """The parts without a parent; the root alone if there is one."""
        return {part for part, parents in self.parents.items() if not parents}

    def climb(self, part: str, *, direct: bool = False) -> dict[str, int]:
        """The fewest links from a part up to each part above it."""
        ways = self.direct if direct else self.parents
        steps, front = {part: 0}, [part]
        while front:
            following = []
            for lower in front:
                for upper in ways[lower]:
                    if upper not in steps:
                        steps[upper] = steps[lower] + 1
                        following.append(upper)
            front = following
        return steps

    @cached_property
    def ups(self) -> dict[str, dict[str, int]]:
        return {part: self.climb(part) for part in self.parents}

    @cached_property
    def direct_ups(self) -> dict[str, dict[str, int]]:
        return {part: self.climb(part, direct=True) for part in self.parents}

    def depth(self, part: str, *, direct: bool = False) -> int:
        """The fewest links from the root, or from the nearest top."""
        ups = (self.direct_ups if direct else self.ups)[part]
        return min(steps for top, steps in ups.items() if top in self.tops)

    @cached_property
    def longest(self) -> dict[str, int]:
        """The most links from a top."""
        found: dict[str, int] = {}
        for part in sorted(self.parents, key=lambda part: len(self.above[part])):  # whatever is above has fewer above
            found[part] = max((found[parent] + 1 for parent in self.parents[part]), default=0)
        return found

    # chains, listed

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """Part to parts, over direct links."""
        found: dict[str, list[str]] = {part: [] for part in self.direct}
        for child, parents in self.direct.items():
            for parent in parents:
                found[parent].append(child)
        return found

    @cached_property
    def root_paths(self) -> dict[str, list[Path]]:
        """Every path from a top down to a part, over direct links."""
        found: dict[str, list[Path]] = {}
        for part in sorted(self.direct, key=lambda part: len(self.above[part])):
            found[part] = [(*path, part) for parent in self.direct[part] for path in found[parent]] or [(part,)]
        return found

    @cached_property
    def chains(self) -> list[Path]:
        """Every path from a top down to a leaf."""
        return [path for part, paths in self.root_paths.items() if not self.children[part] for path in paths]

    @cached_property
    def n0(self) -> Fraction:
        return average([len(chain) - 1 for chain in self.chains])

    @cached_property
    def n(self) -> dict[str, Fraction]:
        """Part to the mean length of the chains through it."""
        lengths: dict[str, list[int]] = {part: [] for part in self.direct}
        for chain in self.chains:
            for part in chain:
                lengths[part].append(len(chain) - 1)
        return {part: average(those) for part, those in lengths.items()}

    @cached_property
    def avg(self) -> Fraction:
        """The mean number of children of those that have any."""
        return average([len(those) for those in self.children.values() if those])

    # information content

    @cached_property
    def leaves(self) -> set[str]:
        """The concepts with nothing below them outside their own cycle."""
        return {name for name in self.names if self.below[name] == self.mates[name]}

    def own(self, smoothing: str) -> dict[str, float]:
        """What was counted at each concept itself."""
        if self.counts is not None:
            found = {name: self.counts.get(name, 0.0) for name in self.names}
        else:
            found = {name: float(sum(where == name for _, where in self.assigned)) for name in self.names}
        return {name: count + (smoothing == "add-one") for name, count in found.items()}

    def frequencies(self, smoothing: str = "none") -> dict[str, float]:
        own = self.own(smoothing)
        return {name: sum(own[other] for other in self.below[name]) for name in self.names}

    def contents(self, ic: str, smoothing: str, leaf_itself: bool) -> tuple[dict[str, float], float]:
        """The information content of every concept that has one, and icmax."""
        key = (ic, smoothing, leaf_itself)
        if key not in self._contents:
            found, most = self._fresh_contents(ic, smoothing, leaf_itself)
            self._contents[key] = {name: 0.0 if abs(v) < TINY else v for name, v in found.items()}, most
        return self._contents[key]

    @cached_property
    def _contents(self) -> dict[Any, tuple[dict[str, float], float]]:
        return {}

    def _fresh_contents(self, ic: str, smoothing: str, leaf_itself: bool) -> tuple[dict[str, float], float]:
        if ic == "corpus":
            frequency, total = self.frequencies(smoothing), sum(self.own(smoothing).values())
            found = {name: -log(count / total) for name, count in frequency.items() if count}
            return found, max(found.values(), default=0.0)
        if len(self.names) == 1:
            return dict.fromkeys(self.names, 1.0), 1.0
        if ic == "sanchez":
            most = len(self.leaves)

            def leaves(name: str) -> int:
                return len((self.below[name] - self.mates[name]) & self.leaves) + (leaf_itself and name in self.leaves)

            return {name: -log((leaves(name) / len(self.above[name]) + 1) / (most + 1)) for name in self.names}, log(
                most + 1
            )
        seco = {name: 1 - log(len(self.below[name])) / log(len(self.names)) for name in self.names}
        deepest = max(self.longest.values()) + 1
        if ic == "seco" or deepest == 1:
            return seco, 1.0
        return {
            name: 0.5 * seco[name] + 0.5 * log(self.longest[self.part[name]] + 1) / log(deepest) for name in self.names
        }, 1.0

    # weighted paths

    @cached_property
    def _distances(self) -> dict[Any, dict[str, float]]:
        return {}

    def distances(self, start: str, edges: str, root_paths: bool) -> dict[str, float]:
        """The least total weight of an undirected path from `start` to whatever can be reached."""
        key = (start, edges, root_paths)
        if key not in self._distances:
            self._distances[key] = self._dijkstra(start, edges, root_paths)
        return self._distances[key]

    def _dijkstra(self, start: str, edges: str, root_paths: bool) -> dict[str, float]:
        known: dict[str, float] = {}
        waiting = [(0.0, start)]
        while waiting:
            far, here = heappop(waiting)
            if here in known:
                continue
            known[here] = far
            for there, weight in self.beside(here, edges):
                if root_paths or there != self.added:
                    heappush(waiting, (far + weight, there))
        return known

    def beside(self, here: str, edges: str) -> Iterator[tuple[str, float]]:
        """The other end and weight of every edge at a concept."""
        yield from self.up[here].items()
        yield from ((child, ways[here]) for child, ways in self.up.items() if here in ways)
        yield from self.alike[here].items()
        if edges == "relatedness":
            yield from self.related[here].items()


# the measures

Measure = Callable[[Concepts, str, str], float | Fraction]


@cache
def measured(text: str) -> Measure:
    """The measure that "Name(key=value, key=value)" means."""
    name, given = re.fullmatch(r"(\w+)(?:\((.*)\))?", text).groups()  # type: ignore[union-attr]
    options = dict(re.split(r"\s*=\s*", pair) for pair in re.split(r"\s*,\s*", given)) if given else {}
    read = {key: {"true": True, "false": False}.get(value, value) for key, value in options.items()}
    return lambda ontology, left, right: MEASURES[name](ontology, left, right, **read)


def bdm(o: Concepts, left: str, right: str, msca: str = "best") -> Fraction:
    return explained_bdm(o, left, right, msca).score


def explained_bdm(o: Concepts, left: str, right: str, msca: str = "best") -> Found:
    """The winner of all pairs of root paths, or the one of the deepest common ancestor and shortest lengths.

    Of several shortest ways the first by name, from the ancestor down, counts.
    """
    k, r = o.part[left], o.part[right]
    if k == r:
        return Found(Fraction(1), k, o.depth(k, direct=True))
    if msca == "best":
        tried = [bdm_of_paths(o, p, q) for p in o.root_paths[k] for q in o.root_paths[r]]
        return max(tried, key=lambda found: found.score)
    to_k, to_r = o.direct_ups[k], o.direct_ups[r]
    common = to_k.keys() & to_r.keys()
    if not common:
        return Found(Fraction(0))
    m = min(common, key=lambda m: (-o.depth(m, direct=True), to_k[m] + to_r[m], m))
    inner = sum(branches(o, min(shortest_ways(o, m, end))) for end in (k, r))
    return scored(o, m, o.depth(m, direct=True), (k, to_k[m]), (r, to_r[m]), inner)


def bdm_of_paths(o: Concepts, p: Path, q: Path) -> Found:
    shared = 0
    while shared < min(len(p), len(q)) and p[shared] == q[shared]:
        shared += 1
    if not shared:
        return Found(Fraction(0))
    inner = branches(o, p[shared:-1]) + branches(o, q[shared:-1])
    return scored(o, p[shared - 1], shared - 1, (p[-1], len(p) - shared), (q[-1], len(q) - shared), inner)


def scored(o: Concepts, m: str, cp: int, to_k: tuple[str, int], to_r: tuple[str, int], inner: int) -> Found:
    """`inner` is the number of children of all concepts strictly between M and the two ends."""
    relevant = 1 + sum(steps - 1 for _, steps in (to_k, to_r) if steps)
    branching = Fraction(len(o.children[m]) + inner, relevant) / o.avg
    x = branching * cp / o.n0
    way = sum(steps / o.n[end] for end, steps in (to_k, to_r) if steps)
    return Found(x / (x + way), m, cp, to_k[1], to_r[1], branching)


def branches(o: Concepts, parts: Iterable[str]) -> int:
    return sum(len(o.children[part]) for part in parts)


def shortest_ways(o: Concepts, upper: str, lower: str) -> list[Path]:
    """What lies strictly between, on each of the shortest ways over direct links."""
    if upper == lower or upper in o.direct[lower]:
        return [()]
    nearer = [p for p in o.direct[lower] if o.direct_ups[p].get(upper, inf) == o.direct_ups[lower][upper] - 1]
    return [(*way, parent) for parent in nearer for way in shortest_ways(o, upper, parent)]


def la(o: Concepts, left: str, right: str, root_prediction: str = "0") -> Fraction:
    """Learning accuracy of the prediction `left` for the key `right`; the way from the root to P runs through M."""
    p, k = o.part[left], o.part[right]
    if p == k:
        return Fraction(1)
    to_p, to_k = o.direct_ups[p], o.direct_ups[k]
    common = to_p.keys() & to_k.keys()
    if not common:
        return Fraction(0)
    m = min(common, key=lambda m: (-o.depth(m, direct=True), to_p[m], m))
    cp, dp = o.depth(m, direct=True), to_p[m]
    return Fraction(cp, cp + 2 * dp) if cp + dp else Fraction(root_prediction)


def flat(o: Concepts, left: str, right: str) -> float:
    return float(left == right)


def distance(o: Concepts, a: str, b: str, edges: str, paths: str, root_paths: bool) -> float:
    if paths == "any":
        return o.distances(a, edges, root_paths).get(b, inf)
    to_a, to_b = o.ups[o.part[a]], o.ups[o.part[b]]
    common = [m for m in to_a if m in to_b and (root_paths or m != o.added)]
    return min((to_a[m] + to_b[m]) * o.weight for m in common) if common else inf


def rada(
    o: Concepts,
    a: str,
    b: str,
    scale: str = "similarity",
    edges: str = "similarity",
    paths: str = "any",
    root_paths: bool = True,
) -> float:
    d = distance(o, a, b, edges, paths, root_paths)
    return d if scale == "distance" else 1 / (1 + d)


def lc(
    o: Concepts,
    a: str,
    b: str,
    scale: str = "unit",
    depth: str = "shortest",
    unit: str = "nodes",
    edges: str = "similarity",
    paths: str = "any",
    root_paths: bool = True,
) -> float:
    d = distance(o, a, b, edges, paths, root_paths)
    greatest = max(o.longest.values()) if depth == "longest" else max(o.depth(part) for part in o.parents)
    greatest += unit == "nodes"
    if not greatest:
        return nan if scale == "raw" else float(d == 0)
    raw = -log((d + 1) / (2 * greatest)) if d < inf else -inf
    return raw if scale == "raw" else max(0.0, raw) / log(2 * greatest)


def wp(o: Concepts, a: str, b: str) -> Fraction:
    to_a, to_b = o.ups[o.part[a]], o.ups[o.part[b]]
    deep = {m: 2 * (o.depth(m) + 1) for m in to_a if m in to_b}
    return max((Fraction(deep[m], to_a[m] + to_b[m] + deep[m]) for m in deep), default=Fraction(0))


class Contents(NamedTuple):
    """The information contents that a pair of concepts comes with."""

    a: float
    b: float
    mica: float
    most: float
    each: dict[str, float]
    mutual: bool  # each other's ancestors


def contents(
    o: Concepts, a: str, b: str, ic: str = "seco", smoothing: str = "none", leaf_itself: bool = False
) -> Contents:
    each, most = o.contents(ic, smoothing, leaf_itself)
    if a not in each or b not in each:
        raise NoContentError(a if a not in each else b)
    mica = max((each[m] for m in o.above[a] & o.above[b]), default=0.0)
    return Contents(each[a], each[b], mica, most, each, b in o.mates[a])


def resnik(o: Concepts, a: str, b: str, scale: str = "unit", **kind: Any) -> float:
    c = contents(o, a, b, **kind)
    if scale == "raw":
        return c.mica
    return c.mica / c.most if c.most else float(c.mutual)


def lin(o: Concepts, a: str, b: str, **kind: Any) -> float:
    c = contents(o, a, b, **kind)
    return 2 * c.mica / (c.a + c.b) if c.a + c.b else float(c.mutual)


def jc(o: Concepts, a: str, b: str, scale: str = "similarity", **kind: Any) -> float:
    c = contents(o, a, b, **kind)
    far = c.a + c.b - 2 * c.mica
    if scale == "distance":
        return far
    return 1 - far / (2 * c.most) if c.most else 1.0


def simgic(o: Concepts, a: str, b: str, **kind: Any) -> float:
    each = contents(o, a, b, **kind).each
    union = sum(each[m] for m in o.above[a] | o.above[b])
    if not union:
        return float(o.above[a] == o.above[b])
    return sum(each[m] for m in o.above[a] & o.above[b]) / union


MEASURES: dict[str, Callable[..., float | Fraction]] = {
    "BDM": bdm,
    "LA": la,
    "Flat": flat,
    "Rada": rada,
    "LC": lc,
    "WP": wp,
    "Resnik": resnik,
    "Lin": lin,
    "JC": jc,
    "simGIC": simgic,
}


# small things


def listed(places: Any) -> list[str]:
    return [places] if isinstance(places, str) else list(places)


def lay(ways: Ways, a: str, b: str, weight: float) -> None:
    """One edge: of repeated ones the lightest counts, self-edges say nothing."""
    if a != b:
        ways[a][b] = min(weight, ways[a].get(b, weight))


def reach(ways: Mapping[str, Iterable[str]], start: str) -> set[str]:
    """`start` and all that can be reached from it."""
    found, waiting = {start}, [start]
    while waiting:
        for there in ways[waiting.pop()]:
            if there not in found:
                found.add(there)
                waiting.append(there)
    return found


def average(numbers: Sequence[int]) -> Fraction:
    return Fraction(sum(numbers), len(numbers)) if numbers else Fraction(0)
