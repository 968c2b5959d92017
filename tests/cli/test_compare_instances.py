"""`ontoeval compare` and `ontoeval match` with instances on both sides."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from helpers import printed_json, run, work_in

from ontoeval.rdf.store import read_scores

# the same pages sort themselves into fruit and vegetables on both sides, d and e apart; no name is the same
GOLD = "Fruit\tFood\nVegetables\tFood\n"
GOLD_PAGES = "a\tFruit\nb\tFruit\nc\tVegetables\nd\tVegetables\ne\tVegetables\nonly gold\tFood\n"
LEARNED = "k1\tk0\nk2\tk0\n"
PAGES = "a\tk1\nb\tk1\nd\tk1\nc\tk2\ne\tk2\nonly\tk2\nmine\tk2\n"
WORSE = "a\tk1\nb\tk2\nd\tk1\t0.5\nc\tk2\ne\tk2\n"
FILES = ("clusters.tsv", "--gold", "topics.tsv")
BOTH = ("--instances", "pages.tsv", "--gold-instances", "gold.tsv")


def entries(*arguments: object, stdin: str | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = printed_json("compare", *arguments, stdin=stdin, remarks=True)["results"]
    return found


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "topics.tsv": GOLD, "gold.tsv": GOLD_PAGES, "clusters.tsv": LEARNED, "other.tsv": LEARNED, "pages.tsv": PAGES,
        "worse.tsv": WORSE,
    }  # fmt: skip
    return work_in(tmp_path, monkeypatch, files)


# whose instances


def test_either_side_has_its_own_instances() -> None:
    (found,) = entries(*FILES, *BOTH, "--match", "instances", "-m", "LP,LR")
    assert found["scores"] == {"LP": 1.0, "LR": 1.0}
    assert found["matching"]["found"] == {"instances": 3, "added root": 0}


def test_one_table_holds_for_all_learned_ontologies_or_there_is_one_for_each() -> None:
    learned = ("clusters.tsv", "other.tsv", "--gold", "topics.tsv", "--gold-instances", "gold.tsv", "-m", "ITP")
    same = entries(*learned, "--instances", "pages.tsv")
    assert same[0]["scores"] == same[1]["scores"]
    own = entries(*learned, "--instances", "pages.tsv", "--instances", "worse.tsv")
    turned = entries(*learned, "--instances", "worse.tsv", "--instances", "pages.tsv")
    # k1 {a, b, d}, k2 {c, e}: 2 of 3, 2 of 3, 1 of 3, 2 of 2, 2 of 2; k1 {a, d}, k2 {b, c, e}: 1/2, 1/2, 1/3, 2/3, 2/3
    assert [each["scores"]["ITP"] for each in own] == [pytest.approx(11 / 15), pytest.approx(8 / 15)]
    assert [each["scores"]["ITP"] for each in turned] == [pytest.approx(8 / 15), pytest.approx(11 / 15)]


def test_a_table_may_come_from_stdin() -> None:
    arguments = (*FILES, "--instances", "-", "--gold-instances", "gold.tsv", "-m", "ITP")
    assert entries(*arguments, stdin=PAGES)[0]["scores"]["ITP"] == pytest.approx(11 / 15)


ONCE = "stdin (-) can be used for one input only."


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        ("compare", (*FILES, "--gold-instances", "no.tsv"), "no.tsv: no such file. Check the path."),
        (
            "compare",
            (*FILES, "--min-strength", "1.5"),
            "min_strength must be a number from 0 to 1, not 1.5.",
        ),
        ("compare", (*FILES, "--instance-key", "url"), "the instance key 'url' is not an IRI. Use its full IRI."),
        (
            "compare",
            (*FILES, "--match", "instances", "--instances", "pages.tsv"),
            "matching by instances needs instances in both ontologies; topics.tsv has none. Set --gold-instances FILE.",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_1(command: str, arguments: tuple[str, ...], message: str) -> None:
    result = run(command, *arguments, stdin="")
    assert (result.exit_code, result.stderr) == (1, f"error: {message}\n")


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        (
            "compare",
            ("clusters.tsv", "other.tsv", "clusters.tsv", "--gold", "topics.tsv", *["--instances", "pages.tsv"] * 2),
            "2 --instances for 3 learned ontologies. Set it once for all of them, or once for each, in their order.",
        ),
        (
            "compare",
            (*FILES, *["--instances", "pages.tsv"] * 2),
            "2 --instances for 1 learned ontology. Set it once.",
        ),
        (
            "match",
            (*FILES, *["--instances", "pages.tsv"] * 2),
            "2 --instances for 1 learned ontology. Set it once.",
        ),
        ("compare", (*FILES, "--instances", "-", "--gold-instances", "-"), ONCE),
        ("compare", ("-", "--gold", "topics.tsv", "--instances", "-"), ONCE),
        ("compare", ("-", "--gold", "-"), ONCE),
        ("match", ("-", "--gold", "topics.tsv", "--gold-instances", "-"), ONCE),
    ],
)
def test_too_many_tables_or_stdin_twice_are_wrong_usage(command: str, arguments: tuple[str, ...], message: str) -> None:
    result = run(command, *arguments, stdin="")
    assert result.exit_code == 2
    assert result.stderr == f"error: {message}\nHelp: ontoeval {command} --help\n"


def test_weak_assignments_can_be_left_out() -> None:
    arguments = (*FILES, "--instances", "worse.tsv", "--gold-instances", "gold.tsv", "-m", "ITP", "--min-strength")
    assert entries(*arguments, "0.5")[0]["counts"]["ITP"]["instances"] == 5
    assert entries(*arguments, "0.6")[0]["counts"]["ITP"]["instances"] == 4
    assert run("compare", *arguments, "0.6").stderr.splitlines()[0] == (
        "note: clusters.tsv: left out: 1 of 5 instance assignments (strength < 0.6; --min-strength)"
    )


def test_keys_hold_for_both_sides(here: Path) -> None:
    for name in ("one", "two"):
        kind = f'<http://{name}/C> ; <http://{name}/url> "http://page"'
        (here / f"{name}.ttl").write_text(
            f"<http://{name}/C> a <http://www.w3.org/2002/07/owl#Class> . <http://{name}/i> a {kind} ."
        )
    keys = ("--instance-key", "http://one/url", "--instance-key", "http://two/url")
    arguments = ("one.ttl", "--gold", "two.ttl", "--match", "instances", "-m", "LP")
    assert entries(*arguments, *keys)[0]["scores"] == {"LP": 1.0}
    assert entries(*arguments)[0]["scores"] == {"LP": 0.0}


# match


def test_match_pairs_by_instances_and_says_how_well() -> None:
    result = run("match", *FILES, *BOTH, "--match", "instances", "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    # shared a-e: k1 {a, b, d} and Fruit {a, b} 4/5, k2 {c, e} and Vegetables {c, d, e} 4/5
    assert {(pair["learned"], pair["gold"], pair["score"], pair["by"]) for pair in found["pairs"]} == {
        ("k0", "Food", 1.0, "instances"), ("k1", "Fruit", 0.8, "instances"), ("k2", "Vegetables", 0.8, "instances"),
    }  # fmt: skip


def test_match_tells_what_was_noticed_in_either_file(here: Path) -> None:
    (here / "gold.tsv").write_text(GOLD_PAGES + "f\tNowhere\n")
    result = run("match", *FILES, *BOTH, "--match", "instances")
    assert "note: topics.tsv: gold.tsv: left out: 1 of 7 lines (unknown concept; first: 'Nowhere')\n" in result.stderr


# remarks


def test_instances_that_one_side_alone_has_are_counted_once() -> None:
    shown = run("compare", *FILES, *BOTH, "--match", "instances", "-m", "ITP,ITR,EOR").stderr.splitlines()
    said = "note: clusters.tsv: 5 instances on both sides; left out: 2 only learned, 1 only in the gold standard"
    assert [line for line in shown if "instance" in line] == [said]


def test_the_count_is_told_also_if_none_was_left_out(here: Path) -> None:
    (here / "one.tsv").write_text("a\tk1\n")
    (here / "gold one.tsv").write_text("a\tFruit\n")
    arguments = (*FILES, "--instances", "one.tsv", "--gold-instances", "gold one.tsv", "--match", "instances")
    shown = run("compare", *arguments, "-m", "ITP").stderr.splitlines()
    assert "note: clusters.tsv: 1 instance on both sides" in shown


TRY = "note: clusters.tsv: 5 instances are on both sides: try --match instances, or -m H_s,ITF,EOR"


def test_instances_that_nothing_uses_are_told_with_what_would_use_them(here: Path) -> None:
    assert TRY in run("compare", *FILES, *BOTH, "-m", "LP").stderr.splitlines()
    (here / "clusters.tsv").write_text(LEARNED.replace("k0", "Food"))  # something matches, and still
    (here / "pages.tsv").write_text(PAGES + "e\tk1\n")  # e is on two concepts: H_s is not defined
    assert TRY.replace("H_s,", "") in run("compare", *FILES, *BOTH, "-m", "LP").stderr.splitlines()


@pytest.mark.parametrize(
    "arguments",
    [("-m", "ITF"), ("--match", "instances"), ("--match", "iri,instances:0.5", "-m", "LP"), ("-m", "LP,H_s")],
)
def test_what_uses_instances_needs_no_advice(arguments: tuple[str, ...]) -> None:
    shown = run("compare", *FILES, *BOTH, *arguments).output
    assert "try --match" not in shown
    assert "k1" not in shown


def test_instances_without_a_partner_are_told(here: Path) -> None:
    (here / "pages.tsv").write_text("x\tk1\n")
    shown = run("compare", *FILES, *BOTH, "-m", "LP").stderr.splitlines()
    assert "note: clusters.tsv: no instance is on both sides, and none of these measures uses them" in shown


def test_the_files_own_instances_are_told_only_if_nothing_matches(here: Path) -> None:
    def classes(name: str) -> str:
        return f"<http://{name}/C> a <http://www.w3.org/2002/07/owl#Class> . <http://page> a <http://{name}/C> .\n"

    (here / "one.ttl").write_text(classes("one"))
    (here / "two.ttl").write_text(classes("two"))
    result = run("compare", "one.ttl", "--gold", "two.ttl", "-m", "LP", "--match", "iri")
    assert "note: one.ttl: 1 instance is on both sides: try --match instances, or -m H_s,ITF,EOR\n" in result.stderr
    matched = run("compare", "one.ttl", "--gold", "two.ttl", "-m", "LP", "--match", "name")
    assert "on both sides" not in matched.output
    assert "on both sides" not in run("compare", *FILES, "-m", "LP").output


def test_a_hint_tries_the_instances(here: Path) -> None:
    assert run("compare", *FILES, *BOTH, "-m", "LP").stderr == (
        "warning: clusters.tsv: 0 of 3 concepts match; 3 would match by instances. Set --match iri,label,instances.\n"
        f"{TRY}\n"
    )


# what is lost

# With the page on the left: companions learned, in gold, both. a: {a,b,d}, {a,b}, 2; b as a; c: {c,e}, {c,d,e}, 2;
# d: {a,b,d}, {c,d,e}, 1; e as c. "only gold" and the others do not count.
LOST = [
    ["d", 1 / 3, 1 / 3, 2, 2, "k1", "Vegetables"],
    ["a", 2 / 3, 1.0, 1, 0, "k1", "Fruit"],
    ["b", 2 / 3, 1.0, 1, 0, "k1", "Fruit"],
    ["c", 1.0, 2 / 3, 0, 1, "k2", "Vegetables"],
    ["e", 1.0, 2 / 3, 0, 1, "k2", "Vegetables"],
]
KEYS = ("iri", "precision", "recall", "wrong", "lost", "learned", "gold")


@pytest.mark.parametrize("measure", ["ITP", "ITR", "ITF", "ITF(adjusted=true)", "LP,ITP"])
def test_the_instances_that_lose_most_are_listed(measure: str) -> None:
    (found,) = entries(*FILES, *BOTH, "--match", "instances", "-m", measure, "--worst", "4")
    expected = [dict(zip(KEYS, [*row[:5], [row[5]], [row[6]]], strict=True)) for row in LOST[:4]]
    assert found["worst_instances"] == expected


def test_the_table_of_instances(here: Path) -> None:
    shown = run("compare", *FILES, *BOTH, "--match", "instances", "-m", "ITP", "--worst", "2").stdout
    rows = [re.split(r"\s{2,}", line.strip()) for line in shown.splitlines()]
    title = rows.index(["clusters: lowest-scoring instances"])
    assert rows[title + 1] == ["instance", "itp", "itr", "wrong", "lost", "learned concepts", "gold concepts"]
    assert rows[title + 2 :] == [
        ["d", "0.333", "0.333", "2", "2", "Fruit", "Vegetables"], ["a", "0.667", "1.000", "1", "0", "Fruit", "Fruit"],
    ]  # fmt: skip  # k1 is matched with Fruit by its instances, and a matched concept has one name
    plain = run("compare", *FILES, *BOTH, "--match", "instances", "-m", "ITP", "--worst", "1", "--format", "tsv").stdout
    header, *lines = [line.split("\t") for line in plain.splitlines()]
    assert header == [
        "learned", "of", "iri", "label", "tp", "tr", "wrong", "lost", "learned parents", "gold parents", "differences",
        "learned parent iris", "gold parent iris",
    ]  # fmt: skip
    assert lines[-1] == [
        "clusters.tsv", "instance", "d", "d", f"{1 / 3}", f"{1 / 3}", "2", "2", "k1", "Vegetables", "", "", "",
    ]  # fmt: skip
    assert [line[1] for line in lines] == ["instance"]  # all common concepts have tp_csc and tr_csc 1


def test_nothing_lost_is_said() -> None:
    arguments = ("clusters.tsv", "--gold", "other.tsv", "--instances", "pages.tsv", "--gold-instances", "pages.tsv")
    assert "clusters: all common instances score 1\n" in run("compare", *arguments, "-m", "ITF", "--worst", "3").stdout
    assert entries(*arguments, "-m", "ITF", "--worst", "3")[0]["worst_instances"] == []


def test_instances_are_not_listed_where_nobody_asked_or_nothing_is_shared(here: Path) -> None:
    assert "worst_instances" not in entries(*FILES, *BOTH, "-m", "H_s,EOR,LP", "--worst", "3")[0]
    (here / "pages.tsv").write_text("x\tk1\n")
    assert "worst_instances" not in entries(*FILES, *BOTH, "-m", "ITF", "--worst", "3")[0]


def test_the_tables_of_instances_are_among_the_inputs_and_not_what_is_compared_with(fixtures: Path) -> None:
    sides = [str(fixtures / "shelves" / name) for name in ("clusters.tsv", "shelves.tsv")]
    tables = [side.replace(".tsv", "-books.tsv") for side in sides]
    options = [sides[0], "--gold", sides[1], "--instances", tables[0], "--gold-instances", tables[1], "-m", "ITF"]
    shown = run("compare", *options, "--json", "-o", "scores.trig")
    assert shown.exit_code == 0, shown.output
    entry = json.loads(shown.stdout)["results"][0]
    assert [entry[role] for role in ("learned", "gold", "learned_instances", "gold_instances")] == [*sides, *tables]
    (result,) = read_scores("scores.trig")
    assert [Path(table).name for table in tables] == [
        result.inputs[role].path for role in ("learned_instances", "gold_instances")
    ]
    assert [hashlib.sha256(Path(table).read_bytes()).hexdigest() for table in tables] == [
        result.inputs[role].sha256 for role in ("learned_instances", "gold_instances")
    ]
    assert [source.path for source in result.against] == ["shelves.tsv"]
    assert "1 run against shelves.tsv\n" in run("store", "show", "scores.trig").stdout


def test_strict_instances_leave_out_what_sits_on_several_concepts() -> None:
    Path("pages.tsv").write_text(PAGES + "a\tk2\n")
    options = (*FILES, *BOTH, "-m", "H_s,OntoRand,EOR")
    (found,) = entries(*options)
    reason = (
        "1 common instance belongs to several concepts (e.g. a). Use EOR, ITP, ITR or ITF, or set "
        "--ambiguous-instances drop"
    )
    assert found["undefined"] == {"H_s": reason, "OntoRand": reason}
    Path("without.tsv").write_text("\n".join(line for line in PAGES.splitlines() if not line.startswith("a\t")))
    (strict,) = entries(*options, "--ambiguous-instances", "drop")
    (without,) = entries(*FILES, "--instances", "without.tsv", "--gold-instances", "gold.tsv", "-m", "H_s,OntoRand,EOR")
    assert strict["undefined"] == {}
    assert strict["scores"] == without["scores"]
    said = "left out: 1 of 7 instances (several concepts; --ambiguous-instances drop)"
    assert (
        f"note: clusters.tsv: {said}" in run("compare", *options, "--ambiguous-instances", "drop").stderr.splitlines()
    )


@pytest.mark.parametrize(
    "concepts", ["", "x1\tk0\nx2\tk0\nx3\tk0\nx4\tk0\nx5\tk0\nx6\tk0\n"]
)  # fewer and more than instances
def test_intervals_and_tests_draw_instances_whatever_the_concepts_are_called(concepts: str) -> None:
    swapped = str.maketrans("12", "21")  # the same clusters under each other's names
    Path("clusters.tsv").write_text(LEARNED + concepts)
    Path("other.tsv").write_text((LEARNED + concepts).translate(swapped))
    Path("renamed.tsv").write_text(PAGES.translate(swapped))
    measures = ("-m", "ITP,ITR,ITF", "--gold", "topics.tsv", "--gold-instances", "gold.tsv", "--intervals")
    documents = []
    for file, pages in (("clusters.tsv", "pages.tsv"), ("other.tsv", "renamed.tsv")):
        files = (file, "clusters.tsv", "--instances", pages, "--instances", "worse.tsv")
        shown = run("compare", *files, *measures, "--significance", "--rounds", "300", "--json")
        assert shown.exit_code == 0, shown.output
        documents.append(json.loads(shown.stdout))
    first, second = documents
    assert [test["p"] for test in first["significance"]] == [test["p"] for test in second["significance"]]
    assert first["results"][0]["intervals"] == second["results"][0]["intervals"]
    for low, high in first["results"][0]["intervals"].values():
        assert 0 <= low < high <= 1
    assert first["significance"][0]["measure"] == "ITP"
    assert 0.05 < first["significance"][0]["p"] < 1


def test_with_instance_measures_alone_nothing_is_said_of_concepts_that_do_not_match() -> None:
    shown = run("compare", *FILES, *BOTH, "-m", "ITF,EOR")
    assert "match" not in shown.stderr
    assert "common" not in shown.stdout
    both = run("compare", *FILES, *BOTH, "-m", "ITF,LP")
    assert "would match by instances" in both.stderr
    assert "0 common" in both.stdout


def test_a_table_without_an_instance_is_refused() -> None:
    Path("pages.tsv").write_text("instance\tconcept\n")
    shown = run("compare", *FILES, *BOTH, "-m", "ITF")
    assert shown.exit_code == 1
    assert shown.stderr == ("error: pages.tsv: no instances found. Use the columns instance, concept[, strength].\n")
