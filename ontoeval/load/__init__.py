"""Files in: the only code that reads other people's formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

from ontoeval.errors import ParameterError
from ontoeval.load.corpora import load_corpus
from ontoeval.load.input import DEFAULT_LIMIT, Progress
from ontoeval.load.mappings import load_mapping
from ontoeval.load.ontologies.build import Choices
from ontoeval.load.ontologies.reason import Reasoner
from ontoeval.load.pipeline import Road
from ontoeval.load.tables.counts import load_counts
from ontoeval.load.tables.gate_bdm import read_bdm
from ontoeval.load.tables.rated_pairs import load_pairs
from ontoeval.model.hierarchy import OnCycle
from ontoeval.model.instances import Assigned
from ontoeval.model.ontology import Ontology

__all__ = ["load_corpus", "load_counts", "load_mapping", "load_ontology", "load_pairs", "read_bdm"]

Item = TypeVar("Item", str, str | Path)


def load_ontology(
    source: object,
    *,
    format: str | None = None,
    profile: Literal["auto", "owl", "skos"] = "auto",
    root: str = "auto",
    on_cycle: OnCycle = "keep",
    weights: Mapping[str, float] | None = None,
    language: str | None = None,
    reason: Reasoner | None = None,
    reason_timeout: float = 600,
    imports: str | Path | Sequence[str | Path] = (),
    relations: str | Sequence[str] = (),
    namespaces: str | Sequence[str] = (),
    below: str | None = None,
    scheme: str | None = None,
    deprecated: bool = False,
    transitive: bool = False,
    mappings: bool = False,
    close_match: bool = False,
    instances: str | Path | Assigned | None = None,
    instance_property: str | None = None,
    instance_key: str | Sequence[str] = (),
    min_strength: float = 0.0,
    strict_instances: bool = False,
    columns: str | Sequence[str] | None = None,
    base_iri: str | None = None,
    lenient: bool = False,
    max_size: int = DEFAULT_LIMIT,
    progress: Progress | None = None,
) -> Ontology:
    """Read an ontology.

    `source` is a path, '-' for stdin, bytes, an open file, an rdflib.Graph, an owlready2 ontology or a
    networkx.DiGraph.

    format: override what the content says (`detect.FORMATS`). profile: which side of a file that has OWL classes and
    SKOS concepts.
    root: "auto", "new", "none" or a concept; on_cycle: "keep" or "error".
    weights: {"hierarchical": 1, "related": 1, "synonym": 0}; a weight that the file gives to an edge goes first.
    language: keep the labels in one language ("en" takes en, then en-GB, then those without a language).
    reason: "hermit" (needs Java) or "elk": the inferred hierarchy instead of the told one, within `reason_timeout` s.
    imports: files whose triples are added, and folders or catalogues in which owl:imports are looked up.
    relations: further properties whose triples or restrictions are hierarchical edges.
    namespaces, below, scheme: keep a part of the concepts; ways through dropped ones become edges.
    deprecated: keep deprecated concepts. transitive, mappings, close_match: SKOS's broaderTransitive, broadMatch,
    closeMatch and their inverses count, too.
    instances: a TSV (instance, concept[, strength]) or a mapping, instead of the file's own; instance_property: a
    property from document to concept, besides rdf:type and dct:subject. instance_key: a property whose (smallest)
    value, not its IRI, is the name of an instance; of several properties the first that the instance has.
    min_strength: leave out weaker assignments; strict_instances: and then instances that sit on several concepts.
    columns: the order of a TSV's columns. base_iri: for relative IRIs. lenient: read slightly broken files, too.
    max_size: in unpacked bytes. progress: called with the bytes read so far and in all.
    """
    if not isinstance(root, str):
        raise ParameterError(f'the root {root!r} is no string. Give "auto", "new", "none" or the IRI of a concept.')
    choices = Choices(
        root=root,
        on_cycle=on_cycle,
        weights=weights,
        language=language,
        deprecated=deprecated,
        namespaces=_several(namespaces),
        below=below,
        instance_keys=_several(instance_key),
        min_strength=min_strength,
        strict_instances=strict_instances,
    )
    road = Road(
        choices=choices,
        format=format,
        profile=profile,
        reason=reason,
        reason_timeout=reason_timeout,
        imports=_several(imports),
        relations=_several(relations),
        scheme=scheme,
        transitive=transitive,
        mappings=mappings,
        close_match=close_match,
        instances=instances,
        instance_property=instance_property,
        columns=columns,
        base_iri=base_iri,
        lenient=lenient,
        max_size=max_size,
        progress=progress,
    )
    return road.load(source)


def _several(given: Item | Sequence[Item]) -> tuple[Item, ...]:
    """One or several; a string is one, not its letters."""
    return (given,) if isinstance(given, (str, Path)) else tuple(given)
