"""Precision and recall of subclass links, as they are given and closed under transitivity."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ontoeval.measures._registry import measure
from ontoeval.model.tasks import Comparison
from ontoeval.results import LocalScores, Score, harmonic, ratio

_structural = partial(measure, dimension="structural")
_TEXEVAL = "Bordea, Lefever & Buitelaar 2016 (TExEval-2), on sets"


@_structural("EdgeP", source=_TEXEVAL)
def edge_precision(task: Comparison) -> Score:
    """Precision of the subclass links.

    EdgeP = |E_C ∩ E_R| / |E_C|, E the set of (child, parent) pairs of the file: no self-edges, no edges to a root that
    were added (C4), repeated ones once. A link is the same if both ends have partners and those are linked. Both sets
    empty: 1, one empty: 0. Local score of a concept: the share of its own parents that are right.
    """
    tails, _, shared = task.edges
    others = len(task.swapped.edges[0])
    common = int(shared.sum())
    return Score(
        ratio(common, len(tails), other=others),
        _shares(np.bincount(tails[shared], minlength=int(tails.max(initial=-1)) + 1), np.bincount(tails)),
        {"common_edges": common, "learned_edges": len(tails)},
    )


@_structural("EdgeR", source=_TEXEVAL)
def edge_recall(task: Comparison) -> Score:
    """Recall of the subclass links.

    EdgeR = |E_C ∩ E_R| / |E_R|.
    """
    score = edge_precision(task.swapped)
    counts = {"common_edges": score.counts["common_edges"], "gold_edges": score.counts["learned_edges"]}
    return Score(score.value, _of_gold(score.local), counts)


@_structural(
    "EdgeF", source=f"{_TEXEVAL}; Literal F1 of Lo, Jiang, Li & Jamnik 2024 (OLLM)", symmetric=True, default=12
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
    above = task.given_above
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
