"""Registered measures as JSON, text and docs/measures.md; the words: their docstrings (list: cli/measures.py)."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable
from typing import Any

from ontoeval.measures.registry import Definition, Parameter, spelled
from ontoeval.tables import terminal_width


def entries(definition: Definition) -> dict[str, Any]:
    """The facts of a measure, for JSON."""
    low, high = definition.range
    return {
        "name": definition.name,
        "label": definition.label,
        "purpose": definition.purpose,
        "definition": definition.definition,
        "sets": list(definition.sets),
        "source": definition.source,
        "dimension": definition.dimension,
        "task": definition.task.__name__,
        "range": [low, "inf" if math.isinf(high) else high],
        "best": definition.best,
        "symmetric": definition.symmetric,
        "default": bool(definition.default),
        "needs": list(definition.needs),
        "fixed": {name: spelled(value) for name, value in definition.fixed.items()},
        "parameters": {p.name: {"default": spelled(p.default), "values": _values(p)} for p in definition.open},
    }


def _values(parameter: Parameter) -> str:
    texts = [*map(spelled, parameter.choices), *("name" if kind is str else kind.__name__ for kind in parameter.kinds)]
    return "|".join([*texts, *(["a Python function"] if parameter.callable else [])])


def describe_measure(definition: Definition) -> str:
    """One measure for a terminal."""
    low, high = definition.range
    best = "no best value" if definition.best is None else f"best {spelled(definition.best)}"
    width = terminal_width()
    lines = [*_wrap(f"{definition.name}: {definition.label}", width), ""]
    lines += [*_wrap(definition.purpose, width), ""] if definition.purpose else []
    lines += [*_wrap(definition.definition, width), ""] if definition.definition else []
    for p in definition.open:
        lines += _wrap(f"{p.name} = {_values(p)}  (default {spelled(p.default)})", width, indent="  ")
    lines += [""] if definition.open else []
    lines.append(f"Range {spelled(low)} to {spelled(high)}, {best}{', symmetric' if definition.symmetric else ''}.")
    if definition.needs:
        lines.append(f"Needs {', '.join(definition.needs)}.")
    if definition.sets:
        lines.append(f"In the {'set' if len(definition.sets) == 1 else 'sets'} {', '.join(definition.sets)}.")
    lines += _wrap(f"Source: {definition.source}.", width)
    return "\n".join(lines) + "\n"


def _wrap(text: str, width: int, indent: str = "") -> list[str]:
    """The paragraphs of a text in lines of a terminal; names and formulas are not broken at hyphens."""
    settings: dict[str, Any] = {"break_on_hyphens": False, "initial_indent": indent, "subsequent_indent": indent * 3}
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += [*([""] if lines else []), *textwrap.wrap(" ".join(paragraph.split()), width, **settings)]
    return lines


def markdown_page(definitions: Iterable[Definition], command: str) -> str:
    """The page docs/measures.md: a section for each function, its names first; `command` is what writes the page."""
    program = command.partition(" --")[0]
    groups: dict[Any, list[Definition]] = {}
    for definition in definitions:
        groups.setdefault(definition.function, []).append(definition)
    dimensions: dict[str, list[list[Definition]]] = {}
    for group in groups.values():
        group.sort(key=lambda d: (bool(d.fixed), d.default or math.inf, d.name))
        dimensions.setdefault(group[0].dimension, []).append(group)
    lines = [
        "# Measures",
        "",
        "What does a number mean, and which measure answers a question?",
        "",
        f"    {program} TF_csc         # one definition",
        f"    {program} ancestor       # the measures whose names or descriptions have a word",
        "",
        f"This page has them all: `{command}` writes it. `*` marks the default ones. A name may be",
        "followed by parameters: `TP(extract=sc, over=learned)`; the value named first is the default.",
        "",
    ]
    for dimension, families in dimensions.items():
        lines += [f"## {dimension.capitalize()}", ""]
        for group in families:
            lines += _section(group)
    return "\n".join(lines).rstrip() + "\n"


def _section(group: list[Definition]) -> list[str]:
    first = group[0]
    bare = first.label if not first.fixed else first.label.partition(" (")[0]
    lines = [f"### {', '.join(d.name + ('*' if d.default else '') for d in group)}", "", f"**{bare}.**", ""]
    lines += [*textwrap.wrap(first.purpose, 120), ""] if first.purpose else []
    lines += ["```text", *first.definition.splitlines(), "```", ""] if first.definition else []
    lines += [f"- `{p.name}` = {_values(p).replace('|', ', ')}" for p in first.open]
    for preset in (d for d in group if d.fixed):
        fixed = ", ".join(f"{name}={spelled(value)}" for name, value in preset.fixed.items())
        lines.append(f"- `{preset.name}` is `{first.name}({fixed})`: {preset.source}")
    low, high = first.range
    best = "no best value" if first.best is None else f"best {spelled(first.best)}"
    lines.append(f"- from {spelled(low)} to {spelled(high)}, {best}{', symmetric' if first.symmetric else ''}")
    lines += [f"- needs {', '.join(first.needs)}"] if first.needs else []
    return [*lines, f"- source: {first.source}", ""]
