"""`Space` of an ontology: keeps ancestors, path graphs, IC, `rank` (ties by IRI), computed in the other files here."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ontoeval.concepts.ancestor_paths import AncestorRows, DirectEdges, fewest_edges
from ontoeval.concepts.individual_paths import IndividualPaths
from ontoeval.concepts.information_content import Content, Kind, Smoothing, content, with_individuals
from ontoeval.concepts.path_lengths import PathGraph
from ontoeval.model.arrays import BoolArray, FloatArray, IntArray, LongArray, freeze
from ontoeval.model.cache import Cached
from ontoeval.model.ontology import Ontology


class Space(Cached):
    """The ancestors, lengths, contents and paths of the concepts of an ontology, by part.

    The last parts may be individuals; `classes` is the space without them, which gives classes all their values.
    """

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.hierarchy = ontology.hierarchy
        self.closure = ontology.hierarchy.closure
        self.classes = None if ontology.classes is None else Space.of(ontology.classes)

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
        return DirectEdges.of(self.closure, self.rows, None if self.classes is None else self.classes.direct)

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

    @cached_property
    def class_between(self) -> IntArray | None:
        """Beside `rows.tops`: the class of an individual on the same path; None where there are no individuals."""
        return None if self.classes is None else self.direct.class_between(self.rank)

    @property
    def greatest_depth(self) -> int:
        """Of a class: fewest edges from a part without parents."""
        return int(self._of_classes(self.closure.part_depth).max(initial=0))

    @property
    def greatest_level(self) -> int:
        """Of a class: most edges from a part without parents."""
        return int(self._of_classes(self.closure.level).max(initial=0))

    def _of_classes(self, values: IntArray) -> IntArray:
        return values[: len(values) - self.hierarchy.individuals]

    def individual(self, concepts: LongArray) -> BoolArray:
        """True for individuals."""
        return concepts >= len(self.hierarchy) - self.hierarchy.individuals

    def member(self, part: int) -> int:
        """The concept that stands for a part: that of the least IRI."""
        first, stop = self.closure.first[part], self.closure.first[part + 1]
        return int(min(range(first, stop), key=self.hierarchy.iris.__getitem__))

    def content(self, kind: Kind, smoothing: Smoothing, leaf_itself: bool) -> Content:
        """The information content of every part."""
        parameters = kind, smoothing, leaf_itself
        if self.classes is not None:
            of_classes = self.classes.content(*parameters)
            return self.cached(("content", *parameters), lambda: with_individuals(of_classes, kind, self.closure))
        return self.cached(("content", *parameters), lambda: content(self.ontology, *parameters))

    def paths(self, *, related: bool, through_root: bool) -> PathGraph | IndividualPaths:
        """The graph of path lengths."""
        any_root = through_root or not self.hierarchy.root_added
        if self.classes is None:
            return self._path_graph(related, any_root)
        graph = self.classes._path_graph(related, any_root)
        return IndividualPaths(graph, self.hierarchy.parents, self.hierarchy.individuals)

    def _path_graph(self, related: bool, through_root: bool) -> PathGraph:
        return self.cached(
            ("paths", related, through_root),
            lambda: PathGraph.build(self.hierarchy, related=related, through_root=through_root),
        )

    def by_part(self, values: FloatArray, concepts: LongArray) -> FloatArray:
        """The values of the parts that some concepts belong to."""
        return values[self.closure.part[concepts]]
