"""Perturbations: small trees by hand, and what must hold for any hierarchy."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from helpers import edges
from hypothesis import given
from hypothesis import strategies as st
from strategies import ontologies, picks, root_of, shuffles

import ontoeval as oe
from ontoeval.edit.perturb import KINDS, STRUCTURAL, Perturbation, perturb
from ontoeval.edit.rebuild import Draft
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.model.hierarchy import Hierarchy

# r over a, b, c; a over a1, a2, a3; a1 over x and y; b over b1
TREE = [
    ("a", "r"), ("b", "r"), ("c", "r"), ("a1", "a"), ("a2", "a"), ("a3", "a"), ("x", "a1"), ("y", "a1"), ("b1", "b"),
]  # fmt: skip
PLACED = {f"i-{name}": name for name in ("r", "a", "a1", "a2", "x", "y", "b1")}
ALL = f"Use one of: {', '.join(KINDS)}."
TREE_NAMES = {name for edge in TREE for name in edge}
KEEPING_NAMES = (*STRUCTURAL, "remove-concepts")  # tests/edit/test_rename.py has the others


def tree(**more: Any) -> oe.Ontology:
    return oe.Ontology.from_edges(TREE, instances=PLACED, name="tree", **more)


def homes(ontology: oe.Ontology) -> dict[str, dict[str, float]]:
    """Instance -> concept -> strength."""
    if ontology.instances is None:
        return {}
    placed = ontology.instances.strength.tocoo()
    found: dict[str, dict[str, float]] = {}
    for row, concept, strength in zip(placed.row.tolist(), placed.col.tolist(), placed.data.tolist(), strict=True):
        found.setdefault(ontology.instances.iris[row], {})[ontology.hierarchy.iris[concept]] = strength
    return found


def strict(ontology: oe.Ontology) -> dict[str, str]:
    return {instance: next(iter(where)) for instance, where in homes(ontology).items() if len(where) == 1}


def labels(ontology: oe.Ontology) -> set[tuple[str, str, str, str]]:
    return {
        (iri, *entry)
        for concept, iri in enumerate(ontology.hierarchy.iris)
        for entry in ontology.lexicon.entries(concept)
    }


def message(error: pytest.ExceptionInfo[BaseException]) -> str:
    return str(error.value)


# cut-depth


def test_what_is_cut_off_leaves_its_instances_to_the_nearest_concept_above() -> None:
    cut = perturb(tree(), "cut-depth", 1)
    assert edges(cut) == {("a", "r"), ("b", "r"), ("c", "r")}
    up = {"a1": "a", "a2": "a", "x": "a", "y": "a", "b1": "b"}
    assert strict(cut) == {f"i-{name}": up.get(name, name) for name in ("r", "a", "a1", "a2", "x", "y", "b1")}


def test_at_depth_0_the_root_has_everything() -> None:
    cut = perturb(tree(), "cut-depth", 0)
    assert cut.hierarchy.iris == ("r",)
    assert set(strict(cut).values()) == {"r"}
    assert len(strict(cut)) == 7


@pytest.mark.parametrize("depth", [3, 4, 100])
def test_where_nothing_is_deeper_nothing_is_cut(depth: int) -> None:
    assert perturb(tree(), "cut-depth", depth).digest == tree().digest


def test_the_depth_is_that_of_the_shortest_way_and_a_deep_parent_is_skipped() -> None:
    # e is at depth 2 by b, though its other parent d is at depth 3
    made = oe.Ontology.from_edges(
        [("b", "r"), ("c", "b"), ("d", "c"), ("e", "b"), ("e", "d")], instances={"on d": "d", "on e": "e"}
    )
    cut = perturb(made, "cut-depth", 2)
    assert edges(cut) == {("b", "r"), ("c", "b"), ("e", "b"), ("e", "c")}
    assert strict(cut) == {"on d": "c", "on e": "e"}


def test_an_instance_goes_to_every_parent_with_the_strength_that_it_has() -> None:
    made = oe.Ontology.from_edges(
        [("a", "r"), ("b", "r"), ("x", "a"), ("x", "b")], instances={"i": {"x": 0.5, "a": 0.25}, "j": "x"}
    )
    assert homes(perturb(made, "cut-depth", 1)) == {"i": {"a": 0.5, "b": 0.5}, "j": {"a": 1.0, "b": 1.0}}


# insert-empty


def test_an_empty_concept_is_put_over_two_children() -> None:
    for seed in range(20):
        after = perturb(tree(), "insert-empty", 2, seed=seed)
        new = set(after.hierarchy.iris) - TREE_NAMES
        assert new == {"inserted-r", "inserted-a"}
        assert {("inserted-r", "r"), ("inserted-a", "a")} <= edges(after)
        moved = Counter(parent for _, parent in edges(after) if parent in new)
        assert moved == {"inserted-r": 2, "inserted-a": 2}
        back = {(c, p.removeprefix("inserted-")) for c, p in edges(after) if c not in new}
        assert back == set(TREE)
        assert strict(after) == PLACED


def test_every_pair_of_children_comes_up() -> None:
    pairs = {
        frozenset(
            child for child, parent in edges(perturb(tree(), "insert-empty", 2, seed=seed)) if parent == "inserted-a"
        )
        for seed in range(60)
    }
    assert pairs == {frozenset(pair) for pair in (("a1", "a2"), ("a1", "a3"), ("a2", "a3"))}


@pytest.mark.parametrize(
    ("parent", "new"),
    [
        ("http://ex.org/animal", "http://ex.org/inserted-animal"),
        ("http://ex.org/t#Part", "http://ex.org/t#inserted-Part"),
        ("http://ex.org/animal/", "http://ex.org/inserted-animal"),
        ("urn:ex:one", "urn:ex:inserted-one"),
        ("two words", "inserted-two words"),
    ],
)
def test_the_name_says_what_it_is_and_stays_in_the_namespace(parent: str, new: str) -> None:
    made = oe.Ontology.from_edges([(f"http://ex.org/{n}", parent) for n in range(3)])
    once = perturb(made, "insert-empty", 1)
    assert set(once.hierarchy.iris) - set(made.hierarchy.iris) == {new}
    assert once.lexicon.entries(once.hierarchy.id(new)).__next__().role == "name"


def test_a_name_that_is_taken_gets_a_number() -> None:
    made = oe.Ontology.from_edges([*((n, "p") for n in "abcd"), ("inserted-p", "a"), ("inserted-p-2", "a")])
    assert "inserted-p-3" in perturb(made, "insert-empty", 1).hierarchy


def test_below_an_added_root_the_children_give_the_namespace() -> None:
    made = oe.load_ontology(
        b"@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . "
        b":a a owl:Class . :b a owl:Class . :c a owl:Class ."
    )
    after = perturb(made, "insert-empty", 1)
    assert after.hierarchy.root_added
    assert after.hierarchy.iris[0] == "http://www.w3.org/2002/07/owl#Thing"
    assert {parent for _, parent in edges(after)} == {"http://ex.org/inserted-root"}
    assert len(edges(after)) == 2


def test_weights_go_along() -> None:
    made = oe.Ontology.from_edges([("a", "r", 2.0), ("b", "r", 3.0), ("c", "r", 4.0)], weights={"hierarchical": 5.0})
    after = perturb(made, "insert-empty", 1)
    above, iris = after.hierarchy.parents, after.hierarchy.iris
    weight = dict(zip([iris[t] for t in above.tails.tolist()], above.weights.tolist(), strict=True))
    assert weight == {"a": 2.0, "b": 3.0, "c": 4.0, "inserted-r": 5.0}


# remove-level


def test_children_and_instances_of_a_removed_concept_go_to_its_parent() -> None:
    after = perturb(tree(), "remove-level", 3, level=1)
    assert edges(after) == {("a1", "r"), ("a2", "r"), ("a3", "r"), ("b1", "r"), ("x", "a1"), ("y", "a1")}
    assert strict(after) == {**PLACED, "i-a": "r"}
    for seed in range(20):
        one = perturb(tree(), "remove-level:2", 1, seed=seed)
        gone = TREE_NAMES - set(one.hierarchy.iris)
        assert len(gone) == 1
        assert gone <= {"a1", "a2", "a3", "b1"}


def test_two_levels_that_are_parents_of_each_other_go_together() -> None:
    # m is on level 1 by r, and also below l, which is on level 1, too
    made = oe.Ontology.from_edges([("l", "r"), ("m", "r"), ("m", "l"), ("x", "m")], instances={"i": "m"})
    after = perturb(made, "remove-level", 2, level=1)
    assert edges(after) == {("x", "r")}
    assert strict(after) == {"i": "r"}


def test_below_an_added_root_instances_go_to_it_and_children_become_tops() -> None:
    made = oe.Ontology.from_edges([("x", "a"), ("y", "b")], instances={"i": "a", "j": "x"})
    after = perturb(made, "remove-level", 2, level=1)
    assert after.hierarchy.root_added
    assert set(after.hierarchy.iris) == {"(root)", "x", "y"}
    assert edges(after) == set()
    assert strict(after) == {"i": "(root)", "j": "x"}


def test_with_a_cycle_at_level_1() -> None:
    made = oe.Ontology.from_edges([("a", "r"), ("b", "a"), ("a", "b"), ("x", "b")], instances={"i": "a"})
    after = perturb(made, "remove-level", 1, level=1)  # a
    assert edges(after) == {("b", "r"), ("x", "b")}
    assert homes(after) == {"i": {"r": 1.0, "b": 1.0}}  # both are parents of a


# remove-concepts


def test_concepts_of_any_level_but_the_root_are_removed_and_leave_what_they_have_to_their_parents() -> None:
    removed = Counter[str]()
    for seed in range(300):
        after = perturb(tree(), "remove-concepts", 4, seed=seed)
        gone = TREE_NAMES - set(after.hierarchy.iris)
        assert len(gone) == 4
        removed.update(gone)
        up = dict(TREE)

        def kept(name: str, gone: set[str] = gone, up: dict[str, str] = up) -> str:
            return kept(up[name]) if name in gone else name

        assert edges(after) == {(child, kept(parent)) for child, parent in TREE if child not in gone}
        assert strict(after) == {instance: kept(name) for instance, name in PLACED.items()}
    assert set(removed) == TREE_NAMES - {"r"}
    assert max(removed.values()) < 2 * min(removed.values())  # 133 each are expected


def test_without_a_root_the_topmost_concepts_stay() -> None:
    made = oe.Ontology.from_edges([("a", "t"), ("b", "a"), ("c", "u")], root="none", instances={"i": "b", "j": "c"})
    after = perturb(made, "remove-concepts", "100%")
    assert set(after.hierarchy.iris) == {"t", "u"}
    assert strict(after) == {"i": "t", "j": "u"}


# move-instances


def test_instances_go_to_another_concept_that_is_not_the_root() -> None:
    seen: dict[str, set[str]] = {name: set() for name in PLACED}
    for seed in range(150):
        after = perturb(tree(), "move-instances", 3, seed=seed)
        moved = {name for name, where in strict(after).items() if where != PLACED[name]}
        assert len(moved) == 3
        for name in moved:
            seen[name].add(strict(after)[name])
        assert after.hierarchy is not None
        assert edges(after) == set(TREE)
    for name, where in seen.items():
        assert where == TREE_NAMES - {"r", PLACED[name]}


def test_an_instance_of_several_concepts_leaves_them_all_for_as_many_others() -> None:
    made = oe.Ontology.from_edges(
        [(name, "r") for name in "abcde"], instances={"i": {"a": 0.5, "b": 0.25}, "j": ["a", "b", "c", "d"]}
    )
    for seed in range(20):
        found = homes(perturb(made, "move-instances", 2, seed=seed))
        assert set(found["i"]) <= {"c", "d", "e"}
        assert sorted(found["i"].values()) == [0.25, 0.5]
        assert set(found["j"]) == {"e"}  # there is no other


def test_without_a_root_every_concept_will_do() -> None:
    made = oe.Ontology.from_edges([("a", "b")], root="none", instances={"i": "a", "j": "b"})
    assert strict(perturb(made, "move-instances", 2)) == {"i": "b", "j": "a"}


def test_what_sits_everywhere_cannot_move() -> None:
    made = oe.Ontology.from_edges([("a", "r"), ("b", "r")], instances={"i": ["a", "b"], "j": "r"}, name="all")
    assert homes(perturb(made, "move-instances", 1))["i"] == {"a": 1.0, "b": 1.0}
    with pytest.raises(ParameterError) as error:
        perturb(made, "move-instances", 2)
    assert message(error) == ("all: 2 is too many (instances that can be moved: 1). Use at most 1.")


# move-nodes


def test_a_concept_moves_without_its_children_and_with_its_instances() -> None:
    targets: dict[str, set[str]] = {}
    for seed in range(400):
        after = perturb(tree(), "move-nodes", 1, seed=seed)
        parent_of, before = dict(edges(after)), dict(TREE)
        assert len(edges(after)) == len(TREE)
        changed = {name for name in before if parent_of[name] != before[name]}
        mover = next(
            name
            for name in changed
            if {other for other in changed if other != name} == {c for c, p in TREE if p == name}
            and all(parent_of[c] == before[name] for c, p in TREE if p == name)
        )
        targets.setdefault(mover, set()).add(parent_of[mover])
        assert strict(after) == PLACED
    assert set(targets) == TREE_NAMES - {"r"}
    for name, found in targets.items():
        assert found <= TREE_NAMES - {name, dict(TREE)[name]}
    assert "r" in set.union(*targets.values())


def test_all_concepts_but_the_root_can_move() -> None:
    after = perturb(tree(), "move-nodes", 9)
    assert set(after.hierarchy.iris) == TREE_NAMES
    assert not after.hierarchy.cycles
    assert after.hierarchy.iris[0] == "r"


def test_below_an_added_root_a_concept_becomes_a_top() -> None:
    made = oe.Ontology.from_edges([("x", "a"), ("y", "b")])
    results = {frozenset(edges(perturb(made, "move-nodes", 1, seed=seed))) for seed in range(100)}
    assert frozenset({("y", "b")}) in results  # x went to the top
    for seed in range(100):
        assert perturb(made, "move-nodes", 1, seed=seed).hierarchy.root_added


# levels, amounts, errors


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ([("a", "r"), ("b", "a"), ("b", "r")], {"r": 0, "a": 1, "b": 1}),
        ([("a", "b"), ("b", "a"), ("c", "a")], {"a": 0, "b": 0, "c": 1}),
        ([("a", "b"), ("b", "a"), ("b", "t"), ("c", "a")], {"t": 0, "b": 1, "a": 2, "c": 3}),
    ],
)
def test_without_a_root_depth_is_counted_from_the_tops(made: list[Any], expected: dict[str, int]) -> None:
    hierarchy = Hierarchy.from_edges(made, root="none")
    assert dict(zip(hierarchy.iris, hierarchy.steps_down.tolist(), strict=True)) == expected


@pytest.mark.parametrize(
    ("kind", "share", "number"),
    [("move-nodes", "50%", 5), ("move-nodes", "5 %", 0), ("move-instances", "100%", 7), ("insert-empty", "50.0%", 1),
     ("remove-level:2", "37.5%", 2), ("remove-level:2", "4", 4)],
)  # fmt: skip
def test_a_share_is_rounded_half_up(kind: str, share: str, number: int) -> None:
    assert Perturbation.named(kind).number(tree(), share) == number
    assert perturb(tree(), kind, share).digest == perturb(tree(), kind, number).digest


@pytest.mark.parametrize(
    ("kind", "amount", "more", "said"),
    [
        ("cut", 1, {}, f"unknown kind of damage 'cut'. {ALL}"),
        ("move-node", 1, {}, f"unknown kind of damage 'move-node'. Did you mean 'move-nodes'? {ALL}"),
        ("remove-level", 1, {}, "remove-level needs a level. Use e.g. remove-level:3."),
        ("remove-level:x", 1, {}, "level must be a whole number >= 1, not 'x'. Use e.g. remove-level:3."),
        ("remove-level", 1, {"level": 0}, "level must be a whole number >= 1, not 0. Use e.g. remove-level:3."),
        ("remove-level:2", 1, {"level": 2},
         "two levels: 'remove-level:2' and 2. Remove one of them."),
        ("remove-level", 1, {"level": 4}, "tree: no concepts on level 4; the deepest level is 3. Use a level from 1 "
                                          "to 3."),
        ("move-nodes:3", 1, {}, "move-nodes takes no level, but 3 is set. Remove the level."),
        ("remove-level", 5, {"level": 2}, "tree: 5 is too many (concepts on level 2: 4). Use at most 4."),
        ("insert-empty", 3, {},
         "tree: 3 is too many (concepts with three or more children: 2). Use at most 2."),
        ("move-nodes", 10, {}, "tree: 10 is too many (concepts that can be moved: 9). Use at most 9."),
        ("move-instances", 8, {}, "tree: 8 is too many (instances that can be moved: 7). Use at most 7."),
        ("remove-concepts", 10, {},
         "tree: 10 is too many (concepts that can be removed: 9). Use at most 9."),
        ("rename-concepts", 10, {},
         "tree: 10 is too many (concepts that can be renamed: 9). Use at most 9."),
        ("rename-concepts:2", 1, {}, "rename-concepts takes no level, but 2 is set. Remove the level."),
        ("move-nodes", -1, {}, "-1 is not an amount. Use a whole number >= 0, or a percentage such as 10%."),
        ("move-nodes", "1.5", {}, "'1.5' is not an amount. Use a whole number >= 0, or a percentage such as 10%."),
        ("move-nodes", "101%", {}, "'101%' is not an amount. Use a whole number >= 0, or a percentage such as 10%."),
        ("move-nodes", True, {}, "True is not an amount. Use a whole number >= 0, or a percentage such as 10%."),
        ("cut-depth", "10%", {}, "cut-depth takes a whole number, not '10%'."),
        ("move-nodes", 1, {"seed": -1}, "seed must be a whole number >= 0, not -1."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(kind: str, amount: Any, more: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError) as error:
        perturb(tree(), kind, amount, **more)
    assert message(error) == said


def test_instances_that_are_not_there_cannot_move() -> None:
    with pytest.raises(MissingInputError) as error:
        perturb(oe.Ontology.from_edges(TREE), "move-instances", 1)
    assert message(error) == ('(memory): move-instances needs instances, but there are none. Set instances="FILE".')


@pytest.mark.parametrize(
    ("made", "kind", "amount", "said"),
    [
        ([("a", "r")], "insert-empty", 1,
         "(memory): no concepts with three or more children. Choose another kind of damage."),
        ([("a", "r")], "move-nodes", 1,
         "(memory): no concepts that can be moved. Choose another kind of damage."),
        ([("x", "a"), ("y", "b")], "cut-depth", 0,
         "(memory): only the added root would remain. Cut at depth 1 or deeper."),
    ],
)  # fmt: skip
def test_small_ontologies_have_little_to_change(made: list[Any], kind: str, amount: int, said: str) -> None:
    with pytest.raises(ParameterError) as error:
        perturb(oe.Ontology.from_edges(made), kind, amount)
    assert message(error) == said


def test_an_added_root_keeps_something_below_it() -> None:
    made = oe.Ontology.from_edges([], concepts=["a", "b", "c"], instances={"i": "a"})
    assert Perturbation("remove-level", 1).available(made) == 2
    with pytest.raises(ParameterError) as error:
        perturb(made, "remove-level:1", 3)
    assert message(error) == "(memory): only the added root would remain. Use at most 2."
    with pytest.raises(ParameterError) as error:
        perturb(made, "remove-concepts", 3)
    assert message(error) == "(memory): only the added root would remain. Use at most 2."
    with pytest.raises(ParameterError) as error:
        perturb(oe.Ontology.from_edges([], concepts=["a"]), "remove-concepts", 1)
    assert message(error) == "(memory): no concepts that can be removed. Choose another kind of damage."
    with pytest.raises(ParameterError) as error:
        perturb(oe.Ontology.from_edges([], concepts=["a"]), "remove-level:1", 1)
    assert message(error) == "(memory): no concepts on level 1; the deepest level is 0. Choose another kind of damage."


@pytest.mark.parametrize("name", ["auto", "new", "none"])
def test_a_root_with_the_name_of_a_choice_stays_the_root(name: str) -> None:
    made = oe.Ontology.from_edges([("a", name), ("b", name), ("c", name), ("d", "c")])
    for kind in ("insert-empty", "remove-level:1", "move-nodes", "remove-concepts", "rename-concepts"):
        after = perturb(made, kind, 1)
        assert (after.hierarchy.iris[0], after.hierarchy.root_added) == (name, False)


def test_the_source_says_what_was_done() -> None:
    assert perturb(tree(), "move-nodes", 2, seed=7).source.path == "tree (move-nodes 2, seed 7)"
    assert perturb(tree(), "remove-level:2", 4, seed=7).source.path == "tree (remove-level:2 4)"
    assert perturb(tree(), "cut-depth", 1).source.sha256 is None


def test_labels_counts_and_former_names_stay_with_the_concepts() -> None:
    made = tree(labels={"a": [("Baum", "de"), ("tree", "en")], "b": "b"}).with_counts({"a": 3.0, "b": 4.0})
    after = perturb(made, "remove-level:2", 4)
    assert labels(after) == {entry for entry in labels(made) if entry[0] in after.hierarchy}
    assert after.counts is not None
    assert dict(zip(after.hierarchy.iris, after.counts.tolist(), strict=True)) == {
        "r": 0.0, "a": 3.0, "b": 4.0, "c": 0.0, "x": 0.0, "y": 0.0,
    }  # fmt: skip
    assert perturb(made, "move-nodes", 3).counts is not None


# any hierarchy


def arguments(ontology: oe.Ontology, kind: str, pick: int) -> tuple[Perturbation, int] | None:
    """A perturbation that is possible, and an amount."""
    deepest = int(ontology.hierarchy.steps_down.max())
    if kind == "move-instances" and ontology.instances is None:
        return None
    if kind == "use-synonyms" or (kind == "remove-level" and not deepest):
        return None  # the strategies draw no labels
    how = Perturbation(kind, 1 + pick % deepest if kind == "remove-level" else None)
    least = int(kind == "cut-depth" and ontology.hierarchy.root_added)
    return how, max(least, pick % (how.available(ontology) + 1))


def made_of(made: Mapping[str, Any], pick: int) -> oe.Ontology:
    return oe.Ontology.from_edges(root=root_of(made, pick), **made)


def on_cycles(ontology: oe.Ontology) -> set[str]:
    """The concepts that are above themselves."""
    return {ontology.hierarchy.iris[c] for members in ontology.hierarchy.cycles if len(members) > 1 for c in members}


@given(made=ontologies(), pick=picks())
def test_taken_apart_and_put_together_it_is_the_same(made: dict[str, Any], pick: int) -> None:
    ontology = made_of(made, pick)
    assert Draft.of(ontology).build().digest == ontology.digest


@given(made=ontologies(), pick=picks(), kind=st.sampled_from(KEEPING_NAMES), seed=st.integers(0, 3))
def test_every_perturbation_keeps_what_it_should(made: dict[str, Any], pick: int, kind: str, seed: int) -> None:
    ontology = made_of(made, pick)
    chosen = arguments(ontology, kind, pick)
    if chosen is None:
        return
    how, amount = chosen
    digest = oe.Ontology.from_edges(root=root_of(made, pick), **made).digest
    after = perturb(ontology, how, amount, seed=seed)
    assert Draft.of(ontology).build().digest == digest  # the argument is what it was
    before_root, after_root = ontology.hierarchy, after.hierarchy
    assert (after_root.has_root, after_root.root_added) == (before_root.has_root, before_root.root_added)
    if before_root.has_root:
        assert after_root.iris[0] == before_root.iris[0]
    assert set(homes(after)) == set(homes(ontology))
    fresh = set(after_root.iris) - set(before_root.iris)
    assert len(fresh) == (amount if kind == "insert-empty" else 0)
    gone = len(before_root) - len(after_root) + len(fresh)
    assert kind == "cut-depth" or gone == (amount if kind.startswith("remove-") else 0)
    assert on_cycles(after) - fresh <= on_cycles(ontology)
    kept = set(after_root.iris)
    assert {entry for entry in labels(after) if entry[0] not in fresh} == {e for e in labels(ontology) if e[0] in kept}
    if kind in ("insert-empty", "move-nodes"):
        assert homes(after) == homes(ontology)
    if kind == "move-instances":
        moved = [name for name, where in homes(after).items() if where != homes(ontology)[name]]
        assert len(moved) == amount
        assert edges(after) == edges(ontology)
    if not amount and kind != "cut-depth":
        assert after.digest == ontology.digest


@given(made=ontologies(), pick=picks(), kind=st.sampled_from(KINDS), shuffle=shuffles())
def test_the_order_of_the_input_does_not_matter(
    made: dict[str, Any], pick: int, kind: str, shuffle: random.Random
) -> None:
    ontology = made_of(made, pick)
    chosen = arguments(ontology, kind, pick)
    if chosen is None:
        return
    other: dict[str, Any] = dict(made)
    for key in ("edges", "concepts", "related", "synonyms", "equivalent"):
        other[key] = shuffle.sample(made[key], len(made[key]))
    other["instances"] = dict(shuffle.sample(list(made["instances"].items()), len(made["instances"])))
    again = oe.Ontology.from_edges(root=root_of(made, pick), **other)
    assert perturb(again, *chosen, seed=5).digest == perturb(ontology, *chosen, seed=5).digest


def parents_of(ontology: oe.Ontology) -> dict[str, set[str]]:
    hierarchy = ontology.hierarchy
    return {
        iri: {hierarchy.iris[parent] for parent in hierarchy.parents[concept].tolist()}
        for concept, iri in enumerate(hierarchy.iris)
    }


def kept_above(name: str, parents: Mapping[str, Iterable[str]], kept: set[str]) -> set[str]:
    """The kept concepts that are reached from one that is gone, over others that are gone."""
    seen, waiting, found = {name}, [name], set()
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent in kept:
                found.add(parent)
            elif parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    return found


@given(made=ontologies(), pick=picks(), kind=st.sampled_from(["cut-depth", "remove-level", "remove-concepts"]))
def test_removal_does_what_its_definition_says(made: dict[str, Any], pick: int, kind: str) -> None:
    ontology = made_of(made, pick)
    chosen = arguments(ontology, kind, pick)
    if chosen is None:
        return
    after = perturb(ontology, *chosen)
    kept, parents = set(after.hierarchy.iris), parents_of(ontology)
    if kind == "cut-depth":
        depth = dict(zip(ontology.hierarchy.iris, ontology.hierarchy.steps_down.tolist(), strict=True))
        assert kept == {name for name in parents if depth[name] <= chosen[1]}
    expected = {
        (name, above)
        for name in kept
        for parent in parents[name]
        for above in ({parent} if parent in kept else kept_above(parent, parents, kept))
        if above != name
    }
    root = ontology.hierarchy.iris[0]
    hung = {ontology.hierarchy.iris[concept] for concept in ontology.hierarchy.attached.tolist()}
    if ontology.hierarchy.has_root:  # edges to the root that the file does not have
        ours = {edge for edge in expected if edge[1] == root and (ontology.hierarchy.root_added or edge[0] in hung)}
        expected -= ours
    assert edges(after) == expected
    for instance, where in homes(ontology).items():
        found: dict[str, float] = {}
        for name, strength in where.items():
            for above in {name} if name in kept else kept_above(name, parents, kept):
                found[above] = max(strength, found.get(above, 0.0))
        assert homes(after)[instance] == found


@given(made=ontologies(), pick=picks(), seed=st.integers(0, 3))
def test_a_greater_amount_does_the_same_and_more(made: dict[str, Any], pick: int, seed: int) -> None:
    ontology = made_of(made, pick)
    for kind in ("insert-empty", "remove-level", "remove-concepts", "move-instances"):
        chosen = arguments(ontology, kind, pick)
        if chosen is None:
            continue
        how, amount = chosen
        if amount == how.available(ontology):
            continue
        less, more = perturb(ontology, how, amount, seed=seed), perturb(ontology, how, amount + 1, seed=seed)
        if kind == "insert-empty":
            assert set(less.hierarchy.iris) < set(more.hierarchy.iris)
        elif kind.startswith("remove-"):
            assert set(more.hierarchy.iris) < set(less.hierarchy.iris)
        else:
            moved = [
                {(name, *sorted(where)) for name, where in homes(after).items() if where != homes(ontology)[name]}
                for after in (less, more)
            ]
            assert moved[0] < moved[1]
