"""Path lengths against plain loops: all kinds of edges, weights of 0, equal and mixed weights, blocks of any size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise, product
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import NOWHERE, every_name, hierarchies, ontologies, picks, root_of, shuffles, weights

from ontoeval.concepts import path_lengths as module
from ontoeval.concepts.path_lengths import PathGraph
from ontoeval.model.arrays import FloatArray
from ontoeval.model.hierarchy import WEIGHTS, EdgeTable, Hierarchy
from ontoeval.model.ontology import Ontology

Lengths = dict[tuple[str, str], Any]
Case = dict[str, Any]  # keyword arguments of Ontology.from_edges

OPTIONS = list(product((False, True), (False, True)))  # related, through_root
ALL_IN_STEPS, NONE_IN_STEPS = 10**9, -1  # PATIENCE


def _rooted(made: Case, pick: int) -> Case:
    return {**made, "root": root_of(made, pick)}


def _equal(made: tuple[list[Any], list[str]], beside: Case, weight: float, pick: int) -> Case:
    """Every edge has the same weight, except that synonyms may have none."""
    given = {kind: [pair[:2] for pair in beside[kind]] for kind in ("related", "synonyms", "equivalent")}
    kinds = {"hierarchical": weight, "related": weight, "synonym": weight if pick % 3 else 0.0}
    case = {"edges": made[0], "concepts": made[1], **given, "weights": kinds}
    return _rooted(case, pick)


MIXED = st.builds(_rooted, ontologies(), picks())
EQUAL = st.builds(_equal, hierarchies(), ontologies(), weights(), picks())


@contextmanager
def limits(**values: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setattr(module, name, value)
        yield


def lightest(case: Case, hierarchy: Hierarchy, *, related: bool, through_root: bool) -> Lengths:
    """The edges that a path may use, both ways, of the keyword arguments and the root that the hierarchy has added."""
    kinds = {**WEIGHTS, **(case.get("weights") or {})}
    found: Lengths = {}

    def put(a: str, b: str, weight: Any) -> None:
        if a != b:
            found[a, b] = found[b, a] = min(weight, found.get((a, b), inf))

    def put_all(pairs: Any, kind: str) -> None:
        for a, b, *own in pairs:
            put(a, b, own[0] if own else kinds[kind])

    for key, kind in (("edges", "hierarchical"), ("equivalent", "hierarchical"), ("equivalent", "synonym")):
        put_all(case.get(key, ()), kind)
    put_all(case.get("synonyms", ()), "synonym")
    if related:
        put_all(case.get("related", ()), "related")
    if through_root or not hierarchy.root_added:
        put_all(((hierarchy.iris[c], hierarchy.iris[0]) for c in hierarchy.attached.tolist()), "hierarchical")
    return found


def all_lengths(names: tuple[str, ...], edges: Lengths) -> Lengths:
    """Floyd and Warshall."""
    result = {pair: edges.get(pair, 0 if pair[0] == pair[1] else inf) for pair in product(names, names)}
    for middle, a, b in product(names, names, names):
        result[a, b] = min(result[a, b], result[a, middle] + result[middle, b])
    return result


def expected(case: Case, hierarchy: Hierarchy, *, related: bool, through_root: bool) -> FloatArray:
    names = hierarchy.iris
    found = all_lengths(names, lightest(case, hierarchy, related=related, through_root=through_root))
    return np.array([[float(found[a, b]) for b in names] for a in names])


def every_pair(graph: PathGraph, size: int) -> FloatArray:
    left, right = np.divmod(np.arange(size * size), size)
    return graph.between(left, right).reshape(size, size)


# against the twin


@pytest.mark.parametrize("cases", [MIXED, EQUAL], ids=["mixed", "equal"])
@pytest.mark.parametrize(("related", "through_root"), OPTIONS)
def test_lengths_are_those_of_the_twin(related: bool, through_root: bool, cases: st.SearchStrategy[Case]) -> None:
    kinds = set()

    @given(cases)
    def check(case: Case) -> None:
        hierarchy = Ontology.from_edges(**case).hierarchy
        graph = PathGraph.build(hierarchy, related=related, through_root=through_root)
        twin = expected(case, hierarchy, related=related, through_root=through_root)
        concepts = np.arange(len(hierarchy))
        for patience in (ALL_IN_STEPS, NONE_IN_STEPS):
            with limits(PATIENCE=patience, BLOCK=1, PAIRS=3):
                assert np.array_equal(graph.matrix(concepts, concepts), twin)
                assert np.array_equal(every_pair(graph, len(hierarchy)), twin)
        kinds.add((graph.core.equal, len(graph.core.links) > 0))

    check()
    assert (cases is EQUAL, True) in kinds  # there was something to search, and in the way that the weights ask for


@given(EQUAL)
def test_equal_weights_are_noticed(case: Case) -> None:
    hierarchy = Ontology.from_edges(**case).hierarchy
    graph = PathGraph.build(hierarchy, related=True, through_root=True)
    assert graph.core.equal
    assert set(graph.core.links.weights.tolist()) <= {1.0}


@given(MIXED, st.sampled_from(OPTIONS))
def test_a_way_is_a_path_of_the_right_length_that_passes_nothing_twice(case: Case, options: tuple[bool, bool]) -> None:
    related, through_root = options
    hierarchy = Ontology.from_edges(**case).hierarchy
    graph = PathGraph.build(hierarchy, related=related, through_root=through_root)
    edges = lightest(case, hierarchy, related=related, through_root=through_root)
    lengths = every_pair(graph, len(hierarchy))
    names = hierarchy.iris
    for a, b in product(range(len(names)), repeat=2):
        way = graph.shortest_path(a, b)
        assert graph.shortest_path(b, a) == way[::-1]
        if not np.isfinite(lengths[a, b]):
            assert way == ()
            continue
        assert (way[0], way[-1]) == (a, b)
        assert len(set(way)) == len(way)
        assert sum(edges[names[x], names[y]] for x, y in pairwise(way)) == lengths[a, b]


@given(MIXED, shuffles())
def test_the_order_of_the_edges_changes_nothing(case: Case, shuffle: Any) -> None:
    other = dict(case)
    for kind in ("edges", "related", "synonyms", "equivalent"):
        other[kind] = shuffle.sample(case[kind], len(case[kind]))
    one, two = (
        PathGraph.build(Ontology.from_edges(**made).hierarchy, related=True, through_root=True)
        for made in (case, other)
    )
    size = len(one.node)
    assert np.array_equal(every_pair(one, size), every_pair(two, size))
    for a, b in product(range(size), repeat=2):
        assert one.shortest_path(a, b) == two.shortest_path(a, b)


@given(hierarchies(weighted=True), st.sampled_from([3.0, 7.0, 0.1]))
def test_weights_that_are_no_binary_fractions_add_up(made: tuple[list[Any], list[str]], by: float) -> None:
    edges = [(a, b, own[0] / by if own else 1 / by) for a, b, *own in made[0]]
    hierarchy = Hierarchy.from_edges(edges, concepts=made[1], root="none")
    graph = PathGraph.build(hierarchy, related=False, through_root=True)
    exact = [(a, b, Fraction(weight)) for a, b, weight in edges]
    twin = expected({"edges": exact}, hierarchy, related=False, through_root=True)
    found = every_pair(graph, len(hierarchy))
    np.testing.assert_allclose(found, twin, rtol=1e-12, atol=0)
    np.testing.assert_allclose(found, found.T, rtol=1e-12, atol=0)


# larger than one word and one block


def tangle(count: int, more: int, choices: list[float], *, related: int = 0, seed: int = 0) -> Hierarchy:
    """A random tree with `more` further edges, in two parts."""
    rng = np.random.default_rng(seed)
    child = np.delete(np.arange(1, count), count // 2)
    parent = np.maximum(rng.integers(0, count, len(child)) % child, (child > count // 2 + 1) * (count // 2 + 2))
    parent = np.minimum(parent, child - 1)
    half = rng.integers(0, count // 2, (2, more))
    tails, heads = np.concatenate([child, half.max(0)]), np.concatenate([parent, half.min(0)])
    beside = rng.integers(0, count // 2, (2, related))
    return Hierarchy.build(
        [f"c{i:04d}" for i in range(count)],
        EdgeTable.make(tails, heads, rng.choice(choices, len(tails))),
        related=EdgeTable.make(*beside, rng.choice(choices, related)),
        root="none",
    )


def relaxed(hierarchy: Hierarchy) -> FloatArray:
    """Every row by plain relaxation until nothing changes."""
    kinds = hierarchy.parents, hierarchy.synonyms, hierarchy.related
    edges = [e for k in kinds for e in zip(k.tails.tolist(), k.indices.tolist(), k.weights.tolist(), strict=True)]
    result = np.full((len(hierarchy), len(hierarchy)), np.inf)
    np.fill_diagonal(result, 0)
    changed = True
    while changed:
        before = result.copy()
        for a, b, weight in edges:
            result[a] = np.minimum(result[a], result[b] + weight)
            result[b] = np.minimum(result[b], result[a] + weight)
        changed = not np.array_equal(before, result)
    return result


@pytest.mark.parametrize("choices", [[1.0], [0.0, *[1.0] * 9], [0.5, 1.0, 4.0], [0.0, *[0.25, 3.0] * 5]], ids=str)
@pytest.mark.parametrize("block", [1, 40_000, 1 << 26])
@pytest.mark.parametrize("patience", [ALL_IN_STEPS, NONE_IN_STEPS])
def test_many_sources_in_blocks(choices: list[float], block: int, patience: int) -> None:
    hierarchy = tangle(300, 150, choices, related=60)
    graph = PathGraph.build(hierarchy, related=True, through_root=True)
    twin = relaxed(hierarchy)
    assert np.isinf(twin).any()
    assert graph.core.equal == (len(set(choices) - {0.0}) == 1)
    assert graph.core.links.size > 64
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, 300, 250), rng.integers(0, 300, 200)  # with repetitions
    left, right = rng.integers(0, 300, (2, 1000))
    with limits(BLOCK=block, PATIENCE=patience, PAIRS=64):
        assert np.array_equal(graph.matrix(rows, columns), twin[np.ix_(rows, columns)])
        assert np.array_equal(graph.matrix(columns, rows), twin[np.ix_(columns, rows)])
        assert np.array_equal(graph.between(left, right), twin[left, right])
        assert np.array_equal(graph.between(left, np.full_like(left, 7)), twin[left, 7])


def test_searches_are_cut_into_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = PathGraph.build(tangle(600, 400, [1.0]), related=False, through_root=True)
    widths = []
    steps = module.Core._steps

    def noted(core: module.Core, sources: Any) -> Any:
        widths.append(len(sources))
        return steps(core, sources)

    monkeypatch.setattr(module.Core, "_steps", noted)
    everything = np.arange(600)
    whole = graph.matrix(everything, everything)
    count = graph.core.links.size
    assert widths == [count]
    assert count > 192
    widths.clear()
    monkeypatch.setattr(module, "BLOCK", 1)
    assert np.array_equal(graph.matrix(everything, everything), whole)
    assert widths == [64] * (count // 64) + [count % 64] * (count % 64 > 0)


# the root


def test_an_added_root_joins_or_does_not() -> None:
    hierarchy = Hierarchy.from_edges([("a", "b"), ("c", "d")])
    a, c = hierarchy.ids(["a", "c"])
    assert hierarchy.root_added
    joined, apart = (PathGraph.build(hierarchy, related=False, through_root=yes) for yes in (True, False))
    assert joined.between(np.array([a]), np.array([c])).tolist() == [4]
    assert [hierarchy.iris[x] for x in joined.shortest_path(a, c)] == ["a", "b", "(root)", "d", "c"]
    assert apart.between(np.array([a, 0, 0]), np.array([c, 0, a])).tolist() == [inf, 0, inf]
    assert apart.shortest_path(a, c) == ()
    assert apart.shortest_path(0, a) == ()
    assert apart.shortest_path(0, 0) == (0,)


@pytest.mark.parametrize("weight", [0.0, 2.0])
@given(case=MIXED)
def test_without_root_paths_an_added_root_is_apart(weight: float, case: Case) -> None:
    hierarchy = Ontology.from_edges(**{**case, "root": "new", "weights": {"hierarchical": weight}}).hierarchy
    graph = PathGraph.build(hierarchy, related=True, through_root=False)
    found = graph.matrix(np.array([0]), np.arange(len(hierarchy)))
    assert found.tolist() == [[0.0] + [inf] * (len(hierarchy) - 1)]


@given(case=MIXED)
def test_a_root_of_the_file_stays_a_node(case: Case) -> None:
    for root in (every_name(case)[0], NOWHERE, "none"):
        hierarchy = Ontology.from_edges(**{**case, "root": root}).hierarchy
        one, two = (PathGraph.build(hierarchy, related=True, through_root=yes) for yes in (True, False))
        size = len(hierarchy)
        assert np.array_equal(every_pair(one, size), every_pair(two, size))


# long, heavy, empty


@pytest.mark.parametrize("mixed", [False, True])
def test_a_long_chain_takes_no_time(mixed: bool) -> None:
    count = 100_000
    steps = np.arange(count - 1)
    weight = np.where(steps % 2, 2.0, 0.5) if mixed else np.ones(count - 1)
    hierarchy = Hierarchy.build([f"c{i:06d}" for i in range(count)], EdgeTable.make(steps + 1, steps, weight))
    graph = PathGraph.build(hierarchy, related=False, through_root=True)
    place = np.concatenate([[0], np.cumsum(weight)])
    left, right = np.random.default_rng(0).integers(0, count, (2, 20_000))
    assert np.array_equal(graph.between(left, right), np.abs(place[left] - place[right]))
    some = left[:200]
    assert np.array_equal(graph.matrix(some, left[:300]), np.abs(place[some][:, None] - place[left[:300]]))
    assert graph.shortest_path(5, count - 1) == tuple(range(5, count))


def test_a_long_ring_is_not_walked_step_by_step() -> None:
    count = 50_000
    steps = np.arange(count)
    hierarchy = Hierarchy.build(
        [f"c{i:06d}" for i in range(count)], EdgeTable.make(steps, np.roll(steps, 1)), root="none"
    )
    graph = PathGraph.build(hierarchy, related=False, through_root=True)
    assert graph.core.links.size == count
    assert not graph.core.in_steps(10**6)
    left, right = np.array([0, 0, 100, count - 1]), np.array([count // 2, count - 1, 30_000, 5])
    assert graph.between(left, right).tolist() == [25_000, 1, 20_100, 6]


def test_the_lightest_of_parallel_edges_counts_whatever_its_kind() -> None:
    hierarchy = Hierarchy.from_edges([("a", "b", 3)], related=[("b", "a", 2)], synonyms=[("a", "b", 2.5)])
    one, other = np.array([0]), np.array([1])
    for related, length in ((False, 2.5), (True, 2.0)):
        assert PathGraph.build(hierarchy, related=related, through_root=True).between(one, other).tolist() == [length]


def test_tiny_beside_huge_weights_do_not_lead_in_circles() -> None:
    edges = [("b", "a", 1.0), ("c", "b", 1e-20), ("d", "c", 1e-20), ("d", "b", 1e-20), ("e", "d", 1.0), ("e", "a", 5.0)]
    hierarchy = Hierarchy.from_edges(edges)
    a, b, d, e = (int(c) for c in hierarchy.ids(["a", "b", "d", "e"]))
    graph = PathGraph.build(hierarchy, related=False, through_root=True)
    assert graph.shortest_path(a, e) == (a, b, d, e)
    assert graph.between(np.array([b]), np.array([d])).tolist() == [1e-20]


def test_nothing_asked_nothing_answered() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    for choices in ([1.0], [1.0, 2.0]):
        graph = PathGraph.build(tangle(50, 20, choices), related=True, through_root=True)
        assert graph.between(nothing, nothing).shape == (0,)
        assert graph.matrix(nothing, nothing).shape == (0, 0)
        assert graph.matrix(nothing, np.arange(3)).shape == (0, 3)
        assert graph.matrix(np.arange(3), nothing).shape == (3, 0)
        assert graph.between(nothing, nothing).dtype == graph.matrix(nothing, nothing).dtype == np.float64


def test_one_concept() -> None:
    graph = PathGraph.build(Hierarchy.from_edges([], concepts=["a"]), related=True, through_root=True)
    assert graph.matrix(np.array([0]), np.array([0])).tolist() == [[0]]
    assert graph.shortest_path(0, 0) == (0,)


def test_arrays_are_read_only() -> None:
    graph = PathGraph.build(tangle(50, 20, [1.0]), related=True, through_root=True)
    arrays = [graph.node, graph.edges.weights, graph.links.indices, graph.core.links.indptr, graph.trees.anchor]
    for array in (*arrays, graph.trees.level, graph.trees.height, graph.trees.lifts[0][0]):
        assert not array.flags.writeable


@pytest.mark.parametrize("sources", [63, 64, 65, 128, 129, 130])
def test_many_searches_at_once_fill_words_of_64_bits_wholly_or_in_part(sources: int) -> None:
    """Every n is below p and q, both below r: no node is a leaf, so that all are sources of the search in steps."""
    below = [f"n{i}" for i in range(sources - 3)]
    edges = [(name, parent) for name in below for parent in "pq"] + [("p", "r"), ("q", "r")]
    hierarchy = Hierarchy.from_edges(edges, root="r")
    graph = PathGraph.build(hierarchy, related=False, through_root=True)
    everything = hierarchy.ids(["r", "p", "q", *below])
    with limits(PATIENCE=ALL_IN_STEPS):
        lengths = graph.matrix(everything, everything)
    expected = np.full((sources, sources), 2.0)  # siblings, p and q, r and every n
    expected[1:3, 3:] = expected[3:, 1:3] = expected[0, 1:3] = expected[1:3, 0] = 1.0
    np.fill_diagonal(expected, 0.0)
    assert np.array_equal(lengths, expected)
