"""Steps of `ontoeval perturb` (suffixes: rdf/ontology_writer.py; changes: edit/perturb.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ontoeval.cli.steps.inputs import read_ontology_with_notes
from ontoeval.cli.steps.printing import echo_json, echo_notes
from ontoeval.edit.perturb import KINDS, Perturbation
from ontoeval.errors import OntoevalError, ParameterError
from ontoeval.files import check_writable
from ontoeval.rdf.ontology_writer import check_output, write_ontology
from ontoeval.report import perturbation as report
from ontoeval.tables import Layout

_KINDS = tuple(kind.replace("-", "_") for kind in KINDS)


def perturb(
    ontology: str, seed: int, output: str, instances_output: str | None, layout: Layout, **options: Any
) -> None:
    """Damage a copy and write it."""
    perturbation, amount = _perturbation({kind: options.pop(kind) for kind in _KINDS})
    _check_files((ontology, options["instances"]), output, instances_output)
    before = read_ontology_with_notes(ontology, options)
    number = perturbation.number(before, amount)
    after = perturbation.apply(before, number, seed)
    try:
        left_out = write_ontology(after, output, instances=instances_output)
    except OntoevalError as error:  # --instances is what to read
        error.advice = (error.advice or "").replace("{instances", "{instances_output")
        raise
    change = report.document(before, after, perturbation, number, seed)
    if layout is Layout.JSON:
        files = {"output": output, "instances_output": instances_output, "left_out": list(left_out)}
        echo_json({"ontology": ontology, **change, **files})
    echo_notes(output, [report.summary(change), *left_out])


def _perturbation(values: dict[str, Any]) -> tuple[Perturbation, str]:
    """The one kind of change, and its amount."""
    kinds = [kind for kind, value in values.items() if value is not None]
    options = [f"--{kind.replace('_', '-')}" for kind in (kinds or values)]
    if len(kinds) != 1:
        names = ", ".join(options)
        several, none = f"more than one kind of damage: {names}. Keep one.", f"no kind of damage. Use one of: {names}."
        raise click.UsageError(several if kinds else none)
    value = values[kinds[0]]
    kind = kinds[0].replace("_", "-")
    if kind == "remove-level":
        try:
            return Perturbation.named(f"{kind}:{value[0].strip()}"), value[1]
        except ParameterError as error:
            raise ParameterError(error.problem, advice="Use e.g. --remove-level 3 10.", parameter="level") from error
    return Perturbation(kind), value


def _check_files(sources: tuple[str | None, ...], output: str, instances_output: str | None) -> None:
    check_output(output)
    for path in (output, instances_output):
        if path is not None:
            check_writable(path)
            if any(_same(path, source) for source in sources if source is not None):
                problem = "this is an input file, which is never changed"
                raise ParameterError(problem, place=path, advice="Choose another path.")
    if instances_output is not None and Path(instances_output).absolute() == Path(output).absolute():
        raise click.UsageError(f"{output}: named twice, for the links and for the instances. Use two files.")


def _same(one: str, other: str) -> bool:
    return Path(one).exists() and Path(other).exists() and Path(one).samefile(other)
