"""Reader of W3C Web Annotations (JSON-LD as plain JSON, RDF): bodies to class or instance, selectors to offsets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ontoeval.errors import LoadError
from ontoeval.load import terms
from ontoeval.load.corpora.format import CorpusOptions, check_span, refuse_empty
from ontoeval.load.corpora.json_values import Place, json_text
from ontoeval.load.corpora.rdf_statements import Statements
from ontoeval.load.input import Input
from ontoeval.load.ontologies.rdf import NOWHERE as RELATIVE
from ontoeval.load.safety import check_brackets
from ontoeval.model.corpus import NOWHERE, AnnotatedDocument, Annotation

OA = "http://www.w3.org/ns/oa#"
CONTEXT = b"www.w3.org/ns/anno.jsonld"

_ROLES = {
    OA + "hasBody": "body",
    OA + "bodyValue": "bodyValue",
    OA + "hasTarget": "target",
    OA + "hasSource": "source",
    OA + "hasSelector": "selector",
    OA + "refinedBy": "refinedBy",
    OA + "motivatedBy": "motivation",
    OA + "hasPurpose": "purpose",
    OA + "start": "start",
    OA + "end": "end",
    terms.RDF + "value": "value",
    terms.TYPE: "type",
}
_LITERALS = frozenset({"bodyValue", "start", "end", "value"})
_NODES = ("body", "target", "source", "selector", "refinedBy")
_CONCEPT = frozenset({"classifying", "tagging"})
_INSTANCE = frozenset({"identifying"})
_GROUPS = frozenset({"Choice", "Composite", "List", "Independents"})
_ANNOTATION_TYPE = re.compile(
    rb'"(?:@?type)"\s*+:\s*+(?:\[[^\]]*?)?"(?:oa:|http://www\.w3\.org/ns/oa#)?Annotation(?:Page|Collection)?"'
)
_CHARACTERS = re.compile(r"char=([0-9]{1,15}),([0-9]{1,15})")  # RFC 5147

_Object = Mapping[str, Any]


def is_web_annotation(head: bytes, name: str) -> bool:
    """Whether the first bytes name the standard's context, its vocabulary, or the type of an annotation."""
    start = head.lstrip()[:1]
    if start in (b"{", b"["):
        return (
            CONTEXT in head
            or _ANNOTATION_TYPE.search(head) is not None
            or (b'"@context"' in head and OA.encode() in head)
        )
    return OA.encode() in head and b"GateDocument" not in head


def read_web_annotation(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """Annotations, lists, pages and collections of them; JSON-LD is read as JSON, nothing is fetched.

    A document is the source of a target, its place a TextPositionSelector (code points) or `char=0,5` (RFC 5147).
    A body that classifies or tags, or an IRI without any purpose or motivation, is a concept; one that identifies is
    the instance. Several concepts make several annotations, and so do several targets. `score` or `confidence` of the
    body or the annotation is the score. Targets without a selector are labels of whole documents if the file has no
    other targets. What can be placed by quotation only, by bytes, by paths in a page and the like is counted and left
    out, because the text is not in the file.
    """
    spans: dict[str, list[Annotation]] = {}
    labels: dict[str, list[Annotation]] = {}
    reader = _Reader(file, options)
    for source in reader.annotations():
        for document, annotation in reader.read(source):
            (labels if annotation.start == NOWHERE else spans).setdefault(document, []).append(annotation)
    if spans and labels:
        count = sum(map(len, labels.values()))
        options.findings.counts["annotations of a whole document among those of spans; left out"] += count
    for name, members in (spans or labels).items():
        yield AnnotatedDocument(name, members)


class _Reader:
    """Reads the annotations of a file, one after the other."""

    def __init__(self, file: Input, options: CorpusOptions) -> None:
        self.file = file
        self.counts = options.findings.counts
        self.place = Place(file.name, "web-annotation")
        self.prefixes: dict[str, str] = {}
        self.number = 0  # of the annotation that is read, from 1

    def annotations(self) -> Iterator[_Object]:
        refuse_empty(self.file, "web-annotation")
        head = self.file.head
        is_json = head.lstrip()[:1] in (b"{", b"[")
        if not is_json or (CONTEXT not in head and not _ANNOTATION_TYPE.search(head) and OA.encode() in head):
            yield from self._from_rdf()
            return
        data = self.file.read_text(lenient_helps=False)
        check_brackets(data.encode(), self.file.name)
        for value in self._values(data):
            self._context(value)
            yield from self._find_annotations(value)

    def _values(self, text: str) -> Iterator[Any]:
        """The JSON values of a file: one, or one after the other."""
        decoder = json.JSONDecoder()
        space = re.compile(r"[ \t\r\n]*+")
        start = space.match(text).end()  # type: ignore[union-attr]
        several = False
        while start < len(text):
            try:
                value, end = decoder.raw_decode(text, start)
            except json.JSONDecodeError as error:
                raise LoadError(
                    f"not valid JSON: {error.msg} (column {error.colno})",
                    advice="Correct the file.",
                    path=self.file.name,
                    format="web-annotation",
                    line=error.lineno,
                ) from None
            except ValueError as error:
                self.place.fail(f"not valid JSON: {error}", "Correct the file.")
            end = space.match(text, end).end()  # type: ignore[union-attr]
            several = several or end < len(text)
            self.place.line = text.count("\n", 0, start) + 1 if several else None
            yield value
            start = end

    def _context(self, value: Any) -> None:
        """Keep the prefixes that an inline context declares."""
        for item in _list(value if isinstance(value, list) else [value]):
            if isinstance(item, dict):
                for context in _list(item.get("@context")):
                    if isinstance(context, dict):
                        self.prefixes.update((k, v) for k, v in context.items() if isinstance(v, str) and k[:1] != "@")

    def _find_annotations(self, value: Any) -> Iterator[_Object]:
        pending = [value]
        while pending:
            item = pending.pop()
            if isinstance(item, list):
                pending.extend(reversed(item))
            elif not isinstance(item, dict):
                self.place.fail(f"expected a Web Annotation, found {json_text(item)}", "Use JSON objects.")
            elif "@graph" in item:
                pending.append(item["@graph"])
            elif "Annotation" in _types(item):
                yield item
            elif _types(item) & {"AnnotationPage", "AnnotationCollection"}:
                pages = [item[key] for key in ("items", "first", "next") if item.get(key) is not None]
                self.counts["pages outside the file; not downloaded"] += sum(isinstance(page, str) for page in pages)
                pending.extend(page for page in reversed(pages) if not isinstance(page, str))
            else:
                kinds = ", ".join(sorted(_types(item))) or "none"
                self.place.fail(
                    f"expected Annotation, AnnotationPage or AnnotationCollection, found the type {kinds!r}",
                    "Use Web Annotations.",
                )

    def _from_rdf(self) -> Iterator[_Object]:
        """The annotations of a graph, in the shape that they have as JSON."""
        statements = Statements(self.file, "web-annotation", _ROLES.get)
        annotations = statements["target"]
        if not annotations:
            raise statements.error("no annotations with oa:hasTarget found", "Use Web Annotations.")
        for subject in annotations:
            yield _node(statements, subject, 6)

    def read(self, annotation: _Object) -> Iterator[tuple[str, Annotation]]:
        """The document and the annotation for each concept and target."""
        self.number += 1
        concepts, instances, score = self._bodies(annotation)
        if annotation.get("target") is None:
            self._fail("has no target")
        places = [place for target in _list(annotation["target"]) for place in self._targets(target)]
        if not concepts and not instances:
            self.counts["annotations without a class or an entity; left out"] += 1
            return
        if len(instances) > 1:
            self.counts["annotations of several entities; the first IRI in alphabetical order was used"] += 1
        instance = min(instances, default=None)
        for document, start, end in places:
            if start == NOWHERE and not concepts:
                self.counts["annotations of a whole document without a class; left out"] += 1
                continue
            for concept, concept_score in concepts or [(None, None)]:
                final_score = score if concept_score is None else concept_score
                yield document, Annotation(start, end, concept, instance, final_score)

    def _bodies(self, annotation: _Object) -> tuple[list[tuple[str | None, float | None]], list[str], float | None]:
        """The concepts with their scores, the instances, and the score of all."""
        motivation = _short_names(annotation.get("motivation"))
        concepts: list[tuple[str | None, float | None]] = []
        instances: list[str] = []
        for body in self._items(annotation.get("body"), "body"):
            name, purpose, textual = self._body(body)
            purpose = purpose or motivation
            score = self._score(body) if isinstance(body, dict) else None
            if name is None:
                continue
            if purpose & _CONCEPT or (not purpose and not textual):
                concepts.append((name, score))
            elif purpose & _INSTANCE:
                instances.append(name)
        value = annotation.get("bodyValue")
        if value is not None and motivation & _CONCEPT:
            concepts.append((self.place.text(value, self._of_annotation("bodyValue")), None))
        return concepts, instances, self._score(annotation)

    def _items(self, value: Any, what: str) -> Iterator[Any]:
        """The things of a value that may be one, a list or a group; of a choice the first."""
        for item in _list(value):
            if isinstance(item, dict) and _types(item) & _GROUPS and "items" in item:
                inner = list(self._items(item["items"], what))
                yield from inner[:1] if "Choice" in _types(item) else inner
            elif isinstance(item, dict | str):
                yield item
            else:
                self._fail(f"has the {what} {json_text(item)}, which is neither an IRI nor an object")

    def _body(self, body: Any) -> tuple[str | None, frozenset[str], bool]:
        """The name in a body, its purpose, and whether it is text."""
        if isinstance(body, str):
            return self._iri(body), frozenset(), False
        purpose = _short_names(body.get("purpose"))
        source = body.get("source")
        name = _id(source if source is not None else body)
        if name is not None:
            return self._iri(self.place.text(name, self._of_annotation("the id of a body"))), purpose, False
        value = body.get("value")
        if value is None:
            return None, purpose, True
        return self.place.text(value, self._of_annotation("the value of a body")), purpose, True

    def _score(self, item: _Object) -> float | None:
        for key in ("score", "confidence"):
            if item.get(key) is not None:
                return self.place.score(item[key])
        return None

    def _targets(self, target: Any) -> Iterator[tuple[str, int, int]]:
        for item in self._items(target, "target"):
            if isinstance(item, str):
                yield self._fragment(self._iri(item))
                continue
            source = _id(item.get("source")) if item.get("source") is not None else _id(item)
            if source is None:
                self._fail("has a target without a source or an id")
            document = self._iri(self.place.text(source, self._of_annotation("the source of a target")))
            if item.get("selector") is None:
                yield self._fragment(document)
                continue
            span = self._span(_list(item["selector"]))
            if span is not None:
                yield document, *span

    def _fragment(self, iri: str) -> tuple[str, int, int]:
        """An IRI as it is, a whole document, or the characters of one (`#char=0,5`)."""
        document, _, fragment = iri.partition("#")
        characters = _CHARACTERS.fullmatch(fragment)
        return (
            (document, *self._valid_span(int(characters[1]), int(characters[2])))
            if characters
            else (iri, NOWHERE, NOWHERE)
        )

    def _span(self, selectors: Iterable[Any]) -> tuple[int, int] | None:
        """The place that the first selector of a usable kind gives."""
        kinds: list[str] = []
        for selector in selectors:
            if isinstance(selector, str):
                kinds.append("an external selector")
                continue
            if not isinstance(selector, dict):
                self._fail(f"has the selector {json_text(selector)}, which is neither an IRI nor an object")
            types = _types(selector)
            refined = selector.get("refinedBy") is not None  # the place is inside this one, at no known offset
            if "TextPositionSelector" in types and not refined:
                start, end = (
                    self.place.offset(selector.get(key), self._of_annotation(f"the {key} of a selector"))
                    for key in ("start", "end")
                )
                return self._valid_span(start, end)
            characters = _CHARACTERS.fullmatch(str(selector.get("value"))) if "FragmentSelector" in types else None
            if characters and not refined:
                return self._valid_span(int(characters[1]), int(characters[2]))
            kinds.extend(sorted(types) or ["an external selector"])
        self.counts[f"targets without a position in the text ({', '.join(sorted(set(kinds)))} only); left out"] += 1
        return None

    def _valid_span(self, start: int, end: int) -> tuple[int, int]:
        place = self.place
        check_span(
            start,
            end,
            None,
            what=self._of_annotation("a selector"),
            path=place.path,
            format=place.format,
            line=place.line,
        )
        return start, end

    def _iri(self, name: str) -> str:
        """A name with its prefix written out, if the file declares it."""
        prefix, colon, rest = name.partition(":")
        if colon and prefix in self.prefixes and not rest.startswith("//"):
            return self.prefixes[prefix] + rest
        return name.removeprefix(RELATIVE)

    def _of_annotation(self, what: str) -> str:
        return f"{what} of annotation {self.number}"

    def _fail(self, problem: str) -> Any:
        self.place.fail(f"annotation {self.number} {problem}", "Correct it.")


def _node(statements: Statements, subject: str, depth: int) -> dict[str, Any]:
    """A node of a graph as the object that it is in JSON."""
    result: dict[str, Any] = {} if subject.startswith("_:") else {"id": subject}
    for role in _ROLES.values():
        values: list[Any] = statements.all(subject, role)
        if not values:
            continue
        if role in ("start", "end"):
            result[role] = statements.number(subject, role)
        elif role in _LITERALS:
            result[role] = values[0]
        elif role in _NODES and depth:
            inner = [_node(statements, value, depth - 1) for value in values]
            result[role] = inner if role in ("body", "target", "selector") else inner[0]
        else:
            result[role] = values
    return result


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _id(value: Any) -> Any:
    return value.get("id", value.get("@id")) if isinstance(value, dict) else value


def _short_names(value: Any) -> frozenset[str]:
    """Motivations, purposes or types by their short names."""
    return frozenset(item.removeprefix(OA).removeprefix("oa:") for item in _list(value) if isinstance(item, str))


def _types(item: _Object) -> frozenset[str]:
    return _short_names(item.get("type", item.get("@type")))
