"""Table 2 of Maynard, Peters & Li 2008 on PROTON, the values of GATE's own test, and the same rules worked by hand."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from twin_concepts import Concepts

import ontoeval as oe
from ontoeval.analysis.relate import relate_all, why

# predicted, key, LA and BDM as printed, BDM on PROTON 0.1 with Thing to four digits
TABLE_2 = (
    ("Location", "City", 1.000, 0.724, 0.7239),
    ("Organization", "GovernmentOrganization", 1.000, 0.959, 0.9589),
    ("Organization", "TVCompany", 1.000, 0.783, 0.7821),
    ("Company", "ReligiousOrganization", 0.556, 0.816, 0.8172),
    ("Object", "Country", 1.000, 0.587, 0.5865),
    ("Company", "PoliticalEntity", 0.556, 0.826, 0.8261),
    ("Man", "Person", 0.667, 0.690, 0.6894),
)
GATE = (
    ("ContactInformation", "Topic", 488),
    ("InformationResource", "GeneralTerm", 0),
    ("Recognized", "Entity", 0),
    ("Role", "Event", 290),
)


def proton(shared_data: Path, version: str, file: str, root: str) -> oe.Ontology:
    folder = shared_data / "proton" / version
    return oe.load_ontology(folder / file, imports=[folder], root=root)


@pytest.fixture
def lrec(shared_data: Path) -> oe.Ontology:
    return proton(shared_data, "v0.1", "protonu.owl", "new")


def concepts_of(ontology: oe.Ontology) -> list[str]:
    """The IRIs of the file; no local name is in it twice."""
    found = list(ontology.to_networkx())
    assert len({iri.split("#")[-1] for iri in found}) == len(found)
    return found


def related(ontology: oe.Ontology, pairs: Iterable[tuple[str, str]], measure: str) -> Any:
    iris = {iri.split("#")[-1]: iri for iri in concepts_of(ontology)}
    chosen = list(pairs)
    return oe.relate(ontology, [iris[a] for a, _ in chosen], [iris[b] for _, b in chosen], measure)


def whys(ontology: oe.Ontology, pair: tuple[str, str], measure: str) -> dict[str, Any]:
    iris = {iri.split("#")[-1]: iri for iri in concepts_of(ontology)}
    return why(ontology, [iris[pair[0]]], [iris[pair[1]]], measure)[0]


def listing(ontology: oe.Ontology) -> Concepts:
    """The twin that lists all paths, under Thing."""
    edges = [(a, b) for a, b, kind in ontology.to_networkx().edges(keys=True) if kind == "hierarchical"]
    return Concepts(edges, concepts=concepts_of(ontology), root="new")


def test_table_2(lrec: oe.Ontology) -> None:
    pairs = [row[:2] for row in TABLE_2]
    la, found = related(lrec, pairs, "LA"), related(lrec, pairs, "BDM")
    assert [f"{value:.3f}" for value in la] == [f"{row[2]:.3f}" for row in TABLE_2]
    assert np.abs(found - [row[3] for row in TABLE_2]).max() <= 0.0012
    assert [f"{value:.4f}" for value in found] == [f"{row[4]:.4f}" for row in TABLE_2]
    assert related(lrec, [pair[::-1] for pair in pairs], "BDM") == pytest.approx(found, abs=1e-12)


def test_table_2_without_thing_is_what_gate_gives(shared_data: Path) -> None:
    found = related(proton(shared_data, "v0.1", "protonu.owl", "none"), [row[:2] for row in TABLE_2], "BDM")
    assert found == pytest.approx([0.6465, 0.9512, 0.7570, 0.7898, 0.4091, 0.8018, 0.6191], abs=0.00005)


def test_table_2_with_five_concepts_more(lrec: oe.Ontology) -> None:
    edges = [(a, b) for a, b, kind in lrec.to_networkx().edges(keys=True) if kind == "hierarchical"]
    more = oe.Ontology.from_edges(edges, concepts=[*concepts_of(lrec), *"12345"], root="new")
    found = related(more, [row[:2] for row in TABLE_2], "BDM")
    assert [f"{v:.3f}" for v in found] == [f"{row[3] if i != 3 else 0.818:.3f}" for i, row in enumerate(TABLE_2)]


def test_values_of_gates_own_test(shared_data: Path) -> None:
    ontology = proton(shared_data, "gate-bdm-test-2012", "protont.owl", "none")
    found = related(ontology, [row[:2] for row in GATE], "BDM")
    assert [ceil(1000 * value) for value in found] == [row[2] for row in GATE]
    assert found == pytest.approx([0.487685, 0, 0, 0.289756], abs=1e-6)


def test_worked_example(lrec: oe.Ontology) -> None:
    said = whys(lrec, ("Company", "PoliticalEntity"), "BDM")  # left is the response R, right the key K
    assert said["MSCA"].endswith("#Organization")
    assert (said["CP"], said["DPK"], said["DPR"]) == (5, 1, 2)
    avg = Fraction(281, 86)
    expected = {"n0": Fraction(1114, 202), "n(K)": 7, "n(R)": Fraction(76, 9), "BR": Fraction(12 + 1, 2) / avg}
    assert {key: said[key] for key in expected} == pytest.approx({key: float(v) for key, v in expected.items()})
    x = expected["BR"] * 5 / expected["n0"]
    assert float(x) == pytest.approx(1.80361, abs=5e-6)
    score = x / (x + Fraction(1, 7) + Fraction(18, 76))
    assert related(lrec, [("PoliticalEntity", "Company")], "BDM") == pytest.approx([float(score)], abs=1e-12)


def test_a_shallower_common_ancestor_may_win(lrec: oe.Ontology) -> None:
    pair = ("Executive", "Employee")
    assert related(lrec, [pair], "BDM") == pytest.approx([0.694], abs=0.0005)
    assert whys(lrec, pair, "BDM")["MSCA"].endswith("#JobPosition")
    assert related(lrec, [pair], "BDM(msca=deepest)") == pytest.approx([0.510], abs=0.0005)
    assert whys(lrec, pair, "BDM(msca=deepest)")["MSCA"].endswith("#Employee")


def test_bdm_may_grow_further_down(lrec: oe.Ontology) -> None:
    pairs = [("Group", "Organization"), ("Group", "CommercialOrganization")]
    assert related(lrec, pairs, "BDM") == pytest.approx([0.619, 0.859], abs=0.0005)


def test_all_pairs_are_those_of_listed_paths(lrec: oe.Ontology) -> None:
    names, twin = concepts_of(lrec), listing(lrec)
    assert (twin.n0, twin.avg) == (Fraction(1114, 202), Fraction(281, 86))
    for measure in ("BDM", "BDM(msca=deepest)"):
        found = relate_all(lrec, names, measure)
        expected = np.eye(len(names))
        for i, j in combinations(range(len(names)), 2):
            expected[i, j] = expected[j, i] = twin(measure, names[i], names[j])
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_how_often_the_deepest_common_ancestor_gives_another_value(lrec: oe.Ontology) -> None:
    names = concepts_of(lrec)
    assert len(names) * (len(names) + 1) // 2 == 35511  # with Thing, which has 0 to all others either way
    apart = np.triu(relate_all(lrec, names, "BDM") - relate_all(lrec, names, "BDM(msca=deepest)"))
    assert apart.min() > -1e-12
    assert int((apart > 1e-9).sum()) == 309  # spec, section 6
    assert apart.max() == pytest.approx(0.184, abs=0.0005)


# By hand. T has A and B, A has a1 and a2, a1 has a3.
# Children: T 2, A 2, a1 1: avg 5/3. Chains T-B, T-A-a2, T-A-a1-a3: n0 = 6/3 = 2.
TREE = [("A", "T"), ("B", "T"), ("a1", "A"), ("a2", "A"), ("a3", "a1")]


def exactly(edges: Any, measure: str, left: str, right: str, **options: Any) -> Fraction | float:
    """The fraction that a value is to 12 digits."""
    found = float(oe.relate(oe.Ontology.from_edges(edges, **options), [left], [right], measure)[0])
    fraction = Fraction(found).limit_denominator(5000)
    return fraction if abs(fraction - Fraction(found)) < Fraction(1, 10**12) else found


@pytest.mark.parametrize(
    ("left", "right", "score"),
    [
        # A, CP 1, BR 2/(5/3) = 6/5, X = 6/5 * 1/2 = 3/5; 1/n(a1) = 1/3, 1/n(a2) = 1/2
        ("a1", "a2", Fraction(3, 5) / (Fraction(3, 5) + Fraction(1, 3) + Fraction(1, 2))),
        # a1 lies between: BR (2 + 1)/2 / (5/3) = 9/10, X = 9/20
        ("a3", "a2", Fraction(9, 20) / (Fraction(9, 20) + Fraction(2, 3) + Fraction(1, 2))),
        ("A", "a3", Fraction(9, 20) / (Fraction(9, 20) + Fraction(2, 3))),
        ("a1", "a3", Fraction(3, 5) / (Fraction(3, 5) + Fraction(1, 3))),  # CP 2, BR 1/(5/3), X = 3/5
        ("B", "a1", 0),
        ("T", "A", 0),
        ("T", "a3", 0),
        ("T", "T", 1),
        ("a3", "a3", 1),
    ],
)
def test_bdm_in_a_tree(left: str, right: str, score: Fraction | int) -> None:
    for measure in ("BDM", "BDM(msca=deepest)"):
        assert exactly(TREE, measure, left, right) == score
        assert exactly(TREE, measure, right, left) == score


def test_a_root_above_changes_every_score() -> None:
    # children also Thing 1: avg 6/4; n0 3; a1, a2: CP 2, BR 4/3, X 8/9; A, B: CP 1, X 4/9, n(A) 7/2, n(B) 2
    expected = Fraction(8, 9) / (Fraction(8, 9) + Fraction(1, 4) + Fraction(1, 3))
    assert exactly(TREE, "BDM", "a1", "a2", root="new") == expected == Fraction(32, 53)
    expected = Fraction(4, 9) / (Fraction(4, 9) + Fraction(2, 7) + Fraction(1, 2))
    assert exactly(TREE, "BDM", "A", "B", root="new") == expected == Fraction(56, 155)


@pytest.mark.parametrize(
    ("predicted", "key", "accuracy"),
    [
        ("a1", "a2", Fraction(1, 3)),
        ("a3", "a2", Fraction(1, 5)),
        ("a2", "a3", Fraction(1, 3)),
        ("A", "a3", 1),
        ("a3", "A", Fraction(1, 5)),
        ("a3", "a1", Fraction(2, 4)),
        ("a1", "a1", 1),
        ("A", "T", 0),
        ("B", "a3", 0),
        ("T", "T", 1),
    ],
)
def test_learning_accuracy_in_a_tree(predicted: str, key: str, accuracy: Fraction | int) -> None:
    for measure in ("LA", "LA(root_prediction=1)"):
        assert exactly(TREE, measure, predicted, key) == accuracy


def test_predicting_the_root() -> None:
    assert exactly(TREE, "LA", "T", "a3") == 0
    assert exactly(TREE, "LA(root_prediction=1)", "T", "a3") == 1


def test_the_best_pair_of_paths_counts() -> None:
    # R > J, B; J > E, L; E > F > X; L > X, l1 ... l4. Children 2 2 1 1 5: avg 11/5.
    # Chains R-B, R-J-E-F-X, R-J-L-X, four R-J-L-l: n0 = 20/7; n(E) = 4, n(X) = 7/2
    edges = [("J", "R"), ("B", "R"), ("E", "J"), ("L", "J"), ("F", "E"), ("X", "F"), ("X", "L")]
    edges += [(f"l{i}", "L") for i in range(1, 5)]
    over_e = Fraction(5, 11) * 2 / Fraction(20, 7)  # E and F: mean 1
    over_j = Fraction(7, 2) * Fraction(5, 11) * 1 / Fraction(20, 7)  # J and L: mean 7/2
    to_x = Fraction(2) / Fraction(7, 2)
    best = over_j / (over_j + Fraction(1, 4) + to_x)
    deepest = over_e / (over_e + to_x)
    assert (best, deepest) == (Fraction(343, 849), Fraction(49, 137))
    assert exactly(edges, "BDM", "E", "X") == best
    assert exactly(edges, "BDM(msca=deepest)", "E", "X") == deepest
    said = why(oe.Ontology.from_edges(edges), ["X"], ["E"], "BDM")[0]  # K is E
    assert (said["MSCA"], said["CP"], said["DPK"], said["DPR"]) == ("J", 1, 1, 2)
    assert said["BR"] == pytest.approx(float(Fraction(35, 22)))


def test_roots_stay_apart_unless_one_is_put_above() -> None:
    # r1 > a > c, d and r2 > b > c, e. Children 1 2 1 2: avg 3/2, n0 2: c, d: X = 4/3 * 1/2
    edges = [("a", "r1"), ("c", "a"), ("d", "a"), ("b", "r2"), ("c", "b"), ("e", "b")]
    expected = Fraction(2, 3) / (Fraction(2, 3) + Fraction(1, 2) + Fraction(1, 2))
    for order in (edges, edges[::-1]):
        assert exactly(order, "BDM", "c", "d", root="none") == expected == Fraction(2, 5)
        assert exactly(order, "BDM", "c", "e", root="none") == Fraction(2, 5)
        assert exactly(order, "BDM", "d", "e", root="none") == 0
        assert exactly(order, "LA", "d", "e", root="none") == 0
    # under a root: children also 2, avg 8/5, n0 3: a: CP 2, BR 5/4, X 5/6
    expected = Fraction(5, 6) / (Fraction(5, 6) + Fraction(1, 3) + Fraction(1, 3))
    assert exactly(edges, "BDM", "c", "d") == expected
    assert exactly(edges, "BDM", "d", "e") == 0


def test_redundant_links_and_cycles_change_nothing() -> None:
    score = Fraction(18, 43)  # a1, a2 as above
    assert exactly(TREE, "BDM", "a1", "a2") == score
    assert exactly([*TREE, ("a3", "A"), ("a3", "T"), ("a2", "T")], "BDM", "a1", "a2") == score
    assert exactly([*TREE, ("a3", "A"), ("a3", "T")], "LA", "a3", "a2") == Fraction(1, 5)
    ring = [*TREE, ("a1", "twin"), ("twin", "a1"), ("twin", "T")]
    for member in ("a1", "twin"):
        assert exactly(ring, "BDM", member, "a2") == score
        assert exactly(ring, "LA", member, "a2") == Fraction(1, 3)
    assert exactly(ring, "BDM", "a1", "twin") == 1
    assert exactly(ring, "LA", "a1", "twin") == 1


def test_an_isolated_concept_is_a_chain_of_length_zero() -> None:
    alone = {"concepts": ["lone"], "root": "none"}
    x = Fraction(6, 5) / Fraction(6, 4)
    assert exactly(TREE, "BDM", "a1", "a2", **alone) == x / (x + Fraction(5, 6))
    assert exactly(TREE, "BDM", "lone", "a1", **alone) == 0
    assert exactly(TREE, "BDM", "lone", "lone", **alone) == 1


def test_without_any_edge_a_pair_is_identical_or_unrelated() -> None:
    found = relate_all(oe.Ontology.from_edges([], concepts=["x", "y"], root="none"), ["x", "y"], "BDM")
    assert found.tolist() == [[1, 0], [0, 1]]
