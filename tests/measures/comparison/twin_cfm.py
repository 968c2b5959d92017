"""The cumulative Fowlkes & Mallows measure again, straight from its definition: every path is listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

Edge = tuple[str, str]  # (child, parent)
Level = dict[str, set[str]]  # concept at this depth -> the objects that have it above them there


@dataclass
class Side:
    """One hierarchy: a self-edge keeps its concept from being a leaf, so leave out those that must not count."""

    concepts: set[str]
    edges: set[Edge]
    start: str | None  # where its paths begin; None: nowhere

    @property
    def leaves(self) -> set[str]:
        return self.concepts - {parent for _, parent in self.edges}

    def paths(self) -> Iterator[list[str]]:
        """Every way from the start down to a leaf that visits no concept twice."""
        waiting = [[self.start]] if self.start is not None else []
        while waiting:
            path = waiting.pop()
            if path[-1] in self.leaves:
                yield path
            waiting += [[*path, child] for child, parent in self.edges if parent == path[-1] and child not in path]


def clusters(paths: Iterable[list[str]], objects: set[str]) -> list[Level]:
    """The clusters of levels 0 ... height - 1."""
    found: list[Level] = []
    for path in paths:
        found += [{} for _ in range(len(path) - 1 - len(found))]
        for end, concept in enumerate(path):
            if concept in objects:
                for level in range(end):
                    found[level].setdefault(path[level], set()).add(concept)
    return found


def pairs(level: Level, name: Mapping[str, str]) -> set[frozenset[str]]:
    """The pairs of objects that share a cluster; a pair in two clusters is still one pair."""
    return {
        frozenset([name.get(a, f"{a} (learned)"), name.get(b, f"{b} (learned)")])
        for members in level.values()
        for a, b in combinations(sorted(members), 2)
    }


def level_values(learned: Side, gold: Side, partner: Mapping[str, str]) -> tuple[list[float], bool]:
    """B_0 ... B_(k-1), and whether the learned side has a path; `partner` leads from learned to gold concepts."""
    objects = learned.leaves | {c for c in learned.concepts if partner.get(c) in gold.leaves}
    ours = clusters(learned.paths(), objects)
    theirs = clusters(gold.paths(), gold.leaves)
    values = []
    for level, wanted in enumerate(theirs):
        mine = pairs(ours[level], partner) if level < len(ours) else set()
        right = pairs(wanted, {concept: concept for concept in gold.concepts})
        both = len(mine & right)
        values.append(both / sqrt(len(mine) * len(right)) if both else 0.0)
    return values, bool(ours)


def cfm(learned: Side, gold: Side, partner: Mapping[str, str], weights: str) -> float:
    """The weighted mean of the levels; without a level 1 if the learned side has no path either, else 0."""
    values, learned_has_path = level_values(learned, gold, partner)
    if not values:
        return 0.0 if learned_has_path else 1.0
    weight = [1 / (i + 1) if weights == "tool" else (i + 1) / len(values) for i in range(len(values))]
    return sum(w * b for w, b in zip(weight, values, strict=True)) / sum(weight)
