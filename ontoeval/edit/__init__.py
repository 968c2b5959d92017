"""Ontologies made from other ontologies or from nothing: parts, damaged copies, synthetic trees."""
