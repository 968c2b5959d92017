"""Steps of `ontoeval labels`, rankings included (shared: judging.py; measures: evaluation.py; prints: report/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ontoeval.cli.steps.checks import measure_names
from ontoeval.cli.steps.inputs import check_stdin
from ontoeval.cli.steps.judging import JudgingOptions
from ontoeval.evaluation import are_runs, scores_rankings, usual_ranking_measures, with_ranking_set
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.report.annotation_details import Response
from ontoeval.report.annotation_remarks import LABEL_WORDS
from ontoeval.tables import Layout, short_names
from ontoeval.tasks.extraction import Extraction


def labels(predicted: tuple[str, ...], gold: str, limit: int | None, min_score: float | None, ties: Any,
           as_ranking: bool, layout: Layout, **options: Any) -> None:  # fmt: skip
    """Load, cut, evaluate; then write and print. Rankings are scored by measures of their own."""
    usual = usual_ranking_measures(near=options["source"] is not None)
    names = with_ranking_set(measure_names(options["measures"]), usual)
    options["measures"] = tuple(names)
    is_ranking = as_ranking or (bool(names) and all(map(scores_rankings, names)))
    judging = JudgingOptions(options, depth=limit if is_ranking else None, ties=ties)
    judging.check_details(layout)
    ontology, key, corpora = _read_inputs(judging, predicted, gold)
    if not names and are_runs(corpora):
        is_ranking = True
        judging.parameters |= {} if limit is None else {"depth": limit}
    cut = {"limit": None if is_ranking else limit, "threshold": min_score}
    cut = {name: value for name, value in cut.items() if value is not None}
    responses = _responses(judging, predicted, corpora, key, ontology, cut)
    measures = judging.computed(responses[0].task, usual if is_ranking else None)
    words = LABEL_WORDS._replace(response="ranking") if is_ranking else LABEL_WORDS
    report = judging.report(responses, measures, layout, words=words)
    settings = "".join(f", {name.replace('threshold', 'min-score')} {value:g}" for name, value in cut.items())
    title = f"against {Path(gold).name}{settings}{judging.title}"

    ranks = report.ranks() if is_ranking else None

    def text(layout: Layout) -> str:
        shown = replace(report, layout=layout)
        if ranks is None or not layout.for_people:  # which hold one table
            return shown.tables(title)
        return f"{shown.tables(title)}\n{shown.rank_table(ranks)}"

    more = {} if ranks is None else {"ranks": ranks.to_dict()}
    judging.finish(report, text, layout, _corpora(responses, gold), more)


def _read_inputs(
    judging: JudgingOptions, paths: Sequence[str], gold: str
) -> tuple[Ontology | None, Corpus, list[Corpus]]:
    """The ontology, the gold standard and the predictions."""
    judging.check_number(len(paths), "predictions")
    judging.check_systems(paths)
    check_stdin(*paths, gold, judging.source)
    ontology = judging.ontology()
    key = judging.corpus(gold, labels=True, gold=True, label=f"gold {gold}")
    return ontology, key, [judging.corpus(path, labels=True) for path in paths]


def _responses(judging: JudgingOptions, paths: Sequence[str], corpora: Sequence[Corpus], key: Corpus,
               ontology: Ontology | None, cut: Mapping[str, Any]) -> list[Response]:  # fmt: skip
    """The predictions that are scored, cut and checked."""
    responses = []
    names = judging.storing.names_for(len(paths))
    several = len(set(paths)) > 1
    for corpus, row, name in zip(corpora, short_names(paths), names, strict=True):
        task = Extraction(corpus.cut(**cut) if cut else corpus, key, ontology, unknown=judging.unknown)
        responses.append(Response(name or row, task, name or (row if several else None), name, cut))
    for response in responses:
        response.task.check()
    return responses


def _corpora(responses: Sequence[Response], gold: str) -> list[tuple[str, Corpus]]:
    """The gold standard and the predictions with their names in remarks."""
    return [(Path(gold).name, responses[0].task.key), *((one.name, one.task.response) for one in responses)]
