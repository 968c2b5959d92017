"""What the instance measures give by chance: the adjusted values average 0 over all permutations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest
import twin_instances as twin
from helpers import near
from twin_instances import CHOICES

from ontoeval.measures import parse
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison

# chance


SPLIT = ("a r", "b r", "c a", "d a", "e b")
DEEP = ("a r", "b a", "c b", "d c", "e r")
WEB = ("a r", "b r", "c a", "c b", "d c", "e b", "a d")  # several parents, and a cycle
SEATS = (
    (DEEP, "ddeeca", WEB, "cdeabe"),
    (SPLIT, "aabcde", SPLIT, "ccddbe"),
    (SPLIT, "ccddee", DEEP, "abcdee"),
    (WEB, "aabbde", SPLIT, "rrccde"),
)
SEVERAL = (
    (SPLIT, ("a", "a", "bc", "e", "e", "cd"), WEB, ("ab", "c", "c", "de", "e", "e")),
    (DEEP, ("a", "be", "c", "e", "d", "d"), SPLIT, ("c", "cd", "ce", "b", "a", "a")),
)


def first_fast(cases: Sequence[Any]) -> list[Any]:
    """The other ones are slow."""
    return [cases[0], *(pytest.param(*case, marks=pytest.mark.slow) for case in cases[1:])]


def permuted(learned: Sequence[str], gold: Sequence[str]) -> Iterator[tuple[dict[str, Any], dict[str, Any], int]]:
    """All ways to hand the gold places round, those that only differ in names together, with how many they are."""
    ways = Counter(tuple(sorted(zip(learned, order, strict=True))) for order in permutations(gold))
    assert sum(ways.values()) == math.factorial(len(gold))
    for pairs, count in ways.items():
        names = [f"i{place}" for place in range(len(pairs))]
        yield (
            {name: list(own) for name, (own, _) in zip(names, pairs, strict=True)},
            {name: list(other) for name, (_, other) in zip(names, pairs, strict=True)},
            count,
        )


def assert_means_of_0(edges: Sequence[Sequence[str]], learned: Sequence[str], gold: Sequence[str], names: str) -> None:
    """Over all permutations; 1 where the value itself is always 1, which the hand-made ones avoid."""
    one, two = (Ontology.from_edges([tuple(edge.split()) for edge in side], root="r") for side in edges)  # type: ignore[misc]
    matching = Comparison(one, two).matching
    chosen = [(name, parameters) for name, parameters in CHOICES if name in names.split()]
    total = dict.fromkeys(range(len(chosen)), 0.0)
    for mine, theirs, count in permuted(learned, gold):
        task = Comparison(with_instances(one, mine), with_instances(two, theirs), matching)
        for place, (name, parameters) in enumerate(chosen):
            total[place] += count * parse(name, **parameters, adjusted=True)(task).value
    both = twin.Pair(twin.bare(edges[0], learned), twin.bare(edges[1], gold))
    always = [twin.by_chance(both, name, parameters) == 1 for name, parameters in chosen]
    found = {place: value / math.factorial(len(gold)) for place, value in total.items()}
    assert found == {place: near(1 if one else 0) for place, one in enumerate(always)}
    assert not all(always)


def with_instances(ontology: Ontology, where: Mapping[str, Sequence[str]]) -> Ontology:
    rows = [(name, ontology.hierarchy.id(node), 1.0) for name, nodes in where.items() for node in nodes]
    return replace(ontology, instances=InstanceAssignment.build(rows, len(ontology.hierarchy)))


@pytest.mark.parametrize(("mine", "learned", "theirs", "gold"), first_fast(SEATS))
def test_adjusted_values_are_0_in_the_mean_of_all_720_permutations(
    mine: tuple[str, ...], learned: str, theirs: tuple[str, ...], gold: str
) -> None:
    both = twin.Pair(twin.bare(mine, learned), twin.bare(theirs, gold))
    assert 1 not in [twin.by_chance(both, name, parameters) for name, parameters in CHOICES if name != "ITF"]
    assert_means_of_0((mine, theirs), learned, gold, "H_s H_a ITP ITR OntoRand EOR")


@pytest.mark.parametrize(("mine", "learned", "theirs", "gold"), first_fast(SEVERAL))
def test_adjusted_values_of_several_places_are_0_in_the_mean_of_all_720_permutations(
    mine: tuple[str, ...], learned: tuple[str, ...], theirs: tuple[str, ...], gold: tuple[str, ...]
) -> None:
    both = twin.Pair(twin.bare(mine, learned), twin.bare(theirs, gold))
    assert not both.strict
    assert 1 not in [twin.by_chance(both, name, {}) for name in ("ITP", "ITR")]
    assert_means_of_0((mine, theirs), learned, gold, "ITP ITR EOR")


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_adjusted_values_on_random_trees_are_0_in_the_mean_of_all_720_permutations(seed: int) -> None:
    random = Random(seed)
    edges: list[list[str]] = []
    seats: list[list[str]] = []
    for _ in range(2):
        made = [f"{name} {random.choice('rabcde'[: place + 1])}" for place, name in enumerate("abcde")]
        leaf = next(name for name in "edcba" if not any(edge.endswith(name) for edge in made))
        edges.append(made)
        seats.append([leaf, leaf, "r", *random.choices("abcde", k=3)])  # so that there are triples on both sides
    assert_means_of_0(edges, seats[0], seats[1], "H_s H_a ITP ITR OntoRand EOR")
