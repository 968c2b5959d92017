"""A table in every layout."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shutil
import subprocess
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ontoeval.errors import ParameterError
from ontoeval.tables import Cell, Layout, Value, exact_text, render, rounded_text, short_names
from ontoeval.tables.folding import cut, fold_names, names_within
from ontoeval.tables.names import file_names, name_beside

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
        "% title\n\\begin{tabular}{lrr}\n\\toprule\n"
        " & TP\\_csc & LF \\\\\n\\midrule\n"
        "a\\textbar{}b \\& c\\_1.ttl & \\textbf{0.750} & 0.667 \\\\\n"
        "\\textless{}x\\textgreater{}.ttl & 0.500 & -- \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    )
    odd = render("", ["\\{}$&#_%~^"], [], "latex")
    assert "\\textbackslash{}\\{\\}\\$\\&\\#\\_\\%\\textasciitilde{}\\textasciicircum{}" in odd


SPREAD = [
    ["one", Value(0.9234, best=True, sd=0.0204, letters="bc")],
    ["two", Value(0.5)],
    ["six", Value(2.0, sd=1.25)],
]


def test_a_deviation_stands_beside_its_mean_without_the_zero() -> None:
    assert render("", ["", "F"], SPREAD, "table") == (
        "        F\n"
        "  one   0.923 ±.020 *bc\n"
        "  two   0.500\n"
        "  six   2.000 ±1.250\n"
    )  # fmt: skip
    assert render("", ["", "F"], SPREAD, "markdown").splitlines()[2:] == [
        "| one | **0.923** ±.020 bc |", "| two | 0.500 |", "| six | 2.000 ±1.250 |",
    ]  # fmt: skip
    assert render("", ["", "F"], SPREAD, "latex").splitlines()[4:7] == [
        "one & \\textbf{0.923} {\\scriptsize$\\pm$.020}$^{bc}$ \\\\",
        "two & 0.500 \\\\",
        "six & 2.000 {\\scriptsize$\\pm$1.250} \\\\",
    ]
    assert "<b>0.923</b> <small>±.020</small><sup>bc</sup>" in render("", ["", "F"], SPREAD, "html")
    assert "±0" in render("", ["", "F"], SPREAD, "table", precision=0)
    assert render("", ["", "F"], SPREAD, "csv") == ",F\none,0.9234\ntwo,0.5\nsix,2.0\n"


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp", "Cs"]), max_size=12))
def test_latex_of_any_name_has_only_known_commands_and_gives_the_name_back(name: str) -> None:
    """Without the commands it is the name: no sign of LaTeX's own is left bare, braces are balanced."""
    text = render("", ["", "F"], [["x" + name, 1.0]], "latex").splitlines()[4].removesuffix(" & 1.000 \\\\")
    letters = {"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "i": "ı"}
    signs = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<",
             "textgreater": ">", "textbar": "|"}  # fmt: skip
    accents = dict(zip("`'^~\"r=u.vHckdb", "\u0300\u0301\u0302\u0303\u0308\u030a\u0304\u0306\u0307\u030c\u030b"
                       "\u0327\u0328\u0323\u0331", strict=True))  # fmt: skip
    plain = re.sub(r"\\([A-Za-z]{1,15})\{\}", lambda m: f"\0{ord((letters | signs)[m[1]])}\1", text)
    while (inner := re.sub(r"\\([`'^~\"=.ruvHckdb])\{([^{}\\]+)\}", lambda m: m[2] + accents[m[1]], plain)) != plain:
        plain = inner
    plain = re.sub(r"\\([{}$&#_%])", lambda m: f"\0{ord(m[1])}\1", plain)
    assert not re.search(r"[\\{}$&#_%~^<>|]", plain)
    restored = re.sub("\0(\\d+)\1", lambda m: chr(int(m[1])), plain)
    assert unicodedata.normalize("NFC", restored) == unicodedata.normalize("NFC", "x" + name)


ENGINES = [engine for engine in ("pdflatex", "xelatex", "lualatex", "tectonic") if shutil.which(engine)]


@pytest.mark.slow
@pytest.mark.skipif(not ENGINES, reason="no LaTeX is installed")
def test_latex_compiles(tmp_path: Path) -> None:
    names = ["a_b & 5% #$~^{}<>|\\", "[b]", "*c", "Öl, café, Łódź", "–"]
    rows = [[name, *row[1:]] for name, row in zip(names, SPREAD * 2, strict=False)]
    table = render("", ["", "F_1"], rows, "latex")
    document = f"\\documentclass{{article}}\\usepackage{{booktabs}}\\begin{{document}}\n{table}\\end{{document}}\n"
    (tmp_path / "t.tex").write_text(document, encoding="utf-8")
    options = [] if ENGINES[0] == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    done = subprocess.run([ENGINES[0], *options, "t.tex"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_latex_rows_that_begin_with_a_bracket_are_no_arguments() -> None:
    """After `\\\\` and a line break LaTeX would take [x] or * for its own."""
    rows = render("", ["", "F"], [["[x]", 1], ["*", 2]], "latex").splitlines()[4:6]
    assert rows == ["{[}x] & 1 \\\\", "{*} & 2 \\\\"]


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


RUNS: list[list[Cell]] = [
    ["a QASSIT", Value(0.996, best=True, letters="bc"), Value(0.173), Value(0.557), 260, 1],
    ["b TAXI", Value(0.719, letters="c"), Value(0.299, best=True, letters="ac"), Value(0.604, best=True), 147, 1114],
]


def test_marks_stand_behind_the_digits_and_counts_to_the_right() -> None:
    assert render("2 runs", ["", "LF", "EdgeF", "TF_csc", "common", "missing"], RUNS, "table") == (
        "2 runs\n"
        "             LF        EdgeF     TF_csc  common  missing\n"
        "  a QASSIT   0.996*bc  0.173     0.557      260        1\n"
        "  b TAXI     0.719 c   0.299*ac  0.604*     147    1,114\n"
    )


def test_a_table_of_numbers_that_is_too_wide_is_transposed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    assert render("2 runs of two systems", ["", "LF", "EdgeF", "TF_csc", "common", "missing"], RUNS, "table") == (
        "2 runs of two systems\n"
        "            a QASSIT  b TAXI\n"
        "  LF        0.996*bc  0.719 c\n"
        "  EdgeF     0.173     0.299*ac\n"
        "  TF_csc    0.557     0.604*\n"
        "  common      260       147\n"
        "  missing       1     1,114\n"
    )


def test_a_table_that_is_too_wide_either_way_is_printed_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    rows: list[list[Cell]] = [[f"run{n}", *(n / 10 + m / 100 for m in range(8))] for n in range(10)]
    first, second = render("", ["", *(f"m{m}" for m in range(8))], rows, "table").split("\n\n")
    assert [line.split() for line in first.splitlines()[:2]] == [
        ["m0", "m1", "m2", "m3"],
        ["run0", "0.000", "0.010", "0.020", "0.030"],
    ]
    assert [line.split() for line in second.splitlines()[:2]] == [
        ["m4", "m5", "m6", "m7"],
        ["run0", "0.040", "0.050", "0.060", "0.070"],
    ]
    assert second.count("\n") == 11


def test_words_fold_and_the_lines_of_a_name_are_indented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    rows: list[list[Cell]] = [
        ["degradation of the environment", 12345, "the rest of what there is to say"],
        ["air", 1, "short"],
    ]
    assert render("", ["concept", "links", "remark"], rows, "table") == (
        "  concept          links  remark\n"
        "  ──────────────────────────────────────\n"
        "  degradation of  12,345  the rest of\n"
        "    the                   what there is\n"
        "    environment           to say\n"
        "  air                  1  short\n"
    )


def test_a_very_long_text_ends_in_an_ellipsis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = render("", ["", "text"], [["a", "word " * 100]], "table").splitlines()
    assert len(lines) == 2 + 6
    assert lines[-1].endswith("word…")


def test_no_text_moves_the_cursor_or_breaks_a_line() -> None:
    text = render("", ["", "a\nb"], [["x\x1b[31m", "one\r\ntwo\u2028three"]], "table")
    assert text == "             a b\n  x\\x1b[31m  one two\\u2028three\n"


# Latin with combining accents, kana, Chinese and Hangul, emoji: what Python and rich find equally wide
BLOCKS = [
    (0x21, 0x7E),
    (0xC0, 0x24F),
    (0x300, 0x34E),
    (0x3041, 0x3096),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0x1F330, 0x1F37F),
]
LETTERS = st.one_of(*(st.characters(min_codepoint=low, max_codepoint=high) for low, high in BLOCKS))
WORDS = st.text(st.sampled_from("ab -_./1,") | LETTERS, max_size=40)
NUMBERS = st.integers(-(10**12), 10**12) | st.floats(-1e6, 1e6) | st.none() | st.booleans()
VALUES = st.builds(
    Value, st.floats(0, 1), st.booleans(), st.none() | st.just((0.25, 0.75)), st.sampled_from(["", "a", "abc"])
)


@given(st.data(), st.integers(40, 200))
def test_no_line_is_wider_than_the_terminal_and_every_number_is_whole(data: st.DataObject, columns: int) -> None:
    width = data.draw(st.integers(1, 12))
    kinds = [WORDS, *(data.draw(st.sampled_from([WORDS, NUMBERS, VALUES])) for _ in range(width - 1))]
    rows = data.draw(st.lists(st.tuples(*kinds).map(list), max_size=6))
    header = data.draw(st.lists(WORDS, min_size=width, max_size=width))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        text = render(data.draw(WORDS), header, rows, "table")
    assert max(map(cell_len, text.splitlines()), default=0) <= columns
    for row in rows:
        for cell in row:
            if not isinstance(cell, str):
                assert rounded_text(cell) in text


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
    with pytest.raises(ParameterError, match=r"^unknown layout 'latx'\. Did you mean 'latex'\? Use one of: table, "):
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
def test_file_names_are_as_long_as_it_takes_to_tell_them_apart(paths: list[str], expected: list[str]) -> None:
    assert file_names(paths) == expected


def test_very_deep_folders_are_still_told_apart() -> None:
    deep = "/".join("d" * 30)
    assert file_names([f"a/{deep}/x", f"b/{deep}/x"]) == [f"a/{deep}/x", f"b/{deep}/x"]


# lines


def test_names_are_folded_between_names() -> None:
    names = ["acinar cell carcinoma", "adenocarcinoma", "x"]
    assert fold_names(names, 80) == ["acinar cell carcinoma, adenocarcinoma, x"]
    assert fold_names(names, 30) == ["acinar cell carcinoma,", "adenocarcinoma, x"]
    assert fold_names(names, 12) == ["acinar cell", "carcinoma,", "adenocarcino", "ma,", "x"]
    assert fold_names([], 12) == [""]


def test_names_that_do_not_fit_on_a_line_are_an_ellipsis() -> None:
    names = ["acinar cell carcinoma", "adenocarcinoma", "x"]
    assert names_within(names, 80) == "acinar cell carcinoma, adenocarcinoma, x"
    assert names_within(names, 39) == "acinar cell carcinoma, …"
    assert names_within(names, 15) == "acinar cell ca…"
    assert names_within([], 15) == ""
    assert cut("日本語の", 7) == "日本語…"
    assert cut("日本語の", 8) == "日本語の"


@given(st.lists(WORDS, max_size=6), st.integers(8, 60))
def test_no_folded_line_is_wider_than_asked(names: list[str], width: int) -> None:
    names = [" ".join(name.split()) for name in names]
    assert all(cell_len(line) <= width for line in fold_names(names, width))
    assert cell_len(names_within(names, width)) <= width
    text = "".join(fold_names(names, width)).replace(" ", "")
    assert text == ",".join(names).replace(" ", "")  # nothing is lost


RUNS_EN = "texeval/runs-EN/environment_eurovoc"


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], []),
        (["/a/b/x.ttl"], ["x.ttl"]),
        (["/a/b/x.ttl", "/a/b/x.ttl"], ["x.ttl", "x.ttl"]),
        ([f"{RUNS_EN}.{name}.taxo" for name in ("TAXI", "NUIG-UNLP")], ["TAXI", "NUIG-UNLP"]),
        ([f"{RUNS_EN}.{name}.taxo" for name in ("A-TAXI", "A-USAAR")], ["TAXI", "USAAR"]),
        (["a/x.ttl", "b/x.ttl", "b/y.ttl"], ["a/x", "b/x", "b/y"]),
        (["a/c/x.ttl", "b/c/x.ttl", "a/c/x.ttl"], ["a", "b", "a"]),
        (["run1.ttl", "run2.ttl"], ["run1", "run2"]),
        (["runs/run-1.ttl", "runs/run-2.ttl"], ["run-1", "run-2"]),  # a number alone is no name
        (["2014/x.owl", "2019/x.owl"], ["2014/x", "2019/x"]),
        (["x.ttl", "a/x.ttl"], ["x", "a/x"]),
        (["1", "2"], ["1", "2"]),  # no letter anywhere
        (["a b_c.d", "a b-c.d"], ["b_c", "b-c"]),  # the same tokens with another separator
        (["x.tsv", "x.ttl"], ["tsv", "ttl"]),
        (["x.ttl", "x"], ["x.ttl", "x"]),
    ],
)
def test_names_of_rows_lack_the_tokens_that_all_share(paths: list[str], expected: list[str]) -> None:
    assert short_names(paths) == expected


@given(st.lists(st.text(st.sampled_from("ab1/._- "), min_size=1, max_size=8), min_size=2, max_size=5, unique=True))
def test_short_names_are_unique_parts_of_the_paths(paths: list[str]) -> None:
    names = short_names(paths)
    assert len(set(names)) == len(paths)
    assert all(name in path for name, path in zip(names, paths, strict=True))
    assert names == paths or all(any(map(str.isalpha, name)) for name in names)


@pytest.mark.parametrize(
    ("path", "other", "expected", "bare"),
    [
        (f"{RUNS_EN}.TAXI.taxo", "gold/environment_eurovoc.taxo", "TAXI.taxo", "TAXI"),
        ("learned.owl", "gold.ttl", "learned.owl", "learned.owl"),
        ("oc1.ttl", "or1.ttl", "oc1.ttl", "oc1"),
        ("new/doid.obo", "old/doid.obo", "doid.obo", "doid.obo"),
        ("DO_2014.obo.gz", "DO_2019.obo.gz", "DO_2014.obo.gz", "DO_2014.obo.gz"),  # a number alone is no name
        ("-", "gold.ttl", "-", "-"),
    ],
)
def test_a_name_in_a_title_lacks_what_the_name_beside_it_begins_with(
    path: str, other: str, expected: str, bare: str
) -> None:
    assert name_beside(path, other) == expected
    assert name_beside(path, other, suffix=False) == bare
