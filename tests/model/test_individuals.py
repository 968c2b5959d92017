"""Instances as individuals: their names, labels and classes, and what owl:sameAs joins."""

from __future__ import annotations

import pytest

import ontoeval as oe
from ontoeval.analysis.relate import nearest
from ontoeval.edit.individuals import with_individuals
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.model.individuals import Individuals

TURTLE = """@prefix : <http://ex.org/> . @prefix a: <http://a.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:City rdfs:subClassOf :Place . :Capital rdfs:subClassOf :City . :Person a owl:Class ; rdfs:label "Person" .
:london a :City, :Place ; rdfs:label "London"@en, "Londres"@fr ; skos:altLabel "The Smoke" .
:londinium a :Capital ; owl:sameAs :london . a:elsewhere owl:sameAs :londinium .
:paris a :City . a:paris a :Person . :Person a :Place . :lonely a owl:NamedIndividual .
"""


@pytest.fixture
def ontology() -> oe.Ontology:
    return oe.load_ontology(TURTLE.encode())


def ex(*names: str) -> tuple[str, ...]:
    return tuple(f"http://ex.org/{name}" for name in names)


@pytest.mark.parametrize(
    ("name", "iris"),
    [
        ("http://ex.org/london", ex("londinium")), ("http://a.org/elsewhere", ex("londinium")),
        ("Londres", ex("londinium")), ("the smoke", ex("londinium")), ("paris", ("http://a.org/paris", *ex("paris"))),
        ("ex:paris", ex("paris")), ("LONDON", ex("londinium")), ("lonely", ()), ("nobody", ()),
    ],
)  # fmt: skip
def test_names_of_individuals(ontology: oe.Ontology, name: str, iris: tuple[str, ...]) -> None:
    assert Individuals.of(ontology).named(name) == iris


def test_individuals_that_same_as_joins_have_all_their_classes_and_labels(ontology: oe.Ontology) -> None:
    individuals, hierarchy = Individuals.of(ontology), ontology.hierarchy
    classes = {hierarchy.iris[concept] for concept in individuals.classes("http://a.org/elsewhere")}
    assert classes == set(ex("Capital", "City", "Place"))
    assert individuals.labels(ex("london")[0]) == ("London", "Londres", "The Smoke")
    assert individuals.labels(ex("paris")[0]) == ("paris",)


def test_they_are_leaves_below_their_lowest_classes(ontology: oe.Ontology) -> None:
    populated = with_individuals(ontology)
    hierarchy, size = populated.hierarchy, len(ontology.hierarchy)
    assert hierarchy.iris[:size] == ontology.hierarchy.iris
    assert hierarchy.iris[size:] == ("http://a.org/paris", *ex("londinium", "paris"))  # :Person is a class
    parents = [{hierarchy.iris[parent] for parent in hierarchy.parents[i].tolist()} for i in range(size, size + 3)]
    assert parents == [set(ex("Person")), set(ex("Capital")), set(ex("City"))]
    assert populated.label_of(size + 1) == "London"
    assert populated.classes is ontology
    assert populated.digest != ontology.digest
    assert with_individuals(ontology, ["http://ex.org/City", "nothing"]) is ontology


def test_the_same_individual_has_1(ontology: oe.Ontology) -> None:
    pair = [ex("london")[0]], ["http://a.org/elsewhere"]
    for measure in ("BDM", "LA", "WP", "Rada", "LC", "Resnik", "Lin", "JC", "simGIC", "Flat"):
        assert oe.relate(ontology, *pair, measure).tolist() == [1]


def test_labels_in_a_language_go_first() -> None:
    french = oe.load_ontology(TURTLE.encode(), language="fr")
    assert Individuals.of(french).labels(ex("london")[0])[0] == "Londres"


def test_instances_that_are_named_by_a_key_are_called_so() -> None:
    keyed = oe.load_ontology(
        (TURTLE + ':london <http://ex.org/key> "LDN" . :londinium <http://ex.org/key> "LND" .').encode(),
        instance_key=["http://ex.org/key"],
    )
    assert Individuals.of(keyed).named("London") == ("LDN",)
    assert Individuals.of(keyed).representative("LND") == "LDN"


def test_nearest_lists_individuals_or_classes(ontology: oe.Ontology) -> None:
    london = ex("london")[0]
    assert {entry.iri for entry in nearest(ontology, london)} == {"http://a.org/paris", *ex("paris")}
    classes = [entry.iri for entry in nearest(ontology, london, "Rada", among="classes")]
    assert classes[:2] == list(ex("Capital", "City"))
    assert set(classes) == set(ex("Capital", "City", "Person", "Place"))
    of_class = nearest(ontology, ex("City")[0], "Rada", among="individuals")
    assert [(entry.iri, entry.value) for entry in of_class][:2] == [
        (ex("paris")[0], 1 / 2),
        (ex("londinium")[0], 1 / 3),
    ]
    assert {entry.iri for entry in nearest(ontology, ex("City")[0])} == set(ex("Capital", "Person", "Place"))
    with pytest.raises(ParameterError, match="among must be 'classes' or 'individuals'"):
        nearest(ontology, london, among="people")  # type: ignore[arg-type]
    with pytest.raises(MissingInputError, match="has no individuals"):
        nearest(oe.Ontology.from_edges([("a", "b")]), "a", among="individuals")


def test_tasks_with_other_individuals_differ_in_their_fingerprint(ontology: oe.Ontology) -> None:
    tasks = [oe.ConceptPairs(ontology, [who], [ex("City")[0]]) for who in (ex("paris")[0], "http://a.org/paris")]
    assert len({task.fingerprint for task in tasks}) == 2
    assert tasks[0].inputs["ontology"] is ontology


def test_a_changed_ontology_keeps_the_names_of_its_individuals(ontology: oe.Ontology) -> None:
    damaged = oe.perturb(ontology, "move-nodes", 1)
    assert Individuals.of(damaged).named("Londres") == ex("londinium")
