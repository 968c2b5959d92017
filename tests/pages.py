"""What pages of documentation show: their commands, what these print, and their Python."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from ontoeval.cli import main

ROOT = Path(__file__).resolve().parents[1]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^(?:\$ |- run: | {4})?(?:\.venv/bin/)?ontoeval (.+)$")
LOOP = re.compile(r"^for (\w+) in (.*); do(\n.*?\n)done$", re.DOTALL | re.MULTILINE)
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
SHOWN_TIME = "2026-11-16 11:32"


class Shown(NamedTuple):
    """A command, and what the page says that it prints (None: nothing is said)."""

    line: str
    output: str | None


def blocks(text: str, language: str = "") -> list[str]:
    """The fenced blocks of a language."""
    return [match[2] for match in FENCED.finditer(text) if match[1] == language]


def session(block: str) -> list[Shown]:
    """Commands of a block that begins with `$ `; a command may go on in the next line after a backslash."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    found = []
    for part in parts:
        line, output = re.split(r"(?<!\\)\n", part, maxsplit=1)
        found.append(Shown(line.replace("\\\n", ""), output))
    return found


def shown(text: str) -> Iterator[Shown]:
    """Every command of a page, in its order."""
    fences = {match.start(): match for match in FENCED.finditer(text)}
    place = 0
    while place < len(text):
        if place in fences:
            match = fences[place]
            if match[2].startswith("$ "):
                yield from session(match[2])
            elif match[1] in ("", "yaml"):
                yield from plain(match[2])
            place = match.end()
            continue
        end = text.find("\n", place)
        line = text[place : end if end >= 0 else len(text)]
        if line.startswith("    "):
            yield from plain(line)
        place += len(line) + 1


def plain(lines: str) -> Iterator[Shown]:
    for line in LOOP.sub(_unrolled, lines).splitlines():
        match = COMMAND.match(line)
        if match:
            yield Shown("ontoeval " + match[1], None)


def _unrolled(loop: re.Match[str]) -> str:
    """The lines of a shell loop for each of its values."""
    return "".join(loop[3].replace("\n  ", "\n").replace(f"${loop[1]}", value) for value in loop[2].split())


def words(line: str) -> list[str]:
    """The arguments of `ontoeval` as a shell makes them: comments dropped, names of files filled in."""
    program, *texts = shlex.split(line, comments=True)
    assert program == "ontoeval", line
    return [word for text in texts for word in _files(text) or [text]]


def _files(pattern: str) -> list[str]:
    return sorted(map(str, Path().glob(pattern))) if {"*", "?"} & {*pattern} else []


def call(line: str) -> tuple[int, str, str]:
    """Exit code, stdout with one time for all, stderr."""
    width = int(os.environ["COLUMNS"]) - 2  # that of the help on a terminal; CliRunner's own is another one
    result = CliRunner().invoke(main, words(line), terminal_width=width)
    return result.exit_code, TIME.sub(SHOWN_TIME, result.stdout), result.stderr


def renewed(text: str, outputs: list[str]) -> str:
    """The page with these outputs of the commands that show one."""
    fresh = iter(outputs)

    def block(match: re.Match[str]) -> str:
        if not match[2].startswith("$ "):
            return match[0]
        parts = re.split(r"^\$ ", match[2], flags=re.MULTILINE)[1:]
        lines = [re.split(r"(?<!\\)\n", part, maxsplit=1)[0] for part in parts]
        return f"```{match[1]}\n" + "".join(f"$ {line}\n{next(fresh)}" for line in lines) + "```"

    return FENCED.sub(block, text)
