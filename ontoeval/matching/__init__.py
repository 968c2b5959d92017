"""Pairing the concepts of a learned ontology with those of a gold standard, one to one."""
