"""`run_rows`: the runs of a pyoxigraph store as rows; `LIST_RUNS`: the same rows by SPARQL, for servers."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import Any

import pyoxigraph as ox

from ontoeval.rdf.vocabulary import COMPLETE, EVALUATION, PREFIXES, STARTED, TYPE, node

STATUS = node("oe:status")
COLUMNS = {
    "started": STARTED, "system": node("oe:system"), "task": node("oe:task"),
    "scores": node("oe:measurementCount"), "by": node("oe:matchedBy"),
}  # fmt: skip
LIST_RUNS = f"""
PREFIX oe: <{PREFIXES["oe"]}>
SELECT ?run {" ".join(f"?{name}" for name in COLUMNS)} WHERE {{ GRAPH ?run {{
  ?run a oe:Evaluation ; oe:status oe:Complete .
  {" ".join(f"OPTIONAL {{ ?run {property} ?{name} }}" for name, property in COLUMNS.items())} }} }}
"""


def run_rows(store: ox.Store) -> list[dict[str, Any]]:
    """A row for each complete run, with None where a property is missing, and further rows if one has more values.

    Not by SPARQL: where a store on disk is damaged, pyoxigraph may sort or join the same error for ever.
    """
    rows = []
    for quad in store.quads_for_pattern(None, TYPE, EVALUATION, None):
        run, graph = quad.subject, quad.graph_name
        if run != graph:
            continue
        values: dict[Any, list[Any]] = defaultdict(list)
        for about in store.quads_for_pattern(run, None, None, graph):
            values[about.predicate].append(about.object)
        if COMPLETE in values[STATUS]:
            of_columns = [values[property][:2] or [None] for property in COLUMNS.values()]
            rows += [{"run": run, **dict(zip(COLUMNS, row, strict=True))} for row in product(*of_columns)]
    return rows
