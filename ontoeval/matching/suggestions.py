"""`suggestions`: ways of matching that find more; `hint`: the note if at most half of the smaller side matches."""

from __future__ import annotations

from typing import NamedTuple

from ontoeval.errors import Message
from ontoeval.matching.matcher import ADDED_ROOT, Matching, match
from ontoeval.model.ontology import Ontology
from ontoeval.model.placement import SharedInstances

_MOST_PAIRS = 50_000_000  # of concepts that may share an instance; with more, matching takes too long for a hint


class Suggestion(NamedTuple):
    """Another way of matching, the number of pairs that it finds, and the parameters to use."""

    method: str
    pairs: int
    parameters: Message


_METHODS = (
    ("iri", "iri", ""),
    ("label", "label", ""),
    ("label without case", "label", "case"),
    ("label, normalised", "label", "all"),
    ("local name", "name", ""),
    ("local name, normalised", "name", "all"),
)


def suggestions(learned: Ontology, gold: Ontology, matching: Matching) -> list[Suggestion]:
    """Other ways of matching that find more pairs, the best first; of equals the stricter one."""
    most = _pairs(matching)
    better: list[Suggestion] = []
    methods = [*_METHODS, ("instances", "instances", "")] if _share_instances(learned, gold) else _METHODS
    for method, by, normalize in methods:
        count = _pairs(match(learned, gold, by, normalize=normalize, language=matching.languages or None))
        if count > most:
            most = count
            parameters = f"{{by={by}}}" + (f" {{normalize={normalize}}}" if normalize else "")
            better.append(Suggestion(method, count, Message(parameters)))
    if matching.languages:
        count = _pairs(match(learned, gold, "label", normalize=matching.normalize))
        if count > most:
            better.append(Suggestion("label in any language", count, Message("without {language}")))
    return better[::-1]


def _pairs(matching: Matching) -> int:
    """Matched pairs without two added roots."""
    return len(matching) - matching.found[ADDED_ROOT]


def _share_instances(learned: Ontology, gold: Ontology) -> bool:
    """Some, and not so many on so deep hierarchies that matching by them takes long."""
    if learned.instances is None or gold.instances is None:
        return False
    return 0 < SharedInstances.of(learned, gold).overlap_pairs <= _MOST_PAIRS


def hint(learned: Ontology, gold: Ontology, matching: Matching) -> Message | None:
    """What to try when nothing or little matches; None if more than half of the smaller side does."""
    sizes = [len(o.hierarchy) - o.hierarchy.root_added for o in (learned, gold)]
    matched = _pairs(matching)
    if matched * 2 > min(sizes):
        return None
    better = suggestions(learned, gold, matching)
    how = ",".join(matching.by) + (f" ({','.join(matching.normalize)})" if matching.normalize else "")
    result = f"{matched:,} of {sizes[0]:,} concepts match by {how}"
    if not better:
        if matched:
            return None
        question = "Do both ontologies describe the same domain?"
        return Message(f"{result}, and none would match by IRI, label or local name. {question}")
    best = better[0]
    return Message(f"{result}; {best.pairs:,} would match by {best.method} ({best.parameters.template})")
