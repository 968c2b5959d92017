"""`ontoeval sensitivity`: how measures react to perturbations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.options import (
    check_place,
    layout_options,
    note,
    ontology_options,
    progress_on_stderr,
)
from ontoeval.cli.scores import split_names
from ontoeval.cli.spelling import option_spelling
from ontoeval.errors import MissingInputError, ParameterError, listed
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.analysis.sensitivity import Sensitivity
    from ontoeval.model.ontology import Ontology


@click.command(no_args_is_help=True)
@click.argument("ontology", metavar="[ONT]", required=False)
@click.option("--example", is_flag=True, help="Instead of ONT the tree of Bade & Benz: 190 concepts, 9,450 instances.")
@click.option(
    "--per-node", type=click.IntRange(min=0), metavar="N", help="Instances on each concept of --example (50)."
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure, with parameters if you like: 'H_s(weight=w2)'. Several with commas or several -m. "
    "`ontoeval measures` lists all.",
)
@click.option(
    "--perturb",
    "perturbations",
    multiple=True,
    metavar="NAME[:LEVEL][=AMOUNTS]",
    help="A change of `ontoeval perturb`: move-nodes, remove-level:3=0,5,10, move-instances=0,10%,20%. Several: give it again.",
)
@click.option("--points", type=click.IntRange(min=2), metavar="N", help="How many amounts where none are given (6).")
@click.option(
    "--runs",
    type=click.IntRange(1, 1_000_000),
    default=10,
    show_default=True,
    metavar="N",
    help="Random runs of each amount.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the first run; the others count on."
)
@click.option("--plot", metavar="FILE", help="Draw the curves: .svg or .png. Needs matplotlib.")
@click.option(
    "--digits", type=click.IntRange(0, 15), default=3, show_default=True, help="Decimals in tables for people."
)
@layout_options()
@ontology_options
def sensitivity(
    ontology: str | None,
    example: bool,
    per_node: int | None,
    measures: tuple[str, ...],
    perturbations: tuple[str, ...],
    points: int | None,
    runs: int,
    seed: int,
    plot: str | None,
    digits: int,
    layout: Layout,
    **options: Any,
) -> None:
    """See how measures react when an ontology is changed more and more.

    Copies of ONT are perturbed as `ontoeval perturb` does it, run r with --seed S + r, and each is compared with ONT,
    concepts matched by IRI. The tables have the means; --format tsv, csv and json the standard deviations, too.
    Without --perturb there are the six settings of Bade & Benz: cut, insert, remove on two levels, move instances, move
    concepts. Without -m: H_s, H_s(weight=w2), ITP, ITR, EOR, EOR(delta=tree), or if there are no instances LF, TF_csc,
    TF_sc, EdgeF.

    \b
    Examples:
      ontoeval sensitivity gold.ttl --plot curves.svg
      ontoeval sensitivity gold.ttl -m TF_csc,TF_sc --perturb move-nodes --perturb remove-level:2=0,5,10
      ontoeval sensitivity edges.tsv --instances places.tsv --perturb move-instances=0,5%,10% --runs 30 --json
      ontoeval sensitivity --example --plot figure1.png
    """
    from ontoeval.analysis.sensitivity import BADE_BENZ, POINTS, read_setting
    from ontoeval.analysis.sensitivity import sensitivity as reacted
    from ontoeval.edit.perturb import Perturbation
    from ontoeval.evaluation import named_measures
    from ontoeval.tasks.comparison import Comparison

    names = split_names(measures)
    if measures and not names:
        raise ParameterError("-m names no measure. Give one such as TF_csc, or leave -m out for the default ones.")
    named_measures(names, Comparison)  # refused before anything is loaded
    for text in perturbations:
        Perturbation.named(read_setting(text)[0])
    if plot is not None:
        from ontoeval.report.figures import check_plot

        check_plot(plot)
        check_place(plot)
    given = _ontology(ontology, example, per_node, options)
    own = BADE_BENZ if example and points is None else None
    with progress_on_stderr("comparing", counted=True) as progress:
        found = reacted(
            given, names or None, perturbations or own, runs=runs, seed=seed, points=points or POINTS, progress=progress
        ).spelled(option_spelling)
    text = _document(found) if layout is Layout.JSON else found.render(layout, precision=digits)
    if plot is not None:
        from ontoeval.report.figures import write_plot

        write_plot(found, plot)
    click.echo(text, nl=False)
    if layout is not Layout.JSON:
        for line in _remarks(found):
            note(line, layout)


def _ontology(path: str | None, example: bool, per_node: int | None, options: dict[str, Any]) -> Ontology:
    from ontoeval.edit.synthetic import even_tree
    from ontoeval.load import load_ontology

    if example:
        if path is not None or options["instances"] is not None:
            given = options["instances"] if path is None else path
            raise ParameterError(f"{given}: --example has its own concepts and instances. Leave one of the two out.")
        return even_tree(50 if per_node is None else per_node)
    if path is None:
        raise MissingInputError("no ontology is given. Give a file, or --example for the tree of Bade & Benz.")
    if per_node is not None:
        raise ParameterError("--per-node is for --example. Leave it out.")
    with progress_on_stderr(path) as progress:
        ontology = load_ontology(path, progress=progress, **options)
    for text in ontology.source.notes:
        click.echo(f"{path}: {text}", err=True)
    return ontology


def _document(found: Sensitivity) -> str:
    return json.dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n"


def _remarks(found: Sensitivity) -> Iterator[str]:
    """What a reader of the tables should know."""
    if any(not row.certain for row in found.rows):
        last = found.seed + found.runs - 1
        several = f"means of {found.runs:,} runs, seeds {found.seed} to {last}; what is not random was done once"
        yield several if found.runs > 1 else f"one run, seed {found.seed}"
    reasons = Counter((str(row.perturbation), reason, row.measure) for row in found.rows for reason in row.undefined)
    groups: dict[tuple[str, str, int], list[str]] = {}
    for (how, reason, measure), often in reasons.items():
        groups.setdefault((how, reason, often), []).append(measure)
    for (how, reason, often), measures in groups.items():
        verb, comparisons = "is" if len(measures) == 1 else "are", "comparison" if often == 1 else "comparisons"
        yield f"{listed(measures)} {verb} undefined in {often:,} {comparisons} under {how}: {reason}"
