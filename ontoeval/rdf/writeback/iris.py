"""The IRIs that are ours: scores, overlays, and what declares them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from ontoeval.rdf.vocabulary import LABEL, NS, TYPE, node

SCORE = f"{NS}score/"
OVERLAY = f"{NS}overlay/"
ANNOTATION, AXIOM, RUN = node("owl:AnnotationProperty"), node("owl:Axiom"), node("oe:run")
SOURCE, PROPERTY, TARGET = node("owl:annotatedSource"), node("owl:annotatedProperty"), node("owl:annotatedTarget")
RUN_DECLARED = frozenset({ox.Triple(RUN, TYPE, ANNOTATION), ox.Triple(RUN, LABEL, ox.Literal("run of ontoeval"))})
_OURS = (SCORE, OVERLAY)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z")  # what RDF/XML needs at the end of a property's IRI


def score_iri(measure: str) -> str:
    """The annotation property of a measure by its full name, percent-encoded.

    RDF/XML can only say properties whose IRIs end in a name. One with parameters ends in a parenthesis and gets an
    underscore behind it.
    """
    encoded = quote(measure, safe="")
    last = encoded[encoded.rfind("%") + 3 :] if "%" in encoded else encoded
    return SCORE + encoded + ("" if _NAME.search(last) else "_")


def is_ours(triple: ox.Triple) -> bool:
    """True for scores, headers and declarations of ours; axioms have blank nodes and are told otherwise."""
    subject: Any = triple.subject
    if triple.predicate.value.startswith(SCORE):
        return True
    return type(subject) is ox.NamedNode and (subject.value.startswith(_OURS) or triple in RUN_DECLARED)
