"""GATE XML: offsets, sets, features, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pytest
from helpers import refusal
from hypothesis import given, settings
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import LoadError
from ontoeval.load.corpora.format import CorpusOptions
from ontoeval.load.corpora.gate import _from_text, _from_tree
from ontoeval.load.corpora.gate_features import Chooser
from ontoeval.load.input import open_input
from ontoeval.model.corpus import Corpus

PROTON = "http://proton.semanticweb.org/2005/04/protont"
FETCH = "The file is damaged or truncated: download it again."
Span = tuple[int, int, str, dict[str, str]]  # start, end, type, features


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def features_of(features: dict[str, str]) -> str:
    return "".join(
        f"<Feature>\n  <Name className='java.lang.String'>{escape(name)}</Name>\n"
        f"  <Value className='java.lang.String'>{escape(value)}</Value>\n</Feature>\n"
        for name, value in features.items()
    )


def gate(
    text: str, sets: dict[str, list[Span]], *, encoding: str = "UTF-8", version: str = " version='3'", before: str = ""
) -> bytes:
    """A GATE document with a node at each end of an annotation; the annotations count characters."""
    ends = sorted({end for spans in sets.values() for start, stop, *_ in spans for end in (start, stop)})
    body, last = [], 0
    for end in ends:
        body += [escape(text[last:end], {"\r": "&#13;"}), f'<Node id="{utf16(text[:end])}"/>']
        last = end
    body.append(escape(text[last:], {"\r": "&#13;"}))
    parts = []
    for name, spans in sets.items():
        parts.append(f"<AnnotationSet Name={quoteattr(name)}>\n" if name else "<AnnotationSet>\n")
        for number, (start, stop, type, features) in enumerate(spans):
            parts.append(
                f'<Annotation Id="{number}" Type={quoteattr(type)} StartNode="{utf16(text[:start])}" '
                f'EndNode="{utf16(text[:stop])}">\n{features_of(features)}</Annotation>\n'
            )
        parts.append("</AnnotationSet>\n")
    whole = (
        f"<?xml version='1.0' encoding='{encoding}'?>\n{before}<GateDocument{version}>\n<!-- features -->\n"
        f"<GateDocumentFeatures>\n{features_of({'MimeType': 'text/plain'})}</GateDocumentFeatures>\n"
        f"<TextWithNodes>{''.join(body)}</TextWithNodes>\n{''.join(parts)}</GateDocument>\n"
    )
    return whole.encode(encoding)


def spans(corpus: Corpus) -> list[tuple[int, int, str | None, str | None]]:
    return [
        (
            int(start),
            int(end),
            None if concept < 0 else corpus.concepts[concept],
            None if instance < 0 else corpus.instances[instance],
        )
        for start, end, concept, instance in zip(corpus.start, corpus.end, corpus.concept, corpus.instance, strict=True)
    ]


def refused(data: bytes, **choices: str) -> str:
    return refusal(LoadError, oe.load_corpus, data, **choices).removeprefix("(bytes)").removeprefix(": ")


@pytest.mark.parametrize(
    ("encoding", "version"), [("UTF-8", " version='3'"), ("windows-1252", ""), ("UTF-16", ""), ("ISO-8859-1", "")]
)
def test_text_and_classes_survive_any_declared_encoding(encoding: str, version: str) -> None:
    text = "Zürich & <Genève>\r\nlie in Helvétia."
    corpus = oe.load_corpus(
        gate(text, {"Key": [(9, 17, "Mention", {"class": "Städtchen "})]}, encoding=encoding, version=version)
    )
    assert spans(corpus) == [(9, 17, "Städtchen ", None)]
    assert corpus.lengths.tolist() == [len(text)]


def test_offsets_after_emoji_are_characters() -> None:
    text = "a😀b💩💩c"
    corpus = oe.load_corpus(gate(text, {"": [(2, 3, "T", {"class": "B"}), (5, 6, "T", {"class": "C"})]}))
    assert spans(corpus) == [(2, 3, "B", None), (5, 6, "C", None)]
    assert corpus.source.counts == {}


def test_where_a_node_stands_counts_not_its_id() -> None:
    data = (
        gate("a😀bc", {"": [(2, 3, "T", {"class": "B"})]}).replace(b'"3"/>', b'"2"/>').replace(b'Node="3"', b'Node="2"')
    )
    corpus = oe.load_corpus(data)
    assert spans(corpus) == [(2, 3, "B", None)]
    assert corpus.source.counts == {"nodes with an id other than the offset; the place in the text was used": 1}


def test_nodes_with_further_attributes_and_comments_are_read_one_by_one() -> None:
    data = gate("a😀bc", {"": [(2, 3, "T", {"class": "B"})]})
    assert spans(oe.load_corpus(data.replace(b'<Node id="3"/>', b'<!-- here --><Node x="1" id="3" />'))) == [
        (2, 3, "B", None)
    ]


@given(
    st.text(st.sampled_from("ab é😀💩\u2028&<>\r\n\t"), max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.sampled_from(["A", "B😀", ""])), max_size=8),
)
@settings(max_examples=60, deadline=None)
def test_offsets_survive_writing_and_reading(text: str, drawn: list[tuple[int, int, str]]) -> None:
    wanted = []
    for one, other, name in drawn:
        start, end = sorted((min(one, len(text)), min(other, len(text))))
        wanted.append((start, end, name, None))
    data = gate(text, {"Key": [(start, end, "T", {"class": name}) for start, end, name, _ in wanted]})
    corpus = oe.load_corpus(data)
    assert spans(corpus) == sorted(wanted)
    assert corpus.lengths.tolist() == [len(text)]
    assert corpus.source.counts == {}


def test_an_empty_value_is_a_class_and_a_missing_one_is_none() -> None:
    data = gate("abc", {"a": [(0, 1, "sent", {"Op": "x"}), (1, 2, "sent", {"Op": ""}), (2, 3, "sent", {})]})
    data = data.replace(b"<Value className='java.lang.String'></Value>", b"<Value className='java.lang.String'/>")
    kept = oe.load_corpus(data, class_feature="Op", types="sent")
    assert spans(kept) == [(0, 1, "x", None), (1, 2, "", None), (2, 3, None, None)]
    assert kept.source.counts == {"annotations without a class; kept": 1}
    some = oe.load_corpus(data, class_feature="Op")
    assert spans(some) == [(0, 1, "x", None), (1, 2, "", None)]
    assert some.source.counts == {"annotations without a class; left out": 1}


@pytest.mark.parametrize(
    ("features", "concept", "instance"),
    [
        ({"class": "City", "ontology": PROTON}, f"{PROTON}#City", None),
        ({"class": "Province ", "ontology": PROTON}, f"{PROTON}#Province ", None),
        ({"class": "City", "ontology": f"{PROTON}#"}, f"{PROTON}#City", None),
        ({"class": "City", "ontology": "http://a/b/"}, "http://a/b/City", None),
        ({"class": "http://x#City", "ontology": PROTON}, "http://x#City", None),
        ({"class": "ptop:City", "ontology": PROTON}, "ptop:City", None),
        ({"class": "", "ontology": PROTON}, "", None),
        ({"class": f"{PROTON}#City", "inst": "http://kim/1"}, f"{PROTON}#City", "http://kim/1"),
        ({"classURI": "http://x#A", "instance": "i"}, "http://x#A", "i"),
        ({"className": "A", "class": "B"}, "B", None),
    ],
)
def test_the_class_and_the_instance_of_an_annotation(
    features: dict[str, str], concept: str, instance: str | None
) -> None:
    assert spans(oe.load_corpus(gate("abc", {"": [(0, 1, "Lookup", features)]}))) == [(0, 1, concept, instance)]


def test_without_a_class_feature_the_type_is_the_class() -> None:
    data = gate("abc", {"": [(0, 1, "City", {"kind": "x"})], "Original markups": [(0, 3, "body", {})]})
    corpus = oe.load_corpus(data)
    assert spans(corpus) == [(0, 1, "City", None)]
    assert corpus.source.notes == (
        "1 annotation of the default set",
        "the type of an annotation is used as its class",
    )
    assert spans(oe.load_corpus(data, class_feature="", annotation_set="Original markups")) == [(0, 3, "body", None)]


def test_other_annotations_of_the_set_are_left_out_and_counted() -> None:
    data = gate("abc", {"Key": [(0, 1, "Mention", {"class": "A"}), (0, 1, "Token", {"string": "a"})], "Other": []})
    corpus = oe.load_corpus(data)
    assert spans(corpus) == [(0, 1, "A", None)]
    assert corpus.source.counts == {"annotations without a class; left out": 1}
    assert corpus.source.notes == ("1 annotation of the set 'Key'", "classes are read from the feature 'class' (1)")
    assert corpus.source.format == "gate"


def test_types_choose_annotations() -> None:
    data = gate("abc", {"Key": [(0, 1, "Mention", {"class": "A"}), (1, 2, "Lookup", {"class": "B"})]})
    assert spans(oe.load_corpus(data, types=["Lookup"])) == [(1, 2, "B", None)]
    nothing = oe.load_corpus(data, types="Lookups")
    assert spans(nothing) == []
    assert nothing.source.notes == ("no annotation has the type 'Lookups'. Types: 'Lookup' (1), 'Mention' (1)",)


def test_values_of_other_java_classes_are_text() -> None:
    wrapped = "<![CDATA[<?xml version='1.1'?><gate.corpora.ObjectWrapper/>]]>"
    data = gate("abc", {"": [(0, 1, "T", {"class": "7", "list": "LIST"})]})
    data = data.replace(b"java.lang.String'>7", b"java.lang.Integer'>7").replace(b"LIST", wrapped.encode())
    assert spans(oe.load_corpus(data)) == [(0, 1, "7", None)]
    assert spans(oe.load_corpus(data, class_feature="list")) == [
        (0, 1, "<?xml version='1.1'?><gate.corpora.ObjectWrapper/>", None)
    ]


def test_a_short_entity_is_text_and_takes_its_room() -> None:
    data = gate("abcE😀d", {"": [(5, 6, "T", {"class": "D"})]}, before="<!DOCTYPE GateDocument [<!ENTITY e 'E'>]>\n")
    assert spans(oe.load_corpus(data.replace(b"abcE", b"abc&e;"))) == [(5, 6, "D", None)]


BOMB = "<!DOCTYPE GateDocument [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>\n"
UNSAFE = "which is unsafe. Write the text in full: only short namespace entities are accepted."
ONE = {"Key": [(0, 1, "Mention", {"class": "A", "kind": "x"})]}
TWO = {"Key": ONE["Key"], "Response": ONE["Key"], "": []}


@pytest.mark.parametrize(
    ("data", "choices", "message"),
    [
        (
            gate("abc", ONE, before=BOMB),
            {},
            f", line 2: the document type declares the entity '&b;' with other entities or markup, {UNSAFE}",
        ),
        (
            gate("abc", ONE, before="<!DOCTYPE GateDocument [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>\n"),
            {},
            f", line 2: the document type declares the external entity '&x;' (file:///etc/hostname), {UNSAFE}",
        ),
        (
            gate("abc", ONE).replace(b'EndNode="1"', b'EndNode="9"'),
            {},
            ", line 12: the annotation '0' of type 'Mention' refers to the node '9', which is not in the text. Use "
            "the text that was annotated.",
        ),
        (
            gate("abc", ONE).replace(b'StartNode="0" EndNode="1"', b'StartNode="1" EndNode="0"'),
            {},
            ", line 12: the annotation '0' of type 'Mention' starts at node '1' but ends before it, at node '0'. "
            "Correct its offsets.",
        ),
        (
            b"<GateDocument></GateDocument>",
            {},
            "no <TextWithNodes> in the document. Export it as GATE XML, not inline.",
        ),
        (b"<a></a>", {"format": "gate"}, "the root element is <a>, expected <GateDocument>. Use GATE XML."),
        (
            gate("abc", TWO),
            {},
            "annotations are in several sets: 'Key' (1), 'Response' (1). Set annotation_set=.",
        ),
        (
            gate("abc", TWO),
            {"annotation_set": "Keys"},
            "no annotation set 'Keys'. Did you mean 'Key'? Sets: '' (default, 0), 'Key' (1), 'Response' (1).",
        ),
        (
            gate("abc", {}),
            {"annotation_set": ""},
            "no annotation set ''. Sets: none.",
        ),
        (
            gate("abc", ONE),
            {"class_feature": "kinds"},
            "no annotation has the feature 'kinds'. Did you mean 'kind'? Features: 'class' (1), 'kind' (1).",
        ),
    ],
)
def test_refused(data: bytes, choices: dict[str, str], message: str) -> None:
    assert refused(data, **choices) == message


@pytest.mark.parametrize(
    ("data", "line", "problem"),
    [
        (gate("abc", ONE)[:-30], 22, ""),
        (
            gate("aXc", ONE, before="<!DOCTYPE GateDocument SYSTEM 'gate.dtd'>\n").replace(b"/>Xc", b"/>&x;c"),
            11,
            "Entity 'x' not defined",
        ),
        (gate("abc", ONE).replace(b"</AnnotationSet>", b""), 23, ""),
    ],
)
def test_what_is_not_well_formed_is_refused_in_the_words_of_the_parser(data: bytes, line: int, problem: str) -> None:
    message = refused(data)
    assert message.startswith(f", line {line}: not well-formed XML: {problem}")
    assert message.endswith(f". {FETCH}")
    assert "column" not in message


def test_ontonews_has_proton_classes(shared_data: Path) -> None:
    files = sorted((shared_data / "gate-ontonews-sample").glob("*.gz"))
    corpus = oe.load_corpus(files)
    assert corpus.documents == ("ft-bank-of-england-02-aug-2001", "ft-bank-of-uk-08-Aug-2001")
    assert [int((corpus.document == i).sum()) for i in (0, 1)] == [42, 30]
    assert all(name.startswith("http://proton.semanticweb.org/2005/04/proton") for name in corpus.concepts)
    assert "nodes with an id other than the offset; the place in the text was used" not in corpus.source.counts


@pytest.mark.parametrize("name", ["ann1", "ann2", "ann3"])
def test_beijing_has_nine_labels_of_nineteen_sentences(name: str, shared_data: Path) -> None:
    path = shared_data / "gate-iaa-beijing" / "beijing-opera.xml"
    corpus = oe.load_corpus(path, annotation_set=name, types="sent", class_feature="Op")
    assert (len(corpus), int((corpus.concept >= 0).sum())) == (19, 9)
    assert ("" in corpus.concepts) == (name == "ann1")


def test_evaluation_sample_has_the_sets_that_are_told(shared_data: Path) -> None:
    folder = shared_data / "gate-evaluation-sample"
    one = folder / "doc1-key-resp1-resp2.xml"
    assert [len(oe.load_corpus(one, annotation_set=name)) for name in ("Key", "Resp1", "Resp2")] == [12, 5, 0]
    key = oe.load_corpus(folder / "corp1-excerpt", annotation_set="Key")
    assert len(key.documents) == 12
    assert set(key.concepts) <= {"Anatomy", "Disease", "Drug", "Investigation"}
    assert [len(oe.load_corpus(folder / "corp3", annotation_set=name)) for name in ("Key", "")] == [1, 1]


def test_a_document_with_an_emoji_and_wrapped_values(shared_data: Path) -> None:
    corpus = oe.load_corpus(shared_data / "gatenlp-formats" / "debug-gatexml.xml")
    assert spans(corpus) == [(0, 2, "TEST", None)]
    assert corpus.lengths.tolist() == [63]


def both_ways(data: bytes, **choices: Any) -> tuple[Any, Any]:
    """What the text of a document says, and what its tree says, or why it was refused."""
    outcomes: list[Any] = []
    for way in (_from_text, _from_tree):
        chooser = Chooser(CorpusOptions(**choices), "a.xml", "gate")
        try:
            outcomes.append(
                _from_text(data, chooser) if way is _from_text else _from_tree(data, open_input(data), chooser)
            )
        except LoadError as error:
            outcomes.append(str(error))
    return outcomes[0], outcomes[1]


ODD = [
    "&amp;", "&#233;", "&#13;", "&#xD;", "&apos;&quot;", "\r\n", "\r", "\t", ">", "<!-- <Node> -->", "<![CDATA[<&>]]>",
    "<?pi <!-- ?>", "<!-- <?pi -->", "<![CDATA[<!-- ]]>", "<x/>", "<x:y/>", "<x xml:id='1'/>", "<x xmlns='y'/>",
    "</Annotation>", "<Annotation/>", '<Annotation Id="7" Type="T" StartNode="0" EndNode="1"></Annotation>',
    "<AnnotationSet>", "</AnnotationSet>", "<AnnotationSet></AnnotationSet>", "</AnnotationSet><AnnotationSet>",
    "<TextWithNodes>", "<TextWithNodes/>", "</TextWithNodes>", '<Node id="1"/>', "<Node id='1' />", '"', " x='1'",
    " xmlns='y'", "/", "<", "&", "]]>", "\x01", "\ufffe", "é😀", "</Feature><Feature>", "<Feature/>",
    "<a><b>", "</b></a>",
]  # fmt: skip


@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from(ODD), st.integers(0, 2)), max_size=3),
    st.sampled_from([{}, {"types": ("T",)}, {"types": ("A&B",)}, {"annotation_set": "Key"}, {"annotation_set": ""}]),
)
@settings(max_examples=300, deadline=None)
def test_the_text_of_a_document_says_what_its_tree_says(
    changes: list[tuple[float, str, int]], choices: dict[str, Any]
) -> None:
    one: Span = (0, 1, "T", {"class": "A", "kind": "<x>"})
    text = gate("aé b", {"Key": [one, (1, 3, "A&B", {}), one], "": [(0, 4, "U", {"class": ""})]}).decode()
    for place, odd, kind in changes:  # most documents stay well-formed with changes between tags
        places = [i for i, c in enumerate(text) if kind == 0 or c == ("><"[kind - 1])]
        at = places[int(place * (len(places) - 1))] + (kind == 1)
        text = text[:at] + odd + text[at:]
    quick, sure = both_ways(text.encode(), **choices)
    assert quick is None or quick == sure


def test_what_gate_writes_needs_no_tree(shared_data: Path) -> None:
    files = [path for path in shared_data.glob("gate*/**/*.xml*") if path.is_file()]
    for path in files:
        with open_input(path).open() as stream:
            quick, sure = both_ways(stream.read())
        assert quick == sure, path
    assert len(files) >= 20
    data = gate("a", {"Key": [(0, 1, "T", {"class": "&"})]})
    assert both_ways(data)[0] == both_ways(data)[1]
