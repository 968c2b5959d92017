"""What `ontoeval compare` prints below its table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ontoeval.explain import Errors, Named, explain, worst
from ontoeval.model.tasks import Comparison
from ontoeval.render import Cell, render
from ontoeval.results import EvaluationResult

_LISTED = 20  # concepts of one kind of error
_DIFFERENCES = {
    "missing": "missing", "novel": "novel", "moved_up": "moved up", "moved_down": "moved down",
    "moved_sideways": "moved sideways", "inverted": "inverted links", "cycles": "cycles",
}  # fmt: skip


def difference_table(names: Sequence[str], tasks: Sequence[Comparison]) -> str:
    """How many concepts were matched, and how many errors of each kind there are."""
    rows: list[list[Cell]] = []
    for name, task in zip(names, tasks, strict=True):
        counts = Errors(task).counts()
        rows.append([name, len(task.matching), *(counts[key] for key in _DIFFERENCES)])
    return render("What differs", ["", "common", *_DIFFERENCES.values()], rows, "table")


def remarks(task: Comparison, result: EvaluationResult) -> Iterator[str]:
    """What a reader of the table should know."""
    about = task.matching.summary()
    if about["ambiguous"]:
        yield f"{about['ambiguous']:,} further candidates had a partner already (`ontoeval match` lists them)"
    if task.left_out:
        yield f"{task.left_out:,} concepts that the gold standard does not have were left out (--ignore-novel)"
    for score in result.scores:
        if score.undefined is not None:
            yield f"{score.name} is undefined: {score.undefined}"


def p_value_table(
    names: Sequence[str], measures: Sequence[str], tests: Sequence[dict[str, float | None]], layout: Any
) -> str:
    """P-values against the first learned ontology."""
    rows: list[list[Cell]] = [
        [name, *(p.get(measure) for measure in measures)] for name, p in zip(names[1:], tests, strict=True)
    ]
    title = f"p of the difference to {names[0]} (paired randomisation)"
    return render(title, ["", *measures], rows, layout, precision=4)


def explanation(task: Comparison, concept: str, name: str, layout: Any) -> str:
    """The relations of a concept on both sides, next to each other."""
    found = explain(task, concept)
    columns = [_words(found.both, ""), _words(found.only_learned, "novel"), _words(found.only_gold, "missing")]
    height = max(map(len, columns))
    rows: list[list[Cell]] = [
        ["", *(column[i] if i < len(column) else "" for column in columns)] for i in range(height)
    ]
    rows.append(
        [
            "parents",
            "",
            "; ".join(_words(found.learned_parents, "novel")),
            "; ".join(_words(found.gold_parents, "missing")),
        ]
    )
    values = ", ".join(f"{measure} {value:.3f}" for measure, value in found.values.items())
    sides = "" if found.learned and found.gold else " (not learned)" if found.gold else " (not in the gold standard)"
    title = f"{name}: {found.label}{sides}" + (f"\n{values}" if values else "")
    return render(title, ["", "on both sides", "only learned", "only gold"], rows, layout)


def _words(entries: Sequence[Named], mark: str) -> list[str]:
    return [entry.label if entry.common else f"{entry.label} ({mark})" for entry in entries]


def worst_table(task: Comparison, count: int, name: str, layout: Any) -> str:
    """The concepts that lose most, with their parents on both sides."""
    rows: list[list[Cell]] = [
        [loss.label, loss.precision, loss.recall, loss.wrong, loss.lost, *map("; ".join, loss.parents)]
        for loss in worst(task, count)
    ]
    header = ["concept", "tp_csc", "tr_csc", "wrong", "lost", "parents learned", "parents in gold"]
    if not rows:
        return f"{name}: no common concept loses anything\n"
    return render(f"{name}: where most is lost", header, rows, layout)


def error_lists(task: Comparison, name: str, layout: Any) -> str:
    """Each kind of error with its concepts; long lists are cut in tables for people."""
    rows: list[list[Cell]] = []
    for kind, entries in Errors(task).to_dict().items():
        shown = entries if layout in ("tsv", "csv") else entries[:_LISTED]
        rows += [[kind.replace("_", " "), *_error(kind, entry)] for entry in shown]
        if len(entries) > len(shown):
            rows.append([kind.replace("_", " "), f"and {len(entries) - len(shown):,} more (--json lists all)", ""])
    if not rows:
        return f"{name}: no errors\n"
    return render(f"{name}: errors", ["kind", "concept", "details"], rows, layout)


def _error(kind: str, entry: Any) -> tuple[str, str]:
    if kind.endswith("cycles"):
        return " < ".join(member["label"] for member in entry), ""
    if kind == "inverted":
        return " < ".join(entry["labels"]), "the other way round in the gold standard"
    if kind.startswith("moved"):
        return entry["label"], f"{'; '.join(entry['learned_parents'])} instead of {'; '.join(entry['gold_parents'])}"
    return entry["label"], entry["iri"] if entry["iri"] != entry["label"] else ""
