"""`extraction_warnings`: empty sides, documents on one side, unknown classes, individuals without a class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.errors import Message, number_of, sentence
from ontoeval.tasks.naming_warnings import naming_warnings, span_warnings
from ontoeval.tasks.unknown_classes import unknown_in_words

if TYPE_CHECKING:
    from ontoeval.tasks.extraction import Extraction

_EXAMPLES = 3


def extraction_warnings(task: Extraction) -> Iterator[Message]:
    """Why numbers may mislead, each with its file."""
    things = "labels" if task.labels else "annotations"
    for corpus, side in ((task.response, task.response_side), (task.key, task.key_side)):
        if not len(side):
            yield sentence(
                f"no {things} to compare; scores are those defined for empty input", place=corpus.source.path
            )
    yield from _documents_on_one_side(task)
    yield from naming_warnings(task)
    yield from span_warnings(task)
    if task.unknown == "keep":
        advice = (
            f"Such {things} match nothing: correct them or use a more complete ontology. {{unknown=drop}} leaves them "
            "out on both sides, which raises scores."
        )
        for path, text in unknown_in_words(task):
            yield sentence(text, place=path, advice=advice)
    if without := task.without_class:
        text = f"no class for {len(without):,} of {len(task.names):,} individuals: {_first(map(repr, without))}"
        yield sentence(text, place=task.response.source.path, advice="Each is similar only to itself.")


def _documents_on_one_side(task: Extraction) -> Iterator[Message]:
    """Documents with annotations that the other side does not have; without any they change no score."""
    response, key = task.response, task.key
    for corpus, other in ((response, key), (key, response)):
        annotated = {corpus.documents[number] for number in np.unique(corpus.document)}
        only = sorted(annotated - {*other.documents})
        if only and len(other):
            documents = number_of(len(only), "document is", "documents are")
            text = f"{documents} not in {other.source.path}: {_first(only)}"
            one = len(only) == 1
            advice = (
                f"{'It counts' if one else 'They count'} as empty there. If "
                f"{'it has another name' if one else 'they have other names'} there, use the same "
                f"{'name' if one else 'names'} on both sides."
            )
            yield sentence(text, place=corpus.source.path, advice=advice)


def _first(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - _EXAMPLES:,} more" if len(every) > _EXAMPLES else ""
    return ", ".join(every[:_EXAMPLES]) + more
