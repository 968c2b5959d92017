"""A format that is added at run time, by one row, works wherever an ontology is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from click.testing import CliRunner, Result

import ontoeval as oe
from ontoeval.cli import main
from ontoeval.errors import LoadError, ParameterError
from ontoeval.load.formats import FORMATS, detect, named_format
from ontoeval.load.input import Input, open_input
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.format import Fit, Head, OntologyFormat
from ontoeval.load.options import LoadOptions

EX = "http://ex.org/o#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
ARROWS = "%arrows\ncat -> animal\ndog -> animal\n"
OUTLINE = "%outline\nanimal\n  cat\n  dog\n"
GOLD = f"@prefix : <{EX}> . @prefix rdfs: <{RDFS}> .\n:cat rdfs:subClassOf :animal . :puma rdfs:subClassOf :cat ."


def is_arrows(head: Head) -> Fit:
    return Fit.SURELY if head.text.startswith("%arrows") else Fit.NO


@contextmanager
def arrow_triples(source: Input, options: LoadOptions) -> Iterator[Iterable[Any]]:
    pairs = [line.split(" -> ") for line in source.read_text().splitlines()[1:]]
    subclass = ox.NamedNode(RDFS + "subClassOf")
    yield [ox.Quad(ox.NamedNode(EX + child), subclass, ox.NamedNode(EX + parent)) for child, parent in pairs]


def read_outline(source: Input, options: LoadOptions) -> Facts:
    facts = Facts(profile="owl")
    above: list[int] = []
    for line in source.read_text().splitlines()[1:]:
        concept = facts.number(EX + line.strip())
        facts.concepts.append(concept)
        del above[(len(line) - len(line.lstrip())) // 2 :]
        if above:
            facts.edge(concept, above[-1])
        above.append(concept)
    return facts


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(
        FORMATS, "arrows", OntologyFormat("arrows", (".toy",), is_arrows, rdf=arrow_triples, aliases=("->",))
    )
    monkeypatch.setitem(FORMATS, "outline", OntologyFormat("outline", (".out",), lambda head: Fit.NO, read_outline))
    monkeypatch.chdir(tmp_path)
    Path("learned.toy").write_text(ARROWS)
    Path("learned.out").write_text(OUTLINE)
    Path("gold.ttl").write_text(GOLD)
    return tmp_path


FORMATS_OF = {"learned.toy": "arrows", "learned.out": "outline"}


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result


def test_it_is_detected_by_its_content_by_its_suffix_and_by_its_names() -> None:
    Path("plain").write_text(ARROWS)
    assert detect(open_input("plain")) == "arrows"
    assert detect(open_input("learned.out")) == "outline"  # which nothing tells but the suffix
    assert named_format("ARROWS") == named_format("->") == "arrows"


def test_messages_list_it() -> None:
    every_format = re.escape(f"{', '.join(FORMATS)}.") + "$"
    assert "arrows" in every_format
    for name in ("arows", "nothing"):
        with pytest.raises(ParameterError, match=every_format):
            named_format(name)


@pytest.mark.parametrize("name", FORMATS_OF)
def test_it_is_described(name: str) -> None:
    (description,) = json.loads(run("describe", name, "--json").stdout)["ontologies"]
    assert (description["format"], description["concepts"], description["edges"], description["leaves"]) == (
        FORMATS_OF[name],
        3,
        2,
        2,
    )


@pytest.mark.parametrize("name", FORMATS_OF)
def test_it_is_compared(name: str) -> None:
    """animal and cat are shared: two of the three learned concepts, and two of the three gold ones."""
    (result,) = json.loads(run("compare", name, "--gold", "gold.ttl", "-m", "LP,LR", "--json").stdout)["results"]
    assert result["scores"] == pytest.approx({"LP": 2 / 3, "LR": 2 / 3})


def test_scores_are_written_into_a_copy_of_it_and_taken_out_again() -> None:
    run("write-back", "learned.toy", "--gold", "gold.ttl", "-m", "TP_csc", "--merged", "-o", "merged.nt")
    merged = oe.load_ontology("merged.nt")
    assert {EX + name for name in ("animal", "cat", "dog")} <= set(merged.hierarchy.iris)
    assert "https://w3id.org/ontoeval/score/TP_csc" in Path("merged.nt").read_text()
    run("write-back", "--clean", "merged.nt", "-o", "clean.nt")
    subclass = f"<{RDFS}subClassOf> <{EX}animal> ."
    assert sorted(Path("clean.nt").read_text().splitlines()) == [f"<{EX}cat> {subclass}", f"<{EX}dog> {subclass}"]


def test_scores_are_written_beside_it() -> None:
    run("write-back", "learned.toy", "--gold", "gold.ttl", "-m", "TP_csc", "-o", "overlay.nt")
    assert "https://w3id.org/ontoeval/score/TP_csc" in Path("overlay.nt").read_text()
    assert len(oe.load_ontology("overlay.nt", imports="learned.toy").hierarchy) == 3


def test_a_format_without_triples_is_refused_where_triples_are_needed() -> None:
    result = CliRunner().invoke(
        main, ["annotate", "learned.out", "--gold", "gold.ttl", "-m", "TP_csc", "-o", "overlay.nt"]
    )
    assert result.exit_code == 1
    assert "scores are written to concepts of RDF or OWL, not outline." in result.stderr
    with pytest.raises(LoadError, match="an import must be RDF or OWL, not outline"):
        oe.load_ontology("gold.ttl", imports=["learned.out"])
    with pytest.raises(ParameterError, match="reasoning needs OWL, not outline"):
        oe.load_ontology("learned.out", reason="elk")


def test_it_can_be_imported_and_reasoned_over() -> None:
    imported = oe.load_ontology("gold.ttl", imports=["learned.toy"])
    assert set(imported.hierarchy.iris) == {EX + name for name in ("animal", "cat", "dog", "puma")}
    pytest.importorskip("pyelk")
    inferred = oe.load_ontology("learned.toy", reason="elk")
    assert {EX + name for name in ("animal", "cat", "dog")} <= set(inferred.hierarchy.iris)


@pytest.mark.parametrize("name", FORMATS_OF)
def test_it_is_validated(name: str) -> None:
    run("validate", name, "--json")
