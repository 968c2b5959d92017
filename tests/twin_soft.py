"""Soft measures again in plain lists and dictionaries, straight from the definitions: slow and obvious."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import sqrt
from typing import Any

Pair = tuple[str, str]
Like = Callable[[str, str], float]


@dataclass
class Side:
    """One ontology: the concepts and (child, parent) edges of the file, and a text for each concept."""

    concepts: set[str]
    edges: set[Pair]  # no self-edges
    texts: Mapping[str, str]


def side(edges: Iterable[Sequence[Any]], concepts: Iterable[str], labels: Mapping[str, str]) -> Side:
    """Every name that occurs is a concept; one without a label, or with an empty one, is called by its name."""
    names = {name for edge in edges for name in edge[:2]} | set(concepts) | set(labels)
    links = {(edge[0], edge[1]) for edge in edges if edge[0] != edge[1]}
    return Side(names, links, {name: labels.get(name) or name for name in names})


# similarities of two texts


def edit_distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y)))
    return row[-1]


def sm(a: str, b: str) -> float:
    shorter = min(len(a), len(b))
    if not shorter:
        return 1.0 if a == b else 0.0
    return max(0.0, (shorter - edit_distance(a, b)) / shorter)


def words(text: str) -> set[str]:
    """Cut at blanks, _ and -, before a capital behind a small letter or digit, and before the last capital of many."""
    spaced = ""
    for i, letter in enumerate(text):
        before, after = text[i - 1 : i], text[i + 1 : i + 2]
        new = _capital(letter) and (_small(before) or _digit(before) or (_capital(before) and _small(after)))
        spaced += (" " if new else "") + (" " if letter in "_-" else letter)
    found = spaced.casefold().split()
    return set(found or text.casefold().split())


def _small(letter: str) -> bool:
    return letter.islower()


def _capital(letter: str) -> bool:
    return letter.isupper()


def _digit(letter: str) -> bool:
    return letter.isdigit()


def tokens(a: str, b: str) -> float:
    left, right = words(a), words(b)
    if not left or not right:
        return 1.0 if left == right else 0.0
    return len(left & right) / sqrt(len(left) * len(right))


LIKE: dict[str, Like] = {"sm": sm, "tokens": tokens}


# links


def fuzzy_precision(learned: Side, gold: Side, threshold: float, like: Like) -> float:
    if not learned.edges:
        return 0.0 if gold.edges else 1.0
    found = [
        edge for edge in learned.edges if any(edge_like(learned, gold, edge, g, like) >= threshold for g in gold.edges)
    ]
    return len(found) / len(learned.edges)


def edge_like(learned: Side, gold: Side, edge: Pair, other: Pair, like: Like) -> float:
    return min(like(learned.texts[x], gold.texts[y]) for x, y in zip(edge, other, strict=True))


def continuous_precision(learned: Side, gold: Side, like: Like) -> float:
    if not learned.edges:
        return 0.0 if gold.edges else 1.0
    values = [[edge_like(learned, gold, e, g, like) for g in sorted(gold.edges)] for e in sorted(learned.edges)]
    return best_total(values) / len(learned.edges)


def best_total(values: Sequence[Sequence[float]]) -> float:
    """The largest total of a one-to-one assignment in which the smaller side is all assigned."""
    if not values or not values[0]:
        return 0.0
    if len(values) > len(values[0]):
        values = list(zip(*values, strict=True))

    @cache
    def best(row: int, used: frozenset[int]) -> float:
        if row == len(values):
            return 0.0
        free = [column for column in range(len(values[0])) if column not in used]
        return max(values[row][column] + best(row + 1, used | {column}) for column in free)

    return best(0, frozenset())


# concepts


def graph_precision(learned: Side, gold: Side, rounds: int) -> float:
    ours, theirs = smoothed(learned, rounds), smoothed(gold, rounds)
    values = [[cosine(ours[c], theirs[d]) for d in sorted(gold.concepts)] for c in sorted(learned.concepts)]
    return best_total(values) / len(learned.concepts)


def smoothed(own: Side, rounds: int) -> dict[str, dict[str, float]]:
    vectors: dict[str, dict[str, float]] = {c: dict(Counter(own.texts[c].casefold())) for c in own.concepts}
    parents = {c: {p for child, p in own.edges if child == c} for c in own.concepts}
    degree = {c: len(parents[c]) + 1 for c in own.concepts}
    for _ in range(rounds):
        new: dict[str, dict[str, float]] = {}
        for c in own.concepts:
            new[c] = {}
            for p in {c} | parents[c]:
                for letter, count in vectors[p].items():
                    new[c][letter] = new[c].get(letter, 0.0) + count / sqrt(degree[p] * degree[c])
        vectors = new
    return vectors


def cosine(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    if not a or not b:
        return 1.0 if not a and not b else 0.0
    length = sqrt(sum(x * x for x in a.values())) * sqrt(sum(x * x for x in b.values()))
    return sum(a[letter] * b[letter] for letter in a if letter in b) / length


# shape


def motifs(concepts: Iterable[Any], edges: Iterable[tuple[Any, Any]]) -> Counter[tuple[tuple[int, int], ...]]:
    """The connected triples by class: the least of the six ways to number the three."""
    links = set(edges)
    found: Counter[tuple[tuple[int, int], ...]] = Counter()
    for triple in combinations(sorted(set(concepts)), 3):
        linked = [pair for pair in combinations(triple, 2) if pair in links or pair[::-1] in links]
        if len(linked) >= 2:
            found[min(_numbered(order, links) for order in permutations(triple))] += 1
    return found


def _numbered(order: Sequence[Any], links: set[tuple[Any, Any]]) -> tuple[tuple[int, int], ...]:
    return tuple((i, j) for i in range(3) for j in range(3) if (order[i], order[j]) in links)


def motif_distance(learned: Side, gold: Side) -> float:
    left, right = motifs(learned.concepts, learned.edges), motifs(gold.concepts, gold.edges)
    if not left or not right:
        return 0.0 if not left and not right else 1.0
    return sum(abs(left[m] / left.total() - right[m] / right.total()) for m in left | right) / 2
