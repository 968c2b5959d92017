"""Header lines of tables of documents and instances: words in any order are obeyed, what is not read is told."""

from __future__ import annotations

from itertools import permutations

import pytest
from helpers import annotation_rows, refusal

import ontoeval as oe
from ontoeval.errors import LoadError
from ontoeval.load.input import open_input
from ontoeval.load.ontologies.edge_table import read_instances

LABELS = {"document": "d1", "subject": "urn:x:a", "score": "0.5"}
SPANS = {"document": "d1", "start": "0", "end": "5", "class": "urn:x:a"}


def rows(text: str, **options: str) -> list[tuple[str, int, int, str | None, float | None]]:
    corpus = oe.load_corpus(text.encode(), **options)  # type: ignore[arg-type]
    return [(name, start, end, concept, score) for name, start, end, concept, _, score in annotation_rows(corpus)]


@pytest.mark.parametrize("order", list(permutations(LABELS)))
@pytest.mark.parametrize("format", [None, "labels", "tsv"])
def test_columns_of_labels_in_any_order(order: tuple[str, ...], format: str | None) -> None:
    text = "\t".join(order) + "\n" + "\t".join(LABELS[name] for name in order) + "\n"
    assert rows(text, **({} if format is None else {"format": format})) == [("d1", -1, -1, "urn:x:a", 0.5)]


@pytest.mark.parametrize("order", list(permutations(SPANS)))
def test_columns_of_spans_in_any_order(order: tuple[str, ...]) -> None:
    text = "\t".join(order) + "\n" + "\t".join(SPANS[name] for name in order) + "\n"
    assert rows(text) == [("d1", 0, 5, "urn:x:a", None)]


@pytest.mark.parametrize(
    "header",
    [
        "subject\tdocument", "Term\tDocument ID", "label\tdoc_id", "topic\tdocument", "class\tid", "category\tfile",
        "concept\titem", "#subject\tdocument", "GO term\tEntryID", "URI\tfilename", "type\tinstance",
    ],
)  # fmt: skip
def test_labels_before_their_documents(header: str) -> None:
    for format in ("labels", "tsv"):
        assert rows(f"{header}\nurn:x:a\td1\n", format=format) == [("d1", -1, -1, "urn:x:a", None)]
    assert rows(f"{header}\nurn:x:a\td1\n") == [("d1", -1, -1, "urn:x:a", None)]


def test_columns_that_are_not_read_are_noted() -> None:
    text = "document\tsubject\tlabel\tscore\nd1\turn:x:a\tarchaeology\t0.5\nd1\turn:x:b\tburials\t\n"
    corpus = oe.load_corpus(text.encode())
    assert rows(text) == [("d1", -1, -1, "urn:x:a", 0.5), ("d1", -1, -1, "urn:x:b", None)]
    assert corpus.source.notes == ("columns that are not read: 'label'",)
    spans = "text\tstart\tend\tdoc\tlabel\nBerlin\t0\t6\td1\tCity\n"
    assert rows(spans) == [("d1", 0, 6, "City", None)]
    assert "columns that are not read: 'text'" in oe.load_corpus(spans.encode()).source.notes


def test_numbers_under_an_unknown_name_may_be_scores_and_are_refused() -> None:
    assert refusal(LoadError, oe.load_corpus, b"document\tsubject\trelevance\nd1\turn:x:a\t0.5\n") == (
        "(bytes): unknown column 'relevance' with numbers. Call it score if it has the scores of labels, or remove it."
    )


@pytest.mark.parametrize(
    "text",
    [
        "d1\turn:x:a\t\nd2\turn:x:b\n", "d1\turn:x:a\nd2\turn:x:b\t\n", "d1\turn:x:a \nd2\turn:x:b\t \n",
        "document\tlabel\t\nd1\turn:x:a\nd2\turn:x:b\t\t\n",
    ],
)  # fmt: skip
@pytest.mark.parametrize("format", [None, "labels", "tsv"])
def test_trailing_tabs_and_blanks_of_labels(text: str, format: str | None) -> None:
    expected = [("d1", -1, -1, "urn:x:a", None), ("d2", -1, -1, "urn:x:b", None)]
    assert rows(text, **({} if format is None else {"format": format})) == expected


def test_trailing_tabs_and_blanks_of_spans() -> None:
    for text in ("d1\t0\t5\tC\t\t\t\nd1 \t7\t9\tD \n", "document\tstart\tend\tclass\nd1\t0\t5\tC\t\nd1\t7\t9\tD\n"):
        assert rows(text) == [("d1", 0, 5, "C", None), ("d1", 7, 9, "D", None)]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("subject\tdocument", "car\td1"),
        ("class\tid", "car\td1"),
        ("term\tfile", "car\td1"),
        ("topic\tstrength\tpage", "car\t1\td1"),
        ("name\tclass", "d1\tcar"),
        ("concept\tinstance\t", "car\td1\t"),
    ],
)
def test_columns_of_instances_in_any_order(header: str, row: str) -> None:
    assert read_instances(open_input(f"{header}\n{row}\n".encode())) == (["d1"], ["car"], [1.0])
    uneven = f"{header}\n{row}\n{row}\t\n"
    assert read_instances(open_input(uneven.encode())) == (["d1", "d1"], ["car", "car"], [1.0, 1.0])


def test_an_unknown_column_of_instances_is_refused() -> None:
    source = open_input(b"instance\tconcept\tmembership\nd1\tcar\t0.5\n")
    assert refusal(LoadError, read_instances, source) == (
        "(bytes), line 1: unknown columns: 'membership'. Remove them; use instance, concept and optionally strength."
    )


def test_a_text_after_the_tag_of_a_run_is_not_read() -> None:
    text = "1 Q0 a 1 0.5 tag with a comment\n1 Q0 b 2 0.25 tag\n"
    assert oe.load_corpus(text.encode()).source.format == "run"
    assert rows(text) == [("1", -1, -1, "a", 0.5), ("1", -1, -1, "b", 0.25)]
