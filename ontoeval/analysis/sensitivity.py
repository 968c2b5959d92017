"""`sensitivity`: default measures, amounts, runs; `Sensitivity`: its tables and JSON (the changes: edit/perturb.py)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ontoeval.edit.perturb import Amount, Perturbation
from ontoeval.errors import Message, MissingInputError, ParameterError, Spelling
from ontoeval.evaluation import Measures, NamedMeasure, named_measures
from ontoeval.matching import matcher
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score, plain
from ontoeval.tables import Cell, Layout, frame, render
from ontoeval.tasks.comparison import Comparison

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[int, int], None]  # gets how many comparisons are done, of how many
Perturbations = Iterable[str] | Mapping[str, Iterable[Amount]]

RUNS = 10
MATCH = "iri"
POINTS = 6
# default measures: every instance sits on one concept; instances may sit on several; there are no instances
STRICT_MEASURES = ("H_s", "H_s(weight=w2)", "ITP", "ITR", "EOR", "EOR(delta=tree)")
MULTIPLE_MEASURES = ("ITP", "ITR", "ITF", "EOR", "EOR(delta=tree)")
CONCEPT_MEASURES = ("LF", "TF_csc", "TF_sc", "EdgeF")
# Bade & Benz, section 4, for their tree (`synthetic.even_tree`)
BADE_BENZ: Mapping[str, tuple[Amount, ...]] = {
    "cut-depth": (5, 4, 3, 2, 1, 0),
    "insert-empty": (0, 10, 20, 30, 41),
    "remove-level:3": (0, 3, 6, 9, 12, 15, 18),
    "remove-level:5": (0, 3, 6, 9, 12, 15, 18),
    "move-instances": ("0%", "10%", "20%", "30%", "40%", "50%"),
    "move-nodes": (0, 20, 40, 60, 80, 95),
}


@dataclass(frozen=True)
class Row:
    """A measure at one point of a curve."""

    perturbation: Perturbation
    amount: int
    measure: str  # as the user wrote it
    values: tuple[float, ...]  # of the runs in which it is defined
    undefined: tuple[str, ...]  # why it is not, for each other run
    certain: bool  # nothing in it is random, so one run is enough

    @property
    def mean(self) -> float:
        """Of the runs in which it is defined; nan without any."""
        return float(np.mean(self.values)) if self.values else math.nan

    @property
    def sd(self) -> float | None:
        """Standard deviation (n - 1); None if there are too few runs to tell."""
        if self.certain:
            return 0.0 if self.values else None
        if len(self.values) < 2 or not np.all(np.isfinite(self.values)):
            return None
        return float(np.std(self.values, ddof=1))

    def spelled(self, spelling: Spelling) -> Row:
        """The same row, with parameters in the reasons as the reader writes them."""
        reasons = (text.text(spelling) if isinstance(text, Message) else text for text in self.undefined)
        return replace(self, undefined=tuple(reasons))

    def to_dict(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"mean": plain(self.mean), "sd": self.sd, "n": len(self.values)}
        entry["values"] = [plain(value) for value in self.values]
        if self.undefined:
            entry["undefined"] = dict(sorted(Counter(self.undefined).items()))
        return entry


@dataclass(frozen=True, eq=False)
class Curve:
    """The scores of all measures under one perturbation."""

    perturbation: Perturbation
    available: int  # the greatest amount
    amounts: tuple[int, ...]  # from doing nothing on
    rows: tuple[Row, ...]  # amount by amount

    @property
    def title(self) -> str:
        level = self.perturbation.level
        return {
            "cut-depth": "concepts below a depth removed",
            "insert-empty": "empty concepts inserted",
            "remove-level": f"concepts of level {level} removed",
            "move-instances": "instances moved",
            "move-nodes": "concepts moved",
            "remove-concepts": "concepts removed",
            "rename-concepts": "concepts renamed",
            "use-synonyms": "preferred labels replaced by synonyms",
        }[self.perturbation.kind]

    @property
    def axis(self) -> str:
        """What the amounts are."""
        if self.perturbation.kind == "cut-depth":
            return "greatest depth kept"
        return f"out of {self.available:,}" + " possible" * (self.perturbation.kind == "insert-empty")

    def of(self, measure: str) -> tuple[Row, ...]:
        """The curve of one measure."""
        return tuple(row for row in self.rows if row.measure == measure)

    def to_dict(self) -> dict[str, Any]:
        points = [
            {"amount": amount, "scores": {row.measure: row.to_dict() for row in self.rows if row.amount == amount}}
            for amount in self.amounts
        ]
        return {
            "perturbation": self.perturbation.kind,
            "level": self.perturbation.level,
            "title": self.title,
            "available": self.available,
            "points": points,
        }


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Curves of measures under perturbations of one ontology, and all that is needed to repeat them."""

    ontology: Ontology
    measures: tuple[str, ...]
    curves: tuple[Curve, ...]
    runs: int
    seed: int
    match: str = MATCH  # how the concepts of a copy are found in the original

    def __repr__(self) -> str:
        return f"<Sensitivity: {len(self.measures)} measures under {len(self.curves)} perturbations>"

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """One for each perturbation, amount and measure."""
        return tuple(row for curve in self.curves for row in curve.rows)

    def spelled(self, spelling: Spelling) -> Sensitivity:
        """The same curves, with the parameters that undefined scores name as the reader writes them."""
        curves = (replace(curve, rows=tuple(row.spelled(spelling) for row in curve.rows)) for curve in self.curves)
        return replace(self, curves=tuple(curves))

    def to_dict(self) -> dict[str, Any]:
        """For JSON: full precision, undefined means null with the reasons."""
        instances = self.ontology.instances
        return {
            "ontology": self.ontology.source.path,
            "concepts": len(self.ontology.hierarchy),
            "instances": 0 if instances is None else len(instances),
            "measures": list(self.measures),
            "runs": self.runs,
            "seed": self.seed,
            "match": self.match,
            "perturbations": [curve.to_dict() for curve in self.curves],
        }

    def render(self, layout: Layout | str = Layout.TABLE, *, precision: int = 3) -> str:
        """Means: a table for each perturbation, or one with a column for it; TSV and CSV have all, one row a mean."""
        layout = Layout.named(layout)
        if not layout.for_people:
            header, cells = self._exact()
            return render("", header, cells, layout)
        if layout is Layout.TABLE:
            return "\n".join(
                render(
                    f"{title_with_letter(place, curve) if len(self.curves) > 1 else curve.title} ({curve.axis})",
                    ["amount" if curve.perturbation.kind != "cut-depth" else "depth", *self.measures],
                    list(self._lines(curve)),
                    layout,
                    precision=precision,
                )
                for place, curve in enumerate(self.curves)
            )
        lines = [[str(curve.perturbation), *line] for curve in self.curves for line in self._lines(curve)]
        return render("", ["damage", "amount", *self.measures], lines, layout, precision=precision)

    def _lines(self, curve: Curve) -> Iterator[list[Cell]]:
        for amount in curve.amounts:
            means = [row.mean for row in curve.rows if row.amount == amount]
            yield [amount, *(None if math.isnan(mean) else mean for mean in means)]

    def _exact(self) -> tuple[list[str], list[list[Cell]]]:
        header = ["perturbation", "level", "amount", "measure", "mean", "sd", "n", "undefined"]
        return header, [
            [
                row.perturbation.kind,
                row.perturbation.level,
                row.amount,
                row.measure,
                None if math.isnan(row.mean) else row.mean,
                row.sd,
                len(row.values),
                len(row.undefined),
            ]
            for row in self.rows
        ]

    def to_frame(self) -> pd.DataFrame:
        """One row per perturbation, amount and measure as a pandas DataFrame."""
        header, rows = self._exact()
        records = [dict(zip(header, row, strict=True)) for row in rows]
        return frame(records, [str(row.perturbation) for row in self.rows], "curve")

    def _repr_html_(self) -> str:
        return self.render(Layout.HTML)


def title_with_letter(place: int, curve: Curve) -> str:
    """`a  cut below depth`, as the paper counts its settings."""
    letter = chr(ord("a") + place) if place < 26 else str(place + 1)
    return f"{letter}  {curve.title}"


def sensitivity(
    ontology: Ontology,
    measures: Measures | None = None,
    perturbations: Perturbations | None = None,
    *,
    runs: int = RUNS,
    seed: int = 0,
    points: int = POINTS,
    match: str = MATCH,
    progress: Progress | None = None,
) -> Sensitivity:
    """Compare perturbed copies of an ontology with itself: the copy is the learned one.

    perturbations: {"remove-level:3": [0, 5, "10%"]} or texts such as "remove-level:3=0,5,10%" (see `perturb`). Without
    amounts there are up to `points`, from doing nothing to a lot: cutting level by level, one half that moves, all that
    can be inserted, removed or renamed. Without perturbations there are those of Bade & Benz: cut, insert, remove on a
    middle and on a low level, move instances (if there are any), move concepts.
    measures: any on a Comparison. With instances by default H_s, H_s(weight=w2), ITP, ITR, EOR and EOR(delta=tree),
    without LF, TF_csc, TF_sc and EdgeF.
    match: a chain of `ontoeval.match`, by default "iri". Under "use-synonyms" a match by "preferred" shows what a
    learner loses that calls concepts by other names, one by "label" what is found again.

    Run r = 0, 1, ... is `perturb(..., seed=seed + r)`, the same for all amounts; what is not random is done once.

    Examples
    --------
    >>> import ontoeval as oe
    >>> gold = oe.load_ontology("fixtures/dellschaft2006/or2.ttl")
    >>> curves = oe.sensitivity(gold, ["LR"], {"remove-concepts": [0, 1]}, runs=2)
    >>> curves.to_frame().shape[0] > 0
    True
    """
    _check_count("runs", runs, 1)
    _check_count("seed", seed, 0)
    _check_count("points", points, 2)
    selected = _measures(ontology, measures)
    settings = list(_settings(ontology, perturbations, points))
    work = [len(_seeds(ontology, how, amount, runs, seed)) for how, amounts in settings for amount in amounts]
    done, curves = 0, []
    for how, amounts in settings:
        rows = []
        for amount in amounts:
            scores: list[list[Score]] = [[] for _ in selected]
            for run_seed in _seeds(ontology, how, amount, runs, seed):
                if progress is not None:
                    progress(done, sum(work))
                task = _task(how.apply(ontology, amount, run_seed), ontology, match)
                for scores_of_measure, (_, measure) in zip(scores, selected, strict=True):
                    scores_of_measure.append(measure(task))
                done += 1
            rows += [
                _row(how, amount, name, scores_of_measure, how.certain(ontology, amount))
                for (name, _), scores_of_measure in zip(selected, scores, strict=True)
            ]
        curves.append(Curve(how, how.available(ontology), tuple(amounts), tuple(rows)))
    return Sensitivity(ontology, tuple(name for name, _ in selected), tuple(curves), int(runs), int(seed), match)


def _check_count(parameter: str, value: int, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ParameterError(f"{parameter} must be a whole number >= {least}, not {value!r}", parameter=parameter)


def _task(learned: Ontology, gold: Ontology, by: str) -> Comparison:
    return Comparison(learned, gold, matcher.match(learned, gold, by))


def _seeds(ontology: Ontology, how: Perturbation, amount: int, runs: int, seed: int) -> range:
    return range(seed, seed + (1 if how.certain(ontology, amount) else runs))


def _row(how: Perturbation, amount: int, name: str, scores: Sequence[Score], certain: bool) -> Row:
    return Row(
        how,
        amount,
        name,
        tuple(float(score.value) for score in scores if score.undefined is None),
        tuple(score.undefined for score in scores if score.undefined is not None),
        certain,
    )


def _measures(ontology: Ontology, measures: Measures | None) -> Sequence[NamedMeasure]:
    instances = ontology.instances
    if measures is None:
        measures = CONCEPT_MEASURES if instances is None else MULTIPLE_MEASURES
        if instances is not None and instances.strict:
            measures = STRICT_MEASURES
    selected = named_measures(measures, Comparison)
    if not selected:
        raise ParameterError(
            "no measures", advice="Name one such as 'TF_csc', or remove {measures}.", parameter="measures"
        )
    for name, measure in selected:
        if instances is None and "instances" in measure.definition.needs:
            raise MissingInputError(
                f"{name} needs instances, but {ontology.source.path} has none",
                advice="Set {instances=FILE}, or choose other measures.",
                parameter="measures",
            )
    return selected


def _settings(
    ontology: Ontology, perturbations: Perturbations | None, points: int
) -> Iterator[tuple[Perturbation, list[int]]]:
    """Each perturbation with its amounts, from doing nothing on."""
    if perturbations is None:
        for how in _usual(ontology):
            yield how, _amounts(ontology, how, points)
        return
    amounts_of: dict[Perturbation, list[Amount] | None] = {}
    if isinstance(perturbations, str):
        perturbations = [perturbations]
    entries = perturbations.items() if isinstance(perturbations, Mapping) else map(read_setting, perturbations)
    for name, amounts in entries:
        how = Perturbation.named(name)
        if how in amounts_of:
            raise ParameterError(
                f"{name!r} is set twice",
                advice=f"Set all its amounts at once: {name}=0,5,10.",
                parameter="perturbations",
            )
        amounts_of[how] = None if amounts is None else list(amounts)
    if not amounts_of:
        raise ParameterError(
            "no kind of damage",
            advice="Name one such as 'move-nodes', or remove {perturbations}.",
            parameter="perturbations",
        )
    for how, amounts_given in amounts_of.items():
        if amounts_given is None:
            yield how, _amounts(ontology, how, points)
        else:
            numbers = {how.number(ontology, amount) for amount in amounts_given}
            if not numbers:
                raise ParameterError(
                    f"{how} has no amounts",
                    advice=f"Use e.g. {how}=0,1,2, or remove '='.",
                    parameter="perturbations",
                )
            yield how, sorted(numbers, reverse=how.kind == "cut-depth")


def read_setting(text: str) -> tuple[str, list[Amount] | None]:
    """NAME[:LEVEL][=AMOUNTS]; None: no amounts are given."""
    name, equals, amounts = text.partition("=")
    if not equals:
        return name.strip(), None
    return name.strip(), [amount.strip() for amount in amounts.split(",") if amount.strip()]


def _usual(ontology: Ontology) -> Iterator[Perturbation]:
    """The settings of Bade & Benz that are possible with this ontology.

    Concepts are removed from the middle level, and from the level below it that has most concepts.
    """
    levels = np.bincount(ontology.hierarchy.steps_down)
    deepest = len(levels) - 1
    middle = (deepest + 1) // 2
    usual = [Perturbation("cut-depth"), Perturbation("insert-empty")]
    if middle:
        usual.append(Perturbation("remove-level", middle))
    if deepest > middle:
        low = max(range(middle + 1, deepest + 1), key=lambda level: (levels[level], level))
        usual.append(Perturbation("remove-level", low))
    if ontology.instances is not None:
        usual.append(Perturbation("move-instances"))
    possible = [how for how in (*usual, Perturbation("move-nodes")) if how.available(ontology)]
    if not possible:
        raise ParameterError(
            "the ontology is too small for any kind of damage",
            place=ontology.source.path,
            advice="Use a larger one.",
            parameter="ontology",
        )
    yield from possible


def _amounts(ontology: Ontology, how: Perturbation, points: int) -> list[int]:
    """Evenly spread, from doing nothing to the greatest amount (of moves to one half)."""
    available = how.available(ontology)
    if how.kind == "cut-depth":
        least = int(ontology.hierarchy.root_added)
        return sorted({round(x) for x in np.linspace(least, max(available, least), points)}, reverse=True)
    most = math.floor(available / 2 + 0.5) if how.kind.startswith("move") else available
    return sorted({math.floor(x + 0.5) for x in np.linspace(0, most, points)})
