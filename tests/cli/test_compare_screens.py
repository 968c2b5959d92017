"""What `ontoeval compare` shows on a terminal: the screens of the specification, whole, and in other widths."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from helpers import run
from rich.cells import cell_len

WIDTHS = (60, 80, 200)
OBO = "http://purl.obolibrary.org/obo/"


def screen(*arguments: object, columns: int = 80) -> str:
    """What is printed at a width, checked at others: no line is longer, and the scores are the same."""
    shown = {}
    for width in {*WIDTHS, columns}:
        result = run("compare", *arguments, environment={"COLUMNS": str(width)})
        assert result.exit_code == 0, result.stderr
        assert max(map(cell_len, result.stdout.splitlines())) <= width
        shown[width] = result.stdout
    scores = [sorted(re.findall(r"\d\.\d{3}", text)) for text in shown.values()]
    assert scores.count(scores[0]) == len(scores)
    return shown[columns]


# fixtures of Dellschaft & Staab 2006: BMX and coupé have changed places in oc5


@pytest.fixture
def vehicles(fixtures: Path) -> tuple[object, ...]:
    return fixtures / "dellschaft2006" / "oc5.ttl", "--gold", fixtures / "dellschaft2006" / "or2.ttl"


# csc of car and bike: 2 of 3, of BMX and coupé 1 of 2, of the others all: 16/21. sc of car and bike: 3 of 4, of BMX and
# coupé 2 of 3: 5/6. Links: 4 of 6.
ONE = """\
oc5.ttl against or2.ttl
             precision  recall      F
  Concepts       1.000   1.000  1.000  LF      concepts found
  Links          0.667   0.667  0.667  EdgeF   direct links found
  Hierarchy      0.762   0.762  0.762  TF_csc  relatives of common concepts
  Overall        0.833   0.833  0.833  TF_sc   same; missing and novel count
7 common, 0 missing, 0 novel; moved: 0 too high, 0 too low, 2 elsewhere
0 inverted links, 0 cycles
"""


def test_one_run(vehicles: tuple[object, ...]) -> None:
    assert screen(*vehicles) == ONE


def test_the_details_of_one_run(vehicles: tuple[object, ...]) -> None:
    shown = screen(*vehicles, "--explain", "coupé", "--worst", "2", "--errors")
    assert shown == (
        f"{ONE}\n"
        "coupé: tp_csc 0.500, tr_csc 0.500\n"
        "  parents             learned: bike; gold: car\n"
        "  moved               elsewhere\n"
        "  both sides       1  above: root\n"
        "  only learned     1  above: bike\n"
        "  only gold        1  above: car\n"
        "\n"
        "oc5: lowest-scoring concepts\n"
        "  concept     tp     tr  wrong  lost  learned parents  gold parents\n"
        "  BMX      0.500  0.500      1     1  car              bike\n"
        "  coupé    0.500  0.500      1     1  bike             car\n"
        "\n"
        "oc5: 2 moved\n"
        "  links  2 missing, 2 novel (-o errors.json)\n"
        "         between common concepts: 2 missing, 2 novel\n"
        "  moved  learned parent  gold parent  place\n"
        "  BMX    car             bike         elsewhere\n"
        "  coupé  bike            car          elsewhere\n"
        "  0 too high (superconcepts missing), 0 too low (added), 2 elsewhere (both)\n"
    )


def test_all_errors_of_one_run_are_one_table(vehicles: tuple[object, ...], tmp_path: Path) -> None:
    screen(*vehicles, "--errors", "-o", tmp_path / "errors.csv", "-o", tmp_path / "errors.json")
    with (tmp_path / "errors.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = {key: rows[0][key] for key in ("kind", "label", "place", "learned parents", "gold parents")}
    assert names == {
        "kind": "moved concept", "label": "BMX", "place": "elsewhere", "learned parents": "car", "gold parents": "bike",
    }  # fmt: skip
    vehicle = "http://example.org/vehicles#"
    iris = {key: rows[0][key] for key in ("iri", "learned parent iris", "gold parent iris")}
    assert iris == {
        "iri": f"{vehicle}BMX", "learned parent iris": f"{vehicle}car", "gold parent iris": f"{vehicle}bike",
    }  # fmt: skip
    assert [(row["kind"], row["label"], row["to label"]) for row in rows] == [
        ("moved concept", "BMX", "BMX"), ("moved concept", "coupé", "coupé"),
        ("missing link", "BMX", "bike"), ("missing link", "coupé", "car"),
        ("novel link", "BMX", "car"), ("novel link", "coupé", "bike"),
    ]  # fmt: skip
    assert (rows[2]["iri"], rows[2]["to iri"]) == (f"{vehicle}BMX", f"{vehicle}bike")
    errors = json.loads((tmp_path / "errors.json").read_text(encoding="utf-8"))["results"][0]["errors"]
    assert errors["novel_links"][1] == {
        "child": f"{vehicle}coupé", "parent": f"{vehicle}bike", "labels": ["coupé", "bike"],
    }  # fmt: skip
    assert (errors["counts"]["missing_links"], errors["counts"]["novel_links"]) == (2, 2)


def test_inverted_links_and_lost_concepts_are_in_the_table(fixtures: Path, tmp_path: Path) -> None:
    gold = fixtures / "dellschaft2006" / "or2.ttl"
    (tmp_path / "learned.tsv").write_text("van\troot\ncar\tvan\ntruck\tvan\n", encoding="utf-8")  # car below van
    arguments = (tmp_path / "learned.tsv", "--gold", gold, "--match", "name")
    shown = run("compare", *arguments, "--errors", "-f", "csv", environment={"COLUMNS": "80"}).stdout
    rows = [(row["kind"], row["label"], row["to label"], row["place"]) for row in csv.DictReader(io.StringIO(shown))]
    assert sorted(rows) == sorted([
        ("missing concept", "bike", "", ""), ("missing concept", "coupé", "", ""), ("missing concept", "BMX", "", ""),
        ("missing concept", "MTB", "", ""), ("novel concept", "truck", "", ""),
        ("moved concept", "car", "car", "too low"), ("moved concept", "van", "van", "too high"),
        ("inverted link", "car", "van", ""), ("novel link", "car", "van", ""), ("novel link", "van", "root", ""),
        ("novel link", "truck", "van", ""),
        ("missing link", "car", "root", ""), ("missing link", "bike", "root", ""), ("missing link", "van", "car", ""),
        ("missing link", "coupé", "car", ""), ("missing link", "BMX", "bike", ""), ("missing link", "MTB", "bike", ""),
    ])  # fmt: skip


# In or2 bike has BMX and MTB below it, car van and coupé. In `moved` all four are below car.
def test_the_worst_concepts_with_the_same_parents_say_what_they_lost(fixtures: Path, tmp_path: Path) -> None:
    edges = ["car\troot", "bike\troot", "van\tcar", "coupé\tcar", "BMX\tcar", "MTB\tBMX"]
    (tmp_path / "moved.tsv").write_text("\n".join(edges) + "\n", encoding="utf-8")
    gold = fixtures / "dellschaft2006" / "or2.ttl"
    arguments = (tmp_path / "moved.tsv", "--gold", gold, "--match", "name", "--worst", "4")
    # csc of bike: {root} of {root, BMX, MTB}; MTB: {root} of {BMX, car, root} and {bike, root};
    # BMX: {root} of {car, root, MTB} and {bike, root}; car: {root, van, coupé} of these with BMX and MTB
    assert screen(*arguments).partition("\n\n")[2] == (
        "moved.tsv: lowest-scoring concepts\n"
        "  concept     tp     tr  wrong  lost  learned parents  gold parents\n"
        f"  {'─' * 78}\n"
        "  BMX      0.333  0.500      2     1  car              bike\n"
        "  MTB      0.333  0.500      2     1  BMX              bike\n"
        "  bike     1.000  0.333      0     2  root             same; lost below: BMX, …\n"
        "  car      0.600  1.000      2     0  root             same; wrong below: BMX\n"
        f"{'(2)':>58}\n"
    )


def test_relatives_are_told_by_where_they_are_on_each_side(fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "learned.tsv").write_text("van\troot\ncar\tvan\ntruck\tvan\n", encoding="utf-8")
    arguments = (tmp_path / "learned.tsv", "--gold", fixtures / "dellschaft2006" / "or2.ttl", "--match", "name")
    # csc: both sides have root above; van is above car here and below it there, which csc does not tell apart
    assert screen(*arguments, "--explain", "car").partition("\n\n")[2] == (
        "car: tp_csc 1.000, tr_csc 1.000\n"
        "  parents             learned: van; gold: root\n"
        "  moved               too low\n"
        "  both sides       2  above 1: root\n"
        "                      learned above, gold below 1: van\n"
        "  only learned     0\n"
        "  only gold        1  below (1 missing): coupé (missing)\n"
        "  tp_csc and tr_csc do not see direction: above on one side and below on the\n"
        "    other counts as common\n"
    )


def test_other_measures_of_one_run(vehicles: tuple[object, ...]) -> None:
    assert screen(*vehicles, "-m", "TF_csc,Concepts") == (
        "oc5.ttl against or2.ttl\n"
        "  TF_csc    0.762  Taxonomic F-measure (extract=csc, over=common)\n"
        "  Concepts      7  Number of concepts\n"
        "7 common, 0 missing, 0 novel; moved: 0 too high, 0 too low, 2 elsewhere\n"
        "0 inverted links, 0 cycles\n"
    )


def test_intervals_of_one_run(vehicles: tuple[object, ...]) -> None:
    lines = screen(*vehicles, "--intervals").splitlines()
    assert lines[2] == "  Concepts   1.000 [1.000, 1.000]  1.000 [1.000, 1.000]  1.000 [1.000, 1.000]"
    assert re.fullmatch(r"  Hierarchy(?:  0\.762 \[0\.\d{3}, [01]\.\d{3}\]){3}", lines[4])
    assert lines[-1] == "LF concepts, EdgeF links, TF_csc hierarchy, TF_sc overall"


def test_several_runs(fixtures: Path) -> None:
    folder = fixtures / "dellschaft2006"
    files = [folder / f"{name}.ttl" for name in ("oc4", "oc5", "or2")]
    # links of oc4: 2 of 6; csc 11/21, sc 2/3 (Dellschaft & Staab 2006, Tables 6 and 7)
    table = (
        "        LF     EdgeF   TF_csc  TF_sc   common  missing  novel\n"
        "  oc4   1.000  0.333   0.524   0.667        7        0      0\n"
        "  oc5   1.000  0.667   0.762   0.833        7        0      0\n"
        "  or2   1.000  1.000*  1.000*  1.000*       7        0      0\n"
        "LF concepts, EdgeF links, TF_csc hierarchy, TF_sc overall\n"
    )
    assert screen(*files, "--gold", files[-1]) == f"3 runs against or2.ttl (* best)\n{table}"
    lines = screen(*files, "--gold", files[-1], "--significance", "--rounds", "99").splitlines()
    assert lines[0] == "3 runs against or2.ttl (* best; letters: better than, p < .05)"
    assert [line.split()[:2] for line in lines[2:5]] == [["a", "oc4"], ["b", "oc5"], ["c", "or2"]]
    # the differences of the values above: LF, EdgeF, TF_csc (11/21, 16/21 and 1), TF_sc. Of 7 concepts 6 have a link
    assert lines[7:9] == [
        "Paired randomisation: 6 to 7 concepts, 99 rounds, Holm-corrected p",
        "  difference      LF       p    EdgeF       p   TF_csc       p    TF_sc       p",
    ]
    assert [line.split()[3::2] for line in lines[9:]] == [
        ["0.0000", "-0.3333", "-0.2381", "-0.1667"],
        ["0.0000", "-0.6667", "-0.4762", "-0.3333"],
        ["0.0000", "-0.3333", "-0.2381", "-0.1667"],
    ]


def test_every_measure_that_was_named_is_a_column(fixtures: Path) -> None:
    folder = fixtures / "dellschaft2006"
    runs = (folder / "oc1.ttl", folder / "oc2.ttl", "--gold", folder / "or1.ttl")
    assert screen(*runs, "-m", "LP,LR,LF") == (
        "2 runs against or1.ttl (* best)\n"
        "        LP      LR     LF      common  missing  novel\n"
        "  oc1   0.667   0.800  0.727        4        1      2\n"  # 4 of 6 concepts, 4 of 5
        "  oc2   1.000*  0.800  0.889*       4        1      0\n"  # 4 of 4, 4 of 5
    )


def test_intervals_and_tests_of_few_concepts_are_remarked(fixtures: Path) -> None:
    """6 concepts have a link, 7 a name: 2 / 2^6 is below .05, but 10 rounds give 1/11 at least."""
    folder = fixtures / "dellschaft2006"
    arguments = (folder / "oc4.ttl", folder / "oc5.ttl", "--gold", folder / "or2.ttl", "--significance")
    assert run("compare", *arguments, "--rounds", 100).stderr == ""
    assert run("compare", *arguments, "--rounds", 10, "--intervals").stderr == (
        "warning: intervals from 6 to 7 concepts are unreliable (fewer than 10)\n"
        "note: 10 rounds cannot reach p < 0.05 (smallest exact p 0.0909)\n"
    )


def test_a_narrow_terminal_has_runs_as_columns(fixtures: Path) -> None:
    folder = fixtures / "dellschaft2006"
    files = [folder / f"{name}.ttl" for name in ("oc4", "oc5")]
    assert screen(*files, "--gold", folder / "or2.ttl", columns=50) == (
        "2 runs against or2.ttl (* best)\n"
        "            oc4    oc5\n"
        "  LF        1.000  1.000\n"
        "  EdgeF     0.333  0.667*\n"
        "  TF_csc    0.524  0.762*\n"
        "  TF_sc     0.667  0.833*\n"
        "  common        7      7\n"
        "  missing       0      0\n"
        "  novel         0      0\n"
        "LF concepts, EdgeF links, TF_csc hierarchy, TF_sc\n"
        "overall\n"
    )


# the files of the specification, with the pictures that it shows


@pytest.fixture
def environment(shared_data: Path) -> tuple[Path, tuple[object, ...]]:
    texeval = shared_data / "texeval" / "2016"
    gold = texeval / "gold" / "environment_eurovoc.taxo"
    return texeval / "runs-EN", ("--gold", gold, "--normalize", "case")


def test_a_real_run_with_its_errors(environment: tuple[Path, tuple[object, ...]]) -> None:
    runs, options = environment
    shown = screen(runs / "environment_eurovoc.TAXI.taxo", *options, "--errors", "--top", "1")
    assert shown == (
        "TAXI.taxo against environment_eurovoc.taxo\n"
        "             precision  recall      F\n"
        "  Concepts       0.993   0.563  0.719  LF      concepts found\n"
        "  Links          0.338   0.268  0.299  EdgeF   direct links found\n"
        "  Hierarchy      0.557   0.660  0.604  TF_csc  relatives of common concepts\n"
        "  Overall        0.633   0.371  0.468  TF_sc   same; missing and novel count\n"
        "147 common, 114 missing, 1 novel; moved: 25 too high, 24 too low, 45 elsewhere\n"
        "2 inverted links, 0 cycles\n"
        "\n"
        "TAXI: 114 missing, 1 novel, 94 moved, 2 inverted links\n"
        "  missing              degradation of the environment, … 113 more\n"
        "  novel                accidental pollution\n"
        "  inverted             protection of animal life < protection of animals,\n"
        "                       … 1 more (as learned)\n"
        "  links                191 missing, 137 novel (-o errors.csv)\n"
        "                       between common concepts: 63 missing, 135 novel\n"
        "  moved                learned parent  gold parent           place\n"
        "  aquatic environment  environment     physical environment  too high\n"
        "  … 93 more (--top 0, or -o errors.csv)\n"
        "  25 too high (superconcepts missing), 24 too low (added), 45 elsewhere (both)\n"
    )


def test_three_real_runs_with_letters(environment: tuple[Path, tuple[object, ...]]) -> None:
    runs, options = environment
    files = [runs / f"environment_eurovoc.{name}.taxo" for name in ("QASSIT", "TAXI", "USAAR")]
    result = run("compare", *files, *options, "--significance", environment={"COLUMNS": "80"})
    assert result.stdout.partition("\n\n")[0] + "\n" == (
        "3 runs against environment_eurovoc.taxo (* best; letters: better than, p < .05)\n"
        "             LF        EdgeF     TF_csc   TF_sc     common  missing  novel\n"
        "  a QASSIT   0.996*bc  0.173     0.557    0.657*bc     260        1      1\n"
        "  b TAXI     0.719 c   0.299*ac  0.604*a  0.468 c      147      114      1\n"
        "  c USAAR    0.351     0.247 a   0.581    0.181         56      205      2\n"
        "LF concepts, EdgeF links, TF_csc hierarchy, TF_sc overall\n"
    )


@pytest.mark.slow
def test_a_real_concept_explained(shared_data: Path) -> None:
    older, newer = (shared_data / "doid" / f"DiseaseOntology_{day}.obo.gz" for day in ("2014.10.13", "2019.03.07"))
    shown = run("compare", older, "--gold", newer, "--explain", "carcinoma", environment={"COLUMNS": "80"}).stdout
    assert shown.partition("\n\n")[2] == (
        "carcinoma: tp_csc 0.897, tr_csc 0.062\n"
        "  parents             learned: cell type cancer; gold: cell type cancer\n"
        "  moved               no\n"
        "  both sides      35  above 4: cancer, cell type cancer, disease, …\n"
        "                      below 31: acinar cell carcinoma, adenocarcinoma, …\n"
        "  only learned     4  below: cystadenocarcinoma, mucinous cystadenocarcinoma, …\n"
        "  only gold      561  below (33 missing): Barrett's adenocarcinoma, …\n"
    )


# lists


@pytest.fixture
def wide(tmp_path: Path) -> tuple[object, ...]:
    """Twelve leaves of which the learned side has the first eleven, in another order below x, and three of its own."""
    gold = "".join(f"leaf number {n:02}\troot\n" for n in range(12))
    learned = "x\troot\n" + "".join(f"leaf number {n:02}\tx\n" for n in range(11))
    learned += "".join(f"{name}\troot\n" for name in ("日本語", "b", "http://example.org/things#Thing"))
    (tmp_path / "gold.tsv").write_text(gold, encoding="utf-8")
    (tmp_path / "learned.tsv").write_text(learned, encoding="utf-8")
    return tmp_path / "learned.tsv", "--gold", tmp_path / "gold.tsv"


def test_lists_are_cut_and_folded(wide: tuple[object, ...]) -> None:
    assert screen(*wide, "--explain", "root").partition("\n\n")[2] == (
        "root: tp_csc 1.000, tr_csc 1.000\n"
        "  parents             learned: none; gold: none\n"
        "  moved               no\n"
        "  both sides      11  below: leaf number 00, leaf number 01, leaf number 02, …\n"
        "  only learned     4  below (4 novel): Thing (novel), b (novel), x (novel), …\n"
        "  only gold        1  below (1 missing): leaf number 11 (missing)\n"
    )
    everything = screen(*wide, "--explain", "root", "--top", "0")
    assert all(f"leaf number {n:02}" in everything for n in range(12))
    assert "…" not in everything
    two = screen(*wide, "--explain", "root", "--top", "2")
    assert "  both sides      11  below: leaf number 00, leaf number 01, … 9 more\n" in two
    five = screen(*wide, "--explain", "root", "--top", "5")
    assert (
        "  both sides      11  below: leaf number 00, leaf number 01, leaf number 02,\n"
        "                      leaf number 03, leaf number 04, … 6 more\n"
    ) in five
    ten = screen(*wide, "--explain", "root", "--top", "10")  # the same number as for other lists, asked for
    assert "leaf number 09, … 1 more\n" in ten


def test_a_concept_without_a_label_is_called_by_its_curie(tmp_path: Path) -> None:
    head = "@prefix : <http://example.org/things#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    gold = ':a a skos:Concept ; skos:prefLabel "Apfel"@de . :b a skos:Concept ; skos:prefLabel "bread"@en .\n'
    (tmp_path / "gold.ttl").write_text(head + gold)
    (tmp_path / "learned.ttl").write_text(head + ':b a skos:Concept ; skos:prefLabel "bread"@en .\n')
    shown = screen(tmp_path / "learned.ttl", "--gold", tmp_path / "gold.ttl", "--errors", "--lang", "en")
    assert "  missing  (root), things:a\n" in shown


def test_merged_concepts_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    term = "[Term]\nid: X:{0}\nname: {0}\n{1}\n"
    old = term.format(1, "") + term.format(2, "is_a: X:1\n") + term.format(3, "is_a: X:1\n")
    new = term.format(1, "") + term.format(2, "is_a: X:1\nalt_id: X:3\n")
    for name, text in (("old.obo", old), ("new.obo", new)):
        (tmp_path / name).write_text(f"format-version: 1.4\n\n{text}")
    monkeypatch.chdir(tmp_path)
    assert run("compare", "new.obo", "--gold", "old.obo", "--match", "iri").stderr == (
        "note: new.obo: the id of 1 missing concept is an alternative id in new.obo, which merged it: "
        "e.g. X:3 is now X:2; --errors -o errors.csv lists all\n"
    )
    assert run("compare", "old.obo", "--gold", "new.obo", "--match", "iri").stderr == (
        "note: old.obo: the id of 1 novel concept is an alternative id in new.obo, which merged it: "
        "e.g. X:3 is now X:2; --errors -o errors.csv lists all\n"
    )
    target = {"iri": f"{OBO}X_2", "label": "2"}
    for files, kind in (("new.obo", "old.obo"), "missing concept"), (("old.obo", "new.obo"), "novel concept"):
        arguments = (files[0], "--gold", files[1], "--match", "iri")
        shown = csv.DictReader(io.StringIO(run("compare", *arguments, "--errors", "-f", "csv").stdout))
        rows = [(row["iri"], row["to iri"], row["to label"]) for row in shown if row["kind"] == kind]
        assert rows == [(f"{OBO}X_3", target["iri"], target["label"])]
        errors = json.loads(run("compare", *arguments, "--errors", "--json").stdout)["results"][0]["errors"]
        assert [entry.get("merged_into") for entry in errors[kind.split()[0]]] == [target]
        assert "  merged into         X:2 (2), which has its id as an alternative one\n" in screen(
            *arguments, "--explain", "X:3"
        )
        (explained,) = json.loads(run("compare", *arguments, "--explain", "X:3", "--json").stdout)["results"][0][
            "explain"
        ]
        assert explained["merged_into"] == {**target, "common": True}
        assert explained["moved"] is None


RENAMED = {"disease": "disorder", "tumor": "neoplasm"}


@pytest.fixture
def renamed(tmp_path: Path) -> tuple[object, ...]:
    """Two releases: two concepts have new labels, and c is below b here and below a there."""
    links = {"new": "a<top b<top c<b d<b", "old": "a<top b<top c<a d<b e<b"}
    labels = {"top": "top", "a": "disease", "b": "tumor", "c": "carcinoma", "d": "sarcoma", "e": "glioma"}
    for file, texts in links.items():
        names = {key: RENAMED.get(text, text) if file == "new" else text for key, text in labels.items()}
        parents = dict(link.split("<") for link in texts.split())
        terms = (
            f"[Term]\nid: X:{key}\nname: {names[key]}\n" + (f"is_a: X:{parents[key]}\n" if key in parents else "")
            for key in ("top", *parents)
        )
        (tmp_path / f"{file}.obo").write_text("format-version: 1.4\n\n" + "\n".join(terms))
    return tmp_path / "new.obo", "--gold", tmp_path / "old.obo", "--match", "iri"


def test_a_renamed_concept_has_one_name_on_the_terminal(renamed: tuple[object, ...]) -> None:
    shown = screen(*renamed, "--errors", "--worst", "3", "--explain", "X:c", "--explain", "X:d").partition("\n\n")[2]
    assert shown == (
        "carcinoma: tp_csc 0.500, tr_csc 0.500\n"
        "  parents             learned: neoplasm; gold: disorder\n"
        "  moved               elsewhere\n"
        "  both sides       1  above: top\n"
        "  only learned     1  above: neoplasm\n"
        "  only gold        1  above: disorder\n"
        "\n"
        "sarcoma: tp_csc 1.000, tr_csc 1.000\n"
        "  parents             learned: neoplasm; gold: neoplasm\n"
        "  moved               no\n"
        "  both sides       2  above: neoplasm, top\n"
        "  only learned     0\n"
        "  only gold        0\n"
        "\n"
        "new: lowest-scoring concepts\n"
        "  concept       tp     tr  wrong  lost  learned parents  gold parents\n"
        f"  {'─' * 78}\n"
        "  carcinoma  0.500  0.500      1     1  neoplasm         disorder\n"
        "  disorder   1.000  0.500      0     1  top              same; lost below:\n"
        f"{'carcinoma':>66}\n"
        "  neoplasm   0.667  1.000      1     0  top              same; wrong below:\n"
        f"{'carcinoma':>66}\n"
        "\n"
        "new: 1 missing, 1 moved\n"
        "  missing    glioma\n"
        "  links      2 missing, 1 novel (-o errors.json)\n"
        "             between common concepts: 1 missing, 1 novel\n"
        "  moved      learned parent  gold parent  place\n"
        "  carcinoma  neoplasm        disorder     elsewhere\n"
        "  0 too high (superconcepts missing), 0 too low (added), 1 elsewhere (both)\n"
    )


def test_spreadsheets_have_the_labels_of_each_file_and_the_iris(renamed: tuple[object, ...]) -> None:
    def rows(*options: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(run("compare", *renamed, *options, "-f", "csv").stdout)))

    (moved,) = [row for row in rows("--errors") if row["kind"] == "moved concept"]
    carcinoma = rows("--worst", "1")[0]
    for row in (moved, carcinoma):
        assert (row["learned parents"], row["gold parents"]) == ("neoplasm", "disease")
        assert (row["learned parent iris"], row["gold parent iris"]) == (f"{OBO}X_b", f"{OBO}X_a")


def test_steps_of_matching_are_counted_if_several_matched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.obo").write_text("[Term]\nid: X:1\nname: one\n\n[Term]\nid: X:2\nname: two\nis_a: X:1\n")
    (tmp_path / "b.obo").write_text("[Term]\nid: X:1\nname: one\n\n[Term]\nid: X:3\nname: two\nis_a: X:1\n")
    assert run("compare", "a.obo", "--gold", "b.obo").stderr == "note: a.obo: matched: 1 by IRI, 1 by label\n"
    assert run("compare", "a.obo", "--gold", "a.obo").stderr == ""
