"""`echo`, `json_text`, `echo_notes`, progress on stderr, `write_text`; encodings of stdout (notes: ../state.py)."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ontoeval.cli.spelling import option_spelling, spelled
from ontoeval.cli.state import is_quiet, note
from ontoeval.errors import Message
from ontoeval.files import replacing
from ontoeval.tables import Layout

_PLAIN = str.maketrans({"─": "-", "–": "-", "…": "...", "±": "+-"})  # what terminals of old encodings can show


def echo(text: str, layout: Layout = Layout.TABLE) -> None:
    """Print a result. What programs read is UTF-8 in any case; in tables what the encoding lacks becomes `?`."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if codecs.lookup(encoding).name == "utf-8":
        click.echo(text, nl=False)
    elif not layout.for_people:
        click.echo(text.encode("utf-8"), nl=False)
    else:
        plain = text.translate(_PLAIN)
        click.echo(plain.encode(encoding, errors="replace").decode(encoding), nl=False)


def echo_json(document: Any) -> None:
    """Print a document; parameters in notes and reasons are spelled as options."""
    echo(json_text(document), Layout.JSON)


def json_text(document: Any) -> str:
    """A document as JSON; parameters in notes and reasons are spelled as options."""
    return json.dumps(_spelled_document(document), indent=2, ensure_ascii=False) + "\n"


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
    """A progress bar if stderr is a terminal: of bytes, or of steps that are `counted`, perhaps with a `unit`."""
    if not sys.stderr.isatty() or is_quiet():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    done: list[ProgressColumn] = [DownloadColumn(), TimeElapsedColumn()]
    if counted:
        with_unit = [TextColumn(unit), TimeElapsedColumn()] if unit else []
        done = [MofNCompleteColumn(), *with_unit, TimeRemainingColumn()]
    columns = (TextColumn("{task.description}"), BarColumn(), *done)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def status_on_stderr() -> Iterator[Callable[[str], None] | None]:
    """A line that says what is being computed, if stderr is a terminal."""
    if not sys.stderr.isatty() or is_quiet():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield status.update


def write_text(path: str, text: str) -> None:
    """Write a file; what was there is lost only when the new one is whole."""
    with replacing(path) as place, place.open("w", encoding="utf-8", newline="") as stream:
        stream.write(text)
