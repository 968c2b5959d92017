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
    if learned is None:
        return (
            f"the gold standard has {name} below {gold}; no learned parent is paired with it: 0 by {reason.similarity}"
        )
    if gold is None:
        return f"{name} is below {learned}; no gold parent is left to pair: 0 by {reason.similarity}"
    if reason.value == 1.0 and not reason.parts:
        return f"{name} is below {learned} on both sides: 1 by {reason.similarity}"
    return f"{name} is below {learned}; the gold standard has it below {gold}: {_value(reason, digits)}"


def _near(explanation: Explanation, reason: Reason, digits: int) -> str:
    name, value = explanation.label, _value(reason, digits)
    if explanation.gold is None:
        return f"{name} is not in the gold standard; nearest there is {reason.gold}: {value}"
    return f"{name} was not learned; nearest of the learned concepts is {reason.learned}: {value}"


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
