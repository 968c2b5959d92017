"""Relations other than is-a: `relations_of_triples` finds them in triples, `build_relations` makes them of `Facts`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ontoeval.load import terms
from ontoeval.load.ontologies.columns import Columns
from ontoeval.load.ontologies.facts import Facts, unused_relation
from ontoeval.load.ontologies.obo_ids import expand
from ontoeval.load.ontologies.owl import ClassExpressions
from ontoeval.load.options import LoadOptions
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.lexicon import local_name, split_words
from ontoeval.model.relations import Relations


def relations_of_triples(columns: Columns, options: LoadOptions) -> None:
    """Add to the facts what the file relates in other ways than is-a.

    Assertions: a triple by an owl:ObjectProperty, whose ends are individuals if they are no classes; or by a property
    that the file says nothing about, if both ends are known concepts or individuals. Restrictions: A below, equivalent
    to or defined by (p some B), (p only B) or (p value i), also as a conjunct: (A, p, B). Domain and range: (p, domain,
    D). In the place of a class, a union or intersection stands for each of its named members. Mapping links
    (closeMatch, broadMatch, narrowMatch) that the options do not make part of the hierarchy.
    """
    reader = _RelationReader(columns, options)
    reader.properties()
    reader.assertions()
    reader.restrictions()
    reader.domains_and_ranges()
    reader.mappings()


class _RelationReader:
    def __init__(self, columns: Columns, options: LoadOptions) -> None:
        self.columns, self.facts, self.options = columns, columns.facts, options
        self.expressions = ClassExpressions(columns)
        self.concepts = {*self.facts.concepts, *self.facts.children, *self.facts.parents}
        same = (concept for pair in self.facts.equivalent for concept in pair)
        self.classes = self.concepts.union(same, columns.members(terms.CLASS, terms.RDFS_CLASS, terms.DEPRECATED_CLASS))
        self.object_properties = set(columns.members(*terms.OBJECT_PROPERTIES))
        annotations = set(columns.members(*terms.ANNOTATION_PROPERTIES))
        data = set(columns.members(*terms.DATA_PROPERTIES))
        self.declared = self.object_properties | data
        self.no_relations = (annotations | data) - self.object_properties
        # a concept that was left out for want of confidence is no individual instead
        self.no_individuals = (
            self.classes | self.declared | annotations | self.expressions.built_in | self.facts.unlinked
        )
        # blank nodes that stand for the inverse of a property
        blank = self.expressions.anonymous
        self.inverse_of = {p: q for p, q in columns.pairs_of(terms.INVERSE) if blank[p] and not blank[q]}

    def properties(self) -> None:
        facts, blank = self.facts, self.expressions.anonymous
        facts.other_properties |= self.declared
        facts.symmetric.update(self.columns.members(terms.SYMMETRIC))
        facts.inverse.extend((p, q) for p, q in self.columns.pairs_of(terms.INVERSE) if not (blank[p] or blank[q]))
        vocabularies = (*terms.BUILT_IN, terms.SKOS)
        for kind, members in self.columns.types.items():
            outside = not kind.startswith(vocabularies)
            if outside or kind == terms.INDIVIDUAL or (kind == terms.CONCEPT and facts.profile == "owl"):
                facts.individuals.update(members)
        facts.individuals -= self.no_individuals

    def assertions(self) -> None:
        facts = self.facts
        links = list(zip(*self.columns.other_links, strict=True))
        for subject, predicate, value in links:  # first all individuals, so that the order does not matter
            if predicate in self.object_properties:
                facts.individuals.update({subject, value} - self.no_individuals)
        ends = self.concepts | facts.individuals
        for subject, predicate, value in links:
            if predicate not in self.no_relations and subject in ends and value in ends:
                facts.relations.append((subject, predicate, value))

    def restrictions(self) -> None:
        properties = dict(self.columns.pairs_of(terms.ON_PROPERTY))
        fillers: dict[int, list[int]] = {}
        for node, filler in self.columns.pairs_of(terms.SOME_VALUES, terms.ALL_VALUES):
            fillers.setdefault(node, []).extend(m for m in self._named_members(filler) if m in self.concepts)
        for node, individual in self.columns.pairs_of(terms.HAS_VALUE):
            if not self.expressions.anonymous[individual]:
                fillers.setdefault(node, []).append(individual)
                self.facts.individuals.update({individual} - self.no_individuals)
        as_relations = {self.facts.names[name] for name in self.options.relations if name in self.facts.names}
        for subject, expression in self._conjuncts():
            predicate = properties.get(expression)
            if predicate is None or predicate in as_relations:  # those are hierarchical edges
                continue
            for value in fillers.get(expression, ()):
                self._add(subject, predicate, value)

    def _conjuncts(self) -> Iterator[tuple[int, int]]:
        """(named class, expression that it is below, equivalent to or defined by, or a conjunct of one)."""
        expressions, columns = self.expressions, self.columns
        pairs = [*columns.pairs_of(terms.SUBCLASS, terms.EQUIVALENT)]
        pairs += [(right, left) for left, right in columns.pairs_of(terms.EQUIVALENT)]
        pairs += [(subject, subject) for subject in expressions.intersections]
        for subject, expression in pairs:
            own = expressions.anonymous[expression] or expression == subject  # not what a superclass is defined by
            if expressions.is_named(subject) and own:
                yield subject, expression
                for member in expressions.flatten(expressions.intersections, expression):
                    yield subject, member

    def _named_members(self, node: int) -> list[int]:
        expressions = self.expressions
        if not expressions.anonymous[node]:
            return [node]
        lists = (expressions.unions, expressions.intersections)
        return [member for group in lists for member in expressions.members(group, node)]

    def _add(self, subject: int, predicate: int, value: int) -> None:
        """A relation by a named property; by the inverse of one it is turned round."""
        inverted = self.inverse_of.get(predicate)
        triple = (subject, predicate, value) if inverted is None else (value, inverted, subject)
        if not self.expressions.anonymous[triple[1]]:
            self.facts.relations.append(triple)

    def domains_and_ranges(self) -> None:
        for name in (terms.DOMAIN, terms.RANGE):
            for subject, node in self.columns.pairs_of(name):
                if not self.expressions.anonymous[subject]:
                    number = self.facts.number(name)
                    concepts = (m for m in self._named_members(node) if m in self.concepts)
                    self.facts.relations.extend((subject, number, concept) for concept in concepts)

    def mappings(self) -> None:
        facts, options = self.facts, self.options
        owl = facts.profile == "owl"
        names = [terms.CLOSE_MATCH] if owl or not options.close_match else []
        names += [terms.BROAD_MATCH, terms.NARROW_MATCH] if owl or not options.mappings else []
        for name in names:
            for subject, value in self.columns.pairs_of(name):
                facts.relations.append((subject, facts.number(name), value))
        if terms.BROAD_MATCH in facts.names or terms.NARROW_MATCH in facts.names:
            facts.inverse.append((facts.number(terms.BROAD_MATCH), facts.number(terms.NARROW_MATCH)))


def known_relations(facts: Facts, hierarchy: Hierarchy) -> set[tuple[int, int, int]]:
    """Those whose ends are concepts that are kept, individuals or (domain and range) properties."""
    names = list(facts.names)
    ends = {number for number, name in enumerate(names) if name in hierarchy} | facts.individuals
    of_properties = {facts.names.get(name) for name in (terms.DOMAIN, terms.RANGE)}
    return {(s, p, o) for s, p, o in facts.relations if o in ends and (s in ends or p in of_properties)}


def build_relations(
    facts: Facts, options: LoadOptions, hierarchy: Hierarchy, known: Iterable[tuple[int, int, int]]
) -> Relations:
    """Of the known relations; individuals that have a key are called by it, as among the instances."""
    names = list(facts.names)
    called = [name if name in hierarchy else facts.instance_keys.get(name, name) for name in names]
    properties = set(facts.other_properties)
    for subject, predicate, _ in facts.relations:
        of_property = names[predicate] in (terms.DOMAIN, terms.RANGE)
        properties.update((predicate, subject) if of_property else (predicate,))
    triples = [
        ((names if names[p] in (terms.DOMAIN, terms.RANGE) else called)[s], names[p], called[o]) for s, p, o in known
    ]
    rows = zip(facts.labelled, facts.texts, facts.languages, facts.roles, strict=True)
    labels = [(names[n], text, language, role) for n, text, language, role in rows if n in properties]
    symmetric = {names[n] for n in facts.symmetric}
    for wanted in options.symmetric:
        same = {names[n] for n in properties if _is_called(wanted, names[n])}
        same |= {name for name, text, *_ in labels if split_words(wanted).casefold() == text.casefold()}
        if not same:
            facts.notes.append(unused_relation(wanted, {local_name(names[n]) for n in properties}))
        symmetric |= same
    relations = Relations.build(
        hierarchy,
        triples,
        properties=[names[n] for n in properties],
        labels=labels,
        symmetric=symmetric,
        inverse=[(names[p], names[q]) for p, q in facts.inverse],
        individuals={called[n] for n in facts.individuals},
    )
    if options.language is None:
        return relations
    return replace(relations, lexicon=relations.lexicon.in_language(options.language))


def _is_called(name: str, iri: str) -> bool:
    return iri in (name, expand(name)) or local_name(iri) == name
