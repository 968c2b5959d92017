"""Ontologies made from others: parts, damaged copies, synthetic ones."""
