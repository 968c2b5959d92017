"""`ontoeval agree`: measures between concepts against the ratings of people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.concepts import check_stdin, concept_options, loaded_ontology
from ontoeval.cli.options import (
    Storing,
    check_place,
    layout_options,
    note,
    ontology_options,
    status_on_stderr,
    storing_options,
    write_text,
)
from ontoeval.cli.scores import split_names
from ontoeval.errors import MissingInputError, ParameterError, listed
from ontoeval.report.concept_pairs import TABLES, cell, definition_lines, plain_part
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.analysis.human_agreement import Agreement
    from ontoeval.analysis.name_lookup import LeftOut

_SHOWN = 5  # pairs that were left out


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
    from ontoeval.analysis.human_agreement import ROUNDS
    from ontoeval.analysis.human_agreement import agree as agreed
    from ontoeval.analysis.relate import concept_measure
    from ontoeval.load import load_pairs

    storing = Storing(options)
    names = split_names(measures)
    if measures and not names:
        raise ParameterError("-m names no measure. Give one such as Lin, or leave -m out for the default ones.")
    for name in names:
        concept_measure(name)  # refused before anything is loaded
    _check_files(pairs_out, plot)
    check_stdin(rated, source, counts)
    table = load_pairs(rated)
    if table.ratings is None:
        raise MissingInputError(f"{rated}: there are no ratings. Give a third column of numbers.")
    ontology = loaded_ontology(source, counts, options)
    with status_on_stderr() as status:
        found = agreed(
            ontology, table, names or None, senses=senses, confidence=0.95 if with_confidence else None,
            rounds=rounds or ROUNDS, seed=seed, system=storing.system, progress=status,
        )  # fmt: skip
    # everything is made before anything is shown, so that there is never half a result
    text = _document(found) if layout is Layout.JSON else _table(found, layout, digits)
    values = None if pairs_out is None else _pairs_text(found, _table_kind(pairs_out))
    if plot is not None:
        from ontoeval.report.figures import write_plot

        write_plot(found, plot)
    if pairs_out is not None and values is not None:
        write_text(pairs_out, values)
    storing.write([found.result])
    click.echo(text, nl=False)
    if layout is not Layout.JSON:
        for line in _remarks(found):
            note(line, layout)


def _check_files(pairs_out: str | None, plot: str | None) -> None:
    if pairs_out is not None:
        _table_kind(pairs_out)
        check_place(pairs_out)
    if plot is not None:
        from ontoeval.report.figures import check_plot

        check_plot(plot)
        check_place(plot)


def _table_kind(path: str) -> str:
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in TABLES:
        raise ParameterError(
            f"{path}: cannot tell the format of --pairs-out. Give a name that ends in .tsv, .csv or .json."
        )
    return kind


def _document(found: Agreement) -> str:
    return json.dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n"


def _table(found: Agreement, layout: Layout, digits: int) -> str:
    title = f"{Path(found.source.path).name} on {Path(found.task.ontology.source.path).name}"
    best = " (* is best)" if len(found) > 1 else ""
    return found.render(layout, title=f"Agreement with people: {title}{best}", precision=digits)


def _remarks(found: Agreement) -> Iterator[str]:
    """What a reader of the table should know."""
    if found.confidence is not None and any(own.draws for own in found):
        constant = found.rounds - min(own.draws for own in found if own.draws)
        bare = f" (up to {constant:,} left out: all alike in a column)" if constant else ""
        yield (
            f"intervals: {100 * found.confidence:g} % percentile bootstrap over pairs, {found.rounds:,} draws{bare}, "
            f"seed {found.seed}"
        )
    how = "the best pair of senses counts" if found.senses == "max" else "the first sense counts"
    several = f", {found.several:,} of them with several senses ({how})" if found.several else ""
    yield f"{found.words:,} words looked up{several}"
    if found.left_out:
        yield f"left out: {len(found.left_out):,} of {found.given:,} pairs"
        yield from _some(found.left_out)
    # measures that leave out the same pairs for the same reason are told together
    groups: dict[tuple[LeftOut, ...], list[str]] = {}
    for own in found:
        if own.left_out:
            groups.setdefault(own.left_out, []).append(own.name)
    for pairs, names in groups.items():
        yield f"left out for {listed(names)}: {len(pairs):,} of {len(found.task):,} pairs"
        yield from _some(pairs)
    reasons: dict[str, list[str]] = {}
    for own in found:
        if own.undefined is not None:
            reasons.setdefault(own.undefined, []).append(own.name)
    for reason, names in reasons.items():
        which = "every coefficient" if len(names) == len(found) else f"the coefficients of {listed(names)}"
        yield f"undefined: {which}: {reason}"
    if any(own.distance for own in found):
        yield f"as -d: {listed(own.name for own in found if own.distance)}"
    yield definition_lines(found.task.ontology, [(own.name, own.measure) for own in found])


def _some(pairs: Sequence[LeftOut]) -> Iterator[str]:
    for pair in pairs[:_SHOWN]:
        line = "" if pair.line is None else f"line {pair.line}: "
        yield f"  {line}{pair.left} – {pair.right} ({pair.reason})"
    if len(pairs) > _SHOWN:
        yield f"  and {len(pairs) - _SHOWN:,} more (--json lists all)"


def _pairs_text(found: Agreement, kind: str) -> str:
    """One row for each pair of the file, those that were left out with the reason."""
    from ontoeval.tables import Cell, render

    rows = [{**row, "left_out": None} for row in found.pairs()]
    rows += [{**pair._asdict(), "values": {}, "senses": {}, "left_out": pair.reason} for pair in found.left_out]
    rows.sort(key=lambda row: row["line"] or 0)
    if kind == "json":
        entries = [
            {
                **{key: row[key] for key in ("left", "right", "rating", "line")},
                "values": {name: plain_part(value) for name, value in row["values"].items()},
                "senses": row["senses"],
                "left_out": row["left_out"],
            }
            for row in rows
        ]
        return json.dumps(entries, indent=1, ensure_ascii=False) + "\n"
    names = [own.name for own in found]
    cells: list[list[Cell]] = [
        [row["left"], row["right"], row["rating"], *(_cell(row["values"].get(name)) for name in names), row["left_out"]]
        for row in rows
    ]
    return render("", ["left", "right", "rating", *names, "left_out"], cells, kind)


def _cell(value: float | None) -> float | None:
    return None if value is None else cell(value)
