"""Individuals related to each other and to classes: every measure against the twin; classes keep their values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from test_concept_twins import RADA, SMALL, TABLE, both, pairs, the_same
from twin_concepts import Concepts, listed
from twin_individuals import Population

import ontoeval as oe
from ontoeval.analysis import relate
from ontoeval.analysis.relate import nearest, relate_all
from ontoeval.errors import MissingInputError, UnknownConceptError


def population(made: dict[str, Any], pick: int) -> tuple[oe.Ontology, Population, list[str], list[str]]:
    """The ontology, its twin, its classes and its individuals."""
    ontology, twin = both(made, pick)
    told = {who: listed(where) for who, where in made["instances"].items() if who not in twin.names}
    people = Population(twin, told)
    return ontology, people, twin.given, sorted(people.types)


def countable(twin: Concepts, measure: str) -> bool:
    """Whether every class has an information content."""
    if "corpus" not in measure:
        return True
    if twin.counts is None and not twin.assigned:
        return False
    return "add-one" in measure or all(twin.frequencies().values())


def check(ontology: oe.Ontology, twin: Population, classes: list[str], people: list[str], measure: str) -> None:
    names = [*classes, *people]
    expected = np.array([[twin(measure, a, b) for b in names] for a in names])
    left, right = pairs(names)
    matrix = relate_all(ontology, names, measure)
    the_same(matrix, expected, measure)
    the_same(oe.relate(ontology, left, right, measure), expected.ravel(), measure)
    # without individuals classes have exactly these values
    assert np.array_equal(relate_all(ontology, classes, measure), matrix[: len(classes), : len(classes)], True)
    of_classes = oe.relate(ontology, *pairs(classes), measure)
    in_company = oe.relate(ontology, pairs(classes)[0] + people, pairs(classes)[1] + people, measure)
    assert np.array_equal(of_classes, in_company[: len(of_classes)], True)


@given(strategies.ontologies(), strategies.picks(), st.lists(st.sampled_from(TABLE), min_size=6, max_size=6))
def test_every_measure_of_individuals_is_the_twins(made: dict[str, Any], pick: int, drawn: list[str]) -> None:
    ontology, twin, classes, people = population(made, pick)
    if not people:
        return
    for measure in (*SMALL, *drawn):
        if countable(twin.o, measure):
            check(ontology, twin, classes, people, measure)


ODD: dict[str, Any] = {  # a cycle, several parents and tops, own weights; classes with and without subclasses
    "edges": [("b", "a"), ("c", "a", 2.0), ("d", "b"), ("d", "c"), ("e", "d"), ("f", "e"), ("e", "f"), ("g", "e"),
              ("h", "g"), ("k", "c"), ("z", "y"), ("l", "b")],
    "concepts": [], "related": [("k", "h")], "synonyms": [("z", "h", 0.5)], "equivalent": [],
    "instances": {"one": "k", "two": ["k", "h"], "three": ["e", "f", "a"], "four": ["l", "z", "y"], "five": "g",
                  "six": ["k", "l"], "seven": "h", "eight": ["y", "a", "b", "c", "d"], "nine": "z"},
    "weights": {"hierarchical": 3.0},
}  # fmt: skip


@pytest.mark.parametrize(
    "pick", [0, *(pytest.param(pick, marks=pytest.mark.slow) for pick in (2, 4))]
)  # the roots auto, new and none
@pytest.mark.parametrize("measure", [*SMALL, *TABLE])
def test_every_parameter_on_one_odd_population(measure: str, pick: int) -> None:
    ontology, twin, classes, people = population(ODD, pick)
    assert countable(twin.o, measure)
    check(ontology, twin, classes, people, measure)


def chain(*more: tuple[str, str]) -> oe.Ontology:
    edges = [("A", "root"), ("B", "A"), ("C", "B"), *more]
    return oe.Ontology.from_edges(edges, instances={"x": "C", "y": "C", "z": ["B", "root"]})


def test_two_individuals_of_a_class_at_depth_3_of_a_chain() -> None:
    """n0 = 3, n(x) = n(C) + 1 = 4; C has no subclass, so BR = 1: 1 / (1 + 1/4 + 1/4)."""
    [parts] = relate.why(chain(), ["x"], ["y"])
    assert (parts["MSCA"], parts["CP"], parts["DPK"], parts["DPR"], parts["BR"]) == ("C", 3, 1, 1, 1)
    assert (parts["n0"], parts["n(K)"], parts["n(R)"]) == (3, 4, 4)
    assert parts["value"] == pytest.approx(2 / 3)
    # with a subclass: n0 = 4, n(x) = 5, BR = 1, X = 3/4
    [longer] = relate.why(chain(("D", "C")), ["x"], ["y"])
    assert longer["value"] == pytest.approx((3 / 4) / (3 / 4 + 2 / 5))
    assert (longer["CP"], longer["DPK"], longer["DPR"]) == (3, 1, 1)


def test_a_class_above_another_told_class_is_no_parent() -> None:
    distance = oe.relate(chain(), ["z", "z", "z"], ["root", "B", "z"], "Rada(scale=distance)")
    assert distance.tolist() == [3, 1, 0]


def test_a_path_does_not_lead_through_an_individual() -> None:
    edges = [("a1", "a"), ("a2", "a1"), ("b1", "b"), ("b2", "b1"), ("a", "root"), ("b", "root")]
    ontology = oe.Ontology.from_edges(edges, instances={"both": ["a2", "b2"], "left": "a2", "right": "b2"})
    names = ["a2", "b2", "both", "left", "right"]
    lengths = relate_all(ontology, names, "Rada(scale=distance)")
    assert lengths[0, 1] == 6  # not 2 by way of `both`
    assert lengths[3, 4] == 8
    assert lengths[2].tolist() == [1, 1, 0, 2, 2]
    why = relate.why(ontology, ["left"], ["both"], "Rada")
    assert why[0]["path"] == ["left", "a2", "both"]


@pytest.mark.parametrize("measure", [RADA[0], *(pytest.param(m, marks=pytest.mark.slow) for m in RADA[4::4]), "LC"])
def test_the_path_of_an_individual_is_as_long_as_it_says(measure: str) -> None:
    ontology, _, classes, people = population(ODD, 0)
    names = [*classes, *people]
    for parts in relate.why(ontology, *pairs(names), measure):
        ends = [parts["left"], parts["right"]]
        if not parts["path"]:
            assert parts["d"] == np.inf
            continue
        assert [parts["path"][0], parts["path"][-1]] == ends
        assert not set(people) & set(parts["path"][1:-1])
        back = relate.why(ontology, [ends[1]], [ends[0]], measure)[0]["path"]
        assert back == parts["path"][::-1]


def test_counts_are_of_classes_and_an_individual_has_that_of_its_most_informative_class() -> None:
    ontology = oe.Ontology.from_edges(
        [("a", "r"), ("b", "r"), ("c", "a")], instances={"x": ["c", "b"], "y": "a", "lost": "b"}
    ).with_counts({"r": 1, "a": 2, "c": 1})
    content = oe.relate(ontology, ["x", "y", "x"], ["x", "y", "y"], "Resnik(scale=raw, ic=corpus)")
    np.testing.assert_allclose(content, [np.log(4 / 1), np.log(4 / 3), np.log(4 / 3)])
    with pytest.raises(MissingInputError, match="'lost'"):
        oe.relate(ontology, ["lost"], ["y"], "Lin(ic=corpus)")


def test_an_instance_that_sits_on_nothing_is_unknown() -> None:
    ontology = oe.Ontology.from_edges([("a", "r")], instances={"x": "a", "nowhere": []})
    with pytest.raises(UnknownConceptError, match="nowhere"):
        oe.relate(ontology, ["nowhere"], ["x"])


def test_a_name_of_a_class_and_of_an_instance_is_the_class() -> None:
    ontology = oe.Ontology.from_edges([("a", "r"), ("b", "r")], instances={"a": "b"})
    assert oe.relate(ontology, ["a"], ["b"], "Rada(scale=distance)").tolist() == [2]


DBPEDIA, DBPEDIA_FILE = "http://dbpedia.org/ontology/", "dbpedia_2015-04.owl.gz"
EXCERPT = {  # a few resources with their types as DBpedia has them, superclasses and all
    "London": ["City", "Settlement", "PopulatedPlace", "Place"],
    "Paris": ["City", "Settlement", "PopulatedPlace", "Place"],
    "Ada_Lovelace": ["Scientist", "Person", "Agent"],
    "Lewis_Hamilton": ["FormulaOneRacer", "RacingDriver", "Athlete", "Person", "Agent"],
    "BBC": ["Broadcaster", "Organisation", "Agent"],
    "Thames": ["River", "Stream", "BodyOfWater", "NaturalPlace", "Place"],
    "Thing": ["Place", "Agent"],
}


def test_an_excerpt_of_dbpedia_is_related_as_by_the_twin(shared_data: Path) -> None:
    told = {f"http://dbpedia.org/resource/{who}": [DBPEDIA + name for name in where] for who, where in EXCERPT.items()}
    lines = [f"<{who}> a {', '.join(f'<{name}>' for name in where)} ." for who, where in told.items()]
    excerpt = oe.load_ontology("\n".join(lines).encode(), imports=[shared_data / "dbpedia-owl" / DBPEDIA_FILE])
    graph = excerpt.to_networkx()
    edges = [(a, b) for a, b, kind in graph.edges(keys=True) if kind == "hierarchical"]
    synonyms = [(a, b) for a, b, kind in graph.edges(keys=True) if kind == "synonym"]
    twin = Population(Concepts(edges, concepts=list(graph), synonyms=synonyms), told)
    names = [*told, *(DBPEDIA + name for name in ("City", "Person", "River", "Agent", "RacingDriver"))]
    for measure in ("BDM", "BDM(msca=deepest)", "LA", "WP", "Rada", "Lin", "Lin(ic=zhou)", "JC", "simGIC"):
        expected = np.array([[twin(measure, a, b) for b in names] for a in names])
        the_same(relate_all(excerpt, names, measure), expected, measure)
    near = nearest(excerpt, "http://dbpedia.org/resource/London", top=1)
    assert [entry.iri for entry in near] == ["http://dbpedia.org/resource/Paris"]


def test_the_path_between_an_individual_and_a_class_has_each_end_once() -> None:
    ontology = oe.Ontology.from_edges([("a", "r"), ("b", "r")], instances={"x": "a"})
    (there,) = relate.why(ontology, ["x"], ["b"], "Rada")
    (back,) = relate.why(ontology, ["b"], ["x"], "Rada")
    assert there["path"] == ["x", "a", "r", "b"]
    assert back["path"] == ["b", "r", "a", "x"]
