"""SetRel, SetP/R/F (by similarity), LabelP/R/F (near misses), hP/hR/hF, SetGIC (LCAF: nearest_ancestors.py)."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from scipy.optimize import linear_sum_assignment

from ontoeval.concepts.information_content import Kind, Smoothing
from ontoeval.concepts.space import Space
from ontoeval.measures.annotations._document_averages import Average, Shares, both_empty, counts_of, f_measure, mean
from ontoeval.measures.annotations._label_sets import (
    NEAR_MISSES,
    Credit,
    LabelPairs,
    Labels,
    LabelTable,
    Similarities,
    document_blocks,
)
from ontoeval.measures.concepts.relatedness import check_content  # the import also registers LC
from ontoeval.measures.registry import REGISTRY, Family, Measure, UnmetNeedError, measure
from ontoeval.measures.similarity_parameter import BDM, check_similarity
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.results import Score
from ontoeval.tasks.extraction import Extraction

Halves = Literal["best", "one-to-one"]
Pairings = Literal["best", "average", "one-to-one"]
Root = Literal["out", "in"]

_LC = REGISTRY.parse("LC")

_labelling = partial(measure, dimension="labelling")


class _SetRelatedness:
    """The best similarities of each side's labels with those of the other side (Deloo & Hauff eq. 1)."""

    def __init__(self, task: Extraction, similarity: Measure, one_to_one: bool) -> None:
        self.labels = labels = LabelTable.of(task)
        self.counts = counts_of(labels)
        assigned, true = labels.assigned, labels.true
        of_assigned, of_true = task.cached(
            (_SetRelatedness, similarity, one_to_one), lambda: _best_sums(labels, similarity, one_to_one)
        )
        nothing = both_empty(labels)
        self.precision = Shares(of_assigned, assigned.count.astype(np.float64), nothing)
        self.recall = Shares(of_true, true.count.astype(np.float64), nothing)
        self.together = Shares(of_assigned + of_true, (assigned.count + true.count).astype(np.float64), nothing)


def _best_sums(labels: LabelTable, similarity: Measure, one_to_one: bool) -> tuple[FloatArray, FloatArray]:
    """For each document the sum of the best similarities over its assigned, and over its true labels."""
    table = labels.similarities(similarity, labels.assigned)
    if one_to_one:
        total = _one_to_one(table)
        return total, total
    sides = labels.assigned, labels.true
    assigned, true = (side.totals(table.best(side)) for side in sides)
    return assigned, true


def _one_to_one(table: Similarities) -> FloatArray:
    """For each document the greatest total similarity of labels that are paired one to one."""
    rows, columns = table.true, table.assigned
    result = np.zeros(rows.size)
    for low, high in document_blocks(rows, columns):
        pairs = LabelPairs.of(rows, columns, low, high)
        values = table(pairs.row, pairs.column)
        start = 0
        for document in np.unique(rows.document[pairs.rows]).tolist():
            shape = int(rows.count[document]), int(columns.count[document])
            grid = values[start : start + shape[0] * shape[1]].reshape(shape)
            result[document] = grid[linear_sum_assignment(grid, maximize=True)].sum()
            start += grid.size
    return result


_set_measure = partial(_labelling, source="Deloo & Hauff 2013", check=check_similarity)


@_set_measure("SetRel", symmetric=True, sets={"classic": 27})
def set_relatedness(
    task: Extraction,
    *,
    similarity: Measure = _LC,
    pairing: Pairings = "best",
    average: Average = "macro",
) -> Score:
    """Relatedness of the assigned and the true labels.

    (sum over assigned c of the greatest rel(c, e), e true + sum over true e of the greatest rel(c, e), c assigned)
    / (assigned + true), rel the measure `similarity` (eq. 1). `pairing=average`: the mean of both halves, SetP and
    SetR; `one-to-one`: 2 T / (assigned + true), T the greatest total of rel over one-to-one pairings.
    A label that is not in the ontology has relatedness 0 with everything. Labels count once. Both sets empty: 1,
    one: 0. `average=macro` is the mean over documents, `micro` pools their numerators and denominators.
    """
    relatedness = _SetRelatedness(task, similarity, pairing == "one-to-one")
    if pairing != "average":
        return relatedness.together.score(average, relatedness.counts)
    if average == "micro":
        return Score.of(
            _middle,
            relatedness.precision.score(average, relatedness.counts),
            relatedness.recall.score(average, relatedness.counts),
        )
    values = _middle(relatedness.precision.values, relatedness.recall.values)
    return mean(np.arange(len(values)), values, relatedness.counts)


def _middle(left: Any, right: Any) -> Any:
    return (left + right) / 2


@_set_measure("SetP", default=27, sets={"classic": 28})
def set_precision(
    task: Extraction, *, similarity: Measure = _LC, pairing: Halves = "best", average: Average = "macro"
) -> Score:
    """Semantic precision of the assigned labels.

    The sum over assigned labels c of the greatest rel(c, e), e true, over their number, rel the measure `similarity`:
    each label earns credit from 0 (unrelated) to 1 (a true one). `pairing=one-to-one`: the greatest total of rel over
    one-to-one pairings, over their number. A label that is not in the ontology has relatedness 0 with everything.
    Labels count once. Both sets empty: 1, one: 0. `average=macro` is the mean over documents, `micro` pools their
    numerators and denominators. It is the first half of SetRel.
    """
    relatedness = _SetRelatedness(task, similarity, pairing == "one-to-one")
    return relatedness.precision.score(average, relatedness.counts)


@_set_measure("SetR", default=28, sets={"classic": 29})
def set_recall(
    task: Extraction, *, similarity: Measure = _LC, pairing: Halves = "best", average: Average = "macro"
) -> Score:
    """Semantic recall of the true labels.

    The sum over true labels e of the greatest rel(c, e), c assigned, over their number; all else as for SetP. It is the
    second half of SetRel.
    """
    relatedness = _SetRelatedness(task, similarity, pairing == "one-to-one")
    return relatedness.recall.score(average, relatedness.counts)


@_set_measure(
    "SetF", symmetric=True, default=29, sets={"classic": 30},
    family=Family("Graded", "credit for the nearest label", "SetP", "SetR"),
)  # fmt: skip
def set_f(
    task: Extraction, *, similarity: Measure = _LC, pairing: Halves = "best", average: Average = "macro"
) -> Score:
    """Harmonic mean of semantic precision and recall.

    2 P R / (P + R) of SetP and SetR; it is not the same number as SetRel. `average=macro` is the mean of the documents'
    values, `micro` the harmonic mean of the pooled ones.
    """
    relatedness = _SetRelatedness(task, similarity, pairing == "one-to-one")
    return f_measure(relatedness.precision, relatedness.recall, average, relatedness.counts)


# near misses


class _CreditedLabels:
    """Precision and recall of each document's labels with credit for near misses."""

    def __init__(self, task: Extraction, credit: Credit, similarity: Measure) -> None:
        self.labels = labels = LabelTable.of(task)
        self.counts = counts_of(labels)
        self.nothing = both_empty(labels)
        self.credit, self.similarity = credit, similarity

    def share(self, side: Labels) -> Shares:
        """Of the assigned labels (precision), or of the true ones (recall)."""
        choice = _CreditedLabels, self.credit, self.similarity, side is self.labels.true
        total = self.labels.task.cached(choice, lambda: self._credit(side))
        return Shares(total, side.count.astype(np.float64), self.nothing)

    def _credit(self, side: Labels) -> FloatArray:
        labels = self.labels
        if self.credit == "high":
            return side.totals(labels.similarities(self.similarity, labels.assigned).best(side))
        other = labels.assigned if side is labels.true else labels.true
        correct = side.totals(labels.places(side, other) >= 0)
        if self.credit == "binary":
            return correct
        table = labels.similarities(self.similarity, labels.assigned)
        return correct + table.credit_of_picks(side, np.arange(labels.size), side.count)

    @property
    def precision(self) -> Shares:
        return self.share(self.labels.assigned)

    @property
    def recall(self) -> Shares:
        return self.share(self.labels.true)


_label_measure = partial(
    _labelling,
    source="Li, Bontcheva & Maynard 2007 (NTCIR-6)",
    check=check_similarity,
    meanings={"credit": {"binary": "near misses are wrong", **NEAR_MISSES}},
)
_HIGH = {"credit": "high"}


@_label_measure("LabelP_high", params=_HIGH, sets={"classic": 24})
@_label_measure("LabelP", default=21, sets={"classic": 21})
def label_precision(task: Extraction, *, credit: Credit = "binary", similarity: Measure = BDM) -> Score:
    """Precision of the assigned labels.

    What the assigned labels earn, over their number; the mean over documents. `credit=binary`: 1 for a true label;
    `high`: the greatest sim(g, F) of label F with a true label g (eq. 4); `low`: each missed true label picks the
    wrong label that is most similar to it (compared in millionths, ties: smallest IRI), which earns the greatest sim
    of those that picked it; correct labels earn 1 (eq. 5). sim is the measure `similarity`; a label that is not in the
    ontology earns 0. Labels count once. Nothing assigned: 1 if nothing is true, else 0.
    """
    credited = _CreditedLabels(task, credit, similarity)
    return credited.precision.score("macro", credited.counts)


@_label_measure("LabelR_high", params=_HIGH, sets={"classic": 25})
@_label_measure("LabelR", default=22, sets={"classic": 22})
def label_recall(task: Extraction, *, credit: Credit = "binary", similarity: Measure = BDM) -> Score:
    """Recall of the true labels.

    As LabelP with the roles of assigned and true labels swapped. `credit=binary`: 1 for a label that was assigned;
    `high`: each true label earns its greatest sim with an
    assigned one; `low`: each wrong label picks a missed one. The true label is the key of sim here, too. Nothing true:
    1 if nothing is assigned, else 0.
    """
    credited = _CreditedLabels(task, credit, similarity)
    return credited.recall.score("macro", credited.counts)


@_label_measure("LabelF_high", params=_HIGH, sets={"classic": 26})
@_label_measure(
    "LabelF", default=23, sets={"classic": 23}, family=Family("Exact", "same label", "LabelP", "LabelR")
)  # fmt: skip
def label_f(task: Extraction, *, credit: Credit = "binary", similarity: Measure = BDM) -> Score:
    """Harmonic mean of precision and recall of labels.

    The mean over documents of 2 P R / (P + R), P and R as LabelP and LabelR have them; 0 of 0 and 0. `credit=binary`:
    a label earns 1 if the other side has it, else 0; `high`: its greatest similarity with any label of the other side;
    `low`: 1 if the other side has it, else only what missed labels give to which it is the nearest wrong one (LabelP).
    """
    credited = _CreditedLabels(task, credit, similarity)
    return f_measure(credited.precision, credited.recall, "macro", credited.counts)


# ancestors


class _AugmentedLabels:
    """The labels of each document with all their ancestors; an unknown label is an element that matches nothing."""

    def __init__(self, task: Extraction) -> None:
        if task.ontology is None:
            raise UnmetNeedError("needs an ontology with the ancestors of labels", advice="Set {ontology}.")
        self.labels = labels = LabelTable.of(task)
        self.space = Space.of(task.ontology)
        self.width = len(self.space.rows)
        self.assigned, self.true = self._above(labels.assigned), self._above(labels.true)
        self.common = np.intersect1d(self.assigned, self.true, assume_unique=True)
        self.counts = counts_of(labels)

    @classmethod
    def of(cls, task: Extraction) -> _AugmentedLabels:
        return task.cached(cls, lambda: cls(task))

    def _above(self, labels: Labels) -> LongArray:
        """(document, part), each once, as one number."""
        known = np.flatnonzero(self.labels.known(labels))
        part = self.space.closure.part[self.labels.concept[labels.label[known]]]
        codes: list[LongArray] = [np.zeros(0, dtype=np.int64)]
        rows = self.space.rows
        for some in np.array_split(known, len(known) // 500_000 + 1):
            parts = part[np.searchsorted(known, some)]
            document = np.repeat(labels.document[some], rows.width[parts])
            codes.append(np.unique(document * self.width + rows.tops[rows.positions(parts)]))
        return np.unique(np.concatenate(codes))

    def totals(self, elements: LongArray, weights: FloatArray) -> FloatArray:
        """For each document the sum of the weights of its parts."""
        document, part = np.divmod(elements, self.width)
        return np.bincount(document, weights=weights[part], minlength=self.labels.size).astype(np.float64)

    def shares(self, root: Root) -> tuple[Shares, Shares]:
        """The common elements over the assigned, and over the true ones."""
        each = self.space.closure.part_size.astype(np.float64)  # every member of a cycle is an ancestor
        if root == "out" and self.space.hierarchy.has_root:
            each[self.space.closure.part[0]] -= 1.0
        common = self.totals(self.common, each)
        assigned = self.totals(self.assigned, each) + self.labels.unknown(self.labels.assigned)
        true = self.totals(self.true, each) + self.labels.unknown(self.labels.true)
        nothing = ((assigned == 0) & (true == 0)).astype(np.float64)
        return Shares(common, assigned, nothing), Shares(common, true, nothing)


_ancestor_measure = partial(
    _labelling, source="Kiritchenko et al. 2005; Kosmopoulos et al. 2015", needs=("an ontology",)
)  # fmt: skip


@_ancestor_measure("hP", default=24)
def hierarchical_precision(task: Extraction, *, root: Root = "out", average: Average = "macro") -> Score:
    """Hierarchical precision: of the assigned labels and their ancestors, the share that is true.

    hP = |A ∩ B| / |A|, A the assigned labels with all their ancestors and B the true ones with theirs, the root left
    out unless `root=in`. A label that is not in the ontology is an element that matches nothing. Both sets empty: 1,
    one: 0. `average=macro` is the mean over documents, `micro` pools their numerators and denominators.
    """
    augmented = _AugmentedLabels.of(task)
    return augmented.shares(root)[0].score(average, augmented.counts)


@_ancestor_measure("hR", default=25)
def hierarchical_recall(task: Extraction, *, root: Root = "out", average: Average = "macro") -> Score:
    """Hierarchical recall: of the true labels and their ancestors, the share that was assigned.

    hR = |A ∩ B| / |B|, A, B and all else as for hP.
    """
    augmented = _AugmentedLabels.of(task)
    return augmented.shares(root)[1].score(average, augmented.counts)


@_ancestor_measure(
    "hF", symmetric=True, default=26, sets={"classic": 31},
    family=Family("Ancestors", "labels with all their ancestors", "hP", "hR"),
)  # fmt: skip
def hierarchical_f(task: Extraction, *, root: Root = "out", average: Average = "macro") -> Score:
    """Harmonic mean of hierarchical precision and recall.

    hF = 2 hP hR / (hP + hR): the mean of the documents' values, or with `average=micro` that of the pooled ones.
    """
    augmented = _AugmentedLabels.of(task)
    return f_measure(*augmented.shares(root), average, augmented.counts)


@_labelling("SetGIC", source="Pesquita et al. 2007", symmetric=True, check=check_content, needs=("an ontology",))
def set_gic(
    task: Extraction,
    *,
    ic: Kind = "seco",
    smoothing: Smoothing = "none",
    leaf_itself: bool = False,
    average: Average = "macro",
) -> Score:
    """Weighted Jaccard similarity of the ancestors of assigned and true labels.

    The sum of IC over the concepts that are assigned or above and true or above, over that of all that are one of
    both; IC as for Resnik. A label that is not in the ontology adds the greatest possible IC to the
    denominator. Both sets empty: 1, one: 0; 0/0: 1 if both have the same ancestors, else 0. `average=macro` is the mean
    over documents, `micro` pools their numerators and denominators.
    """
    augmented = _AugmentedLabels.of(task)
    labels, space = augmented.labels, augmented.space
    content = space.content(ic, smoothing, leaf_itself)
    content.refuse_without(space.ontology, np.unique(labels.concept[labels.concept >= 0]))
    content_of_part = np.nan_to_num(content.values) * space.closure.part_size
    common = augmented.totals(augmented.common, content_of_part)
    unknown = labels.unknown(labels.assigned) + labels.unknown(labels.true)
    whole = (
        augmented.totals(augmented.assigned, content_of_part)
        + augmented.totals(augmented.true, content_of_part)
        - common
        + content.greatest * unknown
    )
    whole = np.where(whole > 1e-12, whole, 0.0)
    sizes = [
        augmented.totals(side, np.ones(augmented.width))
        for side in (augmented.assigned, augmented.true, augmented.common)
    ]
    same = (sizes[0] == sizes[2]) & (sizes[1] == sizes[2]) & (unknown == 0)
    shares = Shares(np.minimum(common, whole), whole, same.astype(np.float64))
    return shares.score(average, augmented.counts)
