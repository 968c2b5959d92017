"""Edges of some of the concepts against the twin: at or below one, between kept ones, without implied ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hierarchies

from ontoeval.edit import edges as edit_edges
from ontoeval.edit.edges import at_or_below, bridged_ends, restrict_edges, transitive_reduction
from ontoeval.model.hierarchy import EdgeTable


def numbered(made: tuple[list[Any], list[str]]) -> tuple[int, list[tuple[int, int, float]]]:
    """(number of concepts, edges between numbers)."""
    edges, concepts = made
    number: dict[str, int] = {}
    for name in [*(name for edge in edges for name in edge[:2]), *concepts]:
        number.setdefault(name, len(number))
    return len(number), [(number[a], number[b], *own) if own else (number[a], number[b], 1.0) for a, b, *own in edges]


def table(edges: list[tuple[int, int, float]]) -> EdgeTable:
    return EdgeTable.make([a for a, _, _ in edges], [b for _, b, _ in edges], [w for _, _, w in edges])


def listed(edges: EdgeTable) -> list[tuple[int, int, float]]:
    return list(zip(edges.tails.tolist(), edges.heads.tolist(), edges.weights.tolist(), strict=True))


def pairs(edges: EdgeTable) -> set[tuple[int, int]]:
    return {(a, b) for a, b, _ in listed(edges)}


CASES = hierarchies(weighted=True).map(numbered)
DROPPED = st.integers(0, 2**12 - 1).map(lambda bits: {i for i in range(12) if bits >> i & 1})


# reduced


@given(CASES)
def test_reduced_leaves_out_what_other_edges_imply(case: tuple[int, list[tuple[int, int, float]]]) -> None:
    size, edges = case
    assert pairs(transitive_reduction(size, table(edges))) == oracle.reduction((a, b) for a, b, _ in edges)


@given(CASES)
def test_reduced_keeps_weights_order_and_repetitions_of_what_stays(
    case: tuple[int, list[tuple[int, int, float]]],
) -> None:
    size, edges = case
    kept = oracle.reduction((a, b) for a, b, _ in edges)
    assert listed(transitive_reduction(size, table(edges))) == [edge for edge in edges if edge[:2] in kept]


@given(CASES)
def test_reduced_does_not_change_what_is_above_what(case: tuple[int, list[tuple[int, int, float]]]) -> None:
    size, edges = case
    left = pairs(transitive_reduction(size, table(edges)))
    for concept in range(size):
        assert oracle.reachable(left, concept) == oracle.reachable([edge[:2] for edge in edges], concept)


def test_reduced_drops_every_link_that_skips_a_step_of_a_chain() -> None:
    edges = [(low, high, 1.0) for low in range(5) for high in range(low)]
    assert pairs(transitive_reduction(5, table(edges))) == {(1, 0), (2, 1), (3, 2), (4, 3)}


def test_reduced_keeps_all_edges_inside_a_cycle() -> None:
    edges = [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (0, 2, 1.0)]
    assert listed(transitive_reduction(3, table(edges))) == edges


# restricted


@given(CASES, DROPPED, st.sampled_from([0.0, 1.0, 2.5]))
def test_restricted_keeps_edges_and_ways_through_dropped_concepts(
    case: tuple[int, list[tuple[int, int, float]]], drop: set[int], weight: float
) -> None:
    size, edges = case
    keep = set(range(size)) - drop
    mask = np.array([c in keep for c in range(size)], dtype=bool)
    found: dict[tuple[int, int], float] = {}
    for a, b, w in listed(restrict_edges(size, table(edges), mask, weight)):
        found[a, b] = min(w, found.get((a, b), w))
    given_edges = oracle.lightest(edges, 1.0)
    own = {a: w for a, b, w in edges if a == b}
    expected = oracle.restriction(given_edges, own, keep, weight)
    assert {edge: w for edge, w in found.items() if edge[0] != edge[1]} == {
        edge: w for edge, w in expected.items() if edge[0] != edge[1]
    }
    assert {edge for edge in found if edge[0] == edge[1]} == {edge for edge in expected if edge[0] == edge[1]}


@given(CASES, DROPPED)
def test_restricted_keeps_what_is_above_what_among_the_kept(
    case: tuple[int, list[tuple[int, int, float]]], drop: set[int]
) -> None:
    size, edges = case
    keep = set(range(size)) - drop
    mask = np.array([c in keep for c in range(size)], dtype=bool)
    left = pairs(restrict_edges(size, table(edges), mask, 1.0))
    for concept in keep:
        before = oracle.reachable([edge[:2] for edge in edges], concept)
        assert oracle.reachable(left, concept) - {concept} == (before & keep) - {concept}


@given(CASES)
def test_restricted_to_everything_changes_nothing(case: tuple[int, list[tuple[int, int, float]]]) -> None:
    size, edges = case
    assert listed(restrict_edges(size, table(edges), np.ones(size, dtype=bool), 9.0)) == edges


def test_restricted_bridges_a_chain_of_dropped_concepts_with_one_edge_of_the_given_weight() -> None:
    edges = table([(3, 2, 5.0), (2, 1, 5.0), (1, 0, 5.0)])
    assert listed(restrict_edges(4, edges, np.array([True, False, False, True]), 2.0)) == [(3, 0, 2.0)]


def test_restricted_makes_no_self_edge_of_a_way_through_dropped_concepts() -> None:
    edges = table([(0, 1, 1.0), (1, 0, 1.0)])
    assert listed(restrict_edges(2, edges, np.array([True, False]), 1.0)) == []


def test_restricted_leaves_a_dropped_cycle_on_all_its_ways_out() -> None:
    # 0 -> (1 <-> 2) -> 3 and 4
    edges = table([(0, 1, 1.0), (1, 2, 1.0), (2, 1, 1.0), (1, 3, 1.0), (2, 4, 1.0)])
    kept = restrict_edges(5, edges, np.array([True, False, False, True, True]), 1.0)
    assert pairs(kept) == {(0, 3), (0, 4)}


def test_restricted_goes_on_from_a_dropped_concept_to_kept_and_dropped_parents_alike() -> None:
    # 0 -> (1) -> 2, and (1) -> (3) -> 4
    edges = table([(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0), (3, 4, 1.0)])
    kept = restrict_edges(5, edges, np.array([True, False, True, False, True]), 1.0)
    assert pairs(kept) == {(0, 2), (0, 4)}


def test_restricted_to_the_ends_of_a_long_chain() -> None:
    count = 20_000
    steps = np.arange(count - 1)
    keep = np.zeros(count, dtype=bool)
    keep[[0, count - 1]] = True
    assert listed(restrict_edges(count, EdgeTable.make(steps + 1, steps), keep, 1.0)) == [(count - 1, 0, 1.0)]


# at or below


@given(CASES, st.data())
def test_at_or_below_is_the_concept_and_all_that_reach_it(
    case: tuple[int, list[tuple[int, int, float]]], data: st.DataObject
) -> None:
    size, edges = case
    concept = data.draw(st.integers(0, size - 1))
    ways = [edge[:2] for edge in edges]
    expected = [c == concept or concept in oracle.reachable(ways, c) for c in range(size)]
    assert at_or_below(size, table(edges), concept).tolist() == expected


def twin_of_bridged_links(edges: list[tuple[int, int, float]], keep: set[int]) -> set[tuple[int, int]]:
    """Depth first from every kept concept, through dropped ones."""
    parents: dict[int, set[int]] = {}
    for child, parent, _ in edges:
        parents.setdefault(child, set()).add(parent)
    links = set()
    for child in keep:
        pending, seen = list(parents.get(child, ())), set()
        while pending:
            concept = pending.pop()
            if concept in keep:
                links.add((child, concept))
            elif concept not in seen:
                seen.add(concept)
                pending.extend(parents.get(concept, ()))
    return {(child, parent) for child, parent in links if child != parent}


@given(CASES, DROPPED)
def test_bridged_links_are_paths_through_dropped_concepts(
    case: tuple[int, list[tuple[int, int, float]]], dropped: set[int]
) -> None:
    size, edges = case
    edges = [edge for edge in edges if edge[0] != edge[1]]
    keep = np.array([concept not in dropped for concept in range(size)], dtype=bool)
    ends = (np.array([edge[end] for edge in edges], dtype=np.int32) for end in (0, 1))
    children, parents = bridged_ends(size, next(ends), next(ends), keep)
    links = list(zip(children.tolist(), parents.tolist(), strict=True))
    assert len(set(links)) == len(links)
    assert set(links) == twin_of_bridged_links(edges, {concept for concept in range(size) if keep[concept]})


def test_too_many_bridged_links_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three below and three above one dropped concept: nine links, which are not made if eight are the most."""
    children, parents = np.array([0, 1, 2, 3, 3, 3, 0]), np.array([3, 3, 3, 4, 5, 6, 1])
    keep = np.arange(7) != 3
    assert len(bridged_ends(7, children, parents, keep)[0]) == 10
    monkeypatch.setattr(edit_edges, "_MOST_BRIDGED", 8)
    assert [ends.tolist() for ends in bridged_ends(7, children, parents, keep)] == [[0], [1]]
