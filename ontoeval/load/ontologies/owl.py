"""`read_owl`: subclasses, equivalences to `Facts`; `ClassExpressions` (labels: columns.py; other: relations.py)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from ontoeval.load import terms
from ontoeval.load.ontologies.columns import Columns
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.shared_facts import common_facts

_Parent = tuple[int, str]  # a class and the property by which another is below it


def read_owl(columns: Columns, *, relations: Sequence[str] = ()) -> Facts:
    """The named classes and what is asserted about their order.

    A subClassOf B between named classes; the named conjuncts of an intersection that A is a subclass of, equivalent to,
    or defined by are its superclasses; the named members of a union that A is equivalent to are its subclasses;
    restrictions say nothing, unless their property is one of `relations`.
    """
    return _OwlReader(columns, relations).read()


class ClassExpressions:
    """Named and anonymous classes of some columns, and the members of intersections and unions."""

    def __init__(self, columns: Columns) -> None:
        names = list(columns.facts.names)
        self.anonymous = [name.startswith("_:") for name in names]
        not_concepts: tuple[str, ...] = terms.BUILT_IN
        if not (columns.facts.iri or "").startswith(terms.OBO_IN_OWL.rstrip("#")):  # what OWL exports of OBO files add
            not_concepts += (terms.OBO_IN_OWL,)
        self.built_in = {number for number, name in enumerate(names) if name.startswith(not_concepts)}
        self.first = _by_subject(columns.pairs_of(terms.FIRST))
        self.rest = _by_subject(columns.pairs_of(terms.REST))
        self.intersections = _by_subject(columns.pairs_of(terms.INTERSECTION))
        self.unions = _by_subject(columns.pairs_of(terms.UNION))

    def is_named(self, node: int) -> bool:
        """True for a class of the file: not anonymous, not built in, not one of oboInOwl."""
        return not self.anonymous[node] and node not in self.built_in

    def members(self, lists: dict[int, list[int]], expression: int) -> list[int]:
        """The named members of an intersection (or union), and of those nested in it."""
        return [member for member in self.flatten(lists, expression) if self.is_named(member)]

    def flatten(self, lists: dict[int, list[int]], expression: int) -> list[int]:
        """All members of an intersection (or union), and of those nested in it."""
        if expression not in lists:
            return []
        members: list[int] = []
        seen = {expression}
        pending = [expression]
        while pending:
            for head in lists.get(pending.pop(), ()):
                for member in self.list_members(head):
                    if member not in seen:
                        seen.add(member)
                        members.append(member)
                        if self.anonymous[member]:
                            pending.append(member)
        return members

    def list_members(self, head: int) -> list[int]:
        """The members of an RDF list; what is no list or runs in a circle just ends."""
        members: list[int] = []
        seen: set[int] = set()
        pending = [head]
        while pending:
            cell = pending.pop()
            if cell in seen:
                continue
            seen.add(cell)
            members.extend(self.first.get(cell, ()))
            pending.extend(self.rest.get(cell, ()))
        return members


class _OwlReader(ClassExpressions):
    def __init__(self, columns: Columns, relations: Sequence[str]) -> None:
        super().__init__(columns)
        self.columns = columns
        self.facts = columns.facts
        self.facts.profile = "owl"
        self.relations = tuple(relations)
        self.fillers = self._fillers()

    def read(self) -> Facts:
        facts, columns = self.facts, self.columns
        common_facts(columns)
        declared = columns.members(terms.CLASS, terms.RDFS_CLASS, terms.DEPRECATED_CLASS)
        facts.concepts.extend(c for c in declared if self.is_named(c))
        obsolete = facts.names.get(terms.OBSOLETE_CLASS)
        if obsolete in self.built_in:
            facts.deprecated.update(child for child, parent in columns.pairs_of(terms.SUBCLASS) if parent == obsolete)
        self._subclasses()
        self._equivalences()
        for subject in filter(self.is_named, self.intersections):
            self._add_parents(subject, self._superclasses_by(self.intersections, subject))
        for subject in filter(self.is_named, self.unions):
            self._add_children(subject, self.members(self.unions, subject))
        for subject, members in columns.pairs_of(terms.DISJOINT_UNION):
            self._add_children(subject, self.list_members(members))
        classes = {*facts.concepts, *facts.children, *facts.parents}
        for child, parent, relation, _ in columns.links_of(*self.relations):
            if child in classes and parent in classes:  # a relation between individuals makes no concepts of them
                self._add_parents(child, [(parent, relation)])
        facts.related.extend(columns.links_of(terms.RELATED, terms.RELATED_MATCH))
        facts.synonyms.extend(columns.links_of(terms.SAME_AS, terms.EXACT_MATCH))
        return facts

    def _subclasses(self) -> None:
        """Most links are between named classes: these are passed on together, the others looked into one by one."""
        facts = self.facts
        tails, heads = (np.array(column, dtype=np.int64) for column in self.columns.pairs.get(terms.SUBCLASS, ((), ())))
        named = ~np.array(self.anonymous, dtype=bool)
        named[list(self.built_in)] = False
        plain = named[tails] & named[heads]
        facts.children.extend(tails[plain].tolist())
        facts.parents.extend(heads[plain].tolist())
        facts.weights.extend([math.nan] * int(plain.sum()))
        facts.properties.extend([terms.SUBCLASS] * int(plain.sum()))
        for ends in (tails[~plain], heads[~plain]):
            facts.concepts.extend(ends[named[ends]].tolist())
        informative = self.intersections.keys() | self.fillers.keys()  # any other restriction says nothing
        for child, parent in zip(tails[~plain].tolist(), heads[~plain].tolist(), strict=True):
            if parent in informative:
                self._add_parents(child, self._superclasses(parent))

    def _equivalences(self) -> None:
        for left, right in self.columns.pairs_of(terms.EQUIVALENT):
            if self.is_named(left) and self.is_named(right):
                self.facts.equivalent.append((left, right))
                continue
            for named, expression in ((left, right), (right, left)):
                if self.anonymous[expression]:
                    self._add_parents(named, self._superclasses(expression))
                    self._add_children(named, self.members(self.unions, expression))

    def _add_parents(self, child: int, parents: Collection[_Parent]) -> None:
        if self.is_named(child):
            for parent, name in parents:
                self.facts.edge(child, parent, property=name)

    def _add_children(self, parent: int, children: Collection[int]) -> None:
        if self.is_named(parent):
            for child in children:
                if self.is_named(child):
                    self.facts.edge(child, parent, property=terms.SUBCLASS)

    def _superclasses(self, expression: int) -> list[_Parent]:
        """The named classes above whatever is a subclass of `expression`: itself, or its named conjuncts."""
        if not self.anonymous[expression]:
            return [(expression, terms.SUBCLASS)] if self.is_named(expression) else []
        return self._superclasses_by(self.intersections, expression)

    def _superclasses_by(self, lists: dict[int, list[int]], expression: int) -> list[_Parent]:
        classes: list[_Parent] = []
        for member in self.flatten(lists, expression):
            if self.is_named(member):
                classes.append((member, terms.SUBCLASS))
            else:
                classes.extend(self.fillers.get(member, ()))
        return classes + self.fillers.get(expression, [])

    def _fillers(self) -> dict[int, list[_Parent]]:
        """Restriction -> the named class that it relates to by one of the relations, and the relation."""
        relations = {self.facts.names[name]: name for name in self.relations if name in self.facts.names}
        if not relations:
            return {}
        on_property = _by_subject(self.columns.pairs_of(terms.ON_PROPERTY))
        result: dict[int, list[_Parent]] = {}
        for node, filler in self.columns.pairs_of(terms.SOME_VALUES):
            names = [relations[prop] for prop in on_property.get(node, ()) if prop in relations]
            if names and self.is_named(filler):
                result.setdefault(node, []).extend((filler, name) for name in names)
        return result


def _by_subject(pairs: Iterator[tuple[int, int]]) -> dict[int, list[int]]:
    result: dict[int, list[int]] = {}
    for subject, value in pairs:
        result.setdefault(subject, []).append(value)
    return result
