"""The metals of Couto & Silva 2011 and a graph in pieces: the tables of nxontology to their three digits."""

from __future__ import annotations

import re
from math import log
from pathlib import Path

import numpy as np
import pytest
from helpers import tsv_rows

import ontoeval as oe

KINDS = {"intrinsic_ic": "ic=seco", "intrinsic_ic_sanchez": "ic=sanchez, leaf_itself=true"}

Rows = list[dict[str, str]]


def table(shared_data: Path, name: str) -> Rows:
    return tsv_rows(shared_data / "nxontology-metals" / f"similarity_test_{name}.tsv")


def rebuilt(rows: Rows) -> oe.Ontology:
    """The graph of a table: node_0 is one step above node_1 where it subsumes it at depth 1."""
    edges = {
        (row["node_1"], row["node_0"]) for row in rows if row["node_0_subsumes_1"] == "True" and row["depth"] == "1"
    }
    return oe.Ontology.from_edges(sorted(edges), concepts=sorted({row["node_0"] for row in rows}), root="none")


def drawn(shared_data: Path) -> oe.Ontology:
    text = (shared_data / "nxontology-metals" / "metals.dot").read_text(encoding="utf-8")
    edges = [(child, parent) for parent, child in re.findall(r"(\w+) -> (\w+);", text)]
    assert len(edges) == 9
    return oe.Ontology.from_edges(edges)


def check(ontology: oe.Ontology, rows: Rows, metric: str) -> None:
    kind, size = KINDS[metric], len(ontology.hierarchy)
    chosen = [row for row in rows if row["ic_metric"] == metric]
    assert len(chosen) == size**2
    left, right = [row["node_0"] for row in chosen], [row["node_1"] for row in chosen]
    unscale = log(size) if metric == "intrinsic_ic" else 1.0  # that table leaves Seco's IC undivided by ln N

    def related(measure: str) -> np.ndarray:
        return oe.relate(ontology, left, right, measure)

    found = {
        "resnik": related(f"Resnik(scale=raw, {kind})") * unscale,
        "resnik_scaled": related(f"Resnik({kind})"),
        "lin": related(f"Lin({kind})"),
        "jiang": 1 / (1 + related(f"JC(scale=distance, {kind})") * unscale),
        "jiang_seco": related(f"JC({kind})"),
    }
    for column, values in found.items():
        for row, value in zip(chosen, values.tolist(), strict=True):  # printed to three significant digits
            assert float(f"{value + 0.0:.3g}") == float(row[column]), (column, row, value)


@pytest.mark.parametrize("metric", KINDS)
def test_metals(metric: str, shared_data: Path) -> None:
    ontology = drawn(shared_data)
    assert len(ontology.hierarchy) == 8
    check(ontology, table(shared_data, "metal"), metric)
    check(rebuilt(table(shared_data, "metal")), table(shared_data, "metal"), metric)


@pytest.mark.parametrize("metric", KINDS)
def test_a_graph_in_pieces(metric: str, shared_data: Path) -> None:
    rows = table(shared_data, "disconnected")
    ontology = rebuilt(rows)
    assert (len(ontology.hierarchy), ontology.hierarchy.has_root) == (7, False)
    check(ontology, rows, metric)
    apart = [row for row in rows if row["n_common_ancestors"] == "0"]
    left, right = [row["node_0"] for row in apart], [row["node_1"] for row in apart]
    assert apart
    for measure in (f"Resnik({KINDS[metric]})", f"Lin({KINDS[metric]})", f"simGIC({KINDS[metric]})", "WP", "BDM", "LA"):
        assert not oe.relate(ontology, left, right, measure).any(), measure


# By hand: metal 8 below and at it, precious 5, coinage 4, the others 1; ln 8 = 3 ln 2

METALS = [("precious", "metal"), ("coinage", "metal"), ("platinum", "precious"), ("palladium", "precious")]
METALS += [(name, parent) for name in ("gold", "silver") for parent in ("precious", "coinage")] + [
    ("copper", "coinage")
]


def test_metals_by_hand() -> None:
    ontology = oe.Ontology.from_edges(METALS)
    left, right = ["coinage", "gold", "gold", "gold"], ["coinage", "silver", "copper", "platinum"]
    precious = 1 - log(5) / log(8)
    assert oe.relate(ontology, left, right, "Resnik(scale=raw)") == pytest.approx([1 / 3, 1 / 3, 1 / 3, precious])
    assert oe.relate(ontology, left, right, "Lin") == pytest.approx([1, 1 / 3, 1 / 3, precious])
    assert oe.relate(ontology, left, right, "JC") == pytest.approx([1, 1 / 3, 1 / 3, precious])
    # leaves 5; coinage: 3 leaves, 2 subsumers; gold: itself, 4 subsumers
    coinage, gold, copper = log(6 / 2.5), log(6 / 1.25), log(6 / (1 / 3 + 1))
    kind = "ic=sanchez, leaf_itself=true"
    assert oe.relate(ontology, ["gold"], ["copper"], f"Lin({kind})") == pytest.approx([2 * coinage / (gold + copper)])
    assert oe.relate(ontology, ["gold"], ["copper"], f"Resnik({kind})") == pytest.approx([coinage / log(6)])
    # gold: metal 0, precious, coinage 1/3, itself 1; copper: metal, coinage, itself
    shared = (1 / 3) / (1 / 3 + precious + 1 + 1)
    assert oe.relate(ontology, ["gold"], ["copper"], "simGIC") == pytest.approx([shared])
