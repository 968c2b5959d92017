"""Pairs of concepts in small blocks: what one block leaves behind must not reach the next."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from twin_concepts import Concepts

import ontoeval as oe
from ontoeval.analysis.relate import relate_all
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
        grid = relate_all(ontology, twin.given, measure)
        np.testing.assert_allclose(grid.ravel(), expected, rtol=1e-9, atol=1e-9, equal_nan=True)


@example([(left, 1) for left in range(7)])
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 9)), max_size=30))
def test_blocks_have_bounded_work_and_few_left_concepts(wanted: list[tuple[int, int]]) -> None:
    wanted.sort()
    left, work = (np.array([pair[side] for pair in wanted], dtype=np.int64) for side in (0, 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "BLOCK", 12)
        patch.setattr(pairs, "LINES", 2)
        found = [block.tolist() for block in pairs._blocks(np.arange(len(wanted)), left, work)]
    assert [pair for block in found for pair in block] == [*range(len(wanted))]
    for block in found:
        assert len(block) == 1 or 0 < sum(wanted[pair][1] for pair in block) <= 12
        assert len({wanted[pair][0] for pair in block}) <= 2
