"""What `why` says of values between concepts: the ancestor that counts, ties by name, against the twin."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

from helpers import near
from hypothesis import given, settings
from strategies import hierarchies, picks, root_of
from twin_concepts import Concepts

import ontoeval as oe
from ontoeval.analysis.relate import why
from ontoeval.model.hierarchy import ROOT_NAME

FEW = settings(max_examples=max(10, settings.default.max_examples // 3))


class Parts:
    """The parts of a pair by the definitions; every cycle is called by its least name."""

    def __init__(self, twin: Concepts, left: str, right: str) -> None:
        self.twin, self.left, self.right = twin, left, right
        self.up_left, self.up_right = (twin.ups[twin.part[name]] for name in (left, right))
        self.direct_left, self.direct_right = (twin.direct_ups[twin.part[name]] for name in (left, right))
        self.common = self.up_left.keys() & self.up_right.keys()

    def first(self, *key: Any, without: str | None = None) -> str | None:
        """The common ancestor for which the functions `key` are least; ties by name, an added root last."""
        some = self.common - {without}
        return min(some, key=lambda m: (*(of(m) for of in key), m == self.twin.added, m)) if some else None

    def shown(self, ancestor: str | None) -> str | None:
        return ROOT_NAME if ancestor is not None and ancestor == self.twin.added else ancestor

    def steps(self, m: str) -> int:
        return self.up_left[m] + self.up_right[m]

    def wu_palmer(self) -> dict[str, Any]:
        def less(m: str) -> Fraction:
            height = 2 * (self.twin.depth(m) + 1)
            return -Fraction(height, self.steps(m) + height)

        m = self.first(less)
        if m is None:
            return {"ancestor": None}
        steps = {"up(left)": self.up_left[m], "up(right)": self.up_right[m]}
        return {"ancestor": self.shown(m), "depth": self.twin.depth(m), **steps}

    def learning_accuracy(self) -> dict[str, Any]:
        m = self.first(lambda m: -self.twin.depth(m, direct=True), lambda m: self.direct_left[m])
        if m is None:
            return {"MSCA": None, "CP": None, "FP": None, "DP": None}
        cp, dp = self.twin.depth(m, direct=True), self.direct_left[m]
        return {"MSCA": self.shown(m), "CP": cp, "FP": cp + dp, "DP": dp}

    def mica(self) -> dict[str, Any]:
        """By Seco the fewer concepts are at or below it the more informative it is."""
        content = self.twin.contents("seco", "none", False)[0]
        m = self.first(lambda m: len(self.twin.below[m]))
        of_m = 0.0 if m is None else content[m]
        return {
            "MICA": self.shown(m),
            "IC(MICA)": of_m,
            "IC(left)": content[self.left],
            "IC(right)": content[self.right],
        }

    def nearest(self, root_paths: bool) -> dict[str, Any]:
        m = self.first(self.steps, without=None if root_paths else self.twin.added)
        return {"d": inf if m is None else self.steps(m), "ancestor": self.shown(m)}

    def graph_content(self) -> dict[str, Any]:
        content = self.twin.contents("seco", "none", False)[0]
        left, right = self.twin.above[self.left], self.twin.above[self.right]
        return {"common": sum(content[m] for m in left & right), "union": sum(content[m] for m in left | right)}


@FEW
@given(made=hierarchies(), pick=picks())
def test_parts_are_those_of_the_definitions(made: tuple[Any, Any], pick: int) -> None:
    arguments = {"edges": made[0], "concepts": made[1]}
    arguments["root"] = root_of(arguments, pick)
    ontology, twin = oe.Ontology.from_edges(**arguments), Concepts(**arguments)
    pairs = [*product(twin.given, twin.given)]
    parts = [Parts(twin, *pair) for pair in pairs]
    for measure, expected in (
        ("WP", [of.wu_palmer() for of in parts]),
        ("LA", [of.learning_accuracy() for of in parts]),
        ("Lin", [of.mica() for of in parts]),
        ("Rada(paths=common-ancestor)", [of.nearest(True) for of in parts]),
        ("Rada(paths=common-ancestor, root_paths=false)", [of.nearest(False) for of in parts]),
        ("simGIC", [of.graph_content() for of in parts]),
        ("Flat", [{} for _ in parts]),
    ):
        found = why(ontology, [left for left, _ in pairs], [right for _, right in pairs], measure)
        for (left, right), row, by_twin in zip(pairs, found, expected, strict=True):
            value = near(twin(measure, left, right))
            numbers = {key: near(part) if isinstance(part, float | int) else part for key, part in by_twin.items()}
            assert row == {"left": left, "right": right, "value": value, **numbers}, measure


def test_parts_of_bdm_where_the_root_is_the_common_ancestor() -> None:
    """a and b are one edge below the root: CP = 0, DPK = DPR = 1."""
    (parts,) = why(oe.Ontology.from_edges([("a", "r"), ("b", "r")]), ["a"], ["b"], "BDM")
    assert (parts["MSCA"], parts["CP"], parts["DPK"], parts["DPR"]) == ("r", 0, 1, 1)
