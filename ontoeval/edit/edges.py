"""Edges of some concepts: `at_or_below`, `restrict_edges` (paths over others become edges), `transitive_reduction`."""

from __future__ import annotations

import numpy as np

from ontoeval.model.arrays import BoolArray, IntArray, LongArray
from ontoeval.model.digraph import components, distances, levels
from ontoeval.model.hierarchy import EdgeTable, Hierarchy

_MOST_BRIDGED = 2_000_000


def at_or_below(size: int, edges: EdgeTable, concept: int) -> BoolArray:
    """True for `concept` and everything that reaches it upwards."""
    return distances(size, edges.heads, edges.tails, np.array([concept])) >= 0


def restrict_edges(size: int, edges: EdgeTable, keep: BoolArray, weight: float) -> EdgeTable:
    """The edges between kept concepts; a path through dropped ones becomes one edge of this weight."""
    keep_child, keep_parent = keep[edges.tails], keep[edges.heads]
    cut, both = keep_child & ~keep_parent, keep_child & keep_parent
    ancestors = _kept_above(size, edges, keep)
    tails, heads = [], []
    for child, parent in zip(edges.tails[cut].tolist(), edges.heads[cut].tolist(), strict=True):
        for ancestor in ancestors[parent]:
            if ancestor != child:  # a path back to the concept itself is not a self-edge of the file
                tails.append(child)
                heads.append(ancestor)
    return edges[both] + EdgeTable.make(tails, heads, default=weight)


def bridged_ends(size: int, children: IntArray, parents: IntArray, keep: BoolArray) -> tuple[IntArray, IntArray]:
    """Children and parents of the links between kept concepts, each once; a path through dropped ones is one link.

    Only dropped concepts on such paths are looked at. If the links are too many to be listed, only those without a
    dropped concept are given.
    """
    keep_child, keep_parent = keep[children], keep[parents]
    inner = ~keep_child & ~keep_parent
    on_path = np.ones(size, dtype=bool)
    from_below = children, parents, parents[keep_child & ~keep_parent]
    from_above = parents, children, children[~keep_child & keep_parent]
    for tails, heads, starts in (from_below, from_above):
        on_path &= keep | (distances(size, tails[inner], heads[inner], np.unique(starts)) >= 0)
    used = on_path[children] & on_path[parents]
    table = EdgeTable.make(children[used], parents[used], default=1.0)
    ancestors = _kept_above(size, table, keep) if (on_path & ~keep).any() else {}
    cut = keep[table.tails] & ~keep[table.heads]
    if ancestors and sum(len(ancestors[parent]) for parent in table.heads[cut].tolist()) <= _MOST_BRIDGED:
        bridged = restrict_edges(size, table, keep, 1.0)
    else:
        bridged = table[keep[table.tails] & keep[table.heads]]
    codes = np.unique(bridged.tails.astype(np.int64) * size + bridged.heads)
    return (codes // size).astype(np.int32), (codes % size).astype(np.int32)


def transitive_reduction(size: int, edges: EdgeTable) -> EdgeTable:
    """The edges without those that others imply (A < B < C and A < C); inside a cycle all stay."""
    if not len(edges.tails):
        return edges
    names = [f"{number:09d}" for number in range(size)]  # sorted as they are numbered
    hierarchy = Hierarchy.build(names, edges, root="none")
    closure = hierarchy.closure
    old = np.array([int(name) for name in hierarchy.iris])
    part = np.empty(size, dtype=np.int64)
    part[old] = closure.part
    implied = closure.redundant
    implied_keys = closure.parents.tails[implied].astype(np.int64) * size + closure.parents.indices[implied]
    keep = ~np.isin(part[edges.tails] * size + part[edges.heads], implied_keys)
    return edges[keep]


def _kept_above(size: int, edges: EdgeTable, keep: BoolArray) -> dict[int, frozenset[int]]:
    """For every dropped concept the kept concepts that it reaches through dropped ones only."""
    dropped = ~keep[edges.tails]
    tails, heads = edges.tails[dropped], edges.heads[dropped]
    inner = ~keep[heads]
    count, part = components(size, tails[inner], heads[inner])
    between = inner & (part[tails] != part[heads])
    level = levels(count, part[tails[between]], part[heads[between]])
    reached: dict[int, frozenset[int]] = {}
    for low, high in _by_part(part, level, tails, heads, np.flatnonzero(~keep)):
        direct = {h for h in high if keep[h]}
        inherited = {reached.get(part[h], frozenset()) for h in high if not keep[h] and part[h] != low}
        # a chain of dropped concepts shares one set instead of copying it
        reached[low] = (
            next(iter(inherited)) if len(inherited) == 1 and not direct else frozenset(direct).union(*inherited)
        )
    return {concept: reached[part[concept]] for concept in np.flatnonzero(~keep).tolist()}


def _by_part(
    part: IntArray, level: IntArray, tails: LongArray, heads: LongArray, dropped: LongArray
) -> list[tuple[int, list[int]]]:
    """(part, all parents of its members) from the top downwards."""
    parents: dict[int, list[int]] = {p: [] for p in part[dropped].tolist()}
    for low, head in zip(part[tails].tolist(), heads.tolist(), strict=True):
        parents[low].append(head)
    return sorted(parents.items(), key=lambda item: int(level[item[0]]))
