"""Scores over thresholds of confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ontoeval.errors import printable
from ontoeval.measures import Measure
from ontoeval.report.figures.marks import (
    INK,
    SECOND,
    SHAPES,
    THIRD,
    Axis,
    Figure,
    Line,
    Mark,
    Panel,
    Points,
    Stroke,
    Tick,
)
from ontoeval.report.figures.scales import value_axis, with_room
from ontoeval.report.figures.scores import (
    Estimate,
    PrecisionRecall,
    ScoreRows,
    interval_marks,
    precisions_and_recalls,
    score_rows,
)
from ontoeval.results import ResultTable
from ontoeval.tables import short_names

_DASHES: tuple[tuple[float, ...], ...] = ((), (4, 2), (1, 1.5), (6, 1.5, 1, 1.5), (2.5, 1.5))
_KINDS = ("precision", "recall", "F")
_STYLES = {
    "precision": (Stroke(SECOND, 0.9, (4, 2)), "square", False),
    "recall": (Stroke(SECOND, 0.9, (1, 1.5)), "triangle", False),
    "F": (Stroke(INK, 1.2), "circle", True),
}


def learners(table: ResultTable) -> dict[str, list[int]]:
    """The places of the runs of each learned ontology, by threshold; only of those with two thresholds or more."""
    places: dict[str, list[int]] = {}
    for place, result in enumerate(table.results):
        if result.judged.min_confidence is not None:
            places.setdefault(result.judged.path, []).append(place)
    several = {path: runs for path, runs in places.items() if len(runs) > 1}
    names = dict(zip(several, short_names(list(several)), strict=True))
    return {names[path]: sorted(runs, key=lambda place: _threshold(table, place)) for path, runs in several.items()}


def _threshold(table: ResultTable, place: int) -> float:
    return table.results[place].judged.min_confidence or 0.0


def threshold_figure(table: ResultTable) -> Figure:
    """Of one learner precision, recall and F of each family; of several a curve each, of F or what else there is."""
    rows, runs = score_rows(table), learners(table)
    thresholds = sorted({_threshold(table, place) for places in runs.values() for place in places})
    low, high = with_room(thresholds[0], thresholds[-1], 0.04)
    x = Axis(low, high, tuple(Tick(t, f"{t:g}") for t in thresholds), "minimum confidence")

    def panel(title: str, subtitle: str, marks: list[Mark], measures: Sequence[Measure]) -> Panel:
        ends = [y for mark in marks if isinstance(mark, Line) for _, y in mark.points]
        return Panel(x, value_axis(ends, measures, grid=True, line=False), tuple(marks), title, subtitle)

    panels = []
    for title, names in _curves(rows, several=len(runs) > 1).items():
        marks: list[Mark] = []
        for number, (learner, places) in enumerate(runs.items()):
            for kind, name in names.items():
                points = [(_threshold(table, place), rows.columns[name][place]) for place in places]
                style, legend = (_STYLES[kind], kind) if len(runs) == 1 else (_style(number), printable(learner))
                marks += _curve(points, *style, legend if len(runs) > 1 or len(names) > 1 else "")
        subtitle = ", ".join(names.values())
        measures = [rows.measures[name] for name in names.values()]
        panels.append(panel(title, "" if subtitle == title else subtitle, marks, measures))
    across = 1 if len(panels) == 1 else 3 if len(panels) in (3, 5, 6) else 2
    return Figure(
        title=f"Scores over the minimum confidence: {', '.join(map(printable, runs))}",
        description=" ".join(_values(table, rows, runs)),
        panels=tuple(panels),
        across=across,
        width=175.0 if across == 3 else 85.0,
        aspect=0.8,
        notes=rows.notes(),
    )


def _style(number: int) -> tuple[Stroke, str, bool]:
    colour = (INK, SECOND, THIRD)[number % 3]
    return Stroke(colour, 1.0, _DASHES[number % len(_DASHES)]), SHAPES[number % len(SHAPES)], number % 2 == 0


def _curves(rows: ScoreRows, *, several: bool) -> dict[str, dict[str, str]]:
    """Title of a panel -> what a curve shows -> the name of the measure."""
    pairs = precisions_and_recalls(rows.measures)
    panels: dict[str, dict[str, str]] = {}
    if several:
        words = {pair.f: pair.title for pair in pairs}
        return {words.get(name, name): {"F": name} for name in rows.shown}
    for pair in pairs:
        panels[pair.title] = _kinds(pair)
    used = {name for pair in pairs for name in pair[1:]}
    return panels | {name: {"F": name} for name in rows.columns if name not in used}


def _kinds(pair: PrecisionRecall) -> dict[str, str]:
    return {kind: name for kind, name in zip(_KINDS, pair[1:], strict=True) if name is not None}


def _curve(
    points: Sequence[tuple[float, Estimate | None]], stroke: Stroke, shape: str, filled: bool, name: str
) -> list[Mark]:
    """Lines from threshold to threshold, with a gap where the score is undefined."""
    marks: list[Mark] = []
    line: list[tuple[float, float]] = []
    for threshold, estimate in [*points, (0.0, None)]:
        if estimate is not None and estimate.is_finite:
            line.append((threshold, estimate.value))
        elif line:
            marks.append(Line(tuple(line), stroke, name))
            line = []
    known = [(t, e) for t, e in points if e is not None and e.is_finite]
    marks.append(interval_marks([(Estimate(t), e) for t, e in known]))
    at = tuple((t, e.value) for t, e in known)
    descriptions = tuple(f"{name} at {t:g}: {e.text()}".strip() for t, e in known)
    return [*marks, Points(at, shape, 1.9, stroke.colour, filled, name=name, descriptions=descriptions)]


def _values(table: ResultTable, rows: ScoreRows, runs: Mapping[str, Sequence[int]]) -> list[str]:
    texts = []
    for learner, places in runs.items():
        for name, column in rows.columns.items():
            estimates = [(_threshold(table, place), column[place]) for place in places]
            values = [f"{t:g}: {'undefined' if e is None else e.text()}" for t, e in estimates]
            texts.append(f"{printable(learner)}, {name} by threshold: {'; '.join(values)}.")
    return texts
