"""Relations other than is-a (RelP, RelR, RelF): by kind and property, with credit for similar ends."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from ontoeval.measures.comparison._relations import (
    MOST_PAIRS,
    Credit,
    TooLargeError,
    Triples,
    relation_credits,
    unit_names,
)
from ontoeval.measures.registry import Family, Measure, UnmetNeedError, measure
from ontoeval.measures.similarity_parameter import FLAT, SimilarityFunction, UndefinedSimilarityError, check_similarity
from ontoeval.results import DrawnUnits, LocalScores, Score, harmonic
from ontoeval.tasks.comparison import Comparison

Over = Literal["common", "all"]
Kind = Literal["all", "related", "synonym"] | str
_LINKS = ("related", "synonym")  # the hierarchy keeps these


_PURPOSE = (
    "Rel asks whether the relations other than is-a are right: parts, related concepts, synonyms, domains and ranges. "
    "It counts the triples that both ontologies have, by kind or by property, and with a similarity gives credit to "
    "triples whose ends are nearly right. "
    "Use it where a learner extracts more than a hierarchy, as in knowledge graphs and thesauri."
)
_relational = partial(
    measure, source="precision and recall of triples; ontoeval", dimension="relational", identity=False,
    needs=("relations",), check=check_similarity, purpose=_PURPOSE,
    example=("relations/learned.ttl", "relations/gold.ttl"),
)  # fmt: skip


@_relational("RelP")
def relation_precision(
    task: Comparison,
    *,
    over: Over = "common",
    kind: Kind = "all",
    similarity: Measure | SimilarityFunction = FLAT,
) -> Score:
    """Precision of the relations other than is-a.

    RelP = |T_C ∩ T_R| / |T_C|, T the triples (s, p, o) of a side: object property assertions, restrictions (A below p
    some B, p only B), OBO relationships, domain and range as (p, domain, D), related and synonym links. Matched are
    concepts as in the task, individuals by IRI (those that owl:sameAs joins on either side are one), properties by IRI,
    then by label. Triples by a property that one of the sides calls symmetric have no direction, inverse properties are
    turned to one direction, equal triples count once.
    over=common: the triples whose ends and property are matched; over=all: all. kind: all, related, synonym, or one
    property (IRI, local name or label, `part_of` for "part of").
    With a similarity, instead of |T_C ∩ T_R| the greatest sum of Sim(s, s') Sim(o, o') over one-to-one pairs of a
    learned and a gold triple of the same property, Sim in the gold hierarchy, where individuals are leaves below their
    gold classes; without direction the better of both. An individual that the gold standard does not have, or has
    without a class, is similar to nothing but itself, and so are properties. Undefined where that takes more than
    60,000,000 pairs of one property.
    Only the triples that `kind` and `over` select count. No such learned triple: 0, as nothing that could be right was
    found; undefined if the gold standard has none either, even if both sides have others, because then nothing can be
    judged. The reason says how many there are. Local score of a concept: the mean over the triples it takes part in.
    """
    return _score(task, over, kind, similarity, "learned")


@_relational("RelR")
def relation_recall(
    task: Comparison,
    *,
    over: Over = "common",
    kind: Kind = "all",
    similarity: Measure | SimilarityFunction = FLAT,
) -> Score:
    """Recall of the relations other than is-a.

    RelR = |T_C ∩ T_R| / |T_R|, as RelP with the sides exchanged; Sim in the gold hierarchy, too.
    """
    return _score(task, over, kind, similarity, "gold")


@_relational("RelF", family=Family("Relations", "other relations found", "RelP", "RelR"))
def relation_f(
    task: Comparison,
    *,
    over: Over = "common",
    kind: Kind = "all",
    similarity: Measure | SimilarityFunction = FLAT,
) -> Score:
    """F-measure of the relations other than is-a.

    RelF = 2 RelP RelR / (RelP + RelR); 0 if both are 0, undefined if one of them is.
    """
    precision = _score(task, over, kind, similarity, "learned")
    recall = _score(task, over, kind, similarity, "gold")
    score = Score.of(harmonic, precision, recall)
    if precision.by_property is None or recall.by_property is None:
        return score
    one, other = precision.by_property, recall.by_property
    sizes = None if one.weights is None or other.weights is None else one.weights + other.weights
    return replace(score, by_property=LocalScores("property", one.ids, harmonic(one.values, other.values), sizes))


def _score(
    task: Comparison, over: str, kind: str, similarity: Measure | SimilarityFunction, role: Literal["learned", "gold"]
) -> Score:
    _refuse_unread(task, kind)
    try:
        sides = relation_credits(task, over, kind, similarity)
    except TooLargeError as error:
        return Score.impossible(
            f"too many relations with the property {error.iri} to pair by similarity: {error.learned:,} learned and "
            f"{error.gold:,} gold; the limit is {MOST_PAIRS:,} pairs"
        )
    except UndefinedSimilarityError as error:
        return Score.impossible(str(error))
    this, other = sides if role == "learned" else sides[::-1]
    counts = _counts(task, *sides)
    if not len(this.triples) and not len(other.triples):
        return Score.impossible(_nothing(kind, *sides), **counts)
    value = float(this.values.sum() / len(this.triples)) if len(this.triples) else 0.0
    return Score(
        value, _local(this, role), counts, by_property=_by_property(this, other), units=_units(task, role, *sides)
    )


def _refuse_unread(task: Comparison, kind: str) -> None:
    """UnmetNeedError if the relations of a side were not read; related and synonym links always are."""
    for ontology in (task.learned, task.gold):
        if ontology.relations is None and kind not in _LINKS:
            raise UnmetNeedError(
                f"needs relations, but those of {ontology.source.path} were not read",
                advice="Set {other_relations=True}.",
            )


def _nothing(kind: str, learned: Credit, gold: Credit) -> str:
    """Why no triple counts: there is none, or each has an end or a property that is not matched."""
    what = "relation" if kind == "all" else f"{kind} link" if kind in _LINKS else f"relation with the property {kind}"
    if not len(learned.left_out) and not len(gold.left_out):
        return f"neither side has a {what}"
    sides = [
        f"{len(side.left_out):,} {role}{_unmatched_counts(side.left_out)}"
        for role, side in (("learned", learned), ("gold", gold))
    ]
    return f"no {what} has matched ends and a matched property; {'; '.join(sides)}"


def _unmatched_counts(triples: Triples) -> str:
    matched = {"end": triples.ends_matched, "property": triples.property_matched}
    counts = {what: int(np.count_nonzero(~rows)) for what, rows in matched.items()}
    listed = ", ".join(f"{count:,} with an unmatched {what}" for what, count in counts.items() if count)
    return f": {listed}" if listed else ""


def _counts(task: Comparison, learned: Credit, gold: Credit) -> dict[str, float]:
    return {
        "common_relations": float(learned.values.sum()),  # the sum of the similarities, if there is credit for them
        "learned_relations": len(learned.triples),
        "gold_relations": len(gold.triples),
        "learned_left_out": len(learned.left_out),
        "gold_left_out": len(gold.left_out),
        **task.properties.counts,
    }


def _units(task: Comparison, role: str, learned: Credit, gold: Credit) -> DrawnUnits:
    """The triples: what is drawn for intervals."""
    credit = learned if role == "learned" else gold
    return DrawnUnits("relation", credit.units, credit.values, partial(_unit_names, task, learned, gold, credit))


def _unit_names(task: Comparison, learned: Credit, gold: Credit, credit: Credit) -> list[tuple[str, ...]]:
    names = unit_names(task, learned, gold)
    return [names[unit] for unit in credit.units.tolist()]


def _local(credit: Credit, role: str) -> LocalScores:
    """The mean over the triples of each concept; they weigh nothing, since the score is the mean over the triples."""
    triples = credit.triples
    is_concept = [ends < triples.concepts for ends in (triples.subjects, triples.objects)]
    loop = triples.subjects == triples.objects
    rows = np.concatenate([np.flatnonzero(is_concept[0]), np.flatnonzero(is_concept[1] & ~loop)])
    ends = np.concatenate([triples.subjects[is_concept[0]], triples.objects[is_concept[1] & ~loop]])
    count = np.bincount(ends, minlength=triples.concepts)
    total = np.bincount(ends, weights=credit.values[rows], minlength=triples.concepts)
    concepts = np.flatnonzero(count)
    return LocalScores(role, concepts, total[concepts] / count[concepts], np.zeros(len(concepts)))


def _by_property(this: Credit, other: Credit) -> LocalScores:
    """The score of each property that either side has, weighted by the number of triples of this side."""
    properties = np.union1d(this.triples.properties, other.triples.properties)
    size = int(properties.max(initial=-1)) + 1
    count = np.bincount(this.triples.properties, minlength=size)[properties].astype(np.float64)
    total = np.bincount(this.triples.properties, weights=this.values, minlength=size)[properties]
    values = np.divide(total, count, out=np.zeros(len(count)), where=count > 0)
    return LocalScores("property", properties, values, count)
