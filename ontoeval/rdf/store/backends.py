"""`Backend`: interface of a place of named graphs; `Memory` (folder: disk.py, server: endpoint.py)."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

import pyoxigraph as ox

from ontoeval.errors import ParameterError
from ontoeval.rdf.store.run_rows import run_rows

Triples = Iterable[ox.Triple]


class Backend(Protocol):
    """Named graphs that are put, read and dropped whole."""

    name: str

    def session(self) -> AbstractContextManager[Any]:
        """Hold the place open over several writes."""

    def reading(self) -> AbstractContextManager[Any]:
        """Hold the place open over several reads."""

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

    def run_rows(self) -> list[dict[str, Any]]:
        """What `LIST_RUNS` asks for: variable -> RDF term, in any order."""


class Memory:
    """A store in memory, for the graphs of a file."""

    session = reading = nullcontext

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

    def run_rows(self) -> list[dict[str, Any]]:
        return run_rows(self.store)


def seconds_in(variable: str, default: float) -> float:
    """The seconds that a variable of the environment sets."""
    text = os.environ.get(variable, "")
    if not text:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ParameterError(f"{variable} must be a number of seconds > 0, not {text!r}", advice="Use e.g. 300.")
    return seconds
