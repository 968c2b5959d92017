"""Details of `ontoeval compare`: a concept explained, the worst, properties (errors: comparison_errors.py).

Each has a text for a terminal, and rows for other layouts, which have no titles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ontoeval.analysis.error_table import PLACES
from ontoeval.analysis.explain import Explanation, NamedConcept, NamedRelative
from ontoeval.analysis.worst import (
    Difference,
    InstanceLoss,
    LocalLoss,
    Loss,
    has_concept_scores,
    worst,
    worst_instances,
)
from ontoeval.evaluation import scores_relations
from ontoeval.measures import Measure
from ontoeval.measures.registry import precision_and_recall
from ontoeval.report.names import curie
from ontoeval.report.reasons import reasons_in_words
from ontoeval.results import EvaluationResult, MeasureResult
from ontoeval.tables import Cell, Layout, render
from ontoeval.tables.folding import ELLIPSIS, fold, fold_names, names_within, terminal_width
from ontoeval.tasks.comparison import Comparison

_LOCAL_NAMES = {"TP_csc": "tp_csc", "TR_csc": "tr_csc"}
_LEFT_OUT = ("TO_csc", "TP_sc", "TR_sc")  # further values that `explain` computes in any case
_LABEL = 12  # columns of "only learned"
_COUNT = 4  # columns of a number at least
_PLACES = ("above", "below", "above and below")  # in this order
_BRANCHES = 1  # of a difference, for people
TOP = 10  # rows of a list for people


class Rows(NamedTuple):
    """A table without a title."""

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def plural(number: int, noun: str) -> str:
    """`1 link`, `2 links`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def relation_in_words(relation: Mapping[str, Any], kind: str) -> str:
    """`wheel – part of – car`; the parts that the other side does not have are marked."""
    mark = " (novel)" if kind.endswith("learned") else " (missing)"
    return " – ".join(f"{curie(part['label'])}{'' if part['common'] else mark}" for part in relation.values())


# a concept


def explanation_text(
    explanation: Explanation | None, concept: str, name: str | None, top: int | None, digits: int
) -> str:
    """A concept's values, its parents on both sides, and its other relatives by the sides that have them.

    `name` is that of the run, None if there is one alone. At most `top` names of a list, 0: all; None: as many as fit
    on a line, TOP at most.
    """
    run = "" if name is None else f" in {name}"
    if explanation is None:
        return f"{concept}{run}: on neither side\n"
    title = f"{curie(explanation.label)}{run}: {_values_in_words(explanation, digits)}"
    kinds = {"both sides": explanation.both, "only learned": explanation.only_learned,
             "only gold": explanation.only_gold}  # fmt: skip
    width = max(_COUNT, *(len(f"{len(entries):,}") for entries in kinds.values()))
    indent = 2 + _LABEL + 2 + width + 2
    room = max(terminal_width() - indent, _LABEL)
    lines = fold(title, terminal_width())
    lines += _beside("  parents", fold(_parents_in_words(explanation), room), indent)
    if explanation.moved is not None:
        lines += _beside("  moved", [PLACES.get(f"moved_{explanation.moved}", "no")], indent)
    if explanation.merged_into is not None:
        into = explanation.merged_into
        names = curie(into.iri) if into.label == into.iri else f"{curie(into.iri)} ({into.label})"
        lines += _beside("  merged into", fold(f"{names}, which has its id as an alternative one", room), indent)
    for kind, entries in kinds.items():
        mark = "novel" if kind == "only learned" else "missing"
        head = f"  {kind:<{_LABEL}}  {len(entries):>{width},}"
        lines += _beside(head, _relatives_in_words(entries, mark, top, room), indent)
    if any(_is_turned_round(entry) for entry in explanation.both):
        sentence = "tp_csc and tr_csc do not see direction: above on one side and below on the other counts as common"
        lines += [f"  {line}" for line in fold(sentence, terminal_width() - 2, indent=2)]
    most = TOP if top is None else top
    for where, texts in _relations_in_words(explanation).items():
        more = [f"{ELLIPSIS} {len(texts) - most:,} more"] if most and len(texts) > most else []
        if texts:
            sentence = f"relations {where}: {', '.join([*texts[: most or None], *more])}"
            lines += [f"  {line}" for line in fold(sentence, terminal_width() - 2, indent=2)]
    for sentence in reasons_in_words(explanation, digits):
        lines += [f"  {line}" for line in fold(sentence, terminal_width() - 2, indent=2)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _relatives_in_words(entries: Sequence[NamedRelative], mark: str, top: int | None, room: int) -> list[str]:
    """`above 2: a, b`, `below 5 (1 missing): c, d, …`, each on a line or folded; the number if there are several."""
    groups: dict[str, list[NamedRelative]] = {}
    for entry in entries:
        groups.setdefault(_place_in_words(entry), []).append(entry)
    lines = []
    for place in sorted(groups, key=lambda place: (place not in _PLACES, place)):
        group = groups[place]
        number = f" {len(group):,}" if len(groups) > 1 else ""
        others = sum(not entry.common for entry in group)
        marked = f" ({others:,} {mark})" if others else ""
        first, *names = [_mark(entry, mark) for entry in group]
        names = [f"{place}{number}{marked}: {first}", *names]
        shown = names[: (TOP if top is None else top) or None]
        rest = len(names) - len(shown)
        if top is None:
            lines.append(names_within([*shown, *([ELLIPSIS] if rest else [])], room))
        else:
            lines += fold_names([*shown, *([f"{ELLIPSIS} {rest:,} more"] if rest else [])], room)
    return lines or [""]


def _place_in_words(entry: NamedRelative) -> str:
    """`above`; where the sides differ: `learned above, gold below`."""
    if entry.learned is None or entry.gold is None or entry.learned == entry.gold:
        return entry.learned or entry.gold or ""
    return f"learned {entry.learned}, gold {entry.gold}"


def _is_turned_round(entry: NamedRelative) -> bool:
    return {entry.learned, entry.gold} == {"above", "below"}


def _relations_in_words(explanation: Explanation) -> dict[str, list[str]]:
    """Where the other relations of a concept are, and these."""
    return {
        "on both sides" if where == "both" else where.replace("_", " "): [
            relation_in_words(relation.to_dict(), where) for relation in relations
        ]
        for where, relations in (explanation.relations or {}).items()
    }


def _beside(head: str, texts: Sequence[str], indent: int) -> Iterator[str]:
    first, *others = texts
    yield head.ljust(indent) + first
    yield from (" " * indent + line for line in others)


def _values_in_words(explanation: Explanation, digits: int) -> str:
    """`tp_csc 0.897, tr_csc 0.062`; of a concept of one side, which side that is."""
    known = {name: value for name, value in explanation.values.items() if name not in _LEFT_OUT}
    values = [f"{_LOCAL_NAMES.get(name, name)} {value:.{digits}f}" for name, value in known.items()]
    side = [] if explanation.learned and explanation.gold else ["novel" if explanation.learned else "missing"]
    return ", ".join([*side, *values])


def _parents_in_words(explanation: Explanation) -> str:
    sides = []
    if explanation.learned:
        sides.append(f"learned: {', '.join(_mark(p, 'novel') for p in explanation.learned_parents) or 'none'}")
    if explanation.gold:
        sides.append(f"gold: {', '.join(_mark(p, 'missing') for p in explanation.gold_parents) or 'none'}")
    return "; ".join(sides)


def _mark(entry: NamedConcept | NamedRelative, mark: str) -> str:
    return curie(entry.label) if entry.common else f"{curie(entry.label)} ({mark})"


def explanation_rows(explanation: Explanation | None, digits: int) -> Rows:
    """A row for each value, parent, relative, relation and reason."""
    header = ["concept", "what", "iri", "value", "place", "status"]
    if explanation is None:
        return Rows(header, [])
    relatives = {
        "both sides": explanation.both,
        "only learned": explanation.only_learned,
        "only gold": explanation.only_gold,
    }
    parents = {"learned parent": explanation.learned_parents, "gold parent": explanation.gold_parents}
    label = explanation.label
    rows: list[list[Cell]] = [
        [label, what, entry.iri, entry.label, _place_in_words(entry), _status(entry, what)]
        for what, entries in relatives.items()
        for entry in entries
    ]
    rows += [
        [label, what, entry.iri, entry.label, "", _status(entry, what)]
        for what, entries in parents.items()
        for entry in entries
    ]
    if explanation.moved is not None:
        rows.append([label, "moved", explanation.iri, PLACES.get(f"moved_{explanation.moved}", "no"), "", ""])
    if explanation.merged_into is not None:
        into = explanation.merged_into
        rows.append([label, "merged into", into.iri, into.label, "", ""])
    rows += [[label, measure, explanation.iri, value, "", ""] for measure, value in explanation.values.items()]
    for where, texts in _relations_in_words(explanation).items():
        rows += [[label, f"relation {where}", explanation.iri, text, "", ""] for text in texts]
    rows += [[label, "why", explanation.iri, sentence, "", ""] for sentence in reasons_in_words(explanation, digits)]
    return Rows(header, rows)


def _status(entry: NamedConcept | NamedRelative, what: str) -> str:
    return "common" if entry.common else "novel" if "learned" in what else "missing"


# the worst


def worst_text(
    task: Comparison, result: EvaluationResult, name: str, count: int, digits: int, by: Measure | None
) -> str:
    """The concepts that lose most (by a measure), with their parents; the same of instances if they were judged."""
    texts = []
    instances = lost_companions(task, result, count)
    if instances is None or len(task.matching):
        header, rows = _worst_concepts(task, count) if by is None else _lowest_scores(task, result, count, by)
        title = f"{name}: lowest-scoring concepts" + ("" if by is None else f" in {by}")
        nothing = f"{name}: {_nothing_lost(task, result, by)}\n"
        texts.append(render(title, header, rows, Layout.TABLE, precision=digits) if rows else nothing)
    if instances is not None:
        header, rows = _worst_instances(instances)
        title = f"{name}: lowest-scoring instances"
        nothing = f"{name}: all common instances score 1\n"
        texts.append(render(title, header, rows, Layout.TABLE, precision=digits) if rows else nothing)
    return "\n".join(texts)


def _nothing_lost(task: Comparison, result: EvaluationResult, by: Measure | None) -> str:
    if by is not None:
        return f"no concept {'scores below 1 in' if has_concept_scores(result[by]) else 'has a score of'} {by}"
    return "all common concepts have tp_csc and tr_csc 1" if len(task.matching) else "no concept is common"


def worst_rows(task: Comparison, result: EvaluationResult, count: int, by: Measure | None, layout: Layout) -> Rows:
    """The same in one table: concepts, then instances."""
    instances = lost_companions(task, result, count)
    rows: list[list[Cell]] = []
    iri_heads = [] if layout.for_people else ["learned parent iris", "gold parent iris"]
    task = task.with_one_label if layout.for_people else task
    if by is not None:
        columns = [str(part) for part in precision_and_recall(by)]
        for loss in _losses(task, result, count, by):
            parents = map("; ".join, (loss.learned_parents, loss.gold_parents))
            values = (loss.values.get(c) for c in columns)
            rows.append(["concept", loss.iri, loss.label, *values, *parents, *_parent_iris(loss, layout)])
        return Rows(["of", "iri", "label", *columns, "learned parents", "gold parents", *iri_heads], rows)
    if instances is None or len(task.matching):
        rows += [
            ["concept", loss.iri, loss.label, loss.precision, loss.recall, loss.wrong, loss.lost,
             *map("; ".join, loss.parents), _differences_in_words(loss, _BRANCHES if layout.for_people else None),
             *_parent_iris(loss, layout)]
            for loss in worst(task, count)
        ]  # fmt: skip
    rows += [
        ["instance", loss.iri, loss.iri, loss.precision, loss.recall, loss.wrong, loss.lost,
         "; ".join(loss.learned), "; ".join(loss.gold), "", *("" for _ in iri_heads)]
        for loss in instances or ()
    ]  # fmt: skip
    header = ["of", "iri", "label", "tp", "tr", "wrong", "lost", "learned parents", "gold parents", "differences"]
    return Rows([*header, *iri_heads], rows)


def _parent_iris(loss: Loss | LocalLoss, layout: Layout) -> list[Cell]:
    """For programs, as a concept may have another label on the other side."""
    return [] if layout.for_people else ["; ".join(loss.learned_parent_iris), "; ".join(loss.gold_parent_iris)]


def worst_document(task: Comparison, result: EvaluationResult, count: int, by: Measure | None) -> dict[str, Any]:
    """The concepts that lose most, for JSON, and the measure that ranks them if it is not TF_csc."""
    if by is None:
        return {"worst": [loss.to_dict() for loss in worst(task, count)]}
    losses = [loss.to_dict() for loss in worst(task, count, by)] if has_concept_scores(result[by]) else None
    return {"worst_by": str(by), "worst": losses}


def _losses(task: Comparison, result: EvaluationResult, count: int, by: Measure) -> Sequence[LocalLoss]:
    return worst(task, count, by) if has_concept_scores(result[by]) else []


def _lowest_scores(task: Comparison, result: EvaluationResult, count: int, by: Measure) -> Rows:
    columns = [str(part) for part in precision_and_recall(by)]
    rows: list[list[Cell]] = [
        [
            curie(loss.label) + (" (novel)" if loss.gold is None else " (missing)" if loss.learned is None else ""),
            *(loss.values.get(column) for column in columns),
            *(", ".join(map(curie, side)) for side in (loss.learned_parents, loss.gold_parents)),
        ]
        for loss in _losses(task, result, count, by)
    ]
    return Rows(["concept", *columns, "learned parents", "gold parents"], rows)


def _worst_concepts(task: Comparison, count: int) -> Rows:
    rows: list[list[Cell]] = [
        [curie(loss.label), loss.precision, loss.recall, loss.wrong, loss.lost,
         ", ".join(map(curie, loss.learned_parents)) or "none", _gold_parents_in_words(loss)]
        for loss in worst(task, count)
    ]  # fmt: skip
    return Rows(["concept", "tp", "tr", "wrong", "lost", "learned parents", "gold parents"], rows)


def _gold_parents_in_words(loss: Loss) -> str:
    """The gold parents, or `same`; behind them the greatest difference, unless it is what other parents explain."""
    greatest = loss.differences[0]
    same = loss.learned_parents == loss.gold_parents
    parents = "same" if same else ", ".join(map(curie, loss.gold_parents)) or "none"
    if not same and greatest.place == "above":
        return parents
    return f"{parents}; {_branches_in_words(greatest, _BRANCHES)}"


def _differences_in_words(loss: Loss, most: int | None) -> str:
    return "; ".join(_branches_in_words(difference, most) for difference in loss.differences)


def _branches_in_words(difference: Difference, most: int | None) -> str:
    """`lost below: ovarian disease (123), …`: the number of concepts that go with it."""
    names = [
        curie(branch.label) if branch.size == 1 else f"{curie(branch.label)} ({branch.size:,})"
        for branch in difference.branches
    ]
    more = [ELLIPSIS] if len(names[:most]) < len(names) else []
    return f"{difference.kind} {difference.place}: {', '.join([*names[:most], *more])}"


def _worst_instances(losses: Sequence[InstanceLoss]) -> Rows:
    rows: list[list[Cell]] = [
        [curie(loss.iri), loss.precision, loss.recall, loss.wrong, loss.lost,
         *(", ".join(map(curie, side)) for side in (loss.learned, loss.gold))]
        for loss in losses
    ]  # fmt: skip
    return Rows(["instance", "itp", "itr", "wrong", "lost", "learned concepts", "gold concepts"], rows)


def lost_companions(task: Comparison, result: EvaluationResult, count: int) -> Sequence[InstanceLoss] | None:
    """The instances that lose most; None unless a measure of their companions was computed and is defined."""
    scores = [score for score in result.scores if score.measure.definition.name in ("ITP", "ITR", "ITF")]
    if not scores or all(score.undefined for score in scores):
        return None
    return worst_instances(task, count)


# properties


def property_text(result: EvaluationResult, name: str, digits: int) -> str:
    """The scores of relations by property."""
    header, rows = property_rows(result, Layout.TABLE)
    if not rows:
        return f"{name}: no relation to score\n"
    return render(f"{name}: relations by property", header, rows, Layout.TABLE, precision=digits)


def property_rows(result: EvaluationResult, layout: Layout) -> Rows:
    """The scores of relations by property, those with most relations first.

    How many relations there are is said once for people (learned: of the first precision, gold: of the first recall),
    for programs beside each score.
    """
    scores = [score for score in result.scores if scores_relations(score.measure)]  # the same columns for every run
    columns = [{row.iri: row for row in score.by_property} for score in scores]
    label = {iri: row.label for column in columns for iri, row in column.items()}
    number = {iri: sum(column[iri].relations for column in columns if iri in column) for iri in label}
    counts = (
        _count_columns(scores) if layout.for_people else {f"relations of {s.name}": n for n, s in enumerate(scores)}
    )
    rows: list[list[Cell]] = []
    for iri in sorted(label, key=lambda iri: (-number[iri], iri)):
        entries = [column.get(iri) for column in columns]
        values: list[Cell] = [None if entry is None else entry.value for entry in entries]
        values += [None if entry is None else entry.relations for entry in (entries[n] for n in counts.values())]
        rows.append([label[iri], *([] if layout.for_people else [iri]), *values])
    header = ["property", *([] if layout.for_people else ["iri"]), *(score.name for score in scores), *counts]
    return Rows(header, rows)


def _count_columns(scores: Sequence[MeasureResult]) -> dict[str, int]:
    """Title of a column of numbers of relations -> the score that they belong to."""
    names = [score.measure.definition.name for score in scores]
    sides = {title: names.index(of) for title, of in (("learned", "RelP"), ("gold", "RelR")) if of in names}
    return sides or {"relations": 0}
