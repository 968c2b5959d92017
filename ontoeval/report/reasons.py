"""`reasons_in_words`: why a concept has its values of Place, Near and Preserved (the reasons: analysis/reasons.py)."""

from __future__ import annotations

from collections.abc import Callable

from ontoeval.analysis.explain import Explanation
from ontoeval.analysis.reasons import Question, Reason
from ontoeval.report.concept_pairs import parts_in_words


def reasons_in_words(explanation: Explanation, digits: int) -> list[str]:
    """A sentence each: `van is below car; the gold standard has it below vehicle: 0.62 by BDM, because ...`."""
    return [_SENTENCES[reason.question](explanation, reason, digits) for reason in explanation.reasons]


def _place(explanation: Explanation, reason: Reason, digits: int) -> str:
    name, learned, gold = explanation.label, reason.learned, reason.gold
    nothing = f"0 by {reason.similarity}"
    if learned is None:
        others = _has_other(explanation, reason, "learned")
        why = (
            "every learned parent is paired with another gold parent"
            if others
            else "it has no learned parent to compare"
        )
        return f"the gold standard has {name} below {gold}; {why}: {nothing}"
    if gold is None:
        others = _has_other(explanation, reason, "gold")
        why = (
            "every gold parent is paired with another learned parent" if others else "it has no gold parent to compare"
        )
        return f"{name} is below {learned}; {why}: {nothing}"
    if reason.value == 1.0 and not reason.parts:
        return f"{name} is below {learned} on both sides: 1 by {reason.similarity}"
    return f"{name} is below {learned}; the gold standard has it below {gold}: {_value(reason, digits)}"


def _has_other(explanation: Explanation, reason: Reason, side: str) -> bool:
    """True if a parent of this side is part of another reason of the same question and similarity."""
    return any(
        getattr(other, side) is not None
        for other in explanation.reasons
        if (other.question, other.similarity) == (reason.question, reason.similarity)
    )


def _near(explanation: Explanation, reason: Reason, digits: int) -> str:
    name, value = explanation.label, _value(reason, digits)
    if explanation.gold is None:
        return f"{name} is not in the gold standard; the nearest concept there is {reason.gold}: {value}"
    return f"{name} was not learned; the nearest learned concept is {reason.learned}: {value}"


def _preservation(explanation: Explanation, reason: Reason, digits: int) -> str:
    return (
        f"{explanation.label} and {reason.gold}: {reason.value:.{digits}f} learned, "
        f"{reason.gold_value:.{digits}f} in the gold standard by {reason.similarity}"
    )


def _value(reason: Reason, digits: int) -> str:
    value = f"{reason.value:.{digits}f} by {reason.similarity}"
    if not reason.parts or reason.ontology is None:
        return value
    return f"{value}, because {parts_in_words(reason.ontology, reason.parts)}"


_SENTENCES: dict[Question, Callable[[Explanation, Reason, int], str]] = {
    "Place": _place,
    "Near": _near,
    "Preserved": _preservation,
}
