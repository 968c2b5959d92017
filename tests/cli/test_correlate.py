"""`ontoeval correlate`, as a user meets it."""

from __future__ import annotations

import csv
import io
import json
import random
import sys
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path

import helpers
import pytest
from helpers import squeezed, work_in

import ontoeval as oe
from ontoeval.analysis.human_agreement import agree

WORDNET = Path("/usr/share/wordnet/data.noun")
ONTOLOGY = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:thing a owl:Class ; rdfs:label "thing" .
:animal a owl:Class ; rdfs:label "animal" ; rdfs:subClassOf :thing .
:dog a owl:Class ; rdfs:label "dog", "domestic dog" ; rdfs:subClassOf :animal .
:c1 a owl:Class ; rdfs:label "cat" ; rdfs:subClassOf :animal .
:tool a owl:Class ; rdfs:label "tool" ; rdfs:subClassOf :thing .
:c2 a owl:Class ; rdfs:label "cat" ; rdfs:subClassOf :tool .
:hammer a owl:Class ; rdfs:label "hammer" ; rdfs:subClassOf :tool .
"""
RATED = """word1\tword2\trating
dog\tcat\t3.5
Domestic Dog\thammer\t1
dog\tanimal\t3
dog\tunicorn\t2
hammer\tcat\t0.5
"""


run = partial(helpers.run, "correlate")
document = partial(helpers.printed_json, "correlate", remarks=True)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return work_in(tmp_path, monkeypatch, {"things.ttl": ONTOLOGY, "rated.tsv": RATED})


FILES = ("rated.tsv", "--ontology", "things.ttl")
RADA = "Rada(scale=distance)"


def test_the_table_has_a_row_for_each_measure_and_says_what_was_done(here: Path) -> None:
    result = run(*FILES, "-m", f"{RADA},WP", "--digits", "2")
    assert result.exit_code == 0, result.stderr
    lines = squeezed(result.stdout)
    assert lines[0] == "Correlation with human ratings: rated.tsv on things.ttl (* best)"
    assert lines[1] == "measure pairs Pearson r Spearman rho Kendall tau-b"
    found = agree(oe.load_ontology("things.ttl"), "rated.tsv", [RADA, "WP"])
    pearson = found[RADA].pearson
    assert pearson.interval is not None
    assert lines[2].startswith(f"{RADA} 4 {pearson.value:.2f} [{pearson.interval[0]:.2f}, {pearson.interval[1]:.2f}]")
    assert len(lines) == 4
    left_out = found.rounds - min(found[RADA].draws, found["WP"].draws)
    assert result.stderr.splitlines() == [
        f"note: intervals: 95 % percentile bootstrap over pairs, 2,000 draws (up to {left_out} left out: constant "
        "values or ratings), seed 0",
        "note: 5 words looked up, 1 with several senses (the best pair of senses is used)",
        "note: left out: 1 of 5 pairs",
        "note: left out, line 5: dog – unicorn ('unicorn' is unknown)",
        f"note: distances are negated: {RADA}",
    ]


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_table_fits_the_window(here: Path, width: int) -> None:
    shown = helpers.run("correlate", *FILES, environment={"COLUMNS": str(width)}).stdout
    assert max(map(len, shown.splitlines())) <= width
    assert shown.count(RADA) == {60: 3, 80: 2, 200: 1}[width]  # blocks of columns


def test_without_a_choice_the_default_measures_with_rada_as_a_distance(here: Path) -> None:
    names = list(document(*FILES)["measures"])
    assert names == ["BDM", "LA", RADA, "LC", "WP", "Resnik", "Lin", "JC"]
    assert "distances are negated" in " ".join(run("--help").stdout.split())


def test_json_has_everything(here: Path) -> None:
    found = document(*FILES, "-m", "Lin", "-m", RADA)
    assert (found["ratings"], found["ontology"]) == ("rated.tsv", "things.ttl")
    assert (found["given"], found["pairs"], found["senses"]) == (5, 4, "max")
    assert found["left_out"] == [
        {"left": "dog", "right": "unicorn", "rating": 2.0, "line": 5, "reason": "'unicorn' is unknown"}
    ]
    assert found["measures"]["Lin"]["definition"]["ic"] == "1 - ln(hypo(c) + 1) / ln(N), in [0, 1]"
    assert found["measures"][RADA]["definition"]["enters_as"] == "-d"
    expected = agree(oe.load_ontology("things.ttl"), "rated.tsv", ["Lin", RADA]).to_dict()
    assert helpers.body(found) == json.loads(json.dumps(expected))


@pytest.mark.parametrize(("layout", "separator"), [("tsv", "\t"), ("csv", ",")])
def test_tables_for_machines_have_full_precision_and_nothing_else_on_stdout(
    here: Path, layout: str, separator: str
) -> None:
    result = run(*FILES, "-m", "Lin", "--format", layout)
    header, row = list(csv.reader(io.StringIO(result.stdout), delimiter=separator))
    assert header == [
        "measure", "pairs", "Pearson", "Pearson low", "Pearson high", "Spearman", "Spearman low", "Spearman high",
        "Kendall", "Kendall low", "Kendall high",
    ]  # fmt: skip
    entry = document(*FILES, "-m", "Lin")["measures"]["Lin"]
    assert [float(cell) for cell in row[1:5]] == [4, entry["Pearson"], *entry["intervals"]["Pearson"]]
    assert "left out: 1 of 5 pairs" in result.stderr


def test_markdown_and_latex_are_fit_for_a_paper(here: Path) -> None:
    markdown = run(*FILES, "-m", "Flat,Rada(scale=distance)", "--format", "markdown", "--no-intervals").stdout
    lines = markdown.splitlines()
    assert lines[:2] == [
        "| measure | pairs | Pearson r | Spearman rho | Kendall tau-b |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    assert lines[2].startswith("| Flat | 4 | – |")  # no pair of equal concepts: constant
    latex = run(*FILES, "-m", "WP", "--format", "latex").stdout
    assert latex.startswith("% Correlation with human ratings: rated.tsv on things.ttl\n")
    assert latex.partition("\n")[2].startswith(
        "\\begin{tabular}{lrrrr}\n\\toprule\nmeasure & pairs & Pearson r & Spearman rho & Kendall tau-b"
    )


def test_intervals_are_seeded_and_can_be_left_out(here: Path) -> None:
    once, again, other = (document(*FILES, "-m", "Lin", "--seed", seed, "--rounds", 5) for seed in (0, 0, 7))
    assert once == again
    assert once["confidence"]["rounds"] == 5
    assert once["measures"]["Lin"]["intervals"] != other["measures"]["Lin"]["intervals"]
    bare = document(*FILES, "-m", "Lin", "--no-intervals")
    assert bare["confidence"] is None
    assert "intervals" not in bare["measures"]["Lin"]
    assert "intervals:" not in run(*FILES, "-m", "Lin", "--no-intervals").stderr


def test_the_first_senses_alone(here: Path) -> None:
    values = {}
    for senses in ("max", "first"):
        run(*FILES, "-m", RADA, "--senses", senses, "--local", f"{senses}.json")
        values[senses] = [row["values"].get(RADA) for row in json.loads((here / f"{senses}.json").read_text())]
    assert values == {"max": [2, 4, 1, None, 2], "first": [2, 4, 1, None, 4]}
    shown = run(*FILES, "-m", RADA, "--senses", "first").stderr
    assert "note: 5 words looked up, 1 with several senses (the first sense is used)" in squeezed(shown)


@pytest.mark.parametrize(("name", "separator"), [("v.tsv", "\t"), ("v.CSV", ",")])
def test_the_values_of_each_pair_go_to_a_table(here: Path, name: str, separator: str) -> None:
    result = run(*FILES, "-m", f"{RADA},Rada", "--local", name)
    assert result.exit_code == 0, result.stderr
    rows = list(csv.reader(io.StringIO((here / name).read_text(encoding="utf-8")), delimiter=separator))
    assert rows == [
        ["left", "right", "rating", RADA, "Rada", "left_out"],
        ["dog", "cat", "3.5", "2.0", str(1 / 3), ""],
        ["Domestic Dog", "hammer", "1.0", "4.0", "0.2", ""],
        ["dog", "animal", "3.0", "1.0", "0.5", ""],
        ["dog", "unicorn", "2.0", "", "", "'unicorn' is unknown"],
        ["hammer", "cat", "0.5", "2.0", str(1 / 3), ""],
    ]


def test_the_values_of_each_pair_in_json_say_which_senses_gave_them(here: Path) -> None:
    run(*FILES, "-m", RADA, "--local", "v.json")
    rows = json.loads((here / "v.json").read_text(encoding="utf-8"))
    assert rows[-1] == {
        "left": "hammer", "right": "cat", "rating": 0.5, "line": 6, "values": {RADA: 2.0},
        "senses": {RADA: ["http://ex.org/hammer", "http://ex.org/c2"]}, "left_out": None,
    }  # fmt: skip
    assert rows[3]["left_out"] == "'unicorn' is unknown"


def test_infinite_values_are_told_for_the_measures_that_have_them(here: Path) -> None:
    (here / "parts.tsv").write_text("b\ta\nc\tb\nz\ty\n")
    (here / "rated.tsv").write_text("a\tb\t3\na\tc\t2\na\tz\t1\nb\tb\t4\n")
    arguments = ("rated.tsv", "--ontology", "parts.tsv", "--root", "none", "-m", f"{RADA},LC(scale=raw),Rada")
    lines = squeezed(run(*arguments, "--local", "v.json").stderr)
    place = lines.index(f"note: left out for {RADA}, LC(scale=raw): 1 of 4 pairs")
    assert lines[place + 1] == "note: left out, line 3: a – z (the value is infinite)"
    assert json.loads((here / "v.json").read_text())[2]["values"] == {RADA: "inf", "LC(scale=raw)": "-inf", "Rada": 0.0}
    assert document(*arguments)["measures"][RADA]["left_out"][0]["reason"] == "the value is infinite"


def test_many_left_out_pairs_are_cut_for_people_only(here: Path) -> None:
    more = "".join(f"dog\tword{n}\t1\n" for n in range(12))
    (here / "rated.tsv").write_text("dog\tcat\t3\ndog\thammer\t1\n" + more)
    lines = squeezed(run(*FILES, "-m", RADA).stderr)
    assert "note: left out: 12 of 14 pairs" in lines
    assert sum("is unknown" in line for line in lines) == 5
    assert "note: left out: 7 more (--json lists all)" in lines
    assert len(document(*FILES, "-m", RADA)["left_out"]) == 12


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("dog\tcat\t3\n", "1 pair; a correlation needs at least two"),
        ("dog\tcat\t3\ndog\thammer\t3\n", "all ratings are the same (3)"),
    ],
)
def test_what_has_no_coefficient_is_told_with_the_reason(here: Path, rows: str, reason: str) -> None:
    (here / "few.tsv").write_text(rows)
    result = run("few.tsv", "--ontology", "things.ttl", "-m", "Lin,WP")
    assert result.exit_code == 0
    assert f"Lin {rows.count(chr(10))} – – –" in squeezed(result.stdout)
    assert f"note: all coefficients are undefined: {reason}" in result.stderr.splitlines()
    found = document("few.tsv", "--ontology", "things.ttl", "-m", "Lin")["measures"]["Lin"]
    assert (found["Pearson"], found["undefined"]) == (None, reason)


def test_one_measure_that_is_constant_does_not_spoil_the_others(here: Path) -> None:
    result = run(*FILES, "-m", "Flat,WP")
    assert "note: the coefficients of Flat are undefined: all values of Flat are the same (0)" in (
        result.stderr.splitlines()
    )
    assert next(line for line in squeezed(result.stdout) if line.startswith("WP 4 ")).count("[") == 3


def test_counts_of_a_corpus(here: Path) -> None:
    (here / "counts.tsv").write_text("dog\t10\nhttp://ex.org/c1\t5\nhttp://ex.org/c2\t1\nhammer\t4\n")
    arguments = (*FILES, "-m", "Lin(ic=corpus)")
    found = document(*arguments, "--counts", "counts.tsv")["measures"]["Lin(ic=corpus)"]
    own = oe.load_ontology("things.ttl").with_counts(
        {f"http://ex.org/{name}": count for name, count in (("dog", 10), ("c1", 5), ("c2", 1), ("hammer", 4))}
    )
    assert found["Pearson"] == agree(own, "rated.tsv", "Lin(ic=corpus)")["Lin(ic=corpus)"].pearson.value
    missing = run(*arguments)
    assert missing.exit_code == 1
    assert missing.stderr == (
        "error: ic=corpus needs counts or instances, but things.ttl has none. Use --counts FILE or --instances FILE.\n"
    )


def test_the_scores_are_stored_as_rdf_that_conforms(here: Path) -> None:
    result = run(*FILES, "-m", f"Lin,{RADA}", "-o", "scores.trig", "--name", "me")
    assert result.exit_code == 0, result.stderr
    (back,) = oe.read_scores("scores.trig")
    assert back.system == "me"
    assert back["Pearson(similarity=Lin)"].value == document(*FILES, "-m", "Lin")["measures"]["Lin"]["Pearson"]
    assert {score.local is not None for score in back if "similarity=" not in score.name} == {True}
    checked = helpers.run("validate", "scores.trig")
    assert checked.exit_code == 0, checked.output
    run(*FILES, "-m", f"Lin,{RADA}", "-o", "scores.trig", "--name", "me")
    assert len(oe.read_scores("scores.trig")) == 1  # the same run replaces itself


def test_a_plot_is_drawn(here: Path) -> None:
    result = run(*FILES, "-m", "Lin,WP", "-o", "plot.svg")
    assert result.exit_code == 0, result.stderr
    root = ET.parse(here / "plot.svg").getroot()
    ids = {element.get("id") for element in root.iter()}
    assert {"panel-0", "panel-1"} <= ids
    assert "panel-2" not in ids


def test_pairs_or_the_ontology_may_come_from_stdin(here: Path) -> None:
    assert document("-", "--ontology", "things.ttl", "-m", "Lin", stdin=RATED)["pairs"] == 4
    assert document("rated.tsv", "--ontology", "-", "-m", "Lin", stdin=ONTOLOGY)["ontology"] == "(stdin)"


def test_the_order_of_the_pairs_changes_nothing(here: Path) -> None:
    header, *rows = RATED.splitlines()
    seen = set()
    for seed in range(3):
        shuffled = random.Random(seed).sample(rows, len(rows))
        (here / "mixed.tsv").write_text("\n".join([header, *shuffled]) + "\n")
        seen.add(run("mixed.tsv", "--ontology", "things.ttl", "--format", "markdown").stdout)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("-m", "TF_csc"),
            "TF_csc does not score pairs of concepts. Use a measure such as BDM or Lin; see `ontoeval measures`.",
        ),
        (
            ("-m", "Pearson(similarity=Lin)"),
            "Pearson(similarity=Lin) does not score pairs of concepts. "
            "Use a measure such as BDM or Lin; see `ontoeval measures`.",
        ),
        (("-m", "Lim"), "unknown measure 'Lim'. See `ontoeval measures`."),
        (("-m", " , "), "-m is empty. Name a measure."),
        (
            ("-o", "plot.jpg"),
            "plot.jpg: unknown suffix '.jpg'. Use one of: .csv .json .md .nq .pdf .png .svg .tex .trig .tsv.",
        ),
        (("-o", "no/plot.svg"), "no/plot.svg: its directory does not exist; choose another path."),
        (
            ("--local", "values.txt"),
            "values.txt: unknown suffix '.txt' of --local. Use one of: .tsv .csv .json.",
        ),
        (("--local", "no/v.tsv"), "no/v.tsv: its directory does not exist; choose another path."),
        (("-o", "scores"), "scores: no suffix. Use one of: .csv .json .md .nq .pdf .png .svg .tex .trig .tsv."),
        (("--ontology", "none.ttl"), "none.ttl: no such file. Check the path."),
    ],
)  # fmt: skip
def test_bad_arguments_are_one_line_and_exit_code_1(here: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run(*FILES, *arguments)
    assert result.exit_code == 1
    assert result.stderr == f"error: {message}\n"
    assert result.stdout == ""
    assert sorted(path.name for path in here.iterdir()) == ["rated.tsv", "things.ttl"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "bad.tsv: the file is empty. Use two columns of words or concepts, and optionally a third of ratings."),
        ("dog\tcat\nhammer\tcat\n", "bad.tsv: no ratings found. Add a third column of numbers."),
        (
            "unicorn\tcat\t1\ndog\tphoenix\t2\n",
            "bad.tsv: no pair has both names in things.ttl; unknown: 'unicorn', 'phoenix'. "
            "Use labels or IRIs of its concepts.",
        ),
        (
            "hamer\tcat\t1\n",
            "bad.tsv: no pair has both names in things.ttl; unknown: 'hamer'. Did you mean 'hammer'?",
        ),
        (
            "dog\tcat\t1\ndog\thammer\thigh\n",
            "bad.tsv, line 2: the rating 'high' is not a finite number. Correct it, or remove the column.",
        ),
    ],
)  # fmt: skip
def test_bad_pairs_are_one_line_and_exit_code_1(here: Path, content: str, message: str) -> None:
    (here / "bad.tsv").write_text(content)
    result = run("bad.tsv", "--ontology", "things.ttl")
    assert result.exit_code == 1
    assert result.stderr == f"error: {message}\n"
    assert result.stdout == ""


def test_a_missing_file_of_pairs(here: Path) -> None:
    result = run("none.tsv", "--ontology", "things.ttl")
    assert (result.exit_code, result.stderr) == (1, "error: none.tsv: no such file. Check the path.\n")


def test_stdin_can_be_read_once(here: Path) -> None:
    result = run("-", "--ontology", "-", stdin=RATED)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0] == "error: stdin (-) can be used for one input only."


def test_a_plot_without_matplotlib_is_refused_before_anything_is_done(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = run("none.tsv", "--ontology", "none.ttl", "-o", "plot.pdf")
    assert result.exit_code == 1
    assert result.stderr == (
        "error: a figure as .pdf or .png needs matplotlib. "
        "Run `pip install 'ontoeval-toolkit[plot]'`, or write .svg, which needs nothing.\n"
    )


def test_wrong_usage_is_exit_code_2(here: Path) -> None:
    assert "missing option '--ontology'." in run("rated.tsv").stderr
    assert run("rated.tsv").exit_code == 2
    assert run(*FILES, "--senses", "all").exit_code == 2
    assert run(*FILES, "--rounds", "0").exit_code == 2


def test_help_has_examples_and_every_option() -> None:
    shown = run("--help-all").stdout
    for option in (
        "--ontology", "--measure", "--counts", "--senses", "--intervals, --no-intervals", "--rounds", "--seed",
        "--local", "-o", "--format", "--output", "--store",
    ):  # fmt: skip
        assert option in shown
    assert "ontoeval correlate miller-charles.tsv --ontology data.noun" in shown


@pytest.mark.slow
def test_miller_and_charles_on_wordnet(here: Path, shared_data: Path) -> None:
    if not WORDNET.is_file():
        pytest.skip(f"WordNet's database files are not on this machine ({WORDNET})")
    result = run(shared_data / "wordsim-wn30" / "EN-MC-30.txt", "--ontology", WORDNET, "--digits", "4")
    lines = squeezed(result.stdout)
    for start in ("Resnik 30 0.8026 [", "Lin 30 0.8361 [", "JC 30 0.8819 [", f"{RADA} 30 0.6931 ["):
        assert sum(line.startswith(start) for line in lines) == 1
    words = "note: 39 words looked up, 27 with several senses (the best pair of senses is used)"
    assert words in result.stderr.splitlines()
