"""The tree edit distance against its textbook recursion, and values made by hand."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any

import helpers
import numpy as np
import oracle
import pytest
from helpers import tree
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import hierarchies, picks, root_of
from twin_compare import Case, cases, named, one_to_one

import ontoeval as oe
from ontoeval.errors import MissingInputError
from ontoeval.matching.matcher import match
from ontoeval.measures import parse
from ontoeval.measures.comparison import tree_edit
from ontoeval.measures.comparison._spanning_tree import SpanningTree, shapes
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

FEW = settings(max_examples=max(6, settings.default.max_examples // 6))
Tree = tuple[Any, tuple[Any, ...]]  # a name and the trees below it, in order
Shape = tuple[int, tuple[Any, ...]]


def compared(learned: Any, gold: Any, mapping: Mapping[str, str] | None = None, **options: Any) -> Comparison:
    """Matched by name or as `mapping` says."""
    by: Any = "iri" if mapping is None else (lambda *_: list(mapping.items()))
    return helpers.compared(learned, gold, by, **options)


def long(values: Any) -> Any:
    return np.array(list(values), dtype=np.int64)


def ted(task: Comparison, *, normalized: bool = False) -> Score:
    return parse("TED", normalized=normalized)(task)


def edits(learned: str, gold: str, mapping: Mapping[str, str] | None = None) -> float:
    return ted(compared(tree(learned), tree(gold), mapping)).value


# the twin: forests as tuples, and the definition of Zhang & Shasha 1989 word for word


@cache
def forest_distance(left: tuple[Tree, ...], right: tuple[Tree, ...]) -> int:
    if not left or not right:
        return sum(map(size, left + right))
    (one, below), (other, beneath) = left[-1], right[-1]
    return min(
        forest_distance(left[:-1] + below, right) + 1,
        forest_distance(left, right[:-1] + beneath) + 1,
        forest_distance(left[:-1], right[:-1]) + forest_distance(below, beneath) + (one != other),
    )


def size(one: Tree) -> int:
    return 1 + sum(map(size, one[1]))


def shape(one: Tree) -> Shape:
    """Height, and the shapes below, the largest first."""
    below = sorted(map(shape, one[1]), reverse=True)
    return 1 + max((height for height, _ in below), default=-1), tuple(below)


def twin_forest(plain: oracle.Twin, rank: Mapping[str, int], names: Mapping[str, Any]) -> tuple[Tree, ...]:
    """The tree below the root, or the trees below the tops; children in order."""
    tops = {plain.root} if plain.root is not None else oracle.tops(plain.concepts, plain.edges)
    depth, step = dict.fromkeys(tops, 0), 0
    while len(depth) < len(plain.concepts):
        front = {child for child, parent in plain.edges if depth.get(parent) == step and child not in depth}
        step += 1
        depth.update(dict.fromkeys(front, step))

    def preferred(name: str) -> tuple[float, str]:
        return rank.get(name, math.inf), name

    parent = {
        c: min((p for child, p in plain.edges if child == c and depth[p] == depth[c] - 1), key=preferred)
        for c in plain.concepts
        if c not in tops
    }

    def first_common(name: str) -> float:
        return min([rank.get(name, math.inf), *(first_common(c) for c, p in parent.items() if p == name)])

    def grown(siblings: Any) -> tuple[Tree, ...]:
        made = {c: (names[c], grown([x for x, p in parent.items() if p == c])) for c in siblings}
        key = {c: (rank.get(c, first_common(c)), shape(made[c])) for c in siblings}
        return tuple(made[c] for c in sorted(siblings, key=key.__getitem__))

    return grown(tops)


def twin_value(case: Case) -> int:
    """Where names are matched crosswise, the smaller value of the two orders."""
    learned, gold = case.twins
    partner = {c: key[1] for c, key in case.pair.learned.key.items() if key[0] == "gold"}
    called = (
        {c: ("both", partner[c]) if c in partner else ("learned", c) for c in learned.concepts},
        {c: ("both", c) if c in partner.values() else ("gold", c) for c in gold.concepts},
    )
    values = []
    for side in (0, 1):
        pairs = sorted(partner.items(), key=lambda pair, side=side: (sorted(pair), pair[side]))  # type: ignore[misc]
        forests = [
            twin_forest(plain, {pair[i]: n for n, pair in enumerate(pairs)}, called[i])
            for i, plain in enumerate((learned, gold))
        ]
        values.append(forest_distance(forests[0], forests[1]))
    return min(values)


def comparison(case: Case) -> Comparison:
    """With the names as labels: an IRI is else called by its last part."""
    sides = ({**made, "labels": {name: name for name in named(made)}} for made in (case.learned, case.gold))
    return compared(*sides, case.mapping)


class TestByHand:
    def test_example_of_zhang_and_shasha(self) -> None:
        """Figure 4 of the paper: delete c, and insert it again above d."""
        score = ted(compared(tree("f:d,e d:a,c c:b"), tree("f:c,e c:d d:a,b")))
        assert score.value == 2
        assert score.counts == {
            "edits": 2,
            "learned_concepts": 6,
            "gold_concepts": 6,
            "learned_left_out": 0,
            "gold_left_out": 0,
        }

    @pytest.mark.parametrize(
        ("learned", "gold", "value"),
        [
            ("r:a,b a:c", "r:b,a a:c", 0),
            ("r:a,b", "r:a,b,c", 1),  # insert c
            ("r:m m:a,b,c", "r:a,b,c", 1),  # delete m, and its children go up
            ("r:a,b,c,d", "r:a,m,d m:b,c", 1),  # insert m above two neighbours
            ("r:a,b", "r:a,x", 1),  # rename b to x
            ("r:a,b a:c", "r:a,b b:c", 2),  # delete c, insert it below b
            ("r:a,b", "b:r r:a", 2),
            ("r:a,b", "s:x,y", 3),  # rename all
            ("r:a,b", "s:x x:y", 4),  # rename two, delete a leaf, insert one
            ("r:a", "s:b,c,d", 4),  # rename two, insert two
            ("r:v,u u:a v:b", "r:p,q p:a q:b", 2),  # unmatched ones come as what is below them: u and v are p and q
            ("r:a,b b:c,d c:e", "r:w,z w:x,y y:v", 5),  # by shape: a is z, b is w, c is y, whatever they are called
        ],
    )
    def test_values(self, learned: str, gold: str, value: float) -> None:
        assert edits(learned, gold) == value
        assert edits(gold, learned) == value
        share = ted(compared(tree(learned), tree(gold)), normalized=True)
        assert share.value == pytest.approx(value / (len(tree(learned)) + len(tree(gold)) + 2))
        assert share.counts["edits"] == value

    def test_only_matched_concepts_are_the_same(self) -> None:
        assert edits("r:a,b", "r:a,b", {"r": "r", "a": "a"}) == 1
        assert edits("r:a,b", "r:a,b", {}) == 3
        assert edits("r:a,b a:c", "s:x,y y:z", {"r": "s", "a": "y", "b": "x", "c": "z"}) == 0
        # c below b, and what is called b there is a: both leaves change their parents
        assert edits("r:a,b a:c", "r:a,b a:c", {"r": "r", "a": "b", "b": "a", "c": "c"}) == 2

    def test_of_several_parents_the_nearest_then_a_common_one_then_the_first_by_label(self) -> None:
        lattice = tree("r:a,b a:c b:c c:d r:d")  # c goes to a, d to r
        for other, value in (("r:a,b,d a:c", 0), ("r:a,b,d b:c", 2), ("r:a,b a:c c:d", 2)):
            score = ted(compared(lattice, tree(other)))
            assert score.value == value, other
            assert score.counts["learned_left_out"] == 2
            assert score.counts["gold_left_out"] == 0
        assert ted(compared(lattice, tree("r:b,d b:c"))).value == 1  # only b is common: c goes to b, and a is deleted

    def test_a_cycle_is_entered_where_it_is_nearest_to_the_root(self) -> None:
        ring = tree("r:a a:b b:c c:a")
        assert ted(compared(ring, tree("r:a a:b b:c"))).value == 0
        assert ted(compared(ring, tree("r:a a:c c:b"))).value == 2
        assert ted(compared([*ring, ("c", "r"), ("b", "b")], tree("r:a,c a:b"))).value == 0

    def test_what_was_hung_under_an_added_root_counts(self) -> None:
        both = tree("a:b c:d")
        assert ted(compared(both, both)).counts["learned_concepts"] == 5
        assert ted(compared(both, both)).value == 0
        assert ted(compared(both, tree("r:a,c a:b c:d"))).value == 1  # the added root is nobody's partner
        floating = compared({"edges": tree("r:a"), "concepts": ["b"], "root": "r"}, tree("r:a,b"))
        assert ted(floating).value == 0

    def test_without_a_root(self) -> None:
        apart = {"edges": tree("a:b c:d"), "root": "none"}
        assert ted(compared(apart, apart)).value == 0
        assert ted(compared(apart, apart)).counts["learned_concepts"] == 4
        assert ted(compared(apart, tree("a:b,c c:d"))).value == 2  # c below a: delete and insert
        assert ted(compared(apart, tree("r:a,c a:b c:d"))).value == 1  # insert r
        assert ted(compared(apart, {**apart, "root": "new"})).value == 1
        ring = {"edges": tree("a:b b:a a:c"), "root": "none"}  # both members of the cycle are tops
        assert ted(compared(ring, {"edges": tree("a:c"), "concepts": ["b"], "root": "none"})).value == 0

    def test_one_concept_each(self) -> None:
        one = {"edges": [], "concepts": ["a"]}
        assert ted(compared(one, one)).value == 0
        assert ted(compared(one, {"edges": [], "concepts": ["b"]})).value == 1
        assert ted(compared(one, one, root="none"), normalized=True).value == 0

    def test_the_order_of_trees_without_a_root_depends_on_their_shapes_alone(self) -> None:
        """The same two trees, first by name the larger or the smaller one: five concepts are renamed and none moves."""
        learned = {"edges": tree("a:b,c x:y"), "root": "none"}
        gold = {"edges": tree("a:b x:y,z"), "root": "none"}
        assert ted(compared(learned, gold, {})).value == 5

    def test_range_and_best_value(self) -> None:
        assert parse("TED").range == (0.0, math.inf)
        assert parse("TED(normalized=true)").range == (0.0, 1.0)
        assert parse("TED").best == parse("TED(normalized=true)").best == 0.0


class TestTwin:
    @given(cases())
    def test_it_agrees(self, case: Case) -> None:
        score = ted(comparison(case))
        assert score.value == twin_value(case)
        assert 0 <= score.value <= score.counts["learned_concepts"] + score.counts["gold_concepts"]

    @given(st.integers(0, 2**32))
    def test_it_agrees_on_trees_that_are_alike(self, seed: int) -> None:
        draw = random.Random(seed)
        names = [f"n{k}" for k in range(draw.randint(2, 9))]
        made = []
        for _ in range(2):
            own = draw.sample(names, len(names))
            made.append({"edges": [(c, draw.choice(own[: k + 1])) for k, c in enumerate(own[1:])], "concepts": own[:1]})
        mapping = one_to_one(sorted(names), sorted(names), draw.randint(0, len(names)), draw)
        case = Case({**made[0], "root": "auto"}, {**made[1], "root": "auto"}, mapping)
        assert ted(comparison(case)).value == twin_value(case)

    def test_the_twin_knows_the_example_of_the_paper(self) -> None:
        left = (("f", (("d", (("a", ()), ("c", (("b", ()),)))), ("e", ()))),)
        right = (("f", (("c", (("d", (("a", ()), ("b", ()))),)), ("e", ()))),)
        assert forest_distance(left, right) == 2
        assert forest_distance(left, ()) == 6


class TestProperties:
    @FEW
    @given(hierarchies(), picks())
    def test_0_if_and_only_if_the_trees_are_the_same(self, made: tuple[list[Any], list[str]], pick: int) -> None:
        arguments: dict[str, Any] = {"edges": made[0], "concepts": made[1]}
        arguments["root"] = root_of(arguments, pick)
        ontology = Ontology.from_edges(**arguments)
        assert ted(Comparison(ontology, ontology, match(ontology, ontology, by="iri"))).value == 0
        plain = oracle.twin(**arguments)
        names = sorted(plain.concepts - ({plain.root} if plain.root_added else set()))
        without = {name: name for name in names[1:]}
        assert ted(compared(arguments, arguments, without)).value >= 1

    @FEW
    @given(cases())
    def test_it_does_not_matter_which_side_is_learned(self, case: Case) -> None:
        assert ted(comparison(case)).value == ted(comparison(case.swapped)).value

    @example(seed=1)
    @given(seed=st.integers(0, 2**32))
    def test_triangle_inequality_where_all_have_the_same_concepts(self, seed: int) -> None:
        draw = random.Random(seed)
        names = [*"abcdefg"]
        one, two, three = (
            [(c, draw.choice(own[: k + 1])) for k, c in enumerate(own[1:])]
            for own in (draw.sample(names, 7) for _ in range(3))
        )
        direct = ted(compared(one, three)).value
        assert direct <= ted(compared(one, two)).value + ted(compared(two, three)).value

    def test_labels_decide_on_the_order_and_not_iris(self) -> None:
        """The same with IRIs in the opposite order."""
        values = []
        for prefix in (("n1", "n2", "n3"), ("n3", "n2", "n1")):
            iri = dict(zip("abc", prefix, strict=True))
            labels = {own: name for name, own in iri.items()}
            learned = [(iri["a"], "r"), (iri["b"], "r"), (iri["c"], "r")]
            gold = [(iri["a"], "r"), ("x", "r"), (iri["b"], "x"), (iri["c"], "x")]
            values.append(ted(compared({"edges": learned, "labels": labels}, {"edges": gold, "labels": labels})).value)
        assert values == [1, 1]


class TestLimits:
    @pytest.mark.parametrize("other", [10, pytest.param(100, marks=pytest.mark.slow)])
    def test_a_deep_chain(self, other: int) -> None:
        chain = [(f"c{k}", f"c{k - 1}") for k in range(1, 2_000)]
        before = sys.getrecursionlimit()
        assert ted(compared(chain, chain[: other - 1])).value == 2_000 - other
        assert ted(compared(chain[: other - 1], chain)).value == 2_000 - other
        assert sys.getrecursionlimit() == before

    @pytest.mark.parametrize("sizes", [(708, 707), (2_001, 2), (2, 2_001)])
    def test_beyond_a_size_it_says_so(self, sizes: tuple[int, int]) -> None:
        sides = [[(f"c{k}", "r") for k in range(1, size)] for size in sizes]
        score = ted(compared(*sides))
        assert math.isnan(score.value)
        assert score.undefined == (
            f"too many concepts: {sizes[0]:,} learned and {sizes[1]:,} gold; the limit is 2,000 on each side and "
            "500,000 pairs"
        )

    def test_the_definition_tells_the_limits(self) -> None:
        text = parse("TED").definition.definition
        assert f"{tree_edit.MAX_PAIRS:,}" in text
        assert f"{tree_edit.MAX_CONCEPTS:,}" in text

    def test_without_apted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "apted", None)
        with pytest.raises(MissingInputError) as caught:
            ted(compared(tree("r:a"), tree("r:a")))
        assert str(caught.value) == "TED needs apted. Run `pip install 'ontoeval-toolkit[tree]'`."

    def test_other_measures_need_no_apted(self) -> None:
        code = (
            "import sys; sys.modules['apted'] = None\nimport ontoeval as oe\no = oe.Ontology.from_edges([('a', 'r')])\n"
            "print(oe.evaluate(oe.Comparison(o, o), ['EdgeF'])['EdgeF'].value)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "1.0\n"


class TestSpanningTree:
    def test_parents_depths_and_children(self) -> None:
        hierarchy = oe.Ontology.from_edges(tree("r:a,b a:c b:c c:d b:d")).hierarchy
        ids = hierarchy.id
        rank = [0] * len(hierarchy)
        rank[ids("a")], rank[ids("b")] = 2, 1
        found = SpanningTree.of(hierarchy, long(rank))
        named = {hierarchy.iris[c]: hierarchy.iris[p] for c, p in enumerate(found.parent.tolist()) if p >= 0}
        assert named == {"a": "r", "b": "r", "c": "b", "d": "b"}
        assert found.parent[ids("r")] == -1
        assert [found.depth[ids(name)] for name in "rabcd"] == [0, 1, 1, 2, 2]
        tops, below = found.children([-c for c in range(len(hierarchy))])
        assert tops == [ids("r")]
        assert below[ids("b")] == sorted([ids("c"), ids("d")], reverse=True)
        values = [5.0] * len(hierarchy)
        values[ids("d")] = 1.0
        least = found.least_below(values)
        assert [least[ids(name)] for name in "rabcd"] == [1, 5, 1, 5, 1]

    def test_shapes_are_the_same_in_any_order_and_in_all_trees(self) -> None:
        trees = []
        for text in ("r:a,b a:c,d d:e", "s:y,x x:z,w z:v", "t:p,q"):
            hierarchy = oe.Ontology.from_edges(tree(text)).hierarchy
            trees.append((hierarchy, SpanningTree.of(hierarchy, long(range(len(hierarchy))))))
        found = [
            {hierarchy.iris[c]: number for c, number in enumerate(numbers)}
            for (hierarchy, _), numbers in zip(trees, shapes([own for _, own in trees]), strict=True)
        ]
        first, second, third = found
        assert [first[name] for name in "rabcde"] == [second[name] for name in "sxywzv"]
        assert first["e"] == first["b"] == third["p"] == 0
        assert len({first["e"], first["d"], first["a"], first["r"], third["t"]}) == 5


def test_trees_of_just_the_greatest_size_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    task = compared(tree("a:b,c"), tree("a:b"))
    monkeypatch.setattr(tree_edit, "MAX_CONCEPTS", 3)
    monkeypatch.setattr(tree_edit, "MAX_PAIRS", 6)
    assert ted(task).value == 1  # delete c
    monkeypatch.setattr(tree_edit, "MAX_PAIRS", 5)
    assert ted(task).undefined is not None
    monkeypatch.setattr(tree_edit, "MAX_PAIRS", 6)
    monkeypatch.setattr(tree_edit, "MAX_CONCEPTS", 2)
    assert ted(task).undefined is not None
