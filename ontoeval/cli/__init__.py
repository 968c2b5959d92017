"""`main`: the commands with a line of help each, imported on use; errors as one line on stderr, and exit codes."""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from ontoeval.cli.help import Group
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import say, warning, warnings_so_far
from ontoeval.errors import OntoevalError, OntoevalWarning, number_of
from ontoeval.version import __version__

BAD_INPUT, USAGE, CHECK_FAILED, INTERNAL, INTERRUPTED = 1, 2, 3, 70, 130  # exit codes; 0: done

# Heading -> command -> (file and name of its declaration, what it does: at most 60 characters).
_SECTIONS = {
    "Evaluate": {
        "compare": ("evaluate:compare", "Score learned ontologies against a gold standard"),
        "annotations": ("evaluate:text_annotations", "Score text annotations against a gold standard"),
        "labels": ("evaluate:labels", "Score document labels or rankings against gold"),
        "agreement": ("evaluate:agreement", "Measure the agreement between annotators"),
    },
    "Explore": {
        "describe": ("explore:describe", "Summarise the size, shape and labels of ontologies"),
        "match": ("explore:match", "Pair the concepts of two ontologies"),
        "relate": ("explore:relate", "Compute the similarity of concepts, with reasons"),
        "nearest": ("explore:nearest", "List the concepts most similar to a concept"),
        "validate": ("explore:validate", "Check an ontology, a corpus or scores (SHACL)"),
    },
    "Measures": {
        "measures": ("measuring:measures", "List the measures, or define one"),
        "correlate": ("measuring:correlate", "Correlate similarity measures with human ratings"),
        "sensitivity": ("measuring:sensitivity", "Show how measures react to growing damage"),
        "perturb": ("measuring:perturb", "Write a randomly damaged copy of an ontology"),
    },
    "Stored scores": {
        "query": ("scores:query", "Query stored scores by name or in SPARQL"),
        "store": ("scores:store", "List, show, delete, import or export runs"),
        "write-back": ("scores:write_back", "Write concept scores into the ontology"),
    },
    "Tools": {
        "schema": ("scores:schema", "Print the RDF vocabulary or a JSON schema"),
    },
}
_RENAMED = {
    "rank": ("labels --ranking", "labels -m ranking"), "agree": ("correlate", "correlate"),
    "annotate": ("write-back", "write-back"), "vocabulary": ("schema rdf", "schema rdf"),
}  # old command -> what is run, what to type  # fmt: skip


class _Main(Group):
    """The one place where errors become a line on stderr and an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        _make_streams_usable()
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.ClickException as error:
            code = _usage_error(error)
        except click.Abort:
            say("error", "interrupted.")
            code = INTERRUPTED
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _warnings_on_stderr():
                code = super().invoke(ctx)
            return _fail_on_warning(ctx) or code
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except BrokenPipeError:
            _stop_writing()
            return 0
        except Exception as error:
            if ctx.meta.get("ontoeval.debug"):
                raise
            text, code = _failure(error)
            _stop_writing()
            say("error", text, github="error")
            return code


@contextmanager
def _warnings_on_stderr() -> Iterator[None]:
    """Warnings of the library become lines on stderr, each once; those of others go their usual way."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", OntoevalWarning)
        show = warnings.showwarning

        def show_line(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if isinstance(message, OntoevalWarning):
                warning(message.message)
            else:
                show(message, category, *place, **more)

        warnings.showwarning = show_line
        yield


def _fail_on_warning(ctx: click.Context) -> int:
    """The exit code of --fail-on-warning, after the results were written."""
    count = len(warnings_so_far())
    if not count or not ctx.meta.get("ontoeval.fail_on_warning"):
        return 0
    say("error", f"{number_of(count, 'warning', 'warnings')} (--fail-on-warning).")
    return BAD_INPUT


def _failure(error: Exception) -> tuple[str, int]:
    """The line for an exception, and the exit code."""
    if isinstance(error, OntoevalError):
        return error.text(option_spelling), BAD_INPUT
    if isinstance(error, OSError) and error.strerror:  # a full disk, also of stdout
        return f"{f'{error.filename}: ' if error.filename else ''}cannot write: {error.strerror}.", BAD_INPUT
    if isinstance(error, MemoryError):
        return "not enough memory. Select a part of the ontology with --below or --namespace.", BAD_INPUT
    return (
        f"internal error ({type(error).__name__}: {error}). Run it again with --debug and report the output.",
        INTERNAL,
    )


def _choices(match: re.Match[str]) -> str:
    choices = match[2].replace("'", "")
    return f"unknown value {match[1]}. Use {'one of: ' * (', ' in choices)}{choices}."


_WORDING: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (  # of click, and of this program
    (re.compile(r"(.+) is not (?:one of )?('.*')\."), _choices),
    (re.compile(r"(.*) is not a valid int(?:eger)?(?: range)?\."), r"must be a whole number, not \1."),
    (re.compile(r"(.*) is not a valid float(?: range)?\."), r"must be a number, not \1."),
    (re.compile(r"(\S+?)(?:\.0)? is not in the range (\S+?)<=x<=(\S+)\."), r"must be from \2 to \3, not \1."),
    (re.compile(r"(\S+?)(?:\.0)? is not in the range x(>=?|<=?)(\S+)\."), r"must be \2 \3, not \1."),
    (re.compile(r"Got unexpected extra arguments? \((.*)\)\.?"), r"too many arguments: \1."),
)


def _usage_error(error: click.ClickException) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return error.exit_code
    say("error", _usage_problem(error))
    context = getattr(error, "ctx", None)
    if context is not None:
        click.echo(f"Help: {context.command_path} --help", err=True)
    return error.exit_code


def _usage_problem(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption):
        close = " or ".join(map(repr, (error.possibilities or ())[:2]))
        return f"no such option {error.option_name!r}." + (f" Did you mean {close}?" if close else "")
    is_value = isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter)
    problem = error.message if is_value else error.format_message()
    for pattern, wording in _WORDING:
        problem = pattern.sub(wording, problem)
    option = getattr(error, "param", None) if is_value else None
    if isinstance(option, click.Option):
        return f"{option.opts[0]}: {problem}"
    return problem[0].lower() + problem[1:] if problem.startswith(("Missing ", "Option ")) else problem


def _make_streams_usable() -> None:
    """No text ends in an error of its encoding; a stream that is closed leads nowhere, and no file gets its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            mode = "r" if number == 0 else "w"
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
        elif name == "stdout" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # stderr escapes such characters by itself


def _stop_writing() -> None:
    """What nobody can read any more goes nowhere, so that the interpreter can flush it at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _print_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(f"ontoeval, version {__version__}")
        context.exit()


main = _Main(
    "ontoeval",
    "How good is a learned ontology, an annotation or a classification, and where is it wrong?",
    _SECTIONS,
    renamed=_RENAMED,
    parameters=[
        click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
                     help="Show the version."),
    ],
)  # fmt: skip
