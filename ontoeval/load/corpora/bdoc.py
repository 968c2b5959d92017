"""GATE documents as gatenlp and the Bdoc plugin write them: JSON, YAML or MessagePack."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ontoeval.errors import LoadError, MissingInputError
from ontoeval.load.corpora.format import PACKED, Choices, check_span, document_name
from ontoeval.load.corpora.gate_features import Chooser
from ontoeval.load.input import Input
from ontoeval.load.safety import MAX_DEPTH, check_brackets
from ontoeval.model.corpus import AnnotatedDocument, Annotation

FORMAT = "bdoc"
_SUFFIXES = (".bdocjs", ".bdocjson", ".bdocym", ".bdocyml", ".bdocyaml", ".bdocmp")
_JSON = re.compile(rb'"annotation_sets"\s*+:\s*+[{\[]|"offset_type"\s*+:\s*+"[jp]"')
_YAML = re.compile(rb"^annotation_sets:", re.MULTILINE)
_PACKED_MARK = re.compile(rb"\xa3sm\d")
_EXTRA = "Install it with `pip install 'ontoeval-toolkit[bdoc]'`."
_EXPORT = "Export the document again."


def is_bdoc(head: bytes, name: str) -> bool:
    """Whether it is one by its content; a long text may come first, so that the suffix counts, too."""
    lower = name.lower()
    for packed in PACKED:
        lower = lower.removesuffix(packed)
    if lower.endswith(_SUFFIXES) or _PACKED_MARK.match(head):
        return True
    return bool((_JSON if head.lstrip()[:1] == b"{" else _YAML).search(head))


def read_bdoc(given: Input, choices: Choices) -> Iterator[AnnotatedDocument]:
    """The document of a file; its name is the file's, as GATE makes the inner one up anew in every run."""
    chooser = Chooser(choices, given.name, FORMAT)
    with given.open() as stream:
        data = stream.read()
    if _PACKED_MARK.match(data):
        document = _from_messagepack(given, data)
    elif data.lstrip()[:1] == b"{":
        document = _from_json(given, data)
    else:
        document = _from_yaml(given, data)
    text = document.get("text")
    if not isinstance(text, str):
        raise _error(given, f"the 'text' of the document is {_kind(text)}, expected a string. {_EXPORT}")
    place = _placing(given, text, document.get("offset_type"))
    found: list[Annotation] = []
    for name, members in _sets(given, document.get("annotation_sets")):
        if chooser.wants(name, len(members)):
            found += _annotations(given, name, members, place, len(text), chooser)
    chooser.check_one_set()
    yield AnnotatedDocument(document_name(given.name), found, len(text))


def _sets(given: Input, sets: Any) -> Iterator[tuple[str, list[Any]]]:
    """Name and annotations; sets are a mapping by name, or a list whose members know their names."""
    if sets is None:
        return
    members = list(sets.items()) if isinstance(sets, Mapping) else [(None, member) for member in _listed(given, sets)]
    for name, member in members:
        if not isinstance(member, Mapping):
            raise _error(given, f"an annotation set is {_kind(member)}, expected a mapping. {_EXPORT}")
        yield str(name if name is not None else member.get("name") or ""), _listed(given, member.get("annotations"))


def _listed(given: Input, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise _error(given, f"found {_kind(value)} in place of a list of annotations. {_EXPORT}")
    return value


def _annotations(
    given: Input, set_name: str, annotations: list[Any], place: Callable[[int, str], int], length: int, chooser: Chooser
) -> Iterator[Annotation]:
    types, seen = chooser.types, chooser.findings.types
    for one in annotations:
        type, ends, features = _fields(given, one)
        seen[type] += 1
        if types and type not in types:
            continue
        what = f"the annotation {one.get('id')!r} of type {type!r}"
        start, end = place(ends[0], what), place(ends[1], what)
        check_span(start, end, length, what=what, path=given.name, format=FORMAT)
        known = chooser.look(type, features)
        if chooser.takes(set_name, known):
            yield Annotation(start, end, known.concept, known.instance, None, known.text)


def _fields(given: Input, one: Any) -> tuple[str, tuple[int, int], dict[str, Any]]:
    """Type, offsets and features of an annotation."""
    known = one if isinstance(one, dict) else {}
    type, ends, features = known.get("type"), (known.get("start"), known.get("end")), known.get("features") or {}
    if not isinstance(type, str) or not isinstance(features, dict) or any(end.__class__ is not int for end in ends):
        shown = repr(one)
        shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
        raise _error(given, f"{shown} is no annotation. Give type, start, end and features of each.")
    return type, ends, features  # type: ignore[return-value]


def _placing(given: Input, text: str, offset_type: Any) -> Callable[[int, str], int]:
    """The character at an offset of the document's kind: `p` counts characters, `j` UTF-16 units."""
    if offset_type not in ("j", "p", None):
        raise _error(given, f"the offset_type {offset_type!r} is neither 'j' nor 'p'. {_EXPORT}")
    if offset_type == "p" or not text or max(text) < "\U00010000":
        return lambda offset, _: offset
    if offset_type is None:
        raise _error(
            given,
            "its text has characters of two UTF-16 units and no offset_type tells what offsets count. Add "
            '"offset_type": "j" (UTF-16 units, as GATE) or "p" (characters, as Python).',
        )
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    units = np.zeros(len(codes) + 1, dtype=np.int64)  # before each character
    np.cumsum(1 + (codes > 0xFFFF), out=units[1:])
    total = int(units[-1])

    def place(offset: int, what: str) -> int:
        if not 0 <= offset <= total:
            raise _error(
                given,
                f"{what} has the offset {offset}, which lies outside the text of {total:,} UTF-16 units. "
                "Give the text that was annotated.",
            )
        found = int(np.searchsorted(units, offset))
        if units[found] != offset:
            raise _error(given, f"{what} has the offset {offset}, which is inside a character. Correct its offsets.")
        return found

    return place


def _from_json(given: Input, data: bytes) -> Mapping[str, Any]:
    check_brackets(data, given.name)
    try:
        return _document(given, json.loads(data))
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        message = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise _error(
            given, f"not valid JSON: {message}. The file is damaged or cut off: fetch it again.", line
        ) from None


def _from_yaml(given: Input, data: bytes) -> Mapping[str, Any]:
    try:
        import yaml
    except ImportError:
        raise MissingInputError(f"{given.name}: reading bdoc YAML needs the package PyYAML. {_EXTRA}") from None
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # neither makes anything but plain values
    try:
        depth = 0
        for event in yaml.parse(data, Loader=loader):  # the parser that follows would overflow its stack
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise _error(
                    given, f"values are nested more than {MAX_DEPTH} deep. {_EXPORT}", event.start_mark.line + 1
                )
        document = yaml.load(data, Loader=loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise _error(
            given,
            f"not valid YAML: {problem}. The file is damaged or cut off: fetch it again.",
            None if mark is None else mark.line + 1,
        ) from None
    _check_aliases(given, document, (4 << 20) + 20 * len(data))
    return _document(given, document)


def _check_aliases(given: Input, document: Any, limit: int) -> None:
    """Refuse a document whose aliases, written out, are far larger than the file, or contain themselves."""
    sizes: dict[int, int] = {}

    def size(value: Any) -> int:
        if isinstance(value, str):
            return len(value) + 1
        if not isinstance(value, dict | list):
            return 8
        if id(value) not in sizes:
            sizes[id(value)] = limit + 1  # until it is known: one that contains itself has no end
            inner = [*value.keys(), *value.values()] if isinstance(value, dict) else value
            sizes[id(value)] = 2 + sum(map(size, inner))
        return sizes[id(value)]

    if size(document) > limit:
        raise _error(given, f"its aliases expand to more than {limit:,} bytes, which is refused as unsafe. {_EXPORT}")


def _from_messagepack(given: Input, data: bytes) -> Mapping[str, Any]:
    try:
        import msgpack
    except ImportError:
        raise MissingInputError(f"{given.name}: reading bdoc MessagePack needs the package msgpack. {_EXTRA}") from None
    unpacker = msgpack.Unpacker(strict_map_key=False, max_buffer_size=len(data))
    unpacker.feed(data)
    try:
        return _unpacked(unpacker.unpack)
    except (msgpack.UnpackException, ValueError, TypeError) as error:
        problem = str(error) or type(error).__name__
        raise _error(
            given, f"not valid MessagePack: {problem.rstrip('.')}. The file is damaged or cut off: fetch it again."
        ) from None


def _unpacked(value: Callable[[], Any]) -> Mapping[str, Any]:
    """The values of a MessagePack file come one after the other, sets and annotations after their numbers."""
    value()  # the version
    document = {"offset_type": value(), "text": value(), "name": value(), "features": value()}
    sets = []
    for _ in range(value()):
        name = value()
        value()  # the next id
        annotations = []
        for _ in range(value()):
            found = {"type": value(), "start": value(), "end": value(), "id": value(), "features": value()}
            annotations.append(found)
        sets.append({"name": name, "annotations": annotations})
    return {**document, "annotation_sets": sets}


def _document(given: Input, document: Any) -> Mapping[str, Any]:
    if not isinstance(document, dict):
        raise _error(
            given, f"found {_kind(document)}, expected a document with 'text' and 'annotation_sets'. {_EXPORT}"
        )
    return document


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    return f"a {type(value).__name__}"


def _error(given: Input, message: str, line: int | None = None) -> LoadError:
    return LoadError(message, path=given.name, format=FORMAT, line=line)
