"""Files of BDM scores: what GATE writes is read, and what is written GATE reads."""

from __future__ import annotations

import gzip
import io
import math
import struct
from pathlib import Path

import numpy as np
import pytest
from helpers import refusal
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.errors import LoadError, ParameterError
from ontoeval.load import read_bdm
from ontoeval.load.tables.gate_bdm import BdmRow, BdmTable, gate_header, gate_lines, java_float

KINDS = "Use a file of BDM scores, with lines such as 'key=A, response=B, bdm=0.5, msca=C, cp=1, ...'."
TITLE = "##The following are the BDM scores for each pair of concepts in the ontology named proton.owl.\n"
FIRST = (
    "key=Service, response=Object, bdm=0.6617647, msca=Object, cp=1, dpk=1, dpr=0, n0=2.0, n1=2.0, n2=2.8333333, "
    "bran=1.9565217"
)
APART = "key=http://x#A, response=http://y#B, bdm=0.0,  no MSCA! cp=-1, dpk=2, dpr=3, n0=2.0, n1=2.0, n2=3.0, bran=1.0"
SAME = "key=A, response=A, bdm=1.0, msca=A, cp=4, dpk=0, dpr=0, n0=2.5, n1=1.0, n2=1.0, bran=1.0"
ROWS = [
    BdmRow("Service", "Object", 0.6617647, "Object", 1, 1, 0, 2.0, 2.0, 2.8333333, 1.9565217),
    BdmRow("http://x#A", "http://y#B", 0.0, None, -1, 2, 3, 2.0, 2.0, 3.0, 1.0),
    BdmRow("A", "A", 1.0, "A", 4, 0, 0, 2.5, 1.0, 1.0, 1.0),
]


def load(*lines: str, title: str = TITLE) -> BdmTable:
    return read_bdm((title + "\n".join(lines)).encode())


def refused(*lines: str, title: str = TITLE) -> str:
    return refusal(LoadError, load, *lines, title=title).removeprefix("(bytes)")


def as_gate_reads(line: str) -> tuple[str, str, str]:
    parts = line.split(", ")
    assert len(parts) > 3
    return parts[0][4:], parts[1][9:], parts[2][4:]


# In


def test_the_lines_of_a_file() -> None:
    table = load(FIRST, APART, SAME)
    assert table.name == "proton.owl"
    assert list(table.rows()) == ROWS
    assert table.key == ("Service", "http://x#A", "A")
    assert table.msca == ("Object", None, "A")
    assert table.cp.tolist() == [1, -1, 4]
    assert table.n2.tolist() == [2.8333333, 3.0, 1.0]
    assert table.notes == ()
    assert len(table) == 3
    assert repr(table) == "<BdmTable (bytes): 3 pairs>"


def test_fields_in_any_order() -> None:
    parts = FIRST.split(", ")
    assert list(load(", ".join(reversed(parts))).rows()) == ROWS[:1]
    assert list(load(", ".join(parts[3:] + parts[:3])).rows()) == ROWS[:1]


def test_fields_that_are_not_there() -> None:
    row = next(load("key=a=b, response=B, bdm=0.5").rows())
    assert (row.key, row.bdm, row.msca, row.cp, row.dpk, row.dpr) == ("a=b", 0.5, None, -1, -1, -1)
    assert all(math.isnan(value) for value in row[7:])


def test_a_score_is_found_in_either_order() -> None:
    table = load(FIRST, APART, SAME)
    assert table.score("Service", "Object") == table.score("Object", "Service") == 0.6617647
    assert table.score("A", "A") == 1.0
    assert table.score("http://x#A", "http://y#B") == 0.0
    assert table.score("A", "Object") == 0.0
    assert table.score("Object", "Object") == 0.0


def test_of_several_scores_the_first_counts() -> None:
    again = "key=Object, response=Service, bdm=0.5, msca=Object, cp=1"
    table = load(FIRST, again, FIRST, again, SAME, SAME)
    assert table.score("Object", "Service") == 0.6617647
    assert len(table) == 6
    assert table.notes == ("1 pair has several scores; the first is used",)


def test_scores_of_minus_one() -> None:
    table = load("key=A, response=B, bdm=-1.0, msca=C", FIRST)
    assert table.score("A", "B") == 0.0
    assert table.notes == ("1 score is -1 (no common superconcept, as in files of early 2009); read as 0",)


def test_titles_and_empty_lines() -> None:
    assert load(FIRST, title="").name == ""
    assert load(FIRST, "", TITLE.strip(), SAME).key == ("Service", "A")
    assert load(FIRST, title="## other words\r\n").name == ""
    assert load(FIRST + "\r", title=TITLE.replace("\n", "\r\n")).name == "proton.owl"
    assert load(FIRST, title=TITLE.replace("proton.owl.", "a. b")).name == "a. b"


def test_the_same_front_door(tmp_path: Path) -> None:
    packed = gzip.compress((TITLE + FIRST).encode())
    path = tmp_path / "bdm.txt"
    path.write_bytes(packed)
    for source in (path, packed, io.BytesIO(packed)):
        assert read_bdm(source).key == ("Service",)
    with pytest.raises(LoadError) as caught:
        read_bdm(path, max_size=20)
    assert str(caught.value) == (
        f"{path}: larger than 20 bytes when unpacked. Increase max_size= if you trust the file."
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", f": no scores found, only a title. {KINDS}"),
        ("response=B, bdm=1.0", f", line 2: no field 'key'. {KINDS}"),
        ("key=A, response=, bdm=1.0", f", line 2: no field 'response'. {KINDS}"),
        ("key=A, response=B, msca=C", f", line 2: no field 'bdm'. {KINDS}"),
        ("key=A, B, response=B", f", line 2: 'B' is not a field. {KINDS}"),
        ("key=A, response=B, bdm=x", f", line 2: the field 'bdm' must be a number, not 'x'. {KINDS}"),
        ("key=A, response=B, bdm=1.5", f", line 2: the score '1.5' is not a number from 0 to 1. {KINDS}"),
        ("key=A, response=B, bdm=NaN", f", line 2: the score 'NaN' is not a number from 0 to 1. {KINDS}"),
        (
            "key=A, response=B, bdm=1, cp=1.5",
            f", line 2: the field 'cp' must be a whole number, not '1.5'. {KINDS}",
        ),
        ("key=A, response=B, bdm=1, n1=", f", line 2: the field 'n1' must be a number, not ''. {KINDS}"),
    ],
)
def test_files_that_are_refused(line: str, message: str) -> None:
    assert refused(line) == message


def test_an_empty_file() -> None:
    assert refused(title="") == f": the file is empty. {KINDS}"
    assert refused(title=" \n") == f": the file is empty. {KINDS}"


# Out


def test_what_is_written() -> None:
    assert gate_header("proton.owl") == TITLE
    assert gate_header("a\nb") == TITLE.replace("proton.owl", "a b")
    assert list(gate_lines(ROWS)) == [f"{FIRST}\n", f"{APART}\n", f"{SAME}\n"]


@pytest.mark.parametrize("name", ["a, b", "a\nb", "a\rb"])
@pytest.mark.parametrize("place", ["key", "response", "msca"])
def test_names_that_no_line_can_hold(name: str, place: str) -> None:
    with pytest.raises(ParameterError) as caught:
        list(gate_lines([ROWS[0]._replace(**{place: name})]))
    assert str(caught.value) == (
        f"the name {name!r} cannot be written to a GATE file, where ', ' or a line break ends a field. Use IRIs "
        "for concepts."
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"), (1.0, "1.0"), (-1.0, "-1.0"), (17 / 6, "2.8333333"), (1 / 3, "0.33333334"), (0.1, "0.1"),
        (1e-3, "0.001"), (0.00099, "9.9E-4"), (1e-4, "1.0E-4"), (1.5e-7, "1.5E-7"), (9999999.0, "9999999.0"),
        (1e7, "1.0E7"), (1.25e10, "1.25E10"), (100.0, "100.0"), (123456.79, "123456.79"),
        (math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity"), (2, "2.0"), (np.float64(0.5), "0.5"),
    ],
)  # fmt: skip
def test_numbers_are_printed_as_java_prints_them(value: float, text: str) -> None:
    assert java_float(value) == text


names = st.text(st.characters(codec="utf-8", exclude_characters=", \r\n\t#"), min_size=1, max_size=12)
reals = st.floats(0, 1e9, width=32)


@given(
    st.lists(
        st.builds(
            BdmRow, names, names, st.floats(0, 1, width=32), names, *[st.integers(0, 40)] * 3, *[reals] * 4
        )
        | st.builds(
            lambda key, response, k, r, n: BdmRow(key, response, 0.0, None, -1, k, r, n, n, n, 1.0),
            names, names, st.integers(0, 40), st.integers(0, 40), reals,
        ),
        min_size=1,
    )
)  # fmt: skip
def test_what_is_written_can_be_read(rows: list[BdmRow]) -> None:
    lines = list(gate_lines(rows))
    back = list(read_bdm((gate_header("x") + "".join(lines)).encode()).rows())
    assert [[single(cell) for cell in row] for row in back] == [[single(cell) for cell in row] for row in rows]
    for row, line in zip(rows, lines, strict=True):
        key, response, score = as_gate_reads(line)
        assert (key, response, single(float(score))) == (row.key, row.response, single(row.bdm))


def single(cell: object) -> object:
    return struct.unpack("f", struct.pack("f", cell))[0] if isinstance(cell, float) else cell


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_every_number_of_single_precision_comes_back(value: float) -> None:
    text = java_float(value)
    assert np.float32(text) == np.float32(value)
    digits, _, power = text.lstrip("-").partition("E")
    before, _, behind = digits.partition(".")
    assert before.isdigit()
    assert behind.isdigit()
    assert bool(power) == (value != 0 and not 1e-3 <= abs(value) < 1e7)
