"""Which samples are too small: against all exchanges of a few documents, and by hand."""

from __future__ import annotations

from itertools import product

import pytest

import ontoeval as oe
from ontoeval.analysis.sample_sizes import rough_intervals, unreachable_tests
from ontoeval.analysis.significance import confidence, paired_tests
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.results import EvaluationResult
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.extraction import Extraction


def scored(right: int, size: int) -> EvaluationResult:
    """R over documents with one gold annotation each, of which the first ones were found."""
    documents = [f"d{n:02d}" for n in range(size)]
    spans = {name: [(0, 1, "x")] if n < right else [] for n, name in enumerate(documents)}
    gold = {name: [(0, 1, "x")] for name in documents}
    return oe.evaluate(Extraction(Corpus.from_spans(spans), Corpus.from_spans(gold)), ["R"])


def smallest_p(size: int) -> float:
    """Of all exchanges between one that finds everything and one that finds nothing: none can be further apart."""
    extreme = sum(abs(sum(signs)) == size for signs in product((1, -1), repeat=size))
    return float(extreme) / 2**size


@pytest.mark.parametrize("size", range(1, 8))
def test_the_smallest_p_is_that_of_all_exchanges(size: int) -> None:
    tests = paired_tests([scored(size, size), scored(0, size)], rounds=4000)
    smallest = smallest_p(size)
    assert tests[0].p == pytest.approx(smallest, abs=0.03)
    found = unreachable_tests(tests)
    if size >= 6:  # 2 / 2^6 = 0.031
        assert found == []
    else:
        assert found == [(("R",), "document", size, 4000, 1, smallest)]


def test_holms_correction_and_few_rounds_raise_it() -> None:
    results = [scored(right, 6) for right in (6, 0, 3)]
    (few,) = unreachable_tests(paired_tests(results, rounds=2000))
    assert (few.pairs, few.smallest) == (3, 3 * 2 / 64)
    assert unreachable_tests(paired_tests(results, baseline=0, rounds=2000))[0].smallest == 2 * 2 / 64
    (few,) = unreachable_tests(paired_tests([scored(12, 12), scored(0, 12)], rounds=10))
    assert (few.n, few.smallest) == (None, 1 / 11)


def test_units_are_what_a_measure_is_an_average_over() -> None:
    """Of LR all three gold concepts, of tr_csc the common ones; an instance is not a concept."""
    instances = {"i": "a", "j": "b", "k": "c"}
    gold = Ontology.from_edges([("a", "c"), ("b", "c")], instances=instances)
    learned = [Ontology.from_edges([edge], instances=instances) for edge in (("a", "c"), ("b", "c"))]
    results = [oe.evaluate(Comparison(one, gold), ["LR", "ITF"]) for one in learned]
    assert {test.measure: (test.unit, test.n) for test in paired_tests(results, rounds=10) if test.p is not None} == {
        "LR": ("concept", 3),
        "ITF": ("instance", 3),
    }
    assert rough_intervals(results) == []  # there are none
    drawn = [confidence(result, rounds=10) for result in results]
    assert rough_intervals(drawn) == [(("LR",), "concept", 3, 3), (("ITF",), "instance", 3, 3)]
    assert rough_intervals(drawn, fewest=3) == []
    documents = [confidence(scored(2, size), rounds=10) for size in (4, 9, 10)]
    assert rough_intervals(documents) == [(("R",), "document", 4, 9)]
