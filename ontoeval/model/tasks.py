"""What a measure is computed on. Tasks hold inputs and the arrays that several measures share, never scores."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.model.arrays import BoolArray, FloatArray, IntArray, LongArray, search
from ontoeval.model.closeness import Delta, difference, expected_difference
from ontoeval.model.closure import Closure
from ontoeval.model.companions import Companions, count_companions
from ontoeval.model.extracts import (
    Cells,
    Estimate,
    Extract,
    Overlap,
    Shared,
    best_children,
    best_relatives,
    child_rows,
    direct_children,
    related_counts,
)
from ontoeval.model.hierarchy import EdgeTable, Hierarchy
from ontoeval.model.lexicon import local_name
from ontoeval.model.matching import Matching, match
from ontoeval.model.ontology import Ontology
from ontoeval.model.shared import SharedInstances
from ontoeval.model.triples import Triples, count_triples
from ontoeval.model.variants import kept_part


@dataclass(frozen=True, eq=False)
class Above:
    """Superconcepts per concept: on both sides (by learned id), on the learned side, on the gold side."""

    both: FloatArray
    learned: FloatArray
    gold: FloatArray
    partner: IntArray  # learned id -> gold id

    def turned(self, partner: IntArray) -> Above:
        """The same, seen from the gold side."""
        both = np.zeros(len(self.gold))
        there = self.partner >= 0
        both[self.partner[there]] = self.both[there]
        return Above(both, self.gold, self.learned, partner)


@dataclass(frozen=True, eq=False)
class Comparison:
    """A learned ontology O_C, a gold standard O_R, and which concepts are the same: K = C ∩ R."""

    learned: Ontology
    gold: Ontology
    matching: Matching = None  # type: ignore[assignment]  # by default match(learned, gold)
    left_out: int = 0  # learned concepts that were not judged, because the gold standard has none like them
    _turned: bool = field(default=False, repr=False, kw_only=True)  # made by `swapped`: the arrays are there already
    _overlaps: dict[str, Overlap] = field(default_factory=dict, init=False, repr=False)
    _estimates: dict[str, Estimate] = field(default_factory=dict, init=False, repr=False)
    _apart: dict[str, float] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.matching is None:
            object.__setattr__(self, "matching", match(self.learned, self.gold))
        sizes = len(self.learned.hierarchy), len(self.gold.hierarchy)
        if (len(self.matching.to_gold), len(self.matching.to_learned)) != sizes:
            raise ParameterError("the matching is not between these two ontologies. Make it with match(learned, gold).")

    def __repr__(self) -> str:
        return f"<Comparison of {self.learned.source.path} with {self.gold.source.path}: {len(self.matching):,} common>"

    @cached_property
    def swapped(self) -> Comparison:
        """The two sides exchanged: recall is precision here."""
        other = Comparison(self.gold, self.learned, self.matching.swapped, _turned=True)
        other.__dict__["swapped"] = self
        return other

    @property
    def inputs(self) -> Mapping[str, Ontology]:
        """What was judged, and against what."""
        return {"learned": self.learned, "gold": self.gold}

    @property
    def called(self) -> Mapping[str, tuple[Any, ...]]:
        """The IRIs and labels of what local scores are about."""
        concepts = {role: (ontology.hierarchy.iris, ontology.label) for role, ontology in self.inputs.items()}
        if self.learned.instances is None or self.gold.instances is None:
            return concepts
        return {**concepts, "instance": (self.shared.names, lambda instance: local_name(self.shared.names[instance]))}

    @property
    def settings(self) -> Mapping[str, Any]:
        """How the task was set up."""
        summary = self.matching.summary()
        return {"matching": {**summary, "left_out": self.left_out} if self.left_out else summary}

    @property
    def fingerprint(self) -> str:
        """A hash of what the settings do not tell: which concepts are the same."""
        return hashlib.sha256(self.matching.to_gold.tobytes()).hexdigest()

    @cached_property
    def common(self) -> tuple[IntArray, IntArray]:
        """K as learned ids and, beside them, gold ids."""
        learned = np.flatnonzero(self.matching.to_gold >= 0).astype(np.int32)
        return learned, self.matching.to_gold[learned]

    @cached_property
    def novel(self) -> LongArray:
        """Learned concepts without a partner: C without K."""
        return np.flatnonzero(self.matching.to_gold < 0)

    @property
    def roots_added(self) -> bool:
        """Both roots are ours, and therefore the same."""
        return self.learned.hierarchy.root_added and self.gold.hierarchy.root_added

    @cached_property
    def _shared(self) -> Shared:
        return self._cells.shared()

    @cached_property
    def shared_above(self) -> FloatArray:
        """For each common concept the common concepts above it on both sides."""
        if self._turned:
            return self.swapped.shared_above[self._order]
        return self._shared.above

    @cached_property
    def _order(self) -> LongArray:
        """How the common concepts of the other direction come here."""
        return np.argsort(self.swapped.common[1], kind="stable")

    def overlap(self, extract: Extract) -> Overlap:
        """Sizes and intersections of the extracts of the common concepts."""
        if extract not in self._overlaps:
            self._overlaps[extract] = (
                self.swapped.overlap(extract).turned(self._order) if self._turned else self._overlap(extract)
            )
        return self._overlaps[extract]

    def _overlap(self, extract: Extract) -> Overlap:
        learned, gold = self.common
        if extract in ("ds", "cds"):
            return self._direct_overlap(extract)
        upward = extract in ("uc", "cuc")
        both = self._shared.above if upward else self._shared.comparable
        own = 0.0 if extract in ("cuc", "csc") else 1.0
        sizes = [
            self.extract_sizes(extract)[learned],
            self.swapped.extract_sizes(extract)[gold],
        ]
        return Overlap(both + own, *sizes)

    def extract_sizes(self, extract: Extract) -> FloatArray:
        """|ce(c, O_C)| of every learned concept."""
        hierarchy = self.learned.hierarchy
        everything = np.arange(len(hierarchy), dtype=np.int32)
        if extract in ("ds", "cds"):
            number = self._number if extract == "cds" else everything
            return direct_children(hierarchy, number)[0]
        members = self.common[0] if extract in ("csc", "cuc") else everything
        above, comparable = related_counts(hierarchy.closure, members)
        own = 0.0 if extract in ("csc", "cuc") else 1.0
        return (above if extract in ("uc", "cuc") else comparable) + own

    @cached_property
    def _number(self) -> IntArray:
        """The place of each learned concept among the common ones, or -1."""
        number = np.full(len(self.learned.hierarchy), -1, dtype=np.int32)
        number[self.common[0]] = np.arange(len(self.common[0]), dtype=np.int32)
        return number

    @cached_property
    def _gold_number(self) -> IntArray:
        """The same numbers for the gold concepts."""
        number = np.full(len(self.gold.hierarchy), -1, dtype=np.int32)
        number[self.common[1]] = np.arange(len(self.common[1]), dtype=np.int32)
        return number

    def _direct_overlap(self, extract: Extract) -> Overlap:
        learned, gold = self.common
        _, mine = direct_children(self.learned.hierarchy, self._number)
        _, theirs = direct_children(self.gold.hierarchy, self._gold_number)
        shared = np.intersect1d(mine, theirs, assume_unique=True)
        both = np.bincount(shared // max(len(learned), 1), minlength=len(learned)).astype(np.float64)
        sizes = self.extract_sizes(extract)[learned], self.swapped.extract_sizes(extract)[gold]
        return Overlap(both, *sizes)

    def estimate(self, extract: Extract) -> Estimate:
        """The optimistic estimation for the novel concepts, over all gold concepts."""
        if extract not in self._estimates:
            self._estimates[extract] = self._estimate(extract)
        return self._estimates[extract]

    def _estimate(self, extract: Extract) -> Estimate:
        if not len(self.novel):
            return Estimate(np.zeros(0), np.zeros(0))
        sizes, others = self.extract_sizes(extract)[self.novel], self.swapped.extract_sizes(extract)
        if extract in ("ds", "cds"):
            width, everything = len(self.common[0]), np.arange(len(others))
            return best_children(
                child_rows(self.learned.hierarchy, self.novel, self._number, width),
                sizes,
                child_rows(self.gold.hierarchy, everything, self._gold_number, width),
                others,
            )
        if extract in ("csc", "cuc"):  # the concept itself included
            others = others + (self._gold_number >= 0)
        member = self.gold.hierarchy.closure.first[:-1]
        return best_relatives(self._cells, extract, self.novel, sizes, others[member])

    @cached_property
    def _cells(self) -> Cells:
        return Cells(self.learned.hierarchy.closure, self.gold.hierarchy.closure, *self.common)

    @cached_property
    def shared(self) -> SharedInstances:
        """The instances that both sides have."""
        return self.swapped.shared.swapped if self._turned else SharedInstances.of(self.learned, self.gold)

    @cached_property
    def triples(self) -> Triples:
        """T(H) of both sides."""
        return self.swapped.triples.turned if self._turned else count_triples(self.shared)

    @cached_property
    def companions(self) -> Companions:
        """The instance cotopies isc of both sides."""
        return self.swapped.companions.turned if self._turned else count_companions(self.shared)

    def apart(self, delta: Delta) -> float:
        """The sum of |δ_l - δ_g| over the pairs of shared instances."""
        if self._turned:
            return self.swapped.apart(delta)
        if delta not in self._apart:
            self._apart[delta] = difference(self.shared, delta)
        return self._apart[delta]

    def apart_by_chance(self, delta: Delta) -> float:
        """What |δ_l - δ_g| is on average if the instances of one side are permuted."""
        if self._turned:
            return self.swapped.apart_by_chance(delta)
        key = f"{delta} by chance"
        if key not in self._apart:
            self._apart[key] = expected_difference(self.shared, delta)
        return self._apart[key]

    @cached_property
    def edges(self) -> tuple[IntArray, IntArray, BoolArray]:
        """The given edges of the learned side (children, parents), and which of them the gold side has, too."""
        tails, heads = given_edges(self.learned)
        if self._turned:
            return tails, heads, self.swapped._shared_edges[1]
        return tails, heads, self._shared_edges[0]

    @cached_property
    def _shared_edges(self) -> tuple[BoolArray, BoolArray]:
        """Which of the learned and which of the gold edges both sides have."""
        size = len(self.gold.hierarchy)
        ours, theirs = given_edges(self.learned), given_edges(self.gold)
        child, parent = self.matching.to_gold[ours[0]].astype(np.int64), self.matching.to_gold[ours[1]]
        both = np.flatnonzero((child >= 0) & (parent >= 0))
        there = theirs[0].astype(np.int64) * size + theirs[1]  # edges are sorted by child, then parent
        place, found = search(there, child[both] * size + parent[both])
        learned, gold = np.zeros(len(child), dtype=bool), np.zeros(len(there), dtype=bool)
        learned[both[found]] = True
        gold[place[found]] = True
        return learned, gold

    @cached_property
    def given_above(self) -> Above:
        """Per concept its superconcepts by the given edges alone, and how many of them the other side has, too."""
        if self._turned:
            return self.swapped.given_above.turned(self.matching.to_gold)
        both = np.zeros(len(self.learned.hierarchy))
        ours, theirs = self.learned.hierarchy, self.gold.hierarchy
        if not (_hung(ours) or _hung(theirs)):
            # everything is below an added root, and nothing else follows from the edges to it
            both[self.common[0]] = self.shared_above
            if self.roots_added:
                both[self.common[0]] -= 1
                both[0] = 0
            return Above(both, _above_as_given(ours), _above_as_given(theirs), self.matching.to_gold)
        (closure, ids), (other, other_ids) = _as_given(ours), _as_given(theirs)
        learned, gold = self.common
        both[learned] = Cells(closure, other, ids[learned], other_ids[gold]).shared().above
        sizes = closure.ancestor_count[ids].astype(np.float64), other.ancestor_count[other_ids].astype(np.float64)
        return Above(both, *sizes, self.matching.to_gold)

    def covered(self) -> Comparison:
        """Only the learned concepts that the gold standard has; ways through the others become edges."""
        keep = self.matching.to_gold >= 0
        concepts = np.flatnonzero(keep)
        own_root = 1 if self.learned.hierarchy.root_added else 0
        if keep.all() or not np.any(concepts >= own_root):
            return self
        # without its own root it gets one only if that can be the gold standard's
        learned = kept_part(self.learned, keep, root="auto" if self.gold.hierarchy.root_added else "none")
        before, after = self.learned.hierarchy, learned.hierarchy
        new = np.array([0 if before.root_added and c == 0 else after.id(before.iris[c]) for c in concepts.tolist()])
        matching = self.matching.moved(
            concepts, new, len(after), roots=after.root_added and self.gold.hierarchy.root_added
        )
        left_out = int(np.count_nonzero(~keep[own_root:]))
        return Comparison(learned, self.gold, matching, left_out)


def _hung(hierarchy: Hierarchy) -> bool:
    """Concepts were hung under a root that the file has itself."""
    return bool(len(hierarchy.attached)) and not hierarchy.root_added


def _above_as_given(hierarchy: Hierarchy) -> FloatArray:
    """Superconcepts of each concept, an added root apart."""
    count = hierarchy.closure.ancestor_count.astype(np.float64)
    if hierarchy.root_added:
        count[1:] -= 1
    return count


def _as_given(hierarchy: Hierarchy) -> tuple[Closure, IntArray]:
    """The closure of the given edges alone, and the number of each concept in it."""
    given = hierarchy.given
    parents = hierarchy.parents
    bare = Hierarchy.build(
        hierarchy.iris, EdgeTable.make(parents.tails[given], parents.indices[given]), root="none"
    )  # fmt: skip
    return bare.closure, bare.ids(hierarchy.iris).astype(np.int32)  # an added root is alone in it


def given_edges(ontology: Ontology) -> tuple[IntArray, IntArray]:
    """(children, parents) of the file's own edges: no self-edges, none that we hung under the root."""
    hierarchy = ontology.hierarchy
    given = hierarchy.given
    return hierarchy.parents.tails[given], hierarchy.parents.indices[given]
