"""Which concept is which: one to one, in a fixed order of preference, whatever order the input comes in."""

from __future__ import annotations

import itertools
import json
import math
import random
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Bytes, shuffles

import ontoeval as oe
from ontoeval.errors import ParameterError, UnknownConceptError
from ontoeval.matching import by_label_similarity as matching_by_similarity
from ontoeval.matching import matcher as matching_module
from ontoeval.matching.alignment import Alignment
from ontoeval.matching.matcher import match
from ontoeval.matching.matching import Candidate, Matching
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.lexicon import ROLES
from ontoeval.model.lookup import find_concept, unique_meaning
from ontoeval.model.ontology import Ontology, make_lexicon

Row = tuple[str, str, str, str]  # concept, text, language, role
Edges = list[tuple[str, str]]


def make(
    concepts: Iterable[str], rows: Iterable[Row] = (), *, edges: Edges | None = None, root: str = "none"
) -> Ontology:
    """An ontology with labels of every role; without edges and root unless given."""
    hierarchy = Hierarchy.from_edges(edges or [], concepts=concepts, root=root)
    kept = list(rows)
    lexicon = make_lexicon(
        hierarchy,
        np.array([hierarchy.id(concept) for concept, *_ in kept], dtype=np.int64),
        [text for _, text, _, _ in kept],
        [language for *_, language, _ in kept],
        [ROLES.index(role) for *_, role in kept],
    )
    return Ontology(hierarchy, lexicon)


def labelled(**labels: str | Sequence[str]) -> Ontology:
    """Concepts without edges; the first label of each is preferred."""
    return Ontology.from_edges([], labels=labels, root="none")


def by_iri(learned: Ontology, gold: Ontology, found: Matching) -> dict[str, str]:
    """The pairs, two added roots left out."""
    return {learned.hierarchy.iris[c.learned]: gold.hierarchy.iris[c.gold] for c in found.pairs}


def pairs(learned: Ontology, gold: Ontology, *args: Any, **options: Any) -> dict[str, str]:
    return by_iri(learned, gold, match(learned, gold, *args, **options))


# one small case for each way


def test_equal_iris_are_the_same_concept() -> None:
    learned, gold = make(["http://x/a", "http://x/b"]), make(["http://x/b", "http://y/a"])
    assert pairs(learned, gold, "iri") == {"http://x/b": "http://x/b"}


def test_equal_labels_are_the_same_concept_whatever_the_iri_says() -> None:
    learned, gold = labelled(l1="car", l2=["bike", "cycle"]), labelled(g1=["auto", "car"], g2="cycle", l1="truck")
    assert pairs(learned, gold, "label") == {"l1": "g1", "l2": "g2"}


def test_without_a_choice_iris_go_before_labels() -> None:
    learned, gold = labelled(a="x", b="y"), labelled(a="y", c="x")
    found = match(learned, gold)
    assert found.by == ("iri", "label")
    assert by_iri(learned, gold, found) == {"a": "a"}  # y and x have no free partner any more
    assert found.found == {"iri": 1, "label": 0, "added root": 0}


def test_a_concept_without_labels_is_known_by_the_words_of_its_name() -> None:
    learned, gold = make(["http://x/ConferenceMember"]), labelled(g="Conference Member")
    assert pairs(learned, gold, "label") == {"http://x/ConferenceMember": "g"}
    assert pairs(learned, gold, "preferred") == {"http://x/ConferenceMember": "g"}


@pytest.mark.parametrize("role", ["narrow", "broad", "related"])
@pytest.mark.parametrize("by", ["label", "preferred", "fuzzy:0.5"])
def test_synonyms_of_another_meaning_never_match(role: str, by: str) -> None:
    odd, plain = make(["a"], [("a", "word", "", role), ("a", "own", "", "preferred")]), labelled(b="word")
    assert pairs(odd, plain, by) == {}
    assert pairs(plain, odd, by) == {}


@pytest.mark.parametrize("role", ["preferred", "title", "alternative", "exact", "hidden"])
def test_labels_of_the_same_meaning_match(role: str) -> None:
    learned = make(["a"], [("a", "word", "", role)])
    assert pairs(learned, labelled(b="word"), "label") == {"a": "b"}


def test_preferred_takes_the_title_only_where_there_is_no_preferred_label() -> None:
    learned = make(
        ["a", "b"],
        [
            ("a", "one", "", "preferred"),
            ("a", "two", "", "title"),
            ("b", "three", "", "title"),
            ("b", "x", "", "exact"),
        ],
    )
    gold = labelled(g1="one", g2="two", g3="three", g4="x")
    assert pairs(learned, gold, "preferred") == {"a": "g1", "b": "g3"}
    assert pairs(learned, labelled(g2="two", g4="x"), "preferred") == {}
    assert pairs(learned, labelled(g2="two", g4="x"), "label") == {"a": "g2", "b": "g4"}


def test_preferred_looks_at_the_chosen_language_alone() -> None:
    learned = make(["a"], [("a", "Hund", "de", "preferred"), ("a", "dog", "en", "title")])
    gold = labelled(g="dog")
    assert pairs(learned, gold, "preferred") == {}
    assert pairs(learned, gold, "preferred", language="en") == {"a": "g"}


def test_local_names_are_what_stands_behind_the_last_separator() -> None:
    learned = make(["http://x/v1#Car", "http://x/two%20words", "urn:isbn:12", "plain"])
    gold = make(["http://y/Car", "http://y#two words", "http://z/12/", "http://z/plain"])
    assert pairs(learned, gold, "name") == {
        "http://x/v1#Car": "http://y/Car",
        "http://x/two%20words": "http://y#two words",
        "urn:isbn:12": "http://z/12/",
        "plain": "http://z/plain",
    }


def test_labels_do_not_count_where_names_were_asked_for() -> None:
    assert pairs(labelled(a="b"), labelled(b="a"), "name") == {}


def test_an_empty_text_is_no_reason_to_match() -> None:
    learned, gold = labelled(a="", b="-"), labelled(c="", d="_")
    assert pairs(learned, gold, "label") == {}
    assert pairs(learned, gold, "label", normalize="separators") == {}
    assert pairs(learned, gold, "fuzzy:0.1", normalize="separators") == {}


# chains, competition, ambiguity


def test_a_step_pairs_only_what_earlier_steps_left_over() -> None:
    learned, gold = labelled(a="x", b="y", c="z"), labelled(a="q", e="x", f="y", g="zz")
    found = match(learned, gold, "iri,label,fuzzy:0.5")
    assert by_iri(learned, gold, found) == {"a": "a", "b": "f", "c": "g"}
    assert found.found == {"iri": 1, "label": 1, "fuzzy:0.5": 1, "added root": 0}
    assert found.ambiguous == 0  # a and e share a label, but a was taken before


def test_a_chain_may_be_a_list_and_have_blanks() -> None:
    learned, gold = labelled(a="x", b="y"), labelled(a="y", d="y", e="x")
    expected = {"a": "a", "b": "d"}
    assert pairs(learned, gold, " iri , label ") == expected
    assert pairs(learned, gold, ["iri", "label"]) == expected
    assert pairs(learned, gold, ["iri,label"]) == expected
    assert match(learned, gold, " iri ,, label ").by == ("iri", "label")


def test_the_more_preferred_label_wins_before_the_lower_iri() -> None:
    learned = labelled(l1="word")
    gold = labelled(a=["other", "word"], b="word")
    found = match(learned, gold, "label")
    assert by_iri(learned, gold, found) == {"l1": "b"}
    assert found.ambiguous == 1
    ((dropped, step),) = found.dropped
    assert (dropped.learned, dropped.gold, dropped.score, step) == (0, gold.hierarchy.id("a"), 1.0, "label")


def test_the_same_text_wins_before_one_that_is_only_folded() -> None:
    learned = labelled(l1="Plant Life", l2="plant life")
    gold = labelled(g1="plant life", g2="Plant Life", g3="PLANT LIFE")
    found = match(learned, gold, "label", normalize="case")
    assert by_iri(learned, gold, found) == {"l1": "g2", "l2": "g1"}  # by IRI alone l1 is g1
    assert found.ambiguous == 4  # of six candidates
    # an alternative label that is the same goes before a preferred one that is not
    learned, gold = labelled(l="Life"), labelled(g1="life", g2=["other", "Life"])
    assert pairs(learned, gold, "label", normalize="case") == {"l": "g2"}


def test_links_count_between_concepts_with_the_same_text() -> None:
    """Gold: 3 links. The learned ones are those 3 and 2 others: EdgeP 3/5, EdgeR 3/3, EdgeF 0.75."""
    labels = {"root": "root", "g1": "Plant", "g2": "plant", "g3": "tree"}
    gold = Ontology.from_edges([("g1", "root"), ("g2", "root"), ("g3", "g2")], labels=labels)
    labels = {"top": "root", "l1": "plant", "l2": "Plant", "l3": "tree", "l4": "new", "l5": "newer"}
    links = [("l1", "top"), ("l2", "top"), ("l3", "l1"), ("l4", "l1"), ("l5", "l2")]
    learned = Ontology.from_edges(links, labels=labels)
    task = oe.Comparison(learned, gold, match(learned, gold, "label", normalize="case"))
    result = oe.evaluate(task, ["EdgeP", "EdgeR", "EdgeF"])
    assert [result[name].value for name in ("EdgeP", "EdgeR", "EdgeF")] == pytest.approx([0.6, 1.0, 0.75])


def test_the_lower_iri_wins_among_equals_on_both_sides() -> None:
    learned, gold = labelled(l2="w", l1="w"), labelled(g3="w", g1="w", g2="w")
    found = match(learned, gold, "label")
    assert by_iri(learned, gold, found) == {"l1": "g1", "l2": "g2"}
    assert found.ambiguous == 4  # of six candidates
    assert len(found.dropped) == 4


def test_the_higher_score_wins_before_the_lower_iri() -> None:
    learned, gold = make(["a", "b"]), make(["c", "d"])
    found = match(learned, gold, lambda *_: [("a", "c", 0.4), ("b", "c", 0.9), ("a", "d", 0.3), ("b", "d", 0.95)])
    assert by_iri(learned, gold, found) == {"b": "d", "a": "c"}
    assert [c.score for c in found.pairs] == [0.4, 0.95]
    assert found.ambiguous == 2


def test_a_pair_that_shares_two_labels_is_one_candidate() -> None:
    learned, gold = labelled(a=["x", "y"]), labelled(b=["y", "x"], c="y")
    found = match(learned, gold, "label")
    assert by_iri(learned, gold, found) == {"a": "b"}  # a's x with b's x: preferred and alternative, twice the same
    assert found.ambiguous == 1


def test_a_pair_that_is_a_candidate_in_two_languages_is_counted_once() -> None:
    learned = make(["a"], [("a", "taxi", "en", "preferred"), ("a", "taxi", "de", "alternative")])
    gold = make(["b", "c"], [(c, "taxi", language, "preferred") for c in "bc" for language in ("en", "de")])
    found = match(learned, gold, "label", language=["en", "de"])
    assert by_iri(learned, gold, found) == {"a": "b"}
    assert found.ambiguous == 1


def test_every_pair_is_counted_under_its_step_even_if_a_chain_repeats_one() -> None:
    learned, gold = make(["a", "b"]), make(["c", "d"])
    first, second = Alignment((("a", "c", 1.0),)), Alignment((("b", "d", 1.0),))
    found = match(learned, gold, [first, second])
    assert len(found) == 2
    assert sum(found.found.values()) == 2


# added roots


def test_two_added_roots_are_the_same_and_belong_to_no_step() -> None:
    learned = Ontology.from_edges([("a", "b"), ("c", "d")])
    gold = Ontology.from_edges([("a", "b"), ("x", "y")])
    found = match(learned, gold, "iri")
    assert (found.to_gold[0], found.to_learned[0], found.scores[0]) == (0, 0, 1.0)
    assert found.found == {"iri": 2, "added root": 1}
    assert len(found) == 3
    assert 0 not in [c.learned for c in found.pairs]


@pytest.mark.parametrize("by", ["iri", "label", "preferred", "name", "fuzzy:0.1", "all", "alignment", "function"])
@pytest.mark.parametrize("turned", [False, True])
def test_an_added_root_is_no_named_concept(by: str, turned: bool) -> None:
    added = Ontology.from_edges([], concepts=["a", "b"], root="new")
    named = Ontology.from_edges([("x", "(root)")], labels={"(root)": ["(root)", "root"]})
    assert added.hierarchy.iris[0] == "(root)"
    steps: dict[str, Any] = {
        "all": "iri,label,preferred,name,fuzzy:0.1",
        "alignment": Alignment((("(root)", "(root)", 1.0),)),
        "function": lambda *_: [("(root)", "(root)")],
    }
    learned, gold = (named, added) if turned else (added, named)
    assert pairs(learned, gold, steps.get(by, by)) == {}
    assert len(match(learned, gold, steps.get(by, by))) == 0


def test_two_added_roots_cannot_be_matched_to_anything_else() -> None:
    learned = Ontology.from_edges([], concepts=["a", "b"])
    gold = Ontology.from_edges([], concepts=["a", "b"])
    found = match(learned, gold, lambda *_: [("(root)", "a"), ("a", "(root)"), ("b", "b")])
    assert by_iri(learned, gold, found) == {"b": "b"}
    assert found.to_gold[0] == 0
    assert found.ambiguous == 0


# languages


def test_without_a_language_tags_do_not_count() -> None:
    learned, gold = make(["a"], [("a", "gift", "en", "preferred")]), make(["b"], [("b", "gift", "de", "preferred")])
    assert pairs(learned, gold, "label") == {"a": "b"}


def test_labels_are_compared_language_by_language() -> None:
    learned = make(["a"], [("a", "gift", "en", "preferred"), ("a", "Geschenk", "de", "preferred")])
    gold = make(["b"], [("b", "gift", "de", "preferred"), ("b", "poison", "en", "preferred")])
    assert pairs(learned, gold, "label", language=["en", "de"]) == {}
    assert pairs(learned, gold, "fuzzy:1", language=["en", "de"]) == {}
    present = make(["c"], [("c", "Geschenk", "de", "preferred")])
    assert pairs(learned, present, "label", language="en") == {}
    assert pairs(learned, present, "label", language=["en", "de"]) == {"a": "c"}
    assert pairs(learned, present, "fuzzy:1", language=["en", "de"]) == {"a": "c"}


def test_a_language_takes_its_varieties_and_where_there_are_none_labels_without_a_language() -> None:
    learned = make(
        ["a", "b", "c"],
        [
            ("a", "colour", "en-gb", "preferred"),
            ("a", "tint", "", "alternative"),
            ("b", "shade", "", "preferred"),
            ("b", "teinte", "fr", "preferred"),
            ("c", "eng", "eng", "preferred"),
        ],
    )
    gold = labelled(g1="colour", g2="tint", g3="shade", g4="teinte", g5="eng")
    assert pairs(learned, gold, "label", language="EN") == {"a": "g1", "b": "g3"}
    assert match(learned, gold, language="EN").languages == ("en",)


# mappings and functions


def test_the_pairs_of_a_mapping_hold_in_either_direction() -> None:
    learned, gold = make(["l1", "l2"]), make(["g1", "g2"])
    rows = (("l1", "g2", 0.5), ("l2", "g1", 0.75))
    for alignment in (Alignment(rows), Alignment(tuple((b, a, score) for a, b, score in rows))):
        found = match(learned, gold, alignment)
        assert by_iri(learned, gold, found) == {"l1": "g2", "l2": "g1"}
        assert [c.score for c in found.pairs] == [0.5, 0.75]
        assert (found.by, found.notes) == (("mapping",), ())


def test_pairs_of_a_mapping_that_name_nothing_and_other_relations_are_noted() -> None:
    learned, gold = make(["l1"]), make(["g1"])
    alignment = Alignment((("l1", "g1", 1.0), ("l1", "x", 1.0), ("y", "g1", 1.0)), path="map.tsv", skipped=1200)
    assert match(learned, gold, alignment).notes == (
        "map.tsv: left out: 2 of 3 pairs (a name is not in its file)",
        "map.tsv: 1,200 rows are not equivalences; left out",
    )


def test_a_mapping_may_use_labels_local_names_and_former_iris() -> None:
    learned = replace(labelled(**{"http://x/a": "car", "http://x/b": "bike"}), aliases={"http://old/a": "http://x/a"})
    gold = labelled(**{"http://y/a": "auto", "http://y/b": "cycle"})
    assert pairs(learned, gold, Alignment((("bike", "cycle", 1.0), ("http://old/a", "a", 1.0)))) == {
        "http://x/a": "http://y/a",
        "http://x/b": "http://y/b",
    }


def test_a_mapping_is_one_to_one_and_keeps_to_what_is_free() -> None:
    learned, gold = make(["a", "b", "c"]), make(["a", "x", "y"])
    alignment = Alignment((("a", "x", 1.0), ("b", "a", 1.0), ("b", "x", 0.5), ("b", "y", 0.5), ("c", "x", 0.9)))
    found = match(learned, gold, ["iri", alignment])
    assert by_iri(learned, gold, found) == {"a": "a", "c": "x", "b": "y"}
    assert found.found == {"iri": 1, "mapping": 2, "added root": 0}
    assert found.ambiguous == 1  # b and x


def test_a_function_says_pairs_with_or_without_scores() -> None:
    learned, gold = make(["a", "b", "c"]), make(["x", "y", "z"])

    def mine(left: Ontology, right: Ontology) -> Iterable[Sequence[Any]]:
        assert (left, right) == (learned, gold)
        return iter([("a", "x"), ["b", "y", 0.25], ("c", "z", "0.5")])

    found = match(learned, gold, mine)
    assert by_iri(learned, gold, found) == {"a": "x", "b": "y", "c": "z"}
    assert [c.score for c in found.pairs] == [1.0, 0.25, 0.5]
    assert found.by == ("mine",)


def test_a_function_that_names_an_unknown_concept_is_told_so() -> None:
    learned, gold = make(["cat", "dog"]), make(["cat", "dog"])
    with pytest.raises(UnknownConceptError) as caught:
        match(learned, gold, lambda *_: [("catt", "dog")])
    assert str(caught.value) == "unknown concept 'catt'. Did you mean 'cat'?"
    with pytest.raises(UnknownConceptError) as caught:
        match(learned, gold, lambda *_: [("cat", "elephant")])
    assert str(caught.value) == "unknown concept 'elephant'."


def mine(learned: Ontology, gold: Ontology) -> Any:
    return MINE


MINE: Any = None


@pytest.mark.parametrize(
    "said",
    [("a",), ("a", "a", 1, 2), 7, ("a", "a", "high"), ("a", "a", None), (0, 0), (["a"], "a"), (None, "a"), ("a", 0)],
)
def test_a_function_that_says_no_pair_is_told_what_it_said(said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "MINE", [said])
    with pytest.raises(ParameterError) as caught:
        match(make(["a"]), make(["a"]), mine)
    assert str(caught.value) == (
        f"the function mine returned {said!r} in its list. Return (learned IRI, gold IRI) or (learned IRI, gold IRI, "
        "score)."
    )


def test_a_function_that_gives_nothing_to_go_through_is_told_so() -> None:
    with pytest.raises(ParameterError) as caught:
        match(make(["a"]), make(["a"]), mine)
    assert str(caught.value) == (
        "the function mine returned None. Return a list of (learned IRI, gold IRI) or (learned IRI, gold IRI, score)."
    )


def test_a_score_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "MINE", [("a", "b", math.nan)])
    with pytest.raises(ParameterError) as caught:
        match(make(["a"]), make(["b"]), mine)
    assert (
        str(caught.value)
        == "the function mine returned ('a', 'b', nan) in its list. Return (learned IRI, gold IRI) or (learned IRI, "
        "gold IRI, score)."
    )


# wrong steps

NOTHING = 'no matching step. Use by="iri,label".'


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (
            "labels",
            "cannot match by 'labels'. Did you mean 'label'? Use `load_mapping()`, or one of: iri, "
            "label, preferred, name, fuzzy, instances.",
        ),
        (
            "iri,xyz",
            "cannot match by 'xyz'. Use `load_mapping()`, or one of: iri, label, preferred, name, fuzzy, instances.",
        ),
        (
            "label:0.9",
            "cannot match by 'label:0.9'. Did you mean 'label'? Use `load_mapping()`, or one of: iri, "
            "label, preferred, name, fuzzy, instances.",
        ),
        (
            ["iri", 7],
            "cannot match by 7. Use a step (iri, label, preferred, name, fuzzy, instances), an Alignment or a "
            "function.",
        ),
        ([], NOTHING),
        (" , ", NOTHING),
        *(
            (step, f"the threshold of fuzzy must be a number > 0 and <= 1, not {step[6:]!r}. Use e.g. fuzzy:0.9.")
            for step in ("fuzzy:", "fuzzy:x", "fuzzy:0", "fuzzy:-1", "fuzzy:1.01", "fuzzy:nan", "fuzzy:inf")
        ),
    ],
)
def test_a_step_that_does_not_exist_is_refused(by: Any, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        match(make(["a"]), make(["a"]), by)
    assert str(caught.value) == message


# normalisation


@pytest.mark.parametrize(
    ("normalize", "left", "right"),
    [
        ("case", "Straße", "STRASSE"),
        ("nfkc", "ﬁnance №", "finance No"),
        ("separators", " conference_-member ", "conference member"),
        ("camel", "ConferenceMember", "Conference Member"),
        ("stem", "running dogs", "run dog"),
        ("all", "Conference_Member", "conferenceMember"),
        (["case", "separators"], "Conference-Member", "conference_member"),
        ("case,separators", "Conference-Member", "conference_member"),
    ],
)
@pytest.mark.parametrize("by", ["label", "preferred", "fuzzy:1"])
def test_what_is_to_be_forgotten_makes_no_difference(normalize: Any, left: str, right: str, by: str) -> None:
    learned, gold = labelled(a=left), labelled(b=right)
    assert pairs(learned, gold, by, normalize=normalize) == {"a": "b"}
    assert pairs(learned, gold, by) == {}
    assert pairs(learned, gold, by, normalize="none") == {}


def test_local_names_are_normalised_too_and_iris_never() -> None:
    learned, gold = make(["http://x/ConferenceMember"]), make(["http://x/conference_member"])
    assert pairs(learned, gold, "name") == {}
    assert len(pairs(learned, gold, "name", normalize="all")) == 1
    assert pairs(learned, gold, "iri", normalize="all") == {}


def test_an_unknown_normalisation_is_refused() -> None:
    with pytest.raises(ParameterError) as caught:
        match(make(["a"]), make(["a"]), normalize="seperators")
    assert str(caught.value) == (
        "unknown normalisation 'seperators'. Did you mean 'separators'? Use one or more of: case, nfkc, separators, "
        "camel, stem, squeeze, all, none."
    )


def test_stems_are_those_of_each_language() -> None:
    """`Häusern` and `Häuser` have one German stem, and two English ones."""
    learned = make(["a"], [("a", "Häusern", "de", "preferred")])
    gold = make(["b"], [("b", "Häuser", "de", "preferred")])
    assert pairs(learned, gold, "label", normalize="stem", language="de") == {"a": "b"}
    assert pairs(learned, gold, "label", normalize="stem", language="en") == {}
    assert pairs(learned, gold, "label", normalize="stem", language=["en", "de"]) == {"a": "b"}


# fuzzy


def distance(a: str, b: str) -> int:
    """The fewest insertions, deletions and replacements, as a recursion over a table."""
    table = {(i, 0): i for i in range(len(a) + 1)} | {(0, j): j for j in range(len(b) + 1)}
    for i, j in itertools.product(range(1, len(a) + 1), range(1, len(b) + 1)):
        same = table[i - 1, j - 1] + (a[i - 1] != b[j - 1])
        table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, same)
    return table[len(a), len(b)]


def similarity(a: str, b: str) -> Fraction:
    return 1 - Fraction(distance(a, b), max(len(a), len(b)))


def greatest_total(table: dict[tuple[str, str], Fraction]) -> Fraction:
    """Over all one-to-one assignments, tried one by one."""
    best = Fraction(0)
    for (a, b), own in table.items():
        best = max(
            best,
            own
            + greatest_total({pair: s for pair, s in table.items() if pair > (a, b) and a != pair[0] and b != pair[1]}),
        )
    return best


def _words(take: Bytes, names: str) -> dict[str, list[str]]:
    def word() -> str:
        return "".join(take.choice("ab") for _ in range(1 + take.number(4)))

    return {name: [word() for _ in range(1 + take.number(1))] for name in names[: 1 + take.number(len(names) - 1)]}


@given(st.binary(min_size=70, max_size=70), st.sampled_from(["0.21", "0.3", "0.45", "0.55", "0.7", "0.9"]))
def test_fuzzy_finds_the_greatest_total_similarity(drawn: bytes, threshold: str) -> None:
    take = Bytes(drawn)
    ours, theirs = _words(take, "abcd"), _words(take, "wxyz")
    table = {}
    for a, b in itertools.product(ours, theirs):
        best = max(similarity(x, y) for x in ours[a] for y in theirs[b])
        if best >= Fraction(threshold):
            table[a, b] = best
    learned, gold = labelled(**ours), labelled(**theirs)
    found = match(learned, gold, f"fuzzy:{threshold}")
    mine = by_iri(learned, gold, found)
    assert set(mine.items()) <= set(table)
    assert math.isclose(sum(table[pair] for pair in mine.items()), greatest_total(table)) if table else not mine
    for candidate in found.pairs:
        pair = learned.hierarchy.iris[candidate.learned], gold.hierarchy.iris[candidate.gold]
        assert math.isclose(candidate.score, table[pair])
    assert found.ambiguous == len(found.dropped) == len(table) - len(mine)


@pytest.mark.parametrize("length", [1, 2, 4, 5, 8, 10, 20, 25])  # every share is a short decimal
def test_the_threshold_itself_is_similar_enough(length: int) -> None:
    refused = []
    for wrong in range(length):
        learned, gold = labelled(a="x" * length), labelled(b="y" * wrong + "x" * (length - wrong))
        exact = Decimal(length - wrong) / length
        if pairs(learned, gold, f"fuzzy:{exact}") != {"a": "b"}:
            refused.append(exact)
        if wrong:
            assert pairs(learned, gold, f"fuzzy:{exact + Decimal('0.0001')}") == {}
    assert refused == []


def test_fuzzy_gives_up_the_best_pair_for_a_better_total() -> None:
    learned = labelled(a="abcdefghij", b="abcdefghiX")
    gold = labelled(y="abcdefghij", z="XYZdefghij")  # a: 1.0 to y, 0.7 to z; b: 0.9 to y, 0.6 to z
    assert pairs(learned, gold, "fuzzy:0.65") == {"a": "z", "b": "y"}  # 0.7 + 0.9 is more than 1.0
    assert pairs(learned, gold, "fuzzy:0.75") == {"a": "y"}


def test_fuzzy_comes_last_in_a_chain_and_takes_the_leftovers() -> None:
    learned, gold = (
        labelled(i="one", l="color", f="conference"),
        labelled(i="two", g="color", h="conferense", k="colour"),
    )
    found = match(learned, gold, "iri,label,fuzzy:0.8")
    assert by_iri(learned, gold, found) == {"i": "i", "l": "g", "f": "h"}
    assert found.found == {"iri": 1, "label": 1, "fuzzy:0.8": 1, "added root": 0}
    assert found.by == ("iri", "label", "fuzzy:0.8")
    assert [round(c.score, 12) for c in sorted(found.pairs, key=lambda c: c.score)] == [0.9, 1.0, 1.0]


def test_fuzzy_without_a_number_means_nine_tenths() -> None:
    learned, gold = labelled(a="abcdefghij", b="123456789"), labelled(c="abcdefghix", d="12345678x")
    assert pairs(learned, gold, "fuzzy") == {"a": "c"}


def test_fuzzy_in_small_blocks_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["abc", "abd", "xbc", "xyz", "abcd", "bcd"]
    learned = labelled(**{f"l{n}": word for n, word in enumerate(words)})
    gold = labelled(**{f"g{n}": word[::-1] + word for n, word in enumerate(words[:4])})
    whole = pairs(learned, gold, "fuzzy:0.3")
    monkeypatch.setattr(matching_by_similarity, "_BLOCK", 5)
    assert pairs(learned, gold, "fuzzy:0.3") == whole
    assert len(whole) == 4


# the slow and obvious twin

CONCEPTS = (
    "a", "b", "c", "http://x/a", "http://x/b", "http://y/a", "http://y#b", "http://y/A", "urn:z:c", "http://x/a_b",
)  # fmt: skip
TEXTS = ("a", "b", "c", "A", "a b", "a_b", "")
LANGUAGES = ("", "en", "en-gb", "de", "eng")
CHAINS = ("iri", "label", "preferred", "name", "iri,label", "preferred,label,name", "name,iri", "label,name")
NORMALIZE: dict[str, Callable[[str], str]] = {
    "none": str,
    "case": str.casefold,
    "separators": lambda text: " ".join(text.replace("_", " ").replace("-", " ").split()),
    "case,separators": lambda text: " ".join(text.casefold().replace("_", " ").replace("-", " ").split()),
}
PREFERENCE = ["preferred", "title", "alternative", "exact", "hidden", "narrow", "broad", "related", "name"]
MEANING = ["preferred", "title", "alternative", "exact", "hidden", "name"]


@dataclass
class Plain:
    """One side: concepts, whether the file named the root, and all labels."""

    concepts: list[str]
    root: str
    rows: list[Row]
    edges: Edges

    def made(self) -> Ontology:
        return make(self.concepts, self.rows, edges=self.edges, root=self.root)


def _side(take: Bytes) -> Plain:
    concepts = list(dict.fromkeys(take.choice(CONCEPTS) for _ in range(1 + take.number(5))))
    rows = [
        (take.choice(concepts), take.choice(TEXTS), take.choice(LANGUAGES), take.choice(PREFERENCE[:-1]))
        for _ in range(take.number(8))
    ]
    edges = [(take.choice(concepts), take.choice(concepts)) for _ in range(take.number(3))]
    return Plain(concepts, take.choice(["auto", "new", "none"]), rows, edges)


def sides() -> st.SearchStrategy[tuple[Plain, Plain]]:
    return st.binary(min_size=100, max_size=100).map(Bytes).map(lambda take: (_side(take), _side(take)))


def _entries(side: Plain, language: str | None) -> list[Row]:
    """All labels, names that stand in for missing ones included; in a language, those that stand for it."""
    everything = list(side.rows)
    for concept in side.concepts:
        if not any(row[0] == concept for row in side.rows):
            local = {"http://x/a_b": "a b"}.get(concept, concept.replace("#", "/").replace(":", "/").split("/")[-1])
            everything.append((concept, local, "", "name"))
    if language is None:
        return everything
    chosen = []
    for concept in side.concepts:
        mine = [row for row in everything if row[0] == concept]
        spoken = [row for row in mine if row[2] == language or row[2].startswith(language + "-")]
        chosen += spoken or [row for row in mine if row[2] == ""]
    return chosen


def _words_of(side: Plain, concept: str, by: str, language: str | None) -> list[tuple[str, int]]:
    """(text, place in the order of preference) of one concept."""
    if by == "iri":
        return [(concept, 0)]
    if by == "name":
        return [(concept.replace("#", "/").replace(":", "/").split("/")[-1], 0)]
    mine = [(text, role) for who, text, _, role in _entries(side, language) if who == concept and role in MEANING]
    if by == "preferred":
        shown = [role for role in ("preferred", "title", "name") if any(own == role for _, own in mine)]
        mine = [(text, role) for text, role in mine if role in shown[:1]]
    return [(text, PREFERENCE.index(role)) for text, role in mine]


@dataclass
class Found:
    pairs: dict[str, tuple[str, int]]  # learned -> gold and the number of the step
    dropped: set[tuple[str, str, str]]  # learned, gold, step


def slow_match(learned: Plain, gold: Plain, chain: str, normalize: str, languages: Sequence[str]) -> Found:
    """Every pair of free concepts is looked at, in every step."""
    fold = NORMALIZE[normalize]
    found = Found({}, set())
    for number, by in enumerate(chain.split(",")):
        candidates: dict[tuple[str, str], tuple[bool, int]] = {}
        for a, b in itertools.product(learned.concepts, gold.concepts):
            if a in found.pairs or b in [other for other, _ in found.pairs.values()]:
                continue
            ranks = [
                (text != other, rank + other_rank)  # the same text goes before one that is only folded
                for language in languages or [None]
                for text, rank in _words_of(learned, a, by, language)
                for other, other_rank in _words_of(gold, b, by, language)
                if (text == other if by == "iri" else fold(text) == fold(other) != "")
            ]
            if ranks:
                candidates[a, b] = min(ranks)
        for a, b in sorted(candidates, key=lambda pair: (candidates[pair], pair)):
            if a in found.pairs or b in [other for other, _ in found.pairs.values()]:
                found.dropped.add((a, b, by))
            else:
                found.pairs[a] = b, number
    return found


OPTIONS = st.tuples(
    st.sampled_from(CHAINS),
    st.sampled_from(list(NORMALIZE)),
    st.sampled_from([(), ("en",), ("de", "en"), ("en", "de")]),
)


def as_found(learned: Ontology, gold: Ontology, matching: Matching) -> Found:
    ours, theirs = learned.hierarchy.iris, gold.hierarchy.iris
    return Found(
        {ours[c.learned]: (theirs[c.gold], int(matching.steps[c.learned])) for c in matching.pairs},
        {(ours[c.learned], theirs[c.gold], step) for c, step in matching.dropped},
    )


@given(sides(), OPTIONS)
def test_matching_is_as_in_the_slow_twin(both: tuple[Plain, Plain], options: tuple[str, str, tuple[str, ...]]) -> None:
    chain, normalize, languages = options
    learned, gold = both[0].made(), both[1].made()
    matching = match(learned, gold, chain, normalize=normalize, language=languages or None)
    expected = slow_match(*both, chain, normalize, languages)
    assert as_found(learned, gold, matching) == expected
    assert matching.ambiguous == len(matching.dropped) == len(expected.dropped)
    assert matching.notes == ()


@given(sides(), OPTIONS)
def test_a_matching_is_one_to_one_and_its_inverse_is_beside_it(
    both: tuple[Plain, Plain], options: tuple[str, str, tuple[str, ...]]
) -> None:
    learned, gold = both[0].made(), both[1].made()
    matching = match(learned, gold, options[0] + ",fuzzy:0.4", normalize=options[1], language=options[2])
    partners = {a: b for a, b in enumerate(matching.to_gold.tolist()) if b >= 0}
    assert {b: a for b, a in enumerate(matching.to_learned.tolist()) if a >= 0} == {b: a for a, b in partners.items()}
    assert len(matching) == len(partners) == len(set(partners.values())) == sum(matching.found.values())
    there = matching.to_gold >= 0
    assert np.array_equal(~np.isnan(matching.scores), there)
    assert np.array_equal(matching.steps >= 0, there)
    added = learned.hierarchy.root_added and gold.hierarchy.root_added
    assert matching.found["added root"] == added == (matching.steps == len(matching.by)).any()
    for side, array in ((learned, matching.to_gold), (gold, matching.to_learned)):
        if side.hierarchy.root_added:
            assert array[0] == (0 if added else -1)


@given(sides(), OPTIONS, shuffles())
def test_the_order_of_the_input_never_matters(
    both: tuple[Plain, Plain], options: tuple[str, str, tuple[str, ...]], shuffle: random.Random
) -> None:
    chain, normalize, languages = options
    made = [side.made() for side in both]
    mixed = [
        Plain(
            *(shuffle.sample(part, len(part)) if isinstance(part, list) else part for part in vars(side).values())
        ).made()
        for side in both
    ]
    first, second = (
        match(learned, gold, chain + ",fuzzy:0.4", normalize=normalize, language=languages)
        for learned, gold in (made, mixed)
    )
    assert as_found(*mixed, second) == as_found(*made, first)
    assert np.array_equal(first.to_gold, second.to_gold)
    assert np.array_equal(first.scores, second.scores, equal_nan=True)
    assert first.dropped == second.dropped


@given(sides(), OPTIONS)
def test_swapped_is_the_same_matching_seen_from_the_gold_side(
    both: tuple[Plain, Plain], options: tuple[str, str, tuple[str, ...]]
) -> None:
    learned, gold = both[0].made(), both[1].made()
    matching = match(learned, gold, options[0], normalize=options[1], language=options[2])
    turned = matching.swapped
    assert {(b, a, score) for a, b, score, _ in matching.pairs} == {(a, b, score) for a, b, score, _ in turned.pairs}
    assert turned.found == matching.found
    assert {(c.gold, c.learned, step) for c, step in matching.dropped} == {
        (c.learned, c.gold, step) for c, step in turned.dropped
    }
    assert (turned.by, turned.ambiguous, len(turned)) == (matching.by, matching.ambiguous, len(matching))
    again = turned.swapped
    assert np.array_equal(again.to_gold, matching.to_gold)
    assert np.array_equal(again.steps, matching.steps)
    assert np.array_equal(again.scores, matching.scores, equal_nan=True)


@given(sides())
def test_an_ontology_matches_itself_completely_by_iri(both: tuple[Plain, Plain]) -> None:
    ontology = both[0].made()
    assert match(ontology, ontology, "iri").to_gold.tolist() == list(range(len(ontology.hierarchy)))


# what a matching says of itself


def test_the_summary_counts_what_was_found() -> None:
    learned = Ontology.from_edges([("a", "b"), ("c", "d")], labels={"a": "one", "c": "two"})
    gold = Ontology.from_edges([("a", "x"), ("y", "z"), ("u", "z")], labels={"y": "TWO", "z": "Two"})
    matching = match(learned, gold, "iri,label", normalize="case", language="en")
    assert matching.summary() == {
        "by": "iri,label",
        "normalize": ["case"],
        "languages": ["en"],
        "matched": 3,
        "learned": 5,
        "gold": 6,
        "novel": 2,
        "missing": 3,
        "ambiguous": 1,
        "found": {"iri": 1, "label": 1, "added root": 1},
        "notes": [],
    }
    assert json.loads(json.dumps(matching.summary())) == matching.summary()
    assert repr(matching) == "<Matching by iri,label: 3 pairs, 1 ambiguous>"


def test_pairs_come_by_learned_id_with_their_scores() -> None:
    learned, gold = make(["a", "b", "c"]), make(["a", "b", "c"])
    matching = match(learned, gold, lambda *_: [("c", "a", 0.5), ("a", "c", 0.25)])
    assert list(matching.pairs) == [Candidate(0, 2, 0.25), Candidate(2, 0, 0.5)]
    assert len(list(matching.pairs)) == 2  # a second time as well


def test_a_matching_cannot_be_changed() -> None:
    matching = match(make(["a"]), make(["a"]))
    with pytest.raises(ValueError, match="read-only"):
        matching.to_gold[0] = -1
    with pytest.raises(ValueError, match="read-only"):
        matching.swapped.scores[0] = 0.5


def test_moved_keeps_the_pairs_under_new_ids() -> None:
    learned, gold = make(["a", "b", "c"]), make(["b", "c", "d"])
    matching = match(learned, gold, "iri")
    moved = matching.renumbered(np.array([1, 2]), np.array([3, 0]), 4, roots=False)
    assert moved.to_gold.tolist() == [1, -1, -1, 0]
    assert moved.to_learned.tolist() == [3, 0, -1]
    assert moved.found == matching.found == {"iri": 2, "added root": 0}


# a text that everything has


def test_a_text_that_too_many_pairs_share_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching_module, "_MOST_PAIRS", 3)
    learned, gold = labelled(a="thing", b="thing", c=["x", "thing"]), labelled(d="thing", e=["thing", "x"])
    matching = match(learned, gold, "label")
    assert by_iri(learned, gold, matching) == {"c": "e"}
    assert matching.notes == ("6 pairs of concepts share the label 'thing': it was not used for matching",)
    assert matching.ambiguous == 6


def test_as_many_pairs_as_allowed_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching_module, "_MOST_PAIRS", 4)
    learned, gold = labelled(a="thing", b="thing"), labelled(d="thing", e="thing")
    matching = match(learned, gold, "label")
    assert by_iri(learned, gold, matching) == {"a": "d", "b": "e"}
    assert (matching.notes, matching.ambiguous) == ((), 2)


def test_a_text_in_many_languages_is_still_one_text_of_its_concept(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pair of concepts shares it, however often it is written down."""
    monkeypatch.setattr(matching_module, "_MOST_PAIRS", 3)
    learned, gold = (make([name], [(name, "taxi", tag, "preferred") for tag in ("de", "en", "fr")]) for name in "ab")
    matching = match(learned, gold, "label")
    assert by_iri(learned, gold, matching) == {"a": "b"}
    assert matching.notes == ()


# finding one concept


def test_a_concept_is_found_by_iri_former_iri_local_name_or_label() -> None:
    ontology = replace(
        labelled(**{"http://x/a": ["car", "auto"], "http://x/b": "bike"}), aliases={"http://old/1": "http://x/b"}
    )
    ids = ontology.hierarchy.ids(["http://x/a", "http://x/b"]).tolist()
    assert [find_concept(ontology, name) for name in ("http://x/a", "a", "car", "auto", "AUTO")] == [ids[0]] * 5
    assert [find_concept(ontology, name) for name in ("http://x/b", "b", "bike", "http://old/1")] == [ids[1]] * 4


def test_a_concept_of_obo_is_found_by_its_short_form() -> None:
    ontology = labelled(**{"http://purl.obolibrary.org/obo/GO_0008150": "biological process"})
    assert find_concept(ontology, "GO:0008150") == 0


def test_an_iri_goes_before_a_label_of_another_concept() -> None:
    ontology = labelled(a="b", b="c", c="a")
    assert find_concept(ontology, "b") == ontology.hierarchy.id("b")


def test_a_name_that_several_concepts_have_is_refused() -> None:
    ontology = labelled(x="jaguar", y="jaguar", z="other")
    with pytest.raises(UnknownConceptError) as caught:
        find_concept(ontology, "jaguar")
    assert str(caught.value) == "2 concepts of (memory) have the name 'jaguar': x, y. Use the IRI."
    assert unique_meaning(ontology, "jaguar") is None
    assert unique_meaning(ontology, "other") == ontology.hierarchy.id("z")


def test_a_name_that_nothing_has_is_refused() -> None:
    ontology = labelled(jaguar="cat")
    with pytest.raises(UnknownConceptError) as caught:
        find_concept(ontology, "jagur")
    assert str(caught.value) == "unknown concept 'jagur'. Did you mean 'jaguar'?"
    assert unique_meaning(ontology, "jagur") is None


def test_the_exact_spelling_goes_before_another_case() -> None:
    ontology = labelled(x="Turkey", y="turkey")
    assert find_concept(ontology, "Turkey") == ontology.hierarchy.id("x")
    assert find_concept(ontology, "turkey") == ontology.hierarchy.id("y")


def test_a_name_that_differs_in_case_from_two_concepts_is_refused() -> None:
    ontology = labelled(x="Turkey", y="turkey")
    assert ontology.concepts_named("TURKEY") == tuple(sorted(ontology.hierarchy.ids(["x", "y"]).tolist()))
    assert unique_meaning(ontology, "TURKEY") is None


# real data

RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
RDFS = "{http://www.w3.org/2000/01/rdf-schema#}"
OWL = "{http://www.w3.org/2002/07/owl#}"
CELL = "{http://knowledgeweb.semanticweb.org/heterogeneity/alignment}"


def reference(path: Path) -> list[tuple[str, str]]:
    return [
        (str(cell.find(f"{CELL}entity1").get(f"{RDF}resource")), str(cell.find(f"{CELL}entity2").get(f"{RDF}resource")))
        for cell in ET.parse(path).getroot().iter(f"{CELL}Cell")
    ]


def test_equal_names_score_on_the_conference_track_as_published(shared_data: Path) -> None:
    """StringEquiv, M1: precision 0.88, recall 0.50 over the 21 reference alignments."""
    folder = shared_data / "oaei-conference"
    names = ("cmt", "conference", "confOf", "edas", "ekaw", "iasted", "sigkdd")
    loaded = {name: oe.load_ontology(folder / "ontologies" / f"{name}.owl") for name in names}
    found, right, whole = 0, 0, 0
    files = sorted((folder / "alignments").glob("*.rdf"))
    for path in files:
        learned, gold = (loaded[name] for name in path.stem.split("-"))
        cells = {pair for pair in reference(path) if pair[0] in learned.hierarchy and pair[1] in gold.hierarchy}
        mine = set(pairs(learned, gold, "name", normalize="case").items())
        found, right, whole = found + len(mine), right + len(mine & cells), whole + len(cells)
        turned = set(pairs(gold, learned, "name", normalize="case").items())
        assert turned == {(b, a) for a, b in mine}
    assert len(files) == 21
    assert (found, right, whole) == (147, 129, 259)


def test_a_reference_alignment_as_a_mapping_is_found_in_either_direction(shared_data: Path) -> None:
    folder = shared_data / "oaei-conference"
    learned, gold = (oe.load_ontology(folder / "ontologies" / f"{name}.owl") for name in ("cmt", "ekaw"))
    cells = reference(folder / "alignments" / "cmt-ekaw.rdf")
    classes = {(a, b) for a, b in cells if a in learned.hierarchy and b in gold.hierarchy}
    alignment = Alignment(tuple((a, b, 1.0) for a, b in cells), path="cmt-ekaw.rdf")
    assert set(pairs(learned, gold, alignment).items()) == classes
    assert set(pairs(gold, learned, alignment).items()) == {(b, a) for a, b in classes}
    assert 0 < len(classes) <= len(cells)


def class_labels(path: Path) -> dict[str, list[str]]:
    """Label to classes, read as plain XML; every class has one label."""
    found: dict[str, list[str]] = {}
    for element in ET.parse(path).getroot().iter(f"{OWL}Class"):
        for label in element.findall(f"{RDFS}label"):
            found.setdefault(str(label.text).casefold(), []).append(str(element.get(f"{RDF}about")))
    return found


def written_alike(ours: dict[str, list[str]], theirs: dict[str, list[str]]) -> dict[str, str]:
    """The lower IRI first, where classes share a label."""
    return {
        a: b
        for text in ours.keys() & theirs.keys()
        for a, b in zip(sorted(ours[text]), sorted(theirs[text]), strict=False)
    }


@pytest.mark.parametrize("language", ["en", "de", "fr", "ru", "ar"])
def test_labels_of_one_language_match_across_ontologies(shared_data: Path, language: str) -> None:
    folder = shared_data / "oaei-conference" / "multifarm-ontologies"
    files = [folder / f"{name}-{language}.owl" for name in ("cmt", "conference")]
    learned, gold = map(oe.load_ontology, files)
    expected = written_alike(*map(class_labels, files))
    assert pairs(learned, gold, "iri") == {}
    assert pairs(learned, gold, "label", normalize="case", language=language) == expected
    assert pairs(learned, gold, "label", normalize="case") == expected
    assert pairs(learned, gold, "label", normalize="case", language="nl") == {}
    assert expected


def test_labels_of_two_languages_are_not_mixed(shared_data: Path) -> None:
    folder = shared_data / "oaei-conference" / "multifarm-ontologies"
    files = [folder / f"conference-{language}.owl" for language in ("en", "de")]
    learned, gold = map(oe.load_ontology, files)
    expected = written_alike(*map(class_labels, files))
    assert expected
    assert pairs(learned, gold, "label", normalize="case") == expected
    assert pairs(learned, gold, "label", normalize="case", language=["en", "de"]) == {}


def test_novel_and_missing_concepts_are_counted_on_their_own_sides() -> None:
    learned, gold = make(["a", "b", "c", "d"]), make(["a", "x"])
    summary = match(learned, gold, "iri").summary()
    assert (summary["matched"], summary["novel"], summary["missing"]) == (1, 3, 1)
