"""An ontology taken apart into plain arrays, to be changed and put together again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from ontoeval.edit.edges import kept_senses
from ontoeval.model.arrays import Adjacency, BoolArray, FloatArray, LongArray, freeze
from ontoeval.model.hierarchy import EdgeTable, Hierarchy
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import NAME, Lexicon, name_as_label
from ontoeval.model.ontology import Ontology

_MODES = ("auto", "new", "none")


@dataclass(frozen=True, eq=False)
class Places:
    """Which instance (a row) sits on which concept, how strongly. Rows may repeat."""

    rows: LongArray
    concepts: LongArray
    strengths: FloatArray

    @classmethod
    def of(cls, instances: InstanceAssignment | None) -> Places:
        if instances is None:
            return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
        given = instances.strength
        rows = np.repeat(np.arange(len(instances), dtype=np.int64), np.diff(given.indptr))
        return cls(rows, given.indices.astype(np.int64), given.data.copy())

    def assignment(self, iris: tuple[str, ...], size: int) -> InstanceAssignment:
        """Of several strengths of an instance on one concept the greatest counts."""
        order = np.lexsort((-self.strengths, self.concepts, self.rows))
        rows, concepts = self.rows[order], self.concepts[order]
        first = np.ones(len(order), dtype=bool)
        first[1:] = (rows[1:] != rows[:-1]) | (concepts[1:] != concepts[:-1])
        starts = np.zeros(len(iris) + 1, dtype=np.int64)
        np.cumsum(np.bincount(rows[first], minlength=len(iris)), out=starts[1:])
        columns = (self.strengths[order][first], concepts[first], starts)
        return InstanceAssignment(iris, csr_array(columns, shape=(len(iris), size)))


@dataclass(frozen=True, eq=False)
class Parts:
    """The concepts of an ontology by their ids, new ones after them, and what is between them.

    `edges` are all edges to a parent, those that were hung under the root included, so that every concept has its
    parents. `fresh` are the names of new concepts: the first is len(ontology.hierarchy).
    """

    ontology: Ontology
    edges: EdgeTable
    places: Places
    keep: BoolArray
    fresh: tuple[str, ...] = ()

    @classmethod
    def of(cls, ontology: Ontology) -> Parts:
        above = ontology.hierarchy.parents
        edges = EdgeTable(above.tails.astype(np.int64), above.indices.astype(np.int64), above.weights.copy())
        return cls(ontology, edges, Places.of(ontology.instances), np.ones(len(ontology.hierarchy), dtype=bool))

    def together(self) -> Ontology:
        """The ontology of these parts. The root stays the root, an added one is added anew."""
        old, kept = self.ontology.hierarchy, self._named()
        place = np.cumsum(kept) - 1
        every = (*old.iris, *self.fresh)
        names = [every[concept] for concept in np.flatnonzero(kept).tolist()]
        edges = self._given()
        hierarchy = Hierarchy.build(
            names,
            EdgeTable(place[edges.tails], place[edges.heads], edges.weights),
            related=_between(old.related, kept, place),
            synonyms=_between(old.synonyms, kept, place),
            root=self._root(),
            root_name=old.iris[0],
            root_weight=old.weight,
        )
        new = np.full(len(every), -1, dtype=np.int64)
        new[np.flatnonzero(kept)] = hierarchy.ids(names)
        if old.root_added:
            new[0] = 0
        return self._filled(hierarchy, new)

    def _named(self) -> BoolArray:
        """The concepts that stay or are new, an added root left out."""
        kept = np.concatenate([self.keep, np.ones(len(self.fresh), dtype=bool)])
        if self.ontology.hierarchy.root_added:
            kept[0] = False
        return kept

    def _given(self) -> EdgeTable:
        """The edges without those to the root that are not the file's, and with the self-edges of kept concepts."""
        old, edges = self.ontology.hierarchy, self.edges
        ours = np.zeros(len(edges.tails), dtype=bool)
        if old.root_added:
            ours = edges.heads == 0
        elif len(old.attached):
            ours = np.isin(edges.tails, old.attached) & (edges.heads == 0)
        loops = old.self_edges[self.keep[old.self_edges]].astype(np.int64)
        return EdgeTable(
            np.concatenate([edges.tails[~ours], loops]),
            np.concatenate([edges.heads[~ours], loops]),
            np.concatenate([edges.weights[~ours], np.full(len(loops), old.weight)]),
        )

    def _root(self) -> str:
        old = self.ontology.hierarchy
        if not old.has_root:
            return "none"
        if old.root_added:
            return "new"
        return old.iris[0] if old.iris[0] not in _MODES else "auto"  # a concept of that name is the single top

    def _filled(self, hierarchy: Hierarchy, new: LongArray) -> Ontology:
        old, size = self.ontology, len(hierarchy)
        counts = None
        if old.counts is not None:
            counts = np.zeros(size)
            stayed = np.flatnonzero(new[: len(old.counts)] >= 0)
            counts[new[stayed]] = old.counts[stayed]
            freeze(counts)
        instances = None
        if old.instances is not None:
            places = replace(self.places, concepts=new[self.places.concepts])
            instances = places.assignment(old.instances.iris, size)
        return Ontology(
            hierarchy,
            self._labels(hierarchy, new),
            instances,
            old.source,
            {former: iri for former, iri in old.aliases.items() if iri in hierarchy},
            counts,
            senses=kept_senses(old.senses, new),
        )

    def _labels(self, hierarchy: Hierarchy, new: LongArray) -> Lexicon:
        """Those of the kept concepts; the name of a new one stands in for a label."""
        lexicon = self.ontology.lexicon
        rows = np.flatnonzero(new[lexicon.concepts] >= 0)
        first = len(self.ontology.hierarchy)
        return Lexicon.build(
            len(hierarchy),
            np.concatenate([new[lexicon.concepts[rows]], new[first:]]),
            [*(lexicon.texts[row] for row in rows.tolist()), *map(name_as_label, self.fresh)],
            [*(lexicon.languages[row] for row in rows.tolist()), *[""] * len(self.fresh)],
            [*lexicon.roles[rows].tolist(), *[NAME] * len(self.fresh)],
        )


def fresh_names(wanted: Iterable[str], ontology: Ontology) -> tuple[str, ...]:
    """Each wanted name, with a number behind it where it is taken."""
    taken = {*ontology.hierarchy.iris, *ontology.aliases}
    found: list[str] = []
    for name in wanted:
        given, number = name, 1
        while given in taken:
            number += 1
            given = f"{name}-{number}"
        taken.add(given)
        found.append(given)
    return tuple(found)


def _between(edges: Adjacency, kept: BoolArray, place: LongArray) -> EdgeTable:
    both = kept[edges.tails] & kept[edges.indices]
    return EdgeTable(place[edges.tails[both]], place[edges.indices[both]], edges.weights[both])
