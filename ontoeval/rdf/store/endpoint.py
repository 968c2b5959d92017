"""`Endpoint`: backend of a SPARQL server: its URLs, credentials, HTTP requests, retries, time limits, errors."""

from __future__ import annotations

import base64
import functools
import html
import itertools
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from copy import copy
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

import pyoxigraph as ox

from ontoeval.errors import ParameterError, StoreError, number_of
from ontoeval.rdf.store.backends import Triples, seconds_in
from ontoeval.rdf.store.run_rows import LIST_RUNS

if TYPE_CHECKING:
    import ssl

    import httpx

_SECONDS = 120.0  # to wait for an answer; a big graph takes a server half a minute
_CONNECT = 10.0  # seconds at most to wait for a connection
_PAUSES = (0.3, 1.0)  # seconds before the second and the third try
_CHUNK = 500  # triples of an INSERT DATA: Virtuoso's compiler runs out of memory at 5 000
_BLOCK = 1 << 16
_BUSY = (429, 502, 503, 504)
_NO_GRAPH_STORE = (404, 405, 501)
_DOUBLE = ox.NamedNode("http://www.w3.org/2001/XMLSchema#double")
_FORMAT, _RESULTS = "application/n-triples", "application/sparql-results+json"
_SET_CREDENTIALS = "Set ONTOEVAL_SPARQL_USER and ONTOEVAL_SPARQL_PASSWORD, or ONTOEVAL_SPARQL_TOKEN."
_USE_URL = "Use the URL of the endpoint, or its three URLs: 'QUERY|UPDATE|GRAPHS'."


class Places(NamedTuple):
    """The URLs of an endpoint; None where it has none."""

    query: str
    update: str | None
    graphs: str | None  # Graph Store Protocol


class UnansweredError(StoreError):
    """A request without an answer, so that it may have been carried out or not."""


class Endpoint:
    """The named graphs of a SPARQL 1.1 endpoint.

    The place is one of

    - the URL of a server: `http://localhost:7878` stands for /query, /update and /store below it (Oxigraph; a server
      that has no /store is written by updates); one that ends in /query stands for its neighbours likewise
    - the query URL of a Virtuoso, .../sparql: updates go to .../sparql-auth, graphs to .../sparql-graph-crud-auth
    - all three URLs: `http://localhost:3030/ds/query|update|data`; the second and the third may be relative to the
      first; what is left out is not used, so that `http://example.org/sparql|` is only read

    ONTOEVAL_SPARQL_UPDATE and ONTOEVAL_SPARQL_GRAPHS are the URLs to write to, if the place does not name them.
    Credentials come from the environment alone: ONTOEVAL_SPARQL_USER and ONTOEVAL_SPARQL_PASSWORD (Basic or Digest, as
    the server asks), or ONTOEVAL_SPARQL_TOKEN (Bearer). ONTOEVAL_SPARQL_TIMEOUT: seconds to wait for an answer (120).

    Reading is tried three times; writing once, since a write without an answer may have been carried out.
    """

    session = reading = nullcontext  # each request is separate

    def __init__(self, place: str) -> None:
        self.places = places(place)
        self.name = public_url(self.places.query)
        self._seconds = seconds_in("ONTOEVAL_SPARQL_TIMEOUT", _SECONDS)
        self._user = os.environ.get("ONTOEVAL_SPARQL_USER", "")
        self._password = os.environ.get("ONTOEVAL_SPARQL_PASSWORD", "")
        self._token = os.environ.get("ONTOEVAL_SPARQL_TOKEN", "")
        self._auth: dict[str, httpx.Auth] = {}  # URL -> the scheme that its server asked for
        self._graphs = self.places.graphs  # None once the server has said that it has no graph store
        # Virtuoso empties a graph before it fills it, so that a crash between the two would lose the old one, and it
        # returns graphs with rounded numbers, silently cut off at its row limit
        self._whole_graphs = "/sparql-graph-crud" not in (self._graphs or "")

    def __repr__(self) -> str:
        return f"<Endpoint {self.name}>"

    # Backend

    def put(self, graph: ox.NamedNode, triples: Triples) -> None:
        """Replace a graph by one PUT; where that is not possible, fill a graph beside it and move that into place."""
        with self._client() as client, tempfile.TemporaryFile() as file:
            body = _Body(file, triples)
            if self._whole_graphs and self._sent(client, "PUT", graph, body):
                return
            if not body.size:
                self._update(client, f"DROP SILENT GRAPH {graph}")
                return
            staging = ox.NamedNode(f"{graph.value}/staging")
            try:
                if not self._sent(client, "PUT", staging, body):
                    self._update(client, f"DROP SILENT GRAPH {staging}")  # of a writer that died
                    self._insert(client, staging, body)
                self._update(client, f"MOVE GRAPH {staging} TO GRAPH {graph}")
            except UnansweredError:
                raise  # it may still be going on: the next write removes what is left over
            except BaseException:
                with suppress(StoreError):
                    self._update(client, f"DROP SILENT GRAPH {staging}")
                raise

    def add(self, graph: ox.NamedNode, triples: Triples) -> None:
        with self._client() as client, tempfile.TemporaryFile() as file:
            body = _Body(file, triples)
            if body.size and not self._sent(client, "POST", graph, body):
                self._insert(client, graph, body)

    def drop(self, graph: ox.NamedNode) -> None:
        with self._client() as client:
            if self._graphs is not None:
                url = _with(self._graphs, graph)
                response = self._send(client, "DELETE", url)
                if response.is_success:
                    return
                if response.status_code not in _NO_GRAPH_STORE:
                    raise self._refused(response)
                if self.places.update is None:
                    if response.status_code == 404:  # there is no such graph
                        return
                    raise self._refused(response)
            self._update(client, f"DROP SILENT GRAPH {graph}")

    def triples(self, graph: ox.NamedNode) -> Iterator[ox.Triple]:
        content = None
        if self._whole_graphs:
            with self._client() as client:
                content = self._graph(client, graph)
        if content is None:
            yield from self._selected(graph)
            return
        try:
            for quad in ox.parse(content, format=ox.RdfFormat.N_TRIPLES):
                yield quad.triple
        except SyntaxError as error:
            raise self._unreadable(self._graphs or "", content, error) from None

    def _selected(self, graph: ox.NamedNode) -> Iterator[ox.Triple]:
        """The triples by a SELECT.

        Not by CONSTRUCT: N-Triples that end too early, at a time or row limit, look whole, and a table does not. And
        Virtuoso writes six digits of a double everywhere but in STR().
        """
        for row in self.select(f"SELECT ?s ?p ?o (STR(?o) AS ?text) WHERE {{ GRAPH {graph} {{ ?s ?p ?o }} }}"):
            value, text = row["o"], row["text"]
            if isinstance(value, ox.Literal) and value.datatype == _DOUBLE and text is not None:
                value = ox.Literal(text.value, datatype=_DOUBLE)
            yield ox.Triple(row["s"], row["p"], value)

    def graphs(self) -> list[ox.NamedNode]:
        """The named graphs, including those of the server itself."""
        rows = self.select("SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }")
        return sorted((row["g"] for row in rows if isinstance(row["g"], ox.NamedNode)), key=lambda g: g.value)

    def ask(self, query: str, *, triples: bool, seconds: float) -> bytes:
        """The answer within so many seconds: SPARQL's JSON, or N-Triples."""
        endpoint = copy(self)
        endpoint._seconds = seconds
        return endpoint._query(query, _FORMAT if triples else _RESULTS).content

    def run_rows(self) -> list[dict[str, Any]]:
        return self.select(LIST_RUNS)

    def select(self, query: str) -> list[dict[str, Any]]:
        """The solutions of SELECT; Virtuoso rounds an xsd:double to six digits, so ask it for STR(?value) too."""
        response = self._query(query, _RESULTS)
        rows = self._rows(response)
        limit = response.headers.get("X-SPARQL-MaxRows", "")  # Virtuoso
        if limit.isdigit() and len(rows) >= int(limit):
            raise self._limited(len(rows))
        return rows

    def _rows(self, response: httpx.Response) -> list[dict[str, Any]]:
        try:
            results = ox.parse_query_results(response.content, format=ox.QueryResultsFormat.JSON)
            if isinstance(results, ox.QuerySolutions):
                names = [variable.value for variable in results.variables]
                return [{name: row[name] for name in names} for row in results]
        except (SyntaxError, ValueError) as error:
            raise self._unreadable(self.places.query, response.content, error) from None
        raise ParameterError("not a SELECT query", advice="Use a query that begins with SELECT.", parameter="query")

    # the three protocols

    def _query(self, query: str, accepted: str) -> httpx.Response:
        form, headers = {"query": query}, {"Accept": accepted}
        with self._client() as client:
            response = self._send(client, "POST", self.places.query, safe=True, form=form, headers=headers)
        if not response.is_success:
            raise self._refused(response)
        return response

    def _graph(self, client: httpx.Client, graph: ox.NamedNode) -> bytes | None:
        """A graph as N-Triples; None if there is no such graph or graph store, or if it wants missing credentials."""
        if self._graphs is None:
            return None
        url = _with(self._graphs, graph)
        response = self._send(client, "GET", url, safe=True, headers={"Accept": _FORMAT})
        if response.is_success:
            if _FORMAT in response.headers.get("Content-Type", _FORMAT):
                return response.content
            return None  # a web page, or another format
        if response.status_code in _NO_GRAPH_STORE or (response.status_code in (401, 403) and not self._credentials):
            return None
        raise self._refused(response)

    def _sent(self, client: httpx.Client, method: str, graph: ox.NamedNode, body: _Body) -> bool:
        """Put or post a graph; False if there is no graph store, but updates."""
        if self._graphs is None:
            return False
        url = _with(self._graphs, graph)
        if self._user and public_url(url) not in self._auth:
            # learn how to authenticate before a big body is sent in vain
            self._send(client, "GET", _with(self._graphs, ox.NamedNode(f"{graph.value}/none")), safe=True)
        headers = {"Content-Type": _FORMAT, "Content-Length": str(body.size)}
        response = self._send(client, method, url, content=body, headers=headers)
        if response.is_success:
            return True
        if response.status_code in _NO_GRAPH_STORE and self.places.update is not None:
            self._graphs = None
            return False
        raise self._refused(response)

    def _insert(self, client: httpx.Client, graph: ox.NamedNode, body: _Body) -> None:
        for lines in body.chunks():
            self._update(client, f"INSERT DATA {{ GRAPH {graph} {{\n{lines}}} }}")

    def _update(self, client: httpx.Client, update: str) -> None:
        if self.places.update is None:
            raise StoreError("read-only: no update URL", place=self.name, advice=_USE_URL)
        response = self._send(client, "POST", self.places.update, form={"update": update})
        if not response.is_success:
            raise self._refused(response)

    # requests

    def _client(self) -> httpx.Client:
        """A client for one operation: none is left open, and no write goes into a dead connection."""
        import httpx

        headers = {"User-Agent": "ontoeval", "Accept": "*/*"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        timeout = httpx.Timeout(self._seconds, connect=min(_CONNECT, self._seconds))
        # redirects are not followed: the credentials are meant for this server
        return httpx.Client(timeout=timeout, headers=headers, verify=_certificates(), follow_redirects=False)

    def _send(
        self,
        client: httpx.Client,
        method: str,
        url: str,
        *,
        safe: bool = False,
        form: dict[str, str] | None = None,
        content: _Body | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """The answer; `safe` requests are tried again, and a PUT if there was no connection."""
        import httpx

        def attempt() -> httpx.Response:
            return self._answered(
                url, lambda auth: client.request(method, url, data=form, content=content, headers=headers, auth=auth)
            )

        for pause in (*_PAUSES, None):
            try:
                response = attempt()
                if not (safe and response.status_code in _BUSY) or pause is None:
                    return response
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                if pause is None or not (safe or method == "PUT"):
                    raise StoreError(
                        f"cannot reach the server ({self._line(str(error)) or 'no connection'})",
                        place=public_url(url),
                        advice="Check that it is running, and its host and port.",
                    ) from None
            except httpx.TimeoutException:
                raise UnansweredError(
                    f"no answer within {self._seconds:g} s",
                    place=public_url(url),
                    advice="Narrow the query, or set ONTOEVAL_SPARQL_TIMEOUT to more seconds." + _doubt(safe),
                ) from None
            except httpx.HTTPError as error:
                if pause is None or not safe:
                    raise UnansweredError(
                        f"the server closed the connection before its answer was complete ({self._line(str(error))})",
                        place=public_url(url),
                        advice="Check the log of the server." + _doubt(safe),
                    ) from None
            time.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _answered(self, url: str, request: Callable[[httpx.Auth | None], httpx.Response]) -> httpx.Response:
        """Answer a 401 as the server asks for it, and remember that."""
        import httpx

        place = public_url(url)
        response = request(self._auth.get(place))
        if response.status_code == 401 and self._user and not self._token and place not in self._auth:
            schemes = {c.split(" ", 1)[0].lower() for c in _challenges(response.headers.get_list("WWW-Authenticate"))}
            if "digest" in schemes:
                self._auth[place] = httpx.DigestAuth(self._user, self._password)
            elif "basic" in schemes:
                self._auth[place] = httpx.BasicAuth(self._user, self._password)
            else:
                return response
            response = request(self._auth[place])
        return response

    # errors

    @property
    def _credentials(self) -> bool:
        return bool(self._user or self._token)

    def _line(self, text: str) -> str:
        """The first line of an answer, without markup, and without the credentials if a server repeats them."""
        text = html.unescape(re.sub(r"(?s)<(style|script).*?</\1>|<[^>]*>", " ", text[:5000]))
        basic = base64.b64encode(f"{self._user}:{self._password}".encode()).decode() if self._user else ""
        for secret in (basic, self._password, self._token):
            if secret:
                text = text.replace(secret, "***")
        return next((" ".join(line.split())[:200] for line in text.splitlines() if line.strip()), "")

    def _refused(self, response: httpx.Response) -> StoreError:
        status, url = response.status_code, str(response.request.url)
        line = self._line(response.text).rstrip(".")
        problem = f"the server answered {status} {response.reason_phrase}".rstrip() + (f": {line}" if line else "")
        return StoreError(problem, place=public_url(url), advice=self._advice(status, url, response))

    def _advice(self, status: int, url: str, response: httpx.Response) -> str:
        if status in (401, 403):
            if not self._credentials:
                return _SET_CREDENTIALS
            names = "ONTOEVAL_SPARQL_TOKEN" if self._token else "ONTOEVAL_SPARQL_USER and ONTOEVAL_SPARQL_PASSWORD"
            return f"Check {names}, and the permissions of the account."
        if response.is_redirect:
            return f"Use the URL it redirects to: {public_url(urljoin(url, response.headers.get('Location', '')))}."
        if status in _NO_GRAPH_STORE:
            return f"No endpoint at this URL. {_USE_URL}"
        if status in _BUSY:
            return "Try again later."
        if status == 400:
            return "Check the query."
        return "Check the log of the server."

    def _limited(self, number: int) -> StoreError:
        return StoreError(
            f"the server truncated its answer to {number_of(number, 'row', 'rows')}, its limit",
            place=self.name,
            advice="Increase the limit (ResultSetMaxRows in virtuoso.ini), or narrow the query.",
        )

    def _unreadable(self, url: str, content: bytes, error: Exception) -> StoreError:
        start, advice = content[:300].lstrip().lower(), _USE_URL
        if start.startswith((b"<!doctype", b"<html")):
            line = self._line(content.decode("utf-8", "replace"))
            problem = f"this is a web page, not a SPARQL endpoint ({line})"
        elif not start.startswith((b"{", b"<", b"_:")):
            line = self._line(content.decode("utf-8", "replace"))
            problem = f"the answer is not a SPARQL result ({line or 'it is empty'})"
        else:
            end = self._line(content[-200:].decode("utf-8", "replace").rpartition("\n")[2][-80:])
            problem = f"the answer is truncated or damaged ({error}; it ends in: {end}), although its status is 200"
            advice = "Narrow the query, or increase the time limit of the server."
        return StoreError(problem, place=public_url(url), advice=advice)


@functools.cache
def _certificates() -> ssl.SSLContext:
    """The system's certificates, read once: that takes longer than a small request."""
    import httpx

    return httpx.create_ssl_context()


class _Body:
    """Triples as N-Triples in a file: all of them are known before anything is sent, and they can be sent again."""

    def __init__(self, file: IO[bytes], triples: Triples) -> None:
        self.file = file
        ox.serialize(triples, file, format=ox.RdfFormat.N_TRIPLES)
        self.size = file.tell()

    def __iter__(self) -> Iterator[bytes]:
        self.file.seek(0)
        while block := self.file.read(_BLOCK):
            yield block

    def chunks(self) -> Iterator[str]:
        """A few hundred triples at a time."""
        self.file.seek(0)
        while lines := list(itertools.islice(self.file, _CHUNK)):
            yield b"".join(lines).decode()


def places(text: str) -> Places:
    """The URLs of an endpoint by its place; see `Endpoint`."""
    query, *others = (part.strip() for part in text.split("|"))
    _check(query)
    if len(others) > 2:
        raise ParameterError("more than three URLs", place=public_url(query), advice=_USE_URL, parameter="place")
    if others:
        update, graphs = (urljoin(query, part) if part else None for part in (*others, "")[:2])
    else:
        query, update, graphs = _usual_places(query)
        update = os.environ.get("ONTOEVAL_SPARQL_UPDATE") or update
        graphs = os.environ.get("ONTOEVAL_SPARQL_GRAPHS") or graphs
    for url in (update, graphs):
        if url is not None:
            _check(url)
    return Places(query, update, graphs)


def _usual_places(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    above, _, last = path.rpartition("/")
    if last in ("sparql", "sparql-auth"):
        names = (last, "sparql-auth", "sparql-graph-crud-auth")
    else:
        names = ("query", "update", "store")
        above = above if last == "query" else path
    query, update, graphs = (urlunsplit(parts._replace(path=f"{above}/{name}")) for name in names)
    return query, update, graphs


def _check(url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise ParameterError("not a URL", place=_without_user(url), advice=_USE_URL, parameter="place") from None
    if parts.username is not None or parts.password is not None:
        raise ParameterError(
            "a URL must not contain credentials", place=public_url(url), advice=_SET_CREDENTIALS, parameter="place"
        )
    if not usable or re.search(r"\s", url):
        raise ParameterError("not the URL of a server", place=_without_user(url), advice=_USE_URL, parameter="place")


def _without_user(url: str) -> str:
    return re.sub(r"//[^/]*@", "//", url)


def public_url(url: str) -> str:
    """A URL without what may be secret: user, password and query string."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _with(url: str, graph: ox.NamedNode) -> str:
    """The URL of a graph in a graph store."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=urlencode([*parse_qsl(parts.query), ("graph", graph.value)])))


def _challenges(headers: list[str]) -> Iterator[str]:
    """The challenges of WWW-Authenticate: several may stand in one header, each begins with its scheme."""
    for header in headers:
        yield from re.split(r",\s*(?=[A-Za-z]+ )", header.strip())


def _doubt(safe: bool) -> str:
    return "" if safe else " The run may have been written: check before you try again."
