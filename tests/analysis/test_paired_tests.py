"""Every two results tested: Holm's correction, and which result is better than which."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.analysis.pair_tests import PairTest, better_than, holm
from ontoeval.analysis.significance import p_values, paired_tests
from ontoeval.errors import ParameterError
from ontoeval.evaluation import evaluate
from ontoeval.model.ontology import Ontology
from ontoeval.results import EvaluationResult
from ontoeval.tasks.comparison import Comparison


@pytest.mark.parametrize(
    ("p", "adjusted"),
    [
        ([], []),
        ([0.2], [0.2]),
        # by hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, and 0.04, which may not be below the one before
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.9, 0.4], [1.0, 1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holm_by_hand(p: list[float], adjusted: list[float]) -> None:
    assert holm(p) == pytest.approx(adjusted)


@given(st.lists(st.floats(0, 1), max_size=8), st.floats(0.001, 0.999))
def test_what_is_at_most_the_level_is_what_the_procedure_rejects(p: list[float], level: float) -> None:
    """Holm's procedure: in ascending order reject while p <= level / (hypotheses that are left)."""
    left, rejected = sorted(range(len(p)), key=lambda place: p[place]), set()
    while left and p[left[0]] <= level / len(left):
        rejected.add(left.pop(0))
    for place, value in enumerate(holm(p)):
        if abs(value - level) > 1e-9:
            assert (value <= level) == (place in rejected)


GOLD = Ontology.from_edges([(f"c{n:02}", "root") for n in range(12)] + [(f"d{n:02}", f"c{n:02}") for n in range(12)])
MEASURES = ["LR", "TP_csc", "Motif"]


def learned(count: int) -> EvaluationResult:
    """The first concepts of the gold standard."""
    edges = [(f"c{n:02}", "root") for n in range(count)] + [(f"d{n:02}", f"c{n:02}") for n in range(count)]
    return evaluate(Comparison(Ontology.from_edges(edges), GOLD), MEASURES)


RESULTS = [learned(12), learned(4), learned(11)]


def test_every_pair_has_the_p_of_p_values_and_holms_correction() -> None:
    tests = paired_tests(RESULTS, rounds=500, seed=3)
    assert [(test.measure, test.left, test.right) for test in tests] == [
        (measure, *pair) for measure in MEASURES for pair in ((0, 1), (0, 2), (1, 2))
    ]
    for test in tests:
        plain = p_values(RESULTS[test.left], RESULTS[test.right], rounds=500, seed=3)
        assert test.p == plain[test.measure]
        assert (test.p_adjusted is None) == (test.n is None) == (test.measure == "Motif")
    recalls = [test for test in tests if test.measure == "LR"]
    assert [test.difference for test in recalls] == pytest.approx([16 / 25, 2 / 25, -14 / 25])
    assert [test.n for test in recalls] == [25, 25, 25]
    assert [test.p_adjusted for test in recalls] == holm([test.p for test in recalls if test.p is not None])


def test_only_some_measures_and_only_against_one() -> None:
    tests = paired_tests(RESULTS, measures=["LR"], baseline=2, rounds=500)
    assert [(test.measure, test.left, test.right) for test in tests] == [("LR", 0, 2), ("LR", 1, 2)]
    assert [test.p_adjusted for test in tests] == holm([test.p for test in tests if test.p is not None])


def test_who_is_better_than_whom() -> None:
    # 2^-16 for the sixteen concepts that the second lacks; two that the third lacks may be chance
    better = better_than(paired_tests(RESULTS, rounds=2000), RESULTS)
    assert better == {(0, "LR"): [1], (2, "LR"): [1]}
    assert better_than([PairTest("LR", 0, 2, 0.1, 0.01, 0.05, 25)], RESULTS) == {}  # not below .05
    assert better_than([PairTest("LR", 0, 2, 0.1, 0.01, 0.049, 25)], RESULTS) == {(0, "LR"): [2]}
    assert better_than([PairTest("LR", 2, 0, -0.1, 0.01, 0.049, 25)], RESULTS) == {(0, "LR"): [2]}


def test_an_undefined_score_has_no_difference() -> None:
    gold = Ontology.from_edges([("a", "b"), ("c", "d")], root="none")
    sides = [Ontology.from_edges(edges, root="none") for edges in ([("a", "b")], [("c", "d")])]
    results = [evaluate(Comparison(side, gold), ["CFM", "LR"]) for side in sides]
    assert results[0]["CFM"].undefined  # no root, where the paths would start
    undefined, recall = paired_tests(results, rounds=10)
    assert undefined == PairTest("CFM", 0, 1, None, None, None, None, rounds=10)
    assert (recall.difference, recall.p, recall.n) == (0.0, 1.0, 4)
    assert better_than([undefined, recall], results) == {}


def test_bad_rounds_are_refused() -> None:
    with pytest.raises(ParameterError, match="rounds"):
        paired_tests(RESULTS, rounds=0)
