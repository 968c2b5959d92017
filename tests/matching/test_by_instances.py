"""Matching by instances: the best F1 of what sits at or below two concepts, one to one, the best pair first."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import twin
from strategies import Bytes, hierarchies, ontologies, picks, root_of, shuffles

import ontoeval as oe
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.matching import by_instances as matching_by_instances
from ontoeval.matching.alignment import Alignment, agreement
from ontoeval.matching.matcher import match
from ontoeval.matching.matching import Matching
from ontoeval.matching.suggestions import suggestion
from ontoeval.model.ontology import Ontology

Placed = Mapping[str, Any]
MANY = tuple(f"i{number}" for number in range(8))


def places(where: Any) -> set[str]:
    return {where} if isinstance(where, str) else set(where)


@dataclass
class Side:
    """One ontology as plain sets."""

    concepts: set[str]  # an added root apart
    depth: dict[str, int]
    on: dict[str, set[str]]  # concept -> shared instances on it
    under: dict[str, set[str]]  # ... at or below it

    @classmethod
    def of(cls, made: dict[str, Any], root: str, shared: set[str]) -> Side:
        plain = twin(**{**made, "root": root})
        below = plain.below
        on: dict[str, set[str]] = {c: set() for c in plain.concepts}
        under: dict[str, set[str]] = {c: set() for c in plain.concepts}
        for who in shared:
            for c in places(made["instances"][who]):
                on[c].add(who)
                for above in {c} | below[c]:
                    under[above].add(who)
        named = plain.concepts - ({plain.root} if plain.root_added and plain.root is not None else set())
        return cls(named, plain.depth, on, under)


def f1(left: set[str], right: set[str]) -> Fraction:
    return Fraction(2 * len(left & right), len(left) + len(right)) if left or right else Fraction(0)


@dataclass
class Expected:
    pairs: dict[str, tuple[str, Fraction]]
    tied: list[tuple[str, str, Fraction]]


def plainly(learned: Side, gold: Side, least: Fraction = Fraction(0), out: tuple[set[str], set[str]] | None = None
            ) -> Expected:  # fmt: skip
    """Every pair in one list, sorted; each is taken if both are free."""
    taken, gone = (set(names) for names in out or (set(), set()))
    listed = []
    for u, v in itertools.product(learned.concepts - taken, gold.concepts - gone):
        value = f1(learned.under[u], gold.under[v])
        if value > 0 and value >= least:
            apart = abs(learned.depth[u] - gold.depth[v])
            listed.append((-value, -f1(learned.on[u], gold.on[v]), apart, u, v))
    found = Expected({}, [])
    for value, group in itertools.groupby(sorted(listed), key=lambda row: row[0]):
        contenders = [(u, v) for *_, u, v in group if u not in taken and v not in gone]
        for u, v in contenders:
            if u in taken or v in gone:
                found.tied.append((u, v, -value))
            else:
                taken.add(u)
                gone.add(v)
                found.pairs[u] = v, -value
    return found


def compared(learned: Ontology, gold: Ontology, found: Matching, expected: Expected) -> None:
    mine, theirs = learned.hierarchy.iris, gold.hierarchy.iris
    chosen = {mine[c.learned]: (theirs[c.gold], c.score) for c in found.pairs}
    assert chosen == {u: (v, float(value)) for u, (v, value) in expected.pairs.items()}
    tied = [(mine[c.learned], theirs[c.gold], c.score) for c, _ in found.dropped]
    assert tied == [(u, v, float(value)) for u, v, value in expected.tied]
    assert found.ambiguous == len(tied)


@contextmanager
def in_small_steps(band: int, rounds: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching_by_instances, "_BAND", band)
        patch.setattr(matching_by_instances, "_ROUNDS", rounds)
        yield


def many_instances(drawn: bytes, names: list[str]) -> dict[str, Any]:
    """Most sit on one concept, some on several."""
    take = Bytes(drawn)
    return {who: [take.choice(names) for _ in range((0, 1, 1, 1, 2, 3)[take.number(5)])] for who in MANY}


def with_many(made: tuple[list[Any], list[str]], drawn: bytes) -> dict[str, Any]:
    edges, concepts = made
    names = sorted({name for edge in edges for name in edge[:2]} | set(concepts))
    return {"edges": edges, "concepts": concepts, "instances": many_instances(drawn, names)}


HANGING = st.builds(with_many, hierarchies(), st.binary(min_size=32, max_size=32))
EITHER = st.one_of(ontologies(), HANGING)
STEPS = st.sampled_from([(4_000_000, 12), (1, 12), (3, 0), (1000, 0), (1000, 1), (5, 2)])


@given(EITHER, EITHER, picks(), picks(), STEPS, st.sampled_from(["", ":0.25", ":0.5", ":0.8", ":1"]))
def test_the_pairs_are_those_of_a_plain_list(
    one: dict[str, Any], two: dict[str, Any], pick: int, other: int, steps: tuple[int, int], least: str
) -> None:
    roots = root_of(one, pick), root_of(two, other)
    learned, gold = Ontology.from_edges(**one, root=roots[0]), Ontology.from_edges(**two, root=roots[1])
    if learned.instances is None or gold.instances is None:
        with pytest.raises(MissingInputError):
            match(learned, gold, f"instances{least}")
        return
    shared = set(learned.instances.iris) & set(gold.instances.iris)
    sides = [Side.of(made, root, shared) for made, root in zip((one, two), roots, strict=True)]
    with in_small_steps(*steps):
        found = match(learned, gold, f"instances{least}")
    compared(learned, gold, found, plainly(*sides, Fraction(least[1:] or "0")))
    assert found.found["added root"] == (learned.hierarchy.root_added and gold.hierarchy.root_added)
    assert bool(found.notes) == (not shared)


@given(HANGING, HANGING)
def test_what_an_earlier_step_matched_is_out(one: dict[str, Any], two: dict[str, Any]) -> None:
    learned, gold = Ontology.from_edges(**one, root="none"), Ontology.from_edges(**two, root="none")
    if learned.instances is None or gold.instances is None:
        return
    shared = set(learned.instances.iris) & set(gold.instances.iris)
    sides = [Side.of(made, "none", shared) for made in (one, two)]
    same = sides[0].concepts & sides[1].concepts
    expected = plainly(*sides, out=(same, same))
    found = match(learned, gold, "iri,instances")
    assert found.found == {"iri": len(same), "instances": len(expected.pairs), "added root": 0}
    compared(learned, gold, found, Expected(expected.pairs | {c: (c, Fraction(1)) for c in same}, expected.tied))


@given(HANGING, shuffles())
def test_renaming_every_concept_changes_no_score(made: dict[str, Any], shuffle: random.Random) -> None:
    """Against itself under other names: every concept with instances finds one with the same instances."""
    ontology = Ontology.from_edges(**made, root="none")
    if ontology.instances is None:
        return
    plain = Side.of(made, "none", set(ontology.instances.iris))
    names = sorted(plain.concepts)
    new = dict(zip(names, shuffle.sample([f"n{n}" for n in range(len(names))], len(names)), strict=True))
    other = Ontology.from_edges(
        [(new[a], new[b]) for a, b in made["edges"]],
        concepts=list(new.values()),
        instances={who: [new[c] for c in where] for who, where in made["instances"].items()},
        root="none",
    )
    found = match(ontology, other, "instances")
    old = {name: concept for concept, name in new.items()}
    for pair in found.pairs:
        u, v = ontology.hierarchy.iris[pair.learned], old[other.hierarchy.iris[pair.gold]]
        assert plain.under[u] == plain.under[v]
        assert pair.score == 1
    assert len(found) == sum(1 for c in names if plain.under[c])


def test_many_pairs_at_once_are_those_of_a_plain_list() -> None:
    """A thousand instances on random trees of 120 and 90 concepts, in bands of 200 candidates."""
    draw = random.Random(7)

    def tree(letter: str, size: int) -> dict[str, Any]:
        edges = [(f"{letter}{n}", f"{letter}{draw.randrange(n)}") for n in range(1, size)]
        return {
            "edges": edges,
            "instances": {
                f"i{n}": [f"{letter}{draw.randrange(size)}" for _ in range(1 + (n % 7 == 0))] for n in range(1000)
            },
        }

    one, two = tree("u", 120), tree("v", 90)
    learned, gold = Ontology.from_edges(**one), Ontology.from_edges(**two)
    shared = {f"i{n}" for n in range(1000)}
    expected = plainly(Side.of(one, "auto", shared), Side.of(two, "auto", shared))
    assert len(expected.pairs) > 80
    for band, rounds in ((4_000_000, 12), (200, 12), (200, 1), (200, 0)):
        with in_small_steps(band, rounds):
            compared(learned, gold, match(learned, gold, "instances"), expected)


# by hand


def pairs(learned: Ontology, gold: Ontology, by: str = "instances") -> dict[str, tuple[str, float]]:
    found = match(learned, gold, by)
    return {learned.hierarchy.iris[c.learned]: (gold.hierarchy.iris[c.gold], c.score) for c in found.pairs}


LEARNED = Ontology.from_edges(
    [("x", "top"), ("y", "top")], instances={"a": "x", "b": "x", "c": "y", "d": "y", "e": "y", "only": "y"}, name="l"
)
GOLD = Ontology.from_edges(
    [("p", "all"), ("q", "all")], instances={"a": "p", "b": "p", "c": "p", "d": "q", "e": "q", "other": "p"}, name="g"
)


def test_the_best_f1_first() -> None:
    # shared a-e: top, all 5 of 5; y {c,d,e} and q {d,e} 4/5, x {a,b} and p {a,b,c} 4/5
    assert pairs(LEARNED, GOLD) == {"top": ("all", 1.0), "x": ("p", 0.8), "y": ("q", 0.8)}


def test_instances_that_one_side_alone_has_do_not_count() -> None:
    assert match(LEARNED, GOLD, "instances").scores.tolist() == [1.0, 0.8, 0.8]  # only and other would lower them


def test_a_least_f1_can_be_asked_for_and_is_enough_itself() -> None:
    assert len(pairs(LEARNED, GOLD, "instances:0.8")) == 3
    assert pairs(LEARNED, GOLD, "instances:0.81") == {"top": ("all", 1.0)}
    assert match(LEARNED, GOLD, "instances:0.81").by == ("instances:0.81",)


def test_what_has_nothing_in_common_is_no_pair() -> None:
    learned = Ontology.from_edges([("x", "top"), ("y", "top")], instances={"a": "x", "b": "y"})
    gold = Ontology.from_edges([("p", "all")], instances={"a": "p", "b": "all"})
    assert pairs(learned, gold) == {"top": ("all", 1.0), "x": ("p", 1.0)}


def test_of_concepts_with_the_same_instances_below_those_with_the_same_on_them_are_the_same() -> None:
    """A chain whose instances all sit on the middle one, against a chain with one step more above it."""
    learned = Ontology.from_edges([("c", "b"), ("b", "a")], instances={"i": "b", "j": "c"})
    gold = Ontology.from_edges([("z", "y"), ("y", "x"), ("x", "w")], instances={"i": "y", "j": "z"})
    # a, b and w, x, y all have {i, j}: b and y have i on them, then a is as near to x as to w (by depth: w)
    assert pairs(learned, gold) == {"b": ("y", 1.0), "a": ("w", 1.0), "c": ("z", 1.0)}
    found = match(learned, gold, "instances")
    # with {i, j}: a or b with w, x or y, of which two pairs were chosen
    assert (found.ambiguous, len(found.dropped)) == (4, 4)
    assert {step for _, step in found.dropped} == {"instances"}


def test_then_the_nearer_depth_goes_before_the_name() -> None:
    learned = Ontology.from_edges([("b", "a")], instances={"i": "b"})
    gold = Ontology.from_edges([("b", "a"), ("aa", "b")], instances={"i": "aa"})
    # a: a, b, aa are equal; a and a are both at the top. Then b (depth 1, i on it) and aa have i on them
    assert pairs(learned, gold) == {"b": ("aa", 1.0), "a": ("a", 1.0)}


def test_then_the_lower_iri() -> None:
    one = Ontology.from_edges([("x", "top"), ("y", "top")], instances={"i": ["x", "y"]})
    two = Ontology.from_edges([("p", "all"), ("q", "all")], instances={"i": ["q", "p"]})
    assert pairs(one, two) == {"top": ("all", 1.0), "x": ("p", 1.0), "y": ("q", 1.0)}
    assert match(one, two, "instances").ambiguous == 6  # all nine pairs are equal


def test_a_candidate_that_a_better_pair_beat_is_not_ambiguous() -> None:
    learned = Ontology.from_edges(
        [], concepts=["x", "y"], instances={"a": "x", "b": "x", "c": "x", "d": "y"}, root="none"
    )
    gold = Ontology.from_edges([], concepts=["p"], instances={"a": "p", "b": "p", "c": "p", "d": "p"}, root="none")
    found = match(learned, gold, "instances")
    assert pairs(learned, gold) == {"x": ("p", 6 / 7)}
    assert (found.ambiguous, found.dropped) == (0, ())


def test_an_added_root_is_the_same_as_an_added_root_alone() -> None:
    bare = Ontology.from_edges([], concepts=["x", "y"], instances={"a": "x", "b": "y"}, root="new")
    own = Ontology.from_edges([("p", "all")], instances={"a": "p", "b": "all"})
    assert pairs(bare, own) == {"x": ("p", 1.0), "y": ("all", 2 / 3)}
    assert match(bare, own, "instances").found == {"instances": 2, "added root": 0}
    again = Ontology.from_edges([], concepts=["p", "q"], instances={"a": "p", "b": "q"}, root="new")
    assert match(bare, again, "instances").found == {"instances": 2, "added root": 1}


def test_members_of_a_cycle_have_the_same_instances_and_are_told_apart_by_their_own() -> None:
    learned = Ontology.from_edges([("a", "b"), ("b", "a")], instances={"i": "a", "j": "b"}, root="none")
    gold = Ontology.from_edges([("q", "p"), ("p", "q")], instances={"i": "q", "j": "p"}, root="none")
    assert pairs(learned, gold) == {"a": ("q", 1.0), "b": ("p", 1.0)}


def test_long_lists_of_ties_are_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching_by_instances, "LISTED", 5)
    names = [f"c{n}" for n in range(6)]
    one = Ontology.from_edges([], concepts=names, instances={"i": names}, root="none")
    found = match(one, one, "instances")
    assert (found.ambiguous, len(found.dropped)) == (30, 5)


@pytest.mark.parametrize(
    ("learned", "gold", "who"),
    [
        (None, {"i": "a"}, 'l.ttl has none. Set instances="FILE".'),
        ({"i": "a"}, None, 'g.ttl has none. Set gold_instances="FILE".'),
        (None, None, 'l.ttl and g.ttl have none. Set instances="FILE" and gold_instances="FILE".'),
    ],
)
def test_both_sides_need_instances(learned: Placed | None, gold: Placed | None, who: str) -> None:
    one = Ontology.from_edges([], concepts=["a"], instances=learned, name="l.ttl")
    two = Ontology.from_edges([], concepts=["a"], instances=gold, name="g.ttl")
    with pytest.raises(MissingInputError) as caught:
        match(one, two, "iri,instances")
    assert str(caught.value) == f"matching by instances needs instances in both ontologies; {who}"


def test_without_a_common_instance_nothing_matches_and_a_note_says_why() -> None:
    one = Ontology.from_edges([], concepts=["a"], instances={"i": "a"})
    two = Ontology.from_edges([], concepts=["a"], instances={"j": "a"})
    found = match(one, two, "instances")
    assert len(found) == 0
    assert found.notes == (
        "no instance is in both ontologies, so no concepts match by instances. If the same instance has a different "
        "IRI in each file, identify it by a property: set instance_key=",
    )


@pytest.mark.parametrize("step", ["instances:", "instances:x", "instances:0", "instances:1.01", "instances:nan"])
def test_a_wrong_least_f1_is_refused(step: str) -> None:
    with pytest.raises(ParameterError) as caught:
        match(LEARNED, GOLD, step)
    assert str(caught.value) == (
        f"the threshold of instances must be a number > 0 and <= 1, not {step[10:]!r}. Use e.g. instances:0.5."
    )


# what else could be tried


def test_instances_are_suggested_where_names_say_nothing() -> None:
    found = suggestion(LEARNED, GOLD, match(LEARNED, GOLD))
    assert found == ("by instances", 3, 'Set by="iri,label,instances".')
    assert suggestion(LEARNED, GOLD, match(LEARNED, GOLD, "instances")) is None


def test_instances_are_not_suggested_where_too_many_concepts_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    from ontoeval.matching import suggestions as hints

    # five instances, each below two concepts on either side: at most 20 pairs of concepts
    monkeypatch.setattr(hints, "_MOST_PAIRS", 20)
    assert suggestion(LEARNED, GOLD, match(LEARNED, GOLD)) is not None
    monkeypatch.setattr(hints, "_MOST_PAIRS", 11)
    assert suggestion(LEARNED, GOLD, match(LEARNED, GOLD)) is None


# real data


def test_two_web_directories_by_their_pages(shared_data: Path) -> None:
    """Google's and DMOZ's leisure directories of the 2000s: 1061 pages are in both."""
    folder = shared_data / "webdir-freizeit"
    if not folder.is_dir():
        pytest.skip(f"the web directories are not on this machine ({folder})")
    sides = [
        oe.load_ontology(
            folder / "derived" / f"{name}.Freizeit.v2.hierarchy.tsv",
            instances=folder / "derived" / f"{name}.Freizeit.v2.instances.tsv",
        )
        for name in ("dmoz", "Google")
    ]
    right = oe.load_mapping(folder / "dmoz_Freizeit-Google_Freizeit.rdf")
    named = Alignment(tuple((a.rpartition("#")[2], b.rpartition("#")[2], s) for a, b, s in right.pairs))
    found = match(*sides, "instances")
    mine, theirs = (ontology.hierarchy.iris for ontology in sides)
    assert {(mine[c.learned], theirs[c.gold]) for c in found.pairs} == {(a, b) for a, b, _ in named.pairs}
    assert len(found) == 67
    assert (agreement(found, named, *sides)["f"], agreement(match(*sides), named, *sides)["recall"]) == (1.0, 53 / 67)
