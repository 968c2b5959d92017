"""Measures Rada, LC, WP, Resnik, Lin, JC, simGIC, parts; `check_content` (WP's values, lengths, IC: concepts/)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ontoeval.concepts.individual_paths import TYPE_LENGTH
from ontoeval.concepts.information_content import Content, Kind, Smoothing
from ontoeval.concepts.pairs import Pairing, PairList
from ontoeval.concepts.space import Space
from ontoeval.errors import ParameterError
from ontoeval.measures.concepts._iris import concept_iri, part_iri
from ontoeval.measures.concepts._register import pair_measure
from ontoeval.model.arrays import FloatArray, LongArray, runs

Edges = Literal["similarity", "relatedness"]
Paths = Literal["any", "common-ancestor"]

_FAR = (0.0, np.inf), 0.0  # range and best value of a distance


def _length(pairs: Pairing, edges: Edges, paths: Paths, root_paths: bool) -> FloatArray:
    """d(a, b): the least weight of a path, over any concepts or up to a common ancestor and down.

    A term that only an altLabel leads to its concept is that much further away, on either side.
    """
    if paths == "common-ancestor":
        _refuse_mixed_weights(pairs.space)
        length, space = pairs.fewest(added_root=root_paths), pairs.space
        np.multiply(length, space.hierarchy.weight, out=length, where=np.isfinite(length))
        if space.classes is not None:
            typed = space.individual(pairs.left).astype(np.float64) + space.individual(pairs.right)
            length = np.where(pairs.same, 0.0, length + typed * (TYPE_LENGTH - space.hierarchy.weight))
    else:
        length = pairs.lengths(pairs.space.paths(related=edges == "relatedness", through_root=root_paths))
    return length if pairs.term_lengths is None else length + pairs.term_lengths


def _refuse_mixed_weights(space: Space) -> None:
    weights = space.ontology.weights
    for name in weights.unlike_kind():
        usual, weight = weights.kinds["hierarchical"], weights.properties[name]
        raise ParameterError(
            f"paths=common-ancestor counts each hierarchical link as {usual:g} and ignores the weight of {name}",
            advice=f"Use paths=any, or remove {name}={weight:g} from {{weights}}.",
            parameter="weights",
        )


def _path_parts(
    pairs: PairList, *, edges: Edges, paths: Paths, root_paths: bool, **others: Any
) -> list[dict[str, Any]]:
    space, lengths = pairs.space, _length(pairs, edges, paths, root_paths)
    if paths == "common-ancestor":
        tops = _nearest_ancestor(pairs, root_paths)
        return [
            {"d": d, "ancestor": part_iri(space, top)} | label
            for d, top, label in zip(lengths.tolist(), tops.tolist(), _label_parts(pairs), strict=True)
        ]
    graph = space.paths(related=edges == "relatedness", through_root=root_paths)
    ends = zip(lengths.tolist(), pairs.left.tolist(), pairs.right.tolist(), _label_parts(pairs), strict=True)
    return [
        {"d": d, "path": [concept_iri(space, concept) for concept in graph.shortest_path(a, b)]} | label
        for d, a, b, label in ends
    ]


def _label_parts(pairs: PairList) -> list[dict[str, float]]:
    """What altLabels add to d; nothing where they add nothing."""
    if pairs.term_lengths is None:
        return [{} for _ in range(len(pairs))]
    return [{"altLabel": length} if length else {} for length in pairs.term_lengths.tolist()]


def _nearest_ancestor(pairs: PairList, added_root: bool) -> LongArray:
    """The common ancestor with the least way up from both, ties by IRI; -1 for none."""
    space = pairs.space
    result: LongArray = np.full(len(pairs), -1, dtype=np.int64)
    for common in pairs.common():
        top = space.rows.tops[common.left]
        order = np.lexsort((space.rank[top], space.up[common.left] + space.up[common.right], common.pair))
        if not added_root and space.hierarchy.root_added:
            order = order[top[order] != 0]
        first = order[runs(common.pair[order])]
        result[common.pairs[common.pair[first]]] = top[first]
    return result


@pair_measure(
    "Rada",
    source="Rada et al. 1989; Deloo & Hauff 2013",
    symmetric=True,
    default=3,
    scale=lambda parameters: _FAR if parameters["scale"] == "distance" else None,
    why=_path_parts,
)
def rada(
    pairs: Pairing,
    *,
    scale: Literal["similarity", "distance"] = "similarity",
    edges: Edges = "similarity",
    paths: Paths = "any",
    root_paths: bool = True,
) -> FloatArray:
    """Path length of Rada et al., as a similarity 1 / (1 + d) or as the distance d.

    d(a, b) is the least total weight of a path. `edges=similarity` takes hierarchical and synonym edges, `relatedness`
    related ones, too. A path may go down and up again; `paths=common-ancestor` goes up to a common ancestor and down,
    over hierarchical edges of one weight alone, each cycle one concept, as WordNet tools do. `root_paths=false`: not
    through a root that was added. A term that is only an altLabel of its concept adds the weight of altLabel to d.
    No path: distance infinite, similarity 0.
    """
    length = _length(pairs, edges, paths, root_paths)
    return length if scale == "distance" else 1.0 / (1.0 + length)


def _depth(space: Space, depth: str, unit: str) -> int:
    return (space.greatest_depth if depth == "shortest" else space.greatest_level) + (unit == "nodes")


@pair_measure(
    "LC",
    source="Leacock & Chodorow 1998; Deloo & Hauff 2013",
    symmetric=True,
    default=4,
    scale=lambda parameters: ((-np.inf, np.inf), np.inf) if parameters["scale"] == "raw" else None,
    why=lambda pairs, **parameters: [
        {**why, "D": _depth(pairs.space, parameters["depth"], parameters["unit"])}
        for why in _path_parts(pairs, **parameters)
    ],
)
def leacock_chodorow(
    pairs: Pairing,
    *,
    scale: Literal["unit", "raw"] = "unit",
    depth: Literal["shortest", "longest"] = "shortest",
    unit: Literal["nodes", "edges"] = "nodes",
    edges: Edges = "similarity",
    paths: Paths = "any",
    root_paths: bool = True,
) -> FloatArray:
    """Path length of Leacock and Chodorow.

    lc(a, b) = -ln((d + 1) / (2 D)), d as for Rada; `scale=unit`: max(0, lc) / ln(2 D). D is the greatest depth, of
    shortest ways from the root or of longest ones, in nodes or edges (`depth=longest, unit=edges` and
    `paths=common-ancestor` together are NLTK's lch). No path: -infinite, in [0, 1] 0.
    D = 0 edges: undefined, in [0, 1] 1 for d = 0, else 0.
    """
    length = _length(pairs, edges, paths, root_paths)
    deepest = _depth(pairs.space, depth, unit)
    if not deepest:
        return np.full(length.shape, np.nan) if scale == "raw" else (length == 0).astype(np.float64)
    raw: FloatArray = np.log(2.0 * deepest) - np.log1p(length)
    return raw if scale == "raw" else np.maximum(raw, 0.0) / np.log(2.0 * deepest)


def _wp_parts(pairs: PairList) -> list[dict[str, Any]]:
    space = pairs.space
    up, depth = space.up, space.closure.part_depth
    result: list[dict[str, Any]] = [{"ancestor": None} for _ in range(len(pairs))]
    for common in pairs.common():
        top = space.rows.tops[common.left]
        height = 2.0 * (depth[top] + 1)
        value = height / (up[common.left] + up[common.right] + height)
        order = np.lexsort((space.rank[top], -value, common.pair))
        for entry in order[runs(common.pair[order])].tolist():
            result[common.pairs[common.pair[entry]]] = {
                "ancestor": part_iri(space, int(top[entry])),
                "depth": depth[top[entry]].item(),
                "up(left)": up[common.left[entry]].item(),
                "up(right)": up[common.right[entry]].item(),
            }
    return result


@pair_measure("WP", source="Wu & Palmer 1994", symmetric=True, default=5, why=_wp_parts)
def wu_palmer(pairs: Pairing) -> FloatArray:
    """Similarity of Wu and Palmer.

    The greatest 2 (depth(m) + 1) / (up(a, m) + up(b, m) + 2 (depth(m) + 1)) over the common ancestors m, where up is
    the fewest edges upwards, and depth the fewest from the root, each cycle one concept. Only to take the deepest
    ancestor would be wrong: with several parents it can be deeper than the concept itself.
    Equal concepts, and members of a cycle: 1. No common ancestor: 0.
    """
    return pairs.wu_palmer()


def check_content(parameters: Mapping[str, Any]) -> None:
    """ParameterError if a parameter of information content does not go with the parameters `ic`."""
    ic, smoothing = parameters["ic"], parameters["smoothing"]
    if ic != "corpus" and smoothing != "none":
        raise ParameterError(f"smoothing={smoothing} needs ic=corpus, not ic={ic}", parameter="smoothing")
    if ic != "sanchez" and parameters["leaf_itself"]:
        raise ParameterError(f"leaf_itself=true needs ic=sanchez, not ic={ic}", parameter="leaf_itself")


class _PairContent:
    """The information content of both concepts of pairs, and of their most informative common ancestor."""

    def __init__(self, pairs: Pairing, ic: Kind, smoothing: Smoothing, leaf_itself: bool) -> None:
        self.pairs = pairs
        space = pairs.space
        self.content: Content = space.content(ic, smoothing, leaf_itself)
        for side in (pairs.left, pairs.right):
            self.content.refuse_without(space.ontology, np.ravel(side))
        self.left = space.by_part(self.content.values, pairs.left)
        self.right = space.by_part(self.content.values, pairs.right)

    def shared(self) -> FloatArray:
        """IC(mica); 0 without a common ancestor."""
        values = np.nan_to_num(self.content.values)  # of the classes of an individual some may have none
        content = self.pairs.highest(values[self.pairs.space.rows.tops])
        return np.maximum(content, 0.0, out=content)

    def ratio(self, part: FloatArray, left: FloatArray | float, right: FloatArray | float = 0.0) -> FloatArray:
        """Divide a part by the sum of two; 0/0 is 1 if the two concepts are each other's ancestors, else 0."""
        whole = np.add(left, right, out=np.empty_like(part))
        nothing = whole <= 0 if np.min(left) + np.min(right) <= 0 else None
        if nothing is not None:
            part[nothing], whole[nothing] = self.pairs.same[nothing], 1.0
        return np.divide(part, whole, out=part)


def _mica_parts(
    pairs: PairList, *, ic: Kind, smoothing: Smoothing, leaf_itself: bool, **others: Any
) -> list[dict[str, Any]]:
    space = pairs.space
    informed = _PairContent(pairs, ic, smoothing, leaf_itself)
    values = informed.content.values
    mica: LongArray = np.full(len(pairs), -1, dtype=np.int64)
    for common in pairs.common():
        top = space.rows.tops[common.left]
        order = np.lexsort((space.rank[top], -values[top], common.pair))
        first = order[runs(common.pair[order])]
        mica[common.pairs[common.pair[first]]] = top[first]
    return [
        {
            "MICA": part_iri(space, top),
            "IC(MICA)": float(values[top]) if top >= 0 else 0.0,
            "IC(left)": a,
            "IC(right)": b,
        }
        for top, a, b in zip(mica.tolist(), informed.left.tolist(), informed.right.tolist(), strict=True)
    ]


@pair_measure(
    "Resnik",
    source="Resnik 1995",
    symmetric=True,
    identity=False,
    default=6,
    check=check_content,
    scale=lambda parameters: ((0.0, np.inf), np.inf) if parameters["scale"] == "raw" else None,
    why=_mica_parts,
)
def resnik(
    pairs: Pairing,
    *,
    scale: Literal["unit", "raw"] = "unit",
    ic: Kind = "seco",
    smoothing: Smoothing = "none",
    leaf_itself: bool = False,
) -> FloatArray:
    """Similarity of Resnik.

    IC(mica(a, b)), the information content of the most informative common ancestor; `scale=unit`: divided by the
    greatest possible IC. A concept and itself get its own IC, which need not be 1. `ic=seco`: 1 - ln(hypo(c) + 1) /
    ln(N); `sanchez`: -ln((leaves(c) / subsumers(c) + 1) / (maxleaves + 1)), with `leaf_itself` a leaf counts as its own
    leaf; `zhou`: the mean of Seco's and ln(deep(c)) / ln(deepmax); `corpus`: -ln(freq(c) / total), natural logarithm.
    No common ancestor: 0. 0/0: 1 for concepts that are each other's ancestors, else 0.
    """
    informed = _PairContent(pairs, ic, smoothing, leaf_itself)
    shared = informed.shared()
    return shared if scale == "raw" else informed.ratio(shared, informed.content.greatest)


@pair_measure("Lin", source="Lin 1998", symmetric=True, default=7, check=check_content, why=_mica_parts)
def lin(pairs: Pairing, *, ic: Kind = "seco", smoothing: Smoothing = "none", leaf_itself: bool = False) -> FloatArray:
    """Similarity of Lin.

    2 IC(mica(a, b)) / (IC(a) + IC(b)), IC and mica as for Resnik.
    No common ancestor: 0. 0/0: 1 for concepts that are each other's ancestors, else 0.
    """
    informed = _PairContent(pairs, ic, smoothing, leaf_itself)
    return informed.ratio(2.0 * informed.shared(), informed.left, informed.right)


@pair_measure(
    "JC",
    source="Jiang & Conrath 1997; Seco et al. 2004",
    symmetric=True,
    default=8,
    check=check_content,
    scale=lambda parameters: _FAR if parameters["scale"] == "distance" else None,
    why=_mica_parts,
)
def jiang_conrath(
    pairs: Pairing,
    *,
    scale: Literal["similarity", "distance"] = "similarity",
    ic: Kind = "seco",
    smoothing: Smoothing = "none",
    leaf_itself: bool = False,
) -> FloatArray:
    """Distance of Jiang and Conrath, as a similarity of Seco's form or as it is.

    distance = IC(a) + IC(b) - 2 IC(mica(a, b)); similarity = 1 - distance / (2 icmax), icmax the greatest possible IC.
    IC and mica as for Resnik. No common ancestor: IC(mica) = 0. icmax = 0: similarity 1.
    """
    informed = _PairContent(pairs, ic, smoothing, leaf_itself)
    distance = np.maximum(informed.left + informed.right - 2.0 * informed.shared(), 0.0)
    if scale == "distance":
        return distance
    greatest = informed.content.greatest
    return np.maximum(1.0 - distance / (2.0 * greatest), 0.0) if greatest else np.ones(distance.shape)


def _gic_parts(pairs: PairList, *, ic: Kind, smoothing: Smoothing, leaf_itself: bool) -> list[dict[str, Any]]:
    both, either = _gic(pairs, ic, smoothing, leaf_itself)
    return [{"common": a, "union": b} for a, b in zip(both.tolist(), either.tolist(), strict=True)]


def _gic(pairs: Pairing, ic: Kind, smoothing: Smoothing, leaf_itself: bool) -> tuple[FloatArray, FloatArray]:
    """The IC of the common ancestors, and of all ancestors, summed."""
    informed, space = _PairContent(pairs, ic, smoothing, leaf_itself), pairs.space
    content = np.nan_to_num(informed.content.values) * space.closure.part_size  # every member of a cycle is an ancestor
    rows = space.rows
    above = np.add.reduceat(content[rows.tops], rows.start[:-1])
    both = pairs.total(content)
    return both, space.by_part(above, pairs.left) + space.by_part(above, pairs.right) - both


@pair_measure("simGIC", source="Pesquita et al. 2007", symmetric=True, check=check_content, why=_gic_parts)
def sim_gic(
    pairs: Pairing, *, ic: Kind = "seco", smoothing: Smoothing = "none", leaf_itself: bool = False
) -> FloatArray:
    """Weighted Jaccard similarity of the ancestors.

    The sum of IC over the ancestors that a and b have in common, over the sum of all their ancestors, themselves
    included; IC as for Resnik. 0/0: 1 for equal ancestors, else 0.
    """
    both, either = _gic(pairs, ic, smoothing, leaf_itself)
    return np.divide(both, either, out=pairs.same.astype(np.float64), where=either > 0)
