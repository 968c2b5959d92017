"""Concepts of a name (`find_concept`, `meanings`, `unique_meaning`), errors (what a name means: name_index.py)."""

from __future__ import annotations

from ontoeval.errors import UnknownConceptError, listed
from ontoeval.model.hierarchy import unknown_concept
from ontoeval.model.lexicon import MEANING, ROLES, local_name
from ontoeval.model.ontology import Ontology


def meanings(ontology: Ontology, name: str) -> tuple[int, ...]:
    """The concepts that an IRI, a CURIE, a former IRI, a local name or a label can mean.

    An IRI means one. A word has several meanings where several concepts are called so, in the order of use if the file
    tells it, as WordNet does. UnknownConceptError if there is none.
    """
    concepts = possible_meanings(ontology, name)
    if not concepts:
        raise unknown_concept(name, ontology.names.suggestion(name))
    return concepts


def possible_meanings(ontology: Ontology, name: str) -> tuple[int, ...]:
    """The same, and nothing if there is none: no time goes into what else may have been meant."""
    return ontology.names.find(name)


def find_concept(ontology: Ontology, name: str) -> int:
    """The one concept of a name; UnknownConceptError if there are none or several."""
    concepts = meanings(ontology, name)
    if len(concepts) > 1:
        raise UnknownConceptError(
            f"{len(concepts)} concepts of {ontology.source.path} have the name {name!r}: "
            f"{listed(ontology.hierarchy.iris[concept] for concept in concepts)}",
            advice="Use the IRI.",
        )
    return concepts[0]


def unique_meaning(ontology: Ontology, name: str) -> int | None:
    """The one concept of a name, or None."""
    concepts = possible_meanings(ontology, name)
    return concepts[0] if len(concepts) == 1 else None


def is_alternative_label(ontology: Ontology, name: str, concept: int) -> bool:
    """True if only an altLabel of the concept is this name: no other label, no local name and no (former) IRI is.

    Case counts no more than in a look-up. The other words of a WordNet synset are altLabels, too.
    """
    if name in ontology.hierarchy or name in ontology.aliases:
        return False
    wanted = _ignore_case(name)
    if _ignore_case(local_name(ontology.hierarchy.iris[concept])) == wanted:
        return False
    roles = {entry.role for entry in ontology.lexicon.entries(concept) if _ignore_case(entry.text) == wanted}
    return roles & {ROLES[role] for role in MEANING} == {"alternative"}


def _ignore_case(name: str) -> str:
    return name.casefold().replace("_", " ")
