"""Which instances sit where: by the triples of a file, or by a table or mapping instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from ontoeval.errors import LoadError
from ontoeval.load import terms
from ontoeval.load.input import open_input
from ontoeval.load.ontologies.build import Choices, known_names
from ontoeval.load.ontologies.columns import Columns
from ontoeval.load.ontologies.edge_table import read_instances
from ontoeval.load.ontologies.facts import Facts
from ontoeval.model.instances import Assigned, assigned_rows
from ontoeval.model.ontology import Source


def place_instances(columns: Columns, instance_property: str | None, keys: Sequence[str] = ()) -> None:
    """Individuals by rdf:type, documents by dct:subject or a given property, and their values of `keys`."""
    facts = columns.facts
    names = list(facts.names)
    for kind, members in columns.types.items():
        number = facts.names.get(kind)
        if number is not None:
            facts.instances.extend((names[member], number, 1.0) for member in members)
    about = [terms.SUBJECT] + ([instance_property] if instance_property else [])
    for document, concept in columns.of(*about):
        if not names[document].startswith("_:"):
            facts.instances.append((names[document], concept, 1.0))
    for key in keys:  # the first that an instance has counts
        for node, value in _smallest(columns.values.get(key, ())).items():
            facts.instance_keys.setdefault(names[node], value)


def _smallest(values: Iterable[tuple[int, str]]) -> dict[int, str]:
    """The smallest value of each node; an empty one is none."""
    found: dict[int, str] = {}
    for node, text in values:
        value = text.strip()
        if value and (node not in found or value < found[node]):
            found[node] = value
    return found


def given_instances(
    facts: Facts, choices: Choices, instances: str | Path | Assigned, *, lenient: bool, max_size: int
) -> Source | None:
    """Instances from a table or mapping take the place of the file's own; a key of the file does not name them.

    Gives where they come from, if that is a file.
    """
    source = None
    if isinstance(instances, Mapping):
        path = "(instances)"
        rows = list(assigned_rows(instances))
        names, concepts, strengths = [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]
    else:
        with closing(open_input(instances, limit=max_size)) as given:
            path, source = given.name, Source(given.name, "tsv", sha256=given.sha256)
            names, concepts, strengths = read_instances(given, lenient=lenient)
    number = known_names(facts, choices)
    known = [(i, number[c], s) for i, c, s in zip(names, concepts, strengths, strict=True) if c in number]
    if not names:
        raise LoadError("there is no instance in it. Give lines of instance, concept[, strength].", path=path)
    if not known:
        raise LoadError(
            f"none of its {len(names)} lines names a concept of the ontology (the first: {concepts[0]!r}). "
            "Give the columns instance, concept[, strength].",
            path=path,
        )
    if len(known) < len(names):
        unknown = next(concept for concept in concepts if concept not in number)
        facts.notes.append(
            f"{path}: {len(names) - len(known)} of {len(names)} lines name no concept of the ontology "
            f"(the first: {unknown!r})"
        )
    facts.instances, facts.instance_keys = known, {}
    facts.own_instances = False
    return source
