"""Figures as files: both writers draw the same, nothing is outside the page, odd names do no harm."""

from __future__ import annotations

import itertools
import math
import string
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from svg_figures import SVG, SvgFigure, Text

import ontoeval as oe
from ontoeval.report.figures import write_figure
from ontoeval.report.figures.dots import dots_figure
from ontoeval.report.figures.layout import lay_out
from ontoeval.report.figures.marks import OUTLINES, Axis, Figure, Line, Panel, Points, Tick
from ontoeval.report.figures.matplotlib import matplotlib_figure
from ontoeval.report.figures.precision_recall import precision_recall_figure
from ontoeval.report.figures.scales import nice_ticks, unit_axis
from ontoeval.report.figures.scores import Estimate, ScoreRows
from ontoeval.report.figures.svg import svg_text
from ontoeval.report.figures.text_width import text_width

NAMES = ("LP", "LR", "LF", "EdgeP", "EdgeR", "EdgeF")
HOSTILE = (
    "<script>alert(1)</script>", "a & b", "]]>", "\"quoted'", "x" * 300, "many words " * 30, "שלום עולם", "مرحبا",
    "\u202eevil", "\x00\x1b[31m", "\ud800", "\ufffe", "漢字" * 40, "", " ", "$a_b$", "\\frac", "e\u0301", "😀",
)  # fmt: skip


def rows_of(names: list[str], values: list[list[Estimate | None]]) -> ScoreRows:
    """Rows with these values of precision and recall; F is their harmonic mean."""
    columns = dict(zip(NAMES, map(tuple, zip(*values, strict=True)), strict=True))
    measures = {name: oe.parse(name) for name in NAMES}
    return ScoreRows(tuple(names), columns, measures, ("LF", "EdgeF"), "gold.ttl")


def estimates() -> st.SearchStrategy[Estimate | None]:
    value = st.floats(0, 1) | st.sampled_from([0.0, 0.5, 1.0])
    whole = st.tuples(value, value, value).map(lambda three: Estimate(sorted(three)[1], min(three), max(three)))
    return st.none() | value.map(Estimate) | whole


@st.composite
def many_rows(draw: st.DrawFn) -> ScoreRows:
    count = draw(st.integers(1, 24))
    name = st.text(string.ascii_letters + string.punctuation + " ", min_size=1, max_size=60) | st.sampled_from(HOSTILE)
    names = draw(st.lists(name, min_size=count, max_size=count))
    return rows_of(names, [[draw(estimates()) for _ in NAMES] for _ in range(count)])


@cache
def font(*, bold: bool) -> object:
    import matplotlib as mpl
    from matplotlib.ft2font import FT2Font

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    found = FT2Font(str(Path(mpl.get_data_path()) / "fonts" / "ttf" / name))
    found.set_size(100, 72)
    return found


def width(text: Text) -> float:
    """As the font itself says, for ASCII; it is the widest of the fonts that may be used."""
    if not text.text.isascii():
        return text_width(text.text, text.size, bold=text.bold)
    found = font(bold=text.bold)
    return sum(found.load_char(ord(letter)).linearHoriAdvance / 65536 for letter in text.text) * text.size / 100  # type: ignore[attr-defined]


def box(text: Text) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    wide, ascent, descent = width(text), 0.76 * text.size, 0.24 * text.size
    shift = {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
    if text.turned:
        return text.x - ascent, text.y - wide + shift, text.x + descent, text.y + shift
    return text.x - shift, text.y - ascent, text.x - shift + wide, text.y + descent


def assert_inside(figure: SvgFigure) -> None:
    for text in figure.texts():
        left, top, right, bottom = box(text)
        assert left >= -0.01, text
        assert top >= -0.01, text
        assert right <= figure.width + 0.01, text
        assert bottom <= figure.height + 0.01, text


@settings(max_examples=40, deadline=None)
@given(rows=many_rows())
def test_no_text_is_outside_the_page_whatever_the_names_and_values(rows: ScoreRows) -> None:
    for figure in (precision_recall_figure(rows), dots_figure(rows)):
        found = SvgFigure(svg_text(lay_out(figure)))
        assert_inside(found)
        assert (figure.width, found.width) == (figure.width, pytest.approx(figure.width / 25.4 * 72, abs=0.01))


@settings(max_examples=15, deadline=None)
@given(rows=many_rows())
def test_both_writers_draw_the_same_marks(rows: ScoreRows) -> None:
    from matplotlib.lines import Line2D

    for figure in (precision_recall_figure(rows), dots_figure(rows)):
        drawing = lay_out(figure)
        svg, page = SvgFigure(svg_text(drawing)), matplotlib_figure(drawing)
        points_per_inch, height = page.dpi / 72, page.bbox.height

        def on_page(x: float, y: float, transform: object) -> tuple[float, float]:
            right, up = transform.transform((x, y))  # type: ignore[attr-defined]
            return right / points_per_inch, (height - up) / points_per_inch  # noqa: B023

        drawn = [a for a in page.get_children() if isinstance(a, Line2D) and a.get_marker() == "o"]
        dots = [on_page(x, y, a.get_transform()) for a in drawn for x, y in zip(*a.get_data(), strict=True)]
        expected = [(dot.x, dot.y) for group in svg.groups() for dot in svg.dots(group)]
        assert dots == [pytest.approx(dot, abs=0.006) for dot in expected]
        words = [(text.get_text(), on_page(*text.get_position(), text.get_transform())) for text in page.texts]
        kept = [text for text in svg.texts() if "\ufffd" not in text.text]
        assert [at for name, at in words if name.isprintable() and "\ufffe" not in name] == [
            pytest.approx((text.x, text.y), abs=0.006) for text in kept
        ]
        paths = sum(1 for _ in svg.root.iter(f"{SVG}path"))
        assert len(page.get_children()) - 1 - len(page.texts) - len(drawn) == paths  # 1: the ground


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_odd_names_are_drawn_and_do_nothing(suffix: str, tmp_path: Path) -> None:
    ontology = oe.Ontology.from_edges([("a", "b"), ("c", "b")])
    result = oe.evaluate(oe.Comparison(ontology, ontology, oe.match(ontology, ontology)), ["LP", "LR", "LF"])
    table = oe.ResultTable([result] * len(HOSTILE), HOSTILE)
    for name in ("x", "y"):
        write_figure(table, tmp_path / f"{name}{suffix}", "dots")
    assert (tmp_path / f"x{suffix}").read_bytes() == (tmp_path / f"y{suffix}").read_bytes()
    if suffix != ".svg":
        return
    for figure in ("dots", "pr", "hist"):
        write_figure(table, tmp_path / "x.svg", figure)
        found = SvgFigure(tmp_path / "x.svg")
        assert {element.tag.removeprefix(SVG) for element in found.root.iter()} <= {
            "svg", "title", "desc", "rect", "g", "path", "circle", "text",
        }  # fmt: skip
        assert not any(character in found.source for character in "\u202e\x00\x1b\ufffe")
        assert {"a & b", "$a_b$", "שלום עולם"} <= set(found.words())
        assert_inside(found)


def test_a_file_is_accessible_and_has_its_size_in_millimetres() -> None:
    rows = rows_of(["one", "two"], [[Estimate(0.5)] * 6, [Estimate(0.25, 0.2, 0.3)] * 6])
    found = SvgFigure(svg_text(lay_out(precision_recall_figure(rows))))
    assert found.root.attrib["role"] == "img"
    assert found.root.attrib["width"] == "85mm"
    assert [child.tag for child in found.root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert found.title == "Precision and recall: 2 runs against gold.ttl"
    assert "one 0.500, 0.500; two 0.250 [0.200, 0.300], 0.250 [0.200, 0.300]." in found.description
    assert {text.size for text in found.texts()} <= {7.0, 8.0}


def test_labels_cover_neither_points_nor_each_other() -> None:
    values = [(0.1 + 0.2 * (n % 4), 0.15 + 0.25 * (n // 4)) for n in range(12)]
    rows = rows_of([f"run {n}" for n in range(12)], [[Estimate(p), Estimate(r), Estimate(0)] * 2 for p, r in values])
    found = SvgFigure(svg_text(lay_out(precision_recall_figure(rows))))
    labels = [box(text) for text in found.texts("panel-0") if text.text.startswith("run ")]
    assert len(labels) == 12
    for number, one in enumerate(labels):
        for other in labels[number + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        for dot in found.dots("panel-0"):
            nearest = min(max(dot.x, one[0]), one[2]), min(max(dot.y, one[1]), one[3])
            assert math.dist(nearest, (dot.x, dot.y)) >= 2


def test_numbers_stand_for_names_without_room_and_are_explained_below() -> None:
    names = [f"a rather long name of the run {n}" for n in range(1, 21)]
    rows = rows_of(names, [[Estimate(0.9), Estimate(0.8), Estimate(0)] * 2 for _ in names])
    found = SvgFigure(svg_text(lay_out(precision_recall_figure(rows))))
    assert "1–20" in found.words("panel-0")
    assert found.words("key") == [text for n, name in enumerate(names, 1) for text in (str(n), name)]


@settings(deadline=None)
@given(low=st.floats(-1e6, 1e6), size=st.floats(1e-3, 1e6), most=st.integers(2, 8))
def test_ticks_are_few_even_and_inside(low: float, size: float, most: int) -> None:
    ticks = nice_ticks(low, low + size, most)
    values = [tick.value for tick in ticks]
    assert len(values) <= 1.25 * most + 1.01
    assert all(low - 1e-6 * size <= value <= low + size + 1e-6 * size for value in values)
    steps = [after - before for before, after in itertools.pairwise(values)]
    assert steps == [pytest.approx(step, rel=1e-6) for step in steps[:1] * len(steps)]
    texts = [tick.text for tick in ticks]
    assert len(set(texts)) == len(texts)
    assert [float(text.replace(",", "").replace("−", "-")) for text in texts] == pytest.approx(
        values, rel=1e-6, abs=1e-9
    )


def test_ticks_without_room_are_left_out_evenly() -> None:
    x = Axis(0, 1, tuple(Tick(n / 100, f"{n / 100:.2f}") for n in range(101)))
    figure = Figure("t", "d", (Panel(x, unit_axis(), ()),), 1)
    found = SvgFigure(svg_text(lay_out(figure)))
    shown = [text for text in found.texts("panel-0") if text.anchor == "middle"]
    assert 3 < len(shown) < 30
    assert all(box(left)[2] < box(right)[0] for left, right in itertools.pairwise(shown))
    left, right = found.horizontal("panel-0")
    assert [text.x for text in shown] == [pytest.approx(left + float(t.text) * (right - left), abs=0.02) for t in shown]


def test_lines_of_a_legend_differ_in_shape_or_dash_not_only_in_colour() -> None:
    assert len(set(OUTLINES.values())) == len(OUTLINES)
    lines = tuple(
        mark
        for shape in OUTLINES
        for mark in (Line(((0, 0), (1, 1)), name=shape), Points(((0, 0),), shape, name=shape))
    )
    found = SvgFigure(svg_text(lay_out(Figure("t", "d", (Panel(unit_axis(), unit_axis(), lines),), 1))))
    assert found.words("legend") == list(OUTLINES)
    assert_inside(found)
