"""Several systems side by side: ranks by each measure, and Kendall's tau of graded with binary credit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
import twin_labels
from helpers import near

import ontoeval as oe
from ontoeval.analysis.ranking_agreement import RankingAgreement, rankings_agree
from ontoeval.errors import ParameterError
from ontoeval.evaluation import collect_result
from ontoeval.model.corpus import Corpus
from ontoeval.tasks.extraction import Extraction

TINY = oe.Ontology.from_edges([("a", "r"), ("b", "r"), ("a1", "a"), ("a2", "a"), ("b1", "b"), ("b2", "b")])


def labels(given: Mapping[str, Sequence[str]]) -> Corpus:
    return Corpus.from_labels(given)


def result_of(run: Mapping[str, Sequence[tuple[str, float]]], name: str, measures: Sequence[str]) -> Any:
    task = Extraction(Corpus.from_labels(run, name=name), labels({"d": ["a1", "b1"], "e": ["b2"]}), TINY)
    rows = [(measure, oe.parse(measure), oe.parse(measure)(task)) for measure in measures]
    return collect_result(task, rows, started=datetime.now(UTC))  # type: ignore[arg-type]


def test_rankings_of_systems_are_compared_by_kendalls_tau() -> None:
    measures = ["APrec", "APrec(credit=high, similarity=Rada)", "RPrec", "RPrec(credit=low)", "P_at(k=1)"]
    runs = [
        {"d": [("a2", 2.0), ("a1", 1.0)], "e": [("b2", 1.0)]},
        {"d": [("a1", 2.0), ("b1", 1.0)], "e": [("a", 1.0)]},
        {"d": [("r", 2.0)], "e": [("b2", 1.0), ("b1", 0.5)]},
        {"d": [("b", 2.0), ("a", 1.0)], "e": [("b1", 1.0)]},
    ]
    results = [result_of(run, f"s{number}", measures) for number, run in enumerate(runs)]
    table = rankings_agree(results)
    assert table.systems == ("s0", "s1", "s2", "s3")
    assert table.measures == tuple(measures)
    assert set(table.tau) == {measures[1], measures[3]}
    for column, base in ((1, 0), (3, 2)):
        expected = twin_labels.kendall(table.values[:, base].tolist(), table.values[:, column].tolist())
        assert table.tau[measures[column]] == near(expected)
    for column in range(len(measures)):
        values = [round(v, 12) for v in table.values[:, column].tolist()]
        assert table.ranks[:, column].tolist() == [1 + sum(other > own for other in values) for own in values]
    assert len(table.rows) == 5
    assert all(len(row) == len(table.header) for row in table.rows)
    assert table.to_dict()["kendall"] == dict(table.tau)


def test_tau_of_a_constant_column_is_undefined() -> None:
    results = [result_of({"d": [("a1", 1.0)]}, name, ["APrec", "APrec(credit=low)"]) for name in "xy"]
    table = rankings_agree(results)
    assert table.tau == {"APrec(credit=low)": None}
    assert table.ranks.tolist() == [[1, 1], [1, 1]]


def test_systems_with_other_measures_are_refused() -> None:
    run = {"d": [("a1", 1.0)]}
    with pytest.raises(ParameterError, match="other measures"):
        rankings_agree([result_of(run, "x", ["APrec"]), result_of(run, "y", ["RPrec"])])
    with pytest.raises(ParameterError, match="no result"):
        rankings_agree([])


def test_systems_that_differ_by_rounding_share_a_rank() -> None:
    """The true labels of three documents at ranks 1, 2, 6 and 6, 2, 1: sums in another order."""
    ranks = {"x": (1, 2, 6), "y": (6, 2, 1), "z": (1, 2, 7)}
    documents = "def"
    truth = labels({document: ["a1"] for document in documents})
    found = {}
    for name, places in ranks.items():
        run = {
            document: [*((f"no {i}", 9.0 - i) for i in range(place - 1)), ("a1", 1.0)]
            for document, place in zip(documents, places, strict=True)
        }
        found[name] = oe.evaluate(Extraction(Corpus.from_labels(run, name=name), truth), ["APrec"])
    values = [result["APrec"].value for result in found.values()]
    assert values[0] != values[1]
    assert values == pytest.approx([5 / 9, 5 / 9, 23 / 42], abs=1e-15)
    assert rankings_agree(list(found.values())).ranks.tolist() == [[1], [1], [3]]


@pytest.mark.parametrize(
    ("other", "values", "tau"),
    [
        # d is {a1, b1}, e is {b2}: P@2 of a1 in d alone is 1/4, with credit, too
        ({"d": [("a", 2.0), ("b", 1.0)], "e": [("b", 1.0)]}, (0, 3 / 8), -1),  # each is one edge from a true one: 1/2
        ({"d": [("a", 2.0)]}, (0, 1 / 8), 1),
    ],
)
def test_tau_of_two_systems_says_whether_they_change_places(
    other: dict[str, Any], values: tuple[float, float], tau: int
) -> None:
    measures = ["P_at(k=2)", "P_at(k=2, credit=high, similarity=Rada)"]
    table = rankings_agree([result_of({"d": [("a1", 1.0)]}, "x", measures), result_of(other, "y", measures)])
    np.testing.assert_allclose(table.values, [[1 / 4, 1 / 4], values], rtol=1e-12)
    assert table.tau == {measures[1]: tau}


def test_an_undefined_value_has_neither_value_nor_rank() -> None:
    agreement = RankingAgreement(("x", "y"), ("F",), np.array([[0.5], [np.nan]]), np.array([[1], [0]]), {})
    assert agreement.to_dict()["systems"] == {"x": {"F": {"value": 0.5, "rank": 1}}, "y": {"F": None}}
