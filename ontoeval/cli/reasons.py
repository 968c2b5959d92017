"""What values between concepts are made of, in words."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ontoeval.errors import listed
from ontoeval.model.arrays import Adjacency
from ontoeval.model.hierarchy import ROOT_NAME
from ontoeval.model.lexicon import local_name
from ontoeval.model.ontology import Ontology

_LONG = 7  # concepts of a path that is shown whole
_GAP = "..."


def words(ontology: Ontology, parts: Mapping[str, Any]) -> str:
    """The parts one after the other, concepts by label: `MSCA Organization, CP 5, DPK 1, ...`."""
    return ", ".join(word for key, part in parts.items() if (word := _word(ontology, key, part)))


def _word(ontology: Ontology, key: str, part: Any) -> str:
    if isinstance(part, list):
        return chain(ontology, part) if part else f"no {key}"
    if key in ("left", "right"):  # one of several concepts of one label
        return f"{key} {local_name(part)}"
    if isinstance(part, str):
        return f"{key} {_label(ontology, part)}"
    if part is None:
        return f"no {key}" if key in ("MSCA", "MICA", "ancestor") else ""
    return f"{key} {_number(part)}"


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _label(ontology: Ontology, iri: str) -> str:
    return ontology.label(ontology.hierarchy.id(iri)) if iri in ontology.hierarchy else iri


def chain(ontology: Ontology, path: Sequence[str]) -> str:
    """A path by labels: `a < b > c` goes up from a to b and down to c; `=` is a synonym edge and `~` a related one.

    Of a long one both ends are shown and where it turns.
    """
    ids = [0 if iri == ROOT_NAME and ontology.hierarchy.root_added else ontology.hierarchy.id(iri) for iri in path]
    signs = [_sign(ontology, low, high) for low, high in pairwise(ids)]
    last = len(ids) - 1
    turns = {place for place in range(1, last) if signs[place - 1] != signs[place]}
    shown = {0, 1, last - 1, last} | turns if len(ids) > _LONG else set(range(len(ids)))
    texts = [ontology.label(ids[0])]
    for place in range(1, len(ids)):
        if place in shown:
            texts += [signs[place - 1], ontology.label(ids[place])]
        elif place - 1 in shown:
            texts += [signs[place - 1], _GAP]
    return " ".join(texts)


def _sign(ontology: Ontology, here: int, there: int) -> str:
    hierarchy = ontology.hierarchy
    if _joined(hierarchy.synonyms, here, there):
        return "="
    if _joined(hierarchy.parents, here, there):
        return "<"
    return ">" if _joined(hierarchy.parents, there, here) else "~"


def _joined(edges: Adjacency, tail: int, head: int) -> bool:
    return head in edges.indices[edges.indptr[tail] : edges.indptr[tail + 1]]


def definitions(found: Iterable[Mapping[str, Any]]) -> str:
    """What somebody with another tool needs to see why numbers differ, a paragraph for each measure."""
    width = min(shutil.get_terminal_size((110, 40)).columns, 120)
    entries = list(found)
    texts = []
    contents: dict[str, list[str]] = {}
    for entry in entries:
        first = entry["definition"].split(". ")[0].rstrip(".")
        texts.append(f"{entry['measure']}: {entry['label']}: {first}. {entry['source']}.")
        if "ic" in entry:
            contents.setdefault(entry["ic"], []).append(entry["measure"].partition("(")[0])
    for formula, measures in contents.items():
        texts.append(f"IC(c){f' of {listed(dict.fromkeys(measures))}' if len(contents) > 1 else ''} = {formula}.")
    weights: Mapping[str, Any] = next((entry["weights"] for entry in entries if "weights" in entry), {})
    kinds = [f"{kind} {' or '.join(f'{weight:g}' for weight in own[:3])}" for kind, own in weights.items()]
    closing = [f"Root: {entries[0]['root']}", f"{entries[0]['concepts']:,} concepts"]
    closing += [f"weights of edges: {', '.join(kinds)}"] if kinds else []
    texts.append("; ".join(closing) + ".")
    return "\n".join(textwrap.fill(text, width, subsequent_indent="    ", break_on_hyphens=False) for text in texts)
