"""The parameter `similarity`: what may be one, values of pairs and grids, the best of several, and functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from helpers import near, refusal
from twin_concepts import Concepts

import ontoeval as oe
from ontoeval.errors import ParameterError
from ontoeval.measures import parse, similarity_parameter
from ontoeval.measures.registry import spelled
from ontoeval.measures.similarity_parameter import Similarity, UndefinedSimilarityError, check_similarity, is_similarity

EDGES = [("a", "r"), ("b", "r"), ("c", "a"), ("d", "a"), ("e", "c"), ("e", "b")]
NAMES = "abcder"
ONTOLOGY = oe.Ontology.from_edges(EDGES)
ALL = ONTOLOGY.hierarchy.ids([*NAMES])


def by_order(predicted: str, key: str) -> float:
    """Not symmetric: 1/2 for a prediction that comes first, 1/4 for one that comes last."""
    return 0.5 if predicted < key else 0.25


def sim(measure: Any, a: str, b: str) -> float:
    """By the definition, from the twin or the function."""
    if a == b:
        return 1.0
    return by_order(a, b) if measure is by_order else Concepts(EDGES)(str(measure), a, b)


@pytest.mark.parametrize("cells", [1, 4, 1 << 23])
@pytest.mark.parametrize("measure", [parse("WP"), parse("LA"), parse("Flat"), by_order], ids=spelled)
def test_values_and_the_best_of_several(measure: Any, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """LA and the function are not symmetric: the first argument is the prediction, the second the key."""
    monkeypatch.setattr(similarity_parameter, "_CELLS", cells)
    similarity = Similarity(measure, ONTOLOGY)
    expected = np.array([[sim(measure, a, b) for b in NAMES] for a in NAMES])
    assert similarity.grid(ALL, ALL) == near(expected)
    left, right = (side.ravel() for side in np.meshgrid(ALL, ALL, indexing="ij"))
    assert similarity.of_pairs(left, right) == near(expected.ravel())
    some, others = [0, 3, 4], [5, 1, 2]  # a, d, e with r, b, c
    of_some, of_others = ALL[some], ALL[others]
    table = expected[np.ix_(some, others)]
    values, which = similarity.best_of_keys(of_some, of_others)
    assert values == near(table.max(axis=1))
    assert which.tolist() == [of_others[row.argmax()] for row in np.round(table, 12)]  # the first of several
    values, which = similarity.best_of_predicted(of_some, of_others)
    assert values == near(table.max(axis=0))
    assert which.tolist() == [of_some[column.argmax()] for column in np.round(table.T, 12)]


@pytest.mark.parametrize("measure", [parse("WP"), by_order], ids=spelled)
def test_nothing_asked_is_nothing_answered(measure: Any) -> None:
    similarity, nothing = Similarity(measure, ONTOLOGY), ALL[:0]
    assert similarity.of_pairs(nothing, nothing).shape == (0,)
    assert similarity.grid(ALL, nothing).shape == (6, 0)
    assert similarity.grid(nothing, ALL).shape == (0, 6)
    for best in (similarity.best_of_keys(nothing, ALL), similarity.best_of_predicted(ALL, nothing)):
        assert [len(part) for part in best] == [0, 0]


@pytest.mark.parametrize(("others", "pairs"), [("b", "1 pair"), ("bc", "2 pairs")])
def test_pairs_without_a_value_are_counted(others: str, pairs: str) -> None:
    """All that is known of LC(scale=raw) here is that a concept and itself are alike; see its definition for D = 0."""
    flat = oe.Ontology.from_edges([], concepts=["a", "b", "c"], root="none")
    similarity = Similarity(parse("LC(scale=raw, unit=edges)"), flat)
    one, some = flat.hierarchy.ids(["a"]), flat.hierarchy.ids([*others])
    assert similarity.grid(one, one).tolist() == [[1.0]]
    with pytest.raises(UndefinedSimilarityError) as caught:
        similarity.grid(one, some)
    assert str(caught.value) == f"LC(scale=raw, unit=edges) is undefined for {pairs} of concepts"


@pytest.mark.parametrize("value", [0, 0.0, 1, 1.0, np.float32(0.5), True])
def test_a_function_may_give_any_number_from_0_to_1(value: Any) -> None:
    assert Similarity(lambda a, b: value, ONTOLOGY).of_pairs(ALL[:1], ALL[1:2]).tolist() == [float(value)]


@pytest.mark.parametrize("value", [-1e-9, 1 + 1e-9, math.nan, None, "much"])
def test_a_function_that_gives_something_else_is_refused(value: Any) -> None:
    def odd(predicted: str, key: str) -> Any:
        return value

    for call in (Similarity(odd, ONTOLOGY).of_pairs, Similarity(odd, ONTOLOGY).grid):
        message = refusal(ParameterError, call, ALL[:1], ALL[1:2])
        assert f"odd returned {value!r} for 'a' and 'b'. Return a number from 0 to 1" in message


def test_a_function_gets_the_names_that_are_given_and_is_not_asked_for_a_concept_and_itself() -> None:
    asked = []

    def note(predicted: str, key: str) -> float:
        asked.append((predicted, key))
        return 0.0

    names = [name.upper() for name in ONTOLOGY.hierarchy.iris]
    found = Similarity(note, ONTOLOGY, names).grid(ALL[:2], ALL[:2])
    assert (found.tolist(), asked) == ([[1.0, 0.0], [0.0, 1.0]], [("A", "B"), ("B", "A")])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("LP", "does not score pairs of concepts"),
        ("Pearson", "does not score pairs of concepts"),  # of pairs of concepts, and needs ratings
        ("Rada(scale=distance)", "is not a similarity from 0 to 1"),
        ("LC(scale=raw)", "is not a similarity from 0 to 1"),
        ("Resnik(scale=raw)", "is not a similarity from 0 to 1"),
    ],
)
def test_what_is_no_similarity_is_refused(name: str, reason: str) -> None:
    measure = parse(name)
    assert not is_similarity(measure)
    assert f"{measure} {reason}" in refusal(ParameterError, check_similarity, {"similarity": measure})


@pytest.mark.parametrize("name", ["BDM", "LA", "Flat", "Rada", "LC", "WP", "Resnik", "Lin", "JC", "simGIC"])
def test_what_is_a_similarity(name: str) -> None:
    assert is_similarity(parse(name))
    check_similarity({"similarity": parse(name)})
    check_similarity({"similarity": by_order})
