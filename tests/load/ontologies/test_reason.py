"""The inferred hierarchy of small ontologies written by hand, with both reasoners."""

from __future__ import annotations

import functools
import os
import shutil
import stat
import sys
import time
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import pyoxigraph as ox
import pytest

from ontoeval.errors import LoadError, MissingInputError
from ontoeval.load.ontologies.reason import InferredHierarchy, Pair, Reasoner, infer

pytestmark = pytest.mark.slow  # Java starts

PREFIXES = """
@prefix : <http://example.org/pizza#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
PIZZA = """
<http://example.org/pizza> a owl:Ontology ; owl:imports <http://imports.invalid/food.owl> .
<http://example.org/untyped> owl:imports <http://imports.invalid/more.owl> .
:hasTopping a owl:ObjectProperty .
:Pizza a owl:Class . :Topping a owl:Class .
:Vegetable a owl:Class ; rdfs:subClassOf :Topping .
:Meat a owl:Class ; rdfs:subClassOf :Topping ; owl:disjointWith :Vegetable .
:Artichoke a owl:Class ; rdfs:subClassOf :Vegetable ; rdfs:label "artichoke"@en .
:Salami a owl:Class ; rdfs:subClassOf :Meat .

# only a reasoner places Primavera below VegetarianPizza
:VegetarianPizza a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf (
    :Pizza [ a owl:Restriction ; owl:onProperty :hasTopping ; owl:someValuesFrom :Vegetable ] ) ] .
:Primavera a owl:Class ; rdfs:subClassOf :Pizza ,
    [ a owl:Restriction ; owl:onProperty :hasTopping ; owl:someValuesFrom :Artichoke ] .

# the same definition twice
:GreenPizza a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf (
    [ a owl:Restriction ; owl:onProperty :hasTopping ; owl:someValuesFrom :Vegetable ] :Pizza ) ] .

# nothing is both meat and vegetable
:Tofurky a owl:Class ; rdfs:subClassOf :Meat , :Vegetable .
:SmokedTofurky a owl:Class ; rdfs:subClassOf :Tofurky .
"""
BOTH = [
    pytest.param("hermit", marks=pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")),
    pytest.param("elk", marks=pytest.mark.skipif(find_spec("pyelk") is None, reason="pyelk-reasoner is not installed")),
]
# where only one of them needs help of ours, the other one is checked in the slow run
LATER = [pytest.param(*case.values, marks=[*case.marks, pytest.mark.slow]) for case in BOTH]
both = elk_first = pytest.mark.parametrize("reasoner", [LATER[0], BOTH[1]])
hermit_first = pytest.mark.parametrize("reasoner", [BOTH[0], LATER[1]])
hermit = pytest.mark.parametrize("reasoner", BOTH[:1])
elk = pytest.mark.parametrize("reasoner", BOTH[1:])


def ntriples(turtle: str) -> bytes:
    triples = (quad.triple for quad in ox.parse(PREFIXES + turtle, ox.RdfFormat.TURTLE))
    return ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b""


@functools.cache
def inferred(turtle: str, reasoner: Reasoner) -> InferredHierarchy:
    return infer(ntriples(turtle), reasoner=reasoner, timeout=120, path="pizza.ttl")


def short(pairs: tuple[Pair, ...]) -> set[Pair]:
    return {(left.partition("#")[2], right.partition("#")[2]) for left, right in pairs}


def closure(hierarchy: InferredHierarchy) -> set[Pair]:
    above: defaultdict[str, set[str]] = defaultdict(set)
    for low, high in (*hierarchy.subclasses, *hierarchy.equivalent, *((b, a) for a, b in hierarchy.equivalent)):
        above[low].add(high)
    pairs = set()
    for name in list(above):
        todo = [name]
        while todo:
            for higher in above[todo.pop()]:
                if (name, higher) not in pairs:
                    pairs.add((name, higher))
                    todo.append(higher)
    return {(low, high) for low, high in pairs if low != high}


def refusal(turtle: str, reasoner: Reasoner, timeout: float = 120) -> str:
    with pytest.raises(LoadError) as caught:
        infer(ntriples(turtle), reasoner=reasoner, timeout=timeout, path="pizza.ttl")
    assert caught.value.path == "pizza.ttl"
    return str(caught.value)


def test_the_reasoners_are_these_two() -> None:
    assert get_args(Reasoner) == ("hermit", "elk")


@both
def test_a_defined_class_gets_the_subclasses_that_only_reasoning_finds(reasoner: Reasoner) -> None:
    pairs = {(low.partition("#")[2], high.partition("#")[2]) for low, high in closure(inferred(PIZZA, reasoner))}
    assert ("Primavera", "VegetarianPizza") in pairs
    assert pairs == {
        ("Artichoke", "Vegetable"),
        ("Artichoke", "Topping"),
        ("Vegetable", "Topping"),
        ("Meat", "Topping"),
        ("Salami", "Meat"),
        ("Salami", "Topping"),
        ("Primavera", "Pizza"),
        ("Primavera", "GreenPizza"),
        ("Primavera", "VegetarianPizza"),
        ("GreenPizza", "Pizza"),
        ("GreenPizza", "VegetarianPizza"),
        ("VegetarianPizza", "Pizza"),
        ("VegetarianPizza", "GreenPizza"),
    }


@both
def test_equivalent_classes_are_chained_and_the_first_one_has_the_edges(reasoner: Reasoner) -> None:
    hierarchy = inferred(PIZZA, reasoner)
    assert short(hierarchy.equivalent) == {("GreenPizza", "VegetarianPizza")}
    assert {("Primavera", "GreenPizza"), ("GreenPizza", "Pizza")} <= short(hierarchy.subclasses)
    assert not any("VegetarianPizza" in pair for pair in short(hierarchy.subclasses))


@both
def test_unsatisfiable_classes_are_listed_and_have_no_edges(reasoner: Reasoner) -> None:
    hierarchy = inferred(PIZZA, reasoner)
    assert hierarchy.unsatisfiable == (
        "http://example.org/pizza#SmokedTofurky",
        "http://example.org/pizza#Tofurky",
    )
    assert not any("Tofurky" in iri for pair in (*hierarchy.subclasses, *hierarchy.equivalent) for iri in pair)


@both
def test_thing_and_nothing_are_in_no_field(reasoner: Reasoner) -> None:
    hierarchy = inferred(PIZZA, reasoner)
    names = {iri for pair in (*hierarchy.subclasses, *hierarchy.equivalent) for iri in pair} | {
        *hierarchy.unsatisfiable
    }
    assert not any(iri.startswith("http://www.w3.org/") for iri in names)


@both
def test_an_import_that_nobody_can_reach_is_ignored_without_a_note(reasoner: Reasoner) -> None:
    assert b"http://imports.invalid/food.owl" in ntriples(PIZZA)
    assert inferred(PIZZA, reasoner).notes == ()


@hermit_first
def test_nothing_is_printed(reasoner: Reasoner, capfd: pytest.CaptureFixture[str]) -> None:
    infer(ntriples(":A rdfs:subClassOf :B ."), reasoner=reasoner, timeout=120, path="pizza.ttl")
    assert capfd.readouterr() == ("", "")


@elk_first
def test_the_result_does_not_depend_on_the_order_of_statements(reasoner: Reasoner) -> None:
    lines = sorted(ntriples(PIZZA).splitlines(keepends=True), reverse=True)
    assert infer(b"".join(lines), reasoner=reasoner, timeout=120, path="x") == inferred(PIZZA, reasoner)


@hermit_first
def test_a_class_that_is_everything_is_above_all_others(reasoner: Reasoner) -> None:
    hierarchy = inferred(":All owl:equivalentClass owl:Thing . :A a owl:Class . :B rdfs:subClassOf :A .", reasoner)
    assert short(hierarchy.subclasses) == {("A", "All"), ("B", "All"), ("B", "A")}
    assert hierarchy.equivalent == ()


@elk_first
def test_other_spellings_of_the_same_axioms_are_understood(reasoner: Reasoner) -> None:
    hierarchy = inferred(
        """
        # OWL 1: without equivalentClass; the list members are declared nowhere
        :A a owl:Class ; owl:intersectionOf (:B :C) .
        # no type at all, and one too many
        :D rdfs:subClassOf [ owl:onProperty :r ; owl:someValuesFrom :B ] .
        :E a rdfs:Class ; owl:equivalentClass
            [ a owl:Restriction , owl:Class ; owl:onProperty :r ; owl:someValuesFrom :B ] .
        # an annotation of the axiom, and an ontology with a second type
        [] a owl:Axiom ; owl:annotatedSource :A ; owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget :F ;
            rdfs:comment "why" .
        <http://example.org/pizza> a owl:Ontology , :Vocabulary .
        """,
        reasoner,
    )
    assert short(hierarchy.subclasses) == {("A", "B"), ("A", "C"), ("D", "E")}
    assert hierarchy.notes == ()


@elk_first
def test_a_list_of_disjoint_classes_counts(reasoner: Reasoner) -> None:
    hierarchy = inferred(
        "[] a owl:AllDisjointClasses ; owl:members (:A :B :C) . :D rdfs:subClassOf :A , :C .", reasoner
    )
    assert hierarchy.unsatisfiable == ("http://example.org/pizza#D",)
    assert hierarchy.notes == ()


@hermit_first
def test_a_property_may_be_a_class_too(reasoner: Reasoner) -> None:
    hierarchy = inferred(":p a owl:ObjectProperty , owl:Class ; rdfs:subClassOf :B .", reasoner)
    assert short(hierarchy.subclasses) == {("p", "B")}


@hermit_first
def test_datatypes_are_no_classes(reasoner: Reasoner) -> None:
    hierarchy = inferred(":T a rdfs:Datatype ; owl:equivalentClass xsd:integer . :A rdfs:subClassOf :B .", reasoner)
    assert (short(hierarchy.subclasses), hierarchy.equivalent) == ({("A", "B")}, ())


@hermit_first
def test_annotations_cannot_make_owlready_import_a_module(
    reasoner: Reasoner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "imported"
    (tmp_path / "trap_of_the_reasoner.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = "<http://www.lesfleursdunormal.fr/static/_downloads/owlready_ontology.owl#python_module>"
    hierarchy = inferred(
        f'<http://e/> a owl:Ontology ; {module} "trap_of_the_reasoner" . :A rdfs:subClassOf :B .', reasoner
    )
    assert short(hierarchy.subclasses) == {("A", "B")}
    assert not mark.exists()


@hermit_first
def test_letters_that_the_locale_lacks_survive(reasoner: Reasoner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    hierarchy = infer(ntriples(":Käse rdfs:subClassOf :食物 ."), reasoner=reasoner, timeout=120, path="pizza.ttl")
    assert short(hierarchy.subclasses) == {("Käse", "食物")}


@elk_first
def test_a_range_says_nothing_about_all_instances_of_a_filler(reasoner: Reasoner) -> None:
    axioms = """
        :r a owl:ObjectProperty ; rdfs:range :D .
        :B rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom :B ] .
        """
    assert closure(inferred(axioms, reasoner)) == set()


@both
def test_an_inconsistent_ontology_is_refused(reasoner: Reasoner) -> None:
    message = refusal(":A owl:disjointWith :B . :x a :A , :B .", reasoner)
    assert message == "pizza.ttl: the ontology is inconsistent. Correct it, or remove reason=."


@elk_first
def test_a_blank_in_an_iri_is_refused(reasoner: Reasoner) -> None:
    blank = b"<http://e/A B> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/C> .\n"
    name, other = ("HermiT", "elk") if reasoner == "hermit" else ("ELK", "hermit")
    with pytest.raises(LoadError) as caught:
        infer(blank, reasoner=reasoner, timeout=120, path="pizza.ttl")
    assert str(caught.value) == (
        f'pizza.ttl: {name} failed: the IRI <http://e/A B> contains a space. Correct the file, use reason="{other}", '
        "or remove reason=."
    )


@both
def test_a_process_that_dies_is_reported(reasoner: Reasoner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    assert refusal(PIZZA, reasoner) == "pizza.ttl: the reasoner ended with exit code 1: -."


# --- HermiT --------------------------------------------------------------------------------------------------


@hermit
def test_hermit_understands_what_elk_does_not(reasoner: Reasoner) -> None:
    hierarchy = inferred(BEYOND_EL, reasoner)
    assert ("Margherita", "CheesyPizza") in short(hierarchy.subclasses)
    assert hierarchy.notes == ()


BEYOND_EL = """
:hasTopping a owl:ObjectProperty . :Pizza a owl:Class .
:Margherita rdfs:subClassOf :Pizza , [ a owl:Restriction ; owl:onProperty :hasTopping ; owl:minCardinality 2 ] .
:CheesyPizza owl:equivalentClass [ a owl:Class ; owl:intersectionOf (
    :Pizza [ a owl:Restriction ; owl:onProperty :hasTopping ; owl:minCardinality 1 ] ) ] .
"""


@hermit
def test_hermit_passes_over_datatypes_that_it_does_not_know(reasoner: Reasoner) -> None:
    hierarchy = inferred(":d a owl:DatatypeProperty ; rdfs:range xsd:date . :A rdfs:subClassOf :B .", reasoner)
    assert short(hierarchy.subclasses) == {("A", "B")}
    assert hierarchy.notes == (
        "HermiT ignored axioms with datatypes that are not in OWL 2, such as http://www.w3.org/2001/XMLSchema#date",
    )


@hermit
def test_the_message_of_java_is_passed_on_in_one_line(reasoner: Reasoner) -> None:
    message = refusal(
        """
        :r a owl:ObjectProperty , owl:TransitiveProperty .
        :A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :r ; owl:maxCardinality 1 ] .
        """,
        reasoner,
    )
    assert message == (
        "pizza.ttl: HermiT failed: IllegalArgumentException: Non-simple property '<http://example.org/pizza#r>' or "
        "its inverse appears in the cardinality restriction 'ObjectMaxCardinality(1 <http://example.org/pizza#r> "
        'owl:Thing)\'. Correct the file, use reason="elk", or remove reason=.'
    )


def test_without_java_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingInputError) as caught:
        infer(ntriples(PIZZA), reasoner="hermit", timeout=120, path="pizza.ttl")
    assert str(caught.value) == (
        "reasoning with HermiT needs Java, but 'java' was not found. Install a Java runtime such as OpenJDK, or use "
        "reason=\"elk\" (run `pip install 'ontoeval-toolkit[elk]'`)."
    )


@pytest.mark.slow
@hermit
def test_on_timeout_java_is_killed_and_no_file_left(
    reasoner: Reasoner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java, program, started, temporary = (
        shutil.which("java"),
        tmp_path / "java",
        tmp_path / "pid",
        tmp_path / "tmp",
    )
    program.write_text(f'#!/bin/sh\necho $$ > "{started}"\nexec "{java}" "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    temporary.mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    # eleven pigeons in ten holes: HermiT tries every way to seat them
    holes = " ".join(f":hole{number}" for number in range(10))
    axioms = f"""
        :in a owl:ObjectProperty . :Hole owl:equivalentClass [ a owl:Class ; owl:oneOf ({holes}) ] .
        :Flock rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :in ; owl:onClass :Hole ;
            owl:minQualifiedCardinality "11"^^xsd:nonNegativeInteger ] .
        """
    assert refusal(axioms, reasoner, timeout=6) == (
        'pizza.ttl: reasoning with HermiT took longer than 6 s. Increase reason_timeout=, or use reason="elk".'
    )
    assert not is_running(int(started.read_text()))
    assert list(temporary.iterdir()) == []


def is_running(pid: int) -> bool:
    """Whether the process runs after a second; an ended one may wait for its parent as a zombie."""
    for _ in range(20):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        status = Path(f"/proc/{pid}/stat")
        if status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.05)
    return True


# --- ELK -----------------------------------------------------------------------------------------------------


@elk
def test_elk_says_what_it_ignored(reasoner: Reasoner) -> None:
    hierarchy = inferred(BEYOND_EL + ":hasTopping rdfs:range :Topping .", reasoner)
    assert ("Margherita", "CheesyPizza") not in short(hierarchy.subclasses)
    assert hierarchy.notes == (
        "ELK does not fully support ObjectMinCardinality, property ranges, so subclasses may be missing",
    )


@elk
def test_axioms_that_cannot_be_read_are_counted(reasoner: Reasoner) -> None:
    broken = ":A owl:equivalentClass [ a owl:Class ; owl:intersectionOf :list ] . :list rdf:first :B . "
    hierarchy = inferred(broken + ":C rdfs:subClassOf :B .", reasoner)
    assert hierarchy.notes == ("ELK read 1 of 2 class axioms: py-horned-owl dropped the others",)


@elk
def test_elk_has_a_time_limit_too(reasoner: Reasoner) -> None:
    message = "pizza.ttl: reasoning with ELK took longer than 0.01 s. Increase reason_timeout=."
    assert refusal(PIZZA, reasoner, timeout=0.01) == message


@elk
def test_there_may_be_no_time_limit(reasoner: Reasoner) -> None:
    hierarchy = infer(ntriples(":A rdfs:subClassOf :B ."), reasoner=reasoner, timeout=float("inf"), path="pizza.ttl")
    assert short(hierarchy.subclasses) == {("A", "B")}


def test_without_pyelk_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyelk", None)
    with pytest.raises(MissingInputError) as caught:
        infer(ntriples(PIZZA), reasoner="elk", timeout=120, path="pizza.ttl")
    assert str(caught.value) == ("reasoning with ELK needs pyelk-reasoner. Run `pip install 'ontoeval-toolkit[elk]'`.")


# --- the pizza ontology ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reasoner", "pairs", "equivalent"),
    [
        pytest.param(*LATER[0].values, 500, 2, marks=LATER[0].marks),
        pytest.param(*BOTH[1].values, 418, 1, marks=BOTH[1].marks),
    ],
)
def test_pizza_has_the_known_number_of_pairs(reasoner: Reasoner, pairs: int, equivalent: int) -> None:
    """The pairs of the closure among satisfiable named classes, owl:Thing left out.

    The two unsatisfiable classes count for nothing: as subclasses of all others they would add 2 x 97 pairs, and
    with only the superclasses that the file gives them HermiT's 500 would be 508.
    """
    file = Path(__file__).resolve().parents[4] / "shared" / "data" / "owl-misc" / "pizza.owl.rdf"
    if not file.exists():
        pytest.skip("the pizza ontology is not on this machine")
    triples = (quad.triple for quad in ox.parse(file.read_bytes(), ox.RdfFormat.RDF_XML))
    text = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b""
    hierarchy = infer(text, reasoner=reasoner, timeout=120, path="pizza.owl.rdf")
    assert len(closure(hierarchy)) == pairs
    assert len(hierarchy.equivalent) == equivalent
    assert [iri.partition("#")[2] for iri in hierarchy.unsatisfiable] == ["CheeseyVegetableTopping", "IceCream"]
