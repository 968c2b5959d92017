"""`ConceptPairs`: pairs of concepts or words; `best` of senses; `concept_ids`; `root_rule`: name of the root."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, TypeGuard

import numpy as np
import numpy.typing as npt

from ontoeval.concepts.pairs import PairList
from ontoeval.concepts.space import Space
from ontoeval.edit.individuals import with_individuals
from ontoeval.errors import Message, ParameterError, UnknownConceptError
from ontoeval.model.arrays import FloatArray, LongArray, freeze, runs, starts
from ontoeval.model.cache import Cached
from ontoeval.model.hierarchy import ROOT_NAME
from ontoeval.model.lookup import is_alternative_label
from ontoeval.model.ontology import Ontology

Concept = str | Sequence[str]  # an IRI, or those of all senses of a word
Concepts = Sequence[Concept] | npt.NDArray[Any]  # an array holds ids


def concept_ids(ontology: Ontology, iris: Any) -> LongArray:
    """The ids of concepts by IRI or former IRI; UnknownConceptError names the first that is not there.

    An array of whole numbers holds ids already, as `ontology.hierarchy.ids` gives them.
    """
    hierarchy = ontology.hierarchy
    iris = _side(iris)
    if _has_ids(iris):
        return _checked_ids(ontology, iris.astype(np.int64))
    try:
        ids = hierarchy.ids(iris)
    except UnknownConceptError:
        if not ontology.aliases:
            raise
        ids = hierarchy.ids([iri if iri in hierarchy else ontology.aliases.get(iri, iri) for iri in iris])
    return _checked_ids(ontology, ids)


def with_named_individuals(ontology: Ontology, *sides: Concepts) -> Ontology:
    """The ontology with the individuals among these IRIs as leaves."""
    if ontology.instances is None or ontology.classes is not None:
        return ontology
    hierarchy, names = ontology.hierarchy, dict[str, None]()
    for side in sides:
        for concept in [] if _has_ids(side := _side(side)) else side:
            names.update((iri, None) for iri in ([concept] if isinstance(concept, str) else concept))
    unknown = [iri for iri in names if iri not in hierarchy]
    return with_individuals(ontology, unknown) if unknown else ontology


def _has_ids(side: Concepts) -> bool:
    return isinstance(side, np.ndarray) and np.issubdtype(side.dtype, np.integer)


def _checked_ids(ontology: Ontology, ids: LongArray) -> LongArray:
    beyond = ids[(ids < 0) | (ids >= len(ontology.hierarchy))]
    if len(beyond):
        raise UnknownConceptError(
            f"{beyond[0]} is not the id of a concept", advice=f"Use an id from 0 to {len(ontology.hierarchy) - 1}."
        )
    if ontology.hierarchy.root_added and not np.all(ids):
        raise UnknownConceptError(
            f"{ROOT_NAME!r} was added on loading", place=ontology.source.path, advice="Remove it."
        )
    return ids


@dataclass(frozen=True, eq=False)
class ConceptPairs(Cached):
    """Pairs (left[i], right[i]) of concepts, by IRI or as an array of ids, perhaps with ratings by people.

    The left concept is what is judged and the right one what it is judged against. In place of a concept there may be
    several, the senses of a word: the best of all their pairs counts. Individuals are given by IRI, too;
    `ontology` then has those that take part as leaves below their classes (edit/individuals.py).

    Examples
    --------
    >>> import ontoeval as oe
    >>> animals = oe.Ontology.from_edges([("cat", "mammal"), ("dog", "mammal"), ("mammal", "animal")])
    >>> pairs = oe.ConceptPairs(animals, ["cat", "cat"], ["cat", "dog"])
    >>> round(oe.evaluate(pairs, "WP")["WP"].value, 3)  # the mean of 1 and 2/3
    0.833
    """

    ontology: Ontology
    left: Concepts
    right: Concepts
    ratings: FloatArray | None = None
    names: Sequence[tuple[str, str]] | None = field(default=None, kw_only=True)  # words in place of concepts
    # by which the concepts were looked up: a term that is an altLabel alone can make a path longer
    terms: Sequence[tuple[str, str]] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", _side(self.left))
        object.__setattr__(self, "right", _side(self.right))
        object.__setattr__(self, "ontology", with_named_individuals(self.ontology, self.left, self.right))
        if len(self.left) != len(self.right):
            raise ParameterError(
                f"{len(self.left):,} left but {len(self.right):,} right concepts",
                advice="Use lists of the same length.",
            )
        if self.ratings is not None:
            ratings = np.array(self.ratings, dtype=np.float64)
            if ratings.shape != (len(self.left),) or not np.all(np.isfinite(ratings)):
                raise ParameterError(
                    f"ratings must be {len(self.left):,} finite numbers, one for each pair",
                    parameter="ratings",
                )
            object.__setattr__(self, "ratings", freeze(ratings))
        if self.terms is not None and len(self.terms) != len(self.left):
            raise ParameterError(
                f"{len(self.left):,} pairs of concepts but {len(self.terms):,} pairs of terms",
                advice="Use two terms for each pair.",
                parameter="terms",
            )

    def __repr__(self) -> str:
        rated = "" if self.ratings is None else " rated"
        return f"<ConceptPairs: {len(self):,}{rated} pairs of {self.ontology.source.path}>"

    warnings: ClassVar[tuple[Message, ...]] = ()

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def pairs(self) -> PairList:
        """All pairs of senses, those of one pair side by side."""
        left, right, _ = self._flat
        return PairList(Space.of(self.ontology), left, right, self._term_lengths(left, right))

    def _term_lengths(self, left: LongArray, right: LongArray) -> FloatArray | None:
        """The weight of altLabel for each of the two terms of a pair that only an altLabel leads to that sense."""
        weight = self.ontology.weights.label
        if not weight or self.terms is None:
            return None
        pair = np.searchsorted(self.start, np.arange(len(left)), side="right") - 1
        terms = [self.terms[number] for number in pair.tolist()]
        rows = zip(terms, left.tolist(), right.tolist(), strict=True)
        count = [sum(map(self._by_alternative_label, term, ends)) for term, *ends in rows]
        return weight * np.array(count, dtype=np.float64)

    def _by_alternative_label(self, term: str, concept: int) -> bool:
        return is_alternative_label(self.ontology, term, concept)

    @cached_property
    def start(self) -> LongArray:
        """Where the pairs of senses of each pair begin."""
        return self._flat[2]

    @cached_property
    def _flat(self) -> tuple[LongArray, LongArray, LongArray]:
        if _has_single_concepts(self.left) and _has_single_concepts(self.right):
            return concept_ids(self.ontology, self.left), concept_ids(self.ontology, self.right), np.arange(len(self))
        (left, lefts), (right, rights) = (_senses(self.ontology, side) for side in (self.left, self.right))
        count = lefts * rights
        start = starts(count)
        pair = np.repeat(np.arange(len(self)), count)
        within = np.arange(len(pair)) - np.repeat(start, count)
        return (
            left[starts(lefts)[pair] + within // rights[pair]],
            right[starts(rights)[pair] + within % rights[pair]],
            start,
        )

    def best(self, values: FloatArray, *, least: bool) -> FloatArray:
        """Of the values of all pairs of senses the greatest of each pair, or the least; nan does not count."""
        if len(values) == len(self):
            return values
        return (np.fmin if least else np.fmax).reduceat(values, self.start)

    def best_senses(self, values: FloatArray, *, least: bool) -> LongArray:
        """Which pair of senses gives each pair its value: the first of equals."""
        best = np.repeat(self.best(values, least=least), np.diff(self.start, append=len(values)))
        candidates = np.flatnonzero((values == best) | np.isnan(best))
        return candidates[runs(np.searchsorted(self.start, candidates, side="right"))]

    @property
    def inputs(self) -> Mapping[str, Ontology]:
        """What the pairs are from."""
        return {"ontology": self.ontology.classes or self.ontology}

    @property
    def settings(self) -> Mapping[str, Any]:
        """How the task was set up."""
        settings: dict[str, Any] = {
            "pairs": len(self),
            "rated": self.ratings is not None,
            "root": root_rule(self.ontology),
        }
        if self.ontology.merged is not None:
            settings["matching"] = self.ontology.merged.matching
        return settings | weight_settings(self.inputs)

    @property
    def fingerprint(self) -> str:
        """A hash of what is not in the settings: the pairs, their ratings, and what their terms add to lengths."""
        hashed = hashlib.sha256()
        arrays: list[npt.NDArray[Any]] = [self.pairs.left, self.pairs.right, self.start]
        arrays += [array for array in (self.ratings, self.pairs.term_lengths) if array is not None]
        for array in arrays:
            hashed.update(array.tobytes() + b"\x1e")
        if self.ontology.classes is not None:  # ids of individuals are numbers of this task
            hashed.update(self.ontology.digest.encode())
        return hashed.hexdigest()

    @property
    def unit_names(self) -> Mapping[str, tuple[Any, ...]]:
        """The names, labels and concepts of what local scores are about: pairs."""
        return {"pair": ([" ".join(self.written(i)) for i in range(len(self))], self._label, self.ends)}

    def written(self, pair: int) -> tuple[str, str]:
        """The two names of a pair: words, else IRIs."""
        if self.names is not None:
            return self.names[pair]
        left, right = self.ends(pair)
        return "|".join(left), "|".join(right)

    def ends(self, pair: int) -> tuple[Sequence[str], Sequence[str]]:
        """The concepts of both sides of a pair."""
        left, right = (self._senses(side[pair]) for side in (self.left, self.right))
        return left, right

    def _senses(self, concept: Any) -> Sequence[str]:
        if isinstance(concept, np.integer):
            return [self.ontology.hierarchy.iris[concept]]
        return [concept] if isinstance(concept, str) else concept

    def _label(self, pair: int) -> str:
        if self.names is not None:
            return " – ".join(self.names[pair])
        first = int(self.start[pair])
        return " – ".join(self.ontology.label_of(int(side[first])) for side in (self.pairs.left, self.pairs.right))


def _side(concepts: Any) -> Concepts:
    """The concepts of one side as an array of ids, or as a list of IRIs and of lists of IRIs."""
    if isinstance(concepts, str) or not isinstance(concepts, Iterable):
        raise ParameterError(
            f"{concepts!r} is not a list of concepts", advice=f"Use a list, also for one: [{concepts!r}]."
        )
    is_array = isinstance(concepts, np.ndarray) or hasattr(concepts, "dtype")
    side = np.asarray(concepts) if is_array else list(concepts)
    if isinstance(side, list) and side and set(map(type, side)) <= {int}:
        side = np.array(side, dtype=np.int64)
    if isinstance(side, np.ndarray):
        if side.ndim != 1:
            raise ParameterError(
                f"the array of concepts has {side.ndim} dimensions", advice="Use an array of one dimension."
            )
        if np.issubdtype(side.dtype, np.integer):
            return side
        side = side.tolist()
    kinds = set(map(type, side)) - {str, np.str_}
    for concept in side if kinds else ():
        if not isinstance(concept, str) and not (
            isinstance(concept, list | tuple) and all(isinstance(sense, str) for sense in concept)
        ):
            raise ParameterError(
                f"{concept!r} is not a concept", advice="Use its IRI, or a list of the IRIs of all senses."
            )
    return side


def _has_single_concepts(side: Concepts) -> TypeGuard[Sequence[str] | npt.NDArray[Any]]:
    return _has_ids(side) or set(map(type, side)) <= {str, np.str_}


def _senses(ontology: Ontology, side: Concepts) -> tuple[LongArray, LongArray]:
    """The ids of all senses of all concepts one after the other, and how many each has."""
    if _has_ids(side):
        return concept_ids(ontology, side), np.ones(len(side), dtype=np.int64)
    all_senses = [[concept] if isinstance(concept, str) else list(concept) for concept in side]
    count = np.array([len(senses) for senses in all_senses], dtype=np.int64)
    if not np.all(count):
        raise ParameterError(
            f"pair {int(np.flatnonzero(count == 0)[0])} has an empty list of concepts",
            advice="Add a concept, or remove the pair.",
        )
    return concept_ids(ontology, [iri for senses in all_senses for iri in senses]), count


def weight_settings(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The weights of links for the settings of a task, by input; nothing for those that are as by default."""
    changes = {role: data.weights.changes() for role, data in inputs.items() if isinstance(data, Ontology)}
    weights = {role: weights for role, weights in changes.items() if weights}
    return {"weights": weights} if weights else {}


def root_rule(ontology: Ontology) -> str:
    """Which root lengths and contents are counted from."""
    hierarchy = ontology.hierarchy
    if not hierarchy.has_root:
        return "none"
    return "added" if hierarchy.root_added else hierarchy.iris[0]
