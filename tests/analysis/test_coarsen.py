"""Coarser variants of an ontology, and what annotations become in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from strategies import hierarchies, shuffles

import ontoeval as oe
from ontoeval.analysis.coarsen import Variant, variant
from ontoeval.errors import ParameterError, UnknownConceptError
from ontoeval.measures import parse
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.extraction import Extraction

# thing > agent > (person > (man > boy), group); thing > place > city, and city has one child
EDGES = [
    ("agent", "thing"), ("person", "agent"), ("group", "agent"), ("man", "person"), ("woman", "person"),
    ("boy", "man"), ("place", "thing"), ("city", "place"), ("port", "city"),
]  # fmt: skip


def moved(made: Variant) -> dict[str, str]:
    iris = made.original.hierarchy.iris
    return {iris[c]: iris[t] for c, t in enumerate(made.target.tolist()) if c != t}


def test_an_only_child_goes_to_the_nearest_ancestor_with_several_children() -> None:
    made = variant(Ontology.from_edges(EDGES), "link-1")
    assert moved(made) == {"boy": "person", "city": "thing", "port": "thing"}
    assert set(made.ontology.hierarchy.iris) == {"thing", "agent", "person", "group", "man", "woman", "place"}
    assert made.removed == 3


def test_what_is_kept_takes_in_what_is_below_it() -> None:
    made = variant(Ontology.from_edges(EDGES), "ptop", ["agent", "man", "place"])
    assert moved(made) == {
        "person": "agent", "group": "agent", "woman": "agent", "boy": "man", "city": "place", "port": "place",
    }  # fmt: skip
    assert set(made.ontology.hierarchy.iris) == {"thing", "agent", "man", "place"}


def test_ties_go_to_the_smallest_iri() -> None:
    ontology = Ontology.from_edges([("b", "r"), ("a", "r"), ("x", "b"), ("x", "a"), ("y", "x")])
    assert moved(variant(ontology, "ptop", ["b", "a"])) == {"x": "a", "y": "a"}


def test_only_children_are_judged_on_the_original_at_once() -> None:
    """c is an only child of nobody; that b, its only sister, has gone changes nothing."""
    ontology = Ontology.from_edges([("a", "r"), ("b", "a"), ("b", "c"), ("c", "r"), ("d", "c")])
    assert moved(variant(ontology, "link-1")) == {}
    chain = Ontology.from_edges([("a", "r"), ("b", "a"), ("c", "a"), ("d", "b")])
    # d goes to a, which goes to the root itself: so does d
    assert moved(variant(chain, "link-1")) == {"a": "r", "d": "r"}


# the same in plain sets


def nearest(start: str, parents: dict[str, set[str]], wanted: Iterable[str], root: str) -> str:
    wanted, here, seen = set(wanted), {start}, {start}
    while here:
        here = {parent for one in here for parent in parents[one]} - seen
        seen |= here
        if here & wanted:
            return min(here & wanted)
    return root


@given(made=hierarchies(), random=shuffles())
def test_variants_of_any_hierarchy_without_cycles(made: tuple[Any, Any], random: Random) -> None:
    ontology = Ontology.from_edges(made[0], concepts=made[1], root="new")
    hierarchy = ontology.hierarchy
    if any(len(cycle) > 1 for cycle in hierarchy.cycles):
        return
    iris, closure = hierarchy.iris, hierarchy.closure
    parents: dict[str, set[str]] = {iri: set() for iri in iris}
    for low, high, implied in zip(
        closure.parents.tails.tolist(), closure.parents.indices.tolist(), closure.redundant.tolist(), strict=True
    ):
        if not implied:
            parents[iris[low]].add(iris[high])
    children = {iri: {low for low in iris if iri in parents[low]} for iri in iris}
    root, names = iris[0], [*iris[1:]]
    keep = random.sample(names, random.randint(1, len(names)))
    expected = {c: nearest(c, parents, {*keep, root}, root) for c in names if c not in keep}
    assert moved(variant(ontology, "ptop", keep)) == expected
    several = {c for c in iris if len(children[c]) > 1}
    only = {c for c in names if all(children[p] == {c} for p in parents[c])}
    target = {c: nearest(c, parents, several, root) for c in only}
    for c in only:
        while target[c] in only:
            target[c] = target[target[c]]
    if len(only) == len(names):
        with pytest.raises(ParameterError, match="would remain"):
            variant(ontology, "link-1")
    else:
        found = variant(ontology, "link-1")
        assert moved(found) == target
        assert set(found.ontology.hierarchy.iris[1:]) == set(names) - only


def test_the_concepts_of_a_cycle_go_together() -> None:
    edges = [("a", "r"), ("b", "r"), ("c", "a"), ("d", "c"), ("c", "d")]
    assert moved(variant(Ontology.from_edges(edges), "link-1")) == {"c": "r", "d": "r"}
    assert moved(variant(Ontology.from_edges(edges), "ptop", ["d"])) == {"a": "r", "b": "r", "c": "d"}


def test_annotations_are_mapped_along() -> None:
    ontology = Ontology.from_edges(EDGES)
    key = Corpus.from_spans({"d": [(0, 1, "boy"), (2, 3, "port"), (4, 5, "nobody"), (6, 7, None)]})
    response = Corpus.from_spans({"d": [(0, 1, "person"), (2, 3, "city"), (4, 5, "nobody")]})
    task = Extraction(response, key, ontology)
    made = variant(ontology, "link-1").task(task)
    assert made.key.concepts == ("nobody", "person", "thing")
    assert made.ontology is not None
    assert len(made.ontology.hierarchy) == 7
    assert (parse("P")(task).value, parse("P")(made).value) == (0.0, pytest.approx(2 / 3))
    assert made.unknown_names == ("nobody",)


def test_scored_labels_stay_in_order() -> None:
    ontology = Ontology.from_edges(EDGES)
    labels = Corpus.from_labels({"d": [("port", 0.2), ("agent", 0.9), ("boy", 0.5)]})
    made = variant(ontology, "link-1").task(Extraction(labels, labels, ontology)).response
    assert [made.concepts[c] for c in made.concept.tolist()] == ["agent", "person", "thing"]


@pytest.mark.parametrize(
    ("kind", "keep", "message"),
    [
        ("top", [], "unknown variant 'top'"),
        ("ptop", [], "ptop needs the concepts to keep"),
        ("link-1", ["man"], "link-1 takes no list of concepts"),
    ],
)
def test_what_is_no_variant(kind: Any, keep: list[str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        variant(Ontology.from_edges(EDGES), kind, keep)


def test_a_variant_is_of_one_ontology_and_its_classes() -> None:
    ontology = Ontology.from_edges(EDGES)
    with pytest.raises(UnknownConceptError):
        variant(ontology, "ptop", ["nobody"])
    with pytest.raises(ParameterError, match="needs a root"):
        variant(Ontology.from_edges(EDGES, root="none"), "link-1")
    corpus = Corpus.from_spans({})
    with pytest.raises(ParameterError, match="a variant needs a task that compares classes"):
        variant(ontology, "link-1").task(Extraction(corpus, corpus))
    with pytest.raises(ParameterError, match="a variant needs a task that compares classes"):
        variant(ontology, "link-1").task(Extraction(corpus, corpus, ontology, by="instance"))


def test_only_children_of_each_of_their_parents_in_proton(shared_data: Path) -> None:
    """26 concepts are the only child of some parent, 5 of them have another parent with more children."""
    folder = shared_data / "proton" / "v0.1"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    ontology = oe.load_ontology(folder / "protonu.owl", imports=[folder], root="new")
    parents = ontology.hierarchy.parents
    children = Counter(parents.indices.tolist())
    edges = list(zip(parents.tails.tolist(), parents.indices.tolist(), strict=True))
    of_some = {low for low, high in edges if children[high] == 1}
    of_each = of_some - {low for low, high in edges if children[high] > 1}
    assert (len(of_some), len(of_each)) == (26, 21)
    assert variant(ontology, "link-1").removed == 21
