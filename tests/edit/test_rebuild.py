"""Ontologies rebuilt from some of their concepts: weights of edges that replace paths, and of those to the root."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.analysis.coarsen import variant
from ontoeval.edit.rebuild import keep_concepts
from ontoeval.measures import parse
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.extraction import Extraction

# d < c < b < a and e < a; without c the edge d < b stands for the path d < c < b
CHAIN = [("b", "a"), ("c", "b"), ("d", "c"), ("e", "a")]
TWO = {"hierarchical": 2.0}


def weights(ontology: Ontology) -> dict[tuple[str, str], float]:
    iris, parents = ontology.hierarchy.iris, ontology.hierarchy.parents
    columns = (parents.tails.tolist(), parents.indices.tolist(), parents.weights.tolist())
    return {(iris[low], iris[high]): weight for low, high, weight in zip(*columns, strict=True)}


def covered(learned: Ontology, *gold: str) -> Ontology:
    """The learned ontology without the concepts that a gold standard of these concepts does not have."""
    return Comparison(learned, Ontology.from_edges([], concepts=gold)).covered().learned


@pytest.fixture
def from_file(tmp_path: Path) -> Ontology:
    """`CHAIN` below another concept, read from a file without that and without c: the loader replaces paths, too."""
    file = tmp_path / "chain.tsv"
    file.write_text("".join(f"http://ex.org/{low}\thttp://ex.org/{high}\n" for low, high in [*CHAIN, ("a", "above")]))
    spaces = [f"http://ex.org/{name}" for name in "abde"]
    return oe.load_ontology(file, weights=TWO, below="http://ex.org/a", namespaces=spaces)


def test_the_edge_that_replaces_a_path_weighs_what_hierarchical_edges_do(from_file: Ontology) -> None:
    learned = Ontology.from_edges(CHAIN, weights=TWO)
    expected = {("b", "a"): 2.0, ("d", "b"): 2.0, ("e", "a"): 2.0}
    assert weights(covered(learned, "a", "b", "d", "e")) == expected
    assert weights(variant(learned, "ptop", ["b", "d", "e"]).ontology) == expected
    loaded = {(low[-1], high[-1]): weight for (low, high), weight in weights(from_file).items()}
    assert loaded == expected


def test_link_1_replaces_the_path_over_an_only_child() -> None:
    # x is the only child of b and goes to a; c and d are two children of x
    edges = [("b", "a"), ("e", "a"), ("x", "b"), ("c", "x"), ("d", "x")]
    made = variant(Ontology.from_edges(edges, weights=TWO), "link-1").ontology
    assert weights(made) == {("b", "a"): 2.0, ("e", "a"): 2.0, ("c", "b"): 2.0, ("d", "b"): 2.0}


def test_edges_to_a_root_that_is_added_anew_weigh_what_hierarchical_edges_do() -> None:
    learned = Ontology.from_edges(CHAIN, weights=TWO, root="new")
    made = variant(learned, "ptop", ["d", "e"]).ontology
    root = made.hierarchy.iris[0]
    assert weights(made) == {("d", root): 2.0, ("e", root): 2.0}
    assert made.hierarchy.weight == 2.0
    part = covered(Ontology.from_edges(CHAIN, weights=TWO), "d", "e")
    assert weights(part) == {("d", part.hierarchy.iris[0]): 2.0, ("e", part.hierarchy.iris[0]): 2.0}


def test_edges_with_a_weight_of_their_own_keep_it() -> None:
    learned = Ontology.from_edges([("b", "a", 5.0), ("c", "b", 7.0), ("d", "c", 7.0)], weights=TWO)
    assert weights(covered(learned, "a", "b", "d")) == {("b", "a"): 5.0, ("d", "b"): 2.0}


def test_path_measures_count_a_replaced_path_with_its_weight() -> None:
    """d to e: d < b < a > e, three edges of weight 2, by any path and by the nearest common ancestor."""
    learned = Ontology.from_edges(CHAIN, weights=TWO)
    for made in (
        covered(learned, "a", "b", "d", "e"),
        variant(learned, "ptop", ["b", "d", "e"]).ontology,
        keep_concepts(learned, np.array([iri != "c" for iri in learned.hierarchy.iris])),
    ):
        for paths in ("any", "common-ancestor"):
            assert oe.relate(made, ["d"], ["e"], f"Rada(scale=distance, paths={paths})").tolist() == [6.0]


def test_annotations_on_a_variant_are_scored_with_the_weight_of_replaced_paths() -> None:
    """Rada's similarity of d and b is 1 / (1 + 2): the one edge between them in the variant weighs 2."""
    ontology = Ontology.from_edges(CHAIN, weights=TWO)
    key, response = Corpus.from_spans({"t": [(0, 1, "d")]}), Corpus.from_spans({"t": [(0, 1, "b")]})
    task = variant(ontology, "ptop", ["b", "d", "e"]).task(Extraction(response, key, ontology))
    assert parse("AP(similarity=Rada)")(task).value == pytest.approx(1 / 3)
