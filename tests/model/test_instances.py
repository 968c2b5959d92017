"""Which instances sit on which concepts, and how strongly."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import instances, shuffles

from ontoeval.errors import ParameterError
from ontoeval.model.instances import InstanceAssignment, assigned_rows, checked_strength

Row = tuple[str, int, float]
SIZE = 5
ROWS = st.lists(
    st.tuples(st.sampled_from(["i", "j", "k", "Ä"]), st.integers(0, SIZE - 1), st.sampled_from([0.25, 0.5, 1.0])),
    min_size=1,
    max_size=12,
)


def strengths(assignment: InstanceAssignment) -> dict[tuple[str, int], float]:
    matrix = assignment.strength.tocoo()
    cells = zip(matrix.coords[0].tolist(), matrix.coords[1].tolist(), matrix.data.tolist(), strict=True)
    return {(assignment.iris[i], c): s for i, c, s in cells}


def made(rows: list[Row]) -> InstanceAssignment:
    assignment = InstanceAssignment.build(rows, SIZE)
    assert assignment is not None
    return assignment


@given(ROWS)
def test_of_repeated_assignments_the_strongest_counts(rows: list[Row]) -> None:
    expected: dict[tuple[str, int], float] = {}
    for instance, concept, strength in rows:
        expected[instance, concept] = max(strength, expected.get((instance, concept), 0.0))
    assert strengths(made(rows)) == expected


@given(ROWS, shuffles())
def test_instances_are_sorted_whatever_the_order_of_the_rows(rows: list[Row], shuffle: random.Random) -> None:
    one, other = made(rows), made(shuffle.sample(rows, len(rows)))
    assert one.iris == other.iris == tuple(sorted({row[0] for row in rows}))
    assert len(one) == len(one.iris)
    for column in ("indptr", "indices", "data"):
        assert getattr(one.strength, column).tolist() == getattr(other.strength, column).tolist()


@given(ROWS)
def test_matrix_has_a_row_for_each_instance_and_a_column_for_each_concept(rows: list[Row]) -> None:
    matrix = made(rows).strength
    assert matrix.shape == (len({row[0] for row in rows}), SIZE)
    assert matrix.dtype == np.float64
    assert matrix.has_sorted_indices


@given(ROWS)
def test_strict_means_every_instance_on_exactly_one_concept(rows: list[Row]) -> None:
    concepts = {instance: {c for i, c, _ in rows if i == instance} for instance, _, _ in rows}
    assert made(rows).strict == all(len(on) == 1 for on in concepts.values())


def test_without_rows_there_is_no_assignment() -> None:
    assert InstanceAssignment.build([], 3) is None


@pytest.mark.parametrize("key", ["data", "indices", "indptr"])
def test_strengths_are_read_only(key: str) -> None:
    array = getattr(made([("i", 0, 1.0)]).strength, key)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


# mappings


def test_instance_on_one_concept() -> None:
    assert list(assigned_rows({"i": "car"})) == [("i", "car", 1.0)]


def test_instance_on_several_concepts() -> None:
    assert list(assigned_rows({"i": ["car", "van"]})) == [("i", "car", 1.0), ("i", "van", 1.0)]
    assert sorted(assigned_rows({"i": {"car", "van"}})) == [("i", "car", 1.0), ("i", "van", 1.0)]


def test_instance_on_concepts_with_strengths() -> None:
    rows = list(assigned_rows({"i": {"car": 0.5, "van": 1}}))
    assert rows == [("i", "car", 0.5), ("i", "van", 1.0)]
    assert isinstance(rows[1][2], float)


@given(instances())
def test_every_form_gives_its_concepts_and_strengths(given_instances: dict[str, Any]) -> None:
    expected = set()
    for instance, where in given_instances.items():
        if isinstance(where, dict):
            expected |= {(instance, concept, strength) for concept, strength in where.items()}
        else:
            expected |= {(instance, concept, 1.0) for concept in ([where] if isinstance(where, str) else where)}
    assert set(assigned_rows(given_instances)) == expected


@pytest.mark.parametrize("value", [0.001, 0.5, 1, 1.0])
def test_strength_above_zero_and_up_to_one_is_taken(value: float) -> None:
    assert checked_strength(value, "it") == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (-0.5, "-0.5"), (1.01, "1.01"), (float("nan"), "nan"), (float("inf"), "inf"), ("much", "'much'"),
     (None, "None")],
)  # fmt: skip
def test_other_strength_is_refused(value: Any, shown: str) -> None:
    with pytest.raises(ParameterError) as caught:
        list(assigned_rows({"i": {"car": value}}))
    assert str(caught.value) == (f"the strength of instance 'i' must be a number > 0 and <= 1, not {shown}.")
