"""`-o` and `--store`: results as RDF from the command line."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import helpers
import pytest
from helpers import work_in

import ontoeval as oe
from ontoeval.rdf.validate import validate

LEARNED, GOLD = "green tea\ttea\nblack tea\ttea\n", "green tea\ttea\nblack tea\tgreen tea\n"

SUFFIXES = ".csv .json .md .nq .pdf .png .svg .tex .trig .tsv"  # of -o


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return work_in(tmp_path, monkeypatch, {"learned.tsv": LEARNED, "gold.tsv": GOLD})


run = partial(helpers.run, "compare", "learned.tsv", "--gold", "gold.tsv", "-m", "LP,TP_csc")


@pytest.mark.parametrize("place", ["scores.trig", "scores.nq", "store"])
def test_results_are_written_and_read_back(place: str) -> None:
    option = "--store" if place == "store" else "-o"
    for _ in range(2):  # a rerun replaces, never doubles
        result = run(option, place, "--name", "tea learner")
        assert (result.exit_code, result.stderr) == (0, "")
    (found,) = oe.read_scores(place)
    assert found.system == "tea learner"
    assert found["LP"].value == 1.0
    assert found["TP_csc"].value == pytest.approx((1 + 1 + 1 / 1) / 3)
    assert {named.iri for named in found["TP_csc"].local.all()} == {"tea", "green tea", "black tea"}


def test_both_places_at_once_and_a_second_run_beside_the_first() -> None:
    assert run("-o", "scores.trig", "--store", "store").exit_code == 0
    assert run("-o", "scores.trig", "--store", "store", "-m", "EdgeF").exit_code == 0
    for place in ("scores.trig", "store"):
        assert [len(found.scores) for found in oe.read_scores(place)] in ([2, 3], [3, 2])


def test_local_scores_can_be_left_out_and_names_get_a_base() -> None:
    assert run("-o", "bare.nq", "--store-level", "totals").exit_code == 0
    assert "ConceptScore" not in Path("bare.nq").read_text()
    assert run("-o", "full.nq", "--run-base", "https://ex.org/t/").exit_code == 0
    assert "<https://ex.org/t/green%20tea>" in Path("full.nq").read_text()
    assert validate("full.nq").conforms
    assert validate("bare.nq").conforms


def test_the_store_may_come_from_the_environment() -> None:
    result = helpers.run(
        "compare", "learned.tsv", "--gold", "gold.tsv", "-m", "LP", environment={"ONTOEVAL_STORE": "store"}
    )
    assert (result.exit_code, result.stderr) == (0, "note: store: scores added (ONTOEVAL_STORE)\n")
    assert [found["LP"].value for found in oe.read_scores("store")] == [1.0]
    helpers.run("compare", "learned.tsv", "--gold", "gold.tsv", environment={"ONTOEVAL_STORE": ""})
    assert len(oe.read_scores("store")) == 1


def test_the_system_is_the_name_of_the_file_by_default() -> None:
    run("-o", "scores.nq")
    assert oe.read_scores("scores.nq")[0].system == "learned"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "name", "text", "gold"),
    [
        ("compare", "taxonomy.tsv", LEARNED, GOLD),
        ("labels", "labels.tsv", "d1\tcar\n", "d1\tvan\n"),
        ("annotations", "spans.tsv", "document\tstart\tend\tclass\nd1\t0\t3\tcar\n",
         "document\tstart\tend\tclass\nd1\t0\t3\tvan\n"),
    ],
)  # fmt: skip
def test_systems_are_named_as_their_rows_and_two_files_of_one_name_are_two(
    command: str, name: str, text: str, gold: str
) -> None:
    Path("gold.tsv").write_text(gold)
    files = []
    for folder in ("hearst", "clusters"):
        Path(folder).mkdir()
        Path(folder, name).write_text(text)
        files.append(f"{folder}/{name}")
    result = helpers.run(command, *files, "--gold", "gold.tsv", "-o", "scores.nq")
    assert {line.split()[0] for line in result.stdout.splitlines()} >= {"hearst", "clusters"}
    assert sorted(found.system for found in oe.read_scores("scores.nq")) == ["clusters", "hearst"]
    assert validate("scores.nq").conforms


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["-o", "scores.ttl"],
            f"scores.ttl: unknown suffix '.ttl'. Use one of: {SUFFIXES}.",
        ),
        (["-o", "nowhere/scores.nq"], "nowhere/scores.nq: its directory does not exist; choose another path."),
        (
            ["-o", "x.nq", "--run-base", "terms"],
            "'terms' is not an IRI. Use e.g. https://example.org/terms/.",
        ),
    ],
)
def test_wrong_places_are_refused_before_anything_is_loaded(arguments: list[str], message: str) -> None:
    Path("learned.tsv").unlink()
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {message}\n")


def test_what_is_no_file_of_scores_is_not_overwritten() -> None:
    Path("other.nq").write_text("this is no RDF\n")
    result = run("-o", "other.nq")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: other.nq")
    assert result.stdout == ""
    assert Path("other.nq").read_text() == "this is no RDF\n"


def test_a_scored_thesaurus_still_meets_the_integrity_conditions(fixtures: Path) -> None:
    thesaurus = fixtures / "formats" / "tiny-skos.ttl"
    arguments = ["write-back", str(thesaurus), "--gold", str(thesaurus), "--merged", "-o", "scored.ttl"]
    result = helpers.run(*arguments)
    assert result.exit_code == 0, result.stderr
    for engine in ("shacl", "native"):
        assert validate("scored.ttl", "ontology", engine=engine).conforms
        assert validate(thesaurus, "ontology", engine=engine).conforms
