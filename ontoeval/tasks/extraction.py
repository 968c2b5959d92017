"""`Extraction`: response and key: names to concepts, unknown=, by=, kb=; `similarity` of pairs; `check` of both."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ontoeval.concepts.pairs import PairList
from ontoeval.concepts.space import Space
from ontoeval.edit.individuals import populate
from ontoeval.errors import (
    LoadError,
    Message,
    MissingInputError,
    ParameterError,
    UnknownConceptError,
    listed,
    number_of,
)
from ontoeval.model.arrays import FloatArray, IntArray, LongArray, row_codes
from ontoeval.model.cache import Cached
from ontoeval.model.corpus import Corpus
from ontoeval.model.instances import joined_names
from ontoeval.model.lexicon import is_iri, local_name
from ontoeval.model.lookup import find_property, is_alternative_label, possible_meanings
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.concept_pairs import root_rule, weight_settings
from ontoeval.tasks.extraction_warnings import extraction_warnings
from ontoeval.tasks.unknown_classes import refuse_unknown

By = Literal["class", "instance"]
Unknown = Literal["keep", "drop", "error"]
Ties = Literal["label", "trec_eval"]  # the order of labels with equal scores
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

    def select(self, rows: LongArray) -> Side:
        """Some of the annotations."""
        return Side(*(getattr(self, column)[rows] for column in self.__dataclass_fields__))


@dataclass(frozen=True, eq=False)
class Extraction(Cached):
    """A response (what is judged), a key (what is true), and the ontology their classes are from.

    Without an ontology classes are compared as strings. `by="instance"` judges the annotated individuals: two are the
    same if their IRIs are, or owl:sameAs joins them; with `kb` individuals whose IRIs do not start with this are one
    unknown entity. Others are as similar as leaves below their classes (edit/individuals.py): those that the ontology
    says, else those of their annotations in the key, else in the response. One without any is similar to itself alone.

    Examples
    --------
    >>> import ontoeval as oe
    >>> gold = oe.Corpus.from_spans({"doc": [(0, 6, "City"), (10, 16, "Country")]})
    >>> response = oe.Corpus.from_spans({"doc": [(0, 6, "City"), (10, 16, "City")]})
    >>> oe.evaluate(oe.Extraction(response, gold), "F")["F"].value
    0.5
    """

    response: Corpus
    key: Corpus
    ontology: Ontology | None = None
    by: By = "class"
    unknown: Unknown = "keep"  # classes that the ontology does not have: wrong, left out on both sides, or refused
    kb: str | None = None

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("by", self.by, ("class", "instance")),
            ("unknown", self.unknown, ("keep", "drop", "error")),
        ):
            if value not in allowed:
                raise ParameterError(
                    f"unknown value {name}={value!r}", advice=f"Use one of: {', '.join(allowed)}.", parameter=name
                )
        if self.response.labels != self.key.labels and len(self.response) and len(self.key):
            raise ParameterError(
                "one side has spans of text and the other labels of documents", advice="Use the same kind for both."
            )
        if bool(self.response.things) != bool(self.key.things) and len(self.response) and len(self.key):
            raise ParameterError(
                "one side is a populated ontology and the other has spans of text", advice="Use the same kind for both."
            )
        if self.unknown == "error":
            refuse_unknown(self)

    @cached_property
    def warnings(self) -> tuple[Message, ...]:
        """Why numbers may mislead."""
        return tuple(extraction_warnings(self))

    def __repr__(self) -> str:
        sides = f"{self.response.source.path} with {self.key.source.path}"
        return f"<Extraction of {sides}: {len(self.documents):,} documents>"

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The documents of both sides; one that only one side has is empty on the other."""
        return tuple(sorted({*self.response.documents, *self.key.documents}))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The different names of classes, or of individuals, that are compared."""
        return tuple(sorted({*self.judged_names(self.response), *self.judged_names(self.key)}))

    def judged_names(self, corpus: Corpus) -> list[str]:
        """For each class (individual) of a corpus the name it is compared by."""
        if self.by == "class":
            return [name.strip() or name for name in corpus.concepts]  # blanks at the ends are typing errors
        return [self._individual(name) for name in corpus.instances]

    @cached_property
    def _same_individuals(self) -> dict[str, list[str]]:
        """For every IRI that owl:sameAs joins with others, on either side, all of them."""
        of_ontology = () if self.ontology is None else self.ontology.individual_names.same
        return joined_names([*self.key.same.items(), *self.response.same.items(), *of_ontology])

    def _individual(self, name: str) -> str:
        """The IRI that stands for an individual: of all that owl:sameAs joins one in the knowledge base, the least."""
        inside = [iri for iri in self._same_individuals.get(name, [name]) if self.kb is None or iri.startswith(self.kb)]
        return min(inside, default=OUTSIDE)

    @cached_property
    def _populated(self) -> tuple[Ontology, LongArray]:
        """The ontology with the individuals as leaves, and beside `names` their ids; -1 for one without a class."""
        assert self.ontology is not None  # noqa: S101 - asked for only with one
        told = [self._told_classes(corpus) for corpus in (self.key, self.response)]
        iris = {name: [] if name == OUTSIDE else self._same_individuals.get(name, [name]) for name in self.names}
        further = {name: told[0].get(name) or told[1].get(name, ()) for name in self.names if name != OUTSIDE}
        return populate(self.ontology, iris, further)

    def _told_classes(self, corpus: Corpus) -> dict[str, tuple[int, ...]]:
        """The concepts that the annotations of a corpus give to each individual."""
        by_class = replace(self, by="class", unknown="keep")
        concept_of = dict(zip(by_class.names, by_class.concept_of.tolist(), strict=True))
        concepts = np.array([*(concept_of[name] for name in by_class.judged_names(corpus)), -1], dtype=np.int64)
        rows = np.unique(np.stack([corpus.instance.astype(np.int64), concepts[corpus.concept]]), axis=1)
        names, result = self.judged_names(corpus), dict[str, tuple[int, ...]]()
        for instance, concept in rows[:, (rows >= 0).all(axis=0)].T.tolist():
            result[names[instance]] = (*result.get(names[instance], ()), concept)
        return result

    @property
    def without_class(self) -> tuple[str, ...]:
        """With `by="instance"`: the individuals without a class, where others have one; they only equal themselves."""
        if self.by != "instance" or self.ontology is None or not (self._populated[1] >= 0).any():
            return ()
        return tuple(name for name, concept in zip(self.names, self._populated[1].tolist(), strict=True) if concept < 0)

    @cached_property
    def _meanings(self) -> list[tuple[tuple[int, ...], bool]]:
        """For each name the concepts it can mean, and whether they have only its local name."""
        assert self.ontology is not None  # noqa: S101 - nothing is looked up without one
        result = []
        for name in self.names:
            concepts = possible_meanings(self.ontology, name)
            by_local_name = not concepts and is_iri(name)
            if by_local_name:
                concepts = possible_meanings(self.ontology, local_name(name))
            result.append((concepts, by_local_name))
        return result

    @cached_property
    def concept_of(self) -> LongArray:
        """Beside `names`: the concept, -1 for a name that fits none or several; without an ontology its own number."""
        if self.flat:
            return np.arange(len(self.names))
        return np.array([meant[0] if len(meant) == 1 else -1 for meant, _ in self._meanings], dtype=np.int64)

    def knows_any(self, names: Iterable[str]) -> bool:
        """True if one of the names is that of a concept."""
        known = {name for name, concept in zip(self.names, self.concept_of.tolist(), strict=True) if concept >= 0}
        return not known.isdisjoint(names)

    @cached_property
    def unknown_names(self) -> tuple[str, ...]:
        """The names that fit no concept."""
        if self.flat:
            return ()
        return tuple(name for name, (meant, _) in zip(self.names, self._meanings, strict=True) if not meant)

    @cached_property
    def property_names(self) -> Mapping[str, str]:
        """Those of `unknown_names` that the ontology has as properties, with the IRIs of these."""
        if self.ontology is None:
            return {}
        properties = ((name, find_property(self.ontology, name)) for name in self.unknown_names)
        return {name: iri for name, iri in properties if iri is not None}

    @cached_property
    def ambiguous(self) -> Mapping[str, tuple[str, ...]]:
        """The names that fit several concepts, with their IRIs; they count as unknown."""
        if self.ontology is None or self.flat:
            return {}
        iris = self.ontology.hierarchy.iris
        meanings = zip(self.names, self._meanings, strict=True)
        return {name: tuple(iris[concept] for concept in meant) for name, (meant, _) in meanings if len(meant) > 1}

    @cached_property
    def elsewhere(self) -> tuple[str, ...]:
        """The IRIs that the ontology has in another namespace only; the concept is found by their local name."""
        if self.flat:
            return ()
        meanings = zip(self.names, self._meanings, strict=True)
        return tuple(name for name, (meant, by_local_name) in meanings if by_local_name and len(meant) == 1)

    def check(self) -> None:
        """Refuse what would only be scored as 0 or 1 because the two sides do not go together.

        By definition such scores exist (a document that one side lacks is empty there, an unknown class is wrong), so
        measures compute them; a user hardly ever means it, so commands ask here first.
        """
        check_sides(self)

    @cached_property
    def response_side(self) -> Side:
        """The response in the numbering of the task."""
        return self._side(self.response)

    @cached_property
    def key_side(self) -> Side:
        """The key in the numbering of the task."""
        return self._side(self.key)

    def _side(self, corpus: Corpus) -> Side:
        document_number = {name: i for i, name in enumerate(self.documents)}
        document = np.array([document_number[name] for name in corpus.documents], dtype=np.int32)
        name_number = {name: i for i, name in enumerate(self.names)}
        numbers = np.array([*(name_number[name] for name in self.judged_names(corpus)), -1], dtype=np.int32)
        name = numbers[corpus.concept if self.by == "class" else corpus.instance]
        concept = np.concatenate([self.concept_of, [-1]])[name]
        start, end = corpus.start, corpus.end
        if corpus.things:
            thing_number = {name: i for i, name in enumerate(self.things)}
            start = np.array([thing_number[self._one_name(name)] for name in corpus.things], dtype=np.int64)[start]
            end = start + 1
        side = Side(document[corpus.document], start, end, name, concept, corpus.score)
        if corpus.things:
            side = side.select(self._different(corpus, side))
        if self.unknown != "drop":
            return side
        # without a class it is not one that is unknown
        return side.select(np.flatnonzero((side.concept >= 0) | (side.name < 0)))

    def _different(self, corpus: Corpus, side: Side) -> LongArray:
        """The first of equal annotations: an individual has a class once, whichever of its IRIs (owl:sameAs) has it."""
        names = {name: i for i, name in enumerate(sorted({self._one_name(name) for name in corpus.instances}))}
        numbers = np.array([*(names[self._one_name(name)] for name in corpus.instances), -1], dtype=np.int64)
        codes = row_codes([side.start, numbers[corpus.instance], side.name.astype(np.int64) + 1])
        return np.sort(np.unique(codes, return_index=True)[1])

    @cached_property
    def things(self) -> tuple[str, ...]:
        """What the annotations are about, if it is not a text; of several IRIs of one individual one."""
        return tuple(sorted({self._one_name(name) for side in (self.response, self.key) for name in side.things}))

    def _one_name(self, name: str) -> str:
        """The least of all names that owl:sameAs joins with this one."""
        return min(self._same_individuals.get(name, [name]))

    @property
    def labels(self) -> bool:
        """Whole documents have labels, in place of annotated spans of text."""
        sides = self.response, self.key
        return any(corpus.labels for corpus in [corpus for corpus in sides if len(corpus)] or sides)

    @property
    def flat(self) -> bool:
        """Usually names can only be the same or not: there is no ontology, or individuals are compared."""
        return self.ontology is None or self.by == "instance"

    def similarity(self, key: LongArray, response: LongArray, measure: str, values: Values) -> FloatArray:
        """sim(K, R) of pairs of `Side.concept` (-1 unknown), each different pair computed once; `measure` names it.

        The same known concept has 1, an unknown one 0 with everything, itself included.
        """
        result = np.zeros(len(key))
        known = np.flatnonzero((key >= 0) & (response >= 0))
        result[known] = key[known] == response[known]
        if measure == "Flat":
            return result
        ontology, ids = self._related(measure)
        self._refuse_label_weight(ontology)
        other = known[(key[known] != response[known]) & (ids[key[known]] >= 0) & (ids[response[known]] >= 0)]
        if not len(other):
            return result
        size = len(ontology.hierarchy)
        pairs, inverse = np.unique(ids[key[other]] * size + ids[response[other]], return_inverse=True)
        # the response is left, as what is scored
        similarities = values(PairList(Space.of(ontology), pairs % size, pairs // size))
        missing = np.count_nonzero(np.isnan(similarities))
        if missing:
            raise MissingInputError(
                f"{measure} has no value for {missing:,} of {len(pairs):,} pairs of classes",
                advice="Choose another similarity.",
            )
        result[other] = np.clip(similarities, 0.0, 1.0)[inverse]
        return result

    def _refuse_label_weight(self, ontology: Ontology) -> None:
        """Refuse a weight of altLabel if a class was looked up so: classes are compared as concepts, not as terms."""
        if not ontology.weights.label or self.by == "instance":
            return
        meanings = zip(self.names, self.concept_of.tolist(), strict=True)
        names = [name for name, c in meanings if c >= 0 and is_alternative_label(ontology, name, c)]
        if names:
            classes = number_of(len(names), "class is", "classes are")
            raise ParameterError(
                f"{classes} named by an altLabel ({listed(names)}), but a weight for altLabel needs pairs of terms",
                advice="Remove altLabel from {weights}.",
                parameter="weights",
            )

    def _related(self, measure: str) -> tuple[Ontology, LongArray]:
        """The ontology in which similarities are computed, and the id there of each `Side.concept`."""
        if self.ontology is None:
            raise MissingInputError(
                f"{measure} needs an ontology",
                advice="Set {ontology}, or use Flat.",
            )
        if self.by == "class":
            return self.ontology, np.arange(len(self.ontology.hierarchy))
        populated, ids = self._populated
        if len(ids) and not (ids >= 0).any():
            raise MissingInputError(
                f"{measure} needs classes, but no individual has a class in {self.ontology.source.path} or in an "
                f"annotation ({number_of(len(ids), 'individual', 'individuals')})",
                advice="Use an ontology with these individuals, set {instances=FILE}, or use Flat.",
            )
        return populated, ids

    @property
    def inputs(self) -> Mapping[str, Any]:
        """What was scored, against what, and the ontology."""
        corpora = {"response": self.response, "key": self.key}
        return corpora if self.ontology is None else {**corpora, "ontology": self.ontology}

    @property
    def settings(self) -> Mapping[str, Any]:
        """How the task was set up."""
        settings: dict[str, Any] = {"by": self.by, "unknown": self.unknown, "documents": len(self.documents)}
        if self.kb is not None:
            settings["kb"] = self.kb
        if self.ontology is not None:
            settings["root"] = root_rule(self.ontology)
            settings["unknown_names"] = len(self.unknown_names) + len(self.ambiguous)
            settings |= weight_settings(self.inputs)
        return settings

    @property
    def fingerprint(self) -> str:
        """A hash of nothing: all is in inputs and settings."""
        return hashlib.sha256(b"").hexdigest()

    @property
    def unit_names(self) -> Mapping[str, tuple[Any, ...]]:
        """The names of what local scores are about: documents, annotations."""
        annotations = _AnnotationNames(self)
        return {
            "document": (self.documents, self.documents.__getitem__),
            "annotation": (annotations, annotations.label, None, annotations.document),
        }

    def documents_of(self, annotations: LongArray) -> LongArray:
        """The documents of annotations by number: first come those of the key, then those of the response."""
        both = np.concatenate([self.key_side.document, self.response_side.document])
        return both[annotations].astype(np.int64)


class _AnnotationNames:
    """The names of single annotations, by number as in `documents_of`; made when asked for."""

    def __init__(self, task: Extraction) -> None:
        self.task = task

    def _locate(self, number: int) -> tuple[str, Side, int]:
        """The role of the side, the side, and the position in it."""
        size = len(self.task.key_side)
        if number < size:
            return "key", self.task.key_side, number
        return "response", self.task.response_side, number - size

    def __getitem__(self, number: int) -> str:
        """`document#char=12,20;key=3`, `population#IRI;key=3`: the place, and which annotation of that side it is."""
        role, side, position = self._locate(number)
        document = int(side.document[position])
        within = position - int(np.searchsorted(side.document, document))
        if self.task.things:
            return f"{self.task.documents[document]}#{self.task.things[side.start[position]]};{role}={within}"
        return f"{self.task.documents[document]}#char={side.start[position]},{side.end[position]};{role}={within}"

    def label(self, number: int) -> str:
        """The class, the span, the document and the side in words."""
        role, side, position = self._locate(number)
        name = int(side.name[position])
        shown = self.task.names[name] if name >= 0 else "no class"
        if self.task.things:
            return f"{shown} of {self.task.things[side.start[position]]} ({role})"
        return f"{shown} at {side.start[position]} to {side.end[position]} of {self.document(number)} ({role})"

    def document(self, number: int) -> str:
        """The name of the document."""
        _, side, position = self._locate(number)
        return self.task.documents[int(side.document[position])]


def check_sides(task: Extraction) -> None:
    """See `Extraction.check`."""
    _check_documents(task)
    _check_texts(task)
    for corpus, side in ((task.response, task.response_side), (task.key, task.key_side)):
        if len(side) and not (side.name >= 0).any():
            article, parameter = ("an", "instance_feature") if task.by == "instance" else ("a", "class_feature")
            raise LoadError(
                f"no annotation has {article} {task.by} ({number_of(len(side), 'annotation', 'annotations')})",
                path=corpus.source.path,
                advice=f"Set {{{parameter}}} to the feature with the {task.by}.",
                parameter=parameter,
            )
        names = sorted(set(task.judged_names(corpus)))
        if task.ontology is not None and not task.flat and names and not task.knows_any(names):
            raise UnknownConceptError(
                f"no class of {corpus.source.path} is in {task.ontology.source.path}: {listed(map(repr, names))}",
                advice="Use the ontology of these classes, or none to compare their names.",
            )


def _check_documents(task: Extraction) -> None:
    sides = task.response.documents, task.key.documents
    if all(sides) and not set(sides[0]) & set(sides[1]):
        names = [listed(map(repr, side)) for side in sides]
        raise ParameterError(
            f"{task.response.source.path} and {task.key.source.path} have no documents in common. The first has "
            f"{names[0]}; the second has {names[1]}",
            advice="Use the same names for the same documents.",
        )


def _check_texts(task: Extraction) -> None:
    """The texts of both sides are equally long, and no annotation reaches beyond the text that the other side has."""
    for corpus, other in ((task.response, task.key), (task.key, task.response)):
        lengths = dict(zip(other.documents, other.lengths.tolist(), strict=True))
        other_length = np.array([lengths.get(name, -1) for name in corpus.documents], dtype=np.int64)
        differ = np.flatnonzero((corpus.lengths >= 0) & (other_length >= 0) & (corpus.lengths != other_length))
        if len(differ):
            first = int(differ[0])
            more = f" (and {len(differ) - 1:,} more differ)" if len(differ) > 1 else ""
            length = number_of(corpus.lengths[first], "character", "characters")
            raise LoadError(
                f"the text of document {corpus.documents[first]!r} has "
                f"{length}, but {other_length[first]:,} in {other.source.path}{more}",
                path=corpus.source.path,
                advice="Use annotations of the same texts.",
            )
        limit = other_length[corpus.document]
        beyond = np.flatnonzero((limit >= 0) & (corpus.end > limit))
        if len(beyond):
            first = int(beyond[0])
            raise LoadError(
                f"an annotation of document {corpus.documents[corpus.document[first]]!r} ends at "
                f"{corpus.end[first]:,}, but the text in {other.source.path} has "
                f"{number_of(limit[first], 'character', 'characters')}",
                path=corpus.source.path,
                advice="Use annotations of the same text.",
            )
