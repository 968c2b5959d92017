"""`refuse_unknown`: the error of `unknown="error"`: which classes, how often, on which side; `WORDS` of remarks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.errors import LISTED, UnknownConceptError, listed, number_of
from ontoeval.model.lookup import similar_name
from ontoeval.model.ontology import Ontology

if TYPE_CHECKING:
    from ontoeval.tasks.extraction import Extraction, Side

WORDS = {  # of one class and of several: what they are in the ontology
    "unknown": ("is not", "are not"),
    "property": ("is a property", "are properties"),
    "ambiguous": ("is ambiguous", "are ambiguous"),
    "elsewhere": ("is in another namespace", "are in another namespace"),
}


def refuse_unknown(task: Extraction) -> None:
    """UnknownConceptError if a class of either side is not one concept of the ontology."""
    if task.ontology is None:
        return
    kinds: dict[str, Collection[str]] = {
        "unknown": [name for name in task.unknown_names if name not in task.property_names],
        "property": task.property_names,
        "ambiguous": task.ambiguous,
    }
    _refuse(task, task.ontology, kinds, "{unknown=keep} to count them as wrong or {unknown=drop} to leave them out")
    _refuse(task, task.ontology, {"elsewhere": task.elsewhere}, "{unknown=keep} to match by local name")


def _refuse(task: Extraction, ontology: Ontology, kinds: Mapping[str, Collection[str]], otherwise: str) -> None:
    """Refuse the names of each kind, those of both sides together."""
    noun = ("label", "labels") if task.labels else ("class", "classes")
    problems: list[tuple[str, str]] = []
    for corpus, side in ((task.response, task.response_side), (task.key, task.key_side)):
        counts = _counts(task, side)
        for kind, every in kinds.items():
            names = [name for name in every if name in counts]
            if names:
                is_so, are_so = WORDS[kind]
                text = number_of(len(names), f"{noun[0]} {is_so}", f"{noun[1]} {are_so}")
                for_similar = ontology if kind == "unknown" else None
                examples = [_description(name, counts[name], for_similar) for name in names[:LISTED]]
                text += f" in {Path(ontology.source.path).name}: {listed([*examples, *names[LISTED:]])}"
                problems.append((corpus.source.path, text))
    if not problems:
        return
    (place, problem), *others = problems
    for path, text in others:
        problem += f"; {text}" if path == place else f"; {path}: {text}"
    advice = f"Correct the {'labels' if task.labels else 'annotations'}, or use {otherwise}."
    raise UnknownConceptError(problem, place=place, advice=advice, parameter="unknown")


def _counts(task: Extraction, side: Side) -> dict[str, int]:
    """How often the names of one side occur in it."""
    counts = np.bincount(side.name[side.name >= 0], minlength=len(task.names)).tolist()
    return {name: count for name, count in zip(task.names, counts, strict=True) if count}


def _description(name: str, count: int, ontology: Ontology | None) -> str:
    """`'Organizaton' (3 times; did you mean 'Organization'?)`; with an ontology of similar names."""
    times = "once" if count == 1 else f"{count:,} times"
    similar = None if ontology is None else similar_name(ontology, name)
    return f"{name!r} ({times})" if similar is None else f"{name!r} ({times}; did you mean {similar!r}?)"
