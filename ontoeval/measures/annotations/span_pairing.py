"""`best_pairs`: one-to-one pairing of key and response spans, strict or lenient: what is maximised (for extraction.py).

Candidates are annotations with the same span or, in lenient mode, spans that share a character. Each annotation is used
at most once. The pairing maximises, in this order, the pairs with the same span, the total similarity in millionths,
the pairs, and the characters that they share.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from ontoeval.model.arrays import BoolArray, FloatArray, LongArray, freeze, row_codes, spans, starts
from ontoeval.tasks.extraction import Extraction, Side

Match = Literal["strict", "lenient"]
Similarities = Callable[[LongArray, LongArray], FloatArray]  # of (key, response) annotations, by position

MILLION = 1_000_000  # similarities are compared in millionths, so that rounding noise decides nothing
FEW = 24  # at most so many pairings of a group are simply enumerated
BLOCK = 1 << 22  # cells of tables held at a time
EXACT = 1 << 51  # sums and differences of whole numbers below it are exact in floating point


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs in the order of the key; positions in the sides of the task."""

    key: LongArray
    response: LongArray
    similarity: FloatArray
    same: BoolArray  # the spans are the same

    def __post_init__(self) -> None:
        for array in (self.key, self.response, self.similarity, self.same):
            freeze(array)

    def __len__(self) -> int:
        return len(self.key)


def best_pairs(task: Extraction, match: Match, similarities: Similarities) -> Pairs:
    """The best pairing of all documents. Nothing depends on the order of the input, which the sides do not show."""
    key, response = task.key_side, task.response_side
    candidates = _strict(key, response) if match == "strict" else _lenient(key, response)
    similarity = similarities(candidates.key, candidates.response)
    best = _best_candidates(candidates, np.rint(similarity * MILLION).astype(np.int64))
    best = best[np.argsort(candidates.key[best], kind="stable")]
    return Pairs(candidates.key[best], candidates.response[best], similarity[best], candidates.same[best])


class Candidates(NamedTuple):
    """Pairs that may be made, sorted by group, key and response; no annotation is in two groups."""

    key: LongArray
    response: LongArray
    same: BoolArray
    overlap: LongArray  # in characters
    group: LongArray  # 0, 1, ... without a gap

    def sorted(self) -> Candidates:
        """In order, with the groups numbered as they come."""
        order = np.lexsort((self.response, self.key, self.group))
        group = np.cumsum(_changes(self.group[order])) - 1
        return Candidates(self.key[order], self.response[order], self.same[order], self.overlap[order], group)


# candidates


def _strict(key: Side, response: Side) -> Candidates:
    return _within(_Spans.of(key, response), key).sorted()


class _Spans(NamedTuple):
    """The different spans of both sides, and the annotations of each: positions in order of their span."""

    of_key: LongArray  # beside the annotations: the number of their span
    of_response: LongArray
    keys: LongArray  # how many annotations each span has
    responses: LongArray

    @classmethod
    def of(cls, key: Side, response: Side) -> _Spans:
        both = [np.concatenate([getattr(key, c), getattr(response, c)]) for c in ("document", "start", "end")]
        codes = row_codes(both)
        different, number = np.unique(codes, return_inverse=True)
        left, right = number[: len(key)], number[len(key) :]
        count = len(different)
        return cls(left, right, np.bincount(left, minlength=count), np.bincount(right, minlength=count))


def _within(span_table: _Spans, key: Side, only: BoolArray | None = None) -> Candidates:
    """All pairs with the same span; with `only`, of these spans."""
    used = (span_table.keys > 0) & (span_table.responses > 0)
    if only is not None:
        used &= only
    keys = np.flatnonzero(used[span_table.of_key])
    by_span = np.argsort(span_table.of_response, kind="stable")
    begin = starts(span_table.responses)
    span = span_table.of_key[keys]
    partners = span_table.responses[span]
    left = np.repeat(keys, partners)
    return Candidates(
        left,
        by_span[spans(begin[span], partners)],
        np.ones(len(left), dtype=bool),
        (key.end - key.start)[left],
        np.repeat(span, partners),
    )


def _lenient(key: Side, response: Side) -> Candidates:
    """Only such pairs as an optimal pairing can have.

    It has as many pairs with the same span as can be. So all annotations of a span that both sides have equally often
    are paired among themselves; of other spans all annotations of the side that has fewer are paired there, and only
    those of the side that has more can also go with another span.
    """
    span_table = _Spans.of(key, response)
    even = span_table.keys == span_table.responses
    more_keys = (span_table.keys > span_table.responses)[span_table.of_key]
    more_responses = (span_table.responses > span_table.keys)[span_table.of_response]
    partial = _overlapping(key, np.flatnonzero(more_keys), response, np.flatnonzero(more_responses))
    settled, same = _within(span_table, key, even), _within(span_table, key, ~even)
    columns = [np.concatenate(pair) for pair in zip(same, partial, strict=True)]
    # an annotation of the key, and behind all those one of the response
    size = len(key) + len(response)
    edges = csr_array((np.ones(len(columns[0]), dtype=bool), (columns[0], len(key) + columns[1])), shape=(size, size))
    _, part = connected_components(edges, directed=False)
    columns[4] = len(span_table.keys) + part[columns[0]].astype(np.int64)
    return Candidates(*(np.concatenate(pair) for pair in zip(settled, columns, strict=True))).sorted()


def _overlapping(key: Side, left: LongArray, response: Side, right: LongArray) -> Candidates:
    """The pairs of these annotations that share a character; none of them has the same span."""
    left, right = left[key.start[left] < key.end[left]], right[response.start[right] < response.end[right]]
    size, cut = len(left), len(left) + len(right)
    document = np.concatenate([key.document[left], response.document[right]])
    start = np.concatenate([key.start[left], response.start[right]])
    end = np.concatenate([key.end[left], response.end[right]])
    place = row_codes([np.tile(document, 2), np.concatenate([start, end])])
    starts, ends = place[:cut], place[cut:]
    # either the response begins inside the key, or the key inside the response but not at its beginning
    key_first = _beginning_within(starts[:size], ends[:size], starts[size:], "left")
    response_first = _beginning_within(starts[size:], ends[size:], starts[:size], "right")
    key_at = np.concatenate([key_first[0], response_first[1]])
    response_at = np.concatenate([key_first[1], response_first[0]])
    shared = np.minimum(end[key_at], end[size + response_at]) - np.maximum(start[key_at], start[size + response_at])
    nothing = np.zeros(len(key_at), dtype=np.int64)
    return Candidates(left[key_at], right[response_at], nothing.astype(bool), shared, nothing)


def _beginning_within(
    low: LongArray, high: LongArray, points: LongArray, side: Literal["left", "right"]
) -> tuple[LongArray, LongArray]:
    """All (interval, point) with low <= point < high, or with side="right" low < point < high."""
    order = np.argsort(points, kind="stable")
    sorted_points = points[order]
    begin = np.searchsorted(sorted_points, low, side=side)
    inside = np.maximum(np.searchsorted(sorted_points, high, side="left") - begin, 0)
    return np.repeat(np.arange(len(low)), inside), order[spans(begin, inside)]


# what a pair is worth


class Groups(NamedTuple):
    """Beside the groups of candidates: how many annotations each has, and where its candidates begin."""

    left: LongArray
    right: LongArray
    first: LongArray  # one more than there are groups
    row: LongArray  # beside the candidates: the place of the key in its group, and of the response
    column: LongArray

    @classmethod
    def of(cls, candidates: Candidates) -> Groups:
        new = _changes(candidates.group)
        first = np.flatnonzero(new)
        row = _ranks_in_group(candidates.group, candidates.key, new)
        by_response = np.lexsort((candidates.response, candidates.group))
        column = np.empty(len(row), dtype=np.int64)
        column[by_response] = _ranks_in_group(candidates.group, candidates.response[by_response], new)
        sizes = [np.maximum.reduceat(places, first) + 1 if len(first) else row for places in (row, column)]
        return cls(sizes[0], sizes[1], np.append(first, len(row)), row, column)


def _ranks_in_group(group: LongArray, values: LongArray, new: BoolArray) -> LongArray:
    """0, 1, ... for the different values of each group, both sorted."""
    number = np.cumsum(new | _changes(values)) - 1
    start: LongArray = number[new][group] if len(number) else number
    return number - start


def _changes(column: LongArray) -> BoolArray:
    """True where a value is not the one before it."""
    changes: BoolArray = np.ones(len(column), dtype=bool)
    np.not_equal(column[1:], column[:-1], out=changes[1:])
    return changes


def _best_candidates(candidates: Candidates, similarity: LongArray) -> LongArray:
    """The candidates of the best pairing, by position; `similarity` is in millionths."""
    groups = Groups.of(candidates)
    count = len(groups.left)
    if not count:
        return np.zeros(0, dtype=np.int64)
    first = groups.first[:-1]
    mixed = ~np.logical_and.reduceat(candidates.same, first)
    greatest = np.maximum.reduceat(candidates.overlap, first)
    smaller = np.minimum(groups.left, groups.right)
    bound = smaller * _weight(1.0, MILLION, greatest, smaller.astype(np.float64), greatest)
    exact = mixed & (bound >= EXACT)
    mixed &= ~exact
    # where all spans are the same as many pairs are made as there can be, and the similarity alone decides
    weight = 1 + similarity
    some = np.flatnonzero(mixed[candidates.group])
    where = candidates.group[some]
    weight[some] = _weight(
        candidates.same[some], similarity[some], candidates.overlap[some], smaller[where], greatest[where]
    )
    best = [*_by_enumeration(groups, weight, ~exact), *_by_assignment(groups, weight, ~exact)]
    for group in np.flatnonzero(exact).tolist():
        best.append(_by_exact_weights(candidates, groups, group, similarity))
    return np.concatenate(best)


def _weight(same: Any, similarity: Any, overlap: Any, k: Any, greatest: Any) -> Any:
    """The worth of a pair in a group whose smaller side has k annotations: each part outweighs k times the next one."""
    return overlap + (1 + k * greatest) * (1 + (k + 1) * (similarity + (MILLION * k + 1) * same))


# the greatest total


def _by_enumeration(groups: Groups, weight: LongArray, usable: BoolArray) -> Iterator[LongArray]:
    """Small groups: all ways to pair them, for all groups of one shape at a time."""
    low, high = np.minimum(groups.left, groups.right), np.maximum(groups.left, groups.right)
    small = usable & _few(low, high)
    shape = groups.left * (FEW + 1) + groups.right
    for code in np.unique(shape[small]).tolist():
        group = np.flatnonzero(small & (shape == code))
        left, right = divmod(code, FEW + 1)
        ways = np.array(list(permutations(range(max(left, right)), min(left, right))))
        step = max(1, BLOCK // (ways.size + left * right))
        for begin in range(0, len(group), step):
            cells, worth = _tables(groups, weight, group[begin : begin + step], left, right)
            if left > right:
                cells, worth = cells.transpose(0, 2, 1), worth.transpose(0, 2, 1)
            rows = np.arange(ways.shape[1])
            best = ways[np.argmax(worth[:, rows, ways].sum(axis=2), axis=1)]
            candidates = np.take_along_axis(cells, best[:, :, None], axis=2).ravel()
            yield candidates[candidates >= 0]


def _few(low: LongArray, high: LongArray) -> BoolArray:
    """True where `low` things can go with `high` others in few ways only: high! / (high - low)!."""
    ways, inside = np.ones(len(low), dtype=np.int64), high <= FEW
    for taken in range(4):  # 5 * 4 * 3 * 2 are more than FEW
        ways = np.where(inside & (taken < low), ways * np.maximum(high - taken, 1), ways)
    few: BoolArray = inside & (ways <= FEW)
    return few


def _tables(groups: Groups, weight: LongArray, group: LongArray, left: int, right: int) -> tuple[LongArray, LongArray]:
    """Groups x left x right: the candidate in each cell, -1 without one, and what it is worth."""
    sizes = groups.first[group + 1] - groups.first[group]
    candidates = spans(groups.first[group], sizes)
    place = np.repeat(np.arange(len(group)), sizes), groups.row[candidates], groups.column[candidates]
    cells, worth = (np.full((len(group), left, right), nothing, dtype=np.int64) for nothing in (-1, 0))
    cells[place] = candidates
    worth[place] = weight[candidates]
    return cells, worth


def _by_assignment(groups: Groups, weight: LongArray, usable: BoolArray) -> Iterator[LongArray]:
    """Larger groups, one by one."""
    low, high = np.minimum(groups.left, groups.right), np.maximum(groups.left, groups.right)
    for group in np.flatnonzero(usable & ~_few(low, high)).tolist():
        shape = int(groups.left[group]), int(groups.right[group])
        cells, worth = _tables(groups, weight, np.array([group]), *shape)
        rows, columns = linear_sum_assignment(worth[0], maximize=True)
        taken = cells[0, rows, columns]
        yield taken[taken >= 0]


def _by_exact_weights(candidates: Candidates, groups: Groups, group: int, similarity: LongArray) -> LongArray:
    """A group whose weights are too great for floating point."""
    members = slice(int(groups.first[group]), int(groups.first[group + 1]))
    k, greatest = min(int(groups.left[group]), int(groups.right[group])), int(candidates.overlap[members].max())
    rows, columns = groups.row[members].tolist(), groups.column[members].tolist()
    if groups.left[group] > groups.right[group]:
        rows, columns = columns, rows
    edges: list[dict[int, int]] = [{} for _ in range(k)]
    place = {}
    parts = zip(
        candidates.same[members].tolist(),
        similarity[members].tolist(),
        candidates.overlap[members].tolist(),
        strict=True,
    )
    for number, (row, column, part) in enumerate(zip(rows, columns, parts, strict=True)):
        edges[row][column] = _weight(*part, k, greatest)
        place[row, column] = members.start + number
    return np.array([place[pair] for pair in heaviest(edges)], dtype=np.int64)


def heaviest(edges: Sequence[Mapping[int, int]]) -> list[tuple[int, int]]:
    """The matching of the greatest total weight in whole numbers of any size: (row, column).

    `edges[row]` maps columns to weights > 0.
    """
    matching = _Heaviest(edges)
    for row in range(len(edges)):
        matching.add(row)
    return sorted(matching.column.items())


class _Heaviest:
    """Rows come in one after the other, each by the way that costs the total least.

    height and depth are the dual values: height[row] + depth[column] >= weight, with equality in the matching. A row
    may also stay alone, which costs its height.
    """

    def __init__(self, edges: Sequence[Mapping[int, int]]) -> None:
        self.edges = edges
        self.height = [max(weights.values(), default=0) for weights in edges]
        self.depth: dict[int, int] = {}
        self.column: dict[int, int] = {}  # of a row
        self.row: dict[int, int] = {}  # of a column

    def add(self, start: int) -> None:
        """Find a column for the row, or the row that had better stay alone for it."""
        rows, columns, before, end, alone, least = self._search(start)
        for row, loss in rows.items():
            self.height[row] -= least - loss
        for column, loss in columns.items():
            self.depth[column] = self.depth.get(column, 0) + least - loss
        if end is None:
            end = self.column.pop(alone, None)
        while end is not None:
            row = before[end]
            free = self.column.get(row)
            self.row[end], self.column[row] = row, end
            end = free

    def _search(self, start: int) -> tuple[dict[int, int], dict[int, int], dict[int, int], int | None, int, int]:
        """Rows and columns that can be reached and what that costs, the row before each column, and the end of the way.

        That is a free column, or None and the row that stays alone; and what the whole way costs.
        """
        rows: dict[int, int] = {start: 0}
        columns: dict[int, int] = {}
        before: dict[int, int] = {}
        waiting: list[tuple[int, int, int]] = []
        row, alone, least = start, start, self.height[start]
        while True:
            for column, weight in self.edges[row].items():
                if column not in columns:
                    loss = rows[row] + self.height[row] + self.depth.get(column, 0) - weight
                    heapq.heappush(waiting, (loss, column, row))
            while waiting and waiting[0][1] in columns:
                heapq.heappop(waiting)
            if not waiting or waiting[0][0] >= least:
                return rows, columns, before, None, alone, least
            loss, column, row = heapq.heappop(waiting)
            columns[column], before[column] = loss, row
            if column not in self.row:
                return rows, columns, before, column, alone, loss
            row = self.row[column]
            rows[row] = loss
            if loss + self.height[row] < least:
                alone, least = row, loss + self.height[row]
