"""What the commands about concepts share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.options import Command, progress_on_stderr
from ontoeval.cli.spelling import spelled
from ontoeval.errors import ParameterError, UnknownConceptError

if TYPE_CHECKING:
    from ontoeval.model.ontology import Ontology


def concept_options(command: Command) -> Command:
    """What both commands need: an ontology, measures, counts."""
    for option in reversed(_CONCEPT_OPTIONS):
        command = option(command)
    return command


_CONCEPT_OPTIONS = [
    click.option("--ontology", "source", required=True, metavar="FILE", help="The ontology of the concepts."),
    click.option("-m", "--measure", "measures", multiple=True, metavar="NAME",
                 help="A measure, with parameters if you like: Lin(ic=sanchez). Several with commas or several -m. "
                      "`ontoeval measures` lists all."),
    click.option("--counts", metavar="FILE", help="TSV: concept, how often it occurs in a corpus; for ic=corpus."),
    click.option("--digits", type=click.IntRange(0, 15), default=3, show_default=True, help="Decimals in tables for people."),
]  # fmt: skip


def check_stdin(*sources: str | None) -> None:
    if sources.count("-") > 1:
        raise ParameterError("- is stdin, which can be read once. Give files for the others.")


def loaded_ontology(source: str, counts: str | None, options: dict[str, Any]) -> Ontology:
    from ontoeval.load import load_counts, load_ontology
    from ontoeval.model.lookup import find_concept

    often = None if counts is None else load_counts(counts)
    with progress_on_stderr(source) as progress:
        ontology = load_ontology(source, progress=progress, **options)
    for text in ontology.source.notes:
        click.echo(f"{source}: {spelled(text)}", err=True)
    if often is None:
        return ontology
    total: dict[str, float] = {}
    for name, count in often.items():
        try:
            iri = ontology.hierarchy.iris[find_concept(ontology, name)]
        except UnknownConceptError as error:
            raise UnknownConceptError(f"{counts}: {error} Correct it or leave it out.") from None
        total[iri] = total.get(iri, 0.0) + count
    return ontology.with_counts(total)
