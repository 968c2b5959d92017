"""What `ontoeval match` prints: pairs, remarks, JSON, P/R/F table (pairs, P, R, F: matching/)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ontoeval.errors import Spelling, number_of
from ontoeval.matching.matching import MatchedPair, Matching, ambiguous_matches, matched_pairs
from ontoeval.model.ontology import Ontology
from ontoeval.report.names import concept_names, curie
from ontoeval.tables import Cell, Layout, file_names, render

_NAMED = 3  # ambiguous matches in a remark
_REFERENCE = ("precision", "recall", "f", "right", "found", "reference")


def ambiguous_in_words(number: int, matches: Sequence[MatchedPair], spelling: Spelling) -> str:
    """`2 ambiguous matches: a could also be b; c could also be d`: the first of them; not all may be listed."""
    names = [" could also be ".join(_told_apart(match)) for match in matches[:_NAMED]]
    more = number - len(names)
    if names and more:
        names.append(f"and {more:,} more" + (f" ({spelling('json', None)})" if len(matches) > len(names) else ""))
    return f"{number_of(number, 'ambiguous match', 'ambiguous matches')}{': ' * bool(names)}{'; '.join(names)}"


def _told_apart(match: MatchedPair) -> list[str]:
    """Labels; with CURIEs if the labels are the same."""
    labels, iris = [match.learned_label, match.gold_label], [match.learned, match.gold]
    return [_with_curie(*name) if labels[0] == labels[1] else curie(name[0]) for name in zip(labels, iris, strict=True)]


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
        "ambiguous": [match._asdict() for match in ambiguous_matches(matching, learned, gold)],
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
    pairs = number_of(about["matched"], "pair", "pairs")
    yield f"{pairs} of {about['learned']:,} learned and {about['gold']:,} gold concepts{added}"
    matches = ambiguous_matches(matching, learned, gold)
    for match in matches[: top or None]:
        first, second = _with_curie(match.learned_label, match.learned), _with_curie(match.gold_label, match.gold)
        yield f"ambiguous: {first} could also be {second} (by {match.by})"
    if top and len(matches) > top:
        yield f"ambiguous: {len(matches) - top:,} more ({spelling('json', None)} lists them)"


def _with_curie(label: str, iri: str) -> str:
    """Label and CURIE: concepts with one label are told apart."""
    return curie(iri) if label in (iri, curie(iri)) else f"{label} ({curie(iri)})"


def reference_table(scores: Mapping[str, Any], layout: Layout) -> str:
    """Precision, recall and F against a right alignment."""
    header = ["against the reference", "precision", "recall", "F", "right", "found", "reference"]
    return render("", header, [["", *(scores[key] for key in _REFERENCE)]], layout)
