"""A table in every layout."""

from __future__ import annotations

import csv
import io
import json
import math
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.errors import ParameterError
from ontoeval.tables import Cell, Layout, Value, exact_text, render, rounded_text, short_names

HEADER = ["", "TP_csc", "LF"]
ROWS: list[list[Cell]] = [
    ["a|b & c_1.ttl", Value(0.75, best=True), Value(2 / 3)],
    ["<x>.ttl", Value(0.5), None],
]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (None, "–"),
        (True, "yes"),
        (False, "no"),
        (1234567, "1,234,567"),
        (0.12345, "0.123"),
        ("text", "text"),
        (Value(0.0), "0.000"),
        (Value(1.0), "1.000"),
        (Value(2 / 3), "0.667"),
        (Value(12345.0), "12,345"),  # a count
        (Value(-3.0), "-3"),
        (Value(12.5), "12.500"),
        (Value(math.inf), "inf"),
        (Value(0.5, interval=(0.25, 0.75)), "0.500 [0.250, 0.750]"),
    ],
)
def test_people_read_three_digits(cell: Cell, expected: str) -> None:
    assert rounded_text(cell) == expected


def test_the_number_of_digits_can_be_chosen() -> None:
    assert rounded_text(Value(2 / 3, interval=(1 / 3, 1.0)), 1) == "0.7 [0.3, 1.0]"
    assert rounded_text(2 / 3, 5) == "0.66667"
    assert "0.6667" in render("", HEADER, ROWS, "markdown", precision=4)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (1234567, "1234567"),
        (2 / 3, "0.6666666666666666"),
        ("a\t\nb", "a b"),
    ],
)
def test_machines_read_everything(cell: Cell, expected: str) -> None:
    assert exact_text(cell) == expected


@given(st.floats(allow_nan=False))
def test_a_number_reads_back_from_its_exact_form(number: float) -> None:
    assert float(exact_text(Value(number, best=True, interval=(0.0, 1.0)))) == number


def test_a_tsv_has_one_line_per_row_and_nothing_marked() -> None:
    assert render("title", HEADER, ROWS, "tsv") == (
        "\tTP_csc\tLF\na|b & c_1.ttl\t0.75\t0.6666666666666666\n<x>.ttl\t0.5\t\n"
    )


def test_a_header_with_a_tab_in_it_stays_one_column_of_a_tsv() -> None:
    lines = render("", ["", "TP(extract=sc,\tover=common)"], [["a", 0.5]], "tsv").splitlines()
    assert [line.count("\t") for line in lines] == [1, 1]


@given(
    st.lists(
        st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), min_size=3, max_size=3), max_size=3
    )
)
def test_a_csv_reads_back(texts: list[list[str]]) -> None:
    header = ["", "TP(extract=sc, over=common)", 'a "b"']
    found = list(csv.reader(io.StringIO(render("", header, texts, "csv"), newline="")))
    assert found[0] == header
    assert found[1:] == [[exact_text(text) for text in row] for row in texts]


def test_markdown_marks_the_best_and_escapes_bars() -> None:
    assert render("title", HEADER, ROWS, "markdown") == (
        "|  | TP_csc | LF |\n| --- | ---: | ---: |\n| a\\|b & c_1.ttl | **0.750** | 0.667 |\n| <x>.ttl | 0.500 | – |\n"
    )


def test_latex_marks_the_best_and_escapes_its_own_signs() -> None:
    assert render("title", HEADER, ROWS, "latex") == (
        "\\begin{tabular}{lrr}\n\\hline\n"
        " & TP\\_csc & LF \\\\\n\\hline\n"
        "a|b \\& c\\_1.ttl & \\textbf{0.750} & 0.667 \\\\\n"
        "\\textless{}x\\textgreater{}.ttl & 0.500 & – \\\\\n"
        "\\hline\n\\end{tabular}\n"
    )
    odd = render("", ["\\{}$&#_%~^"], [], "latex")
    assert "\\textbackslash{}\\{\\}\\$\\&\\#\\_\\%\\textasciitilde{}\\textasciicircum{}" in odd


def test_html_marks_the_best_and_escapes_what_files_are_called() -> None:
    assert render("A & B", HEADER, ROWS, "html") == (
        "<table><caption>A &amp; B</caption>\n"
        "<thead><tr><th></th><th>TP_csc</th><th>LF</th></tr></thead>\n"
        "<tr><th>a|b &amp; c_1.ttl</th><td><b>0.750</b></td><td>0.667</td></tr>\n"
        "<tr><th>&lt;x&gt;.ttl</th><td>0.500</td><td>–</td></tr>\n"
        "</table>\n"
    )
    assert render("", ["x"], [], "html").startswith("<table>\n")


@given(st.text(max_size=12), st.text(max_size=12))
def test_no_text_becomes_markup_in_html(title: str, name: str) -> None:
    tags = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append((tag, attrs))

    reader = Reader()
    reader.feed(render(title, ["", name], [[name, Value(1.0, best=True)]], "html"))
    expected = ["table", *(["caption"] if title else []), "thead", "tr", "th", "th", "tr", "th", "td", "b"]
    assert tags == [(tag, []) for tag in expected]


def test_a_terminal_gets_a_star_beside_the_best() -> None:
    lines = render("Scores", HEADER, ROWS, "table").splitlines()
    assert lines[0] == "Scores"
    assert [line.split() for line in lines if ".ttl" in line] == [
        ["a|b", "&", "c_1.ttl", "0.750*", "0.667"],
        ["<x>.ttl", "0.500", "–"],
    ]
    (first, second) = (line for line in lines if ".ttl" in line)
    assert first.index("0.750") == second.index("0.500")  # the star stands outside the column of digits


def test_a_terminal_without_a_best_value_has_no_star() -> None:
    assert "*" not in render("", HEADER, [["x", Value(0.5), Value(0.25)]], "table")


def test_brackets_are_no_markup_in_a_terminal() -> None:
    text = render("", ["", "[bold]m[/bold]"], [["[red]x", Value(0.5, interval=(0.25, 0.75))]], "table")
    assert "[bold]m[/bold]" in text
    assert "[red]x" in text
    assert "0.500 [0.250, 0.750]" in text


@pytest.mark.parametrize("columns", ["20", "40", "80", "300"])
def test_numbers_never_break_however_narrow_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    header = ["", *(f"Measure{n}(extract=sc, over=common, average=micro)" for n in range(12))]
    row: list[Cell] = [
        "a-rather-long-file-name.owl",
        *(Value(0.5 + n / 1000, interval=(0.125, 0.875)) for n in range(12)),
    ]
    text = render("", header, [row], "table")
    for n in range(12):
        assert f"{0.5 + n / 1000:.3f} [0.125, 0.875]" in text


def test_a_table_without_rows_has_its_header() -> None:
    for layout in set(Layout) - {Layout.JSON}:
        assert "Name" in render("", ["Name"], [], layout)


def test_json_has_an_object_for_each_row_and_the_cells_as_they_are() -> None:
    rows: list[list[Cell]] = [["a\tb", Value(2 / 3, best=True, interval=(0.5, 1.0))], ["ä", None]]
    assert json.loads(render("title", ["name", "value"], rows, "json")) == [
        {"name": "a\tb", "value": 2 / 3},
        {"name": "ä", "value": None},
    ]


@pytest.mark.parametrize("layout", Layout)
def test_a_layout_is_given_as_itself_or_by_its_name(layout: Layout) -> None:
    assert render("title", HEADER, ROWS, layout) == render("title", HEADER, ROWS, layout.value)


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"^'latx' is no layout\. Did you mean 'latex'\? Choose from: table, "):
        render("title", HEADER, ROWS, "latx")


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], []),
        (["/a/b/x.ttl"], ["x.ttl"]),
        (["/a/x.ttl", "/b/x.ttl", "/b/y.ttl"], ["a/x.ttl", "b/x.ttl", "b/y.ttl"]),
        (["/a/c/x.ttl", "/b/c/x.ttl"], ["a/c/x.ttl", "b/c/x.ttl"]),
        (["x.ttl", "x.ttl"], ["x.ttl", "x.ttl"]),
        (["x.ttl", "a/x.ttl"], ["x.ttl", "a/x.ttl"]),
        (["/x.ttl", "x.ttl"], ["/x.ttl", "x.ttl"]),
    ],
)
def test_names_are_as_long_as_it_takes_to_tell_them_apart(paths: list[str], expected: list[str]) -> None:
    assert short_names(paths) == expected


def test_very_deep_folders_are_still_told_apart() -> None:
    deep = "/".join("d" * 30)
    assert short_names([f"a/{deep}/x", f"b/{deep}/x"]) == [f"a/{deep}/x", f"b/{deep}/x"]
