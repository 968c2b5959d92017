"""OWL and RDFS to hierarchy: each rule on a few lines of Turtle."""

from __future__ import annotations

import pytest
from snippets import EX, concepts, edges, instances, load, pairs, short

import ontoeval as oe
from ontoeval.errors import LoadError, ParameterError
from ontoeval.model.lexicon import ROLES

THING = "http://www.w3.org/2002/07/owl#Thing"


def labels(ontology: oe.Ontology, name: str) -> list[tuple[str, str, str]]:
    return [tuple(label) for label in ontology.lexicon.entries(ontology.hierarchy.id(EX + name))]


# Named classes and subClassOf


def test_named_classes_and_subclass_links_are_concepts_and_edges() -> None:
    ontology = load(":a a owl:Class . :b a owl:Class ; rdfs:subClassOf :a . :c a owl:Class ; rdfs:subClassOf :a, :b .")
    assert concepts(ontology) == {"a", "b", "c"}
    assert edges(ontology) == {"b < a", "c < a", "c < b"}
    assert ontology.source.profile == "owl"
    assert not ontology.hierarchy.root_added


def test_a_redundant_link_is_kept() -> None:
    ontology = load(":b rdfs:subClassOf :a . :c rdfs:subClassOf :b, :a .")
    assert edges(ontology) == {"b < a", "c < b", "c < a"}


def test_rdfs_classes_count_without_being_owl_classes() -> None:
    ontology = load(":a a rdfs:Class . :b a rdfs:Class ; rdfs:subClassOf :a .")
    assert concepts(ontology) == {"a", "b"}


def test_classes_that_only_occur_in_subclass_links_count() -> None:
    ontology = load(":b rdfs:subClassOf :a .")
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == {"b < a"}


def test_a_class_above_a_nameless_one_counts() -> None:
    """It occurs in subClassOf, though the link says nothing about named classes."""
    ontology = load(
        ":a a owl:Class . [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :a ] rdfs:subClassOf :b ."
    )
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == set()


def test_a_class_below_a_restriction_only_counts() -> None:
    ontology = load(
        ":a a owl:Class . :b rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :a ] ."
    )
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == set()


def test_a_named_subclass_that_is_a_literal_is_nothing() -> None:
    ontology = load(':a a owl:Class . :b a owl:Class ; rdfs:subClassOf "a" .')
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == set()


def test_properties_individuals_and_datatypes_are_no_concepts() -> None:
    ontology = load(
        ":a a owl:Class . :p a owl:ObjectProperty ; rdfs:domain :a ; rdfs:range :a . :q rdfs:subPropertyOf :p ."
        " :i a :a . :j a owl:NamedIndividual . :d a rdfs:Datatype . :n a owl:AnnotationProperty ; rdfs:label 'n' ."
    )
    assert concepts(ontology) == {"a"}


@pytest.mark.parametrize("kind", ["owl:Class", "rdfs:Class"])
def test_anonymous_classes_are_no_concepts(kind: str) -> None:
    ontology = load(f":a a owl:Class . [] a {kind} ; rdfs:subClassOf :a . :b rdfs:subClassOf [ a {kind} ] .")
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == set()


# Restrictions


@pytest.mark.parametrize(
    "restriction",
    [
        "owl:someValuesFrom :b",
        "owl:allValuesFrom :b",
        "owl:hasValue :i",
        "owl:minCardinality 1",
        "owl:onClass :b ; owl:minQualifiedCardinality 1",
        "owl:hasSelf true",
    ],
)
@pytest.mark.parametrize("link", ["rdfs:subClassOf", "owl:equivalentClass"])
def test_restrictions_give_nothing(restriction: str, link: str) -> None:
    ontology = load(
        f":a a owl:Class . :b a owl:Class . :a {link} [ a owl:Restriction ; owl:onProperty :p ; {restriction} ] ."
    )
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == set()


@pytest.mark.parametrize("expression", ["owl:complementOf :b", "owl:oneOf ( :b )", "owl:disjointWith :b"])
def test_other_expressions_give_nothing(expression: str) -> None:
    ontology = load(f":a a owl:Class ; rdfs:subClassOf [ a owl:Class ; {expression} ] . :b a owl:Class .")
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == set()


def test_disjointness_gives_nothing() -> None:
    ontology = load(":a a owl:Class ; owl:disjointWith :b . :b a owl:Class .")
    assert edges(ontology) == set()


# owl:Thing, owl:Nothing and the added root

ONE_ROOT = ":b rdfs:subClassOf :a . :c rdfs:subClassOf :a . :a a owl:Class ."
TWO_ROOTS = ":b rdfs:subClassOf :a . :d rdfs:subClassOf :c ."
FLOATING_CYCLE = ":a rdfs:subClassOf :b . :b rdfs:subClassOf :a . :c rdfs:subClassOf :b . :d a owl:Class ."


def shape(ontology: oe.Ontology) -> tuple[object, ...]:
    hierarchy = ontology.hierarchy
    return (
        hierarchy.iris,
        hierarchy.root_added,
        hierarchy.attached.tolist(),
        hierarchy.parents.indptr.tolist(),
        hierarchy.parents.indices.tolist(),
        hierarchy.self_edges.tolist(),
        ontology.lexicon.texts,
    )


@pytest.mark.parametrize("content", [ONE_ROOT, TWO_ROOTS, FLOATING_CYCLE])
@pytest.mark.parametrize(
    "link",
    [
        ":a rdfs:subClassOf owl:Thing .",
        ":a rdfs:subClassOf owl:Thing . :b rdfs:subClassOf owl:Thing . :c rdfs:subClassOf owl:Thing .",
        "owl:Thing a owl:Class ; rdfs:label 'everything'@en .",
        "owl:Thing rdfs:subClassOf owl:Thing .",
        "owl:Thing rdfs:subClassOf :a .",
        ":a rdfs:subClassOf [ owl:intersectionOf ( owl:Thing owl:Thing ) ] .",
        "owl:Thing owl:equivalentClass :a .",
        "owl:Thing owl:equivalentClass [ owl:unionOf ( :a :c ) ] .",
        "owl:Thing owl:unionOf ( :a :c ) .",
        ":a rdfs:subClassOf rdfs:Resource .",
        "owl:Nothing a owl:Class ; rdfs:subClassOf :a, :b .",
        ":c rdfs:subClassOf owl:Nothing .",
        ":c owl:equivalentClass owl:Nothing .",
    ],
)
def test_links_to_thing_and_nothing_never_change_anything(content: str, link: str) -> None:
    assert shape(load(content + link)) == shape(load(content))


def test_a_class_that_is_only_below_thing_is_a_concept_without_an_edge() -> None:
    ontology = load(":a rdfs:subClassOf owl:Thing . :b rdfs:subClassOf owl:Thing .")
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == set()


def test_thing_as_a_restriction_filler_gives_nothing_even_for_a_chosen_relation() -> None:
    text = ":a a owl:Class ; rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom owl:Thing ] . :b a owl:Class ."
    ontology = load(text, relations=[EX + "p"])
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == set()


def test_an_added_root_is_shown_as_thing() -> None:
    ontology = load(TWO_ROOTS)
    assert ontology.hierarchy.iris[0] == THING
    assert ontology.hierarchy.root_added
    assert {short(ontology.hierarchy.iris[c]) for c in ontology.hierarchy.attached.tolist()} == {"a", "c"}
    assert ontology.describe()["root"] == THING
    assert ontology.describe()["root_added"] is True
    assert ontology.lexicon.labels(0) == ()  # an added root has no label


def test_a_file_of_thing_alone_has_no_concept() -> None:
    with pytest.raises(LoadError) as caught:
        load("owl:Thing a owl:Class . owl:Nothing rdfs:subClassOf owl:Thing .")
    assert str(caught.value) == (
        "(bytes): no concepts found: no class, no SKOS concept, no link. Use an ontology, or set another profile=."
    )


# Cycles


def test_cycles_and_self_edges_are_kept_and_counted() -> None:
    ontology = load(":a rdfs:subClassOf :b . :b rdfs:subClassOf :a . :c rdfs:subClassOf :c, :a .")
    assert edges(ontology) == {"a < b", "b < a", "c < a"}
    assert ontology.describe()["cycles"] == [[EX + "a", EX + "b", EX + "a"], [EX + "c", EX + "c"]]
    assert ontology.describe()["loops"] == 3
    assert ontology.describe()["self_edges"] == 1
    assert ontology.hierarchy.root_added  # the single top is a cycle, not a concept


# Deprecated classes


@pytest.mark.parametrize(
    "mark",
    [
        ":b owl:deprecated true .",
        ':b owl:deprecated "true"^^xsd:boolean .',
        ':b owl:deprecated "true" .',
        ':b owl:deprecated "1"^^xsd:boolean .',
        ":b a owl:DeprecatedClass .",
    ],
)
def test_deprecated_classes_are_left_out_unless_asked_for(mark: str) -> None:
    text = f":b rdfs:subClassOf :a . :c rdfs:subClassOf :b . :d a :b . {mark}"
    ontology = load(text)
    assert concepts(ontology) == {"a", "c"}
    assert edges(ontology) == set()
    assert instances(ontology) == set()
    assert ontology.describe()["deprecated"] == 1
    kept = load(text, deprecated=True)
    assert concepts(kept) == {"a", "b", "c"}
    assert edges(kept) == {"b < a", "c < b"}
    assert kept.describe()["deprecated"] == 0


EARLY_EXPORT = """
@prefix obo: <http://www.geneontology.org/formats/oboInOwl#> .
obo:DbXref a owl:Class . obo:Definition a owl:Class . obo:Subset a owl:Class . obo:Synonym a owl:Class .
obo:SynonymType a owl:Class . obo:ObsoleteClass a owl:Class ; rdfs:label "Obsolete Class" .
:a a owl:Class . :b rdfs:subClassOf :a . :old a owl:Class ; rdfs:subClassOf obo:ObsoleteClass .
:goslim a obo:Subset . [] a obo:Definition ; rdfs:label "what it means" .
"""


def test_classes_of_obo_in_owl_are_no_concepts_and_obsolete_ones_are_deprecated() -> None:
    ontology = load(EARLY_EXPORT)
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == {"b < a"}
    assert ontology.describe()["deprecated"] == 1
    assert ontology.describe()["instances"] == 0
    assert concepts(load(EARLY_EXPORT, deprecated=True)) >= {"a", "b", "old"}
    itself = load(EARLY_EXPORT + "<http://www.geneontology.org/formats/oboInOwl> a owl:Ontology .")
    assert len(itself.hierarchy.iris) == 9 + itself.hierarchy.root_added


def test_deprecated_false_is_not_deprecated() -> None:
    ontology = load(":b rdfs:subClassOf :a ; owl:deprecated false .")
    assert concepts(ontology) == {"a", "b"}
    assert ontology.describe()["deprecated"] == 0


def test_what_is_deprecated_but_no_class_is_not_counted() -> None:
    ontology = load(":a a owl:Class . :p a owl:ObjectProperty ; owl:deprecated true .")
    assert ontology.describe()["deprecated"] == 0


def test_a_class_known_only_as_deprecated_is_a_class() -> None:
    ontology = load(":a a owl:Class . :b a owl:DeprecatedClass .", deprecated=True)
    assert concepts(ontology) == {"a", "b"}


def test_a_file_of_deprecated_classes_alone_says_so() -> None:
    with pytest.raises(LoadError) as caught:
        load(":a a owl:Class ; owl:deprecated true . :b a owl:DeprecatedClass .")
    assert str(caught.value) == "(bytes): all concepts are deprecated (2). Set deprecated=True to keep them."


# Intersections


@pytest.mark.parametrize("link", ["rdfs:subClassOf", "owl:equivalentClass"])
def test_named_conjuncts_of_an_intersection_are_superclasses(link: str) -> None:
    ontology = load(
        f":a {link} [ a owl:Class ; owl:intersectionOf"
        " ( :b [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :d ] :c owl:Thing ) ] . :d a owl:Class ."
    )
    assert edges(ontology) == {"a < b", "a < c"}
    assert concepts(ontology) == {"a", "b", "c", "d"}
    assert pairs(ontology, "synonyms") == set()


def test_an_equivalence_may_have_its_expression_first() -> None:
    ontology = load("[ owl:intersectionOf ( :b :c ) ] owl:equivalentClass :a .")
    assert edges(ontology) == {"a < b", "a < c"}


def test_an_intersection_may_stand_on_the_class_itself() -> None:
    ontology = load(":a a owl:Class ; owl:intersectionOf ( :b [ owl:intersectionOf ( :c :d ) ] ) .")
    assert edges(ontology) == {"a < b", "a < c", "a < d"}


def test_nested_intersections_are_looked_into_and_nested_unions_are_not() -> None:
    ontology = load(
        ":a rdfs:subClassOf [ owl:intersectionOf"
        " ( :b [ owl:intersectionOf ( [ owl:intersectionOf ( :c ) ] [ owl:unionOf ( :d :e ) ] ) ] ) ] ."
        " :d a owl:Class . :e a owl:Class ."
    )
    assert edges(ontology) == {"a < b", "a < c"}


def test_members_of_an_intersection_that_has_a_subclass_are_not_below_anything() -> None:
    ontology = load("[ owl:intersectionOf ( :b :c ) ] rdfs:subClassOf :a . :b a owl:Class . :c a owl:Class .")
    assert edges(ontology) == set()


# Unions


def test_named_members_of_an_equivalent_union_are_subclasses() -> None:
    ontology = load(":a owl:equivalentClass [ owl:unionOf ( :b [ owl:onProperty :p ] :c owl:Nothing ) ] .")
    assert edges(ontology) == {"b < a", "c < a"}


def test_nested_unions_are_looked_into_and_nested_intersections_are_not() -> None:
    ontology = load(
        ":a owl:equivalentClass [ owl:unionOf ( :b [ owl:unionOf ( :c ) ] [ owl:intersectionOf ( :d :e ) ] ) ] ."
        " :d a owl:Class . :e a owl:Class ."
    )
    assert edges(ontology) == {"b < a", "c < a"}


def test_a_union_may_stand_on_the_class_itself() -> None:
    ontology = load(":a a owl:Class ; owl:unionOf ( :b :c ) .")
    assert edges(ontology) == {"b < a", "c < a"}


def test_a_union_that_a_class_is_only_below_gives_nothing() -> None:
    ontology = load(":a rdfs:subClassOf [ owl:unionOf ( :b :c ) ] . :b a owl:Class . :c a owl:Class .")
    assert concepts(ontology) == {"a", "b", "c"}
    assert edges(ontology) == set()


def test_members_of_a_disjoint_union_are_subclasses() -> None:
    ontology = load(":a a owl:Class ; owl:disjointUnionOf ( :b :c [ owl:onProperty :p ] ) .")
    assert edges(ontology) == {"b < a", "c < a"}
    assert concepts(ontology) == {"a", "b", "c"}


# Equivalent named classes


def test_equivalent_named_classes_are_a_cycle_and_a_synonym_edge() -> None:
    ontology = load(":a a owl:Class ; owl:equivalentClass :b . :b a owl:Class . :c rdfs:subClassOf :a .")
    assert edges(ontology) == {"a < b", "b < a", "c < a"}
    assert pairs(ontology, "synonyms") == {frozenset("ab")}
    assert ontology.hierarchy.synonyms.weights.tolist() == [0.0, 0.0]
    assert ontology.describe()["synonyms"] == 1
    assert ontology.describe()["cycles"] == [[EX + "a", EX + "b", EX + "a"]]


def test_an_equivalence_said_twice_counts_once() -> None:
    ontology = load(":a a owl:Class ; owl:equivalentClass :b . :b a owl:Class ; owl:equivalentClass :a .")
    assert ontology.describe()["synonyms"] == 1
    assert edges(ontology) == {"a < b", "b < a"}


def test_an_equivalence_to_a_class_of_another_ontology_is_left_out_and_noted() -> None:
    ontology = load(":a a owl:Class ; owl:equivalentClass <http://other.org/a> . :b rdfs:subClassOf :a .")
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == {"b < a"}
    assert pairs(ontology, "synonyms") == set()
    assert [note for note in ontology.source.notes if "equivalence" in note and "outside the file" in note]
    assert ontology.describe()["notes"] == list(ontology.source.notes)


def test_an_equivalence_to_a_class_that_occurs_elsewhere_is_not_outside() -> None:
    ontology = load(
        ":a a owl:Class ; owl:equivalentClass <http://other.org/a> . :b rdfs:subClassOf <http://other.org/a> ."
    )
    assert edges(ontology) == {"a < http://other.org/a", "http://other.org/a < a", "b < http://other.org/a"}
    assert ontology.source.notes == ()


def test_an_equivalence_to_a_deprecated_class_is_not_outside() -> None:
    ontology = load(":a a owl:Class ; owl:equivalentClass :b . :b a owl:Class ; owl:deprecated true .")
    assert concepts(ontology) == {"a"}
    assert ontology.source.notes == ()


@pytest.mark.parametrize("link", ["owl:sameAs", "skos:exactMatch"])
def test_same_as_between_classes_is_a_synonym_edge_alone(link: str) -> None:
    ontology = load(f":a a owl:Class ; {link} :b, :a, <http://other.org/x> . :b a owl:Class .")
    assert pairs(ontology, "synonyms") == {frozenset("ab")}
    assert edges(ontology) == set()
    assert concepts(ontology) == {"a", "b"}


def test_related_classes_are_related_edges() -> None:
    ontology = load(":a a owl:Class ; skos:related :b . :b a owl:Class .")
    assert pairs(ontology, "related") == {frozenset("ab")}
    assert ontology.hierarchy.related.weights.tolist() == [1.0, 1.0]


# Broken lists


@pytest.mark.parametrize(
    ("broken", "parents"),
    [
        ("_:l rdf:first :b ; rdf:rest _:m .", {"b"}),  # ends nowhere
        ("_:l rdf:first :b .", {"b"}),  # no rest
        ("_:l rdf:first :b ; rdf:rest _:l .", {"b"}),  # a circle of one
        ("_:l rdf:first :b ; rdf:rest _:m . _:m rdf:first :c ; rdf:rest _:l .", {"b", "c"}),  # a circle of two
        ("_:l rdf:rest _:m . _:m rdf:first :c ; rdf:rest rdf:nil .", {"c"}),  # a cell without a member
        ('_:l rdf:first :b ; rdf:rest "end" .', {"b"}),  # a literal for a rest
        ('_:l rdf:first "b" ; rdf:rest rdf:nil .', set()),  # a literal for a member
        ("_:l rdf:first _:a ; rdf:rest ( :b ) .", {"b"}),  # an intersection inside itself
        ("_:l a :z .", set()),  # no list at all
    ],
)
def test_broken_lists_give_what_can_be_read(broken: str, parents: set[str]) -> None:
    more = ":b a owl:Class . :c a owl:Class ."
    ontology = load(f":a rdfs:subClassOf _:a . _:a owl:intersectionOf _:l . {broken} {more}")
    assert edges(ontology) == {f"a < {parent}" for parent in parents}


def test_an_intersection_of_no_list_but_a_class_gives_nothing() -> None:
    ontology = load(":a rdfs:subClassOf [ owl:intersectionOf :b ] . :b a owl:Class .")
    assert edges(ontology) == set()


def test_a_long_list_needs_no_deep_stack() -> None:
    members = " ".join(f":m{i}" for i in range(3000))
    ontology = load(f":a owl:equivalentClass [ owl:unionOf ( {members} ) ] .")
    assert len(edges(ontology)) == 3000


# Punning


def test_a_class_that_is_an_individual_too_is_both() -> None:
    ontology = load(":species a owl:Class . :eagle a owl:Class, :species ; rdfs:subClassOf :bird . :harry a :eagle .")
    assert concepts(ontology) == {"species", "eagle", "bird"}
    assert edges(ontology) == {"eagle < bird"}
    assert instances(ontology) == {"eagle: species", "harry: eagle"}


def test_a_class_that_is_a_property_too_is_a_class() -> None:
    ontology = load(":a a owl:Class, owl:ObjectProperty . :b rdfs:subClassOf :a .")
    assert edges(ontology) == {"b < a"}


# Further relations

PART = EX + "partOf"


def test_a_relation_between_classes_is_no_edge_unless_asked_for() -> None:
    text = ":b a owl:Class ; :partOf :a . :a a owl:Class ."
    assert edges(load(text)) == set()
    assert edges(load(text, relations=[PART])) == {"b < a"}


@pytest.mark.parametrize("link", ["rdfs:subClassOf", "owl:equivalentClass"])
def test_a_some_restriction_on_a_chosen_relation_is_an_edge(link: str) -> None:
    text = f":b {link} [ a owl:Restriction ; owl:onProperty :partOf ; owl:someValuesFrom :a ] . :a a owl:Class ."
    assert edges(load(text)) == set()
    assert edges(load(text, relations=[PART])) == {"b < a"}
    assert edges(load(text, relations=[EX + "other"])) == set()


def test_a_restriction_inside_an_intersection_counts_for_a_chosen_relation() -> None:
    text = (
        ":b owl:equivalentClass [ owl:intersectionOf"
        " ( :c [ owl:intersectionOf ( [ owl:onProperty :partOf ; owl:someValuesFrom :a ] ) ] ) ] . :a a owl:Class ."
    )
    assert edges(load(text, relations=[PART])) == {"b < a", "b < c"}


@pytest.mark.parametrize("kind", ["owl:allValuesFrom", "owl:hasValue", "owl:onClass"])
def test_only_some_restrictions_count_for_a_chosen_relation(kind: str) -> None:
    text = f":b rdfs:subClassOf [ owl:onProperty :partOf ; {kind} :a ] . :a a owl:Class ."
    assert edges(load(text, relations=[PART])) == set()


def test_several_relations_may_be_chosen() -> None:
    text = ":b a owl:Class ; :partOf :a ; :in :c ; :eats :d . :a a owl:Class . :c a owl:Class . :d a owl:Class ."
    assert edges(load(text, relations=[PART, EX + "in"])) == {"b < a", "b < c"}


def test_a_chosen_relation_to_something_nameless_gives_nothing() -> None:
    ontology = load(":b a owl:Class ; :partOf [ a :a ] . :a a owl:Class .", relations=[PART])
    assert edges(ontology) == set()


def test_a_chosen_relation_between_individuals_makes_no_concepts() -> None:
    """Concepts are the named classes; part_of holds between individuals as well."""
    ontology = load(":a a owl:Class . :berlin a :a ; :partOf :germany . :germany a :a .", relations=[PART])
    assert concepts(ontology) == {"a"}
    assert instances(ontology) == {"berlin: a", "germany: a"}


def test_a_relation_that_is_no_iri_is_the_callers_mistake_not_the_files() -> None:
    with pytest.raises(ParameterError) as caught:
        load(":a a owl:Class .", relations=["part of"])
    assert "'part of'" in str(caught.value)
    assert "Correct the file" not in str(caught.value)


# Former names


def test_alternative_ids_are_aliases() -> None:
    ontology = load('obo:GO_1 a owl:Class ; oio:hasAlternativeId "GO:2", "GO:3" . obo:GO_4 rdfs:subClassOf obo:GO_1 .')
    obo = "http://purl.obolibrary.org/obo/"
    assert dict(ontology.aliases) == {obo + "GO_2": obo + "GO_1", obo + "GO_3": obo + "GO_1"}
    assert set(ontology.hierarchy.iris) == {obo + "GO_1", obo + "GO_4"}


def test_an_alternative_id_that_is_a_live_class_is_no_alias() -> None:
    ontology = load('obo:GO_1 a owl:Class ; oio:hasAlternativeId "GO:2" . obo:GO_2 a owl:Class .')
    assert dict(ontology.aliases) == {}


def test_an_alias_of_a_class_that_was_left_out_is_left_out() -> None:
    ontology = load(':a a owl:Class . obo:GO_1 a owl:Class ; owl:deprecated true ; oio:hasAlternativeId "GO:2" .')
    assert dict(ontology.aliases) == {}


def test_a_former_name_that_a_deprecated_class_claims_too_is_the_live_ones() -> None:
    former = 'oio:hasAlternativeId "GO:9" .'
    ontology = load(f"obo:GO_1 a owl:DeprecatedClass ; {former} obo:GO_2 a owl:Class ; {former}")
    obo = "http://purl.obolibrary.org/obo/"
    assert dict(ontology.aliases) == {obo + "GO_9": obo + "GO_2"}


@pytest.mark.parametrize("order", [1, -1])
def test_a_former_name_that_several_classes_claim_is_the_first_ones_by_iri(order: int) -> None:
    lines = [f'obo:GO_{number} a owl:Class ; oio:hasAlternativeId "GO:9" .' for number in (1, 2, 3)]
    ontology = load("\n".join(lines[::order]))
    obo = "http://purl.obolibrary.org/obo/"
    assert dict(ontology.aliases) == {obo + "GO_9": obo + "GO_1"}


def test_a_former_name_may_choose_a_part() -> None:
    text = 'obo:GO_1 a owl:Class ; oio:hasAlternativeId "GO:2" . obo:GO_4 rdfs:subClassOf obo:GO_1 . :a a owl:Class .'
    for name in ("http://purl.obolibrary.org/obo/GO_2", "GO:2", "GO:1", "GO_1"):
        ontology = load(text, below=name)
        assert {iri.rpartition("/")[2] for iri in ontology.hierarchy.iris} == {"GO_1", "GO_4"}, name


# Labels


def test_labels_have_roles_and_languages() -> None:
    ontology = load(
        ':a a owl:Class ; rdfs:label "A"@en, "a" ; skos:altLabel "Ah"@en-GB ; skos:hiddenLabel "h" ;'
        ' oio:hasExactSynonym "e" ; oio:hasNarrowSynonym "n" ; oio:hasBroadSynonym "b" ; oio:hasRelatedSynonym "r" ;'
        ' dct:title "t"@de ; schema:name "s" ; skos:prefLabel "P"@EN .'
    )
    assert set(labels(ontology, "a")) == {
        ("A", "en", "preferred"),
        ("P", "en", "preferred"),
        ("a", "", "preferred"),
        ("t", "de", "title"),
        ("s", "", "title"),
        ("Ah", "en-gb", "alternative"),
        ("e", "", "exact"),
        ("h", "", "hidden"),
        ("n", "", "narrow"),
        ("b", "", "broad"),
        ("r", "", "related"),
    }
    roles = [role for _, _, role in labels(ontology, "a")]
    assert roles == sorted(roles, key=ROLES.index)  # preferred first
    assert roles[0] == "preferred"


@pytest.mark.parametrize(
    ("local", "words"),
    [
        ("ConferenceMember", "Conference Member"),
        ("conferenceMember", "conference Member"),
        ("conference_member", "conference member"),
        ("conference-member", "conference member"),
        ("conference%20member", "conference member"),
        ("ns#Member", "Member"),
        ("OWLClass", "OWL Class"),
        ("K%C3%A4se", "Käse"),
        ("car", "car"),
    ],
)
def test_the_local_name_stands_in_for_a_missing_label(local: str, words: str) -> None:
    ontology = load(f"<{EX}{local}> a owl:Class .")
    assert ontology.lexicon.labels(0) == (words,)
    assert ontology.describe()["unlabelled"] == 1
    assert ontology.describe()["labels"] == 0


def test_a_label_that_is_no_literal_is_no_label() -> None:
    ontology = load(":a a owl:Class ; rdfs:label :b .")
    assert ontology.lexicon.labels(0) == ("a",)
    assert ontology.describe()["unlabelled"] == 1


def test_labels_of_what_is_no_concept_are_left_out() -> None:
    ontology = load(":a a owl:Class ; rdfs:label 'A' . :p a owl:ObjectProperty ; rdfs:label 'P' . [] rdfs:label 'B' .")
    assert ontology.lexicon.texts == ("A",)


# Individuals and documents


def test_individuals_sit_on_the_classes_that_they_are_typed_with() -> None:
    ontology = load(
        ":b rdfs:subClassOf :a . :i a :a, :b, owl:NamedIndividual, :unknown . :j a owl:Thing . [] a :a ."
        " :k a [ a owl:Restriction ] ."
    )
    assert instances(ontology) == {"i: a", "i: b"}
    assert ontology.describe()["instances"] == 1
    assert ontology.instances is not None
    assert not ontology.instances.strict


def test_documents_sit_on_their_subjects() -> None:
    ontology = load(":a a owl:Class . :d dct:subject :a, :unknown . [] dct:subject :a .")
    assert instances(ontology) == {"d: a"}


def test_a_property_from_document_to_concept_may_be_given() -> None:
    text = ":a a owl:Class . :d :about :a . :e dct:subject :a ."
    assert instances(load(text)) == {"e: a"}
    assert instances(load(text, instance_property=EX + "about")) == {"d: a", "e: a"}


def test_a_file_without_individuals_has_no_instances() -> None:
    ontology = load(":a a owl:Class .")
    assert ontology.instances is None
    assert ontology.describe()["instances"] == 0


def test_the_ontologys_iri_and_the_number_of_triples_are_noted() -> None:
    ontology = load(":o a owl:Ontology . :a a owl:Class . :b rdfs:subClassOf :a .")
    assert ontology.source.iri == EX + "o"
    assert ontology.source.triples == 3
    assert ontology.source.format == "turtle"


# Related classes of different vocabularies


def test_related_matches_are_ways_for_measures_of_relatedness() -> None:
    """b < a, d < c < a: three steps from b to d through the hierarchy, one by the match."""
    text = ":b rdfs:subClassOf :a . :c rdfs:subClassOf :a . :d rdfs:subClassOf :c . :b skos:relatedMatch :d ."
    ontology = load(text)
    assert pairs(ontology, "related") == {frozenset("bd")}
    ends = [EX + "b"], [EX + "d"]
    assert oe.relate(ontology, *ends, "Rada(scale=distance, edges=relatedness)").tolist() == [1.0]
    assert oe.relate(ontology, *ends, "Rada(edges=relatedness)").tolist() == [1 / (1 + 1)]
    assert oe.relate(ontology, *ends, "Rada(scale=distance)").tolist() == [3.0]


# Two OBO namespaces of one class


@pytest.mark.parametrize("both", ["'a', 'b'", "'b', 'a'"])
def test_of_two_namespaces_the_smaller_one_counts_as_in_obo_files(both: str) -> None:
    owl = f":x a owl:Class ; oio:hasOBONamespace {both} . :y a owl:Class ; oio:hasOBONamespace 'b' ."
    assert concepts(load(owl, namespaces="a")) == {"x"}
    assert concepts(load(owl, namespaces="b")) == {"y"}
    stanzas = "".join(f"[Term]\nid: X:1\nnamespace: {name.strip()[1]}\n\n" for name in both.split(","))
    obo = f"format-version: 1.4\n\n{stanzas}[Term]\nid: X:2\nnamespace: b\n"
    for namespace, local in (("a", "X_1"), ("b", "X_2")):
        ontology = oe.load_ontology(obo.encode(), namespaces=namespace)
        assert ontology.hierarchy.iris == (f"http://purl.obolibrary.org/obo/{local}",)
