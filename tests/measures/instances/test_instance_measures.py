"""Hierarchies compared by their instances: against listed triples and pairs, properties, and what chance gives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
import twin_instances as twin
from helpers import near
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import hierarchies, picks, root_of, shuffles
from twin_instances import CHOICES, Case, Parameters, cases

from ontoeval import evaluate
from ontoeval.errors import MissingInputError
from ontoeval.measures import Measure, parse
from ontoeval.model import closure
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

Cells = Mapping[tuple[str, str], int]  # how many instances are on a learned and a gold node

NAMES = ("H_s", "H_a", "ITP", "ITR", "ITF", "OntoRand", "EOR")
FEW = settings(max_examples=max(6, settings.default.max_examples // 6))


@cache
def measure(spelled: str) -> Measure:
    return parse(spelled)


def spelled(name: str, parameters: Parameters, *, adjusted: bool = False) -> str:
    inside = ", ".join(f"{key}={value}" for key, value in {**parameters, "adjusted": str(adjusted).lower()}.items())
    return f"{name}({inside})"


def score(task: Comparison, name: str, parameters: Parameters | None = None, *, adjusted: bool = False) -> Score:
    return measure(spelled(name, parameters or {}, adjusted=adjusted))(task)


def choices(name: str) -> list[Parameters]:
    """All combinations of the parameters of a measure."""
    return [parameters for other, parameters in CHOICES if other == name]


def comparison(case: Case) -> Comparison:
    return Comparison(Ontology.from_edges(**case.learned), Ontology.from_edges(**case.gold))


def every_value(task: Comparison) -> dict[str, float | str]:
    """Of all measures by name, or the reason why there is none."""
    found: dict[str, float | str] = {}
    for (name, parameters), chance in product(CHOICES, (False, True)):
        made = score(task, name, parameters, adjusted=chance)
        found[spelled(name, parameters, adjusted=chance)] = made.undefined or made.value
    return found


def alike(expected: Mapping[str, float | str]) -> dict[str, Any]:
    return {key: value if isinstance(value, str) else near(value) for key, value in expected.items()}


# the twin itself


@FEW
@given(case=cases())
def test_closed_forms_of_the_expectation_are_means_over_all_permutations(case: Case) -> None:
    pair = case.pair
    for name, parameters in CHOICES:
        expected = None if name == "ITF" else twin.by_chance(pair, name, parameters)
        if expected is not None and len(pair.names) <= 5:
            listed = twin.listed_by_chance(pair, name, parameters)
            assert listed == expected if isinstance(expected, Fraction) else listed == near(expected)


# values


@pytest.mark.parametrize("name", NAMES)
@given(case=cases())
def test_values_are_those_of_the_twin_or_undefined_with_a_reason(name: str, case: Case) -> None:
    task, pair = comparison(case), case.pair
    for parameters in choices(name):
        for adjusted, way in ((False, twin.plain), (True, twin.adjusted)):
            found, expected = score(task, name, parameters, adjusted=adjusted), way(pair, name, parameters)
            if expected is None:
                assert math.isnan(found.value)
                assert found.undefined
            else:
                assert found.undefined is None
                assert found.value == near(expected), (parameters, adjusted)
                assert found.value <= 1.0
                assert adjusted or found.value >= 0.0


@pytest.mark.parametrize("name", ["H_s", "H_a", "OntoRand"])
@given(case=cases(strict=True))
def test_values_of_strict_assignments_are_those_of_the_twin(name: str, case: Case) -> None:
    task, pair = comparison(case), case.pair
    if not pair.names:
        return
    for parameters in choices(name):
        for adjusted, way in ((False, twin.plain), (True, twin.adjusted)):
            expected = way(pair, name, parameters)
            assert expected is not None
            assert score(task, name, parameters, adjusted=adjusted).value == near(expected), (parameters, adjusted)


def larger(kind: str, random: Random) -> dict[str, Any]:
    """A tree of up to thirty concepts with twenty instances, more edges, or more places for some instances."""
    names = [f"c{number}" for number in range(random.randint(5, 30))]
    reach = random.choice([2, 5, 30])  # the smaller, the deeper
    edges = [(name, names[random.randrange(max(0, k - reach), k)]) for k, name in enumerate(names[1:], 1)]
    if kind != "tree":
        edges += [(random.choice(names), random.choice(names)) for _ in range(random.randint(1, 6))]
    places = random.sample(names, min(len(names), random.choice([4, 12, 30])))
    several = [1, 1, 2, 3] if kind == "several" else [1]
    where = {f"i{k}": random.choices(places, k=random.choice(several)) for k in range(20) if random.random() < 0.9}
    return {"edges": edges, "root": random.choice(["c0", "new", "none"]), "instances": where}


@pytest.mark.parametrize("kinds", ["tree tree", "tree graph", "graph graph", "tree several", "several graph"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_values_of_more_instances_are_those_of_the_twin(kinds: str, seed: int) -> None:
    random = Random(f"{kinds} {seed}")
    learned, gold = (larger(kind, random) for kind in kinds.split())
    case = Case(learned, gold)
    task, pair = comparison(case), case.pair
    assert len(pair.names) > 9
    for name, parameters in CHOICES:
        for adjusted, way in ((False, twin.plain), (True, twin.adjusted)):
            found, expected = score(task, name, parameters, adjusted=adjusted), way(pair, name, parameters)
            assert (found.undefined is None) == (expected is not None)
            if expected is not None:
                assert found.value == near(expected), (name, parameters, adjusted)


@given(case=cases())
def test_local_values_are_those_of_the_twin_by_name(case: Case) -> None:
    task, pair = comparison(case), case.pair
    for name, both in (("ITP", pair), ("ITR", pair.swapped)):
        local = score(task, name).local
        if not pair.names:
            assert local is None or not len(local.ids)
            continue
        assert local is not None
        assert local.of == "instance"
        iris = task.unit_names["instance"][0]
        found = {iris[i]: value for i, value in zip(local.ids.tolist(), local.values.tolist(), strict=True)}
        assert found == {key: near(value) for key, value in twin.local_precision(both).items()}


@FEW
@given(case=cases())
def test_counts_say_which_instances_were_compared(case: Case) -> None:
    task, pair = comparison(case), case.pair
    expected = {"instances": len(pair.names), "only_learned": pair.only[0], "only_gold": pair.only[1]}
    for name, parameters in CHOICES:
        for adjusted in (False, True):
            counts = score(task, name, parameters, adjusted=adjusted).counts
            assert {key: counts[key] for key in expected} == expected, (name, parameters)


def test_parameters_that_are_named_first_are_the_defaults() -> None:
    assert parse("H_s") == parse("H_s(weight=w1, adjusted=false)")
    assert parse("H_a") == parse("H_a(weight=w1, detailed=learned, adjusted=false)")
    for name in ("ITP", "ITR", "ITF"):
        assert parse(name) == parse(f"{name}(adjusted=false)")
    for name in ("OntoRand", "EOR"):
        assert parse(name) == parse(f"{name}(delta=overlap, adjusted=false)")
    assert {parse(name).range for name in NAMES} == {(0.0, 1.0)}
    assert {parse(f"{name}(adjusted=true)").range for name in NAMES} == {(-math.inf, 1.0)}


# by hand


def tree(instances: Mapping[str, Any], *edges: str, root: str = "auto") -> Ontology:
    """Edges as "child parent"."""
    pairs: list[Any] = [edge.split() for edge in edges]
    return Ontology.from_edges(pairs, instances=instances, root=root)


FLAT = {"1": "a", "2": "a", "3": "b"}  # below root(a, b), only 3 is apart


def test_triples_weights_and_pairs_by_hand() -> None:
    gold = tree({"1": "a", "2": "a", "3": "b", "4": "c"}, "a r", "b r", "c a")
    learned = tree({"1": "a", "2": "b", "3": "b", "4": "c"}, "a r", "b r", "c a")
    task = Comparison(learned, gold)
    # gold, at r: i1 of 1, 2, 4, i2 another of them, i3 = 3: 6 triples, none at a (1, 2 sit on it: CA(1, 2) = CA(1, 4))
    # learned, at r: {1, 4} against 2, 3: i1, i2 of 1, 4 and i3 of 2, 3: 4; i1, i2 of 2, 3 and i3 of 1, 4: 4
    # in both: (1, 4, 3), (4, 1, 3)
    assert score(task, "H_s").value == near(Fraction(2 * 2, 8 + 6))
    assert score(task, "H_a").value == near(Fraction(2, 6))
    assert score(task, "H_a", {"detailed": "gold"}).value == near(Fraction(2, 8))
    # each has one splitting node, r
    assert score(task, "H_s", {"weight": "w2"}).value == near((Fraction(2, 8) + Fraction(2, 6)) / 2)
    # learned isc: 1: 1 4; 4: 1 4; 2: 2 3; 3: 2 3. Gold: 1, 2, 4 all with each other; 3 alone
    assert score(task, "ITP").value == near(Fraction(1 + 1) / 4 + (Fraction(1, 2) + Fraction(1, 2)) / 4)
    assert score(task, "ITR").value == near((Fraction(2, 3) + Fraction(2, 3) + Fraction(1, 3) + 1) / 4)
    # δ learned: 12 1/3, 13 1/3, 14 2/3, 23 1, 24 1/4, 34 1/4; gold: 12 1, 13 1/3, 14 2/3, 23 1/3, 24 2/3, 34 1/4
    assert score(task, "OntoRand").value == near(1 - (Fraction(2, 3) + Fraction(2, 3) + Fraction(5, 12)) / 6)
    # tree δ, l and h of 12: 2 0 | same; 23: same | 2 0; 24: 3 0 | 1 1
    step = math.exp(-0.3) * math.tanh(0.2)
    assert score(task, "EOR", {"delta": "tree"}).value == near(1 - (1 + 1 + step) / 6)


def test_expected_values_by_hand() -> None:
    # T of root(a(1, 2), b(3)) are 2 of 6 triples; of the 6 permutations 2 keep 3 apart
    gold, other = tree(FLAT, "a r", "b r"), tree({"1": "a", "2": "b", "3": "a"}, "a r", "b r")
    assert score(Comparison(other, gold), "H_s", adjusted=True).value == near(Fraction(-1, 3) / Fraction(2, 3))
    assert score(Comparison(gold, gold), "H_s", adjusted=True).value == 1.0
    # precision: 1 and 2 share 1 of 2 each, or all, and 3 all or (1 of 1): 1/3 * 1 + 2/3 * (1/2 + 1/2 + 1) / 3
    chance = Fraction(1, 3) + Fraction(2, 3) * Fraction(2, 3)
    assert score(Comparison(other, gold), "ITP", adjusted=True).value == near(
        (Fraction(2, 3) - chance) / (1 - chance)
    )  # fmt: skip
    # δ is 1 once and 1/3 twice: permutations agree for 1/3 of the cases, else two pairs differ by 2/3
    differ = Fraction(2, 3) * Fraction(4, 9)
    assert score(Comparison(other, gold), "OntoRand", adjusted=True).value == near(1 - Fraction(4, 9) / differ)


def test_without_a_root_nothing_in_common_is_as_if_a_root_were_above() -> None:
    floating = tree(FLAT, "a x", "b y", root="none")
    task = Comparison(floating, tree(FLAT, "a r", "b r"))
    assert score(task, "H_s").value == 1.0
    # overlap: 0 in place of 1/3 between 1 and 3, and 2 and 3
    assert score(task, "OntoRand").value == near(1 - Fraction(2, 9))
    assert score(task, "OntoRand", {"delta": "tree"}).value == 1.0  # the tanh of depth 0 is 0, too


def test_members_of_a_cycle_are_different_nodes_with_the_same_ancestors() -> None:
    # a and b are below each other and both hang under the new root; depth 1, one step apart: e^-0.3 tanh 0.2
    looped = tree({"1": "a", "2": "b"}, "a b", "b a", root="new")
    same = tree({"1": "a", "2": "a"}, "a r", root="r")
    task = Comparison(looped, same)
    assert score(task, "OntoRand").value == 1.0
    assert score(task, "OntoRand", {"delta": "tree"}).value == near(math.exp(-0.3) * math.tanh(0.2))
    assert score(task, "ITP").value == 1.0


def test_depth_without_a_root_begins_at_the_nearest_member_of_a_top() -> None:
    # the cycle a, b is the top; c hangs below b, d and e below c: both at depth 2, c at 1
    deep = tree({"1": "d", "2": "e"}, "a b", "b a", "c b", "d c", "e c", root="none")
    apart = tree({"1": "x", "2": "y"}, "x z", "y w", root="none")
    assert score(Comparison(deep, apart), "EOR", {"delta": "tree"}).value == near(
        1 - math.exp(-0.6) * math.tanh(0.2)
    )  # fmt: skip


def test_instances_of_one_side_only_are_left_out_even_from_what_is_strict() -> None:
    gold = tree(FLAT, "a r", "b r")
    learned = tree({**FLAT, "4": ["a", "b"], "5": "b"}, "a r", "b r")
    task = Comparison(learned, gold)
    for name, parameters in CHOICES:
        found = score(task, name, parameters)
        assert found.value == 1.0
        assert (found.counts["instances"], found.counts["only_learned"], found.counts["only_gold"]) == (3, 2, 0)


def test_repeated_places_are_one_and_strength_does_not_matter() -> None:
    edges = ["a r", "b r", "c a"]
    plain = tree({"1": "a", "2": "b", "3": "c"}, *edges)
    odd = tree({"1": {"a": 0.01}, "2": ["b", "b"], "3": {"c": 1.0}}, *edges)
    other = tree({"1": "b", "2": "b", "3": "a"}, *edges)
    assert every_value(Comparison(odd, other)) == every_value(Comparison(plain, other))
    several = tree({"1": {"a": 0.01, "b": 1.0}, "2": ["b"], "3": "c"}, *edges)
    even = tree({"1": ["a", "b"], "2": ["b"], "3": "c"}, *edges)
    assert every_value(Comparison(several, other)) == every_value(Comparison(even, other))


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_instances_have_no_triple(count: int) -> None:
    gold, other = tree(dict(list(FLAT.items())[:count]), "a r", "b r"), tree({"1": "b", "2": "r"}, "a r", "b r")
    task = Comparison(other, gold)
    for name, parameters in CHOICES:
        if count == 1 or name in ("H_s", "H_a"):
            for adjusted in (False, True):
                assert score(task, name, parameters, adjusted=adjusted).value == 1.0, (name, parameters)


def test_no_triple_on_one_side() -> None:
    flat, split = tree({"1": "r", "2": "r", "3": "b"}, "a r", "b r"), tree(FLAT, "a r", "b r")
    for weight in ("w1", "w2"):
        task = Comparison(flat, split)  # the learned side has none
        assert score(task, "H_s", {"weight": weight}).value == 0.0
        assert score(task, "H_a", {"weight": weight}).value == 0.0
        for adjusted in (False, True):
            reverse = {"weight": weight, "detailed": "gold"}
            assert score(task, "H_a", reverse, adjusted=adjusted).value == 1.0
            assert score(task.swapped, "H_a", {"weight": weight}, adjusted=adjusted).value == 1.0
            assert score(Comparison(flat, flat), "H_s", {"weight": weight}, adjusted=adjusted).value == 1.0


def test_f_of_adjusted_values_is_0_unless_both_are_above_0() -> None:
    gold, other = tree(FLAT, "a r", "b r"), tree({"1": "a", "2": "b", "3": "a"}, "a r", "b r")
    assert score(Comparison(other, gold), "ITP", adjusted=True).value < 0
    assert score(Comparison(other, gold), "ITF", adjusted=True).value == 0.0
    assert score(Comparison(gold, gold), "ITF", adjusted=True).value == 1.0


# undefined


def test_reason_of_an_undefined_value_can_be_read() -> None:
    strict, several = tree(FLAT, "a r", "b r"), tree({**FLAT, "3": ["a", "b"]}, "a r", "b r")
    apart, empty = tree({"9": "a"}, "a r", "b r"), tree({}, "a r", "b r")
    for name, parameters in CHOICES:
        for adjusted in (False, True):
            for task in (Comparison(strict, several), Comparison(several, strict)):
                reason = score(task, name, parameters, adjusted=adjusted).undefined
                if name in twin.STRICT_ONLY:
                    assert reason
                    assert "instance" in reason
                    assert "several" in reason or "one concept" in reason or "strict" in reason
                else:
                    assert reason is None
            for other in (apart, empty):
                for task in (Comparison(strict, other), Comparison(other, strict)):
                    reason = score(task, name, parameters, adjusted=adjusted).undefined
                    assert reason
                    assert "instance" in reason


def test_evaluation_of_a_side_without_instances_says_where_to_give_them() -> None:
    def made(name: str, instances: Mapping[str, str]) -> Ontology:
        return Ontology.from_edges([("a", "r"), ("b", "r")], instances=instances, name=name)

    sides = {"learned.ttl": 'instances="FILE"', "gold.ttl": 'gold_instances="FILE"'}
    for name in (*NAMES, "H_a(weight=w2)"):
        for missing, option in sides.items():
            learned, gold = (made(side, {} if side == missing else FLAT) for side in sides)
            with pytest.raises(MissingInputError) as caught:
                evaluate(Comparison(learned, gold), [name])
            assert str(caught.value) == (
                f"{name} needs instances in both ontologies; {missing} has none. Set {option}."
            )
        full = Comparison(made("learned.ttl", FLAT), made("gold.ttl", FLAT))
        assert evaluate(full, [name])[name].value == 1.0


# properties


def same_ontology(made: tuple[Any, Any], pick: int, seed: int, *, strict: bool) -> dict[str, Any]:
    """One hierarchy with one to seven instances."""
    arguments: dict[str, Any] = {"edges": made[0], "concepts": made[1]}
    arguments["root"] = root_of(arguments, pick)
    random = Random(seed)
    nodes = twin.places(arguments)
    arguments["instances"] = {
        name: random.choices(nodes, k=1 if strict else random.randint(1, 3))
        for name in twin.INSTANCES[: random.randint(1, 7)]
    }
    return arguments


@given(made=hierarchies(), pick=picks(), seed=st.integers(0, 2**16), strict=st.booleans())
def test_identical_ontologies_give_1(made: Any, pick: int, seed: int, strict: bool) -> None:
    arguments = same_ontology(made, pick, seed, strict=strict)
    task = Comparison(Ontology.from_edges(**arguments), Ontology.from_edges(**arguments))
    strictly = all(len(set(nodes)) == 1 for nodes in arguments["instances"].values())
    for name, parameters in CHOICES:
        for adjusted in (False, True):
            found = score(task, name, parameters, adjusted=adjusted)
            if strictly or name not in twin.STRICT_ONLY:
                assert found.value == near(1), (name, parameters, adjusted)
            else:
                assert found.undefined


def refined(made: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """New nodes on edges, and some of the instances of a node pushed down into new ones, again and again."""
    edges: list[tuple[str, str]] = []
    for number, (low, high) in enumerate(made["edges"]):
        new = f"on {number}"
        edges += [(low, new), (new, high)] if random.random() < 0.4 else [(low, high)]
    where = {name: next(iter(nodes)) for name, nodes in twin.placed(made).where.items()}
    for number in range(random.randint(0, 6)):
        node, new = random.choice(sorted(set(where.values())) or ["a"]), f"below {number}"
        pushed = [name for name, place in sorted(where.items()) if place == node and random.random() < 0.5]
        where.update(dict.fromkeys(pushed, new))
        edges += [(new, node)] if pushed else []
    return {**made, "edges": edges, "instances": where}


@given(case=cases(strict=True), random=shuffles())
def test_a_refinement_keeps_every_triple(case: Case, random: Random) -> None:
    task = comparison(Case(refined(case.gold, random), case.gold))
    if not case.gold["instances"]:
        assert score(task, "H_a").undefined
        return
    for weight in ("w1", "w2"):
        assert score(task, "H_a", {"weight": weight}).value == near(1)
        assert score(task.swapped, "H_a", {"weight": weight, "detailed": "gold"}).value == near(1)


@given(case=cases(strict=True))
def test_first_weighting_is_the_harmonic_mean_of_both_directions(case: Case) -> None:
    task = comparison(case)
    if not case.pair.names:
        return
    there, back = (score(task, "H_a", {"detailed": side}).value for side in ("learned", "gold"))
    assert score(task, "H_s").value == near(2 * there * back / (there + back) if there + back else 0)


TURNED = {"learned": "gold", "gold": "learned", "ITP": "ITR", "ITR": "ITP"}


@FEW
@given(case=cases())
def test_swapped_sides_turn_precision_into_recall_and_the_detailed_side(case: Case) -> None:
    task, fresh = comparison(case), comparison(case.swapped)
    for (name, parameters), adjusted in product(CHOICES, (False, True)):
        turned = {key: TURNED.get(value, value) for key, value in parameters.items()}
        there = score(task, name, parameters, adjusted=adjusted)
        for other in (fresh, task.swapped):
            back = score(other, TURNED.get(name, name), turned, adjusted=adjusted)
            assert (there.undefined is None) == (back.undefined is None)
            if there.undefined is None:
                assert back.value == near(there.value), (name, parameters, adjusted)


@given(case=cases())
def test_extended_onto_rand_is_onto_rand_where_that_is_defined(case: Case) -> None:
    task = comparison(case)
    for delta, adjusted in product(("overlap", "tree"), (False, True)):
        plain, extended = (score(task, name, {"delta": delta}, adjusted=adjusted) for name in ("OntoRand", "EOR"))
        if plain.undefined is None:
            assert extended.value == near(plain.value)


def renamed(made: Mapping[str, Any], nodes: Mapping[str, str], instances: Mapping[str, str]) -> dict[str, Any]:
    """Other names for concepts and instances."""

    def moved(target: Any) -> Any:
        if isinstance(target, str):
            return nodes[target]
        return type(target)(zip(map(nodes.__getitem__, target), target.values(), strict=True)) if isinstance(
            target, dict
        ) else [nodes[name] for name in target]  # fmt: skip

    return {
        "edges": [(nodes[low], nodes[high]) for low, high in made["edges"]],
        "concepts": [nodes[name] for name in made["concepts"]],
        "root": nodes.get(made["root"], made["root"]),
        "instances": {instances[name]: moved(target) for name, target in made["instances"].items()},
    }


def other_names(names: Sequence[str], random: Random) -> dict[str, str]:
    numbers = random.sample(range(len(names)), len(names))
    return {name: f"n:{number:03d}" for name, number in zip(names, numbers, strict=True)}


@FEW
@given(case=cases(), random=shuffles())
def test_names_of_concepts_and_instances_do_not_matter(case: Case, random: Random) -> None:
    expected = every_value(comparison(case))
    own, other = ({name: name for name in twin.INSTANCES}, other_names(twin.INSTANCES, random))
    for instances in (own, other):
        sides = [renamed(side, other_names(twin.places(side), random), instances) for side in (case.learned, case.gold)]
        found = every_value(comparison(Case(*sides)))
        if instances is other:  # a reason may name one
            found, expected = ({k: "no" if isinstance(v, str) else v for k, v in x.items()} for x in (found, expected))
        assert found == alike(expected)


def shuffled(made: Mapping[str, Any], random: Random) -> dict[str, Any]:
    edges = random.sample(made["edges"], len(made["edges"]))
    placed = random.sample(list(made["instances"].items()), len(made["instances"]))
    return {**made, "edges": edges + edges[:2], "instances": dict(placed)}


@FEW
@given(case=cases(), random=shuffles())
def test_order_does_not_matter(case: Case, random: Random) -> None:
    other = Case(shuffled(case.learned, random), shuffled(case.gold, random))
    assert every_value(comparison(other)) == every_value(comparison(case))


def test_a_hierarchy_too_deep_for_some_measures_leaves_the_others_defined(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of ten has 45 pairs of concept and ancestor; beside it a concept with two parents."""
    edges = [(f"c{n}", f"c{n - 1}") for n in range(1, 10)]
    instances = {f"i{n}": f"c{n}" for n in range(10)}
    learned = Ontology.from_edges([*edges, ("c9", "x"), ("x", "c0")], instances=instances)
    gold = Ontology.from_edges(edges, instances=instances)
    monkeypatch.setattr(closure, "MAX_PAIRS", 9)
    found = evaluate(Comparison(learned, gold), ["LP", *NAMES])
    assert found["LP"].value == pytest.approx(10 / 11)
    for name in NAMES:
        reason = found[name].undefined
        assert reason is not None
        assert reason.startswith("the hierarchy has at least ")
        assert "pairs of a concept and an ancestor; the limit is 9" in reason
        assert math.isnan(found[name].value)
        assert found[name].counts["instances"] == 10


def test_why_nothing_can_be_said_of_instances() -> None:
    """Without instances on a side, without a common one, and where common ones sit on several concepts."""
    edges = [("a", "r"), ("b", "r")]
    none, one, two, several = (
        Ontology.from_edges(edges, instances=placed)
        for placed in ({}, {"i": "a"}, {"k": "a", "j": "b"}, {"i": ["a", "b"], "k": ["a", "b"], "j": "a"})
    )
    for learned, gold, reason in (
        (none, one, "(memory) has no instances"),
        (one, none, "(memory) has no instances"),
        (one, two, "no instance is in both ontologies (e.g. learned: i; gold: j)"),
        (two, one, "no instance is in both ontologies (e.g. learned: j; gold: i)"),
    ):
        for name in ("H_s", "H_a", "ITP", "ITR", "OntoRand", "EOR"):
            assert parse(name)(Comparison(learned, gold)).undefined == reason, name
    for learned, gold, reason in (
        (several, one, "1 common instance belongs to several concepts (e.g. i). "),
        (one, several, "1 common instance belongs to several concepts (e.g. i). "),
        (several, several, "2 common instances belong to several concepts (e.g. i). "),
        (two, several, "1 common instance belongs to several concepts (e.g. k). "),
    ):
        for name in ("H_s", "H_a", "OntoRand"):
            assert str(parse(name)(Comparison(learned, gold)).undefined).startswith(reason), name
        for name in ("ITP", "EOR"):
            assert parse(name)(Comparison(learned, gold)).undefined is None, name
