"""What every registered measure promises: its best value, its range, its symmetry, and that only the content counts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from helpers import comparison, near
from hypothesis import given, settings
from scipy.sparse import csr_array
from strategies import hierarchies, picks, root_of, shuffles
from twin_compare import Case, cases, named

from ontoeval.errors import ParameterError
from ontoeval.measures import Definition, Measure, all_measures, parse
from ontoeval.measures.registry import DIMENSIONS, Parameter
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.concept_pairs import ConceptPairs
from ontoeval.tasks.extraction import Extraction

DEFINITIONS = [definition for definition in all_measures() if definition.task is Comparison]
each_measure = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: definition.name)
# what a measure says of itself does not depend on its task; values between concepts are in test_concept_twins.py,
# those of annotations in test_extraction.py
every_measure = pytest.mark.parametrize("definition", all_measures(), ids=lambda definition: definition.name)
FEW = settings(max_examples=max(6, settings.default.max_examples // 6))


def suited(definition: Definition, case: Case) -> Case:
    """With instances on both sides for a measure that needs them: as many as concepts, most of them in both.

    An instance is mostly on partners; in every third case (by size) some are on several concepts.
    """
    if "relations" in definition.needs:
        return with_relations(case)
    if "instances" not in definition.needs:
        return case
    sides = named(case.learned), named(case.gold)
    random = Random(repr((sides, sorted(case.mapping.items()))))
    several = (len(sides[0]) + len(sides[1])) % 3 == 0
    placed: list[dict[str, list[str]]] = [{}, {}]
    for number in range(3 + max(map(len, sides))):
        learned = random.choice(sides[0])
        gold = case.mapping.get(learned, sides[1][0]) if random.random() < 0.6 else random.choice(sides[1])
        for side, nodes, first in zip(placed, sides, (learned, gold), strict=True):
            if random.random() < 0.9:
                more = random.choices(nodes, k=random.randint(0, 2)) if several else []
                side[f"instance {number}"] = [first, *more]
    made = [{**side, "instances": where} for side, where in zip((case.learned, case.gold), placed, strict=True)]
    return Case(made[0], made[1], case.mapping)


def with_relations(case: Case) -> Case:
    """With relations by p on both sides, most of them in both; p is a property of either side in any case."""
    sides = named(case.learned), named(case.gold)
    random = Random(repr((sides, sorted(case.mapping.items()))))
    relations: list[list[tuple[str, str, str]]] = [[("p", "domain", side[0])] for side in sides]
    for _ in range(max(map(len, sides))):
        ends = random.choice(sides[0]), random.choice(sides[0])
        others = [
            case.mapping.get(end, sides[1][0]) if random.random() < 0.8 else random.choice(sides[1]) for end in ends
        ]
        relations[0].append((ends[0], random.choice("pq"), ends[1]))
        relations[1].append((others[0], random.choice("pq"), others[1]))
    made = [{**side, "relations": rows} for side, rows in zip((case.learned, case.gold), relations, strict=True)]
    return Case(made[0], made[1], case.mapping)


def chosen(parameter: Parameter, random: Random) -> Any:
    """Any allowed value."""
    ways = [*parameter.choices, *parameter.kinds]
    way = random.choice(ways)
    if way is float:
        return random.choice([0.0, 1.0, round(random.random(), 3)])
    if way is str:
        return "p"  # a property
    if way is Measure:
        return random.choice(["BDM", "LA", "Flat", "Rada(edges=all)", "Lin(ic=sanchez)"])
    return random.randint(0, 3) if way is int else way


def measures(definition: Definition, random: Random) -> Iterator[Measure]:
    """As the name alone says, and with some allowed combination of parameters."""
    yield parse(definition.name)
    while definition.open:
        given = {parameter.name: chosen(parameter, random) for parameter in definition.open}
        try:
            yield parse(definition.name, **given)
        except ParameterError:  # not every combination is defined
            continue
        return


def same(found: Score, expected: Score) -> bool:
    """Value, counts and reason."""
    if expected.undefined is not None:
        return found.undefined == expected.undefined and math.isnan(found.value)
    return found.undefined is None and found.value == near(expected.value) and dict(found.counts) == near(
        dict(expected.counts)
    )  # fmt: skip


def told(score: Score) -> tuple[Any, ...]:
    """All of a score, for exact comparison."""
    local = score.local
    arrays = () if local is None else (local.ids.tolist(), local.values.tolist())
    weights = None if local is None or local.weights is None else local.weights.tolist()
    return repr(score.value), score.undefined, dict(score.counts), arrays, weights, tuple(map(told, score.parts))


def test_all_measures_are_registered_once_for_a_task_that_is_tested_here() -> None:
    names = [definition.name for definition in all_measures()]
    assert len(names) == len(set(names))
    assert {definition.task for definition in all_measures()} == {Comparison, ConceptPairs, Extraction}


# what it says of itself


@every_measure
def test_a_measure_has_a_source_a_label_a_definition_and_a_dimension(definition: Definition) -> None:
    assert re.search(r"\w{3}", definition.source)
    assert re.match(r"[A-Z][\w'-]+", definition.label)
    assert not definition.label.rstrip(")").endswith(".")
    assert re.search(r"\w+ \w+|=", definition.definition)
    assert definition.dimension in DIMENSIONS


@every_measure
def test_a_name_can_stand_in_an_iri_and_comes_back_from_the_grammar(definition: Definition) -> None:
    assert quote(definition.name, safe="") == definition.name
    assert re.fullmatch(r"[A-Za-z]\w*", definition.name, re.ASCII)
    assert parse(definition.name).parameters == definition.defaults


@every_measure
def test_the_best_value_is_an_end_of_the_range(definition: Definition) -> None:
    low, high = definition.range
    assert low < high
    assert definition.best in (None, low, high)
    assert not (definition.identity and definition.best is None)


@every_measure
@FEW
@given(random=shuffles())
def test_a_measure_with_parameters_is_spelled_so_that_it_can_be_read_back(
    definition: Definition, random: Random
) -> None:
    for measure in measures(definition, random):
        assert parse(str(measure)) == measure


# values


@pytest.mark.parametrize("definition", [d for d in DEFINITIONS if d.identity], ids=lambda definition: definition.name)
@FEW
@given(made=hierarchies(), pick=picks(), random=shuffles())
def test_an_ontology_against_itself_has_the_best_value(
    definition: Definition, made: tuple[Any, Any], pick: int, random: Random
) -> None:
    arguments = {"edges": made[0], "concepts": made[1]}
    arguments["root"] = root_of(arguments, pick)
    if "instances" in definition.needs:
        nodes = named(arguments)
        arguments["instances"] = {f"instance {number}": random.choice(nodes) for number in range(random.randint(1, 8))}
    once, again = Ontology.from_edges(**arguments), Ontology.from_edges(**arguments)
    for measure in measures(definition, random):
        for task in (Comparison(once, once), Comparison(once, again)):
            score = measure(task)
            assert score.undefined is None
            assert score.value == near(float(str(measure.best))), measure


@each_measure
@FEW
@given(case=cases(), random=shuffles())
def test_values_lie_in_the_range_or_are_undefined_with_a_reason(
    definition: Definition, case: Case, random: Random
) -> None:
    task = comparison(suited(definition, case))
    for measure in measures(definition, random):
        low, high = measure.range
        score = measure(task)
        assert isinstance(score.value, float)
        if score.undefined is None:
            assert low <= score.value <= high, measure
            assert math.isfinite(score.value)
        else:
            assert math.isnan(score.value)
            assert re.search(r"\w+ \w+", score.undefined)


@each_measure
@FEW
@given(case=cases(), random=shuffles())
def test_counts_are_finite_numbers_not_below_0(definition: Definition, case: Case, random: Random) -> None:
    task = comparison(suited(definition, case))
    for measure in measures(definition, random):
        for name, count in measure(task).counts.items():
            assert re.fullmatch(r"[a-z_]+", name)
            assert math.isfinite(count), (measure, name)
            assert count >= 0, (measure, name)


@each_measure
@FEW
@given(case=cases(), random=shuffles())
def test_a_score_is_the_mean_of_its_local_values_or_made_of_its_parts(
    definition: Definition, case: Case, random: Random
) -> None:
    task = comparison(suited(definition, case))
    sizes = {of: len(names) for of, (names, *_) in task.unit_names.items()}
    assert (sizes["learned"], sizes["gold"]) == (len(task.learned.hierarchy), len(task.gold.hierarchy))
    for measure in measures(definition, random):
        score = measure(task)
        for part in (score, *score.parts):
            assert bool(part.parts) == (part.combine is not None)
            if part.combine is not None:
                assert part.value == near(float(part.combine(*(inner.value for inner in part.parts))))
            local = part.local
            if local is None:
                continue
            ids = local.ids.tolist()
            assert len(set(ids)) == len(ids) == len(local.values)
            assert set(ids) <= set(range(sizes[local.of]))
            weights = np.ones(len(ids)) if local.weights is None else local.weights
            assert len(weights) == len(ids)
            if weights.sum():
                assert part.value == near(float(np.average(local.values, weights=weights))), measure


# symmetry


@pytest.mark.parametrize("definition", [d for d in DEFINITIONS if d.symmetric], ids=lambda definition: definition.name)
@FEW
@given(case=cases(), random=shuffles())
def test_symmetric_measures_do_not_change_when_the_sides_are_swapped(
    definition: Definition, case: Case, random: Random
) -> None:
    case = suited(definition, case)
    task = comparison(case)
    for measure in measures(definition, random):
        score = measure(task)
        for other in (task.swapped, comparison(case.swapped)):
            swapped = measure(other)
            assert (swapped.undefined is None) == (score.undefined is None)
            if score.undefined is None:
                assert swapped.value == near(score.value), measure


HAND_MADE = [
    # part of it
    ([("b", "r"), ("c", "r")], [("b", "r"), ("c", "r"), ("d", "c"), ("e", "c"), ("f", "d"), ("f", "b")]),
    # a chain, and the same concepts flat
    ([("b", "r"), ("c", "b"), ("d", "c")], [("b", "r"), ("c", "r"), ("d", "r")]),
    # a loop, and two floating parts
    ([("a", "a"), ("b", "a")], [("b", "a"), ("c", "a"), ("z", "y")]),
    # similar labels
    ([("bike", "vehicle"), ("bikes", "vehicle")], [("bike", "vehicle"), ("car", "vehicle"), ("van", "vehicles")]),
    # below another concept, which is more like the right one on one side
    (
        [("x", "r"), ("a", "x"), ("b", "x"), ("c", "a"), ("d", "c")],
        [("x", "r"), ("a", "x"), ("b", "x"), ("c", "b"), ("e", "b"), ("f", "b"), ("g", "x")],
    ),
]


def every_choice(definition: Definition) -> Iterator[Measure]:
    """All combinations of fixed words that are defined, and with similarities, one of them not symmetric."""
    choices = {p.name: [*p.choices, *(["WP", "LA"] if Measure in p.kinds else [])] for p in definition.open}
    names = [name for name, words in choices.items() if words]
    for values in product(*(choices[name] for name in names)):
        try:
            yield parse(definition.name, **dict(zip(names, values, strict=True)))
        except ParameterError:
            continue


@pytest.mark.parametrize(
    "definition", [d for d in DEFINITIONS if not d.symmetric], ids=lambda definition: definition.name
)
def test_measures_that_are_not_symmetric_differ_somewhere_when_the_sides_are_swapped(definition: Definition) -> None:
    tasks = []
    for one, two in HAND_MADE:
        case = Case({"edges": one, "concepts": []}, {"edges": two, "concepts": []}, {})
        made = suited(definition, case)
        tasks.append(Comparison(Ontology.from_edges(**made.learned), Ontology.from_edges(**made.gold)))
    pairs = [
        (measure(task).value, measure(task.swapped).value) for task in tasks for measure in every_choice(definition)
    ]
    assert any(abs(there - back) > 0.01 for there, back in pairs)


# only the content counts


def shuffled(made: Mapping[str, Any], random: Random) -> dict[str, Any]:
    edges = random.sample(made["edges"], len(made["edges"]))
    repeated = edges + random.sample(edges, len(edges) // 3)
    concepts = random.sample(made["concepts"], len(made["concepts"]))
    placed = list(made.get("instances", {}).items())
    where = {name: [*nodes[::-1], nodes[0]] for name, nodes in random.sample(placed, len(placed))}
    rows = random.sample(made.get("relations", []), len(made.get("relations", [])))
    rows += rows[: len(rows) // 3]
    return {**made, "edges": repeated, "concepts": concepts, "instances": where, "relations": rows}


@each_measure
@FEW
@given(case=cases(), random=shuffles())
def test_neither_order_nor_repetition_changes_anything(definition: Definition, case: Case, random: Random) -> None:
    case = suited(definition, case)
    pairs = random.sample(list(case.mapping.items()), len(case.mapping))
    other = Case(shuffled(case.learned, random), shuffled(case.gold, random), dict(pairs))
    task, again = comparison(case), comparison(other)
    for measure in measures(definition, random):
        assert told(measure(again)) == told(measure(task)), measure


def renamed(made: Mapping[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    """Other names for the concepts, the old names as labels."""
    return {
        "edges": [tuple(new[end] for end in edge) for edge in made["edges"]],
        "concepts": [new[name] for name in made["concepts"]],
        "root": new.get(made["root"], made["root"]),
        "labels": {new[name]: name for name in named(made)},
        "instances": {
            name: [new[concept] for concept in concepts] for name, concepts in made.get("instances", {}).items()
        },
        "relations": [(new.get(s, s), p, new.get(o, o)) for s, p, o in made.get("relations", [])],
    }


@each_measure
@FEW
@given(case=cases(), random=shuffles())
def test_other_names_change_nothing_while_the_labels_stay(definition: Definition, case: Case, random: Random) -> None:
    case = suited(definition, case)
    names = sorted({*named(case.learned), *named(case.gold)})
    numbers = random.sample(range(len(names)), len(names))
    tasks = []
    for new in (
        {name: name for name in names},
        {name: f"n:{place:03d}" for place, name in enumerate(names)},  # in the same order
        {name: f"n:{place:03d}" for place, name in zip(numbers, names, strict=True)},  # in any order
    ):
        mapping = {new[a]: new[b] for a, b in case.mapping.items()}
        tasks.append(comparison(Case(renamed(case.learned, new), renamed(case.gold, new), mapping)))
    for measure in measures(definition, random):
        expected = measure(tasks[0])
        assert same(measure(tasks[1]), expected), measure
        assert same(measure(tasks[2]), expected), measure


# nothing is changed


def arrays(thing: Any, seen: set[int]) -> Iterator[np.ndarray[Any, Any]]:
    """Every array that a task holds, behind whatever attributes."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, csr_array):
        yield from (thing.data, thing.indices, thing.indptr)
    elif isinstance(thing, (list, tuple)):
        for item in thing:
            yield from arrays(item, seen)
    elif type(thing).__module__.startswith("ontoeval."):
        for field in getattr(thing, "__dataclass_fields__", ()):
            yield from arrays(getattr(thing, field), seen)


@each_measure
@FEW
@given(case=cases(), random=shuffles())
def test_measuring_leaves_the_ontologies_and_the_matching_as_they_were(
    definition: Definition, case: Case, random: Random
) -> None:
    task = comparison(suited(definition, case))
    inputs = (task.learned, task.gold, task.matching)
    before = [array.copy() for array in arrays(inputs, set())]
    assert len(before) > 20
    first = [told(measure(task)) for measure in measures(definition, Random(7))]
    after = list(arrays(inputs, set()))
    assert not any(array.flags.writeable for array in after)
    assert all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(before, after, strict=True))
    assert [told(measure(task)) for measure in measures(definition, Random(7))] == first
