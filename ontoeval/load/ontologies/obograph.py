"""OBO Graphs JSON: `is_obograph`, `read_obograph`: edges, genus, synonyms to `Facts` (ids as IRIs: obo_ids.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NoReturn

from ontoeval.errors import LoadError
from ontoeval.load import terms
from ontoeval.load.input import Input
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.format import Fit, Head
from ontoeval.load.ontologies.obo_ids import NO_CONCEPTS, add_aliases, expand
from ontoeval.load.options import LoadOptions
from ontoeval.load.safety import read_json

_GRAPHS = re.compile(r'"graphs"\s*+:\s*+\[')
_SUBCLASS = frozenset({"is_a", "subClassOf", "rdfs:subClassOf", terms.SUBCLASS})
_TYPE = frozenset({"type", "rdf:type", terms.TYPE})
_INVERSE = frozenset({"inverseOf", "owl:inverseOf", terms.INVERSE})
_SUBPROPERTY = frozenset({"subPropertyOf", "rdfs:subPropertyOf", terms.RDFS + "subPropertyOf"})
_ROLES = {
    "hasExactSynonym": "exact",
    "hasNarrowSynonym": "narrow",
    "hasBroadSynonym": "broad",
    "hasRelatedSynonym": "related",
}

_Object = Mapping[str, object]
_ObjectAt = tuple[str, _Object]  # where an object stands in the file, and the object


def is_obograph(head: Head) -> Fit:
    return Fit.SURELY if head.text.startswith("{") and _GRAPHS.search(head.text) else Fit.NO


def read_obograph(source: Input, options: LoadOptions) -> Facts:
    """Read a file in OBO Graphs JSON."""
    document = read_json(source, lenient=options.lenient)
    return parse_obograph(
        document, path=source.name, relations=options.relations, other_relations=options.other_relations
    )


def parse_obograph(
    document: object, *, path: str, relations: Sequence[str] = (), other_relations: bool = False
) -> Facts:
    """Read a parsed OBO Graphs document.

    `is_a` edges and the genus of a logical definition make hierarchical edges, and so do the predicates among
    `relations` (CURIE or IRI) between classes. Properties, blank nodes, owl:Thing and owl:Nothing are no
    concepts; a node without a type is one only if it stands in the hierarchy. All graphs make one ontology.
    `other_relations` keeps the other edges, the restrictions of logical definitions, inverse properties, domain, range.
    """
    return _Reader(path, relations, other_relations).read(document)


class _Reader:
    def __init__(self, path: str, relations: Sequence[str], other_relations: bool) -> None:
        self.path, self.other_relations = path, other_relations
        self.relations = {expand(name): name for name in relations}  # IRI -> as the user named it
        self.facts = Facts(profile="owl")
        self.types: dict[str, set[str]] = {}  # of each node; graphs may disagree

    def read(self, document: object) -> Facts:
        facts = self.facts
        if not isinstance(document, dict) or "graphs" not in document:
            self._fail("the document has no 'graphs'")
        graphs = list(self._objects("", document, "graphs"))
        nodes = [node for graph in graphs for node in self._objects(*graph, "nodes")]
        for node in nodes:
            self.types.setdefault(self._id(node, "id"), set()).add(self._text(node, "type", default=""))
        for where, graph in graphs:
            facts.iri = facts.iri or self._text((where, graph), "id", default="") or None
            self._read_statements(where, graph)
        same = (concept for pair in facts.equivalent for concept in pair)
        in_hierarchy = {*facts.concepts, *facts.children, *facts.parents, *same}
        # after the edges, which say what an untyped node is
        add_aliases(facts, [claim for node in nodes for claim in self._read_node(node, in_hierarchy)])
        return facts

    def _read_statements(self, where: str, graph: _Object) -> None:
        for edge in self._objects(where, graph, "edges"):
            self._read_edge(edge)
        for node_set in self._objects(where, graph, "equivalentNodesSets"):
            numbers = [self._concept(iri, among_classes=True) for iri in self._ids(node_set, "nodeIds")]
            kept = [number for number in numbers if number is not None]
            self.facts.equivalent.extend(pairwise(kept))
        for definition in self._objects(where, graph, "logicalDefinitionAxioms"):
            defined = self._id(definition, "definedClassId")
            for genus in self._ids(definition, "genusIds"):
                self._edge(defined, genus, terms.SUBCLASS, among_classes=False)
            if self.other_relations:
                for restriction in self._objects(definition[0], definition[1], "restrictions"):
                    self._relate(defined, self._id(restriction, "propertyId"), self._id(restriction, "fillerId"))
        if self.other_relations:
            self._read_domains_and_ranges(where, graph)

    def _read_domains_and_ranges(self, where: str, graph: _Object) -> None:
        for axiom in self._objects(where, graph, "domainRangeAxioms"):
            for key, name in (("domainClassIds", terms.DOMAIN), ("rangeClassIds", terms.RANGE)):
                for concept in self._ids(axiom, key):
                    self._relate(self._id(axiom, "predicateId"), name, concept)

    def _relate(self, subject: str, predicate: str, target: str) -> None:
        """A relation; subject and target are concepts or individuals, of domain and range a property and a concept."""
        if not any(name.startswith(("_:", terms.OWL)) for name in (subject, predicate, target)):
            numbers = (self.facts.number(name) for name in (subject, predicate, target))
            self.facts.relations.append((next(numbers), next(numbers), next(numbers)))

    def _read_edge(self, edge: _ObjectAt) -> None:
        subject = self._id(edge, "subj" if "subj" in edge[1] else "sub")  # "subj" until 2017
        predicate, target = self._text(edge, "pred"), self._id(edge, "obj")
        if predicate in _SUBCLASS:
            self._edge(subject, target, terms.SUBCLASS, among_classes=False)
        elif predicate in _TYPE:
            concept = self._concept(target, among_classes=False)
            if concept is not None and not subject.startswith("_:"):
                self.facts.instances.append((subject, concept, 1.0))
        elif expand(predicate) in self.relations:
            self._edge(subject, target, self.relations[expand(predicate)], among_classes=True)
        elif self.other_relations and predicate in _INVERSE:
            self.facts.inverse.append((self.facts.number(subject), self.facts.number(target)))
        elif self.other_relations and predicate not in _SUBPROPERTY:
            self._relate(subject, expand(predicate), target)

    def _edge(self, subject: str, target: str, property: str, *, among_classes: bool) -> None:
        child = self._concept(subject, among_classes=among_classes)
        parent = self._concept(target, among_classes=among_classes)
        if child is not None and parent is not None:
            self.facts.edge(child, parent, property=property)
        elif child is not None and (target in NO_CONCEPTS or target.startswith(terms.OBO_IN_OWL)):
            self.facts.concepts.append(child)  # the edge says nothing but that this is a class
            if target == terms.OBSOLETE_CLASS:
                self.facts.deprecated.add(child)

    def _concept(self, iri: str, *, among_classes: bool) -> int | None:
        """Return the number of the concept `iri`, None if it can be none.

        Relations and equivalence also hold between individuals, which `among_classes` leaves out, while what
        stands in a subclass edge is a class, whatever else it is.
        """
        types = self.types.get(iri, set())
        others = {"PROPERTY", "INDIVIDUAL"} if among_classes else {"PROPERTY"}
        if iri.startswith((terms.OWL, terms.OBO_IN_OWL, "_:")) or (types & others and "CLASS" not in types):
            return None
        return self.facts.number(iri)

    def _read_node(self, node: _ObjectAt, in_hierarchy: set[int]) -> Iterator[tuple[str, int]]:
        """Describe a node if it is a concept; give its former IRIs with its number."""
        iri, where, facts = self._id(node, "id"), node[0], self.facts
        if "CLASS" in self.types[iri]:
            number = self._concept(iri, among_classes=True)
            if number is not None:
                facts.concepts.append(number)
                in_hierarchy.add(number)
        if "PROPERTY" in self.types[iri]:
            facts.property_names.add(iri)
        concept = facts.names.get(iri, -1)
        if self.other_relations and self.types[iri] & {"PROPERTY", "INDIVIDUAL"} and concept not in in_hierarchy:
            number = facts.number(iri)
            (facts.other_properties if "PROPERTY" in self.types[iri] else facts.individuals).add(number)
            self._label(number, self._text(node, "lbl", default=""), "preferred")
        if concept not in in_hierarchy:
            return
        self._label(concept, self._text(node, "lbl", default=""), "preferred")
        meta = self._object(node, "meta")
        if meta.get("deprecated") is True:
            facts.deprecated.add(concept)
        for synonym in self._objects(f"{where}.meta", meta, "synonyms"):
            role = _ROLES.get(_local(self._text(synonym, "pred")), "related")
            self._label(concept, self._text(synonym, "val"), role)
        for value in self._objects(f"{where}.meta", meta, "basicPropertyValues"):
            predicate = _local(self._text(value, "pred"))
            if predicate == "hasOBONamespace":  # the smaller of two: nothing depends on their order
                name = self._text(value, "val")
                facts.namespaces[concept] = min(name, facts.namespaces.get(concept, name))
            elif predicate == "hasAlternativeId":
                yield self._id(value, "val"), concept

    def _label(self, concept: int, text: str, role: str) -> None:
        if text:
            self.facts.label(concept, text, "", role)

    # What a key holds, or an error that says where it does not

    def _objects(self, where: str, parent: _Object, key: str) -> Iterator[_ObjectAt]:
        for place, item in self._items((where, parent), key):
            if not isinstance(item, dict):
                self._fail(f"{place} is not an object")
            yield place, item

    def _ids(self, placed: _ObjectAt, key: str) -> Iterator[str]:
        for place, item in self._items(placed, key):
            if not isinstance(item, str) or not item:
                self._fail(f"{place} is not an id")
            yield _iri(item)

    def _items(self, placed: _ObjectAt, key: str) -> Iterator[tuple[str, object]]:
        """Give the items of a list, each with its place; a list that is null or not there has none."""
        where, parent = placed
        place = f"{where}.{key}".lstrip(".")
        items = parent.get(key)
        if items is None:
            return
        if not isinstance(items, list):
            self._fail(f"{place} is not a list")
        for number, item in enumerate(items):
            yield f"{place}[{number}]", item

    def _object(self, placed: _ObjectAt, key: str) -> _Object:
        value = placed[1].get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._fail(f"{placed[0]}.{key} is not an object")
        return value

    def _id(self, placed: _ObjectAt, key: str) -> str:
        text = self._text(placed, key)
        if not text:
            self._fail(f"{placed[0]} has no '{key}'")
        return _iri(text)

    def _text(self, placed: _ObjectAt, key: str, *, default: str | None = None) -> str:
        value = placed[1].get(key)
        if value is None:
            value = default
        if value is None:
            self._fail(f"{placed[0]} has no '{key}'")
        if not isinstance(value, str):
            self._fail(f"{placed[0]}.{key} is not a string")
        return value

    def _fail(self, problem: str) -> NoReturn:
        advice = "Correct the file, or make it again, e.g. with `robot convert --format json`."
        raise LoadError(problem, advice=advice, path=self.path, format="obograph")


def _iri(identifier: str) -> str:
    return identifier if identifier.startswith("_:") else expand(identifier)


def _local(predicate: str) -> str:
    """`hasExactSynonym`, whether it is written so, as a CURIE or as an IRI."""
    return predicate.rpartition("#")[2].rpartition(":")[2]
