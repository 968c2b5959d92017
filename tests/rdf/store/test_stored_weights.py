"""Weights of links in results: settings, run IRIs, RDF and back, SHACL and its native twin."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from snippets import EX, load

import ontoeval as oe
from ontoeval.rdf.store import write_scores
from ontoeval.rdf.store.result_graph import input_iri, run_iri
from ontoeval.rdf.validate import validate

NS, SKOS = "https://w3id.org/ontoeval/", "http://www.w3.org/2004/02/skos/core#"
VALUE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value"
TEXT = ':b skos:broader :a ; skos:related :c . :c skos:broader :a ; skos:altLabel "see" .'
PART_OF = EX + "partOf"
# None of these, but for the first two, changes a link of the file: related=2 and skos:related=2 do.
WEIGHTINGS: list[dict[str, float]] = [
    {}, {"broader": 2}, {"hierarchical": 2}, {"related": 2}, {"skos:related": 2}, {"relatedMatch": 2},
    {"relatedMatch": 3}, {"exactMatch": 2}, {"closeMatch": 2}, {"synonym": 2}, {"subClassOf": 2}, {"altLabel": 2},
    {"altLabel": 3}, {"exactMatch": 2, "closeMatch": 2}, {PART_OF: 2},
]  # fmt: skip


def ontology(weights: dict[str, float]) -> oe.Ontology:
    return load(TEXT, weights=weights, relations=[PART_OF] if PART_OF in weights else [])


def tasks(made: oe.Ontology) -> dict[str, Any]:
    """A task of each kind."""
    gold = load(TEXT)
    corpus = oe.Corpus.from_labels({"d": [EX + "b"]})
    return {
        "pairs": (oe.ConceptPairs(made, [EX + "b"], [EX + "c"]), ["Rada"]),
        "comparison": (oe.Comparison(made, gold), ["LF"]),
        "extraction": (oe.Extraction(corpus, corpus, made), ["LabelF"]),
    }


@pytest.mark.parametrize("kind", ["pairs", "comparison", "extraction"])
def test_two_runs_with_different_weights_never_share_an_iri(kind: str) -> None:
    runs = {}
    for weights in WEIGHTINGS:
        task, measures = tasks(ontology(weights))[kind]
        runs[json.dumps(weights)] = run_iri(oe.evaluate(task, measures, system="s"))
    for one, other in combinations(runs, 2):
        assert runs[one] != runs[other], (one, other)


@pytest.mark.parametrize("kind", ["pairs", "comparison", "extraction"])
def test_the_same_weights_by_other_names_are_the_same_run(kind: str) -> None:
    def run(weights: dict[str, float]) -> ox.NamedNode:
        task, measures = tasks(ontology(weights))[kind]
        return run_iri(oe.evaluate(task, measures, system="s"))

    assert run({"narrower": 2}) == run({SKOS + "broader": 2.0}) == run({"skos:broader": 2, "synonym": 0})
    assert run({}) == run({"hierarchical": 1, "related": 1, "synonym": 0, "altLabel": 0})


def test_settings_have_the_weights_that_are_no_defaults() -> None:
    made = tasks(ontology({"narrower": 2, "altLabel": 0.5, "related": 1}))
    weights = {"broader": 2.0, "altLabel": 0.5}
    expected = {"pairs": "ontology", "comparison": "learned", "extraction": "ontology"}
    for kind, (task, measures) in made.items():
        result = oe.evaluate(task, measures)
        assert result.settings["weights"] == {expected[kind]: weights}
        assert result.to_dict()["weights"] == {expected[kind]: weights}
    for task, measures in tasks(ontology({})).values():
        assert "weights" not in oe.evaluate(task, measures).settings


@pytest.fixture
def scores(tmp_path: Path) -> tuple[Path, oe.EvaluationResult]:
    task, _ = tasks(ontology({"broader": 2, "related": 3, "altLabel": 0.5, PART_OF: 4}))["pairs"]
    result = oe.evaluate(task, ["Rada", "LC"])
    write_scores(result, tmp_path / "scores.nq")
    return tmp_path / "scores.nq", result


def test_weights_are_written_and_read_back(scores: tuple[Path, oe.EvaluationResult]) -> None:
    path, result = scores
    (again,) = oe.read_scores(path)
    assert again == result
    assert again.settings["weights"] == {"ontology": {"related": 3.0, "broader": 2.0, PART_OF: 4.0, "altLabel": 0.5}}


def test_each_weight_is_a_node_with_its_property(scores: tuple[Path, oe.EvaluationResult]) -> None:
    path, result = scores
    quads = list(ox.parse(path.read_bytes(), format=ox.RdfFormat.N_QUADS))
    run = run_iri(result)
    nodes = [q.object for q in quads if q.subject == run and q.predicate.value == NS + "edgeWeight"]
    found = {}
    for node in nodes:
        about = {q.predicate.value: q.object for q in quads if q.subject == node}
        assert about[NS + "edgesOf"] == input_iri(result.inputs["ontology"])
        found[about[NS + "property"].value] = float(about[VALUE].value)
    expected = {NS + "related": 3.0, SKOS + "broader": 2.0, PART_OF: 4.0, SKOS + "altLabel": 0.5}
    assert found == expected


@pytest.mark.slow  # SHACL
def test_the_shapes_accept_weights_and_refuse_broken_ones(scores: tuple[Path, oe.EvaluationResult]) -> None:
    path, _ = scores
    text = path.read_text()
    assert validate(path, engine="native").conforms
    assert validate(path, engine="shacl").conforms
    weight = next(line for line in text.splitlines() if f"weight/ontology/broader> <{VALUE}>" in line)
    for good, bad, rule in (
        (weight, weight.replace('"2', '"-2'), "one-weight"),
        (weight, re.sub(r'"2[^"]*"', '"INF"', weight), "one-weight"),
        (weight, weight + "\n" + weight.replace('"2', '"3'), "one-weight"),
        (f"<{SKOS}altLabel>", '"altLabel"', "one-property"),
    ):
        assert good in text
        path.write_text(text.replace(good, bad))
        for engine in ("native", "shacl"):
            report = validate(path, engine=engine)
            assert {finding.rule for finding in report.findings} == {rule}, engine
