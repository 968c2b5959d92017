"""Evaluations in files, in a store on disk or behind an endpoint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

from ontoeval.errors import LoadError, ParameterError, UnknownConceptError, listed
from ontoeval.files import replacing
from ontoeval.load.formats import detect
from ontoeval.load.input import open_input
from ontoeval.load.ontologies.rdf import RDF_FORMATS, quads_of, worded_errors
from ontoeval.model.ontology import Source
from ontoeval.rdf.store.backends import Backend, Disk, Memory
from ontoeval.rdf.store.queries import TIMEOUT, Answer, answer
from ontoeval.rdf.store.result_graph import BASE, RUN, input_iri, read_result, result_triples, run_iri
from ontoeval.rdf.vocabulary import CATALOGUE, PREFIXES, measure_triples
from ontoeval.results import EvaluationResult

_FILES = {".trig": ox.RdfFormat.TRIG, ".nq": ox.RdfFormat.N_QUADS}
_LIST = f"""
PREFIX oe: <{PREFIXES["oe"]}> PREFIX prov: <{PREFIXES["prov"]}>
SELECT ?run ?started ?system ?task ?scores ?by WHERE {{ GRAPH ?run {{
  ?run a oe:Evaluation ; prov:startedAtTime ?started ; oe:system ?system ; oe:task ?task ; oe:measurementCount ?scores ;
    oe:status oe:Complete . OPTIONAL {{ ?run oe:matchedBy ?by }} }} }} ORDER BY ?started ?system ?run
"""


class RunInfo(NamedTuple):
    """One stored evaluation, in short."""

    run: str  # IRI
    started: str
    system: str
    task: str
    scores: int
    matched_by: str

    @property
    def id(self) -> str:
        """What to call it on the command line."""
        return self.run.removeprefix(RUN)


class Store:
    """Evaluations by the graph: a folder (pyoxigraph on disk) or the URL of a SPARQL 1.1 endpoint.

    An evaluation is written whole or not at all; the same evaluation again replaces itself.
    """

    def __init__(self, place: str | Path | Backend) -> None:
        self.backend: Backend = _backend(place) if isinstance(place, str | Path) else place

    def __repr__(self) -> str:
        return f"<Store {self.backend.name}>"

    def write(
        self, results: EvaluationResult | Iterable[EvaluationResult], *, base: str = BASE, local: bool = True
    ) -> None:
        """Add evaluations, or replace them; `local=False` leaves the scores of single concepts out."""
        with self.backend.session():
            for result in [results] if isinstance(results, EvaluationResult) else results:
                self.backend.put(run_iri(result), result_triples(result, base=_checked_base(base), local=local))
            self._put_catalogue(())

    def runs(self) -> list[RunInfo]:
        """What is there, the oldest first."""
        return [
            RunInfo(
                row["run"].value,
                row["started"].value,
                row["system"].value,
                row["task"].value,
                int(row["scores"].value),
                "" if row["by"] is None else row["by"].value,
            )
            for row in self.backend.select(_LIST)
        ]

    def read(self, run: str | None = None) -> list[EvaluationResult]:
        """All evaluations, or the one of a run (its IRI, or the beginning of its id)."""
        chosen = self.runs() if run is None else [self.find(run)]
        return [read_result(self.backend.triples(ox.NamedNode(info.run)), path=self.backend.name) for info in chosen]

    def find(self, run: str) -> RunInfo:
        """The evaluation of an IRI or of the beginning of an id; UnknownConceptError if there is none or several."""
        known = self.runs()
        found = [info for info in known if info.run == run] or [info for info in known if info.id.startswith(run)]
        if len(found) == 1:
            return found[0]
        what = f"{len(found)} evaluations begin with {run!r}" if found else f"there is no evaluation {run!r}"
        there = listed(info.id for info in found or known) or "none"
        raise UnknownConceptError(f"{self.backend.name}: {what}. There is: {there}.")

    def delete(self, run: str) -> RunInfo:
        """Remove an evaluation."""
        info = self.find(run)
        self.backend.drop(ox.NamedNode(info.run))
        return info

    def export(self, path: str | Path) -> int:
        """Write all evaluations and the catalogue of measures into a .trig or .nq file; the number of evaluations."""
        graphs = [CATALOGUE, *(ox.NamedNode(info.run) for info in self.runs())]
        write_quads(
            path, (ox.Quad(t.subject, t.predicate, t.object, g) for g in graphs for t in self.backend.triples(g))
        )
        return len(graphs) - 1

    def query(self, query: str, *, timeout: float = TIMEOUT, **parameters: object) -> Answer:
        """Ask in SPARQL: the name of a query that comes with the package, a file that ends in .rq, or the text itself.

        The answer is a sequence of dicts. A query that runs longer than `timeout` seconds is ended.
        """
        return answer(self, query, parameters, timeout=timeout)

    def add_ontology(self, path: str | Path) -> ox.NamedNode:
        """Put the triples of an RDF file into the graph of this input, so that queries find labels and parents."""
        source = open_input(path)
        try:
            format = detect(source)
            if format not in RDF_FORMATS:
                raise LoadError("this is no RDF. Convert it, for instance to Turtle.", path=source.name, format=format)
            graph = input_iri(Source(path=source.name, sha256=source.sha256))
            with worded_errors(source.name, format, source=source), quads_of(source, format) as quads:
                triples = [quad.triple for quad in quads]
        finally:
            source.close()
        if not triples:
            raise LoadError("there are no triples in it. Give an ontology.", path=str(path))
        self.backend.put(graph, triples)
        return graph

    def load(self, path: str | Path) -> int:
        """Add the evaluations of a file; one that is there already is replaced. The number of evaluations."""
        other = Store(read_file(path))
        infos = other.runs()
        if not infos:
            raise LoadError("there is no evaluation in it. Give a file that `-o` wrote.", path=str(path))
        with self.backend.session():
            for info in infos:
                graph = ox.NamedNode(info.run)
                self.backend.put(graph, list(other.backend.triples(graph)))
            self._put_catalogue(other.backend.triples(CATALOGUE))
        return len(infos)

    def _put_catalogue(self, more: Iterable[ox.Triple]) -> None:
        """The measures that are registered here, and what is known of others from here or from elsewhere."""
        ours = list(measure_triples())
        known = {triple.subject for triple in ours}
        others = {t for t in (*self.backend.triples(CATALOGUE), *more) if t.subject not in known}
        self.backend.put(CATALOGUE, [*ours, *sorted(others, key=str)])


def _backend(place: str | Path) -> Backend:
    if str(place).startswith(("http://", "https://")):
        from ontoeval.rdf.store.endpoint import Endpoint

        return Endpoint(str(place))
    return Disk(place)


def _checked_base(base: str) -> str:
    try:
        ox.NamedNode(base)
    except ValueError:
        raise ParameterError(f"the base {base!r} is no IRI. For instance: https://example.org/terms/.") from None
    return base


def read_file(path: str | Path) -> Memory:
    """The graphs of an RDF file, through the same front door as ontologies."""
    source = open_input(path)
    try:
        format = detect(source)
        if format not in RDF_FORMATS:
            raise LoadError("this is no RDF. Give a file of scores: .trig or .nq.", path=source.name, format=format)

        def fill(store: ox.Store) -> None:
            with worded_errors(source.name, format, source=source), quads_of(source, format) as quads:
                store.bulk_extend(quads)

        return Memory(source.name, fill)
    finally:
        source.close()


def write_scores(
    results: EvaluationResult | Sequence[EvaluationResult],
    place: str | Path,
    *,
    base: str = BASE,
    local: bool = True,
) -> None:
    """Add evaluations to a .trig or .nq file, or to a store (a folder or a URL); the same one again replaces itself."""
    if Path(place).suffix.lower() not in _FILES:
        Store(place).write(results, base=base, local=local)
        return
    memory = _known_scores(place)
    Store(memory).write(results, base=base, local=local)
    write_quads(place, memory.store)


def _known_scores(path: str | Path) -> Memory:
    """The evaluations of a file that more are added to; nothing if it is not there yet, or empty."""
    if not Path(path).is_file() or not Path(path).stat().st_size:
        return Memory(str(path))
    memory = read_file(path)
    if not Store(memory).runs():
        raise LoadError("this is no file of scores, so nothing is added to it. Give another name.", path=str(path))
    return memory


def check_place(place: str | Path) -> None:
    """Refuse a file or a store that cannot take evaluations, before they are computed."""
    if not str(place).strip():
        raise ParameterError("the store has no name. Give a folder or the URL of an endpoint.")
    if Path(place).suffix.lower() in _FILES:
        _known_scores(place)
    elif not str(place).startswith(("http://", "https://")):
        Disk(place).check()


def read_scores(place: str | Path | Store) -> list[EvaluationResult]:
    """The evaluations of a file or a store, the oldest first."""
    if isinstance(place, Store):
        return place.read()
    if str(place).startswith(("http://", "https://")) or Path(place).is_dir():
        return Store(place).read()
    found = Store(read_file(place)).read()
    if not found:
        raise LoadError("there is no evaluation in it. Give a file that `-o` wrote.", path=str(place))
    return found


def write_quads(path: str | Path, quads: Iterable[ox.Quad]) -> None:
    """Write beside the target, then rename."""
    target = Path(path)
    if target.suffix.lower() not in _FILES:
        raise ParameterError(f"{path}: cannot tell the format. Give a name that ends in {listed(_FILES)}.")
    format = _FILES[target.suffix.lower()]
    prefixes = PREFIXES if format is ox.RdfFormat.TRIG else None
    with replacing(target) as place, place.open("wb") as stream:
        ox.serialize(_sorted(quads), stream, format=format, prefixes=prefixes)


def _sorted(quads: Iterable[ox.Quad]) -> Iterator[Any]:
    """By graph, then subject: the same evaluations make the same file."""
    return iter(sorted(quads, key=lambda q: (str(q.graph_name), str(q.subject), str(q.predicate), str(q.object))))
