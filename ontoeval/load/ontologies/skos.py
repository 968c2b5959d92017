"""`read_skos`: broader, narrower, schemes, mappings to `Facts`; `classes_below` (OWL or SKOS: load/pipeline.py)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ontoeval.errors import LoadError, did_you_mean, listed
from ontoeval.load import terms
from ontoeval.load.ontologies.columns import Columns
from ontoeval.load.ontologies.facts import Facts, Link
from ontoeval.load.ontologies.shared_facts import common_facts
from ontoeval.load.options import LoadOptions


def read_skos(columns: Columns, options: LoadOptions, *, path: str) -> Facts:
    """The concepts and their order: broader and narrower are the same edge, read from either end.

    broaderTransitive and narrowerTransitive count with `options.transitive`, broadMatch and narrowMatch with
    `options.mappings`. Links by one of `options.relations` count like broader. Collections and schemes are no concepts.
    """
    facts = columns.facts
    facts.profile = "skos"
    common_facts(columns)
    names = list(facts.names)
    upwards, downwards = [terms.BROADER, *options.relations], [terms.NARROWER]
    if options.transitive:
        upwards.append(terms.BROADER_TRANSITIVE)
        downwards.append(terms.NARROWER_TRANSITIVE)
    if options.mappings:
        upwards.append(terms.BROAD_MATCH)
        downwards.append(terms.NARROW_MATCH)
    synonyms = [terms.EXACT_MATCH, terms.SAME_AS] + [terms.CLOSE_MATCH] * options.close_match
    no_concept = set(columns.members(terms.SCHEME, *classes_below(columns, terms.COLLECTION), terms.ORDERED_COLLECTION))
    no_concept.update(n for n, name in enumerate(names) if name.startswith(("_:", *terms.BUILT_IN)))
    facts.concepts.extend(c for c in _declared_concepts(columns) if c not in no_concept)
    inverted = (Link(child, parent, name) for parent, child, name, _ in columns.links_of(*downwards))
    for child, parent, name, _ in [*columns.links_of(*upwards), *inverted]:
        if child not in no_concept and parent not in no_concept:
            facts.edge(child, parent, property=name)
    if options.mappings:
        facts.only_mapped = _only_mapped(facts)
    facts.related.extend(columns.links_of(terms.RELATED, terms.RELATED_MATCH))
    facts.synonyms.extend(columns.links_of(*synonyms))
    schemes = sorted(columns.members(terms.SCHEME))
    if facts.iri is None and schemes:
        facts.iri = min(names[s] for s in schemes)
    if options.scheme is not None:
        facts.scheme_members = _members_of(columns, options.scheme, path)
    return facts


def _only_mapped(facts: Facts) -> set[int]:
    """The names that are neither declared nor labelled, and in no hierarchical link but broadMatch and narrowMatch."""
    mapped: set[int] = set()
    known = {*facts.concepts, *facts.labelled}
    for child, parent, property in zip(facts.children, facts.parents, facts.properties, strict=True):
        (mapped if property in terms.HIERARCHICAL_MAPPINGS else known).update((child, parent))
    return mapped - known


def _declared_concepts(columns: Columns) -> Iterator[int]:
    yield from columns.members(*classes_below(columns, terms.CONCEPT))
    yield from (concept for concept, _ in columns.pairs_of(terms.TOP_CONCEPT_OF))
    yield from (concept for _, concept in columns.pairs_of(terms.HAS_TOP_CONCEPT))


def classes_below(columns: Columns, top: str) -> Collection[str]:
    """`top` and the classes that the file derives from it."""
    names = list(columns.facts.names)
    below: dict[str, list[str]] = {}
    for child, parent in columns.pairs_of(terms.SUBCLASS):
        below.setdefault(names[parent], []).append(names[child])
    reached = {top}
    pending = [top]
    while pending:
        for name in below.get(pending.pop(), ()):
            if name not in reached:
                reached.add(name)
                pending.append(name)
    return reached


def _members_of(columns: Columns, scheme: str, path: str) -> set[int]:
    number = columns.facts.names.get(scheme)
    members = {c for c, s in columns.pairs_of(terms.IN_SCHEME, terms.TOP_CONCEPT_OF) if s == number}
    members |= {c for s, c in columns.pairs_of(terms.HAS_TOP_CONCEPT) if s == number}
    if members:
        return members
    names = list(columns.facts.names)
    schemes = sorted(
        {names[s] for s in columns.members(terms.SCHEME)} | {names[s] for _, s in columns.pairs_of(terms.IN_SCHEME)}
    )
    hint = (
        did_you_mean(scheme, schemes) or f"Schemes: {listed(schemes)}."
        if schemes
        else "Remove {scheme}: the file has none."
    )
    raise LoadError(f"no concepts in the scheme {scheme!r}", advice=hint.strip(), parameter="scheme", path=path)
