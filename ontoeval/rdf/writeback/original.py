"""`Original`: triples of the judged file without earlier scores (our triples are known by iris.py); lenient tries."""

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
from ontoeval.rdf.writeback.iris import PROPERTY, SCORE, is_written_back


class HasScores(Exception):  # noqa: N818 - no error
    """The file has scores of ontoeval, so that reading starts again."""


@dataclass
class Original:
    """All triples of a file, without scores of ontoeval."""

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
        return ("left out: rules and formulas of N3 (other syntaxes cannot hold them)",)

    @property
    def tries(self) -> list[bool]:
        """Values of `lenient` to read with: strictly, then leniently if allowed."""
        return [False, True] if self.lenient else [False]

    @contextmanager
    def triples(self, *, lenient: bool, scored: bool) -> Iterator[Iterator[ox.Triple]]:
        """The triples in their order, or `HasScores` at the first score; with `scored` the blank nodes come last."""
        self.removed = self.kept = 0
        base = self.base or (Path(self.source.name).resolve().as_uri() if lenient else None)
        with FORMATS[self.format].quads(self.source, LoadOptions(lenient=lenient, base_iri=base)) as quads:
            every = self._absolute(quads) if self.format == "json-ld" else quads
            yield (self._without_scores if scored else self._until_scored)(self._with_worded_errors(every))

    def _with_worded_errors(self, quads: Iterable[Any]) -> Iterator[ox.Triple]:
        """Triples with the parser's errors as errors of ontoeval, but not those of the code that takes the triples."""
        with worded_errors(self.source.name, self.format, source=self.source, lenient=self.lenient):
            every = iter(quads)
            for quad in every:
                self.prefixes.update(_valid(getattr(quads, "prefixes", {})))  # usually at the top of a file
                yield quad.triple
                break
            for quad in every:
                yield quad.triple

    def _absolute(self, quads: Iterable[Any]) -> Iterator[Any]:
        """Refuse IRIs without a base: JSON-LD drops them, so it is read with a base that nothing else has."""
        for quad in quads:
            if NOWHERE in str(quad):
                raise LoadError(
                    "a relative IRI without a base",
                    advice="Set {base_iri=IRI}, or {lenient=True} to use the file's address.",
                    parameter="base_iri",
                    path=self.source.name,
                    format=self.format,
                )
            yield quad

    def _until_scored(self, triples: Iterator[ox.Triple]) -> Iterator[ox.Triple]:
        """Pass on everything; stop at the first sign of scores."""
        kept = 0
        for triple in triples:
            predicate = triple.predicate.value
            if predicate.startswith(NS) or (predicate == TYPE.value and is_written_back(triple)):
                raise HasScores
            kept += 1
            yield triple
        self.kept = kept

    def _without_scores(self, triples: Iterator[ox.Triple]) -> Iterator[ox.Triple]:
        """Pass on what ontoeval did not write.

        Whether a blank node is an axiom about a score shows only when all its triples have been read, so the triples of
        blank nodes wait until the end.
        """
        axioms: set[Any] = set()
        waiting: dict[Any, list[ox.Triple]] = {}
        for triple in triples:
            if is_written_back(triple):
                self.removed += 1
            elif type(triple.subject) is ox.BlankNode:
                waiting.setdefault(triple.subject, []).append(triple)
                if triple.predicate == PROPERTY and str(triple.object)[1:].startswith(SCORE):
                    axioms.add(triple.subject)
            else:
                self.kept += 1
                yield triple
        for subject, statements in waiting.items():
            if subject in axioms:
                self.removed += len(statements)
            else:
                self.kept += len(statements)
                yield from statements


def _valid(prefixes: Mapping[str, str]) -> dict[str, str]:
    valid = {}
    for name, iri in prefixes.items():
        try:
            ox.NamedNode(iri)
        except ValueError:
            continue  # a relative IRI, in a file that is read leniently
        valid[name] = iri
    return valid
