"""`match`: parses and runs the chain of steps, settles conflicts (pairs: matching.py; text folds: normalize.py)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from ontoeval.errors import Message, ParameterError, did_you_mean, listed, number_of
from ontoeval.matching.alignment import Alignment
from ontoeval.matching.by_instances import by_instances
from ontoeval.matching.by_label_similarity import similar_pairs
from ontoeval.matching.matching import Candidate, Matching
from ontoeval.matching.normalize import checked_folds, folder
from ontoeval.model.arrays import BoolArray, IntArray
from ontoeval.model.lexicon import LABEL_TO_SHOW, MEANING, ROLES, local_name
from ontoeval.model.ontology import Ontology
from ontoeval.model.placement import SharedInstances, refuse_without_instances

STEPS = ("iri", "label", "preferred", "name", "fuzzy", "instances")
DEFAULT = "iri,label"
_USE_STEPS = f"Use {{by={DEFAULT}}}, or other steps of: {listed(STEPS)}."
_LEAST = {"fuzzy": 0.9, "instances": 0.0}  # the default thresholds
_EXAMPLES = {"fuzzy": "fuzzy:0.9", "instances": "instances:0.5"}
_FOLDED = 2 * len(ROLES)  # worse than every rank of the same text
_MOST_PAIRS = 1_000_000  # a text that this many pairs of concepts share identifies none of them
_NONE_SHARED = Message(
    "no instance is in both ontologies, so no concepts match by instances. If the same instance has a different IRI "
    "in each file, identify it by a property: set {instance_key}"
)


Matcher = Callable[[Ontology, Ontology], Iterable[Sequence[Any]]]
By = str | Alignment | Matcher


def match(
    learned: Ontology,
    gold: Ontology,
    by: By | Sequence[By] = DEFAULT,
    *,
    normalize: str | Sequence[str] | None = None,
    language: str | Sequence[str] | None = None,
) -> Matching:
    """Pair the concepts of two ontologies, one to one.

    by: a chain of steps, each for the concepts that the steps before it left over. A step is a word or a list of words
    with commas ("iri": equal IRIs; "label": any label; "preferred": preferred labels only; "name": the last part of
    the IRI; "fuzzy:0.9": labels with 1 - ed / max(|a|, |b|) of at least 0.9, the best assignment in all; "instances",
    "instances:0.5": the highest F1 of the shared instances at or below them, of at least 0.5), an `Alignment`
    (`load_mapping`), or a function of the two ontologies that gives (learned IRI, gold IRI[, score]).
    normalize: what to ignore when texts are compared: "case", "nfkc", "separators", "camel", "stem", "squeeze"
    (removes blanks and underscores), or "all" of them but "stem" and "squeeze".
    language: compare labels of this language, or of each of these, alone; without it language tags do not count.

    Two roots that no file names (`root_added`) are the same; one such root is nothing else. Where candidates compete,
    the higher score wins, then the same text before one that is equal only after `normalize`, then the more preferred
    label, then the lower IRI: the order of the files never matters.
    """
    languages = () if language is None else (language,) if isinstance(language, str) else tuple(language)
    for tag in languages:
        if not isinstance(tag, str):
            raise ParameterError(f"{tag!r} is not a language tag", advice="Use e.g. 'en'.", parameter="language")
    chain = [_parse_step(step) for step in _flat(by)]
    if not chain:
        raise ParameterError("no matching step", advice=f"Use {{by={DEFAULT}}}.", parameter="by")
    folds = checked_folds(normalize)
    return _Matcher(learned, gold, folds, tuple(tag.lower() for tag in languages)).run(chain)


def pairs_added(
    learned: Ontology,
    gold: Ontology,
    matching: Matching,
    steps: Sequence[str],
    folds: tuple[str, ...],
    languages: tuple[str, ...],
) -> int:
    """How many pairs further steps find among the concepts that a matching leaves over."""
    state = _Matcher(learned, gold, folds, languages)
    state.learned.partner[:], state.gold.partner[:] = matching.to_gold, matching.to_learned
    return len(state.run([_parse_step(step) for step in steps])) - len(matching)


def _flat(by: By | Sequence[By]) -> Iterator[By]:
    if not (isinstance(by, str | Alignment | Iterable) or callable(by)):
        raise ParameterError(f"cannot match by {by!r}", advice=_USE_STEPS, parameter="by")
    for step in [by] if isinstance(by, str | Alignment) or callable(by) else by:
        if isinstance(step, str):
            yield from (word.strip() for word in step.split(",") if word.strip())
        else:
            yield step


@dataclass(frozen=True)
class _Step:
    """One step of a chain: its name in results, what to do, and how similar a pair has to be."""

    name: str
    method: By
    threshold: float = 0.0


def _parse_step(step: By) -> _Step:
    if isinstance(step, Alignment):
        least = step.min_confidence
        return _Step("mapping" if least is None else f"mapping:{least:g}", step)
    if not isinstance(step, str):
        if callable(step):
            return _Step(getattr(step, "__name__", "function"), step)
        raise ParameterError(
            f"cannot match by {step!r}",
            advice=f"Use a step ({listed(STEPS)}), an Alignment or a function.",
            parameter="by",
        )
    word, colon, number = step.partition(":")
    if word not in STEPS or (colon and word not in _LEAST):
        raise ParameterError(
            f"cannot match by {step!r}",
            advice=f"{did_you_mean(word, STEPS)} Use {{load_mapping()}}, or one of: {listed(STEPS)}.".lstrip(),
            parameter="by",
        )
    if not colon:
        return _Step(step, step, _LEAST.get(step, 0.0))
    try:
        threshold = float(number)
    except ValueError:
        threshold = math.nan
    if not 0 < threshold <= 1:
        raise ParameterError(
            f"the threshold of {word} must be a number > 0 and <= 1, not {number!r}",
            advice=f"Use e.g. {_EXAMPLES[word]}.",
            parameter="by",
        )
    return _Step(step, word, threshold)


@dataclass(frozen=True, eq=False)
class _Side:
    """One ontology, and the partner of each of its concepts so far."""

    ontology: Ontology
    partner: IntArray

    @classmethod
    def of(cls, ontology: Ontology) -> _Side:
        return cls(ontology, np.full(len(ontology.hierarchy), -1, dtype=np.int32))

    @cached_property
    def _matchable(self) -> BoolArray:
        """All concepts but an added root, which can only be the same as another added root."""
        result = np.ones(len(self.partner), dtype=bool)
        result[:1] = not self.ontology.hierarchy.root_added
        return result

    def free(self, concept: int) -> bool:
        """True if the concept can still get a partner."""
        return bool(self.partner[concept] < 0 and self._matchable[concept])

    @property
    def all_free(self) -> BoolArray:
        """The same of all concepts."""
        return (self.partner < 0) & self._matchable

    @property
    def iris(self) -> Iterator[tuple[int, str]]:
        """The free concepts and their IRIs."""
        for concept in np.flatnonzero(self.all_free).tolist():
            yield concept, self.ontology.hierarchy.iris[concept]

    def texts(self, roles: tuple[int, ...], language: str | None) -> Iterator[tuple[int, str, int]]:
        """(concept, label, rank of its role) of the free concepts."""
        lexicon = self.ontology.lexicon if language is None else self.ontology.lexicon.in_language(language)
        for row in lexicon.rows_of(roles, self.all_free):
            yield int(lexicon.concepts[row]), lexicon.texts[row], int(lexicon.roles[row])


class _Matcher:
    """The state of one matching."""

    def __init__(self, learned: Ontology, gold: Ontology, folds: tuple[str, ...], languages: tuple[str, ...]) -> None:
        self.learned, self.gold = _Side.of(learned), _Side.of(gold)
        self.folds, self.languages = folds, languages
        self.folds_of: dict[str | None, Callable[[str], str]] = {
            tag: folder(folds, tag or "en") for tag in (None, *languages)
        }
        self.scores = np.full(len(learned.hierarchy), np.nan)
        self.steps = np.full(len(learned.hierarchy), -1, dtype=np.int32)
        self.dropped: list[tuple[Candidate, str]] = []
        self.ambiguous = 0
        self.notes: list[str] = []
        self.warnings: list[Message] = []

    def run(self, chain: Sequence[_Step]) -> Matching:
        if all(side.ontology.hierarchy.root_added for side in self._sides):
            self._take(Candidate(0, 0, 1.0), len(chain))
        somewhere = all(len(side.ontology.hierarchy) for side in self._sides)  # else there is nothing to match
        for number, step in enumerate(chain if somewhere else ()):
            if step.method == "iri":
                for candidate in self._candidates(step):  # an IRI is on either side once: nothing competes
                    self._take(candidate, number)
            elif step.method == "fuzzy":
                self._best_assignment(self._fuzzy(step.threshold), number, step.name)
            elif step.method == "instances":
                self._by_instances(step.threshold, number, step.name)
            else:
                self._first_come(self._candidates(step), number, step.name)
        return Matching(
            to_gold=self.learned.partner,
            to_learned=self.gold.partner,
            scores=self.scores,
            steps=self.steps,
            by=tuple(step.name for step in chain),
            normalize=self.folds,
            languages=self.languages,
            dropped=tuple(self.dropped),
            ambiguous=self.ambiguous,
            notes=tuple(self.notes),
            mappings=tuple(step.method for step in chain if isinstance(step.method, Alignment)),
            warnings=tuple(self.warnings),
            sides=(self.learned.ontology, self.gold.ontology),
        )

    # candidates of each step

    def _candidates(self, step: _Step) -> Iterable[Candidate]:
        if isinstance(step.method, Alignment):
            return self._from_alignment(step.method)
        if callable(step.method):
            return self._from_function(step.method, step.name)
        if step.method == "iri":
            ids = {iri: concept for concept, iri in self.gold.iris}
            return [Candidate(concept, ids[iri], 1.0) for concept, iri in self.learned.iris if iri in ids]
        if step.method == "name":
            return self._by_text(None, *([(c, local_name(iri), 0) for c, iri in side.iris] for side in self._sides))
        roles = MEANING if step.method == "label" else LABEL_TO_SHOW
        return [
            candidate
            for language in self.languages or (None,)
            for candidate in self._by_text(language, *(side.texts(roles, language) for side in self._sides))
        ]

    @property
    def _sides(self) -> tuple[_Side, _Side]:
        return self.learned, self.gold

    def _by_text(
        self, language: str | None, learned: Iterable[tuple[int, str, int]], gold: Iterable[tuple[int, str, int]]
    ) -> Iterator[Candidate]:
        """Every pair that shares a text, once, at its best rank: the same text goes before one that is only folded."""
        fold = self.folds_of[language]
        index: dict[str, dict[tuple[int, str], int]] = {}  # folded text -> concept and text -> best rank
        for concept, text, rank in gold:
            ranks = index.setdefault(fold(text), {})
            ranks[concept, text] = min(rank, ranks.get((concept, text), rank))
        index.pop("", None)
        shared: dict[str, dict[tuple[int, str], int]] = {}
        for concept, text, rank in learned:
            folded = fold(text)
            if folded in index:
                ranks = shared.setdefault(folded, {})
                ranks[concept, text] = min(rank, ranks.get((concept, text), rank))
        best: dict[tuple[int, int], int] = {}
        for folded, texts in shared.items():
            pairs = len({concept for concept, _ in texts}) * len({concept for concept, _ in index[folded]})
            if pairs > _MOST_PAIRS:
                self.notes.append(
                    f"{pairs:,} pairs of concepts share the label {folded!r}: it was not used for matching"
                )
                self.ambiguous += pairs
                continue
            for (concept, text), rank in texts.items():
                for (other, other_text), other_rank in index[folded].items():
                    key, value = (concept, other), rank + other_rank + _FOLDED * (text != other_text)
                    best[key] = min(value, best.get(key, value))
        for (concept, other), rank in best.items():
            yield Candidate(concept, other, 1.0, rank)

    def _from_alignment(self, alignment: Alignment) -> list[Candidate]:
        pairs = alignment.between(self.learned.ontology, self.gold.ontology)
        left_out, path = len(alignment.pairs) - len(pairs), alignment.path
        if not pairs:
            self.warnings.append(alignment.unused(self.learned.ontology, self.gold.ontology))
        elif left_out:
            self.notes.append(
                f"{path}: left out: {left_out:,} of {len(alignment.pairs):,} pairs (a name is not in its file)"
            )
        if alignment.skipped:
            rows = number_of(alignment.skipped, "row is not an equivalence", "rows are not equivalences")
            self.notes.append(f"{path}: {rows}; left out")
        return [Candidate(*pair) for pair in pairs if self.learned.free(pair[0]) and self.gold.free(pair[1])]

    def _from_function(self, matcher: Matcher, name: str) -> list[Candidate]:
        candidates = []
        rows = matcher(self.learned.ontology, self.gold.ontology)
        if not isinstance(rows, Iterable):
            raise ParameterError(
                f"the function {name} returned {rows!r}",
                advice="Return a list of (learned IRI, gold IRI) or (learned IRI, gold IRI, score).",
                parameter="by",
            )
        for row in rows:
            try:
                left, right, score = row if len(row) == 3 else (*row, 1.0)
                value = float(score)
            except (TypeError, ValueError):
                left, right, value = None, None, math.nan
            if math.isnan(value) or not (isinstance(left, str) and isinstance(right, str)):
                raise ParameterError(
                    f"the function {name} returned {row!r} in its list",
                    advice="Return (learned IRI, gold IRI) or (learned IRI, gold IRI, score).",
                    parameter="by",
                )
            ends = self.learned.ontology.hierarchy.id(left), self.gold.ontology.hierarchy.id(right)
            if self.learned.free(ends[0]) and self.gold.free(ends[1]):
                candidates.append(Candidate(*ends, value))
        return candidates

    def _fuzzy(self, threshold: float) -> list[Candidate]:
        """Pairs of free concepts with labels that are at least so similar, each at its best."""
        best: dict[tuple[int, int], float] = {}
        for language in self.languages or (None,):
            left, right = (
                [(concept, self.folds_of[language](text)) for concept, text, _ in side.texts(MEANING, language)]
                for side in self._sides
            )
            for row, column, similarity in similar_pairs(left, right, threshold):
                key = left[row][0], right[column][0]
                best[key] = max(similarity, best.get(key, 0.0))
        return [Candidate(concept, other, similarity) for (concept, other), similarity in best.items()]

    # choosing among candidates

    def _by_instances(self, least: float, step: int, name: str) -> None:
        learned, gold = (side.ontology for side in self._sides)
        refuse_without_instances("matching by instances", learned, gold)
        shared = SharedInstances.of(learned, gold)
        if not len(shared):
            self.notes.append(_NONE_SHARED)
            return
        matches = by_instances(shared, self.learned.all_free, self.gold.all_free, least)
        pairs, tied = matches.pairs, matches.tied
        self.learned.partner[pairs.learned], self.gold.partner[pairs.gold] = pairs.gold, pairs.learned
        self.scores[pairs.learned], self.steps[pairs.learned] = pairs.f1, step
        self.ambiguous += matches.ambiguous
        rows = zip(tied.learned.tolist(), tied.gold.tolist(), tied.f1.tolist(), strict=True)
        self.dropped.extend((Candidate(*row), name) for row in rows)

    def _take(self, candidate: Candidate, step: int) -> None:
        self.learned.partner[candidate.learned] = candidate.gold
        self.gold.partner[candidate.gold] = candidate.learned
        self.scores[candidate.learned] = candidate.score
        self.steps[candidate.learned] = step

    def _first_come(self, candidates: Iterable[Candidate], step: int, name: str) -> None:
        """The highest score first, then the better rank, then the lower IRIs."""
        learned, gold = (side.ontology.hierarchy.iris for side in self._sides)
        seen: set[tuple[int, int]] = set()
        for candidate in sorted(candidates, key=lambda c: (-c.score, c.rank, learned[c.learned], gold[c.gold])):
            if candidate[:2] in seen:
                continue
            seen.add(candidate[:2])
            if self.learned.free(candidate.learned) and self.gold.free(candidate.gold):
                self._take(candidate, step)
            else:
                self._drop(candidate, name)

    def _best_assignment(self, candidates: Sequence[Candidate], step: int, name: str) -> None:
        """The pairs with the greatest sum of scores, whatever the order of the candidates."""
        if not candidates:
            return
        learned, gold = (side.ontology.hierarchy.iris for side in self._sides)
        ordered = sorted(candidates, key=lambda c: (learned[c.learned], gold[c.gold]))
        assigned = _best_pairs(ordered)
        for number, candidate in enumerate(ordered):
            if number in assigned:
                self._take(candidate, step)
            else:
                self._drop(candidate, name)

    def _drop(self, candidate: Candidate, step: str) -> None:
        self.ambiguous += 1
        self.dropped.append((candidate, step))


def _best_pairs(candidates: Sequence[Candidate]) -> set[int]:
    """Which of the candidates make the one-to-one assignment of the greatest total score.

    Every learned concept also has a column of its own that is worth nothing, so that a full assignment always exists.
    """
    rows = {concept: n for n, concept in enumerate(dict.fromkeys(c.learned for c in candidates))}
    columns = {concept: n for n, concept in enumerate(dict.fromkeys(c.gold for c in candidates))}
    tails = np.array([rows[c.learned] for c in candidates] + list(range(len(rows))))
    heads = np.array([columns[c.gold] for c in candidates] + [len(columns) + n for n in range(len(rows))])
    costs = np.array([2.0 - c.score for c in candidates] + [2.0] * len(rows))
    shape = (len(rows), len(columns) + len(rows))
    left, right = min_weight_full_bipartite_matching(csr_array((costs, (tails, heads)), shape=shape))
    cells = set(zip(left.tolist(), right.tolist(), strict=True))
    return {n for n, c in enumerate(candidates) if (rows[c.learned], columns[c.gold]) in cells}
