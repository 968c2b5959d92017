"""`ontoeval annotations`, as a user meets it."""

from __future__ import annotations

import csv
import io
import json
import math
from functools import partial
from pathlib import Path

import helpers
import pytest
from helpers import data_folder, tsv_rows, without_rules

import ontoeval as oe
from ontoeval.analysis.annotator_agreement import alpha
from ontoeval.measures import parse
from ontoeval.rdf.validate import validate

ONTOLOGY = "car\tvehicle\nbike\tvehicle\nvan\tcar\n"  # child, parent
HALF = "Rada(scale=similarity)"  # 1 / (1 + edges between): van and car 1/2, van and bike 1/4
# document -> (start, end, class)
Spans = dict[str, list[tuple[int, int, str | None]]]
KEY: Spans = {"d1": [(0, 3, "car"), (4, 8, "van")], "d2": [(0, 4, "bike")]}
GOOD: Spans = {"d1": [(0, 3, "car"), (4, 8, "car")], "d2": [(2, 9, "bike")]}  # one near miss, one span that overlaps
POOR: Spans = {"d1": [(0, 3, "bike"), (4, 8, "bike")], "d2": []}
SPANS = ["P", "R", "F", "AP_LA", "AR_LA", "AF_LA", "AP", "AR", "AF"]  # of the set classic
NAMES = ["P", "R", "F", "Kappa", "Pi", "Alpha_Flat"]

SUFFIXES = ".csv .json .md .nq .pdf .png .svg .tex .trig .tsv"  # of -o


def write(path: str, documents: Spans, length: int = 20) -> None:
    lines = [
        {
            "document": name,
            "length": length,
            "annotations": [{"start": start, "end": end, "concept": concept} for start, end, concept in spans],
        }
        for name, spans in documents.items()
    ]
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("onto.tsv").write_text(ONTOLOGY)
    for name, spans in (("key", KEY), ("good", GOOD), ("poor", POOR)):
        write(f"{name}.jsonl", spans)
    return tmp_path


run = partial(helpers.run, "annotations")
printed = partial(helpers.printed, "annotations", remarks=True)
printed_json = partial(helpers.printed_json, "annotations", remarks=True)
entry = partial(helpers.entry, "annotations", remarks=True)
refused = partial(helpers.refused, "annotations")


GOOD_BY_KEY = ("good.jsonl", "--gold", "key.jsonl")
ON = ("--ontology", "onto.tsv")

# scores


def test_the_default_measures_are_exact_and_graded() -> None:
    assert list(entry(*GOOD_BY_KEY, *ON)["scores"]) == ["P", "R", "F", "AP", "AR", "AF"]
    assert list(entry(*GOOD_BY_KEY)["scores"]) == ["P", "R", "F"]


def test_the_classic_set_is_that_of_earlier_releases() -> None:
    assert list(entry(*GOOD_BY_KEY, *ON, "-m", "classic")["scores"]) == SPANS
    assert list(entry(*GOOD_BY_KEY, "-m", "classic")["scores"]) == NAMES


def test_a_near_miss_earns_its_similarity() -> None:
    found = entry(*GOOD_BY_KEY, *ON, "--similarity", HALF)
    scores, names = found["scores"], found["canonical_names"]
    assert list(scores) == ["P", "R", "F", "AP", "AR", "AF"]
    assert list(scores.values()) == pytest.approx([1 / 3] * 3 + [1.5 / 3] * 3)
    assert list(names.values()) == ["P", "R", "F", *(f"{name}(similarity=Rada)" for name in ("AP", "AR", "AF"))]


def test_lenient_pairs_spans_that_overlap() -> None:
    found = entry(*GOOD_BY_KEY, *ON, "--similarity", HALF, "--spans", "lenient", "-m", "P,AF,AR(spans=strict)")
    assert found["scores"] == pytest.approx({"P": 2 / 3, "AF": 2.5 / 3, "AR(spans=strict)": 1.5 / 3})
    assert {name: parse(full) for name, full in found["canonical_names"].items()} == {
        "P": parse("P(spans=lenient)"),
        "AF": parse(f"AF(spans=lenient, similarity={HALF})"),
        "AR(spans=strict)": parse(f"AR(spans=strict, similarity={HALF})"),
    }
    assert found["counts"]["AF"] == {
        "correct": 2, "same_span": 2, "partial": 1, "same_span_credit": 1.5, "partial_credit": 1.0, "missing": 0,
        "spurious": 0, "keys": 3, "responses": 3,
    }  # fmt: skip


def test_without_an_ontology_names_are_compared() -> None:
    scores = entry(*GOOD_BY_KEY, "-m", "classic")["scores"]
    # two items: car as car, van as car; car has 1/2 in the key and all in the response
    assert scores["Kappa"] == pytest.approx((1 / 2 - 1 / 2) / (1 - 1 / 2))
    assert scores["Pi"] == pytest.approx((1 / 2 - 10 / 16) / (1 - 10 / 16))
    # alpha: Do = 1/2, De = 1 - (3*2 + 0) / (4*3)
    assert scores["Alpha_Flat"] == pytest.approx(1 - (1 / 2) / (1 - 6 / 12))


def test_json_says_what_was_judged() -> None:
    found = entry(*GOOD_BY_KEY, *ON, "-m", "F")
    assert (found["response"], found["key"], found["ontology"]) == ("good.jsonl", "key.jsonl", "onto.tsv")
    assert (found["by"], found["unknown"], found["documents"]) == ("class", "keep", 2)
    assert (found["undefined"], found["unknown_classes"]) == ({}, [])
    assert found["notes"] == {"response": [], "key": []}


def test_individuals_are_the_same_or_not() -> None:
    for name, second in (("a", "http://kb/y"), ("b", "http://other/y")):
        spans = [(0, 3, "http://kb/x"), (4, 8, second), (9, 12, f"http://{name}/z")]
        lines = [{"document": "d", "start": start, "end": end, "instance": iri} for start, end, iri in spans]
        Path(f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert entry("a.jsonl", "--gold", "b.jsonl", "--by", "instance", "-m", "F")["scores"] == {"F": 1 / 3}
    shown = printed("a.jsonl", "--gold", "b.jsonl", "--by", "instance", "-m", "F").splitlines()[-1]
    assert shown == "1 correct, 2 wrong individual, 0 missing, 0 spurious"
    # outside the knowledge base: the second of b, and the third of both, which are one unknown entity
    found = entry("a.jsonl", "--gold", "b.jsonl", "--by", "instance", "--kb", "http://kb/", "-m", "F")
    assert found["scores"] == {"F": 2 / 3}
    assert found["kb"] == "http://kb/"


# what is printed


def test_the_table_of_two_responses(fixtures: Path) -> None:
    folder = fixtures / "annotations"
    names = ("near", "far", "--gold", "key", "--ontology", "news.ttl")
    paths = [folder / name if not name.startswith("--") else name for name in names]
    lines = printed(*paths, "-m", "P,R,F,AF").splitlines()
    assert lines[0] == "2 responses against key (* best)"
    header, near, far = (line.split() for line in lines[1:4])
    assert (header[:4], near[0], far[0]) == (["P", "R", "F", "AF"], "near", "far")
    # 4 of 15 responses are right, of 16 keys; F = 8 / 31
    assert near[1:4] == far[1:4] == ["0.267", "0.250", "0.258"]
    assert float(near[4].removesuffix("*")) > 2 * float(far[4]) > 2 * 0.258
    assert near[4].endswith("*")
    assert header[4:] == ["correct", "wrong", "class", "missing", "spurious"]
    assert near[5:] == far[5:] == ["4", "10", "2", "1"]
    assert run(*paths).stderr.splitlines() == [
        "note: key: 16 annotations of the default set",
        "note: key: classes are read from the feature 'class' (16)",
        "note: near, far (each): 15 annotations of the default set",
        "note: near, far: classes are read from the feature 'class' (15)",
    ]


def test_near_misses_lift_bdm_above_flat(fixtures: Path) -> None:
    folder = fixtures / "annotations"
    found = printed_json(folder / "near", folder / "far", "--gold", folder / "key", "--ontology", folder / "news.ttl")[
        "results"
    ]
    near, far = (one["scores"] for one in found)
    for scores in (near, far):
        assert [scores[name] for name in ("P", "R", "F")] == pytest.approx([4 / 15, 4 / 16, 8 / 31])
    assert near["AF"] > 0.7 > 0.35 > far["AF"] > far["F"]


def test_what_was_found_and_remarks_below_the_table() -> None:
    write("far.jsonl", {"d1": [(0, 3, "plane"), (4, 8, "boat")], "d3": [(0, 4, "bike")]})
    result = run("far.jsonl", *GOOD_BY_KEY, *ON, "-m", "F")
    assert result.stdout.splitlines() == [
        "2 responses against key.jsonl (* best)",
        "         F       correct  wrong class  missing  spurious",
        "  far    0.000         0            2        1         1",
        "  good   0.333*        1            1        1         1",
    ]
    assert result.stderr.splitlines() == [
        "warning: far.jsonl: 1 document is not in key.jsonl: d3. "
        "It counts as empty there. If it has another name there, use the same name on both sides.",
        "warning: key.jsonl: 1 document is not in far.jsonl: d2. "
        "It counts as empty there. If it has another name there, use the same name on both sides.",
        "warning: far.jsonl: 2 classes are not in onto.tsv (2 of 3 annotations): 'boat' (once), 'plane' (once). "
        "Such annotations match nothing: correct them or use a more complete ontology. "
        "--unknown drop leaves them out on both sides, which raises scores.",
        "warning: rows are scored on different documents, those of the gold standard and their own: far 3, good 2",
    ]


def test_what_was_found_does_not_change_with_kept_annotations() -> None:
    arguments = (*GOOD_BY_KEY, *ON, "--similarity", HALF, "--spans", "lenient", "-m", "F,AF,F(spans=strict)")
    plain, kept = (printed(*arguments, *more) for more in ((), ("-o", "x.nq", "--store-level", "annotations")))
    assert plain.splitlines()[-2:] == kept.splitlines()[-2:] == [
        "2 documents, 3 gold and 3 response annotations",
        "1 correct, 1 wrong class, 1 missing, 1 spurious (F(spans=strict))",
    ]  # fmt: skip
    found = "2 same span, 1 overlapping, 2 correct, 1 wrong class, 0 missing, 0 spurious"
    assert printed(*arguments[:-1], "AF").splitlines()[-1] == found
    # alone, the credit of single annotations has the same counts
    assert printed(*arguments[:-1], "Credit").splitlines()[-1] == found


def test_many_names_are_cut_in_remarks_and_whole_in_json() -> None:
    write("wild.jsonl", {"d1": [(0, 3, "car"), *((9, 9, f"x{n}") for n in range(9))]})
    assert run("wild.jsonl", "--gold", "key.jsonl", *ON, "-m", "F").stderr.splitlines()[1] == (
        "warning: wild.jsonl: 9 classes are not in onto.tsv (9 of 10 annotations): "
        "'x0' (once), 'x1' (once), 'x2' (once) and 6 more. "
        "Such annotations match nothing: correct them or use a more complete ontology. "
        "--unknown drop leaves them out on both sides, which raises scores."
    )
    found = entry("wild.jsonl", "--gold", "key.jsonl", *ON, "-m", "F")
    assert found["unknown_classes"] == [{"name": f"x{n}", "key": 0, "response": 1} for n in range(9)]
    assert (found["only_in_response"], found["only_in_key"]) == ([], ["d2"])


NOTHING = "no annotations to compare; scores are those defined for empty input."


def test_remarks_go_to_stderr_beside_a_table_for_machines() -> None:
    write("empty.jsonl", {"d1": [], "d2": []})
    result = run("empty.jsonl", "--gold", "key.jsonl", *ON, "-m", "AP,AR", "--format", "tsv")
    assert (result.exit_code, result.stdout) == (0, "\tAP\tAR\nempty.jsonl\t0.0\t0.0\n")
    assert result.stderr == f"warning: empty.jsonl: {NOTHING}\n"


def test_nothing_on_both_sides_is_right_and_says_so() -> None:
    write("empty.jsonl", {"d1": []})
    write("none.jsonl", {"d1": []})
    result = run("empty.jsonl", "--gold", "none.jsonl", *ON, "-m", "P,R,AF")
    assert [line.split()[:2] for line in result.stdout.splitlines()[1:4]] == [
        ["P", "1.000"], ["R", "1.000"], ["AF", "1.000"],
    ]  # fmt: skip
    empty, none = (f"{name}.jsonl: {NOTHING}" for name in ("empty", "none"))
    assert result.stderr.splitlines() == [f"warning: {empty}", f"warning: {none}"]
    assert entry("empty.jsonl", "--gold", "none.jsonl", *ON, "-m", "P")["warnings"] == [empty, none]
    assert entry("good.jsonl", "--gold", "none.jsonl", *ON, "-m", "P")["warnings"] == [none]


def test_a_wide_table_stands_upright() -> None:
    long = ",".join(f"AP(average=macro, similarity=Rada(edges={edges}))" for edges in ("relatedness", "similarity"))
    lines = printed(*GOOD_BY_KEY, "poor.jsonl", *ON, "-m", f"AP,{long}").splitlines()
    assert lines[1].split() == ["good", "poor"]


# classes, documents, confusions


def test_each_class() -> None:
    found = entry(*GOOD_BY_KEY, *ON, "--similarity", HALF, "--per", "class", "-m", "F")["per_class"]
    assert found == [
        {"class": "bike", "AP": 0.0, "AR": 0.0, "AF": 0.0, "keys": 1, "responses": 1},
        {"class": "car", "AP": 1.5 / 2, "AR": 1.0, "AF": pytest.approx(2 * 0.75 / 1.75), "keys": 1, "responses": 2},
        {"class": "van", "AP": 0.0, "AR": 0.5, "AF": 0.0, "keys": 1, "responses": 0},
    ]
    lines = printed(*GOOD_BY_KEY, *ON, "--similarity", HALF, "--per", "class", "--top", 1).splitlines()
    assert lines[-4:] == [
        "good.jsonl: classes, most frequent first (Rada)",
        "  class     AP     AR     AF  gold  response",
        "  car    0.750  1.000  0.857     1         2",
        "  … 2 more (--top 0)",
    ]


def test_each_individual() -> None:
    line = {"document": "d", "start": 0, "end": 3, "class": "car", "instance": "http://kb/x"}
    Path("a.jsonl").write_text(json.dumps(line) + "\n")
    Path("b.jsonl").write_text(json.dumps({**line, "instance": "http://kb/y"}) + "\n")
    arguments = ("a.jsonl", "--gold", "b.jsonl", "--by", "instance", "--per", "class", "--confusion", "1", "-m", "F")
    lines = without_rules(printed(*arguments))
    start = lines.index("a.jsonl: individuals, most frequent first (Flat)")
    assert lines[start + 1].split()[0] == "individual"
    start = lines.index("a.jsonl: confusions, missing and spurious, costliest first (Flat)")
    assert lines[start + 1].split()[:4] == ["gold", "individual", "response", "individual"]
    found = entry(*arguments)
    assert [one["individual"] for one in found["per_class"]] == ["http://kb/x", "http://kb/y"]
    assert [(one["key_individual"], one["response_individual"]) for one in found["confusion"]] == [
        ("http://kb/y", "http://kb/x")
    ]
    assert refused(*arguments[:-1], "AF") == ("BDM needs an ontology. Set --ontology, or use Flat.")
    assert entry(*arguments[:-1], "F", *ON)["scores"]["F"] == 0
    assert 0 < entry(*arguments[:-1], "AF", *ON)["scores"]["AF"] < 1  # two of one class


def test_confusions_by_what_they_cost() -> None:
    found = entry(*GOOD_BY_KEY, *ON, "--similarity", HALF, "--confusion", "2", "--spans", "lenient", "-m", "F")
    assert found["confusion"] == [
        {"key_class": "van", "response_class": "car", "count": 1, "similarity": 0.5, "lost": 0.5},
        {"key_class": "bike", "response_class": "bike", "count": 1, "similarity": 1.0, "lost": 0.0},
    ]
    lines = printed(*GOOD_BY_KEY, "--confusion", "3", "-m", "F").splitlines()
    start = lines.index("good.jsonl: confusions, missing and spurious, costliest first (Flat)")
    assert [line.split() for line in lines[start + 2 : start + 5]] == [
        ["–", "bike", "1", "0.000", "1.000"],
        ["bike", "–", "1", "0.000", "1.000"],
        ["van", "car", "1", "0.000", "1.000"],
    ]


def test_each_document_as_a_table_and_as_a_file() -> None:
    lines = printed(*GOOD_BY_KEY, *ON, "--similarity", HALF, "--per", "document", "-m", "P,AP", "--local", "local.csv")
    rows = lines.splitlines()
    start = rows.index("good.jsonl: documents, lowest P first")
    assert [row.split() for row in rows[start + 1 : start + 4]] == [
        ["document", "P", "AP"], ["d2", "0.000", "0.000"], ["d1", "0.500", "0.750"],
    ]  # fmt: skip
    found = list(csv.reader(io.StringIO(Path("local.csv").read_text())))
    assert found == [
        ["response", "measure", "of", "iri", "label", "value"],
        ["good.jsonl", "P", "document", "d1", "d1", "0.5"],
        ["good.jsonl", "P", "document", "d2", "d2", "0.0"],
        ["good.jsonl", "AP", "document", "d1", "d1", "0.75"],
        ["good.jsonl", "AP", "document", "d2", "d2", "0.0"],
    ]


# intervals and tests


def test_a_difference_has_an_interval_and_a_p() -> None:
    """Two documents: in d1 one of two is right or none, in d2 nothing is ever right."""
    document = printed_json(
        "good.jsonl", "poor.jsonl", "--gold", "key.jsonl", "-m", "R", "--significance", "--rounds", "400"
    )
    (found,) = document["significance"]
    assert found == {
        "measure": "R", "left": "good.jsonl", "right": "poor.jsonl", "difference": pytest.approx(1 / 3),
        # drawn twice d1: 1/2; once: 1/3; never: 0, in a quarter of all draws each but once in a half
        "interval": [0.0, pytest.approx(1 / 2)],
        "p": 1.0,  # d1 changes sides or not, and the difference stays as great
        "p_adjusted": 1.0, "n": 2, "test": "paired randomisation",
    }  # fmt: skip
    table = printed("good.jsonl", "poor.jsonl", "--gold", "key.jsonl", "-m", "R", "--significance", "-f", "csv")
    (row,) = csv.DictReader(io.StringIO(table))
    assert {**row, "difference": "", "low": "", "high": ""} == {
        "measure": "R", "left": "good.jsonl", "right": "poor.jsonl", "difference": "", "low": "", "high": "",
        "p": "1.0", "p_adjusted": "1.0", "n": "2", "test": "paired randomisation",
    }  # fmt: skip
    assert [float(row[name]) for name in ("difference", "low", "high")] == pytest.approx([1 / 3, 0, 1 / 2])


def test_tables_without_titles_name_what_they_are_about() -> None:
    arguments = ("good.jsonl", "poor.jsonl", "--gold", "key.jsonl", "-m", "R", "--significance", "--confusion", "1")
    text = printed(*arguments, "--format", "markdown")
    headers = [block.splitlines()[0] for block in text.split("\n\n")]
    assert headers == [
        "|  | R |",  # letters would say which difference is significant
        "| response | gold class | response class | count | similarity | lost |",
    ]


def test_significance_finds_what_is_no_chance() -> None:
    many = [f"d{n:02d}" for n in range(12)]
    write("k.jsonl", {name: [(0, 1, "car")] for name in many})
    write("right.jsonl", {name: [(0, 1, "car")] for name in many})
    write("wrong.jsonl", {name: [(0, 1, "bike")] for name in many})
    document = printed_json("right.jsonl", "wrong.jsonl", "--gold", "k.jsonl", "-m", "F", "--significance")
    # all twelve have to change sides together: 2 of 4096, and 1 of the 10001 is the observed one
    assert document["significance"][0]["p"] < 0.002
    assert document["significance"][0]["interval"] == [1.0, 1.0]


def test_intervals_are_over_documents() -> None:
    found = entry(*GOOD_BY_KEY, "-m", "R", "--intervals", "--seed", "3")
    assert found["intervals"] == {"R": [0.0, 0.5]}


# annotators


def test_three_annotators(tmp_path: Path) -> None:
    document = printed_json("key.jsonl", "good.jsonl", "poor.jsonl", "--agreement", *ON, "--similarity", HALF)
    assert document["results"] == []
    found = document["agreement"]
    assert found["annotators"] == ["key.jsonl", "good.jsonl", "poor.jsonl"]
    assert found["measure"] == "AF(similarity=Rada)"
    pairs = {tuple(pair["annotators"]): pair for pair in found["pairs"]}
    one = pairs["key.jsonl", "good.jsonl"]
    assert (one["F"], one["F back"], one["items"], one["agreed"]) == (0.5, 0.5, 2, 1)
    # car and bike 1/3, van and bike 1/4 on two spans; 3 and 2 annotations
    assert pairs["key.jsonl", "poor.jsonl"]["F"] == pytest.approx(2 * (1 / 3 + 1 / 4) / 5)
    assert found["mean"]["F"] == pytest.approx(sum(pair["F"] for pair in pairs.values()) / 3)
    assert found["alpha"]["counts"]["units"] == 2


def test_agreement_as_a_table_with_the_key_as_one_annotator() -> None:
    lines = printed(*GOOD_BY_KEY, "--agreement", "-m", "F").splitlines()
    start = lines.index("Inter-annotator agreement")
    assert lines[start + 1].split() == ["F", "Kappa", "Pi", "Alpha", "items", "agreed"]
    assert lines[start + 2].split() == ["good.jsonl", "gold", "0.333", "0.000", "-0.333", "0.000", "2", "1"]
    assert lines[start + 3] == "alpha of both: 0.000 (2 units, 4 values, 0 left out)"


def test_alpha_of_two_is_that_of_the_pair() -> None:
    """Spans that one annotator marked twice, and spans that overlap: as pairs they are units."""
    write("one.jsonl", {"d": [(0, 3, "car"), (0, 3, "bike"), (4, 8, "van"), (9, 12, "car")]})
    write("two.jsonl", {"d": [(0, 3, "van"), (4, 8, "bike"), (9, 12, "car"), (10, 19, "bike")]})
    for match in ("strict", "lenient"):
        found = printed_json("one.jsonl", "two.jsonl", "--agreement", *ON, "--similarity", HALF, "--spans", match)[
            "agreement"
        ]
        (pair,) = found["pairs"]
        assert found["alpha"]["value"] == pair["Alpha"]
        assert found["alpha"]["counts"] == {"units": 3, "values": 6, "left_out": 0}
        text = printed("one.jsonl", "two.jsonl", "--agreement", *ON, "--similarity", HALF, "--spans", match)
        assert text.splitlines()[-1].startswith(f"alpha of both: {pair['Alpha']:.3f} (3 units, ")
    both = [oe.load_corpus(name) for name in ("one.jsonl", "two.jsonl")]
    found = printed_json("one.jsonl", "two.jsonl", "--agreement", *ON, "--similarity", HALF)["agreement"]
    assert alpha(both, oe.load_ontology("onto.tsv"), HALF).value == found["alpha"]["value"]


# variants


def test_a_coarser_ontology_is_judged_beside() -> None:
    Path("top.txt").write_text("car\nbike\n")
    document = printed_json(*GOOD_BY_KEY, *ON, "-m", "F", "--variant", "ptop:top.txt")
    plain, coarse = document["results"]
    assert "variant" not in plain
    assert coarse["variant"] == "ptop:top.txt"
    assert (plain["scores"]["F"], coarse["scores"]["F"]) == (
        pytest.approx(1 / 3),
        pytest.approx(2 / 3),
    )  # a van is a car
    lines = printed(*GOOD_BY_KEY, *ON, "-m", "F", "--variant", "ptop:top.txt").splitlines()
    start = lines.index("good.jsonl against key.jsonl, variant ptop:top.txt")
    assert lines[start + 1].split()[:2] == ["F", "0.667"]


def test_link_1_takes_only_children_away() -> None:
    (_, coarse) = printed_json(*GOOD_BY_KEY, *ON, "-m", "F", "--variant", "link-1")["results"]
    # van is the only child of car and goes to vehicle, so car for van is as wrong as before
    assert coarse["scores"]["F"] == pytest.approx(1 / 3)


# sets of one file


def gate(path: str, sets: dict[str, list[tuple[int, int, str]]]) -> None:
    text = "a car, a van, a bike"
    nodes = "".join(f'<Node id="{at}"/>{letter}' for at, letter in enumerate(text)) + f'<Node id="{len(text)}"/>'
    made = ""
    for name, spans in sets.items():
        inside = "".join(
            f'<Annotation Id="{n}" Type="Mention" StartNode="{start}" EndNode="{end}"><Feature>'
            f'<Name className="java.lang.String">class</Name><Value className="java.lang.String">{concept}</Value>'
            "</Feature></Annotation>"
            for n, (start, end, concept) in enumerate(spans)
        )
        made += f"<AnnotationSet{f' Name={chr(34)}{name}{chr(34)}' if name else ''}>{inside}</AnnotationSet>"
    Path(path).write_text(
        f'<?xml version="1.0" encoding="UTF-8"?><GateDocument version="3"><GateDocumentFeatures/>'
        f"<TextWithNodes>{nodes}</TextWithNodes>{made}</GateDocument>"
    )


def test_two_sets_of_one_file() -> None:
    gate(
        "doc.xml", {"Key": [(2, 5, "car"), (9, 12, "van")], "A": [(2, 5, "car"), (9, 12, "car")], "B": [(2, 5, "car")]}
    )
    arguments = ("doc.xml", "--gold-set", "Key", "--set", "A", "--set", "B", "-m", "P,R")
    first, second = printed_json(*arguments)["results"]
    assert (first["response"], first["key"]) == ("doc.xml#A", "doc.xml#Key")
    assert (first["scores"], second["scores"]) == ({"P": 0.5, "R": 0.5}, {"P": 1.0, "R": 0.5})
    result = run(*arguments)
    assert result.stdout.splitlines() == [
        "2 responses against doc.xml, set Key (* best)",
        "      P       R      correct  wrong class  missing  spurious",
        "  A   0.500   0.500        1            1        0         0",
        "  B   1.000*  0.500        1            0        1         0",
    ]
    assert result.stderr.splitlines() == [
        "note: doc.xml, set Key, A: classes are read from the feature 'class' (2)",
        "note: B: classes are read from the feature 'class' (1)",
    ]


# scores as RDF


def test_scores_of_documents_and_annotations_are_stored_and_asked_for() -> None:
    arguments = (*GOOD_BY_KEY, *ON, "--similarity", HALF, "-m", "AF", "--name", "ours", "-o", "scores.nq")
    printed(*arguments)
    (plain,) = oe.read_scores("scores.nq")
    assert plain.system == "ours"
    assert plain["AF(similarity=Rada)"].value == pytest.approx(0.5)
    assert plain["AF(similarity=Rada)"].local.to_dict() == {"d1": 0.75, "d2": 0.0}
    assert "DocumentScore" in Path("scores.nq").read_text()
    assert "AnnotationScore" not in Path("scores.nq").read_text()
    Path("scores.nq").unlink()
    printed(*arguments, "--store-level", "annotations")
    (whole,) = oe.read_scores("scores.nq")
    credit = whole["Credit(similarity=Rada)"]
    assert credit.value == pytest.approx(1.5 / 4)
    assert credit.local.to_dict() == {
        "d1#char=0,3;key=0": 1.0, "d1#char=4,8;key=1": 0.5, "d2#char=0,4;key=0": 0.0, "d2#char=2,9;response=0": 0.0,
    }  # fmt: skip
    assert validate("scores.nq").conforms
    command = [
        "query",
        "scores.nq",
        "per-document",
        "-p",
        "measure=AF(similarity=Rada)",
        "-p",
        "credit=Credit(similarity=Rada)",
    ]
    rows = helpers.printed_json(*command)["rows"]
    told_rows = [[row[name] for name in ("label", "system", "value", "annotations", "mean")] for row in rows]
    assert told_rows == [["d1", "ours", 0.75, 2, 0.75], ["d2", "ours", 0.0, 2, 0.0]]


def test_the_credit_beside_a_score_of_documents_is_that_of_its_measure() -> None:
    near = [f"{name}{parameters}" for name in ("AP", "AR", "AF") for parameters in ("", "(spans=lenient)", "_LA")]
    measures = [*"PRF", *near, "AF(average=macro)", "P(spans=lenient, average=macro)", "AR(similarity=Lin)"]
    printed(*GOOD_BY_KEY, *ON, "-m", ",".join(measures), "-o", "scores.nq", "--store-level", "annotations")
    (whole,) = oe.read_scores("scores.nq")
    for name in measures:
        parameters = oe.parse(name).parameters
        chosen = {key: parameters[key] for key in ("similarity", "spans")}
        local = whole[str(parse("Credit", **chosen))].local.to_dict()
        expected = {}
        for document in ("d1", "d2"):
            values = [value for annotation, value in local.items() if annotation.startswith(document)]
            expected[document] = (len(values), pytest.approx(sum(values) / len(values)))
        command = ["query", "scores.nq", "per-document", "-p", f"measure={name}"]
        rows = helpers.printed_json(*command)["rows"]
        assert {row["label"]: (row["annotations"], row["mean"]) for row in rows} == expected, name


def test_local_scores_can_be_left_out() -> None:
    printed(*GOOD_BY_KEY, "-m", "F", "-o", "bare.nq", "--store-level", "totals")
    assert "DocumentScore" not in Path("bare.nq").read_text()


def test_the_sets_of_one_file_are_two_inputs() -> None:
    gate("doc.xml", {"Key": [(2, 5, "car")], "A": [(2, 5, "van")]})
    printed("doc.xml", "--gold-set", "Key", "--set", "A", "-m", "F", "-o", "scores.trig")
    (found,) = oe.read_scores("scores.trig")
    assert found.system == "A"
    assert len({source.sha256 for source in found.inputs.values()}) == 2


def test_a_low_score_ends_with_code_3() -> None:
    result = run(*GOOD_BY_KEY, *ON, "--spans", "lenient", "--fail-under", "F=0.7", "--fail-under", "R=0.1")
    assert (result.exit_code, result.stderr) == (3, "failed: good: F 0.667 < 0.700\n")


def test_a_limit_may_name_a_measure_as_m_does_or_by_its_parameters() -> None:
    """--spans is a parameter of both names: they are one measure, which is called as -m calls it."""
    for asked, limited in (("F(spans=lenient)", "F"), ("F", "F(spans=lenient)")):
        result = run(*GOOD_BY_KEY, "--spans", "lenient", "-m", asked, "--fail-under", f"{limited}=0.7")
        assert (result.exit_code, result.stderr) == (3, f"failed: good: {asked} 0.667 < 0.700\n")


# what is refused


def test_no_document_in_common() -> None:
    write("other.jsonl", {f"e{n}": spans for n, spans in enumerate(KEY.values())})
    assert refused("other.jsonl", "--gold", "key.jsonl") == (
        "other.jsonl and key.jsonl have no documents in common. The first has 'e0', 'e1'; the second has 'd1', 'd2'. "
        "Use the same names for the same documents."
    )


def test_texts_of_different_lengths() -> None:
    write("long.jsonl", GOOD, length=21)
    assert refused("long.jsonl", "--gold", "key.jsonl") == (
        "long.jsonl: the text of document 'd1' has 21 characters, but 20 in key.jsonl (and 1 more differ). "
        "Use annotations of the same texts."
    )


def test_class_is_another_name_of_concept() -> None:
    line = {"document": "d1", "start": 0, "end": 3}
    Path("class.jsonl").write_text(json.dumps({**line, "class": "car"}) + "\n")
    found = entry("class.jsonl", "--gold", "key.jsonl", "-m", "P")
    assert (found["scores"], found["notes"]) == ({"P": 1.0}, {"response": [], "key": []})
    Path("class.jsonl").write_text(json.dumps({**line, "class": "car", "concept": "car"}) + "\n")
    assert refused("class.jsonl", "--gold", "key.jsonl") == (
        'class.jsonl, line 1: both "concept" and "class", which mean the same. Remove one of them.'
    )
    Path("class.jsonl").write_text(json.dumps({**line, "class": 7}) + "\n")
    assert refused("class.jsonl", "--gold", "key.jsonl") == (
        'class.jsonl, line 1: "class" must be a string, not 7. Correct it.'
    )


def test_annotations_outside_the_text() -> None:
    write("short.jsonl", GOOD, length=8)
    assert refused("short.jsonl", "--gold", "key.jsonl") == (
        "short.jsonl, line 2: the annotation (2 to 9) is outside the text of 8 characters. "
        "Use the text that was annotated."
    )


def test_annotations_without_classes_or_individuals() -> None:
    write("bare.jsonl", {"d1": [(0, 3, None), (4, 8, None)]})
    assert refused("bare.jsonl", "--gold", "key.jsonl", *ON) == (
        "bare.jsonl: no annotation has a class (2 annotations). Set --class-feature to the feature with the class."
    )
    assert refused(*GOOD_BY_KEY, "--by", "instance") == (
        "good.jsonl: no annotation has an instance (3 annotations). Set --instance-feature to the feature "
        "with the instance."
    )


def test_a_feature_or_set_that_is_not_there() -> None:
    gate("doc.xml", {"": [(2, 5, "car")]})
    assert refused("doc.xml", "--gold", "doc.xml", "--class-feature", "Class") == (
        "doc.xml: no annotation has the feature 'Class'. Did you mean 'class'? Features: 'class' (1)."
    )
    assert refused("doc.xml", "--gold-set", "Key", "--set", "") == (
        "doc.xml: no annotation set 'Key'. Sets: '' (default, 1)."
    )


def test_an_ontology_that_knows_no_class() -> None:
    Path("fruit.tsv").write_text("apple\tfruit\n")
    assert refused(*GOOD_BY_KEY, "--ontology", "fruit.tsv") == (
        "no class of good.jsonl is in fruit.tsv: 'bike', 'car'. "
        "Use the ontology of these classes, or none to compare their names."
    )


def test_unknown_classes_are_refused_or_left_out_on_request() -> None:
    write("odd.jsonl", {"d1": [(0, 3, "car"), (4, 8, "plane")], "d2": [(0, 4, "bike")]})
    assert refused("odd.jsonl", "--gold", "key.jsonl", *ON, "--unknown", "error") == (
        "odd.jsonl: 1 class is not in onto.tsv (1 of 3 annotations): 'plane' (once). "
        "Correct the annotations, or use --unknown keep to count them as wrong or --unknown drop to leave them out."
    )
    assert entry("odd.jsonl", "--gold", "key.jsonl", *ON, "-m", "P,R")["scores"] == pytest.approx(
        {"P": 2 / 3, "R": 2 / 3}
    )
    found = entry("odd.jsonl", "--gold", "key.jsonl", *ON, "-m", "P,R", "--unknown", "drop")
    assert found["scores"] == pytest.approx({"P": 1.0, "R": 2 / 3})
    assert run("odd.jsonl", "--gold", "key.jsonl", *ON, "-m", "P", "--unknown", "drop").stderr == (
        "note: odd.jsonl: 1 class is not in onto.tsv (1 of 3 annotations): 'plane' (once); left out\n"
    )


def test_measures_of_labels_are_refused_by_name() -> None:
    message = "scores labels of documents, not spans of text. Use AP, AR or AF, or a corpus of labels."
    assert refused(*GOOD_BY_KEY, *ON, "-m", "P,LabelF(credit=high)") == f"LabelF_high {message}"
    assert refused(*GOOD_BY_KEY, *ON, "-m", "SetRel") == f"SetRel {message}"


def test_labels_where_spans_are_wanted() -> None:
    Path("labels.jsonl").write_text('{"document": "d1", "labels": ["car"]}\n')
    assert refused("labels.jsonl", "--gold", "key.jsonl") == (
        "labels.jsonl: document 'd1' has a label of the whole document, expected a span of text. "
        "Use a corpus of one kind."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "LP"], "LP scores two ontologies, not annotations. See `ontoeval measures`."),
        (["-m", ","], "-m is empty. Name a measure."),
        (["--ontology", "x", "--similarity", "Rada(scale=distance)"],
         "Rada(scale=distance) is not a similarity from 0 to 1. "
         "Use one such as BDM, LA or Flat, or another scale: Rada(scale=similarity)."),
        (["--local", "x.txt"], "x.txt: unknown suffix '.txt' of --local. Use one of: .tsv .csv .json."),
        (["-o", "x.ttl"], f"x.ttl: unknown suffix '.ttl'. Use one of: {SUFFIXES}."),
        (["--fail-under", "AF"], None),
    ],
)  # fmt: skip
def test_wrong_choices_are_refused_before_anything_is_loaded(arguments: list[str], message: str | None) -> None:
    key = ["--gold", "nowhere"]
    if message is None:
        assert "'AF' is neither NAME=VALUE nor a .json file of saved scores. Use e.g. AF=0.7." in refused(
            "nothing", *key, *arguments, code=2
        )
    else:
        assert refused("nothing", *key, *arguments) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no gold standard. Set --gold PATH, or --gold-set NAME if RESPONSE also holds the gold annotations."),
        (
            ["--gold-set", "Key"],
            "--gold-set without --gold needs --set, and one RESPONSE that holds both annotation sets.",
        ),
        (["--gold", "k", "--kb", "http://x/"], "--kb needs --by instance."),
        (["--gold", "k", "--variant", "link-1"], "--variant needs --ontology and --by class."),
        (["--gold", "k", "--unknown", "error"], "--unknown error needs --ontology."),
        (["--gold", "k", "--similarity", "Lin"], "--similarity needs --ontology."),
        (["--gold", "k", "--agreement", "--by", "instance"], "--agreement compares classes. Remove --by instance."),
        (["--gold", "k", "--store-level", "annotations"], "--store-level annotations needs --store or -o FILE.trig."),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together(arguments: list[str], message: str) -> None:
    assert refused("nothing", *arguments, code=2).splitlines() == [message, "Help: ontoeval annotations --help"]


def test_a_variant_that_is_none() -> None:
    assert refused(*GOOD_BY_KEY, *ON, "--variant", "ptop") == (
        "unknown variant 'ptop'. Use link-1, or ptop:FILE with concepts to keep."
    )
    Path("top.txt").write_text("car\nplane\n")
    assert refused(*GOOD_BY_KEY, *ON, "--variant", "ptop:top.txt") == (
        "top.txt, line 2: unknown concept 'plane'. Correct or remove it."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing", "--gold", "nowhere", "--significance"], "--significance needs at least two responses."),
        (["nothing", "--gold", "nowhere", "--baseline", "x"], "--baseline needs at least two responses."),
        (["nothing", "--ontology", "-", "--gold", "-"], "stdin (-) can be used for one input only."),
        (["good.jsonl", "--agreement"], "agreement needs at least two annotators. Name another response."),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(arguments: list[str], message: str) -> None:
    assert refused(*arguments, code=2).startswith(f"{message}\nHelp: ")


# figures of others, through the command


def test_kappa_and_pi_of_beijing_opera(shared_data: Path) -> None:
    data = data_folder(shared_data, "gate-iaa-beijing")
    known = {row["quantity"]: row["value"] for row in tsv_rows(data / "published.tsv") if row["sets"] == "ann1;ann2"}
    found = entry(
        data / "beijing-opera.xml", "--type", "sent", "--class-feature", "Op", "--set", "ann1", "--gold-set",
        "ann2", "-m", "Kappa,Pi",
    )  # fmt: skip
    assert found["scores"]["Kappa"] == pytest.approx(float(known["Cohen kappa"]), abs=5e-8)
    assert found["scores"]["Pi"] == pytest.approx(float(known["Scott pi (Siegel-Castellan)"]), abs=5e-8)
    counts = found["counts"]["Kappa"]
    assert counts["agreed"] / counts["items"] == pytest.approx(float(known["observed agreement"]), abs=5e-8)


def test_annotators_of_beijing_opera(shared_data: Path) -> None:
    """IAA counts a sentence that neither marked as agreed, too: 19 sentences, 9 of them with a value."""
    data = data_folder(shared_data, "gate-iaa-beijing")
    sets = [word for n in (1, 2, 3) for word in ("--set", f"ann{n}")]
    arguments = (data / "beijing-opera.xml", "--type", "sent", "--class-feature", "Op", *sets, "--agreement")
    found = printed_json(*arguments)["agreement"]
    shares = [(pair["agreed"] + 19 - pair["items"]) / 19 for pair in found["pairs"]]
    (told_share,) = [
        row for row in tsv_rows(data / "published.tsv") if row["quantity"].startswith("ceil(100*agreement)")
    ]
    assert math.ceil(100 * sum(shares) / 3) == int(told_share["value"].split(",")[0])


def test_kappa_of_gates_plugin_counts_no_class_as_a_class(shared_data: Path) -> None:
    """Its test has the mean over the pairs, rounded up: agreement 90, kappa 83 (and 82 for a pi of 82.9)."""
    data = data_folder(shared_data, "gate-iaa-beijing")
    sets = [word for n in (1, 2, 3) for word in ("--set", f"ann{n}")]
    arguments = ("agreement", data / "beijing-opera.xml", "--type", "sent", "--class-feature", "Op", *sets)
    found = json.loads(helpers.run(*arguments, "--no-class", "category", "--json").stdout)["agreement"]
    (told,) = [row["value"] for row in tsv_rows(data / "published.tsv") if "ceil(100*agreement)" in row["quantity"]]
    shares = [pair["agreed"] / pair["items"] for pair in found["pairs"]]
    assert [pair["items"] for pair in found["pairs"]] == [19, 19, 19]
    assert [math.ceil(100 * value) for value in (sum(shares) / 3, found["mean"]["Kappa"])] == [90, 83]
    assert told.split(",")[:2] == ["90", "83"]
    assert int(100 * found["mean"]["Pi"]) == int(told.split(",")[2])
    plain = json.loads(helpers.run(*arguments, "--json").stdout)["agreement"]
    assert [pair["items"] for pair in plain["pairs"]] == [9, 9, 9]


def test_what_has_no_class_is_counted_with_a_type_and_left_out_without(shared_data: Path) -> None:
    """19 sentences, 9 of them with the feature, and annotations of other types without it."""
    data = data_folder(shared_data, "gate-iaa-beijing")
    arguments = [
        "annotations", data / "beijing-opera.xml", "--class-feature", "Op", "--set", "ann1", "--gold-set", "ann2",
        "-m", "F",
    ]  # fmt: skip
    shown = helpers.run(*arguments, "--type", "sent", "--json")
    (result,) = json.loads(shown.stdout)["results"]
    assert result["counts"]["F"]["keys"] == result["counts"]["F"]["responses"] == 19
    assert "beijing-opera.xml, set ann2, ann1 (each): 10 annotations without a class; kept" in shown.stderr
    shown = helpers.run(*arguments, "--json")
    (result,) = json.loads(shown.stdout)["results"]
    assert result["counts"]["F"]["keys"] == result["counts"]["F"]["responses"] == 9
    assert "annotations without a class; left out" in shown.stderr


def test_fox_as_gerbil_judges_it(shared_data: Path) -> None:
    data = data_folder(shared_data, "nif-oke-gerbil")
    (known,) = tsv_rows(data / "published.tsv")
    measures = [f"{name}{average}" for average in ("(average=macro)", "") for name in "PRF"]
    found = entry(
        data / "run-FOX.ttl", "--gold", data / "oke2015-task1-example-gold.ttl", "--by", "instance", "--spans",
        "lenient", "--kb", "http://dbpedia.org/resource/", "-m", ",".join(measures),
    )  # fmt: skip
    columns = [f"{average} {name}" for average in ("macro", "micro") for name in ("P", "R", "F1")]
    assert list(found["scores"].values()) == pytest.approx([float(known[column]) for column in columns], abs=5e-11)


def test_ambiguous_classes_and_those_of_another_namespace_are_listed() -> None:
    Path("people.ttl").write_text(
        "@prefix a: <http://a.org/> . @prefix b: <http://b.org/> . "
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "a:Man rdfs:subClassOf a:Person . b:Man rdfs:subClassOf a:Person . a:Woman rdfs:subClassOf a:Person .\n"
    )
    names = ("Man", "http://c.org/Woman", "lady")
    rows = [{"document": "d", "start": 3 * i, "end": 3 * i + 2, "concept": name} for i, name in enumerate(names)]
    Path("same.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ["annotations", "same.jsonl", "--gold", "same.jsonl", "--ontology", "people.ttl", "-m", "F"]
    shown = helpers.run(*arguments).stderr
    assert shown.splitlines() == [
        "warning: same.jsonl: 1 class is not in people.ttl (1 of 3 annotations): 'lady' (once). "
        "Such annotations match nothing: correct them or use a more complete ontology. "
        "--unknown drop leaves them out on both sides, which raises scores.",
        "warning: same.jsonl: 1 class is ambiguous in people.ttl (1 of 3 annotations): "
        "'Man' (once; http://a.org/Man or http://b.org/Man). "
        "Such annotations match nothing: correct them or use a more complete ontology. "
        "--unknown drop leaves them out on both sides, which raises scores.",
        "note: same.jsonl: matched by local name in another namespace: 'http://c.org/Woman'",
    ]
    (result,) = json.loads(helpers.run(*arguments, "--json").stdout)["results"]
    assert result["scores"]["F"] == pytest.approx(1 / 3)
    assert result["taken_by_local_name"] == ["http://c.org/Woman"]
    assert result["unknown_classes"][0]["ambiguous"] == ["http://a.org/Man", "http://b.org/Man"]


def test_a_corpus_of_unknown_format_is_refused_with_the_option_for_it() -> None:
    """The format of the ontology has another option."""
    Path("notes.xyz").write_text("no annotations\n")
    shown = helpers.run("annotations", "notes.xyz", "--gold", "notes.xyz").stderr
    assert shown.startswith("error: notes.xyz: unknown format of annotations (starts 'no annot")
    assert shown.endswith("). Set --corpus-format.\n")
    Path("gold").mkdir()
    write("gold/a.jsonl", KEY)
    Path("gold/README.md").write_text("# Gold\n")
    message = "gold: unknown format of 1 of 2 files: README.md. Remove them, or set --corpus-format to jsonl."
    assert refused("gold", "--gold", "gold") == message
    Path("r.jsonl").write_text('{"document": "d", "start": 0, "end": 5, "concept": "C"}\n')
    shown = helpers.run("annotations", "r.jsonl", "--gold", "notes.xyz").stderr
    assert shown.endswith("). Set --gold-format.\n")


def test_each_side_has_its_own_format() -> None:
    Path("r.jsonl").write_text('{"document": "d", "start": 0, "end": 5, "concept": "C"}\n')
    Path("gold").mkdir()
    Path("gold/d.tsv").write_text("d\t0\t5\tC\n")
    Path("gold/notes.xyz").write_text("no annotations\n")
    arguments = ("annotations", "r.jsonl", "--gold", "gold", "-m", "F", "--json")
    shown = helpers.run(*arguments, "--corpus-format", "jsonl")
    assert shown.stderr == (
        "error: gold: unknown format of 1 of 2 files: notes.xyz. Remove them, or set --gold-format to tsv.\n"
    )
    shown = helpers.run(*arguments, "--corpus-format", "jsonl", "--gold-format", "tsv")
    (result,) = json.loads(shown.stdout)["results"]
    assert result["scores"]["F"] == 1.0
    shown = helpers.run("annotations", "r.jsonl", "--gold-set", "a", "--set", "b", "--gold-format", "tsv")
    assert (shown.exit_code, shown.stderr.splitlines()[0]) == (2, "error: --gold-format needs --gold.")


# populated ontologies

POPULATION = """@prefix : <http://ex.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:herbie a :car ; rdfs:label "Herbie" . :mystery a :van . :penny a :bike . :nobody a :unicorn .
"""
LEARNED = """@prefix : <http://ex.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:herbie a :car . :mystery a :car . :other a :bike ; rdfs:label "penny" . :nobody a :unicorn .
"""


def test_two_populations() -> None:
    Path("gold.ttl").write_text(POPULATION)
    Path("learned.ttl").write_text(LEARNED)
    found = entry("learned.ttl", "--gold", "gold.ttl", *ON, "--similarity", HALF, "-m", "P,R,AP,AR")
    scores = {name.partition("(")[0]: value for name, value in found["scores"].items()}
    # a van that is called a car earns 1/2; an unknown class nothing; classes go by their local names
    assert [scores["AP"], scores["AR"]] == [1.5 / 4, 1.5 / 4]
    assert [one["name"] for one in found["unknown_classes"]] == ["http://ex.org/unicorn"]
    names = entry("learned.ttl", "--gold", "gold.ttl", "-m", "P,R")["scores"]
    assert names == {"P": 2 / 4, "R": 2 / 4}
    by_label = entry("learned.ttl", "--gold", "gold.ttl", "-m", "P,R", "--individuals", "label")["scores"]
    assert by_label == {"P": 2 / 4, "R": 2 / 4}  # penny is found now, and herbie is Herbie
    assert entry("learned.ttl", "--gold", "gold.ttl", "-m", "F", "--by", "instance")["scores"] == {"F": 3 / 4}


def test_single_individuals_as_rdf() -> None:
    Path("gold.ttl").write_text(POPULATION)
    Path("learned.ttl").write_text(LEARNED)
    printed("learned.ttl", "--gold", "gold.ttl", *ON, "-m", "AF", "-o", "x.trig", "--store-level", "annotations")
    [result] = oe.read_scores("x.trig")
    credits = {name: value for name, _, value in result["Credit"].local.all()}
    assert sorted(credits.values())[-1] == 1
    assert any("http://ex.org/herbie" in name for name in credits)
    assert validate("x.trig", "scores").conforms


def test_individuals_without_a_class_are_told() -> None:
    line = {"document": "d", "start": 0, "end": 3, "class": "car", "instance": "http://kb/x"}
    Path("a.jsonl").write_text(json.dumps(line) + "\n")
    Path("b.jsonl").write_text(json.dumps({**line, "class": None, "instance": "http://kb/y"}) + "\n")
    arguments = ("a.jsonl", "--gold", "b.jsonl", "--by", "instance", *ON, "-m", "AF")
    found = entry(*arguments)
    assert (found["scores"], found["individuals_without_class"]) == ({"AF": 0}, ["http://kb/y"])
    assert run(*arguments).stderr == (
        "warning: a.jsonl: no class for 1 of 2 individuals: 'http://kb/y'. Each is similar only to itself.\n"
    )
    Path("a.jsonl").write_text(json.dumps({**line, "class": None}) + "\n")
    assert refused(*arguments) == (
        "BDM needs classes, but no individual has a class in onto.tsv or in an annotation (2 individuals). "
        "Use an ontology with these individuals, set --instances FILE, or use Flat."
    )
