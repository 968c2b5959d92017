"""`Ontology`: hierarchy, labels, instances, relations; `concepts_named`, `digest`; from edges, networkx; `Source`."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ontoeval.errors import Message, ParameterError
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray, freeze
from ontoeval.model.cache import Cached
from ontoeval.model.edge_weights import EdgeWeights, link_property, links_by_kind, unused_weights
from ontoeval.model.hierarchy import ROOT_NAME, Edge, Hierarchy, OnCycle
from ontoeval.model.instances import Assigned, IndividualNames, InstanceAssignment, assigned_rows
from ontoeval.model.lexicon import MEANING, NAME, ROLES, Label, Lexicon, local_name, name_as_label
from ontoeval.model.lookup import find_concept
from ontoeval.model.name_index import NameIndex
from ontoeval.model.networkx_graph import networkx_parts, to_networkx
from ontoeval.model.relations import Relations, Triple, checked_triple, relations_with_links
from ontoeval.model.relatives import relatives
from ontoeval.model.statistics import describe
from ontoeval.tables import Table

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    import rdflib

Labels = Mapping[str, str | Iterable[str | tuple[str, str]]]


@dataclass(frozen=True)
class Source:
    """Where an ontology came from, and what was noticed on the way."""

    path: str = "(memory)"
    format: str | None = None
    profile: str = "names"  # "owl", "skos", or "names": concepts are plain words
    sha256: str | None = None  # of the bytes as given, compressed or not
    iri: str | None = None
    triples: int | None = None
    unresolved_imports: tuple[str, ...] = ()
    unasked_imports: tuple[str, ...] = ()  # files that were added though nothing imports them
    columns: tuple[str, ...] = ()  # of a table without a header line, in their order
    counts: Mapping[str, int] = field(default_factory=dict)  # deprecated, dropped, lines, ...
    notes: tuple[str, ...] = ()
    warnings: tuple[Message, ...] = ()  # why numbers may mislead, each with the path
    instances: Source | None = None  # the table that says where its instances sit, if it is another file
    min_confidence: float | None = None  # links of which a learner was less confident were left out

    @property
    def name(self) -> str:
        """The path, and the least confidence if there is one: `oc.tsv >= 0.3`."""
        return self.with_confidence(self.path)

    def with_confidence(self, name: str) -> str:
        """A name, and behind it the least confidence if there is one."""
        return name if self.min_confidence is None else f"{name} >= {self.min_confidence:.15g}"


class OutsideLink(NamedTuple):
    """A mapping link to a concept of another file: it becomes an edge where both files are merged."""

    concept: int
    iri: str
    kind: str  # "hierarchical", "related" or "synonym"
    weight: float
    upwards: bool = True  # of a hierarchical link: the other file's concept is the parent


@dataclass(frozen=True, eq=False)
class MergedFiles:
    """The two files of a merged ontology, and which of them has each concept (an added root is in neither)."""

    learned: Source
    gold: Source
    in_learned: BoolArray
    in_gold: BoolArray
    matching: Mapping[str, Any]  # how they were matched: `Matching.summary`
    learned_individuals: frozenset[str] = frozenset()
    gold_individuals: frozenset[str] = frozenset()

    @property
    def matched(self) -> int:
        """How many concepts both files have, an added root left out."""
        return int(np.count_nonzero(self.in_learned & self.in_gold))

    def side(self, concept: int, iri: str) -> str:
        """Where a concept, or an individual behind them, is: "learned", "gold" or "both"."""
        if concept < len(self.in_learned):
            learned, gold = bool(self.in_learned[concept]), bool(self.in_gold[concept])
        else:
            learned, gold = iri in self.learned_individuals, iri in self.gold_individuals
        return "both" if learned and gold else "learned" if learned else "gold"


@dataclass(frozen=True, eq=False)
class Ontology(Cached):
    """O = (H, L, I): what every measure is computed on.

    Examples
    --------
    >>> import ontoeval as oe
    >>> links = [("cat", "mammal"), ("dog", "mammal"), ("mammal", "animal")]
    >>> animals = oe.Ontology.from_edges(links, labels={"cat": ["Cat", "house cat"]})
    >>> animals
    <Ontology (memory): 4 concepts, 5 labels>
    >>> len(animals), "house cat" in animals, animals.find("house cat")
    (4, True, ('cat',))
    >>> animals.parents("cat"), animals.ancestors("cat"), animals.children("mammal")
    (('mammal',), ('animal', 'mammal'), ('cat', 'dog'))
    >>> [label.text for label in animals.labels("cat")]
    ['Cat', 'house cat']
    >>> animals.to_frame().shape
    (4, 3)
    """

    hierarchy: Hierarchy
    lexicon: Lexicon
    instances: InstanceAssignment | None = None
    source: Source = field(default_factory=Source)
    aliases: Mapping[str, str] = field(default_factory=dict)  # former IRI of a concept -> its IRI
    counts: FloatArray | None = None  # how often each concept itself occurs in a corpus
    senses: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # word (`_` for blanks) -> by order of use
    merged: MergedFiles | None = None  # of an ontology that `merge` made
    outside: tuple[OutsideLink, ...] = ()  # links to concepts that the file does not have
    only_mapped: frozenset[str] = frozenset()  # concepts that the file names in broadMatch and narrowMatch alone
    weights: EdgeWeights = field(default_factory=EdgeWeights)
    individual_names: IndividualNames = field(default_factory=IndividualNames)
    classes: Ontology | None = None  # itself without individuals, where the last concepts are individuals
    relations: Relations | None = None  # other than is-a, related and synonym; None: they were not read
    property_names: frozenset[str] = frozenset()  # that the file declares; they are not concepts
    label_for_people: Callable[[int], str | None] | None = None  # what `label_of` gives first

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[Edge],
        *,
        root: str = "auto",
        concepts: Iterable[str] = (),
        labels: Labels | None = None,
        instances: Assigned | None = None,
        related: Iterable[Edge] = (),
        synonyms: Iterable[Edge] = (),
        equivalent: Iterable[Edge] = (),
        links: Iterable[tuple[str, str, str]] = (),
        weights: Mapping[str, float] | None = None,
        on_cycle: OnCycle = "keep",
        name: str = "(memory)",
        relations: Iterable[Triple] = (),
        symmetric: Iterable[str] = (),
        inverse: Iterable[tuple[str, str]] = (),
    ) -> Ontology:
        """Make an ontology of plain strings; every name that occurs is a concept.

        `edges` are (child, parent) or (child, parent, weight), an own weight goes before `weights`. `equivalent` pairs
        are a synonym edge and a subclass edge each way. `links` are (a, b, property): broader, relatedMatch, an IRI and
        all that can have a weight (`model.edge_weights`); of hierarchical ones b is broader. `labels` maps a concept to
        its label, or to several: the first is preferred, each a text or (text, language). `instances` maps an instance
        to a concept, a list of concepts, or {concept: strength}. `root` is "auto", "new", "none" or a concept. `name`
        is what tables call the ontology.

        `relations` are further (subject, property, object) triples; an end that is no concept is an individual. With
        the property "domain" or "range" the subject is a property. `symmetric` properties hold in both directions,
        `inverse` ones are pairs (p, q) where x p y means y q x.
        """
        links = list(links)
        linked, edge_weights = links_by_kind(links, weights)
        same = [_checked_edge(pair) for pair in [*equivalent, *linked["equivalent"]]]
        upwards: list[Any] = [*edges, *linked["hierarchical"], *same, *((b, a, *weight) for a, b, *weight in same)]
        assigned = list(assigned_rows(instances or {}))
        hierarchy = Hierarchy.from_edges(
            [_checked_edge(pair) for pair in upwards],
            concepts=[*concepts, *(labels or {}), *(concept for _, concept, _ in assigned)],
            related=[_checked_edge(pair) for pair in [*related, *linked["related"]]],
            synonyms=[_checked_edge(pair) for pair in [*synonyms, *linked["synonym"]]] + same,
            weights=edge_weights.kinds,
            root=root,
            on_cycle=on_cycle,
        )
        rows = [(instance, hierarchy.id(concept), strength) for instance, concept, strength in assigned]
        lexicon = _lexicon(hierarchy, labels or {})
        notes = unused_weights(edge_weights, (link_property(link[2]).iri for link in links), lexicon)
        return cls(
            hierarchy,
            lexicon,
            InstanceAssignment.build(rows, len(hierarchy)),
            Source(path=name, notes=tuple(notes)),
            weights=edge_weights,
            relations=Relations.build(
                hierarchy,
                [checked_triple(triple) for triple in relations],
                symmetric=symmetric,
                inverse=inverse,
                individuals=[instance for instance, _, _ in assigned],
            ),
        )

    @classmethod
    def empty(cls, source: Source, weights: EdgeWeights) -> Ontology:
        """An ontology without any concept, as a side of a comparison."""
        hierarchy = Hierarchy.empty()
        lexicon, relations = _lexicon(hierarchy, {}), Relations.build(hierarchy, ())
        return cls(hierarchy, lexicon, source=source, weights=weights, relations=relations)

    def __repr__(self) -> str:
        return f"<Ontology {self.source.path}: {len(self):,} concepts, {len(self.lexicon):,} labels>"

    @cached_property
    def properties_by_local_name(self) -> dict[str, str]:
        """A declared property of each local name."""
        return {local_name(iri): iri for iri in sorted(self.property_names, reverse=True)}

    def with_counts(self, counts: Mapping[str, float]) -> Ontology:
        """The same ontology, with how often each concept itself occurs in a corpus; 0 where nothing is said."""
        totals = np.zeros(len(self.hierarchy))
        for name, count in counts.items():
            if not (isinstance(count, (int, float)) and np.isfinite(count) and count >= 0):
                raise ParameterError(
                    f"the count of {name!r} must be a finite number >= 0, not {count!r}", parameter="counts"
                )
            totals[self.hierarchy.id(self.aliases.get(name, name))] += count
        return replace(self, counts=freeze(totals))

    def describe(self) -> dict[str, Any]:
        """Size, shape and oddities, ready for JSON; None where undefined."""
        about = self.source
        return {
            "source": about.path,
            "format": about.format,
            "profile": about.profile,
            "iri": about.iri,
            "sha256": about.sha256,
            "triples": about.triples,
            **({} if about.min_confidence is None else {"min_confidence": about.min_confidence}),
            **describe(self.hierarchy, self.lexicon, self.instances),
            "weights": self.weights.to_dict(),
            "deprecated": about.counts.get("deprecated", 0),
            **{key: value for key, value in about.counts.items() if key != "deprecated"},
            "unresolved_imports": list(about.unresolved_imports),
            "notes": list(about.notes),
            "warnings": list(about.warnings),
        }

    def label_of(self, concept: int) -> str:
        """What to call a concept in front of people."""
        if not concept and self.hierarchy.root_added:
            return ROOT_NAME
        label = None if self.label_for_people is None else self.label_for_people(concept)
        return label or self.lexicon.label(concept) or self.hierarchy.iris[concept]

    def with_labels_for_people(self, label: Callable[[int], str | None]) -> Ontology:
        """The same, shown with other labels; what was computed from one serves both."""
        self.__dict__.setdefault("_cached_results", {})
        other = copy(self)
        other.__dict__["label_for_people"] = label
        return other

    @cached_property
    def all_relations(self) -> Relations:
        """`relations`, and the related and synonym links of the hierarchy."""
        return relations_with_links(self.relations, self.hierarchy)

    @cached_property
    def digest(self) -> str:
        """A hash of all that measures look at: the same content has the same one, whatever file it came from.

        Relations are part of it only if there are any, so that stored hashes of other ontologies stay what they are.
        """
        hierarchy, lexicon = self.hierarchy, self.lexicon
        hashed = hashlib.sha256()
        columns: list[Any] = [hierarchy.iris, lexicon.texts, lexicon.languages]
        columns.append(self.instances.iris if self.instances else ())
        arrays: list[Any] = [hierarchy.attached, hierarchy.self_edges, lexicon.concepts, lexicon.roles]
        for edges in (hierarchy.parents, hierarchy.related, hierarchy.synonyms):
            arrays += [edges.indptr, edges.indices, edges.weights]
        if self.instances is not None:
            arrays += [self.instances.strength.indptr, self.instances.strength.indices, self.instances.strength.data]
        if self.counts is not None:
            arrays.append(self.counts)
        if self.relations:
            more_columns, more_arrays = self.relations.digest_parts
            columns += more_columns
            arrays += more_arrays
            columns += sorted({tuple(sorted(pair)) for pair in self.individual_names.same})  # joins their ends
        for texts in columns:
            hashed.update("\x1f".join(texts).encode("utf-8", "surrogatepass") + b"\x1e")
        for array in arrays:
            hashed.update(np.ascontiguousarray(array, dtype=np.float64).tobytes() + b"\x1e")
        hashed.update(bytes([hierarchy.has_root, hierarchy.root_added]) + repr(float(hierarchy.weight)).encode())
        if hierarchy.individuals:
            hashed.update(f"{hierarchy.individuals} individuals".encode())
        return hashed.hexdigest()

    def concepts_named(self, name: str) -> tuple[int, ...]:
        """The concepts with exactly this label or local name, or if there is none those that differ in case only.

        Of a word whose senses the file lists, these, in the order of use.
        """
        return self.names.called(name)

    @cached_property
    def names(self) -> NameIndex:
        """What a name means here. A root that was added is no concept, whatever it is called."""
        first = int(self.hierarchy.root_added)
        iris = {iri: concept for concept, iri in enumerate(self.hierarchy.iris) if concept >= first}
        former = {old: iris[iri] for old, iri in self.aliases.items() if iri in iris}

        def labels() -> Iterator[tuple[str, int]]:
            for row in np.flatnonzero(np.isin(self.lexicon.roles, MEANING)).tolist():
                yield self.lexicon.texts[row], int(self.lexicon.concepts[row])

        return NameIndex(iris, labels, former, self.senses)

    # a container of concepts by IRI

    def __len__(self) -> int:
        """The number of concepts; a root that was added on loading is not one."""
        return len(self.hierarchy) - int(self.hierarchy.root_added) - self.hierarchy.individuals

    def __bool__(self) -> bool:
        """True, though it may have no concepts: what is asked is whether there is an ontology."""
        return True

    def __iter__(self) -> Iterator[str]:
        """The IRIs of the concepts, parents before children."""
        first = int(self.hierarchy.root_added)
        return iter(self.hierarchy.iris[first : first + len(self)])

    def __contains__(self, concept: object) -> bool:
        """True if an IRI, CURIE, name or label is that of a concept."""
        return isinstance(concept, str) and bool(self.names.find(concept))

    def find(self, name: str) -> tuple[str, ...]:
        """The IRIs of all concepts that an IRI, CURIE, name or label can mean; () if there is none.

        Narrow, broad and related synonyms of OBO are among the `labels` of a concept, but do not name it.
        """
        return tuple(self.hierarchy.iris[concept] for concept in self.names.find(name))

    def parents(self, concept: str) -> tuple[str, ...]:
        """The IRIs of the concepts next above one, which is given by IRI, CURIE, name or label."""
        return self._iris(self.hierarchy.parents[find_concept(self, concept)].tolist())

    def children(self, concept: str) -> tuple[str, ...]:
        """The IRIs of the concepts next below one."""
        return self._iris(self.hierarchy.children[find_concept(self, concept)].tolist())

    def ancestors(self, concept: str) -> tuple[str, ...]:
        """The IRIs of all concepts above one, itself left out; the others of a cycle are above and below it."""
        return self._iris(relatives(self.hierarchy, find_concept(self, concept)).above)

    def descendants(self, concept: str) -> tuple[str, ...]:
        """The IRIs of all concepts below one, itself left out."""
        return self._iris(relatives(self.hierarchy, find_concept(self, concept)).below)

    def label(self, concept: str | int) -> str:
        """What to call a concept in front of people: its preferred label, else its name."""
        if isinstance(concept, str):
            return self.label_of(find_concept(self, concept))
        warnings.warn(
            "Ontology.label takes an IRI, a name or a label. For a number use label_of.",
            DeprecationWarning,
            stacklevel=2,
        )
        return self.label_of(concept)

    def labels(self, concept: str) -> Table[Label]:
        """All labels of a concept with language and role, preferred ones first."""
        found = find_concept(self, concept)
        return Table(self.lexicon.entries(found), Label, title=f"Labels of {self.label_of(found)}")

    def _iris(self, concepts: Iterable[int]) -> tuple[str, ...]:
        first = int(self.hierarchy.root_added)
        return tuple(sorted(self.hierarchy.iris[concept] for concept in concepts if concept >= first))

    # the same in other forms

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """The concepts and edges of the file (no added root) as a networkx graph.

        Edges run from child to parent and have the key and attribute `kind` ("hierarchical", "related", "synonym") and
        a `weight`; nodes have `label`. `from_networkx` reads it back.
        """
        return to_networkx(self)

    def to_rdflib(self) -> rdflib.Graph:
        """An rdflib graph: SKOS if that is where the ontology came from, else OWL; `load_ontology` reads it back."""
        from ontoeval.rdf.ontology_writer import to_graph

        return to_graph(self)

    def to_frame(self) -> pd.DataFrame:
        """A pandas DataFrame of the links: child, parent, weight, label of the child; `load_ontology` reads it back.

        The column weight is left out if all links weigh the same, label if there are no labels. A concept without a
        parent has a row without one (pandas.isna).
        """
        from ontoeval.rdf.ontology_writer import link_frame

        return link_frame(self)

    def save(self, path: str | Path, *, instances: str | Path | None = None) -> tuple[str, ...]:
        """Write the ontology to a file: .ttl .owl .rdf .nt .tsv and others; what the format does not hold is returned.

        instances: a table for the instances, for formats of links alone.
        """
        from ontoeval.rdf.ontology_writer import write_ontology

        return write_ontology(self, path, instances=instances)

    def __str__(self) -> str:
        from ontoeval.report.ontology import fact_sheet

        return fact_sheet(self.describe())

    def _repr_html_(self) -> str:
        from ontoeval.report.ontology import notebook_table

        return notebook_table(self.describe())

    @classmethod
    def from_networkx(
        cls,
        graph: nx.DiGraph[Any],
        *,
        root: str = "auto",
        weights: Mapping[str, float] | None = None,
        on_cycle: OnCycle = "keep",
    ) -> Ontology:
        """Make an ontology of a directed graph whose edges run from child to parent.

        Read are the edge attributes `weight` and `kind` ("hierarchical" without one) and the node attributes `label`,
        or `name` as obonet writes it.
        """
        pairs, labels = networkx_parts(graph)
        return cls.from_edges(
            pairs["hierarchical"],
            related=pairs["related"],
            synonyms=pairs["synonym"],
            concepts=[str(node) for node in graph],
            labels=labels,
            root=root,
            weights=weights,
            on_cycle=on_cycle,
        )


def make_lexicon(
    hierarchy: Hierarchy, concepts: LongArray, texts: list[str], languages: list[str], roles: list[int]
) -> Lexicon:
    """The labels, given as columns, and the name of each concept that has none (an added root stays without)."""
    bare = np.ones(len(hierarchy), dtype=bool)
    bare[:1] = not hierarchy.root_added
    bare[concepts] = False
    unlabelled = np.flatnonzero(bare)
    return Lexicon.build(
        len(hierarchy),
        np.concatenate([concepts, unlabelled]),
        texts + [name_as_label(hierarchy.iris[concept]) for concept in unlabelled.tolist()],
        languages + [""] * len(unlabelled),
        roles + [NAME] * len(unlabelled),
    )


def _lexicon(hierarchy: Hierarchy, labels: Labels) -> Lexicon:
    """The first label of a concept is preferred, the others are alternatives."""
    concepts, texts, languages, roles = [], [], [], []
    for name, entries in labels.items():
        for position, entry in enumerate([entries] if isinstance(entries, str) else entries):
            text, language = (entry, "") if isinstance(entry, str) else entry
            concepts.append(hierarchy.id(name))
            texts.append(text)
            languages.append(language.lower())
            roles.append(ROLES.index("alternative" if position else "preferred"))
    return make_lexicon(hierarchy, np.array(concepts, dtype=np.int64), texts, languages, roles)


def _checked_edge(pair: tuple[Any, ...]) -> Edge:
    if not isinstance(pair, (tuple, list)) or len(pair) not in (2, 3):
        raise ParameterError(f"{pair!r} is not an edge", advice="Use (child, parent).")
    if not all(isinstance(name, str) for name in pair[:2]):
        raise ParameterError(f"{pair!r} is not an edge", advice="Use strings as names.")
    return pair
