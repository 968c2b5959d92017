"""What `ontoeval describe` prints: facts of one file, rows of several, remarks (numbers: model/statistics.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ontoeval.errors import Spelling, number_of, text_for
from ontoeval.tables import Layout, TextTable, file_names, in_notebook, render, rounded_text, terminal_width
from ontoeval.tables.folding import display_width, fold, on_one_line

_MOST_LANGUAGES = 12
_LONGEST_CYCLE = 9  # concepts of a cycle that is shown whole
_ROWS = {  # key of `Ontology.describe` -> title of its row
    "concepts": "concepts", "root_added": "  root added", "roots": "roots", "leaves": "leaves",
    "intermediate": "intermediate", "isolated": "isolated", "edges": "links", "added_edges": "  added",
    "self_edges": "  self-links", "components": "components", "loops": "concepts on cycles",
    "avg_depth": "ancestors per leaf",
    "max_depth": "max depth", "avg_sub": "avg sub", "sub_dev": "  sd sub", "avg_super": "avg super",
    "super_dev": "  sd super", "multi_parent_share": "multi-parent share", "related": "related links",
    "synonyms": "synonym links", "relations": "other relations", "relations_left_out": "  with an end outside",
    "labels": "labels", "unlabelled": "  without a label", "instances": "instances",
    "cycle_count": "cycles", "deprecated": "deprecated left out", "dropped": "dropped by choice",
    "low_confidence_links": "low-confidence links left out", "unlinked_concepts": "  concepts left without a link",
    "low_confidence_relations": "low-confidence relations left out", "lines": "lines",
    "duplicate_lines": "  duplicate", "empty_cells": "  empty cells", "triples": "triples",
    "unsatisfiable": "unsatisfiable",
}  # fmt: skip
_ROWS_FOR_PROGRAMS = _ROWS | {
    "edges": "edges", "self_edges": "self-edges", "related": "related edges", "synonyms": "synonym edges",
    "loops": "loops", "avg_depth": "avg depth", "sub_dev": "  dev sub", "super_dev": "  dev super",
}  # fmt: skip

# What is said of one file: key -> title, in three columns; then what else there is some of.
_FACTS = (
    {"roots": "roots", "leaves": "leaves", "cycle_count": "cycles"},
    {"avg_depth": "ancestors per leaf", "max_depth": "max depth", "avg_super": "mean parents"},
    {"labels": "labels", "unlabelled": "without label", "deprecated": "deprecated"},
)
_MORE_FACTS = {
    "isolated": "isolated", "self_edges": "self-links", "instances": "instances", "related": "related links",
    "synonyms": "synonym links", "relations": "other relations", "dropped": "dropped", "unsatisfiable": "unsatisfiable",
    "low_confidence_links": "links left out", "low_confidence_relations": "relations left out",
    "duplicate_lines": "duplicate lines", "empty_cells": "empty cells",
}  # fmt: skip
_NAMES_ONLY = {"labels": None, "unlabelled": "names as labels"}  # titles where no concept has a label
_NUMBER_WIDTHS = (6, 4, 6)  # at least, so that the facts of most files stand in the same columns
_NAME_GAP, _FACT_GAP, _INDENT = 2, 4, 2


def fact_sheet(description: Mapping[str, Any]) -> str:
    """What `Ontology.describe` says of one ontology, for a terminal: format and size, then facts side by side."""
    width = terminal_width()
    added = " (1 added)" if description["root_added"] else ""
    links = f" ({description['added_edges']:,} added)" if description["added_edges"] else ""
    concepts, edges = (f"{description[key]:,} {word}" for key, word in (("concepts", "concepts"), ("edges", "links")))
    (name,) = _names([description])
    title = f"{name}: {description['format'] or 'links'}, {concepts}{added}, {edges}{links}"
    columns = [[(title, _fact(description[key])) for key, title in _titles(facts, [description])] for facts in _FACTS]
    more = [(title, _fact(description[key])) for key, title in _MORE_FACTS.items() if description.get(key)]
    for place, fact in enumerate(more):
        columns[place % len(columns)].append(fact)
    lines = fold(on_one_line(title), width) + _side_by_side(columns, width)
    if len(description["languages"]) > 1:
        lines += fold(
            f"{'':{_INDENT}}labels by language: {_languages(description['languages'])}", width, indent=_INDENT
        )
    return "".join(f"{line}\n" for line in lines)


def notebook_table(description: Mapping[str, Any]) -> str:
    """The facts of one ontology as HTML for a notebook."""
    titles = {key: title for facts in (*_FACTS, _MORE_FACTS) for key, title in facts.items()}
    concepts = description["concepts"] - int(description["root_added"])
    rows: list[list[Any]] = [["concepts", concepts], ["links", description["edges"] - description["added_edges"]]]
    rows += [[title, description[key]] for key, title in _titles(titles, [description]) if description.get(key)]
    (name,) = _names([description])
    return in_notebook(TextTable(name, ["", ""], rows, 1))


def _titles(titles: Mapping[str, str], descriptions: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Keys and titles for people: where no concept has a label, its name stands for it."""
    other = {} if any(description["labels"] for description in descriptions) else _NAMES_ONLY
    for key, title in titles.items():
        shown = other.get(key, title)
        if shown is not None:
            yield key, shown


def _fact(value: float | None) -> str:
    return rounded_text(value, 1)


def _languages(counts: Mapping[str, int]) -> str:
    by_count = sorted(counts, key=lambda language: (-counts[language], language))
    texts = [f"{language or 'none'} {counts[language]:,}" for language in by_count[:_MOST_LANGUAGES]]
    more = len(by_count) - len(texts)
    return ", ".join([*texts, f"{more} more"] if more else texts)


def _side_by_side(columns: Sequence[Sequence[tuple[str, str]]], width: int) -> list[str]:
    """As many columns as fit beside each other, the others below them."""
    blocks = []
    for facts, least in zip(columns, _NUMBER_WIDTHS, strict=True):
        names = max(display_width(name) for name, _ in facts)
        numbers = max(least, *(display_width(number) for _, number in facts))
        blocks.append([f"{name:<{names}}{'':{_NAME_GAP}}{number:>{numbers}}" for name, number in facts])
    fitting = len(blocks)
    while fitting > 1 and _INDENT + sum(len(block[0]) + _FACT_GAP for block in blocks[:fitting]) - _FACT_GAP > width:
        fitting -= 1
    lines: list[str] = []
    for start in range(0, len(blocks), fitting):
        beside = blocks[start : start + fitting]
        for row in range(max(map(len, beside))):
            cells = [block[row] if row < len(block) else " " * len(block[0]) for block in beside]
            lines.append((" " * _INDENT + (" " * _FACT_GAP).join(cells)).rstrip())
    return lines


def description_table(descriptions: Sequence[Mapping[str, Any]], layout: Layout) -> str:
    """What `Ontology.describe` says of some ontologies, a column for each."""
    rows: list[list[Any]] = []
    for key, title in _titles(_ROWS, descriptions) if layout.for_people else _ROWS_FOR_PROGRAMS.items():
        cells = [description.get(key) for description in descriptions]
        if any(cell is not None for cell in cells):
            rows.append([title, *cells])
        if key == "labels":
            rows += _language_rows(descriptions)
        if key == "synonyms":
            rows += _weight_rows(descriptions)
    if layout is not Layout.TABLE:
        rows = [[str(row[0]).strip(), *row[1:]] for row in rows]
    return render("Summary", ["", *_names(descriptions)], rows, layout)


def remarks(descriptions: Sequence[Mapping[str, Any]], spelling: Spelling) -> Iterator[str]:
    """Cycles, and notes of the loader."""
    for name, description in zip(_names(descriptions), descriptions, strict=True):
        for line in _remarks(description, spelling):
            yield f"{name}: {line}"


def _names(descriptions: Sequence[Mapping[str, Any]]) -> list[str]:
    return file_names([description["source"] for description in descriptions])


def _weight_rows(descriptions: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """What an edge of each kind, and of each property with a weight of its own, adds to a path length."""
    names = dict.fromkeys(name for description in descriptions for name in description["weights"])
    return [[f"  weight {name}", *(d["weights"].get(name) for d in descriptions)] for name in names]


def _language_rows(descriptions: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """How many labels there are in each language; rare languages in one row."""
    languages = sorted({language for description in descriptions for language in description["languages"]})
    counts = {
        language: [description["languages"].get(language, 0) for description in descriptions] for language in languages
    }
    shown = sorted(languages, key=lambda language: (-sum(counts[language]), language))[:_MOST_LANGUAGES]
    rows: list[list[Any]] = [[f"  {language or 'no language'}", *counts[language]] for language in shown]
    rest = [language for language in languages if language not in shown]
    if rest:
        sums = [sum(counts[language][i] for language in rest) for i in range(len(descriptions))]
        rows.append([f"  {len(rest)} more languages", *sums])
    return rows


def _remarks(description: Mapping[str, Any], spelling: Spelling) -> Iterator[str]:
    for path in description["cycles"]:
        shown = path if len(path) <= _LONGEST_CYCLE else [*path[:4], "...", *path[-4:]]
        yield "cycle: " + " < ".join(shown)
    if description["cycle_count"] > len(description["cycles"]):
        yield f"and {number_of(description['cycle_count'] - len(description['cycles']), 'more cycle', 'more cycles')}"
    for note in description["notes"]:
        yield text_for(note, spelling)
