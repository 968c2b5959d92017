"""`is_turtle`, `is_ntriples`, `is_rdf_xml`, ...: which RDF syntax, by first bytes (suffixes: load/formats.py)."""

from __future__ import annotations

import re

from ontoeval.load import terms
from ontoeval.load.ontologies.format import Fit, Head

# A later format of each row reads everything that the first one does, so that the suffix may decide.
_WIDER = {
    "nt": ("turtle", "nquads", "trig", "n3"),
    "turtle": ("trig", "n3"),
}
_LINES = 50  # statements that are looked at

# Every pattern runs over the first bytes once: no quantifier gives back what it took.
_TERM = r'(?:<[^<>"{}|^`\x00-\x20]*+>|_:[^\s<>"]++|"(?:[^"\\]|\\.)*+"(?:@[A-Za-z0-9\-]++|\^\^<[^<>\s]*+>)?+)'
_END = r"\s*+\.\s*+(?:#.*+)?+"
_NT_LINE = re.compile(rf"{_TERM}\s*+{_TERM}\s*+{_TERM}{_END}")
_NQ_LINE = re.compile(rf"{_TERM}\s*+{_TERM}\s*+{_TERM}\s*+{_TERM}{_END}")
_SURELY_TURTLE = re.compile(r"@(?:prefix|base|keywords)\b|(?:prefix\s++[^\s:]*+:|base)\s*+<|<[^<>\s]*+>|_:", re.I)
_PERHAPS_TURTLE = re.compile(r"[\[({]|graph\b", re.I)
_STATEMENT_END = re.compile(r'(?:^|[\s>"\])])[.;,]$')
_RULE = re.compile(r"=>|@forAll\b|@forSome\b")
_JSON = re.compile(r'\{\s*+["}]|\[\s*+(?:["{\[\d]|\]\s*+$)')


def is_rdf_xml(head: Head) -> Fit:
    """An element rdf:RDF, or any that declares the RDF namespace and is no OWL/XML."""
    root = head.root
    if root is None or (root.namespace == terms.OWL and root.name == "Ontology"):
        return Fit.NO
    return Fit.SURELY if terms.RDF in root.declared or root.name == "RDF" else Fit.NO


def is_json_ld(head: Head) -> Fit:
    """Any JSON; a format that knows its own JSON comes later in the table. Turtle may start with a bracket, too."""
    return Fit.SURELY if _JSON.match(head.text) else Fit.NO


def is_turtle(head: Head) -> Fit:
    return _fit(head, "turtle")


def is_ntriples(head: Head) -> Fit:
    return _fit(head, "nt")


def is_nquads(head: Head) -> Fit:
    return _fit(head, "nquads")


def is_trig(head: Head) -> Fit:
    return _fit(head, "trig")


def is_n3(head: Head) -> Fit:
    return _fit(head, "n3")


def _fit(head: Head, syntax: str) -> Fit:
    """How far the start looks like Turtle or a relative of it, if of these it is `syntax`."""
    first = head.first_line("#")
    statements = sum(1 for line in head.lines if _STATEMENT_END.search(line))
    cells = head.is_table and 2 * statements < len(head.lines)  # names in angle brackets may be cells
    if _SURELY_TURTLE.match(first) and not cells:
        fit = Fit.SURELY
    elif _PERHAPS_TURTLE.match(first) and not head.is_table:
        fit = Fit.PERHAPS
    else:
        return Fit.NO
    narrowest = _narrowest(head)
    return fit if syntax == (head.by_suffix if head.by_suffix in _WIDER.get(narrowest, ()) else narrowest) else Fit.NO


def _narrowest(head: Head) -> str:
    """The syntax with the fewest features that can read the start."""
    statements = [line for line in head.lines if not line.startswith("#")][:_LINES]
    if head.by_suffix in ("nt", "nquads") and len(statements) > 1:
        statements.pop()  # the last one may be cut off
    if all(_NT_LINE.fullmatch(line) for line in statements):
        return "nt"
    if all(_NT_LINE.fullmatch(line) or _NQ_LINE.fullmatch(line) for line in statements):
        return "nquads"
    if _RULE.search(head.code):
        return "n3"
    return "trig" if "{" in head.code else "turtle"
