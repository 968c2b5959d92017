"""The cumulative Fowlkes & Mallows measure against its twin, the released tool, and values made by hand."""

from __future__ import annotations

import csv
import math
import random
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
import twin_cfm
from helpers import tree
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import Hierarchical, hierarchies, shuffles

import ontoeval as oe
from ontoeval.matching.matcher import match
from ontoeval.measures import parse
from ontoeval.measures.comparison import _cluster_pairs as _pairs
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

WEIGHTS = ("tool", "paper")
FLOATING = ("attached", "ignored")
# The example that comes with the released tool, and what the tool says of it.
TOOL_GOLD = [("a", "entity"), ("b", "a"), *(pair for pair in zip("cdefgh", "bbbeee", strict=True))]
TOOL_LEARNED = TOOL_GOLD[:5]
TOOL_VALUE = 0.16066528353484874


def comparison(learned: Hierarchical | list[Any], gold: Hierarchical | list[Any], **options: Any) -> Comparison:
    made = []
    for side in (learned, gold):
        edges, concepts = side if isinstance(side, tuple) else (side, [])
        made.append(Ontology.from_edges(edges, concepts=concepts, **options))
    return Comparison(*made, match(*made, by="iri"))


def cfm(task: Comparison, weights: str = "tool", floating: str = "attached", self_edges: str = "ignored") -> Score:
    return parse("CFM", weights=weights, floating=floating, self_edges=self_edges)(task)


def twin_value(
    made: tuple[Hierarchical, Hierarchical], weights: str, floating: str, self_edges: str = "ignored"
) -> float:
    """The twin's word; nan if it is undefined."""
    plain = [oracle.twin(edges, concepts=concepts) for edges, concepts in made]
    own = [side.concepts - ({side.root} if side.root_added else set()) for side in plain]
    partner = {c: c for c in own[0] & own[1]}
    if all(side.root_added for side in plain):
        partner[str(plain[0].root)] = str(plain[1].root)
    loops = [{(c, c) for c in side.self_edges} if self_edges == "inner" else set() for side in plain]
    if floating == "attached":
        sides = [twin_cfm.Side(s.concepts, {*s.edges, *own}, s.root) for s, own in zip(plain, loops, strict=True)]
        return twin_cfm.cfm(*sides, partner, weights)
    if plain[1].root_added:
        return math.nan
    start = [learned for learned, gold in partner.items() if gold == plain[1].root]
    if not start:
        return 0.0
    names = [own[i] if starts in own[i] else own[i] | {starts} for i, starts in enumerate([start[0], plain[1].root])]
    edges = [{*side.given, *own_loops} for side, own_loops in zip(plain, loops, strict=True)]
    for side, links in zip(plain, edges, strict=True):
        if side.root_added:  # it is there, but it leads nowhere, and is no leaf either
            links.add((str(side.root), str(side.root)))
    sides = [twin_cfm.Side(names[0], edges[0], start[0]), twin_cfm.Side(names[1], edges[1], plain[1].root)]
    return twin_cfm.cfm(*sides, partner, weights)


class TestTool:
    """The released tool's own numbers."""

    @pytest.mark.parametrize("floating", FLOATING)
    def test_its_example(self, floating: str) -> None:
        score = cfm(comparison(TOOL_LEARNED, TOOL_GOLD), floating=floating)
        level = 1 / sqrt(10 * 3)  # of the pairs of c, d, e only c with d is one of c, d, f, g, h
        assert level == pytest.approx(0.18257418583505536, abs=1e-15)
        assert score.value == pytest.approx(TOOL_VALUE, abs=1e-15)
        assert score.value == pytest.approx(level * (1 + 1 / 2 + 1 / 3) / (1 + 1 / 2 + 1 / 3 + 1 / 4))
        assert score.counts == {
            "levels": 4,
            "learned_levels": 3,
            "learned_objects": 3,
            "gold_objects": 5,
            "common_objects": 2,
        }

    def test_its_example_with_the_weights_of_the_paper(self) -> None:
        assert cfm(comparison(TOOL_LEARNED, TOOL_GOLD), "paper").value == pytest.approx((1 + 2 + 3) / 10 / sqrt(30))

    def test_its_example_from_its_files(self, shared_data: Path) -> None:
        folder = shared_data / "texeval" / "tool-example"
        learned, gold = (oe.load_ontology(folder / name) for name in ("sys1.taxo", "gold1.taxo"))
        task = Comparison(learned, gold, match(learned, gold, by="iri"))
        assert cfm(task, floating="ignored").value == pytest.approx(TOOL_VALUE, abs=1e-15)

    def test_runs_of_2016(self, shared_data: Path) -> None:
        folder = shared_data / "texeval" / "2016"
        with open(folder / "published.tsv", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file, delimiter="\t") if row["official jar: cumulative F&M"]]
        assert len(rows) == 8
        golds = {domain: oe.load_ontology(folder / "gold" / f"{domain}.taxo") for domain in {r["domain"] for r in rows}}
        for row in rows:
            gold = golds[row["domain"]]
            learned = oe.load_ontology(folder / "runs-EN" / f"{row['domain']}.{row['system']}.taxo")
            task = Comparison(learned, gold, match(learned, gold, by="iri"))
            run = row["domain"], row["system"]
            wanted = float(row["official jar: cumulative F&M"])
            assert cfm(task, floating="ignored", self_edges="inner").value == pytest.approx(wanted, abs=1e-9), run
            by_definition = cfm(task, floating="ignored").value
            if run == ("environment_eurovoc", "JUNLP"):  # self-edges on concepts that would be leaves
                assert by_definition == pytest.approx(0.0802, abs=5e-5)  # counted by others from the definition
            elif row["system"] == "JUNLP":
                assert by_definition != pytest.approx(wanted, abs=1e-3)  # likewise; nobody else has counted it
            else:
                assert by_definition == pytest.approx(wanted, abs=1e-9), run


class TestTwin:
    @given(st.tuples(hierarchies(), hierarchies()), st.sampled_from(WEIGHTS), st.sampled_from(FLOATING))
    @example((([("a", "r"), ("r", "a")], []), ([("a", "r")], [])), "tool", "attached")
    @example((([], ["a"]), ([], ["a"])), "tool", "ignored")
    @example((([], ["a"]), ([("b", "c")], [])), "paper", "attached")
    def test_it_agrees(self, made: tuple[Hierarchical, Hierarchical], weights: str, floating: str) -> None:
        task = comparison(*made)
        for self_edges in ("ignored", "inner"):
            score = cfm(task, weights, floating, self_edges)
            expected = twin_value(made, weights, floating, self_edges)
            assert score.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
            assert 0.0 <= score.value <= 1.0 or (math.isnan(expected) and score.undefined)

    @given(st.integers(0, 2**32), st.sampled_from(WEIGHTS), st.booleans())
    def test_it_agrees_under_a_common_root(self, seed: int, weights: str, cyclic: bool) -> None:
        """Denser and more alike than two random hierarchies are, so that several levels have pairs on both sides."""
        draw = random.Random(seed)
        names = [*"abcdefghijkl"][: draw.randint(2, 12)]
        made = []
        for _ in range(2):
            edges = {(c, draw.choice(["root", *names[:place]])) for place, c in enumerate(names)}
            edges |= {tuple(sorted(draw.sample(names, 2), reverse=True)) for _ in range(draw.randint(0, 5))}
            if cyclic:
                edges |= {(draw.choice(names), draw.choice(names)) for _ in range(draw.randint(1, 4))}
            made.append((sorted(edges), []))
        task = comparison(*made)
        for floating in FLOATING:
            score = cfm(task, weights, floating)
            assert score.value == pytest.approx(twin_value((made[0], made[1]), weights, floating), abs=1e-12)

    @given(st.integers(0, 2**32))
    def test_the_pair_count_in_small_blocks(self, seed: int) -> None:
        draw = np.random.default_rng(seed)
        incidences, wanted = [], []
        for _ in range(draw.integers(1, 3)):
            cells = np.unique(draw.integers(0, [9, 200], size=(draw.integers(0, 400), 2)), axis=0)
            dense = np.zeros((200, 9), dtype=bool)
            dense[cells[:, 1], cells[:, 0]] = True
            incidences.append((cells[:, 0], cells[:, 1]))
            wanted.append(dense.astype(int) @ dense.T > 0)
        both = np.logical_and.reduce(wanted)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_pairs, "_BLOCK", 500)
            assert _pairs.pairs_together(incidences) == int(np.triu(both, 1).sum())


class TestProperties:
    @given(st.tuples(hierarchies(), hierarchies()), shuffles(), st.sampled_from(FLOATING))
    def test_names_and_order_do_not_matter(
        self, made: tuple[Hierarchical, Hierarchical], shuffle: random.Random, floating: str
    ) -> None:
        every = sorted({name for edges, more in made for name in [*more, *(n for edge in edges for n in edge)]})
        numbers = [*range(len(every))]
        shuffle.shuffle(numbers)
        new = {name: f"n{number}" for name, number in zip(every, numbers, strict=True)}
        changed = []
        for edges, more in made:
            renamed = [(new[a], new[b]) for a, b in edges]
            shuffle.shuffle(renamed)
            changed.append((renamed, [new[name] for name in more]))
        for weights in WEIGHTS:
            old, other = (cfm(comparison(*sides), weights, floating) for sides in (made, changed))
            assert (old.undefined is None) == (other.undefined is None)
            assert other.value == pytest.approx(old.value, abs=1e-12, nan_ok=True)

    @given(hierarchies())
    def test_equal_inputs_score_one_while_there_are_pairs(self, made: Hierarchical) -> None:
        values, _ = twin_cfm.level_values(*(2 * [_plain_side(made)]), {c: c for c in _plain_side(made).concepts})
        assert all(value == pytest.approx(1.0) or value == 0.0 for value in values)
        if values and values[-1]:
            assert cfm(comparison(made, made)).value == pytest.approx(1.0)


def _plain_side(made: Hierarchical) -> twin_cfm.Side:
    side = oracle.twin(made[0], concepts=made[1])
    return twin_cfm.Side(side.concepts, set(side.edges), side.root)


class TestByHand:
    @pytest.mark.parametrize(
        ("learned", "gold", "wanted"),
        [
            # a star: the pairs of the root are all there is
            ("r:a,b,c", "r:a,b,c", 1.0),
            ("r:a,b,d", "r:a,b,c", 1 / 3),
            # a chain has one leaf and no pair, not even with itself
            ("r:a a:b", "r:a a:b", 0.0),
            # level 0: 6 of 6; level 1: {a, b}, {c, d} against {a, c}, {b, d}
            ("r:x,y x:a,b y:c,d", "r:x,y x:a,c y:b,d", 2 / 3),
            # level 1: {a, b}, {c, d} against {a, b, c}, {d}
            ("r:x,y x:a,b y:c,d", "r:x,y x:a,b,c y:d", (1 + 0.5 / sqrt(2 * 3)) / 1.5),
            # c is below x and y: one pair each, and a pair in two clusters (c, d) is one pair
            ("r:x,y x:c,d y:c,d", "r:x,y x:c y:d", 2 / 3),
            # x is inner here and a leaf there: an object, together with a and b under r, but not with a under x
            ("r:x,b x:a", "r:x,a,b", 1.0),
            # an inner concept that is no gold leaf is no object
            ("r:x,b x:a", "r:a,b", 1.0),
            # only a path to a leaf counts: below x there is none
            ("r:x,a,b x:y y:x", "r:x,a,b", 1 / sqrt(3)),
            # nothing in common but the root
            ("r:a,b", "r:c,d", 0.0),
        ],
    )
    @pytest.mark.parametrize("floating", FLOATING)
    def test_small(self, learned: str, gold: str, wanted: float, floating: str) -> None:
        assert cfm(comparison(tree(learned), tree(gold)), floating=floating).value == pytest.approx(wanted)

    @pytest.mark.parametrize("weights", WEIGHTS)
    def test_one_concept(self, weights: str) -> None:
        for floating in FLOATING:
            assert cfm(comparison(([], ["a"]), ([], ["a"])), weights, floating).value == 1.0
            assert cfm(comparison(tree("a:b,c"), ([], ["a"])), weights, floating).value == 0.0
            assert cfm(comparison(([], ["a"]), tree("a:b,c")), weights, floating).value == 0.0

    def test_no_path_on_the_gold_side(self) -> None:
        ring = [("a", "b"), ("b", "a")]
        assert cfm(comparison(ring, ring)).value == 1.0
        assert cfm(comparison(tree("a:b,c"), ring)).value == 0.0
        assert cfm(comparison(ring, tree("a:b,c"))).value == 0.0

    def test_floating_parts(self) -> None:
        task = comparison(tree("r:a s:b"), tree("r:a,b"))
        assert cfm(task).value == 1.0  # under the root of ours
        assert cfm(task, floating="ignored").value == 0.0  # from r there is a alone
        nothing = cfm(comparison(tree("s:a,b"), tree("r:a,b")), floating="ignored")  # no r
        assert (nothing.value, dict(nothing.counts)) == (0.0, {"learned_objects": 0})

    def test_several_gold_roots_leave_the_tool_nowhere_to_start(self) -> None:
        """Without the edges to it, no path starts from the root that was added: equal or not, it says nothing."""
        for learned in ("r:a,b", "r:a s:b"):
            score = cfm(comparison(tree(learned), tree("r:a s:b")), floating="ignored")
            assert score.undefined is not None
            assert score.undefined.startswith("the gold standard has several top concepts")

    def test_a_concept_that_is_its_own_child(self) -> None:
        """Self-edges say nothing, but the tool never comes to an end there."""
        task = comparison([*tree("r:a,b,c"), ("c", "c")], tree("r:a,b,c"))
        for floating in FLOATING:
            assert cfm(task, floating=floating).value == 1.0
            assert cfm(task, floating=floating, self_edges="inner").value == pytest.approx(1 / sqrt(3))

    def test_without_a_root(self) -> None:
        task = comparison(tree("r:a,b"), tree("r:a,b"), root="none")
        for floating in FLOATING:
            assert cfm(task, floating=floating).undefined == "the gold standard has no root for paths to start from"
        gold = Ontology.from_edges(tree("r:a,b"))
        task = Comparison(task.learned, gold, match(task.learned, gold, by="iri"))
        assert cfm(task).undefined == "the learned ontology has no root for paths to start from"
        assert cfm(task, floating="ignored").value == 1.0

    def test_depth_on_a_cycle_is_the_place_in_the_path(self) -> None:
        """r-x-y and r-y-x: a is below y at levels 1 and 2, b below x at both."""
        learned = [*tree("r:x,y x:y,b y:x,a")]
        # level 1: x (b, a through y) and y (a, b through x); level 2: y (a), x (b)
        assert cfm(comparison(learned, learned)).value == pytest.approx((1 + 1 / 2) / (1 + 1 / 2 + 1 / 3))


class TestLimits:
    def test_too_many_paths(self) -> None:
        """Every concept below every other: the paths are as many as the orders of the concepts."""
        names = [f"c{n}" for n in range(12)]
        edges = [(a, b) for a in names for b in names if a != b] + [("leaf", names[0]), (names[0], "r"), ("other", "r")]
        score = cfm(comparison(edges, edges))
        assert score.undefined is not None
        assert "1,000,000 steps" in score.undefined

    def test_a_limit_is_not_touched_below_the_cycle(self) -> None:
        """A cycle on top of many diamonds: 2^40 paths, none of which needs listing."""
        edges = [("x", "r"), ("x", "y"), ("y", "x"), ("d0", "x")]
        for n in range(40):
            edges += [(f"l{n}", f"d{n}"), (f"m{n}", f"d{n}"), (f"d{n + 1}", f"l{n}"), (f"d{n + 1}", f"m{n}")]
        edges += [("a", "d40"), ("b", "d40")]
        assert cfm(comparison(edges, edges)).value == pytest.approx(1.0)

    @pytest.mark.parametrize("depth", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
    def test_deep_chains(self, depth: int) -> None:
        chain = [(f"{n + 1:06}", f"{n:06}") for n in range(depth)]
        forked = [*chain, ("a", f"{depth:06}"), ("b", f"{depth:06}")]
        assert cfm(comparison(chain, chain)).value == 0.0
        score = cfm(comparison(forked, forked))
        assert score.value == pytest.approx(1.0)
        assert score.counts["levels"] == depth + 1


def test_what_is_advised_for_several_tops_gives_a_value() -> None:
    """An added root (root="new") would not: the released tool has none."""
    edges, measure = [("x", "a"), ("y", "b"), ("z", "a")], oe.parse("CFM(floating=ignored)")
    several = oe.Ontology.from_edges(edges)
    advice = "use floating=attached, or set root= to the IRI of one"
    assert str(measure(oe.Comparison(several, several)).undefined).endswith(advice)
    assert str(measure(oe.Comparison(several, oe.Ontology.from_edges(edges, root="new"))).undefined).endswith(advice)
    one = oe.Ontology.from_edges(edges, root="a")
    assert measure(oe.Comparison(one, one)).undefined is None
    assert oe.parse("CFM(floating=attached)")(oe.Comparison(several, several)).undefined is None
