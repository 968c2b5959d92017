"""`main`: the list of commands with a sentence of help each, imported on use; errors to stderr, with exit code 1."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from ontoeval.cli.spelling import option_spelling
from ontoeval.errors import OntoevalError

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


# The commands, the main job first: file and function, and the first sentence of its help. Each is imported when it is used.
_COMMANDS = {
    "compare": ("compare:compare", "Compare learned ontologies with a gold standard."),
    "annotations": (
        "annotations:judge",
        "Judge annotations of texts by a key, with credit for classes that are near the right one.",
    ),
    "labels": (
        "labels:labels",
        "Judge the labels of documents by a gold standard, with credit for labels that are near the right ones.",
    ),
    "rank": (
        "labels:rank",
        "Judge rankings of labels by a gold standard, with credit for labels that are near the right ones.",
    ),
    "relate": ("relate:relate", "Say how similar two concepts are, or the pairs of a file, or all pairs."),
    "nearest": ("relate:nearest", "List the concepts that are nearest to a concept, by BDM or other measures."),
    "agree": ("agree:agree", "Say how measures between concepts agree with people."),
    "match": ("match:match", "Say which learned concept is which gold concept."),
    "describe": ("describe:describe", "Say what is in each ontology: size, shape, labels, oddities."),
    "measures": ("measures:measures", "List the measures, or say what one of them means."),
    "sensitivity": ("sensitivity:sensitivity", "See how measures react when an ontology is changed more and more."),
    "perturb": ("perturb:perturb", "Change an ontology at random and write it, to see how measures react."),
    "annotate": ("annotate:annotate", "Write the scores of single concepts as annotations of an ontology."),
    "query": ("query:query", "Ask stored scores in SPARQL."),
    "store": ("store:store", "List, show, delete, export and import stored evaluations."),
    "validate": (
        "validate:validate",
        "Check scores, an ontology, annotated documents or any RDF file against SHACL shapes.",
    ),
    "vocabulary": (
        "vocabulary:vocabulary",
        "Print the vocabulary of our RDF: an OWL file of the terms and of every measure.",
    ),
}


class _Commands(click.Group):
    """The one place where our errors become a line on stderr and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OntoevalError as error:
            if ctx.params.get("debug"):
                raise
            click.echo(f"error: {error.text(option_spelling)}", err=True)
            ctx.exit(1)
        except MemoryError:
            if ctx.params.get("debug"):
                raise
            click.echo("error: not enough memory. Take a part of the file with --below or --namespace.", err=True)
            ctx.exit(1)
        except BrokenPipeError:
            sys.stderr.close()  # whoever read our output has had enough
            ctx.exit(0)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, function = _COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"ontoeval.cli.{module}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any of them."""
        limit = formatter.width - 6 - max(map(len, self.commands))
        rows = [(name, command.get_short_help_str(limit)) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


_SUMMARIES = {name: click.Command(name, help=text) for name, (_, text) in _COMMANDS.items()}


@click.group(cls=_Commands, commands=_SUMMARIES, context_settings=_CONTEXT)
@click.version_option(package_name="ontoeval-toolkit", prog_name="ontoeval")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def main(debug: bool) -> None:
    """How good is a learned ontology? Measures for OWL, SKOS and OBO against a gold standard."""
