"""What `ontoeval match` prints: pairs, ambiguous ones, JSON, P/R/F table (P, R, F: matching/alignment.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ontoeval.errors import Spelling, number_of
from ontoeval.matching.matcher import Matching
from ontoeval.model.ontology import Ontology
from ontoeval.report.names import concept_names, curie
from ontoeval.tables import Cell, Layout, file_names, render

_REFERENCE = ("precision", "recall", "f", "right", "found", "reference")


class MatchedPair(NamedTuple):
    """Two concepts that are the same, and why."""

    learned: str  # IRI
    gold: str
    learned_label: str
    gold_label: str
    score: float
    by: str  # the step of the matching


def matched_pairs(matching: Matching, learned: Ontology, gold: Ontology) -> list[MatchedPair]:
    """The pairs of a matching by IRI."""
    return sorted(
        MatchedPair(
            learned.hierarchy.iris[pair.learned],
            gold.hierarchy.iris[pair.gold],
            learned.label(pair.learned),
            gold.label(pair.gold),
            pair.score,
            matching.by[int(matching.steps[pair.learned])],
        )
        for pair in matching.pairs
    )


def _ambiguous(matching: Matching, learned: Ontology, gold: Ontology) -> list[dict[str, Any]]:
    """Candidates whose concepts have another partner."""
    return [
        {
            "learned": learned.hierarchy.iris[candidate.learned],
            "gold": gold.hierarchy.iris[candidate.gold],
            "score": candidate.score,
            "by": step,
        }
        for candidate, step in matching.dropped
    ]


def document(
    matching: Matching, learned: Ontology, gold: Ontology, reference: Mapping[str, Any] | None
) -> dict[str, Any]:
    """For JSON; `reference`: the scores against a right alignment."""
    least = learned.source.min_confidence
    entries = {
        "learned": learned.source.path,
        "gold": gold.source.path,
        **({} if least is None else {"min_confidence": {"learned": least}}),
        "matching": matching.summary(),
        "pairs": [pair._asdict() for pair in matched_pairs(matching, learned, gold)],
        "ambiguous": _ambiguous(matching, learned, gold),
    }
    return entries if reference is None else {**entries, "reference": reference}


def pair_table(matching: Matching, learned: Ontology, gold: Ontology, layout: Layout, top: int | None = None) -> str:
    """The pairs: people get labels, programs IRIs; a terminal the first `top` of them."""
    pairs = matched_pairs(matching, learned, gold)
    left, right = [pair.learned for pair in pairs], [pair.gold for pair in pairs]
    if layout.for_people:
        left = concept_names(left, [pair.learned_label for pair in pairs])
        right = concept_names(right, [pair.gold_label for pair in pairs])
    rows: list[list[Cell]] = [[a, b, pair.by, pair.score] for a, b, pair in zip(left, right, pairs, strict=True)]
    names = file_names([learned.source.name, gold.source.path])
    if layout is not Layout.TABLE:
        return render("", [*names, "by", "score"], rows, layout)
    title = f"{number_of(len(rows), 'pair', 'pairs')} of {' and '.join(names)}"
    return render(title, [*names, "by", "score"], rows[:top], layout)


def remarks(matching: Matching, learned: Ontology, gold: Ontology, spelling: Spelling, top: int) -> Iterator[str]:
    """How many concepts have a partner, and which others they could have: the first `top`, or all."""
    about = matching.summary()
    added = " (including the pair of added roots)" if about["found"]["added root"] else ""
    yield f"{about['matched']:,} pairs of {about['learned']:,} learned and {about['gold']:,} gold concepts{added}"
    entries = _ambiguous(matching, learned, gold)
    for entry in entries[: top or None]:
        first, second = (
            _with_curie(ontology, entry[side]) for side, ontology in (("learned", learned), ("gold", gold))
        )
        yield f"ambiguous: {first} could also be {second} (by {entry['by']})"
    if top and len(entries) > top:
        yield f"ambiguous: {len(entries) - top:,} more ({spelling('json', None)} lists them)"


def _with_curie(ontology: Ontology, iri: str) -> str:
    """Label and CURIE: concepts with one label are told apart."""
    label = ontology.label(ontology.hierarchy.id(iri))
    return curie(iri) if label in (iri, curie(iri)) else f"{label} ({curie(iri)})"


def reference_table(scores: Mapping[str, Any], layout: Layout) -> str:
    """Precision, recall and F against a right alignment."""
    header = ["against the reference", "precision", "recall", "F", "right", "found", "reference"]
    return render("", header, [["", *(scores[key] for key in _REFERENCE)]], layout)
