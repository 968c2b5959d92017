"""What `ontoeval compare` prints below its table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ontoeval.analysis.explain import Errors, Explanation, InstanceLoss, Named, worst, worst_instances
from ontoeval.matching.matcher import ADDED_ROOT
from ontoeval.results import EvaluationResult
from ontoeval.tables import Cell, Layout, render
from ontoeval.tasks.comparison import Comparison

_LISTED = 20  # concepts of one kind of error
_DIFFERENCES = {
    "missing": "missing", "novel": "novel", "moved_up": "moved up", "moved_down": "moved down",
    "moved_sideways": "moved sideways", "inverted": "inverted links", "cycles": "cycles",
}  # fmt: skip


def difference_table(names: Sequence[str], tasks: Sequence[Comparison]) -> str:
    """How many concepts were matched, and how many errors of each kind there are."""
    rows: list[list[Cell]] = []
    for name, task in zip(names, tasks, strict=True):
        counts = Errors(task).counts(quick=True)
        rows.append([name, len(task.matching), *(counts[key] for key in _DIFFERENCES)])
    return render("What differs", ["", "common", *_DIFFERENCES.values()], rows, Layout.TABLE)


def remarks(task: Comparison, result: EvaluationResult) -> Iterator[str]:
    """What a reader of the table should know."""
    ambiguous, left_out = task.matching.ambiguous, task.left_out
    if ambiguous:
        candidates = "1 further candidate" if ambiguous == 1 else f"{ambiguous:,} further candidates"
        yield f"{candidates} had a partner already (`ontoeval match` lists them)"
    if left_out:
        concepts = "1 concept" if left_out == 1 else f"{left_out:,} concepts"
        yield f"left out: {concepts} that the gold standard does not have (--ignore-novel)"
    if len(task.matching) == task.matching.found[ADDED_ROOT] and len(task.matching):
        yield "only the roots that were added are common, so what is measured on common concepts says nothing"
    if measured_on_instances(result):
        yield _shared_instances(task)
    for score in result.scores:
        if score.undefined is not None:
            yield f"{score.name} is undefined: {score.undefined}"


def measured_on_instances(result: EvaluationResult) -> bool:
    """Some measure asks where the instances sit."""
    return any("instances" in score.measure.definition.needs for score in result.scores)


def _shared_instances(task: Comparison) -> str:
    shared = task.shared
    told = "1 instance on both sides" if len(shared) == 1 else f"{len(shared):,} instances on both sides"
    if not shared.only_learned and not shared.only_gold:
        return told
    return f"{told}; left out: {shared.only_learned:,} only learned, {shared.only_gold:,} only in the gold standard"


def unused_instances(task: Comparison, result: EvaluationResult, *, given: bool) -> str | None:
    """What would use the instances that both sides have.

    For who gave some (`given`) that nothing uses, and for who has no other common ground.
    """
    matching = task.matching
    by = {step.partition(":")[0] for step in matching.by}
    counted = any("corpus" in str(score.measure) for score in result.scores)  # how often concepts occur
    if measured_on_instances(result) or "instances" in by or counted:
        return None
    if not given and len(matching) > matching.found[ADDED_ROOT]:
        return None
    shared = task.shared
    if not len(shared):
        return "no instance is on both sides, and none of these measures uses them" if given else None
    are = "1 instance is" if len(shared) == 1 else f"{len(shared):,} instances are"
    return f"{are} on both sides: try --match instances, or -m {'H_s,ITF,EOR' if shared.strict else 'ITF,EOR'}"


def _titled(title: str, name: str, header: list[str], rows: list[list[Cell]], layout: Layout, digits: int = 3) -> str:
    """A table about one learned ontology: its name is the title, or a column where there are no titles."""
    if layout is Layout.TABLE:
        return render(f"{name}: {title}", header, rows, layout, precision=digits)
    return render("", ["learned", *header], [[name, *row] for row in rows], layout, precision=digits)


def p_value_table(
    names: Sequence[str], measures: Sequence[str], tests: Sequence[dict[str, float | None]], layout: Layout
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


def explanation(found: Explanation | None, concept: str, name: str, layout: Layout, digits: int) -> str:
    """The relations of a concept on both sides, next to each other."""
    if found is None:
        return f"{name}: {concept} is on neither side\n" if layout is Layout.TABLE else ""
    columns = {
        "on both sides": _words(found.both, ""),
        "only learned": _words(found.only_learned, "novel"),
        "only gold": _words(found.only_gold, "missing"),
    }
    if layout is not Layout.TABLE:
        parents = {
            "parent learned": _words(found.learned_parents, "novel"),
            "parent in gold": _words(found.gold_parents, "missing"),
        }
        long: list[list[Cell]] = [[found.label, k, word] for k, words in (columns | parents).items() for word in words]
        long += [[found.label, measure, value] for measure, value in found.values.items()]
        return _titled("", name, ["concept", "what", "value"], long, layout, digits)
    height = max(map(len, columns.values()))
    rows: list[list[Cell]] = [[words[i] if i < len(words) else "" for words in columns.values()] for i in range(height)]
    values = ", ".join(f"{measure} {value:.{digits}f}" for measure, value in found.values.items())
    sides = "" if found.learned and found.gold else " (not learned)" if found.gold else " (not in the gold standard)"
    lines = [f"{found.label}{sides}", *([values] if values else [])]
    if found.learned:
        lines.append(f"parents learned: {'; '.join(_words(found.learned_parents, 'novel')) or 'none'}")
    if found.gold:
        lines.append(f"parents in gold: {'; '.join(_words(found.gold_parents, 'missing')) or 'none'}")
    return _titled("\n".join(lines), name, list(columns), rows, layout)


def _words(entries: Sequence[Named], mark: str) -> list[str]:
    return [entry.label if entry.common else f"{entry.label} ({mark})" for entry in entries]


def worst_table(task: Comparison, count: int, name: str, layout: Layout, digits: int) -> str:
    """The concepts that lose most, with their parents on both sides."""
    rows: list[list[Cell]] = [
        [loss.label, loss.precision, loss.recall, loss.wrong, loss.lost, *map("; ".join, loss.parents)]
        for loss in worst(task, count)
    ]
    header = ["concept", "tp_csc", "tr_csc", "wrong", "lost", "parents learned", "parents in gold"]
    if not rows and layout is Layout.TABLE:
        said = "no common concept loses anything" if len(task.matching) else "no concept is common"
        return f"{name}: {said}\n"
    return _titled("where most is lost", name, header, rows, layout, digits)


def lost_companions(task: Comparison, result: EvaluationResult, count: int) -> list[InstanceLoss] | None:
    """The instances that lose most; None unless a measure was asked for, and is defined, that counts companions."""
    asked = [score for score in result.scores if score.measure.definition.name in ("ITP", "ITR", "ITF")]
    if not asked or all(score.undefined for score in asked):
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
    return _titled("instances that lose most", name, header, rows, layout, digits)


def error_lists(task: Comparison, name: str, layout: Layout) -> str:
    """Each kind of error with its concepts; long lists are cut in tables for people."""
    rows: list[list[Cell]] = []
    for kind, entries in Errors(task).to_dict().items():
        shown = entries if not layout.for_people else entries[:_LISTED]
        rows += [[kind.replace("_", " "), *_error(kind, entry)] for entry in shown]
        if len(entries) > len(shown):
            rows.append([kind.replace("_", " "), f"and {len(entries) - len(shown):,} more (--json lists all)", ""])
    if not rows and layout is Layout.TABLE:
        return f"{name}: no errors\n"
    return _titled("errors", name, ["kind", "concept", "details"], rows, layout)


def _error(kind: str, entry: Any) -> tuple[str, str]:
    if kind.endswith("cycles"):
        return " < ".join(member["label"] for member in entry), ""
    if kind == "inverted":
        return " < ".join(entry["labels"]), "the other way round in the gold standard"
    if kind.startswith("moved"):
        return entry["label"], f"{'; '.join(entry['learned_parents'])} instead of {'; '.join(entry['gold_parents'])}"
    return entry["label"], entry["iri"] if entry["iri"] != entry["label"] else ""
