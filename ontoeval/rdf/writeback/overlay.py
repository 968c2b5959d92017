"""An ontology of scores alone, which imports the one that they judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyoxigraph as ox

from ontoeval.files import replacing
from ontoeval.load.ontologies.imports import CATALOG
from ontoeval.rdf.store.result_graph import input_iri
from ontoeval.rdf.vocabulary import TYPE, node
from ontoeval.rdf.writeback.concept_scores import Scores, is_valid
from ontoeval.rdf.writeback.iris import OVERLAY
from ontoeval.rdf.writeback.serialise import write
from ontoeval.rdf.writeback.target import Written
from ontoeval.rdf.writeback.xml_catalog import with_entry
from ontoeval.results import EvaluationResult


def write_overlay(result: EvaluationResult, scores: Scores, learned: Path, target: Path) -> Written:
    judged = result.judged
    named = judged.iri is not None and is_valid(judged.iri)
    imported = ox.NamedNode(judged.iri) if named and judged.iri else input_iri(judged)
    own = ox.NamedNode(OVERLAY + result.key[:32])

    comment = ox.Literal(f"The scores of {learned.name}, written by ontoeval.", language="en")
    header = (
        ox.Triple(own, TYPE, node("owl:Ontology")),
        ox.Triple(own, node("owl:imports"), imported),
        ox.Triple(own, node("rdfs:comment"), comment),
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
    return Written(target, len(scores), scores.concepts, scores.measures, catalogue=catalogue, notes=scores.notes)
