"""SKOS triples to facts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ontoeval.errors import LoadError, did_you_mean, listed
from ontoeval.load import terms
from ontoeval.load.ontologies.columns import Columns
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.owl import common_facts


def read_skos(
    columns: Columns,
    *,
    path: str,
    transitive: bool = False,
    mappings: bool = False,
    close_match: bool = False,
    scheme: str | None = None,
    relations: Sequence[str] = (),
) -> Facts:
    """The concepts and their order: broader and narrower are the same edge, read from either end.

    broaderTransitive and narrowerTransitive count if `transitive`, broadMatch and narrowMatch if `mappings`.
    Links by one of `relations` count like broader. Collections and schemes are no concepts.
    """
    facts = columns.facts
    facts.profile = "skos"
    common_facts(columns)
    names = list(facts.names)
    upwards = [terms.BROADER] + [terms.BROADER_TRANSITIVE] * transitive + [terms.BROAD_MATCH] * mappings
    downwards = [terms.NARROWER] + [terms.NARROWER_TRANSITIVE] * transitive + [terms.NARROW_MATCH] * mappings
    no_concept = set(columns.members(terms.SCHEME, *classes_below(columns, terms.COLLECTION), terms.ORDERED_COLLECTION))
    no_concept.update(n for n, name in enumerate(names) if name.startswith(("_:", *terms.BUILT_IN)))
    facts.concepts.extend(c for c in _declared(columns) if c not in no_concept)
    for child, parent in [*columns.of(*upwards, *relations), *((c, p) for p, c in columns.of(*downwards))]:
        if child not in no_concept and parent not in no_concept:
            facts.edge(child, parent)
    facts.related.extend(columns.of(terms.RELATED, terms.RELATED_MATCH))
    facts.synonyms.extend(columns.of(terms.EXACT_MATCH, terms.SAME_AS, *[terms.CLOSE_MATCH] * close_match))
    schemes = sorted(columns.members(terms.SCHEME))
    if facts.iri is None and schemes:
        facts.iri = min(names[s] for s in schemes)
    if scheme is not None:
        facts.part = _members_of(columns, scheme, path)
    return facts


def _declared(columns: Columns) -> Iterator[int]:
    yield from columns.members(*classes_below(columns, terms.CONCEPT))
    yield from (concept for concept, _ in columns.of(terms.TOP_CONCEPT_OF))
    yield from (concept for _, concept in columns.of(terms.HAS_TOP_CONCEPT))


def classes_below(columns: Columns, top: str) -> Collection[str]:
    """`top` and the classes that the file derives from it."""
    names = list(columns.facts.names)
    below: dict[str, list[str]] = {}
    for child, parent in columns.of(terms.SUBCLASS):
        below.setdefault(names[parent], []).append(names[child])
    found = {top}
    waiting = [top]
    while waiting:
        for name in below.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _members_of(columns: Columns, scheme: str, path: str) -> set[int]:
    number = columns.facts.names.get(scheme)
    found = {c for c, s in columns.of(terms.IN_SCHEME, terms.TOP_CONCEPT_OF) if s == number}
    found |= {c for s, c in columns.of(terms.HAS_TOP_CONCEPT) if s == number}
    if found:
        return found
    names = list(columns.facts.names)
    schemes = sorted(
        {names[s] for s in columns.members(terms.SCHEME)} | {names[s] for _, s in columns.of(terms.IN_SCHEME)}
    )
    hint = did_you_mean(scheme, schemes) or f" It has: {listed(schemes)}." if schemes else " It names no scheme at all."
    raise LoadError(f"no concept is in the scheme {scheme!r}.{hint}", path=path)
