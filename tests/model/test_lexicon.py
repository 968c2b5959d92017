"""Labels: their order, the choice of a language, and what stands in for a missing one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import shuffles

from ontoeval.model.lexicon import ROLES, Label, Lexicon, is_iri, local_name, name_as_label, split_words

Row = tuple[int, str, str, str]  # concept, text, language, role
SIZE = 4
ROWS = st.lists(
    st.tuples(
        st.integers(0, SIZE - 1),
        st.sampled_from(["car", "auto", "voiture", "Wagen", ""]),
        st.sampled_from(["", "de", "en", "en-gb", "en-us", "eng", "fr"]),
        st.sampled_from(["preferred", "title", "alternative", "exact", "hidden", "narrow", "broad", "related", "name"]),
    ),
    max_size=12,
)


def make(*rows: Row, size: int = SIZE) -> Lexicon:
    return Lexicon.build(
        size,
        np.array([concept for concept, _, _, _ in rows], dtype=np.int64),
        [text for _, text, _, _ in rows],
        [language for _, _, language, _ in rows],
        [ROLES.index(role) for _, _, _, role in rows],
    )


def columns(lexicon: Lexicon) -> list[Any]:
    return [lexicon.concepts.tolist(), lexicon.texts, lexicon.languages, lexicon.roles.tolist(), lexicon.size]


# order and repetition


def test_labels_come_preferred_first_then_by_role() -> None:
    roles = ["preferred", "title", "alternative", "exact", "hidden", "narrow", "broad", "related", "name"]
    rows = [(0, f"{9 - i}", "", role) for i, role in enumerate(roles)]
    assert make(*reversed(rows)).labels(0) == ("9", "8", "7", "6", "5", "4", "3", "2", "1")


def test_entries_tell_text_language_and_role() -> None:
    lexicon = make((1, "van", "en", "preferred"), (1, "Lieferwagen", "de", "alternative"), (0, "car", "", "title"))
    assert list(lexicon.entries(1)) == [Label("van", "en", "preferred"), Label("Lieferwagen", "de", "alternative")]
    assert list(lexicon.entries(0)) == [Label("car", "", "title")]
    assert list(lexicon.entries(2)) == []


@given(ROWS, shuffles())
def test_order_of_the_rows_and_repetitions_change_nothing(rows: list[Row], shuffle: random.Random) -> None:
    again = shuffle.sample(rows + rows, 2 * len(rows))
    assert columns(make(*again)) == columns(make(*rows))
    assert len(make(*rows)) == len(set(rows))


@given(ROWS)
def test_labels_are_the_distinct_texts_of_the_concept(rows: list[Row]) -> None:
    lexicon = make(*rows)
    for concept in range(SIZE):
        found = lexicon.labels(concept)
        assert sorted(found) == sorted({text for c, text, _, _ in rows if c == concept})
        assert lexicon.label(concept) == (found[0] if found else None)


def test_same_text_in_two_languages_is_one_label_and_two_entries() -> None:
    lexicon = make((0, "Taxi", "de", "preferred"), (0, "Taxi", "en", "preferred"))
    assert lexicon.labels(0) == ("Taxi",)
    assert len(lexicon) == 2


# languages


def chosen(rows: list[Row], concept: int, wanted: str) -> set[str]:
    """What the text says: en takes en and en-GB, else what has no language."""
    own = [(text, language) for c, text, language, _ in rows if c == concept]
    spoken = {text for text, language in own if language == wanted or language.startswith(wanted + "-")}
    return spoken or {text for text, language in own if not language}


@given(ROWS, st.sampled_from(["en", "EN", "en-GB", "de", "fr", "nl"]))
def test_language_takes_itself_and_its_varieties_else_no_language(rows: list[Row], language: str) -> None:
    lexicon = make(*rows)
    kept = lexicon.in_language(language)
    assert kept.size == SIZE
    for concept in range(SIZE):
        expected = chosen(rows, concept, language.lower())
        assert set(lexicon.labels(concept, language)) == expected
        assert set(kept.labels(concept)) == expected


@given(ROWS, st.sampled_from(["en", "en-gb", "de"]))
def test_lexicon_in_a_language_says_the_same_in_the_same_order(rows: list[Row], language: str) -> None:
    lexicon = make(*rows)
    kept = lexicon.in_language(language)
    assert [kept.labels(c) for c in range(SIZE)] == [lexicon.labels(c, language) for c in range(SIZE)]
    assert columns(kept.in_language(language)) == columns(kept)


def test_language_itself_comes_before_its_varieties() -> None:
    lexicon = make((0, "a lorry", "en-gb", "preferred"), (0, "truck", "en", "preferred"))
    assert lexicon.labels(0, "en") == ("truck", "a lorry")


def test_preferred_label_of_a_variety_comes_before_an_alternative_of_the_language() -> None:
    lexicon = make((0, "lorry", "en-gb", "preferred"), (0, "truck", "en", "alternative"))
    assert lexicon.labels(0, "en") == ("lorry", "truck")


def test_variety_asked_for_does_not_take_the_language_or_another_variety() -> None:
    lexicon = make(
        (0, "truck", "en", "preferred"), (0, "rig", "en-us", "preferred"), (0, "lorry", "en-gb", "preferred")
    )
    assert lexicon.labels(0, "en-GB") == ("lorry",)


def test_language_whose_code_only_begins_alike_is_another() -> None:
    assert make((0, "x", "eng", "preferred"), (0, "y", "", "preferred")).labels(0, "en") == ("y",)


def test_no_language_is_taken_only_where_the_language_says_nothing() -> None:
    lexicon = make((0, "truck", "en", "alternative"), (0, "T-1", "", "preferred"), (1, "T-2", "", "preferred"))
    kept = lexicon.in_language("en")
    assert kept.labels(0) == ("truck",)
    assert kept.labels(1) == ("T-2",)


def test_concept_with_labels_in_other_languages_only_has_none() -> None:
    lexicon = make((0, "Lastwagen", "de", "preferred"))
    assert lexicon.labels(0, "en") == ()
    assert lexicon.label(0, "en") is None
    assert lexicon.in_language("en").labels(0) == ()


# counts


@given(ROWS)
def test_language_counts_and_unlabelled_leave_names_out(rows: list[Row]) -> None:
    lexicon = make(*rows)
    own = {row for row in rows if row[3] != "name"}
    expected = {language: sum(row[2] == language for row in own) for language in sorted({row[2] for row in own})}
    assert lexicon.language_counts == expected
    assert list(lexicon.language_counts) == sorted(expected)
    assert lexicon.unlabelled.tolist() == [not any(row[0] == c for row in own) for c in range(SIZE)]


def test_empty_lexicon_has_no_labels() -> None:
    lexicon = make()
    assert len(lexicon) == 0
    assert lexicon.labels(3) == ()
    assert lexicon.unlabelled.tolist() == [True] * SIZE
    assert lexicon.language_counts == {}
    assert len(lexicon.in_language("en")) == 0


@pytest.mark.parametrize("key", ["concepts", "roles", "unlabelled"])
def test_arrays_are_read_only(key: str) -> None:
    array = getattr(make((0, "a", "", "preferred")), key)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_columns_are_small_integers() -> None:
    lexicon = make((0, "a", "", "preferred"))
    assert lexicon.concepts.dtype == lexicon.roles.dtype == np.int32


# names that stand in for labels


@pytest.mark.parametrize(
    ("iri", "label"),
    [
        ("http://ex.org/onto#ConferenceMember", "Conference Member"),
        ("http://ex.org/onto#conferenceMember", "conference Member"),
        ("http://ex.org/onto/Conference_Member", "Conference Member"),
        ("http://ex.org/onto/conference-member", "conference member"),
        ("http://ex.org/onto/conference%20member", "conference member"),
        ("http://ex.org/onto/Conference__Member-of_", "Conference Member of"),
        ("http://ex.org/onto#OWLClass", "OWL Class"),
        ("http://ex.org/onto#hasURL", "has URL"),
        ("http://ex.org/onto#Top10Hotel", "Top10 Hotel"),
        ("http://ex.org/onto#caféBar", "café Bar"),
        ("http://ex.org/onto#EUÄnderung", "EU Änderung"),
        ("http://ex.org/onto#van", "van"),
        ("http://ex.org/onto/van/", "van"),
        ("http://ex.org/onto/van#", "van"),
        ("http://ex.org/onto#a/b", "a/b"),
        ("http://ex.org/coup%C3%A9", "coupé"),
        ("http://ex.org/and%2For", "and/or"),
        ("http://purl.obolibrary.org/obo/GO_0008150", "GO 0008150"),
        ("urn:ex:SportsCar", "Sports Car"),
        ("tag:ex.org,2020:SportsCar", "Sports Car"),
        ("file:///tmp/x.owl#SportsCar", "Sports Car"),
        ("https://ex.org", "ex.org"),
    ],
)
def test_of_an_iri_the_words_of_the_local_name_stand_in(iri: str, label: str) -> None:
    assert name_as_label(iri) == label


@pytest.mark.parametrize(
    "name",
    ["van", "Conference_Member", "ConferenceMember", "e-mail", "two words", "100%20", "ex:ConferenceMember",
     "GO:0008150", "and/or", "C#", "see http://ex.org/SomeThing", "http://ex.org/with blank", "Note: SomeThing", ""],
)  # fmt: skip
def test_plain_name_is_its_own_label_unchanged(name: str) -> None:
    assert not is_iri(name)
    assert name_as_label(name) == name


def test_local_name_is_decoded_once() -> None:
    assert local_name("http://ex.org/50%25Ab") == "50%Ab"
    assert name_as_label("http://ex.org/50%25Ab") == "50%Ab"


@pytest.mark.parametrize("name", ["_", "-", "__", "- _"])
def test_name_without_any_word_stays_as_it_is(name: str) -> None:
    assert split_words(name) == name


@given(st.text(alphabet="aBC1_- é", max_size=12))
def test_split_words_gives_words_between_single_blanks(name: str) -> None:
    words = split_words(name)
    if any(letter not in "_- " for letter in name):
        assert "_" not in words
        assert "-" not in words
        assert words == " ".join(words.split())
        assert words.replace(" ", "") == name.replace("_", "").replace("-", "").replace(" ", "")
    else:
        assert words == name
