"""The pairing of annotations again, by trying every matching, and the measures in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

Span = tuple[int, int, str | None]  # start, end, class
Similarity = Callable[[str | None, str | None], float]  # of the key's class and the response's

EDGES = [
    ("agent", "thing"), ("person", "agent"), ("man", "person"), ("woman", "person"), ("group", "agent"),
    ("company", "group"), ("place", "thing"), ("city", "place"), ("port", "city"), ("port", "place"),
]  # fmt: skip
CLASSES = ["agent", "person", "man", "woman", "company", "city", "port", "thing", "nowhere", None]


@dataclass(frozen=True)
class Totals:
    """What the best pairing has, in the order in which it counts."""

    same: int
    millionths: int
    pairs: int
    overlap: int


def fits(key: Span, response: Span, match: str) -> bool:
    if key[:2] == response[:2]:
        return True
    return match == "lenient" and max(key[0], response[0]) < min(key[1], response[1])


def matchings(keys: Sequence[Span], responses: Sequence[Span], match: str) -> Iterator[list[tuple[int, int]]]:
    """All of them, smaller ones too."""

    def further(key: int, used: frozenset[int]) -> Iterator[list[tuple[int, int]]]:
        if key == len(keys):
            yield []
            return
        for rest in further(key + 1, used):
            yield rest
        for response, span in enumerate(responses):
            if response not in used and fits(keys[key], span, match):
                for rest in further(key + 1, used | {response}):
                    yield [(key, response), *rest]

    return further(0, frozenset())


def totals(
    pairs: Sequence[tuple[int, int]], keys: Sequence[Span], responses: Sequence[Span], similarity: Similarity
) -> Totals:
    made = [(keys[k], responses[r]) for k, r in pairs]
    return Totals(
        sum(k[:2] == r[:2] for k, r in made),
        sum(round(1_000_000 * similarity(k[2], r[2])) for k, r in made),
        len(made),
        sum(max(0, min(k[1], r[1]) - max(k[0], r[0])) for k, r in made),
    )


def best(keys: Sequence[Span], responses: Sequence[Span], match: str, similarity: Similarity) -> Totals:
    every = (totals(pairs, keys, responses, similarity) for pairs in matchings(keys, responses, match))
    return max(every, key=lambda t: (t.same, t.millionths, t.pairs, t.overlap))


def document(random: Random, most: int = 6, length: int = 8, classes: Sequence[str | None] = CLASSES) -> list[Span]:
    """Spans that are equal, nested, overlapping, touching or empty."""
    found = []
    for _ in range(random.randint(0, most)):
        start = random.randint(0, length)
        end = min(length, start + random.choice([0, 1, 1, 2, 3, length]))
        found.append((start, end, random.choice(classes)))
    return found + random.sample(found, min(len(found), random.randint(0, 1)))


def ratio(part: float, whole: int, other: int) -> float:
    if whole:
        return part / whole
    return 0.0 if other else 1.0


def f_measure(precision: float, recall: float) -> float:
    return precision * recall / (0.5 * (precision + recall)) if precision + recall else 0.0


# agreement


def chance_corrected(items: Sequence[tuple[str | None, str | None]], how: str) -> Fraction | None:
    """Cohen's kappa and Scott's pi of (class, class); None is no class."""
    size = len(items)
    if not size:
        return None
    observed = Fraction(sum(a == b and a is not None for a, b in items), size)
    expected = Fraction(0)
    for name in {name for item in items for name in item if name is not None}:
        first, second = (Fraction(sum(item[side] == name for item in items), size) for side in (0, 1))
        expected += first * second if how == "kappa" else ((first + second) / 2) ** 2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def alpha(units: Sequence[Sequence[str]], similarity: Callable[[str, str], float]) -> float | None:
    """Krippendorff's alpha, as it is defined."""

    def delta(a: str, b: str) -> float:
        return 1 - (similarity(a, b) + similarity(b, a)) / 2

    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    n = len(values)
    if not n:
        return None
    observed = sum(
        sum(delta(a, b) for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j) / (len(unit) - 1)
        for unit in units
    )
    expected = sum(delta(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
    return 1 - (observed / n) / (expected / (n * (n - 1))) if expected > 1e-12 else None
