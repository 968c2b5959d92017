"""SKOS to hierarchy: each rule on a few lines of Turtle."""

from __future__ import annotations

import pytest
from snippets import EX, concepts, edges, instances, load, pairs, short

import ontoeval as oe
from ontoeval.errors import LoadError, ParameterError

THREE = ":a a skos:Concept . :b a skos:Concept . :c a skos:Concept . "


def labels(ontology: oe.Ontology, name: str) -> set[tuple[str, str, str]]:
    return {tuple(label) for label in ontology.lexicon.entries(ontology.hierarchy.id(EX + name))}


# Broader and narrower


@pytest.mark.parametrize(
    "link",
    [
        ":b skos:broader :a .",
        ":a skos:narrower :b .",
        ":b skos:broader :a . :a skos:narrower :b .",
    ],
)
def test_broader_and_narrower_are_the_same_edge(link: str) -> None:
    ontology = load(THREE + link)
    assert edges(ontology) == {"b < a"}
    assert concepts(ontology) == {"a", "b", "c"}
    assert ontology.source.profile == "skos"
    assert ontology.describe()["given_edges"] == 1


def test_concepts_that_only_occur_in_an_edge_count() -> None:
    ontology = load(":b skos:broader :a . :b skos:narrower :c .")
    assert concepts(ontology) == {"a", "b", "c"}
    assert edges(ontology) == {"b < a", "c < b"}


def test_an_added_root_is_no_owl_thing() -> None:
    ontology = load(THREE)
    assert ontology.hierarchy.iris[0] == "(root)"
    assert ontology.hierarchy.root_added
    assert ontology.lexicon.labels(0) == ()


def test_cycles_and_self_edges_are_kept() -> None:
    ontology = load(THREE + ":a skos:broader :b . :b skos:broader :a . :c skos:narrower :c .")
    assert edges(ontology) == {"a < b", "b < a"}
    assert ontology.describe()["self_edges"] == 1
    assert ontology.describe()["loops"] == 3


def test_blank_nodes_are_no_concepts() -> None:
    ontology = load(THREE + "[] a skos:Concept ; skos:broader :a . :b skos:broader [ a skos:Concept ] .")
    assert concepts(ontology) == {"a", "b", "c"}
    assert edges(ontology) == set()


@pytest.mark.parametrize("link", [":b skos:broaderTransitive :a .", ":a skos:narrowerTransitive :b ."])
def test_transitive_links_count_only_if_asked_for(link: str) -> None:
    assert edges(load(THREE + link)) == set()
    assert edges(load(THREE + link, transitive=True)) == {"b < a"}
    assert edges(load(THREE + link, mappings=True)) == set()


@pytest.mark.parametrize("link", [":b skos:broadMatch :a .", ":a skos:narrowMatch :b ."])
def test_hierarchical_mappings_count_only_if_asked_for(link: str) -> None:
    assert edges(load(THREE + link)) == set()
    assert edges(load(THREE + link, mappings=True)) == {"b < a"}
    assert edges(load(THREE + link, transitive=True)) == set()


def test_a_mapping_to_another_vocabulary_makes_its_concept_one_of_ours_only_if_asked_for() -> None:
    text = THREE + ":b skos:broadMatch <http://other.org/x> ."
    assert concepts(load(text)) == {"a", "b", "c"}
    assert concepts(load(text, mappings=True)) == {"a", "b", "c", "http://other.org/x"}


# Related, exact and close matches


@pytest.mark.parametrize("link", ["skos:related", "skos:relatedMatch"])
def test_related_concepts_are_related_edges_of_weight_1(link: str) -> None:
    ontology = load(THREE + f":a {link} :b, :a, <http://other.org/x> .")
    assert pairs(ontology, "related") == {frozenset("ab")}
    assert ontology.hierarchy.related.weights.tolist() == [1.0, 1.0]
    assert edges(ontology) == set()
    assert concepts(ontology) == {"a", "b", "c"}


@pytest.mark.parametrize("link", ["skos:exactMatch", "owl:sameAs"])
def test_exact_matches_are_synonym_edges_of_weight_0(link: str) -> None:
    ontology = load(THREE + f":a {link} :b, <http://other.org/x> .")
    assert pairs(ontology, "synonyms") == {frozenset("ab")}
    assert ontology.hierarchy.synonyms.weights.tolist() == [0.0, 0.0]
    assert edges(ontology) == set()
    assert concepts(ontology) == {"a", "b", "c"}


def test_close_matches_are_synonym_edges_only_if_asked_for() -> None:
    text = THREE + ":a skos:closeMatch :b ."
    assert pairs(load(text), "synonyms") == set()
    assert pairs(load(text, close_match=True), "synonyms") == {frozenset("ab")}


# Schemes and collections

SCHEMES = """
:s1 a skos:ConceptScheme ; skos:hasTopConcept :a . :s2 a skos:ConceptScheme .
:a a skos:Concept ; skos:inScheme :s1 . :b a skos:Concept ; skos:inScheme :s1 ; skos:broader :a .
:x a skos:Concept ; skos:topConceptOf :s2 . :y a skos:Concept ; skos:inScheme :s2 ; skos:broader :x .
"""


def test_all_schemes_stand_under_one_added_root() -> None:
    ontology = load(SCHEMES)
    assert concepts(ontology) == {"a", "b", "x", "y"}
    assert ontology.hierarchy.root_added
    assert {short(ontology.hierarchy.iris[c]) for c in ontology.hierarchy.attached.tolist()} == {"a", "x"}


def test_schemes_and_top_concepts_alone_make_concepts() -> None:
    ontology = load(":s a skos:ConceptScheme ; skos:hasTopConcept :a . :b skos:topConceptOf :s . :a skos:narrower :c .")
    assert concepts(ontology) == {"a", "b", "c"}


def test_a_top_concept_that_has_a_broader_one_keeps_it() -> None:
    ontology = load(THREE + ":s skos:hasTopConcept :b . :b skos:broader :a . :c skos:broader :b .")
    assert edges(ontology) == {"b < a", "c < b"}


@pytest.mark.parametrize(
    ("scheme", "members", "links", "root"),
    [("s1", {"a", "b"}, {"b < a"}, "a"), ("s2", {"x", "y"}, {"y < x"}, "x")],
)
def test_one_scheme_may_be_chosen(scheme: str, members: set[str], links: set[str], root: str) -> None:
    ontology = load(SCHEMES, scheme=EX + scheme)
    assert concepts(ontology) == members
    assert edges(ontology) == links
    assert short(ontology.hierarchy.iris[0]) == root
    assert ontology.describe()["dropped"] == 2


def test_ways_through_concepts_of_another_scheme_are_kept() -> None:
    text = (
        ":a a skos:Concept ; skos:inScheme :s1 . :m a skos:Concept ; skos:inScheme :s2 ; skos:broader :a ."
        ":b a skos:Concept ; skos:inScheme :s1, :s2 ; skos:broader :m . :s1 a skos:ConceptScheme ."
    )
    ontology = load(text, scheme=EX + "s1")
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == {"b < a"}
    assert ontology.describe()["dropped"] == 1


def test_an_unknown_scheme_is_an_error_that_names_the_others() -> None:
    with pytest.raises(LoadError) as caught:
        load(SCHEMES, scheme="urn:nothing")
    assert str(caught.value) == (
        "(bytes): no concepts in the scheme 'urn:nothing'. Schemes: http://ex.org/s1, http://ex.org/s2."
    )


def test_a_scheme_spelt_almost_right_is_suggested() -> None:
    with pytest.raises(LoadError) as caught:
        load(SCHEMES, scheme=EX + "s3")
    message = str(caught.value)
    assert message.startswith("(bytes): no concepts in the scheme 'http://ex.org/s3'. Did you mean 'http://ex.org/s")
    assert message.endswith("?")
    assert "'http://ex.org/s1'" in message
    assert "'http://ex.org/s2'" in message


def test_a_file_without_schemes_says_so() -> None:
    with pytest.raises(LoadError) as caught:
        load(THREE, scheme=EX + "s")
    assert str(caught.value) == (
        "(bytes): no concepts in the scheme 'http://ex.org/s'. Remove scheme=: the file has none."
    )


def test_a_scheme_of_an_owl_file_is_the_callers_mistake() -> None:
    with pytest.raises(ParameterError) as caught:
        load(":a a owl:Class .", scheme=EX + "s")
    assert str(caught.value) == ('(bytes): scheme= needs SKOS, but the file was read as OWL. Set profile="skos".')


@pytest.mark.parametrize("kind", ["skos:Collection", "skos:OrderedCollection"])
def test_collections_are_ignored(kind: str) -> None:
    ontology = load(
        THREE + f":k a {kind} ; skos:member :a, :b ; skos:prefLabel 'K' ; skos:narrower :c ; skos:broader :a ."
        " :b skos:broader :k ."
    )
    assert concepts(ontology) == {"a", "b", "c"}
    assert edges(ontology) == set()
    assert "K" not in ontology.lexicon.texts


def test_classes_derived_from_collection_are_collections() -> None:
    ontology = load(
        THREE + ":Array rdfs:subClassOf skos:Collection . :k a :Array . :b skos:broader :k .", profile="skos"
    )
    assert concepts(ontology) == {"a", "b", "c"}


def test_schemes_are_no_concepts_even_where_a_concept_is_below_one() -> None:
    ontology = load(THREE + ":s a skos:ConceptScheme . :b skos:broader :s . :c skos:broader :a .")
    assert concepts(ontology) == {"a", "b", "c"}
    assert edges(ontology) == {"c < a"}


def test_the_scheme_is_the_ontologys_iri() -> None:
    assert load(SCHEMES).source.iri == EX + "s1"


# Labels


def test_labels_have_roles_and_languages() -> None:
    ontology = load(
        ':a a skos:Concept ; skos:prefLabel "cat"@en, "Katze"@de ;'
        ' skos:altLabel "feline"@en-GB ; skos:hiddenLabel "cta" .'
    )
    assert labels(ontology, "a") == {
        ("cat", "en", "preferred"),
        ("Katze", "de", "preferred"),
        ("feline", "en-gb", "alternative"),
        ("cta", "", "hidden"),
    }
    assert ontology.describe()["languages"] == {"": 1, "de": 1, "en": 1, "en-gb": 1}


@pytest.mark.parametrize(
    "text",
    [
        # labels with an IRI
        ':a xl:prefLabel :l1 ; xl:altLabel :l2 ; xl:hiddenLabel :l3 . :l1 xl:literalForm "cat"@en .'
        ' :l2 a xl:Label ; xl:literalForm "Feline"@EN-gb . :l3 xl:literalForm "cta" .',
        # labels without one
        ':a xl:prefLabel [ xl:literalForm "cat"@en ] ; xl:altLabel [ xl:literalForm "Feline"@en-GB ] ;'
        ' xl:hiddenLabel [ a xl:Label ; xl:literalForm "cta" ] .',
        # the literal forms first
        '_:x xl:literalForm "cat"@en . _:y xl:literalForm "Feline"@en-GB . _:z xl:literalForm "cta" .'
        " :a xl:prefLabel _:x ; xl:altLabel _:y ; xl:hiddenLabel _:z .",
    ],
)
def test_skos_xl_labels_are_labels(text: str) -> None:
    ontology = load(":a a skos:Concept . " + text)
    assert labels(ontology, "a") == {
        ("cat", "en", "preferred"),
        ("Feline", "en-gb", "alternative"),
        ("cta", "", "hidden"),
    }
    assert ontology.describe()["unlabelled"] == 0


def test_one_xl_label_may_belong_to_several_concepts() -> None:
    ontology = load(THREE + ':a xl:prefLabel :l . :b xl:altLabel :l . :l xl:literalForm "x"@en .')
    assert labels(ontology, "a") == {("x", "en", "preferred")}
    assert labels(ontology, "b") == {("x", "en", "alternative")}


def test_an_xl_label_without_a_literal_form_is_no_label() -> None:
    ontology = load(":a a skos:Concept ; xl:prefLabel [ a xl:Label ] .")
    assert labels(ontology, "a") == {("a", "", "name")}


def test_xl_and_plain_labels_that_agree_count_once() -> None:
    ontology = load(':a a skos:Concept ; skos:prefLabel "cat"@en ; xl:prefLabel [ xl:literalForm "cat"@en ] .')
    assert labels(ontology, "a") == {("cat", "en", "preferred")}


# Deprecated concepts and instances


def test_deprecated_concepts_are_left_out_unless_asked_for() -> None:
    text = THREE + ":b skos:broader :a ; owl:deprecated true . :c skos:broader :b ; skos:related :b ."
    ontology = load(text)
    assert concepts(ontology) == {"a", "c"}
    assert edges(ontology) == set()
    assert pairs(ontology, "related") == set()
    assert ontology.describe()["deprecated"] == 1
    kept = load(text, deprecated=True)
    assert edges(kept) == {"b < a", "c < b"}
    assert pairs(kept, "related") == {frozenset("bc")}


def test_documents_sit_on_their_subjects() -> None:
    text = THREE + ":d dct:subject :a, :b . :e :about :c . :s a skos:ConceptScheme ; dct:subject :c ."
    assert instances(load(text)) == {"d: a", "d: b", "s: c"}
    assert instances(load(text, instance_property=EX + "about")) == {"d: a", "d: b", "e: c", "s: c"}


def test_the_concepts_are_no_instances_of_skos_concept() -> None:
    assert load(THREE).instances is None


# Which side of a file with both kinds

BOTH = THREE + ":b skos:broader :a . :K a owl:Class . :L rdfs:subClassOf :K . "


def test_auto_takes_the_kind_of_which_there_is_more_and_says_so() -> None:
    ontology = load(BOTH)
    assert ontology.source.profile == "skos"
    assert concepts(ontology) == {"a", "b", "c"}
    assert ontology.source.notes == (
        'read as SKOS; the file also has 2 classes. To read these instead, set profile="owl"',
    )
    more = load(BOTH + ":M rdfs:subClassOf :K . :N rdfs:subClassOf :K .")
    assert more.source.profile == "owl"
    assert concepts(more) == {"K", "L", "M", "N"}
    assert more.source.notes == (
        'read as OWL; the file also has 3 SKOS concepts. To read these instead, set profile="skos"',
    )


@pytest.mark.parametrize(
    ("profile", "names", "links"), [("owl", {"K", "L"}, {"L < K"}), ("skos", {"a", "b", "c"}, {"b < a"})]
)
def test_a_chosen_profile_is_taken_without_a_note(profile: str, names: set[str], links: set[str]) -> None:
    ontology = load(BOTH, profile=profile)
    assert ontology.source.profile == profile
    assert concepts(ontology) == names
    assert edges(ontology) == links
    assert ontology.source.notes == ()


def test_a_file_of_one_kind_has_no_note() -> None:
    assert load(THREE).source.notes == ()
    assert load(":K a owl:Class .").source.notes == ()


def test_a_profile_that_the_file_does_not_have_finds_no_concept() -> None:
    with pytest.raises(LoadError) as caught:
        load(THREE, profile="owl")
    assert str(caught.value) == (
        "(bytes): no concepts found: no class, no SKOS concept, no link. Use an ontology, or set another profile=."
    )


def test_an_unknown_profile_is_an_error_that_names_the_others() -> None:
    with pytest.raises(ParameterError) as caught:
        load(THREE, profile="sko")
    assert str(caught.value) == "unknown profile 'sko'. Did you mean 'skos'? Use one of: auto, owl, skos."


def test_a_class_that_is_a_concept_too_is_read_as_the_chosen_profile_says() -> None:
    text = ":a a owl:Class, skos:Concept . :b rdfs:subClassOf :a . :c a skos:Concept ; skos:broader :a ."
    assert edges(load(text, profile="owl")) == {"b < a"}
    assert edges(load(text, profile="skos")) == {"c < a"}


# Classes derived from skos:Concept

DERIVED = """
:Place rdfs:subClassOf skos:Concept . :City rdfs:subClassOf :Place .
:germany a :Place . :berlin a :City . :bonn a :City . :paris a :City .
"""


def test_members_of_classes_derived_from_concept_are_concepts() -> None:
    ontology = load(DERIVED + ":berlin skos:broader :germany .", profile="skos")
    assert concepts(ontology) == {"germany", "berlin", "bonn", "paris"}
    assert edges(ontology) == {"berlin < germany"}
    assert ontology.instances is None


def test_members_of_classes_derived_from_concept_count_when_the_profile_is_chosen() -> None:
    """Four concepts and two classes: this is SKOS, though nothing is directly a skos:Concept."""
    ontology = load(DERIVED)
    assert ontology.source.profile == "skos"
    assert concepts(ontology) == {"germany", "berlin", "bonn", "paris"}


def test_classes_derived_from_concept_in_a_circle_do_no_harm() -> None:
    ontology = load(DERIVED + ":Place rdfs:subClassOf :City .", profile="skos")
    assert concepts(ontology) == {"germany", "berlin", "bonn", "paris"}


# Top concepts that only their scheme names


def test_a_scheme_holds_the_top_concepts_that_it_names_itself() -> None:
    """SKOS Reference, S7 and S8: topConceptOf is a kind of inScheme, and hasTopConcept is the same link from above."""
    ontology = load(
        ":s a skos:ConceptScheme ; skos:hasTopConcept :top . :t a skos:ConceptScheme ; skos:hasTopConcept :other ."
        " :below a skos:Concept ; skos:inScheme :s ; skos:broader :top, :other . :outside skos:broader :top .",
        scheme=EX + "s",
    )
    assert concepts(ontology) == {"top", "below"}
    assert edges(ontology) == {"below < top"}


def test_a_scheme_may_consist_of_the_top_concepts_that_it_names() -> None:
    ontology = load(THREE + ":s a skos:ConceptScheme ; skos:hasTopConcept :a, :b .", scheme=EX + "s")
    assert concepts(ontology) == {"a", "b"}
