"""`write_plot`: figure by the type of the result (drawn: correlation.py, sensitivity.py; suffixes: style.py)."""

from __future__ import annotations

from pathlib import Path

from ontoeval.analysis.human_agreement import HumanAgreement
from ontoeval.analysis.sensitivity import Sensitivity
from ontoeval.report.figures.correlation import figure_of_points
from ontoeval.report.figures.sensitivity import figure_of_curves
from ontoeval.report.figures.style import FORMATS, check_plot, write_figure

__all__ = ["FORMATS", "check_plot", "write_plot"]


def write_plot(result: HumanAgreement | Sensitivity, path: str | Path) -> None:
    """Draw a result as SVG or PNG by the suffix; the same data gives the same bytes.

    An agreement: one panel for each measure, with Pearson's r and the line of least squares; up is always more alike,
    so the axis of a distance is turned round. If they are few, the points are labelled with their words.
    Curves: one panel for each perturbation, a line for each measure through its means, a standard deviation around it.
    """
    kind = check_plot(path)
    if isinstance(result, Sensitivity):
        write_figure(lambda: figure_of_curves(result), path, kind)
    else:
        write_figure(lambda: figure_of_points(result), path, kind)
