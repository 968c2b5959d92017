"""What csc, sc, uc, cuc, ds, cds hold: sizes, overlaps, optimistic estimates (averages: taxonomic.py); `shared_above`.

C and R are the concepts of the two sides, K the common ones. Whether x < y depends only on the parts (cycles or single
concepts) of x and y, so everything is counted on parts: a cycle of 5,000 concepts is one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ontoeval.model.arrays import BoolArray, FloatArray, IntArray, LongArray, runs, spans
from ontoeval.model.closure import BLOCK, Closure
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.tasks.comparison import Comparison

Extract = Literal["csc", "sc", "uc", "cuc", "ds", "cds"]
_DENSE = 16_000_000  # cells of a dense block


@dataclass(frozen=True, eq=False)
class Overlap:
    """For each common concept c: |ce(c, O_C) ∩ ce(c, O_R)|, |ce(c, O_C)| and |ce(c, O_R)|."""

    both: FloatArray
    learned: FloatArray
    gold: FloatArray

    def swapped(self, order: LongArray) -> Overlap:
        """The same with the sides exchanged, in another order."""
        return Overlap(self.both[order], self.gold[order], self.learned[order])


@dataclass(frozen=True, eq=False)
class SharedCounts:
    """What two orders share, for each common concept."""

    above: FloatArray  # common concepts above it on both sides
    comparable: FloatArray  # above or below it on both sides, not necessarily the same way


def extract_overlap(task: Comparison, extract: Extract) -> Overlap:
    """Sizes and intersections of the extracts of the common concepts."""
    return task.cached(("overlap", extract), lambda: _overlap(task, extract))


def _common_order(task: Comparison) -> LongArray:
    """The positions of the common concepts of the swapped task in the order of this one."""
    return np.argsort(task.swapped.common[1], kind="stable")


def _overlap(task: Comparison, extract: Extract) -> Overlap:
    if task.is_swapped:
        return extract_overlap(task.swapped, extract).swapped(_common_order(task))
    learned, gold = task.common
    sizes = extract_sizes(task, extract)[learned], extract_sizes(task.swapped, extract)[gold]
    if extract in ("ds", "cds"):
        return Overlap(_common_children(task), *sizes)
    shared = _shared_counts(task)
    both = shared.above if extract in ("uc", "cuc") else shared.comparable
    itself = 0.0 if extract in ("cuc", "csc") else 1.0
    return Overlap(both + itself, *sizes)


def _common_children(task: Comparison) -> FloatArray:
    """For each common concept the direct subconcepts that both sides give it."""
    hierarchies, width = (task.learned.hierarchy, task.gold.hierarchy), len(task.common[0])
    links, gold_links = (
        direct_children(h, _number(common, h))[1] for h, common in zip(hierarchies, task.common, strict=True)
    )
    shared = np.intersect1d(links, gold_links, assume_unique=True)
    return np.bincount(shared // max(width, 1), minlength=width).astype(np.float64)


def shared_above(task: Comparison) -> FloatArray:
    """For each common concept the common concepts above it on both sides."""
    if task.is_swapped:
        return shared_above(task.swapped)[_common_order(task)]
    return _shared_counts(task).above


def extract_sizes(task: Comparison, extract: Extract) -> FloatArray:
    """|ce(c, O_C)| of every learned concept."""
    hierarchy = task.learned.hierarchy
    everything = np.arange(len(hierarchy), dtype=np.int32)
    if extract in ("ds", "cds"):
        return direct_children(hierarchy, _number(task.common[0], hierarchy) if extract == "cds" else everything)[0]
    members = task.common[0] if extract in ("csc", "cuc") else everything
    above, comparable = related_counts(hierarchy.closure, members)
    itself = 0.0 if extract in ("csc", "cuc") else 1.0
    return (above if extract in ("uc", "cuc") else comparable) + itself


def optimistic_estimate(task: Comparison, extract: Extract) -> Estimate:
    """The optimistic estimation for the novel concepts, over all gold concepts."""
    return task.cached(("estimate", extract), lambda: _estimate(task, extract))


def _estimate(task: Comparison, extract: Extract) -> Estimate:
    if not len(task.novel):
        return Estimate(np.zeros(0), np.zeros(0))
    sizes, gold_sizes = extract_sizes(task, extract)[task.novel], extract_sizes(task.swapped, extract)
    learned, gold = task.learned.hierarchy, task.gold.hierarchy
    gold_number = _number(task.common[1], gold)
    if extract in ("ds", "cds"):
        width, number = len(task.common[0]), _number(task.common[0], learned)
        return best_children(
            child_rows(learned, task.novel, number, width),
            sizes,
            child_rows(gold, np.arange(len(gold_sizes)), gold_number, width),
            gold_sizes,
        )
    if extract in ("csc", "cuc"):  # the concept itself included
        gold_sizes = gold_sizes + (gold_number >= 0)
    member = gold.closure.first[:-1]
    return best_relatives(_cells(task), extract, task.novel, sizes, gold_sizes[member])


def _number(common: IntArray, hierarchy: Hierarchy) -> IntArray:
    """The place of each concept among the common ones, or -1."""
    number = np.full(len(hierarchy), -1, dtype=np.int32)
    number[common] = np.arange(len(common), dtype=np.int32)
    return number


def _cells(task: Comparison) -> Cells:
    closures = task.learned.hierarchy.closure, task.gold.hierarchy.closure
    return task.cached("cells", lambda: Cells(*closures, *task.common))


def _shared_counts(task: Comparison) -> SharedCounts:
    return task.cached("shared cells", lambda: _cells(task).shared())


def weigh(closure: Closure, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each part the sum of the parts' weights over its proper ancestors, and over its proper descendants."""
    indptr, indices = closure.part_ancestors
    sums = np.concatenate([[0.0], np.cumsum(weight[indices])])
    above = sums[indptr[1:]] - sums[indptr[:-1]]
    below = np.bincount(indices, weights=np.repeat(weight, np.diff(indptr)), minlength=len(weight))
    return above, below.astype(np.float64)


def related_counts(closure: Closure, members: IntArray) -> tuple[FloatArray, FloatArray]:
    """For each concept of the hierarchy how many other `members` are above it, and how many above or below it.

    A cycle mate is both above and below, and counts once.
    """
    part = closure.part
    weight = np.bincount(part[members], minlength=len(closure.part_size)).astype(np.float64)
    above, below = weigh(closure, weight)
    is_member = np.zeros(len(part))
    is_member[members] = 1.0
    mates = weight[part] - is_member
    return above[part] + mates, (above + below)[part] + mates


class Cells:
    """Common concepts that lie in the same part on both sides: what holds of one holds of all."""

    def __init__(self, learned: Closure, gold: Closure, learned_ids: IntArray, gold_ids: IntArray) -> None:
        left, right = learned.part[learned_ids], gold.part[gold_ids]
        key = left.astype(np.int64) * len(gold.part_size) + right
        unique, self.of_concept, counts = np.unique(key, return_inverse=True, return_counts=True)
        self.sides = (
            _CellSide(learned, (unique // len(gold.part_size)).astype(np.int32)),
            _CellSide(gold, (unique % len(gold.part_size)).astype(np.int32)),
        )
        self.size = counts.astype(np.float64)

    def shared(self) -> SharedCounts:
        """Walk through the related cells of the side that has fewer and look each pair up on the other side."""
        smaller, larger = sorted(self.sides, key=lambda side: side.pairs)
        single = bool(np.all(self.size == 1.0))
        above = self.size - 1.0
        comparable = self.size - 1.0
        for low, high in smaller.related():
            upward, related = larger.relation(low, high)
            above += self._count(low[upward], high[upward], single)
            low, high = low[related], high[related]
            comparable += self._count(low, high, single)
            # a pair inside a cycle comes both ways by itself
            separate = smaller.part[low] != smaller.part[high]
            comparable += self._count(high[separate], low[separate], single)
        return SharedCounts(above[self.of_concept], comparable[self.of_concept])

    def _count(self, at: LongArray, counted: LongArray, single: bool) -> FloatArray:
        weights = None if single else self.size[counted]
        return np.bincount(at, weights=weights, minlength=len(self.size)).astype(np.float64)


class _CellSide:
    """The order of one side among the cells."""

    def __init__(self, closure: Closure, part: IntArray) -> None:
        self.closure = closure
        self.part = part  # of each cell
        self.order = np.argsort(part, kind="stable")
        self.count = np.bincount(part, minlength=len(closure.part_size))
        self.first = np.concatenate([[0], np.cumsum(self.count)])
        indptr, indices = closure.part_ancestors
        # in each row of ancestors, how many cells they have
        self.running = np.concatenate([[0], np.cumsum(self.count[indices])])
        self.above = self.running[indptr[1:]] - self.running[indptr[:-1]]
        self.pairs = int(np.dot(self.count, self.above + self.count - 1))

    def related(self) -> Iterator[tuple[LongArray, LongArray]]:
        """Every pair of different cells with the second above the first (or in the same cycle), in blocks."""
        cells = self.order  # by part
        work = np.cumsum((self.above + self.count)[self.part[cells]])
        cuts = np.flatnonzero(np.diff(work // BLOCK)) + 1
        for block in np.split(cells, cuts):
            yield self._pairs_of(block)

    def _pairs_of(self, cells: LongArray) -> tuple[LongArray, LongArray]:
        indptr, indices = self.closure.part_ancestors
        parts = self.part[cells]
        width = indptr[parts + 1] - indptr[parts]
        ancestors = indices[spans(indptr[parts], width)]
        low = np.repeat(cells, width)
        held = self.count[ancestors]
        if held.max(initial=0) <= 1:
            kept = held > 0
            low, high = low[kept], self.order[self.first[ancestors[kept]]]
        else:
            low, high = np.repeat(low, held), self.order[spans(self.first[ancestors], held)]
        mates_count = self.count[parts]
        if mates_count.max(initial=0) <= 1:
            return low, high
        mates, mate = np.repeat(cells, mates_count), self.order[spans(self.first[parts], mates_count)]
        differ = mates != mate
        return np.concatenate([low, mates[differ]]), np.concatenate([high, mate[differ]])

    def relation(self, low: LongArray, high: LongArray) -> tuple[BoolArray, BoolArray]:
        """Beside the pairs: is `high` above `low` here; is it above or below."""
        left, right = self.part[low].astype(np.int64), self.part[high].astype(np.int64)
        related = (left == right) | self.closure.above(np.maximum(left, right), np.minimum(left, right))
        return related & (right <= left), related


def direct_children(hierarchy: Hierarchy, number: IntArray) -> tuple[FloatArray, LongArray]:
    """Per concept its direct subconcepts with a number, and the edges between numbered concepts as sorted keys.

    `number` gives each concept its place in the common numbering, or -1.
    """
    tails, heads = hierarchy.parents.tails, hierarchy.parents.indices
    counted = number[tails] >= 0
    children = np.bincount(heads[counted], minlength=len(hierarchy)).astype(np.float64)
    both = counted & (number[heads] >= 0)
    keys = number[heads[both]].astype(np.int64) * (int(number.max(initial=0)) + 1) + number[tails[both]]
    return children, np.sort(keys)


def child_rows(hierarchy: Hierarchy, concepts: LongArray, column: IntArray, width: int) -> csr_array:
    """Concepts x common concepts: 1 for each direct subconcept that is common.

    `column` gives each concept of the hierarchy its place among the common ones, or -1.
    """
    rows, children = _gather_rows(hierarchy.children.indptr, hierarchy.children.indices, concepts)
    columns = column[children]
    kept = columns >= 0
    ones = np.ones(int(kept.sum()), dtype=np.float32)
    return csr_array((ones, (rows[kept], columns[kept])), shape=(len(concepts), width))


def _gather_rows(indptr: LongArray, indices: IntArray, rows: npt.NDArray[Any]) -> tuple[LongArray, npt.NDArray[Any]]:
    """(place in `rows`, index) of some rows of a compressed matrix, one after the other."""
    lengths = indptr[rows + 1] - indptr[rows]
    return np.repeat(np.arange(len(rows)), lengths), indices[spans(indptr[rows], lengths)]


@dataclass(frozen=True, eq=False)
class Estimate:
    """For each of some concepts the best that any concept of the other side can offer."""

    shared: FloatArray  # max |ce(c) ∩ ce(c')|
    overlap: FloatArray  # max |ce(c) ∩ ce(c')| / |ce(c) ∪ ce(c')|


def best_children(rows: csr_array, sizes: FloatArray, others: csr_array, other_sizes: FloatArray) -> Estimate:
    """The optimistic estimation on direct subconcepts: maxima over all rows of `others`; equal rows count once."""
    distinct, inverse = _distinct(rows, sizes)
    other_distinct, _ = _distinct(others, other_sizes)
    rows, sizes = rows[distinct], sizes[distinct]
    others, other_sizes = others[other_distinct], other_sizes[other_distinct]
    shared, overlap = np.zeros(len(distinct)), np.zeros(len(distinct))
    for block in _dense_blocks(len(distinct), max(others.shape)):
        common = others @ rows[block].toarray().T  # others x block
        shared[block] = common.max(axis=0, initial=0.0)
        overlap[block] = _jaccard(common, other_sizes[:, None], sizes[None, block]).max(axis=0, initial=0.0)
    return Estimate(shared[inverse], overlap[inverse])


def _dense_blocks(count: int, width: int) -> Iterator[slice]:
    step = max(1, _DENSE // max(1, width))
    for start in range(0, count, step):
        yield slice(start, start + step)


def _jaccard(common: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """|A ∩ B| / |A ∪ B|, 0 of two empty sets: they are no evidence that two different concepts are the same (C5)."""
    union = left + right - common
    result: FloatArray = np.divide(common, union, out=np.zeros(union.shape), where=union > 0)
    return result


class Relatives:
    """The common relatives of every concept of one side, as cells: those of other parts, and those of its own.

    What a concept has above and below it depends on its part alone, and many parts have the same: siblings without
    children, for instance. Equal rows are kept once, before they are written out.
    """

    def __init__(self, closure: Closure, part_of_cell: IntArray, *, both_ways: bool) -> None:
        parts, cells = len(closure.part_size), len(part_of_cell)
        held = np.bincount(part_of_cell, minlength=parts) > 0
        indptr, indices = closure.part_ancestors
        ones = np.ones(len(indices), dtype=np.float32)
        relation = csr_array((ones, indices, indptr), shape=(parts, parts))
        if both_ways:
            relation = csr_array(relation + relation.T)
        relation = csr_array(relation[:, held])
        distinct, self.row_of_part = _distinct(relation, np.zeros(parts))
        ones = np.ones(cells, dtype=np.float32)
        self.members = csr_array((ones, (part_of_cell, np.arange(cells))), shape=(parts, cells))
        self.rows = csr_array(relation[distinct] @ self.members[held])

    def of(self, parts: npt.NDArray[Any]) -> csr_array:
        """Parts x cells: the common relatives of a concept of each part, those of the part itself included."""
        return csr_array(self.rows[self.row_of_part[parts]] + self.members[parts])


def best_relatives(
    cells: Cells, extract: Extract, novel: npt.NDArray[Any], sizes: FloatArray, part_sizes: FloatArray
) -> Estimate:
    """The optimistic estimation on what is above (and below) a concept: maxima over all concepts of the other side.

    `novel` are learned concepts without a partner, `sizes` those of their extracts, `part_sizes` those of the extracts
    of the other side's parts, a concept itself included. X is what such a concept has in common with K, and for a gold
    concept c' of part p, R(p) are the common relatives of p, its own common members included. Then
    |X ∩ sc(c')| = |X ∩ R(p)| and |X ∩ csc(c')| = |X ∩ R(p)| - [c' ∈ X].
    """
    learned, gold_relatives = (
        Relatives(side.closure, side.part, both_ways=extract in ("sc", "csc")) for side in cells.sides
    )
    parts = cells.sides[0].closure.part[novel]
    alone = cells.sides[0].count[parts] == 0  # only its own part tells such a concept from others of the same row
    keys = np.stack([learned.row_of_part[parts].astype(np.float64), np.where(alone, -1, parts), sizes])
    _, first, inverse = np.unique(keys, axis=1, return_index=True, return_inverse=True)
    gold = cells.sides[1].closure
    held = np.bincount(cells.sides[1].part, weights=cells.size, minlength=len(gold.part_size)).astype(np.float64)
    shared, overlap = np.zeros(len(first)), np.zeros(len(first))
    for block in _dense_blocks(len(first), max(len(gold.part_size), len(cells.size))):
        counted = learned.of(parts[first[block]]).toarray().T * cells.size[:, None].astype(np.float32)  # cells x block
        own_members = gold_relatives.members @ counted
        common = (gold_relatives.rows @ counted)[gold_relatives.row_of_part] + own_members
        block_sizes = sizes[first[block]][None, :]
        if extract in ("sc", "uc"):
            values = common, _jaccard(common, part_sizes[:, None], block_sizes)
        else:
            values = _without_itself(
                common, own_members, held[:, None], gold.part_size[:, None], part_sizes[:, None], block_sizes
            )
        shared[block], overlap[block] = (value.max(axis=0) for value in values)
    return Estimate(shared[inverse.ravel()], overlap[inverse.ravel()])


def _without_itself(
    common: FloatArray,
    own_members: FloatArray,
    held: FloatArray,
    members: LongArray,
    whole: FloatArray,
    sizes: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """The best of each part for csc and cuc, in which a common concept is not itself.

    A part may have a concept that is not common, a common one outside X, and a common one of X.
    """
    stranger, outside = members > held, own_members < held
    inside = (own_members > 0) & ~outside
    overlap = _jaccard(common, whole, sizes) * stranger
    np.maximum(overlap, _jaccard(common, whole - 1, sizes) * outside, out=overlap)
    np.maximum(overlap, _jaccard(common - 1, whole - 1, sizes) * inside, out=overlap)
    return np.where(stranger | outside, common, common - 1), overlap


def _distinct(rows: csr_array, sizes: FloatArray) -> tuple[LongArray, LongArray]:
    """Which rows to keep of those that are equal in content and size, and where each row went.

    Rows are told apart by 128 random bits per column, added up.
    """
    random = np.random.default_rng(0)
    lines = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    marks = np.zeros((2, rows.shape[0]), dtype=np.uint64)
    for mark in marks:
        bits = random.integers(0, 2**64, size=rows.shape[1], dtype=np.uint64)
        np.add.at(mark, lines, bits[rows.indices])
    order = np.lexsort((*marks, sizes))
    first = runs(*marks[:, order], sizes[order])
    inverse = np.empty(len(order), dtype=np.int64)
    inverse[order] = np.repeat(np.arange(len(first)), np.diff(first, append=len(order)))
    return order[first], inverse
