"""`parse`, `all_measures`, `default_measures`: import all measure files and entry points (grammar: registry.py)."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from ontoeval.measures.registry import DIMENSIONS, REGISTRY, Definition, Measure, Registry, measure

__all__ = [
    "Definition",
    "Measure",
    "all_measures",
    "current_name",
    "default_measures",
    "measure",
    "measure_set",
    "parse",
]

GROUP = "ontoeval.measures"


@cache
def _complete() -> Registry:
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        if not module.name.rpartition(".")[2].startswith("_"):
            importlib.import_module(module.name)
    for entry in entry_points(group=GROUP):
        entry.load()
    return REGISTRY


def parse(name: str, /, **parameters: Any) -> Measure:
    """The measure of a name such as `TP_csc` or `TP(extract=sc, over=learned)`.

    Parameters can also be given as keywords, and then be Python functions where the measure takes one:
    `parse("FuzzyF", labels=my_similarity)`.

    Examples
    --------
    >>> import ontoeval as oe
    >>> oe.parse("TP(extract=csc)") == oe.parse("TP_csc")
    True
    >>> oe.parse("TP_csc").range
    (0.0, 1.0)
    """
    return _complete().parse(name, **parameters)


def current_name(name: str) -> str:
    """The name of a measure with its parameters as they are called today: `F(spans=lenient)` for `F(match=lenient)`."""
    return _complete().current_name(name)


def all_measures() -> tuple[Definition, ...]:
    """Every registered name, presets included, by dimension and file, whatever was imported first.

    Examples
    --------
    >>> import ontoeval as oe
    >>> "TF_csc" in {definition.name for definition in oe.all_measures()}
    True
    """
    return tuple(sorted(_complete(), key=_sort_key))


def _sort_key(definition: Definition) -> tuple[int, str]:
    return DIMENSIONS.index(definition.dimension), definition.function.__module__.rpartition(".")[2]


def measure_set(name: str, task: type) -> tuple[Measure, ...]:
    """The measures on such a task of a named set; () if there is no such set.

    "core" are the default ones, "classic" those of release 0.1, "all" every one that needs nothing besides the task;
    to the others measures say themselves that they belong: "between", "ranking".
    """
    definitions = [definition for definition in all_measures() if definition.task is task]
    if name == "all":  # a preset and what it is short for are one measure
        return tuple(map(parse, dict.fromkeys(str(parse(d.name)) for d in definitions if not d.needs)))
    places = {d.name: d.sets[name] for d in definitions if name in d.sets}
    if name == "classic" and not places:
        return default_measures(task)
    return tuple(map(parse, sorted(places, key=places.__getitem__)))


def default_measures(task: type) -> tuple[Measure, ...]:
    """The measures that are computed on such a task by default."""
    return measure_set("core", task)
