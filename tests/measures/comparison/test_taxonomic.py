"""Taxonomic precision, recall, F, F' and overlap against the twin, their properties, and the arrays behind them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, partial
from typing import Any

import helpers
import numpy as np
import oracle
import pytest
import twin_compare
from helpers import by_iri, comparison
from hypothesis import given
from hypothesis import strategies as st
from strategies import hierarchies, picks, root_of, shuffles
from twin_compare import BLOCKS, EXTRACTS, Case, Pair, Values, cases

from ontoeval.errors import HierarchyError, ParameterError
from ontoeval.measures import Measure, parse
from ontoeval.measures.comparison import extracts as module
from ontoeval.measures.comparison.edges import shared_edges
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

NAMES = ("TP", "TR", "TF", "TFprime", "TO")
MEANS = [block for block in BLOCKS if block[2] == "macro"]
Block = tuple[str, str, str]


@cache
def measure(name: str, extract: str, block: Block) -> Measure:
    over, estimate, average = block
    return parse(f"{name}(extract={extract}, over={over}, estimate={estimate}, average={average})")


def score(task: Comparison, name: str, extract: str, block: Block = ("common", "zero", "macro")) -> Score:
    return measure(name, extract, block)(task)


def value(task: Comparison, text: str) -> float:
    return parse(text)(task).value


def every_value(
    task: Comparison, names: tuple[str, ...] = ("TP", "TR", "TO"), extracts: tuple[str, ...] = EXTRACTS
) -> dict[tuple[str, ...], float]:
    """Of all blocks; over common concepts there is nothing to estimate."""
    blocks = [block for block in BLOCKS if block[:2] != ("common", "optimistic")]
    return {
        (name, extract, *block): score(task, name, extract, block).value
        for name in names
        for extract in extracts
        for block in blocks
    }


near = partial(helpers.near, tolerance=1e-12)


# values


@pytest.mark.parametrize("extract", EXTRACTS)
@given(case=cases())
def test_values_are_those_of_the_twin_and_lie_between_0_and_1(extract: str, case: Case) -> None:
    task, pair = comparison(case), case.pair
    for block in BLOCKS:
        expected = twin_compare.taxonomic(pair, extract, *block)
        for name in NAMES:
            found = score(task, name, extract, block).value
            assert found == near(expected[name]), (name, block)
            assert 0.0 <= found <= 1.0


def names_and_values(found: Score, task: Comparison) -> dict[str, float]:
    assert found.local is not None
    iris = {"learned": task.learned, "gold": task.gold}[found.local.of].hierarchy.iris
    named = zip(found.local.ids.tolist(), found.local.values.tolist(), strict=True)
    return {iris[concept]: number for concept, number in named}


@pytest.mark.parametrize("extract", EXTRACTS)
@given(case=cases())
def test_local_values_are_those_of_the_twin_and_their_mean_is_the_value(extract: str, case: Case) -> None:
    task, pair = comparison(case), case.pair
    for over, estimate, _ in MEANS:
        ways: list[tuple[str, str, Pair, str]] = [
            ("TP", "precision", pair, "learned"),
            ("TR", "precision", pair.swapped, "gold"),
            ("TO", "overlap", pair, "learned"),
        ]
        for name, kind, side, of in ways:
            found = score(task, name, extract, (over, estimate, "macro"))
            expected: Values = twin_compare.local_values(side, kind, extract, over, estimate)
            assert found.local is not None
            assert found.local.of == of
            assert names_and_values(found, task) == {key: near(number) for key, number in expected.items()}
            if expected:
                assert found.value == near(sum(expected.values(), Fraction(0)) / len(expected))


@pytest.mark.parametrize("extract", EXTRACTS)
@given(case=cases())
def test_pooled_values_are_local_values_weighted_by_the_size_of_the_extracts(extract: str, case: Case) -> None:
    task, pair = comparison(case), case.pair
    ways = [("TP", "precision", pair), ("TR", "precision", pair.swapped), ("TO", "overlap", pair)]
    for name, kind, side in ways:
        found = score(task, name, extract, ("common", "zero", "micro"))
        if not pair.common:
            assert (found.value, found.local) == (0.0, None)
            continue
        mine, theirs = side.extracts(extract), side.swapped.extracts(extract)
        wholes = {key: len(mine[key] if kind == "precision" else mine[key] | theirs[key]) for key in side.common}
        expected = twin_compare.local_values(side, kind, extract, "common", "zero")
        assert names_and_values(found, task) == {key: near(number) for key, number in expected.items()}
        assert found.local is not None
        assert found.local.weights is not None
        iris = (task.gold if name == "TR" else task.learned).hierarchy.iris
        keys = [side.learned.key[iris[concept]] for concept in found.local.ids.tolist()]
        assert found.local.weights.tolist() == [wholes[key] for key in keys]
        if any(wholes.values()):
            assert found.value == near(Fraction(np.average(found.local.values, weights=found.local.weights)))


@given(case=cases())
def test_harmonic_means_have_parts_in_place_of_local_values(case: Case) -> None:
    task = comparison(case)
    for block in BLOCKS:
        both, prime = (score(task, name, "csc", block) for name in ("TF", "TFprime"))
        assert both.local is None
        assert prime.local is None
        assert [part.value for part in both.parts] == [score(task, name, "csc", block).value for name in ("TP", "TR")]
        assert [part.value for part in prime.parts] == [value(task, "LR"), both.value]


@given(case=cases())
def test_counts_say_what_was_averaged(case: Case) -> None:
    task, pair = comparison(case), case.pair
    learned, gold, common = len(pair.learned.concepts), len(pair.gold.concepts), len(pair.common)

    def counts(name: str, over: str, average: str = "macro") -> dict[str, float]:
        return dict(score(task, name, "uc", (over, "optimistic", average)).counts)

    assert counts("TP", "common") == counts("TR", "common") == counts("TO", "common") == {"common": common}
    assert counts("TP", "learned") == counts("TO", "learned") == {"common": common, "learned": learned}
    assert counts("TR", "learned") == {"common": common, "gold": gold}
    assert counts("TP", "novel") == counts("TO", "novel") == {"common": common, "novel": learned - common}
    assert counts("TR", "novel") == {"common": common, "missing": gold - common}
    assert counts("TF", "learned") == {"common": common, "learned": learned, "gold": gold}
    assert counts("TFprime", "common") == {"common": common, "gold": gold}
    both, mine, theirs = twin_compare.sums(pair, "uc")
    pooled = {"common": common, "both": both, "learned_sum": mine, "gold_sum": theirs}
    for name in ("TP", "TR", "TF", "TO"):
        assert counts(name, "common", "micro") == pooled


def test_presets_are_the_measures_of_the_paper() -> None:
    for name in ("TP", "TR", "TF", "TFprime"):
        assert parse(f"{name}_sc") == parse(f"{name}(extract=sc, over=learned, estimate=zero)")
        assert parse(f"{name}_csc") == parse(f"{name}(extract=csc, over=common)")
    assert parse("TO_sc") == parse("TO(extract=sc, over=learned, estimate=optimistic)")
    assert parse("TO_csc") == parse("TO(extract=csc, over=common)")


# by hand


def plain(*edges: tuple[str, str], concepts: tuple[str, ...] = ()) -> Ontology:
    return Ontology.from_edges(edges, concepts=concepts, root="none")


@pytest.mark.parametrize("extract", ["csc", "cuc", "ds", "cds"])
def test_two_empty_extracts_of_one_concept_give_1(extract: str) -> None:
    task = by_iri(plain(concepts=("a", "b")), plain(concepts=("a", "c")))
    for average in ("macro", "micro"):
        for name in ("TP", "TR", "TO"):
            assert score(task, name, extract, ("common", "zero", average)).value == 1.0


@pytest.mark.parametrize("extract", ["csc", "cuc"])
def test_one_empty_extract_gives_0(extract: str) -> None:
    # b has a above it on one side only
    flat, linked = plain(concepts=("a", "b")), plain(("b", "a"))
    for task in (by_iri(flat, linked), by_iri(linked, flat)):
        found = [names_and_values(score(task, name, extract), task)["b"] for name in ("TP", "TR", "TO")]
        assert found == [0.0, 0.0, 0.0]
        assert score(task, "TP", extract, ("common", "zero", "micro")).value == 0.0


@pytest.mark.parametrize("extract", ["csc", "cuc", "ds", "cds"])
def test_two_empty_extracts_of_different_concepts_give_0(extract: str) -> None:
    task = by_iri(plain(concepts=("a", "x")), plain(concepts=("a", "y")))
    assert score(task, "TP", extract, ("novel", "optimistic", "macro")).value == 0.0
    assert score(task, "TO", extract, ("novel", "optimistic", "macro")).value == 0.0
    assert score(task, "TP", extract, ("learned", "optimistic", "macro")).value == 0.5


def test_estimate_may_be_a_gold_concept_that_is_common() -> None:
    # sc(x) = {x, r, a}; a's cotopy in the gold standard is {a, r}, which shares 2 of 3; union {x, r, a}
    task = by_iri(plain(("a", "r"), ("x", "a")), plain(("a", "r")))
    assert score(task, "TP", "sc", ("novel", "optimistic", "macro")).value == near(Fraction(2, 3))
    assert score(task, "TO", "sc", ("novel", "optimistic", "macro")).value == near(Fraction(2, 3))


def test_best_overlap_need_not_be_with_the_concept_that_shares_most() -> None:
    # uc(x) = {x, a, b}. Gold: uc(b) = {a, b}, 2 of 3 in union 3; uc(z) = {a, b, c, d, z} shares 2, too, of 6
    task = by_iri(plain(("x", "b"), ("b", "a")), plain(("b", "a"), ("c", "b"), ("d", "c"), ("z", "d")))
    assert score(task, "TO", "uc", ("novel", "optimistic", "macro")).value == near(Fraction(2, 3))
    assert score(task, "TR", "uc", ("novel", "optimistic", "macro")).value == near(
        (Fraction(2, 3) + Fraction(2, 4) + Fraction(2, 5)) / 3
    )


@given(made=st.tuples(hierarchies(), hierarchies()), roots=st.tuples(picks(), picks()))
def test_nothing_in_common_gives_0_everywhere(made: Any, roots: tuple[int, int]) -> None:
    sides = []
    for side, prefix, pick in zip(made, ("l ", "g "), roots, strict=True):
        edges = [(prefix + a, prefix + b) for a, b in side[0]]
        case: dict[str, Any] = {"edges": edges, "concepts": [prefix + name for name in side[1]]}
        root = root_of(case, pick)
        # two added roots would be the same
        sides.append(Ontology.from_edges(**case, root="none" if root in ("auto", "new") else f"{prefix}{root}"))
    assert set(every_value(by_iri(*sides)).values()) == {0.0}


def test_single_concept_on_both_sides_gives_1() -> None:
    for root in ("auto", "new", "none", "a"):
        one, other = (Ontology.from_edges([], concepts=["a"], root=root) for _ in range(2))
        assert set(every_value(by_iri(one, other), NAMES).values()) == {1.0}


# properties


@given(made=hierarchies(), pick=picks())
def test_identical_ontologies_give_1(made: Any, pick: int) -> None:
    case: dict[str, Any] = {"edges": made[0], "concepts": made[1]}
    case["root"] = root_of(case, pick)
    task = by_iri(Ontology.from_edges(**case), Ontology.from_edges(**case))
    assert set(every_value(task).values()) == {1.0}


@given(case=cases())
def test_recall_is_precision_of_the_swapped_sides(case: Case) -> None:
    there, back = (every_value(task, ("TP", "TR")) for task in (comparison(case), comparison(case.swapped)))
    turned = {"TP": "TR", "TR": "TP"}
    assert {(turned[name], *block): number for (name, *block), number in back.items()} == pytest.approx(
        there, rel=0, abs=1e-12
    )


@given(case=cases())
def test_swapped_comparison_gives_what_a_new_one_of_the_swapped_sides_gives(case: Case) -> None:
    chosen = ("TP", "TO"), ("csc", "uc", "ds")
    first, second = comparison(case), comparison(case)
    fresh = every_value(comparison(case.swapped), *chosen)
    assert every_value(first.swapped, *chosen) == pytest.approx(fresh, rel=0, abs=1e-12)  # before anything was asked
    every_value(second, *chosen)
    assert every_value(second.swapped, *chosen) == pytest.approx(fresh, rel=0, abs=1e-12)
    assert second.swapped.swapped is second


@given(case=cases())
def test_overlap_over_common_concepts_is_symmetric(case: Case) -> None:
    task, turned = comparison(case), comparison(case.swapped)
    for extract in EXTRACTS:
        for average in ("macro", "micro"):
            there, back = (score(side, "TO", extract, ("common", "zero", average)).value for side in (task, turned))
            assert there == near(Fraction(back))


@given(case=cases())
def test_pooled_overlap_follows_from_pooled_f(case: Case) -> None:
    task = comparison(case)
    for extract in EXTRACTS:
        overlap, both = (score(task, name, extract, ("common", "zero", "micro")).value for name in ("TO", "TF"))
        assert overlap == near(Fraction(both / (2 - both)))


def test_mean_overlap_does_not_follow_from_f() -> None:
    task = by_iri(plain(("b", "a"), concepts=("c",)), plain(("b", "a"), ("c", "b")))
    # csc of a, b, c: {b}, {a}, {} and {b, c}, {a, c}, {a, b}; tp = 1, 1, 0; tr = 1/2, 1/2, 0; to = 1/2, 1/2, 0
    precision, recall, both, overlap = (score(task, name, "csc").value for name in ("TP", "TR", "TF", "TO"))
    assert precision == near(Fraction(2, 3))
    assert recall == near(Fraction(1, 3))
    assert both == near(Fraction(4, 9))
    assert overlap == near(Fraction(1, 3))
    assert overlap != near(Fraction(4, 9) / (2 - Fraction(4, 9)))


def bare(twin: oracle.Twin) -> dict[str, Any]:
    """The same order without any rule about roots."""
    return {"edges": list(twin.edges), "concepts": sorted(twin.concepts), "root": "none"}


def between(made: dict[str, Any], shuffle: random.Random) -> dict[str, Any]:
    """New concepts on edges, below and above concepts that are there."""
    edges: list[tuple[str, str]] = []
    for number, (low, high) in enumerate(made["edges"]):
        new = f"inserted {number}"
        edges += [(low, new), (new, high)] if shuffle.random() < 0.5 else [(low, high)]
    names = made["concepts"]
    edges += [
        ("new leaf", shuffle.choice(names)),
        ("new leaf", shuffle.choice(names)),
        (shuffle.choice(names), "new top"),
    ]
    return {**made, "edges": edges}


def without(made: dict[str, Any], gone: set[str]) -> dict[str, Any]:
    keep = [name for name in made["concepts"] if name not in gone]
    edges = oracle.restriction(dict.fromkeys(made["edges"], 1.0), [], keep, 1.0)
    return {**made, "edges": list(edges), "concepts": keep}


def renamed(made: dict[str, Any], names: set[str]) -> dict[str, Any]:
    def new(name: str) -> str:
        return f"renamed {name}" if name in names else name

    return {
        **made,
        "edges": [(new(low), new(high)) for low, high in made["edges"]],
        "concepts": [new(name) for name in made["concepts"]],
    }


@given(case=cases(), shuffle=shuffles())
def test_csc_over_common_does_not_see_concepts_that_are_not_common(case: Case, shuffle: random.Random) -> None:
    pair = case.pair
    mapping = {name: key[1] for name, key in pair.learned.key.items() if key in pair.common}
    learned, gold = (bare(twin) for twin in case.twins)
    novel = set(learned["concepts"]) - set(mapping)
    missing = set(gold["concepts"]) - set(mapping.values())
    some = set(shuffle.sample(sorted(novel), len(novel) // 2))
    changed = [
        Case(between(learned, shuffle), between(gold, shuffle), mapping),
        Case(renamed(learned, novel), renamed(gold, missing), mapping),
    ]
    if mapping:
        changed.append(Case(without(learned, novel), without(gold, missing), mapping))
        changed.append(Case(without(learned, some), between(gold, shuffle), mapping))
    ways = [(name, average) for name in ("TP", "TR", "TF", "TO") for average in ("macro", "micro")]
    before = comparison(case)
    for other in changed:
        after = comparison(other)
        for name, average in ways:
            there, here = (score(task, name, "csc", ("common", "zero", average)).value for task in (before, after))
            assert here == near(Fraction(there)), (name, average)


@given(case=cases(), shuffle=shuffles())
def test_order_of_the_input_does_not_matter(case: Case, shuffle: random.Random) -> None:
    def mixed(made: dict[str, Any]) -> dict[str, Any]:
        edges, concepts = (shuffle.sample(made[key], len(made[key])) for key in ("edges", "concepts"))
        return {**made, "edges": edges, "concepts": concepts}

    pairs = case.pairs()
    other = Case(mixed(case.learned), mixed(case.gold), dict(shuffle.sample(pairs, len(pairs))))
    assert every_value(comparison(other)) == every_value(comparison(case))


# parameters


@pytest.mark.parametrize("name", NAMES)
def test_novel_concepts_need_an_estimate(name: str) -> None:
    for text in (f"{name}(over=novel)", f"{name}(over=novel, estimate=zero, extract=sc)"):
        with pytest.raises(ParameterError) as caught:
            parse(text)
        assert str(caught.value) == "over=novel needs estimate=optimistic. Add estimate=optimistic."


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("over", ["learned", "novel"])
def test_pooling_is_for_common_concepts_only(name: str, over: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse(f"{name}(average=micro, over={over}, estimate=optimistic)")
    assert str(caught.value) == f"average=micro needs over=common, not over={over}."


def test_preset_over_learned_concepts_cannot_be_pooled() -> None:
    with pytest.raises(ParameterError) as caught:
        parse("TP_sc(average=micro)")
    assert str(caught.value) == "average=micro needs over=common, not over=learned."


# a part of the learned side


def test_covered_part_has_ways_through_dropped_concepts_as_edges() -> None:
    learned = plain(("c", "x"), ("x", "b"), ("b", "a"), ("y", "c"))
    part = by_iri(learned, plain(("c", "a"), concepts=("b", "g"))).covered()
    iris = part.learned.hierarchy.iris
    (children, parents), shared = part.learned.hierarchy.stated_edges, shared_edges(part)
    ends = {(iris[low], iris[high]): bool(s) for low, high, s in zip(children, parents, shared, strict=True)}
    assert ends == {("c", "b"): False, ("b", "a"): False}
    assert sorted(iris) == ["a", "b", "c"]
    assert part.left_out == 2
    assert value(part, "LP") == 1.0
    assert value(part, "LR") == 0.75


@given(case=cases())
def test_covered_part_is_the_restriction_to_common_concepts(case: Case) -> None:
    task = comparison(case)
    part = task.covered()
    before, twin_gold = case.twins
    pair = case.pair
    kept = {name for name, key in pair.learned.key.items() if key in pair.common}
    assert part.gold is task.gold
    own = kept - ({before.root} if before.root_added else set())
    if not own or kept == before.concepts:
        assert part is task
        return
    added = {before.root} if before.root_added else set()
    assert part.left_out == len(before.concepts - kept - added)
    root = "auto" if twin_gold.root_added else "none"
    if before.root is None:
        root = "none"
    elif before.root in kept:
        root = "new" if before.root_added else before.root
    edges = oracle.restriction(before.given, before.self_edges, own, 1.0)
    after = oracle.twin(list(edges), concepts=own, root=root)
    hierarchy = part.learned.hierarchy
    assert set(hierarchy.iris) == after.concepts
    assert hierarchy.root_added == after.root_added
    names = hierarchy.iris
    ends = zip(hierarchy.parents.tails.tolist(), hierarchy.parents.indices.tolist(), strict=True)
    assert {(names[low], names[high]) for low, high in ends} == set(after.edges)
    expected = twin_compare.compared(after, twin_gold, {a: b for a, b in case.mapping.items() if a in own})
    partners = {
        names[low]: part.gold.hierarchy.iris[high]
        for low, high in zip(*(ids.tolist() for ids in part.common), strict=True)
    }
    assert partners == {name: key[1] for name, key in expected.learned.key.items() if key in expected.common}


@given(case=cases())
def test_scores_of_the_covered_part_lie_between_0_and_1(case: Case) -> None:
    part = comparison(case).covered()
    texts = ("LP", "LR", "TP_csc", "TR_csc", "TO_csc", "TP_sc", "TR_sc", "EdgeP", "EdgeR", "ClosureP", "ClosureR")
    for text in texts:
        assert 0.0 <= value(part, text) <= 1.0, text


def test_covered_part_of_a_task_without_common_concepts_is_the_task_itself() -> None:
    task = by_iri(plain(("b", "a")), plain(("d", "c")))
    assert task.covered() is task


def test_roots_that_become_added_ones_are_the_same() -> None:
    # the learned root is dropped and what is left gets an added one, as the gold standard has
    learned = Ontology.from_edges([("a", "r"), ("b", "r"), ("c", "a")])
    gold = Ontology.from_edges([("c", "a")], concepts=["b"])
    part = by_iri(learned, gold).covered()
    found = {text: value(part, text) for text in ("LP", "LR", "TF_csc", "TF_sc", "EdgeF", "ClosureP", "ClosureR")}
    assert found == dict.fromkeys(found, 1.0)


# the arrays behind them


@pytest.mark.parametrize("extract", EXTRACTS)
@given(case=cases())
def test_extract_sizes_and_overlaps_are_those_of_the_twin(extract: Any, case: Case) -> None:
    task, pair = comparison(case), case.pair
    for side, found in ((pair, task), (pair.swapped, task.swapped)):
        sets, others = side.extracts(extract), side.swapped.extracts(extract)
        iris = found.learned.hierarchy.iris
        keys = [side.learned.key[name] for name in iris]
        assert module.extract_sizes(found, extract).tolist() == [len(sets[key]) for key in keys]
        common = [key for key in keys if key in side.common]
        overlap = module.extract_overlap(found, extract)
        assert overlap.both.tolist() == [len(sets[key] & others[key]) for key in common]
        assert overlap.learned.tolist() == [len(sets[key]) for key in common]
        assert overlap.gold.tolist() == [len(others[key]) for key in common]


@contextmanager
def blocks(size: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", size)
        patch.setattr(module, "_DENSE", size)
        yield


@pytest.mark.parametrize("size", [1, 20])
@given(case=cases())
def test_size_of_the_blocks_does_not_matter(size: int, case: Case) -> None:
    chosen = ("TP", "TO"), ("csc", "uc", "cds")
    whole = every_value(comparison(case), *chosen)
    with blocks(size):
        assert every_value(comparison(case), *chosen) == whole


# large ones


def numbered(count: int) -> list[str]:
    return [f"c{i:05d}" for i in range(count)]


def ring(names: list[str], *, step: int = 1) -> list[tuple[str, str]]:
    return [(name, names[(i + step) % len(names)]) for i, name in enumerate(names)]


def chain(names: list[str]) -> list[tuple[str, str]]:
    return list(zip(names[1:], names, strict=False))


FIVE_THOUSAND = numbered(5000)


def test_cycle_of_five_thousand_against_another_way_round_gives_1() -> None:
    task = by_iri(plain(*ring(FIVE_THOUSAND)), plain(*ring(FIVE_THOUSAND, step=4999)))
    for extract in ("sc", "csc", "uc", "cuc"):
        for block in BLOCKS[:5:2]:
            for name in ("TP", "TR", "TO"):
                assert score(task, name, extract, block).value == 1.0
    assert value(task, "TF(extract=ds)") == 0.0  # every child is another one
    assert value(task, "EdgeF") == 0.0
    assert value(task, "ClosureF") == 1.0


def test_cycle_of_five_thousand_against_two_of_half_the_size() -> None:
    # 4 999 mates, of which 2 499 are mates on the other side, too
    task = by_iri(plain(*ring(FIVE_THOUSAND)), plain(*ring(FIVE_THOUSAND, step=2)))
    for extract in ("csc", "cuc"):
        assert score(task, "TP", extract).value == near(Fraction(2499, 4999))
        assert score(task, "TR", extract).value == 1.0
        assert score(task, "TO", extract).value == near(Fraction(2499, 4999))
    assert value(task, "TP_sc") == near(Fraction(1, 2))
    assert value(task, "ClosureP") == near(Fraction(2499, 4999))
    assert value(task, "ClosureR") == 1.0


def test_cycle_of_five_thousand_against_a_flat_tree() -> None:
    # gold: 4 999 leaves below the first. Learned: each has 4 999 others. csc shares 4 999 at the top, 1 at a leaf
    task = by_iri(plain(*ring(FIVE_THOUSAND)), plain(*((name, "c00000") for name in FIVE_THOUSAND[1:])))
    assert value(task, "TP_csc") == near(Fraction(1, 5000) * (1 + 4999 * Fraction(1, 4999)))
    assert value(task, "TR_csc") == 1.0
    assert value(task, "TP(extract=cuc)") == near(Fraction(4999, 5000) * Fraction(1, 4999))
    assert value(task, "TR(extract=cuc)") == near(Fraction(4999, 5000))  # nothing above the top, but in the cycle
    assert value(task, "TP_sc") == near(Fraction(1, 5000) * (1 + 4999 * Fraction(2, 5000)))
    assert value(task, "ClosureP") == near(Fraction(4999, 5000 * 4999))
    # the top's children: all 4 999 in the tree, one of them in the cycle; a leaf has none in the tree, one in the cycle
    assert value(task, "TP(extract=ds)") == near(Fraction(1, 5000))
    assert value(task, "TR(extract=ds)") == near(Fraction(1, 5000) * Fraction(1, 4999))


def test_cycle_of_five_thousand_against_a_chain() -> None:
    # gold: a chain of 1 000 of them. csc: 999 on both sides; above the i-th 999 in the cycle and i in the chain
    task = by_iri(plain(*ring(FIVE_THOUSAND)), plain(*chain(FIVE_THOUSAND[:1000])))
    for name in ("TP", "TR", "TO"):
        assert value(task, f"{name}_csc") == 1.0
    assert value(task, "TP(extract=cuc)") == near(Fraction(1, 2))
    assert value(task, "TR(extract=cuc)") == near(Fraction(999, 1000))
    assert value(task, "TP_sc") == near(Fraction(1, 5) * Fraction(1000, 5000))
    assert value(task, "TR_sc") == 1.0
    assert value(task, "ClosureP") == near(Fraction(1000 * 999 // 2, 5000 * 4999))
    assert value(task, "ClosureR") == 1.0
    turned = by_iri(task.gold, task.learned)
    assert value(turned, "TR(extract=cuc)") == near(Fraction(1, 2))
    assert value(turned, "TR_sc") == near(Fraction(1, 25))


def test_optimistic_estimation_of_a_cycle_of_two_thousand_novel_concepts() -> None:
    # the last one alone is common: csc of the others is that one, and so is that of its gold child
    names = numbered(2000)
    task = by_iri(plain(*ring(names)), plain(("child", names[-1])))
    assert score(task, "TP", "csc", ("novel", "optimistic", "macro")).value == 1.0
    assert score(task, "TO", "csc", ("novel", "optimistic", "macro")).value == 1.0
    assert score(task, "TP", "sc", ("novel", "optimistic", "macro")).value == near(Fraction(1, 2000))


def test_chain_against_the_chain_of_every_second_concept() -> None:
    names = numbered(1600)
    task = by_iri(plain(*chain(names)), plain(*chain(names[::2])))
    for name in ("TP", "TR", "TO"):
        assert value(task, f"{name}_csc") == 1.0
    assert value(task, "TP_sc") == near(Fraction(1, 4))  # half of the concepts, half of 1 600 each
    assert value(task, "TR_sc") == 1.0
    assert value(task, "ClosureP") == near(Fraction(800 * 799, 1600 * 1599))


def test_chain_against_the_same_chain_upside_down() -> None:
    names = numbered(1000)
    task = by_iri(plain(*chain(names)), plain(*chain(names[::-1])))
    assert value(task, "TF_csc") == 1.0  # csc does not tell above from below
    assert value(task, "TF(extract=cuc)") == 0.0
    # uc shares the concept itself: 1 of i
    assert value(task, "TP(extract=uc)") == near(sum((Fraction(1, i) for i in range(1, 1001)), Fraction(0)) / 1000)


def test_chain_with_too_many_pairs_is_refused_by_what_needs_them_alone() -> None:
    # 50 000 * 49 999 / 2 pairs
    names = numbered(50_000)
    one = plain(*chain(names))
    task = by_iri(one, one)
    with pytest.raises(HierarchyError) as caught:
        parse("TP_csc")(task)
    assert str(caught.value) == (
        "the hierarchy has at least 1.2e+09 pairs of a concept and an ancestor; the limit is 1e+09. Select a part "
        "of it with below= or namespaces=."
    )
    assert value(task, "LF") == 1.0
    assert value(task, "TP(extract=cds)") == 1.0
    assert value(task, "EdgeF") == 1.0


def test_optimistic_estimation_tells_two_cycles_below_one_root_apart() -> None:
    """Learned: n1 and k1 are one cycle, n2 and k2 another, both below r. Gold: k1 < r, w < k2 < x < y < z < r.

    sc, gold: k1 {k1, r}, r all 7, the others {w, k2, x, y, z, r}. Overlaps: r 3/9, k1 2/3, k2 2/7; at best
    n1 {n1, k1, r} with k1 2/3, n2 {n2, k2, r} with k2 2/7. csc: {k1, r} of n1 shares one of two with r or k1 at best,
    {k2, r} of n2 both with w.
    """
    learned = Ontology.from_edges([("n1", "k1"), ("k1", "n1"), ("n2", "k2"), ("k2", "n2"), ("k1", "r"), ("k2", "r")])
    gold = Ontology.from_edges([("k1", "r"), ("w", "k2"), ("k2", "x"), ("x", "y"), ("y", "z"), ("z", "r")])
    task = by_iri(learned, gold)
    overlaps = [Fraction(1, 3), Fraction(2, 3), Fraction(2, 7), Fraction(2, 3), Fraction(2, 7)]
    assert score(task, "TO", "sc", ("learned", "optimistic", "macro")).value == near(sum(overlaps, Fraction(0)) / 5)
    assert score(task, "TP", "csc", ("novel", "optimistic", "macro")).value == near(Fraction(3, 4))


@pytest.mark.parametrize("name", ["TP", "TR", "TO"])
def test_without_novel_concepts_the_estimate_over_them_is_1_and_has_no_local_scores(name: str) -> None:
    same = plain(("b", "a"), ("c", "b"))
    score = parse(f"{name}(over=novel, estimate=optimistic)")(by_iri(same, same))
    assert score.value == 1.0
    assert score.local is not None
    assert len(score.local.values) == len(score.local.ids) == 0
