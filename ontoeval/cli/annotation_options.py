"""What the commands that judge annotated documents share: their options, corpora in, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ontoeval.cli.options import Storing, check_place, progress_on_stderr, status_on_stderr
from ontoeval.cli.scores import check_limits, fail_under, limit_of, local_kind, split_names
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.report.annotations import Row

if TYPE_CHECKING:
    from ontoeval.measures import Measure
    from ontoeval.model.corpus import Corpus
    from ontoeval.model.ontology import Ontology
    from ontoeval.results import EvaluationResult
    from ontoeval.tasks.extraction import Extraction

Command = TypeVar("Command", bound=Callable[..., Any])
Named = Sequence[tuple[str, "Measure"]]


def judging_options(command: Command) -> Command:
    """Measures, what is shown of them, and how far they can be trusted."""
    for option in reversed(_JUDGING_OPTIONS):
        command = option(command)
    return command


_JUDGING_OPTIONS = [
    click.option("--ontology", "source", metavar="FILE", help="The ontology or thesaurus that the classes are from."),
    click.option("--counts", metavar="FILE", help="TSV: concept, how often it occurs in a corpus; for ic=corpus."),
    click.option("-m", "--measure", "measures", multiple=True, metavar="NAME",
                 help="A measure, with parameters if you like: AP(similarity=Lin). Several with commas or several -m. "
                      "`ontoeval measures` lists all."),
    click.option("--similarity", metavar="NAME",
                 help="What near misses earn: a measure between concepts from 0 to 1, e.g. LA or Lin(ic=sanchez)."),
    click.option("--strict", is_flag=True, help="Refuse classes that the ontology does not have."),
    click.option("--drop-unknown", is_flag=True, help="Leave such classes out on both sides; else they match nothing."),
    click.option("--corpus-format", metavar="NAME", help="Format of the documents, if the content does not tell it."),
    click.option("--per-document", is_flag=True, help="Add the scores of each document."),
    click.option("--confidence", "with_confidence", is_flag=True, help="Add bootstrap 95 % intervals over documents."),
    click.option("--significance", is_flag=True,
                 help="Differences from the first one, with paired bootstrap intervals and randomisation tests."),
    click.option("--rounds", type=click.IntRange(1, 1_000_000), metavar="N",
                 help="Rounds of the intervals (1000) and of the tests (10000)."),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
                 help="Of --confidence and --significance."),
    click.option("--local", metavar="FILE", help="Write the scores of each document: .tsv, .csv or .json."),
    click.option("--fail-under", "limits", multiple=True, metavar="NAME=VALUE",
                 help="Exit with code 3 if a score is lower."),
    click.option("--digits", type=click.IntRange(0, 15), default=3, show_default=True,
                 help="Decimals in tables for people."),
]  # fmt: skip


class Choices:
    """The options that all these commands have, checked before anything is loaded."""

    NAMES = (
        "source", "counts", "measures", "similarity", "strict", "drop_unknown", "corpus_format", "per_document",
        "with_confidence", "significance", "rounds", "seed", "local", "limits", "digits",
    )  # fmt: skip

    def __init__(self, options: dict[str, Any], **parameters: Any) -> None:
        """Take the own options out of all; `parameters` go to every measure that has them and does not say otherwise."""
        from ontoeval.evaluation import named_measures
        from ontoeval.tasks.extraction import Extraction

        own = {name: options.pop(name) for name in self.NAMES}
        self.source, self.counts, self.similarity = own["source"], own["counts"], own["similarity"]
        self.per_document, self.confidence, self.significance = (
            own[name] for name in ("per_document", "with_confidence", "significance")
        )
        self.rounds, self.seed, self.digits, self.local = (own[name] for name in ("rounds", "seed", "digits", "local"))
        self.format = own["corpus_format"]
        self.storing = Storing(options)
        self.options = options  # of the ontology, once the command took its own out
        self.parameters = {name: value for name, value in parameters.items() if value is not None}
        if self.similarity is not None:
            if self.source is None:
                raise click.UsageError("--similarity is one of concepts. Give their --ontology.")
            self.parameters["similarity"] = _similarity(self.similarity)
        self._short: dict[str, str] = {}
        self.unknown = _unknown_rule(own["strict"], own["drop_unknown"], self.source)
        names = split_names(own["measures"])
        if own["measures"] and not names:
            raise ParameterError("-m names no measure. Give one such as AF, or leave -m out for the default ones.")
        self.measures = self._set(named_measures(names, Extraction)) if names else None
        limits = [limit_of(limit) for limit in own["limits"]]
        check_limits(dict(limits))
        self.limits = list(zip(self._set(named_measures([n for n, _ in limits], Extraction)), limits, strict=True))
        if self.local is not None:
            local_kind(self.local)
            check_place(self.local)

    def _set(self, measures: Named) -> Named:
        """The measures with the parameters that were given for all, which become part of their names."""
        from ontoeval.measures import parse

        found: list[tuple[str, Measure]] = []
        for name, measure in measures:
            given = name.replace(" ", "")
            free = {p.name for p in measure.definition.open if f"{p.name}=" not in given}
            own = {key: value for key, value in self.parameters.items() if key in free}
            if own:
                words = ", ".join(f"{key}={value}" for key, value in own.items())
                whole = f"{name[:-1]}, {words})" if name.endswith(")") else f"{name}({words})"
                self._short[whole] = name
                name, measure = whole, parse(whole)
            found.append((name, measure))
        return found

    def short(self, name: str) -> str:
        """A measure as it was written, without what was given for all."""
        return self._short.get(name, name)

    @property
    def said(self) -> str:
        """What was given for all measures, for a title."""
        return "".join(f", {key}={value}" for key, value in self.parameters.items())

    def wanted(self, task: Extraction, usual: Named | None = None) -> list[str]:
        """The names of what is computed: those given, or the usual ones, and those of --fail-under."""
        from ontoeval.evaluation import usual_measures

        if self.measures is not None:
            chosen = self.measures
        else:
            chosen = usual_measures(task) if usual is None else usual
            if self.similarity is not None:
                chosen = [one for one in chosen if not _near_by_another(one[1])]
            chosen = self._set(chosen)
        found: dict[Measure, str] = {}
        for name, measure in (*chosen, *(measure for measure, _ in self.limits)):
            found.setdefault(measure, name)
        return list(found.values())

    @property
    def near(self) -> str:
        """The similarity of what is told beside the measures: confusions, classes, agreement."""
        return str(self.parameters.get("similarity", "BDM"))

    def ontology(self) -> Ontology | None:
        from ontoeval.cli.concepts import loaded_ontology

        return None if self.source is None else loaded_ontology(self.source, self.counts, self.options)

    def corpus(self, path: str, *, labels: bool, words: str = "", **features: Any) -> Corpus:
        from ontoeval.load.corpora import load_corpus

        with progress_on_stderr(words or path) as progress:
            return load_corpus(
                path,
                format=self.format,
                labels=labels,
                max_size=self.options["max_size"],
                progress=progress,
                **features,
            )

    def evaluated(self, row: Row, names: Sequence[str]) -> EvaluationResult:
        from ontoeval.analysis.significance import ROUNDS, confidence
        from ontoeval.evaluation import evaluate

        with status_on_stderr() as status:
            result = evaluate(row.task, names, system=self.storing.system or row.system, progress=status)
        result = replace(result, settings={**result.settings, **row.settings})
        return confidence(result, rounds=self.rounds or ROUNDS, seed=self.seed) if self.confidence else result

    def fail_under(self, results: Sequence[EvaluationResult]) -> None:
        """Exit code 3 if a score is too low."""
        fail_under(results, {name: least for (name, _), (_, least) in self.limits})


def _similarity(name: str) -> Measure:
    from ontoeval.measures import parse
    from ontoeval.measures.annotations.extraction import check_similarity

    measure = parse(name)
    check_similarity({"similarity": measure})
    return measure


def _near_by_another(measure: Measure) -> bool:
    """True for a usual measure whose name says that near misses are counted by another similarity: AP_LA."""
    return "similarity" in measure.definition.fixed and str(measure.definition.fixed["similarity"]) != "Flat"


def _unknown_rule(strict: bool, drop: bool, source: str | None) -> Any:
    if strict and drop:
        raise click.UsageError("--strict refuses unknown classes and --drop-unknown leaves them out. Give one of them.")
    if (strict or drop) and source is None:
        given = "--strict" if strict else "--drop-unknown"
        raise click.UsageError(f"{given} is about classes that an ontology does not have. Give --ontology.")
    return "error" if strict else "drop" if drop else "keep"


# what cannot be judged


def check(task: Extraction) -> None:
    """Refuse what would only be scored as 0 or 1 because the two sides do not go together."""
    task.check()


def need_two(given: int, option: str) -> None:
    """Refuse what compares responses if there is one."""
    if given < 2:
        raise MissingInputError(f"{option} needs two responses or more. Give another one.")
