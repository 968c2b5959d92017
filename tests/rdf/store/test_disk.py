"""The store on disk: one writer, readers beside it, and kills at any moment."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

import ontoeval as oe
from ontoeval.errors import StoreError, UnknownRunError
from ontoeval.rdf.store import Store
from ontoeval.rdf.store.disk import Disk
from ontoeval.rdf.vocabulary import node

WRITER = """
import os
import sys
import pyoxigraph as ox
from ontoeval.rdf.store.disk import Disk

place, done = sys.argv[1:]
number = 0
while True:  # until it is killed
    # every other graph is new and bulk-loaded; the others replace one that is there, by an update
    name = f"new-{os.getpid()}-{number}" if number % 2 else f"old-{number % 40}"
    graph = ox.NamedNode(f"http://ex.org/run/{name}")
    size = 200 + number % 7 * 300
    triples = [
        ox.Triple(ox.NamedNode(f"http://ex.org/{number}/{i}"), ox.NamedNode("http://ex.org/p"), ox.Literal(i))
        for i in range(size - 1)
    ]
    triples.append(ox.Triple(graph, ox.NamedNode("http://ex.org/size"), ox.Literal(size)))
    Disk(place).put(graph, triples)
    with open(done, "a") as sink:
        sink.write(f"{name} {size}\\n")
    number += 1
"""


def started(*arguments: str | Path, code: str = WRITER) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], stderr=subprocess.DEVNULL)


@pytest.mark.slow
def test_a_killed_writer_leaves_whole_evaluations_only_fifty_times(tmp_path: Path) -> None:
    kills(tmp_path, 50)


def test_a_killed_writer_leaves_whole_evaluations_only(tmp_path: Path) -> None:
    kills(tmp_path, 1)


def kills(folder: Path, times: int) -> None:
    place, pick = folder / "store", random.Random(1)
    finished_in_all = 0
    for kill in range(times):
        done = folder / f"done{kill}"
        process = started(place, done)
        deadline = time.monotonic() + 60
        while not done.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(pick.random() * 0.3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        finished = [line.split()[0] for line in done.read_text().splitlines() if line.count(" ") == 1]
        finished_in_all += len(finished)
        disk = Disk(place)
        graphs = {graph.value: list(disk.triples(graph)) for graph in disk.graphs()}
        for name, triples in graphs.items():
            (size,) = [int(t.object.value) for t in triples if t.predicate.value.endswith("size")]
            assert len(triples) == size, name
        for name in finished:
            assert f"http://ex.org/run/{name}" in graphs
    assert finished_in_all >= times


HOLDER = """
import sys, time
import pyoxigraph as ox
store = ox.Store(sys.argv[1])
print("open", flush=True)
time.sleep(60)
"""


@pytest.fixture
def held(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A store with an evaluation in it that another program, such as a server, holds open for writing."""
    place = tmp_path / "store"
    small = oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    Store(place).write(oe.evaluate(oe.Comparison(small, small), ["TF_csc"]))
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(place)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"open\n"
    yield place, process.pid
    process.kill()
    process.communicate()


def test_a_writer_beside_a_program_that_does_not_end_is_told_which_it_is(
    held: tuple[Path, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, process = held
    small = oe.Ontology.from_edges([("a", "r")])
    monkeypatch.setenv("ONTOEVAL_STORE_WAIT", "0.3")
    with pytest.raises(StoreError) as caught:
        Store(place).write(oe.evaluate(oe.Comparison(small, small), ["LP"]))
    assert str(caught.value) == (
        f"{place}: process {process} is still using it after 0.3 s; nothing was stored. "
        "Try again when it has finished, or set ONTOEVAL_STORE_WAIT to more seconds."
    )


def test_a_reader_beside_another_program_sees_what_was_there(held: tuple[Path, int]) -> None:
    (result,) = Store(held[0]).read()
    assert result["TF_csc"].value == 1.0


def test_a_store_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        Store(tmp_path / "none").runs()
    assert str(caught.value) == (
        f"{tmp_path / 'none'}: no such store. Make one with `write_scores(..., {tmp_path / 'none'})`."
    )
    assert not (tmp_path / "none").exists()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("no store")
    with pytest.raises(StoreError, match="the store cannot be opened"):
        Store(tmp_path).runs()


def test_a_generator_that_fails_adds_nothing(tmp_path: Path) -> None:
    disk, graph = Disk(tmp_path / "store"), ox.NamedNode("http://ex.org/g")

    def broken() -> object:
        yield ox.Triple(graph, node("oe:spec"), ox.Literal("x"))
        raise RuntimeError("broken off")

    for _ in range(2):  # a new graph, then one that is there
        with pytest.raises(RuntimeError, match="broken off"):
            disk.put(graph, broken())  # type: ignore[arg-type]
        before = [] if not disk.graphs() else list(disk.triples(graph))
        disk.put(graph, [ox.Triple(graph, node("oe:spec"), ox.Literal("whole"))])
        assert [t.object.value for t in before] in ([], ["whole"])
    assert [t.object.value for t in disk.triples(graph)] == ["whole"]


def test_runs_are_found_by_the_beginning_of_their_id_and_deleted(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    tree, chain = oe.Ontology.from_edges([("a", "r"), ("b", "r")]), oe.Ontology.from_edges([("a", "r"), ("b", "a")])
    results = [
        oe.evaluate(oe.Comparison(one, chain), ["TF_csc"], system=name) for one, name in ((tree, "x"), (chain, "y"))
    ]
    store.write(results)
    assert {info.system for info in store.runs()} == {"x", "y"}
    info = store.find(results[0].key[:10])
    assert (info.system, info.task, info.matched_by) == ("x", "comparison", "iri,label")
    with pytest.raises(UnknownRunError) as caught:
        store.find("nothing")
    known = ", ".join(f"{info.id[:8]} ({info.system})" for info in store.runs())
    assert str(caught.value) == f"{tmp_path / 'store'}: no run 'nothing'. Runs: {known}."
    assert [store.find(name).system for name in ("x", "y", "latest")] == ["x", "y", store.runs()[-1].system]
    assert store.delete(results[0].key[:32]).system == "x"
    assert [info.system for info in store.runs()] == ["y"]


def test_evaluations_move_between_stores_and_files(tmp_path: Path) -> None:
    small = oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    store, other = Store(tmp_path / "one"), Store(tmp_path / "two")
    store.write(oe.evaluate(oe.Comparison(small, small), ["TF_csc", "LP"]))
    assert store.export(tmp_path / "all.trig") == 1
    assert other.load(tmp_path / "all.trig") == 1
    assert other.load(tmp_path / "all.trig") == 1  # again: replaced
    assert [r.to_dict() for r in other.read()] == [r.to_dict() for r in store.read()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.trig", "one", "two"]
