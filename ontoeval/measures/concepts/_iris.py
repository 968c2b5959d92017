"""`part_iri`, `concept_iri`: IRIs in the parts that explain values (which of a cycle: `member`, concepts/space.py)."""

from __future__ import annotations

from ontoeval.concepts.space import Space
from ontoeval.model.hierarchy import ROOT_NAME


def part_iri(space: Space, part: int) -> str | None:
    """The IRI that stands for a part; None for none."""
    return None if part < 0 else concept_iri(space, space.member(part))


def concept_iri(space: Space, concept: int) -> str:
    """The IRI of a concept; a root that was added has a name of its own."""
    return ROOT_NAME if space.hierarchy.root_added and not concept else space.hierarchy.iris[concept]
