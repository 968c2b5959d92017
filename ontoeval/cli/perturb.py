"""`ontoeval perturb`: an ontology spoilt on purpose."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.options import check_place, ontology_options, progress_on_stderr
from ontoeval.cli.spelling import spelled
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.edit.perturb import Perturbation
    from ontoeval.model.ontology import Ontology

_KINDS = ("cut_depth", "insert_empty", "remove_level", "move_instances", "move_nodes")


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
    The kinds are those of Bade & Benz, section 4; `ontoeval sensitivity` runs all of them.

    \b
    Examples:
      ontoeval perturb gold.ttl --cut-depth 3 -o cut.ttl
      ontoeval perturb gold.owl --move-nodes 10% --seed 7 -o moved.owl
      ontoeval perturb gold.ttl --remove-level 2 5 -o flatter.nt
      ontoeval perturb edges.tsv --instances places.tsv --move-instances 100 -o out.tsv --instances-output out-places.tsv
    """
    from ontoeval.load import load_ontology
    from ontoeval.rdf.ontology_writer import write_ontology

    how, amount = _chosen({kind: options.pop(kind) for kind in _KINDS})
    _check_files((ontology, options["instances"]), output, instances_output)
    with progress_on_stderr(ontology) as progress:
        before = load_ontology(ontology, progress=progress, **options)
    for text in before.source.notes:
        click.echo(f"{ontology}: {spelled(text)}", err=True)
    number = how.number(before, amount)
    after = how.applied(before, number, seed)
    left_out = write_ontology(after, output, instances=instances_output)
    done = _summary(before, after, how, number, seed)
    if as_json:
        files = {"output": output, "instances_output": instances_output, "left_out": list(left_out)}
        click.echo(json.dumps({"ontology": ontology, **done, **files}, indent=2, ensure_ascii=False))
    click.echo(f"{output}: {_told(done)}", err=True)
    for text in left_out:
        click.echo(f"{output}: {text}", err=True)


def _chosen(given: dict[str, Any]) -> tuple[Perturbation, str]:
    """The one kind of change, and its amount."""
    from ontoeval.edit.perturb import Perturbation

    named = [kind for kind, value in given.items() if value is not None]
    options = [f"--{kind.replace('_', '-')}" for kind in (named or given)]
    if len(named) != 1:
        several = f"{' and '.join(options)} are {len(named)} kinds of change" if named else "no kind of change is given"
        advice = "Give one of them." if named else f"Give one of {', '.join(options)}."
        raise ParameterError(f"{several}. {advice}")
    value = given[named[0]]
    kind = named[0].replace("_", "-")
    if kind == "remove-level":
        return Perturbation.named(f"{kind}:{value[0].strip()}"), value[1]
    return Perturbation(kind), value


def _check_files(sources: tuple[str | None, ...], output: str, instances_output: str | None) -> None:
    from ontoeval.rdf.ontology_writer import check_output

    check_output(output)
    for path in (output, instances_output):
        if path is not None:
            check_place(path)
            if any(_same(path, source) for source in sources if source is not None):
                raise ParameterError(f"{path}: this is a file to read, which is never changed. Give another name.")
    if instances_output is not None and Path(instances_output).absolute() == Path(output).absolute():
        raise ParameterError(f"{output}: this is given twice, for the edges and for the instances. Give two names.")


def _same(one: str, other: str) -> bool:
    return Path(one).exists() and Path(other).exists() and Path(one).samefile(other)


def _summary(before: Ontology, after: Ontology, how: Perturbation, number: int, seed: int) -> dict[str, Any]:
    sizes = [len(one.hierarchy) - int(one.hierarchy.root_added) for one in (before, after)]
    return {
        "perturbation": how.kind,
        "level": how.level,
        "amount": number,
        "available": how.available(before),
        "seed": None if how.certain(before, number) else seed,
        "concepts": {"before": sizes[0], "after": sizes[1]},
        "instances": {"all": 0 if before.instances is None else len(before.instances), "moved": _moved(before, after)},
    }


def _moved(before: Ontology, after: Ontology) -> int:
    """How many instances do not sit where they did."""
    if before.instances is None or after.instances is None:
        return 0
    rows = zip(_homes(before), _homes(after), strict=True)
    return sum(old != new for old, new in rows)


def _homes(ontology: Ontology) -> list[tuple[str, ...]]:
    """The concepts of each instance, by name."""
    if ontology.instances is None:
        return []
    starts, iris = ontology.instances.strength.indptr.tolist(), ontology.hierarchy.iris
    names = [iris[concept] for concept in ontology.instances.strength.indices.tolist()]
    return [tuple(sorted(names[a:b])) for a, b in pairwise(starts)]


def _told(done: dict[str, Any]) -> str:
    """What was done, in a line."""
    number, available, concepts = done["amount"], done["available"], done["concepts"]
    up = f"; {done['instances']['moved']:,} of {done['instances']['all']:,} instances moved up"
    up = up if done["instances"]["all"] else ""
    gone = concepts["before"] - concepts["after"]
    chance = "" if done["seed"] is None else f" (seed {done['seed']})"
    return {
        "cut-depth": f"removed {gone:,} of {concepts['before']:,} concepts, all below depth {number}{up}",
        "insert-empty": f"inserted {number:,} of {available:,} possible empty concepts{chance}",
        "remove-level": f"removed {number:,} of {available:,} concepts of level {done['level']}{up}{chance}",
        "move-instances": f"moved {number:,} of {available:,} instances{chance}",
        "move-nodes": f"moved {number:,} of {available:,} concepts{chance}",
    }[done["perturbation"]]
