"""Ontology formats in."""
