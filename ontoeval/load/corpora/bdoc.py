"""Reader of bdoc (gatenlp): JSON, YAML, MessagePack, UTF-16 offsets (what is the class: gate_features.py)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ontoeval.errors import LoadError, MissingInputError
from ontoeval.load.corpora.format import CorpusOptions, check_span, document_name
from ontoeval.load.corpora.gate_features import Chooser
from ontoeval.load.input import Input, unpacked_name
from ontoeval.load.safety import MAX_DEPTH, check_brackets
from ontoeval.model.corpus import AnnotatedDocument, Annotation

FORMAT = "bdoc"
_SUFFIXES = (".bdocjs", ".bdocjson", ".bdocym", ".bdocyml", ".bdocyaml", ".bdocmp")
_JSON = re.compile(rb'"annotation_sets"\s*+:\s*+[{\[]|"offset_type"\s*+:\s*+"[jp]"')
_YAML = re.compile(rb"^annotation_sets:", re.MULTILINE)
_PACKED_MARK = re.compile(rb"\xa3sm\d")
_EXTRA = "Run `pip install 'ontoeval-toolkit[bdoc]'`."
_EXPORT = "Export the document again."


def is_bdoc(head: bytes, name: str) -> bool:
    """Whether it is one by its content; a long text may come first, so that the suffix counts, too."""
    if unpacked_name(name).endswith(_SUFFIXES) or _PACKED_MARK.match(head):
        return True
    return bool((_JSON if head.lstrip()[:1] == b"{" else _YAML).search(head))


def read_bdoc(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """The document of a file; its name is the file's, as GATE makes the inner one up anew in every run."""
    chooser = Chooser(options, file.name, FORMAT)
    with file.open() as stream:
        data = stream.read()
    if _PACKED_MARK.match(data):
        document = _from_messagepack(file, data)
    elif data.lstrip()[:1] == b"{":
        document = _from_json(file, data)
    else:
        document = _from_yaml(file, data)
    text = document.get("text")
    if not isinstance(text, str):
        raise _error(file, f"the 'text' of the document is {_kind(text)}, expected a string", _EXPORT)
    character_at = _character_at(file, text, document.get("offset_type"))
    annotations: list[Annotation] = []
    for name, members in _sets(file, document.get("annotation_sets")):
        if chooser.count_set(name, len(members)):
            annotations += _annotations(file, name, members, character_at, len(text), chooser)
    chooser.check_one_set()
    yield AnnotatedDocument(document_name(file.name), annotations, len(text))


def _sets(file: Input, sets: Any) -> Iterator[tuple[str, list[Any]]]:
    """Name and annotations; sets are a mapping by name, or a list whose members know their names."""
    if sets is None:
        return
    members = list(sets.items()) if isinstance(sets, Mapping) else [(None, member) for member in _as_list(file, sets)]
    for name, member in members:
        if not isinstance(member, Mapping):
            raise _error(file, f"an annotation set is {_kind(member)}, expected a mapping", _EXPORT)
        yield str(name if name is not None else member.get("name") or ""), _as_list(file, member.get("annotations"))


def _as_list(file: Input, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise _error(file, f"found {_kind(value)}, expected a list of annotations", _EXPORT)
    return value


def _annotations(
    file: Input,
    set_name: str,
    members: list[Any],
    character_at: Callable[[int, str], int],
    length: int,
    chooser: Chooser,
) -> Iterator[Annotation]:
    types, seen = chooser.types, chooser.findings.types
    for member in members:
        type, ends, features = _fields(file, member)
        seen[type] += 1
        if types and type not in types:
            continue
        what = f"the annotation {member.get('id')!r} of type {type!r}"
        start, end = character_at(ends[0], what), character_at(ends[1], what)
        check_span(start, end, length, what=what, path=file.name, format=FORMAT)
        content = chooser.content(type, features)
        if chooser.keeps(set_name, content):
            yield Annotation(start, end, content.concept, content.instance, None, content.text)


def _fields(file: Input, member: Any) -> tuple[str, tuple[int, int], dict[str, Any]]:
    """Type, offsets and features of an annotation."""
    fields = member if isinstance(member, dict) else {}
    type, ends, features = fields.get("type"), (fields.get("start"), fields.get("end")), fields.get("features") or {}
    if not isinstance(type, str) or not isinstance(features, dict) or any(end.__class__ is not int for end in ends):
        excerpt = repr(member)
        excerpt = excerpt if len(excerpt) <= 80 else f"{excerpt[:77]}..."
        raise _error(file, f"{excerpt} is not an annotation", "Add type, start, end and features.")
    return type, ends, features  # type: ignore[return-value]


def _character_at(file: Input, text: str, offset_type: Any) -> Callable[[int, str], int]:
    """A function from an offset of the document to a character: `p` counts characters, `j` UTF-16 units."""
    if offset_type not in ("j", "p", None):
        raise _error(file, f"the offset_type {offset_type!r} is neither 'j' nor 'p'", _EXPORT)
    if offset_type == "p" or not text or max(text) < "\U00010000":
        return lambda offset, _: offset
    if offset_type is None:
        raise _error(
            file,
            "the text has characters of two UTF-16 units, but no offset_type says what offsets count",
            'Add "offset_type": "j" (UTF-16 units, as GATE) or "p" (characters, as Python).',
        )
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    units = np.zeros(len(codes) + 1, dtype=np.int64)  # before each character
    np.cumsum(1 + (codes > 0xFFFF), out=units[1:])
    total = int(units[-1])

    def character_at(offset: int, what: str) -> int:
        if not 0 <= offset <= total:
            raise _error(
                file,
                f"{what} has the offset {offset}, which is outside the text of {total:,} UTF-16 units",
                "Use the text that was annotated.",
            )
        character = int(np.searchsorted(units, offset))
        if units[character] != offset:
            raise _error(file, f"{what} has the offset {offset}, which is inside a character", "Correct its offsets.")
        return character

    return character_at


def _from_json(file: Input, data: bytes) -> Mapping[str, Any]:
    check_brackets(data, file.name)
    try:
        return _document(file, json.loads(data))
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        message = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise _error(
            file, f"not valid JSON: {message}", "The file is damaged or truncated: download it again.", line
        ) from None


def _from_yaml(file: Input, data: bytes) -> Mapping[str, Any]:
    try:
        import yaml
    except ImportError:
        raise _missing_package(file, "YAML", "PyYAML") from None
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # neither makes anything but plain values
    try:
        depth = 0
        for event in yaml.parse(data, Loader=loader):  # the parser that follows would overflow its stack
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise _error(file, f"values are nested more than {MAX_DEPTH} deep", _EXPORT, event.start_mark.line + 1)
        document = yaml.load(data, Loader=loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise _error(
            file,
            f"not valid YAML: {problem}",
            "The file is damaged or truncated: download it again.",
            None if mark is None else mark.line + 1,
        ) from None
    _check_aliases(file, document, (4 << 20) + 20 * len(data))
    return _document(file, document)


def _check_aliases(file: Input, document: Any, limit: int) -> None:
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
        raise _error(file, f"its aliases expand to more than {limit:,} bytes, which is unsafe", _EXPORT)


def _from_messagepack(file: Input, data: bytes) -> Mapping[str, Any]:
    try:
        import msgpack
    except ImportError:
        raise _missing_package(file, "MessagePack", "msgpack") from None
    unpacker = msgpack.Unpacker(strict_map_key=False, max_buffer_size=len(data))
    unpacker.feed(data)
    try:
        return _document_from_values(unpacker.unpack)
    except (msgpack.UnpackException, ValueError, TypeError) as error:
        problem = str(error) or type(error).__name__
        raise _error(
            file,
            f"not valid MessagePack: {problem.rstrip('.')}",
            "The file is damaged or truncated: download it again.",
        ) from None


def _document_from_values(next_value: Callable[[], Any]) -> Mapping[str, Any]:
    """The values of a MessagePack file come one after the other, sets and annotations after their numbers."""
    next_value()  # the version
    document = {"offset_type": next_value(), "text": next_value(), "name": next_value(), "features": next_value()}
    sets = []
    for _ in range(next_value()):
        name = next_value()
        next_value()  # the next id
        annotations = []
        for _ in range(next_value()):
            annotations.append(
                {
                    "type": next_value(),
                    "start": next_value(),
                    "end": next_value(),
                    "id": next_value(),
                    "features": next_value(),
                }
            )
        sets.append({"name": name, "annotations": annotations})
    return {**document, "annotation_sets": sets}


def _document(file: Input, document: Any) -> Mapping[str, Any]:
    if not isinstance(document, dict):
        raise _error(file, f"found {_kind(document)}, expected a document with 'text' and 'annotation_sets'", _EXPORT)
    return document


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    return f"a {type(value).__name__}"


def _missing_package(file: Input, syntax: str, package: str) -> MissingInputError:
    return MissingInputError(f"reading bdoc {syntax} needs {package}", place=file.name, advice=_EXTRA)


def _error(file: Input, problem: str, advice: str, line: int | None = None) -> LoadError:
    return LoadError(problem, advice=advice, path=file.name, format=FORMAT, line=line)
