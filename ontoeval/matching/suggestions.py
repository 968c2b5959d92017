"""What else could be tried when little matches."""

from __future__ import annotations

from typing import NamedTuple

from ontoeval.matching.matcher import ADDED_ROOT, Matching, match
from ontoeval.model.ontology import Ontology
from ontoeval.model.placement import SharedInstances

_MOST_PAIRS = 50_000_000  # of concepts that may share an instance; finding out about more takes too long for a hint


class Suggestion(NamedTuple):
    """Another way of matching, the pairs that it finds, and how to ask for it."""

    way: str
    pairs: int
    options: str  # of the command line


_WAYS = (
    ("iri", "iri", ""),
    ("label", "label", ""),
    ("label without case", "label", "case"),
    ("label, normalised", "label", "all"),
    ("local name", "name", ""),
    ("local name, normalised", "name", "all"),
)


def suggestions(learned: Ontology, gold: Ontology, matching: Matching) -> list[Suggestion]:
    """Other ways of matching that find more pairs, the best first; of equals the stricter one."""
    most = len(matching) - matching.found[ADDED_ROOT]
    found: list[Suggestion] = []
    ways = [*_WAYS, ("instances", "instances", "")] if _share_instances(learned, gold) else _WAYS
    for way, by, normalize in ways:
        other = match(learned, gold, by, normalize=normalize, language=matching.languages or None)
        count = len(other) - other.found[ADDED_ROOT]
        if count > most:
            most = count
            options = f"--match {by}" + (f" --normalize {normalize}" if normalize else "")
            found.append(Suggestion(way, count, options))
    if matching.languages:
        other = match(learned, gold, "label", normalize=matching.normalize)
        count = len(other) - other.found[ADDED_ROOT]
        if count > most:
            found.append(Suggestion("label in any language", count, "without --lang"))
    return found[::-1]


def _share_instances(learned: Ontology, gold: Ontology) -> bool:
    """Some, and not so many on so deep hierarchies that matching by them takes long."""
    if learned.instances is None or gold.instances is None:
        return False
    return 0 < SharedInstances.of(learned, gold).overlap_pairs <= _MOST_PAIRS


def hint(learned: Ontology, gold: Ontology, matching: Matching) -> str | None:
    """What to try when nothing or little matches; None if more than half of the smaller side does."""
    sizes = [len(o.hierarchy) - o.hierarchy.root_added for o in (learned, gold)]
    own = len(matching) - matching.found[ADDED_ROOT]
    if own * 2 > min(sizes):
        return None
    better = suggestions(learned, gold, matching)
    how = ",".join(matching.by) + (f" ({','.join(matching.normalize)})" if matching.normalize else "")
    said = f"{own:,} of {sizes[0]:,} concepts match by {how}"
    if not better:
        if own:
            return None
        return f"{said}, and nothing would by IRI, label or local name. Are these two ontologies of one domain?"
    return f"{said}; {better[0].pairs:,} would match by {better[0].way} ({better[0].options})"
