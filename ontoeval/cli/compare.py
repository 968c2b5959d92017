"""`ontoeval compare`: the main job."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.options import (
    Storing,
    check_place,
    choices_by_side,
    layout_options,
    matched_by,
    matching_options,
    note,
    progress_on_stderr,
    status_on_stderr,
    storing_options,
    two_sided_options,
    write_text,
)
from ontoeval.cli.scores import check_limits, fail_under, limit_of, local_kind, local_text, split_names
from ontoeval.cli.spelling import option_spelling
from ontoeval.errors import ParameterError
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.analysis.explain import Explanation
    from ontoeval.model.ontology import Ontology
    from ontoeval.results import EvaluationResult
    from ontoeval.tasks.comparison import Comparison


@click.command(no_args_is_help=True)
@click.argument("learned", nargs=-1, required=True, metavar="LEARNED...")
@click.option("--gold", required=True, metavar="FILE", help="The gold standard.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure, with parameters if you like: TP(extract=sc). Several with commas or several -m. "
    "`ontoeval measures` lists all.",
)
@matching_options
@click.option("--ignore-novel", is_flag=True, help="Judge only the learned concepts that the gold standard has.")
@click.option(
    "--worst",
    type=click.IntRange(min=1),
    metavar="N",
    help="List the N concepts (with ITP, ITR or ITF also instances) that lose most.",
)
@click.option(
    "--explain",
    "explained",
    multiple=True,
    metavar="CONCEPT",
    help="Show the relations of a concept (IRI or label) on both sides.",
)
@click.option(
    "--errors", "with_errors", is_flag=True, help="List missing, novel and misplaced concepts, inverted links, cycles."
)
@click.option("--confidence", "with_confidence", is_flag=True, help="Add bootstrap 95 % intervals.")
@click.option(
    "--significance", is_flag=True, help="Test each learned ontology against the first one (paired randomisation)."
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Rounds of --confidence (1000) and --significance (10000).",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of --confidence and --significance."
)
@click.option("--local", metavar="FILE", help="Write the scores of each concept: .tsv, .csv or .json.")
@click.option(
    "--fail-under", "limits", multiple=True, metavar="NAME=VALUE", help="Exit with code 3 if a score is lower."
)
@layout_options()
@storing_options
@click.option(
    "--digits", type=click.IntRange(0, 15), default=3, show_default=True, help="Decimals in tables for people."
)
@two_sided_options
def compare(learned: tuple[str, ...], gold: str, measures: tuple[str, ...], by: str, normalize: str,
            layout: Layout, languages: tuple[str, ...], limits: tuple[str, ...], local: str | None,
            digits: int, **options: Any) -> None:  # fmt: skip
    """Compare learned ontologies with a gold standard.

    LEARNED and --gold are OWL, RDFS, SKOS, OBO or tables of edges in any common syntax, plain or compressed.

    \b
    Examples:
      ontoeval compare learned.owl --gold gold.ttl
      ontoeval compare run*.ttl --gold gold.owl --match label --normalize case --format latex
      ontoeval compare learned.ttl --gold gold.ttl -m TF_csc -m 'TP(extract=uc)' --worst 10
      ontoeval compare a.tsv b.tsv --gold gold.tsv --confidence --significance --json
      ontoeval compare clusters.tsv --gold topics.tsv --instances a.tsv --gold-instances b.tsv -m H_s,ITF,EOR
      ontoeval compare learned.ttl --gold gold.ttl --fail-under TF_csc=0.7
      ontoeval compare learned.ttl --gold gold.ttl --store scores --system "my learner"
    """
    from ontoeval.evaluation import named_measures
    from ontoeval.tasks.comparison import Comparison

    storing = Storing(options)
    thresholds = dict(limit_of(limit) for limit in limits)
    names = split_names(measures) if measures else [name for name, _ in named_measures(None, Comparison)]
    if not names:
        raise ParameterError("-m names no measure. Give one such as TF_csc, or leave -m out for the default ones.")
    wanted = named_measures([*names, *thresholds], Comparison)  # refused before anything is loaded
    check_limits(thresholds)
    if local is not None:
        local_kind(local)
        check_place(local)
    if options["significance"] and len(learned) < 2:
        raise ParameterError("--significance needs two learned ontologies or more. Give another one.")
    choices = {key: options.pop(key) for key in _Run.CHOICES}
    options["language"] = languages[0] if len(languages) == 1 else None
    run = _Run(
        names=[name for name, _ in wanted],
        steps=matched_by(by),
        normalize=normalize,
        languages=languages,
        choices=choices,
        system=storing.system,
        load=choices_by_side(options, learned, gold),
    )
    tasks = run.tasks(learned, gold)
    results = [run.evaluated(task) for task in tasks]
    # everything is made before anything is shown, so that there is never half a result
    text = run.document(tasks, results) if layout is Layout.JSON else run.tables(tasks, results, layout, digits)
    storing.write(results)
    if local is not None:
        write_text(local, local_text(results, local))
    click.echo(text, nl=False)
    if layout is not Layout.JSON:
        for line in run.remarks(tasks, results):
            note(line, layout)
    fail_under(results, thresholds)


class _Run:
    """One call of the command: the same choices for every learned ontology."""

    CHOICES = ("ignore_novel", "worst", "explained", "with_errors", "with_confidence", "significance", "rounds", "seed")

    def __init__(self, *, names: Sequence[str], steps: list[Any], normalize: str, languages: Sequence[str],
                 choices: dict[str, Any], system: str | None,
                 load: tuple[list[dict[str, Any]], dict[str, Any]]) -> None:  # fmt: skip
        self.system = system
        self.names, self.steps, self.normalize, self.languages = names, steps, normalize, languages
        self.load, self.choices = load, choices

    @cached_property
    def by_instances(self) -> bool:
        """Nothing is asked for that depends on which concept is which."""
        from ontoeval.measures import parse

        return all("instances" in parse(name).definition.needs for name in self.names)

    def _loaded(self, path: str, words: str, choices: dict[str, Any]) -> Ontology:
        from ontoeval.load import load_ontology

        with progress_on_stderr(words) as progress:
            return load_ontology(path, progress=progress, **choices)

    def tasks(self, learned: Sequence[str], gold: str) -> list[Comparison]:
        from ontoeval.matching.matcher import match
        from ontoeval.matching.suggestions import hint
        from ontoeval.tasks.comparison import Comparison

        standard = self._loaded(gold, f"gold {gold}", self.load[1])
        found = []
        for number, (path, choices) in enumerate(zip(learned, self.load[0], strict=True), 1):
            ontology = self._loaded(path, f"{number}/{len(learned)} {path}", choices)
            matching = match(
                ontology, standard, self.steps, normalize=self.normalize, language=self.languages or None
            )  # fmt: skip
            task = Comparison(ontology, standard, matching)
            better = None if self.by_instances else hint(ontology, standard, matching)
            for text in (*ontology.source.notes, *matching.notes, *([better] if better else [])):
                click.echo(f"{path}: {text}", err=True)
            found.append(task.covered() if self.choices["ignore_novel"] else task)
        for text in standard.source.notes:
            click.echo(f"{gold}: {text}", err=True)
        return found

    def evaluated(self, task: Comparison) -> EvaluationResult:
        from ontoeval.analysis.significance import ROUNDS, confidence
        from ontoeval.evaluation import evaluate

        with status_on_stderr() as status:
            result = evaluate(task, self.names, system=self.system, progress=status).spelled(option_spelling)
        if not self.choices["with_confidence"]:
            return result
        return confidence(result, rounds=self.choices["rounds"] or ROUNDS, seed=self.choices["seed"])

    def p_values(self, results: Sequence[EvaluationResult]) -> list[dict[str, float | None]]:
        """Of each result but the first against the first."""
        from ontoeval.analysis.significance import PAIRED_ROUNDS, p_values

        if not self.choices["significance"]:
            return []
        rounds = self.choices["rounds"] or PAIRED_ROUNDS
        return [p_values(other, results[0], rounds=rounds, seed=self.choices["seed"]) for other in results[1:]]

    def explanations(self, tasks: Sequence[Comparison]) -> list[list[Explanation | None]]:
        """For each learned ontology each concept of --explain; None where neither side has it."""
        from ontoeval.analysis.explain import explain
        from ontoeval.errors import UnknownConceptError

        found: list[list[Explanation | None]] = [[] for _ in tasks]
        for concept in self.choices["explained"]:
            unknown = None
            for task, own in zip(tasks, found, strict=True):
                try:
                    own.append(explain(task, concept))
                except UnknownConceptError as error:
                    own.append(None)
                    unknown = error
            if unknown is not None and all(own[-1] is None for own in found):
                raise unknown
        return found

    def document(self, tasks: Sequence[Comparison], results: Sequence[EvaluationResult]) -> str:
        """The result as JSON."""
        from ontoeval.analysis.explain import Errors, worst
        from ontoeval.report.comparison import lost_companions

        entries = []
        for task, result, explained in zip(tasks, results, self.explanations(tasks), strict=True):
            entry = result.to_dict()
            if self.choices["worst"]:
                entry["worst"] = [loss.to_dict() for loss in worst(task, self.choices["worst"])]
                companions = lost_companions(task, result, self.choices["worst"])
                if companions is not None:
                    entry["worst_instances"] = [loss.to_dict() for loss in companions]
            if explained:
                entry["explain"] = [one and one.to_dict() for one in explained]
            if self.choices["with_errors"]:
                errors = Errors(task)
                entry["errors"] = {"counts": errors.counts(), **errors.to_dict()}
            entries.append(entry)
        document: dict[str, Any] = {"results": entries}
        tests = self.p_values(results)
        if tests:
            first, *others = (result.judged.path for result in results)
            document["significance"] = [
                {"learned": path, "baseline": first, "p": p} for path, p in zip(others, tests, strict=True)
            ]
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

    def tables(
        self, tasks: Sequence[Comparison], results: Sequence[EvaluationResult], layout: Layout, digits: int
    ) -> str:
        """The scores, and what else was asked for, each as a table."""
        from ontoeval.report import comparison as show
        from ontoeval.results import ResultTable

        table = ResultTable(results)
        title = f"Compared with {Path(tasks[0].gold.source.path).name}" + (" (* is best)" if len(results) > 1 else "")
        texts = [table.render(layout, title=title, precision=digits)]
        matched = any(len(task.matching) for task in tasks)
        if layout is Layout.TABLE and (matched or not self.by_instances):
            texts.append(show.difference_table(table.rows, tasks))
        tests = self.p_values(results)
        if tests:
            texts.append(show.p_value_table(table.rows, table.measures, tests, layout))
        for name, task, result, explained in zip(table.rows, tasks, results, self.explanations(tasks), strict=True):
            for concept, one in zip(self.choices["explained"], explained, strict=True):
                texts.append(show.explanation(one, concept, name, layout, digits))
            if self.choices["worst"]:
                companions = show.lost_companions(task, result, self.choices["worst"])
                if companions is None or len(task.matching):
                    texts.append(show.worst_table(task, self.choices["worst"], name, layout, digits))
                if companions is not None:
                    texts.append(show.worst_instance_table(companions, name, layout, digits))
            if self.choices["with_errors"]:
                texts.append(show.error_lists(task, name, layout))
        return "\n".join(texts)

    def remarks(self, tasks: Sequence[Comparison], results: Sequence[EvaluationResult]) -> Iterator[str]:
        """What a reader of the tables should know."""
        from ontoeval.report.comparison import remarks, unused_instances
        from ontoeval.results import ResultTable

        gold_too = self.load[1]["instances"] is not None
        given = [gold_too or own["instances"] is not None for own in self.load[0]]
        for name, task, result, mine in zip(ResultTable(results).rows, tasks, results, given, strict=True):
            if self.choices["ignore_novel"] and not task.left_out and len(task.novel):
                yield f"{name}: the gold standard has none of its concepts, so all were judged (--ignore-novel)"
            unused = unused_instances(task, result, given=mine)
            for line in (*remarks(task, result), *([unused] if unused else [])):
                yield f"{name}: {line}"
