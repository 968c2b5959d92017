"""JSON Lines and TSV of our own, and brat standoff."""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path

import pytest
from helpers import annotation_rows, refusal
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.errors import LoadError
from ontoeval.load.corpora import load_corpus
from ontoeval.load.corpora.jsonl_tsv import write_lines
from ontoeval.model.corpus import AnnotatedDocument, Annotation, Corpus

SMILE = "\N{GRINNING FACE}"


def load(*lines: object, **options: object) -> Corpus:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return load_corpus(text.encode(), **options)  # type: ignore[arg-type]


refused = partial(refusal, LoadError, load)


def test_an_annotation_a_line() -> None:
    corpus = load(
        {"document": "d", "start": 0, "end": 5, "concept": "C"},
        "",
        {"concept": "D", "document": "e", "start": 2, "end": 2, "instance": "I", "score": 1},
        {"document": "d", "start": 0, "end": 5, "concept": None},
        {"document": "d", "start": 7, "end": 9, "instance": "I"},
        {"document": "d", "start": 0, "end": 5, "concept": "C", "text": None},
    )
    assert annotation_rows(corpus) == [
        ("d", 0, 5, None, None, None),
        ("d", 0, 5, "C", None, None),
        ("d", 0, 5, "C", None, None),
        ("d", 7, 9, None, "I", None),
        ("e", 2, 2, "D", "I", 1.0),
    ]
    assert corpus.source.format == "jsonl"
    assert corpus.source.counts == {}
    assert not corpus.labels


def test_a_document_a_line() -> None:
    corpus = load(
        {
            "document": "d",
            "text": f"{SMILE} Ann",
            "annotations": [{"start": 2, "end": 5, "concept": "P", "features": "x"}],
        },
        {"document": "e", "length": 9, "annotations": []},
        {"document": "f", "annotations": [{"start": 0, "end": 1, "concept": "", "kind": "x"}]},
        {"same": ["I", "J"]},
    )
    assert annotation_rows(corpus) == [("d", 2, 5, "P", None, None), ("f", 0, 1, "", None, None)]
    assert corpus.lengths.tolist() == [5, 9, -1]
    assert corpus.same == {"I": "J"}
    assert corpus.source.counts == {"keys 'kind', which are not read": 1}


def test_labels() -> None:
    corpus = load(
        {"document": "d", "labels": ["C", {"concept": "D", "score": 0.5}]},
        {"document": "e", "concept": "C", "score": 2},
        {"document": "f", "labels": []},
    )
    assert corpus.labels
    assert annotation_rows(corpus) == [
        ("d", -1, -1, "D", None, 0.5),
        ("d", -1, -1, "C", None, None),
        ("e", -1, -1, "C", None, 2.0),
    ]
    assert corpus.documents == ("d", "e", "f")


GOOD = {"document": "d", "start": 0, "end": 1, "concept": "C"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"document": d}', "not valid JSON: Expecting value (column 14)."),
        ('{"document": "d", "start": NaN}', "not valid JSON: NaN is no number."),
        ([1], "this is [1], and a JSON object is expected."),
        ({"start": 0, "end": 1, "concept": "C"}, 'there is no "document". Say which document it is about.'),
        ({**GOOD, "document": 3}, '"document" is 3, which is no string. Give a string.'),
        ({**GOOD, "concept": ["C"]}, '"concept" is ["C"], which is no string. Give a string.'),
        ({**GOOD, "instance": 1}, '"instance" is 1, which is no string. Give a string.'),
        ({**GOOD, "concept": "\ud83d"}, "\"concept\" is '\\ud83d', which has half of a character in it. Correct it."),
        ({**GOOD, "score": "0.5"}, 'the score is "0.5", which is no number. Correct it or leave it out.'),
        ({**GOOD, "score": True}, "the score is true, which is no number. Correct it or leave it out."),
        (
            '{"document": "d", "concept": "C", "score": 1e999}',
            "the score is Infinity, which is no number. Correct it or leave it out.",
        ),
        ({**GOOD, "start": "0"}, '"start" is "0". Give a whole number from 0 on.'),
        ({**GOOD, "start": -1}, '"start" is -1. Give a whole number from 0 on.'),
        ({**GOOD, "end": 1.0}, '"end" is 1.0. Give a whole number from 0 on.'),
        ({**GOOD, "end": 2**53}, '"end" is 9007199254740992. Give a whole number from 0 on.'),
        ({**GOOD, "start": 2}, "the annotation starts at 2 and ends before that, at 1. Correct its offsets."),
        ({"document": "d", "start": 0, "concept": "C"}, 'the annotation has no "end". Give it one.'),
        ({"document": "d", "end": 0, "concept": "C"}, 'the annotation has no "start". Give it one.'),
        (
            {"document": "d", "start": 0, "end": 1},
            'the annotation has neither "concept" nor "instance". Give it one ("concept": null for none).',
        ),
        (
            {"document": "d", "text": "ab", "annotations": [{"start": 0, "end": 3, "concept": "C"}]},
            "the annotation (0 to 3) lies outside the text of 2 characters. Give the text that was annotated.",
        ),
        (
            {"document": "d", "annotations": [], "labels": []},
            'there are "annotations" and "labels". Give one of them.',
        ),
        ({"document": "d", "annotations": {}}, '"annotations" is {}, which is no list. Give a list.'),
        ({"document": "d", "annotations": ["C"]}, '"C" in "annotations" is no JSON object. Give objects.'),
        ({"document": "d", "labels": [1]}, '1 in "labels" is no JSON object. Give objects.'),
        (
            {"document": "d", "labels": [{"concept": "C", "start": 1}]},
            'a label has a "start" or an "end". Put annotations of text into "annotations".',
        ),
        (
            {"document": "d", "annotations": [{"concept": "C"}]},
            'an annotation has no "start" and no "end". Put labels of documents into "labels".',
        ),
        ({"document": "d", "text": 3, "annotations": []}, '"text" is 3, which is no string. Give a string.'),
        (
            {"document": "d", "text": "ab", "length": 3, "annotations": []},
            '"length" is 3, and the text has 2 characters. Leave the length out.',
        ),
        ({"document": "d", "length": -1, "annotations": []}, '"length" is -1. Give a whole number from 0 on.'),
        ({"document": "d", "labels": [{"score": 1}]}, 'a label has no "concept". Give it one.'),
        (
            {"document": "d", "concept": "C"},
            "a label of a document, and line 1 has an annotation. Give one kind a file.",
        ),
        ({"same": "I"}, '"same" is "I". Give a list of two names.'),
        ({"same": ["I", 3]}, 'a name in "same" is 3, which is no string. Give a string.'),
        ({"document": "d" * 99, "annotations": 3}, '"annotations" is 3, which is no list. Give a list.'),
    ],
)
def test_json_lines_that_are_refused(line: object, message: str) -> None:
    said = refused(GOOD, line)
    if message.startswith(("not valid JSON", "this is [1]")):
        message += " Write one JSON object a line."
    assert said == f"(bytes), line 2: {message}"


def test_json_lines_nested_without_end_and_other_bytes() -> None:
    deep = '{"document": ' + "[" * 200_000 + "]" * 200_000 + "}"
    assert refused(deep, format="jsonl") == (
        "(bytes), line 1: brackets are nested too deep. Write one JSON object a line."
    )
    with pytest.raises(LoadError) as caught:
        load_corpus(b'{"document": "a", "concept": "b"}\n{"document": "\xe9"}')
    assert str(caught.value) == (
        "(bytes), line 2: byte 0xe9 is not UTF-8. Convert the file to UTF-8, for instance with "
        "`iconv -f latin1 -t utf-8`."
    )
    assert refused("", format="jsonl") == "(bytes): the file is empty. Give annotated documents."


def test_spans_in_a_table() -> None:
    plain = load("d\t0\t5\tC", "d\t7\t9\tD \tI\t0.5", "", "e\t0\t1\t\tI\r", "e\t3\t4\tC\t\t2")
    assert annotation_rows(plain) == [
        ("d", 0, 5, "C", None, None),
        ("d", 7, 9, "D ", "I", 0.5),
        ("e", 0, 1, None, "I", None),
        ("e", 3, 4, "C", None, 2.0),
    ]
    assert plain.source.format == "tsv"
    named = load("Score\tclass\tend\tbegin\tdocument", "0.5\tC\t5\t0\td")
    assert annotation_rows(named) == [("d", 0, 5, "C", None, 0.5)]


def test_labels_in_a_table() -> None:
    expected = [("d", -1, -1, "D", None, 0.5), ("d", -1, -1, "C", None, 0.25)]
    for lines in (["d\tC\t0.25", "d\tD\t0.5"], ["document\tscore\tconcept", "d\t0.25\tC", "d\t0.5\tD"]):
        assert annotation_rows(load(*lines, format="tsv")) == expected
        assert annotation_rows(load(*lines, format="tsv", labels=True)) == expected
    assert annotation_rows(load("d\tC", "e\tD")) == [("d", -1, -1, "C", None, None), ("e", -1, -1, "D", None, None)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "d\t0\t1",
            "found 3 cells, expected 4 to 6 (document, start, end, concept, instance, score). "
            "Separate the columns by TAB.",
        ),
        (
            "d\t0\t1\tC\tI\t1\t2",
            "found 7 cells, expected 4 to 6 (document, start, end, concept, instance, score). "
            "Separate the columns by TAB.",
        ),
        ("\t0\t1\tC", "the document is empty. Name the document."),
        ("d\tx\t1\tC", "the start is 'x'. Give a whole number from 0 on."),
        ("d\t0\t-1\tC", "the end is '-1'. Give a whole number from 0 on."),
        ("d\t0\t9007199254740992\tC", "the end is 9007199254740992. Give a whole number from 0 on."),
        ("d\t2\t1\tC", "the annotation starts at 2 and ends before that, at 1. Correct its offsets."),
        ("d\t0\t1\tC\tI\tmuch", "the score is 'much', which is no number. Correct it or leave it out."),
        ("d\t0\t1\tC\tI\tnan", "the score is 'nan', which is no number. Correct it or leave it out."),
    ],
)
def test_tables_that_are_refused(line: str, message: str) -> None:
    assert refused("d\t0\t5\tC", line) == f"(bytes), line 2: {message}"


def test_label_tables_that_are_refused() -> None:
    assert refused("document\tconcept", "d\t", format="tsv") == (
        "(bytes), line 2: the concept is empty. Give a concept."
    )
    assert refused("document\tconcept", "d\tC\t1", format="tsv") == (
        "(bytes), line 2: found 3 cells, expected 2 (document, concept). Separate the columns by TAB."
    )


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
spans = st.tuples(
    st.integers(0, 30),
    st.integers(0, 30),
    st.one_of(st.none(), texts),
    st.one_of(st.none(), texts),
    st.one_of(st.none(), st.floats(-1e9, 1e9)),
).map(lambda row: Annotation(min(row[:2]), max(row[:2]), *row[2:]))
labels = st.builds(Annotation, st.just(-1), st.just(-1), texts, st.none(), st.one_of(st.none(), st.floats(-9, 9)))
same = st.lists(st.tuples(texts, texts).filter(lambda pair: pair[0] < pair[1]), max_size=4).map(dict)


@pytest.mark.parametrize("kind", ["spans", "labels"])
@given(data=st.data())
def test_a_random_corpus_comes_back(kind: str, data: st.DataObject) -> None:
    found = data.draw(st.dictionaries(texts, st.lists(labels if kind == "labels" else spans, max_size=5), min_size=1))
    documents = [
        AnnotatedDocument(name, rows, data.draw(st.one_of(st.none(), st.integers(30, 99))))
        for name, rows in found.items()
    ]
    corpus = Corpus.build(documents, labels=kind == "labels", same=data.draw(same))
    text = "\n".join(write_lines(corpus))
    again = load_corpus(text.encode(), labels=corpus.labels)
    assert again.source.format == "jsonl"
    assert again.digest == corpus.digest


def brat(tmp_path: Path, lines: list[str], text: str | None = None, **options: object) -> Corpus:
    if text is not None:
        (tmp_path / "doc.txt").write_bytes(text.encode())
    path = tmp_path / "doc.ann"
    path.write_bytes("\n".join(lines).encode())
    return load_corpus(path, **options)  # type: ignore[arg-type]


def test_brat(tmp_path: Path) -> None:
    text = f"{SMILE} Ann and\r\nBob Bee"
    corpus = brat(
        tmp_path,
        [
            "T1\tPerson 2 5\tAnn",
            "T2\tPerson 11 18\tBob Bee",
            "T3\tFamily 2 5;15 18\tAnn Bee",
            "R1\tKnows Arg1:T1 Arg2:T2",
            "E1\tMeet:T1 Who:T2",
            "A1\tNegation T1",
            "M1\tNegation T1",
            "N1\tReference T1 Wikipedia:534366\tAnn",
            "N2\tReference T1 Wikidata:Q1\tAnn",
            "#1\tAnnotatorNotes T1\tgood",
            "*\tEquiv T1 T2",
            "T4\tCity 6 9\tand\r",
            "T5\tCity 6 9\tRom",
        ],
        text,
    )
    assert annotation_rows(corpus) == [
        ("doc", 2, 5, "Person", "Wikidata:Q1", None),
        ("doc", 2, 18, "Family", None, None),
        ("doc", 6, 9, "City", None, None),
        ("doc", 6, 9, "City", None, None),
        ("doc", 11, 18, "Person", None, None),
    ]
    assert corpus.lengths.tolist() == [len(text)]
    assert corpus.source.format == "brat"
    assert corpus.source.counts == {
        "annotations with several normalisations, of which the smallest was taken": 1,
        "discontinuous annotations, taken from their first start to their last end": 1,
        "texts of annotations that differ from the text at their offsets": 1,
    }


def test_brat_types_folders_and_files_without_text(tmp_path: Path) -> None:
    lines = ["T1\tPerson 0 1\ta", "T2\tCity 0 1\ta"]
    chosen = brat(tmp_path, lines, types="City")
    assert chosen.concepts == ("City",)
    assert chosen.source.counts == {"brat documents without their text (.txt beside the .ann)": 1}
    (tmp_path / "doc.txt").write_text("ab")
    (tmp_path / "none.ann").write_bytes(b"")
    (tmp_path / "none.txt").write_bytes(b"")
    (tmp_path / "packed.ann.gz").write_bytes(gzip.compress(b"T1\tPerson 0 1\tx\n"))
    (tmp_path / "packed.txt").write_text("xyz")
    (tmp_path / "annotation.conf").write_text("[entities]\n")
    corpus = load_corpus(tmp_path)
    assert dict(zip(corpus.documents, corpus.lengths.tolist(), strict=True)) == {"doc": 2, "none": 0, "packed": 3}
    assert len(corpus) == 3
    assert corpus.source.counts == {}
    assert load_corpus(b"T1\tPerson 0 1\tx\n").source.format == "brat"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "T2\tPerson 0\tAnn",
            "a line 'T1 TAB type start end TAB text' is expected, and this is 'T2\\tPerson 0\\tAnn'. Correct the line.",
        ),
        ("T2", "a line 'T1 TAB type start end TAB text' is expected, and this is 'T2'. Correct the line."),
        ("T1\tPerson 0 1\tA", "the id 'T1' is also that of line 1. Correct the line."),
        ("T2\tPerson 3 1\tA", "the annotation 'T2' starts at 3 and ends before that, at 1. Correct its offsets."),
        (
            "T2\tPerson 0 1;2 4\tA",
            "the annotation 'T2' (0 to 4) lies outside the text of 3 characters. Give the text that was annotated.",
        ),
        (
            "N1\tReference T1",
            "a line 'N1 TAB Reference T1 db:id TAB text' is expected, and this is 'N1\\tReference T1'. "
            "Correct the line.",
        ),
        ("What?", "a line begins with one of TREAMN#*, and this is 'What?'. Correct the line."),
    ],
)
def test_brat_that_is_refused(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(LoadError) as caught:
        brat(tmp_path, ["T1\tPerson 0 1\tA", line], "Ann")
    assert str(caught.value) == f"{tmp_path / 'doc.ann'}, line 2: {message}"
