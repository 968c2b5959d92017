"""Tables, ontologies and results as Python users meet them: containers, one line, a terminal table, HTML."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from strategies import ontologies

import ontoeval as oe
from ontoeval.errors import MissingInputError, ParameterError, UnknownConceptError
from ontoeval.tables import Table

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "fixtures" / "dellschaft2006"
NEWS = ROOT / "fixtures" / "annotations"


class Row(NamedTuple):
    iri: str
    label: str
    value: float
    parents: tuple[str, ...] = ()


ROWS = [Row("urn:x:1", "a|b", 0.12345, ("p", "q")), Row("urn:x:2", "<c>", float("nan")), Row("urn:x:3", "d", 2.0)]
TABLE = Table(ROWS, Row, title="Some", only_programs=["iri"])


def test_a_table_is_a_sequence() -> None:
    assert (len(TABLE), TABLE[0], TABLE[-1].label, list(TABLE)) == (3, ROWS[0], "d", ROWS)
    assert isinstance(TABLE[:2], Table)
    assert TABLE[:2] == ROWS[:2]
    assert ROWS[:2] != TABLE
    assert TABLE[1:].title == "Some"
    assert Table([], Row).columns == Row._fields
    assert list(Table([], Row).to_frame().columns) == list(Row._fields)


def test_a_table_is_written_in_every_layout() -> None:
    assert TABLE.to_dicts()[0] == {"iri": "urn:x:1", "label": "a|b", "value": 0.12345, "parents": ("p", "q")}
    assert TABLE.render("csv").splitlines()[:3] == [
        "iri,label,value,parents",
        "urn:x:1,a|b,0.12345,p; q",
        "urn:x:2,<c>,,",
    ]
    assert json.loads(TABLE.render("json"))[1]["value"] is None
    assert TABLE.render("markdown").splitlines()[2] == "| a\\|b | 0.123 | p; q |"
    assert "&lt;c&gt;" in TABLE.render("html")
    assert "urn:x:1" not in str(TABLE)  # the label says it
    twins = Table([Row("urn:x:1", "a", 1.0), Row("urn:x:2", "a", 1.0)], Row, only_programs=["iri"])
    assert "urn:x:2" in str(twins)  # and here it does not
    assert repr(TABLE) == "<Table of 3 Row: iri, label, value, parents>"
    with pytest.raises(ParameterError, match="unknown layout 'docx'"):
        TABLE.render("docx")


BIG = oe.Ontology.from_edges([(f"concept {n} {'x' * 60}", f"concept {n // 3}") for n in range(1, 700)])


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    learned = oe.Ontology.from_edges([(f"concept {n}", f"concept {n // 2}") for n in range(1, 700)])
    result = oe.compare(learned, BIG)
    return {
        "result": result, "matching": result.subject.matching, "ontology": BIG, "errors": result.errors(),
        "worst": result.worst(500), "table": oe.ResultTable([result] * 300), "labels": BIG.labels("concept 1"),
        "nearest": oe.nearest(BIG, "concept 1", top=900), "matrix": oe.relate_all(BIG, list(BIG)[:300]),
        "explanation": result.explain("concept 1"),
        "agreement": oe.agreement([NEWS / "near", NEWS / "far"]),
        "correlation": oe.correlate(BIG, [(a, b, 1.0) for a in list(BIG)[:7] for b in list(BIG)[50:57]], "WP"),
    }  # fmt: skip


def test_nothing_fills_the_screen(shown: dict[str, Any]) -> None:
    for name, value in shown.items():
        line = repr(value)
        assert "\n" not in line, name
        assert len(line) < 400, name
        assert len(str(value)) < 22_365 or name == "table", name


def test_html_is_small_and_harmless(shown: dict[str, Any]) -> None:
    for name, value in shown.items():
        if name == "explanation":
            continue
        html = value._repr_html_()
        assert len(html.encode()) <= 30_000, name
        assert "<table>" in html, name
        assert not any(tag in html for tag in ("<script", "<style", "onclick")), name


@given(ontologies())
def test_an_ontology_is_a_container_of_its_concepts(made: dict[str, Any]) -> None:
    ontology = oe.Ontology.from_edges(**made)
    iris = list(ontology)
    assert len(ontology) == len(iris) == len(set(iris))
    assert all(iri in ontology and ontology.find(iri) == (iri,) for iri in iris)
    parents = {iri: set(ontology.parents(iri)) for iri in iris}
    assert {(child, p) for p in iris for child in ontology.children(p)} == {(c, p) for c in iris for p in parents[c]}
    above: dict[str, set[str]] = {iri: set() for iri in iris}
    for iri in iris:  # brute force: walk upwards
        pending = list(parents[iri])
        while pending:
            concept = pending.pop()
            if concept not in above[iri]:
                above[iri].add(concept)
                pending += parents[concept]
    for iri in iris:
        assert set(ontology.ancestors(iri)) == above[iri] - {iri}
        assert set(ontology.descendants(iri)) == {other for other in iris if iri in above[other]} - {iri}


def test_a_concept_is_given_by_any_name() -> None:
    car = "http://ex.org/car"
    ontology = oe.Ontology.from_edges([(car, "http://ex.org/vehicle")], labels={car: ["Car", ("Auto", "de")]})
    assert all(name in ontology for name in (car, "car", "Car", "auto"))
    assert "cat" not in ontology
    assert 7 not in ontology
    assert ontology.label("Auto") == "Car"
    assert [(label.text, label.language) for label in ontology.labels(car)] == [("Car", ""), ("Auto", "de")]
    with pytest.raises(UnknownConceptError, match="'cat'"):
        ontology.parents("cat")
    with pytest.warns(DeprecationWarning, match="label_of"):
        assert ontology.label(ontology.hierarchy.id(car)) == "Car"
    assert bool(oe.Ontology.from_edges([], concepts=["only"]))


def test_an_added_root_is_no_concept() -> None:
    ontology = oe.Ontology.from_edges([("a", "b"), ("c", "d")], root="new")
    assert set(ontology) == {"a", "b", "c", "d"}
    assert ontology.parents("b") == ontology.ancestors("b") == ()
    assert "(root)" not in ontology


def test_an_ontology_is_saved_and_loaded(tmp_path: Path) -> None:
    ontology = oe.load_ontology(PAPER / "or2.ttl")
    ontology.save(tmp_path / "copy.ttl")
    assert oe.load_ontology(tmp_path / "copy.ttl").digest == ontology.digest
    assert oe.load_ontology(ontology.to_rdflib()).digest == ontology.digest


@pytest.fixture
def result() -> oe.EvaluationResult:
    return oe.compare(PAPER / "oc1.ttl", PAPER / "or2.ttl", name="first")


@pytest.mark.parametrize("suffix", [".json", ".csv", ".tsv", ".md", ".tex"])
def test_a_result_is_saved_by_the_suffix(result: oe.EvaluationResult, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"scores{suffix}"
    result.save(path)
    text = path.read_text(encoding="utf-8")
    if suffix == ".json":
        assert json.loads(text)["results"] == [json.loads(json.dumps(result.to_dict()))]
    else:
        assert "TF_csc" in text.replace("\\", "")


@pytest.mark.parametrize("suffix", [".trig", ".nq"])
def test_a_saved_result_is_read_back(result: oe.EvaluationResult, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"scores{suffix}"
    result.save(path)
    (back,) = oe.read_scores(path)
    assert [score.value for score in back] == [score.value for score in result]
    assert (len(back), repr(back), str(back)) == (len(result), repr(result), str(result))
    for details in (back.errors, back.worst, back.per_class, back.confusions, lambda: back.explain("x")):
        with pytest.raises(MissingInputError, match="only scores were read"):
            details()
    with pytest.raises(MissingInputError, match="only scores were read"):
        back.with_intervals()


def test_other_files_are_refused(result: oe.EvaluationResult, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"unknown suffix '\.doc'. Use one of: \.csv"):
        result.save(tmp_path / "scores.doc")
    with pytest.raises(oe.OntoevalError, match="its directory does not exist"):
        result.save(tmp_path / "missing" / "scores.json")
    with pytest.raises(MissingInputError, match=r"says nothing about compared ontologies\. Use annotations"):
        result.confusions()


def test_details_are_those_of_the_result(result: oe.EvaluationResult) -> None:
    kinds = {row.kind for row in result.errors()}
    task = result.subject
    missing = [row.iri for row in result.errors() if row.kind == "missing concept"]
    assert len(missing) == len(task.gold) - sum(iri in set(task.matching.table.to_frame()["gold"]) for iri in task.gold)
    assert kinds >= {"missing concept"}
    assert len(result.worst(1)) <= 1
    interval = result.with_intervals(rounds=100, seed=3)["TP_csc"].interval
    assert interval is not None
    assert interval[0] <= result["TP_csc"].value <= interval[1]


def test_details_of_annotations_count_as_the_result_does() -> None:
    result = oe.compare_annotations(NEWS / "near", NEWS / "key", NEWS / "news.ttl", "AF", similarity="WP")
    rows = result.per_class()
    lost = sum(row.lost for row in result.confusions())
    pairs = sum(row.response_credit for row in rows)
    assert sum(row.keys for row in rows) == len(result.subject.key)
    spurious_and_paired = [row for row in result.confusions() if row.response is not None and row.key is not None]
    assert pairs == pytest.approx(sum(row.count * row.similarity for row in spurious_and_paired))
    assert lost == pytest.approx(sum(row.count * (1 - row.similarity) for row in result.confusions()))
    assert len(result.confusions(2)) == min(2, len(result.confusions()))


def test_rows_can_be_pickled(result: oe.EvaluationResult) -> None:
    assert pickle.loads(pickle.dumps(result.errors())) == result.errors()  # noqa: S301 - our own bytes
