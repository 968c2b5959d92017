"""Values of pairs from any measure, one that is written for the task alone among them; the mean score of a list."""

from __future__ import annotations

import importlib
import math

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.concepts.pairs import PairGrid, PairList
from ontoeval.concepts.space import Space
from ontoeval.measures import Measure, measure, parse
from ontoeval.measures.concepts.pair_scores import PairScores, mean_score, pair_values, value_parts
from ontoeval.measures.registry import Registry
from ontoeval.results import LocalScores, Score

MODULE = importlib.import_module("ontoeval.measures.registry")  # the package has a function of that name, too
BDM, LIN, DISTANCE = parse("BDM"), parse("Lin"), parse("Rada(scale=distance)")  # before the registry is another one
ONTOLOGY = oe.Ontology.from_edges([("a", "r"), ("bb", "r"), ("ccc", "a")])


def share_of_length(task: oe.ConceptPairs, *, silent: bool = False) -> Score:
    """Length of the left name over that of the right: not symmetric."""
    names = task.ontology.hierarchy.iris
    values = [len(names[a]) / len(names[b]) for a, b in zip(task.pairs.left, task.pairs.right, strict=True)]
    return Score(0.5, None if silent else LocalScores("pair", np.arange(len(values)), np.array(values)), {"of": 7})


@pytest.fixture
def by_task(monkeypatch: pytest.MonkeyPatch) -> Measure:
    monkeypatch.setattr(MODULE, "REGISTRY", Registry())
    measure("Length", source="here", dimension="concept similarity", range=(0, math.inf), best=None)(share_of_length)
    return MODULE.REGISTRY.parse("Length")


def ids(*names: str) -> np.ndarray:
    return ONTOLOGY.hierarchy.ids(names)


def test_a_measure_for_the_task_alone_gets_left_and_right(by_task: Measure) -> None:
    space = Space.of(ONTOLOGY)
    pairs = PairList(space, ids("a", "bb", "ccc"), ids("bb", "a", "bb"))
    assert pair_values(by_task, pairs).tolist() == [1 / 2, 2, 3 / 2]
    grid = PairGrid(space, ids("a", "ccc"), ids("a", "bb", "r"))
    assert pair_values(by_task, grid).tolist() == [[1, 1 / 2, 1], [3, 3 / 2, 3]]
    assert value_parts(by_task, pairs) == [{}, {}, {}]


def test_a_measure_without_local_scores_has_no_values(by_task: Measure) -> None:
    silent = by_task.registry.parse("Length(silent=true)")
    values = pair_values(silent, PairList(Space.of(ONTOLOGY), ids("a", "bb"), ids("bb", "a")))
    assert np.isnan(values).tolist() == [True, True]


def test_no_pairs_have_no_values(by_task: Measure) -> None:
    space, some, none = Space.of(ONTOLOGY), ids("a", "r"), ids()
    for chosen in (by_task, BDM):
        assert pair_values(chosen, PairList(space, none, none)).shape == (0,)
        assert pair_values(chosen, PairGrid(space, some, none)).shape == (2, 0)
        assert pair_values(chosen, PairGrid(space, none, some)).shape == (0, 2)


def test_the_score_of_a_task_is_that_of_the_measure(by_task: Measure) -> None:
    task = oe.ConceptPairs(ONTOLOGY, ["a", "bb"], ["bb", "a"])
    assert PairScores.of(task, by_task).score.counts == {"of": 7}
    lin = PairScores.of(task, LIN)
    assert lin.score.counts == {"pairs": 2}
    assert lin.score.value == LIN(task).value
    assert PairScores.of(task, DISTANCE).distance
    assert not lin.distance


def test_the_mean_is_undefined_without_pairs_or_with_one_that_has_no_value() -> None:
    nothing, gap, whole = (mean_score(np.array(values)) for values in ([], [1.0, np.nan, 2.0], [1.0, 2.0, 6.0]))
    assert (nothing.undefined, nothing.counts) == ("no pairs", {})
    assert (gap.undefined, gap.counts) == ("undefined for 1 of 3 pairs", {"pairs": 3})
    assert (whole.value, whole.undefined, whole.counts) == (3.0, None, {"pairs": 3})
    for score, count in ((nothing, 0), (gap, 3), (whole, 3)):
        assert score.local is not None
        assert (score.local.of, score.local.ids.tolist()) == ("pair", [*range(count)])
    assert whole.local is not None
    assert whole.local.values.tolist() == [1.0, 2.0, 6.0]
