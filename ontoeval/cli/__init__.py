"""The commands: parse, call the library, print."""

from __future__ import annotations

import sys
from typing import Any

import click

from ontoeval.cli.agree import agree
from ontoeval.cli.annotate import annotate
from ontoeval.cli.annotations import judge
from ontoeval.cli.compare import compare
from ontoeval.cli.describe import describe
from ontoeval.cli.labels import labels, rank
from ontoeval.cli.match import match
from ontoeval.cli.measures import measures
from ontoeval.cli.options import option_spelling
from ontoeval.cli.perturb import perturb
from ontoeval.cli.query import query
from ontoeval.cli.relate import nearest, relate
from ontoeval.cli.sensitivity import sensitivity
from ontoeval.cli.store import store
from ontoeval.cli.validate import validate
from ontoeval.cli.vocabulary import vocabulary
from ontoeval.errors import OntoevalError

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


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
        return list(self.commands)  # the main job first


@click.group(cls=_Commands, context_settings=_CONTEXT)
@click.version_option(package_name="ontoeval-toolkit", prog_name="ontoeval")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def main(debug: bool) -> None:
    """How good is a learned ontology? Measures for OWL, SKOS and OBO against a gold standard."""


for _command in (
    compare,
    judge,
    labels,
    rank,
    relate,
    nearest,
    agree,
    match,
    describe,
    measures,
    sensitivity,
    perturb,
    annotate,
    query,
    store,
    validate,
    vocabulary,
):
    main.add_command(_command)
