"""Coarser ontologies: `variant`: ptop (to nearest of given concepts), link-1 (no only children); `Variant.task`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from ontoeval.analysis.name_lists import concept_in_line
from ontoeval.edit.rebuild import keep_concepts
from ontoeval.errors import ParameterError
from ontoeval.load.tables.names import load_names
from ontoeval.model.arrays import BoolArray, LongArray, freeze
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.concept_pairs import concept_ids
from ontoeval.tasks.extraction import Extraction

Kind = Literal["ptop", "link-1"]


@dataclass(frozen=True, eq=False)
class Variant:
    """An ontology with fewer concepts, and what each concept of the original becomes in it."""

    original: Ontology
    ontology: Ontology
    target: LongArray  # of each concept of the original: the concept of the original that stands for it

    def __post_init__(self) -> None:
        freeze(self.target)

    @property
    def removed(self) -> int:
        """How many concepts another one stands for."""
        return int(np.count_nonzero(self.target != np.arange(len(self.target))))

    def task(self, task: Extraction) -> Extraction:
        """The same task on the variant: the classes of key and response are mapped, unknown ones stay."""
        if task.by == "instance" or task.ontology is not self.original:
            raise ParameterError(
                "a variant needs a task that compares classes, on the ontology the variant was made from",
                parameter="task",
            )
        renamed = {}
        # an added root may have another name where there are fewer names
        iris = (self.ontology.hierarchy.iris[0], *self.original.hierarchy.iris[1:])
        for name, concept in zip(task.names, task.concept_of.tolist(), strict=True):
            renamed[name] = name if concept < 0 else iris[self.target[concept]]
        response, key = (_rename_classes(corpus, renamed.__getitem__) for corpus in (task.response, task.key))
        return replace(task, response=response, key=key, ontology=self.ontology)


def variant(ontology: Ontology, kind: Kind, keep: Iterable[str] = ()) -> Variant:
    """A variant of Maynard, Peters & Li 2008, section 3.3.

    `ptop` keeps the concepts `keep` and the root; any other goes to its nearest kept ancestor. `link-1`: a concept that
    is the only child of each of its parents goes to its nearest ancestor with more than one child, else to the root.
    The nearest is the one with the fewest edges between, ties by IRI. Whether a concept is an only child, and what is
    nearest, is judged on the original ontology for all concepts at once: what is an only child in the variant alone
    stays. If the concept that another goes to goes elsewhere itself, both end there, so that every class of the variant
    is one of its concepts. Similarities are those of the variant, whose depths, chains and branching differ: that is
    what a measure can react to. Edges that others imply count for nothing, and the concepts of a cycle go together.
    """
    if kind not in ("ptop", "link-1"):
        raise ParameterError(f"unknown variant {kind!r}", advice="Use one of: ptop, link-1.", parameter="kind")
    if not ontology.hierarchy.has_root:
        raise ParameterError("a variant needs a root", place=ontology.source.path, advice="Set {root=new}.")
    names = list(keep)
    if kind == "link-1" and names:
        raise ParameterError("link-1 takes no list of concepts", advice="Remove {keep}, or use ptop.", parameter="keep")
    if kind == "ptop" and not names:
        raise ParameterError("ptop needs the concepts to keep", advice="Set {keep} to their IRIs.", parameter="keep")
    parts = _PartGraph(ontology)
    target = parts.link_1() if kind == "link-1" else parts.top(concept_ids(ontology, names))
    kept = target == np.arange(len(target))
    if ontology.hierarchy.root_added and np.count_nonzero(kept) == 1:
        raise ParameterError(
            f"only the added root of {ontology.source.path} would remain with {kind}",
            advice="Choose another variant.",
            parameter="kind",
        )
    return Variant(ontology, keep_concepts(ontology, kept), target)


def named_variant(ontology: Ontology, name: str) -> tuple[str, Variant]:
    """The variant of a name, `link-1` or `ptop:FILE` with a list of the concepts to keep, and what to call it."""
    kind, _, path = name.partition(":")
    if name == "link-1":
        return name, variant(ontology, "link-1")
    if kind != "ptop" or not path:
        raise ParameterError(f"unknown variant {name!r}", advice="Use link-1, or ptop:FILE with concepts to keep.")
    kept = [concept_in_line(ontology, concept, path, line) for line, concept in load_names(path)]
    return f"ptop:{Path(path).name}", variant(ontology, "ptop", kept)


class _PartGraph:
    """The parts of a hierarchy (a concept, or those of a cycle) and the edges between them that no others imply."""

    def __init__(self, ontology: Ontology) -> None:
        iris = ontology.hierarchy.iris
        closure = ontology.hierarchy.closure
        self.part, self.size = closure.part.astype(np.int64), closure.parents.size
        direct = ~closure.redundant
        self.low = closure.parents.tails[direct].astype(np.int64)
        self.high = closure.parents.indices[direct].astype(np.int64)
        self.rank = np.empty(len(iris), dtype=np.int64)
        self.rank[sorted(range(len(iris)), key=iris.__getitem__)] = np.arange(len(iris))

    def top(self, keep: LongArray) -> LongArray:
        """Where each concept goes if these and the root are kept."""
        keep = np.append(keep, 0)
        target = self._nearest(self._first(keep))[0][self.part]
        target[keep] = keep
        return target

    def link_1(self) -> LongArray:
        """Where each concept goes if only children are left out."""
        everything = np.arange(len(self.part))
        children = np.bincount(self.high, minlength=self.size)
        only = np.bincount(self.low, minlength=self.size) > 0
        only[self.low[children[self.high] > 1]] = False
        target = np.where(only[self.part], self._above(children > 1)[self.part], everything)
        while True:  # until every target is its own target; targets are always further up, so this ends
            next_target = target[target]
            if np.array_equal(next_target, target):
                return target
            target = next_target

    def _first(self, concepts: LongArray) -> LongArray:
        """For each part the first of these concepts by IRI, -1 for none; the root stands for its own."""
        rank = self.rank.copy()
        rank[0] = -1
        result = np.full(self.size, -1, dtype=np.int64)
        order = concepts[np.argsort(-rank[concepts])]
        result[self.part[order]] = order  # of several the last one stays
        return result

    def _nearest(self, kept: LongArray) -> tuple[LongArray, LongArray]:
        """The nearest kept concept at or above each part, ties by IRI, and the edges up to it; -1 without one."""
        nearest, steps = kept.copy(), np.where(kept >= 0, 0, -1)
        for step in range(1, self.size + 1):
            edges = np.flatnonzero((steps[self.low] < 0) & (steps[self.high] == step - 1))
            if not len(edges):
                break
            self._take(nearest, self.low[edges], nearest[self.high[edges]])
            steps[self.low[edges]] = step
        return nearest, steps

    def _take(self, target: LongArray, low: LongArray, concepts: LongArray) -> None:
        """Set the target of each part to the first of its candidate concepts by IRI."""
        order = np.lexsort((-self.rank[concepts], low))
        target[low[order]] = concepts[order]

    def _above(self, branching: BoolArray) -> LongArray:
        """For each part the nearest one strictly above it that branches (has several children); else the root."""
        nearest, steps = self._nearest(np.where(branching, self._first(np.arange(len(self.part))), -1))
        edges = np.flatnonzero(steps[self.high] >= 0)
        low, steps_up = self.low[edges], steps[self.high[edges]]
        fewest = np.full(self.size, self.size, dtype=np.int64)
        np.minimum.at(fewest, low, steps_up)
        shortest = edges[steps_up == fewest[low]]
        result = np.zeros(self.size, dtype=np.int64)
        self._take(result, self.low[shortest], nearest[self.high[shortest]])
        return result


def _rename_classes(corpus: Corpus, new_name: Callable[[str], str]) -> Corpus:
    """The corpus with other names for its classes, sorted anew."""
    names = [new_name(name) for name in corpus.concepts]
    concepts = tuple(sorted(set(names)))
    place = {name: number for number, name in enumerate(concepts)}
    number = np.array([*(place[name] for name in names), -1], dtype=np.int32)
    concept = number[corpus.concept]
    descending = np.where(np.isnan(corpus.score), np.inf, -corpus.score) if corpus.labels else np.zeros(len(corpus))
    order = np.lexsort((corpus.instance, concept, descending, corpus.end, corpus.start, corpus.document))
    return replace(
        corpus,
        document=corpus.document[order],
        start=corpus.start[order],
        end=corpus.end[order],
        concept=concept[order],
        instance=corpus.instance[order],
        score=corpus.score[order],
        concepts=concepts,
    )
