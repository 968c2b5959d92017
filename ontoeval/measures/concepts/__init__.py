"""Measures between two concepts of one ontology, and their correlation with ratings: no code here."""
