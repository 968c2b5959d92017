"""Stores behind real servers: Oxigraph, and Virtuoso where it is installed."""

from __future__ import annotations

import base64
import math
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pyoxigraph as ox
import pytest
from servers import Answer, Gate, Oxigraph, Request, Rule, Server, Virtuoso, free_port

import ontoeval as oe
from ontoeval.analysis.significance import confidence
from ontoeval.errors import OntoevalError, ParameterError, StoreError, UnknownRunError
from ontoeval.rdf.store.backends import Memory
from ontoeval.rdf.store.endpoint import Endpoint, places, public_url
from ontoeval.rdf.store.result_graph import result_triples, run_iri
from ontoeval.rdf.store.store import Store
from ontoeval.results import EvaluationResult

pytestmark = pytest.mark.slow  # servers start

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
GRAPH = ox.NamedNode("urn:test:graph")
P = ox.NamedNode("urn:test:p")
T = TypeVar("T", bound=Server)
XSD = "http://www.w3.org/2001/XMLSchema#"

needs_oxigraph = pytest.mark.skipif(
    Oxigraph.program() is None, reason="the Oxigraph server is not installed (pip install oxigraph)"
)
needs_virtuoso = pytest.mark.skipif(
    Virtuoso.program() is None, reason="Virtuoso is not installed (apt-get install virtuoso-opensource-7)"
)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ONTOEVAL_SPARQL_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oxigraph]:
    yield from running(Oxigraph(tmp_path_factory.mktemp("oxigraph")))


@pytest.fixture(scope="module")
def virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Virtuoso]:
    yield from running(Virtuoso(tmp_path_factory.mktemp("virtuoso"), rows=4_000))


def running(server: T) -> Iterator[T]:
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture(
    params=[
        pytest.param("oxigraph", marks=needs_oxigraph),
        pytest.param("virtuoso", marks=[needs_virtuoso, pytest.mark.slow]),
    ]
)
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server that holds nothing of ours, and its credentials."""
    found: Server = request.getfixturevalue(request.param)
    if isinstance(found, Virtuoso):
        monkeypatch.setenv("ONTOEVAL_SPARQL_USER", found.user)
        monkeypatch.setenv("ONTOEVAL_SPARQL_PASSWORD", found.password)
    empty(found.url)
    return found


@pytest.fixture
def gate(oxigraph: Oxigraph) -> Iterator[Callable[[Rule], Gate]]:
    """A server before the Oxigraph server, with a rule of its own."""
    empty(oxigraph.url)
    opened: list[Gate] = []

    def make(rule: Rule) -> Gate:
        opened.append(Gate(oxigraph.base, rule))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def empty(url: str) -> None:
    endpoint = Endpoint(url)
    for graph in endpoint.graphs():
        if graph.value.startswith(("urn:test:", "https://w3id.org/ontoeval/")):
            endpoint.drop(graph)


def ours(endpoint: Endpoint) -> list[str]:
    """The graphs that we made; Virtuoso has some of its own."""
    return [graph.value for graph in endpoint.graphs() if graph.value.startswith("urn:test:")]


def some(number: int, tag: str = "a") -> list[ox.Triple]:
    return [ox.Triple(ox.NamedNode(f"urn:test:s{i}"), P, ox.Literal(f"{tag} {i}")) for i in range(number)]


@pytest.fixture(scope="module")
def results() -> list[EvaluationResult]:
    folder = FIXTURES / "dellschaft2006"
    gold = oe.load_ontology(folder / "or2.ttl")
    return [
        confidence(oe.evaluate(oe.Comparison(oe.load_ontology(folder / f"{name}.ttl"), gold)))
        for name in ("oc4", "oc5")
    ]


def close(found: Any, expected: Any) -> bool:
    """The same, numbers to 12 digits: Virtuoso gives back 15 of the 17."""
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(close(found[key], expected[key]) for key in expected)
    if isinstance(expected, list | tuple):
        return len(found) == len(expected) and all(map(close, found, expected))
    if isinstance(expected, float):
        return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12) or (
            math.isnan(found) and math.isnan(expected)
        )
    return bool(found == expected)


def in_memory(results: list[EvaluationResult]) -> list[EvaluationResult]:
    store = Store(Memory("memory"))
    store.write(results)
    return store.read()


def locals_of(result: EvaluationResult) -> dict[str, Any]:
    return {s.name: [tuple(one) for one in s.local.worst(1_000)] for s in result.scores if s.local is not None}


# Store on both servers


def test_evaluations_come_back_as_they_were(server: Server, results: list[EvaluationResult]) -> None:
    store = Store(server.url)
    store.write(results)
    found = store.read()
    for one, original, local in zip(found, results, in_memory(results), strict=True):
        assert close(one.to_dict(), local.to_dict())
        assert close(one.to_dict()["scores"], original.to_dict()["scores"])
        assert close(locals_of(one), locals_of(local))
        assert locals_of(one)
        assert one.key == original.key
    assert [info.system for info in store.runs()] == ["oc4", "oc5"]
    assert [one.version for one in found] == [one.version for one in results]


def test_the_same_evaluation_again_replaces_itself(server: Server, results: list[EvaluationResult]) -> None:
    store = Store(server.url)
    store.write(results)
    before = sum(1 for _ in store.backend.triples(run_iri(results[0])))
    store.write(results[0])
    assert len(store.runs()) == 2
    assert sum(1 for _ in store.backend.triples(run_iri(results[0]))) == before
    store.write(results[0], local=False)
    assert sum(1 for _ in store.backend.triples(run_iri(results[0]))) < before
    assert not locals_of(store.read(store.runs()[0].id)[0])


def test_evaluations_are_found_and_deleted(server: Server, results: list[EvaluationResult]) -> None:
    store = Store(server.url)
    store.write(results)
    run = run_iri(results[1]).value
    assert store.find(run).system == "oc5"
    assert store.find(results[1].key[:8]).run == run
    with pytest.raises(UnknownRunError, match="no run 'zzz'"):
        store.find("zzz")
    store.delete(run)
    assert [info.system for info in store.runs()] == ["oc4"]
    assert list(store.backend.triples(ox.NamedNode(run))) == []


def test_evaluations_travel_by_file(server: Server, results: list[EvaluationResult], tmp_path: Path) -> None:
    store = Store(server.url)
    store.write(results)
    assert store.export(tmp_path / "all.trig") == 2
    empty(server.url)
    assert store.runs() == []
    assert store.load(tmp_path / "all.trig") == 2
    assert all(map(close, (r.to_dict() for r in store.read()), (r.to_dict() for r in in_memory(results))))
    assert all(map(close, (r.to_dict() for r in oe_read(server.url)), (r.to_dict() for r in in_memory(results))))


def oe_read(url: str) -> list[EvaluationResult]:
    from ontoeval.rdf.store import read_scores

    return read_scores(url)


def test_a_query_joins_evaluations(server: Server, results: list[EvaluationResult]) -> None:
    store = Store(server.url)
    store.write(results)
    rows = store.backend.select(
        "PREFIX oe: <https://w3id.org/ontoeval/> PREFIX dqv: <http://www.w3.org/ns/dqv#>"
        "SELECT ?system (STR(?number) AS ?value) WHERE { GRAPH ?run { ?run oe:system ?system . ?m a oe:RunScore ;"
        " dqv:isMeasurementOf oe:TP_csc ; dqv:value ?number } } ORDER BY ?system"
    )
    assert [row["system"].value for row in rows] == ["oc4", "oc5"]
    assert close([float(row["value"].value) for row in rows], [float(r["TP_csc"].value) for r in results])


# Endpoint on both servers


def test_graphs_are_put_replaced_added_to_listed_and_dropped(server: Server) -> None:
    endpoint = Endpoint(server.url)
    other = ox.NamedNode("urn:test:other/with?odd&name#é")
    endpoint.put(GRAPH, iter(some(3)))
    endpoint.put(other, some(1))
    assert ours(endpoint) == [GRAPH.value, other.value]
    endpoint.put(GRAPH, some(2, "b"))
    assert set(endpoint.triples(GRAPH)) == set(some(2, "b"))
    endpoint.add(GRAPH, some(3))
    endpoint.add(GRAPH, some(3))
    endpoint.add(GRAPH, [])
    assert set(endpoint.triples(GRAPH)) == {*some(2, "b"), *some(3)}
    endpoint.drop(GRAPH)
    endpoint.drop(GRAPH)
    assert list(endpoint.triples(GRAPH)) == []
    assert ours(endpoint) == [other.value]
    assert list(endpoint.triples(other)) == some(1)
    endpoint.put(other, [])
    assert list(endpoint.triples(other)) == []


def test_every_kind_of_term_comes_back(server: Server) -> None:
    endpoint = Endpoint(server.url)
    s = ox.NamedNode("urn:test:s")
    objects = [
        ox.NamedNode("http://example.org/a?b=c&d#é"),
        ox.Literal('quotes " and \\ and\nlines\tand é 😀'),
        ox.Literal("Grüße", language="de"),
        ox.Literal("5", datatype=ox.NamedNode(f"{XSD}integer")),
        ox.Literal("2026-11-16T10:27:18Z", datatype=ox.NamedNode(f"{XSD}dateTime")),
        ox.Literal('{"a": "b\\n"}', datatype=ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON")),
    ]
    triples = {ox.Triple(s, P, o) for o in objects}
    endpoint.put(GRAPH, triples)
    assert set(endpoint.triples(GRAPH)) == triples
    rows = endpoint.select(f"SELECT ?s ?o ?none WHERE {{ GRAPH {GRAPH} {{ ?s {P} ?o }} }}")
    assert {row["o"] for row in rows} == set(objects)
    assert {(row["s"], row["none"]) for row in rows} == {(s, None)}


def test_an_undefined_and_a_small_number_keep_their_type(server: Server) -> None:
    endpoint = Endpoint(server.url)
    double = ox.NamedNode(f"{XSD}double")
    numbers = [0.1 + 0.2, 1 / 3, 1.0, 0.0, 1e-300, 12345678.9]
    endpoint.put(GRAPH, [ox.Triple(ox.NamedNode(f"urn:test:{i}"), P, ox.Literal(n)) for i, n in enumerate(numbers)])
    found = sorted(endpoint.triples(GRAPH), key=lambda triple: triple.subject.value)
    assert [triple.object.datatype for triple in found] == [double] * len(numbers)
    for triple, number in zip(found, numbers, strict=True):
        assert math.isclose(float(triple.object.value), number, rel_tol=1e-12)


def test_a_source_that_breaks_changes_nothing(server: Server) -> None:
    def broken() -> Iterator[ox.Triple]:
        yield from some(2, "new")
        raise RuntimeError("the source broke")

    endpoint = Endpoint(server.url)
    endpoint.put(GRAPH, some(2))
    with pytest.raises(RuntimeError, match="the source broke"):
        endpoint.put(GRAPH, broken())
    assert set(endpoint.triples(GRAPH)) == set(some(2))
    assert ours(endpoint) == [GRAPH.value]


def test_a_wrong_query_is_refused_with_the_words_of_the_server(server: Server) -> None:
    with pytest.raises(StoreError, match=r"the server answered 400 .*: .*Check the query"):
        Endpoint(server.url).select("SELECT nonsense")


@needs_virtuoso
@pytest.mark.parametrize("password", ["wrong-and-secret", ""])
def test_wrong_credentials(virtuoso: Virtuoso, monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    monkeypatch.setenv("ONTOEVAL_SPARQL_USER", "dba")
    monkeypatch.setenv("ONTOEVAL_SPARQL_PASSWORD", password)
    endpoint = Endpoint(virtuoso.url)
    words = r"sparql-graph-crud-auth: the server answered 401 .*Check ONTOEVAL_SPARQL_USER and ONTOEVAL_SPARQL_PASSWORD"
    for attempt in (
        lambda: endpoint.put(GRAPH, some(2)),
        lambda: endpoint.add(GRAPH, some(2)),
        lambda: endpoint.drop(GRAPH),
    ):
        with pytest.raises(StoreError, match=words) as caught:
            attempt()
        assert "secret" not in str(caught.value)
    with pytest.raises(StoreError, match=r"/sparql-auth: the server answered 401"):
        Endpoint(f"{virtuoso.url}|sparql-auth").put(GRAPH, some(2))


@needs_virtuoso
def test_without_credentials_virtuoso_is_read_but_not_written(
    virtuoso: Virtuoso, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONTOEVAL_SPARQL_USER", virtuoso.user)
    monkeypatch.setenv("ONTOEVAL_SPARQL_PASSWORD", virtuoso.password)
    empty(virtuoso.url)
    Endpoint(virtuoso.url).put(GRAPH, some(2))
    monkeypatch.delenv("ONTOEVAL_SPARQL_USER")
    monkeypatch.delenv("ONTOEVAL_SPARQL_PASSWORD")
    endpoint = Endpoint(virtuoso.url)
    assert set(endpoint.triples(GRAPH)) == set(some(2))
    with pytest.raises(StoreError, match=r"answered 401 .*Set ONTOEVAL_SPARQL_USER and ONTOEVAL_SPARQL_PASSWORD"):
        endpoint.put(GRAPH, some(2))


@needs_virtuoso
def test_a_row_limit_of_the_server_is_noticed(virtuoso: Virtuoso, monkeypatch: pytest.MonkeyPatch) -> None:
    """Virtuoso cuts graphs and tables off and says 200."""
    monkeypatch.setenv("ONTOEVAL_SPARQL_USER", virtuoso.user)
    monkeypatch.setenv("ONTOEVAL_SPARQL_PASSWORD", virtuoso.password)
    empty(virtuoso.url)
    endpoint = Endpoint(virtuoso.url)
    endpoint.put(GRAPH, some(5_000))
    with pytest.raises(StoreError, match="truncated its answer to 4,000 rows, its limit"):
        list(endpoint.triples(GRAPH))
    with pytest.raises(StoreError, match="truncated its answer to 4,000 rows, its limit"):
        list(Endpoint(f"{virtuoso.url}|").triples(GRAPH))


# without a graph store


def no_graph_store(status: int) -> Rule:
    return lambda request: None if request.path.startswith(("/query", "/update")) else Answer(status)


@needs_oxigraph
@pytest.mark.parametrize("status", [404, 405, 501])
def test_without_a_graph_store_updates_do(gate: Callable[[Rule], Gate], status: int) -> None:
    before = gate(no_graph_store(status))
    endpoint = Endpoint(before.url)
    endpoint.put(GRAPH, some(1_200))
    assert [r.body.count(b"urn%3Atest%3Ap") for r in before.seen("/update")] == [0, 500, 500, 200, 0]
    assert set(endpoint.triples(GRAPH)) == set(some(1_200))
    endpoint.put(GRAPH, some(3, "b"))
    endpoint.add(GRAPH, some(1))
    assert set(endpoint.triples(GRAPH)) == {*some(3, "b"), *some(1)}
    assert ours(endpoint) == [GRAPH.value]
    assert len([r for r in before.seen("/store") if r.method != "GET"]) == 1  # asked once, then known
    endpoint.drop(GRAPH)
    assert ours(endpoint) == []
    endpoint.put(GRAPH, [])
    endpoint.put(GRAPH, some(1))
    endpoint.put(GRAPH, [])
    assert ours(endpoint) == []


def test_without_a_graph_store_a_whole_evaluation(server: Server, results: list[EvaluationResult]) -> None:
    base = server.base
    place = f"{base}/sparql|sparql-auth" if isinstance(server, Virtuoso) else f"{base}/query|update"
    store = Store(place)
    store.write(results)
    store.write(results[0])
    assert all(map(close, (r.to_dict() for r in store.read()), (r.to_dict() for r in in_memory(results))))
    assert not [graph for graph in store.backend.graphs() if graph.value.endswith("/staging")]
    store.delete(store.runs()[0].id)
    assert [info.system for info in store.runs()] == ["oc5"]


@needs_oxigraph
@pytest.mark.parametrize("when", [b"urn%3Atest%3As700", b"MOVE"])
def test_a_failure_in_the_middle_leaves_the_old_graph_and_no_other(gate: Callable[[Rule], Gate], when: bytes) -> None:
    def rule(request: Request) -> Answer | None:
        if when in request.body and b"DROP" not in request.body:
            return Answer(500, b"disk full\nand more")
        return no_graph_store(405)(request)  # type: ignore[return-value]

    endpoint = Endpoint(gate(rule).url)
    endpoint.put(GRAPH, some(2)) if when != b"MOVE" else Endpoint(gate(lambda _: None).url).put(GRAPH, some(2))
    with pytest.raises(StoreError, match=r"/update: the server answered 500 .*: disk full\. Check the log"):
        endpoint.put(GRAPH, some(1_200, "b"))
    assert set(endpoint.triples(GRAPH)) == set(some(2))
    assert ours(endpoint) == [GRAPH.value]


@needs_oxigraph
def test_what_a_dead_writer_left_is_not_taken_over(gate: Callable[[Rule], Gate], oxigraph: Oxigraph) -> None:
    before = gate(no_graph_store(405))
    Endpoint(oxigraph.url).put(ox.NamedNode(f"{GRAPH.value}/staging"), some(5, "old"))
    endpoint = Endpoint(before.url)
    endpoint.put(GRAPH, some(2))
    assert set(endpoint.triples(GRAPH)) == set(some(2))
    assert ours(endpoint) == [GRAPH.value]


# credentials


@needs_oxigraph
def test_basic_credentials_are_given_when_asked_for(
    gate: Callable[[Rule], Gate], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = "Basic " + base64.b64encode(b"me:s3cret").decode()

    def rule(request: Request) -> Answer | None:
        if request.headers.get("authorization") == right:
            return None
        said = request.headers.get("authorization", "")
        return Answer(401, f"no s3cret {said}".encode(), {"WWW-Authenticate": 'Negotiate, Basic realm="a, b"'})

    before = gate(rule)
    with pytest.raises(StoreError, match=r"answered 401 .*Set ONTOEVAL_SPARQL_USER and ONTOEVAL_SPARQL_PASSWORD"):
        Endpoint(before.url).graphs()
    monkeypatch.setenv("ONTOEVAL_SPARQL_USER", "me")
    monkeypatch.setenv("ONTOEVAL_SPARQL_PASSWORD", "s3cret")
    endpoint = Endpoint(before.url)
    before.requests.clear()
    endpoint.put(GRAPH, some(2))
    assert [(r.method, "authorization" in r.headers, bool(r.body)) for r in before.requests] == [
        ("GET", False, False),  # no body goes out before it is known what the server wants
        ("GET", True, False),
        ("PUT", True, True),
    ]
    assert set(endpoint.triples(GRAPH)) == set(some(2))
    assert "s3cret" not in repr(endpoint) + endpoint.name
    monkeypatch.setenv("ONTOEVAL_SPARQL_PASSWORD", "s3")
    with pytest.raises(StoreError, match=r"401 Unauthorized: no .*Check ONTOEVAL_SPARQL_USER") as caught:
        Endpoint(before.url).put(GRAPH, some(2))
    assert "s3" not in str(caught.value)
    assert base64.b64encode(b"me:s3").decode() not in str(caught.value)  # the server repeats the header


@needs_oxigraph
def test_a_token_is_given_at_once(gate: Callable[[Rule], Gate], monkeypatch: pytest.MonkeyPatch) -> None:
    before = gate(
        lambda r: None if r.headers.get("authorization") == "Bearer t0ken" else Answer(403, b"bad token wr0ng")
    )
    monkeypatch.setenv("ONTOEVAL_SPARQL_TOKEN", "t0ken")
    endpoint = Endpoint(before.url)
    endpoint.put(GRAPH, some(2))
    assert set(endpoint.triples(GRAPH)) == set(some(2))
    assert len(before.requests) == 2
    monkeypatch.setenv("ONTOEVAL_SPARQL_TOKEN", "wr0ng")
    with pytest.raises(StoreError, match=r"answered 403 .*: bad token \*\*\*\. Check ONTOEVAL_SPARQL_TOKEN"):
        Endpoint(before.url).put(GRAPH, some(2))


# servers that fail


def test_a_server_that_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    endpoint = Endpoint(f"http://127.0.0.1:{free_port()}")
    for attempt, tries in (
        (lambda: endpoint.put(GRAPH, some(1)), 3),  # nobody heard it, and the whole graph is replaced
        (lambda: endpoint.add(GRAPH, some(1)), 1),
        (lambda: endpoint.drop(GRAPH), 1),
        (endpoint.graphs, 3),
    ):
        pauses.clear()
        with pytest.raises(StoreError, match=r"^http://127\.0\.0\.1:\d+/\w+: cannot reach the server \(.*refused"):
            attempt()
        assert len(pauses) == tries - 1
        assert sum(pauses) < 5  # seconds, however long they really take


@needs_oxigraph
def test_a_put_that_nobody_heard_is_tried_again(oxigraph: Oxigraph) -> None:
    empty(oxigraph.url)
    port, late = free_port(), []
    opening = threading.Timer(0.15, lambda: late.append(Gate(oxigraph.base, lambda _: None, port)))
    endpoint = Endpoint(f"http://127.0.0.1:{port}")
    opening.start()
    try:
        endpoint.put(GRAPH, some(2))
        assert set(endpoint.triples(GRAPH)) == set(some(2))
    finally:
        opening.join(10)
        for one in late:
            one.close()


@needs_oxigraph
@pytest.mark.parametrize("how", ["hang up", "busy"])
def test_reading_is_tried_again_and_writing_is_not(gate: Callable[[Rule], Gate], how: str) -> None:
    failures = {"/query": 2, "/store": 9, "/update": 9}

    def rule(request: Request) -> Answer | str | None:
        place = request.path.partition("?")[0]
        failures[place] -= 1
        return None if failures[place] < 0 else how if how == "hang up" else Answer(503, b"too busy")

    before = gate(rule)
    endpoint = Endpoint(before.url)
    assert ours(endpoint) == []
    assert len(before.seen("/query")) == 3
    words = "before its answer was complete .*check before you try again" if how == "hang up" else "503 .*too busy"
    for attempt, path in (
        (lambda: endpoint.put(GRAPH, some(1)), "/store"),
        (lambda: endpoint.add(GRAPH, some(1)), "/store"),
        (lambda: endpoint.drop(GRAPH), "/store"),
        (lambda: Endpoint(f"{before.url}/query|update").add(GRAPH, some(1)), "/update"),
    ):
        before.requests.clear()
        with pytest.raises(StoreError, match=words):
            attempt()
        assert [r.path.partition("?")[0] for r in before.requests] == [path]
    assert ours(endpoint) == []


def test_a_server_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONTOEVAL_SPARQL_TIMEOUT", "0.3")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hanging_up = threading.Timer(60, silent.close)  # whoever still waits then gets another error
        hanging_up.start()
        endpoint = Endpoint(f"http://127.0.0.1:{silent.getsockname()[1]}")
        try:
            with pytest.raises(StoreError, match=r"no answer within 0\.3 s\. .*SPARQL_TIMEOUT to more seconds\.$"):
                endpoint.graphs()
            with pytest.raises(StoreError, match=r"no answer within 0\.3 s.* check before you try again\.$"):
                endpoint.put(GRAPH, some(1))
        finally:
            hanging_up.cancel()
        silent.setblocking(False)
        for _ in range(2):  # what was not answered in time is not asked again
            silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


@needs_oxigraph
def test_an_answer_that_the_server_cuts_off(tmp_path: Path) -> None:
    """At its time limit Oxigraph says 200 and ends in the middle."""
    for limited in running(Oxigraph(tmp_path, seconds=1, memory=True)):
        endpoint = Endpoint(limited.url)
        endpoint.put(GRAPH, some(5_000))
        endless = "SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?a ?b ?c . ?d ?e ?f . ?h ?i ?j } }"
        with pytest.raises(StoreError, match=r"/query: the answer is truncated or damaged .*cancelled.*time limit"):
            endpoint.select(endless)


@needs_oxigraph
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(200, b"<!DOCTYPE html>\n<html><head><style>a{}</style><title>Welcome &amp; hello</title></head>"),
         r"this is a web page, not a SPARQL endpoint \(Welcome & hello\)\. Use the URL"),
        (Answer(200, b""), r"not a SPARQL result \(it is empty\)"),
        (Answer(200, b"pong"), r"not a SPARQL result \(pong\)"),
        (Answer(200, b'{"answer": 42}'), "truncated or damaged"),
        (Answer(200, b'{"head": {"vars": ["s"]}, "results": {"bindings": ['), "truncated or damaged"),
        (Answer(404, b"<html><body><h1>Not Found</h1></body></html>"),
         r"answered 404 Not Found: Not Found\. No endpoint at this URL\. Use the URL"),
        (Answer(302, b"", {"Location": "https://me:pw@example.org/sparql?key=1"}),
         r"answered 302 Found\. Use the URL it redirects to: https://example\.org/sparql"),
        (Answer(500, b"\n\n  out of\tmemory.\nStack"), r"answered 500 .*: out of memory\. Check the log"),
    ],
)  # fmt: skip
def test_answers_that_are_none(gate: Callable[[Rule], Gate], answer: Answer, words: str) -> None:
    before = gate(lambda _: answer)
    with pytest.raises(StoreError, match=words) as caught:
        Endpoint(before.url).graphs()
    assert str(caught.value).startswith(f"{before.url}/query: ")


@needs_oxigraph
def test_a_yes_or_no_question_is_no_select(oxigraph: Oxigraph) -> None:
    with pytest.raises(ParameterError, match="not a SELECT query"):
        Endpoint(oxigraph.url).select("ASK { }")


# servers that die


def dying(server: Server, moments: list[float], number: int) -> Iterator[str]:
    """What a graph holds after the server died while it was replaced: `a`, `b`, `nothing` or `a part`."""
    endpoint = Endpoint(server.url)
    whole = {tag: set(some(number, tag)) for tag in "ab"}
    for moment in moments:
        endpoint.put(GRAPH, whole["a"])
        caught: list[OntoevalError] = []

        def write() -> None:
            try:
                endpoint.put(GRAPH, whole["b"])
            except OntoevalError as error:
                caught.append(error)  # noqa: B023 - the thread ends before the next turn

        writer = threading.Thread(target=write)
        writer.start()
        time.sleep(moment)
        server.kill()
        writer.join(60)
        server.start()
        found = set(endpoint.triples(GRAPH))
        state = next((tag for tag in "ab" if found == whole[tag]), "a part" if found else "nothing")
        assert state == "b" or caught, "a write that did not happen must not be reported as done"
        yield state
    endpoint.put(GRAPH, some(2))  # it can still be written
    assert set(endpoint.triples(GRAPH)) == set(some(2))


@needs_oxigraph
def test_oxigraph_dies_in_the_middle(tmp_path: Path) -> None:
    for server in running(Oxigraph(tmp_path)):
        assert {*dying(server, [0.05, 0.2, 0.4], 4_000)} <= {"a", "b"}


@pytest.mark.slow
@needs_virtuoso
def test_virtuoso_dies_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONTOEVAL_SPARQL_USER", Virtuoso.user)
    monkeypatch.setenv("ONTOEVAL_SPARQL_PASSWORD", Virtuoso.password)
    for server in running(Virtuoso(tmp_path)):
        assert {*dying(server, [0.4], 4_000)} <= {"a", "b"}


# places


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://h:7878", ("http://h:7878/query", "http://h:7878/update", "http://h:7878/store")),
        ("http://h:7878/", ("http://h:7878/query", "http://h:7878/update", "http://h:7878/store")),
        ("https://h/a/b", ("https://h/a/b/query", "https://h/a/b/update", "https://h/a/b/store")),
        ("https://h/a/query", ("https://h/a/query", "https://h/a/update", "https://h/a/store")),
        ("http://h/sparql", ("http://h/sparql", "http://h/sparql-auth", "http://h/sparql-graph-crud-auth")),
        ("http://h/v/sparql/", ("http://h/v/sparql", "http://h/v/sparql-auth", "http://h/v/sparql-graph-crud-auth")),
        ("http://h/sparql-auth", ("http://h/sparql-auth", "http://h/sparql-auth", "http://h/sparql-graph-crud-auth")),
        ("http://h/ds/query|update|data", ("http://h/ds/query", "http://h/ds/update", "http://h/ds/data")),
        ("http://h/q | http://i/u", ("http://h/q", "http://i/u", None)),
        ("http://h/q||/graphs?key=1", ("http://h/q", None, "http://h/graphs?key=1")),
        ("http://h/q|", ("http://h/q", None, None)),
    ],
)
def test_one_word_names_three_places(text: str, expected: tuple[str | None, ...]) -> None:
    assert tuple(places(text)) == expected


def test_the_environment_names_places_that_the_word_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONTOEVAL_SPARQL_UPDATE", "http://i/u")
    monkeypatch.setenv("ONTOEVAL_SPARQL_GRAPHS", "http://i/g")
    assert tuple(places("http://h")) == ("http://h/query", "http://i/u", "http://i/g")
    assert tuple(places("http://h/q|u")) == ("http://h/q", "http://h/u", None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "http://me:secret@h/sparql",
            "^http://h/sparql: a URL must not contain credentials. Set ONTOEVAL_SPARQL_USER",
        ),
        ("http://me:secret@h:x/sparql", "^http://h:x/sparql: not a URL"),
        ("http://h/q|http://me:secret@h/u", "^http://h/u: a URL must not contain credentials"),
        ("http://", "not the URL of a server"),
        ("http://h/q|ftp://h/u", "not the URL of a server"),
        ("http://h/a b", "not the URL of a server"),
        ("http://h/q|u|g|x", "more than three"),
    ],
)
def test_places_that_are_none(text: str, words: str) -> None:
    with pytest.raises(ParameterError, match=words) as caught:
        Endpoint(text)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_that_is_none(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("ONTOEVAL_SPARQL_TIMEOUT", text)
    with pytest.raises(ParameterError, match=f"ONTOEVAL_SPARQL_TIMEOUT must be a number of seconds > 0, not '{text}'"):
        Endpoint("http://h")


def test_messages_show_no_query_string() -> None:
    assert public_url("https://me:pw@h:1/a?apikey=1#x") == "https://h:1/a"
    assert repr(Store("https://h/sparql?apikey=1")) == "<Store https://h/sparql>"


def test_a_place_that_is_only_read(results: list[EvaluationResult]) -> None:
    store = Store("http://127.0.0.1:9/sparql|")
    with pytest.raises(StoreError, match=r"^http://127\.0\.0\.1:9/sparql: read-only"):
        store.backend.put(run_iri(results[0]), result_triples(results[0]))


def test_nothing_of_the_network_is_loaded_without_a_url(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom ontoeval.rdf.store.store import Store\nfrom ontoeval.rdf.store.endpoint import Endpoint\n"
        f"Store({str(tmp_path / 'store')!r}).backend.put(__import__('pyoxigraph').NamedNode('urn:g'), [])\n"
        "Endpoint('http://127.0.0.1:9')\nprint('httpx' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"
