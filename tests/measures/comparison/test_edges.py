"""Precision and recall of links, direct and closed, against the twin."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from typing import Any

import helpers
import numpy as np
import oracle
import pytest
import twin_compare
from helpers import by_iri, comparison
from hypothesis import given
from strategies import hierarchies, picks, root_of, shuffles
from twin_compare import Case, Concept, Side, cases

from ontoeval.measures import parse
from ontoeval.measures.comparison.edges import shared_edges
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison

EDGE = ("EdgeP", "EdgeR", "EdgeF")
CLOSURE = ("ClosureP", "ClosureR", "ClosureF")
BOTH = ((EDGE, "given"), (CLOSURE, "closed"))  # and what the twin calls the set


def values(task: Comparison, names: tuple[str, ...] = (*EDGE, *CLOSURE)) -> list[float]:
    return [parse(name)(task).value for name in names]


near = partial(helpers.near, tolerance=1e-12)


def links(side: Side, kind: str) -> set[tuple[Concept, Concept]]:
    return side.given if kind == "given" else side.closed


# values


@pytest.mark.parametrize(("names", "kind"), BOTH)
@given(case=cases())
def test_values_are_those_of_the_twin_and_lie_between_0_and_1(names: Any, kind: str, case: Case) -> None:
    pair = case.pair
    found = values(comparison(case), names)
    assert found == near(twin_compare.set_scores(links(pair.learned, kind), links(pair.gold, kind)))
    assert all(0.0 <= number <= 1.0 for number in found)


@pytest.mark.parametrize(("names", "kind", "unit"), [(*BOTH[0], "edges"), (*BOTH[1], "pairs")])
@given(case=cases())
def test_counts_are_the_sizes_of_the_sets(names: Any, kind: str, unit: str, case: Case) -> None:
    task, pair = comparison(case), case.pair
    mine, theirs = links(pair.learned, kind), links(pair.gold, kind)
    precision, recall, both = (dict(parse(name)(task).counts) for name in names)
    common = {f"common_{unit}": len(mine & theirs)}
    assert precision == {**common, f"learned_{unit}": len(mine)}
    assert recall == {**common, f"gold_{unit}": len(theirs)}
    assert both == {**common, f"learned_{unit}": len(mine), f"gold_{unit}": len(theirs)}


@pytest.mark.parametrize(("names", "kind"), BOTH)
@given(case=cases())
def test_local_value_is_the_share_of_right_links_upwards_and_their_weighted_mean_is_the_value(
    names: Any, kind: str, case: Case
) -> None:
    task, pair = comparison(case), case.pair
    sides = [(pair.learned, pair.gold, "learned"), (pair.gold, pair.learned, "gold")]
    for name, (mine, theirs, of) in zip(names[:2], sides, strict=True):
        found = parse(name)(task)
        local = found.local
        assert local is not None
        assert local.of == of
        assert local.weights is not None
        iris = {"learned": task.learned, "gold": task.gold}[of].hierarchy.iris
        shown = {
            iris[concept]: (weight, share)
            for concept, weight, share in zip(
                local.ids.tolist(), local.weights.tolist(), local.values.tolist(), strict=True
            )
        }
        expected = {}
        for concept, key in mine.key.items():
            own = {link for link in links(mine, kind) if link[0] == key}
            if own:
                expected[concept] = (len(own), len(own & links(theirs, kind)) / len(own))
        assert shown == expected
        if expected:
            assert found.value == pytest.approx(np.average(local.values, weights=local.weights), rel=0, abs=1e-12)
    assert parse(names[2])(task).local is None


@given(case=cases())
def test_edges_of_the_task_are_the_given_ones_with_a_mark_for_those_of_the_gold_standard(case: Case) -> None:
    task, pair = comparison(case), case.pair
    (children, parents), shared = task.learned.hierarchy.stated_edges, shared_edges(task)
    iris = task.learned.hierarchy.iris
    ends = [(iris[low], iris[high]) for low, high in zip(children.tolist(), parents.tolist(), strict=True)]
    keys = pair.learned.key
    expected = {(low, high): (keys[low], keys[high]) in pair.gold.given for low, high in pair.learned.twin.given}
    assert len(ends) == len(expected)
    assert dict(zip(ends, shared.tolist(), strict=True)) == expected


# properties


@given(made=hierarchies(), pick=picks())
def test_identical_ontologies_give_1(made: Any, pick: int) -> None:
    case: dict[str, Any] = {"edges": made[0], "concepts": made[1]}
    case["root"] = root_of(case, pick)
    assert values(by_iri(Ontology.from_edges(**case), Ontology.from_edges(**case))) == [1.0] * 6


@given(case=cases())
def test_recall_is_precision_of_the_swapped_sides(case: Case) -> None:
    edge_p, edge_r, edge_f, closure_p, closure_r, closure_f = values(comparison(case))
    assert values(comparison(case.swapped)) == near([edge_r, edge_p, edge_f, closure_r, closure_p, closure_f])
    assert values(comparison(case).swapped) == near([edge_r, edge_p, edge_f, closure_r, closure_p, closure_f])


@given(case=cases(), shuffle=shuffles())
def test_order_and_repetition_of_the_edges_do_not_matter(case: Case, shuffle: random.Random) -> None:
    def mixed(made: dict[str, Any]) -> dict[str, Any]:
        return {**made, "edges": shuffle.sample(made["edges"] * 2, 2 * len(made["edges"]))}

    assert values(comparison(Case(mixed(case.learned), mixed(case.gold), case.mapping))) == values(comparison(case))


@pytest.mark.parametrize("root", ["new", "none", "http://ex.org/nowhere"])
@given(case=cases())
def test_root_that_is_asked_for_does_not_matter(root: str, case: Case) -> None:
    free = Case({**case.learned, "root": "auto"}, {**case.gold, "root": "auto"}, {})
    names = [set(oracle.twin(**side).given) for side in (free.learned, free.gold)]
    concepts = [{name for edge in edges for name in edge} for edges in names]
    mapping = {a: b for a, b in case.mapping.items() if a in concepts[0] and b in concepts[1]}
    there = Case(free.learned, free.gold, mapping)
    rooted = Case({**case.learned, "root": root}, {**case.gold, "root": root}, mapping)
    assert values(comparison(rooted)) == values(comparison(there))


# by hand


def test_links_of_the_text() -> None:
    # d < c < b < a and x < a against d < b < a and x < b: (b, a) is shared. Closed: 7 and 5 pairs,
    # (d, b), (d, a), (b, a), (x, a) are shared
    learned = Ontology.from_edges([("d", "c"), ("c", "b"), ("b", "a"), ("x", "a")])
    gold = Ontology.from_edges([("d", "b"), ("b", "a"), ("x", "b")])
    task = by_iri(learned, gold)
    expected = [Fraction(1, 4), Fraction(1, 3), Fraction(2, 7), Fraction(4, 7), Fraction(4, 5), Fraction(2, 3)]
    assert values(task) == near(expected)


def test_no_links_on_either_side_give_1_and_on_one_side_0() -> None:
    flat = Ontology.from_edges([("a", "a")], concepts=["a", "b"])  # a self-edge is none
    linked = Ontology.from_edges([("b", "a")])
    assert values(by_iri(flat, flat)) == [1.0] * 6
    assert values(by_iri(flat, linked)) == [0.0] * 6
    assert values(by_iri(linked, flat)) == [0.0] * 6


def test_edges_that_were_hung_under_a_root_are_none() -> None:
    # b < r is hung by us on the learned side and given on the gold side
    learned = Ontology.from_edges([("a", "r")], concepts=["b"], root="r")
    gold = Ontology.from_edges([("a", "r"), ("b", "r")])
    expected = [1, Fraction(1, 2), Fraction(2, 3)]
    assert values(by_iri(learned, gold)) == near(expected * 2)


def test_cycle_that_the_root_option_closes_is_none_in_the_closure() -> None:
    # r < t is given; t is hung under r, which closes a cycle in the hierarchy alone
    learned = Ontology.from_edges([("r", "t"), ("a", "r")], root="r")
    gold = Ontology.from_edges([("r", "t"), ("a", "r")])
    assert values(by_iri(learned, gold)) == [1.0] * 6


def test_cycle_of_five_thousand_has_all_pairs_in_its_closure() -> None:
    names = [f"c{i:04d}" for i in range(5000)]
    cycle = [(name, names[i - 1]) for i, name in enumerate(names)]
    flat = [(name, names[0]) for name in names[1:]]
    for root in ("none", "auto"):
        task = by_iri(Ontology.from_edges(cycle, root=root), Ontology.from_edges(flat))
        # (c0001, c0000) is given on both sides
        assert values(task, EDGE[:2]) == near([Fraction(1, 5000), Fraction(1, 4999)])
        assert values(task, CLOSURE[:2]) == near([Fraction(4999, 5000 * 4999), 1])
