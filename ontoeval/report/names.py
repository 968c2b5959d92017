"""In printed texts: `named_with_iri` (label <IRI>), `short_iri` (CURIE), `first_few` names (in errors: `listed`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ontoeval.model.lexicon import is_iri, local_name

MOST_NAMES = 5  # in a remark
_OBO_ID = re.compile(r"([A-Za-z]+)_(\d\w*)")  # Al_Gore is none
_WORD = re.compile(r"[A-Za-z][\w\-]*")


def named_with_iri(label: str, iri: str) -> str:
    """`label <IRI>`, or the IRI alone if there is no label."""
    return label if label == iri else f"{label} <{iri}>"


def short_iri(name: str) -> str:
    """A name; if it is an IRI, its CURIE: the OBO id, or the last word of the namespace before the local name."""
    if not is_iri(name):
        return name
    local = local_name(name)
    obo = _OBO_ID.fullmatch(local)
    if obo is not None:
        return f"{obo[1]}:{obo[2]}"
    words = _WORD.findall(name.rpartition(local)[0].partition(":")[2])
    return f"{words[-1]}:{local}" if words else name


def first_few(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
