"""`ontoeval match`, as a user meets it."""

from __future__ import annotations

import csv
import io
import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import helpers
import pytest
from helpers import work_in

HEAD = """@prefix : <http://{0}.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
# car is the same by label, ProgramCommittee by name, bicycle almost, ship not at all; two tops on either side
LEARNED = (
    HEAD.format("learned")
    + """
:l1 a owl:Class ; rdfs:label "car" . :ProgramCommittee a owl:Class ; rdfs:label "PC" .
:l2 a owl:Class ; rdfs:label "bicycles" .
:l3 a owl:Class ; rdfs:label "ship" ; rdfs:subClassOf :l1 .
"""
)
GOLD = (
    HEAD.format("gold")
    + """
:g1 a owl:Class ; rdfs:label "car" . :program_committee a owl:Class ; rdfs:label "jury" .
:g2 a owl:Class ; rdfs:label "bicycle" .
:g3 a owl:Class ; rdfs:label "van" ; rdfs:subClassOf :g1 . :g4 a owl:Class ; rdfs:subClassOf :g1 .
"""
)
CHAIN = ("--match", "label,name,fuzzy:0.8", "--normalize", "case,separators,camel")
L, G = "http://learned.org/", "http://gold.org/"
FOUND = [(L + "ProgramCommittee", G + "program_committee"), (L + "l1", G + "g1"), (L + "l2", G + "g2")]


run = partial(helpers.run, "match")
document = partial(helpers.printed_json, "match", remarks=True)


def pairs(found: dict[str, Any]) -> list[tuple[str, str]]:
    return sorted((pair["learned"], pair["gold"]) for pair in found["pairs"])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    right = f"{L}l1\t{G}g1\n{L}l3\t{G}g3\n{L}aProperty\t{G}aProperty\n"
    files = {"learned.ttl": LEARNED, "gold.ttl": GOLD, "right.tsv": right}
    return work_in(tmp_path, monkeypatch, files)


FILES = ("learned.ttl", "--gold", "gold.ttl")


def test_json_lists_the_pairs_with_labels_scores_and_steps(here: Path) -> None:
    found = document(*FILES, *CHAIN)
    assert (found["learned"], found["gold"]) == ("learned.ttl", "gold.ttl")
    assert pairs(found) == FOUND
    by = {pair["learned"]: pair for pair in found["pairs"]}
    assert by[L + "l1"] == {
        "learned": L + "l1", "gold": G + "g1", "learned_label": "car", "gold_label": "car", "score": 1.0, "by": "label",
    }  # fmt: skip
    assert by[L + "ProgramCommittee"]["by"] == "name"
    assert by[L + "l2"]["by"] == "fuzzy:0.8"
    assert by[L + "l2"]["score"] == pytest.approx(1 - 1 / 8)  # bicycles, bicycle
    assert found["matching"]["found"] == {"label": 1, "name": 1, "fuzzy:0.8": 1, "added root": 1}
    assert found["matching"]["normalize"] == ["case", "separators", "camel"]
    assert (found["matching"]["learned"], found["matching"]["gold"]) == (5, 6)  # an added root on either side
    assert found["ambiguous"] == []
    assert "reference" not in found


def test_the_table_has_labels_and_says_how_many(here: Path) -> None:
    result = run(*FILES, *CHAIN)
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
3 pairs of learned.ttl and gold.ttl
  learned.ttl  gold.ttl  by         score
  PC           jury      name       1.000
  car          car       label      1.000
  bicycles     bicycle   fuzzy:0.8  0.875
"""
    )
    assert result.stderr == "note: 4 pairs of 5 learned and 6 gold concepts (including the pair of added roots)\n"


def test_a_terminal_shows_ten_pairs_and_a_file_all(here: Path) -> None:
    many = "".join(f':c{n:02} a owl:Class ; rdfs:label "{"red" if n < 2 else n} car" . ' for n in range(12))
    (here / "x.ttl").write_text(HEAD.format("learned") + many)
    (here / "y.ttl").write_text(HEAD.format("gold") + many.replace(":c", ":d"))
    files = ("x.ttl", "--gold", "y.ttl")
    result = run(*files, "-o", "pairs.csv")
    lines = result.stdout.splitlines()
    assert lines[0] == "12 pairs of x.ttl and y.ttl"
    # two concepts of one label are told apart
    assert lines[2].split("  ")[1:] == ["red car (learned.org:c00)", "red car (gold.org:d00)", "label", "1.000"]
    assert lines[-2].split() == ["9", "car", "9", "car", "label", "1.000"]
    assert lines[-1] == "  … 2 more (--top 0, or -o pairs.csv)"
    assert len((here / "pairs.csv").read_text().splitlines()) == 13
    assert len(run(*files, "--top", 0).stdout.splitlines()) == 14
    assert run(*files, "--top", 3).stdout.splitlines()[-1] == "  … 9 more (--top 0, or -o pairs.csv)"


@pytest.mark.parametrize(("layout", "separator"), [("tsv", "\t"), ("csv", ",")])
def test_tables_for_machines_have_iris_and_nothing_else_on_stdout(here: Path, layout: str, separator: str) -> None:
    result = run(*FILES, *CHAIN, "--format", layout)
    header, *rows = csv.reader(io.StringIO(result.stdout), delimiter=separator)
    assert header == ["learned.ttl", "gold.ttl", "by", "score"]
    assert sorted((row[0], row[1]) for row in rows) == FOUND
    assert "4 pairs of 5 learned" in result.stderr


def test_markdown_and_latex(here: Path) -> None:
    markdown = run(*FILES, *CHAIN, "--format", "markdown").stdout.splitlines()
    assert markdown[0] == "| learned.ttl | gold.ttl | by | score |"
    assert "| car | car | label | 1.000 |" in markdown
    latex = run(*FILES, *CHAIN, "--format", "latex").stdout
    assert latex.startswith("\\begin{tabular}{lllr}\n")
    assert "PC & jury & name & 1.000" in latex


def test_the_matching_is_written_as_sssom_and_read_back(here: Path) -> None:
    result = run(*FILES, *CHAIN, "-o", "map.sssom.tsv")
    assert result.exit_code == 0
    text = (here / "map.sssom.tsv").read_text(encoding="utf-8")
    assert run(*FILES, *CHAIN, "--format", "sssom").stdout == text
    table = [line for line in text.splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(table, delimiter="\t"))
    assert [(row["subject_id"], row["object_id"]) for row in rows] == FOUND
    assert {row["predicate_id"] for row in rows} == {"skos:exactMatch"}
    assert [row["subject_label"] for row in rows] == ["PC", "car", "bicycles"]
    assert [float(row["confidence"]) for row in rows] == [1.0, 1.0, 0.875]
    again = document(*FILES, "--match", "map.sssom.tsv")
    assert pairs(again) == FOUND
    assert again["matching"]["found"] == {"mapping": 3, "added root": 1}
    turned = document("gold.ttl", "--gold", "learned.ttl", "--match", "map.sssom.tsv")
    assert pairs(turned) == sorted((gold, learned) for learned, gold in FOUND)


def test_the_output_replaces_a_file_only_when_the_run_went_well(here: Path) -> None:
    target = here / "map.sssom.tsv"
    target.write_text("old")
    for arguments in (
        ("nowhere.ttl", "--gold", "gold.ttl"),
        (*FILES, "--match", "lable"),
        (*FILES, "--normalize", "cas"),
        (*FILES, "--reference", "nowhere.tsv"),
    ):
        assert run(*arguments, "--output", target).exit_code == 1
        assert target.read_text() == "old"
    assert run(*FILES, "--output", target).exit_code == 0
    assert "skos:exactMatch" in target.read_text()
    assert sorted(path.name for path in here.iterdir()) == ["gold.ttl", "learned.ttl", "map.sssom.tsv", "right.tsv"]


def test_a_reference_gives_precision_recall_and_f_over_pairs_of_classes(here: Path) -> None:
    found = document(*FILES, *CHAIN, "--reference", "right.tsv")["reference"]
    # one of three found is right; of the reference one of two is found; properties and the added roots never count
    assert found == {
        "precision": pytest.approx(1 / 3), "recall": pytest.approx(1 / 2), "f": pytest.approx(2 / 5),
        "right": 1, "found": 3, "reference": 2, "not_concepts": 1,
    }  # fmt: skip
    shown = run(*FILES, *CHAIN, "--reference", "right.tsv").stdout.splitlines()
    assert "against the reference precision recall F right found reference" in [
        " ".join(line.split()) for line in shown
    ]
    assert "0.333 0.500 0.400 1 3 2" in [" ".join(line.split()) for line in shown]


def test_a_reference_may_be_written_the_other_way_round(here: Path) -> None:
    (here / "turned.tsv").write_text(f"{G}g1\t{L}l1\n{G}g3\t{L}l3\n")
    found = document(*FILES, *CHAIN, "--reference", "turned.tsv")["reference"]
    assert (found["right"], found["found"], found["reference"]) == (1, 3, 2)


def test_added_roots_are_no_right_pair(here: Path) -> None:
    (here / "right.tsv").write_text(f"{L}l3\t{G}g3\n")
    found = document(*FILES, "--match", "iri", "--reference", "right.tsv")
    assert found["matching"]["matched"] == 1  # the two added roots
    assert found["pairs"] == []
    assert found["reference"]["found"] == 0
    assert found["reference"]["f"] == 0.0


def test_the_reference_in_a_table_for_machines_is_a_second_table(here: Path) -> None:
    result = run(*FILES, *CHAIN, "--reference", "right.tsv", "--format", "csv")
    header, values = list(csv.reader(io.StringIO(result.stdout.split("\n\n")[1])))
    assert header[1:] == ["precision", "recall", "F", "right", "found", "reference"]
    assert [float(cell) for cell in values[1:]] == pytest.approx([1 / 3, 1 / 2, 2 / 5, 1, 3, 2])


def test_ambiguous_candidates_are_listed(here: Path) -> None:
    (here / "two.ttl").write_text(
        HEAD.format("learned") + ':a a owl:Class ; rdfs:label "car" . :b a owl:Class ; rdfs:label "car" .'
    )
    found = document("two.ttl", "--gold", "gold.ttl")
    assert pairs(found) == [(L + "a", G + "g1")]  # the lower IRI
    names = {"learned": L + "b", "gold": G + "g1", "learned_label": "car", "gold_label": "car"}
    assert found["ambiguous"] == [{**names, "score": 1.0, "by": "label"}]
    line = "note: ambiguous: car (learned.org:b) could also be car (gold.org:g1) (by label)"
    assert line in run("two.ttl", "--gold", "gold.ttl").stderr.splitlines()
    separated = run("two.ttl", "--gold", "gold.ttl", "--format", "tsv")
    assert line in separated.stderr.splitlines()
    assert line not in separated.stdout.splitlines()


def test_many_ambiguous_candidates_are_cut_for_people_only(here: Path) -> None:
    many = "".join(f':c{number:02} a owl:Class ; rdfs:label "car" . ' for number in range(31))
    (here / "many.ttl").write_text(HEAD.format("learned") + many)
    shown = run("many.ttl", "--gold", "gold.ttl").stderr
    assert shown.count("could also be") == 10
    assert "note: ambiguous: 20 more (--json lists them)" in shown.splitlines()
    assert run("many.ttl", "--gold", "gold.ttl", "--top", 0).stderr.count("could also be") == 30
    assert len(document("many.ttl", "--gold", "gold.ttl")["ambiguous"]) == 30


def test_when_nothing_matches_the_command_says_what_would(here: Path) -> None:
    (here / "x.tsv").write_text("big car\tthing\n")
    (here / "y.tsv").write_text("Big_Car\tTHING\n")
    result = run("x.tsv", "--gold", "y.tsv", "--match", "iri", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["pairs"] == []
    assert result.stderr == (
        "warning: x.tsv: 0 of 2 concepts match; 2 would match by label ignoring case and separators. Set --match "
        "iri,label and --normalize case,separators.\n"
        "note: 0 pairs of 2 learned and 2 gold concepts\n"
    )


def test_languages_are_matched_one_by_one(here: Path) -> None:
    (here / "a.ttl").write_text(HEAD.format("learned") + ':a a owl:Class ; rdfs:label "gift"@en .')
    (here / "b.ttl").write_text(HEAD.format("gold") + ':b a owl:Class ; rdfs:label "Gift"@de .')
    files = ("a.ttl", "--gold", "b.ttl", "--match", "label", "--normalize", "case")
    assert len(document(*files)["pairs"]) == 1
    found = document(*files, "--lang", "en", "--lang", "de")
    assert found["pairs"] == []
    assert found["matching"]["languages"] == ["en", "de"]


def test_preferred_labels_alone(here: Path) -> None:
    skos = "@prefix : <http://{}.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    (here / "a.ttl").write_text(
        skos.format("learned") + ':a a skos:Concept ; skos:prefLabel "car" ; skos:altLabel "auto" .'
    )
    (here / "b.ttl").write_text(
        skos.format("gold") + ':b a skos:Concept ; skos:prefLabel "automobile" ; skos:altLabel "auto" .'
    )
    assert len(document("a.ttl", "--gold", "b.ttl", "--match", "label")["pairs"]) == 1
    assert document("a.ttl", "--gold", "b.ttl", "--match", "preferred")["pairs"] == []


def test_a_dash_is_stdin(here: Path) -> None:
    found = document("-", "--gold", "gold.ttl", *CHAIN, stdin=LEARNED)
    assert found["learned"] == "(stdin)"
    assert pairs(found) == FOUND


@pytest.mark.parametrize("layout", ["table", "json", "sssom"])
def test_the_order_of_triples_does_not_matter(here: Path, layout: str) -> None:
    lines = [f':c{number:02} a owl:Class ; rdfs:label "label {number // 2}" .' for number in range(20)]
    lines += [f":c{number:02} rdfs:subClassOf :c{number // 3:02} ." for number in range(1, 20)]
    outputs = set()
    for seed in range(3):
        for name, base in (("x.ttl", "learned"), ("y.ttl", "gold")):
            shuffled = random.Random(f"{seed} {name}").sample(lines, len(lines))
            (here / name).write_text(HEAD.format(base) + "\n".join(shuffled))
        result = run("x.ttl", "--gold", "y.ttl", "--match", "label,fuzzy:0.5", "--format", layout)
        assert result.exit_code == 0
        outputs.add((result.stdout, result.stderr))
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--match", "lable"),
            "cannot match by 'lable'. Did you mean 'label'? Use a mapping file, or one of: "
            "iri, label, preferred, name, fuzzy, instances.",
        ),
        (
            ("--normalize", "case,cmael"),
            "unknown normalisation 'cmael'. Did you mean 'camel'? Use one or more of: case, nfkc, separators, camel, "
            "stem, squeeze, all, none.",
        ),
        (("--match", "maps/none.tsv"), "maps/none.tsv: no such file. Check the path."),
        (("--reference", "none.rdf"), "none.rdf: no such file. Check the path."),
        (
            ("-o", "nowhere/map.tsv"),
            "nowhere/map.tsv: its directory does not exist; choose another path.",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_1(here: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run(*FILES, *arguments)
    assert result.exit_code == 1
    assert result.stderr == f"error: {message}\n"
    assert result.stdout == ""


def test_wrong_usage_is_exit_code_2(here: Path) -> None:
    assert run("learned.ttl").exit_code == 2
    assert "missing option '--gold'." in run("learned.ttl").stderr
    assert run("learned.ttl", "learned.ttl", "--gold", "gold.ttl").exit_code == 2
    assert run(*FILES, "--format", "xml").exit_code == 2


def test_the_options_of_the_loader_hold_for_both_sides(here: Path) -> None:
    found = document(*FILES, "--root", "none", "--match", "label")
    assert (found["matching"]["learned"], found["matching"]["gold"]) == (4, 5)
    assert found["matching"]["found"]["added root"] == 0


def test_help_has_examples_and_every_option() -> None:
    shown = run("--help").stdout
    for option in ("--gold", "--match", "--normalize", "--reference", "--output", "--format", "--top", "--lang"):
        assert option in shown
    assert "ontoeval match cmt.owl --gold ekaw.owl" in shown


def test_squeezed_texts_match_and_all_does_not_squeeze(here: Path) -> None:
    Path("x.tsv").write_text("Fore-Brain\tbrain\n")
    Path("y.tsv").write_text("forebrain\tbrain\n")
    files = ("x.tsv", "--gold", "y.tsv", "--match", "label", "--normalize")
    assert pairs(document(*files, "case,separators,squeeze")) == [("Fore-Brain", "forebrain"), ("brain", "brain")]
    assert pairs(document(*files, "all")) == [("brain", "brain")]
