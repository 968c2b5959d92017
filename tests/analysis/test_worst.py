"""`worst` by a measure: against the local scores, on random hierarchies and by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from helpers import comparison, near
from hypothesis import given
from twin_compare import Case, cases

import ontoeval as oe
from ontoeval.analysis.worst import worst
from ontoeval.errors import ParameterError


@pytest.mark.parametrize("name", ["PlaceF", "PlaceR", "NearP", "NearF", "LF", "TP_sc", "TF_sc", "EdgeP"])
@given(case=cases())
def test_concepts_come_by_their_local_scores(name: str, case: Case) -> None:
    task = comparison(case)
    is_f = name.partition("_")[0].endswith("F")
    parts = [name.replace("F", part, 1) for part in "PR"] if is_f else [name]
    result = oe.evaluate(task, parts)
    sides = {"learned": task.learned.hierarchy.iris, "gold": task.gold.hierarchy.iris}
    partner = {sides["learned"][a]: sides["gold"][b] for a, b in enumerate(task.matching.to_gold) if b >= 0}
    expected: dict[tuple[str, str], dict[str, float]] = {}  # (side, IRI), common ones by their gold IRI
    for score in result:
        if score.local is None:
            continue
        for iri, value in score.local.to_dict().items():
            side = score.local.of
            unit = ("gold", partner[iri]) if side == "learned" and iri in partner else (side, iri)
            expected.setdefault(unit, {})[score.name] = value
    losing = {unit: values for unit, values in expected.items() if min(values.values()) < 1 - 1e-9}
    if not expected and all(score.local is None for score in result):
        with pytest.raises(ParameterError, match="no local scores of concepts"):
            worst(task, 99, name)
        return
    found = worst(task, 99, name)
    assert {("gold" if loss.gold else "learned", loss.iri): loss.values for loss in found} == near_each(losing)

    def mean(values: dict[str, float]) -> float:
        a, *rest = values.values()
        return round(a if not rest else 2 * a * rest[0] / (a + rest[0]) if a + rest[0] else 0.0, 11)

    order = [mean(loss.values) for loss in found]
    assert order == sorted(order)
    for one, other in pairwise(found):
        assert mean(one.values) < mean(other.values) or one.iri <= other.iri
    assert worst(task, 2, name) == found[:2]


def near_each(losing: dict[tuple[str, str], dict[str, float]]) -> dict[tuple[str, str], object]:
    return {unit: near(values) for unit, values in losing.items()}


def test_a_measure_without_local_scores_of_concepts_is_refused() -> None:
    task = oe.Comparison(oe.Ontology.from_edges([("a", "b")]), oe.Ontology.from_edges([("a", "b")]))
    with pytest.raises(ParameterError, match="TED has no local scores of concepts"):
        worst(task, 3, measure="TED")
    with pytest.raises(ParameterError, match="RelF has no local scores of concepts: neither side has a relation"):
        worst(task, 3, measure="RelF")


def test_concepts_of_relations_come_by_the_shares_of_their_relations() -> None:
    edges = [("car", "vehicle"), ("van", "vehicle"), ("wheel", "part"), ("door", "part")]
    learned = oe.Ontology.from_edges(edges, relations=[("car", "has", "wheel"), ("van", "has", "door")])
    gold = oe.Ontology.from_edges(edges, relations=[("car", "has", "wheel"), ("car", "has", "door")])
    found = worst(oe.Comparison(learned, gold), measure="RelF")
    values = [(loss.iri, loss.values) for loss in found]
    assert values == [
        ("door", {"RelP": 0.0, "RelR": 0.0}),
        ("van", {"RelP": 0.0}),  # the gold standard has no relation of it
        ("car", {"RelP": 1.0, "RelR": 0.5}),
    ]
    assert found[2].learned_parents == found[2].gold_parents == ("vehicle",)
