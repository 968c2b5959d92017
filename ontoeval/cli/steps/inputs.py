"""Steps that commands share: `read_ontology`, `TwoSides` (loaded, matched), `evaluate_task`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import click
from click.core import ParameterSource

from ontoeval.analysis.name_lists import with_named_counts
from ontoeval.analysis.significance import ROUNDS, confidence
from ontoeval.cli.settings import settings_used
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.steps.printing import echo_notes, progress_on_stderr, status_on_stderr
from ontoeval.edit.merge import merge
from ontoeval.errors import Message, OntoevalError, OntoevalWarning, number_of, warn, with_other_names
from ontoeval.evaluation import Measures, Task, evaluate
from ontoeval.load import LoadOptions, load_beside, load_counts, load_ontology, unasked_imports
from ontoeval.load.mappings.matching_steps import matching_steps
from ontoeval.load.ontologies.build import NothingLeftError
from ontoeval.load.options import LEARNED_ONLY
from ontoeval.matching.alignment import Alignment
from ontoeval.matching.matcher import match
from ontoeval.matching.matching import Matching
from ontoeval.model.ontology import Ontology
from ontoeval.results import EvaluationResult

_OF_GOLD = {"imports": "gold_imports", "columns": "columns_of_gold"}  # for which the gold side has its own options


def check_stdin(*sources: str | None) -> None:
    """Refuse to read stdin twice."""
    if sources.count("-") > 1:
        raise click.UsageError("stdin (-) can be used for one input only.")


def read_ontology(
    path: str,
    options: dict[str, Any],
    label: str | None = None,
    *,
    names: Mapping[str, str] | None = None,
    of_other: Callable[[], Collection[str]] | None = None,
) -> Ontology:
    """Load an ontology, with progress on stderr; `names`: what parameters are called for this side in messages.

    `of_other`: its imports were named for another one, too, which does not import these files.
    """
    with progress_on_stderr(label or path) as progress:

        def load() -> Ontology:
            if of_other is None:
                return load_ontology(path, progress=progress, **options)
            return load_beside(path, LoadOptions.make(options), of_other, progress=progress)

        if not names:
            return load()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", OntoevalWarning)
                ontology = load()
        except OntoevalError as error:
            error.advice = error.advice and with_other_names(error.advice, names)
            raise
    source = ontology.source
    notes = tuple(note.renamed(names) if isinstance(note, Message) else note for note in source.notes)
    source = replace(source, notes=notes, warnings=tuple(warning.renamed(names) for warning in source.warnings))
    warn(source.warnings)
    return replace(ontology, source=source)


def read_ontology_with_notes(path: str, options: dict[str, Any], **names: Any) -> Ontology:
    """Load an ontology and print what was noticed."""
    ontology = read_ontology(path, options, **names)
    echo_notes(path, ontology.source.notes)
    return ontology


def read_ontology_with_counts(path: str, counts: str | None, options: dict[str, Any]) -> Ontology:
    """Load an ontology and print what was noticed; `counts`: a file that says how often its concepts occur."""
    counts_by_name = None if counts is None else load_counts(counts)
    ontology = read_ontology_with_notes(path, options)
    if counts is None or counts_by_name is None:
        return ontology
    return with_named_counts(ontology, counts_by_name, counts)


def read_concepts(path: str, counts: str | None, options: dict[str, Any]) -> Ontology:
    """The ontology of the concepts of `relate` and `nearest`; with a second file both, merged."""
    other, other_imports, chain, normalize = (
        options.pop(name) for name in ("other", "other_imports", "by", "normalize")
    )
    if other is None:
        context = click.get_current_context()
        for name, option in (("by", "--match"), ("normalize", "--normalize"), ("other_imports", "--with-import")):
            if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
                raise click.UsageError(f"{option} needs --with.")
        return read_ontology_with_counts(path, counts, options)
    check_stdin(path, other, counts)
    steps = matching_steps(chain)
    own = {**options, "imports": other_imports or options["imports"]}
    by_learned, by_gold = (
        None if other_imports else partial(unasked_imports, file, LoadOptions.make(options)) for file in (path, other)
    )
    learned = read_ontology_with_notes(path, options, of_other=by_gold)
    gold = read_ontology_with_notes(other, own, names={"imports": "other_imports"}, of_other=by_learned)
    with status_on_stderr(f"merging {path} with {other}"):
        matching = match(learned, gold, steps, normalize=normalize, language=options["language"])
        merged = merge(learned, gold, matching)
    echo_notes(f"{path} with {other}", [*matching.notes, *merged.source.notes])
    return merged if counts is None else with_named_counts(merged, load_counts(counts), counts)


class TwoSides:
    """Learned ontologies and a gold standard, loaded and matched with the options of a command.

    With several thresholds of confidence each learned file is one ontology per threshold.
    """

    def __init__(self, options: dict[str, Any], learned: Sequence[str], gold: str) -> None:
        """Take the options of matching out of all; what is left belongs to `load_ontology`."""
        self.gold = gold
        self.steps = matching_steps(options.pop("by"))
        self.normalize, self.languages = options.pop("normalize"), options.pop("languages")
        options["language"] = self.languages[0] if len(self.languages) == 1 else None
        self._shared_imports = not options["gold_imports"]
        shared_columns = (
            options["columns"] is not None and options["gold_columns"] is None
        )  # what was typed is --columns
        self._gold_names = {key: name for key, name in _OF_GOLD.items() if not (shared_columns and key == "columns")}
        self.learned, self._learned_options, self._gold_options = _options_by_side(options, learned, gold)

    @property
    def instances_given(self) -> list[bool]:
        """Whether each learned ontology or the gold standard has a table of instances."""
        gold = self._gold_options["instances"] is not None
        return [gold or options["instances"] is not None for options in self._learned_options]

    @property
    def has_thresholds(self) -> bool:
        """Whether there are several thresholds of confidence."""
        return len({options["min_confidence"] for options in self._learned_options}) > 1

    def read_gold(self, label: str | None = None) -> Ontology:
        return read_ontology(
            self.gold,
            self._gold_options,
            label,
            names=self._gold_names,
            of_other=self._unasked_by_others(self.gold),
        )

    def read_learned(self, place: int = 0, label: str | None = None) -> Ontology:
        """A learned ontology; one of several thresholds of confidence may leave nothing of it."""
        try:
            path = self.learned[place]
            of_other = self._unasked_by_others(path)
            return read_ontology(path, self._learned_options[place], label, of_other=of_other)
        except NothingLeftError as error:
            if not self.has_thresholds:
                raise
            return error.empty

    def _unasked_by_others(self, path: str) -> Callable[[], Collection[str]] | None:
        """What gives the shared imports that no other file imports; None if each side has its own imports."""
        if not self._shared_imports:
            return None
        return lambda: set.intersection(
            *(unasked for other, unasked in self._unasked.items() if other != path), self._all
        )

    @cached_property
    def _all(self) -> set[str]:
        return {str(path) for path in self._gold_options["imports"]}

    @cached_property
    def _unasked(self) -> dict[str, set[str]]:
        """By file the shared imports that it does not import: each is read once more, where one is not imported."""
        by_path = {self.gold: self._gold_options, **dict(zip(self.learned, self._learned_options, strict=True))}
        return {path: set(unasked_imports(path, LoadOptions.make(options))) for path, options in by_path.items()}

    def match(self, learned: Ontology, gold: Ontology) -> tuple[Matching, list[str]]:
        """The matching, and what is worth knowing of it."""
        with status_on_stderr(f"matching {learned.source.path}"):
            matching = match(learned, gold, self.steps, normalize=self.normalize, language=self.languages or None)
        low = [
            f"{step.path}: left out: {number_of(step.left_out, 'pair', 'pairs')} (confidence < {step.min_confidence:g})"
            for step in self.steps
            if isinstance(step, Alignment) and step.left_out
        ]
        return matching, [*matching.notes, *low]


def _options_by_side(
    options: dict[str, Any], learned: Sequence[str], gold: str
) -> tuple[list[str], list[dict[str, Any]], dict[str, Any]]:
    """The learned files, what each of them and the gold standard are loaded with: the options, tables of instances.

    A least confidence is for the learned side; a file comes once for each threshold. Imports are those of both sides
    unless the gold standard has its own.
    """
    tables, gold_table, least = options["instances"], options["gold_instances"], options["min_confidence"]
    if len(tables) not in (0, 1, len(learned)):
        one = len(learned) == 1
        files = number_of(len(learned), "learned ontology", "learned ontologies")
        times = "once" if one else "once for all of them, or once for each, in their order"
        raise click.UsageError(f"{len(tables):,} --instances for {files}. Set it {times}.")
    thresholds = (least or [None]) if isinstance(least, tuple) else [least]
    learned_tables = list(tables) if len(tables) == len(learned) else [*tables, None][:1] * len(learned)
    of_gold = {
        **dict.fromkeys(LEARNED_ONLY),
        "instances": gold_table,
        "imports": options["gold_imports"] or options["imports"],
        "columns": options["gold_columns"] or options["columns"],
    }
    rest = {key: value for key, value in options.items() if not key.startswith("gold_")}
    runs = [
        (path, {**rest, "instances": table, "min_confidence": threshold})
        for path, table in zip(learned, learned_tables, strict=True)
        for threshold in thresholds
    ]
    paths = [path for path, _ in runs]
    check_stdin(*paths, gold, *tables, gold_table)
    return paths, [loading for _, loading in runs], {**rest, **of_gold}


def evaluate_task(
    task: Task,
    measures: Measures,
    *,
    system: str | None = None,
    with_confidence: bool = False,
    rounds: int | None = None,
    seed: int = 0,
) -> EvaluationResult:
    """The scores of a task, perhaps with bootstrap intervals; reasons name options of the command."""
    with status_on_stderr() as status:
        result = evaluate(task, measures, system=system, progress=status).spelled(option_spelling)
    if with_confidence:
        with status_on_stderr("intervals"):
            result = confidence(result, rounds=rounds or ROUNDS, seed=seed)
    settings = settings_used(click.get_current_context())
    if settings:
        config = {"file": click.get_current_context().meta["ontoeval.config"], "settings": settings}
        result = replace(result, settings={**result.settings, "config": config})
    return result
