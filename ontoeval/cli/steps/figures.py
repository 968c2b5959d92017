"""`FigureFiles`: the figures of -o, checked before the work begins (drawn: report/figures)."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ontoeval.cli.state import note
from ontoeval.cli.steps.output import FIGURES, Outputs
from ontoeval.measures import Measure
from ontoeval.report.figures import check_figure, check_figure_file, default_figure, possible_figures, write_figure
from ontoeval.results import ResultTable


class FigureFiles:
    """The files of figures, and which figure --figure chooses."""

    def __init__(self, outputs: Outputs, figure: str | None) -> None:
        self.paths, self.figure = outputs.of(*FIGURES), figure
        if figure is not None and not self.paths:
            raise click.UsageError("--figure needs -o FILE.svg, .pdf or .png.")
        for path in self.paths:
            check_figure_file(path)

    def check(self, measures: Sequence[Measure], *, has_thresholds: bool = False, is_grouped: bool = False) -> None:
        """Refuse a figure that scores of these measures do not have."""
        if self.figure is not None:
            check_figure(self.figure, measures, has_thresholds=has_thresholds, is_grouped=is_grouped)
        elif self.paths:
            figure = default_figure(measures, has_thresholds=has_thresholds, is_grouped=is_grouped)
            others = [
                name
                for name in possible_figures(measures, has_thresholds=has_thresholds, is_grouped=is_grouped)
                if name != figure
            ]
            note(f"{', '.join(self.paths)}: figure {figure} (--figure: also {', '.join(others)})")

    def write(self, table: ResultTable) -> None:
        """Draw the results."""
        for path in self.paths:
            write_figure(table, path, self.figure)
