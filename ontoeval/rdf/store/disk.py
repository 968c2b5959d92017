"""`Disk`: backend of a folder, by pyoxigraph; readers and writers wait for each other; errors of damaged stores."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pyoxigraph as ox

from ontoeval.errors import OntoevalError, StoreError
from ontoeval.files import LockedError, directory_lock, lock_holder
from ontoeval.rdf.store.backends import Triples, seconds_in
from ontoeval.rdf.store.run_rows import run_rows
from ontoeval.rdf.vocabulary import EVALUATION, TYPE

_WAIT = 120.0  # seconds, for some hundred short writes
_CHECK = 2.0  # seconds to look for damage
_PATTERNS = ((None, None, None, None), (None, TYPE, None, None), (None, None, EVALUATION, None))  # an index each
_PAUSE = 0.2  # seconds before a store that another program has is opened again
_LONGEST = 200  # characters of what RocksDB says
_USE_STORE = "Use the directory of a store, or a new one."
_RESTORE = "If it is damaged, restore a copy, or use another directory."
_TABLES = (".sst", ".ldb")  # ends of the names of RocksDB's and LevelDB's files of data
_LOCKED = (os.strerror(errno.EAGAIN), os.strerror(errno.ENOLCK))  # by another process, by this one
_NEW = ".new-ontoeval-store"  # is there while a store is made, which takes RocksDB several steps
_OF_NEW = ("CURRENT", "IDENTITY", "LOCK", "LOG*", "MANIFEST-*", "OPTIONS-*", "*.dbtmp", "*.log", "*.sst")
_LEFTOVERS = ("LOG.old.*", "bulk-*.sst")  # logs, of which RocksDB keeps a thousand; tables that a killed process made
T = TypeVar("T")
Waiting = Callable[[str], None]  # is told once for whom one waits


class _NoTriplesError(Exception):
    """The triples could not be made; its cause says why."""


class Disk:
    """A pyoxigraph store in a folder: one process writes, or several read; the others wait.

    Readers must wait, too: beside a writer RocksDB opens, without an error, a store that lacks the latest graphs.
    `waiting` is called once, with a text, if that takes a while. ONTOEVAL_STORE_WAIT: seconds to wait at most (120).
    """

    def __init__(self, path: str | Path, *, waiting: Waiting | None = None) -> None:
        self.path = Path(path)
        self.name = str(path)
        self._waiting = waiting
        self._store: ox.Store | None = None  # while it is open; RocksDB closes it when nothing refers to it

    # Backend

    @contextmanager
    def session(self) -> Iterator[None]:
        """Hold the store open for writing; make it if there is none."""
        if self._store is not None:
            yield
            return
        self._is_store()  # refuses what cannot be one
        self._try("written", lambda: self.path.mkdir(parents=True, exist_ok=True))
        with self.lock(exclusive=True):
            self._store = self._open_for_writing()
            try:
                yield
                # tables have checksums; what a damaged log lacks is not missed
                self._try("written", lambda: self._opened.flush())
            finally:
                self._store = None
            for pattern in _LEFTOVERS:
                for file in self.path.glob(pattern):
                    file.unlink(missing_ok=True)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold the store open for reading."""
        if self._store is not None:
            yield
            return
        with self.lock(exclusive=False):
            self._store = self._open_for_reading()
            try:
                yield
            finally:
                self._store = None

    def put(self, graph: ox.NamedNode, triples: Triples) -> None:
        with self.session():
            if self._try("read", lambda: self._opened.contains_named_graph(graph)):
                # one transaction: readers, and the store after a crash, have the old graph or the new one
                data = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES)
                assert data is not None  # noqa: S101 - there is no file to write into
                update = f"DROP SILENT GRAPH {graph}; INSERT DATA {{ GRAPH {graph} {{ {data.decode()} }} }}"
                self._try("written", lambda: self._opened.update(update))
            else:
                self._write(graph, triples, at_once=True)

    def add(self, graph: ox.NamedNode, triples: Triples) -> None:
        with self.session():
            self._write(graph, triples, at_once=False)

    def drop(self, graph: ox.NamedNode) -> None:
        with self.session():
            self._try("written", lambda: self._opened.remove_graph(graph))

    def triples(self, graph: ox.NamedNode) -> Iterator[ox.Triple]:
        def triples() -> list[ox.Triple]:  # whole: nobody waits for what is done with them
            return [quad.triple for quad in self._opened.quads_for_pattern(None, None, None, graph)]

        with self.reading():
            return iter(self._try("read", triples))

    def graphs(self) -> list[ox.NamedNode]:
        with self.reading():
            graphs = self._try("read", lambda: list(self._opened.named_graphs()))
        return sorted((graph for graph in graphs if isinstance(graph, ox.NamedNode)), key=lambda graph: graph.value)

    def run_rows(self) -> list[dict[str, Any]]:
        with self.reading():
            return self._try("read", lambda: run_rows(self._opened))

    # opening

    def check(self) -> None:
        """Refuse a place that is not a store and cannot become one, before anything is computed for it."""
        place = self.path
        if self._is_store():
            with suppress(LockedError), directory_lock(self.path, exclusive=False, seconds=0):  # else it is in use
                self._open_for_reading()
        while not place.exists():
            place = place.parent
        if not os.access(place, os.W_OK | os.X_OK, effective_ids=True):
            raise StoreError("cannot be written (permission denied)", place=self.name, advice=_USE_STORE)

    def check_data(self) -> None:
        """Refuse a store that is damaged, as far as some seconds of reading show."""
        deadline = time.monotonic() + _CHECK

        def scan() -> None:
            for pattern in _PATTERNS:
                for _ in self._opened.quads_for_pattern(*pattern):
                    if time.monotonic() > deadline:
                        return

        with self.reading():
            self._try("read", scan)

    @contextmanager
    def lock(self, *, exclusive: bool) -> Iterator[None]:
        """Keep writers out, or all others; wait until they have finished, but not for ever."""
        if self._store is not None:
            yield
            return
        if not exclusive and not self._is_store():
            raise StoreError("no such store", place=self.name, advice=f"Make one with {{write_scores()={self.name}}}.")
        with ExitStack() as held:
            lock = _patient_lock(self.path, self.name, exclusive=exclusive, waiting=self._waiting)
            self._try("opened", lambda: held.enter_context(lock))
            yield

    def _is_store(self) -> bool:
        """False if nothing is there, or what is left of a process that was killed when it made a store."""
        if self._try("opened", lambda: any(place.is_file() for place in (self.path, *self.path.parents))):
            raise StoreError("is a file, not a store", place=self.name, advice=_USE_STORE)
        names = self._try("opened", lambda: [path.name for path in self.path.iterdir()] if self.path.exists() else [])
        if not names or _NEW in names:
            return False
        if "CURRENT" in names:
            return True
        if any(name.endswith(_TABLES) for name in names):  # RocksDB would begin anew and remove them
            raise self._error("opened", "its file CURRENT is missing")
        raise StoreError("is a directory, but not a store", place=self.name, advice=_USE_STORE)

    def _open_for_reading(self) -> ox.Store:
        return self._try("opened", lambda: ox.Store.read_only(str(self.path)))

    def _open_for_writing(self) -> ox.Store:
        is_new = not self._is_store()
        if is_new:
            self._try("written", self._begin)
        else:
            self._open_for_reading()  # RocksDB would write to the database of any program
        seconds = wait_seconds()
        deadline = time.monotonic() + seconds
        while (store := self._try("opened", self._store_unless_locked)) is None:
            if time.monotonic() > deadline:  # a program that does not lock the folder, such as a server
                raise _in_use(self.name, lock_holder(self.path / "LOCK"), seconds, exclusive=True)
            time.sleep(_PAUSE)
        if is_new:
            self._try("written", (self.path / _NEW).unlink)
        return store

    def _begin(self) -> None:
        """Mark the store as new, and remove what is left of one that was never finished."""
        (self.path / _NEW).touch()
        for pattern in _OF_NEW:
            for file in self.path.glob(pattern):
                file.unlink()

    def _store_unless_locked(self) -> ox.Store | None:
        try:
            return ox.Store(str(self.path))
        except OSError as error:
            if str(error).endswith(_LOCKED):  # there is no other sign
                return None
            raise

    @property
    def _opened(self) -> ox.Store:
        assert self._store is not None  # noqa: S101 - inside session() or reading()
        return self._store

    def _write(self, graph: ox.NamedNode, triples: Triples, *, at_once: bool) -> None:
        """Add triples; what they raise while they are made is not the store's fault."""

        def quads() -> Iterator[ox.Quad]:
            try:
                for triple in triples:
                    yield ox.Quad(triple.subject, triple.predicate, triple.object, graph)
            except Exception as error:
                raise _NoTriplesError from error

        try:
            if at_once:
                self._try("written", lambda: self._opened.bulk_extend(quads()))
            else:
                self._try("written", lambda: self._opened.extend(quads()))
        except _NoTriplesError as error:
            raise (error.__cause__ or error) from None

    # errors

    def _try(self, doing: str, work: Callable[[], T]) -> T:
        """Do what pyoxigraph may fail at; what it raises, panics included, becomes a StoreError."""
        try:
            return work()
        except OntoevalError:
            raise
        except (OSError, RuntimeError, ValueError) as error:
            problem = self._error(doing, error)
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            problem = self._error(doing, error)
        raise problem  # here, since the first error refers to frames that would keep the store open

    def _error(self, doing: str, error: BaseException | str) -> StoreError:
        why = " ".join(str(error).split()).replace(f"{self.path}{os.sep}", "")
        advice = "Check permissions and free space." if doing == "written" else _RESTORE
        return StoreError(f"the store cannot be {doing} ({why[:_LONGEST]})", place=self.name, advice=advice)


@contextmanager
def sole_writer(file: str | Path, waiting: Waiting | None = None) -> Iterator[None]:
    """Keep out others that write scores into the directory of a file, which is replaced and so cannot be locked."""
    with _patient_lock(Path(file).parent, str(file), exclusive=True, waiting=waiting):
        yield


@contextmanager
def _patient_lock(directory: Path, name: str, *, exclusive: bool, waiting: Waiting | None) -> Iterator[None]:
    """Lock a directory; `name`: what is read or written in it."""
    seconds = wait_seconds()

    def say(error: LockedError) -> None:
        if waiting is not None:
            waiting(f"{name}: waiting for {_process(error.process)}")

    with ExitStack() as held:
        try:
            held.enter_context(directory_lock(directory, exclusive=exclusive, seconds=seconds, waiting=say))
        except LockedError as error:
            raise _in_use(name, error.process, seconds, exclusive=exclusive) from None
        yield


def wait_seconds() -> float:
    """How long to wait for others."""
    return seconds_in("ONTOEVAL_STORE_WAIT", _WAIT)


def _in_use(name: str, process: int | None, seconds: float, *, exclusive: bool) -> StoreError:
    return StoreError(
        f"{_process(process)} is still using it after {seconds:g} s{'; nothing was stored' if exclusive else ''}",
        place=name,
        advice="Try again when it has finished, or set ONTOEVAL_STORE_WAIT to more seconds.",
    )


def _process(number: int | None) -> str:
    return "another process" if number is None else "this process" if number == os.getpid() else f"process {number}"
