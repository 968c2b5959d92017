"""In printed texts: `concept_names` (label, else CURIE), `curie`, `first_few` names (errors: `listed`, errors.py)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ontoeval.model.lexicon import is_iri

MOST_NAMES = 5  # in a remark
_OBO = re.compile(r"https?://purl\.obolibrary\.org/obo/(\w+?)_(\w+)")
_IRI = re.compile(r"(?P<namespace>.*[/#:])(?P<local>[^/#:]+)[/#]?")
_PREFIX = re.compile(r"\w[\w.\-]*")  # the last one in a namespace is its name, schemes and versions apart
_NO_PREFIX = re.compile(r"https?|urn|v?[\d.\-]+|core|ns")


def with_prefix(iri: str, prefixes: Mapping[str, str]) -> str | None:
    """`skos:broader` by the prefixes of some namespaces; None if it is in none of them."""
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and re.fullmatch(r"[\w\-]+", iri[len(namespace) :]):
            return f"{prefix}:{iri[len(namespace) :]}"
    return None


def curie(iri: str) -> str:
    """`vehicles:van` of http://example.org/vehicles#van, `GO:0008150` of OBO; other names stay as they are.

    Commands take such a name for the concept.
    """
    obo = _OBO.fullmatch(iri)
    if obo is not None:
        return f"{obo[1]}:{obo[2]}"
    parts = _IRI.fullmatch(iri) if is_iri(iri) else None
    if parts is None:
        return iri
    words = [word for word in _PREFIX.findall(parts["namespace"]) if not _NO_PREFIX.fullmatch(word)]
    return f"{words[-1]}:{parts['local']}" if words else iri


def concept_names(iris: Sequence[str], labels: Iterable[str | None]) -> list[str]:
    """What concepts are called in front of people: label, else CURIE; of several with one label both."""
    names = [curie(iri) if not label or label == iri else label for iri, label in zip(iris, labels, strict=True)]
    several = Counter(name for _, name in set(zip(iris, names, strict=True)))
    return [
        f"{name} ({curie(iri)})" if several[name] > 1 and name != curie(iri) else name
        for iri, name in zip(iris, names, strict=True)
    ]


def first_few(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
