"""Bootstrap intervals against a slow bootstrap, and paired tests against the enumeration of all exchanges."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import oracle
import pytest
import twin_compare
from helpers import compared, comparison
from hypothesis import given, settings
from scipy.stats import binom
from twin_compare import Case, Pair, cases, local_values

from ontoeval.analysis.significance import confidence, differences, p_values
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.evaluation import evaluate
from ontoeval.results import EvaluationResult
from ontoeval.tasks.comparison import Comparison

FEW = settings(max_examples=max(5, settings.default.max_examples // 3))
AVERAGES = ("LP", "LR", "LF", "TP_csc", "TR_csc", "TF_csc", "TFprime_csc", "TP_sc", "TR_sc", "TF_sc", "TO_csc",
            "EdgeP", "EdgeR", "EdgeF", "ClosureP", "ClosureF", "TP(average=micro)")  # fmt: skip

Unit = tuple[str, str]  # a gold concept with its partner, or a novel one, as the twin writes them
Leaf = dict[Unit, tuple[float, float]]  # value times weight, weight


def pair_of(learned: dict[str, Any], gold: dict[str, Any]) -> Pair:
    twins = oracle.twin(**learned), oracle.twin(**gold)
    return twin_compare.compared(*twins, {name: name for name in twins[0].concepts & twins[1].concepts})


def grown(count: int, seed: int, *, prefix: str = "c", root: str = "none") -> dict[str, Any]:
    """A random hierarchy; some concepts have two parents, so that not all weigh the same."""
    dice = random.Random(seed)
    names = [f"{prefix}{number:03d}" for number in range(count)]
    parents = [dice.sample(names[:place], min(place, dice.choice([1, 1, 2]))) for place in range(count)]
    return {"edges": [(name, parent) for name, own in zip(names, parents, strict=True) for parent in own], "root": root}


def changed(tree: dict[str, Any], seed: int, *, novel: int = 0, dropped: int = 0, moved: float = 0.3) -> dict[str, Any]:
    """With other parents for some concepts, some leaves more and some less."""
    dice = random.Random(seed)
    names = sorted({name for edge in tree["edges"] for name in edge})
    edges = [(c, dice.choice([n for n in names if n < c]) if dice.random() < moved else p) for c, p in tree["edges"]]
    edges = edges[: len(edges) - dropped]
    return {**tree, "edges": edges + [(f"new{number}", dice.choice(names[:3])) for number in range(novel)]}


# the averages that a score is made of, again


def plain(pair: Pair, values: dict[str, Any]) -> Leaf:
    return {pair.learned.key[name]: (float(value), 1.0) for name, value in values.items()}


def leaves(name: str, pair: Pair) -> list[Leaf]:
    """Of a measure by name, in the order in which `made` wants them."""
    if name in ("LP", "LR"):
        side = pair.learned if name == "LP" else pair.gold
        return [{c: (float(c in pair.common), 1.0) for c in side.concepts}]
    if name in ("TP_csc", "TO_csc"):
        kind = "overlap" if name == "TO_csc" else "precision"
        return [plain(pair, local_values(pair, kind, "csc", "common", "zero"))]
    if name == "TP_sc":
        return [plain(pair, local_values(pair, "precision", "sc", "learned", "zero"))]
    if name == "EdgeP":
        right = pair.learned.given & pair.gold.given
        children = {child for child, _ in pair.learned.given}
        return [
            {
                c: (float(sum(x == c for x, _ in right)), float(sum(x == c for x, _ in pair.learned.given)))
                for c in children
            }
        ]
    if name in ("TR_csc", "TR_sc", "EdgeR"):
        return leaves(name.replace("R", "P"), pair.swapped)
    if name in ("LF", "TF_csc", "TF_sc", "EdgeF"):
        return leaves(name.replace("F", "P"), pair) + leaves(name.replace("F", "R"), pair)
    assert name == "TFprime_csc"
    return leaves("LR", pair) + leaves("TF_csc", pair)


def harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


def made(name: str, means: Sequence[float]) -> float:
    """The score of the means of its leaves."""
    if len(means) == 1:
        return means[0]
    return harmonic(means[0], means[1]) if name != "TFprime_csc" else harmonic(means[0], harmonic(*means[1:]))


def mean(entries: Sequence[tuple[float, float]]) -> float:
    weight = sum(entry[1] for entry in entries)
    return sum(entry[0] for entry in entries) / weight if weight else 0.0


def score(name: str, parts: Sequence[Leaf], units: Sequence[Any]) -> float:
    return made(name, [mean([leaf[u] for u in units if u in leaf]) for leaf in parts])


LEAFY = ("LP", "LR", "LF", "TP_csc", "TR_csc", "TF_csc", "TFprime_csc", "TP_sc", "TF_sc", "TO_csc", "EdgeP", "EdgeF")


# intervals


def slow_interval(name: str, pair: Pair, rounds: int, seed: int) -> tuple[float, float]:
    parts = leaves(name, pair)
    units = sorted({u for leaf in parts for u in leaf})
    dice = np.random.default_rng(seed)
    drawn = [score(name, parts, [units[i] for i in dice.integers(len(units), size=len(units))]) for _ in range(rounds)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


@pytest.mark.parametrize("name", LEAFY)
def test_intervals_are_those_of_a_slow_bootstrap_with_other_draws(name: str) -> None:
    gold = grown(30, seed=1)
    learned = changed(gold, seed=2, novel=6, dropped=5)
    result = evaluate(compared(learned, gold), name)
    pair = pair_of(learned, gold)
    everything = sorted({u for leaf in leaves(name, pair) for u in leaf})
    assert result[name].value == pytest.approx(score(name, leaves(name, pair), everything))
    found = confidence(result, rounds=8_000)[name].interval
    assert found is not None
    assert found == pytest.approx(slow_interval(name, pair, 1_500, seed=77), abs=0.035)
    assert found[1] - found[0] > 0.07  # wider than the tolerance


def test_the_interval_of_a_share_of_many_concepts_is_near_the_binomial_quantiles() -> None:
    gold = {"edges": [], "concepts": [f"c{n}" for n in range(140)], "root": "none"}
    learned = {**gold, "concepts": [f"c{n}" for n in range(140)] + [f"n{n}" for n in range(60)]}
    result = evaluate(compared(learned, gold), "LP")
    assert result["LP"].value == 0.7
    for level in (0.5, 0.8, 0.95, 0.99):
        found = confidence(result, rounds=4_000, level=level)["LP"].interval
        ends = binom.ppf([(1 - level) / 2, (1 + level) / 2], 200, 0.7) / 200
        assert found == pytest.approx(tuple(ends), abs=0.015)


def test_equal_local_values_leave_no_doubt() -> None:
    # csc of each: the other three of the ring, of which one is right
    learned = {"edges": [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")], "root": "none"}
    gold = {"edges": [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")], "root": "none"}
    found = confidence(evaluate(compared(learned, gold), ["TP_csc", "TR_csc", "TF_csc", "LF", "TFprime_csc"]))
    ends = {"TP_csc": 1 / 3, "TR_csc": 1.0, "TF_csc": 0.5, "LF": 1.0, "TFprime_csc": 2 / 3}
    for name, value in ends.items():
        assert found[name].interval == pytest.approx((value, value))


def test_a_draw_without_a_novel_concept_counts_as_nothing_novel() -> None:
    # the novel and the missing concept both have {r} as csc: all local values are 1, and an average over no novel
    # concept is 1 by definition
    task = compared({"edges": [("n", "r")]}, {"edges": [("m", "r")]})
    result = evaluate(task, "TF(over=novel, estimate=optimistic)")
    assert result.scores[0].value == 1.0
    assert confidence(result, rounds=100).scores[0].interval == (1.0, 1.0)


def test_equal_ontologies_are_surely_equal_and_strangers_surely_strange() -> None:
    tree = grown(12, seed=3)
    same = confidence(evaluate(compared(tree, tree), AVERAGES), rounds=50)
    assert {score.interval for score in same} == {(1.0, 1.0)}
    strange = confidence(evaluate(compared(grown(12, seed=3, prefix="x"), tree), ["LP", "LF", "TP_sc", "EdgeF"]))
    assert {score.interval for score in strange} == {(0.0, 0.0)}


@FEW
@given(case=cases())
def test_intervals_are_ordered_lie_between_0_and_1_and_stand_beside_unchanged_scores(case: Case) -> None:
    before = evaluate(comparison(case), AVERAGES)
    after = confidence(before, rounds=40)
    assert [(s.name, s.value) for s in after] == [(s.name, s.value) for s in before]
    assert all(s.interval is None for s in before)
    for found in after:
        if found.interval is not None:
            assert 0.0 <= found.interval[0] <= found.interval[1] <= 1.0
    assert after["LP"].interval is not None
    assert after["LF"].interval is not None


@pytest.fixture
def result() -> EvaluationResult:
    gold = grown(40, seed=5)
    return evaluate(compared(changed(gold, seed=6, novel=8, dropped=7), gold), AVERAGES)


def intervals(result: EvaluationResult) -> dict[str, tuple[float, float] | None]:
    return {score.name: score.interval for score in result}


def test_the_same_seed_gives_the_same_interval_whatever_else_is_computed(result: EvaluationResult) -> None:
    found = intervals(confidence(result, rounds=200, seed=3))
    assert intervals(confidence(result, rounds=200, seed=3)) == found
    turned = replace(result, scores=result.scores[::-1])
    assert intervals(confidence(turned, rounds=200, seed=3)) == found
    for score in result.scores:
        assert intervals(confidence(replace(result, scores=(score,)), rounds=200, seed=3)) == {
            score.name: found[score.name]
        }


def test_another_seed_gives_other_draws(result: EvaluationResult) -> None:
    found = intervals(confidence(result, rounds=200, seed=3))
    assert intervals(confidence(result, rounds=200, seed=4)) != found


def test_a_higher_level_gives_a_wider_interval_around_the_other(result: EvaluationResult) -> None:
    wide, narrow = (intervals(confidence(result, rounds=300, level=level)) for level in (0.99, 0.6))
    for name in AVERAGES:
        outer, inner = wide[name], narrow[name]
        assert outer is not None
        assert inner is not None
        assert outer[0] < inner[0] < inner[1] < outer[1]


def test_more_concepts_give_a_narrower_interval() -> None:
    widths = []
    for count in (20, 200):
        names = [f"c{n}" for n in range(count)]
        sides = ({"edges": [], "concepts": some, "root": "none"} for some in (names, names[: count // 2]))
        interval = confidence(evaluate(compared(*sides), "LP"))["LP"].interval
        assert interval is not None
        widths.append(interval[1] - interval[0])
    assert widths[0] / widths[1] == pytest.approx(10**0.5, rel=0.2)


def test_scores_that_are_no_averages_over_concepts_have_no_interval(result: EvaluationResult) -> None:
    names = ["SM", "Motif", "CFM", "FuzzyF", "ContinuousP", "GraphR", "Concepts", "AvgDepth"]
    found = confidence(evaluate(result.subject, names))
    assert found["CFM"].undefined is not None  # there is no root
    assert set(intervals(found).values()) == {None}


def test_an_average_over_nothing_has_no_interval_and_neither_has_what_is_made_of_it() -> None:
    strangers = compared(grown(4, 1, prefix="x"), grown(4, 1))
    found = confidence(evaluate(strangers, ["TP_csc", "TF_csc", "TFprime_csc", "LR", "TP(average=micro)"]))
    assert intervals(found) == {
        "TP_csc": None,
        "TF_csc": None,
        "TFprime_csc": None,
        "LR": (0.0, 0.0),
        "TP(average=micro)": None,
    }
    bare = {"edges": [], "concepts": ["a", "b"], "root": "none"}
    found = confidence(evaluate(compared(bare, {"edges": [("a", "b")], "root": "none"}), ["EdgeP", "EdgeR", "EdgeF"]))
    assert intervals(found) == {"EdgeP": None, "EdgeR": (0.0, 0.0), "EdgeF": None}


# two learned ontologies


def exact_p(name: str, left: Pair, right: Pair) -> float:
    """Over all exchanges of units: how often the difference is at least as large as it is."""
    sides = leaves(name, left), leaves(name, right)
    units = sorted({u for parts in sides for leaf in parts for u in leaf})
    assert len(units) <= 12
    differing = [u for u in units if any(a.get(u) != b.get(u) for a, b in zip(*sides, strict=True))]

    def difference(exchanged: set[Any]) -> float:
        values = []
        for own, other in (sides, sides[::-1]):
            parts = [
                {u: (b if u in exchanged else a)[u] for u in units if u in (b if u in exchanged else a)}
                for a, b in zip(own, other, strict=True)
            ]
            values.append(score(name, parts, units))
        return abs(values[0] - values[1])

    observed = difference(set())
    ways = list(product([False, True], repeat=len(differing)))
    extreme = [
        difference({u for u, turned in zip(differing, way, strict=True) if turned}) >= observed - 1e-9 for way in ways
    ]
    return sum(extreme) / len(ways)


GOLD = grown(9, seed=8)
PAIRS = {
    "other parents": (changed(GOLD, 1, moved=0.2), changed(GOLD, 2, moved=0.7)),
    "other common concepts": (changed(GOLD, 3, dropped=3, moved=0.5), changed(GOLD, 4, dropped=1, moved=0.1)),
    "novel concepts, some on both sides": (changed(GOLD, 5, novel=1, moved=0.6), changed(GOLD, 6, novel=3, moved=0)),
    "right and half missing": (GOLD, changed(GOLD, 7, dropped=4, moved=0.8)),
}


@pytest.mark.parametrize("sides", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("name", LEAFY)
def test_p_is_near_the_share_of_all_exchanges(name: str, sides: tuple[dict[str, Any], dict[str, Any]]) -> None:
    left, right = (evaluate(compared(side, GOLD), name) for side in sides)
    expected = exact_p(name, *(pair_of(side, GOLD) for side in sides))
    assert p_values(left, right, rounds=20_000) == {name: pytest.approx(expected, abs=0.02)}


def test_a_clear_difference_of_eight_concepts_has_the_p_of_the_two_extreme_exchanges() -> None:
    # every concept is wrong on one side and right on the other: only all or none of 2^8 exchanges differ as much
    names = [f"c{n}" for n in range(8)]
    gold = {"edges": [], "concepts": names, "root": "none"}
    right = compared(gold, gold)
    wrong = compared({"edges": [], "concepts": ["x"], "root": "none"}, gold)
    found = p_values(evaluate(right, "LR"), evaluate(wrong, "LR"), rounds=40_000)
    assert found == {"LR": pytest.approx(2 / 256, abs=0.002)}


def test_novel_concepts_of_both_sides_are_one_unit_if_they_have_one_iri() -> None:
    # LP 4/5 and 4/7; with the same x on both sides only y and z are exchanged, with different ones x, y, z, w
    gold = {"edges": [], "concepts": list("abcd"), "root": "none"}
    left = {**gold, "concepts": list("abcdx")}
    same, other = {**gold, "concepts": list("abcdxyz")}, {**gold, "concepts": list("abcdwyz")}
    expected = [exact_p("LP", pair_of(left, gold), pair_of(right, gold)) for right in (same, other)]
    assert expected == [0.5, 0.625]  # all but y and z on different sides; of 4 units all but 2 : 2
    results = [evaluate(compared(side, gold), "LP") for side in (left, same, other)]
    assert p_values(results[0], results[1], rounds=20_000) == {"LP": pytest.approx(0.5, abs=0.02)}
    assert p_values(results[0], results[2], rounds=20_000) == {"LP": pytest.approx(0.625, abs=0.02)}


def test_equal_results_do_not_differ(result: EvaluationResult) -> None:
    assert p_values(result, result, rounds=50) == dict.fromkeys(AVERAGES, 1.0)
    again = evaluate(Comparison(result.subject.learned, result.subject.gold), AVERAGES)
    assert p_values(result, again, rounds=50) == dict.fromkeys(AVERAGES, 1.0)


@FEW
@given(case=cases())
def test_p_is_above_0_at_most_1_and_a_multiple_of_one_round(case: Case) -> None:
    left = evaluate(comparison(case), AVERAGES)
    gold = left.subject.gold
    right = evaluate(Comparison(gold, gold), AVERAGES)
    for p in p_values(left, right, rounds=49).values():
        if p is not None:
            assert 0 < p <= 1
            assert p * 50 == pytest.approx(round(p * 50))


def two_results(**changes: int) -> tuple[EvaluationResult, EvaluationResult]:
    gold = grown(25, seed=11)
    one, two = changed(gold, 12, moved=0.2), changed(gold, 13, moved=0.5, **changes)
    return evaluate(compared(one, gold), AVERAGES), evaluate(compared(two, gold), AVERAGES)


def test_which_of_the_two_comes_first_does_not_matter() -> None:
    left, right = two_results(dropped=4)
    assert p_values(left, right, rounds=500) == p_values(right, left, rounds=500)
    left, right = two_results(dropped=4, novel=5)  # novel ones may be drawn in another order
    there, back = p_values(left, right, rounds=5_000), p_values(right, left, rounds=5_000)
    assert there == {name: pytest.approx(p, abs=0.03) for name, p in back.items()}


def test_the_same_seed_gives_the_same_p_and_another_one_another() -> None:
    left, right = two_results(dropped=3)
    found = p_values(left, right, rounds=300, seed=1)
    assert p_values(left, right, rounds=300, seed=1) == found
    assert p_values(left, right, rounds=300, seed=2) != found


def test_only_measures_of_both_results_are_tested_under_the_names_of_the_first() -> None:
    left, right = two_results()
    one = evaluate(left.subject, ["TP", "LP", "SM", "LF"])
    other = evaluate(right.subject, ["LF", "TP_csc", "SM", "EdgeF"])
    found = p_values(one, other, rounds=100)
    assert list(found) == ["TP", "SM", "LF"]
    assert found["SM"] is None  # no average over concepts
    assert found["TP"] is not None


def test_no_p_where_one_side_has_nothing_to_average() -> None:
    gold = grown(6, seed=1)
    left = evaluate(compared(gold, gold), ["TP_csc", "LP"])
    right = evaluate(compared(grown(6, seed=1, prefix="x"), gold), ["TP_csc", "LP"])
    found = p_values(left, right, rounds=100)
    assert found["TP_csc"] is None
    assert found["LP"] is not None


# what is refused


def test_results_on_different_gold_standards_are_refused() -> None:
    left, right = (evaluate(compared(grown(6, seed=1), grown(count, seed=1)), "LP") for count in (6, 7))
    with pytest.raises(ParameterError) as error:
        p_values(left, right)
    assert str(error.value) == "the two results have different gold standards. Score both against the same one."


def test_gold_standards_with_the_same_concepts_and_other_links_are_different() -> None:
    golds = [{"edges": [("a", "r"), ("b", "r"), ("c", parent)]} for parent in ("a", "b")]
    left, right = (evaluate(compared(golds[0], gold), "TP_csc") for gold in golds)
    with pytest.raises(ParameterError) as error:
        p_values(left, right)
    assert str(error.value) == "the two results have different gold standards. Score both against the same one."


@pytest.mark.parametrize("rounds", [0, -1, 1.5, "many", None])
def test_a_number_of_rounds_that_is_none_is_refused(result: EvaluationResult, rounds: Any) -> None:
    text = f"rounds must be a whole number >= 1, not {rounds!r}. Use e.g. 1000."
    with pytest.raises(ParameterError) as error:
        confidence(result, rounds=rounds)
    assert str(error.value) == text
    with pytest.raises(ParameterError) as error:
        p_values(result, result, rounds=rounds)
    assert str(error.value) == text


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, float("nan")])
def test_a_level_that_is_none_is_refused(result: EvaluationResult, level: float) -> None:
    with pytest.raises(ParameterError) as error:
        confidence(result, level=level)
    assert str(error.value) == f"level must be a number > 0 and < 1, not {level!r}. Use e.g. 0.95."


def test_scores_without_their_ontologies_are_refused(result: EvaluationResult) -> None:
    text = "the compared ontologies are needed, but only scores were read. Evaluate them again."
    bare = replace(result, subject=None)
    with pytest.raises(MissingInputError) as error:
        confidence(bare)
    assert str(error.value) == text
    for pair in ((bare, result), (result, bare)):
        with pytest.raises(MissingInputError) as error:
            p_values(*pair)
        assert str(error.value) == text


# how many rounds by default


def test_the_least_p_by_default_is_that_of_10000_rounds() -> None:
    # 40 concepts, all right on one side and wrong on the other: 2 of 2^40 exchanges differ as much, none is drawn
    gold = {"edges": [], "concepts": [f"c{n}" for n in range(40)], "root": "none"}
    right = evaluate(compared(gold, gold), "LR")
    wrong = evaluate(compared({"edges": [], "concepts": ["x"], "root": "none"}, gold), "LR")
    assert p_values(right, wrong) == {"LR": 1 / 10_001}
    found = differences(right, wrong)["LR"]
    assert found is not None
    assert (found.value, found.interval, found.p) == (1.0, (1.0, 1.0), 1 / 10_001)
