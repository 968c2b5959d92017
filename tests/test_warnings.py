"""Warnings: one line on stderr in every command, in the JSON, in stored scores, and for Python users."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import ontoeval as oe
from tests.helpers import run

UPPER = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://ex.org/> .
<http://ex.org/upper> a owl:Ontology .
:animal a owl:Class . :dog a owl:Class ; rdfs:subClassOf :animal . :cat a owl:Class ; rdfs:subClassOf :animal .
"""
LOWER = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://ex.org/> .
<http://ex.org/lower> a owl:Ontology ; owl:imports <http://ex.org/upper> .
:poodle a owl:Class ; rdfs:subClassOf :dog . :siamese a owl:Class ; rdfs:subClassOf :cat .
"""
CATALOGUE = """<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">
<uri name="http://ex.org/upper" uri="modules/first.ttl"/></catalog>"""


@pytest.fixture
def importing(tmp_path: Path) -> Path:
    (tmp_path / "lower.ttl").write_text(LOWER)
    return tmp_path / "lower.ttl"


@pytest.fixture
def upside_down(tmp_path: Path) -> tuple[Path, Path]:
    gold, learned = tmp_path / "gold.tsv", tmp_path / "learned.tsv"
    gold.write_text("dog\tanimal\ncat\tanimal\npoodle\tdog\n")
    learned.write_text("animal\tdog\nanimal\tcat\ndog\tpoodle\n")
    return learned, gold


def lines(text: str) -> list[str]:
    return [line.removeprefix("warning: ") for line in text.splitlines() if line.startswith("warning: ")]


def test_every_command_that_loads_a_file_names_a_missing_import(importing: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("poodle\tsiamese\t1\npoodle\tdog\t2\nsiamese\tcat\t3\n")
    labels = tmp_path / "labels.tsv"
    labels.write_text("d1\thttp://ex.org/poodle\n")
    scored = tmp_path / "scored.ttl"
    for command in (
        ["describe", importing],
        ["compare", importing, "--gold", importing],
        ["match", importing, "--gold", importing],
        ["relate", "poodle", "dog", "--ontology", importing],
        ["nearest", "poodle", "--ontology", importing],
        ["correlate", pairs, "--ontology", importing],
        ["labels", labels, "--gold", labels, "--ontology", importing],
        ["sensitivity", importing, "--perturb", "remove-concepts=1", "--runs", "1", "-m", "LF"],
        ["perturb", importing, "--cut-depth", "1", "-o", tmp_path / "x.ttl"],
        ["write-back", importing, "--gold", importing, "-o", scored],
    ):
        result = run(*command)
        options = ["--gold-import", "--import"] if "--gold" in command and command[0] != "labels" else ["--import"]
        text = f"{importing}: import not found: http://ex.org/upper; its links are missing. Set"
        assert sorted(lines(result.stderr)) == [f"{text} {option}." for option in options], (command, result.stderr)
        assert result.exit_code == 0


UPPER_OBO = "ontology: upper\n[Term]\nid: X:0\nis_a: X:99\n[Term]\nid: X:1\nis_a: X:0\n[Term]\nid: X:2\nis_a: X:0\n"
LOWER_OBO = "ontology: lower\nimport: {}\n[Term]\nid: X:10\nis_a: X:1\n[Term]\nid: X:11\nis_a: X:2\n"
SYNTAXES = {
    "lower.ttl": LOWER,
    "lower.ofn": "Ontology(<http://ex.org/lower>\nImport(<http://ex.org/upper>)\n"
    "SubClassOf(<http://ex.org/poodle> <http://ex.org/dog>))",
    "lower.owx": '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://ex.org/lower">'
    '<Import>http://ex.org/upper</Import><SubClassOf><Class IRI="http://ex.org/b"/><Class IRI="http://ex.org/a"/>'
    "</SubClassOf></Ontology>",
    "lower.obo": LOWER_OBO.format("http://ex.org/upper"),
}


@pytest.mark.parametrize("name", SYNTAXES)
@pytest.mark.parametrize("command", ["describe", "validate"])
def test_a_missing_import_is_named_in_every_syntax_that_has_imports(name: str, command: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(SYNTAXES[name])
    advice = {
        "describe": "its links are missing. Set --import.",
        "validate": "what it says is not checked. Join the files to check them together.",
    }
    result = run(command, tmp_path / name, "--json")
    text = f"{tmp_path / name}: import not found: http://ex.org/upper; {advice[command]}"
    assert lines(result.stderr) == [text]
    assert json.loads(result.stdout)["warnings"] == [text]
    (tmp_path / "upper.ttl").write_text(UPPER)
    (warning,) = lines(run(command, tmp_path / name).stderr)
    assert warning.endswith(f"{tmp_path / 'upper.ttl'}.")


def test_what_is_advised_for_an_obo_file_gives_the_links_of_the_joined_file(tmp_path: Path) -> None:
    """BDM needs a common ancestor below the root, which only the import has."""
    lower, upper, joined = (tmp_path / f"{name}.obo" for name in ("lower", "upper", "joined"))
    lower.write_text(LOWER_OBO.format("upper.obo"))
    upper.write_text(UPPER_OBO)
    joined.write_text(UPPER_OBO + LOWER_OBO.format("").partition("\n")[2].partition("\n")[2])

    def bdm(path: Path, *options: str) -> tuple[list[str], float]:
        result = run("relate", "X:10", "X:11", "--ontology", path, "-m", "BDM", "--json", *options)
        return lines(result.stderr), json.loads(result.stdout)["results"][0]["scores"]["BDM"]

    (warning,), without = bdm(lower)
    option, file = warning.partition(" Set ")[2].removesuffix(".").split(" ", 1)
    assert (without, option, file) == (0.0, "--import", str(upper))
    assert bdm(lower, option, file) == bdm(joined)
    assert bdm(joined)[1] > 0


@pytest.mark.parametrize("name", ["wine.rdfxml.owl", "wine.owl", "Wine.ttl.gz"])
def test_a_file_with_two_suffixes_is_offered(name: str, tmp_path: Path) -> None:
    (tmp_path / "food.ttl").write_text(LOWER.replace("ex.org/upper", "ex.org/wine"))
    (tmp_path / name).write_bytes(b"")
    assert lines(run("describe", tmp_path / "food.ttl").stderr)[0].endswith(f"Set --import {tmp_path / name}.")


@pytest.mark.parametrize(
    "iri",
    [
        "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/", "http://www.w3.org/2004/02/skos/core",
        "http://www.w3.org/2008/05/skos-xl", "http://xmlns.com/foaf/0.1/", "http://purl.org/vocab/vann/",
        "http://www.w3.org/ns/prov-o#", "https://schema.org/", "http://www.w3.org/2002/07/owl",
        "http://protege.stanford.edu/plugins/owl/dc/protege-dc.owl",
    ],
)  # fmt: skip
def test_a_missing_vocabulary_of_metadata_is_a_note(iri: str, tmp_path: Path) -> None:
    lower = tmp_path / "lower.ttl"
    lower.write_text(LOWER.replace("http://ex.org/upper", iri))
    result = run("describe", lower)
    assert lines(result.stderr) == []
    told = "imported metadata vocabularies are not read (none of their terms is a concept here)"
    assert f"{told}: {iri}\n" in result.stderr
    assert lines(run("validate", lower).stderr) == []


def test_a_vocabulary_with_concepts_of_the_hierarchy_is_a_warning(tmp_path: Path) -> None:
    lower = tmp_path / "lower.ttl"
    student = ":student rdfs:subClassOf <http://xmlns.com/foaf/0.1/Person> .\n"
    lower.write_text(LOWER.replace("http://ex.org/upper", "http://xmlns.com/foaf/0.1/") + student)
    for command in ("describe", "validate"):
        (warning,) = lines(run(command, lower).stderr)
        assert "import not found: http://xmlns.com/foaf/0.1/" in warning


@pytest.mark.parametrize("name", ["edges.tsv", "pairs.json"])
def test_a_format_without_imports_says_so(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text({"edges.tsv": "a\tb\n", "pairs.json": '[{"child": "a", "parent": "b"}]'}[name])
    missing = run("describe", tmp_path / name, "--import", tmp_path / "none.ttl")
    assert (missing.exit_code, missing.stderr) == (
        1,
        f"error: {tmp_path / 'none.ttl'}: no such file. Check the path.\n",
    )
    (tmp_path / "upper.ttl").write_text(UPPER)
    known = run("describe", tmp_path / name, "--import", tmp_path / "upper.ttl")
    assert "has no imports; none is read (--import)" in known.stderr


def test_a_file_beside_the_importing_one_is_offered_and_not_read(importing: Path, tmp_path: Path) -> None:
    (tmp_path / "upper.ttl").write_text(UPPER)
    missing = run("relate", "poodle", "siamese", "--ontology", importing, "-m", "BDM", "--json")
    (warning,) = lines(missing.stderr)
    assert warning.endswith(f"Set --import {tmp_path / 'upper.ttl'}.")
    assert json.loads(missing.stdout)["warnings"] == [warning]
    complete = run("relate", "poodle", "siamese", "--ontology", importing, "--import", tmp_path / "upper.ttl")
    assert lines(complete.stderr) == []


def test_a_file_that_a_catalogue_names_is_offered(importing: Path, tmp_path: Path) -> None:
    (tmp_path / "catalog-v001.xml").write_text(CATALOGUE)
    assert lines(run("describe", importing).stderr)[0].endswith("Set --import.")  # the catalogue's file is not there
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "first.ttl").write_text(UPPER)
    assert lines(run("describe", importing).stderr)[0].endswith(f"Set --import {tmp_path / 'modules/first.ttl'}.")


def test_of_two_files_that_may_be_meant_none_is_offered(importing: Path, tmp_path: Path) -> None:
    (tmp_path / "upper.ttl").write_text(UPPER)
    (tmp_path / "upper.nt").write_text("")
    assert lines(run("describe", importing).stderr)[0].endswith("Set --import.")


def test_two_missing_imports_are_one_warning_with_both_files_that_are_offered(tmp_path: Path) -> None:
    names = "first", "second"
    for name in names:
        (tmp_path / f"{name}.ttl").write_text(UPPER.replace("ex.org/upper", f"ex.org/{name}"))
    both = " , ".join(f"<http://ex.org/{name}>" for name in names)
    lower = tmp_path / "lower.ttl"
    lower.write_text(LOWER.replace("<http://ex.org/upper>", both))
    assert lines(run("describe", lower).stderr) == [
        f"{lower}: imports not found: http://ex.org/first, http://ex.org/second; their links are missing. "
        f"Set --import {tmp_path / 'first.ttl'} --import {tmp_path / 'second.ttl'}."
    ]


def test_python_users_get_a_warning_once_for_each_file_and_line(importing: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            oe.load_ontology(importing)
    (warning,) = caught
    assert warning.category is oe.OntoevalWarning
    assert warning.filename == __file__
    assert str(warning.message).endswith("its links are missing. Set imports=.")
    with warnings.catch_warnings():
        warnings.simplefilter("error", oe.OntoevalWarning)
        with pytest.raises(oe.OntoevalWarning, match="import not found"):
            oe.load_ontology(importing)


def test_an_upside_down_hierarchy_is_a_warning_everywhere(upside_down: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = upside_down
    stored = tmp_path / "scores.trig"
    result = run("compare", learned, "--gold", gold, "--json", "-o", stored)
    text = "3 of 3 links are inverted. Set --columns parent,child --gold-columns child,parent."
    document = json.loads(result.stdout)
    assert document["results"][0]["scores"]["TF_csc"] == 1.0  # cotopies do not see the direction
    assert lines(result.stderr) == document["warnings"] == document["results"][0]["warnings"] == [f"{learned}: {text}"]
    assert oe.read_scores(stored)[0].warnings == (f"learned.tsv: {text}",)  # without the folder, as inputs are named
    question = "SELECT ?w { GRAPH ?g { ?run a oe:Evaluation ; oe:warning ?w } }"
    assert f"learned.tsv: {text}" in run("query", stored, question, "-f", "tsv").stdout
    with pytest.warns(oe.OntoevalWarning, match='inverted. Set columns="parent,child" of load_ontology for it.'):
        oe.evaluate(oe.Comparison(oe.load_ontology(learned), oe.load_ontology(gold)))


def inverted(path: Path, learned: str, gold: str) -> list[str]:
    (path / "l.tsv").write_text(learned)
    (path / "g.tsv").write_text(gold)
    result = run("compare", path / "l.tsv", "--gold", path / "g.tsv")
    return [line for line in lines(result.stderr) if "inverted" in line]


def test_novel_concepts_between_common_ones_do_not_hide_an_inversion(tmp_path: Path) -> None:
    learned, gold = "animal\tx\nx\tdog\nanimal\ty\ny\tcat\n", "dog\tanimal\ncat\tanimal\npoodle\tdog\n"
    (warning,) = inverted(tmp_path, learned, gold)
    assert "2 of 2 links are inverted (between common concepts, paths through others as links). Set --col" in warning
    upright = "".join("\t".join(reversed(line.split("\t"))) + "\n" for line in learned.splitlines())
    assert inverted(tmp_path, upright, gold) == []


def test_the_table_of_a_bridged_inversion_counts_direct_links(tmp_path: Path) -> None:
    inverted(tmp_path, "animal\tx\nx\tdog\nanimal\ty\ny\tcat\n", "dog\tanimal\ncat\tanimal\n")
    assert "0 inverted links" in run("compare", tmp_path / "l.tsv", "--gold", tmp_path / "g.tsv").stdout


@pytest.mark.parametrize(
    ("novel", "links", "is_said"),
    [(18, 1, True), (19, 1, True), (20, 1, False), (38, 2, True), (39, 2, False), (1000, 4, False), (1000, 5, True)],
)
def test_a_few_inverted_links_of_a_large_hierarchy_say_nothing(
    novel: int, links: int, is_said: bool, tmp_path: Path
) -> None:
    """5 % of the learned links, or 5, must be inverted; here all common ones are, beside novel ones."""
    common = "".join(f"top{i}\tlow{i}\n" for i in range(links))
    learned = common + "".join(f"novel{i}\tnovel\n" for i in range(novel))
    gold = "".join(f"low{i}\ttop{i}\n" for i in range(links))
    assert bool(inverted(tmp_path, learned, gold)) is is_said


def test_what_is_advised_turns_the_links_round(upside_down: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = upside_down
    options = ["--columns", "parent,child", "--gold-columns", "child,parent"]
    mended = run("compare", learned, "--gold", gold, *options, "--json")
    assert lines(mended.stderr) == []
    assert json.loads(mended.stdout)["results"][0]["scores"]["EdgeF"] == 1.0
    numbered, owl = tmp_path / "numbered.taxo", tmp_path / "gold.ttl"
    numbered.write_text("1\tanimal\tdog\n2\tanimal\tcat\n")
    owl.write_text(UPPER)
    (warning,) = lines(run("compare", numbered, "--gold", owl, "--match", "name").stderr)
    assert warning.endswith("2 of 2 links are inverted. Set --columns id,parent,child.")
    assert (
        lines(run("compare", numbered, "--gold", owl, "--match", "name", "--columns", "id,parent,child").stderr) == []
    )
    (tmp_path / "header.tsv").write_text("child\tparent\nanimal\tdog\nanimal\tcat\n")
    (warning,) = lines(run("compare", tmp_path / "header.tsv", "--gold", owl, "--match", "name").stderr)
    assert warning.endswith("2 of 2 links are inverted. Check which end of its links is the parent.")


def test_half_of_the_links_is_enough_and_less_is_not(tmp_path: Path) -> None:
    gold, half, less = (tmp_path / f"{name}.tsv" for name in ("gold", "half", "less"))
    gold.write_text("b\ta\nc\ta\nd\tb\n")
    half.write_text("b\ta\nd\tb\na\tc\nb\td\n".replace("d\tb\n", ""))  # 1 right; c over a, d over b: 2 of 3 inverted
    less.write_text("b\ta\nd\tb\na\tc\n")  # 1 of 3
    assert lines(run("compare", half, "--gold", gold).stderr) == [
        f"{half}: 2 of 3 links are inverted. Set --columns parent,child --gold-columns child,parent."
    ]
    assert lines(run("compare", less, "--gold", gold).stderr) == []


def test_a_command_can_fail_on_warnings(upside_down: tuple[Path, Path]) -> None:
    learned, gold = upside_down
    result = run("compare", learned, "--gold", gold, "--fail-on-warning")
    assert result.exit_code == 1
    assert result.stderr.endswith("error: 1 warning (--fail-on-warning).\n")
    assert "TF_csc" in result.stdout  # what was computed is shown all the same
    assert run("--fail-on-warning", "compare", learned, "--gold", gold).exit_code == 1
    assert run("compare", gold, "--gold", gold, "--fail-on-warning").exit_code == 0


def test_warnings_are_annotations_of_the_run_where_github_reads_them(
    upside_down: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    learned, gold = upside_down
    assert "::warning title=ontoeval::" in run("compare", learned, "--gold", gold).stderr


def test_other_warnings_go_their_usual_way(monkeypatch: pytest.MonkeyPatch) -> None:
    from ontoeval.cli import _warnings_on_stderr

    with pytest.warns(DeprecationWarning, match="old"), _warnings_on_stderr():
        warnings.warn("old", DeprecationWarning, stacklevel=1)


def test_near_duplicate_labels_of_the_learned_side_are_a_warning(tmp_path: Path) -> None:
    gold, learned = tmp_path / "gold.tsv", tmp_path / "learned.tsv"
    gold.write_text("plant life\tlife\nfern\tplant life\nmoss\tplant life\n")
    learned.write_text("plant life\tlife\nPlant Life\tlife\nfern\tPlant Life\nmoss\tplant life\n")
    text = (
        f"{learned}: 2 concepts have labels that differ only in case: 'Plant Life', 'plant life'. If they are the "
        "same, set --merge-labels case."
    )
    for command in ("compare", "match"):
        result = run(command, learned, "--gold", gold, "--json")
        assert lines(result.stderr) == json.loads(result.stdout)["warnings"] == [text]
        assert lines(run(command, gold, "--gold", learned).stderr) == []  # of the learned side alone
    assert lines(run("relate", "fern", "moss", "--ontology", learned, "--with", gold).stderr) == [text]
    owl = tmp_path / "learned.ttl"
    owl.write_text(UPPER + ':a a owl:Class ; rdfs:label "Dog" . :b a owl:Class ; rdfs:label "dog" .')
    written = run("write-back", owl, "--gold", owl, "-o", tmp_path / "scored.ttl")
    assert written.exit_code == 0
    assert lines(written.stderr)[0].startswith(f"{owl}: 3 concepts have labels that differ only in case: 'Dog', 'dog'.")
    # 2 of 4 links are right, of 3: EdgeF is 2 * (2/4) * (2/3) / (2/4 + 2/3) = 4/7; merged all are
    scores = [
        json.loads(run("compare", learned, "--gold", gold, "--json", *more).stdout)["results"][0]["scores"]["EdgeF"]
        for more in ((), ("--merge-labels", "case"))
    ]
    assert scores == pytest.approx([4 / 7, 1.0])
    merged = run("compare", learned, "--gold", gold, "--merge-labels", "case")
    assert lines(merged.stderr) == []
    assert f"note: {learned}: merged: 1 concept with the same label as another (--merge-labels case)" in merged.stderr
    kept = run("compare", gold, "--gold", learned, "--merge-labels", "case", "--json")
    assert json.loads(kept.stdout)["results"][0]["matching"]["gold"] == 5  # the gold standard stays as it is


def test_a_better_normalisation_is_a_warning_in_every_command_that_matches(tmp_path: Path) -> None:
    gold, learned, scored = tmp_path / "gold.tsv", tmp_path / "learned.tsv", tmp_path / "scores.trig"
    gold.write_text("".join(f"word {n}\troot\n" for n in range(30)))
    learned.write_text("".join(f"{'word' if n < 20 else 'Word'} {n}\troot\n" for n in range(30)))
    text = f"{learned}: 21 of 31 concepts match; 31 would match ignoring case. Set --normalize case."
    result = run("compare", learned, "--gold", gold, "--json", "-o", scored)
    assert lines(result.stderr) == json.loads(result.stdout)["warnings"] == [text]
    assert oe.read_scores(scored)[0].warnings == (text.replace(str(learned), "learned.tsv"),)
    assert lines(run("compare", learned, "--gold", gold, "--ignore-novel").stderr) == [text]
    assert lines(run("match", learned, "--gold", gold).stderr) == [text]
    assert lines(run("relate", "word 1", "Word 21", "--ontology", learned, "--with", gold).stderr) == [text]
    assert lines(run("compare", learned, "--gold", gold, "--normalize", "case").stderr) == []


def test_a_mapping_or_reference_of_other_files_is_a_warning(tmp_path: Path) -> None:
    gold, learned, pairs = (tmp_path / f"{name}.tsv" for name in ("gold", "learned", "pairs"))
    gold.write_text("dog\tanimal\n")
    learned.write_text("dog\tanimal\n")
    pairs.write_text("http://other.org/a\thttp://other.org/b\n")
    text = (
        f"{pairs}: no pair (of 1) names a concept of each file "
        f"(first: 'http://other.org/a', 'http://other.org/b'). Use the one for {learned} and {gold}."
    )
    reference = run("match", learned, "--gold", gold, "--reference", pairs, "--json")
    assert json.loads(reference.stdout)["reference"]["precision"] == 0.0
    assert lines(reference.stderr) == json.loads(reference.stdout)["warnings"] == [text]
    for command in ("compare", "match"):
        shown = run(command, learned, "--gold", gold, "--match", f"{pairs},iri")
        assert lines(shown.stderr) == [text]
    pairs.write_text("dog\tdog\nhttp://other.org/a\thttp://other.org/b\n")
    assert lines(run("match", learned, "--gold", gold, "--reference", pairs).stderr) == []


def test_braces_in_names_are_not_parameters(tmp_path: Path) -> None:
    learned, gold = tmp_path / "{format}.tsv", tmp_path / "gold.tsv"
    gold.write_text("dog\tanimal\n")
    learned.write_text("animal\tdog\n")
    (warning,) = lines(run("compare", learned, "--gold", gold).stderr)
    assert warning.startswith(f"{tmp_path}/{{format}}.tsv: 1 of 1 links are inverted. Set --columns")
