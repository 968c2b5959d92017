"""Steps of `ontoeval sensitivity` (default measures and amounts, tables: analysis/sensitivity.py)."""

from __future__ import annotations

from typing import Any

import click

from ontoeval.analysis import sensitivity as analysis
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import note
from ontoeval.cli.steps.checks import measure_names
from ontoeval.cli.steps.inputs import read_ontology_with_notes
from ontoeval.cli.steps.output import FIGURES, Outputs
from ontoeval.cli.steps.printing import json_text, progress_on_stderr
from ontoeval.edit.perturb import Perturbation
from ontoeval.edit.synthetic import even_tree
from ontoeval.evaluation import named_measures, needs_relations
from ontoeval.model.ontology import Ontology
from ontoeval.report.figures import check_figure_file, write_figure
from ontoeval.report.sensitivity import remarks
from ontoeval.tables import Layout
from ontoeval.tasks.comparison import Comparison


def sensitivity(
    ontology: str | None,
    example: bool,
    per_node: int | None,
    measures: tuple[str, ...],
    perturbations: tuple[str, ...],
    points: int | None,
    runs: int,
    seed: int,
    by: str,
    output: tuple[str, ...],
    digits: int,
    layout: Layout,
    **options: Any,
) -> None:
    """Damage, compare; then write and print."""
    names = measure_names(measures)
    options["other_relations"] |= needs_relations(named_measures(names, Comparison))  # refused before loading
    for setting in perturbations:
        Perturbation.named(analysis.read_setting(setting)[0])
    outputs = Outputs(output, own=FIGURES)
    for plot in outputs.of(*FIGURES):
        check_figure_file(plot)
    original = _ontology(ontology, example, per_node, options)
    usual = analysis.BADE_BENZ if example and points is None else None
    with progress_on_stderr("comparing", counted=True) as progress:
        curves = analysis.sensitivity(
            original, names or None, perturbations or usual, runs=runs, seed=seed, points=points or analysis.POINTS,
            match=by, progress=progress,
        ).spelled(option_spelling)  # fmt: skip

    def text(layout: Layout) -> str:
        return json_text(curves.to_dict()) if layout is Layout.JSON else curves.render(layout, precision=digits)

    def draw() -> None:
        for plot in outputs.of(*FIGURES):
            write_figure(curves, plot)

    outputs.write(text, layout, draw)
    for line in remarks(curves, option_spelling):
        note(line)


def _ontology(path: str | None, example: bool, per_node: int | None, options: dict[str, Any]) -> Ontology:
    if example:
        file = options["instances"] if path is None else path
        if file is not None:
            raise click.UsageError(f"{file}: --example has its own concepts and instances. Remove one of the two.")
        return even_tree(50 if per_node is None else per_node)
    if path is None:
        raise click.UsageError("no ontology. Name a file, or use --example.")
    if per_node is not None:
        raise click.UsageError("--per-node needs --example. Remove --per-node, or use --example.")
    return read_ontology_with_notes(path, options)
