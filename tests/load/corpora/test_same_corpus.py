"""One corpus in every format of annotated text, with emoji in it, has the same scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import escape

import pytest
from helpers import run
from hypothesis import example, given, settings
from strategies import shuffles

import ontoeval as oe
from ontoeval.model.corpus import Corpus

CLASSES = ("Woman", "Man", "Person", "Ship", "Vehicle", "City", "Region", "Location", "Election", "Airline")
IRI = "http://example.org/news#"
PARTS = ("Ann", "é", "😀", "🇩🇪", "𝔘", "&", "<b>", "\n", "\r\n", "\t", '"', "e\u0301", "ship")
Spans = list[tuple[int, int, str]]
Texts = Mapping[str, str]
Side = Mapping[str, Spans]
MEASURES = [
    "P", "R", "F", "AP_LA", "AF_LA", "AP", "AR", "AF", "AF(average=macro)", "F(spans=lenient)", "AP(spans=lenient)",
    "AR(similarity=Lin, spans=lenient)", "Credit", "Kappa", "Pi", "Alpha", "Alpha_Flat",
]  # fmt: skip


def units(text: str, place: int) -> int:
    """An offset in UTF-16 units."""
    return len(text[:place].encode("utf-16-le")) // 2


# writers


def gate(text: str, spans: Spans) -> str:
    ends = sorted({0, len(text)} | {place for span in spans for place in span[:2]})
    body, last = "", 0
    for place in ends:
        body += escape(text[last:place], {"\r": "&#13;"}) + f'<Node id="{units(text, place)}"/>'
        last = place
    annotations = "".join(
        f'<Annotation Id="{number}" Type="Mention" StartNode="{units(text, start)}" EndNode="{units(text, end)}">'
        '<Feature><Name className="java.lang.String">class</Name>'
        f'<Value className="java.lang.String">{IRI}{name}</Value></Feature></Annotation>'
        for number, (start, end, name) in enumerate(spans)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><GateDocument version="3"><GateDocumentFeatures/>'
        f"<TextWithNodes>{body}</TextWithNodes><AnnotationSet>{annotations}</AnnotationSet></GateDocument>"
    )


def bdoc(text: str, spans: Spans, kind: str) -> str:
    def offset(place: int) -> int:
        return place if kind == "p" else units(text, place)

    annotations = [
        {"type": "Mention", "start": offset(start), "end": offset(end), "id": number, "features": {"class": IRI + name}}
        for number, (start, end, name) in enumerate(spans)
    ]
    sets = {"": {"name": "", "annotations": annotations, "next_annid": len(spans)}}
    return json.dumps({"annotation_sets": sets, "text": text, "features": {}, "offset_type": kind, "name": ""})


def nif(texts: Texts, side: Side) -> str:
    lines = [
        "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .",
        "@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .",
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .",
    ]

    def string(document: str, start: int, end: int, kind: str, words: str, more: str) -> str:
        said = json.dumps(texts[document][start:end], ensure_ascii=False)
        return (
            f"<http://ex.org/{document}#char={start},{end}> a nif:{kind}, nif:RFC5147String ; {words} {said} ; "
            f'nif:beginIndex "{start}"^^xsd:nonNegativeInteger ; nif:endIndex "{end}"^^xsd:nonNegativeInteger{more} .'
        )

    for document, spans in side.items():
        size = len(texts[document])
        lines.append(string(document, 0, size, "Context", "nif:isString", ""))
        for start, end, name in spans:
            more = f" ; nif:referenceContext <http://ex.org/{document}#char=0,{size}> ; itsrdf:taClassRef <{IRI}{name}>"
            lines.append(string(document, start, end, "Phrase", "nif:anchorOf", more))
    return "\n".join(lines) + "\n"


def web_annotation(texts: Texts, side: Side) -> str:
    found = [
        {
            "@context": "http://www.w3.org/ns/anno.jsonld",
            "id": f"http://ex.org/annotation/{document}/{number}",
            "type": "Annotation",
            "motivation": "classifying",
            "body": {"source": IRI + name, "purpose": "classifying"},
            "target": {
                "source": f"http://ex.org/{document}",
                "selector": {"type": "TextPositionSelector", "start": start, "end": end},
            },
        }
        for document, spans in side.items()
        for number, (start, end, name) in enumerate(spans)
    ]
    return json.dumps(found)


def json_lines(texts: Texts, side: Side) -> str:
    rows = [
        {
            "document": document,
            "text": texts[document],
            "annotations": [{"start": start, "end": end, "class": IRI + name} for start, end, name in spans],
        }
        for document, spans in side.items()
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


EACH: Mapping[str, tuple[str, Callable[[str, Spans], str]]] = {
    "gate": ("xml", gate),
    "bdoc with characters": ("bdocjs", lambda text, spans: bdoc(text, spans, "p")),
    "bdoc with units": ("bdocjs", lambda text, spans: bdoc(text, spans, "j")),
}
WHOLE: Mapping[str, tuple[str, Callable[[Texts, Side], str]]] = {
    "nif": ("ttl", nif),
    "web annotation": ("jsonld", web_annotation),
    "json lines": ("jsonl", json_lines),
}


def write(folder: Path, name: str, texts: Texts, side: Side) -> dict[str, Path]:
    """One side in all formats: a file for each document, or one for all."""
    found = {}
    for kind, (ending, one) in EACH.items():
        found[kind] = folder / kind / name
        found[kind].mkdir(parents=True)
        for document, spans in side.items():
            with (found[kind] / f"{document}.{ending}").open("w", encoding="utf-8", newline="") as file:
                file.write(one(texts[document], spans))
    for kind, (ending, whole) in WHOLE.items():
        found[kind] = folder / kind / f"{name}.{ending}"
        found[kind].parent.mkdir(exist_ok=True)
        with found[kind].open("w", encoding="utf-8", newline="") as file:
            file.write(whole(texts, side))
    return found


# what is annotated


def spot(text: str, *named: tuple[str, str]) -> Spans:
    """Annotations of words of a text."""
    return [(text.index(word), text.index(word) + len(word), name) for word, name in named]


A, B, C = (
    "😀😀 Ann met Bob at 🚢 Shipyard é.\nNext line 𝔘 done",
    "🇩🇪 Berlin & <Paris>  two\r\nends 😀",
    "👩‍🚀🛰 Oslo voted 🗳",
)
TEXTS = {"a": A, "b": B, "c": C}
KEY = {
    "a": spot(A, ("Ann", "Woman"), ("Bob", "Man"), ("Shipyard", "Ship"), ("done", "City")),
    "b": spot(B, ("Berlin", "City"), ("Paris", "City")),
    "c": spot(C, ("Oslo", "City"), ("voted", "Election"), ("🗳", "Election")),
}
RESPONSE = {
    "a": spot(A, ("Ann", "Person"), ("Bob", "Man"), ("🚢 Shipyard", "Vehicle"), ("done", "Region")),
    "b": spot(B, ("Berlin", "Location"), ("two", "City")),
    "c": spot(C, ("Oslo", "City"), ("🛰", "Airline"), ("voted 🗳", "Election")),
}


def made(random: Random) -> tuple[dict[str, str], dict[str, Spans], dict[str, Spans]]:
    """Texts that begin with an emoji, and two sides; each document has something on both."""
    texts = {name: "😀" + "".join(random.choice(PARTS) for _ in range(random.randint(2, 12))) + "." for name in "abc"}
    sides: tuple[dict[str, Spans], dict[str, Spans]] = {}, {}
    for name, text in texts.items():
        places = [place for place in range(1, len(text) + 1) if text[place - 1 : place + 1] != "\r\n"]
        for side in sides:
            chosen = {(min(pair), max(pair)) for pair in (random.sample(places, 2) for _ in range(4))}
            side[name] = [(start, end, random.choice(CLASSES)) for start, end in sorted(chosen)]
    return texts, *sides


def scores(response: Corpus, key: Corpus, ontology: oe.Ontology) -> dict[str, Any]:
    result = oe.evaluate(oe.Extraction(response, key, ontology), MEASURES)
    return {
        score.name: (
            score.undefined or score.value,
            dict(score.counts),
            sorted(score.local.to_dict().values()) if score.local is not None else None,
        )
        for score in result.scores
    }


def bare(names: Iterable[str]) -> list[str]:
    """Documents without what a format puts in front of their names."""
    return [name.removeprefix("http://ex.org/").partition("#")[0] for name in names]


@pytest.fixture(scope="module")
def ontology() -> oe.Ontology:
    return oe.load_ontology(Path(__file__).resolve().parents[3] / "fixtures" / "annotations" / "news.ttl")


def check(folder: Path, texts: Texts, response: Side, key: Side, ontology: oe.Ontology) -> dict[str, Any]:
    sides = [
        {kind: oe.load_corpus(path) for kind, path in write(folder, name, texts, side).items()}
        for name, side in (("response", response), ("key", key))
    ]
    plain = [
        Corpus.from_spans({name: [(s, e, IRI + c) for s, e, c in spans] for name, spans in side.items()})
        for side in (response, key)
    ]
    expected = scores(plain[0], plain[1], ontology)
    for kind in (*EACH, *WHOLE):
        left, right = sides[0][kind], sides[1][kind]
        assert bare(left.documents) == bare(right.documents) == sorted(texts), kind
        assert scores(left, right, ontology) == expected, kind
    return expected


def test_formats_have_the_same_scores(tmp_path: Path, ontology: oe.Ontology) -> None:
    found = check(tmp_path, TEXTS, RESPONSE, KEY, ontology)
    # 2 of 9 responses are right, of 9 keys; where spans may overlap also the vote, and its class is right
    assert found["P"][0] == 2 / 9
    assert found["F(spans=lenient)"][0] == 3 / 9


@settings(max_examples=15)
@given(random=shuffles())
@example(random=Random(0))
def test_any_texts_have_the_same_scores(
    tmp_path_factory: pytest.TempPathFactory, ontology: oe.Ontology, random: Random
) -> None:
    texts, response, key = made(random)
    check(tmp_path_factory.mktemp("formats"), texts, response, key, ontology)


def test_the_command_has_the_same_scores(tmp_path: Path, fixtures: Path) -> None:
    responses, keys = (write(tmp_path, name, TEXTS, side) for name, side in (("response", RESPONSE), ("key", KEY)))
    said = {}
    for kind in responses:
        arguments = ["annotations", str(responses[kind]), "--gold", str(keys[kind]), "--ontology"]
        arguments += [str(fixtures / "annotations" / "news.ttl"), "--per", "document", "--per", "class"]
        arguments += ["--confusion", "9"]
        result = run(*arguments, "-m", ",".join(MEASURES), "--json")
        assert result.exit_code == 0, result.stderr
        (entry,) = json.loads(result.stdout)["results"]
        said[kind] = {name: entry[name] for name in ("scores", "counts", "undefined", "per_class", "confusion")}
        said[kind]["documents"] = [list(row.values())[1:] for row in entry["per_document"]]
        assert entry["unknown_classes"] == [], kind
    first = said.pop("json lines")
    assert first["scores"]["P"] == 2 / 9
    assert list(said) == ["gate", "bdoc with characters", "bdoc with units", "nif", "web annotation"]
    for kind, other in said.items():
        assert other == first, kind
