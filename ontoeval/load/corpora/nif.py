"""Readers of NIF 2.0 and KIM's RDF: offsets, `class_of` (which of several classes); triples: rdf_statements.py.

In both, a mention or the individual that it mentions has a class. `class_of` decides which one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ontoeval.errors import Message
from ontoeval.load import terms
from ontoeval.load.corpora.format import CorpusOptions, check_span, document_name, join_same
from ontoeval.load.corpora.rdf_statements import ITS, NIF, Statements, Values
from ontoeval.load.input import Input
from ontoeval.load.ontologies.rdf import NOWHERE
from ontoeval.model.corpus import AnnotatedDocument, Annotation

_NIF_ROLES = {
    NIF + "isString": "text",
    NIF + "sourceUrl": "source",
    NIF + "referenceContext": "context",
    NIF + "beginIndex": "start",
    NIF + "endIndex": "end",
    NIF + "anchorOf": "anchor",
    ITS + "taClassRef": "class",
    ITS + "taIdentRef": "instance",
    ITS + "taConfidence": "score",
    terms.TYPE: "type",
    terms.SAME_AS: "same",
}
_KIM_ROLES = {
    role: names.split()
    for role, names in {
        "start": "start begin hasStart hasBegin startOffset beginOffset hasStartOffset beginIndex startIndex",
        "end": "end hasEnd endOffset hasEndOffset endIndex",
        "document": "document inDocument hasDocument occursIn",
        "class": "class hasClass",
        "instance": "inst instance hasInstance hasInst refersInstance",
        "score": "score confidence hasScore hasConfidence",
    }.items()
}
_KIM_ROLE = {name.lower(): role for role, names in _KIM_ROLES.items() for name in names}
_SELF_CLASSES = frozenset({terms.CLASS, terms.RDFS_CLASS, terms.CONCEPT})  # such an entity is the class itself
_PLACE = re.compile(r"[#?&](?:char=([0-9]*+),([0-9]*+)|offset_([0-9]++)_([0-9]++)(?:_.*+)?+|nif=\w++)$", re.DOTALL)
_RDF_MARK = re.compile(rb"@prefix|@base|\bprefix\s++[\w.\-]*+:\s*+<|22-rdf-syntax-ns#|<[^<>\s]++>\s++<[^<>\s]++>", re.I)
_STARTS = re.compile(rb"[#/:](?:" + "|".join(_KIM_ROLES["start"]).encode() + rb")[\s>=\"]")
_ENDS = re.compile(rb"[#/:](?:" + "|".join(_KIM_ROLES["end"]).encode() + rb")[\s>=\"]")


def is_nif(head: bytes, name: str) -> bool:
    """Whether the first bytes name the NIF vocabulary."""
    return NIF.encode() in head


def is_kim_rdf(head: bytes, name: str) -> bool:
    """Whether the first bytes are RDF with the start and the end of something."""
    return bool(_RDF_MARK.search(head) and _STARTS.search(head) and _ENDS.search(head)) and not is_nif(head, name)


def read_nif(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """The contexts of a NIF file with their mentions, in any RDF syntax; offsets count code points.

    A document is called by the IRI of its context without `#char=...` (two contexts of one such IRI keep theirs).
    A mention is a string with `itsrdf:taClassRef` or `itsrdf:taIdentRef`. Its class is the former, else a type of the
    entity, else the entity itself if that is a class or a SKOS concept; `class_of` chooses among several. Its instance
    is the entity, its score `itsrdf:taConfidence`. `owl:sameAs` joins entities.
    """
    yield from _Nif(file, options).documents()


def read_kim_rdf(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """Annotations as resources of their own, as KIM keeps them: PROTON KM's `Mention`, and what looks like it.

    KIM says `hasStartOffset`, `hasEndOffset`, `occursIn` (the document) and `refersInstance`, whose type is the class.
    Other vocabularies are understood by the local names of their properties, capitals or not:

    - start: start, begin, startOffset, beginOffset, startIndex, beginIndex; end likewise; also with `has` in front
    - document: document, inDocument, hasDocument, occursIn; where no annotation has one, the file is the document
    - instance: inst, instance, hasInst, hasInstance, refersInstance
    - class: class, hasClass; else a type of the instance; else a type of the annotation that is not from the
      vocabulary of its offsets
    - score: score, confidence, also with `has` in front

    There is no text, so that offsets are kept as they are. (KIM counts UTF-16 units, others may count characters.)
    """
    yield from _Kim(file, options).documents()


def class_of(classes: Iterable[str], options: CorpusOptions) -> str | None:
    """The one of several classes that counts: the smallest IRI, those of the web (http, https) before others.

    A class feature that is the start of an IRI picks a vocabulary: classes that begin otherwise do not count.
    """
    candidates = sorted(set(classes))
    if options.class_feature and ":" in options.class_feature:
        candidates = [name for name in candidates if name.startswith(options.class_feature)]
    if len(candidates) > 1:
        options.findings.counts["annotations with several classes; the first IRI in alphabetical order was used"] += 1
        options.findings.note(
            Message("to use the classes of one vocabulary, set {class_feature} to the start of its IRIs")
        )
    return min(candidates, key=lambda name: (not name.startswith(("http://", "https://")), name), default=None)


def types_of(types: Iterable[str], *, without: tuple[str, ...] = ()) -> list[str]:
    """The types of an individual that are classes of an ontology, not of RDF, OWL and the like."""
    return [name for name in types if not name.startswith((*terms.BUILT_IN, *without, "_:"))]


class _Nif:
    """The documents of a NIF file."""

    def __init__(self, file: Input, options: CorpusOptions) -> None:
        self.file = file
        self.options = options
        self.statements = Statements(file, "nif", _NIF_ROLES.get)
        self.names: dict[str, str] = {}  # context -> document

    def documents(self) -> Iterator[AnnotatedDocument]:
        statements = self.statements
        join_same(self.options.findings.same, _iri_pairs(statements["same"]))
        self.names = self._contexts()
        mentions: dict[str, list[str]] = {name: [] for name in self.names.values()}
        texts = {self.names[iri]: statements.one(iri, "text") for iri in self.names}
        counts = self.options.findings.counts
        for subject in {**statements["start"], **statements["class"], **statements["instance"]}:
            annotated = subject in statements["class"] or subject in statements["instance"]
            if annotated and subject in self.names:
                counts["annotations of a whole context; left out"] += 1
            elif annotated:
                mentions.setdefault(self._document(subject), []).append(subject)
            elif subject not in self.names:
                counts["strings without a class or an entity; left out"] += 1
        for name in sorted(mentions):
            text = texts.get(name)
            annotations = [self._annotation(subject, text) for subject in mentions[name]]
            yield AnnotatedDocument(name, annotations, None if text is None else len(text))

    def _contexts(self) -> dict[str, str]:
        statements = self.statements
        contexts = dict.fromkeys(statements["text"])
        contexts |= {subject: None for subject, types in statements["type"].items() if NIF + "Context" in types}
        contexts |= {context: None for contexts in statements["context"].values() for context in contexts}
        names: dict[str, list[str]] = {}
        for iri in contexts:
            names.setdefault(self._name(iri), []).append(iri)
        return {
            iri: name if len(group) == 1 else iri.removeprefix(NOWHERE)
            for name, group in names.items()
            for iri in group
        }

    def _name(self, iri: str) -> str:
        """The name of the document of a context."""
        if not iri.startswith("_:"):
            return _PLACE.sub("", iri).removeprefix(NOWHERE) or document_name(self.file.name)
        source = self.statements.one(iri, "source")
        if source is None:
            raise self.statements.error("a nif:Context has neither an IRI nor a nif:sourceUrl", "Add one.")
        return source

    def _document(self, subject: str) -> str:
        context = self.statements.one(subject, "context")
        if context is not None:
            return self.names[context]
        if not _PLACE.search(subject):
            raise self.statements.error(
                f"{self.statements.subject_name(subject)} has no nif:referenceContext", "Add it."
            )
        return self._name(subject)

    def _annotation(self, subject: str, text: str | None) -> Annotation:
        statements = self.statements
        start, end = self._offset(subject, "start"), self._offset(subject, "end")
        length = None if text is None else len(text)
        check_span(
            start,
            end,
            length,
            what=f"the mention {statements.subject_name(subject)}",
            path=statements.path,
            format="nif",
        )
        anchor = next(iter(statements["anchor"].get(subject, ())), None)
        if anchor is not None and text is not None and text[start:end] != anchor:
            self._count_difference(text, start, end, anchor)
        entities = statements.all(subject, "instance")
        if len(entities) > 1:
            self.options.findings.counts[
                "mentions of several entities; the first IRI in alphabetical order was used"
            ] += 1
        entity = entities[0] if entities else None
        return Annotation(start, end, self._class(subject, entity), entity, statements.score(subject))

    def _count_difference(self, text: str, start: int, end: int, anchor: str) -> None:
        counts = self.options.findings.counts
        counts["anchors different from the text at the offsets"] += 1
        units = text.encode("utf-16-le", "surrogatepass")
        if units[2 * start : 2 * end] == anchor.encode("utf-16-le", "surrogatepass"):
            counts["anchors equal to the text if offsets are in UTF-16 units, as in Java"] += 1

    def _offset(self, subject: str, role: str) -> int:
        number = self.statements.number(subject, role)
        if number is not None:
            return number
        place = _PLACE.search(subject)
        offsets = [cell for cell in place.groups() if cell] if place else []
        if len(offsets) != 2:
            name = "nif:beginIndex" if role == "start" else "nif:endIndex"
            raise self.statements.error(f"{self.statements.subject_name(subject)} has no {name}", "Add it.")
        return int(offsets[role == "end"][:18])

    def _class(self, subject: str, entity: str | None) -> str | None:
        statements = self.statements
        concept = class_of(statements["class"].get(subject, ()), self.options)
        if concept is None and entity is not None:
            types = statements.all(entity, "type")
            concept = class_of(types_of(types, without=(NIF, terms.SKOS)), self.options)
            if concept is None and _SELF_CLASSES.intersection(types):
                concept = class_of([entity], self.options)
        return concept


def _iri_pairs(same: Values) -> Iterator[tuple[str, str]]:
    for subject, others in same.items():
        for other in others:
            if not subject.startswith("_:") and not other.startswith("_:"):
                yield subject, other


def _kim_role(iri: str) -> str | None:
    if iri in (terms.TYPE, terms.SAME_AS):
        return "type" if iri == terms.TYPE else "same"
    return _KIM_ROLE.get(_local(iri).lower())


def _local(iri: str) -> str:
    return re.split(r"[#/:]", iri)[-1]


class _Kim:
    """The documents of a file of KIM's annotations."""

    def __init__(self, file: Input, options: CorpusOptions) -> None:
        self.file = file
        self.options = options
        self.statements = Statements(file, "kim-rdf", _kim_role)
        offsets = [*self.statements.properties.get("start", ()), *self.statements.properties.get("end", ())]
        self.vocabulary = tuple({iri.removesuffix(_local(iri)) for iri in offsets})

    def documents(self) -> Iterator[AnnotatedDocument]:
        statements = self.statements
        if not statements["start"] or not statements["end"]:
            raise statements.error(
                "no annotations with a start and an end found",
                "Use annotations with hasStartOffset and hasEndOffset, as in KIM.",
            )
        join_same(self.options.findings.same, _iri_pairs(statements["same"]))
        annotations: dict[str, list[Annotation]] = {}
        for subject in {**statements["start"], **statements["end"]}:
            annotations.setdefault(self._document(subject), []).append(self._annotation(subject))
        self.options.findings.note(
            "offsets are kept as written, because the text is not in the file; KIM's are in UTF-16 units, which are "
            "characters unless the text has emoji or other characters beyond U+FFFF"
        )
        for name in sorted(annotations):
            yield AnnotatedDocument(name, annotations[name])

    def _document(self, subject: str) -> str:
        if not self.statements["document"]:
            return document_name(self.file.name)
        name = self.statements.one(subject, "document")
        if name is None:
            raise self.statements.error(
                f"{self.statements.subject_name(subject)} has no {self.statements.property_name('document')}",
                "Add it.",
            )
        return name.removeprefix(NOWHERE)

    def _annotation(self, subject: str) -> Annotation:
        statements = self.statements
        start, end = statements.number(subject, "start"), statements.number(subject, "end")
        if start is None or end is None:
            missing = statements.property_name("start" if start is None else "end")
            raise statements.error(f"{statements.subject_name(subject)} has no {missing}", "Add it.")
        check_span(
            start,
            end,
            None,
            what=f"the annotation {statements.subject_name(subject)}",
            path=statements.path,
            format="kim-rdf",
        )
        instance = statements.one(subject, "instance")
        return Annotation(start, end, self._class(subject, instance), instance, statements.score(subject))

    def _class(self, subject: str, instance: str | None) -> str | None:
        statements = self.statements
        classes = statements.all(subject, "class")
        if not classes and instance is not None:
            classes = types_of(statements.all(instance, "type"))
        if not classes:
            classes = types_of(statements.all(subject, "type"), without=self.vocabulary)
        return class_of(classes, self.options)
