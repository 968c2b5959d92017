"""Mapping readers share: `Pairs`, `confidence` (0 to 1), `SAME`: IRIs of equivalence (words such as =: oaei.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ontoeval.errors import LoadError
from ontoeval.load import terms
from ontoeval.load.input import Input

Pairs = Iterator[tuple[str, str, float] | None]  # None: a row that claims something other than equivalence

KINDS = "SSSOM TSV, the Alignment format (XML) or two columns"
SAME = frozenset({terms.EXACT_MATCH, terms.EQUIVALENT, terms.SAME_AS, terms.OWL + "equivalentProperty"})


def confidence(text: str, what: str, source: Input, format: str, line: int) -> float:
    """A number from 0 to 1, and 1 where none is given."""
    try:
        value = float(text) if text.strip() else 1.0
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise LoadError(
            f"the {what} {text!r} is not a number from 0 to 1",
            advice="Correct or remove it.",
            path=source.name,
            format=format,
            line=line,
        )
    return value
