"""What a SPARQL query says, as far as it takes to refuse updates and other servers."""

from __future__ import annotations

import re
from itertools import pairwise

from ontoeval.errors import ParameterError
from ontoeval.rdf.vocabulary import PREFIXES

# What a query is made of, as far as it takes to tell words from texts, IRIs and names. Names end where the strictest
# reading of the grammar ends them: a scanner that takes more could overlook a word that an engine sees.
TOKEN = re.compile(
    r"""(?P<comment>\#[^\r\n]*)
    |(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    |(?P<text>\"{3}(?:(?:"|"")?(?:[^"\\]|\\.))*\"{3}|'{3}(?:(?:'|'')?(?:[^'\\]|\\.))*'{3}
        |"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')
    |(?P<variable>[?$]\w[\w\u00b7]*)
    |(?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<blank>_:[\w\-\u00b7]*)
    |(?P<prefixed>(?:[^\W\d_][\w.\-\u00b7]*)?:(?:[\w\-:\u00b7]|%[0-9A-Fa-f]{2}|\\.)*)
    |(?P<word>[^\W\d_]\w*)
    |(?P<space>\s+)
    |(?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)
_SERVICE = re.compile(r"service\s*(?:silent\s*)?(?:<>|[?$][\w\u00b7]+|[^\s{}<>()?$]*:[^\s{}]*)\s*\{", re.IGNORECASE)
_BLANKED = {"comment": " ", "iri": "<>", "text": '""', "variable": "?v", "language": " ", "blank": "_:b"}
_BEFORE_A_GRAPH = {"graph", "from", "named", "describe"}
_CODE_POINT = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_KINDS_OF_QUERY = {"select", "ask", "construct", "describe"}
_UPDATES = {"insert", "delete", "load", "clear", "drop", "create", "add", "move", "copy", "with"}


def tokens_of(text: str) -> list[tuple[str, str]]:
    """(kind, text) of all that counts."""
    return [(m.lastgroup or "", m[0]) for m in TOKEN.finditer(text) if m.lastgroup not in ("space", "comment")]


def prefixes_of(tokens: list[tuple[str, str]]) -> set[str]:
    """The prefixes that a query declares."""
    return {
        after.rstrip(":")
        for (kind, word), (named, after) in pairwise(tokens)
        if kind == "word" and word.lower() == "prefix" and named == "prefixed"
    }


def with_prefixes(text: str) -> str:
    """The common prefixes in one line before the query, those apart that it declares itself."""
    declared = prefixes_of(tokens_of(text))
    return " ".join(f"PREFIX {name}: <{iri}>" for name, iri in PREFIXES.items() if name not in declared) + f"\n{text}"


def check_query(text: str) -> None:
    """Refuse updates and SERVICE."""
    word = first_word(text)
    if word in _UPDATES:
        raise ParameterError(
            f"{word.upper()} is an update, and `query` only reads. Give a SELECT, ASK, CONSTRUCT or DESCRIBE query; "
            "`ontoeval store` adds and deletes evaluations."
        )
    if word not in _KINDS_OF_QUERY:
        raise ParameterError(
            f"this is no query{f' (it begins with {word!r})' if word else ''}. "
            "Give a SELECT, ASK, CONSTRUCT or DESCRIBE query, a file that ends in .rq, or a name that "
            "`ontoeval query --list` lists."
        )
    # some engines decode \u0053 before they read, some do not
    for reading in (text, _CODE_POINT.sub(lambda m: _decoded(m[1] or m[2]), text)):
        if _SERVICE.search(_bare(reading)):
            raise ParameterError(
                "SERVICE asks another server, and `query` asks none. Import what you need: `ontoeval store import`."
            )


def _decoded(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if number < 0x110000 else ""


def first_word(text: str) -> str:
    """The word after the prologue, lower case."""
    tokens = iter(tokens_of(text))
    for kind, word in tokens:
        if kind == "word" and word.lower() == "base":
            next(tokens, None)
        elif kind == "word" and word.lower() == "prefix":
            next(tokens, None)
            next(tokens, None)
        else:
            return word.lower() if kind == "word" else word
    return ""


def _bare(text: str) -> str:
    """The query without what may hold any words: comments, texts, IRIs, variables, names."""
    parts, before = [], ""
    for match in TOKEN.finditer(text):
        kind, part = match.lastgroup or "", match[0]
        # right behind a path the question mark may be its end: `ex:p?1SERVICE`
        glued = (
            kind == "variable" and re.search(r"[\w:)>]$", text[max(0, match.start() - 1) : match.start()]) is not None
        )
        if kind == "prefixed" and ("service" not in part.partition(":")[0].lower() or before in _BEFORE_A_GRAPH):
            part = "n:n"
        parts.append(part if glued else _BLANKED.get(kind, part))
        if kind not in ("space", "comment"):
            before = part.lower()
    return "".join(parts)
