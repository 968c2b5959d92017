"""What a user can choose about a file: a part of it, a language, weights, the root, cycles, deprecated concepts."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from helpers import refusal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from snippets import EX, concepts, edges, load, short

import ontoeval as oe
from ontoeval.errors import HierarchyError, LoadError, ParameterError, UnknownConceptError

THING = "http://www.w3.org/2002/07/owl#Thing"


def attached(ontology: oe.Ontology) -> set[str]:
    return {short(ontology.hierarchy.iris[c]) for c in ontology.hierarchy.attached.tolist()}


refused = partial(refusal, oe.OntoevalError, load)


# Namespaces

TWO_SPACES = """
n:a a owl:Class . :m rdfs:subClassOf n:a . :k rdfs:subClassOf :m .
n:b rdfs:subClassOf :k . n:c rdfs:subClassOf n:b, :m .
:z a owl:Class ; rdfs:label "Z" . :i a n:b . :j a :m . n:b rdfs:label "B"@en . n:b skos:related :m, n:a .
"""


def test_a_namespace_keeps_the_concepts_whose_iri_starts_so() -> None:
    ontology = load(TWO_SPACES, namespaces=[EX + "n#"])
    assert concepts(ontology) == {"n#a", "n#b", "n#c"}
    assert ontology.describe()["dropped"] == 3


def test_ways_through_dropped_concepts_become_edges() -> None:
    ontology = load(TWO_SPACES, namespaces=[EX + "n#"])
    assert edges(ontology) == {"n#b < n#a", "n#c < n#b", "n#c < n#a"}
    assert not ontology.hierarchy.root_added


def test_labels_instances_and_related_edges_of_dropped_concepts_go_with_them() -> None:
    ontology = load(TWO_SPACES, namespaces=[EX + "n#"])
    assert set(ontology.lexicon.texts) == {"a", "B", "c"}
    assert ontology.instances is not None
    assert ontology.instances.iris == (EX + "i",)
    assert ontology.describe()["related"] == 1


def test_several_namespaces_add_up() -> None:
    ontology = load(TWO_SPACES, namespaces=[EX + "n#", EX + "z"])
    assert concepts(ontology) == {"n#a", "n#b", "n#c", "z"}
    assert ontology.describe()["dropped"] == 2


def test_a_file_taken_whole_says_nothing_about_dropped_concepts() -> None:
    assert "dropped" not in load(TWO_SPACES).describe()


def test_a_namespace_that_holds_everything_drops_nothing() -> None:
    ontology = load(TWO_SPACES, namespaces=[EX])
    assert concepts(ontology) == concepts(load(TWO_SPACES))
    assert edges(ontology) == edges(load(TWO_SPACES))
    assert ontology.describe()["dropped"] == 0


def test_a_namespace_without_a_concept_is_an_error_that_names_the_others() -> None:
    assert refused(TWO_SPACES, namespaces=["http://no.org/"]) == (
        "(bytes): no concepts in the namespace 'http://no.org/'. Namespaces: http://ex.org/, http://ex.org/n#."
    )
    assert refused(TWO_SPACES, namespaces=["http://no.org/", "urn:x"]) == (
        "(bytes): no concepts in the namespace 'http://no.org/' or 'urn:x'. Namespaces: http://ex.org/, "
        "http://ex.org/n#."
    )


def test_a_cycle_through_dropped_concepts_stays_a_cycle() -> None:
    text = "n:a rdfs:subClassOf :m . :m rdfs:subClassOf n:b . n:b rdfs:subClassOf :k . :k rdfs:subClassOf n:a ."
    ontology = load(text, namespaces=[EX + "n#"])
    assert edges(ontology) == {"n#a < n#b", "n#b < n#a"}
    assert ontology.describe()["loops"] == 2


def test_a_way_back_to_itself_through_dropped_concepts_is_no_edge() -> None:
    text = "n:a rdfs:subClassOf :m . :m rdfs:subClassOf n:a . n:b rdfs:subClassOf n:a ."
    ontology = load(text, namespaces=[EX + "n#"])
    assert edges(ontology) == {"n#b < n#a"}
    assert ontology.describe()["self_edges"] == 0


def test_an_edge_through_dropped_concepts_has_the_weight_of_its_kind() -> None:
    data = b"x1\tm\t5\nm\tx2\t7\nx3\tx2\t9\n"
    ontology = oe.load_ontology(data, columns="child,parent,weight", namespaces=["x"], weights={"hierarchical": 2})
    above = ontology.hierarchy.parents
    weights = {
        (ontology.hierarchy.iris[a], ontology.hierarchy.iris[b]): w
        for a, b, w in zip(above.tails, above.indices, above.weights, strict=True)
    }
    assert weights == {("x1", "x2"): 2.0, ("x3", "x2"): 9.0}


OBO = """format-version: 1.4
ontology: x
default-namespace: rest

[Term]
id: X:1
namespace: process

[Term]
id: X:2
namespace: process
is_a: X:3

[Term]
id: X:3
is_a: X:1

[Term]
id: Y:4
"""


def obo_ids(ontology: oe.Ontology) -> set[str]:
    return {iri.rpartition("/")[2] for iri in ontology.hierarchy.iris[int(ontology.hierarchy.root_added) :]}


def test_an_obo_namespace_keeps_its_terms() -> None:
    ontology = oe.load_ontology(OBO.encode(), namespaces=["process"])
    assert obo_ids(ontology) == {"X_1", "X_2"}
    assert {iri.rpartition("/")[2] for iri in ontology.hierarchy.iris} == {"X_1", "X_2"}
    assert len(ontology.hierarchy.parents) == 1  # through X:3
    assert ontology.describe()["dropped"] == 2
    assert obo_ids(oe.load_ontology(OBO.encode(), namespaces=["rest"])) == {"X_3", "Y_4"}


def test_the_obo_namespace_of_an_owl_file_counts_as_well() -> None:
    text = ':a a owl:Class ; oio:hasOBONamespace "process" . :b rdfs:subClassOf :a .'
    ontology = load(text, namespaces=["process"])
    assert concepts(ontology) == {"a"}


def test_an_unknown_obo_namespace_names_the_others() -> None:
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(OBO.encode(), namespaces=["proces"])
    message = str(caught.value)
    assert message.startswith("(bytes): no concepts in the namespace 'proces'. Namespaces: ")
    assert {"process", "rest"} <= set(message.split("Namespaces: ")[1].rstrip(".").split(", "))


# Below

TREE = """
:b rdfs:subClassOf :a . :c rdfs:subClassOf :a . :d rdfs:subClassOf :b, :c . :e rdfs:subClassOf :d . :f a owl:Class .
"""


def test_below_keeps_a_concept_and_all_that_is_below_it() -> None:
    ontology = load(TREE, below=EX + "b")
    assert concepts(ontology) == {"b", "d", "e"}
    assert edges(ontology) == {"d < b", "e < d"}
    assert ontology.hierarchy.iris[0] == EX + "b"
    assert not ontology.hierarchy.root_added
    assert ontology.describe()["dropped"] == 3


def test_below_a_leaf_is_the_leaf() -> None:
    ontology = load(TREE, below=EX + "e")
    assert concepts(ontology) == {"e"}
    assert ontology.describe()["dropped"] == 5


def test_below_a_cycle_keeps_the_whole_cycle() -> None:
    ontology = load(
        ":a rdfs:subClassOf :b . :b rdfs:subClassOf :a . :c rdfs:subClassOf :b . :d a owl:Class .", below=EX + "a"
    )
    assert concepts(ontology) == {"a", "b", "c"}


def test_below_may_be_a_local_name() -> None:
    assert concepts(load(TREE, below="b")) == {"b", "d", "e"}


def test_below_an_obo_id() -> None:
    for name in ("X:3", "http://purl.obolibrary.org/obo/X_3", "X_3"):
        assert obo_ids(oe.load_ontology(OBO.encode(), below=name)) == {"X_3", "X_2"}


def test_below_a_plain_name() -> None:
    ontology = oe.load_ontology(b"motor bike\tvehicle\nscooter\tmotor bike\n", below="motor bike")
    assert set(ontology.hierarchy.iris) == {"motor bike", "scooter"}


def test_below_an_unknown_concept_is_an_error() -> None:
    assert refused(TREE, below="urn:none") == (
        "(bytes): unknown concept 'urn:none'. Use an IRI, a CURIE, a local name or a label of this file."
    )
    assert refused(":vehicle a owl:Class .", below=EX + "vehicles") == (
        "(bytes): unknown concept 'http://ex.org/vehicles'. Did you mean 'http://ex.org/vehicle'? Use an IRI, a "
        "CURIE, a local name or a label of this file."
    )


def test_below_an_ambiguous_local_name_is_an_error() -> None:
    assert refused(":a a owl:Class . n:a a owl:Class .", below="a") == (
        "(bytes): 2 concepts have the name 'a': http://ex.org/a, http://ex.org/n#a. Use the IRI."
    )


def test_below_a_deprecated_concept_is_an_error() -> None:
    assert refused(":a a owl:Class . :b a owl:Class ; owl:deprecated true .", below=EX + "b").startswith(
        "(bytes): unknown concept 'http://ex.org/b'."
    )


def test_below_and_namespace_narrow_each_other() -> None:
    ontology = load(TWO_SPACES, below=EX + "m", namespaces=[EX + "n#"])
    assert concepts(ontology) == {"n#b", "n#c"}
    assert edges(ontology) == {"n#c < n#b"}
    assert ontology.describe()["dropped"] == 4


def test_a_part_without_a_concept_is_an_error() -> None:
    assert refused(TWO_SPACES, below=EX + "z", namespaces=[EX + "n#"]) == (
        "(bytes): no concepts are left. Choose a larger part."
    )


def test_a_scheme_and_below_narrow_each_other() -> None:
    text = """
    :a a skos:Concept ; skos:inScheme :s . :m a skos:Concept ; skos:broader :a .
    :b a skos:Concept ; skos:inScheme :s ; skos:broader :m . :c a skos:Concept ; skos:inScheme :s .
    """
    ontology = load(text, scheme=EX + "s", below=EX + "a")
    assert concepts(ontology) == {"a", "b"}
    assert edges(ontology) == {"b < a"}
    assert ontology.describe()["dropped"] == 2


names = st.sampled_from(["k1", "k2", "k3", "k4", "d1", "d2", "d3", "d4"])


@settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(names, names), min_size=1, max_size=16))
def test_kept_concepts_stay_above_each_other_as_they_were(links: list[tuple[str, str]]) -> None:
    """An edge for every way through dropped concepts alone, so that nothing kept changes its ancestors."""
    kept = {name for link in links for name in link if name.startswith("k")}
    if not kept:
        return
    expected = set()
    for start in kept:
        waiting, seen = [start], set()
        while waiting:
            here = waiting.pop()
            for child, parent in links:
                if child == here and parent.startswith("k"):
                    expected.add((start, parent))
                elif child == here and parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
    loops = {child for child, parent in links if child == parent and child in kept}
    data = "".join(f"{child}\t{parent}\n" for child, parent in links).encode()
    ontology = oe.load_ontology(data, namespaces=["k"])
    hierarchy = ontology.hierarchy
    rows = np.flatnonzero(hierarchy.given)
    up = {(hierarchy.iris[hierarchy.parents.tails[r]], hierarchy.iris[hierarchy.parents.indices[r]]) for r in rows}
    assert set(hierarchy.iris[int(hierarchy.root_added) :]) == kept
    assert up == {pair for pair in expected if pair[0] != pair[1]}
    assert {hierarchy.iris[c] for c in hierarchy.self_edges.tolist()} == loops
    assert ontology.describe()["dropped"] == len({name for link in links for name in link}) - len(kept)


# Languages

LABELS = """
:a a owl:Class ; rdfs:label "colour"@en-GB, "color"@en, "Farbe"@de ; skos:altLabel "hue" .
:b a owl:Class ; rdfs:label "lorry"@en-GB, "Laster"@de .
:c a owl:Class ; rdfs:label "thing", "Ding"@de .
:d a owl:Class ; rdfs:label "Hund"@de .
:e a owl:Class .
:f a owl:Class ; rdfs:label "x"@eng .
"""


def texts(ontology: oe.Ontology, name: str, language: str | None = None) -> tuple[str, ...]:
    return ontology.lexicon.labels(ontology.hierarchy.id(EX + name), language)


def test_a_language_takes_itself_its_varieties_then_labels_without_one() -> None:
    ontology = load(LABELS, language="en")
    assert set(texts(ontology, "a")) == {"color", "colour"}
    assert texts(ontology, "b") == ("lorry",)
    assert texts(ontology, "c") == ("thing",)
    assert "Hund" not in texts(ontology, "d")
    assert texts(ontology, "e") == ("e",)
    assert "x" not in texts(ontology, "f")
    assert ontology.describe()["languages"] == {"": 1, "en": 1, "en-gb": 2}


def test_the_language_itself_goes_before_its_varieties() -> None:
    ontology = load(LABELS)
    assert texts(ontology, "a", "en")[0] == "color"
    assert texts(ontology, "b", "en")[0] == "lorry"


def test_a_variety_does_not_take_the_whole_language() -> None:
    ontology = load(LABELS, language="en-GB")
    assert texts(ontology, "a") == ("colour",)


def test_languages_have_no_case() -> None:
    assert set(texts(load(LABELS, language="EN"), "a")) == {"color", "colour"}


def test_concepts_without_a_label_in_the_language_are_unlabelled() -> None:
    assert load(LABELS).describe()["unlabelled"] == 1
    assert load(LABELS, language="en").describe()["unlabelled"] == 3


def test_without_a_choice_all_languages_are_there() -> None:
    assert load(LABELS).describe()["languages"] == {"": 2, "de": 4, "en": 1, "en-gb": 2, "eng": 1}


# Weights

EDGES = ":b rdfs:subClassOf :a . :c rdfs:subClassOf :a ; skos:related :b ; owl:sameAs :b . :d a owl:Class ."


def test_edges_have_the_papers_weights_unless_told_otherwise() -> None:
    hierarchy = load(EDGES).hierarchy
    assert set(hierarchy.parents.weights.tolist()) == {1.0}
    assert hierarchy.related.weights.tolist() == [1.0, 1.0]
    assert hierarchy.synonyms.weights.tolist() == [0.0, 0.0]


def test_each_kind_of_edge_may_have_a_weight() -> None:
    hierarchy = load(EDGES, weights={"hierarchical": 0.5, "related": 2, "synonym": 0.25}).hierarchy
    assert set(hierarchy.parents.weights.tolist()) == {0.5}  # the edges to the added root as well
    assert hierarchy.related.weights.tolist() == [2.0, 2.0]
    assert hierarchy.synonyms.weights.tolist() == [0.25, 0.25]
    assert load(EDGES, weights={"related": 3}).hierarchy.synonyms.weights.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            {"relatd": 1},
            "unknown kind or property of links: 'relatd'. Did you mean 'related'? Use the IRI of a property, or one "
            "of: hierarchical, related, synonym, broader, narrower, broaderTransitive, narrowerTransitive, "
            "broadMatch, narrowMatch, subClassOf, relatedMatch, exactMatch, closeMatch, equivalentClass, sameAs, "
            "altLabel.",
        ),
        ({"related": -1}, "the weight of related must be a finite number >= 0, not -1."),
        ({"related": "x"}, "the weight of related must be a finite number >= 0, not 'x'."),
        ({"synonym": float("inf")}, "the weight of synonym must be a finite number >= 0, not inf."),
    ],
)
def test_a_wrong_weight_is_an_error(weights: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        load(EDGES, weights=weights)
    assert str(caught.value) == message


# The root

ONE_TOP = ":b rdfs:subClassOf :a . :c rdfs:subClassOf :b ."
TWO_TOPS = ":b rdfs:subClassOf :a . :d rdfs:subClassOf :c ."


def test_the_single_top_is_the_root() -> None:
    ontology = load(ONE_TOP)
    assert ontology.hierarchy.iris[0] == EX + "a"
    assert not ontology.hierarchy.root_added
    assert attached(ontology) == set()


def test_several_tops_get_a_root() -> None:
    ontology = load(TWO_TOPS)
    assert ontology.hierarchy.iris[0] == THING
    assert ontology.hierarchy.root_added
    assert attached(ontology) == {"a", "c"}


def test_every_member_of_a_floating_cycle_is_attached() -> None:
    ontology = load(":a rdfs:subClassOf :b . :b rdfs:subClassOf :a . :c rdfs:subClassOf :b .")
    assert ontology.hierarchy.root_added
    assert attached(ontology) == {"a", "b"}


def test_a_new_root_is_added_in_any_case() -> None:
    ontology = load(ONE_TOP, root="new")
    assert ontology.hierarchy.iris[0] == THING
    assert ontology.hierarchy.root_added
    assert attached(ontology) == {"a"}
    assert ontology.describe()["concepts"] == 4


def test_no_root_is_added_if_none_is_wanted() -> None:
    ontology = load(TWO_TOPS, root="none")
    assert not ontology.hierarchy.has_root
    assert not ontology.hierarchy.root_added
    assert attached(ontology) == set()
    assert ontology.describe()["root"] is None
    assert ontology.describe()["concepts"] == 4


def test_a_concept_may_be_the_root() -> None:
    ontology = load(TWO_TOPS, root=EX + "a")
    assert ontology.hierarchy.iris[0] == EX + "a"
    assert not ontology.hierarchy.root_added
    assert attached(ontology) == {"c"}
    assert ontology.describe()["added_edges"] == 1
    assert edges(ontology) == {"b < a", "d < c"}


def test_a_root_with_parents_is_in_a_cycle_with_them() -> None:
    ontology = load(ONE_TOP, root=EX + "b")
    assert ontology.hierarchy.iris[0] == EX + "b"
    assert attached(ontology) == {"a"}
    assert ontology.describe()["cycles"] == [[EX + "b", EX + "a", EX + "b"]]


def test_the_root_may_be_a_local_name_or_an_obo_id() -> None:
    assert load(TWO_TOPS, root="c").hierarchy.iris[0] == EX + "c"
    assert oe.load_ontology(OBO.encode(), root="Y:4").hierarchy.iris[0] == "http://purl.obolibrary.org/obo/Y_4"


def test_an_unknown_root_is_an_error() -> None:
    assert refused(TWO_TOPS, root="urn:none") == (
        "(bytes): unknown concept 'urn:none'. Use an IRI, a CURIE, a local name or a label of this file."
    )
    with pytest.raises(UnknownConceptError):
        load(TWO_TOPS, root="urn:none")


def test_a_root_that_was_dropped_is_an_error() -> None:
    assert refused(TREE, below=EX + "b", root=EX + "a").startswith("(bytes): unknown concept 'http://ex.org/a'.")


# Cycles


def test_cycles_are_kept_or_refused() -> None:
    text = ":a rdfs:subClassOf :b . :b rdfs:subClassOf :c . :c rdfs:subClassOf :a . :d rdfs:subClassOf :a ."
    assert load(text).describe()["loops"] == 3
    message = (
        "(bytes): 3 concepts form a cycle: http://ex.org/a < http://ex.org/b < http://ex.org/c < http://ex.org/a. "
        'Set on_cycle="keep" to accept it.'
    )
    with pytest.raises(HierarchyError) as caught:
        load(text, on_cycle="error")
    assert str(caught.value) == message
    assert set(caught.value.concepts) == {EX + "a", EX + "b", EX + "c"}


def test_equivalent_classes_are_a_cycle_to_refuse() -> None:
    text = ":a a owl:Class ; owl:equivalentClass :b . :b a owl:Class ."
    assert refused(text, on_cycle="error").startswith("(bytes): 2 concepts form a cycle: ")


def test_self_edges_are_dropped_not_refused() -> None:
    ontology = load(":a rdfs:subClassOf :a . :b rdfs:subClassOf :a .", on_cycle="error")
    assert ontology.describe()["self_edges"] == 1


def test_a_cycle_that_is_not_in_the_chosen_part_is_not_refused() -> None:
    text = ":a rdfs:subClassOf :b . :b rdfs:subClassOf :a . :c a owl:Class . :d rdfs:subClassOf :c ."
    assert concepts(load(text, below=EX + "c", on_cycle="error")) == {"c", "d"}


def test_an_unknown_choice_about_cycles_is_an_error() -> None:
    assert refused(ONE_TOP, on_cycle="brake") == "unknown on_cycle 'brake'. Use one of: keep, error."


# Deprecated concepts


def test_deprecated_concepts_are_counted_apart_from_dropped_ones() -> None:
    text = TREE + ":c owl:deprecated true . :x rdfs:subClassOf :a ; owl:deprecated true ."
    ontology = load(text, below=EX + "b")
    assert ontology.describe()["deprecated"] == 2
    assert ontology.describe()["dropped"] == 2  # a and f
    kept = load(text, below=EX + "b", deprecated=True)
    assert kept.describe()["deprecated"] == 0
    assert kept.describe()["dropped"] == 4


def test_obsolete_obo_terms_are_deprecated() -> None:
    data = (OBO + "is_obsolete: true\n").encode()
    assert obo_ids(oe.load_ontology(data)) == {"X_1", "X_2", "X_3"}
    assert oe.load_ontology(data).describe()["deprecated"] == 1
    assert obo_ids(oe.load_ontology(data, deprecated=True)) == {"X_1", "X_2", "X_3", "Y_4"}
