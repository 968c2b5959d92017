"""Concept pairs from Python: what may be given, what is refused. Their values are tested in test_concept_twins.py."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ontoeval as oe
from ontoeval.analysis.pair_definition import definition
from ontoeval.analysis.relate import nearest, relate_all, why

EDGES = [("a", "x"), ("b", "x"), ("c", "y")]  # two tops: a root is added


@pytest.fixture
def small() -> oe.Ontology:
    return oe.Ontology.from_edges(EDGES)


def test_ids_do_as_well_as_iris_in_any_kind_of_list(small: oe.Ontology) -> None:
    expected = oe.relate(small, ["a", "c"], ["b", "a"], "WP")
    assert expected.tolist() == [pytest.approx(4 / 6), pytest.approx(2 / 6)]
    ids = small.hierarchy.ids(["a", "c"]), small.hierarchy.ids(["b", "a"])
    for left, right in (
        ids,
        (ids[0].tolist(), ids[1].tolist()),
        (pd.Series(ids[0]), pd.Series(["b", "a"])),
        (np.array(["a", "c"]), (name for name in "ba")),
        (ids[0], [["b"], ("a",)]),
    ):
        assert oe.relate(small, left, right, "WP").tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda o: oe.relate(o, "a", ["b"]), "'a' is not a list of concepts. Use a list, also for one: ['a']."),
        (lambda o: relate_all(o, "abc"), "'abc' is not a list of concepts. Use a list, also for one: ['abc']."),
        (lambda o: oe.relate(o, 3, 4), "3 is not a list of concepts. Use a list, also for one: [3]."),
        (
            lambda o: oe.relate(o, [None], ["a"]),
            "None is not a concept. Use its IRI, or a list of the IRIs of all senses.",
        ),
        (
            lambda o: oe.relate(o, ["a"], [[1]]),
            "[1] is not a concept. Use its IRI, or a list of the IRIs of all senses.",
        ),
        (
            lambda o: oe.relate(o, np.zeros((1, 1), dtype=int), ["a"]),
            "the array of concepts has 2 dimensions. Use an array of one dimension.",
        ),
        (lambda o: oe.relate(o, ["a"], []), "1 left but 0 right concepts. Use lists of the same length."),
        (
            lambda o: oe.relate(o, ["a"], [()]),
            "pair 0 has an empty list of concepts. Add a concept, or remove the pair.",
        ),
        (lambda o: oe.relate(o, [7], ["a"]), "7 is not the id of a concept. Use an id from 0 to 5."),
        (
            lambda o: oe.relate(o, ["a"], ["(root)"]),
            "(memory): '(root)' was added on loading. Remove it.",
        ),
        (lambda o: nearest(o, "a", top=2.0), "top must be a whole number >= 1, not 2.0."),
        (lambda o: nearest(o, "a", top=0), "top must be a whole number >= 1, not 0."),
        (
            lambda o: oe.relate(o, ["a"], ["b"], "LP"),
            "LP does not score pairs of concepts. Use a measure such as BDM or Lin; see `ontoeval measures`.",
        ),
    ],
)  # fmt: skip
def test_what_is_no_concept_is_refused(small: oe.Ontology, call: Callable[[oe.Ontology], Any], message: str) -> None:
    with pytest.raises(oe.OntoevalError) as caught:
        call(small)
    assert str(caught.value) == message


def test_a_root_that_was_added_is_called_so(small: oe.Ontology) -> None:
    (path,) = why(small, ["a"], ["c"], "Rada")
    assert path["path"] == ["a", "x", "(root)", "y", "c"]
    assert why(small, ["a"], ["c"], "BDM")[0]["MSCA"] == "(root)"


def test_a_definition_says_where_counts_are_from() -> None:
    counted = oe.Ontology.from_edges(EDGES, instances={"i": "a", "j": ["a", "c"]})
    assert definition(counted, "Lin(ic=corpus)")["counts"] == "instances, 3 in all"
    given = counted.with_counts({"b": 2, "c": 0.5})
    assert definition(given, "Lin(ic=corpus)")["counts"] == "given, 2.5 in all"
    assert "counts" not in definition(given, "Lin")


def test_many_parents_in_common_take_little_memory() -> None:
    """M has 300 children, and each of 4 leaves is below all of them: 90,000 pairs of ways, all alike."""
    edges = [("M", "r"), *((f"m{i}", "M") for i in range(300))]
    edges += [(f"l{j}", f"m{i}") for j in range(4) for i in range(300)]
    ontology = oe.Ontology.from_edges(edges)
    # chains: r, M, m, l: n = 3 for all; children: r 1, M 300, m 4 each: 1501 over 302 concepts
    mean = Fraction(1501, 302)
    branching = Fraction(300 + 4 + 4, 3) / mean  # through M: M and one child on each side
    through_m = branching * Fraction(1, 3)
    score = through_m / (through_m + Fraction(2, 3) + Fraction(2, 3))
    through_child = 4 / mean * Fraction(2, 3)  # through one of the 300: CP 2, DPK = DPR = 1
    best = max(score, through_child / (through_child + Fraction(2, 3)))
    assert oe.relate(ontology, ["l0", "l1"], ["l1", "l3"], "BDM") == pytest.approx([float(best)] * 2)
    names = [f"l{j}" for j in range(4)]
    matrix = relate_all(ontology, names, "BDM")
    assert matrix == pytest.approx(np.where(np.eye(4) > 0, 1.0, float(best)))


# which common ancestor is shown

TWO_PARENTS = [("a", "r"), ("b", "r"), ("k", "a"), ("k", "b"), ("q", "a"), ("q", "b")]  # k and q: a and b are alike


def shown(edges: list[tuple[str, str]], measure: str, left: str, right: str, **options: Any) -> dict[str, Any]:
    """What is said of one pair, whatever order the edges come in."""
    found = [why(oe.Ontology.from_edges(e, **options), [left], [right], measure)[0] for e in (edges, edges[::-1])]
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("measure", ["BDM", "BDM(msca=deepest)", "LA"])
def test_of_ancestors_that_are_alike_the_first_by_iri_is_shown(measure: str) -> None:
    assert shown(TWO_PARENTS, measure, "k", "q")["MSCA"] == "a"
    renamed = [(child.replace("a", "z"), parent.replace("a", "z")) for child, parent in TWO_PARENTS]
    assert shown(renamed, measure, "k", "q")["MSCA"] == "b"


@pytest.mark.parametrize("measure", ["Rada(paths=common-ancestor)", "LC(paths=common-ancestor)"])
def test_of_equally_near_ancestors_the_first_by_iri_is_shown(measure: str) -> None:
    found = shown(TWO_PARENTS, measure, "k", "q")
    assert (found["d"], found["ancestor"]) == (2, "a")
    farther = [edge for edge in TWO_PARENTS if edge != ("q", "a")] + [("x", "a"), ("q", "x")]
    found = shown(farther, measure, "k", "q")
    assert (found["d"], found["ancestor"]) == (2, "b")


@pytest.mark.parametrize(("left", "right"), ["ab", "ba"])
def test_the_nearest_ancestor_is_that_of_the_shortest_way_from_both(left: str, right: str) -> None:
    """a is 1 below m and 4 below n, b is 3 below m and 2 below n: 4 edges over m, 6 over n."""
    edges = [("m", "r"), ("n", "r"), ("a", "m"), ("a", "a1"), ("a1", "a2"), ("a2", "a3"), ("a3", "n")]
    edges += [("b", "b1"), ("b1", "b2"), ("b2", "m"), ("b", "b3"), ("b3", "n")]
    found = shown(edges, "Rada(paths=common-ancestor)", left, right)
    assert (found["d"], found["ancestor"]) == (4, "m")


def test_of_equal_values_that_of_the_deeper_ancestor_is_shown() -> None:
    """r > a > k, q, y, z and r > c > b > k, q.

    Through a: CP 1, 4 children; through b: CP 2, 2 children; so X is the same. avg = (2 + 4 + 1 + 2) / 4 = 9/4,
    n0 = (4 * 2 + 2 * 3) / 6 = 7/3, n(k) = n(q) = 5/2: X = (4 * 4/9) / (7/3) = 16/21, X / (X + 4/5) = 20/41.
    """
    edges = [("a", "r"), ("c", "r"), ("b", "c"), *((child, "a") for child in "kqyz"), ("k", "b"), ("q", "b")]
    found = shown(edges, "BDM", "k", "q")
    assert found["value"] == pytest.approx(20 / 41)
    assert (found["MSCA"], found["CP"], found["DPK"], found["DPR"]) == ("b", 2, 1, 1)
    assert found["BR"] == pytest.approx(8 / 9)


def test_of_equal_values_and_depths_the_shorter_ways_are_shown() -> None:
    """Both roots, a and b, are above k and q, a over one concept more. Through a root every BDM is 0."""
    edges = [("x", "a"), ("k", "x"), ("q", "a"), ("k", "b"), ("q", "b")]
    found = shown(edges, "BDM", "k", "q", root="none")
    assert (found["MSCA"], found["CP"], found["DPK"], found["DPR"]) == ("b", 0, 1, 1)


def test_of_equally_deep_ancestors_learning_accuracy_shows_the_nearer_one() -> None:
    """The prediction k is below a over x, and directly below b; both have depth 1."""
    edges = [("a", "r"), ("b", "r"), ("x", "a"), ("k", "x"), ("k", "b"), ("q", "a"), ("q", "b")]
    found = shown(edges, "LA", "k", "q")
    assert (found["MSCA"], found["CP"], found["FP"], found["DP"]) == ("b", 1, 2, 1)
    assert found["value"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("measure", ["Rada", "LC"])
def test_an_added_root_is_no_ancestor_unless_paths_lead_through_it(small: oe.Ontology, measure: str) -> None:
    (there,) = why(small, ["a"], ["c"], f"{measure}(paths=common-ancestor)")
    assert (there["d"], there["ancestor"]) == (4, "(root)")
    (gone,) = why(small, ["a"], ["c"], f"{measure}(paths=common-ancestor, root_paths=false)")
    assert (gone["d"], gone["ancestor"]) == (np.inf, None)
    (inside,) = why(small, ["a"], ["b"], f"{measure}(paths=common-ancestor, root_paths=false)")
    assert (inside["d"], inside["ancestor"]) == (2, "x")


@pytest.mark.parametrize("msca", ["best", "deepest"])
def test_equal_concepts_part_nowhere_so_no_branching_is_shown(msca: str) -> None:
    found = shown(TWO_PARENTS, f"BDM(msca={msca})", "k", "k")
    assert found == {
        "left": "k", "right": "k", "value": 1,
        "MSCA": "k", "CP": 2, "DPK": 0, "DPR": 0, "n0": 2, "n(K)": 2, "n(R)": 2, "BR": None,
    }  # fmt: skip


@pytest.mark.parametrize(("measure", "expected"), [("Rada(scale=distance)", 1.0), ("WP", 0.8), ("BDM", None)])
def test_of_several_senses_the_nearest_pair_counts(measure: str, expected: float | None) -> None:
    """b has two steps to r and one to a. WP(b, a) = 2 * 2 / (3 + 2), depths counted from 1; WP(b, r) = 2 / (3 + 1)."""
    ontology = oe.Ontology.from_edges([("a", "r"), ("b", "a")])
    score = oe.evaluate(oe.ConceptPairs(ontology, ["b"], [["r", "a"]]), [measure])[measure]
    single = [oe.relate(ontology, ["b"], [other], measure)[0] for other in "ra"]
    assert score.value == pytest.approx(single[1] if expected is None else expected)
    assert single[0] != single[1]


def test_a_pair_without_a_common_ancestor_says_so() -> None:
    ontology = oe.Ontology.from_edges([("a", "p"), ("b", "q")], root="none")
    (bdm,), (lin,) = (why(ontology, ["a"], ["b"], measure) for measure in ("BDM", "Lin"))
    assert (bdm["MSCA"], bdm["BR"]) == (None, None)
    (deepest,) = why(ontology, ["a"], ["b"], "BDM(msca=deepest)")
    assert (deepest["value"], deepest["MSCA"], deepest["CP"]) == (0, None, bdm["CP"])
    assert oe.relate(ontology, ["a"], ["b"], "BDM(msca=deepest)").tolist() == [0]
    assert (lin["MICA"], lin["IC(MICA)"]) == (None, 0.0)
    (la,) = why(ontology, ["a"], ["b"], "LA")
    assert (la["MSCA"], la["CP"], la["FP"], la["DP"]) == (None, None, None, None)


def test_a_root_of_the_file_is_shown_by_its_name() -> None:
    ontology = oe.Ontology.from_edges([("a", "top"), ("b", "top")])
    assert why(ontology, ["a"], ["b"], "BDM")[0]["MSCA"] == "top"


def test_of_equally_deep_ancestors_the_one_that_gives_the_shown_steps_is_shown() -> None:
    """m is one step above a and two above b, n the other way round; DP counts from the left concept."""
    edges = [("m", "r"), ("n", "r"), ("a", "m"), ("x", "n"), ("a", "x"), ("y", "m"), ("b", "y"), ("b", "n")]
    ontology = oe.Ontology.from_edges(edges)
    for left, right, closest in (("a", "b", "m"), ("b", "a", "n")):
        (reason,) = why(ontology, [left], [right], "LA")
        assert (reason["MSCA"], reason["DP"]) == (closest, 1)


def test_of_ancestors_without_information_the_first_by_iri_is_shown_and_an_added_root_last() -> None:
    """All that was counted is below x: IC(x) = -ln 1 = 0, as for every ancestor of x."""
    for edges, first in (([*EDGES], "x"), ([*EDGES, ("x", "w"), ("y", "w")], "w")):
        ontology = oe.Ontology.from_edges(edges).with_counts({"a": 1, "b": 1})
        (reason,) = why(ontology, ["a"], ["b"], "Resnik(ic=corpus)")
        assert (reason["MICA"], reason["IC(MICA)"]) == (first, 0)


def test_learning_accuracy_over_the_root_shows_its_steps(small: oe.Ontology) -> None:
    """a is two edges below the root, c too: CP 0, DP 2, FP = CP + DP."""
    (reason,) = why(small, ["a"], ["c"], "LA")
    assert (reason["MSCA"], reason["CP"], reason["FP"], reason["DP"]) == ("(root)", 0, 2, 2)


def test_a_root_added_to_an_owl_file_is_shown_as_added(tmp_path: Path) -> None:
    """There its IRI is that of owl:Thing, which the file does not have."""
    file = tmp_path / "two.ttl"
    file.write_text(
        "@prefix : <urn:x#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . :a a owl:Class . :b a owl:Class ."
    )
    ontology = oe.load_ontology(file)
    assert ontology.hierarchy.iris[0] == "http://www.w3.org/2002/07/owl#Thing"
    (wp,), (rada,) = (why(ontology, ["urn:x#a"], ["urn:x#b"], measure) for measure in ("WP", "Rada"))
    assert wp["ancestor"] == "(root)"
    assert rada["path"] == ["urn:x#a", "(root)", "urn:x#b"]
