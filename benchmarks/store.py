"""Cost of keeping scores as RDF, beside the bare libraries, in one run.

    python benchmarks/store.py                    # 10^6 local scores
    python benchmarks/store.py --scores 100000 --no-rdflib

CPU time (user + system) of one process for each row; the store is on disk in a temporary folder.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyoxigraph as ox

import ontoeval as oe
from ontoeval.rdf.store import Store
from ontoeval.rdf.store.result_graph import result_triples, run_iri
from ontoeval.results import MeasureResult, NamedScores, Names, Score

MEASURES = ("TP_csc", "TR_csc", "TO_csc", "TP_sc", "TR_sc", "LP", "LR", "EdgeP", "EdgeR", "ClosureP")


def cpu(action: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    value = action()
    return time.process_time() - start, value


def made(scores: int, runs: int) -> list[oe.EvaluationResult]:
    """Evaluations with random local scores, `scores` in all: ten measures each over the same concepts."""
    small = oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    bare = oe.evaluate(oe.Comparison(small, small), MEASURES)
    concepts = scores // runs // len(MEASURES)
    iris = [f"http://example.org/concept/{number}" for number in range(concepts)]
    names = Names(iris, lambda c: f"concept {c}")
    random = np.random.default_rng(0)
    found = []
    for run in range(runs):
        own = []
        for score in bare.scores:
            values = random.random(concepts).round(4)
            local = NamedScores("learned", names, np.arange(concepts), values)
            own.append(MeasureResult(score.name, score.measure, Score(float(values.mean())), local))
        day = f"2026-01-{run % 28 + 1:02d}T00:00:00Z"
        found.append(replace(bare, scores=tuple(own), key=f"{run:032x}" * 2, system=f"system {run % 4}", started=day))
    return found


def writing(scores: int, runs: int, folder: Path, with_rdflib: bool) -> Path:
    results = made(scores, runs)
    quads = [
        ox.Quad(t.subject, t.predicate, t.object, run_iri(result)) for result in results for t in result_triples(result)
    ]
    print(f"{scores:,} local scores in {runs} evaluations: {len(quads):,} quads\n")
    print("| writing | CPU s | ratio |\n| --- | ---: | ---: |")
    bare, size = ox.Store(str(folder / "bare")), len(quads) // runs
    base, _ = cpu(lambda: [bare.extend(quads[n * size : (n + 1) * size]) for n in range(runs)])
    print(f"| pyoxigraph, bare extend of the same quads | {base:.1f} | 1 |", flush=True)
    store = Store(folder / "ours")
    ours, _ = cpu(lambda: store.write(results))
    print(f"| ontoeval, quads made on the way | {ours:.1f} | {ours / base:.2f} x |", flush=True)
    if with_rdflib:
        part = quads[: len(quads) // 10]
        slow, _ = cpu(lambda: add_to_rdflib(part))
        print(
            f"| rdflib's Dataset in memory (a tenth, times ten) | {10 * slow:.1f} | {10 * slow / ours:.1f} x ontoeval |"
        )
    return folder / "ours"


def add_to_rdflib(quads: list[ox.Quad]) -> None:
    import rdflib

    dataset = rdflib.Dataset()
    for quad in quads:
        literal = isinstance(quad.object, ox.Literal)
        end = rdflib.Literal(quad.object.value) if literal else rdflib.URIRef(quad.object.value)
        subject, predicate = rdflib.URIRef(quad.subject.value), rdflib.URIRef(quad.predicate.value)
        dataset.add((subject, predicate, end, rdflib.URIRef(quad.graph_name.value)))


def asking(place: Path) -> None:
    """Every named query, through ontoeval's child process and given to pyoxigraph directly."""
    from ontoeval.rdf.store.queries import named_queries

    store = ox.Store.read_only(str(place))
    scan, _ = cpu(lambda: sum(1 for _ in store.quads_for_pattern(None, None, None, None)))
    print(f"\nFull scan of the store: {scan:.1f} CPU s\n")
    print("| query | pyoxigraph, CPU s | ontoeval, CPU s of the child | ratio |\n| --- | ---: | ---: | ---: |")
    ours = Store(place)
    start = min(child_cpu(lambda: ours.query("ASK { ?s ?p ?o }")) for _ in range(3))
    for name, query in named_queries().items():
        given = {"first": "system 0", "second": "system 1"} if name == "two-systems" else {}
        text = query.bound(given, ours).with_prefixes
        base, _ = cpu(lambda: list(store.query(text)))  # noqa: B023
        child = max(0.0, min(child_cpu(lambda: ours.query(name, **given)) for _ in range(3)) - start)  # noqa: B023
        print(f"| {name} | {base:.2f} | {child:.2f} | {child / max(base, 0.01):.2f} x |", flush=True)


def child_cpu(action: Callable[[], Any]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scores", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--no-rdflib", action="store_true")
    options = parser.parse_args()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    print(f"{os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}\n")
    with tempfile.TemporaryDirectory() as folder:
        asking(writing(options.scores, options.runs, Path(folder), not options.no_rdflib))


if __name__ == "__main__":
    main()
