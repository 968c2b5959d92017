"""Scores as RDF: files, a store on disk, SPARQL endpoints."""

from ontoeval.rdf.store.store import Store, read_scores, write_scores

__all__ = ["Store", "read_scores", "write_scores"]
