"""`listed_concepts`, `concept_or_individual`, `with_named_counts`: names as IRIs, counts (lookup: model/lookup.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ontoeval.errors import LoadError, OntoevalError, UnknownConceptError, listed
from ontoeval.model.individuals import Individuals
from ontoeval.model.lookup import find_concept, is_alternative_label, meanings, possible_meanings
from ontoeval.model.ontology import Ontology

_CORRECT = "Correct or remove it."


def concept_in_line(ontology: Ontology, name: str, path: str, line: int, *, first: bool = False) -> str:
    """The IRI of the one concept (or individual) of a name in a file; `first`: of several the first one."""
    try:
        return concept_or_individual(ontology, name, first=first)
    except UnknownConceptError as error:
        raise LoadError(error.problem, advice=_and_correct(error), path=path, line=line) from None


def concept_or_individual(ontology: Ontology, name: str, *, first: bool = False) -> str:
    """The IRI of the one concept of a name, or of the individual if no concept is called so; `first`: of several."""
    individuals = () if possible_meanings(ontology, name) else Individuals.of(ontology).named(name)
    if len(individuals) > 1 and not first:
        raise UnknownConceptError(
            f"{len(individuals)} individuals of {ontology.source.path} have the name {name!r}: {listed(individuals)}",
            advice="Use the IRI.",
        )
    if individuals:
        return individuals[0]
    concept = meanings(ontology, name)[0] if first else find_concept(ontology, name)
    return ontology.hierarchy.iris[concept]


def is_known(ontology: Ontology, name: str) -> bool:
    """True if a concept or an individual is called so."""
    return bool(possible_meanings(ontology, name) or Individuals.of(ontology).named(name))


def listed_concepts(
    ontology: Ontology, names: Sequence[tuple[int, str]], path: str, *, first: bool, skip_unknown: bool
) -> tuple[list[str], list[tuple[int, str]]]:
    """The IRIs of what a list (line, name) names, each once, and the names that are unknown and were left out."""
    skipped = [(line, name) for line, name in names if skip_unknown and not is_known(ontology, name)]
    left_out = set(skipped)
    known = [(line, name) for line, name in names if (line, name) not in left_out]
    iris = dict.fromkeys(concept_in_line(ontology, name, path, line, first=first) for line, name in known)
    _refuse_alternative_labels(ontology, known, path, first=first)
    return list(iris), skipped


def _refuse_alternative_labels(ontology: Ontology, names: Sequence[tuple[int, str]], path: str, *, first: bool) -> None:
    """Refuse a weight of altLabel: a list is one of concepts, by whichever terms."""
    for line, name in names if ontology.weights.label else ():
        concept = meanings(ontology, name)[0] if first else find_concept(ontology, name)
        if is_alternative_label(ontology, name, concept):
            raise LoadError(
                f"{name!r} is an altLabel, but a weight for altLabel needs pairs of terms",
                advice="Remove altLabel from {weights}, or use pairs.",
                parameter="weights",
                path=path,
                line=line,
            )


def refuse_no_concepts(ontology: Ontology, concepts: Sequence[str], path: str) -> None:
    """Refuse a list of which no concept is left."""
    if not concepts:
        raise LoadError(f"none of its concepts is in {ontology.source.path}", advice="Check {ontology}.", path=path)


def with_named_counts(ontology: Ontology, counts: Mapping[str, float], path: str) -> Ontology:
    """The ontology with the counts of a file (name -> count); those of names that mean one concept add up."""
    totals: dict[str, float] = {}
    for name, count in counts.items():
        try:
            iri = ontology.hierarchy.iris[find_concept(ontology, name)]
        except UnknownConceptError as error:
            raise UnknownConceptError(error.problem, place=path, advice=_and_correct(error)) from None
        totals[iri] = totals.get(iri, 0.0) + count
    return ontology.with_counts(totals)


def _and_correct(error: OntoevalError) -> str:
    return f"{error.advice or ''} {_CORRECT}".strip()
