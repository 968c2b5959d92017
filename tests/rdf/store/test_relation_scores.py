"""The scores of relations by property: two engines against plain Python."""

from __future__ import annotations

import pytest
from test_queries import Engine, Rows, each_engine, memory

import ontoeval as oe
from ontoeval.rdf.vocabulary import concept_node
from ontoeval.results import EvaluationResult

pytestmark = pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")  # rdflib warns of itself

EDGES = [("a", "r"), ("b", "r"), ("c", "r")]


def run(measures: list[str]) -> EvaluationResult:
    learned = oe.Ontology.from_edges(EDGES, relations=[("a", "http://x.org/p", "b"), ("a", "q", "c"), ("b", "q", "c")])
    gold = oe.Ontology.from_edges(
        EDGES, relations=[("a", "q", "c"), ("a", "q", "b"), ("c", "q", "b")], related=[("a", "b")]
    )
    return oe.evaluate(oe.Comparison(learned, gold), measures)


@each_engine
def test_precision_recall_and_f_by_property(engine: str) -> None:
    names = ["RelP", "RelR", "RelF", "RelP(over=all)", "RelF(over=all)"]
    q, related = concept_node("q").value, "http://www.w3.org/2004/02/skos/core#related"
    f = 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)
    rows: Rows = [(q, "q", 1 / 2, 1 / 3, f, 2, 3), (related, "related", 0.0, 0.0, 0.0, 0, 1)]
    Engine(memory([run(names)]), engine).agree("relations", rows)
    every: Rows = [
        (q, "q", 1 / 2, None, f, 2, None),
        ("http://x.org/p", "p", 0.0, None, 0.0, 1, None),
        (related, "related", 0.0, None, 0.0, 0, None),
    ]
    Engine(memory([run(names)]), engine).agree("relations", every, measure="RelF(over=all)")
