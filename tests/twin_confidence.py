"""Least confidence again, as Dellschaft & Staab 2006 (section 5.2) describe it, in plain sets and loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Relation = tuple[str, str, str]  # subject, property, object
Stated = tuple[str, str, str, float | None]  # kind, two ends, confidence if one is stated


def confident_part(
    stated: Sequence[Stated], concepts: Iterable[str], least: float
) -> tuple[set[tuple[str, str, str]], set[str]]:
    """The links and the concepts that are left.

    The confidence of a link is the greatest that is stated for it; without one it stays. A concept goes if it had a
    link to another concept, and has none now.
    """
    links = []
    for kind, a, b, confidence in stated:
        if kind != "hierarchical" and b < a:
            a, b = b, a
        links.append((kind, a, b, confidence))
    every_name = set(concepts)
    for _, a, b, _ in links:
        every_name |= {a, b}
    kept_links = set()
    for kind, a, b, _ in links:
        values = [c for k, x, y, c in links if (k, x, y) == (kind, a, b) and c is not None]
        if not values or max(values) >= least:
            kept_links.add((kind, a, b))
    kept_concepts = set()
    for name in every_name:
        before = any(name in (a, b) and a != b for _, a, b, _ in links)
        after = any(name in (a, b) and a != b for _, a, b in kept_links)
        if after or not before:
            kept_concepts.add(name)
    kept_links = {(k, a, b) for k, a, b in kept_links if a in kept_concepts and b in kept_concepts}
    return kept_links, kept_concepts


def confident_relations(
    stated: Sequence[tuple[str, Relation, float | None]], concepts: Iterable[str], least: float
) -> set[Relation]:
    """The relations other than is-a that are left, of axioms: (axiom, what it says, confidence if one is stated).

    An axiom that is annotated several times has the greatest confidence. A relation stays while an axiom says it, and
    goes with a concept at its end.
    """
    known = set(concepts)
    kept = set()
    for axiom, (subject, property, value), _ in stated:
        values = [c for name, _, c in stated if name == axiom and c is not None]
        subject_stays = property == "domain" or subject in known
        if (not values or max(values) >= least) and subject_stays and value in known:
            kept.add((subject, property, value))
    return kept
