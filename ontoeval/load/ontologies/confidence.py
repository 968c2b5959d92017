"""Least confidence (Dellschaft & Staab 2006, section 5.2): leaves out doubtful links, and concepts with no other.

Links are hierarchical, related and synonym ones. Relations other than these are left out by their confidence, too, but
none of them keeps a concept: which concepts there are must not depend on whether relations were read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import compress, product

from ontoeval.errors import LoadError, Message, number_of
from ontoeval.load import terms
from ontoeval.load.ontologies.columns import CONFIDENCE_NAMES, Columns, Pair, PairColumns, confidence_name
from ontoeval.load.ontologies.facts import Facts

# Properties whose statements are links. A link and its inverse are one: narrower is broader the other way round.
_INVERSES = {
    terms.NARROWER: terms.BROADER,
    terms.NARROWER_TRANSITIVE: terms.BROADER_TRANSITIVE,
    terms.NARROW_MATCH: terms.BROAD_MATCH,
}
_SYMMETRIC = {
    terms.EQUIVALENT, terms.SAME_AS, terms.RELATED, terms.RELATED_MATCH, terms.EXACT_MATCH, terms.CLOSE_MATCH,
}  # fmt: skip
_LINKS = {terms.SUBCLASS, terms.DISJOINT_UNION, *_INVERSES, *_INVERSES.values(), *_SYMMETRIC}

Link = tuple[str, int, int]  # property and ends, in the direction in which the link is looked up


def keep_confident_edges(facts: Facts, least: float, *, path: str) -> None:
    """Remove the edges of a table whose confidence is below `least`, and the concepts that have no other link."""
    if not facts.confidences:
        raise _no_confidence(path)
    before = _Links.of(facts)
    pairs = list(zip(facts.children, facts.parents, strict=True))
    keep = [facts.confidences.get(pair, math.inf) >= least for pair in pairs]
    facts.children, facts.parents = list(compress(facts.children, keep)), list(compress(facts.parents, keep))
    facts.weights, facts.properties = list(compress(facts.weights, keep)), list(compress(facts.properties, keep))
    without = sum(kind == "hierarchical" and (a, b) not in facts.confidences for kind, a, b in before.links)
    _settle(facts, before, without, least)


def read_confident_triples(
    columns: Columns,
    read: Callable[[Columns], Facts],
    least: float,
    hierarchical: Iterable[str],
    *,
    path: str,
    read_relations: Callable[[Columns], None] | None = None,
) -> Facts:
    """The facts of the triples but those links and relations whose axiom has a confidence below `least`.

    `read` makes facts of columns, `read_relations` adds relations other than is-a to them. What a link of an axiom is
    (an intersection makes several) is found by reading the columns without the axiom. `hierarchical`: further
    properties of links.
    """
    links = {_link(name, pair) for name in {*_LINKS, *hierarchical} for pair in columns.pairs_of(name)}
    confidences = _axiom_confidences(columns, links, path)
    if read_relations is not None:  # apart: the confidences of relations must not change what counts of links
        confidences |= _axiom_confidences(columns, _relation_statements(columns) - links, path)
    if not confidences:
        raise _no_confidence(path)

    def links_at(limit: float) -> _Links:
        copy = Facts(names=columns.facts.names)  # labels and notes of the original stay as they are
        return _Links.of(read(replace(_kept_columns(columns, confidences, limit), facts=copy)))

    before, without = links_at(-math.inf), links_at(math.inf)
    kept = _kept_columns(columns, confidences, least)
    facts = read(kept)
    _settle(facts, before, len(before.links & without.links), least)
    if read_relations is not None:
        copy = replace(facts, relations=[], other_properties=set(), symmetric=set(), inverse=[], individuals=set())
        read_relations(replace(columns, facts=copy))
        read_relations(kept)
        _note_relations(facts, set(copy.relations), least)
    return facts


def finite_number(text: str) -> float | None:
    """A finite number, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class _Links:
    """The concepts of some facts, and their distinct links: (kind, one end, other end)."""

    concepts: set[int]
    links: set[tuple[str, int, int]]

    @classmethod
    def of(cls, facts: Facts, concepts: set[int] | None = None) -> _Links:
        """`concepts`: what counts as a concept, if not what the facts say."""
        known = {*facts.concepts, *facts.children, *facts.parents} if concepts is None else concepts
        upwards = (("hierarchical", *pair) for pair in zip(facts.children, facts.parents, strict=True))
        sides = (("equivalent", facts.equivalent), ("related", facts.related), ("synonym", facts.synonyms))
        others = ((kind, min(link[:2]), max(link[:2])) for kind, links in sides for link in links)
        return cls(known, {(k, a, b) for k, a, b in (*upwards, *others) if a != b and a in known and b in known})

    @property
    def linked(self) -> set[int]:
        return {end for _, *ends in self.links for end in ends}


def _settle(facts: Facts, before: _Links, without: int, least: float) -> None:
    """Mark the concepts that lost their last link, and say what was left out; all others stay concepts."""
    after = _Links.of(facts, before.concepts)
    removed = len(before.links) - len(after.links)
    facts.unlinked = before.linked - after.linked
    facts.concepts.extend(sorted(before.concepts - facts.unlinked))
    facts.counts |= {"low_confidence_links": removed, "unlinked_concepts": len(facts.unlinked)}
    stay = f"; kept: {number_of(without, 'link', 'links')} without a confidence" if without else ""
    facts.notes.append(
        Message(
            f"left out: {removed:,} of {len(before.links):,} links (confidence < {least:.15g}; {{min_confidence}}) and "
            f"{len(facts.unlinked):,} of {len(before.concepts):,} concepts (no link remains){stay}"
        )
    )


def _note_relations(facts: Facts, before: set[tuple[int, int, int]], least: float) -> None:
    """Say how many relations were left out; those of concepts that lost their last link are not among them."""
    removed = len(before - set(facts.relations))
    facts.counts["low_confidence_relations"] = removed
    facts.notes.append(
        Message(
            f"left out: {removed:,} of {len(before):,} other relations (confidence < {least:.15g}; {{min_confidence}})"
        )
    )


def _no_confidence(path: str) -> LoadError:
    return LoadError(
        "no link has a confidence",
        advice="Remove {min_confidence}, or set {columns=child,parent,confidence} for a table; in OWL, annotate axioms "
        f"with {', '.join(CONFIDENCE_NAMES[:-1])} or {CONFIDENCE_NAMES[-1]}.",
        parameter="min_confidence",
        path=path,
    )


def _axiom_confidences(columns: Columns, stated: set[Link], path: str) -> dict[Link, float]:
    """The confidence of each of the stated links that an annotated axiom is about; of several the greatest."""
    axioms = _axioms(columns, stated)
    texts: dict[str, list[tuple[Link, str]]] = {}  # by what the annotation is called
    for property, rows in columns.literals.items():
        name = confidence_name(property)
        if name is not None:
            of_links = ((link, text) for node, text, _ in rows for link in axioms.get(node, ()))
            texts.setdefault(name, []).extend(of_links)
    names = [name for name in CONFIDENCE_NAMES if texts.get(name)]
    if len(names) > 1:
        several = f"axioms have a {' and a '.join(names)}: the {names[0]} is used"
        if several not in columns.facts.notes:
            columns.facts.notes.append(several)
    result: dict[Link, float] = {}
    for link, text in texts[names[0]] if names else ():
        value = finite_number(text)
        if value is None:
            raise _bad_confidence(columns, link, text, path)
        result[link] = max(value, result.get(link, value))
    return result


def _bad_confidence(columns: Columns, link: Link, text: str, path: str) -> LoadError:
    names = list(columns.facts.names)
    return LoadError(
        f"the confidence {text!r} of {names[link[1]]} {link[0]} {names[link[2]]} is not a finite number",
        advice="Correct or remove it.",
        path=path,
    )


def _relation_statements(columns: Columns) -> set[Link]:
    """Statements that are relations other than links: assertions, domains and ranges."""
    names = list(columns.facts.names)
    statements = {(names[property], one, other) for one, property, other in zip(*columns.other_links, strict=True)}
    return statements | {_link(name, pair) for name in (terms.DOMAIN, terms.RANGE) for pair in columns.pairs_of(name)}


def _axioms(columns: Columns, stated: set[Link]) -> dict[int, list[Link]]:
    """Node of an owl:Axiom -> the stated links that it is about."""
    names = list(columns.facts.names)
    parts = [
        _by_subject(columns.pairs_of(name))
        for name in (terms.ANNOTATED_SOURCE, terms.ANNOTATED_PROPERTY, terms.ANNOTATED_TARGET)
    ]
    result = {}
    for node, sources in parts[0].items():
        triples = product(sources, parts[1].get(node, ()), parts[2].get(node, ()))
        links = {_link(names[property], (source, target)) for source, property, target in triples}
        result[node] = sorted(links & stated)
    return result


def _link(property: str, pair: Pair) -> Link:
    """A statement in the direction in which all statements of the same link are."""
    one, other = pair
    if property in _INVERSES:
        return _INVERSES[property], other, one
    if property in _SYMMETRIC:
        return property, min(pair), max(pair)
    return property, one, other


def _kept_columns(columns: Columns, confidences: dict[Link, float], least: float) -> Columns:
    """The statements without those of links whose confidence is below `least`; the facts are the same."""
    doubtful = {link for link, confidence in confidences.items() if confidence < least}
    changed = {property for property, _, _ in doubtful}

    def kept(property: str) -> PairColumns:
        pairs = [pair for pair in columns.pairs_of(property) if _link(property, pair) not in doubtful]
        return [a for a, _ in pairs], [b for _, b in pairs]

    pairs = {
        property: kept(property) if _INVERSES.get(property, property) in changed else rows
        for property, rows in columns.pairs.items()
    }
    names = list(columns.facts.names) if columns.other_links[0] else []
    others = [row for row in zip(*columns.other_links, strict=True) if (names[row[1]], row[0], row[2]) not in doubtful]
    subjects, properties, values = ([row[part] for row in others] for part in range(3))
    return replace(columns, pairs=pairs, other_links=(subjects, properties, values))


def _by_subject(pairs: Iterator[Pair]) -> dict[int, list[int]]:
    result: dict[int, list[int]] = {}
    for subject, value in pairs:
        result.setdefault(subject, []).append(value)
    return result
