"""`expand`: an OBO id as an IRI; `add_aliases`: alt_ids as former names in `Facts` (of OBO and OBO Graphs)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ontoeval.errors import listed, number_of
from ontoeval.load import terms
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.terms import OBO

NO_CONCEPTS = frozenset({terms.THING, terms.NOTHING})
UNNAMED = OBO + "unnamed"  # two files without an `ontology:` line have to agree on the ids that they share
SPACES = {"owl": terms.OWL}
IRI_SCHEMES = ("http://", "https://", "urn:", "ftp://")
NOT_IN_IRI = {code: f"%{code:02X}" for code in [*range(0x21), *b'"<>\\^`{|}', 0x7F]}


def expand(identifier: str, spaces: Mapping[str, str] = SPACES, ontology: str = UNNAMED) -> str:
    """Return the IRI of an OBO id: prefixed, unprefixed, or an IRI already."""
    prefix, colon, local = identifier.partition(":")
    if identifier.startswith(IRI_SCHEMES):
        iri = identifier
    elif not colon:
        iri = f"{ontology}#{identifier}"
    elif prefix in spaces:
        iri = spaces[prefix] + local
    else:
        iri = f"{OBO}{prefix}_{local}"
    return iri.translate(NOT_IN_IRI)


def add_aliases(facts: Facts, claims: Iterable[tuple[str, int]]) -> None:
    """Take over the `claims` (former IRI, concept); what points at a former IRI then points at its concept.

    A former IRI that is a live concept too (the Disease Ontology has one) was not given up and is no alias.
    """
    iris = list(facts.names)
    live = {iris[concept] for concept in facts.concepts if concept not in facts.deprecated}
    pairs = sorted((alias, iris[concept]) for alias, concept in claims if alias != iris[concept])
    for alias, main in pairs:
        if alias not in live:
            facts.aliases.setdefault(alias, main)
    contradicted = sorted({alias for alias, _ in pairs} & live)
    if contradicted:
        number = number_of(len(contradicted), "alt_id is also a live term", "alt_ids are also live terms")
        facts.notes.append(f"{number}; kept ({listed(alias.rpartition('/')[2] for alias in contradicted)})")
    follow_aliases(facts)


def follow_aliases(facts: Facts) -> None:
    """Let what points at a former IRI point at its concept."""
    moved = {facts.names[a]: facts.names[main] for a, main in facts.aliases.items() if a in facts.names}
    if moved:
        facts.parents = [moved.get(parent, parent) for parent in facts.parents]
        facts.relations = [(s, p, moved.get(value, value)) for s, p, value in facts.relations]
        facts.instances = [(name, moved.get(number, number), strength) for name, number, strength in facts.instances]
