"""Scores that earlier releases stored are still read, queried and valid."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.rdf.store import Store, read_scores, write_scores
from ontoeval.rdf.validate import validate

FILES = sorted((Path(__file__).resolve().parents[3] / "fixtures" / "scores").glob("*.trig"))


def test_there_is_a_file() -> None:
    assert [file.stem for file in FILES] == ["0.1.0", "0.2.0"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_stored_scores_are_read(file: Path) -> None:
    """Dellschaft & Staab 2006, table 5: TP_csc and TF_csc of the fifth learned ontology are 16/21."""
    results = {result.system: result for result in read_scores(file)}
    assert set(results) >= {"oc1", "oc5"}
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


# spans= was match=: near finds 4 of 16 annotations among 15, whatever the rule for spans, and 14 of the same span

LENIENT = ("F(spans=lenient)", "F(match=lenient)", "AF(similarity=Flat, match=lenient)")


def test_scores_of_a_renamed_parameter_are_read_under_both_names() -> None:
    (near,) = [result for result in read_scores(FILES[1]) if result.system == "near"]
    for name in LENIENT:
        assert near[name].value == pytest.approx(8 / 31, abs=1e-12)
        assert str(near[name].measure) == "AF(similarity=Flat, spans=lenient)"


def test_a_query_finds_the_scores_of_all_releases(tmp_path: Path, fixtures: Path) -> None:
    store = Store(tmp_path / "scores")
    store.load(FILES[1])
    before = {name: list(store.query("per-document", measure=name)) for name in LENIENT}
    assert before[LENIENT[0]] == before[LENIENT[1]] == before[LENIENT[2]]
    assert sum(row["annotations"] for row in before[LENIENT[0]]) == 17  # 16 keys and a spurious response
    folder = fixtures / "annotations"
    corpora = [oe.load_corpus(folder / name) for name in ("far", "key")]
    task = oe.Extraction(*corpora, oe.load_ontology(folder / "news.ttl"))
    result = oe.evaluate(task, ["F(spans=lenient)", "Credit(similarity=Flat, match=lenient)"])
    write_scores([result], tmp_path / "scores")
    rows = list(store.query("per-document", measure="F(match=lenient)"))
    assert sum(row["annotations"] for row in rows if row["system"] == "far") == 17
    assert [row for row in rows if row["system"] == "near"] == before[LENIENT[0]]
    assert len(store.query("trend", measure="F(spans=lenient)")) == 2
