"""`Relations`: triples (s, p, o) other than is-a between concepts, individuals, properties; IRIs of the known ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.model.arrays import BoolArray, LongArray, freeze, row_codes
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.lexicon import NAME, ROLES, Lexicon, name_as_label

Triple = tuple[str, str, str]
PropertyLabel = tuple[str, str, str, str]  # property, text, language, role

SKOS = "http://www.w3.org/2004/02/skos/core#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
RELATED, SYNONYM = SKOS + "related", SKOS + "exactMatch"  # links of these kinds, whatever the file calls them
CLOSE_MATCH = SKOS + "closeMatch"
DOMAIN, RANGE = RDFS + "domain", RDFS + "range"
ALWAYS_SYMMETRIC = frozenset({RELATED, SYNONYM, CLOSE_MATCH})
_SHORT = {"domain": DOMAIN, "range": RANGE}
_LINKS = {RELATED: "related", SYNONYM: "synonym"}  # property -> its label


@dataclass(frozen=True, eq=False)
class Relations:
    """Distinct triples by number; what they mean together (symmetric, inverse) is applied when two sides are compared.

    An end is a number: ids of concepts come first, then the individuals, then the properties, which are ends of domain
    and range only. `individuals` are all of the file, ends or not; individuals and properties are sorted by IRI.
    """

    concepts: int  # number of concepts, an added root included
    individuals: tuple[str, ...]
    properties: tuple[str, ...]
    lexicon: Lexicon  # of the properties, by position
    symmetric: BoolArray  # beside properties
    inverse: LongArray  # rows of two properties that are each other's inverse
    subjects: LongArray
    predicates: LongArray
    objects: LongArray

    def __post_init__(self) -> None:
        for array in (self.symmetric, self.inverse, self.subjects, self.predicates, self.objects):
            freeze(array)

    @classmethod
    def build(
        cls,
        hierarchy: Hierarchy,
        triples: Iterable[Triple],
        *,
        properties: Iterable[str] = (),
        labels: Iterable[PropertyLabel] = (),
        symmetric: Iterable[str] = (),
        inverse: Iterable[tuple[str, str]] = (),
        individuals: Iterable[str] = (),
    ) -> Relations:
        """Of names: an end that is no concept is an individual, the subject of domain and range a property.

        `properties` and `individuals` are further ones, which take part in no triple. `labels` of what is no property
        are left out.
        """
        rows, pairs, symmetric = list(triples), list(inverse), set(symmetric)
        named = {p for _, p, _ in rows} | {name for pair in pairs for name in pair} | symmetric | set(properties)
        names = tuple(sorted(named | {s for s, p, _ in rows if p in (DOMAIN, RANGE)}))
        ends = {end for s, p, o in rows for end in ((o,) if p in (DOMAIN, RANGE) else (s, o))}
        others = tuple(sorted({name for name in ends | set(individuals) if name not in hierarchy}))
        if not names:  # as in most ontologies that are made of edges
            return cls(len(hierarchy), others, (), *_NOTHING)
        number = {name: place for place, name in enumerate(names)}
        size, after = len(hierarchy), len(hierarchy) + len(others)
        end = {name: size + place for place, name in enumerate(others)}
        end |= dict(zip(hierarchy.iris, range(size), strict=True))
        columns = (
            [after + number[s] if p in (DOMAIN, RANGE) else end[s] for s, p, _ in rows],
            [number[p] for _, p, _ in rows],
            [end[o] for _, _, o in rows],
        )
        return cls(
            size,
            others,
            names,
            _property_lexicon(names, labels),
            np.array([name in symmetric or name in ALWAYS_SYMMETRIC for name in names], dtype=bool),
            np.array(sorted({(number[p], number[q]) for p, q in pairs}), dtype=np.int64).reshape(-1, 2),
            *distinct_rows(*(np.array(column, dtype=np.int64) for column in columns)),
        )

    def __len__(self) -> int:
        return len(self.predicates)

    def __repr__(self) -> str:
        return f"<Relations: {len(self):,} by {len(self.properties):,} properties>"

    def ends(self, hierarchy: Hierarchy) -> tuple[str, ...]:
        """The IRI of each end by its number."""
        return (*hierarchy.iris, *self.individuals, *self.properties)

    def named_triples(self, hierarchy: Hierarchy) -> Iterator[Triple]:
        """The triples by IRI."""
        ends = self.ends(hierarchy)
        columns = (column.tolist() for column in (self.subjects, self.predicates, self.objects))
        for s, p, o in zip(*columns, strict=True):
            yield ends[s], self.properties[p], ends[o]

    def labels(self) -> Iterator[PropertyLabel]:
        """The labels of the properties; names that stand in for one are left out."""
        for place, name in enumerate(self.properties):
            for label in self.lexicon.entries(place):
                if label.role != "name":
                    yield name, label.text, label.language, label.role

    def renumbered(self, new: LongArray, hierarchy: Hierarchy) -> Relations:
        """The triples whose concepts are still there: `new` has the new id of each concept, or -1."""
        size = len(hierarchy)
        others = len(self.individuals) + len(self.properties)
        end = np.concatenate([new[: self.concepts], np.arange(size, size + others, dtype=np.int64)])
        subjects, objects = end[self.subjects], end[self.objects]
        kept = (subjects >= 0) & (objects >= 0)
        return Relations(
            size, self.individuals, self.properties, self.lexicon, self.symmetric.copy(), self.inverse.copy(),
            *distinct_rows(subjects[kept], self.predicates[kept], objects[kept]),
        )  # fmt: skip

    @property
    def digest_parts(self) -> tuple[Sequence[Sequence[str]], Sequence[Any]]:
        """The texts and arrays that a hash of an ontology is made of, too."""
        lexicon = self.lexicon
        texts = (self.individuals, self.properties, lexicon.texts, lexicon.languages)
        return texts, (
            lexicon.concepts, lexicon.roles, self.symmetric, self.inverse, self.subjects, self.predicates, self.objects,
        )  # fmt: skip


def relations_with_links(relations: Relations | None, hierarchy: Hierarchy) -> Relations:
    """The relations, and the links of a hierarchy: related ones by skos:related, synonym ones by skos:exactMatch."""
    triples: list[Triple] = [] if relations is None else list(relations.named_triples(hierarchy))
    iris = hierarchy.iris
    for name, links in ((RELATED, hierarchy.related), (SYNONYM, hierarchy.synonyms)):
        pairs = zip(links.tails.tolist(), links.indices.tolist(), strict=True)
        triples += [(iris[a], name, iris[b]) for a, b in pairs if a < b]
    labels = [(name, text, "", "preferred") for name, text in _LINKS.items()]
    if relations is None:
        return Relations.build(hierarchy, triples, properties=_LINKS, labels=labels)
    names = relations.properties
    return Relations.build(
        hierarchy,
        triples,
        properties=(*names, *_LINKS),
        labels=[*relations.labels(), *labels],
        symmetric=[names[place] for place in np.flatnonzero(relations.symmetric).tolist()],
        inverse=[(names[p], names[q]) for p, q in relations.inverse.tolist()],
        individuals=relations.individuals,
    )


def checked_triple(triple: Any) -> Triple:
    """(subject, property, object) as strings; ParameterError for anything else."""
    if (
        not isinstance(triple, tuple | list)
        or len(triple) != 3
        or not all(isinstance(name, str) and name for name in triple)
    ):
        raise ParameterError(
            f"{triple!r} is not a relation",
            advice="Use (subject, property, object), names as strings.",
            parameter="relations",
        )
    subject, predicate, value = map(str, triple)
    return subject, _SHORT.get(predicate, predicate), value


def distinct_rows(
    subjects: LongArray, predicates: LongArray, objects: LongArray
) -> tuple[LongArray, LongArray, LongArray]:
    """Rows of three columns, each once, by property, subject and object."""
    if not len(predicates):
        return subjects, predicates, objects
    _, first = np.unique(row_codes([predicates, subjects, objects]), return_index=True)
    return subjects[first], predicates[first], objects[first]


def _property_lexicon(properties: tuple[str, ...], labels: Iterable[PropertyLabel]) -> Lexicon:
    number = {name: place for place, name in enumerate(properties)}
    rows = [
        (number[name], text, language, ROLES.index(role)) for name, text, language, role in labels if name in number
    ]
    labelled = {row[0] for row in rows}
    rows += [(place, name_as_label(name), "", NAME) for name, place in number.items() if place not in labelled]
    return Lexicon.build(
        len(properties),
        np.array([row[0] for row in rows], dtype=np.int64),
        [row[1] for row in rows],
        [row[2] for row in rows],
        [row[3] for row in rows],
    )


_NONE: LongArray = np.zeros(0, dtype=np.int64)
_NOTHING = _property_lexicon((), ()), np.zeros(0, dtype=bool), _NONE.reshape(0, 2), _NONE, _NONE, _NONE
