"""The lowest-scoring instances, against the definition in plain sets."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from oracle import twin
from strategies import ontologies, picks, root_of

import ontoeval as oe
from ontoeval.analysis.worst import worst_instances
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison


def places(where: Any) -> set[str]:
    return {where} if isinstance(where, str) else set(where)


def companions(made: dict[str, Any], root: str, shared: set[str]) -> dict[str, set[str]]:
    """isc(i): j with a concept at, above or below a concept of i."""
    below = twin(**made, root=root).below
    on = {i: places(made["instances"][i]) for i in shared}
    return {
        i: {j for j in shared if any(a == b or a in below[b] or b in below[a] for a in on[i] for b in on[j])}
        for i in shared
    }


@given(ontologies(), ontologies(), picks(), picks())
def test_the_worst_are_those_of_the_definition(one: dict[str, Any], two: dict[str, Any], pick: int, other: int) -> None:
    roots = root_of(one, pick), root_of(two, other)
    task = Comparison(Ontology.from_edges(**one, root=roots[0]), Ontology.from_edges(**two, root=roots[1]))
    shared = {i for i in one["instances"] if places(one["instances"][i]) and places(two["instances"].get(i, ()))}
    mine, theirs = companions(one, roots[0], shared), companions(two, roots[1], shared)
    expected = []
    for i in shared:
        both, wrong, lost = len(mine[i] & theirs[i]), len(mine[i] - theirs[i]), len(theirs[i] - mine[i])
        if wrong or lost:
            itp, itr = Fraction(both, len(mine[i])), Fraction(both, len(theirs[i]))
            expected.append((2 * itp * itr / (itp + itr), -(wrong + lost), i, float(itp), float(itr), wrong, lost))
    found = worst_instances(task, 10)
    assert [(loss.iri, loss.precision, loss.recall, loss.wrong, loss.lost) for loss in found] == [
        row[2:] for row in sorted(expected)
    ]
    for loss in found:  # without labels a concept is called by the words of its name
        names = [task.learned.label_of(task.learned.hierarchy.id(c)) for c in places(one["instances"][loss.iri])]
        assert loss.learned == tuple(sorted(names))
    assert worst_instances(task, 1) == found[:1]
    assert worst_instances(task, 0) == []


def test_concepts_of_both_sides_are_named() -> None:
    learned = oe.Ontology.from_edges([], concepts=["x", "y"], labels={"x": "Ex"}, instances={"a": ["y", "x"], "b": "x"})
    gold = oe.Ontology.from_edges([], concepts=["p", "q"], labels={"q": "Queue"}, instances={"a": "p", "b": "q"})
    first, second = worst_instances(oe.Comparison(learned, gold))
    assert first.to_dict() == {
        "iri": "a", "precision": 0.5, "recall": 1.0, "wrong": 1, "lost": 0, "learned": ["Ex", "y"], "gold": ["p"],
    }  # fmt: skip
    assert (second.iri, second.learned, second.gold) == ("b", ("Ex",), ("Queue",))
