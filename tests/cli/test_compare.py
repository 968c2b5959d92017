"""`ontoeval compare`, as a user meets it."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import helpers
import pytest
from helpers import run, work_in

import ontoeval as oe
from ontoeval.cli.options import LAYOUTS

# child, parent
GOLD = "car\tvehicle\nbike\tvehicle\nvan\tcar\ncoupe\tcar\n"
GOOD = "car\tvehicle\nbike\tvehicle\nvan\tcar\n"  # coupe is missing
POOR = "car\tvehicle\nbike\tcar\nvan\tbike\ntruck\tvehicle\n"  # one chain instead of two branches; truck is novel
UPPER = GOLD.upper()
OTHER = "apple\tfruit\npear\tfruit\n"

DEFAULT = ["LP", "LR", "LF", "EdgeP", "EdgeR", "EdgeF", "TP_csc", "TR_csc", "TF_csc", "TP_sc", "TR_sc", "TF_sc"]
CLASSIC = ["LP", "LR", "LF", "TP_csc", "TR_csc", "TF_csc", "TFprime_csc", "TP_sc", "TR_sc", "TF_sc", "TO_csc", "EdgeF"]


def harmonic(left: float, right: float) -> float:
    return 2 * left * right / (left + right)


# By hand, from the extracts. GOOD: sc of vehicle has 4 of 5, of car 3 of 4, of bike and van all; coupe 0.
# POOR: csc of vehicle 3 of 3, of car 2 of 3, of bike 1 of 3, of van 2 of 3; nothing is lost.
EXPECTED: dict[str, dict[str, float]] = {
    "good": {
        "LP": 1, "LR": 4 / 5, "LF": 8 / 9, "TP_csc": 1, "TR_csc": 1, "TF_csc": 1, "TFprime_csc": 8 / 9, "TP_sc": 1,
        "TR_sc": 3.55 / 5, "TF_sc": harmonic(1, 3.55 / 5), "TO_csc": 1, "EdgeP": 1, "EdgeR": 3 / 4,
        "EdgeF": 6 / 7,
    },
    "poor": {
        "LP": 4 / 5, "LR": 4 / 5, "LF": 4 / 5, "TP_csc": 2 / 3, "TR_csc": 1, "TF_csc": 4 / 5, "TFprime_csc": 4 / 5,
        "TP_sc": 2.8 / 5, "TR_sc": 3.55 / 5, "TF_sc": harmonic(2.8 / 5, 3.55 / 5), "TO_csc": 2 / 3, "EdgeP": 1 / 4,
        "EdgeR": 1 / 4, "EdgeF": 1 / 4,
    },
}  # fmt: skip


def expected(name: str, measures: list[str] = DEFAULT) -> dict[str, float]:
    return {measure: EXPECTED[name][measure] for measure in measures}


entry = partial(helpers.entry, "compare", remarks=True)
refused = partial(helpers.refused, "compare")
compared = partial(helpers.printed_json, "compare", remarks=True)


def table(output: str, first: str) -> list[list[str]]:
    """The cells of the lines from the one with `first` to the next empty line; two or more blanks separate them."""
    lines = output.splitlines()
    start = next(number for number, line in enumerate(lines) if first in line)
    found = []
    for line in lines[start:]:
        if not line.strip():
            break
        if not set(line.strip()) <= set("─"):
            found.append(re.split(r"\s{2,}", line.strip()))
    return found


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the example files, in which the command is run."""
    files = {"gold.tsv": GOLD, "good.tsv": GOOD, "poor.tsv": POOR, "upper.tsv": UPPER, "other.tsv": OTHER}
    return work_in(tmp_path, monkeypatch, files)


# The scores


def test_the_default_measures_are_those_of_the_issue_in_their_order(here: Path) -> None:
    assert list(entry("good.tsv", "--gold", "gold.tsv")["scores"]) == DEFAULT


@pytest.mark.parametrize("name", EXPECTED)
def test_the_scores_are_those_counted_by_hand(here: Path, name: str) -> None:
    scores = entry(f"{name}.tsv", "--gold", "gold.tsv")["scores"]
    assert scores == pytest.approx(expected(name), abs=1e-12)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_set_stands_for_its_measures(here: Path, name: str) -> None:
    found = entry(f"{name}.tsv", "--gold", "gold.tsv", "-m", "classic")
    assert list(found["scores"]) == CLASSIC
    assert found["scores"] == pytest.approx(expected(name, CLASSIC), abs=1e-12)
    both = entry(f"{name}.tsv", "--gold", "gold.tsv", "-m", "core,SM,classic")
    assert list(both["scores"]) == [*DEFAULT, "SM", "TFprime_csc", "TO_csc"]


@pytest.mark.parametrize(
    ("measures", "recorded"),
    [
        ((), ["core"]),
        (("core",), ["core"]),
        (("classic",), ["classic"]),
        (("LF", "SM"), ["LF", "SM"]),
        (("core", "SM", "TP(extract=csc)"), ["core", "SM"]),
        (("TP(extract=uc)", "between"), ["between", "TP(extract=uc)"]),
    ],
)
def test_what_was_computed_is_in_the_settings(here: Path, measures: tuple[str, ...], recorded: list[str]) -> None:
    asked = [word for name in measures for word in ("-m", name)]
    assert entry("poor.tsv", "--gold", "gold.tsv", *asked, "-o", "scores.trig")["measures"] == recorded
    assert oe.read_scores("scores.trig")[0].settings["measures"] == recorded


def test_json_says_what_was_compared_and_how_it_was_matched(here: Path) -> None:
    found = entry("poor.tsv", "--gold", "gold.tsv", "-m", "LP,EdgeF")
    assert (found["learned"], found["gold"]) == ("poor.tsv", "gold.tsv")
    assert found["matching"] == {
        "by": "iri,label", "normalize": [], "languages": [], "matched": 4, "learned": 5, "gold": 5, "novel": 1,
        "missing": 1, "ambiguous": 0, "found": {"iri": 4, "label": 0, "added root": 0}, "notes": [],
    }  # fmt: skip
    assert found["undefined"] == {}
    assert found["counts"]["LP"] == {"common": 4, "learned": 5}
    assert found["counts"]["EdgeF"] == {"common_edges": 1, "learned_edges": 4, "gold_edges": 4}


def test_json_is_the_same_with_the_short_option(here: Path) -> None:
    arguments = ("compare", "poor.tsv", "--gold", "gold.tsv")
    assert run(*arguments, "--json").stdout == run(*arguments, "--format", "json").stdout


def test_measures_are_called_as_the_user_wrote_them(here: Path) -> None:
    names = ["TP( extract = csc )", "EdgeF", "TO(extract=uc,over=common)", "LP"]
    arguments = ["-m", f"{names[0]},{names[1]}", "-m", names[2], "--measure", names[3]]
    scores = entry("poor.tsv", "--gold", "gold.tsv", *arguments)["scores"]
    assert list(scores) == names
    assert scores["TP( extract = csc )"] == pytest.approx(2 / 3)


def test_a_measure_that_is_asked_for_twice_is_computed_once(here: Path) -> None:
    assert list(entry("poor.tsv", "--gold", "gold.tsv", "-m", "LP,LR", "-m", "LP")["scores"]) == ["LP", "LR"]


def test_an_undefined_score_is_null_with_its_reason_and_a_dash_in_tables(here: Path) -> None:
    arguments = ("good.tsv", "--gold", "gold.tsv", "-m", "CFM,LP", "--root", "none")
    reason = "the gold standard has no root for paths to start from"
    found = entry(*arguments)
    assert found["scores"] == {"CFM": None, "LP": 1.0}
    assert found["undefined"] == {"CFM": reason}
    shown = run("compare", *arguments)
    assert [line.split()[:2] for line in shown.stdout.splitlines()[1:3]] == [["CFM", "–"], ["LP", "1.000"]]
    assert shown.stderr == f"note: good.tsv: CFM is undefined: {reason}\n"
    separated = run("compare", *arguments, "--format", "tsv")
    assert separated.stdout == "\tCFM\tLP\ngood.tsv\t\t1.0\n"
    assert separated.stderr == shown.stderr


# The layouts


def test_the_table_has_a_row_for_each_learned_ontology_and_marks_the_best(here: Path) -> None:
    result = run("compare", "good.tsv", "poor.tsv", "--gold", "gold.tsv", "-m", "LP,TO_csc,EdgeF,Concepts,Motif")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines()[0] == "2 runs against gold.tsv (* best)"
    assert table(result.stdout, "EdgeF")[:2] == [
        ["LP", "TO_csc", "EdgeF", "Concepts", "Motif", "common", "missing", "novel"],
        # by hand: of the 4 triples of the gold 2 are chains, of the 2 of GOOD 1, so nothing differs in shape but the
        # share of forks and chains: |1/2 - 1/2| = 0; of the 3 of POOR (car vehicle truck fork, two chains) 2
        ["good", "1.000*", "1.000*", "0.857*", "4", "0.000*", "4", "1", "0"],
    ]
    assert table(result.stdout, "EdgeF")[2] == ["poor", "0.800", "0.667", "0.250", "5", "0.167", "4", "1", "1"]


def test_one_learned_ontology_alone_is_not_marked_as_best(here: Path) -> None:
    result = run("compare", "good.tsv", "--gold", "gold.tsv")
    assert result.exit_code == 0
    assert "*" not in result.stdout


def test_files_are_called_by_their_names_and_never_by_numbers(here: Path) -> None:
    for folder in ("one", "two"):
        (here / folder).mkdir()
        (here / folder / "run.tsv").write_text(GOOD)
    shown = run("compare", "one/run.tsv", "two/run.tsv", "--gold", "gold.tsv", "--errors", "--worst", "3").stdout
    assert [line.split()[0] for line in shown.splitlines()[2:4]] == ["one", "two"]
    assert not re.search(r"ontology\s*[12]", shown, re.IGNORECASE)


def test_digits_are_for_people_only(here: Path) -> None:
    arguments = ("compare", "poor.tsv", "--gold", "gold.tsv", "-m", "TP_csc")
    assert table(run(*arguments, "--digits", "1").stdout, "TP_csc")[0][:2] == ["TP_csc", "0.7"]
    assert "| poor.tsv | 0.66667 |" in run(*arguments, "--digits", "5", "--format", "markdown").stdout
    exact = run(*arguments, "--digits", "1", "--format", "tsv").stdout.splitlines()[1].split("\t")[1]
    assert float(exact) == pytest.approx(2 / 3, abs=1e-15)


def test_tsv_and_csv_have_full_precision_and_nothing_else_on_stdout(here: Path) -> None:
    for layout, separator in (("tsv", "\t"), ("csv", ",")):
        result = run("compare", "good.tsv", "poor.tsv", "--gold", "gold.tsv", "--format", layout)
        header, *rows = csv.reader(io.StringIO(result.stdout), delimiter=separator)
        assert header == ["", *DEFAULT]
        assert [row[0] for row in rows] == ["good.tsv", "poor.tsv"]
        for row in rows:
            values = dict(zip(DEFAULT, map(float, row[1:]), strict=True))
            assert values == pytest.approx(expected(row[0].removesuffix(".tsv")), abs=1e-12)


def test_markdown_and_latex_mark_the_best_in_bold(here: Path) -> None:
    arguments = ("compare", "good.tsv", "poor.tsv", "--gold", "gold.tsv", "-m", "LP,TF_csc", "--format")
    assert run(*arguments, "markdown").stdout == (
        "|  | LP | TF_csc |\n| --- | ---: | ---: |\n| good | **1.000** | **1.000** |\n| poor | 0.800 | 0.800 |\n"
    )
    assert run(*arguments, "latex").stdout == (
        "% 2 runs against gold.tsv (bold: best)\n"
        "\\begin{tabular}{lrr}\n\\toprule\n & LP & TF\\_csc \\\\\n\\midrule\n"
        "good & \\textbf{1.000} & \\textbf{1.000} \\\\\npoor & 0.800 & 0.800 \\\\\n\\bottomrule\n\\end{tabular}\n"
    )


@pytest.mark.parametrize("layout", ["json", "tsv", "csv", "markdown", "latex"])
def test_remarks_are_on_stderr_beside_a_machine_readable_result(here: Path, layout: str) -> None:
    result = run("compare", "upper.tsv", "poor.tsv", "--gold", "gold.tsv", "--ignore-novel", "--format", layout)
    assert result.exit_code == 0
    assert "would match" in result.stderr
    assert ("would match" in result.stdout) == (layout == "json")  # which has it as a warning
    if layout == "json":
        assert [entry["learned"] for entry in json.loads(result.stdout)["results"]] == ["upper.tsv", "poor.tsv"]
    else:
        assert "left out" in result.stderr
        assert "left out" not in result.stdout


def test_names_that_need_escaping(here: Path) -> None:
    name = 'a_b & 5%, x|y "z" #$~^{}.tsv'
    (here / name).write_text(GOOD)
    arguments = ("compare", name, "--gold", "gold.tsv", "-m", "LP", "--format")
    latex = run(*arguments, "latex").stdout.splitlines()[4]
    assert latex == (
        'a\\_b \\& 5\\%, x\\textbar{}y "z" \\#\\$\\textasciitilde{}\\textasciicircum{}\\{\\}.tsv & 1.000 \\\\'
    )  # fmt: skip
    assert run(*arguments, "markdown").stdout.splitlines()[2] == '| a_b & 5%, x\\|y "z" #$~^{}.tsv | 1.000 |'
    assert list(csv.reader(io.StringIO(run(*arguments, "csv").stdout)))[1] == [name, "1.0"]
    assert run(*arguments, "tsv").stdout == f"\tLP\n{name}\t1.0\n"
    assert json.loads(run(*arguments, "json").stdout)["results"][0]["learned"] == name
    assert name in run(*arguments, "table").stdout


# How concepts are matched


def test_a_chain_of_steps_and_folds(here: Path) -> None:
    (here / "new.tsv").write_text("Car\tvehicle\nbikes\tvehicle\nvan\tCar\n")
    found = entry("new.tsv", "--gold", "gold.tsv", "--match", "iri,label,fuzzy:0.8", "--normalize", "case")
    assert found["matching"]["by"] == "iri,label,fuzzy:0.8"
    assert found["matching"]["normalize"] == ["case"]
    # vehicle, van; Car = car; bikes = bike with 1 - 1/5
    assert found["matching"]["found"] == {"iri": 2, "label": 1, "fuzzy:0.8": 1, "added root": 0}
    assert found["scores"] == pytest.approx(expected("good"), abs=1e-12)


def test_a_mapping_file_may_stand_in_the_chain_or_alone(here: Path) -> None:
    (here / "new.tsv").write_text("auto\tvehicle\nbike\tvehicle\nvan\tauto\n")
    (here / "map.tsv").write_text("auto\tcar\n")
    alone = entry("new.tsv", "--gold", "gold.tsv", "--match", "map.tsv", "-m", "LP")
    assert alone["scores"]["LP"] == pytest.approx(1 / 4)
    for place in ("map.tsv", here / "map.tsv"):
        chain = entry("new.tsv", "--gold", "gold.tsv", "--match", f"{place},iri")
        assert chain["matching"]["found"] == {"mapping": 1, "iri": 3, "added root": 0}
        assert chain["scores"] == pytest.approx(expected("good"), abs=1e-12)


def test_a_gold_standard_in_skos_and_a_learned_ontology_in_owl(here: Path) -> None:
    skos = ["@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix g: <http://gold.org/> ."]
    owl = ["@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix l: <http://learned.org/> ."]
    owl.append("@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .")
    skos += [f'g:{name} a skos:Concept ; skos:prefLabel "{name}"@en .' for name in sorted(set(GOLD.split()))]
    owl += [f'l:c{name} a owl:Class ; rdfs:label "{name}"@en .' for name in sorted(set(POOR.split()))]
    skos += ["g:{} skos:broader g:{} .".format(*line.split()) for line in GOLD.splitlines()]
    owl += ["l:c{} rdfs:subClassOf l:c{} .".format(*line.split()) for line in POOR.splitlines()]
    (here / "gold.ttl").write_text("\n".join(skos))
    (here / "learned.ttl").write_text("\n".join(owl))
    assert entry("learned.ttl", "--gold", "gold.ttl")["scores"] == pytest.approx(expected("poor"), abs=1e-12)


def test_labels_in_two_languages(here: Path) -> None:
    head = "@prefix : <http://{}.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    gold = head.format("gold") + (
        ':1 a skos:Concept ; skos:prefLabel "gift"@en, "Geschenk"@de . '
        ':2 a skos:Concept ; skos:prefLabel "poison"@en, "Gift"@de ; skos:broader :1 .'
    )
    learned = head.format("learned") + (
        ':a a skos:Concept ; skos:prefLabel "Gift"@en, "Präsent"@de . '
        ':b a skos:Concept ; skos:prefLabel "venom"@en, "Gift"@de ; skos:broader :a .'
    )
    (here / "gold.ttl").write_text(gold, encoding="utf-8")
    (here / "learned.ttl").write_text(learned, encoding="utf-8")
    arguments = ("learned.ttl", "--gold", "gold.ttl", "--match", "label", "--normalize", "case", "-m", "LP,EdgeF")
    both = entry(*arguments, "--lang", "en", "--lang", "de")
    assert both["matching"]["languages"] == ["en", "de"]
    assert both["matching"]["ambiguous"] == 0  # Gift@en is no Gift@de
    assert both["scores"] == {"LP": 1.0, "EdgeF": 1.0}
    assert entry(*arguments, "--lang", "en")["scores"]["LP"] == 0.5
    assert entry(*arguments, "--lang", "de")["scores"]["LP"] == 0.5
    assert entry(*arguments)["matching"]["ambiguous"] == 2  # a could be 2, and b could be 1


def test_when_nothing_matches_the_command_says_what_would(here: Path) -> None:
    for layout in ("table", "tsv"):
        result = run("compare", "upper.tsv", "--gold", "gold.tsv", "--match", "iri", "--format", layout)
        assert result.exit_code == 0
        assert result.stderr == (
            "warning: upper.tsv: 0 of 5 concepts match; 5 would match by label ignoring case. "
            "Set --match iri,label and --normalize case.\n"
        )
    words = ("--match", "iri,label", "--normalize", "case")
    assert entry("upper.tsv", "--gold", "gold.tsv", *words)["matching"]["matched"] == 5


def test_when_nothing_is_in_common_all_scores_are_0_and_the_command_says_so(here: Path) -> None:
    result = run("compare", "other.tsv", "--gold", "gold.tsv")
    assert result.exit_code == 0
    assert result.stdout.count("0.000") == len(DEFAULT)
    assert result.stderr == (
        "warning: other.tsv: 0 of 3 concepts match by iri,label, and none would by IRI, label or local "
        "name. Do both ontologies describe the same domain?\n"
    )


def test_no_hint_when_most_matches(here: Path) -> None:
    assert run("compare", "good.tsv", "--gold", "gold.tsv").stderr == ""


def test_ambiguous_labels_are_counted(here: Path) -> None:
    label = '<http://www.w3.org/2000/01/rdf-schema#label> "x"'
    kind = "a <http://www.w3.org/2002/07/owl#Class>"
    (here / "gold.ttl").write_text(f"<http://g/1> {kind} ; {label} .")
    (here / "two.ttl").write_text(f"<http://l/1> {kind} ; {label} . <http://l/2> {kind} ; {label} .")
    said = "note: two.ttl: 1 ambiguous match: x (l:2) could also be x (g:1)\n"
    assert run("compare", "two.ttl", "--gold", "gold.ttl", "-m", "LP").stderr == said
    assert run("compare", "two.ttl", "--gold", "gold.ttl", "-m", "LP", "--ignore-novel").stderr.startswith(said)
    names = {"learned": "http://l/2", "gold": "http://g/1", "learned_label": "x", "gold_label": "x"}
    assert entry("two.ttl", "--gold", "gold.ttl")["ambiguous"] == [{**names, "score": 1.0, "by": "label"}]
    assert "ambiguous" not in entry("gold.ttl", "--gold", "gold.ttl")


def test_the_first_three_ambiguous_matches_are_named(here: Path) -> None:
    terms = "".join(f'[Term]\nid: X:{n}\nname: n{n}\nsynonym: "thing" EXACT []\n\n' for n in range(6))
    (here / "six.obo").write_text(f"format-version: 1.2\n\n{terms}")
    (here / "one.obo").write_text("format-version: 1.2\n\n[Term]\nid: Y:1\nname: thing\n")
    (line,) = run("compare", "six.obo", "--gold", "one.obo", "-m", "LP").stderr.splitlines()
    named = "; ".join(f"n{n} could also be thing" for n in (1, 2, 3))
    assert line == f"note: six.obo: 5 ambiguous matches: {named}; and 2 more (--json)"
    assert len(entry("six.obo", "--gold", "one.obo")["ambiguous"]) == 5


def test_ignore_novel_judges_what_the_gold_standard_has_and_says_how_many_were_left_out(here: Path) -> None:
    found = entry("poor.tsv", "--gold", "gold.tsv", "--ignore-novel")
    assert found["matching"]["left_out"] == 1
    assert found["matching"]["learned"] == 4
    assert found["scores"]["LP"] == 1.0
    assert found["scores"]["EdgeF"] == pytest.approx(2 / 7)  # 1 of 3 learned, 1 of 4 gold links
    assert found["scores"]["TP_sc"] == pytest.approx((1 + 3 / 4 + 2 / 4 + 3 / 4) / 4)  # truck is in no extract
    remark = "note: poor.tsv: left out: 1 concept that the gold standard does not have (--ignore-novel); "
    remark += "links through left-out concepts become direct links"
    assert remark in run("compare", "poor.tsv", "--gold", "gold.tsv", "--ignore-novel").stderr.splitlines()


def test_ignore_novel_bridges_what_it_leaves_out(here: Path) -> None:
    (here / "deep.tsv").write_text("car\tmachine\nmachine\tvehicle\nbike\tvehicle\n")
    found = entry("deep.tsv", "--gold", "gold.tsv", "--ignore-novel", "-m", "EdgeP")
    assert found["scores"]["EdgeP"] == 1.0


def test_a_dash_is_a_learned_ontology_from_stdin(here: Path) -> None:
    found = entry("-", "--gold", "gold.tsv", stdin=POOR)
    assert found["learned"] == "(stdin)"
    assert found["scores"] == pytest.approx(expected("poor"), abs=1e-12)
    assert entry("poor.tsv", "--gold", "-", "-m", "LP", stdin=GOLD)["scores"]["LP"] == pytest.approx(4 / 5)


# Why


def test_explain_shows_both_extracts_and_the_local_values(here: Path) -> None:
    shown = run("compare", "poor.tsv", "--gold", "gold.tsv", "--explain", "bike").stdout
    assert shown.partition("\n\n")[2] == (
        "bike: tp_csc 0.333, tr_csc 1.000\n"
        "  parents             learned: car; gold: vehicle\n"
        "  moved               too low\n"
        "  both sides       1  above: vehicle\n"
        "  only learned     2  above 1: car\n"
        "                      below 1: van\n"
        "  only gold        0\n"
    )


def test_explain_in_json(here: Path) -> None:
    (found,) = entry("poor.tsv", "--gold", "gold.tsv", "--explain", "bike")["explain"]
    values = {"TP_csc": 1 / 3, "TR_csc": 1.0, "TO_csc": 1 / 3, "TP_sc": 2 / 4, "TR_sc": 1.0}
    assert found["values"] == pytest.approx(values)
    for key, labels in (
        ("both", ["vehicle"]), ("only_learned", ["car", "van"]), ("only_gold", []),
        ("learned_parents", ["car"]), ("gold_parents", ["vehicle"]),
    ):  # fmt: skip
        assert [named["label"] for named in found[key]] == labels
        assert all(named["common"] for named in found[key])
    assert [(named["learned"], named["gold"]) for named in found["both"]] == [("above", "above")]
    assert [(named["learned"], named["gold"]) for named in found["only_learned"]] == [("above", None), ("below", None)]


def test_explain_of_a_concept_that_only_one_side_has(here: Path) -> None:
    shown = run("compare", "poor.tsv", "--gold", "gold.tsv", "--explain", "truck", "--explain", "coupe").stdout
    assert shown.partition("\n\n")[2] == (
        "truck: novel\n"
        "  parents             learned: vehicle\n"
        "  both sides       0\n"
        "  only learned     1  above: vehicle\n"
        "  only gold        0\n"
        "\n"
        "coupe: missing\n"
        "  parents             gold: car\n"
        "  both sides       0\n"
        "  only learned     0\n"
        "  only gold        2  above: car, vehicle\n"
    )
    novel, missing = entry("poor.tsv", "--gold", "gold.tsv", "--explain", "truck", "--explain", "coupe")["explain"]
    assert (novel["learned"], novel["gold"]) == ("truck", None)
    assert (missing["learned"], missing["gold"]) == (None, "coupe")
    assert [named["label"] for named in missing["only_gold"]] == ["car", "vehicle"]


def test_explain_of_a_concept_that_only_one_of_several_learned_ontologies_has(here: Path) -> None:
    result = run("compare", "poor.tsv", "good.tsv", "--gold", "gold.tsv", "--explain", "truck")
    assert result.exit_code == 0, result.stderr
    assert "truck in poor: novel" in result.stdout.splitlines()
    assert "truck in good: on neither side" in result.stdout.splitlines()


def test_worst_lists_the_concepts_that_lose_most_with_their_parents(here: Path) -> None:
    arguments = ("poor.tsv", "--gold", "gold.tsv", "--worst", "2")
    shown = run("compare", *arguments).stdout
    assert "poor: lowest-scoring concepts" in shown.splitlines()
    assert table(shown, "learned parents") == [
        ["concept", "tp", "tr", "wrong", "lost", "learned parents", "gold parents"],
        ["bike", "0.333", "1.000", "2", "0", "car", "vehicle"],
        ["car", "0.667", "1.000", "1", "0", "vehicle", "same; wrong below: bike"],  # van is as bad, and comes later
    ]
    worst = entry(*arguments)["worst"]
    assert [(loss["label"], loss["wrong"], loss["lost"]) for loss in worst] == [("bike", 2, 0), ("car", 1, 0)]
    assert worst[0]["learned_parents"] == ["car"]
    assert worst[0]["gold_parents"] == ["vehicle"]
    assert len(entry("poor.tsv", "--gold", "gold.tsv", "--worst", "9")["worst"]) == 3


def test_worst_ranks_by_the_first_measure_with_scores_of_concepts(here: Path) -> None:
    arguments = ("poor.tsv", "--gold", "gold.tsv", "--worst", "2", "-m")
    shown = run("compare", *arguments, "TED,LP,PlaceF").stdout
    assert "poor: lowest-scoring concepts in LP" in shown.splitlines()
    assert table(shown, "learned parents")[:1] == [["concept", "LP", "learned parents", "gold parents"]]
    found = entry(*arguments, "PlaceF")
    assert (found["worst_by"], set(found["worst"][0]["values"])) == ("PlaceF", {"PlaceP", "PlaceR"})
    assert [loss["label"] for loss in found["worst"]] == ["bike", "van"]  # below car and bike, not vehicle and car
    for measures in ("TED", "TF_csc", "TF_csc,LP"):
        found = entry(*arguments, measures)
        assert "worst_by" not in found
        assert [loss["label"] for loss in found["worst"]] == ["bike", "car"]
    perfect = run("compare", "good.tsv", "--gold", "gold.tsv", "--worst", "5", "-m", "PlaceF").stdout
    assert "good: no concept scores below 1 in PlaceF" in perfect.splitlines()


def test_worst_of_a_perfect_hierarchy_is_said_in_words(here: Path) -> None:
    shown = run("compare", "good.tsv", "--gold", "gold.tsv", "--worst", "5").stdout
    assert "good: all common concepts have tp_csc and tr_csc 1" in shown.splitlines()


def test_errors_are_listed_by_kind(here: Path) -> None:
    (here / "bad.tsv").write_text("vehicle\tcar\nvan\tvehicle\nbike\tcar\nboat\tship\nship\tboat\n")
    found = entry("bad.tsv", "--gold", "gold.tsv", "--errors")["errors"]
    assert [named["label"] for named in found["missing"]] == ["coupe"]
    assert {named["iri"] for named in found["novel"]} >= {"boat", "ship"}
    assert len(found["novel"]) == 3  # and the root that was added above the two parts
    assert [(link["child"], link["parent"]) for link in found["inverted"]] == [("vehicle", "car")]
    assert [sorted(named["label"] for named in cycle) for cycle in found["cycles"]] == [["boat", "ship"]]
    # vehicle: car is wrong, nothing is lost. bike: car instead of vehicle. car: vehicle is lost. van: the same two
    # superconcepts, the other way round, so that none is wrong or lost
    moved = {kind: [named["label"] for named in found[f"moved_{kind}"]] for kind in ("up", "down", "sideways")}
    assert moved == {"up": ["car"], "down": ["vehicle"], "sideways": ["bike"]}
    counts = found["counts"]
    assert counts == {kind: len(found[kind]) for kind in counts}
    shown = run("compare", "bad.tsv", "--gold", "gold.tsv", "--errors").stdout
    assert shown.partition("\n\n")[2] == (
        "bad: 1 missing, 3 novel, 3 moved, 1 inverted link, 1 cycle\n"
        "  missing   coupe\n"
        "  novel     (root), boat, ship\n"
        "  inverted  vehicle < car (as learned)\n"
        "  cycles    boat < ship\n"
        "  links     4 missing, 5 novel (-o errors.csv)\n"
        "            between common concepts: 3 missing, 3 novel\n"  # not coupe < car; nor boat, ship or (root)
        "  moved     learned parent  gold parent  place\n"
        "  car       (root)          vehicle      too high\n"
        "  vehicle   car                          too low\n"
        "  bike      car             vehicle      elsewhere\n"
        "  1 too high (superconcepts missing), 1 too low (added), 1 elsewhere (both)\n"
    )


def test_no_errors_are_said_in_words(here: Path) -> None:
    shown = run("compare", "gold.tsv", "--gold", "gold.tsv", "--errors").stdout
    assert "gold.tsv: no errors" in shown.splitlines()


def test_long_lists_of_errors_are_cut_for_people_only(here: Path) -> None:
    (here / "many.tsv").write_text(GOOD + "".join(f"new{number:02}\tcar\n" for number in range(30)))
    arguments = ("compare", "many.tsv", "--gold", "gold.tsv", "--errors")
    shown = run(*arguments).stdout
    first = ", ".join(f"new{number:02}" for number in range(10))
    assert shown.partition("\n\n")[2] == (
        "many: 1 missing, 30 novel\n"
        "  missing  coupe\n"
        f"  novel    {first}, … 20 more\n"
        "  links    1 missing, 30 novel (-o errors.csv)\n"
        "           between common concepts: 0 missing, 0 novel\n"
        "  … more (--top 0, or -o errors.csv)\n"
    )
    everything = run(*arguments, "--top", "0").stdout
    assert "more" not in everything
    assert all(f"new{number:02}" in everything for number in range(30))
    assert all(f"new{number:02}" in run(*arguments, "--format", "tsv").stdout for number in range(30))
    assert len(json.loads(run(*arguments, "--json").stdout)["results"][0]["errors"]["novel"]) == 30


@pytest.mark.parametrize("layout", ["markdown", "latex"])
def test_further_tables_say_which_learned_ontology_they_are_about(here: Path, layout: str) -> None:
    arguments = ("compare", "poor.tsv", "good.tsv", "--gold", "gold.tsv", "-m", "TF_csc", "--format", layout)
    for option in (("--worst", "1"), ("--errors",), ("--explain", "bike")):
        further = run(*arguments, *option).stdout.removeprefix(run(*arguments).stdout)
        assert "bike" in further or "coupe" in further
        assert "poor" in further, option


@pytest.mark.parametrize(("layout", "separator"), [("tsv", "\t"), ("csv", ",")])
def test_spreadsheets_hold_one_table_in_which_details_replace_scores(here: Path, layout: str, separator: str) -> None:
    arguments = ("poor.tsv", "good.tsv", "--gold", "gold.tsv", "--format", layout)

    def rows(*options: str) -> list[list[str]]:
        return list(csv.reader(io.StringIO(run("compare", *arguments, *options).stdout), delimiter=separator))

    assert rows("--worst", "1") == [
        ["learned", "of", "iri", "label", "tp", "tr", "wrong", "lost", "learned parents", "gold parents",
         "differences", "learned parent iris", "gold parent iris"],
        ["poor.tsv", "concept", "bike", "bike", repr(1 / 3), "1.0", "2", "0", "car", "vehicle",
         "wrong above: car; wrong below: van", "car", "vehicle"],
    ]  # fmt: skip
    header, *errors = rows("--errors", "--top", "1")  # programs get all
    assert header == [
        "learned", "kind", "iri", "label", "to iri", "to label", "property iri", "property", "place",
        "learned parents", "gold parents", "learned parent iris", "gold parent iris",
    ]  # fmt: skip
    assert [[row[0], row[1], row[2], row[4], *row[8:11]] for row in errors] == [
        ["poor.tsv", "missing concept", "coupe", "", "", "", "car"],
        ["poor.tsv", "novel concept", "truck", "", "", "vehicle", ""],
        ["poor.tsv", "moved concept", "bike", "bike", "too low", "car", "vehicle"],
        ["poor.tsv", "moved concept", "van", "van", "too low", "bike", "car"],
        ["poor.tsv", "missing link", "bike", "vehicle", "", "", ""],
        ["poor.tsv", "missing link", "coupe", "car", "", "", ""],
        ["poor.tsv", "missing link", "van", "car", "", "", ""],
        ["poor.tsv", "novel link", "truck", "vehicle", "", "", ""],
        ["poor.tsv", "novel link", "bike", "car", "", "", ""],
        ["poor.tsv", "novel link", "van", "bike", "", "", ""],
        ["good.tsv", "missing concept", "coupe", "", "", "", "car"],
        ["good.tsv", "missing link", "coupe", "car", "", "", ""],
    ]
    explained = rows("--explain", "bike")
    assert explained[0] == ["learned", "concept", "what", "iri", "value", "place", "status"]
    assert ["poor.tsv", "bike", "only learned", "car", "car", "above", "common"] in explained
    assert ["poor.tsv", "bike", "only learned", "van", "van", "below", "common"] in explained
    assert ["poor.tsv", "bike", "TP_csc", "bike", repr(1 / 3), "", ""] in explained
    assert {len(row) for row in explained} == {7}
    result = run("compare", *arguments, "--worst", "1", "--errors")
    message = f"error: {layout} holds one table, and there are 2: worst, errors. Ask for one of them, or use -f json."
    assert (result.exit_code, result.stdout, result.stderr.splitlines()[0]) == (2, "", message)


# How far to trust it


def test_confidence_is_reproducible_and_the_seed_and_rounds_count(here: Path) -> None:
    arguments = ("poor.tsv", "--gold", "gold.tsv", "-m", "LP,TP_csc,TF_csc,Motif", "--intervals")
    first = entry(*arguments, "--seed", "1")["intervals"]
    assert entry(*arguments, "--seed", "1")["intervals"] == first
    assert list(first) == ["LP", "TP_csc", "TF_csc"]  # the motif distance is no average
    for name, (low, high) in first.items():
        assert 0 <= low <= EXPECTED["poor"][name] <= high <= 1
    once = [entry(*arguments, "--rounds", "1", "--seed", seed)["intervals"] for seed in range(5)]
    assert all(low == high for found in once for low, high in found.values())
    assert len({found["TP_csc"][0] for found in once}) > 1


def test_confidence_in_the_layouts(here: Path) -> None:
    arguments = ("compare", "gold.tsv", "poor.tsv", "--gold", "gold.tsv", "-m", "LP", "--intervals", "--seed", "3")
    intervals = [found["intervals"]["LP"] for found in json.loads(run(*arguments, "--json").stdout)["results"]]
    assert intervals[0] == [1.0, 1.0]
    low, high = intervals[1]
    separated = run(*arguments, "--format", "tsv").stdout.splitlines()
    assert separated[0].split("\t") == ["", "LP", "LP low", "LP high"]
    assert [float(cell) for cell in separated[2].split("\t")[1:]] == [0.8, low, high]
    assert f"0.800 [{low:.3f}, {high:.3f}]" in run(*arguments).stdout
    assert f"| poor | 0.800 [{low:.3f}, {high:.3f}] |" in run(*arguments, "--format", "markdown").stdout


KEYS = ["measure", "left", "right", "difference", "interval", "p", "p_adjusted", "n", "test"]


def test_significance_compares_every_two(here: Path) -> None:
    (here / "again.tsv").write_text(GOOD)
    files = ("good.tsv", "poor.tsv", "again.tsv")
    arguments = (*files, "--gold", "gold.tsv", "-m", "LP,TP_csc,Motif", "--significance")
    tests = compared(*arguments, "--seed", "1")["significance"]
    assert [list(test) for test in tests] == [KEYS] * 9
    pairs = [("good.tsv", "poor.tsv"), ("good.tsv", "again.tsv"), ("poor.tsv", "again.tsv")]
    assert [(test["measure"], test["left"], test["right"]) for test in tests] == [
        (measure, *pair) for measure in ("LP", "TP_csc", "Motif") for pair in pairs
    ]
    found = {(test["measure"], test["left"], test["right"]): test for test in tests}
    assert found["LP", "good.tsv", "poor.tsv"]["difference"] == pytest.approx(1 / 5)
    assert found["LP", "good.tsv", "poor.tsv"]["p"] == 1.0  # truck is all that differs: 1/5 on either side
    assert found["LP", "good.tsv", "poor.tsv"]["n"] == 5  # vehicle, car, bike, van; truck
    assert {test["test"] for test in tests} == {"paired randomisation"}
    assert all(
        test["interval"] is test["p"] is test["p_adjusted"] is test["n"] is None
        for test in tests
        if test["measure"] == "Motif"
    )
    # car, bike and van differ, always to the same side: all or none of the three must change sides, 2 of 8
    first, same, second = (found["TP_csc", *pair] for pair in pairs)
    assert first["p"] == pytest.approx(2 / 8, abs=0.02)
    assert same["p"] == 1.0
    lower, higher = sorted([first["p"], second["p"]])  # Holm: times 3, times 2 and at least the one before
    assert sorted([first["p_adjusted"], second["p_adjusted"]]) == pytest.approx([3 * lower, max(3 * lower, 2 * higher)])
    assert compared(*arguments, "--seed", "1")["significance"] == tests
    single = compared(*arguments, "--rounds", "1")["significance"]
    assert single[3]["p"] in (0.5, 1.0)  # (1 + 0 or 1) / (1 + 1)
    lines = list(csv.reader(io.StringIO(run("compare", *arguments, "--seed", "1", "--format", "csv").stdout)))
    assert lines[0] == [*KEYS[:4], "low", "high", *KEYS[5:]]
    low, high = first["interval"]
    assert [float(cell) for cell in lines[4][4:6]] == [low, high]
    assert low <= first["difference"] <= high
    assert [row[:3] for row in lines[1:]] == [[test["measure"], test["left"], test["right"]] for test in tests]
    assert float(lines[4][6]) == first["p"]


def test_a_baseline_is_tested_against_alone(here: Path) -> None:
    (here / "again.tsv").write_text(GOOD)
    arguments = ("good.tsv", "poor.tsv", "again.tsv", "--gold", "gold.tsv", "-m", "TP_csc", "--rounds", "99")
    for name in ("poor", "poor.tsv"):
        tests = compared(*arguments, "--baseline", name)["significance"]
        assert [test["left"] for test in tests] == ["good.tsv", "again.tsv"]
        assert [test["right"] for test in tests] == ["poor.tsv"] * 2
        lower, higher = sorted(test["p"] for test in tests)
        assert sorted(test["p_adjusted"] for test in tests) == pytest.approx([2 * lower, max(2 * lower, higher)])
    assert "tests against poor only" in run("compare", *arguments, "--baseline", "poor").stdout.splitlines()
    assert refused(*arguments, "--baseline", "pour") == (
        "'pour' is not one of the runs. Did you mean 'poor'? Use one of: good, poor, again."
    )


def test_significance_needs_two_and_prints_no_half_result(here: Path) -> None:
    for layout in ("table", "json", "tsv"):
        result = run("compare", "good.tsv", "--gold", "gold.tsv", "--significance", "--format", layout)
        assert result.exit_code == 2
        assert result.stderr.splitlines()[0] == "error: --significance needs at least two runs."
        assert result.stdout == "", layout


# Files that are written


def rows_of(path: Path) -> list[dict[str, str]]:
    if path.suffix == ".json":
        return [{key: str(value) for key, value in row.items()} for row in json.loads(path.read_text())]
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t" if path.suffix == ".tsv" else ","))


@pytest.mark.parametrize("suffix", ["tsv", "csv", "json", "TSV"])
def test_local_scores_are_written_by_suffix(here: Path, suffix: str) -> None:
    target = here / f"local.{suffix}"
    arguments = ("poor.tsv", "good.tsv", "--gold", "gold.tsv", "-m", "TP_csc,TR_csc,Motif", "--local", target)
    result = run("compare", *arguments)
    assert result.exit_code == 0, result.stderr
    target = target.rename(target.with_suffix(target.suffix.lower()))
    rows = rows_of(target)
    assert list(rows[0]) == ["learned", "measure", "of", "iri", "label", "value"]
    assert {(row["learned"], row["measure"], row["of"]) for row in rows} == {
        (name, *kind) for name in ("poor.tsv", "good.tsv") for kind in (("TP_csc", "learned"), ("TR_csc", "gold"))
    }
    values = {
        row["label"]: float(row["value"]) for row in rows if row["learned"] == "poor.tsv" and row["of"] == "learned"
    }
    assert values == pytest.approx({"vehicle": 1, "car": 2 / 3, "bike": 1 / 3, "van": 2 / 3})


def test_local_scores_replace_a_file_only_when_the_run_went_well(here: Path) -> None:
    target = here / "local.csv"
    target.write_text("old")
    for arguments in (
        ("nowhere.tsv", "--gold", "gold.tsv"),
        ("good.tsv", "--gold", "gold.tsv", "-m", "TF_cs"),
        ("good.tsv", "--gold", "gold.tsv", "--explain", "submarine"),
        ("good.tsv", "--gold", "gold.tsv", "--significance"),
    ):
        assert run("compare", *arguments, "--local", target).exit_code == 1 + ("--significance" in arguments)
        assert target.read_text() == "old"
    assert run("compare", "good.tsv", "--gold", "gold.tsv", "--local", target).exit_code == 0
    assert len(rows_of(target)) > 4
    left = sorted(path.name for path in here.iterdir())
    assert left == ["gold.tsv", "good.tsv", "local.csv", "other.tsv", "poor.tsv", "upper.tsv"]


def test_local_scores_have_the_usual_permissions(here: Path) -> None:
    assert run("compare", "good.tsv", "--gold", "gold.tsv", "--local", here / "local.csv").exit_code == 0
    (here / "plain.csv").write_text("")
    assert (here / "local.csv").stat().st_mode == (here / "plain.csv").stat().st_mode


def test_local_scores_are_written_when_a_limit_is_missed(here: Path) -> None:
    result = run("compare", "poor.tsv", "--gold", "gold.tsv", "--fail-under", "LP=0.9", "--local", here / "local.csv")
    assert result.exit_code == 3
    assert rows_of(here / "local.csv")


# Exit codes and messages


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "TF_cs"), "unknown measure 'TF_cs'. Did you mean 'TF_csc' or 'TF_sc'? See `ontoeval measures`."),
        (("-m", "tf_CSC"), "unknown measure 'tf_CSC'. Did you mean 'TF_csc'? See `ontoeval measures`."),
        (("-m", "Nonsense"), "unknown measure 'Nonsense'. See `ontoeval measures`."),
        (("-m", "TP(extract=xx)"), "TP does not take extract=xx. Use csc, sc, uc, cuc, ds or cds."),
        (
            ("-m", "TP(extrac=sc)"),
            "TP has no parameter 'extrac'. Did you mean 'extract'? Use one of: extract, over, estimate, average.",
        ),
        (("-m", "LP(x=1)"), "LP has no parameter 'x'. It has none."),
        (
            ("-m", "TP_csc(extract=sc)"),
            "TP_csc is extract=csc, over=common; it does not take extract=sc. Use TP(...).",
        ),
        (
            ("-m", "TP(extract=sc"),
            "'TP(extract=sc' is not a measure. Use a name, or a name with parameters: TP(extract=sc, over=common).",
        ),
        (("--fail-under", "Motif=0.5"), "--fail-under needs a measure for which higher is better, not Motif."),
        (("--fail-under", "AvgDepth=2"), "--fail-under needs a measure for which higher is better, not AvgDepth."),
        (
            ("--fail-under", "TF_cs=0.5"),
            "unknown measure 'TF_cs'. Did you mean 'TF_csc' or 'TF_sc'? See `ontoeval measures`.",
        ),
        (
            ("--local", "x.txt"),
            "x.txt: unknown suffix '.txt' of --local. Use one of: .tsv .csv .json.",
        ),
    ],
)  # fmt: skip
def test_what_needs_no_file_is_refused_before_any_is_read(here: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run("compare", "nowhere.tsv", "--gold", "nowhere-either.tsv", *arguments)
    assert result.exit_code == 1
    assert result.stderr == f"error: {message}\n"
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--normalize", "cas"),
            "unknown normalisation 'cas'. Did you mean 'case'? Use one or more of: case, nfkc, separators, camel, "
            "stem, squeeze, all, none.",
        ),
        (
            ("--match", "lable"),
            "cannot match by 'lable'. Did you mean 'label'? Use a mapping file, or one of: "
            "iri, label, preferred, name, fuzzy, instances.",
        ),
        (
            ("--match", "iri,fuzzy:2"),
            "the threshold of fuzzy must be a number > 0 and <= 1, not '2'. Use e.g. fuzzy:0.9.",
        ),
        (
            ("--match", ""),
            "no matching step. Use --match iri,label.",
        ),
        (("--match", "./map.tsv"), "./map.tsv: no such file. Check the path."),
        (("--match", "iri,maps/map.tsv"), "maps/map.tsv: no such file. Check the path."),
        (("--match", "map.sssom.tsv"), "map.sssom.tsv: no such file. Check the path."),
        (
            ("--local", "nowhere/x.tsv"),
            "nowhere/x.tsv: its directory does not exist; choose another path.",
        ),
        (
            ("--weight", "related=heavy"),
            "the weight of related must be a finite number >= 0, not 'heavy'.",
        ),
        (("--instances", "nowhere.tsv"), "nowhere.tsv: no such file. Check the path."),
        (
            ("--max-size", "10"),
            "gold.tsv: larger than 10 bytes when unpacked. Increase --max-size if you trust the file.",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_1(here: Path, arguments: tuple[str, ...], message: str) -> None:
    assert refused("good.tsv", "--gold", "gold.tsv", *arguments) == message


def test_a_place_that_cannot_be_written_prints_no_half_result(here: Path) -> None:
    assert run("compare", "good.tsv", "--gold", "gold.tsv", "--local", "nowhere/x.tsv").stdout == ""


def test_an_unknown_concept_to_explain_prints_no_half_result(here: Path) -> None:
    for layout in ("json", "table", "csv"):
        result = run("compare", "good.tsv", "--gold", "gold.tsv", "--explain", "submarine", "--format", layout)
        assert result.exit_code == 1
        assert result.stderr.startswith("error: unknown concept 'submarine': it is in neither good.tsv nor gold.tsv.")
        assert result.stdout == "", layout


def test_one_bad_file_of_several_prints_no_half_result(here: Path) -> None:
    result = run("compare", "good.tsv", "nowhere.tsv", "--gold", "gold.tsv")
    assert result.exit_code == 1
    assert result.stderr == "error: nowhere.tsv: no such file. Check the path.\n"
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--fail-under", "TF_csc"),
            "--fail-under: 'TF_csc' is neither NAME=VALUE nor a .json file of saved scores. Use e.g. TF_csc=0.7.",
        ),
        (
            ("--fail-under", "TF_csc=high"),
            "--fail-under: 'TF_csc=high' is neither NAME=VALUE nor a .json file of saved scores. Use e.g. TF_csc=0.7.",
        ),
        (
            ("--fail-under", "=0.7"),
            "--fail-under: '=0.7' is neither NAME=VALUE nor a .json file of saved scores. Use e.g. TF_csc=0.7.",
        ),
        (
            ("--fail-under", "TF_csc=nan"),
            "--fail-under: 'TF_csc=nan' is neither NAME=VALUE nor a .json file of saved scores. Use e.g. TF_csc=0.7.",
        ),
        (("--worst", "0"), "--worst: must be >= 1, not 0."),
        (("--rounds", "0"), "--rounds: must be from 1 to 1000000, not 0."),
        (("--digits", "16"), "--digits: must be from 0 to 15, not 16."),
        (("--seed", "x"), "--seed: must be a whole number, not 'x'."),
        (
            ("--format", "xml"),
            f"-f: unknown value 'xml'. Use one of: {', '.join(LAYOUTS)}.",
        ),
        (("--reason-timeout", "0"), "--reason-timeout: must be > 0, not 0."),
    ],
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(here: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run("compare", "good.tsv", "--gold", "gold.tsv", *arguments)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [f"error: {message}", "Help: ontoeval compare --help"]
    assert result.stdout == ""


def test_a_gold_standard_and_a_learned_ontology_are_required(here: Path) -> None:
    assert "missing option '--gold'." in run("compare", "good.tsv").stderr
    assert "missing argument 'LEARNED...'." in run("compare", "--gold", "gold.tsv").stderr
    assert run("compare", "good.tsv").exit_code == run("compare", "--gold", "gold.tsv").exit_code == 2


def test_a_score_under_the_limit_is_exit_code_3_after_the_whole_result(here: Path) -> None:
    arguments = ("good.tsv", "poor.tsv", "--gold", "gold.tsv", "-m", "LP", "--format", "tsv")
    result = run("compare", *arguments, "--fail-under", "EdgeF=0.7", "--fail-under", "TP(extract=csc)=0.9")
    assert result.exit_code == 3
    assert result.stderr.splitlines() == [
        "failed: poor: EdgeF 0.250 < 0.700",
        "failed: poor: TP(extract=csc) 0.667 < 0.900",
    ]
    assert [line.split("\t")[0] for line in result.stdout.splitlines()] == ["", "good.tsv", "poor.tsv"]
    assert result.stdout.splitlines()[0].split("\t") == ["", "LP", "EdgeF", "TP(extract=csc)"]


def test_a_score_at_the_limit_is_exit_code_0(here: Path) -> None:
    result = run("compare", "poor.tsv", "--gold", "gold.tsv", "--fail-under", "EdgeF=0.25", "--fail-under", "LP = 0.8")
    assert (result.exit_code, result.stderr) == (0, "")


def test_an_undefined_score_misses_its_limit(here: Path) -> None:
    result = run("compare", "good.tsv", "--gold", "gold.tsv", "--root", "none", "--fail-under", "CFM=0.1")
    assert result.exit_code == 3
    reason = "the gold standard has no root for paths to start from"
    assert result.stderr == f"note: good.tsv: CFM is undefined: {reason}\nfailed: good: CFM is undefined: {reason}\n"


def test_exit_codes_and_streams_in_a_real_shell(here: Path) -> None:
    code = "from ontoeval.cli import main; main(prog_name='ontoeval')"
    command = [sys.executable, "-c", code, "compare", "-", "--gold", "gold.tsv", "--fail-under", "EdgeF=0.7", "--json"]
    done = subprocess.run(command, input=POOR.encode(), capture_output=True, timeout=60, check=False, cwd=here)
    assert done.returncode == 3
    assert done.stderr.decode().strip() == "failed: (stdin): EdgeF 0.250 < 0.700"
    assert json.loads(done.stdout)["results"][0]["scores"]["EdgeF"] == 0.25


# The options of the loader hold for both sides

TURTLE = """
@prefix : <http://ex.org/> . @prefix n: <http://ex.org/n#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:vehicle a owl:Class . :car a owl:Class ; rdfs:subClassOf :vehicle . n:van a owl:Class ; rdfs:subClassOf :car .
:wheel a owl:Class ; rdfs:subClassOf :vehicle,
  [ a owl:Restriction ; owl:onProperty :partOf ; owl:someValuesFrom :car ] .
:cart a owl:Class ; owl:deprecated true ; rdfs:subClassOf :vehicle .
"""
SKOS = """
@prefix : <http://ex.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:s1 a skos:Concept ; skos:inScheme :A ; skos:narrowerTransitive :s3 .
:s2 a skos:Concept ; skos:inScheme :B ; skos:broader :s1 .
:s3 a skos:Concept ; skos:inScheme :A ; skos:broadMatch :s2 ; skos:closeMatch :s2 .
"""
EX = "http://ex.org/"


@pytest.mark.parametrize(
    ("text", "options", "concepts", "edges"),
    [
        (TURTLE, (), 4, 3),  # vehicle, car, van, wheel
        (TURTLE, ("--input-format", "turtle"), 4, 3),
        (TURTLE, ("--root", "new"), 5, 4),
        (TURTLE, ("--root", EX + "vehicle"), 4, 3),
        (TURTLE, ("--relation", EX + "partOf"), 4, 4),  # a wheel is part of a car
        (TURTLE, ("--namespace", EX + "n#"), 1, 0),
        (TURTLE, ("--below", EX + "car"), 2, 1),
        (TURTLE, ("--deprecated",), 5, 4),
        (TURTLE, ("--import", "more.nt"), 5, 4),
        (TURTLE, ("--weight", "related=2"), 4, 3),
        (TURTLE, ("--instance-property", EX + "about"), 4, 3),
        (TURTLE, ("--instances", "instances.tsv"), 4, 3),
        (TURTLE, ("--reason-timeout", "5", "--on-cycle", "error", "--max-size", "1M", "--lang", "en"), 4, 3),
        (SKOS, (), 4, 3),  # s1, s2, s3 and an added root, under which s1 and s3 are
        (SKOS, ("--profile", "skos"), 4, 3),
        (SKOS, ("--skos", "transitive",), 3, 2),
        (SKOS, ("--skos", "mappings",), 3, 2),
        (SKOS, ("--skos", "close",), 4, 3),
        (SKOS, ("--scheme", EX + "A"), 3, 2),  # s1, s3, the added root
        (TURTLE + SKOS, ("--profile", "owl"), 4, 3),
        (TURTLE + SKOS, ("--profile", "skos", "--scheme", EX + "A"), 3, 2),
        ("<a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <b> .", ("--base-iri", EX), 2, 1),
        ("<a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <b> .", ("--lenient",), 2, 1),
    ],
)  # fmt: skip
def test_the_options_of_the_loader_hold_for_both_sides(
    here: Path, text: str, options: tuple[str, ...], concepts: int, edges: int
) -> None:
    for name in ("learned.ttl", "gold.ttl"):
        (here / name).write_text(text)
    (here / "more.nt").write_text(
        "<http://ex.org/bus> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://ex.org/car> .\n"
    )
    (here / "instances.tsv").write_text(f"herbie\t{EX}car\n")
    found = entry("learned.ttl", "--gold", "gold.ttl", "--match", "name", "-m", "Concepts,Edges,EdgeF", *options)
    assert found["scores"] == {"Concepts": concepts, "Edges": edges, "EdgeF": 1.0}
    assert found["matching"]["gold"] == concepts


def test_columns_hold_for_both_sides(here: Path) -> None:
    (here / "turned.tsv").write_text("vehicle\tcar\nvehicle\tbike\n")
    arguments = ("turned.tsv", "--gold", "turned.tsv", "-m", "Leaves,EdgeF")
    assert entry(*arguments)["scores"] == {"Leaves": 1, "EdgeF": 1.0}
    assert entry(*arguments, "--columns", "parent,child")["scores"] == {"Leaves": 2, "EdgeF": 1.0}


def test_cycles_can_be_refused_on_either_side(here: Path) -> None:
    (here / "ring.tsv").write_text("a\tb\nb\ta\n")
    message = "ring.tsv: 2 concepts form a cycle: a < b < a. Set --on-cycle keep to accept it."
    assert refused("ring.tsv", "--gold", "gold.tsv", "--on-cycle", "error") == message
    assert refused("good.tsv", "--gold", "ring.tsv", "--on-cycle", "error") == message


@pytest.mark.slow
def test_reasoning_holds_for_both_sides(here: Path) -> None:
    pytest.importorskip("pyelk")
    (here / "told.ttl").write_text(TURTLE + ":lorry a owl:Class ; owl:equivalentClass n:van .")
    arguments = ("told.ttl", "--gold", "told.ttl", "-m", "EdgeF,Concepts")
    found = entry(*arguments, "--reason", "elk")
    assert found["scores"] == {"EdgeF": 1.0, "Concepts": 5}


def test_help_has_examples_and_every_option() -> None:
    visible, every = run("compare", "--help").stdout, run("compare", "--help-all").stdout
    options = (
        "--gold", "--measure", "--match", "--normalize", "--ignore-novel", "--worst", "--explain", "--errors",
        "--intervals", "--significance", "--local", "--fail-under", "--format", "--lang",
    )  # fmt: skip
    rare = ("--rounds", "--seed", "--digits", "--input-format")
    for option in (*options, *rare):
        pattern = re.compile(rf"^\s+(?:-\w, )?{option}\b", re.MULTILINE)
        assert pattern.search(every), option
        assert bool(pattern.search(visible)) == (option in options), option
    assert "ontoeval compare learned.ttl --gold gold.ttl --worst --fail-under LF=0.7" in visible


# As a new user would


def test_twenty_learned_ontologies_in_one_command(here: Path) -> None:
    # run00 has the gold standard's four links, each further run one wrong link more
    names = []
    for number in range(20):
        names.append(f"run{number:02}.tsv")
        (here / names[-1]).write_text(GOLD + "".join(f"new{k}\tcar\n" for k in range(number)))
    found = compared(*names, "--gold", "gold.tsv", "-m", "EdgeP,LP")["results"]
    assert [entry["learned"] for entry in found] == names
    assert [entry["scores"]["EdgeP"] for entry in found] == pytest.approx([4 / (4 + n) for n in range(20)])
    assert [entry["scores"]["LP"] for entry in found] == pytest.approx([5 / (5 + n) for n in range(20)])
    lines = table(run("compare", *names, "--gold", "gold.tsv", "-m", "EdgeP,LP").stdout, "EdgeP")
    assert lines[1] == ["run00", "1.000*", "1.000*", "5", "0", "0"]
    assert len(lines) == 21
    assert sum(cell.endswith("*") for line in lines for cell in line) == 2


def test_long_names_and_a_narrow_terminal_break_no_number(here: Path) -> None:
    name = "a_run_of_the_third_system_with_parameters_that_are_many.tsv"
    (here / name).write_text(POOR)
    for columns in ("40", "80", "200"):
        arguments = ("compare", name, "good.tsv", "--gold", "gold.tsv", "-m", "classic")
        shown = run(*arguments, environment={"COLUMNS": columns}).stdout
        assert all(f"{EXPECTED['poor'][measure]:.3f}" in shown for measure in CLASSIC)
        assert max(map(len, shown.splitlines())) <= int(columns)


@pytest.mark.parametrize("layout", ["table", "json", "tsv", "latex"])
def test_the_order_of_triples_in_the_files_does_not_matter(here: Path, layout: str) -> None:
    prefixes = "@prefix : <http://ex.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    learned = [f":l{i} rdfs:subClassOf :l{(i - 1) // 2} ." for i in range(1, 25)]
    learned += [f':l{i} rdfs:label "c{i % 20}" .' for i in range(25)]  # five labels twice
    learned += [":l24 rdfs:subClassOf :l3 .", ":l3 rdfs:subClassOf :l24 ."]  # a cycle
    gold = [f":g{i} rdfs:subClassOf :g{(i - 1) // 3} ." for i in range(1, 22)]
    gold += [f':g{i} rdfs:label "c{i}" .' for i in range(22)]
    outputs = set()
    for seed in range(3):
        draw = random.Random(seed)
        for name, lines in (("learned.ttl", learned), ("gold.ttl", gold)):
            (here / name).write_text(prefixes + "\n".join(draw.sample(lines, len(lines))))
        result = run(
            "compare", "learned.ttl", "--gold", "gold.ttl", "-m", ",".join([*DEFAULT, "CFM", "Motif", "FuzzyF"]),
            "--errors", *(() if layout == "tsv" else ("--worst", "9", "--explain", "c5")),  # a spreadsheet is one table
            "--intervals", "--rounds", "50", "--local", "local.tsv", "--format", layout,
        )  # fmt: skip
        assert result.exit_code == 0, result.stderr
        shown = re.sub(r'"(learned|gold)": "[0-9a-f]{64}"', "", result.stdout)  # hashes of the files' bytes
        outputs.add((shown, result.stderr, (here / "local.tsv").read_text()))
    assert len(outputs) == 1


def test_the_environment_of_the_shell_does_not_change_the_result(here: Path) -> None:
    arguments = ("compare", "good.tsv", "poor.tsv", "--gold", "gold.tsv", "--format", "tsv")
    plain = run(*arguments).stdout
    assert run(*arguments, environment={**os.environ, "COLUMNS": "20", "LC_ALL": "de_DE.UTF-8"}).stdout == plain


# What the options reach


def test_the_seed_counts_for_significance(here: Path) -> None:
    arguments = ("good.tsv", "poor.tsv", "--gold", "gold.tsv", "-m", "TP_csc", "--significance", "--rounds", "5")
    found = [compared(*arguments, "--seed", seed)["significance"][0]["p"] for seed in range(8)]
    assert {round(6 * p, 9) for p in found} <= {1, 2, 3, 4, 5, 6}  # (1 + those of 5 rounds) / (1 + 5)
    assert len(set(found)) > 1


def test_concepts_are_shown_in_the_language_that_was_asked_for(here: Path) -> None:
    head = "@prefix : <http://ex.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    words = {"vehicle": "Fahrzeug", "car": "Auto", "bike": "Rad", "van": "Transporter"}
    for name, text in (("gold", GOOD), ("learned", "car\tvehicle\nbike\tvehicle\nvan\tbike\n")):
        lines = [f':{word} a skos:Concept ; skos:prefLabel "{word}"@en, "{words[word]}"@de .' for word in words]
        lines += [":{} skos:broader :{} .".format(*line.split("\t")) for line in text.splitlines()]
        (here / f"{name}.ttl").write_text(head + "\n".join(lines))
    arguments = ("compare", "learned.ttl", "--gold", "gold.ttl", "--worst", "1")
    # csc of van: vehicle and bike, in the gold standard vehicle and car
    row = ["0.500", "0.500", "1", "1"]
    assert table(run(*arguments, "--lang", "de").stdout, "learned parents")[1:] == [
        ["Transporter", *row, "Rad", "Auto"]
    ]
    assert table(run(*arguments, "--lang", "en").stdout, "learned parents")[1:] == [["van", *row, "bike", "car"]]


def test_swapped_columns_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work_in(tmp_path, monkeypatch, {"gold.tsv": "a\tr\nb\ta\nc\ta\n", "swapped.tsv": "r\ta\na\tb\na\tc\n"})
    remark = "warning: swapped.tsv: 3 of 3 links are inverted. Set --columns parent,child --gold-columns child,parent."
    assert remark in helpers.run("compare", "swapped.tsv", "--gold", "gold.tsv").stderr
    assert "are inverted" not in helpers.run("compare", "gold.tsv", "--gold", "gold.tsv").output
