"""Ancestors and depth against the twin, in blocks of any size and up to the limit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import MODES, NOWHERE, hierarchies, picks, root_of

from ontoeval.errors import HierarchyError
from ontoeval.model import closure as module
from ontoeval.model.digraph import levels
from ontoeval.model.hierarchy import EdgeTable, Hierarchy


def _rooted(made: tuple[list[Any], list[str]], pick: int) -> dict[str, Any]:
    case = {"edges": made[0], "concepts": made[1]}
    return {**case, "root": root_of(case, pick)}


ROOTED = st.builds(_rooted, hierarchies(), picks())  # keyword arguments of Hierarchy.from_edges


def rows(hierarchy: Hierarchy) -> dict[str, set[str]]:
    matrix = hierarchy.closure.ancestors
    name = hierarchy.iris
    ends = matrix.indptr.tolist()
    return {
        name[c]: {name[i] for i in matrix.indices[ends[c] : ends[c + 1]].tolist()} for c in range(matrix.shape[0])
    }  # fmt: skip


@contextmanager
def limit(name: str, value: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, value)
        yield


def chain(count: int) -> Hierarchy:
    steps = np.arange(count - 1)
    return Hierarchy.build([f"c{i:07d}" for i in range(count)], EdgeTable.make(steps + 1, steps))


def ring(count: int, *more: tuple[str, str]) -> Hierarchy:
    names = [f"c{i:04d}" for i in range(count)]
    return Hierarchy.from_edges([*zip(names, [*names[1:], names[0]], strict=True), *more])


# ancestors


@pytest.mark.parametrize("root", [*MODES, NOWHERE])
@given(made=hierarchies())
def test_ancestors_are_what_is_reachable_over_one_edge_or_more(root: str, made: tuple[list[Any], list[str]]) -> None:
    edges, concepts = made
    hierarchy = Hierarchy.from_edges(edges, concepts=concepts, root=root)
    assert rows(hierarchy) == oracle.twin(edges, concepts=concepts, root=root).below


@given(ROOTED)
def test_ancestors_below_any_root_are_those_of_the_twin(case: dict[str, Any]) -> None:
    assert rows(Hierarchy.from_edges(**case)) == oracle.twin(**case).below


@given(ROOTED)
def test_ancestors_are_a_bool_matrix_with_sorted_rows_and_an_empty_diagonal(case: dict[str, Any]) -> None:
    hierarchy = Hierarchy.from_edges(**case)
    matrix = hierarchy.closure.ancestors
    assert matrix.shape == (len(hierarchy), len(hierarchy))
    assert matrix.dtype == bool
    assert bool(np.all(matrix.data))
    for low, high in pairwise(matrix.indptr):
        assert np.all(np.diff(matrix.indices[low:high]) > 0)
    assert not matrix.diagonal().any()


@given(ROOTED)
def test_ancestor_count_is_the_number_of_ancestors(case: dict[str, Any]) -> None:
    hierarchy = Hierarchy.from_edges(**case)
    below = oracle.twin(**case).below
    assert hierarchy.closure.ancestor_count.tolist() == [len(below[name]) for name in hierarchy.iris]


@pytest.mark.parametrize("block", [1, 2, 3, 7])
@given(made=hierarchies())
def test_ancestors_found_in_small_blocks_are_the_same(block: int, made: tuple[list[Any], list[str]]) -> None:
    edges, concepts = made
    with limit("BLOCK", block):
        found = rows(Hierarchy.from_edges(edges, concepts=concepts))
    assert found == oracle.twin(edges, concepts=concepts).below


def test_ancestors_of_many_levels_of_several_parents_outgrow_the_first_guess_of_memory() -> None:
    wide, deep = 20, 20  # every concept of a layer is below all of the layer above
    layers = [[f"l{d:02d}n{i:02d}" for i in range(wide)] for d in range(deep)]
    edges = [(low, high) for above, below in pairwise(layers) for low in below for high in above]
    hierarchy = Hierarchy.from_edges(edges)
    with limit("BLOCK", 1000):
        counts = hierarchy.closure.ancestor_count
    assert counts.tolist() == [0, *(1 + wide * d for d in range(deep) for _ in range(wide))]
    assert rows(hierarchy)["l03n07"] == {"(root)", *(name for layer in layers[:3] for name in layer)}


def test_cycle_members_are_each_others_ancestors_and_never_their_own() -> None:
    hierarchy = Hierarchy.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("d", "b"), ("a", "top")])
    assert rows(hierarchy) == {
        "top": set(),
        "a": {"b", "c", "top"},
        "b": {"a", "c", "top"},
        "c": {"a", "b", "top"},
        "d": {"a", "b", "c", "top"},
    }


def test_self_edge_makes_no_ancestor() -> None:
    assert rows(Hierarchy.from_edges([("b", "a"), ("b", "b"), ("a", "a")])) == {"a": set(), "b": {"a"}}


def test_single_concept_has_no_ancestor() -> None:
    hierarchy = Hierarchy.from_edges([], concepts=["a"])
    assert hierarchy.closure.ancestors.nnz == 0
    assert hierarchy.closure.ancestor_count.tolist() == [0]
    assert hierarchy.closure.depth.tolist() == [0]


# parts and depth


@given(ROOTED)
def test_parts_are_cycles_or_single_concepts(case: dict[str, Any]) -> None:
    hierarchy, twin = Hierarchy.from_edges(**case), oracle.twin(**case)
    closure = hierarchy.closure
    for concept, name in enumerate(hierarchy.iris):
        mates = {hierarchy.iris[c] for c in np.flatnonzero(closure.part == closure.part[concept])}
        assert mates == twin.cycle_of(name)
        assert closure.part_size[closure.part[concept]] == len(mates)


@given(ROOTED)
def test_roots_are_the_parts_without_a_parent(case: dict[str, Any]) -> None:
    hierarchy, twin = Hierarchy.from_edges(**case), oracle.twin(**case)
    closure = hierarchy.closure
    tops = {hierarchy.iris[c] for c in np.flatnonzero(np.isin(closure.part, closure.roots))}
    assert tops == oracle.tops(twin.concepts, twin.edges)


@given(ROOTED)
def test_depth_is_the_fewest_edges_from_the_root_with_each_cycle_as_one(case: dict[str, Any]) -> None:
    hierarchy = Hierarchy.from_edges(**case)
    depth = oracle.twin(**case).depth
    assert hierarchy.closure.depth.tolist() == [depth[name] for name in hierarchy.iris]


def test_depth_takes_the_shortest_way_and_a_cycle_as_one_step() -> None:
    edges = [("b", "a"), ("c", "b"), ("c", "a"), ("d", "c"), ("x", "b"), ("y", "x"), ("x", "y"), ("z", "y")]
    hierarchy = Hierarchy.from_edges(edges)
    depth = dict(zip(hierarchy.iris, hierarchy.closure.depth.tolist(), strict=True))
    assert depth == {"a": 0, "b": 1, "c": 1, "d": 2, "x": 2, "y": 2, "z": 3}


def test_depth_without_a_root_counts_from_the_nearest_top() -> None:
    edges = [("b", "a"), ("c", "b"), ("c", "x"), ("p", "q"), ("q", "p"), ("r", "p")]
    hierarchy = Hierarchy.from_edges(edges, root="none")
    depth = dict(zip(hierarchy.iris, hierarchy.closure.depth.tolist(), strict=True))
    assert depth == {"a": 0, "x": 0, "p": 0, "q": 0, "b": 1, "r": 1, "c": 1}


# redundant edges


@given(ROOTED)
def test_redundant_edges_are_those_that_a_way_over_a_third_part_implies(case: dict[str, Any]) -> None:
    hierarchy, twin = Hierarchy.from_edges(**case), oracle.twin(**case)
    closure = hierarchy.closure
    member = [hierarchy.iris[c] for c in closure.first[:-1]]  # one of each part
    ends = zip(closure.parents.tails.tolist(), closure.parents.indices.tolist(), strict=True)
    for (low, high), redundant in zip(ends, closure.redundant.tolist(), strict=True):
        a, c = member[low], member[high]
        others = twin.concepts - twin.cycle_of(a) - twin.cycle_of(c)
        assert redundant == any(b in twin.below[a] and c in twin.below[b] for b in others)


def test_redundant_edge_of_the_text_is_found() -> None:
    hierarchy = Hierarchy.from_edges([("a", "b"), ("b", "c"), ("a", "c")])
    closure = hierarchy.closure
    ends = zip(closure.parents.tails.tolist(), closure.parents.indices.tolist(), strict=True)
    marked = {
        (hierarchy.iris[low], hierarchy.iris[high]): mark
        for (low, high), mark in zip(ends, closure.redundant.tolist(), strict=True)
    }
    assert marked == {("a", "b"): False, ("b", "c"): False, ("a", "c"): True}


# large ones


def test_depth_and_ancestor_count_of_a_long_chain_need_no_list_of_ancestors() -> None:
    closure = chain(100_000).closure
    assert np.array_equal(closure.depth, np.arange(100_000))
    assert np.array_equal(closure.ancestor_count, np.arange(100_000))


def test_ancestors_of_a_long_chain_are_refused() -> None:
    # 100 000 * 99 999 / 2 pairs
    with pytest.raises(HierarchyError) as caught:
        _ = chain(100_000).closure.ancestors
    assert str(caught.value) == (
        "the hierarchy has at least 5e+09 pairs of a concept and an ancestor; the limit is 1e+09. Select a part of "
        "it with below= or namespaces=."
    )


def test_cycle_of_five_thousand_counts_as_one_step_and_as_five_thousand_ancestors() -> None:
    hierarchy = ring(5000, ("below", "c0042"), ("c0007", "top"))
    closure = hierarchy.closure
    assert hierarchy.iris[0] == "top"
    assert hierarchy.iris[-1] == "below"
    assert closure.depth.tolist() == [0, *[1] * 5000, 2]
    assert closure.ancestor_count.tolist() == [0, *[5000] * 5000, 5001]


def test_ancestors_of_a_cycle_of_a_thousand_are_all_its_other_members() -> None:
    matrix = ring(1000, ("c0007", "top")).closure.ancestors
    assert matrix.nnz == 1000 * 1000
    expected = np.ones((1001, 1001), dtype=bool)
    expected[0] = False
    np.fill_diagonal(expected, val=False)
    assert np.array_equal(matrix.toarray(), expected)


# the limit


def refusal(hierarchy: Hierarchy, most: int) -> str:
    with limit("MAX_PAIRS", most), pytest.raises(HierarchyError) as caught:
        _ = hierarchy.closure.ancestors
    return str(caught.value)


def test_too_many_pairs_are_refused_when_the_depth_alone_tells() -> None:
    assert refusal(chain(5), 9) == (
        "the hierarchy has at least 10 pairs of a concept and an ancestor; the limit is 9. Select a part of it with "
        "below= or namespaces=."
    )


def test_too_many_pairs_are_refused_when_the_ancestors_are_more_than_the_depth_tells() -> None:
    # d has a, b, c above it but is only two edges deep: depths 0 + 1 + 1 + 2 tell of 4 pairs, there are 5
    message = refusal(Hierarchy.from_edges([("b", "a"), ("c", "a"), ("d", "b"), ("d", "c")]), 4)
    assert message == (
        "the hierarchy has at least 5 pairs of a concept and an ancestor; the limit is 4. Select a part of it with "
        "below= or namespaces=."
    )


def test_too_many_pairs_inside_a_cycle_are_refused() -> None:
    # 4 concepts with 4 ancestors each
    message = refusal(ring(4, ("c0000", "top")), 15)
    assert message == (
        "the hierarchy has at least 16 pairs of a concept and an ancestor; the limit is 15. Select a part of it "
        "with below= or namespaces=."
    )


@given(ROOTED, st.integers(-2, 2))
def test_ancestors_are_refused_exactly_when_there_are_more_pairs_than_fit(case: dict[str, Any], more: int) -> None:
    pairs = sum(len(above) for above in oracle.twin(**case).below.values())
    closure = Hierarchy.from_edges(**case).closure
    most = max(pairs + more, 0)
    with limit("MAX_PAIRS", most):
        if pairs > most:
            with pytest.raises(HierarchyError, match="Select a part of it"):
                _ = closure.ancestors
        else:
            assert closure.ancestors.nnz == pairs


# what cannot be changed


@pytest.mark.parametrize("key", ["first", "part", "part_size", "part_depth", "depth", "ancestor_count", "roots"])
def test_arrays_are_read_only(key: str) -> None:
    array = getattr(Hierarchy.from_edges([("b", "a"), ("c", "a"), ("c", "b")]).closure, key)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.parametrize("edges", [[("b", "a")], [("b", "a"), ("c", "b"), ("b", "c")]], ids=["tree", "cycle"])
@pytest.mark.parametrize("key", ["data", "indices", "indptr"])
def test_ancestor_matrix_is_read_only(edges: list[tuple[str, str]], key: str) -> None:
    array = getattr(Hierarchy.from_edges(edges).closure.ancestors, key)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.parametrize("edges", [[("b", "a")], [("b", "a"), ("c", "b"), ("b", "c")]], ids=["tree", "cycle"])
def test_ancestor_ids_take_four_bytes(edges: list[tuple[str, str]]) -> None:
    assert Hierarchy.from_edges(edges).closure.ancestors.indices.dtype == np.int32


@given(case=ROOTED)
def test_levels_read_off_the_numbering_are_the_longest_ways(case: dict[str, Any]) -> None:
    closure = Hierarchy.from_edges(**case).closure
    longest: list[int] = []
    for part in range(closure.parents.size):  # parents have smaller numbers
        longest.append(max((longest[parent] + 1 for parent in closure.parents[part].tolist()), default=0))
    assert closure.level.tolist() == longest
    assert levels(closure.parents.size, closure.parents.tails, closure.parents.indices).tolist() == longest
