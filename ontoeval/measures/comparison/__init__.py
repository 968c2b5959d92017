"""Measures of a learned ontology against a gold standard: no code here."""
