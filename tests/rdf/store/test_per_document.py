"""The scores of documents over runs: two engines against plain Python."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_queries import Engine, Rows, each_engine, memory

import ontoeval as oe
from ontoeval.model.corpus import Corpus
from ontoeval.rdf.store.result_graph import run_iri
from ontoeval.rdf.vocabulary import concept_node
from ontoeval.results import EvaluationResult
from ontoeval.tasks.extraction import Extraction

pytestmark = pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")  # rdflib warns of itself

KEY = {"a": [(0, 3, "x"), (4, 8, "y")], "http://ex.org/b": [(0, 4, "x")], "c d": []}
RESPONSES = {
    "A": {"a": [(0, 3, "x"), (4, 8, "x")], "http://ex.org/b": [(0, 4, "x"), (5, 6, "y")]},
    "B": {"a": [(0, 3, "y")], "c d": [(1, 2, "x")]},
}


def run(system: str, day: int, measures: list[str]) -> EvaluationResult:
    task = Extraction(Corpus.from_spans(RESPONSES[system]), Corpus.from_spans(KEY))
    return replace(oe.evaluate(task, measures, system=system), started=f"2026-11-0{day}T00:00:00Z")


@each_engine
def test_documents_of_all_runs(engine: str) -> None:
    with_single, without = ["F", "P", "Credit(similarity=Flat)"], ["F", "P"]
    runs = [run("A", 2, with_single), run("B", 1, with_single), run("A", 1, without), run("B", 3, ["P"])]
    # (F, annotations: keys and spurious responses, their mean credit) of each document
    known = {
        "A": {"a": (1 / 2, 2, 1 / 2), "http://ex.org/b": (2 / 3, 2, 1 / 2), "c d": (1.0, 0, None)},
        "B": {"a": (0.0, 2, 0.0), "http://ex.org/b": (0.0, 1, 0.0), "c d": (0.0, 1, 0.0)},
    }
    expected: list[tuple[tuple[str, str, str], tuple[object, ...]]] = []
    for result in runs[:3]:
        for document, (value, count, mean) in known[result.system].items():
            single = result is not runs[2]
            iri = concept_node(document).value
            row = (
                iri, document, result.system, run_iri(result).value, value, float(count) if single else 0.0,
                mean if single else None,
            )  # fmt: skip
            expected.append(((iri, result.system, result.started), row))
    rows: Rows = [row for _, row in sorted(expected, key=lambda pair: pair[0])]
    Engine(memory(runs), engine).agree("per-document", rows, measure="F", credit="Credit(similarity=Flat)")
