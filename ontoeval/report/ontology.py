"""What `ontoeval describe` prints: which rows, languages, remarks (numbers: model/statistics.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ontoeval.errors import Spelling, number_of, text_for
from ontoeval.tables import Layout, render, short_names

_MOST_LANGUAGES = 12
_LONGEST_CYCLE = 9  # concepts of a cycle that is shown whole
_ROWS = {  # key of `Ontology.describe` -> title of its row
    "concepts": "concepts", "root_added": "  root added", "roots": "roots", "leaves": "leaves",
    "intermediate": "intermediate", "isolated": "isolated", "edges": "edges", "added_edges": "  added",
    "self_edges": "  self-edges", "components": "components", "loops": "loops", "avg_depth": "avg depth",
    "max_depth": "max depth", "avg_sub": "avg sub", "sub_dev": "  dev sub", "avg_super": "avg super",
    "super_dev": "  dev super", "multi_parent_share": "multi-parent share", "related": "related edges",
    "synonyms": "synonym edges", "relations": "other relations", "relations_left_out": "  with an end outside",
    "labels": "labels", "unlabelled": "  without a label", "instances": "instances",
    "cycle_count": "cycles", "deprecated": "deprecated left out", "dropped": "dropped by choice",
    "low_confidence_links": "low-confidence links left out", "unlinked_concepts": "  concepts left without a link",
    "lines": "lines",
    "duplicate_lines": "  duplicate", "empty_cells": "  empty cells", "triples": "triples",
    "unsatisfiable": "unsatisfiable",
}  # fmt: skip


def description_table(descriptions: Sequence[Mapping[str, Any]], layout: Layout) -> str:
    """What `Ontology.describe` says of some ontologies, a column for each."""
    rows: list[list[Any]] = []
    for key, title in _ROWS.items():
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
    """Cycles, imports that were not found, and notes of the loader."""
    for name, description in zip(_names(descriptions), descriptions, strict=True):
        for line in _remarks(description, spelling):
            yield f"{name}: {line}"


def _names(descriptions: Sequence[Mapping[str, Any]]) -> list[str]:
    return short_names([description["source"] for description in descriptions])


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
    for iri in description["unresolved_imports"]:
        yield f"import not found: {iri}. Set {spelling('imports', None)}."
    for note in description["notes"]:
        yield text_for(note, spelling)
