"""Random hierarchies, small and odd: cycles, self-edges, several parents and roots, floating parts, duplicates.

A whole example is read from one string of bytes: a tenth of the time of drawing names one by one, and every example is
as varied as the next. It still shrinks, towards few concepts and few edges.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

LARGEST = 12  # concepts
MOST_EDGES = 18
FEW = 4
NOWHERE = "http://ex.org/nowhere"  # never drawn as a name
MODES = ("auto", "new", "none")

NAMES = (
    *"abcdefgh", "B", "Ä", "two words", "Foo_Bar", "(root)", "((root))", "Z9", "日本", "owl:Thing", "urn:ex:one",
    *(f"http://ex.org/{local}" for local in ("a", "b", "ConferenceMember", "x_y", "t#Part", "s%20t")),
)  # fmt: skip
SHAPES = ("acyclic", "any", "dense", "ring", "sparse", "tree", "dense")
WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0, 3.5)  # few and exact: equal and different weights of one edge both come up
STRENGTHS = (0.25, 0.5, 1.0)
INSTANCES = ("i1", "i2", "i3", "http://ex.org/i")

Hierarchical = tuple[list[Any], list[str]]


class Bytes:
    """Takes numbers and choices off a string of bytes; zeros when it is used up."""

    def __init__(self, drawn: bytes) -> None:
        self._left = iter(drawn)

    def number(self, most: int) -> int:
        """0 ... most."""
        return next(self._left, 0) % (most + 1)

    def choice(self, choices: Sequence[Any]) -> Any:
        return choices[self.number(len(choices) - 1)]


def _pool(take: Bytes) -> list[str]:
    return list(dict.fromkeys(take.choice(NAMES) for _ in range(1 + take.number(LARGEST - 1))))


def _pairs(take: Bytes, pool: Sequence[str], most: int, *, weighted: bool) -> list[Any]:
    """Pairs of names, with repetitions and self-pairs; if `weighted`, half of them have an own weight."""
    result: list[Any] = []
    for _ in range(take.number(most)):
        child, parent, often = take.number(len(pool) - 1), take.number(len(pool) - 1), take.number(3)
        if child == parent and often:  # one in four self-pairs is enough
            parent = (parent + 1) % len(pool)
        pair = pool[child], pool[parent]
        own = take.choice([None] * len(WEIGHTS) + list(WEIGHTS)) if weighted else None
        result.append(pair if own is None else (*pair, own))
    return result


def _hierarchy(take: Bytes, pool: Sequence[str], *, weighted: bool) -> Hierarchical:
    shape = take.choice(SHAPES)
    if shape == "dense":
        return _dense(take, pool, weighted=weighted), [pool[0]]
    edges = _pairs(take, pool, len(pool) if shape == "sparse" else MOST_EDGES, weighted=weighted)
    if shape == "ring":
        ring = [take.choice(pool) for _ in range(2 + take.number(2))]
        edges += zip(ring, [*ring[1:], ring[0]], strict=True)
    place = {name: i for i, name in enumerate(pool)}
    if shape in ("acyclic", "tree"):  # pointing to the front of the pool leaves no cycle, self-edges apart
        edges = [(*sorted(edge[:2], key=place.__getitem__, reverse=True), *edge[2:]) for edge in edges]
    if shape == "tree":
        edges = list({edge[0]: edge for edge in edges}.values())
    used = {name for edge in edges for name in edge[:2]}
    return edges, [name for name in pool if name not in used] + [pool[-1]]


def _dense(take: Bytes, pool: Sequence[str], *, weighted: bool) -> list[Any]:
    """Without cycles: below a root layers of three, each concept below one to three of the layer above.

    That makes many ways up, and equally deep ancestors. Other names fill the pool up: few concepts have few ways.
    """
    start, size = take.number(len(NAMES) - 1), LARGEST - take.number(3)
    pool = [*pool, *(name for name in (*NAMES[start:], *NAMES[:start]) if name not in pool)][: max(size, len(pool))]
    edges: list[Any] = []
    for i in range(1, len(pool)):
        last_above = (i - 1) // 3 * 3
        for _ in range(2 + take.number(1)):
            pair = pool[i], pool[max(0, last_above - take.number(2))]
            own = take.choice([None] * len(WEIGHTS) + list(WEIGHTS)) if weighted else None
            edges.append(pair if own is None else (*pair, own))
    return edges


def _instances(take: Bytes, pool: Sequence[str]) -> dict[str, Any]:
    """Each on a concept, on several (or on none, in a list), or on some with strengths."""
    result: dict[str, Any] = {}
    for _ in range(take.number(FEW)):
        who, form = take.choice(INSTANCES), take.choice(["one", "several", "strengths"])
        concepts = [take.choice(pool) for _ in range(take.number(3))]
        if form == "strengths":
            result[who] = {name: take.choice(STRENGTHS) for name in concepts}
        else:
            result[who] = concepts if form == "several" else take.choice(pool)
    return result


def _kind_weights(take: Bytes) -> dict[str, float] | None:
    """The weights of the kinds of edges, some or none of them given."""
    chosen = {kind: take.choice([None, *WEIGHTS]) for kind in ("hierarchical", "related", "synonym")}
    return {kind: weight for kind, weight in chosen.items() if weight is not None} or None


def _ontology(drawn: bytes) -> dict[str, Any]:
    take = Bytes(drawn)
    pool = _pool(take)
    edges, concepts = _hierarchy(take, pool, weighted=True)
    return {
        "edges": edges,
        "concepts": concepts,
        "related": _pairs(take, pool, FEW, weighted=True),
        "synonyms": _pairs(take, pool, FEW, weighted=True),
        "equivalent": _pairs(take, pool, FEW * take.number(1), weighted=True),  # half have none: they make cycles
        "instances": _instances(take, pool),
        "weights": _kind_weights(take),
    }


def _exactly(count: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=count, max_size=count)


_HIERARCHY = _exactly(1 + LARGEST + 2 + 4 * MOST_EDGES + 6)
_ONTOLOGY = _exactly(1 + LARGEST + 2 + 4 * MOST_EDGES + 6 + 3 * (1 + 4 * FEW) + 2 + 9 * FEW + 3)


def names() -> st.SearchStrategy[str]:
    """Plain words, IRIs, and the names that an added root would like to have."""
    return st.sampled_from(NAMES)


def weights() -> st.SearchStrategy[float]:
    return st.sampled_from(WEIGHTS)


def hierarchies(*, weighted: bool = False) -> st.SearchStrategy[Hierarchical]:
    """(edges, extra concepts), at least one concept. Edges are (child, parent); weighted, some have a third item."""

    def make(drawn: bytes) -> Hierarchical:
        take = Bytes(drawn)
        return _hierarchy(take, _pool(take), weighted=weighted)

    return _HIERARCHY.map(make)


def instances() -> st.SearchStrategy[dict[str, Any]]:
    """Up to four instances in the forms that Ontology.from_edges takes."""
    return _exactly(1 + 9 * FEW).map(lambda drawn: _instances(Bytes(drawn), NAMES))


def ontologies() -> st.SearchStrategy[dict[str, Any]]:
    """Keyword arguments of Ontology.from_edges, without `root` and labels."""
    return _ONTOLOGY.map(_ontology)


def picks() -> st.SearchStrategy[int]:
    """What chooses a root: see `root_of`."""
    return st.integers(0, 255)


def shuffles() -> st.SearchStrategy[random.Random]:
    """Something to shuffle with."""
    return st.integers(0, 2**16).map(random.Random)


def root_of(made: Mapping[str, Any], pick: int) -> str:
    """Every root option: a mode or a name that is no concept yet for one half of the picks, a concept for the other."""
    choices = every_name(made) if pick % 2 else [*MODES, NOWHERE]
    return choices[pick // 2 % len(choices)]


def every_name(made: Mapping[str, Any]) -> list[str]:
    """All concepts that keyword arguments of Ontology.from_edges name, sorted."""
    found = set(made.get("concepts", ()))
    for kind in ("edges", "related", "synonyms", "equivalent"):
        found.update(name for pair in made.get(kind, ()) for name in pair[:2])
    for where in made.get("instances", {}).values():
        found.update([where] if isinstance(where, str) else where)
    return sorted(found)
