"""Pearson, Spearman and Kendall of measures between concepts with ratings."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import ontoeval as oe
from ontoeval.analysis.relate import nearest, relate_all
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.measures import parse
from ontoeval.measures.concepts.coefficients import Correlation

# a chain and a branch: a < b < c < r, d < r; distances from a: 1, 2, 3, 4
EDGES = [("a", "b"), ("b", "c"), ("c", "r"), ("d", "r")]
LEFT, RIGHT = ["a", "a", "a", "a"], ["b", "c", "r", "d"]
SCIPY = (stats.pearsonr, stats.spearmanr, stats.kendalltau)


def once(x: list[float], y: list[float]) -> list[float]:
    ones = np.ones((len(x), 1))
    found: list[float] = Correlation(np.array(x, float), np.array(y, float)).coefficients(ones)[:, 0].tolist()
    return found


# twins, straight from the definitions


def plain_ranks(values: list[float]) -> list[Fraction]:
    return [
        Fraction(sum(other < own for other in values)) + Fraction(1 + sum(other == own for other in values), 2)
        for own in values
    ]


def plain_pearson(x: list[Fraction], y: list[Fraction]) -> float:
    mean_x, mean_y = sum(x, Fraction()) / len(x), sum(y, Fraction()) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    spread = sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y)
    return float(covariance) / math.sqrt(spread) if spread else math.nan


def plain_spearman(x: list[float], y: list[float]) -> float:
    return plain_pearson(plain_ranks(x), plain_ranks(y))


def plain_kendall(x: list[float], y: list[float]) -> float:
    same = opposite = only_x = only_y = 0
    for (a, b), (c, d) in combinations(list(zip(x, y, strict=True)), 2):
        if a != c and b != d:
            same += (a < c) == (b < d)
            opposite += (a < c) != (b < d)
        only_x += a != c and b == d
        only_y += a == c and b != d
    spread = (same + opposite + only_x) * (same + opposite + only_y)
    return (same - opposite) / math.sqrt(spread) if spread else math.nan


rows = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=25)


@given(rows)
def test_coefficients_are_those_of_the_definitions(pairs: list[tuple[int, int]]) -> None:
    x, y = ([float(pair[side]) for pair in pairs] for side in (0, 1))
    plain = plain_pearson([Fraction(int(v)) for v in x], [Fraction(int(v)) for v in y])
    expected = [plain, plain_spearman(x, y), plain_kendall(x, y)]
    assert once(x, y) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("kinds", [2, 4, 30, 10**6])
@pytest.mark.parametrize("size", [5, 31, 400])
def test_coefficients_are_those_of_scipy_for_every_draw(size: int, kinds: int) -> None:
    random = np.random.default_rng(size * kinds)
    x = random.integers(0, kinds, size) / 8.0  # exact, so that both see the same ties
    y = x + random.integers(0, kinds, size) / 4.0
    drawn = random.integers(0, size, (20, size))
    often = np.stack([np.bincount(draw, minlength=size) for draw in drawn], axis=1).astype(float)
    found = Correlation(x, y).coefficients(often)
    checked = 0
    for column, draw in enumerate(drawn):
        if np.ptp(x[draw]) == 0 or np.ptp(y[draw]) == 0:
            assert np.isnan(found[:, column]).all()
            continue
        checked += 1
        expected = [function(x[draw], y[draw]).statistic for function in SCIPY]
        assert found[:, column] == pytest.approx(expected, abs=1e-9)
    assert checked > 10


def test_values_that_differ_in_the_last_digit_alone_are_ties() -> None:
    x = [0.1 + 0.2, 0.3, 0.6, 0.7]
    assert x[0] != x[1]
    assert once(x, [1, 2, 3, 3])[2] == pytest.approx(4 / 5)  # 4 in order, one tie each


def test_values_far_from_0_lose_nothing() -> None:
    small = np.array([1.0, 2.0, 4.0, 3.0])
    assert once((small * 1e-3 + 1e6).tolist(), [1, 2, 3, 5]) == pytest.approx(
        once(small.tolist(), [1, 2, 3, 5]), abs=1e-4
    )
    assert once((small * 1e200).tolist(), [1, 2, 3, 5]) == pytest.approx(once(small.tolist(), [1, 2, 3, 5]))


# as measures


def rated(ratings: list[float] | None, *, root: str = "auto") -> oe.ConceptPairs:
    ontology = oe.Ontology.from_edges(EDGES, concepts=["z"] if root == "none" else [], root=root)
    return oe.ConceptPairs(ontology, LEFT, RIGHT, None if ratings is None else np.array(ratings))


@pytest.mark.parametrize("place", range(3))
def test_a_measure_is_compared_with_the_ratings(place: int) -> None:
    name = ("Pearson", "Spearman", "Kendall")[place]
    ratings = [4.0, 2.0, 3.0, 1.0]
    for similarity in ("Rada", "LC", "WP", "Lin(ic=sanchez)"):
        task = rated(ratings)
        score = parse(f"{name}(similarity={similarity})")(task)
        values = oe.relate(task.ontology, LEFT, RIGHT, similarity)
        assert score.value == pytest.approx(SCIPY[place](values, ratings).statistic)
        assert dict(score.counts) == {"pairs": 4, "left_out": 0}
        assert score.local is None


def test_a_distance_counts_as_its_negative() -> None:
    task = rated([4, 3, 2, 1])
    assert parse("Pearson(similarity=Rada(scale=distance))")(task).value == pytest.approx(1)
    assert parse("Pearson(similarity=Rada)")(task).value == pytest.approx(
        stats.pearsonr([1 / 2, 1 / 3, 1 / 4, 1 / 5], [4, 3, 2, 1]).statistic
    )


def test_of_several_senses_the_best_pair_counts() -> None:
    ontology = oe.Ontology.from_edges(EDGES)
    task = oe.ConceptPairs(ontology, [["a", "d"], "a", "a"], [["b", "c"], "c", "r"], np.array([1.0, 2.0, 3.0]))
    assert parse("Pearson(similarity=Rada(scale=distance))")(task).value == pytest.approx(-1)  # 1, 2, 3


def test_pairs_without_a_finite_value_are_left_out_and_counted() -> None:
    ontology = oe.Ontology.from_edges(EDGES, concepts=["z"], root="none")
    task = oe.ConceptPairs(ontology, ["a", "a", "a", "a"], ["b", "c", "r", "z"], np.array([3.0, 1.0, 2.0, 9.0]))
    for name, expected in (("Pearson", 0.5), ("Spearman", 0.5), ("Kendall", 1 / 3)):
        score = parse(f"{name}(similarity=Rada(scale=distance))")(task)
        assert score.value == pytest.approx(expected)
        assert dict(score.counts) == {"pairs": 3, "left_out": 1}
    assert parse("Pearson(similarity=Rada)")(task).counts == {"pairs": 4, "left_out": 0}  # 1 / (1 + inf) is 0


@pytest.mark.parametrize("name", ["Pearson", "Spearman", "Kendall"])
@pytest.mark.parametrize(
    ("left", "right", "ratings", "similarity", "reason"),
    [
        ([], [], [], "Rada", "no pairs; a correlation needs at least two"),
        (["a"], ["b"], [1], "Rada", "1 pair; a correlation needs at least two"),
        (
            ["a", "a"], ["b", "z"], [1, 2], "Rada(scale=distance)",
            "1 pair with a finite value; a correlation needs at least two",
        ),
        (["a"], ["z"], [1], "Rada(scale=distance)", "no pairs with a finite value; a correlation needs at least two"),
        (["a", "a"], ["b", "c"], [2.5, 2.5], "Rada", "all ratings are the same (2.5)"),
        (["a", "b"], ["b", "c"], [1, 2], "Rada", "all values of Rada are the same (0.5)"),
    ],
)  # fmt: skip
def test_without_a_coefficient_there_is_a_reason(
    name: str, left: list[str], right: list[str], ratings: list[float], similarity: str, reason: str
) -> None:
    ontology = oe.Ontology.from_edges(EDGES, concepts=["z"], root="none")
    score = parse(f"{name}(similarity={similarity})")(oe.ConceptPairs(ontology, left, right, np.array(ratings, float)))
    assert score.undefined == reason
    assert math.isnan(score.value)


def test_without_ratings_there_is_no_coefficient() -> None:
    assert parse("Pearson")(rated(None)).undefined == "the pairs have no ratings"
    with pytest.raises(MissingInputError) as error:
        oe.evaluate(rated(None), ["Lin", "Kendall(similarity=Lin)"])
    assert str(error.value) == (
        "Kendall(similarity=Lin) needs ratings, but the pairs have none. Use ConceptPairs(ontology, left, right, "
        "ratings)."
    )


def test_evaluate_takes_them_beside_others() -> None:
    found = oe.evaluate(rated([4, 3, 2, 1]), ["Rada", "Pearson(similarity=Rada(scale=distance))"])
    assert found["Pearson(similarity=Rada(scale=distance))"].value == pytest.approx(1)
    assert found["Rada"].value == pytest.approx((1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 4)


def test_they_are_no_measures_between_concepts() -> None:
    message = "Pearson does not score pairs of concepts. Use a measure such as BDM or Lin; see `ontoeval measures`."
    ontology = oe.Ontology.from_edges(EDGES)
    for call in (
        lambda: oe.relate(ontology, ["a"], ["b"], "Pearson"),
        lambda: relate_all(ontology, None, "Pearson"),
        lambda: nearest(ontology, "a", "Pearson"),
    ):
        with pytest.raises(MissingInputError) as error:
            call()
        assert str(error.value) == message


def test_names_with_a_measure_inside_are_read_and_written() -> None:
    assert str(parse("Pearson")) == "Pearson"
    assert parse("Pearson(similarity=BDM)") == parse("Pearson")
    spelled = "Spearman(similarity=Lin(ic=sanchez, leaf_itself=true))"
    assert str(parse(spelled)) == spelled
    assert parse(str(parse(spelled))) == parse(spelled)


@pytest.mark.parametrize("inner", ["TF_csc", "Pearson", "Kendall(similarity=Lin)"])
def test_the_measure_inside_has_to_be_one_between_concepts(inner: str) -> None:
    with pytest.raises(ParameterError) as error:
        parse(f"Pearson(similarity={inner})")
    assert str(error.value) == (
        f"{inner} does not score pairs of concepts. Use a measure such as BDM or Lin; see `ontoeval measures`."
    )


def test_values_equal_to_twelve_digits_are_ties_for_spearman_and_kendall() -> None:
    """Ranks 1.5, 1.5, 3, 4 and 1, 2, 3.5, 3.5: rho = 4 / 4.5; 4 of 6 twos in order and one tie each: tau = 4 / 5."""
    for almost in (0.7 - 0.4, 0.3 + 4e-13):
        assert almost != 0.3
        assert round(almost, 16) != 0.3
        assert once([almost, 0.3, 0.6, 1.0], [1, 2, 3, 3])[1:] == pytest.approx([8 / 9, 4 / 5], abs=1e-12)
    # 1.0 apart in the twelfth digit are two values: one more two in opposite order, 3 / sqrt(6 * 5)
    apart = once([0.3 + 1e-12, 0.3, 0.6, 1.0], [1, 2, 3, 3])
    assert apart[2] == pytest.approx(3 / math.sqrt(30), abs=1e-12)
