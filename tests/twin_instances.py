"""Two hierarchies compared by their instances again: triples, pairs and permutations listed, in sets and fractions.

Straight from the definitions (Bade & Benz; Brank, Grobelnik & Mladenić), slow and obvious. Undefined is None.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import oracle
from hypothesis import strategies as st
from strategies import NAMES, STRENGTHS, Bytes, hierarchies, picks, root_of

ONE, ZERO = Fraction(1), Fraction(0)
ALPHA, BETA = 0.3, 0.2  # of δ_tree

Number = Fraction | float
Triple = tuple[str, str, str]
Parameters = Mapping[str, Any]

# every measure with every combination of its parameters, "adjusted" apart
CHOICES: tuple[tuple[str, Parameters], ...] = (
    *(("H_s", {"weight": weight}) for weight in ("w1", "w2")),
    *(("H_a", {"weight": w, "detailed": side}) for w, side in product(("w1", "w2"), ("learned", "gold"))),
    *((name, {}) for name in ("ITP", "ITR", "ITF")),
    *((name, {"delta": delta}) for name, delta in product(("OntoRand", "EOR"), ("overlap", "tree"))),
)
STRICT_ONLY = ("H_s", "H_a", "OntoRand")


@dataclass(frozen=True, eq=False)
class Placed:
    """One side: a hierarchy, and the concepts that each instance sits on."""

    twin: oracle.Twin
    where: Mapping[str, frozenset[str]]

    @cached_property
    def up(self) -> dict[str, frozenset[str]]:
        """Ancestors or self (C3)."""
        return {low: frozenset(highs | {low}) for low, highs in self.twin.below.items()}

    @cached_property
    def steps(self) -> dict[str, dict[str, int]]:
        """The fewest edges upwards, on the edges as they are."""
        return {c: oracle.distances(self.twin.edges, [c]) for c in self.twin.concepts}

    @cached_property
    def depth(self) -> dict[str, int]:
        """The fewest edges from the root; without one, from the nearest member of a top."""
        root = self.twin.root
        start = {root} if root is not None else oracle.tops(self.twin.concepts, self.twin.edges)
        return oracle.distances([(high, low) for low, high in self.twin.edges], start)

    def node(self, instance: str) -> str:
        """Where it sits; strict only."""
        (only,) = self.where[instance]
        return only

    def above_both(self, i: str, j: str) -> frozenset[str]:
        """CA(i, j) of two instances that sit on one concept each."""
        return self.up[self.node(i)] & self.up[self.node(j)]

    def comparable(self, i: str, j: str) -> bool:
        """Some node of j is <= or >= some node of i."""
        return any(u in self.up[v] or v in self.up[u] for u in self.where[i] for v in self.where[j])

    def between_nodes(self, delta: str, u: str, v: str) -> Number:
        """δ of two concepts."""
        if delta == "overlap":
            return Fraction(len(self.up[u] & self.up[v]), len(self.up[u] | self.up[v]))
        common = self.up[u] & self.up[v]
        if u == v or not common:
            return 1.0 if u == v else 0.0
        length = min(self.steps[u][a] + self.steps[v][a] for a in common)
        return math.exp(-ALPHA * length) * math.tanh(BETA * max(self.depth[a] for a in common))

    def between(self, delta: str, i: str, j: str) -> Number:
        """δ of two instances: the mean over all pairs of their nodes."""
        return mean([self.between_nodes(delta, u, v) for u in self.where[i] for v in self.where[j]])


@dataclass(frozen=True, eq=False)
class Pair:
    """The learned and the gold side."""

    learned: Placed
    gold: Placed

    @cached_property
    def names(self) -> list[str]:
        """The instances of both (C7)."""
        return sorted(set(self.learned.where) & set(self.gold.where))

    @property
    def only(self) -> tuple[int, int]:
        """How many instances only the learned, only the gold side has."""
        return len(self.learned.where) - len(self.names), len(self.gold.where) - len(self.names)

    @property
    def strict(self) -> bool:
        """True if each instance of both sits on one concept of each (C7)."""
        return all(len(side.where[i]) == 1 for side in (self.learned, self.gold) for i in self.names)

    @property
    def swapped(self) -> Pair:
        return Pair(self.gold, self.learned)

    def permuted(self) -> Iterator[Pair]:
        """Every way to hand the places on the gold side round among the instances of both."""
        for order in permutations(self.names):
            where = {name: self.gold.where[other] for name, other in zip(self.names, order, strict=True)}
            gold = replace(self.gold, where={**self.gold.where, **where})
            gold.__dict__.update({key: getattr(self.gold, key) for key in ("up", "steps", "depth")})
            yield Pair(self.learned, gold)


def mean(values: Sequence[Number]) -> Number:
    return sum(values, ZERO) / len(values)


def harmonic(left: Number, right: Number) -> Number:
    return 2 * left * right / (left + right) if left > 0 and right > 0 else ZERO


# H-correlation


def triples(side: Placed, names: Sequence[str]) -> dict[Triple, frozenset[str]]:
    """T(H), and beside each (i1, i2, i3) its CA(i1, i3)."""
    return {
        (one, two, three): side.above_both(one, three)
        for one, two, three in permutations(names, 3)
        if side.above_both(one, two) > side.above_both(one, three)
    }


def weights(found: Mapping[Triple, frozenset[str]], weight: str) -> dict[Triple, Fraction]:
    """w1 is 1; w2 shares 1 among all triples with the same CA(i1, i3)."""
    size = Counter(found.values())
    return {triple: ONE if weight == "w1" else Fraction(1, size[above]) for triple, above in found.items()}


def weighted_triples(pair: Pair, weight: str) -> tuple[dict[Triple, Fraction], dict[Triple, Fraction]]:
    learned, gold = (weights(triples(side, pair.names), weight) for side in (pair.learned, pair.gold))
    return learned, gold


def h_s(pair: Pair, weight: str) -> Number:
    learned, gold = weighted_triples(pair, weight)
    if not learned and not gold:
        return ONE  # C8
    both = learned.keys() & gold.keys()
    whole = sum(learned.values(), ZERO) + sum(gold.values(), ZERO)
    return sum((learned[triple] + gold[triple] for triple in both), ZERO) / whole


def h_a(pair: Pair, weight: str, detailed: str) -> Number:
    """The other side's triples that the detailed one has, too."""
    learned, gold = weighted_triples(pair, weight)
    fine, coarse = (learned, gold) if detailed == "learned" else (gold, learned)
    if not coarse:
        return ONE  # C8
    return sum((coarse[triple] for triple in fine.keys() & coarse.keys()), ZERO) / sum(coarse.values(), ZERO)


def share_of_triples(side: Placed, names: Sequence[str]) -> Fraction:
    """t = |T| / (n (n - 1) (n - 2))."""
    count = len(names)
    return Fraction(len(triples(side, names)), count * (count - 1) * (count - 2))


def h_s_by_chance(pair: Pair, weight: str) -> Number:
    learned, gold = (sum(side.values(), ZERO) for side in weighted_triples(pair, weight))
    if not learned + gold:
        return ONE
    left, right = share_of_triples(pair.learned, pair.names), share_of_triples(pair.gold, pair.names)
    return (learned * right + gold * left) / (learned + gold)


def h_a_by_chance(pair: Pair, weight: str, detailed: str) -> Number:
    del weight  # E H_a = t of the detailed side, however the triples weigh
    fine, coarse = (pair.learned, pair.gold) if detailed == "learned" else (pair.gold, pair.learned)
    return share_of_triples(fine, pair.names) if triples(coarse, pair.names) else ONE


# instance taxonomic precision


def related(side: Placed, names: Sequence[str]) -> dict[str, set[str]]:
    """isc of every instance, itself included."""
    return {i: {j for j in names if side.comparable(i, j)} for i in names}


def local_precision(pair: Pair) -> dict[str, Fraction]:
    learned, gold = related(pair.learned, pair.names), related(pair.gold, pair.names)
    return {i: Fraction(len(learned[i] & gold[i]), len(learned[i])) for i in pair.names}


def itp(pair: Pair) -> Number:
    return mean(list(local_precision(pair).values()))


def itp_by_chance(pair: Pair) -> Number:
    count = len(pair.names)
    if count == 1:
        return ONE
    learned, gold = related(pair.learned, pair.names), related(pair.gold, pair.names)
    return sum(
        (
            (1 + Fraction((len(learned[i]) - 1) * (len(gold[j]) - 1), count - 1)) / len(learned[i])
            for i, j in product(pair.names, pair.names)
        ),
        ZERO,
    ) / (count * count)


# OntoRand


def apart(left: Number, right: Number) -> Number:
    return left - right if left > right else right - left


def onto_rand(pair: Pair, delta: str) -> Number:
    pairs = list(combinations(pair.names, 2))
    if not pairs:
        return ONE
    return 1 - mean([apart(pair.learned.between(delta, *both), pair.gold.between(delta, *both)) for both in pairs])


def onto_rand_by_chance(pair: Pair, delta: str) -> Number:
    pairs = list(combinations(pair.names, 2))
    if not pairs:
        return ONE
    learned, gold = ([side.between(delta, *both) for both in pairs] for side in (pair.learned, pair.gold))
    return 1 - mean([apart(left, right) for left, right in product(learned, gold)])


# by name


def plain(pair: Pair, name: str, given: Parameters) -> Number | None:
    """The value of a measure without `adjusted`."""
    if not pair.names or (name in STRICT_ONLY and not pair.strict):
        return None
    ways: dict[str, Callable[..., Number]] = {
        "H_s": h_s,
        "H_a": h_a,
        "ITP": itp,
        "ITR": lambda both: itp(both.swapped),
        "ITF": lambda both: harmonic(itp(both), itp(both.swapped)),
        "OntoRand": onto_rand,
        "EOR": onto_rand,
    }
    return ways[name](pair, **given)


def by_chance(pair: Pair, name: str, given: Parameters) -> Number | None:
    """The expectation in closed form; there is none of an F."""
    if not pair.names or (name in STRICT_ONLY and not pair.strict):
        return None
    ways: dict[str, Callable[..., Number]] = {
        "H_s": h_s_by_chance,
        "H_a": h_a_by_chance,
        "ITP": itp_by_chance,
        "ITR": lambda both: itp_by_chance(both.swapped),
        "OntoRand": onto_rand_by_chance,
        "EOR": onto_rand_by_chance,
    }
    return ways[name](pair, **given)


def listed_by_chance(pair: Pair, name: str, given: Parameters) -> Number:
    """The expectation as the mean over all permutations."""
    return mean([value for value in (plain(other, name, given) for other in pair.permuted()) if value is not None])


def adjusted(pair: Pair, name: str, given: Parameters) -> Number | None:
    """(value - E) / (1 - E); 1 where every permutation gives 1."""
    if name == "ITF":
        precision, recall = adjusted(pair, "ITP", given), adjusted(pair, "ITR", given)
        return None if precision is None or recall is None else harmonic(precision, recall)
    value, chance = plain(pair, name, given), by_chance(pair, name, given)
    if value is None or chance is None:
        return None
    return ONE if abs(1 - chance) < 1e-12 else (value - chance) / (1 - chance)


# random pairs


INSTANCES = ("i1", "i2", "i3", "I 4", "Ä", "http://ex.org/i", "日")
SIZES = (7, 6, 5, 6, 4, 7, 3, 5, 2, 1, 6, 0)
HABITS = ("strict", "strict", "strict", "several", "strengths", "mixed")  # how the instances of a side sit


@dataclass
class Case:
    """Keyword arguments for two ontologies with instances."""

    learned: dict[str, Any]
    gold: dict[str, Any]

    @property
    def pair(self) -> Pair:
        return Pair(placed(self.learned), placed(self.gold))

    @property
    def swapped(self) -> Case:
        return Case(self.gold, self.learned)


def placed(made: Mapping[str, Any]) -> Placed:
    """What the arguments of Ontology.from_edges mean; an instance on nothing is none."""
    where = {
        name: frozenset([target] if isinstance(target, str) else target)
        for name, target in (made.get("instances") or {}).items()
    }
    return Placed(oracle.twin(**made), {name: nodes for name, nodes in where.items() if nodes})


def bare(edges: Sequence[str], places: Sequence[str] = ()) -> Placed:
    """A hierarchy below r, edges as "child parent"; each place has the letters of the concepts an instance sits on."""
    where = {str(number): list(nodes) for number, nodes in enumerate(places)}
    return placed({"edges": [tuple(edge.split()) for edge in edges], "root": "r", "instances": where})


def places(made: Mapping[str, Any]) -> list[str]:
    """The concepts that instances can sit on, sorted: an added root has no name to give."""
    found = oracle.twin(**made)
    return sorted(found.concepts - ({found.root} if found.root_added else set()))


def _target(take: Bytes, nodes: Sequence[str], habit: str) -> Any:
    if habit == "mixed":
        habit = take.choice(["strict", "strict", "several", "strengths"])
    if habit == "strict":
        node = take.choice(nodes)
        return take.choice([node, [node], {node: 0.5}])
    several = [take.choice(nodes) for _ in range(take.number(3))]
    return several if habit == "several" else {node: take.choice(STRENGTHS) for node in several}


def _seated(take: Bytes, names: Sequence[str], nodes: Sequence[str], *, strict: bool) -> dict[str, Any]:
    """Most of the names, each on some of the nodes; for one in four sides all on two nodes at most."""
    habit = take.choice(HABITS)
    few = [take.choice(nodes), take.choice(nodes)] if take.number(4) == 4 else nodes
    often = take.choice([0, 7, 7, 1])  # one in so many and one more is missing; 0: none
    kept = [name for name in names if not (often and take.number(often) == 0)]
    return {name: _target(take, few, "strict" if strict else habit) for name in kept}


_SEATS = 3 + 2 * (5 + len(INSTANCES) * 10)


def _case(
    mine: tuple[list[Any], list[str]],
    theirs: tuple[list[Any], list[str]],
    roots: tuple[int, int],
    seed: int,
    *,
    strict: bool,
) -> Case:
    """Two hierarchies; or one with some edges turned or dropped, where most instances stay where they are.

    Those that are drawn are often flat or one big cycle; every second case has grown ones in their place.
    """
    random = Random(repr((mine, theirs, roots, seed)))  # what is drawn alone is too often zero
    take = Bytes(random.randbytes(_SEATS))
    kind = take.choice(["other", "similar"])
    if take.number(1):
        mine, theirs = _grown(random), _grown(random)
    if kind == "similar":
        edges = [edge if chance < 0.8 else edge[::-1] for edge in mine[0] if (chance := random.random()) > 0.1]
        theirs = (edges, mine[1] + [name for edge in mine[0] for name in edge])
    sides: list[dict[str, Any]] = []
    for (edges, concepts), pick in zip((mine, theirs), roots, strict=True):
        made: dict[str, Any] = {"edges": edges, "concepts": concepts}
        sides.append({**made, "root": root_of(made, pick)})
    names = INSTANCES[: take.choice(SIZES)]
    nodes = [places(side) for side in sides]
    for side, there in zip(sides, nodes, strict=True):
        side["instances"] = _seated(take, names, there, strict=strict)
    if kind == "similar":
        stay = {name: target for name, target in sides[0]["instances"].items() if random.random() < 0.7}
        fits = {name: target for name, target in stay.items() if all(n in nodes[1] for n in _nodes(target))}
        sides[1]["instances"] |= fits
    return Case(sides[0], sides[1])


def _grown(random: Random) -> tuple[list[Any], list[str]]:
    """A tree of up to ten concepts, for half of them with up to two more edges: several parents, or a cycle."""
    names = random.sample(NAMES, random.randint(2, 10))
    edges = [(name, names[random.randrange(place)]) for place, name in enumerate(names[1:], 1)]
    more = [tuple(random.choices(names, k=2)) for _ in range(random.randint(0, 2))]
    return edges + (more if random.random() < 0.5 else []), names[-1:]


def _nodes(target: Any) -> list[str]:
    return [target] if isinstance(target, str) else list(target)


def cases(*, strict: bool = False) -> st.SearchStrategy[Case]:
    """Hierarchies below every kind of root with up to seven instances, most of them on both sides."""

    def make(*drawn: Any) -> Case:
        return _case(*drawn, strict=strict)

    return st.builds(make, hierarchies(), hierarchies(), st.tuples(picks(), picks()), picks())
