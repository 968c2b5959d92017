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
from ontoeval.rdf.store.queries import named_queries

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
    assert "trend: How a measure has changed: its value in every run, system by system, the oldest first." in lines
    assert "    measure=TF_csc: the measure" in lines
    assert "    second (required): the other system" in lines
    names = [entry["name"] for entry in json.loads(run("--list", "--json").stdout)["queries"]]
    assert names == [line.split(":")[0] for line in lines if not line.startswith(" ")]
    assert run("--list", "--format", "markdown").stdout.startswith("| name | what it answers | parameters |\n")


def in_a_window(width: int, *arguments: object) -> str:
    result = run(*arguments, environment={"COLUMNS": str(width)})
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_a_table_has_short_ids_minutes_and_no_constant_or_empty_column(store: Path) -> None:
    first, second = (info.id[:8] for info in Store(store).runs())
    for width in (60, 80, 200):
        assert (
            in_a_window(width, store, "trend")
            == f"""\
TF_csc of 2 runs against or2.ttl
  system  started           run       value
  oc4     2026-11-04 09:00  {first}  0.524
  oc5     2026-11-05 09:00  {second}  0.762
"""
        )
    assert (
        in_a_window(80, store, "worst-concepts", "-p", "run=latest", "-p", "count=2")
        == f"""\
worst-concepts by TP_csc of run {second} (oc5): 2 rows
  concept  value
  BMX      0.500
  coupé    0.500
"""
    )
    assert in_a_window(80, store, "two-systems", "-p", "first=oc4", "-p", "second=oc5").startswith(
        "two-systems of oc4 and oc5: 3 rows against or2.ttl\n"
    )
    both = in_a_window(80, store, "SELECT ?g ?s ?n { GRAPH ?g { ?g oe:system ?s } } ORDER BY ?s")
    assert both == f"2 rows\n  g         s\n  {first}  oc4\n  {second}  oc5\n"


def test_one_run_has_its_columns_and_the_gold_standard_in_the_title(store: Path, tmp_path: Path) -> None:
    (first, _) = Store(store).read()
    Store(tmp_path / "one").write(first)
    assert (
        in_a_window(80, tmp_path / "one", "trend")
        == f"""\
TF_csc of 1 run against or2.ttl
  system  started           run       value
  oc4     2026-11-04 09:00  {Store(store).runs()[0].id[:8]}  0.524
"""
    )


def test_runs_are_named_by_id_system_or_time(store: Path) -> None:
    first, second = Store(store).runs()
    rows = [
        run(store, "worst-concepts", "-p", f"run={name}", "--format", "csv").stdout
        for name in (first.id[:6], first.run, "oc4", "first", "previous")
    ]
    assert len(set(rows)) == 1
    assert run(store, "worst-concepts", "--format", "csv").stdout not in rows  # latest
    result = run(store, "worst-concepts", "-p", "run=f0f0f0")
    assert result.stderr == f"error: {store}: no run 'f0f0f0'. Runs: {first.id[:8]} (oc4), {second.id[:8]} (oc5).\n"


def test_the_store_may_come_from_the_environment(store: Path) -> None:
    environment = {"ONTOEVAL_STORE": str(store)}
    assert run("trend", environment=environment).stdout == run(store, "trend").stdout
    assert run(store, "trend", environment={"ONTOEVAL_STORE": "nowhere"}).stdout == run(store, "trend").stdout
    assert run("trend", environment={"ONTOEVAL_STORE": "nowhere"}).stderr.startswith("error: nowhere: ")
    wrong = run("scores", environment=environment)
    assert (wrong.exit_code, wrong.stderr[:34]) == (1, "error: unknown query 'scores'. Use")
    unset = run("trend", environment={"ONTOEVAL_STORE": ""})
    assert (unset.exit_code, unset.stderr.splitlines()[0]) == (
        2, "error: expected a store and a query (--list shows names). Name both, or set ONTOEVAL_STORE.",
    )  # fmt: skip


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
    found = helpers.body(json.loads(run(store, "trend", "-p", "measure=LF", "--json").stdout))
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
    assert helpers.body(json.loads(run(store, "ASK {}", "--json").stdout)) == {"answer": True}
    made = run(store, "CONSTRUCT { oe:x rdfs:label ?s } WHERE { GRAPH ?g { ?g oe:system ?s } }")
    assert 'oe:x rdfs:label "oc4" , "oc5" .' in " ".join(made.stdout.split())
    table = run(store, "CONSTRUCT { oe:x rdfs:label ?s } WHERE { GRAPH ?g { ?g oe:system ?s } }", "--format", "csv")
    assert table.stdout.splitlines()[0] == "subject,predicate,object"


def test_no_rows_are_said(store: Path) -> None:
    result = run(store, "two-systems", "-p", "first=oc4", "-p", "second=nobody")
    assert (result.exit_code, result.stderr) == (0, "note: no rows\n")
    assert run(store, "two-systems", "-p", "first=oc4", "-p", "second=nobody", "--format", "csv", "-q").stderr == ""


def test_a_file_is_asked_like_a_store(store: Path, tmp_path: Path) -> None:
    Store(store).export(tmp_path / "x.nq")
    assert run(tmp_path / "x.nq", "trend").stdout == run(store, "trend").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trand"], f"unknown query 'trand'. Did you mean 'trend'? Use one of: {', '.join(named_queries())}."),
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
    assert result.stderr == (
        f"error: {store}: the query was stopped after 0.5 s. Narrow the query, or increase --timeout.\n"
    )
    assert result.exit_code == 1


def test_wrong_usage_is_exit_code_2(store: Path) -> None:
    for arguments in ([store], [store, "trend", "-p", "measure"], [store, "trend", "--timeout", "0"]):
        assert run(*arguments).exit_code == 2
