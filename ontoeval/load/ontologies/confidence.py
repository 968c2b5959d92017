"""Least confidence (Dellschaft & Staab 2006, section 5.2): leaves out doubtful links, and concepts with no other."""

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
    columns: Columns, read: Callable[[Columns], Facts], least: float, relations: Iterable[str], *, path: str
) -> Facts:
    """The facts of the triples but those links whose axiom has a confidence below `least`.

    `read` makes facts of columns. What a link of an axiom is (an intersection makes several) is found by reading the
    columns without the axiom.
    """
    confidences = _axiom_confidences(columns, {*_LINKS, *relations}, path)
    if not confidences:
        raise _no_confidence(path)

    def links_at(limit: float) -> _Links:
        copy = Facts(names=columns.facts.names)  # labels and notes of the original stay as they are
        return _Links.of(read(replace(columns, pairs=_kept_pairs(columns, confidences, limit), facts=copy)))

    before, without = links_at(-math.inf), links_at(math.inf)
    facts = read(replace(columns, pairs=_kept_pairs(columns, confidences, least)))
    _settle(facts, before, len(before.links & without.links), least)
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
            f"left out: {removed:,} of {len(before.links):,} links with a confidence < {least:.15g}, and "
            f"{len(facts.unlinked):,} of {len(before.concepts):,} concepts without another link{stay} "
            "({min_confidence})"
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


def _axiom_confidences(columns: Columns, properties: set[str], path: str) -> dict[Link, float]:
    """The confidence of each link that an annotated axiom states; of several the greatest."""
    axioms = _axioms(columns, properties)
    texts: dict[str, list[tuple[Link, str]]] = {}  # by what the annotation is called
    for property, rows in columns.literals.items():
        name = confidence_name(property)
        if name is not None:
            of_links = ((link, text) for node, text, _ in rows for link in axioms.get(node, ()))
            texts.setdefault(name, []).extend(of_links)
    names = [name for name in CONFIDENCE_NAMES if texts.get(name)]
    if len(names) > 1:
        columns.facts.notes.append(f"axioms have a {' and a '.join(names)}: the {names[0]} is used")
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


def _axioms(columns: Columns, properties: set[str]) -> dict[int, list[Link]]:
    """Node of an owl:Axiom -> the links of the file that it is about."""
    names = list(columns.facts.names)
    stated = {_link(name, pair) for name in properties for pair in columns.pairs_of(name)}
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


def _kept_pairs(columns: Columns, confidences: dict[Link, float], least: float) -> dict[str, PairColumns]:
    """The statements without those of links whose confidence is below `least`."""
    doubtful = {link for link, confidence in confidences.items() if confidence < least}
    changed = {property for property, _, _ in doubtful}

    def kept(property: str) -> PairColumns:
        pairs = [pair for pair in columns.pairs_of(property) if _link(property, pair) not in doubtful]
        return [a for a, _ in pairs], [b for _, b in pairs]

    return {
        property: kept(property) if _INVERSES.get(property, property) in changed else rows
        for property, rows in columns.pairs.items()
    }


def _by_subject(pairs: Iterator[Pair]) -> dict[int, list[int]]:
    result: dict[int, list[int]] = {}
    for subject, value in pairs:
        result.setdefault(subject, []).append(value)
    return result
