"""In printed texts: `named_with_iri` (label <IRI>), `first_few` names (in errors: `listed`, errors.py)."""

from __future__ import annotations

from collections.abc import Sequence

MOST_NAMES = 5  # in a remark


def named_with_iri(label: str, iri: str) -> str:
    """`label <IRI>`, or the IRI alone if there is no label."""
    return label if label == iri else f"{label} <{iri}>"


def first_few(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
