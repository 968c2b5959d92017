"""Intervals and paired tests over documents, against all draws and all exchanges of a few of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.analysis.significance import confidence, differences, p_values
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.model.corpus import Corpus
from ontoeval.results import EvaluationResult
from ontoeval.tasks.extraction import Extraction

# (right, responses, keys) of the documents of two systems; the keys are the same
LEFT = [(2, 3, 3), (0, 1, 2), (4, 4, 4), (1, 2, 1)]
RIGHT = [(1, 3, 3), (1, 1, 2), (0, 2, 4), (1, 1, 1)]
Counts = Sequence[tuple[int, int, int]]


def corpus(counts: Counts, *, key: bool) -> Corpus:
    """Spans one after the other: the first ones are right, other responses stand where no key is."""
    made = {}
    for number, (right, responses, keys) in enumerate(counts):
        places = range(keys) if key else [*range(right), *range(100, 100 + responses - right)]
        made[f"d{number}"] = [(place, place + 1, "x") for place in places]
    return Corpus.from_spans(made)


def result(counts: Counts, measures: Sequence[str] = ("P", "R", "F", "F(average=macro)")) -> EvaluationResult:
    return oe.evaluate(Extraction(corpus(counts, key=False), corpus(counts, key=True)), measures)


def value(counts: Counts, measure: str) -> float:
    """By hand; every document has keys and responses."""
    if measure == "F(average=macro)":
        return float(np.mean([2 * right / (responses + keys) for right, responses, keys in counts]))
    right, responses, keys = (sum(column) for column in zip(*counts, strict=True))
    return right / {"P": responses, "R": keys, "F": (responses + keys) / 2}[measure]


def test_the_p_of_all_exchanges() -> None:
    found = p_values(result(LEFT), result(RIGHT), rounds=20_000)
    for name, p in found.items():
        observed = abs(value(LEFT, name) - value(RIGHT, name))
        extreme = 0
        for swaps in product((False, True), repeat=len(LEFT)):
            sides = [
                [b if swap else a for a, b, swap in zip(one, other, swaps, strict=True)]
                for one, other in ((LEFT, RIGHT), (RIGHT, LEFT))
            ]
            extreme += abs(value(sides[0], name) - value(sides[1], name)) >= observed - 1e-12
        assert p == pytest.approx(extreme / 2 ** len(LEFT), abs=0.015)


def test_the_interval_of_all_draws() -> None:
    found = differences(result(LEFT), result(RIGHT), draws=20_000, rounds=10, level=0.8)
    for name, one in found.items():
        assert one is not None
        assert one.value == pytest.approx(value(LEFT, name) - value(RIGHT, name))
        drawn = []
        for choice in product(range(len(LEFT)), repeat=len(LEFT)):
            drawn.append(value([LEFT[i] for i in choice], name) - value([RIGHT[i] for i in choice], name))
        assert one.interval == pytest.approx(np.quantile(drawn, [0.1, 0.9]), abs=0.02)
        assert one.p == p_values(result(LEFT), result(RIGHT), rounds=10)[name]


def test_the_interval_of_one_system() -> None:
    for score in confidence(result(LEFT), rounds=20_000, level=0.8):
        drawn = [value([LEFT[i] for i in choice], score.name) for choice in product(range(4), repeat=4)]
        assert score.interval == pytest.approx(np.quantile(drawn, [0.1, 0.9]), abs=0.02)


def test_annotations_are_drawn_with_their_documents() -> None:
    """Credit has a value for each annotation, and documents are what is drawn: its interval is that of their sums."""
    ((score,),) = [confidence(result(LEFT, ["Credit(similarity=Flat)"]), rounds=20_000, level=0.8).scores]
    drawn = []
    for choice in product(range(4), repeat=4):
        right, responses, keys = (sum(column) for column in zip(*(LEFT[i] for i in choice), strict=True))
        drawn.append(right / (responses + keys - right))
    assert score.value == pytest.approx(7 / (10 + 10 - 7))
    assert score.interval == pytest.approx(np.quantile(drawn, [0.1, 0.9]), abs=0.02)


def test_documents_go_together_by_name() -> None:
    """A document that one system alone has is numbered otherwise by the other's task."""
    key = Corpus.from_spans({f"d{n}": [(0, 1, "x")] for n in range(6)})
    right = Corpus.from_spans({f"d{n}": [(0, 1, "x")] for n in range(6)})
    more = Corpus.from_spans({"a": [], **{f"d{n}": [(0, 1, "x")] for n in range(6)}})
    results = [oe.evaluate(Extraction(response, key), "R") for response in (right, more)]
    assert differences(*results, rounds=50, draws=50) == {"R": (0.0, (0.0, 0.0), 1.0)}


def test_what_is_no_mean_over_documents_has_no_interval() -> None:
    results = [result(counts, ["Kappa", "P"]) for counts in (LEFT, RIGHT)]
    assert differences(*results, rounds=10, draws=10)["Kappa"] is None
    assert p_values(*results, rounds=10)["Kappa"] is None


def test_another_key_and_scores_alone_are_refused() -> None:
    other = [(right, responses, keys + 1) for right, responses, keys in RIGHT]
    with pytest.raises(ParameterError) as error:
        differences(result(LEFT), result(other))
    assert str(error.value) == "the two results have different gold standards. Score both against the same one."
    bare: Any = replace(result(LEFT), subject=None)
    with pytest.raises(MissingInputError) as missing:
        confidence(bare)
    assert str(missing.value) == "the annotations are needed, but only scores were read. Evaluate them again."
    for options, text in (
        ({"draws": 0}, "rounds must be a whole number >= 1, not 0. Use e.g. 1000."),
        ({"level": 95}, "level must be a number > 0 and < 1, not 95. Use e.g. 0.95."),
    ):
        with pytest.raises(ParameterError) as error:
            differences(result(LEFT), result(RIGHT), **options)  # type: ignore[arg-type]
        assert str(error.value) == text
