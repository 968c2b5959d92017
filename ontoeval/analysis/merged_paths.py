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
    ids = [ontology.hierarchy.id(iri) for iri in path if iri != ROOT_NAME]
    return Bridge(tuple(path), tuple(ontology.hierarchy.iris[concept] for concept in ids if files.in_both[concept]))


def file_of(ontology: Ontology, concept: int) -> str:
    """Which of two merged files has a concept: "learned", "gold" or "both"."""
    files = merged_files(ontology)
    return "both" if files.in_both[concept] else "learned" if files.in_learned[concept] else "gold"


def merged_files(ontology: Ontology) -> MergedFiles:
    """The files of a merged ontology."""
    assert ontology.merged is not None  # noqa: S101 - asked of merged ontologies only
    return ontology.merged
