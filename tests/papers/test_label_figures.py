"""Figures that other programs printed for label sets and rankings: HEMKit, trec_eval, Annif, cafaeval."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers import data_folder, tsv_rows

import ontoeval as oe
from ontoeval.load.corpora import load_corpus
from ontoeval.tasks.extraction import Extraction


def value(task: Extraction, measure: str) -> float:
    return oe.parse(measure)(task).value


def test_hemkit(shared_data: Path) -> None:
    data = data_folder(shared_data, "hemkit-example")
    lines = (data / "cat_hier.txt").read_text().splitlines()
    edges = [(child, parent) for parent, child in (line.split() for line in lines if line.strip())]
    ontology = oe.Ontology.from_edges(edges, root="new")  # HEMKit hangs every category under one of its own
    task = Extraction(load_corpus(data / "result.txt"), load_corpus(data / "Golden.txt"), ontology)
    printed = tsv_rows(data / "hemkit-output.tsv")[0]
    for name in ("hP", "hR", "hF"):
        assert value(task, f"{name}(root=in)") == pytest.approx(float(printed[name]), abs=5e-7)
    for name in "PRF":
        assert value(task, f"LCA{name}") == pytest.approx(float(printed[f"LCA-{name}"]), abs=5e-7)


TREC = {
    "map": "APrec(depth=1000, ties=trec_eval)",
    "Rprec": "RPrec(depth=1000, ties=trec_eval)",
    **{f"P_{k}": f"P_at(k={k}, depth=1000, ties=trec_eval)" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
}


def trec_task(data: Path) -> Extraction:
    return Extraction(load_corpus(data / "results.test"), load_corpus(data / "qrels.test"))


def test_trec_eval_over_all_topics(shared_data: Path) -> None:
    data = data_folder(shared_data, "trec-eval")
    task = trec_task(data)
    rows = [line.split() for line in (data / "out.test").read_text().splitlines()]
    printed = {name: text for name, topic, text in rows if topic == "all"}
    for name, measure in TREC.items():
        assert f"{value(task, measure):.4f}" == printed[name], name


def test_trec_eval_for_every_topic(shared_data: Path) -> None:
    ir = pytest.importorskip("ir_measures")
    data = data_folder(shared_data, "trec-eval")
    task = trec_task(data)
    theirs = ir.iter_calc(
        [ir.AP, ir.Rprec],
        list(ir.read_trec_qrels(str(data / "qrels.test"))),
        list(ir.read_trec_run(str(data / "results.test"))),
    )
    found = {(str(row.measure), row.query_id): row.value for row in theirs}
    assert len(found) == 6
    for name, measure in (("AP", TREC["map"]), ("Rprec", TREC["Rprec"])):
        local = oe.parse(measure)(task).local
        assert local is not None
        for topic, ours in zip(task.documents, local.values.tolist(), strict=True):
            assert ours == pytest.approx(found[name, topic], abs=1e-9)


@pytest.mark.parametrize("system", ["tfidf", "mllm", "ensemble"])
@pytest.mark.parametrize("gold", ["gold.tsv", "fulltext"])
def test_annif(shared_data: Path, system: str, gold: str) -> None:
    data = data_folder(shared_data, "annif-yso-archaeology")
    ontology = oe.load_ontology(data / "yso-archaeology.ttl")
    predicted = load_corpus(data / f"predicted-{system}.tsv").cut(limit=5, threshold=0)
    task = Extraction(predicted, load_corpus(data / gold), ontology, unknown="drop")
    lines = (data / f"annif-eval-{system}-limit5.txt").read_text().splitlines()
    printed = dict(line.split(":", 1) for line in lines)
    shown = {name: text.strip() for name, text in printed.items()}
    for name, words in (
        ("LabelP", "Precision (doc avg)"),
        ("LabelR", "Recall (doc avg)"),
        ("LabelF", "F1 score (doc avg)"),
    ):
        assert f"{value(task, name):.4f}" == shown[words]
    micro = {"SetP": "Precision (microavg)", "SetR": "Recall (microavg)", "SetF": "F1 score (microavg)"}
    for name, words in micro.items():
        assert f"{value(task, f'{name}(similarity=Flat, average=micro)'):.4f}" == shown[words]
    counts = oe.parse("LabelP")(task).counts
    for name, words in (("correct", "True positives"), ("spurious", "False positives"), ("missing", "False negatives")):
        assert counts[name] == int(shown[words])
    assert counts["documents"] == int(shown["Documents evaluated"])


@pytest.mark.parametrize("name", ["pred_1.tsv", "pred_2.tsv"])
def test_cafa(shared_data: Path, name: str) -> None:
    data = data_folder(shared_data, "cafa-idpo")
    ontology = oe.load_ontology(data / "IDPO_disorder_function.obo")
    predicted, true = load_corpus(data / "predictions" / name), load_corpus(data / "ground_truth.tsv")
    rows = [row for row in tsv_rows(data / "cafaeval-output" / "evaluation_all.tsv") if row["filename"] == name]
    published = [row for row in tsv_rows(data / "published.tsv") if row["prediction"] == name]
    # its thresholds come from arange and are not those it prints: the sixth is 0.060000000000000005
    for number, tau in enumerate(np.arange(0.01, 1, 0.01).tolist()):
        matching = [row for row in rows if row["tau"] == f"{tau:.3f}"]
        task = Extraction(predicted.cut(threshold=tau), true, ontology)
        micro = [value(task, f"{measure}(root=in, average=micro)") for measure in ("hP", "hR", "hF")]
        if not matching:  # nothing is predicted any more
            assert micro == [0.0, 0.0, 0.0], number
            continue
        columns = ("pr_micro", "rc_micro", "f_micro")
        assert [f"{v:.3f}" for v in micro] == [matching[0][column] for column in columns], tau
        for row in published:
            if row["tau"] == f"{tau:.2f}":
                assert [f"{v:.6f}" for v in micro] == [row[column] for column in columns]
        local = oe.parse("hP(root=in)")(task).local
        assert local is not None
        predicted_at_all = int(np.count_nonzero(np.bincount(task.response_side.document, minlength=168)))
        assert predicted_at_all == float(matching[0]["n"])
        if predicted_at_all:  # their precision leaves out targets without a prediction
            mean = local.values.sum() / predicted_at_all
            assert mean == pytest.approx(float(matching[0]["pr"]), abs=5.001e-4)
        assert value(task, "hR(root=in)") == pytest.approx(float(matching[0]["rc"]), abs=5.001e-4)
