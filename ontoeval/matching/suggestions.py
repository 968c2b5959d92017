"""`match_warnings`: why numbers based on a matching may mislead: near-duplicates, a better way, unused mappings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ontoeval.errors import Message, sentence
from ontoeval.matching.matcher import STEPS, match, pairs_added
from ontoeval.matching.matching import ADDED_ROOT, Matching
from ontoeval.matching.near_duplicates import near_duplicate_problem
from ontoeval.matching.normalize import ALL, FOLDS
from ontoeval.model.ontology import Ontology
from ontoeval.model.placement import SharedInstances

_SHARE, _CONCEPTS = 0.05, 20  # how many more concepts are worth a warning; whichever is less
_MOST_PAIRS = 50_000_000  # of concepts that may share an instance; with more, matching takes too long for a hint
_TEXTS = ("label", "preferred", "name")
_ADDED = {"label": "by label", "iri": "by IRI", "name": "by local name"}
_NORMALISED = (
    (("case",), "ignoring case"),
    (("separators",), "ignoring separators"),
    (("case", "separators"), "ignoring case and separators"),
    (ALL, "after normalisation"),
    (("case", "separators", "squeeze"), "ignoring case, separators and blanks"),
)
_SAME_DOMAIN = "Do both ontologies describe the same domain?"


class Suggestion(NamedTuple):
    """A change of matching in words, the number of pairs that it finds, and what to do."""

    change: str
    pairs: int
    advice: Message


class _Change(NamedTuple):
    """What to change, and the steps that may then find more."""

    change: str
    steps: tuple[str, ...]
    folds: tuple[str, ...]
    languages: tuple[str, ...]
    advice: str
    added: str = ""  # the step that is put behind the chain


def match_warnings(learned: Ontology, gold: Ontology, matching: Matching) -> tuple[Message, ...]:
    """Why numbers based on a matching may mislead."""
    place = learned.source.name
    problems = [near_duplicate_problem(learned.lexicon), _problem(learned, gold, matching)]
    return (*matching.warnings, *(sentence(p[0], place=place, advice=p[1]) for p in problems if p is not None))


def _problem(learned: Ontology, gold: Ontology, matching: Matching) -> tuple[str, str] | None:
    """That another matching finds clearly more, or that nothing matches at all."""
    size, other = (len(o.hierarchy) - o.hierarchy.root_added for o in (learned, gold))
    if not size or not other:
        return None
    matched = _pairs(matching)
    result = f"{matched:,} of {size:,} concepts match"
    better = suggestion(learned, gold, matching)
    if better is not None:
        return f"{result}; {better.pairs:,} would match {better.change}", better.advice.template
    if matched:
        return None
    return f"{result} by {','.join(matching.by)}, and none would by IRI, label or local name", _SAME_DOMAIN


def suggestion(learned: Ontology, gold: Ontology, matching: Matching) -> Suggestion | None:
    """The smallest change that finds clearly more pairs, 5 % of the concepts of the smaller side or 20.

    A larger change is suggested only if it finds that many more than a smaller one.
    """
    sizes = [len(o.hierarchy) - o.hierarchy.root_added for o in (learned, gold)]
    matched = _pairs(matching)
    enough = max(1, min(_CONCEPTS, math.ceil(_SHARE * min(sizes))))
    if min(sizes) - matched < enough:  # there are not so many without a partner
        return None
    best, most = None, 0
    for change in _changes(matching, with_instances=2 * matched <= min(sizes) and _share_instances(learned, gold)):
        added = pairs_added(learned, gold, matching, change.steps, change.folds, change.languages)
        if added - most >= enough:
            best, most = change, added
        if min(sizes) - matched - most < enough:
            break
    if best is None:
        return None
    exact = _exact_pairs(learned, gold, matching, best)
    pairs = matched + most if exact is None else exact
    return Suggestion(best.change, pairs, Message(best.advice)) if pairs - matched >= enough else None


def _changes(matching: Matching, *, with_instances: bool) -> Iterator[_Change]:
    """Changes of a matching, small ones first. Only concepts without a partner are looked at, so IRIs are done."""
    words = [step.partition(":")[0] for step in matching.by]
    texts = tuple(step for step in _TEXTS if step in words or (step == "label" and "fuzzy" in words))
    folds, languages = matching.normalize, matching.languages
    wider = [(tuple(fold for fold in FOLDS if fold in (*folds, *new)), how) for new, how in _NORMALISED]
    wider = [(more, how) for more, how in wider if more != folds]
    for more, how in wider if texts else ():
        yield _Change(how, texts, more, languages, f"Set {{normalize={_words(more)}}}.")
    if languages:
        yield _Change("in any language", texts or ("label",), folds, (), "Remove {language}.")
    further = [step for step in _ADDED if step not in words]
    for step in further:
        yield _Change(_ADDED[step], (step,), folds, languages, f"{_match_advice(matching, step)}.", step)
    for step in further:
        for more, how in wider if step in _TEXTS else ():
            advice = f"{_match_advice(matching, step)} and {{normalize={_words(more)}}}."
            yield _Change(f"{_ADDED[step]} {how}", (step,), more, languages, advice, step)
    if with_instances and "instances" not in words:
        yield _Change("by instances", ("instances",), folds, languages, f"{_match_advice(matching, 'instances')}.",
                      "instances")  # fmt: skip


def _match_advice(matching: Matching, step: str) -> str:
    """The whole chain if it consists of words; a mapping or function is known to the user alone."""
    if all(word.partition(":")[0] in STEPS for word in matching.by):
        return f"Set {{by={','.join((*matching.by, step))}}}"
    return f"Add the step {step} to {{by}}"


def _words(folds: tuple[str, ...]) -> str:
    rest = [fold for fold in folds if fold not in ALL]
    return ",".join(["all", *rest] if set(ALL) <= set(folds) else folds)


def _exact_pairs(learned: Ontology, gold: Ontology, matching: Matching, change: _Change) -> int | None:
    """What the changed matching finds in the end, as pairs may compete; None if it cannot be repeated here."""
    if not all(word.partition(":")[0] in STEPS for word in matching.by):
        return None
    chain = [*matching.by, *([change.added] if change.added else [])]
    return _pairs(match(learned, gold, chain, normalize=change.folds, language=change.languages or None))


def _pairs(matching: Matching) -> int:
    """Matched pairs without two added roots."""
    return len(matching) - matching.found[ADDED_ROOT]


def _share_instances(learned: Ontology, gold: Ontology) -> bool:
    """Some, and not so many on so deep hierarchies that matching by them takes long."""
    if learned.instances is None or gold.instances is None:
        return False
    return 0 < SharedInstances.of(learned, gold).overlap_pairs <= _MOST_PAIRS
