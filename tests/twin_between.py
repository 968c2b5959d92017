"""Brute-force twin of Place, Near and Preserved: plain sets and loops, from the specification of measures between two
ontologies alone. Sim is that of tests/twin_concepts.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from statistics import mean

from twin_compare import Case
from twin_concepts import Concepts

Edge = tuple[str, str]
Node = tuple[str, str]  # side and name
Sim = Callable[[str, str], float]


class Between:
    """Two ontologies and a partial matching, by names; `similarity` is a measure of twin_concepts."""

    def __init__(self, case: Case, similarity: str) -> None:
        self.case, self.similarity = case, similarity
        self.learned, self.gold = Concepts(**case.learned), Concepts(**case.gold)
        self.partner = case.mapping
        self.back = {gold: learned for learned, gold in case.mapping.items()}

    @staticmethod
    def edges(made: dict[str, object]) -> set[Edge]:
        """The edges of the file, self-edges left out."""
        return {(edge[0], edge[1]) for edge in made["edges"] if edge[0] != edge[1]}  # type: ignore[attr-defined]

    # Place

    def up(self, concept: str, edges: set[Edge], common: Iterable[str]) -> set[str]:
        """The common concepts at the upper end of a path whose inner nodes are not common."""
        result, waiting, seen = set(), [concept], {concept}
        while waiting:
            here = waiting.pop()
            for child, parent in edges:
                if child != here or parent == concept:
                    continue
                if parent in common:
                    result.add(parent)
                elif parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
        return result

    def parents(self, concept: str, kind: str) -> tuple[list[str | None], list[str]]:
        """A (None: a direct parent without a partner) and B of a common concept, given by its learned name."""
        learned, gold = self.edges(self.case.learned), self.edges(self.case.gold)
        partner = self.partner[concept]
        if kind == "direct":
            a = [self.partner.get(parent) for child, parent in learned if child == concept]
            return a, [parent for child, parent in gold if child == partner]
        a = [self.partner[parent] for parent in self.up(concept, learned, self.partner)]
        return a, list(self.up(partner, gold, self.back))

    def in_gold(self, a: str, b: str) -> float:
        return 1.0 if a == b else self.gold(self.similarity, a, b)

    def credit(self, a: Sequence[str | None], b: Sequence[str]) -> float:
        """The greatest sum over one-to-one pairings, by trying all of them."""
        known = [parent for parent in a if parent is not None]
        few, many = (known, b) if len(known) <= len(b) else (b, known)
        forward = few is known
        best = 0.0
        for order in permutations(many, len(few)):
            pairs = zip(few, order, strict=True) if forward else zip(order, few, strict=True)
            best = max(best, sum(self.in_gold(x, y) for x, y in pairs))
        return best

    def place(self, parents: str, average: str) -> tuple[float, float]:
        """Precision and recall."""
        rows = [*self.place_rows(parents).values()]
        if not rows:
            return 0.0, 0.0
        return self._average(rows, average, 1), self._average(rows, average, 2)

    def place_rows(self, parents: str) -> dict[str, tuple[float, int, int]]:
        """W, |A| and |B| of each common concept, by its learned name."""
        sets = {concept: self.parents(concept, parents) for concept in self.partner}
        return {concept: (self.credit(a, b), len(a), len(b)) for concept, (a, b) in sets.items()}

    @staticmethod
    def share(row: tuple[float, int, int], side: int) -> float:
        return row[0] / row[side] if row[side] else 0.0 if row[3 - side] else 1.0

    @classmethod
    def _average(cls, rows: list[tuple[float, int, int]], average: str, side: int) -> float:
        if average == "micro":
            total, other = sum(row[side] for row in rows), sum(row[3 - side] for row in rows)
            return sum(row[0] for row in rows) / total if total else 0.0 if other else 1.0
        return mean(cls.share(row, side) for row in rows)

    # Near

    @cached_property
    def merged(self) -> Concepts:
        """M: gold names as they are, learned concepts without a partner with a mark."""
        edges = [*self.edges(self.case.gold)]
        edges += [(self.in_merged(a), self.in_merged(b)) for a, b in self.edges(self.case.learned)]
        names = [*self.gold.given, *(self.in_merged(name) for name in self.learned.given)]
        return Concepts(edges, concepts=names, root=self.case.gold["root"])

    def in_merged(self, learned: str) -> str:
        return self.partner.get(learned, f"learned {learned}")

    def near(self) -> tuple[float, float]:
        """NearP and NearR."""
        precision, recall = self.near_rows()
        return mean(precision.values()), mean(recall.values())

    def near_rows(self) -> tuple[dict[str, float], dict[str, float]]:
        """near(c) of each learned concept, and near(r) of each gold one."""
        ours, theirs = [self.in_merged(name) for name in self.learned.given], self.gold.given

        def sim(a: str, b: str) -> float:
            return 1.0 if a == b else self.merged(self.similarity, a, b)

        precision = {name: 1.0 if name in self.partner else max(sim(self.in_merged(name), r) for r in theirs)
                     for name in self.learned.given}  # fmt: skip
        recall = {name: 1.0 if name in self.back else max(sim(c, name) for c in ours) for name in theirs}
        return precision, recall

    # Preserved

    def pairs(self) -> list[tuple[float, float]]:
        """(x, y) of all unordered pairs of common concepts."""
        return [self.pair(c, d) for c, d in combinations(self.partner, 2)]

    def pair(self, c: str, d: str) -> tuple[float, float]:
        """(x, y) of two common concepts, given by their learned names."""
        return self._both_ways(self.learned, c, d), self._both_ways(self.gold, self.partner[c], self.partner[d])

    def _both_ways(self, side: Concepts, c: str, d: str) -> float:
        return (side(self.similarity, c, d) + side(self.similarity, d, c)) / 2


@dataclass
class Thesaurus:
    """A SKOS file in plain names: declared concepts, (child, parent) of skos:broader, (subject, property, object)."""

    declared: set[str]
    broader: set[Edge]
    mappings: set[tuple[str, str, str]]  # by broadMatch, narrowMatch, relatedMatch or exactMatch

    @property
    def edges(self) -> set[Edge]:
        """broadMatch and narrowMatch are as broader and narrower."""
        up = {(a, b) for a, name, b in self.mappings if name == "broadMatch"}
        down = {(b, a) for a, name, b in self.mappings if name == "narrowMatch"}
        return {(a, b) for a, b in self.broader | up | down if a != b}

    @property
    def concepts(self) -> set[str]:
        ends = self.broader | {(a, b) for a, name, b in self.mappings if name in ("broadMatch", "narrowMatch")}
        return self.declared | {name for edge in ends for name in edge}

    @property
    def only_mapped(self) -> set[str]:
        return self.concepts - self.declared - {name for edge in self.broader for name in edge}


class MergedThesauri:
    """M of two SKOS files, whose mapping links to the other file are edges, and a matching, learned -> gold.

    A node is ("gold", name) or, of a learned concept that is no gold one, ("learned", name).
    """

    def __init__(self, learned: Thesaurus, gold: Thesaurus, partner: dict[str, str]) -> None:
        self.learned, self.gold, self.partner = learned, gold, partner
        self.nodes = {self.of_learned(name) for name in learned.concepts} | {self.of_gold(n) for n in gold.concepts}
        self.edges = self._linked(("broadMatch", "narrowMatch"), directed=True)
        self.related = self._linked(("relatedMatch",))
        self.synonyms = self._linked(("exactMatch",))

    def of_learned(self, name: str) -> Node:
        """The node of a name of the learned file: the gold concept of that name if the file says nothing of its own."""
        own = name in self.learned.concepts - self.learned.only_mapped
        return self._own_learned(name) if own or name not in self.gold.concepts else ("gold", name)

    def of_gold(self, name: str) -> Node:
        return self._own_learned(name) if self._is_learned(name) else ("gold", name)

    def _is_learned(self, name: str) -> bool:
        """True if a name of the gold file is the learned concept; what both files only map to is a gold concept."""
        if name not in self.gold.concepts:
            return name in self.learned.concepts
        return name in self.gold.only_mapped and name in self.learned.concepts - self.learned.only_mapped

    def _own_learned(self, name: str) -> Node:
        partner = self.partner.get(name)
        return ("learned", name) if partner is None or self._is_learned(partner) else ("gold", partner)

    def _linked(self, names: tuple[str, ...], *, directed: bool = False) -> set[tuple[Node, Node]]:
        links = set()
        for file, node, other in ((self.learned, self.of_learned, self.gold), (self.gold, self.of_gold, self.learned)):
            stated = {(a, b) for a, name, b in file.mappings if name in names and name != "narrowMatch"}
            stated |= {(b, a) for a, name, b in file.mappings if name in names and name == "narrowMatch"}
            stated |= file.broader if directed else set()
            known = file.concepts | other.concepts
            for a, b in stated:
                if a in known and b in known and (a in file.concepts or b in file.concepts) and node(a) != node(b):
                    links.add((node(a), node(b)))
                    links |= set() if directed else {(node(b), node(a))}
        return links


def harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """None if one side is constant (to twelve digits)."""
    x, y = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if len({round(v, 12) for v in x}) < 2 or len({round(v, 12) for v in y}) < 2:
        return None
    mx, my = mean(x), mean(y)
    top = sum((a - mx) * (b - my) for a, b in pairs)
    return top / (sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y)) ** 0.5


def spearman(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson of mid-ranks."""
    return pearson(list(zip(*(mid_ranks([round(pair[k], 12) for pair in pairs]) for k in (0, 1)), strict=True)))


def mid_ranks(values: Sequence[float]) -> list[float]:
    return [sum(w < v for w in values) + (sum(w == v for w in values) + 1) / 2 for v in values]
