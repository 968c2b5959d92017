"""--fail-under against saved scores: which runs are compared, what fails, what is warned of; `checks` in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import printed_json, refused, run, work_in

GOLD = "child\tparent\na\troot\nb\troot\nc\ta\nd\ta\ne\tb\n"
GOOD = "child\tparent\na\troot\nb\troot\nc\ta\nd\ta\n"
POOR = "child\tparent\na\troot\nb\troot\nc\tb\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LF: good 10/11 (five of six concepts, all right), poor 8/10."""
    work_in(tmp_path, monkeypatch, {"gold.tsv": GOLD, "good.tsv": GOOD, "poor.tsv": POOR})


def save(*learned: str, file: str = "saved.json", more: tuple[str, ...] = ("-m", "LF,EdgeF")) -> None:
    assert run("compare", *learned, "--gold", "gold.tsv", *more, "-o", file).exit_code == 0


def test_no_score_may_be_lower_than_the_saved_one() -> None:
    save("good.tsv")
    assert run("compare", "good.tsv", "--gold", "gold.tsv", "-m", "LF", "--fail-under", "saved.json").exit_code == 0
    result = run("compare", "poor.tsv", "--gold", "gold.tsv", "-m", "LF", "--fail-under", "saved.json")
    assert result.exit_code == 3
    assert result.stderr.splitlines() == [
        "failed: poor: LF 0.800 < 0.909 (saved.json, good)",
        "failed: poor: EdgeF 0.500 < 0.889 (saved.json, good)",  # 2 of 3 links are right, 2 of 5 found; 4 of 4, 4 of 5
    ]


def test_a_better_score_passes_and_json_has_the_checks() -> None:
    save("poor.tsv", more=("-m", "LF"))
    limits = ("--fail-under", "saved.json", "--fail-under", "EdgeF=0.5")
    document = printed_json("compare", "good.tsv", "--gold", "gold.tsv", "-m", "EdgeF", *limits)
    of_edges, of_concepts = document["checks"]
    assert of_edges == {"run": "good", "measure": "EdgeF", "value": pytest.approx(8 / 9), "min": 0.5, "passed": True}
    assert of_concepts == {
        "run": "good", "measure": "LF", "value": pytest.approx(10 / 11), "min": 0.8, "passed": True,
        "file": "saved.json, poor",
    }  # fmt: skip


def test_several_runs_are_compared_by_their_names() -> None:
    save("good.tsv", "poor.tsv", more=("-m", "LF"))
    result = run("compare", "poor.tsv", "--gold", "gold.tsv", "-m", "LF", "--fail-under", "saved.json")
    assert (result.exit_code, result.stderr) == (
        0,
        "warning: saved.json: saved scores of good were not compared: no such run now.\n",
    )
    Path("new.tsv").write_text(GOOD)
    assert refused("compare", "new.tsv", "poor.tsv", "--gold", "gold.tsv", "--fail-under", "saved.json") == (
        "saved.json: no saved scores of new. It has: good, poor. Set --name, or save the scores again."
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("--match", "label"), "matching 'iri,label', now 'label'"),
        (("--normalize", "case"), "normalization none, now 'case,squeeze'"),
        ((), "another gold standard"),
    ],
)
def test_other_settings_than_the_saved_ones_are_refused(change: tuple[str, ...], told: str) -> None:
    save("good.tsv")
    if not change:
        Path("gold.tsv").write_text(GOLD + "f\tb\n")
    more = [word.replace("case", "case,squeeze") for word in change]
    assert refused("compare", "good.tsv", "--gold", "gold.tsv", "-m", "LF", "--fail-under", "saved.json", *more) == (
        f"saved.json: saved with other settings than good has now: {told}. "
        "Use those settings, or save the scores again."
    )


def test_other_imports_than_the_saved_ones_are_refused() -> None:
    head = "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    top = "<http://x.org/top> a owl:Ontology . <http://x.org/a> rdfs:subClassOf <http://x.org/r> ."
    Path("top.ttl").write_text(head + top)
    own = "<http://x.org/b> rdfs:subClassOf <http://x.org/a> ."
    for name in ("learned.ttl", "gold.ttl"):
        Path(name).write_text(f"{head}<http://x.org/o> a owl:Ontology ; owl:imports <http://x.org/top> . {own}")
    task = ("compare", "learned.ttl", "--gold", "gold.ttl", "-m", "LF")
    assert run(*task, "--import", "top.ttl", "-o", "saved.json").exit_code == 0
    result = run(*task, "--fail-under", "saved.json")
    assert result.exit_code == 1
    assert "other settings than learned has now: imports not found: none, now gold,learned." in result.stderr


def test_an_undefined_score_fails_where_a_defined_one_was_saved() -> None:
    save("good.tsv", more=("-m", "LF"))
    document = json.loads(Path("saved.json").read_text())
    document["results"][0] |= {"scores": {"RelF": 0.5, "LF": None}, "canonical_names": {"RelF": "RelF", "LF": "LF"}}
    Path("saved.json").write_text(json.dumps(document))
    result = run("compare", "good.tsv", "--gold", "gold.tsv", "--fail-under", "saved.json")
    assert result.exit_code == 3
    assert result.stderr.splitlines()[-1].startswith("failed: good: RelF is undefined: ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", ", line 1: not valid JSON: "),
        ("[]", ": no saved results. Write them with `-o FILE.json`."),
        ('{"results": []}', ": no saved results. Write them with `-o FILE.json`."),
        ('{"results": [{"scores": 3}]}', ": no saved results. Write them with `-o FILE.json`."),
    ],
)
def test_files_without_scores_are_refused(text: str, problem: str) -> None:
    Path("saved.json").write_text(text)
    assert refused("compare", "good.tsv", "--gold", "gold.tsv", "--fail-under", "saved.json").startswith(
        f"saved.json{problem}"
    )


def test_annotations_and_labels_are_checked_with_their_saved_parameters(fixtures: Path) -> None:
    folder = fixtures / "annotations"
    task = ("annotations", folder / "near", "--gold", folder / "key", "--ontology", folder / "news.ttl")
    assert run(*task, "--similarity", "LA", "-o", "saved.json").exit_code == 0
    same = printed_json(*task, "--fail-under", "saved.json", remarks=True)
    assert {check["measure"]: check["passed"] for check in same["checks"]} == dict.fromkeys(
        ("P", "R", "F", "AP_LA", "AR_LA", "AF_LA"), True
    )
    far = run("annotations", folder / "far", *task[2:], "--fail-under", "saved.json")
    assert far.exit_code == 3
    assert "failed: far: AF_LA " in far.stderr
