"""Hierarchy against its twin: every root option, any order of the edges, cycles and floating parts."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import MODES, NOWHERE, every_name, hierarchies, ontologies, picks, root_of, shuffles

from ontoeval.errors import HierarchyError, OntoevalError, ParameterError, UnknownConceptError
from ontoeval.model.arrays import Adjacency
from ontoeval.model.hierarchy import WEIGHTS, EdgeTable, Hierarchy, chosen_weights

ARRAYS = ("parents", "children", "related", "synonyms")
COLUMNS = ("indptr", "indices", "weights")


def _rooted(made: dict[str, Any], pick: int) -> tuple[dict[str, Any], str]:
    made = {key: value for key, value in made.items() if key not in ("equivalent", "instances")}
    return made, root_of(made, pick)


ROOTED = st.builds(_rooted, ontologies(), picks())  # (keyword arguments of Hierarchy.from_edges without root, root)


def named(hierarchy: Hierarchy, adjacency: Adjacency) -> dict[tuple[str, str], float]:
    name = hierarchy.iris
    triples = zip(adjacency.tails.tolist(), adjacency.indices.tolist(), adjacency.weights.tolist(), strict=True)
    return {(name[tail], name[head]): weight for tail, head, weight in triples}


def parts(hierarchy: Hierarchy) -> list[list[str]]:
    first = hierarchy.first.tolist()
    return [list(hierarchy.iris[low:high]) for low, high in pairwise(first)]


def assert_same_arrays(left: Hierarchy, right: Hierarchy) -> None:
    assert left.iris == right.iris
    assert (left.has_root, left.root_added) == (right.has_root, right.root_added)
    for kind in ARRAYS:
        for column in COLUMNS:
            one, other = getattr(getattr(left, kind), column), getattr(getattr(right, kind), column)
            assert one.dtype == other.dtype
            assert one.tolist() == other.tolist(), (kind, column)
    for key in ("attached", "self_edges", "first"):
        assert getattr(left, key).tolist() == getattr(right, key).tolist(), key


# what is in it


@pytest.mark.parametrize("root", [*MODES, "a concept", NOWHERE])
@given(case=ROOTED, pick=picks())
def test_concepts_edges_and_root_are_those_of_the_twin(root: str, case: tuple[dict[str, Any], str], pick: int) -> None:
    made, _ = case
    names = every_name(made)
    root = names[pick % len(names)] if root == "a concept" else root
    hierarchy, twin = Hierarchy.from_edges(root=root, **made), oracle.twin(root=root, **made)
    assert sorted(hierarchy.iris) == sorted(twin.concepts)
    assert len(hierarchy) == len(twin.concepts)
    assert named(hierarchy, hierarchy.parents) == twin.edges
    assert named(hierarchy, hierarchy.children) == {(parent, child): w for (child, parent), w in twin.edges.items()}
    assert named(hierarchy, hierarchy.related) == twin.related
    assert named(hierarchy, hierarchy.synonyms) == twin.synonyms
    assert hierarchy.has_root == (twin.root is not None)
    assert hierarchy.root_added == twin.root_added
    assert [hierarchy.iris[c] for c in hierarchy.attached] == sorted(twin.attached, key=hierarchy.id)
    assert [hierarchy.iris[c] for c in hierarchy.self_edges] == sorted(twin.self_edges, key=hierarchy.id)


@given(ROOTED)
def test_given_marks_the_edges_of_the_file_and_no_others(case: tuple[dict[str, Any], str]) -> None:
    made, root = case
    hierarchy = Hierarchy.from_edges(root=root, **made)
    pairs = zip(hierarchy.parents.tails.tolist(), hierarchy.parents.indices.tolist(), strict=True)
    own = {(hierarchy.iris[a], hierarchy.iris[b]) for (a, b), mark in zip(pairs, hierarchy.given, strict=True) if mark}
    assert own == set(oracle.twin(root=root, **made).given)


@given(ROOTED)
def test_every_concept_reaches_the_root_when_there_is_one(case: tuple[dict[str, Any], str]) -> None:
    made, root = case
    hierarchy = Hierarchy.from_edges(root=root, **made)
    if hierarchy.has_root:
        ways = named(hierarchy, hierarchy.parents)
        assert all(hierarchy.iris[0] in oracle.reachable(ways, name) for name in hierarchy.iris[1:])


@given(ROOTED)
def test_cycles_are_the_concepts_that_reach_each_other_and_self_edges_alone(case: tuple[dict[str, Any], str]) -> None:
    made, root = case
    hierarchy = Hierarchy.from_edges(root=root, **made)
    found = [frozenset(hierarchy.iris[c] for c in members) for members in hierarchy.cycles]
    assert len(found) == len(set(found))
    assert set(found) == oracle.twin(root=root, **made).cycles


@given(ROOTED)
def test_cycle_path_is_a_shortest_way_up_and_back(case: tuple[dict[str, Any], str]) -> None:
    made, root = case
    hierarchy, twin = Hierarchy.from_edges(root=root, **made), oracle.twin(root=root, **made)
    for members in hierarchy.cycles:
        path = hierarchy.cycle_path(members)
        assert path[0] == path[-1] == members[0]
        steps = [(hierarchy.iris[a], hierarchy.iris[b]) for a, b in pairwise(path)]
        if len(members) == 1:
            assert steps == [(hierarchy.iris[members[0]],) * 2]
        else:
            assert set(steps) <= set(twin.edges)
            assert len(steps) == twin.shortest_loop(hierarchy.iris[members[0]])


# the numbers


@given(ROOTED, shuffles())
def test_shuffled_edges_give_identical_arrays(case: tuple[dict[str, Any], str], shuffle: random.Random) -> None:
    made, root = case
    turned = dict(made)
    for kind in ("edges", "concepts", "related", "synonyms"):
        turned[kind] = shuffle.sample(made[kind], len(made[kind]))
    turned["related"] = [(b, a, *own) for a, b, *own in turned["related"]]  # undirected: the ends change places too
    turned["synonyms"] = [(b, a, *own) for a, b, *own in turned["synonyms"]]
    assert_same_arrays(Hierarchy.from_edges(root=root, **made), Hierarchy.from_edges(root=root, **turned))


@given(ROOTED)
def test_repeating_every_edge_changes_nothing(case: tuple[dict[str, Any], str]) -> None:
    made, root = case
    twice = {key: value * 2 if isinstance(value, list) else value for key, value in made.items()}
    assert_same_arrays(Hierarchy.from_edges(root=root, **made), Hierarchy.from_edges(root=root, **twice))


@given(ROOTED)
def test_root_is_concept_zero(case: tuple[dict[str, Any], str]) -> None:
    made, root = case
    hierarchy, twin = Hierarchy.from_edges(root=root, **made), oracle.twin(root=root, **made)
    assert (hierarchy.iris[0] if hierarchy.has_root else None) == twin.root


@given(ROOTED)
def test_parents_come_before_children_outside_cycles(case: tuple[dict[str, Any], str]) -> None:
    made, root = case
    hierarchy, twin = Hierarchy.from_edges(root=root, **made), oracle.twin(root=root, **made)
    for child, parent in twin.edges:
        if parent not in twin.cycle_of(child):
            assert hierarchy.id(parent) < hierarchy.id(child)


@given(ROOTED)
def test_cycle_members_stand_side_by_side_in_order_of_iri(case: tuple[dict[str, Any], str]) -> None:
    made, root = case
    hierarchy, twin = Hierarchy.from_edges(root=root, **made), oracle.twin(root=root, **made)
    for members in parts(hierarchy):
        assert set(members) == twin.cycle_of(members[0])
        rest = members[1:] if members[0] == twin.root else members
        assert rest == sorted(rest)


@given(ROOTED)
def test_ties_between_parts_with_the_same_parents_go_by_iri(case: tuple[dict[str, Any], str]) -> None:
    made, root = case
    hierarchy, twin = Hierarchy.from_edges(root=root, **made), oracle.twin(root=root, **made)
    siblings: dict[frozenset[str], list[str]] = {}
    for members in parts(hierarchy):
        if twin.root not in members:
            outside = {p for c, p in twin.edges if c in members and p not in members}
            siblings.setdefault(frozenset(outside), []).append(members[0])
    assert all(least == sorted(least) for least in siblings.values())


def test_ids_run_from_the_root_downwards_with_ties_by_iri() -> None:
    edges = [("e", "b"), ("d", "b"), ("b", "a"), ("c", "a"), ("f", "c"), ("f", "a")]
    assert Hierarchy.from_edges(edges).iris == ("a", "b", "c", "d", "e", "f")


def test_root_comes_first_even_inside_a_cycle_whose_other_members_sort_lower() -> None:
    hierarchy = Hierarchy.from_edges([("z", "a"), ("m", "z"), ("a", "m"), ("x", "a")], root="z")
    assert hierarchy.iris == ("z", "a", "m", "x")
    assert hierarchy.cycles == ((0, 1, 2),)


def test_id_goes_back_from_iri() -> None:
    hierarchy = Hierarchy.from_edges([("b", "a"), ("c", "a")])
    assert [hierarchy.id(iri) for iri in hierarchy.iris] == [0, 1, 2]
    assert "b" in hierarchy
    assert "x" not in hierarchy
    assert 1 not in hierarchy


# the root rule, case by case


def test_single_top_is_the_root_and_nothing_is_added() -> None:
    hierarchy = Hierarchy.from_edges([("b", "a"), ("c", "b")])
    assert (hierarchy.iris[0], hierarchy.root_added, hierarchy.attached.tolist()) == ("a", False, [])


def test_several_tops_get_an_added_root() -> None:
    hierarchy = Hierarchy.from_edges([("c", "a"), ("c", "b")])
    assert hierarchy.iris == ("(root)", "a", "b", "c")
    assert hierarchy.root_added
    assert hierarchy.attached.tolist() == [1, 2]


def test_every_member_of_a_floating_cycle_is_attached() -> None:
    hierarchy = Hierarchy.from_edges([("b", "a"), ("x", "y"), ("y", "x"), ("z", "x")], root="a")
    assert {hierarchy.iris[c] for c in hierarchy.attached} == {"x", "y"}


def test_single_top_that_is_a_cycle_gets_an_added_root() -> None:
    hierarchy = Hierarchy.from_edges([("a", "b"), ("b", "a"), ("c", "a")])
    assert hierarchy.iris == ("(root)", "a", "b", "c")
    assert hierarchy.attached.tolist() == [1, 2]


def test_single_top_with_a_self_edge_is_the_root() -> None:
    hierarchy = Hierarchy.from_edges([("a", "a"), ("b", "a")])
    assert (hierarchy.iris, hierarchy.root_added) == (("a", "b"), False)
    assert hierarchy.self_edges.tolist() == [0]
    assert hierarchy.cycles == ((0,),)


def test_new_adds_a_root_above_a_single_top() -> None:
    hierarchy = Hierarchy.from_edges([("b", "a")], root="new")
    assert hierarchy.iris == ("(root)", "a", "b")
    assert hierarchy.root_added
    assert hierarchy.attached.tolist() == [1]


def test_none_adds_nothing() -> None:
    hierarchy = Hierarchy.from_edges([("b", "a"), ("d", "c")], root="none")
    assert set(hierarchy.iris) == {"a", "b", "c", "d"}
    assert not hierarchy.has_root
    assert not hierarchy.root_added
    assert hierarchy.attached.tolist() == []


def test_parents_of_a_named_root_end_up_in_one_cycle_with_it() -> None:
    hierarchy = Hierarchy.from_edges([("m", "a"), ("c", "m"), ("d", "a")], root="m")
    assert hierarchy.iris == ("m", "a", "c", "d")
    assert hierarchy.cycles == ((0, 1),)
    assert [hierarchy.iris[c] for c in hierarchy.attached] == ["a"]


def test_named_root_inside_the_only_top_gets_no_edge() -> None:
    hierarchy = Hierarchy.from_edges([("a", "b"), ("b", "a")], root="b")
    assert hierarchy.iris == ("b", "a")
    assert hierarchy.attached.tolist() == []


def test_single_concept_is_its_own_root() -> None:
    hierarchy = Hierarchy.from_edges([], concepts=["only"])
    assert (hierarchy.iris, hierarchy.has_root, hierarchy.root_added) == (("only",), True, False)


def test_root_that_occurs_nowhere_becomes_a_concept_above_all_tops() -> None:
    hierarchy = Hierarchy.from_edges([("b", "a"), ("d", "c")], root="new root")
    assert hierarchy.iris[0] == "new root"
    assert not hierarchy.root_added
    assert {hierarchy.iris[c] for c in hierarchy.attached} == {"a", "c"}


@pytest.mark.parametrize(
    ("taken", "added"),
    [
        (["x", "y"], "(root)"),
        (["(root)", "y"], "((root))"),
        (["(root)", "((root))"], "(((root)))"),
        (["((root))", "y"], "(root)"),
    ],
)
def test_added_root_takes_a_name_that_no_concept_has(taken: list[str], added: str) -> None:
    hierarchy = Hierarchy.from_edges([], concepts=taken)
    assert hierarchy.iris[0] == added
    assert len(hierarchy) == 3


def test_build_calls_an_added_root_as_it_is_told() -> None:
    hierarchy = Hierarchy.build(["a", "b"], EdgeTable.make(), root_name="http://www.w3.org/2002/07/owl#Thing")
    assert hierarchy.iris == ("http://www.w3.org/2002/07/owl#Thing", "a", "b")


# weights


def test_default_weights_are_those_of_deloo_and_hauff() -> None:
    hierarchy = Hierarchy.from_edges([("b", "a")], related=[("a", "c")], synonyms=[("b", "c")])
    assert set(hierarchy.parents.weights.tolist()) == {1.0}
    assert set(hierarchy.related.weights.tolist()) == {1.0}
    assert set(hierarchy.synonyms.weights.tolist()) == {0.0}


def test_edges_to_the_root_weigh_what_hierarchical_edges_weigh() -> None:
    hierarchy = Hierarchy.from_edges([("c", "a", 7.0), ("c", "b", 7.0)], weights={"hierarchical": 3})
    assert named(hierarchy, hierarchy.parents) == {
        ("c", "a"): 7.0, ("c", "b"): 7.0, ("a", "(root)"): 3.0, ("b", "(root)"): 3.0,
    }  # fmt: skip


def test_own_weight_goes_before_the_weight_of_the_kind_and_the_lightest_edge_wins() -> None:
    edges = [("b", "a", 5.0), ("b", "a"), ("c", "a", 5.0), ("c", "a", 0.5)]
    hierarchy = Hierarchy.from_edges(edges, weights={"hierarchical": 2})
    assert named(hierarchy, hierarchy.parents) == {("b", "a"): 2.0, ("c", "a"): 0.5}


def test_edge_table_fills_missing_weights_with_the_default() -> None:
    assert EdgeTable.make([0, 1], [1, 2], [np.nan, 3.0], default=0.5).weights.tolist() == [0.5, 3.0]
    assert EdgeTable.make([0, 1], [1, 2], default=2.0).weights.tolist() == [2.0, 2.0]


def test_chosen_weights_leave_the_defaults_alone() -> None:
    assert chosen_weights({"related": 2}) == {"hierarchical": 1.0, "related": 2.0, "synonym": 0.0}
    assert dict(WEIGHTS) == {"hierarchical": 1.0, "related": 1.0, "synonym": 0.0}


# large ones


def test_chain_of_a_hundred_thousand_is_numbered_along_the_chain() -> None:
    count = 100_000
    names = [f"c{i:06d}" for i in range(count)]
    shuffled = np.random.default_rng(1).permutation(count - 1)
    hierarchy = Hierarchy.build(names, EdgeTable.make(shuffled + 1, shuffled))
    assert hierarchy.iris == tuple(names)
    assert np.array_equal(hierarchy.parents.indices, np.arange(count - 1))
    assert np.array_equal(hierarchy.first, np.arange(count + 1))


def test_cycle_of_five_thousand_is_one_part_and_its_path_goes_all_the_way_round() -> None:
    count = 5000
    names = [f"c{i:04d}" for i in range(count)]
    hierarchy = Hierarchy.from_edges([*zip(names, [*names[1:], names[0]], strict=True), ("below", "c0042")])
    assert hierarchy.iris == ("(root)", *names, "below")
    assert hierarchy.cycles == (tuple(range(1, count + 1)),)
    assert hierarchy.cycle_path(hierarchy.cycles[0]) == (*range(1, count + 1), 1)
    assert len(hierarchy.attached) == count


# what cannot be changed, and what is refused


@pytest.mark.parametrize("key", ["attached", "self_edges", "first"])
def test_arrays_are_read_only(key: str) -> None:
    array = getattr(Hierarchy.from_edges([("a", "a"), ("b", "b")]), key)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.parametrize("kind", ARRAYS)
def test_adjacencies_are_read_only(kind: str) -> None:
    adjacency = getattr(Hierarchy.from_edges([("b", "a")], related=[("a", "b")], synonyms=[("a", "b")]), kind)
    with pytest.raises(ValueError, match="read-only"):
        adjacency.weights[0] = 9.0


def test_attributes_are_read_only() -> None:
    hierarchy = Hierarchy.from_edges([("b", "a")])
    with pytest.raises(AttributeError, match="cannot assign to field 'iris'"):
        hierarchy.iris = ()  # type: ignore[misc]


def says(error: type[OntoevalError], message: str, *args: Any, **kwargs: Any) -> OntoevalError:
    with pytest.raises(error) as caught:
        Hierarchy.from_edges(*args, **kwargs)
    assert str(caught.value) == message
    return caught.value


@pytest.mark.parametrize("root", MODES)
def test_no_concept_at_all_is_refused(root: str) -> None:
    says(HierarchyError, "no concepts found. Add a concept or a link.", [], root=root)


@pytest.mark.parametrize(
    ("weight", "shown"),
    [(-1, "-1"), (float("inf"), "inf"), (float("nan"), "nan"), ("heavy", "'heavy'"), (None, "None"), ([1], "[1]")],
)
def test_weight_that_is_no_finite_number_is_refused(weight: Any, shown: str) -> None:
    says(
        ParameterError,
        f"the weight of related must be a finite number >= 0, not {shown}.",
        [("b", "a")],
        weights={"related": weight},
    )
    says(
        ParameterError,
        f"the weight of the link b a must be a finite number >= 0, not {shown}.",
        [("b", "a", weight)],
    )


@pytest.mark.parametrize("kind", ["related", "synonyms"])
def test_bad_weight_of_a_pair_is_refused_too(kind: str) -> None:
    message = "the weight of the link x y must be a finite number >= 0, not -0.5."
    says(ParameterError, message, [("b", "a")], **{kind: [("x", "y", -0.5)]})


def test_unknown_kind_of_edge_is_refused_with_a_suggestion() -> None:
    says(
        ParameterError,
        "unknown kind of link: 'synonyms'. Did you mean 'synonym'? Use one of: hierarchical, related, synonym.",
        [("b", "a")],
        weights={"synonyms": 1},
    )


def test_unknown_kind_of_edge_like_none_is_refused_without_a_suggestion() -> None:
    says(
        ParameterError,
        "unknown kind of link: 'x'. Use one of: hierarchical, related, synonym.",
        [("b", "a")],
        weights={"x": 1},
    )


def test_unknown_concept_is_refused_with_a_suggestion() -> None:
    hierarchy = Hierarchy.from_edges([("coupé", "vehicle"), ("van", "vehicle")])
    with pytest.raises(UnknownConceptError) as caught:
        hierarchy.id("vehicel")
    assert str(caught.value) == "unknown concept 'vehicel'. Did you mean 'vehicle'?"
    assert isinstance(caught.value, LookupError)


def test_unknown_concept_with_two_close_names_suggests_both() -> None:
    hierarchy = Hierarchy.from_edges([("ex:car1", "ex:car2")])
    with pytest.raises(UnknownConceptError) as caught:
        hierarchy.id("ex:car3")
    assert str(caught.value) in (
        "unknown concept 'ex:car3'. Did you mean 'ex:car1' or 'ex:car2'?",
        "unknown concept 'ex:car3'. Did you mean 'ex:car2' or 'ex:car1'?",
    )


def test_unknown_concept_like_none_is_refused_without_a_suggestion() -> None:
    with pytest.raises(UnknownConceptError) as caught:
        Hierarchy.from_edges([("van", "vehicle")]).id("quark")
    assert str(caught.value) == "unknown concept 'quark'."


def test_build_refuses_a_root_that_is_no_concept() -> None:
    with pytest.raises(UnknownConceptError) as caught:
        Hierarchy.build(["vehicle", "van"], EdgeTable.make([1], [0]), root="vehicles")
    assert str(caught.value) == (
        "the root 'vehicles' is not a concept of the ontology. Did you mean 'vehicle'? Use the IRI of a concept, "
        "auto, new or none."
    )


def test_build_refuses_a_root_like_no_concept_without_a_suggestion() -> None:
    with pytest.raises(UnknownConceptError) as caught:
        Hierarchy.build(["vehicle", "van"], EdgeTable.make([1], [0]), root="quark")
    assert str(caught.value) == (
        "the root 'quark' is not a concept of the ontology. Use the IRI of a concept, auto, new or none."
    )  # fmt: skip


def test_cycle_is_refused_on_demand_with_its_shortest_chain() -> None:
    error = says(
        HierarchyError,
        '3 concepts form a cycle: ex:a < ex:b < ex:c < ex:a. Set on_cycle="keep" to accept it.',
        [("ex:c", "ex:a"), ("ex:b", "ex:c"), ("ex:a", "ex:b"), ("ex:d", "ex:a"), ("ex:c", "ex:top")],
        on_cycle="error",
    )
    assert isinstance(error, HierarchyError)
    assert error.concepts == ("ex:a", "ex:b", "ex:c")


def test_cycle_that_is_refused_is_the_one_of_the_lowest_iri_in_any_order() -> None:
    edges = [("y", "x"), ("x", "y"), ("b", "c"), ("c", "b"), ("b", "a")]
    message = '2 concepts form a cycle: b < c < b. Set on_cycle="keep" to accept it.'
    says(HierarchyError, message, edges, on_cycle="error")
    says(HierarchyError, message, edges[::-1], on_cycle="error")


def test_long_cycle_is_shown_by_its_ends() -> None:
    names = [f"c{i}" for i in range(10, 30)]
    error = says(
        HierarchyError,
        '20 concepts form a cycle: c10 < c11 < c12 < c13 < ... < c27 < c28 < c29 < c10. Set on_cycle="keep" to '
        "accept it.",
        list(zip(names, [*names[1:], names[0]], strict=True)),
        on_cycle="error",
    )
    assert isinstance(error, HierarchyError)
    assert error.concepts == tuple(names)


def test_self_edge_and_cycle_made_by_the_root_rule_are_no_error() -> None:
    hierarchy = Hierarchy.from_edges([("b", "b"), ("b", "a")], root="b", on_cycle="error")
    assert hierarchy.cycles == ((0,), (0, 1))


@given(hierarchies())
def test_acyclic_hierarchies_are_never_refused_and_cyclic_ones_always(made: tuple[list[Any], list[str]]) -> None:
    edges, concepts = made
    if any(len(cycle) > 1 for cycle in oracle.twin(edges, concepts=concepts, root="none").cycles):
        with pytest.raises(HierarchyError, match="form a cycle"):
            Hierarchy.from_edges(edges, concepts=concepts, on_cycle="error")
    else:
        kept = Hierarchy.from_edges(edges, concepts=concepts)
        assert_same_arrays(Hierarchy.from_edges(edges, concepts=concepts, on_cycle="error"), kept)


def test_unknown_way_to_treat_cycles_is_refused() -> None:
    with pytest.raises(ParameterError):
        Hierarchy.from_edges([("a", "b"), ("b", "a")], on_cycle="eror")  # type: ignore[arg-type]
