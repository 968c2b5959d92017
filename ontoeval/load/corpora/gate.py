"""GATE XML, of any age: text with nodes, annotation sets that refer to the nodes, features.

KIM's documents are such, too: the features of its annotations are `class` and `inst`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from operator import ne
from typing import Any
from xml.sax.saxutils import unescape

from ontoeval.errors import LoadError
from ontoeval.load.corpora.features import Chooser
from ontoeval.load.corpora.reader import Choices, document_name
from ontoeval.load.guard import check_xml
from ontoeval.load.source import Input
from ontoeval.model.corpus import AnnotatedDocument, Annotation

FORMAT = "gate"
_ROOT = "GateDocument"
_POSITION = re.compile(r", line \d+, column \d+\Z")  # at the end of a parser's message
_NODE = re.compile(r'<Node id="([^"]+)"/>')
_RETURN = {"&#13;": "\r"}  # which a parser would take for a line break
# No part gives back what it took, so that a hostile file costs one run over its first bytes.
_START = re.compile(
    rb"\s*+(?:<\?.*?\?>\s*+|<!--.*?-->\s*+|<!DOCTYPE\b[^\[>]*+(?:\[.*?\]\s*+)?+>\s*+)*+<GateDocument[\s>/]", re.DOTALL
)


def is_gate(head: bytes, name: str) -> bool:
    """Whether the first element is that of a GATE document."""
    return _START.match(head) is not None


def read_gate(given: Input, choices: Choices) -> Iterator[AnnotatedDocument]:
    """The document of a file; its name is the file's, so that keys and responses meet."""
    chooser = Chooser(choices, given.name, FORMAT)
    root = _parsed(given)
    body = root.find("TextWithNodes")
    if body is None:
        raise _error(given, "there is no <TextWithNodes> in the document. Export it as GATE XML, not inline.")
    places, length = _places(body, choices)
    found: list[Annotation] = []
    for part in root.iterchildren("AnnotationSet"):
        found += _annotations(part, places, chooser)
    chooser.check_one_set()
    yield AnnotatedDocument(document_name(given.name), found, length)


def _parsed(given: Input) -> Any:
    from lxml import etree

    with given.open() as stream:
        data = stream.read()
    if b"<!DOCTYPE" in data:  # there are no entities to guard against without
        check_xml(given)
    try:
        root = etree.fromstring(data, _parser())
    except etree.XMLSyntaxError as error:
        raise _error(
            given,
            f"not well-formed XML: {_POSITION.sub('', error.msg)}. The file is damaged or cut off: fetch it again.",
            error.lineno,
        ) from None
    if root.tag != _ROOT:
        raise _error(given, f"the root element is <{root.tag}>, expected <{_ROOT}>. Give GATE XML.")
    if root.getroottree().docinfo.doctype:
        unknown = next(root.iter(etree.Entity), None)
        if unknown is not None:  # its text would be missing, and all that follows be in the wrong place
            raise _error(
                given, f"the entity '{unknown.text}' is declared nowhere. Write its text in full.", unknown.sourceline
            )
    return root


@lru_cache(maxsize=1)
def _parser() -> Any:
    """Entities have passed the guard by then; nothing is fetched, and a text may be long."""
    from lxml import etree

    return etree.XMLParser(
        resolve_entities="internal", no_network=True, load_dtd=False, huge_tree=True, remove_comments=True,
        remove_pis=True,
    )  # fmt: skip


def _places(body: Any, choices: Choices) -> tuple[dict[str, int], int]:
    """For each node the characters before it, and the length of the text.

    A node's id is said to be its offset in UTF-16 units. What counts is where it stands, as it does for GATE itself.
    """
    texts, numbers = _pieces(body)
    places = list(accumulate(map(len, texts)))
    units = places if "".join(texts).isascii() else list(accumulate(map(_units, texts)))
    moved = sum(map(ne, numbers, map(str, units)))
    if moved:
        choices.findings.counts["nodes whose id is not their offset"] += moved
        choices.findings.note("some node ids are not offsets; where the nodes stand in the text counts.")
    return dict(zip(numbers, places, strict=False)), places[-1]


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _pieces(body: Any) -> tuple[list[str], list[str]]:
    """The texts before, between and after the nodes, and the ids of the nodes."""
    from lxml import etree

    # A tag as lxml writes it has one form, and splitting is much faster than the nodes one by one.
    written = etree.tostring(body, encoding="unicode", with_tail=False)
    inside = written[written.index(">") + 1 : written.rindex("<")] if not written.endswith("/>") else ""
    pieces = _NODE.split(inside)
    if inside.count("<") == len(pieces) // 2:
        texts = pieces[::2]
        return [unescape(text, _RETURN) if "&" in text else text for text in texts], pieces[1::2]
    return [body.text or "", *(node.tail or "" for node in body)], [node.get("id", "") for node in body]


def _annotations(part: Any, places: dict[str, int], chooser: Chooser) -> Iterator[Annotation]:
    name = part.get("Name", "")
    if not chooser.wants(name, len(part)):
        return
    types, seen = chooser.types, chooser.findings.types
    for element, written in zip(part, _written(part), strict=True):
        type = element.get("Type", "")
        seen[type] += 1
        if types and type not in types:
            continue
        start, end = places.get(element.get("StartNode")), places.get(element.get("EndNode"))
        if start is None or end is None or start > end:
            raise _misplaced(element, places, chooser)
        key = (type, written or _features(element))
        known = chooser.known.get(key) or chooser.look(type, dict(_features(element)), key)
        if chooser.takes(name, known):
            yield Annotation(start, end, known.concept, known.instance, None, known.text)


def _written(part: Any) -> list[bytes]:
    """The features of each annotation as they are written, none of them where that cannot be told.

    Many annotations have the same ones, which need not be taken apart again.
    """
    from lxml import etree

    pieces: list[bytes] = etree.tostring(part, encoding="utf-8", with_tail=False).split(b"</Annotation>")
    if len(pieces) != len(part) + 1:  # <Annotation/>
        return [b""] * len(part)
    return [piece[piece.find(b">", piece.find(b"<Annotation ")) + 1 :] for piece in pieces[:-1]]


def _features(element: Any) -> tuple[tuple[str, str], ...]:
    """Name and value of each feature as text; an empty value is one, too."""
    features = []
    for feature in element:
        parts = list(feature)
        if len(parts) == 2 and parts[0].tag == "Name":
            features.append((parts[0].text or "", parts[1].text or ""))
    return tuple(features)


def _misplaced(element: Any, places: dict[str, int], chooser: Chooser) -> LoadError:
    what = f"the annotation {element.get('Id')!r} of type {element.get('Type')!r}"
    ends = [element.get("StartNode"), element.get("EndNode")]
    missing = [end for end in ends if end not in places]
    if missing:
        problem = (
            f"{what} refers to the node {missing[0]!r}, which is not in the text. Give the text that was annotated."
        )
    else:
        problem = f"{what} starts at node {ends[0]!r} and ends before that, at node {ends[1]!r}. Correct its offsets."
    return LoadError(problem, path=chooser.path, format=FORMAT, line=element.sourceline)


def _error(given: Input, message: str, line: int | None = None) -> LoadError:
    return LoadError(message, path=given.name, format=FORMAT, line=line)
