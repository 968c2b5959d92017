"""Steps of `ontoeval measures`: list, search (one measure, JSON, docs/measures.md: measures/catalogue.py)."""

from __future__ import annotations

from collections.abc import Sequence

from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import json_text
from ontoeval.errors import UnknownMeasureError, number_of
from ontoeval.evaluation import RANKING, usual_ranking_measures
from ontoeval.measures import Definition, all_measures, parse
from ontoeval.measures.catalogue import describe_measure, entries, markdown_page
from ontoeval.tables import Layout, fold, render, terminal_width


def measures(name: str | None, output: tuple[str, ...], layout: Layout) -> None:
    """List the measures, define one, or search for a word."""
    outputs = Outputs(output)
    definitions, one = _find_measures(name)

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text(
                {"measures": [{**entries(d), "example": " ".join(_example(d)) or None} for d in definitions]}
            )
        if one and layout is Layout.TABLE:
            example = " \\\n    ".join(_example(definitions[0]))
            return describe_measure(definitions[0]) + (f"\nExample:\n  {example}\n" if example else "")
        if name is None and layout is Layout.MARKDOWN:
            return markdown_page(definitions, "ontoeval measures --format markdown")
        text = _list(definitions, name, layout)
        if name == RANKING and layout is Layout.TABLE:
            text += "".join(f"{line}\n" for line in fold(_with_credit(), terminal_width()))
        return text

    outputs.write(text, layout)


def _find_measures(name: str | None) -> tuple[Sequence[Definition], bool]:
    """All measures; the one of a name; those of a set; those whose description has a word."""
    every = all_measures()
    if name is None:
        return every, False
    members = [d for d in every if name in d.sets]
    if members:
        return members, False
    try:
        measure = parse(name)
    except UnknownMeasureError:
        word = name.casefold()
        matches = [d for d in every if word in f"{d.name} {d.label} {d.purpose} {d.definition} {d.source}".casefold()]
        if not matches or not name.isalpha():
            raise
        return matches, False
    return [next((d for d in every if d.name == name), measure.preset)], True


def _list(definitions: Sequence[Definition], word: str | None, layout: Layout) -> str:
    mark = "*" if layout is Layout.TABLE else ""
    rows = [[d.name + (mark if d.default else ""), d.label, d.source] for d in definitions]
    about = "" if word is None else f" with {word!r}"
    title = f"{number_of(len(rows), 'measure', 'measures')}{about} (* computed by default; `ontoeval measures NAME` explains one)"
    return render(title, ["name", "meaning", "source"], rows, layout)


def _with_credit() -> str:
    names = [name for name, _ in usual_ranking_measures(near=True)]
    return f"With an ontology, `ontoeval labels -m {RANKING}` computes {len(names)}: {', '.join(names)}"


def _example(definition: Definition) -> list[str]:
    """A command that computes the measure, in two parts, as it is long; [] if there is none."""
    if definition.example is None:
        return []
    learned, gold = (f"fixtures/{file}" for file in definition.example)
    return [f"ontoeval compare {learned}", f"--gold {gold} -m {definition.name}"]
