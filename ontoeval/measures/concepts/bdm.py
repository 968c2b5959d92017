"""BDM's formula and parts, lists and grids, msca= (registered: distance.py; chains: concepts/ancestor_paths.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from ontoeval.concepts.ancestor_paths import DirectEdges
from ontoeval.concepts.pairs import BLOCK, CELLS, Common, PairGrid, PairList, pieces
from ontoeval.concepts.space import Space
from ontoeval.model.arrays import BoolArray, FloatArray, IntArray, LongArray, runs, spans, starts

Rule = Literal["best", "deepest"]


@dataclass(frozen=True, eq=False)
class Balance:
    """The parts of BDM for each pair of a list: the common ancestor that counts, and the lengths through it.

    Without a common ancestor `msca` and `cp` are -1. For a concept and itself it is the concept, at its depth.
    """

    score: FloatArray
    msca: LongArray  # a part
    cp: LongArray  # from the root to it
    left: LongArray  # from it to the left concept: DPR, as the left one is the response
    right: LongArray  # DPK
    branching: FloatArray  # BR
    left_chain: FloatArray  # n(R); nan for an individual without a path
    right_chain: FloatArray  # n(K)


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Ways from common ancestors to both concepts of pairs."""

    pair: LongArray
    top: IntArray
    cp: IntArray
    left: IntArray
    right: IntArray
    inner: LongArray  # children of the concepts strictly between, on both sides
    childless: LongArray  # how many of these concepts have none: classes of individuals
    left_chain: FloatArray  # n of the left and of the right concept, on its path
    right_chain: FloatArray

    def branching(self, direct: DirectEdges) -> FloatArray:
        """BR: the mean br of M and the concepts strictly between, over the mean br of all; of those that have children.

        Only classes of individuals may have none; if there is nothing else, BR is 1.
        """
        above = direct.branching[self.top]
        relevant = np.maximum(self.left - 1, 0) + np.maximum(self.right - 1, 0) + (above > 0) - self.childless
        mean = np.divide(above + self.inner, relevant, out=np.zeros(len(relevant)), where=relevant > 0)
        return np.where(relevant > 0, mean / (direct.mean_branching or 1.0), 1.0)

    def score(self, direct: DirectEdges) -> FloatArray:
        """X / (X + DPK / n(K) + DPR / n(R)), X = BR CP / n0."""
        root = self.branching(direct) * self.cp / (direct.chains[1] or 1.0)
        below = _share(self.left, self.left_chain) + _share(self.right, self.right_chain)
        return np.divide(root, root + below, out=np.zeros(len(root)), where=root > 0)

    def select(self, positions: LongArray) -> _Candidates:
        return _Candidates(*(getattr(self, name)[positions] for name in self.__dataclass_fields__))


def _share(length: IntArray, chain: FloatArray) -> FloatArray:
    """DP / n; 0 / 0 is 0: an isolated concept is in a chain of length 0."""
    return np.divide(length, chain, out=np.zeros(len(chain)), where=length > 0)


def balanced_list(pairs: PairList, rule: Rule) -> FloatArray:
    """BDM of every pair of a list."""
    result = np.zeros(len(pairs))
    for common in _common(pairs, rule):
        candidates, score = _score_candidates(pairs, common, rule)
        first = runs(candidates.pair)
        result[common.pairs[candidates.pair[first]]] = np.maximum.reduceat(score, first)
    result[pairs.same] = 1.0
    return result


def balance(pairs: PairList, rule: Rule) -> Balance:
    """BDM of every pair of a list, with what it is made of; of equal scores the deepest ancestor of the least IRI."""
    space = pairs.space
    score = np.zeros(len(pairs))
    msca, cp = np.full(len(pairs), -1, dtype=np.int64), np.full(len(pairs), -1, dtype=np.int64)
    left, right = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.int64)
    branching = np.ones(len(pairs))
    chain, part = space.direct.chains[0], space.closure.part
    left_chain, right_chain = chain[part[pairs.left]], chain[part[pairs.right]]
    for common in _common(pairs, rule):
        candidates, value = _score_candidates(pairs, common, rule)
        order = np.lexsort(
            (space.rank[candidates.top], candidates.left + candidates.right, -candidates.cp, -value, candidates.pair)
        )
        candidates, value = candidates.select(order), value[order]
        best = runs(candidates.pair)
        candidates, where = candidates.select(best), common.pairs[candidates.pair[best]]
        score[where], msca[where], cp[where] = value[best], candidates.top, candidates.cp
        left[where], right[where], branching[where] = (
            candidates.left,
            candidates.right,
            candidates.branching(space.direct),
        )
        left_chain[where], right_chain[where] = candidates.left_chain, candidates.right_chain
    same, depth = pairs.same, space.direct.depth
    score[same], branching[same], left[same], right[same] = 1.0, 1.0, 0, 0
    msca[same], cp[same] = part[pairs.left[same]], depth[part[pairs.left[same]]]
    alone = msca < 0
    left[alone], right[alone] = depth[part[pairs.left[alone]]], depth[part[pairs.right[alone]]]
    return Balance(score, msca, cp, left, right, branching, left_chain, right_chain)


def _common(pairs: PairList, rule: Rule) -> Iterator[Common]:
    """The common ancestors of the pairs, in blocks of bounded work: as many as there are paths to combine."""
    for common in pairs.common():
        if not len(common.pair):
            continue
        if rule == "deepest":
            yield common
            continue
        at = pairs.space.direct.paths.at
        work = np.cumsum((at[common.left + 1] - at[common.left]) * (at[common.right + 1] - at[common.right]))
        first = common.first
        cuts = first[np.flatnonzero(np.diff(work[first] // (4 * BLOCK))) + 1]
        for low, high in pairwise([0, *cuts.tolist(), len(work)]):
            yield Common(common.pairs, common.pair[low:high], common.left[low:high], common.right[low:high])


def _score_candidates(pairs: PairList, common: Common, rule: Rule) -> tuple[_Candidates, FloatArray]:
    space, part = pairs.space, pairs.space.closure.part
    ends = part[pairs.left[common.pairs]], part[pairs.right[common.pairs]]
    candidates = _paths_through(space.direct, common, *ends) if rule == "best" else _deepest(space, common, *ends)
    return candidates, candidates.score(space.direct)


def _childless(direct: DirectEdges, via: IntArray | None, length: IntArray) -> LongArray:
    """1 for a path that has the class of its individual strictly between its ends, and that is one without children."""
    if via is None:
        return np.zeros(len(length), dtype=np.int64)
    is_between: BoolArray = (via >= 0) & (length > 1) & (direct.branching[via] == 0)
    return is_between.astype(np.int64)


def _paths_through(direct: DirectEdges, common: Common, left_end: IntArray, right_end: IntArray) -> _Candidates:
    """Each way to the left with each way to the right whose first steps differ: M is where two root paths part."""
    paths, top = direct.paths, direct.rows.tops[common.left]
    count, other = (paths.at[side + 1] - paths.at[side] for side in (common.left, common.right))
    ancestor = np.repeat(np.arange(len(top)), count * other)
    within = np.arange(len(ancestor)) - np.repeat(starts(count * other), count * other)
    left = paths.at[common.left[ancestor]] + within // other[ancestor]
    right = paths.at[common.right[ancestor]] + within % other[ancestor]
    differ = paths.first[left] != paths.first[right]
    ancestor, left, right = ancestor[differ], left[differ], right[differ]
    pair = common.pair[ancestor]
    via, others = (None, None) if paths.via is None else (paths.via[left], paths.via[right])
    return _Candidates(
        pair,
        top[ancestor],
        direct.level[top[ancestor]],
        paths.length[left],
        paths.length[right],
        paths.inner[left] + paths.inner[right],
        _childless(direct, via, paths.length[left]) + _childless(direct, others, paths.length[right]),
        direct.chain_length(left_end[pair], via),
        direct.chain_length(right_end[pair], others),
    )


def _deepest(space: Space, common: Common, left_end: IntArray, right_end: IntArray) -> _Candidates:
    """The common ancestor of greatest (shortest) depth, ties by shorter paths, then by IRI, and shortest lengths."""
    direct, rank, inner, up = space.direct, space.rank, space.branching_between, space.direct.up
    top = direct.rows.tops[common.left]
    length = (up[common.left] + up[common.right]).astype(np.int64)
    key = direct.depth[top] * (length.max() + 1) - length
    key = (key - key.min()) * (int(rank.max()) + 1) - rank[top]
    greatest = np.repeat(np.maximum.reduceat(key, common.first), np.diff([*common.first, len(key)]))
    best = np.flatnonzero(key == greatest)
    left, right, pair = common.left[best], common.right[best], common.pair[best]
    classes = space.class_between
    via, others = (None, None) if classes is None else (classes[left], classes[right])
    return _Candidates(
        pair,
        top[best],
        direct.depth[top[best]],
        up[left],
        up[right],
        inner[left] + inner[right],
        _childless(direct, via, up[left]) + _childless(direct, others, up[right]),
        direct.chain_length(left_end[pair], via),
        direct.chain_length(right_end[pair], others),
    )


@dataclass(frozen=True, eq=False)
class _Side:
    """The paths up from some parts, sorted by the ancestor they lead to."""

    bounds: dict[int, slice]  # ancestor -> its paths
    several: set[int]  # ancestors with several paths to one part
    place: LongArray  # of the part
    first: IntArray
    inner: FloatArray
    between: FloatArray  # concepts with children strictly between
    share: FloatArray  # DP / n

    @classmethod
    def of(cls, direct: DirectEdges, parts: LongArray) -> _Side:
        rows, paths = direct.rows, direct.paths
        entries, place = rows.positions(parts), np.repeat(np.arange(len(parts)), rows.width[parts])
        below_root = np.flatnonzero(direct.level[rows.tops[entries]] > 0)  # through the root every score is 0
        order = below_root[np.argsort(rows.tops[entries[below_root]], kind="stable")]
        entries, place = entries[order], place[order]
        count = paths.at[entries + 1] - paths.at[entries]
        some = spans(paths.at[entries], count)
        top, place = np.repeat(rows.tops[entries], count), np.repeat(place, count)
        length, via = paths.length[some], None if paths.via is None else paths.via[some]
        begin = runs(top)
        ends = [*begin[1:].tolist(), len(top)][: len(begin)]
        repeated = np.flatnonzero((top[1:] == top[:-1]) & (place[1:] == place[:-1]))
        return cls(
            {t: slice(low, high) for t, low, high in zip(top[begin].tolist(), begin.tolist(), ends, strict=True)},
            set(top[repeated].tolist()),
            place,
            paths.first[some],
            paths.inner[some].astype(np.float64),
            (np.maximum(length - 1, 0) - _childless(direct, via, length)).astype(np.float64),
            _share(length, direct.chain_length(parts[place], via)),
        )


def balanced_grid(grid: PairGrid, rule: Rule) -> FloatArray:
    """BDM of every pair of a grid, one common ancestor at a time."""
    lefts, columns = grid.parts
    if rule == "deepest":
        return grid.listed(lambda pairs: balanced_list(pairs, rule))
    direct = grid.space.direct
    result = np.zeros((len(lefts), len(columns)))
    scale = direct.mean_branching * direct.chains[1]
    right = _Side.of(direct, columns)
    widest = max((paths.stop - paths.start for paths in right.bounds.values()), default=1)
    each = -(-len(direct.paths.first) // len(direct.rows.tops))  # paths to an ancestor
    for low, high in pieces(len(lefts), max(CELLS // (4 * each * max(widest, 1)), 1)):
        left = _Side.of(direct, lefts[low:high])
        for top in sorted(left.bounds.keys() & right.bounds.keys()):
            branching = float(direct.branching[top])
            if not branching:  # a leaf is common to itself alone, and a class without subclasses to its individuals
                if direct.classes is None or top >= len(direct.classes.rows):
                    continue
                branching = direct.mean_branching
            _raise(result[low:high], left, right, top, float(direct.level[top]) / scale, branching)
    result[grid.same] = 1.0
    return result


def _raise(result: FloatArray, left: _Side, right: _Side, top: int, weight: float, branching: float) -> None:
    """Let the paths through one ancestor compete; weight = CP / (avg n0)."""
    a, b = left.bounds[top], right.bounds[top]
    root = left.inner[a, None] + (right.inner[b] + branching)
    root *= weight
    root /= left.between[a, None] + (right.between[b] + 1.0)
    whole = left.share[a, None] + right.share[b]
    whole += root
    root /= whole
    root[left.first[a, None] == right.first[b]] = 0.0
    rows, columns = left.place[a], right.place[b]
    if top in left.several:
        root, rows = np.maximum.reduceat(root, runs(rows), axis=0), rows[runs(rows)]
    if top in right.several:
        root, columns = np.maximum.reduceat(root, runs(columns), axis=1), columns[runs(columns)]
    cells = rows[:, None], columns
    result[cells] = np.maximum(result[cells], root)
