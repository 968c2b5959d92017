"""Values of options that need the library: names of measures, --fail-under (compared: evaluation.py), --local."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

import click

from ontoeval.cli.spelling import spelled
from ontoeval.cli.state import note, say
from ontoeval.errors import ParameterError
from ontoeval.evaluation import more_is_better, scores_below
from ontoeval.files import check_writable
from ontoeval.measures import current_name, parse
from ontoeval.measures.registry import split_names
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


def limits_of(texts: Sequence[str]) -> dict[str, float]:
    """The values of --fail-under: NAME=VALUE, several with commas; of a name that comes twice the last one counts."""
    return dict(_limit_of(part) for text in texts for part in _COMMA.split(text))


def _limit_of(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        least = float(value)
    except ValueError:
        least = math.nan
    if not name.strip() or math.isnan(least):
        command = click.get_current_context().info_name or ""
        example = {"annotations": "AF", "labels": "LabelF"}.get(command, "TF_csc")
        raise click.UsageError(f"--fail-under: {text!r} is not NAME=VALUE. Use e.g. {example}=0.7.")
    return _current(name.strip()), least


def check_limits(limits: dict[str, float]) -> None:
    """Refuse measures of which more is not better, and limits outside their range."""
    for name, limit in limits.items():
        measure = parse(name)
        if not more_is_better(measure):
            raise ParameterError(f"--fail-under needs a measure for which higher is better, not {name}.")
        least, greatest = measure.range
        if not least <= limit <= greatest:
            raise ParameterError(f"--fail-under {name}={limit:g}: {name} ranges from {least:g} to {greatest:g}.")


def fail_under(results: Sequence[EvaluationResult], limits: dict[str, float]) -> None:
    """End with an exit code of its own if a score is under its limit."""
    missed = scores_below(results, limits)
    for result, name, limit in missed:
        score = result[name]
        value = f"is undefined: {spelled(score.undefined)}" if score.undefined else _shortfall(score.value, limit)
        run = result.settings.get("run", result.system)  # one of several of a system
        say("failed", f"{run}: {name} {value}", github="error")
    if missed:
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
