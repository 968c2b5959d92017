"""`Backend`: interface of a place of named graphs; `Disk` (pyoxigraph folder), `Memory` (server: endpoint.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Protocol

import pyoxigraph as ox

from ontoeval.errors import StoreError

Triples = Iterable[ox.Triple]
_USE_STORE = "Use the directory of a store, or a new one."


class Backend(Protocol):
    """Named graphs that are put, read and dropped whole."""

    name: str

    def session(self) -> AbstractContextManager[Any]:
        """Hold the place open over several writes."""

    def put(self, graph: ox.NamedNode, triples: Triples) -> None:
        """Make the graph hold these triples and no others: all of it, or nothing is changed."""

    def add(self, graph: ox.NamedNode, triples: Triples) -> None:
        """Add triples to a graph."""

    def drop(self, graph: ox.NamedNode) -> None:
        """Remove a graph."""

    def triples(self, graph: ox.NamedNode) -> Iterator[ox.Triple]:
        """The triples of a graph."""

    def graphs(self) -> list[ox.NamedNode]:
        """The named graphs."""

    def select(self, query: str) -> list[dict[str, Any]]:
        """The solutions of a SELECT query: variable -> RDF term."""


class Disk:
    """A pyoxigraph store in a folder: one writer at a time; readers see what was there when they began."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.name = str(path)
        self._open: ox.Store | None = None

    @contextmanager
    def session(self) -> Iterator[ox.Store]:
        """Open for writing; inside another session the same store."""
        if self._open is not None:
            yield self._open
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            store = ox.Store(str(self.path))
        except (OSError, RuntimeError) as error:
            raise self._cannot_open(error) from None
        self._open = store
        try:
            yield store
        finally:
            self._open = None
            del store  # the lock is held as long as the object lives

    def check(self) -> None:
        """Refuse a place that is no store and cannot become one, or that another process writes."""
        if self.path.exists() and not self.path.is_dir():
            raise StoreError("is a file, not a store", place=self.name, advice=_USE_STORE)
        if self.path.is_dir() and any(self.path.iterdir()):
            if not (self.path / "CURRENT").exists():
                raise StoreError("is a directory, but not a store", place=self.name, advice=_USE_STORE)
            with self.session():
                pass

    @contextmanager
    def reading(self) -> Iterator[ox.Store]:
        """Open for reading; inside a session the same store."""
        if self._open is not None:
            yield self._open
            return
        if not (self.path / "CURRENT").exists():
            raise StoreError("no such store", place=self.name, advice=f"Make one with {{write_scores()={self.name}}}.")
        try:
            store = ox.Store.read_only(str(self.path))
        except (OSError, RuntimeError) as error:
            raise self._cannot_open(error) from None
        try:
            yield store
        finally:
            del store

    def _cannot_open(self, error: Exception) -> StoreError:
        if "lock" in str(error).lower():  # RocksDB has no other sign
            problem, advice = "another process is writing to the store", "Try again when it has finished."
        else:
            problem, advice = f"cannot be opened as a store ({error})", _USE_STORE
        return StoreError(problem, place=self.name, advice=advice)

    def put(self, graph: ox.NamedNode, triples: Triples) -> None:
        with self.session() as store:
            if store.contains_named_graph(graph):
                # one transaction: readers, and the store after a crash, have the old graph or the new one
                data = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES)
                assert data is not None  # noqa: S101 - there is no file to write into
                store.update(f"DROP SILENT GRAPH {graph}; INSERT DATA {{ GRAPH {graph} {{ {data.decode()} }} }}")
            else:
                store.bulk_extend(ox.Quad(t.subject, t.predicate, t.object, graph) for t in triples)

    def add(self, graph: ox.NamedNode, triples: Triples) -> None:
        with self.session() as store:
            store.extend(ox.Quad(t.subject, t.predicate, t.object, graph) for t in triples)

    def drop(self, graph: ox.NamedNode) -> None:
        with self.session() as store:
            store.remove_graph(graph)

    def triples(self, graph: ox.NamedNode) -> Iterator[ox.Triple]:
        with self.reading() as store:
            for quad in store.quads_for_pattern(None, None, None, graph):
                yield quad.triple

    def graphs(self) -> list[ox.NamedNode]:
        with self.reading() as store:
            return sorted((g for g in store.named_graphs() if isinstance(g, ox.NamedNode)), key=lambda g: g.value)

    def select(self, query: str) -> list[dict[str, Any]]:
        with self.reading() as store:
            return solutions(store, query)


class Memory:
    """A store in memory, for the graphs of a file."""

    session = nullcontext

    def __init__(self, name: str, fill: Callable[[ox.Store], None] | None = None) -> None:
        self.name = name
        self.store = ox.Store()
        if fill is not None:
            fill(self.store)

    def put(self, graph: ox.NamedNode, triples: Triples) -> None:
        self.store.remove_graph(graph)
        self.add(graph, triples)

    def add(self, graph: ox.NamedNode, triples: Triples) -> None:
        self.store.extend(ox.Quad(t.subject, t.predicate, t.object, graph) for t in triples)

    def drop(self, graph: ox.NamedNode) -> None:
        self.store.remove_graph(graph)

    def triples(self, graph: ox.NamedNode) -> Iterator[ox.Triple]:
        for quad in self.store.quads_for_pattern(None, None, None, graph):
            yield quad.triple

    def graphs(self) -> list[ox.NamedNode]:
        return sorted((g for g in self.store.named_graphs() if isinstance(g, ox.NamedNode)), key=lambda g: g.value)

    def select(self, query: str) -> list[dict[str, Any]]:
        return solutions(self.store, query)


def solutions(store: ox.Store, query: str) -> list[dict[str, Any]]:
    """The rows of a SELECT query."""
    results = store.query(query)
    names = [variable.value for variable in results.variables]  # type: ignore[union-attr]
    return [{name: row[name] for name in names} for row in results]  # type: ignore[union-attr]
