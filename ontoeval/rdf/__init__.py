"""Results and ontologies as RDF: files, stores, queries, write-back, validation."""
