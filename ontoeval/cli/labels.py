"""`ontoeval labels`, `rank`: own options (others: annotation_options.py; measures: evaluation.py; prints: report/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ontoeval.cli.annotation_options import JudgingOptions, judging_options, need_two
from ontoeval.cli.inputs import check_stdin
from ontoeval.cli.options import layout_options, ontology_options
from ontoeval.cli.printing import json_text
from ontoeval.cli.storing import storing_options
from ontoeval.evaluation import usual_ranking_measures
from ontoeval.model.corpus import Corpus
from ontoeval.report.annotations import LABEL_WORDS, Response
from ontoeval.tables import Layout, file_names
from ontoeval.tasks.extraction import Extraction


@click.command(no_args_is_help=True)
@click.argument("predicted", nargs=-1, required=True, metavar="PREDICTED...")
@click.option("--gold", required=True, metavar="PATH", help="The labels that are right.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Keep the N labels with the greatest scores.")
@click.option("--threshold", type=float, metavar="T", help="Keep the labels with a score of T or more.")
@judging_options
@layout_options()
@storing_options
@ontology_options
def labels(predicted: tuple[str, ...], gold: str, limit: int | None, threshold: float | None, layout: Layout,
           **options: Any) -> None:  # fmt: skip
    """Judge the labels of documents by a gold standard, with credit for labels that are near the right ones.

    PREDICTED and --gold are Annif folders, tables of document, label and perhaps score, JSON Lines, or lines of
    categories. Several predictions are several rows. Without --ontology labels are compared as names.

    \b
    Examples:
      ontoeval labels mllm.tsv tfidf.tsv --gold fulltext --ontology yso.ttl --limit 5 --drop-unknown
      ontoeval labels predictions.tsv --gold truth.tsv --ontology go.obo --threshold 0.5 -m 'hF(root=in, average=micro)'
    """
    judging = JudgingOptions(options)
    cut = {name: value for name, value in (("limit", limit), ("threshold", threshold)) if value is not None}
    responses = _responses(judging, predicted, gold, cut)
    report = judging.report(responses, judging.computed(responses[0].task), layout, words=LABEL_WORDS)
    if layout is Layout.JSON:
        text = json_text(report.document())
    else:
        settings = "".join(f", {name}={value:g}" for name, value in cut.items()) + judging.title
        text = report.tables(f"Labels judged by {Path(gold).name}{settings}")
    judging.finish(report, text, _corpora(responses))


def _responses(judging: JudgingOptions, paths: Sequence[str], gold: str, cut: Mapping[str, Any]) -> list[Response]:
    """The predictions that are judged, loaded and checked."""
    if judging.significance:
        need_two(len(paths), "--significance")
    check_stdin(*paths, gold, judging.source)
    ontology = judging.ontology()
    key = judging.corpus(gold, labels=True, label=f"gold {gold}")
    responses = []
    for path, name in zip(paths, file_names(paths), strict=True):
        corpus = judging.corpus(path, labels=True)
        task = Extraction(corpus.cut(**cut) if cut else corpus, key, ontology, unknown=judging.unknown)
        responses.append(Response(name, task, settings=cut))
    for response in responses:
        response.task.check()
    return responses


def _corpora(responses: Sequence[Response]) -> dict[str, Corpus]:
    """The gold standard and the predictions by their names in remarks."""
    return {LABEL_WORDS.key: responses[0].task.key, **{one.name: one.task.response for one in responses}}


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
    judging = JudgingOptions(options, depth=depth, ties=ties)
    responses = _responses(judging, runs, gold, {})
    usual = usual_ranking_measures(near=judging.source is not None)
    report = judging.report(responses, judging.computed(responses[0].task, usual), layout, words=LABEL_WORDS)
    ranks = report.ranks()
    if layout is Layout.JSON:
        text = json_text(report.document({} if ranks is None else {"ranks": ranks.to_dict()}))
    else:
        text = report.tables(f"Rankings judged by {Path(gold).name}{judging.title}")
        text += "" if ranks is None else "\n" + report.rank_table(ranks)
    judging.finish(report, text, _corpora(responses))
