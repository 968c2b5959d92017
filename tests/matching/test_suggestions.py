"""Warnings about a matching: another one finds clearly more, by hand-counted cases and by doing what is advised."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.matching import suggestions as module
from ontoeval.matching.alignment import Alignment
from ontoeval.matching.matcher import match
from ontoeval.matching.matching import ADDED_ROOT
from ontoeval.matching.suggestions import match_warnings, suggestion
from ontoeval.model.ontology import Ontology


def labelled(texts: dict[str, Any], **options: Any) -> Ontology:
    return Ontology.from_edges([], labels=texts, root="none", **options)


def sides(same: int, without_case: int, other: int) -> tuple[Ontology, Ontology]:
    """Concepts whose labels are the same, equal without case, and different."""
    learned = {f"l{n}": f"word {n}" for n in range(same + without_case + other)}
    texts = [f"word {n}" if n < same else f"Word {n}" if n < same + without_case else f"else {n}" for n in range(
        same + without_case + other)]  # fmt: skip
    return labelled(learned), labelled({f"g{n}": text for n, text in enumerate(texts)})


def test_the_message_has_the_numbers_and_keeps_the_chain_of_steps() -> None:
    learned, gold = sides(147, 84, 31)
    (warning,) = match_warnings(learned, gold, match(learned, gold))
    assert warning == ('(memory): 147 of 262 concepts match; 231 would match ignoring case. Set normalize="case".')


@pytest.mark.parametrize(
    ("same", "gain", "other", "warned"),
    [
        (96, 4, 0, False),  # 4 of 100
        (95, 5, 0, True),  # 5 %
        (90, 4, 6, False),
        (1000, 19, 981, False),  # 19 of 2,000
        (1000, 20, 980, True),
        (3, 1, 0, True),  # 1 of 4
    ],
)
def test_a_gain_of_5_percent_or_20_concepts_is_told(same: int, gain: int, other: int, warned: bool) -> None:
    learned, gold = sides(same, gain, other)
    assert bool(match_warnings(learned, gold, match(learned, gold))) == warned


def test_nothing_is_searched_where_too_few_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_search(*_: object) -> int:
        raise AssertionError

    monkeypatch.setattr(module, "pairs_added", no_search)
    learned, gold = sides(96, 4, 0)
    assert match_warnings(learned, gold, match(learned, gold)) == ()
    learned, gold = sides(95, 5, 0)
    with pytest.raises(AssertionError):
        match_warnings(learned, gold, match(learned, gold))


def test_a_larger_change_needs_as_large_a_further_gain() -> None:
    """Of 40 concepts 30 differ in case, 1 more in separators: 2 would be 5 %."""
    learned = labelled({f"l{n}": f"word {n}" for n in range(40)})
    gold = labelled({f"g{n}": f"Word {n}" if n < 30 else f"Word_{n}" if n == 30 else f"else{n}" for n in range(40)})
    assert suggestion(learned, gold, match(learned, gold)) == ("ignoring case", 30, 'Set normalize="case".')
    gold = labelled({f"g{n}": f"Word {n}" if n < 30 else f"Word_{n}" if n < 32 else f"else{n}" for n in range(40)})
    assert suggestion(learned, gold, match(learned, gold)) == (
        "ignoring case and separators", 32, 'Set normalize="case,separators".',
    )  # fmt: skip


def test_what_is_asked_for_is_kept() -> None:
    learned, gold = labelled({"a": "Big-Car"}), labelled({"b": "big car"})
    matching = match(learned, gold, "label", normalize="separators,stem")
    assert suggestion(learned, gold, matching) == ("ignoring case", 1, 'Set normalize="case,separators,stem".')
    learned, gold = labelled({"http://x/Car": "p"}), labelled({"http://y/Car": "q"})
    assert suggestion(learned, gold, match(learned, gold, "preferred")) == (
        "by local name", 1, 'Set by="preferred,name".',
    )  # fmt: skip
    gold = labelled({"http://y/car": "q"})
    assert suggestion(learned, gold, match(learned, gold)) == (
        "by local name ignoring case", 1, 'Set by="iri,label,name" and normalize="case".',
    )  # fmt: skip


def test_a_language_may_be_what_keeps_labels_apart() -> None:
    learned, gold = labelled({"a": [("car", "en")]}), labelled({"b": [("car", "de")]})
    matching = match(learned, gold, "label", language=["en", "de"])
    assert suggestion(learned, gold, matching) == ("in any language", 1, "Remove language=.")


def test_mappings_and_functions_are_known_to_their_user_alone() -> None:
    learned, gold = labelled({"a": "x", "b": "y"}), labelled({"a1": "x", "b1": "y"})
    mapping = Alignment((("a", "a1", 1.0),), "map.tsv")
    assert suggestion(learned, gold, match(learned, gold, mapping)) == ("by label", 2, "Add the step label to by=.")
    matching = match(learned, gold, lambda *_: [("a", "a1")])
    assert suggestion(learned, gold, matching) == ("by label", 2, "Add the step label to by=.")


def test_where_nothing_would_match_the_warning_says_so() -> None:
    learned, gold = labelled({"a": "x"}), labelled({"b": "y"})
    (warning,) = match_warnings(learned, gold, match(learned, gold))
    assert warning == (
        "(memory): 0 of 1 concepts match by iri,label, and none would by IRI, label or local name. "
        "Do both ontologies describe the same domain?"
    )
    some = labelled({"a": "x", "c": "z"})
    assert match_warnings(learned, some, match(learned, some)) == ()


def test_added_roots_are_no_concepts_that_match() -> None:
    learned, gold = (Ontology.from_edges([], concepts=names, root="new") for names in (["a", "b"], ["c", "d"]))
    (warning,) = match_warnings(learned, gold, match(learned, gold, "iri"))
    assert warning.startswith("(memory): 0 of 2 concepts match by iri, and none would")


def test_a_comparison_warns_also_if_novel_concepts_are_left_out() -> None:
    learned, gold = sides(2, 2, 0)
    task = oe.Comparison(learned, gold)
    expected = '(memory): 2 of 4 concepts match; 4 would match ignoring case. Set normalize="case".'
    assert task.warnings == task.covered().warnings == (expected,)
    with pytest.warns(oe.OntoevalWarning, match="4 would match ignoring case"):
        assert oe.evaluate(task, "LF").warnings == (expected,)


def test_a_mapping_without_a_known_name_is_a_warning_and_not_a_note() -> None:
    learned, gold = labelled({"a": "x"}, name="a.owl"), labelled({"b": "x"}, name="b.owl")
    matching = match(learned, gold, [Alignment((("p", "q", 1.0), ("r", "s", 1.0)), "map.tsv"), "label"])
    assert matching.notes == ()
    assert matching.warnings == matching.swapped.warnings == (
        "map.tsv: no pair (of 2) names a concept of each file (first: 'p', 'q'). "
        "Use the one for a.owl and b.owl.",
    )  # fmt: skip
    assert oe.Comparison(learned, gold, matching).warnings == matching.warnings


NAMES = st.sampled_from(["a b", "A b", "a_b", "A-B", "c", "C", "d"])
SIDE = st.lists(st.tuples(st.sampled_from("pqPQ"), NAMES), min_size=1, max_size=6)


def _made(rows: list[tuple[str, str]], space: str) -> Ontology:
    return labelled({f"http://{space}/{local}{n}": text for n, (local, text) in enumerate(rows)})


@given(SIDE, SIDE, st.sampled_from(["iri", "label", "iri,label", "name", "preferred,name"]),
       st.sampled_from(["", "case", "separators"]))  # fmt: skip
def test_what_is_advised_finds_as_many_as_it_says(
    learned_rows: list[tuple[str, str]], gold_rows: list[tuple[str, str]], by: str, normalize: str
) -> None:
    learned, gold = _made(learned_rows, "x"), _made(gold_rows, "y")
    matching = match(learned, gold, by, normalize=normalize)
    found = suggestion(learned, gold, matching)
    if found is None:
        return
    asked = {"by": by, "normalize": normalize} | dict(re.findall(r'(by|normalize)="(.*?)"', found.advice))
    better = match(learned, gold, asked["by"], normalize=asked["normalize"])
    assert len(better) == found.pairs > len(matching) - matching.found[ADDED_ROOT]


def test_blanks_as_the_only_difference_are_seen() -> None:
    learned = oe.Ontology.from_edges([(f"bio{n} tech", "science") for n in range(30)], name="learned")
    gold = oe.Ontology.from_edges([(f"bio{n}tech", "science") for n in range(30)], name="gold")
    with pytest.warns(oe.OntoevalWarning) as caught:
        oe.compare(learned, gold, "LF")
    assert [str(one.message) for one in caught] == [
        "learned: 1 of 31 concepts match; 31 would match ignoring case, separators and blanks. "
        'Set normalize="case,separators,squeeze".'
    ]
    assert oe.compare(learned, gold, "LF", normalize="case,separators,squeeze")["LF"].value == 1.0
