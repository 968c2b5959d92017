"""`ScoreRows`: what figures of scores are made of, single runs with intervals or groups with deviations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ontoeval.analysis.groups import GroupedTable
from ontoeval.errors import printable
from ontoeval.measures import Measure
from ontoeval.measures.registry import precision_and_recall
from ontoeval.report.figures.marks import Intervals, Point
from ontoeval.report.score_tables import shown_measures
from ontoeval.results import ResultTable
from ontoeval.tables import Value

INTERVALS = "95% bootstrap intervals"
DEVIATIONS = "mean ± standard deviation of the runs of a system"


class Estimate(NamedTuple):
    """A value, and the ends of an interval around it if there is one."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def is_finite(self) -> bool:
        return math.isfinite(self.value)

    def text(self) -> str:
        """For descriptions."""
        interval = "" if self.low is None or self.high is None else f" [{self.low:.3f}, {self.high:.3f}]"
        return f"{self.value:.3f}{interval}"


@dataclass(frozen=True, eq=False)
class ScoreRows:
    """Rows (runs, or groups of them) with an estimate for each measure; None where a score is undefined."""

    names: tuple[str, ...]
    columns: Mapping[str, tuple[Estimate | None, ...]]  # by the name of the measure
    measures: Mapping[str, Measure]
    shown: tuple[str, ...]  # the measures that a table has as columns
    against: str = ""  # the gold standard
    bars: str = INTERVALS  # what the intervals are
    what: str = "runs"  # what the rows are

    @property
    def title(self) -> str:
        """Whose scores they are."""
        rows = self.names[0] if len(self.names) == 1 else f"{len(self.names)} {self.what}"
        return f"{rows} against {self.against}" if self.against else rows

    def notes(self) -> tuple[str, ...]:
        """What the bars are, if there are any."""
        estimates = (estimate for column in self.columns.values() for estimate in column)
        return (f"Bars: {self.bars}.",) if any(e is not None and e.low is not None for e in estimates) else ()


class PrecisionRecall(NamedTuple):
    """The names of two measures, and what they are about."""

    title: str
    precision: str
    recall: str
    f: str | None  # the F-measure, if it was computed


def score_rows(table: ResultTable) -> ScoreRows:
    """The scores of single runs with their intervals, or the means of systems with their deviations."""
    columns = {name: tuple(map(_estimate, table.column(name))) for name in table.measures}
    bars = DEVIATIONS if isinstance(table, GroupedTable) else INTERVALS
    measures = {score.name: score.measure for result in table.results for score in result.scores}
    against = ", ".join(dict.fromkeys(source.path.rpartition("/")[2] for source in table.results[0].against[:1]))
    shown = tuple(shown_measures(table.results, default=True))
    what = "systems" if isinstance(table, GroupedTable) else "runs"
    return ScoreRows(tuple(map(printable, table.rows)), columns, measures, shown, printable(against), bars, what)


def _estimate(value: Value | None) -> Estimate | None:
    if value is None:
        return None
    if value.sd is not None:
        return Estimate(value.number, value.number - value.sd, value.number + value.sd)
    return Estimate(value.number, *(value.interval or ()))


def precisions_and_recalls(measures: Mapping[str, Measure]) -> list[PrecisionRecall]:
    """The precision and recall of each F-measure, and those that come without it."""
    pairs: list[PrecisionRecall] = []
    for name, measure in measures.items():
        parts = [_name_of(measures, part) for part in precision_and_recall(measure)]
        if len(parts) == 2 and parts[0] is not None and parts[1] is not None:
            family = measure.family
            pairs.append(PrecisionRecall(family.word if family else name, parts[0], parts[1], name))
    used = {name for pair in pairs for name in pair[1:]}
    for name, recall in _without_f(measures):
        if name not in used and recall not in used:
            pairs.append(PrecisionRecall(f"{name}, {recall}", name, recall, None))
    return pairs


def _name_of(measures: Mapping[str, Measure], measure: Measure) -> str | None:
    return next((name for name, other in measures.items() if other == measure), None)


def _without_f(measures: Mapping[str, Measure]) -> Iterator[tuple[str, str]]:
    """Each precision and its recall; their names differ in the last letter."""
    for name, measure in measures.items():
        bare = measure.registry.bare(measure.definition.function).name
        known = {definition.name: definition for definition in measure.registry}
        recall = known.get(f"{bare[:-1]}R") if bare.endswith("P") else None
        if recall is not None and recall.parameters.keys() >= measure.parameters.keys():
            other = _name_of(measures, measure.registry.make(recall, measure.parameters))
            if other is not None:
                yield name, other


def interval_marks(estimates: Sequence[tuple[Estimate, Estimate]]) -> Intervals:
    """Of estimates of x and y: a line for each that has an interval."""
    ends: list[tuple[Point, Point]] = []
    for x, y in estimates:
        if x.low is not None and x.high is not None:
            ends.append(((x.low, y.value), (x.high, y.value)))
        if y.low is not None and y.high is not None:
            ends.append(((x.value, y.low), (x.value, y.high)))
    return Intervals(tuple(ends))
