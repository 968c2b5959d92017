"""Readers of labels: Annif, TREC, HEMKit, CAFA and plain tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontoeval.errors import LoadError
from ontoeval.load.corpora import load_corpus
from ontoeval.model.corpus import Corpus

DocumentLabels = dict[str, list[tuple[str, float | None]]]


def document_labels(corpus: Corpus) -> DocumentLabels:
    assert corpus.labels or not len(corpus)
    result: DocumentLabels = {name: [] for name in corpus.documents}
    for document, concept, score in zip(
        corpus.document.tolist(), corpus.concept.tolist(), corpus.score.tolist(), strict=True
    ):
        result[corpus.documents[document]].append((corpus.concepts[concept], None if score != score else score))
    return result


def read(text: str, tmp_path: Path, name: str) -> Corpus:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return load_corpus(path)


CASES: dict[str, tuple[str, str, str, DocumentLabels]] = {
    "annif .tsv": (
        "doc1.tsv",
        "annif",
        "<http://ex.org/a>\tfirst\n<http://ex.org/b>\tsecond\t12.3\n",
        {"doc1": [("http://ex.org/a", None), ("http://ex.org/b", None)]},
    ),
    "annif .annif": (
        "doc1.annif",
        "annif",
        "<http://ex.org/a>\tfirst\t0.25\n<http://ex.org/b>\tsecond\t0.5\n",
        {"doc1": [("http://ex.org/b", 0.5), ("http://ex.org/a", 0.25)]},
    ),
    "annif .key": ("doc1.key", "annif", "one label\nother\n", {"doc1": [("one label", None), ("other", None)]}),
    "annif short": (
        "short.tsv",
        "annif-short",
        "A text\t<urn:x:a> <urn:x:b>\n\nAnother, with \U0001f600\t<urn:x:a>\n",
        {"1": [("urn:x:a", None), ("urn:x:b", None)], "3": [("urn:x:a", None)]},
    ),
    "qrels": (
        "q.txt",
        "qrels",
        "1 0 d1 1\n1 0 d2 0\n1 0 d3 2\n2 0 d1 0\n1 0 d9 1\n",
        {"1": [("d1", None), ("d3", None), ("d9", None)], "2": []},
    ),
    "run": (
        "run.txt",
        "run",
        "1\tQ0\td1\t1\t  2.5\ttag\n2 Q0 d1 1 1e-3 tag\n1 Q0 d2 2 -3 tag\n",
        {"1": [("d1", 2.5), ("d2", -3.0)], "2": [("d1", 0.001)]},
    ),
    "hemkit": (
        "golden.txt",
        "hemkit",
        "1 2 3\n\n2 4",
        {"1": [("1", None), ("2", None), ("3", None)], "2": [], "3": [("2", None), ("4", None)]},
    ),
    "table with header": (
        "p.tsv",
        "labels",
        "subject\tdocument\tscore\nurn:x:a\td1\t0.5\nurn:x:b\td1\t0.75\r\nurn:x:a\td2\t1\n",
        {"d1": [("urn:x:b", 0.75), ("urn:x:a", 0.5)], "d2": [("urn:x:a", 1.0)]},
    ),
    "cafa": ("t.tsv", "labels", "T_1\tGO:1\t0.5\nT_2\tGO:2\t0.1\n", {"T_1": [("GO:1", 0.5)], "T_2": [("GO:2", 0.1)]}),
    "cafa with who made it": (
        "t.txt",
        "labels",
        "AUTHOR us\nMODEL 1\nKEYWORDS homolog.\nT_1\tGO:1\t0.5\nEND\n",
        {"T_1": [("GO:1", 0.5)]},
    ),
    "cafa truth": ("g.tsv", "labels", "T_1\tGO:1\nT_1\tGO:2\n", {"T_1": [("GO:1", None), ("GO:2", None)]}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_format_is_told_by_its_content_and_read(case: str, tmp_path: Path) -> None:
    name, format, text, expected = CASES[case]
    corpus = read(text, tmp_path, name)
    assert corpus.source.format == format
    assert document_labels(corpus) == expected


def test_an_annif_folder_is_a_corpus_whose_texts_are_left_alone(tmp_path: Path) -> None:
    for name, text in [
        ("a.txt", "1 2 3"), ("a.tsv", "<urn:x:a>\tone\n"), ("b.txt", "Some text"), ("b.tsv", "<urn:x:b>\ttwo\n"),
    ]:  # fmt: skip
        (tmp_path / name).write_text(text)
    assert document_labels(load_corpus(tmp_path)) == {"a": [("urn:x:a", None)], "b": [("urn:x:b", None)]}


def test_an_empty_key_file_is_a_document_without_labels(tmp_path: Path) -> None:
    (tmp_path / "a.key").write_text("")
    (tmp_path / "b.key").write_text("x\n")
    assert document_labels(load_corpus(tmp_path)) == {"a": [], "b": [("x", None)]}


def test_hemkit_categories_need_not_be_numbers_if_the_format_is_given(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("cat dog\nbird\n")
    assert document_labels(load_corpus(path, format="hemkit")) == {
        "1": [("cat", None), ("dog", None)],
        "2": [("bird", None)],
    }


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("a.tsv", "<urn:x:a>\tone\n" * 60 + "urn:x:b\ttwo\n", 61, "angle brackets"),
        ("a.annif", "<urn:x:a>\tone\thigh\n", 1, "'high' is not a finite number"),
        ("a.tsv", "text\t<urn:x:a>\n" * 60 + "text\turn:x:b\n", 61, "text TAB"),
        ("q.txt", "1 0 d 1\n" * 60 + "1 0 d\n", 61, "found 3 cells"),
        ("q.txt", "1 0 d 1\n" * 60 + "1 0 d x\n", 61, "'x' is not a finite number"),
        ("r.txt", "1 Q0 d 1 0.5 t\n" * 60 + "1 Q0 d 1 nan t\n", 61, "'nan' is not a finite number"),
        ("r.txt", "1 Q0 d 1 0.5 t\n" * 60 + "1 Q0 d 1 0.5\n", 61, "found 5 cells"),
        ("t.tsv", "T\tC\t0.5\n" * 60 + "T\tC\t0.5\t1\n", 61, "found 4 cells"),
        ("t.tsv", "T\tC\t0.5\n" * 60 + "T\t\t0.5\n", 61, "found 2 cells"),
        ("t.tsv", "T\tC\t0.5\n" * 60 + "T\tC\tinf\n", 61, "'inf' is not a finite number"),
    ],
)
def test_a_bad_line_is_named(name: str, text: str, line: int, words: str, tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=words) as raised:
        read(text, tmp_path, name)
    assert raised.value.line == line


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_bytes(b"T\tC\t0.5\n" * 60 + b"T\t\xff\t0.5\n")
    with pytest.raises(LoadError, match="not UTF-8") as raised:
        load_corpus(path)
    assert raised.value.line == 61


def test_plain_text_is_no_corpus_of_labels(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="unknown format"):
        read("Some words that nobody annotated.\n", tmp_path, "text.txt")
