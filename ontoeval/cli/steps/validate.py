"""Steps of `ontoeval validate`: how findings are printed, exit code 3 (rules, engines: rdf/validate/)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ontoeval.cli.steps.checks import CHECK_FAILED
from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import json_text, status_on_stderr
from ontoeval.rdf import validate as rdf_validate
from ontoeval.rdf.validate.shapes import BUILT_IN
from ontoeval.tables import Layout, fold, render, terminal_width


def validate(file: str, shapes: str | None, engine: Any, top: int, format: str | None, output: tuple[str, ...],
             layout: Layout) -> None:  # fmt: skip
    """Check a file and print the findings."""
    outputs = Outputs(output)
    with status_on_stderr() as status:
        if status is not None:
            status(f"checking {file}")
        report = rdf_validate.validate(file, shapes, engine=engine, format=format)

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text(report.to_dict())
        if layout is Layout.TABLE:
            lines = _lines(report, top or len(report.findings))
            return "".join(f"{part}\n" for line in lines for part in fold(line, terminal_width(), indent=2) or [""])
        header = ["severity", "rule", "focus", "label", "value", "message"]
        rows = [[f.severity, f.rule, f.focus, report.labels.get(f.focus, ""), f.value or "", f.message]
                for f in report.findings]  # fmt: skip
        return render("", header, rows, layout)

    outputs.write(text, layout)
    if not report.conforms:
        raise click.exceptions.Exit(CHECK_FAILED)


def _lines(report: rdf_validate.Report, examples: int) -> Iterator[str]:
    """The findings of each rule under what it says."""
    counts = [f"{n:,} {severity}{'s' * (n > 1 and severity != 'info')}" for severity, n in report.counts.items() if n]
    verdict = "conforms to" if report.conforms else "does not conform to"
    shapes = f"the {report.shapes} shapes" if report.shapes in BUILT_IN else f"the shapes in {report.shapes}"
    yield f"{report.source} {verdict} {shapes}: {', '.join(counts) or 'nothing found'}"
    for rule, findings in report.by_rule().items():
        first = findings[0]
        yield ""
        yield f"{first.severity} {rule} ({len(findings):,}): {first.message}"
        for finding in findings[:examples]:
            value = "" if finding.value is None else f": {_with_label(report, finding.value)}"
            yield f"  {_with_label(report, finding.focus)}{value}"
        if len(findings) > examples:
            yield f"  … {len(findings) - examples:,} more (--top 0)"


def _with_label(report: rdf_validate.Report, name: str) -> str:
    label = report.labels.get(name)
    return name if label is None else f"{label} <{name}>"
