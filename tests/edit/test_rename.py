"""Renamed concepts, and synonyms in place of preferred labels: small cases by hand, and any hierarchy against sets."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import data_folder, edges
from hypothesis import given
from hypothesis import strategies as st
from strategies import every_name, ontologies, picks, root_of
from test_perturb import TREE, homes, labels, tree

import ontoeval as oe
from ontoeval.edit.perturb import Perturbation, perturb
from ontoeval.errors import MissingInputError
from ontoeval.model.lexicon import Label

SKOS = "@prefix : <http://ex.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> ."
# texts that clash: equal ones, and ones that differ in case or separators only
TEXTS = ("one", "One", "two", "two_words", "two words", "three", "Four", "five", "six", "seven")
LANGUAGES = ("", "en", "de")


def entries(ontology: oe.Ontology, name: str) -> set[Label]:
    return set(ontology.lexicon.entries(ontology.hierarchy.id(name)))


def vocabulary(*statements: str) -> oe.Ontology:
    return oe.load_ontology(" ".join([SKOS, *statements]).encode())


def partners(after: oe.Ontology, before: oe.Ontology, by: str, **options: Any) -> dict[str, str]:
    """New name -> old name of the matched concepts, two added roots left out."""
    pairs = oe.match(after, before, by=by, **options).pairs
    return {after.hierarchy.iris[pair.learned]: before.hierarchy.iris[pair.gold] for pair in pairs}


# rename-concepts


def test_a_renamed_concept_keeps_its_place_and_nothing_else() -> None:
    made = tree(labels={"b1": [("Blatt", "de"), ("leaf", "en"), ("foil", "en")]}).with_counts({"b1": 3.0})
    renaming = (perturb(made, "rename-concepts", 1, seed=seed) for seed in range(200))
    after = next(one for one in renaming if "b1" not in one.hierarchy)
    (new,) = set(after.hierarchy.iris) - set(made.hierarchy.iris)
    assert new.startswith("renamed-")
    assert edges(after) == {(new if child == "b1" else child, parent) for child, parent in TREE}
    assert entries(after, new) == {Label(new, "", "name")}
    assert homes(after) == {**homes(made), "i-b1": {new: 1.0}}
    assert after.counts is not None
    assert after.counts[after.hierarchy.id(new)] == 3.0


def test_every_concept_but_the_root_is_renamed_at_some_time() -> None:
    names = set(tree().hierarchy.iris)
    gone = [names - set(perturb(tree(), "rename-concepts", 1, seed=seed).hierarchy.iris) for seed in range(150)]
    assert set.union(*gone) == names - {"r"}
    assert all(len(one) == 1 for one in gone)


def test_a_new_name_stays_in_the_namespace_and_is_no_other_name_or_label() -> None:
    made = vocabulary(
        ":r a skos:Concept . :a a skos:Concept ; skos:broader :r ; skos:altLabel 'Renamed-1' .",
        "<urn:x:b> a skos:Concept ; skos:broader :r .",
    )
    after = perturb(made, "rename-concepts", "100%")
    assert set(after.hierarchy.iris) == {"http://ex.org/r", "http://ex.org/renamed2-1", "urn:x:renamed2-2"}
    assert after.label_of(after.hierarchy.id("urn:x:renamed2-2")) == "renamed2 2"
    again = perturb(after, "rename-concepts", "100%")
    assert set(again.hierarchy.iris) == {"http://ex.org/r", "http://ex.org/renamed3-1", "urn:x:renamed3-2"}


def test_senses_of_words_do_not_lead_to_a_renamed_concept(wordnet_nouns: oe.Ontology) -> None:
    renamed = perturb(wordnet_nouns, "rename-concepts", "100%")
    root = wordnet_nouns.hierarchy.iris[0]
    assert {renamed.hierarchy.iris[c] for senses in renamed.senses.values() for c in senses} == {root}


def test_former_names_do_not_lead_to_a_renamed_concept() -> None:
    made = oe.load_ontology(
        b"format-version: 1.2\n\n[Term]\nid: X:1\nname: top\n\n[Term]\nid: X:2\nname: low\nis_a: X:1\nalt_id: X:9\n",
        format="obo",
    )
    assert len(made.aliases) == 1
    assert not perturb(made, "rename-concepts", 1).aliases


@given(made=ontologies(), pick=picks(), seed=st.integers(0, 3))
def test_renaming_is_a_change_of_names_alone(made: dict[str, Any], pick: int, seed: int) -> None:
    before = oe.Ontology.from_edges(root=root_of(made, pick), **made)
    how = Perturbation("rename-concepts")
    amount = pick % (how.available(before) + 1)
    after = perturb(before, how, amount, seed=seed)
    iris = before.hierarchy.iris
    new = {name: iris[int(name.rpartition("-")[2])] for name in set(after.hierarchy.iris) - set(iris)}
    assert len(new) == amount == len(set(new.values()))
    assert set(new.values()) == set(iris) - set(after.hierarchy.iris)
    old = {name: new.get(name, name) for name in after.hierarchy.iris}
    assert {(old[child], old[parent]) for child, parent in edges(after)} == edges(before)
    for kind in ("parents", "related", "synonyms"):  # with the edges that were added
        links = [links_of(ontology, kind) for ontology in (before, after)]
        assert {(old[a], old[b], weight) for a, b, weight in links[1]} == links[0]
    found = {name: {old[c]: strength for c, strength in where.items()} for name, where in homes(after).items()}
    assert found == homes(before)
    assert {row for row in labels(after) if row[0] not in new} == {
        row for row in labels(before) if row[0] not in new.values()
    }
    for by in ("iri", "label", "preferred", "name", "fuzzy:0.5"):
        assert not set(partners(after, before, by, normalize="all")) & set(new), by
    assert partners(after, before, "iri") == {name: name for name in real(after) - set(new)}
    if amount < how.available(before):
        more = perturb(before, how, amount + 1, seed=seed)
        assert set(new) < set(more.hierarchy.iris) - set(iris)


def links_of(ontology: oe.Ontology, kind: str) -> set[tuple[str, str, float]]:
    table, iris = getattr(ontology.hierarchy, kind), ontology.hierarchy.iris
    return {
        (iris[a], iris[b], weight)
        for a, b, weight in zip(table.tails.tolist(), table.indices.tolist(), table.weights.tolist(), strict=True)
    }


def real(ontology: oe.Ontology) -> set[str]:
    return set(ontology.hierarchy.iris[int(ontology.hierarchy.root_added) :])


# use-synonyms


def test_a_synonym_and_the_preferred_label_change_places_in_every_language() -> None:
    made = vocabulary(
        ":r a skos:Concept ; skos:altLabel 'top' . :car a skos:Concept ; skos:broader :r ;",
        "skos:prefLabel 'car'@en, 'Wagen'@de, 'voiture'@fr ; skos:altLabel 'motorcar'@en, 'auto'@en, 'Auto'@de ;",
        "skos:hiddenLabel 'caar'@en .",
    )
    after = perturb(made, "use-synonyms", 1)
    new = after.hierarchy.id("http://ex.org/synonym-1")
    assert set(after.lexicon.entries(new)) == {
        Label("auto", "en", "preferred"), Label("Auto", "de", "preferred"), Label("motorcar", "en", "alternative"),
        Label("car", "en", "alternative"), Label("Wagen", "de", "alternative"), Label("voiture", "fr", "alternative"),
        Label("caar", "en", "hidden"),
    }  # fmt: skip
    root = {"http://ex.org/r": "http://ex.org/r"}
    for by in ("iri", "name", "preferred", "iri,name,preferred"):
        assert partners(after, made, by).keys() == (root.keys() if by != "preferred" else set())
    for by in ("label", "iri,label"):  # that of compare
        assert partners(after, made, by)["http://ex.org/synonym-1"] == "http://ex.org/car"
    for language in ("en", "de", "fr"):
        assert not partners(after, made, "preferred", language=language)
        assert partners(after, made, "label", language=language)["http://ex.org/synonym-1"] == "http://ex.org/car"


@pytest.mark.parametrize(
    ("concept", "why"),
    [
        ("skos:prefLabel 'car'", "no other label"),
        ("skos:prefLabel 'car' ; skos:altLabel 'car'@en", "the same text"),
        ("skos:prefLabel 'car' ; skos:altLabel 'CAR', '-car_'", "nothing left of the difference after normalising"),
        ("skos:prefLabel 'car' ; skos:altLabel 'top thing'", "the preferred label of another concept"),
        ("skos:prefLabel 'car' ; skos:hiddenLabel 'auto'", "a hidden label is for searching"),
        ("skos:altLabel 'auto'", "nothing to replace"),
    ],
)
def test_a_concept_without_a_usable_synonym_is_left_alone(concept: str, why: str) -> None:
    top = ":r a skos:Concept ; skos:prefLabel 'top thing' ; skos:altLabel 'summit' ."
    made = vocabulary(top, f":c a skos:Concept ; skos:broader :r ; {concept} .")
    with pytest.raises(MissingInputError) as error:
        perturb(made, "use-synonyms", 1)
    assert str(error.value).endswith(
        "use-synonyms needs alternative labels, but no concept has one that could become its preferred label. "
        "Choose another kind of damage, such as rename-concepts."
    ), why


def test_exact_synonyms_of_obo_are_synonyms_and_others_are_not() -> None:
    made = oe.load_ontology(
        b"format-version: 1.2\n\n[Term]\nid: X:1\nname: top\n\n[Term]\nid: X:2\nname: low\nis_a: X:1\n"
        b'synonym: "deep" EXACT []\nsynonym: "down" RELATED []\n\n[Term]\nid: X:3\nname: side\nis_a: X:1\n'
        b'synonym: "edge" NARROW []\n',
        format="obo",
    )
    assert Perturbation("use-synonyms").available(made) == 1
    after = perturb(made, "use-synonyms", 1)
    assert "deep" in {after.label_of(concept) for concept in range(len(after.hierarchy))}


@st.composite
def labelled(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, list[tuple[str, str]]]]:
    made = draw(ontologies())
    names = every_name(made)
    label = st.tuples(st.sampled_from(TEXTS), st.sampled_from(LANGUAGES))
    return made, draw(st.dictionaries(st.sampled_from(names), st.lists(label, min_size=1, max_size=4)))


def normal(text: str) -> str:
    return text.casefold().replace("_", " ")


@given(case=labelled(), pick=picks(), seed=st.integers(0, 3))
def test_synonyms_are_those_of_the_definition(
    case: tuple[dict[str, Any], dict[str, list[tuple[str, str]]]], pick: int, seed: int
) -> None:
    made, labels_of = case
    before = oe.Ontology.from_edges(root=root_of(made, pick), labels=labels_of, **made)
    rows = {name: set(before.lexicon.entries(concept)) for concept, name in enumerate(before.hierarchy.iris)}
    preferred = {normal(label.text) for own in rows.values() for label in own if label.role in ("preferred", "name")}
    usable: dict[str, dict[str, str]] = {}  # concept -> language -> synonym
    for name, own in rows.items():
        if name == before.hierarchy.iris[0] and before.hierarchy.has_root:
            continue
        for label in sorted(own):
            if label.role == "alternative" and normal(label.text) not in preferred:
                usable.setdefault(name, {}).setdefault(label.language, label.text)
    how = Perturbation("use-synonyms")
    if not usable:
        with pytest.raises(MissingInputError):
            how.available(before)
        return
    assert how.available(before) == len(usable)
    amount = pick % (len(usable) + 1)
    after = perturb(before, how, amount, seed=seed)
    iris = before.hierarchy.iris
    new = {name: iris[int(name.rpartition("-")[2])] for name in set(after.hierarchy.iris) - set(iris)}
    assert len(new) == amount
    assert set(new.values()) <= set(usable)
    for name in after.hierarchy.iris:
        old = new.get(name, name)
        expected = rows[old]
        if name in new:
            promoted = {Label(text, language, "preferred") for language, text in usable[old].items()}
            kept = {label._replace(role="alternative") for label in expected}
            expected = promoted | {label for label in kept if label._replace(role="preferred") not in promoted}
        assert set(after.lexicon.entries(after.hierarchy.id(name))) == expected
    for by in ("iri", "preferred", "name"):
        assert not set(partners(after, before, by, normalize="all")) & set(new), by
    if amount < len(usable):
        more = perturb(before, how, amount + 1, seed=seed)
        assert set(new) < set(more.hierarchy.iris) - set(iris)


@pytest.mark.slow
@pytest.mark.parametrize("share", ["10%", "100%"])
def test_synonyms_of_a_real_thesaurus_are_found_again_by_any_label(shared_data: Any, share: str) -> None:
    gold = oe.load_ontology(data_folder(shared_data, "skos-unesco") / "unesco-thesaurus.ttl.gz")
    how = Perturbation("use-synonyms")
    number = how.number(gold, share)
    learned = how.apply(gold, share)
    new = set(learned.hierarchy.iris) - set(gold.hierarchy.iris)
    assert len(new) == number > 100
    assert not set(partners(learned, gold, "preferred")) & new
    again = partners(learned, gold, "label")
    right = [name for name in new if again.get(name) == gold.hierarchy.iris[int(name.rpartition("-")[2])]]
    assert len(right) >= 0.99 * number  # a label of two concepts leads to the wrong one
