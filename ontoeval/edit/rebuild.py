"""`keep_concepts`, `Draft`: an ontology rebuilt after a change, its root (edges: edges.py); `AssignmentTable`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.sparse import csr_array

from ontoeval.edit.edges import restrict_edges
from ontoeval.model.arrays import Adjacency, BoolArray, FloatArray, LongArray, freeze, runs
from ontoeval.model.hierarchy import ROOT_NAME, EdgeTable, Hierarchy
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import NAME, Lexicon, is_iri, name_as_label
from ontoeval.model.ontology import Ontology

_ROOT_MODES = ("auto", "new", "none")


def keep_concepts(ontology: Ontology, keep: BoolArray, *, root: str = "auto") -> Ontology:
    """The ontology without the other concepts; paths through them become edges.

    Instances and labels of the others are left out. A kept root stays the root, an added one is added anew; `root` says
    what happens when the root is not kept.
    """
    hierarchy, draft = ontology.hierarchy, Draft.of(ontology)
    edges = restrict_edges(len(hierarchy), draft.edges[hierarchy.given], keep, hierarchy.weight)
    return replace(draft, edges=edges, keep=keep).build(root=root, root_name=ROOT_NAME)


@dataclass(frozen=True, eq=False)
class AssignmentTable:
    """Which instance (a row of an assignment) sits on which concept, how strongly. Pairs may repeat."""

    rows: LongArray
    concepts: LongArray
    strengths: FloatArray

    @classmethod
    def of(cls, instances: InstanceAssignment | None) -> AssignmentTable:
        """The entries of an assignment."""
        if instances is None:
            return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
        strength = instances.strength
        rows = np.repeat(np.arange(len(instances), dtype=np.int64), np.diff(strength.indptr))
        return cls(rows, strength.indices.astype(np.int64), strength.data.copy())

    def __getitem__(self, entries: BoolArray) -> AssignmentTable:
        return AssignmentTable(self.rows[entries], self.concepts[entries], self.strengths[entries])

    def assignment(self, iris: tuple[str, ...], size: int) -> InstanceAssignment | None:
        """Of several strengths of an instance on one concept the greatest counts; without an entry it is left out."""
        order = np.lexsort((-self.strengths, self.concepts, self.rows))
        strongest = order[runs(self.rows[order], self.concepts[order])]
        count = np.bincount(self.rows[strongest], minlength=len(iris))
        if not count.all():
            iris, count = tuple(iris[row] for row in np.flatnonzero(count).tolist()), count[count > 0]
        if not iris:
            return None
        columns = (self.strengths[strongest], self.concepts[strongest], np.concatenate([[0], np.cumsum(count)]))
        return InstanceAssignment(iris, csr_array(columns, shape=(len(iris), size)))


@dataclass(frozen=True, eq=False)
class Draft:
    """An ontology while it is changed: its concepts by their ids, new ones after them, and what is between them.

    `edges` are all edges to a parent, those that were added to reach the root included, so that every concept has its
    parents. `new_names` are the names of new concepts: the id of the first is len(ontology.hierarchy). `names` are
    other names of concepts that are not new, never of the root; their former names are forgotten, their labels are not.
    """

    ontology: Ontology
    edges: EdgeTable
    assignments: AssignmentTable
    keep: BoolArray
    new_names: tuple[str, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, ontology: Ontology) -> Draft:
        """An ontology before anything is changed."""
        parents = ontology.hierarchy.parents
        edges = EdgeTable(parents.tails.astype(np.int64), parents.indices.astype(np.int64), parents.weights.copy())
        keep = np.ones(len(ontology.hierarchy), dtype=bool)
        return cls(ontology, edges, AssignmentTable.of(ontology.instances), keep)

    def build(self, *, root: str = "auto", root_name: str | None = None) -> Ontology:
        """The changed ontology. A kept root stays the root, an added one is added anew; else `root` says what is."""
        old, kept = self.ontology.hierarchy, self._kept_names()
        position = np.cumsum(kept) - 1
        every_name = [*old.iris, *self.new_names]
        for concept, name in self.names.items():
            every_name[concept] = name
        names = [every_name[concept] for concept in np.flatnonzero(kept).tolist()]
        edges = self._stated_edges()
        hierarchy = Hierarchy.build(
            names,
            EdgeTable(position[edges.tails], position[edges.heads], edges.weights),
            related=_edges_between(old.related, kept, position),
            synonyms=_edges_between(old.synonyms, kept, position),
            root=self._root(root),
            root_name=root_name or old.iris[0],
            root_weight=old.weight,
        )
        new = np.full(len(every_name), -1, dtype=np.int64)
        new[np.flatnonzero(kept)] = hierarchy.ids(names)
        if old.root_added and self.keep[0]:
            new[0] = 0
        return self._with_contents(hierarchy, new)

    def _kept_names(self) -> BoolArray:
        """The concepts that stay or are new, an added root left out."""
        kept = np.concatenate([self.keep, np.ones(len(self.new_names), dtype=bool)])
        if self.ontology.hierarchy.root_added:
            kept[0] = False
        return kept

    def _stated_edges(self) -> EdgeTable:
        """The edges without those to the root that are not the file's, and with the self-edges of kept concepts."""
        old, edges = self.ontology.hierarchy, self.edges
        added = np.zeros(len(edges.tails), dtype=bool)
        if old.root_added:
            added = edges.heads == 0
        elif len(old.attached):
            added = np.isin(edges.tails, old.attached) & (edges.heads == 0)
        loops = old.self_edges[self.keep[old.self_edges]]
        return edges[~added] + EdgeTable.make(loops, loops, default=old.weight)

    def _root(self, otherwise: str) -> str:
        old = self.ontology.hierarchy
        if not old.has_root:
            return "none"
        if not self.keep[0]:
            return otherwise
        if old.root_added:
            return "new"
        return old.iris[0] if old.iris[0] not in _ROOT_MODES else "auto"  # a concept of that name is the single top

    def _with_contents(self, hierarchy: Hierarchy, new: LongArray) -> Ontology:
        """The hierarchy with all that is about its concepts; `new` has the new id of each concept or -1."""
        old, size = self.ontology, len(hierarchy)
        counts = None
        if old.counts is not None:
            counts = np.zeros(size)
            stayed = np.flatnonzero(new[: len(old.counts)] >= 0)
            counts[new[stayed]] = old.counts[stayed]
            freeze(counts)
        instances = None
        if old.instances is not None:
            table = replace(self.assignments, concepts=new[self.assignments.concepts])
            instances = table[table.concepts >= 0].assignment(old.instances.iris, size)
        return Ontology(
            hierarchy,
            self._labels(hierarchy, new),
            instances,
            old.source,
            {former: iri for former, iri in old.aliases.items() if iri in hierarchy},
            counts,
            senses=renumbered_senses(old.senses, new),
            weights=old.weights,
            individual_names=old.individual_names,
            relations=None if old.relations is None else old.relations.renumbered(new, hierarchy),
        )

    def _labels(self, hierarchy: Hierarchy, new: LongArray) -> Lexicon:
        """Those of the kept concepts; the name of a new one stands in for a label."""
        lexicon = self.ontology.lexicon
        rows = np.flatnonzero(new[lexicon.concepts] >= 0)
        first_new = len(self.ontology.hierarchy)
        return Lexicon.build(
            len(hierarchy),
            np.concatenate([new[lexicon.concepts[rows]], new[first_new:]]),
            [*(lexicon.texts[row] for row in rows.tolist()), *map(name_as_label, self.new_names)],
            [*(lexicon.languages[row] for row in rows.tolist()), *[""] * len(self.new_names)],
            [*lexicon.roles[rows].tolist(), *[NAME] * len(self.new_names)],
        )


def renumbered_senses(senses: Mapping[str, Sequence[int]], new: LongArray) -> dict[str, tuple[int, ...]]:
    """The senses of each word that has any left, in their new numbers (-1: not kept) and the old order."""
    number = new.tolist()
    kept = {word: tuple([number[c] for c in concepts if number[c] >= 0]) for word, concepts in senses.items()}
    return {word: concepts for word, concepts in kept.items() if concepts}


def namespace(name: str) -> str:
    """What stands before the local name of an IRI; nothing before a plain name."""
    if not is_iri(name):
        return ""
    trimmed = name.rstrip("/#")
    return trimmed[: max(trimmed.rfind("#"), trimmed.rfind("/")) + 1] or trimmed[: trimmed.rfind(":") + 1]


def unused_names(wanted: Iterable[str], ontology: Ontology) -> tuple[str, ...]:
    """Each wanted name, with a number behind it where it is taken."""
    taken = {*ontology.hierarchy.iris, *ontology.aliases}
    names: list[str] = []
    for name in wanted:
        free, number = name, 1
        while free in taken:
            number += 1
            free = f"{name}-{number}"
        taken.add(free)
        names.append(free)
    return tuple(names)


def _edges_between(edges: Adjacency, kept: BoolArray, position: LongArray) -> EdgeTable:
    """The edges between kept concepts, by their positions among these."""
    both = kept[edges.tails] & kept[edges.indices]
    return EdgeTable(position[edges.tails[both]], position[edges.indices[both]], edges.weights[both])
