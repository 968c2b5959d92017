"""Scatter plots of measures against ratings."""

from __future__ import annotations

import math
import random
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.analysis.human_agreement import HumanAgreement, agree
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.report.figures import check_figure_file, figure_of, write_figure
from ontoeval.report.figures.scores import score_rows

SVG = "{http://www.w3.org/2000/svg}"
EDGES = [(f"word{n}", f"word{n // 3}") for n in range(1, 400)]


def made(count: int, measures: list[str], *, seed: int = 0, odd: str = "") -> HumanAgreement:
    draw = random.Random(seed)
    ontology = oe.Ontology.from_edges(EDGES, labels={"word7": odd} if odd else None)
    words = [f"word{n}" for n in range(400) if not (odd and n == 7)] + ([odd] if odd else [])
    rows = [(draw.choice(words), odd or draw.choice(words), round(draw.uniform(0, 4), 2)) for _ in range(count)]
    return agree(ontology, rows, measures, confidence=None)


def texts(root: ET.Element) -> list[str]:
    return ["".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")]


def panels(root: ET.Element) -> list[str]:
    ids = [element.get("id") or "" for element in root.iter(f"{SVG}g")]
    return [name for name in ids if re.fullmatch(r"panel-\d+", name)]


@pytest.mark.parametrize("measures", [["Lin"], ["Lin", "WP"], ["Lin", "WP", "Rada(scale=distance)", "LC", "JC"]])
def test_an_svg_has_a_panel_for_each_measure_with_its_r(tmp_path: Path, measures: list[str]) -> None:
    agreement = made(30, measures)
    write_figure(agreement, tmp_path / "plot.svg")
    root = ET.parse(tmp_path / "plot.svg").getroot()
    assert root.tag == f"{SVG}svg"
    assert panels(root) == [f"panel-{number}" for number in range(len(measures))]
    said = texts(root)
    for found in agreement:
        assert found.name in said
        assert f"r = {found.pearson.value:.3f}, 30 pairs" in said
    assert said.count("rating") == len(measures)
    assert said.count("distance (axis inverted)") == measures.count("Rada(scale=distance)")


def test_few_points_are_labelled_with_their_words_and_many_are_not(tmp_path: Path) -> None:
    few, many = made(8, ["Lin"]), made(61, ["Lin"])
    for agreement, name in ((few, "few.svg"), (many, "many.svg")):
        write_figure(agreement, tmp_path / name)
    said = texts(ET.parse(tmp_path / "few.svg").getroot())
    assert all("–".join(few.task.written(pair)) in said for pair in range(8))
    assert not any("–" in text for text in texts(ET.parse(tmp_path / "many.svg").getroot()))


@pytest.mark.parametrize(
    ("name", "start"), [("plot.svg", b"<svg "), ("plot.pdf", b"%PDF-1."), ("plot.PNG", b"\x89PNG\r\n\x1a\n")]
)
def test_the_same_data_gives_the_same_bytes_and_nothing_else_is_left_behind(
    tmp_path: Path, name: str, start: bytes
) -> None:
    (tmp_path / name).write_bytes(b"old")
    contents = []
    for _ in range(2):
        write_figure(made(20, ["Lin", "WP"]), tmp_path / name)
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    assert contents[0].startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert re.search(rb"20\d\d-\d\d-\d\d", contents[0]) is None


def test_thousands_of_points_make_no_heavy_file(tmp_path: Path) -> None:
    agreement = made(3000, ["Lin", "WP"])
    write_figure(agreement, tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size < 500_000
    assert "r = " in (tmp_path / "plot.svg").read_text(encoding="utf-8")


def test_settings_of_matplotlib_neither_matter_nor_change(tmp_path: Path) -> None:
    import matplotlib as mpl

    write_figure(made(5, ["Lin"]), tmp_path / "a.png")
    with mpl.rc_context({"font.size": 30, "axes.grid": True}):
        write_figure(made(5, ["Lin"]), tmp_path / "b.png")
        assert mpl.rcParams["font.size"] == 30
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_words_of_any_letters_are_drawn(tmp_path: Path) -> None:
    for odd in ("$a_b$", "漢字 <&>", "\\frac"):
        write_figure(made(5, ["Rada"], odd=odd), tmp_path / "plot.svg")
        assert any(odd in text for text in texts(ET.parse(tmp_path / "plot.svg").getroot()))


@pytest.mark.parametrize("ratings", [[3.0], [3.0, 3.0]])
def test_what_has_no_coefficient_is_drawn_without_a_line(tmp_path: Path, ratings: list[float]) -> None:
    ontology = oe.Ontology.from_edges(EDGES)
    rows = [("word1", f"word{n + 2}", rating) for n, rating in enumerate(ratings)]
    write_figure(agree(ontology, rows, "Rada"), tmp_path / "plot.svg")
    said = texts(ET.parse(tmp_path / "plot.svg").getroot())
    assert f"r = undefined, {len(ratings)} pair{'s' if len(ratings) > 1 else ''}" in said


def test_infinite_values_are_not_drawn(tmp_path: Path) -> None:
    parts = oe.Ontology.from_edges([("a", "b"), ("b", "c"), ("y", "z")], root="none")
    rows = [("a", "b", 3.0), ("a", "c", 2.0), ("a", "z", 1.0)]
    found = agree(parts, rows, "Rada(scale=distance)")
    assert np.isinf(found.measures[0].values).sum() == 1
    write_figure(found, tmp_path / "plot.svg")
    said = texts(ET.parse(tmp_path / "plot.svg").getroot())
    assert "r = 1.000, 2 pairs" in said
    assert "a–b" in said
    assert "a–z" not in said
    write_figure(agree(parts, rows[2:], "Rada(scale=distance)"), tmp_path / "plot.svg")  # nothing at all


@pytest.mark.parametrize(
    ("name", "problem"), [("plot.jpg", "unknown suffix '.jpg'"), ("plot", "no suffix"), ("svg", "no suffix")]
)
def test_other_formats_are_refused(name: str, problem: str) -> None:
    with pytest.raises(ParameterError) as error:
        check_figure_file(name)
    assert str(error.value) == f"{name}: {problem}. Use one of: .svg .pdf .png."


def test_svg_needs_nothing_and_others_say_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for suffix in (".png", ".pdf"):
        with pytest.raises(MissingInputError) as error:
            check_figure_file(f"plot{suffix}")
        assert str(error.value) == (
            "a figure as .pdf or .png needs matplotlib. "
            "Run `pip install 'ontoeval-toolkit[plot]'`, or write .svg, which needs nothing."
        )
    write_figure(made(3, ["Rada"]), tmp_path / "plot.svg")
    assert "rating" in texts(ET.parse(tmp_path / "plot.svg").getroot())


def test_ratings_have_one_figure_only() -> None:
    with pytest.raises(ParameterError) as error:
        figure_of(made(3, ["Rada"]), "pr")
    assert str(error.value) == "no figure 'pr': these results have one figure only. Remove figure=."


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(oe.OntoevalError) as error:
        write_figure(made(3, ["Rada"]), tmp_path / "nowhere" / "plot.svg")
    assert str(error.value) == (
        f"{tmp_path / 'nowhere' / 'plot.svg'}: cannot be written (No such file or directory); choose another path."
    )


def test_systems_of_several_runs_have_their_means_and_deviations() -> None:
    """Two systems of two runs: LR 1.0 and 0.8, 0.5 and 0.5; sd = 0.2 / sqrt 2."""
    gold = oe.Ontology.from_edges([(f"c{n}", "root") for n in range(9)])
    results = []
    for size in (9, 7, 4, 4):
        learned = oe.Ontology.from_edges([(f"c{n}", "root") for n in range(size)])
        results.append(oe.evaluate(oe.Comparison(learned, gold, oe.match(learned, gold)), ["LP", "LR"]))
    table = oe.ResultTable(results, ["good1", "good2", "bad1", "bad2"]).group("auto")
    rows = score_rows(table)
    deviation = 0.2 / math.sqrt(2)
    assert rows.names == ("good", "bad")
    assert rows.columns["LR"] == (pytest.approx((0.9, 0.9 - deviation, 0.9 + deviation)), (0.5, 0.5, 0.5))
    assert (rows.title, rows.notes()) == (
        "2 systems against (memory)",
        ("Bars: mean ± standard deviation of the runs of a system.",),
    )
    for figure in ("hist", "curve"):
        with pytest.raises(ParameterError, match=f"no figure '{figure}': it shows single runs, not systems of several"):
            figure_of(table, figure)
