"""Measures of pairs of concepts of one ontology."""
