"""Measures H_s, H_a, ITP, ITR, ITF, OntoRand, EOR: formulas, adjusted=, when undefined (counts: other files here)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np

from ontoeval.errors import HierarchyError, Message, number_of
from ontoeval.measures.instances._proximity import Delta, chance_difference, total_difference
from ontoeval.measures.instances._triples import triples
from ontoeval.measures.instances.cotopy import Companions, companions
from ontoeval.measures.registry import Scale, measure
from ontoeval.model.arrays import FloatArray
from ontoeval.model.placement import SharedInstances, TooLargeError
from ontoeval.results import LocalScores, Score, harmonic
from ontoeval.tasks.comparison import Comparison

Weight = Literal["w1", "w2"]
Side = Literal["learned", "gold"]
Number = TypeVar("Number", float, FloatArray)
_ROUNDING = 1e-13  # of an expectation that is 1


def _scale(parameters: Mapping[str, Any]) -> Scale | None:
    """Worse than chance is below 0, without an end."""
    return ((-np.inf, 1.0), 1.0) if parameters["adjusted"] else None


_instances = partial(measure, dimension="instance assignment", needs=("instances",), scale=_scale)
_BADE = "Bade & Benz 2010"
_BRANK = "Brank, Grobelnik & Mladenić 2006"


@_instances("H_s", source=f"{_BADE}, section 3", symmetric=True)
def h_correlation(task: Comparison, *, weight: Weight = "w1", adjusted: bool = False) -> Score:
    """H-Correlation, symmetric.

    T(H) = {(i1, i2, i3): ca(i1, i2) strictly below ca(i1, i3)} over pairwise different instances
    H_s = Σ_{T_l ∩ T_g} (w_l + w_g) / (Σ_{T_l} w_l + Σ_{T_g} w_g)
    ca is the last common ancestor; with several parents and in cycles the sets of common ancestors are compared
    instead: CA(i1, i2) ⊋ CA(i1, i3). `weight=w1` is 1 for every triple, so that H_s is the harmonic mean of H_a and
    its reverse; `weight=w2` is 1 / (triples of the same hierarchy with the same ca(i1, i3)), so that every node where
    instances part weighs 1 in all.
    `adjusted=true` is (H_s - E) / (1 - E), where E is what H_s is on average if the instances of one side are permuted;
    below 0 it is worse than chance.
    Instances that one side lacks are left out. No triple on either side: 1. Undefined unless every instance sits on one
    concept.
    """
    return _score_or_reason(task, lambda: _both_sides(task, weight, adjusted), strict=True)


def _both_sides(task: Comparison, weight: Weight, adjusted: bool) -> Score:
    all_triples = triples(task)
    possible = all_triples.possible or 1.0
    if weight == "w1":
        learned, gold, both = all_triples.learned, all_triples.gold, 2.0 * all_triples.both
    else:
        learned, gold, both = (
            all_triples.learned_splits,
            all_triples.gold_splits,
            all_triples.both_learned + all_triples.both_gold,
        )
    counts = _counts(task) | _triple_counts(task)
    if not learned + gold:
        return Score(1.0, counts=counts)
    value = min(1.0, both / (learned + gold))
    expected = (learned * all_triples.gold / possible + gold * all_triples.learned / possible) / (learned + gold)
    return Score(_correct_for_chance(value, expected) if adjusted else value, counts=counts)


@_instances("H_a", source=f"{_BADE}, section 3")
def h_correlation_one_sided(
    task: Comparison, *, weight: Weight = "w1", detailed: Side = "learned", adjusted: bool = False
) -> Score:
    """H-Correlation, asymmetric.

    H_a = Σ_{T_l ∩ T_g} w_g / Σ_{T_g} w_g, with T and w as for H_s
    1 if the learned hierarchy refines the gold standard: it may be more detailed. `detailed=gold` is the reverse,
    Σ_{T_l ∩ T_g} w_l / Σ_{T_l} w_l. `adjusted=true` is (H_a - E) / (1 - E), where E = |T_l| / (n (n - 1) (n - 2)) is
    what H_a is on average if the instances of one side are permuted.
    No triple in the less detailed hierarchy: 1. Undefined unless every instance sits on one concept.
    """
    return _score_or_reason(task, lambda: _one_side(task, weight, detailed, adjusted), strict=True)


def _one_side(task: Comparison, weight: Weight, detailed: Side, adjusted: bool) -> Score:
    all_triples = triples(task if detailed == "learned" else task.swapped)
    whole, both = (
        (all_triples.gold, all_triples.both) if weight == "w1" else (all_triples.gold_splits, all_triples.both_gold)
    )
    counts = _counts(task) | _triple_counts(task)
    if not whole:
        return Score(1.0, counts=counts)
    value = min(1.0, both / whole)
    return Score(
        _correct_for_chance(value, all_triples.learned / all_triples.possible) if adjusted else value, counts=counts
    )


@_instances("ITP", source=f"{_BADE}, section 3")
def instance_precision(task: Comparison, *, adjusted: bool = False) -> Score:
    """Instance-based taxonomic precision.

    ITP = mean over the instances of |isc_l(i) ∩ isc_g(i)| / |isc_l(i)|
    isc(i) holds i and the instances of which some concept is at, above or below some concept of i (blind to direction).
    `adjusted=true` is (ITP - E) / (1 - E) with
    E = n⁻² Σ_i Σ_j (1 + (|isc_l(i)| - 1) (|isc_g(j)| - 1) / (n - 1)) / |isc_l(i)|, what ITP is on average if the
    instances of one side are permuted.
    Instances that one side lacks are left out; without any common one undefined.
    """
    return _score_or_reason(task, lambda: _cotopy_mean(task, task, adjusted), strict=False)


@_instances("ITR", source=f"{_BADE}, section 3")
def instance_recall(task: Comparison, *, adjusted: bool = False) -> Score:
    """Instance-based taxonomic recall.

    ITR = mean over the instances of |isc_l(i) ∩ isc_g(i)| / |isc_g(i)|: ITP with the sides exchanged.
    """
    return _score_or_reason(task, lambda: _cotopy_mean(task, task.swapped, adjusted), strict=False)


@_instances("ITF", source=f"{_BADE}, section 3", symmetric=True)
def instance_f(task: Comparison, *, adjusted: bool = False) -> Score:
    """Instance-based taxonomic F-measure.

    ITF = 2 ITP ITR / (ITP + ITR)
    `adjusted=true` is made of the adjusted ITP and ITR, and 0 unless both are above 0: what a harmonic mean is on
    average has no closed form.
    """
    parts = instance_precision(task, adjusted=adjusted), instance_recall(task, adjusted=adjusted)
    return Score.of(_positive_harmonic, *parts)


@_instances("OntoRand", source=_BRANK, symmetric=True)
def onto_rand(task: Comparison, *, delta: Delta = "overlap", adjusted: bool = False) -> Score:
    """OntoRand index.

    OntoRand = 1 - mean over the unordered pairs of instances of |δ_l(i, j) - δ_g(i, j)|
    `delta=overlap`: δ = |A(u) ∩ A(v)| / |A(u) ∪ A(v)|, where u and v are the concepts of i and j and A their ancestors,
    themselves included. `delta=tree`: δ = e^(-α l) tanh(β h), 1 for u = v, where l is the number of edges between u and
    v, h the depth of their last common ancestor (the root's is 0), α = 0.3 and β = 0.2 (the paper's text says 0.4, the
    values it prints are those of 0.2). With several parents and cycles l is the shortest way up to a common ancestor
    and down, h the greatest of the common ancestors' least depths.
    `adjusted=true` is (OntoRand - E) / (1 - E), where 1 - E is the mean of |δ_l(pair) - δ_g(pair')| over all pairs
    and pairs, as if the instances of one side were permuted. With fewer than two common instances 1, without any
    undefined; undefined unless every instance sits on one concept: that is what EOR is for.
    """
    return _score_or_reason(task, lambda: _rand(task, delta, adjusted), strict=True)


@_instances("EOR", source=f"{_BADE}, section 3", symmetric=True)
def extended_onto_rand(task: Comparison, *, delta: Delta = "overlap", adjusted: bool = False) -> Score:
    """Extended OntoRand index.

    As OntoRand, for instances on several concepts, too: δ(i, j) is the mean of δ(u, v) over the concepts u of i and v
    of j. The same as OntoRand where every instance sits on one concept.
    """
    return _score_or_reason(task, lambda: _rand(task, delta, adjusted), strict=False)


def _score_or_reason(task: Comparison, score: Callable[[], Score], *, strict: bool) -> Score:
    """The score, or the reason that it is undefined; `strict`: every instance has to sit on one concept."""
    reason = _reason_undefined(task, strict=strict)
    if reason is None:
        try:
            return score()
        except TooLargeError as error:
            reason = str(error)
        except HierarchyError as error:
            reason = error.message
    return Score.impossible(reason, **_counts(task))


def _rand(task: Comparison, delta: Delta, adjusted: bool) -> Score:
    pairs = len(task.shared) * (len(task.shared) - 1) / 2.0
    if not pairs:
        return Score(1.0, counts=_counts(task))
    value = min(1.0, max(0.0, 1.0 - total_difference(task, delta) / pairs))
    if adjusted:
        value = _correct_for_chance(value, 1.0 - chance_difference(task, delta))
    return Score(value, counts=_counts(task))


def _cotopy_mean(task: Comparison, side: Comparison, adjusted: bool) -> Score:
    """ITP of `side`, which is the task or its reverse."""
    cotopies = companions(side)
    values = cotopies.of_instances(cotopies.both / cotopies.learned)
    if adjusted:
        values = _correct_for_chance(values, _expected_precision(cotopies))
    local = LocalScores("instance", np.arange(len(values), dtype=np.int32), values)
    return Score.mean(local, **_counts(task))


def _expected_precision(cotopies: Companions) -> float:
    """The mean over i and j of (1 + (|isc_l(i)| - 1) (|isc_g(j)| - 1) / (n - 1)) / |isc_l(i)|, as two simple sums."""
    count = cotopies.shared.count.astype(np.float64)
    size = float(count.sum())
    if size < 2:
        return 1.0
    others = float(np.sum(count * (cotopies.gold - 1.0))) / size / (size - 1.0)
    mean: FloatArray = (1.0 + (cotopies.learned - 1.0) * others) / cotopies.learned
    return float(np.sum(count * mean)) / size


def _correct_for_chance(value: Number, expected: float) -> Number:
    """(value - E) / (1 - E); where E is 1 every permutation gives 1, and so does this."""
    if 1.0 - expected < _ROUNDING:
        return value * 0.0 + 1.0
    return (value - expected) / (1.0 - expected)


def _positive_harmonic(precision: Any, recall: Any) -> Any:
    return np.where((np.asarray(precision) > 0) & (np.asarray(recall) > 0), harmonic(precision, recall), 0.0)


def _reason_undefined(task: Comparison, *, strict: bool) -> str | None:
    """The reason that such a measure is undefined, or None."""
    for ontology in (task.learned, task.gold):
        if ontology.instances is None:
            return f"{ontology.source.path} has no instances"
    shared = task.shared
    if not len(shared):
        names = [ontology.instances.iris[0] for ontology in (task.learned, task.gold) if ontology.instances is not None]
        return f"no instance is in both ontologies (e.g. learned: {names[0]}; gold: {names[1]})"
    if strict and not shared.strict:
        return _not_strict(shared)
    return None


def _not_strict(shared: SharedInstances) -> str:
    several = np.zeros(len(shared), dtype=bool)
    for side in (shared.learned, shared.gold):
        several |= np.diff(side.indptr)[side.place] > 1
    first = shared.names[int(np.flatnonzero(several)[0])]
    number = int(several.sum())
    instances = number_of(number, "common instance belongs", "common instances belong")
    return Message(
        f"{instances} to several concepts (e.g. {first}). Use EOR, ITP, ITR or ITF, or set {{strict_instances=True}}"
    )


def _counts(task: Comparison) -> dict[str, float]:
    shared = task.shared
    return {"instances": len(shared), "only_learned": shared.only_learned, "only_gold": shared.only_gold}


def _triple_counts(task: Comparison) -> dict[str, float]:
    all_triples = triples(task)
    return {
        "learned_triples": all_triples.learned,
        "gold_triples": all_triples.gold,
        "common_triples": all_triples.both,
    }
