"""Figures: `write_figure` of results; one description of marks (marks.py), written as .svg, .pdf or .png."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ontoeval.analysis.groups import GroupedTable
from ontoeval.analysis.human_agreement import HumanAgreement
from ontoeval.analysis.sensitivity import Sensitivity
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.files import replacing
from ontoeval.measures import Measure
from ontoeval.report.figures.correlation import correlation_figure
from ontoeval.report.figures.dots import dots_figure
from ontoeval.report.figures.histogram import histogram_figure
from ontoeval.report.figures.layout import lay_out
from ontoeval.report.figures.marks import Figure
from ontoeval.report.figures.matplotlib import check_matplotlib, write_drawing
from ontoeval.report.figures.precision_recall import precision_recall_figure
from ontoeval.report.figures.scores import precisions_and_recalls, score_rows
from ontoeval.report.figures.sensitivity import sensitivity_figure
from ontoeval.report.figures.svg import svg_text
from ontoeval.report.figures.thresholds import learners, threshold_figure
from ontoeval.results import EvaluationResult, ResultTable

FORMATS = (".svg", ".pdf", ".png")
FIGURES = ("pr", "dots", "hist", "curve")  # of scores; other results have one figure each

Drawable = EvaluationResult | ResultTable | Sequence[EvaluationResult] | HumanAgreement | Sensitivity


def check_figure_file(path: str | Path) -> str:
    """The format by the suffix; an error if it is not that of a figure, or what writes it is not installed."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        ending = f"unknown suffix {Path(path).suffix!r}" if suffix else "no suffix"
        advice = f"Use one of: {' '.join(FORMATS)}."
        raise ParameterError(ending, place=str(path), advice=advice, parameter="path")
    if suffix != ".svg":
        check_matplotlib()
    return suffix.removeprefix(".")


def write_figure(results: Drawable, path: str | Path, figure: str | None = None) -> None:
    """Draw results as .svg, .pdf or .png, by the suffix; the same results give the same bytes.

    `figure`, of one or several evaluations: "pr" (precision against recall), "dots" (each score with its interval),
    "hist" (local scores), "curve" (scores over thresholds of confidence); by default that of `default_figure`.
    """
    kind = check_figure_file(path)
    drawing = lay_out(figure_of(results, figure))
    with replacing(path) as place:
        if kind == "svg":
            place.write_text(svg_text(drawing), encoding="utf-8", newline="\n")
        else:
            write_drawing(drawing, place, kind)


def figure_of(results: Drawable, figure: str | None = None) -> Figure:
    """The description of a figure; an error that says which there are if the results do not have it."""
    if isinstance(results, HumanAgreement | Sensitivity):
        if figure is not None:
            raise _no_figure(figure, "these results have one figure only", [])
        return correlation_figure(results) if isinstance(results, HumanAgreement) else sensitivity_figure(results)
    table = _table(results)
    measures = [score.measure for result in table.results for score in result.scores]
    is_grouped = isinstance(table, GroupedTable)
    has_thresholds = not is_grouped and bool(learners(table))
    if figure is None:
        figure = default_figure(measures, has_thresholds=has_thresholds, is_grouped=is_grouped)
    check_figure(figure, measures, has_thresholds=has_thresholds, is_grouped=is_grouped)
    if figure == "curve":
        return threshold_figure(table)
    if figure == "hist":
        histogram = histogram_figure(table)
        if histogram is None:
            others = [name for name in possible_figures(measures, has_thresholds=has_thresholds) if name != "hist"]
            raise _no_figure("hist", "no measure has local scores", others)
        return histogram
    return precision_recall_figure(score_rows(table)) if figure == "pr" else dots_figure(score_rows(table))


def _table(results: EvaluationResult | ResultTable | Sequence[EvaluationResult]) -> ResultTable:
    if isinstance(results, ResultTable):
        table = results
    else:
        table = ResultTable([results] if isinstance(results, EvaluationResult) else list(results))
    if not table.results:
        raise MissingInputError("no results to draw", advice="Evaluate something first.")
    return table


def possible_figures(measures: Iterable[Measure], *, has_thresholds: bool, is_grouped: bool = False) -> list[str]:
    """What can be drawn of such scores; of "hist" only the scores themselves tell."""
    has_pairs = bool(precisions_and_recalls({str(measure): measure for measure in measures}))
    if is_grouped:  # means of several runs, which may be close to each other
        return ["dots", *["pr"] * has_pairs]
    return [*["pr"] * has_pairs, "dots", "hist", *["curve"] * has_thresholds]


def default_figure(measures: Iterable[Measure], *, has_thresholds: bool, is_grouped: bool = False) -> str:
    """Curve if there are several thresholds, dots of systems, pr if there are precision and recall, else dots."""
    possible = possible_figures(measures, has_thresholds=has_thresholds, is_grouped=is_grouped)
    return "curve" if has_thresholds else possible[0]


def check_figure(figure: str, measures: Sequence[Measure], *, has_thresholds: bool, is_grouped: bool = False) -> None:
    """ParameterError unless such scores can be drawn so."""
    if figure not in FIGURES:
        raise ParameterError(
            f"{figure!r} is not a figure", advice=f"Use one of: {', '.join(FIGURES)}.", parameter="figure"
        )
    possible = possible_figures(measures, has_thresholds=has_thresholds, is_grouped=is_grouped)
    if figure not in possible:
        if is_grouped and figure in ("hist", "curve"):
            raise _no_figure(figure, "it shows single runs, not systems of several", possible)
        lack = {
            "pr": "it needs precision and recall among the measures",
            "curve": "it needs several thresholds of confidence",
        }
        raise _no_figure(figure, lack[figure], possible)


def _no_figure(figure: str, reason: str, others: Sequence[str]) -> ParameterError:
    advice = f"Use one of: {', '.join(others)}." if others else "Remove {figure}."
    return ParameterError(f"no figure {figure!r}: {reason}", advice=advice, parameter="figure")
