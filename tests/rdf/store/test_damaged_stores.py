"""Stores that are damaged, or that are not stores: every command says so in a line, and nothing is lost or invented."""

from __future__ import annotations

import os
import random
import shutil
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox
import pytest
from helpers import refused, run

import ontoeval as oe
from ontoeval.errors import StoreError
from ontoeval.rdf.store import Store

FIXTURES = Path(__file__).parents[3] / "fixtures" / "dellschaft2006"
COMPARE = ("compare", FIXTURES / "oc1.ttl", "--gold", FIXTURES / "or1.ttl", "-m", "LP")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of three runs, one of which has replaced itself."""
    place = tmp_path_factory.mktemp("whole") / "store"
    gold = oe.Ontology.from_edges([("a", "r"), ("b", "r"), ("c", "a")])
    for system in ("x", "y", "z", "y"):
        Store(place).write(oe.evaluate(oe.Comparison(gold, gold), system=system))
    return place


def damage(place: Path, pick: random.Random) -> str:
    """Cut a file off, change bytes, remove it, make it a directory or another file's copy, ...; which file it was."""
    files = sorted(path for path in place.iterdir() if path.is_file() and not path.name.startswith("LOG"))
    file, other, kind = pick.choice(files), pick.choice(files), pick.randrange(7)
    data = bytearray(file.read_bytes())
    if kind == 0:
        file.write_bytes(data[: pick.randrange(len(data) + 1)])
    elif kind == 1 and data:
        for _ in range(pick.choice((1, 20, 300))):
            data[pick.randrange(len(data))] = pick.randrange(256)
        file.write_bytes(data)
    elif kind == 2:
        file.unlink()
    elif kind == 3:
        file.unlink()
        file.mkdir()
    elif kind == 4:
        file.write_bytes(other.read_bytes())
    elif kind == 5:
        start = pick.randrange(len(data) + 1)
        data[start : start + 512] = bytes(len(data[start : start + 512]))
        file.write_bytes(data)
    else:
        file.write_bytes(data + pick.randbytes(50))
    return file.name


def damages(store: Path, folder: Path, seeds: range, commands: list[tuple[object, ...]]) -> int:
    """Damage a copy for each seed and run commands on it; how many copies were refused."""
    expected = {result.key: result.to_dict() for result in Store(store).read()}
    place, refusals = folder / "copy", 0
    for seed in seeds:
        pick = random.Random(seed)
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(store, place)
        names = [damage(place, pick) for _ in range(pick.choice((1, 1, 3)))]
        try:
            results = {result.key: result.to_dict() for result in Store(place).read()}
        except oe.OntoevalError:
            refusals += 1
        else:
            assert results == expected or not all(name.endswith(".sst") for name in names), (seed, names)
        for arguments in commands:
            result = run(*(place if argument == "STORE" else argument for argument in arguments))
            assert result.exit_code in (0, 1), (seed, names, arguments, result.stderr)
            if result.exit_code:
                assert result.stderr.split("\n")[-2].startswith("error: "), (seed, names, arguments)
    return refusals


def test_damaged_stores_are_refused_in_a_line(store: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert damages(store, tmp_path, range(8), [(*COMPARE, "--store", "STORE")]) > 2
    assert capfd.readouterr().err == ""  # panics of pyoxigraph would be printed there


@pytest.mark.slow
def test_many_damaged_stores_are_refused_in_a_line(
    store: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ontology, file = FIXTURES / "or1.ttl", tmp_path / "all.trig"
    commands: list[tuple[object, ...]] = [
        ("store", "list", "STORE"), ("store", "show", "STORE", "latest"), ("store", "export", "STORE", file),
        ("query", "STORE", "trend", "--timeout", 5), ("store", "delete", "STORE", "first", "--yes"),
        ("store", "import", "STORE", ontology), (*COMPARE, "--store", "STORE"),
    ]  # fmt: skip
    assert damages(store, tmp_path, range(1000, 1100), commands) > 30
    assert capfd.readouterr().err == ""


def without_data(store: Path, folder: Path) -> Path:
    """A copy that can be opened, but whose tables have no data that can be read."""
    place = shutil.copytree(store, folder / "store")
    for file in place.glob("*.sst"):
        data = file.read_bytes()
        if len(data) > 4000:  # small ones have little but what is read on opening
            file.write_bytes(bytes(40) + data[40:])
    return place


def test_a_store_that_opens_but_cannot_be_read_is_refused(store: Path, tmp_path: Path) -> None:
    place = without_data(store, tmp_path)
    for arguments in (("store", "list", place), ("store", "show", place), ("store", "delete", place, "x", "--yes")):
        assert refused(*arguments).startswith(f"{place}: the store cannot be read (Corruption: block checksum mismatch")


@pytest.mark.slow
def test_a_query_that_sorts_the_errors_of_a_damaged_store_ends(store: Path, tmp_path: Path) -> None:
    place = without_data(store, tmp_path)
    with pytest.raises(StoreError, match=r"the store cannot be read .*If it is damaged, restore a copy"):
        Store(place).query("SELECT * { GRAPH ?run { ?s ?p ?o } } ORDER BY ?o", timeout=3)


def test_a_store_without_the_file_current_is_not_begun_anew(store: Path, tmp_path: Path) -> None:
    place = shutil.copytree(store, tmp_path / "store")
    (place / "CURRENT").unlink()
    message = (
        f"{place}: the store cannot be opened (its file CURRENT is missing). "
        "If it is damaged, restore a copy, or use another directory."
    )
    tables = sorted(path.name for path in place.glob("*.sst"))
    for arguments in (("store", "list", place), ("query", place, "trend"), (*COMPARE, "--store", place)):
        assert refused(*arguments) == message
    with pytest.raises(StoreError, match="CURRENT is missing"):
        Store(place).write(Store(store).read())
    assert sorted(path.name for path in place.glob("*.sst")) == tables  # RocksDB would have removed them


def test_the_database_of_another_program_is_not_changed(tmp_path: Path) -> None:
    place = leveldb(tmp_path / "leveldb")
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    message = (
        f"{place}: the store cannot be opened (Invalid argument: Column family not found: id2str). "
        "If it is damaged, restore a copy, or use another directory."
    )
    for arguments in (("store", "list", place), ("query", place, "trend"), (*COMPARE, "--store", place)):
        assert refused(*arguments) == message
    with pytest.raises(StoreError, match="Column family not found"):
        Store(place).write([])
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


def leveldb(place: Path) -> Path:
    """A database of LevelDB: a manifest of one record (comparator, log, next file, last sequence) and a log."""
    name = b"leveldb.BytewiseComparator"
    edit = b"\x01" + bytes([len(name)]) + name + b"\x02\x03" + b"\x03\x04" + b"\x04\x00"
    crc = crc32c(b"\x01" + edit)
    masked = (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF
    place.mkdir()
    (place / "MANIFEST-000002").write_bytes(struct.pack("<IHB", masked, len(edit), 1) + edit)
    (place / "CURRENT").write_text("MANIFEST-000002\n")
    (place / "000003.log").write_bytes(b"data")
    return place


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_a_text_file_or_another_directory_is_not_a_store(tmp_path: Path) -> None:
    file, folder = tmp_path / "text", tmp_path / "folder"
    file.write_text("no store")
    folder.mkdir()
    (folder / "letter.txt").write_text("no store")
    advice = "Use the directory of a store, or a new one."
    assert refused(*COMPARE, "--store", file) == f"{file}: is a file, not a store. {advice}"
    assert refused(*COMPARE, "--store", file / "below") == f"{file / 'below'}: is a file, not a store. {advice}"
    for arguments in (("store", "list", folder), ("query", folder, "trend"), (*COMPARE, "--store", folder)):
        assert refused(*arguments) == f"{folder}: is a directory, but not a store. {advice}"
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


@contextmanager
def without_privileges() -> Iterator[None]:
    """Nobody may do everything, not even root."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_store_without_permissions_is_refused_before_the_work(store: Path, tmp_path: Path) -> None:
    place = shutil.copytree(store, tmp_path / "store")
    for parent in list(tmp_path.parents)[:3]:
        parent.chmod(0o755)
    tmp_path.chmod(0o755)
    place.chmod(0o555)
    with without_privileges():
        assert run("store", "list", place).exit_code == 0
        with pytest.raises(StoreError) as caught:
            oe.Store(place).backend.check()  # type: ignore[attr-defined]
        assert str(caught.value) == (
            f"{place}: cannot be written (permission denied). Use the directory of a store, or a new one."
        )
        new = tmp_path / "new"
        assert refused(*COMPARE, "--store", new).startswith(f"{new}: cannot be written (permission denied).")
        with pytest.raises(StoreError, match="cannot be written"):
            Store(new).write([])
    place.chmod(0o000)
    with without_privileges():
        assert "ermission denied" in refused("store", "list", place)
    place.chmod(0o755)


def test_what_is_left_of_a_store_that_was_never_finished_is_no_obstacle(tmp_path: Path) -> None:
    place = tmp_path / "store"
    place.mkdir()
    (place / ".new-ontoeval-store").touch()
    (place / "CURRENT").write_text("MANIFEST-000001\n")
    (place / "MANIFEST-000001").write_bytes(b"half of it")
    assert (
        refused("store", "list", place)
        == f"{place}: no such store. Make one with `ontoeval compare ... --store {place}`."
    )
    assert run(*COMPARE, "--store", place).exit_code == 0
    assert len(Store(place).runs()) == 1
    assert not (place / ".new-ontoeval-store").exists()


def test_an_error_of_the_store_is_not_blamed_on_the_triples_nor_the_reverse(tmp_path: Path) -> None:
    graph = ox.NamedNode("http://ex.org/g")

    def triples() -> Iterator[ox.Triple]:
        yield ox.Triple(graph, graph, graph)
        raise ValueError("no such concept")

    with pytest.raises(ValueError, match=r"^no such concept$"):
        Store(tmp_path / "store").backend.put(graph, triples())
