"""`ontoeval relate` and `ontoeval nearest`, as a user meets them."""

from __future__ import annotations

import csv
import io
import json
import math
import signal
from itertools import pairwise
from pathlib import Path
from typing import Any

import helpers
import numpy as np
import pytest
from click.testing import Result
from helpers import refused, squeezed

import ontoeval as oe
from ontoeval.analysis import write_matrix as allpairs
from ontoeval.load import read_bdm

V = "http://example.org/vehicles#"
# OR1: root > car, bike; car > van, coupé. All by hand: br is 2 and 2, chains are 1, 2 and 2 edges long, so that for van
# and coupé X = 1 * 1 / (5/3) = 0.6 and BDM = 0.6 / (0.6 + 1/2 + 1/2); hypo(car) + 1 = 3 of 5.
BDM = 0.375
IC_CAR = 1 - math.log(3) / math.log(5)
# two concepts are called bank; river and money are apart but for the top
BANKS = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:top a owl:Class .
:water rdfs:subClassOf :top ; rdfs:label "water" . :river rdfs:subClassOf :water ; rdfs:label "river" .
:bank1 rdfs:subClassOf :water ; rdfs:label "bank" . :shop rdfs:subClassOf :top ; rdfs:label "shop" .
:bank2 rdfs:subClassOf :shop ; rdfs:label "bank" . :bakery rdfs:subClassOf :shop ; rdfs:label "bakery" .
"""


def run(*arguments: object, stdin: str | None = None, width: int = 100) -> Result:
    return helpers.run(*arguments, stdin=stdin, environment={"COLUMNS": str(width)})


@pytest.fixture
def or1(fixtures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    (tmp_path / "or1.ttl").write_bytes((fixtures / "dellschaft2006" / "or1.ttl").read_bytes())
    monkeypatch.chdir(tmp_path)
    return "--ontology", "or1.ttl"


@pytest.fixture
def banks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    (tmp_path / "banks.ttl").write_text(BANKS)
    monkeypatch.chdir(tmp_path)
    return "--ontology", "banks.ttl"


def document(*arguments: object) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    assert "Infinity" not in result.stdout
    assert "NaN" not in result.stdout
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def table(text: str, separator: str = "\t") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=separator))


# A pair


def test_a_pair_by_default(or1: tuple[str, str]) -> None:
    lc = (math.log(2 * 3) - math.log(3)) / math.log(2 * 3)  # D is 3 nodes
    result = run("relate", "van", f"{V}coupé", *or1, "-m", "BDM,LA,Rada,LC", width=80)
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout
        == f"""\
van and coupé in or1.ttl
  measure  value
  BDM      0.375
  LA       0.333
  Rada     0.333
  LC       {lc:.3f}
"""
    )


def test_a_pair_with_reasons(or1: tuple[str, str]) -> None:
    result = run("relate", "van", "coupé", *or1, "--explain")
    assert (result.exit_code, result.stderr) == (0, "")
    found = squeezed(result.stdout)
    assert found[0] == "van and coupé in or1.ttl"
    assert found[1:3] == [f"left van {V}van", f"right coupé {V}coupé"]
    assert "measure value why" in found
    # 1 / 3: CP 1, FP 2, DP 1; d 2; 2 (1 + 1) / (1 + 1 + 4); 1 - (2 - 2 IC) / 2
    lc = (math.log(2 * 3) - math.log(3)) / math.log(2 * 3)  # D is 3 nodes
    assert [
        line for line in found if line.split()[:1] and line.split()[0] in ("BDM", "LA", "Rada", "LC", "WP", "Lin")
    ] == [
        "BDM 0.375 MSCA car, CP 1, DPK 1, DPR 1, n0 1.667, n(K) 2, n(R) 2, BR 1",
        "LA 0.333 MSCA car, CP 1, FP 2, DP 1",
        "Rada 0.333 d 2, van < car > coupé",
        f"LC {lc:.3f} d 2, van < car > coupé, D 3",
        "WP 0.667 ancestor car, depth 1, up(left) 1, up(right) 1",
        f"Lin {IC_CAR:.3f} MICA car, IC(MICA) {IC_CAR:.3f}, IC(left) 1, IC(right) 1",
    ]


def test_below_a_table_stands_how_the_numbers_were_made(or1: tuple[str, str]) -> None:
    shown = run("relate", "van", "coupé", *or1, "-m", "Lin,LC", "--explain", width=120).stdout.split("\n\n")[-1]
    text = " ".join(shown.split())
    assert (
        "Lin(ic=seco, smoothing=none, leaf_itself=false): Similarity of Lin: 2 IC(mica(a, b)) / (IC(a) + IC(b))" in text
    )
    assert "LC(scale=unit, depth=shortest, unit=nodes, edges=similarity, paths=any, root_paths=true): " in text
    assert "IC(c) = 1 - ln(hypo(c) + 1) / ln(N), in [0, 1]." in text
    assert text.endswith(f"Root: the ontology's own: {V}root; 5 concepts; weights of links: hierarchical 1.")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_definitions_keep_to_the_terminal(or1: tuple[str, str], width: int) -> None:
    shown = run("relate", "van", "coupé", *or1, "--explain", width=width).stdout
    assert "BDM(msca=best)" in shown
    assert max(map(len, shown.splitlines())) <= width


def test_json_of_a_pair(or1: tuple[str, str]) -> None:
    found = document("relate", "van", "coupé", *or1, "-m", "BDM", "-m", "Rada(scale=distance)")
    assert found["ontology"] == "or1.ttl"
    (entry,) = found["results"]
    assert (entry["left"], entry["right"], entry["given"]) == (V + "van", V + "coupé", ["van", "coupé"])
    assert entry["scores"] == {"BDM": pytest.approx(BDM, abs=1e-15), "Rada(scale=distance)": 2.0}
    assert entry["why"]["BDM"] == {
        "left": V + "van", "right": V + "coupé", "MSCA": V + "car", "CP": 1, "DPK": 1, "DPR": 1,
        "n0": pytest.approx(5 / 3), "n(K)": 2.0, "n(R)": 2.0, "BR": 1.0,
    }  # fmt: skip
    assert entry["why"]["Rada(scale=distance)"]["path"] == [V + "van", V + "car", V + "coupé"]
    said = found["definitions"]["Rada(scale=distance)"]
    assert said["measure"] == "Rada(scale=distance, edges=similarity, paths=any, root_paths=true)"
    assert said["weights"] == {"hierarchical": [1.0]}
    assert said["root"] == f"the ontology's own: {V}root"


def test_infinite_and_undefined_in_json_and_tables(tmp_path: Path) -> None:
    path = tmp_path / "two.tsv"
    path.write_text("b\ta\nd\tc\n")
    found = document(
        "relate", "a", "c", "--ontology", path, "--root", "none", "-m", "Rada(scale=distance),LC(scale=raw)"
    )
    assert found["results"][0]["scores"] == {"Rada(scale=distance)": "inf", "LC(scale=raw)": "-inf"}
    shown = run("relate", "a", "c", "--ontology", path, "--root", "none", "-m", "Rada(scale=distance),BDM",
                "--explain")  # fmt: skip
    assert "Rada(scale=distance) inf d inf, no path" in squeezed(shown.stdout)
    assert "BDM 0.000 no MSCA, n0 1, n(K) 1, n(R) 1" in squeezed(shown.stdout)
    flat = tmp_path / "flat.ttl"
    flat.write_text("".join(f"<http://e/{c}> a <http://www.w3.org/2002/07/owl#Class> . " for c in "ab"))
    none = ("--ontology", flat, "--root", "none", "-m", "LC(scale=raw, unit=edges)")
    assert list(document("relate", "a", "b", *none)["results"][0]["scores"].values()) == [None]
    assert [
        row["LC(scale=raw, unit=edges)"] for row in table(run("relate", "a", "b", *none, "--format", "tsv").stdout)
    ] == [""]
    assert "LC(scale=raw, unit=edges) –" in " ".join(run("relate", "a", "b", *none).stdout.split())


def test_concepts_by_iri_curie_name_and_label(or1: tuple[str, str]) -> None:
    for name in (V + "van", "vehicles:van", "van", "VAN"):
        assert document("relate", name, "coupé", *or1, "-m", "BDM")["results"][0]["left"] == V + "van"


def test_left_is_judged_and_right_is_the_key(or1: tuple[str, str]) -> None:
    def value(left: str, right: str) -> float:
        return document("relate", left, right, *or1, "-m", "LA")["results"][0]["scores"]["LA"]

    assert value("car", "van") == 1.0  # a prediction above the key
    assert value("van", "car") == pytest.approx(1 / 3)


def test_of_several_senses_the_best_pair_counts(banks: tuple[str, str]) -> None:
    found = document("relate", "bank", "bakery", *banks, "-m", "Rada")["results"][0]
    assert (found["left"], found["scores"]["Rada"]) == ("http://ex.org/bank2", pytest.approx(1 / 3))
    found = document("relate", "bank", "bakery", *banks, "-m", "Rada", "--senses", "first")["results"][0]
    assert (found["left"], found["scores"]["Rada"]) == ("http://ex.org/bank1", pytest.approx(1 / 5))  # over the top
    far = document("relate", "bank", "bakery", *banks, "-m", "Rada(scale=distance)")["results"][0]
    assert (far["left"], far["scores"]["Rada(scale=distance)"]) == ("http://ex.org/bank2", 2.0)
    plain = run("relate", "bank", "bakery", *banks, "-m", "Rada")
    assert squeezed(plain.stdout) == ["bank and bakery in banks.ttl", "measure value", "Rada 0.333"]
    assert plain.stderr == "note: 2 concepts have the name 'bank'; the best pair is used (--explain shows it)\n"
    shown = squeezed(run("relate", "bank", "bakery", *banks, "-m", "Rada", "--explain").stdout)
    assert shown[1:3] == [
        "left bank http://ex.org/bank2 one of 2 concepts with the name 'bank'",
        "right bakery http://ex.org/bakery",
    ]


def test_measures_may_take_different_senses(tmp_path: Path) -> None:
    # x near the top is nearer by edges, x deep down is more alike by depth
    path = tmp_path / "x.ttl"
    links = ["y1 top", "x1 y1", "a top", "b a", "c b", "d c", "y2 d", "x2 y2", "e x2"]
    text = "".join(f"<http://e/{c}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/{p}> . "
                   for c, p in map(str.split, links))  # fmt: skip
    for name in ("x1", "x2"):
        text += f'<http://e/{name}> <http://www.w3.org/2000/01/rdf-schema#label> "x" . '
    for name in ("y1", "e"):
        text += f'<http://e/{name}> <http://www.w3.org/2000/01/rdf-schema#label> "y" . '
    path.write_text(text)
    # Rada: 1 edge either way, the first pair counts; LA(x1, y1) = 1 / 3, LA(x2, e) = 1
    shown = squeezed(run("relate", "x", "y", "--ontology", path, "-m", "Rada,LA", "--explain").stdout)
    assert "left x http://e/x2 one of 2 concepts with the name 'x', for LA" in shown
    found = document("relate", "x", "y", "--ontology", path, "-m", "Rada,LA")["results"][0]
    assert (found["why"]["LA"]["left"], found["why"]["LA"]["right"]) == ("http://e/x2", "http://e/e")


def test_long_paths_are_cut_but_not_where_they_turn(tmp_path: Path) -> None:
    path = tmp_path / "long.tsv"
    left, right = [*"abcde", "top"], [*"vwxyz", "top"]
    path.write_text("".join(f"{c}\t{p}\n" for side in (left, right) for c, p in pairwise(side)))
    shown = run("relate", "a", "v", "--ontology", path, "-m", "Rada", "--explain").stdout
    assert "Rada 0.091 d 10, a < b < ... < top > ... > w > v" in squeezed(shown)


def test_other_kinds_of_edges_in_a_path(tmp_path: Path) -> None:
    path = tmp_path / "kinds.ttl"
    skos = "@prefix : <http://e/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    names = "".join(f':{n} a skos:Concept ; skos:prefLabel "{n}" . ' for n in ("top", "a", "b", "c"))
    path.write_text(
        skos + names + ":a skos:broader :top . :c skos:broader :top . :a skos:related :b . :b skos:exactMatch :c ."
    )
    shown = run(
        "relate", "a", "c", "--ontology", path, "-m", "Rada(edges=relatedness, scale=distance)", "--explain"
    ).stdout
    assert "d 1, a ~ b = c" in " ".join(shown.split())


def test_layouts_of_a_pair(or1: tuple[str, str]) -> None:
    pair = ("relate", "van", "coupé", *or1, "-m", "BDM")
    assert run(*pair, "--format", "markdown").stdout.splitlines()[2] == "| BDM | 0.375 |"
    explained = run(*pair, "--format", "markdown", "--explain").stdout.splitlines()[2]
    assert explained.startswith("| BDM | 0.375 | MSCA car, CP 1")
    assert "BDM & 0.375 & MSCA car" in run(*pair, "--format", "latex", "--explain").stdout
    for layout, separator in (("tsv", "\t"), ("csv", ",")):
        result = run(*pair, "--format", layout)
        (row,) = table(result.stdout, separator)
        assert list(row.items())[:2] == [("left", "van"), ("right", "coupé")]
        assert float(row["BDM"]) == pytest.approx(BDM, abs=1e-15)
        assert result.stderr == ""


# Pairs of a file

PAIRS = "left,right,rating\nvan,coupé,3.5\ncar,van,1\nbike,van,0.25\n"


def test_pairs_of_a_file(or1: tuple[str, str]) -> None:
    Path("pairs.csv").write_text(PAIRS)
    result = run("relate", "--pairs", "pairs.csv", *or1, "-m", "BDM", "-m", "LA")
    assert (result.exit_code, result.stderr) == (0, "")
    found = squeezed(result.stdout)
    # BDM(car, van) = 0.6 / (0.6 + 1/2)
    assert found[:2] == ["3 pairs of or1.ttl", "left right rating BDM LA"]
    assert found[2:5] == ["van coupé 3.500 0.375 0.333", "car van 1.000 0.545 1.000", "bike van 0.250 0.000 0.000"]
    rows = table(run("relate", "--pairs", "pairs.csv", *or1, "-m", "BDM", "--format", "tsv").stdout)
    assert [float(row["BDM"]) for row in rows] == pytest.approx([BDM, 6 / 11, 0], abs=1e-15)
    assert [row["rating"] for row in rows] == ["3.5", "1.0", "0.25"]
    assert (
        r"van & coup\'{e} & 3.500 & 0.375 \\"
        in run("relate", "--pairs", "pairs.csv", *or1, "-m", "BDM", "--format", "latex").stdout
    )
    rounded = run("relate", "--pairs", "pairs.csv", *or1, "-m", "BDM", "--format", "markdown", "--digits", 1).stdout
    assert "| car | van | 1.0 | 0.5 |" in rounded


def test_without_a_measure_the_default_ones(or1: tuple[str, str]) -> None:
    Path("pairs.tsv").write_text("van\tcoupé\n")
    (row,) = table(run("relate", "--pairs", "pairs.tsv", *or1, "--format", "csv").stdout, ",")
    assert list(row) == ["left", "right", "BDM", "LA", "Rada", "LC", "WP", "Resnik", "Lin", "JC"]
    assert float(row["Lin"]) == pytest.approx(IC_CAR)


def test_why_of_every_pair(or1: tuple[str, str]) -> None:
    Path("pairs.csv").write_text(PAIRS)
    asked = ("relate", "--pairs", "pairs.csv", *or1, "-m", "BDM,Rada", "--explain")
    first, _, third = table(run(*asked, "--format", "tsv").stdout)
    assert first["BDM MSCA"] == V + "car"
    assert (first["BDM CP"], first["BDM DPK"], first["BDM DPR"], first["BDM n(K)"]) == ("1", "1", "1", "2.0")
    assert third["Rada path"] == f"{V}bike {V}root {V}car {V}van"
    assert "bike < root > car > van" in " ".join(run(*asked, width=200).stdout.split())
    found = document(*asked)["results"]
    assert found[0]["why"]["BDM"]["MSCA"] == V + "car"
    assert found[0]["rating"] == 3.5
    assert "why" not in document("relate", "--pairs", "pairs.csv", *or1, "-m", "BDM")["results"][0]


def test_why_says_which_sense_was_taken(banks: tuple[str, str]) -> None:
    Path("pairs.tsv").write_text("bank\tbakery\nbank\triver\n")
    rows = table(run("relate", "--pairs", "pairs.tsv", *banks, "-m", "Rada", "--explain", "--format", "tsv").stdout)
    assert [row["Rada left"] for row in rows] == ["http://ex.org/bank2", "http://ex.org/bank1"]
    assert [float(row["Rada"]) for row in rows] == pytest.approx([1 / 3, 1 / 3])
    shown = squeezed(run("relate", "--pairs", "pairs.tsv", *banks, "-m", "Rada", "--explain", width=150).stdout)
    assert "bank river 0.333 left ex.org:bank1, right ex.org:river, d 2, bank < water > river" in shown


def test_unknown_concepts_in_a_file(or1: tuple[str, str]) -> None:
    Path("pairs.tsv").write_text("# rated\nvan\tcoupé\nvan\tcoupe\nboat\tship\nvan\tcar\n")
    asked = ("relate", "--pairs", "pairs.tsv", *or1, "-m", "BDM")
    message = refused(*asked)
    assert message == (
        "pairs.tsv, line 3: unknown concept 'coupe'. Did you mean 'coupé'? Correct it, or set --unknown drop."
    )
    result = run(*asked, "--unknown", "drop", "--format", "tsv")
    assert result.exit_code == 0
    assert [(row["left"], row["right"]) for row in table(result.stdout)] == [("van", "coupé"), ("van", "car")]
    assert result.stderr.splitlines()[0] == (
        "note: pairs.tsv: left out: 2 of 4 pairs (unknown names: 'coupe' in line 3, 'boat' and 'ship' in line 4)"
    )
    assert document(*asked, "--unknown", "drop")["skipped"][0] == {
        "left": "van", "right": "coupe", "line": 3, "unknown": ["coupe"],
    }  # fmt: skip
    Path("pairs.tsv").write_text("boat\tship\n")
    assert refused(*asked, "--unknown", "drop") == "pairs.tsv: no pair has both concepts in or1.ttl. Check --ontology."


def test_a_dash_is_stdin_once(or1: tuple[str, str]) -> None:
    result = run("relate", "--pairs", "-", *or1, "-m", "BDM", "--format", "csv", stdin="van\tcoupé\n")
    assert float(table(result.stdout, ",")[0]["BDM"]) == pytest.approx(BDM)
    said = refused("relate", "--pairs", "-", "--ontology", "-", code=2)
    assert said.startswith("stdin (-) can be used for one input only.\n")


@pytest.mark.parametrize("name", ["out.tsv", "out.csv", "out.json"])
def test_the_table_goes_to_a_file(or1: tuple[str, str], name: str) -> None:
    Path("pairs.csv").write_text(PAIRS)
    asked = ("relate", "--pairs", "pairs.csv", *or1, "-m", "BDM")
    Path(name).write_text("old")
    assert run(*asked, "-m", "Resnik(ic=corpus)", "-o", name).exit_code == 1  # no counts
    assert Path(name).read_text() == "old"
    result = run(*asked, "-o", name)
    assert (result.exit_code, result.stdout) == (0, run(*asked).stdout)  # the table still prints
    assert Path(name).read_text(encoding="utf-8") == run(*asked, "--format", name.split(".")[1]).stdout
    assert sorted(path.name for path in Path().iterdir()) == sorted(["or1.ttl", "pairs.csv", name])


@pytest.mark.parametrize("place", ["scores.trig", "scores.nq", "store"])
def test_scores_as_rdf(or1: tuple[str, str], place: str) -> None:
    Path("pairs.csv").write_text(PAIRS)
    asked = ("relate", "--pairs", "pairs.csv", *or1, "-m", "BDM", "-m", "LA")
    result = run(*asked, "--store" if place == "store" else "-o", place, "--name", "me")
    assert result.exit_code == 0, result.stderr
    assert "van coupé 3.500 0.375 0.333" in squeezed(result.stdout)
    (found,) = oe.read_scores(place)
    assert found.system == "me"
    assert found["BDM"].value == pytest.approx((BDM + 6 / 11) / 3)
    assert sorted(value for _, _, value in found["LA"].local.all()) == pytest.approx([0, 1 / 3, 1])


def test_one_pair_as_rdf_and_as_a_table(or1: tuple[str, str]) -> None:
    assert run("relate", "van", "coupé", *or1, "-m", "BDM", "-o", "one.nq").exit_code == 0
    assert oe.read_scores("one.nq")[0]["BDM"].value == pytest.approx(BDM)
    assert run("relate", "van", "coupé", *or1, "-m", "Rada(scale=distance)", "-o", "one.tsv").exit_code == 0
    assert Path("one.tsv").read_text() == "left\tright\tRada(scale=distance)\nvan\tcoupé\t2.0\n"


# Counts


def test_counts_of_a_corpus(or1: tuple[str, str]) -> None:
    # freq(car) = 2 of 4, freq(van) = 1: 2 ln 2 / (2 ln 4)
    Path("counts.tsv").write_text("VAN\t0.5\nvan\t0.5\ncoupé\t1\nbike\t2\n")
    asked = ("relate", "van", "coupé", *or1, "-m", "Lin(ic=corpus)")
    assert document(*asked, "--counts", "counts.tsv")["results"][0]["scores"] == {"Lin(ic=corpus)": pytest.approx(0.5)}
    near = document("nearest", "van", *or1, "-m", "Lin(ic=corpus)", "--counts", "counts.tsv", "--top", 1)
    # car: 2 ln 2 / (ln 2 + ln 4)
    assert near["nearest"]["Lin(ic=corpus)"][0]["value"] == pytest.approx(2 / 3)
    assert refused(*asked).startswith("ic=corpus needs counts or instances, but or1.ttl has none. Use --counts")
    Path("counts.tsv").write_text("van\t1\nboat\t1\n")
    assert refused(*asked, "--counts", "counts.tsv").startswith("counts.tsv: unknown concept 'boat'.")


# All pairs


def test_all_pairs_into_files(or1: tuple[str, str]) -> None:
    iris = [V + name for name in ("bike", "car", "coupé", "root", "van")]
    result = run("relate", "--all", *or1, "-m", "BDM", "-o", "m.npy")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "note: m.npy: 25 values of 5 concepts\n"
    matrix = np.load("m.npy")
    assert matrix[2, 4] == matrix[4, 2] == pytest.approx(BDM)
    assert np.diag(matrix).tolist() == [1] * 5
    assert [row["iri"] for row in table(Path("m.npy.concepts.tsv").read_text(encoding="utf-8"))] == iris
    assert run("relate", "--all", *or1, "-o", "s.npy", "--single").exit_code == 0  # BDM by default
    assert np.load("s.npy").dtype == np.float32
    result = run("relate", "--all", *or1, "-m", "LA", "-m", "BDM", "-o", "m.tsv")
    assert result.stderr == "note: m.tsv: 25 pairs of 5 concepts\n"
    assert {(r["left"], r["right"]): float(r["LA"]) for r in table(Path("m.tsv").read_text())}[
        V + "car", V + "van"
    ] == 1
    assert run("relate", "--all", *or1, "-m", "BDM", "--min-value", 0.3, "-o", "some.csv").exit_code == 0
    kept = [
        (row["left"], row["right"]) for row in table(Path("some.csv").read_text(), ",") if row["left"] != row["right"]
    ]
    assert kept == [(V + "car", V + "coupé"), (V + "car", V + "van"), (V + "coupé", V + "van")]
    pq = pytest.importorskip("pyarrow.parquet")
    assert run("relate", "--all", *or1, "-m", "BDM", "-o", "x", "--format", "parquet").exit_code == 0
    assert pq.read_table("x").num_rows == 15


def test_all_pairs_for_gate(or1: tuple[str, str]) -> None:
    result = run("relate", "--all", *or1, "--format", "gate", "-o", "bdm.txt")
    assert result.exit_code == 0, result.stderr
    found = read_bdm("bdm.txt")
    assert found.name == "http://example.org/vehicles/or1"
    assert len(found) == 15
    assert found.score(V + "van", V + "coupé") == BDM
    assert refused("relate", "--all", *or1, "-m", "Lin", "--format", "gate", "-o", "x.txt") == (
        "the gate format holds only BDM, not Lin. Use BDM."
    )


def test_a_matrix_of_some_concepts(or1: tuple[str, str]) -> None:
    Path("some.txt").write_text(f"# some\nvan\n{V}coupé\n\nCar\nvan\n")
    asked = ("relate", "--concepts", "some.txt", *or1, "-m", "BDM")
    found = squeezed(run(*asked).stdout)
    assert found[0] == "BDM (rows left, columns right)"
    assert found[1:5] == [
        "van coupé car",
        "van 1.000 0.375 0.545",
        "coupé 0.375 1.000 0.545",
        "car 0.545 0.545 1.000",
    ]
    said = document(*asked, "-m", "LA")
    assert said["concepts"] == [{"iri": V + name, "label": name} for name in ("van", "coupé", "car")]
    assert said["matrices"]["LA"][2] == [1, 1, 1]
    rows = list(csv.reader(io.StringIO(run(*asked, "--format", "csv").stdout)))
    assert rows[0] == ["BDM", V + "van", V + "coupé", V + "car"]
    assert [float(cell) for cell in rows[1][1:]] == pytest.approx([1, BDM, 6 / 11])
    assert run(*asked, "-o", "m.npy").exit_code == 0
    assert np.load("m.npy")[0, 1] == pytest.approx(BDM)
    assert "bike" in run("relate", "--all", *or1).stdout  # few enough
    Path("some.txt").write_text("van\nboat\n")
    assert refused(*asked).startswith("some.txt, line 2: unknown concept 'boat'.")
    result = run(*asked, "--unknown", "drop")
    assert result.stderr == "note: some.txt: left out: 1 of 2 concepts (unknown: 'boat' in line 2)\n"
    Path("some.txt").write_text("# nothing\n")
    assert refused(*asked) == "some.txt: no concepts found. Write one concept per line."


def test_a_large_matrix_needs_a_file(tmp_path: Path) -> None:
    path = tmp_path / "many.tsv"
    path.write_text("".join(f"c{n}\ttop\n" for n in range(20)))
    assert refused("relate", "--all", "--ontology", path) == (
        "a matrix of 21 concepts is too large to print. Write it to a file with -o, or use at most 20 concepts with "
        "--concepts."
    )


def test_all_pairs_keep_the_old_file_when_something_is_wrong(or1: tuple[str, str]) -> None:
    Path("m.tsv").write_text("old")
    for wrong in (("-m", "Lin(ic=corpus)"), ("-m", "TP_csc"), ("--root", "none", "--below", "nowhere")):
        refused("relate", "--all", *or1, "-o", "m.tsv", *wrong)
        assert Path("m.tsv").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["m.tsv", "or1.ttl"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_who_ends_the_program_finds_the_old_file_and_no_other(
    or1: tuple[str, str], monkeypatch: pytest.MonkeyPatch, number: int, code: int
) -> None:
    Path("m.npy").write_text("old")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell that runs tests in the background ignores it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before = signal.getsignal(signal.SIGTERM)

    def ended(measure: object, grid: object) -> None:
        signal.raise_signal(number)

    monkeypatch.setattr(allpairs, "pair_values", ended)
    assert run("relate", "--all", *or1, "-o", "m.npy").exit_code == code
    assert Path("m.npy").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["m.npy", "or1.ttl"]
    assert signal.getsignal(signal.SIGTERM) == before


# The nearest


def test_the_nearest_concepts(or1: tuple[str, str]) -> None:
    result = run("nearest", "van", *or1, "-k", 3, width=80)
    assert (result.exit_code, result.stderr) == (0, "note: -k is now --top.\n")
    assert (
        result.stdout
        == """\
Nearest to van in or1.ttl
     concept    BDM
  1  car      0.545
  2  coupé    0.375
  3  bike     0.000
"""
    )
    said = document("nearest", "van", *or1, "-m", "BDM", "-m", "Rada(scale=distance)", "--top", 2)
    assert (said["concept"], said["label"]) == (V + "van", "van")
    assert said["nearest"]["Rada(scale=distance)"] == [
        {"rank": 1, "iri": V + "car", "label": "car", "value": 1.0},
        {"rank": 2, "iri": V + "coupé", "label": "coupé", "value": 2.0},
    ]
    rows = table(run("nearest", "van", *or1, "-m", "BDM,Lin", "--top", 1, "--format", "tsv").stdout)
    assert [(row["measure"], row["IRI"]) for row in rows] == [("BDM", V + "car"), ("Lin", V + "car")]


def test_the_nearest_of_one_sense(banks: tuple[str, str]) -> None:
    assert refused("nearest", "bank", *banks) == (
        "2 concepts of banks.ttl have the name 'bank': http://ex.org/bank1, http://ex.org/bank2. "
        "Use the IRI, or --senses first."
    )
    found = document("nearest", "bank", *banks, "--senses", "first", "-m", "WP", "--top", 1)
    assert (found["concept"], found["nearest"]["WP"][0]["iri"]) == ("http://ex.org/bank1", "http://ex.org/water")
    assert document("nearest", "ex:bank2", *banks, "--top", 1)["concept"] == "http://ex.org/bank2"
    assert refused("nearest", "bnak", *banks).startswith("unknown concept 'bnak'. Did you mean 'bank'?")


# Wrong


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("van", "boat"), "unknown concept 'boat'. Use an IRI, a CURIE, a local name or a label of or1.ttl."),
        (("van", "http://www.w3.org/2002/07/owl#Thing", "--root", "new"),
         "unknown concept 'http://www.w3.org/2002/07/owl#Thing'. "
         "Use an IRI, a CURIE, a local name or a label of or1.ttl."),
        (("van", "car", "-m", "TP_csc"),
         "TP_csc does not score pairs of concepts. Use a measure such as BDM or Lin; see `ontoeval measures`."),
        (("van", "car", "-m", "bdm"), "unknown measure 'bdm'. Did you mean 'BDM'? See `ontoeval measures`."),
        (("van", "car", "-m", "Lin(ic=sceo)"),
         "Lin does not take ic=sceo. Did you mean 'seco'? Use seco, sanchez, zhou or corpus."),
        (("van", "car", "-m", ","), "-m is empty. Name a measure."),
        (("--pairs", "none.tsv"), "none.tsv: no such file. Check the path."),
        (("--concepts", "none.txt"), "none.txt: no such file. Check the path."),
        (("van", "car", "--counts", "none.tsv"), "none.tsv: no such file. Check the path."),
        (("van", "car", "-o", "x.npy"),
         "x.npy: unknown suffix '.npy'. Use one of: .csv .json .md .nq .tex .trig .tsv."),
        (("--all", "-o", "x.trig"),
         "x.trig: unknown suffix '.trig'. Use one of: .npy .parquet .tsv .csv .tsv.gz .csv.gz, or the gate format."),
        (("--all", "-o", "x.tsv", "--format", "latex"),
         f"unknown format 'latex' for all pairs. Use one of: {', '.join(allpairs.FORMATS)}."),
        (("--all", "-o", "nowhere/x.npy"), "nowhere/x.npy: its directory does not exist; choose another path."),
        (("van", "car", "-o", "nowhere/x.tsv"), "nowhere/x.tsv: its directory does not exist; choose another path."),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_1(or1: tuple[str, str], arguments: tuple[str, ...], message: str) -> None:
    assert refused("relate", *arguments, *or1) == message
    assert [path.name for path in Path().iterdir()] == ["or1.ttl"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no concepts. Name A and B, or use --pairs FILE, --concepts FILE or --all."),
        (("van",), "found 1 concept, expected two. Name A and B."),
        (("van", "car", "bike"), "found 3 concepts, expected two. Name A and B."),
        (
            ("van", "car", "--all"),
            "A B and --all do not go together. Name A and B, or use --pairs FILE, --concepts FILE or --all.",
        ),
        (("van", "car", "--pairs", "x.tsv"), "A B and --pairs do not go together. "),
        (("--pairs", "x.tsv", "--concepts", "x.txt"), "--pairs and --all do not go together. "),
        (("van", "car", "--min-value", "0.5"), "--min-value needs --all."),
        (("--pairs", "x.tsv", "--format", "gate"), "--format gate needs --all."),
        (("--all", "--format", "npy"), "--format npy needs -o FILE."),
        (("--all", "--min-value", "0.5"), "--min-value needs -o FILE."),
        (("--all", "--store", "s"), "--store needs A B or --pairs."),
        (("--all", "--explain"), "--explain needs A B or --pairs."),
        (("van", "car", "--format", "xml"), "-f: unknown value 'xml'. Use one of: table, json, "),
    ],
)
def test_wrong_usage_is_exit_code_2(or1: tuple[str, str], arguments: tuple[str, ...], message: str) -> None:
    result = run("relate", *arguments, *or1)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_an_ontology_is_needed() -> None:
    assert "missing option '--ontology'." in run("relate", "a", "b").stderr
    assert run("nearest", "a").exit_code == 2


def test_help_has_examples_and_every_option() -> None:
    shown = run("relate", "--help-all").stdout
    options = "ontology pairs all concepts senses explain counts min-value single unknown output store format root lang"
    for option in (f"--{name}" for name in options.split()):
        assert option in shown
    assert "ontoeval relate --all --ontology go.obo -m Lin -o lin.npy" in shown
    assert "ontoeval nearest GO:0008150" in run("nearest", "--help").stdout


def test_the_worked_example_of_proton(shared_data: Path) -> None:
    folder = shared_data / "proton" / "v0.1"
    result = run("relate", "Company", "PoliticalEntity", "--ontology", folder / "protonu.owl", "--import", folder,
                 "--root", "new", "-m", "BDM", "--explain", width=120)  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "BDM 0.826 MSCA Organization, CP 5, DPK 1, DPR 2, n0 5.515, n(K) 7, n(R) 8.444, BR 1.989" in squeezed(
        result.stdout
    )
    assert "Root: added above all top concepts, counted as a concept; 267 concepts." in result.stdout


# individuals

CITIES = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Place rdfs:subClassOf :Top . :City rdfs:subClassOf :Place . :Lake rdfs:subClassOf :Place .
:london a :City ; rdfs:label "London" . :londres a :Place ; owl:sameAs :london . :paris a :City . :como a :Lake .
:x1 a :City ; rdfs:label "twin" . :x2 a :Lake ; rdfs:label "twin" .
"""


@pytest.fixture
def cities(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    (tmp_path / "cities.ttl").write_text(CITIES)
    monkeypatch.chdir(tmp_path)
    return "--ontology", "cities.ttl"


def test_individuals_are_related_by_any_of_their_names(cities: tuple[str, str]) -> None:
    # n0 = 2, n = 2 + 1; City has no subclass, so BR = 1 and X = 2/2
    for name in ("London", "london", "http://ex.org/londres", "ex:london"):
        entry = document("relate", name, "paris", *cities, "-m", "BDM")["results"][0]
        assert entry["left"] == "http://ex.org/london"
        assert entry["scores"]["BDM"] == pytest.approx(1 / (1 + 2 / 3))
        assert [entry["why"]["BDM"][part] for part in ("MSCA", "CP", "DPK", "DPR")] == ["http://ex.org/City", 2, 1, 1]
    shown = squeezed(run("relate", "london", "como", *cities, "-m", "Rada", "--explain").stdout)
    assert "left London http://ex.org/london" in shown
    assert "Rada 0.200 d 4, London < City < Place > Lake > como" in shown
    assert document("relate", "london", "Lake", *cities, "-m", "WP")["results"][0]["scores"]["WP"] == 4 / 7


def test_of_several_individuals_of_a_name_the_best_pair_counts(cities: tuple[str, str]) -> None:
    entry = document("relate", "twin", "como", *cities, "-m", "Rada(scale=distance)")["results"][0]
    assert (entry["left"], entry["scores"]["Rada(scale=distance)"]) == ("http://ex.org/x2", 2)
    assert refused("nearest", "twin", *cities) == (
        "2 individuals of cities.ttl have the name 'twin': http://ex.org/x1, http://ex.org/x2. "
        "Use the IRI, or --senses first."
    )


def test_nearest_among_individuals_or_classes(cities: tuple[str, str]) -> None:
    found = document("nearest", "london", *cities, "-m", "Rada(scale=distance)", "--top", "3")
    assert (found["concept"], found["label"]) == ("http://ex.org/london", "London")
    assert [(entry["iri"], entry["value"]) for entry in found["nearest"]["Rada(scale=distance)"]] == [
        ("http://ex.org/paris", 2), ("http://ex.org/x1", 2), ("http://ex.org/como", 4)
    ]  # fmt: skip
    classes = document("nearest", "london", *cities, "--among", "classes", "-m", "Rada", "--top", "2")
    assert [entry["iri"] for entry in classes["nearest"]["Rada"]] == ["http://ex.org/City", "http://ex.org/Place"]
    below = document("nearest", "Lake", *cities, "--among", "individuals", "-m", "Rada", "--top", "2")
    assert [entry["label"] for entry in below["nearest"]["Rada"]] == ["como", "twin"]


def test_individuals_in_lists_and_as_rdf(cities: tuple[str, str]) -> None:
    Path("names.txt").write_text("London\nLake\nnobody\n")
    matrix = document("relate", "--concepts", "names.txt", *cities, "-m", "Rada(scale=distance)", "--unknown", "drop")
    assert [entry["label"] for entry in matrix["concepts"]] == ["London", "Lake"]
    assert matrix["matrices"] == {"Rada(scale=distance)": [[0, 3], [3, 0]]}
    assert run("relate", "London", "paris", *cities, "-m", "BDM", "-o", "one.trig").exit_code == 0
    [result] = oe.read_scores("one.trig")
    assert result["BDM"].value == pytest.approx(3 / 5)
    assert run("validate", "one.trig").exit_code == 0
