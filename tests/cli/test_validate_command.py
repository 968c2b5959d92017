"""`ontoeval validate`, as a user meets it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import helpers
import pytest

PREFIXES = """@prefix : <http://example.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
"""
BAD = """
:a a skos:Concept ; skos:prefLabel "energy"@en, "power"@en ; skos:broader :b .
:b a skos:Concept ; skos:prefLabel "physics"@en ; skos:related :a .
:c a skos:Concept .
"""


run = partial(helpers.run, "validate")


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")  # for long paths of temporary files


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.ttl"
    path.write_text(PREFIXES + BAD, encoding="utf-8")
    return path


@pytest.mark.parametrize("engine", ["shacl", "native"])
def test_findings_are_grouped_by_rule(bad: Path, engine: str) -> None:
    result = run(bad, "--engine", engine)
    assert (result.exit_code, result.stderr) == (3, "")
    assert (
        result.stdout
        == f"""{bad} does not conform to the ontology shapes: 2 violations, 1 warning

violation S14 (1): S14: more than one skos:prefLabel in one language
  energy <http://example.org/a>

violation S27 (1): S27: skos:related to a concept that is broader, in one step or several
  energy <http://example.org/a>: physics <http://example.org/b>

warning has-label (1): a class or concept has no label
  http://example.org/c
"""
    )


def test_warnings_alone_are_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "warn.ttl"
    path.write_text(PREFIXES + "".join(f":c{i} a owl:Class .\n" for i in range(7)), encoding="utf-8")
    result = run(path, "--top", "2")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout
        == f"""{path} conforms to the ontology shapes: 7 warnings

warning has-label (7): a class or concept has no label
  http://example.org/c0
  http://example.org/c1
  … 5 more (--top 0)
"""
    )
    assert run(path, "--top", "0").stdout.endswith("  http://example.org/c5\n  http://example.org/c6\n")
    old = run(path, "--examples", "2")
    assert (old.stdout, old.stderr) == (result.stdout, "note: --examples is now --top.\n")


def test_a_file_without_findings(fixtures: Path) -> None:
    path = fixtures / "dellschaft2006" / "or1.ttl"
    result = run(path)
    assert (result.exit_code, result.stdout) == (0, f"{path} conforms to the ontology shapes: nothing found\n")


def test_json_has_everything(bad: Path) -> None:
    result = run(bad, "--json")
    assert result.exit_code == 3
    told = json.loads(result.stdout)
    assert told == json.loads(run(bad, "--format", "json").stdout)
    assert told["counts"] == {"violation": 2, "warning": 1, "info": 0}
    assert (told["conforms"], told["engine"], told["shapes"]) == (False, "shacl", "ontology")
    assert told["findings"][1] == {
        "rule": "S27",
        "severity": "violation",
        "focus": "http://example.org/a",
        "label": "energy",
        "value": "http://example.org/b",
        "message": "S27: skos:related to a concept that is broader, in one step or several",
    }


def test_findings_as_a_table_for_programs(bad: Path) -> None:
    lines = run(bad, "--format", "tsv").stdout.splitlines()
    assert lines[0].split("\t") == ["severity", "rule", "focus", "label", "value", "message"]
    assert [line.split("\t")[1] for line in lines[1:]] == ["S14", "S27", "has-label"]


def test_shapes_of_my_own(bad: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.ttl"
    mine.write_text(
        PREFIXES
        + """:Defined a sh:NodeShape ; sh:targetClass skos:Concept ;
        sh:property [ sh:path skos:definition ; sh:minCount 1 ; sh:severity sh:Info ; sh:message "no definition" ] .""",
        encoding="utf-8",
    )
    result = run(bad, "--shapes", mine, "--top", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout
        == f"""{bad} conforms to the shapes in {mine}: 3 info

info MinCount of definition (3): no definition
  energy <http://example.org/a>
  … 2 more (--top 0)
"""
    )


def test_errors_are_ours(bad: Path, tmp_path: Path) -> None:
    for arguments in ([tmp_path / "none.ttl"], [bad, "--shapes", "score"], [bad, "--shapes", bad]):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("error: ")


def test_as_many_findings_as_are_shown_leave_no_more(tmp_path: Path) -> None:
    path = tmp_path / "warn.ttl"
    path.write_text(PREFIXES + ":c0 a owl:Class . :c1 a owl:Class .", encoding="utf-8")
    assert run(path, "--top", "2").stdout.splitlines()[-2:] == [
        "  http://example.org/c0",
        "  http://example.org/c1",
    ]
    assert run(path, "--top", "1").stdout.splitlines()[-1] == "  … 1 more (--top 0)"
