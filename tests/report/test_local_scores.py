"""The file of --local: every F-measure has its precision and recall in it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.measures import all_measures
from ontoeval.report.local_scores import _parts, local_table
from ontoeval.tables import Layout


def local_rows(task: oe.Comparison, *measures: str) -> list[dict[str, str]]:
    text = local_table([oe.evaluate(task, list(measures))], Layout.CSV)
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def task(fixtures: Path) -> oe.Comparison:
    folder = fixtures / "dellschaft2006"
    return oe.Comparison(oe.load_ontology(folder / "oc4.ttl"), oe.load_ontology(folder / "or2.ttl"))


@pytest.mark.parametrize(
    ("f", "precision", "recall"),
    [
        ("LF", "LP", "LR"), ("EdgeF", "EdgeP", "EdgeR"), ("TF_csc", "TP_csc", "TR_csc"), ("PlaceF", "PlaceP", "PlaceR"),
        ("TF(extract=sc, over=learned)", "TP(extract=sc, over=learned)", "TR(extract=sc, over=learned)"),
    ],
)  # fmt: skip
def test_an_f_measure_has_the_rows_of_its_precision_and_recall(
    task: oe.Comparison, f: str, precision: str, recall: str
) -> None:
    rows = local_rows(task, f)
    assert rows == local_rows(task, precision, recall)
    assert {row["measure"] for row in rows} == {precision, recall}
    assert local_rows(task, precision, f, recall) == rows  # each once


def test_nothing_is_added_to_other_measures(task: oe.Comparison) -> None:
    assert {row["measure"] for row in local_rows(task, "TP_csc", "TO_csc", "CFM")} == {"TP_csc", "TO_csc"}


def test_every_f_measure_has_a_precision_and_a_recall() -> None:
    names = {definition.name for definition in all_measures()}
    parts = {name: _parts(name) for name in names if _parts(name)}
    assert len(parts) >= 24
    assert {part for some in parts.values() for part in some} <= names
