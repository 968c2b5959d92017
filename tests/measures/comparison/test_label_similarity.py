"""Fuzzy, Continuous and Graph F1: by hand, against the twin, and what a function of the user's may not give."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
import twin_soft as twin
from helpers import compared
from hypothesis import given
from hypothesis import strategies as st
from strategies import MODES, Bytes, hierarchies, picks, root_of, shuffles

from ontoeval.errors import ParameterError
from ontoeval.matching.matcher import DEFAULT, match
from ontoeval.measures import parse
from ontoeval.measures.comparison import _label_similarity as _labels
from ontoeval.measures.comparison import label_similarity as soft
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison

TEXTS = (
    "",
    "a",
    "b",
    "ab",
    "abc",
    "Top Hotel",
    "TopHotel",
    "Top_Hotel",
    "hotel",
    "_",
    "HTMLPage",
    "html page",
    "Ä",
    "日本",
)
THRESHOLDS = (0.0, 0.25, 0.436, 0.5, 2 / 3, 0.875, 1.0)
P_AND_R = [("FuzzyP", "FuzzyR"), ("ContinuousP", "ContinuousR"), ("GraphP", "GraphR")]
SOFT = [f"{kind}{letter}" for kind in ("Fuzzy", "Continuous", "Graph") for letter in "PRF"]


def _made(drawn: tuple[list[Any], list[str]], more: bytes, pick: int) -> dict[str, Any]:
    """Keyword arguments of Ontology.from_edges: few edges, so that the twin can try all assignments; odd labels."""
    take = Bytes(more)
    edges, concepts = drawn[0][:9], drawn[1][:3]
    if take.number(7) == 0:  # a concept without a name is the only one without a text
        concepts = [*concepts, ""]
    names = sorted({name for edge in edges for name in edge[:2]} | set(concepts))
    root = root_of({"edges": edges, "concepts": concepts}, pick)
    if root not in (*MODES, *names):  # a root that the user names is a concept like any other
        names.append(root)
    return {"edges": edges, "concepts": concepts, "labels": {n: take.choice(TEXTS) for n in names}, "root": root}


SIDES = st.builds(_made, hierarchies(), st.binary(min_size=25, max_size=25), picks())


task_of = partial(compared, by=DEFAULT)


def sides_of(*made: dict[str, Any]) -> tuple[twin.Side, ...]:
    return tuple(twin.side(m["edges"], m["concepts"], m["labels"]) for m in made)


def task(learned: str, gold: str, **labels: str) -> Comparison:
    """`van<car coupé<car` on each side; a name alone is a concept."""
    made = []
    for text in (learned, gold):
        parts = [part.split("<") for part in text.split()]
        names = {name for part in parts for name in part}
        own = {name: label for name, label in labels.items() if name in names}
        made.append({"edges": [p for p in map(tuple, parts) if len(p) == 2], "concepts": sorted(names), "labels": own})
    return task_of(*made)


def value(name: str, task: Comparison, **parameters: Any) -> float:
    return parse(name, **parameters)(task).value


@contextmanager
def limit(module: Any, name: str, size: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, size)
        yield


# by hand


def hotels() -> Comparison:
    return task("TopHotel<hotel inn<hotel", "Top_Hotel<hotels pub<bar")


def test_fuzzy_by_hand() -> None:
    """SM(TopHotel, Top_Hotel) = 7/8 and SM(hotel, hotels) = 4/5; the other links have nothing like them."""
    assert value("FuzzyP", hotels()) == 1 / 2
    assert value("FuzzyR", hotels()) == 1 / 2
    assert value("FuzzyF", hotels()) == 1 / 2
    assert value("FuzzyP(threshold=0.8)", hotels()) == 1 / 2
    assert value("FuzzyP(threshold=0.81)", hotels()) == 0
    assert dict(parse("FuzzyF")(hotels()).counts) == {
        "matched_learned": 1, "learned_edges": 2, "matched_gold": 1, "gold_edges": 2,
    }  # fmt: skip


def test_one_gold_link_serves_several_learned_ones() -> None:
    several = task("car1<thing car2<thing car3<thing box<lid", "car<thing")
    assert value("FuzzyP", several) == 3 / 4
    assert value("FuzzyR", several) == 1
    assert value("FuzzyF", several) == pytest.approx(6 / 7)


def test_both_ends_must_be_like_those_of_one_link() -> None:
    crossed = task("apple<fruit", "apple<company orange<fruit")
    assert value("FuzzyP(threshold=0.9)", crossed) == 0
    assert value("FuzzyP(threshold=0.9)", task("apple<fruit", "fruit<apple")) == 0


def test_tokens_by_hand() -> None:
    cars = task("FastCar<vehicle", "x<y z<y", x="car that is fast", y="Vehicle", z="slow car")
    assert value("FuzzyP(labels=tokens)", cars) == 1  # 2 / sqrt(2 * 4) = 0.71
    assert value("FuzzyP(labels=tokens, threshold=0.72)", cars) == 0
    assert value("FuzzyR(labels=tokens)", cars) == 1
    assert value("FuzzyR(labels=tokens, threshold=0.6)", cars) == 1 / 2  # slow car: 1 / sqrt(2 * 2) = 0.5
    assert value("ContinuousP(labels=tokens)", cars) == pytest.approx(1 / math.sqrt(2))


def test_continuous_by_hand() -> None:
    """Min(7/8, 4/5) for the hotels; of inn < hotel and pub < bar no letter stands where it should."""
    assert value("ContinuousP", hotels()) == pytest.approx(0.8 / 2)
    several = task("cars<thing card<thing", "car<thing")  # SM 2/3 each, one to one
    assert value("ContinuousP", several) == pytest.approx(1 / 3)
    assert value("ContinuousR", several) == pytest.approx(2 / 3)
    assert value("ContinuousF", several) == pytest.approx(4 / 9)
    assert dict(parse("ContinuousF")(several).counts) == {
        "similarity": pytest.approx(2 / 3), "learned_edges": 2, "gold_edges": 1,
    }  # fmt: skip


def test_the_assignment_is_the_best_in_all() -> None:
    """The most similar pair (1) would leave 0 for the other; 3/4 and 1/4 do not beat it, 3/4 and 3/4 do."""
    table = {("a", "x"): 1.0, ("a", "y"): 0.75, ("b", "x"): 0.75, ("b", "y"): 0.0}

    def look(left: list[str], right: list[str]) -> list[list[float]]:
        return [[table.get((a, b), 1.0) for b in right] for a in left]

    assert value("ContinuousP", task("a<t b<t", "x<t y<t"), labels=look) == 0.75


def test_graph_by_hand() -> None:
    """Without rounds cos(ab, a) = 1/sqrt(2) and cos(c, c) = 1."""
    pair = task("ab<c", "a<c")
    assert value("GraphP(rounds=0)", pair) == pytest.approx((1 + 1 / math.sqrt(2)) / 2)
    # one round: x(ab) = (1/2, 1/2, 1/sqrt(2)) of length 1, x(a) = (1/2, 0, 1/sqrt(2)), c stays
    near = (1 / 4 + 1 / 2) / math.sqrt(3 / 4)
    assert value("GraphP(rounds=1)", pair) == pytest.approx((1 + near) / 2)
    # two: x(ab) = x/2 + c/sqrt(2)
    left, right = np.array([1 / 4, 1 / 4, 3 / math.sqrt(8)]), np.array([1 / 4, 0, 3 / math.sqrt(8)])
    near = float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))
    assert value("GraphP", pair) == pytest.approx((1 + near) / 2)
    more = parse("GraphF")(task("ab<c", "a<c q"))
    assert more.value == pytest.approx(2 * (1 + near) / 5)
    assert dict(more.counts) == {
        "similarity": pytest.approx(1 + near), "learned_concepts": 2, "gold_concepts": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("learned", "gold", "precision", "recall"),
    [("a", "b", 1, 1), ("a", "a<b", 0, 0), ("a<b", "a", 0, 0), ("a<a", "b", 1, 1), ("a<b", "b<c", 0, 0)],
)
def test_without_edges(learned: str, gold: str, precision: float, recall: float) -> None:
    for kind in ("Fuzzy", "Continuous"):
        assert value(f"{kind}P", task(learned, gold)) == precision
        assert value(f"{kind}R", task(learned, gold)) == recall
        assert value(f"{kind}F", task(learned, gold)) == precision


def test_an_added_root_takes_no_part() -> None:
    single, floating = task("a", "a"), task("a b", "a")
    assert floating.learned.hierarchy.root_added
    assert value("GraphP", single) == 1
    assert value("GraphP", floating) == 1 / 2
    assert value("GraphR", floating) == 1


def test_the_first_language_of_the_matching_chooses_the_labels() -> None:
    made = {"edges": [("x", "y")], "labels": {"x": [("car", "en"), ("Auto", "de")], "y": ["thing"]}}
    other = {"edges": [("u", "v")], "labels": {"u": [("Auto", "de")], "v": [("thing", "fr")]}}
    left, right = Ontology.from_edges(**made), Ontology.from_edges(**other)
    for language, expected in ((None, 0), ("en", 0), ("de", 1), (["de", "en"], 1), (["en", "de"], 0)):
        found = Comparison(left, right, match(left, right, language=language))
        assert value("FuzzyF", found) == expected
        assert value("ContinuousF", found) == expected
        assert (value("GraphF", found) == pytest.approx(1)) == bool(expected)


# against the twin


@given(learned=SIDES, gold=SIDES, threshold=st.sampled_from(THRESHOLDS), labels=st.sampled_from(["sm", "tokens"]))
def test_fuzzy_is_the_twins(learned: Any, gold: Any, threshold: float, labels: str) -> None:
    pair, (left, right) = task_of(learned, gold), sides_of(learned, gold)
    expected = [
        twin.fuzzy_precision(a, b, threshold, twin.LIKE[labels]) for a, b in ((left, right), (right, left))
    ]  # fmt: skip
    found = [value(name, pair, threshold=threshold, labels=labels) for name in ("FuzzyP", "FuzzyR", "FuzzyF")]
    assert found[:2] == expected
    assert found[2] == pytest.approx(2 * expected[0] * expected[1] / (sum(expected) or 1))
    with limit(_labels, "_BLOCK", 7), limit(_labels, "_SMALL_BLOCK", 5), limit(soft, "_BLOCK", 3):
        assert [value(name, pair, threshold=threshold, labels=labels) for name in ("FuzzyP", "FuzzyR")] == expected


@given(learned=SIDES, gold=SIDES, labels=st.sampled_from(["sm", "tokens"]))
def test_continuous_is_the_twins(learned: Any, gold: Any, labels: str) -> None:
    pair, (left, right) = task_of(learned, gold), sides_of(learned, gold)
    expected = [twin.continuous_precision(a, b, twin.LIKE[labels]) for a, b in ((left, right), (right, left))]
    with limit(_labels, "_BLOCK", 7), limit(soft, "_BLOCK", 3):
        found = [value(f"Continuous{letter}", pair, labels=labels) for letter in "PRF"]
    assert found[:2] == pytest.approx(expected)
    assert found[2] == pytest.approx(2 * expected[0] * expected[1] / (sum(expected) or 1))


@given(learned=SIDES, gold=SIDES, rounds=st.integers(0, 4))
def test_graph_is_the_twins(learned: Any, gold: Any, rounds: int) -> None:
    pair, (left, right) = task_of(learned, gold), sides_of(learned, gold)
    expected = [twin.graph_precision(a, b, rounds) for a, b in ((left, right), (right, left))]
    found = [value(f"Graph{letter}", pair, rounds=rounds) for letter in "PRF"]
    assert found[:2] == pytest.approx(expected)
    assert found[2] == pytest.approx(2 * expected[0] * expected[1] / (sum(expected) or 1))


@given(left=st.text(max_size=12), right=st.text(max_size=12))
def test_similarities_of_any_two_texts(left: str, right: str) -> None:
    for labels, like in twin.LIKE.items():
        assert _labels.similarities([left], [right], labels)[0, 0] == like(left, right)  # type: ignore[arg-type]
        assert _labels.similarities([left], [left], labels)[0, 0] == 1  # type: ignore[arg-type]


LISTS = st.lists(st.text("ab B_", max_size=9), max_size=8, unique=True)


@pytest.mark.parametrize("labels", ["sm", "tokens"])
@given(left=LISTS, right=LISTS, threshold=st.sampled_from(THRESHOLDS), block=st.integers(1, 40))
def test_similar_texts_are_all_found(
    labels: Any, left: list[str], right: list[str], threshold: float, block: int
) -> None:
    """Although most pairs are never compared."""
    with limit(_labels, "_BLOCK", block), limit(_labels, "_SMALL_BLOCK", block):
        found = _labels.alike(left, right, labels, threshold)
    assert found is not None
    expected = [[twin.LIKE[labels](a, b) >= threshold for b in right] for a in left]
    assert found.toarray().tolist() == expected


def test_similar_texts_at_the_limit_of_the_lengths() -> None:
    """SM(a, b) = t exactly where the longer text is the shorter and (1 - t) of it more."""
    for threshold, short, long in ((0.5, "ab", "abb"), (0.5, "", ""), (0.25, "abab", "abababa"), (1.0, "a", "a")):
        for left, right in ((short, long), (long, short)):
            found = _labels.alike([left], [right, "abcdefghijklmn"], "sm", threshold)
            assert found is not None
            assert found.toarray().tolist() == [[True, False]]


@given(text=st.text("aB9_- zQ", max_size=12))
def test_words_are_the_twins(text: str) -> None:
    assert _labels.word_set(text) == twin.words(text)


# properties


@pytest.mark.parametrize("name", SOFT)
@given(made=SIDES)
def test_identity_gives_one(name: str, made: dict[str, Any]) -> None:
    assert value(name, task_of(made, made)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", SOFT)
@given(learned=SIDES, gold=SIDES)
def test_values_are_in_range(name: str, learned: Any, gold: Any) -> None:
    assert 0 <= value(name, task_of(learned, gold)) <= 1


@pytest.mark.parametrize("names", P_AND_R)
@given(learned=SIDES, gold=SIDES)
def test_precision_is_recall_the_other_way_round(names: tuple[str, str], learned: Any, gold: Any) -> None:
    there, back = task_of(learned, gold), task_of(gold, learned)
    assert value(names[0], there) == pytest.approx(value(names[1], back))
    assert value(names[0], there) == pytest.approx(value(names[1], there.swapped))
    assert value(f"{names[0][:-1]}F", there) == pytest.approx(value(f"{names[0][:-1]}F", back))


@given(learned=SIDES, gold=SIDES, shuffle=shuffles())
def test_order_does_not_matter(learned: Any, gold: Any, shuffle: Any) -> None:
    names = ("FuzzyF", "ContinuousF", "GraphF")
    pair = task_of(learned, gold)
    before = {name: value(name, pair) for name in names}
    for made in (learned, gold):
        shuffle.shuffle(made["edges"])
        shuffle.shuffle(made["concepts"])
    pair = task_of(learned, gold)
    assert {name: value(name, pair) for name in names} == pytest.approx(before)


@given(learned=hierarchies(), gold=hierarchies())
def test_equal_labels_alone_is_the_precision_of_links(learned: Any, gold: Any) -> None:
    """Where each concept is called by its name, and only by it."""
    made = [{"edges": e, "concepts": c, "labels": {n: n for edge in e for n in edge[:2]}} for e, c in (learned, gold)]
    pair = task_of(*made)
    for letter in "PRF":
        assert value(f"Fuzzy{letter}(threshold=1)", pair) == pytest.approx(value(f"Edge{letter}", pair))


@given(learned=SIDES, gold=SIDES, steps=st.tuples(*[st.sampled_from(THRESHOLDS)] * 2))
def test_a_higher_threshold_never_finds_more(learned: Any, gold: Any, steps: tuple[float, float]) -> None:
    pair = task_of(learned, gold)
    low, high = sorted(steps)
    assert value("FuzzyP", pair, threshold=low) >= value("FuzzyP", pair, threshold=high)


def test_f_is_made_of_precision_and_recall() -> None:
    for name in ("FuzzyF", "ContinuousF", "GraphF"):
        score = parse(name)(hotels())
        assert [part.value for part in score.parts] == [value(f"{name[:-1]}{x}", hotels()) for x in "PR"]


@pytest.mark.parametrize("name", ["ContinuousF", "GraphF"])
def test_f_assigns_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    assigned = soft._best_total
    monkeypatch.setattr(soft, "_best_total", lambda values: calls.append(1) or assigned(values))
    value(name, hotels())
    assert calls == [1]


# functions


def matrix(like: Callable[[str, str], float]) -> Callable[[list[str], list[str]], Any]:
    return lambda left, right: [[like(a, b) for b in right] for a in left]


@given(learned=SIDES, gold=SIDES, labels=st.sampled_from(["sm", "tokens"]), threshold=st.sampled_from(THRESHOLDS))
def test_a_function_that_does_the_same_gives_the_same(learned: Any, gold: Any, labels: str, threshold: float) -> None:
    pair, function = task_of(learned, gold), matrix(twin.LIKE[labels])
    for letter in "PRF":
        fuzzy = f"Fuzzy{letter}"
        assert value(fuzzy, pair, labels=function, threshold=threshold) == value(
            fuzzy, pair, labels=labels, threshold=threshold
        )
        assert value(f"Continuous{letter}", pair, labels=function) == pytest.approx(
            value(f"Continuous{letter}", pair, labels=labels)
        )


@given(learned=SIDES, gold=SIDES)
def test_a_function_that_counts_letters_gives_the_same(learned: Any, gold: Any) -> None:
    pair = task_of(learned, gold)
    names = [name for ontology in (pair.learned, pair.gold) for name in ontology.hierarchy.iris]
    alphabet = sorted(set("".join([*TEXTS, *names]).casefold()))

    def letters(texts: list[str]) -> Any:
        return [[text.casefold().count(letter) for letter in alphabet] for text in texts]

    for letter in "PRF":
        assert value(f"Graph{letter}", pair, labels=letters) == pytest.approx(value(f"Graph{letter}", pair))


def test_a_function_gets_each_text_once_and_blocks_of_bounded_size() -> None:
    seen: list[tuple[list[str], list[str]]] = []

    def look(left: list[str], right: list[str]) -> Any:
        seen.append((left, right))
        return np.ones((len(left), len(right)), dtype=np.float32)

    pair = task("a<t b<t c<t", "d<u e<u", a="same", b="same")
    assert value("FuzzyF", pair, labels=look) == 1
    assert seen == [(["c", "same", "t"], ["d", "e", "u"])]
    seen.clear()
    with limit(_labels, "_BLOCK", 3):
        assert value("FuzzyF", replace(pair), labels=look) == 1
    assert seen == [([text], ["d", "e", "u"]) for text in ("c", "same", "t")]


def test_precision_recall_and_f_of_one_comparison_are_computed_together() -> None:
    calls: list[str] = []

    def look(left: list[str], right: list[str]) -> Any:
        calls.append("look")
        return np.ones((len(left), len(right)))

    def vectors(texts: list[str]) -> Any:
        calls.append("vectors")
        return np.ones((len(texts), 2))

    pair = task("a<t", "d<u")
    for name, labels in (("Fuzzy", look), ("Continuous", look), ("Graph", vectors)):
        for part in "PRF":
            assert value(f"{name}{part}", pair, labels=labels) == pytest.approx(1)
    assert calls == ["look", "look", "vectors"]
    assert value("FuzzyP(threshold=0.5)", pair, labels=look) == 1
    assert value("GraphP(rounds=1)", pair, labels=vectors) == pytest.approx(1)
    assert calls == ["look", "look", "vectors", "look", "vectors"]


def test_a_function_is_not_called_without_texts() -> None:
    def never(left: list[str], right: list[str]) -> Any:
        raise AssertionError

    for name in ("FuzzyF", "ContinuousF"):
        assert value(name, task("a", "b"), labels=never) == 1
        assert value(name, task("a<b", "b"), labels=never) == 0


def test_cosines_below_zero_count_as_they_are() -> None:
    directions = {"a": [1, 0], "b": [-1, 0], "c": [0, 1], "zero": [0, 0]}

    def vectors(texts: list[str]) -> Any:
        return np.array([directions[text] for text in texts])

    assert value("GraphP", task("a", "b"), labels=vectors) == -1
    assert value("GraphF", task("a", "b"), labels=vectors) == 0
    assert value("GraphP(rounds=0)", task("a<c", "b<c"), labels=vectors) == 0
    assert value("GraphP", task("zero", "zero"), labels=vectors) == 1
    assert value("GraphP", task("zero", "a"), labels=vectors) == 0


@pytest.mark.parametrize("size", [1e308, 1e-308, 1e200])
def test_the_length_of_vectors_does_not_matter(size: float) -> None:
    pair = task("a<b c<b", "a<b c<a")

    def vectors(texts: list[str]) -> Any:
        return np.array([[1.0 if letter in text else 0.5 for letter in "abc"] for text in texts])

    long = value("GraphF", pair, labels=lambda texts: vectors(texts) * size)
    assert long == pytest.approx(value("GraphF", pair, labels=vectors))


def test_numbers_of_any_kind_will_do() -> None:
    for one in (1, True, Fraction(1), np.float32(1)):
        assert value("FuzzyF", task("a<b", "c<d"), labels=lambda left, right, one=one: [[one] * 2] * 2) == 1


def bad(left: list[str], right: list[str]) -> Any:
    return GIVEN[0]


def bad_vectors(texts: list[str]) -> Any:
    return GIVEN[0]


GIVEN: list[Any] = [None]
TWO_BY_THREE = "Return 2 x 3 finite numbers: a row for each text of the first list, a column for each of the second."
FOUR_ROWS = "Return 4 rows of finite numbers, one for each text."


@pytest.mark.parametrize("name", ["FuzzyP", "FuzzyR", "FuzzyF", "ContinuousP", "ContinuousR", "ContinuousF"])
@pytest.mark.parametrize(
    ("given_", "message"),
    [
        (np.zeros(3), "an array of shape (3,) for 2 and 3 texts."),
        (np.zeros((3, 2)), "an array of shape (3, 2) for 2 and 3 texts."),
        (0.5, "an array of shape () for 2 and 3 texts."),
        ([], "an array of shape (0,) for 2 and 3 texts."),
        ({}, "a value of type dict, not an array of numbers, for 2 and 3 texts."),
        (None, "a value of type NoneType, not an array of numbers, for 2 and 3 texts."),
        ([[1], [1, 2]], "a value of type list, not an array of numbers, for 2 and 3 texts."),
        ([["1"] * 3] * 2, "a value of type list, not an array of numbers, for 2 and 3 texts."),
        ([[1j] * 3] * 2, "a value of type list, not an array of numbers, for 2 and 3 texts."),
        ([[None] * 3, ["x"] * 3], "a value of type list, not an array of numbers, for 2 and 3 texts."),
        ([[0, 0, 0], [0, math.nan, 0]], "nan for 't' and 'e'."),
        ([[math.inf, 0, 0], [0, 0, 0]], "inf for 'c' and 'd'."),
    ],
    ids=str,
)
def test_a_function_must_give_a_matrix(name: str, given_: Any, message: str) -> None:
    GIVEN[0] = given_
    with pytest.raises(ParameterError) as error:
        value(name, task("c<t", "d<u e<u"), labels=bad)
    assert str(error.value) == f"the function bad returned {message} {TWO_BY_THREE}"


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        (np.zeros(4), "an array of shape (4,) for 4 texts."),
        (np.zeros((3, 2)), "an array of shape (3, 2) for 4 texts."),
        ("text", "a value of type str, not an array of numbers, for 4 texts."),
        ([[1, 2], [1, 2], [1, math.nan], [1, 2]], "nan in the vector of 'd'."),
        ([[1], [1], [1], [-math.inf]], "-inf in the vector of 't'."),
    ],
    ids=str,
)
def test_a_function_must_give_vectors(given_: Any, message: str) -> None:
    GIVEN[0] = given_
    with pytest.raises(ParameterError) as error:
        value("GraphF", task("a<t b<t", "d<t"), labels=bad_vectors)
    assert str(error.value) == f"the function bad_vectors returned {message} {FOUR_ROWS}"


def test_what_a_function_raises_is_left_alone() -> None:
    def broken(left: list[str], right: list[str]) -> Any:
        raise LookupError("no such model")

    with pytest.raises(LookupError, match="no such model"):
        value("FuzzyF", hotels(), labels=broken)


# parameters and limits


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("FuzzyF(threshold=1.5)", "threshold must be a number from 0 to 1, not 1.5."),
        ("FuzzyP(threshold=-1)", "threshold must be a number from 0 to 1, not -1."),
        ("FuzzyR(threshold=high)", "FuzzyR does not take threshold=high. Use a number."),
        ("FuzzyR(threshold=nan)", "FuzzyR does not take threshold=nan. Use a number."),
        ("FuzzyF(labels=token)", "FuzzyF does not take labels=token. Did you mean 'tokens'? Use sm or tokens."),
        ("GraphF(rounds=-1)", "rounds must be a whole number from 0 to 1000, not -1."),
        ("GraphF(rounds=1.5)", "GraphF does not take rounds=1.5. Use a whole number."),
        ("GraphP(labels=sm)", "GraphP does not take labels=sm. Use letters."),
        ("ContinuousF(threshold=1)", "ContinuousF has no parameter 'threshold'. Use one of: labels."),
    ],
)
def test_wrong_parameters_are_refused_when_the_name_is_read(name: str, message: str) -> None:
    with pytest.raises(ParameterError) as error:
        parse(name)
    assert str(error.value) == message


@pytest.mark.parametrize("letter", "PRF")
def test_too_large_for_an_assignment(letter: str) -> None:
    with limit(soft, "MOST_CELLS", 3):
        score = parse(f"Continuous{letter}")(hotels())
        assert math.isnan(score.value)
        assert score.undefined == "too many links for an optimal assignment: 2 learned and 2 gold; the limit is 3 pairs"
        assert dict(score.counts) == {"learned_edges": 2, "gold_edges": 2}
        score = parse(f"Graph{letter}")(hotels())
        assert (
            score.undefined == "too many concepts for an optimal assignment: 3 learned and 4 gold; the limit is 3 pairs"
        )


@pytest.mark.parametrize("letter", "PRF")
@pytest.mark.parametrize("labels", ["sm", "tokens"])
def test_too_many_similar_labels(letter: str, labels: str) -> None:
    with limit(_labels, "MOST_ALIKE", 1), limit(soft, "MOST_ALIKE", 1):
        score = parse(f"Fuzzy{letter}(labels={labels})")(task("a<b c<d", "a<b c<d"))
        assert score.undefined == (
            "too many pairs of 4 learned and 4 gold labels are similar: more than 1. Increase threshold"
        )


def test_thousands_of_concepts() -> None:
    """The similarities alone would be 36 million numbers."""
    names = [f"{i:05d} {'x' * (i % 40)}" for i in range(6000)]
    made = {"edges": [(names[i], names[i // 50]) for i in range(1, 6000)], "concepts": [], "labels": {}}
    pair = task_of(made, made)
    assert value("FuzzyF(threshold=1)", pair) == 1
    assert value("FuzzyF(threshold=0.9, labels=tokens)", pair) == 1


@pytest.mark.parametrize("family", ["Fuzzy", "Continuous", "Graph"])
def test_precision_recall_and_f_have_the_same_defaults(family: str) -> None:
    defaults = [dict(parse(family + part).parameters) for part in "PRF"]
    assert defaults[0] == defaults[1] == defaults[2]


def test_the_default_threshold_of_fuzzy_links_is_that_of_the_paper() -> None:
    """Lo, Jiang, Li & Jamnik 2024 take 0.436; a similarity between 0.43 and 0.436 is no match."""
    for part in "PRF":
        assert value(f"Fuzzy{part}", task("a<b", "c<d"), labels=lambda left, right: [[0.433] * 2] * 2) == 0
        assert value(f"Fuzzy{part}", task("a<b", "c<d"), labels=lambda left, right: [[0.436] * 2] * 2) == 1


@pytest.mark.parametrize("part", "PRF")
def test_vectors_whose_squares_vanish_still_have_a_direction(part: str) -> None:
    def vectors(texts: list[str]) -> Any:
        return np.array([[3.0, 4.0] if text == "a" else [4e-200, 3e-200] for text in texts])

    # cos((3, 4), (4, 3)) = 24 / 25
    assert value(f"Graph{part}(rounds=0)", task("a", "b"), labels=vectors) == pytest.approx(24 / 25)


def test_as_many_rounds_as_allowed_and_no_more() -> None:
    pair = task("a<b", "a<b")
    assert value(f"GraphF(rounds={soft.MOST_ROUNDS})", pair) == pytest.approx(1)
    with pytest.raises(ParameterError, match="rounds must be a whole number"):
        parse(f"GraphF(rounds={soft.MOST_ROUNDS + 1})")


def test_a_function_without_a_hash_will_do() -> None:
    class Same:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, left: list[str], right: list[str]) -> Any:
            return [[1.0 if a == b else 0.0 for b in right] for a in left]

    assert value("FuzzyF", task("a<b c<b", "a<b"), labels=Same()) == pytest.approx(2 / 3)


def test_vectors_that_vanish_leave_the_score_undefined() -> None:
    """A concept with two parents whose vectors are zero keeps a third of its own each round: 3^-587 < 1e-280."""
    vectors = {"c": [1.0, 0.0], "z": [0.0, 0.0]}

    def of_labels(texts: list[str]) -> Any:
        return np.array([vectors[text[0]] for text in texts])

    learned = Ontology.from_edges([("c", "z1"), ("c", "z2")], root="none")
    gold = Ontology.from_edges([], concepts=["c"], root="none")
    task = Comparison(learned, gold)
    assert parse("GraphR", rounds=500, labels=of_labels)(task).value == pytest.approx(1.0)
    score = parse("GraphR", rounds=1000, labels=of_labels)(task)
    assert score.undefined == "the vectors of some concepts vanish after 587 rounds. Decrease rounds"
    assert score.counts == {"learned_concepts": 3, "gold_concepts": 1}
