"""The weight of altLabel: what is added to path lengths for terms that only an altLabel leads to their concepts."""

from __future__ import annotations

from math import log

import pytest
from helpers import refusal
from snippets import EX, load

import ontoeval as oe
from ontoeval.analysis.pair_lookup import PairLookup
from ontoeval.analysis.relate import nearest
from ontoeval.errors import ParameterError
from ontoeval.load.tables.rated_pairs import PairTable
from ontoeval.measures.concepts.pair_scores import PairScores
from ontoeval.model.lookup import is_alternative_label
from ontoeval.model.ontology import Source

TEXT = """
:v a skos:Concept ; skos:prefLabel "vehicle"@en .
:c a skos:Concept ; skos:broader :v ; skos:prefLabel "car"@en ; skos:altLabel "automobile"@en, "Auto"@de, "CAR"@fr .
:b a skos:Concept ; skos:broader :v ; skos:prefLabel "bike"@en ; skos:altLabel "cycle"@en ; skos:hiddenLabel "byke" .
:r a skos:Concept ; skos:broader :v ; skos:prefLabel "ring"@en ; skos:altLabel "auto"@en .
"""
DISTANCE = "Rada(scale=distance)"
W = 0.25


def ontology(**weights: float) -> oe.Ontology:
    return load(TEXT, weights=weights)


def task(left: str, right: str, weight: float = W, **weights: float) -> oe.ConceptPairs:
    table = PairTable((left,), (right,), None, (1,), Source())
    return PairLookup(ontology(altLabel=weight, **weights), table).task()


def value(measure: str, left: str, right: str, weight: float = W, **weights: float) -> float:
    return oe.evaluate(task(left, right, weight, **weights), [measure])[measure].value


@pytest.mark.parametrize(
    ("left", "right", "terms"),
    [
        ("car", "bike", 0),
        (EX + "c", EX + "b", 0),
        ("c", "b", 0),  # local names
        ("automobile", "bike", 1),
        ("automobile", "cycle", 2),
        ("AUTOMOBILE", "bike", 1),
        ("Car", "bike", 0),  # also its prefLabel
        ("CAR", "bike", 0),
        ("byke", "car", 0),  # a hiddenLabel
    ],
)
def test_each_term_that_is_an_altlabel_alone_adds_its_weight(left: str, right: str, terms: int) -> None:
    d = 2 + terms * W
    assert value(DISTANCE, left, right) == pytest.approx(d, abs=1e-12)
    assert value("Rada", left, right) == pytest.approx(1 / (1 + d), abs=1e-12)
    assert value("LC(scale=raw)", left, right) == pytest.approx(-log((d + 1) / 4), abs=1e-12)  # D = 2 nodes
    assert value("Rada(scale=distance, paths=common-ancestor)", left, right) == pytest.approx(d, abs=1e-12)
    assert value(DISTANCE, left, right, weight=0) == 2.0


def test_it_is_added_to_weighted_paths() -> None:
    assert value(DISTANCE, "automobile", "cycle", 0.5, broader=3) == 7.0


def test_two_terms_of_one_concept_are_apart() -> None:
    assert value(DISTANCE, "car", "automobile") == W
    assert value(DISTANCE, "automobile", "automobile") == 2 * W
    assert value(DISTANCE, "car", "automobile", weight=0) == 0.0


def test_of_several_senses_each_has_its_own_label() -> None:
    # auto is exactly the altLabel of ring, and by case that of car: exact names go first
    assert value(DISTANCE, "auto", "ring") == W
    # Auto is exactly the altLabel of car alone
    assert value(DISTANCE, "Auto", "car") == W


def test_measures_without_paths_do_not_see_it() -> None:
    for measure in ("BDM", "WP", "Lin", "LA"):
        assert value(measure, "automobile", "cycle") == value(measure, "car", "bike")


def test_without_terms_there_is_nothing_to_add() -> None:
    weighted = ontology(altLabel=W)
    assert oe.relate(weighted, [EX + "c"], [EX + "b"], DISTANCE).tolist() == [2.0]
    terms = oe.ConceptPairs(weighted, [EX + "c"], [EX + "b"], terms=[("automobile", "cycle")])
    assert oe.evaluate(terms, [DISTANCE])[DISTANCE].value == 2 + 2 * W
    message = refusal(ParameterError, oe.ConceptPairs, weighted, [EX + "c"], [EX + "b"], terms=[])
    assert message == "1 pairs of concepts but 0 pairs of terms. Use two terms for each pair."


@pytest.mark.parametrize("paths", ["any", "common-ancestor"])
def test_what_terms_add_is_shown_where_they_add_something(paths: str) -> None:
    terms = [("car", "bike"), ("automobile", "bike"), ("automobile", "cycle")]
    pairs = oe.ConceptPairs(ontology(altLabel=W), [EX + "c"] * 3, [EX + "b"] * 3, terms=terms)
    parts = PairScores.of(pairs, oe.parse(f"Rada(paths={paths})")).parts()
    assert [part["d"] for part in parts] == pytest.approx([2, 2 + W, 2 + 2 * W])
    assert [part.get("altLabel") for part in parts] == [None, pytest.approx(W), pytest.approx(2 * W)]


def test_nearest_takes_the_term_of_its_concept() -> None:
    weighted = ontology(altLabel=W)
    assert nearest(weighted, EX + "c", DISTANCE, 1)[0].value == 1.0
    assert nearest(weighted, EX + "c", DISTANCE, 1, term="automobile")[0].value == 1.0 + W
    assert nearest(weighted, EX + "c", DISTANCE, 1, term="car")[0].value == 1.0


def test_other_words_of_a_wordnet_synset_are_altlabels() -> None:
    made = oe.Ontology.from_edges([("dog", "animal")], labels={"dog": ["dog", "domestic dog"], "animal": "animal"})
    assert is_alternative_label(made, "domestic_dog", made.hierarchy.id("dog"))
    assert not is_alternative_label(made, "dog", made.hierarchy.id("dog"))
    assert not is_alternative_label(made, "Animal", made.hierarchy.id("animal"))


def test_the_same_concepts_by_other_terms_are_another_run() -> None:
    keys = {oe.evaluate(task(left, "bike"), [DISTANCE], system="s").key for left in ("car", "automobile")}
    assert len(keys) == 2
    keys = {oe.evaluate(task(left, "bike", 0), [DISTANCE], system="s").key for left in ("car", "automobile")}
    assert len(keys) == 1  # nothing depends on the term


def test_labels_of_documents_refuse_it_where_it_would_count() -> None:
    def judged(label: str, weight: float) -> float:
        response, gold = (oe.Corpus.from_labels({"d": [name]}) for name in (label, "bike"))
        made = oe.Extraction(response, gold, ontology(altLabel=weight))
        return oe.evaluate(made, ["LabelF(credit=high, similarity=Rada)"])["LabelF(credit=high, similarity=Rada)"].value

    assert judged("car", W) == judged("automobile", 0)
    assert refusal(ParameterError, judged, "automobile", W) == (
        "1 class is named by an altLabel (automobile), but a weight for altLabel needs pairs of terms. Remove "
        "altLabel from weights=."
    )
