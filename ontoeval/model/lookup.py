"""From what people call a concept to the concept."""

from __future__ import annotations

from ontoeval.errors import UnknownConceptError, did_you_mean, listed
from ontoeval.model.lexicon import is_iri, local_name
from ontoeval.model.ontology import Ontology

_SUGGEST_BELOW = 50_000  # labels; looking for similar ones among more takes seconds


def meanings(ontology: Ontology, name: str) -> tuple[int, ...]:
    """The concepts that an IRI, a CURIE, a former IRI, a local name or a label can mean.

    An IRI means one. A word has several meanings where several concepts are called so, in the order of use if the file
    tells it, as WordNet does. UnknownConceptError if there is none.
    """
    found = possible_meanings(ontology, name)
    if not found:
        few = len(ontology.lexicon) < _SUGGEST_BELOW
        iris = ontology.hierarchy.iris[int(ontology.hierarchy.root_added) :]
        hint = did_you_mean(name, iris) or did_you_mean(name, dict.fromkeys(ontology.lexicon.texts)) if few else ""
        raise UnknownConceptError(f"unknown concept {name!r}.", advice=hint.strip() or None, parameter="name")
    return found


def possible_meanings(ontology: Ontology, name: str) -> tuple[int, ...]:
    """The same, and nothing if there is none: no time goes into what else may have been meant.

    A root that was added is no concept, whatever it is called.
    """
    hierarchy = ontology.hierarchy
    if name in hierarchy:
        found: tuple[int, ...] = (hierarchy.id(name),)
    elif name in ontology.aliases:
        found = (hierarchy.id(ontology.aliases[name]),)
    else:
        found = _named(ontology, name) or _prefixed(ontology, name)
    return tuple(concept for concept in found if concept) if hierarchy.root_added else found


def find_concept(ontology: Ontology, name: str) -> int:
    """The one concept of a name; UnknownConceptError if there are none or several."""
    found = meanings(ontology, name)
    if len(found) > 1:
        raise UnknownConceptError(
            f"{len(found)} concepts of {_file(ontology)} are called {name!r}: "
            f"{listed(ontology.hierarchy.iris[concept] for concept in found)}. Give the IRI."
        )
    return found[0]


def resolved(ontology: Ontology, name: str) -> int | None:
    """The one concept of a name, or None."""
    found = possible_meanings(ontology, name)
    return found[0] if len(found) == 1 else None


def may_be_called(ontology: Ontology, name: str) -> bool:
    """True if a concept, or several, have this name or label."""
    return name in ontology.aliases or bool(_named(ontology, name))


def _file(ontology: Ontology) -> str:
    return ontology.source.path


def _named(ontology: Ontology, name: str) -> tuple[int, ...]:
    return ontology.named(name) or ontology.named(name.replace(":", "_", 1))  # GO:0008150 is .../GO_0008150


def _prefixed(ontology: Ontology, name: str) -> tuple[int, ...]:
    """The concepts of a CURIE: those of its local name, and of several those with the prefix in their namespace."""
    prefix, colon, local = name.partition(":")
    if not colon or is_iri(name) or not local:
        return ()
    iris = ontology.hierarchy.iris
    called = [concept for concept in ontology.named(local) if local_name(iris[concept]) == local]
    inside = [c for c in called if prefix.casefold() in iris[c].removesuffix(local).casefold()]
    return tuple(inside or called)
