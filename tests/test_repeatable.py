"""The same bytes whatever the hash seed, the locale and the time zone; no test reaches the network."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DS, NEWS, SHELVES = "fixtures/dellschaft2006", "fixtures/annotations", "fixtures/shelves"
LEARNED = f"{DS}/oc1.ttl {DS}/oc4.ttl --gold {DS}/or2.ttl"
COMMANDS = (
    f"compare {LEARNED} -m all --intervals --significance --rounds 50 --json",
    f"compare {LEARNED} --errors --worst 3 --explain car -o OUT/scores.trig -o OUT/x.json --local OUT/local.tsv",
    f"compare {SHELVES}/clusters.tsv --gold {SHELVES}/shelves.tsv --instances {SHELVES}/clusters-books.tsv "
    f"--gold-instances {SHELVES}/shelves-books.tsv -m H_s,ITF,EOR",
    f"annotations {NEWS}/near {NEWS}/far --gold {NEWS}/key --ontology {NEWS}/news.ttl --confusion --json",
    f"agreement {NEWS}/near {NEWS}/far {NEWS}/key --ontology {NEWS}/news.ttl",
    f"describe {NEWS}/news.ttl fixtures/formats/tiny.obo --json",
    f"match {DS}/oc4.ttl --gold {DS}/or2.ttl -o OUT/mapping.sssom.tsv",
    f"relate --all --ontology {DS}/or2.ttl -m BDM -o OUT/all.tsv",
    f"nearest car --ontology {DS}/or2.ttl",
    f"perturb {DS}/or2.ttl --move-nodes 2 --seed 3 -o OUT/moved.ttl",
    f"write-back {DS}/oc4.ttl --gold {DS}/or2.ttl -o OUT/scored.owl",
    f"write-back {DS}/oc4.ttl --gold {DS}/or2.ttl -o OUT/scored.ttl --merged",
    f"validate {DS}/or2.ttl --json",
    "measures",
    "schema rdf",
)
SETTINGS = (
    {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"},
    {"PYTHONHASHSEED": "2", "LC_ALL": "C", "TZ": "Asia/Kolkata", "PYTHONUTF8": "1"},
)
TIME = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?")


def outputs(folder: Path, settings: dict[str, str]) -> dict[str, bytes]:
    """What the commands print and write, times replaced."""
    folder.mkdir()
    result = {}
    for command in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-m", "ontoeval", *command.replace("OUT", str(folder)).split()],
            cwd=ROOT,
            env={**os.environ, **settings, "COLUMNS": "80"},
            capture_output=True,
        )
        assert done.returncode == 0, (command, done.stderr)
        result[command] = done.stdout + done.stderr
    result |= {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return {name: TIME.sub(b"TIME", data.replace(str(folder).encode(), b"OUT")) for name, data in result.items()}


@pytest.mark.slow
def test_outputs_are_the_same_bytes_under_other_hash_seeds_locales_and_time_zones(tmp_path: Path) -> None:
    one, other = (outputs(tmp_path / str(number), settings) for number, settings in enumerate(SETTINGS))
    assert one.keys() == other.keys()
    assert len(one) > len(COMMANDS) + 7
    for name, data in one.items():
        assert data == other[name], name


def test_tests_cannot_reach_the_network() -> None:
    with socket.socket() as client, pytest.raises(PermissionError, match="tests use loopback only"):
        client.connect(("192.0.2.1", 80))  # an address for documentation, which is nobody's
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
