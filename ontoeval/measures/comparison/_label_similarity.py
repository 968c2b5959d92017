"""Similarity of texts: SM, words, letter vectors, user functions, limits (for label_similarity.py, lexical.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ontoeval.errors import ParameterError
from ontoeval.measures.registry import spelled
from ontoeval.model.arrays import FloatArray, IntArray, LongArray
from ontoeval.model.lexicon import split_words
from ontoeval.model.ontology import Ontology

Similarity = Callable[
    [list[str], list[str]], Any
]  # gives a matrix: a row for each of the first, a column for the second
Vectors = Callable[[list[str]], Any]  # gives a matrix: a row for each text
Alike = tuple[LongArray, LongArray]  # rows and columns of a matrix

_BLOCK = 16_000_000  # similarities held at a time
_SMALL_BLOCK = 1_000_000  # for blocks of texts of much the same length: few of them, so that the lengths differ little
MOST_COMPARED = 200_000_000  # pairs of texts; about a minute
MOST_ALIKE = 100_000_000  # pairs of similar texts held at a time, 8 bytes each


def distinct_labels(ontology: Ontology, languages: Sequence[str]) -> list[str]:
    """The distinct texts of the labels, sorted; of these languages if there are any."""
    if not languages:
        return sorted(set(ontology.lexicon.texts))
    return sorted({text for language in languages for text in ontology.lexicon.in_language(language).texts})


def concept_texts(ontology: Ontology, concepts: Iterable[int], languages: Sequence[str]) -> list[str]:
    """One text for each concept: its label in the first of the languages, else its usual label."""
    if not languages:
        return [ontology.label_of(concept) for concept in concepts]
    return [ontology.lexicon.label(concept, languages[0]) or ontology.label_of(concept) for concept in concepts]


def best_string_matching(left: Sequence[str], right: Sequence[str]) -> FloatArray | None:
    """For each text of the left max over the right of SM(a, b) = max(0, (min(|a|, |b|) - ed(a, b)) / min(|a|, |b|)).

    SM(a, b) <= 2 - max(|a|, |b|) / min(|a|, |b|), so texts of like length come first, and those of other lengths only
    for texts that found nothing better. None if that is more than MOST_COMPARED pairs.
    """
    right_texts = set(right)
    best = np.array([1.0 if text in right_texts else 0.0 for text in left])
    others = sorted((text for text in right_texts if text), key=len)
    lengths = _lengths(others)
    waiting: dict[int, list[int]] = {}
    for place in np.flatnonzero(best == 0.0).tolist():
        waiting.setdefault(len(left[place]), []).append(place)
    waiting.pop(0, None)
    pairs = 0
    for stretch in (1.25, 2.0):
        for length, places in waiting.items():
            near = others[slice(*np.searchsorted(lengths, [length / stretch, length * stretch + 1e-6]))]
            open_places = [place for place in places if best[place] < 2 - (stretch if stretch < 2 else 1.25)]
            pairs += len(open_places) * len(near)
            if pairs > MOST_COMPARED:
                return None
            rows = max(1, _BLOCK // max(1, len(near)))
            for start in range(0, len(open_places) if near else 0, rows):
                block = open_places[start : start + rows]
                best[block] = string_matching([left[place] for place in block], near).max(axis=1)
    return best


def string_matching(left: Sequence[str], right: Sequence[str]) -> FloatArray:
    """SM(a, b) = max(0, (min(|a|, |b|) - ed(a, b)) / min(|a|, |b|)) of all pairs; of two empty texts 1, of one 0."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    result: FloatArray = cdist(left, right, scorer=Levenshtein.distance, dtype=np.int32).astype(np.float64)
    left_lengths, right_lengths = _lengths(left).astype(np.float64), _lengths(right).astype(np.float64)
    shorter = np.minimum(left_lengths[:, None], right_lengths[None, :])
    np.subtract(shorter, result, out=result)
    np.divide(result, shorter, out=result, where=shorter > 0)
    np.maximum(result, 0.0, out=result)
    result[np.ix_(left_lengths == 0, right_lengths == 0)] = 1.0
    return result


def word_set(text: str) -> set[str]:
    """The words of a text without regard to case: `ConferenceMember` has two."""
    return set(split_words(text).casefold().split())


def similarities(left: list[str], right: list[str], labels: Literal["sm", "tokens"] | Similarity) -> FloatArray:
    """How similar each text of the left is to each of the right."""
    if not left or not right:
        return np.zeros((len(left), len(right)))
    if callable(labels):
        return _checked_similarities(labels, left, right)
    if labels == "tokens":
        return _word_cosines(left, right)
    result = np.empty((len(left), len(right)))
    rows = max(1, _BLOCK // len(right))
    for start in range(0, len(left), rows):
        result[start : start + rows] = string_matching(left[start : start + rows], right)
    return result


def alike(
    left: list[str], right: list[str], labels: Literal["sm", "tokens"] | Similarity, threshold: float
) -> csr_array | None:
    """The pairs with a similarity of at least `threshold` as a sparse matrix of truth; None if there are too many."""
    if threshold > 0 and labels == "sm":
        blocks = _alike_by_length(left, right, threshold)
    elif threshold > 0 and labels == "tokens":
        blocks = _alike_by_words(left, right, threshold)
    else:
        blocks = _alike_by_rows(left, right, labels, threshold)
    rows: list[IntArray] = [np.zeros(0, dtype=np.int32)]
    columns: list[IntArray] = [np.zeros(0, dtype=np.int32)]
    total = 0
    for row, column in blocks:
        total += len(row)
        if total > MOST_ALIKE:
            return None
        rows.append(row.astype(np.int32))
        columns.append(column.astype(np.int32))
    ends = np.concatenate(rows), np.concatenate(columns)
    return csr_array((np.ones(total, dtype=bool), ends), shape=(len(left), len(right)))


def _alike_by_rows(
    left: list[str], right: list[str], labels: Literal["sm", "tokens"] | Similarity, threshold: float
) -> Iterator[Alike]:
    rows = max(1, _BLOCK // max(1, len(right)))
    for start in range(0, len(left) if right else 0, rows):
        row, column = np.nonzero(similarities(left[start : start + rows], right, labels) >= threshold)
        yield row + start, column


def _alike_by_length(left: list[str], right: list[str], threshold: float) -> Iterator[Alike]:
    """As ed >= | |a| - |b| |, SM(a, b) >= t > 0 needs max(|a|, |b|) <= (2 - t) min(|a|, |b|): most pairs drop out."""
    left_lengths, right_lengths = _lengths(left), _lengths(right)
    left_order, right_order = np.argsort(left_lengths, kind="stable"), np.argsort(right_lengths, kind="stable")
    left_lengths, right_lengths = left_lengths[left_order], right_lengths[right_order]
    rows = max(1, _SMALL_BLOCK // max(1, len(right)))
    for start in range(0, len(left), rows):
        block = left_order[start : start + rows]
        shortest, longest = float(left_lengths[start]), float(left_lengths[start + len(block) - 1])
        # one character more on either end, because the division rounds
        first = int(np.searchsorted(right_lengths, shortest / (2 - threshold) - 1, side="left"))
        last = int(np.searchsorted(right_lengths, longest * (2 - threshold) + 1, side="right"))
        others = right_order[first:last]
        if len(others):
            similar = string_matching([left[i] for i in block.tolist()], [right[i] for i in others.tolist()])
            row, column = np.nonzero(similar >= threshold)
            yield block[row], others[column]


def _alike_by_words(left: list[str], right: list[str], threshold: float) -> Iterator[Alike]:
    """Texts without a common word need not be looked at."""
    left_words, right_words = _word_matrices(left, right)
    left_sizes, right_sizes = np.diff(left_words.indptr), np.diff(right_words.indptr)
    transposed = right_words.T.tocsr()
    rows = max(1, _BLOCK // max(1, len(right)))
    for start in range(0, len(left), rows):
        common = (left_words[start : start + rows] @ transposed).tocoo()
        row, column = common.coords[0].astype(np.int64) + start, common.coords[1].astype(np.int64)
        near = common.data / np.sqrt(left_sizes[row] * right_sizes[column]) >= threshold
        yield row[near], column[near]
    left_empty, right_empty = np.flatnonzero(left_sizes == 0), np.flatnonzero(right_sizes == 0)
    yield np.repeat(left_empty, len(right_empty)), np.tile(right_empty, len(left_empty))


def _word_cosines(left: list[str], right: list[str]) -> FloatArray:
    """|a ∩ b| / sqrt(|a| |b|) of the sets of words; two empty sets 1, one empty 0."""
    left_words, right_words = _word_matrices(left, right)
    left_sizes, right_sizes = np.diff(left_words.indptr), np.diff(right_words.indptr)
    result: FloatArray = (left_words @ right_words.T).toarray()
    product = (left_sizes[:, None] * right_sizes[None, :]).astype(np.float64)
    np.divide(result, np.sqrt(product, out=product), out=result, where=product > 0)
    result[np.ix_(left_sizes == 0, right_sizes == 0)] = 1.0
    return result


def _word_matrices(left: Sequence[str], right: Sequence[str]) -> tuple[csr_array, csr_array]:
    """Texts by words, on both sides with the same columns; 1 where a text has the word."""
    number: dict[str, int] = {}
    sides = []
    for texts in (left, right):
        columns_of = [[number.setdefault(word, len(number)) for word in sorted(word_set(text))] for text in texts]
        ends = np.cumsum([0, *map(len, columns_of)], dtype=np.int64)
        sides.append((np.array([column for row in columns_of for column in row], dtype=np.int64), ends))
    return tuple(
        csr_array((np.ones(len(columns)), columns, ends), shape=(len(ends) - 1, len(number))) for columns, ends in sides
    )  # type: ignore[return-value]


def letter_vectors(texts: Sequence[str]) -> FloatArray:
    """How often each text has each character, without regard to case; a column for each character that occurs."""
    folded = [text.casefold() for text in texts]
    column = {letter: place for place, letter in enumerate(sorted(set("".join(folded))))}
    result = np.zeros((len(texts), len(column)))
    rows = np.repeat(np.arange(len(texts)), _lengths(folded))
    np.add.at(result, (rows, np.array([column[letter] for text in folded for letter in text], dtype=np.int64)), 1.0)
    return result


def label_vectors(texts: list[str], labels: Literal["letters"] | Vectors) -> FloatArray:
    """A vector for each text."""
    if not callable(labels):
        return letter_vectors(texts)
    requirement = f"Return {len(texts)} rows of finite numbers, one for each text."
    inputs = f"for {len(texts)} texts"
    vectors = _numbers(labels(texts), labels, inputs, requirement)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise _wrong_output(labels, f"an array of shape {vectors.shape} {inputs}", requirement)
    infinite = np.argwhere(~np.isfinite(vectors))
    if len(infinite):
        row, column = infinite[0].tolist()
        raise _wrong_output(labels, f"{vectors[row, column]} in the vector of {texts[row]!r}", requirement)
    largest = float(np.abs(vectors).max(initial=0.0))
    return vectors / largest if largest else vectors  # directions stay, and sums of them cannot overflow


def _checked_similarities(function: Similarity, left: list[str], right: list[str]) -> FloatArray:
    requirement = (
        f"Return {len(left)} x {len(right)} finite numbers: a row for each text of the first list, a column for each "
        "of the second."
    )
    inputs = f"for {len(left)} and {len(right)} texts"
    values = _numbers(function(left, right), function, inputs, requirement)
    if values.shape != (len(left), len(right)):
        raise _wrong_output(function, f"an array of shape {values.shape} {inputs}", requirement)
    infinite = np.argwhere(~np.isfinite(values))
    if len(infinite):
        row, column = infinite[0].tolist()
        pair = f"{left[row]!r} and {right[column]!r}"
        raise _wrong_output(function, f"{values[row, column]} for {pair}", requirement)
    return values


def _numbers(output: Any, function: Callable[..., Any], inputs: str, requirement: str) -> FloatArray:
    """The output of a user's function as an array of floats, of any shape."""
    try:
        array: npt.NDArray[Any] = np.asarray(output)
        if array.dtype.kind in "biuf" or (array.dtype.kind == "O" and array.ndim):
            return array.astype(np.float64)
    except (TypeError, ValueError):
        pass
    kind = type(output).__name__
    raise _wrong_output(function, f"a value of type {kind}, not an array of numbers, {inputs}", requirement)


def _wrong_output(function: Callable[..., Any], output: str, requirement: str) -> ParameterError:
    return ParameterError(f"the function {spelled(function)} returned {output}", advice=requirement, parameter="labels")


def _lengths(texts: Sequence[str]) -> LongArray:
    return np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
