"""Place, Near and Preserved against the twin, the facts that the specification states, and examples by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from helpers import comparison, near, refusal, tree
from hypothesis import given
from hypothesis import strategies as st
from twin_between import Between, harmonic, pearson, spearman
from twin_compare import Case, cases

import ontoeval as oe
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.measures import parse
from ontoeval.measures.comparison import preserved as preserved_module

SIMILARITIES = ("BDM", "LA", "WP", "Lin", "JC", "LC", "Flat", "BDM(msca=deepest)", "Rada(scale=similarity)")
similarities = st.sampled_from(SIMILARITIES)


def value(task: oe.Comparison, measure: str, **parameters: Any) -> float:
    return parse(measure, **parameters)(task).value


@given(cases(), similarities, st.sampled_from(["common", "direct"]), st.sampled_from(["macro", "micro"]))
def test_place_is_the_twins(case: Case, similarity: str, parents: str, average: str) -> None:
    task = comparison(case)
    precision, recall = Between(case, similarity).place(parents, average)
    given_parameters = f"similarity={similarity}, parents={parents}, average={average}"
    assert value(task, f"PlaceP({given_parameters})") == near(precision)
    assert value(task, f"PlaceR({given_parameters})") == near(recall)
    assert value(task, f"PlaceF({given_parameters})") == near(harmonic(precision, recall))


@given(cases(), similarities)
def test_near_is_the_twins(case: Case, similarity: str) -> None:
    task = comparison(case)
    precision, recall = Between(case, similarity).near()
    assert value(task, f"NearP(similarity={similarity})") == near(precision)
    assert value(task, f"NearR(similarity={similarity})") == near(recall)
    assert value(task, f"NearF(similarity={similarity})") == near(harmonic(precision, recall))


@given(cases(), similarities)
def test_preserved_is_the_twins(case: Case, similarity: str) -> None:
    task = comparison(case)
    pairs = Between(case, similarity).pairs()
    scores = {by: parse(f"Preserved(similarity={similarity}, by={by})")(task) for by in
              ("difference", "pearson", "spearman")}  # fmt: skip
    if not pairs:
        assert all(score.undefined for score in scores.values())
        return
    assert scores["difference"].value == near(1 - sum(abs(x - y) for x, y in pairs) / len(pairs))
    for by, coefficient in (("pearson", pearson(pairs)), ("spearman", spearman(pairs))):
        if coefficient is None:
            assert scores[by].undefined == "all pairs of common concepts have the same similarity on one side"
        else:
            assert scores[by].value == near(coefficient, 1e-7)


@given(cases(), similarities)
def test_scores_are_the_means_of_their_local_scores(case: Case, similarity: str) -> None:
    task = comparison(case)
    for name in ("PlaceP", "PlaceR", "NearP", "NearR", "PlaceP(average=micro)", "PlaceR(average=micro)", "Preserved"):
        inner = name[:-1] + ", " if name.endswith(")") else name + "("
        score = parse(f"{inner}similarity={similarity})")(task)
        if score.local is not None and len(score.local.values):
            assert np.average(score.local.values, weights=score.local.weights) == near(score.value)


@given(cases(), st.booleans())
def test_place_with_flat_and_direct_parents_is_edge_precision_of_common_children(case: Case, recall: bool) -> None:
    task = comparison(case)
    matched = set(case.mapping)
    learned = {edge for edge in Between.edges(case.learned) if edge[0] in matched}
    gold = {edge for edge in Between.edges(case.gold) if edge[0] in set(case.mapping.values())}
    shared = {(case.mapping.get(a), case.mapping.get(b)) for a, b in learned} & gold
    side, other = (gold, learned) if recall else (learned, gold)
    expected = len(shared) / len(side) if side else 0.0 if other or not matched else 1.0
    name = "PlaceR" if recall else "PlaceP"
    assert value(task, f"{name}(similarity=Flat, parents=direct, average=micro)") == near(expected)


@given(cases())
def test_near_with_flat_is_lexical_where_no_root_was_added(case: Case) -> None:
    task = comparison(case)
    if task.learned.hierarchy.root_added or task.gold.hierarchy.root_added:
        return
    for ours, lexical in (("NearP", "LP"), ("NearR", "LR"), ("NearF", "LF")):
        assert value(task, f"{ours}(similarity=Flat)") == near(value(task, lexical))


@given(cases(), similarities)
def test_an_ontology_against_itself_gives_1(case: Case, similarity: str) -> None:
    ontology = oe.Ontology.from_edges(**case.gold)
    task = oe.Comparison(ontology, ontology, oe.match(ontology, ontology, by="iri"))
    for name in ("PlaceP", "PlaceR", "PlaceF", "NearP", "NearR", "NearF", "Preserved"):
        score = parse(f"{name}(similarity={similarity})")(task)
        assert score.undefined or score.value == near(1.0)


@given(cases(), similarities)
def test_no_similarity_gives_less_than_flat(case: Case, similarity: str) -> None:
    task = comparison(case)
    for name in ("PlaceP", "PlaceR", "NearP", "NearR"):
        assert value(task, f"{name}(similarity={similarity})") >= value(task, f"{name}(similarity=Flat)") - 1e-12


@given(cases())
def test_a_function_of_two_iris_is_asked_for_predicted_and_key(case: Case) -> None:
    task = comparison(case)
    twin, merged = Between(case, "LA"), {}
    for name in twin.learned.given:
        merged[name] = twin.in_merged(name)

    def in_gold(predicted: str, key: str) -> float:
        return twin.gold("LA", predicted, key)

    precision, recall = twin.place("common", "macro")
    assert value(task, "PlaceP", similarity=in_gold) == near(precision)
    assert value(task, "PlaceR", similarity=in_gold) == near(recall)


def test_a_function_gets_the_iris_of_each_file() -> None:
    learned = oe.Ontology.from_edges([("van", "car"), ("car", "root")])
    gold = oe.Ontology.from_edges([("bus", "car"), ("car", "root")])
    asked: set[tuple[str, str]] = set()

    def similarity(predicted: str, key: str) -> float:
        asked.add((predicted, key))
        return 0.5

    task = oe.Comparison(learned, gold, oe.match(learned, gold, by="iri"))
    assert value(task, "NearP", similarity=similarity) == near((1 + 1 + 0.5) / 3)
    assert asked == {("van", "bus"), ("van", "car"), ("van", "root")}


def test_a_function_that_gives_no_number_from_0_to_1_is_refused() -> None:
    task = comparison(
        Case({"edges": [("a", "b")], "root": "auto"}, {"edges": [("c", "b")], "root": "auto"}, {"b": "b"})
    )
    measure = parse("NearP", similarity=lambda predicted, key: 2.0)
    assert "returned 2.0 for 'a' and 'b'." in refusal(ParameterError, measure, task)


def test_by_hand_van_below_car_instead_of_vehicle() -> None:
    """Gold: root > thing > vehicle > {car, van}; learned: van below car.

    In the gold standard Sim(car, vehicle) by Wu-Palmer is 2*3 / (2*3 + 1) = 6/7: vehicle has depth 2, car is 1 below.
    """
    gold = oe.Ontology.from_edges(tree("root:thing thing:vehicle vehicle:car,van"))
    learned = oe.Ontology.from_edges([("thing", "root"), ("vehicle", "thing"), ("car", "vehicle"), ("van", "car")])
    task = oe.Comparison(learned, gold, oe.match(learned, gold, by="iri"))
    score = parse("PlaceP(similarity=WP)")(task)
    assert score.value == near((4 + 6 / 7) / 5)
    assert score.local is not None
    local = dict(zip((learned.hierarchy.iris[i] for i in score.local.ids), score.local.values.tolist(), strict=True))
    assert local == near({"root": 1.0, "thing": 1.0, "vehicle": 1.0, "car": 1.0, "van": 6 / 7})


def test_roots_that_were_added_are_no_parents() -> None:
    learned, gold = (oe.Ontology.from_edges([("a", "b"), ("c", "d")]) for _ in range(2))
    assert learned.hierarchy.root_added
    task = oe.Comparison(learned, gold, oe.match(learned, gold, by="iri"))
    score = parse("PlaceP")(task)
    assert score.counts["common"] == 4
    assert score.counts["learned_parents"] == 2


def test_a_sample_has_its_standard_error_and_is_drawn_by_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    edges = [(f"c{i}", f"c{random.integers(0, i)}") for i in range(1, 60)]
    other = [(f"c{i}", f"c{random.integers(0, i)}") for i in range(1, 60)]
    sides = [oe.Ontology.from_edges(side) for side in (edges, other)]
    whole = parse("Preserved")(oe.Comparison(*sides, oe.match(*sides, by="iri")))
    monkeypatch.setattr(preserved_module, "ALL_PAIRS", 100)

    def sampled(seed: int, by: str = "difference") -> Any:
        return parse(f"Preserved(sample=900, seed={seed}, by={by})")(oe.Comparison(*sides, oe.match(*sides, by="iri")))

    assert sampled(1).value == sampled(1).value != sampled(2).value
    assert sampled(1).counts["pairs"] == 60 * 59 / 2
    assert sampled(1).counts["sampled_pairs"] == 900
    errors = [(sampled(seed).value - whole.value) / sampled(seed).counts["standard_error"] for seed in range(100)]
    assert abs(np.mean(errors)) < 0.4  # in units of the standard error; 100 draws: 0.1
    assert 0.75 < np.std(errors) < 1.25
    for by in ("pearson", "spearman"):
        draws = [sampled(seed, by) for seed in range(60)]
        spread = np.std([draw.value for draw in draws])
        assert 0.6 < spread / np.mean([draw.counts["standard_error"] for draw in draws]) < 1.5


def test_fewer_than_two_common_concepts_have_no_pair() -> None:
    task = comparison(
        Case({"edges": [("a", "b")], "root": "auto"}, {"edges": [("c", "b")], "root": "auto"}, {"b": "b"})
    )
    assert parse("Preserved")(task).undefined == "fewer than two common concepts"
    assert math.isnan(parse("Preserved")(task).value)


def test_a_measure_between_concepts_is_refused_and_the_three_are_named() -> None:
    task = comparison(
        Case({"edges": [("a", "b")], "root": "auto"}, {"edges": [("a", "b")], "root": "auto"}, {"b": "b"})
    )
    message = refusal(MissingInputError, oe.evaluate, task, ["BDM"])
    assert "PlaceF (" in message
    assert "NearF (" in message
    assert "Preserved (" in message
    assert "PlaceF(similarity=Lin) (" in refusal(MissingInputError, oe.evaluate, task, ["Lin"])


def test_between_is_the_name_of_the_seven() -> None:
    task = comparison(Case({"edges": [("a", "b")], "root": "auto"}, {"edges": [("a", "b")], "root": "auto"},
                           {"a": "a", "b": "b"}))  # fmt: skip
    names = {score.name for score in oe.evaluate(task, "between").scores}
    assert names == {"PlaceP", "PlaceR", "PlaceF", "NearP", "NearR", "NearF", "Preserved"}
    assert not names & {score.name for score in oe.evaluate(task).scores}
