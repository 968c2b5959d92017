"""Place, Near and Preserved against the twin, the facts that the specification states, and examples by hand."""

from __future__ import annotations

import math
import statistics
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from helpers import compared, comparison, near, refusal, tree
from hypothesis import given
from hypothesis import strategies as st
from twin_between import Between, harmonic, pearson, spearman
from twin_compare import Case, cases
from twin_concepts import Concepts

import ontoeval as oe
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.measures import parse
from ontoeval.measures.comparison import common_parents
from ontoeval.measures.comparison import near as near_module
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


def local(task: oe.Comparison, measure: str) -> tuple[str, dict[str, tuple[float, float]]]:
    """The side that local scores are of, and value and weight (1 without weights) by the IRI there."""
    found = parse(measure)(task).local
    assert found is not None
    iris = (task.learned if found.of == "learned" else task.gold).hierarchy.iris
    weights = np.ones(len(found.ids)) if found.weights is None else found.weights
    rows = zip(found.values.tolist(), weights.tolist(), strict=True)
    return found.of, dict(zip((iris[concept] for concept in found.ids), rows, strict=True))


@given(cases(), similarities, st.sampled_from(["common", "direct"]))
def test_local_scores_and_counts_of_place_are_the_twins(case: Case, similarity: str, parents: str) -> None:
    task = comparison(case)
    twin = Between(case, similarity)
    rows = twin.place_rows(parents)
    for name, of, side in (("PlaceP", "learned", 1), ("PlaceR", "gold", 2)):
        shown = {concept if side == 1 else twin.partner[concept]: row for concept, row in rows.items()}
        expected = {concept: near((twin.share(row, side), 1)) for concept, row in shown.items()}
        measure = f"{name}(similarity={similarity}, parents={parents}"
        assert local(task, f"{measure})") == (of, expected)
        weighted = {concept: near((twin.share(row, side), row[side])) for concept, row in shown.items() if row[side]}
        assert local(task, f"{measure}, average=micro)") == (of, weighted)
        assert parse(f"{measure})")(task).counts == near(
            {
                "common": len(rows),
                f"{of}_parents": sum(row[side] for row in rows.values()),
                "credit": sum(row[0] for row in rows.values()),
            }
        )


@given(cases(), similarities)
def test_local_scores_and_counts_of_near_are_the_twins(case: Case, similarity: str) -> None:
    task = comparison(case)
    twin = Between(case, similarity)
    for name, of, rows in zip(("NearP", "NearR"), ("learned", "gold"), twin.near_rows(), strict=True):
        expected = {concept: near((value, 1)) for concept, value in rows.items()}
        assert local(task, f"{name}(similarity={similarity})") == (of, expected)
        counts = {"common": len(case.mapping), of: len(rows)}
        assert parse(f"{name}(similarity={similarity})")(task).counts == counts


@given(cases(), similarities)
def test_local_scores_and_counts_of_preserved_are_the_twins(case: Case, similarity: str) -> None:
    task = comparison(case)
    twin = Between(case, similarity)
    common = [*twin.partner]
    if len(common) < 2:
        return
    expected = {}
    for c in common:
        pairs = [twin.pair(c, d) for d in common if d != c]
        expected[c] = near((1 - sum(abs(x - y) for x, y in pairs) / len(pairs), len(pairs)))
    assert local(task, f"Preserved(similarity={similarity})") == ("learned", expected)
    assert parse(f"Preserved(similarity={similarity})")(task).counts == {"pairs": len(common) * (len(common) - 1) / 2}


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


def test_a_function_gets_the_iri_of_its_file_of_a_concept_that_the_merged_ontology_renames() -> None:
    learned, gold = [("a", "x")], [("x", "a")]  # another x; merged the learned one is the root
    asked: set[tuple[str, str]] = set()

    def similarity(predicted: str, key: str) -> float:
        asked.add((predicted, key))
        return 0.25

    task = comparison(Case({"edges": learned, "root": "auto"}, {"edges": gold, "root": "auto"}, {"a": "a"}))
    assert value(task, "NearP", similarity=similarity) == near((1 + 0.25) / 2)
    assert asked == {("x", "a"), ("x", "x")}


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


@pytest.mark.parametrize("by", ["difference", "pearson", "spearman"])
@pytest.mark.parametrize("similarity", ["BDM", "LA"])
def test_a_sample_of_pairs_by_definition(by: str, similarity: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values, counts and local scores from the pairs that were drawn; LA is not symmetric."""
    monkeypatch.setattr(preserved_module, "ALL_PAIRS", 5)
    sides = [tree("r:a,b,c a:d,e b:f"), tree("r:a,b a:d,c c:e,f")]
    case = Case(*({"edges": side, "root": "auto"} for side in sides), {name: name for name in "rabcdef"})
    task, twin = comparison(case), Between(case, similarity)
    measure = parse(f"Preserved(similarity={similarity}, by={by}, sample=8, seed=3)")
    score = measure(task)
    drawn = preserved_module._pairs(task, measure.parameters["similarity"], 8, 3)
    assert drawn is not None
    names = [task.learned.hierarchy.iris[concept] for concept in task.common[0]]
    pairs = [(names[a], names[b]) for a, b in zip(drawn.left.tolist(), drawn.right.tolist(), strict=True)]
    assert len(pairs) == 8
    assert all(a != b for a, b in pairs)
    both = [twin.pair(a, b) for a, b in pairs]
    far = [abs(x - y) for x, y in both]
    if by == "difference":
        expected, error = 1 - sum(far) / 8, statistics.stdev(far) / math.sqrt(8)
    else:
        expected = (pearson if by == "pearson" else spearman)(both) or math.nan
        factor = 1 if by == "pearson" else 1 + expected**2 / 2  # Bonett & Wright 2000
        error = (1 - expected**2) * math.sqrt(factor / (8 - 3))
    assert score.value == near(expected)
    assert score.counts == near({"pairs": 21, "sampled_pairs": 8, "standard_error": error})
    if by != "difference":
        assert score.local is None
        return
    ends = {name: [d for d, pair in zip(far, pairs, strict=True) if name in pair] for name in names}
    seen = {name: near((1 - sum(d) / len(d), len(d))) for name, d in ends.items() if d}
    assert local(task, str(measure)) == ("learned", seen)


@pytest.mark.parametrize(("limit", "sample", "drawn"), [(3, 2, False), (2, 3, False), (2, 2, True)])
def test_pairs_are_drawn_where_there_are_more_than_the_limit_and_the_sample(
    limit: int, sample: int, drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preserved_module, "ALL_PAIRS", limit)
    side = oe.Ontology.from_edges(tree("r:a,b"))
    score = parse(f"Preserved(sample={sample})")(oe.Comparison(side, side))
    assert score.counts["pairs"] == 3
    assert ("sampled_pairs" in score.counts) == drawn
    assert score.local is not None
    assert score.local.weights is not None
    assert (score.local.weights.tolist() == [2, 2, 2]) == (not drawn)  # each concept with both others


def test_any_two_common_concepts_can_be_drawn_in_either_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preserved_module, "ALL_PAIRS", 5)
    side = oe.Ontology.from_edges(tree("r:a,b,c,d"))
    drawn = [preserved_module._pairs(oe.Comparison(side, side), parse("Flat"), 9, seed) for seed in range(30)]
    found = {pair for pairs in drawn if pairs for pair in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)}
    assert found == {*permutations(range(5), 2)}


def test_similarities_that_are_not_symmetric_count_as_the_mean_of_both_directions() -> None:
    sides = [tree("r:a,b,c a:d,e b:f"), tree("r:a,b a:d,c c:e,f")]
    case = Case(*({"edges": side, "root": "auto"} for side in sides), {name: name for name in "rabcdef"})
    pairs = Between(case, "LA").pairs()
    assert value(comparison(case), "Preserved(similarity=LA)") == near(
        1 - statistics.mean(abs(x - y) for x, y in pairs)
    )
    twin = Concepts(sides[0])
    assert twin("LA", "d", "f") != twin("LA", "f", "d") or twin("LA", "a", "d") != twin("LA", "d", "a")


def test_a_sample_has_two_pairs_at_least_and_a_seed_is_not_negative() -> None:
    assert parse("Preserved(sample=2, seed=0)").parameters["sample"] == 2
    assert refusal(ParameterError, parse, "Preserved(sample=1)") == "sample must be a whole number >= 2, not 1."
    assert refusal(ParameterError, parse, "Preserved(seed=-1)") == "seed must be a whole number >= 0, not -1."


def test_too_many_pairs_leave_near_and_place_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of near: concepts without a partner times all of the other side; of place: learned times gold parents."""
    learned, gold = tree("r:a,b a:x b:x r:n"), tree("r:a,b a:x b:x r:c")
    monkeypatch.setattr(near_module, "_MOST_PAIRS", 1 * 5)
    monkeypatch.setattr(common_parents, "_MOST_PAIRS", 2 * 2 + 1 + 1)  # of x; of a and of b
    for name in ("NearP", "PlaceP"):
        assert parse(name)(compared(learned, gold)).undefined is None
    monkeypatch.setattr(near_module, "_MOST_PAIRS", 1 * 5 - 1)
    monkeypatch.setattr(common_parents, "_MOST_PAIRS", 2 * 2 + 1)
    assert parse("NearR")(compared(learned, gold)).undefined == (
        "too many pairs: 1 concept without a partner and 5 on the other side; the limit is 4 pairs"
    )
    assert parse("PlaceR")(compared(learned, gold)).undefined == "too many pairs of parents: 6; the limit is 5"


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
