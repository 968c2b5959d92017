"""What two texts may differ in and still be equal."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.errors import ParameterError
from ontoeval.matching.normalize import checked_folds, folder


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", ()),
        ([], ()),
        ("none", ()),
        ("case", ("case",)),
        (" stem , case ", ("case", "stem")),
        (["separators", "case,nfkc"], ("case", "nfkc", "separators")),
        ("all", ("case", "nfkc", "separators", "camel")),
        ("all,stem", ("case", "nfkc", "separators", "camel", "stem")),
        ("squeeze,all", ("case", "nfkc", "separators", "camel", "squeeze")),
        ("none,case", ("case",)),
        ("case,case", ("case",)),
    ],
)
def test_words_are_read_in_any_form(given: Any, expected: tuple[str, ...]) -> None:
    assert checked_folds(given) == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "cases",
            "unknown normalisation 'cases'. Did you mean 'case'? Choose from: case, nfkc, separators, camel, stem, "
            "squeeze, all, none.",
        ),
        (
            ["case", "xyz"],
            "unknown normalisation 'xyz'. Choose from: case, nfkc, separators, camel, stem, squeeze, all, none.",
        ),
        (
            "Case",
            "unknown normalisation 'Case'. Did you mean 'case'? Choose from: case, nfkc, separators, camel, stem, "
            "squeeze, all, none.",
        ),
    ],
)
def test_an_unknown_word_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        checked_folds(given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("folds", "text", "expected"),
    [
        ("none", " Ab_c  ﬁ ", " Ab_c  ﬁ "),
        ("case", "Straße ΣΊΣΥΦΟΣ", "strasse σίσυφοσ"),
        ("nfkc", "ﬁ ① Ａ e\u0301", "fi 1 A é"),
        ("separators", "__a_b-c \t d--", "a b c d"),
        ("separators", "a\u00a0b", "a b"),
        ("camel", "ConferenceMember", "Conference Member"),
        ("camel", "HTTPServer", "HTTP Server"),
        ("camel", "page2Text", "page2 Text"),
        ("camel", "ABC", "ABC"),
        ("camel", "caféBar EUÄnderung", "café Bar EU Änderung"),
        ("camel", "snake_case", "snake_case"),
        ("stem", "running dogs", "run dog"),
        ("all", "  Conference_MemberID-ﬁle ", "conference member id file"),
        ("case,camel", "ConferenceMember", "conference member"),  # camel first, or there would be no capitals left
        ("separators,stem", "programme_committees", "programm committe"),
        ("case,nfkc", "ℌ", "h"),
        ("squeeze", "fore_brain  Fore-Brain\u00a0x", "forebrainFore-Brainx"),
        ("case,separators,squeeze", "Fore-Brain", "forebrain"),
        ("case,separators,squeeze", "forebrain", "forebrain"),
        ("case,stem,squeeze", "running Dogs", "rundog"),  # words are stemmed before they are joined
    ],
)
def test_each_forgets_what_it_says(folds: str, text: str, expected: str) -> None:
    assert folder(checked_folds(folds))(text) == expected


def test_stems_are_those_of_the_language() -> None:
    german = folder(("stem",), "de")
    assert german("häusern") == german("häuser")
    english = folder(("stem",), "en")
    assert english("häusern") != english("häuser")
    assert folder(("stem",), "de-at")("häusern") == german("häusern")


def test_a_language_without_a_stemmer_is_refused() -> None:
    with pytest.raises(ParameterError) as caught:
        folder(("stem",), "tlh")
    assert str(caught.value) == "no stemmer for the language 'tlh'. Remove stem from normalize=."
    assert folder(("case",), "tlh")("A") == "a"


def test_without_snowball_one_is_told_what_to_install() -> None:
    code = (
        "import sys; sys.modules['snowballstemmer'] = None\nfrom ontoeval.errors import MissingInputError\n"
        "from ontoeval.matching.normalize import folder\nassert folder(('case',))('A') == 'a'\n"
        "try:\n    folder(('stem',))\nexcept MissingInputError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "stemming needs snowballstemmer. Run `pip install 'ontoeval-toolkit[stem]'`.\n"


EVERY = [
    ",".join(words)
    for count in range(6)
    for words in itertools.combinations(["case", "nfkc", "separators", "camel", "squeeze"], count)
]


@given(st.text(st.sampled_from("aAbB1_- \t"), max_size=12))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    for folds in EVERY:
        fold = folder(checked_folds(folds))
        assert fold(fold(text)) == fold(text)


@given(st.text(max_size=12))
def test_upper_and_lower_case_are_one_without_case(text: str) -> None:
    fold = folder(("case",))
    assert fold(text.casefold()) == fold(text)


@given(st.lists(st.sampled_from(["conference", "member", "of", "x1"]), min_size=1, max_size=4))
def test_all_ways_to_write_words_together_are_one(words: list[str]) -> None:
    fold = folder(checked_folds("all"))
    ways = [
        " ".join(words),
        "_".join(words),
        "-".join(words).upper(),
        "".join(word.capitalize() for word in words),
        words[0] + "".join(word.capitalize() for word in words[1:]),
        "_".join(word.capitalize() for word in words) + " ",
    ]
    assert {fold(way) for way in ways} == {" ".join(words)}
