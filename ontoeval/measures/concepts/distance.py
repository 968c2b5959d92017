"""Measures BDM (its formula: bdm.py), LA and Flat (formulas here), each with the parts that explain a value."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ontoeval.concepts.pairs import PairGrid, Pairing, PairList
from ontoeval.measures.concepts._iris import part_iri
from ontoeval.measures.concepts._register import pair_measure
from ontoeval.measures.concepts.bdm import Rule, balance, balanced_grid, balanced_list
from ontoeval.model.arrays import FloatArray, LongArray, runs


def _bdm_parts(pairs: PairList, *, msca: Rule) -> list[dict[str, Any]]:
    space, bdm = pairs.space, balance(pairs, msca)
    mean = space.direct.chains[1]
    arrays = (bdm.msca, bdm.cp, bdm.right, bdm.left, bdm.branching, bdm.right_chain, bdm.left_chain)
    columns = zip(*(array.tolist() for array in (*arrays, pairs.left, pairs.right)), strict=True)
    return [
        {
            "MSCA": part_iri(space, top),
            "CP": cp if top >= 0 else None,
            "DPK": key if top >= 0 else None,
            "DPR": response if top >= 0 else None,
            "n0": mean,
            "n(K)": None if np.isnan(key_chain) else key_chain,
            "n(R)": None if np.isnan(response_chain) else response_chain,
            "BR": branching if top >= 0 and left != right else None,
        }
        for top, cp, key, response, branching, key_chain, response_chain, left, right in columns
    ]


@pair_measure("BDM", source="Maynard, Peters & Li 2008, section 2", symmetric=True, default=1, why=_bdm_parts)
def balanced_distance(pairs: Pairing, *, msca: Rule = "best") -> FloatArray:
    """Balanced distance metric.

    BDM(K, R) = X / (X + DPK/n(K) + DPR/n(R)), X = BR CP/n0. The root paths of K and R part at their most specific
    common ancestor M; CP edges lead from the root to M, DPK and DPR from M to K and R. n0 is the mean length of all
    chains from a root to a leaf, n(c) that of the chains through c; BR is the mean number of children of M and of the
    concepts strictly between, over that of all concepts that have children. Edges that others imply are left out and
    each cycle is one concept. `msca=best`: the greatest value over all root paths, as GATE; `deepest`: the common
    ancestor of the greatest shortest depth (ties: shorter ways, then IRI) and the shortest ways to it (the first by IRI
    from M down). Equal concepts: 1. No common ancestor, or M is the root: 0.
    """
    return balanced_grid(pairs, msca) if isinstance(pairs, PairGrid) else balanced_list(_pair_list(pairs), msca)


def _pair_list(pairs: Pairing) -> PairList:
    return PairList(pairs.space, pairs.left, pairs.right)


def _deepest_ancestor(pairs: Pairing) -> tuple[FloatArray, FloatArray]:
    """CP and DP of the common ancestor of the greatest depth, ties by smaller DP; CP is -1 without one.

    Both are in one number, because all that is compared belongs to the left concept and its ancestor.
    """
    direct = pairs.space.direct
    up = direct.up
    more = float(up.max(initial=0)) + 1.0
    key: FloatArray = direct.depth[direct.rows.tops].astype(np.float64) * more - up
    highest = pairs.highest(key)
    depth = np.ceil(highest / more)
    none = np.isneginf(highest)
    with np.errstate(invalid="ignore"):
        return np.where(none, -1.0, depth), np.where(none, 0.0, depth * more - highest)


def _la_parts(pairs: PairList, *, root_prediction: int) -> list[dict[str, Any]]:
    space = pairs.space
    direct, up = space.direct, space.direct.up
    deepest: LongArray = np.full(len(pairs), -1, dtype=np.int64)
    for common in pairs.common():
        top = direct.rows.tops[common.left]
        order = np.lexsort((space.rank[top], up[common.left], -direct.depth[top], common.pair))
        first = order[runs(common.pair[order])]
        deepest[common.pairs[common.pair[first]]] = top[first]
    path, distance = _deepest_ancestor(pairs)
    return [
        {
            "MSCA": part_iri(space, top),
            "CP": int(cp) if top >= 0 else None,
            "FP": int(cp + dp) if top >= 0 else None,
            "DP": int(dp) if top >= 0 else None,
        }
        for top, cp, dp in zip(deepest.tolist(), path.tolist(), distance.tolist(), strict=True)
    ]


@pair_measure("LA", source="Li, Bontcheva & Maynard 2007 (NTCIR-6), section 2.2", default=2, why=_la_parts)
def learning_accuracy(pairs: Pairing, *, root_prediction: Literal[0, 1] = 0) -> FloatArray:
    """Learning accuracy.

    LA(K, P) = CP / (FP + DP), P the prediction (left) and K the key (right): DP edges lead from their most specific
    common ancestor M to P, CP from the root to M, and FP = CP + DP. M is the common ancestor of the greatest shortest
    depth, ties by smaller DP, then by IRI. In a tree a prediction above the key gets 1, whatever the distance; with
    several parents M can be another ancestor, deeper than the prediction. LA is not symmetric. Edges that others imply
    are left out and each cycle is one concept.
    Equal concepts: 1. No common ancestor, or M is the root: 0. The root predicted for something below it is 0/0:
    `root_prediction`, 0 as the text of LREC 2008 has it, or 1 as that of NTCIR-6.
    """
    path, distance = _deepest_ancestor(pairs)
    whole = path + 2.0 * distance
    result = np.divide(path, whole, out=np.zeros_like(whole), where=(whole > 0) & (path > 0))
    result[(path == 0) & (distance == 0)] = float(root_prediction)
    result[pairs.same] = 1.0
    return result


def _no_parts(pairs: PairList) -> list[dict[str, Any]]:
    return [{} for _ in range(len(pairs))]


@pair_measure("Flat", source="exact match", symmetric=True, why=_no_parts)
def equality(pairs: Pairing) -> FloatArray:
    """Equality of concepts.

    1 for the same concept, else 0; members of a cycle are different concepts.
    """
    return np.asarray(pairs.left == pairs.right).astype(np.float64)
