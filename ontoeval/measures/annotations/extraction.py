"""Measures of spans: AP/AR/AF, Credit, Kappa, Pi, Alpha; `pair_annotations`, `reliability` (pairs: span_pairing.py)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np

from ontoeval.measures.annotations.span_pairing import Match, Pairs, best_pairs
from ontoeval.measures.concepts.pair_scores import pair_values
from ontoeval.measures.registry import Family, Measure, UnmetNeedError, measure
from ontoeval.measures.similarity_parameter import BDM, FLAT, LA, check_similarity
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray, blocks, spans, starts
from ontoeval.results import LocalScores, Score
from ontoeval.tasks.extraction import Extraction, Side

Average = Literal["micro", "macro"]
Part = Literal["precision", "recall", "f"]
NoClass = Literal["mismatch", "category"]

_BLOCK = 1 << 20  # pairs of classes looked at in one step
_MILLION = 1e6  # similarities are compared in millionths
_LREC = "Maynard, Peters & Li 2008"


def similarities(task: Extraction, similarity: Measure, key: LongArray, response: LongArray) -> FloatArray:
    """sim(K, R) of concepts or individuals, each different pair computed once."""
    return task.similarity(key, response, str(similarity), lambda pairs: pair_values(similarity, pairs))


def pair_annotations(task: Extraction, similarity: Measure, match: Match) -> Pairs:
    """The best pairing of key and response, computed once for each similarity."""

    def of_annotations(key: LongArray, response: LongArray) -> FloatArray:
        return similarities(task, similarity, task.key_side.concept[key], task.response_side.concept[response])

    _refuse_labels(task)
    return task.cached(("pairs", similarity, match), lambda: best_pairs(task, match, of_annotations))


def _refuse_labels(task: Extraction) -> None:
    if task.labels:
        raise UnmetNeedError(
            "scores spans of text, not labels of documents",
            advice="Use LabelP, LabelR or LabelF, or {Corpus.from_spans()}.",
        )


# augmented precision and recall

_augmented = partial(measure, dimension="extraction", check=check_similarity)
_FLAT, _LA = {"similarity": FLAT}, {"similarity": LA}


@_augmented("P", source="precision of annotations", params=_FLAT, default=1, sets={"classic": 1})
@_augmented("AP_LA", source=_LREC, params=_LA, sets={"classic": 4})
@_augmented("AP", source=_LREC, default=4, sets={"classic": 7})
def augmented_precision(
    task: Extraction, *, similarity: Measure = BDM, spans: Match = "strict", average: Average = "micro"
) -> Score:
    """Augmented precision of annotations.

    AP = sum of sim(K, R) over the pairs / (n + Spurious): n pairs of a key annotation of class K and a response
    annotation of class R; n + Spurious is the number of responses. `spans=strict`: spans that are the same; `lenient`:
    also spans that share a character. Each annotation is used once; the pairing has the most pairs with the same span,
    then the greatest total sim (in millionths), the most pairs and the most characters in common. It is made anew for
    each `similarity`, which is any measure between concepts from 0 to 1; the same concept has 1, an unknown class 0.
    `average=micro`: sums over all documents; `macro`: the mean over documents. No response: 1 if there is no key
    either, else 0. Counts: `correct` pairs, whose sim is 1 (in millionths); `same_span` pairs and `partial` ones, whose
    spans overlap, whatever their sim, with the sim they sum up to; `missing` keys and `spurious` responses without a
    partner.
    """
    return _score(task, similarity, spans, average, "precision")


@_augmented("R", source="recall of annotations", params=_FLAT, default=2, sets={"classic": 2})
@_augmented("AR_LA", source=_LREC, params=_LA, sets={"classic": 5})
@_augmented("AR", source=_LREC, default=5, sets={"classic": 8})
def augmented_recall(
    task: Extraction, *, similarity: Measure = BDM, spans: Match = "strict", average: Average = "micro"
) -> Score:
    """Augmented recall of annotations.

    AR = sum of sim(K, R) over the pairs / (n + Missing); n + Missing is the number of keys. K is the true class here,
    too. No key: 1 if there is no response either, else 0. All else as for AP.
    """
    return _score(task, similarity, spans, average, "recall")


@_augmented(
    "F", source="F-measure of annotations", params=_FLAT, symmetric=True, default=3, sets={"classic": 3},
    family=Family("Exact", "same span, same class", "P", "R"),
)  # fmt: skip
@_augmented(
    "AF_LA", source=_LREC, params=_LA, sets={"classic": 6},
    family=Family("By LA", "same span, credit for near classes", "AP_LA", "AR_LA"),
)  # fmt: skip
@_augmented(
    "AF", source=_LREC, default=6, sets={"classic": 9},
    family=Family("Graded", "same span, credit for near classes", "AP", "AR"),
)  # fmt: skip
def augmented_f(
    task: Extraction, *, similarity: Measure = BDM, spans: Match = "strict", average: Average = "micro"
) -> Score:
    """Augmented F-measure of annotations.

    AF = AP AR / (0.5 (AP + AR)), 0 if both are 0; with `average=macro` the mean of the AF of the documents. AF is also
    2 (sum of sim) / (keys + responses), so the micro average is a mean over documents, each with the weight of its
    annotations.
    """
    return _score(task, similarity, spans, average, "f")


def _score(task: Extraction, similarity: Measure, match: Match, average: Average, part: Part) -> Score:
    pairs = pair_annotations(task, similarity, match)
    size = len(task.documents)
    key, response = task.key_side, task.response_side
    keys = np.bincount(key.document, minlength=size).astype(np.float64)
    responses = np.bincount(response.document, minlength=size).astype(np.float64)
    credit = np.bincount(key.document[pairs.key], weights=pairs.similarity, minlength=size)
    counts = _counts(task, pairs)
    whole = {"precision": responses, "recall": keys, "f": (keys + responses) / 2}[part]
    nothing = ((keys == 0) & (responses == 0)).astype(np.float64)
    values = np.divide(credit, whole, out=nothing, where=whole > 0)
    ids = np.arange(size, dtype=np.int32)
    if average == "macro":
        return Score.mean(LocalScores("document", ids, values), empty=1.0, **counts)
    empty = 0.0 if len(key) or len(response) else 1.0
    total = float(whole.sum())
    value = float(credit.sum()) / total if total else empty
    return Score(value, LocalScores("document", ids, values, whole), counts, empty=empty)


def _counts(task: Extraction, pairs: Pairs) -> dict[str, float]:
    same, keys, responses = int(np.count_nonzero(pairs.same)), len(task.key_side), len(task.response_side)
    return {
        "correct": int(np.count_nonzero(np.rint(pairs.similarity * _MILLION) == _MILLION)),
        "same_span": same,
        "partial": len(pairs) - same,
        "same_span_credit": float(pairs.similarity[pairs.same].sum()),
        "partial_credit": float(pairs.similarity[~pairs.same].sum()),
        "missing": keys - len(pairs),
        "spurious": responses - len(pairs),
        "keys": keys,
        "responses": responses,
    }


@_augmented("Credit", source=_LREC)
def credit(task: Extraction, *, similarity: Measure = BDM, spans: Match = "strict") -> Score:
    """Mean credit per annotation.

    The sum of sim(K, R) over the pairs / (n + Missing + Spurious), the pairs those of AP. The local scores are about
    annotations: a key annotation has the sim of its pair, and 0 if it is missing; a spurious response has 0. No
    annotation at all: 1.
    """
    pairs = pair_annotations(task, similarity, spans)
    keys, responses = len(task.key_side), len(task.response_side)
    spurious = np.setdiff1d(np.arange(responses), pairs.response)
    values = np.zeros(keys + len(spurious))
    values[pairs.key] = pairs.similarity
    ids = np.concatenate([np.arange(keys), keys + spurious])
    return Score.mean(LocalScores("annotation", ids, values), empty=1.0, **_counts(task, pairs))


# agreement of annotators

_agreement = partial(measure, dimension="agreement", best=1.0, identity=False)


@_agreement("Kappa", source="Cohen 1960", range=(-1.0, 1.0), symmetric=True, sets={"classic": 10})
def kappa(task: Extraction, *, no_class: NoClass = "mismatch") -> Score:
    """Cohen's kappa of two annotators.

    (o - e) / (1 - e): o is the share of items with the same class on both sides, e = sum over classes c of
    p_key(c) p_response(c), p the share of the items that a side gives to c. Items are the pairs with the same span of
    which at least one annotation has a class. Names are compared as strings; an empty one is a class of its own, a
    missing one is none, and agrees with nothing. `no_class=category`: items are all pairs with the same span, and a
    missing class is a class of its own, as in GATE's plugin for annotator agreement. No item, or e = 1: undefined.
    """
    return _beyond_chance(task, no_class, lambda key, response, size: float(np.dot(key, response)) / size**2)


@_agreement("Pi", source="Scott 1955; Siegel & Castellan 1988", range=(-1.0, 1.0), symmetric=True, sets={"classic": 11})
def pi(task: Extraction, *, no_class: NoClass = "mismatch") -> Score:
    """Scott's pi of two annotators.

    (o - e) / (1 - e) as for Kappa, with e = sum over classes c of p(c)^2, p(c) the share of c in both sides together.
    """
    return _beyond_chance(
        task, no_class, lambda key, response, size: float(((key + response) ** 2).sum()) / (2 * size) ** 2
    )


def _beyond_chance(
    task: Extraction, no_class: NoClass, expected: Callable[[FloatArray, FloatArray, int], float]
) -> Score:
    _refuse_labels(task)
    names = [side.name[items] for side, items in _by_name(task, no_class)]
    size, many = len(names[0]), len(task.names)
    if not size:
        with_class = " have a class" if no_class == "mismatch" else ""
        return Score.impossible(f"no two annotations with the same span{with_class}", items=0)
    if no_class == "category":
        names = [np.where(side < 0, many, side) for side in names]
        many += 1
    agreed = int(np.count_nonzero(names[0] == names[1]))
    key, response = (np.bincount(side[side >= 0], minlength=many).astype(np.float64) for side in names)
    counts = {"items": size, "agreed": agreed}
    chance = expected(key, response, size)
    if chance == 1.0:
        return Score.impossible("all items have the same class", **counts)
    return Score((agreed / size - chance) / (1 - chance), counts=counts)


def _by_name(task: Extraction, no_class: NoClass) -> list[tuple[Side, LongArray]]:
    """The annotations of the items of both sides: paired by name, at least one of the two with a name."""
    key, response = task.key_side, task.response_side
    least = 0 if no_class == "mismatch" else -1  # -1: no name

    def same_name(left: LongArray, right: LongArray) -> FloatArray:
        both: BoolArray = (key.name[left] >= least) & (key.name[left] == response.name[right])
        return both.astype(np.float64)

    pairs: Pairs = task.cached(("pairs", "names", no_class), lambda: best_pairs(task, "strict", same_name))
    items = np.flatnonzero((key.name[pairs.key] >= least) | (response.name[pairs.response] >= least))
    return [(key, pairs.key[items]), (response, pairs.response[items])]


# nominal alpha is -1 at least; where some classes are nearer to each other than to the rest there is no bound
_reliability = partial(
    _agreement,
    source="Krippendorff 2004",
    range=(-1.0, 1.0),
    check=check_similarity,
    scale=lambda parameters: None if parameters["similarity"] == FLAT else ((-np.inf, 1.0), 1.0),
)


@_reliability("Alpha_Flat", params=_FLAT, sets={"classic": 12})
@_reliability("Alpha")
def alpha(task: Extraction, *, similarity: Measure = BDM, spans: Match = "strict") -> Score:
    """Krippendorff's alpha of two annotators.

    1 - Do/De with delta(a, b) = 1 - (sim(a, b) + sim(b, a))/2, taken as it is, not squared: nominal alpha with
    `similarity=Flat`. Units are the pairs of AP; those with an unknown class are left out. Do is the mean delta of the
    pairs, De that of any two of all their values. It judges the choice of class alone: what was not found shows in AF.
    De = 0, or no unit: undefined. For more than two annotators: `ontoeval.alpha`.
    """
    pairs = pair_annotations(task, similarity, spans)
    key, response = task.key_side.concept[pairs.key], task.response_side.concept[pairs.response]
    known = (key >= 0) & (response >= 0)
    unit = np.arange(int(known.sum()))
    values = np.concatenate([key[known], response[known]])
    return reliability(task, similarity, np.concatenate([unit, unit]), values, left_out=int(np.count_nonzero(~known)))


def reliability(task: Extraction, similarity: Measure, unit: LongArray, values: LongArray, **counts: float) -> Score:
    """Krippendorff's alpha of values (ids of concepts) in numbered units, at least two values in each."""
    order = np.argsort(unit, kind="stable")
    unit, values = unit[order], values[order]
    units, sizes = np.unique(unit, return_counts=True)
    counts = {"units": len(units), "values": len(values), **counts}
    if not len(units):
        return Score.impossible("no unit has a known class from two annotators", **counts)
    observed = _within_units(task, similarity, values, sizes) / len(values)
    expected = _between_all(task, similarity, values) / (len(values) * (len(values) - 1.0))
    if expected <= 0:
        return Score.impossible("all values are the same", **counts)
    return Score(1 - observed / expected, counts=counts)


def _within_units(task: Extraction, similarity: Measure, values: LongArray, sizes: LongArray) -> float:
    """The sum over units of delta over their ordered pairs / (m - 1). Both orders are there, so 1 - sim will do."""
    start = starts(sizes)
    total = 0.0
    for shift in range(1, int(sizes.max())):  # each value with the one `shift` places further on, round the unit
        units = np.flatnonzero(sizes > shift)
        value = spans(start[units], sizes[units])
        begin, size = np.repeat(start[units], sizes[units]), np.repeat(sizes[units], sizes[units])
        other = begin + (value - begin + shift) % size
        total += float(((1 - similarities(task, similarity, values[value], values[other])) / (size - 1)).sum())
    return total


def _between_all(task: Extraction, similarity: Measure, values: LongArray) -> float:
    """The sum of delta over all ordered pairs of values."""
    classes, counts = np.unique(values, return_counts=True)
    if similarity == FLAT:
        return float(len(values)) ** 2 - float((counts.astype(np.float64) ** 2).sum())
    total = 0.0
    for start, stop in blocks(np.full(len(classes), len(classes)), _BLOCK):
        left = np.repeat(classes[start:stop], len(classes))
        right = np.tile(classes, stop - start)
        far = 1 - similarities(task, similarity, left, right).reshape(-1, len(classes))
        total += float(counts[start:stop] @ far @ counts)
    return total
