"""Size and shape of one ontology: the twin, and what Table 9 of Dellschaft & Staab 2006 forces."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import MODES, NOWHERE, every_name, ontologies, picks, shuffles

from ontoeval.model import closure
from ontoeval.model.ontology import Ontology
from ontoeval.model.statistics import SHOWN_CYCLES

TABLE_9 = ("concepts", "edges", "leaves", "loops", "avg_depth", "avg_sub", "sub_dev", "avg_super", "super_dev")


def table_9(ontology: Ontology) -> dict[str, Any]:
    told = ontology.describe()
    return {key: told[key] for key in TABLE_9}


@pytest.mark.parametrize("root", [*MODES, "a concept", NOWHERE])
@given(made=ontologies(), pick=picks())
def test_statistics_are_those_of_the_twin(root: str, made: dict[str, Any], pick: int) -> None:
    names = every_name(made)
    root = names[pick % len(names)] if root == "a concept" else root
    told = Ontology.from_edges(**made, root=root).describe()
    expected = oracle.twin(**made, root=root).statistics()
    assert {key: told[key] for key in expected} == pytest.approx(expected)


@given(ontologies(), st.sampled_from(MODES), shuffles())
def test_statistics_do_not_depend_on_the_order_of_the_edges(
    made: dict[str, Any], root: str, shuffle: random.Random
) -> None:
    turned = {**made, "edges": shuffle.sample(made["edges"], len(made["edges"]))}
    assert Ontology.from_edges(**turned, root=root).describe() == Ontology.from_edges(**made, root=root).describe()


@given(ontologies(), st.sampled_from(MODES))
def test_statistics_are_plain_values_that_json_can_hold(made: dict[str, Any], root: str) -> None:
    told = Ontology.from_edges(**made, root=root).describe()
    assert json.loads(json.dumps(told, allow_nan=False)) == told


@given(ontologies())
def test_cycles_are_shown_as_chains_that_close(made: dict[str, Any]) -> None:
    told, twin = Ontology.from_edges(**made).describe(), oracle.twin(**made)
    assert len(told["cycles"]) == min(len(twin.cycles), SHOWN_CYCLES)
    ways = {*twin.edges, *((x, x) for x in twin.self_edges)}
    for chain in told["cycles"]:
        assert chain[0] == chain[-1]
        assert len(chain) > 1
        assert set(pairwise(chain)) <= ways
    assert told["cycle_count"] == len(twin.cycles)


def test_only_the_first_cycles_are_shown_and_all_are_counted() -> None:
    count = SHOWN_CYCLES + 2
    told = Ontology.from_edges([(f"c{i}", f"c{i}") for i in range(count)], root="none").describe()
    assert told["cycle_count"] == count
    assert told["cycles"] == [[f"c{i}", f"c{i}"] for i in range(SHOWN_CYCLES)]


# Table 9 by hand


def test_small_tree() -> None:
    # OR1 of the paper: root(car(van, coupé), bike)
    edges = [("car", "root"), ("bike", "root"), ("van", "car"), ("coupé", "car")]
    assert table_9(Ontology.from_edges(edges)) == {
        "concepts": 5,
        "edges": 4,
        "leaves": 3,
        "loops": 0,
        "avg_depth": pytest.approx((1 + 2 + 2) / 3),
        "avg_sub": 2.0,
        "sub_dev": 0.0,
        "avg_super": 1.0,
        "super_dev": 0.0,
    }


def test_average_depth_counts_distinct_superconcepts_and_not_steps() -> None:
    # x is one step below the root and has three superconcepts: a, b and the root
    told = Ontology.from_edges([("a", "root"), ("b", "a"), ("x", "b"), ("x", "root")]).describe()
    assert told["avg_depth"] == 3
    assert told["max_depth"] == 2


def test_concept_whose_only_subconcept_is_itself_is_a_leaf() -> None:
    told = Ontology.from_edges([("b", "a"), ("b", "b")]).describe()
    assert told["leaves"] == 1
    assert told["avg_depth"] == 1
    assert told["loops"] == 1
    assert told["avg_sub"] == 1  # a and b have one each
    assert (told["avg_super"], told["super_dev"]) == (2, 0)  # b has two, a has none and drops out


def test_without_leaves_average_depth_is_undefined() -> None:
    told = Ontology.from_edges([("a", "b"), ("b", "a")], root="none").describe()
    assert told["leaves"] == 0
    assert told["avg_depth"] is None


def test_single_concept_has_no_averages_but_a_depth() -> None:
    assert table_9(Ontology.from_edges([], concepts=["a"])) == {
        "concepts": 1, "edges": 0, "leaves": 1, "loops": 0, "avg_depth": 0.0, "avg_sub": None, "sub_dev": None,
        "avg_super": None, "super_dev": None,
    }  # fmt: skip


def test_added_root_counts_as_a_concept_and_its_edges_as_edges() -> None:
    told = Ontology.from_edges([("b", "a"), ("d", "c")]).describe()
    expected = {
        "concepts": 5, "root": "(root)", "root_added": True, "edges": 4, "given_edges": 2, "added_edges": 2, "roots": 2,
        "components": 2, "avg_sub": 4 / 3, "avg_super": 1.0, "avg_depth": 2.0, "max_depth": 2,
    }  # fmt: skip
    assert {key: told[key] for key in expected} == pytest.approx(expected)


def test_superconcepts_of_the_given_edges_are_intermediate_even_if_only_their_own() -> None:
    told = Ontology.from_edges([("b", "a"), ("c", "b"), ("d", "d")]).describe()
    assert told["intermediate"] == 3  # a, b, and d; the added root is none


def test_cycle_at_the_top_is_one_root() -> None:
    told = Ontology.from_edges([("a", "b"), ("b", "a"), ("c", "a"), ("x", "y")]).describe()
    assert told["roots"] == 2


def test_loops_count_concepts_that_reach_themselves() -> None:
    told = Ontology.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("a", "a"), ("d", "d"), ("e", "a")]).describe()
    assert told["loops"] == 4


def test_cycle_that_a_named_root_with_parents_makes_is_counted_and_shown() -> None:
    told = Ontology.from_edges([("b", "a"), ("c", "b")], root="b").describe()
    assert (told["loops"], told["added_edges"]) == (2, 1)
    assert told["cycles"] == [["b", "a", "b"]]


# Table 9 as printed: an integer search leaves only these numbers of edges E, of concepts with a subconcept I, and of
# concepts N in the average of superconcepts (taxonomic.md 3.3). Any hierarchy with them must give the same averages.


def hierarchy_with(concepts: int, edges: int, inner: int, *, looping_root: bool) -> list[tuple[str, str]]:
    """`inner` concepts have a subconcept; as many concepts as the edges ask for have a second superconcept."""
    names = [f"c{i:03d}" for i in range(concepts)]
    made = [(names[i], names[i - 1]) for i in range(1, inner)]  # the inner concepts but the last as a chain
    made += [(names[i], names[inner - 1]) for i in range(inner, concepts)]
    made += [(names[0], names[0])] * looping_root
    second = edges - len(made)
    return made + [(names[concepts - 1 - i], names[0]) for i in range(second)]


@pytest.mark.parametrize(
    ("concepts", "edges", "inner", "averaged"),
    [(116, 124, 45, 115), (246, 284, 106, 245)],
    ids=["threshold 0.9", "threshold 0.6"],
)
def test_table_9_leaves_the_root_out_of_average_super_and_leaves_out_of_average_sub(
    concepts: int, edges: int, inner: int, averaged: int
) -> None:
    told = Ontology.from_edges(hierarchy_with(concepts, edges, inner, looping_root=False)).describe()
    assert (told["concepts"], told["edges"], told["leaves"]) == (concepts, edges, concepts - inner)
    assert told["avg_sub"] == pytest.approx(edges / inner)
    assert told["avg_super"] == pytest.approx(edges / averaged)
    assert told["multi_parent"] == edges - averaged
    assert told["loops"] == 0


def test_table_9_reference_has_a_root_that_is_its_own_superconcept() -> None:
    # N = all 294 concepts, E = 303, I = 58: the root's self-edge is the one loop; 9 concepts have two superconcepts
    told = Ontology.from_edges(hierarchy_with(294, 303, 58, looping_root=True)).describe()
    assert (told["concepts"], told["edges"], told["self_edges"], told["loops"]) == (294, 303, 1, 1)
    assert told["root"] == "c000"
    assert told["multi_parent"] == 9
    assert told["intermediate"] == 58
    assert told["avg_sub"] == pytest.approx(303 / 58)
    assert told["avg_super"] == pytest.approx(303 / 294)
    assert told["super_dev"] == pytest.approx(0.172, abs=0.0005)


# labels and instances


def test_labels_per_language_and_concepts_without_one() -> None:
    told = Ontology.from_edges(
        [("b", "a"), ("d", "c")],
        labels={"a": [("A", "en"), ("Ä", "de"), ("AA", "en")], "b": "B"},
    ).describe()
    expected = {"labels": 4, "languages": {"": 1, "de": 1, "en": 2}, "unlabelled": 2, "root_added": True}
    assert {key: told[key] for key in expected} == expected


@pytest.mark.parametrize("root", MODES)
def test_added_root_does_not_count_as_a_concept_without_a_label(root: str) -> None:
    told = Ontology.from_edges([("b", "a"), ("c", "a")], labels={"a": "A"}, root=root).describe()
    assert told["unlabelled"] == 2


def test_instances_are_counted_once_each() -> None:
    instances = {"i": ["a", "b"], "j": {"a": 0.5}, "k": []}
    assert Ontology.from_edges([("b", "a")], instances=instances).describe()["instances"] == 2
    assert Ontology.from_edges([("b", "a")]).describe()["instances"] == 0


def test_related_and_synonym_edges_are_counted_once_each_way() -> None:
    told = Ontology.from_edges(
        [("b", "a")], related=[("a", "b"), ("b", "a"), ("a", "a")], synonyms=[("a", "c"), ("b", "c")]
    ).describe()
    assert (told["related"], told["synonyms"]) == (1, 2)


# too large


def test_average_depth_is_undefined_when_the_ancestors_do_not_fit_and_all_else_is_said() -> None:
    ontology = Ontology.from_edges([("b", "a"), ("c", "a"), ("d", "b"), ("d", "c")])
    full = ontology.describe()
    assert full["avg_depth"] == 3
    again = Ontology.from_edges([("b", "a"), ("c", "a"), ("d", "b"), ("d", "c")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closure, "MAX_PAIRS", 4)
        assert again.describe() == {**full, "avg_depth": None}


def test_average_depth_of_a_forest_needs_no_list_of_ancestors() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closure, "MAX_PAIRS", 0)
        told = Ontology.from_edges([("b", "a"), ("c", "b"), ("d", "b")]).describe()
    assert told["avg_depth"] == 2
