"""`Facts`: fields that each reader fills (names, edges, labels, instances); what is kept of them: build.py."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Literal, NamedTuple

from ontoeval.errors import Message, did_you_mean

Profile = Literal["owl", "skos", "names"]
Pairs = list[tuple[int, int]]


class Link(NamedTuple):
    """A related or synonym link between two names."""

    left: int
    right: int
    property: str = ""  # its IRI; "" where the format has none
    weight: float = math.nan  # of its own; nan: that of its property or kind


@dataclass
class Facts:
    """The statements of one file (and its imports), in the order in which they were read.

    Every reader fills one of these and `build.build` turns it into an `Ontology`. Statements may repeat, contradict
    each other and come in any order; nothing later depends on it.
    """

    profile: Profile = "names"  # "names": the concepts are plain words, not IRIs
    names: dict[str, int] = field(default_factory=lambda: defaultdict(count().__next__))  # numbers a name on first use
    concepts: list[int] = field(default_factory=list)  # declared ones; those that are only in an edge count too
    children: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)  # beside children and parents; nan: that of property or kind
    properties: list[str] = field(default_factory=list)  # beside them: the IRI of the link's property, "" without one
    equivalent: Pairs = field(default_factory=list)  # a synonym edge and a subclass edge each way
    related: list[Link] = field(default_factory=list)
    synonyms: list[Link] = field(default_factory=list)
    relations: list[tuple[int, int, int]] = field(default_factory=list)  # subject, property, object; other than is-a
    other_properties: set[int] = field(default_factory=set)  # which take part in no relation
    property_names: set[str] = field(default_factory=set)  # of declared properties of any kind
    symmetric: set[int] = field(default_factory=set)  # properties
    inverse: Pairs = field(default_factory=list)  # properties
    individuals: set[int] = field(default_factory=set)  # what ends of relations may be besides concepts
    confidences: dict[tuple[int, int], float] = field(default_factory=dict)  # of a learner, of hierarchical edges
    only_mapped: set[int] = field(default_factory=set)  # names of broadMatch and narrowMatch, of which nothing is said
    unlinked: set[int] = field(default_factory=set)  # concepts that lost all links for want of confidence
    reduce: bool = False  # remove hierarchical edges that others imply
    labelled: list[int] = field(default_factory=list)  # the four label columns
    texts: list[str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)  # lower case, "" without one
    roles: list[str] = field(default_factory=list)  # see lexicon.ROLES
    deprecated: set[int] = field(default_factory=set)
    instances: list[tuple[str, int, float]] = field(default_factory=list)  # instance, concept, strength
    instance_keys: dict[str, str] = field(default_factory=dict)  # IRI -> the value that names an instance instead
    same: list[tuple[str, str]] = field(default_factory=list)  # two IRIs of one individual
    instances_of_file: bool = True  # False: of a table or mapping, whose names count
    aliases: dict[str, str] = field(default_factory=dict)  # a former name of a concept -> its name
    claims: list[tuple[str, str]] = field(default_factory=list)  # the same, of whatever claims a former name
    senses: dict[str, list[int]] = field(default_factory=dict)  # word -> concepts, the most used sense first
    namespaces: dict[int, str] = field(default_factory=dict)  # OBO namespace of a concept
    scheme_members: set[int] | None = None  # the concepts of the scheme that the user chose; None: all
    iri: str | None = None
    imports: list[str] = field(default_factory=list)
    unasked_imports: list[str] = field(default_factory=list)  # files that were added though nothing imports them
    columns: tuple[str, ...] = ()  # of a table without a header line, in their order
    statements: int | None = None  # triples, if the file has any
    counts: dict[str, int] = field(default_factory=dict)  # lines, duplicate lines and the like
    notes: list[str] = field(default_factory=list)
    warnings: list[Message] = field(default_factory=list)  # why numbers may mislead, without the path

    def number(self, name: str) -> int:
        """The number of `name`, given on first use."""
        return self.names[name]

    def edge(self, child: int, parent: int, weight: float = math.nan, *, property: str = "") -> None:
        self.children.append(child)
        self.parents.append(parent)
        self.weights.append(weight)
        self.properties.append(property)

    def confidence(self, child: int, parent: int, value: float) -> None:
        """How sure a learner is of an edge; of several values the greatest counts."""
        self.confidences[child, parent] = max(value, self.confidences.get((child, parent), value))

    def add(self, other: Facts) -> None:
        """Take in the statements of another file about the same names; what it is and where it is from stays."""
        new = [self.number(name) for name in other.names]
        for own, added in ((self.concepts, other.concepts), (self.labelled, other.labelled)):
            own.extend(new[number] for number in added)
        for child, parent, weight, iri in zip(
            other.children, other.parents, other.weights, other.properties, strict=True
        ):
            self.edge(new[child], new[parent], weight, property=iri)
        for mine, theirs in ((self.equivalent, other.equivalent), (self.inverse, other.inverse)):
            mine.extend((new[a], new[b]) for a, b in theirs)
        for links, more in ((self.related, other.related), (self.synonyms, other.synonyms)):
            links.extend(link._replace(left=new[link.left], right=new[link.right]) for link in more)
        self.relations.extend((new[s], new[p], new[o]) for s, p, o in other.relations)
        for name in ("other_properties", "symmetric", "individuals", "only_mapped", "unlinked", "deprecated"):
            getattr(self, name).update(new[number] for number in getattr(other, name))
        for (child, parent), value in other.confidences.items():
            self.confidence(new[child], new[parent], value)
        for name in ("texts", "languages", "roles", "same", "claims", "imports", "notes", "warnings"):
            getattr(self, name).extend(getattr(other, name))
        self.instances.extend((name, new[concept], strength) for name, concept, strength in other.instances)
        self.property_names |= other.property_names
        self.instance_keys |= other.instance_keys
        self.aliases = {**other.aliases, **self.aliases}
        self.namespaces = {**{new[n]: name for n, name in other.namespaces.items()}, **self.namespaces}

    def label(self, concept: int, text: str, language: str, role: str) -> None:
        self.labelled.append(concept)
        self.texts.append(text)
        self.languages.append(language)
        self.roles.append(role)


def unused_relation(name: str, known: Iterable[str] = ()) -> str:
    """The note about a relation that the user asked for and the file never uses."""
    return f"no links with the relation {name!r}.{did_you_mean(name, known)}"
