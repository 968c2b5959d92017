"""`ontoeval sensitivity`: options, --example, steps (default measures and amounts, tables: analysis/sensitivity.py)."""

from __future__ import annotations

from typing import Any

import click

from ontoeval.analysis import sensitivity as analysis
from ontoeval.cli.inputs import read_ontology_with_notes
from ontoeval.cli.options import digits_option, layout_options, measure_names, measure_option, ontology_options
from ontoeval.cli.printing import json_text, note, progress_on_stderr
from ontoeval.cli.spelling import option_spelling
from ontoeval.edit.perturb import Perturbation
from ontoeval.edit.synthetic import even_tree
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.evaluation import named_measures, needs_relations
from ontoeval.files import check_writable
from ontoeval.model.ontology import Ontology
from ontoeval.report.figures import check_plot, write_plot
from ontoeval.report.sensitivity import remarks
from ontoeval.tables import Layout
from ontoeval.tasks.comparison import Comparison


@click.command(no_args_is_help=True)
@click.argument("ontology", metavar="[ONT]", required=False)
@click.option("--example", is_flag=True, help="Instead of ONT the tree of Bade & Benz: 190 concepts, 9,450 instances.")
@click.option(
    "--per-node", type=click.IntRange(min=0), metavar="N", help="Instances on each concept of --example (50)."
)
@measure_option("'H_s(weight=w2)'")
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
@click.option(
    "--match",
    "by",
    default=analysis.MATCH,
    show_default=True,
    metavar="CHAIN",
    help="How concepts are found again: iri, label (any), preferred (label), name (local), or several with commas.",
)
@click.option("--plot", metavar="FILE", help="Draw the curves: .svg or .png. Needs matplotlib.")
@digits_option
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
    by: str,
    plot: str | None,
    digits: int,
    layout: Layout,
    **options: Any,
) -> None:
    """See how measures react when an ontology is changed more and more.

    Copies of ONT are perturbed as `ontoeval perturb` does it, run r with --seed S + r, and each is compared with ONT. The tables have the means; --format tsv, csv and json the standard deviations, too.
    Without --perturb there are the six settings of Bade & Benz: cut, insert, remove on two levels, move instances, move
    concepts. Lexical damage, which no measure of the structure should notice (Dellschaft & Staab): remove-concepts,
    rename-concepts, use-synonyms; --match preferred does not find synonyms again, --match label does. Without -m: H_s, H_s(weight=w2), ITP, ITR, EOR, EOR(delta=tree), or if there are no instances LF, TF_csc,
    TF_sc, EdgeF.

    \b
    Examples:
      ontoeval sensitivity gold.ttl --plot curves.svg
      ontoeval sensitivity gold.ttl -m TF_csc,TF_sc --perturb move-nodes --perturb remove-level:2=0,5,10
      ontoeval sensitivity edges.tsv --instances places.tsv --perturb move-instances=0,5%,10% --runs 30 --json
      ontoeval sensitivity gold.ttl -m LP,LR,TF_csc,TF_sc --perturb rename-concepts --perturb remove-concepts
      ontoeval sensitivity thesaurus.ttl -m LF,TF_csc --perturb use-synonyms --match preferred
      ontoeval sensitivity --example --plot figure1.png
    """
    names = measure_names(measures, "TF_csc")
    options["other_relations"] |= needs_relations(named_measures(names, Comparison))  # refused before loading
    for text in perturbations:
        Perturbation.named(analysis.read_setting(text)[0])
    if plot is not None:
        check_plot(plot)
        check_writable(plot)
    original = _ontology(ontology, example, per_node, options)
    usual = analysis.BADE_BENZ if example and points is None else None
    with progress_on_stderr("comparing", counted=True) as progress:
        curves = analysis.sensitivity(
            original, names or None, perturbations or usual, runs=runs, seed=seed, points=points or analysis.POINTS,
            match=by, progress=progress,
        ).spelled(option_spelling)  # fmt: skip
    as_json = layout is Layout.JSON
    text = json_text(curves.to_dict()) if as_json else curves.render(layout, precision=digits)
    if plot is not None:
        write_plot(curves, plot)
    click.echo(text, nl=False)
    if not as_json:
        for line in remarks(curves, option_spelling):
            note(line, layout)


def _ontology(path: str | None, example: bool, per_node: int | None, options: dict[str, Any]) -> Ontology:
    if example:
        file = options["instances"] if path is None else path
        if file is not None:
            problem = "--example has its own concepts and instances"
            raise ParameterError(problem, place=file, advice="Leave one of the two out.")
        return even_tree(50 if per_node is None else per_node)
    if path is None:
        advice = "Give a file, or --example for the tree of Bade & Benz."
        raise MissingInputError("no ontology is given", advice=advice)
    if per_node is not None:
        raise ParameterError("--per-node is for --example", advice="Leave it out.")
    return read_ontology_with_notes(path, options)
