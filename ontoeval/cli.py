"""The commands: parse, call the library, print."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from ontoeval.errors import OntoevalError

Command = TypeVar("Command", bound=Callable[..., Any])
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class _Commands(click.Group):
    """The one place where our errors become a line on stderr and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OntoevalError as error:
            if ctx.params.get("debug"):
                raise
            click.echo(f"error: {error}", err=True)
            ctx.exit(1)
        except MemoryError:
            if ctx.params.get("debug"):
                raise
            click.echo("error: not enough memory. Take a part of the file with --below or --namespace.", err=True)
            ctx.exit(1)
        except BrokenPipeError:
            sys.stderr.close()  # whoever read our output has had enough
            ctx.exit(0)


@click.group(cls=_Commands, context_settings=_CONTEXT)
@click.version_option(package_name="ontoeval-toolkit", prog_name="ontoeval")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def main(debug: bool) -> None:
    """How good is a learned ontology? Measures for OWL, SKOS and OBO against a gold standard."""


def ontology_options(command: Command) -> Command:
    """The options of every command that loads an ontology."""
    for option in reversed(_ONTOLOGY_OPTIONS):
        command = option(command)
    return command


def _size(context: click.Context, parameter: click.Parameter, value: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", value, re.IGNORECASE)
    if not match:
        raise click.BadParameter(f"{value!r} is no size. Give bytes, or for instance 500M or 8G.")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def _weights(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, Any] | None:
    result = {}
    for value in values:
        kind, equals, number = value.partition("=")
        if not equals:
            raise click.BadParameter(f"{value!r} is no KIND=NUMBER. For instance: related=2.")
        result[kind.strip()] = number.strip()
    return result or None  # the library checks the numbers


_ONTOLOGY_OPTIONS = [
    click.option("--input-format", "format", metavar="NAME", help="Format of the files, if the content does not tell it."),
    click.option("--profile", type=click.Choice(["auto", "owl", "skos"]), default="auto", show_default=True,
                 help="Which side of a file that has both classes and SKOS concepts."),
    click.option("--root", default="auto", show_default=True, metavar="auto|new|none|IRI",
                 help="The root: the single top or an added one, an added one in any case, none, or a concept."),
    click.option("--on-cycle", type=click.Choice(["keep", "error"]), default="keep", show_default=True,
                 help="Keep cycles (their concepts are each other's ancestors) or refuse them."),
    click.option("--weight", "weights", multiple=True, metavar="KIND=NUMBER", callback=_weights,
                 help="Weight of hierarchical, related or synonym edges (1, 1, 0)."),
    click.option("--lang", "language", metavar="TAG", help="Labels in this language: en takes en, en-GB, then none."),
    click.option("--reason", type=click.Choice(["hermit", "elk"]), help="Use the inferred hierarchy. HermiT needs Java."),
    click.option("--reason-timeout", type=click.FloatRange(min=0, min_open=True), default=600, show_default=True,
                 metavar="SECONDS", help="Stop a reasoner after this time."),
    click.option("--import", "imports", multiple=True, type=click.Path(), metavar="FILE",
                 help="Add a file's triples, or look owl:imports up in a folder or catalog-v001.xml."),
    click.option("--relation", "relations", multiple=True, metavar="IRI",
                 help="A further transitive relation whose links count as subclass links, e.g. part_of."),
    click.option("--namespace", "namespaces", multiple=True, metavar="PREFIX",
                 help="Keep the concepts whose IRI starts so (or of an OBO namespace)."),
    click.option("--below", metavar="IRI", help="Keep this concept and all below it."),
    click.option("--scheme", metavar="IRI", help="Keep the concepts of one SKOS concept scheme."),
    click.option("--deprecated", is_flag=True, help="Keep deprecated and obsolete concepts."),
    click.option("--transitive", is_flag=True, help="Count skos:broaderTransitive and narrowerTransitive."),
    click.option("--mappings", is_flag=True, help="Count skos:broadMatch and narrowMatch."),
    click.option("--close-match", is_flag=True, help="Count skos:closeMatch as synonym."),
    click.option("--instances", metavar="FILE", help="TSV: instance, concept[, strength]."),
    click.option("--instance-property", metavar="IRI", help="Property from a document to its concepts, besides dct:subject."),
    click.option("--columns", metavar="NAMES", help="Order of a TSV's columns, e.g. parent,child or child,parent,label."),
    click.option("--base-iri", metavar="IRI", help="Base of relative IRIs."),
    click.option("--lenient", is_flag=True, help="Read slightly broken files, too, and note what was wrong."),
    click.option("--max-size", default="4G", show_default=True, metavar="SIZE", callback=_size,
                 help="Refuse files that unpack to more."),
]  # fmt: skip


@contextmanager
def progress_on_stderr(label: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """A progress bar for long loads, if somebody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


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


@main.command(no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@ontology_options
@click.option("--format", "layout", type=click.Choice(["table", "json", "tsv", "markdown", "latex"]), default="table",
              show_default=True, help="How to print the result.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def describe(files: tuple[str, ...], layout: Any, as_json: bool, **options: Any) -> None:
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
    if as_json or layout == "json":
        click.echo(json.dumps({"ontologies": found}, indent=2, ensure_ascii=False))
        return
    from ontoeval.render import render

    header = ["", *_short_names([entry["source"] for entry in found])]
    rows = []
    for key, title in _TABLE.items():
        cells = [entry.get(key) for entry in found]
        if any(cell is not None for cell in cells):
            rows.append([title, *cells])
        if key == "labels":
            rows += _language_rows(found)
    if layout != "table":
        rows = [[str(row[0]).strip(), *row[1:]] for row in rows]
    title = "What is in it" if len(found) == 1 else "What is in them"
    click.echo(render(title, header, rows, layout), nl=False)
    for entry, name in zip(found, header[1:], strict=True):
        for line in _remarks(entry):
            click.echo(f"{name}: {line}", err=layout != "table")


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


def _short_names(paths: Sequence[str]) -> list[str]:
    """File names; as much of the path as it takes to tell them apart."""
    for depth in range(1, 20):
        names = ["/".join(path.split("/")[-depth:]) for path in paths]
        if len(set(names)) == len(set(paths)):
            return names
    return list(paths)
