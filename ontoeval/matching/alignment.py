"""`Alignment`: pairs of a mapping file (load/mappings/) as concepts, either way round; `agreement`: P, R, F with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ontoeval.errors import Message, sentence
from ontoeval.model.lookup import unique_meaning
from ontoeval.model.ontology import Ontology

if TYPE_CHECKING:
    from ontoeval.matching.matching import Matching


@dataclass(frozen=True)
class Alignment:
    """Pairs of names with a confidence, and what else the file had."""

    pairs: tuple[tuple[str, str, float], ...]
    path: str = "(memory)"
    skipped: int = 0  # rows that claim something other than equivalence
    min_confidence: float | None = None
    left_out: int = 0  # pairs with a lower confidence

    def between(self, learned: Ontology, gold: Ontology) -> list[tuple[int, int, float]]:
        """The pairs of concepts, in whichever direction more of the names are known."""
        directions = []
        for swap in (False, True):
            rows = [(b, a, score) if swap else (a, b, score) for a, b, score in self.pairs]
            ends = [(unique_meaning(learned, a), unique_meaning(gold, b), score) for a, b, score in rows]
            directions.append([(a, b, score) for a, b, score in ends if a is not None and b is not None])
        return max(directions, key=len)  # the first of equals: as written

    def unused(self, learned: Ontology, gold: Ontology) -> Message:
        """The warning about an alignment that has no pair between two ontologies."""
        if not self.pairs:
            return sentence("it has no pairs", place=self.path)
        first, second, _ = self.pairs[0]
        return sentence(
            f"no pair (of {len(self.pairs):,}) names a concept of each file (first: {first!r}, {second!r})",
            place=self.path,
            advice=f"Use the one for {learned.source.path} and {gold.source.path}.",
        )


def agreement(matching: Matching, reference: Alignment, learned: Ontology, gold: Ontology) -> dict[str, Any]:
    """Precision, recall and F of a matching against an alignment, over pairs of concepts; added roots never count.

    Both empty: 1; one empty: 0.
    """
    added = [{0} if ontology.hierarchy.root_added else set() for ontology in (learned, gold)]
    true_pairs = {(a, b) for a, b, _ in reference.between(learned, gold) if a not in added[0] and b not in added[1]}
    matched = {(pair.learned, pair.gold) for pair in matching.pairs}
    correct = len(matched & true_pairs)
    if_empty = 0.0 if matched or true_pairs else 1.0
    precision = correct / len(matched) if matched else if_empty
    recall = correct / len(true_pairs) if true_pairs else if_empty
    return {
        "precision": precision,
        "recall": recall,
        "f": 2 * precision * recall / (precision + recall) if correct else if_empty,
        "right": correct,
        "found": len(matched),
        "reference": len(true_pairs),
        "not_concepts": len(reference.pairs) - len(true_pairs),
    }
