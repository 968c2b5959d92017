"""`score_iri`: property of a measure; `is_written_back`: our triples (our axioms, removal: original.py); constants."""

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
_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z")  # what RDF/XML needs at the end of a property's IRI


def score_iri(measure: str) -> str:
    """The annotation property of a measure by its full name, percent-encoded.

    RDF/XML can only write properties whose IRIs end in a name. A measure with parameters ends in a parenthesis and gets
    an underscore after it.
    """
    encoded = quote(measure, safe="")
    last = encoded[encoded.rfind("%") + 3 :] if "%" in encoded else encoded
    return SCORE + encoded + ("" if _XML_NAME.search(last) else "_")


def is_written_back(triple: ox.Triple) -> bool:
    """True for scores, overlay headers and declarations of ontoeval, but not for its axioms, which are blank nodes."""
    subject: Any = triple.subject
    if triple.predicate.value.startswith(SCORE):
        return True
    return type(subject) is ox.NamedNode and (subject.value.startswith((SCORE, OVERLAY)) or triple in RUN_DECLARED)
