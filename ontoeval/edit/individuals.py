"""`with_individuals`, `populate`: an ontology whose individuals are leaves below their classes, to be related.

An individual i has an edge of length 1 to each of its classes T(i), without those that are above another of them. Its
id comes after those of all classes, so that nothing changes for these: `Ontology.classes` is the ontology without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ontoeval.concepts.individual_paths import TYPE_LENGTH
from ontoeval.model.arrays import Adjacency, LongArray
from ontoeval.model.closure import Closure
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.individuals import Individuals
from ontoeval.model.lexicon import ROLES, Lexicon
from ontoeval.model.ontology import Ontology

_ALTERNATIVE, _PREFERRED = ROLES.index("alternative"), ROLES.index("preferred")


def with_individuals(ontology: Ontology, iris: Iterable[str] | None = None) -> Ontology:
    """The ontology with these of its individuals, or all, as leaves; names of concepts and of nothing are ignored.

    An IRI that is a concept and an individual is the concept. Other IRIs of an individual (owl:sameAs) become former
    IRIs, which are looked up as the one that stands for it.
    """
    if ontology.classes is not None:
        return ontology
    if iris is None:
        return ontology.cached(
            "with all individuals", lambda: with_individuals(ontology, Individuals.of(ontology).iris)
        )
    individuals = Individuals.of(ontology)
    hierarchy = ontology.hierarchy
    names = [iri for iri in dict.fromkeys(iris) if iri not in hierarchy and iri not in ontology.aliases]
    aliases = {iri: individuals.representative(iri) for iri in names if iri in individuals}
    classes = {iri: individuals.classes(iri) for iri in sorted(set(aliases.values())) if iri not in hierarchy}
    labels = {iri: individuals.labels(iri) for iri in classes}
    return add_individuals(ontology, classes, labels, {a: b for a, b in aliases.items() if a != b})


def populate(
    ontology: Ontology,
    iris: Mapping[str, Iterable[str]],
    further: Mapping[str, Sequence[int]] | None = None,
) -> tuple[Ontology, LongArray]:
    """The ontology with individuals (name -> all its IRIs) as leaves, and beside the names their ids in it.

    An individual has the classes of all its IRIs, or if the ontology has none those of `further`. -1: one without a
    class. A name that is a concept is that concept (punning).
    """
    individuals, hierarchy = Individuals.of(ontology), ontology.hierarchy
    classes: dict[str, Sequence[int]] = {}
    for name, every_iri in iris.items():
        if name not in hierarchy:
            told: Sequence[int] = [concept for iri in every_iri for concept in individuals.classes(iri)] or (
                further or {}
            ).get(name, ())
            classes |= {name: told} if told else {}
    populated = add_individuals(ontology, classes, {name: individuals.labels(name) for name in classes})
    ids = [populated.hierarchy.id(name) if name in populated.hierarchy else -1 for name in iris]
    return populated, np.array(ids, dtype=np.int64)


def add_individuals(
    ontology: Ontology,
    classes: Mapping[str, Sequence[int]],
    labels: Mapping[str, Sequence[str]],
    aliases: Mapping[str, str] | None = None,
) -> Ontology:
    """The ontology with individuals (name -> ids of its classes, at least one) as leaves, in this order."""
    if not classes:
        return replace(ontology, aliases={**ontology.aliases, **aliases}) if aliases else ontology
    names, size = tuple(classes), len(ontology.hierarchy)
    counts = ontology.counts
    return replace(
        ontology,
        hierarchy=_with_leaves(ontology.hierarchy, names, _told_once(ontology.hierarchy.closure, classes)),
        lexicon=_with_labels(ontology.lexicon, [labels[name] for name in names], size),
        aliases={**ontology.aliases, **(aliases or {})},
        counts=None if counts is None else np.concatenate([counts, np.zeros(len(names))]),
        instances=None,  # in the numbering of the classes alone, and looked at there
        classes=ontology,
    )


def _told_once(closure: Closure, classes: Mapping[str, Sequence[int]]) -> list[tuple[int, ...]]:
    """T(i) of each individual: without classes that are above another one; members of a cycle are not."""
    reduced: dict[tuple[int, ...], tuple[int, ...]] = {}  # many individuals have the same classes
    result = []
    for told in classes.values():
        key = tuple(sorted(set(told)))
        if key not in reduced:
            reduced[key] = _lowest(closure, key)
        result.append(reduced[key])
    return result


def _lowest(closure: Closure, concepts: tuple[int, ...]) -> tuple[int, ...]:
    if len(concepts) < 2:
        return concepts
    part = closure.part[list(concepts)].astype(np.int64)
    low, high = np.repeat(part, len(part)), np.tile(part, len(part))
    redundant = closure.above(low, high).reshape(len(part), -1).any(axis=0)
    return tuple(np.array(concepts)[~redundant].tolist())


def _with_leaves(hierarchy: Hierarchy, names: tuple[str, ...], classes: Sequence[tuple[int, ...]]) -> Hierarchy:
    heads = np.array([concept for those in classes for concept in those], dtype=np.int32)
    width = np.array([len(those) for those in classes], dtype=np.int64)
    parents = _longer(hierarchy.parents, width, heads)
    nothing: LongArray = np.zeros(len(names), dtype=np.int64)
    size = len(hierarchy)
    return replace(
        hierarchy,
        iris=(*hierarchy.iris, *names),
        parents=parents,
        children=parents.reversed(),
        related=_longer(hierarchy.related, nothing, heads[:0]),
        synonyms=_longer(hierarchy.synonyms, nothing, heads[:0]),
        first=np.concatenate([hierarchy.first, np.arange(size + 1, size + len(names) + 1)]),
        individuals=len(names),
    )


def _longer(edges: Adjacency, width: LongArray, heads: np.ndarray[tuple[int], np.dtype[np.int32]]) -> Adjacency:
    """Edges with more rows behind the others, of so many heads each."""
    return Adjacency(
        np.concatenate([edges.indptr, edges.indptr[-1] + np.cumsum(width)]),
        np.concatenate([edges.indices, heads]),
        np.concatenate([edges.weights, np.full(len(heads), TYPE_LENGTH)]),
    )


def _with_labels(lexicon: Lexicon, labels: Sequence[Sequence[str]], size: int) -> Lexicon:
    """The first label of an individual is its preferred one."""
    width = [len(texts) for texts in labels]
    roles = [_ALTERNATIVE if place else _PREFERRED for texts in labels for place in range(len(texts))]
    more = np.repeat(np.arange(size, size + len(labels)), width)
    return Lexicon(
        np.concatenate([lexicon.concepts, more]).astype(np.int32),
        (*lexicon.texts, *(text for texts in labels for text in texts)),
        (*lexicon.languages, *[""] * len(more)),
        np.concatenate([lexicon.roles, roles]).astype(np.int32),
        size + len(labels),
    )
