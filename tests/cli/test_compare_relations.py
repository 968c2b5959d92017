"""`ontoeval compare` with relations other than is-a: RelP, RelR, RelF, --per property, --errors."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import helpers
import pytest
from helpers import entry, squeezed, work_in

import ontoeval as oe

compare = partial(helpers.printed, "compare")
refused = partial(helpers.refused, "compare")

HEAD = """@prefix : <http://ex.org/{0}#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:Car rdfs:subClassOf :Vehicle . :Van rdfs:subClassOf :Vehicle . :Wheel rdfs:subClassOf :Part .
:hasPart a owl:ObjectProperty .
"""
LEARNED = (
    HEAD.format("l")
    + """
:Car rdfs:subClassOf [ owl:onProperty :hasPart ; owl:someValuesFrom :Wheel ] ; skos:related :Van .
:Wheel rdfs:subClassOf [ owl:onProperty :hasPart ; owl:someValuesFrom :Van ] . :hasPart rdfs:domain :Vehicle .
"""
)
GOLD = (
    HEAD.format("g")
    + """
:Wheel :partOf :Car . :Van :hasPart :Wheel . :partOf owl:inverseOf :hasPart . :hasPart rdfs:domain :Vehicle .
"""
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return work_in(tmp_path, monkeypatch, {"learned.ttl": LEARNED, "gold.ttl": GOLD})


def test_relations_are_read_because_a_measure_needs_them() -> None:
    # both: Car hasPart Wheel, domain; only learned: Wheel hasPart Van, related; only gold: Van hasPart Wheel
    found = entry("compare", "learned.ttl", "--gold", "gold.ttl", "-m", "RelP,RelR,RelF(kind=hasPart)", remarks=True)
    assert found["scores"] == {"RelP": 2 / 4, "RelR": 2 / 3, "RelF(kind=hasPart)": 1 / 2}
    counts = found["counts"]["RelP"]
    assert (counts["learned_properties"], counts["gold_properties"]) == (1, 2)
    assert (counts["properties_by_iri"], counts["properties_by_label"]) == (0, 1)
    rows = {row["label"]: (row["value"], row["relations"]) for row in found["by_property"]["RelR"]}
    assert rows == {"has Part": (1 / 2, 2), "domain": (1, 1), "related": (0, 0)}


def test_the_numbers_of_other_measures_and_their_runs_do_not_depend_on_it(folder: Path) -> None:
    plain = entry("compare", "learned.ttl", "--gold", "gold.ttl", "-m", "TF_sc", "-o", "plain.trig")
    both = entry("compare", "learned.ttl", "--gold", "gold.ttl", "-m", "TF_sc,RelF", remarks=True)
    assert both["scores"]["TF_sc"] == plain["scores"]["TF_sc"]
    (stored,) = oe.read_scores(folder / "plain.trig")
    sides = [oe.load_ontology(name) for name in ("learned.ttl", "gold.ttl")]
    assert oe.evaluate(oe.Comparison(*sides), "TF_sc").key == stored.key


def test_a_table_by_property_comes_with_all_three_if_none_is_asked_for() -> None:
    lines = squeezed(compare("learned.ttl", "--gold", "gold.ttl", "-m", "LF", "--per", "property", remarks=True))
    assert [line.split()[0] for line in lines[1:5]] == ["LF", "RelP", "RelR", "RelF"]
    table = lines[lines.index("learned: relations by property") :]
    assert "property RelP RelR RelF learned gold" in table
    assert "has Part 0.500 0.500 0.500 2 2" in table
    assert "related 0.000 0.000 0.000 1 0" in table


def test_programs_get_the_iri_and_the_number_of_relations_of_each_score() -> None:
    text = compare(
        "learned.ttl", "--gold", "gold.ttl", "-m", "RelF", "--per", "property", "--format", "csv", remarks=True
    )
    lines = text.splitlines()
    assert "learned,property,iri,RelF,relations of RelF" in lines
    assert "learned.ttl,domain,http://www.w3.org/2000/01/rdf-schema#domain,1.0,2" in lines


def test_runs_of_which_one_has_no_relation_have_the_same_columns() -> None:
    Path("bare.tsv").write_text("Car\tThing\n")
    text = compare(
        "bare.tsv", "learned.ttl", "--gold", "gold.ttl", "-m", "RelP,RelR", "--per", "property", "--format", "csv",
        remarks=True,
    )  # fmt: skip
    header, *rows = (line.split(",") for line in text.splitlines())
    assert header == ["learned", "property", "iri", "RelP", "RelR", "relations of RelP", "relations of RelR"]
    assert {len(row) for row in rows} == {7}
    assert "learned.ttl" in {row[0] for row in rows}


def test_how_properties_were_matched_is_said() -> None:
    result = helpers.run("compare", "learned.ttl", "--gold", "gold.ttl", "-m", "RelF")
    assert "properties of relations: 1 learned, 2 gold, 1 matched (0 by IRI, 1 by label)" in result.stderr


def test_a_mapping_may_name_properties(folder: Path) -> None:
    pairs = [("Car", "Car"), ("Van", "Van"), ("Wheel", "Wheel"), ("hasPart", "partOf")]
    rows = "".join(f"http://ex.org/l#{a}\thttp://ex.org/g#{b}\n" for a, b in pairs)
    (folder / "map.tsv").write_text(rows)
    found = entry("compare", "learned.ttl", "--gold", "gold.ttl", "--match", "map.tsv", "-m", "RelP", remarks=True)
    # learned Wheel hasPart Van is gold Wheel partOf Van, which is Van hasPart Wheel
    assert found["counts"]["RelP"]["properties_by_mapping"] == 1
    assert found["scores"]["RelP"] == 1 / 3


def test_two_mappings_that_differ_in_properties_alone_are_two_runs(folder: Path) -> None:
    keys = set()
    for name, partner in (("one", "hasPart"), ("two", "partOf")):
        pairs = [("Car", "Car"), ("Van", "Van"), ("Wheel", "Wheel"), ("hasPart", partner)]
        rows = "".join(f"http://ex.org/l#{a}\thttp://ex.org/g#{b}\n" for a, b in pairs)
        (folder / "map.tsv").write_text(rows)
        compare(
            "learned.ttl", "--gold", "gold.ttl", "--match", "map.tsv", "-m", "RelP", "-o", f"{name}.trig", remarks=True
        )
        keys |= {result.key for result in oe.read_scores(folder / f"{name}.trig")}
    assert len(keys) == 2


def test_symmetric_properties_can_be_named() -> None:
    arguments = ("compare", "learned.ttl", "--gold", "gold.ttl", "-m", "RelR(kind=hasPart)", "--symmetric", "hasPart")
    assert entry(*arguments, remarks=True)["scores"] == {"RelR(kind=hasPart)": 1.0}


def test_errors_list_related_links_of_one_side() -> None:
    lines = squeezed(compare("learned.ttl", "--gold", "gold.ttl", "-m", "LF", "--errors"))
    assert "related only learned Car – Van" in lines


POPULATED = """@prefix : <http://ex.org/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:livesIn a owl:ObjectProperty ; rdfs:label "lives in" ; rdfs:domain :Person . :Person a owl:Class . :City a owl:Class .
:ann a :Person ; rdfs:label "Ann" . :rome a :City ; rdfs:label "Rome" .
"""


def test_errors_and_explanations_list_relations_of_individuals_and_properties(folder: Path) -> None:
    (folder / "l.ttl").write_text(POPULATED + ":ann :livesIn :rome . :livesIn rdfs:range :Person .")
    (folder / "g.ttl").write_text(POPULATED + ":ann :livesIn :oslo . :livesIn rdfs:range :City .")
    arguments = ("l.ttl", "--gold", "g.ttl", "-m", "RelF", "--errors", "--explain", "Person")
    lines = squeezed(compare(*arguments, remarks=True))
    assert "relations only learned Ann – lives in – Rome, lives in – range – Person" in lines
    assert "relations only gold lives in – range – City, Ann – lives in – oslo (missing)" in lines
    assert "relations on both sides: lives in – domain – Person" in lines
    assert "relations only learned: lives in – range – Person" in lines
    csv = compare(*arguments[:5], *arguments[6:], "--format", "csv", remarks=True).splitlines()
    assert "l.ttl,Person,relation only learned,http://ex.org/#Person,lives in – range – Person,," in csv
    csv = compare(*arguments[:6], "--format", "csv", remarks=True).splitlines()
    ends = "http://ex.org/#ann,Ann,http://ex.org/#rome,Rome"
    assert f"l.ttl,relation only learned,{ends},http://ex.org/#livesIn,lives in,,,,," in csv
    found = entry("compare", *arguments, remarks=True)
    assert found["errors"]["counts"]["relations_only_gold"] == 2
    (last,) = (row for row in found["errors"]["relations_only_gold"] if not row["object"]["common"])
    assert last["object"] == {"iri": "http://ex.org/#oslo", "label": "oslo", "common": False}
    assert found["explain"][0]["values"]["RelP"] == 1 / 2


def test_an_unknown_property_is_refused() -> None:
    message = refused("learned.ttl", "--gold", "gold.ttl", "-m", "RelF(kind=hasPrat)")
    assert message == (
        "neither side has a property 'hasPrat'. Did you mean 'hasPart'? Use all, related, synonym or domain, hasPart."
    )


def test_scores_of_relations_are_written_onto_concepts(folder: Path) -> None:
    result = helpers.run("write-back", "learned.ttl", "--gold", "gold.ttl", "-m", "RelP", "-o", "scored.ttl")
    assert result.exit_code == 0
    assert "note: scored.ttl: 4 scores (RelP) of 4 concepts\n" in result.stderr


def test_describe_counts_relations() -> None:
    (found,) = helpers.printed_json("describe", "gold.ttl", "--other-relations")["ontologies"]
    assert (found["relations"], found["relations_left_out"]) == (3, 0)
