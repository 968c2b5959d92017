"""Measures EdgeP/R/F of links, ClosureP/R/F of superconcepts (links that count: `Hierarchy.stated_edges`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ontoeval.measures.comparison.extracts import Cells, shared_above
from ontoeval.measures.registry import Family, measure
from ontoeval.model.arrays import BoolArray, FloatArray, IntArray, search
from ontoeval.model.closure import Closure
from ontoeval.model.hierarchy import EdgeTable, Hierarchy
from ontoeval.results import LocalScores, Score, harmonic, ratio
from ontoeval.tasks.comparison import Comparison

_structural = partial(measure, dimension="structural")
_TEXEVAL = "Bordea, Lefever & Buitelaar 2016 (TExEval-2), on sets"


@_structural("EdgeP", source=_TEXEVAL, default=4)
def edge_precision(task: Comparison) -> Score:
    """Precision of the subclass links.

    EdgeP = |E_C ∩ E_R| / |E_C|, E the set of (child, parent) pairs of the file: no self-edges, no edges to a root that
    were added (C4), repeated ones once. A link is the same if both ends have partners and those are linked. Both sets
    empty: 1, one empty: 0. Local score of a concept: the share of its own parents that are right.
    """
    (tails, _), shared = task.learned.hierarchy.stated_edges, shared_edges(task)
    others = len(task.gold.hierarchy.stated_edges[0])
    common = int(shared.sum())
    return Score(
        ratio(common, len(tails), other=others),
        _shares(np.bincount(tails[shared], minlength=len(task.learned.hierarchy)), np.bincount(tails)),
        {"common_edges": common, "learned_edges": len(tails)},
    )


@_structural("EdgeR", source=_TEXEVAL, default=5)
def edge_recall(task: Comparison) -> Score:
    """Recall of the subclass links.

    EdgeR = |E_C ∩ E_R| / |E_R|.
    """
    score = edge_precision(task.swapped)
    counts = {"common_edges": score.counts["common_edges"], "gold_edges": score.counts["learned_edges"]}
    return Score(score.value, _of_gold(score.local), counts)


@_structural(
    "EdgeF",
    source=f"{_TEXEVAL}; Literal F1 of Lo, Jiang, Li & Jamnik 2024 (OLLM)",
    symmetric=True,
    default=6,
    sets={"classic": 12},
    family=Family("Links", "direct links found", "EdgeP", "EdgeR"),
)
def edge_f(task: Comparison) -> Score:
    """F-measure of the subclass links.

    EdgeF = 2 EdgeP EdgeR / (EdgeP + EdgeR); 0 if both are 0.
    """
    return Score.of(harmonic, edge_precision(task), edge_recall(task))


@_structural("ClosureP", source="as EdgeP, on the transitive closure")
def closure_precision(task: Comparison) -> Score:
    """Precision of the pairs of concept and superconcept.

    ClosureP = |A_C ∩ A_R| / |A_C|, A the set of (concept, strict superconcept) pairs of the file's own edges, direct or
    not: the pooled form of uc, in which deep concepts count more. Both sets empty: 1, one empty: 0.
    """
    above = _superconcepts(task)
    learned, common = int(above.learned.sum()), int(above.both.sum())
    return Score(
        ratio(common, learned, other=float(above.gold.sum())),
        _shares(above.both, above.learned),
        {"common_pairs": common, "learned_pairs": learned},
    )


@_structural("ClosureR", source="as EdgeR, on the transitive closure")
def closure_recall(task: Comparison) -> Score:
    """Recall of the pairs of concept and superconcept.

    ClosureR = |A_C ∩ A_R| / |A_R|.
    """
    score = closure_precision(task.swapped)
    counts = {"common_pairs": score.counts["common_pairs"], "gold_pairs": score.counts["learned_pairs"]}
    return Score(score.value, _of_gold(score.local), counts)


@_structural("ClosureF", source="as EdgeF, on the transitive closure", symmetric=True)
def closure_f(task: Comparison) -> Score:
    """F-measure of the pairs of concept and superconcept.

    ClosureF = 2 ClosureP ClosureR / (ClosureP + ClosureR); 0 if both are 0.
    """
    return Score.of(harmonic, closure_precision(task), closure_recall(task))


def _shares(right: npt.NDArray[Any], total: npt.NDArray[Any]) -> LocalScores:
    """Right of total for every learned concept that has any, weighted by how many it has."""
    concepts = np.flatnonzero(total)
    return LocalScores("learned", concepts, right[concepts] / total[concepts], total[concepts].astype(np.float64))


def _of_gold(local: LocalScores | None) -> LocalScores | None:
    return None if local is None else LocalScores("gold", local.ids, local.values, local.weights)


def shared_edges(task: Comparison) -> BoolArray:
    """Which of the learned side's own edges the gold side has, too."""
    return task.cached("shared edges", lambda: _shared_edges(task))


def _shared_edges(task: Comparison) -> BoolArray:
    size = len(task.gold.hierarchy)
    children, parents = (task.matching.to_gold[ends] for ends in task.learned.hierarchy.stated_edges)
    common = np.flatnonzero((children >= 0) & (parents >= 0))
    gold_children, gold_parents = task.gold.hierarchy.stated_edges
    gold_keys = gold_children.astype(np.int64) * size + gold_parents  # edges are sorted by child, then parent
    _, hit = search(gold_keys, children[common].astype(np.int64) * size + parents[common])
    result = np.zeros(len(children), dtype=bool)
    result[common[hit]] = True
    return result


@dataclass(frozen=True, eq=False)
class _Superconcepts:
    """Superconcepts per concept: on both sides (by learned id), on the learned side, on the gold side."""

    both: FloatArray
    learned: FloatArray
    gold: FloatArray
    partner: IntArray  # learned id -> gold id

    def swapped(self, partner: IntArray) -> _Superconcepts:
        """The same with the sides exchanged."""
        both = np.zeros(len(self.gold))
        common = self.partner >= 0
        both[self.partner[common]] = self.both[common]
        return _Superconcepts(both, self.gold, self.learned, partner)


def _superconcepts(task: Comparison) -> _Superconcepts:
    """Per concept its superconcepts by the file's own edges, and how many of them the other side has, too."""
    if task.is_swapped:
        return _superconcepts(task.swapped).swapped(task.matching.to_gold)
    return task.cached("superconcepts", lambda: _count_superconcepts(task))


def _count_superconcepts(task: Comparison) -> _Superconcepts:
    both = np.zeros(len(task.learned.hierarchy))
    learned, gold = task.learned.hierarchy, task.gold.hierarchy
    if not (_has_attached(learned) or _has_attached(gold)):
        # everything is below an added root, and nothing else follows from the edges to it
        both[task.common[0]] = shared_above(task)
        if task.roots_added:
            both[task.common[0]] -= 1
            both[0] = 0
        return _Superconcepts(both, _above_as_given(learned), _above_as_given(gold), task.matching.to_gold)
    (closure, ids), (gold_closure, gold_ids) = _as_given(learned), _as_given(gold)
    common, gold_common = task.common
    both[common] = Cells(closure, gold_closure, ids[common], gold_ids[gold_common]).shared().above
    sizes = closure.ancestor_count[ids], gold_closure.ancestor_count[gold_ids]
    learned_size, gold_size = (size.astype(np.float64) for size in sizes)
    return _Superconcepts(both, learned_size, gold_size, task.matching.to_gold)


def _has_attached(hierarchy: Hierarchy) -> bool:
    """True if edges were added from concepts to a root that the file has itself."""
    return bool(len(hierarchy.attached)) and not hierarchy.root_added


def _above_as_given(hierarchy: Hierarchy) -> FloatArray:
    """The number of superconcepts of each concept without an added root."""
    count = hierarchy.closure.ancestor_count.astype(np.float64)
    if hierarchy.root_added:
        count[1:] -= 1
    return count


def _as_given(hierarchy: Hierarchy) -> tuple[Closure, IntArray]:
    """The closure of the given edges alone, and the number of each concept in it."""
    bare = Hierarchy.build(hierarchy.iris, EdgeTable.make(*hierarchy.stated_edges), root="none")
    return bare.closure, bare.ids(hierarchy.iris).astype(np.int32)  # an added root is alone in it
