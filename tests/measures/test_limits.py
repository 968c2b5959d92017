"""What is too large is refused: at a limit there is a value, one beyond there is none, and the reason is told."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from helpers import compared, near, refusal, tree

import ontoeval as oe
from ontoeval.concepts import ancestor_paths
from ontoeval.errors import HierarchyError
from ontoeval.measures import parse, similarity_parameter
from ontoeval.measures.comparison import _label_similarity, _relations, label_similarity
from ontoeval.measures.instances import _proximity, _triples, cotopy

DIAMOND = [("b", "a"), ("c", "a"), ("d", "b"), ("d", "c")]
PLACED = {"edges": DIAMOND, "instances": {f"i{n}": "abcd"[n % 4] for n in range(8)}}


def chain(size: int) -> dict[str, Any]:
    """One instance on each concept of a chain."""
    edges = [(f"c{n}", f"c{n - 1}") for n in range(1, size)]
    return {"edges": edges, "instances": {f"i{n}": f"c{n}" for n in range(size)}}


def half(predicted: str, key: str) -> float:
    return 0.5


TASKS: dict[str, tuple[Any, Any]] = {
    "trees": (tree("r:a,n"), tree("r:a,c,d")),  # three and four concepts, two and three links; n stands alone
    "ways": (tree("r:a,b,c a:x b:x"), tree("r:a,b,c a:x c:x")),
    "one link": (tree("black:white"), tree("black:white")),
    "letters": (tree("abcd:xyzw"), tree("abce:xyzw")),
    # four and three places; four pairs of them have instances: (a, a), (b, b), (c, c), (d, b)
    "diamond": (PLACED, {**PLACED, "instances": {f"i{n}": "abcb"[n % 4] for n in range(8)}}),
    "chain": (chain(5), {**chain(5), "edges": tree("c0:c1,c2,c3,c4")}),  # five levels and two
    "relations": ({"edges": tree("thing:car,van,wheel"), "relations": [("car", "p", "wheel"), ("van", "p", "wheel")]},)
    * 2,
}

LIMITS: list[tuple[ModuleType, str, float, str, str, str]] = [
    # n with each of four
    (
        similarity_parameter,
        "_MOST_CALLS",
        4,
        "NearP",
        "trees",
        "too many calls of the function half: 4; the limit is 3",
    ),
    # parents a, b of x with a, c, which are four pairs; a, b and c are below r on both sides: (r, r) once
    (
        similarity_parameter,
        "_MOST_CALLS",
        5,
        "PlaceP",
        "ways",
        "too many calls of the function half: 5; the limit is 4",
    ),
    (label_similarity, "MOST_CELLS", 6, "ContinuousF", "trees", "too many links for an optimal assignment: 2 l"),
    (label_similarity, "MOST_CELLS", 12, "GraphF", "trees", "too many concepts for an optimal assignment: 3 l"),
    (_label_similarity, "MOST_ALIKE", 2, "FuzzyF", "one link", "too many pairs of 2 learned and 2 gold labels are sim"),
    # abcd with abce and xyzw, of the same length; xyzw is found at once
    (_label_similarity, "MOST_COMPARED", 2, "SM", "letters", "too many labels: 2 and 2."),
    (
        _relations,
        "MOST_PAIRS",
        4,
        "RelP(similarity=WP)",
        "relations",
        "too many relations with the property p to pair by similarity: 2 l",
    ),
    (cotopy, "MAX_WORK", 4 * 4, "ITP", "diamond", "too many pairs of concepts share instances: 4, with 4 l"),
    (_proximity, "MAX_CELLS", 4, "EOR", "diamond", "too many pairs of concepts share instances: 4; the"),
    # ten thousand for each pair of levels; c0 has itself above it on both sides, the others n + 1 and two
    (_triples, "MAX_WORK", 5 * 2 * 10_000, "H_s", "chain", "the hierarchies are too deep: 29 pairs of ancestors"),
    # gold levels, and pairs of places
    (_triples, "MAX_STEPS", 2 * 5, "H_s", "chain", "the hierarchies are too deep: 29 pairs of ancestors"),
]


@pytest.mark.parametrize(
    ("module", "constant", "limit", "name", "sides", "reason"), LIMITS, ids=[f"{row[1]}-{row[3]}" for row in LIMITS]
)
def test_a_value_at_the_limit_and_none_beyond(
    module: ModuleType,
    constant: str,
    limit: float,
    name: str,
    sides: str,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if module is _triples:  # not all at once
        monkeypatch.setattr(_triples, "FEW_PAIRS", 0)
        monkeypatch.setattr(_triples, "MOST_AT_ONCE", 0)
    own: dict[str, Callable[..., Any]] = {"similarity": half} if module is similarity_parameter else {}
    measure = parse(name, **own)
    expected = measure(compared(*TASKS[sides])).value
    monkeypatch.setattr(module, constant, limit)
    assert measure(compared(*TASKS[sides])).value == near(expected)
    monkeypatch.setattr(module, constant, limit - 1)
    refused = measure(compared(*TASKS[sides]))
    assert str(refused.undefined).startswith(reason)


def test_paths_upwards_up_to_the_limit_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the n-th concept of a chain there is one path to each of the n - 1 above it: 1 + 2 + 3 of four."""
    edges = [("b", "a"), ("c", "b"), ("d", "c")]
    monkeypatch.setattr(ancestor_paths, "MAX_PATHS", 6)
    assert oe.relate(oe.Ontology.from_edges(edges), ["c"], ["d"], "BDM")[0] > 0
    monkeypatch.setattr(ancestor_paths, "MAX_PATHS", 5)
    message = refusal(HierarchyError, oe.relate, oe.Ontology.from_edges(edges), ["c"], ["d"], "BDM")
    assert message.startswith("too many paths to ancestors for BDM: more than 5.")


def test_time_and_memory_for_sets_of_ancestors_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of places a, b, c and d with 1, 2, 2 and 4 ancestors, by which all places fall into 1, 2, 2 and 4 classes.

    A place costs 25 for each place and ancestor, and a fifth of its classes squared times its ancestors; four places
    with instances on both sides 2e5 each, 10 for each of the four, and the least of what its classes cost. The gold
    side, with a, b and c alone, holds 4 bytes for each two places, and 1 for each two classes of a place.
    """
    learned = 4 * 25 * (1 + 2 + 2 + 4) + (1 + 8 + 8 + 64) / 5
    gold = 3 * 25 * (1 + 2 + 2) + (1 + 8 + 8) / 5
    classes = math.sqrt((1 + 4 + 4 + 16) / 4), math.sqrt((1 + 4 + 4) / 3)
    products = math.prod(classes) * sum(classes) / 5
    limits = {
        "MAX_GENERAL_WORK": learned + gold + 4 * (2e5 + 10 * 4 + products),
        "MAX_HELD": 3 * 4 * 3 + (1 + 4 + 4),
    }
    for constant, limit in limits.items():
        with monkeypatch.context() as patch:
            patch.setattr(_triples, constant, limit * (1 + 1e-12))
            assert parse("H_s")(compared(*TASKS["diamond"])).undefined is None, constant
            patch.setattr(_triples, constant, limit * (1 - 1e-12))
            refused = parse("H_s")(compared(*TASKS["diamond"])).undefined
            assert str(refused).startswith(
                "too many pairs of concepts share instances: 4, with too many different sets of common ancestors"
            ), constant
