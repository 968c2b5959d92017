"""`ontoeval sensitivity`, as a user meets it."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from functools import partial
from pathlib import Path

import helpers
import pytest
from helpers import work_in

import ontoeval as oe
from ontoeval.cli.steps import progress_line
from ontoeval.cli.steps.printing import progress_on_stderr
from ontoeval.edit.perturb import KINDS
from ontoeval.edit.synthetic import even_tree

EDGES = "a\tr\nb\tr\nc\tr\na1\ta\na2\ta\na3\ta\nb1\tb\nb2\tb\n"
PLACES = "".join(f"{name}-{number}\t{name}\n" for name in ("a1", "a2", "a3", "b1", "b2", "c") for number in range(3))


run = partial(helpers.run, "sensitivity")


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return work_in(tmp_path, monkeypatch, {"edges.tsv": EDGES, "places.tsv": PLACES})


FILES = ("edges.tsv", "--instances", "places.tsv")


def test_a_table_for_each_perturbation_and_what_was_done(here: Path) -> None:
    result = run(
        "edges.tsv", "-m", "LF,TF_csc", "--perturb", "cut-depth=2,1", "--perturb", "move-nodes=0,25%", "--runs", 2
    )
    assert result.exit_code == 0, result.stderr
    lines = squeezed(result.stdout)
    assert lines[0] == "a concepts below a depth removed (greatest depth kept)"
    assert lines[1] == "depth LF TF_csc"
    assert lines[2] == "2 1.000 1.000"
    assert lines[3].startswith("1 0.615 ")  # LF of four concepts out of nine: 8/13
    assert lines[4] == "b concepts moved (out of 8)"
    assert lines[6] == "0 1.000 1.000"
    assert lines[7].startswith("2 1.000 ")
    assert result.stderr == "note: means of 2 runs, seeds 0 to 1; damage without a random choice was done once\n"


def test_without_choices_the_six_settings_and_measures_that_fit(here: Path) -> None:
    with_instances = json.loads(run(*FILES, "--runs", 1, "--points", 2, "--json").stdout)
    assert [(one["perturbation"], one["level"]) for one in with_instances["perturbations"]] == [
        ("cut-depth", None), ("insert-empty", None), ("remove-level", 1), ("remove-level", 2), ("move-instances", None),
        ("move-nodes", None),
    ]  # fmt: skip
    assert with_instances["measures"] == ["H_s", "H_s(weight=w2)", "ITP", "ITR", "EOR", "EOR(delta=tree)"]
    without = json.loads(run("edges.tsv", "--runs", 1, "--points", 2, "--json").stdout)
    assert without["measures"] == ["LF", "TF_csc", "TF_sc", "EdgeF"]
    assert "move-instances" not in [one["perturbation"] for one in without["perturbations"]]


def test_json_is_what_the_library_gives(here: Path) -> None:
    result = run(*FILES, "-m", "ITP", "--perturb", "move-instances=0,3", "--runs", 3, "--seed", 5, "--json")
    expected = oe.sensitivity(
        oe.load_ontology("edges.tsv", instances="places.tsv"), "ITP", ["move-instances=0,3"], runs=3, seed=5
    )
    assert helpers.body(json.loads(result.stdout)) == json.loads(json.dumps(expected.to_dict()))
    assert result.stderr.startswith("note: means of 3 runs, seeds 5 to 7")


def test_tables_for_machines_have_standard_deviations(here: Path) -> None:
    result = run("edges.tsv", "-m", "TF_csc", "--perturb", "move-nodes=0,2", "--runs", 4, "--format", "tsv")
    rows = list(csv.DictReader(io.StringIO(result.stdout), delimiter="\t"))
    assert [(row["amount"], row["n"], row["undefined"]) for row in rows] == [("0", "1", "0"), ("2", "4", "0")]
    assert float(rows[0]["sd"]) == 0.0
    assert float(rows[1]["sd"]) > 0.0
    assert result.stderr == "note: means of 4 runs, seeds 0 to 3; damage without a random choice was done once\n"
    assert run("edges.tsv", "-m", "LF", "--perturb", "cut-depth=1", "--format", "markdown").stdout == (
        "| damage | amount | LF |\n| --- | ---: | ---: |\n| cut-depth | 1 | 0.615 |\n"
    )


def test_the_example_is_the_tree_of_the_paper(here: Path) -> None:
    result = run("--example", "--per-node", 1, "-m", "LF", "--runs", 1, "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["ontology"], found["concepts"], found["instances"]) == ("190 concepts", 190, 189)
    assert {one["title"]: [point["amount"] for point in one["points"]] for one in found["perturbations"]} == {
        "concepts below a depth removed": [5, 4, 3, 2, 1, 0],
        "empty concepts inserted": [0, 10, 20, 30, 41],
        "concepts of level 3 removed": [0, 3, 6, 9, 12, 15, 18],
        "concepts of level 5 removed": [0, 3, 6, 9, 12, 15, 18],
        "instances moved": [0, 19, 38, 57, 76, 95],
        "concepts moved": [0, 20, 40, 60, 80, 95],
    }
    assert even_tree().instances is not None
    derived = json.loads(run("--example", "--per-node", 0, "-m", "LF", "--runs", 1, "--points", 2, "--json").stdout)
    assert [[point["amount"] for point in one["points"]] for one in derived["perturbations"]] == [
        [5, 0], [0, 41], [0, 18], [0, 116], [0, 95],
    ]  # fmt: skip


def test_the_curves_are_drawn(here: Path) -> None:
    for name, start in (("curves.svg", b"<svg "), ("curves.png", b"\x89PNG")):
        result = run("edges.tsv", "-m", "TF_csc", "--runs", 2, "--points", 3, "-o", name)
        assert result.exit_code == 0, result.stderr
        assert (here / name).read_bytes().startswith(start)
    words = (here / "curves.svg").read_text(encoding="utf-8")
    assert "e  concepts moved" in words


def test_what_is_undefined_is_said_once_for_all_measures(here: Path) -> None:
    (here / "dag.tsv").write_text("a\tr\nb\tr\nx\ta\nx\tb\ny\tb\n")
    (here / "who.tsv").write_text("i\tx\nj\ty\nk\ta\n")
    result = run("dag.tsv", "--instances", "who.tsv", "-m", "H_s,H_a,ITP", "--perturb", "cut-depth=2,1")
    lines = squeezed(result.stdout)
    assert lines[3].startswith("1 – – 0.")
    assert result.stderr.startswith(
        "note: H_s, H_a are undefined in 1 comparison under cut-depth: 1 common instance belongs to several"
    )


CHOICES = f"Use one of: {', '.join(KINDS)}."


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["edges.tsv", "-m", "ITP"],
         "ITP needs instances, but edges.tsv has none. Set --instances FILE, or choose other measures."),
        (["edges.tsv", "-m", ","],
         "-m is empty. Name a measure."),
        (["nowhere.tsv", "--perturb", "cut"], f"unknown kind of damage 'cut'. {CHOICES}"),
        (["nowhere.tsv", "--perturb", "remove-level=1"], "remove-level needs a level. Use e.g. remove-level:3."),
        (["edges.tsv", "--perturb", "remove-level:4=1"],
         "edges.tsv: no concepts on level 4; the deepest level is 2. Use a level from 1 to 2."),
        (["edges.tsv", "--perturb", "move-nodes=1,x"],
         "'x' is not an amount. Use a whole number >= 0, or a percentage such as 10%."),
        (["edges.tsv", "--perturb", "move-nodes=1", "--perturb", "move-nodes=2"],
         "'move-nodes' is set twice. Set all its amounts at once: move-nodes=0,5,10."),
        (["edges.tsv", "--perturb", "use-synonyms"],
         "edges.tsv: use-synonyms needs alternative labels, but no concept has one that could become its preferred "
         "label. Choose another kind of damage, such as rename-concepts."),
        (["edges.tsv", "--match", "words"],
         "cannot match by 'words'. Use a mapping file, or one of: iri, label, preferred, "
         "name, fuzzy, instances."),
        (["edges.tsv", "--perturb", "insert-empty=3"],
         "edges.tsv: 3 is too many (concepts with three or more children: 2). Use at most 2."),
        (["nowhere.tsv", "-o", "curves.jpg"],
         "curves.jpg: unknown suffix '.jpg'. Use one of: .csv .json .md .pdf .png .svg .tex .tsv."),
        (["nowhere.tsv", "-o", "no/curves.svg"],
         "no/curves.svg: its directory does not exist; choose another path."),
    ],
)  # fmt: skip
def test_errors_say_what_to_do(here: Path, arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {said}\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--runs", "1"], "no ontology. Name a file, or use --example."),
        (["edges.tsv", "--example"],
         "edges.tsv: --example has its own concepts and instances. Remove one of the two."),
        (["--example", "--instances", "places.tsv"],
         "places.tsv: --example has its own concepts and instances. Remove one of the two."),
        (["edges.tsv", "--per-node", "2"], "--per-node needs --example. Remove --per-node, or use --example."),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together_are_wrong_usage(here: Path, arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr.splitlines()[0]) == (2, "", f"error: {said}")


def test_a_measure_on_something_else_is_refused(here: Path) -> None:
    result = run("nowhere.tsv", "-m", "Lin")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: Lin scores pairs of concepts, not two ontologies.")


def test_whoever_looks_at_a_terminal_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress_on_stderr("comparing", counted=True) as progress:
        assert progress is not None
        progress(3, 7)
    assert terminal.getvalue() == ""  # what is done within two seconds shows nothing
    monkeypatch.setattr(progress_line, "DELAY", 0)
    with progress_on_stderr("comparing", counted=True) as progress:
        assert progress is not None
        progress(3, 7)
        end = time.monotonic() + 30
        while "3 of 7" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.001)
    assert re.search(r"3 of 7, \d+ s left: comparing", terminal.getvalue())
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with progress_on_stderr("comparing", counted=True) as progress:
        assert progress is None


def test_lexical_damage_and_how_concepts_are_found_again(here: Path) -> None:
    (here / "words.ttl").write_text(
        "@prefix : <http://ex.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> . "
        ":r a skos:Concept ; skos:prefLabel 'all' . "
        ":a a skos:Concept ; skos:broader :r ; skos:prefLabel 'car' ; skos:altLabel 'auto' . "
        ":b a skos:Concept ; skos:broader :r ; skos:prefLabel 'bike' . :c a skos:Concept ; skos:broader :a . "
    )
    damage = ("--perturb", "remove-concepts=1", "--perturb", "rename-concepts=2", "--perturb", "use-synonyms=1")
    arguments = ("words.ttl", "-m", "LP,LR,TF_csc", *damage, "--runs", 2)
    lines = squeezed(run(*arguments).stdout)
    assert [line for line in lines if line[:2] in ("a ", "b ", "c ")] == [
        "a concepts removed (out of 3)",
        "b concepts renamed (out of 3)",
        "c preferred labels replaced by synonyms (out of 1)",
    ]
    rows = [line for line in lines if line[0] in "12" and "." in line]
    assert rows == ["1 1.000 0.750 1.000", "2 0.500 0.500 1.000", "1 0.750 0.750 1.000"]
    result = run(*arguments, "--match", "label")
    by_label = squeezed(result.stdout)
    assert [line for line in by_label if line[0] in "12" and "." in line][-1] == "1 1.000 1.000 1.000"
    assert result.stderr.splitlines()[-1] == "note: concepts matched by label"
    assert json.loads(run(*arguments, "--match", "label", "--json").stdout)["match"] == "label"
    assert json.loads(run(*arguments, "--json").stdout)["match"] == "iri"


def test_one_run_is_no_mean(here: Path) -> None:
    result = run("edges.tsv", "-m", "LF", "--perturb", "move-nodes=1", "--runs", 1, "--seed", 4)
    assert result.stderr == "note: 1 run, seed 4\n"


def test_help_has_examples() -> None:
    words = " ".join(run("--help").stdout.split())
    assert "ontoeval sensitivity --example -o figure1.png" in words
    assert "remove-level:3=0,5,10" in words
