"""What all commands that print scores share: names of measures, limits, local scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ontoeval.errors import ParameterError
from ontoeval.measures.registry import split_names as split_names

if TYPE_CHECKING:
    from ontoeval.results import EvaluationResult

MISSED = 3  # exit code


def limit_of(text: str) -> tuple[str, float]:
    """NAME=VALUE of --fail-under."""
    name, _, value = text.rpartition("=")
    try:
        least = float(value)
    except ValueError:
        least = math.nan
    if not name.strip() or math.isnan(least):
        hint = f"{text!r} is no NAME=VALUE. For instance: TF_csc=0.7."
        raise click.BadParameter(hint, param_hint="--fail-under")
    return name.strip(), least


def check_limits(thresholds: dict[str, float]) -> None:
    """Refuse measures of which more is not better."""
    from ontoeval.measures import parse

    for name in thresholds:
        if parse(name).best != parse(name).range[1]:
            raise ParameterError(f"--fail-under is for measures of which more is better; {name} is none.")


def fail_under(results: Sequence[EvaluationResult], thresholds: dict[str, float]) -> None:
    """End with an exit code of its own if a score is missed."""
    missed = False
    for result in results:
        for name, least in thresholds.items():
            score = result[name]
            if not score.value >= least:  # nan, too
                missed = True
                value = f"undefined: {score.undefined}" if score.undefined else f"{score.value:.4f}, under {least:g}"
                click.echo(f"{result.judged.path}: {name} is {value}", err=True)
    if missed:
        raise click.exceptions.Exit(MISSED)


def local_kind(path: str) -> str:
    """The format of --local, by its suffix."""
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in ("tsv", "csv", "json"):
        raise ParameterError(
            f"{path}: cannot tell the format of --local. Give a name that ends in .tsv, .csv or .json."
        )
    return kind


def local_text(results: Sequence[EvaluationResult], path: str, role: str = "learned") -> str:
    """One row for each thing judged (its role is the first column), measure and concept or document."""
    from ontoeval.tables import render

    header = [role, "measure", "of", "iri", "label", "value"]
    kind = local_kind(path)
    return render("", header, list(_local_rows(results)), kind)


def _local_rows(results: Sequence[EvaluationResult]) -> Iterator[list[Any]]:
    for result in results:
        for score in result.scores:
            if score.local is not None:
                for named in score.local.all():
                    yield [result.judged.path, score.name, score.local.of, *named]
