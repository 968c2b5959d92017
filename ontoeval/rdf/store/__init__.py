"""Evaluations as RDF: gives out `Store`, `read_scores` and `write_scores` (files, stores on disk, SPARQL endpoints)."""

from ontoeval.rdf.store.store import Store, read_scores, write_scores

__all__ = ["Store", "read_scores", "write_scores"]
