"""Lexical precision, recall and F, and string matching, against the twin."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import partial
from typing import Any

import helpers
import pytest
import twin_compare
from helpers import by_iri, comparison
from hypothesis import given
from hypothesis import strategies as st
from strategies import hierarchies, picks, root_of, shuffles
from twin_compare import Case, cases

from ontoeval.measures import parse
from ontoeval.measures.comparison import _label_similarity as _labels
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

NAMES = ("LP", "LR", "LF")
WORDS = ("", "a", "b", "ab", "ba", "hotel", "Hotel", "top hotel", "Top_Hotel", "hotels", "ö", "𝕏y", "日本", "日本語")


near = partial(helpers.near, tolerance=1e-12)


def local_values(found: Score, ontology: Ontology) -> dict[str, float]:
    assert found.local is not None
    iris = ontology.hierarchy.iris
    named = zip(found.local.ids.tolist(), found.local.values.tolist(), strict=True)
    return {iris[concept]: number for concept, number in named}


# concepts


@given(case=cases())
def test_values_are_those_of_the_twin_and_lie_between_0_and_1(case: Case) -> None:
    task = comparison(case)
    for name, expected in twin_compare.lexical(case.pair).items():
        found = parse(name)(task).value
        assert found == near(expected), name
        assert 0.0 <= found <= 1.0


@given(case=cases())
def test_matching_by_iri_makes_concepts_of_equal_names_common(case: Case) -> None:
    task = by_iri(Ontology.from_edges(**case.learned), Ontology.from_edges(**case.gold))
    learned, gold = case.twins
    same = {name: name for name in learned.concepts & gold.concepts}
    for name, expected in twin_compare.lexical(twin_compare.compared(learned, gold, same)).items():
        assert parse(name)(task).value == near(expected), name


@given(case=cases())
def test_local_value_is_1_for_a_concept_with_a_partner(case: Case) -> None:
    task, pair = comparison(case), case.pair
    precision, recall, both = (parse(name)(task) for name in NAMES)
    for found, ontology, side in ((precision, task.learned, pair.learned), (recall, task.gold, pair.gold)):
        expected = {name: float(key in pair.common) for name, key in side.key.items()}
        assert local_values(found, ontology) == expected
        assert found.value == near(Fraction(sum(key in pair.common for key in side.key.values()), len(expected)))
    assert precision.local is not None
    assert precision.local.of == "learned"
    assert recall.local is not None
    assert recall.local.of == "gold"
    assert both.local is None


@given(case=cases())
def test_counts_are_the_numbers_of_concepts(case: Case) -> None:
    task, pair = comparison(case), case.pair
    common, learned, gold = len(pair.common), len(pair.learned.concepts), len(pair.gold.concepts)
    precision, recall, both = (dict(parse(name)(task).counts) for name in NAMES)
    assert precision == {"common": common, "learned": learned}
    assert recall == {"common": common, "gold": gold}
    assert both == {"common": common, "learned": learned, "gold": gold}


@given(made=hierarchies(), pick=picks())
def test_identical_ontologies_give_1(made: Any, pick: int) -> None:
    case: dict[str, Any] = {"edges": made[0], "concepts": made[1]}
    case["root"] = root_of(case, pick)
    task = by_iri(Ontology.from_edges(**case), Ontology.from_edges(**case))
    for name in (*NAMES, "SM", "SM(direction=gold)"):
        assert parse(name)(task).value == 1.0


@given(case=cases())
def test_recall_is_precision_of_the_swapped_sides(case: Case) -> None:
    for turned in (comparison(case.swapped), comparison(case).swapped):
        precision, recall, both = (parse(name)(comparison(case)).value for name in NAMES)
        assert [parse(name)(turned).value for name in NAMES] == [recall, precision, near(both)]


@given(case=cases(), shuffle=shuffles())
def test_order_of_the_input_does_not_matter(case: Case, shuffle: random.Random) -> None:
    def mixed(made: dict[str, Any]) -> dict[str, Any]:
        edges, concepts = (shuffle.sample(made[key], len(made[key])) for key in ("edges", "concepts"))
        return {**made, "edges": edges, "concepts": concepts}

    pairs = case.pairs()
    other = Case(mixed(case.learned), mixed(case.gold), dict(shuffle.sample(pairs, len(pairs))))
    for name in (*NAMES, "SM", "SM(direction=gold)"):
        assert parse(name)(comparison(other)).value == parse(name)(comparison(case)).value


def test_two_added_roots_are_a_common_concept_and_one_is_not() -> None:
    flat = Ontology.from_edges([], concepts=["a", "b"])  # gets a root
    other = Ontology.from_edges([], concepts=["a", "c"])
    rooted = Ontology.from_edges([("a", "(root)"), ("b", "(root)")])  # has a concept of that name
    assert [parse(name)(by_iri(flat, other)).value for name in NAMES] == [near(Fraction(2, 3))] * 3
    assert [parse(name)(by_iri(flat, rooted)).value for name in NAMES] == [near(Fraction(2, 3))] * 3


def test_nothing_in_common_gives_0() -> None:
    task = by_iri(Ontology.from_edges([("b", "a")]), Ontology.from_edges([("d", "c")]))
    assert [parse(name)(task).value for name in NAMES] == [0.0, 0.0, 0.0]


# labels


def labelled(*labels: str | tuple[str, str]) -> Ontology:
    """A concept for each label."""
    names = [f"c{i}" for i in range(len(labels))]
    given = {name: [label] for name, label in zip(names, labels, strict=True)}
    return Ontology.from_edges([(name, "c0") for name in names[1:]], concepts=["c0"], labels=given)


def directions(task: Comparison) -> tuple[Score, Score]:
    return parse("SM")(task), parse("SM(direction=gold)")(task)


TEXTS = st.lists(st.sampled_from(WORDS) | st.text("abö", max_size=5), min_size=1, max_size=7)


@given(ours=TEXTS, theirs=TEXTS)
def test_string_matching_is_that_of_the_twin_in_both_directions(ours: list[str], theirs: list[str]) -> None:
    forth, back = directions(by_iri(labelled(*ours), labelled(*theirs)))
    assert forth.value == near(twin_compare.average_string_matching(ours, theirs))
    assert back.value == near(twin_compare.average_string_matching(theirs, ours))
    assert 0.0 <= forth.value <= 1.0
    assert forth.counts == {"labels": len(set(ours)), "exact": len(set(ours) & set(theirs))}
    assert back.counts == {"labels": len(set(theirs)), "exact": len(set(ours) & set(theirs))}


@given(ours=TEXTS, theirs=TEXTS)
def test_string_matching_in_small_blocks_is_the_same(ours: list[str], theirs: list[str]) -> None:
    task = by_iri(labelled(*ours), labelled(*theirs))
    whole = parse("SM")(task).value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_labels, "_BLOCK", 1)
        assert parse("SM")(task).value == whole


def test_string_matching_of_the_example_of_maedche_and_staab() -> None:
    # one insertion; the shorter one has eight letters
    forth, back = directions(by_iri(labelled("TopHotel"), labelled("Top_Hotel")))
    assert forth.value == back.value == 7 / 8


def test_string_matching_is_not_symmetric() -> None:
    # hotel has its like; inn is unlike hotel: 5 edits, 3 letters
    forth, back = directions(by_iri(labelled("hotel"), labelled("hotel", "inn")))
    assert (forth.value, back.value) == (1.0, 0.5)


def test_empty_text_is_like_an_empty_text_alone() -> None:
    assert directions(by_iri(labelled(""), labelled("a")))[0].value == 0.0
    assert directions(by_iri(labelled(""), labelled("", "a")))[0].value == 1.0


def test_texts_are_counted_in_code_points() -> None:
    # one of two code points differs; in UTF-16 or UTF-8 it would be less
    assert directions(by_iri(labelled("𝕏y"), labelled("𝕏z")))[0].value == 0.5


def test_added_root_has_no_label_to_compare() -> None:
    flat = Ontology.from_edges([], concepts=["a", "b"])
    rooted = Ontology.from_edges([("a", "b")])
    forth, back = directions(by_iri(flat, rooted))
    assert (forth.value, back.value) == (1.0, 1.0)
    assert forth.counts["labels"] == 2


def test_every_label_of_a_concept_takes_part_once() -> None:
    learned = Ontology.from_edges([("b", "a")], labels={"a": ["car", "auto"], "b": "car"})
    forth, back = directions(by_iri(learned, labelled("car")))
    assert forth.counts == {"labels": 2, "exact": 1}
    assert forth.value == 0.5  # auto and car: 4 edits, 3 letters
    assert back.value == 1.0


def test_string_matching_compares_labels_of_the_language_of_the_matching() -> None:
    learned, gold = labelled(("Auto", "de"), ("house", "en")), labelled(("house", "en"), ("Automat", "de"))
    task = by_iri(learned, gold, language="en")
    forth, back = directions(task)
    assert (forth.value, back.value) == (1.0, 1.0)
    assert forth.counts == {"labels": 1, "exact": 1}


def test_string_matching_without_labels_is_undefined_or_0() -> None:
    german, english = labelled(("Haus", "de")), labelled(("house", "en"))
    forth, back = directions(by_iri(german, english, language="en"))
    assert math.isnan(forth.value)
    assert forth.undefined == "(memory) has no labels"
    assert back.value == 0.0
    assert back.undefined is None
