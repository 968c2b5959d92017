"""`content`: IC by Seco, Sanchez, Zhou, corpus counts; `FORMULAS` (Resnik, Lin: measures/concepts/relatedness.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ontoeval.errors import MissingInputError, listed, number_of
from ontoeval.model.arrays import FloatArray, LongArray, freeze
from ontoeval.model.closure import Closure
from ontoeval.model.ontology import Ontology

Kind = Literal["seco", "sanchez", "zhou", "corpus"]
Smoothing = Literal["none", "add-one"]

FORMULAS: dict[Kind, str] = {
    "seco": "1 - ln(hypo(c) + 1) / ln(N), in [0, 1]",
    "sanchez": "-ln((leaves(c) / subsumers(c) + 1) / (maxleaves + 1)), natural logarithm",
    "zhou": "0.5 (1 - ln(hypo(c) + 1) / ln(N)) + 0.5 ln(deep(c)) / ln(deepmax), in [0, 1]",
    "corpus": "-ln(freq(c) / total), natural logarithm",
}
_TINY = 1e-12  # smaller values are rounding errors
_ZHOU = 0.5  # k: the share of Seco's content in Zhou's


@dataclass(frozen=True, eq=False)
class Content:
    """IC of every part (members of a cycle share it), nan where there is none; and the greatest possible IC."""

    values: FloatArray
    greatest: float

    def __post_init__(self) -> None:
        freeze(self.values)

    def refuse_without(self, ontology: Ontology, concepts: LongArray) -> None:
        """Refuse concepts that have no IC."""
        if not np.isnan(self.values).any():
            return
        part = ontology.hierarchy.closure.part
        missing = np.unique(concepts[np.isnan(self.values[part[concepts]])])
        if len(missing):
            names = listed(repr(ontology.hierarchy.iris[concept]) for concept in missing.tolist())
            count = number_of(len(missing), "concept", "concepts")
            raise MissingInputError(
                f"no information content for {count} (count 0, also of all descendants): {names}",
                advice="Use smoothing=add-one, or another ic.",
            )


def content(ontology: Ontology, kind: Kind, smoothing: Smoothing, leaf_itself: bool) -> Content:
    """IC(c) by Seco et al. 2004, Sanchez et al. 2011, Zhou et al. 2008, or from counts (Resnik 1995)."""
    closure = ontology.hierarchy.closure
    if kind == "corpus":
        return _corpus(ontology, closure, smoothing)
    if len(closure.part) == 1:
        return Content(np.ones(len(closure.part)), 1.0)
    if kind == "sanchez":
        return _sanchez(closure, leaf_itself)
    seco = _seco(closure)
    return Content(_without_rounding(seco if kind == "seco" else _zhou(closure, seco)), 1.0)


def with_individuals(classes: Content, kind: Kind, closure: Closure) -> Content:
    """The content of classes, and behind them that of individuals, whose closure it is.

    It is that of a leaf by Seco (1) and by Zhou (deep(i): one more than that of its deepest class, at most deepmax),
    and else that of its most informative class.
    """
    size = len(classes.values)
    indptr = closure.parents.indptr[size:]
    above = closure.parents.indices[indptr[0] :]
    first = indptr[:-1] - indptr[0]
    if kind == "seco":
        values = np.ones(len(first))
    elif kind == "zhou":
        deepest = closure.level[:size].max() + 1.0
        deep = np.minimum(np.maximum.reduceat(closure.level[above], first) + 2.0, deepest)
        values = _ZHOU + (1.0 - _ZHOU) * np.log(deep) / np.log(deepest) if deepest > 1 else np.ones(len(first))
    else:
        values = np.fmax.reduceat(classes.values[above], first)
    return Content(np.concatenate([classes.values, values]), classes.greatest)


def _below(closure: Closure, values: FloatArray) -> FloatArray:
    """For every part the sum of `values` over the parts strictly below it."""
    indptr, indices = closure.part_ancestors
    return np.bincount(indices, weights=np.repeat(values, np.diff(indptr)), minlength=len(values)).astype(np.float64)


def _seco(closure: Closure) -> FloatArray:
    """1 - ln(hypo(c) + 1) / ln(N); hypo(c) + 1 counts c, the others of its cycle and all below."""
    size = closure.part_size.astype(np.float64)
    result: FloatArray = 1.0 - np.log(_below(closure, size) + size) / np.log(len(closure.part))
    return result


def _sanchez(closure: Closure, leaf_itself: bool) -> Content:
    """-ln((leaves(c) / subsumers(c) + 1) / (maxleaves + 1))."""
    size = closure.part_size.astype(np.float64)
    inner = np.zeros(len(size), dtype=bool)
    inner[closure.parents.indices] = True
    leaves = np.where(inner, 0.0, size)
    below = _below(closure, leaves) + (~inner if leaf_itself else 0.0)
    subsumers = closure.ancestor_count[closure.first[:-1]] + 1.0
    most = leaves.sum()
    return Content(_without_rounding(-np.log((below / subsumers + 1.0) / (most + 1.0))), float(np.log(most + 1.0)))


def _zhou(closure: Closure, seco: FloatArray) -> FloatArray:
    """Half Seco(c), half ln(deep(c)) / ln(deepmax), deep: concepts on the longest chain from the root (k = 0.5)."""
    deep = closure.level + 1.0
    if deep.max() == 1:
        return seco
    result: FloatArray = _ZHOU * seco + (1.0 - _ZHOU) * np.log(deep) / np.log(deep.max())
    return result


def _corpus(ontology: Ontology, closure: Closure, smoothing: Smoothing) -> Content:
    """-ln(freq(c) / total), freq: the counts of c and of all below it."""
    by_concept = own_counts(ontology) + (1.0 if smoothing == "add-one" else 0.0)
    counts = np.bincount(closure.part, weights=by_concept, minlength=len(closure.part_size)).astype(np.float64)
    total = counts.sum()
    if not total:
        raise MissingInputError(
            "no concept occurs in the corpus: every count is 0", advice="Add counts, or use smoothing=add-one."
        )
    freq = _below(closure, counts) + counts
    values = np.full(len(freq), np.nan)
    np.log(freq / total, out=values, where=freq > 0)
    values = _without_rounding(-values)
    return Content(values, float(np.nanmax(values)))


def own_counts(ontology: Ontology) -> FloatArray:
    """How often each concept itself occurs in the corpus: its count, else the number of its instances."""
    if ontology.counts is not None:
        return ontology.counts
    if ontology.instances is None:
        raise MissingInputError(
            f"ic=corpus needs counts or instances, but {ontology.source.path} has none",
            advice="Use {Ontology.with_counts()} or {instances=FILE}.",
        )
    return np.bincount(ontology.instances.strength.indices, minlength=len(ontology.hierarchy)).astype(np.float64)


def _without_rounding(values: FloatArray) -> FloatArray:
    """The values with rounding errors around 0 as 0."""
    return np.where(np.abs(values) < _TINY, 0.0, values)
