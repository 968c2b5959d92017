"""`ontoeval measures`, as a user meets it."""

from __future__ import annotations

import json
import shlex
from functools import partial

import helpers
import pytest
from helpers import printed

from ontoeval.measures import Definition, all_measures

DEFAULT = {"LP", "LR", "LF", "TP_csc", "TR_csc", "TF_csc", "TP_sc", "TR_sc", "TF_sc", "EdgeP", "EdgeR", "EdgeF"}
DEFAULT |= {"BDM", "LA", "Rada", "LC", "WP", "Resnik", "Lin", "JC"}  # between concepts
DEFAULT |= {"P", "R", "F", "AP", "AR", "AF"}  # annotations
DEFAULT |= {"LabelP", "LabelR", "LabelF", "hP", "hR", "hF", "SetP", "SetR", "SetF"}  # labels
OTHERS = {"SM", "EdgeP", "EdgeR", "ClosureF", "CFM", "FuzzyF", "ContinuousF", "GraphF", "Motif", "TP", "TO_sc"}


run = partial(helpers.run, "measures")


def test_the_list_has_every_measure() -> None:
    result = run("--format", "tsv")
    assert (result.exit_code, result.stderr) == (0, "")
    header, *rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert header == ["name", "meaning", "source"]
    names = [row[0] for row in rows]
    assert set(names) >= OTHERS | DEFAULT
    assert all(cell.strip() for row in rows for cell in row)


def test_the_terminal_table_has_the_same_names() -> None:
    shown = run().stdout
    assert shown.startswith(
        f"{len(all_measures())} measures (* computed by default; `ontoeval measures NAME` defines one)\n"
    )
    starts = [line.split()[0] for line in shown.splitlines() if line.startswith("  ") and not line.startswith("   ")]
    first = {word for word in starts if not word.startswith("─")}
    names = {line.split("\t")[0] for line in run("--format", "tsv").stdout.splitlines()}
    assert {name.rstrip("*") for name in first} == names
    assert {name.rstrip("*") for name in first if name.endswith("*")} == DEFAULT


@pytest.mark.parametrize(
    ("layout", "line"),
    [
        ("csv", "TO_csc,\"Taxonomic overlap (extract=csc, over=common)\",\"Cimiano, Hotho & Staab 2005\""),
        ("latex", "TO\\_csc & Taxonomic overlap (extract=csc, over=common) & Cimiano, Hotho \\& Staab 2005 \\\\"),
    ],
)  # fmt: skip
def test_the_list_in_other_layouts(layout: str, line: str) -> None:
    assert line in run("--format", layout).stdout.splitlines()


def test_one_measure_in_words() -> None:
    result = run("TP_csc")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "TP_csc: Taxonomic precision (extract=csc, over=common)"
    assert any("|ce(c, O_C) ∩ ce(c', O_R)| / |ce(c, O_C)|" in line for line in lines)
    assert "Range 0 to 1, best 1." in lines
    assert lines[-1] == "Source: Dellschaft & Staab 2006, eq. 10."
    assert not any(line.strip().startswith("extract =") for line in lines)  # the name fixes it
    assert any(line.strip().startswith("average = macro|micro") for line in lines)


def test_a_distance_says_that_less_is_better_and_a_number_that_neither_is() -> None:
    assert "Range 0 to 1, best 0, symmetric." in run("Motif").stdout.splitlines()
    assert any("no best value" in line for line in run("AvgDepth").stdout.splitlines())


def test_a_name_with_parameters_is_the_name_that_says_the_same() -> None:
    assert run("TP(extract=csc)").stdout == run("TP_csc").stdout
    assert run("TP(extract=uc)").stdout.startswith("TP: Taxonomic precision\n")


def test_a_name_that_leaves_parameters_open_is_shown_with_them() -> None:
    lines = run("TP").stdout.splitlines()
    assert lines[0] == "TP: Taxonomic precision"
    assert any(line.strip().startswith("extract = csc|sc|uc|cuc|ds|cds") for line in lines)
    (alone,) = json.loads(run("TP", "--json").stdout)["measures"]
    assert alone["name"] == "TP"


def test_every_name_of_the_list_is_shown_under_this_name() -> None:
    names = [line.split("\t")[0].rstrip("*") for line in run("--format", "tsv").stdout.splitlines()[1:]]
    other = [name for name in names if not run(name).stdout.startswith(f"{name}: ")]
    assert other == []


def test_json_has_all_that_is_known() -> None:
    result = run("--json")
    assert run("--format", "json").stdout == result.stdout
    found = {entry["name"]: entry for entry in json.loads(result.stdout)["measures"]}
    assert {name for name, entry in found.items() if entry["default"]} == DEFAULT
    assert set(found) >= OTHERS
    motif = found["Motif"]
    assert (motif["best"], motif["range"], motif["symmetric"]) == (0.0, [0.0, 1.0], True)
    assert found["Concepts"]["range"] == [0.0, "inf"]
    assert found["Concepts"]["best"] is None
    assert found["TP_sc"]["fixed"] == {"extract": "sc", "over": "learned", "estimate": "zero"}
    for entry in found.values():
        assert entry["task"] in ("Comparison", "ConceptPairs", "Extraction")
        assert entry["label"]
        assert entry["source"]
        assert not entry["fixed"].keys() & entry["parameters"].keys()


def test_json_of_one_measure_is_its_entry() -> None:
    (alone,) = json.loads(run("TP_csc", "--json").stdout)["measures"]
    assert alone in json.loads(run("--json").stdout)["measures"]
    assert alone["name"] == "TP_csc"


def test_markdown_is_a_page_with_a_section_for_each_family() -> None:
    lines = run("--format", "markdown").stdout.splitlines()
    assert lines[0] == "# Measures"
    assert "## Lexical" in lines
    assert "## Structural" in lines
    heads = [line.removeprefix("### ").split(", ") for line in lines if line.startswith("### ")]
    names = [name for head in heads for name in head]
    assert len(names) == len(set(names))
    known = {line.split("\t")[0] for line in run("--format", "tsv").stdout.splitlines()[1:]}
    assert {name.rstrip("*") for name in names} == known
    assert ["TP", "TP_csc*", "TP_sc*"] in heads


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Nonsense", "unknown measure 'Nonsense'. See `ontoeval measures`."),
        ("tp_csc", "unknown measure 'tp_csc'. Did you mean 'TP_csc'? See `ontoeval measures`."),
        ("TP(extract=nothing)", "TP does not take extract=nothing. Use csc, sc, uc, cuc, ds or cds."),
    ],
)
def test_an_unknown_name_is_one_line_and_exit_code_1(name: str, message: str) -> None:
    for layout in ("table", "json", "markdown"):
        result = run(name, "--format", layout)
        assert result.exit_code == 1
        assert result.stderr == f"error: {message}\n"
        assert result.stdout == ""


def test_wrong_usage_is_exit_code_2() -> None:
    assert run("TP", "TR").exit_code == 2
    assert run("--format", "xml").exit_code == 2


@pytest.mark.parametrize("definition", [d for d in all_measures() if d.example], ids=lambda definition: definition.name)
def test_the_example_of_a_measure_computes_it(definition: Definition) -> None:
    command, *arguments = shlex.split(
        printed("measures", definition.name).partition("\nExample:\n")[2].replace("\\\n", "")
    )
    assert command == "ontoeval"
    assert list(helpers.entry(*arguments, "--json", remarks=True)["scores"]) == [definition.name]


def test_a_newcomer_reads_what_place_is_good_for() -> None:
    text = " ".join(printed("measures", "PlaceF").split())
    assert "sit below the right parents." in text
    assert "Use it to compare learners that put concepts in roughly the right place." in text


def test_a_measure_says_what_it_needs_if_it_needs_something() -> None:
    assert "\nNeeds instances.\n" in printed("measures", "H_s")
    assert "Needs" not in printed("measures", "LP")


@pytest.mark.parametrize("name", ["TP_csc", "TR_sc", "TF_csc", "TFprime_csc", "TO_csc", "ITP"])
def test_the_cotopy_measures_say_that_they_are_blind_to_direction(name: str) -> None:
    assert "blind to direction" in " ".join(printed("measures", name).split())
