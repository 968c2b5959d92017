"""Several processes that write one store or one file of scores wait for each other; each evaluation is stored."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from helpers import run

import ontoeval as oe
from ontoeval.errors import ParameterError, StoreError
from ontoeval.files import LockedError, directory_lock, lock_holder, replacing
from ontoeval.rdf.store import Store, read_scores, write_scores
from ontoeval.rdf.store.disk import Disk

FIXTURES = Path(__file__).parents[3] / "fixtures" / "dellschaft2006"
COMPARE = ("compare", FIXTURES / "oc1.ttl", "--gold", FIXTURES / "or2.ttl", "-m", "LP,TP_csc")


def started(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ontoeval", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(system: str) -> oe.EvaluationResult:
    small = oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    return oe.evaluate(oe.Comparison(small, small), ["LP", "TP_csc"], system=system)


@pytest.mark.slow
def test_twenty_processes_at_once_store_twenty_evaluations_while_others_read(tmp_path: Path) -> None:
    store, file = tmp_path / "store", tmp_path / "scores.trig"
    Store(store).write(result("first"))
    writers = [started(*COMPARE, "--name", f"s{n}", "--store", store, "-o", file) for n in range(20)]
    counts = [1]
    while any(writer.poll() is None for writer in writers):
        runs = Store(store).runs()
        assert len(runs) >= counts[-1]  # what has been seen does not vanish
        counts.append(len(runs))
        asked = Store(store).query("SELECT (COUNT(*) AS ?n) { GRAPH ?run { ?run a oe:Evaluation } }")
        assert asked[0]["n"] >= len(runs)
        time.sleep(0.05)
    outputs = [writer.communicate() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 20, outputs
    names = {f"s{n}" for n in range(20)}
    assert {info.system for info in Store(store).runs()} == names | {"first"}
    assert {stored.system for stored in read_scores(file)} == names
    assert not [path.name for path in tmp_path.iterdir() if path.name not in ("store", "scores.trig")]
    assert not list(store.glob("LOG.old.*"))
    assert not list(store.glob("bulk-*"))


def test_threads_that_write_one_store_and_one_file_wait_for_each_other(tmp_path: Path) -> None:
    store, file = tmp_path / "store", tmp_path / "scores.nq"
    results = [result(f"s{n}") for n in range(4)]
    places = [(one, place) for one in results for place in (store, file)]
    threads = [threading.Thread(target=write_scores, args=pair) for pair in places]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for place in (store, file):
        assert sorted(one.system for one in read_scores(place)) == ["s0", "s1", "s2", "s3"]


def test_a_reader_waits_for_a_writer_and_sees_all_of_it(tmp_path: Path) -> None:
    place = tmp_path / "store"
    Store(place).write(result("x"))
    disk, seen = Disk(place), []
    reader = threading.Thread(target=lambda: seen.append({info.system for info in Store(place).runs()}))
    with disk.session():
        reader.start()
        reader.join(0.3)
        assert reader.is_alive()
        Store(disk).write(result("y"))
    reader.join()
    assert seen == [{"x", "y"}]


def test_a_table_is_printed_though_its_scores_cannot_be_stored(tmp_path: Path) -> None:
    place, table = tmp_path / "store", tmp_path / "table.json"
    Store(place).write(result("x"))
    environment = {"ONTOEVAL_STORE_WAIT": "1.2"}
    with directory_lock(place, exclusive=True, seconds=1):
        done = run(*COMPARE, "--store", place, "-o", table, environment=environment)
    assert done.exit_code == 1
    assert "TP_csc" in done.stdout
    assert table.exists()
    assert done.stderr.split("\n")[:2] == [
        f"note: {place}: waiting for this process",
        f"error: {place}: this process is still using it after 1.2 s; nothing was stored. "
        "Try again when it has finished, or set ONTOEVAL_STORE_WAIT to more seconds.",
    ]
    assert [info.system for info in Store(place).runs()] == ["x"]


def test_a_reader_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "store"
    Store(place).write(result("x"))
    monkeypatch.setenv("ONTOEVAL_STORE_WAIT", "0.1")
    with directory_lock(place, exclusive=True, seconds=1):
        for read in (Store(place).runs, lambda: Store(place).query("ASK { ?s ?p ?o }")):
            with pytest.raises(StoreError, match=r"this process is still using it after 0\.1 s\. Try again"):
                read()
    assert len(Store(place).runs()) == 1
    monkeypatch.setenv("ONTOEVAL_STORE_WAIT", "long")
    with pytest.raises(ParameterError, match="ONTOEVAL_STORE_WAIT must be a number of seconds > 0, not 'long'"):
        Store(place).runs()


def test_readers_share_a_directory_and_a_writer_has_it_alone(tmp_path: Path) -> None:
    with directory_lock(tmp_path, exclusive=False, seconds=0):
        with directory_lock(tmp_path, exclusive=False, seconds=0):
            assert lock_holder(tmp_path) in (os.getpid(), None)  # None where the system does not say so
        with pytest.raises(LockedError), directory_lock(tmp_path, exclusive=True, seconds=0):
            pass
    with directory_lock(tmp_path, exclusive=True, seconds=0), pytest.raises(LockedError):
        directory_lock(tmp_path, exclusive=False, seconds=0).__enter__()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_beside_a_file_is_removed_but_not_what_is_being_written(tmp_path: Path) -> None:
    target, other = tmp_path / "scores.trig", tmp_path / ".other.trig.abcdefgh.part"
    for name in (".scores.trig.abcdefgh.part", other.name):
        (tmp_path / name).write_text("half")
    with replacing(target) as first:
        first.write_text("first")
        with replacing(target) as second:
            second.write_text("second")
            assert first.exists()
    assert target.read_text() == "first"  # the last to finish
    assert sorted(path.name for path in tmp_path.iterdir()) == [other.name, target.name]
