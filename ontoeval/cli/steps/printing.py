"""`echo`, `json_text`, `echo_notes`, progress on stderr; encodings of stdout (notes: ../state.py)."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ontoeval.cli.spelling import option_spelling, spelled
from ontoeval.cli.state import is_quiet, note, warnings_so_far
from ontoeval.cli.steps.progress_line import ProgressLine, is_wanted
from ontoeval.errors import Message, printable
from ontoeval.output import json_text as as_json
from ontoeval.report.json_schemas import with_schema
from ontoeval.tables import Layout

_PLAIN = str.maketrans({"─": "-", "–": "-", "…": "...", "±": "+-"})  # what terminals of old encodings can show


def echo(text: str, layout: Layout = Layout.TABLE) -> None:
    """Print a result. What programs read is UTF-8 in any case; in tables what the encoding lacks becomes `?`.

    What people read, and all that goes to a terminal, is printable; programs get the data exactly as they are.
    """
    if layout.for_people or sys.stdout.isatty():
        text = printable(text, breaks=True)
    encoding = codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name
    buffer = getattr(sys.stdout, "buffer", None)
    if encoding != "utf-8" and not layout.for_people and buffer is not None:
        sys.stdout.flush()
        buffer.write(text.encode("utf-8", errors="replace"))
    else:  # not by click, which takes ASCII for a mistake and writes UTF-8
        plain = text if encoding == "utf-8" else text.translate(_PLAIN)
        sys.stdout.write(plain)  # stdout replaces what its encoding lacks (cli/__init__.py)
    sys.stdout.flush()


def echo_json(document: Any) -> None:
    """Print a document; parameters in notes and reasons are spelled as options."""
    echo(json_text(document), Layout.JSON)


def json_text(document: Any) -> str:
    """A document as JSON: schema and version first, the warnings so far last, parameters spelled as options."""
    warnings = warnings_so_far()
    if isinstance(document, dict):
        document = with_schema(_command_name(), document) | ({"warnings": warnings} if warnings else {})
    return as_json(_spelled_document(document))


def _command_name() -> str:
    """`compare`, `store-list`; empty outside a command."""
    context = click.get_current_context(silent=True)
    return "" if context is None else "-".join(context.command_path.split()[1:])


def _spelled_document(part: Any) -> Any:
    if isinstance(part, dict):
        return {_spelled_document(key): _spelled_document(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_spelled_document(entry) for entry in part]
    return part.text(option_spelling) if isinstance(part, Message) else part


def echo_notes(path: str, notes: Iterable[str]) -> None:
    """Print what was noticed about a file, on stderr."""
    for text in notes:
        note(f"{path}: {spelled(text)}")


@contextmanager
def progress_on_stderr(
    label: str, *, counted: bool = False, unit: str = ""
) -> Iterator[Callable[[int, int | None], None] | None]:
    """How much is done, if stderr is a terminal: of bytes, or of steps that are `counted`, perhaps with a `unit`."""
    if is_quiet() or not is_wanted():
        yield None
        return
    state: list[int | None] = [0, None]

    def show(done: int, total: int | None) -> None:
        state[:] = done, total

    def text(seconds: float) -> str:
        done, total = state
        if not done or not total:
            return f"{label} ({seconds:.0f} s)"
        left = f", {seconds * (total - done) / done:.0f} s left"
        if counted:
            return f"{done:,} of {total:,}{unit and f' {unit}'}{left}: {label}"
        return f"{100 * done / total:.0f} % of {total / 1e6:,.1f} MB{left if done < total else ''}: {label}"

    with ProgressLine(text):
        yield show


@contextmanager
def status_on_stderr(text: str = "") -> Iterator[Callable[[str], None] | None]:
    """A line that says what is being computed, if stderr is a terminal."""
    if is_quiet() or not is_wanted():
        yield None
        return
    state = [text]

    def show(text: str) -> None:
        state[0] = text

    with ProgressLine(lambda seconds: f"{state[0]} ({seconds:.0f} s)".strip()):
        yield show
