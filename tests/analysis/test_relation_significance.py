"""Intervals and paired tests of RelP, RelR, RelF: against a slow bootstrap and all exchanges of relations."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
import twin_relations as twin
from helpers import near
from twin_relations import DOMAIN, RelationPair, RelationSide

import ontoeval as oe
from ontoeval.analysis.significance import confidence, p_values

NAMES = ("RelP", "RelR", "RelF")
CONCEPTS = [f"c{number}" for number in range(12)]
EDGES = [(name, CONCEPTS[number // 2]) for number, name in enumerate(CONCEPTS[1:])]
Row = tuple[str, str, str]
Share = tuple[float, int]  # credit, relations


def gold_relations(count: int, random: Random) -> list[Row]:
    """Between concepts and individuals, and domains."""
    pool = [*CONCEPTS, *twin.INDIVIDUALS]
    drawn = {(random.choice(pool), random.choice("pqr"), random.choice(pool)) for _ in range(count)}
    return sorted(drawn | {(p, DOMAIN, random.choice(CONCEPTS)) for p in "pqr"})


def learned_relations(gold: list[Row], random: Random, novel: int) -> list[Row]:
    return [row for row in gold if random.random() < 0.6] + gold_relations(novel, random)


def pair_of(learned: list[Row], gold: list[Row]) -> RelationPair:
    sides = [RelationSide(set(CONCEPTS), rows) for rows in (learned, gold)]
    return RelationPair(sides[0], sides[1], {name: name for name in CONCEPTS})


def task_of(learned: list[Row], gold: list[Row]) -> oe.Comparison:
    return oe.Comparison(*(oe.Ontology.from_edges(EDGES, relations=rows) for rows in (learned, gold)))


def score(name: str, precision: Share, recall: Share) -> float:
    p, r = (credit / count if count else 0.0 for credit, count in (precision, recall))
    return {"RelP": p, "RelR": r, "RelF": 2 * p * r / (p + r) if p + r else 0.0}[name]


def shares(units: list[Any], learned: set[Any], gold: set[Any]) -> tuple[Share, Share]:
    """Of drawn triples, each a unit whichever side has it."""
    both = sum(unit in learned and unit in gold for unit in units)
    return (both, sum(unit in learned for unit in units)), (both, sum(unit in gold for unit in units))


@pytest.mark.parametrize("name", NAMES)
def test_intervals_are_those_of_a_slow_bootstrap_of_the_relations(name: str) -> None:
    random = Random(4)
    gold = gold_relations(45, random)
    learned = learned_relations(gold, random, 15)
    sides = [set(pair_of(learned, gold).triples(side, "all", "all")) for side in ("learned", "gold")]
    units = sorted(sides[0] | sides[1], key=sorted)
    dice = np.random.default_rng(7)
    drawn = [
        score(name, *shares([units[i] for i in dice.integers(len(units), size=len(units))], sides[0], sides[1]))
        for _ in range(2_000)
    ]
    (found,) = confidence(oe.evaluate(task_of(learned, gold), oe.parse(name, over="all")), rounds=4_000).scores
    assert found.interval == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.035)
    assert found.interval is not None
    assert found.interval[1] - found.interval[0] > 0.1
    assert found.interval[0] < found.value < found.interval[1]
    assert found.value == near(score(name, *shares(units, sides[0], sides[1])))


@pytest.mark.parametrize("similarity", ["Flat", "WP", "LA"])
def test_the_value_lies_within_its_interval(similarity: str) -> None:
    for seed in range(5):
        random = Random(seed)
        gold = gold_relations(20, random)
        task = task_of(learned_relations(gold, random, 10), gold)
        names = [f"{name}(similarity={similarity}, over={over})" for name in NAMES for over in ("common", "all")]
        for found in confidence(oe.evaluate(task, names), rounds=300):
            assert found.interval is not None
            assert 0 <= found.interval[0] <= found.value <= found.interval[1] <= 1


def test_a_side_without_relations_has_no_interval_and_says_so() -> None:
    names = [*(f"{name}(over=all)" for name in NAMES), "TED"]
    result = confidence(oe.evaluate(task_of([], [("c1", "p", "c2")]), names), rounds=20)
    assert [found.interval is None for found in result] == [True, False, True, True]
    assert result["RelF(over=all)"].no_interval == "one side has nothing to resample"
    assert result["TED"].no_interval == "not an average over concepts, instances, relations or documents"
    assert set(result.to_dict()["no_interval"]) == {"RelP(over=all)", "RelF(over=all)", "TED"}
    undefined = confidence(oe.evaluate(task_of([], []), "RelF"), rounds=20).scores[0]
    assert (undefined.interval, undefined.no_interval) == (None, None)


@pytest.mark.parametrize("name", NAMES)
def test_p_is_near_that_of_all_exchanges_of_relations(name: str) -> None:
    random = Random(3)
    gold = gold_relations(5, random)
    files = [[*gold[:6], ("c1", "r", "i9")], [*gold[4:], ("c1", "r", "i9"), ("p", DOMAIN, "c11"), ("c2", "p", "c3")]]
    sides = [[set(learned), set(gold)] for learned in files]  # by names that both have: equal rows are equal relations
    units = sorted(set().union(*sides[0], *sides[1]))
    differ = [u for u in units if [u in side for side in sides[0]] != [u in side for side in sides[1]]]
    assert 4 < len(differ) < 13

    def difference(exchanged: set[Row]) -> float:
        values = []
        for place in (0, 1):
            mine, other = sides[place], sides[1 - place]
            made = [{u for u in units if u in (other if u in exchanged else mine)[side]} for side in (0, 1)]
            values.append(score(name, *shares(units, made[0], made[1])))
        return abs(values[0] - values[1])

    observed = difference(set())
    patterns = [{u for u, swap in zip(differ, row, strict=True) if swap} for row in product((0, 1), repeat=len(differ))]
    expected = sum(difference(pattern) >= observed - 1e-12 for pattern in patterns) / len(patterns)
    results = [oe.evaluate(task_of(learned, gold), oe.parse(name, over="all")) for learned in files]
    (p,) = p_values(*results, rounds=8_000).values()
    assert p == pytest.approx(expected, abs=0.02)
