"""Classes that the ontology does not have, by file: `refuse_unknown` (`unknown="error"`), `unknown_in_words`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.errors import LISTED, UnknownConceptError, number_of
from ontoeval.model.lookup import similar_name

if TYPE_CHECKING:
    from ontoeval.tasks.extraction import Extraction, Side

_WORDS = {  # of one class and of several: what they are in the ontology
    "unknown": ("is not", "are not"),
    "property": ("is a property", "are properties"),
    "ambiguous": ("is ambiguous", "are ambiguous"),
    "elsewhere": ("is in another namespace", "are in another namespace"),
}


def refuse_unknown(task: Extraction) -> None:
    """UnknownConceptError if a class of either side is not one concept of the ontology."""
    otherwise = "{unknown=keep} to count them as wrong or {unknown=drop} to leave them out"
    _refuse(task, unknown_in_words(task, _kinds(task), LISTED), otherwise)
    _refuse(
        task, unknown_in_words(task, {"elsewhere": task.elsewhere}, LISTED), "{unknown=keep} to match by local name"
    )


def _refuse(task: Extraction, problems: Sequence[tuple[str, str]], otherwise: str) -> None:
    if not problems:
        return
    (place, problem), *others = problems
    for path, text in others:
        problem += f"; {text}" if path == place else f"; {path}: {text}"
    advice = f"Correct the {'labels' if task.labels else 'annotations'}, or use {otherwise}."
    raise UnknownConceptError(problem, place=place, advice=advice, parameter="unknown")


def _kinds(task: Extraction) -> dict[str, Collection[str]]:
    """Why a class is not one concept of the ontology -> such classes."""
    properties = task.property_names
    unknown = [name for name in task.unknown_names if name not in properties]
    return {"unknown": unknown, "property": properties, "ambiguous": task.ambiguous}


def unknown_in_words(
    task: Extraction, kinds: Mapping[str, Collection[str]] | None = None, most: int = 3
) -> list[tuple[str, str]]:
    """For each file and kind: the path, and how many classes, with the most frequent and what may be meant."""
    ontology = task.ontology
    if ontology is None:
        return []
    noun, things = (("label", "labels"), "assignments") if task.labels else (("class", "classes"), "annotations")
    problems: list[tuple[str, str]] = []
    for corpus, side in ((task.response, task.response_side), (task.key, task.key_side)):
        counts = _counts(task, side)
        for kind, every in (_kinds(task) if kinds is None else kinds).items():
            names = sorted((name for name in every if name in counts), key=lambda name: (-counts[name], name))
            if names:
                text = number_of(len(names), *(f"{one} {what}" for one, what in zip(noun, _WORDS[kind], strict=True)))
                examples = [_description(task, name, counts[name], kind) for name in names[:most]]
                more = f" and {len(names) - most:,} more" if len(names) > most else ""
                uses = f"{sum(counts[name] for name in names):,} of {len(side):,} {things}"
                text += f" in {Path(ontology.source.path).name} ({uses}): {', '.join(examples)}{more}"
                problems.append((corpus.source.path, text))
    return problems


def _counts(task: Extraction, side: Side) -> dict[str, int]:
    """How often the names of one side occur in it."""
    counts = np.bincount(side.name[side.name >= 0], minlength=len(task.names)).tolist()
    return {name: count for name, count in zip(task.names, counts, strict=True) if count}


def _description(task: Extraction, name: str, count: int, kind: str) -> str:
    """`'Organizaton' (3 times; did you mean 'Organization'?)`, `'bank' (once; ex:bank1 or ex:bank2)`."""
    times = "once" if count == 1 else f"{count:,} times"
    if kind == "ambiguous":
        return f"{name!r} ({times}; {' or '.join(task.ambiguous[name])})"
    similar = similar_name(task.ontology, name) if kind == "unknown" and task.ontology is not None else None
    return f"{name!r} ({times})" if similar is None else f"{name!r} ({times}; did you mean {similar!r}?)"
