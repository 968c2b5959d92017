"""Ontologies of plain strings and of networkx graphs: what each argument means."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import every_name, ontologies, picks, root_of, shuffles

from ontoeval.errors import HierarchyError, ParameterError, UnknownConceptError
from ontoeval.model.arrays import Adjacency
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.ontology import Ontology, Source

EXAMPLE = [("van", "car"), ("coupé", "car"), ("car", "vehicle"), ("bike", "vehicle")]


# keyword arguments of Ontology.from_edges
ROOTED = st.builds(lambda made, pick: {**made, "root": root_of(made, pick)}, ontologies(), picks())


def named(hierarchy: Hierarchy, adjacency: Adjacency) -> dict[tuple[str, str], float]:
    name = hierarchy.iris
    triples = zip(adjacency.tails.tolist(), adjacency.indices.tolist(), adjacency.weights.tolist(), strict=True)
    return {(name[tail], name[head]): weight for tail, head, weight in triples}


def state(ontology: Ontology) -> dict[str, Any]:
    """Everything that measures could see, as plain values."""
    hierarchy, lexicon, instances = ontology.hierarchy, ontology.lexicon, ontology.instances
    result: dict[str, Any] = {"iris": hierarchy.iris, "root": (hierarchy.has_root, hierarchy.root_added)}
    for kind in ("parents", "children", "related", "synonyms"):
        for column in ("indptr", "indices", "weights"):
            result[f"{kind}.{column}"] = getattr(getattr(hierarchy, kind), column).tolist()
    for key in ("attached", "self_edges", "first"):
        result[key] = getattr(hierarchy, key).tolist()
    result["labels"] = [list(lexicon.entries(concept)) for concept in range(len(hierarchy))]
    result["instances"] = None if instances is None else (instances.iris, instances.strength.toarray().tolist())
    return result


# from_edges


@given(ROOTED)
def test_every_argument_means_what_the_twin_says(made: dict[str, Any]) -> None:
    hierarchy, twin = Ontology.from_edges(**made).hierarchy, oracle.twin(**made)
    assert set(hierarchy.iris) == twin.concepts
    assert named(hierarchy, hierarchy.parents) == twin.edges
    assert named(hierarchy, hierarchy.related) == twin.related
    assert named(hierarchy, hierarchy.synonyms) == twin.synonyms
    assert {hierarchy.iris[c] for c in hierarchy.attached} == twin.attached
    assert {hierarchy.iris[c] for c in hierarchy.self_edges} == twin.self_edges
    assert (hierarchy.iris[0] if hierarchy.has_root else None) == twin.root


@given(ROOTED, shuffles())
def test_order_of_the_arguments_changes_nothing(made: dict[str, Any], shuffle: random.Random) -> None:
    turned = dict(made)
    for kind in ("edges", "concepts", "related", "synonyms", "equivalent"):
        turned[kind] = shuffle.sample(made[kind], len(made[kind]))
    turned["instances"] = dict(shuffle.sample(list(made["instances"].items()), len(made["instances"])))
    assert state(Ontology.from_edges(**turned)) == state(Ontology.from_edges(**made))


@given(ROOTED)
def test_instances_sit_where_the_mapping_says(made: dict[str, Any]) -> None:
    ontology = Ontology.from_edges(**made)
    expected: dict[tuple[str, str], float] = {}
    for instance, where in made["instances"].items():
        if isinstance(where, dict):
            expected.update({(instance, concept): strength for concept, strength in where.items()})
        else:
            expected.update({(instance, concept): 1.0 for concept in ([where] if isinstance(where, str) else where)})
    found = {}
    if ontology.instances is not None:
        cells = ontology.instances.strength.tocoo()
        for i, c, s in zip(*(coordinate.tolist() for coordinate in cells.coords), cells.data.tolist(), strict=True):
            found[ontology.instances.iris[i], ontology.hierarchy.iris[c]] = s
        assert ontology.instances.strength.shape[1] == len(ontology.hierarchy)
    assert found == expected


def test_edges_may_come_from_a_generator_and_as_lists() -> None:
    assert state(Ontology.from_edges(list(edge) for edge in EXAMPLE)) == state(Ontology.from_edges(EXAMPLE))


def test_own_weight_goes_before_weights_for_every_kind() -> None:
    hierarchy = Ontology.from_edges(
        [("b", "a", 5), ("c", "a")],
        related=[("b", "c", 6), ("a", "c")],
        synonyms=[("b", "c", 7), ("a", "c")],
        weights={"hierarchical": 2, "related": 3, "synonym": 4},
    ).hierarchy
    assert named(hierarchy, hierarchy.parents) == {("b", "a"): 5, ("c", "a"): 2}
    assert named(hierarchy, hierarchy.related) == {("b", "c"): 6, ("c", "b"): 6, ("a", "c"): 3, ("c", "a"): 3}
    assert named(hierarchy, hierarchy.synonyms) == {("b", "c"): 7, ("c", "b"): 7, ("a", "c"): 4, ("c", "a"): 4}


def test_equivalent_pair_is_a_synonym_edge_and_a_subclass_edge_each_way() -> None:
    hierarchy = Ontology.from_edges([("car", "vehicle")], equivalent=[("car", "automobile")]).hierarchy
    assert named(hierarchy, hierarchy.parents) == {
        ("car", "vehicle"): 1, ("car", "automobile"): 1, ("automobile", "car"): 1,
    }  # fmt: skip
    assert named(hierarchy, hierarchy.synonyms) == {("car", "automobile"): 0, ("automobile", "car"): 0}
    assert [[hierarchy.iris[c] for c in cycle] for cycle in hierarchy.cycles] == [["automobile", "car"]]
    assert hierarchy.iris[0] == "vehicle"


def test_own_weight_of_an_equivalent_pair_is_that_of_its_three_edges() -> None:
    hierarchy = Ontology.from_edges([], equivalent=[("b", "a", 0.25)], root="none").hierarchy
    assert set(named(hierarchy, hierarchy.parents).values()) == {0.25}
    assert set(named(hierarchy, hierarchy.synonyms).values()) == {0.25}


@pytest.mark.parametrize(
    "more",
    [
        {"concepts": ["boat"]},
        {"labels": {"boat": "Boat"}},
        {"instances": {"i": "boat"}},
        {"instances": {"i": ["car", "boat"]}},
        {"instances": {"i": {"boat": 0.5}}},
        {"related": [("car", "boat")]},
        {"synonyms": [("boat", "car")]},
        {"equivalent": [("boat", "car")]},
        {"root": "boat"},
    ],
    ids=lambda more: next(iter(more)),
)
def test_every_name_that_occurs_is_a_concept(more: dict[str, Any]) -> None:
    hierarchy = Ontology.from_edges(EXAMPLE, **more).hierarchy
    assert set(hierarchy.iris) - {"(root)"} == {"vehicle", "car", "van", "coupé", "bike", "boat"}


def test_instance_is_no_concept() -> None:
    ontology = Ontology.from_edges(EXAMPLE, instances={"herbie": "car"})
    assert "herbie" not in ontology.hierarchy
    assert ontology.instances is not None
    assert ontology.instances.iris == ("herbie",)


def test_without_instances_there_is_none() -> None:
    assert Ontology.from_edges(EXAMPLE).instances is None
    assert Ontology.from_edges(EXAMPLE, instances={}).instances is None
    assert Ontology.from_edges(EXAMPLE, instances={"i": []}).instances is None


def test_root_that_occurs_nowhere_becomes_the_parent_of_every_top() -> None:
    hierarchy = Ontology.from_edges([("b", "a"), ("d", "c")], root="thing").hierarchy
    assert named(hierarchy, hierarchy.parents) == dict.fromkeys(
        [("b", "a"), ("d", "c"), ("a", "thing"), ("c", "thing")], 1.0
    )
    assert not hierarchy.root_added


def test_concept_called_like_an_added_root_stays_a_concept() -> None:
    ontology = Ontology.from_edges([("b", "(root)"), ("c", "a")], labels={"(root)": "top"})
    hierarchy = ontology.hierarchy
    assert hierarchy.iris[0] == "((root))"
    assert hierarchy.root_added
    assert ontology.lexicon.labels(hierarchy.id("(root)")) == ("top",)
    assert ontology.lexicon.labels(0) == ()


# labels


def entries(labels: dict[str, Any], concept: str = "car") -> list[tuple[str, str, str]]:
    ontology = Ontology.from_edges(EXAMPLE, labels=labels)
    return [tuple(entry) for entry in ontology.lexicon.entries(ontology.hierarchy.id(concept))]


def test_label_as_text() -> None:
    assert entries({"car": "Car"}) == [("Car", "", "preferred")]


def test_labels_as_texts_the_first_is_preferred() -> None:
    assert entries({"car": ["motor car", "auto", "automobile"]}) == [
        ("motor car", "", "preferred"), ("auto", "", "alternative"), ("automobile", "", "alternative"),
    ]  # fmt: skip


def test_labels_with_languages_in_lower_case() -> None:
    assert entries({"car": [("Car", "EN-GB"), "auto", ("Wagen", "de")]}) == [
        ("Car", "en-gb", "preferred"), ("auto", "", "alternative"), ("Wagen", "de", "alternative"),
    ]  # fmt: skip


def test_without_a_label_the_name_stands_in() -> None:
    assert entries({"van": "Van"}) == [("car", "", "name")]
    assert entries({"car": []}) == [("car", "", "name")]
    iri = "http://ex.org/SportsCar"
    assert entries({"car": "Car", iri: []}, iri) == [("Sports Car", "", "name")]


def test_plain_name_stays_as_it_is() -> None:
    ontology = Ontology.from_edges([("Sports_Car", "MotorVehicle")])
    assert [ontology.label_of(c) for c in range(2)] == ["MotorVehicle", "Sports_Car"]


def test_added_root_has_no_label_and_is_shown_by_its_name() -> None:
    ontology = Ontology.from_edges(EXAMPLE, root="new")
    assert ontology.lexicon.labels(0) == ()
    assert ontology.lexicon.label(0) is None
    assert ontology.label_of(0) == "(root)"


def test_root_of_the_file_and_root_by_name_have_a_label() -> None:
    assert Ontology.from_edges(EXAMPLE).lexicon.labels(0) == ("vehicle",)
    assert Ontology.from_edges(EXAMPLE, root="thing").lexicon.labels(0) == ("thing",)
    assert Ontology.from_edges([("b", "a"), ("d", "c")], root="none").lexicon.labels(0) == ("a",)


def test_label_shown_is_the_preferred_one() -> None:
    ontology = Ontology.from_edges(EXAMPLE, labels={"vehicle": ["means of transport", "a vehicle"]})
    assert ontology.label_of(0) == "means of transport"


# networkx


def without_self_edges(made: dict[str, Any]) -> dict[str, Any]:
    kinds = {kind: [pair for pair in made[kind] if pair[0] != pair[1]] for kind in ("edges", "equivalent")}
    return {**made, **kinds, "concepts": every_name(made), "instances": {}}


@given(ROOTED)
def test_round_trip_through_networkx_gives_the_same_arrays(made: dict[str, Any]) -> None:
    made = without_self_edges(made)
    labels = {name: f"label of {name}" for name in every_name(made)[::2]}
    ontology = Ontology.from_edges(**made, labels=labels)
    back = Ontology.from_networkx(ontology.to_networkx(), root=made["root"], weights=made["weights"])
    before, after = state(ontology), state(back)
    before_labels, after_labels = before.pop("labels"), after.pop("labels")
    assert after == before
    assert [[e.text for e in own] for own in after_labels] == [[e.text for e in own] for own in before_labels]


def test_round_trip_keeps_self_edges() -> None:
    ontology = Ontology.from_edges([("b", "a"), ("b", "b")])
    back = Ontology.from_networkx(ontology.to_networkx())
    assert back.hierarchy.self_edges.tolist() == ontology.hierarchy.self_edges.tolist() == [1]


def test_round_trip_makes_no_label_of_a_name_that_stood_in() -> None:
    ontology = Ontology.from_edges([("http://ex.org/SportsCar", "http://ex.org/car")])
    back = Ontology.from_networkx(ontology.to_networkx())
    assert [back.label_of(c) for c in range(2)] == ["car", "Sports Car"]
    assert back.lexicon.unlabelled.tolist() == [True, True]


@given(ROOTED)
def test_networkx_graph_has_the_concepts_and_edges_of_the_file(made: dict[str, Any]) -> None:
    made = without_self_edges(made)
    graph, twin = Ontology.from_edges(**made).to_networkx(), oracle.twin(**made)
    assert set(graph) == twin.concepts - ({twin.root} if twin.root_added else set())
    found: dict[str, dict[tuple[str, str], float]] = {"hierarchical": {}, "related": {}, "synonym": {}}
    for tail, head, key, data in graph.edges(keys=True, data=True):
        assert data["kind"] == key
        found[key][tail, head] = data["weight"]
    assert found == {"hierarchical": twin.given, "related": twin.related, "synonym": twin.synonyms}


def test_networkx_nodes_carry_labels() -> None:
    graph = Ontology.from_edges(EXAMPLE, labels={"car": "Car"}).to_networkx()
    assert dict(graph.nodes(data="label")) == {
        "vehicle": "vehicle", "car": "Car", "bike": "bike", "van": "van", "coupé": "coupé",
    }  # fmt: skip


def test_plain_networkx_graph_runs_from_child_to_parent() -> None:
    graph: nx.DiGraph[Any] = nx.DiGraph([("van", "car"), ("car", "vehicle")])
    graph.add_node("lonely")
    hierarchy = Ontology.from_networkx(graph).hierarchy
    assert named(hierarchy, hierarchy.parents) == dict.fromkeys(
        [("van", "car"), ("car", "vehicle"), ("vehicle", "(root)"), ("lonely", "(root)")], 1.0
    )


def test_networkx_attributes_weight_kind_label_and_name_are_read() -> None:
    graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
    graph.add_node(1, label="one", name="not this")
    graph.add_node(2, name="two")
    graph.add_node(3, label="3")
    graph.add_edge(2, 1, weight=0.5)
    graph.add_edge(3, 1)
    graph.add_edge(2, 3, kind="related", weight=4)
    graph.add_edge(3, 2, kind="synonym")
    ontology = Ontology.from_networkx(graph, weights={"hierarchical": 7, "synonym": 8})
    hierarchy = ontology.hierarchy
    assert named(hierarchy, hierarchy.parents) == {("2", "1"): 0.5, ("3", "1"): 7}
    assert named(hierarchy, hierarchy.related) == {("2", "3"): 4, ("3", "2"): 4}
    assert named(hierarchy, hierarchy.synonyms) == {("2", "3"): 8, ("3", "2"): 8}
    assert {name: ontology.label_of(hierarchy.id(name)) for name in "123"} == {"1": "one", "2": "two", "3": "3"}
    assert ontology.lexicon.unlabelled.tolist() == [False, False, True]


def test_networkx_root_and_on_cycle_are_passed_on() -> None:
    graph: nx.DiGraph[Any] = nx.DiGraph([("a", "b"), ("b", "a")])
    assert Ontology.from_networkx(graph, root="b").hierarchy.iris == ("b", "a")
    with pytest.raises(HierarchyError) as caught:
        Ontology.from_networkx(graph, on_cycle="error")
    assert str(caught.value) == (
        '2 concepts form a cycle: a < b < a. Set on_cycle="keep" to accept it.'
    )  # fmt: skip


@pytest.mark.parametrize("graph", [nx.Graph([("a", "b")]), nx.MultiGraph([("a", "b")])])
def test_undirected_networkx_graph_is_refused(graph: Any) -> None:
    with pytest.raises(ParameterError) as caught:
        Ontology.from_networkx(graph)
    assert str(caught.value) == (
        "an undirected graph does not say which concept is the parent. Use a networkx.DiGraph."
    )


def test_networkx_edge_of_an_unknown_kind_is_refused() -> None:
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_edge("a", "b", kind="part_of")
    with pytest.raises(ParameterError) as caught:
        Ontology.from_networkx(graph)
    assert str(caught.value) == (
        "the link a -> b has the unknown kind 'part_of'. Use one of: hierarchical, related, synonym."
    )


def test_networkx_edge_with_a_bad_weight_is_refused() -> None:
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_edge("a", "b", weight=-2)
    with pytest.raises(ParameterError) as caught:
        Ontology.from_networkx(graph)
    assert str(caught.value) == "the weight of the link a b must be a finite number >= 0, not -2."


def test_empty_networkx_graph_is_refused() -> None:
    with pytest.raises(HierarchyError) as caught:
        Ontology.from_networkx(nx.DiGraph())
    assert str(caught.value) == "no concepts found. Add a concept or a link."


# what is refused


@pytest.mark.parametrize("kind", ["edges", "related", "synonyms", "equivalent"])
@pytest.mark.parametrize("pair", [("a",), ("a", "b", 1, 2), ("a", 1), (None, "b"), ()])
def test_what_is_no_edge_is_refused(kind: str, pair: tuple[Any, ...]) -> None:
    with pytest.raises(ParameterError) as caught:
        Ontology.from_edges(**{"edges": EXAMPLE, kind: [pair]})
    advice = "Use strings as names." if len(pair) == 2 else "Use (child, parent)."
    assert str(caught.value) == f"{pair!r} is not an edge. {advice}"


@pytest.mark.parametrize("kind", ["edges", "related", "synonyms", "equivalent"])
@pytest.mark.parametrize("pair", ["ab", 7, None])
def test_text_or_number_in_place_of_a_pair_is_refused(kind: str, pair: Any) -> None:
    with pytest.raises(ParameterError) as caught:
        Ontology.from_edges(**{"edges": EXAMPLE, kind: [pair]})
    assert str(caught.value) == f"{pair!r} is not an edge. Use (child, parent)."


def test_no_concept_at_all_is_refused() -> None:
    with pytest.raises(HierarchyError) as caught:
        Ontology.from_edges([])
    assert str(caught.value) == "no concepts found. Add a concept or a link."


def test_cycle_is_refused_on_demand() -> None:
    with pytest.raises(HierarchyError) as caught:
        Ontology.from_edges([("a", "b")], equivalent=[("b", "c")], on_cycle="error")
    assert str(caught.value) == (
        '2 concepts form a cycle: b < c < b. Set on_cycle="keep" to accept it.'
    )  # fmt: skip


def test_unknown_concept_is_a_lookup_error_with_a_suggestion() -> None:
    with pytest.raises(UnknownConceptError) as caught:
        Ontology.from_edges(EXAMPLE).hierarchy.id("bikes")
    assert str(caught.value) == "unknown concept 'bikes'. Did you mean 'bike'?"


def test_strength_outside_its_range_is_refused() -> None:
    with pytest.raises(ParameterError) as caught:
        Ontology.from_edges(EXAMPLE, instances={"herbie": {"car": 1.5}})
    assert str(caught.value) == ("the strength of instance 'herbie' must be a number > 0 and <= 1, not 1.5.")


# describe


def test_describe_tells_where_the_ontology_came_from() -> None:
    made = Ontology.from_edges(EXAMPLE)
    source = Source(
        path="x.owl",
        format="xml",
        profile="owl",
        sha256="00",
        iri="http://ex.org/x",
        triples=12,
        unresolved_imports=("http://ex.org/y",),
        counts={"lines": 4, "deprecated": 3},
        notes=("a note",),
    )
    told = Ontology(made.hierarchy, made.lexicon, made.instances, source).describe()
    expected = {
        "source": "x.owl", "format": "xml", "profile": "owl", "iri": "http://ex.org/x", "sha256": "00", "triples": 12,
        "deprecated": 3, "lines": 4, "unresolved_imports": ["http://ex.org/y"], "notes": ["a note"],
    }  # fmt: skip
    assert {key: told[key] for key in expected} == expected


def test_describe_of_an_ontology_made_in_memory_leaves_the_file_open() -> None:
    told = Ontology.from_edges(EXAMPLE).describe()
    expected = {
        "source": "(memory)", "format": None, "iri": None, "sha256": None, "triples": None, "deprecated": 0,
        "unresolved_imports": [], "notes": [],
    }  # fmt: skip
    assert {key: told[key] for key in expected} == expected


# large ones


def chain(count: int) -> Ontology:
    names = [f"c{i:07d}" for i in range(count)]
    return Ontology.from_edges(zip(names[1:], names[:-1], strict=True))


def assert_chain(ontology: Ontology, count: int) -> None:
    assert np.array_equal(ontology.hierarchy.parents.indices, np.arange(count - 1))
    told = ontology.describe()
    expected = {
        "concepts": count, "root": "c0000000", "edges": count - 1, "leaves": 1, "loops": 0, "avg_depth": count - 1,
        "max_depth": count - 1, "avg_sub": 1, "sub_dev": 0, "avg_super": 1, "super_dev": 0, "roots": 1, "components": 1,
        "intermediate": count - 1, "cycles": [],
    }  # fmt: skip
    assert {key: told[key] for key in expected} == expected


def test_chain_of_a_hundred_thousand_loads_and_is_described() -> None:
    assert_chain(chain(100_000), 100_000)


@pytest.mark.slow
def test_chain_of_a_million_loads_and_is_described() -> None:
    assert_chain(chain(1_000_000), 1_000_000)


def test_cycle_of_five_thousand_loads_and_is_described() -> None:
    names = [f"c{i:04d}" for i in range(5000)]
    told = Ontology.from_edges(zip(names, [*names[1:], names[0]], strict=True), root="none").describe()
    expected = {
        "concepts": 5000, "edges": 5000, "leaves": 0, "loops": 5000, "avg_depth": None, "max_depth": 0, "avg_sub": 1,
        "avg_super": 1, "roots": 1, "cycle_count": 1, "cycles": [[*names, names[0]]],
    }  # fmt: skip
    assert {key: told[key] for key in expected} == expected
