"""Two ways to the same counts: the quick ones of forests and the general ones agree, also at sizes no twin lists."""

from __future__ import annotations

from dataclasses import astuple
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontoeval.errors import HierarchyError
from ontoeval.evaluation import evaluate
from ontoeval.measures import parse
from ontoeval.measures.instances import _proximity as closeness
from ontoeval.measures.instances import _root_paths
from ontoeval.measures.instances import _triples as triples
from ontoeval.measures.instances import cotopy as companions
from ontoeval.measures.instances._root_paths import RootPaths
from ontoeval.model import closure, placement
from ontoeval.model.ontology import Ontology
from ontoeval.model.placement import Placement, SharedInstances, TooLargeError
from ontoeval.tasks.comparison import Comparison

FEW = settings(max_examples=max(5, settings.default.max_examples // 10), deadline=None)


def tree(random: Random, concepts: int, instances: int, *, floating: bool) -> Ontology:
    """A random tree, or several beside each other without a root, with each instance on one concept."""
    reach = random.choice([1, 3, concepts])  # deep, or wide
    edges = [(f"c{n}", f"c{max(0, n - 1 - random.randrange(reach))}") for n in range(1, concepts)]
    if floating:
        edges = [edge for edge in edges if random.random() < 0.9]
    return Ontology.from_edges(
        edges,
        concepts=[f"c{n}" for n in range(concepts)],
        instances={f"i{n}": f"c{random.randrange(concepts)}" for n in range(instances)},
        root="none" if floating else "auto",
    )


def pairs() -> st.SearchStrategy[SharedInstances]:
    """Some hundred instances in two forests of some dozen concepts."""

    def make(seed: int) -> SharedInstances:
        random = Random(seed)
        sides = [tree(random, random.randint(1, 40), random.randint(3, 300), floating=seed % 2 > 0) for _ in range(2)]
        return SharedInstances.of(*sides)

    return st.integers(0, 10**6).map(make)


@FEW
@given(shared=pairs())
def test_triples_of_forests_are_those_of_any_hierarchy(shared: SharedInstances) -> None:
    quick, general = triples._in_forests(shared), triples._in_general(shared)
    assert astuple(quick) == pytest.approx(astuple(general), rel=1e-12)


@FEW
@given(shared=pairs())
def test_triples_of_few_nodes_at_once_are_those_of_many_level_by_level(shared: SharedInstances) -> None:
    sides = RootPaths.of(shared.learned), RootPaths.of(shared.gold)
    at_once, by_level = triples._at_once(shared, *sides), triples._level_by_level(shared, *sides)
    for few, many in zip(at_once, by_level, strict=True):
        assert few.tolist() == many.tolist()


def test_levels_below_which_one_instance_is_left_have_no_triple() -> None:
    """Of 0, 1, 2 and 6 on a chain those further down part from those above: (2, 6, 1), (2, 6, 0), (1, 2, 0), ..."""
    edges = [(f"c{n}", f"c{n - 1}") for n in range(1, 7)]
    deep = Ontology.from_edges(edges, instances={f"i{n}": f"c{n}" for n in (0, 1, 2, 6)})
    shared = SharedInstances.of(deep, deep)
    sides = RootPaths.of(shared.learned), RootPaths.of(shared.gold)
    at_once, by_level = triples._at_once(shared, *sides), triples._level_by_level(shared, *sides)
    # any i3 above both others: 3 of c0 (in 3 * 2 orders of two below it), 2 * 1 of c1
    assert at_once[0].tolist() == by_level[0].tolist() == at_once[1].tolist() == by_level[1].tolist()
    assert at_once[0].tolist() == [3 * 2, 2 * 1, 0, 0, 0, 0, 0]


@FEW
@given(shared=pairs())
def test_companions_in_forests_are_those_in_any_hierarchy(shared: SharedInstances) -> None:
    assert companions._both_in_forests(shared).tolist() == companions._both_in_general(shared).tolist()
    for side in (shared.learned, shared.gold):
        everybody = companions._comparable(side) @ side.count
        assert companions.sizes(side).tolist() == everybody.tolist()


@FEW
@given(shared=pairs())
@pytest.mark.parametrize("delta", ["overlap", "tree"])
def test_differences_in_forests_are_those_in_any_hierarchy(delta: closeness.Delta, shared: SharedInstances) -> None:
    profiles = closeness._Profiles.of(shared, RootPaths.of(shared.learned), RootPaths.of(shared.gold))
    expected = closeness._difference_in_general(shared, delta)
    assert profiles.difference(delta) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@FEW
@given(shared=pairs())
@pytest.mark.parametrize("delta", ["overlap", "tree"])
def test_values_by_chance_in_forests_are_those_in_any_hierarchy(
    delta: closeness.Delta, shared: SharedInstances
) -> None:
    near = closeness.Nearness.of(shared.learned, delta).rows(np.arange(len(shared.learned)))
    count = shared.learned.count
    weights = np.outer(count, count) - np.diag(count)
    found, often = closeness._distribution(shared.learned, delta)
    assert float(often.sum()) == float(weights.sum()) == len(shared) * (len(shared) - 1)
    for moment in (1, 2, 3):
        expected = float(np.sum(weights * near**moment))
        assert float(np.sum(often * found**moment)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_closer_instances_are_found_by_products_and_pair_by_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(5)
    edges = [(f"c{n}", f"c{random.randrange(n)}") for n in range(1, 30) for _ in range(2)]
    sides = [
        Ontology.from_edges(edges, instances={f"i{n}": f"c{random.randrange(30)}" for n in range(80)}) for _ in range(2)
    ]
    shared = SharedInstances.of(*sides)
    found = []
    for cost in (0.0, float("inf")):
        monkeypatch.setattr(triples, "_dense", lambda mine, theirs, cost=cost: cost)
        monkeypatch.setattr(triples, "MAX_GENERAL_WORK", float("inf"))
        found.append(astuple(triples._in_general(shared)))
    assert found[0] == pytest.approx(found[1], rel=1e-12)
    assert 0 < found[0][3] < min(found[0][1:3])


@FEW
@given(shared=pairs())
@pytest.mark.parametrize("delta", ["overlap", "tree"])
def test_nearness_in_a_forest_is_that_in_any_hierarchy(delta: closeness.Delta, shared: SharedInstances) -> None:
    for side in (shared.learned, shared.gold):
        every = np.arange(len(side))
        quick = closeness.nearness(side, delta)
        assert isinstance(quick, closeness.ForestNearness)
        assert np.allclose(quick.rows(every), closeness.Nearness.of(side, delta).rows(every), rtol=1e-12, atol=0)


def dendrogram(documents: int) -> Ontology:
    """Each document joins the cluster of all before it."""
    edges = [(f"n{k}", f"n{k + 1}") for k in range(documents)] + [(f"d{k}", f"n{k}") for k in range(documents)]
    return Ontology.from_edges(edges, instances={f"i{k}": f"d{k}" for k in range(documents)})


def test_a_deep_dendrogram_against_a_flat_clustering_by_hand() -> None:
    size = 300
    flat = Ontology.from_edges(
        [("a", "r"), ("b", "r")], instances={f"i{k}": "a" if k < size // 2 else "b" for k in range(size)}
    )
    for task in (Comparison(dendrogram(size), flat), Comparison(flat, dendrogram(size)).swapped):
        # in the dendrogram (i, j, k) parts if k joins after both; in the flat one if k is in the other half
        half, n = size // 2, size
        learned = n * (n - 1) * (n - 2) // 3
        gold = 2 * half * (half - 1) * half
        both = half * (half - 1) * half  # i and j in the first half, k in the second
        assert parse("H_a")(task).value == pytest.approx(both / gold, rel=1e-12)
        assert parse("H_s")(task).value == pytest.approx(2 * both / (learned + gold), rel=1e-12)
    for name in ("EOR(adjusted=true)", "EOR(delta=tree, adjusted=true)", "ITF(adjusted=true)"):
        assert parse(name)(task).undefined is None


def test_the_same_closeness_in_another_order_is_no_difference() -> None:
    edges, seats = [(1, 0), (2, 0), (3, 2), (4, 2)], [4, 0, 1, 2]
    sides = [
        Ontology.from_edges(
            [(f"c{new[low]}", f"c{new[high]}") for low, high in edges],
            root=f"c{new[0]}",
            instances={name: [f"c{new[seat]}" for seat in seats] for name in "xy"},
        )
        for new in ([0, 1, 2, 3, 4], [1, 4, 2, 3, 0])
    ]
    assert parse("EOR(adjusted=true)")(Comparison(*sides)).value == 1.0


def test_many_cells_of_few_depths_take_the_quick_way_with_the_paths_of_both_sides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All instances are two or three levels down: one profile, so that the levels take less than the pairs of cells."""
    random = Random(11)
    shapes = (
        ([(f"m{n}", "r") for n in range(7)], [(f"l{n}", f"m{n % 7}") for n in range(45)]),
        ([], [(f"l{n}", "r") for n in range(31)]),
    )
    sides = [
        Ontology.from_edges(upper + leaves, instances={f"i{n}": random.choice(leaves)[0] for n in range(3_000)})
        for upper, leaves in shapes
    ]
    shared = SharedInstances.of(*sides)
    assert len(shared.count) > closeness.FEW_CELLS
    with monkeypatch.context() as patch:
        patch.setattr(closeness, "MAX_CELLS", 0)  # the general way is refused
        quick = closeness.difference(shared, "tree"), closeness.difference(shared.swapped, "tree")
    general = closeness._difference_in_general(shared, "tree")
    assert general > 0
    assert quick == pytest.approx((general, general), rel=1e-9)


def test_many_cells_take_the_quick_way_and_few_the_general_one(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(7)
    shared = SharedInstances.of(*(tree(random, 60, 3_000, floating=False) for _ in range(2)))
    assert len(shared.count) > closeness.FEW_CELLS
    quick = closeness.difference(shared, "tree")
    monkeypatch.setattr(closeness, "FEW_CELLS", 10**9)
    assert closeness.difference(shared, "tree") == pytest.approx(quick, rel=1e-9)


def test_places_are_sets_of_concepts_and_cells_pairs_of_places() -> None:
    learned = Ontology.from_edges(
        [("b", "a"), ("c", "a")], instances={"x": ["b", "c"], "y": ["c", "b"], "z": "b", "only": "a"}
    )
    gold = Ontology.from_edges([("q", "p")], instances={"x": "q", "y": "q", "z": "p", "other": "p", "more": "q"})
    shared = SharedInstances.of(learned, gold)
    assert shared.names == ("x", "y", "z")
    assert (shared.only_learned, shared.only_gold) == (1, 2)
    assert (len(shared.learned), len(shared.gold)) == (2, 2)
    assert not shared.strict
    assert shared.gold.strict
    assert sorted(shared.count.tolist()) == [1, 2]
    assert shared.cell[0] == shared.cell[1] != shared.cell[2]
    names = learned.hierarchy.iris, gold.hierarchy.iris
    overlap = {
        (names[0][u], names[1][v]): int(shared.overlap[u, v]) for u, v in zip(*shared.overlap.nonzero(), strict=True)
    }
    assert overlap == {
        ("a", "p"): 3, ("b", "p"): 3, ("c", "p"): 2, ("a", "q"): 2, ("b", "q"): 2, ("c", "q"): 2,
    }  # fmt: skip


def test_the_other_side_sees_the_same_instances() -> None:
    random = Random(3)
    task = Comparison(*(tree(random, 12, 40, floating=False) for _ in range(2)))
    other = task.swapped.shared
    assert other.names == task.shared.names
    assert other.learned is task.shared.gold
    here, there = companions.companions(task), companions.companions(task.swapped)
    assert there.of_instances(there.both).tolist() == here.of_instances(here.both).tolist()
    assert there.of_instances(there.learned).tolist() == here.of_instances(here.gold).tolist()


def chain(length: int) -> Ontology:
    edges = [(f"c{n}", f"c{n - 1}") for n in range(1, length)]
    return Ontology.from_edges(edges, instances={f"i{n}": f"c{n}" for n in range(length)})


def test_a_line_of_places_has_what_is_below_each_in_a_run() -> None:
    ontology = Ontology.from_edges(
        [("b", "a"), ("c", "b"), ("d", "a"), ("e", "d")], instances={name: name for name in "abcde"}
    )
    assert ontology.instances is not None
    placement = Placement.of(ontology.hierarchy, ontology.instances, np.arange(5))
    paths = RootPaths.of(placement)
    starts, ends = paths.line, paths.end[paths.line]
    closure = ontology.hierarchy.closure.ancestors.toarray()
    for low in range(5):
        for high in range(5):
            below = low == high or bool(closure[placement.concepts[low], placement.concepts[high]])
            assert (starts[high] <= starts[low] < ends[high]) == below


def test_what_would_take_too_long_is_undefined_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (("MAX_WORK", 10), ("FEW_PAIRS", 0), ("MOST_AT_ONCE", 0)):
        monkeypatch.setattr(triples, name, limit)
    score = parse("H_s")(Comparison(chain(10), chain(10)))
    assert score.undefined == "the hierarchies are too deep: 3.8e+02 pairs of ancestors to examine"
    assert score.counts["instances"] == 10


def test_more_pairs_of_nodes_than_fit_are_not_looked_at_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten nodes on each side are 100 pairs; more than fit go level by level, which is refused here."""
    edges = [(f"c{n}", f"c{n - 1}") for n in range(1, 10)]
    ontology = Ontology.from_edges(edges, instances=dict.fromkeys("ijk", "c9"))
    monkeypatch.setattr(triples, "MAX_WORK", 0)
    monkeypatch.setattr(triples, "MOST_AT_ONCE", 100)
    assert parse("H_s")(Comparison(ontology, ontology)).counts["learned_triples"] == 0  # all three part nowhere
    monkeypatch.setattr(triples, "MOST_AT_ONCE", 99)
    assert "too deep" in str(parse("H_s")(Comparison(ontology, ontology)).undefined)


def test_too_many_cells_with_several_parents_are_undefined_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = [("b", "a"), ("c", "a"), ("d", "b"), ("d", "c")]
    ontology = Ontology.from_edges(edges, instances={f"i{n}": "abcd"[n % 4] for n in range(8)})
    task = Comparison(ontology, ontology)
    monkeypatch.setattr(triples, "MAX_GENERAL_WORK", 3)
    monkeypatch.setattr(closeness, "MAX_CELLS", 3)
    monkeypatch.setattr(companions, "MAX_WORK", 3)
    assert parse("H_a")(task).undefined == (
        "too many pairs of concepts share instances: 4, with too many different sets of common ancestors (several "
        "parents or cycles; estimated: 0 s, 0.0 GB)"
    )
    assert parse("EOR")(task).undefined == (
        "too many pairs of concepts share instances: 4; the limit is 3 where concepts have several parents, "
        "instances several concepts, or hierarchies very many levels"
    )
    assert parse("ITF")(task).undefined == (
        "too many pairs of concepts share instances: 4, with 4 learned concepts, where concepts have several "
        "parents or instances several concepts"
    )


def test_a_very_deep_hierarchy_is_refused_before_memory_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    from ontoeval.measures.instances import _root_paths as paths

    monkeypatch.setattr(paths, "MAX_STEPS", 99)
    ontology = chain(10)
    assert ontology.instances is not None
    with pytest.raises(TooLargeError, match=r"^too many concepts have instances: 10, in a hierarchy of 10 levels$"):
        RootPaths.of(Placement.of(ontology.hierarchy, ontology.instances, np.arange(10)))


def test_a_swapped_comparison_counts_the_instances_of_one_side_on_that_side() -> None:
    learned = Ontology.from_edges([("a", "r")], instances={"i": "a", "j": "a", "k": "a", "both": "a"})
    gold = Ontology.from_edges([("b", "r")], instances={"both": "b", "l": "b"})
    shared = Comparison(learned, gold).shared
    assert (shared.only_learned, shared.only_gold) == (3, 1)
    assert (shared.swapped.only_learned, shared.swapped.only_gold) == (1, 3)


def test_forests_of_too_many_levels_are_undefined_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four places on four levels: 4 * 4 ** 2 = 64 nodes would be looked at."""
    task = Comparison(chain(4), chain(4))
    monkeypatch.setattr(closeness, "MAX_COMPARED", 63)
    score = parse("OntoRand")(task)
    assert score.undefined == "too many concepts have instances: 4, in a hierarchy of 4 levels"
    monkeypatch.setattr(closeness, "MAX_COMPARED", 64)
    assert parse("OntoRand")(Comparison(chain(4), chain(4))).value == 1.0


def test_too_many_overlaps_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An instance on the k-th concept of a chain is at or below k of them: 1 + 4 + 9 pairs of concepts for three."""
    monkeypatch.setattr(placement, "MAX_OVERLAPS", 13)
    with pytest.raises(HierarchyError, match="too deep to match concepts by instances: 14 pairs of concepts"):
        _ = SharedInstances.of(chain(3), chain(3)).overlap
    monkeypatch.setattr(placement, "MAX_OVERLAPS", 14)
    assert SharedInstances.of(chain(3), chain(3)).overlap.shape == (3, 3)


def test_a_hierarchy_too_large_for_one_measure_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = [("b", "a"), ("c", "a"), ("d", "b"), ("d", "c")]  # several parents need the closure
    ontology = Ontology.from_edges(edges, instances={f"i{n}": "abcd"[n % 4] for n in range(8)})
    task = Comparison(ontology, ontology)
    monkeypatch.setattr(closure, "MAX_PAIRS", 1)
    result = evaluate(task, ["ITP", "LF"])
    assert result["ITP"].undefined is not None
    assert "pairs of a concept and an ancestor; the limit is 1" in result["ITP"].undefined
    assert result["LF"].value == 1.0


def test_places_and_levels_up_to_the_limit_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four places on four levels are 16 steps."""
    ontology = chain(4)
    assert ontology.instances is not None
    monkeypatch.setattr(_root_paths, "MAX_STEPS", 16)
    assert len(RootPaths.of(Placement.of(ontology.hierarchy, ontology.instances, np.arange(4)))) == 4
    monkeypatch.setattr(_root_paths, "MAX_STEPS", 15)
    with pytest.raises(TooLargeError, match="too many concepts have instances: 4, in a hierarchy of 4 levels"):
        RootPaths.of(Placement.of(ontology.hierarchy, ontology.instances, np.arange(4)))


def test_triples_are_counted_on_their_own_sides() -> None:
    """On the chain r, a, b only j and k have a common ancestor below that with i: (j, k, i) and (k, j, i)."""
    learned = Ontology.from_edges([("a", "r"), ("b", "a")], instances={"i": "r", "j": "a", "k": "b"})
    gold = Ontology.from_edges([("a", "r"), ("b", "r")], instances={"i": "r", "j": "a", "k": "b"})
    counts = parse("H_s")(Comparison(learned, gold)).counts
    assert (counts["learned_triples"], counts["gold_triples"], counts["common_triples"]) == (2, 0, 0)
