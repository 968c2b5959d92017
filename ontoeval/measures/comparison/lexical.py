"""Measures LP, LR, LF of matched concepts (matching/) and mean SM (SM of two strings: _label_similarity.py)."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from ontoeval.measures.comparison._label_similarity import best_string_matching, distinct_labels
from ontoeval.measures.registry import Family, measure
from ontoeval.results import LocalScores, Score, harmonic
from ontoeval.tasks.comparison import Comparison

_lexical = partial(measure, dimension="lexical")
_PAPER = "Dellschaft & Staab 2006"
_FAMILY = Family("Concepts", "concepts found", "LP", "LR")


@_lexical("LP", source=_PAPER, default=1, sets={"classic": 1})
def lexical_precision(task: Comparison) -> Score:
    """Lexical precision.

    LP(O_C, O_R) = |C ∩ R| / |C|: the share of the learned concepts that the gold standard has. The root counts, an
    added one, too. Local score: 1 for a concept that has a partner, else 0.
    """
    matched = (task.matching.to_gold >= 0).astype(np.float64)
    everything = np.arange(len(matched), dtype=np.int32)
    return Score.mean(LocalScores("learned", everything, matched), common=int(matched.sum()), learned=len(matched))


@_lexical("LR", source=_PAPER, default=2, sets={"classic": 2})
def lexical_recall(task: Comparison) -> Score:
    """Lexical recall.

    LR(O_C, O_R) = |C ∩ R| / |R|: the share of the gold concepts that were learned.
    """
    matched = (task.matching.to_learned >= 0).astype(np.float64)
    everything = np.arange(len(matched), dtype=np.int32)
    return Score.mean(LocalScores("gold", everything, matched), common=int(matched.sum()), gold=len(matched))


@_lexical("LF", source=_PAPER, symmetric=True, default=3, sets={"classic": 3}, family=_FAMILY)
def lexical_f(task: Comparison) -> Score:
    """Lexical F-measure.

    LF = 2 LP LR / (LP + LR); 0 if both are 0.
    """
    return Score.of(harmonic, lexical_precision(task), lexical_recall(task))


@_lexical("SM", source="Maedche & Staab 2002")
def average_string_matching(task: Comparison, *, direction: Literal["learned", "gold"] = "learned") -> Score:
    """Average string matching.

    SM(a, b) = max(0, (min(|a|, |b|) - ed(a, b)) / min(|a|, |b|)), ed the edit distance;
    SM(L1, L2) = mean over a ∈ L1 of max over b ∈ L2 of SM(a, b).
    L1 and L2 are the distinct labels of the matching's languages (all without one), as they are written. L1 is the
    learned side (`direction=gold`: the gold side). An empty text is like an empty text alone. An added root has no
    label and takes no part. Undefined without labels on the side that is averaged, and where there are too many; 0 if
    only the other has none.
    """
    side = task if direction == "learned" else task.swapped
    left, right = (distinct_labels(o, task.matching.languages) for o in (side.learned, side.gold))
    if not left:
        return Score.impossible(f"{side.learned.source.path} has no labels")
    best = best_string_matching(left, right)
    if best is None:
        return Score.impossible(
            f"too many labels: {len(left):,} and {len(right):,}. Choose a language or a part of the ontologies"
        )
    return Score(float(best.mean()), counts={"labels": len(left), "exact": int(np.count_nonzero(best == 1.0))})
