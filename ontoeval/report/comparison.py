"""`ComparisonReport`: tables, remarks, JSON of `ontoeval compare` (what counts as an error: analysis/explain.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ontoeval.analysis.explain import (
    Errors,
    Explanation,
    NamedConcept,
    explain_in_all,
    links_between_common,
)
from ontoeval.analysis.worst import InstanceLoss, has_concept_scores, worst, worst_instances
from ontoeval.errors import Spelling, text_for
from ontoeval.evaluation import scores_relations
from ontoeval.matching.matcher import ADDED_ROOT
from ontoeval.measures import Measure, parse
from ontoeval.measures.registry import precision_and_recall
from ontoeval.report.reasons import reasons_in_words
from ontoeval.results import EvaluationResult, MeasureResult, ResultTable
from ontoeval.tables import Cell, Layout, render
from ontoeval.tasks.comparison import Comparison

_MOST_ERRORS = 20  # concepts of one kind of error
_DIFFERENCES = {
    "missing": "missing", "novel": "novel", "moved_up": "moved up", "moved_down": "moved down",
    "moved_sideways": "moved sideways", "inverted": "inverted links", "cycles": "cycles",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class ComparisonReport:
    """Learned ontologies compared with one gold standard, and what is to be shown of them beside the scores."""

    tasks: Sequence[Comparison]
    results: Sequence[EvaluationResult]
    p_values: Sequence[Mapping[str, float | None]] = ()  # of each result but the first against the first
    explained: Sequence[str] = ()  # concepts whose relations are shown
    worst: int | None = None  # how many of the concepts and instances that lose most
    with_errors: bool = False  # the lists of errors
    by_property: bool = False  # the scores of relations by property
    worst_by_measures: bool = False  # the measures were asked for, so that the first with local scores ranks concepts

    @cached_property
    def _worst_by(self) -> Measure | None:
        """What ranks the concepts that lose most; None: their relations, as tp_csc and tr_csc (TF_csc) count them."""
        measures = [score.measure for score in self.results[0].scores] if self.worst_by_measures else []
        for measure in measures:
            if any(has_concept_scores(result[measure]) for result in self.results):
                return None if measure == parse("TF_csc") else measure
        return None

    @cached_property
    def _table(self) -> ResultTable:
        return ResultTable(self.results)

    @property
    def _measures(self) -> Iterator[Measure]:
        return (score.measure for result in self.results for score in result.scores)

    @cached_property
    def _explanations(self) -> list[tuple[Explanation | None, ...]]:
        """For each learned ontology the explained concepts."""
        measures = [score.measure for score in self.results[0].scores]
        columns = [explain_in_all(self.tasks, concept, measures) for concept in self.explained]
        return list(zip(*columns, strict=True)) if columns else [() for _ in self.tasks]

    def document(self) -> dict[str, Any]:
        """For JSON."""
        entries = []
        for task, result, explanations in zip(self.tasks, self.results, self._explanations, strict=True):
            entry = result.to_dict()
            if self.worst:
                entry |= worst_concepts(task, result, self.worst, self._worst_by)
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
        if self.p_values:
            baseline, *others = (result.judged.name for result in self.results)
            document["significance"] = [
                {"learned": path, "baseline": baseline, "p": p} for path, p in zip(others, self.p_values, strict=True)
            ]
        return document

    def tables(self, layout: Layout, digits: int, spelling: Spelling) -> str:
        """The scores, and what else is to be shown, each as a table."""
        best = " (* is best)" if len(self.results) > 1 else ""
        title = f"Compared with {Path(self.tasks[0].gold.source.path).name}{best}"
        texts = [self._table.render(layout, title=title, precision=digits)]
        names = self._table.rows
        matched = any(len(task.matching) for task in self.tasks)
        if layout is Layout.TABLE and (matched or not only_on_instances(self._measures)):
            texts.append(difference_table(names, self.tasks))
        if self.p_values:
            texts.append(p_value_table(names, self._table.measures, self.p_values, layout))
        for name, task, result, explanations in zip(names, self.tasks, self.results, self._explanations, strict=True):
            for concept, explanation in zip(self.explained, explanations, strict=True):
                texts.append(explanation_table(explanation, concept, name, layout, digits))
            if self.worst:
                instances = lost_companions(task, result, self.worst)
                if instances is None or len(task.matching):
                    by = self._worst_by
                    texts.append(
                        worst_concept_table(task, self.worst, name, layout, digits)
                        if by is None
                        else lowest_score_table(worst_concepts(task, result, self.worst, by), by, name, layout, digits)
                    )
                if instances is not None:
                    texts.append(worst_instance_table(instances, name, layout, digits))
            if self.by_property:
                texts.append(property_table(result, name, layout, digits))
            if self.with_errors:
                texts.append(error_table(task, name, layout, spelling))
        return "\n".join(texts)

    def remarks(self, spelling: Spelling, *, instances_given: Sequence[bool], ignore_novel: bool) -> Iterator[str]:
        """What a reader of the tables should know; `instances_given`: which comparisons have tables of instances."""
        option = spelling("ignore_novel", None)
        rows = zip(self._table.rows, self.tasks, self.results, instances_given, strict=True)
        for name, task, result, has_instances in rows:
            if ignore_novel and not task.left_out and len(task.novel):
                yield f"{name}: the gold standard has none of its concepts, so all were judged ({option})"
            unused = unused_instances(task, result, spelling, instances_given=has_instances)
            for line in (*remarks(task, result, spelling), *([unused] if unused else [])):
                yield f"{name}: {line}"


def only_on_instances(measures: Iterable[Measure]) -> bool:
    """No measure depends on which concept is which."""
    return all("instances" in measure.definition.needs for measure in measures)


def difference_table(names: Sequence[str], tasks: Sequence[Comparison]) -> str:
    """How many concepts were matched, and how many errors of each kind there are."""
    rows: list[list[Cell]] = []
    for name, task in zip(names, tasks, strict=True):
        counts = Errors(task).counts(quick=True)
        rows.append([name, len(task.matching), *(counts[key] for key in _DIFFERENCES)])
    return render("What differs", ["", "common", *_DIFFERENCES.values()], rows, Layout.TABLE)


def remarks(task: Comparison, result: EvaluationResult, spelling: Spelling) -> Iterator[str]:
    """What a reader of the table should know."""
    ambiguous, left_out = task.matching.ambiguous, task.left_out
    if ambiguous:
        candidates = "1 further candidate" if ambiguous == 1 else f"{ambiguous:,} further candidates"
        yield f"{candidates} had a partner already (`ontoeval match` lists them)"
    if left_out:
        concepts = "1 concept" if left_out == 1 else f"{left_out:,} concepts"
        yield f"left out: {concepts} that the gold standard does not have ({spelling('ignore_novel', None)})"
    if len(task.matching) == task.matching.found[ADDED_ROOT] and len(task.matching):
        yield "only the roots that were added are common, so what is measured on common concepts says nothing"
    inverted, links = len(Errors(task).inverted), links_between_common(task)
    if inverted and 2 * inverted >= links:
        yield (
            f"{inverted:,} of {links:,} links between common concepts are inverted: if the columns are swapped, set "
            f"{spelling('columns', 'parent,child')}"
        )
    if measured_on_instances(result):
        yield _shared_instances(task)
    if any(scores_relations(score.measure) for score in result.scores):
        yield _matched_properties(task)
    yield from _judged_relations(result)
    yield from _without_interval(result)
    for score in result.scores:
        error = score.counts.get("standard_error")
        if error is not None:
            sampled, pairs = score.counts["sampled_pairs"], score.counts["pairs"]
            yield f"{score.name} is estimated from {sampled:,.0f} of {pairs:,.0f} pairs; standard error {error:.2g}"
        if score.undefined is not None:
            yield f"{score.name} is undefined: {text_for(score.undefined, spelling)}"


def _judged_relations(result: EvaluationResult) -> Iterator[str]:
    """How many relations the measures of relations judge: a high score may rest on a few."""
    judged: dict[tuple[float, float], list[str]] = {}
    for score in result.scores:
        if "learned_relations" in score.counts and score.undefined is None:
            sizes = score.counts["learned_relations"], score.counts["gold_relations"]
            judged.setdefault(sizes, []).append(score.name)
    for (learned, gold), names in judged.items():
        yield f"relations judged: {learned:,.0f} learned, {gold:,.0f} gold ({', '.join(names)})"


def _without_interval(result: EvaluationResult) -> Iterator[str]:
    """Why intervals that were asked for are not there."""
    reasons: dict[str, list[str]] = {}
    for score in result.scores:
        if score.no_interval is not None:
            reasons.setdefault(score.no_interval, []).append(score.name)
    for reason, names in reasons.items():
        yield f"without an interval: {', '.join(names)} ({reason})"


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


def _table_about(
    title: str, name: str, header: list[str], rows: list[list[Cell]], layout: Layout, digits: int = 3
) -> str:
    """A table about one learned ontology: its name is the title, or a column where there are no titles."""
    if layout is Layout.TABLE:
        return render(f"{name}: {title}", header, rows, layout, precision=digits)
    return render("", ["learned", *header], [[name, *row] for row in rows], layout, precision=digits)


def p_value_table(
    names: Sequence[str], measures: Sequence[str], tests: Sequence[Mapping[str, float | None]], layout: Layout
) -> str:
    """P-values against the first learned ontology."""
    rows: list[list[Cell]] = [
        [name, *(p.get(measure) for measure in measures)] for name, p in zip(names[1:], tests, strict=True)
    ]
    title = f"p of the difference to {names[0]} (paired randomisation)"
    if layout is Layout.TABLE:
        return render(title, ["", *measures], rows, layout, precision=4)
    named = [f"p({measure})" for measure in measures]
    return render(
        "", ["learned", "baseline", *named], [[row[0], names[0], *row[1:]] for row in rows], layout, precision=4
    )


def explanation_table(explanation: Explanation | None, concept: str, name: str, layout: Layout, digits: int) -> str:
    """The relations of a concept on both sides, next to each other."""
    if explanation is None:
        return f"{name}: {concept} is on neither side\n" if layout is Layout.TABLE else ""
    columns = {
        "on both sides": _labels(explanation.both, ""),
        "only learned": _labels(explanation.only_learned, "novel"),
        "only gold": _labels(explanation.only_gold, "missing"),
    }
    if layout is not Layout.TABLE:
        parents = {
            "parent learned": _labels(explanation.learned_parents, "novel"),
            "parent in gold": _labels(explanation.gold_parents, "missing"),
        }
        long: list[list[Cell]] = [
            [explanation.label, what, label] for what, labels in (columns | parents).items() for label in labels
        ]
        long += [[explanation.label, measure, value] for measure, value in explanation.values.items()]
        long += [[explanation.label, "why", line] for line in reasons_in_words(explanation, digits)]
        for where, texts in _relations_in_words(explanation).items():
            long += [[explanation.label, f"relation {where}", text] for text in texts]
        return _table_about("", name, ["concept", "what", "value"], long, layout, digits)
    height = max(map(len, columns.values()))
    rows: list[list[Cell]] = [
        [labels[i] if i < len(labels) else "" for labels in columns.values()] for i in range(height)
    ]
    values = ", ".join(f"{measure} {value:.{digits}f}" for measure, value in explanation.values.items())
    missing = "" if explanation.learned else " (not learned)"
    missing = missing if explanation.gold else " (not in the gold standard)"
    lines = [f"{explanation.label}{missing}", *([values] if values else [])]
    if explanation.learned:
        lines.append(f"parents learned: {'; '.join(_labels(explanation.learned_parents, 'novel')) or 'none'}")
    if explanation.gold:
        lines.append(f"parents in gold: {'; '.join(_labels(explanation.gold_parents, 'missing')) or 'none'}")
    lines += reasons_in_words(explanation, digits)
    for where, texts in _relations_in_words(explanation).items():
        more = [f"and {len(texts) - _MOST_ERRORS:,} more"] if len(texts) > _MOST_ERRORS else []
        lines += [f"relations {where}: {'; '.join([*texts[:_MOST_ERRORS], *more])}"] if texts else []
    return _table_about("\n".join(lines), name, list(columns), rows, layout)


def _relations_in_words(explanation: Explanation) -> dict[str, list[str]]:
    """Where the relations of a concept are, and these: `wheel – part of – car`."""
    return {
        f"{'on ' if where == 'both' else ''}{where.replace('_', ' ')}{' sides' if where == 'both' else ''}": [
            _relation_in_words(relation.to_dict(), where) for relation in relations
        ]
        for where, relations in (explanation.relations or {}).items()
    }


def _relation_in_words(relation: Mapping[str, Any], kind: str) -> str:
    """The parts that the other side does not have are marked."""
    mark = " (novel)" if kind.endswith("learned") else " (missing)"
    return " – ".join(f"{part['label']}{'' if part['common'] else mark}" for part in relation.values())


def _labels(entries: Sequence[NamedConcept], mark: str) -> list[str]:
    return [entry.label if entry.common else f"{entry.label} ({mark})" for entry in entries]


def worst_concept_table(task: Comparison, count: int, name: str, layout: Layout, digits: int) -> str:
    """The concepts that lose most, with their parents on both sides."""
    rows: list[list[Cell]] = [
        [loss.label, loss.precision, loss.recall, loss.wrong, loss.lost, *map("; ".join, loss.parents)]
        for loss in worst(task, count)
    ]
    header = ["concept", "tp_csc", "tr_csc", "wrong", "lost", "parents learned", "parents in gold"]
    if not rows and layout is Layout.TABLE:
        reason = "no common concept loses anything" if len(task.matching) else "no concept is common"
        return f"{name}: {reason}\n"
    return _table_about("where most is lost", name, header, rows, layout, digits)


def worst_concepts(task: Comparison, result: EvaluationResult, count: int, measure: Measure | None) -> dict[str, Any]:
    """The concepts that lose most, for JSON, and the measure that ranks them if it is not TF_csc."""
    if measure is None:
        return {"worst": [loss.to_dict() for loss in worst(task, count)]}
    losses = worst(task, count, measure) if has_concept_scores(result[measure]) else None
    return {"worst_by": str(measure), "worst": None if losses is None else [loss.to_dict() for loss in losses]}


def lowest_score_table(found: Mapping[str, Any], measure: Measure, name: str, layout: Layout, digits: int) -> str:
    """The concepts that lose most by a measure (`worst_concepts`), with their parents on both sides."""
    losses = found["worst"] or []
    if not losses and layout is Layout.TABLE:
        what = "has a score of" if found["worst"] is None else "loses anything by"
        return f"{name}: no concept {what} {measure}\n"
    columns = [str(part) for part in precision_and_recall(measure)]
    rows: list[list[Cell]] = [
        [
            loss["label"] + (" (novel)" if loss["gold"] is None else " (missing)" if loss["learned"] is None else ""),
            *(loss["values"].get(column) for column in columns),
            "; ".join(loss["learned_parents"]),
            "; ".join(loss["gold_parents"]),
        ]
        for loss in losses
    ]
    header = ["concept", *columns, "parents learned", "parents in gold"]
    return _table_about(f"where most is lost by {measure}", name, header, rows, layout, digits)


def lost_companions(task: Comparison, result: EvaluationResult, count: int) -> list[InstanceLoss] | None:
    """The instances that lose most; None unless a measure of their companions was computed and is defined."""
    scores = [score for score in result.scores if score.measure.definition.name in ("ITP", "ITR", "ITF")]
    if not scores or all(score.undefined for score in scores):
        return None
    return worst_instances(task, count)


def worst_instance_table(losses: Sequence[InstanceLoss], name: str, layout: Layout, digits: int) -> str:
    """The instances that lose most, with their concepts on both sides."""
    rows: list[list[Cell]] = [
        [loss.iri, loss.precision, loss.recall, loss.wrong, loss.lost, "; ".join(loss.learned), "; ".join(loss.gold)]
        for loss in losses
    ]
    header = ["instance", "itp", "itr", "wrong", "lost", "concepts learned", "concepts in gold"]
    if not rows and layout is Layout.TABLE:
        return f"{name}: no instance loses a companion\n"
    return _table_about("instances that lose most", name, header, rows, layout, digits)


def property_table(result: EvaluationResult, name: str, layout: Layout, digits: int) -> str:
    """The scores of relations by property, those with most relations first.

    How many relations there are is said once for people (learned: of the first precision, gold: of the first recall),
    for programs beside each score.
    """
    scores = [score for score in result.scores if score.by_property]
    if not scores:
        return f"{name}: no relation to judge\n" if layout is Layout.TABLE else ""
    columns = [{row.iri: row for row in score.by_property} for score in scores]
    label = {iri: row.label for column in columns for iri, row in column.items()}
    number = {iri: sum(column[iri].relations for column in columns if iri in column) for iri in label}
    counted = (
        _counted_columns(scores) if layout.for_people else {f"relations of {s.name}": n for n, s in enumerate(scores)}
    )
    rows: list[list[Cell]] = []
    for iri in sorted(label, key=lambda iri: (-number[iri], iri)):
        entries = [column.get(iri) for column in columns]
        values: list[Cell] = [None if entry is None else entry.value for entry in entries]
        values += [None if entry is None else entry.relations for entry in (entries[n] for n in counted.values())]
        rows.append([label[iri], *([] if layout.for_people else [iri]), *values])
    header = ["property", *([] if layout.for_people else ["iri"]), *(score.name for score in scores), *counted]
    return _table_about("relations by property", name, header, rows, layout, digits)


def _counted_columns(scores: Sequence[MeasureResult]) -> dict[str, int]:
    """Title of a column of numbers of relations -> the score that they belong to."""
    names = [score.measure.definition.name for score in scores]
    sides = {title: names.index(of) for title, of in (("learned", "RelP"), ("gold", "RelR")) if of in names}
    return sides or {"relations": 0}


def error_table(task: Comparison, name: str, layout: Layout, spelling: Spelling) -> str:
    """Each kind of error with its concepts; long lists are cut in tables for people."""
    rows: list[list[Cell]] = []
    for kind, entries in Errors(task).to_dict().items():
        shown = entries[:_MOST_ERRORS] if layout.for_people else entries
        rows += [[kind.replace("_", " "), *_error(kind, entry)] for entry in shown]
        if len(entries) > len(shown):
            more = f"and {len(entries) - len(shown):,} more ({spelling('json', None)} lists all)"
            rows.append([kind.replace("_", " "), more, ""])
    if not rows and layout is Layout.TABLE:
        return f"{name}: no errors\n"
    return _table_about("errors", name, ["kind", "concept", "details"], rows, layout)


def _error(kind: str, entry: Any) -> tuple[str, str]:
    if kind.endswith("cycles"):
        return " < ".join(member["label"] for member in entry), ""
    if kind.startswith("relations"):
        return _relation_in_words(entry, kind), ""
    if "_only_" in kind:
        return " – ".join(member["label"] for member in entry), ""
    if kind == "inverted":
        return " < ".join(entry["labels"]), "the other way round in the gold standard"
    if kind.startswith("moved"):
        return entry["label"], f"{'; '.join(entry['learned_parents'])} instead of {'; '.join(entry['gold_parents'])}"
    return entry["label"], entry["iri"] if entry["iri"] != entry["label"] else ""
