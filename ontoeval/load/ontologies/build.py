"""`build`: `Ontology` of `Facts`: concepts kept, below=, instances (root: model/hierarchy.py); `concept_names`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np
import numpy.typing as npt

from ontoeval.edit.edges import at_or_below, restrict_edges, transitive_reduction
from ontoeval.edit.rebuild import renumbered_senses
from ontoeval.errors import (
    HierarchyError,
    LoadError,
    Message,
    UnknownConceptError,
    listed,
    number_of,
    sentence,
)
from ontoeval.load import terms
from ontoeval.load.ontologies.facts import Facts, Link, Pairs
from ontoeval.load.ontologies.relations import build_relations, known_relations
from ontoeval.load.options import LoadOptions
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray
from ontoeval.model.edge_weights import EdgeWeights, unused_weights
from ontoeval.model.hierarchy import ROOT_NAME, EdgeTable, Hierarchy
from ontoeval.model.instances import IndividualNames, InstanceAssignment
from ontoeval.model.lexicon import MEANING, ROLES, Lexicon, language_rank, name_as_label
from ontoeval.model.name_index import NameIndex
from ontoeval.model.ontology import Ontology, OutsideLink, Source, make_lexicon

_ROLE = {name: position for position, name in enumerate(ROLES)}


class NothingLeftError(LoadError):
    """No link of a file has the least confidence that was asked for. `empty` is what is left: no concept."""

    empty: Ontology


def build(facts: Facts, options: LoadOptions, source: Source) -> Ontology:
    """Make the ontology that the facts describe."""
    return _Builder(facts, options, source).ontology()


def concept_names(facts: Facts, options: LoadOptions) -> NameIndex:
    """What a name means in the file, also a concept that is left out for want of confidence."""
    kept = kept_concepts(facts, options)
    return _Builder(facts, options, Source())._index(kept | _mask(len(kept), sorted(facts.unlinked)))


def kept_concepts(facts: Facts, options: LoadOptions) -> BoolArray:
    """True for the names of the file that are concepts, before a part of them is selected."""
    return _Builder(facts, options, Source())._concepts()


class _Builder:
    def __init__(self, facts: Facts, options: LoadOptions, source: Source) -> None:
        self.facts = facts
        self.options = options
        self.source = source
        self.names = list(facts.names)
        self.weights = EdgeWeights.of(options.weights, options.relations)
        self.counts = dict(facts.counts)

    def ontology(self) -> Ontology:
        facts, options = self.facts, self.options
        kept = self._concepts()
        self._note_outside(kept)
        edges = self._table(*self._hierarchical_edges(), kept, "hierarchical")
        if facts.reduce:  # a reasoner gives direct edges only, so that a path may lead through a class left out
            every = self._table(*self._hierarchical_edges(), np.ones(len(kept), dtype=bool), "hierarchical")
            edges = restrict_edges(len(kept), every, kept, self.weights.kinds["hierarchical"])
        kept, edges = self._selection(kept, edges)
        if facts.reduce:
            edges = transitive_reduction(len(self.names), edges)
        position = np.full(len(self.names), -1, dtype=np.int64)
        position[np.flatnonzero(kept)] = np.arange(int(kept.sum()))
        names = [self.names[i] for i in np.flatnonzero(kept).tolist()]
        if not names:
            raise self._no_concept_error()
        named_root = options.root not in ("auto", "new", "none")
        try:
            hierarchy = Hierarchy.build(
                names,
                _renumber(edges, position),
                related=_renumber(self._side_edges(facts.related, kept, "related"), position),
                synonyms=_renumber(self._side_edges(self._synonyms(), kept, "synonym"), position),
                root=self._resolve(options.root, kept) if named_root else options.root,
                root_name=terms.THING if facts.profile == "owl" else ROOT_NAME,
                root_weight=self.weights.kinds["hierarchical"],
                on_cycle=options.on_cycle,
            )
        except HierarchyError as error:
            raise HierarchyError(
                error.problem,
                place=self.source.path,
                advice=error.advice,
                parameter=error.parameter,
                concepts=error.concepts,
            ) from None
        if named_root and len(hierarchy.parents[0]):
            facts.notes.append(
                f"the root {hierarchy.iris[0]} has parents in the file: they now form a cycle, as every concept is "
                "below the root"
            )
        return self._assemble(hierarchy, kept)

    def _assemble(self, hierarchy: Hierarchy, kept: BoolArray) -> Ontology:
        facts = self.facts
        new = np.full(len(self.names), -1, dtype=np.int64)
        new[np.flatnonzero(kept)] = hierarchy.ids([self.names[i] for i in np.flatnonzero(kept).tolist()])
        lexicon = self._lexicon(hierarchy, new)
        if self.options.language is not None:
            lexicon = lexicon.in_language(self.options.language)
        self._note_unused_weights(kept, lexicon)
        instances = self._instances(new, len(hierarchy))
        relations = None
        if self.options.other_relations:
            known = known_relations(facts, hierarchy)
            relations = build_relations(facts, self.options, hierarchy, known)
            left_out = len(set(facts.relations)) - len(known)  # an end is not a concept or individual of the file
            self.counts |= {"relations": len(relations), "relations_left_out": left_out}
        former = {old: name for old, name in self._aliases(kept).items() if old not in hierarchy}
        return Ontology(
            hierarchy,
            lexicon,
            instances,
            self._read_source(),
            former,
            senses=renumbered_senses(facts.senses, new),
            weights=self.weights,
            outside=tuple(self._outside_links(new)),
            only_mapped=frozenset(self.names[n] for n in facts.only_mapped if kept[n]),
            individual_names=self._individual_names(instances),
            relations=relations,
            property_names=frozenset(facts.property_names),
        )

    def _read_source(self) -> Source:
        """Where it came from, and what was noticed."""
        facts = self.facts
        return replace(
            self.source,
            profile=facts.profile,
            iri=facts.iri,
            triples=facts.statements,
            unresolved_imports=tuple(sorted(set(facts.imports))),
            unasked_imports=tuple(facts.unasked_imports),
            columns=facts.columns,
            counts=self.counts,
            notes=tuple(facts.notes),
            warnings=tuple(sentence(warning, place=self.source.path) for warning in facts.warnings),
        )

    def _outside_links(self, new: LongArray) -> Iterator[OutsideLink]:
        """Mapping links between a concept and an IRI that is no concept of the file."""
        facts = self.facts
        upwards = zip(facts.children, facts.parents, facts.properties, facts.weights, strict=True)
        mappings = (
            [Link(*row) for row in upwards if row[2] in terms.HIERARCHICAL_MAPPINGS] if self.options.mappings else []
        )
        for kind, links in (("hierarchical", mappings), ("related", facts.related), ("synonym", facts.synonyms)):
            weights = self._own_weights([link.weight for link in links], [link.property for link in links])
            for link, weight in zip(links, weights.tolist(), strict=True):
                for inner, outer, upward in ((link.left, link.right, True), (link.right, link.left, False)):
                    if new[inner] >= 0 and new[outer] < 0:
                        own = self.weights.kinds[kind] if math.isnan(weight) else weight
                        yield OutsideLink(int(new[inner]), self.names[outer], kind, own, upward)

    def _instances(self, new: LongArray, size: int) -> InstanceAssignment | None:
        """Those on kept concepts, strong enough, under the names that count."""
        facts, least = self.facts, self.options.min_strength
        if not facts.instances:
            return None
        names, concepts, strengths = zip(*facts.instances, strict=True)
        column, strength = new[np.array(concepts, dtype=np.int64)], np.array(strengths, dtype=np.float64)
        kept = column >= 0
        strong = kept & (strength >= least)
        if weak := int(kept.sum() - strong.sum()):
            facts.notes.append(
                Message(
                    f"left out: {weak:,} of {int(kept.sum()):,} instance assignments (strength < {least:g}; "
                    "{min_strength})"
                )
            )
        if not strong.all():
            names = tuple(compress(names, strong.tolist()))
        if self.options.instance_key and facts.instances_of_file:
            names = self._instance_names(names)
        return self._strict_part(InstanceAssignment.from_columns(names, column[strong], strength[strong], size))

    def _individual_names(self, instances: InstanceAssignment | None) -> IndividualNames:
        """The labels of instances, and owl:sameAs between them."""
        facts = self.facts
        by_key = facts.instance_keys
        known = set() if instances is None else set(instances.iris)
        name_of = {facts.names[name]: key for name, key in by_key.items() if key in known and name in facts.names}
        name_of.update((facts.names[name], name) for name in known if name in facts.names and name not in by_key)
        wanted = self.options.language
        labels = sorted(
            (
                name_of[node],
                _ROLE[facts.roles[row]],
                0 if wanted is None else language_rank(facts.languages[row], wanted.lower()),
                facts.languages[row],
                facts.texts[row],
            )
            for row, node in enumerate(facts.labelled)
            if node in name_of and _ROLE[facts.roles[row]] in MEANING
        )
        return IndividualNames(
            tuple(label[0] for label in labels),
            tuple(label[-1] for label in labels),
            tuple((by_key.get(left, left), by_key.get(right, right)) for left, right in facts.same),
        )

    def _strict_part(self, instances: InstanceAssignment | None) -> InstanceAssignment | None:
        if instances is None or not self.options.strict_instances:
            return instances
        strict = instances.strict_part()
        several = len(instances) - (0 if strict is None else len(strict))
        if several:
            self.facts.notes.append(
                Message(
                    f"left out: {several:,} of {len(instances):,} instances (several concepts; "
                    "{strict_instances=True})"
                )
            )
        return strict

    def _instance_names(self, names: Sequence[str]) -> tuple[str, ...]:
        """The key of each instance that has one, the name of any other."""
        keys, notes = self.facts.instance_keys, self.facts.notes
        distinct = set(names)
        without_key = len(distinct - keys.keys())
        merged = len(distinct) - len({keys.get(name, name) for name in distinct})
        keys_of = listed(self.options.instance_key)
        properties = f"{keys_of} ({{instance_key}})"
        if without_key and without_key == len(distinct):
            notes.append(Message(f"no instance has a value of {properties}; their IRIs are used"))
        elif without_key:
            notes.append(
                Message(
                    f"no value of {properties} for {without_key:,} of {len(distinct):,} instances; their IRIs are used"
                )
            )
        if merged:
            notes.append(
                Message(
                    f"merged: {merged:,} of {len(distinct):,} instances (same value of {keys_of} as another; "
                    "{instance_key})"
                )
            )
        return tuple(keys.get(name, name) for name in names)

    def _aliases(self, kept: BoolArray) -> dict[str, str]:
        """Former names of the kept concepts; of several that claim one the smallest name has it."""
        numbers = self.facts.names
        claims = sorted([*self.facts.aliases.items(), *self.facts.claims], reverse=True)
        return {old: name for old, name in claims if name in numbers and kept[numbers[name]]}

    def _lexicon(self, hierarchy: Hierarchy, new: LongArray) -> Lexicon:
        facts = self.facts
        concepts = new[np.array(facts.labelled, dtype=np.int64)]
        kept = np.flatnonzero(concepts >= 0)
        rows = kept.tolist()
        return make_lexicon(
            hierarchy,
            concepts[kept],
            [facts.texts[i] for i in rows],
            [facts.languages[i] for i in rows],
            [_ROLE[facts.roles[i]] for i in rows],
        )

    def _synonyms(self) -> list[Link]:
        same = [Link(left, right, terms.EQUIVALENT) for left, right in self.facts.equivalent]
        return [*self.facts.synonyms, *same]

    def _side_edges(self, links: Sequence[Link], kept: BoolArray, kind: str) -> EdgeTable:
        ends = _ends([(link.left, link.right) for link in links])
        weights = self._own_weights([link.weight for link in links], [link.property for link in links])
        return self._table(*ends, weights, kept, kind)

    def _own_weights(self, weights: Sequence[float], properties: Sequence[str]) -> FloatArray:
        """The weight of each link itself, else that of its property, else nan."""
        values = np.array(weights, dtype=np.float64)
        if self.weights.properties:
            by_property = {iri: self.weights.own(iri) for iri in set(properties)}
            values = np.where(np.isnan(values), [by_property[iri] for iri in properties], values)
        return values

    def _note_unused_weights(self, kept: BoolArray, lexicon: Lexicon) -> None:
        if not self.weights.changes():
            return
        facts = self.facts
        links = [*facts.related, *self._synonyms()]
        links += map(Link, facts.children, facts.parents, facts.properties)
        between = {link.property for link in links if kept[link.left] and kept[link.right]}
        outside = {link.property for link in links if kept[link.left] != kept[link.right]} - between
        facts.notes.extend(unused_weights(self.weights, between, lexicon, outside))

    def _concepts(self) -> BoolArray:
        """True for the names that are concepts: declared or in a hierarchical edge, and not left out."""
        facts = self.facts
        kept = np.zeros(len(self.names), dtype=bool)
        # an equivalent that nothing else in the file makes a class is a link to another ontology, like skos:exactMatch
        for numbers in (facts.concepts, facts.children, facts.parents):
            kept[np.array(numbers, dtype=np.int64)] = True
        for name in (terms.THING, terms.NOTHING):
            if facts.profile == "owl" and name in facts.names:
                kept[facts.names[name]] = False
        kept[sorted(facts.unlinked)] = False
        if not self.options.deprecated:
            deprecated = np.array(sorted(facts.deprecated), dtype=np.int64)
            self.counts["deprecated"] = int(kept[deprecated].sum())
            kept[deprecated] = False
        return kept

    def _note_outside(self, kept: BoolArray) -> None:
        deprecated = self.facts.deprecated
        missing = [[n for n in pair if not kept[n] and n not in deprecated] for pair in self.facts.equivalent]
        outside = sum(1 for ends in missing if ends)
        if outside:
            equivalences = number_of(outside, "equivalence leads", "equivalences lead")
            self.facts.notes.append(f"{equivalences} to a class outside the file; left out")

    def _hierarchical_edges(self) -> tuple[LongArray, LongArray, FloatArray]:
        """All hierarchical edges: those read, and one in each direction between equivalent classes.

        A weight of owl:equivalentClass is that of the whole equivalence: as a synonym edge alone, the lighter subclass
        edges beside it would hide it.
        """
        facts = self.facts
        left, right = _ends(facts.equivalent)
        of_equivalence = np.full(2 * len(left), self.weights.own(terms.EQUIVALENT))
        return (
            np.concatenate([np.array(facts.children, dtype=np.int64), left, right]),
            np.concatenate([np.array(facts.parents, dtype=np.int64), right, left]),
            np.concatenate([self._own_weights(facts.weights, facts.properties), of_equivalence]),
        )

    def _table(
        self, tails: LongArray, heads: LongArray, weights: FloatArray | None, kept: BoolArray, kind: str
    ) -> EdgeTable:
        """Edges of one kind between kept concepts, in the numbers of the facts."""
        inside = kept[tails] & kept[heads]
        weights = None if weights is None else weights[inside]
        return EdgeTable.make(tails[inside], heads[inside], weights, default=self.weights.kinds[kind])

    def _selection(self, kept: BoolArray, edges: EdgeTable) -> tuple[BoolArray, EdgeTable]:
        """The concepts that the user wants, by scheme, namespace and ancestor; paths through others become edges."""
        facts, options = self.facts, self.options
        if facts.scheme_members is None and not options.namespaces and options.below is None:
            return kept, edges
        selected = kept.copy()
        known = kept | _mask(len(kept), sorted(facts.unlinked))  # a part may be left out as a whole
        if facts.scheme_members is not None:
            selected &= _mask(len(selected), sorted(facts.scheme_members))
        if options.namespaces:
            selected &= self._in_namespaces(known)
        if options.below is not None:
            top = facts.names[self._resolve(options.below, known)]
            selected &= at_or_below(len(selected), edges, top)
        self.counts["dropped"] = int(kept.sum()) - int(selected.sum())
        # a dropped concept that is no concept at all (deprecated) has no edges here
        return selected, restrict_edges(len(selected), edges, selected, self.weights.kinds["hierarchical"])

    def _in_namespaces(self, kept: BoolArray) -> BoolArray:
        prefixes = tuple(self.options.namespaces)
        obo = self.facts.namespaces
        concepts = np.flatnonzero(kept).tolist()
        members = [n for n in concepts if self.names[n].startswith(prefixes) or obo.get(n) in prefixes]
        if not members:
            namespaces = sorted({_namespace(self.names[n]) for n in concepts} | set(obo.values()))
            raise LoadError(
                f"no concepts in the namespace {' or '.join(repr(p) for p in prefixes)}",
                advice=f"Namespaces: {listed(namespaces)}.",
                parameter="namespaces",
                path=self.source.path,
            )
        return _mask(len(kept), members)

    def _resolve(self, name: str, kept: BoolArray) -> str:
        """The one concept that a user means."""
        index = self._index(kept)
        iris = [self.names[number] for number in index.find(name)]
        if len(iris) == 1:
            return iris[0]
        if iris:
            raise UnknownConceptError(
                f"{len(iris)} concepts have the name {name!r}: {listed(iris)}",
                place=self.source.path,
                advice="Use the IRI.",
            )
        raise UnknownConceptError(
            f"unknown concept {name!r}",
            place=self.source.path,
            advice=f"{index.suggestion(name)} Use an IRI, a CURIE, a local name or a label of this file.".strip(),
        )

    def _index(self, kept: BoolArray) -> NameIndex:
        """What a name means among some concepts: as in the ontology that is made of them."""
        facts, wanted = self.facts, self.options.language
        iris = {name: number for name, number in facts.names.items() if kept[number]}

        def labels() -> Iterator[tuple[str, int]]:
            bare = kept.copy()
            for number, text, language, role in zip(
                facts.labelled, facts.texts, facts.languages, facts.roles, strict=True
            ):
                bare[number] = False
                spoken = wanted is None or language_rank(language, wanted.lower()) < 3
                if kept[number] and spoken and _ROLE[role] in MEANING:
                    yield text, number
            yield from ((name_as_label(self.names[number]), number) for number in np.flatnonzero(bare).tolist())

        former = {old: iris[name] for old, name in self._aliases(kept).items()}
        senses = {word: tuple(n for n in numbers if kept[n]) for word, numbers in facts.senses.items()}
        return NameIndex(iris, labels, former, senses)

    def _no_concept_error(self) -> LoadError:
        path, options = self.source.path, self.options
        part = options.below or options.namespaces or self.facts.scheme_members is not None
        if self.facts.unlinked:
            of, which = (" of this part", "no link in it") if part else ("", "no link")
            error = NothingLeftError(
                f"no concepts{of} are left: {which} has a confidence >= {options.min_confidence:.15g}",
                advice="Decrease {min_confidence}.",
                parameter="min_confidence",
                path=path,
            )
            self.facts.notes.append(error.problem)
            error.empty = Ontology.empty(self._read_source(), self.weights)
            return error
        if self.counts.get("deprecated"):
            return LoadError(
                f"all concepts are deprecated ({self.counts['deprecated']:,})",
                advice="Set {deprecated=True} to keep them.",
                parameter="deprecated",
                path=path,
            )
        if part:
            return LoadError("no concepts are left", advice="Choose a larger part.", path=path)
        return LoadError(
            "no concepts found: no class, no SKOS concept, no link",
            advice="Use an ontology, or set another {profile}.",
            parameter="profile",
            path=path,
        )


def _ends(pairs: Pairs) -> tuple[LongArray, LongArray]:
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _mask(size: int, members: Sequence[int]) -> BoolArray:
    result = np.zeros(size, dtype=bool)
    result[np.array(members, dtype=np.int64)] = True
    return result


def _renumber(table: EdgeTable, position: npt.NDArray[np.int64]) -> EdgeTable:
    return EdgeTable(position[table.tails], position[table.heads], table.weights)


def _namespace(iri: str) -> str:
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
