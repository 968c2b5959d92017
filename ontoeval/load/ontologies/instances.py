"""`instances_of_triples`, `replace_instances` (by a table's) in `Facts`; min_strength=, strict_instances=: build.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing

from ontoeval.errors import LoadError, number_of
from ontoeval.load import terms
from ontoeval.load.input import open_input
from ontoeval.load.ontologies.build import concept_names
from ontoeval.load.ontologies.columns import Columns
from ontoeval.load.ontologies.edge_table import read_instances
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.options import LoadOptions
from ontoeval.model.instances import assigned_rows
from ontoeval.model.ontology import Source

_COLUMNS = "Use the columns instance, concept[, strength]."


def instances_of_triples(columns: Columns, options: LoadOptions) -> None:
    """Individuals by rdf:type, documents by dct:subject or a property, and the values that name them instead."""
    facts = columns.facts
    names = list(facts.names)
    for kind, members in columns.types.items():
        number = facts.names.get(kind)
        if number is not None:
            facts.instances.extend((names[member], number, 1.0) for member in members)
    facts.same.extend(
        (names[left], names[right])
        for left, right in columns.pairs_of(terms.SAME_AS)
        if left != right and not names[left].startswith("_:") and not names[right].startswith("_:")
    )
    properties = [terms.SUBJECT] + ([options.instance_property] if options.instance_property else [])
    for document, concept in columns.pairs_of(*properties):
        if not names[document].startswith("_:"):
            facts.instances.append((names[document], concept, 1.0))
    for key in options.instance_key:  # the first that an instance has counts
        for node, value in _smallest(columns.values.get(key, ())).items():
            facts.instance_keys.setdefault(names[node], value)


def _smallest(values: Iterable[tuple[int, str]]) -> dict[int, str]:
    """The smallest value of each node; an empty one is none."""
    smallest: dict[int, str] = {}
    for node, text in values:
        value = text.strip()
        if value and (node not in smallest or value < smallest[node]):
            smallest[node] = value
    return smallest


def replace_instances(facts: Facts, options: LoadOptions) -> Source | None:
    """Put the instances of a table or mapping in the place of the file's; a key of the file does not name them.

    Gives the table as a source, if it is a file.
    """
    source = None
    if isinstance(options.instances, Mapping):
        path = "(instances)"
        rows = list(assigned_rows(options.instances))
        names, concepts, strengths = [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]
    else:
        with closing(open_input(options.instances, limit=options.max_size)) as table:
            path, source = table.name, Source(table.name, "tsv", sha256=table.sha256)
            names, concepts, strengths = read_instances(table, lenient=options.lenient)
    if not names:
        raise LoadError("no instances found", advice=_COLUMNS, path=path)
    index = concept_names(facts, options)
    meant = {name: index.find(name) for name in dict.fromkeys(concepts)}
    table_rows = zip(names, concepts, strengths, strict=True)
    known = [(instance, meant[name][0], strength) for instance, name, strength in table_rows if len(meant[name]) == 1]
    if not known:
        raise LoadError(
            f"no line has a concept of the ontology ({number_of(len(names), 'line', 'lines')}, first: {concepts[0]!r})",
            advice=f"{index.suggestion(concepts[0])} {_COLUMNS}".strip(),
            path=path,
        )
    for problem, is_meant in (("unknown concept", False), ("ambiguous name", True)):
        left_out = [name for name in concepts if bool(meant[name]) == is_meant and len(meant[name]) != 1]
        if left_out:
            facts.notes.append(
                f"{path}: left out: {len(left_out):,} of {len(names):,} lines ({problem}; first: {left_out[0]!r})"
            )
    facts.instances, facts.instance_keys = known, {}
    facts.instances_of_file = False
    return source
