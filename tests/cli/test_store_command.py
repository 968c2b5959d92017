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


def test_list(place: Path) -> None:
    ids = [info.id for info in Store(place).runs()]
    lines = run("list", place, "--format", "tsv").stdout.splitlines()
    assert lines[0] == "run\tstarted\tsystem\ttask\tscores\tmatched by"
    assert lines[1].startswith(f"{ids[0]}\t2026-11-04T09:00:00Z\toc4\tcomparison\t")
    assert [entry["id"] for entry in json.loads(run("list", place, "--json").stdout)["runs"]] == ids
    assert ids[1] in run("list", place).stdout


def test_show_is_the_table_of_compare(place: Path) -> None:
    lines = [line.split() for line in run("show", place).stdout.splitlines() if line.strip()]
    assert lines[0] == ["Compared", "with", "or2.ttl", "(*", "is", "best)"]
    assert lines[1] == ["LF", "TP_csc", "TF_csc"]
    assert lines[3:] == [["oc4.ttl", "1.000", "0.524", "0.524"], ["oc5.ttl", "1.000", "0.762*", "0.762*"]]
    first = Store(place).runs()[0]
    one = run("show", place, first.id[:6], "--worst", "1").stdout
    assert "oc4.ttl: worst concepts" in one.splitlines()
    assert "oc5" not in one
    entry = json.loads(run("show", place, first.id, "--worst", "2", "--json").stdout)["results"][0]
    assert (entry["system"], entry["scores"]["LF"], len(entry["worst"]["TP_csc"])) == ("oc4", 1.0, 2)
    assert run("show", place, "--format", "csv", "--worst", "1").exit_code == 0


def test_delete_asks_or_wants_yes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Store(place).runs()
    result = run("delete", place, first.id)
    assert (result.exit_code, result.stderr) == (
        1, f"error: nobody can be asked whether to delete {first.id}. Give --yes.\n",
    )  # fmt: skip
    result = run("delete", place, first.id[:8], "--yes")
    assert (result.exit_code, result.stderr) == (0, f"deleted {first.id} (oc4, 2026-11-04T09:00:00Z)\n")
    assert Store(place).runs() == [second]
    result = run("delete", place, first.id, "--yes")
    assert result.stderr == f"error: {place}: no run {first.id!r}. Runs: {second.id[:8]} (oc5).\n"


def test_export_and_import(place: Path, tmp_path: Path) -> None:
    for name in ("x.trig", "x.nq"):
        result = run("export", place, tmp_path / name)
        assert (result.exit_code, result.stderr) == (0, f"{tmp_path}/{name}: 2 evaluations\n")
        other = tmp_path / f"of-{name}"
        result = run("import", other, tmp_path / name)
        assert (result.exit_code, result.stderr) == (0, f"{tmp_path}/{name}: 2 evaluations\n")
        assert Store(other).runs() == Store(place).runs()
    assert run("list", tmp_path / "x.trig").stdout == run("list", place).stdout


def test_import_of_an_ontology(place: Path, fixtures: Path) -> None:
    file = fixtures / "dellschaft2006" / "oc5.ttl"
    result = run("import", place, file)
    graph = f"https://w3id.org/ontoeval/input/{(oe.load_ontology(file).source.sha256 or '')[:32]}"
    assert (result.exit_code, result.stderr) == (0, f"{file}: the ontology is in the graph {graph}\n")
    assert [row["ontology"] for row in Store(place).query("below", threshold=0.6)] == ["oc5.ttl", "oc5.ttl"]
    assert len(Store(place).runs()) == 2


def test_what_cannot_be_done(place: Path, tmp_path: Path) -> None:
    write_scores(Store(place).read(), tmp_path / "x.trig")
    (tmp_path / "empty.trig").write_text("<http://a> <http://b> <http://c> .")
    cases = [
        (("list", tmp_path / "no"), f"{tmp_path}/no: no such store. Make one with `ontoeval compare ... --store "
                                    f"{tmp_path}/no`."),
        (("delete", tmp_path / "x.trig", "1"), f"{tmp_path}/x.trig: this is a file and no store. Give a folder or a URL."),
        (("export", place, tmp_path / "x.csv"), f"{tmp_path}/x.csv: unknown format. Use a name that ends in .trig or "
                                                ".nq."),
        (("export", place, tmp_path / "no" / "x.nq"), f"{tmp_path}/no/x.nq: its directory does not exist; choose "
                                                      "another path."),
        (("import", place, tmp_path / "empty.trig"), f"{tmp_path}/empty.trig: no runs found. Use a file written by "
                                                     "`-o`."),
    ]  # fmt: skip
    for arguments, message in cases:
        result = run(*arguments)
        assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {message}\n")
