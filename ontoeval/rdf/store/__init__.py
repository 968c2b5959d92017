"""Evaluations as RDF: written to and read from files, stores on disk and SPARQL endpoints."""

from ontoeval.rdf.store.store import Store, read_scores, write_scores

__all__ = ["Store", "read_scores", "write_scores"]
