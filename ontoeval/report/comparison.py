"""`ComparisonReport`: screens, tables, remarks, JSON of `ontoeval compare` (details: comparison_details.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ontoeval.analysis.error_table import PLACES
from ontoeval.analysis.explain import Errors, Explanation, explain_in_all
from ontoeval.analysis.groups import GroupedTable
from ontoeval.analysis.pair_tests import MOST_LETTERED
from ontoeval.analysis.worst import has_concept_scores
from ontoeval.errors import ParameterError, Spelling, listed, number_of, text_for
from ontoeval.evaluation import scores_relations
from ontoeval.matching.matching import ADDED_ROOT, MatchedPair
from ontoeval.measures import Measure, parse
from ontoeval.report.comparison_details import (
    TOP,
    Rows,
    explanation_rows,
    explanation_text,
    lost_companions,
    plural,
    property_rows,
    property_text,
    worst_document,
    worst_rows,
    worst_text,
)
from ontoeval.report.comparison_errors import error_rows, error_text
from ontoeval.report.groups import letters_in_words, marks_in_words, systems_in_words
from ontoeval.report.matching import ambiguous_in_words
from ontoeval.report.names import curie
from ontoeval.report.paired_tests import (
    TEST_HEADER,
    difference_table,
    documents_of_tests,
    rows_of_tests,
    sample_remarks,
)
from ontoeval.report.score_tables import (
    is_default_set,
    legend,
    one_run_table,
    runs_table,
    shown_measures,
)
from ontoeval.results import EvaluationResult, ResultTable
from ontoeval.tables import Layout, render
from ontoeval.tables.folding import fold, terminal_width
from ontoeval.tables.names import name_beside
from ontoeval.tasks.comparison import Comparison


class Remark(NamedTuple):
    """What a reader of the tables should know; a warning says that numbers may mislead."""

    kind: Literal["note", "warning"]
    text: str


@dataclass(frozen=True, eq=False)
class ComparisonReport:
    """Learned ontologies compared with one gold standard, and what is to be shown of them beside the scores."""

    tasks: Sequence[Comparison]
    table: ResultTable  # of the runs or their systems, perhaps tested
    explained: Sequence[str] = ()  # concepts whose relations are shown
    worst: int | None = None  # how many of the concepts and instances that lose most
    with_errors: bool = False  # the lists of errors
    by_property: bool = False  # the scores of relations by property
    top: int | None = None  # rows of a list for people, 0: all; None: TOP, and one line for each list of `explained`
    names: Sequence[str] = ()  # of the runs; without them those of the files
    ambiguous: Sequence[Sequence[MatchedPair]] = ()  # of each learned ontology the candidates that lost to a pair
    worst_by_measures: bool = False  # the measures were asked for, so that the first with local scores ranks concepts

    @cached_property
    def _worst_by(self) -> Measure | None:
        """What ranks the concepts that lose most; None: their relations, as tp_csc and tr_csc (TF_csc) count them."""
        measures = [score.measure for score in self.results[0].scores] if self.worst_by_measures else []
        for measure in measures:
            if any(has_concept_scores(result[measure]) for result in self.results):
                return None if measure == parse("TF_csc") else measure
        return None

    @property
    def results(self) -> Sequence[EvaluationResult]:
        return self.table.results

    @cached_property
    def _runs(self) -> ResultTable:
        """The single runs."""
        return ResultTable(self.results, self.names)

    @property
    def _systems(self) -> GroupedTable | None:
        """The systems, if runs are joined to some."""
        return self.table if isinstance(self.table, GroupedTable) else None

    @property
    def _measures(self) -> Iterator[Measure]:
        return (score.measure for result in self.results for score in result.scores)

    @cached_property
    def _explanations(self) -> list[tuple[Explanation | None, ...]]:
        """For each learned ontology the explained concepts, with the labels of each file."""
        return self._explained_in(self.tasks)

    def _explained_in(self, tasks: Sequence[Comparison]) -> list[tuple[Explanation | None, ...]]:
        measures = [score.measure for score in self.results[0].scores]
        columns = [explain_in_all(tasks, concept, measures) for concept in self.explained]
        return list(zip(*columns, strict=True)) if columns else [() for _ in tasks]

    @property
    def _ambiguous(self) -> Sequence[Sequence[MatchedPair]]:
        return self.ambiguous or [()] * len(self.tasks)

    def document(self) -> dict[str, Any]:
        """For JSON."""
        entries = []
        runs = zip(self.tasks, self.results, self._explanations, self._ambiguous, strict=True)
        for task, result, explanations, ambiguous in runs:
            entry = result.to_dict()
            if ambiguous:
                entry["ambiguous"] = [match._asdict() for match in ambiguous]
            if self.worst:
                entry |= worst_document(task, result, self.worst, self._worst_by)
                instances = lost_companions(task, result, self.worst)
                if instances is not None:
                    entry["worst_instances"] = [loss.to_dict() for loss in instances]
            if explanations:
                entry["explain"] = [explanation and explanation.to_dict() for explanation in explanations]
            if self.with_errors:
                errors = Errors(task)
                entry["errors"] = {"counts": errors.counts(), **errors.to_dict()}
            entries.append(entry)
        document: dict[str, Any] = {"results": entries}
        if self._systems is not None:
            document["systems"] = self._systems.to_dict()
        if self.table.tests is not None:
            document["significance"] = documents_of_tests(self.table.tests, self.table.paths)
        return document

    def text(self, layout: Layout, digits: int, spelling: Spelling) -> str:
        """The scores and the details; for spreadsheets one table, in which the rows of a detail replace the scores."""
        if layout is Layout.TABLE:
            return "\n".join([self._score_text(digits), *self._detail_texts(digits, spelling)])
        details = list(self._detail_rows(layout, digits))
        if layout.for_people:
            one = len(self.results) == 1  # without a title its name is in the row
            scores = (
                self.table.render(layout, precision=digits) if one else self._score_table(layout, digits, self._title)
            )
            return "\n".join([scores, *(render("", *rows, layout, precision=digits) for _, rows in details)])
        check_one_table(layout, [name for name, _ in details])
        if details:
            return render("", *details[0][1], layout)
        return self.table.render(layout)

    # scores

    def _score_text(self, digits: int) -> str:
        """The table of scores with what counts of concepts say, and what the measures are about."""
        lines = []
        if self._count_concepts and len(self.tasks) == 1:
            lines += _count_lines(self.tasks[0])
        with_intervals = any(score.interval for score in self.results[0].scores)
        against = {test.right for test in self.table.tests or ()}
        if self.table.better is not None and len(against) == 1 and len(self.table.rows) > 2:
            lines.append(f"tests against {self.table.rows[against.pop()]} only")
        if is_default_set(self.results[0]) and (len(self.results) > 1 or with_intervals):
            lines.append(legend(self.results[0]))
        folded = "".join(f"{line}\n" for text in lines for line in fold(text, terminal_width()))
        if len(self.results) == 1:
            return one_run_table(self.results[0], self._title, digits) + folded
        return self._score_table(Layout.TABLE, digits, self._title) + folded

    def _score_table(self, layout: Layout, digits: int, title: str) -> str:
        """The table of several runs."""
        counts: dict[str, list[int]] = {}
        if layout is Layout.TABLE and self._count_concepts and self._systems is None:
            counts = {
                "common": [len(task.matching) for task in self.tasks],
                "missing": [len(Errors(task).missing) for task in self.tasks],
                "novel": [len(task.novel) for task in self.tasks],
            }
        return runs_table(self.table, title, layout, digits, measures=self._shown, counts=counts)

    @property
    def _count_concepts(self) -> bool:
        """True unless concepts were not matched and no measure asks for it."""
        return any(len(task.matching) for task in self.tasks) or not only_on_instances(self._measures)

    @property
    def _title(self) -> str:
        gold = self.tasks[0].gold.source.path
        if len(self.results) == 1:
            return f"{self._name_in_title(suffix=True)} against {Path(gold).name}"
        if self._systems is not None:
            words = systems_in_words(self._systems, "run")
            return f"{words} against {Path(gold).name} ({marks_in_words(self._systems)})"
        marks = "* best" if self.table.better is None else f"* best{letters_in_words()}"
        return f"{len(self.results)} runs against {Path(gold).name} ({marks})"

    def _name_in_title(self, *, suffix: bool) -> str:
        """The name of the one run there is, without what the name of the gold standard begins with, too."""
        source = self.results[0].judged
        if self.names:
            return self.names[0]
        return source.with_confidence(name_beside(source.path, self.tasks[0].gold.source.path, suffix=suffix))

    # details

    def _detail_texts(self, digits: int, spelling: Spelling) -> Iterator[str]:
        one = len(self.results) == 1
        names = [self._name_in_title(suffix=False)] if one else self._runs.rows
        if self.table.tests:
            top = TOP if self.top is None else self.top
            yield difference_table(self.table, self._shown, digits=digits, top=top, spelling=spelling)
        tasks = [task.with_one_label for task in self.tasks]
        for name, task, result, explanations in zip(names, tasks, self.results, self._explained_in(tasks), strict=True):
            for concept, explanation in zip(self.explained, explanations, strict=True):
                yield explanation_text(explanation, concept, None if one else name, self.top, digits)
            if self.worst:
                yield worst_text(task, result, name, self.worst, digits, self._worst_by)
            if self.by_property:
                yield property_text(result, name, digits)
            if self.with_errors:
                others = self.table.tests is not None or self.explained or self.worst or self.by_property
                file = "errors.json" if others else "errors.csv"  # a table for spreadsheets holds one detail
                yield error_text(task, name, TOP if self.top is None else self.top, spelling, file)

    def _detail_rows(self, layout: Layout, digits: int) -> Iterator[tuple[str, Rows]]:
        """The details as tables without titles: the name or path of the learned ontology is the first column."""
        names = self._runs.rows if layout.for_people else self._runs.paths
        runs = list(zip(names, self.tasks, self.results, self._explanations, strict=True))
        if self.table.tests is not None and not layout.for_people:  # for people letters say it
            yield "significance", Rows(TEST_HEADER, rows_of_tests(self.table.tests, self.table.paths))
        if self.explained:
            found = [(run, explanation_rows(e, digits)) for run, _, _, explanations in runs for e in explanations]
            yield "explain", _together(found)
        if self.worst:
            yield (
                "worst",
                _together([(run, worst_rows(task, r, self.worst, self._worst_by, layout)) for run, task, r, _ in runs]),
            )
        if self.by_property:
            yield "per", _together([(run, property_rows(result, layout)) for run, _, result, _ in runs])
        if self.with_errors:
            most = ((TOP if self.top is None else self.top) or None) if layout.for_people else None
            yield "errors", _together([(run, error_rows(task, layout, most)) for run, task, _, _ in runs])

    @property
    def _shown(self) -> list[str]:
        return shown_measures(self.results, default=is_default_set(self.results[0]))

    # remarks

    def remarks(self, spelling: Spelling, *, instances_given: Sequence[bool], ignore_novel: bool) -> Iterator[Remark]:
        """What a reader of the tables should know; `instances_given`: which comparisons have tables of instances."""
        rows = zip(self._runs.paths, self.tasks, self.results, self._ambiguous, instances_given, strict=True)
        for name, task, result, ambiguous, has_instances in rows:
            if ignore_novel:
                yield from (Remark("warning", f"{name}: {text.text(spelling)}") for text in task.none_left_out)
            if task.matching.ambiguous:
                text = ambiguous_in_words(task.matching.ambiguous, ambiguous, spelling)
                yield Remark("note", f"{name}: {text}")
            yield from (Remark("note", f"{name}: {text}") for text in _notes(task, result, spelling))
            unused = unused_instances(task, result, spelling, instances_given=has_instances)
            if unused:
                yield Remark("note", f"{name}: {unused}")
        for text, misleads in sample_remarks(self.table, self._shown, spelling):
            yield Remark("warning" if misleads else "note", text)
        size = len(self.table.rows)
        if self.table.tests is not None and size > MOST_LETTERED:
            what = "runs" if self._systems is None else "systems"
            yield Remark("note", f"letters cannot name {size} {what}; {spelling('json', None)} has every p")


def check_one_table(layout: Layout, details: Sequence[str]) -> None:
    """ParameterError if there are several details in a layout for spreadsheets, which holds one table."""
    if len(details) > 1 and not layout.for_people and layout is not Layout.JSON:
        raise ParameterError(
            f"{layout.value} holds one table, and there are {len(details)}: {listed(details)}",
            advice="Ask for one of them, or use {layout=json}.",
            parameter="layout",
        )


def _together(tables: Sequence[tuple[str, Rows]]) -> Rows:
    """The rows of several learned ontologies below each other."""
    header = max((rows.header for _, rows in tables), key=len)
    return Rows(["learned", *header], [[name, *row] for name, (_, rows) in tables for row in rows])


def _count_lines(task: Comparison) -> list[str]:
    """How many concepts were matched, and how many errors of each kind there are."""
    counts = Errors(task).counts(quick=True)
    lines = [f"{len(task.matching):,} common, {counts['missing']:,} missing, {counts['novel']:,} novel"]
    if counts["moved_up"] is not None:
        moved = f"moved: {', '.join(f'{counts[kind]:,} {place}' for kind, place in PLACES.items())}"
        together = f"{lines[0]}; {moved}"
        lines = [together] if len(together) <= terminal_width() else [*lines, moved]
    links = f"{plural(counts['inverted'] or 0, 'inverted link')}, {plural(counts['cycles'] or 0, 'cycle')}"
    return [*lines, links]


def only_on_instances(measures: Iterable[Measure]) -> bool:
    """No measure depends on which concept is which."""
    return all("instances" in measure.definition.needs for measure in measures)


def _merged_concepts(task: Comparison, spelling: Spelling) -> Iterator[str]:
    """Concepts of one side whose ids the other side has as alternative ones: it merged them into other concepts."""
    others = {"missing": task.learned, "novel": task.gold}
    for kind, merged in Errors(task).merged.items():
        if merged:
            number = number_of(len(merged), f"{kind} concept", f"{kind} concepts")
            file = Path(others[kind].source.path).name
            told = f"the ids of {number} are alternative ids in {file}, which merged them"
            if len(merged) == 1:
                told = f"the id of {number} is an alternative id in {file}, which merged it"
            iri, target = merged[0]
            everything = f"{spelling('with_errors', None)} {spelling('target', 'errors.csv')}"
            yield f"{told}: e.g. {curie(iri)} is now {curie(target.iri)}; {everything} lists all"


def _notes(task: Comparison, result: EvaluationResult, spelling: Spelling) -> Iterator[str]:
    """What else a reader of the table should know."""
    if task.left_out:
        concepts = plural(task.left_out, "concept")
        option = spelling("ignore_novel", None)
        yield (
            f"left out: {concepts} that the gold standard does not have ({option}); "
            "links through left-out concepts become direct links"
        )
    yield from _matched_by_step(task)
    yield from _merged_concepts(task, spelling)
    if measured_on_instances(result):
        yield _shared_instances(task)
    if any(scores_relations(score.measure) for score in result.scores):
        yield _matched_properties(task)
    yield from _judged_relations(result)
    for score in result.scores:
        error = score.counts.get("standard_error")
        if error is not None:
            sampled, pairs = score.counts["sampled_pairs"], score.counts["pairs"]
            yield f"{score.name} is estimated from {sampled:,.0f} of {pairs:,.0f} pairs; standard error {error:.2g}"
        if score.undefined is not None:
            yield f"{score.name} is undefined: {text_for(score.undefined, spelling)}"


def _matched_by_step(task: Comparison) -> Iterator[str]:
    """How many concepts each step matched, if several did."""
    steps = {step: count for step, count in task.matching.found.items() if count and step != ADDED_ROOT}
    if len(steps) > 1:
        plain = "names" in (task.learned.source.profile, task.gold.source.profile)  # concepts of tables have no IRI
        words = {"iri": "the same name" if plain else "IRI", "label": "label"}
        yield f"matched: {', '.join(f'{count:,} by {words.get(step, step)}' for step, count in steps.items())}"


def _judged_relations(result: EvaluationResult) -> Iterator[str]:
    """How many relations the measures of relations judge: a high score may rest on a few."""
    judged: dict[tuple[float, float], list[str]] = {}
    for score in result.scores:
        if "learned_relations" in score.counts and score.undefined is None:
            sizes = score.counts["learned_relations"], score.counts["gold_relations"]
            judged.setdefault(sizes, []).append(score.name)
    for (learned, gold), names in judged.items():
        yield f"relations scored: {learned:,.0f} learned, {gold:,.0f} gold ({', '.join(names)})"


def measured_on_instances(result: EvaluationResult) -> bool:
    """Some measure asks where the instances sit."""
    return any("instances" in score.measure.definition.needs for score in result.scores)


def _matched_properties(task: Comparison) -> str:
    """How many properties were matched, and how."""
    counts = task.properties.counts
    steps = {name.removeprefix("properties_by_"): n for name, n in counts.items() if name.startswith("properties_by_")}
    by = ", ".join(f"{count:,} by {'IRI' if step == 'iri' else step}" for step, count in steps.items())
    return (
        f"properties of relations: {counts['learned_properties']:,} learned, {counts['gold_properties']:,} gold, "
        f"{sum(steps.values()):,} matched ({by})"
    )


def _shared_instances(task: Comparison) -> str:
    shared = task.shared
    both = "1 instance on both sides" if len(shared) == 1 else f"{len(shared):,} instances on both sides"
    if not shared.only_learned and not shared.only_gold:
        return both
    return f"{both}; left out: {shared.only_learned:,} only learned, {shared.only_gold:,} only in the gold standard"


def unused_instances(
    task: Comparison, result: EvaluationResult, spelling: Spelling, *, instances_given: bool
) -> str | None:
    """What would use the instances that both sides have.

    If a table of instances was given that no measure uses, and if only added roots are common.
    """
    matching = task.matching
    by = {step.partition(":")[0] for step in matching.by}
    counted = any("corpus" in str(score.measure) for score in result.scores)  # how often concepts occur
    if measured_on_instances(result) or "instances" in by or counted:
        return None
    if not instances_given and len(matching) > matching.found[ADDED_ROOT]:
        return None
    shared = task.shared
    if not len(shared):
        return "no instance is on both sides, and none of these measures uses them" if instances_given else None
    are = "1 instance is" if len(shared) == 1 else f"{len(shared):,} instances are"
    measures = "H_s,ITF,EOR" if shared.strict else "ITF,EOR"
    return f"{are} on both sides: try {spelling('by', 'instances')}, or {spelling('measures', measures)}"
