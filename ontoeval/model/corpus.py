"""`Corpus`: annotations as sorted columns, `from_spans`, `from_labels`, `cut`; `Annotation` (files: load/corpora/)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.model.arrays import FloatArray, IntArray, LongArray, freeze
from ontoeval.model.ontology import Source

FURTHEST = 1 << 53  # offsets stay below it, so that they are exact as floating-point numbers
NOWHERE = -1  # start and end of a label, which is about the whole document


class Annotation(NamedTuple):
    """What a reader finds at one place of a document; offsets are half open and count characters (code points)."""

    start: int
    end: int
    concept: str | None  # as written: an IRI, a local name, a label, ...; "" is a name, too
    instance: str | None = None
    score: float | None = None
    features: str = ""  # all its other features as one text: equal spans are ordered by it


class AnnotatedDocument(NamedTuple):
    """One document as a reader gives it."""

    name: str
    annotations: Sequence[Annotation]
    length: int | None = None  # characters of the text, if it is known


@dataclass(frozen=True, eq=False)
class Corpus:
    """Annotations as columns, sorted by document, start, end, concept, instance and features.

    `concept` and `instance` are positions in `concepts` and `instances`, -1 for none. The labels of whole documents
    stand `NOWHERE`, in the order of their score, the greatest first, then by name.

    Examples
    --------
    >>> import ontoeval as oe
    >>> corpus = oe.Corpus.from_spans({"doc": [(0, 6, "City"), (10, 16, "Country")]})
    >>> len(corpus), corpus.concepts
    (2, ('City', 'Country'))
    """

    documents: tuple[str, ...]  # sorted
    lengths: LongArray  # characters of each document's text, -1 if unknown
    document: IntArray  # beside all that follow
    start: LongArray
    end: LongArray
    concept: IntArray
    instance: IntArray
    score: FloatArray  # nan without one
    concepts: tuple[str, ...]  # the different names, sorted
    instances: tuple[str, ...]
    labels: bool  # of whole documents
    same: Mapping[str, str] = field(default_factory=dict)  # IRI -> another of the same individual (owl:sameAs)
    things: tuple[
        str, ...
    ] = ()  # what annotations are about, if not a text: `start` is a position here, `end` the next
    source: Source = field(default_factory=Source)

    def __post_init__(self) -> None:
        for name in ("lengths", "document", "start", "end", "concept", "instance", "score"):
            freeze(getattr(self, name))

    @classmethod
    def build(
        cls,
        documents: Iterable[AnnotatedDocument],
        *,
        labels: bool = False,
        same: Mapping[str, str] | None = None,
        source: Source | None = None,
    ) -> Corpus:
        """Make a corpus of documents in any order; one that comes twice is one document."""
        builder = _Builder()
        for document in documents:
            builder.add(document)
        return builder.corpus(labels, same or {}, source or Source(profile="corpus"))

    @classmethod
    def from_spans(cls, documents: Mapping[str, Iterable[Sequence[Any]]], *, name: str = "(memory)") -> Corpus:
        """A corpus of {document: [(start, end, concept), ...]}; an instance and a score may follow the concept."""
        annotated = [
            AnnotatedDocument(document, [_span(span, document) for span in spans])
            for document, spans in _documents(documents)
        ]
        return cls.build(annotated, source=Source(path=name, profile="corpus"))

    @classmethod
    def from_labels(
        cls, documents: Mapping[str, Iterable[str | tuple[str, float]]], *, name: str = "(memory)"
    ) -> Corpus:
        """A corpus of {document: [concept, ...]}, or of [(concept, score), ...]."""
        annotated = [
            AnnotatedDocument(document, [_label(label, document) for label in labels])
            for document, labels in _documents(documents)
        ]
        return cls.build(annotated, labels=True, source=Source(path=name, profile="corpus"))

    def __repr__(self) -> str:
        what = "labels" if self.labels else "annotations"
        return f"<Corpus {self.source.path}: {len(self.documents):,} documents, {len(self):,} {what}>"

    def __len__(self) -> int:
        """The number of annotations."""
        return len(self.document)

    def cut(self, *, limit: int | None = None, threshold: float | None = None) -> Corpus:
        """The `limit` best labels of each document, and of these those with a score of at least `threshold`.

        Equal scores go by name; a label that comes twice counts once, with its best score. The documents stay.
        """
        if limit is None and threshold is None:
            return self
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < 0):
            raise ParameterError(f"limit must be a whole number >= 0, not {limit!r}", parameter="limit")
        if threshold is not None and not np.isfinite(threshold):
            raise ParameterError(f"threshold must be a finite number, not {threshold!r}", parameter="threshold")
        if len(self) and (not self.labels or np.isnan(self.score).all()):
            what = "labels without scores" if self.labels else "annotations of spans of text"
            raise ParameterError(
                f"{self.source.path} has {what}; a limit or a minimum score needs labels with scores",
                advice="Remove {limit} and {threshold}.",
            )
        # sorted by document and score: the first of each name has its best place
        names = self.document * np.int64(len(self.concepts) + 1) + self.concept
        kept = np.sort(np.unique(names, return_index=True)[1])
        document = self.document[kept]
        rank = np.arange(len(kept)) - np.searchsorted(document, document)
        keep = np.ones(len(kept), dtype=bool) if limit is None else rank < limit
        if threshold is not None:
            keep &= self.score[kept] >= threshold  # no score: not reached
        kept = kept[keep]
        columns = ("document", "start", "end", "concept", "instance", "score")
        return replace(self, **{column: getattr(self, column)[kept] for column in columns})

    @cached_property
    def digest(self) -> str:
        """A hash of all that measures look at."""
        hashed = hashlib.sha256()
        for texts in (self.documents, self.concepts, self.instances):
            hashed.update("\x1f".join(texts).encode("utf-8", "surrogatepass") + b"\x1e")
        for column in (self.lengths, self.document, self.start, self.end, self.concept, self.instance, self.score):
            hashed.update(np.ascontiguousarray(column, dtype=np.float64).tobytes() + b"\x1e")
        hashed.update(repr((self.labels, sorted(self.same.items()))).encode())
        if self.things:
            hashed.update("\x1f".join(self.things).encode("utf-8", "surrogatepass"))
        return hashed.hexdigest()


class _Builder:
    """Rows of annotations, collected while documents are read, and the corpus of them."""

    def __init__(self) -> None:
        self.documents: dict[str, int] = {}
        self.lengths: list[int] = []
        self.names: dict[str, int] = {}
        self.individuals: dict[str, int] = {}
        self.features: dict[str, int] = {}
        self.rows: list[tuple[int, int, int, int, int, float, int]] = []
        self.blocks: list[np.ndarray[Any, Any]] = []  # earlier rows

    def add(self, document: AnnotatedDocument) -> None:
        number = self.documents.setdefault(document.name, len(self.documents))
        if number == len(self.lengths):
            self.lengths.append(-1)
        if document.length is not None:
            self.lengths[number] = document.length
        for start, end, concept, instance, score, features in document.annotations:
            self.rows.append(
                (
                    number,
                    start,
                    end,
                    -1 if concept is None else self.names.setdefault(concept, len(self.names)),
                    -1 if instance is None else self.individuals.setdefault(instance, len(self.individuals)),
                    np.nan if score is None else score,
                    self.features.setdefault(features, len(self.features)),
                )
            )
        if len(self.rows) > 100_000:  # tuples take ten times the memory of an array
            self._pack()

    def _pack(self) -> None:
        self.blocks.append(np.array(self.rows, dtype=np.float64).reshape(-1, 7))
        self.rows = []

    def corpus(self, labels: bool, same: Mapping[str, str], source: Source) -> Corpus:
        self._pack()
        table = np.concatenate(self.blocks)
        documents, document = _sort_names(self.documents, table[:, 0])
        concepts, concept = _sort_names(self.names, table[:, 3])
        instances, instance = _sort_names(self.individuals, table[:, 4])
        _, feature = _sort_names(self.features, table[:, 6])
        start, end, score = table[:, 1].astype(np.int64), table[:, 2].astype(np.int64), table[:, 5]
        falling = np.where(np.isnan(score), np.inf, -score) if labels else np.zeros(len(score))
        order = np.lexsort((feature, instance, concept, falling, end, start, document))
        lengths = np.array(self.lengths, dtype=np.int64)[[self.documents[name] for name in documents]]
        return Corpus(
            documents,
            lengths if len(documents) else np.zeros(0, dtype=np.int64),
            document[order],
            start[order],
            end[order],
            concept[order],
            instance[order],
            score[order],
            concepts,
            instances,
            labels,
            dict(same),
            source=source,
        )


def _sort_names(numbers: Mapping[str, int], column: FloatArray) -> tuple[tuple[str, ...], IntArray]:
    """The names in order, and a column of their numbers in the new numbering; -1 stays."""
    names = tuple(sorted(numbers))
    new = np.full(len(names) + 1, -1, dtype=np.int32)  # the last one is for -1
    new[[numbers[name] for name in names]] = np.arange(len(names), dtype=np.int32)
    return names, new[column.astype(np.int64)]


def _documents(documents: Any) -> list[tuple[str, list[Any]]]:
    """The documents of a mapping with the list of annotations of each."""
    if not isinstance(documents, Mapping):
        raise ParameterError(
            f"documents must be a mapping, not {type(documents).__name__}",
            advice="Use {document: [...]}.",
            parameter="documents",
        )
    for name, entries in documents.items():
        if not isinstance(name, str) or isinstance(entries, str) or not isinstance(entries, Iterable):
            raise ParameterError(
                f"{name!r}: {entries!r} is not a document",
                advice="Use a name and a list of its annotations.",
                parameter="documents",
            )
    return [(name, list(entries)) for name, entries in documents.items()]


def _span(span: Any, document: str) -> Annotation:
    fits = isinstance(span, list | tuple) and 3 <= len(span) <= len(Annotation._fields)
    ends = [end for end in span[:2] if isinstance(end, int | np.integer) and not isinstance(end, bool)] if fits else []
    if len(ends) < 2 or not 0 <= ends[0] <= ends[1] < FURTHEST:
        raise ParameterError(
            f"{span!r} in document {document!r} is not an annotation",
            advice="Use (start, end, concept) with 0 <= start <= end.",
            parameter="documents",
        )
    annotation = Annotation(int(ends[0]), int(ends[1]), *span[2:])
    texts = [text for text in (annotation.concept, annotation.instance) if text is not None]
    if not all(isinstance(text, str) for text in (*texts, annotation.features)) or not _is_score(annotation.score):
        raise ParameterError(
            f"{span!r} in document {document!r} is not an annotation",
            advice="Use strings for concept and instance, and a finite number for the score.",
            parameter="documents",
        )
    return annotation


def _is_score(score: Any) -> bool:
    number = isinstance(score, int | float | np.number) and not isinstance(score, bool)
    return score is None or (number and bool(np.isfinite(score)))


def _label(label: Any, document: str) -> Annotation:
    pair = (label, None) if isinstance(label, str) else label
    if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[0], str) or not _is_score(pair[1]):
        raise ParameterError(
            f"{label!r} in document {document!r} is not a label",
            advice="Use a concept or (concept, score).",
            parameter="documents",
        )
    return Annotation(NOWHERE, NOWHERE, pair[0], None, None if pair[1] is None else float(pair[1]))
