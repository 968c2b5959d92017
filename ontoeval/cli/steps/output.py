"""`Outputs`: the files of -o by their suffixes, checked before the work begins; what a command prints and writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

import click

from ontoeval.cli.steps.printing import echo
from ontoeval.files import check_writable
from ontoeval.output import TABLES, suffix_of, write_text
from ontoeval.tables import Layout

FIGURES = (".svg", ".pdf", ".png")
Text = Callable[[Layout], str]


class Outputs:
    """Where a result goes: files of tables, and `others`, the files of suffixes that the command writes itself."""

    def __init__(self, paths: Sequence[str], *, own: Sequence[str] = ()) -> None:
        """`own`: suffixes besides those of tables, the longest first where one ends in the other."""
        self.tables: list[tuple[str, Layout]] = []
        self.others: dict[str, list[str]] = {suffix: [] for suffix in own}
        for place, path in enumerate(paths):
            if path in paths[:place]:
                raise click.UsageError(f"{path}: named twice in -o.")
            suffix = suffix_of(path, (*own, *TABLES))
            check_writable(path)
            if suffix in self.others:
                self.others[suffix].append(path)
            else:
                self.tables.append((path, TABLES[suffix]))

    def of(self, *suffixes: str) -> list[str]:
        """The files that the command writes itself, by their suffixes."""
        return [path for suffix in suffixes for path in self.others.get(suffix, ())]

    def write(self, text: Text, layout: Layout, before: Callable[[], None] | None = None) -> None:
        """Write the tables and print the result; all is made before anything is written, which begins with `before`.

        A file or store that cannot be written costs nobody the others.
        """
        texts = [(path, text(file_layout)) for path, file_layout in self.tables]
        printed = text(layout)
        with ExitStack() as steps:  # the last one first, each whatever becomes of the others
            steps.callback(echo, printed, layout)
            for path, written in reversed(texts):
                steps.callback(write_text, path, written)
            if before is not None:
                steps.callback(before)
