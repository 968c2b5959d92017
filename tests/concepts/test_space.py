"""`Space`: the order of ties, depths, and what is made once."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from strategies import hierarchies, picks, root_of
from twin_concepts import Concepts

from ontoeval.concepts.space import Space
from ontoeval.model.hierarchy import ROOT_NAME
from ontoeval.model.ontology import Ontology


@given(made=hierarchies(), pick=picks())
def test_ties_go_by_the_least_name_of_a_cycle_and_an_added_root_is_last(made: tuple[Any, Any], pick: int) -> None:
    arguments = {"edges": made[0], "concepts": made[1]}
    root = root_of(arguments, pick)
    space, twin = Space.of(Ontology.from_edges(**arguments, root=root)), Concepts(made[0], concepts=made[1], root=root)
    names = list(space.hierarchy.iris)
    if twin.added is not None:
        names[0] = twin.added
    cycles = [
        {names[concept] for concept in range(*space.closure.first[part : part + 2])} for part in range(len(space.rows))
    ]
    assert {frozenset(cycle) for cycle in cycles} == {frozenset(mates) for mates in twin.mates.values()}
    by_name = sorted(cycles, key=lambda cycle: (twin.added in cycle, min(cycle)))
    assert [cycles[part] for part in np.argsort(space.rank)] == by_name
    for part, cycle in enumerate(cycles):
        assert names[space.member(part)] == min(cycle)


@given(made=hierarchies(), pick=picks())
def test_depths_are_those_of_the_shortest_and_the_longest_way_down(made: tuple[Any, Any], pick: int) -> None:
    arguments = {"edges": made[0], "concepts": made[1]}
    root = root_of(arguments, pick)
    space, twin = Space.of(Ontology.from_edges(**arguments, root=root)), Concepts(made[0], concepts=made[1], root=root)
    shortest, longest = {}, {}
    waiting = list(twin.parents)
    while waiting:  # a part comes when all above it are done
        part = waiting.pop(0)
        if twin.parents[part] <= shortest.keys():
            shortest[part] = min((shortest[above] + 1 for above in twin.parents[part]), default=0)
            longest[part] = max((longest[above] + 1 for above in twin.parents[part]), default=0)
        else:
            waiting.append(part)
    assert space.greatest_depth == max(shortest.values())
    assert space.greatest_level == max(longest.values())


def test_one_graph_of_paths_serves_where_no_root_was_added() -> None:
    with_root = Space.of(Ontology.from_edges([("a", "r"), ("b", "r")]))
    for related in (True, False):
        through, not_through = (with_root.paths(related=related, through_root=root) for root in (True, False))
        assert through is not_through
    added = Space.of(Ontology.from_edges([("a", "r"), ("b", "q")]))
    through, not_through = (added.paths(related=False, through_root=root) for root in (True, False))
    ends = added.hierarchy.ids(["a", "b"])
    assert through.between(ends[:1], ends[1:]).tolist() == [4.0]
    assert not_through.between(ends[:1], ends[1:]).tolist() == [np.inf]


def test_no_class_lies_between_where_there_are_no_individuals() -> None:
    space = Space.of(Ontology.from_edges([("a", "r"), ("b", "a")]))
    assert space.class_between is None
    assert not space.individual(np.arange(3)).any()
    assert space.hierarchy.iris[0] != ROOT_NAME
