"""What results and tables save: the same documents as the commands, figures, RDF; what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import json_schemas
import pytest
from helpers import printed_json, refusal

import ontoeval as oe
from ontoeval.errors import ParameterError


@pytest.fixture
def learned(fixtures: Path) -> list[str]:
    return [str(fixtures / "dellschaft2006" / f"oc{n}.ttl") for n in (1, 5)]


@pytest.fixture
def gold(fixtures: Path) -> str:
    return str(fixtures / "dellschaft2006" / "or2.ttl")


def test_a_saved_comparison_is_what_the_command_prints(learned: list[str], gold: str, tmp_path: Path) -> None:
    oe.ResultTable([oe.compare(path, gold) for path in learned]).save(tmp_path / "both.json")
    saved = json.loads((tmp_path / "both.json").read_text())
    json_schemas.check(saved)
    printed = printed_json("compare", *learned, "--gold", gold, remarks=True)
    assert saved == printed


def test_saved_annotations_and_labels_conform_to_their_schemas(fixtures: Path, tmp_path: Path) -> None:
    folder = fixtures / "annotations"
    spans = oe.compare_annotations(str(folder / "near"), str(folder / "key"), str(folder / "news.ttl"))
    labels = oe.evaluate(oe.Extraction(oe.Corpus.from_labels({"d": ["x"]}), oe.Corpus.from_labels({"d": ["x", "y"]})))
    for name, result in {"annotations": spans, "labels": labels}.items():
        result.save(tmp_path / "one.json")
        saved = json.loads((tmp_path / "one.json").read_text())
        assert saved["schema"].endswith(f"/{name}-1.json")
        json_schemas.check(saved)


def test_results_that_were_read_back_are_saved_as_stored_ones(learned: list[str], gold: str, tmp_path: Path) -> None:
    oe.compare(learned[0], gold).save(tmp_path / "scores.trig")
    (result,) = oe.read_scores(str(tmp_path / "scores.trig"))
    result.save(tmp_path / "again.json")
    saved = json.loads((tmp_path / "again.json").read_text())
    json_schemas.check(saved)
    assert saved["schema"].endswith("/store-show-1.json")
    assert saved["results"][0]["started"] == result.started


def test_a_table_of_systems_saves_their_means(learned: list[str], gold: str, tmp_path: Path) -> None:
    results = [oe.compare(path, gold, "LF") for path in learned]
    table = oe.ResultTable(results, ["a1", "a2"]).group("auto")
    table.save(tmp_path / "systems.json")
    saved = json.loads((tmp_path / "systems.json").read_text())
    json_schemas.check(saved)
    mean = (results[0]["LF"].value + results[1]["LF"].value) / 2
    assert saved["systems"][0]["scores"]["LF"]["mean"] == pytest.approx(mean)
    table.save(tmp_path / "systems.tex")
    assert "\\scriptsize$\\pm$" in (tmp_path / "systems.tex").read_text()


def test_figures_are_saved_by_their_suffix(learned: list[str], gold: str, tmp_path: Path) -> None:
    result = oe.compare(learned[0], gold)
    result.save(tmp_path / "dots.svg", figure="dots")
    result.save(tmp_path / "pr.svg")
    assert (tmp_path / "dots.svg").read_text().startswith("<svg")
    assert (tmp_path / "dots.svg").read_text() != (tmp_path / "pr.svg").read_text()
    assert refusal(ParameterError, result.save, tmp_path / "dots.csv", figure="dots") == (
        f"{tmp_path / 'dots.csv'}: not the suffix of a figure. Use one of: .svg .pdf .png."
    )
    assert refusal(ParameterError, result.save, tmp_path / "x.xlsx").startswith(
        f"{tmp_path / 'x.xlsx'}: unknown suffix '.xlsx'. Use one of: .csv .json .md "
    )
