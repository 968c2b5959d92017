"""What all measures between the concepts of one ontology share, computed when first asked for."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ontoeval.concepts.ancestor_paths import Direct, Upwards, fewest_edges
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
        """That of an ontology, made once."""
        return ontology.cached("space", lambda: cls(ontology))

    @cached_property
    def rows(self) -> Upwards:
        """Every part with its ancestors."""
        return Upwards.of(self.closure)

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
    def direct(self) -> Direct:
        """The hierarchy without edges that others imply."""
        return Direct.of(self.closure, self.rows)

    @cached_property
    def rank(self) -> LongArray:
        """The place of each part's least IRI among all, for ties. An added root has no IRI and comes last."""
        iris = self.hierarchy.iris
        place = np.empty(len(iris), dtype=np.int64)
        place[sorted(range(len(iris)), key=iris.__getitem__)] = np.arange(len(iris))
        if self.hierarchy.root_added:
            place[0] = len(iris)
        return freeze(np.minimum.reduceat(place, self.closure.first[:-1]))

    @cached_property
    def passed(self) -> LongArray:
        """Beside `rows.tops`: the children of the concepts on the shortest way, the first by IRI of several."""
        return self.direct.passed(self.rank)

    def member(self, part: int) -> int:
        """The concept that stands for a part: that of the least IRI."""
        first, stop = self.closure.first[part], self.closure.first[part + 1]
        return int(min(range(first, stop), key=self.hierarchy.iris.__getitem__))

    def content(self, kind: Kind, smoothing: Smoothing, leaf_itself: bool) -> Content:
        """The information content of every part."""
        choice = kind, smoothing, leaf_itself
        return self.cached(("content", *choice), lambda: content(self.ontology, *choice))

    def paths(self, *, related: bool, through_root: bool) -> PathGraph:
        """The graph of path lengths."""
        choice = related, through_root or not self.hierarchy.root_added
        return self.cached(
            ("paths", *choice), lambda: PathGraph.build(self.hierarchy, related=choice[0], through_root=choice[1])
        )

    def by_part(self, values: FloatArray, concepts: LongArray) -> FloatArray:
        """The values of the parts that some concepts belong to."""
        return values[self.closure.part[concepts]]
