"""Concepts of a name (`find_concept`, `meanings`, `unique_meaning`), errors (what a name means: name_index.py)."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from ontoeval.errors import UnknownConceptError, listed
from ontoeval.model.hierarchy import unknown_concept
from ontoeval.model.lexicon import MEANING, ROLES, local_name
from ontoeval.model.name_index import SUGGEST_BELOW

if TYPE_CHECKING:
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


def similar_name(ontology: Ontology, name: str) -> str | None:
    """The local name or label most similar to that of `name`; None if none is, or there are too many to look at.

    Numbers are similar to each other without being meant.
    """
    local = local_name(name)
    if len(ontology.lexicon) >= SUGGEST_BELOW or any(character.isdigit() for character in local):
        return None
    iris = ontology.hierarchy.iris[int(ontology.hierarchy.root_added) :]
    for names in (map(local_name, iris), ontology.lexicon.texts):
        close: list[str] = get_close_matches(local, list(dict.fromkeys(names)), n=1, cutoff=0.75)
        if close:
            return close[0]
    return None


def find_property(ontology: Ontology, name: str) -> str | None:
    """The property whose IRI or local name this is, or has as its local name; None if there is none."""
    if name in ontology.property_names:
        return name
    return ontology.properties_by_local_name.get(local_name(name))


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
