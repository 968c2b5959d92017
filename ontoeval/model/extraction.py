"""Annotations against annotations as a task."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ontoeval.errors import MissingInputError, ParameterError, UnknownConceptError, listed
from ontoeval.model.arrays import FloatArray, IntArray, LongArray
from ontoeval.model.concepts import root_rule
from ontoeval.model.corpus import Corpus
from ontoeval.model.lexicon import is_iri, local_name
from ontoeval.model.lookup import resolved
from ontoeval.model.ontology import Ontology
from ontoeval.model.pairing import PairList

By = Literal["class", "instance"]
Unknown = Literal["keep", "drop", "error"]
Values = Callable[[PairList], FloatArray]  # of a concept measure
OUTSIDE = "(outside the knowledge base)"


@dataclass(frozen=True, eq=False)
class Side:
    """The annotations of one side in the numbering of the task, in the order of its corpus."""

    document: IntArray
    start: LongArray
    end: LongArray
    name: IntArray  # position in Extraction.names, -1: it has none
    concept: LongArray  # id in the ontology, -1: unknown or none
    score: FloatArray

    def __len__(self) -> int:
        return len(self.document)


@dataclass(frozen=True, eq=False)
class Extraction:
    """A response (what is judged), a key (what is true), and the ontology their classes are from.

    Without an ontology classes are compared as strings. `by="instance"` judges the annotated individuals: two are the
    same if their IRIs are, or owl:sameAs joins them; with `kb` all IRIs that do not start so are one unknown entity.
    """

    response: Corpus
    key: Corpus
    ontology: Ontology | None = None
    by: By = "class"
    unknown: Unknown = "keep"  # classes that the ontology does not have: wrong, left out on both sides, or refused
    kb: str | None = None
    _cache: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("by", self.by, ("class", "instance")),
            ("unknown", self.unknown, ("keep", "drop", "error")),
        ):
            if value not in allowed:
                raise ParameterError(f"{name}={value!r} is none of {', '.join(allowed)}. Choose one of them.")
        if self.response.labels != self.key.labels and len(self.response) and len(self.key):
            raise ParameterError("one side has spans of text and the other labels of documents. Give two of a kind.")
        if self.unknown == "error" and self.unknown_names:
            several = len(self.unknown_names) > 1
            classes = f"{len(self.unknown_names):,} classes are" if several else "1 class is"
            raise UnknownConceptError(
                f"{classes} not in the ontology: {listed(self.unknown_names)}. "
                f"Correct {'them' if several else 'it'}, or leave --strict out."
            )

    def __repr__(self) -> str:
        sides = f"{self.response.source.path} with {self.key.source.path}"
        return f"<Extraction of {sides}: {len(self.documents):,} documents>"

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The documents of both sides; one that only one side has is empty on the other."""
        return tuple(sorted({*self.response.documents, *self.key.documents}))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What is judged: the different names of classes, or of individuals."""
        return tuple(sorted({*self._named(self.response), *self._named(self.key)}))

    def _named(self, corpus: Corpus) -> list[str]:
        """For each class (individual) of a corpus the name it is judged by."""
        if self.by == "class":
            return list(corpus.concepts)
        same = {**self.key.same, **self.response.same}
        return [self._individual(name, same) for name in corpus.instances]

    def _individual(self, name: str, same: Mapping[str, str]) -> str:
        """The IRI that stands for an individual: of all that owl:sameAs joins one in the knowledge base, the least."""
        joined = _joined(name, same)
        inside = sorted(iri for iri in joined if self.kb is None or iri.startswith(self.kb))
        return inside[0] if inside else OUTSIDE

    @cached_property
    def concept_of(self) -> LongArray:
        """Beside `names`: the concept, -1 for a name that fits none. Without an ontology every name is its own."""
        if self.ontology is None or self.by == "instance":
            return np.arange(len(self.names))
        found = [_concept(self.ontology, name.strip()) for name in self.names]
        return np.array([-1 if concept is None else concept for concept in found], dtype=np.int64)

    @cached_property
    def unknown_names(self) -> tuple[str, ...]:
        """The names that fit no concept."""
        return tuple(self.names[i] for i in np.flatnonzero(self.concept_of < 0).tolist())

    @cached_property
    def response_side(self) -> Side:
        return self._side(self.response)

    @cached_property
    def key_side(self) -> Side:
        return self._side(self.key)

    def _side(self, corpus: Corpus) -> Side:
        place = {name: i for i, name in enumerate(self.documents)}
        document = np.array([place[name] for name in corpus.documents], dtype=np.int32)
        number = {name: i for i, name in enumerate(self.names)}
        new = np.array([*(number[name] for name in self._named(corpus)), -1], dtype=np.int32)
        name = new[corpus.concept if self.by == "class" else corpus.instance]
        concept = np.concatenate([self.concept_of, [-1]])[name]
        side = Side(document[corpus.document], corpus.start, corpus.end, name, concept, corpus.score)
        if self.unknown != "drop":
            return side
        keep = np.flatnonzero(concept >= 0)
        return Side(
            *(getattr(side, column)[keep] for column in ("document", "start", "end", "name", "concept", "score"))
        )

    @property
    def labels(self) -> bool:
        """Whole documents have labels, in place of annotated spans of text."""
        given = [corpus for corpus in (self.response, self.key) if len(corpus)]
        return any(corpus.labels for corpus in given or (self.response, self.key))

    @property
    def flat(self) -> bool:
        """Names can only be the same or not: there is no ontology, or individuals are judged."""
        return self.ontology is None or self.by == "instance"

    def similarity(self, key: LongArray, response: LongArray, measure: str, values: Values) -> FloatArray:
        """sim(K, R) of pairs of concepts (ids, -1 unknown), each different pair computed once; `measure` names it.

        The same known concept has 1, an unknown one 0 with everything, itself included.
        """
        if self.flat and measure != "Flat":
            raise MissingInputError(
                f"{measure} is a similarity of concepts and needs an ontology and classes. Give --ontology, "
                "or take Flat."
            )
        result = np.zeros(len(key))
        known = np.flatnonzero((key >= 0) & (response >= 0))
        result[known] = key[known] == response[known]
        other = known[key[known] != response[known]]
        if measure == "Flat" or not len(other):
            return result
        assert self.ontology is not None  # noqa: S101 - not flat
        size = len(self.ontology.hierarchy)
        pairs, which = np.unique(key[other] * size + response[other], return_inverse=True)
        # what is judged stands left: the response
        made = values(PairList(self.ontology.space, pairs % size, pairs // size))
        if np.isnan(made).any():
            raise MissingInputError(
                f"{measure} has no value for {np.count_nonzero(np.isnan(made)):,} of {len(pairs):,} pairs of classes. "
                "Take another similarity."
            )
        result[other] = np.clip(made, 0.0, 1.0)[which]
        return result

    def cached(self, what: Any, make: Callable[[], Any]) -> Any:
        """What several measures need, made once."""
        if what not in self._cache:
            self._cache[what] = make()
        return self._cache[what]

    @property
    def inputs(self) -> Mapping[str, Any]:
        given = {"response": self.response, "key": self.key}
        return given if self.ontology is None else {**given, "ontology": self.ontology}

    @property
    def settings(self) -> Mapping[str, Any]:
        """How the task was set up."""
        said: dict[str, Any] = {"by": self.by, "unknown": self.unknown, "documents": len(self.documents)}
        if self.kb is not None:
            said["kb"] = self.kb
        if self.ontology is not None:
            said["root"] = root_rule(self.ontology)
            said["unknown_names"] = len(self.unknown_names)
        return said

    @property
    def fingerprint(self) -> str:
        """Nothing that inputs and settings do not tell."""
        return hashlib.sha256(b"").hexdigest()

    @property
    def called(self) -> Mapping[str, tuple[Any, ...]]:
        """The names of what local scores are about."""
        single = _Annotations(self)
        return {
            "document": (self.documents, self.documents.__getitem__),
            "annotation": (single, single.label, None, single.document),
        }

    def documents_of(self, annotations: LongArray) -> LongArray:
        """The documents of annotations by number: first come those of the key, then those of the response."""
        both = np.concatenate([self.key_side.document, self.response_side.document])
        return both[annotations].astype(np.int64)


class _Annotations:
    """What single annotations are called, by number as in `documents_of`; made when asked for."""

    def __init__(self, task: Extraction) -> None:
        self.task = task

    def _place(self, number: int) -> tuple[str, Side, int]:
        size = len(self.task.key_side)
        if number < size:
            return "key", self.task.key_side, number
        return "response", self.task.response_side, number - size

    def __getitem__(self, number: int) -> str:
        """`document#char=12,20;key=3`: the span, and which annotation of the document on that side it is."""
        role, side, place = self._place(number)
        own = int(side.document[place])
        among = place - int(np.searchsorted(side.document, own))
        return f"{self.task.documents[own]}#char={side.start[place]},{side.end[place]};{role}={among}"

    def label(self, number: int) -> str:
        role, side, place = self._place(number)
        name = int(side.name[place])
        said = self.task.names[name] if name >= 0 else "no class"
        return f"{said} at {side.start[place]} to {side.end[place]} of {self.document(number)} ({role})"

    def document(self, number: int) -> str:
        _, side, place = self._place(number)
        return self.task.documents[int(side.document[place])]


def _concept(ontology: Ontology, name: str) -> int | None:
    """The concept of an IRI, a CURIE, a local name or a label; of an IRI in another namespace by its local name."""
    found = resolved(ontology, name)
    return resolved(ontology, local_name(name)) if found is None and is_iri(name) else found


def _joined(name: str, same: Mapping[str, str]) -> set[str]:
    """All IRIs that owl:sameAs joins with one, itself included."""
    found, waiting = {name}, [name]
    while waiting:
        here = waiting.pop()
        for other in [same.get(here), *(a for a, b in same.items() if b == here)]:
            if other is not None and other not in found:
                found.add(other)
                waiting.append(other)
    return found
