"""The errors that a user can cause, each with words that say what is wrong and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

_LONGEST = 600  # characters of a message
LISTED = 8  # a list inside a message stops here


class OntoevalError(Exception):
    """Base of everything that ontoeval raises on purpose."""


class LoadError(OntoevalError):
    """A file cannot be read or parsed."""

    def __init__(
        self, message: str, *, path: str | None = None, format: str | None = None, line: int | None = None
    ) -> None:
        if len(message) > _LONGEST:  # a parser may quote a whole line, and a line may be the whole file
            message = f"{message[: _LONGEST // 2]} ... {message[-_LONGEST // 3 :]}"
        self.path = path
        self.format = format
        self.line = line
        place = "" if path is None else f"{path}: " if line is None else f"{path}, line {line}: "
        super().__init__(place + message)


class HierarchyError(OntoevalError):
    """The graph is no usable hierarchy."""

    def __init__(self, message: str, *, concepts: Sequence[str] = ()) -> None:
        self.concepts = tuple(concepts)
        super().__init__(message)


class UnknownConceptError(OntoevalError, LookupError):
    """An IRI or label is not in the ontology."""


class UnknownMeasureError(OntoevalError, LookupError):
    """No measure has that name."""


class ParameterError(OntoevalError, ValueError):
    """A parameter has a wrong name or value."""


class StoreError(OntoevalError):
    """A store cannot be opened, read or written."""


class ValidationError(OntoevalError):
    """A graph violates its shapes."""

    def __init__(self, message: str, *, findings: Sequence[object] = ()) -> None:
        self.findings = tuple(findings)
        super().__init__(message)


class MissingInputError(OntoevalError):
    """Something that the task needs is not there: a program, a package, a second file."""


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return ` Did you mean 'a' or 'b'?`, or nothing if no choice is close."""
    close = difflib.get_close_matches(word, list(choices), n=2, cutoff=0.75)
    return f" Did you mean {' or '.join(repr(c) for c in close)}?" if close else ""


def listed(items: Iterable[str]) -> str:
    """Join `items` with commas and stop at eight."""
    everything = list(items)
    more = len(everything) - LISTED
    return ", ".join(everything[:LISTED]) + (f" and {more} more" if more > 0 else "")
