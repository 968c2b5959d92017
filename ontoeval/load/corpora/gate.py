"""Reader of GATE XML: nodes to offsets; as text (fast) or by lxml (which annotations and classes: gate_features.py).

KIM's documents are such, too: the features of its annotations are `class` and `inst`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from operator import ne
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, unescape

from ontoeval.errors import LoadError
from ontoeval.load.corpora.format import AnnotationContent, CorpusOptions, document_name, read_bytes
from ontoeval.load.corpora.gate_features import Chooser
from ontoeval.load.input import Input
from ontoeval.load.safety import check_xml
from ontoeval.model.corpus import AnnotatedDocument, Annotation

FORMAT = "gate"
_ROOT = "GateDocument"
_POSITION = re.compile(r", line \d+, column \d+\Z")  # at the end of a parser's message
# What GATE itself writes, in a file that the parser has found to be well-formed
_COMMENT_OR_CDATA = re.compile(r"<!(?:--.*?--|\[CDATA\[(.*?)\]\])>", re.DOTALL)
_NODE = re.compile(r'<Node id="(\d+)" ?/>')
_SET = re.compile(r'\s*<AnnotationSet(?: Name="([^"]*)")?>')
_JAVA = r"""(?: (?:className|itemClassName)=(?:"[^"<>&]*"|'[^'<>&]*'))*"""
_FEATURE = re.compile(
    rf"<Feature>\s*<Name{_JAVA}>([^<>]*)</Name>\s*<Value{_JAVA}(?:/>|>([^<>]*)</Value>)\s*</Feature>\s*"
)
_ENTITIES = {"&quot;": '"', "&apos;": "'", "&#13;": "\r", "&#xD;": "\r"}
_NOT_BEFORE = ("<TextWithNodes", "<AnnotationSet", "xmlns", "xml:")  # the text
_OTHER_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#13|#xD);)")
_NOT_AS_WRITTEN = re.compile(r"[&\t\n]")  # in an attribute: a parser gives something else
# No part gives back what it took, so that a hostile file costs one run over its first bytes.
_START = re.compile(
    rb"\s*+(?:<\?.*?\?>\s*+|<!--.*?-->\s*+|<!DOCTYPE\b[^\[>]*+(?:\[.*?\]\s*+)?+>\s*+)*+<GateDocument[\s>/]", re.DOTALL
)


Row = tuple[int, int, AnnotationContent]  # start, end, class and instance


class _Body(NamedTuple):
    """The text of a document: where its nodes are, and its length."""

    places: dict[str, int]  # node -> characters before it
    length: int
    moved: int  # nodes whose id is not their offset


class _Set(NamedTuple):
    """An annotation set."""

    name: str
    size: int
    types: Counter[str]  # none in a set that is not chosen
    rows: list[Row]  # the annotations of the chosen types


def is_gate(head: bytes, name: str) -> bool:
    """Whether the first element is that of a GATE document."""
    return _START.match(head) is not None


def read_gate(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """The document of a file; its name is the file's, so that keys and responses meet."""
    chooser = Chooser(options, file.name, FORMAT)
    data = read_bytes(file)
    if b"<!DOCTYPE" in data:  # there are no entities to guard against without
        check_xml(file)
    body, sets = _from_text(data, chooser) or _from_tree(data, file, chooser)
    if body.moved:
        options.findings.counts["nodes with an id other than the offset; the place in the text was used"] += body.moved
    keeps = chooser.keeps
    annotations: list[Annotation] = []
    for name, size, types, rows in sets:
        chooser.count_set(name, size)
        options.findings.types.update(types)
        for start, end, content in rows:
            if keeps(name, content):
                annotations.append(Annotation(start, end, content.concept, content.instance, None, content.text))
    chooser.check_one_set()
    yield AnnotatedDocument(document_name(file.name), annotations, body.length)


def _from_tree(data: bytes, file: Input, chooser: Chooser) -> tuple[_Body, list[_Set]]:
    """The text and the annotation sets of a document of any form."""
    root = _parse(data, file)
    text = root.find("TextWithNodes")
    if text is None:
        raise _error(file, "no <TextWithNodes> in the document", "Export it as GATE XML, not inline.")
    body = _body([text.text or "", *(node.tail or "" for node in text)], [node.get("id", "") for node in text])
    sets = []
    for part in root.iterchildren("AnnotationSet"):
        name = part.get("Name", "")
        types: Counter[str] = Counter()
        rows = list(_rows_of_tree(part, body.places, types, chooser)) if chooser.selects_set(name) else []
        sets.append(_Set(name, len(part), types, rows))
    return body, sets


def _parse(data: bytes, file: Input) -> Any:
    from lxml import etree

    try:
        root = etree.fromstring(data, _parser())
    except etree.XMLSyntaxError as error:
        raise _error(
            file,
            f"not well-formed XML: {_POSITION.sub('', error.msg)}",
            "The file is damaged or truncated: download it again.",
            error.lineno,
        ) from None
    if root.tag != _ROOT:
        raise _error(file, f"the root element is <{root.tag}>, expected <{_ROOT}>", "Use GATE XML.")
    if root.getroottree().docinfo.doctype:
        unknown = next(root.iter(etree.Entity), None)
        if unknown is not None:  # its text would be missing, and all that follows be in the wrong place
            raise _error(
                file, f"the entity '{unknown.text}' is not declared", "Write its text in full.", unknown.sourceline
            )
    return root


@lru_cache(maxsize=2)
def _parser(target: object = None) -> Any:
    """A parser that fetches nothing and takes long texts; entities have been checked before."""
    from lxml import etree

    return etree.XMLParser(
        resolve_entities="internal", no_network=True, load_dtd=False, huge_tree=True, remove_comments=True,
        remove_pis=True, target=target,
    )  # fmt: skip


class _NoTree:
    """The target of a parser that only checks a file."""

    def close(self) -> None:
        """Nothing was built."""


_NO_TREE = _NoTree()


def _is_well_formed(data: bytes) -> bool:
    """Whether a parser reports no error; it builds no tree, which takes most of the time."""
    from lxml import etree

    parser = _parser(_NO_TREE)
    try:
        etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return False
    return not len(parser.error_log)  # prefixes that are not declared


def _body(texts: list[str], numbers: list[str]) -> _Body:
    """Of the texts before, between and after the nodes, and the ids of the nodes.

    A node's id should be its offset in UTF-16 units. What counts is its position, as it does for GATE itself.
    """
    places = list(accumulate(map(len, texts)))
    units = places if _units("".join(texts)) == places[-1] else list(accumulate(map(_units, texts)))
    moved = sum(map(ne, numbers, map(str, units)))
    return _Body(dict(zip(numbers, places, strict=False)), places[-1], moved)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _from_text(data: bytes, chooser: Chooser) -> tuple[_Body, list[_Set]] | None:
    """What `_from_tree` gives, for a document in the form that GATE itself writes; None for all others.

    The text of a well-formed file is much faster to split than its elements are to look at one by one.
    """
    if not _is_well_formed(data):
        return None
    text = data.decode()
    if text.startswith("<?xml "):
        text = text.partition("?>")[2]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "!" in text and "<!" in text:  # one character is found much faster than two
        text = _COMMENT_OR_CDATA.sub(lambda match: escape(match[1] or ""), text)
        if "<!" in text:
            return None
    if ("?" in text and "<?" in text) or ("&" in text and _OTHER_ENTITY.search(text)):
        return None
    # From here on each < starts a tag. The sets are in the root, and not in each other, if only its end follows them.
    before, _, rest = text.partition("<TextWithNodes>")
    inside, _, rest = rest.partition("</TextWithNodes>")
    *parts, end = rest.split("</AnnotationSet>")
    pieces = _NODE.split(inside)
    if (
        end.strip() != f"</{_ROOT}>" or any(map(before.__contains__, _NOT_BEFORE))
        or inside.count("<") != len(pieces) // 2
    ):  # fmt: skip
        return None
    texts = [_unescape(piece) for piece in pieces[::2]] if "&" in inside else pieces[::2]
    body = _body(texts, pieces[1::2])
    sets = []
    for part in parts:
        annotation_set = _set_of_text(part, body.places, chooser)
        if annotation_set is None:
            return None
        sets.append(annotation_set)
    return body, sets


def _unescape(text: str) -> str:
    return unescape(text, _ENTITIES) if "&" in text else text


def _set_of_text(part: str, places: dict[str, int], chooser: Chooser) -> _Set | None:
    """A set up to its end tag; many annotations have the same features, which are parsed once."""
    opening = _SET.match(part)
    if opening is None:
        return None
    name = opening[1] or ""
    *pieces, end = part[opening.end() :].split("</Annotation>")
    if end.strip() or _NOT_AS_WRITTEN.search(name):
        return None
    rows: list[Row] = []
    types: list[str] = []
    selected, kept_types = chooser.selects_set(name), chooser.types
    content_of, place_of = chooser.contents.get, places.get
    for piece in pieces:
        try:
            head, _, second, type, third, start, fourth, end, features = piece.split('"', 8)
        except ValueError:
            return None
        if not (
            second == " Type=" and third == " StartNode=" and fourth == " EndNode="
            and head.lstrip() == "<Annotation Id=" and features[0] == ">"
        ):  # fmt: skip
            return None
        if selected:
            types.append(type)
        if not selected or (kept_types and type not in kept_types):
            if "xml:" in features:  # a wrong xml:id is an error in a tree only
                return None
            continue
        content = content_of((type, features))
        if content is None:
            values = _features_of_text(features[1:])
            if values is None:
                return None
            content = chooser.content(type, values, (type, features))
        first, last = place_of(start), place_of(end)
        if first is None or last is None or first > last:
            return None
        rows.append((first, last, content))
    count = Counter(types)
    return None if any(map(_NOT_AS_WRITTEN.search, count)) else _Set(name, len(pieces), count, rows)


def _features_of_text(text: str) -> dict[str, str] | None:
    pieces = _FEATURE.split(text)
    if "".join(pieces[::3]).strip():
        return None
    return {_unescape(name): _unescape(value or "") for name, value in zip(pieces[1::3], pieces[2::3], strict=True)}


def _rows_of_tree(part: Any, places: dict[str, int], types: Counter[str], chooser: Chooser) -> Iterator[Row]:
    """The annotations of the chosen types, counting all; refuses those that are nowhere in the text."""
    for element in part:
        type = element.get("Type", "")
        types[type] += 1
        if chooser.types and type not in chooser.types:
            continue
        start, end = places.get(element.get("StartNode")), places.get(element.get("EndNode"))
        if start is None or end is None or start > end:
            raise _place_error(element, places, chooser)
        features = _features(element)
        key = (type, features)
        yield start, end, chooser.contents.get(key) or chooser.content(type, dict(features), key)


def _features(element: Any) -> tuple[tuple[str, str], ...]:
    """Name and value of each feature as text; an empty value is one, too."""
    features = []
    for feature in element:
        parts = list(feature)
        if len(parts) == 2 and parts[0].tag == "Name":
            features.append((parts[0].text or "", parts[1].text or ""))
    return tuple(features)


def _place_error(element: Any, places: dict[str, int], chooser: Chooser) -> LoadError:
    what = f"the annotation {element.get('Id')!r} of type {element.get('Type')!r}"
    ends = [element.get("StartNode"), element.get("EndNode")]
    missing = [end for end in ends if end not in places]
    if missing:
        problem = f"{what} refers to the node {missing[0]!r}, which is not in the text"
        advice = "Use the text that was annotated."
    else:
        problem = f"{what} starts at node {ends[0]!r} but ends before it, at node {ends[1]!r}"
        advice = "Correct its offsets."
    return LoadError(problem, advice=advice, path=chooser.path, format=FORMAT, line=element.sourceline)


def _error(file: Input, problem: str, advice: str, line: int | None = None) -> LoadError:
    return LoadError(problem, advice=advice, path=file.name, format=FORMAT, line=line)
