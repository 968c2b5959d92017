"""Kernel of labelling, ranking: `LabelTable` (sets, order, ties), `Similarities` (near misses, picks of credit=low)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ontoeval.errors import Message, MissingInputError, ParameterError
from ontoeval.measures.concepts.pair_scores import pair_values
from ontoeval.measures.registry import Measure, UnmetNeedError
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray, blocks, freeze, runs, search, spans, starts
from ontoeval.tasks.extraction import Extraction, Side, Ties

Credit = Literal["binary", "high", "low"]
NEAR_MISSES = {"high": "near misses earn high credit", "low": "near misses earn low credit"}  # in labels

BLOCK = 1 << 21  # pairs of labels looked at in one step
DENSE = 1 << 23  # cells of a table of similarities: 64 MB
_MILLION = 1e6  # similarities are compared in millionths


@dataclass(frozen=True, eq=False)
class Labels:
    """Labels of documents 0 ... size - 1, one document after the other, none twice in a document."""

    size: int
    document: LongArray
    label: LongArray  # number in `LabelTable`

    def __post_init__(self) -> None:
        freeze(self.document)
        freeze(self.label)

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def count(self) -> LongArray:
        """How many labels each document has."""
        return freeze(np.bincount(self.document, minlength=self.size).astype(np.int64))

    @cached_property
    def start(self) -> LongArray:
        """Where the labels of each document begin."""
        return freeze(starts(self.count))

    @cached_property
    def place(self) -> LongArray:
        """Of each label among those of its document: 0, 1, ..."""
        return freeze(np.arange(len(self)) - self.start[self.document])

    def totals(self, values: FloatArray | BoolArray) -> FloatArray:
        """The sum of values beside the labels, for each document."""
        return np.bincount(self.document, weights=values, minlength=self.size).astype(np.float64)


class LabelTable:
    """The labels of both sides of a task. Names that mean one concept are one label; an unknown name is one, too.

    Labels are numbered by IRI (an unknown one by its name) in the order of code points.
    """

    def __init__(self, task: Extraction) -> None:
        if task.by == "instance":
            raise ParameterError(
                Message("{by=instance} scores annotated individuals, but labels have none"),
                advice="Use {by=class}.",
                parameter="by",
            )
        if any(len(corpus) and not corpus.labels for corpus in (task.response, task.key)):
            raise UnmetNeedError(
                "scores labels of documents, not spans of text",
                advice="Use AP, AR or AF, or {Corpus.from_labels()}.",
            )
        self.task = task
        self.size = len(task.documents)
        named = [(self._text(name, concept), concept) for name, concept in enumerate(task.concept_of.tolist())]
        ordered = sorted(set(named))
        number = {label: place for place, label in enumerate(ordered)}
        self.concept: LongArray = np.array([concept for _, concept in ordered], dtype=np.int64)
        self.label_of: LongArray = np.array([number[label] for label in named], dtype=np.int64)
        self.assigned = self._set(task.response_side)
        self.true = self._set(task.key_side)

    @classmethod
    def of(cls, task: Extraction) -> LabelTable:
        """The labels of a task, computed once."""
        return task.cached(cls, lambda: cls(task))

    def _text(self, name: int, concept: int) -> str:
        if concept < 0 or self.task.ontology is None:
            return self.task.names[name]
        return self.task.ontology.hierarchy.iris[concept]

    def _set(self, side: Side) -> Labels:
        named = side.name >= 0
        keys = np.unique(side.document[named] * np.int64(len(self.concept)) + self.label_of[side.name[named]])
        return Labels(self.size, *np.divmod(keys, max(len(self.concept), 1)))

    def known(self, labels: Labels) -> BoolArray:
        """Beside some labels: whether the ontology has them."""
        return self.concept[labels.label] >= 0

    def unknown(self, labels: Labels) -> FloatArray:
        """For each document the number of labels that the ontology does not have."""
        return labels.totals(~self.known(labels))

    def places(self, labels: Labels, others: Labels) -> LongArray:
        """Beside some labels: the place of the same known label among the others of its document, -1: it has none."""
        width = np.int64(max(len(self.concept), 1))
        keys = others.document * width + others.label
        order = np.argsort(keys)
        place, exists = search(keys[order], labels.document * width + labels.label)
        result: LongArray = np.full(len(labels), -1, dtype=np.int64)
        exists &= self.known(labels)
        result[exists] = others.place[order[place[exists]]]
        return result

    @property
    def scored(self) -> bool:
        """Whether there is a ranking: a label of the response has a score, or there is no label."""
        scores = self.task.response_side.score
        return not len(scores) or not bool(np.isnan(scores).all())

    def ranking(self, ties: Ties, depth: int) -> Labels:
        """The labels of the response by score downwards, ties by name; each at its best place, `depth` at most."""
        return self.task.cached(("ranking", ties, depth), lambda: self._rank(ties, depth))

    def _rank(self, ties: Ties, depth: int) -> Labels:
        side = self.task.response_side
        named = np.flatnonzero(side.name >= 0)
        document, name, score = side.document[named].astype(np.int64), side.name[named], side.score[named]
        if ties == "trec_eval":  # it keeps scores in single precision
            with np.errstate(over="ignore"):
                score, name_order = score.astype(np.float32).astype(np.float64), -name
        else:
            name_order = name
        order = np.lexsort((name_order, np.where(np.isnan(score), np.inf, -score), document))
        document, label = document[order], self.label_of[name[order]]
        first = np.sort(np.unique(document * len(self.concept) + label, return_index=True)[1])
        whole = Labels(self.size, document[first], label[first])
        kept = whole.place < depth
        return Labels(self.size, whole.document[kept], whole.label[kept])

    def similarities(self, similarity: Measure, assigned: Labels) -> Similarities:
        """sim(true, assigned) of the labels that stand in one document."""
        key = Similarities, similarity, id(assigned)  # the table keeps `assigned`, so that the id stays its own
        return self.task.cached(key, lambda: Similarities(self, similarity, assigned))


def document_blocks(*sides: Labels) -> Iterator[tuple[int, int]]:
    """Documents low ... high - 1, so many at a time that the pairs of their labels fit."""
    pairs = np.ones(sides[0].size, dtype=np.int64)
    for side in sides:
        pairs *= np.maximum(side.count, 1)
    return blocks(pairs, BLOCK)


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """All pairs of a row and a column of the same document, for some documents, row by row.

    Rows in documents without columns have no pairs and are left out.
    """

    rows: LongArray  # positions of the rows that have columns
    start: LongArray  # where the pairs of each of them begin
    row: LongArray  # of each pair, a position in the whole
    column: LongArray

    @classmethod
    def of(cls, rows: Labels, columns: Labels, low: int, high: int) -> LabelPairs:
        """The pairs of the documents low ... high - 1."""
        inside = slice(*np.searchsorted(rows.document, [low, high]).tolist())
        row = np.arange(inside.start, inside.stop)
        row = row[columns.count[rows.document[row]] > 0]
        width = columns.count[rows.document[row]]
        column = spans(columns.start[rows.document[row]], width)
        return cls(row, starts(width), np.repeat(row, width), column)


class Similarities:
    """sim(true, assigned) of labels, each different pair computed once."""

    def __init__(self, labels: LabelTable, similarity: Measure, assigned: Labels) -> None:
        task, self.labels = labels.task, labels
        self.assigned, self.true = assigned, labels.true
        if task.flat and str(similarity) != "Flat":
            raise MissingInputError(
                f"{similarity} needs an ontology",
                advice="Set {ontology}, or use credit=binary or similarity=Flat.",
            )
        true_labels, self.row = np.unique(self.true.label, return_inverse=True)
        assigned_labels, self.column = np.unique(assigned.label, return_inverse=True)
        self.width = max(len(assigned_labels), 1)
        self.dense = len(true_labels) * self.width <= DENSE
        keys = self._distinct(len(true_labels))
        left, right = (
            labels.concept[true_labels[keys // self.width]],
            labels.concept[assigned_labels[keys % self.width]],
        )
        values = task.similarity(left, right, str(similarity), lambda pairs: pair_values(similarity, pairs))
        if self.dense:
            self.values = np.zeros(len(true_labels) * self.width)
            self.values[keys] = values
        else:
            self.values = values
        self.keys = keys

    def _distinct(self, rows: int) -> LongArray:
        """The different pairs, each as one number."""
        distinct: LongArray = np.zeros(0, dtype=np.int64)
        marked = np.zeros(rows * self.width if self.dense else 0, dtype=bool)
        for low, high in document_blocks(self.true, self.assigned):
            pairs = LabelPairs.of(self.true, self.assigned, low, high)
            keys = self.row[pairs.row] * self.width + self.column[pairs.column]
            if self.dense:
                marked[keys] = True
            else:
                distinct = np.union1d(distinct, keys)
        return np.flatnonzero(marked) if self.dense else distinct

    def __call__(self, true: LongArray, assigned: LongArray) -> FloatArray:
        """The values of pairs of positions."""
        keys = self.row[true] * self.width + self.column[assigned]
        return self.values[keys] if self.dense else self.values[np.searchsorted(self.keys, keys)]

    def of(self, rows: Labels, row: LongArray, column: LongArray) -> FloatArray:
        """The same, the rows being one side or the other: the true label is the key in any case."""
        return self(row, column) if rows is self.true else self(column, row)

    def other(self, rows: Labels) -> Labels:
        return self.assigned if rows is self.true else self.true

    def best(self, rows: Labels) -> FloatArray:
        """Beside the labels of one side: the greatest similarity with a label of the other; 0 if there is none."""
        columns, result = self.other(rows), np.zeros(len(rows))
        for low, high in document_blocks(rows, columns):
            pairs = LabelPairs.of(rows, columns, low, high)
            if len(pairs.rows):
                values = self.of(rows, pairs.row, pairs.column)
                result[pairs.rows] = np.maximum.reduceat(values, pairs.start)
        return result

    def credit_of_picks(self, ranked: Labels, document: LongArray, first: LongArray) -> FloatArray:
        """What the wrong ones among the `first` labels of documents earn from terms that pick them (Low, eq. 5).

        `ranked` is one side; (document[i], first[i]) says which of its labels are there, no more than there are, the
        documents ascending. Each label of the other side that is not among them picks the most similar wrong one, of
        several that come first by IRI; a label earns the greatest similarity of those that picked it.
        """
        others, result = self.other(ranked), np.zeros(len(document))
        wrong = self.labels.places(ranked, others) < 0
        found_at = self.labels.places(others, ranked)
        for low, high in document_blocks(ranked, others):
            some = slice(*np.searchsorted(document, [low, high]).tolist())
            pairs = LabelPairs.of(others, ranked, low, high)
            if len(pairs.rows) and some.stop > some.start:
                leader = self._leaders(others, pairs, ranked, wrong)
                begin = np.zeros(len(others), dtype=np.int64)
                begin[pairs.rows] = pairs.start
                result[some] = self._sum_credit(
                    others, document[some], first[some], leader, begin, found_at, pairs, ranked
                )
        return result

    def _leaders(self, others: Labels, pairs: LabelPairs, ranked: Labels, wrong: BoolArray) -> LongArray:
        """Beside the pairs: the pair of the best wrong label up to this place; -1: none is wrong so far."""
        values = np.rint(self.of(others, pairs.row, pairs.column) * _MILLION).astype(np.int64)
        order = values * (len(self.labels.concept) + 1) - ranked.label[pairs.column]
        order = np.where(wrong[pairs.column], order, np.iinfo(np.int64).min)
        distinct, code = np.unique(order, return_inverse=True)
        # numbers that grow from row to row, so that a maximum stays within its row
        row = np.cumsum(np.bincount(pairs.start, minlength=len(order))) - 1
        best = np.maximum.accumulate(code + row * len(distinct))
        new = np.diff(best, prepend=-1) > 0
        leader = np.maximum.accumulate(np.where(new, np.arange(len(best)), 0))
        return np.where(wrong[pairs.column[leader]], leader, -1)

    def _sum_credit(
        self,
        others: Labels,
        document: LongArray,
        first: LongArray,
        leader: LongArray,
        begin: LongArray,
        found_at: LongArray,
        pairs: LabelPairs,
        ranked: Labels,
    ) -> FloatArray:
        """For each (document, first) the sum of what is earned."""
        terms = np.where(first > 0, others.count[document], 0)
        query = np.repeat(np.arange(len(document)), terms)
        term = spans(others.start[document], terms)
        last = first[query] - 1
        missed = (found_at[term] < 0) | (found_at[term] > last)
        query, term, last = query[missed], term[missed], last[missed]
        pair = leader[begin[term] + last]
        query, pair = query[pair >= 0], pair[pair >= 0]
        if not len(pair):
            return np.zeros(len(document))
        values = self.of(others, pairs.row[pair], pairs.column[pair])
        order = np.lexsort((pairs.column[pair], query))
        query, column, values = query[order], pairs.column[pair][order], values[order]
        new = runs(query, column)
        earned = np.maximum.reduceat(values, new)
        return np.bincount(query[new], weights=earned, minlength=len(document)).astype(np.float64)
