"""Measures TP, TR, TF, TFprime, TO: over=, estimate=, average=, presets, 0/0 (what extract= holds: extracts.py)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.measures.comparison.extracts import Extract, Overlap, extract_overlap, extract_sizes, optimistic_estimate
from ontoeval.measures.comparison.lexical import lexical_recall
from ontoeval.measures.registry import Family, measure
from ontoeval.model.arrays import FloatArray
from ontoeval.results import LocalScores, Score, harmonic, ratio
from ontoeval.tasks.comparison import Comparison

Over = Literal["common", "learned", "novel"]
Estimated = Literal["zero", "optimistic"]
Average = Literal["macro", "micro"]
Kind = Literal["precision", "overlap"]


def _check(parameters: Mapping[str, Any]) -> None:
    over, estimate, average = (parameters[key] for key in ("over", "estimate", "average"))
    if over == "novel" and estimate != "optimistic":
        raise ParameterError(
            "over=novel needs estimate=optimistic", advice="Add estimate=optimistic.", parameter="over"
        )
    if average == "micro" and over != "common":
        raise ParameterError(f"average=micro needs over=common, not over={over}", parameter="average")


_taxonomic = partial(measure, dimension="structural", check=_check)
_SC = {"extract": "sc", "over": "learned", "estimate": "zero"}
_CSC = {"extract": "csc", "over": "common"}
_PAPER = "Dellschaft & Staab 2006"


@_taxonomic("TP_sc", source=f"{_PAPER}, eq. 8", params=_SC, default=10, sets={"classic": 8})
@_taxonomic("TP_csc", source=f"{_PAPER}, eq. 10", params=_CSC, default=7, sets={"classic": 4})
@_taxonomic("TP", source=f"{_PAPER}, section 4.3")
def taxonomic_precision(
    task: Comparison, *, extract: Extract = "csc", over: Over = "common", estimate: Estimated = "zero",
    average: Average = "macro",
) -> Score:  # fmt: skip
    """Taxonomic precision.

    tp_ce(c, c', O_C, O_R) = |ce(c, O_C) ∩ ce(c', O_R)| / |ce(c, O_C)|   (eq. 5)
    TP is its mean over the concepts that `over` chooses: the common ones, all learned ones, or the novel ones.
    `extract` is ce: sc = {c} ∪ superconcepts ∪ subconcepts; csc = superconcepts and subconcepts that are common,
    without c; uc, cuc: upwards only; ds, cds: direct subconcepts. For a concept without a partner `estimate` is 0 or
    the maximum over all gold concepts. `average=micro` divides the sums over all common concepts instead.
    sc and csc are blind to direction: if children and parents are swapped, they stay the same (EdgeP does not).
    Both extracts empty: 1; only the learned one: 0; of two different concepts: 0. Nothing in common: 0. No novel
    concept with `over=novel`: 1.
    """
    return _mean(task, "precision", extract, over, estimate, average)


@_taxonomic("TR_sc", source=f"{_PAPER}, section 4.3", params=_SC, default=11, sets={"classic": 9})
@_taxonomic("TR_csc", source=f"{_PAPER}, section 4.3", params=_CSC, default=8, sets={"classic": 5})
@_taxonomic("TR", source=f"{_PAPER}, section 4.3")
def taxonomic_recall(
    task: Comparison, *, extract: Extract = "csc", over: Over = "common", estimate: Estimated = "zero",
    average: Average = "macro",
) -> Score:  # fmt: skip
    """Taxonomic recall.

    TR(O_C, O_R) = TP(O_R, O_C): with `over=learned` the mean runs over the gold concepts, with `over=novel` over the
    missing ones. With sc and csc blind to direction, as TP is.
    """
    return _swap_sides(_mean(task.swapped, "precision", extract, over, estimate, average))


@_taxonomic(
    "TF_sc", source=f"{_PAPER}, section 4.4", params=_SC, symmetric=True, default=12, sets={"classic": 10},
    family=Family("Overall", "same; missing and novel count", "TP_sc", "TR_sc"),
)  # fmt: skip
@_taxonomic(
    "TF_csc", source=f"{_PAPER}, section 4.4", params=_CSC, symmetric=True, default=9, sets={"classic": 6},
    family=Family("Hierarchy", "relatives of common concepts", "TP_csc", "TR_csc"),
)  # fmt: skip
@_taxonomic("TF", source=f"{_PAPER}, section 4.4", symmetric=True)
def taxonomic_f(
    task: Comparison, *, extract: Extract = "csc", over: Over = "common", estimate: Estimated = "zero",
    average: Average = "macro",
) -> Score:  # fmt: skip
    """Taxonomic F-measure.

    TF = 2 TP TR / (TP + TR); 0 if both are 0. With sc and csc blind to direction, as TP is.
    """
    precision = taxonomic_precision(task, extract=extract, over=over, estimate=estimate, average=average)
    recall = taxonomic_recall(task, extract=extract, over=over, estimate=estimate, average=average)
    return Score.of(harmonic, precision, recall)


@_taxonomic("TFprime_sc", source=f"{_PAPER}, section 4.4", params=_SC)
@_taxonomic("TFprime_csc", source=f"{_PAPER}, section 4.4", params=_CSC, sets={"classic": 7})
@_taxonomic("TFprime", source=f"{_PAPER}, section 4.4")
def taxonomic_f_prime(
    task: Comparison, *, extract: Extract = "csc", over: Over = "common", estimate: Estimated = "zero",
    average: Average = "macro",
) -> Score:  # fmt: skip
    """Taxonomic F'-measure: harmonic mean of TF and lexical recall.

    TF' = 2 LR TF / (LR + TF): LR, not LF; 0 if both are 0. With sc and csc blind to direction, as TP is.
    """
    structure = taxonomic_f(task, extract=extract, over=over, estimate=estimate, average=average)
    return Score.of(harmonic, lexical_recall(task), structure)


@_taxonomic("TO_sc", source="Maedche & Staab 2002", params=_SC | {"estimate": "optimistic"})
@_taxonomic("TO_csc", source="Cimiano, Hotho & Staab 2005", params=_CSC, symmetric=True, sets={"classic": 11})
@_taxonomic("TO", source="Maedche & Staab 2002")
def taxonomic_overlap(
    task: Comparison, *, extract: Extract = "csc", over: Over = "common", estimate: Estimated = "zero",
    average: Average = "macro",
) -> Score:  # fmt: skip
    """Taxonomic overlap.

    to_ce(c, c') = |ce(c, O_C) ∩ ce(c', O_R)| / |ce(c, O_C) ∪ ce(c', O_R)|, averaged as TP is.
    Symmetric with `over=common`. The mean is not TF / (2 - TF): that holds for each concept and for `average=micro`.
    With sc and csc blind to direction, as TP is.
    """
    return _mean(task, "overlap", extract, over, estimate, average)


def _mean(task: Comparison, kind: Kind, extract: Extract, over: Over, estimate: Estimated, average: Average) -> Score:
    """One of the blocks of the definition: concept set x estimation x average."""
    _check({"over": over, "estimate": estimate, "average": average})
    overlap = extract_overlap(task, extract)
    counts = {"common": len(overlap.both)}
    if over == "common":
        if average == "micro":
            return _pooled_score(task, overlap, kind)
        local = LocalScores("learned", task.common[0], _common_values(overlap, kind))
        return Score.mean(local, **counts)
    if over == "novel":
        local = LocalScores("learned", task.novel, _estimates(task, kind, extract))
        return Score.mean(local, empty=1.0, novel=len(task.novel), **counts)
    values = np.zeros(len(task.learned.hierarchy))
    values[task.common[0]] = _common_values(overlap, kind)
    if estimate == "optimistic":
        values[task.novel] = _estimates(task, kind, extract)
    everything = np.arange(len(values), dtype=np.int32)
    return Score.mean(LocalScores("learned", everything, values), learned=len(values), **counts)


def _common_values(overlap: Overlap, kind: Kind) -> FloatArray:
    """The local values of the common concepts: 0/0 is 1 if both extracts are empty, else 0 (C5)."""
    whole = overlap.learned if kind == "precision" else overlap.learned + overlap.gold - overlap.both
    nothing = (overlap.learned + overlap.gold == 0).astype(np.float64)
    values: FloatArray = np.divide(overlap.both, whole, out=nothing, where=whole > 0)
    return values


def _pooled_score(task: Comparison, overlap: Overlap, kind: Kind) -> Score:
    """Sums over the common concepts, divided once; nothing in common: 0."""
    both, learned, gold = (float(array.sum()) for array in (overlap.both, overlap.learned, overlap.gold))
    counts = {"common": len(overlap.both), "both": both, "learned_sum": learned, "gold_sum": gold}
    if not len(overlap.both):
        return Score(0.0, counts=counts)
    wholes = overlap.learned if kind == "precision" else overlap.learned + overlap.gold - overlap.both
    local = LocalScores("learned", task.common[0], _common_values(overlap, kind), wholes)
    return Score(ratio(both, float(wholes.sum()), other=gold), local, counts)


def _estimates(task: Comparison, kind: Kind, extract: Extract) -> FloatArray:
    """The optimistic estimation: the best local value over all gold concepts; an empty extract gives 0."""
    best = optimistic_estimate(task, extract)
    if kind == "overlap":
        return best.overlap
    sizes = extract_sizes(task, extract)[task.novel]
    return np.divide(best.shared, sizes, out=np.zeros(len(sizes)), where=sizes > 0)


def _swap_sides(score: Score) -> Score:
    """A score of the swapped comparison, named after the sides of the comparison itself."""
    names = {
        "learned": "gold",
        "gold": "learned",
        "novel": "missing",
        "learned_sum": "gold_sum",
        "gold_sum": "learned_sum",
    }
    counts = {names.get(name, name): count for name, count in score.counts.items()}
    local = score.local
    if local is not None:
        local = LocalScores(names[local.of], local.ids, local.values, local.weights)
    return Score(score.value, local, counts, score.undefined, empty=score.empty)
