"""`common_facts` of OWL and SKOS: deprecation, SKOS-XL labels, OBO namespaces, former ids (labels: columns.py)."""

from __future__ import annotations

from ontoeval.load import terms
from ontoeval.load.ontologies.columns import Columns

_TRUE = {"true", "1"}


def common_facts(columns: Columns) -> None:
    """Add what OWL and SKOS files say alike: number of triples, deprecation, SKOS-XL labels, OBO namespaces and ids."""
    facts = columns.facts
    names = list(facts.names)
    facts.statements = columns.triples
    facts.deprecated.update(s for s, text, _ in columns.literals.get(terms.DEPRECATED, ()) if text in _TRUE)
    facts.deprecated.update(columns.members(terms.DEPRECATED_CLASS))
    _xl_labels(columns)
    facts.namespaces.update(
        (s, text) for s, text, _ in sorted(columns.literals.get(terms.OBO_NAMESPACE, ()), reverse=True)
    )
    for subject, text, _ in columns.literals.get(terms.ALTERNATIVE_ID, ()):
        prefix, colon, local = text.partition(":")
        if colon:
            facts.claims.append((f"{terms.OBO}{prefix}_{local}", names[subject]))


def _xl_labels(columns: Columns) -> None:
    """SKOS-XL: concept -> label node -> literal form."""
    forms: dict[int, list[tuple[str, str]]] = {}
    for node, text, language in columns.literals.get(terms.LITERAL_FORM, ()):
        forms.setdefault(node, []).append((text, language))
    for name, role in terms.XL_LABELS.items():
        for concept, node in columns.pairs_of(name):
            for text, language in forms.get(node, ()):
                columns.facts.label(concept, text, language, role)
