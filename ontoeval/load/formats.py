"""Which format a file is in: by its content first, by its suffix second."""

from __future__ import annotations

import re
from typing import Literal, get_args

from ontoeval.errors import EmptyFileError, LoadError, ParameterError, UnknownFormatError, did_you_mean
from ontoeval.load.input import HEAD, Input
from ontoeval.load.safety import check_xml

Format = Literal[
    "xml",
    "turtle",
    "nt",
    "nquads",
    "trig",
    "n3",
    "json-ld",
    "owlxml",
    "ofn",
    "obo",
    "obograph",
    "tsv",
    "pairs",
    "wordnet",
]
FORMATS: tuple[Format, ...] = get_args(Format)
RDF_NAMESPACE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
OWL_NAMESPACE = "http://www.w3.org/2002/07/owl#"

SUFFIXES: dict[str, Format] = {
    ".rdf": "xml", ".owl": "xml", ".xml": "xml", ".rdfs": "xml", ".skos": "xml", ".rdfxml": "xml",
    ".ttl": "turtle", ".turtle": "turtle", ".nt": "nt", ".ntriples": "nt", ".nq": "nquads", ".nquads": "nquads",
    ".trig": "trig", ".n3": "n3", ".jsonld": "json-ld", ".owx": "owlxml", ".ofn": "ofn", ".fss": "ofn", ".obo": "obo",
    ".tsv": "tsv", ".taxo": "tsv", ".tab": "tsv", ".edges": "tsv",
}  # fmt: skip
_ALIASES: dict[str, Format] = {
    "rdfxml": "xml", "rdf/xml": "xml", "rdf": "xml", "ttl": "turtle", "ntriples": "nt", "nq": "nquads",
    "jsonld": "json-ld", "owx": "owlxml", "functional": "ofn", "obo-graphs": "obograph", "obographs": "obograph",
    "json": "pairs",
}  # fmt: skip
# A later format of each row reads everything that the first one does.
_WIDER: dict[Format, tuple[Format, ...]] = {
    "nt": ("turtle", "nquads", "trig", "n3"),
    "turtle": ("trig", "n3"),
}

# Every pattern runs over the first bytes once: no quantifier gives back what it took.
_TERM = r'(?:<[^<>"{}|^`\x00-\x20]*+>|_:[^\s<>"]++|"(?:[^"\\]|\\.)*+"(?:@[A-Za-z0-9\-]++|\^\^<[^<>\s]*+>)?+)'
_END = r"\s*+\.\s*+(?:#.*+)?+"
_NT_LINE = re.compile(rf"{_TERM}\s*+{_TERM}\s*+{_TERM}{_END}")
_NQ_LINE = re.compile(rf"{_TERM}\s*+{_TERM}\s*+{_TERM}\s*+{_TERM}{_END}")
_SURELY_TURTLE = re.compile(r"@(?:prefix|base|keywords)\b|(?:prefix\s++[^\s:]*+:|base)\s*+<|<[^<>\s]*+>|_:", re.I)
_PERHAPS_TURTLE = re.compile(r"[\[({]|graph\b", re.I)
_NOISE = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|$)|"(?:[^"\\\n]|\\.)*+"?|<[^<>\s]*+>|#[^\n]*+', re.DOTALL)
_RULE = re.compile(r"=>|@forAll\b|@forSome\b")
_OBO_START = re.compile(
    r"(?:format-version|data-version|version|ontology|default-namespace|date|saved-by|auto-generated-by|import|subsetdef"
    r"|synonymtypedef|idspace|remark|property_value|default-relationship-id-prefix)\s*+:(?:\s|$)"
    r"|\[(?:Term|Typedef|Instance)\]"
)
_OFN_START = re.compile(r"(?:Prefix|Ontology)\s*+\(")
_JSON = re.compile(r'\{\s*+["}]|\[\s*+(?:["{\[\d]|\]\s*+$)')
_PAIRS = re.compile(r'\[\s*+\{[^{}\[\]]*"(?:parent|child)"\s*+:')
# A line of WordNet's data files (offset, file number, part of speech, words, pointers), of its index, of the head.
_SYNSET = re.compile(r"\d{8} \d\d [nvasr] [\da-f]{2} (?:[^\s|]++ [\da-f] )++\d{3} ", re.ASCII)
_SENSES = re.compile(r"\S++ [nvar] \d++ \d++ (?:\D\S?+ )*+\d++ \d++(?: \d{8})++ *+")
_LICENCE = re.compile(r"  \d{1,3} ")
_TAG = re.compile(rb"<([A-Za-z_][\w.\-]*+(?::[\w.\-]++)?+)(\s[^<>]*+)?+/?>")


def named_format(name: str) -> Format:
    """The format that a user calls `name`."""
    lower = name.lower()
    if lower in FORMATS:
        return lower
    if lower in _ALIASES:
        return _ALIASES[lower]
    raise ParameterError(
        f"unknown format {name!r}.{did_you_mean(lower, [*FORMATS, *_ALIASES])} Choose from: {', '.join(FORMATS)}."
    )


def detect(source: Input) -> Format:
    """The format of a file; LoadError if neither its content nor its suffix tells."""
    head = source.head
    start = head.lstrip()
    if not start:
        raise EmptyFileError("the file is empty", advice="Give an ontology file.", path=source.name)
    if start[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise _html_page(source)
    if _is_xml(start):
        return _xml_format(source)
    if b"\x00" in head:
        raise _unknown(source, head)
    text = head.decode("utf-8", "replace").lstrip()
    if text.startswith(("{", "[")):
        found = _json_format(text)
        if found:
            return found
    lines = [line.strip() for line in text.splitlines()]
    if len(head) >= HEAD and len(lines) > 1:
        lines.pop()  # cut off in the middle
    if _is_wordnet(head.decode("utf-8", "replace").splitlines()):
        return "wordnet"
    return _lines_format(source, text, [line for line in lines if line])


def _is_wordnet(lines: list[str]) -> bool:
    """A data file with or without its head, or an index with its head (of which the reader says what to do)."""
    written = [line for line in lines if line.strip()]
    body = next((n for n, line in enumerate(written) if not _LICENCE.match(line)), len(written))
    if body == len(written):
        return False
    return bool(_SYNSET.match(written[body]) or (body and _SENSES.fullmatch(written[body])))


def _is_xml(start: bytes) -> bool:
    """True for markup; `<urn:a>` at the start of a line of N-Triples looks like a tag, too."""
    if start.startswith((b"<?xml", b"<!DOCTYPE", b"<!ENTITY", b"<!--")):
        return True
    tag = _TAG.match(start)
    return tag is not None and (b"=" in (tag[2] or b"") or (b":" not in tag[1] and b"</" + tag[1] + b">" in start))


def _xml_format(source: Input) -> Format:
    root, namespaces = check_xml(source)
    namespace, _, name = root.rpartition(" ")
    if namespace == OWL_NAMESPACE and name == "Ontology":
        return "owlxml"
    if RDF_NAMESPACE in namespaces or name == "RDF":
        return "xml"
    if name.lower() == "html":
        raise _html_page(source)
    raise UnknownFormatError(
        f"an XML file with the root element <{name}>, which is neither RDF/XML nor OWL/XML. Give an ontology file.",
        path=source.name,
        format="xml",
    )


def _html_page(source: Input) -> LoadError:
    return UnknownFormatError(
        "an HTML page, not an ontology. If it was downloaded, fetch the file itself, not the page about it.",
        path=source.name,
    )


def _json_format(text: str) -> Format | None:
    """JSON of a kind we know; None if it is no JSON at all (Turtle may start with a bracket, too)."""
    if text.startswith("{") and re.search(r'"graphs"\s*+:\s*+\[', text):
        return "obograph"
    if _PAIRS.match(text):
        return "pairs"
    return "json-ld" if _JSON.match(text) else None


def _lines_format(source: Input, text: str, lines: list[str]) -> Format:
    by_suffix = SUFFIXES.get(source.suffix)
    first = next((line for line in lines if not line.startswith("#")), "")
    if _OFN_START.match(first):
        return "ofn"
    if _OBO_START.match(next((line for line in lines if not line.startswith("!")), "")):
        return "obo"
    table = _is_table(text, lines)
    cells = table and not any(line.endswith(".") for line in lines)  # IRIs in brackets may be cells
    if (_SURELY_TURTLE.match(first) and not cells) or (_PERHAPS_TURTLE.match(first) and not table):
        statements = [line for line in lines if not line.startswith("#")][:50]
        if by_suffix in ("nt", "nquads") and len(statements) > 1:
            statements.pop()  # the last one may be cut off
        found = _turtle_kin(text, statements)
        return by_suffix if by_suffix in _WIDER.get(found, ()) else found
    if table and ("\t" in text or by_suffix in (None, "tsv")):  # two words a line may be anything
        return "tsv"
    if by_suffix is not None and by_suffix not in ("xml", "owlxml", "json-ld"):
        return by_suffix
    raise _unknown(source, source.head)


def _turtle_kin(text: str, statements: list[str]) -> Format:
    if all(_NT_LINE.fullmatch(line) for line in statements):
        return "nt"
    if all(_NT_LINE.fullmatch(line) or _NQ_LINE.fullmatch(line) for line in statements):
        return "nquads"
    plain = _NOISE.sub(" ", text)
    if _RULE.search(plain):
        return "n3"
    return "trig" if "{" in plain else "turtle"


def _is_table(text: str, lines: list[str]) -> bool:
    """Every line has a TAB, or is two words."""
    raw = [line for line in text.splitlines()[: len(lines)][:20] if line.strip()]
    return bool(raw) and all("\t" in line or len(line.split()) == 2 for line in raw)


def _unknown(source: Input, head: bytes) -> LoadError:
    shown = head[:24].decode("utf-8", "replace")
    return UnknownFormatError(
        f"cannot tell the format (first bytes: {shown!r}). Give --input-format: {', '.join(FORMATS)}.",
        path=source.name,
    )
