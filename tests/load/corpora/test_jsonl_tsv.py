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
    assert corpus.source.counts == {"keys 'kind'; not read": 1}


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
        ('{"document": "d", "start": NaN}', "not valid JSON: NaN is not a number."),
        ([1], "expected a JSON object, found [1]."),
        ({"start": 0, "end": 1, "concept": "C"}, 'no "document". Add the name of the document.'),
        ({**GOOD, "document": 3}, '"document" must be a string, not 3. Correct it.'),
        ({**GOOD, "concept": ["C"]}, '"concept" must be a string, not ["C"]. Correct it.'),
        ({**GOOD, "instance": 1}, '"instance" must be a string, not 1. Correct it.'),
        ({**GOOD, "concept": "\ud83d"}, "\"concept\" contains half of a surrogate pair: '\\ud83d'. Correct it."),
        ({**GOOD, "score": "0.5"}, 'the score must be a number, not "0.5". Correct or remove it.'),
        ({**GOOD, "score": True}, "the score must be a number, not true. Correct or remove it."),
        (
            '{"document": "d", "concept": "C", "score": 1e999}',
            "the score must be a number, not Infinity. Correct or remove it.",
        ),
        ({**GOOD, "start": "0"}, '"start" must be a whole number >= 0, not "0". Correct it.'),
        ({**GOOD, "start": -1}, '"start" must be a whole number >= 0, not -1. Correct it.'),
        ({**GOOD, "end": 1.0}, '"end" must be a whole number >= 0, not 1.0. Correct it.'),
        ({**GOOD, "end": 2**53}, '"end" is too large: 9007199254740992. Correct it.'),
        ({**GOOD, "start": 2}, "the annotation starts at 2 but ends at 1. Correct its offsets."),
        ({"document": "d", "start": 0, "concept": "C"}, 'the annotation has no "end". Add it.'),
        ({"document": "d", "end": 0, "concept": "C"}, 'the annotation has no "start". Add it.'),
        (
            {"document": "d", "start": 0, "end": 1},
            'the annotation has neither "concept" nor "instance". Add one ("concept": null for none).',
        ),
        (
            {"document": "d", "text": "ab", "annotations": [{"start": 0, "end": 3, "concept": "C"}]},
            "the annotation (0 to 3) is outside the text of 2 characters. Use the text that was annotated.",
        ),
        (
            {"document": "d", "annotations": [], "labels": []},
            'both "annotations" and "labels". Remove one of them.',
        ),
        ({"document": "d", "annotations": {}}, '"annotations" must be a list, not {}. Correct it.'),
        ({"document": "d", "annotations": ["C"]}, '"annotations" must contain JSON objects, not "C". Correct it.'),
        ({"document": "d", "labels": [1]}, '"labels" must contain JSON objects, not 1. Correct it.'),
        (
            {"document": "d", "labels": [{"concept": "C", "start": 1}]},
            'a label has "start" or "end". Put annotations of text into "annotations".',
        ),
        (
            {"document": "d", "annotations": [{"concept": "C"}]},
            'an annotation has neither "start" nor "end". Put labels of documents into "labels".',
        ),
        ({"document": "d", "text": 3, "annotations": []}, '"text" must be a string, not 3. Correct it.'),
        (
            {"document": "d", "text": "ab", "length": 3, "annotations": []},
            '"length" is 3, but the text has 2 characters. Remove the length.',
        ),
        (
            {"document": "d", "length": -1, "annotations": []},
            '"length" must be a whole number >= 0, not -1. Correct it.',
        ),
        ({"document": "d", "labels": [{"score": 1}]}, 'a label has no "concept". Add it.'),
        (
            {"document": "d", "concept": "C"},
            "found a label, but line 1 has an annotation. Use one kind per file.",
        ),
        ({"same": "I"}, '"same" must be a list of two names, not "I". Correct it.'),
        ({"same": ["I", 3]}, 'a name in "same" must be a string, not 3. Correct it.'),
        ({"document": "d" * 99, "annotations": 3}, '"annotations" must be a list, not 3. Correct it.'),
    ],
)
def test_json_lines_that_are_refused(line: object, message: str) -> None:
    problem = refused(GOOD, line)
    if message.startswith(("not valid JSON", "expected a JSON object")):
        message += " Write one JSON object per line."
    assert problem == f"(bytes), line 2: {message}"


def test_json_lines_nested_without_end_and_other_bytes() -> None:
    deep = '{"document": ' + "[" * 200_000 + "]" * 200_000 + "}"
    assert refused(deep, format="jsonl") == (
        "(bytes), line 1: brackets are nested too deep. Write one JSON object per line."
    )
    with pytest.raises(LoadError) as caught:
        load_corpus(b'{"document": "a", "concept": "b"}\n{"document": "\xe9"}')
    assert str(caught.value) == (
        "(bytes), line 2: byte 0xe9 is not UTF-8. Convert the file to UTF-8, e.g. with `iconv -f latin1 -t utf-8`."
    )
    assert refused("", format="jsonl") == "(bytes): the file is empty. Use annotated documents."


def test_spans_in_a_table() -> None:
    plain = load("d\t0\t5\tC", "d\t7\t9\tD \tI\t0.5", "", "e\t0\t1\t\tI\r", "e\t3\t4\tC\t\t2")
    assert annotation_rows(plain) == [
        ("d", 0, 5, "C", None, None),
        ("d", 7, 9, "D", "I", 0.5),
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
        ("\t0\t1\tC", "the cell of the document is empty. Add the name of the document."),
        ("d\tx\t1\tC", "the start must be a whole number >= 0, not 'x'. Correct it."),
        ("d\t0\t-1\tC", "the end must be a whole number >= 0, not '-1'. Correct it."),
        ("d\t0\t9007199254740992\tC", "the end is too large: 9007199254740992. Correct it."),
        ("d\t2\t1\tC", "the annotation starts at 2 but ends at 1. Correct its offsets."),
        ("d\t0\t1\tC\tI\tmuch", "the score must be a number, not 'much'. Correct or remove it."),
        ("d\t0\t1\tC\tI\tnan", "the score must be a number, not 'nan'. Correct or remove it."),
    ],
)
def test_tables_that_are_refused(line: str, message: str) -> None:
    assert refused("d\t0\t5\tC", line) == f"(bytes), line 2: {message}"


def test_label_tables_that_are_refused() -> None:
    assert refused("document\tconcept", "d\t", format="tsv") == (
        "(bytes), line 2: the cell of the concept is empty. Add a concept."
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
    annotations = data.draw(
        st.dictionaries(texts, st.lists(labels if kind == "labels" else spans, max_size=5), min_size=1)
    )
    documents = [
        AnnotatedDocument(name, rows, data.draw(st.one_of(st.none(), st.integers(30, 99))))
        for name, rows in annotations.items()
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
        "annotations with several normalisations; the first in alphabetical order was used": 1,
        "annotations of several fragments; read from the first start to the last end": 1,
        "annotations different from the text at the offsets": 1,
    }


def test_brat_types_folders_and_files_without_text(tmp_path: Path) -> None:
    lines = ["T1\tPerson 0 1\ta", "T2\tCity 0 1\ta"]
    cities = brat(tmp_path, lines, types="City")
    assert cities.concepts == ("City",)
    assert cities.source.counts == {"documents without a text (.txt beside the .ann)": 1}
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
            "expected 'T1 TAB type start end TAB text', found 'T2\\tPerson 0\\tAnn'. Correct the line.",
        ),
        ("T2", "expected 'T1 TAB type start end TAB text', found 'T2'. Correct the line."),
        ("T1\tPerson 0 1\tA", "line 1 has the same id, 'T1'. Correct the line."),
        ("T2\tPerson 3 1\tA", "the annotation 'T2' starts at 3 but ends at 1. Correct its offsets."),
        (
            "T2\tPerson 0 1;2 4\tA",
            "the annotation 'T2' (0 to 4) is outside the text of 3 characters. Use the text that was annotated.",
        ),
        (
            "N1\tReference T1",
            "expected 'N1 TAB Reference T1 db:id TAB text', found 'N1\\tReference T1'. Correct the line.",
        ),
        ("What?", "the line does not start with one of TREAMN#*: 'What?'. Correct the line."),
    ],
)
def test_brat_that_is_refused(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(LoadError) as caught:
        brat(tmp_path, ["T1\tPerson 0 1\tA", line], "Ann")
    assert str(caught.value) == f"{tmp_path / 'doc.ann'}, line 2: {message}"
