"""`--min-confidence`: one threshold or several, in the commands that load a learned ontology."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pyoxigraph as ox
import pytest
from helpers import concepts, data_folder, printed_json, refused, run, weighted_edges, work_in

import ontoeval as oe
from ontoeval.measures import all_measures
from ontoeval.rdf.store.result_graph import run_iri
from ontoeval.tasks.comparison import Comparison

LEARNED = "child\tparent\tconfidence\ncar\tvehicle\t0.9\nvan\tcar\t0.5\nbike\tvehicle\t0.2\nboat\tvehicle\t0.2\n"
GOLD = "car\tvehicle\nvan\tcar\nbike\tvehicle\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"oc.tsv": LEARNED, "or.tsv": GOLD, "bare.tsv": LEARNED.partition("\n")[2]}
    return work_in(tmp_path, monkeypatch, files)


def compared(*options: str) -> list[dict]:
    return printed_json("compare", "oc.tsv", "--gold", "or.tsv", "-m", "LP,LR", *options, remarks=True)["results"]


def test_several_thresholds_give_a_row_each() -> None:
    """LP: 4 of 5, 3 of 3, 2 of 2 concepts; LR: 4, 3 and 2 of 4."""
    result = run(
        "compare", "oc.tsv", "--gold", "or.tsv", "-m", "LP,LR", "--min-confidence", "0,0.3,0.9", "--format", "csv"
    )
    assert list(csv.reader(io.StringIO(result.stdout))) == [
        ["", "LP", "LR"],
        ["oc.tsv >= 0", "0.8", "1.0"],
        ["oc.tsv >= 0.3", "1.0", "0.75"],
        ["oc.tsv >= 0.9", "1.0", "0.5"],
    ]
    assert result.stderr.splitlines()[1] == (
        "note: oc.tsv >= 0.3: left out: 2 of 4 links (confidence < 0.3; --min-confidence) and 2 of 5 concepts (no link "
        "remains)"
    )


def test_json_names_the_file_and_the_threshold() -> None:
    entries = compared("--min-confidence", "0,0.3")
    assert [(entry["learned"], entry["min_confidence"]) for entry in entries] == [
        ("oc.tsv", {"learned": 0.0}),
        ("oc.tsv", {"learned": 0.3}),
    ]
    assert "min_confidence" not in compared()[0]


def test_the_gold_standard_is_not_cut() -> None:
    (entry,) = compared("--min-confidence", "0.3")
    assert (entry["matching"]["learned"], entry["matching"]["gold"]) == (3, 4)


def test_two_files_and_two_thresholds_are_four_rows_with_their_own_instances(here: Path) -> None:
    (here / "other.tsv").write_text(LEARNED.replace("0.5", "0.1"))
    (here / "i.tsv").write_text("x\tcar\n")
    (here / "j.tsv").write_text("y\tcar\n")
    arguments = ("oc.tsv", "other.tsv", "--gold", "or.tsv", "--instances", "i.tsv", "--instances", "j.tsv", "-m", "LR")
    entries = printed_json("compare", *arguments, "--min-confidence", "0,0.3", remarks=True)["results"]
    assert [(entry["learned"], entry["learned_instances"], entry["scores"]["LR"]) for entry in entries] == [
        ("oc.tsv", "i.tsv", 1.0),
        ("oc.tsv", "i.tsv", 0.75),
        ("other.tsv", "j.tsv", 1.0),
        ("other.tsv", "j.tsv", 0.5),
    ]


def test_thresholds_can_be_tested_against_each_other_and_have_names_of_their_own(here: Path) -> None:
    arguments = ("oc.tsv", "--gold", "or.tsv", "-m", "TP_csc", "--significance", "--rounds", "10", "--local", "l.tsv")
    document = printed_json("compare", *arguments, "--min-confidence", "0,0.3", remarks=True)
    (test,) = document["significance"]
    assert (test["left"], test["right"]) == ("oc.tsv >= 0", "oc.tsv >= 0.3")
    local = {line.partition("\t")[0] for line in (here / "l.tsv").read_text().splitlines()[1:]}
    assert local == {"oc.tsv >= 0", "oc.tsv >= 0.3"}
    failed = run("compare", "oc.tsv", "--gold", "or.tsv", "--min-confidence", "0,0.3", "--fail-under", "LR=0.9")
    assert failed.exit_code == 3
    assert failed.stderr.splitlines()[-1] == "failed: oc >= 0.3: LR 0.750 < 0.900"


def test_runs_with_different_thresholds_never_share_an_iri_even_with_equal_scores() -> None:
    """Nothing has a confidence between 0.3 and 0.4, so that both thresholds keep the same links."""
    results = [
        oe.evaluate(oe.Comparison(oe.load_ontology("oc.tsv", min_confidence=least), oe.load_ontology("or.tsv")), "LP")
        for least in (None, 0.0, 0.1, 0.3, 0.4)
    ]
    assert results[3].subject.learned.digest == results[4].subject.learned.digest
    assert len({run_iri(result) for result in results}) == 5
    named = [
        oe.evaluate(result.subject, "LP", system="my learner")  # also under one name
        for result in results
    ]
    assert len({run_iri(result) for result in named}) == 5


def test_a_stored_run_says_its_threshold_and_reads_back_equal(here: Path) -> None:
    result = run("compare", "oc.tsv", "--gold", "or.tsv", "--min-confidence", "0,0.3", "-o", "scores.trig")
    assert result.exit_code == 0, result.stderr
    stored = oe.read_scores("scores.trig")
    assert {r.judged.name for r in stored} == {"oc.tsv >= 0", "oc.tsv >= 0.3"}
    assert {r.system for r in stored} == {"oc >= 0", "oc >= 0.3"}
    task = oe.Comparison(oe.load_ontology("oc.tsv", min_confidence=0.3), oe.load_ontology("or.tsv"))
    (back,) = (r for r in stored if r.settings["min_confidence"] == {"learned": 0.3})
    assert back == oe.evaluate(task)
    quads = list(ox.parse(path="scores.trig"))
    property = ox.NamedNode("https://w3id.org/ontoeval/minConfidence")
    assert sorted(float(quad.object.value) for quad in quads if quad.predicate == property) == [0.0, 0.3]


def test_match_and_describe_take_one_threshold() -> None:
    document = printed_json("match", "oc.tsv", "--gold", "or.tsv", "--min-confidence", "0.3", remarks=True)
    assert document["min_confidence"] == {"learned": 0.3}
    assert {pair["learned"] for pair in document["pairs"]} == {"vehicle", "car", "van"}
    (description,) = printed_json("describe", "oc.tsv", "--min-confidence", "0.3", remarks=True)["ontologies"]
    assert (description["concepts"], description["min_confidence"]) == (3, 0.3)


def test_relate_knows_the_concepts_that_are_left() -> None:
    arguments = ("relate", "bike", "car", "--ontology", "oc.tsv", "--min-confidence")
    assert run(*arguments, "0.2").exit_code == 0
    assert "error: unknown concept 'bike'" in run(*arguments, "0.3").stderr


def test_a_column_without_a_name_is_refused_with_both_options() -> None:
    assert refused("compare", "bare.tsv", "--gold", "or.tsv") == (
        "bare.tsv, line 1: the numbers of the third column may be confidences of a learner or weights of links. Set "
        "--columns child,parent,confidence or --columns child,parent,weight, or add a header line."
    )
    columns = ("--columns", "child,parent,confidence", "--min-confidence", "0.3")
    named = printed_json("compare", "bare.tsv", "--gold", "or.tsv", *columns, remarks=True)["results"]
    assert named[0]["matching"]["learned"] == 3


def test_a_file_without_confidences_is_refused() -> None:
    assert refused("compare", "or.tsv", "--gold", "or.tsv", "--min-confidence", "0.3") == (
        "or.tsv: no link has a confidence. Remove --min-confidence, or set --columns child,parent,confidence for a "
        "table; in OWL, annotate axioms with confidence, probability or score."
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("0,x", "'0,x' is not a number, or several with commas, e.g. 0,0.3,0.6."),
        ("0,nan", "'0,nan' is not a number, or several with commas, e.g. 0,0.3,0.6."),
        ("", "'' is not a number, or several with commas, e.g. 0,0.3,0.6."),
        ("0.3,0.30", "'0.3,0.30' names a threshold twice."),
    ],
)
def test_thresholds_are_different_numbers(value: str, message: str) -> None:
    assert message in refused("compare", "oc.tsv", "--gold", "or.tsv", "--min-confidence", value, code=2)


def test_stdin_has_one_threshold() -> None:
    said = refused("compare", "-", "--gold", "or.tsv", "--min-confidence", "0,0.3", stdin=LEARNED, code=2)
    assert said.startswith("stdin (-) can be used for one input only.\n")
    assert run("compare", "-", "--gold", "or.tsv", "--min-confidence", "0.3", stdin=LEARNED).exit_code == 0


def test_the_union_of_real_runs_by_the_share_of_systems_that_agree(shared_data: Path, here: Path) -> None:
    """The five English runs on environment as one learner, whose confidence is how many of the five have a link."""
    folder = data_folder(shared_data, "texeval") / "2016"
    votes: Counter[tuple[str, str]] = Counter()
    for path in sorted((folder / "runs-EN").glob("environment_eurovoc.*.taxo")):
        rows = (line.split("\t")[1:3] for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
        votes.update({(child.strip().casefold(), parent.strip().casefold()) for child, parent in rows})
    lines = [f"{child}\t{parent}\t{count / 5}\n" for (child, parent), count in votes.items()]
    (here / "votes.tsv").write_text("child\tparent\tconfidence\n" + "".join(lines), encoding="utf-8")
    for count in range(1, 6):
        ontology = oe.load_ontology("votes.tsv", min_confidence=count / 5)
        links = {link for link, n in votes.items() if n >= count and link[0] != link[1]}
        assert set(weighted_edges(ontology)) == links
        assert concepts(ontology) == {name for link in links for name in link}


# A threshold that leaves nothing

ALL_MEASURES = ",".join(d.name for d in all_measures() if d.task is Comparison)


def empty_row(*options: object, measures: str = ALL_MEASURES, least: str = "0,1") -> dict[str, float | None]:
    """The scores of the last row, of which nothing is left."""
    arguments = ("compare", "oc.tsv", "--gold", "or.tsv", "-m", measures, "--min-confidence", least, *options)
    entry = printed_json(*arguments, remarks=True)["results"][-1]
    scores: dict[str, float | None] = entry["scores"]
    return scores


def test_a_threshold_that_leaves_nothing_has_a_row_and_a_note() -> None:
    """No concept is common: lexical and taxonomic scores are 0 (taxonomic.md, C6); one side has no edge: 0."""
    result = run(
        "compare", "oc.tsv", "--gold", "or.tsv", "-m", "LP,LR,LF,TP_csc,TR_sc,TF_csc,TO_csc,EdgeP,EdgeR",
        "--min-confidence", "0,0.9,1", "--format", "csv",
    )  # fmt: skip
    assert result.exit_code == 0
    header, whole, some, nothing = csv.reader(io.StringIO(result.stdout))
    assert (whole[1:3], some[1:3]) == (["0.8", "1.0"], ["1.0", "0.5"])
    assert nothing == ["oc.tsv >= 1", *["0.0"] * (len(header) - 1)]
    assert "oc.tsv >= 1: no concepts are left: no link has a confidence >= 1\n" in result.stderr
    assert "oc.tsv >= 0.9: no concept" not in result.stderr


def test_a_single_threshold_that_leaves_nothing_is_an_error() -> None:
    for command in ("compare", "match"):
        assert "no concepts are left" in refused(command, "oc.tsv", "--gold", "or.tsv", "--min-confidence", "1")


def test_every_measure_of_nothing_is_a_number_or_undefined_with_a_reason() -> None:
    zeros = [f"{name}{end}" for name in ("Near", "Edge", "Closure", "Place") for end in "PRF"] + ["LP", "LR", "LF"]
    zeros += [f"{name}{end}" for name in ("TP", "TR", "TF", "TFprime", "TO") for end in ("", "_csc", "_sc")]
    Path("i.tsv").write_text("i\tcar\nj\tvan\n", encoding="utf-8")
    arguments = ("--instances", "i.tsv", "--gold-instances", "i.tsv")
    for root in ("auto", "new"):
        scores = empty_row(*arguments, "--root", root)
        assert {name: scores[name] for name in zeros} == dict.fromkeys(zeros, 0.0)
        assert scores["Concepts"] == scores["Edges"] == scores["Leaves"] == 0.0
        assert scores["TED"] == 4.0 + (root == "new")  # all concepts of the gold standard are inserted
        undefined = {name for name, value in scores.items() if value is None}
        assert undefined >= {"Preserved", "H_s", "H_a", "ITP", "ITR", "ITF", "OntoRand", "EOR", "AvgDepth", "MaxDepth"}
    several = "TP(over=learned, estimate=optimistic),TR(average=micro),TP(over=novel, estimate=optimistic)"
    assert empty_row(measures=several) == {
        "TP(over=learned, estimate=optimistic)": 0.0, "TR(average=micro)": 0.0,
        "TP(over=novel, estimate=optimistic)": 1.0,  # nothing is new, nothing is wrong
    }  # fmt: skip


def test_nothing_is_not_said_to_be_near() -> None:
    arguments = ("--min-confidence", "0,1", "--explain", "car", "-m", "NearR,NearP")
    text = run("compare", "oc.tsv", "--gold", "or.tsv", *arguments).stdout
    assert "nearest learned concept" not in text.partition("oc.tsv >= 1: car (not learned)")[2]


def test_a_threshold_that_leaves_no_instance_has_a_row() -> None:
    Path("i.tsv").write_text("i\tbike\nj\tvehicle\n", encoding="utf-8")
    Path("k.tsv").write_text("i\tbike\n", encoding="utf-8")
    arguments = ("--instances", "k.tsv", "--gold-instances", "i.tsv", "-m", "ITF", "--min-confidence")
    entries = printed_json("compare", "oc.tsv", "--gold", "or.tsv", *arguments, "0,0.3", remarks=True)["results"]
    assert [entry["scores"]["ITF"] for entry in entries] == [1.0, None]


@pytest.mark.parametrize(
    "options",
    [
        ("--errors", "--worst", "3", "--explain", "car"),
        ("--intervals", "--rounds", "10"),
        ("--significance", "--rounds", "10"),
        ("--ignore-novel",),
        ("--match", "fuzzy:0.9"),
        ("--match", "instances", "--instances", "i.tsv", "--gold-instances", "i.tsv"),
        ("--per", "property"),
        ("--local", "local.tsv"),
        ("--below", "car"),
        ("--below", "bike"),  # which is there at 0 only
        ("--format", "markdown"),
        ("--store", "scores"),
    ],
)
def test_a_row_of_nothing_goes_with_every_option(options: tuple[str, ...]) -> None:
    Path("i.tsv").write_text("i\tcar\nj\tvan\n", encoding="utf-8")
    result = run("compare", "oc.tsv", "--gold", "or.tsv", "--min-confidence", "0,1", *options)
    assert result.exit_code == 0, result.output + result.stderr
    assert "oc.tsv >= 1" in result.stdout
    assert " are left: no link" in result.stderr


@pytest.mark.slow
def test_a_stored_row_of_nothing_is_valid() -> None:
    assert run("compare", "oc.tsv", "--gold", "or.tsv", "--min-confidence", "0,1", "-o", "s.trig").exit_code == 0
    assert run("validate", "s.trig").exit_code == 0
    assert [stored["LP"].value for stored in oe.read_scores("s.trig")] in ([0.8, 0.0], [0.0, 0.8])
