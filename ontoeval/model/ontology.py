"""`Ontology`: hierarchy, labels, instances, relations; `concepts_named`, `digest`; from edges, networkx; `Source`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ontoeval.errors import Message, ParameterError
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray, freeze
from ontoeval.model.cache import Cached
from ontoeval.model.edge_weights import EdgeWeights, link_property, links_by_kind, unused_weights
from ontoeval.model.hierarchy import ROOT_NAME, Edge, Hierarchy, OnCycle
from ontoeval.model.instances import Assigned, IndividualNames, InstanceAssignment, assigned_rows
from ontoeval.model.lexicon import MEANING, NAME, ROLES, Lexicon, local_name, name_as_label
from ontoeval.model.name_index import NameIndex
from ontoeval.model.relations import Relations, Triple, checked_triple, relations_with_links
from ontoeval.model.statistics import describe

if TYPE_CHECKING:
    import networkx as nx

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
    """O = (H, L, I): what every measure is computed on."""

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
    label_of: Callable[[int], str | None] | None = None  # what `label` shows first, if not the label of the file

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
        return f"<Ontology {self.source.path}: {len(self.hierarchy):,} concepts, {len(self.lexicon):,} labels>"

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

    def label(self, concept: int) -> str:
        """What to call a concept in front of people."""
        if not concept and self.hierarchy.root_added:
            return ROOT_NAME
        label = None if self.label_of is None else self.label_of(concept)
        return label or self.lexicon.label(concept) or self.hierarchy.iris[concept]

    def with_label_of(self, label_of: Callable[[int], str | None]) -> Ontology:
        """The same, shown with other labels; what was computed from one serves both."""
        self.__dict__.setdefault("_cached_results", {})
        other = copy(self)
        other.__dict__["label_of"] = label_of
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

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """The concepts and edges of the file (no added root) as a networkx graph.

        Edges run from child to parent and have the key and attribute `kind` ("hierarchical", "related", "synonym") and
        a `weight`; nodes have `label`. `from_networkx` reads it back.
        """
        import networkx as nx

        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        iris = self.hierarchy.iris
        for concept in range(int(self.hierarchy.root_added), len(iris)):
            graph.add_node(iris[concept], label=self.label(concept))
        for kind, adjacency in (
            ("hierarchical", self.hierarchy.parents),
            ("related", self.hierarchy.related),
            ("synonym", self.hierarchy.synonyms),
        ):
            rows = np.flatnonzero(self.hierarchy.given) if kind == "hierarchical" else np.arange(len(adjacency))
            tails, heads, weights = adjacency.tails[rows], adjacency.indices[rows], adjacency.weights[rows]
            for tail, head, weight in zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True):
                graph.add_edge(iris[tail], iris[head], key=kind, kind=kind, weight=weight)
        for concept in self.hierarchy.self_edges.tolist():
            graph.add_edge(iris[concept], iris[concept], key="hierarchical", kind="hierarchical")
        return graph

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


def networkx_parts(graph: nx.DiGraph[Any]) -> tuple[dict[str, list[Edge]], dict[str, str]]:
    """The edges of a networkx graph by kind, and the labels of its nodes."""
    if not graph.is_directed():
        raise ParameterError(
            "an undirected graph does not say which concept is the parent", advice="Use a networkx.DiGraph."
        )
    pairs: dict[str, list[Edge]] = {"hierarchical": [], "related": [], "synonym": []}
    for tail, head, data in graph.edges(data=True):
        kind = data.get("kind", "hierarchical")
        if kind not in pairs:
            raise ParameterError(
                f"the link {tail} -> {head} has the unknown kind {kind!r}", advice=f"Use one of: {', '.join(pairs)}."
            )
        weight = data.get("weight")
        pairs[kind].append((str(tail), str(head)) if weight is None else (str(tail), str(head), weight))
    nodes = ((str(node), data.get("label", data.get("name"))) for node, data in graph.nodes(data=True))
    return pairs, {node: str(label) for node, label in nodes if label is not None and str(label) != name_as_label(node)}


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
