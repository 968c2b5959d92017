"""Steps of `ontoeval correlate` (values, table: analysis/human_agreement.py; remarks: report/human_agreement.py)."""

from __future__ import annotations

from typing import Any

from ontoeval.analysis import human_agreement
from ontoeval.analysis.relate import concept_measure
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import note
from ontoeval.cli.steps.checks import file_layout, measure_names
from ontoeval.cli.steps.inputs import check_stdin, read_ontology_with_counts
from ontoeval.cli.steps.output import FIGURES
from ontoeval.cli.steps.printing import json_text, status_on_stderr
from ontoeval.cli.steps.storing import Storing
from ontoeval.errors import MissingInputError
from ontoeval.load import load_pairs
from ontoeval.output import write_text
from ontoeval.report import human_agreement as report
from ontoeval.report.figures import check_figure_file, write_figure
from ontoeval.tables import Layout


def correlate(rated: str, source: str, measures: tuple[str, ...], counts: str | None, digits: int, senses: Any,
              with_confidence: bool, rounds: int | None, seed: int, local: str | None, layout: Layout, **options: Any) -> None:  # fmt: skip
    """Look the pairs up, correlate; then write and print."""
    storing = Storing(options, own=FIGURES)
    (system,) = storing.names_for(1)
    names = measure_names(measures)
    for name in names:
        concept_measure(name)  # refused before anything is loaded
    pairs_layout = None if local is None else file_layout(local, "--local")
    for plot in storing.outputs.of(*FIGURES):
        check_figure_file(plot)
    check_stdin(rated, source, counts)
    table = load_pairs(rated)
    if table.ratings is None:
        raise MissingInputError("no ratings found", place=rated, advice="Add a third column of numbers.")
    ontology = read_ontology_with_counts(source, counts, options)
    with status_on_stderr() as status:
        agreement = human_agreement.agree(
            ontology, table, names or None, senses=senses, confidence=0.95 if with_confidence else None,
            rounds=rounds or human_agreement.ROUNDS, seed=seed, system=system, progress=status,
        )  # fmt: skip
    values = None if pairs_layout is None else report.pair_values(agreement, pairs_layout)

    def text(layout: Layout) -> str:
        return json_text(agreement.to_dict()) if layout is Layout.JSON else report.table(agreement, layout, digits)

    def write_others() -> None:
        for plot in storing.outputs.of(*FIGURES):
            write_figure(agreement, plot)
        if local is not None and values is not None:
            write_text(local, values)
        storing.write([agreement.result])

    storing.outputs.write(text, layout, write_others)
    for line in report.remarks(agreement, option_spelling):
        note(line)
