# ruff: noqa: E501 - whole messages stand in one line
"""`ontoeval store` from the outside."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import helpers
import pytest

import ontoeval as oe
from ontoeval.rdf.store import Store, write_scores

run = partial(helpers.run, "store")


@pytest.fixture
def place(tmp_path: Path, fixtures: Path) -> Path:
    folder = fixtures / "dellschaft2006"
    gold = oe.load_ontology(folder / "or2.ttl")
    found = tmp_path / "scores"
    for i in (4, 5):
        result = oe.evaluate(oe.Comparison(oe.load_ontology(folder / f"oc{i}.ttl"), gold), ["LF", "TP_csc", "TF_csc"])
        Store(found).write(replace(result, started=f"2026-11-0{i}T09:00:00Z"))
    return found


def test_list(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.parent)
    ids = [info.id for info in Store(place).runs()]
    lines = run("list", place, "--format", "tsv").stdout.splitlines()
    assert lines[0] == "run\tstarted\tsystem\ttask\tscores\tmatched by"
    assert lines[1].startswith(f"{ids[0]}\t2026-11-04T09:00:00Z\toc4\tcomparison\t")
    assert [entry["id"] for entry in json.loads(run("list", place, "--json").stdout)["runs"]] == ids
    for width in (60, 80, 200):
        assert (
            run("list", place.name, environment={"COLUMNS": str(width)}).stdout
            == f"""\
2 runs in scores (task comparison, matched by iri,label)
  run       started           system  scores
  {ids[0][:8]}  2026-11-04 09:00  oc4         10
  {ids[1][:8]}  2026-11-05 09:00  oc5         10
"""
        )


def test_show_is_the_table_of_compare(place: Path) -> None:
    lines = [line.split() for line in run("show", place).stdout.splitlines() if line.strip()]
    assert lines[0] == ["2", "runs", "against", "or2.ttl", "(*", "best)"]
    assert lines[1] == ["LF", "TP_csc", "TF_csc"]
    assert lines[2:] == [["oc4", "1.000", "0.524", "0.524"], ["oc5", "1.000", "0.762*", "0.762*"]]
    first = Store(place).runs()[0]
    one = run("show", place, first.id[:6], "--worst", "1").stdout
    assert "oc4.ttl: lowest scores" in one.splitlines()
    assert "oc5" not in one
    entry = json.loads(run("show", place, first.id, "--worst", "2", "--json").stdout)["results"][0]
    assert (entry["system"], entry["scores"]["LF"], len(entry["worst"]["TP_csc"])) == ("oc4", 1.0, 2)
    assert run("show", place, "--format", "csv", "--worst", "1").exit_code == 0


def test_delete_asks_or_wants_yes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Store(place).runs()
    result = run("delete", place, first.id)
    assert (result.exit_code, result.stderr) == (
        1, f"error: stdin is not a terminal: pass --yes to delete {first.id}.\n",
    )  # fmt: skip
    result = run("delete", place, first.id[:8], "--yes")
    assert (result.exit_code, result.stderr) == (0, f"note: deleted {first.id} (oc4, 2026-11-04T09:00:00Z)\n")
    assert Store(place).runs() == [second]
    result = run("delete", place, first.id, "--yes")
    assert result.stderr == f"error: {place}: no run {first.id!r}. Runs: {second.id[:8]} (oc5).\n"


def test_runs_are_named_by_id_system_or_latest(place: Path) -> None:
    first, _ = Store(place).runs()
    for name in (first.id[:6], "oc4", "first", "previous"):
        assert run("show", place, name, "--format", "csv").stdout.splitlines()[1].startswith("oc4.ttl,")
    assert run("show", place, "latest", "--format", "csv").stdout.splitlines()[1].startswith("oc5.ttl,")
    Store(place).write(
        replace(Store(place).read("oc5")[0], system="oc4", started="2026-11-06T09:00:00Z")
    )  # replaces oc5
    third = Store(place).runs()[-1]
    assert len(run("show", place, "oc4", "--format", "csv").stdout.splitlines()) == 3  # all of a system
    refused = run("delete", place, "oc4", "--yes")  # but one run is deleted at a time
    runs = f"{first.id[:8]} (oc4), {third.id[:8]} (oc4)"
    assert refused.stderr == f"error: {place}: 2 runs are called 'oc4'. Runs: {runs}.\n"
    assert run("delete", place, "latest", "--yes").exit_code == 0
    assert Store(place).runs() == [first]


def test_the_store_may_come_from_the_environment(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [run("list", place).stdout, run("show", place).stdout, run("show", place, "latest").stdout]
    monkeypatch.setenv("ONTOEVAL_STORE", str(place))
    assert [run("list").stdout, run("show").stdout, run("show", "latest").stdout] == expected
    assert run("show", place, "latest").stdout == expected[2]
    assert run("export", tmp_path / "x.trig").exit_code == 0
    assert run("delete", "latest", "--yes").exit_code == 0
    assert len(Store(place).runs()) == 1
    assert run("import", tmp_path / "x.trig").stderr == f"note: {tmp_path}/x.trig: 2 runs\n"
    assert len(Store(place).runs()) == 2
    assert run("import", tmp_path / "new", tmp_path / "x.trig").exit_code == 0  # a store that is made
    assert len(Store(tmp_path / "new").runs()) == 2
    assert run("export", "-q").stderr.startswith("error: no file. Name one.\n")
    monkeypatch.delenv("ONTOEVAL_STORE")
    assert run("list").stderr.startswith("error: no store. Name one, or set ONTOEVAL_STORE.\n")
    assert run("delete", "latest").stderr.startswith(
        "error: expected a store and a run. Name both, or set ONTOEVAL_STORE.\n"
    )


def test_export_and_import(place: Path, tmp_path: Path) -> None:
    for name in ("x.trig", "x.nq"):
        result = run("export", place, tmp_path / name)
        assert (result.exit_code, result.stderr) == (0, f"note: {tmp_path}/{name}: 2 runs\n")
        other = tmp_path / f"of-{name}"
        result = run("import", other, tmp_path / name)
        assert (result.exit_code, result.stderr) == (0, f"note: {tmp_path}/{name}: 2 runs\n")
        assert Store(other).runs() == Store(place).runs()
    assert run("list", tmp_path / "x.trig", "--json").stdout == run("list", place, "--json").stdout


def test_import_of_an_ontology(place: Path, fixtures: Path) -> None:
    file = fixtures / "dellschaft2006" / "oc5.ttl"
    result = run("import", place, file)
    graph = f"https://w3id.org/ontoeval/input/{(oe.load_ontology(file).source.sha256 or '')[:32]}"
    assert (result.exit_code, result.stderr) == (0, f"note: {file}: ontology added as graph {graph}\n")
    assert [row["ontology"] for row in Store(place).query("below", threshold=0.6)] == ["oc5.ttl", "oc5.ttl"]
    assert len(Store(place).runs()) == 2


def test_what_cannot_be_done(place: Path, tmp_path: Path) -> None:
    write_scores(Store(place).read(), tmp_path / "x.trig")
    (tmp_path / "empty.trig").write_text("<http://a> <http://b> <http://c> .")
    cases = [
        (("list", tmp_path / "no"), f"{tmp_path}/no: no such store. Make one with `ontoeval compare ... --store {tmp_path}/no`."),
        (("delete", tmp_path / "x.trig", "1"), f"{tmp_path}/x.trig: is a file, not a store. Use a directory or the URL of a SPARQL endpoint."),
        (("export", place, tmp_path / "x.csv"), f"{tmp_path}/x.csv: unknown suffix '.csv'. Use one of: .trig .nq."),
        (("export", place, tmp_path / "no" / "x.nq"), f"{tmp_path}/no/x.nq: its directory does not exist; choose another path."),
        (("import", place, tmp_path / "empty.trig"), f"{tmp_path}/empty.trig: no runs found. Use a file written by `-o`."),
    ]  # fmt: skip
    for arguments, message in cases:
        result = run(*arguments)
        assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {message}\n")
