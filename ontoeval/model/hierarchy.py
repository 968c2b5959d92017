"""`Hierarchy`: ids, edges, root rule, cycles; `EdgeTable`; `WEIGHTS`, `checked_weight` (ancestors: closure.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ontoeval.errors import HierarchyError, ParameterError, UnknownConceptError, did_you_mean, listed
from ontoeval.model.arrays import Adjacency, FloatArray, IntArray, LongArray, freeze, runs
from ontoeval.model.closure import Closure
from ontoeval.model.digraph import components, distances, levels, levels_in_order

Edge = tuple[str, str] | tuple[str, str, float]
OnCycle = Literal["keep", "error"]
WEIGHTS: Mapping[str, float] = {"hierarchical": 1.0, "related": 1.0, "synonym": 0.0}
ROOT_NAME = "(root)"
_SUGGEST_BELOW = 50_000  # names; looking for similar ones among more takes seconds


@dataclass(frozen=True, eq=False)
class EdgeTable:
    """Edges of one kind between numbered names, as they were read: repeated, in any order, with self-edges."""

    tails: LongArray
    heads: LongArray
    weights: FloatArray

    @classmethod
    def make(
        cls,
        tails: Sequence[int] | npt.NDArray[Any] = (),
        heads: Sequence[int] | npt.NDArray[Any] = (),
        weights: Sequence[float] | npt.NDArray[Any] | None = None,
        *,
        default: float = 1.0,
    ) -> EdgeTable:
        """Edges tails[i] -> heads[i]; a weight that is not given (or nan) is `default`."""
        values = np.full(len(tails), default) if weights is None else np.asarray(weights, dtype=np.float64)
        return cls(
            np.asarray(tails, dtype=np.int64),
            np.asarray(heads, dtype=np.int64),
            np.where(np.isnan(values), default, values),
        )

    def __getitem__(self, rows: npt.NDArray[Any]) -> EdgeTable:
        """Some of the edges: a mask, or positions."""
        return EdgeTable(self.tails[rows], self.heads[rows], self.weights[rows])

    def __add__(self, other: EdgeTable) -> EdgeTable:
        """The edges of both tables."""
        return EdgeTable(
            np.concatenate([self.tails, other.tails]),
            np.concatenate([self.heads, other.heads]),
            np.concatenate([self.weights, other.weights]),
        )


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """H = (N, <, root).

    Ids run from the root (0) downwards, parents before children, cycle members side by side, ties by IRI: the same
    edges in any order give the same ids. Self-edges are no part of `parents`; `self_edges` remembers them.
    """

    iris: tuple[str, ...]
    parents: Adjacency
    children: Adjacency
    related: Adjacency
    synonyms: Adjacency
    has_root: bool  # then its id is 0
    root_added: bool  # the file named no single root
    attached: IntArray  # concepts whose edge to the root was added (taxonomic C4)
    self_edges: IntArray
    first: LongArray  # part (cycle or single concept) k is first[k] ... first[k + 1] - 1
    weight: float = 1.0  # of a hierarchical edge that has none of its own
    root_rule: str = "auto"  # what was asked for: "auto", "new", "none" or a concept
    individuals: int = 0  # how many of the last ids are individuals, leaves below their classes (edit/individuals.py)

    def __post_init__(self) -> None:
        for array in (self.attached, self.self_edges, self.first):
            freeze(array)

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[Edge],
        *,
        concepts: Iterable[str] = (),
        related: Iterable[Edge] = (),
        synonyms: Iterable[Edge] = (),
        weights: Mapping[str, float] | None = None,
        root: str = "auto",
        on_cycle: OnCycle = "keep",
    ) -> Hierarchy:
        """Make a hierarchy of (child, parent[, weight]) edges; every name that occurs is a concept."""
        weight_of = chosen_weights(weights)
        number: dict[str, int] = {}

        def table(pairs: Iterable[Edge], kind: str) -> EdgeTable:
            tails, heads, values = [], [], []
            for pair in pairs:
                tails.append(number.setdefault(pair[0], len(number)))
                heads.append(number.setdefault(pair[1], len(number)))
                values.append(checked_weight(pair[2], "the link " + " ".join(pair[:2])) if len(pair) > 2 else np.nan)
            return EdgeTable.make(tails, heads, values, default=weight_of[kind])

        tables = table(edges, "hierarchical"), table(related, "related"), table(synonyms, "synonym")
        for name in concepts:
            number.setdefault(name, len(number))
        if root not in ("auto", "new", "none"):
            number.setdefault(root, len(number))
        return cls.build(
            list(number),
            tables[0],
            related=tables[1],
            synonyms=tables[2],
            root=root,
            root_weight=weight_of["hierarchical"],
            on_cycle=on_cycle,
        )

    @classmethod
    def empty(cls) -> Hierarchy:
        """No concept at all: what is left of a learner's links if it is sure of none."""
        nothing: LongArray = np.zeros(0, dtype=np.int64)
        edges = Adjacency.from_pairs(0, nothing, nothing, np.zeros(0))
        return cls(
            (), edges, edges, edges, edges, has_root=False, root_added=False, attached=nothing.astype(np.int32),
            self_edges=nothing.astype(np.int32), first=np.zeros(1, dtype=np.int64), root_rule="none",
        )  # fmt: skip

    @classmethod
    def build(
        cls,
        names: Sequence[str],
        edges: EdgeTable,
        *,
        related: EdgeTable | None = None,
        synonyms: EdgeTable | None = None,
        root: str = "auto",
        root_name: str = ROOT_NAME,
        root_weight: float = 1.0,
        on_cycle: OnCycle = "keep",
    ) -> Hierarchy:
        """Make a hierarchy of numbered names: edges are (child, parent) positions in `names`, which are distinct."""
        if on_cycle not in ("keep", "error"):
            raise ParameterError(f"on_cycle must be 'keep' or 'error', not {on_cycle!r}", parameter="on_cycle")
        if not names:
            raise HierarchyError("no concepts found", advice="Add a concept or a link.")
        sorted_names, rank = _sort_names(names)
        child, parent = rank[edges.tails], rank[edges.heads]
        loops = child == parent
        self_edges = np.unique(child[loops])
        child, parent, weight = child[~loops], parent[~loops], edges.weights[~loops]
        count, part = components(len(names), child, parent)
        if on_cycle == "error" and count < len(names):
            _refuse_cycle(sorted_names, child, parent, part)
        top, attached = _root_rule(root, sorted_names, child, parent, count, part)
        added = top == len(sorted_names)
        if added:
            sorted_names.append(unused_name(root_name, names))
        if top is not None:
            child = np.concatenate([child, attached])
            parent = np.concatenate([parent, np.full(len(attached), top)])
            weight = np.concatenate([weight, np.full(len(attached), root_weight)])
            if added:  # nothing is above it, so that no cycle goes through it
                count, part = count + 1, np.append(part, np.int32(count))
            elif len(attached):
                count, part = components(len(sorted_names), child, parent)
        order, first = _numbering(len(sorted_names), child, parent, count, part, top)
        new = np.empty(len(order), dtype=np.int64)
        new[order] = np.arange(len(order))
        parents = Adjacency.from_pairs(len(order), new[child], new[parent], weight)
        return cls(
            iris=tuple([sorted_names[i] for i in order.tolist()]),
            parents=parents,
            children=parents.reversed(),
            related=_both_ways(related, rank, new),
            synonyms=_both_ways(synonyms, rank, new),
            has_root=top is not None,
            root_added=added,
            attached=np.sort(new[attached]).astype(np.int32),
            self_edges=np.sort(new[self_edges]).astype(np.int32),
            first=first,
            weight=root_weight,
            root_rule=root,
        )

    def __repr__(self) -> str:
        return f"<Hierarchy of {len(self):,} concepts and {len(self.parents):,} edges>"

    def __len__(self) -> int:
        """N: the number of concepts, an added root included."""
        return len(self.iris)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {iri: concept for concept, iri in enumerate(self.iris)}

    def __contains__(self, iri: object) -> bool:
        return iri in self._ids

    def id(self, iri: str) -> int:
        """The id of a concept; UnknownConceptError if it is not there."""
        try:
            return self._ids[iri]
        except KeyError:
            raise unknown_concept(iri, did_you_mean(iri, self.iris) if len(self) < _SUGGEST_BELOW else "") from None

    def ids(self, iris: Sequence[str]) -> LongArray:
        """The ids of many concepts; UnknownConceptError names the first that is not there."""
        try:
            return np.fromiter(map(self._ids.__getitem__, iris), dtype=np.int64, count=len(iris))
        except KeyError as error:
            return np.array([self.id(error.args[0])])

    @cached_property
    def iri_rank(self) -> LongArray:
        """The position of each concept if all are sorted by IRI."""
        return freeze(_sort_names(self.iris)[1])

    @cached_property
    def closure(self) -> Closure:
        """Ancestors and depth."""
        edges = self._between_parts()
        closure = Closure(self.first, edges, np.flatnonzero(edges.degree == 0).astype(np.int32))
        last = np.full(edges.size, -1, dtype=np.int64)
        lower = np.flatnonzero(edges.degree)
        last[lower] = edges.indices[edges.indptr[lower + 1] - 1]
        level = levels_in_order(last[: edges.size - self.individuals])  # ids run level by level
        behind = np.full(self.individuals, level.max(initial=0) + 1, dtype=level.dtype)  # whatever their classes are
        closure.__dict__["level"] = freeze(np.concatenate([level, behind]))
        return closure

    @cached_property
    def steps_down(self) -> IntArray:
        """The fewest edges from the root to each concept, on the edges as they are.

        Without a root from the nearest concept of a part that has no parent: those that an added root would be the
        parent of. `closure.depth` takes each cycle as one concept instead.
        """
        top = (
            np.zeros(1, dtype=np.int64)
            if self.has_root
            else np.flatnonzero(np.isin(self.closure.part, self.closure.roots))
        )
        return freeze(distances(len(self), self.parents.indices, self.parents.tails, top))

    def _between_parts(self) -> Adjacency:
        if len(self.first) == len(self) + 1:  # no cycle: every concept is a part
            return Adjacency(self.parents.indptr, self.parents.indices, np.ones(len(self.parents)))
        part = np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))
        tails, heads = part[self.parents.tails], part[self.parents.indices]
        between = tails != heads
        return Adjacency.from_pairs(len(self.first) - 1, tails[between], heads[between], np.ones(int(between.sum())))

    @cached_property
    def cycles(self) -> tuple[tuple[int, ...], ...]:
        """The concepts of each cycle, and each concept with a self-edge alone."""
        size = np.diff(self.first)
        cyclic = np.flatnonzero(size > 1)
        members = [tuple(range(self.first[k], self.first[k + 1])) for k in cyclic.tolist()]
        return tuple(sorted(members + [(c,) for c in self.self_edges.tolist()]))

    def cycle_path(self, members: Sequence[int]) -> tuple[int, ...]:
        """A shortest path from the first member of a cycle upwards and back to it."""
        if len(members) == 1:
            return (members[0], members[0])
        start, stop = members[0], members[-1] + 1
        tails, heads = self.parents.tails, self.parents.indices
        inside = (tails >= start) & (tails < stop) & (heads >= start) & (heads < stop)
        return _shortest_loop(start, tails[inside], heads[inside], len(self))

    @property
    def given(self) -> npt.NDArray[np.bool_]:
        """Beside `parents.indices`: True for the edges of the file, False for those that were added to the root."""
        result = np.ones(len(self.parents), dtype=bool)
        if self.has_root:
            attached = np.zeros(len(self), dtype=bool)
            attached[self.attached] = True
            result[attached[self.parents.tails] & (self.parents.indices == 0)] = False
        return result

    @property
    def stated_edges(self) -> tuple[IntArray, IntArray]:
        """(children, parents) of the edges of the file: no self-edges, none that were added to the root."""
        stated = self.given
        return self.parents.tails[stated], self.parents.indices[stated]


def chosen_weights(weights: Mapping[str, float] | None) -> dict[str, float]:
    """The weight of each kind of edge: `weights`, else the defaults of Deloo & Hauff 2013."""
    result = dict(WEIGHTS)
    for kind, value in (weights or {}).items():
        if kind not in WEIGHTS:
            raise ParameterError(
                f"unknown kind of link: {kind!r}",
                advice=f"{did_you_mean(kind, WEIGHTS)} Use one of: {listed(WEIGHTS)}.".strip(),
                parameter="weights",
            )
        result[kind] = checked_weight(value, kind)
    return result


def checked_weight(value: float, of: str) -> float:
    """The weight as a number; ParameterError if it is not finite or less than 0."""
    try:
        weight = float(value)
    except (TypeError, ValueError):
        weight = np.nan
    if not (np.isfinite(weight) and weight >= 0):
        raise ParameterError(
            f"the weight of {of} must be a finite number >= 0, not {value!r}",
            parameter="weights",
        )
    return weight


def unknown_concept(name: str, suggestion: str) -> UnknownConceptError:
    """The error for a name that no concept has; `suggestion` is that of `did_you_mean`."""
    return UnknownConceptError(f"unknown concept {name!r}", advice=suggestion.strip() or None)


def unused_name(wanted: str, names: Iterable[str]) -> str:
    """`wanted`, in as many more parentheses as it takes to be no name of the file."""
    taken = {name for name in names if wanted in name}
    while wanted in taken:
        wanted = f"({wanted})"
    return wanted


def _sort_names(names: Sequence[str]) -> tuple[list[str], LongArray]:
    """The names in order, and the position of each there."""
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return [names[i] for i in order], rank


def _root_rule(
    root: str, names: list[str], child: LongArray, parent: LongArray, count: int, part: IntArray
) -> tuple[int | None, LongArray]:
    """The root (len(names): one is added) and the concepts that become its children.

    A top is a concept, or a whole cycle, with no parent outside itself. Every member of every top becomes a child of
    the root, except the top that the root is in (taxonomic C4).
    """
    outside = part[child] != part[parent]
    has_parent = np.zeros(count, dtype=bool)
    has_parent[part[child[outside]]] = True
    tops: LongArray = np.flatnonzero(~has_parent[part])
    nothing: LongArray = np.zeros(0, dtype=np.int64)
    if root == "none":
        return None, nothing
    if root == "auto" and len(tops) == 1:
        return int(tops[0]), nothing
    if root in ("auto", "new"):
        return len(names), tops
    try:
        concept = names.index(root)
    except ValueError:
        hint = did_you_mean(root, names) if len(names) < _SUGGEST_BELOW else ""
        raise UnknownConceptError(
            f"the root {root!r} is not a concept of the ontology",
            advice=f"{hint} Use the IRI of a concept, auto, new or none.".strip(),
            parameter="root",
        ) from None
    return concept, tops[part[tops] != part[concept]]


def _numbering(
    size: int, child: LongArray, parent: LongArray, count: int, part: IntArray, top: int | None
) -> tuple[LongArray, LongArray]:
    """The new order of the concepts, and where each part begins in it."""
    rank = np.arange(size)
    if top is not None:
        rank[top] = -1  # the root is first even inside a cycle
    tails, heads = part[child], part[parent]
    between = tails != heads
    level = levels(count, tails[between], heads[between])
    least = np.full(count, size, dtype=np.int64)
    np.minimum.at(least, part, rank)
    order = np.lexsort((rank, least[part], level[part]))
    return order, np.append(runs(part[order]), size)


def _both_ways(table: EdgeTable | None, rank: LongArray, new: LongArray) -> Adjacency:
    """Undirected edges, without self-edges, in the new numbering."""
    if table is None:
        table = EdgeTable.make()
    tails, heads = new[rank[table.tails]], new[rank[table.heads]]
    proper = tails != heads
    tails, heads, weights = tails[proper], heads[proper], table.weights[proper]
    return Adjacency.from_pairs(
        len(new),
        np.concatenate([tails, heads]),
        np.concatenate([heads, tails]),
        np.concatenate([weights, weights]),
    )


def _shortest_loop(start: int, tails: npt.NDArray[Any], heads: npt.NDArray[Any], size: int) -> tuple[int, ...]:
    """The first shortest path start -> ... -> start, smallest ids first."""
    remaining = distances(size, heads, tails, np.array([start]))  # edges from each node to start
    order = np.argsort(tails, kind="stable")
    tails, heads = tails[order], heads[order]
    path, here = [start], start
    while True:
        above = heads[slice(*np.searchsorted(tails, [here, here + 1]))]
        nearest = remaining[above].min()
        here = int(above[remaining[above] == nearest].min())
        path.append(here)
        if here == start:
            return tuple(path)


def _refuse_cycle(names: list[str], child: LongArray, parent: LongArray, part: IntArray) -> None:
    size = np.bincount(part)
    start = int(np.flatnonzero(size[part] > 1)[0])
    inside = (part[child] == part[start]) & (part[parent] == part[start])
    path = _shortest_loop(start, child[inside], parent[inside], len(names))
    members = [names[c] for c in path]
    shown = members if len(members) <= 9 else [*members[:4], "...", *members[-4:]]
    raise HierarchyError(
        f"{len(path) - 1} concepts form a cycle: {' < '.join(shown)}",
        advice="Set {on_cycle=keep} to accept it.",
        parameter="on_cycle",
        concepts=members[:-1],
    )
