"""`ontoeval agree`: options, steps (values, table: analysis/human_agreement.py; remarks: report/human_agreement.py)."""

from __future__ import annotations

from typing import Any

import click

from ontoeval.analysis import human_agreement
from ontoeval.analysis.relate import concept_measure
from ontoeval.cli.inputs import check_stdin, read_ontology_with_counts
from ontoeval.cli.options import concept_options, file_layout, layout_options, measure_names, ontology_options
from ontoeval.cli.printing import json_text, note, status_on_stderr, write_text
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.storing import Storing, storing_options
from ontoeval.errors import MissingInputError
from ontoeval.files import check_writable
from ontoeval.load import load_pairs
from ontoeval.report import human_agreement as report
from ontoeval.report.figures import check_plot, write_plot
from ontoeval.tables import Layout


@click.command(no_args_is_help=True)
@click.argument("rated", metavar="RATED_PAIRS")
@concept_options
@click.option(
    "--senses",
    type=click.Choice(["max", "first"]),
    default="max",
    show_default=True,
    help="Of several concepts that a word can mean: the best pair counts, or the first ones.",
)
@click.option(
    "--confidence/--no-confidence",
    "with_confidence",
    default=True,
    show_default=True,
    help="Add bootstrap 95 % intervals over the pairs.",
)
@click.option("--rounds", type=click.IntRange(1, 1_000_000), metavar="N", help="Draws of --confidence (2000).")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of --confidence.")
@click.option("--pairs-out", metavar="FILE", help="Write the values of each pair: .tsv, .csv or .json.")
@click.option("--plot", metavar="FILE", help="Draw each measure against the ratings: .svg or .png. Needs matplotlib.")
@layout_options()
@storing_options
@ontology_options
def agree(rated: str, source: str, measures: tuple[str, ...], counts: str | None, digits: int, senses: Any,
          with_confidence: bool, rounds: int | None, seed: int, pairs_out: str | None, plot: str | None, layout: Layout,
          **options: Any) -> None:  # fmt: skip
    """Say how measures between concepts agree with people.

    RATED_PAIRS is a table of two words or concepts and a rating. Words are looked up as labels; pairs with an unknown
    word are left out, and listed. The table has Pearson's r, Spearman's rho and Kendall's tau-b. Distances count as -d.
    Without -m the default measures are taken, but Rada as a distance: the r of 1/(1+d) is another one.

    \b
    Examples:
      ontoeval agree miller-charles.tsv --ontology data.noun
      ontoeval agree rated.csv --ontology thesaurus.ttl -m Lin -m 'JC(ic=sanchez)' --format latex
      ontoeval agree rated.tsv --ontology go.obo -m 'Resnik(ic=corpus)' --counts counts.tsv --pairs-out values.tsv
      ontoeval agree rated.tsv --ontology data.noun --senses first --plot agreement.svg
    """
    storing = Storing(options)
    names = measure_names(measures, "Lin")
    for name in names:
        concept_measure(name)  # refused before anything is loaded
    pairs_layout = None if pairs_out is None else file_layout(pairs_out, "--pairs-out")
    if plot is not None:
        check_plot(plot)
        check_writable(plot)
    check_stdin(rated, source, counts)
    table = load_pairs(rated)
    if table.ratings is None:
        raise MissingInputError("there are no ratings", place=rated, advice="Give a third column of numbers.")
    ontology = read_ontology_with_counts(source, counts, options)
    with status_on_stderr() as status:
        agreement = human_agreement.agree(
            ontology, table, names or None, senses=senses, confidence=0.95 if with_confidence else None,
            rounds=rounds or human_agreement.ROUNDS, seed=seed, system=storing.system, progress=status,
        )  # fmt: skip
    # everything is made before anything is shown, so that there is never half a result
    as_json = layout is Layout.JSON
    text = json_text(agreement.to_dict()) if as_json else report.table(agreement, layout, digits)
    values = None if pairs_layout is None else report.pair_values(agreement, pairs_layout)
    if plot is not None:
        write_plot(agreement, plot)
    if pairs_out is not None and values is not None:
        write_text(pairs_out, values)
    storing.write([agreement.result])
    click.echo(text, nl=False)
    if not as_json:
        for line in report.remarks(agreement, option_spelling):
            note(line, layout)
