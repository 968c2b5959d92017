"""`-o FILE.svg|pdf|png --figure NAME` of the commands that score."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import helpers
import pytest
from click.testing import Result
from svg_figures import SvgFigure

ROOT = Path(__file__).parent.parent.parent / "fixtures"
RUNS = [str(ROOT / "dellschaft2006" / f"oc{n}.ttl") for n in (1, 2, 3)]
GOLD = str(ROOT / "dellschaft2006" / "or2.ttl")
NEWS = ROOT / "annotations"
ANNOTATIONS = ("annotations", NEWS / "far", NEWS / "near", "--gold", NEWS / "key", "--ontology", NEWS / "news.ttl")

run = helpers.run
compare = partial(helpers.run, "compare", *RUNS, "--gold", GOLD)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def drawn(result: Result, path: str = "x.svg") -> SvgFigure:
    assert result.exit_code == 0, result.stderr
    return SvgFigure(Path(path))


def test_by_default_precision_and_recall_are_drawn_and_a_note_says_so(here: Path) -> None:
    result = compare("-o", "x.svg")
    assert drawn(result).title == "Precision and recall: 3 runs against or2.ttl"
    assert "note: x.svg: figure pr (--figure: also dots, hist)\n" in result.stderr
    assert "TF_csc" in result.stdout
    result = compare("-o", "x.svg", "--figure", "pr")
    assert "figure pr" not in result.stderr


@pytest.mark.parametrize("figure", ["pr", "dots", "hist"])
def test_annotations_and_labels_have_figures(figure: str, here: Path) -> None:
    found = drawn(run(*ANNOTATIONS, "-o", "x.svg", "--figure", figure))
    assert any("near" in word for word in found.words())
    (here / "gold.tsv").write_text("d1\ta\nd1\tb\nd2\tc\n", encoding="utf-8")
    (here / "one.tsv").write_text("d1\ta\nd2\td\n", encoding="utf-8")
    (here / "two.tsv").write_text("d1\tb\nd2\tc\n", encoding="utf-8")
    found = drawn(run("labels", "one.tsv", "two.tsv", "--gold", "gold.tsv", "-o", "x.svg", "--figure", figure))
    assert any("two" in word for word in found.words())


def test_names_of_systems_are_those_of_the_points() -> None:
    names = [text for name in ("A", "B", "C") for text in ("--name", name)]
    found = drawn(compare("-o", "x.svg", "--figure", "dots", *names))
    assert {"A", "B", "C"} <= set(found.words("panel-0"))


def test_several_thresholds_are_a_curve(here: Path) -> None:
    rows = ["child\tparent\tconfidence", "b\ta\t0.9", "c\ta\t0.5", "d\tb\t0.2"]
    (here / "votes.tsv").write_text("\n".join(rows), encoding="utf-8")
    (here / "gold.tsv").write_text("b\ta\nc\ta\nd\tc\n", encoding="utf-8")
    arguments = ("compare", "votes.tsv", "--gold", "gold.tsv", "--min-confidence", "0.1,0.4,0.8", "-o", "x.svg")
    result = run(*arguments)
    assert "minimum confidence" in drawn(result).words()
    assert "note: x.svg: figure curve (--figure: also pr, dots, hist)\n" in result.stderr
    # links: 3 learned, 2 of them right, of 3; then 2 of 2; then 1 of 1
    descriptions = [dot.description for dot in drawn(result).dots("panel-1")]
    assert descriptions == ["F at 0.1: 0.667", "F at 0.4: 0.800", "F at 0.8: 0.500"]


@pytest.mark.parametrize(
    ("arguments", "message", "exit_code"),
    [
        (("--figure", "pr"), "--figure needs -o FILE.svg, .pdf or .png.", 2),
        (("--figure", "pr", "-o", "x.csv"), "--figure needs -o FILE.svg, .pdf or .png.", 2),
        (("--figure", "curve", "-o", "x.svg"),
         "no figure 'curve': it needs several thresholds of confidence. Use one of: pr, dots, hist.", 1),
        (("--figure", "pr", "-m", "TO_csc", "-o", "x.svg"),
         "no figure 'pr': it needs precision and recall among the measures. Use one of: dots, hist.", 1),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused_before_anything_is_loaded(
    arguments: tuple[str, ...], message: str, exit_code: int, here: Path
) -> None:
    result = run("compare", "nowhere.ttl", "--gold", "nowhere.ttl", *arguments)
    assert (result.exit_code, result.stderr.splitlines()[0]) == (exit_code, f"error: {message}")
    assert not list(here.iterdir())


def test_without_matplotlib_pdf_and_png_are_refused_and_svg_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = compare("-o", "x.pdf")
    assert result.exit_code == 1
    assert result.stderr == (
        "error: a figure as .pdf or .png needs matplotlib. "
        "Run `pip install 'ontoeval-toolkit[plot]'`, or write .svg, which needs nothing.\n"
    )
    assert drawn(compare("-o", "x.svg")).width == pytest.approx(85 / 25.4 * 72, abs=0.01)
