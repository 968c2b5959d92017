"""Pairs of concepts in small blocks: what one block leaves behind must not reach the next."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from twin_concepts import Concepts

import ontoeval as oe
from ontoeval.concepts import pairs

MEASURES = ["Resnik", "Lin", "JC", "simGIC", "WP", "LA", "BDM", "Rada", "LC(scale=raw, paths=common-ancestor)"]


def forest_of_dags(seed: int) -> list[tuple[str, str]]:
    """Two parts under different roots, so that many pairs have no ancestor in common."""
    chance = random.Random(seed)
    edges = []
    for root in "pq":
        names = [f"{root}{i}" for i in range(7)]
        for i, name in enumerate(names[1:], 1):
            edges += [(name, parent) for parent in chance.sample(names[:i], min(i, chance.randint(1, 2)))]
    return edges


@pytest.mark.parametrize("measure", MEASURES)
def test_values_in_blocks_of_one_pair_are_the_twins(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "BLOCK", 1)
    for seed in range(5):
        edges = forest_of_dags(seed)
        ontology, twin = oe.Ontology.from_edges(edges), Concepts(edges)
        both = list(product(twin.given, twin.given))
        expected = [twin(measure, a, b) for a, b in both]
        values = oe.relate(ontology, [a for a, _ in both], [b for _, b in both], measure)
        np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9, equal_nan=True)
        grid = oe.relate_all(ontology, twin.given, measure)
        np.testing.assert_allclose(grid.ravel(), expected, rtol=1e-9, atol=1e-9, equal_nan=True)
