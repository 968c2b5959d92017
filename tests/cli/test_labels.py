# ruff: noqa: E501 - whole messages stand in one line
"""`ontoeval labels` and `ontoeval labels -m ranking`, as a user meets them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import helpers
import numpy as np
import pytest
from helpers import data_folder, refused, run, tsv_rows, without_rules, work_in

import ontoeval as oe

ONTOLOGY = "car\tvehicle\nbike\tvehicle\nvan\tcar\n"  # child, parent
HALF = "Rada(scale=similarity)"  # 1 / (1 + edges between)
GOLD = "document\tlabel\nd1\tcar\nd1\tbike\nd2\tvan\n"
GOOD = "document\tlabel\tscore\nd1\tcar\t0.9\nd1\tbike\t0.4\nd2\tcar\t0.8\nd2\tvan\t0.3\n"
POOR = "document\tlabel\tscore\nd1\tvan\t0.9\nd2\tbike\t0.8\n"
USUAL = ["LabelP", "LabelR", "LabelF", "hP", "hR", "hF", "SetP", "SetR", "SetF"]
CLASSIC = [
    "LabelP",
    "LabelR",
    "LabelF",
    "LabelP_high",
    "LabelR_high",
    "LabelF_high",
    "SetRel",
    "SetP",
    "SetR",
    "SetF",
    "hF",
]


printed = partial(helpers.printed, remarks=True)
printed_json = partial(helpers.printed_json, remarks=True)
entry = partial(helpers.entry, remarks=True)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "80")
    return work_in(tmp_path, monkeypatch, {"onto.tsv": ONTOLOGY, "gold.tsv": GOLD, "good.tsv": GOOD, "poor.tsv": POOR})


BY_GOLD = ("--gold", "gold.tsv")
ON = ("--ontology", "onto.tsv")

# sets


def test_the_default_measures() -> None:
    assert list(entry("labels", "good.tsv", *BY_GOLD, *ON)["scores"]) == USUAL
    assert list(entry("labels", "good.tsv", *BY_GOLD)["scores"]) == ["LabelP", "LabelR", "LabelF"]
    assert list(entry("labels", "good.tsv", *BY_GOLD, *ON, "-m", "classic")["scores"]) == CLASSIC


def test_scores_by_hand() -> None:
    found = entry(
        "labels",
        "poor.tsv",
        *BY_GOLD,
        *ON,
        "--similarity",
        HALF,
        "-m",
        "LabelP,LabelP(credit=high),LabelR_high,SetP,hF",
    )
    # d1: van is nearest to car, one edge; d2: bike and van are three edges apart
    # LabelR_high of d1: car from van 1/2, bike from van 1/4; of d2: 1/4
    # hF, the root left out: d1 {van, car} of {car, bike}, d2 {bike} of {van, car}
    assert list(found["scores"].values()) == pytest.approx(
        [0.0, (1 / 2 + 1 / 4) / 2, ((1 / 2 + 1 / 4) / 2 + 1 / 4) / 2, (1 / 2 + 1 / 4) / 2, (1 / 2 + 0) / 2]
    )
    assert list(found["scores"]) == ["LabelP", "LabelP(credit=high)", "LabelR_high", "SetP", "hF"]
    assert found["canonical_names"]["SetP"] == "SetP(similarity=Rada)"


def test_labels_are_cut_by_number_and_score() -> None:
    measures = ("-m", "LabelP,LabelR")
    assert entry("labels", "good.tsv", *BY_GOLD, *measures)["scores"] == {"LabelP": 3 / 4, "LabelR": 1.0}
    one = entry("labels", "good.tsv", *BY_GOLD, *measures, "--limit", "1")
    assert one["scores"] == {"LabelP": 1 / 2, "LabelR": 1 / 4}  # car of two, car for van
    assert one["limit"] == 1
    some = entry("labels", "good.tsv", *BY_GOLD, *measures, "--min-score", "0.4")
    assert some["scores"] == {"LabelP": 1 / 2, "LabelR": 1 / 2}
    assert some["threshold"] == 0.4


def test_the_table_says_what_was_cut_and_what_is_missing() -> None:
    Path("gold.tsv").write_text(GOLD + "d3\tplane\n")
    arguments = ("labels", "good.tsv", "poor.tsv", *BY_GOLD, *ON, "-m", "LabelP,LabelR", "--limit", "1")
    result = run(*arguments)
    assert result.stdout.splitlines() == [
        "2 predictions against gold.tsv, limit 1 (* best)",
        "         LabelP  LabelR  correct  missing  spurious",
        "  good   0.333*  0.167*        1        3         1",
        "  poor   0.000   0.000         0        4         2",
    ]
    assert result.stderr.splitlines() == [
        "warning: gold.tsv: 1 document is not in good.tsv: d3. It counts as empty there. If it has another name there, use the same name on both sides.",
        "warning: gold.tsv: 1 label is not in onto.tsv (1 of 4 assignments): 'plane' (once). Such labels match nothing: correct them or use a more complete ontology. --unknown drop leaves them out on both sides, which raises scores.",
        "warning: gold.tsv: 1 document is not in poor.tsv: d3. It counts as empty there. If it has another name there, use the same name on both sides.",
    ]


def test_each_document_and_the_difference() -> None:
    document = printed_json(
        "labels", "good.tsv", "poor.tsv", *BY_GOLD, "-m", "LabelF", "--per", "document", "--significance"
    )
    assert [one["per_document"] for one in document["results"]] == [
        [{"document": "d1", "LabelF": 1.0}, {"document": "d2", "LabelF": pytest.approx(2 / 3)}],
        [{"document": "d1", "LabelF": 0.0}, {"document": "d2", "LabelF": 0.0}],
    ]
    (found,) = document["significance"]
    assert found["difference"] == pytest.approx(5 / 6)
    assert found["interval"] == pytest.approx([2 / 3, 1.0])
    assert found["p"] == pytest.approx(1 / 2, abs=0.02)  # both documents on one side: 2 of 4


def test_labels_are_stored() -> None:
    printed("labels", "good.tsv", *BY_GOLD, "-m", "LabelR", "-o", "scores.trig")
    (found,) = oe.read_scores("scores.trig")
    assert (found.task, found.system) == ("extraction", "good")
    assert found["LabelR"].local.to_dict() == {"d1": 1.0, "d2": 1.0}


# rankings


def test_rankings_with_binary_high_and_low_credit() -> None:
    found = entry("labels", "-m", "ranking", "good.tsv", *BY_GOLD, *ON, "--similarity", HALF)["scores"]
    credits = [
        f"{name}{credit}" for name in ("APrec", "RPrec", "P_at") for credit in ("", "(credit=high)", "(credit=low)")
    ]
    assert list(found) == credits
    # d1: car, bike are true; d2: van at the second place, car before it is one edge away
    expected = {
        "APrec": [(1 + 1 / 2) / 2, (1 + (1 / 2 + 1) / 2) / 2, (1 + 1 / 2) / 2],
        "RPrec": [(1 + 0) / 2, (1 + 1 / 2) / 2, (1 + 1 / 2) / 2],
        "P_at": [(2 / 10 + 1 / 10) / 2, (2 / 10 + 1.5 / 10) / 2, (2 / 10 + 1 / 10) / 2],
    }
    assert list(found.values()) == pytest.approx([value for values in expected.values() for value in values])


def test_without_an_ontology_credit_is_binary() -> None:
    assert list(entry("labels", "-m", "ranking", "good.tsv", *BY_GOLD)["scores"]) == ["APrec", "RPrec", "P_at"]


def test_depth_cuts_the_ranking() -> None:
    found = entry("labels", "good.tsv", *BY_GOLD, "--limit", "1", "-m", "APrec,P_at(k=2)")
    assert found["scores"] == {"APrec": 1 / 4, "P_at(k=2)": 1 / 4}
    assert found["canonical_names"] == {"APrec": "APrec(depth=1)", "P_at(k=2)": "P_at(k=2, depth=1)"}


def test_several_runs_have_ranks_and_kendalls_tau() -> None:
    Path("fair.tsv").write_text("d1\tcar\t0.5\nd2\tbike\t0.5\n")
    arguments = (
        "rank",
        "good.tsv",
        "poor.tsv",
        "fair.tsv",
        *BY_GOLD,
        *ON,
        "--similarity",
        HALF,
        "-m",
        "RPrec,RPrec(credit=high)",
    )
    # binary: 1/2, 0, 1/4; high: 3/4, (1/2/2 + 1/4)/2 = 1/4, (1/2 + 1/4)/2 = 3/8
    found = printed_json(*arguments)["ranks"]
    names = ["RPrec", "RPrec(credit=high)"]
    assert {system: [values[name]["rank"] for name in names] for system, values in found["systems"].items()} == {
        "good.tsv": [1, 1], "poor.tsv": [3, 3], "fair.tsv": [2, 2],
    }  # fmt: skip
    assert found["kendall"] == {names[1]: pytest.approx(1.0)}
    lines = without_rules(printed(*arguments))
    start = lines.index("Ranks, and Kendall's tau-b with binary credit")
    assert [line.split() for line in lines[start + 1 : start + 4]] == [
        ["good", "poor", "fair", "tau"],
        ["RPrec", "1", "3", "2", "–"],
        ["RPrec(credit=high)", "1", "3", "2", "1.000"],
    ]
    rows = printed(*arguments, "--format", "tsv").splitlines()  # one table: ranks are in JSON
    assert [row.split("\t")[0] for row in rows] == ["", "good.tsv", "poor.tsv", "fair.tsv"]


def test_labels_without_scores_are_no_ranking() -> None:
    assert run("labels", "gold.tsv", *BY_GOLD, "-m", "APrec").stderr == (
        "note: gold.tsv: APrec is undefined: the predicted labels have no scores to rank them by\n"
    )


# what is refused


def test_what_does_not_go_together() -> None:
    Path("other.tsv").write_text("x\tcar\t1\n")
    assert refused("labels", "other.tsv", *BY_GOLD) == (
        "other.tsv and gold.tsv have no documents in common. The first has 'x'; the second has 'd1', 'd2'. "
        "Use the same names for the same documents."
    )
    Path("fruit.tsv").write_text("apple\tfruit\n")
    assert refused("labels", "good.tsv", *BY_GOLD, "--ontology", "fruit.tsv") == (
        "no class of good.tsv is in fruit.tsv: 'bike', 'car', 'van'. Use the ontology of these classes, or none to "
        "compare their names."
    )
    Path("spans.jsonl").write_text('{"document": "d1", "start": 0, "end": 3, "concept": "car"}\n')
    assert refused("labels", "spans.jsonl", *BY_GOLD) == (
        "spans.jsonl: document 'd1' has a span of text, expected a label of the whole document. Use a corpus of one kind."
    )
    assert refused("labels", "gold.tsv", *BY_GOLD, "--limit", "1") == (
        "gold.tsv has labels without scores; a limit or a minimum score needs labels with scores. "
        "Remove --limit and --min-score."
    )
    assert refused("labels", "good.tsv", *BY_GOLD, "-m", "hF") == (
        "hF needs an ontology with the ancestors of labels. Set --ontology."
    )
    assert refused("labels", "good.tsv", *BY_GOLD, *ON, "-m", "LabelF,AF") == (
        "AF scores spans of text, not labels of documents. Use LabelP, LabelR or LabelF, or a corpus of spans."
    )
    assert refused("labels", "good.tsv", *BY_GOLD, *ON, "-m", "LabelF(similarity=Rada(scale=distance))") == (
        "Rada(scale=distance) is not a similarity from 0 to 1. Use one such as BDM, LA or Flat, or another scale: "
        "Rada(scale=similarity)."
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-m", "ranking", "good.tsv", *BY_GOLD, "--significance"), "--significance needs at least two predictions."),
        (("good.tsv", *BY_GOLD, "--baseline", "x"), "--baseline needs at least two predictions."),
        (("-", "--gold", "-"), "stdin (-) can be used for one input only."),
        (
            ("good.tsv", "good.tsv", *BY_GOLD, "--significance", "--per", "document", "-f", "csv"),
            "-f csv holds one table, not those of --significance and --per document. Keep one.",
        ),
        (("good.tsv", *BY_GOLD, "-o", "x.csv", "-o", "x.csv"), "x.csv: named twice in -o."),
        (("good.tsv", *BY_GOLD, "--name", "a", "--name", "b"),
         "--name is set 2 times for 1 input. Set it once for each input, in order."),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together_are_wrong_usage(arguments: tuple[str, ...], said: str) -> None:
    assert refused("labels", *arguments, code=2) == f"{said}\nHelp: ontoeval labels --help"


# figures of others, through the command


@pytest.mark.parametrize("system", ["tfidf", "mllm", "ensemble"])
def test_annif(shared_data: Path, system: str) -> None:
    data = data_folder(shared_data, "annif-yso-archaeology")
    shown = {
        name: text.strip()
        for name, text in (
            line.split(":", 1) for line in (data / f"annif-eval-{system}-limit5.txt").read_text().splitlines()
        )
    }
    found = entry(
        "labels", data / f"predicted-{system}.tsv", "--gold", data / "fulltext", "--ontology",
        data / "yso-archaeology.ttl", "--limit", "5", "--unknown", "drop", "-m", "LabelP,LabelR,LabelF",
    )  # fmt: skip
    columns = [f"{name} (doc avg)" for name in ("Precision", "Recall", "F1 score")]
    assert [f"{value:.4f}" for value in found["scores"].values()] == [shown[column] for column in columns]
    counts = found["counts"]["LabelP"]
    assert [counts[name] for name in ("correct", "spurious", "missing", "documents")] == [
        int(shown[name]) for name in ("True positives", "False positives", "False negatives", "Documents evaluated")
    ]


def test_trec_eval(shared_data: Path) -> None:
    data = data_folder(shared_data, "trec-eval")
    printed = {
        name: value
        for name, topic, value in (line.split() for line in (data / "out.test").read_text().splitlines())
        if topic == "all"
    }
    wanted = {
        "map": "APrec",
        "Rprec": "RPrec",
        **{f"P_{k}": f"P_at(k={k})" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
    }
    found = entry(
        "rank", data / "results.test", "--gold", data / "qrels.test", "--limit", "1000", "--ties", "trec_eval",
        "-m", ",".join(wanted.values()),
    )  # fmt: skip
    assert [f"{value:.4f}" for value in found["scores"].values()] == [printed[name] for name in wanted]


def test_trec_eval_for_every_topic(shared_data: Path) -> None:
    ir = pytest.importorskip("ir_measures")
    data = data_folder(shared_data, "trec-eval")
    theirs = ir.iter_calc(
        [ir.AP, ir.Rprec],
        list(ir.read_trec_qrels(str(data / "qrels.test"))),
        list(ir.read_trec_run(str(data / "results.test"))),
    )
    expected = {(str(row.measure), row.query_id): row.value for row in theirs}
    found = entry(
        "rank", data / "results.test", "--gold", data / "qrels.test", "--limit", "1000", "--ties", "trec_eval",
        "-m", "APrec,RPrec", "--per", "document",
    )  # fmt: skip
    assert len(found["per_document"]) == 3
    for row in found["per_document"]:
        topic, average, precision = row.values()
        assert (average, precision) == pytest.approx((expected["AP", topic], expected["Rprec", topic]), abs=1e-9)


def test_hemkit(shared_data: Path) -> None:
    data = data_folder(shared_data, "hemkit-example")
    (printed,) = tsv_rows(data / "hemkit-output.tsv")
    found = entry(
        "labels", data / "result.txt", "--gold", data / "Golden.txt", "--ontology", data / "cat_hier.txt",
        "--columns", "parent,child", "--root", "new", "-m", "hP(root=in),hR(root=in),hF(root=in),LCAP,LCAR,LCAF",
    )  # fmt: skip
    columns = ("hP", "hR", "hF", "LCA-P", "LCA-R", "LCA-F")
    assert list(found["scores"].values()) == pytest.approx([float(printed[name]) for name in columns], abs=5e-7)


@pytest.mark.parametrize("name", ["pred_1.tsv", pytest.param("pred_2.tsv", marks=pytest.mark.slow)])
def test_cafa(shared_data: Path, name: str) -> None:
    data = data_folder(shared_data, "cafa-idpo")
    rows = {
        row["tau"]: row for row in tsv_rows(data / "cafaeval-output" / "evaluation_all.tsv") if row["filename"] == name
    }
    (known,) = [row for row in tsv_rows(data / "published.tsv") if row["prediction"] == name]
    columns = ("pr_micro", "rc_micro", "f_micro")
    measures = ",".join(f"{measure}(root=in, average=micro)" for measure in ("hP", "hR", "hF"))
    # its thresholds come from arange and are not quite those it prints
    for tau in np.arange(0.01, 1, 0.01).tolist():
        if f"{tau:.3f}" not in rows:
            continue  # nothing is predicted any more
        found = entry(
            "labels", data / "predictions" / name, "--gold", data / "ground_truth.tsv", "--ontology",
            data / "IDPO_disorder_function.obo", "--min-score", repr(tau), "-m", measures,
        )  # fmt: skip
        values = list(found["scores"].values())
        assert [f"{value:.3f}" for value in values] == [rows[f"{tau:.3f}"][column] for column in columns]
        if float(known["tau"]) == round(tau, 2):
            assert [f"{value:.6f}" for value in values] == [known[column] for column in columns]
