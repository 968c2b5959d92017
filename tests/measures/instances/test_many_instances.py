"""More instances than can be listed: exact values from how many sit on each pair of concepts, in Python's integers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import twin_instances as twin
from helpers import near
from scipy.sparse import csr_array

import ontoeval as oe
from ontoeval.measures import parse
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison

Cells = Mapping[tuple[str, str], int]  # how many instances are on a learned and a gold node

SPLIT = ("a r", "b r", "c a", "d a", "e b")
DEEP = ("a r", "b a", "c b", "d c", "e r")


def triples_of_cells(cells: Cells, learned: twin.Placed, gold: twin.Placed) -> Counter[str]:
    """How many triples the learned side has, the gold one, and both, in Python's integers."""
    inside = Counter[str]()
    for first, second, third in product(cells, repeat=3):
        size = cells[first] * (cells[second] - (second == first))
        size *= cells[third] - (third == first) - (third == second)
        below = [
            side.up[one] & side.up[two] > side.up[one] & side.up[three]
            for side, one, two, three in zip((learned, gold), first, second, third, strict=True)
        ]
        inside.update(learned=size * below[0], gold=size * below[1], both=size * all(below))
    return inside


def value_of_cells(cells: Cells, learned: twin.Placed, gold: twin.Placed) -> dict[str, float]:
    """Exact values from the number of instances per (learned node, gold node)."""
    count, inside = sum(cells.values()), triples_of_cells(cells, learned, gold)
    differ = Fraction(0)
    for left, right in product(cells, repeat=2):
        pairs = cells[left] * (cells[right] - (left == right))
        mine, theirs = (side.between_nodes("overlap", left[k], right[k]) for k, side in enumerate((learned, gold)))
        differ += pairs * abs(Fraction(mine) - Fraction(theirs))
    whole = inside["learned"] + inside["gold"]
    chance = Fraction(2 * inside["learned"] * inside["gold"], whole * count * (count - 1) * (count - 2))
    symmetric, rand = Fraction(2 * inside["both"], whole), 1 - differ / (count * (count - 1))
    return {
        "H_s": float(symmetric),
        "H_s(adjusted=true)": float((symmetric - chance) / (1 - chance)),
        "H_a": float(Fraction(inside["both"], inside["gold"])),
        "H_a(detailed=gold)": float(Fraction(inside["both"], inside["learned"])),
        "ITP": float(precision_of_cells(cells, learned, gold)),
        "ITR": float(precision_of_cells({(b, a): size for (a, b), size in cells.items()}, gold, learned)),
        "OntoRand": float(rand),
        "EOR": float(rand),
    }


def precision_of_cells(cells: Cells, learned: twin.Placed, gold: twin.Placed) -> Fraction:
    total = Fraction(0)
    for here, size in cells.items():
        mine, theirs = (
            {there for there in cells if here[k] in side.up[there[k]] or there[k] in side.up[here[k]]}
            for k, side in enumerate((learned, gold))
        )
        total += Fraction(size * sum(cells[there] for there in mine & theirs), sum(cells[there] for there in mine))
    return total / sum(cells.values())


def crowded(edges: Sequence[str], nodes: Sequence[str], sizes: Sequence[int], names: tuple[str, ...]) -> Ontology:
    """The first names on the first node and so on."""
    ontology = Ontology.from_edges([(*edge.split(),) for edge in edges], root="r")  # type: ignore[misc]
    columns = np.repeat([ontology.hierarchy.id(node) for node in nodes], sizes)
    shape = (len(names), len(ontology.hierarchy))
    matrix = csr_array((np.ones(len(names)), columns, np.arange(len(names) + 1)), shape=shape)
    return replace(ontology, instances=InstanceAssignment(names, matrix))


def test_values_of_cells_are_those_of_listed_triples() -> None:
    cells = {("c", "d"): 3, ("c", "e"): 1, ("d", "d"): 2, ("e", "e"): 2, ("b", "c"): 1, ("a", "a"): 1}
    pairs = [cell for cell, size in cells.items() for _ in range(size)]
    both = twin.Pair(twin.bare(SPLIT, [node for node, _ in pairs]), twin.bare(DEEP, [node for _, node in pairs]))
    expected = value_of_cells(cells, both.learned, both.gold)
    assert expected["H_s"] == near(twin.h_s(both, "w1"))
    assert expected["H_s(adjusted=true)"] == near(twin.adjusted(both, "H_s", {"weight": "w1"}) or 0)
    assert expected["H_a"] == near(twin.h_a(both, "w1", "learned"))
    assert expected["H_a(detailed=gold)"] == near(twin.h_a(both, "w1", "gold"))
    assert expected["ITP"] == near(twin.itp(both))
    assert expected["ITR"] == near(twin.itp(both.swapped))
    assert expected["EOR"] == near(twin.onto_rand(both, "overlap"))


def test_triples_of_millions_of_instances_are_counted_exactly() -> None:
    cells = {
        ("c", "d"): 1_000_000, ("c", "e"): 300_000, ("d", "b"): 500_000, ("e", "e"): 800_000, ("b", "c"): 200_000,
        ("d", "d"): 300_000, ("a", "a"): 300_001,
    }  # fmt: skip
    found = triples_of_cells(cells, twin.bare(SPLIT), twin.bare(DEEP))
    assert min(found["learned"], found["gold"]) > 2**63
    names, sizes = tuple([f"{number:07d}" for number in range(sum(cells.values()))]), list(cells.values())
    learned, gold = (crowded(edges, [cell[k] for cell in cells], sizes, names) for k, edges in enumerate((SPLIT, DEEP)))
    task, expected = Comparison(learned, gold), value_of_cells(cells, twin.bare(SPLIT), twin.bare(DEEP))
    assert {spelled: parse(spelled)(task).value for spelled in expected} == {
        key: near(value) for key, value in expected.items()
    }
    assert all(0.1 < value < 0.99 for value in expected.values())


# two real web directories


def directory(folder: Path, name: str) -> tuple[Ontology, dict[str, Any]]:
    """A directory as we load it, and as the twin does: its own reading of the two tables."""
    tables = [folder / "derived" / f"{name}.Freizeit.v2.{kind}.tsv" for kind in ("hierarchy", "instances")]
    lines = [[line.split("\t") for line in table.read_text("utf-8").splitlines()[1:]] for table in tables]
    where: dict[str, set[str]] = {}
    for url, concept, *_ in lines[1]:
        where.setdefault(url, set()).add(concept)
    made = {"edges": [(child, parent) for child, parent, *_ in lines[0] if parent], "root": "auto", "instances": where}
    return oe.load_ontology(tables[0], instances=tables[1]), made


@pytest.fixture
def directories(shared_data: Path) -> tuple[Comparison, twin.Pair]:
    folder = shared_data / "webdir-freizeit"
    if not folder.is_dir():
        pytest.skip("the web directories are not there")
    learned, gold = (directory(folder, name) for name in ("Google", "dmoz"))
    return Comparison(learned[0], gold[0]), twin.Pair(twin.placed(learned[1]), twin.placed(gold[1]))


def by_place(both: twin.Pair) -> dict[tuple[frozenset[str], frozenset[str]], list[str]]:
    found: dict[tuple[frozenset[str], frozenset[str]], list[str]] = {}
    for name in both.names:
        found.setdefault((both.learned.where[name], both.gold.where[name]), []).append(name)
    return found


def test_web_directories_share_1061_instances_of_which_a_few_sit_on_several_concepts(
    directories: tuple[Comparison, twin.Pair],
) -> None:
    task, both = directories
    assert len(both.names) == 1061  # as their SOURCE.md says
    assert not both.strict
    for name in ("H_s", "H_a(weight=w2)", "OntoRand(delta=tree)"):
        score = parse(name)(task)
        assert "several concepts" in (score.undefined or "")
        assert score.counts == {"instances": 1061, "only_learned": both.only[0], "only_gold": both.only[1]}


def test_precision_and_recall_of_web_directories_are_those_of_listed_companions(
    directories: tuple[Comparison, twin.Pair],
) -> None:
    task, both = directories
    places = list(by_place(both).items())
    for name, pair in (("ITP", both), ("ITR", both.swapped)):
        found = dict(zip(task.shared.names, parse(name)(task).local.values.tolist(), strict=True))  # type: ignore[union-attr]
        for _, members in places:
            here = members[0]
            mine, theirs = (
                {other for _, names in places if side.comparable(here, names[0]) for other in names}
                for side in (pair.learned, pair.gold)
            )
            expected = len(mine & theirs) / len(mine)
            assert [found[member] for member in members] == [near(expected)] * len(members)
        assert parse(name)(task).value == near(sum(found.values()) / 1061)


@pytest.mark.parametrize("delta", ["overlap", "tree"])
def test_extended_ontorand_of_web_directories_is_that_of_pairs_of_places(
    delta: str, directories: tuple[Comparison, twin.Pair]
) -> None:
    task, both = directories
    places = list(by_place(both).values())
    differ = 0.0
    for left, right in product(places, repeat=2):
        pairs = len(left) * (len(right) - (left is right))
        apart = both.learned.between(delta, left[0], right[0]) - both.gold.between(delta, left[0], right[0])
        differ += pairs * abs(float(apart))
    assert parse(f"EOR(delta={delta})")(task).value == near(1 - differ / (1061 * 1060))


def test_all_measures_of_the_web_directories_without_what_sits_on_several_concepts(
    directories: tuple[Comparison, twin.Pair],
) -> None:
    task, both = directories
    strict = [name for name in both.names if len(both.learned.where[name]) == len(both.gold.where[name]) == 1]
    assert 1000 < len(strict) < 1061
    sides = []
    for ontology, twins in ((task.learned, both.learned), (task.gold, both.gold)):
        rows = [(name, ontology.hierarchy.id(twins.node(name)), 1.0) for name in strict]
        sides.append(replace(ontology, instances=InstanceAssignment.build(rows, len(ontology.hierarchy))))
    cells = Counter((both.learned.node(name), both.gold.node(name)) for name in strict)
    expected = value_of_cells(cells, both.learned, both.gold)
    again = Comparison(sides[0], sides[1])
    assert {name: parse(name)(again).value for name in expected} == {name: near(v) for name, v in expected.items()}
