"""`Store`, `read_scores`, `write_scores`: .trig, .nq files, folder or URL (triples of a result: result_graph.py)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

from ontoeval.errors import LoadError, ParameterError, UnknownRunError, listed
from ontoeval.files import replacing
from ontoeval.load.formats import detect
from ontoeval.load.input import open_input
from ontoeval.load.ontologies.rdf import RDF_FORMATS, quads_of, worded_errors
from ontoeval.model.ontology import Source
from ontoeval.rdf.store.backends import Backend, Memory
from ontoeval.rdf.store.disk import Disk, Waiting, sole_writer, wait_seconds
from ontoeval.rdf.store.endpoint import Endpoint
from ontoeval.rdf.store.queries import TIMEOUT, Answer, answer, value_of
from ontoeval.rdf.store.result_graph import RUN, input_iri, read_result, result_triples, run_iri
from ontoeval.rdf.store.run_rows import COLUMNS
from ontoeval.rdf.vocabulary import BASE, CATALOGUE, PREFIXES, measure_triples
from ontoeval.report.names import with_prefix
from ontoeval.results import EvaluationResult

_FILES = {".trig": ox.RdfFormat.TRIG, ".nq": ox.RdfFormat.N_QUADS}
_URL = ("http://", "https://")
_PLACES_IN_TIME = {"latest": -1, "previous": -2, "first": 0}  # word for a run -> its place among all, by time
_ID, _ID_DIGITS = re.compile(r"[0-9a-f]{32}"), 8  # of a run; of them shown
_NEEDED = ("started", "system", "task", "scores")
_COUNT = re.compile(r"[0-9]{1,18}")


class RunInfo(NamedTuple):
    """A stored evaluation, without its scores."""

    run: str  # IRI
    started: str
    system: str
    task: str
    scores: int
    matched_by: str

    @property
    def id(self) -> str:
        """The end of the IRI."""
        return self.run.removeprefix(RUN)

    @property
    def short(self) -> str:
        """For messages: `e6dda0c0 (oc4)`."""
        return f"{self.id[:8]} ({self.system})"


class Store:
    """Evaluations, each in a named graph, in a folder (pyoxigraph on disk) or at a SPARQL 1.1 endpoint (URL).

    An evaluation is written whole or not at all; the same evaluation again replaces itself.

    Examples
    --------
    >>> import ontoeval as oe
    >>> store = oe.Store("scores")
    >>> store.write(oe.compare("fixtures/dellschaft2006/oc1.ttl", "fixtures/dellschaft2006/or2.ttl"))
    >>> [run.system for run in store.runs()]
    ['oc1']
    >>> store.query("trend", measure="TF_csc").to_frame().shape[0]
    1
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
        """The stored evaluations, the oldest first; LoadError if one is damaged (`delete` removes it)."""
        infos = {}
        for row in self.backend.run_rows():
            info = _run_info(row)
            problem = _problem(row) or ("has a property twice" if info.run in infos else None)
            if problem is not None:
                raise LoadError(
                    f"the run {info.id} {problem}",
                    advice="Write it again, or delete it by its whole id.",
                    path=self.backend.name,
                )
            infos[info.run] = info
        return sorted(infos.values(), key=lambda info: (_time(info.started), info.system, info.run))

    def read(self, run: str | None = None) -> list[EvaluationResult]:
        """All evaluations, or those of a run or system (see `find_all`)."""
        with self.backend.reading():
            infos = self.runs() if run is None else self.find_all(run)
            return [read_result(self.backend.triples(ox.NamedNode(info.run)), path=self.backend.name) for info in infos]

    def find(self, run: str, *, damaged: bool = False) -> RunInfo:
        """The one run of a name (see `find_all`); UnknownRunError if there is none or several.

        `damaged`: also one that cannot be read, if `run` is its whole id or its IRI.
        """
        if damaged:
            for row in self.backend.run_rows():
                info = _run_info(row)
                if run in (info.run, info.id):
                    return info
        infos = self.find_all(run)
        if len(infos) > 1:
            raise self._unknown_run(f"{len(infos):,} runs are called {run!r}", infos)
        return infos[0]

    def find_all(self, run: str) -> list[RunInfo]:
        """The runs of a name: an IRI, the beginning of an id, `latest`, `previous`, `first`, or a system."""
        infos = self.runs()
        if run in _PLACES_IN_TIME:
            place = _PLACES_IN_TIME[run]
            found = [infos[place]] if -len(infos) <= place < len(infos) else []
        else:
            found = [info for info in infos if info.run == run]
            found = found or [info for info in infos if info.system == run or (run and info.id.startswith(run))]
        if not found:
            raise self._unknown_run(f"no run {run!r}", infos)
        return found

    def _unknown_run(self, problem: str, infos: Sequence[RunInfo]) -> UnknownRunError:
        short = short_ids(info.id for info in infos)
        runs = listed(f"{short[info.id]} ({info.system})" for info in infos) or "none"
        return UnknownRunError(problem, place=self.backend.name, advice=f"Runs: {runs}.", parameter="run")

    def delete(self, run: str) -> RunInfo:
        """Remove an evaluation."""
        info = self.find(run, damaged=True)
        self.backend.drop(ox.NamedNode(info.run))
        return info

    def export(self, path: str | Path) -> int:
        """Write all evaluations and the catalogue of measures into a .trig or .nq file; the number of evaluations."""
        with self.backend.reading():
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
                raise _not_rdf(source.name, format, "Convert it, e.g. to Turtle.")
            graph = input_iri(Source(path=source.name, sha256=source.sha256))
            with worded_errors(source.name, format, source=source), quads_of(source, format) as quads:
                triples = [quad.triple for quad in quads]
        finally:
            source.close()
        if not triples:
            raise LoadError("no triples found", advice="Use an ontology.", path=str(path))
        self.backend.put(graph, triples)
        return graph

    def load(self, path: str | Path) -> int:
        """Add the evaluations of a file; one that is there already is replaced. The number of evaluations."""
        other = Store(read_file(path))
        infos = other.runs()
        if not infos:
            raise _no_evaluation(path)
        graphs = {ox.NamedNode(info.run): list(other.backend.triples(ox.NamedNode(info.run))) for info in infos}
        for triples in graphs.values():
            read_result(triples, path=str(path))  # damage is not passed on
        with self.backend.session():
            for graph, triples in graphs.items():
                self.backend.put(graph, triples)
            self._put_catalogue(other.backend.triples(CATALOGUE))
        return len(infos)

    def _put_catalogue(self, more: Iterable[ox.Triple]) -> None:
        """Write the registered measures, and those that only the store or `more` describes."""
        registered = list(measure_triples())
        subjects = {triple.subject for triple in registered}
        stored = list(self.backend.triples(CATALOGUE))
        others = {t for t in (*stored, *more) if t.subject not in subjects}
        if _values(stored) != _values([*registered, *others]):
            self.backend.put(CATALOGUE, [*registered, *sorted(others, key=str)])


def _run_info(row: Mapping[str, Any]) -> RunInfo:
    """A row of `LIST_RUNS`."""
    run, started, system, task, scores, by = (getattr(row[name], "value", "") for name in ("run", *COLUMNS))
    return RunInfo(run, started, system, task, int(scores) if _COUNT.fullmatch(scores) else 0, by)


def _time(started: str) -> float:
    """A time as a number; what is not a time comes last."""
    try:
        time = datetime.fromisoformat(started)
    except ValueError:
        return math.inf
    return time.replace(tzinfo=time.tzinfo or UTC).timestamp()


def _problem(row: Mapping[str, Any]) -> str | None:
    """Why a row of `LIST_RUNS` is not a run as this package writes it."""
    for name in _NEEDED:
        if row[name] is None:
            return f"has no {with_prefix(COLUMNS[name].value, PREFIXES)}"
    return None if _COUNT.fullmatch(getattr(row["scores"], "value", "")) else "has no number of scores"


def _values(triples: Iterable[ox.Triple]) -> set[tuple[Any, ...]]:
    """Triples that can be compared: a store may write the number 1.0 as 1."""
    return {(t.subject, t.predicate, value_of(t.object), getattr(t.object, "datatype", None)) for t in triples}


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """The first 8 digits of each id, or as many as it takes to tell them apart; other IRIs stay as they are."""
    everything = set(ids)
    own = {name for name in everything if _ID.fullmatch(name)}
    digits = _ID_DIGITS
    while len({name[:digits] for name in own}) < len(own):
        digits += 1
    return {name: name[:digits] if name in own else name for name in everything}


def open_store(place: str | Path) -> Store:
    """A store by its folder or URL, or the graphs of a file."""
    return Store(read_file(place) if Path(place).is_file() and not str(place).startswith(_URL) else place)


def _backend(place: str | Path, waiting: Waiting | None = None) -> Backend:
    return Endpoint(str(place)) if str(place).startswith(_URL) else Disk(place, waiting=waiting)


def _not_rdf(path: str, format: str, advice: str) -> LoadError:
    return LoadError(f"not RDF but {format}", advice=advice, path=path, format=format)


def _no_evaluation(path: str | Path) -> LoadError:
    return LoadError("no runs found", advice="Use a file written by {write_scores()}.", path=str(path))


def _checked_base(base: str) -> str:
    try:
        ox.NamedNode(base)
    except ValueError:
        raise ParameterError(
            f"the base {base!r} is not an IRI", advice="Use e.g. https://example.org/terms/.", parameter="base"
        ) from None
    return base


def read_file(path: str | Path) -> Memory:
    """The graphs of an RDF file, opened and checked as ontologies are."""
    source = open_input(path)
    try:
        format = detect(source)
        if format not in RDF_FORMATS:
            raise _not_rdf(source.name, format, "Use a file of scores: .trig or .nq.")

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
    waiting: Waiting | None = None,
) -> None:
    """Add evaluations to a .trig or .nq file, or to a store (a folder or a URL); the same one again replaces itself.

    `waiting` is called with a text if another process writes there for more than a second.
    """
    if Path(place).suffix.lower() not in _FILES:
        Store(_backend(place, waiting)).write(results, base=base, local=local)
        return
    with sole_writer(place, waiting):  # or what another adds meanwhile would be lost
        memory = _known_scores(place)
        Store(memory).write(results, base=base, local=local)
        write_quads(place, memory.store)


def _known_scores(path: str | Path) -> Memory:
    """The evaluations of a file that more are added to; none if it does not exist or is empty."""
    if not Path(path).is_file() or not Path(path).stat().st_size:
        return Memory(str(path))
    memory = read_file(path)
    if not Store(memory).runs():
        raise LoadError("not a file of scores; nothing was added", advice="Choose another name.", path=str(path))
    return memory


def check_place(place: str | Path) -> None:
    """Refuse a file or a store that cannot take evaluations, before they are computed."""
    if not str(place).strip():
        raise ParameterError(
            "the store has no name", advice="Use a directory or the URL of a SPARQL endpoint.", parameter="place"
        )
    wait_seconds()  # refuses what is not a number
    if Path(place).suffix.lower() in _FILES:
        _known_scores(place)
    elif not str(place).startswith(_URL):
        Disk(place).check()


def read_scores(place: str | Path | Store) -> list[EvaluationResult]:
    """The evaluations of a file or a store, the oldest first.

    Examples
    --------
    >>> import ontoeval as oe
    >>> oe.compare("fixtures/dellschaft2006/oc1.ttl", "fixtures/dellschaft2006/or2.ttl").save("scores.trig")
    >>> [result] = oe.read_scores("scores.trig")
    >>> result.system
    'oc1'
    """
    if isinstance(place, Store):
        return place.read()
    if str(place).startswith(_URL) or Path(place).is_dir():
        return Store(place).read()
    results = Store(read_file(place)).read()
    if not results:
        raise _no_evaluation(place)
    return results


def write_quads(path: str | Path, quads: Iterable[ox.Quad]) -> None:
    """Write a .trig or .nq file; what was there is replaced only by a whole file."""
    target = Path(path)
    if target.suffix.lower() not in _FILES:
        raise ParameterError(
            f"unknown suffix {target.suffix!r}",
            place=str(path),
            advice=f"Use one of: {' '.join(_FILES)}.",
            parameter="path",
        )
    format = _FILES[target.suffix.lower()]
    prefixes = PREFIXES if format is ox.RdfFormat.TRIG else None
    with replacing(target) as place, place.open("wb") as stream:
        ox.serialize(_in_order(quads), stream, format=format, prefixes=prefixes)


def _in_order(quads: Iterable[ox.Quad]) -> Iterator[Any]:
    """By graph, then subject: the same evaluations make the same file."""
    return iter(sorted(quads, key=lambda q: (str(q.graph_name), str(q.subject), str(q.predicate), str(q.object))))
