"""What a name means: exactly, then without case, then as a CURIE, then by a former id."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.model.lexicon import local_name
from ontoeval.model.name_index import NameIndex

EX, OBO = "http://ex.org/", "http://purl.obolibrary.org/obo/"
IRIS = {EX + "a#Dog": 0, EX + "b#dog": 1, EX + "c#Cat": 2, OBO + "GO_0008150": 3, EX + "x": 4, EX + "y": 5}
LABELS = [("cat", 4), ("CAT", 5), ("biological process", 3), ("Brother", 4), ("brother", 5)]
FORMER = {OBO + "GO_0000004": 3}


@pytest.fixture
def index() -> NameIndex:
    return NameIndex(IRIS, lambda: LABELS, FORMER)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (EX + "b#dog", (1,)),
        (OBO + "GO_0000004", (3,)),  # a former IRI
        ("dog", (1,)),  # exact goes before another case
        ("Dog", (0,)),
        ("DOG", (0, 1)),  # both differ in case
        ("cat", (4,)),
        ("Cat", (2,)),  # a local name is as good as a label
        ("cAT", (2, 4, 5)),
        ("Biological Process", (3,)),
        ("GO:0008150", (3,)),
        ("go:0008150", (3,)),
        ("GO:0000004", (3,)),  # a former id
        ("c:Cat", (2,)),
        ("a:Dog", (0,)),
        ("other:x", (4,)),  # an unknown prefix, but only one such local name
        ("z:nothing", ()),
        ("http://other.org/x", ()),  # an IRI is not a CURIE
        ("", ()),
    ],
)
def test_the_first_way_that_finds_something_counts(index: NameIndex, name: str, expected: tuple[int, ...]) -> None:
    assert index.find(name) == expected


def test_all_senses_of_a_word_in_lower_case_are_those_of_any_case(index: NameIndex) -> None:
    assert index.find("brother") == (5,)
    assert index.find("brother", any_case=True) == (5, 4)  # exactly so first
    assert index.find("Brother", any_case=True) == (4,)  # capitals are meant
    assert index.find("BROTHER", any_case=True) == (4, 5)
    assert index.find(EX + "x", any_case=True) == (4,)


def test_listed_senses_go_first_and_keep_their_order() -> None:
    index = NameIndex(IRIS, lambda: LABELS, senses={"big_cat": (5, 2)})
    assert index.find("Big Cat") == index.find("big_cat") == (5, 2)


def test_suggestions_are_iris_then_labels(index: NameIndex) -> None:
    assert index.suggestion(EX + "c#Cats").startswith(f" Did you mean '{EX}c#Cat'")
    assert index.suggestion("bother").startswith(" Did you mean 'brother'")
    assert index.suggestion("quark") == ""


NAMES = st.sampled_from(["a", "A", "b", "B", "ab", "Ab", "aB"])


@given(st.lists(NAMES, min_size=1, max_size=4, unique=True), st.lists(st.tuples(NAMES, st.integers(0, 3)), max_size=5),
       NAMES, st.booleans())  # fmt: skip
def test_labels_and_local_names_are_found_as_by_looking_at_each(
    locals_: list[str], labels: list[tuple[str, int]], name: str, any_case: bool
) -> None:
    iris = {EX + local: number for number, local in enumerate(locals_)}
    labels = [(text, number) for text, number in labels if number < len(locals_)]
    texts = [(local_name(iri), number) for iri, number in iris.items()] + labels
    exact = sorted({number for text, number in texts if text == name})
    alike = sorted({number for text, number in texts if text.lower() == name.lower()} - set(exact))
    both = not exact or (any_case and name == name.lower())
    assert NameIndex(iris, lambda: labels).find(name, any_case=any_case) == tuple(exact + (alike if both else []))


def test_a_misspelt_name_among_very_many_is_suggested() -> None:
    iris = {f"http://x.org/C{n}": n for n in range(60_000)}
    index = NameIndex(iris, lambda: [("apoptotic process", 7), *((f"label {n}", n) for n in range(60_000))])
    assert index.suggestion("apoptotic proces") == " Did you mean 'apoptotic process'?"
    assert index.suggestion("zzz") == ""
