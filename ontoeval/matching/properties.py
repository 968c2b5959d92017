"""`SharedProperties`: the properties of two ontologies, matched like concepts; inverse ones are one, turned round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ontoeval.errors import ParameterError, did_you_mean, listed
from ontoeval.matching.matcher import By, match
from ontoeval.matching.matching import Matching
from ontoeval.model.arrays import BoolArray, LongArray, freeze
from ontoeval.model.hierarchy import EdgeTable, Hierarchy
from ontoeval.model.lexicon import SEPARATORS, local_name, split_camel_case
from ontoeval.model.ontology import Ontology
from ontoeval.model.relations import DOMAIN, RANGE, RELATED, SYNONYM, Relations

KINDS = {"related": RELATED, "synonym": SYNONYM}  # kinds of links that the hierarchy keeps
_BUILT_IN = frozenset({RELATED, SYNONYM, DOMAIN, RANGE})  # not properties of the files


@dataclass(frozen=True, eq=False)
class SharedProperties:
    """Which properties of both sides are one: matched ones, and inverse ones, of which one is turned round.

    A property that either side calls symmetric, or its own inverse, has no direction. `learned` and `gold` have the
    number of each property of a side, `learned_turned` and `gold_turned` whether its subject is the object there.
    """

    iris: tuple[str, ...]  # that of the gold standard, of several the first by IRI
    labels: tuple[str, ...]
    symmetric: BoolArray
    common: BoolArray  # both sides have it
    learned: LongArray
    learned_turned: BoolArray
    gold: LongArray
    gold_turned: BoolArray
    matching: Matching  # of the properties, one to one
    names: tuple[frozenset[str], ...]  # IRIs, local names and labels on both sides
    vocabularies: tuple[tuple[str, ...], tuple[str, ...]]  # the properties of the learned and of the gold side

    def __post_init__(self) -> None:
        for array in (
            self.symmetric, self.common, self.learned, self.learned_turned, self.gold, self.gold_turned
        ):  # fmt: skip
            freeze(array)

    @classmethod
    def of(cls, learned: Relations, gold: Relations, concepts: Matching) -> SharedProperties:
        """Match by the mappings that concepts were matched by, then by IRI, then by label, folded like theirs.

        By local name, too, if that is a step of the concepts; else it stands in for a missing label alone.
        """
        sides = _vocabulary(learned), _vocabulary(gold)
        chain: list[By] = [*concepts.mappings, "iri", "label"]
        chain += ["name"] if "name" in concepts.by else []
        matching = match(*sides, chain, normalize=concepts.normalize, language=concepts.languages or None)
        return _join(learned, gold, matching)

    def __len__(self) -> int:
        return len(self.iris)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many properties each side has and each step matched; domain, range, related, synonym are not counted."""
        learned, gold = self.vocabularies
        counted = [[iri not in _BUILT_IN for iri in side] for side in (learned, gold)]
        counts = {"learned_properties": sum(counted[0]), "gold_properties": sum(counted[1])}
        for place, step in enumerate(self.matching.by):
            of_step = np.flatnonzero(self.matching.steps == place).tolist()
            name = f"properties_by_{step}"
            counts[name] = counts.get(name, 0) + sum(counted[0][p] for p in of_step)
        return counts

    def find(self, kind: str) -> LongArray:
        """The numbers of the properties of a kind: all, related, synonym, or one by IRI, local name or label."""
        if kind == "all":
            return np.arange(len(self))
        iri = KINDS.get(kind)
        if iri is not None:
            return np.array([place for place, names in enumerate(self.names) if iri in names])
        for fold in (str, _fold):
            wanted = fold(kind)
            places = [place for place, names in enumerate(self.names) if any(fold(name) == wanted for name in names)]
            if len(places) == 1:
                return np.array(places)
            if places:
                raise ParameterError(
                    f"{len(places)} properties have the name {kind!r}: {listed(self.iris[place] for place in places)}",
                    advice="Use the IRI.",
                    parameter="kind",
                )
        names = self._short_names or ["a property of the files"]
        raise ParameterError(
            f"neither side has a property {kind!r}",
            advice=f"{did_you_mean(kind, self._short_names)} Use all, related, synonym or {listed(names)}.".strip(),
            parameter="kind",
        )

    @cached_property
    def _short_names(self) -> Sequence[str]:
        return sorted({local_name(iri) for iri in self.iris if iri not in KINDS.values()}, key=str.casefold)


def _fold(name: str) -> str:
    """`part_of`, `partOf` and `part of` are alike; of an OBO id (`BFO:0000050`) the local name of its IRI."""
    words = SEPARATORS.sub(" ", split_camel_case(name.replace(":", "_"))) if "/" not in name else name
    return words.strip().casefold()


def _vocabulary(relations: Relations) -> Ontology:
    """The properties as concepts without links, so that they can be matched like them; ids are positions."""
    return Ontology(Hierarchy.build(relations.properties, EdgeTable.make(), root="none"), relations.lexicon)


def _join(learned: Relations, gold: Relations, matching: Matching) -> SharedProperties:
    first = len(learned.properties)  # gold properties are numbered after the learned ones
    size = first + len(gold.properties)
    neighbours: list[list[tuple[int, bool]]] = [[] for _ in range(size)]  # the other, and whether it is turned
    partner = matching.to_gold.tolist()
    links = [(p, first + q, False) for p, q in enumerate(partner) if q >= 0]
    links += [(p, q, True) for p, q in learned.inverse.tolist()]
    links += [(first + p, first + q, True) for p, q in gold.inverse.tolist()]
    for p, q, turned in links:
        neighbours[p].append((q, turned))
        neighbours[q].append((p, turned))
    number, turned_round = np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=bool)
    said = np.concatenate([learned.symmetric, gold.symmetric])
    symmetric: list[bool] = []
    iris: list[str] = []
    labels: list[str] = []
    names: list[frozenset[str]] = []
    for start in (*range(first, size), *range(first)):  # by gold IRI, then by learned IRI
        if number[start] >= 0:
            continue
        undirected, members = _reach(start, len(iris), neighbours, number, turned_round)
        symmetric.append(undirected or bool(said[members].any()))
        side, place = (gold, start - first) if start >= first else (learned, start)
        iris.append(side.properties[place])
        labels.append(side.lexicon.label(place) or local_name(side.properties[place]))
        names.append(_every_name(learned, (m for m in members if m < first)) |
                     _every_name(gold, (m - first for m in members if m >= first)))  # fmt: skip
    learned_numbers, gold_numbers = number[:first].copy(), number[first:].copy()
    return SharedProperties(
        tuple(iris),
        tuple(labels),
        np.array(symmetric, dtype=bool),
        np.isin(np.arange(len(iris)), learned_numbers) & np.isin(np.arange(len(iris)), gold_numbers),
        learned_numbers,
        turned_round[:first].copy(),
        gold_numbers,
        turned_round[first:].copy(),
        matching,
        tuple(names),
        (learned.properties, gold.properties),
    )


def _reach(
    start: int, label: int, neighbours: list[list[tuple[int, bool]]], number: LongArray, turned_round: BoolArray
) -> tuple[bool, list[int]]:
    """Number all that is joined with a property; True if one of them is thereby its own inverse."""
    number[start] = label
    members, undirected = [start], False
    for member in members:  # grows on the way
        for other, turned in neighbours[member]:
            direction = bool(turned_round[member]) != turned
            if number[other] < 0:
                number[other], turned_round[other] = label, direction
                members.append(other)
            elif turned_round[other] != direction:
                undirected = True
    return undirected, members


def _every_name(side: Relations, places: Iterable[int]) -> frozenset[str]:
    names: set[str] = set()
    for place in places:
        iri = side.properties[place]
        names.update((iri, local_name(iri), *side.lexicon.labels(place)))
    return frozenset(names)
