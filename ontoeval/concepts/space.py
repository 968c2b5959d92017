"""`Space` of an ontology: keeps ancestors, path graphs, IC, `rank` (ties by IRI), computed in the other files here."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ontoeval.concepts.ancestor_paths import AncestorRows, DirectEdges, fewest_edges
from ontoeval.concepts.information_content import Content, Kind, Smoothing, content
from ontoeval.concepts.path_lengths import PathGraph
from ontoeval.model.arrays import FloatArray, IntArray, LongArray, freeze
from ontoeval.model.cache import Cached
from ontoeval.model.ontology import Ontology


class Space(Cached):
    """The ancestors, lengths, contents and paths of the concepts of an ontology, by part."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.hierarchy = ontology.hierarchy
        self.closure = ontology.hierarchy.closure

    @classmethod
    def of(cls, ontology: Ontology) -> Space:
        """The space of an ontology, made once."""
        return ontology.cached("space", lambda: cls(ontology))

    @cached_property
    def rows(self) -> AncestorRows:
        """Every part with its ancestors."""
        return AncestorRows.of(self.closure)

    @cached_property
    def up(self) -> IntArray:
        """Beside `rows.tops`: the fewest edges upwards."""
        return fewest_edges(self.rows, self.closure.parents, self.closure.level)

    @cached_property
    def up_without_added_root(self) -> FloatArray:
        """The same, infinite to a root that was added."""
        up = self.up.astype(np.float64)
        if self.hierarchy.root_added:
            up[self.rows.tops == 0] = np.inf
        return freeze(up)

    @cached_property
    def direct(self) -> DirectEdges:
        """The hierarchy without edges that others imply."""
        return DirectEdges.of(self.closure, self.rows)

    @cached_property
    def rank(self) -> LongArray:
        """The rank of each part's least IRI among all, for ties. An added root has no IRI and comes last."""
        rank = self.hierarchy.iri_rank.copy()
        if self.hierarchy.root_added:
            rank[0] = len(rank)
        return freeze(np.minimum.reduceat(rank, self.closure.first[:-1]))

    @cached_property
    def branching_between(self) -> LongArray:
        """Beside `rows.tops`: the children of the concepts on the shortest path, the first by IRI of several."""
        return self.direct.branching_between(self.rank)

    def member(self, part: int) -> int:
        """The concept that stands for a part: that of the least IRI."""
        first, stop = self.closure.first[part], self.closure.first[part + 1]
        return int(min(range(first, stop), key=self.hierarchy.iris.__getitem__))

    def content(self, kind: Kind, smoothing: Smoothing, leaf_itself: bool) -> Content:
        """The information content of every part."""
        parameters = kind, smoothing, leaf_itself
        return self.cached(("content", *parameters), lambda: content(self.ontology, *parameters))

    def paths(self, *, related: bool, through_root: bool) -> PathGraph:
        """The graph of path lengths."""
        any_root = through_root or not self.hierarchy.root_added
        return self.cached(
            ("paths", related, any_root),
            lambda: PathGraph.build(self.hierarchy, related=related, through_root=any_root),
        )

    def by_part(self, values: FloatArray, concepts: LongArray) -> FloatArray:
        """The values of the parts that some concepts belong to."""
        return values[self.closure.part[concepts]]
