"""`Comparison`: learned, gold, matching; `common`, `novel`, `shared`; `covered` (edges bridged: edit/edges.py)."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ontoeval.edit.edges import bridged_ends
from ontoeval.edit.rebuild import keep_concepts
from ontoeval.errors import HierarchyError, Message, ParameterError, sentence
from ontoeval.matching.matcher import match
from ontoeval.matching.matching import ADDED_ROOT, Matching
from ontoeval.matching.properties import SharedProperties
from ontoeval.matching.suggestions import match_warnings
from ontoeval.model.arrays import IntArray, LongArray
from ontoeval.model.cache import Cached
from ontoeval.model.lexicon import local_name
from ontoeval.model.ontology import Ontology
from ontoeval.model.placement import SharedInstances
from ontoeval.tasks.concept_pairs import weight_settings

LinkEnds = tuple[IntArray, IntArray]
# How many inverted links are worth a warning, of all learned links; whichever is less. One or two of a large hierarchy
# that shares hardly anything with the gold standard say nothing.
_INVERTED_SHARE, _INVERTED = 0.05, 5


@dataclass(frozen=True, eq=False)
class Comparison(Cached):
    """A learned ontology O_C, a gold standard O_R, and which concepts are the same: K = C ∩ R.

    Examples
    --------
    >>> import ontoeval as oe
    >>> learned = oe.Ontology.from_edges([("cat", "animal"), ("cow", "animal")])
    >>> gold = oe.Ontology.from_edges([("cat", "animal"), ("dog", "animal")])
    >>> task = oe.Comparison(learned, gold, oe.match(learned, gold, "iri"))
    >>> round(oe.evaluate(task, "LP")["LP"].value, 3)
    0.667
    """

    learned: Ontology
    gold: Ontology
    matching: Matching = None  # type: ignore[assignment]  # by default match(learned, gold)
    left_out: int = 0  # learned concepts that were not judged, because the gold standard has none like them
    whole: Comparison | None = field(default=None, repr=False, kw_only=True)  # before concepts were left out
    is_swapped: bool = field(default=False, repr=False, kw_only=True)  # made by `swapped`, which has the arrays already

    def __post_init__(self) -> None:
        if self.matching is None:
            object.__setattr__(self, "matching", match(self.learned, self.gold))
        sizes = len(self.learned.hierarchy), len(self.gold.hierarchy)
        if (len(self.matching.to_gold), len(self.matching.to_learned)) != sizes:
            raise ParameterError(
                "the matching is between other ontologies",
                advice="Use match(learned, gold).",
                parameter="matching",
            )

    def __repr__(self) -> str:
        return f"<Comparison of {self.learned.source.path} with {self.gold.source.path}: {len(self.matching):,} common>"

    @cached_property
    def swapped(self) -> Comparison:
        """The two sides exchanged: recall is precision here."""
        other = Comparison(self.gold, self.learned, self.matching.swapped, is_swapped=True)
        other.__dict__["swapped"] = self
        return other

    @cached_property
    def with_one_label(self) -> Comparison:
        """The same for people: a matched concept has one label on both sides, the learned one if there is any.

        So a parent that was only renamed does not look like another parent. Where concepts are matched by instances,
        learned ones are often numbered clusters, so the gold label is the one to read.
        """
        by_instances = any(str(step).startswith("instances") for step in self.matching.by)

        def label_of(learned: int, gold: int) -> str | None:
            if learned < 0 or gold < 0:
                return None
            labels = self.learned.lexicon.label(learned), self.gold.lexicon.label(gold)
            return (labels[1] or labels[0]) if by_instances else (labels[0] or labels[1])

        to_gold, to_learned = self.matching.to_gold, self.matching.to_learned
        learned = self.learned.with_labels_for_people(lambda concept: label_of(concept, int(to_gold[concept])))
        gold = self.gold.with_labels_for_people(lambda concept: label_of(int(to_learned[concept]), concept))
        self.__dict__.setdefault("_cached_results", {})  # shared, as ids and edges are the same
        one, other = copy(self), copy(self.swapped)
        one.__dict__.update(learned=learned, gold=gold, swapped=other, as_read=self)
        other.__dict__.update(learned=gold, gold=learned, swapped=one, as_read=self.swapped)
        return one

    @cached_property
    def as_read(self) -> Comparison:
        """The same with the labels of the files, which some measures compare."""
        return self

    @property
    def inputs(self) -> Mapping[str, Ontology]:
        """What was judged, and against what."""
        return {"learned": self.learned, "gold": self.gold}

    @property
    def unit_names(self) -> Mapping[str, tuple[Any, ...]]:
        """The IRIs and labels of what local scores are about: concepts of both sides, instances."""
        concepts = {role: (ontology.hierarchy.iris, ontology.label_of) for role, ontology in self.inputs.items()}
        if self.learned.instances is None or self.gold.instances is None:
            return concepts
        return {**concepts, "instance": (self.shared.names, lambda instance: local_name(self.shared.names[instance]))}

    @property
    def settings(self) -> Mapping[str, Any]:
        """How the task was set up."""
        summary = self.matching.summary()
        matching = {**summary, "left_out": self.left_out} if self.left_out else summary
        return {"matching": matching, **weight_settings(self.inputs)}

    @property
    def fingerprint(self) -> str:
        """A hash of what is not in the settings: which concepts are the same, and which properties of relations."""
        hashed = hashlib.sha256(self.matching.to_gold.tobytes())
        if self.learned.relations and self.gold.relations:
            hashed.update(self.properties.matching.to_gold.tobytes())  # a mapping may have named them
        return hashed.hexdigest()

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
        """Both roots were added, and are therefore the same."""
        return self.learned.hierarchy.root_added and self.gold.hierarchy.root_added

    @cached_property
    def shared(self) -> SharedInstances:
        """The instances that both sides have."""
        return self.swapped.shared.swapped if self.is_swapped else SharedInstances.of(self.learned, self.gold)

    @cached_property
    def properties(self) -> SharedProperties:
        """The properties of relations, matched like the concepts."""
        return SharedProperties.of(self.learned.all_relations, self.gold.all_relations, self.matching)

    @property
    def links_between_common(self) -> LinkEnds:
        """The learned links whose child and parent both have partners: children and, beside them, parents."""
        matched = self.matching.to_gold >= 0
        children, parents = self.learned.hierarchy.stated_edges
        both = matched[children] & matched[parents]
        return children[both], parents[both]

    @cached_property
    def inverted_links(self) -> LinkEnds:
        """Those of them whose ends stand the other way round in the gold standard."""
        return self._inverted(*self.links_between_common)

    def _inverted(self, children: IntArray, parents: IntArray) -> LinkEnds:
        closure = self.gold.hierarchy.closure
        low, high = (closure.part[self.matching.to_gold[ends]].astype(np.int64) for ends in (parents, children))
        inverted = closure.above(low, high)
        return children[inverted], parents[inverted]

    @cached_property
    def warnings(self) -> tuple[Message, ...]:
        """Why numbers may mislead."""
        whole = self.whole or self
        doubts = (sentence(problem, place=self.learned.source.name, advice=advice) for problem, advice in self._doubts)
        return (*match_warnings(whole.learned, whole.gold, whole.matching), *doubts)

    @property
    def _doubts(self) -> Iterator[tuple[str, str | None]]:
        if len(self.matching) == self.matching.found[ADDED_ROOT] and len(self.matching):
            yield "only the added roots are common, so scores on common concepts say nothing", None
        try:
            direct = len(self.inverted_links[0])
        except HierarchyError:  # too large to tell; measures that need no ancestors are computed all the same
            return
        children, parents = self.learned.hierarchy.stated_edges
        ends = bridged_ends(len(self.learned.hierarchy), children, parents, self.matching.to_gold >= 0)
        inverted, links = len(self._inverted(*ends)[0]), len(ends[0])
        if 2 * inverted >= links and inverted >= max(1, min(_INVERTED, math.ceil(_INVERTED_SHARE * len(children)))):
            bridged = "" if direct == inverted else " (between common concepts, paths through others as links)"
            yield f"{inverted:,} of {links:,} links are inverted{bridged}", self._advice_on_columns

    @property
    def _advice_on_columns(self) -> str:
        """What turns the links of a table round; commands have one option for both sides and one for the gold side."""
        columns, gold_columns = (",".join(ontology.source.columns) for ontology in (self.learned, self.gold))
        if not columns:
            return "Check which end of its links is the parent."
        swapped = {"child": "parent", "parent": "child"}
        turned_round = ",".join(swapped.get(name, name) for name in columns.split(","))
        return f"Set {{columns={turned_round}}}{f'{{gold_columns={gold_columns}}}' if gold_columns else ''}."

    @property
    def none_left_out(self) -> tuple[Message, ...]:
        """The warning that novel concepts were to be left out, but all are novel; of a task from `covered`."""
        if self.left_out or not len(self.novel):
            return ()
        return (Message("the gold standard has none of its concepts, so all were scored ({ignore_novel})"),)

    def covered(self) -> Comparison:
        """Only the learned concepts that the gold standard has; paths through the others become edges."""
        keep = self.matching.to_gold >= 0
        concepts = np.flatnonzero(keep)
        first = int(self.learned.hierarchy.root_added)  # an added root is not a concept of the file
        if keep.all() or not np.any(concepts >= first):
            return self
        # if its root is dropped it gets one only if that can be the same as the root of the gold standard
        learned = keep_concepts(self.learned, keep, root="auto" if self.gold.hierarchy.root_added else "none")
        before, after = self.learned.hierarchy, learned.hierarchy
        new = np.array([0 if before.root_added and c == 0 else after.id(before.iris[c]) for c in concepts.tolist()])
        matching = self.matching.renumbered(
            concepts, new, len(after), roots=after.root_added and self.gold.hierarchy.root_added
        )
        left_out = int(np.count_nonzero(~keep[first:]))
        return Comparison(learned, self.gold, matching, left_out, whole=self)
