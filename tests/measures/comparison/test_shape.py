"""Motif distance and the statistics of a side: by hand, against the twin and networkx."""

from __future__ import annotations

import math
from functools import partial
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import oracle
import pytest
import twin_soft as twin
from helpers import compared
from hypothesis import given
from hypothesis import strategies as st
from strategies import hierarchies, picks, root_of, shuffles

from ontoeval.matching.matcher import DEFAULT
from ontoeval.measures import all_measures, parse
from ontoeval.measures.comparison import shape as structure
from ontoeval.measures.comparison.shape import MOTIFS, motif_counts
from ontoeval.model import closure
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison

STATISTICS = {
    "Concepts": "concepts",
    "Edges": "edges",
    "Leaves": "leaves",
    "Loops": "loops",
    "AvgDepth": "avg_depth",
    "MaxDepth": "max_depth",
    "AvgSub": "avg_sub",
    "DevSub": "sub_dev",
    "AvgSuper": "avg_super",
    "DevSuper": "super_dev",
    "Components": "components",
}


def _rooted(made: tuple[list[Any], list[str]], pick: int) -> dict[str, Any]:
    case = {"edges": made[0], "concepts": made[1]}
    return {**case, "root": root_of(case, pick)}


ROOTED = st.builds(_rooted, hierarchies(), picks())


task_of = partial(compared, by=DEFAULT)


def task(learned: str, gold: str) -> Comparison:
    """`a<b b<c` on each side; a name alone is a concept."""
    made = []
    for text in (learned, gold):
        parts = [part.split("<") for part in text.split()]
        edges = [(p[0], p[1]) for p in parts if len(p) == 2]
        made.append({"edges": edges, "concepts": [p[0] for p in parts]})
    return task_of(*made)


def motif(task: Comparison) -> float:
    return parse("Motif")(task).value


def counts(size: int, edges: list[tuple[int, int]]) -> dict[str, int]:
    found = motif_counts(
        size, np.array([a for a, _ in edges], dtype=np.int32), np.array([b for _, b in edges], dtype=np.int32)
    )
    return {name: number for name, number in zip(MOTIFS, found.tolist(), strict=True) if number}


def census(size: int, edges: list[tuple[int, int]]) -> dict[str, int]:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    return {name: number for name, number in nx.triadic_census(graph).items() if number and name in MOTIFS}


# motifs


def test_every_graph_with_three_nodes() -> None:
    """All 64: at most one connected triple, in the class that networkx gives it."""
    places = [(a, b) for a in range(3) for b in range(3) if a != b]
    seen = set()
    for chosen in product([False, True], repeat=6):
        edges = [place for place, there in zip(places, chosen, strict=True) if there]
        assert counts(3, edges) == census(3, edges)
        seen.update(counts(3, edges))
    assert seen == set(MOTIFS)
    assert len(MOTIFS) == 13


@pytest.mark.parametrize("density", [0.02, 0.1, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_random_graphs_have_the_census_of_networkx(density: float, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(seed)
    size = 25
    edges = [(a, b) for a in range(size) for b in range(size) if a != b and random.random() < density]
    assert counts(size, edges) == census(size, edges)
    monkeypatch.setattr(structure, "_BLOCK", 3)
    assert counts(size, edges) == census(size, edges)


@given(made=hierarchies())
def test_counts_are_the_twins(made: tuple[list[Any], list[str]]) -> None:
    hierarchy = Ontology.from_edges(made[0], concepts=made[1])
    links = {(edge[0], edge[1]) for edge in made[0] if edge[0] != edge[1]}
    number = {name: i for i, name in enumerate(hierarchy.hierarchy.iris)}
    edges = [(number[a], number[b]) for a, b in sorted(links)]
    found = counts(len(number), edges)
    assert sorted(found.values()) == sorted(twin.motifs(number, links).values())
    assert found == census(len(number), edges)


@given(learned=ROOTED, gold=ROOTED)
def test_distance_is_the_twins(learned: dict[str, Any], gold: dict[str, Any]) -> None:
    left, right = (twin.side(made["edges"], made["concepts"], {}) for made in (learned, gold))
    found = motif(task_of(learned, gold))
    assert found == pytest.approx(twin.motif_distance(left, right))
    assert 0 <= found <= 1
    assert found == motif(task_of(gold, learned))


@given(made=ROOTED, shuffle=shuffles())
def test_the_same_shape_is_at_distance_zero(made: dict[str, Any], shuffle: Any) -> None:
    names = sorted({name for edge in made["edges"] for name in edge[:2]} | set(made["concepts"]))
    new = [f"n{i}" for i in range(len(names))]
    shuffle.shuffle(new)
    other = dict(zip(names, new, strict=True))
    edges = [(other[a], other[b]) for a, b, *_ in made["edges"]]
    shuffle.shuffle(edges)
    renamed = {"edges": edges, "concepts": [other[name] for name in made["concepts"]]}
    assert motif(task_of(made, made)) == 0
    assert motif(task_of(made, renamed)) == 0


def test_distance_by_hand() -> None:
    """A chain of four has 2 of x→y→z; a concept with three children 3 of x→y←z; with a grandchild 3 and 1."""
    assert motif(task("b<a c<b d<c", "b<a c<a d<a")) == 1
    assert motif(task("b<a c<a d<a e<d", "b<a c<a d<a")) == 1 / 4
    assert motif(task("b<a c<a d<a e<d", "b<a c<b")) == 3 / 4
    score = parse("Motif")(task("b<a c<a d<a e<d", "b<a c<b"))
    assert dict(score.counts) == {"learned_triples": 4, "gold_triples": 1}


@pytest.mark.parametrize(
    ("learned", "gold", "expected"),
    [
        ("a", "b", 0),
        ("a<b", "a", 0),
        ("a<b c<d", "a", 0),
        ("a<b b<c", "a<b", 1),
        ("a<b b<a", "a<b c<b", 1),
        ("a<b", "a<b b<c", 1),
    ],
)
def test_without_connected_triples(learned: str, gold: str, expected: float) -> None:
    assert motif(task(learned, gold)) == expected


def test_an_added_root_links_nothing() -> None:
    floating = task("a b c d", "a")
    assert floating.learned.hierarchy.root_added
    assert motif(floating) == 0


def test_a_node_with_many_children() -> None:
    star = {"edges": [(f"c{i}", "root") for i in range(5000)]}
    chained = {"edges": [*star["edges"], ("c1", "c0"), ("x", "c0")]}
    score = parse("Motif")(task_of(star, chained))
    pairs = 5000 * 4999 // 2
    assert dict(score.counts) == {"learned_triples": pairs, "gold_triples": pairs + 2}
    # gold: one pair of children is now part of a triangle, x-c0-root is a chain, x and c1 are below c0
    up, rest = (pairs - 1 + 1) / (pairs + 2), 2 / (pairs + 2)
    assert score.value == pytest.approx((1 - up + rest) / 2)


def test_a_large_dense_part_is_counted_in_blocks() -> None:
    """All pairs of 150 linked both ways: every triple is complete."""
    size = 150
    edges = [(a, b) for a in range(size) for b in range(size) if a != b]
    assert counts(size, edges) == {"300": math.comb(size, 3)}


# statistics of a side


@given(learned=ROOTED, gold=ROOTED)
def test_statistics_are_those_of_the_twin(learned: dict[str, Any], gold: dict[str, Any]) -> None:
    pair = task_of(learned, gold)
    for side, made in (("learned", learned), ("gold", gold)):
        statistics = oracle.twin(**made).statistics()
        for name, key in STATISTICS.items():
            score, expected = parse(name, side=side)(pair), statistics[key]
            if expected is None:
                assert math.isnan(score.value), name
                assert score.undefined is not None, name
            else:
                assert score.value == pytest.approx(expected), name
                assert score.undefined is None, name
    for name in STATISTICS:
        assert parse(name)(pair).value == pytest.approx(parse(name, side="learned")(pair).value, nan_ok=True), name


def test_a_small_side_by_hand() -> None:
    pair = task("van<car coupé<car car<root bike<root", "a<b b<a c<c")
    values = {name: parse(name)(pair).value for name in STATISTICS}
    assert values == {
        "Concepts": 5, "Edges": 4, "Leaves": 3, "Loops": 0, "AvgDepth": pytest.approx(5 / 3), "MaxDepth": 2,
        "AvgSub": 2, "DevSub": 0, "AvgSuper": 1, "DevSuper": 0, "Components": 1,
    }  # fmt: skip
    assert parse("Loops(side=gold)")(pair).value == 3
    assert parse("Components(side=gold)")(pair).value == 2


@pytest.mark.parametrize(
    ("name", "made", "reason"),
    [
        ("AvgDepth", {"edges": [("a", "b"), ("b", "a")], "root": "none"}, "(memory) has no leaves"),
        ("AvgSub", {"edges": [], "concepts": ["a"]}, "no concept of (memory) has a subconcept"),
        ("DevSub", {"edges": [], "concepts": ["a"]}, "no concept of (memory) has a subconcept"),
        ("AvgSuper", {"edges": [], "concepts": ["a"]}, "no concept of (memory) has a superconcept"),
        ("DevSuper", {"edges": [], "concepts": ["a"]}, "no concept of (memory) has a superconcept"),
    ],
)
def test_undefined_statistics_say_why(name: str, made: dict[str, Any], reason: str) -> None:
    score = parse(name)(task_of(made, {"edges": [], "concepts": ["x"]}))
    assert math.isnan(score.value)
    assert score.undefined == reason


def test_too_many_ancestors_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = task("b<a c<a d<b d<c", "a")  # no tree: those need no list of ancestors
    monkeypatch.setattr(closure, "MAX_PAIRS", 4)
    assert parse("AvgDepth")(pair).undefined == "(memory) has too many pairs of a concept and an ancestor"
    assert parse("MaxDepth")(pair).value == 2


def test_statistics_have_no_best_value() -> None:
    known = {definition.name: definition for definition in all_measures()}
    for name in STATISTICS:
        assert known[name].best is None
        assert known[name].range == (0, math.inf)
        assert not known[name].identity
    assert known["Motif"].best == 0
    assert known["Motif"].symmetric
