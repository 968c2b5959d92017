"""Labels that differ only in case, spacing or punctuation."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.matching.near_duplicates import LabelRow, near_duplicates
from ontoeval.model.ontology import Ontology


@pytest.mark.parametrize(
    ("first", "second", "case", "normalized"),
    [
        ("plant life", "Plant Life", True, True),
        ("plant life", "plant_life", False, True),
        ("Fore-Brain", "forebrain", False, True),
        ("St. John's wort", "st johns wort", False, True),
        ("STRASSE", "straße", True, True),
        ("plant life", "plant life", False, False),  # identical labels are not meant
        ("plant", "plants", False, False),
        ("C", "C#", False, False),
        ("NAD(P)", "NADP", False, False),
        ("1,2-diol", "12-diol", False, False),
        ("1,2-diol", "1 2 diol", False, True),
        ("quercetin 3'-O", "quercetin 3-O", False, False),
        ("2',4'-x", "2,4'-x", False, False),
        ("(+)-menthol", "(+-)-menthol", False, False),
        ("--", "..", False, False),
    ],
)
def test_what_is_alike(first: str, second: str, case: bool, normalized: bool) -> None:
    rows = [LabelRow(1, first, ""), LabelRow(2, second, "")]
    assert bool(near_duplicates(rows, "case")) == case
    assert bool(near_duplicates(rows)) == normalized


def test_labels_of_one_concept_or_of_two_languages_are_not_meant() -> None:
    assert near_duplicates([LabelRow(1, "gift", "en"), LabelRow(1, "Gift", "en"), LabelRow(2, "Gift", "de")]) == []


TEXT = st.text(st.sampled_from("aAbB _-."), max_size=4)


@given(st.lists(st.tuples(st.integers(0, 3), TEXT), max_size=7), st.booleans())
def test_groups_are_as_by_comparing_every_two(entries: list[tuple[int, str]], by_case: bool) -> None:
    def fold(text: str) -> str:
        return text.lower() if by_case else "".join(c for c in text.lower() if c.isalnum())

    rows = [LabelRow(concept, text, "") for concept, text in entries]
    groups = near_duplicates(rows, "case" if by_case else "normalized")
    together = {frozenset(pair) for group in groups for pair in itertools.combinations(group, 2)}
    expected = set()
    for folded in {fold(row.text) for row in rows} - {""}:
        members = {row for row in rows if fold(row.text) == folded}
        if len({row.text for row in members}) > 1 and len({row.concept for row in members}) > 1:
            expected |= {frozenset(pair) for pair in itertools.combinations(members, 2)}
    assert together == expected


def test_a_comparison_warns_of_the_learned_side_alone() -> None:
    double = Ontology.from_edges([("Plant Life", "life"), ("plant life", "life"), ("Big-Car", "life"),
                                  ("big car", "life"), ("PLANT LIFE", "life")], name="double.tsv")  # fmt: skip
    single = Ontology.from_edges([("plant life", "life"), ("big car", "life")])
    (warning,) = oe.Comparison(double, single).warnings
    assert warning == (
        "double.tsv: 5 concepts have labels that differ only in case, spacing or punctuation: 'Big-Car', 'big car'; "
        "'PLANT LIFE', 'Plant Life', 'plant life'. If they are the same, set merge_labels=\"normalized\"."
    )
    assert oe.Comparison(single, double).warnings == ()


def test_only_labels_to_show_are_compared() -> None:
    labels = {"a": ["turkey", "Bird"], "b": ["bird"], "c": ["Turkey"]}
    task = oe.Comparison(Ontology.from_edges([], labels=labels, root="none"), Ontology.from_edges([], labels=labels))
    assert [warning.partition(": ")[2] for warning in task.warnings] == [
        "2 concepts have labels that differ only in case: 'Turkey', 'turkey'. If they are the same, set "
        'merge_labels="case".'
    ]
