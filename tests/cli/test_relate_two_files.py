"""`relate` and `nearest` of concepts of two files, merged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import data_folder, near, printed, printed_json, refused, run, work_in
from hypothesis import given
from hypothesis import strategies as st
from twin_between import Between
from twin_compare import Case, cases

import ontoeval as oe
from ontoeval.edit.merge import MergedOntology

LEARNED = "van\tautomobile\nautomobile\troot\nminivan\tvan\n"
GOLD = "car\troot\nvan\tcar\nbus\tcar\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work_in(
        tmp_path, monkeypatch, {"l.tsv": LEARNED, "g.tsv": GOLD, "m.tsv": "automobile\tcar\nvan\tvan\nroot\troot\n"}
    )


TWO = ("--ontology", "l.tsv", "--with", "g.tsv", "--match", "m.tsv")


@given(cases(), st.sampled_from(["BDM", "LA", "WP", "Lin", "JC", "Resnik", "Rada", "LC", "simGIC"]))
def test_values_in_the_merged_ontology_are_the_twins(case: Case, measure: str) -> None:
    learned, gold = oe.Ontology.from_edges(**case.learned), oe.Ontology.from_edges(**case.gold)
    both, twin = MergedOntology.of(learned, gold, oe.match(learned, gold, by=case.pairs)), Between(case, measure)
    iris = both.ontology.hierarchy.iris
    name = {twin.in_merged(iri): iris[both.of_learned[learned.hierarchy.id(iri)]] for iri in twin.learned.given}
    name |= {iri: iris[both.of_gold[gold.hierarchy.id(iri)]] for iri in twin.gold.given}
    ours = sorted(twin.in_merged(iri) for iri in twin.learned.given)[:4]
    pairs = [(a, b) for a in ours for b in twin.gold.given[:4]]
    values = oe.relate(both.ontology, [name[a] for a, _ in pairs], [name[b] for _, b in pairs], measure)
    assert values.tolist() == near([twin.merged(measure, a, b) for a, b in pairs])


def test_a_concept_of_each_file_and_the_matched_ones_between() -> None:
    """In M: root > car (automobile) > van > minivan, car > bus; minivan and bus are 3 edges apart."""
    short = printed("relate", "minivan", "bus", *TWO, "-m", "Rada")
    assert short == "minivan and bus in l.tsv and g.tsv (3 matched)\n  measure  value\n  Rada     0.250\n"
    text = printed("relate", "minivan", "bus", *TWO, "-m", "Rada", "--explain")
    assert "minivan  minivan  in l.tsv" in text
    assert "  path: minivan < van < car > bus; in both files: van, car" in text.splitlines()
    (result,) = printed_json("relate", "minivan", "bus", *TWO, "-m", "Rada", "--json")["results"]
    assert result["scores"]["Rada"] == near(1 / 4)
    assert result["through"] == ["van", "car"]


def test_a_matched_concept_has_the_names_of_both_files() -> None:
    (result,) = printed_json("relate", "automobile", "car", *TWO, "-m", "BDM,Lin,Rada", "--json")["results"]
    assert set(result["scores"].values()) == {1.0}


def test_the_nearest_say_which_file_they_are_from() -> None:
    found = printed_json("nearest", "minivan", *TWO, "-m", "Rada", "--json")["nearest"]["Rada"]
    assert [(entry["iri"], entry["file"]) for entry in found] == [
        ("van", "both"), ("car", "both"), ("bus", "gold"), ("root", "both"),
    ]  # fmt: skip


def test_an_iri_of_both_files_that_is_not_matched_is_told() -> None:
    result = run(
        "relate", "van", "van-2", "--ontology", "l.tsv", "--with", "g.tsv", "--match", "nothing.tsv", "-m", "BDM"
    )
    assert result.exit_code == 1
    Path("nothing.tsv").write_text("root\troot\n", encoding="utf-8")
    result = run(
        "relate", "van", "van-2", "--ontology", "l.tsv", "--with", "g.tsv", "--match", "nothing.tsv", "-m", "BDM"
    )
    assert result.exit_code == 0
    assert "1 IRI is in both files but not matched: van is the concept of the second file, van-2 that of the first" in (
        result.stderr
    )


def test_options_of_matching_need_a_second_file() -> None:
    assert "--match needs --with" in refused("relate", "van", "car", "--ontology", "g.tsv", "--match", "iri", code=2)


def test_stored_values_name_both_files_and_the_matching() -> None:
    printed("relate", "minivan", "bus", "--ontology", "l.tsv", "--with", "g.tsv", "-m", "BDM", "-o", "s.trig")
    (stored,) = oe.read_scores("s.trig")
    assert {role: source.path for role, source in stored.inputs.items()} == {
        "ontology": "l.tsv + g.tsv", "learned": "l.tsv", "gold": "g.tsv",
    }  # fmt: skip
    assert stored.settings["matching"]["by"] == "iri,label"
    assert run("validate", "s.trig").exit_code == 0


def test_individuals_of_two_files() -> None:
    """herbie is a van of the first file, a bus of the second file is below car: herbie < van < car > bus."""
    prefixes = "@prefix : <http://x.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    prefixes += "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    classes = "".join(f":{name} a owl:Class . " for name in ("root", "car", "van"))
    links = ":van rdfs:subClassOf :car . :car rdfs:subClassOf :root . "
    Path("l.ttl").write_text(prefixes + classes + links + ":herbie a :van .", encoding="utf-8")
    bus = ":bus a owl:Class ; rdfs:subClassOf :car . :schoolbus a :bus ."
    Path("g.ttl").write_text(prefixes + classes + links + bus, encoding="utf-8")
    arguments = ("relate", "herbie", "schoolbus", "--ontology", "l.ttl", "--with", "g.ttl", "-m", "Rada")
    (result,) = printed_json(*arguments, "--json")["results"]
    assert result["scores"]["Rada"] == near(1 / 5)
    assert result["through"] == ["http://x.org/van", "http://x.org/car"]
    text = printed(*arguments, "--explain")
    assert "http://x.org/herbie     in l.ttl" in text
    assert "http://x.org/schoolbus  in g.ttl" in text


def test_the_nearest_individuals_of_two_files() -> None:
    prefixes = "@prefix : <http://x.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    prefixes += "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    classes = ":car a owl:Class . :van a owl:Class ; rdfs:subClassOf :car . "
    Path("l.ttl").write_text(prefixes + classes + ":herbie a :van .", encoding="utf-8")
    Path("g.ttl").write_text(prefixes + classes + ":kitt a :van . :bullitt a :car .", encoding="utf-8")
    arguments = ("nearest", "herbie", "--ontology", "l.ttl", "--with", "g.ttl", "-m", "Rada", "--json")
    found = printed_json(*arguments)["nearest"]["Rada"]
    assert [(entry["iri"], entry["file"], entry["value"]) for entry in found] == [
        ("http://x.org/kitt", "gold", near(1 / 3)), ("http://x.org/bullitt", "gold", near(1 / 4)),
    ]  # fmt: skip


def test_a_weight_of_links_to_the_other_file_is_not_said_to_change_nothing() -> None:
    prefixes = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix a: <http://a.org/> .\n"
    prefixes += "@prefix b: <http://b.org/> .\n"
    Path("l.ttl").write_text(prefixes + "a:van a skos:Concept ; skos:relatedMatch b:car .", encoding="utf-8")
    Path("g.ttl").write_text(prefixes + "b:car a skos:Concept ; skos:prefLabel 'car' .", encoding="utf-8")
    measure = "Rada(scale=distance, edges=relatedness, root_paths=false)"
    arguments = ("--ontology", "l.ttl", "--with", "g.ttl", "--weight", "relatedMatch=0.25", "-m", measure, "--json")
    result = run("relate", "http://a.org/van", "http://b.org/car", *arguments)
    assert json.loads(result.stdout)["results"][0]["scores"][measure] == 0.25
    assert "l.ttl: all relatedMatch links lead to concepts outside the file" in result.stderr
    assert "g.ttl: no relatedMatch link" in result.stderr


@pytest.mark.parametrize("match", ["label", "iri", "name"])
def test_yso_is_mapped_to_lcsh_however_concepts_are_matched(shared_data: Path, match: str) -> None:
    """The file says yso:p20619 skos:broadMatch lcsh:sh85097270; the second file has that subject below another."""
    subject = "http://id.loc.gov/authorities/subjects/sh85097270"
    lcsh = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    lcsh += f"<{subject}> a skos:Concept ; skos:prefLabel 'a subject' ; skos:broader <http://id.loc.gov/top> .\n"
    lcsh += "<http://id.loc.gov/top> a skos:Concept ; skos:prefLabel 'all subjects' .\n"
    Path("lcsh.ttl").write_text(lcsh, encoding="utf-8")
    yso = data_folder(shared_data, "skos-skosmos-vocabs") / "yso.ttl.gz"
    arguments = (
        "--ontology",
        yso,
        "--with",
        "lcsh.ttl",
        "--match",
        match,
        "--skos",
        "mappings",
        "-m",
        "Rada(scale=distance)",
    )
    result = run("relate", "http://www.yso.fi/onto/yso/p20619", "http://id.loc.gov/top", *arguments, "--json")
    (pair,) = json.loads(result.stdout)["results"]
    assert list(pair["scores"].values()) == [2.0]
    assert "not matched" not in result.stderr
