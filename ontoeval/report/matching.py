"""What `ontoeval match` prints: pairs, ambiguous ones, JSON, P/R/F table (P, R, F: matching/alignment.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ontoeval.errors import Spelling, number_of
from ontoeval.matching.matcher import Matching
from ontoeval.model.ontology import Ontology
from ontoeval.report.names import named_with_iri
from ontoeval.tables import Layout, render, short_names

_MOST_AMBIGUOUS = 20  # candidates that are listed
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


def pair_table(matching: Matching, learned: Ontology, gold: Ontology, layout: Layout) -> str:
    """The pairs: people get labels and IRIs, programs IRIs alone."""
    rows: Sequence[Sequence[Any]] = [
        [
            named_with_iri(pair.learned_label, pair.learned) if layout.for_people else pair.learned,
            named_with_iri(pair.gold_label, pair.gold) if layout.for_people else pair.gold,
            pair.by,
            pair.score,
        ]
        for pair in matched_pairs(matching, learned, gold)
    ]
    names = short_names([learned.source.name, gold.source.path])
    return render("Matched concepts", [*names, "by", "score"], rows, layout)


def remarks(matching: Matching, learned: Ontology, gold: Ontology, spelling: Spelling) -> Iterator[str]:
    """How many pairs there are, and which others there could be."""
    about = matching.summary()
    added = " (including the pair of added roots)" if about["found"]["added root"] else ""
    yield f"{about['matched']:,} pairs of {about['learned']:,} learned and {about['gold']:,} gold concepts{added}"
    shown = _ambiguous(matching, learned, gold)[:_MOST_AMBIGUOUS]
    for entry in shown:
        yield f"ambiguous: {entry['learned']} could also be {entry['gold']} (by {entry['by']})"
    more = matching.ambiguous - len(shown)
    if more > 0:
        matches = number_of(more, "more ambiguous match", "more ambiguous matches")
        yield f"and {matches} ({spelling('json', None)} lists them)"


def reference_table(scores: Mapping[str, Any], layout: Layout) -> str:
    """Precision, recall and F against a right alignment."""
    header = ["against the reference", "precision", "recall", "F", "right", "found", "reference"]
    return render("", header, [["", *(scores[key] for key in _REFERENCE)]], layout)
