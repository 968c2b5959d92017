"""One ontology, however it is written, is one Ontology; and it is the one that a plain reading of the triples gives."""

from __future__ import annotations

import gc
import gzip
import io
import json
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import networkx as nx
import numpy as np
import owlready2
import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import LoadError
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.lexicon import ROLES

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XL = "http://www.w3.org/2008/05/skos-xl#"
OIO = "http://www.geneontology.org/formats/oboInOwl#"
DCT = "http://purl.org/dc/terms/"
OBO = "http://purl.obolibrary.org/obo/"
EX = "http://ex.org/"
THING, NOTHING = OWL + "Thing", OWL + "Nothing"
TYPE = RDF + "type"
SUBCLASS, EQUIVALENT = RDFS + "subClassOf", OWL + "equivalentClass"
INTERSECTION, UNION = OWL + "intersectionOf", OWL + "unionOf"

# IRI -> what stands in for a label, by the issue: the local name split at camelCase, _, - and %20
CLASSES = {
    EX + "car": "car",
    EX + "ns#ConferenceMember": "Conference Member",
    "urn:x:b_c-d": "b c d",
    EX + "K%C3%A4se": "Käse",
    "https://ex.org/a/motor%20bike": "motor bike",
    EX + "BMX": "BMX",
    EX + "z": "z",
}
NAMES = list(CLASSES)
INDIVIDUALS = [EX + "i1", EX + "i2", EX + "car"]  # the last is a class, too
PART_OF = EX + "partOf"

several = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class Literal:
    text: str
    language: str = ""
    datatype: str = ""


Term = str | Literal  # an IRI, a blank node `_:...`, or a literal
Triple = tuple[str, str, Term]
Expression = str | tuple[str, ...] | tuple  # a class, ("and", a, b, ...), ("or", a, b, ...), ("some", property, a)


# What is compared


def picture(ontology: oe.Ontology) -> dict[str, object]:
    """Everything that measures can see, as plain values."""
    hierarchy, lexicon, placed = ontology.hierarchy, ontology.lexicon, ontology.instances
    contents: dict[str, object] = {
        "iris": hierarchy.iris,
        "has_root": hierarchy.has_root,
        "root_added": hierarchy.root_added,
        "attached": hierarchy.attached.tolist(),
        "self_edges": hierarchy.self_edges.tolist(),
        "parts": hierarchy.first.tolist(),
        "concepts of labels": lexicon.concepts.tolist(),
        "texts": lexicon.texts,
        "languages": lexicon.languages,
        "roles": lexicon.roles.tolist(),
        "aliases": dict(ontology.aliases),
        "instances": None,
    }
    for kind in ("parents", "children", "related", "synonyms"):
        adjacency = getattr(hierarchy, kind)
        contents[kind] = (adjacency.indptr.tolist(), adjacency.indices.tolist(), adjacency.weights.tolist())
    if placed is not None:
        rows = placed.strength.tocoo()
        strengths = sorted(zip(rows.row.tolist(), rows.col.tolist(), rows.data.tolist(), strict=True))
        contents["instances"] = (placed.iris, strengths, placed.strength.shape)
    return contents


def assert_all_same(variants: Iterable[tuple[str, Callable[[], oe.Ontology]]]) -> None:
    first_name, first = "", None
    for name, load in variants:
        contents = picture(load())
        if first is None:
            first_name, first = name, contents
        different = {key: (first[key], contents[key]) for key in first if first[key] != contents[key]}
        assert not different, f"{name} is not {first_name}"


# Triples, and files of triples


def nt_term(term: Term) -> str:
    if isinstance(term, str):
        return term if term.startswith("_:") else f"<{term}>"
    text = term.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    tail = f"@{term.language}" if term.language else f"^^<{term.datatype}>" if term.datatype else ""
    return f'"{text}"{tail}'


def ntriples(triples: Iterable[Triple]) -> bytes:
    return "".join(f"{nt_term(s)} <{p}> {nt_term(o)} .\n" for s, p, o in triples).encode()


def shuffled(triples: Iterable[Triple], seed: int) -> list[Triple]:
    order = list(triples)
    random.Random(seed).shuffle(order)
    return order


def rdflib_graph(data: bytes) -> rdflib.Graph:
    return rdflib.Graph().parse(data=data, format="nt")


def in_ox(data: bytes, format: ox.RdfFormat) -> bytes:
    prefixes = {"owl": OWL, "rdfs": RDFS, "skos": SKOS, "ex": EX}
    triples = (quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES))
    return ox.serialize(triples, format=format, prefixes=prefixes) or b""


def in_two_graphs(data: bytes) -> bytes:
    """N-Quads with every other triple in a named graph, and some in both."""
    lines = data.decode().splitlines()
    named = [line[:-1] + f"<{EX}graph> ." for line in lines[::2]]
    return ("\n".join([*lines[1::2], *named, *lines[:2]]) + "\n").encode()


def from_owlready(data: bytes, **options: object) -> oe.Ontology:
    world = owlready2.World()
    try:
        with io.BytesIO(data) as stream:
            ontology = world.get_ontology(EX + "ontology").load(fileobj=stream)
        return oe.load_ontology(ontology, **options)
    finally:
        world.close()


def rdf_variants(
    triples: list[Triple], seed: int, **options: object
) -> Iterator[tuple[str, Callable[[], oe.Ontology]]]:
    def shuffle(number: int) -> bytes:
        return ntriples(shuffled(triples, seed + number))

    def loading(source: object) -> Callable[[], oe.Ontology]:
        return lambda: oe.load_ontology(source, **options)

    yield "N-Triples", loading(shuffle(0))
    yield "N-Triples, shuffled", loading(shuffle(1))
    yield "N-Triples, every line twice", loading(shuffle(2) + shuffle(3))
    yield "N-Quads", loading(in_two_graphs(shuffle(4)))
    for number, (name, format) in enumerate(
        {
            "Turtle": ox.RdfFormat.TURTLE,
            "RDF/XML": ox.RdfFormat.RDF_XML,
            "TriG": ox.RdfFormat.TRIG,
            "N3": ox.RdfFormat.N3,
            "JSON-LD": ox.RdfFormat.JSON_LD,
        }.items()
    ):
        yield name, loading(in_ox(shuffle(5 + number), format))
    graph = rdflib_graph(shuffle(10))
    yield "rdflib.Graph", loading(graph)
    for name, format in {"Turtle of rdflib": "turtle", "RDF/XML of rdflib": "xml"}.items():
        yield name, loading(graph.serialize(format=format, encoding="utf-8"))
    yield "gzip", loading(gzip.compress(in_ox(shuffle(11), ox.RdfFormat.TURTLE)))
    yield "open file", loading(io.BytesIO(shuffle(12)))
    yield "owlready2", lambda: from_owlready(shuffle(13), **options)


# OWL content: as triples, in functional syntax, as OWL/XML


@dataclass(frozen=True)
class Content:
    declared: list[str] = field(default_factory=list)
    subclasses: list[tuple[Expression, Expression]] = field(default_factory=list)
    equivalences: list[tuple[Expression, Expression]] = field(default_factory=list)
    partitions: list[tuple[str, list[str]]] = field(default_factory=list)  # disjoint unions
    types: list[tuple[str, Expression]] = field(default_factory=list)
    same: list[tuple[str, str]] = field(default_factory=list)
    literals: list[tuple[str, str, Literal]] = field(default_factory=list)
    annotations: list[tuple[str, str, str]] = field(default_factory=list)  # to an IRI
    facts: list[tuple[str, str, str]] = field(default_factory=list)  # object properties between individuals
    values: list[tuple[str, str, Literal]] = field(default_factory=list)  # data properties of individuals


class TripleWriter:
    def __init__(self, content: Content) -> None:
        self.triples: list[Triple] = [(EX + "ontology", TYPE, OWL + "Ontology")]
        self.blank = 0
        self.write(content)

    def write(self, content: Content) -> None:
        add = self.triples.append
        for name in content.declared:
            add((name, TYPE, OWL + "Class"))
        for child, parent in content.subclasses:
            add((self.node(child), SUBCLASS, self.node(parent)))
        for one, other in content.equivalences:
            add((self.node(one), EQUIVALENT, self.node(other)))
        for name, members in content.partitions:
            add((name, OWL + "disjointUnionOf", self.list(members)))
        for individual, kind in content.types:
            add((individual, TYPE, self.node(kind)))
        for one, other in content.same:
            add((one, OWL + "sameAs", other))
        for row in [*content.literals, *content.annotations, *content.facts, *content.values]:
            add(row)

    def fresh(self) -> str:
        self.blank += 1
        return f"_:b{self.blank}"

    def node(self, expression: Expression) -> str:
        if isinstance(expression, str):
            return expression
        node = self.fresh()
        if expression[0] == "some":
            filler = self.node(expression[2])
            self.triples += [
                (node, TYPE, OWL + "Restriction"),
                (node, OWL + "onProperty", expression[1]),
                (node, OWL + "someValuesFrom", filler),
            ]
        else:
            members = self.list(expression[1:])
            prop = INTERSECTION if expression[0] == "and" else UNION
            self.triples += [(node, TYPE, OWL + "Class"), (node, prop, members)]
        return node

    def list(self, members: Iterable[Expression]) -> str:
        rest = RDF + "nil"
        for member in reversed(list(members)):
            cell = self.fresh()
            self.triples += [(cell, RDF + "first", self.node(member)), (cell, RDF + "rest", rest)]
            rest = cell
        return rest


def triples_of(content: Content) -> list[Triple]:
    return TripleWriter(content).triples


def in_functional_syntax(content: Content, seed: int) -> bytes:
    def one(expression: Expression) -> str:
        if isinstance(expression, str):
            return f"<{expression}>"
        if expression[0] == "some":
            return f"ObjectSomeValuesFrom(<{expression[1]}> {one(expression[2])})"
        word = "ObjectIntersectionOf" if expression[0] == "and" else "ObjectUnionOf"
        return f"{word}({' '.join(map(one, expression[1:]))})"

    def literal(value: Literal) -> str:
        text = value.text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"' + (
            f"@{value.language}" if value.language else f"^^<{value.datatype}>" * bool(value.datatype)
        )

    def individual(name: str) -> str:
        return name if name.startswith("_:") else f"<{name}>"

    axioms = [f"Declaration(Class(<{name}>))" for name in content.declared]
    axioms += [f"SubClassOf({one(a)} {one(b)})" for a, b in content.subclasses]
    axioms += [f"EquivalentClasses({one(a)} {one(b)})" for a, b in content.equivalences]
    axioms += [f"DisjointUnion(<{a}> {' '.join(map(one, members))})" for a, members in content.partitions]
    axioms += [f"ClassAssertion({one(kind)} {individual(a)})" for a, kind in content.types]
    axioms += [f"SameIndividual({individual(a)} {individual(b)})" for a, b in content.same]
    axioms += [f"AnnotationAssertion(<{p}> <{a}> {literal(v)})" for a, p, v in content.literals]
    axioms += [f"AnnotationAssertion(<{p}> <{a}> <{b}>)" for a, p, b in content.annotations]
    axioms += [f"ObjectPropertyAssertion(<{p}> {individual(a)} {individual(b)})" for a, p, b in content.facts]
    axioms += [f"DataPropertyAssertion(<{p}> {individual(a)} {literal(v)})" for a, p, v in content.values]
    random.Random(seed).shuffle(axioms)
    return "\n".join([f"Prefix(owl:=<{OWL}>)", f"Ontology(<{EX}ontology>", *axioms, ")"]).encode()


def in_owl_xml(content: Content, seed: int) -> bytes:
    def one(expression: Expression) -> str:
        if isinstance(expression, str):
            return f"<Class IRI={quoteattr(expression)}/>"
        if expression[0] == "some":
            prop = f"<ObjectProperty IRI={quoteattr(expression[1])}/>"
            return f"<ObjectSomeValuesFrom>{prop}{one(expression[2])}</ObjectSomeValuesFrom>"
        word = "ObjectIntersectionOf" if expression[0] == "and" else "ObjectUnionOf"
        return f"<{word}>{''.join(map(one, expression[1:]))}</{word}>"

    def literal(value: Literal) -> str:
        tail = f' xml:lang="{value.language}"' if value.language else f' datatypeIRI="{value.datatype}"'
        text = escape(value.text, {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})
        return f"<Literal{tail if value.language or value.datatype else ''}>{text}</Literal>"

    def individual(name: str) -> str:
        if name.startswith("_:"):
            return f'<AnonymousIndividual nodeID="{name}"/>'
        return f"<NamedIndividual IRI={quoteattr(name)}/>"

    def about(prop: str, subject: str) -> str:
        return f"<AnnotationProperty IRI={quoteattr(prop)}/><IRI>{escape(subject)}</IRI>"

    def axiom(word: str, *parts: str) -> str:
        return f"<{word}>{''.join(parts)}</{word}>"

    axioms = [axiom("Declaration", one(name)) for name in content.declared]
    axioms += [axiom("SubClassOf", one(a), one(b)) for a, b in content.subclasses]
    axioms += [axiom("EquivalentClasses", one(a), one(b)) for a, b in content.equivalences]
    axioms += [axiom("DisjointUnion", one(a), *map(one, members)) for a, members in content.partitions]
    axioms += [axiom("ClassAssertion", one(kind), individual(a)) for a, kind in content.types]
    axioms += [axiom("SameIndividual", individual(a), individual(b)) for a, b in content.same]
    axioms += [axiom("AnnotationAssertion", about(p, a), literal(v)) for a, p, v in content.literals]
    axioms += [axiom("AnnotationAssertion", about(p, a), f"<IRI>{escape(b)}</IRI>") for a, p, b in content.annotations]
    for a, p, b in content.facts:
        prop = f"<ObjectProperty IRI={quoteattr(p)}/>"
        axioms.append(axiom("ObjectPropertyAssertion", prop, individual(a), individual(b)))
    for a, p, v in content.values:
        axioms.append(axiom("DataPropertyAssertion", f"<DataProperty IRI={quoteattr(p)}/>", individual(a), literal(v)))
    random.Random(seed).shuffle(axioms)
    head = f'<?xml version="1.0"?>\n<Ontology xmlns="{OWL}" ontologyIRI="{EX}ontology">\n'
    return (head + "\n".join(axioms) + "\n</Ontology>\n").encode()


def all_variants(
    content: Content, triples: list[Triple], seed: int, **options: object
) -> Iterator[tuple[str, Callable[[], oe.Ontology]]]:
    yield from rdf_variants(triples, seed, **options)
    functional, xml = in_functional_syntax(content, seed), in_owl_xml(content, seed)
    yield "functional syntax", lambda: oe.load_ontology(functional, **options)
    yield "OWL/XML", lambda: oe.load_ontology(xml, **options)


# A plain reading of the triples, after the text


@dataclass
class Reading:
    concepts: set[str]
    edges: set[tuple[str, str]]  # child, parent; a self-edge may be among them
    synonyms: set[frozenset[str]]
    related: set[frozenset[str]]
    labels: set[tuple[str, str, str, str]]  # concept, text, language, role
    instances: set[tuple[str, str]]
    aliases: dict[str, str]
    thing: str = THING


LABEL_ROLES = {
    RDFS + "label": "preferred",
    SKOS + "prefLabel": "preferred",
    SKOS + "altLabel": "alternative",
    SKOS + "hiddenLabel": "hidden",
    OIO + "hasExactSynonym": "exact",
    OIO + "hasNarrowSynonym": "narrow",
    OIO + "hasBroadSynonym": "broad",
    OIO + "hasRelatedSynonym": "related",
    DCT + "title": "title",
    "http://schema.org/name": "title",
}
XL_ROLES = {XL + "prefLabel": "preferred", XL + "altLabel": "alternative", XL + "hiddenLabel": "hidden"}


class Facts:
    """Random access to triples."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self.triples = set(triples)

    def pairs(self, *properties: str) -> set[tuple[str, str]]:
        return {(s, o) for s, p, o in self.triples if p in properties and isinstance(o, str)}

    def objects(self, subject: str, prop: str) -> set[str]:
        return {o for s, o in self.pairs(prop) if s == subject}

    def literals(self, *properties: str) -> set[tuple[str, str, Literal]]:
        return {(s, p, o) for s, p, o in self.triples if p in properties and isinstance(o, Literal)}

    def typed(self, *kinds: str) -> set[str]:
        return {s for s, o in self.pairs(TYPE) if o in kinds}

    def deprecated(self) -> set[str]:
        deprecated = self.typed(OWL + "DeprecatedClass")
        return deprecated | {s for s, _, value in self.literals(OWL + "deprecated") if value.text == "true"}

    def labels(self, concepts: set[str]) -> set[tuple[str, str, str, str]]:
        rows = {(s, v.text, v.language.lower(), LABEL_ROLES[p]) for s, p, v in self.literals(*LABEL_ROLES)}
        forms = self.literals(XL + "literalForm")
        for prop, role in XL_ROLES.items():
            for concept, node in self.pairs(prop):
                rows |= {(concept, v.text, v.language.lower(), role) for s, _, v in forms if s == node}
        rows = {row for row in rows if row[0] in concepts}
        labelled = {row[0] for row in rows}
        return rows | {(concept, CLASSES[concept], "", "name") for concept in concepts - labelled}

    def list(self, head: str) -> set[str]:
        """The members of a list; a broken or circular one has those that can be reached."""
        cells, waiting = set(), {head}
        while waiting:
            cell = waiting.pop()
            cells.add(cell)
            waiting |= self.objects(cell, RDF + "rest") - cells
        return {member for cell in cells for member in self.objects(cell, RDF + "first")}

    def nested(self, expression: str, prop: str) -> set[str]:
        """The members of an intersection or union and of those anonymous ones inside it."""
        done: set[str] = set()
        result: set[str] = set()
        waiting = {expression}
        while waiting:
            one = waiting.pop()
            done.add(one)
            for head in self.objects(one, prop):
                members = self.list(head)
                result |= members
                waiting |= {member for member in members if member.startswith("_:")} - done
        return result


def is_class_name(name: str) -> bool:
    return not name.startswith(("_:", RDF, RDFS, OWL, XSD))


def between(pairs: Iterable[tuple[str, str]], concepts: set[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in pairs if set(pair) <= concepts and pair[0] != pair[1]}


def read_owl_plainly(
    triples: Iterable[Triple], *, relations: tuple[str, ...] = (), deprecated: bool = False
) -> Reading:
    facts = Facts(triples)
    same = {pair for pair in facts.pairs(EQUIVALENT) if all(map(is_class_name, pair))}
    edges = asserted_edges(facts, set(relations)) | (facts.pairs(*relations) if relations else set())
    edges = {edge for edge in edges if all(map(is_class_name, edge))}
    concepts = facts.typed(OWL + "Class", RDFS + "Class", OWL + "DeprecatedClass")
    concepts |= {name for pair in facts.pairs(SUBCLASS) for name in pair} | {name for edge in edges for name in edge}
    concepts = {name for name in concepts if is_class_name(name)}
    concepts -= set() if deprecated else facts.deprecated()
    edges |= same | {(b, a) for a, b in same}
    return Reading(
        concepts=concepts,
        edges={edge for edge in edges if set(edge) <= concepts},
        synonyms=between(same | facts.pairs(OWL + "sameAs", SKOS + "exactMatch"), concepts),
        related=between(facts.pairs(SKOS + "related", SKOS + "relatedMatch"), concepts),
        labels=facts.labels(concepts),
        instances=_instances(facts, concepts),
        aliases=_aliases(facts, concepts),
    )


def asserted_edges(facts: Facts, relations: set[str]) -> set[tuple[str, str]]:
    """(child, parent) of subClassOf and of class expressions, nameless and built-in classes still among them."""

    def one(expression: str) -> set[str]:
        """A named class itself; of a restriction on a chosen relation its filler."""
        if not expression.startswith("_:"):
            return {expression}
        relation = facts.objects(expression, OWL + "onProperty") & relations
        return facts.objects(expression, OWL + "someValuesFrom") if relation else set()

    def superclasses(expression: str) -> set[str]:
        classes = one(expression)
        for member in facts.nested(expression, INTERSECTION) if expression.startswith("_:") else ():
            classes |= one(member)
        return classes

    edges = {(child, above) for child, parent in facts.pairs(SUBCLASS) for above in superclasses(parent)}
    for pair in facts.pairs(EQUIVALENT):
        for named, other in (pair, pair[::-1]):
            if other.startswith("_:"):
                edges |= {(named, above) for above in superclasses(other)}
                edges |= {(member, named) for member in facts.nested(other, UNION)}
    # directly on a class; that it is among its own members says nothing
    for subject in {s for s, _ in facts.pairs(INTERSECTION)}:
        for member in facts.nested(subject, INTERSECTION) - {subject}:
            edges |= {(subject, above) for above in one(member)}
    for subject in {s for s, _ in facts.pairs(UNION)}:
        edges |= {(member, subject) for member in facts.nested(subject, UNION) - {subject}}
    for subject, head in facts.pairs(OWL + "disjointUnionOf"):
        edges |= {(member, subject) for member in facts.list(head)}
    return edges


def read_skos_plainly(
    triples: Iterable[Triple],
    *,
    transitive: bool = False,
    mappings: bool = False,
    close_match: bool = False,
    deprecated: bool = False,
) -> Reading:
    facts = Facts(triples)
    up = ["broader"] + ["broaderTransitive"] * transitive + ["broadMatch"] * mappings
    down = ["narrower"] + ["narrowerTransitive"] * transitive + ["narrowMatch"] * mappings
    edges = facts.pairs(*(SKOS + word for word in up))
    edges |= {(child, parent) for parent, child in facts.pairs(*(SKOS + word for word in down))}
    others = facts.typed(*(SKOS + word for word in ("ConceptScheme", "Collection", "OrderedCollection")))
    edges = {edge for edge in edges if not set(edge) & others and all(map(is_class_name, edge))}
    concepts = facts.typed(SKOS + "Concept") | {name for edge in edges for name in edge}
    concepts |= {concept for concept, _ in facts.pairs(SKOS + "topConceptOf")}
    concepts |= {concept for _, concept in facts.pairs(SKOS + "hasTopConcept")}
    concepts = {name for name in concepts - others if is_class_name(name)}
    concepts -= set() if deprecated else facts.deprecated()
    same = facts.pairs(SKOS + "exactMatch", OWL + "sameAs", *[SKOS + "closeMatch"] * close_match)
    return Reading(
        concepts=concepts,
        edges={edge for edge in edges if set(edge) <= concepts},
        synonyms=between(same, concepts),
        related=between(facts.pairs(SKOS + "related", SKOS + "relatedMatch"), concepts),
        labels=facts.labels(concepts),
        instances=_instances(facts, concepts),
        aliases=_aliases(facts, concepts),
        thing="(root)",
    )


def _instances(facts: Facts, concepts: set[str]) -> set[tuple[str, str]]:
    placed = facts.pairs(TYPE, DCT + "subject")
    return {(name, concept) for name, concept in placed if concept in concepts and not name.startswith("_:")}


def _aliases(facts: Facts, concepts: set[str]) -> dict[str, str]:
    keys: dict[str, str] = {}
    for concept, _, value in facts.literals(OIO + "hasAlternativeId"):
        former = OBO + value.text.replace(":", "_")
        if concept in concepts and former not in concepts:
            keys[former] = min(concept, keys.get(former, concept))
    return keys


def reaches(edges: set[tuple[str, str]], start: str) -> set[str]:
    """Everything above `start` over at least one edge."""
    names: set[str] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        for child, parent in edges:
            if child == here and parent not in names:
                names.add(parent)
                waiting.append(parent)
    return names


def assert_reads_as(ontology: oe.Ontology, reading: Reading) -> None:
    """The ontology is what the plain reading says, with the root that the root rule asks for."""
    hierarchy = ontology.hierarchy
    iris = hierarchy.iris
    loops = {child for child, parent in reading.edges if child == parent}
    edges = {edge for edge in reading.edges if edge[0] != edge[1]}
    above = {concept: reaches(edges, concept) for concept in reading.concepts}
    # a top is a concept, or a whole cycle, with no parent outside itself: all that it reaches also reach it
    tops = {c for c in reading.concepts if all(c in above[a] for a in above[c])}
    added = len(tops) != 1
    root = reading.thing if added else next(iter(tops))
    attached = tops if added else set()

    assert hierarchy.has_root
    assert hierarchy.root_added == added
    assert set(iris) == reading.concepts | {root}
    assert len(iris) == len(set(iris))
    assert iris[0] == root
    assert {iris[c] for c in hierarchy.attached.tolist()} == attached
    assert {iris[c] for c in hierarchy.self_edges.tolist()} == loops
    up = [(iris[a], iris[b]) for a, b in zip(hierarchy.parents.tails, hierarchy.parents.indices, strict=True)]
    assert len(up) == len(set(up))
    assert set(up) == edges | {(top, root) for top in attached}
    down = [(iris[a], iris[b]) for a, b in zip(hierarchy.children.tails, hierarchy.children.indices, strict=True)]
    assert sorted(down) == sorted((b, a) for a, b in up)
    for adjacency, pairs in ((hierarchy.synonyms, reading.synonyms), (hierarchy.related, reading.related)):
        ends = [(iris[a], iris[b]) for a, b in zip(adjacency.tails, adjacency.indices, strict=True)]
        assert sorted(ends) == sorted(order for pair in pairs for order in (tuple(pair), tuple(pair)[::-1]))
    assert set(hierarchy.parents.weights.tolist()) <= {1.0}
    assert set(hierarchy.related.weights.tolist()) <= {1.0}
    assert set(hierarchy.synonyms.weights.tolist()) <= {0.0}
    assert_numbered_downwards(hierarchy)

    lexicon = ontology.lexicon
    rows = zip(lexicon.concepts.tolist(), lexicon.texts, lexicon.languages, lexicon.roles.tolist(), strict=True)
    labels = [(iris[concept], text, language, ROLES[role]) for concept, text, language, role in rows]
    assert sorted(labels) == sorted(reading.labels)
    placed = set()
    if ontology.instances is not None:
        matrix = ontology.instances.strength.tocoo()
        placed = {(ontology.instances.iris[i], iris[c]) for i, c in zip(matrix.row, matrix.col, strict=True)}
        assert set(matrix.data.tolist()) == {1.0}
    assert placed == reading.instances
    assert dict(ontology.aliases) == reading.aliases


def assert_numbered_downwards(hierarchy: Hierarchy) -> None:
    """Parents before children, cycle members side by side."""
    parts = np.split(np.arange(len(hierarchy)), hierarchy.first[1:-1])
    up = {(int(a), int(b)) for a, b in zip(hierarchy.parents.tails, hierarchy.parents.indices, strict=True)}
    above = {c: reaches(up, c) for c in range(len(hierarchy))}
    for part in (set(part.tolist()) for part in parts):
        for concept in part:
            mates = {c for c in above[concept] if concept in above[c]} | {concept}
            assert mates == part
            assert all(parent < min(part) for parent in above[concept] - part)


# Random content

texts = st.text(st.sampled_from("aBé日𝒳 '\"\\<&>\n\t\r_%"), min_size=1, max_size=6)
languages = st.sampled_from(["", "en", "en-GB", "DE", "zh-Hans"])
names = st.sampled_from(NAMES)
classes = st.one_of(names, names, names, names, names, st.sampled_from([THING, NOTHING]))
label_properties = st.sampled_from([p for p in LABEL_ROLES if p != DCT + "title"])
literals = st.builds(Literal, texts, languages)


def up_to(number: int, *parts: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(st.tuples(*parts), max_size=number)


expressions = st.recursive(
    classes,
    lambda inner: st.one_of(
        st.tuples(st.just("and"), inner, inner),
        st.tuples(st.just("and"), inner, inner, inner),
        st.tuples(st.just("or"), inner, inner),
        st.tuples(st.just("some"), st.sampled_from([PART_OF, EX + "eats"]), inner),
    ),
    max_leaves=4,
)
true = Literal("true", "", XSD + "boolean")
false = Literal("false", "", XSD + "boolean")


@st.composite
def owl_contents(draw: st.DrawFn) -> Content:
    subclasses = draw(st.one_of(up_to(9, classes, classes), up_to(6, st.one_of(classes, expressions), expressions)))
    equivalences = draw(up_to(3, names, st.one_of(names, expressions)))
    literal_rows = draw(up_to(5, names, label_properties, literals))
    literal_rows += draw(up_to(2, names, st.just(OWL + "deprecated"), st.sampled_from([true, true, false])))
    former = st.builds(Literal, st.sampled_from(["X:1", "X:2"]))
    literal_rows += draw(up_to(2, names, st.just(OIO + "hasAlternativeId"), former))
    partitions = draw(st.lists(st.tuples(names, st.lists(names, min_size=2, max_size=3)), max_size=1))
    defined = [one for pair in equivalences for one in pair if isinstance(one, str)] + [one for one, _ in partitions]
    return Content(
        declared=sorted({*draw(st.lists(names, min_size=1, max_size=5)), *draw(st.sampled_from([defined, []]))}),
        subclasses=subclasses,
        equivalences=[pair for pair in equivalences if isinstance(pair[1], str) or draw(st.booleans())],
        partitions=partitions,
        types=draw(up_to(4, st.sampled_from(INDIVIDUALS), st.one_of(names, expressions))),
        same=draw(up_to(2, names, names)),
        literals=literal_rows,
        annotations=draw(up_to(2, names, st.sampled_from([SKOS + "related", SKOS + "exactMatch"]), names))
        + draw(up_to(2, st.sampled_from([EX + "doc1", EX + "doc2"]), st.just(DCT + "subject"), names)),
    )


def has_a_concept(triples: list[Triple]) -> bool:
    return bool(read_owl_plainly(triples).concepts)


seeds = st.integers(0, 2**32 - 1)


@several
@pytest.mark.slow
@given(owl_contents(), seeds)
@example(Content(declared=[NAMES[0]], subclasses=[(NAMES[0], NAMES[0])]), 0)
@example(Content(declared=[NAMES[0]], equivalences=[(NAMES[0], NAMES[1]), (NAMES[1], NAMES[0])]), 0)
def test_owl_in_every_syntax_and_order_is_the_same_ontology(content: Content, seed: int) -> None:
    triples = triples_of(content)
    if not has_a_concept(triples):
        return
    assert_all_same(all_variants(content, triples, seed))


@several
@given(owl_contents(), seeds, st.booleans(), st.booleans())
def test_owl_hierarchy_is_that_of_a_plain_reading(content: Content, seed: int, keep: bool, with_relation: bool) -> None:
    triples = triples_of(content)
    relations = (PART_OF,) if with_relation else ()
    reading = read_owl_plainly(triples, relations=relations, deprecated=keep)
    if not reading.concepts:
        return
    data = ntriples(shuffled(triples, seed))
    assert_reads_as(oe.load_ontology(data, relations=relations, deprecated=keep), reading)


blanks = st.sampled_from(["_:x", "_:y", "_:z", "_:v"])
nodes = st.one_of(classes, blanks, st.just(RDF + "nil"))
wild_triples = st.lists(
    st.one_of(
        st.tuples(nodes, st.sampled_from([SUBCLASS, EQUIVALENT]), nodes),
        st.tuples(blanks, st.sampled_from([INTERSECTION, UNION, RDF + "first", RDF + "rest"]), nodes),
        st.tuples(names, st.sampled_from([INTERSECTION, UNION]), blanks),
        st.tuples(blanks, st.sampled_from([OWL + "onProperty"]), st.sampled_from([PART_OF, EX + "eats"])),
        st.tuples(blanks, st.sampled_from([OWL + "someValuesFrom"]), nodes),
        st.tuples(nodes, st.just(TYPE), st.sampled_from([OWL + "Class", RDFS + "Class", OWL + "DeprecatedClass"])),
    ),
    min_size=1,
    max_size=20,
)


@several
@given(wild_triples, seeds, st.booleans())
def test_no_list_is_too_broken_for_the_plain_reading(triples: list[Triple], seed: int, with_relation: bool) -> None:
    """Lists that fork, run in circles, end nowhere, share cells or are no lists at all."""
    defining = {s for s, p, _ in triples if p in (INTERSECTION, UNION)}
    defining |= {end for s, p, o in triples if p == EQUIVALENT for end in (s, o)}
    triples = [*triples, *((name, TYPE, OWL + "Class") for name in sorted(defining) if is_class_name(name))]
    relations = (PART_OF,) if with_relation else ()
    reading = read_owl_plainly(triples, relations=relations)
    if not reading.concepts:
        return
    ontology = oe.load_ontology(ntriples(shuffled(triples, seed)), relations=relations)
    assert_reads_as(ontology, reading)


# SKOS

SCHEMES = [EX + "scheme1", EX + "scheme2"]
COLLECTIONS = [EX + "collection1"]


@st.composite
def skos_contents(draw: st.DrawFn) -> Content:
    """SKOS as OWL tools see it: concepts are individuals, broader is an object property."""
    declared = draw(st.lists(names, min_size=1, max_size=7))
    upwards = [
        "broader",
        "broader",
        "broader",
        "narrower",
        "narrower",
        "broaderTransitive",
        "narrowMatch",
        "broadMatch",
    ]
    beside = ["related", "exactMatch", "closeMatch", "relatedMatch", "narrowerTransitive"]
    labels = draw(up_to(5, names, label_properties, literals))
    labels += draw(up_to(2, names, st.just(OWL + "deprecated"), st.sampled_from([true, false])))
    facts = draw(up_to(9, names, st.sampled_from([SKOS + word for word in upwards]), names))
    facts += draw(up_to(3, names, st.sampled_from([SKOS + word for word in beside]), names))
    facts += draw(up_to(2, names, st.just(SKOS + "topConceptOf"), st.sampled_from(SCHEMES)))
    facts += draw(up_to(2, st.sampled_from(SCHEMES), st.just(SKOS + "hasTopConcept"), names))
    facts += draw(up_to(1, names, st.just(SKOS + "broader"), st.sampled_from(SCHEMES + COLLECTIONS)))
    facts += draw(up_to(2, st.sampled_from(COLLECTIONS), st.just(SKOS + "member"), names))
    facts += draw(up_to(2, st.sampled_from([EX + "doc1", EX + "doc2"]), st.just(DCT + "subject"), names))
    nodes_of_labels = st.sampled_from([EX + "label", "_:l1", "_:l2"])
    facts += draw(up_to(3, names, st.sampled_from(list(XL_ROLES)), nodes_of_labels))
    types = [(name, SKOS + "Concept") for name in declared]
    types += [(name, SKOS + "ConceptScheme") for name in SCHEMES]
    types += [(name, SKOS + draw(st.sampled_from(["Collection", "OrderedCollection"]))) for name in COLLECTIONS]
    values = draw(up_to(3, nodes_of_labels, st.just(XL + "literalForm"), literals))
    return Content(types=types, facts=facts, literals=labels, values=values)


@several
@pytest.mark.slow
@given(skos_contents(), seeds)
@example(
    Content(
        types=[(NAMES[0], SKOS + "Concept"), (NAMES[1], SKOS + "Concept")],
        facts=[(NAMES[0], SKOS + "broader", NAMES[1])],
    ),
    0,
)
def test_skos_in_every_syntax_and_order_is_the_same_ontology(content: Content, seed: int) -> None:
    triples = triples_of(content)
    if not read_skos_plainly(triples).concepts:
        return
    assert_all_same(all_variants(content, triples, seed))


@several
@given(skos_contents(), seeds, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_skos_hierarchy_is_that_of_a_plain_reading(
    content: Content, seed: int, transitive: bool, mappings: bool, close_match: bool, deprecated: bool
) -> None:
    triples = triples_of(content)
    options = {
        "transitive": transitive,
        "mappings": mappings,
        "close_match": close_match,
        "deprecated": deprecated,
    }
    reading = read_skos_plainly(triples, **options)
    if not reading.concepts:
        return
    assert_reads_as(oe.load_ontology(ntriples(shuffled(triples, seed)), **options), reading)


# OBO, OBO Graphs and OWL of the same ontology

TERMS = ["X:1", "X:2", "X:3", "Y:4", "Y:5"]
SCOPES = {"EXACT": "hasExactSynonym", "NARROW": "hasNarrowSynonym", "BROAD": "hasBroadSynonym"}
SCOPES |= {"RELATED": "hasRelatedSynonym"}
obo_texts = st.text(st.sampled_from("abCé日 -'"), min_size=1, max_size=8).map(str.strip).filter(bool)


@dataclass(frozen=True)
class Obo:
    names: dict[str, str]  # terms, with their names, "" without one
    is_a: list[tuple[str, str]]
    synonyms: list[tuple[str, str, str]]
    obsolete: list[str]
    former: list[tuple[str, str]]


@st.composite
def obo_contents(draw: st.DrawFn) -> Obo:
    named = draw(st.dictionaries(st.sampled_from(TERMS), st.one_of(obo_texts, st.just("")), min_size=1))
    term = st.sampled_from(sorted(named))
    return Obo(
        named,
        draw(st.lists(st.tuples(term, st.sampled_from(TERMS)), max_size=8)),
        draw(st.lists(st.tuples(term, st.sampled_from(sorted(SCOPES)), obo_texts), max_size=4)),
        draw(st.lists(term, max_size=2, unique=True)),
        draw(st.lists(st.tuples(term, st.sampled_from(["Z:8", "Z:9"])), max_size=2, unique_by=lambda pair: pair[1])),
    )


def obo_iri(term: str) -> str:
    return OBO + term.replace(":", "_")


def in_obo(content: Obo, seed: int) -> bytes:
    stanzas = []
    for term, name in content.names.items():
        lines = [f"name: {name}"] if name else []
        lines += [f"is_a: {parent} ! a comment" for child, parent in content.is_a if child == term]
        lines += [f'synonym: "{text}" {scope} []' for of, scope, text in content.synonyms if of == term]
        lines += ["is_obsolete: true"] if term in content.obsolete else []
        lines += [f"alt_id: {former}" for of, former in content.former if of == term]
        random.Random(seed).shuffle(lines)
        stanzas.append("\n".join(["[Term]", f"id: {term}", *lines, "", ""]))
    random.Random(seed).shuffle(stanzas)
    return ("format-version: 1.4\nontology: x\n\n" + "".join(stanzas)).encode()


def in_obo_graphs(content: Obo, seed: int) -> bytes:
    nodes = []
    for term, name in content.names.items():
        meta: dict[str, object] = {"deprecated": True} if term in content.obsolete else {}
        meta["synonyms"] = [{"pred": SCOPES[s], "val": text} for of, s, text in content.synonyms if of == term]
        meta["basicPropertyValues"] = [
            {"pred": OIO + "hasAlternativeId", "val": former} for of, former in content.former if of == term
        ]
        nodes.append({"id": obo_iri(term), "type": "CLASS", "meta": meta} | ({"lbl": name} if name else {}))
    edges = [{"sub": obo_iri(child), "pred": "is_a", "obj": obo_iri(parent)} for child, parent in content.is_a]
    random.Random(seed).shuffle(nodes)
    random.Random(seed).shuffle(edges)
    return json.dumps({"graphs": [{"id": OBO + "x.owl", "nodes": nodes, "edges": edges}]}).encode()


def obo_as_owl(content: Obo, seed: int) -> bytes:
    triples: list[Triple] = [(obo_iri(term), TYPE, OWL + "Class") for term in content.names]
    triples += [(obo_iri(t), RDFS + "label", Literal(name)) for t, name in content.names.items() if name]
    triples += [(obo_iri(child), SUBCLASS, obo_iri(parent)) for child, parent in content.is_a]
    triples += [(obo_iri(of), OIO + SCOPES[scope], Literal(text)) for of, scope, text in content.synonyms]
    triples += [(obo_iri(term), OWL + "deprecated", true) for term in content.obsolete]
    triples += [(obo_iri(of), OIO + "hasAlternativeId", Literal(former)) for of, former in content.former]
    return ntriples(shuffled(triples, seed))


@several
@given(obo_contents(), seeds, st.booleans())
def test_obo_obo_graphs_and_owl_of_the_same_terms_agree(content: Obo, seed: int, deprecated: bool) -> None:
    mentioned = {*content.names, *(parent for _, parent in content.is_a)}
    if not deprecated and mentioned <= set(content.obsolete):
        return
    writers = {"OBO": in_obo, "OBO Graphs": in_obo_graphs, "OWL": obo_as_owl}

    def loading(writer: Callable[[Obo, int], bytes]) -> Callable[[], oe.Ontology]:
        return lambda: oe.load_ontology(writer(content, seed), deprecated=deprecated)

    assert_all_same((name, loading(writer)) for name, writer in writers.items())
    ontology = oe.load_ontology(in_obo(content, seed), deprecated=deprecated)
    kept = mentioned - (set() if deprecated else set(content.obsolete))
    added = {THING} if ontology.hierarchy.root_added else set()
    assert set(ontology.hierarchy.iris) == {obo_iri(term) for term in kept} | added


# Plain names: TSV, JSON pairs, networkx, from_edges

WORDS = ["car", "Car", "motor bike", "café au lait", "3D printer", "rock'n'roll", '"quoted"', "a, b", "日本", "x_y-Z"]
words = st.sampled_from(WORDS)


@several
@given(st.lists(st.tuples(words, words), min_size=1, max_size=14), seeds)
def test_tables_pairs_graphs_and_edges_of_plain_names_agree(edges: list[tuple[str, str]], seed: int) -> None:
    order = list(edges)
    random.Random(seed).shuffle(order)
    table = "".join(f"{child}\t {parent} \r\n" for child, parent in order).encode()
    swapped = "".join(f"{parent}\t{child}\n" for child, parent in order).encode()
    numbered = "".join(f"{n}\t{child}\t{parent}\n" for n, (child, parent) in enumerate(order)).encode()
    pairs = json.dumps([{"parent": parent, "child": child} for child, parent in order]).encode()
    graph = nx.DiGraph(order)
    multi = nx.MultiDiGraph(order + edges)
    assert_all_same(
        [
            ("from_edges", lambda: oe.Ontology.from_edges(edges)),
            ("from_edges, shuffled", lambda: oe.Ontology.from_edges(order)),
            ("TSV", lambda: oe.load_ontology(table)),
            ("TSV with a header", lambda: oe.load_ontology(b"child\tparent\n" + table)),
            ("TSV, parent first", lambda: oe.load_ontology(swapped, columns="parent,child")),
            ("TSV with ids", lambda: oe.load_ontology(numbered)),
            ("JSON pairs", lambda: oe.load_ontology(pairs)),
            ("networkx", lambda: oe.load_ontology(graph)),
            ("networkx, several edges", lambda: oe.load_ontology(multi)),
            ("from_networkx", lambda: oe.Ontology.from_networkx(graph)),
            ("to_networkx", lambda: oe.Ontology.from_networkx(oe.Ontology.from_edges(edges).to_networkx())),
        ]
    )
    texts = oe.load_ontology(table).lexicon.texts
    assert set(texts) == {name for edge in edges for name in edge}  # a plain name is its own label, unchanged


@several
@given(
    st.lists(st.tuples(words, words, st.sampled_from([0.0, 0.5, 1.0, 2.5, 1e-9])), min_size=1, max_size=10),
    st.sampled_from([None, {"hierarchical": 3.0}]),
)
def test_weighted_tables_graphs_and_edges_agree(
    edges: list[tuple[str, str, float]], weights: dict[str, float] | None
) -> None:
    table = "".join(f"{child}\t{parent}\t{weight}\n" for child, parent, weight in edges).encode()
    lightest: dict[tuple[str, str], float] = {}
    for child, parent, weight in edges:
        lightest[child, parent] = min(weight, lightest.get((child, parent), weight))
    graph = nx.DiGraph()
    graph.add_weighted_edges_from((child, parent, weight) for (child, parent), weight in lightest.items())
    assert_all_same(
        [
            ("from_edges", lambda: oe.Ontology.from_edges(edges, weights=weights)),
            ("TSV", lambda: oe.load_ontology(table, columns="child,parent,weight", weights=weights)),
            ("networkx", lambda: oe.load_ontology(graph, weights=weights)),
        ]
    )
    hierarchy = oe.load_ontology(table, columns="child,parent,weight", weights=weights).hierarchy
    root_weight = 1.0 if weights is None else weights["hierarchical"]
    edge_weights = {}
    rows = zip(hierarchy.parents.tails, hierarchy.parents.indices, hierarchy.parents.weights, strict=True)
    for tail, head, weight in rows:
        edge_weights[hierarchy.iris[tail], hierarchy.iris[head]] = weight
    root = {(hierarchy.iris[c], hierarchy.iris[0]): root_weight for c in hierarchy.attached.tolist()}
    assert edge_weights == {pair: weight for pair, weight in lightest.items() if pair[0] != pair[1]} | root


# Every source by name, on one fixed ontology

FIXED = Content(
    declared=NAMES[:5],
    subclasses=[(NAMES[0], NAMES[1]), (NAMES[1], NAMES[2]), (NAMES[2], ("and", NAMES[3], ("some", PART_OF, NAMES[4])))],
    literals=[(NAMES[0], RDFS + "label", Literal("Auto", "de"))],
    types=[(EX + "i1", NAMES[0])],
)


def test_a_path_an_open_file_and_the_other_compressions_give_the_same(tmp_path: Path) -> None:
    import bz2
    import lzma
    import zipfile

    data = ntriples(triples_of(FIXED))
    (tmp_path / "x.nt").write_bytes(data)
    (tmp_path / "x.owl").write_bytes(data)  # the content says what it is
    (tmp_path / "x.nt.bz2").write_bytes(bz2.compress(data))
    (tmp_path / "x.xz").write_bytes(lzma.compress(data))
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("x.nt", data)
    marked = b"\xef\xbb\xbf" + data
    variants = [(path.name, path) for path in sorted(tmp_path.iterdir())]
    variants += [
        ("as text", str(tmp_path / "x.nt")),
        ("with a byte order mark", marked),
        ("bytearray", bytearray(data)),
    ]
    assert_all_same((name, lambda source=source: oe.load_ontology(source)) for name, source in variants)
    with open(tmp_path / "x.nt", "rb") as stream:
        assert picture(oe.load_ontology(stream)) == picture(oe.load_ontology(data))


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (b"<urn:a> <SUB> <urn:b> .\n", "nt"),
        (b"<a:b> <SUB> <urn:b> .\n", "nt"),
        (b"# a comment\n\n<urn:a> <SUB> <urn:b> .\n<urn:c> <SUB> <urn:b> .\n", "nt"),
        (b"_:x <SUB> <urn:b> .\n<urn:a> <SUB> <urn:b> .\n", "nt"),
        (b"<urn:a> a <http://www.w3.org/2002/07/owl#Class> ; <SUB> <urn:b> .", "turtle"),
        (b"<urn:a> <SUB> <urn:b> <urn:g> .\n", "nquads"),
        (b"<urn:g> { <urn:a> <SUB> <urn:b> }", "trig"),
        (b'[{"@id":"urn:a","SUB":[{"@id":"urn:b"}]}]', "json-ld"),
        (b'[ { "@id": "urn:a", "SUB": { "@id": "urn:b" } } ]', "json-ld"),
        (b'{"@id":"urn:a","SUB":[{"@id":"urn:b"}]}', "json-ld"),
        (b'{"@graph": [{"@id":"urn:a","SUB":[{"@id":"urn:b"}]}]}', "json-ld"),
        (b'{"@context": {"s": "SUB"}, "@id":"urn:a","s":{"@id":"urn:b"}}', "json-ld"),
        (b"[] a <http://www.w3.org/2002/07/owl#Ontology> . <urn:a> <SUB> <urn:b> .", "turtle"),
        (b"( <urn:x> ) <urn:p> <urn:q> . <urn:a> <SUB> <urn:b> .", "turtle"),
        (b"{ <urn:a> <SUB> <urn:b> }", "trig"),
    ],
)
def test_the_first_characters_of_a_file_do_not_mislead(data: bytes, format: str) -> None:
    ontology = oe.load_ontology(data.replace(b"SUB", SUBCLASS.encode()))
    assert ontology.source.format == format
    assert "urn:b" in ontology.hierarchy.iris


@pytest.mark.parametrize("late", ["<{a}> <{sub}> <{b}> <urn:g> .\n", "<urn:g> {{ <{a}> <{sub}> <{b}> }}\n"])
def test_a_graph_may_be_named_late_in_a_long_file(late: str) -> None:
    """Without a suffix the beginning of N-Quads or TriG may look like N-Triples or Turtle."""
    lines = [f"<{EX}c{number}> <{SUBCLASS}> <{EX}top> .\n" for number in range(1000)]
    if "{{" in late:
        lines.insert(0, f"@prefix ex: <{EX}> .\n")
    data = "".join([*lines, late.format(a=EX + "last", sub=SUBCLASS, b=EX + "top")]).encode()
    assert len(oe.load_ontology(data).hierarchy) == 1002


def test_no_file_is_left_open(tmp_path: Path) -> None:
    """Neither after a load nor after an error, however the file came."""
    import warnings
    import zipfile

    data = ntriples(triples_of(FIXED))
    (tmp_path / "x.nt").write_bytes(data)
    (tmp_path / "x.nt.gz").write_bytes(gzip.compress(data))
    (tmp_path / "x.owl").write_bytes(in_ox(data, ox.RdfFormat.RDF_XML))
    (tmp_path / "x.owx").write_bytes(in_owl_xml(FIXED, 0))
    (tmp_path / "x.tsv").write_bytes(b"a\tb\n")
    (tmp_path / "x.jsonld").write_bytes(in_ox(data, ox.RdfFormat.JSON_LD))
    (tmp_path / "latin.owl").write_bytes(b'<?xml version="1.0" encoding="latin1"?>' + in_ox(data, ox.RdfFormat.RDF_XML))
    (tmp_path / "cut.nt").write_bytes(data[:-20])
    (tmp_path / "cut.owl").write_bytes(in_ox(data, ox.RdfFormat.RDF_XML)[:-20])
    (tmp_path / "cut.nt.gz").write_bytes(gzip.compress(data)[:-20])
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("x.nt", data)
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("x.nt", data)
        archive.writestr("y.nt", data)
    gc.collect()
    gc.freeze()  # only what is made from here on is collected below
    for source in [*sorted(tmp_path.iterdir()), io.BytesIO(data)]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with suppress(LoadError):
                oe.load_ontology(source)
            gc.collect()
        assert [str(warning.message) for warning in caught] == [], source


def test_a_dataset_with_named_graphs_is_merged() -> None:
    triples = triples_of(FIXED)
    dataset = rdflib.Dataset()
    for number, part in enumerate((triples[::2], triples[1::2])):
        graph = dataset.graph(rdflib.URIRef(f"{EX}g{number}"))
        for triple in part:
            if not any(isinstance(term, str) and term.startswith("_:") for term in triple):
                graph += rdflib_graph(ntriples([triple]))
    plain = [t for t in triples if not any(isinstance(term, str) and term.startswith("_:") for term in t)]
    assert picture(oe.load_ontology(dataset)) == picture(oe.load_ontology(ntriples(plain)))


@pytest.mark.parametrize("format", ["turtle", "xml"])
def test_the_fixed_ontology_reads_as_expected(format: str) -> None:
    data = rdflib_graph(ntriples(triples_of(FIXED))).serialize(format=format, encoding="utf-8")
    assert_reads_as(oe.load_ontology(data), read_owl_plainly(triples_of(FIXED)))
    edges = {(NAMES[0], NAMES[1]), (NAMES[1], NAMES[2]), (NAMES[2], NAMES[3])}
    assert read_owl_plainly(triples_of(FIXED)).edges == edges
