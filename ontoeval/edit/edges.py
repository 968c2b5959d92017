"""Parts of a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ontoeval.model.arrays import Adjacency, BoolArray, FloatArray, IntArray, LongArray
from ontoeval.model.digraph import components, distances, levels
from ontoeval.model.hierarchy import EdgeTable, Hierarchy
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import Lexicon
from ontoeval.model.ontology import Ontology


def at_or_below(size: int, edges: EdgeTable, concept: int) -> BoolArray:
    """True for `concept` and everything that reaches it upwards."""
    return distances(size, edges.heads, edges.tails, np.array([concept])) >= 0


def restricted(size: int, edges: EdgeTable, keep: BoolArray, weight: float) -> EdgeTable:
    """The edges between kept concepts; a way through dropped ones becomes one edge of the given weight."""
    low, high = keep[edges.tails], keep[edges.heads]
    above = _kept_above(size, edges, keep)
    tails, heads = [], []
    for child, parent in zip(edges.tails[low & ~high].tolist(), edges.heads[low & ~high].tolist(), strict=True):
        for ancestor in above[parent]:
            if ancestor != child:  # a detour back to the concept itself says nothing about it
                tails.append(child)
                heads.append(ancestor)
    both = low & high
    return EdgeTable(
        np.concatenate([edges.tails[both], np.array(tails, dtype=np.int64)]),
        np.concatenate([edges.heads[both], np.array(heads, dtype=np.int64)]),
        np.concatenate([edges.weights[both], np.full(len(tails), weight)]),
    )


def kept_part(ontology: Ontology, keep: BoolArray, *, root: str = "auto") -> Ontology:
    """The ontology without the other concepts; ways through them become edges.

    A kept root stays the root, an added one is added anew; `root` says what happens when the root is not kept.
    """
    old = ontology.hierarchy
    given = old.given
    keep = keep.copy()
    rooted = old.has_root and bool(keep[0])
    if old.root_added:
        keep[0] = False
    edges = EdgeTable(
        np.concatenate([old.parents.tails[given], old.self_edges]).astype(np.int64),
        np.concatenate([old.parents.indices[given], old.self_edges]).astype(np.int64),
        np.concatenate([old.parents.weights[given], np.full(len(old.self_edges), old.weight)]),
    )
    inner = restricted(len(old), edges, keep, old.weight)
    place = np.cumsum(keep) - 1
    names = [old.iris[concept] for concept in np.flatnonzero(keep).tolist()]
    hierarchy = Hierarchy.build(
        names,
        EdgeTable(place[inner.tails], place[inner.heads], inner.weights),
        related=_between_kept(old.related, keep, place),
        synonyms=_between_kept(old.synonyms, keep, place),
        root="none" if not old.has_root else root if not rooted else "new" if old.root_added else old.iris[0],
        root_weight=old.weight,
    )
    new = np.full(len(old), -1, dtype=np.int64)
    new[np.flatnonzero(keep)] = hierarchy.ids(names)
    return Ontology(
        hierarchy,
        _kept_labels(ontology.lexicon, new, len(hierarchy)),
        _kept_instances(ontology.instances, new, len(hierarchy)),
        ontology.source,
        {former: iri for former, iri in ontology.aliases.items() if iri in hierarchy},
        _kept_counts(ontology.counts, new, len(hierarchy)),
        senses=kept_senses(ontology.senses, new),
    )


def kept_senses(senses: Mapping[str, Sequence[int]], new: LongArray) -> dict[str, tuple[int, ...]]:
    """The senses of each word that has any left, in their new numbers (-1: not kept) and the old order."""
    number = new.tolist()
    kept = {word: tuple([number[c] for c in concepts if number[c] >= 0]) for word, concepts in senses.items()}
    return {word: concepts for word, concepts in kept.items() if concepts}


def _between_kept(edges: Adjacency, keep: BoolArray, place: LongArray) -> EdgeTable:
    both = keep[edges.tails] & keep[edges.indices]
    return EdgeTable(place[edges.tails[both]], place[edges.indices[both]], edges.weights[both])


def _kept_labels(lexicon: Lexicon, new: LongArray, size: int) -> Lexicon:
    rows = np.flatnonzero(new[lexicon.concepts] >= 0).tolist()
    return Lexicon.build(
        size,
        new[lexicon.concepts[rows]],
        [lexicon.texts[row] for row in rows],
        [lexicon.languages[row] for row in rows],
        lexicon.roles[rows].tolist(),
    )


def _kept_instances(instances: InstanceAssignment | None, new: LongArray, size: int) -> InstanceAssignment | None:
    if instances is None:
        return None
    strength = instances.strength.tocoo()
    placed = zip(strength.row.tolist(), new[strength.col].tolist(), strength.data.tolist(), strict=True)
    return InstanceAssignment.build(((instances.iris[i], c, s) for i, c, s in placed if c >= 0), size)


def _kept_counts(counts: FloatArray | None, new: LongArray, size: int) -> FloatArray | None:
    if counts is None:
        return None
    kept = np.zeros(size)
    kept[new[new >= 0]] = counts[new >= 0]
    return kept


def reduced(size: int, edges: EdgeTable) -> EdgeTable:
    """The edges without those that others imply (A < B < C and A < C); inside a cycle all stay."""
    names = [f"{number:09d}" for number in range(size)]  # sorted as they are numbered
    hierarchy = Hierarchy.build(names, edges, root="none")
    closure = hierarchy.closure
    old = np.array([int(name) for name in hierarchy.iris])
    part = np.empty(size, dtype=np.int64)
    part[old] = closure.part
    implied = closure.redundant
    dropped = closure.parents.tails[implied].astype(np.int64) * size + closure.parents.indices[implied]
    keep = ~np.isin(part[edges.tails] * size + part[edges.heads], dropped)
    return EdgeTable(edges.tails[keep], edges.heads[keep], edges.weights[keep])


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
