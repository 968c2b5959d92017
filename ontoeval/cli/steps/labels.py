"""Steps of `ontoeval labels`, rankings included (shared: judging.py; measures: evaluation.py; prints: report/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ontoeval.cli.steps.checks import measure_names
from ontoeval.cli.steps.inputs import check_stdin
from ontoeval.cli.steps.judging import JudgingOptions, need_two
from ontoeval.cli.steps.printing import json_text
from ontoeval.evaluation import usual_ranking_measures
from ontoeval.measures import parse
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.report.annotations import LABEL_WORDS, Response
from ontoeval.tables import Layout, file_names
from ontoeval.tasks.extraction import Extraction

RANKING = "ranking"  # the set of measures
_TREC_RUN = "run"  # format of a corpus


def labels(predicted: tuple[str, ...], gold: str, limit: int | None, min_score: float | None, ties: Any,
           as_ranking: bool, layout: Layout, **options: Any) -> None:  # fmt: skip
    """Load, cut, evaluate; then write and print. Rankings are scored by measures of their own."""
    options.pop("top"), options.pop("baseline")
    names = measure_names(options["measures"])
    options["measures"] = tuple(name for name in names if name != RANKING)
    is_ranking = as_ranking or RANKING in names or (bool(names) and all(map(_scores_rankings, names)))
    judging = JudgingOptions(options, depth=limit if is_ranking else None, ties=ties)
    ontology, key, corpora = _read_inputs(judging, predicted, gold)
    if not names and all(corpus.source.format == _TREC_RUN for corpus in corpora):
        is_ranking = True
        judging.parameters |= {} if limit is None else {"depth": limit}
    cut = {"limit": None if is_ranking else limit, "threshold": min_score}
    cut = {name: value for name, value in cut.items() if value is not None}
    responses = _responses(judging, predicted, corpora, key, ontology, cut)
    usual = usual_ranking_measures(near=judging.source is not None) if is_ranking else None
    report = judging.report(responses, judging.computed(responses[0].task, usual), layout, words=LABEL_WORDS)
    ranks = report.ranks() if is_ranking else None
    settings = "".join(f", {name.replace('threshold', 'min-score')}={value:g}" for name, value in cut.items())
    title = f"{'Rankings' if is_ranking else 'Labels'} scored against {Path(gold).name}{settings}{judging.title}"

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text(report.document({} if ranks is None else {"ranks": ranks.to_dict()}))
        shown = replace(report, layout=layout)
        return shown.tables(title) + ("" if ranks is None else "\n" + shown.rank_table(ranks))

    judging.finish(report, text, layout, _corpora(responses))


def _scores_rankings(name: str) -> bool:
    return any(parameter == "depth" for parameter in parse(name).definition.parameters)


def _read_inputs(
    judging: JudgingOptions, paths: Sequence[str], gold: str
) -> tuple[Ontology | None, Corpus, list[Corpus]]:
    """The ontology, the gold standard and the predictions."""
    if judging.significance:
        need_two(len(paths), "--significance", "predictions")
    check_stdin(*paths, gold, judging.source)
    ontology = judging.ontology()
    key = judging.corpus(gold, labels=True, label=f"gold {gold}")
    return ontology, key, [judging.corpus(path, labels=True) for path in paths]


def _responses(judging: JudgingOptions, paths: Sequence[str], corpora: Sequence[Corpus], key: Corpus,
               ontology: Ontology | None, cut: Mapping[str, Any]) -> list[Response]:  # fmt: skip
    """The predictions that are scored, cut and checked."""
    responses = []
    systems = judging.storing.names_for(len(paths))
    for corpus, name, system in zip(corpora, file_names(paths), systems, strict=True):
        task = Extraction(corpus.cut(**cut) if cut else corpus, key, ontology, unknown=judging.unknown)
        responses.append(Response(system or name, task, system, settings=cut))
    for response in responses:
        response.task.check()
    return responses


def _corpora(responses: Sequence[Response]) -> dict[str, Corpus]:
    """The gold standard and the predictions by their names in remarks."""
    return {LABEL_WORDS.key: responses[0].task.key, **{one.name: one.task.response for one in responses}}
