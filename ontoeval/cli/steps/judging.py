"""`JudgingOptions`: steps that `annotations` and `labels` share (default measures: evaluation.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from ontoeval.analysis.groups import check_systems
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import note, warning
from ontoeval.cli.steps.checks import Limits, fail_under, file_layout, measure_names, with_checks
from ontoeval.cli.steps.figures import FigureFiles
from ontoeval.cli.steps.grouping import check_group, table_with_tests
from ontoeval.cli.steps.inputs import evaluate_task, read_ontology_with_counts
from ontoeval.cli.steps.output import FIGURES, Text
from ontoeval.cli.steps.printing import json_text, progress_on_stderr
from ontoeval.cli.steps.storing import Storing
from ontoeval.errors import LoadError
from ontoeval.evaluation import NamedMeasure, measures_with, named_measures, with_parameters
from ontoeval.load.corpora import load_corpus
from ontoeval.measures import Measure, parse
from ontoeval.measures.similarity_parameter import check_similarity
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.output import write_text
from ontoeval.report.annotation_details import PER_DOCUMENT, Response, Section
from ontoeval.report.annotation_remarks import Words
from ontoeval.report.annotations import AnnotationReport
from ontoeval.report.local_scores import local_table
from ontoeval.results import EvaluationResult, ResultTable
from ontoeval.tables import Layout
from ontoeval.tasks.extraction import Extraction


class JudgingOptions:
    """The options that all these commands have, checked before anything is loaded."""

    def __init__(self, options: dict[str, Any], **parameters: Any) -> None:
        """Take the options of judging out of all; `parameters` go to every measure that has them and sets no other."""
        self.source, self.counts = options.pop("source"), options.pop("counts")
        self.per, self.top, self.baseline = (options.pop(name) for name in ("per", "top", "baseline"))
        self.group, self.test = options.pop("group"), options.pop("test")
        self.significance = options.pop("significance") or self.baseline is not None or self.test is not None
        self.with_confidence, self.rounds, self.seed = (options.pop(k) for k in ("with_confidence", "rounds", "seed"))
        self.group_by_row = False  # True: a run is called as its row, not as its file
        check_group(self.group, self.test, with_confidence=self.with_confidence)
        self.digits, self.local = options.pop("digits"), options.pop("local")
        self.formats = {name: options.pop(name) for name in ("corpus_format", "gold_format")}
        similarity, self.unknown = options.pop("similarity"), options.pop("unknown")
        measures, limits = options.pop("measures"), options.pop("limits")
        self.storing = Storing(options, own=FIGURES)
        self.figures = FigureFiles(self.storing.outputs, options.pop("figure"))
        self.options = options  # of the ontology, once the command took its own out
        self.parameters = {name: value for name, value in parameters.items() if value is not None}
        if similarity is not None:
            if self.source is None:
                raise click.UsageError("--similarity needs --ontology.")
            self.parameters["similarity"] = _similarity(similarity)
        if self.unknown != "keep" and self.source is None:
            raise click.UsageError(f"--unknown {self.unknown} needs --ontology.")
        self.names = measure_names(measures)
        named_measures(self.names, Extraction)  # refused before anything is loaded
        self.thresholds = Limits(limits)
        self.limited = self._with_parameters(named_measures(list(self.thresholds.least), Extraction))
        self.local_layout = None if self.local is None else file_layout(self.local, "--local")

    def _with_parameters(self, measures: Sequence[NamedMeasure]) -> list[NamedMeasure]:
        """The measures with the parameters that were given for all, under the names that were asked for."""
        return [(name, with_parameters(name, measure, self.parameters)) for name, measure in measures]

    @property
    def title(self) -> str:
        """What was given for all measures, as the end of a title."""
        given = self.parameters if self.unknown == "keep" else {**self.parameters, "unknown": self.unknown}
        return "".join(f", {key} {value}" for key, value in given.items())

    def computed(self, task: Extraction, usual: Sequence[NamedMeasure] | None = None) -> list[NamedMeasure]:
        """The measures of -m, or the usual ones, and those of --fail-under, each once."""
        measures = measures_with(task, self.names or None, self.parameters, usual)
        names: dict[Measure, str] = {}
        for name, measure in (*measures, *self.limited):
            names.setdefault(measure, name)
        return self.thresholds.with_saved([(name, measure) for measure, name in names.items()], Extraction)

    @property
    def similarity(self) -> str:
        """The similarity of what is told beside the measures: confusions, classes, agreement."""
        return str(self.parameters.get("similarity", "BDM"))

    def ontology(self) -> Ontology | None:
        """The ontology of the classes, if there is one."""
        return None if self.source is None else read_ontology_with_counts(self.source, self.counts, self.options)

    def corpus(self, path: str, *, labels: bool, gold: bool = False, label: str = "", **features: Any) -> Corpus:
        """Load annotated documents under a progress bar; `gold`: their format is that of --gold-format."""
        option = "gold_format" if gold else "corpus_format"
        with progress_on_stderr(label or path) as progress:
            try:
                return load_corpus(
                    path,
                    format=self.formats[option],
                    labels=labels,
                    max_size=self.options["max_size"],
                    progress=progress,
                    **features,
                )
            except LoadError as error:  # --input-format is that of the ontology
                error.advice = (error.advice or "").replace("{format}", f"{{{option}}}")
                raise

    def report(self, responses: Sequence[Response], measures: Sequence[NamedMeasure], layout: Layout,
               sections: Sequence[Section] = (), words: Words = Words()) -> AnnotationReport:  # fmt: skip  # noqa: B008
        """Evaluate the responses; what is to be shown of them."""
        self.figures.check([measure for _, measure in measures], is_grouped=self.group is not None)
        results = []
        for response in responses:
            result = self._evaluated(response, measures)
            results.append(replace(result, settings={**result.settings, **response.settings}))
        originals = sum(response.variant is None for response in responses)  # they stand first
        table = self._table(responses[:originals], results[:originals], words)
        return AnnotationReport(
            responses,
            results if self.group is None else table.results,
            table,
            layout,
            [*sections, *([PER_DOCUMENT] if "document" in self.per else [])],
            words,
            self.digits,
            self.top,
            option_spelling,
            default_measures=not self.names,
        )

    def _evaluated(self, response: Response, measures: Sequence[NamedMeasure]) -> EvaluationResult:
        return evaluate_task(
            response.task,
            measures,
            system=response.system,
            with_confidence=self.with_confidence,
            rounds=self.rounds,
            seed=self.seed,
        )

    def _table(self, responses: Sequence[Response], results: Sequence[EvaluationResult], words: Words) -> ResultTable:
        """The rows that people read, joined to systems and tested if that is asked for."""
        table = ResultTable(results, [response.name for response in responses])
        if self.group is not None and results:
            named = self.group_by_row or any(response.given_name for response in responses)
            table = (table if named else replace(table, names=())).group(self.group)
        if not self.significance:
            return table
        what = f"{words.response}s"
        return table_with_tests(
            table, self.baseline, self.test, measures=None, rounds=self.rounds, seed=self.seed, what=what
        )

    def check_number(self, count: int, what: str) -> None:
        """Refuse to test `what` if there is one."""
        if self.significance and count < 2:
            option = "--significance" if self.baseline is None else "--baseline"
            raise click.UsageError(f"{option} needs at least two {what}.")

    def check_systems(self, paths: Sequence[str]) -> None:
        """Refuse a --group that makes no systems of these inputs."""
        if self.group is not None:
            check_systems(paths, self.group, self.storing.names if len(self.storing.names) == len(paths) else ())

    def check_details(self, layout: Layout, *details: str) -> None:
        """Refuse two details where a file or the output holds one table."""
        every = [*details, *(["--significance"] if self.significance else [])]
        every += ["--per document"] if "document" in self.per else []
        layouts = [("-f", layout), *self.storing.outputs.tables]
        for place, one in layouts:
            if one in (Layout.CSV, Layout.TSV) and len(every) > 1:
                name = f"-f {one.value}" if place == "-f" else place
                raise click.UsageError(f"{name} holds one table, not those of {' and '.join(every)}. Keep one.")

    def finish(self, report: AnnotationReport, text: Text, layout: Layout,
               corpora: Sequence[tuple[str, Corpus]], more: Mapping[str, Any] | None = None) -> None:  # fmt: skip
        """Store, write and show, once everything is made, so that there is never half a result.

        `text` makes tables, `more` stands in JSON behind the results.
        """
        computed = {score.measure: score.name for result in report.results for score in result.scores}
        least = zip(self.limited, self.thresholds.least.values(), strict=True)
        checks = self.thresholds.check(
            report.results, {computed.get(measure, name): value for (name, measure), value in least}
        )

        def text_or_json(layout: Layout) -> str:
            if layout is Layout.JSON:
                return json_text(with_checks(report.document(more), checks))
            return text(layout)

        def write_others() -> None:
            if report.results:
                self.storing.write(report.results)
                names = [response.with_variant(response.name) for response in report.responses]
                self.figures.write(ResultTable(report.results, names))
            if self.local is not None and self.local_layout is not None:
                write_text(self.local, local_table(report.local_results(), self.local_layout, role="response"))

        remarks = list(report.remarks(corpora))
        for line in (remark.text for remark in remarks if remark.misleads):  # before JSON, which holds them
            warning(line)
        self.storing.outputs.write(text_or_json, layout, write_others)
        for line in (remark.text for remark in remarks if not remark.misleads):
            note(line)
        fail_under(checks)


def _similarity(name: str) -> Measure:
    measure = parse(name)
    check_similarity({"similarity": measure})
    return measure
