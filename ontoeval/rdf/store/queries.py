"""`Query`, its parameters; `answer`, `Answer` (texts: named_queries/*.rq; SERVICE refused: sparql_safety.py)."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import pyoxigraph as ox

from ontoeval.errors import (
    Message,
    OntoevalError,
    ParameterError,
    StoreError,
    UnknownMeasureError,
    did_you_mean,
    listed,
    sentence,
    warn,
)
from ontoeval.measures import parse
from ontoeval.measures.names import older_name
from ontoeval.rdf.store import query_process
from ontoeval.rdf.store.backends import Backend, Memory
from ontoeval.rdf.store.disk import Disk
from ontoeval.rdf.store.endpoint import Endpoint
from ontoeval.rdf.store.sparql_safety import Sparql
from ontoeval.rdf.vocabulary import PREFIXES, double
from ontoeval.tables import Layout, TextTable, frame, in_notebook

if TYPE_CHECKING:
    import pandas as pd

    from ontoeval.rdf.store.store import Store

TIMEOUT = 60.0  # seconds
KINDS = ("measure", "run", "text", "number", "count", "iri")
_PARAMETER = re.compile(
    r"#\s*param\s+(?P<name>\w+)\s*\((?P<kind>\w+)\)(?:\s*=\s*(?P<default>.*?))?\s*(?::\s+(?P<help>.*))?"
)
_NAME = re.compile(r"[\w\-]+")
# what the parser expects wherever it gives up, and what is seldom missing
_SELDOM_MISSING = {"LATERAL", "SERVICE", "OPTIONAL", "CONSTRUCT"}
_PARSER_ERROR = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)


class QueryParameter(NamedTuple):
    """A parameter of a query."""

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
    def from_text(cls, text: str, name: str = "") -> Query:
        """Read the comments in front: the first one says what the query does, `# param` declares a parameter."""
        help, parameters = "", []
        for line in text.splitlines():
            line = line.strip()
            if line and not line.startswith("#"):
                break
            declaration = _PARAMETER.fullmatch(line)
            if declaration is not None:
                parameters.append(_declared_parameter(declaration, name))
            elif line and not help and not parameters:
                help = line.lstrip("# ")
        return cls(name, help, tuple(parameters), text)

    @cached_property
    def sparql(self) -> Sparql:
        """The text, split into tokens."""
        return Sparql(self.text)

    def bound(self, values: Mapping[str, object], store: Store) -> Sparql:
        """The query with a value for every parameter."""
        known = [parameter.name for parameter in self.parameters]
        title = f"the query {self.name}" if self.name else "the query"
        for name in values:
            if name not in known:
                has = f"Use one of: {', '.join(known)}." if known else "It has none; `# param` declares one."
                raise ParameterError(
                    f"{title} has no parameter {name!r}",
                    advice=f"{did_you_mean(name, known)} {has}".strip(),
                    parameter=name,
                )
        terms: dict[str, str] = {}
        text = self.text
        for parameter in self.parameters:
            value = values.get(parameter.name, parameter.default)
            if value is None:
                raise ParameterError(
                    f"{title} needs {parameter.name} ({parameter.help or parameter.kind})",
                    advice=f"Use {{query()={parameter.name}=VALUE}}.",
                    parameter=parameter.name,
                )
            if parameter.kind == "measure":
                measure = _measure(parameter, str(value).strip(), store)
                text = _in_older_spelling(text, parameter.name, measure.value, store)
                terms[f"${parameter.name}"] = str(measure)
            else:
                terms[f"${parameter.name}"] = _term(parameter, value, store)
        return (self.sparql if text == self.text else Sparql(text)).with_values(terms)


def _declared_parameter(declaration: re.Match[str], query: str) -> QueryParameter:
    name, kind, default, help = declaration.group("name", "kind", "default", "help")
    if kind not in KINDS:
        raise ParameterError(
            f"the parameter {name} of the query{query and f' {query}'} has the unknown kind {kind!r}",
            advice=f"{did_you_mean(kind, KINDS)} Use one of: {', '.join(KINDS)}.".strip(),
            parameter="query",
        )
    return QueryParameter(name, kind, default, help or "")


@cache
def named_queries() -> Mapping[str, Query]:
    """The queries that come with the package, by name."""
    folder = files("ontoeval.rdf.store") / "named_queries"
    files_by_name = {file.name.removesuffix(".rq"): file for file in folder.iterdir() if file.name.endswith(".rq")}
    return {
        name: Query.from_text(file.read_text(encoding="utf-8"), name) for name, file in sorted(files_by_name.items())
    }


def find_query(text: str) -> Query:
    """A query by its name, from a file that ends in .rq, or the text of one; updates and SERVICE are refused."""
    name = text.strip()
    if name.endswith(".rq"):
        query = _query_in_file(text)
    elif not _NAME.fullmatch(name):
        query = Query.from_text(text)
    elif name in named_queries():
        query = named_queries()[name]
    else:
        raise ParameterError(
            f"unknown query {name!r}",
            advice=f"{did_you_mean(name, named_queries())} Use one of: {', '.join(named_queries())}.".strip(),
            parameter="query",
        )
    query.sparql.check()
    return query


def _query_in_file(text: str) -> Query:
    path = Path(text.strip())
    try:
        return Query.from_text(path.read_text(encoding="utf-8"), path.stem)
    except OSError as error:
        problem, advice = f"cannot be read ({error.strerror})", "Choose another file."
    except UnicodeDecodeError:
        problem, advice = "is not UTF-8", "Convert the file."
    raise ParameterError(problem, place=text, advice=advice, parameter="query")


# parameters


def _term(parameter: QueryParameter, value: object, store: Store) -> str:
    """A value as one SPARQL term, whatever characters are in it."""
    text = str(value).strip() if parameter.kind != "text" else str(value)
    if parameter.kind == "run":
        return str(ox.NamedNode(store.find(text).run))
    if parameter.kind == "iri":
        try:
            return str(ox.NamedNode(text))
        except ValueError:
            raise _wrong_value(parameter, text, "an IRI", "Use e.g. https://example.org/term.") from None
    if parameter.kind == "number":
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            raise _wrong_value(parameter, text, "a number", "Use e.g. 0.5.")
        return str(double(number))
    if parameter.kind == "count":
        if not re.fullmatch(r"[0-9]{1,18}", text):
            raise _wrong_value(parameter, text, "a whole number >= 0", "Use e.g. 10.")
        return str(int(text))
    return str(_literal(parameter, text))


def _measure(parameter: QueryParameter, text: str, store: Store) -> ox.Literal:
    """The full name of a measure; one that is not installed here is taken as it is written if the store has it."""
    try:
        return ox.Literal(str(parse(text)))
    except UnknownMeasureError:
        spec = _literal(parameter, text)
        if _has(store, spec):
            return spec
        raise


def _in_older_spelling(text: str, name: str, measure: str, store: Store) -> str:
    """The text of a query that also finds scores under the name that older releases gave the measure of `name`."""
    older = older_name(measure)
    if older is None or not _has(store, ox.Literal(older)):
        return text
    names, number = f"{ox.Literal(measure)} {ox.Literal(older)}", count(1)

    def either(match: re.Match[str]) -> str:
        variable = f"?{name}{next(number)}"
        return f"VALUES {variable} {{ {names} }} {match[1]} {variable}"

    return re.sub(rf"(\?\w+ a oe:\w+ ; oe:spec) \${name}\b", either, text)


def _has(store: Store, spec: ox.Literal) -> bool:
    query = Sparql(f"ASK {{ GRAPH ?run {{ ?score oe:spec {spec} }} }}")
    return bool(_read(*_ask(store.backend, query, TIMEOUT), store.backend.name))


def _literal(parameter: QueryParameter, text: str) -> ox.Literal:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise _wrong_value(parameter, text, "text in UTF-8", "Correct it.") from None
    return ox.Literal(text)


def _wrong_value(parameter: QueryParameter, text: str, expected: str, advice: str) -> ParameterError:
    return ParameterError(f"{parameter.name} must be {expected}, not {text!r}", advice=advice, parameter=parameter.name)


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

    def __str__(self) -> str:
        return repr(self) if self.yes is not None else Layout.TABLE.write(self._table)

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>" if self.yes is not None else in_notebook(self._table)

    @property
    def _table(self) -> TextTable:
        return TextTable("", self.columns, [[row[name] for name in self.columns] for row in self])

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
            raise ParameterError(
                "only CONSTRUCT and DESCRIBE return triples", advice="Use a format other than ttl.", parameter="query"
            )
        turtle = ox.serialize(sorted(self.triples, key=str), format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)
        return (turtle or b"").decode()


_NUMBERS = {"double": float, "float": float, "decimal": float, "integer": int, "int": int, "long": int}


def value_of(term: Any) -> Any:
    """A term as a Python value: numbers and booleans by their datatype, all else as text."""
    if term is None:
        return None
    if isinstance(term, ox.Literal):
        name = term.datatype.value.removeprefix(PREFIXES["xsd"])
        if name == "boolean":
            return term.value in ("true", "1")
        if name in _NUMBERS:
            try:
                return _NUMBERS[name](term.value)
            except ValueError:  # the datatype says number, the text does not
                return term.value
        return term.value
    return term.value if isinstance(term, ox.NamedNode) else str(term)


def answer(store: Store, query: str | Query, values: Mapping[str, object], *, timeout: float = TIMEOUT) -> Answer:
    """The answer of a store to a query that `find_query` found, or that it finds by name, file or text."""
    if not timeout > 0 or math.isinf(timeout):
        raise ParameterError(
            f"timeout must be a number of seconds > 0, not {timeout}",
            advice="Use e.g. 60.",
            parameter="timeout",
        )
    if isinstance(query, str):
        query = find_query(query)
    bound = query.bound(values, store)
    bound.check()  # a stray quotation mark could have opened up a value
    kind, data = _ask(store.backend, bound, timeout)
    result = _read(kind, data, store.backend.name)
    if query.name and result.yes is None and not result:
        warn(_missing_scores(store, query, values))
    return result


_UNITS = {"RunScore": "", "ConceptScore": "of concepts ", "DocumentScore": "of documents "}  # of scores


def _missing_scores(store: Store, query: Query, values: Mapping[str, object]) -> Iterator[Message]:
    """That no such scores by a measure are stored, where a named query has no answer: not that all is well."""
    for kind, name in re.findall(r"a oe:(\w+) ; oe:spec \$(\w+)", query.text):
        parameter = next((p for p in query.parameters if p.name == name), None)
        if parameter is None or kind not in _UNITS:
            continue
        measure = _measure(parameter, str(values.get(name, parameter.default)).strip(), store)
        stored = Sparql(f"SELECT DISTINCT ?spec {{ GRAPH ?run {{ ?score a oe:{kind} ; oe:spec ?spec }} }}")
        names = sorted(str(row["spec"]) for row in _read(*_ask(store.backend, stored, TIMEOUT), store.backend.name))
        if measure.value not in names:
            advice = f"Use one of: {listed(names)}." if names else "Store runs with them."
            yield sentence(f"no scores {_UNITS[kind]}by {measure.value} are stored", advice=advice)


def _read(kind: str, data: bytes, place: str) -> Answer:
    if kind == "triples":
        triples = [quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES)]
        return Answer(("subject", "predicate", "object"), [tuple(triple) for triple in triples], triples=triples)
    try:
        results: Any = ox.parse_query_results(data, format=ox.QueryResultsFormat.JSON)
        if isinstance(results, ox.QueryBoolean):
            return Answer((), [], yes=bool(results))
        names = tuple(variable.value for variable in results.variables)
        return Answer(names, [[row[name] for name in names] for row in results])
    except (SyntaxError, ValueError, OSError) as error:
        raise StoreError(f"the answer is truncated or empty ({error})", place=place, advice="Try again.") from None


def _ask(backend: Backend, query: Sparql, timeout: float) -> tuple[str, bytes]:
    """The kind of answer (rows, yes or no, triples) and its bytes: SPARQL's JSON, or N-Triples."""
    if isinstance(backend, Disk | Memory):
        return _ask_process(backend, query, timeout)
    if not isinstance(backend, Endpoint):
        raise StoreError("only stores on disk, files and endpoints can be queried", place=backend.name)
    kind = {"select": "rows", "ask": "yes or no"}.get(query.form, "triples")
    return kind, backend.ask(query.with_prefixes, triples=kind == "triples", seconds=timeout)


def _ask_process(backend: Disk | Memory, query: Sparql, timeout: float) -> tuple[str, bytes]:
    """Answer in another process: a running query cannot be interrupted, but a process can be ended."""
    path = str(backend.path) if isinstance(backend, Disk) else None
    with tempfile.TemporaryFile() as job, tempfile.TemporaryFile() as out:
        job.write(json.dumps({"path": path, "query": query.with_prefixes, "seconds": timeout}).encode() + b"\n")
        if isinstance(backend, Memory):
            backend.store.dump(job, format=ox.RdfFormat.N_QUADS)
        job.seek(0)
        try:
            with backend.lock(exclusive=False) if isinstance(backend, Disk) else nullcontext():
                done = subprocess.run(  # noqa: S603 - our own file
                    [sys.executable, "-P", query_process.__file__],
                    stdin=job, stdout=out, stderr=subprocess.PIPE, timeout=timeout, check=False,
                )  # fmt: skip
        except subprocess.TimeoutExpired:
            if isinstance(backend, Disk):
                backend.check_data()
            raise StoreError(
                f"the query was stopped after {timeout:g} s",
                place=backend.name,
                advice="Narrow the query, or increase {timeout}.",
                parameter="timeout",
            ) from None
        if done.returncode:
            raise _failure(done.returncode, done.stderr.decode("utf-8", "replace").strip(), backend, query)
        out.seek(0)
        return out.readline().decode().strip(), out.read()


def _failure(code: int, message: str, backend: Disk | Memory, query: Sparql) -> OntoevalError:
    """Why the process ended with an exit code."""
    if code == query_process.SYNTAX:
        return ParameterError(_parser_message(message, query), parameter="query")
    if isinstance(backend, Disk):
        backend.check_data()  # raises an error that says why it cannot be opened or read
    last = message.splitlines()[-1] if message else f"exit code {code}"
    return StoreError(f"the query failed ({last})", place=backend.name, advice="Narrow or change the query.")


def _parser_message(message: str, query: Sparql) -> str:
    """What pyoxigraph's parser says, with the place in the query as the user wrote it and without lists of letters."""
    parts = _PARSER_ERROR.fullmatch(message)
    if parts is None:
        return f"the query is not valid: {message}"
    line, column = int(parts[1]) - 1, int(parts[2])  # the first line declares the prefixes
    lines = query.with_prefixes.splitlines()[1:]
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    near = text[max(0, column - 21) : column + 20].strip()
    problem = _expectation(parts[3]) or "syntax error"
    if query.undeclared:
        problem = f"the prefix {query.undeclared}: is not declared"
    place = f"line {line}, column {column} ({f'near {near!r}' if near else 'its end'})"
    return f"the query is not valid at {place}: {problem}"


def _expectation(message: str) -> str:
    plain = re.sub(r"\[(?:'[^']*'|[^\[\]'])*\]", "", message.removeprefix("expected ").removeprefix("one of "))
    items = [item.strip() for item in plain.split(", ") if item.strip(" ,") and item.strip() not in _SELDOM_MISSING]
    sentences = [item for item in items if re.match(r"[A-Z][a-z]*\b", item) and " " in item]
    if sentences:
        return sentences[0][0].lower() + sentences[0][1:].rstrip(".")
    return f"expected {' or '.join(items)}" if 0 < len(items) <= 6 else ""
