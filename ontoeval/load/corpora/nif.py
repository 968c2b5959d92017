"""RDF: NIF 2.0, and annotations as KIM keeps them in its repository.

Both hang a class on a mention or on the individual that is mentioned. `class_of` says which one counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import pyoxigraph as ox

from ontoeval.errors import EmptyFileError, LoadError, UnknownFormatError
from ontoeval.load import terms
from ontoeval.load.corpora.format import Choices, check_span, document_name, is_empty
from ontoeval.load.formats import detect
from ontoeval.load.input import Input
from ontoeval.load.ontologies.rdf import NOWHERE, RDF_FORMATS, quads_of, worded_errors
from ontoeval.model.corpus import AnnotatedDocument, Annotation

NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
ITS = "http://www.w3.org/2005/11/its/rdf#"
GREATEST = 2**53  # an offset beyond is no longer exact among the columns of a corpus

Values = dict[str, list[str]]  # subject -> objects
Role = Callable[[str], str | None]  # the IRI of a property -> what we call it; None: of no interest

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
_INTEGER = re.compile(r"\+?[0-9]{1,18}")
_RDF_MARK = re.compile(rb"@prefix|@base|\bprefix\s++[\w.\-]*+:\s*+<|22-rdf-syntax-ns#|<[^<>\s]++>\s++<[^<>\s]++>", re.I)
_STARTS = re.compile(rb"[#/:](?:" + "|".join(_KIM_ROLES["start"]).encode() + rb")[\s>=\"]")
_ENDS = re.compile(rb"[#/:](?:" + "|".join(_KIM_ROLES["end"]).encode() + rb")[\s>=\"]")


def is_nif(head: bytes, name: str) -> bool:
    """Whether the first bytes name the NIF vocabulary."""
    return NIF.encode() in head


def is_kim_rdf(head: bytes, name: str) -> bool:
    """Whether the first bytes are RDF with the start and the end of something."""
    return bool(_RDF_MARK.search(head) and _STARTS.search(head) and _ENDS.search(head)) and not is_nif(head, name)


def read_nif(given: Input, choices: Choices) -> Iterator[AnnotatedDocument]:
    """The contexts of a NIF file with their mentions, in any RDF syntax; offsets count code points.

    A document is called by the IRI of its context without `#char=...` (two contexts of one such IRI keep theirs).
    A mention is a string with `itsrdf:taClassRef` or `itsrdf:taIdentRef`. Its class is the former, else a type of the
    entity, else the entity itself if that is a class or a SKOS concept; `class_of` chooses among several. Its instance
    is the entity, its score `itsrdf:taConfidence`. `owl:sameAs` joins entities.
    """
    yield from _Nif(given, choices).documents()


def read_kim_rdf(given: Input, choices: Choices) -> Iterator[AnnotatedDocument]:
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
    yield from _Kim(given, choices).documents()


class Statements:
    """The statements of a file that matter, by what we call their properties."""

    def __init__(self, given: Input, format: str, role: Role) -> None:
        self.path = given.name
        self.format = format
        self.by_role: dict[str, Values] = {}
        self.properties: dict[str, dict[str, None]] = {}  # role -> the IRIs it was said with
        syntax = _syntax(given, format)
        base = None if syntax in ("nt", "nquads") else NOWHERE
        tables: dict[ox.NamedNode, Values | None] = {}
        words = worded_errors(given.name, syntax, source=given, lenient=True)
        with words, quads_of(given, syntax, base=base) as quads:
            for quad in quads:
                if quad.predicate not in tables:
                    tables[quad.predicate] = self._table(role, quad.predicate.value)
                table = tables[quad.predicate]
                if table is not None:
                    subject, value = _text(quad.subject), _text(quad.object)
                    if subject is not None and value is not None:
                        table.setdefault(subject, []).append(value)

    def _table(self, role: Role, iri: str) -> Values | None:
        name = role(iri)
        if name is None:
            return None
        self.properties.setdefault(name, {}).setdefault(iri)
        return self.by_role.setdefault(name, {})

    def __getitem__(self, role: str) -> Values:
        return self.by_role.get(role, {})

    def all(self, subject: str, role: str) -> list[str]:
        """The different values, in order."""
        return sorted(set(self[role].get(subject, ())))

    def one(self, subject: str, role: str) -> str | None:
        """The value, if there is one; LoadError if there are several."""
        values = self.all(subject, role)
        if len(values) > 1:
            raise self.error(f"{self.called(subject)} has {len(values)} values of {self.say(role)}. Keep one of them.")
        return values[0] if values else None

    def number(self, subject: str, role: str) -> int | None:
        """An offset, if there is one."""
        value = self.one(subject, role)
        if value is None:
            return None
        if not _INTEGER.fullmatch(value.strip()) or int(value) >= GREATEST:
            raise self.error(f"{self.say(role)} of {self.called(subject)} is {value!r}. Give a whole number from 0 on.")
        return int(value)

    def score(self, subject: str) -> float | None:
        """How sure somebody is, if it is said."""
        value = self.one(subject, "score")
        if value is None:
            return None
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.error(f"{self.say('score')} of {self.called(subject)} is {value!r}. Give a number.")
        return number

    def say(self, role: str) -> str:
        """The property as a user knows it."""
        iri = next(iter(self.properties.get(role, ())), role)
        return iri.replace(NIF, "nif:").replace(ITS, "itsrdf:").removeprefix(NOWHERE)

    def called(self, subject: str) -> str:
        """The subject for a message; the name of a blank node is the parser's own."""
        return "an annotation without an IRI" if subject.startswith("_:") else repr(subject.removeprefix(NOWHERE))

    def error(self, problem: str) -> LoadError:
        return LoadError(problem, path=self.path, format=self.format)


def _syntax(given: Input, format: str) -> str:
    """The RDF syntax of a file."""
    if is_empty(given):
        raise LoadError("the file is empty. Give annotated documents.", path=given.name, format=format)
    try:
        syntax = detect(given)
    except (EmptyFileError, UnknownFormatError):
        syntax = ""
    if syntax not in RDF_FORMATS:
        shown = given.head[:24].decode("utf-8", "replace")
        raise LoadError(f"this is no RDF (first bytes: {shown!r}). Give RDF.", path=given.name, format=format) from None
    return syntax


def _text(term: object) -> str | None:
    if isinstance(term, ox.BlankNode):
        return "_:" + term.value
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else None


def class_of(classes: Iterable[str], choices: Choices) -> str | None:
    """The one of several classes that counts: the smallest IRI, those of the web (http, https) before others.

    A class feature that is the start of an IRI picks a vocabulary: classes that begin otherwise are none.
    """
    kept = sorted(set(classes))
    if choices.class_feature and ":" in choices.class_feature:
        kept = [name for name in kept if name.startswith(choices.class_feature)]
    if len(kept) > 1:
        choices.findings.counts["annotations with several classes, of which the smallest IRI was taken"] += 1
        choices.findings.note(
            "to take the classes of one vocabulary where an annotation has several, give the start of its IRIs "
            "as the class feature."
        )
    return min(kept, key=lambda name: (not name.startswith(("http://", "https://")), name), default=None)


def types_of(types: Iterable[str], *, without: tuple[str, ...] = ()) -> list[str]:
    """The types of an individual that are classes of somebody's ontology."""
    return [name for name in types if not name.startswith((*terms.BUILT_IN, *without, "_:"))]


def join_same(same: dict[str, str], pairs: Iterable[tuple[str, str]]) -> None:
    """Add pairs of the same individual so that every name leads to one other at most, and no pair is lost."""
    for left, right in sorted(set(pairs)):
        first, second = _last(same, left), _last(same, right)
        if first == second:
            continue
        if first == left:
            same[left] = right
        elif second == right:
            same[right] = left
        else:
            same[first] = second


def _last(same: Mapping[str, str], name: str) -> str:
    while name in same:
        name = same[name]
    return name


class _Nif:
    def __init__(self, given: Input, choices: Choices) -> None:
        self.given = given
        self.choices = choices
        self.said = Statements(given, "nif", _NIF_ROLES.get)
        self.names: dict[str, str] = {}  # context -> document

    def documents(self) -> Iterator[AnnotatedDocument]:
        said = self.said
        join_same(self.choices.findings.same, _iri_pairs(said["same"]))
        self.names = self._contexts()
        mentions: dict[str, list[str]] = {name: [] for name in self.names.values()}
        texts = {self.names[iri]: said.one(iri, "text") for iri in self.names}
        skipped = self.choices.findings.counts
        for subject in {**said["start"], **said["class"], **said["instance"]}:
            annotated = subject in said["class"] or subject in said["instance"]
            if annotated and subject in self.names:
                skipped["annotations of a whole context, left out"] += 1
            elif annotated:
                mentions.setdefault(self._document(subject), []).append(subject)
            elif subject not in self.names:
                skipped["strings without a class and without an entity, left out"] += 1
        for name in sorted(mentions):
            text = texts.get(name)
            found = [self._annotation(subject, text) for subject in mentions[name]]
            yield AnnotatedDocument(name, found, None if text is None else len(text))

    def _contexts(self) -> dict[str, str]:
        said = self.said
        contexts = dict.fromkeys(said["text"])
        contexts |= {subject: None for subject, types in said["type"].items() if NIF + "Context" in types}
        contexts |= {context: None for contexts in said["context"].values() for context in contexts}
        names: dict[str, list[str]] = {}
        for iri in contexts:
            names.setdefault(self._name(iri), []).append(iri)
        return {
            iri: name if len(group) == 1 else iri.removeprefix(NOWHERE)
            for name, group in names.items()
            for iri in group
        }

    def _name(self, iri: str) -> str:
        """What the document of a context is called."""
        if not iri.startswith("_:"):
            return _PLACE.sub("", iri).removeprefix(NOWHERE) or document_name(self.given.name)
        source = self.said.one(iri, "source")
        if source is None:
            raise self.said.error("a nif:Context without an IRI has no nif:sourceUrl either. Give it an IRI.")
        return source

    def _document(self, subject: str) -> str:
        context = self.said.one(subject, "context")
        if context is not None:
            return self.names[context]
        if not _PLACE.search(subject):
            raise self.said.error(f"{self.said.called(subject)} has no nif:referenceContext. Say which text it is of.")
        return self._name(subject)

    def _annotation(self, subject: str, text: str | None) -> Annotation:
        said = self.said
        start, end = self._offset(subject, "start"), self._offset(subject, "end")
        length = None if text is None else len(text)
        check_span(start, end, length, what=f"the mention {said.called(subject)}", path=said.path, format="nif")
        anchor = next(iter(said["anchor"].get(subject, ())), None)
        if anchor is not None and text is not None and text[start:end] != anchor:
            self._differs(text, start, end, anchor)
        entities = said.all(subject, "instance")
        if len(entities) > 1:
            self.choices.findings.counts["mentions of several entities, of which the smallest IRI was taken"] += 1
        entity = entities[0] if entities else None
        return Annotation(start, end, self._class(subject, entity), entity, said.score(subject))

    def _differs(self, text: str, start: int, end: int, anchor: str) -> None:
        counts = self.choices.findings.counts
        counts["anchors that differ from the text at their offsets"] += 1
        units = text.encode("utf-16-le", "surrogatepass")
        if units[2 * start : 2 * end] == anchor.encode("utf-16-le", "surrogatepass"):
            counts["anchors that would fit if offsets counted UTF-16 units, as Java does"] += 1

    def _offset(self, subject: str, role: str) -> int:
        number = self.said.number(subject, role)
        if number is not None:
            return number
        place = _PLACE.search(subject)
        written = [cell for cell in place.groups() if cell] if place else []
        if len(written) != 2:
            name = "nif:beginIndex" if role == "start" else "nif:endIndex"
            raise self.said.error(f"{self.said.called(subject)} has no {name}. Give it one.")
        return int(written[role == "end"][:18])

    def _class(self, subject: str, entity: str | None) -> str | None:
        said = self.said
        found = class_of(said["class"].get(subject, ()), self.choices)
        if found is None and entity is not None:
            types = said.all(entity, "type")
            found = class_of(types_of(types, without=(NIF, terms.SKOS)), self.choices)
            if found is None and _SELF_CLASSES.intersection(types):
                found = class_of([entity], self.choices)
        return found


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
    def __init__(self, given: Input, choices: Choices) -> None:
        self.given = given
        self.choices = choices
        self.said = Statements(given, "kim-rdf", _kim_role)
        offsets = [*self.said.properties.get("start", ()), *self.said.properties.get("end", ())]
        self.vocabulary = tuple({iri.removesuffix(_local(iri)) for iri in offsets})

    def documents(self) -> Iterator[AnnotatedDocument]:
        said = self.said
        if not said["start"] or not said["end"]:
            raise said.error(
                "nothing in it has a start and an end. Give annotations with hasStartOffset and hasEndOffset, "
                "as KIM does."
            )
        join_same(self.choices.findings.same, _iri_pairs(said["same"]))
        found: dict[str, list[Annotation]] = {}
        for subject in {**said["start"], **said["end"]}:
            found.setdefault(self._document(subject), []).append(self._annotation(subject))
        self.choices.findings.note(
            "the offsets of RDF annotations are kept as written, because their text is not in the file; KIM's count "
            "UTF-16 units, which are characters unless the text has emoji and the like."
        )
        for name in sorted(found):
            yield AnnotatedDocument(name, found[name])

    def _document(self, subject: str) -> str:
        if not self.said["document"]:
            return document_name(self.given.name)
        name = self.said.one(subject, "document")
        if name is None:
            raise self.said.error(f"{self.said.called(subject)} has no {self.said.say('document')}. Give it one.")
        return name.removeprefix(NOWHERE)

    def _annotation(self, subject: str) -> Annotation:
        said = self.said
        start, end = said.number(subject, "start"), said.number(subject, "end")
        if start is None or end is None:
            missing = said.say("start" if start is None else "end")
            raise said.error(f"{said.called(subject)} has no {missing}. Give it one.")
        check_span(start, end, None, what=f"the annotation {said.called(subject)}", path=said.path, format="kim-rdf")
        instance = said.one(subject, "instance")
        return Annotation(start, end, self._class(subject, instance), instance, said.score(subject))

    def _class(self, subject: str, instance: str | None) -> str | None:
        said = self.said
        given = said.all(subject, "class")
        if not given and instance is not None:
            given = types_of(said.all(instance, "type"))
        if not given:
            given = types_of(said.all(subject, "type"), without=self.vocabulary)
        return class_of(given, self.choices)
