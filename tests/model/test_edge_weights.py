"""Names of weights, which goes before which, and path lengths of random links of all properties against plain loops."""

from __future__ import annotations

from math import inf, isnan
from typing import Any

import numpy as np
import pytest
from helpers import refusal
from hypothesis import given
from twin_weights import DEFAULT, KIND, OWL, PART_OF, RDFS, SKOS, every_length, random_links

import ontoeval as oe
from ontoeval.errors import ParameterError
from ontoeval.model.edge_weights import EdgeWeights


def local(iri: str) -> str:
    return iri.replace("#", "/").rpartition("/")[2]


# Names


@pytest.mark.parametrize("iri", KIND)
def test_a_property_is_called_by_its_local_name_its_curie_or_its_iri(iri: str) -> None:
    curie = {SKOS: "skos:", OWL: "owl:", RDFS: "rdfs:"}[iri.removesuffix(local(iri))] + local(iri)
    for name in (iri, curie, *([] if local(iri) == "related" else [local(iri)])):
        weights = EdgeWeights.of({name: 3})
        assert weights.own(iri) == 3.0
        assert weights.kinds == DEFAULT
    assert isnan(EdgeWeights.of({"hierarchical": 3}).own(iri))  # that of its kind


def test_related_is_the_kind_and_its_curie_the_property() -> None:
    kind, single = EdgeWeights.of({"related": 2}), EdgeWeights.of({"skos:related": 2})
    assert kind.kinds["related"] == 2.0
    assert not kind.properties
    assert single.kinds["related"] == 1.0
    assert isnan(single.own(SKOS + "relatedMatch"))


def test_broader_and_narrower_are_one() -> None:
    for one, other in (("broader", "narrower"), ("broaderTransitive", "narrowerTransitive")):
        assert EdgeWeights.of({other: 2}) == EdgeWeights.of({one: 2}) == EdgeWeights.of({one: 2, other: 2.0})
        assert refusal(ParameterError, EdgeWeights.of, {one: 2, other: 3}) == (
            f"{one} and {other} are the same links but have two weights: 2 and 3. Remove one of them."
        )


def test_an_unknown_name_is_refused_with_a_suggestion() -> None:
    message = refusal(ParameterError, EdgeWeights.of, {"broder": 2})
    assert message.startswith("unknown kind or property of links: 'broder'. Did you mean 'broader'")
    assert "or one of: hierarchical, related, synonym, broader, narrower, " in message
    assert message.endswith(", altLabel.")
    assert "'part_of'" in refusal(ParameterError, EdgeWeights.of, {"partof": 2}, ["part_of"])


def test_a_property_that_is_not_read_is_refused_unless_it_is_a_relation() -> None:
    assert refusal(ParameterError, EdgeWeights.of, {PART_OF: 2}) == (
        f"the property '{PART_OF}' is not read and has no weight. "
        f'Set relations="{PART_OF}" to read it as hierarchical.'
    )
    assert EdgeWeights.of({PART_OF: 2}, [PART_OF]).own(PART_OF) == 2.0
    assert EdgeWeights.of({"part_of": 2}, ["part_of"]).own("part_of") == 2.0


@pytest.mark.parametrize("value", [-1, inf, "x", None])
def test_a_weight_is_a_finite_number_from_0_on(value: Any) -> None:
    for name in ("broader", "altLabel", SKOS + "exactMatch"):
        message = refusal(ParameterError, EdgeWeights.of, {name: value})
        assert message == f"the weight of {name} must be a finite number >= 0, not {value!r}."


def test_changes_are_what_is_not_as_by_default() -> None:
    assert EdgeWeights.of({"hierarchical": 1, "synonym": 0, "altLabel": 0}).changes() == {}
    weights = EdgeWeights.of({"altLabel": 0.5, "narrower": 3, "synonym": 1, "related": 1, SKOS + "related": 2})
    assert weights.changes() == {"synonym": 1.0, "broader": 3.0, "skos:related": 2.0, "altLabel": 0.5}
    assert EdgeWeights.of(weights.changes()) == weights
    assert weights.to_dict() == {"hierarchical": 1.0, "related": 1.0, **weights.changes()}


# Random links: least total weight over several links and mixed properties


@given(random_links([*KIND, "hierarchical", "synonym", PART_OF]))
def test_path_lengths_of_links_of_all_properties_are_those_of_plain_loops(case: Any) -> None:
    links, weights, root = case
    ontology = oe.Ontology.from_edges([], links=links, weights=weights, root=root)
    for related in (False, True):
        expected = every_length(links, weights, root, related=related)
        measure = f"Rada(scale=distance, edges={'relatedness' if related else 'similarity'})"
        left, right = zip(*expected, strict=True)
        assert oe.relate(ontology, left, right, measure) == pytest.approx(list(expected.values()), rel=0, abs=1e-9)


@given(random_links([*KIND, "hierarchical", "synonym", PART_OF]))
def test_short_names_and_iris_of_properties_are_the_same(case: Any) -> None:
    links, weights, root = case
    short = [(a, b, local(name) if name in KIND else name) for a, b, name in links]
    names = {local(name) if name in KIND and local(name) != "related" else name: w for name, w in weights.items()}
    one = oe.Ontology.from_edges([], links=links, weights=weights, root=root)
    other = oe.Ontology.from_edges([], links=short, weights=names, root=root)
    assert one.digest == other.digest
    assert one.weights == other.weights


def test_an_equivalence_has_the_weight_of_its_property_whole() -> None:
    links = [("car", "auto", "equivalentClass")]
    heavy = oe.Ontology.from_edges([], links=links, weights={"equivalentClass": 5}, root="none")
    assert oe.relate(heavy, ["car"], ["auto"], "Rada(scale=distance)").tolist() == [5.0]
    same = oe.Ontology.from_edges([], equivalent=[("car", "auto", 5)], root="none")
    assert heavy.digest == same.digest


def test_a_link_is_two_concepts_and_a_property() -> None:
    for link in [("a", "b"), ("a", "b", 1.0), "abc"]:
        assert "is not a link. Use (concept, broader concept, property)" in refusal(
            ParameterError, oe.Ontology.from_edges, [], links=[link]
        )
    message = refusal(ParameterError, oe.Ontology.from_edges, [], links=[("a", "b", "broder")])
    assert "Did you mean 'broader'" in message


def test_a_weight_that_no_link_has_is_noted() -> None:
    ontology = oe.Ontology.from_edges([("b", "a")], weights={"broader": 2, "altLabel": 1, "closeMatch": 1})
    assert ontology.source.notes == (
        "no broader link joins two concepts, so its weight has no effect",
        "no closeMatch link joins two concepts, so its weight has no effect (set close_match=True to read such links)",
        "no concept has an altLabel, so its weight has no effect",
    )
    links = [("b", "a", "related"), ("b", "a", SKOS + "narrower")]
    assert oe.Ontology.from_edges([], links=links, weights={"skos:related": 2, "broader": 3}).source.notes == ()


# What else looks at weights


def test_common_ancestors_refuse_a_weight_that_they_do_not_see() -> None:
    links = [("b", "a", "broader"), ("c", "a", "broadMatch")]
    ontology = oe.Ontology.from_edges([], links=links, weights={"broadMatch": 2})
    message = refusal(ParameterError, oe.relate, ontology, ["b"], ["c"], "Rada(paths=common-ancestor)")
    assert message == (
        "paths=common-ancestor counts each hierarchical link as 1 and ignores the weight of broadMatch. Use "
        "paths=any, or remove broadMatch=2 from weights=."
    )
    assert EdgeWeights.of({"skos:related": 2}, [SKOS + "related"]).unlike_kind() == ["skos:related"]  # --relation
    assert EdgeWeights.of({"skos:related": 2}).unlike_kind() == []
    alike = oe.Ontology.from_edges([], links=links, weights={"broadMatch": 2, "broader": 2, "hierarchical": 2})
    found = oe.relate(alike, ["b"], ["c"], "Rada(scale=distance, paths=common-ancestor)")
    assert found.tolist() == [4.0]


def test_a_part_and_a_variant_keep_the_weights() -> None:
    links = [("c", "b", "broader"), ("b", "a", "broader")]
    ontology = oe.Ontology.from_edges([], links=links, weights={"broader": 2})
    task = oe.Comparison(ontology, oe.Ontology.from_edges([("c", "a")])).covered()
    assert task.learned.weights == ontology.weights
    assert np.all(task.learned.hierarchy.parents.weights == 1.0)  # c < a replaces two links, and is no broader link
