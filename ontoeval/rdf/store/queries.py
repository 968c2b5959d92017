"""SPARQL over stored scores: queries by name, safe parameters, a time limit."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import pyoxigraph as ox

from ontoeval.errors import ParameterError, StoreError, UnknownConceptError, UnknownMeasureError, did_you_mean, listed
from ontoeval.measures import parse
from ontoeval.rdf.store import query_process as child
from ontoeval.rdf.store.backends import Backend, Disk, Memory
from ontoeval.rdf.store.sparql_safety import TOKEN, check_query, first_word, prefixes_of, tokens_of, with_prefixes
from ontoeval.rdf.vocabulary import PREFIXES, double
from ontoeval.results import frame

if TYPE_CHECKING:
    import pandas as pd

    from ontoeval.rdf.store.store import Store

TIMEOUT = 60.0  # seconds
KINDS = ("measure", "run", "text", "number", "count", "iri")
_WORDS = {"latest": -1, "previous": -2, "first": 0}  # of a run -> its place among all
_PARAMETER = re.compile(
    r"#\s*param\s+(?P<name>\w+)\s*\((?P<kind>\w+)\)(?:\s*=\s*(?P<default>.*?))?\s*(?::\s+(?P<help>.*))?"
)
_NAME = re.compile(r"[\w\-]+")

_NO_ADVICE = {
    "LATERAL",
    "SERVICE",
    "OPTIONAL",
    "CONSTRUCT",
}  # where the parser gave up, which is seldom what is missing
_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)


class QueryParameter(NamedTuple):
    """What a query leaves open."""

    name: str
    kind: str  # one of KINDS
    default: str | None  # None: it must be given
    help: str


@dataclass(frozen=True)
class Query:
    """A SPARQL query with its parameters, which stand in it as `$name`."""

    name: str
    help: str
    parameters: tuple[QueryParameter, ...]
    text: str

    @classmethod
    def of(cls, text: str, name: str = "") -> Query:
        """Read the comments in front: the first one says what the query does, `# param` declares a parameter."""
        words, parameters = "", []
        for line in text.splitlines():
            line = line.strip()
            if line and not line.startswith("#"):
                break
            found = _PARAMETER.fullmatch(line)
            if found is not None:
                parameters.append(_declared(found, name))
            elif line and not words and not parameters:
                words = line.lstrip("# ")
        return cls(name, words, tuple(parameters), text)

    def bound(self, given: Mapping[str, object], store: Store) -> str:
        """The text with a value for every parameter, and with the common prefixes that it does not declare."""
        known = [parameter.name for parameter in self.parameters]
        for name in given:
            if name not in known:
                there = f"It has: {', '.join(known)}." if known else "It has none; `# param` declares one."
                raise ParameterError(f"{self._called} has no parameter {name!r}.{did_you_mean(name, known)} {there}")
        values = {}
        for parameter in self.parameters:
            value = given.get(parameter.name, parameter.default)
            if value is None:
                raise ParameterError(
                    f"{self._called} needs {parameter.name} ({parameter.help or parameter.kind}). "
                    f"Give --param {parameter.name}=VALUE."
                )
            values[f"${parameter.name}"] = _term(parameter, value, store)
        parts = ((m.lastgroup, m[0]) for m in TOKEN.finditer(self.text))
        text = "".join(values.get(part, part) if kind == "variable" else part for kind, part in parts)
        return with_prefixes(text)

    @property
    def _called(self) -> str:
        return f"the query {self.name}" if self.name else "the query"


def _declared(found: re.Match[str], query: str) -> QueryParameter:
    name, kind, default, words = found.group("name", "kind", "default", "help")
    if kind not in KINDS:
        raise ParameterError(
            f"the parameter {name} of the query {query} is a {kind!r}.{did_you_mean(kind, KINDS)} "
            f"Choose from: {', '.join(KINDS)}."
        )
    return QueryParameter(name, kind, default, words or "")


@cache
def named_queries() -> Mapping[str, Query]:
    """The queries that come with the package, by name."""
    folder = files("ontoeval.rdf.store") / "named_queries"
    found = {entry.name.removesuffix(".rq"): entry for entry in folder.iterdir() if entry.name.endswith(".rq")}
    return {name: Query.of(found[name].read_text(encoding="utf-8"), name) for name in sorted(found)}


def find_query(text: str) -> Query:
    """A query by its name, from a file that ends in .rq, or the text of one."""
    if text.strip().endswith(".rq"):
        path = Path(text.strip())
        try:
            return Query.of(path.read_text(encoding="utf-8"), path.stem)
        except OSError as error:
            raise ParameterError(f"{text}: cannot read the query ({error.strerror}). Give another file.") from None
        except UnicodeDecodeError:
            raise ParameterError(f"{text}: cannot read the query (it is not UTF-8). Convert the file.") from None
    if not _NAME.fullmatch(text.strip()):
        return Query.of(text)
    known = named_queries()
    if text.strip() not in known:
        raise ParameterError(
            f"there is no query {text.strip()!r}.{did_you_mean(text.strip(), known)} `ontoeval query --list` lists all."
        )
    return known[text.strip()]


# parameters


def _term(parameter: QueryParameter, value: object, store: Store) -> str:
    """A value in the spelling of SPARQL, such that it is one term whatever is in it."""
    words = str(value).strip() if parameter.kind != "text" else str(value)
    if parameter.kind == "measure":
        return str(_measure(parameter, words, store))
    if parameter.kind == "run":
        return str(ox.NamedNode(_run(words, store)))
    if parameter.kind == "iri":
        try:
            return str(ox.NamedNode(words))
        except ValueError:
            raise _no(parameter, words, "no IRI. For instance: https://example.org/term") from None
    if parameter.kind == "number":
        try:
            number = float(words)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            raise _no(parameter, words, "no number. For instance: 0.5")
        return str(double(number))
    if parameter.kind == "count":
        if not re.fullmatch(r"[0-9]{1,18}", words):
            raise _no(parameter, words, "no whole number of 0 or more. For instance: 10")
        return str(int(words))
    return str(_literal(parameter, words))


def _measure(parameter: QueryParameter, words: str, store: Store) -> ox.Literal:
    """The full name of a measure; one that is not installed here is taken as it is written if the store has it."""
    try:
        return ox.Literal(str(parse(words)))
    except UnknownMeasureError:
        spec = _literal(parameter, words)
        asked = with_prefixes(f"ASK {{ GRAPH ?run {{ ?score oe:spec {spec} }} }}")
        if _read(*_asked(store.backend, asked, TIMEOUT), store.backend.name):
            return spec
        raise


def _literal(parameter: QueryParameter, words: str) -> ox.Literal:
    try:
        words.encode("utf-8")
    except UnicodeEncodeError:
        raise _no(parameter, words, "no text that can be written in UTF-8. Give another one") from None
    return ox.Literal(words)


def _no(parameter: QueryParameter, words: str, what: str) -> ParameterError:
    return ParameterError(f"{parameter.name}={words!r} is {what}.")


def _run(words: str, store: Store) -> str:
    """The IRI of a run by its IRI, the beginning of its id, or by its place in time."""
    if words not in _WORDS:
        return store.find(words).run
    runs, place = store.runs(), _WORDS[words]
    if len(runs) < (-place if place < 0 else 1):
        there = listed(info.id for info in runs) or "none"
        raise UnknownConceptError(f"{store.backend.name}: there is no {words} evaluation. There is: {there}.")
    return runs[place].run


# answers


@dataclass(frozen=True, eq=False)
class Answer(Sequence[dict[str, Any]]):
    """The rows of an answer, each a dict from the name of a column to its value.

    `yes` is the answer of ASK, `triples` that of CONSTRUCT and DESCRIBE (as rows: subject, predicate, object).
    """

    columns: tuple[str, ...]
    terms: Sequence[Sequence[Any]]  # RDF terms, None where there is none
    yes: bool | None = None
    triples: Sequence[ox.Triple] | None = None

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(place, slice):
            return [self._row(terms) for terms in self.terms[place]]
        return self._row(self.terms[place])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self._row(terms) for terms in self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def __bool__(self) -> bool:
        return bool(self.terms) if self.yes is None else self.yes

    def __eq__(self, other: object) -> bool:
        return list(self) == (list(other) if isinstance(other, Answer) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Answer: {'yes' if self.yes else 'no'}>" if self.yes is not None else f"<Answer: {len(self)} rows>"

    def _row(self, terms: Sequence[Any]) -> dict[str, Any]:
        return {name: value_of(term) for name, term in zip(self.columns, terms, strict=True)}

    def to_frame(self) -> pd.DataFrame:
        """A pandas DataFrame."""
        return frame(list(self), [str(number) for number in range(1, len(self) + 1)], "row").reindex(
            columns=list(self.columns)
        )

    def to_turtle(self) -> str:
        """The triples of CONSTRUCT and DESCRIBE as Turtle."""
        if self.triples is None:
            raise ParameterError("only CONSTRUCT and DESCRIBE give triples. Take another format than ttl.")
        written = ox.serialize(sorted(self.triples, key=str), format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)
        return (written or b"").decode()


_NUMBERS = {"double": float, "float": float, "decimal": float, "integer": int, "int": int, "long": int}


def value_of(term: Any) -> Any:
    """A term as Python has it: numbers and booleans by their datatype, all else as text."""
    if term is None:
        return None
    if isinstance(term, ox.Literal):
        name = term.datatype.value.removeprefix(PREFIXES["xsd"])
        if name == "boolean":
            return term.value in ("true", "1")
        if name in _NUMBERS:
            try:
                return _NUMBERS[name](term.value)
            except ValueError:  # what the data say is no number
                return term.value
        return term.value
    return term.value if isinstance(term, ox.NamedNode) else str(term)


def answer(store: Store, text: str, given: Mapping[str, object], *, timeout: float = TIMEOUT) -> Answer:
    """What a store says to a query: its name, a file or its text."""
    if not timeout > 0 or math.isinf(timeout):
        raise ParameterError(f"the time limit {timeout} is no number of seconds above 0. For instance: 60.")
    query = find_query(text)
    check_query(query.text)  # before anything is asked
    full = query.bound(given, store)
    check_query(full)
    kind, data = _asked(store.backend, full, timeout)
    return _read(kind, data, store.backend.name)


def _read(kind: str, data: bytes, place: str) -> Answer:
    if kind == "triples":
        triples = [quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES)]
        return Answer(("subject", "predicate", "object"), [tuple(triple) for triple in triples], triples=triples)
    try:
        found: Any = ox.parse_query_results(data, format=ox.QueryResultsFormat.JSON)
        if isinstance(found, ox.QueryBoolean):
            return Answer((), [], yes=bool(found))
        names = tuple(variable.value for variable in found.variables)
        return Answer(names, [[row[name] for name in names] for row in found])
    except (SyntaxError, ValueError, OSError) as error:
        raise StoreError(f"{place}: the answer is cut off or none ({error}). Ask again.") from None


def _asked(backend: Backend, text: str, timeout: float) -> tuple[str, bytes]:
    """The kind of answer (rows, yes or no, triples) and its bytes: SPARQL's JSON, or N-Triples."""
    if isinstance(backend, Disk):
        return _in_a_child(backend, str(backend.path), text, timeout)
    if isinstance(backend, Memory):
        return _in_a_child(backend, None, text, timeout)
    kind = {"select": "rows", "ask": "yes or no"}.get(first_word(text), "triples")
    from ontoeval.rdf.store.endpoint import Endpoint

    if not isinstance(backend, Endpoint):
        raise StoreError(f"{backend.name}: queries are for stores on disk, files and endpoints.")
    return kind, backend.ask(text, triples=kind == "triples", seconds=timeout)


def _in_a_child(backend: Disk | Memory, path: str | None, text: str, timeout: float) -> tuple[str, bytes]:
    """A running query cannot be interrupted, but a process can be ended."""
    with tempfile.TemporaryFile() as job, tempfile.TemporaryFile() as out:
        job.write(json.dumps({"path": path, "query": text, "seconds": timeout}).encode() + b"\n")
        if isinstance(backend, Memory):
            backend.store.dump(job, format=ox.RdfFormat.N_QUADS)
        job.seek(0)
        try:
            done = subprocess.run(  # noqa: S603 - our own file
                [sys.executable, "-P", child.__file__],
                stdin=job, stdout=out, stderr=subprocess.PIPE, timeout=timeout, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise StoreError(
                f"{backend.name}: the query was ended after {timeout:g} s. "
                "Ask for less, or give it more time by --timeout."
            ) from None
        words = done.stderr.decode("utf-8", "replace").strip()
        if done.returncode == child.SYNTAX:
            raise ParameterError(_worded(words, text))
        if done.returncode == child.CLOSED and isinstance(backend, Disk):
            with backend.reading():  # says in words why it cannot be opened
                pass
        if done.returncode:
            last = words.splitlines()[-1] if words else f"exit code {done.returncode}"
            raise StoreError(f"{backend.name}: the query failed ({last}). Ask for less, or in another way.")
        out.seek(0)
        return out.readline().decode().strip(), out.read()


def _worded(words: str, text: str) -> str:
    """What the parser says, with the place in what the user wrote and without lists of letters."""
    found = _PLACE.fullmatch(words)
    if found is None:
        return f"the query is wrong: {words}."
    line, column = int(found[1]) - 1, int(found[2])  # the first line is that of our prefixes
    lines = text.splitlines()[1:]
    here = lines[line - 1] if 0 < line <= len(lines) else ""
    near = here[max(0, column - 21) : column + 20].strip()
    what = _expected(found[3]) or "what stands here does not fit"
    unknown = _undeclared(text)
    if unknown:
        what = f"the prefix {unknown}: is not declared"
    return f"the query is wrong at line {line}, column {column}{f' (near {near!r})' if near else ', its end'}: {what}."


def _expected(words: str) -> str:
    plain = re.sub(r"\[(?:'[^']*'|[^\[\]'])*\]", "", words.removeprefix("expected ").removeprefix("one of "))
    items = [item.strip() for item in plain.split(", ") if item.strip(" ,") and item.strip() not in _NO_ADVICE]
    said = [item for item in items if re.match(r"[A-Z][a-z]*\b", item) and " " in item]  # a sentence of the parser
    if said:
        return said[0][0].lower() + said[0][1:].rstrip(".")
    return f"expected {' or '.join(items)}" if 0 < len(items) <= 6 else ""


def _undeclared(text: str) -> str:
    """The first prefix that is used and not declared."""
    tokens = tokens_of(text)
    declared = prefixes_of(tokens)
    used = (part.partition(":")[0] for kind, part in tokens if kind == "prefixed")
    return next((name for name in used if name not in declared), "")


def open_store(place: str | Path) -> Store:
    """A store by its folder or URL, or the graphs of a file."""
    from ontoeval.rdf.store.store import Store, read_file

    if Path(place).is_file() and not str(place).startswith(("http://", "https://")):
        return Store(read_file(place))
    return Store(place)
