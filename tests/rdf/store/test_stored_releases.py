"""Scores that earlier releases stored are still read, queried and valid."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontoeval.rdf.store import Store, read_scores
from ontoeval.rdf.validate import validate

FILES = sorted((Path(__file__).resolve().parents[3] / "fixtures" / "scores").glob("*.trig"))


def test_there_is_a_file() -> None:
    assert [file.stem for file in FILES][:1] == ["0.1.0"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_stored_scores_are_read(file: Path) -> None:
    """Dellschaft & Staab 2006, table 5: TP_csc and TF_csc of the fifth learned ontology are 16/21."""
    results = {result.system: result for result in read_scores(file)}
    assert set(results) == {"oc1", "oc5"}
    assert results["oc5"]["TP_csc"].value == pytest.approx(16 / 21, abs=1e-12)
    assert results["oc5"]["TF_csc"].value == pytest.approx(16 / 21, abs=1e-12)
    assert results["oc1"]["LP"].value == pytest.approx(5 / 6, abs=1e-12)  # five of six learned concepts
    assert results["oc1"]["TP_csc"].local.worst(1)[0].value == 1.0


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_stored_scores_are_queried(file: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "scores")
    store.load(file)
    answer = store.query("trend", measure="TF_csc")
    assert sorted(row["value"] for row in answer) == pytest.approx([16 / 21, 1.0], abs=1e-12)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_stored_scores_are_valid(file: Path) -> None:
    assert validate(file, "scores").conforms
