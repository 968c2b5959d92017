"""Imports that are named for both sides: a gold standard takes only those that it imports itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import entry, printed_json, run, work_in

import ontoeval as oe

HEAD = "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
UPPER = HEAD + "<http://x.org/up> a owl:Ontology . <http://x.org/dog> rdfs:subClassOf <http://x.org/animal> .\n"
LOWER = "<http://x.org/poodle> rdfs:subClassOf <http://x.org/dog> .\n"
LEARNED = f"{HEAD}<http://x.org/low> a owl:Ontology ; owl:imports <http://x.org/up> . {LOWER}"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"up.ttl": UPPER, "learned.ttl": LEARNED, "alone.ttl": HEAD + LOWER, "importing.ttl": LEARNED}
    work_in(tmp_path, monkeypatch, files)


@pytest.mark.parametrize(("gold", "recall", "precision"), [("alone.ttl", 1.0, 2 / 3), ("importing.ttl", 1.0, 1.0)])
def test_a_module_of_the_learned_side_is_not_added_to_the_gold_one(gold: str, recall: float, precision: float) -> None:
    """poodle and dog are in all files, animal only where the upper ontology is imported."""
    scores = entry("compare", "learned.ttl", "--gold", gold, "--import", "up.ttl", "-m", "LP,LR")["scores"]
    assert scores == {"LP": pytest.approx(precision), "LR": recall}
    result = oe.compare("learned.ttl", gold, "LP,LR", load={"imports": "up.ttl"})
    assert [score.value for score in result] == [pytest.approx(precision), recall]


def test_what_is_named_for_the_gold_side_is_added() -> None:
    both = ("--import", "up.ttl", "--gold-import", "up.ttl")
    scores = entry("compare", "learned.ttl", "--gold", "alone.ttl", *both, "-m", "LP", remarks=True)["scores"]
    assert scores == {"LP": 1.0}


def test_warnings_of_the_gold_side_are_kept() -> None:
    Path("other.ttl").write_text(LEARNED.replace("/up>", "/elsewhere>"))
    with pytest.warns(oe.OntoevalWarning, match="import not found: http://x.org/elsewhere"):
        oe.compare("learned.ttl", "other.ttl", "LP", load={"imports": "up.ttl"})


def test_a_module_that_only_the_gold_standard_imports_is_not_added_to_the_learned_side() -> None:
    scores = entry("compare", "alone.ttl", "--gold", "importing.ttl", "--import", "up.ttl", "-m", "LP,LR")["scores"]
    assert scores == {"LP": 1.0, "LR": pytest.approx(2 / 3)}
    result = oe.compare("alone.ttl", "importing.ttl", "LP,LR", load={"imports": "up.ttl"})
    assert [score.value for score in result] == [1.0, pytest.approx(2 / 3)]


def test_what_neither_side_imports_is_added_to_both() -> None:
    scores = entry(
        "compare", "alone.ttl", "--gold", "alone.ttl", "--import", "up.ttl", "-m", "Concepts,LR", remarks=True
    )
    assert scores["scores"] == {"Concepts": 3, "LR": 1.0}


def test_the_order_of_learned_files_does_not_matter() -> None:
    """The gold standard has poodle and dog; the learned ones have animal, too, one by its import."""
    Path("whole.ttl").write_text(UPPER + LOWER)
    for files in (("whole.ttl", "learned.ttl"), ("learned.ttl", "whole.ttl")):
        task = ("compare", *files, "--gold", "alone.ttl", "--import", "up.ttl", "-m", "LP")
        scores = [found["scores"]["LP"] for found in printed_json(*task)["results"]]
        assert scores == [pytest.approx(2 / 3)] * 2


def test_two_files_that_are_merged_have_their_own_imports() -> None:
    result = run("relate", "poodle", "dog", "--ontology", "learned.ttl", "--with", "alone.ttl", "--import", "up.ttl")
    assert "(2 matched)" in result.stdout  # poodle and dog, but not animal
    both = ("--import", "up.ttl", "--with-import", "up.ttl")
    result = run("relate", "poodle", "dog", "--ontology", "learned.ttl", "--with", "alone.ttl", *both)
    assert "(3 matched)" in result.stdout
