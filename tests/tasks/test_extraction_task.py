"""What two corpora are as a task: names, individuals, refusals. Scores: measures/annotations/test_extraction.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import ParameterError, UnknownConceptError
from ontoeval.model.instances import joined_names

A, B = "http://a.org/", "http://b.org/"
TREE = oe.Ontology.from_edges(
    [(f"{A}Man", f"{A}Person"), (f"{B}Man", f"{A}Person"), (f"{A}Woman", f"{A}Person")], name="people.ttl"
)


def spans(*names: str | None, text: int | None = None, name: str = "key") -> oe.Corpus:
    corpus = oe.Corpus.from_spans({"d": [(3 * i, 3 * i + 2, each) for i, each in enumerate(names)]}, name=name)
    return corpus if text is None else replace(corpus, lengths=np.array([text]))


def test_ambiguous_names_and_those_of_other_namespaces_are_told_apart() -> None:
    task = oe.Extraction(spans("Man", "http://c.org/Woman", "lady", "Woman ", f"{A}Man"), spans("Woman"), TREE)
    assert task.ambiguous == {"Man": (f"{A}Man", f"{B}Man")}
    assert task.unknown_names == ("lady",)
    assert task.elsewhere == ("http://c.org/Woman",)
    named = dict(zip(task.names, task.concept_of.tolist(), strict=True))
    woman = TREE.hierarchy.id(f"{A}Woman")
    expected = {"Man": -1, "lady": -1, "Woman": woman, "http://c.org/Woman": woman}
    assert named == {**expected, f"{A}Man": TREE.hierarchy.id(f"{A}Man")}


CORRECT = 'Correct the annotations, or use unknown="keep" to count them as wrong or unknown="drop" to leave them out.'


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lady", f"1 class is not in people.ttl (1 of 1 annotations): 'lady' (once). {CORRECT}"),
        (
            "Womann",
            f"1 class is not in people.ttl (1 of 1 annotations): 'Womann' (once; did you mean 'Woman'?). {CORRECT}",
        ),
        (
            f"{A}Womann",
            f"1 class is not in people.ttl (1 of 1 annotations): '{A}Womann' (once; did you mean 'Woman'?). {CORRECT}",
        ),
        ("knows", f"1 class is a property in people.ttl (1 of 1 annotations): 'knows' (once). {CORRECT}"),
        (f"{A}knows", f"1 class is a property in people.ttl (1 of 1 annotations): '{A}knows' (once). {CORRECT}"),
        ("Man", f"1 class is ambiguous in people.ttl (1 of 1 annotations): 'Man' (once; {A}Man or {B}Man). {CORRECT}"),
        (
            "http://c.org/Woman",
            "1 class is in another namespace in people.ttl (1 of 1 annotations): 'http://c.org/Woman' (once). "
            'Correct the annotations, or use unknown="keep" to match by local name.',
        ),
    ],
)
def test_strict_refuses_each_of_them(name: str, message: str) -> None:
    with pytest.raises(UnknownConceptError) as caught:
        oe.Extraction(
            spans(name), spans("Woman"), replace(TREE, property_names=frozenset({f"{B}knows"})), unknown="error"
        )
    assert str(caught.value) == f"key: {message}"


def test_all_unknown_classes_of_both_sides_are_refused_together() -> None:
    response, gold = (
        oe.Corpus.from_spans({"d": [(n, n + 1, name) for n, name in enumerate(names)]}, name=path)
        for path, names in (("run", ["lady", "Man", "lady", "Woman"]), ("key", ["lady", "Woman"]))
    )
    with pytest.raises(UnknownConceptError) as caught:
        oe.Extraction(response, gold, TREE, unknown="error")
    assert str(caught.value) == (
        "run: 1 class is not in people.ttl (2 of 4 annotations): 'lady' (2 times); "
        f"1 class is ambiguous in people.ttl (1 of 4 annotations): 'Man' (once; {A}Man or {B}Man); "
        f"key: 1 class is not in people.ttl (1 of 2 annotations): 'lady' (once). {CORRECT}"
    )


def test_dropping_the_unknown_keeps_what_has_no_class() -> None:
    task = oe.Extraction(spans("Woman", "lady", None), spans("Woman"), TREE, unknown="drop")
    assert task.response_side.name.tolist() == [task.names.index("Woman"), -1]


def test_blanks_around_a_class_do_not_count_but_an_empty_one_is_a_class() -> None:
    task = oe.Extraction(spans("Woman ", "", " "), spans("Woman"))
    assert task.names == ("", " ", "Woman")
    assert oe.evaluate(oe.Extraction(spans("Woman "), spans("Woman")), "F")["F"].value == 1


def test_same_as_of_both_sides_joins() -> None:
    def said(individual: str, *same: tuple[str, str]) -> oe.Corpus:
        return replace(oe.Corpus.from_spans({"d": [(0, 1, None, individual)]}), same=dict(same))

    task = oe.Extraction(said("C", ("A", "C")), said("B", ("A", "B")), by="instance")
    assert task.names == ("A",)
    assert oe.evaluate(task, "F")["F"].value == 1
    with_kb = oe.Extraction(said("C", ("A", "C")), said("B", ("A", "B")), by="instance", kb="C")
    assert with_kb.names == ("C",)


def test_alike_joins_chains_in_any_order() -> None:
    pairs = [(f"n{i}", f"n{i + 1}") for i in range(2000)]
    found = joined_names(pairs[::2] + pairs[1::2])
    assert all(len(group) == 2001 for group in found.values())
    assert sorted(joined_names([("a", "b"), ("c", "d"), ("b", "a")])["c"]) == ["c", "d"]


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (
            lambda: oe.Extraction(oe.Corpus.from_spans({"x": [(0, 1, "Man")]}, name="run"), spans("Man")),
            "run and key have no documents in common. The first has 'x'; the second has 'd'. Use the same names for "
            "the same documents.",
        ),
        (
            lambda: oe.Extraction(spans("Man", text=9, name="run"), spans("Man", text=8)),
            "run: the text of document 'd' has 9 characters, but 8 in key. Use annotations of the same texts.",
        ),
        (
            lambda: oe.Extraction(spans("Man", "Man", name="run"), spans("Man", text=4)),
            "run: an annotation of document 'd' ends at 5, but the text in key has 4 characters. Use annotations of "
            "the same text.",
        ),
        (
            lambda: oe.Extraction(spans(None, name="run"), spans("Man")),
            "run: no annotation has a class (1 annotation). Set class_feature= to the feature with the class.",
        ),
        (
            lambda: oe.Extraction(spans("Man"), spans("Man"), by="instance"),
            "key: no annotation has an instance (1 annotation). Set instance_feature= to the feature with the "
            "instance.",
        ),
        (
            lambda: oe.Extraction(spans("apple", name="run"), spans("Woman"), TREE),
            "no class of run is in people.ttl: 'apple'. Use the ontology of these classes, or none to compare their "
            "names.",
        ),
        (
            lambda: oe.Extraction(spans("apple", name="run"), spans("Woman"), TREE, unknown="drop"),
            "no class of run is in people.ttl: 'apple'. Use the ontology of these classes, or none to compare their "
            "names.",
        ),
    ],
)
def test_what_does_not_go_together_is_refused_when_asked(task: Callable[[], Any], message: str) -> None:
    with pytest.raises(oe.OntoevalError) as caught:
        task().check()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("task", "f"),
    [
        (oe.Extraction(spans("Woman", "lady", text=9), spans("Woman", text=9), TREE), 2 / 3),  # one class is known
        (oe.Extraction(spans("Man", "Man"), spans("Man", text=5)), 2 / 3),  # the text is as long as the annotations
        (oe.Extraction(oe.Corpus.from_spans({"d": [(0, 2, "Man")], "x": [(0, 1, "Man")]}), spans("Man")), 2 / 3),
        (oe.Extraction(spans(None, "Man"), spans("Man", "Man")), 1 / 2),  # one annotation has a class
        (oe.Extraction(spans(), spans("Man")), 0),
        (oe.Extraction(spans(), spans()), 1),
    ],
)
def test_what_just_goes_together_is_scored(task: oe.Extraction, f: float) -> None:
    """F = 2 correct / (keys + responses)."""
    task.check()
    assert oe.evaluate(task, "F")["F"].value == pytest.approx(f, abs=1e-12)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: oe.Corpus.from_spans([("d", [])]), "documents must be a mapping, not list. Use {document: [...]}."),
        (
            lambda: oe.Corpus.from_spans({1: []}),
            "1: [] is not a document. Use a name and a list of its annotations.",
        ),
        (
            lambda: oe.Corpus.from_labels({"d": "abc"}),
            "'d': 'abc' is not a document. Use a name and a list of its annotations.",
        ),
        *(
            (
                lambda span=span: oe.Corpus.from_spans({"d": [span]}),
                f"{span!r} in document 'd' is not an annotation. Use (start, end, concept) with 0 <= start <= end.",
            )
            for span in (5, (0, 1), (2, 1, "a"), (True, 3, "a"), (0, 2**60, "a"), ("0", 1, "a"), (0, 1, *"abcdefg"))
        ),
        *(
            (
                lambda span=span: oe.Corpus.from_spans({"d": [span]}),
                f"{span!r} in document 'd' is not an annotation. Use strings for concept and instance, and a finite "
                "number for the score.",
            )
            for span in ((0, 1, 5), (0, 1, "a", 7), (0, 1, "a", None, "high"), (0, 1, "a", None, float("nan")))
        ),
        *(
            (
                lambda label=label: oe.Corpus.from_labels({"d": [label]}),
                f"{label!r} in document 'd' is not a label. Use a concept or (concept, score).",
            )
            for label in (5, None, ("a", 1, 2), ("a", "0.5"), (1, 0.5), ("a", float("inf")))
        ),
    ],
)
def test_what_is_no_annotation_is_refused(made: Callable[[], Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        made()
    assert str(caught.value) == message
