"""Errors of `ontoeval compare`: lists for a terminal, one table for other layouts (found: analysis/explain.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from ontoeval.analysis.error_table import PLACES, error_table, kind_in_words
from ontoeval.analysis.explain import Errors
from ontoeval.errors import Spelling
from ontoeval.report.comparison_details import Rows, plural, relation_in_words
from ontoeval.report.names import curie
from ontoeval.tables import Cell, Layout, render
from ontoeval.tables.folding import ELLIPSIS, display_width, fold, fold_names, terminal_width
from ontoeval.tasks.comparison import Comparison

_PLACES_EXPLAINED = {"too high": "superconcepts missing", "too low": "added", "elsewhere": "both"}
_SIDES = "learned", "gold"
_LABEL = 12  # columns of a list at least


def error_text(task: Comparison, name: str, top: int, spelling: Spelling, file: str) -> str:
    """How many errors of each kind there are, lists of them, and a table of the concepts in wrong places.

    At most `top` of each kind, all if it is 0. Links that only one side has are counted: what they change is listed.
    `file` would hold all of them.
    """
    found = Errors(task.with_one_label)
    errors = found.to_dict()
    links = {kind.replace("_links", " link"): len(errors.pop(kind)) for kind in ("missing_links", "novel_links")}
    moved = [(entry, place) for kind, place in PLACES.items() for entry in errors.pop(kind)]
    counts = {"missing": len(errors["missing"]), "novel": len(errors["novel"]), "moved": len(moved)}
    counts |= {kind: len(entries) for kind, entries in errors.items() if kind not in counts}
    totals = [_total(kind, count) for kind, count in counts.items() if count]
    link_totals = [plural(count, kind) for kind, count in links.items() if count]
    if not totals and not link_totals:
        return f"{name}: no errors\n"
    most = top or max(counts.values())
    table = _moved_table(_some_of_each(moved, most))
    longest = max([len(kind) for kind, entries in errors.items() if entries] + [len("links") * bool(link_totals)])
    table, indent = _second_column_at(table, "learned parent", 2 + longest + 2)
    lines = fold(f"{name}: {', '.join(totals or link_totals)}", terminal_width())
    for kind, entries in errors.items():
        names = [_error_name(kind, entry) for entry in entries]
        remark = "as learned" if kind == "inverted" else ""
        lines += _list_lines(kind.replace("_", " "), names, most, indent, remark)
    file = spelling("target", file)
    if any(links.values()):
        words = [f"{count:,} {kind.removesuffix(' link')}" for kind, count in links.items()]
        lines += _list_lines("links", words, len(words), indent, file)
        sentence = "between common concepts: {:,} missing, {:,} novel".format(*found.links_between_common())
        lines += [" " * indent + line for line in fold(sentence, max(terminal_width() - indent, _LABEL))]
    hint = f"({spelling('top', '0')}, or {file})"
    text = "".join(f"{line}\n" for line in lines) + table
    if len(moved) > most:
        text += _indent(f"{ELLIPSIS} {len(moved) - most:,} more {hint}")
    elif any(count > most for count in counts.values()):
        text += _indent(f"{ELLIPSIS} more {hint}")
    by_place = Counter(place for _, place in moved)
    places = [f"{by_place[place]:,} {place} ({meaning})" for place, meaning in _PLACES_EXPLAINED.items()]
    return text + (_indent(", ".join(places)) if moved else "")


def _second_column_at(table: str, head: str, indent: int) -> tuple[str, int]:
    """The table with its second column, whose head is given, so far to the right at least, and where that column is.

    So the lists above the table begin where its second column does. A table that is too wide for that stays as it is.
    """
    start = table.partition(head)[0]
    if not table or "\n" in start:
        return table, indent
    blanks = " " * (indent - len(start))
    shifted = [f"{line[: len(start)]}{blanks}{line[len(start) :]}" for line in table.splitlines()]
    if len(start) >= indent or max(map(display_width, shifted)) > terminal_width():
        return table, max(indent, len(start))
    return "".join(f"{line}\n" for line in shifted), indent


def _total(kind: str, count: int) -> str:
    """`114 missing`, `2 inverted links`, `1 cycle`, `3 related links only learned`."""
    if kind in ("missing", "novel", "moved"):
        return f"{count:,} {kind}"
    what, only, side = kind.partition("_only_")
    if only:
        noun = "relation" if what == "relations" else f"{what} link"
        return f"{plural(count, noun)} only {'in ' * (side == 'gold')}{side}"
    return plural(count, "inverted link" if kind == "inverted" else kind.replace("_", " ").removesuffix("s"))


def _some_of_each(moved: Sequence[tuple[dict[str, Any], str]], most: int) -> list[tuple[dict[str, Any], str]]:
    """At most so many, from each kind about as many."""
    by_place = {place: [row for row in moved if row[1] == place] for place in PLACES.values()}
    turns = [row for turn in zip_longest(*by_place.values()) for row in turn if row is not None]
    return sorted(turns[:most], key=lambda row: list(by_place).index(row[1]))


def _moved_table(moved: Sequence[tuple[dict[str, Any], str]]) -> str:
    rows: list[list[Cell]] = [
        [
            curie(entry["label"]),
            *_parents_in_words(entry),
            place,
        ]
        for entry, place in moved
    ]
    return render("", ["moved", "learned parent", "gold parent", "place"], rows, Layout.TABLE) if rows else ""


def _parents_in_words(entry: dict[str, Any]) -> list[str]:
    """The parents of both sides; other concepts of one name, as one side may have merged them, have their ids."""
    sides = [list(zip(entry[f"{side}_parents"], entry[f"{side}_parent_iris"], strict=True)) for side in _SIDES]
    ids: dict[str, set[str]] = {}
    for label, iri in (parent for side in sides for parent in side):
        ids.setdefault(label, set()).add(iri)
    same = entry["iri"] == entry["gold"]["iri"]  # matched by IRI: then other IRIs are other concepts
    return [
        ", ".join(
            f"{curie(label)} ({curie(iri)})" if same and len(ids[label]) > 1 and label != iri else curie(label)
            for label, iri in side
        )
        for side in sides
    ]


def _list_lines(title: str, names: Sequence[str], most: int, indent: int, remark: str = "") -> Iterator[str]:
    """`  missing   a, b, … 3 more (remark)`, folded."""
    if not names:
        return
    more = [f"{ELLIPSIS} {len(names) - most:,} more"] if len(names) > most else []
    shown = [*names[:most], *more]
    shown[-1] += f" ({remark})" if remark else ""
    first, *others = fold_names(shown, max(terminal_width() - indent, _LABEL))
    yield f"  {title}".ljust(indent) + first
    yield from (" " * indent + line for line in others)


def _error_name(kind: str, entry: Any) -> str:
    if kind.endswith("cycles"):
        return " < ".join(curie(member["label"]) for member in entry)
    if kind.startswith("relations"):
        return relation_in_words(entry, kind)
    if "_only_" in kind:
        return " – ".join(curie(member["label"]) for member in entry)
    if "child" in entry:
        return " < ".join(map(curie, entry["labels"]))
    return curie(entry["label"])


def error_rows(task: Comparison, layout: Layout, most: int | None = None) -> Rows:
    """A row for each error: for programs IRIs and labels, for people labels and at most so many of each kind.

    `to` is the other end of a link or relation, and what a missing or novel concept was merged into. Of a cycle all
    concepts stand in one cell.
    """
    if not layout.for_people:
        table = error_table(task)
        texts: list[list[Cell]] = [
            [cell if isinstance(cell, str) else "; ".join(cell) for cell in row] for row in table
        ]
        return Rows([name.replace("_", " ") for name in table.columns], texts)
    rows: list[list[Cell]] = []
    for kind, entries in Errors(task.with_one_label).to_dict().items():
        words, place = kind_in_words(kind), PLACES.get(kind, "")
        for entry in entries[:most]:
            sides = ("learned_parents", "gold_parents")
            parents = ["; ".join(entry.get(side, ())) if isinstance(entry, dict) else "" for side in sides]
            rows.append([words, _error_name(kind, entry), place, *parents])
    return Rows(["kind", "concept", "place", "learned parents", "gold parents"], rows)


def _indent(text: str) -> str:
    return "".join(f"  {line}\n" for line in fold(text, terminal_width() - 2))
