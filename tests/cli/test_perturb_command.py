"""`ontoeval perturb`, as a user meets it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import helpers
import pytest
from helpers import work_in

import ontoeval as oe
from ontoeval.rdf.ontology_writer import SUFFIXES

ONTOLOGY = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:thing a owl:Class ; rdfs:label "thing" .
:animal a owl:Class ; rdfs:label "animal"@en, "Tier"@de ; rdfs:subClassOf :thing .
:dog a owl:Class ; rdfs:subClassOf :animal . :cat a owl:Class ; rdfs:subClassOf :animal .
:cow a owl:Class ; rdfs:subClassOf :animal . :tool a owl:Class ; rdfs:label "tool" ; rdfs:subClassOf :thing .
:rex a :dog . :tom a :cat . :bolt a :dog .
"""
WORDS = """@prefix : <http://ex.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:thing a skos:Concept ; skos:prefLabel "thing" ; skos:altLabel "entity" .
:car a skos:Concept ; skos:broader :thing ; skos:prefLabel "car"@en, "Auto"@de ; skos:altLabel "motorcar"@en .
:bike a skos:Concept ; skos:broader :thing ; skos:prefLabel "bike"@en ; skos:altLabel "bicycle"@en, "cycle"@en .
:van a skos:Concept ; skos:broader :car ; skos:prefLabel "van"@en .
"""
EDGES = "dog\tanimal\ncat\tanimal\ncow\tanimal\nanimal\tthing\ntool\tthing\n"
PLACES = "rex\tdog\t0.5\ntom\tcat\n"


run = partial(helpers.run, "perturb")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"things.ttl": ONTOLOGY, "words.ttl": WORDS, "edges.tsv": EDGES, "places.tsv": PLACES}
    return work_in(tmp_path, monkeypatch, files)


@pytest.mark.parametrize(
    ("options", "kind", "amount", "said"),
    [
        (["--cut-depth", "1"], "cut-depth", 1,
         "removed 3 of 6 concepts, all below depth 1; 3 of 3 instances moved up"),
        (["--insert-empty", "1", "--seed", "3"], "insert-empty", 1, "inserted 1 of 1 possible empty concepts (seed 3)"),
        (["--remove-level", "2", "2", "--seed", "3"], "remove-level:2", 2, None),
        (["--remove-level", "1", "2"], "remove-level:1", 2,
         "removed 2 of 2 concepts of level 1; 0 of 3 instances moved up"),
        (["--move-instances", "67%", "--seed", "3"], "move-instances", 2, "moved 2 of 3 instances (seed 3)"),
        (["--move-nodes", "2", "--seed", "3"], "move-nodes", 2, "moved 2 of 5 concepts (seed 3)"),
        (["--move-nodes", "0"], "move-nodes", 0, "moved 0 of 5 concepts"),
        (["--remove-concepts", "5"], "remove-concepts", 5, "removed 5 of 5 concepts; 3 of 3 instances moved up"),
        (["--remove-concepts", "2", "--seed", "3"], "remove-concepts", 2, None),
        (["--rename-concepts", "2", "--seed", "3"], "rename-concepts", 2, "renamed 2 of 5 concepts (seed 3)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("output", ["out.ttl", "out.nt", "out.owl", "out.rdf", "out.xml"])
def test_the_file_that_is_written_holds_the_perturbed_ontology(
    here: Path, options: list[str], kind: str, amount: int, said: str | None, output: str
) -> None:
    result = run("things.ttl", *options, "-o", output)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert said is None or result.stderr == f"note: {output}: {said}\n"
    expected = oe.perturb(oe.load_ontology("things.ttl"), kind, amount, seed=3)
    assert oe.load_ontology(output).digest == expected.digest


@pytest.mark.parametrize(("amount", "seed"), [("1", " (seed 3)"), ("100%", "")])
@pytest.mark.parametrize("output", ["out.ttl", "out.nt", "out.rdf"])
def test_synonyms_are_written_as_preferred_labels(here: Path, amount: str, seed: str, output: str) -> None:
    number = 1 if seed else 2
    result = run("words.ttl", "--use-synonyms", amount, "--seed", 3, "-o", output)
    assert result.stderr == (
        f"note: {output}: replaced the preferred labels of {number} of 2 concepts by synonyms{seed}\n"
    )
    expected = oe.perturb(oe.load_ontology("words.ttl"), "use-synonyms", amount, seed=3)
    assert oe.load_ontology(output).digest == expected.digest


def test_renamed_concepts_keep_their_instances_where_they_are(here: Path) -> None:
    document = json.loads(run("things.ttl", "--rename-concepts", "100%", "-o", "out.ttl", "--json").stdout)
    assert document["instances"] == {"all": 3, "moved": 0}
    assert document["concepts"] == {"before": 6, "after": 6}
    assert document["seed"] is None


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(here: Path) -> None:
    contents = []
    for seed in (1, 1, 2, 3):
        assert run("things.ttl", "--move-nodes", 3, "--seed", seed, "-o", "out.ttl").exit_code == 0
        contents.append((here / "out.ttl").read_bytes())
    assert contents[0] == contents[1]
    assert len(set(contents)) > 1


def test_tables_stay_tables(here: Path) -> None:
    arguments = ("--move-instances", 1, "-o", "out.tsv", "--instances-output", "out-places.tsv")
    result = run("edges.tsv", "--instances", "places.tsv", *arguments)
    assert result.exit_code == 0, result.stderr
    loaded = oe.load_ontology("out.tsv", instances="out-places.tsv")
    expected = oe.perturb(oe.load_ontology("edges.tsv", instances="places.tsv"), "move-instances", 1)
    assert loaded.digest == expected.digest
    assert run("edges.tsv", "--insert-empty", 1, "-o", "out.tsv").stderr == (
        "note: out.tsv: inserted 1 of 1 possible empty concepts (seed 0)\n"
    )


def test_what_a_table_leaves_out_is_said(here: Path) -> None:
    result = run("things.ttl", "--cut-depth", 1, "-o", "out.tsv", "--instances-output", "who.tsv")
    assert result.stderr.splitlines() == [
        "note: out.tsv: removed 3 of 6 concepts, all below depth 1; 3 of 3 instances moved up",
        "note: out.tsv: left out: 1 label (a table holds one for each concept)",
        "note: out.tsv: left out: language of 2 labels",
    ]


def test_json_says_what_was_done(here: Path) -> None:
    result = run("things.ttl", "--remove-level", 2, "100%", "-o", "out.ttl", "--json")
    assert json.loads(result.stdout) == {
        "ontology": "things.ttl", "perturbation": "remove-level", "level": 2, "amount": 3, "available": 3, "seed": None,
        "concepts": {"before": 6, "after": 3}, "instances": {"all": 3, "moved": 3},
        "output": "out.ttl", "instances_output": None, "left_out": [],
    }  # fmt: skip
    assert json.loads(run("things.ttl", "--move-nodes", 1, "-o", "out.ttl", "--json").stdout)["seed"] == 0


def test_options_of_loading_hold(here: Path) -> None:
    result = run("things.ttl", "--below", "http://ex.org/animal", "--cut-depth", 0, "-o", "out.nt", "--lang", "de")
    assert result.exit_code == 0, result.stderr
    loaded = oe.load_ontology("out.nt")
    assert loaded.hierarchy.iris == ("http://ex.org/animal",)
    assert loaded.label_of(0) == "Tier"


KINDS = (
    "--cut-depth, --insert-empty, --remove-level, --move-instances, --move-nodes, --remove-concepts, "
    "--rename-concepts, --use-synonyms"
)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["things.ttl", "--insert-empty", "2"],
         "things.ttl: 2 is too many (concepts with three or more children: 1). Use at most 1."),
        (["things.ttl", "--remove-level", "3", "1"],
         "things.ttl: no concepts on level 3; the deepest level is 2. Use a level from 1 to 2."),
        (["things.ttl", "--remove-level", "0", "1"],
         "level must be a whole number >= 1, not 0. Use e.g. --remove-level 3 10."),
        (["things.ttl", "--remove-level", "one", "1"],
         "level must be a whole number >= 1, not 'one'. Use e.g. --remove-level 3 10."),
        (["things.ttl", "--move-nodes", "some"],
         "'some' is not an amount. Use a whole number >= 0, or a percentage such as 10%."),
        (["things.ttl", "--cut-depth", "10%"],
         "cut-depth takes a whole number, not '10%'."),
        (["edges.tsv", "--move-instances", "1"],
         "edges.tsv: move-instances needs instances, but there are none. Set --instances FILE."),
        (["edges.tsv", "--use-synonyms", "1"],
         "edges.tsv: use-synonyms needs alternative labels, but no concept has one that could become its preferred "
         "label. Choose another kind of damage, such as rename-concepts."),
        (["edges.tsv", "--move-nodes", "1"],
         "out.ttl: RDF needs IRIs, but the concept 'thing' has none. Use a name that ends in .tsv."),
        (["things.ttl", "--move-nodes", "1", "-o", "out.tsv"],
         "out.tsv: a table of links cannot hold the 3 instances. Set --instances-output FILE."),
        (["edges.tsv", "--move-nodes", "1", "-o", "out.tsv", "--instances-output", "who.tsv"],
         "who.tsv: no instances to write. Remove --instances-output."),
        (["things.ttl", "--move-nodes", "1", "-o", "out.obo"],
         f"out.obo: unknown suffix '.obo'. Use one of: {' '.join(SUFFIXES)}."),
        (["things.ttl", "--move-nodes", "1", "-o", "nowhere/out.ttl"],
         "nowhere/out.ttl: its directory does not exist; choose another path."),
        (["things.ttl", "--move-nodes", "1", "-o", "things.ttl"],
         "things.ttl: this is an input file, which is never changed. Choose another path."),
    ],
)  # fmt: skip
def test_errors_say_what_to_do_and_nothing_is_written(here: Path, arguments: list[str], said: str) -> None:
    before = {path.name: path.read_text() for path in here.iterdir()}
    result = run(*arguments, *([] if "-o" in arguments else ["-o", "out.ttl"]))
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {said}\n")
    assert {path.name: path.read_text() for path in here.iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["things.ttl"], f"no kind of damage. Use one of: {KINDS}."),
        (["things.ttl", "--cut-depth", "1", "--move-nodes", "1"],
         "more than one kind of damage: --cut-depth, --move-nodes. Keep one."),
        (["things.ttl", "--move-nodes", "1", "-o", "out.tsv", "--instances-output", "./out.tsv"],
         "out.tsv: named twice, for the links and for the instances. Use two files."),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together_are_wrong_usage(here: Path, arguments: list[str], said: str) -> None:
    result = run(*arguments, *([] if "-o" in arguments else ["-o", "out.ttl"]))
    assert (result.exit_code, result.stdout, result.stderr.splitlines()[0]) == (2, "", f"error: {said}")
    assert not (here / "out.ttl").exists()


def test_the_places_of_instances_are_not_overwritten_either(here: Path) -> None:
    result = run("things.ttl", "--move-nodes", 1, "-o", "out.ttl", "--instances-output", "things.ttl")
    assert result.stderr == "error: things.ttl: this is an input file, which is never changed. Choose another path.\n"
    places = ("--instances", "places.tsv", "--move-instances", 1, "-o", "out.tsv", "--instances-output", "places.tsv")
    result = run("edges.tsv", *places)
    assert result.stderr == "error: places.tsv: this is an input file, which is never changed. Choose another path.\n"
    assert (here / "places.tsv").read_text() == PLACES


def test_without_a_place_to_write_it_is_a_usage_error(here: Path) -> None:
    result = run("things.ttl", "--move-nodes", 1)
    assert result.exit_code == 2
    assert "missing option '-o' / '--output'" in result.stderr


def test_help_has_examples_and_every_kind() -> None:
    words = " ".join(run("--help").stdout.split())
    assert "ontoeval perturb gold.owl --move-nodes 10% --seed 7 -o moved.owl" in words
    assert all(kind in words for kind in KINDS.split(", "))
