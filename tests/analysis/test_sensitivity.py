"""How measures react to perturbations: the tree of Bade & Benz, small cases by hand, the curves."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import statistics
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.analysis.sensitivity import BADE_BENZ, Curve, Row, Sensitivity, sensitivity
from ontoeval.edit.perturb import Perturbation
from ontoeval.edit.synthetic import even_tree
from ontoeval.errors import ParameterError
from ontoeval.report.figures import write_figure

SVG = "{http://www.w3.org/2000/svg}"
EDGES = [("a", "r"), ("b", "r"), ("c", "r"), ("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("b2", "b")]
PLACED = {f"{name}{number}": name for name in ("a1", "a2", "a3", "b1", "b2", "c") for number in range(3)}
H1, H2, EOR_TREE = "H_s", "H_s(weight=w2)", "EOR(delta=tree)"


def small(**more: Any) -> oe.Ontology:
    return oe.Ontology.from_edges(EDGES, name="small", **more)


def means(found: Sensitivity, how: str, amount: int) -> dict[str, float]:
    return {row.measure: row.mean for row in found.rows if str(row.perturbation) == how and row.amount == amount}


# Bade & Benz, section 4. The paper prints curves only: the values are those of a brute force on the rebuilt tree.


@pytest.fixture(scope="module")
def cut() -> Sensitivity:
    return sensitivity(even_tree(), None, {"cut-depth": (4, 2, 0)})


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (4, (0.9999120425, 0.5631067961, 0.8485764676, 1, 0.9710282308, 0.9844816287)),
        (2, (0.9895244443, 0.1025641026, 0.2615335697, 1, 0.8077529122, 0.8663079058)),
        (0, (0, 0, 0.0412362476, 1, 0.1881638176, 0.0331965736)),
    ],
)
def test_cutting_the_tree_gives_the_values_of_a_brute_force(
    cut: Sensitivity, depth: int, expected: tuple[float, ...]
) -> None:
    """18 values of a brute force by the definitions, to ten digits; none is printed in the paper."""
    found = means(cut, "cut-depth", depth)
    assert tuple(found) == (H1, H2, "ITP", "ITR", "EOR", EOR_TREE)
    assert tuple(found.values()) == pytest.approx(expected, abs=5e-11)


def test_the_random_settings_are_near_the_means_of_a_brute_force() -> None:
    """Means of ten runs of a brute force, to three digits, in settings of a small standard deviation."""
    found = sensitivity(
        even_tree(),
        None,
        {"insert-empty": [41], "remove-level:3": [9, 18], "remove-level:5": [18], "move-instances": [945]},
        runs=3,
    )
    expected = {
        ("insert-empty", 41): (0.871, 0.923, 1, 1, 0.962, 0.991),
        ("remove-level:3", 9): (0.997, 0.983, 0.863, 1, 0.979, 0.993),
        ("remove-level:5", 18): (1.000, 0.953, 0.955, 1, 0.996, 0.998),
        ("move-instances", 945): (0.850, 0.820, 0.823, 0.822, 0.975, 0.989),
    }
    for point, values in expected.items():
        assert tuple(means(found, *point).values()) == pytest.approx(values, abs=0.006)
    assert means(found, "remove-level:3", 18)[H2] == pytest.approx(0.964, abs=5e-4)  # nothing random: all 18 go


def test_the_amounts_of_the_paper_are_possible_in_its_tree() -> None:
    tree = even_tree(per_node=1)
    for name, amounts in BADE_BENZ.items():
        how = Perturbation.named(name)
        assert [how.number(tree, amount) for amount in amounts] == sorted(
            (how.number(tree, amount) for amount in amounts), reverse=name == "cut-depth"
        )
    full = even_tree()
    assert Perturbation("move-instances").number(full, "50%") == 4725
    assert Perturbation("insert-empty").available(full) == 41
    assert Perturbation("move-nodes").available(full) == 189


# any ontology


def test_doing_nothing_leaves_every_measure_at_its_best() -> None:
    for ontology in (small(), small(instances=PLACED)):
        found = sensitivity(ontology, runs=2)
        for curve in found.curves:
            untouched = [row for row in curve.rows if row.amount == curve.amounts[0]]
            assert [row.mean for row in untouched] == [1.0] * len(found.measures)
            assert [(row.sd, len(row.values)) for row in untouched] == [(0.0, 1)] * len(found.measures)


def test_the_settings_follow_from_the_ontology() -> None:
    found = sensitivity(small(instances=PLACED), "TF_csc", runs=1, points=3)
    assert {str(curve.perturbation): curve.amounts for curve in found.curves} == {
        "cut-depth": (2, 1, 0),
        "insert-empty": (0, 1, 2),
        "remove-level:1": (0, 2, 3),
        "remove-level:2": (0, 3, 5),
        "move-instances": (0, 5, 9),
        "move-nodes": (0, 2, 4),
    }
    assert [curve.available for curve in found.curves] == [2, 2, 3, 5, 18, 8]
    forest = sensitivity(oe.Ontology.from_edges([("x", "a"), ("y", "b"), ("z", "b")]), "TF_csc", runs=1, points=3)
    assert {str(curve.perturbation): curve.amounts for curve in forest.curves} == {
        "cut-depth": (2, 1),  # at depth 0 there is but the root that was added
        "remove-level:1": (0, 1, 2),
        "remove-level:2": (0, 2, 3),
        "move-nodes": (0, 2, 3),
    }


def test_run_r_is_the_perturbation_with_that_seed() -> None:
    gold = small(instances=PLACED)
    found = sensitivity(gold, ["TF_csc", "ITP"], {"move-nodes": [3]}, runs=4, seed=7)
    for row in found.rows:
        expected = [
            oe.evaluate(oe.Comparison(oe.perturb(gold, "move-nodes", 3, seed=7 + run), gold), row.measure)
            .scores[0]
            .value
            for run in range(4)
        ]
        assert list(row.values) == expected
        assert row.mean == pytest.approx(statistics.mean(expected))
        assert row.sd == pytest.approx(statistics.stdev(expected))


def test_a_point_does_not_depend_on_the_others() -> None:
    gold = small(instances=PLACED)
    alone = sensitivity(gold, "ITR", ["move-nodes=3"], runs=3)
    among = sensitivity(gold, ["LF", "ITR"], {"move-instances": [2], "move-nodes": [1, "37.5%"]}, runs=3)
    assert alone.rows[0].values == next(
        row.values
        for row in among.rows
        if row.perturbation.kind == "move-nodes" and row.amount == 3 and row.measure == "ITR"
    )


def test_what_is_not_random_is_done_once() -> None:
    found = sensitivity(small(), "LF", ["cut-depth=0,1", "remove-level:1=1,3", "move-nodes=0,1"], runs=5)
    assert {(str(row.perturbation), row.amount): len(row.values) for row in found.rows} == {
        ("cut-depth", 1): 1, ("cut-depth", 0): 1, ("remove-level:1", 1): 5, ("remove-level:1", 3): 1,
        ("move-nodes", 0): 1, ("move-nodes", 1): 5,
    }  # fmt: skip
    # LF: nine concepts, of which 8 (or 6) are left
    assert means(found, "remove-level:1", 1) == {"LF": pytest.approx(2 * 8 / (8 + 9))}
    assert means(found, "remove-level:1", 3) == {"LF": pytest.approx(2 * 6 / (6 + 9))}


def test_progress_counts_the_comparisons() -> None:
    told: list[tuple[int, int]] = []
    sensitivity(small(), "LF", ["move-nodes=0,1,2"], runs=2, progress=lambda done, whole: told.append((done, whole)))
    assert told == [(done, 5) for done in range(5)]


def test_reasons_of_undefined_values_are_kept() -> None:
    # x has two parents, so that an instance that goes up sits on both: H_s is undefined, ITP is not
    made = oe.Ontology.from_edges(
        [("a", "r"), ("b", "r"), ("x", "a"), ("x", "b"), ("y", "b")], instances={"i": "x", "j": "y", "k": "a"}
    )
    found = sensitivity(made, ["H_s", "ITP"], ["cut-depth=2,1"])
    before, after = (row for row in found.rows if row.measure == "H_s")
    assert (before.mean, before.undefined) == (1.0, ())
    assert math.isnan(after.mean)
    assert (after.values, after.sd, len(after.undefined)) == ((), None, 1)
    entry = found.to_dict()["perturbations"][0]["points"][1]["scores"]["H_s"]
    assert entry == {"mean": None, "sd": None, "n": 0, "values": [], "undefined": {after.undefined[0]: 1}}
    assert [row.mean < 1 for row in found.rows if row.measure == "ITP"] == [False, True]


def test_default_measures_suit_the_ontology() -> None:
    assert sensitivity(small(), None, ["cut-depth=1"]).measures == ("LF", "TF_csc", "TF_sc", "EdgeF")
    several = small(instances={"i": ["a", "b"], "j": "c"})
    assert sensitivity(several, None, ["cut-depth=1"]).measures == ("ITP", "ITR", "ITF", "EOR", "EOR(delta=tree)")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"measures": "ITP"},
         'ITP needs instances, but small has none. Set instances="FILE", or choose other measures.'),
        ({"measures": []}, "no measures. Name one such as 'TF_csc', or remove measures=."),
        ({"perturbations": []}, "no kind of damage. Name one such as 'move-nodes', or remove perturbations=."),
        ({"perturbations": ["move-nodes="]},
         "move-nodes has no amounts. Use e.g. move-nodes=0,1,2, or remove '='."),
        ({"perturbations": ["move-nodes=1", "move-nodes"]},
         "'move-nodes' is set twice. Set all its amounts at once: move-nodes=0,5,10."),
        ({"perturbations": "move-nodes=9"},
         "small: 9 is too many (concepts that can be moved: 8). Use at most 8."),
        ({"perturbations": "move-instances"},
         'small: move-instances needs instances, but there are none. Set instances="FILE".'),
        ({"perturbations": "remove-level=1"}, "remove-level needs a level. Use e.g. remove-level:3."),
        ({"runs": 0}, "runs must be a whole number >= 1, not 0."),
        ({"seed": -1}, "seed must be a whole number >= 0, not -1."),
        ({"points": 1}, "points must be a whole number >= 2, not 1."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(oe.OntoevalError) as error:
        sensitivity(small(), **arguments)
    assert str(error.value) == said


def test_a_single_concept_has_nothing_to_change() -> None:
    with pytest.raises(ParameterError) as error:
        sensitivity(oe.Ontology.from_edges([], concepts=["a"], name="one"))
    assert str(error.value) == "one: the ontology is too small for any kind of damage. Use a larger one."


# tables


@pytest.fixture(scope="module")
def found() -> Sensitivity:
    return sensitivity(small(instances=PLACED), ["LF", "ITP"], ["cut-depth=2,0", "move-nodes=0,4"], runs=3)


def test_the_table_has_a_part_for_each_perturbation(found: Sensitivity) -> None:
    lines = [" ".join(line.split()) for line in found.render().splitlines() if line.strip()]
    assert lines[:4] == [
        "a concepts below a depth removed (greatest depth kept)", "depth LF ITP", "2 1.000 1.000",
        f"0 0.200 {found.rows[3].mean:.3f}",
    ]  # fmt: skip
    assert lines[4] == "b concepts moved (out of 8)"
    assert lines[5] == "amount LF ITP"


def test_other_layouts(found: Sensitivity) -> None:
    markdown = found.render("markdown", precision=2).splitlines()
    assert markdown[0] == "| damage | amount | LF | ITP |"
    assert markdown[2] == "| cut-depth | 2 | 1.00 | 1.00 |"
    assert len(markdown) == 2 + 4
    rows = list(csv.DictReader(io.StringIO(found.render("csv"))))
    assert [row["measure"] for row in rows] == ["LF", "ITP"] * 4
    assert [row["n"] for row in rows] == ["1"] * 6 + ["3"] * 2
    assert float(rows[-1]["sd"]) == pytest.approx(statistics.stdev(found.rows[-1].values))
    assert found.render("html").startswith("<table>")
    assert found._repr_html_() == found.render("html")


def test_json_and_frame_have_everything(found: Sensitivity) -> None:
    document = json.loads(json.dumps(found.to_dict()))
    assert {key: document[key] for key in ("ontology", "concepts", "instances", "measures", "runs", "seed")} == {
        "ontology": "small", "concepts": 9, "instances": 18, "measures": ["LF", "ITP"], "runs": 3, "seed": 0,
    }  # fmt: skip
    curve = document["perturbations"][1]
    assert {key: curve[key] for key in ("perturbation", "level", "title", "available")} == {
        "perturbation": "move-nodes", "level": None, "title": "concepts moved", "available": 8,
    }  # fmt: skip
    scores = curve["points"][1]["scores"]["ITP"]
    assert scores["values"] == list(found.rows[-1].values)
    assert scores["n"] == 3
    table = found.to_frame()
    assert list(table.columns) == ["perturbation", "level", "amount", "measure", "mean", "sd", "n", "undefined"]
    assert table["mean"].tolist() == [row.mean for row in found.rows]
    assert repr(found) == "<Sensitivity: 2 measures under 2 perturbations>"


# curves


def texts(path: Path) -> list[str]:
    return ["".join(element.itertext()).strip() for element in ET.parse(path).getroot().iter(f"{SVG}text")]


def panels(path: Path) -> list[str]:
    ids = [element.get("id") or "" for element in ET.parse(path).getroot().iter(f"{SVG}g")]
    return [name for name in ids if re.fullmatch(r"panel-\d+", name)]


def test_a_plot_has_a_panel_for_each_perturbation_and_one_legend(found: Sensitivity, tmp_path: Path) -> None:
    write_figure(found, tmp_path / "plot.svg")
    said = texts(tmp_path / "plot.svg")
    assert panels(tmp_path / "plot.svg") == ["panel-0", "panel-1"]
    for words in (
        "a  concepts below a depth removed",
        "b  concepts moved",
        "greatest depth kept",
        "out of 8",
        "LF",
        "ITP",
    ):
        assert said.count(words) == 1, words
    write_figure(sensitivity(small(), "LF", ["move-nodes=0,1"], runs=2), tmp_path / "one.svg")
    assert "concepts moved" in texts(tmp_path / "one.svg")


@pytest.mark.parametrize(("name", "start"), [("plot.svg", b"<svg "), ("plot.png", b"\x89PNG\r\n\x1a\n")])
def test_the_same_curves_give_the_same_bytes(found: Sensitivity, tmp_path: Path, name: str, start: bytes) -> None:
    contents = []
    for _ in range(2):
        write_figure(found, tmp_path / name)
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    assert contents[0].startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def made(values: list[tuple[float, ...]], *, measure: str = "M", kind: str = "move-nodes") -> Sensitivity:
    """A curve out of nothing: the values of each amount."""
    how = Perturbation(kind)
    rows = [Row(how, amount, measure, own, (), certain=False) for amount, own in enumerate(values)]
    return Sensitivity(small(), (measure,), (Curve(how, 9, tuple(range(len(values))), tuple(rows)),), 2, 0)


def test_the_scale_grows_with_the_values_and_shows_the_upper_part_where_that_is_enough(tmp_path: Path) -> None:
    def ticks(values: list[tuple[float, ...]]) -> list[str]:
        write_figure(made(values), tmp_path / "plot.svg")
        return texts(tmp_path / "plot.svg")

    assert {"0.0", "1.0"} <= set(ticks([(1.0,), (0.3, 0.2)]))
    assert {"−0.5", "0.0"} <= set(ticks([(1.0,), (-0.5, -0.4)]))
    assert "3.0" in ticks([(1.0,), (2.9, 3.0)])
    upper = ticks([(1.0,), (0.85, 0.83)])
    assert "scale starts at 0.8" in upper
    assert "0.0" not in upper
    assert "scale starts at 0.9" in ticks([(1.0,)])


def test_values_that_are_not_there_leave_a_gap(tmp_path: Path) -> None:
    write_figure(made([(1.0,), (), (math.inf,), (0.5,)]), tmp_path / "plot.svg")
    assert panels(tmp_path / "plot.svg") == ["panel-0"]
    write_figure(made([(), ()]), tmp_path / "plot.svg")
    assert "concepts moved" in texts(tmp_path / "plot.svg")


def test_odd_names_and_many_measures_are_drawn(tmp_path: Path) -> None:
    write_figure(made([(1.0,), (0.5,)], measure="$a_b$"), tmp_path / "plot.svg")
    assert "$a_b$" in texts(tmp_path / "plot.svg")
    names = ["TF_csc", "TP_csc", "TR_csc", "TF(extract=csc, over=learned)", "LP", "LR", "LF", "EdgeP", "EdgeR", "EdgeF"]
    many = sensitivity(small(), names, ["cut-depth"])
    write_figure(many, tmp_path / "plot.svg")
    assert set(many.measures) <= set(texts(tmp_path / "plot.svg"))
