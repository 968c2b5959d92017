"""`JudgingOptions`: steps that `annotations` and `labels` share (default measures: evaluation.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from ontoeval.analysis.significance import PAIRED_ROUNDS, ROUNDS
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import note
from ontoeval.cli.steps.checks import check_limits, fail_under, file_layout, limit_of, measure_names
from ontoeval.cli.steps.inputs import evaluate_task, read_ontology_with_counts
from ontoeval.cli.steps.output import Text
from ontoeval.cli.steps.printing import progress_on_stderr, write_text
from ontoeval.cli.steps.storing import Storing
from ontoeval.errors import MissingInputError, UnknownFormatError
from ontoeval.evaluation import NamedMeasure, fixes_similarity, named_measures, usual_measures, with_parameters
from ontoeval.load.corpora import load_corpus
from ontoeval.measures import Measure, parse
from ontoeval.measures.similarity_parameter import check_similarity
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.report.annotations import (
    PER_DOCUMENT,
    AnnotationReport,
    Response,
    Section,
    Words,
    differences_from_first,
)
from ontoeval.report.local_scores import local_table
from ontoeval.results import EvaluationResult
from ontoeval.tables import Layout
from ontoeval.tasks.extraction import Extraction


class JudgingOptions:
    """The options that all these commands have, checked before anything is loaded."""

    def __init__(self, options: dict[str, Any], **parameters: Any) -> None:
        """Take the options of judging out of all; `parameters` go to every measure that has them and sets no other."""
        self.source, self.counts = options.pop("source"), options.pop("counts")
        self.per, self.significance = options.pop("per"), options.pop("significance")
        self.with_confidence, self.rounds, self.seed = (options.pop(k) for k in ("with_confidence", "rounds", "seed"))
        self.digits, self.local, self.format = (options.pop(name) for name in ("digits", "local", "corpus_format"))
        similarity, self.unknown = options.pop("similarity"), options.pop("unknown")
        measures, limits = options.pop("measures"), options.pop("limits")
        self.storing = Storing(options)
        self.options = options  # of the ontology, once the command took its own out
        self.parameters = {name: value for name, value in parameters.items() if value is not None}
        if similarity is not None:
            if self.source is None:
                raise click.UsageError("--similarity needs --ontology.")
            self.parameters["similarity"] = _similarity(similarity)
        self.short_names: dict[str, str] = {}  # measures as they were written, without what was given for all
        if self.unknown != "keep" and self.source is None:
            raise click.UsageError(f"--unknown {self.unknown} needs --ontology.")
        names = measure_names(measures)
        self.measures = self._with_parameters(named_measures(names, Extraction)) if names else None
        thresholds = dict(limit_of(limit) for limit in limits)
        check_limits(thresholds)
        limited = self._with_parameters(named_measures(list(thresholds), Extraction))
        self.limits = list(zip(limited, thresholds.values(), strict=True))
        self.local_layout = None if self.local is None else file_layout(self.local, "--local")

    def _with_parameters(self, measures: Sequence[NamedMeasure]) -> list[NamedMeasure]:
        """The measures with the parameters that were given for all, which become part of their names."""
        complete = []
        for short, measure in measures:
            name, measure = with_parameters(short, measure, self.parameters)
            if name != short:
                self.short_names[name] = short
            complete.append((name, measure))
        return complete

    @property
    def title(self) -> str:
        """What was given for all measures, as the end of a title."""
        return "".join(f", {key}={value}" for key, value in self.parameters.items())

    def computed(self, task: Extraction, usual: Sequence[NamedMeasure] | None = None) -> list[NamedMeasure]:
        """The measures of -m, or the usual ones, and those of --fail-under, each once."""
        measures = self.measures
        if measures is None:
            default = usual_measures(task) if usual is None else usual
            if "similarity" in self.parameters:
                default = [(name, measure) for name, measure in default if not fixes_similarity(measure)]
            measures = self._with_parameters(default)
        names: dict[Measure, str] = {}
        for name, measure in (*measures, *(limited for limited, _ in self.limits)):
            names.setdefault(measure, name)
        return [(name, measure) for measure, name in names.items()]

    @property
    def similarity(self) -> str:
        """The similarity of what is told beside the measures: confusions, classes, agreement."""
        return str(self.parameters.get("similarity", "BDM"))

    def ontology(self) -> Ontology | None:
        """The ontology of the classes, if there is one."""
        return None if self.source is None else read_ontology_with_counts(self.source, self.counts, self.options)

    def corpus(self, path: str, *, labels: bool, label: str = "", **features: Any) -> Corpus:
        """Load annotated documents under a progress bar."""
        with progress_on_stderr(label or path) as progress:
            try:
                return load_corpus(
                    path,
                    format=self.format,
                    labels=labels,
                    max_size=self.options["max_size"],
                    progress=progress,
                    **features,
                )
            except UnknownFormatError as error:  # --input-format is that of the ontology
                error.advice = (error.advice or "").replace("{format}", "{corpus_format}")
                raise

    def report(self, responses: Sequence[Response], measures: Sequence[NamedMeasure], layout: Layout,
               sections: Sequence[Section] = (), words: Words | None = None) -> AnnotationReport:  # fmt: skip
        """Evaluate the responses; what is to be shown of them."""
        results = [response.with_settings(self._evaluated(response, measures)) for response in responses]
        paired = (
            differences_from_first(
                responses, results, rounds=self.rounds or PAIRED_ROUNDS, draws=self.rounds or ROUNDS, seed=self.seed
            )
            if self.significance
            else []
        )
        every = [*sections, *([PER_DOCUMENT] if "document" in self.per else [])]
        return AnnotationReport(
            responses, results, layout, every, paired, words or Words(), self.short_names, self.digits
        )  # fmt: skip

    def _evaluated(self, response: Response, measures: Sequence[NamedMeasure]) -> EvaluationResult:
        return evaluate_task(
            response.task,
            measures,
            system=response.system,
            with_confidence=self.with_confidence,
            rounds=self.rounds,
            seed=self.seed,
        )

    def finish(self, report: AnnotationReport, text: Text, layout: Layout, corpora: Mapping[str, Corpus]) -> None:
        """Store, write and show, once everything is made, so that there is never half a result."""

        def write_others() -> None:
            if report.results:
                self.storing.write(report.results)
            if self.local is not None and self.local_layout is not None:
                write_text(self.local, local_table(report.local_results(), self.local_layout, role="response"))

        self.storing.outputs.write(text, layout, write_others)
        for line in report.remarks(corpora, option_spelling):
            note(line)
        fail_under(report.results, {name: least for (name, _), least in self.limits})


def _similarity(name: str) -> Measure:
    measure = parse(name)
    check_similarity({"similarity": measure})
    return measure


def need_two(count: int, option: str, what: str) -> None:
    """Refuse what compares `what` if there is one."""
    if count < 2:
        raise MissingInputError(f"{option} needs at least two {what}.")
