"""Header lines: `edge_header`, `corpus_columns`, `instance_columns`: which column is which, in the usual words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

EITHER = "confidence or weight"  # a column that may be either, so that the user has to say which
_ANY = "any"  # a word for a concept that does not say which end of a link it is
_THINGS = ("", "id", "term", "concept", "class", "name", "iri", "uri", "category", "topic", "type", "node")
_EDGES: dict[str, str] = {
    **{f"child{thing}": "child" for thing in _THINGS},
    **{f"narrower{thing}": "child" for thing in ("", "term", "concept")},
    **{f"sub{thing}": "child" for thing in _THINGS},
    "hyponym": "child",
    **{f"parent{thing}": "parent" for thing in _THINGS},
    **{f"broader{thing}": "parent" for thing in ("", "term", "concept")},
    **{f"super{thing}": "parent" for thing in _THINGS},
    "hypernym": "parent", "hyperonym": "parent", "parents": "parent", "isa": "parent", "subclassof": "parent",
    "weight": "weight", "confidence": "confidence", "probability": "confidence", "score": EITHER,
    "label": "label", "name": "label", "preflabel": "label", "id": "id", "nr": "id", "no": "id",
    **dict.fromkeys(("concept", "class", "term", "iri", "uri", "category", "topic", "type", "word", "synset"), _ANY),
}  # fmt: skip
_UNDIRECTED = ({"source", "target"}, {"from", "to"}, {"subject", "object"}, {"head", "tail"})

# Words of tables about documents; of several that are there the first counts.
_DOCUMENT = ("document", "doc", "documentid", "docid", "documentname", "docname", "file", "filename")
_DOCUMENT_WORDS = (*_DOCUMENT, "entryid", "target", "instance", "item", "url", "id", "query", "topic")
_CONCEPT = (
    "concept", "conceptid", "concepturi", "conceptiri", "class", "classid", "classuri", "classiri", "subjecturi",
    "subjectiri", "uri", "iri", "goterm", "subject", "subjects", "term", "termid", "label", "labels", "category",
    "type", "topic",
)  # fmt: skip
_SCORE = ("score", "confidence", "probability", "weight")
_CORPUS = {
    "start": ("start", "begin", "startoffset", "beginoffset"), "end": ("end", "stop", "endoffset"),
    "instance": ("instance", "inst", "instanceuri", "instanceiri", "individual"), "score": _SCORE,
}  # fmt: skip
_INSTANCE = (
    "instance", "individual", *_DOCUMENT, "url", "page", "item", "entity", "id", "name",
)  # fmt: skip
_STRENGTH = ("strength", *_SCORE)


class EdgeHeader(NamedTuple):
    """What the columns of a table of links are called."""

    order: list[str]  # of LoadOptions.columns, EITHER, or "" for a column that is not read
    directed: bool = True  # False: the words do not say which end of a link is the parent


def heading_word(cell: str) -> str:
    """A word of a header line without case, blanks and signs."""
    return re.sub(r"[\W_]", "", cell.casefold())


def edge_header(cells: Sequence[str]) -> EdgeHeader | None:
    """The columns that the first line of a table of links names; None if it is no header.

    A word such as `class` is the other end where one end is named: `class, subclass` is parent and child.
    """
    words = [heading_word(cell) for cell in cells]
    order = [_EDGES.get(word, "") for word in words]
    if any(pair <= set(words) for pair in _UNDIRECTED) and not {"child", "parent"} & set(order):
        return EdgeHeader(order, directed=False)
    ends = [name for name in order if name in ("child", "parent")]
    if len(ends) > 2 and len(set(ends)) == 2:
        return EdgeHeader(order, directed=False)
    if not ends or len(set(ends)) < len(ends):
        return None
    if len(ends) == 1:
        missing, kinds = ("child", (_ANY, "id", "label")) if ends == ["parent"] else ("parent", (_ANY,))
        kind = next((kind for kind in kinds if kind in order), None)
        if kind is None:
            return None
        if order.count(kind) > 1:
            return EdgeHeader(order, directed=False)
        order[order.index(kind)] = missing
    return EdgeHeader([_unless_repeated(name, order[:place]) for place, name in enumerate(order)])


def contradicts(cells: Sequence[str], columns: Sequence[str]) -> bool:
    """True if a header line names a column otherwise than the user does; labels and ids may serve as names."""
    pairs = zip([_EDGES.get(heading_word(cell), "") for cell in cells], columns, strict=False)
    return any(
        column not in ("weight", "confidence") if name == EITHER else name != column
        for name, column in pairs
        if name in ("child", "parent", "weight", "confidence", EITHER)
    )


def corpus_columns(cells: Sequence[str]) -> dict[str, int] | None:
    """The columns of a table of annotations or labels that its first line names; None if it is no header.

    Keys: document, concept, start, end, instance, score. `topic` is a label beside a document, else a document.
    """
    words = [heading_word(cell) for cell in cells]
    columns = _places(words, _CORPUS)
    if "start" not in columns and not set(words) & set(_DOCUMENT):
        columns.pop("instance", None)  # labels of instances
    document = _place(words, _DOCUMENT_WORDS, columns.values())
    if document is None or ("start" in columns) != ("end" in columns):
        return None
    columns["document"] = document
    concept = _place(words, _CONCEPT, columns.values())
    if concept is not None:
        columns["concept"] = concept
    return columns if concept is not None or {"start", "instance"} <= columns.keys() else None


def instance_columns(cells: Sequence[str]) -> dict[str, int] | None:
    """The columns of a table of instances that its first line names; None if it is no header."""
    words = [heading_word(cell) for cell in cells]
    columns = _places(words, {"strength": _STRENGTH})
    # the surest words first: `label` and `name` may be either
    for name, choices in (("concept", _CONCEPT[:10]), ("instance", _INSTANCE), ("concept", _CONCEPT)):
        place = _place(words, choices, columns.values())
        if name not in columns and place is not None:
            columns[name] = place
    return columns if {"instance", "concept"} <= columns.keys() else None


def _places(words: Sequence[str], choices: Mapping[str, Iterable[str]]) -> dict[str, int]:
    places = {name: _place(words, known, ()) for name, known in choices.items()}
    return {name: place for name, place in places.items() if place is not None}


def _place(words: Sequence[str], choices: Iterable[str], taken: Collection[int]) -> int | None:
    """Where the first of the choices that is there stands; a place that is taken does not count."""
    return next((n for choice in choices for n, word in enumerate(words) if word == choice and n not in taken), None)


def _unless_repeated(name: str, before: Sequence[str]) -> str:
    return "" if name == _ANY or name in before else name
