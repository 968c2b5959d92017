"""`ontoeval write-back`, as a user meets it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import helpers
import pytest
from helpers import work_in

from ontoeval import load_ontology
from ontoeval.rdf.writeback import SUFFIXES

HEAD = """@prefix : <http://ex.org/o#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


run = partial(helpers.run, "write-back")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "learned.ttl": HEAD + "<http://ex.org/o> a owl:Ontology . :b rdfs:subClassOf :a .",
        "gold.ttl": HEAD + ":b rdfs:subClassOf :a . :c rdfs:subClassOf :b .",
    }
    return work_in(tmp_path, monkeypatch, files)


def test_an_overlay(here: Path) -> None:
    before = Path("learned.ttl").read_bytes()
    result = run("learned.ttl", "--gold", "gold.ttl", "-o", "scores.owl", "-m", "TP_csc,TR_csc", "-m", "TP(extract=sc)")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        "note: scores.owl: 6 scores (TP_csc, TR_csc, TP(extract=sc)) of 2 concepts\n"
        "note: catalog-v001.xml: maps the import to learned.ttl\n"
    )
    assert Path("learned.ttl").read_bytes() == before
    assert 'name="http://ex.org/o" uri="learned.ttl"' in Path("catalog-v001.xml").read_text()
    assert load_ontology("scores.owl", imports=["."]).source.unresolved_imports == ()


def test_merged_twice_and_clean(here: Path) -> None:
    arguments = ("--gold", "gold.ttl", "-m", "TP_csc", "--merged")
    result = run("learned.ttl", *arguments, "-o", "one.ttl")
    assert result.stderr == "note: one.ttl: 2 scores (TP_csc) of 2 concepts\n"
    assert not Path("catalog-v001.xml").exists()
    result = run("one.ttl", *arguments, "-o", "two.rdf")
    assert result.stderr == (
        "note: two.rdf: 2 scores (TP_csc) of 2 concepts\nnote: two.rdf: 17 statements of an earlier run removed\n"
    )
    result = run("--clean", "two.rdf", "-o", "clean.nt")
    assert result.stderr == "note: clean.nt: 17 statements of an earlier run removed\n"
    assert sorted(Path("clean.nt").read_text().splitlines()) == [
        "<http://ex.org/o#b> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://ex.org/o#a> .",
        "<http://ex.org/o> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
        "<http://www.w3.org/2002/07/owl#Ontology> .",
    ]
    result = run("--clean", "learned.ttl", "-o", "clean.nt")
    assert result.stderr == "note: learned.ttl: no scores of ontoeval found\n"


def test_options_of_loading_and_matching_hold(here: Path) -> None:
    Path("learned.txt").write_text("<b> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <a> .")
    options = ("--input-format", "turtle", "--base-iri", "http://ex.org/", "--match", "name", "--ignore-novel")
    result = run("learned.txt", "--gold", "gold.ttl", *options, "--merged", "-o", "m.nt", "-m", "TP_csc")
    assert (result.exit_code, result.output) == (0, "note: m.nt: 2 scores (TP_csc) of 2 concepts\n")
    assert "<http://ex.org/b> <https://w3id.org/ontoeval/score/TP_csc>" in Path("m.nt").read_text()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            ("learned.ttl", "--gold", "gold.ttl", "-o", "learned.ttl"),
            "learned.ttl: is the input file, which is never changed. Set -o to another name.",
        ),
        (
            ("learned.ttl", "--gold", "gold.ttl", "-o", "x.obo"),
            f"x.obo: unknown suffix '.obo'. Use one of: {' '.join(SUFFIXES)}.",
        ),
        (
            ("learned.ttl", "--gold", "gold.ttl", "-o", "no/x.ttl"),
            "no/x.ttl: its directory does not exist; choose another path.",
        ),
        (
            ("learned.ttl", "--gold", "gold.ttl", "-o", "x.ttl", "-m", "TF_csc"),
            "TF_csc has no scores of single concepts. Choose another measure, e.g. TP_csc.",
        ),
        (
            ("learned.ttl", "--gold", "gold.ttl", "-o", "x.ttl", "-m", ","),
            "-m is empty. Name a measure.",
        ),
        (("no.ttl", "--gold", "gold.ttl", "-o", "x.ttl"), "no.ttl: no such file. Check the path."),
    ],
)
def test_what_is_refused(here: Path, arguments: tuple[str, ...], text: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {text}\n")
    assert sorted(path.name for path in here.iterdir()) == ["gold.ttl", "learned.ttl"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            ("learned.ttl", "-o", "x.ttl"),
            "scores need a gold standard. Set --gold, or remove scores with --clean.",
        ),
        (
            ("learned.ttl", "--clean", "--merged", "-o", "x.ttl"),
            "--clean only removes scores. Remove --gold, -m and --merged.",
        ),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(here: Path, arguments: tuple[str, ...], text: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr.splitlines()[0]) == (2, "", f"error: {text}")
    assert sorted(path.name for path in here.iterdir()) == ["gold.ttl", "learned.ttl"]


def test_a_table_of_names_says_what_to_do(here: Path) -> None:
    Path("learned.tsv").write_text("b\ta\n")
    result = run("learned.tsv", "--gold", "gold.ttl", "--match", "name", "-o", "x.ttl")
    assert result.stderr.endswith(
        "error: learned.tsv: scores are written to concepts of RDF or OWL, not tsv. Convert it to Turtle.\n"
    )


def test_advice_names_the_options(here: Path) -> None:
    subclass = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
    Path("other.ttl").write_text(f"<http://else.org/y> <{subclass}> <http://else.org/x> .")
    result = run("learned.ttl", "--gold", "other.ttl", "-m", "TR_csc", "-o", "x.ttl")
    assert result.stderr.endswith(
        "error: learned.ttl: no learned concept has a score. Choose a measure with scores of learned concepts, "
        "e.g. TP_csc, or match more concepts with another --match.\n"
    )
    Path("learned.obo").write_text("format-version: 1.4\n\n[Term]\nid: X:1\n\n[Term]\nid: X:2\nis_a: X:1\n")
    result = run("learned.obo", "--gold", "learned.obo", "--merged", "-o", "x.ttl")
    assert result.stderr.endswith(
        "error: learned.obo: OBO cannot be written as RDF completely. Convert it to OWL, or remove --merged to "
        "write an overlay instead.\n"
    )
