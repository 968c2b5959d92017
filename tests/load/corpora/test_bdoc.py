"""bdoc: the same document as JSON, YAML and MessagePack, and what is refused."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import msgpack
import pytest
import yaml
from helpers import refusal
from hypothesis import given, settings
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import LoadError, MissingInputError
from ontoeval.model.corpus import Corpus

TEXT = "a😀b💩💩c"
FETCH = "The file is damaged or truncated: download it again."
EXPORT = "Export the document again."
Span = tuple[int, int, str, dict[str, Any]]


def bdoc(text: Any = TEXT, offset_type: str | None = "p", **sets: list[Span]) -> dict[str, Any]:
    """A document; the set `default` has no name."""
    made: dict[str, Any] = {}
    for given_name, rows in sets.items():
        name = "" if given_name == "default" else given_name
        annotations = [
            {"type": type, "start": start, "end": end, "id": number, "features": features}
            for number, (start, end, type, features) in enumerate(rows)
        ]
        made[name] = {"name": name, "annotations": annotations, "next_annid": len(rows)}
    whole = {"features": {}, "text": text, "name": "GATE Document_00008", "annotation_sets": made}
    return whole if offset_type is None else {**whole, "offset_type": offset_type}


def as_json(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode()


def as_yaml(document: dict[str, Any]) -> bytes:
    return yaml.safe_dump(document, allow_unicode=True).encode()


def as_messagepack(document: dict[str, Any]) -> bytes:
    values: list[Any] = ["sm2", *(document[key] for key in ("offset_type", "text", "name", "features"))]
    values.append(len(document["annotation_sets"]))
    for name, annotation_set in document["annotation_sets"].items():
        values += [name, annotation_set["next_annid"], len(annotation_set["annotations"])]
        for one in annotation_set["annotations"]:
            values += [one[key] for key in ("type", "start", "end", "id", "features")]
    return b"".join(msgpack.packb(value) for value in values)


WRITERS = {"json": as_json, "yaml": as_yaml, "messagepack": as_messagepack}


def spans(corpus: Corpus) -> list[tuple[int, int, str, str | None]]:
    return [
        (int(start), int(end), corpus.concepts[concept], None if instance < 0 else corpus.instances[instance])
        for start, end, concept, instance in zip(corpus.start, corpus.end, corpus.concept, corpus.instance, strict=True)
    ]


def refused(data: bytes, **choices: str) -> str:
    return refusal(LoadError, oe.load_corpus, data, **choices).removeprefix("(bytes)").removeprefix(": ")


@pytest.mark.parametrize("writer", list(WRITERS))
@pytest.mark.parametrize("packed", [False, True])
def test_offsets_after_emoji_are_characters_in_every_form(writer: str, packed: bool) -> None:
    kept = {"nested": {"k": [1, 2.5, True, None]}}
    characters = bdoc(Key=[(2, 3, "T", {"class": "B", "inst": "i", **kept}), (5, 6, "T", {"class": "C"})])
    units = bdoc(offset_type="j", Key=[(3, 4, "T", {"class": "B", "inst": "i", **kept}), (8, 9, "T", {"class": "C"})])
    for document in (characters, units):
        data = WRITERS[writer](document)
        corpus = oe.load_corpus(gzip.compress(data) if packed else data)
        assert spans(corpus) == [(2, 3, "B", "i"), (5, 6, "C", None)]
        assert corpus.lengths.tolist() == [6]
        assert corpus.source.format == "bdoc"


@given(
    st.text(st.sampled_from("ab é😀💩\u2028\n"), max_size=20),
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=6),
    st.sampled_from(sorted(WRITERS)),
)
@settings(max_examples=60, deadline=None)
def test_units_and_characters_are_the_same_places(text: str, drawn: list[tuple[int, int]], writer: str) -> None:
    wanted = sorted(tuple(sorted((min(a, len(text)), min(b, len(text))))) for a, b in drawn)

    def unit(place: int) -> int:
        return len(text[:place].encode("utf-16-le")) // 2

    plain = bdoc(text, Key=[(start, end, "T", {"class": "A"}) for start, end in wanted])
    java = bdoc(text, "j", Key=[(unit(start), unit(end), "T", {"class": "A"}) for start, end in wanted])
    for document in (plain, java):
        assert [span[:2] for span in spans(oe.load_corpus(WRITERS[writer](document)))] == wanted


def test_sets_may_be_a_list() -> None:
    document = bdoc(Key=[(0, 1, "T", {"class": "A"})], default=[])
    document["annotation_sets"] = list(document["annotation_sets"].values())
    assert spans(oe.load_corpus(as_json(document), annotation_set="Key")) == [(0, 1, "A", None)]
    assert spans(oe.load_corpus(as_json(document), annotation_set="")) == []


def test_numbers_are_classes_too_and_null_is_none() -> None:
    document = bdoc(Key=[(0, 1, "T", {"class": 7}), (1, 2, "T", {"class": None}), (2, 3, "T", {"class": True})])
    corpus = oe.load_corpus(as_json(document))
    assert spans(corpus) == [(0, 1, "7", None), (2, 3, "true", None)]
    assert corpus.source.counts == {"annotations without a class; left out": 1}


def test_keys_of_several_kinds_are_no_problem() -> None:
    data = as_yaml(bdoc(Key=[(0, 1, "T", {"class": "A", "map": {1: 2, "x": 3}})]))
    assert spans(oe.load_corpus(data)) == [(0, 1, "A", None)]


def test_a_long_text_before_the_rest_is_known_by_its_suffix(tmp_path: Path) -> None:
    document = {"text": "x" * 100_000, **{k: v for k, v in bdoc(Key=[(0, 1, "T", {})]).items() if k != "text"}}
    for name, write in (("a.bdocjs", as_json), ("b.bdocjs.gz", lambda d: gzip.compress(as_json(d)))):
        path = tmp_path / name
        path.write_bytes(write(document))
        assert oe.load_corpus(path).documents == (name[0],)


BAD = bdoc(Key=[(0, 1, "T", {"class": "A"})])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            as_json(bdoc("abc", Key=[(0, 4, "T", {"class": "A"})])),
            "the annotation 0 of type 'T' (0 to 4) is outside the text of 3 characters. Use the text that was "
            "annotated.",
        ),
        (
            as_json(bdoc("abc", Key=[(-1, 2, "T", {"class": "A"})])),
            "the annotation 0 of type 'T' (-1 to 2) is outside the text of 3 characters. Use the text that was "
            "annotated.",
        ),
        (
            as_json(bdoc("abc", Key=[(2, 1, "T", {"class": "A"})])),
            "the annotation 0 of type 'T' starts at 2 but ends at 1. Correct its offsets.",
        ),
        (
            as_json(bdoc(offset_type="j", Key=[(2, 3, "T", {"class": "A"})])),
            "the annotation 0 of type 'T' has the offset 2, which is inside a character. Correct its offsets.",
        ),
        (
            as_json(bdoc(offset_type="j", Key=[(0, 10, "T", {"class": "A"})])),
            "the annotation 0 of type 'T' has the offset 10, which is outside the text of 9 UTF-16 units. Use the "
            "text that was annotated.",
        ),
        (
            as_json(bdoc(offset_type=None, Key=[(0, 1, "T", {"class": "A"})])),
            "the text has characters of two UTF-16 units, but no offset_type says what offsets count. Add "
            '"offset_type": "j" (UTF-16 units, as GATE) or "p" (characters, as Python).',
        ),
        (as_json({**BAD, "offset_type": "x"}), f"the offset_type 'x' is neither 'j' nor 'p'. {EXPORT}"),
        (as_json({**BAD, "text": None}), f"the 'text' of the document is nothing, expected a string. {EXPORT}"),
        (
            as_json(bdoc(Key=[(0, 1, "T", {"class": ["A", "B"]})])),
            "the feature 'class' of an annotation is ['A', 'B'], expected one name. "
            "Choose another feature for classes or instances.",
        ),
        (
            as_json({**BAD, "annotation_sets": {"Key": {"annotations": [{"type": "T", "start": "0", "end": 1}]}}}),
            "{'type': 'T', 'start': '0', 'end': 1} is not an annotation. Add type, start, end and features.",
        ),
        (
            as_json({**BAD, "annotation_sets": {"Key": {}}}),
            f"found nothing, expected a list of annotations. {EXPORT}",
        ),
        (
            as_json({**BAD, "annotation_sets": {"Key": []}}),
            f"an annotation set is a list, expected a mapping. {EXPORT}",
        ),
        (as_json(BAD)[:-1], f", line 1: not valid JSON: Expecting ',' delimiter. {FETCH}"),
        (
            as_json(BAD).replace(b'{"class"', b'{"x": ' + b"[" * 600 + b"]" * 600 + b', "class"'),
            "brackets are nested more than 500 deep. Write the statements one after another.",
        ),
        (as_messagepack(BAD)[:-4], f"not valid MessagePack: No more data to unpack. {FETCH}"),
        (b"annotation_sets:\n  a: [\n", f", line 3: not valid YAML: did not find expected node content. {FETCH}"),
        (b"annotation_sets:\n  " + b"- " * 600, f", line 2: values are nested more than 500 deep. {EXPORT}"),
        (
            b"annotation_sets: {}\na: &a [x, x, x, x, x, x, x, x, x, x]\n"
            + b"".join(b"%c: &%c [%s]\n" % (n + 1, n + 1, b", ".join([b"*%c" % n] * 10)) for n in range(97, 107)),
            f"its aliases expand to more than 4,204,844 bytes, which is unsafe. {EXPORT}",
        ),
        (
            b"annotation_sets: {}\ntext: &a [*a]\n",
            f"its aliases expand to more than 4,194,984 bytes, which is unsafe. {EXPORT}",
        ),
        (
            as_yaml(bdoc(Key=[(0, 1, "T", {"class": "A"})], Other=[(0, 1, "T", {"class": "A"})])),
            "annotations are in several sets: 'Key' (1), 'Other' (1). Set annotation_set=.",
        ),
        (
            b"text: abc\nx0: &x0 [0]\n"
            + b"".join(b"x%d: &x%d [*x%d]\n" % (n, n, n - 1) for n in range(1, 2000))
            + b"annotation_sets: {Key: {annotations: [{type: T, start: 0, end: 1, features: {class: A, x: *x1999}}]}}",
            f"the features of an annotation are nested too deep. {EXPORT}",
        ),
        (
            b"annotation_sets: !!python/object/apply:os.system ['true']\n",
            ", line 1: not valid YAML: could not determine a constructor for the tag "
            f"'tag:yaml.org,2002:python/object/apply:os.system'. {FETCH}",
        ),
    ],
)
def test_refused(data: bytes, message: str) -> None:
    assert refused(data, format="bdoc") == message


@pytest.mark.parametrize(
    ("writer", "module", "package", "kind"),
    [(as_yaml, "yaml", "PyYAML", "YAML"), (as_messagepack, "msgpack", "msgpack", "MessagePack")],
)
def test_a_missing_package_is_named(
    writer: Any, module: str, package: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = writer(BAD)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingInputError) as caught:
        oe.load_corpus(io.BytesIO(data))
    assert str(caught.value) == (
        f"(stream): reading bdoc {kind} needs {package}. Run `pip install 'ontoeval-toolkit[bdoc]'`."
    )


@pytest.mark.parametrize("name", ["", "Set2"])
def test_one_document_is_the_same_in_all_formats(name: str, shared_data: Path) -> None:
    folder = shared_data / "gatenlp-formats"
    corpora = {
        suffix: spans(oe.load_corpus(folder / f"testdoc1.{suffix}", annotation_set=name))
        for suffix in ("xml", "bdocjs", "bdocjs.gz", "bdocym", "bdocmp")
    }
    wanted = {
        "": [(0, 4, "Type1", None), (5, 8, "Type1", None)],
        "Set2": [
            (0, 20, "LONG", None),
            (5, 5, "ZERO1", None),
            (5, 10, "SHORT", None),
            (7, 7, "ZERO2a", None),
            (7, 7, "ZERO2b", None),
        ],
    }
    assert all(one == wanted[name] for one in corpora.values()), corpora


def test_tokens_of_a_text_with_emoji_are_where_they_say(shared_data: Path) -> None:
    for file, name in (("doc1.bdocjson", ""), ("testdocument1.bdocjs", "ANNIE")):
        path = shared_data / "gatenlp-formats" / file
        text = json.loads(path.read_bytes())["text"]
        corpus = oe.load_corpus(path, annotation_set=name, types="Token", class_feature="string")
        assert len(corpus) > 20
        assert all(text[start:end] == concept for start, end, concept, _ in spans(corpus))
