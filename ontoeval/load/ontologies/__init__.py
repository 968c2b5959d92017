"""Readers of ontology formats, and what makes an ontology of what they read; the table is load/formats.py."""
