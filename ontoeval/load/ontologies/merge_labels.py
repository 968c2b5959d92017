"""`merge_near_duplicates`: concepts whose labels differ only in case or punctuation become one in `Facts`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontoeval.errors import Message, number_of
from ontoeval.load.ontologies.facts import Facts
from ontoeval.matching.near_duplicates import Alike, LabelRow, near_duplicates
from ontoeval.model.arrays import BoolArray
from ontoeval.model.lexicon import LABEL_TO_SHOW, ROLES, name_as_label

_TO_SHOW = tuple(ROLES[role] for role in LABEL_TO_SHOW)


def merge_near_duplicates(facts: Facts, alike: Alike, concepts: BoolArray) -> None:
    """Merge, of the names that are concepts, those whose labels are alike; a note says how many.

    The concept with the smallest name stands for all. It gets their links, labels, instances and so on; their names
    become former names of it, and links between them are left out. Where several concepts have the same label, nothing
    tells which of them is meant: they are left.
    """
    names = list(facts.names)
    rows = list(_labels_to_show(facts, names, concepts))
    groups = near_duplicates(rows, alike)
    clear = [group for group in groups if len({row.text for row in group}) == len(group)]
    new = _representatives([[row.concept for row in group] for group in clear], names)
    if len(clear) < len(groups):
        unclear = number_of(len(groups) - len(clear), "group of labels", "groups of labels")
        facts.notes.append(f"not merged: {unclear} in which several concepts have the same label")
    if new:
        _add_names_as_labels(facts, new, names, labelled=set(facts.labelled))
        left_out = _redirect(facts, new, names)
        merged = number_of(len(new), "concept", "concepts")
        between = f"; left out: {number_of(left_out, 'link', 'links')} between merged concepts" if left_out else ""
        facts.notes.append(
            Message(f"merged: {merged} with the same label as another ({{merge_labels={alike}}}){between}")
        )


def _labels_to_show(facts: Facts, names: list[str], concepts: BoolArray) -> Iterator[LabelRow]:
    """The labels of the first of these roles that a concept has; its name if it has no label at all."""
    first: dict[int, int] = {}
    for concept, role in zip(facts.labelled, facts.roles, strict=True):
        rank = _TO_SHOW.index(role) if role in _TO_SHOW else len(_TO_SHOW)
        first[concept] = min(rank, first.get(concept, rank))
    for concept, text, language, role in zip(facts.labelled, facts.texts, facts.languages, facts.roles, strict=True):
        if concepts[concept] and role in _TO_SHOW[first[concept] : first[concept] + 1]:
            yield LabelRow(concept, text, language)
    for concept in np.flatnonzero(concepts).tolist():
        if concept not in first:
            yield LabelRow(concept, name_as_label(names[concept]), "")


def _representatives(groups: list[list[int]], names: list[str]) -> dict[int, int]:
    """Concept -> the one with the smallest name of all that it is joined with, if that is another one."""
    above: dict[int, int] = {}

    def top(concept: int) -> int:
        while concept in above:
            concept = above[concept]
        return concept

    for group in groups:
        least, *others = sorted({top(concept) for concept in group}, key=names.__getitem__)
        above.update(dict.fromkeys(others, least))
    return {concept: top(concept) for concept in above}


def _add_names_as_labels(facts: Facts, new: dict[int, int], names: list[str], labelled: set[int]) -> None:
    """The name that stands in for a missing label stays one, also of the concept that gets labels of others."""
    for concept in sorted({*new, *new.values()} - labelled):
        facts.label(concept, name_as_label(names[concept]), "", "preferred")


def _redirect(facts: Facts, new: dict[int, int], names: list[str]) -> int:
    """Put the merged concepts in the place of theirs wherever they are; the number of links between them."""
    links = len(facts.children) + len(facts.related) + len(facts.synonyms) + len(facts.equivalent)

    def one(concept: int) -> int:
        return new.get(concept, concept)

    def apart(left: int, right: int) -> bool:  # a link of a concept to itself is the file's
        return left == right or one(left) != one(right)

    upwards = [
        row
        for row in zip(facts.children, facts.parents, facts.weights, facts.properties, strict=True)
        if apart(row[0], row[1])
    ]
    facts.children, facts.parents = [one(row[0]) for row in upwards], [one(row[1]) for row in upwards]
    facts.weights, facts.properties = [row[2] for row in upwards], [row[3] for row in upwards]
    for column in (facts.related, facts.synonyms):
        column[:] = [
            link._replace(left=one(link.left), right=one(link.right)) for link in column if apart(link.left, link.right)
        ]
    facts.equivalent = [(one(left), one(right)) for left, right in facts.equivalent if apart(left, right)]
    facts.relations = [(one(subject), property, one(value)) for subject, property, value in facts.relations]
    facts.concepts = [one(concept) for concept in facts.concepts]
    facts.roles = [
        "alternative" if concept in new and role in _TO_SHOW else role
        for concept, role in zip(facts.labelled, facts.roles, strict=True)
    ]
    facts.labelled = [one(concept) for concept in facts.labelled]
    facts.instances = [(instance, one(concept), strength) for instance, concept, strength in facts.instances]
    facts.only_mapped -= {*new, *(kept for concept, kept in new.items() if concept not in facts.only_mapped)}
    facts.senses = {word: list(dict.fromkeys(map(one, concepts))) for word, concepts in facts.senses.items()}
    facts.namespaces = {one(concept): space for concept, space in facts.namespaces.items()} | {
        concept: space for concept, space in facts.namespaces.items() if concept not in new
    }
    if facts.scheme_members is not None:
        facts.scheme_members = {one(concept) for concept in facts.scheme_members}
    current = {names[concept]: names[kept] for concept, kept in new.items()}
    facts.aliases = {old: current.get(name, name) for old, name in facts.aliases.items()} | current
    facts.claims = [(old, current.get(name, name)) for old, name in facts.claims]
    return links - len(facts.children) - len(facts.related) - len(facts.synonyms) - len(facts.equivalent)
