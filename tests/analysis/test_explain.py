"""One concept on both sides, the lowest-scoring concepts, and the kinds of error, against plain sets."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import oracle
import pytest
from helpers import comparison
from hypothesis import given
from strategies import hierarchies, ontologies, picks, root_of
from twin_compare import Case, Concept, Pair, Side, cases, local_values

from ontoeval.analysis.explain import Errors, Explanation, NamedConcept, NamedRelative, explain
from ontoeval.analysis.worst import Branch, Difference, Loss, worst
from ontoeval.errors import UnknownConceptError
from ontoeval.matching.matcher import match
from ontoeval.measures import parse
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison

KINDS = ("up", "down", "sideways")
VEHICLES = [("car", "root"), ("bike", "root"), ("van", "car"), ("coupé", "car"), ("BMX", "bike")]


def compared(learned: Any, gold: Any = VEHICLES, **mapping: str) -> Comparison:
    """Two lists of edges by IRI, or by these pairs alone."""
    sides = Ontology.from_edges(learned, name="learned"), Ontology.from_edges(gold, name="gold")
    return Comparison(*sides, match(*sides, by=(lambda *_: mapping.items()) if mapping else "iri"))


def told_apart(case: Case) -> Case:
    """The same with names that no two concepts share, not even in part, whichever side they are on."""
    new: list[dict[str, str]] = []
    sides = []
    for side, made in (("l", case.learned), ("g", case.gold)):
        twin = oracle.twin(**made)
        names = sorted(twin.concepts - ({twin.root} if twin.root_added else set()))
        called = {name: f"http://{side}.org/{side}{place}" for place, name in enumerate(names)}
        edges = [tuple(called[end] for end in edge) for edge in made["edges"]]
        concepts = [called[name] for name in made["concepts"]]
        sides.append({"edges": edges, "concepts": concepts, "root": called.get(made["root"], made["root"])})
        new.append(called)
    return Case(sides[0], sides[1], {new[0][a]: new[1][b] for a, b in case.mapping.items()})


def names_of(side: Side) -> dict[Concept, str]:
    return {concept: name for name, concept in side.key.items()}


# one concept


def relatives(side: Side, concept: Concept) -> set[Concept]:
    return side.above[concept] | side.beneath[concept]


def place(side: Side, concept: Concept, other: Concept) -> str:
    words = [word for word, some in (("above", side.above), ("below", side.beneath)) if other in some[concept]]
    return " and ".join(words)


def marked(entries: tuple[NamedConcept | NamedRelative, ...]) -> dict[str, bool]:
    found = {entry.iri: entry.common for entry in entries}
    assert len(found) == len(entries)
    return found


def everything(pair: Pair) -> list[tuple[Concept, str | None, str | None]]:
    """All concepts, with their learned and their gold name."""
    ours, theirs = names_of(pair.learned), names_of(pair.gold)
    return [(c, ours.get(c), theirs.get(c)) for c in sorted(pair.learned.concepts | pair.gold.concepts)]


@given(drawn=cases())
def test_relatives_and_parents_are_those_of_the_twin_with_a_mark_for_common_ones(drawn: Case) -> None:
    case = told_apart(drawn)
    task, pair = comparison(case), case.pair
    ours, theirs = names_of(pair.learned), names_of(pair.gold)
    for concept, learned, gold in everything(pair):
        mine = relatives(pair.learned, concept) if learned else set()
        other = relatives(pair.gold, concept) if gold else set()
        for name in {learned, gold} - {None}:
            found = explain(task, str(name))
            assert (found.learned, found.gold, found.iri) == (learned, gold, gold or learned)
            assert marked(found.both) == {theirs[c]: True for c in mine & other}
            assert marked(found.only_learned) == {ours[c]: c in pair.common for c in mine - other}
            assert marked(found.only_gold) == {theirs[c]: c in pair.common for c in other - mine}
            for entry in (*found.both, *found.only_gold):
                assert entry.gold == place(pair.gold, concept, pair.gold.key[entry.iri])
            for entry in found.both:
                assert entry.learned == place(pair.learned, concept, pair.gold.key[entry.iri])
            for entry in found.only_learned:
                assert entry.learned == place(pair.learned, concept, pair.learned.key[entry.iri])
            parents = [(low, pair.learned.key[high]) for low, high in pair.learned.twin.edges]
            assert marked(found.learned_parents) == {ours[p]: p in pair.common for low, p in parents if low == learned}
            parents = [(low, pair.gold.key[high]) for low, high in pair.gold.twin.edges]
            assert marked(found.gold_parents) == {theirs[p]: p in pair.common for low, p in parents if low == gold}


@given(drawn=cases())
def test_values_are_the_local_values_of_the_twin_where_the_concept_has_one(drawn: Case) -> None:
    case = told_apart(drawn)
    task, pair = comparison(case), case.pair
    local = {
        "TP_csc": (0, local_values(pair, "precision", "csc", "common", "zero")),
        "TR_csc": (1, local_values(pair.swapped, "precision", "csc", "common", "zero")),
        "TO_csc": (0, local_values(pair, "overlap", "csc", "common", "zero")),
        "TP_sc": (0, local_values(pair, "precision", "sc", "learned", "zero")),
        "TR_sc": (1, local_values(pair.swapped, "precision", "sc", "learned", "zero")),
    }
    for _, *names in everything(pair):
        expected = {
            measure: pytest.approx(float(values[str(names[side])]), abs=1e-12)
            for measure, (side, values) in local.items()
            if names[side] in values
        }
        assert explain(task, str(names[0] or names[1])).values == expected


@given(drawn=cases())
def test_lists_have_common_concepts_first_then_go_by_label_and_iri(drawn: Case) -> None:
    case = told_apart(drawn)
    task = comparison(case)
    for _, learned, gold in everything(case.pair):
        found = explain(task, str(gold or learned))
        sides = {"learned": task.learned, "gold": task.gold}
        fields = {"learned_parents": "learned", "gold_parents": "gold", "both": "gold"}
        for field, side in {**fields, "only_learned": "learned", "only_gold": "gold"}.items():
            entries: tuple[NamedConcept, ...] = getattr(found, field)
            keys = [(not entry.common, entry.label, entry.iri) for entry in entries]
            assert keys == sorted(keys)
            ontology = sides[side]
            assert [entry.label for entry in entries] == [
                ontology.label_of(ontology.hierarchy.id(entry.iri)) for entry in entries
            ]


@pytest.fixture
def labelled() -> Comparison:
    """IRIs that differ, with labels; van was learned as a bike, tram is novel, BMX is missing."""
    learned = Ontology.from_edges(
        [("l:1", "l:0"), ("l:2", "l:0"), ("l:3", "l:2"), ("l:4", "l:2")],
        labels={"l:0": "root", "l:1": "car", "l:2": "bike", "l:3": "van", "l:4": "tram"},
    )
    gold = Ontology.from_edges(
        [("http://g.org/Car", "g:0"), ("g:2", "g:0"), ("g:3", "http://g.org/Car"), ("g:5", "g:2")],
        labels={"g:0": "root", "http://g.org/Car": "car", "g:2": "bike", "g:3": "van", "g:5": "BMX"},
    )
    return Comparison(learned, gold, match(learned, gold, by="label"))


def test_a_concept_is_explained_with_both_sides_next_to_each_other(labelled: Comparison) -> None:
    root, car, bike = NamedConcept("g:0", "root"), NamedConcept("http://g.org/Car", "car"), NamedConcept("l:2", "bike")
    assert explain(labelled, "g:3") == Explanation(
        iri="g:3",
        label="van",
        learned="l:3",
        gold="g:3",
        learned_parents=(bike,),
        gold_parents=(car,),
        both=(NamedRelative(*root, "above", "above"),),
        only_learned=(NamedRelative(*bike, "above", None),),
        only_gold=(NamedRelative(*car, None, "above"),),
        # csc: {bike, root} and {car, root}; sc has van itself, too
        values={"TP_csc": 1 / 2, "TR_csc": 1 / 2, "TO_csc": 1 / 3, "TP_sc": 2 / 3, "TR_sc": 2 / 3},
        moved="sideways",
        relations={"both": (), "only_learned": (), "only_gold": ()},
    )


@pytest.mark.parametrize("name", ["http://g.org/Car", "l:1", "car", "Car", "CAR"])
def test_a_concept_is_found_by_the_iri_of_either_side_its_label_and_its_local_name(
    labelled: Comparison, name: str
) -> None:
    assert explain(labelled, name) == explain(labelled, "http://g.org/Car")
    assert explain(labelled, name).learned == "l:1"


@pytest.mark.parametrize("name", ["l:4", "tram"])
def test_a_novel_concept_has_a_learned_side_only(labelled: Comparison, name: str) -> None:
    found = explain(labelled, name)
    assert (found.iri, found.label, found.learned, found.gold) == ("l:4", "tram", "l:4", None)
    assert found.learned_parents == (NamedConcept("l:2", "bike"),)
    assert found.only_learned == tuple(
        NamedRelative(iri, label, learned="above") for iri, label in (("l:2", "bike"), ("l:0", "root"))
    )
    assert found.gold_parents == found.both == found.only_gold == ()
    assert found.values == {"TP_sc": 0.0}


@pytest.mark.parametrize("name", ["g:5", "BMX"])
def test_a_missing_concept_has_a_gold_side_only(labelled: Comparison, name: str) -> None:
    found = explain(labelled, name)
    assert (found.iri, found.label, found.learned, found.gold) == ("g:5", "BMX", None, "g:5")
    assert found.gold_parents == (NamedConcept("g:2", "bike"),)
    assert found.only_gold == tuple(
        NamedRelative(iri, label, gold="above") for iri, label in (("g:2", "bike"), ("g:0", "root"))
    )
    assert found.learned_parents == found.both == found.only_learned == ()
    assert found.values == {"TR_sc": 0.0}


def test_relatives_that_the_other_side_does_not_have_are_marked_and_come_last(labelled: Comparison) -> None:
    found = explain(labelled, "bike")
    assert found.only_learned == (
        NamedRelative("l:3", "van", True, "below"), NamedRelative("l:4", "tram", False, "below"),
    )  # fmt: skip
    assert found.only_gold == (NamedRelative("g:5", "BMX", False, None, "below"),)


def test_members_of_a_cycle_are_relatives_and_a_concept_is_none_of_its_own() -> None:
    found = explain(compared([("a", "b"), ("b", "a")], [("a", "b")]), "a")
    assert found.both == (NamedRelative("b", "b", True, "above and below", "above"),)
    assert "a" not in {entry.iri for entry in found.only_learned}


def test_an_explanation_becomes_plain_lists_for_json(labelled: Comparison) -> None:
    found = explain(labelled, "van").to_dict()
    assert {key: found[key] for key in ("iri", "label", "learned", "gold")} == {
        "iri": "g:3",
        "label": "van",
        "learned": "l:3",
        "gold": "g:3",
    }
    car = {"iri": "http://g.org/Car", "label": "car", "common": True, "learned": None, "gold": "above"}
    assert found["only_gold"] == [car]
    assert found["both"] == [{"iri": "g:0", "label": "root", "common": True, "learned": "above", "gold": "above"}]
    assert found["values"]["TO_csc"] == pytest.approx(1 / 3)
    assert set(found) == set(Explanation.__dataclass_fields__)


def test_an_unknown_concept_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownConceptError) as error:
        explain(compared(VEHICLES), "bik")
    assert (
        str(error.value)
        == "unknown concept 'bik': it is in neither learned nor gold. Did you mean 'bike'? Use an IRI, a CURIE, a "
        "local name or a label."
    )
    with pytest.raises(UnknownConceptError) as error:
        explain(compared(VEHICLES), "submarine")
    assert str(error.value).endswith("it is in neither learned nor gold. Use an IRI, a CURIE, a local name or a label.")


BANKS = {"x:1": "bank", "x:2": "bank", "x:3": "money"}


def test_a_label_of_several_gold_concepts_is_refused_with_their_iris() -> None:
    learned = Ontology.from_edges([("a", "b")], name="learned.owl")
    gold = Ontology.from_edges([("x:1", "x:3"), ("x:2", "x:3")], labels=BANKS, name="gold.owl")
    with pytest.raises(UnknownConceptError) as error:
        explain(Comparison(learned, gold), "bank")
    assert str(error.value) == "2 concepts of gold.owl have the name 'bank': x:1, x:2. Use the IRI."


def test_a_label_of_several_learned_concepts_is_refused_with_their_iris() -> None:
    learned = Ontology.from_edges([("x:1", "x:3"), ("x:2", "x:3")], labels=BANKS, name="learned.owl")
    gold = Ontology.from_edges([("a", "b")], name="gold.owl")
    with pytest.raises(UnknownConceptError) as error:
        explain(Comparison(learned, gold), "bank")
    assert str(error.value) == "2 concepts of learned.owl have the name 'bank': x:1, x:2. Use the IRI."


def test_a_label_that_is_ambiguous_on_the_gold_side_may_still_name_a_learned_concept() -> None:
    learned = Ontology.from_edges([("l:1", "l:2")], labels={"l:1": "bank", "l:2": "thing"})
    gold = Ontology.from_edges([("x:1", "x:3"), ("x:2", "x:3")], labels=BANKS)
    task = Comparison(learned, gold, match(learned, gold, by=lambda *_: [("l:1", "x:2")]))
    found = explain(task, "bank")
    assert (found.learned, found.gold) == ("l:1", "x:2")


def test_an_iri_that_the_two_files_use_for_different_concepts_names_one_of_them() -> None:
    edges = [("a", "root"), ("b", "root")]
    found = explain(compared(edges, [("a", "root"), ("c", "root")], root="root", b="c"), "a")
    assert {found.learned, found.gold} == {"a", None}


def test_a_concept_with_another_iri_on_the_gold_side_keeps_its_partner_when_gold_has_its_iri_too() -> None:
    # the learned a is the gold b; the gold a is nobody
    edges = [("a", "root"), ("b", "root")]
    found = explain(compared(edges, edges, root="root", a="b"), "a")
    assert (found.learned, found.gold) in [("a", "b"), (None, "a")]


def test_an_iri_goes_before_a_local_name_of_the_other_side() -> None:
    # the learned a is novel; the gold standard has another concept whose local name is a
    learned, gold = [("a", "root"), ("http://ex.org/a", "root")], [("http://ex.org/a", "root")]
    found = explain(compared(learned, gold), "a")
    assert (found.learned, found.gold) == ("a", None)


# the worst concepts


@given(case=cases())
def test_the_worst_are_those_of_the_twin_in_its_order(case: Case) -> None:
    task, pair = comparison(case), case.pair
    theirs = names_of(pair.gold)
    mine, other = pair.extracts("csc"), pair.swapped.extracts("csc")
    losing: list[tuple[Fraction, int, str, Concept]] = []
    for c in pair.common:
        lost = len(mine[c] ^ other[c])
        if lost:
            value = Fraction(2 * len(mine[c] & other[c]), len(mine[c]) + len(other[c]))
            losing.append((value, -lost, theirs[c], c))
    found = worst(task, len(theirs))
    assert [loss.iri for loss in found] == [iri for *_, iri, _ in sorted(losing)]
    for loss, (*_, c) in zip(found, sorted(losing), strict=True):
        both = len(mine[c] & other[c])
        assert (loss.wrong, loss.lost) == (len(mine[c] - other[c]), len(other[c] - mine[c]))
        assert loss.precision == (both / len(mine[c]) if mine[c] else 0)
        assert loss.recall == (both / len(other[c]) if other[c] else 0)


@given(case=cases())
def test_the_worst_have_the_local_values_of_tp_and_tr_and_fewer_are_the_first_of_more(case: Case) -> None:
    task = comparison(case)
    everyone = worst(task, 99)
    precision, recall = parse("TP_csc")(task).local, parse("TR_csc")(task).local
    assert precision is not None
    assert recall is not None
    iris = task.gold.hierarchy.iris
    tp = {iris[task.matching.to_gold[c]]: v for c, v in zip(precision.ids, precision.values, strict=True)}
    tr = {iris[c]: v for c, v in zip(recall.ids, recall.values, strict=True)}
    for loss in everyone:
        assert (loss.precision, loss.recall) == (tp.pop(loss.iri), tr.pop(loss.iri))
    assert {*tp.values(), *tr.values()} <= {1.0}  # the others lose nothing
    for count in (2, 1, 0, -1):
        assert worst(task, count) == everyone[: max(count, 0)]


def test_a_loss_has_counts_and_the_labels_of_the_parents(labelled: Comparison) -> None:
    # csc of van: {bike, root} and {car, root}; of car: {root} and {root, van}; of bike: {root, van} and {root}
    wrong = Difference("wrong", "above", 1, (Branch("l:2", "bike", 1),))
    lost = Difference("lost", "above", 1, (Branch("http://g.org/Car", "car", 1),))
    van = Loss("g:3", "van", 1 / 2, 1 / 2, 1, 1, ("bike",), ("car",), (lost, wrong), ("l:2",), ("http://g.org/Car",))
    below = Difference("wrong", "below", 1, (Branch("l:3", "van", 1),))
    bike = Loss("g:2", "bike", 1 / 2, 1.0, 1, 0, ("root",), ("root",), (below,), ("l:0",), ("g:0",))
    below = Difference("lost", "below", 1, (Branch("g:3", "van", 1),))
    car = Loss("http://g.org/Car", "car", 1.0, 1 / 2, 0, 1, ("root",), ("root",), (below,), ("l:0",), ("g:0",))
    assert worst(labelled) == [van, bike, car]
    assert worst(labelled)[0].parents == (("bike",), ("car",))
    assert worst(labelled)[0].to_dict() == {
        "iri": "g:3",
        "label": "van",
        "precision": 0.5,
        "recall": 0.5,
        "wrong": 1,
        "lost": 1,
        "learned_parents": ["bike"],
        "gold_parents": ["car"],
        "learned_parent_iris": ["l:2"],
        "gold_parent_iris": ["http://g.org/Car"],
        "differences": [
            {"kind": "lost", "place": "above", "size": 1,
             "branches": [{"iri": "http://g.org/Car", "label": "car", "size": 1}]},
            {"kind": "wrong", "place": "above", "size": 1, "branches": [{"iri": "l:2", "label": "bike", "size": 1}]},
        ],
    }  # fmt: skip


@given(case=cases())
def test_differences_are_those_of_the_twin_with_the_nearest_concepts(case: Case) -> None:
    task, pair = comparison(case), case.pair
    for loss in worst(task, 99):
        concept = pair.gold.key[loss.iri]
        expected = {}
        for kind, side, other in (("wrong", pair.learned, pair.gold), ("lost", pair.gold, pair.learned)):
            names = names_of(side)
            differing = (relatives(side, concept) - relatives(other, concept)) & pair.common
            for where in ("above", "below", "above and below"):
                group = {c for c in differing if place(side, concept, c) == where}
                # what is next to the concept among them; what is further away on the same way; mates of a cycle as one
                near, far = (side.beneath, side.above) if where == "above" else (side.above, side.beneath)
                sizes = {
                    frozenset(names[m] for m in mates(side, c) & group): len(group & (far[c] | {c}))
                    for c in group
                    if not (near[c] & group) - mates(side, c)
                }
                if group:
                    expected[kind, where] = len(group), sizes
        found = {(kind, where): (size, branches) for kind, where, size, branches in loss.differences}
        assert {key: size for key, (size, _) in found.items()} == {key: size for key, (size, _) in expected.items()}
        assert [d.size for d in loss.differences] == sorted((d.size for d in loss.differences), reverse=True)
        assert sum(d.size for d in loss.differences) == loss.wrong + loss.lost
        for key, (_, branches) in found.items():
            nearest_parts = expected[key][1]
            assert len(branches) == len(nearest_parts)
            for branch in branches:
                (size,) = (size for members, size in nearest_parts.items() if branch.iri in members)
                assert branch.size == size


def mates(side: Side, concept: Concept) -> set[Concept]:
    """The concepts of its cycle, and itself."""
    return (side.above[concept] & side.beneath[concept]) | {concept}


def test_of_equal_means_the_one_with_more_wrong_and_lost_relations_comes_first_then_the_lower_iri() -> None:
    # no root and nothing in common but the names: every mean is 0
    learned = Ontology.from_edges([("a", "b"), ("c", "d"), ("e", "d")], concepts=["f"], root="none")
    gold = Ontology.from_edges([("a", "c"), ("b", "e"), ("f", "d")], root="none")
    found = [
        (loss.iri, loss.precision, loss.recall, loss.wrong, loss.lost) for loss in worst(Comparison(learned, gold))
    ]
    assert found == [
        ("d", 0, 0, 2, 1),
        ("a", 0, 0, 1, 1), ("b", 0, 0, 1, 1), ("c", 0, 0, 1, 1), ("e", 0, 0, 1, 1),
        ("f", 0, 0, 0, 1),
    ]  # fmt: skip


def test_ten_come_unless_another_number_is_asked_for() -> None:
    names = [f"c{number:02d}" for number in range(30)]
    task = compared(list(pairwise(names)), [(name, "c29") for name in names[:-1]])
    assert len(worst(task)) == 10
    assert len(worst(task, 3)) == 3
    assert len(worst(task, 99)) == 29  # all but the root, which loses nothing


def test_nobody_is_worst_where_nothing_is_lost() -> None:
    assert worst(compared(VEHICLES)) == []
    assert worst(compared([("van", "car")], [("car", "bike")], van="car")) == []  # alone on both sides


# the kinds of error


def nearest(side: Side, common: set[Concept]) -> dict[Concept, set[Concept]]:
    """The common superconcepts that no common concept stands in between, over the links of the hierarchy."""
    edges = {(side.key[low], side.key[high]): weight for (low, high), weight in side.twin.edges.items()}
    left = oracle.reduction(oracle.restriction(edges, (), common, 1.0))
    return {c: {high for low, high in left if low == c} for c in common}


def nearest_by_order(side: Side, common: set[Concept]) -> dict[Concept, set[Concept]]:
    """The same of the order alone, which is enough without cycles."""
    above = {c: side.above[c] & common for c in common}
    return {c: {y for y in above[c] if not any(y in above[z] for z in above[c])} for c in common}


def misplaced(pair: Pair, near: Any) -> dict[str, set[Concept]]:
    ours, theirs = near(pair.learned, pair.common), near(pair.gold, pair.common)
    found: dict[str, set[Concept]] = {kind: set() for kind in KINDS}
    for c in pair.common:
        wrong = (pair.learned.above[c] - pair.gold.above[c]) & pair.common
        lost = (pair.gold.above[c] - pair.learned.above[c]) & pair.common
        if ours[c] != theirs[c] and (wrong or lost):
            found["sideways" if wrong and lost else "down" if wrong else "up"].add(c)
    return found


def iris(entries: list[dict[str, Any]]) -> set[str]:
    found = {entry["iri"] for entry in entries}
    assert len(found) == len(entries)
    return found


@given(case=cases())
def test_misplaced_concepts_are_those_of_the_twin(case: Case) -> None:
    pair = case.pair
    found, ours = Errors(comparison(case)).to_dict(), names_of(pair.learned)
    got = {kind: iris(found[f"moved_{kind}"]) for kind in KINDS}
    assert got == {kind: {ours[c] for c in own} for kind, own in misplaced(pair, nearest).items()}
    if not any(len(cycle) > 1 for twin in case.twins for cycle in twin.cycles):
        assert got == {kind: {ours[c] for c in own} for kind, own in misplaced(pair, nearest_by_order).items()}


@given(case=cases())
def test_missing_novel_inverted_and_cycles_are_those_of_the_twin(case: Case) -> None:
    pair = case.pair
    found = Errors(comparison(case)).to_dict()
    ours, theirs = names_of(pair.learned), names_of(pair.gold)
    assert iris(found["novel"]) == {ours[c] for c in pair.learned.concepts - pair.common}
    assert iris(found["missing"]) == {theirs[c] for c in pair.gold.concepts - pair.common}
    turned = {
        (ours[low], ours[high])
        for low, high in pair.learned.given
        if {low, high} <= pair.common and low in pair.gold.above[high] and high not in pair.gold.above[low]
    }
    links = [(link["child"], link["parent"]) for link in found["inverted"]]
    assert set(links) == turned
    assert len(links) == len(turned)
    for key, twin in zip(("cycles", "gold_cycles"), case.twins, strict=True):
        assert {frozenset(iris(cycle)) for cycle in found[key]} == twin.cycles
        assert len(found[key]) == len(twin.cycles)


@given(case=cases())
def test_counts_are_the_lengths_of_the_lists_and_ids_are_those_of_the_entries(case: Case) -> None:
    task = comparison(case)
    errors = Errors(task)
    listed = errors.to_dict()
    assert errors.counts() == {kind: len(entries) for kind, entries in listed.items()}
    for kind, concepts in errors.moved.items():
        assert [task.learned.hierarchy.iris[c] for c in concepts] == [e["iri"] for e in listed[f"moved_{kind}"]]


@given(made=hierarchies(), pick=picks())
def test_an_ontology_has_no_errors_against_itself_but_its_cycles(made: tuple[Any, Any], pick: int) -> None:
    arguments = {"edges": made[0], "concepts": made[1]}
    arguments["root"] = root_of(arguments, pick)
    task = Comparison(Ontology.from_edges(**arguments), Ontology.from_edges(**arguments))
    counts = Errors(task).counts()
    assert counts.pop("cycles") == counts.pop("gold_cycles") == len(oracle.twin(**arguments).cycles)
    links = {"missing_links", "novel_links"} | {
        f"{kind}_only_{side}" for kind in ("related", "synonym", "relations") for side in ("learned", "gold")
    }
    assert set(counts) == {"missing", "novel", "moved_up", "moved_down", "moved_sideways", "inverted", *links}
    assert set(counts.values()) == {0}
    assert worst(task) == []


def test_related_and_synonym_links_of_common_concepts_that_one_side_alone_has_are_errors() -> None:
    edges = [("a", "r"), ("b", "r"), ("c", "r")]
    task = Comparison(
        Ontology.from_edges(
            [*edges, ("new", "r")], related=[("a", "b"), ("c", "a"), ("new", "a")], synonyms=[("b", "c")]
        ),
        Ontology.from_edges([*edges, ("lost", "r")], related=[("b", "a"), ("b", "c"), ("lost", "a")]),
    )
    found = {kind: entries for kind, entries in Errors(task).to_dict().items() if "_only_" in kind and entries}
    assert {kind: [[end["iri"] for end in link] for link in links] for kind, links in found.items()} == {
        "related_only_learned": [["a", "c"]],  # the links of `new` and `lost` go with these
        "related_only_gold": [["b", "c"]],
        "synonym_only_learned": [["b", "c"]],
    }
    assert Errors(task).counts()["related_only_gold"] == 1


@given(learned=ontologies(), gold=ontologies())
def test_links_of_one_side_are_those_of_plain_sets(learned: dict[str, Any], gold: dict[str, Any]) -> None:
    sides = [Ontology.from_edges(**made) for made in (learned, gold)]
    task = Comparison(*sides, match(*sides, by="iri"))
    twins = [oracle.twin(**made) for made in (learned, gold)]
    files = [twin.concepts - ({twin.root} if twin.root_added else set()) for twin in twins]
    common = files[0] & files[1]
    found = Errors(task).to_dict()
    for kind, attribute in (("related", "related"), ("synonym", "synonyms")):
        links = [{frozenset(pair) for pair in getattr(twin, attribute) if common.issuperset(pair)} for twin in twins]
        for side, only in (("learned", links[0] - links[1]), ("gold", links[1] - links[0])):
            rows = [frozenset(end["iri"] for end in link) for link in found[f"{kind}_only_{side}"]]
            assert len(rows) == len(set(rows))
            assert set(rows) == only


@given(case=cases())
def test_all_links_that_the_other_side_lacks_are_those_of_the_twin(case: Case) -> None:
    pair = case.pair
    found = Errors(comparison(case)).to_dict()
    for kind, side, other in (("novel_links", pair.learned, pair.gold), ("missing_links", pair.gold, pair.learned)):
        names = names_of(side)
        links = side.given - other.given
        rows = [(link["child"], link["parent"]) for link in found[kind]]
        assert len(rows) == len(links)
        assert set(rows) == {(names[low], names[high]) for low, high in links}


def errors_of(*changed: tuple[str, str], without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Of the vehicles with other parents for some concepts, without the links that one side does not have."""
    moved = {child for child, _ in changed}
    edges = [edge for edge in VEHICLES if edge[0] not in moved and edge[0] not in without]
    found = Errors(compared([*edges, *changed])).to_dict()
    return {
        kind: entries for kind, entries in found.items() if entries and kind not in ("missing_links", "novel_links")
    }


def moved(concept: str, learned: str, gold: str) -> dict[str, Any]:
    names = {"iri": concept, "label": concept, "gold": {"iri": concept, "label": concept}}
    learned_parents = {"learned_parents": [learned], "learned_parent_iris": [learned]}
    return {**names, **learned_parents, "gold_parents": [gold], "gold_parent_iris": [gold]}


def test_a_concept_that_hangs_too_high_has_moved_up() -> None:
    assert errors_of(("van", "root")) == {"moved_up": [moved("van", "root", "car")]}


def test_a_concept_that_hangs_too_low_has_moved_down_and_what_hangs_below_it_has_not_moved() -> None:
    assert errors_of(("bike", "car")) == {"moved_down": [moved("bike", "car", "root")]}


def test_a_concept_in_another_branch_has_moved_sideways() -> None:
    assert errors_of(("van", "bike")) == {"moved_sideways": [moved("van", "bike", "car")]}


def test_a_concept_below_a_novel_one_has_not_moved_where_its_next_common_superconcept_is_the_same() -> None:
    assert errors_of(("van", "motor car"), ("motor car", "car")) == {
        "novel": [
            {"iri": "motor car", "label": "motor car", "learned_parents": ["car"], "learned_parent_iris": ["car"]}
        ]
    }


def test_a_concept_below_a_missing_one_has_not_moved_where_its_next_common_superconcept_is_the_same() -> None:
    assert errors_of(("van", "root"), ("coupé", "root"), without=("car",)) == {
        "missing": [{"iri": "car", "label": "car", "gold_parents": ["root"], "gold_parent_iris": ["root"]}]
    }


def test_an_implied_link_moves_nothing() -> None:
    assert errors_of(("van", "car"), ("van", "root")) == {}


def test_a_link_against_the_gold_order_is_inverted_also_over_several_steps() -> None:
    found = errors_of(("bike", "BMX"), ("BMX", "root"))
    assert found["inverted"] == [{"child": "bike", "parent": "BMX", "labels": ["bike", "BMX"]}]
    chain = [("a", "b"), ("b", "c"), ("c", "d")]
    far = Errors(compared([("c", "a"), ("a", "b"), ("b", "d")], chain)).to_dict()
    assert [(link["child"], link["parent"]) for link in far["inverted"]] == [("c", "a")]


def test_a_link_into_a_gold_cycle_or_to_a_stranger_is_not_inverted() -> None:
    ring = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "root")]
    assert Errors(compared([("a", "c"), ("c", "root")], ring)).inverted == []
    assert Errors(compared([("a", "b"), ("b", "root")], [("b", "a"), ("a", "root")], b="b", root="root")).inverted == []


def test_cycles_of_both_sides_are_listed_self_links_alone() -> None:
    found = Errors(compared([*VEHICLES, ("car", "van"), ("bike", "bike")], [*VEHICLES, ("BMX", "BMX")]))
    assert found.counts()["cycles"] == 2
    assert [iris(cycle) for cycle in found.to_dict()["gold_cycles"]] == [{"BMX"}]
    assert sorted(map(sorted, map(iris, found.to_dict()["cycles"]))) == [["bike"], ["car", "van"]]


def test_both_ends_of_a_link_that_closes_a_cycle_are_judged_by_all_that_is_above_them() -> None:
    # car < van < car: van is above car now, and coupé is below van
    found = errors_of(("car", "van"), ("car", "root"))
    assert [entry["iri"] for entry in found["moved_down"]] == ["car"]
    assert [(link["child"], link["parent"]) for link in found["inverted"]] == [("car", "van")]
    assert set(found) == {"moved_down", "inverted", "cycles"}


@given(drawn=cases())
def test_links_between_common_concepts_are_those_with_two_matched_ends(drawn: Case) -> None:
    task = comparison(told_apart(drawn))
    errors = Errors(task)
    common = set(zip(*(side.tolist() for side in task.common), strict=True))
    learned, gold = ({pair[side] for pair in common} for side in (0, 1))
    assert errors.links_between_common() == (
        len([link for link in errors.missing_links if {*link} <= gold]),
        len([link for link in errors.novel_links if {*link} <= learned]),
    )


@given(drawn=cases())
def test_one_label_for_a_matched_concept_changes_labels_only(drawn: Case) -> None:
    task = comparison(told_apart(drawn))
    one = task.with_one_label
    for learned, gold in zip(*(side.tolist() for side in task.common), strict=True):
        assert one.learned.label_of(learned) == one.gold.label_of(gold) == task.learned.label_of(learned)
        assert one.swapped.learned.label_of(gold) == one.learned.label_of(learned)
    for concept in task.novel.tolist():
        assert one.learned.label_of(concept) == task.learned.label_of(concept)
    for concept in task.swapped.novel.tolist():
        assert one.gold.label_of(concept) == task.gold.label_of(concept)
    assert Errors(one).counts() == Errors(task).counts()
    assert one.fingerprint == task.fingerprint


def test_measures_of_labels_see_those_of_the_files() -> None:
    learned = Ontology.from_edges([("b", "a")], labels={"a": "plant", "b": "tree"})
    gold = Ontology.from_edges([("b", "a")], labels={"a": "flora", "b": "tree"})
    task = Comparison(learned, gold, match(learned, gold, by="iri"))
    assert task.with_one_label.gold.label_of(1 - gold.hierarchy.id("b")) == "plant"
    assert task.with_one_label.as_read is task
    assert task.with_one_label.swapped.as_read is task.swapped


@given(drawn=cases())
def test_a_common_concept_was_moved_as_the_lists_say(drawn: Case) -> None:
    case = told_apart(drawn)
    task = comparison(case)
    moved = {kind: {entry["iri"] for entry in Errors(task).to_dict()[f"moved_{kind}"]} for kind in KINDS}
    for _, learned, gold in everything(case.pair):
        found = explain(task, str(gold or learned))
        kinds = [kind for kind in KINDS if found.learned in moved[kind]]
        assert found.moved == (None if found.learned is None or found.gold is None else (kinds or ["no"])[0])
