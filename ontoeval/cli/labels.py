"""`ontoeval labels` and `ontoeval rank`: labels of whole documents, as sets and as rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.annotation_options import Choices, check, judging_options, need_two
from ontoeval.cli.concepts import check_stdin
from ontoeval.cli.options import layout_options, ontology_options, storing_options
from ontoeval.report.annotations import Row, Shown, finish
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.measures import Measure
    from ontoeval.measures.annotations.ranking import RankingAgreement
    from ontoeval.model.corpus import Corpus
    from ontoeval.model.ontology import Ontology

_WORDS: dict[str, Any] = {"key": "gold standard", "annotations": "labels", "classes": ("label", "labels")}


@click.command(no_args_is_help=True)
@click.argument("predicted", nargs=-1, required=True, metavar="PREDICTED...")
@click.option("--gold", required=True, metavar="PATH", help="The labels that are right.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Keep the N labels with the greatest scores.")
@click.option("--threshold", type=float, metavar="T", help="Keep the labels with a score of T or more.")
@judging_options
@layout_options()
@storing_options
@ontology_options
def labels(predicted: tuple[str, ...], gold: str, limit: int | None, threshold: float | None, layout: Layout, **options: Any) -> None:  # fmt: skip
    """Judge the labels of documents by a gold standard, with credit for labels that are near the right ones.

    PREDICTED and --gold are Annif folders, tables of document, label and perhaps score, JSON Lines, or lines of
    categories. Several predictions are several rows. Without --ontology labels are compared as names.

    \b
    Examples:
      ontoeval labels mllm.tsv tfidf.tsv --gold fulltext --ontology yso.ttl --limit 5 --drop-unknown
      ontoeval labels predictions.tsv --gold truth.tsv --ontology go.obo --threshold 0.5 -m 'hF(root=in, average=micro)'
    """
    choices = Choices(options)
    cut = {name: value for name, value in (("limit", limit), ("threshold", threshold)) if value is not None}
    rows = _rows(choices, predicted, gold, cut)
    names = choices.wanted(rows[0].task)
    shown = Shown(choices, rows, [choices.evaluated(row, names) for row in rows], layout, words=_WORDS)
    said = "".join(f", {name}={value:g}" for name, value in cut.items()) + choices.said
    text = shown.document() if layout is Layout.JSON else shown.tables(f"Labels judged by {Path(gold).name}{said}")
    finish(choices, shown, text, _corpora(rows))


def _rows(choices: Choices, paths: Sequence[str], gold: str, cut: Mapping[str, Any]) -> list[Row]:
    """The predictions that are judged, loaded and checked."""
    if choices.significance:
        need_two(len(paths), "--significance")
    check_stdin(*paths, gold, choices.source)
    ontology = choices.ontology()
    key = choices.corpus(gold, labels=True, words=f"gold {gold}")
    rows = [_row(choices, path, name, key, ontology, cut) for path, name in zip(paths, _names(paths), strict=True)]
    for row in rows:
        check(row.task)
    return rows


def _corpora(rows: Sequence[Row]) -> dict[str, Corpus]:
    return {_WORDS["key"]: rows[0].task.key, **{row.name: row.task.response for row in rows}}


def _names(paths: Sequence[str]) -> list[str]:
    from ontoeval.tables import short_names

    return short_names(paths)


def _row(choices: Choices, path: str, name: str, key: Any, ontology: Ontology | None, cut: Mapping[str, Any]) -> Row:
    from ontoeval.tasks.extraction import Extraction

    corpus = choices.corpus(path, labels=True)
    if cut:
        corpus = corpus.cut(**cut)
    return Row(name, Extraction(corpus, key, ontology, unknown=choices.unknown), settings=cut)


@click.command(no_args_is_help=True)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--gold", required=True, metavar="QRELS", help="The labels that are right.")
@click.option(
    "--depth", type=click.IntRange(min=1), metavar="N", help="How many labels of a ranking count.  [default: 200]"
)
@click.option(
    "--ties",
    type=click.Choice(["label", "trec_eval"]),
    help="Equal scores by label upwards, or as trec_eval has them: downwards, single precision.  [default: label]",
)
@judging_options
@layout_options()
@storing_options
@ontology_options
def rank(runs: tuple[str, ...], gold: str, depth: int | None, ties: Any, layout: Layout,
         **options: Any) -> None:  # fmt: skip
    """Judge rankings of labels by a gold standard, with credit for labels that are near the right ones.

    RUN and --gold are TREC runs and qrels, or any labels with scores and without. With an ontology the measures have
    binary, high and low credit; several runs get ranks, and Kendall's tau between binary and cost-based values.

    \b
    Examples:
      ontoeval rank run1.txt run2.txt --gold qrels.txt --ontology ipc.ttl
      ontoeval rank results.test --gold qrels.test --depth 1000 --ties trec_eval -m APrec,RPrec,'P_at(k=5)'
    """
    choices = Choices(options, depth=depth, ties=ties)
    rows = _rows(choices, runs, gold, {})
    names = choices.wanted(rows[0].task, _usual(near=choices.source is not None))
    results = [choices.evaluated(row, names) for row in rows]
    shown = Shown(choices, rows, results, layout, words=_WORDS)
    agreed = _agreed(shown)
    if layout is Layout.JSON:
        text = shown.document({} if agreed is None else {"ranks": agreed.to_dict()})
    else:
        text = shown.tables(f"Rankings judged by {Path(gold).name}{choices.said}")
        text += "" if agreed is None else "\n" + _ranks(agreed, choices, layout)
    finish(choices, shown, text, _corpora(rows))


def _usual(*, near: bool) -> list[tuple[str, Measure]]:
    from ontoeval.evaluation import named_measures
    from ontoeval.tasks.extraction import Extraction

    credits = ("binary", "high", "low") if near else ("binary",)
    wanted = [
        name if credit == "binary" else f"{name}(credit={credit})"
        for name in ("APrec", "RPrec", "P_at")
        for credit in credits
    ]
    return list(named_measures(wanted, Extraction))


def _agreed(shown: Shown) -> RankingAgreement | None:
    from dataclasses import replace

    from ontoeval.measures.annotations.ranking import rankings_agree

    if len(shown.rows) < 2:
        return None
    return rankings_agree([replace(r, system=row.name) for row, r in zip(shown.rows, shown.results, strict=True)])


def _ranks(agreed: RankingAgreement, choices: Choices, layout: Layout) -> str:
    """The rank of each run by each measure, and how it goes with the binary one."""
    from ontoeval.tables import render

    header, rows = agreed.header, agreed.rows
    if layout is Layout.TABLE:
        header = ["", *header[1:]]
    if layout.for_people:
        rows = [[choices.short(measure), *cells] for measure, *cells in rows]
    return render("Ranks, and Kendall's tau-b with binary credit", header, rows, layout, precision=choices.digits)
