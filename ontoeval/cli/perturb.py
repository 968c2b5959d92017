"""`ontoeval perturb`: options and steps (suffixes: rdf/ontology_writer.py; changes: edit/perturb.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ontoeval.cli.inputs import read_ontology_with_notes
from ontoeval.cli.options import ontology_options
from ontoeval.cli.printing import echo_json, echo_notes
from ontoeval.edit.perturb import KINDS, Perturbation
from ontoeval.errors import OntoevalError, ParameterError
from ontoeval.files import check_writable
from ontoeval.rdf.ontology_writer import check_output, write_ontology
from ontoeval.report import perturbation as report

_KINDS = tuple(kind.replace("-", "_") for kind in KINDS)


@click.command(no_args_is_help=True)
@click.argument("ontology", metavar="ONT")
@click.option("--cut-depth", metavar="D", help="Remove the concepts deeper than D; their instances go up.")
@click.option(
    "--insert-empty", metavar="K", help="Insert K empty concepts, each over two children of one with three or more."
)
@click.option(
    "--remove-level",
    metavar="L K",
    nargs=2,
    help="Remove K concepts of level L; children and instances go to the parents.",
)
@click.option("--move-instances", metavar="K", help="Move K instances to another concept, never the root.")
@click.option(
    "--move-nodes", metavar="K", help="Move K concepts, with instances and without children, below another one."
)
@click.option("--remove-concepts", metavar="K", help="Remove K concepts; children and instances go to the parents.")
@click.option("--rename-concepts", metavar="K", help="Give K concepts a new name in place of all their labels.")
@click.option(
    "--use-synonyms", metavar="K", help="Make a synonym of K concepts their preferred label, and give them a new name."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the random choice.")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="What to write: .ttl, .nt, .owl, .rdf, .xml (RDF/XML) or .tsv (edges).",
)
@click.option(
    "--instances-output", metavar="FILE", help="Write the instances to a table of their own (TSV), as .tsv needs it."
)
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
@ontology_options
def perturb(ontology: str, seed: int, output: str, instances_output: str | None, as_json: bool, **options: Any) -> None:
    """Change an ontology at random and write it, to see how measures react.

    Exactly one kind of change. K is a number or a share such as 10%. The level of a concept is the fewest edges from
    the root, which is on level 0. The same file and seed give the same result, and a greater K does the same and more.
    The first five kinds are those of Bade & Benz, section 4; `ontoeval sensitivity` runs all of them. The last three
    damage the vocabulary and not the structure, as Dellschaft & Staab, section 3, ask of a test of measures: what is
    left of the concepts keeps its order. After --use-synonyms a match by IRI, name or preferred label does not find
    the concepts, one by any label (--match label) can.

    \b
    Examples:
      ontoeval perturb gold.ttl --cut-depth 3 -o cut.ttl
      ontoeval perturb gold.owl --move-nodes 10% --seed 7 -o moved.owl
      ontoeval perturb gold.ttl --remove-level 2 5 -o flatter.nt
      ontoeval perturb thesaurus.ttl --use-synonyms 20% -o learned.ttl
      ontoeval perturb edges.tsv --instances places.tsv --move-instances 100 -o out.tsv --instances-output out-places.tsv
    """
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
    if as_json:
        files = {"output": output, "instances_output": instances_output, "left_out": list(left_out)}
        echo_json({"ontology": ontology, **change, **files})
    echo_notes(output, [report.summary(change), *left_out])


def _perturbation(values: dict[str, Any]) -> tuple[Perturbation, str]:
    """The one kind of change, and its amount."""
    kinds = [kind for kind, value in values.items() if value is not None]
    options = [f"--{kind.replace('_', '-')}" for kind in (kinds or values)]
    if len(kinds) != 1:
        several = f"{' and '.join(options)} are {len(kinds)} kinds of change"
        advice = "Give one of them." if kinds else f"Give one of {', '.join(options)}."
        raise ParameterError(several if kinds else "no kind of change is given", advice=advice)
    value = values[kinds[0]]
    kind = kinds[0].replace("_", "-")
    if kind == "remove-level":
        return Perturbation.named(f"{kind}:{value[0].strip()}"), value[1]
    return Perturbation(kind), value


def _check_files(sources: tuple[str | None, ...], output: str, instances_output: str | None) -> None:
    check_output(output)
    for path in (output, instances_output):
        if path is not None:
            check_writable(path)
            if any(_same(path, source) for source in sources if source is not None):
                problem = "this is a file to read, which is never changed"
                raise ParameterError(problem, place=path, advice="Give another name.")
    if instances_output is not None and Path(instances_output).absolute() == Path(output).absolute():
        problem = "this is given twice, for the edges and for the instances"
        raise ParameterError(problem, place=output, advice="Give two names.")


def _same(one: str, other: str) -> bool:
    return Path(one).exists() and Path(other).exists() and Path(one).samefile(other)
