"""Cycles, levels and distances of graphs of any shape."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.model import digraph as order
from ontoeval.model.digraph import components, distances, levels

SIZE = 8
NODE = st.integers(0, SIZE - 1)
ANY = st.lists(st.tuples(NODE, NODE), max_size=20)
ACYCLIC = st.lists(st.tuples(NODE, NODE).filter(lambda edge: edge[0] != edge[1]), max_size=20).map(
    lambda edges: [(max(edge), min(edge)) for edge in edges]
)


def columns(edges: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([a for a, _ in edges], dtype=np.int64), np.array([b for _, b in edges], dtype=np.int64)


def parts(label: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(label == k).tolist()) for k in np.unique(label)}


@given(ANY)
def test_strong_components_are_the_nodes_that_reach_each_other(edges: list[tuple[int, int]]) -> None:
    count, label = components(SIZE, *columns(edges))
    assert parts(label) == {frozenset(oracle.mutual(edges, x)) for x in range(SIZE)}
    assert sorted(set(label.tolist())) == list(range(count))


@given(ANY)
def test_weak_components_forget_the_direction(edges: list[tuple[int, int]]) -> None:
    count, label = components(SIZE, *columns(edges), strong=False)
    assert parts(label) == oracle.weak_components(range(SIZE), edges)
    assert count == len(parts(label))


@pytest.mark.parametrize("strong", [True, False])
def test_without_edges_each_node_is_a_component(strong: bool) -> None:
    count, label = components(3, *columns([]), strong=strong)
    assert (count, label.tolist()) == (3, [0, 1, 2])


@pytest.mark.parametrize("times", [255, 256, 512])
def test_edge_repeated_often_is_still_an_edge(times: int) -> None:
    there_and_back = [(0, 1), (1, 0), (2, 1)] * times
    assert parts(components(3, *columns(there_and_back))[1]) == {frozenset([0, 1]), frozenset([2])}
    assert components(3, *columns(there_and_back), strong=False)[0] == 1
    assert distances(3, *columns([(0, 1), (1, 2)] * times), np.array([0])).tolist() == [0, 1, 2]
    assert levels(3, *columns([(1, 0), (2, 1)] * times)).tolist() == [0, 1, 2]


@pytest.mark.parametrize("narrow", [0, 2, 3, 64])
@given(edges=ACYCLIC)
def test_level_is_the_longest_way_from_the_top_by_loops_and_by_arrays(
    narrow: int, edges: list[tuple[int, int]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "NARROW", narrow)
        found = levels(SIZE, *columns(edges))
    assert found.tolist() == [oracle.longest_from_top(edges, x) for x in range(SIZE)]


def test_levels_of_a_graph_that_is_narrow_and_wide_in_turn() -> None:
    wide = 3 * order.NARROW
    edges = [(i + 1, i) for i in range(5)]  # 0 ... 5
    edges += [(6 + i, 5) for i in range(wide)]  # a wide level under 5
    knot = 6 + wide
    edges += [(knot, 6 + i) for i in range(wide)]  # all of them meet again
    edges += [(knot + 1 + i, knot + i) for i in range(4)]
    expected = [*range(6), *[6] * wide, 7, 8, 9, 10, 11]
    assert levels(knot + 5, *columns(edges)).tolist() == expected


def test_levels_of_a_long_chain() -> None:
    count = 100_000
    chain = np.arange(count - 1)
    assert np.array_equal(levels(count, chain + 1, chain), np.arange(count))


def test_levels_of_nodes_without_edges_are_zero() -> None:
    assert levels(3, *columns([])).tolist() == [0, 0, 0]


@given(ANY, st.lists(NODE, max_size=3))
def test_distance_is_the_fewest_edges_from_any_source(edges: list[tuple[int, int]], sources: list[int]) -> None:
    found = distances(SIZE, *columns(edges), np.array(sources, dtype=np.int64))
    known = oracle.distances(edges, sources)
    assert found.tolist() == [known.get(x, -1) for x in range(SIZE)]


def test_distance_where_there_is_no_way_is_minus_one() -> None:
    assert distances(4, *columns([(0, 1), (3, 2)]), np.array([0])).tolist() == [0, 1, -1, -1]


@pytest.mark.parametrize(
    ("start", "expected"),
    [(0, lambda count: np.arange(count)), (50_000, lambda count: np.maximum(np.arange(count) - 50_000, -1))],
)
def test_distances_along_a_long_chain(start: int, expected: Callable[[int], np.ndarray]) -> None:
    count = 100_000
    chain = np.arange(count - 1)
    found = distances(count, chain, chain + 1, np.array([start]))
    assert np.array_equal(found, expected(count))
