"""OBO files: `is_obo`, `read_obo`, `OboReader`: is_a, relationship, synonym lines to `Facts` (ids: obo_ids.py)."""

from __future__ import annotations

import io
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from ontoeval.errors import LoadError, number_of
from ontoeval.load.input import Input
from ontoeval.load.ontologies.facts import Facts, unused_relation
from ontoeval.load.ontologies.format import Fit, Head
from ontoeval.load.ontologies.obo_ids import IRI_SCHEMES, NO_CONCEPTS, NOT_IN_IRI, SPACES, UNNAMED, add_aliases, expand
from ontoeval.load.options import LoadOptions
from ontoeval.load.terms import OBO, RDFS, SUBCLASS

SCOPES = {"EXACT": "exact", "NARROW": "narrow", "BROAD": "broad", "RELATED": "related"}

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "W": " "}

_FIRST_LINE = re.compile(
    r"(?:format-version|data-version|version|ontology|default-namespace|date|saved-by|auto-generated-by|import|subsetdef"
    r"|synonymtypedef|idspace|remark|property_value|default-relationship-id-prefix)\s*+:(?:\s|$)"
    r"|\[(?:Term|Typedef|Instance)\]"
)

_TYPEDEF_TAGS = ("name", "is_symmetric", "inverse_of", "domain", "range")

_Handlers = dict[str, Callable[[str], None]]


def is_obo(head: Head) -> Fit:
    return Fit.SURELY if _FIRST_LINE.match(head.first_line("!")) else Fit.NO


def read_obo(source: Input, options: LoadOptions) -> Facts:
    """Read an OBO file."""
    reader = OboReader(options)
    reader.read(source)
    return reader.facts()


def parse_obo(
    lines: Iterable[str],
    *,
    path: str,
    relations: Sequence[str] = (),
    lenient: bool = False,
    other_relations: bool = False,
) -> Facts:
    """Read the lines of an OBO file.

    Only `is_a` makes a hierarchical edge, and those `relationship` lines whose relation is among `relations`:
    by its id (`part_of`), by an `xref` of its typedef (`BFO:0000050`) or by the IRI of either.
    `intersection_of`, `union_of` and `equivalent_to` are left out on purpose: releases state the named
    parents as `is_a` too, and so the edges are those that every other reader of the format counts.

    An `alt_id` that is also a live term of the file stays that term. What is malformed is an error, or, if
    `lenient`, skipped and counted.

    `other_relations` keeps all other `relationship` lines, and domain, range, `is_symmetric` and `inverse_of` of
    typedefs. A typedef without a prefix that has an `xref` is called by that, as in OWL (`part_of` is BFO:0000050).
    """
    state = _State(relations, lenient, other_relations)
    state.read(lines, path)
    return state.finish()


class OboReader:
    """Reads a file and what it imports as if they were one; only what a header says of ids holds for its own file."""

    def __init__(self, options: LoadOptions) -> None:
        self._lenient = options.lenient
        self._state = _State(options.relations, options.lenient, options.other_relations)

    def read(self, source: Input) -> set[str]:
        """Read a file; the IRIs by which it can be imported."""
        return self._state.read(io.StringIO(source.read_text(lenient=self._lenient)), source.name)

    @property
    def imports(self) -> list[str]:
        """What the files read so far import."""
        return self._state.facts.imports

    def facts(self) -> Facts:
        """All that was read; nothing can be read after it."""
        return self._state.finish()


class _State:
    """The state between two lines: the stanza, what it describes, and what can only be settled at the end."""

    def __init__(self, relations: Sequence[str], lenient: bool, other_relations: bool) -> None:
        self.relations, self.lenient, self.other_relations = relations, lenient, other_relations
        self.facts = Facts(profile="owl")
        self.skipped = 0
        self.main: tuple[dict[str, str], str] | None = None  # id spaces and ontology of the first file
        self._begin("")
        self.claims: list[tuple[str, int]] = []
        self.related: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)  # by relation
        self.xrefs: defaultdict[str, list[str]] = defaultdict(list)  # of a relation
        self.typedefs: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)  # relation -> tags and values
        term: _Handlers = {
            "name": lambda value: self._label(_bare(value), "preferred"),
            "namespace": self._namespace,
            "synonym": self._synonym,
            **{f"{s.lower()}_synonym": partial(self._synonym, role=role) for s, role in SCOPES.items()},
            "is_a": self._is_a,
            "is_obsolete": self._is_obsolete,
            "alt_id": self._alt_id,
        }
        typedef: _Handlers = {"xref": lambda value: self.xrefs[self.subject].append(_bare(value))}
        instance: _Handlers = {"instance_of": self._instance_of}
        if relations or other_relations:
            term["relationship"] = self._relationship
        if other_relations:
            instance["relationship"] = self._instance_relationship
            typedef |= {tag: partial(self._typedef, tag) for tag in _TYPEDEF_TAGS}
        self.header: _Handlers = {
            "ontology": self._ontology,
            "idspace": self._idspace,
            "import": lambda value: self.facts.imports.append(_bare(value)),
            "default-namespace": self._default_namespace,
        }
        self.stanzas: dict[str, _Handlers] = {  # a tag without a handler is passed over
            "term": term,
            "typedef": typedef,
            "instance": instance,
        }

    def _begin(self, path: str) -> None:
        """What a header says holds in its own file alone."""
        self.path, self.line = path, 0
        self.spaces = dict(SPACES)
        self.ontology = UNNAMED
        self.names: set[str] = set()  # by which the file can be imported
        self.namespace = ""
        self.known: dict[str, int | None] = {}  # an id as it is written -> its number
        self.stanza, self.stanza_line = "", 0
        self.held: list[tuple[int, str, str]] | None = None  # the lines before a stanza's id, until it comes
        self.concept = -1  # the Term of the stanza
        self.subject = ""  # the id of the stanza

    def read(self, lines: Iterable[str], path: str) -> set[str]:
        """Read a file; the IRIs by which it can be imported."""
        self._begin(path)
        first = len(self.facts.concepts)
        handlers = self.header
        for self.line, raw in enumerate(lines, 1):
            line = raw.strip()
            tag, colon, value = line.partition(":")
            handler = handlers.get(tag)
            if handler is not None:
                handler(value)
            elif line.startswith("["):
                self._close()
                handlers = self._open(line)
            elif tag == "id" and self.stanza:
                handlers = self._identify(value)
            elif colon:
                if self.held is not None:
                    self.held.append((self.line, tag, value))
            elif line and not line.startswith("!"):
                self._skip_or_fail(f"{line[:40]!r} is not 'tag: value'", "the line", self.line)
        self._close()
        if self.namespace:
            for concept in self.facts.concepts[first:]:
                self.facts.namespaces.setdefault(concept, self.namespace)
        self.main = self.main or (self.spaces, self.ontology)
        return self.names

    def _open(self, line: str) -> _Handlers:
        kind = line[1:].partition("]")[0].strip()
        self.stanza = kind if kind.lower() in self.stanzas else ""  # the format lets us pass over other kinds
        self.stanza_line = self.line
        self.held = [] if self.stanza else None
        return {}  # nothing can be said before it is known of what

    def _identify(self, value: str) -> _Handlers:
        """Begin to describe what `value` names; tags that stood before the id come now.

        A second id begins the next term: its stanza's first line was lost.
        """
        handlers = self.stanzas[self.stanza.lower()]
        self.subject = _bare(value)
        if not self.subject:
            return {}  # as if the line were not there
        if self.stanza.lower() == "term":
            concept = self._number("id", value)
            if concept is None:
                handlers = {}
            else:
                self.concept = concept
                self.facts.concepts.append(concept)
        if self.stanza.lower() == "typedef":
            self.facts.property_names.add(self._iri(self.subject))
        held, self.held = self.held, None
        for self.line, tag, text in held or ():
            if tag in handlers:
                handlers[tag](text)
        return handlers

    def _close(self) -> None:
        if self.held is not None:
            self._skip_or_fail(f"the stanza [{self.stanza}] has no 'id:'", "the stanza", self.stanza_line)

    def _skip_or_fail(self, problem: str, what: str, line: int) -> None:
        if not self.lenient:
            advice = f"Correct the file, or set {{lenient=True}} to skip {what}."
            raise LoadError(problem, advice=advice, parameter="lenient", path=self.path, format="obo", line=line)
        self.skipped += 1

    def finish(self) -> Facts:
        facts = self.facts
        if self.main is not None:
            self.spaces, self.ontology = self.main
        requested = {self._iri(relation) for relation in self.relations}
        known = {self._iri(name) for relation in self.related for name in (relation, *self.xrefs[relation])}
        for name in self.relations:
            if self._iri(name) not in known:
                facts.notes.append(unused_relation(name, self.related))
        facts.properties = [SUBCLASS] * len(facts.children)
        for relation, edges in self.related.items():
            if not requested.isdisjoint(map(self._iri, [relation, *self.xrefs[relation]])):
                facts.children.extend(child for child, _ in edges)
                facts.parents.extend(parent for _, parent in edges)
                facts.properties.extend([self._relation(relation)] * len(edges))
            elif self.other_relations:
                number = facts.number(self._property(relation))
                facts.relations.extend((subject, number, value) for subject, value in edges)
        self._describe_properties()
        facts.weights = [math.nan] * len(facts.children)
        facts.languages = [""] * len(facts.texts)
        add_aliases(facts, self.claims)
        if self.skipped:
            lines = number_of(self.skipped, "OBO line or stanza is", "OBO lines or stanzas are")
            facts.notes.append(f"{lines} malformed; skipped")
        return facts

    def _relation(self, relation: str) -> str:
        """The relation as the user named it: its id, or an `xref` of its typedef, or the IRI of either."""
        names = {self._iri(name) for name in (relation, *self.xrefs[relation])}
        return next(name for name in self.relations if self._iri(name) in names)

    def _property(self, relation: str) -> str:
        """The IRI of a relation: that of its first xref, if its id has no prefix."""
        xrefs = self.xrefs.get(relation)
        return self._iri(xrefs[0] if xrefs and ":" not in relation else relation)

    def _describe_properties(self) -> None:
        """What typedefs say of relations; those that are subclass links here are left out."""
        facts = self.facts
        requested = {self._iri(relation) for relation in self.relations}
        for relation, tags in self.typedefs.items():
            if not requested.isdisjoint(map(self._iri, [relation, *self.xrefs.get(relation, ())])):
                continue
            number = facts.number(self._property(relation))
            facts.other_properties.add(number)
            for tag, value in tags:
                if tag == "name":
                    facts.labelled.append(number)
                    facts.texts.append(value)
                    facts.roles.append("preferred")
                elif tag == "is_symmetric":
                    facts.symmetric.update([number] * (value == "true"))
                elif tag == "inverse_of":
                    facts.inverse.append((number, facts.number(self._property(value))))
                elif self._iri(value) not in NO_CONCEPTS:
                    facts.relations.append((number, facts.number(RDFS + tag), facts.number(self._iri(value))))

    def _iri(self, identifier: str) -> str:
        return expand(identifier, self.spaces, self.ontology)

    def _number(self, tag: str, value: str) -> int | None:
        """Return the number of the concept that `value` names; None if it names none."""
        reference = value.partition(" ! ")[0]  # the comment would make one id many keys
        try:
            return self.known[reference]
        except KeyError:
            name = _bare(reference)
        if not name:
            example = "part_of GO:0008150" if tag == "relationship" else "GO:0008150"
            problem = f"'{tag}:' has no id; expected e.g. '{tag}: {example}'"
            self._skip_or_fail(problem, "the line", self.line)
            return None
        iri = self._iri(name)
        number = self.known[reference] = None if iri in NO_CONCEPTS else self.facts.number(iri)
        return number

    def _ontology(self, value: str) -> None:
        name = _bare(value)
        if name:
            is_iri = name.startswith(IRI_SCHEMES)
            self.ontology = name if is_iri else OBO + name
            iri = (name if is_iri else f"{OBO}{name}.owl").translate(NOT_IN_IRI)
            self.names = {iri, self.ontology} | (set() if is_iri else {name, f"{name}.obo", f"{OBO}{name}.obo"})
            if self.main is None:
                self.facts.iri = iri

    def _idspace(self, value: str) -> None:
        words = value.split(None, 2)
        if len(words) > 1:
            self.spaces[words[0]] = words[1]

    def _default_namespace(self, value: str) -> None:
        self.namespace = _bare(value)

    def _namespace(self, value: str) -> None:
        name = _bare(value)
        if name:  # two stanzas of one term may disagree: the smaller name, whichever comes first
            self.facts.namespaces[self.concept] = min(name, self.facts.namespaces.get(self.concept, name))

    def _synonym(self, value: str, role: str = "") -> None:
        before, _, rest = value.partition('"')
        text, closed, rest = rest.partition('"')
        if not closed or before.strip():
            text, rest = _split_unquoted(value)
        elif "\\" in text:
            text, rest = _split_quoted(value)
        words = rest.split(None, 1)
        self._label(text, role or SCOPES.get(words[0] if words else "", "related"))

    def _label(self, text: str, role: str) -> None:
        if text:
            facts = self.facts
            facts.labelled.append(self.concept)
            facts.texts.append(text)
            facts.roles.append(role)

    def _is_a(self, value: str) -> None:
        parent = self._number("is_a", value)
        if parent is not None:
            self.facts.children.append(self.concept)
            self.facts.parents.append(parent)

    def _relationship(self, value: str) -> None:
        relation, target = [*value.split(None, 1), "", ""][:2]
        parent = self._number("relationship", f" {target}")  # the blank before a comment has to stay
        if parent is not None:
            self.related[_unescape(relation)].append((self.concept, parent))

    def _typedef(self, tag: str, value: str) -> None:
        if _bare(value):
            self.typedefs[self.subject].append((tag, _bare(value)))

    def _instance_relationship(self, value: str) -> None:
        """Between individuals, or an individual and a concept."""
        relation, target = [*value.split(None, 1), "", ""][:2]
        other = self._number("relationship", f" {target}")
        if other is not None:
            subject = self.facts.number(self._iri(self.subject))
            self.related[_unescape(relation)].append((subject, other))

    def _is_obsolete(self, value: str) -> None:
        if _bare(value) == "true":
            self.facts.deprecated.add(self.concept)

    def _alt_id(self, value: str) -> None:
        name = _bare(value)
        if name:
            self.claims.append((self._iri(name), self.concept))

    def _instance_of(self, value: str) -> None:
        concept = self._number("instance_of", value)
        if concept is not None:
            self.facts.instances.append((self._iri(self.subject), concept, 1.0))
            if self.other_relations:
                self.facts.individuals.add(self.facts.number(self._iri(self.subject)))


def _bare(value: str) -> str:
    """Return the text of an unquoted value without its trailing {modifiers} and ! comment."""
    if "{" in value:
        text, _, modifiers = value.partition(" {")
        key, equals, _ = modifiers.partition("=")
        if equals and " " not in key.strip():  # a name may have braces of its own
            value = text
    if "!" in value:
        value = value.partition(" !")[0]  # the blank tells a comment from a name that ends in "!"
    return _unescape(value.strip())


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda m: _ESCAPES.get(m[1], m[1]), text) if "\\" in text else text


def _split_quoted(value: str) -> tuple[str, str]:
    """Return the text in quotes and the rest; a quote after an odd number of backslashes is text."""
    start = value.index('"') + 1
    end = value.find('"', start)
    while end >= 0 and (end - len(value[:end].rstrip("\\"))) % 2:
        end = value.find('"', end + 1)
    return (_unescape(value[start:end]), value[end + 1 :]) if end >= 0 else _split_unquoted(value)


def _split_unquoted(value: str) -> tuple[str, str]:
    """Return the text of a synonym without its quotes, all before the last scope, and that scope."""
    text = _bare(value)
    words = (text.rpartition("[")[0] if text.endswith("]") else text).replace('"', " ").split()
    for position in range(len(words) - 1, 0, -1):
        if words[position] in SCOPES:
            return " ".join(words[:position]), words[position]
    return " ".join(words), ""
