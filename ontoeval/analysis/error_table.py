"""`error_table`: what is wrong with a learned ontology, a row for each error (found: explain.py; texts: report/)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ontoeval.analysis.explain import Errors
from ontoeval.tables import Table
from ontoeval.tasks.comparison import Comparison

PLACES = {"moved_up": "too high", "moved_down": "too low", "moved_sideways": "elsewhere"}
_KINDS = {
    "missing": "missing concept", "novel": "novel concept", "inverted": "inverted link",
    "missing_links": "missing link", "novel_links": "novel link", "cycles": "cycle", "gold_cycles": "gold cycle",
    "related_only_learned": "related link only learned", "related_only_gold": "related link only gold",
    "synonym_only_learned": "synonym link only learned", "synonym_only_gold": "synonym link only gold",
    "relations_only_learned": "relation only learned", "relations_only_gold": "relation only gold",
}  # fmt: skip
_PARENTS = "learned_parents", "gold_parents", "learned_parent_iris", "gold_parent_iris"


class ErrorRow(NamedTuple):
    """One error.

    `to` is the other end of a link or relation, what a concept was merged into, or the gold concept that a moved one is
    matched with. Of a cycle all concepts stand in one text.
    """

    kind: str  # "missing concept", "moved concept", "inverted link", ...
    iri: str
    label: str
    to_iri: str
    to_label: str
    property_iri: str
    property: str
    place: str  # of a moved concept: "too high", "too low" or "elsewhere"
    learned_parents: tuple[str, ...]
    gold_parents: tuple[str, ...]
    learned_parent_iris: tuple[str, ...]
    gold_parent_iris: tuple[str, ...]


_IRIS = [name for name in ErrorRow._fields if name.endswith(("iri", "iris"))]


def error_table(task: Comparison) -> Table[ErrorRow]:
    """All errors, kind by kind."""
    rows = []
    for kind, entries in Errors(task).to_dict().items():
        for entry in entries:
            parents = [tuple(entry.get(side, ())) if isinstance(entry, dict) else () for side in _PARENTS]
            texts = (kind_in_words(kind), *_ends(kind, entry), PLACES.get(kind, ""))
            rows.append(ErrorRow._make((*texts, *parents)))
    return Table(rows, ErrorRow, title=f"Errors of {task.learned.source.path}", only_programs=_IRIS)


def kind_in_words(kind: str) -> str:
    """What a list of `Errors` holds: `missing concept`."""
    return "moved concept" if kind in PLACES else _KINDS[kind]


def _ends(kind: str, entry: Any) -> list[str]:
    """IRI and label of a concept, of the other end of a link, and of the property of a relation."""
    if kind.endswith("cycles"):
        return [*(" < ".join(member[name] for member in entry) for name in ("iri", "label")), "", "", "", ""]
    if kind.startswith("relations"):
        parts = [entry[name] for name in ("subject", "object", "property")]
        return [text for part in parts for text in (part["iri"], part["label"])]
    if "_only_" in kind:
        return [*(text for end in entry for text in (end["iri"], end["label"])), "", ""]
    if "child" in entry:
        return [entry["child"], entry["labels"][0], entry["parent"], entry["labels"][1], "", ""]
    other = entry.get("merged_into") or entry.get("gold") or {"iri": "", "label": ""}
    return [entry["iri"], entry["label"], other["iri"], other["label"], "", ""]
