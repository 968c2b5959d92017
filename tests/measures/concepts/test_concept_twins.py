"""Concept against concept: every measure and parameter against the slow twin, and what the definitions promise."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import inf, log
from typing import Any

import numpy as np
import pytest
import strategies
import twin_concepts
from hypothesis import given
from hypothesis import strategies as st
from twin_concepts import Concepts

import ontoeval as oe
from ontoeval.analysis.relate import nearest, relate_all, why
from ontoeval.concepts.space import Space
from ontoeval.errors import MissingInputError, UnknownConceptError

SMALL = ("BDM", "BDM(msca=deepest)", "LA", "LA(root_prediction=1)", "Flat", "WP")  # cheap enough for every example
PATHS = tuple(
    f"edges={edges}, paths={paths}, root_paths={root}"
    for edges, paths, root in product(("similarity", "relatedness"), ("any", "common-ancestor"), ("true", "false"))
)
RADA = tuple(f"Rada(scale={scale}, {path})" for scale in ("similarity", "distance") for path in PATHS)
LC = tuple(
    f"LC(scale={scale}, depth={depth}, unit={unit}, {path})"
    for scale, depth, unit in product(("unit", "raw"), ("shortest", "longest"), ("nodes", "edges"))
    for path in PATHS
)
INTRINSIC = ("ic=seco", "ic=sanchez", "ic=sanchez, leaf_itself=true", "ic=zhou")
CORPUS = ("ic=corpus", "ic=corpus, smoothing=add-one")
WITH_IC = ("Resnik(scale=unit, {})", "Resnik(scale=raw, {})", "Lin({})", "JC(scale=similarity, {})")
WITH_IC += ("JC(scale=distance, {})", "simGIC({})")
DEFAULTS = ("Rada", "LC", "Resnik", "Lin", "JC", "simGIC")
TABLE = (*DEFAULTS, *RADA, *LC, *(form.format(ic) for form in WITH_IC for ic in (*INTRINSIC, *CORPUS)))
COUNTED = tuple(form.format(ic) for form in WITH_IC for ic in CORPUS)


def is_distance(measure: str) -> bool:
    return "scale=distance" in measure


def is_raw(measure: str) -> bool:
    return "scale=raw" in measure or is_distance(measure)


def both(made: Mapping[str, Any], pick: int) -> tuple[oe.Ontology, Concepts]:
    root = strategies.root_of(made, pick)
    return oe.Ontology.from_edges(**made, root=root), Concepts(**made, root=root)


def pairs(names: list[str]) -> tuple[list[str], list[str]]:
    return [a for a in names for _ in names], [b for _ in names for b in names]


def the_same(found: Any, expected: Any, about: str = "") -> None:
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, np.array(expected), rtol=1e-9, atol=1e-9, equal_nan=True, err_msg=about)


def check(ontology: oe.Ontology, twin: Concepts, measure: str) -> None:
    """The matrix and the list of all pairs are the twin's; or both refuse."""
    names = twin.given
    left, right = pairs(names)
    if "corpus" in measure:
        if twin.counts is None and not twin.assigned:
            with pytest.raises(MissingInputError):
                oe.relate(ontology, left, right, measure)
            return
        if "add-one" not in measure:
            frequency = twin.frequencies()
            names = [name for name in names if frequency[name]]
            if len(names) < len(twin.given):
                with pytest.raises(MissingInputError) as caught:
                    oe.relate(ontology, left, right, measure)
                check_refusal(twin, names, str(caught.value))
            if not all(frequency.values()):  # whether concepts nobody asked for may lack an IC is not said
                return
    expected = np.array([[twin(measure, a, b) for b in names] for a in names])
    left, right = pairs(names)
    matrix = relate_all(ontology, names, measure)
    the_same(matrix, expected, measure)
    the_same(oe.relate(ontology, left, right, measure), expected.ravel(), measure)
    check_promises(twin, measure, names, matrix)


def check_refusal(twin: Concepts, counted: list[str], message: str) -> None:
    """Nothing was counted anywhere; or the message names concepts with nothing at or below them, eight at most."""
    if not counted:
        assert message.startswith("no concept occurs in the corpus")
        return
    bare = {name for name in twin.given if name not in counted}
    named = {name for name in twin.given if repr(name) in message}
    assert named <= bare
    assert len(named) == min(len(bare), 8)
    assert f"for {len(bare)} concept" in message


def check_promises(twin: Concepts, measure: str, names: list[str], matrix: Any) -> None:
    undefined = np.isnan(matrix)
    assert not undefined.any() or (measure.startswith("LC(scale=raw") and "unit=edges" in measure and undefined.all())
    if not measure.startswith("LA"):
        the_same(matrix, matrix.T, measure)
    if not is_raw(measure):
        assert matrix.min() >= -1e-12
        assert matrix.max() <= 1 + 1e-12
    if is_distance(measure):
        assert matrix.min() >= -1e-12
        the_same(np.diagonal(matrix), np.zeros(len(names)), measure)
    elif not is_raw(measure) and not measure.startswith("Resnik"):
        the_same(np.diagonal(matrix), np.ones(len(names)), measure)
    elif not undefined.any():  # nothing is nearer to a concept than itself
        assert (matrix.max(axis=1) <= np.diagonal(matrix) + 1e-12).all()


# random ontologies


@given(strategies.ontologies(), strategies.picks(), st.lists(st.sampled_from(TABLE), min_size=6, max_size=6))
def test_every_measure_is_the_twins(made: dict[str, Any], pick: int, drawn: list[str]) -> None:
    ontology, twin = both(made, pick)
    for measure in (*SMALL, *drawn):
        check(ontology, twin, measure)


@pytest.mark.parametrize("measure", TABLE)
def test_every_parameter_on_one_odd_ontology(measure: str) -> None:
    check(*odd(), measure)


@cache
def odd() -> tuple[oe.Ontology, Concepts]:
    """A cycle, a redundant link, several parents and tops, every kind of edge, own weights, an instance on each."""
    made: dict[str, Any] = {
        "edges": [
            ("b", "a"), ("c", "a"), ("d", "b"), ("d", "c"), ("d", "a"), ("e", "d", 0.5), ("f", "e"), ("e", "f", 2.0),
            ("g", "f"), ("h", "c", 0.0), ("i", "h"), ("k", "j"), ("l", "k"), ("l", "i"), ("m", "k"), ("n", "n"),
        ],
        "related": [("g", "m"), ("b", "n", 0.25)],
        "synonyms": [("h", "b"), ("m", "i", 0.75)],
        "equivalent": [("j", "o")],
        "instances": {f"on {name}": name for name in "abcdefghijklmno"} | {"more": ["d", "l"], "some": {"g": 0.5}},
        "weights": {"hierarchical": 1.5, "related": 2.0},
    }  # fmt: skip
    return oe.Ontology.from_edges(**made), Concepts(**made)


@given(strategies.ontologies(), strategies.picks(), st.lists(st.integers(0, 5), min_size=12, max_size=12), st.data())
def test_counts_go_before_instances(made: dict[str, Any], pick: int, numbers: list[int], data: st.DataObject) -> None:
    root = strategies.root_of(made, pick)
    names = strategies.every_name(made)
    counts = {name: number * 1.5 for name, number in zip(names, numbers, strict=False)}
    ontology = oe.Ontology.from_edges(**made, root=root).with_counts(counts)
    for measure in data.draw(st.lists(st.sampled_from(COUNTED), min_size=3, max_size=3)):
        check(ontology, Concepts(**made, root=root, counts=counts), measure)


@given(strategies.ontologies(), strategies.picks(), st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=3)))
def test_of_several_senses_the_best_counts(made: dict[str, Any], pick: int, drawn: list[list[int]]) -> None:
    ontology, twin = both(made, pick)
    words = [[twin.given[i % len(twin.given)] for i in senses] for senses in drawn]
    left, right = words, words[1:] + words[:1]
    for measure in ("BDM", "LA", "Lin", "Rada", "Rada(scale=distance)", "JC(scale=distance)", "LC(scale=raw)"):
        best = min if is_distance(measure) else max
        expected = [best(twin(measure, a, b) for a in x for b in y) for x, y in zip(left, right, strict=True)]
        the_same(oe.relate(ontology, left, right, measure), expected, measure)


@given(strategies.ontologies(), strategies.picks(), st.integers(1, 14), st.integers(0, 99))
def test_nearest_is_sorting_by_value_and_name(made: dict[str, Any], pick: int, k: int, who: int) -> None:
    ontology, twin = both(made, pick)
    concept = twin.given[who % len(twin.given)]
    others = [name for name in twin.given if name != concept]
    for measure in ("BDM", "Lin", "WP", "Rada(scale=distance)", "JC(scale=distance)", "simGIC(ic=sanchez)"):
        values = oe.relate(ontology, [concept] * len(others), others, measure)
        expected = dict(zip(others, values.tolist(), strict=True))
        every = nearest(ontology, concept, measure, top=len(twin.names))
        assert sorted(row.iri for row in every) == others
        the_same(np.array([row.value for row in every], dtype=float), [expected[row.iri] for row in every], measure)
        sign = 1 if is_distance(measure) else -1
        keys = [(sign * row.value, row.iri) for row in every]
        assert keys == sorted(keys), measure
        assert nearest(ontology, concept, measure, top=k) == every[:k], measure


@given(strategies.ontologies(), strategies.picks())
def test_what_bdm_says_it_was_made_of_gives_its_value(made: dict[str, Any], pick: int) -> None:
    ontology, twin = both(made, pick)
    chosen = [(a, b) for a, b in combinations(twin.given, 2) if twin.part[a] != twin.part[b] and twin("BDM", a, b) > 0]
    for msca in ("best", "deepest"):
        said = why(ontology, [a for a, _ in chosen], [b for _, b in chosen], f"BDM(msca={msca})")
        assert len(said) == len(chosen)
        for (a, b), row in zip(chosen, said, strict=True):
            expected = twin_concepts.explained_bdm(twin, a, b, msca)
            assert row["n0"] == pytest.approx(float(twin.n0))
            assert row["n(R)"] == pytest.approx(float(twin.n[twin.part[a]]))  # left is the response
            assert row["n(K)"] == pytest.approx(float(twin.n[twin.part[b]]))
            x = row["BR"] * row["CP"] / row["n0"]
            way = sum(row[d] / row[n] for d, n in (("DPK", "n(K)"), ("DPR", "n(R)")) if row[d])
            assert x + way == 0 or x / (x + way) == pytest.approx(float(expected.score), abs=1e-9)


# by hand

DIAMOND = [("a", "top"), ("b", "top"), ("c", "a"), ("c", "b"), ("d", "a")]


def one(edges: Any, measure: str, left: str, right: str, **options: Any) -> float:
    return float(oe.relate(oe.Ontology.from_edges(edges, **options), [left], [right], measure)[0])


def test_learning_accuracy_is_not_symmetric() -> None:
    edges = [("a", "top"), ("b", "top"), ("c", "a"), ("d", "c")]
    assert one(edges, "LA", "a", "d") == 1  # a, judged, is above the key d
    assert one(edges, "LA", "d", "a") == pytest.approx(1 / 5)  # CP 1, DP 2
    assert relate_all(oe.Ontology.from_edges(edges), ["a", "d"], "LA") == pytest.approx(np.array([[1, 1], [0.2, 1]]))


def test_identity_gives_the_information_content_by_resnik() -> None:
    hypo = {"top": 4, "a": 2, "b": 1, "c": 0, "d": 0}
    names = list(hypo)
    found = oe.relate(oe.Ontology.from_edges(DIAMOND), names, names, "Resnik(scale=raw)")
    assert found == pytest.approx([1 - log(n + 1) / log(5) for n in hypo.values()])


def test_weights_of_zero_work() -> None:
    zero = {"weights": {"hierarchical": 0.0}}
    for path in ("any", "common-ancestor"):
        assert one(DIAMOND, f"Rada(scale=distance, paths={path})", "b", "d", **zero) == 0
        assert one(DIAMOND, f"LC(paths={path})", "b", "d", **zero) == 1
        apart = {"root": "none", "concepts": ["x"], **zero}
        assert one(DIAMOND, f"Rada(scale=distance, paths={path})", "x", "d", **apart) == inf
        assert one(DIAMOND, f"Rada(paths={path})", "x", "d", **apart) == 0
        assert one(DIAMOND, f"LC(scale=raw, paths={path})", "x", "d", **apart) == -inf
        assert one(DIAMOND, f"LC(paths={path})", "x", "d", **apart) == 0
    assert one(DIAMOND, "WP", "b", "d", **zero) == pytest.approx(2 / 5)  # depth and up count edges, whatever they weigh
    assert one(DIAMOND, "Rada(scale=distance)", "b", "d") == 3
    one_free = [*DIAMOND[:2], ("c", "a", 0), *DIAMOND[3:]]
    assert one(one_free, "Rada(scale=distance)", "b", "d") == 2  # over c and a: 1 + 0 + 1
    near = {"related": [("b", "d", 0)]}
    assert one(DIAMOND, "Rada(scale=distance, edges=relatedness)", "b", "d", **near) == 0
    assert one(DIAMOND, "Rada(scale=distance)", "b", "d", **near) == 3
    assert one(DIAMOND, "Rada(scale=distance)", "b", "d", synonyms=[("b", "d")]) == 0


def test_two_parents_of_one_child_are_two_apart() -> None:
    edges = [("child", "a"), ("child", "b"), ("a", "x"), ("x", "top"), ("b", "y"), ("y", "top")]
    assert one(edges, "Rada(scale=distance)", "a", "b") == 2
    assert one(edges, "Rada(scale=distance, paths=common-ancestor)", "a", "b") == 4


def test_paths_through_an_added_root_count_unless_told() -> None:
    edges = [("a", "s"), ("b", "t")]
    for path in ("any", "common-ancestor"):
        assert one(edges, f"Rada(scale=distance, paths={path})", "a", "b") == 4
        assert one(edges, f"Rada(scale=distance, paths={path}, root_paths=false)", "a", "b") == inf
        assert (
            one([*edges, ("s", "r"), ("t", "r")], f"Rada(scale=distance, paths={path}, root_paths=false)", "a", "b")
            == 4
        )
    assert one(edges, "Rada(scale=distance, root_paths=false)", "a", "b", synonyms=[("s", "t")]) == 2


def test_an_ancestor_deeper_than_the_concept_does_not_lower_wu_palmer() -> None:
    edges = [("a", "top"), ("b", "a"), ("c", "b"), ("x", "c"), ("x", "top"), ("y", "x")]
    assert one(edges, "WP", "x", "x") == 1
    assert one(edges, "WP", "x", "y") == pytest.approx(4 / 5)  # over x: 4/(0 + 1 + 4); over c: 8/(1 + 2 + 8)
    deeper = [(f"d{i}", f"d{i - 1}" if i else "c") for i in range(4)] + [("x", "d3")]
    assert one([*edges, *deeper], "WP", "x", "y") == pytest.approx(16 / 19)  # over d3 (depth 7): 16/(1 + 2 + 16)


def test_a_depth_of_no_edge_leaves_raw_leacock_chodorow_undefined() -> None:
    alone = {"concepts": ["x", "y"], "root": "none"}
    assert np.isnan(one([], "LC(scale=raw, unit=edges)", "x", "x", **alone))
    assert one([], "LC(unit=edges)", "x", "x", **alone) == 1
    assert one([], "LC(unit=edges)", "x", "y", **alone) == 0
    assert one([], "LC(scale=raw)", "x", "x", **alone) == pytest.approx(log(2))


def test_zhou_counts_depth_where_no_chain_is_longer_than_two() -> None:
    """Roots a (with b, c) and d, no root added: seco(a) = 1 - ln 3 / ln 4, deep(a) = 1, so IC(a) is half of it."""
    forest = {"concepts": ["d"], "root": "none"}
    seco = 1 - log(3) / log(4)
    edges = [("b", "a"), ("c", "a")]
    assert one(edges, "Resnik(ic=zhou, scale=raw)", "b", "c", **forest) == pytest.approx(seco / 2)
    assert one(edges, "Resnik(ic=seco, scale=raw)", "b", "c", **forest) == pytest.approx(seco)


def test_one_concept_alone() -> None:
    ontology = oe.Ontology.from_edges([], concepts=["x"])
    for measure in (
        *SMALL,
        "Resnik(scale=raw)",
        "Resnik(ic=sanchez)",
        "Resnik(ic=zhou)",
        "Lin",
        "JC",
        "simGIC",
        "Rada",
    ):
        assert oe.relate(ontology, ["x"], ["x"], measure).tolist() == [1], measure
    assert nearest(ontology, "x") == []


def test_nothing_asked_is_nothing_answered() -> None:
    ontology = oe.Ontology.from_edges(DIAMOND)
    for measure in (*SMALL, *DEFAULTS):
        assert oe.relate(ontology, [], [], measure).shape == (0,)
        assert relate_all(ontology, [], measure).shape == (0, 0)
        assert why(ontology, [], [], measure) == []


def test_an_unknown_concept_is_named() -> None:
    ontology = oe.Ontology.from_edges(DIAMOND, root="new")
    for unknown in ("nobody", "(root)"):  # an added root is never given out, nor taken
        with pytest.raises(UnknownConceptError, match="nobody" if unknown == "nobody" else "root"):
            oe.relate(ontology, ["a", unknown], ["b", "c"], "BDM")
        with pytest.raises(UnknownConceptError):
            oe.relate(ontology, ["a"], [["b", unknown]], "Lin")
        with pytest.raises(UnknownConceptError):
            relate_all(ontology, [unknown], "WP")
        with pytest.raises(UnknownConceptError):
            nearest(ontology, unknown)
    with pytest.raises(oe.OntoevalError):
        oe.relate(ontology, ["a", "b"], ["c"], "BDM")


# counted


def test_a_concept_that_nothing_was_counted_at_has_no_information_content() -> None:
    counts = {"top": 0, "b": 3, "c": 2, "a": 1}  # nothing at d, nor below it
    ontology = oe.Ontology.from_edges(DIAMOND).with_counts(counts)
    for measure in ("Resnik", "Lin", "JC", "simGIC"):
        with pytest.raises(oe.OntoevalError, match=r"\bd\b"):
            oe.relate(ontology, ["a", "d"], ["c", "d"], f"{measure}(ic=corpus)")
    # own counts 1 2 4 3 1 for top a b c d: 11; below a 6, below b 7
    found = oe.relate(ontology, ["a", "d", "c"], ["c", "d", "b"], "Resnik(scale=raw, ic=corpus, smoothing=add-one)")
    assert found == pytest.approx([log(11 / 6), log(11 / 1), log(11 / 7)])
    unit = oe.relate(ontology, ["c"], ["b"], "Resnik(ic=corpus, smoothing=add-one)")
    assert unit == pytest.approx([log(11 / 7) / log(11)])
    assert oe.relate(ontology, ["c"], ["d"], "Lin(ic=corpus, smoothing=add-one)") == pytest.approx(
        [2 * log(11 / 6) / (log(11 / 3) + log(11))]
    )


def test_of_many_concepts_without_information_content_eight_are_named_and_the_others_counted() -> None:
    names = [f"n{number:02}" for number in range(12)]
    ontology = oe.Ontology.from_edges([(name, "r") for name in names]).with_counts({"n11": 1})
    with pytest.raises(oe.OntoevalError) as caught:
        relate_all(ontology, names, "Lin(ic=corpus)")
    assert "'n00', 'n01', 'n02', 'n03', 'n04', 'n05', 'n06', 'n07' and 3 more. " in str(caught.value)


def test_the_added_root_is_smoothed_too() -> None:
    ontology = oe.Ontology.from_edges([("a", "s"), ("b", "t")]).with_counts({"a": 5})
    # own counts 1 1 6 1 1 for the root, s, a, t, b: 10
    found = oe.relate(ontology, ["s", "a"], ["s", "b"], "Resnik(scale=raw, ic=corpus, smoothing=add-one)")
    assert found == pytest.approx([log(10 / 7), 0])


def test_everything_counted_in_one_place_is_no_information() -> None:
    ontology = oe.Ontology.from_edges([("a", "top"), ("b", "a")]).with_counts({"b": 4})
    names = ["top", "a", "b"]
    assert relate_all(ontology, names, "Lin(ic=corpus)").tolist() == np.eye(3).tolist()
    assert relate_all(ontology, names, "Resnik(ic=corpus)").tolist() == np.eye(3).tolist()
    assert relate_all(ontology, names, "simGIC(ic=corpus)").tolist() == np.eye(3).tolist()
    assert relate_all(ontology, names, "JC(ic=corpus)").tolist() == np.ones((3, 3)).tolist()


def test_corpus_content_needs_something_counted() -> None:
    with pytest.raises(MissingInputError):
        oe.relate(oe.Ontology.from_edges(DIAMOND), ["a"], ["b"], "Lin(ic=corpus)")


# path counts beyond 64 bits and beyond float64

WINDOW = 24  # levels above a pair that are searched; the rest is ruled out by a bound

Table = dict[str, dict[int, int]]


class Ladder:
    """Diamonds below each other: t0 > l0 > t1 and t0 > r0 > t1; every third l has a leaf x of its own.

    On every `uneven`-th level the right side is longer: r0 > s0 > t1.
    """

    def __init__(self, levels: int, uneven: int) -> None:
        self.levels = levels
        self.direct: dict[str, list[str]] = {"t0": []}  # in an order in which parents come first
        for i in range(levels):
            self.direct |= {f"l{i}": [f"t{i}"], f"r{i}": [f"t{i}"]}
            self.direct |= {f"x{i}": [f"l{i}"]} if i % 3 == 0 else {}
            self.direct |= {f"s{i}": [f"r{i}"]} if i % uneven == 0 else {}
            self.direct[f"t{i + 1}"] = [f"l{i}", f"s{i}" if i % uneven == 0 else f"r{i}"]
        self.children: dict[str, list[str]] = {name: [] for name in self.direct}
        for child, parents in self.direct.items():
            for parent in parents:
                self.children[parent].append(child)
        self.shortest, self.longest = {"t0": 0}, {"t0": 0}
        for name, parents in list(self.direct.items())[1:]:
            self.shortest[name] = 1 + min(self.shortest[parent] for parent in parents)
            self.longest[name] = 1 + max(self.longest[parent] for parent in parents)
        self.count_chains()
        inner = [len(below) for below in self.children.values() if below]
        self.avg = Fraction(sum(inner), len(inner))

    def edges(self) -> list[tuple[str, str]]:
        """With links past each diamond that change nothing."""
        found = [(child, parent) for child, parents in self.direct.items() for parent in parents]
        past = [(f"t{i + 1}", f"t{i}") for i in range(self.levels)]
        past += [(name, f"t{name[1:]}") for name in self.direct if name[0] == "s"]
        return found + past

    def count_chains(self) -> None:
        """n(c) and n0 from exact numbers and total lengths of the ways up and down."""
        up, down = {"t0": (1, 0)}, {}
        for name, parents in list(self.direct.items())[1:]:
            up[name] = sum(up[p][0] for p in parents), sum(up[p][0] + up[p][1] for p in parents)
        for name in reversed(self.direct):
            below = self.children[name]
            down[name] = (sum(down[c][0] for c in below), sum(down[c][0] + down[c][1] for c in below))
            if not below:
                down[name] = (1, 0)
        self.chains = down["t0"][0]
        self.n0 = Fraction(down["t0"][1], down["t0"][0])
        self.n = {
            name: Fraction(up[name][1] * down[name][0] + down[name][1] * up[name][0], up[name][0] * down[name][0])
            for name in self.direct
        }

    def table(self, end: str) -> Table:
        """Ancestor in the window -> way length down to `end` -> the most children of the concepts strictly between."""
        found: Table = {end: {0: 0}}
        last = int(end[1:])
        for name in reversed(list(self.direct)):
            if name != end and int(name[1:]) >= last - WINDOW:
                ways: dict[int, int] = {}
                for child in self.children[name]:
                    for steps, inner in self.through(found, child, end).items():
                        ways[steps] = max(inner, ways.get(steps, 0))
                if ways:
                    found[name] = ways
        return found

    def through(self, table: Table, child: str, end: str) -> dict[int, int]:
        """The same for the ways whose first step goes to `child`."""
        own = 0 if child == end else len(self.children[child])
        return {steps + 1: inner + own for steps, inner in table.get(child, {}).items()}

    def bdm(self, k: str, r: str) -> float:
        """The best over all M, both lengths and both first steps."""
        to_k, to_r = self.table(k), self.table(r)
        best = max(
            self.score(m, branches, dpk, dpr, k, r)
            for m in to_k.keys() & to_r.keys()
            for dpk, dpr, branches in self.ways(m, k, r, to_k, to_r)
        )
        for i in range(max(int(k[1:]), int(r[1:])) - WINDOW):  # no M up there can be better, even at its best
            for m in (f"t{i}", f"l{i}", f"r{i}"):
                x = 2 / float(self.avg) * self.longest[m] / float(self.n0)  # nobody has more than two children
                way = sum((self.shortest[end] - self.shortest[m]) / float(self.n[end]) for end in (k, r))
                assert x / (x + way) < best
        return best

    def ways(self, m: str, k: str, r: str, to_k: Table, to_r: Table) -> list[tuple[int, int, int]]:
        own = len(self.children[m])
        if m in (k, r):
            other, table = (r, to_r) if m == k else (k, to_k)
            rows = [(steps, own + inner) for steps, inner in table[m].items()]
            return [(0, steps, total) if other == r else (steps, 0, total) for steps, total in rows]
        return [
            (dpk, dpr, own + inner_k + inner_r)
            for x in self.children[m]
            for y in self.children[m]
            if x != y
            for dpk, inner_k in self.through(to_k, x, k).items()
            for dpr, inner_r in self.through(to_r, y, r).items()
        ]

    def score(self, m: str, branches: int, dpk: int, dpr: int, k: str, r: str) -> float:
        relevant = 1 + max(0, dpk - 1) + max(0, dpr - 1)
        x = branches / relevant / float(self.avg) * self.longest[m] / float(self.n0)
        return x / (x + dpk / float(self.n[k]) + dpr / float(self.n[r]))


@pytest.mark.parametrize("uneven", [1, 2, 4])
def test_the_twin_of_the_ladder_is_the_one_that_lists_paths(uneven: int) -> None:
    small = Ladder(4, uneven)
    listing = Concepts(small.edges())
    assert (small.n0, small.avg, small.chains) == (listing.n0, listing.avg, len(listing.chains))
    assert small.n == listing.n
    for a, b in combinations(listing.given, 2):
        assert small.bdm(a, b) == pytest.approx(listing("BDM", a, b), abs=1e-12), (a, b)


@pytest.mark.parametrize(
    ("levels", "uneven"),
    [(70, 1), pytest.param(1200, 300, marks=pytest.mark.slow)],  # of 64 bits; of float64
)
def test_path_counts_beyond_every_number_type(levels: int, uneven: int) -> None:
    ladder = Ladder(levels, uneven)
    assert ladder.chains > 2**64
    assert levels < 1200 or ladder.chains > 2**1024
    last, middle = levels - 1, 3 * (levels // 6)
    pairs = [(f"l{last}", f"r{last}"), (f"l{last - 1}", f"r{last}"), (f"t{levels}", f"t{last}"), ("t1", "l3")]
    pairs += [
        (f"l{middle}", f"r{middle + 1}"),
        (f"x{middle}", f"r{middle}"),
        ("l40", "r40"),
        ("t30", "x33"),
        ("x0", "r1"),
    ]
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    ontology = oe.Ontology.from_edges(ladder.edges())
    expected = [ladder.bdm(a, b) for a, b in pairs]
    assert oe.relate(ontology, left, right, "BDM") == pytest.approx(expected, rel=1e-9)
    for (a, b), row in zip(pairs, why(ontology, left, right, "BDM"), strict=True):
        assert row["n0"] == pytest.approx(float(ladder.n0), rel=1e-12)
        assert row["n(R)"] == pytest.approx(float(ladder.n[a]), rel=1e-12)
        assert row["n(K)"] == pytest.approx(float(ladder.n[b]), rel=1e-12)


def test_mean_lengths_of_more_chains_than_float64_counts() -> None:
    ladder = Ladder(1200, 300)
    assert ladder.chains > 2**1024
    ontology = oe.Ontology.from_edges(ladder.edges())
    means, n0 = Space.of(ontology).direct.chains
    names = list(ladder.n)
    parts = ontology.hierarchy.closure.part[[ontology.hierarchy.id(name) for name in names]]
    assert n0 == pytest.approx(float(ladder.n0), rel=1e-12)
    assert means[parts] == pytest.approx([float(ladder.n[name]) for name in names], rel=1e-12)


# many ways between concepts


def dense(seed: int) -> list[tuple[str, str]]:
    """6 to 16 concepts, each below 1 to 3 of the six made before it; every second time one has 8 leaves besides.

    The names say nothing about the places. Few concepts with many children make wrong ways score more than right ones.
    """
    chance = random.Random(seed)
    names = [f"c{i:02}" for i in range(chance.randint(6, 16))]
    chance.shuffle(names)
    edges = []
    for i, name in enumerate(names):
        before = names[max(0, i - 6) : i]
        edges += [(name, parent) for parent in chance.sample(before, min(i, chance.randint(1, 3)))]
    wide = chance.choice(names[1:])
    return edges + [(f"leaf {i}", wide) for i in range(8 * (seed % 2))]


@pytest.mark.parametrize("measure", ["BDM", "BDM(msca=deepest)"])
def test_bdm_of_dense_hierarchies_is_the_twins_as_a_list_and_as_a_grid(measure: str) -> None:
    for seed in range(100):
        edges = dense(seed)
        ontology, twin = oe.Ontology.from_edges(edges), Concepts(edges)
        two = list(combinations(twin.given, 2))
        expected = [twin(measure, a, b) for a, b in two]
        listed = oe.relate(ontology, [a for a, _ in two], [b for _, b in two], measure)
        the_same(listed, expected, f"list, seed {seed}")
        grid = relate_all(ontology, twin.given, measure)
        upper = np.triu_indices(len(twin.given), 1)
        the_same(grid[upper], expected, f"grid, seed {seed}")
        the_same(grid.T[upper], expected, f"grid, seed {seed}")


def test_two_ways_that_begin_with_the_same_step_do_not_part_at_its_top() -> None:
    """BDM of a and x in r > p > m > x > a, where m has nine leaves besides.

    br is 1, 1, 10, 1 (avg 13/4), n0 = (9 * 3 + 4) / 10 = 31/10, n(x) = n(a) = 4. They part at x: CP 3, BR 4/13,
    X = (4/13) 3 / (31/10) = 120/403, DP 0 and 1: X / (X + 1/4) = 480/883 = 0.544.
    Through m, by the same step to x twice, it would be X = (11/2) (4/13) 2 / (31/10), DP 1 and 2: 0.593.
    """
    edges = [("p", "r"), ("m", "p"), ("x", "m"), ("a", "x"), *((f"leaf {i}", "m") for i in range(9))]
    assert one(edges, "BDM", "a", "x") == pytest.approx(480 / 883, abs=1e-12)
    grid = relate_all(oe.Ontology.from_edges(edges), ["a", "x"], "BDM")
    assert grid[0, 1] == pytest.approx(480 / 883, abs=1e-12)


@pytest.mark.parametrize(("wider", "expected"), [("b", 3 / 10), ("a", 9 / 23)])
def test_of_two_equally_deep_ancestors_the_first_by_name_counts(wider: str, expected: float) -> None:
    """The children k and q of both a and b, which are below r; the wider of the two has one child more.

    avg = (2 + 2 + 3) / 3 = 7/3, every chain has 2 edges, CP 1, DPK = DPR = 1. Over a without the child more
    X = (2 * 3/7) / 2 = 3/7, over a with it X = (3 * 3/7) / 2 = 9/14; X / (X + 1).
    """
    edges = [("a", "r"), ("b", "r"), ("k", "a"), ("k", "b"), ("q", "a"), ("q", "b"), ("z", wider)]
    assert one(edges, "BDM(msca=deepest)", "k", "q") == pytest.approx(expected, abs=1e-12)
    assert one(edges, "BDM(msca=deepest)", "q", "k") == pytest.approx(expected, abs=1e-12)
    assert why(oe.Ontology.from_edges(edges), ["k"], ["q"], "BDM(msca=deepest)")[0]["MSCA"] == "a"


def test_a_concept_is_no_step_away_from_itself() -> None:
    ontology = oe.Ontology.from_edges([("b", "a"), ("c", "b")])
    (reason,) = why(ontology, ["c"], ["c"], "BDM")
    assert (reason["CP"], reason["DPK"], reason["DPR"]) == (2, 0, 0)


def test_a_grid_that_is_computed_in_several_lists_has_the_values_of_single_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ontology = oe.Ontology.from_edges([("b", "a"), ("c", "a"), ("d", "b"), ("e", "b"), ("e", "c"), ("f", "e")])
    iris = list(ontology.hierarchy.iris)
    monkeypatch.setattr("ontoeval.concepts.pairs.BLOCK", 2 * len(iris))  # two lines at a time
    matrix = relate_all(ontology, iris, "BDM(msca=deepest)")
    for row, left in enumerate(iris):
        assert matrix[row].tolist() == oe.relate(ontology, [left] * len(iris), iris, "BDM(msca=deepest)").tolist()
