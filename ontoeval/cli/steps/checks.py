"""Values of options that need the library: names of measures, --fail-under (checked: analysis/), --local."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ontoeval.analysis.score_checks import Check, SavedScores, check_scores, more_is_better
from ontoeval.cli.spelling import spelled
from ontoeval.cli.state import note, say, warning
from ontoeval.errors import ParameterError
from ontoeval.evaluation import NamedMeasure, named_measures
from ontoeval.files import check_writable
from ontoeval.measures import current_name, parse
from ontoeval.measures.names import split_names
from ontoeval.results import EvaluationResult
from ontoeval.tables import Layout

_FOR_PROGRAMS = sorted((layout for layout in Layout if not layout.for_people), key=lambda layout: layout is Layout.JSON)
FILE_LAYOUTS = {f".{layout.value}": layout for layout in _FOR_PROGRAMS}  # suffix -> layout of files of single values
CHECK_FAILED = 3  # exit code if a score is under its limit, or a file does not conform

_COMMA = re.compile(r",(?![^()]*\))")  # not between the parameters of a measure


def measure_names(values: Sequence[str]) -> list[str]:
    """The single names of -m; none if it was not given."""
    names = split_names(values)
    if values and not names:
        raise ParameterError("-m is empty", advice="Name a measure.")
    return [_current(name) for name in names]


def _current(name: str) -> str:
    now = current_name(name)
    if now != name:
        note(f"{name} is now {now}.")
    return now


class Limits:
    """The values of --fail-under: NAME=VALUE, several with commas, and files of saved scores."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Read them; of a name that comes twice the last value counts."""
        files = [text for text in texts if text.lower().endswith(".json")]
        parts = [part for text in texts if text not in files for part in _COMMA.split(text)]
        self.least = dict(map(_limit_of, parts))
        for name, value in self.least.items():
            _check_limit(name, value)
        self.saved = [SavedScores.read(file) for file in files]

    def with_saved(self, measures: Sequence[NamedMeasure], task: type) -> list[NamedMeasure]:
        """The measures, and those of saved scores that are not among them."""
        saved = named_measures([name for saved in self.saved for name in saved.measures], task)
        return [*measures, *((name, one) for name, one in saved if all(one != measure for _, measure in measures))]

    def check(self, results: Sequence[EvaluationResult], least: Mapping[str, float] | None = None) -> list[Check]:
        """Check the results, and warn where saved scores are not comparable; `least`: by the names of the scores."""
        for text in (text for saved in self.saved for text in saved.warnings(results)):
            warning(text)
        against_saved = (check for saved in self.saved for check in saved.checks(results))
        return [*check_scores(results, self.least if least is None else least), *against_saved]


def _limit_of(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        least = float(value)
    except ValueError:
        least = math.nan
    if not name.strip() or math.isnan(least):
        command = click.get_current_context().info_name or ""
        example = {"annotations": "AF", "labels": "LabelF"}.get(command, "TF_csc")
        problem = f"--fail-under: {text!r} is neither NAME=VALUE nor a .json file of saved scores"
        raise click.UsageError(f"{problem}. Use e.g. {example}=0.7.")
    return _current(name.strip()), least


def _check_limit(name: str, limit: float) -> None:
    """Refuse measures of which more is not better, and limits outside their range."""
    measure = parse(name)
    if not more_is_better(measure):
        raise ParameterError(f"--fail-under needs a measure for which higher is better, not {name}.")
    least, greatest = measure.range
    if not least <= limit <= greatest:
        raise ParameterError(f"--fail-under {name}={limit:g}: {name} ranges from {least:g} to {greatest:g}.")


def with_checks(document: dict[str, Any], checks: Sequence[Check]) -> dict[str, Any]:
    """A JSON document with the checks, if there are any."""
    return {**document, "checks": [check.to_dict() for check in checks]} if checks else document


def fail_under(checks: Sequence[Check]) -> None:
    """End with an exit code of its own if a score is under its limit."""
    failed = [check for check in checks if not check.passed]
    for check in failed:
        value = f"is undefined: {spelled(check.undefined)}" if check.undefined else _shortfall(check.value, check.min)
        file = "" if check.file is None else f" ({check.file})"
        say("failed", f"{check.run}: {check.measure} {value}{file}", github="error")
    if failed:
        raise click.exceptions.Exit(CHECK_FAILED)


def _shortfall(value: float, limit: float) -> str:
    """`0.630 < 0.700`, with as many digits as it takes to tell them apart."""
    for digits in range(3, 16):
        texts = f"{value:.{digits}f}", f"{limit:.{digits}f}"
        if texts[0] != texts[1]:
            break
    return " < ".join(texts)


def file_layout(path: str, option: str) -> Layout:
    """The layout of a file of single values, by its suffix; refused before the work begins."""
    suffix = Path(path).suffix.lower()
    if suffix not in FILE_LAYOUTS:
        raise ParameterError(
            f"unknown suffix {suffix!r} of {option}", place=path, advice=f"Use one of: {' '.join(FILE_LAYOUTS)}."
        )
    check_writable(path)
    return FILE_LAYOUTS[suffix]
