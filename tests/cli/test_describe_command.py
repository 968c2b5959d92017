"""The command line, as a user meets it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from helpers import run

import ontoeval as oe
from ontoeval.cli.explore import describe

EX = "http://ex.org/"
ONTOLOGY = """
@prefix : <http://ex.org/> .
@prefix n: <http://ex.org/n#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:o a owl:Ontology ; owl:imports :base .
:car rdfs:subClassOf :vehicle ; rdfs:label "car"@en, "Auto"@de ; skos:related :bike .
:bike rdfs:subClassOf :vehicle ; rdfs:label "bike" .
n:van rdfs:subClassOf :car, n:box . n:box a owl:Class .
:wheel a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :partOf ; owl:someValuesFrom :car ] .
:cart a owl:Class ; owl:deprecated true .
:herbie a :car .
"""
# child, parent: two tops (vehicle, and the cycle of a and b)
EDGES = "car\tvehicle\nbike\tvehicle\nvan\tcar\na\tb\nb\ta\ncar\tvehicle\n"


def described(*arguments: object, stdin: str | bytes | None = None) -> dict[str, object]:
    """The JSON of one ontology."""
    result = run("describe", *arguments, "--json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    (entry,) = json.loads(result.stdout)["ontologies"]
    return entry


def in_a_shell(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    code = "from ontoeval.cli import main; main(prog_name='ontoeval')"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=60, check=False)


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    path = tmp_path / "ontology.ttl"
    path.write_text(ONTOLOGY)
    return path


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    path = tmp_path / "edges.tsv"
    path.write_text(EDGES)
    return path


# One file


DOID = """\
DiseaseOntology_2019.03.07.obo.gz: obo, 9,233 concepts, 10,880 links
  roots        1    ancestors per leaf   8.4    labels         23,940
  leaves   7,136    max depth             12    without label       0
  cycles       0    mean parents         1.2    deprecated      2,414
"""
# superconcepts of the leaves: of bike 2, of wheel 1, of van 4, which is 2 links below the root at most (by box)
NARROW = """\
ontology.ttl: turtle, 7 concepts (1 added), 7
links (3 added)
  roots          3    ancestors per leaf   2.3
  leaves         3    max depth              2
  cycles         0    mean parents         1.2
  isolated       1    instances              1
  labels              3
  without label       4
  deprecated          1
  related links       1
  labels by language: none 1, de 1, en 1
"""


def test_facts_of_one_file_stand_in_three_columns(shared_data: Path) -> None:
    file = shared_data / "doid" / "DiseaseOntology_2019.03.07.obo.gz"
    result = run("describe", file, environment={"COLUMNS": "80"})
    assert (result.exit_code, result.stdout, result.stderr) == (0, DOID, "")


def test_facts_stand_below_each_other_in_a_narrow_window(ontology: Path) -> None:
    assert run("describe", ontology, environment={"COLUMNS": "50"}).stdout == NARROW
    wide = run("describe", ontology, environment={"COLUMNS": "200"}).stdout.splitlines()
    assert wide[0] == "ontology.ttl: turtle, 7 concepts (1 added), 7 links (3 added)"
    assert wide[1].split() == ["roots", "3", "ancestors", "per", "leaf", "2.3", "labels", "3"]


def test_where_nothing_has_a_label_names_are_said_to_stand_for_labels(edges: Path, ontology: Path) -> None:
    """car, vehicle, bike, van, a and b; the added root is no concept of the file."""
    shown = run("describe", edges).stdout
    assert "names as labels       6" in shown
    assert "labels              0" not in shown
    two = [" ".join(line.split()) for line in run("describe", edges, edges).stdout.splitlines()]
    assert "names as labels 6 6" in two
    other = [" ".join(line.split()) for line in run("describe", edges, ontology).stdout.splitlines()]
    assert "labels 0 3" in other  # beside a file with labels
    assert "without a label 6 4" in other
    assert {"labels\t0", "without a label\t6"} <= {*run("describe", edges, "-f", "tsv").stdout.splitlines()}


# The table


def cells(output: str) -> list[list[str]]:
    """The rows of the terminal table: title and values, which two or more blanks separate."""
    found = []
    for line in output.splitlines():
        if line.strip() and not set(line.strip()) <= set("─-━ "):
            found.append([cell.strip() for cell in line.strip().split("  ") if cell.strip()])
    return found


def rows(output: str) -> dict[str, list[str]]:
    """Title -> values; a title that repeats (dev) has all its values in one list."""
    found: dict[str, list[str]] = {}
    for title, *values in cells(output):
        found.setdefault(title, []).extend(values)
    return found


def figures(*arguments: object) -> dict[str, list[str]]:
    """All figures of one file, as the table of several has them."""
    result = run("describe", *arguments, "--format", "markdown")
    assert result.exit_code == 0, result.stderr
    return {
        title: [value] for title, value in (line.strip("| ").split(" | ") for line in result.stdout.splitlines()[2:])
    }


def test_the_table_says_what_the_issue_asks_for(edges: Path) -> None:
    found = figures(edges)
    # car, bike, van, vehicle, a, b and the added root; vehicle, a and b are hung under it
    assert found["concepts"] == ["7"]
    assert found["root added"] == ["yes"]
    assert found["roots"] == ["2"]  # vehicle, and the cycle
    assert found["leaves"] == ["2"]  # bike, van
    assert found["intermediate"] == ["4"]  # vehicle, car, a, b
    assert found["links"] == ["8"]
    assert found["added"] == ["3"]
    assert found["components"] == ["2"]
    assert found["concepts on cycles"] == ["2"]
    assert found["ancestors per leaf"] == ["2.500"]  # bike has 2 superconcepts, van 3
    assert found["max depth"] == ["3"]
    assert found["avg sub"] == ["1.600"]  # root 3, vehicle 2, car 1, a 1, b 1
    assert found["avg super"] == ["1.333"]  # a 2, b 2, and four with 1
    assert [value for title in found if "sd" in title.split() for value in found[title]] == ["0.800", "0.471"]
    assert found["multi-parent share"] == ["0.000"]
    assert found["related links"] == ["0"]
    assert found["synonym links"] == ["0"]
    assert found["instances"] == ["0"]
    assert found["cycles"] == ["1"]
    assert found["lines"] == ["6"]
    assert found["duplicate"] == ["1"]
    assert run("describe", edges).stderr == "note: edges.tsv: cycle: a < b < a\n"


def test_the_table_of_an_owl_file(ontology: Path) -> None:
    found = figures(ontology)
    assert found["concepts"] == ["7"]  # vehicle, car, bike, van, box, wheel, and the added root
    assert found["multi-parent share"] == ["0.167"]  # van, of six
    assert found["related links"] == ["1"]
    assert found["labels"] == ["3"]
    assert found["without a label"] == ["4"]
    assert (found["en"], found["de"], found["no language"]) == (["1"], ["1"], ["1"])
    assert found["instances"] == ["1"]
    assert found["deprecated left out"] == ["1"]
    assert "lines" not in found
    warning = f"warning: {ontology}: import not found: http://ex.org/base; its links are missing. Set --import.\n"
    assert run("describe", ontology).stderr == warning


def test_the_columns_of_the_table_are_aligned(ontology: Path, edges: Path) -> None:
    lines = run("describe", ontology, edges).stdout.splitlines()
    start = next(number for number, line in enumerate(lines) if "ontology.ttl" in line)
    header = lines[start]
    ends = [header.index(name) + len(name) for name in ("ontology.ttl", "edges.tsv")]
    body = lines[start + 1 :]
    assert len(body) > 20
    titles = set()
    for line in body:
        assert len(line) == ends[1]  # the last value ends where its header ends
        assert line[ends[0] - 1] != " "
        assert line[ends[0]] == " "
        titles.add(len(line) - len(line.lstrip()))
    assert len(titles) == 2  # a title is at the margin or one step in
    assert not any(line != line.rstrip() for line in lines)


def test_several_files_stand_side_by_side(ontology: Path, edges: Path) -> None:
    found = rows(run("describe", ontology, edges).stdout)
    assert found["ontology.ttl"] == ["edges.tsv"]  # the header, whose first cell is empty
    assert found["concepts"] == ["7", "7"]
    assert found["related links"] == ["1", "0"]
    assert found["lines"] == ["–", "6"]
    assert found["triples"] == ["19", "–"]


def test_files_of_the_same_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    paths = []
    for folder in ("gold", "learned"):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "x.tsv")
        paths[-1].write_text(EDGES)
    header = run("describe", *paths, "--format", "tsv").stdout.splitlines()[0]
    assert header == "\tgold/x.tsv\tlearned/x.tsv"
    again = run("describe", paths[0], paths[0], "--format", "tsv").stdout.splitlines()[0]
    assert again == "\tx.tsv\tx.tsv"


def test_numbers_do_not_break_on_a_narrow_terminal(ontology: Path, edges: Path) -> None:
    narrow = run("describe", ontology, edges, environment={"COLUMNS": "20"})
    found = rows(narrow.stdout)
    assert found["avg super"] == rows(run("describe", ontology, edges).stdout)["avg super"]
    assert found["related links"] == ["1", "0"]


def test_many_languages_are_summed_up(tmp_path: Path) -> None:
    path = tmp_path / "many.ttl"
    labels = ", ".join(f'"x{number}"@l{chr(97 + number)}' for number in range(20))
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    path.write_text(f"<http://ex.org/a> a <http://www.w3.org/2002/07/owl#Class> ; {label} {labels} .")
    found = figures(path)
    assert found["labels"] == ["20"]
    assert found["8 more languages"] == ["8"]
    assert len(described(path)["languages"]) == 20


def test_a_long_cycle_is_shortened_and_many_cycles_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    ring = [f"r{number:02}" for number in range(30)]
    lines = [f"{a}\t{b}" for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)]
    lines += [f"p{number}\tq{number}\nq{number}\tp{number}" for number in range(7)]
    path.write_text("\n".join(lines))
    notes = run("describe", path).stderr.splitlines()
    assert notes[-1] == "note: x.tsv: and 3 more cycles"
    assert len(notes) == 6
    assert all(len(line) < 150 for line in notes)


# Other layouts


def test_json_has_a_list_of_ontologies(ontology: Path, edges: Path) -> None:
    result = run("describe", ontology, edges, "--json")
    assert result.exit_code == 0

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    document = json.loads(result.stdout, parse_constant=refuse)
    assert list(document) == ["schema", "version", "ontologies", "warnings"]
    first, second = document["ontologies"]
    assert first["source"] == str(ontology)
    assert second["source"] == str(edges)
    needed = {
        "source", "concepts", "root_added", "roots", "leaves", "intermediate", "edges", "added_edges", "components",
        "loops", "avg_depth", "max_depth", "avg_sub", "sub_dev", "avg_super", "super_dev", "multi_parent_share",
        "related", "synonyms", "languages", "unlabelled", "instances", "cycles", "unresolved_imports", "deprecated",
    }  # fmt: skip
    assert needed <= set(first)
    assert needed | {"lines", "duplicate_lines"} <= set(second)
    assert first["unresolved_imports"] == [EX + "base"]
    assert second["cycles"] == [["a", "b", "a"]]
    assert second["avg_depth"] == 2.5
    assert second["lines"] == 6


def test_json_is_what_python_says(ontology: Path) -> None:
    python = oe.load_ontology(ontology).describe()
    python["warnings"] = [text.replace("imports=", "--import") for text in python["warnings"]]
    assert described(ontology) == python
    assert run("describe", ontology, "--format", "json").stdout == run("describe", ontology, "--json").stdout


def test_undefined_values_are_null(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("a\tb\nb\ta\n")
    found = described(path, "--root", "none")
    assert found["avg_depth"] is None  # no leaf
    assert found["root"] is None
    alone = described("-", "--input-format", "tsv", stdin="a\t\n")
    assert alone["concepts"] == 1
    assert alone["avg_sub"] is None
    assert alone["sub_dev"] is None
    assert alone["avg_super"] is None
    assert alone["super_dev"] is None
    assert alone["avg_depth"] == 0.0  # the only concept is a leaf without superconcepts
    table = figures(path, "--root", "none")
    assert "ancestors per leaf" not in table or table["ancestors per leaf"] == ["–"]
    assert "ancestors per leaf" in run("describe", path, "--root", "none").stdout


def test_tsv_has_full_precision_and_empty_cells(ontology: Path, edges: Path) -> None:
    result = run("describe", ontology, edges, "--format", "tsv")
    assert result.exit_code == 0
    table = [line.split("\t") for line in result.stdout.splitlines()]
    assert {len(row) for row in table} == {3}
    assert table[0] == ["", "ontology.ttl", "edges.tsv"]
    found = {row[0].strip(): row[1:] for row in table}
    assert found["lines"] == ["", "6"]
    assert float(found["avg super"][1]) == pytest.approx(8 / 6, rel=1e-15)
    assert found["root added"] == ["true", "true"]
    # what is noticed on the way does not spoil the table
    assert "note: edges.tsv: cycle: a < b < a" in result.stderr.splitlines()
    assert "cycle:" not in result.stdout


@pytest.mark.parametrize(("layout", "separator"), [("tsv", "\t"), ("markdown", " | "), ("latex", " & ")])
def test_every_row_has_a_name_of_its_own(ontology: Path, layout: str, separator: str) -> None:
    """Indentation tells people which `dev` is meant; a program or a paper needs the name."""
    lines = run("describe", ontology, "--format", layout).stdout.splitlines()
    names = [line.split(separator)[0].strip("| ") for line in lines if separator in line]
    assert len(names) > 20
    assert sorted(names) == sorted(set(names))


def test_markdown_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a|b_c.tsv"
    path.write_text(EDGES)
    lines = run("describe", path, "--format", "markdown").stdout.splitlines()
    assert lines[1] == "| --- | ---: |"
    assert "a\\|b_c.tsv" in lines[0]
    assert all(line.startswith("| ") and line.endswith(" |") for line in lines)
    assert {line.replace("\\|", "").count("|") for line in lines} == {3}
    assert "| ancestors per leaf | 2.500 |" in lines


def test_latex_is_a_tabular(tmp_path: Path) -> None:
    path = tmp_path / "a_b&c#50%.tsv"
    path.write_text(EDGES)
    output = run("describe", path, "--format", "latex").stdout
    assert output.startswith("% Summary\n\\begin{tabular}{lr}\n")
    assert output.endswith("\\end{tabular}\n")
    assert "a\\_b\\&c\\#50\\%.tsv \\\\" in output
    assert "ancestors per leaf & 2.500 \\\\" in output


# Sources


@pytest.mark.parametrize("packed", [False, True])
def test_a_dash_is_stdin(packed: bool) -> None:
    data = gzip.compress(EDGES.encode()) if packed else EDGES.encode()
    found = described("-", stdin=data)
    assert found["concepts"] == 7
    assert found["source"] == "(stdin)"
    assert found["format"] == "tsv"


def test_stdin_in_a_real_shell(ontology: Path) -> None:
    done = in_a_shell("describe", "-", ontology, "--json", stdin=EDGES.encode())
    assert done.returncode == 0
    warning = f"warning: {ontology}: import not found: http://ex.org/base; its links are missing. Set --import.\n"
    assert done.stderr.decode() == warning + "note: (stdin): cycle: a < b < a\n"  # no progress: it is not a terminal
    sources = [entry["source"] for entry in json.loads(done.stdout)["ontologies"]]
    assert sources == ["(stdin)", str(ontology)]


# Options


def test_the_root_is_passed_on(ontology: Path, edges: Path) -> None:
    assert described(edges, "--root", "vehicle")["root"] == "vehicle"
    assert described(edges, "--root", "vehicle")["added_edges"] == 2
    assert described(edges, "--root", "none")["root"] is None
    assert described(edges, "--root", "new")["added_edges"] == 3
    assert described(ontology, "--root", EX + "vehicle")["root"] == EX + "vehicle"


def test_cycles_can_be_refused(edges: Path) -> None:
    result = run("describe", edges, "--on-cycle", "error")
    assert result.exit_code == 1
    assert result.stderr == (f"error: {edges}: 2 concepts form a cycle: a < b < a. Set --on-cycle keep to accept it.\n")


def test_weights_are_passed_on(ontology: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []
    original = oe.load.load_ontology

    def load(*arguments: object, **options: object) -> oe.Ontology:
        loaded.append(original(*arguments, **options))
        return loaded[-1]

    monkeypatch.setattr("ontoeval.cli.steps.inputs.load_ontology", load)
    assert run("describe", ontology, "--weight", "related=2", "--weight", "hierarchical = 0.5").exit_code == 0
    hierarchy = loaded[0].hierarchy
    assert set(hierarchy.related.weights.tolist()) == {2.0}
    assert set(hierarchy.parents.weights.tolist()) == {0.5}


def test_the_language_is_passed_on(ontology: Path) -> None:
    assert described(ontology)["languages"] == {"": 1, "de": 1, "en": 1}
    assert described(ontology, "--lang", "en")["languages"] == {"": 1, "en": 1}


def test_relations_are_passed_on(ontology: Path, tmp_path: Path) -> None:
    assert described(ontology)["given_edges"] == 4
    assert described(ontology, "--relation", EX + "partOf")["given_edges"] == 5
    path = tmp_path / "x.obo"
    path.write_text("format-version: 1.4\n\n[Term]\nid: X:1\n\n[Term]\nid: X:2\nrelationship: part_of X:1\n")
    assert described(path)["given_edges"] == 0
    assert described(path, "--relation", "part_of")["given_edges"] == 1


def test_parts_are_passed_on(ontology: Path) -> None:
    found = described(ontology, "--namespace", EX + "n#")
    assert (found["concepts"], found["dropped"]) == (2, 4)  # van and box, which is the root
    found = described(ontology, "--below", EX + "vehicle")
    assert (found["concepts"], found["dropped"]) == (4, 2)
    found = described(ontology, "--below", "vehicle", "--namespace", EX + "n#", "--namespace", EX + "b")
    assert found["concepts"] == 3  # van, bike and a root for them
    assert figures(ontology, "--below", "vehicle")["dropped by choice"] == ["2"]
    assert " dropped " in run("describe", ontology, "--below", "vehicle").stdout


def test_a_scheme_is_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text(
        "@prefix : <http://ex.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        ":a a skos:Concept ; skos:inScheme :s . :b a skos:Concept ; skos:broadMatch :a ; skos:closeMatch :a ."
        ":c skos:broaderTransitive :a ."
    )
    assert described(path, "--scheme", EX + "s")["concepts"] == 1
    assert described(path, "--skos", "mappings")["given_edges"] == 1
    assert described(path, "--skos", "transitive")["given_edges"] == 1
    assert described(path, "--skos", "close")["synonyms"] == 1
    assert run("describe", path, "--profile", "owl").exit_code == 1


def test_columns_and_instances_are_passed_on(edges: Path, tmp_path: Path) -> None:
    assert described(edges, "--columns", "parent,child")["roots"] == 3  # bike, van and the cycle
    placed = tmp_path / "placed.tsv"
    placed.write_text("herbie\tcar\nvolvo\tvan\n")
    assert described(edges, "--instances", placed)["instances"] == 2


def test_deprecated_concepts_and_instance_properties_are_passed_on(ontology: Path) -> None:
    assert described(ontology, "--deprecated")["concepts"] == 8
    assert described(ontology, "--instance-property", "http://www.w3.org/2004/02/skos/core#related")["instances"] == 2


def test_imports_are_passed_on(ontology: Path, tmp_path: Path) -> None:
    base = tmp_path / "base.nt"
    base.write_text("<http://ex.org/vehicle> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://ex.org/all> .\n")
    found = described(ontology, "--import", base)
    assert found["unresolved_imports"] == []
    assert found["concepts"] == 8


def test_the_format_is_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("<http://ex.org/a>\t<http://ex.org/b>\n")
    assert described(path, "--input-format", "tsv")["format"] == "tsv"
    result = run("describe", path, "--input-format", "turtel")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: unknown format 'turtel'. Did you mean 'turtle'")


def test_a_base_and_lenience_are_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text("<a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <b> .\n")
    assert run("describe", path).exit_code == 1
    assert described(path, "--base-iri", EX)["root"] == EX + "b"
    found = described(path, "--lenient")
    assert found["root"] == (tmp_path / "b").as_uri()
    assert found["notes"]


@pytest.mark.parametrize("size", ["10", "0.01K"])
def test_a_size_limit_is_passed_on(ontology: Path, size: str) -> None:
    result = run("describe", ontology, "--max-size", size)
    assert result.exit_code == 1
    assert result.stderr == (
        f"error: {ontology}: larger than 10 bytes when unpacked. Increase --max-size if you trust the file.\n"
    )


@pytest.mark.parametrize("size", ["1M", "2 MiB", "3gb", "1000000"])
def test_sizes_may_have_units(ontology: Path, size: str) -> None:
    assert described(ontology, "--max-size", size)["concepts"] == 7


# Errors


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.ttl", None, "no such file. Check the path."),
        ("empty.ttl", "", "the file is empty. Use an ontology file."),
        (
            "plain.ttl",
            "<http://ex.org/a> <http://ex.org/b> <http://ex.org/c> .",
            "no concepts found: no class, no SKOS concept, no link. Use an ontology, or set another --profile.",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_1(tmp_path: Path, name: str, content: str | None, message: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    result = run("describe", path)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == f"error: {path}: {message}\n"


def test_one_bad_file_of_several_prints_no_half_result(ontology: Path, tmp_path: Path) -> None:
    result = run("describe", ontology, tmp_path / "none.ttl", "--json")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("error: ") == 1


def test_a_directory_is_bad_input(tmp_path: Path) -> None:
    result = run("describe", tmp_path)
    assert result.exit_code == 1
    assert result.stderr == f"error: {tmp_path}: is a directory. Use a file in it.\n"


def test_an_unknown_root_is_bad_input(ontology: Path) -> None:
    result = run("describe", ontology, "--root", EX + "cars")
    assert result.exit_code == 1
    start = f"error: {ontology}: unknown concept 'http://ex.org/cars'. Did you mean 'http://ex.org/car"
    assert result.stderr.startswith(start)
    assert result.stderr.endswith("Use an IRI, a CURIE, a local name or a label of this file.\n")


def test_a_wrong_weight_is_bad_input(ontology: Path) -> None:
    result = run("describe", ontology, "--weight", "related=heavy")
    assert result.exit_code == 1
    assert result.stderr == "error: the weight of related must be a finite number >= 0, not 'heavy'.\n"


def test_no_traceback_without_debug_and_one_with_it(tmp_path: Path) -> None:
    path = tmp_path / "none.ttl"
    plain = in_a_shell("describe", path)
    assert plain.returncode == 1
    assert plain.stderr == f"error: {path}: no such file. Check the path.\n".encode()
    debug = in_a_shell("--debug", "describe", path)
    assert debug.returncode == 1
    assert debug.stderr.startswith(b"Traceback (most recent call last):")
    assert f"LoadError: {path}: no such file. Check the path.".encode() in debug.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--frmat", "json"), "--frmat"),
        (("--format", "xml"), "-f: unknown value 'xml'. Use one of: table, json, tsv, csv, markdown, latex."),
        (("--profile", "rdf"), "--profile: unknown value 'rdf'. Use one of: auto, owl, skos."),
        (("--on-cycle", "brake"), "--on-cycle: unknown value 'brake'. Use one of: keep, error."),
        (("--weight", "related"), "--weight: 'related' is not NAME=NUMBER. Use e.g. related=2."),
        (("--max-size", "big"), "--max-size: 'big' is not a size. Use e.g. 500M."),
        (("--reason", "pellet"), "--reason: unknown value 'pellet'. Use one of: hermit, elk."),
        (("--reason-timeout", "0"), "--reason-timeout: must be > 0, not 0."),
    ],
)
def test_wrong_usage_is_exit_code_2(ontology: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run("describe", ontology, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.endswith("\nHelp: ontoeval describe --help\n")


def test_no_file_at_all_and_an_unknown_command_are_wrong_usage() -> None:
    assert run("describe").exit_code == 2
    assert run("describe", "--json").exit_code == 2
    unknown = run("descibe", "x.ttl")
    assert unknown.exit_code == 2
    assert "'descibe' is not a command. Did you mean 'describe'?" in unknown.stderr


# Help


def test_help_has_examples_and_every_option() -> None:
    result = run("describe", "--help-all")
    assert result.exit_code == 0
    assert result.stderr == ""
    output = result.stdout
    assert "Examples:" in output
    examples = [line.strip() for line in output.splitlines() if line.strip().startswith("ontoeval describe ")]
    assert len(examples) >= 3
    known = {"--json", *(option for parameter in describe.params for option in parameter.opts)}
    for example in examples:  # an example on one line of its own, with options that there are
        assert {word for word in example.split() if word.startswith("--")} <= known
    for option in (
        "--root", "--on-cycle", "--weight", "--lang", "--relation", "--namespace", "--below", "--scheme", "--import",
        "--reason", "--profile", "--columns", "--json", "--format", "--max-size", "--lenient",
    ):  # fmt: skip
        assert option in output
    for parameter in describe.params:
        assert parameter.param_type_name == "argument" or parameter.help, parameter.name


def test_help_names_the_commands() -> None:
    for option in ("--help", "-h"):
        result = run(option)
        assert result.exit_code == 0
        assert "describe" in result.stdout
        assert "--debug" in result.stdout


def test_the_version_is_that_of_the_distribution() -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout == f"ontoeval, version {version('ontoeval-toolkit')}\n"


# Limits


def test_too_little_memory_is_one_line_and_exit_code_1(monkeypatch: pytest.MonkeyPatch, ontology: Path) -> None:
    def full(**_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(describe, "callback", full)
    result = run("describe", ontology)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "error: not enough memory. Select a part of the ontology with --below or --namespace.\n"
    assert isinstance(run("--debug", "describe", ontology).exception, MemoryError)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ("7", 7), ("1k", 1024), ("1.5K", 1536), ("3KiB", 3072), ("500M", 524_288_000), ("2 MB", 2_097_152),
        ("8G", 8_589_934_592), ("0.5g", 536_870_912), ("2T", 2_199_023_255_552),
    ],
)  # fmt: skip
def test_a_unit_is_1024_of_the_one_before(size: str, expected: int) -> None:
    context = describe.make_context("describe", ["x.ttl", "--max-size", size])
    assert context.params["max_size"] == expected
