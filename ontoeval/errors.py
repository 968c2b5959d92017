"""Exception classes (texts: where raised), `warn`; `Message`: text with {parameter}s; `printable`, `listed`."""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence

_LONGEST = 600  # characters of a problem
LISTED = 8  # a list inside a message stops here
_PARAMETER = re.compile(r"\{\{|\{([a-z]\w*|[A-Za-z][\w.]*\(\))(?:=([^{}]*))?\}")
# What a terminal or a log obeys instead of showing it: controls and escape sequences, line and paragraph separators,
# directions of writing, characters that hide others. The joiners U+200C and U+200D are part of the spelling of words.
_CONTROLS = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb"
_CONTROL = re.compile(f"[{_CONTROLS}]")
_UNPRINTABLE = re.compile(rf"[{_CONTROLS}\ud800-\udfff]")  # also halves of characters, as in names that are no UTF-8
_BLANKS = re.compile(r"[ \t\r\n]+")

_OF_COMMANDS = {"gold_columns": " of load_ontology for it"}  # options of commands for one side, and what Python has

Spelling = Callable[[str, str | None], str]  # a parameter or function and perhaps its value, as the reader writes them


def printable(text: str, *, breaks: bool = False) -> str:
    """The text as it may be printed: on one line; ESC, which a terminal would obey, is `x1b` behind a backslash.

    Whatever a person reads passes through here: it may quote a file, a file's name or a parser. breaks: tabs and line
    breaks stay, of a text that is made of lines.
    """
    if text.isascii() and text.isprintable():
        return text
    if breaks:
        return _UNPRINTABLE.sub(lambda found: found[0] if found[0] in "\t\n" else _escape(found), text)
    return _UNPRINTABLE.sub(_escape, _BLANKS.sub(lambda run: run[0] if run[0].isprintable() else " ", text))


def _escape(character: re.Match[str]) -> str:
    number = ord(character[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def json_escaped(text: str) -> str:
    """JSON in which the controls that JSON itself allows are escaped, too: the same values for programs."""
    return _CONTROL.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)


def python_spelling(parameter: str, value: str | None) -> str:
    """A parameter or function for Python users: `format=`, `unknown="drop"`, `lenient=True`, `write_scores()`."""
    if parameter in _OF_COMMANDS:
        return _OF_COMMANDS[parameter]
    if parameter.endswith("()"):
        return f"`{parameter}`" if value is None else f"`{parameter[:-1]}..., {value})`"
    if value in ("True", "False"):
        return f"{parameter}={value}"
    return f"{parameter}=" if value is None else f'{parameter}="{value}"'


def _template(parameter: str, value: str | None) -> str:
    """A parameter as it stands in a template."""
    return f"{{{parameter}}}" if value is None else f"{{{parameter}={value}}}"


def spelled(text: str, spelling: Spelling = python_spelling) -> str:
    """A text in which {format} or {unknown=drop} stand for parameters, as its reader writes them; {{ is a brace."""
    return _PARAMETER.sub(lambda match: spelling(match[1], match[2]) if match[1] else "{", text)


def with_other_names(template: str, names: Mapping[str, str]) -> str:
    """A template with other parameters in place of some."""
    return _PARAMETER.sub(
        lambda match: _template(names.get(match[1], match[1]), match[2]) if match[1] else "{{", template
    )


class Message(str):
    """A note or reason in which {format} or {unknown=drop} stand for parameters; as a string it is for Python users."""

    template: str

    def __new__(cls, template: str) -> Message:
        message = super().__new__(cls, spelled(template))
        message.template = template
        return message

    def text(self, spelling: Spelling) -> str:
        """The message with parameters as the reader writes them."""
        return spelled(self.template, spelling)

    def renamed(self, names: Mapping[str, str]) -> Message:
        """The message with other parameters in place of some."""
        return Message(with_other_names(self.template, names))


def text_for(text: str, spelling: Spelling) -> str:
    """A note or reason for its reader: parameters of a `Message` as the reader writes them, other texts as they are."""
    return text.text(spelling) if isinstance(text, Message) else text


def sentence(problem: str, *, place: str | None = None, advice: str | None = None) -> Message:
    """`PLACE: PROBLEM. ADVICE.` as a note, a warning or the reason of an undefined score.

    Names of a file or a class may have braces, which are no parameters; only a `Message` and advice name these.
    """
    problem = problem.template if isinstance(problem, Message) else _with_plain_braces(problem)
    text = _sentence(problem, None if place is None else _with_plain_braces(place), None, _template)
    return Message(text if advice is None else f"{text} {advice}")


def _with_plain_braces(text: str) -> str:
    return text.replace("{", "{{")


def _sentence(problem: str, place: str | None, advice: str | None, spelling: Spelling) -> str:
    problem = text_for(problem, spelling)
    text = problem if place is None else f"{place}: {problem}"
    text += "" if text.endswith((".", "?", "!")) else "."
    return printable(text if advice is None else f"{text} {spelled(advice, spelling)}")


class OntoevalWarning(UserWarning):
    """Numbers may mislead; `message` says why, with parameters as its reader writes them.

    Examples
    --------
    >>> import warnings
    >>> import ontoeval as oe
    >>> learned = oe.Ontology.from_edges([("mammal", "cat"), ("animal", "mammal")])
    >>> gold = oe.Ontology.from_edges([("cat", "mammal"), ("mammal", "animal")])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     result = oe.compare(learned, gold, "LF")
    >>> [warning.category.__name__ for warning in caught]
    ['OntoevalWarning']
    """

    def __init__(self, message: Message) -> None:
        self.message = message
        super().__init__(message)


def warn(messages: Iterable[Message]) -> None:
    """Warn the caller of the library, at the line that called it: a text is shown once for each such line."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    for message in messages:
        warnings.warn(OntoevalWarning(message), stacklevel=level)


class OntoevalError(Exception):
    """Base of everything that ontoeval raises on purpose.

    problem: what is wrong, without a full stop; a `Message` if it names a parameter. place: the file, as it was named.
    advice: what to do, in whole sentences; a parameter stands in it as {name} or {name=value}, a function for which the
    command line has a command as {name()} or {name()=value}. parameter: the argument that caused it.

    Examples
    --------
    >>> import ontoeval as oe
    >>> try:
    ...     oe.load_ontology("no-such-file.ttl")
    ... except oe.OntoevalError as error:
    ...     error.place
    'no-such-file.ttl'
    """

    def __init__(
        self, problem: str, *, place: str | None = None, advice: str | None = None, parameter: str | None = None
    ) -> None:
        self.problem, self.place, self.advice, self.parameter = problem, place, advice, parameter
        super().__init__(problem)

    def text(self, spelling: Spelling = python_spelling) -> str:
        """`PLACE: PROBLEM. ADVICE.`, with parameters as the reader writes them."""
        return _sentence(self.problem, self.place, self.advice, spelling)

    @property
    def message(self) -> Message:
        """The same text as the reason of an undefined score or as a note."""
        return sentence(self.problem, place=self.place, advice=self.advice)

    def __str__(self) -> str:
        return self.text()


class LoadError(OntoevalError):
    """A file cannot be read or parsed."""

    def __init__(
        self,
        problem: str,
        *,
        advice: str | None = None,
        parameter: str | None = None,
        path: str | None = None,
        format: str | None = None,
        line: int | None = None,
    ) -> None:
        if len(problem) > _LONGEST:  # a parser may quote a whole line, and a line may be the whole file
            problem = f"{problem[: _LONGEST // 2]} ... {problem[-_LONGEST // 3 :]}"
        self.path, self.format, self.line = path, format, line
        place = path if path is None or not line else f"{path}, line {line}"
        super().__init__(problem, place=place, advice=advice, parameter=parameter)


class EmptyFileError(LoadError):
    """There is nothing in a file."""


class UnknownFormatError(LoadError):
    """A file is in no format that is known here."""


class HierarchyError(OntoevalError):
    """The graph is not a usable hierarchy."""

    def __init__(
        self,
        problem: str,
        *,
        place: str | None = None,
        advice: str | None = None,
        parameter: str | None = None,
        concepts: Sequence[str] = (),
    ) -> None:
        self.concepts = tuple(concepts)
        super().__init__(problem, place=place, advice=advice, parameter=parameter)


class UnknownConceptError(OntoevalError, LookupError):
    """An IRI or label is not in the ontology."""


class UnknownMeasureError(OntoevalError, LookupError):
    """No measure has that name."""


class UnknownRunError(OntoevalError, LookupError):
    """A store has no run of that name."""


class ParameterError(OntoevalError, ValueError):
    """A parameter has a wrong name or value."""


class StoreError(OntoevalError):
    """A store cannot be opened, read or written."""


class ValidationError(OntoevalError):
    """A graph violates its shapes."""

    def __init__(
        self, problem: str, *, place: str | None = None, advice: str | None = None, findings: Sequence[object] = ()
    ) -> None:
        self.findings = tuple(findings)
        super().__init__(problem, place=place, advice=advice)


class MissingInputError(OntoevalError):
    """Something that the task needs is not there: a program, a package, a second file."""


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return ` Did you mean 'a' or 'b'?`, or nothing if no choice is close."""
    close = difflib.get_close_matches(word, list(choices), n=2, cutoff=0.75)
    return f" Did you mean {' or '.join(repr(c) for c in close)}?" if close else ""


def number_of(number: int, one: str, several: str) -> str:
    """`1 class is` or `3 classes are`."""
    return f"{number:,} {one if number == 1 else several}"


def listed(items: Iterable[str]) -> str:
    """Join `items` with commas and stop at eight."""
    everything = list(items)
    more = len(everything) - LISTED
    return ", ".join(everything[:LISTED]) + (f" and {more} more" if more > 0 else "")
