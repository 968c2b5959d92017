"""W3C Web Annotations: targets and selectors, bodies and purposes, pages, other RDF, and what is refused."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from helpers import annotation_rows, refusal
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.errors import LoadError
from ontoeval.load.corpora import load_corpus
from ontoeval.model.corpus import AnnotatedDocument, Annotation, Corpus

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
WHOLE = "annotations of a whole document among those of spans; left out"
NO_CLASS = "annotations without a class or an entity; left out"


def at(start: object = 1, end: object = 4, source: object = "http://d/1") -> dict[str, Any]:
    return {"source": source, "selector": {"type": "TextPositionSelector", "start": start, "end": end}}


def anno(body: object = "http://e/C", target: object = None, **more: object) -> dict[str, Any]:
    return {
        "@context": CONTEXT, "id": "http://a/1", "type": "Annotation", "body": body,
        "target": at() if target is None else target, **more,
    }  # fmt: skip


def load(value: object, **options: object) -> Corpus:
    return load_corpus(json.dumps(value).encode(), **options)  # type: ignore[arg-type]


def refused(value: object, **options: object) -> str:
    data = value if isinstance(value, str) else json.dumps(value)
    return refusal(LoadError, load_corpus, data.encode(), format="web-annotation", **options)


@pytest.mark.parametrize(
    ("body", "motivation", "concept", "instance"),
    [
        ("http://e/C", None, "http://e/C", None),
        ("http://e/C", "classifying", "http://e/C", None),
        ("http://e/C", "tagging", "http://e/C", None),
        ("http://e/C", "oa:classifying", "http://e/C", None),
        ("http://e/I", "identifying", None, "http://e/I"),
        ({"id": "http://e/C"}, None, "http://e/C", None),
        ({"@id": "http://e/C", "purpose": "classifying"}, "commenting", "http://e/C", None),
        ({"source": "http://e/C", "purpose": ["tagging"]}, None, "http://e/C", None),
        ({"source": {"id": "http://e/C"}, "purpose": "tagging"}, None, "http://e/C", None),
        ({"type": "TextualBody", "value": "C", "purpose": "tagging"}, None, "C", None),
        ({"type": "Choice", "items": ["http://e/C", "http://e/D"]}, None, "http://e/C", None),
        (
            [
                {"id": "http://e/C", "purpose": "classifying"},
                {"id": "http://e/I", "purpose": "identifying"},
                {"type": "TextualBody", "value": "a remark", "purpose": "describing"},
            ],
            None,
            "http://e/C",
            "http://e/I",
        ),
    ],
)
def test_bodies(body: object, motivation: str | None, concept: str | None, instance: str | None) -> None:
    corpus = load(anno(body, motivation=motivation))
    assert annotation_rows(corpus) == [("http://d/1", 1, 4, concept, instance, None)]
    assert corpus.source.format == "web-annotation"
    assert corpus.source.counts == {}


def test_a_value_as_the_tag() -> None:
    corpus = load(anno(None, bodyValue="C", motivation="tagging"))
    assert annotation_rows(corpus) == [("http://d/1", 1, 4, "C", None, None)]


def test_several_concepts_targets_and_instances() -> None:
    corpus = load(
        anno(
            [
                {"id": "http://e/C", "purpose": "classifying", "score": 0.5},
                {"id": "http://e/D", "purpose": "classifying"},
                {"id": "http://e/J", "purpose": "identifying"},
                {"id": "http://e/I", "purpose": "identifying"},
            ],
            [at(), at(5, 6)],
            confidence=1,
        )
    )
    assert annotation_rows(corpus) == [
        ("http://d/1", start, end, f"http://e/{name}", "http://e/I", score)
        for start, end in ((1, 4), (5, 6))
        for name, score in (("C", 0.5), ("D", 1.0))
    ]
    assert corpus.source.counts == {"annotations of several entities; the first IRI in alphabetical order was used": 1}


@pytest.mark.parametrize(
    "target",
    [
        at(1, 4, {"id": "http://d/1", "format": "text/plain"}),
        {"source": "http://d/1", "selector": [{"type": "TextQuoteSelector", "exact": "x"}, at()["selector"]]},
        {"source": "http://d/1", "selector": {"type": "FragmentSelector", "value": "char=1,4"}},
        {"id": "http://d/1#char=1,4"},
        "http://d/1#char=1,4",
        {"type": "List", "items": ["http://d/1#char=1,4"]},
    ],
)
def test_targets(target: object) -> None:
    assert annotation_rows(load(anno(target=target))) == [("http://d/1", 1, 4, "http://e/C", None, None)]


@pytest.mark.parametrize(
    ("selector", "kinds"),
    [
        ({"type": "TextQuoteSelector", "exact": "x"}, "TextQuoteSelector"),
        ({"type": "DataPositionSelector", "start": 1, "end": 4}, "DataPositionSelector"),
        ([{"type": "XPathSelector"}, {"type": "CssSelector"}], "CssSelector, XPathSelector"),
        ("http://a/selector", "an external selector"),
        ({"type": "FragmentSelector", "value": "p", "refinedBy": at()["selector"]}, "FragmentSelector"),
        ({**at()["selector"], "refinedBy": {"type": "TextQuoteSelector"}}, "TextPositionSelector"),
    ],
)
def test_targets_without_a_place(selector: object, kinds: str) -> None:
    corpus = load(anno(target={"source": "http://d/1", "selector": selector}))
    assert len(corpus) == len(corpus.documents) == 0
    assert corpus.source.counts == {f"targets without a position in the text ({kinds} only); left out": 1}


def test_whole_documents_are_labels_if_nothing_has_a_place() -> None:
    corpus = load([anno(target="http://d/1"), anno("http://e/D", {"id": "http://d/1"}, confidence=0.5)])
    assert corpus.labels
    assert annotation_rows(corpus) == [
        ("http://d/1", -1, -1, "http://e/D", None, 0.5),
        ("http://d/1", -1, -1, "http://e/C", None, None),
    ]
    mixed = load([anno(target="http://d/1"), anno()])
    assert annotation_rows(mixed) == [("http://d/1", 1, 4, "http://e/C", None, None)]
    assert mixed.source.counts == {WHOLE: 1}
    only = load([anno("http://e/I", "http://d/1", motivation="identifying")])
    assert only.source.counts == {"annotations of a whole document without a class; left out": 1}


def test_what_says_no_class_is_counted() -> None:
    remark = {"type": "TextualBody", "value": "nice"}
    corpus = load(
        [anno(remark), anno(None), anno("http://e/C", motivation="commenting"), anno({"type": "TextualBody"})]
    )
    assert len(corpus) == 0
    assert corpus.source.counts == {NO_CLASS: 4}


def test_pages_collections_graphs_and_lines() -> None:
    one, two = anno(), anno("http://e/D")
    page = {"@context": CONTEXT, "type": "AnnotationPage", "items": [one, two], "next": "http://a/page2"}
    expected = [("http://d/1", 1, 4, "http://e/C", None, None), ("http://d/1", 1, 4, "http://e/D", None, None)]
    for value in (
        [one, two],
        page,
        {"@context": CONTEXT, "type": ["AnnotationCollection"], "first": page},
        {"@context": CONTEXT, "@graph": [one, two]},
    ):
        assert annotation_rows(load(value)) == expected
    assert load(page).source.counts == {"pages outside the file; not downloaded": 1}
    text = f"{json.dumps(one)}\n\n{json.dumps(two)}\n"
    assert annotation_rows(load_corpus(text.encode())) == expected


def test_prefixes_of_an_inline_context() -> None:
    corpus = load(anno("e:C", at(source="e:d"), **{"@context": [CONTEXT, {"e": "http://e/", "@base": "http://b/"}]}))
    assert annotation_rows(corpus) == [("http://e/d", 1, 4, "http://e/C", None, None)]


def test_one_file_per_annotation(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(anno()))
    (tmp_path / "b.json").write_text(json.dumps(anno("http://e/D")))
    corpus = load_corpus(tmp_path)
    assert len(corpus.documents) == 1
    assert corpus.concepts == ("http://e/C", "http://e/D")


TURTLE = """\
@prefix oa: <http://www.w3.org/ns/oa#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix e: <http://e/> .
e:a a oa:Annotation ; oa:hasBody e:C, [ oa:hasSource e:I ; oa:hasPurpose oa:identifying ] ;
  oa:hasTarget [ oa:hasSource e:d ; oa:hasSelector [ a oa:TextPositionSelector ; oa:start 2 ; oa:end 5 ] ] .
e:b a oa:Annotation ; oa:motivatedBy oa:tagging ; oa:hasBody [ a oa:TextualBody ; rdf:value "D" ] ;
  oa:hasTarget [ oa:hasSource e:d ; oa:hasSelector [ a oa:TextPositionSelector ; oa:start 0 ; oa:end 1 ] ] .
"""


def test_other_rdf() -> None:
    expected = [("http://e/d", 0, 1, "D", None, None), ("http://e/d", 2, 5, "http://e/C", "http://e/I", None)]
    corpus = load_corpus(TURTLE.encode())
    assert annotation_rows(corpus) == expected
    assert corpus.source.format == "web-annotation"
    expanded = {
        "@context": {"oa": "http://www.w3.org/ns/oa#"},
        "@type": "oa:Thing",
        "oa:hasBody": {"@id": "http://e/C"},
        "oa:hasTarget": {
            "oa:hasSource": {"@id": "http://e/d"},
            "oa:hasSelector": {"@type": "oa:TextPositionSelector", "oa:start": 2, "oa:end": 5},
        },
    }
    assert annotation_rows(load(expanded)) == [("http://e/d", 2, 5, "http://e/C", None, None)]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", ": the file is empty. Use annotated documents."),
        ("not json", ": not RDF (starts 'not json'). Use an RDF file."),
        (
            '{"type":\n Annotation}',
            ", line 2: not valid JSON: Expecting value (column 2). Correct the file.",
        ),
        (
            {},
            ": expected Annotation, AnnotationPage or AnnotationCollection, found the type 'none'. Use Web "
            "Annotations.",
        ),
        (
            {"type": ["Thing", "Agent"]},
            ": expected Annotation, AnnotationPage or AnnotationCollection, found the type 'Agent, Thing'. Use Web "
            "Annotations.",
        ),
        ([1], ": expected a Web Annotation, found 1. Use JSON objects."),
        ({"type": "Annotation"}, ": annotation 1 has no target. Correct it."),
        (anno(target=9), ": annotation 1 has the target 9, which is neither an IRI nor an object. Correct it."),
        (anno(9), ": annotation 1 has the body 9, which is neither an IRI nor an object. Correct it."),
        ([anno(), anno(target={})], ": annotation 2 has a target without a source or an id. Correct it."),
        (
            anno(target={"source": "http://d/1", "selector": 3}),
            ": annotation 1 has the selector 3, which is neither an IRI nor an object. Correct it.",
        ),
        (
            anno(target=at("1")),
            ': the start of a selector of annotation 1 must be a whole number >= 0, not "1". Correct it.',
        ),
        (
            anno(target=at(True)),
            ": the start of a selector of annotation 1 must be a whole number >= 0, not true. Correct it.",
        ),
        (
            anno(target=at(0, None)),
            ": the end of a selector of annotation 1 must be a whole number >= 0, not null. Correct it.",
        ),
        (
            anno(target=at(0, 1.5)),
            ": the end of a selector of annotation 1 must be a whole number >= 0, not 1.5. Correct it.",
        ),
        (
            anno(target=at(5, 4)),
            ": a selector of annotation 1 starts at 5 but ends at 4. Correct its offsets.",
        ),
        (
            anno(target="http://d/1#char=5,4"),
            ": a selector of annotation 1 starts at 5 but ends at 4. Correct its offsets.",
        ),
        (anno({"id": 4}), ": the id of a body of annotation 1 must be a string, not 4. Correct it."),
        (
            anno({"value": ["a"], "purpose": "tagging"}),
            ': the value of a body of annotation 1 must be a string, not ["a"]. Correct it.',
        ),
        (
            anno(target=at(source=["x"])),
            ': the source of a target of annotation 1 must be a string, not ["x"]. Correct it.',
        ),
        (
            anno(None, bodyValue=3, motivation="tagging"),
            ": bodyValue of annotation 1 must be a string, not 3. Correct it.",
        ),
        (anno(score="high"), ': the score must be a number, not "high". Correct or remove it.'),
        (
            f"{json.dumps(anno())}\n{json.dumps(anno(9))}\n{json.dumps(anno())}",
            ", line 2: annotation 2 has the body 9, which is neither an IRI nor an object. Correct it.",
        ),
        (
            "[" * 600 + "]" * 600,
            ": brackets are nested more than 500 deep. Write the statements one after another.",
        ),
    ],
)
def test_what_is_refused(value: object, message: str) -> None:
    assert refused(value) == f"(bytes){message}"


def test_rdf_that_is_refused() -> None:
    assert refused("@prefix oa: <http://www.w3.org/ns/oa#> .\noa:a oa:b oa:c .") == (
        "(bytes): no annotations with oa:hasTarget found. Use Web Annotations."
    )
    assert refused(TURTLE.replace("oa:start 2", "oa:start 'x'")) == (
        "(bytes): http://www.w3.org/ns/oa#start of an annotation without an IRI must be a whole number >= 0, not "
        "'x'. Correct it."
    )


names = st.sampled_from(["http://e/A", "http://e/B", "C"])
spans = st.tuples(
    st.integers(0, 99),
    st.integers(0, 99),
    st.one_of(st.none(), names),
    st.one_of(st.none(), names),
    st.one_of(st.none(), st.floats(0, 1)),
).filter(lambda row: row[2] is not None or row[3] is not None)


@given(
    st.dictionaries(
        st.sampled_from(["http://d/1", "http://d/2"]),
        st.lists(spans.map(lambda row: (min(row[:2]), max(row[:2]), *row[2:])), min_size=1, max_size=5),
    )
)
def test_a_random_corpus_as_web_annotations(documents: dict[str, list[tuple[int, int, str, str, float]]]) -> None:
    expected = Corpus.build(
        AnnotatedDocument(name, [Annotation(*row) for row in rows]) for name, rows in documents.items()
    )
    written = []
    for name, rows in documents.items():
        for start, end, concept, instance, score in rows:
            body = [{"id": concept, "purpose": "classifying"}] * (concept is not None)
            body += [{"id": instance, "purpose": "identifying"}] * (instance is not None)
            written.append(anno(body, at(start, end, name), score=score))
    corpus = load(written, format="web-annotation")
    assert Counter(annotation_rows(corpus)) == Counter(annotation_rows(expected))
    assert corpus.documents == expected.documents


@pytest.fixture
def samples(shared_data: Path) -> Path:
    folder = shared_data / "web-annotation-samples"
    if not folder.is_dir():
        pytest.skip(f"the Web Annotation samples are not on this machine ({folder})")
    return folder


def test_samples_that_are_correct(samples: Path) -> None:
    files = sorted((samples / "correct").glob("*.json"))
    assert len(files) == 45
    corpora = {path.stem: load_corpus(path) for path in files}
    assert {corpus.source.format for corpus in corpora.values()} == {"web-annotation"}
    assert annotation_rows(corpora["anno27"]) == [
        ("http://example.org/ebook1", 412, 795, "http://example.org/review1", None, None)
    ]
    assert annotation_rows(corpora["collection1"]) == annotation_rows(corpora["anno27"])
    assert corpora["anno26"].source.counts == {
        "targets without a position in the text (TextQuoteSelector only); left out": 1
    }
    assert corpora["anno28"].source.counts == {
        "targets without a position in the text (DataPositionSelector only); left out": 1
    }
    assert corpora["anno13"].labels
    assert len(corpora["anno13"]) == 4


def test_samples_that_are_incorrect_give_a_message_or_what_can_be_read(samples: Path) -> None:
    messages = []
    for path in sorted((samples / "incorrect").glob("*.json")):
        try:
            load_corpus(path, format="web-annotation")
        except LoadError as error:
            messages.append((str(error), str(path)))
    assert len(messages) == 18  # 16 that are no JSON, one that is empty, one with a number for a target
    assert all(message.startswith(path) for message, path in messages)
