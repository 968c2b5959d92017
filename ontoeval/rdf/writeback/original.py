"""The triples of a file, less what we once put there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from ontoeval.errors import LoadError
from ontoeval.load.formats import FORMATS
from ontoeval.load.input import Input
from ontoeval.load.ontologies.rdf import NOWHERE, worded_errors
from ontoeval.load.options import LoadOptions
from ontoeval.rdf.vocabulary import NS, TYPE
from ontoeval.rdf.writeback.iris import PROPERTY, SCORE, is_ours


class Scored(Exception):  # noqa: N818 - no error
    """The file has scores of ours."""


@dataclass
class Original:
    """All triples of a file, less what we once put there."""

    source: Input
    format: str  # one with triples
    base: str | None
    lenient: bool
    removed: int = 0
    kept: int = 0
    prefixes: dict[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        if self.format != "n3":
            return ()
        return ("rules and formulas of N3 cannot be written in other syntaxes and were left out",)

    @property
    def tries(self) -> list[bool]:
        """Strictly, then leniently if allowed."""
        return [False, True] if self.lenient else [False]

    @contextmanager
    def triples(self, *, lenient: bool, scored: bool) -> Iterator[Iterator[ox.Triple]]:
        """The triples in their order, or Scored on the way; with `scored` those of blank nodes come last."""
        self.removed = self.kept = 0
        base = self.base or (Path(self.source.name).resolve().as_uri() if lenient else None)
        with FORMATS[self.format].quads(self.source, LoadOptions(lenient=lenient, base_iri=base)) as quads:
            every = self._absolute(quads) if self.format == "json-ld" else quads
            yield (self._without_scores if scored else self._unscored)(self._worded(every))

    def _worded(self, quads: Iterable[Any]) -> Iterator[ox.Triple]:
        """The parser's errors as ours, but not those of whoever takes the triples."""
        with worded_errors(self.source.name, self.format, source=self.source, lenient=self.lenient):
            every = iter(quads)
            for quad in every:
                self.prefixes.update(_usable(getattr(quads, "prefixes", {})))  # at the top of a file, as a rule
                yield quad.triple
                break
            for quad in every:
                yield quad.triple

    def _absolute(self, quads: Iterable[Any]) -> Iterator[Any]:
        """JSON-LD drops what is relative to nothing, so it was read with a base that is told again from others."""
        for quad in quads:
            if NOWHERE in str(quad):
                raise LoadError(
                    "a relative IRI without a base. Give --base-iri IRI, or --lenient to take the file's address.",
                    path=self.source.name,
                    format=self.format,
                )
            yield quad

    def _unscored(self, triples: Iterator[ox.Triple]) -> Iterator[ox.Triple]:
        """Pass on everything; stop at the first sign of our scores."""
        kept = 0
        for triple in triples:
            predicate = triple.predicate.value
            if predicate.startswith(NS) or (predicate == TYPE.value and is_ours(triple)):
                raise Scored
            kept += 1
            yield triple
        self.kept = kept

    def _without_scores(self, triples: Iterator[ox.Triple]) -> Iterator[ox.Triple]:
        """Pass on what is not ours.

        A blank node turns out to be one of our axioms only when all that is said of it has been read, so what is said
        of blank nodes waits until the end.
        """
        ours: set[Any] = set()
        waiting: dict[Any, list[ox.Triple]] = {}
        for triple in triples:
            if is_ours(triple):
                self.removed += 1
            elif type(triple.subject) is ox.BlankNode:
                waiting.setdefault(triple.subject, []).append(triple)
                if triple.predicate == PROPERTY and str(triple.object)[1:].startswith(SCORE):
                    ours.add(triple.subject)
            else:
                self.kept += 1
                yield triple
        for subject, about in waiting.items():
            if subject in ours:
                self.removed += len(about)
            else:
                self.kept += len(about)
                yield from about


def _usable(prefixes: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for name, iri in prefixes.items():
        try:
            ox.NamedNode(iri)
        except ValueError:
            continue  # a relative one, under --lenient
        found[name] = iri
    return found
