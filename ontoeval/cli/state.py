"""`note`, `warning`, `warnings_so_far`, `say`, `is_quiet`: one line each on stderr, wherever a command is; what -q hides."""

from __future__ import annotations

import os

import click

from ontoeval.cli.spelling import spelled
from ontoeval.errors import printable


def is_quiet() -> bool:
    """-q hides notes and progress, not warnings."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get("ontoeval.quiet"))


def say(kind: str, text: str, *, github: str | None = None) -> None:
    """A line `KIND: TEXT` on stderr; also as an annotation of the run where GitHub Actions reads the output."""
    line = printable(text)
    click.echo(f"{kind}: {line}", err=True)
    if github and os.environ.get("GITHUB_ACTIONS") == "true":
        data = line.replace("%", "%25")  # GitHub decodes %0A; \r and \n are gone
        click.echo(f"::{github} title=ontoeval::{data}", err=True)


def note(text: str) -> None:
    """What is worth knowing: `note: FILE: 3 ambiguous matches`."""
    if not is_quiet():
        say("note", spelled(text))


def warnings_so_far() -> list[str]:
    """The warnings that the running command has printed."""
    context = click.get_current_context(silent=True)
    return [] if context is None else list(context.meta.get("ontoeval.warnings", ()))


def warning(text: str) -> None:
    """What may make a number mislead."""
    line = spelled(text)
    context = click.get_current_context(silent=True)
    if context is not None:
        lines: list[str] = context.meta.setdefault("ontoeval.warnings", [])
        if line in lines:  # a file may be read twice
            return
        lines.append(line)
    say("warning", line, github="warning")
