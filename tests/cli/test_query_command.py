"""`ontoeval query` from the outside."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import helpers
import pytest

import ontoeval as oe
from ontoeval.rdf.store import Store

run = partial(helpers.run, "query")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(__file__).resolve().parents[2] / "fixtures" / "dellschaft2006"
    place = tmp_path_factory.mktemp("query") / "scores"
    gold = oe.load_ontology(folder / "or2.ttl")
    for i in (4, 5):
        result = oe.evaluate(oe.Comparison(oe.load_ontology(folder / f"oc{i}.ttl"), gold), ["LF", "TP_csc", "TF_csc"])
        Store(place).write(replace(result, started=f"2026-11-0{i}T09:00:00Z"))
    return place


def test_the_list_has_every_query_with_its_parameters() -> None:
    result = run("--list")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert "trend: How a measure developed: its value in every run, system by system, the oldest first." in lines
    assert "    measure=TF_csc: the measure" in lines
    assert "    second (must be given): the other system" in lines
    names = [entry["name"] for entry in json.loads(run("--list", "--json").stdout)["queries"]]
    assert names == [line.split(":")[0] for line in lines if not line.startswith(" ")]
    assert run("--list", "--format", "markdown").stdout.startswith("| name | what it answers | parameters |\n")


def test_a_table_shows_runs_by_their_ids(store: Path) -> None:
    result = run(store, "trend")
    assert (result.exit_code, result.stderr) == (0, "")
    ids = [info.id for info in Store(store).runs()]
    head, _, *rows = [line.split() for line in result.stdout.splitlines() if line.strip()]
    assert head == ["system", "started", "run", "gold", "value", "undefined"]
    assert [row[:5] for row in rows] == [
        ["oc4", "2026-11-04T09:00:00Z", ids[0], "or2.ttl", "0.524"],
        ["oc5", "2026-11-05T09:00:00Z", ids[1], "or2.ttl", "0.762"],
    ]


def test_other_layouts_have_the_whole_values(store: Path) -> None:
    runs = [info.run for info in Store(store).runs()]
    rows: list[dict[str, Any]] = [
        {
            "system": "oc4",
            "started": "2026-11-04T09:00:00Z",
            "run": runs[0],
            "gold": "or2.ttl",
            "value": 1.0,
            "undefined": None,
        },
        {
            "system": "oc5",
            "started": "2026-11-05T09:00:00Z",
            "run": runs[1],
            "gold": "or2.ttl",
            "value": 1.0,
            "undefined": None,
        },
    ]
    found = json.loads(run(store, "trend", "-p", "measure=LF", "--json").stdout)
    assert found == {"columns": list(rows[0]), "rows": rows}
    for layout, mark in (("csv", ","), ("tsv", "\t")):
        text = run(store, "trend", "--param", "measure=LF", "--format", layout).stdout
        read = list(csv.DictReader(io.StringIO(text), delimiter=mark))
        assert read == [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]
    assert run(store, "trend", "--format", "markdown").stdout.startswith(
        "| system | started | run | gold | value | undefined |\n"
    )


def test_text_file_and_stdin(store: Path, tmp_path: Path) -> None:
    text = "SELECT ?s { GRAPH ?g { ?g oe:system ?s } } ORDER BY ?s"
    (tmp_path / "q.rq").write_text(text)
    for result in (run(store, text, "--format", "tsv"), run(store, tmp_path / "q.rq", "--format", "tsv"),
                   run(store, "-", "--format", "tsv", stdin=text)):  # fmt: skip
        assert (result.exit_code, result.stdout, result.stderr) == (0, "s\noc4\noc5\n", "")


def test_ask_construct_and_describe(store: Path) -> None:
    assert run(store, "ASK { GRAPH ?g { ?g a oe:Evaluation } }").stdout == "yes\n"
    assert run(store, "ASK { FILTER(false) }", "--format", "csv").stdout == "false\n"
    assert json.loads(run(store, "ASK {}", "--json").stdout) == {"answer": True}
    made = run(store, "CONSTRUCT { oe:x rdfs:label ?s } WHERE { GRAPH ?g { ?g oe:system ?s } }")
    assert 'oe:x rdfs:label "oc4" , "oc5" .' in " ".join(made.stdout.split())
    table = run(store, "CONSTRUCT { oe:x rdfs:label ?s } WHERE { GRAPH ?g { ?g oe:system ?s } }", "--format", "csv")
    assert table.stdout.splitlines()[0] == "subject,predicate,object"


def test_no_rows_are_said(store: Path) -> None:
    result = run(store, "two-systems", "-p", "first=oc4", "-p", "second=nobody")
    assert (result.exit_code, result.stderr) == (0, "no rows\n")
    assert run(store, "two-systems", "-p", "first=oc4", "-p", "second=nobody", "--format", "csv").stderr == ""


def test_a_file_is_asked_like_a_store(store: Path, tmp_path: Path) -> None:
    Store(store).export(tmp_path / "x.nq")
    assert run(tmp_path / "x.nq", "trend").stdout == run(store, "trend").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trand"], "unknown query 'trand'. Did you mean 'trend'? See `ontoeval query --list`."),
        (["trend", "-p", "measure=TF_cs"], "unknown measure 'TF_cs'. Did you mean 'TF_csc' or 'TF_sc'? See "
                                           "`ontoeval measures`."),
        (["SELECT * { ?s nix:a ?o }"], "the query is not valid at line 1, column 20 (near 'SELECT * { ?s nix:a ?o "
                                       "}'): the prefix nix: is not declared."),
        (["DROP ALL"], "DROP is an update, but queries only read. Use a SELECT, ASK, CONSTRUCT or DESCRIBE query; "
                       "`ontoeval store` adds and deletes runs."),
        (["SELECT * { SERVICE <http://x> {} }"], "SERVICE queries another server, which is not allowed. Import the "
                                                 "data with `ontoeval store import`."),
        (["two-systems", "-p", "first=oc4"], "the query two-systems needs second (the other system). Use --param "
                                             "second=VALUE."),
        (["SELEKT * {}"], "not a query (starts 'selekt'). Use a SELECT, ASK, CONSTRUCT or DESCRIBE query, a file "
                          "that ends in .rq, or a name from `ontoeval query --list`."),
        (["trend", "--format", "ttl"], "only CONSTRUCT and DESCRIBE return triples. Use a format other than ttl."),
    ],
)  # fmt: skip
def test_errors_are_one_line_and_exit_code_1(arguments: list[str], message: str, store: Path) -> None:
    result = run(store, *arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {message}\n")


def test_the_time_limit(store: Path) -> None:
    cross = " ".join(f"GRAPH ?g{i} {{ ?a{i} ?b{i} ?c{i} }}" for i in range(6))
    result = run(store, f"SELECT (COUNT(*) AS ?n) {{ {cross} }}", "--timeout", "0.5")
    assert result.stderr == (f"error: {store}: the query was stopped after 0.5 s. Query less, or increase --timeout.\n")
    assert result.exit_code == 1


def test_wrong_usage_is_exit_code_2(store: Path) -> None:
    for arguments in ([store], [store, "trend", "-p", "measure"], [store, "trend", "--timeout", "0"]):
        assert run(*arguments).exit_code == 2
