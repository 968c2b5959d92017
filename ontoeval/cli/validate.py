"""`ontoeval validate`: options, how findings are printed, exit code 1 (rules, engines: rdf/validate/)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ontoeval.cli.options import layout_options
from ontoeval.cli.printing import echo_json
from ontoeval.rdf import validate as rdf_validate
from ontoeval.tables import Layout, render


@click.command(no_args_is_help=True)
@click.argument("file", metavar="FILE")
@click.option(
    "--shapes",
    metavar="NAME|FILE",
    help="scores, ontology, corpus (NIF, Web Annotation), or SHACL shapes of your own.  [default: what FILE has]",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "shacl", "native"]),
    default="auto",
    show_default=True,
    help="SHACL as it is written, a fast check of the same built-in rules, or that for big files only.",
)
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="How many findings of each rule a table shows; other formats have all.",
)
@click.option("--input-format", "format", metavar="NAME", help="Format of the file, if the content does not tell it.")
@layout_options()
@click.pass_context
def validate(context: click.Context, file: str, shapes: str | None, engine: Any, examples: int, format: str | None,
             layout: Layout) -> None:  # fmt: skip
    """Check scores, an ontology, annotated documents or any RDF file against SHACL shapes.

    The exit code is 1 if there are violations; warnings alone leave it 0. Nothing is fetched from the web.

    \b
    Examples:
      ontoeval validate scores.trig
      ontoeval validate thesaurus.rdf --examples 20
      ontoeval validate gold.owl --shapes my-shapes.ttl --json
    """
    report = rdf_validate.validate(file, shapes, engine=engine, format=format)
    if layout is Layout.JSON:
        echo_json(report.to_dict())
    elif layout is Layout.TABLE:
        click.echo("\n".join(_lines(report, examples)))
    else:
        header = ["severity", "rule", "focus", "label", "value", "message"]
        rows = [[f.severity, f.rule, f.focus, report.labels.get(f.focus, ""), f.value or "", f.message]
                for f in report.findings]  # fmt: skip
        click.echo(render("", header, rows, layout), nl=False)
    if not report.conforms:
        context.exit(1)


def _lines(report: rdf_validate.Report, examples: int) -> Iterator[str]:
    """The findings of each rule under what it says."""
    counts = [f"{n:,} {severity}{'s' * (n > 1 and severity != 'info')}" for severity, n in report.counts.items() if n]
    verdict = "conforms to" if report.conforms else "does not conform to"
    yield f"{report.source} {verdict} the shapes {report.shapes}: {', '.join(counts) or 'nothing found'}"
    for rule, findings in report.by_rule().items():
        first = findings[0]
        yield ""
        yield f"{first.severity} {rule} ({len(findings):,}): {first.message}"
        for finding in findings[:examples]:
            value = "" if finding.value is None else f": {_with_label(report, finding.value)}"
            yield f"  {_with_label(report, finding.focus)}{value}"
        if len(findings) > examples:
            yield f"  and {len(findings) - examples:,} more (--json lists all)" if examples else "  (--json lists them)"


def _with_label(report: rdf_validate.Report, name: str) -> str:
    label = report.labels.get(name)
    return name if label is None else f"{label} <{name}>"
