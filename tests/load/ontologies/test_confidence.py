"""Least confidence: links that a learner doubts, and the concepts that they leave without any link."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from helpers import concepts as names
from helpers import refusal, weighted_edges
from hypothesis import assume, given
from hypothesis import strategies as st
from snippets import EX, PREFIXES, concepts, edges, load, pairs
from strategies import hierarchies
from twin_confidence import Relation, Stated, confident_part, confident_relations

import ontoeval as oe
from ontoeval.errors import ParameterError
from ontoeval.model.hierarchy import Hierarchy

refused = partial(refusal, oe.OntoevalError)

TABLE = """child\tparent\tconfidence
car\tvehicle\t0.9
van\tcar\t0.5
bike\tvehicle\t0.2
BMX\tbike\t0.1
boat\tvehicle\t
"""


def table(text: str = TABLE, **options: object) -> oe.Ontology:
    return oe.load_ontology(text.encode(), format="tsv", **options)


def axiom(child: str, parent: str, confidence: object, *, property: str = "rdfs:subClassOf", name: str = ":confidence"):
    """A statement, and the axiom that says how sure a learner is of it."""
    return (
        f"{child} {property} {parent} . [] a owl:Axiom ; owl:annotatedSource {child} ; "
        f"owl:annotatedProperty {property} ; owl:annotatedTarget {parent} ; {name} {confidence} .\n"
    )


# Like Table 9: fewer concepts the higher the threshold


@pytest.mark.parametrize(
    ("least", "left"),
    [
        (None, {"vehicle", "car", "van", "bike", "BMX", "boat"}),
        (0.0, {"vehicle", "car", "van", "bike", "BMX", "boat"}),
        (0.1, {"vehicle", "car", "van", "bike", "BMX", "boat"}),  # not below: a link of that very confidence stays
        (0.15, {"vehicle", "car", "van", "bike", "boat"}),
        (0.3, {"vehicle", "car", "van", "boat"}),
        (0.6, {"vehicle", "car", "boat"}),
        (0.95, {"vehicle", "boat"}),  # the link without a confidence stays
    ],
)
def test_a_higher_threshold_leaves_fewer_links_and_drops_concepts_without_any(
    least: float | None, left: set[str]
) -> None:
    assert names(table(min_confidence=least)) == left


def test_a_concept_in_the_middle_goes_only_with_its_last_link() -> None:
    chain = "child\tparent\tconfidence\na\tb\t0.9\nb\tc\t0.1\nc\td\t0.9\n"
    ontology = table(chain, min_confidence=0.5)
    assert set(weighted_edges(ontology)) == {("a", "b"), ("c", "d")}
    assert names(ontology) == {"a", "b", "c", "d"}
    assert ontology.hierarchy.root_added  # two parts now


def test_a_concept_that_never_had_a_link_stays() -> None:
    ontology = table("child\tparent\tconfidence\na\tb\t0.9\nalone\t\t\nc\tb\t0.1\n", min_confidence=0.5)
    assert names(ontology) == {"a", "b", "alone"}


def test_labels_and_instances_of_dropped_concepts_go_with_them() -> None:
    text = "child\tparent\tconfidence\tlabel\na\tb\t0.9\tA\nc\tb\t0.1\tC\n"
    ontology = table(text, min_confidence=0.5, instances={"i": "a", "j": "c", "k": "b"})
    assert "C" not in ontology.lexicon.texts
    assert ontology.instances is not None
    assert ontology.instances.iris == ("i", "k")


def test_what_was_left_out_is_counted_and_noted() -> None:
    ontology = table(min_confidence=0.3)
    assert ontology.source.notes == (
        "left out: 2 of 5 links (confidence < 0.3; min_confidence=) and 2 of 6 concepts (no link remains); "
        "kept: 1 link without a confidence",
    )
    described = ontology.describe()
    assert (described["min_confidence"], described["low_confidence_links"], described["unlinked_concepts"]) == (
        0.3,
        2,
        2,
    )
    assert "min_confidence" not in table().describe()
    assert ontology.source.name == "(bytes) >= 0.3"


def test_of_several_confidences_of_a_link_the_greatest_counts() -> None:
    rows = ["a\tb\t0.2", "a\tb\t0.8", "a\tb", "c\tb\t0.2", "c\tb"]
    for lines in (rows, rows[::-1]):
        text = "child\tparent\tconfidence\n" + "\n".join([*lines, "d\tb\t1"])
        assert set(weighted_edges(table(text, min_confidence=0.5))) == {("a", "b"), ("d", "b")}


def test_a_table_may_have_weights_and_confidences() -> None:
    text = "a\tb\t3\t0.9\nc\tb\t4\t0.1\nd\ta\t5\t0.9\n"
    ontology = table(text, columns="child,parent,weight,confidence", min_confidence=0.5)
    assert weighted_edges(ontology) == {("a", "b"): 3.0, ("d", "a"): 5.0}


@pytest.mark.parametrize("value", ["-3.5", "12", "1e3"])
def test_a_confidence_may_be_any_finite_number(value: str) -> None:
    text = f"child\tparent\tconfidence\na\tb\t{value}\nc\tb\t1e9\n"
    assert ("a", "b") in weighted_edges(table(text, min_confidence=float(value)))
    assert ("a", "b") not in weighted_edges(table(text, min_confidence=float(value) + 1e-6))


# Which column


def test_a_third_column_of_numbers_without_a_name_is_refused_with_both_readings() -> None:
    assert refused(table, "car\tvehicle\nbike\tvehicle\t0.5\n") == (
        "(bytes), line 2: the numbers of the third column may be confidences of a learner or weights of links. Set "
        'columns="child,parent,confidence" or columns="child,parent,weight", or add a header line.'
    )


@pytest.mark.parametrize("name", ["confidence", "Confidence", "probability"])
def test_a_header_may_name_the_confidence(name: str) -> None:
    text = f"parent\t{name}\tchild\nb\t0.9\ta\nb\t0.1\tc\n"
    assert set(weighted_edges(table(text, min_confidence=0.5))) == {("a", "b")}
    assert set(weighted_edges(table(text)).values()) == {1.0}  # never a weight


def test_a_column_called_score_may_be_either_too() -> None:
    text = "parent\tchild\tscore\nb\ta\t0.9\n"
    assert refused(table, text) == (
        "(bytes), line 1: the numbers of the column 'score' may be confidences of a learner or weights of links. "
        'Set columns="parent,child,confidence" or columns="parent,child,weight", or add a header line.'
    )
    assert weighted_edges(table(text, columns="parent,child,weight")) == {("a", "b"): 0.9}
    assert weighted_edges(table(text, columns="parent,child,confidence")) == {("a", "b"): 1.0}


def test_a_header_of_unknown_words_above_numbers_is_refused() -> None:
    assert refused(table, "hyponym\thypernym\tPMI\ncar\tvehicle\t3.2\nbike\tvehicle\t1\n") == (
        "(bytes), line 1: unknown column 'PMI' with numbers. Use e.g. confidence or weight, or set columns=."
    )
    assert refused(table, "Begriff\tOberbegriff\tPMI\ncar\tvehicle\t3.2\nbike\tvehicle\t1\n") == (
        "(bytes), line 1: the first line looks like a header, as numbers follow in the third column; unknown: "
        "'Begriff', 'Oberbegriff', 'PMI'. Use e.g. child, parent, confidence; if it is not a header, set columns=."
    )


@pytest.mark.parametrize("value", ["high", "nan", "inf", "0,5", "1e999"])
def test_a_confidence_that_is_no_number_is_refused_with_its_line(value: str) -> None:
    message = f"(bytes), line 3: the confidence '{value}' is not a finite number. Correct or remove it."
    assert refused(table, f"child\tparent\tconfidence\na\tb\t1\nc\tb\t{value}\n") == message


# Nothing to go by


NONE = (
    'no link has a confidence. Remove min_confidence=, or set columns="child,parent,confidence" for a table; in '
    "OWL, annotate axioms with confidence, probability or score."
)


@pytest.mark.parametrize(
    "text",
    [
        "a\tb\n",
        "child\tparent\tconfidence\na\tb\n",
        "child\tparent\tweight\na\tb\t0.5\n",
        '[{"child": "a", "parent": "b"}]',
        "format-version: 1.4\n\n[Term]\nid: X:1\nis_a: X:2\n\n[Term]\nid: X:2\n",
        PREFIXES + ":a rdfs:subClassOf :b .",
        PREFIXES + axiom(":a", ":b", 0.9, name=":weight"),
        PREFIXES + ":a rdfs:subClassOf :b ; :confidence 0.9 .",  # of the class, not of a link
        PREFIXES + ":a rdfs:subClassOf :b . :a skos:broader :c ." + axiom(":a", "'A'", 0.9, property="rdfs:label"),
    ],
)
def test_a_threshold_without_any_confidence_is_an_error(text: str) -> None:
    assert refused(oe.load_ontology, text.encode(), min_confidence=0.3) == f"(bytes): {NONE}"


def test_a_threshold_that_leaves_nothing_is_an_error() -> None:
    text = "child\tparent\tconfidence\na\tb\t0.5\n"
    assert refused(table, text, min_confidence=0.6) == (
        "(bytes): no concepts are left: no link has a confidence >= 0.6. Decrease min_confidence=."
    )


@pytest.mark.parametrize("least", ["0.3", float("nan"), float("inf"), True, [0.3]])
def test_a_threshold_is_one_finite_number(least: object) -> None:
    with pytest.raises(ParameterError) as caught:
        table(min_confidence=least)
    assert str(caught.value) == f"min_confidence must be a finite number, not {least!r}. Use e.g. 0.3."
    assert caught.value.parameter == "min_confidence"


def test_a_reasoner_cannot_leave_axioms_out() -> None:
    assert refused(load, axiom(":a", ":b", 0.9), reason="elk", min_confidence=0.3) == (
        "(bytes): reason= and min_confidence= cannot be combined: a reasoner reads all axioms. Remove one of them."
    )


# JSON pairs


def test_json_pairs_may_have_a_confidence() -> None:
    for key in ("confidence", "probability", "score"):
        rows = [
            {"child": "a", "parent": "b", key: 0.9},
            {"child": "c", "parent": "b", key: 0},
            {"child": "d", "parent": "b"},
        ]
        ontology = oe.load_ontology(json.dumps(rows).encode(), min_confidence=0.5)
        assert set(weighted_edges(ontology)) == {("a", "b"), ("d", "b")}


def test_a_confidence_in_json_that_is_no_number_is_refused_where_it_is_needed() -> None:
    data = b'[{"child": "a", "parent": "b", "score": 1}, {"child": "c", "parent": "b", "score": "high"}]'
    assert len(weighted_edges(oe.load_ontology(data))) == 2
    assert refused(oe.load_ontology, data, min_confidence=0.3) == (
        "(bytes): 'score' of entry 1 of the list is not a finite number: 'high'. Correct or remove it."
    )


# OWL axioms


@pytest.mark.parametrize(
    "name",
    [":confidence", ":hasConfidence", "<http://learner.org/v#Confidence>", ":probability", ":score", ":hasScore"],
)
@pytest.mark.parametrize("value", ["0.2", '"0.2"', '"0.2"^^xsd:double', "2e-1"])
def test_an_axiom_may_have_a_confidence_under_several_names(name: str, value: str) -> None:
    text = axiom(":a", ":b", value, name=name) + ":c rdfs:subClassOf :b ."
    assert edges(load(text, min_confidence=0.2)) == {"a < b", "c < b"}
    ontology = load(text, min_confidence=0.3)
    assert edges(ontology) == {"c < b"}
    assert concepts(ontology) == {"b", "c"}


def test_a_confidence_goes_before_a_score_and_this_is_noted() -> None:
    text = axiom(":a", ":b", 0.2) + axiom(":c", ":b", 0.9) + axiom(":a", ":b", 17, name=":score")
    ontology = load(text, min_confidence=0.5)
    assert edges(ontology) == {"c < b"}
    assert "axioms have a confidence and a score: the confidence is used" in ontology.source.notes


def test_without_a_threshold_confidences_change_nothing() -> None:
    text = axiom(":a", ":b", 0.2) + axiom(":c", ":b", '"high"')
    assert edges(load(text)) == {"a < b", "c < b"}
    assert load(text).source.notes == ()


def test_a_confidence_of_an_axiom_that_is_no_number_is_refused() -> None:
    assert refused(load, axiom(":a", ":b", '"high"'), min_confidence=0.3) == (
        f"(bytes): the confidence 'high' of {EX}a http://www.w3.org/2000/01/rdf-schema#subClassOf {EX}b is not a "
        "finite number. Correct or remove it."
    )


def test_all_that_an_axiom_says_goes_with_it() -> None:
    text = """:a rdfs:subClassOf _:x . _:x owl:intersectionOf (:b :c) .
    [] owl:annotatedSource :a ; owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget _:x ; :confidence 0.2 .
    :d a owl:Class . :e rdfs:subClassOf :b . """
    assert edges(load(text, min_confidence=0.1)) == {"a < b", "a < c", "e < b"}
    ontology = load(text, min_confidence=0.3)
    assert edges(ontology) == {"e < b"}
    assert concepts(ontology) == {"b", "d", "e"}  # d never had a link


def test_an_equivalence_and_a_further_relation_may_have_a_confidence() -> None:
    text = (
        ":a a owl:Class . :b a owl:Class . :c rdfs:subClassOf :b . :d rdfs:subClassOf :b . "
        + axiom(":b", ":a", 0.2, property="owl:equivalentClass")
        + axiom(":c", ":d", 0.2, property=":partOf")
    )
    assert edges(load(text, relations=EX + "partOf", min_confidence=0.3)) == {"c < b", "d < b"}
    ontology = load(text, relations=EX + "partOf", min_confidence=0.1)
    assert edges(ontology) == {"a < b", "b < a", "c < b", "d < b", "c < d"}


def test_broader_and_narrower_are_one_link_with_one_confidence() -> None:
    text = (
        axiom(":a", ":b", 0.2, property="skos:broader")
        + ":b skos:narrower :a . :c skos:broader :b . "
        + axiom(":d", ":c", 0.2, property="skos:related")
        + ":c skos:related :d . :d a skos:Concept ."
    )
    ontology = load(text, min_confidence=0.3)
    assert (edges(ontology), pairs(ontology, "related"), concepts(ontology)) == ({"c < b"}, set(), {"b", "c"})
    ontology = load(text, min_confidence=0.2)
    assert edges(ontology) == {"a < b", "c < b"}
    assert pairs(ontology, "related") == {frozenset("cd")}


def test_a_related_link_keeps_a_concept_that_only_stood_in_broader() -> None:
    text = axiom(":a", ":b", 0.2, property="skos:broader") + ":c skos:broader :b . :a skos:related :c ."
    ontology = load(text, min_confidence=0.3)
    assert concepts(ontology) == {"a", "b", "c"}
    assert pairs(ontology, "related") == {frozenset("ac")}


def test_the_profile_is_that_of_the_whole_file() -> None:
    text = ":c skos:broader :d . " + "".join(axiom(f":a{i}", ":b", 0.2) for i in range(4)) + ":e rdfs:subClassOf :b ."
    assert load(text, min_confidence=0.3).source.profile == "owl"


FUNCTIONAL = """Prefix(:=<http://ex.org/>)
Ontology(<http://ex.org/o>
SubClassOf(Annotation(:confidence "0.2"^^<http://www.w3.org/2001/XMLSchema#double>) :a ObjectIntersectionOf(:b :c))
SubClassOf(Annotation(:confidence "0.9") :d :b)
SubClassOf(:e :b)
)"""


def test_functional_syntax_has_confidences_and_as_many_triples_as_without() -> None:
    whole = oe.load_ontology(FUNCTIONAL.encode())
    assert edges(whole) == {"a < b", "a < c", "d < b", "e < b"}
    ontology = oe.load_ontology(FUNCTIONAL.encode(), min_confidence=0.3)
    assert edges(ontology) == {"d < b", "e < b"}
    assert concepts(ontology) == {"b", "d", "e"}
    assert ontology.source.triples == whole.source.triples


def test_imported_links_are_judged_too(tmp_path: Path) -> None:
    (tmp_path / "more.ttl").write_text(PREFIXES + axiom(":x", ":b", 0.2) + axiom(":y", ":b", 0.9))
    ontology = load(axiom(":a", ":b", 0.9), imports=tmp_path / "more.ttl", min_confidence=0.5)
    assert edges(ontology) == {"a < b", "y < b"}


# Relations other than is-a


def relations(ontology: oe.Ontology) -> set[Relation]:
    assert ontology.relations is not None
    rows = ontology.relations.named_triples(ontology.hierarchy)
    return {tuple(name.removeprefix(EX).rpartition("#")[2] for name in row) for row in rows}  # type: ignore[misc]


SURE = ":a rdfs:subClassOf :b . :c rdfs:subClassOf :b . :p a owl:ObjectProperty . :i a :a . :j a :a . "


@pytest.mark.parametrize(
    ("doubtful", "relation"),
    [
        ("_:x owl:onProperty :p ; owl:someValuesFrom :c . " + axiom(":a", "_:x", 0.2), ("a", "p", "c")),
        ("_:x owl:onProperty :p ; owl:allValuesFrom :c . " + axiom(":a", "_:x", 0.2), ("a", "p", "c")),
        ("_:x owl:onProperty :p ; owl:hasValue :i . " + axiom(":a", "_:x", 0.2), ("a", "p", "i")),
        ("_:x owl:onProperty :p ; owl:someValuesFrom :c . " + axiom(":a", "_:x", 0.2, property="owl:equivalentClass"),
         ("a", "p", "c")),
        ("_:x owl:intersectionOf (:b _:y) . _:y owl:onProperty :p ; owl:someValuesFrom :c . " + axiom(":a", "_:x", 0.2),
         ("a", "p", "c")),
        (axiom(":i", ":j", 0.2, property=":p"), ("i", "p", "j")),
        (axiom(":a", ":c", 0.2, property=":p"), ("a", "p", "c")),
        (axiom(":p", ":a", 0.2, property="rdfs:domain"), ("p", "domain", "a")),
        (axiom(":p", ":c", 0.2, property="rdfs:range"), ("p", "range", "c")),
        ("_:x owl:unionOf (:a) . " + axiom(":p", "_:x", 0.2, property="rdfs:domain"), ("p", "domain", "a")),
        (axiom(":a", ":c", 0.2, property="skos:closeMatch"), ("a", "closeMatch", "c")),
        (axiom(":a", ":c", 0.2, property="skos:broadMatch"), ("a", "broadMatch", "c")),
    ],
)  # fmt: skip
def test_a_relation_below_the_threshold_is_left_out(doubtful: str, relation: Relation) -> None:
    sure = ":c rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :b ] . "
    ontology = load(SURE + doubtful + sure, min_confidence=0.2, other_relations=True)
    assert relations(ontology) == {relation, ("c", "p", "b")}
    assert ontology.source.notes[-1] == ("left out: 0 of 2 other relations (confidence < 0.2; min_confidence=)")
    ontology = load(SURE + doubtful + sure, min_confidence=0.3, other_relations=True)
    assert relations(ontology) == {("c", "p", "b")}
    assert ontology.source.notes[-1] == ("left out: 1 of 2 other relations (confidence < 0.3; min_confidence=)")
    assert ontology.describe()["low_confidence_relations"] == 1
    assert concepts(ontology) == {"a", "b", "c"}


@pytest.mark.parametrize("property", ["skos:relatedMatch", "skos:exactMatch", "owl:sameAs"])
def test_related_and_synonym_links_of_classes_have_confidences(property: str) -> None:
    text = SURE + axiom(":a", ":c", 0.2, property=property)
    kind = "related" if property == "skos:relatedMatch" else "synonyms"
    assert pairs(load(text, min_confidence=0.2), kind) == {frozenset("ac")}
    assert pairs(load(text, min_confidence=0.3), kind) == set()


def test_which_concepts_are_left_does_not_depend_on_relations() -> None:
    """d loses its only link; that it also has a relation does not keep it, nor make it an individual."""
    text = SURE + axiom(":d", ":b", 0.2) + ":a :p :d . :c :p :a . "
    for others in (False, True):
        ontology = load(text, min_confidence=0.3, other_relations=others)
        assert concepts(ontology) == {"a", "b", "c"}
    assert relations(ontology) == {("c", "p", "a")}


def test_a_score_of_links_counts_whatever_relations_have() -> None:
    text = SURE + axiom(":d", ":b", 0.2, name=":score") + axiom(":a", ":c", 0.2, property=":p")
    for others in (False, True):
        assert "d" not in concepts(load(text, min_confidence=0.3, other_relations=others))


FUNCTIONAL_RELATIONS = """Prefix(:=<http://ex.org/>)
Ontology(<http://ex.org/o>
Declaration(ObjectProperty(:p))
SubClassOf(Annotation(:confidence "0.2") :a ObjectSomeValuesFrom(:p :b))
SubClassOf(Annotation(:confidence "0.9") :a ObjectAllValuesFrom(:p :c))
EquivalentClasses(Annotation(:confidence "0.2") :b ObjectSomeValuesFrom(:p :c))
ObjectPropertyDomain(Annotation(:confidence "0.2") :p :a)
ObjectPropertyRange(:p :b)
ObjectPropertyAssertion(Annotation(:confidence "0.2") :p :i :j)
SubClassOf(:a :b) SubClassOf(:c :b)
)"""


def test_functional_syntax_has_confidences_of_relations() -> None:
    whole = oe.load_ontology(FUNCTIONAL_RELATIONS.encode(), min_confidence=0.2, other_relations=True)
    assert relations(whole) == {
        ("a", "p", "b"), ("a", "p", "c"), ("b", "p", "c"), ("p", "domain", "a"), ("p", "range", "b"), ("i", "p", "j"),
    }  # fmt: skip
    ontology = oe.load_ontology(FUNCTIONAL_RELATIONS.encode(), min_confidence=0.3, other_relations=True)
    assert relations(ontology) == {("a", "p", "c"), ("p", "range", "b")}
    assert edges(ontology) == edges(whole) == {"a < b", "c < b"}


# Against a brute force


def self_edges(hierarchy: Hierarchy) -> set[str]:
    return {hierarchy.iris[concept] for concept in hierarchy.self_edges.tolist()}


def as_stated(rows: Sequence[tuple], kind: str = "hierarchical") -> list[Stated]:
    return [(kind, *row[:2], row[2] if len(row) > 2 else None) for row in rows]


@given(hierarchies(weighted=True), st.sampled_from([-1.0, 0.0, 0.25, 0.3, 1.0, 2.5, 9.0]))
def test_tables_and_pairs_equal_a_brute_force(made: tuple[list, list[str]], least: float) -> None:
    rows, extra = made
    assume(any(len(row) > 2 for row in rows))
    links, left = confident_part(as_stated(rows), extra, least)
    lines = ["\t".join(map(str, row)) for row in rows] + [f"{name}\t" for name in extra]
    text = "child\tparent\tconfidence\n" + "\n".join(lines)
    entries = [dict(zip(("child", "parent", "confidence"), row, strict=False)) for row in rows]
    entries += [{"child": name, "parent": ""} for name in extra]
    for data, format in ((text, "tsv"), (json.dumps(entries), "pairs")):
        if not left:
            assert "no concepts are left" in refused(
                oe.load_ontology, data.encode(), format=format, min_confidence=least
            )
            continue
        ontology = oe.load_ontology(data.encode(), format=format, min_confidence=least)
        assert names(ontology) == left
        assert set(weighted_edges(ontology)) == {(a, b) for _, a, b in links if a != b}
        assert self_edges(ontology.hierarchy) == {a for _, a, b in links if a == b}
        whole = oe.load_ontology(data.encode(), format=format)
        if all(len(row) < 3 or row[2] >= least for row in rows):
            assert ontology.digest == whole.digest


@given(hierarchies(weighted=True), hierarchies(weighted=True), st.sampled_from([0.0, 0.3, 1.0, 2.5]), st.randoms())
def test_skos_equals_a_brute_force(made: tuple, other: tuple, least: float, random) -> None:  # type: ignore[no-untyped-def]
    stated = [*as_stated(made[0]), *as_stated(other[0][:4], "related")]
    assume(any(row[3] is not None for row in stated))
    every_name = sorted({name for _, a, b, _ in stated for name in (a, b)} | set(made[1]))
    node = {name: f":n{number}" for number, name in enumerate(every_name)}
    links, left = confident_part([(k, node[a], node[b], c) for k, a, b, c in stated], node.values(), least)
    lines = [f"{name} a skos:Concept ." for name in node.values()]
    for kind, a, b, confidence in stated:
        ends, property = (node[a], node[b]), "skos:broader" if kind == "hierarchical" else "skos:related"
        if random.random() < 0.5:
            ends, property = ends[::-1], {"skos:broader": "skos:narrower"}.get(property, property)
        lines.append(f"{ends[0]} {property} {ends[1]} ." if confidence is None
                     else axiom(*ends, confidence, property=property))  # fmt: skip
    random.shuffle(lines)
    if not left:
        assert "no concepts are left" in refused(load, "\n".join(lines), min_confidence=least)
        return
    ontology = load("\n".join(lines), min_confidence=least)
    assert {f":{name}" for name in concepts(ontology)} == left
    assert edges(ontology) == {f"{a[1:]} < {b[1:]}" for kind, a, b in links if kind == "hierarchical" and a != b}
    assert pairs(ontology, "related") == {
        frozenset((a[1:], b[1:])) for kind, a, b in links if kind == "related" and a != b
    }


CONFIDENCES = (None, None, 0.0, 0.2, 0.5, 1.0)


@given(hierarchies(weighted=True), st.sampled_from([0.0, 0.3, 1.0]), st.randoms())
def test_relations_equal_a_brute_force(made: tuple, least: float, random) -> None:  # type: ignore[no-untyped-def]
    stated = as_stated(made[0])
    every_name = sorted({name for row in stated for name in row[1:3]} | set(made[1]))
    node = {name: f":n{number}" for number, name in enumerate(every_name)}
    links, left = confident_part([(k, node[a], node[b], c) for k, a, b, c in stated], node.values(), least)
    lines = [f"{name} a owl:Class ." for name in node.values()] + [
        ":p a owl:ObjectProperty . :q a owl:ObjectProperty ."
    ]
    lines += [axiom(node[a], node[b], c) if c is not None else f"{node[a]} rdfs:subClassOf {node[b]} ."
              for _, a, b, c in stated]  # fmt: skip
    said = []
    for place in range(random.randint(1, 8)):
        a, b, confidence = random.choice([*node.values()]), random.choice([*node.values()]), random.choice(CONFIDENCES)
        form, name = random.choice(["some", "assertion", "domain"]), random.choice(["p", "q"])
        source, property, target = {"some": (a, "rdfs:subClassOf", f"_:r{place}"), "assertion": (a, f":{name}", b),
                                    "domain": (f":{name}", "rdfs:domain", b)}[form]  # fmt: skip
        if form == "some":
            lines.append(f"{target} owl:onProperty :{name} ; owl:someValuesFrom {b} .")
        lines.append(f"{source} {property} {target} ." if confidence is None
                     else axiom(source, target, confidence, property=property))  # fmt: skip
        relation = (name, "domain", b[1:]) if form == "domain" else (a[1:], name, b[1:])
        said.append((f"{source} {property} {target}", relation, confidence))
    assume(left and any(row[-1] is not None for row in (*stated, *said)))
    random.shuffle(lines)
    ontology = load("\n".join(lines), min_confidence=least, other_relations=True)
    assert {f":{name}" for name in concepts(ontology)} == left
    assert edges(ontology) == {f"{a[1:]} < {b[1:]}" for _, a, b in links if a != b}
    assert relations(ontology) == confident_relations(said, {name[1:] for name in left}, least)
