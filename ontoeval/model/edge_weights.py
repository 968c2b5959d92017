"""`EdgeWeights`: weights of links by kind and by property, and of altLabels; the names that a weight can have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ontoeval.errors import Message, ParameterError, did_you_mean
from ontoeval.model.hierarchy import WEIGHTS, Edge, checked_weight
from ontoeval.model.lexicon import ROLES, Lexicon, is_iri

Links = dict[str, list[Edge]]
ALTERNATIVE_LABEL = "altLabel"
_NAMESPACES = {
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
}


class Property(NamedTuple):
    """A property whose links are edges, and the name of its weight."""

    name: str
    iri: str
    kind: str


def _known_properties() -> dict[str, Property]:
    """By short name, CURIE and IRI; a link and its inverse are one property."""
    kinds = {
        "hierarchical": [
            "skos:broader", "skos:narrower", "skos:broaderTransitive", "skos:narrowerTransitive", "skos:broadMatch",
            "skos:narrowMatch", "rdfs:subClassOf",
        ],
        "related": ["skos:related", "skos:relatedMatch"],
        "synonym": ["skos:exactMatch", "skos:closeMatch", "owl:equivalentClass", "owl:sameAs"],
    }  # fmt: skip
    inverse = {"skos:narrower": "skos:broader", "skos:narrowerTransitive": "skos:broaderTransitive"}
    result: dict[str, Property] = {}
    for kind, curies in kinds.items():
        for curie in curies:
            short, weighed = curie.partition(":")[2], inverse.get(curie, curie)
            name = weighed.partition(":")[2]
            known = Property(weighed if name in WEIGHTS else name, _iri(weighed), kind)  # `related` alone is the kind
            result |= {spelling: known for spelling in (curie, _iri(curie), short) if spelling not in WEIGHTS}
    return result


def _iri(curie: str) -> str:
    prefix, _, local = curie.partition(":")
    return _NAMESPACES[prefix] + local


PROPERTIES: Mapping[str, Property] = _known_properties()
_LABEL_SPELLINGS = (ALTERNATIVE_LABEL, "skos:altLabel", _iri("skos:altLabel"))
_READ_BY_OPTION = {  # name of a property -> the option by which its links are read
    "closeMatch": "close_match", "broadMatch": "mappings", "narrowMatch": "mappings", "broaderTransitive": "transitive",
}  # fmt: skip
_NAMES = (*WEIGHTS, *(name for name in PROPERTIES if ":" not in name), ALTERNATIVE_LABEL)


@dataclass(frozen=True)
class EdgeWeights:
    """The weights of links: that of the property goes before that of its kind.

    `label` is added to a path length for each term that only an altLabel leads to its concept.
    """

    kinds: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))
    properties: Mapping[str, float] = field(default_factory=dict)  # by the name of the property
    label: float = 0.0
    relations: frozenset[str] = field(default=frozenset(), compare=False)  # names: hierarchical, whatever else they are

    @classmethod
    def of(cls, weights: Mapping[str, float] | None, relations: Iterable[str] = ()) -> EdgeWeights:
        """The weights by name: a kind, a property (short name, CURIE or IRI), one of `relations`, or altLabel."""
        relations = tuple(relations)
        by_name: dict[str, float] = {}
        spelling: dict[str, str] = {}
        for written, value in (weights or {}).items():
            name, weight = weight_name(written, relations), checked_weight(value, written)
            other = spelling.setdefault(name, written)
            if by_name.setdefault(name, weight) != weight:
                raise ParameterError(
                    f"{other} and {written} are the same links but have two weights: {by_name[name]:g} and {weight:g}",
                    advice="Remove one of them.",
                    parameter="weights",
                )
        kinds = {kind: by_name.pop(kind, default) for kind, default in WEIGHTS.items()}
        label = by_name.pop(ALTERNATIVE_LABEL, 0.0)
        names = frozenset(PROPERTIES[name].name if name in PROPERTIES else name for name in relations)
        return cls(kinds, dict(sorted(by_name.items())), label, names)

    def own(self, iri: str) -> float:
        """The weight that links of a property have of their own; nan: that of their kind."""
        return self.properties.get(PROPERTIES[iri].name if iri in PROPERTIES else iri, np.nan)

    def changes(self) -> dict[str, float]:
        """What is not as by default, by name: results of different weights have different changes."""
        kinds = {kind: weight for kind, weight in self.kinds.items() if weight != WEIGHTS[kind]}
        return {**kinds, **self.properties, **({ALTERNATIVE_LABEL: self.label} if self.label else {})}

    def to_dict(self) -> dict[str, float]:
        """The weights of the three kinds, and what else has a weight."""
        return {**self.kinds, **self.changes()}

    def unlike_kind(self) -> list[str]:
        """The hierarchical properties that weigh other than their kind."""
        usual = self.kinds["hierarchical"]
        hierarchical = self.relations | {known.name for known in PROPERTIES.values() if known.kind == "hierarchical"}
        return [name for name, weight in self.properties.items() if weight != usual and name in hierarchical]


def weight_name(written: str, relations: Sequence[str] = ()) -> str:
    """The one name of what can have a weight; ParameterError if it can have none."""
    if written in WEIGHTS:
        return written
    if written in _LABEL_SPELLINGS:
        return ALTERNATIVE_LABEL
    if written in PROPERTIES:
        return PROPERTIES[written].name
    if written in relations:
        return written
    if is_iri(written):
        raise ParameterError(
            f"the property {written!r} is not read and has no weight",
            advice=f"Set {{relations={written}}} to read it as hierarchical.",
            parameter="weights",
        )
    names = [*_NAMES, *relations]
    raise ParameterError(
        f"unknown kind or property of links: {written!r}",
        advice=f"{did_you_mean(written, names)} Use the IRI of a property, or one of: {', '.join(names)}.".strip(),
        parameter="weights",
    )


def links_by_kind(links: Iterable[Sequence[str]], weights: Mapping[str, float] | None) -> tuple[Links, EdgeWeights]:
    """Links (a, b, property) as edges of each kind and of equivalence, with the weights of their properties.

    A property is called as in weights; one that is called by an unknown IRI is hierarchical.
    """
    named = [(a, b, link_property(name)) for a, b, name in map(_checked_link, links)]
    edge_weights = EdgeWeights.of(weights, {known.name for _, _, known in named if known.name not in PROPERTIES})
    result: Links = {"hierarchical": [], "related": [], "synonym": [], "equivalent": []}
    for a, b, known in named:
        own = edge_weights.properties.get(known.name, np.nan)
        kind = "equivalent" if known.name == "equivalentClass" else known.kind
        result[kind].append((a, b) if np.isnan(own) else (a, b, own))
    return result, edge_weights


def link_property(name: str) -> Property:
    """The property of a link by its name; a link may also be of a kind and no property."""
    if name in PROPERTIES or name == "related":
        return PROPERTIES["skos:related" if name == "related" else name]
    if name in WEIGHTS:
        return Property(name, "", name)
    return Property(weight_name(name, [name] if is_iri(name) else []), name, "hierarchical")


def _checked_link(link: Sequence[str]) -> tuple[str, str, str]:
    if not isinstance(link, tuple | list) or len(link) != 3 or not all(isinstance(name, str) for name in link):
        raise ParameterError(
            f"{link!r} is not a link",
            advice='Use (concept, broader concept, property), e.g. ("car", "vehicle", "broader").',
            parameter="links",
        )
    a, b, name = link
    return a, b, name


def unused_weights(
    weights: EdgeWeights, properties: Iterable[str], lexicon: Lexicon, outside: Iterable[str] = ()
) -> Iterator[str]:
    """A note for each weight that changes nothing, because no link or label of the file has it.

    `outside` are the properties of links to concepts of other files: these count where two files are merged.
    """
    used, leading_out = (
        {PROPERTIES[iri].name if iri in PROPERTIES else iri for iri in iris} for iris in (properties, outside)
    )
    for name in weights.properties:
        if name in leading_out:
            yield f"all {name} links lead to concepts outside the file: their weight only matters in merged files"
        elif name not in used:
            option = _READ_BY_OPTION.get(name)
            note = f"no {name} link joins two concepts, so its weight has no effect"
            yield Message(f"{note} (set {{{option}=True}} to read such links)") if option else note
    if weights.label and not np.any(lexicon.roles == ROLES.index("alternative")):
        yield f"no concept has an {ALTERNATIVE_LABEL}, so its weight has no effect"


def property_iri(name: str) -> str | None:
    """The IRI of what a weight is called; None for a kind, and for a relation without an IRI."""
    if name == ALTERNATIVE_LABEL:
        return _iri("skos:altLabel")
    if name in PROPERTIES:
        return PROPERTIES[name].iri
    return name if is_iri(name) else None
