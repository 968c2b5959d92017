"""`Sparql`: tokens of a query; `check` refuses updates, SERVICE; adds prefixes and values of $parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ontoeval.errors import ParameterError
from ontoeval.rdf.vocabulary import PREFIXES

# What a query is made of, as far as it takes to tell words from texts, IRIs and names. Names end where the strictest
# reading of the grammar ends them: a scanner that takes more could overlook a word that an engine sees.
_TOKEN = re.compile(
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
_WORDLESS = {"comment": " ", "iri": "<>", "text": '""', "variable": "?v", "language": " ", "blank": "_:b"}
_BEFORE_A_GRAPH = {"graph", "from", "named", "describe"}
_CODE_POINT = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_QUERY_FORMS = {"select", "ask", "construct", "describe"}
_UPDATES = {"insert", "delete", "load", "clear", "drop", "create", "add", "move", "copy", "with"}


@dataclass(frozen=True)
class Sparql:
    """The text of a query, which is split into tokens once."""

    text: str

    @cached_property
    def _tokens(self) -> list[tuple[str, str]]:
        """(kind, text) of every token: joined, the texts are the query."""
        return [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(self.text)]

    @cached_property
    def _significant(self) -> list[tuple[str, str]]:
        """The tokens without blanks and comments."""
        return [token for token in self._tokens if token[0] not in ("space", "comment")]

    @cached_property
    def form(self) -> str:
        """The word after the prologue, lower case: select, ask, ..."""
        tokens = iter(self._significant)
        for kind, word in tokens:
            if kind == "word" and word.lower() == "base":
                next(tokens, None)
            elif kind == "word" and word.lower() == "prefix":
                next(tokens, None)
                next(tokens, None)
            else:
                return word.lower() if kind == "word" else word
        return ""

    @cached_property
    def _declared(self) -> set[str]:
        """The prefixes that the query declares."""
        return {
            prefix.rstrip(":")
            for (kind, word), (next_kind, prefix) in pairwise(self._significant)
            if kind == "word" and word.lower() == "prefix" and next_kind == "prefixed"
        }

    @property
    def undeclared(self) -> str:
        """The first prefix that is used and neither declared nor a common one; empty if there is none."""
        used = (text.partition(":")[0] for kind, text in self._significant if kind == "prefixed")
        return next((name for name in used if name not in self._declared and name not in PREFIXES), "")

    @property
    def with_prefixes(self) -> str:
        """The text after one line that declares the common prefixes, except those that it declares itself."""
        lines = (f"PREFIX {name}: <{iri}>" for name, iri in PREFIXES.items() if name not in self._declared)
        return " ".join(lines) + f"\n{self.text}"

    def with_values(self, values: Mapping[str, str]) -> Sparql:
        """The query with a term in place of each variable that has a value."""
        if not values:
            return self
        return Sparql("".join(values.get(text, text) if kind == "variable" else text for kind, text in self._tokens))

    def check(self) -> None:
        """Refuse updates and SERVICE."""
        forms = "SELECT, ASK, CONSTRUCT or DESCRIBE query"
        if self.form in _UPDATES:
            raise ParameterError(
                f"{self.form.upper()} is an update, but queries only read",
                advice=f"Use a {forms}; {{Store()}} adds and deletes runs.",
                parameter="query",
            )
        if self.form not in _QUERY_FORMS:
            raise ParameterError(
                f"not a query{f' (starts {self.form!r})' if self.form else ''}",
                advice=f"Use a {forms}, a file that ends in .rq, or a name from {{named_queries()}}.",
                parameter="query",
            )
        # some engines decode \u0053 before they parse, some do not
        decoded = _CODE_POINT.sub(lambda match: _character(match[1] or match[2]), self.text)
        readings = [self] if decoded == self.text else [self, Sparql(decoded)]
        if any(_SERVICE.search(_without_words(reading._tokens)) for reading in readings):
            raise ParameterError(
                "SERVICE queries another server, which is not allowed",
                advice="Import the data with {Store.load()}.",
                parameter="query",
            )


def _character(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if number < 0x110000 else ""


def _without_words(tokens: Iterable[tuple[str, str]]) -> str:
    """The query without what may hold any words: comments, texts, IRIs, variables, names."""
    parts, before, last = [], "", ""  # before: the last token that is significant; last: the last character
    for kind, text in tokens:
        part = text
        # right after a path the question mark may be its end: `ex:p?1SERVICE`
        glued = kind == "variable" and re.search(r"[\w:)>]$", last) is not None
        if kind == "prefixed" and ("service" not in text.partition(":")[0].lower() or before in _BEFORE_A_GRAPH):
            part = "n:n"
        parts.append(part if glued else _WORDLESS.get(kind, part))
        if kind not in ("space", "comment"):
            before = part.lower()
        last = text[-1]
    return "".join(parts)
