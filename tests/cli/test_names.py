"""A name is looked up in the same way by every command: exactly, without case, as a CURIE."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers import entry, printed, printed_json, refused, run, work_in

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FILE = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Animal a owl:Class . :Plant a owl:Class .
:D1 a owl:Class ; rdfs:subClassOf :Animal ; rdfs:label "House Dog"@en .
:D2 a owl:Class ; rdfs:subClassOf :D1 ; rdfs:label "poodle" .
:T a owl:Class ; rdfs:subClassOf :Plant ; rdfs:label "tree" .
"""
DOG = "http://ex.org/D1"
NAMES = [DOG, "House Dog", "house dog", "HOUSE DOG", "D1", "d1", "ex:D1"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return work_in(tmp_path, monkeypatch, {"o.ttl": FILE})


def described(*options: str) -> dict[str, Any]:
    (found,) = printed_json("describe", "o.ttl", *options, remarks=True)["ontologies"]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_command_finds_a_concept_by_the_same_names(here: Path, name: str) -> None:
    ontology = ("--ontology", "o.ttl")
    assert entry("relate", name, "poodle", *ontology, "-m", "Rada")["left"] == DOG
    assert DOG in printed("nearest", name, *ontology, "--json", remarks=True)
    assert DOG in printed("compare", "o.ttl", "--gold", "o.ttl", "--explain", name, "--json", remarks=True)
    assert described("--below", name)["concepts"] == 2
    assert described("--root", name)["root"] == DOG
    Path("i.tsv").write_text(f"fido\t{name}\nrex\tpoodle\n")
    assert described("--instances", "i.tsv")["instances"] == 2
    Path("c.tsv").write_text(f"{name}\t3\npoodle\t1\ntree\t1\n")
    assert "Lin" in printed("relate", "poodle", "tree", *ontology, "--counts", "c.tsv", "-m", "Lin(ic=corpus)",
                            remarks=True)  # fmt: skip
    Path("l.tsv").write_text(f"d\t{name}\n")
    assert entry("labels", "l.tsv", "--gold", "l.tsv", *ontology, "-m", "hF", remarks=True)["unknown_names"] == 0
    Path("m.tsv").write_text(f"{name}\t{name}\n")
    matched = printed_json("match", "o.ttl", "--gold", "o.ttl", "--match", "./m.tsv", remarks=True)
    assert [pair["learned"] for pair in matched["pairs"]] == [DOG]


def test_instances_of_a_name_that_several_concepts_have_are_left_out(here: Path) -> None:
    Path("two.ttl").write_text(
        FILE + ':D3 a owl:Class ; rdfs:label "house dog" . :D4 a owl:Class ; rdfs:label "tree" .\n'
    )
    Path("i.tsv").write_text("a\tHouse Dog\nb\thouse dog\nc\ttree\nd\tboat\n")
    result = run("describe", "two.ttl", "--instances", "i.tsv", "--json")
    assert "i.tsv: left out: 1 of 4 lines (unknown concept; first: 'boat')" in result.stdout
    assert "i.tsv: left out: 1 of 4 lines (ambiguous name; first: 'tree')" in result.stdout
    Path("i.tsv").write_text("a\thuose dog\n")
    assert "Did you mean 'house dog'" in refused("describe", "two.ttl", "--instances", "i.tsv")


def test_a_word_in_lower_case_has_the_senses_of_any_case(here: Path) -> None:
    """brother (the relative) is 4 links from monk, Brother (of an order) 1."""
    links = "b1\trelative\tbrother\nrelative\tperson\nmonk\tfriar\nb2\tmonk\tBrother\nfriar\tperson\n"
    Path("w.tsv").write_text(f"child\tparent\tlabel\n{links}")
    asked = ("--ontology", "w.tsv", "-m", "Rada(scale=distance)")
    for word in ("brother", "Brother"):
        assert entry("relate", word, "monk", *asked, remarks=True)["scores"] == {"Rada(scale=distance)": 1.0}
    # who writes both tells them apart: b1 - relative - person - friar - monk - b2
    assert entry("relate", "brother", "Brother", *asked, remarks=True)["scores"] == {"Rada(scale=distance)": 5.0}


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "wordnet30-skos").is_dir(), reason="needs WordNet as SKOS")
def test_words_in_lower_case_agree_with_people_as_they_do_in_wordnet() -> None:
    """0.853 if brother does not mean Brother, one of the five senses that WordNet lists for it."""
    files = DATA / "wordsim-wn30/EN-MC-30.txt", DATA / "wordnet30-skos/wordnet30-nouns-skos.ttl.gz"
    text = printed("correlate", files[0], "--ontology", files[1], "-m", "JC", "--rounds", "10", remarks=True)
    assert " 0.882 " in text
