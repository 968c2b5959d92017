"""Shapes of annotated documents: NIF and Web Annotation."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontoeval.errors import ParameterError
from ontoeval.rdf.validate import validate

HEAD = """
@prefix : <http://example.org/> . @prefix oa: <http://www.w3.org/ns/oa#> .
@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .
:d a nif:Context ; nif:isString "a red car" ; nif:beginIndex 0 ; nif:endIndex 9 .
"""
GOOD = ":m nif:referenceContext :d ; nif:beginIndex 2 ; nif:endIndex 5 ; nif:anchorOf 'red' ."


def broken(text: str) -> list[tuple[str, str, str | None]]:
    report = validate((HEAD + text).encode(), "corpus", format="turtle")
    short = "http://example.org/"
    return [(f.rule, f.focus.removeprefix(short), f.value and f.value.removeprefix(short)) for f in report.findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD, []),
        (GOOD.replace("5", "10"), [("inside-text", "d", "m")]),
        (GOOD.replace("5", "6"), [("same-words", "d", "m")]),
        (GOOD.replace("5", "1"), [("begin-first", "m", '"2"^^<http://www.w3.org/2001/XMLSchema#integer>')]),
        (GOOD.replace("nif:endIndex 5 ;", ""), [("one-end", "m", None)]),
        (GOOD.replace("nif:beginIndex 2", "nif:beginIndex 2, 3"), [("one-begin", "m", None), ("same-words", "d", "m")]),
        (GOOD.replace(":d", ":d, :e") + ":e nif:isString 'a red car' .", [("one-context", "m", None)]),
        (GOOD.replace(":d", ":e"), [("one-text", "e", None)]),
        (":a a oa:Annotation ; oa:hasTarget :t ; oa:hasBody :b . :t oa:hasSelector :s . "
         ":s a oa:TextPositionSelector ; oa:start 2 ; oa:end 5 .", []),
        (":a a oa:Annotation ; oa:bodyValue 'x' .", [("has-target", "a", None)]),
        (":a a oa:Annotation ; oa:hasTarget :t .", [("has-body", "a", None)]),
        (":s a oa:TextPositionSelector ; oa:start 6 ; oa:end 5 .",
         [("start-first", "s", '"6"^^<http://www.w3.org/2001/XMLSchema#integer>')]),
        (":s a oa:TextPositionSelector ; oa:start -1 .",
         [("one-start", "s", '"-1"^^<http://www.w3.org/2001/XMLSchema#integer>'), ("one-stop", "s", None)]),
    ],
)  # fmt: skip
def test_each_rule(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert sorted(broken(text), key=lambda row: row[:2]) == expected


def test_annotated_documents_are_known_by_their_content() -> None:
    report = validate((HEAD + GOOD).encode(), format="turtle")
    assert (report.shapes, report.engine, report.conforms) == ("corpus", "shacl", True)


def test_there_is_no_fast_check_of_them() -> None:
    with pytest.raises(ParameterError) as error:
        validate((HEAD + GOOD).encode(), "corpus", engine="native", format="turtle")
    assert str(error.value) == "the native engine does not support the shapes 'corpus'. Use engine=\"shacl\"."


@pytest.mark.slow
def test_the_words_of_seven_mentions_differ_from_their_text(shared_data: Path) -> None:
    path = shared_data / "nif-oke-gerbil" / "oke2015-train-task1.ttl"
    if not path.is_file():
        pytest.skip("nif-oke-gerbil is not among the shared data")
    report = validate(path)
    assert (report.conforms, [f.rule for f in report.findings]) == (True, ["same-words"] * 7)
