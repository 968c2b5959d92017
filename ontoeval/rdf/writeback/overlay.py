"""`write_overlay`: header with owl:imports, the scores (concept_scores.py), catalogue entry (xml_catalog.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyoxigraph as ox

from ontoeval.files import replacing
from ontoeval.load.ontologies.imports import CATALOG
from ontoeval.rdf.store.result_graph import input_iri
from ontoeval.rdf.vocabulary import TYPE, named_node, node
from ontoeval.rdf.writeback.concept_scores import Scores
from ontoeval.rdf.writeback.iris import OVERLAY
from ontoeval.rdf.writeback.serialise import write
from ontoeval.rdf.writeback.xml_catalog import with_entry
from ontoeval.results import EvaluationResult


def write_overlay(result: EvaluationResult, scores: Scores, learned: Path, target: Path) -> Path:
    """Write the overlay, and an entry for the learned file into the catalogue beside it; the path of the catalogue."""
    imported = named_node(result.judged.iri or "") or input_iri(result.judged)
    overlay = ox.NamedNode(OVERLAY + result.key[:32])
    comment = ox.Literal(f"The scores of {learned.name}, written by ontoeval.", language="en")
    header = (
        ox.Triple(overlay, TYPE, node("owl:Ontology")),
        ox.Triple(overlay, node("owl:imports"), imported),
        ox.Triple(overlay, node("rdfs:comment"), comment),
    )

    def lines(turtle: bool, prefixes: Mapping[str, str]) -> Iterator[str]:
        yield from (f"{triple} .\n" for triple in header)
        yield from scores.lines(turtle, prefixes)

    catalogue = target.parent / CATALOG
    text = with_entry(catalogue, imported.value, learned)  # refused before anything is written
    write(target, None, lines)
    if text is not None:
        with replacing(catalogue) as place:
            place.write_text(text, encoding="utf-8", newline="")
    return catalogue
