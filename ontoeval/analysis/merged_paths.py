"""`bridges`: shortest paths between concepts of a merged ontology, and the matched concepts that they go through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ontoeval.concepts.pairs import PairList
from ontoeval.concepts.space import Space
from ontoeval.measures import parse
from ontoeval.measures.concepts.pair_scores import value_parts
from ontoeval.model.arrays import LongArray
from ontoeval.model.hierarchy import ROOT_NAME
from ontoeval.model.ontology import MergedFiles, Ontology

_PATHS = "Rada(edges=relatedness, root_paths=false)"


@dataclass(frozen=True)
class Bridge:
    """A shortest path over edges of either file, and which of its concepts both files have; () without a path."""

    path: tuple[str, ...]
    through: tuple[str, ...]


def bridges(ontology: Ontology, left: LongArray, right: LongArray) -> list[Bridge]:
    """The shortest path between left[i] and right[i], added roots left out: through those, everything is connected."""
    files = merged_files(ontology)
    parts = value_parts(parse(_PATHS), PairList(Space.of(ontology), left, right))
    return [_bridge(ontology, files, entry.get("path") or ()) for entry in parts]


def _bridge(ontology: Ontology, files: MergedFiles, path: Sequence[str]) -> Bridge:
    matched = (iri for iri in path if iri != ROOT_NAME and files.side(ontology.hierarchy.id(iri), iri) == "both")
    return Bridge(tuple(path), tuple(matched))


def file_of(ontology: Ontology, concept: int) -> str:
    """Which of two merged files has a concept: "learned", "gold" or "both"."""
    return merged_files(ontology).side(concept, ontology.hierarchy.iris[concept])


def merged_files(ontology: Ontology) -> MergedFiles:
    """The files of a merged ontology."""
    assert ontology.merged is not None  # noqa: S101 - asked of merged ontologies only
    return ontology.merged
