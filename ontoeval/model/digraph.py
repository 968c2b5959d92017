"""`components` (cycles), `levels` and `distances` of a directed graph given as arrays of edges, without recursion."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from ontoeval.model.arrays import BoolArray, IntArray, LongArray, runs, spans

NARROW = 64  # below this many concepts at a time plain Python is faster than array calls


def _matrix(size: int, tails: npt.NDArray[Any], heads: npt.NDArray[Any]) -> csr_array:
    """As csgraph wants it, which takes longer to convert: each edge once (else it may not end), numbers as floats."""
    codes = np.sort(tails.astype(np.int64) * size + heads)
    codes = codes[runs(codes)]
    start = np.zeros(size + 1, dtype=np.int32)
    np.cumsum(np.bincount(codes // size, minlength=size), out=start[1:])
    return csr_array((np.ones(len(codes)), (codes % size).astype(np.int32), start), shape=(size, size))


def components(
    size: int, tails: npt.NDArray[Any], heads: npt.NDArray[Any], *, strong: bool = True
) -> tuple[int, IntArray]:
    """The number of (strongly or weakly) connected parts, and the part of each node."""
    if not len(tails):
        return size, np.arange(size, dtype=np.int32)
    count, label = connected_components(
        _matrix(size, tails, heads), directed=True, connection="strong" if strong else "weak"
    )
    return int(count), label.astype(np.int32)


def levels(size: int, children: npt.NDArray[Any], parents: npt.NDArray[Any]) -> IntArray:
    """The longest path from a node without parents down to each node of an acyclic graph, in edges.

    Nodes are taken off from the top, a level at a time. A level of many nodes is one array step and a level of a few
    is a plain loop, so that a chain of a million concepts is no slower than a wide tree.
    """
    waiting: LongArray = np.bincount(children, minlength=size)
    order = np.argsort(parents, kind="stable")
    below = children[order]
    indptr = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(parents, minlength=size), out=indptr[1:])
    result = np.zeros(size, dtype=np.int32)
    front: npt.NDArray[Any] = np.flatnonzero(waiting == 0)
    level = 0
    while len(front):
        if len(front) < NARROW:
            front, level = _narrow_levels(front.tolist(), level, waiting, indptr, below, result)
            continue
        result[front] = level
        reached = below[spans(indptr[front], indptr[front + 1] - indptr[front])]
        np.subtract.at(waiting, reached, 1)
        front = np.sort(reached[waiting[reached] == 0])
        front = front[runs(front)]  # np.unique would hash
        level += 1
    return result


def levels_in_order(last_parent: npt.NDArray[Any]) -> IntArray:
    """The same for nodes that are numbered level by level; of each is given the greatest parent, -1 for none.

    The next level starts at the first node with a parent in this one.
    """
    greatest = np.maximum.accumulate(last_parent)
    starts = [0]
    while (following := int(np.searchsorted(greatest, starts[-1]))) < len(greatest):
        starts.append(following)
    return np.repeat(np.arange(len(starts), dtype=np.int32), np.diff([*starts, len(greatest)]))


def _narrow_levels(
    front: list[int],
    level: int,
    waiting: LongArray,
    indptr: LongArray,
    below: npt.NDArray[Any],
    result: IntArray,
) -> tuple[npt.NDArray[Any], int]:
    """Go on with plain loops until the front is wide again or empty."""
    while front and len(front) < NARROW:
        following: list[int] = []
        for node in front:
            result[node] = level
            start, stop = indptr[node], indptr[node + 1]
            for child in below[start:stop].tolist():
                waiting[child] -= 1
                if not waiting[child]:
                    following.append(child)
        front = following
        level += 1
    return np.array(front, dtype=np.int64), level


def distances(size: int, tails: npt.NDArray[Any], heads: npt.NDArray[Any], sources: npt.NDArray[Any]) -> IntArray:
    """The fewest edges from any of `sources` to each node along tail -> head; -1 where there is no path."""
    start = size  # one node above all sources makes it a single search
    matrix = _matrix(
        size + 1,
        np.concatenate([tails, np.full(len(sources), start)]),
        np.concatenate([heads, sources]),
    )
    reached, previous = breadth_first_order(matrix, start, directed=True)
    step = np.zeros(size + 1, dtype=np.int32)
    step[reached[1:]] = 1
    jump = np.where(previous < 0, start, previous)
    # Pointer doubling: after k rounds `step` counts the last 2^k edges of the path and `jump` is where they start.
    while np.any(jump != start):
        step += step[jump]
        jump = jump[jump]
    unreached: BoolArray = np.ones(size + 1, dtype=bool)
    unreached[reached] = False
    step -= 1  # the edge from the added node
    step[unreached] = -1
    return step[:size]
