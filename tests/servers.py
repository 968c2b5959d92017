"""Real SPARQL servers on loopback, each with a port and a folder of its own."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

STARTING = 60.0  # seconds at most
_VIRTUOSO = """
[Database]
DatabaseFile = virtuoso.db
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
TransactionFile = virtuoso.trx
xa_persistent_file = virtuoso.pxa
[TempDatabase]
DatabaseFile = virtuoso-temp.db
TransactionFile = virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DirsAllowed = .
NumberOfBuffers = 10000
[HTTPServer]
ServerPort = 127.0.0.1:{port}
ServerRoot = .
[SPARQL]
ResultSetMaxRows = {rows}
"""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    """A program that answers on a port; it keeps its data when it is killed and started again."""

    ping = "/"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """What `Store` is given."""
        return self.base

    def command(self) -> list[str]:
        raise NotImplementedError

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "output.txt").open("ab") as output:
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        end = time.monotonic() + STARTING
        while time.monotonic() < end and self.process.poll() is None:
            try:
                # without the proxies of the environment
                urllib.request.build_opener(urllib.request.ProxyHandler({})).open(self.base + self.ping, timeout=5)
                return
            except urllib.error.HTTPError:
                return
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"the server did not start: {(self.folder / 'output.txt').read_text(errors='replace')}")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(10)
            self.process = None


class Oxigraph(Server):
    def __init__(self, folder: Path, *, seconds: int | None = None, memory: bool = False) -> None:
        super().__init__(folder)
        self.limits = [] if seconds is None else ["--timeout-s", str(seconds)]
        self.limits += [] if memory else ["--location", "data"]

    @staticmethod
    def program() -> str | None:
        beside = Path(sys.executable).parent / "oxigraph"
        return str(beside) if beside.exists() else shutil.which("oxigraph")

    def command(self) -> list[str]:
        return [str(self.program()), "serve", "--bind", f"127.0.0.1:{self.port}", *self.limits]


class Virtuoso(Server):
    user, password = "dba", "dba"
    ping = "/sparql"

    def __init__(self, folder: Path, *, rows: int = 100_000) -> None:
        super().__init__(folder)
        self.rows = rows
        self.sql = free_port()

    @property
    def url(self) -> str:
        return f"{self.base}/sparql"

    @staticmethod
    def program() -> str | None:
        return shutil.which("virtuoso-t")

    def command(self) -> list[str]:
        (self.folder / "virtuoso.lck").unlink(missing_ok=True)  # of the one that was killed
        settings = _VIRTUOSO.format(sql=self.sql, port=self.port, rows=self.rows)
        (self.folder / "virtuoso.ini").write_text(settings)
        return [str(self.program()), "+configfile", "virtuoso.ini", "+foreground"]


class Request(NamedTuple):
    method: str
    path: str  # with the query string
    headers: dict[str, str]  # names in small letters
    body: bytes


class Answer(NamedTuple):
    status: int
    body: bytes = b""
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


Rule = Callable[[Request], "Answer | str | None"]


class Gate:
    """A server before another: it passes requests on, unless the rule answers them or says "hang up"."""

    def __init__(self, target: str, rule: Rule, port: int = 0) -> None:
        self.requests: list[Request] = []
        gate = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_request(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, self.path, headers, body)
                gate.requests.append(request)
                answer = rule(request)
                if isinstance(answer, str):
                    self.close_connection = True
                    return
                answer = answer or _passed_on(target, request)
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            do_GET = do_POST = do_PUT = do_DELETE = handle_request  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def seen(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path.startswith(path)]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)


def _passed_on(target: str, request: Request) -> Answer:
    host = target.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=30)
    try:
        kept = {name: value for name, value in request.headers.items() if name in ("accept", "content-type")}
        connection.request(request.method, request.path, request.body, kept)
        answer = connection.getresponse()
        found = {"Content-Type": answer.getheader("Content-Type") or "text/plain"}
        return Answer(answer.status, answer.read(), found)
    finally:
        connection.close()
