"""All pairs into files: every format has the numbers of `relate_all`, and a failure costs nothing."""

from __future__ import annotations

import builtins
import csv
import gzip
import shutil
from collections import namedtuple
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.analysis import write_matrix as allpairs
from ontoeval.analysis.relate import relate_all
from ontoeval.errors import MissingInputError
from ontoeval.load import read_bdm

# Two ways down to van, a cycle of p and q, a concept of its own
EDGES = [("car", "thing"), ("bike", "thing"), ("van", "car"), ("van", "bike"), ("coupé", "car"), ("p", "thing"),
         ("p", "q"), ("q", "p"), ("tandem", "bike")]  # fmt: skip
NAMES = sorted({name for edge in EDGES for name in edge} | {"alone"})


@pytest.fixture
def ontology() -> oe.Ontology:
    return oe.Ontology.from_edges(EDGES, concepts=["alone"], labels={"van": "the\tvan"})


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(path: str, separator: str = "\t") -> tuple[list[str], list[list[str]]]:
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, delimiter=separator)
    return header, rows


@pytest.mark.parametrize("block", [1, 20, 1 << 24])
@pytest.mark.parametrize("measure", ["BDM", "LA", "Lin", "Rada(scale=distance)", "WP", "simGIC", "Flat"])
def test_every_format_has_what_relate_all_says(
    ontology: oe.Ontology, place: Path, monkeypatch: pytest.MonkeyPatch, measure: str, block: int
) -> None:
    monkeypatch.setattr(allpairs, "BLOCK", block)
    expected = relate_all(ontology, NAMES, measure)
    places = range(len(NAMES))
    pairs = list(product(places, places) if measure == "LA" else combinations_with_replacement(places, 2))
    listed = [expected[a, b] for a, b in pairs]

    assert oe.write_matrix(ontology, "m.npy", measure) == len(NAMES) ** 2
    assert np.load("m.npy", mmap_mode="r").dtype == np.float64
    np.testing.assert_allclose(np.load("m.npy"), expected, rtol=1e-12)
    assert oe.write_matrix(ontology, "m.tsv", measure) == len(pairs)
    header, rows = lines("m.tsv")
    assert header == ["left", "right", measure]
    assert [row[:2] for row in rows] == [[NAMES[a], NAMES[b]] for a, b in pairs]
    np.testing.assert_allclose([float(row[2]) for row in rows], listed, rtol=1e-12)
    pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    assert oe.write_matrix(ontology, "m.parquet", measure) == len(pairs)
    found = pq.read_table("m.parquet")
    assert found.column_names == header
    assert [list(row) for row in zip(*(found[side].to_pylist() for side in header[:2]), strict=True)] == [
        row[:2] for row in rows
    ]
    np.testing.assert_allclose(found[measure].to_numpy(), listed, rtol=1e-12)


def test_beside_a_matrix_stands_which_row_is_which(ontology: oe.Ontology, place: Path) -> None:
    oe.write_matrix(ontology, Path("m.npy"), "Lin", ["van", "alone"])
    assert (
        Path("m.npy.concepts.tsv").read_text(encoding="utf-8") == "row\tiri\tlabel\n0\tvan\tthe van\n1\talone\talone\n"
    )
    assert sorted(path.name for path in place.iterdir()) == ["m.npy", "m.npy.concepts.tsv"]


def test_some_concepts_each_once(ontology: oe.Ontology, place: Path) -> None:
    assert oe.write_matrix(ontology, "m.npy", "WP", ["van", "car", "van"]) == 4
    np.testing.assert_array_equal(np.load("m.npy"), relate_all(ontology, ["van", "car"], "WP"))
    assert oe.write_matrix(ontology, "m.tsv", "WP", ["van", "car"]) == 3


def test_single_precision(ontology: oe.Ontology, place: Path) -> None:
    expected = relate_all(ontology, None, "Lin").astype(np.float32)
    oe.write_matrix(ontology, "m.npy", "Lin", single=True)
    assert np.load("m.npy").dtype == np.float32
    np.testing.assert_array_equal(np.load("m.npy"), expected)
    pq = pytest.importorskip("pyarrow.parquet")
    oe.write_matrix(ontology, "m.parquet", "Lin", single=True)
    assert str(pq.read_table("m.parquet").schema.field("Lin").type) == "float"


def test_several_measures_are_several_columns(ontology: oe.Ontology, place: Path) -> None:
    names = ["Rada", "Lin(ic=sanchez, leaf_itself=true)"]
    oe.write_matrix(ontology, "m.csv", names, ["van", "car"])
    header, rows = lines("m.csv", ",")
    assert header == ["left", "right", *names]
    assert [row[:3] for row in rows] == [["van", "van", "1.0"], ["van", "car", "0.5"], ["car", "car", "1.0"]]
    oe.write_matrix(ontology, "m.tsv", ["Rada", "LA"], ["van", "car"])  # one of them has a direction
    assert [row[:2] for row in lines("m.tsv")[1]] == [["van", "van"], ["van", "car"], ["car", "van"], ["car", "car"]]


def test_packed_tables_are_the_same_bytes_every_time(ontology: oe.Ontology, place: Path) -> None:
    oe.write_matrix(ontology, "m.tsv", "BDM")
    packed = set()
    for _ in range(2):
        oe.write_matrix(ontology, "m.tsv.gz", "BDM")
        packed.add(Path("m.tsv.gz").read_bytes())
    assert gzip.decompress(packed.pop()) == Path("m.tsv").read_bytes()
    assert not packed


def test_the_least_value_and_of_a_distance_the_greatest(ontology: oe.Ontology, place: Path) -> None:
    oe.write_matrix(ontology, "m.tsv", "Rada", ["van", "car", "thing"], least=0.5)
    assert [row[:2] for row in lines("m.tsv")[1]] == [
        ["van", "van"], ["van", "car"], ["car", "car"], ["car", "thing"], ["thing", "thing"],
    ]  # fmt: skip
    oe.write_matrix(ontology, "m.tsv", "Rada(scale=distance)", ["van", "car", "thing"], least=0)
    assert [row[:2] for row in lines("m.tsv")[1]] == [["van", "van"], ["car", "car"], ["thing", "thing"]]
    pq = pytest.importorskip("pyarrow.parquet")
    assert oe.write_matrix(ontology, "m.parquet", "Rada", ["van", "car", "thing"], least=2) == 0
    assert pq.read_table("m.parquet").num_rows == 0


def test_infinite_and_undefined_values(place: Path) -> None:
    apart = oe.Ontology.from_edges([("b", "a")], concepts=["c"], root="none")
    oe.write_matrix(apart, "m.tsv", "Rada(scale=distance)", ["a", "c"])
    assert lines("m.tsv")[1] == [["a", "a", "0.0"], ["a", "c", "inf"], ["c", "c", "0.0"]]
    flat = oe.Ontology.from_edges([], concepts=["a", "b"], root="none")
    pq = pytest.importorskip("pyarrow.parquet")
    for path in ("m.tsv", "m.parquet"):
        oe.write_matrix(flat, path, "LC(scale=raw, unit=edges)")
    assert [row[2] for row in lines("m.tsv")[1]] == ["", "", ""]
    assert pq.read_table("m.parquet")[2].to_pylist() == [None] * 3


# GATE


def test_a_file_of_gate_worked_by_hand(place: Path) -> None:
    # br: root 2, car 2; chains: 1, 2 and 2 edges
    edges = [("car", "root"), ("bike", "root"), ("van", "car"), ("wagon", "car")]
    tree = oe.Ontology.from_edges(edges, root="none", name="vehicles.tsv")
    assert oe.write_matrix(tree, "bdm.txt", "BDM", format="gate") == 15
    title, *rows = Path("bdm.txt").read_text(encoding="utf-8").splitlines()
    assert title == "##The following are the BDM scores for each pair of concepts in the ontology named vehicles.tsv."
    # X = 1 * 1 / (5/3) = 0.6; 0.6 / (0.6 + 1/2 + 1/2)
    assert (
        "key=wagon, response=van, bdm=0.375, msca=car, cp=1, dpk=1, dpr=1, n0=1.6666666, n1=2.0, n2=2.0, bran=1.0"
    ) in rows
    # through the root: relevant are root and, strictly between, car
    assert (
        "key=van, response=bike, bdm=0.0, msca=root, cp=0, dpk=2, dpr=1, n0=1.6666666, n1=2.0, n2=1.0, bran=1.0"
    ) in rows
    assert (
        "key=van, response=van, bdm=1.0, msca=van, cp=2, dpk=0, dpr=0, n0=1.6666666, n1=1.0, n2=1.0, bran=1.0" in rows
    )


def test_gate_has_words_for_different_roots_and_cycles(place: Path) -> None:
    two = oe.Ontology.from_edges([("a", "b"), ("c", "d"), ("x", "y"), ("y", "x")], root="none")
    oe.write_matrix(two, "bdm.txt", format="gate")
    rows = Path("bdm.txt").read_text(encoding="utf-8").splitlines()
    # chains of 1, 1 and, of the cycle, 0 edges
    assert "key=c, response=a, bdm=0.0,  no MSCA! cp=-1, dpk=1, dpr=1, n0=0.6666667, n1=1.0, n2=1.0, bran=1.0" in rows
    assert "key=y, response=x, bdm=1.0, msca=x, cp=0, dpk=0, dpr=0, n0=0.6666667, n1=1.0, n2=1.0, bran=1.0" in rows
    assert "key=y, response=y, bdm=1.0, msca=y, cp=0, dpk=0, dpr=0, n0=0.6666667, n1=1.0, n2=1.0, bran=1.0" in rows


@pytest.mark.parametrize("step", [1, 30, 1 << 16])
def test_a_file_of_gate_is_read_back(
    ontology: oe.Ontology, place: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr(allpairs, "LINES", step)
    oe.write_matrix(ontology, "bdm.txt.gz", "BDM", format="gate")
    table, expected = read_bdm("bdm.txt.gz"), relate_all(ontology, NAMES, "BDM")
    assert {tuple(sorted(pair)) for pair in zip(table.key, table.response, strict=True)} == set(
        combinations_with_replacement(NAMES, 2)
    )
    assert len(table) == len(NAMES) * (len(NAMES) + 1) // 2
    for a, b in product(range(len(NAMES)), repeat=2):
        assert table.score(NAMES[a], NAMES[b]) == pytest.approx(expected[a, b], abs=6e-8)


def test_the_file_of_proton_has_the_worked_example(shared_data: Path, place: Path) -> None:
    folder = shared_data / "proton" / "v0.1"
    proton = oe.load_ontology(folder / "protonu.owl", imports=[folder], root="new")
    assert oe.write_matrix(proton, "bdm.txt", "BDM", format="gate") == 35511
    table = read_bdm("bdm.txt")
    company, other = (
        f"http://proton.semanticweb.org/2005/04/protonu#{name}" for name in ("Company", "PoliticalEntity")
    )
    (row,) = (row for row in table.rows() if {row.key, row.response} == {company, other})
    assert row.bdm == pytest.approx(0.8261, abs=5e-5)
    assert row.msca == "http://proton.semanticweb.org/2005/04/protont#Organization"
    ends = {row.key: (row.cp, row.dpk, row.n1), row.response: (row.cp, row.dpr, row.n2)}
    assert ends[other] == (5, 1, 7.0)
    assert ends[company] == (5, 2, pytest.approx(76 / 9, rel=1e-7))
    assert (row.n0, row.bran) == (pytest.approx(1114 / 202, rel=1e-7), pytest.approx(6.5 / (281 / 86), rel=1e-7))


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=16), st.sampled_from(["new", "none"]))
def test_random_files_of_gate(
    tmp_path_factory: pytest.TempPathFactory, edges: list[tuple[int, int]], root: str
) -> None:
    """With cycles, several roots, several parents."""
    path = tmp_path_factory.mktemp("gate") / "bdm.txt"
    named = [(f"c{a}", f"c{b}") for a, b in edges]
    made = oe.Ontology.from_edges(named, concepts=["c0"], root=root)
    oe.write_matrix(made, path, "BDM", format="gate")
    names = sorted({name for edge in named for name in edge} | {"c0"})
    table, expected = read_bdm(path), relate_all(made, names, "BDM")
    found = np.array([[table.score(a, b) for b in names] for a in names])
    np.testing.assert_allclose(found, expected, atol=6e-8)


# What goes wrong


def test_an_interruption_leaves_the_old_file_and_nothing_else(
    ontology: oe.Ontology, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["m.npy", "m.npy.concepts.tsv", "m.parquet", "m.tsv", "m.csv.gz"]
    for name in names:
        Path(name).write_text(f"old {name}")
    done: list[int] = []

    def stop(rows: int, total: int) -> None:
        done.append(rows)
        if rows:
            raise KeyboardInterrupt

    monkeypatch.setattr(allpairs, "BLOCK", 20)
    monkeypatch.setattr(allpairs, "LINES", 20)
    for name in names:
        if not name.endswith("concepts.tsv"):
            with pytest.raises(KeyboardInterrupt):
                oe.write_matrix(ontology, name, "Lin", progress=stop)
    with pytest.raises(KeyboardInterrupt):
        oe.write_matrix(ontology, "m.tsv", "BDM", format="gate", progress=stop)
    assert 0 < max(done) < len(NAMES)
    assert {path.name: path.read_text() for path in place.iterdir()} == {name: f"old {name}" for name in names}


def test_progress_counts_rows(ontology: oe.Ontology, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allpairs, "BLOCK", 3 * len(NAMES))
    told: list[tuple[int, int]] = []
    oe.write_matrix(ontology, "m.npy", "Lin", progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 9) for done in (0, 3, 6, 9)]


def test_a_disk_that_is_too_small(ontology: oe.Ontology, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(1000, 900, 100))
    with pytest.raises(
        oe.OntoevalError, match=r"m\.npy: the matrix needs 0\.0 MiB, but only 0\.0 MiB is free\. Choose"
    ):
        oe.write_matrix(ontology, "m.npy", "Lin")
    assert list(place.iterdir()) == []


def test_parquet_without_pyarrow(ontology: oe.Ontology, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingInputError, match=r"Parquet needs pyarrow\. Run `pip install"):
        oe.write_matrix(ontology, "m.parquet", "Lin")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        ("m.txt", {}, "m.txt: unknown suffix '.txt'. Use one of: .npy .parquet .tsv .csv .tsv.gz .csv.gz, or the "
                      "gate format."),
        ("m.gate", {}, "m.gate: unknown suffix '.gate'."),
        ("m.npy.gz", {}, "m.npy.gz: npy cannot be compressed as .gz."),
        ("m.tsv", {"format": "parqet"}, "unknown format 'parqet' for all pairs. Did you mean 'parquet'? Use one of: "
                                        f"{', '.join(allpairs.FORMATS)}."),
        ("m.npy", {"measure": ["BDM", "Lin"]}, "the npy format holds one measure, not BDM, Lin."),
        ("m.txt", {"measure": "Lin", "format": "gate"}, "the gate format holds only BDM, not Lin."),
        ("m.npy", {"least": 0.5}, "a matrix holds all pairs"),
        ("m.tsv", {"least": 0.5, "measure": ["BDM", "Lin"]}, "a minimum value needs one measure, not BDM, Lin."),
        ("m.tsv", {"single": True}, "single precision needs .npy or .parquet."),
        ("m.tsv", {"measure": "TP_csc"}, "TP_csc does not score pairs of concepts."),
        ("m.tsv", {"measure": []}, "no measures."),
        ("m.tsv", {"concepts": []}, "the list of concepts is empty."),
        ("m.tsv", {"concepts": ["ship"]}, "unknown concept 'ship'"),
        ("nowhere/m.tsv", {}, "nowhere/m.tsv: cannot be written (No such file or directory); choose another path."),
        ("folder.tsv", {}, "folder.tsv: is a directory; choose another path."),
    ],
)  # fmt: skip
def test_what_cannot_be_written(
    ontology: oe.Ontology, place: Path, path: str, options: dict[str, Any], message: str
) -> None:
    Path("folder.tsv").mkdir()
    with pytest.raises(oe.OntoevalError) as caught:
        oe.write_matrix(ontology, path, **options)
    assert message in str(caught.value)
    assert [entry.name for entry in place.iterdir()] == ["folder.tsv"]
