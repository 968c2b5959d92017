"""Why a concept has its values of Place, Near and Preserved."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import entry, near, printed, tree, work_in
from hypothesis import given
from hypothesis import strategies as st
from twin_between import Between
from twin_compare import Case, cases

import ontoeval as oe
from ontoeval.analysis.explain import explain
from ontoeval.measures import parse

GOLD = tree("root:thing thing:vehicle vehicle:car,van,truck")
LEARNED = tree("root:thing thing:vehicle vehicle:car car:van van:minivan")


def compared() -> oe.Comparison:
    learned, gold = oe.Ontology.from_edges(LEARNED), oe.Ontology.from_edges(GOLD)
    return oe.Comparison(learned, gold, oe.match(learned, gold, by="iri"))


def test_place_names_the_parents_and_what_their_similarity_is_made_of() -> None:
    """Wu-Palmer of car and vehicle in the gold standard: vehicle has depth 2, car is one edge below it: 6/7."""
    (reason,) = explain(compared(), "van", ["PlaceF(similarity=WP)"]).reasons
    assert (reason.question, reason.similarity, reason.learned, reason.gold) == ("Place", "WP", "car", "vehicle")
    assert reason.value == near(6 / 7)
    assert "vehicle" in reason.parts.values()


def test_a_learned_parent_that_the_gold_standard_does_not_have_is_worth_nothing() -> None:
    """cab is below taxi (novel) and car; the gold standard has it below vehicle: car is the better partner."""
    learned = oe.Ontology.from_edges(
        [*tree("root:thing thing:vehicle vehicle:car,taxi"), ("cab", "taxi"), ("cab", "car")]
    )
    gold = oe.Ontology.from_edges(tree("root:thing thing:vehicle vehicle:car,cab"))
    task = oe.Comparison(learned, gold, oe.match(learned, gold, by="iri"))
    measure = "PlaceF(similarity=WP, parents=direct)"
    pairs = {(r.learned, r.gold): r.value for r in explain(task, "cab", [measure]).reasons}
    assert pairs == {("car", "vehicle"): near(6 / 7), ("taxi", None): 0.0}


def test_precision_recall_and_f_have_one_reason() -> None:
    assert len(explain(compared(), "van", ["PlaceP", "PlaceR", "PlaceF"]).reasons) == 1


def test_a_concept_without_a_partner_has_the_nearest_one_as_its_reason() -> None:
    """In M minivan is below van, which is at depth 4 there: van and minivan share van, 2*5 / (2*5 + 1)."""
    (novel,) = explain(compared(), "minivan", ["NearF(similarity=WP)"]).reasons
    assert (novel.question, novel.learned, novel.gold) == ("Near", "minivan", "van")
    (missing,) = explain(compared(), "truck", ["NearF(similarity=WP)"]).reasons
    assert (missing.question, missing.learned, missing.gold) == ("Near", "vehicle", "truck")
    assert missing.value == near(6 / 7)  # vehicle has depth 2, truck is one edge below it


def test_preserved_lists_the_pairs_that_differ_most() -> None:
    reasons = explain(compared(), "van", ["Preserved(similarity=Flat)"]).reasons
    assert reasons == ()  # two concepts are never the same, on either side
    reasons = explain(compared(), "van", ["Preserved(similarity=WP)"]).reasons
    assert reasons[0].gold == "car"
    assert (reasons[0].value, reasons[0].gold_value) == near((8 / 9, 3 / 4))  # below car; its sibling below vehicle


@given(cases(), st.sampled_from(["BDM", "LA", "Lin"]), st.sampled_from(["common", "direct"]))
def test_the_values_of_the_pairs_of_parents_sum_to_the_credit_of_the_concept(
    case: Case, similarity: str, parents: str
) -> None:
    sides = oe.Ontology.from_edges(**case.learned), oe.Ontology.from_edges(**case.gold)
    task = oe.Comparison(*sides, oe.match(*sides, by=case.pairs))
    measure = parse(f"PlaceF(similarity={similarity}, parents={parents})")
    twin = Between(case, similarity)
    for learned in list(case.mapping)[:4]:
        a, b = twin.parents(learned, parents)
        if task.gold.hierarchy.iris.count(case.mapping[learned]) and case.mapping[learned] not in case.learned["edges"]:
            reasons = explain(task, case.mapping[learned], [measure]).reasons
            assert sum(reason.value for reason in reasons) == near(twin.credit(a, b))
            assert sum(reason.learned is not None for reason in reasons) == len(a)
            assert sum(reason.gold is not None for reason in reasons) == len(b)


def test_compare_tells_the_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {name: "".join(f"{a}\t{b}\n" for a, b in side) for name, side in (("l.tsv", LEARNED), ("g.tsv", GOLD))}
    work_in(tmp_path, monkeypatch, files)
    arguments = ("compare", "l.tsv", "--gold", "g.tsv", "-m", "PlaceF(similarity=WP)", "--explain", "van")
    text = printed(*arguments)
    assert "van is below car; the gold standard has it below vehicle: 0.857 by WP, because " in text
    (explanation,) = entry(*arguments, "--json")["explain"]
    (reason,) = explanation["reasons"]
    assert (reason["question"], reason["learned"], reason["gold"]) == ("Place", "car", "vehicle")
