"""Real ontologies: each is described or refused in words, and the counts that come with them are met."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe

PATTERNS = (
    "owl-misc/*.owl", "owl-misc/*.rdf", "owl-misc/*.ttl", "owl-misc/*.turtle", "skos-*/*.ttl*",
    "oaei-conference/*/*.owl", "proton/*/*.owl", "mesh2016-dag/*.gz",
    "texeval/*/*.taxo", "texeval/*/*/*.taxo", "cl/*.gz", "brick/*.gz",
    "dbpedia-owl/*.gz", "eurovoc-lite/*.gz", "gemet/*.gz", "uat/*.gz",
)  # fmt: skip
REFUSED = {  # files that are no usable ontology, or not without a hint; and why
    "skos-skosmos-vocabs/default_graph.ttl": "no concepts found",
    "skos-skosmos-vocabs/myns-ontology.ttl": "no concepts found",
    "mesh2016-dag/mesh_hierarchy.txt.gz": "a list of two-word names",  # parent child, with a blank between them
    "proton/v0.2/protonkm.owl": "a relative IRI without a base",
    "proton/v0.2/protons.owl": "a relative IRI without a base",
    "proton/v0.2/protont.owl": "a relative IRI without a base",
    "proton/v0.2/protonu.owl": "a relative IRI without a base",
}

# From the SOURCE.md beside each file: concepts, given edges, roots that have an edge. None: not stated there.
COUNTS: dict[str, tuple[dict[str, Any], int | None, int | None, int | None]] = {
    "owl-misc/pizza.owl.rdf": ({}, 99, None, None),
    "skos-unesco/unesco-thesaurus.ttl.gz": ({}, 4420, 4264, None),
    "oaei-conference/ontologies/cmt.owl": ({}, 29, None, None),
    "oaei-conference/ontologies/conference.owl": ({}, 59, None, None),
    "oaei-conference/ontologies/confOf.owl": ({}, 38, None, None),
    "oaei-conference/ontologies/edas.owl": ({}, 103, None, None),
    "oaei-conference/ontologies/ekaw.owl": ({}, 73, None, None),
    "oaei-conference/ontologies/iasted.owl": ({}, 140, None, None),
    "oaei-conference/ontologies/sigkdd.owl": ({}, 49, None, None),
    "proton/v0.1/protonu.owl": ({"imports": ["proton/v0.1"]}, 266, None, None),
    "proton/v0.2/protonu.owl": ({"imports": ["proton/v0.2"], "lenient": True}, 267, None, None),
    "proton/v0.2/protonkm.owl": (
        {"imports": ["proton/v0.2", "proton/v0.2/protonu.owl"], "lenient": True}, 277, None, None,
    ),
    "proton/gate-bdm-test-2012/protont.owl": ({"imports": ["proton/gate-bdm-test-2012"]}, 29, None, None),
    "mesh2016-dag/mesh_hierarchy.txt.gz": ({"columns": "parent,child"}, None, 37796, None),
    "cl/CellOntology_2019.01.29.obo.gz": ({}, None, 3139, None),
    "doid/DiseaseOntology_2014.10.13.obo.gz": ({}, 6413, 6796, 1),
    "doid/DiseaseOntology_2019.03.07.obo.gz": ({}, 9233, 10880, 1),
    "eurovoc-lite/eurovoc-lite-skos.ttl.gz": ({}, 7317, 7447, 519),
    "gemet/gemet-de.rdf.gz": ({}, 5570, 16149, None),
    "uat/UAT.rdf.gz": ({"deprecated": True}, 2372, 2645, None),
}  # fmt: skip
LARGE: dict[str, tuple[dict[str, Any], int | None, int | None, int | None]] = {
    "go2022/go-2022-07-01.ttl.gz": ({}, 43558, 70058, 3),
    "go2019/GeneOntology_2019.01.29.obo.gz": ({}, 45013, 77189, 3),
    "hpo/hp.obo.gz": ({}, 19034, 23392, 1),
    "mondo/mondo-2026-05-05.ttl.gz": ({}, 27990, 41908, 4),
    "chebi/chebi-2026-05-01.ttl.gz": ({}, 205304, 285589, 3),
    "agrovoc-fr/agrovoc_fr.rdf.gz": ({}, 28174 + 5, 27694, 590),  # 5 stand in skos:broader only
    "ncbitaxon/ncbitaxon-2026-05-13.ttl.gz": ({}, 1261575 + 1, 1261575, 1),  # the root stands in subClassOf only
    "go2017/go.owl.gz": ({}, 44449, None, 3),
}
# SemEval-2016 Task 13, Table 2: V, E (lines), intermediate nodes, connected components
STRUCTURE = {
    "gold/environment_eurovoc": (261, 261, 60, 1),
    "runs-EN/environment_eurovoc.JUNLP": (321, 463, 123, 19),
    "runs-EN/environment_eurovoc.TAXI": (148, 207, 50, 1),
    "runs-EN/environment_eurovoc.NUIG-UNLP": (312, 456, 176, 58),
    "runs-EN/environment_eurovoc.USAAR": (57, 47, 10, 10),
    "runs-EN/environment_eurovoc.QASSIT": (261, 365, 88, 1),
    "gold/food": (1556, 1587, 70, 1),
    "runs-EN/food.JUNLP": (1802, 3015, 581, 48),
    "runs-EN/food.TAXI": (781, 1118, 132, 1),
}


def check_counts(data: Path, file: str, expected: tuple[dict[str, Any], int | None, int | None, int | None]) -> None:
    options, concepts, edges, roots = expected
    if "imports" in options:
        options = options | {"imports": [data / place for place in options["imports"]]}
    ontology = oe.load_ontology(data / file, **options).describe()
    assert concepts in (None, ontology["concepts"] - ontology["root_added"])
    assert edges in (None, ontology["given_edges"])
    assert roots in (None, ontology["roots"] - ontology["isolated"])
    assert ontology["edges"] == ontology["given_edges"] + ontology["added_edges"]
    if "imports" in options:
        assert ontology["unresolved_imports"] == []


@pytest.mark.parametrize("file", COUNTS)
def test_counts_are_those_of_the_source(file: str, shared_data: Path) -> None:
    check_counts(shared_data, file, COUNTS[file])


@pytest.mark.slow
@pytest.mark.parametrize("file", LARGE)
def test_counts_of_large_files_are_those_of_the_source(file: str, shared_data: Path) -> None:
    check_counts(shared_data, file, LARGE[file])


@pytest.mark.parametrize("run", STRUCTURE)
def test_texeval_structure_is_that_of_the_paper(run: str, shared_data: Path) -> None:
    ontology = oe.load_ontology(shared_data / "texeval" / "2016" / f"{run}.taxo").describe()
    terms = ontology["concepts"] - ontology["root_added"]
    assert (terms, ontology["lines"], ontology["intermediate"], ontology["components"]) == STRUCTURE[run]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_file_is_described_or_refused_in_words(pattern: str, shared_data: Path) -> None:
    files = [path for path in sorted(shared_data.glob(pattern)) if path.name != "SOURCE.md"]
    assert files
    for path in files:
        name = path.relative_to(shared_data).as_posix()
        if name in REFUSED:
            with pytest.raises(oe.OntoevalError, match=REFUSED[name]):
                oe.load_ontology(path)
        else:
            ontology = oe.load_ontology(path).describe()
            assert ontology["concepts"] > 0
            assert ontology["roots"] > 0


def test_two_entity_styles_of_proton_give_the_same_classes(shared_data: Path) -> None:
    old = oe.load_ontology(shared_data / "proton" / "v0.1" / "protons.owl")  # entities in single quotes
    new = oe.load_ontology(shared_data / "proton" / "gate-bdm-test-2012" / "protons.owl")
    assert [iri.rpartition("#")[2] for iri in old.hierarchy.iris] == [
        iri.rpartition("#")[2] for iri in new.hierarchy.iris
    ]
