"""`ontoeval describe`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click

from ontoeval.cli.options import LAYOUTS, layout_options, ontology_options, progress_on_stderr
from ontoeval.tables import Layout

_TABLE = {  # describe's table: key -> row title
    "concepts": "concepts", "root_added": "  root added", "roots": "roots", "leaves": "leaves",
    "intermediate": "intermediate", "isolated": "isolated", "edges": "edges", "added_edges": "  added",
    "self_edges": "  self-edges", "components": "components", "loops": "loops", "avg_depth": "avg depth",
    "max_depth": "max depth", "avg_sub": "avg sub", "sub_dev": "  dev sub", "avg_super": "avg super", "super_dev": "  dev super",
    "multi_parent_share": "multi-parent share", "related": "related edges", "synonyms": "synonym edges",
    "labels": "labels", "unlabelled": "  without a label", "instances": "instances", "cycle_count": "cycles",
    "deprecated": "deprecated left out", "dropped": "dropped by choice", "lines": "lines",
    "duplicate_lines": "  duplicate", "empty_cells": "  empty cells", "triples": "triples",
    "unsatisfiable": "unsatisfiable",
}  # fmt: skip


@click.command(no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@ontology_options
@layout_options([name for name in LAYOUTS if name != Layout.CSV.value])
def describe(files: tuple[str, ...], layout: Layout, **options: Any) -> None:
    """Say what is in each ontology: size, shape, labels, oddities.

    FILE is OWL, RDFS, SKOS, OBO or a table of edges in any common syntax, plain or compressed; - is stdin.

    \b
    Examples:
      ontoeval describe gold.owl learned.ttl
      ontoeval describe thesaurus.rdf.gz --lang en --json
      ontoeval describe go.obo --relation part_of --below GO:0008150
      ontoeval describe edges.tsv --columns parent,child
    """
    from ontoeval.load import load_ontology

    found = []
    for file in files:
        with progress_on_stderr(file) as progress:
            found.append(load_ontology(file, progress=progress, **options).describe())
    if layout is Layout.JSON:
        click.echo(json.dumps({"ontologies": found}, indent=2, ensure_ascii=False))
        return
    from ontoeval.tables import render, short_names

    header = ["", *short_names([entry["source"] for entry in found])]
    rows = []
    for key, title in _TABLE.items():
        cells = [entry.get(key) for entry in found]
        if any(cell is not None for cell in cells):
            rows.append([title, *cells])
        if key == "labels":
            rows += _language_rows(found)
    if layout is not Layout.TABLE:
        rows = [[str(row[0]).strip(), *row[1:]] for row in rows]
    title = "What is in it" if len(found) == 1 else "What is in them"
    click.echo(render(title, header, rows, layout), nl=False)
    for entry, name in zip(found, header[1:], strict=True):
        for line in _remarks(entry):
            click.echo(f"{name}: {line}", err=layout is not Layout.TABLE)


def _language_rows(found: Sequence[dict[str, Any]]) -> list[list[Any]]:
    languages = sorted({language for entry in found for language in entry["languages"]})
    counts = {language: [entry["languages"].get(language, 0) for entry in found] for language in languages}
    shown = sorted(languages, key=lambda language: (-sum(counts[language]), language))[:12]
    rows: list[list[Any]] = [[f"  {language or 'no language'}", *counts[language]] for language in shown]
    rest = [language for language in languages if language not in shown]
    if rest:
        sums = [sum(counts[language][i] for language in rest) for i in range(len(found))]
        rows.append([f"  {len(rest)} more languages", *sums])
    return rows


def _remarks(entry: dict[str, Any]) -> Iterator[str]:
    for path in entry["cycles"]:
        shown = path if len(path) <= 9 else [*path[:4], "...", *path[-4:]]
        yield "cycle: " + " < ".join(shown)
    if entry["cycle_count"] > len(entry["cycles"]):
        yield f"and {entry['cycle_count'] - len(entry['cycles'])} more cycles"
    for iri in entry["unresolved_imports"]:
        yield f"import not resolved: {iri} (give it with --import FILE)"
    yield from entry["notes"]
