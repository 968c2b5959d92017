"""Compressed rows: neighbours, weights, and arrays that nobody can change."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import shuffles, weights

from ontoeval.model.arrays import Adjacency, blocks, freeze, row_codes, runs, spans, starts

SIZE = 6
EDGES = st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1), weights()), max_size=25)


def make(edges: list[tuple[int, int, float]], size: int = SIZE) -> Adjacency:
    tails, heads = (np.array([edge[i] for edge in edges], dtype=np.int64) for i in (0, 1))
    return Adjacency.from_pairs(size, tails, heads, np.array([w for _, _, w in edges], dtype=np.float64))


def as_dict(adjacency: Adjacency) -> dict[tuple[int, int], float]:
    triples = zip(adjacency.tails.tolist(), adjacency.indices.tolist(), adjacency.weights.tolist(), strict=True)
    return {(tail, head): weight for tail, head, weight in triples}


def test_freeze_returns_the_same_array_and_no_one_can_write_to_it() -> None:
    array = np.arange(3)
    assert freeze(array) is array
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 7


def test_spans_of_the_docstring() -> None:
    assert spans(np.array([5, 0]), np.array([2, 3])).tolist() == [5, 6, 0, 1, 2]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 6))))
def test_spans_are_the_ranges_one_after_the_other(wanted: list[tuple[int, int]]) -> None:
    begin = np.array([s for s, _ in wanted], dtype=np.int32)
    lengths = np.array([n for _, n in wanted], dtype=np.int32)
    assert spans(begin, lengths).tolist() == [i for s, n in wanted for i in range(s, s + n)]


def test_blocks_of_the_docstring() -> None:
    assert [*blocks(np.array([3, 3, 3, 9, 1]), 6)] == [(0, 2), (2, 3), (3, 4), (4, 5)]


@given(st.lists(st.integers(0, 9)), st.integers(0, 20))
def test_blocks_hold_as_much_as_fits_and_one_at_least(costs: list[int], most: int) -> None:
    expected: list[list[int]] = []
    for cost in costs:
        if expected and sum(expected[-1]) + cost <= most:
            expected[-1].append(cost)
        else:
            expected.append([cost])
    found = [*blocks(np.array(costs, dtype=np.int32), most)]
    assert [costs[start:stop] for start, stop in found] == expected
    assert [place for start, stop in found for place in range(start, stop)] == [*range(len(costs))]


def test_starts_and_runs_of_the_docstrings() -> None:
    assert starts(np.array([2, 3, 1])).tolist() == [0, 2, 5]
    assert runs(np.array([7, 7, 3, 7])).tolist() == [0, 2, 3]


@given(st.lists(st.integers(0, 6)))
def test_groups_start_after_all_groups_before(lengths: list[int]) -> None:
    found = starts(np.array(lengths, dtype=np.int32))
    assert found.tolist() == [sum(lengths[:place]) for place in range(len(lengths))]


def test_starts_do_not_overflow_the_type_of_the_lengths() -> None:
    assert starts(np.array([2**31 - 1, 2**31 - 1, 1], dtype=np.int32)).tolist() == [0, 2**31 - 1, 2**32 - 2]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(-1, 1))))
def test_a_run_begins_where_a_row_differs_from_the_one_before(rows: list[tuple[int, int]]) -> None:
    left, right = (np.array([row[side] for row in rows], dtype=np.int64) for side in (0, 1))
    assert runs(left, right).tolist() == [i for i in range(len(rows)) if not i or rows[i] != rows[i - 1]]
    assert runs(left).tolist() == [i for i in range(len(rows)) if not i or rows[i][0] != rows[i - 1][0]]


@given(EDGES)
def test_of_repeated_edges_the_lightest_counts_whatever_their_order(edges: list[tuple[int, int, float]]) -> None:
    expected: dict[tuple[int, int], float] = {}
    for tail, head, weight in edges:
        expected[tail, head] = min(weight, expected.get((tail, head), weight))
    for order in (edges, edges[::-1]):
        assert as_dict(make(order)) == expected


@given(EDGES)
def test_neighbours_of_each_concept_come_ascending(edges: list[tuple[int, int, float]]) -> None:
    adjacency = make(edges)
    for concept in range(SIZE):
        neighbours = sorted({head for tail, head, _ in edges if tail == concept})
        assert adjacency[concept].tolist() == neighbours
        assert adjacency.degree[concept] == len(neighbours)


@given(EDGES)
def test_lengths_are_the_number_of_edges_and_of_concepts(edges: list[tuple[int, int, float]]) -> None:
    adjacency = make(edges)
    assert len(adjacency) == len({edge[:2] for edge in edges})
    assert adjacency.size == SIZE
    assert len(adjacency.indices) == len(adjacency.weights) == len(adjacency.tails)


@given(EDGES)
def test_reversed_turns_every_edge_round_and_keeps_its_weight(edges: list[tuple[int, int, float]]) -> None:
    adjacency = make(edges)
    turned = adjacency.reversed()
    assert as_dict(turned) == {(head, tail): weight for (tail, head), weight in as_dict(adjacency).items()}
    assert as_dict(turned.reversed()) == as_dict(adjacency)
    assert all(turned[c].tolist() == sorted(turned[c].tolist()) for c in range(SIZE))


def test_edge_of_weight_zero_is_an_edge() -> None:
    adjacency = make([(0, 1, 0.0)])
    assert len(adjacency) == 1
    assert adjacency[0].tolist() == [1]
    assert adjacency.weights.tolist() == [0.0]


@pytest.mark.parametrize("size", [0, 1, 4])
def test_without_edges_every_concept_has_no_neighbour(size: int) -> None:
    adjacency = make([], size)
    assert len(adjacency) == 0
    assert adjacency.size == size
    assert adjacency.degree.tolist() == [0] * size
    assert len(adjacency.reversed()) == 0


def test_ids_are_small_integers_and_weights_doubles() -> None:
    adjacency = make([(0, 1, 1.0)])
    assert adjacency.indices.dtype == np.int32
    assert adjacency.tails.dtype == np.int32
    assert adjacency.weights.dtype == np.float64


@pytest.mark.parametrize("column", ["indptr", "indices", "weights"])
def test_columns_are_read_only(column: str) -> None:
    array = getattr(make([(0, 1, 1.0), (1, 2, 2.0)]), column)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_making_an_adjacency_leaves_the_callers_arrays_alone() -> None:
    tails, heads, own = np.array([2, 0, 2]), np.array([1, 1, 0]), np.array([1.0, 2.0, 3.0])
    Adjacency.from_pairs(3, tails, heads, own)
    for array, before in ((tails, [2, 0, 2]), (heads, [1, 1, 0]), (own, [1.0, 2.0, 3.0])):
        assert array.tolist() == before
        assert array.flags.writeable


@given(random=shuffles())
def test_columns_are_packed_in_order_however_large(random: Random) -> None:
    rows = [[random.choice([-(2**61), -1, 0, 5, 2**61]) for _ in range(3)] for _ in range(random.randint(0, 6))]
    columns = [np.array([row[i] for row in rows], dtype=np.int64) for i in range(3)]
    code = row_codes(columns).tolist()
    for a, left in zip(code, rows, strict=True):
        for b, right in zip(code, rows, strict=True):
            assert ((a < b), (a == b)) == ((left < right), (left == right))
