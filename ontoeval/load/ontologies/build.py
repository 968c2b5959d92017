"""Facts to an ontology: which names are concepts, which part is kept, the root, the labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import numpy.typing as npt

from ontoeval.edit.edges import at_or_below, restrict_edges, transitive_reduction
from ontoeval.edit.rebuild import renumbered_senses
from ontoeval.errors import HierarchyError, LoadError, UnknownConceptError, did_you_mean, listed
from ontoeval.load import terms
from ontoeval.load.ontologies.facts import Facts, Pairs
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray
from ontoeval.model.hierarchy import ROOT_NAME, EdgeTable, Hierarchy, OnCycle, chosen_weights
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import ROLES, Lexicon, local_name
from ontoeval.model.ontology import Ontology, Source, make_lexicon

_ROLE = {name: position for position, name in enumerate(ROLES)}


@dataclass(frozen=True)
class Choices:
    """What a user can choose about any ontology, whatever its format."""

    root: str = "auto"
    on_cycle: OnCycle = "keep"
    weights: Mapping[str, float] | None = None
    language: str | None = None
    deprecated: bool = False
    namespaces: Sequence[str] = ()
    below: str | None = None
    instance_keys: Sequence[str] = ()
    min_strength: float = 0.0
    strict_instances: bool = False


def build(facts: Facts, choices: Choices, source: Source) -> Ontology:
    """Make the ontology that the facts describe."""
    return _Builder(facts, choices, source).ontology()


def known_names(facts: Facts, choices: Choices) -> dict[str, int]:
    """The concepts by name, and by each local name that only one of them has."""
    kept = _Builder(facts, choices, Source())._concepts()
    names = {name: number for name, number in facts.names.items() if kept[number]}
    short = Counter(local_name(name) for name in names)
    return {local_name(name): number for name, number in names.items() if short[local_name(name)] == 1} | names


class _Builder:
    def __init__(self, facts: Facts, choices: Choices, source: Source) -> None:
        self.facts = facts
        self.choices = choices
        self.source = source
        self.names = list(facts.names)
        self.weights = chosen_weights(choices.weights)
        self.counts = dict(facts.counts)

    def ontology(self) -> Ontology:
        facts, choices = self.facts, self.choices
        kept = self._concepts()
        self._note_outside(kept)
        edges = self._table(*self._upwards(), kept, "hierarchical")
        if facts.reduce:  # a reasoner gives direct edges only, so that a way may lead through a class left out
            every = self._table(*self._upwards(), np.ones(len(kept), dtype=bool), "hierarchical")
            edges = restrict_edges(len(kept), every, kept, self.weights["hierarchical"])
        kept, edges = self._part(kept, edges)
        if facts.reduce:
            edges = transitive_reduction(len(self.names), edges)
        position = np.full(len(self.names), -1, dtype=np.int64)
        position[np.flatnonzero(kept)] = np.arange(int(kept.sum()))
        chosen = [self.names[i] for i in np.flatnonzero(kept).tolist()]
        if not chosen:
            raise self._nothing()
        try:
            hierarchy = Hierarchy.build(
                chosen,
                _renumbered(edges, position),
                related=_renumbered(self._beside(facts.related, kept, "related"), position),
                synonyms=_renumbered(self._beside([*facts.synonyms, *facts.equivalent], kept, "synonym"), position),
                root=choices.root if choices.root in ("auto", "new", "none") else self._resolved(choices.root, kept),
                root_name=terms.THING if facts.profile == "owl" else ROOT_NAME,
                root_weight=self.weights["hierarchical"],
                on_cycle=choices.on_cycle,
            )
        except HierarchyError as error:
            raise HierarchyError(
                error.problem,
                place=self.source.path,
                advice=error.advice,
                parameter=error.parameter,
                concepts=error.concepts,
            ) from None
        if choices.root not in ("auto", "new", "none") and len(hierarchy.parents[0]):
            facts.notes.append(
                f"the root {hierarchy.iris[0]} has parents in the file; with it they form a cycle, as every concept "
                "must reach the root"
            )
        return self._finished(hierarchy, kept)

    def _finished(self, hierarchy: Hierarchy, kept: BoolArray) -> Ontology:
        facts = self.facts
        new = np.full(len(self.names), -1, dtype=np.int64)
        new[np.flatnonzero(kept)] = hierarchy.ids([self.names[i] for i in np.flatnonzero(kept).tolist()])
        lexicon = self._lexicon(hierarchy, new)
        if self.choices.language is not None:
            lexicon = lexicon.in_language(self.choices.language)
        instances = self._instances(new, len(hierarchy))
        about = replace(
            self.source,
            profile=facts.profile,
            iri=facts.iri,
            triples=facts.statements,
            unresolved_imports=tuple(sorted(set(facts.imports))),
            counts=self.counts,
            notes=tuple(facts.notes),
        )
        former = {old: name for old, name in self._aliases(kept).items() if old not in hierarchy}
        return Ontology(
            hierarchy,
            lexicon,
            instances,
            about,
            former,
            senses=renumbered_senses(facts.senses, new),
        )

    def _instances(self, new: LongArray, size: int) -> InstanceAssignment | None:
        """Those on kept concepts, strong enough, under the names that count."""
        facts, least = self.facts, self.choices.min_strength
        if not facts.instances:
            return None
        names, concepts, strengths = zip(*facts.instances, strict=True)
        column, strength = new[np.array(concepts, dtype=np.int64)], np.array(strengths, dtype=np.float64)
        kept = column >= 0
        strong = kept & (strength >= least)
        if weak := int(kept.sum() - strong.sum()):
            facts.notes.append(
                f"{weak:,} of {int(kept.sum()):,} assignments of instances are weaker than {least:g} and were left out "
                "(--min-strength)"
            )
        if not strong.all():
            names = tuple(compress(names, strong.tolist()))
        by_key = self.choices.instance_keys and facts.own_instances
        called = self._by_key(names) if by_key else names
        return self._strict_part(InstanceAssignment.from_columns(called, column[strong], strength[strong], size))

    def _strict_part(self, found: InstanceAssignment | None) -> InstanceAssignment | None:
        if found is None or not self.choices.strict_instances:
            return found
        strict = found.strict_part()
        several = len(found) - (0 if strict is None else len(strict))
        if several:
            self.facts.notes.append(
                f"{several:,} of {len(found):,} instances sit on several concepts and were left out "
                "(--strict-instances)"
            )
        return strict

    def _by_key(self, names: Sequence[str]) -> Sequence[str]:
        """The key of each instance that has one."""
        keys, notes = self.facts.instance_keys, self.facts.notes
        distinct = set(names)
        bare = len(distinct - keys.keys())
        merged = len(distinct) - len({keys.get(name, name) for name in distinct})
        said = f"{listed(self.choices.instance_keys)} (--instance-key)"
        if bare and bare == len(distinct):
            notes.append(f"no instance has a value of {said}, so all keep their IRIs")
        elif bare:
            notes.append(f"{bare:,} of {len(distinct):,} instances have no value of {said} and keep their IRIs")
        if merged:
            notes.append(
                f"{merged:,} of {len(distinct):,} instances are the same as another one by their value of {said}"
            )
        return [keys.get(name, name) for name in names]

    def _aliases(self, kept: BoolArray) -> dict[str, str]:
        """Former names of the kept concepts; of several that claim one the smallest name has it."""
        number = self.facts.names
        claims = sorted([*self.facts.aliases.items(), *self.facts.claims], reverse=True)
        return {old: name for old, name in claims if name in number and kept[number[name]]}

    def _lexicon(self, hierarchy: Hierarchy, new: LongArray) -> Lexicon:
        facts = self.facts
        concepts = new[np.array(facts.labelled, dtype=np.int64)]
        rows = np.flatnonzero(concepts >= 0)
        chosen = rows.tolist()
        return make_lexicon(
            hierarchy,
            concepts[rows],
            [facts.texts[i] for i in chosen],
            [facts.languages[i] for i in chosen],
            [_ROLE[facts.roles[i]] for i in chosen],
        )

    def _beside(self, pairs: Pairs, kept: BoolArray, kind: str) -> EdgeTable:
        own = self.facts.own_weights
        weights = np.array([own.get(pair, np.nan) for pair in pairs]) if own else None
        return self._table(*_ends(pairs), weights, kept, kind)

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
        if not self.choices.deprecated:
            out = np.array(sorted(facts.deprecated), dtype=np.int64)
            self.counts["deprecated"] = int(kept[out].sum())
            kept[out] = False
        return kept

    def _note_outside(self, kept: BoolArray) -> None:
        left = self.facts.deprecated
        ends = [[n for n in pair if not kept[n] and n not in left] for pair in self.facts.equivalent]
        outside = sum(1 for missing in ends if missing)
        if outside:
            self.facts.notes.append(f"equivalences to classes outside the file, left out: {outside}")

    def _upwards(self) -> tuple[LongArray, LongArray, FloatArray]:
        """All hierarchical edges: those read, and both ways between equivalent classes."""
        facts = self.facts
        one, other = _ends(facts.equivalent)
        unweighted = np.full(2 * len(one), np.nan)
        return (
            np.concatenate([np.array(facts.children, dtype=np.int64), one, other]),
            np.concatenate([np.array(facts.parents, dtype=np.int64), other, one]),
            np.concatenate([np.array(facts.weights, dtype=np.float64), unweighted]),
        )

    def _table(
        self, tails: LongArray, heads: LongArray, weights: FloatArray | None, kept: BoolArray, kind: str
    ) -> EdgeTable:
        """Edges of one kind between kept concepts, in the numbers of the facts."""
        inside = kept[tails] & kept[heads]
        own = None if weights is None else weights[inside]
        return EdgeTable.make(tails[inside], heads[inside], own, default=self.weights[kind])

    def _part(self, kept: BoolArray, edges: EdgeTable) -> tuple[BoolArray, EdgeTable]:
        """The part that the user wants, by scheme, namespace and ancestor, with the ways through the rest."""
        wanted = kept.copy()
        if self.facts.part is not None:
            wanted &= _mask(len(wanted), sorted(self.facts.part))
        if self.choices.namespaces:
            wanted &= self._in_namespaces(kept)
        if self.choices.below is not None:
            top = self.facts.names[self._resolved(self.choices.below, kept)]
            wanted &= at_or_below(len(wanted), edges, top)
        dropped = int(kept.sum()) - int(wanted.sum())
        if self.facts.part is None and not self.choices.namespaces and self.choices.below is None:
            return kept, edges
        self.counts["dropped"] = dropped
        # a dropped concept that is no concept at all (deprecated) has no edges here
        return wanted, restrict_edges(len(wanted), edges, wanted, self.weights["hierarchical"])

    def _in_namespaces(self, kept: BoolArray) -> BoolArray:
        prefixes = tuple(self.choices.namespaces)
        own = self.facts.namespaces
        chosen = [
            number
            for number in np.flatnonzero(kept).tolist()
            if self.names[number].startswith(prefixes) or own.get(number) in prefixes
        ]
        if not chosen:
            spaces = sorted({_namespace(self.names[n]) for n in np.flatnonzero(kept).tolist()} | set(own.values()))
            raise LoadError(
                f"no concept is in the namespace {' or '.join(repr(p) for p in prefixes)}. It has: {listed(spaces)}.",
                path=self.source.path,
            )
        return _mask(len(kept), chosen)

    def _resolved(self, name: str, kept: BoolArray) -> str:
        """The concept that a user means: an IRI, an OBO id, a former id, or a local name that only one concept has."""
        known = self.facts.names
        prefix, colon, local = name.partition(":")
        expanded = f"{terms.OBO}{prefix}_{local}" if colon else name
        former = self._aliases(kept)
        for candidate in (name, expanded, former.get(name, name), former.get(expanded, name)):
            if candidate in known and kept[known[candidate]]:
                return candidate
        concepts = [self.names[i] for i in np.flatnonzero(kept).tolist()]
        found = [iri for iri in concepts if local_name(iri) == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownConceptError(
                f"{self.source.path}: {name!r} is the local name of several concepts: {listed(found)}. "
                "Give the full IRI."
            )
        close = did_you_mean(name, concepts) if len(concepts) < 50_000 else ""
        raise UnknownConceptError(
            f"{self.source.path}: there is no concept {name!r}.{close} Give the IRI of a concept of this file."
        )

    def _nothing(self) -> LoadError:
        if self.counts.get("deprecated"):
            return LoadError(
                f"all {self.counts['deprecated']} concepts are deprecated. Give --deprecated to keep them.",
                path=self.source.path,
            )
        if self.choices.below or self.choices.namespaces or self.facts.part is not None:
            return LoadError("no concept is left. Choose a larger part.", path=self.source.path)
        return LoadError(
            "there is no concept in it: no class, no SKOS concept, no edge. "
            "Give an ontology, or choose another --profile.",
            path=self.source.path,
        )


def _ends(pairs: Pairs) -> tuple[LongArray, LongArray]:
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _mask(size: int, members: Sequence[int]) -> BoolArray:
    result = np.zeros(size, dtype=bool)
    result[np.array(members, dtype=np.int64)] = True
    return result


def _renumbered(table: EdgeTable, position: npt.NDArray[np.int64]) -> EdgeTable:
    return EdgeTable(position[table.tails], position[table.heads], table.weights)


def _namespace(iri: str) -> str:
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
