"""`--weight` by kind and by property, as a user meets it: describe, relate, nearest, agree, compare."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from helpers import entry, printed, printed_json, refused, run
from snippets import EX, PREFIXES

import ontoeval as oe

TEXT = (
    PREFIXES
    + """
:v a skos:Concept ; skos:prefLabel "vehicle" .
:c a skos:Concept ; skos:broader :v ; skos:prefLabel "car" ; skos:altLabel "automobile" ; skos:related :r .
:b a skos:Concept ; skos:broader :v ; skos:prefLabel "bike" ; skos:broadMatch :c ; skos:relatedMatch :r .
:r a skos:Concept ; skos:broader :v ; skos:prefLabel "road" .
"""
)
DISTANCE = ("-m", "Rada(scale=distance)")
RELATED = ("-m", "Rada(scale=distance, edges=relatedness)")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "v.ttl").write_text(TEXT)
    monkeypatch.chdir(tmp_path)


def distance(*arguments: str, of: tuple[str, str] = ("car", "bike"), measure: tuple[str, str] = DISTANCE) -> float:
    (score,) = entry("relate", *of, "--ontology", "v.ttl", *measure, *arguments, remarks=True)["scores"].values()
    return float(score)


def test_a_property_goes_before_its_kind() -> None:
    assert distance() == 2.0
    assert distance("--weight", "hierarchical=3") == 6.0
    assert distance("--weight", "broader=4", "--weight", "hierarchical=3") == 8.0
    assert distance("--weight", "narrower=4") == 8.0
    assert distance("--skos", "mappings") == 1.0
    assert distance("--skos", "mappings", "--weight", "broadMatch=1.5") == 1.5
    assert distance("--skos", "mappings", "--weight", "broadMatch=9") == 2.0  # over the vehicle
    assert distance("--weight", "relatedMatch=0.5", measure=RELATED) == 1.5
    assert distance("--weight", "relatedMatch=0.5", "--weight", "related=0.25", measure=RELATED) == 0.75
    assert distance("--weight", "http://www.w3.org/2004/02/skos/core#related=0.25", measure=RELATED) == 1.25


def test_a_term_by_altlabel_alone_is_further_away() -> None:
    assert distance("--weight", "altLabel=0.5", of=("automobile", "bike")) == 2.5
    assert distance("--weight", "altLabel=0.5", of=("car", "automobile")) == 0.5
    label = ("--weight", "altLabel=0.5")
    text = printed("relate", "automobile", "bike", "--ontology", "v.ttl", *DISTANCE, *label, "--explain")
    assert "d 2.5, car < vehicle > bike, altLabel 0.5" in " ".join(text.split())
    found = printed_json("nearest", "automobile", "--ontology", "v.ttl", *DISTANCE, *label, "--top", 1)
    assert found["nearest"][DISTANCE[1]][0]["value"] == 1.5


def test_agree_takes_the_terms_of_its_pairs() -> None:
    Path("rated.tsv").write_text("car\tbike\t3\nautomobile\tbike\t2\nvehicle\tbike\t1\nautomobile\troad\t0\n")
    arguments = ("agree", "rated.tsv", "--ontology", "v.ttl", *DISTANCE, "--local", "out.csv")
    assert run(*arguments, "--weight", "altLabel=0.5").exit_code == 0
    with open("out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [abs(float(row[DISTANCE[1]])) for row in rows] == [2.0, 2.5, 1.0, 2.5]


def test_describe_shows_the_weights() -> None:
    usual = {"hierarchical": 1.0, "related": 1.0, "synonym": 0.0}
    assert printed_json("describe", "v.ttl")["ontologies"][0]["weights"] == usual
    arguments = ("describe", "v.ttl", "--weight", "narrower=2", "--weight", "related=3", "--weight", "altLabel=0.5")
    weights = {**usual, "related": 3.0, "broader": 2.0, "altLabel": 0.5}
    assert printed_json(*arguments)["ontologies"][0]["weights"] == weights
    text = printed(*arguments, "-f", "markdown")
    for name, weight in weights.items():
        assert f"| weight {name} | {weight:.3f} |" in text.splitlines()


def test_a_weight_that_no_link_has_is_said() -> None:
    result = run("relate", "car", "bike", "--ontology", "v.ttl", *DISTANCE, "--weight", "broadMatch=2")
    assert result.exit_code == 0
    assert (
        "note: v.ttl: no broadMatch link joins two concepts, so its weight has no effect (set --skos mappings "
        "to read such links)" in result.stderr
    )


def test_the_definition_of_a_value_has_the_weights() -> None:
    arguments = ("relate", "car", "bike", "--ontology", "v.ttl", "-m", "Rada,BDM", "--weight", "broader=2")
    definitions = printed_json(*arguments)["definitions"]
    assert definitions["Rada"]["weights"] == {"hierarchical": [2.0], "related": [1.0]}
    assert definitions["Rada"]["weights_by_name"] == {"broader": 2.0}
    assert "weights" not in definitions["BDM"]
    text = " ".join(printed(*arguments, "--explain").split())
    assert "weights of links: hierarchical 2, related 1; by name: broader 2." in text


def test_results_have_the_weights_in_json_and_rdf() -> None:
    weights = ("--weight", "broader=2", "--weight", "altLabel=0.5")
    printed("relate", "car", "bike", "--ontology", "v.ttl", *DISTANCE, *weights, "-o", "s.trig", remarks=True)
    (result,) = oe.read_scores("s.trig")
    assert result.settings["weights"] == {"ontology": {"broader": 2.0, "altLabel": 0.5}}
    found = entry("compare", "v.ttl", "--gold", "v.ttl", "-m", "LF", *weights)
    assert found["weights"] == {role: {"broader": 2.0, "altLabel": 0.5} for role in ("learned", "gold")}
    assert "weights" not in entry("compare", "v.ttl", "--gold", "v.ttl", "-m", "LF")


def test_wrong_weights_are_refused() -> None:
    ontology = ("relate", "car", "bike", "--ontology", "v.ttl")
    assert "Did you mean 'broader'" in refused(*ontology, "--weight", "broder=2")
    assert "Set --relation http://ex.org/partOf to read it as hierarchical." in refused(
        *ontology, "--weight", f"{EX}partOf=2"
    )
    assert "broader and narrower are the same links" in refused(
        *ontology, "--weight", "broader=2", "--weight", "narrower=3"
    )
    twice = refused(*ontology, "--weight", "broader=2", "--weight", "broader=3", code=2)
    assert "broader has two weights, 2 and 3." in twice
    assert "ignores the weight of broader" in refused(
        *ontology, "--weight", "broader=2", "-m", "Rada(paths=common-ancestor)"
    )


def test_a_list_of_concepts_and_labels_of_documents_refuse_a_weight_of_altlabel_that_would_count() -> None:
    Path("names.txt").write_text("car\nautomobile\n")
    matrix = ("relate", "--concepts", "names.txt", "--ontology", "v.ttl", *DISTANCE)
    assert "names.txt, line 2: 'automobile' is an altLabel" in refused(*matrix, "--weight", "altLabel=1")
    assert run(*matrix, "--weight", "broader=2").exit_code == 0
    for name, label in (("r.tsv", "automobile"), ("g.tsv", "bike")):
        Path(name).write_text(f"document\tlabel\nd\t{label}\n")
    labels = ("labels", "r.tsv", "--gold", "g.tsv", "--ontology", "v.ttl", "-m", "LabelF(credit=high, similarity=Rada)")
    message = refused(*labels, "--weight", "altLabel=1")
    assert "1 class is named by an altLabel (automobile)" in message
    assert "Remove altLabel from --weight." in message
