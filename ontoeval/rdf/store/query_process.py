"""A process: runs a query by pyoxigraph, job on stdin, answer on stdout (queries refused before: sparql_safety.py).

It is started as `python query_process.py < job > answer`, and can be ended.

The first line of the job is JSON; N-Quads follow if there is no store on disk. Only pyoxigraph is imported, so that it
starts at once.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from typing import Any, NoReturn

import pyoxigraph as ox

SYNTAX, FAILED = 2, 4  # exit codes


def main() -> None:
    """Write the kind of answer, a line break and the answer."""
    job = json.loads(sys.stdin.buffer.readline())
    if hasattr(signal, "setitimer"):  # the process that started this one may have been killed
        signal.setitimer(signal.ITIMER_REAL, job["seconds"] + 1)
    _limit_memory()
    store = _store(job["path"])
    try:
        results: Any = store.query(job["query"])
    except SyntaxError as error:
        _stop(SYNTAX, error)
    except BaseException as error:  # panics, too
        _stop(FAILED, error)
    kind, format = _kind(results)
    out = sys.stdout.buffer
    out.write(kind)
    out.flush()
    try:
        out.write(results.serialize(format=format))
    except BaseException as error:
        _stop(FAILED, error)


def _limit_memory() -> None:
    """Half of what there is: in a damaged store pyoxigraph may collect the same error for ever."""
    half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY or soft > half:
        resource.setrlimit(resource.RLIMIT_AS, (half, hard))


def _store(path: str | None) -> ox.Store:
    try:
        if path is not None:
            return ox.Store.read_only(path)
    except BaseException as error:
        _stop(FAILED, error)
    store = ox.Store()
    store.bulk_load(sys.stdin.buffer, format=ox.RdfFormat.N_QUADS)
    return store


def _kind(results: Any) -> tuple[bytes, Any]:
    if isinstance(results, ox.QueryTriples):
        return b"triples\n", ox.RdfFormat.N_TRIPLES
    return b"yes or no\n" if isinstance(results, ox.QueryBoolean) else b"rows\n", ox.QueryResultsFormat.JSON


def _stop(code: int, error: BaseException) -> NoReturn:
    sys.stderr.write(str(error))
    sys.stderr.flush()
    sys.exit(code)


if __name__ == "__main__":
    main()
